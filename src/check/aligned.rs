//! What `negation` and `modality` have in common: the sentences of a claim, each beside the sentences of its passages that say
//! nearly the same.

use super::{ClaimText, Passage};
use crate::text::Span;
use crate::text::stance::{Pair, Stand};

/// Sentences of a claim that are looked at; a claim is one statement.
const MOST_SENTENCES: usize = 8;
/// Sentences of the evidence that one of them is held against, those with most of its words first.
const MOST_CANDIDATES: usize = 8;
/// Characters of a sentence that a message shows.
const SHOWN: usize = 160;

/// A sentence of the evidence that differs from the claim.
pub(super) struct Difference<T> {
    /// How they differ.
    pub(super) found: T,
    /// The passage, and the sentence in it.
    pub(super) passage: usize,
    pub(super) sentence: Span,
    /// The two differ in nothing else.
    pub(super) is_exact: bool,
    /// Words of the claim that the sentence has, and words of the claim.
    pub(super) shared: (usize, usize),
}

/// What came of holding a claim against its passages.
pub(super) enum Held<T> {
    /// No sentence says the same, no sentence has a word that is looked for, or it is unclear.
    Nothing,
    /// A sentence that says the same is meant alike.
    Alike,
    /// The sentences that say the same are meant otherwise.
    Differs(Difference<T>),
}

/// Holds each sentence of the claim against those of the passages; gives the first difference, else whether any were alike.
/// One sentence that is meant as the claim is outweighs those that are not.
pub(super) fn held<T>(
    claim: ClaimText<'_>,
    passages: &[Passage<'_>],
    compare: impl Fn(&Pair<'_>, (Span, &Passage<'_>, Span)) -> Stand<T>,
) -> Held<T> {
    let text = claim.claim.text.as_ref();
    let mut alike = false;
    for (at, sentence) in claim.analysis.sentences(text).iter().enumerate().take(MOST_SENTENCES) {
        match of_sentence(claim, at, sentence.span, passages, &compare) {
            Held::Nothing => {}
            Held::Alike => alike = true,
            differs @ Held::Differs(_) => return differs,
        }
    }
    if alike { Held::Alike } else { Held::Nothing }
}

fn of_sentence<T>(
    claim: ClaimText<'_>,
    at: usize,
    sentence: Span,
    passages: &[Passage<'_>],
    compare: &impl Fn(&Pair<'_>, (Span, &Passage<'_>, Span)) -> Stand<T>,
) -> Held<T> {
    let candidates = candidates(claim, at, passages);
    if candidates.is_empty() {
        return Held::Nothing;
    }
    let Some(ours) = claim.analysis.reading(&claim.claim.text, at) else { return Held::Nothing };
    // Of those that differ in nothing else, and of the others: the first that differs, whether one is alike or unclear.
    let mut exact: (Option<Difference<T>>, bool, bool) = (None, false, false);
    let mut near: (Option<Difference<T>>, bool, bool) = (None, false, false);
    for (passage, index, span) in candidates {
        let Some(exposed) = passages.get(passage) else { continue };
        let Some(theirs) = exposed.analysis.reading(exposed.text, index) else { continue };
        let Some(pair) = Pair::new(ours, theirs) else { continue };
        let (differs, alike, unclear) = if pair.is_exact { &mut exact } else { &mut near };
        match compare(&pair, (sentence, exposed, span)) {
            Stand::Silent => *unclear = true,
            Stand::Alike => *alike = true,
            Stand::Unclear => *unclear = true,
            Stand::Differs(found) => {
                let (is_exact, shared) = (pair.is_exact, pair.shared);
                differs.get_or_insert(Difference { found, passage, sentence: span, is_exact, shared });
            }
        }
    }
    for (differs, alike, unclear) in [exact, near] {
        match differs {
            _ if alike => return Held::Alike,
            _ if unclear => return Held::Nothing,
            Some(differs) => return Held::Differs(differs),
            None => {}
        }
    }
    Held::Nothing
}

/// The sentences of the passages that have at least half of the content words of a sentence of the claim, those with most first: passage,
/// index and place of the sentence.
fn candidates(claim: ClaimText<'_>, at: usize, passages: &[Passage<'_>]) -> Vec<(usize, usize, Span)> {
    let text = claim.claim.text.as_ref();
    let Some(words) = claim.analysis.sentence_words(text).get(at).filter(|words| !words.is_empty()) else {
        return Vec::new();
    };
    let mut candidates: Vec<(usize, (usize, usize, Span))> = Vec::new();
    for (passage, exposed) in passages.iter().enumerate() {
        let sentences = exposed.analysis.sentences(exposed.text);
        for (index, (sentence, theirs)) in
            sentences.iter().zip(exposed.analysis.sentence_words(exposed.text)).enumerate()
        {
            let shared = words.shared_with(theirs);
            if shared * 2 >= words.len() {
                candidates.push((shared, (passage, index, sentence.span)));
            }
        }
    }
    candidates.sort_by_key(|(shared, ..)| std::cmp::Reverse(*shared));
    candidates.truncate(MOST_CANDIDATES);
    candidates.into_iter().map(|(_, candidate)| candidate).collect()
}

/// A sentence as a message shows it.
pub(super) fn shown(sentence: &str) -> String {
    match sentence.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", sentence.get(..end).unwrap_or(sentence).trim_end()),
        None => sentence.to_owned(),
    }
}
