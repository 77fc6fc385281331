//! A sweep as a plot.

use super::table;
use crate::gate::Verdict;
use crate::report::plot::{Lane, Line, Plot, Stretch};
use crate::report::visible::short;
use crate::rules::policy::Bound;
use crate::run::sweep::gate::{GateSweep, Series, slice_name};
use crate::run::sweep::rule::{Point, RuleSweep};
use crate::run::sweep::{Grid, grid};

/// Most lanes of a plot.
const LANES: usize = 16;
/// Most lines of a plot.
const LINES: usize = 8;
/// Most runs of which it is drawn how often the rule is right.
const RIGHT_OF: usize = 3;
/// Most values of the policy that are marked across the panel.
const MARKED: usize = 5;
/// Longest name of a run.
const NAME: usize = 32;

/// The plot of a gate: the share that passes, and a lane for each run and slice.
pub(super) fn of_gate(sweep: &GateSweep) -> Plot {
    let several = sweep.series.iter().any(|series| sweep.series.first().is_some_and(|first| first.run != series.run));
    let share = |index: usize| {
        let passing = sweep.series.iter().filter(|series| series.verdicts.get(index) == Some(&Verdict::Pass)).count();
        ratio(passing as u64, sweep.series.len() as u64)
    };
    let mut chosen: Vec<&Bound> = sweep.series.iter().map(|series| &series.chosen).collect();
    chosen.sort_by(|a, b| grid::cmp(a, b));
    chosen.dedup_by(|a, b| grid::cmp(a, b).is_eq());
    let of = if several { "runs and slices" } else { "slices" };
    let points = sweep.grid.thresholds.iter().enumerate().map(|(index, threshold)| (threshold.to_f64(), share(index)));
    let line = Line { name: format!("share of all {of} that pass"), points: points.collect(), style: (0, false) };
    Plot {
        title: format!("gate {}: {} at other values of {}", sweep.gate, sweep.metric, sweep.side),
        description: format!(
            "Share of {of} on which the gate {} passes, by the value of {}, and below it each of them on its own.",
            sweep.gate, sweep.side
        ),
        x_label: sweep.side.to_string(),
        y_label: format!("share of {of} that pass"),
        range: range(&sweep.grid),
        lines: vec![line],
        lines_left_out: 0,
        lanes: sweep.series.iter().take(LANES).map(|series| lane(series, sweep, several)).collect(),
        lanes_left_out: sweep.series.len().saturating_sub(LANES),
        chosen: marks(&chosen, &sweep.grid),
    }
}

fn lane(series: &Series, sweep: &GateSweep, several: bool) -> Lane {
    let slice = slice_name(&series.slice);
    let place = if several { format!("{} {slice}", short(&series.run, NAME)) } else { slice };
    let value = series.shown.as_deref().unwrap_or("no data");
    let stretch = |verdict: &Verdict| match verdict {
        Verdict::Pass => Stretch::Pass,
        Verdict::Fail | Verdict::Warn => Stretch::Fail,
        Verdict::Inconclusive | Verdict::NoData => Stretch::Open,
    };
    let verdicts = series.verdicts.iter().map(stretch);
    Lane {
        name: format!("{place}: {value}, passes {}", table::passes(series, sweep)),
        points: sweep.grid.thresholds.iter().map(Bound::to_f64).zip(verdicts).collect(),
        chosen: series.chosen.to_f64(),
    }
}

/// The plot of a rule's option: the pass rate of each run, and how often the rule is right.
pub(super) fn of_rule(sweep: &RuleSweep) -> Plot {
    let option = sweep.threshold.option;
    let at_chosen = sweep.grid.thresholds.iter().position(|threshold| grid::cmp(threshold, &sweep.chosen).is_eq());
    let line = |name: String, points: &[Point], rate: fn(&Point) -> Option<f64>, style| {
        let points: Vec<_> = sweep.grid.thresholds.iter().map(Bound::to_f64).zip(points.iter().map(rate)).collect();
        let here = at_chosen.and_then(|index| points.get(index)).and_then(|(_, share)| *share);
        let here = here.map_or_else(String::new, |share| format!(" ({:.1} % at {})", share * 100.0, sweep.chosen.text));
        Line { name: name + &here, points, style }
    };
    let mut lines: Vec<Line> = Vec::new();
    for (index, series) in sweep.series.iter().take(LINES).enumerate() {
        let name = short(&series.run, NAME);
        lines.push(line(format!("{name}: passes"), &series.points, passing, (index, false)));
        let is_labelled = series.points.iter().any(|point| point.confusion.total() > 0);
        if is_labelled && sweep.series.len() <= RIGHT_OF {
            lines.push(line(format!("{name}: is right, by people's labels"), &series.points, right, (index, true)));
        }
    }
    Plot {
        title: format!("rule {}: {option} of {}", sweep.rule, sweep.kind),
        description: format!("Pass rate of the rule {} by the value of {option}.", sweep.rule),
        x_label: format!("{option} (a threshold on the {})", sweep.threshold.measures),
        y_label: "share of subjects".to_owned(),
        range: range(&sweep.grid),
        lines,
        lines_left_out: sweep.series.len().saturating_sub(LINES),
        lanes: Vec::new(),
        lanes_left_out: 0,
        chosen: marks(&[&sweep.chosen], &sweep.grid),
    }
}

fn passing(point: &Point) -> Option<f64> {
    ratio(point.pass, point.pass + point.fail)
}

fn right(point: &Point) -> Option<f64> {
    ratio(point.confusion.right(), point.confusion.total())
}

#[allow(clippy::cast_precision_loss, reason = "drawn only")]
fn ratio(k: u64, n: u64) -> Option<f64> {
    (n > 0).then(|| k as f64 / n as f64)
}

fn range(grid: &Grid) -> (f64, f64) {
    let of = |bound: Option<&Bound>| bound.map_or(0.0, Bound::to_f64);
    (of(grid.thresholds.first()), of(grid.thresholds.last()))
}

fn marks(chosen: &[&Bound], grid: &Grid) -> Vec<(f64, String)> {
    let (from, to) = range(grid);
    let inside = chosen.iter().map(|bound| (bound.to_f64(), format!("policy: {}", bound.text)));
    inside.filter(|(value, _)| (from..=to).contains(value)).take(MARKED).collect()
}
