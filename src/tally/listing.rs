//! What a run lists of a tally (SPEC 8.1): metrics, slices and rule outcomes.

use std::collections::{BTreeMap, BTreeSet};

use super::{DimensionEntry, RuleTable, SliceKey, SliceTally, Tally, Value};
use crate::diagnostic::harmless;
use crate::rules::metric::{self, Average, Level, Metric};
use crate::rules::policy::Gate;

/// A metric with its exact parts and its value, as far as they can be listed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Listed {
    /// Micro: the numerator, `None` where it passes 64 bits (of an f1 in lowest terms). Macro: `None`.
    pub numerator: Option<u64>,
    /// Micro: the denominator. Macro: the cases that have one. 0 for `no_data`.
    pub denominator: u64,
    /// The value; `None` for `no_data`. Finite.
    pub value: Option<f64>,
}

/// One metric in one slice.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricEntry {
    /// Name of the metric.
    pub metric: String,
    /// How cases are put together.
    pub average: Average,
    /// The slice.
    pub slice: SliceKey,
    /// Numerator, denominator and value.
    pub listed: Listed,
    /// Cases with a denominator.
    pub cases: u64,
    /// Subjects on which an evaluation that the metric rests on broke.
    pub broken: u64,
    /// For `citation_correctness` and `supported_and_cited` (micro): the value as it is, and as it would be with every
    /// undecided claim supported.
    pub range: Option<(f64, f64)>,
}

/// Outcomes of one rule over its subjects, and what reviewers said of its findings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RuleCounts {
    /// Subjects on which it holds.
    pub pass: u64,
    /// Subjects on which it does not.
    pub fail: u64,
    /// Subjects it has nothing to say about.
    pub not_applicable: u64,
    /// Subjects it could not be evaluated on.
    pub broken: u64,
    /// Findings that reviewers confirmed.
    pub confirmed: u64,
    /// Findings that reviewers overturned.
    pub overturned: u64,
}

impl SliceKey {
    /// The slice as a sentence ends with it: ` in language=de`, nothing for everything.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            SliceKey::Overall => String::new(),
            SliceKey::Value { dimension, value } => format!(" in {}={}", harmless(dimension), harmless(value)),
        }
    }

    /// The slice as files say it: value by dimension, empty for everything.
    #[must_use]
    pub fn to_map(&self) -> BTreeMap<String, String> {
        match self {
            SliceKey::Overall => BTreeMap::new(),
            SliceKey::Value { dimension, value } => BTreeMap::from([(dimension.clone(), value.clone())]),
        }
    }
}

impl SliceTally {
    /// A metric as it is listed.
    #[must_use]
    pub fn listed(&self, metric: &Metric, average: Average) -> Listed {
        let value = self.value(metric, average);
        let (numerator, denominator) = match &value {
            None => (None, 0),
            Some(value) if average == Average::Macro => (None, value.cases),
            Some(value) if *metric == metric::CITATION_F1 => value.lowest_terms(),
            Some(value) => value.counts().map_or_else(|| (None, value.samples), |(k, n)| (Some(k), n)),
        };
        // Nothing out of nothing: a numerator of 0 says that nothing was counted, the absent value that it is no rate.
        let numerator = numerator.or((value.is_none() && average == Average::Micro).then_some(0));
        Listed { numerator, denominator, value: value.as_ref().map(Value::to_f64) }
    }

    /// For the metrics that undecided claims hold down (`citation_correctness`, `supported_and_cited`): the value
    /// [s/n, (s+u)/n] as it is, and as it would be with every undecided claim supported.
    #[must_use]
    pub fn range(&self, metric: &Metric) -> Option<(f64, f64)> {
        let counts = self.counts(metric).filter(|counts| counts.n > 0)?;
        let undecided = self.undecided(metric)?;
        let share = |k: u64| Value::ratio(k, counts.n).map(|value| value.to_f64());
        share(counts.k).zip(share(counts.k.saturating_add(undecided)))
    }

    /// Outcomes of each rule in this slice, in policy order.
    pub fn rule_outcomes(&self) -> impl Iterator<Item = RuleCounts> + '_ {
        let rules = self.outcomes.iter().zip(&self.reviewed);
        rules.map(|(&[pass, fail, not_applicable, broken], &[confirmed, overturned])| RuleCounts {
            pass,
            fail,
            not_applicable,
            broken,
            confirmed,
            overturned,
        })
    }

    fn entry(&self, metric: &Metric, average: Average, slice: &SliceKey, table: &RuleTable) -> MetricEntry {
        let counts = self.counts(metric);
        MetricEntry {
            metric: table.metric_name(metric),
            average,
            slice: slice.clone(),
            listed: self.listed(metric, average),
            cases: counts.map_or(0, |counts| counts.cases),
            broken: counts.map_or(0, |counts| counts.broken),
            range: self.range(metric).filter(|_| average == Average::Micro),
        }
    }

    fn lists(&self, metric: &Metric, average: Average, is_overall: bool) -> bool {
        let was_measured = self.counts(metric).is_some_and(|counts| !counts.is_empty());
        match (metric.entry(), average) {
            (Some(entry), Average::Micro) => is_overall || entry.always_listed || was_measured,
            (Some(_), Average::Macro) => SCORES.contains(metric),
            (None, Average::Micro) => is_overall && was_measured,
            (None, Average::Macro) => false,
        }
    }
}

/// The citation scores, which are always listed as macro averages too.
const SCORES: [Metric; 4] =
    [metric::CITATION_PRECISION, metric::CITATION_RECALL, metric::CITATION_F1, metric::WEIGHTED_RECALL];

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

    /// The entries of `metrics`: overall every metric of the catalogue (without a value where nothing was measured), in
    /// every slice the metrics that are always listed, those that a gate names, and those
    /// that were measured there; of rules, overall only unless a gate names them. Scores stand there micro and macro,
    /// others macro only where a gate asks for it. The fail rates of rules stand where a gate is judged on them, and nowhere else.
    #[must_use]
    pub fn metric_entries(&self, table: &RuleTable, gates: &[Gate]) -> Vec<MetricEntry> {
        let gated: BTreeSet<(Metric, Average)> = gates.iter().map(|gate| (gate.metric.clone(), gate.average)).collect();
        let fail_rates = gates.iter().filter(|gate| matches!(gate.metric, Metric::FailRate(_)));
        let fail_rates: BTreeSet<(&Metric, Average, Option<&str>)> = fail_rates
            .flat_map(|gate| {
                gate.targets.iter().map(|target| {
                    let dimension = target.slices.dimension().and_then(|index| table.dimensions.get(index));
                    (&gate.metric, gate.average, dimension.map(|dimension| dimension.id.as_str()))
                })
            })
            .collect();
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
            let here = dimension.map(|dimension| dimension.id.as_str());
            for (metric, average, _) in fail_rates.iter().filter(|(.., of)| *of == here) {
                entries.push(slice.entry(metric, *average, &key, table));
            }
        }
        entries
    }

    /// Findings of each rule that found something, observed ones included.
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
