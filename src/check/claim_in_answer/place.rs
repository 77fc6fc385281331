//! Where in the answer a claim is said, and how its facts fare there.

use super::{Fact, holds};
use crate::citation::Packet;
use crate::check::ClaimText;
use crate::text::lexicon::Cue;
use crate::text::outcome::Outcome;
use crate::text::quantity::{self, compare::Comparison};
use crate::text::stance::Stance;
use crate::text::word::{ContentWords, TokenKind, folded};
use crate::text::{Analysis, Span, date, identifier};

/// The sentence of the answer that says a claim, the stretch around it, and the answer as a whole.
pub(super) struct Whereabouts<'p> {
    answer: &'p str,
    whole: &'p Analysis,
    /// The sentence, and the stretch from the sentence before it to the one behind it.
    near: Option<[Stretch; 2]>,
}

struct Stretch {
    span: Span,
    analysis: Analysis,
}

impl<'p> Whereabouts<'p> {
    /// Finds the sentence of the answer that shares the most words with the claim. Numbers do not count: it is they that may have been
    /// changed, or stand in another sentence. Of several, the one that was aligned with the claim is taken; else there is none.
    pub(super) fn find(packet: &'p Packet<'_>, answer: &'p str, text: &ClaimText<'_>) -> Self {
        let whole = packet.analysis.as_ref();
        let claim = text.claim.text.as_ref();
        let words: Vec<_> =
            text.analysis.tokens(claim).iter().filter(|token| token.kind != TokenKind::Digits).copied().collect();
        let words = ContentWords::from_tokens(claim, &words, text.analysis.lexicon(), |_| true);
        let shared: Vec<usize> = whole.sentence_words(answer).iter().map(|have| words.shared_with(have)).collect();
        let most = shared.iter().copied().max().unwrap_or(0);
        let sentences = whole.sentences(answer);
        let aligned = text.claim.span.clone().map(Span::from);
        let best = |at: &usize| most * 3 >= words.len() && most > 0 && shared.get(*at) == Some(&most);
        let mut all = (0..sentences.len()).filter(best);
        let is_aligned = |at: &usize| {
            aligned.is_some_and(|span| sentences.get(*at).is_some_and(|sentence| sentence.span.overlaps(span)))
        };
        let own = match (all.next(), all.next()) {
            (Some(only), None) => Some(only),
            _ => (0..sentences.len()).filter(best).find(is_aligned),
        };
        let stretch = |span: Span| {
            let masked = packet.markers.iter().map(|marker| Span::from(marker.span.clone()));
            let inside = masked.filter(|mask| mask.start >= span.start && mask.end <= span.end);
            let moved = inside.map(|mask| Span::new(mask.start - span.start, mask.end - span.start)).collect();
            Stretch { span, analysis: Analysis::with_masked(Some(text.language), text.lexicons, moved) }
        };
        let near = own.and_then(|own| {
            let sentence = sentences.get(own)?.span;
            let before = own.checked_sub(1).and_then(|at| sentences.get(at)).map_or(sentence, |before| before.span);
            let after = sentences.get(own + 1).map_or(sentence, |after| after.span);
            Some([stretch(sentence), stretch(before.join(sentence).join(after))])
        });
        Self { answer, whole, near }
    }

    /// The answer.
    pub(super) const fn answer(&self) -> &'p str {
        self.answer
    }

    /// The sentence that says the claim, where one does.
    pub(super) fn sentence(&self) -> Option<Span> {
        self.near.as_ref().map(|[sentence, _]| sentence.span)
    }

    /// Whether the stretch around the sentence holds the text.
    pub(super) fn holds(&self, text: &str) -> bool {
        self.near.as_ref().is_some_and(|[_, around]| holds(around.span.of(self.answer), text))
    }

    /// Whether a third of the claim's words, numbers apart, stand in the stretch around its sentence. Without spaces no words are told apart.
    pub(super) fn speaks_of(&self, text: &ClaimText<'_>) -> bool {
        let words = plain_words(&text.claim.text, text.analysis);
        if text.analysis.lexicon().unspaced || words.len() < 2 {
            return true;
        }
        self.near.as_ref().is_some_and(|[_, around]| {
            words.shared_with(&plain_words(around.span.of(self.answer), &around.analysis)) * 3 >= words.len()
        })
    }

    /// The sentence, where it and the claim have the same words.
    pub(super) fn same_words(&self, text: &ClaimText<'_>) -> Option<(Span, &Analysis)> {
        let [sentence, _] = self.near.as_ref()?;
        let ours = plain_words(&text.claim.text, text.analysis);
        let theirs = plain_words(sentence.span.of(self.answer), &sentence.analysis);
        let shared = ours.shared_with(&theirs);
        // One more clause may well hold a negation of its own.
        (shared > 1 && shared == ours.len().max(theirs.len())).then_some((sentence.span, &sentence.analysis))
    }

    /// The clause of the sentence that has the words of the claim and denies them, with the word that does; the claim, of this stance,
    /// denies nothing.
    pub(super) fn denied(&self, text: &ClaimText<'_>, ours: &Stance) -> Option<(Span, Span)> {
        let [sentence, _] = self.near.as_ref()?;
        let (says, analysis) = (sentence.span.of(self.answer), &sentence.analysis);
        if ours.cues().next().is_some() || says.trim_end().ends_with(['?', '？']) {
            return None;
        }
        let words = plain_words(&text.claim.text, text.analysis);
        let tokens = analysis.tokens(says);
        let inside = |span: Span| {
            let from = tokens.partition_point(|token| token.span.start < span.start);
            let to = tokens.partition_point(|token| token.span.end <= span.end);
            tokens.get(from..to).unwrap_or_default()
        };
        analysis.clauses(says, Span::new(0, says.len())).into_iter().find_map(|clause| {
            let theirs = ContentWords::from_tokens(says, inside(clause), analysis.lexicon(), |_| true);
            let shared = words.shared_with(&theirs);
            if shared < 2 || shared < words.len() {
                return None;
            }
            let stance = Stance::read(says, analysis, &[clause]);
            // What stands in brackets denies what stands in them: "400 mg (not 500 mg)".
            let is_aside = |denial: &Span| {
                let before = says.get(clause.start..denial.start).unwrap_or_default();
                before.rfind('(') > before.rfind(')')
            };
            let mut denials = stance.denials().filter(|denial| !is_aside(denial));
            let denial = denials.next()?;
            // Two of them may take each other back, unless they go together ("ne … jamais").
            let cues = &analysis.lexicon().cues;
            let goes_with = |other: Span| {
                cues.negative_concord || cues.cue_pairs.iter().any(|(_, second)| second.as_ref() == folded(other.of(says)).as_ref())
            };
            if denials.next().is_some_and(|other| !goes_with(other)) || denials.next().is_some() {
                return None;
            }
            let moved = |span: Span| Span::new(span.start + sentence.span.start, span.end + sentence.span.start);
            Some((moved(clause), moved(denial)))
        })
    }

    /// Whether the sentence next to the claim's own, the one that holds `next`, has words of the claim that its own lacks.
    fn goes_on(&self, text: &ClaimText<'_>, next: Span) -> bool {
        let Some([own, _]) = &self.near else { return false };
        let Some(at) = self.whole.sentence_at(self.answer, next.start) else { return false };
        let Some(theirs) = self.whole.sentence_words(self.answer).get(at) else { return false };
        let words = text.analysis.content_words(&text.claim.text);
        let here = own.analysis.content_words(own.span.of(self.answer));
        // The fact itself is one of their words.
        let fact = ContentWords::read(next.of(self.answer), text.analysis.lexicon());
        words.shared_with(&here.union(theirs)) > words.shared_with(&here.union(&fact))
    }

    /// The quantities, dates and identifiers of the claim. What its sentence says outweighs the rest of the answer; what its sentence
    /// leaves out may stand next to it.
    pub(super) fn facts(&self, text: &ClaimText<'_>) -> Vec<Fact> {
        let own = (text.claim.text.as_ref(), text.analysis);
        let spans = spans(own);
        if spans.is_empty() {
            return Vec::new();
        }
        let everywhere = || outcomes(own, (self.answer, self.whole), 0);
        let fact = |(span, weight), outcome, elsewhere| Fact { span, weight, outcome, elsewhere };
        let Some([sentence, around]) = &self.near else {
            return spans.into_iter().zip(everywhere()).map(|(span, outcome)| fact(span, outcome, None)).collect();
        };
        let in_stretch =
            |stretch: &Stretch| outcomes(own, (stretch.span.of(self.answer), &stretch.analysis), stretch.span.start);
        let here = in_stretch(sentence);
        // What the sentence says needs no looking for elsewhere.
        if here.iter().all(|outcome| matches!(outcome, Outcome::Matched(_))) {
            return spans.into_iter().zip(here).map(|(span, here)| fact(span, here, None)).collect();
        }
        let all = spans.into_iter().zip(here.into_iter().zip(in_stretch(around)).zip(everywhere()));
        let weigh = |(span, ((here, near), everywhere))| match (here, near, everywhere) {
            (Outcome::Matched(_), ..) => fact(span, here, None),
            // "It costs 29 EUR per month. With annual billing, 24 EUR.": the second sentence goes on about the first.
            (Outcome::Conflicting(_), Outcome::Matched(next), _) if self.goes_on(text, next) => fact(span, near, None),
            (Outcome::Conflicting(_), Outcome::Matched(next), _) => fact(span, here, Some(next)),
            (Outcome::Conflicting(_), ..) => fact(span, here, None),
            (_, Outcome::Matched(_), _) => fact(span, near, None),
            (_, _, Outcome::Matched(there)) => fact(span, Outcome::Absent, Some(there)),
            (Outcome::Absent, Outcome::Absent, everywhere) => fact(span, everywhere, None),
            (Outcome::Absent, near, _) => fact(span, near, None),
            (here, ..) => fact(span, here, None),
        };
        let mut facts: Vec<Fact> = all.map(weigh).collect();
        withdraw(&mut facts);
        facts
    }
}

/// Where the answer says another fact of the claim, it says nothing against this one.
fn withdraw(facts: &mut [Fact]) {
    let mut matched: Vec<Span> = facts
        .iter()
        .filter_map(|fact| match fact.outcome {
            Outcome::Matched(span) => Some(span),
            _ => None,
        })
        .collect();
    matched.sort_unstable();
    for fact in facts {
        if let Outcome::Conflicting(span) = fact.outcome {
            let after = matched.partition_point(|other| other.start < span.end);
            if after.checked_sub(1).and_then(|at| matched.get(at)).is_some_and(|other| other.overlaps(span)) {
                fact.outcome = Outcome::Absent;
            }
        }
    }
}

/// The content words of a text, but for those that deny or limit.
fn plain_words(text: &str, analysis: &Analysis) -> ContentWords {
    let (tokens, lexicon) = (analysis.tokens(text), analysis.lexicon());
    let cue = |at: usize| {
        [Cue::Negation, Cue::Reservation].into_iter().find_map(|cue| lexicon.cue(cue).starting_at(text, tokens, at))
    };
    let cues: Vec<Span> = (0..tokens.len()).filter_map(|at| cue(at).map(|found| found.span)).collect();
    ContentWords::from_tokens(text, tokens, lexicon, |word| {
        let after = cues.partition_point(|cue| cue.start < word.end);
        !after.checked_sub(1).and_then(|at| cues.get(at)).is_some_and(|cue| cue.overlaps(word))
    })
}

/// Where the facts of the claim stand, and how far each decides.
fn spans((claim, analysis): (&str, &Analysis)) -> Vec<(Span, crate::text::outcome::Weight)> {
    let quantities = analysis.quantities(claim).iter().map(|quantity| (quantity.span, quantity.weight()));
    let dates = analysis.dates(claim).iter().map(|date| (date.span, date.weight()));
    let identifiers = analysis.identifiers(claim).iter().map(|identifier| (identifier.span, identifier.weight()));
    quantities.chain(dates).chain(identifiers).collect()
}

/// How each of them fares in a text that begins at `offset` of the answer.
fn outcomes(claim: (&str, &Analysis), text: (&str, &Analysis), offset: usize) -> Vec<Outcome> {
    let moved = |span: Span| Span::new(span.start + offset, span.end + offset);
    let quantities = quantity::compare::compare(claim, text, &Comparison::default());
    let all = quantities.into_iter().chain(date::compare_retold(claim, text)).chain(identifier::compare::compare(claim, text));
    let place = |outcome| match outcome {
        Outcome::Matched(span) => Outcome::Matched(moved(span)),
        Outcome::Conflicting(span) => Outcome::Conflicting(moved(span)),
        Outcome::Ambiguous(span) => Outcome::Ambiguous(moved(span)),
        Outcome::Absent => Outcome::Absent,
    };
    all.map(place).collect()
}
