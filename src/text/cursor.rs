//! Walking over the tokens of a text, with the marks which of them are spoken for.

use std::borrow::Cow;

use super::lexicon::{Lexicon, Roles, role};
use super::span::Span;
use super::word::{Token, TokenKind, folded, is_apostrophe};

/// The tokens of a text while facts are read from it. Identifiers are read first, then dates, then quantities; each takes its tokens,
/// so that no digit is read twice.
pub(crate) struct Cursor<'t> {
    pub(crate) text: &'t str,
    pub(crate) tokens: &'t [Token],
    pub(crate) lexicon: &'t Lexicon,
    taken: Vec<bool>,
    /// For each token the first one from there on at which a fact may begin; in prose few do.
    starts: Vec<u32>,
    roles: &'t [Roles],
}

/// What each token may begin; see [`role`].
pub(crate) fn roles(text: &str, tokens: &[Token], lexicon: &Lexicon) -> Box<[Roles]> {
    let roles = |token: &Token| match token.kind {
        TokenKind::Word => lexicon.roles_of_word(token.span.of(text)),
        // A sign such as § may be a reference. Only of plain ones is it quicker to look than to try.
        TokenKind::Mark => match token.span.of(text) {
            sign if sign.is_ascii() => lexicon.roles_of_sign(sign),
            _ => role::REFERENCE | role::CUE,
        },
        TokenKind::Ideograph => role::CUE | role::RETRACTION | role::SCALE,
        _ => 0,
    };
    tokens.iter().map(roles).collect()
}

impl<'t> Cursor<'t> {
    /// `roles` are those that [`roles`] gives for the tokens.
    pub(crate) fn new(text: &'t str, tokens: &'t [Token], roles: &'t [Roles], lexicon: &'t Lexicon) -> Self {
        let mut cursor = Self { text, tokens, lexicon, taken: vec![false; tokens.len()], starts: Vec::new(), roles };
        let mut starts = vec![u32::MAX; tokens.len()];
        let mut next = u32::MAX;
        for (at, start) in starts.iter_mut().enumerate().rev() {
            if cursor.may_start(at) {
                next = u32::try_from(at).unwrap_or(u32::MAX);
            }
            *start = next;
        }
        cursor.starts = starts;
        cursor
    }

    /// The first token from `at` on at which a fact may begin; past the end where there is none.
    pub(crate) fn next_start(&self, at: usize) -> usize {
        self.starts.get(at).map_or(usize::MAX, |start| *start as usize)
    }

    /// Whether an identifier, a date or a quantity may begin at token `at`. Not with a space, and not with a word that stands alone
    /// before no digits, is in no list and is no Roman number.
    fn may_start(&self, at: usize) -> bool {
        const LISTED: Roles = role::MONTH | role::NUMBER | role::REFERENCE | role::STANDARD | role::DATE;
        match self.kind(at) {
            Some(TokenKind::Space) | None => false,
            Some(TokenKind::Word) => {
                self.may_begin(at, LISTED)
                    || !(self.is(at + 1, TokenKind::Space) || at + 1 >= self.len())
                    || self.is(at + 2, TokenKind::Digits)
                    || self.raw(at).starts_with(['I', 'V', 'X'])
                    || matches!(self.raw(at), "FY" | "CY")
                    || self.raw(at).contains(is_apostrophe)
            }
            Some(TokenKind::Digits | TokenKind::Mark | TokenKind::Ideograph) => true,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether token `at` may begin what `role` names.
    pub(crate) fn may_begin(&self, at: usize, role: Roles) -> bool {
        self.roles.get(at).is_some_and(|roles| roles & role != 0)
    }

    pub(crate) fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub(crate) fn span(&self, at: usize) -> Span {
        self.tokens.get(at).map_or(Span::default(), |token| token.span)
    }

    /// The token as written; empty past the end.
    pub(crate) fn raw(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| token.span.of(self.text))
    }

    pub(crate) fn word(&self, at: usize) -> Cow<'t, str> {
        folded(self.raw(at))
    }

    pub(crate) fn is(&self, at: usize, kind: TokenKind) -> bool {
        self.kind(at) == Some(kind)
    }

    pub(crate) fn is_mark(&self, at: usize, marks: &[char]) -> bool {
        self.is(at, TokenKind::Mark) && self.raw(at).chars().next().is_some_and(|c| marks.contains(&c))
    }

    /// Whether token `at` stands right behind the one before it.
    pub(crate) fn joined(&self, at: usize) -> bool {
        at > 0
            && !self.is(at, TokenKind::Space)
            && !self.is(at - 1, TokenKind::Space)
            && self.span(at - 1).end == self.span(at).start
            && at < self.len()
    }

    /// `at`, or the token behind it where `at` is a space.
    pub(crate) fn past_space(&self, at: usize) -> usize {
        if self.is(at, TokenKind::Space) { at + 1 } else { at }
    }

    /// The nearest token before `at` that is no space.
    pub(crate) fn before(&self, at: usize) -> Option<usize> {
        (0..at).rev().take(2).find(|i| !self.is(*i, TokenKind::Space))
    }

    pub(crate) fn is_taken(&self, at: usize) -> bool {
        self.taken.get(at).copied().unwrap_or(true)
    }

    pub(crate) fn take(&mut self, from: usize, to: usize) {
        if let Some(taken) = self.taken.get_mut(from..to.min(self.tokens.len())) {
            taken.fill(true);
        }
    }

    /// From the first byte of token `from` to the last byte of the token before `to`.
    pub(crate) fn stretch(&self, from: usize, to: usize) -> Span {
        self.span(from).join(self.span(to.saturating_sub(1).max(from)))
    }

    /// The value of a token of up to nine digits.
    pub(crate) fn small(&self, at: usize) -> Option<u32> {
        if !self.is(at, TokenKind::Digits) {
            return None;
        }
        let digits = self.raw(at);
        if digits.chars().count() > 9 {
            return None;
        }
        digits.chars().try_fold(0_u32, |value, c| Some(value * 10 + u32::from(super::word::digit_value(c)?)))
    }

    pub(crate) fn digit_count(&self, at: usize) -> usize {
        if self.is(at, TokenKind::Digits) { self.raw(at).chars().count() } else { 0 }
    }

    pub(crate) fn is_capitalised(&self, at: usize) -> bool {
        self.is(at, TokenKind::Word) && self.raw(at).chars().next().is_some_and(char::is_uppercase)
    }

    /// Past the ending that makes the digits before token `at` an ordinal: `th`, `:a`.
    pub(crate) fn past_ordinal_ending(&self, at: usize) -> Option<usize> {
        let endings = &self.lexicon.numbers.ordinal_endings;
        if !self.joined(at) {
            return None;
        }
        if self.is_mark(at, &[':']) && self.joined(at + 1) {
            return endings.contains(format!(":{}", self.word(at + 1)).as_str()).then_some(at + 2);
        }
        // 5-го
        let hyphen = usize::from(self.is_mark(at, &['-', '‑']) && self.joined(at + 1) && !self.raw(at + 1).is_ascii());
        endings.contains(self.word(at + hyphen).as_ref()).then_some(at + hyphen + 1)
    }

    /// Past the apostrophe and the case ending of a number (`2026'da`), and past a space.
    pub(crate) fn past_case_ending(&self, at: usize) -> usize {
        let is_joined = self.is_mark(at, &['\'', '’']) && self.joined(at) && self.joined(at + 1);
        let is_ending = || self.lexicon.case_endings.contains(format!("'{}", self.word(at + 1)).as_str());
        self.past_space(if is_joined && is_ending() { at + 2 } else { at })
    }

    /// Whether a unit, a percent sign or a scale word begins at `at`.
    pub(crate) fn measures(&self, at: usize) -> bool {
        let at = self.past_space(at);
        let units = &self.lexicon.units;
        units
            .symbols
            .starting_at(self.text, self.tokens, at)
            .is_some_and(|found| found.span.len() > 1 || !self.is(at, TokenKind::Word))
            || units.names.starting_at(self.text, self.tokens, at).is_some()
            || self.lexicon.numbers.scales.contains_key(self.word(at).as_ref())
    }
}
