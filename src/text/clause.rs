//! The clauses of a sentence: cut at marks, and at words that begin one.

use super::lexicon::role;
use super::word::{TokenKind, folded};
use super::{Analysis, Span};

impl Analysis {
    /// The clauses of a sentence, in order, each with what begins it.
    pub fn clauses(&self, text: &str, sentence: Span) -> Vec<Span> {
        let tokens = self.tokens(text);
        let from = tokens.partition_point(|token| token.span.start < sentence.start);
        let (mut clauses, mut start) = (Vec::new(), sentence.start);
        let inside = tokens.iter().enumerate().skip(from).take_while(|(_, token)| token.span.end <= sentence.end);
        for (at, token) in inside.filter(|(at, _)| self.begins_clause(text, *at, sentence.end)) {
            clauses.push(Span::new(start, token.span.start));
            start = tokens.get(at).map_or(start, |token| token.span.start);
        }
        clauses.push(Span::new(start, sentence.end));
        clauses
    }

    /// What stands before a place in its clause, as far as a reader keeps it in mind.
    pub fn clause_before(&self, text: &str, place: usize) -> Span {
        const FAR: usize = 40;
        let tokens = self.tokens(text);
        let behind = tokens.partition_point(|token| token.span.start < place);
        let from = behind.saturating_sub(FAR);
        let begin = (from..behind).rev().find(|at| self.begins_clause(text, *at, text.len()));
        Span::new(tokens.get(begin.unwrap_or(from)).map_or(0, |token| token.span.start).min(place), place)
    }

    /// Whether a clause begins with the token at an index. `end` is where its sentence ends.
    fn begins_clause(&self, text: &str, at: usize, end: usize) -> bool {
        let tokens = self.tokens(text);
        let Some(token) = tokens.get(at) else { return false };
        let spaced = || {
            let next = tokens.get(at + 1).filter(|next| next.span.start < end);
            next.is_none_or(|next| next.kind == TokenKind::Space)
        };
        match token.kind {
            TokenKind::Mark => match token.span.of(text) {
                "," | ";" | ":" | "–" | "—" => spaced(),
                "，" | "；" | "、" | "،" | "؛" => true,
                // "cats: 2 years. dogs: 1 year."
                "." | "!" | "?" | "।" => spaced() && !self.shortens(text, at),
                _ => false,
            },
            TokenKind::Word if self.ends_clause(text, at.wrapping_sub(2)) => true,
            TokenKind::Word => self.roles(text).get(at).is_some_and(|roles| roles & role::CLAUSE != 0),
            _ => false,
        }
    }

    /// Whether a word ends its clause: 9,900원이고. The space behind it and the next word follow.
    fn ends_clause(&self, text: &str, at: usize) -> bool {
        let endings = &self.lexicon().cues.clause_endings;
        let word = self.tokens(text).get(at).filter(|token| !endings.is_empty() && token.kind == TokenKind::Word);
        word.is_some_and(|word| endings.iter().any(|ending| word.span.of(text).ends_with(ending.as_ref())))
    }

    /// Whether a full stop belongs to the short word before it.
    fn shortens(&self, text: &str, stop: usize) -> bool {
        const SHORT: usize = 3;
        let before = stop.checked_sub(1).and_then(|at| self.tokens(text).get(at));
        before.is_some_and(|before| {
            let word = before.span.of(text);
            before.kind == TokenKind::Word
                && (word.chars().count() < SHORT || self.lexicon().abbreviations.contains(folded(word).as_ref()))
        })
    }
}
