//! Marker grammars as compiled: what a marker looks like, and how its references find a unit of the packet.

use std::collections::BTreeMap;

use regex::Regex;

/// One way of citing, such as `[3]` by position or `[doc_3]` by id.
#[derive(Debug, Clone)]
pub struct Grammar {
    /// Unique in the policy.
    pub id: String,
    /// What a marker looks like; holds one of the named groups `ref` (one reference) and `refs` (a list).
    pub pattern: Regex,
    /// Picks the references out of the text of `refs`, for lists that are not written with separators, such as
    /// `turn0search0turn0news2`. Absent: the list and range syntax (`1, 2; 4-6`).
    pub each: Option<Regex>,
    /// How a reference finds its unit.
    pub resolve: Resolve,
    /// How ids are compared.
    pub case: IdCase,
    /// Characters cut from both ends of every reference before it is looked up; white space always is.
    pub trim: String,
    /// Text put before a reference that is no id as it stands: under `doc_` the reference `3` is also the id `doc_3`.
    pub prefix: String,
    /// Whether a match counts only where every reference is an id of the packet (or a known alias); anything else is
    /// ordinary text. For marks that prose uses too, such as a bracketed word.
    pub known_only: bool,
}

/// How a reference finds its unit. A reference that is an id of the packet is that id under every way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolve {
    /// It is an id.
    Id,
    /// A number is a position in the packet.
    Position {
        /// The number of the first unit: 0 or 1.
        first: u32,
    },
    /// It is a name for an id, by this list.
    Alias(BTreeMap<String, String>),
}

/// How ids are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IdCase {
    /// `DOC_1` is `doc_1`.
    #[default]
    Fold,
    /// `DOC_1` is another id than `doc_1`.
    Exact,
}

/// Why a pattern cannot be a marker's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GrammarError {
    /// It has neither named group.
    #[error("the pattern names no group `ref` or `refs`, so what a marker refers to is unknown")]
    NoReference,
    /// It has both.
    #[error("the pattern names both `ref` and `refs`; a marker has one of them")]
    BothReferences,
    /// It matches the empty text.
    #[error("the pattern matches the empty text, so it would find a marker everywhere")]
    MatchesNothing,
}

impl Grammar {
    /// A grammar with the defaults: references are ids, compared without regard to case.
    ///
    /// # Errors
    /// Where the pattern cannot be a marker's, see [`GrammarError`].
    pub fn new(id: impl Into<String>, pattern: Regex) -> Result<Self, GrammarError> {
        let named = |name| pattern.capture_names().flatten().any(|group| group == name);
        match (named("ref"), named("refs")) {
            (false, false) => return Err(GrammarError::NoReference),
            (true, true) => return Err(GrammarError::BothReferences),
            _ => {}
        }
        if pattern.is_match("") {
            return Err(GrammarError::MatchesNothing);
        }
        Ok(Self {
            id: id.into(),
            pattern,
            each: None,
            resolve: Resolve::Id,
            case: IdCase::Fold,
            trim: String::new(),
            prefix: String::new(),
            known_only: false,
        })
    }

    /// The reference without white space and the characters of `trim` at its ends.
    pub(super) fn trimmed<'a>(&self, reference: &'a str) -> &'a str {
        reference.trim_matches(|c: char| c.is_whitespace() || self.trim.contains(c))
    }

    /// The unit's id that `reference` is an alias of, where the grammar has aliases.
    pub(super) fn alias(&self, reference: &str) -> Option<&str> {
        let Resolve::Alias(names) = &self.resolve else { return None };
        let exact = names.get(reference);
        let found = exact.or_else(|| {
            let folded = (self.case == IdCase::Fold).then(|| super::identity::folded(reference))?;
            names.iter().find(|(name, _)| super::identity::folded(name) == folded).map(|(_, id)| id)
        });
        found.map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grammar(pattern: &str) -> Result<Grammar, GrammarError> {
        Grammar::new("g", Regex::new(pattern).expect("a valid pattern"))
    }

    #[test]
    fn a_pattern_names_exactly_one_group_and_matches_something() {
        assert!(grammar(r"\[(?<ref>\d+)\]").is_ok());
        assert_eq!(grammar(r"\[(\d+)\]").err(), Some(GrammarError::NoReference));
        assert_eq!(grammar(r"(?<ref>a)(?<refs>b)").err(), Some(GrammarError::BothReferences));
        assert_eq!(grammar(r"(?<ref>\d*)").err(), Some(GrammarError::MatchesNothing));
    }

    #[test]
    fn an_alias_is_found_by_the_policys_case() {
        let mut named = grammar(r"\((?<ref>\w+)\)").expect("a grammar");
        named.resolve = Resolve::Alias([("Handbook".to_owned(), "doc_7".to_owned())].into());
        assert_eq!(named.alias("HANDBOOK"), Some("doc_7"));
        named.case = IdCase::Exact;
        assert_eq!(named.alias("HANDBOOK"), None);
        assert_eq!(named.alias("Handbook"), Some("doc_7"));
    }
}
