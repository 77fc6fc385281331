//! The slices that come out worst: those whose gates fail, then those that fall furthest behind the whole.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::gate::{self, GateRow, Measured};
use super::heat::FEW;
use super::visible::one_line;
use crate::rules::metric::{Average, Direction, direction_of};
use crate::run::RunJson;
use crate::run::manifest::{GateEntry, MetricEntry};

/// Most slices that are listed.
const MOST: usize = 20;
/// Metrics that a slice is held against the whole by, gate or not.
const ALWAYS: [&str; 4] = ["citation_correctness", "claim_coverage", "defect_rate", "case_pass_rate"];

/// A slice that comes out worse than the whole.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WorstSlice {
    /// `language = de`.
    pub slice: String,
    /// The metric by which it is worst, as the policy calls it.
    pub metric: String,
    /// The metric in words.
    pub metric_words: String,
    /// Its value there, `21.4 %`.
    pub value: String,
    /// `6/28`.
    pub fraction: String,
    /// The metric's value over everything, `5.1 %`.
    pub overall: String,
    /// `at most 8 %`, where a gate judges the metric in this slice; else empty.
    pub bound: String,
    /// Change against the baseline, `▼ 1.2 points`; empty without one.
    pub delta: String,
    /// Verdict of that gate; empty without one.
    #[schemars(schema_with = "super::schema::gate_verdict_or_none")]
    pub verdict: &'static str,
}

/// The worst slices, each once, by the metric by which it is worst: first those whose gate fails, then by the distance from
/// the whole. Slices with fewer than [`FEW`] samples stand here only where a gate judges them.
pub(super) fn slices(run: &RunJson, gates: &[GateRow]) -> Vec<WorstSlice> {
    let whole: BTreeMap<(&str, Average), &MetricEntry> = run
        .metrics
        .iter()
        .filter(|entry| entry.slice.is_empty())
        .map(|entry| ((entry.metric.as_str(), entry.average), entry))
        .collect();
    let mut worst: BTreeMap<&BTreeMap<String, String>, (bool, f64, &MetricEntry)> = BTreeMap::new();
    for entry in run.metrics.iter().filter(|entry| !entry.slice.is_empty()) {
        let Some(overall) = whole.get(&(entry.metric.as_str(), entry.average)) else { continue };
        let Some(behind) = behind(entry, overall) else { continue };
        let gate = judging(run, entry);
        let fails = gate.is_some_and(|gate| gate.effect == crate::gate::Effect::Fail);
        let is_shown = ALWAYS.contains(&entry.metric.as_str()) && entry.average == Average::Micro;
        let is_enough = entry.denominator.count().is_none_or(|samples| samples >= FEW);
        if !(fails || behind > 0.0 && is_enough && (is_shown || gate.is_some())) {
            continue;
        }
        let now = (fails, behind, entry);
        let before = worst.entry(&entry.slice).or_insert(now);
        if (fails, behind) > (before.0, before.1) {
            *before = now;
        }
    }
    let mut worst: Vec<_> = worst.into_values().collect();
    // Stable: what is alike stays in the order of its names.
    worst.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)));
    worst.truncate(MOST);
    worst
        .into_iter()
        .map(|(_, _, entry)| line(run, gates, entry, whole.get(&(entry.metric.as_str(), entry.average))))
        .collect()
}

/// By how much a slice is worse than the whole, negative where it is better; `None` where neither side is the better one.
fn behind(entry: &MetricEntry, overall: &MetricEntry) -> Option<f64> {
    let gap = entry.value? - overall.value?;
    match direction_of(&entry.metric) {
        Direction::Higher => Some(-gap),
        Direction::Lower => Some(gap),
        Direction::Neither => None,
    }
}

/// The gate on this metric in this slice that came out worst.
fn judging<'r>(run: &'r RunJson, entry: &MetricEntry) -> Option<&'r GateEntry> {
    let same =
        |gate: &&GateEntry| gate.slice == entry.slice && gate.metric == entry.metric && gate.average == entry.average;
    run.gates.iter().filter(same).max_by_key(|gate| (gate.effect, gate.verdict))
}

fn line(run: &RunJson, gates: &[GateRow], entry: &MetricEntry, overall: Option<&&MetricEntry>) -> WorstSlice {
    let judging = judging(run, entry);
    let bounds = judging.map(gate::bounds).unwrap_or_default();
    let of = |entry: &MetricEntry| {
        let measured = Measured::from(entry);
        (measured.text(&bounds).unwrap_or_else(|| "no data".to_owned()), measured.fraction())
    };
    let slice = gate::slice_words(&entry.slice);
    let row =
        judging.and_then(|judging| gates.iter().find(|row| row.slice == slice && row.gate == one_line(&judging.gate)));
    let (value, fraction) = of(entry);
    WorstSlice {
        slice,
        metric: one_line(&entry.metric),
        metric_words: gate::metric_words(&entry.metric, entry.average),
        value,
        fraction,
        overall: overall.map(|overall| of(overall).0).unwrap_or_default(),
        bound: row.map(|row| row.bound.clone()).unwrap_or_default(),
        delta: row.map(|row| row.delta.clone()).unwrap_or_default(),
        verdict: judging.map(|gate| gate::words(gate.verdict).0).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::super::view::View;

    #[test]
    fn a_slice_whose_gate_fails_comes_first() {
        let view = View::build(&fixture::run(), &fixture::selection()).expect("a view");
        let first = &view.worst_slices[0];
        let plain = |text: &str| text.replace('\u{a0}', " ");
        assert_eq!(
            (first.slice.as_str(), first.metric_words.as_str(), first.verdict),
            ("language = de", "defect rate", "fail")
        );
        assert_eq!((plain(&first.value), plain(&first.bound)), ("21.4 %".to_owned(), "at most 8 %".to_owned()));
        assert_eq!(first.fraction, "6/28");
        let mut slices: Vec<&str> = view.worst_slices.iter().map(|line| line.slice.as_str()).collect();
        let all = slices.len();
        slices.sort_unstable();
        slices.dedup();
        assert_eq!(slices.len(), all, "each slice once");
    }
}
