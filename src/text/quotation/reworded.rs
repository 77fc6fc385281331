//! Quotations that say with other words in between, or in another order, what stands in one sentence of the passage.

use super::grade::Finder;
use super::units::Kind;
use crate::text::analysis::Analysis;
use crate::text::span::Span;
use crate::text::stance::Stance;
use crate::text::word::ContentWords;

/// Fewest words with content that a reworded quotation has.
const LEAST: usize = 3;

/// The sentence of the passage that has at least four in five of the words with content, all the numbers, and is meant alike.
pub(super) fn stretch(finder: &Finder<'_>) -> Option<Span> {
    let (text, analysis) = finder.passage;
    let sought = finder.sought;
    let written = sought.inner.of(sought.text);
    let words = ContentWords::read(written, analysis.lexicon());
    if words.len() < LEAST || !has_numbers(finder) {
        return None;
    }
    let sentences = analysis.sentences(text).iter().zip(analysis.sentence_words(text));
    let shared = sentences.map(|(sentence, own)| (sentence.span, own.shared_with(&words)));
    let (span, most) = shared.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    let alike = |span: Span| {
        let read = |text: &str, analysis: &Analysis, span: Span| Stance::read(text, analysis, &[span]);
        read(sought.text, sought.analysis, sought.inner).differs_from(&read(text, analysis, span)).is_none()
    };
    (5 * most >= 4 * words.len() && alike(span)).then_some(span)
}

fn has_numbers(finder: &Finder<'_>) -> bool {
    let search = &finder.search;
    search
        .pattern
        .units
        .iter()
        .filter(|unit| unit.kind == Kind::Number)
        .all(|unit| !search.units.places(unit.hash).is_empty())
}
