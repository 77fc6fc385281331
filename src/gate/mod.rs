//! Gates: the counts of a tally held against the bounds of a policy (SPEC 7). A gate sees tallies and never a record.
//!
//! Each gate is judged on each of its slices. The verdict says how it came out; the effect says what that means for the
//! run. Values are compared with bounds exactly; nothing that was not measured passes by accident.

pub mod baseline_cases;
mod compare;
pub mod counting;
pub mod display;
pub mod drop;
mod judge;
mod reason;
pub mod statistics;
#[cfg(test)]
mod tests;
pub mod unreviewed;

use serde::{Deserialize, Serialize};

use crate::check::Severity;
use crate::rules::metric::Average;
use crate::rules::policy::{Bound, Gate, Reaction, Target};
use crate::tally::paired::PairedTally;
use crate::tally::{Listed, RuleTable, SliceKey, Tally};

pub use compare::wanted;

/// Whether a metric measures the data. How many claims wait for a reviewer, and which cases of a baseline are there, do not.
#[must_use]
pub fn measures_data(metric: &str) -> bool {
    metric != unreviewed::METRIC && metric != baseline_cases::METRIC
}

/// How a gate came out on one slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The bounds hold.
    Pass,
    /// A bound does not hold, and the gate's severity is not `error`.
    Warn,
    /// A bound does not hold, or too many evaluations broke.
    Fail,
    /// There is data, but not enough of it to decide.
    Inconclusive,
    /// There is nothing to judge: no denominator, no such slice, or nothing to compare with.
    NoData,
}

/// What a verdict means for the run. Ordered: the worst of a run's effects decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing.
    Pass,
    /// It is said loudly.
    Warn,
    /// The run fails.
    Fail,
}

impl From<Reaction> for Effect {
    fn from(reaction: Reaction) -> Self {
        match reaction {
            Reaction::Fail => Effect::Fail,
            Reaction::Warn => Effect::Warn,
            Reaction::Pass => Effect::Pass,
        }
    }
}

/// What decided a verdict; the keys of a gate's `on:` among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The value against the bounds.
    Bound,
    /// More evaluations broke than `max_broken` allows.
    Broken,
    /// The denominator is 0, or the slice never occurred.
    NoData,
    /// The denominator is under `min_samples`.
    TooFew,
    /// The statistics do not decide.
    Inconclusive,
    /// The gate compares with a baseline, and there is none.
    MissingBaseline,
    /// The baseline was judged by other rules, another engine or another judge, and the policy refuses to compare.
    Mismatch,
    /// A slice of the baseline is gone.
    MissingSlice,
    /// Cases of the baseline are gone, or left the slice.
    RemovedCases,
    /// Too many cases that counted in the baseline have nothing to count any more: refused, say, or not cited.
    EmptiedCases,
    /// Too many cases ask something else than in the baseline.
    ChangedQuestions,
    /// The baseline has no case in the slice: there is nothing that could have got worse.
    NewSlice,
    /// It would fail only through judge labels that changed and that nobody reviewed.
    UnreviewedLabels,
}

/// The bounds that a result was held against, as written in the policy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Lowest value that passes.
    pub min: Option<String>,
    /// Highest value that passes.
    pub max: Option<String>,
    /// Largest drop against the baseline.
    pub max_drop: Option<String>,
    /// Largest rise against the baseline.
    pub max_rise: Option<String>,
    /// Whether drop and rise are shares of the baseline's value.
    pub relative: bool,
}

impl Bounds {
    fn of(target: &Target) -> Self {
        let text = |bound: &Option<Bound>| bound.as_ref().map(|bound| bound.text.clone());
        Self {
            min: text(&target.min),
            max: text(&target.max),
            max_drop: text(&target.max_drop),
            max_rise: text(&target.max_rise),
            relative: target.relative,
        }
    }
}

/// How one gate came out on one slice.
#[derive(Debug, Clone, PartialEq)]
pub struct GateResult {
    /// Id of the gate.
    pub gate: String,
    /// `file:line` of the gate in the policy.
    pub place: String,
    /// The metric as the policy names it.
    pub metric: String,
    /// How cases are put together.
    pub average: Average,
    /// The slice. Where a gate over every value of a dimension met none, the value is `*`.
    pub slice: SliceKey,
    /// What a failure means.
    pub severity: Severity,
    /// How it came out.
    pub verdict: Verdict,
    /// What that means for the run.
    pub effect: Effect,
    /// What decided.
    pub cause: Cause,
    /// Why, in one sentence without a full stop.
    pub reason: String,
    /// Numerator, denominator and value.
    pub listed: Listed,
    /// Cases with a denominator.
    pub cases: u64,
    /// Subjects whose evaluation broke, skipped lines and missing answers included.
    pub broken: u64,
    /// The bounds.
    pub bounds: Bounds,
    /// Least denominator that the gate judges.
    pub min_samples: u64,
    /// One-sided confidence as written, where statistics were asked for.
    pub confidence: Option<String>,
    /// One-sided lower and upper limits of the value at that confidence.
    pub interval: Option<(f64, f64)>,
    /// The value as it is and with every undecided claim supported, where undecided claims hold it down.
    pub range: Option<(f64, f64)>,
    /// How it came out against each baseline, where it compares.
    pub comparisons: Vec<Compared>,
}

/// A baseline that gates are held against.
#[derive(Debug, Clone, Copy)]
pub struct Against<'a> {
    /// Its name.
    pub name: &'a str,
    /// Why there is none, where there is none.
    pub missing: Option<&'a str>,
    /// Why the policy refuses to compare with it, where it does.
    pub refused: Option<&'a str>,
    /// Slice dimensions (index in the policy) that it does not know.
    pub unknown_dimensions: &'a [usize],
    /// The cases of both sides; for what [`wanted`] says.
    pub paired: &'a PairedTally,
    /// The highest share of changed questions.
    pub max_changed: &'a Bound,
}

/// How a gate came out against one baseline on one slice.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// Name of the baseline.
    pub baseline: String,
    /// How it came out.
    pub verdict: Verdict,
    /// What that means for the run.
    pub effect: Effect,
    /// What decided.
    pub cause: Cause,
    /// Why, in one sentence without a full stop.
    pub reason: String,
    /// The baseline's value over the paired cases.
    pub before: Option<f64>,
    /// The value now over the paired cases.
    pub now: Option<f64>,
    /// By how much it got worse; negative where it got better.
    pub drop: Option<f64>,
    /// K, N, K′, N′ over the paired cases, unprimed = baseline; of micro averages.
    pub counts: Option<[u64; 4]>,
    /// Paired cases with a denominator on either side.
    pub paired_cases: u64,
    /// Cases of the baseline that are not in the slice any more.
    pub removed: u64,
    /// Cases that the baseline does not have in the slice.
    pub added: u64,
    /// Cases that ask something else.
    pub changed: u64,
    /// One-sided p of the drop, where statistics were asked for.
    pub p: Option<f64>,
    /// The same, adjusted for the number of slices (Holm).
    pub adjusted_p: Option<f64>,
    /// How p was come by.
    pub method: Option<drop::Method>,
    /// The least true drop that would be seen four times in five.
    pub smallest_detectable: Option<f64>,
}

/// Every gate of a run, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// In the order of the policy; within a gate in the order of its targets, within a dimension in that of its values.
    pub results: Vec<GateResult>,
    /// Whether any gate had a value to judge.
    pub measured: bool,
}

impl Decision {
    /// Whether the run passes: something was measured, and no gate's effect is to fail.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.measured && self.count(Effect::Fail) == 0
    }

    /// Holds back failures that rest on labels of a judge alone: what fails here and does not `without` the judge's
    /// `labels` that changed and that nobody reviewed is inconclusive, and warns.
    pub fn excuse_unreviewed(&mut self, without: &Decision, labels: u64) {
        for result in self.results.iter_mut().filter(|result| result.effect == Effect::Fail) {
            let twin = without.results.iter().find(|twin| twin.gate == result.gate && twin.slice == result.slice);
            if twin.is_none_or(|twin| twin.effect == Effect::Fail) {
                continue;
            }
            (result.verdict, result.effect, result.cause) =
                (Verdict::Inconclusive, Effect::Warn, Cause::UnreviewedLabels);
            let labels = if labels == 1 { "1 label".to_owned() } else { format!("{labels} labels") };
            result.reason.push_str("; with the baseline's labels it holds: ");
            result.reason.push_str(&labels);
            result.reason.push_str(" of the judge changed, and nobody reviewed them");
        }
    }

    /// How many results have this effect.
    #[must_use]
    pub fn count(&self, effect: Effect) -> usize {
        self.results.iter().filter(|result| result.effect == effect).count()
    }
}

/// Judges every gate on every slice that it names, and against every baseline: all must hold. `table` is the one that the
/// tally was made with.
#[must_use]
pub fn judge(gates: &[Gate], tally: &Tally, table: &RuleTable, against: &[Against<'_>]) -> Decision {
    let results: Vec<_> = gates.iter().flat_map(|gate| judge::gate(gate, tally, table, against)).collect();
    let measured = results.iter().any(|result| result.listed.value.is_some());
    Decision { results, measured }
}
