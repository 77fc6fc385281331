//! What a policy edit would change, before it lands: the same cases under both policies, compared case by case, gate by gate and value by
//! value. Where both decide records alike the cases are evaluated once; where a run of them is at hand, not at all.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::assemble::{gate_entry, policy_stamp};
use super::flips::{self, Direction, Flips, Moves};
use super::manifest::{GateEntry, PolicyStamp, RunVerdict};
use super::regate::{self, GateChange, Recounted, Side};
use super::store::Store;
use super::verdict::Source;
use crate::diagnostic::Problems;
use crate::rules::Policy;
use crate::rules::edits::Edit;
use crate::rules::metric::Average;
use crate::tally::{Listed, SliceKey};

/// Schema of the JSON form.
pub const SCHEMA: &str = "citeward/impact/1";

/// What an edit changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Impact {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The old policy.
    pub from: PolicyStamp,
    /// The new policy.
    pub to: PolicyStamp,
    /// On what: the run, or the datasets that were evaluated.
    pub on: String,
    /// How often the cases were evaluated for this: 0, 1 or 2 times.
    pub evaluations: u8,
    /// Cases looked at.
    pub cases: u64,
    /// Verdict under the old policy and under the new one.
    pub verdict: [RunVerdict; 2],
    /// What is written otherwise.
    pub edits: Vec<Edit>,
    /// Gates that come out otherwise, are new or are gone.
    pub gates: Vec<GateChange>,
    /// Cases and claims that come out otherwise; `null` where both policies decide records alike, so that none can.
    pub flips: Option<Flips>,
    /// Flips by slice.
    pub slices: Vec<SliceMoves>,
    /// Metrics with another value.
    pub metrics: Vec<MetricDelta>,
    /// What a reader must know, one sentence each.
    pub warnings: Vec<String>,
}

/// How many cases and claims of a slice flipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SliceMoves {
    /// The dimension.
    pub dimension: String,
    /// The value.
    pub value: String,
    /// Cases that begin or cease to fail.
    pub cases: Moves,
    /// Claims whose label flips.
    pub claims: Moves,
}

/// A metric under both policies.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricDelta {
    /// The metric.
    pub metric: String,
    /// How cases are put together.
    pub average: Average,
    /// Value by slice dimension; empty: everything.
    pub slice: BTreeMap<String, String>,
    /// Under the old policy; `null`: it has no such metric or slice.
    pub before: Option<Measured>,
    /// Under the new policy.
    pub after: Option<Measured>,
}

/// A value with the counts behind it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Measured {
    /// What is counted; `null` of a macro average.
    pub numerator: Option<u64>,
    /// Out of how many; of a macro average: cases.
    pub denominator: u64,
    /// The value; `null` over nothing.
    pub value: Option<f64>,
}

impl From<Listed> for Measured {
    fn from(listed: Listed) -> Self {
        Self { numerator: listed.numerator, denominator: listed.denominator, value: listed.value }
    }
}

impl Impact {
    /// Whether anything comes out otherwise. An edit may change nothing on these cases.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.gates.is_empty() && self.metrics.is_empty() && self.flips.as_ref().is_none_or(Flips::is_empty)
    }
}

/// Compares the cases under both policies.
///
/// # Errors
/// As [`regate::count`].
pub fn impact(
    before: Side<'_>,
    after: Side<'_>,
    edits: Vec<Edit>,
    evaluations: u8,
    source: &Source,
) -> Result<Impact, Problems> {
    let [old, new] = regate::count_both(before, after, source)?;
    let entries = |counted: &Recounted| counted.decision.results.iter().map(gate_entry).collect::<Vec<GateEntry>>();
    let verdict = |counted: &Recounted| if counted.decision.passes() { RunVerdict::Pass } else { RunVerdict::Fail };
    let alike = before.policy.evaluation_digest == after.policy.evaluation_digest;
    let (flips, slices) = if alike {
        (None, Vec::new())
    } else {
        let (flips, slices) = compared(&before.stated.outlines, &after.stated.outlines)?;
        (Some(flips), slices)
    };
    let mut warnings = after.policy.idle.clone();
    warnings.extend(
        old.warnings.iter().map(|warning| format!("Old policy: {warning}")).filter(|_| old.warnings != new.warnings),
    );
    warnings.extend(new.warnings.iter().cloned());
    Ok(Impact {
        schema: SCHEMA,
        from: policy_stamp(before.policy),
        to: policy_stamp(after.policy),
        on: after.stated.name.clone(),
        evaluations,
        cases: new.tally.cases(),
        verdict: [verdict(&old), verdict(&new)],
        edits,
        gates: regate::changes(&entries(&old), &entries(&new)),
        flips,
        slices,
        metrics: deltas((&old, before.policy), (&new, after.policy)),
        warnings,
    })
}

fn compared(before: &Path, after: &Path) -> Result<(Flips, Vec<SliceMoves>), Problems> {
    let (before, after) = (Store::of_file(before)?, Store::of_file(after)?);
    let flips = flips::compare(&before, &after, None);
    let slices = by_slice(&flips, &after);
    Ok((flips, slices))
}

/// Flips by the slices that the case or claim lies in under the new policy.
fn by_slice(flips: &Flips, after: &Store) -> Vec<SliceMoves> {
    let mut counted: BTreeMap<(String, String), (Moves, Moves)> = BTreeMap::new();
    let count = |moves: &mut Moves, direction: Direction| match direction {
        Direction::Worse => moves.worse += 1,
        Direction::Better => moves.better += 1,
        Direction::Other => moves.other += 1,
    };
    for flip in &flips.cases {
        let Some(case) = after.get(&flip.case_id) else { continue };
        for (dimension, value) in &case.slices {
            count(&mut counted.entry((dimension.to_string(), value.to_string())).or_default().0, flip.direction);
        }
    }
    for flip in &flips.claims {
        let Some(case) = after.get(&flip.case_id) else { continue };
        let own = case.claims.iter().find(|claim| claim.claim_id == flip.claim_id).map(|claim| &claim.slices);
        for (dimension, value) in case.slices.iter().chain(own.into_iter().flatten()) {
            count(&mut counted.entry((dimension.to_string(), value.to_string())).or_default().1, flip.direction);
        }
    }
    let entry = |((dimension, value), (cases, claims))| SliceMoves { dimension, value, cases, claims };
    let mut slices: Vec<SliceMoves> = counted.into_iter().map(entry).collect();
    let total = |slice: &SliceMoves| slice.cases.total() + slice.claims.total();
    slices.sort_by_key(|slice| std::cmp::Reverse(total(slice)));
    slices
}

/// Metrics that have another value: overall first, then by slice.
fn deltas(before: (&Recounted, &Policy), after: (&Recounted, &Policy)) -> Vec<MetricDelta> {
    type Key = (String, Average, SliceKey);
    let listed = |(counted, policy): (&Recounted, &Policy)| -> Vec<(Key, Measured)> {
        let entries = counted.tally.metric_entries(&counted.table, &policy.gates);
        entries.into_iter().map(|entry| ((entry.metric, entry.average, entry.slice), entry.listed.into())).collect()
    };
    let (old, new) = (listed(before), listed(after));
    // Which metrics are listed depends on the gates: of one that only one side lists the other side's value is asked for.
    let ask = |(counted, _): (&Recounted, &Policy), (metric, average, slice): &Key| -> Option<Measured> {
        let metric = counted.table.metric_named(metric)?;
        Some(counted.tally.slice(slice)?.listed(&metric, *average).into())
    };
    let mut deltas = Vec::new();
    let mut put = |key: &Key, before: Option<Measured>, after: Option<Measured>| {
        if before != after {
            let (metric, average, slice) = key;
            deltas.push(MetricDelta {
                metric: metric.clone(),
                average: *average,
                slice: slice.to_map(),
                before,
                after,
            });
        }
    };
    let mut seen = std::collections::BTreeSet::new();
    for (key, measured) in &new {
        put(key, ask(before, key), Some(*measured));
        seen.insert(key.clone());
    }
    for (key, measured) in old.iter().filter(|(key, _)| !seen.contains(key)) {
        put(key, Some(*measured), ask(after, key));
    }
    deltas.sort_by_key(|delta| !delta.slice.is_empty());
    deltas
}
