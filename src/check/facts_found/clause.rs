//! Two values in one sentence of the passage, each with words of its own: "Students pay 12, seniors pay 8."

use super::{Context, Excerpt};
use crate::check::{ClaimText, Passage};
use crate::text::quantity::Quantity;
use crate::text::word::{TokenKind, content_hash};
use crate::text::{Analysis, Span};

/// The claim is about what the clause of another value of the same kind begins with, and not about what the clause of its own value begins with.
pub(super) fn beside_another(
    claim: ClaimText<'_>,
    passage: &Passage<'_>,
    excerpt: &Excerpt,
    context: &Context,
) -> Option<String> {
    let [quantities, dates, _] = excerpt.kinds;
    let all_dates: Vec<Span> = passage.analysis.dates(passage.text).iter().map(|date| date.span).collect();
    let taken: Vec<Span> = excerpt.found.iter().filter_map(|(_, found)| *found).collect();
    for (at, (_, found)) in excerpt.found.iter().take(quantities + dates).enumerate() {
        let Some(own) = *found else { continue };
        let Some(sentence) = context.sentences.iter().copied().find(|sentence| sentence.contains(own)) else { continue };
        let others = if at < quantities { like(passage, own) } else { all_dates.clone() };
        let mut others =
            others.into_iter().filter(|other| sentence.contains(*other) && !taken.iter().any(|t| t.overlaps(*other)));
        let Some(first) = others.next() else { continue };
        let clauses = clauses(passage.text, passage.analysis, sentence);
        for other in std::iter::once(first).chain(others) {
            if let Some(word) = strayed(claim, passage, &clauses, (own, other)) {
                return Some(format!("the passage says “{}” beside “{word}”", other.of(passage.text)));
            }
        }
    }
    None
}

/// The quantities of the passage of the same kind as the one at `own`.
fn like(passage: &Passage<'_>, own: Span) -> Vec<Span> {
    let all = passage.analysis.quantities(passage.text);
    let Some(known) = all.iter().find(|quantity| quantity.span == own).map(Quantity::dimension) else { return Vec::new() };
    all.iter().filter(|quantity| quantity.dimension() == known).map(|quantity| quantity.span).collect()
}

/// The clauses of a sentence, cut at marks and at words that begin one.
fn clauses(text: &str, analysis: &Analysis, sentence: Span) -> Vec<Span> {
    let tokens = analysis.tokens(text);
    let from = tokens.partition_point(|token| token.span.start < sentence.start);
    let (mut clauses, mut start) = (Vec::new(), sentence.start);
    for (at, token) in tokens.iter().enumerate().skip(from).take_while(|(_, token)| token.span.start < sentence.end) {
        let word = token.span.of(text);
        let spaced = tokens.get(at + 1).is_none_or(|next| next.kind == TokenKind::Space);
        let cuts = match token.kind {
            TokenKind::Mark => spaced && matches!(word, "," | ";" | ":" | "–" | "—"),
            TokenKind::Word => analysis.lexicon().begins_clause(word),
            _ => false,
        };
        if cuts {
            clauses.push(Span::new(start, token.span.start));
            start = token.span.start;
        }
    }
    clauses.push(Span::new(start, sentence.end));
    clauses
}

/// What the clause of the other value begins with, where the claim has that word, and not the one that the clause of its own value begins with.
fn strayed<'c>(
    claim: ClaimText<'c>,
    passage: &Passage<'_>,
    clauses: &[Span],
    (own, other): (Span, Span),
) -> Option<&'c str> {
    let lead = |value: Span| clauses.iter().find(|clause| clause.overlaps(value)).and_then(|clause| lead(passage, *clause));
    let (ours, theirs) = (lead(own)?, lead(other)?);
    let text = claim.claim.text.as_ref();
    let words = claim.analysis.tokens(text).iter().filter(|token| token.kind == TokenKind::Word);
    let mut found = None;
    for word in words.map(|token| token.span.of(text)) {
        match content_hash(word, claim.analysis.lexicon()) {
            Some(stem) if stem == ours => return None,
            Some(stem) if stem == theirs => found = Some(word),
            _ => {}
        }
    }
    found
}

/// The word that a clause begins with, behind a word that only joins it; `None` where that one has no content, as in "and was sold".
fn lead(passage: &Passage<'_>, clause: Span) -> Option<u64> {
    let (text, lexicon) = (passage.text, passage.analysis.lexicon());
    let tokens = passage.analysis.tokens(text);
    let from = tokens.partition_point(|token| token.span.start < clause.start);
    let words = tokens.iter().skip(from).take_while(|token| token.span.start < clause.end);
    let mut words = words.filter(|token| token.kind == TokenKind::Word).map(|token| token.span.of(text));
    content_hash(words.find(|word| !lexicon.begins_clause(word))?, lexicon)
}
