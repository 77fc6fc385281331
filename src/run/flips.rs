//! What flipped between two runs of the same questions: every case and claim that came out otherwise, with why; claims
//! and cases that only one of the runs has; and evidence whose content changed under an unchanged version (SPEC 8.2).

mod entry;
#[cfg(test)]
pub(crate) mod fixture;
mod otherwise;
mod pairing;
#[cfg(test)]
mod tests;
mod why;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use super::outline::Head;
use super::store::Store;
use crate::dataset::Label;
use crate::record::outline::{CaseOutline, ClaimOutline, FindingOutline, RuleIndex};
use crate::tally::{CaseVerdict, RuleTable};
pub use entry::{
    CaseFlip, CaseState, ClaimFlip, ClaimState, Direction, Drift, FindingMoves, FlipCounts, Flips, LoneClaim, Moves,
};
use otherwise::differs_otherwise;
use pairing::{Pairing, pair_claims};
pub use why::{Cited, CountsAs, EvaluationChange, EvidenceChange, EvidenceWhat, RuleChange, Why};

/// Compares the cases of a later run with those of an earlier one, one by one.
#[derive(Debug)]
pub struct Comparer<'s> {
    before: &'s Store,
    sides: Sides,
    /// By position in `before`: whether the later run has the case.
    met: Vec<bool>,
    /// Most entries of a list.
    most: usize,
    flips: Flips,
}

/// The rules of both runs.
#[derive(Debug)]
struct Sides {
    before: Side,
    after: Side,
    /// The rules of both by position, in the order of the later run, then those that only the earlier one has.
    rules: Vec<(Option<usize>, Option<usize>)>,
    /// What else than the cases differs between the two evaluations.
    differs: Vec<EvaluationChange>,
    /// Whether the letters of two outlines mean the same.
    same_rules: bool,
}

#[derive(Debug)]
struct Side {
    table: RuleTable,
    index: RuleIndex,
}

impl Side {
    fn of(head: &Head) -> Self {
        let table = head.table();
        let index = table.index();
        Self { table, index }
    }

    fn verdict(&self, case: &CaseOutline<'_>) -> CaseVerdict {
        let (record, claims) = case.to_records(&self.index);
        CaseVerdict::of(&record, &claims, &self.table)
    }
}

impl Sides {
    fn of(before: &Head, after: &Head) -> Self {
        let differs = [
            (before.evaluation_digest != after.evaluation_digest, EvaluationChange::Policy),
            (before.engine != after.engine, EvaluationChange::Engine),
            (before.judge != after.judge, EvaluationChange::Judge),
        ];
        let differs = differs.into_iter().filter_map(|(differs, what)| differs.then_some(what)).collect();
        let (earlier, later) = (Side::of(before), Side::of(after));
        let of_later = later.table.rules.iter().enumerate();
        let in_both = of_later.map(|(at, rule)| (earlier.table.rule(&rule.id).map(|(at, _)| at), Some(at)));
        let only_earlier =
            earlier.table.rules.iter().enumerate().filter(|(_, rule)| later.table.rule(&rule.id).is_none());
        let rules = in_both.chain(only_earlier.map(|(at, _)| (Some(at), None))).collect();
        let same_rules = before.rules == after.rules;
        Self { before: earlier, after: later, rules, differs, same_rules }
    }
}

/// Both runs whole.
#[must_use]
pub fn compare(before: &Store, after: &Store, most: Option<usize>) -> Flips {
    let mut comparer = Comparer::new(before, &after.head, most);
    for case in after.cases() {
        comparer.add(&case);
    }
    comparer.finish()
}

impl<'s> Comparer<'s> {
    /// A comparison with the run `before`; `after` is the head of the later run. `most` caps every list (of flips, for
    /// each direction); what it leaves out is still counted.
    #[must_use]
    pub fn new(before: &'s Store, after: &Head, most: Option<usize>) -> Self {
        let counts = FlipCounts { cases_before: before.len() as u64, ..FlipCounts::default() };
        Self {
            before,
            sides: Sides::of(&before.head, after),
            met: vec![false; before.len()],
            most: most.unwrap_or(usize::MAX),
            flips: Flips { counts, ..Flips::default() },
        }
    }

    /// Compares the next case of the later run.
    pub fn add(&mut self, after: &CaseOutline<'_>) {
        let position = self.before.position(&after.case_id);
        let before = position.and_then(|position| Some((position, self.before.at(position)?)));
        self.add_pair(before.as_ref().map(|(position, before)| (*position, before)), after);
    }

    /// The same where the case of the earlier run, with its position there, is at hand.
    pub fn add_pair(&mut self, before: Option<(usize, &CaseOutline<'_>)>, after: &CaseOutline<'_>) {
        self.flips.counts.cases_after += 1;
        let Some((position, before)) = before else {
            self.flips.counts.added_cases += 1;
            push(&mut self.flips.added_cases, self.most, || after.case_id.to_string());
            return;
        };
        if let Some(met) = self.met.get_mut(position) {
            *met = true;
        }
        // Most cases come out as before, and nothing of them is told.
        if self.sides.same_rules && before.same_facts(after) {
            self.flips.counts.paired_cases += 1;
            self.flips.counts.paired_claims += after.claims.len() as u64;
            return;
        }
        let has_drifted = self.drift(before, after);
        if before.question != after.question {
            self.flips.counts.changed_questions += 1;
            push(&mut self.flips.changed_questions, self.most, || after.case_id.to_string());
            return;
        }
        self.flips.counts.paired_cases += 1;
        let pairing = pair_claims(&before.claims, &after.claims);
        let told = [
            has_drifted,
            self.case(before, after, &pairing),
            self.claims(before, after, &pairing),
            self.findings(before, after),
        ];
        if !told.contains(&true) && differs_otherwise(&self.sides, before, after, &pairing) {
            self.flips.counts.changed_otherwise += 1;
        }
    }

    /// Everything, once all cases of the later run were added.
    #[must_use]
    pub fn finish(mut self) -> Flips {
        let unmet = self.met.iter().enumerate().filter(|(_, met)| !**met);
        for case in unmet.filter_map(|(position, _)| self.before.at(position)) {
            self.flips.counts.removed_cases += 1;
            push(&mut self.flips.removed_cases, self.most, || case.case_id.to_string());
        }
        self.flips
    }

    fn case(&mut self, before: &CaseOutline<'_>, after: &CaseOutline<'_>, pairing: &Pairing) -> bool {
        let was = CaseState { verdict: self.sides.before.verdict(before), refused: before.refused };
        let is = CaseState { verdict: self.sides.after.verdict(after), refused: after.refused };
        if was == is {
            return false;
        }
        let direction = direction_of_case(was, is, after.answerable);
        if self.flips.counts.cases.count(direction) <= self.most as u64 {
            let why = Why::of_case(&self.sides, before, after, pairing, (was, is));
            let reason = why.of_case_in_words((was, is));
            let case_id = after.case_id.to_string();
            self.flips.cases.push(CaseFlip { case_id, direction, before: was, after: is, reason, why });
        }
        true
    }

    fn claims(&mut self, before: &CaseOutline<'_>, after: &CaseOutline<'_>, pairing: &Pairing) -> bool {
        let mut told = false;
        for (claim, twin) in after.claims.iter().zip(&pairing.twins) {
            let Some(twin) = twin.and_then(|twin| before.claims.get(twin)) else {
                self.flips.counts.new_claims += 1;
                push(&mut self.flips.new_claims, self.most, || lone(after, claim));
                told = true;
                continue;
            };
            self.flips.counts.paired_claims += 1;
            let (was, is) = (ClaimState::of(twin), ClaimState::of(claim));
            if was.label == is.label && was.class == is.class {
                let is_otherwise = was.decided_by != is.decided_by;
                self.flips.counts.decided_otherwise += u64::from(is_otherwise);
                told |= is_otherwise;
                continue;
            }
            told = true;
            let direction = direction_of_claim(&was, &is);
            if self.flips.counts.claims.count(direction) > self.most as u64 {
                continue;
            }
            let why = Why::of_claim(&self.sides, (before, twin), (after, claim));
            let reason = why.of_claim_in_words(&was, &is);
            self.flips.claims.push(ClaimFlip {
                case_id: after.case_id.to_string(),
                claim_id: claim.claim_id.to_string(),
                claim_id_before: (twin.claim_id != claim.claim_id).then(|| twin.claim_id.to_string()),
                direction,
                before: was,
                after: is,
                slices: slices_of(after, claim),
                reason,
                why,
            });
        }
        for claim in pairing.gone.iter().filter_map(|gone| before.claims.get(*gone)) {
            self.flips.counts.gone_claims += 1;
            push(&mut self.flips.gone_claims, self.most, || lone(before, claim));
            told = true;
        }
        told
    }

    fn drift(&mut self, before: &CaseOutline<'_>, after: &CaseOutline<'_>) -> bool {
        if before.units == after.units {
            return false;
        }
        let earlier: BTreeMap<&str, _> = before
            .units
            .iter()
            .map(|(id, document, version, digest)| (id.as_ref(), (document, version, digest)))
            .collect();
        let mut cited: BTreeMap<&str, u64> = BTreeMap::new();
        for claim in &after.claims {
            let ids: BTreeSet<&str> = claim.citations.iter().map(|citation| citation.id.as_ref()).collect();
            ids.into_iter().for_each(|id| *cited.entry(id).or_default() += 1);
        }
        let mut has_drifted = false;
        for (id, document, version, digest) in &after.units {
            let Some((old_document, old_version, old)) = earlier.get(id.as_ref()) else { continue };
            if (*old_document, *old_version) != (document, version) || *old == digest {
                continue;
            }
            has_drifted = true;
            let claims = cited.get(id.as_ref()).copied().unwrap_or(0);
            self.flips.counts.drifted_units += 1;
            self.flips.counts.claims_on_drifted_units += claims;
            push(&mut self.flips.drift, self.most, || Drift {
                case_id: after.case_id.to_string(),
                id: id.to_string(),
                document: document.as_ref().map(ToString::to_string),
                version: version.as_ref().map(ToString::to_string),
                claims,
            });
        }
        has_drifted
    }

    /// Findings that only one of the two has. Findings with one fingerprint (the same rule and code on the same claim and
    /// id) are told apart by their number.
    fn findings(&mut self, before: &CaseOutline<'_>, after: &CaseOutline<'_>) -> bool {
        let mut balance: BTreeMap<(&str, &str), i64> = BTreeMap::new();
        for finding in findings_of(before) {
            *balance.entry((&finding.rule, &finding.fingerprint)).or_default() -= 1;
        }
        for finding in findings_of(after) {
            *balance.entry((&finding.rule, &finding.fingerprint)).or_default() += 1;
        }
        let mut told = false;
        for ((rule, _), balance) in balance.into_iter().filter(|(_, balance)| *balance != 0) {
            told = true;
            let moves = self.flips.counts.findings.entry(rule.to_owned()).or_default();
            let count = balance.unsigned_abs();
            match balance > 0 {
                true => moves.new += count,
                false => moves.gone += count,
            }
        }
        told
    }
}

fn slices_of(case: &CaseOutline<'_>, claim: &ClaimOutline<'_>) -> BTreeMap<String, String> {
    let all = case.slices.iter().chain(&claim.slices);
    all.map(|(id, value)| (id.to_string(), value.to_string())).collect()
}

/// Adds to a list that is not full yet.
fn push<T>(list: &mut Vec<T>, most: usize, entry: impl FnOnce() -> T) {
    if list.len() < most {
        list.push(entry());
    }
}

fn lone(case: &CaseOutline<'_>, claim: &ClaimOutline<'_>) -> LoneClaim {
    let (case_id, claim_id) = (case.case_id.to_string(), claim.claim_id.to_string());
    LoneClaim { case_id, claim_id, state: ClaimState::of(claim) }
}

/// Every finding of a case, its own and those of its claims.
fn findings_of<'o>(case: &'o CaseOutline<'_>) -> impl Iterator<Item = &'o FindingOutline<'o>> {
    case.findings.iter().chain(case.claims.iter().flat_map(|claim| &claim.findings))
}

impl ClaimState {
    fn of(claim: &ClaimOutline<'_>) -> Self {
        Self {
            label: claim.label,
            decided_by: claim.decided_by.as_ref().map(ToString::to_string),
            class: claim.class.as_ref().map(ToString::to_string),
        }
    }

    /// How far the claim is from what it should be; `None` where that cannot be said.
    fn weight(&self) -> Option<u8> {
        match (self.class.as_deref(), self.label?) {
            (Some(_), _) => None,
            (None, Label::Supported) => Some(0),
            (None, Label::Undecided) => Some(1),
            (None, Label::Partial) => Some(2),
            (None, Label::Insufficient | Label::Unreadable | Label::Unresolved) => Some(3),
            (None, Label::Contradicted) => Some(4),
        }
    }

    /// Whether the claim should have a citation and has none.
    const fn is_uncited(&self) -> bool {
        self.label.is_none() && self.class.is_none()
    }
}

/// From a lighter to a heavier label is worse. A claim that was supported and is not cited any more is worse too; other
/// moves from and to no label cannot be compared: uncited and unsupported are different defects.
fn direction_of_claim(was: &ClaimState, is: &ClaimState) -> Direction {
    match (was.weight(), is.weight()) {
        (Some(was), Some(is)) if is > was => Direction::Worse,
        (Some(was), Some(is)) if is < was => Direction::Better,
        (Some(0), None) if is.is_uncited() => Direction::Worse,
        (None, Some(0)) if was.is_uncited() => Direction::Better,
        _ => Direction::Other,
    }
}

/// Passing is better than not passing. Where that is the same, answering what can be answered, and refusing what cannot.
fn direction_of_case(was: CaseState, is: CaseState, answerable: Option<bool>) -> Direction {
    let passes = |state: CaseState| match state.verdict {
        CaseVerdict::Pass => Some(true),
        CaseVerdict::Fail | CaseVerdict::Broken => Some(false),
        CaseVerdict::Unjudged => None,
    };
    let is_right = |state: CaseState| answerable.map(|answerable| answerable != state.refused);
    for (was, is) in [(passes(was), passes(is)), (is_right(was), is_right(is))] {
        match (was, is) {
            (Some(true), Some(false)) => return Direction::Worse,
            (Some(false), Some(true)) => return Direction::Better,
            _ => {}
        }
    }
    Direction::Other
}

/// The letter of an outline for the rule at this position; a dot where it says nothing.
fn letter(letters: &str, at: usize) -> u8 {
    letters.as_bytes().get(at).copied().unwrap_or(b'.')
}
