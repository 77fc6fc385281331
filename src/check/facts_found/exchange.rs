//! One word put in the place of another: the claim and its excerpt run alike but for that word.

use std::borrow::Cow;

use foldhash::HashMap;

use super::{Context, Excerpt};
use crate::check::{ClaimText, Passage};
use crate::text::word::{TokenKind, content_hash, folded};
use crate::text::{Analysis, Span};

/// Words that are looked at, of the claim and of the excerpt; what is longer is no statement.
const MOST_WORDS: usize = 400;

/// A word or a number.
struct Word<'t> {
    written: &'t str,
    folded: Cow<'t, str>,
    /// Of a word with content.
    stem: Option<u64>,
    /// It is part of a fact that was found, or a number.
    is_fact: bool,
    sentence: usize,
}

impl<'t> Word<'t> {
    fn all(text: &'t str, analysis: &Analysis, sentences: &[Span], facts: &[Span]) -> Vec<Self> {
        let read = |(span, kind): (Span, TokenKind)| {
            let sentence = sentences.iter().position(|sentence| sentence.contains(span))?;
            let written = span.of(text);
            let is_fact = kind == TokenKind::Digits || facts.iter().any(|fact| fact.overlaps(span));
            let stem = if kind == TokenKind::Word { content_hash(written, analysis.lexicon()) } else { None };
            Some(Self { written, folded: folded(written), stem, is_fact, sentence })
        };
        let shown = analysis.tokens(text).iter().filter(|t| matches!(t.kind, TokenKind::Word | TokenKind::Digits));
        shown.filter_map(|token| read((token.span, token.kind))).take(MOST_WORDS).collect()
    }

    /// Whether the two are one word, inflected or not.
    fn is(&self, other: &Self) -> bool {
        self.folded == other.folded || self.stem.is_some() && self.stem == other.stem
    }

    /// What two forms of a word have in common.
    fn key(&self) -> Cow<'_, str> {
        self.stem.map_or(Cow::Borrowed(self.folded.as_ref()), |stem| Cow::Owned(stem.to_string()))
    }
}

/// "On wet roads" beside "on dry roads", "the left valve" beside "the right valve": between the same two words the claim has a word
/// with content that the excerpt does not have, and the excerpt one that the claim does not have. They may be synonyms or opposites: words alone do
/// not tell.
pub(super) fn other_word(claim: ClaimText<'_>, passage: &Passage<'_>, excerpt: &Excerpt, context: &Context) -> Option<String> {
    let (claimed, said) = both(claim, passage, excerpt, context);
    let own = claim.analysis.content_words(&claim.claim.text);
    let mut between: HashMap<(Cow<'_, str>, Cow<'_, str>), &str> = HashMap::default();
    for (at, word) in said.iter().enumerate() {
        if word.stem.is_some_and(|stem| !own.contains(stem)) && !word.is_fact {
            between.entry(neighbours(&said, at)).or_insert(word.written);
        }
    }
    claimed.iter().enumerate().find_map(|(at, word)| {
        let missing = word.stem.is_some_and(|stem| !context.words.contains(stem)) && !word.is_fact;
        let around = if missing { neighbours(&claimed, at) } else { return None };
        let (before, after) = &around;
        let other = between.get(&around).filter(|_| !(before.is_empty() && after.is_empty()))?;
        Some(format!("the claim says “{}” where the passage says “{other}”", word.written))
    })
}

/// "The seller pays the buyer" on "the buyer pays the seller": two words with content, and the same words between them, the other way
/// round. One of the words between has content itself, so that "cats and dogs" are "dogs and cats".
pub(super) fn turned_round(claim: ClaimText<'_>, passage: &Passage<'_>, excerpt: &Excerpt, context: &Context) -> Option<String> {
    const MOST_APART: usize = 6;
    let (claimed, said) = both(claim, passage, excerpt, context);
    let mut places: HashMap<u64, Vec<usize>> = HashMap::default();
    for (at, word) in said.iter().enumerate() {
        if let Some(stem) = word.stem {
            places.entry(stem).or_default().push(at);
        }
    }
    let joins = |a: usize, b: usize| claimed.get(a + 1..b).is_some_and(|words| words.iter().any(|word| word.stem.is_some()));
    let turned = |a: usize, b: usize, c: usize| {
        (0..=b - a).all(|step| {
            let ours = match step {
                0 => b,
                _ if step == b - a => a,
                _ => a + step,
            };
            claimed.get(ours).zip(said.get(c + step)).is_some_and(|(ours, theirs)| ours.is(theirs))
        })
    };
    for (a, first) in claimed.iter().enumerate().filter(|(_, word)| word.stem.is_some() && !word.is_fact) {
        for b in a + 2..=a + MOST_APART {
            let Some(second) = claimed.get(b).filter(|word| word.sentence == first.sentence && !word.is_fact) else { break };
            let Some(stem) = second.stem.filter(|stem| Some(*stem) != first.stem && joins(a, b)) else { continue };
            let same_way = |c: &usize| said.get(*c).zip(said.get(c + b - a)).is_some_and(|(one, other)| one.sentence == other.sentence);
            if places.get(&stem).is_some_and(|places| places.iter().filter(|c| same_way(c)).any(|c| turned(a, b, *c))) {
                return Some(format!(
                    "the passage has “{}” and “{}” the other way round",
                    first.written, second.written
                ));
            }
        }
    }
    None
}

/// The words of the claim and of the excerpt.
fn both<'t>(
    claim: ClaimText<'t>,
    passage: &Passage<'t>,
    excerpt: &Excerpt,
    context: &Context,
) -> (Vec<Word<'t>>, Vec<Word<'t>>) {
    let text = claim.claim.text.as_ref();
    let ours: Vec<Span> = claim.analysis.sentences(text).iter().map(|sentence| sentence.span).collect();
    let claimed: Vec<Span> = excerpt.found.iter().map(|(span, _)| *span).collect();
    let found: Vec<Span> = excerpt.found.iter().filter_map(|(_, span)| *span).collect();
    (
        Word::all(text, claim.analysis, &ours, &claimed),
        Word::all(passage.text, passage.analysis, &context.sentences, &found),
    )
}

/// The words before and after one, in its sentence; an empty text stands for the sentence's beginning and its end.
fn neighbours<'w>(words: &'w [Word<'_>], at: usize) -> (Cow<'w, str>, Cow<'w, str>) {
    let sentence = words.get(at).map(|word| word.sentence);
    let key = |at: Option<usize>| {
        let word = at.and_then(|at| words.get(at)).filter(|word| Some(word.sentence) == sentence);
        word.map_or(Cow::Borrowed(""), Word::key)
    };
    (key(at.checked_sub(1)), key(Some(at + 1)))
}
