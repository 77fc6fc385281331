//! What is different between two runs, each a run folder or a baseline file (SPEC 8.2): metrics per slice, cases and claims
//! that flipped, evidence that drifted, and what else the two do not share. Documented in `docs/run-format.md`.

mod identity;
mod side;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::Serialize;

use super::delta::{Counted, Key, MetricDelta, Presence, deltas};
use super::flips::{self, Direction, Flips};
use super::manifest::GateEntry;
use super::outline::cross;
use super::store::Store;
use crate::diagnostic::{Problem, code};
use crate::gate::Verdict;
use crate::tally::{RuleTable, SliceKey, Tally, TallyError};
use identity::{identity, warnings};
pub use side::{Dataset, Kind, Side, Stamp};

/// Schema of `citeward diff --format json`.
pub const SCHEMA: &str = "citeward/diff/1";

/// Something that the two sides do not share, and what that means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// What: `questions`, `policy`, `gates`, `engine`, `judge`, `dataset`, `source register`, `reviewers' decisions`, `rules`, `slices`.
    pub what: String,
    /// Before; `null` where there was none.
    pub before: Option<String>,
    /// Now.
    pub after: Option<String>,
    /// What it means for the comparison, in one sentence.
    pub meaning: String,
}

/// A slice that only one side has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LoneSlice {
    /// Value by slice dimension.
    pub slice: BTreeMap<String, String>,
    /// Its cases on the side that has it.
    pub cases: u64,
}

/// A gate of both runs that came out otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GateChange {
    /// Its id.
    pub gate: String,
    /// Value by slice dimension; empty: everything.
    pub slice: BTreeMap<String, String>,
    /// Its verdict before.
    pub before: Verdict,
    /// Its verdict now.
    pub after: Verdict,
    /// Why it came out so now.
    pub reason: String,
}

/// What became of the product, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// The two runs say the same.
    Same,
    /// Something got worse and nothing better.
    Worse,
    /// Something got better and nothing worse.
    Better,
    /// Both.
    Mixed,
    /// There are differences, and none of them is for the better or the worse.
    Other,
}

/// What is different.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// In a word.
    pub change: Change,
    /// The earlier side.
    pub before: Stamp,
    /// The later side.
    pub after: Stamp,
    /// What a reader must know before trusting the comparison, one sentence each.
    pub warnings: Vec<String>,
    /// What the two do not share beside answers.
    pub identity: Vec<Mismatch>,
    /// Gates that came out otherwise, where both sides are run folders.
    pub gates: Vec<GateChange>,
    /// Slices that occurred before and do not now.
    pub gone_slices: Vec<LoneSlice>,
    /// Slices that occur now and did not before.
    pub new_slices: Vec<LoneSlice>,
    /// Every metric in every slice, the worst first.
    pub metrics: Vec<MetricDelta>,
    /// Cases and claims that flipped, and evidence that drifted.
    pub flips: Flips,
}

/// Compares two sides. `most` caps every list of flips.
///
/// # Errors
/// A [`Problem`] where no case has the same question on both sides, or a slice has too many values.
pub fn compare(mut before: Side, mut after: Side, most: Option<usize>) -> Result<Difference, Problem> {
    before.narrow(&after.stamp)?;
    after.narrow(&before.stamp)?;
    if [&before, &after].iter().any(|side| side.stamp.kind == Kind::Baseline) {
        before.store.hold_known_findings();
        after.store.hold_known_findings();
    }
    let flips = flips::compare(&before.store, &after.store, most);
    if flips.counts.paired_cases == 0 {
        return Err(incomparable(&before.stamp, &after.stamp, &flips));
    }
    let identity = identity(&before, &after);
    let (tally, others) = counted(&before, &after, &flips)?;
    let [was, is] = &tally;
    let tables = [&before.store, &after.store].map(|store| store.head.table());
    let sides = [Counted { tally: was, table: &tables[0] }, Counted { tally: is, table: &tables[1] }];
    let more: Vec<Key> = after.more.iter().chain(&before.more).cloned().collect();
    let mut metrics = deltas(&sides[0], &sides[1], others.as_ref().map(|[was, is]| (was, is)), &more);
    worst_first(&mut metrics);
    let gone_slices = lone(&sides[0], &sides[1]);
    let new_slices = lone(&sides[1], &sides[0]);
    let mut difference = Difference {
        schema: SCHEMA,
        change: Change::Same,
        warnings: warnings(&before, &after, &flips),
        identity,
        gates: gates(&before.gates, &after.gates),
        gone_slices,
        new_slices,
        metrics,
        flips,
        before: before.stamp,
        after: after.stamp,
    };
    difference.change = difference.in_a_word();
    Ok(difference)
}

impl Difference {
    /// Whether the two runs say the same of every case and count the same. What they were judged by may differ.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flips.is_empty()
            && self.gone_slices.is_empty()
            && self.new_slices.is_empty()
            && self.gates.is_empty()
            && !self.metrics.iter().any(|metric| metric.presence == Presence::Both && metric.counts_differ())
    }

    fn in_a_word(&self) -> Change {
        if self.is_empty() {
            return Change::Same;
        }
        let counts = &self.flips.counts;
        let moved = |direction| {
            counts.cases.of(direction) + counts.claims.of(direction) > 0
                || self.metrics.iter().any(|metric| metric.direction() == Some(direction))
        };
        let is_worse = moved(Direction::Worse) || counts.removed_cases > 0 || !self.gone_slices.is_empty();
        match (is_worse, moved(Direction::Better)) {
            (true, true) => Change::Mixed,
            (true, false) => Change::Worse,
            (false, true) => Change::Better,
            (false, false) => Change::Other,
        }
    }

    /// Leaves the metrics out that did not move.
    pub fn keep_what_moved(&mut self) {
        self.metrics.retain(|metric| metric.has_moved() && metric.presence != Presence::OneSided);
    }
}

fn incomparable(before: &Stamp, after: &Stamp, flips: &Flips) -> Problem {
    let counts = &flips.counts;
    let found = match counts.changed_questions {
        0 => format!("no id that is in both (cases there: {}, here: {})", counts.cases_before, counts.cases_after),
        changed => format!("another question in each case whose id is in both ({changed})"),
    };
    Problem::new(code::NO_CASES, format!("not comparable with {}", before.path))
        .in_file(after.path.clone())
        .found(found, "cases with the same question on both sides")
        .help("compare runs of the same dataset")
}

/// The tallies of both sides, and where they do not have the same cases, those over the cases that both have with the same
/// question.
type Tallies = ([Tally; 2], Option<[Tally; 2]>);

fn counted(before: &Side, after: &Side, flips: &Flips) -> Result<Tallies, Problem> {
    let too_many = |error: TallyError| Problem::new(code::TOO_LARGE, error.to_string());
    let whole = |store: &Store| store.tally(&store.head.table()).map_err(too_many);
    let counts = &flips.counts;
    let tallies = [whole(&before.store)?, whole(&after.store)?];
    if counts.removed_cases + counts.added_cases + counts.changed_questions == 0 {
        return Ok((tallies, None));
    }
    let shared = |own: &Store, other: &Store| {
        let table: RuleTable = own.head.table();
        let index = table.index();
        let mut tally = Tally::new(&table);
        for mut case in own.cases() {
            if other.get(&case.case_id).is_some_and(|twin| twin.question == case.question) {
                cross(&mut case, &table.dimensions);
                super::outline::count(&mut tally, &case, &index, &table).map_err(too_many)?;
            }
        }
        Ok::<Tally, Problem>(tally)
    };
    Ok((tallies, Some([shared(&before.store, &after.store)?, shared(&after.store, &before.store)?])))
}

/// Worse before better before neither; within these the changes that weigh most.
fn worst_first(metrics: &mut [MetricDelta]) {
    let rank = |metric: &MetricDelta| match metric.direction() {
        Some(Direction::Worse) => 0,
        Some(Direction::Better) => 1,
        Some(Direction::Other) => 2,
        None => 3,
    };
    metrics.sort_by(|a, b| {
        let weight = b.chief().weight().total_cmp(&a.chief().weight());
        rank(a).cmp(&rank(b)).then(if rank(a) == 3 { std::cmp::Ordering::Equal } else { weight })
    });
}

/// Slices of dimensions that both sides declare, that one side has and the other does not.
fn lone(own: &Counted<'_>, other: &Counted<'_>) -> Vec<LoneSlice> {
    let slices = own.tally.slices(own.table).into_iter();
    let is_lone = |key: &SliceKey| match key {
        SliceKey::Overall => false,
        SliceKey::Value { dimension, .. } => {
            other.table.dimensions.iter().any(|known| known.id == *dimension) && other.tally.slice(key).is_none()
        }
    };
    slices
        .filter(|(key, ..)| is_lone(key))
        .map(|(key, slice, _)| LoneSlice { slice: key.to_map(), cases: slice.cases })
        .collect()
}

fn gates(before: &[GateEntry], after: &[GateEntry]) -> Vec<GateChange> {
    let changed = after.iter().filter_map(|gate| {
        let was = before.iter().find(|was| {
            was.gate == gate.gate && was.slice == gate.slice && was.metric == gate.metric && was.average == gate.average
        })?;
        (was.verdict != gate.verdict).then(|| GateChange {
            gate: gate.gate.clone(),
            slice: gate.slice.clone(),
            before: was.verdict,
            after: gate.verdict,
            reason: gate.reason.clone(),
        })
    });
    changed.collect()
}
