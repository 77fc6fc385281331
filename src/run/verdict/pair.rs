//! Pairing the cases of a run with those of its baselines, in one walk over the run's outlines.

use std::path::Path;

use foldhash::{HashMap, HashMapExt as _};

use super::find::Baselines;
use crate::dataset::Label;
use crate::diagnostic::{Problem, code};
use crate::gate;
use crate::record::outline::{CaseOutline, ClaimOutline, FindingOutline, RuleIndex};
use crate::rules::Policy;
use crate::rules::metric::CASE_PASS_RATE;
use crate::run::baseline::Baseline;
use crate::run::flips::Comparer;
use crate::run::manifest::BaselineFlips;
use crate::run::outline::{self, Outlines, cross};
use crate::tally::paired::{PairedTally, Sides, Wanted};
use crate::tally::{RuleTable, Tally};

/// Most flips of one direction that a run lists; the rest is counted.
const MOST_FLIPS: usize = 1_000;
/// Who decided a label that can be held back: a judge may contradict itself, a rule and a person do not.
const JUDGE: &str = "judge";
/// The kind of rule whose outcome rests on the label.
const ON_LABELS: &str = "expected";

/// Every case, whatever the gates look at.
pub(super) const EVERYTHING: Wanted = Wanted { metric: CASE_PASS_RATE, dimension: None, membership_of_baseline: false };

/// The labels of a baseline's claims, to see which changed.
#[derive(Debug, Default)]
pub struct Labels {
    pub(super) by_case: HashMap<String, Vec<(String, Option<Label>)>>,
}

impl Labels {
    /// Whether the baseline has the claim with this text digest (`sha256:…`) in this case, with another label.
    #[must_use]
    pub fn changed(&self, case_id: &str, claim_sha256: &str, label: Option<Label>) -> bool {
        let claims = self.by_case.get(case_id).map(Vec::as_slice).unwrap_or_default();
        let digest = claim_sha256.strip_prefix("sha256:").unwrap_or(claim_sha256);
        let mut same = claims.iter().filter(|(text, _)| digest.starts_with(text.as_str())).peekable();
        same.peek().is_some() && same.all(|(_, before)| *before != label)
    }
}

/// A baseline with the rules by which it was judged and the slices of the present policy.
struct Side<'b> {
    baseline: &'b Baseline,
    table: RuleTable,
    index: RuleIndex,
    /// By place in the baseline: whether the run has the case.
    seen: Vec<bool>,
}

impl<'b> Side<'b> {
    fn of(baseline: &'b Baseline, table: &RuleTable) -> Self {
        let store = &baseline.store;
        let seen = vec![false; store.len()];
        Self { baseline, table: store.table(&table.dimensions), index: store.index(), seen }
    }

    fn sides<'s>(&'s self, now: &'s RuleTable, now_index: &'s RuleIndex) -> Sides<'s> {
        Sides { baseline: &self.table, now, baseline_index: &self.index, now_index }
    }
}

/// What one walk over the outlines gives.
pub(super) struct Walked {
    /// For each set of baselines.
    pub paired: Vec<PairedTally>,
    /// For each baseline that was found.
    pub flips: Vec<BaselineFlips>,
    /// Labels of a judge that changed against the baseline and that nobody reviewed.
    pub unreviewed: u64,
    /// The counts with the labels that the baseline has in their place; on a walk that puts them there.
    pub tally: Option<Tally>,
}

/// What becomes of a judge's labels that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JudgeLabels {
    /// They count.
    New,
    /// Those of the baseline count in their place.
    Old,
}

impl Baselines {
    /// The labels of all claims of the baselines; of several names, those of the first.
    #[must_use]
    pub fn labels(&self) -> Labels {
        let mut by_case = HashMap::new();
        for baseline in self.sets.first().into_iter().flat_map(|set| set.datasets.iter().flatten()) {
            for case in baseline.store.cases() {
                let claims = case.claims.iter().map(|claim| (claim.text.to_string(), claim.label)).collect();
                by_case.insert(case.case_id.to_string(), claims);
            }
        }
        Labels { by_case }
    }

    /// Walks over a run's outlines. `cases` is the number of cases of each dataset, in the order in which they stand there.
    pub(super) fn walk(
        &self,
        outlines: &Path,
        cases: &[u64],
        policy: &Policy,
        table: &RuleTable,
        judge: JudgeLabels,
    ) -> Result<Walked, Problem> {
        let mut wanted = gate::wanted(&policy.gates);
        wanted.push(EVERYTHING);
        let mut outlines = Outlines::open(outlines)?;
        let head = outlines.head.clone();
        let now_index = table.index();
        let mut paired: Vec<PairedTally> = self.sets.iter().map(|_| PairedTally::new(wanted.clone())).collect();
        let mut comparers: Vec<(&str, usize, Comparer<'_>)> = self
            .files()
            .map(|(name, dataset, baseline)| (name, dataset, Comparer::new(&baseline.store, &head, Some(MOST_FLIPS))))
            .collect();
        let mut sets: Vec<Vec<Option<Side<'_>>>> = self
            .sets
            .iter()
            .map(|set| set.datasets.iter().map(|found| found.as_ref().map(|found| Side::of(found, table))).collect())
            .collect();
        let mut tally = (judge == JudgeLabels::Old).then(|| Tally::new(table));
        let mut unreviewed = 0;
        let ends: Vec<u64> = cases
            .iter()
            .scan(0, |sum, cases| {
                *sum += cases;
                Some(*sum)
            })
            .collect();
        let mut number = 0;
        while let Some(mut now) = outlines.next_case()? {
            let dataset = ends.iter().position(|end| number < *end).unwrap_or(ends.len().saturating_sub(1));
            number += 1;
            let compared = now.with_known_findings();
            for (_, _, comparer) in comparers.iter_mut().filter(|(_, own, _)| *own == dataset) {
                comparer.add(&compared);
            }
            let first = sets.first().and_then(|set| set.get(dataset)).and_then(Option::as_ref);
            if let Some(side) = first {
                unreviewed += side.hold_back(&mut now, table, judge);
            }
            cross(&mut now, &table.dimensions);
            if let Some(tally) = &mut tally {
                outline::count(tally, &now, &now_index, table)
                    .map_err(|error| Problem::new(code::TOO_LARGE, error.to_string()))?;
            }
            let compared = now.with_known_findings();
            for (set, paired) in sets.iter_mut().zip(&mut paired) {
                if let Some(Some(side)) = set.get_mut(dataset) {
                    side.pair(&compared, paired, table, &now_index);
                }
            }
        }
        for (set, paired) in sets.iter().zip(&mut paired) {
            set.iter().flatten().for_each(|side| side.pair_rest(paired, table, &now_index));
        }
        let flips = comparers.into_iter().map(|(name, dataset, comparer)| BaselineFlips {
            baseline: name.to_owned(),
            dataset: self.name_of(name, dataset),
            flips: comparer.finish(),
        });
        Ok(Walked { paired, flips: flips.collect(), unreviewed, tally })
    }
}

impl Side<'_> {
    /// Pairs one case of the run.
    fn pair(&mut self, now: &CaseOutline<'_>, paired: &mut PairedTally, table: &RuleTable, index: &RuleIndex) {
        let place = self.baseline.store.position(&now.case_id);
        if let Some(seen) = place.and_then(|place| self.seen.get_mut(place)) {
            *seen = true;
        }
        let mut before = place.and_then(|place| self.baseline.store.at(place));
        if let Some(before) = &mut before {
            cross(before, &table.dimensions);
        }
        paired.add(before.as_ref(), Some(now), &self.sides(table, index));
    }

    /// Counts the cases of the baseline that the run does not have.
    fn pair_rest(&self, paired: &mut PairedTally, table: &RuleTable, index: &RuleIndex) {
        let unseen = self.seen.iter().enumerate().filter(|(_, seen)| !**seen);
        for mut before in unseen.filter_map(|(place, _)| self.baseline.store.at(place)) {
            cross(&mut before, &table.dimensions);
            paired.add(Some(&before), None, &self.sides(table, index));
        }
    }

    /// Counts the labels of a judge that changed on the same claim; where they are to be held back, puts the baseline's in
    /// their place, with what rests on a label.
    fn hold_back(&self, now: &mut CaseOutline<'_>, table: &RuleTable, judge: JudgeLabels) -> u64 {
        let is_judged = |claim: &ClaimOutline<'_>| claim.decided_by.as_deref() == Some(JUDGE);
        if !now.claims.iter().any(is_judged) {
            return 0;
        }
        let Some(before) = self.baseline.store.get(&now.case_id) else { return 0 };
        let mut held = 0;
        for claim in now.claims.iter_mut().filter(|claim| is_judged(claim)) {
            let same = |twin: &&ClaimOutline<'_>| twin.text == claim.text;
            let by_id = before.claims.iter().filter(same).find(|twin| twin.claim_id == claim.claim_id);
            let Some(twin) = by_id.or_else(|| before.claims.iter().find(same)) else { continue };
            if twin.label == claim.label {
                continue;
            }
            held += 1;
            if judge == JudgeLabels::Old {
                self.put_label(claim, twin, table);
            }
        }
        held
    }

    fn put_label<'c>(&self, claim: &mut ClaimOutline<'c>, twin: &ClaimOutline<'_>, table: &RuleTable) {
        claim.label = twin.label;
        claim.suspected = twin.suspected;
        claim.decided_by = twin.decided_by.as_ref().map(|by| by.to_string().into());
        let rests_on_label = |rule: &str| table.rule(rule).is_some_and(|(_, rule)| rule.kind == ON_LABELS);
        claim.findings.retain(|finding| !rests_on_label(&finding.rule));
        let theirs = twin.findings.iter().filter(|finding| rests_on_label(&finding.rule));
        claim.findings.extend(theirs.cloned().map(|finding| -> FindingOutline<'c> { finding.into_owned() }));
        let mut letters: Vec<u8> = claim.outcomes.bytes().collect();
        for (at, rule) in table.rules.iter().enumerate().filter(|(_, rule)| rule.kind == ON_LABELS) {
            let before = self.table.rule(&rule.id).and_then(|(at, _)| twin.outcomes.as_bytes().get(at).copied());
            if let Some(letter) = letters.get_mut(at) {
                *letter = before.unwrap_or(b'.');
            }
        }
        claim.outcomes = String::from_utf8_lossy(&letters).into_owned().into();
    }
}
