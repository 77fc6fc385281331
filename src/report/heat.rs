//! The slices: one table per dimension, metric by value.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::gate::{Measured, bounds, metric_words, words};
use super::ratio::{self, Decimal};
use super::visible::one_line;
use crate::gate::Effect;
use crate::rules::metric::{Average, Direction, direction_of};
use crate::run::manifest::{GateEntry, MetricEntry, RunJson, SliceEntry};

/// Fewer than this in the denominator, and a cell without a gate is drawn as too small to read anything from.
pub const FEW: u64 = 10;
/// Most values of one dimension that are shown; the rest is counted.
const MOST_VALUES: usize = 40;
/// Metrics that are shown whether or not a gate holds them.
const ALWAYS: [&str; 5] = ["case_pass_rate", "claim_coverage", "citation_correctness", "defect_rate", "undecided_rate"];

/// A dimension with its values.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Dimension {
    /// Its id.
    pub id: String,
    /// The metrics, in words, column by column.
    pub columns: Vec<Column>,
    /// One row per value.
    pub rows: Vec<Row>,
    /// Number of values that are not shown.
    pub left_out: usize,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Column {
    /// The metric's name.
    pub metric: String,
    /// The metric in words.
    pub words: String,
}

/// A value of a dimension.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Row {
    /// The value; for the whole dataset `overall`.
    pub value: String,
    /// `language = de`, as the findings' filter names it; empty for the whole dataset.
    pub key: String,
    /// How many cases lie in it, or have a claim or citation in it.
    pub count: String,
    /// One cell per column.
    pub cells: Vec<Cell>,
}

/// A cell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Cell {
    /// `21.4 %`; `–` over nothing.
    pub text: String,
    /// `6/28`; empty over nothing.
    pub fraction: String,
    /// How far from the best value, 0 (best) to 5; only where the metric has a better side.
    #[schemars(range(max = 5))]
    pub shade: u8,
    /// Whether the denominator is too small to read anything from.
    pub small: bool,
    /// Verdict of the gate on this cell, where there is one; else empty.
    #[schemars(schema_with = "super::schema::gate_verdict_or_none")]
    pub verdict: &'static str,
}

/// One dimension's slices, in the order of the run.
struct Group<'r> {
    id: &'r str,
    values: Vec<(&'r str, &'r SliceEntry)>,
}

/// The slices of one dimension each.
fn groups(run: &RunJson) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for entry in &run.slices {
        let Some((id, value)) = entry.slice.iter().next().filter(|_| entry.slice.len() == 1) else { continue };
        match groups.iter_mut().find(|group| group.id == id) {
            Some(group) => group.values.push((value, entry)),
            None => groups.push(Group { id, values: vec![(value, entry)] }),
        }
    }
    groups
}

/// The table of every dimension that some metric has a value in.
pub(super) fn dimensions(run: &RunJson) -> Vec<Dimension> {
    groups(run).iter().filter_map(|group| dimension(run, group)).collect()
}

type Key<'r> = (&'r str, Average, &'r str);

fn dimension(run: &RunJson, group: &Group<'_>) -> Option<Dimension> {
    let cells: BTreeMap<Key<'_>, &MetricEntry> = run
        .metrics
        .iter()
        .filter(|entry| entry.slice.len() == 1)
        .filter_map(|entry| Some(((&*entry.metric, entry.average, entry.slice.get(group.id)?.as_str()), entry)))
        .collect();
    let columns = columns(run, &cells);
    if columns.is_empty() {
        return None;
    }
    let overall = Row {
        value: "overall".to_owned(),
        key: String::new(),
        count: ratio::grouped(run.counts.cases),
        cells: columns.iter().map(|(metric, average)| overall_cell(run, metric, *average)).collect(),
    };
    let rows = group.values.iter().take(MOST_VALUES).map(|(value, entry)| {
        let cells = columns.iter().map(|(metric, average)| {
            let gate = gate_of(run, metric, *average, Some((group.id, value)));
            cells.get(&(*metric, *average, *value)).map_or_else(blank, |entry| cell(entry, gate))
        });
        Row {
            value: one_line(value),
            key: format!("{} = {}", one_line(group.id), one_line(value)),
            count: ratio::grouped(entry.cases),
            cells: cells.collect(),
        }
    });
    Some(Dimension {
        id: one_line(group.id),
        rows: std::iter::once(overall).chain(rows).collect(),
        columns: columns
            .iter()
            .map(|(metric, average)| Column { metric: one_line(metric), words: metric_words(metric, *average) })
            .collect(),
        left_out: group.values.len().saturating_sub(MOST_VALUES),
    })
}

/// The metrics that have a value in this dimension and are gated somewhere or always shown, in the run's order.
fn columns<'r>(run: &'r RunJson, cells: &BTreeMap<Key<'_>, &MetricEntry>) -> Vec<(&'r str, Average)> {
    let here: std::collections::BTreeSet<(&str, Average)> =
        cells.keys().map(|(metric, average, _)| (*metric, *average)).collect();
    let mut columns: Vec<(&str, Average)> = Vec::new();
    for entry in &run.metrics {
        let key = (entry.metric.as_str(), entry.average);
        // A gate on the whole that holds says nothing of the slices.
        let tells = |gate: &GateEntry| gate.slice.len() == 1 || gate.effect != Effect::Pass;
        let is_gated =
            run.gates.iter().any(|gate| gate.metric == entry.metric && gate.average == entry.average && tells(gate));
        let is_shown = is_gated || (entry.average == Average::Micro && ALWAYS.contains(&key.0));
        if is_shown && here.contains(&key) && !columns.contains(&key) {
            columns.push(key);
        }
    }
    // What is always shown comes first, in its own order.
    columns.sort_by_key(|(metric, average)| {
        let place = ALWAYS.iter().position(|always| always == metric).filter(|_| *average == Average::Micro);
        place.unwrap_or(ALWAYS.len())
    });
    columns
}

fn gate_of<'r>(run: &'r RunJson, metric: &str, average: Average, slice: Option<(&str, &str)>) -> Option<&'r GateEntry> {
    run.gates
        .iter()
        .filter(|gate| gate.metric == metric && gate.average == average)
        .filter(|gate| match slice {
            None => gate.slice.is_empty(),
            Some((id, value)) => gate.slice.len() == 1 && gate.slice.get(id).is_some_and(|own| own == value),
        })
        .max_by_key(|gate| (gate.effect, gate.verdict))
}

fn overall_cell(run: &RunJson, metric: &str, average: Average) -> Cell {
    let entry = run.metrics.iter().find(|e| e.slice.is_empty() && e.metric == metric && e.average == average);
    entry.map_or_else(blank, |entry| cell(entry, gate_of(run, metric, average, None)))
}

fn blank() -> Cell {
    Cell { text: "–".to_owned(), ..Cell::default() }
}

fn cell(entry: &MetricEntry, gate: Option<&GateEntry>) -> Cell {
    let bounds: Vec<Decimal> = gate.map(bounds).unwrap_or_default();
    let measured = Measured::from(entry);
    let verdict = gate.map(|gate| words(gate.verdict).0).unwrap_or_default();
    let Some(text) = measured.text(&bounds) else { return Cell { verdict, ..blank() } };
    let least = gate.map(|gate| gate.min_samples).filter(|least| *least > 0).unwrap_or(FEW);
    Cell {
        text,
        fraction: measured.fraction(),
        shade: shade(&entry.metric, entry.value),
        small: entry.denominator.count().is_some_and(|samples| samples < least),
        verdict,
    }
}

/// Distance from the best value in six steps.
fn shade(metric: &str, value: Option<f64>) -> u8 {
    let Some(value) = value else { return 0 };
    let distance = match direction_of(metric) {
        Direction::Higher => 1.0 - value,
        Direction::Lower => value,
        Direction::Neither => return 0,
    };
    match distance {
        d if d <= 0.0 => 0,
        d if d < 0.02 => 1,
        d if d < 0.1 => 2,
        d if d < 0.25 => 3,
        d if d < 0.5 => 4,
        _ => 5,
    }
}
