//! Which sentence of a passage speaks about the same thing as a sentence of a claim.

use crate::text::analysis::Analysis;
use crate::text::span::Span;
use crate::text::word::{Token, TokenKind, digit_value};

/// Which sentence of a passage speaks about the same thing as a sentence of the claim: the one that shares the most content words.
pub(crate) struct Alignment {
    /// Per sentence of the claim: its span and the sentences of the passage that share the most with it.
    best: Vec<(Span, Vec<Span>)>,
}

impl Alignment {
    pub(crate) fn new((claim, of_claim): (&str, &Analysis), (passage, of_passage): (&str, &Analysis)) -> Self {
        const MOST_PAIRS: usize = 200_000;
        let sentences = of_passage.sentences(passage);
        if sentences.len().saturating_mul(of_claim.sentences(claim).len()) > MOST_PAIRS {
            return Self { best: Vec::new() };
        }
        let words = of_passage.sentence_words(passage);
        let best = of_claim.sentences(claim).iter().zip(of_claim.sentence_words(claim)).map(|(sentence, wanted)| {
            let shared: Vec<usize> = words.iter().map(|have| wanted.shared_with(have)).collect();
            let most = shared.iter().copied().max().unwrap_or(0);
            let aligned = most > 0 && most * 5 >= wanted.len();
            let spans =
                shared.iter().zip(sentences).filter(|(n, _)| aligned && **n == most).map(|(_, s)| s.span).collect();
            (sentence.span, spans)
        });
        Self { best: best.collect() }
    }

    /// The one sentence of the passage aligned with the claim's sentence at `span`; `None` where none or several are.
    pub(crate) fn sentence_for(&self, span: Span) -> Option<Span> {
        match self.candidates(span) {
            [one] => Some(*one),
            _ => None,
        }
    }

    pub(crate) fn candidates(&self, span: Span) -> &[Span] {
        self.best.iter().find(|(sentence, _)| sentence.overlaps(span)).map_or(&[], |(_, best)| best.as_slice())
    }

    /// Where the passage has the same written digits, whatever they were read as.
    /// Those in `passed_over` do not count.
    pub(crate) fn written_elsewhere(
        &self,
        written: &str,
        (passage, analysis): (&str, &Analysis),
        passed_over: &[Span],
    ) -> Option<Span> {
        let wanted: Vec<u8> = written.chars().filter_map(digit_value).collect();
        if wanted.is_empty() {
            return None;
        }
        let tokens = analysis.tokens(passage);
        let same = |token: &&Token| {
            let digits = token.span.of(passage).chars().filter_map(digit_value);
            token.kind == TokenKind::Digits && digits.eq(wanted.iter().copied())
        };
        let counts = |token: &&Token| !lies_in(passed_over, token.span);
        tokens.iter().filter(same).find(counts).map(|token| token.span)
    }
}

/// Whether one of `spans`, sorted and apart, has `span` in it.
pub(super) fn lies_in(spans: &[Span], span: Span) -> bool {
    let after = spans.partition_point(|of| of.start <= span.start);
    after.checked_sub(1).and_then(|at| spans.get(at)).is_some_and(|of| of.contains(span))
}
