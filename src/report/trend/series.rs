//! One metric in one slice, over all runs.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::TrendRun;
use crate::gate::{Effect, Verdict};
use crate::report::gate::{
    Measured, bound_words, bounds, is_count, limits, metric_words, slice_words, thousandths, words,
};
use crate::report::ratio;
use crate::rules::metric::{Average, Direction, direction_of};
use crate::run::history::{Key, PastRun};
use crate::run::manifest::{GateEntry, MetricEntry, RunJson};

/// Value by slice dimension.
type Slice = BTreeMap<String, String>;

/// Most series that are drawn.
const MOST: usize = 12;
/// Metrics that are drawn whether or not a gate holds them.
const HEADLINE: [&str; 3] = ["citation_correctness", "claim_coverage", "defect_rate"];

/// A metric in a slice, over all runs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TrendSeries {
    /// The metric's name in the policy.
    pub metric: String,
    /// The metric in words.
    pub metric_words: String,
    /// `language = de`, or `overall`.
    pub slice: String,
    /// Whether it is a headline metric over the whole dataset.
    pub is_headline: bool,
    /// Which way is better: `higher`, `lower` or `neither`.
    #[schemars(schema_with = "crate::report::schema::better")]
    pub better: &'static str,
    /// The value of the run that is reported, `94.2 %`; `no data` over nothing.
    pub value: String,
    /// Its fraction.
    pub fraction: String,
    /// Verdict of the gates on it in the run that is reported: `pass`, `warn`, `fail`, `open`, or empty without one.
    #[schemars(schema_with = "crate::report::schema::trend_verdict_or_none")]
    pub verdict: &'static str,
    /// The verdict in words.
    pub word: &'static str,
    /// What the bounds of the run that is reported allow; empty without a gate.
    pub bound: String,
    /// The change since the last run with a value, in words.
    pub change: String,
    /// `better`, `worse`, or empty where it is neither or cannot be said.
    #[schemars(schema_with = "crate::report::schema::change_or_none")]
    pub change_is: &'static str,
    /// One point for each run, in their order.
    pub points: Vec<TrendPoint>,
    /// The line through the points, `x,y x,y`, in thousandths from the left and the top; it ends where nothing was measured and
    /// where the values before and after cannot be held against each other.
    pub lines: Vec<String>,
    /// The bounds, as they were.
    pub edges: Vec<TrendEdge>,
    /// What they allowed.
    pub areas: Vec<TrendArea>,
    /// Label of the axis' lower end.
    pub from: String,
    /// Label of its middle.
    pub middle: String,
    /// Label of its upper end.
    pub to: String,
    /// The chart in words, for those who do not see it.
    pub title: String,
}

/// A value in a run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TrendPoint {
    /// `21.4 %`; empty where nothing was measured.
    pub value: String,
    /// `6/28`.
    pub fraction: String,
    /// Middle of the run's column, in thousandths from the left.
    pub x: u32,
    /// Height in thousandths of the axis; none where nothing was measured.
    pub y: Option<u32>,
    /// Verdict of the gates on it in that run: `pass`, `warn`, `fail`, `open`, or empty without one.
    #[schemars(schema_with = "crate::report::schema::trend_verdict_or_none")]
    pub verdict: &'static str,
    /// The verdict in words.
    pub word: &'static str,
    /// What the bounds of that run allowed; empty without a gate.
    pub bound: String,
    /// Whether the point is to be marked.
    pub is_marked: bool,
}

/// A bound over the runs that had it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TrendEdge {
    /// Left end, in thousandths.
    pub x1: u32,
    /// Right end, in thousandths.
    pub x2: u32,
    /// Height in thousandths of the axis.
    pub y: u32,
}

/// What bounds allowed over the runs that had them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TrendArea {
    /// Left end, in thousandths.
    pub x: u32,
    /// Width in thousandths.
    pub width: u32,
    /// Upper end, in thousandths from the top.
    pub y: u32,
    /// Height in thousandths.
    pub height: u32,
}

/// What is drawn of a run, and how many series more there would be: over the whole dataset what gates judge, failing ones
/// first, and the headline metrics; then the slices on which a gate fails or warns.
pub(super) fn keys(run: &RunJson) -> (Vec<Key>, usize) {
    let mut keys: Vec<Key> = Vec::new();
    let mut seen: BTreeSet<Key> = BTreeSet::new();
    let mut add = |metric: &str, average: Average, slice: &Slice| {
        let key: Key = (metric.to_owned(), average, slice.clone());
        if seen.insert(key.clone()) {
            keys.push(key);
        }
    };
    let overall = Slice::new();
    let by_effect = |effect: Effect| run.gates.iter().filter(move |gate| gate.effect == effect);
    for effect in [Effect::Fail, Effect::Warn] {
        by_effect(effect)
            .filter(|gate| gate.slice.is_empty())
            .for_each(|gate| add(&gate.metric, gate.average, &overall));
    }
    for metric in HEADLINE {
        add(metric, Average::Micro, &overall);
    }
    for gate in &run.gates {
        // A gate by a slice is about its metric as a whole too, where that is measured.
        let is_measured = gate.slice.is_empty()
            || run.metrics.iter().any(|m| m.metric == gate.metric && m.average == gate.average && m.slice.is_empty());
        if is_measured {
            add(&gate.metric, gate.average, &overall);
        }
    }
    for effect in [Effect::Fail, Effect::Warn] {
        by_effect(effect).for_each(|gate| add(&gate.metric, gate.average, &gate.slice));
    }
    let left_out = keys.len().saturating_sub(MOST);
    // Slices that fail have a place of their own however many metrics the gates hold.
    if left_out > 0 {
        let slices = keys.iter().filter(|key| !key.2.is_empty()).count().min(MOST / 3);
        let mut room = (MOST - slices, slices);
        keys.retain(|(_, _, slice)| {
            let room = if slice.is_empty() { &mut room.0 } else { &mut room.1 };
            *room > 0 && {
                *room -= 1;
                true
            }
        });
    }
    let drawn = keys.len();
    (keys, (left_out + MOST).saturating_sub(drawn) * usize::from(left_out > 0))
}

/// What one run says of a series.
struct Said<'r> {
    metric: Option<&'r MetricEntry>,
    gates: Vec<&'r GateEntry>,
}

impl<'r> Said<'r> {
    fn of(key: &Key, run: &'r PastRun) -> Self {
        let is_it =
            |metric: &str, average: Average, slice: &Slice| metric == key.0 && average == key.1 && *slice == key.2;
        Self {
            metric: run.metrics.iter().find(|entry| is_it(&entry.metric, entry.average, &entry.slice)),
            gates: run.gates.iter().filter(|gate| is_it(&gate.metric, gate.average, &gate.slice)).collect(),
        }
    }

    fn measured(&self) -> Option<Measured<'r>> {
        let of_metric = self.metric.map(Measured::from);
        let of_gate = || {
            self.gates.first().map(|gate| Measured {
                metric: &gate.metric,
                average: gate.average,
                numerator: gate.numerator,
                denominator: gate.denominator,
                value: gate.value,
            })
        };
        of_metric
            .or_else(of_gate)
            .filter(|measured| measured.value.is_some_and(|value| value.is_finite() && value >= 0.0))
    }

    /// The worst of the gates.
    fn verdict(&self) -> (&'static str, &'static str) {
        let Some(worst) = self.gates.iter().max_by_key(|gate| gate.effect) else { return ("", "") };
        let word = words(worst.verdict).1;
        match (worst.effect, worst.verdict) {
            (Effect::Fail, _) => ("fail", if worst.verdict == Verdict::Fail { "fail" } else { word }),
            (Effect::Warn, _) => ("warn", word),
            (Effect::Pass, Verdict::Pass) => ("pass", "pass"),
            (Effect::Pass, _) => ("open", word),
        }
    }

    fn bound(&self) -> String {
        let mut all: Vec<String> = Vec::new();
        for bound in self.gates.iter().map(|gate| bound_words(gate)) {
            if !bound.is_empty() && !all.contains(&bound) {
                all.push(bound);
            }
        }
        all.join(", ")
    }

    /// The narrowest bounds.
    fn limits(&self) -> (Option<f64>, Option<f64>) {
        let all: Vec<_> = self.gates.iter().map(|gate| limits(gate)).collect();
        let min = all
            .iter()
            .filter_map(|(min, _)| *min)
            .fold(None, |best: Option<f64>, min| Some(best.map_or(min, |b| b.max(min))));
        let max = all
            .iter()
            .filter_map(|(_, max)| *max)
            .fold(None, |best: Option<f64>, max| Some(best.map_or(max, |b| b.min(max))));
        (min, max)
    }
}

/// The series of a key; `runs` are `past` as they are shown.
pub(super) fn of(key: &Key, past: &[&PastRun], runs: &[TrendRun]) -> TrendSeries {
    let said: Vec<Said<'_>> = past.iter().map(|run| Said::of(key, run)).collect();
    let (metric, average, slice) = key;
    let now: Vec<_> =
        said.last().map(|said| said.gates.iter().flat_map(|gate| bounds(gate)).collect()).unwrap_or_default();
    let all = said.iter().flat_map(|said| {
        let (min, max) = said.limits();
        [said.measured().and_then(|measured| share(&measured)), min, max].into_iter().flatten()
    });
    let (least, greatest) =
        all.fold((f64::INFINITY, 0.0), |(least, greatest): (f64, f64), x| (least.min(x), greatest.max(x)));
    let (from, to) = axis(least, greatest);
    let place = |x: f64| thousandths((x - from) / (to - from));
    let label = |x: f64| if is_count(metric) { short_number(x) } else { format!("{}\u{a0}%", short_number(x * 100.0)) };

    let mut points: Vec<TrendPoint> = Vec::with_capacity(said.len());
    for (said, run) in said.iter().zip(runs) {
        let measured = said.measured();
        let held: Vec<_> = now.iter().copied().chain(said.gates.iter().flat_map(|gate| bounds(gate))).collect();
        let value = measured.as_ref().and_then(|measured| measured.text(&held));
        let (verdict, word) = said.verdict();
        points.push(TrendPoint {
            y: measured.as_ref().filter(|_| value.is_some()).and_then(share).map(place),
            fraction: measured.map(|measured| measured.fraction()).unwrap_or_default(),
            value: value.unwrap_or_default(),
            x: run.x,
            verdict,
            word,
            bound: said.bound(),
            is_marked: true,
        });
    }
    let lines = lines(&points, runs);
    mark(&mut points, runs);
    let (edges, areas) = limited(&said, runs, &place);
    let better = match direction_of(metric) {
        Direction::Neither => "neither",
        Direction::Lower => "lower",
        // Claims that wait for a decision.
        Direction::Higher if is_count(metric) => "lower",
        Direction::Higher => "higher",
    };
    let (change, change_is) = change(&said, past, better);
    let last = points.last();
    let shown =
        last.map(|point| point.value.clone()).filter(|value| !value.is_empty()).unwrap_or_else(|| "no data".to_owned());
    let bound = last.map(|point| point.bound.clone()).unwrap_or_default();
    let metric_words = metric_words(metric, *average);
    let slice_shown = slice_words(slice);
    TrendSeries {
        is_headline: HEADLINE.contains(&metric.as_str()) && *average == Average::Micro && slice.is_empty(),
        title: title(&metric_words, &slice_shown, &shown, &change, &bound, &points),
        metric: crate::report::visible::one_line(metric),
        metric_words,
        slice: slice_shown,
        better,
        fraction: last.map(|point| point.fraction.clone()).unwrap_or_default(),
        verdict: last.map(|point| point.verdict).unwrap_or_default(),
        word: last.map(|point| point.word).unwrap_or_default(),
        value: shown,
        bound,
        change,
        change_is,
        points,
        lines,
        edges,
        areas,
        from: label(from),
        middle: label(f64::midpoint(from, to)),
        to: label(to),
    }
}

/// An axis that holds everything between two values with a little room: from 0 where all are small, to 1 where all are large.
fn axis(least: f64, greatest: f64) -> (f64, f64) {
    const WIDTHS: [f64; 8] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5];
    let width = |needed: f64| WIDTHS.into_iter().find(|width| *width >= needed * 1.1).unwrap_or(1.0);
    match (least.min(greatest), greatest) {
        (_, greatest) if greatest > 1.0 => (0.0, (greatest * 1.1).ceil()),
        (_, greatest) if greatest <= 0.5 => (0.0, width(greatest)),
        (least, _) if least >= 0.5 => (1.0 - width(1.0 - least), 1.0),
        _ => (0.0, 1.0),
    }
}

/// A number of an axis, with one digit after the point where it needs one.
fn short_number(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// Where a value stands; of counts, exactly as they are counted.
#[allow(clippy::cast_precision_loss, reason = "only for drawing")]
fn share(measured: &Measured<'_>) -> Option<f64> {
    match (measured.average, measured.numerator.count(), measured.denominator.count()) {
        (Average::Micro, Some(_), Some(0)) => None,
        (Average::Micro, Some(k), Some(n)) => Some(k as f64 / n as f64),
        _ => measured.value,
    }
}

/// The line through the points, in pieces.
fn lines(points: &[TrendPoint], runs: &[TrendRun]) -> Vec<String> {
    let mut pieces: Vec<Vec<String>> = vec![Vec::new()];
    for (point, run) in points.iter().zip(runs) {
        if !run.changed.is_empty() || point.y.is_none() {
            pieces.push(Vec::new());
        }
        if let (Some(y), Some(piece)) = (point.y, pieces.last_mut()) {
            piece.push(format!("{},{}", point.x, 1000 - y));
        }
    }
    pieces.into_iter().filter(|piece| piece.len() > 1).map(|piece| piece.join(" ")).collect()
}

/// Among many points those are marked where the verdict changes, the last one, and those that no line leads to.
fn mark(points: &mut [TrendPoint], runs: &[TrendRun]) {
    if points.len() < super::DENSE {
        return;
    }
    let state: Vec<(bool, bool, &'static str)> = points
        .iter()
        .zip(runs)
        .map(|(point, run)| (point.y.is_some(), run.changed.is_empty(), point.verdict))
        .collect();
    let count = points.len();
    for (index, point) in points.iter_mut().enumerate() {
        let before = index.checked_sub(1).and_then(|before| state.get(before));
        let joined_before = before.is_some_and(|(is_there, ..)| *is_there) && state.get(index).is_some_and(|now| now.1);
        let joined_after = state.get(index + 1).is_some_and(|(is_there, is_joined, _)| *is_there && *is_joined);
        let changes = before.is_none_or(|(.., verdict)| *verdict != point.verdict);
        point.is_marked = index + 1 == count || changes || !(joined_before || joined_after);
    }
}

/// The bounds as lines, and what they allow, for as long as they stay the same.
fn limited(said: &[Said<'_>], runs: &[TrendRun], place: &dyn Fn(f64) -> u32) -> (Vec<TrendEdge>, Vec<TrendArea>) {
    let (mut edges, mut areas) = (Vec::new(), Vec::new());
    let limits: Vec<(Option<u32>, Option<u32>)> = said
        .iter()
        .map(|said| {
            let (min, max) = said.limits();
            (min.map(place), max.map(place))
        })
        .collect();
    let mut start = 0;
    while let (Some(limit), Some(first)) = (limits.get(start), runs.get(start)) {
        let length = limits.iter().skip(start).take_while(|other| *other == limit).count();
        let end = runs.get(start + length).map_or(1000, |next| next.from);
        start += length;
        if *limit == (None, None) {
            continue;
        }
        let (x, width) = (first.from, end - first.from);
        edges.extend([limit.0, limit.1].into_iter().flatten().map(|y| TrendEdge { x1: x, x2: end, y }));
        let (bottom, top) = (limit.0.unwrap_or(0), limit.1.unwrap_or(1000));
        areas.push(TrendArea { x, width, y: 1000 - top, height: top.saturating_sub(bottom) });
    }
    (edges, areas)
}

/// By how much the last value differs from the one before it, and whether that is better or worse.
fn change(said: &[Said<'_>], past: &[&PastRun], better: &str) -> (String, &'static str) {
    let measured: Vec<Option<f64>> = said.iter().map(|said| said.measured().as_ref().and_then(share)).collect();
    let Some((Some(now), before)) = measured.split_last() else {
        return (String::new(), "");
    };
    let Some((index, was)) = before.iter().enumerate().rev().find_map(|(index, value)| Some((index, (*value)?))) else {
        return ("the first value".to_owned(), "");
    };
    let name = past.get(index).map(|run| crate::report::visible::short(&run.name, 60)).unwrap_or_default();
    let is_alike = past.get(index..).unwrap_or_default().windows(2).all(|pair| match pair {
        [one, other] => super::changed(one, other).is_empty(),
        _ => true,
    });
    let is_count = said.iter().flat_map(|said| &said.gates).any(|gate| is_count(&gate.metric))
        || said.iter().filter_map(|said| said.metric).any(|entry| is_count(&entry.metric));
    let difference = now - was;
    // Two ratios of counts that differ at all differ by far more than the error of a double.
    if difference.abs() < 1e-12 {
        let same = if is_alike { String::new() } else { ", which is another measurement".to_owned() };
        return (format!("unchanged since {name}{same}"), "");
    }
    let size = difference.abs() * if is_count { 1.0 } else { 100.0 };
    let unit = match (is_count, format!("{size:.1}").as_str()) {
        (false, "0.0") => "less than 0.1 points".to_owned(),
        (true, "0.0") => "less than 0.1".to_owned(),
        (false, "1.0") => "1 point".to_owned(),
        (false, shown) => format!("{} points", shown.strip_suffix(".0").unwrap_or(shown)),
        (true, shown) => shown.strip_suffix(".0").unwrap_or(shown).to_owned(),
    };
    let arrow = if difference > 0.0 { "▲" } else { "▼" };
    if !is_alike {
        return (format!("{arrow} {unit} from {name}, which is another measurement"), "");
    }
    match (better, difference > 0.0) {
        ("higher", true) | ("lower", false) => (format!("{arrow} {unit} better than {name}"), "better"),
        ("higher", false) | ("lower", true) => (format!("{arrow} {unit} worse than {name}"), "worse"),
        (_, true) => (format!("{arrow} {unit} more than {name}"), ""),
        (_, false) => (format!("{arrow} {unit} less than {name}"), ""),
    }
}

fn title(metric: &str, slice: &str, value: &str, change: &str, bound: &str, points: &[TrendPoint]) -> String {
    let measured = points.iter().filter(|point| point.y.is_some()).count();
    let place = if slice == "overall" { String::new() } else { format!(" in {slice}") };
    let change =
        if change.is_empty() { String::new() } else { format!(", {}", change.trim_start_matches(['▲', '▼', ' '])) };
    let bound = if bound.is_empty() { String::new() } else { format!("; allowed: {bound}") };
    let fails = points.iter().filter(|point| point.verdict == "fail").count();
    let fails = if fails == 0 { String::new() } else { format!("; a gate on it fails in {fails}") };
    let all = ratio::grouped(points.len() as u64);
    format!("{metric}{place}: {value} now{change}{bound}; measured in {measured} of {all} runs{fails}")
}
