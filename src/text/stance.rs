//! How a sentence is meant: what it denies, limits or turns round, so that two sentences with the same facts can be told apart.
//!
//! Nothing here understands a sentence. Where two texts differ in one of these words, words alone do not show that they say the same.

mod pair;
mod reading;

use std::collections::BTreeMap;

use super::analysis::Analysis;
use super::cursor::roles;
use super::lexicon::{Cue, Lexicon, Roles, role};
use super::span::Span;
use super::word::{Token, TokenKind, content_hash, folded, is_apostrophe};

pub use pair::{Denial, Holder, Pair, Shift, Stand};
pub use reading::Reading;

/// The words of some sentences that say how they are meant.
#[derive(Debug, Default)]
pub struct Stance {
    /// Kind, and the stem of the next word with content.
    cues: Vec<(Cue, u64, Span)>,
    /// Per group of opposites the sides in order, repetitions left out.
    sides: BTreeMap<u16, Vec<(u16, Span)>>,
    asks: bool,
}

/// How two texts differ; the spans are of the words that differ, in the claim and in the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// One of them denies or limits what the other says.
    Cue(Side, Span),
    /// They have words that mean the opposite.
    Opposite(Span, Span),
    /// One of them is a question.
    Question,
}

/// Which of two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The claim.
    Claim,
    /// The evidence.
    Evidence,
}

impl Stance {
    /// Reads the stretches of a text, in order.
    pub fn read(text: &str, analysis: &Analysis, stretches: &[Span]) -> Self {
        let (tokens, lexicon) = (analysis.tokens(text), analysis.lexicon());
        let mut stance = Self::default();
        for stretch in stretches {
            let from = tokens.partition_point(|token| token.span.start < stretch.start);
            let to = tokens.partition_point(|token| token.span.start < stretch.end);
            stance.read_tokens((text, analysis), tokens.get(..to).unwrap_or_default(), from, lexicon);
            stance.asks |= is_question(stretch.of(text));
        }
        stance.cues.sort_unstable();
        stance
    }

    fn read_tokens(&mut self, (text, analysis): (&str, &Analysis), tokens: &[Token], from: usize, lexicon: &Lexicon) {
        let roles = analysis.roles(text);
        let mut at = from;
        while let Some(token) = tokens.get(at) {
            if matches!(token.kind, TokenKind::Space | TokenKind::Digits) {
                at += 1;
                continue;
            }
            let begins_cue = roles.get(at).is_some_and(|roles| roles & role::CUE != 0);
            if begins_cue && let Some(next) = self.read_cue((text, analysis), tokens, at, lexicon) {
                at = next;
                continue;
            }
            if token.kind == TokenKind::Word {
                let word = token.span.of(text);
                if word.contains(is_apostrophe) && lexicon.denies_elided(&folded(word)) {
                    self.cues.push((Cue::Negation, next_content(text, tokens, at, lexicon), token.span));
                }
                // "24 months" beside "two years": a measure is compared as such.
                let sides = analysis.telling(text, at).1;
                if !sides.is_empty() && !analysis.is_in_quantity(text, token.span) {
                    self.push_sides(sides, token.span);
                }
            } else if token.kind == TokenKind::Ideograph
                && let Some(found) = lexicon.opposite_phrases.starting_at(text, tokens, at)
            {
                self.push_sides(lexicon.opposites(&folded(found.span.of(text))), found.span);
            }
            at += 1;
        }
    }

    fn push_sides(&mut self, of: &[(u16, u16)], span: Span) {
        for (group, side) in of {
            let sides = self.sides.entry(*group).or_default();
            if sides.last().is_none_or(|(last, _)| last != side) {
                sides.push((*side, span));
            }
        }
    }

    /// Reads a phrase that denies or limits; gives the token behind one that does neither, whatever its words look like.
    fn read_cue(
        &mut self,
        (text, analysis): (&str, &Analysis),
        tokens: &[Token],
        at: usize,
        lexicon: &Lexicon,
    ) -> Option<usize> {
        // "not only" denies nothing.
        if let Some(found) = lexicon.cues.no_cues.starting_at(text, tokens, at) {
            return Some(found.next);
        }
        // "no more than" bounds a number; it denies nothing.
        let bound = lexicon.cues.qualifiers.starting_at(text, tokens, at).filter(|found| found.next > at + 1);
        if let Some(found) = bound {
            return Some(found.next);
        }
        let cue = [Cue::Negation, Cue::Reservation]
            .into_iter()
            .find_map(|cue| lexicon.cue(cue).starting_at(text, tokens, at).map(|found| (cue, found)));
        if let Some((cue, found)) = cue {
            // "Half of the users" is a number.
            if cue == Cue::Reservation && analysis.is_in_quantity(text, found.span) {
                return Some(found.next);
            }
            // "Do not store above 25 °C" sets a bound, as "at most 25 °C" does.
            if cue == Cue::Negation && analysis.denies_a_bound(text, found.span) {
                return Some(found.next);
            }
            self.cues.push((cue, next_content(text, tokens, found.next, lexicon), found.span));
        }
        None
    }

    /// Where the words stand that deny or limit.
    pub fn cues(&self) -> impl Iterator<Item = Span> {
        self.cues.iter().map(|(.., span)| *span)
    }

    /// Where the words stand that deny.
    pub fn denials(&self) -> impl Iterator<Item = Span> {
        self.cues.iter().filter(|(cue, ..)| *cue == Cue::Negation).map(|(.., span)| *span)
    }

    /// How the evidence differs from this, the claim; `None` where they are meant alike.
    pub fn differs_from(&self, evidence: &Self) -> Option<Difference> {
        if self.asks != evidence.asks {
            return Some(Difference::Question);
        }
        let same = |a: &(Cue, u64, Span), b: &(Cue, u64, Span)| (a.0, a.1) == (b.0, b.1);
        let missing = |these: &[(Cue, u64, Span)], those: &[(Cue, u64, Span)]| {
            let odd = |cue: &&(Cue, u64, Span)| {
                these.iter().filter(|other| same(cue, other)).count()
                    != those.iter().filter(|other| same(cue, other)).count()
            };
            these.iter().take(MOST_CUES).find(odd).map(|(.., span)| *span)
        };
        if let Some(span) = missing(&evidence.cues, &self.cues) {
            return Some(Difference::Cue(Side::Evidence, span));
        }
        if let Some(span) = missing(&self.cues, &evidence.cues) {
            return Some(Difference::Cue(Side::Claim, span));
        }
        for (group, ours) in &self.sides {
            let Some(theirs) = evidence.sides.get(group) else { continue };
            let unlike = |((a, _), (b, _)): &(&(u16, Span), &(u16, Span))| a != b;
            if let Some((ours, theirs)) = ours.iter().zip(theirs).find(unlike) {
                return Some(Difference::Opposite(ours.1, theirs.1));
            }
            if let (true, Some(ours), Some(theirs)) = (ours.len() != theirs.len(), ours.last(), theirs.last()) {
                return Some(Difference::Opposite(ours.1, theirs.1));
            }
        }
        None
    }
}

/// The marks of a text under which nothing is stated as it is: "draft", "imagine".
pub fn retractions(text: &str, lexicon: &Lexicon) -> Vec<Span> {
    let tokens = super::word::tokens(text);
    retractions_in(text, (&tokens, &roles(text, &tokens, lexicon)), lexicon)
}

pub(super) fn retractions_in(text: &str, (tokens, roles): (&[Token], &[Roles]), lexicon: &Lexicon) -> Vec<Span> {
    let may_begin = |(_, roles): &(usize, &Roles)| **roles & role::RETRACTION != 0;
    let found = roles.iter().enumerate().filter(may_begin);
    found.filter_map(|(at, _)| Some(lexicon.cue(Cue::Retraction).starting_at(text, tokens, at)?.span)).collect()
}

/// Whether a sentence ends as a question does.
fn is_question(sentence: &str) -> bool {
    sentence.trim_end().trim_end_matches(['"', '”', '»', ')', ']']).ends_with(['?', '？', '؟'])
}

/// Cues compared at most; a text with more of them differs in one of the first or says nothing.
const MOST_CUES: usize = 64;

/// The stem of the first word with content from token `at` on, looking at most eight tokens that show ahead; 0 where there is none.
fn next_content(text: &str, tokens: &[Token], at: usize, lexicon: &Lexicon) -> u64 {
    let words = tokens.iter().skip(at).filter(|token| token.kind != TokenKind::Space).take(8);
    words
        .filter(|token| token.kind != TokenKind::Mark)
        .find_map(|token| match token.kind {
            TokenKind::Word => content_hash(token.span.of(text), lexicon),
            _ => Some(super::word::hash(&folded(token.span.of(text)))),
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lexicons;

    fn differ(language: &str, claim: &str, evidence: &str) -> bool {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        let read = |text: &str| {
            let analysis = Analysis::new(Some(language), &lexicons);
            Stance::read(text, &analysis, &[Span::new(0, text.len())])
        };
        read(claim).differs_from(&read(evidence)).is_some()
    }

    #[test]
    fn one_denies_what_the_other_says() {
        for (language, claim, evidence) in [
            ("en", "Logs are kept.", "Logs are not kept."),
            ("en", "Logs are not kept.", "Logs are kept."),
            ("en", "Logs are kept.", "Logs aren’t kept."),
            ("en", "Logs are kept.", "Logs are no longer kept."),
            ("en", "Logs are kept.", "It is false that logs are kept."),
            ("en", "Logs are kept.", "Logs might be kept."),
            ("en", "Logs are kept.", "Are logs kept?"),
            ("en", "Only Pro keeps logs.", "Pro keeps logs."),
            ("en", "All plans including Free do.", "All plans except Free do."),
            ("de", "Protokolle bleiben.", "Protokolle bleiben nicht."),
            ("fr", "Atlas garde les journaux.", "Atlas ne garde pas les journaux."),
            ("fr", "Atlas inclut les journaux.", "Atlas n’inclut plus les journaux."),
            ("en", "Atlas bewahrt Protokolle auf.", "Atlas bewahrt keine Protokolle auf."),
        ] {
            assert!(differ(language, claim, evidence), "{claim} / {evidence}");
        }
    }

    #[test]
    fn they_say_the_opposite() {
        for (claim, evidence) in [
            ("Sales rose.", "Sales fell."),
            ("Sales increased.", "Sales have decreased."),
            ("The minimum is 5.", "The maximum is 5."),
            ("It ends before May.", "It ends after May."),
            ("It opened and closed.", "It closed and opened."),
            ("You must pay.", "You may pay."),
            ("All plans do.", "Some plans do."),
        ] {
            assert!(differ("en", claim, evidence), "{claim} / {evidence}");
        }
    }

    #[test]
    fn they_are_meant_alike() {
        for (claim, evidence) in [
            ("Logs are not kept.", "Logs aren't kept."),
            ("At most 5 users.", "No more than 5 users."),
            ("The limit is 100 requests.", "Each client may send up to 100 requests."),
            ("Sales rose.", "Sales grew."),
            ("Refunds are paid without a receipt.", "Refunds are paid without receipt."),
            ("Logs and exports are kept.", "Not only logs but exports are kept."),
        ] {
            assert!(!differ("en", claim, evidence), "{claim} / {evidence}");
        }
    }
}
