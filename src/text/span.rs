//! Where something stands in a text.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A stretch of a text: byte offsets, end exclusive, both on character boundaries of the text it was made for.
///
/// Written as `[start, end]` wherever it is serialised.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(from = "[usize; 2]", into = "[usize; 2]")]
#[schemars(with = "[usize; 2]")]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// A span from `start` up to and without `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The text it covers; empty where the span does not fit `text`, so that a span of another text can never panic.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// Length in bytes.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether it covers nothing.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Whether `other` lies wholly inside.
    pub const fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two share at least one byte.
    pub const fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The smallest span that covers both.
    pub fn join(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// As a range, for slicing.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl From<[usize; 2]> for Span {
    fn from([start, end]: [usize; 2]) -> Self {
        Self { start, end }
    }
}

impl From<Span> for [usize; 2] {
    fn from(span: Span) -> Self {
        [span.start, span.end]
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self { start: range.start, end: range.end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_of_another_text_covers_nothing() {
        assert_eq!(Span::new(1, 3).of("äb"), "");
        assert_eq!(Span::new(0, 2).of("äb"), "ä");
        assert_eq!(Span::new(5, 9).of("äb"), "");
    }

    #[test]
    fn joins_and_overlaps() {
        let (a, b) = (Span::new(2, 5), Span::new(5, 7));
        assert!(!a.overlaps(b));
        assert_eq!(a.join(b), Span::new(2, 7));
        assert!(a.join(b).contains(b));
        assert_eq!(serde_json::to_string(&a).ok().as_deref(), Some("[2,5]"));
    }
}
