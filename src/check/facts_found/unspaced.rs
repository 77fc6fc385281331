//! Claims in languages without spaces between words: whether a sentence of the passage says the same from its beginning to its end.
//!
//! Where nothing parts one word from the next, a word that is missing, added or inflected otherwise cannot be told from a harmless one: a
//! modifier before the subject, a suffix that denies, a particle that turns the roles round. So nothing may differ but how the
//! facts are written, and what the lexicon holds to be the same.

use foldhash::HashSet;

use super::{Context, Excerpt};
use crate::check::{ClaimText, Passage, aligned};
use crate::text::word::{TokenKind, folded};
use crate::text::{Analysis, Span};

/// The first sentence of the claim that no sentence with its facts says in the same words, as the end of a sentence. `None` for claims in scripts with spaces.
pub(super) fn other_wording(
    claim: ClaimText<'_>,
    passage: &Passage<'_>,
    excerpt: &Excerpt,
    context: &Context,
) -> Option<String> {
    let (text, analysis) = (claim.claim.text.as_ref(), claim.analysis);
    let count = |kind| analysis.tokens(text).iter().filter(|token| token.kind == kind).count();
    let characters = count(TokenKind::Ideograph);
    // A claim may be written otherwise than it is declared.
    if !analysis.lexicon().unspaced && characters <= count(TokenKind::Word) {
        return None;
    }
    if characters == 0 {
        return Some(format!("the claim is not written as the language `{}` is", claim.language));
    }
    // Of a passage that exposes a part of its unit, the whole sentences count.
    let (said, said_analysis, offset) = (passage.content, passage.whole, passage.offset);
    let bare = excerpt.kinds.iter().sum();
    let known = || (1_u64..).zip(excerpt.found.iter().take(bare));
    let ours = Facts::new(known().map(|(id, (span, _))| (*span, id)));
    let theirs = known().filter_map(|(id, (_, span))| {
        span.map(|span| (Span::new(span.start + offset, span.end + offset), id))
    });
    let theirs = Facts::new(theirs);
    let mut statements: HashSet<String> = HashSet::default();
    for sentence in &context.sentences {
        let sentence = Span::new(sentence.start + offset, sentence.end + offset);
        let whole = if said.len() == passage.text.len() {
            sentence
        } else {
            said_analysis.covering_sentences(said, sentence)
        };
        statements.insert(statement(said, said_analysis, whole, &theirs));
        statements.insert(statement(said, said_analysis, whole, &Facts::default()));
    }
    let is_said = |sentence: Span| {
        statements.contains(&statement(text, analysis, sentence, &ours))
            || statements.contains(&statement(text, analysis, sentence, &Facts::default()))
    };
    let other = analysis.sentences(text).iter().map(|sentence| sentence.span).find(|sentence| !is_said(*sentence))?;
    Some(format!("no sentence of the passage says “{}” in these words", aligned::shown(other.of(text).trim())))
}

/// Facts of a text by their place: what both texts write in their own way counts as the same.
#[derive(Default)]
struct Facts(Vec<(Span, u64)>);

impl Facts {
    /// Those that overlap one before them are left out.
    fn new(facts: impl Iterator<Item = (Span, u64)>) -> Self {
        let mut facts: Vec<(Span, u64)> = facts.collect();
        facts.sort_unstable();
        let mut end = 0;
        facts.retain(|(span, _)| {
            let apart = span.start >= end;
            end = end.max(span.end);
            apart
        });
        Self(facts)
    }

    /// The fact at `at`.
    fn at(&self, at: usize) -> Option<(Span, u64)> {
        let index = self.0.partition_point(|(span, _)| span.end <= at);
        self.0.get(index).copied().filter(|(span, _)| span.start <= at)
    }
}

/// What a sentence states, as one text: its characters in order, without the signs that only set off, a transition before it and the manners
/// of its ending; facts by what they mean. Everything else counts: 中国的银行 are many banks, 中国银行 is one, 以下3项 are the following three
/// and 30人最多 is a superlative, no bound.
fn statement(text: &str, analysis: &Analysis, sentence: Span, facts: &Facts) -> String {
    let (tokens, lexicon) = (analysis.tokens(text), analysis.lexicon());
    let written = sentence.of(text).trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ',') || is_silent(c));
    let end = sentence.start + written.len();
    let ending = lexicon.ending(written).and_then(|(ending, to)| Some((end.checked_sub(ending.len())?, to)));
    let (cut, to) = ending.unwrap_or((end, ""));
    let from = tokens.partition_point(|token| token.span.start < sentence.start);
    let until = tokens.partition_point(|token| token.span.start < cut);
    let tokens = tokens.get(..until).unwrap_or_default();
    let mut at = after_transition(text, analysis, (from, until));
    let mut statement = String::with_capacity(written.len() * 2);
    while let Some(token) = tokens.get(at) {
        let word = token.span.of(text);
        if let Some((fact, id)) = facts.at(token.span.start) {
            statement.push_str(&format!("\0{id}\0"));
            at += tokens.get(at..).unwrap_or_default().partition_point(|token| token.span.start < fact.end).max(1);
            continue;
        }
        at += 1;
        let silent = token.kind == TokenKind::Space || (token.kind == TokenKind::Mark && word.chars().all(is_silent));
        if !silent {
            statement.push_str(&folded(word));
            // Where tokens end counts: 1.2 and 12 are two numbers.
            statement.push('\u{1}');
        }
    }
    for c in to.chars() {
        statement.push(c);
        statement.push('\u{1}');
    }
    statement
}

/// Past a transition and its comma, or where it begins.
fn after_transition(text: &str, analysis: &Analysis, (from, until): (usize, usize)) -> usize {
    let tokens = analysis.tokens(text);
    let comma = |at: usize| tokens.get(at).is_some_and(|token| matches!(token.span.of(text), "、" | "，" | ","));
    let found = analysis.lexicon().cues.transitions.starting_at(text, tokens, from);
    found.map(|found| found.next).filter(|next| *next < until && comma(*next)).map_or(from, |comma| comma + 1)
}

/// Signs that set off and say nothing. A comma may part a denial from what follows.
fn is_silent(c: char) -> bool {
    matches!(c, '。' | '．' | '｡' | '！' | '!' | '「' | '」' | '『' | '』' | '“' | '”' | '"' | '*')
}
