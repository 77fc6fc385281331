//! Phrases looked up in a passage by whole words.

use std::borrow::Cow;

use regex::Regex;

use crate::text::lexicon::Lexicon;
use crate::text::normal::is_dash;
use crate::text::quantity;
use crate::text::word::{Token, TokenKind, digit_value, folded, tokens};
use crate::text::{Analysis, Span};

/// What words and numbers are compared by: folded words, numbers by value, signs.
struct Part<'t> {
    text: Cow<'t, str>,
    span: Span,
}

/// A passage made ready for phrases.
pub(super) struct Reading<'p> {
    text: &'p str,
    analysis: &'p Analysis,
    parts: Vec<Part<'p>>,
}

/// A phrase made ready for one language.
pub(super) struct Phrase<'t>(Vec<Part<'t>>);

impl<'t> Phrase<'t> {
    /// Reads a phrase in a language.
    pub(super) fn new(text: &'t str, lexicon: &Lexicon) -> Self {
        Self(parts(text, &tokens(text), lexicon))
    }

    /// Whether there is nothing in it to look for.
    pub(super) fn is_empty(text: &str) -> bool {
        tokens(text).iter().all(|token| token.kind == TokenKind::Space)
    }
}

impl<'p> Reading<'p> {
    /// Reads a passage.
    pub(super) fn new(text: &'p str, analysis: &'p Analysis) -> Self {
        Self { text, analysis, parts: parts(text, analysis.tokens(text), analysis.lexicon()) }
    }

    /// The lexicon of the passage's language.
    pub(super) fn lexicon(&self) -> &'p Lexicon {
        self.analysis.lexicon()
    }

    /// Where the phrase stands first.
    pub(super) fn find(&self, phrase: &Phrase<'_>) -> Option<Span> {
        let wanted = phrase.0.as_slice();
        let at = self
            .parts
            .windows(wanted.len().max(1))
            .find(|window| window.iter().map(|part| &part.text).eq(wanted.iter().map(|part| &part.text)))?;
        Some(at.first()?.span.join(at.last()?.span))
    }

    /// Where the expression matches first.
    pub(super) fn find_expression(&self, expression: &Regex) -> Option<Span> {
        let folded = self.analysis.folded(self.text);
        let found = expression.find(folded.text())?;
        Some(folded.to_original(self.text, found.range().into()))
    }
}

/// The parts of a text. A number is one part, by its value. Spaces, and hyphens inside compounds, are no part.
fn parts<'t>(text: &'t str, tokens: &[Token], lexicon: &Lexicon) -> Vec<Part<'t>> {
    let mut parts = Vec::with_capacity(tokens.len() / 2 + 1);
    let mut numbers = quantity::numbers(text, tokens, lexicon).into_iter().peekable();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some((span, value)) = numbers.next_if(|(span, _)| span.start <= token.span.start) {
            at += tokens.iter().skip(at).take_while(|token| token.span.start < span.end).count().max(1);
            parts.push(Part { text: Cow::Owned(value.to_string()), span });
            continue;
        }
        let word = token.span.of(text);
        at += 1;
        let part = match token.kind {
            TokenKind::Space => continue,
            TokenKind::Mark if joins(text, tokens, at - 1) => continue,
            TokenKind::Digits => ascii_digits(word),
            TokenKind::Word | TokenKind::Ideograph | TokenKind::Mark => folded(word),
        };
        parts.push(Part { text: part, span: token.span });
    }
    parts
}

/// Whether the token is a hyphen between two words or numbers.
fn joins(text: &str, tokens: &[Token], at: usize) -> bool {
    let is_word = |token: Option<&Token>| {
        token.is_some_and(|token| matches!(token.kind, TokenKind::Word | TokenKind::Digits | TokenKind::Ideograph))
    };
    let dash = tokens.get(at).is_some_and(|token| token.span.of(text).chars().all(is_dash));
    dash && is_word(at.checked_sub(1).and_then(|before| tokens.get(before))) && is_word(tokens.get(at + 1))
}

/// Digits of any script as ASCII digits.
fn ascii_digits(digits: &str) -> Cow<'_, str> {
    if digits.is_ascii() {
        return Cow::Borrowed(digits);
    }
    let ascii = |digit: char| digit_value(digit).map_or(digit, |value| char::from(b'0' + value));
    Cow::Owned(digits.chars().map(ascii).collect())
}
