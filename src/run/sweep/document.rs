//! The JSON form of a sweep: a versioned format, documented in `docs/run-format.md`, apart from the types that compute it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::gate::GateSweep;
use super::rule::{Point, RuleSweep};
use super::{SCHEMA, grid};
use crate::check::Outcome;
use crate::gate::Verdict;
use crate::rules::metric::Average;
use crate::rules::policy::Bound;

/// What was swept and how it came out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Document {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The threshold.
    pub of: Of,
    /// The runs, as they were named.
    pub runs: Vec<String>,
    /// What it was made of.
    pub made_of: Made,
    /// By threshold, ascending, everything together.
    pub points: Vec<PointEntry>,
    /// Every run (and of a gate every slice) on its own.
    pub series: Vec<SeriesEntry>,
    /// What a reader must know, one sentence each.
    pub notes: Vec<String>,
}

/// What a sweep was made of, so that whoever puts it beside a run can tell whether it is about that run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Made {
    /// Digest of the manifest of each run, in the order of `runs`.
    pub manifests: Vec<String>,
    /// Digest of the part of the policy that decides records.
    pub evaluation_digest: String,
    /// Digest of the gates and what belongs to them.
    pub gates_digest: String,
}

/// Which threshold.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Of {
    /// A bound of a gate.
    Gate {
        /// Its id.
        gate: String,
        /// The metric that it holds.
        metric: String,
        /// How cases are put together.
        average: Average,
        /// `min`, `max`, `max_drop` or `max_rise`.
        bound: &'static str,
        /// `file:line`.
        place: String,
    },
    /// An option of a rule.
    Rule {
        /// Its id.
        rule: String,
        /// Its kind.
        check: String,
        /// The option.
        option: &'static str,
        /// What it is a threshold on.
        measures: &'static str,
        /// The value in the policy.
        chosen: String,
        /// Which outcome the option decides, and so what `labelled` counts: `fail` (against: people see a defect) or `pass` (against: people
        /// see support).
        decides: Outcome,
        /// `file:line`.
        place: String,
    },
}

/// One threshold over everything.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PointEntry {
    /// The threshold, exactly.
    pub threshold: String,
    /// Whether the policy has this value (a gate: for one of the slices).
    pub chosen: bool,
    /// How it came out.
    #[serde(flatten)]
    pub counts: PointCounts,
}

/// How a threshold came out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum PointCounts {
    /// A gate: (run, slice) by verdict.
    Gate {
        /// (run, slice) that pass.
        pass: u64,
        /// All of them.
        of: u64,
        /// By verdict; those that none has are left out.
        verdicts: BTreeMap<Verdict, u64>,
    },
    /// A rule: its subjects.
    Rule {
        /// Subjects on which it passes.
        pass: u64,
        /// Subjects on which it fails.
        fail: u64,
        /// Subjects on which it has nothing to say.
        not_applicable: u64,
        /// How often it is right; `null` where nothing is labelled.
        labelled: Option<Labelled>,
    },
}

/// The rule against the labels that people gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Labelled {
    /// It says so, and people do.
    pub tp: u64,
    /// It says so, and people do not.
    pub fp: u64,
    /// It does not, nor do people.
    pub tn: u64,
    /// It does not, and people do.
    #[serde(rename = "fn")]
    pub fn_: u64,
}

/// One run (of a gate: on one slice).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SeriesEntry {
    /// Of a gate.
    Gate {
        /// The run.
        run: String,
        /// Value by slice dimension; empty: everything.
        slice: BTreeMap<String, String>,
        /// The bound as the policy has it here.
        chosen: String,
        /// The metric's value; `null` over nothing.
        value: Option<f64>,
        /// What is counted; `null` of a macro average.
        numerator: Option<u64>,
        /// Out of how many.
        denominator: u64,
        /// By threshold, in the order of `points`.
        verdicts: Vec<Verdict>,
    },
    /// Of a rule.
    Rule {
        /// The run.
        run: String,
        /// Subjects that could not be evaluated.
        broken: u64,
        /// By threshold, in the order of `points`.
        points: Vec<PointCounts>,
    },
}

impl Document {
    /// The sweep of a gate.
    #[must_use]
    pub fn of_gate(sweep: &GateSweep, runs: Vec<String>, made_of: Made) -> Self {
        let point = |(index, threshold): (usize, &Bound)| {
            let mut verdicts = BTreeMap::new();
            for verdict in sweep.series.iter().filter_map(|series| series.verdicts.get(index)) {
                *verdicts.entry(*verdict).or_default() += 1;
            }
            PointEntry {
                threshold: threshold.text.clone(),
                chosen: sweep.series.iter().any(|series| grid::cmp(&series.chosen, threshold).is_eq()),
                counts: PointCounts::Gate {
                    pass: verdicts.get(&Verdict::Pass).copied().unwrap_or_default(),
                    of: sweep.series.len() as u64,
                    verdicts,
                },
            }
        };
        let series = |series: &super::gate::Series| SeriesEntry::Gate {
            run: series.run.clone(),
            slice: series.slice.to_map(),
            chosen: series.chosen.text.clone(),
            value: series.listed.value,
            numerator: series.listed.numerator,
            denominator: series.listed.denominator,
            verdicts: series.verdicts.clone(),
        };
        Self {
            schema: SCHEMA,
            of: Of::Gate {
                gate: sweep.gate.clone(),
                metric: sweep.metric.clone(),
                average: sweep.average,
                bound: sweep.side.as_str(),
                place: sweep.place.clone(),
            },
            runs,
            made_of,
            points: sweep.grid.thresholds.iter().enumerate().map(point).collect(),
            series: sweep.series.iter().map(series).collect(),
            notes: sweep.notes.clone(),
        }
    }

    /// The sweep of a rule's option.
    #[must_use]
    pub fn of_rule(sweep: &RuleSweep, runs: Vec<String>, made_of: Made) -> Self {
        let points = sweep.grid.thresholds.iter().zip(sweep.total()).map(|(threshold, point)| PointEntry {
            threshold: threshold.text.clone(),
            chosen: grid::cmp(&sweep.chosen, threshold).is_eq(),
            counts: counts(&point),
        });
        let series = sweep.series.iter().map(|series| SeriesEntry::Rule {
            run: series.run.clone(),
            broken: series.broken,
            points: series.points.iter().map(counts).collect(),
        });
        Self {
            schema: SCHEMA,
            of: Of::Rule {
                rule: sweep.rule.clone(),
                check: sweep.kind.clone(),
                option: sweep.threshold.option,
                measures: sweep.threshold.measures,
                chosen: sweep.chosen.text.clone(),
                decides: sweep.threshold.decides,
                place: sweep.place.clone(),
            },
            runs,
            made_of,
            points: points.collect(),
            series: series.collect(),
            notes: sweep.notes.clone(),
        }
    }
}

fn counts(point: &Point) -> PointCounts {
    let confusion = point.confusion;
    let labelled = Labelled { tp: confusion.tp, fp: confusion.fp, tn: confusion.tn, fn_: confusion.fn_ };
    PointCounts::Rule {
        pass: point.pass,
        fail: point.fail,
        not_applicable: point.not_applicable,
        labelled: (confusion.total() > 0).then_some(labelled),
    }
}
