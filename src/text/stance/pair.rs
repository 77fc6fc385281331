//! Two sentences that say the same in nearly the same words, and what words of denial and of modality each has beside them.

use super::reading::{Kind, Reading, Said};
use crate::text::lexicon::Scale;
use crate::text::span::Span;

/// A sentence of a claim beside a sentence of its evidence that has most of its words.
#[derive(Debug)]
pub struct Pair<'r> {
    claim: Side<'r>,
    evidence: Side<'r>,
    /// Words of the claim that the evidence has, and words of the claim.
    pub shared: (usize, usize),
    /// The two differ in nothing but words of denial and modality, and in what the evidence says beyond the claim.
    pub is_exact: bool,
}

/// One of the two, with what is known of its words from the other.
#[derive(Debug)]
struct Side<'r> {
    reading: &'r Reading,
    /// Per word the stem under which the other has it, if it has.
    stems: Vec<Word>,
    /// The clauses in which the shared words stand, first and last.
    clauses: (u32, u32),
}

/// A word as the other sentence knows it.
#[derive(Debug, Clone, Copy)]
struct Word {
    stem: u64,
    shared: bool,
    /// It is shared only without its negative prefix.
    denies: bool,
}

/// Which of two texts has something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// The claim.
    Claim,
    /// The evidence.
    Evidence,
}

/// How two sentences stand to each other in one respect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand<T> {
    /// Neither has such a word.
    Silent,
    /// Both are meant alike.
    Alike,
    /// Whether they differ cannot be told from words.
    Unclear,
    /// They differ.
    Differs(T),
}

/// One denies what the other says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Denial {
    /// Which of them denies.
    pub by: Holder,
    /// The word of denial.
    pub cue: Span,
    /// The word in the other that is denied there.
    pub denied: Span,
}

/// One goes further than the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shift {
    /// The claim says more than the evidence; else it says less.
    pub stronger: bool,
    /// The scale.
    pub scale: Scale,
    /// The word in the claim, where it has one.
    pub claim: Option<Span>,
    /// The word in the evidence, where it has one.
    pub evidence: Option<Span>,
}

/// Fewest words that two sentences have to share.
const FEWEST: usize = 2;
/// Fewest words of a claim that may differ in more than such a word.
const FEWEST_NEAR: usize = 4;

impl<'r> Pair<'r> {
    /// Holds the two against each other; `None` where the evidence does not say most of the claim in one place.
    pub fn new(claim: &'r Reading, evidence: &'r Reading) -> Option<Self> {
        let (mut ours, mut theirs) = (known(claim, evidence), known(evidence, claim));
        let mut wanted: Vec<u64> = ours.iter().map(|word| word.stem).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut found: Vec<u64> = theirs.iter().filter(|word| word.shared).map(|word| word.stem).collect();
        found.sort_unstable();
        found.dedup();
        found.retain(|stem| wanted.binary_search(stem).is_ok());
        let (first, last) = window(&theirs, &found)?;
        let extra: Vec<usize> = (first..=last).filter(|at| theirs.get(*at).is_some_and(|word| !word.shared)).collect();
        let missing = wanted.len().saturating_sub(found.len());
        let telling = |reading: &Reading, at: usize| reading.words.get(at).is_some_and(|word| word.telling);
        let tells = extra.iter().any(|at| telling(evidence, *at))
            || ours.iter().enumerate().any(|(at, word)| !word.shared && telling(claim, at));
        if found.len() < FEWEST || tells || claim.asks || evidence.asks {
            return None;
        }
        let is_exact = missing == 0 && extra.len() <= (wanted.len() / 4).max(1);
        let is_near = wanted.len() >= FEWEST_NEAR && missing * 3 <= wanted.len() && extra.len() <= 2 * wanted.len();
        if !is_exact && !is_near {
            return None;
        }
        // What stands outside of the window says nothing of the claim.
        let clause = |at: usize| evidence.words.get(at).map_or(0, |word| word.clause);
        let clauses = (clause(first), clause(last));
        for (at, word) in theirs.iter_mut().enumerate() {
            word.shared &= (first..=last).contains(&at) || (clauses.0..=clauses.1).contains(&clause(at));
        }
        for word in &mut ours {
            word.shared &= found.binary_search(&word.stem).is_ok();
        }
        Some(Self {
            claim: Side { reading: claim, stems: ours, clauses: (0, u32::MAX) },
            evidence: Side { reading: evidence, stems: theirs, clauses },
            shared: (found.len(), wanted.len()),
            is_exact,
        })
    }

    /// Whether one of them denies what the other says.
    pub fn denial(&self) -> Stand<Denial> {
        let (ours, theirs) = (self.claim.denials(), self.evidence.denials());
        let (Some(ours), Some(theirs)) = (ours, theirs) else { return Stand::Unclear };
        if ours.is_empty() && theirs.is_empty() {
            return Stand::Silent;
        }
        if !self.bound_alike() || !self.reserved_alike(|_| true) {
            return Stand::Unclear;
        }
        if ours.len() % 2 == theirs.len() % 2 {
            return Stand::Alike;
        }
        let (by, denying, denied_in) = if ours.len() > theirs.len() {
            (Holder::Claim, ours, &self.evidence)
        } else {
            (Holder::Evidence, theirs, &self.claim)
        };
        let (Some((cue, stem)), true) = (denying.first().copied(), denied_in.is_plain()) else { return Stand::Unclear };
        match denied_in.place_of(stem) {
            Some(denied) => Stand::Differs(Denial { by, cue, denied }),
            None => Stand::Unclear,
        }
    }

    /// Whether one of them goes further than the other.
    pub fn shift(&self) -> Stand<Shift> {
        match (self.claim.denials(), self.evidence.denials()) {
            (Some(ours), Some(theirs)) if ours.is_empty() && theirs.is_empty() => {}
            _ => return Stand::Unclear,
        }
        if !self.bound_alike() || !self.reserved_alike(|measured| !measured) {
            return Stand::Unclear;
        }
        let (mut stand, mut duty) = (Stand::Silent, Vec::new());
        for scale in Scale::ALL {
            let (Some(mut ours), Some(mut theirs)) = (self.claim.steps(scale), self.evidence.steps(scale)) else {
                return Stand::Unclear;
            };
            if scale == Scale::Certainty {
                // Beside a "can", a "may" is one of permission.
                ours.retain(|step| !duty.contains(&step.1));
                theirs.retain(|step| !duty.contains(&step.1));
            }
            if scale == Scale::Duty && !ours.is_empty() && !theirs.is_empty() {
                duty.extend(ours.iter().chain(&theirs).map(|step| step.1));
            }
            match shift_on(scale, &ours, &theirs) {
                Stand::Silent => {}
                Stand::Alike => stand = Stand::Alike,
                found => return found,
            }
        }
        stand
    }

    /// Whether the same words bound the numbers of both.
    fn bound_alike(&self) -> bool {
        let bounds = |side: &Side<'_>| {
            let bound = |(said, _): (&Said, _)| match said.kind {
                Kind::Bound(qualifier) => Some(qualifier),
                _ => None,
            };
            let mut bounds: Vec<_> = side.said().filter_map(bound).collect();
            bounds.sort_unstable();
            bounds
        };
        bounds(&self.claim) == bounds(&self.evidence)
    }

    /// Whether the same words limit both, wherever in their sentences they stand; only those that `of` accepts, which is told whether
    /// a scale measures them.
    fn reserved_alike(&self, of: impl Fn(bool) -> bool) -> bool {
        let reserved = |side: &Side<'_>| {
            let counts = |said: &&Said| matches!(said.kind, Kind::Reservation(measured) if of(measured));
            let mut words: Vec<u64> = side.reading.said.iter().filter(counts).map(|said| said.word).collect();
            words.sort_unstable();
            words
        };
        reserved(&self.claim) == reserved(&self.evidence)
    }
}

/// A step on a scale, where it stands, and the stem that it belongs to.
type Step = (u8, Span, u64);

fn shift_on(scale: Scale, ours: &[Step], theirs: &[Step]) -> Stand<Shift> {
    let shift = |stronger, claim, evidence| Stand::Differs(Shift { stronger, scale, claim, evidence });
    match (ours, theirs) {
        ([], []) => Stand::Silent,
        ([(a, ours, of)], [(b, theirs, to)]) if a != b => {
            // "Some plans include all features" is not "All plans include some features".
            if scale == Scale::Amount && of != to { Stand::Unclear } else { shift(a > b, Some(*ours), Some(*theirs)) }
        }
        ([(step, span, _)], []) => match (scale, step) {
            // What is allowed or demanded is often said by the mere fact.
            (Scale::Duty, _) | (Scale::Certainty, 3) => Stand::Silent,
            (_, step) => shift(*step == 3, Some(*span), None),
        },
        ([], [(step, span, _)]) => match (scale, step) {
            (Scale::Duty, _) | (Scale::Amount | Scale::Frequency | Scale::Certainty, 3) => Stand::Silent,
            (_, step) => shift(*step < 3, None, Some(*span)),
        },
        _ => {
            let steps = |steps: &[Step]| {
                let mut steps: Vec<(u8, u64)> = steps.iter().map(|(step, _, stem)| (*step, *stem)).collect();
                steps.sort_unstable();
                steps
            };
            if steps(ours) == steps(theirs) { Stand::Alike } else { Stand::Unclear }
        }
    }
}

impl Side<'_> {
    /// What is said of the shared words: each word with the stem that it belongs to, `None` where that is no shared word.
    fn said(&self) -> impl Iterator<Item = (&Said, Option<u64>)> {
        let in_clause = |at: usize, clause: u32| self.reading.words.get(at).is_some_and(|word| word.clause == clause);
        self.reading.said.iter().filter_map(move |said| {
            let (from, to) = self.clauses;
            if !(from..=to).contains(&said.clause) {
                return None;
            }
            let behind = Some(said.next).filter(|at| in_clause(*at, said.clause));
            let before = said.next.checked_sub(1).filter(|at| in_clause(*at, said.clause));
            // "X, which is not Y, does Z": what is denied there is no part of what both say.
            let words = self.reading.words.iter().zip(&self.stems);
            let touches = words.filter(|(word, _)| word.clause == said.clause).any(|(_, known)| known.shared);
            if !touches {
                return None;
            }
            let word = behind.or(before).and_then(|at| self.stems.get(at))?;
            Some((said, word.shared.then_some(word.stem)))
        })
    }

    /// The words that deny, each with the stem of what it denies; `None` where that is unclear.
    fn denials(&self) -> Option<Vec<(Span, u64)>> {
        let mut denials: Vec<(Span, u64)> = Vec::new();
        let mut clauses: Vec<u32> = Vec::new();
        for (said, stem) in self.said().filter(|(said, _)| said.kind == Kind::Denial) {
            if !said.sure {
                return None;
            }
            // "no … nunca" denies once.
            if !said.alone && clauses.last() == Some(&said.clause) {
                continue;
            }
            clauses.extend((!said.alone).then_some(said.clause));
            denials.push((said.span, stem?));
        }
        let words = self.reading.words.iter().zip(&self.stems);
        denials.extend(
            words.filter(|(_, known)| known.denies && known.shared).map(|(word, known)| (word.span, known.stem)),
        );
        Some(denials)
    }

    /// The words of a scale; `None` where it is unclear what they belong to.
    fn steps(&self, scale: Scale) -> Option<Vec<Step>> {
        self.said()
            .filter_map(|(said, stem)| match said.kind {
                Kind::Step(of, step) if of == scale => Some((said, step, stem)),
                _ => None,
            })
            .map(|(said, step, stem)| if said.sure { Some((step, said.span, stem?)) } else { None })
            .collect()
    }

    /// Nothing in it says that it holds only in part: "some do" and "some do not" go together.
    fn is_plain(&self) -> bool {
        let duty = |span: Span| {
            self.reading.said.iter().any(|said| said.span == span && matches!(said.kind, Kind::Step(Scale::Duty, _)))
        };
        self.said().all(|(said, _)| match said.kind {
            // "May" allows rather than doubts.
            Kind::Step(Scale::Certainty, _) if duty(said.span) => true,
            Kind::Step(Scale::Amount | Scale::Frequency | Scale::Certainty, step) => step == 3,
            Kind::Step(Scale::Exclusive, _) => false,
            _ => true,
        })
    }

    fn place_of(&self, stem: u64) -> Option<Span> {
        let words = self.reading.words.iter().zip(&self.stems);
        words.filter(|(_, known)| known.shared).find(|(_, known)| known.stem == stem).map(|(word, _)| word.span)
    }
}

/// The words of `reading` as `other` knows them.
fn known(reading: &Reading, other: &Reading) -> Vec<Word> {
    let has = |stem: u64| other.stems.binary_search(&stem).is_ok();
    let bare = |stem: u64| other.bare.binary_search(&stem).is_ok();
    let known = |word: &super::reading::Word| {
        let plain = Word { stem: word.stem, shared: has(word.stem), denies: false };
        match word.bare.filter(|bare| !plain.shared && has(*bare)) {
            Some(stem) => Word { stem, shared: true, denies: true },
            // The other has it with a prefix: "available" beside "unavailable".
            None if !plain.shared && bare(word.stem) => Word { shared: true, ..plain },
            None => plain,
        }
    };
    reading.words.iter().map(known).collect()
}

/// The shortest run of words that has all of `found`: first and last.
fn window(words: &[Word], found: &[u64]) -> Option<(usize, usize)> {
    let mut counts = vec![0_usize; found.len()];
    let index = |word: &Word| if word.shared { found.binary_search(&word.stem).ok() } else { None };
    let (mut missing, mut first, mut best) = (found.len(), 0, None);
    for (last, word) in words.iter().enumerate() {
        let Some(count) = index(word).and_then(|at| counts.get_mut(at)) else { continue };
        missing -= usize::from(*count == 0);
        *count += 1;
        while missing == 0 && first <= last {
            if best.is_none_or(|(from, to): (usize, usize)| last - first < to - from) {
                best = Some((first, last));
            }
            if let Some(count) = words.get(first).and_then(index).and_then(|at| counts.get_mut(at)) {
                *count -= 1;
                missing += usize::from(*count == 0);
            }
            first += 1;
        }
    }
    best
}
