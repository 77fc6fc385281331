//! Taking out of texts what must not leave (SPEC 5.7): the matches of patterns, and whatever a caller adds to them.
//!
//! What is taken out of running text becomes `[redacted:email]`; of an id, a version or a slice value, which must stay apart and be found
//! again, `[redacted:email:1a2b3c4d]`, with the first digits of the hash of what was taken out. Where two patterns overlap, all that they
//! cover goes, under the name of the first. What was taken out is never looked at again, so that redacting twice changes nothing.

mod fold;
mod key;
mod phone;
mod problem;
mod rewritten;
mod shipped;
#[cfg(test)]
mod tests;
mod values;

use std::borrow::Cow;
use std::ops::Range;

use regex::Regex;

pub use key::{Hashing, KEYED, Key, SHORTEST_KEY};
pub use rewritten::Rewritten;
pub use shipped::Shipped;
pub use values::Values;

/// Before the name in what stands for a text that was taken out.
const OPENING: &str = "[redacted:";
/// Digits of the hash in what stands for a part of an id.
pub const ID_DIGITS: usize = 8;
/// The same in ids that must stay apart in a whole run, of which there may be millions.
pub const LONG_ID_DIGITS: usize = 16;

/// A pattern of what is taken out.
#[derive(Debug, Clone)]
pub enum Pattern {
    /// One that comes with citeward.
    Shipped(Shipped),
    /// One of the policy.
    Own(Regex),
}

/// A piece of a text that is taken out, and under which name: an index, the first of the policy lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// First byte.
    pub start: usize,
    /// Byte behind the last one.
    pub end: usize,
    /// Index of the name.
    pub name: usize,
}

/// What stands for a text that was taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// In running text: the name alone.
    Running,
    /// In ids: so many digits of the hash behind it.
    Id(usize),
}

/// What is taken out of texts, compiled.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    /// Of the patterns, then of the fields.
    names: Vec<String>,
    patterns: Vec<Pattern>,
    /// What stands for texts that were taken out already.
    done: Option<Regex>,
    /// How hashes leave.
    pub hashing: Hashing,
}

impl Redactor {
    /// A redactor of these patterns, each with its name, that also knows the names of fields whose values are taken out.
    #[must_use]
    pub fn new(patterns: Vec<(String, Pattern)>, fields: impl IntoIterator<Item = String>) -> Self {
        let (mut names, patterns): (Vec<String>, Vec<Pattern>) = patterns.into_iter().unzip();
        names.extend(fields);
        let known: Vec<String> = names.iter().map(|name| regex::escape(name)).collect();
        let done = format!(r"\[redacted:(?:{})(?::[0-9a-f]{{{ID_DIGITS},{LONG_ID_DIGITS}}})?\]", known.join("|"));
        Self { done: Regex::new(&done).ok().filter(|_| !names.is_empty()), names, patterns, hashing: Hashing::Plain }
    }

    /// Whether nothing is ever taken out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The names of the patterns, then of the fields.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether whole fields are taken out.
    #[must_use]
    pub fn has_fields(&self) -> bool {
        self.names.len() > self.patterns.len()
    }

    /// The index of the name of a field, by the field's own index.
    #[must_use]
    pub fn field(&self, index: usize) -> usize {
        self.patterns.len() + index
    }

    /// What the patterns find, ascending and apart.
    #[must_use]
    pub fn hits(&self, text: &str) -> Vec<Hit> {
        self.hits_and(text, None, Vec::new())
    }

    /// The same together with where these values stand and with other hits.
    #[must_use]
    pub fn hits_and(&self, text: &str, values: Option<&Values>, others: Vec<Hit>) -> Vec<Hit> {
        let mut hits = others;
        self.find(text, values, |name, span| hits.push(Hit { start: span.start, end: span.end, name }));
        if let Some(folded) = fold::Folded::of(text) {
            self.find(&folded.text, values, |name, span: Range<usize>| {
                hits.extend(folded.origin(&span).map(|span| Hit { start: span.start, end: span.end, name }));
            });
        }
        self.apart(text, hits)
    }

    fn find(&self, text: &str, values: Option<&Values>, mut into: impl FnMut(usize, Range<usize>)) {
        let mut spans: Vec<Range<usize>> = Vec::new();
        if let Some(values) = values {
            values.find(text, &mut into);
        }
        for (name, pattern) in self.patterns.iter().enumerate() {
            match pattern {
                Pattern::Own(regex) => regex.find_iter(text).for_each(|found| into(name, found.range())),
                Pattern::Shipped(shipped) => {
                    spans.clear();
                    shipped.find(text, &mut spans);
                    spans.drain(..).for_each(|span| into(name, span));
                }
            }
        }
    }

    /// Puts hits in order: those that overlap become one, under the first of their names; what was taken out already is left
    /// alone, or goes whole with what covers a part of it.
    fn apart(&self, text: &str, mut hits: Vec<Hit>) -> Vec<Hit> {
        hits.retain(|hit| hit.start < hit.end);
        if hits.is_empty() {
            return hits;
        }
        if let Some(done) = self.done.as_ref().filter(|_| text.contains(OPENING)) {
            for gone in done.find_iter(text) {
                hits.retain(|hit| hit.start < gone.start() || hit.end > gone.end());
                for hit in hits.iter_mut().filter(|hit| hit.start < gone.end() && gone.start() < hit.end) {
                    (hit.start, hit.end) = (hit.start.min(gone.start()), hit.end.max(gone.end()));
                }
            }
        }
        hits.sort_unstable();
        let mut apart: Vec<Hit> = Vec::with_capacity(hits.len());
        for hit in hits {
            match apart.last_mut() {
                Some(last) if hit.start < last.end => {
                    last.end = last.end.max(hit.end);
                    last.name = last.name.min(hit.name);
                }
                _ => apart.push(hit),
            }
        }
        apart
    }

    /// What stands for a text that is taken out under a name.
    #[must_use]
    pub fn stand_in(&self, name: usize, taken: &str, form: Form) -> String {
        let name = self.names.get(name).map_or("text", String::as_str);
        match form {
            Form::Running => format!("{OPENING}{name}]"),
            Form::Id(digits) => format!("{OPENING}{name}:{}]", self.hashing.digits(taken, digits)),
        }
    }

    /// Whether a text is nothing but what stands for a text that was taken out.
    #[must_use]
    pub fn is_stand_in(&self, text: &str) -> bool {
        text.starts_with(OPENING)
            && self.done.as_ref().and_then(|done| done.find(text)).is_some_and(|found| found.range() == (0..text.len()))
    }

    /// A text without what the patterns find.
    #[must_use]
    pub fn rewritten<'t>(&self, text: &'t str, form: Form) -> Rewritten<'t> {
        Rewritten::new(self, text, self.hits(text), form)
    }

    /// Running text without what the patterns find; borrowed where there is nothing.
    #[must_use]
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.rewritten(text, Form::Running).into_text()
    }

    /// An id, version or slice value without what the patterns find.
    #[must_use]
    pub fn id<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.rewritten(text, Form::Id(ID_DIGITS)).into_text()
    }

    /// The id of a case without what the patterns find.
    #[must_use]
    pub fn case_id<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.rewritten(text, Form::Id(LONG_ID_DIGITS)).into_text()
    }
}
