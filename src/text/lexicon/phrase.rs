//! Phrases that are looked up at a token: the longest that begins there wins.

use foldhash::HashMap;

use crate::text::span::Span;
use crate::text::word::{Token, TokenKind, folded, tokens, with_folded};

/// Phrases of one or several words, each with a meaning. Words are compared folded and spaces do not count, or exactly.
#[derive(Debug, Clone)]
pub struct Phrases<T> {
    exact: bool,
    by_first: HashMap<Box<str>, Vec<Phrase<T>>>,
    gate: Gate<32>,
}

/// Tells at once of most words that they are none of a list: by their length, their first two bytes and the last. It knows no letter case, so
/// that a plain word need not be folded first.
#[derive(Debug, Clone)]
pub(super) struct Gate<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Gate<WORDS> {
    /// Lets nothing pass yet.
    pub(super) const fn new() -> Self {
        Self([0; WORDS])
    }

    /// Which bit stands for a word: the index of its group, and its mask.
    fn bit(word: &str) -> (usize, u64) {
        let bytes = word.as_bytes();
        let byte = |byte: Option<&u8>| usize::from(byte.copied().unwrap_or(0) | 0x20);
        let (first, second, last) = (byte(bytes.first()), byte(bytes.get(1)), byte(bytes.last()));
        let mixed = first * 61 + second * 1_543 + last * 7 + bytes.len() * 401;
        (mixed / 64 % WORDS, 1 << (mixed % 64))
    }

    /// Lets a word of the list pass.
    pub(super) fn open(&mut self, word: &str) {
        let (at, mask) = Self::bit(word);
        self.0.iter_mut().skip(at).take(1).for_each(|bits| *bits |= mask);
    }

    /// Whether a word may be one of the list.
    pub(super) fn may_pass(&self, word: &str) -> bool {
        let (at, mask) = Self::bit(word);
        self.0.get(at).is_some_and(|bits| bits & mask != 0)
    }
}

#[derive(Debug, Clone)]
struct Phrase<T> {
    rest: Box<[Box<str>]>,
    meaning: T,
}

/// A phrase that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found<T> {
    /// What it means.
    pub meaning: T,
    /// Index of the first token after it.
    pub next: usize,
    /// Where it stands.
    pub span: Span,
}

impl<T: Clone> Phrases<T> {
    /// None yet. `exact` tells upper and lower case apart.
    pub fn new(exact: bool) -> Self {
        Self { exact, by_first: HashMap::default(), gate: Gate::new() }
    }

    /// Adds a phrase. One that is there already keeps its place and takes the new meaning.
    pub fn add(&mut self, phrase: &str, meaning: T) {
        let mut words =
            tokens(phrase).into_iter().filter(|t| t.kind != TokenKind::Space).map(|t| self.key(t.span.of(phrase)));
        let Some(first) = words.next() else { return };
        let rest: Box<[Box<str>]> = words.collect();
        self.gate.open(&first);
        let same_first = self.by_first.entry(first).or_default();
        match same_first.iter_mut().find(|known| known.rest == rest) {
            Some(known) => known.meaning = meaning,
            None => {
                same_first.push(Phrase { rest, meaning });
                same_first.sort_by_key(|phrase| std::cmp::Reverse(phrase.rest.len()));
            }
        }
    }

    /// The words that they begin with.
    pub(crate) fn firsts(&self) -> impl Iterator<Item = &str> {
        self.by_first.keys().map(AsRef::as_ref)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.by_first.is_empty()
    }

    /// Whether this word, folded, is a phrase by itself.
    pub fn has_word(&self, folded: &str) -> bool {
        self.by_first.get(folded).is_some_and(|phrases| phrases.iter().any(|phrase| phrase.rest.is_empty()))
    }

    fn key(&self, word: &str) -> Box<str> {
        if self.exact { word.into() } else { folded(word).into() }
    }

    /// The longest phrase that begins at token `at`.
    pub fn starting_at(&self, text: &str, tokens: &[Token], at: usize) -> Option<Found<T>> {
        let first = tokens.get(at)?;
        let word = first.span.of(text);
        // Folding keeps the length of a plain word, and the gate knows no letter case.
        if !self.gate.may_pass(word) && (self.exact || word.is_ascii()) {
            return None;
        }
        let candidates =
            if self.exact { self.by_first.get(word) } else { with_folded(word, |word| self.by_first.get(word)) }?;
        candidates.iter().find_map(|phrase| {
            let (mut next, mut end) = (at + 1, first.span.end);
            for expected in &phrase.rest {
                while tokens.get(next).is_some_and(|t| t.kind == TokenKind::Space) {
                    next += 1;
                }
                let token = tokens.get(next)?;
                let word = token.span.of(text);
                let same = if self.exact {
                    word == expected.as_ref()
                } else {
                    with_folded(word, |word| word == expected.as_ref())
                };
                if !same {
                    return None;
                }
                end = token.span.end;
                next += 1;
            }
            Some(Found { meaning: phrase.meaning.clone(), next, span: Span::new(first.span.start, end) })
        })
    }

    /// The longest phrase whose last token is the one before `end` (spaces skipped), looking back at most six tokens that show.
    pub fn ending_at(&self, text: &str, tokens: &[Token], end: usize) -> Option<Found<T>> {
        let mut seen = 0;
        let mut best = None;
        for at in (0..end).rev() {
            if tokens.get(at).is_some_and(|t| t.kind == TokenKind::Space) {
                continue;
            }
            seen += 1;
            if seen > 6 {
                break;
            }
            if let Some(found) = self.starting_at(text, tokens, at)
                && tokens.get(found.next..end).is_some_and(|gap| gap.iter().all(|t| t.kind == TokenKind::Space))
            {
                best = Some(found);
            }
        }
        best
    }

    /// Every phrase in the text, from left to right, none overlapping another.
    pub fn all(&self, text: &str, tokens: &[Token]) -> Vec<Found<T>> {
        let (mut found, mut at) = (Vec::new(), 0);
        while at < tokens.len() {
            match self.starting_at(text, tokens, at) {
                Some(phrase) => {
                    at = phrase.next;
                    found.push(phrase);
                }
                None => at += 1,
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_phrase_wins_whichever_way_one_looks() {
        let mut phrases = Phrases::new(false);
        phrases.add("than", 1);
        phrases.add("more than", 2);
        let text = "No  more\nthan 5";
        let tokens = tokens(text);
        assert_eq!(
            phrases.ending_at(text, &tokens, tokens.len() - 1).map(|f| (f.meaning, f.span.of(text))),
            Some((2, "more\nthan"))
        );
        assert_eq!(phrases.all(text, &tokens).len(), 1);
    }

    #[test]
    fn exact_phrases_tell_case_apart() {
        let mut phrases = Phrases::new(true);
        phrases.add("MB", 1);
        assert!(phrases.starting_at("Mb", &tokens("Mb"), 0).is_none());
        assert!(phrases.starting_at("MB", &tokens("MB"), 0).is_some());
    }
}
