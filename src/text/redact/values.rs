//! Values that are taken out wherever they stand: those of whole fields.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::fold::Folded;

/// Characters that a value has at least to be looked for where it is not the field itself.
pub const SHORTEST_VALUE: usize = 4;

/// Values, each under the index of a name, ready to be looked for in one pass.
#[derive(Debug)]
pub struct Values {
    automaton: AhoCorasick,
    /// Of each pattern of the automaton.
    names: Vec<usize>,
}

impl Values {
    /// Values to look for, in any letter case; those of fewer than four characters are left out. `None` where none is left.
    #[must_use]
    pub fn new<'v>(values: impl IntoIterator<Item = (usize, &'v str)>) -> Option<Self> {
        let mut wanted: Vec<(String, usize)> = Vec::new();
        for (name, value) in values {
            let value = value.trim();
            if value.chars().count() < SHORTEST_VALUE {
                continue;
            }
            wanted.push((value.to_owned(), name));
            let folded = Folded::of(value).map(|folded| folded.text.trim().to_owned());
            wanted.extend(folded.filter(|value| value.chars().count() >= SHORTEST_VALUE).map(|value| (value, name)));
            if !value.is_ascii() {
                wanted.extend([value.to_lowercase(), value.to_uppercase()].map(|value| (value, name)));
            }
        }
        wanted.sort_unstable();
        wanted.dedup_by(|next, first| next.0 == first.0);
        wanted.retain(|(value, _)| !value.is_empty());
        if wanted.is_empty() {
            return None;
        }
        let (patterns, names): (Vec<String>, Vec<usize>) = wanted.into_iter().unzip();
        // The kind that takes least to build: there is one for each case.
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::NoncontiguousNFA))
            .build(patterns)
            .ok()?;
        Some(Self { automaton, names })
    }

    /// Where they stand.
    pub(super) fn find(&self, text: &str, into: &mut impl FnMut(usize, Range<usize>)) {
        for found in self.automaton.find_overlapping_iter(text) {
            if let Some(name) = self.names.get(found.pattern().as_usize()) {
                into(*name, found.range());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_little_that_is_seen_is_not_looked_for_letter_by_letter() {
        let values = Values::new([(0, "\u{200b}\u{200b}\u{200b}a")]).expect("it is looked for as it stands");
        let mut found = Vec::new();
        values.find("a banana and \u{200b}\u{200b}\u{200b}a", &mut |name, span| found.push((name, span)));
        found.dedup();
        assert_eq!(found, [(0, 13..23)]);
    }
}
