//! Pairing the cases of a run with those of its baselines, in one walk over the run's outlines.

use std::path::Path;

use super::find::{Baselines, Set};
use crate::diagnostic::{Problem, code};
use crate::record::outline::{CaseOutline, ClaimOutline, FindingOutline, RuleIndex};
use crate::rules::metric::CASE_PASS_RATE;
use crate::run::baseline::Baseline;
use crate::run::flips::Comparer;
use crate::run::manifest::BaselineFlips;
use crate::run::outline::{self, Head, Outlines, cross};
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

/// A baseline with the rules by which it was judged and the slices of the present policy.
struct Side<'b> {
    /// What its set is called.
    name: &'b str,
    baseline: &'b Baseline,
    table: RuleTable,
    index: RuleIndex,
    /// Whether it has the rules of the run.
    are_alike: bool,
    /// By place in the baseline: whether the run has the case.
    seen: Vec<bool>,
    /// What flipped, on a walk that tells it.
    comparer: Option<Comparer<'b>>,
}

impl<'b> Side<'b> {
    fn of(name: &'b str, baseline: &'b Baseline, table: &RuleTable, compare: Option<&Head>) -> Self {
        let store = &baseline.store;
        Self {
            name,
            baseline,
            table: store.table(&table.dimensions),
            index: store.index(),
            are_alike: store.head.rules == table.rules,
            seen: vec![false; store.len()],
            comparer: compare.map(|head| Comparer::new(store, head, Some(MOST_FLIPS))),
        }
    }

    fn sides<'s>(&'s self, now: &'s RuleTable, now_index: &'s RuleIndex) -> Sides<'s> {
        Sides { baseline: &self.table, now, baseline_index: &self.index, now_index, are_alike: self.are_alike }
    }
}

/// A case of a baseline, with its place there.
type Before<'b> = Option<(usize, CaseOutline<'b>)>;

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
    /// Walks over a run's outlines and counts what is `wanted`. `cases` is the number of cases of each dataset, in the order in
    /// which they stand there.
    pub(super) fn walk(
        &self,
        outlines: &Path,
        cases: &[u64],
        wanted: &[Wanted],
        table: &RuleTable,
        judge: JudgeLabels,
    ) -> Result<Walked, Problem> {
        let mut outlines = Outlines::open(outlines)?;
        let head = outlines.head.clone();
        let compare = (judge == JudgeLabels::New).then_some(&head);
        let mut walk = Walk {
            table,
            index: table.index(),
            judge,
            paired: self.sets.iter().map(|_| PairedTally::new(wanted.to_vec())).collect(),
            sides: self.sets.iter().map(|set| set.sides(table, compare)).collect(),
            tally: (judge == JudgeLabels::Old).then(|| Tally::new(table)),
            unreviewed: 0,
        };
        let ends: Vec<u64> = cases
            .iter()
            .scan(0, |sum: &mut u64, cases| {
                *sum = sum.saturating_add(*cases);
                Some(*sum)
            })
            .collect();
        let mut number = 0;
        while let Some(now) = outlines.next_case()? {
            let dataset = ends.iter().position(|end| number < *end).unwrap_or(ends.len().saturating_sub(1));
            number += 1;
            walk.case(now, dataset)?;
        }
        Ok(walk.finish())
    }
}

impl Set {
    /// Its baselines by dataset, ready to be walked along.
    fn sides<'b>(&'b self, table: &RuleTable, compare: Option<&Head>) -> Vec<Option<Side<'b>>> {
        let side = |found: &'b Option<Baseline>| Some(Side::of(&self.name, found.as_ref()?, table, compare));
        self.datasets.iter().map(side).collect()
    }
}

/// A walk over a run's outlines along its baselines.
struct Walk<'w> {
    table: &'w RuleTable,
    index: RuleIndex,
    judge: JudgeLabels,
    /// For each set of baselines.
    paired: Vec<PairedTally>,
    /// For each set of baselines, by dataset.
    sides: Vec<Vec<Option<Side<'w>>>>,
    tally: Option<Tally>,
    unreviewed: u64,
}

impl Walk<'_> {
    /// The next case of the run, which is of this dataset. Of each baseline its twin is decoded once.
    fn case(&mut self, mut now: CaseOutline<'_>, dataset: usize) -> Result<(), Problem> {
        let Self { table, index, judge, paired, sides, tally, unreviewed } = self;
        let mut befores: Vec<(usize, &mut Side<'_>, Before<'_>)> = Vec::with_capacity(sides.len());
        let compared = now.with_known_findings();
        for (set, sides) in sides.iter_mut().enumerate() {
            if let Some(Some(side)) = sides.get_mut(dataset) {
                let before = side.meet(&compared);
                befores.push((set, side, before));
            }
        }
        drop(compared);
        if let Some((0, side, Some((_, before)))) = befores.first() {
            *unreviewed += side.hold_back(&mut now, before, table, *judge);
        }
        cross(&mut now, &table.dimensions);
        if let Some(tally) = tally {
            outline::count(tally, &now, index, table)
                .map_err(|error| Problem::new(code::TOO_LARGE, error.to_string()))?;
        }
        let compared = now.with_known_findings();
        for (set, side, before) in befores {
            let mut before = before.map(|(_, before)| before);
            if let Some(before) = &mut before {
                cross(before, &table.dimensions);
            }
            if let Some(paired) = paired.get_mut(set) {
                paired.add(before.as_ref(), Some(compared.as_ref()), &side.sides(table, index));
            }
        }
        Ok(())
    }

    fn finish(self) -> Walked {
        let Self { table, index, mut paired, sides, tally, unreviewed, .. } = self;
        for (sides, paired) in sides.iter().zip(&mut paired) {
            sides.iter().flatten().for_each(|side| side.pair_rest(paired, table, &index));
        }
        let flips = sides.into_iter().flatten().flatten().filter_map(|side| {
            Some(BaselineFlips {
                baseline: side.name.to_owned(),
                dataset: side.baseline.identity.dataset.clone(),
                flips: side.comparer?.finish(),
            })
        });
        Walked { flips: flips.collect(), paired, unreviewed, tally }
    }
}

impl<'b> Side<'b> {
    /// The twin of a case of the run. Notes that the run has it, and what flipped.
    fn meet(&mut self, now: &CaseOutline<'_>) -> Before<'b> {
        let store = &self.baseline.store;
        let place = store.position(&now.case_id);
        if let Some(seen) = place.and_then(|place| self.seen.get_mut(place)) {
            *seen = true;
        }
        let before = place.and_then(|place| Some((place, store.at(place)?)));
        if let Some(comparer) = &mut self.comparer {
            comparer.add_pair(before.as_ref().map(|(place, before)| (*place, before)), now);
        }
        before
    }
}

impl Side<'_> {
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
    fn hold_back(
        &self,
        now: &mut CaseOutline<'_>,
        before: &CaseOutline<'_>,
        table: &RuleTable,
        judge: JudgeLabels,
    ) -> u64 {
        let is_judged = |claim: &ClaimOutline<'_>| claim.decided_by.as_deref() == Some(JUDGE);
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
