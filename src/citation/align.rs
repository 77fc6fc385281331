//! Finds the sentence of the answer that states a given claim.

use std::borrow::Cow;
use std::ops::Range;

use super::Marker;
use super::statement::Statement;
use crate::text::lexicon::Lexicon;
use crate::text::word::{ContentWords, TokenKind, tokens};

/// The content words of a text and, counted once more, its numbers: a number says more about which sentence is meant
/// than a word does.
struct Weighed {
    words: ContentWords,
    numbers: ContentWords,
}

impl Weighed {
    fn new(text: &str, lexicon: &Lexicon, keep: impl Fn(Range<usize>) -> bool) -> Self {
        let tokens = tokens(text);
        let keep = |span: crate::text::Span| keep(span.range());
        let words = ContentWords::from_tokens(text, &tokens, lexicon, keep);
        let digits: Vec<_> = tokens.into_iter().filter(|token| token.kind == TokenKind::Digits).collect();
        Self { words, numbers: ContentWords::from_tokens(text, &digits, lexicon, keep) }
    }

    fn len(&self) -> usize {
        self.words.len() + self.numbers.len()
    }

    fn shared_with(&self, other: &Self) -> usize {
        self.words.shared_with(&other.words) + self.numbers.shared_with(&other.numbers)
    }
}

/// For each claim the index of the statement that states it; `None` where nothing is near.
///
/// Near is a statement that shares at least a third of the claim's content words and numbers (numbers count twice). The
/// one that shares most wins; of equals one that holds a marker of what the claim declares (`cites`), then one that no claim has yet, then one that is not before the previous claim's,
/// then the shorter one, then the first. The order of claims is the order of the answer, as a rule.
pub(super) fn align(
    claims: &[Cow<'_, str>],
    answer: &str,
    statements: &[Statement<'_>],
    markers: &[Marker<'_>],
    lexicon: &Lexicon,
    cites: impl Fn(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let weighed: Vec<Weighed> = statements.iter().map(|statement| weigh(answer, statement, markers, lexicon)).collect();
    let mut taken = vec![false; statements.len()];
    let mut previous = 0;
    let mut aligned = Vec::with_capacity(claims.len());
    for (number, claim) in claims.iter().enumerate() {
        let claim = Weighed::new(claim, lexicon, |_| true);
        let best = weighed
            .iter()
            .enumerate()
            .map(|(index, statement)| (claim.shared_with(statement), index, statement.len()))
            .filter(|&(shared, ..)| shared > 0 && shared * 3 >= claim.len())
            .max_by_key(|&(shared, index, length)| {
                let free = !taken.get(index).copied().unwrap_or_default();
                (
                    shared,
                    cites(number, index),
                    free,
                    index >= previous,
                    std::cmp::Reverse(length),
                    std::cmp::Reverse(index),
                )
            })
            .map(|(_, index, _)| index);
        if let Some(index) = best {
            previous = index;
            if let Some(taken) = taken.get_mut(index) {
                *taken = true;
            }
        }
        aligned.push(best);
    }
    aligned
}

fn weigh(answer: &str, statement: &Statement<'_>, markers: &[Marker<'_>], lexicon: &Lexicon) -> Weighed {
    let start = statement.span.start;
    let text = answer.get(statement.span.clone()).unwrap_or_default();
    let from = markers.partition_point(|marker| marker.span.end <= start);
    let inside: Vec<Range<usize>> = markers
        .get(from..)
        .unwrap_or_default()
        .iter()
        .take_while(|marker| marker.span.start < statement.span.end)
        .map(|marker| marker.span.start.saturating_sub(start)..marker.span.end.saturating_sub(start))
        .collect();
    Weighed::new(text, lexicon, |word| {
        let after = inside.partition_point(|marker| marker.start <= word.start);
        after.checked_sub(1).and_then(|index| inside.get(index)).is_none_or(|marker| marker.end <= word.start)
    })
}
