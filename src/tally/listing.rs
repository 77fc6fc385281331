//! What `run.json` lists of a tally (SPEC 8.1): metrics, labels, findings and rule outcomes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::table::position;
use super::{DimensionEntry, RuleTable, SliceKey, SliceTally, Tally, Value};
use crate::rules::metric::{self, Average, Level, Metric};
use crate::rules::policy::Gate;

/// A number in a listing: a count, or the sum of ratios that a macro average divides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Number {
    /// A count.
    Count(u64),
    /// A sum of ratios, or a count beyond 64 bits.
    Real(f64),
}

/// One entry of `metrics` in `run.json`. Micro: numerator and denominator are counts. Macro: the sum of the per-case
/// ratios over the number of cases that have one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetricEntry {
    /// Name of the metric.
    pub metric: String,
    /// How cases are put together.
    pub average: Average,
    /// The slice, by dimension; empty for everything.
    pub slice: BTreeMap<String, String>,
    /// Numerator.
    pub numerator: Number,
    /// Denominator; 0 for `no_data`.
    pub denominator: Number,
    /// The value; `null` for `no_data`.
    pub value: Option<f64>,
    /// Cases with a denominator.
    pub cases: u64,
    /// Subjects on which an evaluation that the metric rests on broke.
    pub broken: u64,
    /// For `citation_correctness` and `supported_and_cited`: the value as it is, and as it would be with every undecided
    /// claim supported.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub range: Option<[f64; 2]>,
}

/// Outcomes of one rule over its subjects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleCounts {
    /// Subjects on which it holds.
    pub pass: u64,
    /// Subjects on which it does not.
    pub fail: u64,
    /// Subjects it has nothing to say about.
    pub not_applicable: u64,
    /// Subjects it could not be evaluated on.
    pub broken: u64,
}

/// Size and labels of one slice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceEntry {
    /// The slice, by dimension; empty for everything.
    pub slice: BTreeMap<String, String>,
    /// Cases in it, or with a claim or citation in it.
    pub cases: u64,
    /// Claims in it; 0 for slices of citations.
    pub claims: u64,
    /// Citations in it.
    pub citations: u64,
    /// Labels of its cited verifiable claims.
    pub labels: serde_json::Map<String, serde_json::Value>,
    /// The same by who decided: `rule:<id>`, `integrity`, `judge`, `review`, or `nobody`.
    pub decided_by: BTreeMap<String, serde_json::Map<String, serde_json::Value>>,
}

impl SliceKey {
    /// The slice as files say it: by dimension, empty for everything.
    #[must_use]
    pub fn to_map(&self) -> BTreeMap<String, String> {
        match self {
            SliceKey::Overall => BTreeMap::new(),
            SliceKey::Value { dimension, value } => BTreeMap::from([(dimension.clone(), value.clone())]),
        }
    }
}

impl SliceTally {
    /// Numerator and denominator as files list them, with the value; 0 / 0 and `None` for `no_data`.
    #[must_use]
    pub fn listed(&self, metric: &Metric, average: Average) -> (Number, Number, Option<Value>) {
        let value = self.value(metric, average);
        let counts = self.counts(metric);
        let (numerator, denominator) = match (&value, average) {
            (Some(value), Average::Macro) => {
                #[allow(clippy::cast_precision_loss, reason = "shown, never compared")]
                let sum = value.to_f64() * value.cases as f64;
                (Number::Real(sum), Number::Count(value.cases))
            }
            (Some(value), Average::Micro) if *metric == metric::CITATION_F1 => value.lowest_terms(),
            _ => (
                Number::Count(counts.map_or(0, |counts| counts.k)),
                Number::Count(counts.map_or(0, |counts| if average == Average::Micro { counts.n } else { 0 })),
            ),
        };
        (numerator, denominator, value)
    }

    fn entry(&self, metric: &Metric, average: Average, slice: &SliceKey, table: &RuleTable) -> MetricEntry {
        let (numerator, denominator, value) = self.listed(metric, average);
        let value = value.as_ref().map(Value::to_f64);
        let undecided = self.undecided(metric).filter(|_| average == Average::Micro);
        MetricEntry {
            metric: table.metric_name(metric),
            average,
            slice: slice.to_map(),
            numerator,
            denominator,
            value,
            cases: self.counts(metric).map_or(0, |counts| counts.cases),
            broken: self.counts(metric).map_or(0, |counts| counts.broken),
            range: value.zip(undecided).map(|(value, undecided)| [value, self.with_undecided(metric, undecided)]),
        }
    }

    fn with_undecided(&self, metric: &Metric, undecided: u64) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "shown, never compared")]
        self.counts(metric).map_or(0.0, |counts| (counts.k.saturating_add(undecided)) as f64 / counts.n.max(1) as f64)
    }
}

fn label_map<'l>(
    labels: impl Iterator<Item = (crate::dataset::Label, u64)> + 'l,
) -> serde_json::Map<String, serde_json::Value> {
    labels.map(|(label, count)| (label.as_str().to_owned(), count.into())).collect()
}

impl Tally {
    /// Every slice that occurred, with its counts: everything first, then the dimensions in policy order.
    #[must_use]
    pub fn slices<'t>(&'t self, table: &'t RuleTable) -> Vec<(SliceKey, &'t SliceTally, Option<&'t DimensionEntry>)> {
        let values = table.dimensions.iter().flat_map(|dimension| {
            self.values(dimension).into_iter().map(move |(value, slice)| {
                let key = SliceKey::Value { dimension: dimension.id.clone(), value: value.to_owned() };
                (key, slice, Some(dimension))
            })
        });
        std::iter::once((SliceKey::Overall, &self.overall, None)).chain(values).collect()
    }

    /// The entries of `metrics`: in every slice the metrics that are always listed, those that a gate names, and those
    /// that were measured there; of rules, overall only unless a gate names them. Scores stand there micro and macro,
    /// others macro only where a gate asks for it.
    #[must_use]
    pub fn metric_entries(&self, table: &RuleTable, gates: &[Gate]) -> Vec<MetricEntry> {
        let gated: BTreeSet<(Metric, Average)> = gates.iter().map(|gate| (gate.metric.clone(), gate.average)).collect();
        let mut entries = Vec::new();
        for (key, slice, dimension) in self.slices(table) {
            let level = dimension.map_or(Level::Case, |dimension| dimension.level);
            for metric in table.metrics().filter(|metric| table.level(metric) >= level) {
                for average in [Average::Micro, Average::Macro] {
                    let is_gated = gated.contains(&(metric.clone(), average));
                    if is_gated || slice.lists(&metric, average, dimension.is_none()) {
                        entries.push(slice.entry(&metric, average, &key, table));
                    }
                }
            }
        }
        entries
    }

    /// The labels of all cited verifiable claims, in the order of reports.
    #[must_use]
    pub fn label_counts(&self) -> serde_json::Map<String, serde_json::Value> {
        label_map(self.overall.labels())
    }

    /// Size and labels of every slice that occurred.
    #[must_use]
    pub fn slice_entries(&self, table: &RuleTable) -> Vec<SliceEntry> {
        self.slices(table).into_iter().map(|(key, slice, _)| slice.slice_entry(&key)).collect()
    }

    /// Findings of each rule that found something.
    #[must_use]
    pub fn finding_counts(&self) -> BTreeMap<String, u64> {
        let found = self.rules.iter().zip(&self.overall.findings).filter(|(_, count)| **count > 0);
        found.map(|(rule, count)| (rule.clone(), *count)).collect()
    }

    /// Outcomes of each rule.
    #[must_use]
    pub fn rule_counts(&self) -> BTreeMap<String, RuleCounts> {
        self.rules.iter().zip(self.overall.rule_outcomes()).map(|(rule, counts)| (rule.clone(), counts)).collect()
    }
}

impl SliceTally {
    fn lists(&self, metric: &Metric, average: Average, is_overall: bool) -> bool {
        let was_measured = self.metrics.get(position(metric)).is_some_and(|counts| !counts.is_empty());
        match (metric.entry(), average) {
            (Some(entry), Average::Micro) => entry.always_listed || was_measured,
            (Some(entry), Average::Macro) => entry.always_listed && entry.level == Level::Case && entry.has_macro,
            (None, Average::Micro) => is_overall && was_measured,
            (None, Average::Macro) => false,
        }
    }

    /// Outcomes of each rule in this slice, in policy order.
    pub fn rule_outcomes(&self) -> impl Iterator<Item = RuleCounts> + '_ {
        self.outcomes.iter().map(|&[pass, fail, not_applicable, broken]| RuleCounts {
            pass,
            fail,
            not_applicable,
            broken,
        })
    }

    fn slice_entry(&self, key: &SliceKey) -> SliceEntry {
        let mut decided_by: BTreeMap<String, serde_json::Map<_, _>> = BTreeMap::new();
        for (decider, label, count) in self.labels_by_decider() {
            decided_by.entry(decider.to_owned()).or_default().insert(label.as_str().to_owned(), count.into());
        }
        SliceEntry {
            slice: key.to_map(),
            cases: self.cases,
            claims: self.claims,
            citations: self.citations,
            labels: label_map(self.labels()),
            decided_by,
        }
    }
}
