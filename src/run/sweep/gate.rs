//! A gate under other values of one of its bounds: each run's counts, judged by the gate itself with that bound replaced.

use std::fmt;

use super::{Grid, SweptRun, grid};
use crate::diagnostic::{Problem, Problems, code, did_you_mean, one_of, quoted};
use crate::gate::{self, Bounds, GateResult, Verdict, display};
use crate::rules::metric::{self, Average, Metric};
use crate::rules::policy::{Bound, Gate, Target, TargetSlices};
use crate::rules::{self, Policy};
use crate::run::verdict::{Baselines, Held, Source};
use crate::run::{OUTLINE, regate};
use crate::tally::{RuleTable, SliceKey, Tally, Value};

/// A bound of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// `min`.
    Min,
    /// `max`.
    Max,
    /// `max_drop`.
    MaxDrop,
    /// `max_rise`.
    MaxRise,
}

impl Side {
    /// Every bound that a gate can have.
    pub const ALL: [Side; 4] = [Side::Min, Side::Max, Side::MaxDrop, Side::MaxRise];

    /// Its key in rule files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Side::Min => "min",
            Side::Max => "max",
            Side::MaxDrop => "max_drop",
            Side::MaxRise => "max_rise",
        }
    }

    fn of(self, target: &Target) -> Option<&Bound> {
        match self {
            Side::Min => target.min.as_ref(),
            Side::Max => target.max.as_ref(),
            Side::MaxDrop => target.max_drop.as_ref(),
            Side::MaxRise => target.max_rise.as_ref(),
        }
    }

    fn replace(self, target: &mut Target, bound: &Bound) {
        let place = match self {
            Side::Min => &mut target.min,
            Side::Max => &mut target.max,
            Side::MaxDrop => &mut target.max_drop,
            Side::MaxRise => &mut target.max_rise,
        };
        if place.is_some() {
            *place = Some(bound.clone());
        }
    }

    fn written(self, bounds: &Bounds) -> Option<&str> {
        match self {
            Side::Min => bounds.min.as_deref(),
            Side::Max => bounds.max.as_deref(),
            Side::MaxDrop => bounds.max_drop.as_deref(),
            Side::MaxRise => bounds.max_rise.as_deref(),
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is swept: a gate of the policy, one of its bounds, and where.
#[derive(Debug)]
pub struct Subject<'p> {
    /// The gate.
    pub gate: &'p Gate,
    /// The bound that is replaced.
    pub side: Side,
    /// The one slice that is looked at, by dimension and value; `None`: all that the gate judges.
    pub slice: Option<(String, String)>,
}

impl<'p> Subject<'p> {
    /// Finds the gate with this id and the bound of it that is meant.
    ///
    /// # Errors
    /// A [`Problem`] where there is no such gate, it has not that bound, or it has several and none was named.
    pub fn find(
        policy: &'p Policy,
        id: &str,
        side: Option<Side>,
        slice: Option<(String, String)>,
    ) -> Result<Self, Problem> {
        let Some(gate) = policy.gates.iter().find(|gate| gate.id == id) else {
            let ids: Vec<&str> = policy.gates.iter().map(|gate| gate.id.as_str()).collect();
            let help =
                did_you_mean(id, ids.iter().copied()).or_else(|| Some(format!("the gates are {}", ids.join(", "))));
            return Err(Problem::new(code::UNKNOWN_NAME, format!("no gate has the id {}", quoted(id))).help_if(help));
        };
        let has = |side: &Side| gate.targets.iter().any(|target| side.of(target).is_some());
        let sides: Vec<Side> = Side::ALL.into_iter().filter(has).collect();
        let names: Vec<&str> = sides.iter().map(|side| side.as_str()).collect();
        let problem = |message: String| Problem::new(code::WRONG_VALUE, message).in_file(gate.place.clone());
        match (side, sides.as_slice()) {
            (Some(side), sides) if sides.contains(&side) => Ok(Self { gate, side, slice }),
            (None, [side]) => Ok(Self { gate, side: *side, slice }),
            (Some(side), _) => {
                Err(problem(format!("the gate `{id}` has no `{side}`")).help(format!("it has {}", names.join(" and "))))
            }
            (None, _) => Err(problem(format!("the gate `{id}` has {} bounds", names.len()))
                .help(format!("say which one: --bound {}", names.join(" or --bound ")))),
        }
    }

    /// The largest value that the bound may have; `None` for a metric that counts.
    #[must_use]
    pub fn largest(&self) -> Option<u64> {
        let relative = self.gate.targets.iter().any(|target| target.relative);
        (is_ratio(&self.gate.metric) || relative).then_some(1)
    }

    fn looks_at(&self, slice: &SliceKey) -> bool {
        match (&self.slice, slice) {
            (None, _) => true,
            (Some((dimension, value)), SliceKey::Value { dimension: d, value: v }) => dimension == d && value == v,
            (Some(_), SliceKey::Overall) => false,
        }
    }
}

fn is_ratio(metric: &Metric) -> bool {
    metric.entry().is_none_or(|entry| entry.is_ratio)
}

/// A gate of one run on one slice.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The run.
    pub run: String,
    /// The slice.
    pub slice: SliceKey,
    /// The bound as the policy has it.
    pub chosen: Bound,
    /// How the gate comes out as the policy has it.
    pub now: Verdict,
    /// Its metric's value as a person reads it, `12 of 350` with it; `None` where nothing was measured.
    pub shown: Option<String>,
    /// Numerator (micro), denominator and value.
    pub listed: crate::tally::Listed,
    /// How the gate comes out, by threshold.
    pub verdicts: Vec<Verdict>,
}

impl Series {
    /// The first and the last threshold at which the gate passes, by position.
    #[must_use]
    pub fn passes(&self) -> Option<(usize, usize)> {
        let passes = |verdict: &Verdict| *verdict == Verdict::Pass;
        self.verdicts.iter().position(passes).zip(self.verdicts.iter().rposition(passes))
    }
}

/// A gate over its thresholds.
#[derive(Debug, Clone, PartialEq)]
pub struct GateSweep {
    /// Id of the gate.
    pub gate: String,
    /// `file:line` of the gate.
    pub place: String,
    /// Its metric as written.
    pub metric: String,
    /// How cases are put together.
    pub average: Average,
    /// Whether the metric is a ratio between 0 and 1.
    pub is_ratio: bool,
    /// The bound that is replaced.
    pub side: Side,
    /// The thresholds, ascending, those that the policy has among them.
    pub grid: Grid,
    /// The gate of each run on each slice.
    pub series: Vec<Series>,
    /// What a reader must know.
    pub notes: Vec<String>,
}

/// Judges the gate in every run at every threshold.
///
/// # Errors
/// A [`Problem`] where a run does not know what the gate measures, has too many slices, or the slice is none that the gate judges.
pub fn sweep(
    policy: &Policy,
    subject: &Subject<'_>,
    grid: Grid,
    runs: &[SweptRun],
    source: &Source,
) -> Result<GateSweep, Problems> {
    let counted = runs.iter().map(|run| Counted::new(policy, subject, run)).collect::<Result<Vec<_>, _>>()?;
    let baselines = counted.iter().map(|counted| counted.baselines(subject, source)).collect::<Result<Vec<_>, _>>()?;
    let mut judged = Vec::with_capacity(runs.len());
    for (counted, baselines) in counted.iter().zip(&baselines) {
        judged.push(Judged::new(counted, baselines.as_ref(), subject)?);
    }
    let mut chosen: Vec<Bound> =
        judged.iter().flat_map(|run| &run.all).filter_map(|(_, bound)| bound.clone()).collect();
    if chosen.is_empty() {
        return Err(not_judged(subject, &judged).into());
    }
    chosen.sort_by(grid::cmp);
    let grid = grid.with(&chosen);
    let series = judged.iter().flat_map(|run| run.series(subject, &grid)).collect();
    Ok(GateSweep {
        gate: subject.gate.id.clone(),
        place: subject.gate.place.clone(),
        metric: subject.gate.metric_name.clone(),
        average: subject.gate.average,
        is_ratio: is_ratio(&subject.gate.metric),
        side: subject.side,
        notes: notes(subject, &grid, policy, runs),
        grid,
        series,
    })
}

/// The slice that was asked for is none that the gate judges.
fn not_judged(subject: &Subject<'_>, judged: &[Judged<'_>]) -> Problem {
    let mut slices: Vec<String> = Vec::new();
    for (result, _) in judged.iter().flat_map(|run| &run.all) {
        let name = slice_name(&result.slice);
        if !slices.contains(&name) {
            slices.push(name);
        }
    }
    let asked = subject.slice.as_ref().map_or_else(String::new, |(dimension, value)| format!("{dimension}={value}"));
    let names: Vec<&str> = slices.iter().map(String::as_str).collect();
    Problem::new(
        code::UNKNOWN_SLICE,
        format!("the gate `{}` does not judge the slice {}", subject.gate.id, quoted(&asked)),
    )
    .in_file(subject.gate.place.clone())
    .help(format!("it judges {}", one_of(&names)))
}

/// `(all)` or `dimension=value`.
#[must_use]
pub fn slice_name(slice: &SliceKey) -> String {
    match slice {
        SliceKey::Overall => "(all)".to_owned(),
        SliceKey::Value { dimension, value } => format!("{dimension}={value}"),
    }
}

fn notes(subject: &Subject<'_>, grid: &Grid, policy: &Policy, runs: &[SweptRun]) -> Vec<String> {
    let mut notes = Vec::new();
    let others = super::judged_otherwise(runs, policy);
    if !others.is_empty() {
        notes.push(format!(
            "{}: judged by other rules than these; its values are those of the rules as they were then.",
            others.join(", ")
        ));
    }
    let ends = [(Side::Min, "min: 1", 1u64), (Side::Max, "max: 0", 0)];
    for (side, text, end) in ends {
        let meets = grid.thresholds.iter().any(|threshold| threshold.scale == 0 && threshold.mantissa == end);
        if side == subject.side && meets && subject.gate.targets.iter().any(|target| target.confidence.is_some()) {
            notes.push(format!("`{text}` with `confidence` is none that a policy may have: no sample could show it."));
        }
    }
    notes
}

/// The counts of one run.
struct Counted<'c> {
    policy: &'c Policy,
    run: &'c SweptRun,
    table: RuleTable,
    tally: Tally,
    /// The gate with its metric as this run knows it.
    gate: Gate,
}

impl<'c> Counted<'c> {
    fn new(policy: &'c Policy, subject: &Subject<'_>, run: &'c SweptRun) -> Result<Self, Problem> {
        let wanted = RuleTable::of(policy);
        let table = run.store.table(&wanted.dimensions);
        let mut gate = subject.gate.clone();
        gate.metric = known_metric(policy, &gate, &table, run)?;
        known_slices(&gate, &wanted, run)?;
        let mut tally = run
            .store
            .tally(&table)
            .map_err(|error| Problem::new(code::SLICE_VALUE, error.to_string()).in_file(run.name.clone()))?;
        tally.add_skipped_lines(run.skipped_lines);
        tally.add_missing_answers(run.missing_answers);
        Ok(Self { policy, run, table, tally, gate })
    }

    /// The baselines of a gate that compares with them. Those are paired by the rules of the policy, so the run has to be judged by them.
    fn baselines(&self, subject: &Subject<'_>, source: &Source) -> Result<Option<Baselines>, Problems> {
        let compares = |target: &Target| target.max_drop.is_some() || target.max_rise.is_some();
        if !subject.gate.targets.iter().any(compares) {
            return Ok(None);
        }
        regate::same_evaluation(&self.run.store.head, self.policy, &self.table, &self.run.name)?;
        let names: Vec<&str> = self.run.datasets.iter().map(|(name, _)| name.as_str()).collect();
        Baselines::open(source, &names, self.policy, &self.table).map(Some)
    }
}

/// A run with the gate as it stands judged on it.
struct Judged<'c> {
    counted: &'c Counted<'c>,
    held: Option<Held<'c>>,
    /// The gate's results, each with its bound where it is looked at.
    all: Vec<(GateResult, Option<Bound>)>,
}

impl<'c> Judged<'c> {
    fn new(counted: &'c Counted<'c>, baselines: Option<&'c Baselines>, subject: &Subject<'_>) -> Result<Self, Problem> {
        let cases: Vec<u64> = counted.run.datasets.iter().map(|(_, cases)| *cases).collect();
        let outlines = counted.run.folder.join(OUTLINE);
        let held = match baselines {
            Some(baselines) => Some(baselines.pair(&outlines, &cases, &[counted.policy], &counted.table)?),
            None => None,
        };
        let mut judged = Self { counted, held, all: Vec::new() };
        let chosen = |result: &GateResult| {
            let bound = subject.side.written(&result.bounds).and_then(rules::bound);
            bound.filter(|_| subject.looks_at(&result.slice))
        };
        let results = judged.judge(&counted.gate).into_iter();
        judged.all = results
            .map(|result| {
                let bound = chosen(&result);
                (result, bound)
            })
            .collect();
        Ok(judged)
    }

    fn judge(&self, gate: &Gate) -> Vec<GateResult> {
        let (gates, counted) = (std::slice::from_ref(gate), self.counted);
        let decision = match &self.held {
            Some(held) => held.judge_gates(gates, counted.policy, &counted.tally, &counted.table),
            None => gate::judge(gates, &counted.tally, &counted.table, &[]),
        };
        decision.results
    }

    fn series(&self, subject: &Subject<'_>, grid: &Grid) -> Vec<Series> {
        let mut series: Vec<Series> = Vec::new();
        let mut places = Vec::new();
        for (index, (result, bound)) in self.all.iter().enumerate() {
            let Some(bound) = bound else { continue };
            places.push(index);
            series.push(Series {
                run: self.counted.run.name.clone(),
                slice: result.slice.clone(),
                shown: self.shown(result, bound),
                chosen: bound.clone(),
                now: result.verdict,
                listed: result.listed,
                verdicts: Vec::with_capacity(grid.thresholds.len()),
            });
        }
        for threshold in &grid.thresholds {
            let mut gate = self.counted.gate.clone();
            gate.targets.iter_mut().for_each(|target| subject.side.replace(target, threshold));
            let results = self.judge(&gate);
            for (series, &place) in series.iter_mut().zip(&places) {
                series.verdicts.extend(results.get(place).map(|result| result.verdict));
            }
        }
        series
    }

    /// `21.4 % (6 of 28)`; of a macro average `91.7 % (mean over 12 cases)`. Where the bound is on a drop or rise, that.
    fn shown(&self, result: &GateResult, bound: &Bound) -> Option<String> {
        let gate = &self.counted.gate;
        if let Some(compared) = result.comparisons.iter().max_by_key(|compared| compared.effect)
            && let (Some(before), Some(now)) = (compared.before, compared.now)
        {
            let unit = if is_ratio(&gate.metric) { 100.0 } else { 1.0 };
            let percent = if is_ratio(&gate.metric) { " %" } else { "" };
            let cases = compared.paired_cases;
            return Some(format!("{:.2}{percent} → {:.2}{percent} ({cases} paired cases)", before * unit, now * unit));
        }
        let value = self.counted.tally.slice(&result.slice)?.value(&gate.metric, gate.average)?;
        Some(measured(&value, gate, &[bound]))
    }
}

/// A value for a person, with the counts behind it.
fn measured(value: &Value, gate: &Gate, bounds: &[&Bound]) -> String {
    let is_ratio = is_ratio(&gate.metric);
    let shown = display::value(value, bounds, is_ratio);
    match (gate.average, value.counts()) {
        (Average::Macro, _) => format!("{shown} (mean over {} cases)", value.cases),
        (Average::Micro, Some((k, n))) if gate.metric != metric::CITATION_F1 => {
            format!("{shown} ({k} {} {n})", if is_ratio { "of" } else { "for" })
        }
        (Average::Micro, _) => shown,
    }
}

/// The gate's metric by the rules of the run.
fn known_metric(policy: &Policy, gate: &Gate, table: &RuleTable, run: &SweptRun) -> Result<Metric, Problem> {
    let (Metric::Rule(index) | Metric::FailRate(index)) = gate.metric else { return Ok(gate.metric.clone()) };
    let id = policy.rules.get(usize::from(index)).map_or("", |rule| rule.id.as_str());
    table.metric_named(&gate.metric_name).ok_or_else(|| {
        Problem::new(code::UNKNOWN_RULE, format!("the run was judged without the rule `{id}`"))
            .in_file(run.name.clone())
            .help(format!("the gate `{}` holds `{}`; evaluate again with these rules", gate.id, gate.metric_name))
    })
}

/// Refuses a gate on a dimension that the run does not know.
fn known_slices(gate: &Gate, wanted: &RuleTable, run: &SweptRun) -> Result<(), Problem> {
    let unknown = run.store.head.unknown_dimensions(&wanted.dimensions);
    for target in &gate.targets {
        let (TargetSlices::EachOf(index) | TargetSlices::One(index, _)) = &target.slices else { continue };
        let Some(dimension) = wanted.dimensions.get(*index) else { continue };
        if unknown.iter().any(|other| other.id == dimension.id) {
            return Err(Problem::new(
                code::UNKNOWN_SLICE,
                format!("the run was judged without the slice dimension `{}`", dimension.id),
            )
            .in_file(run.name.clone())
            .help(format!("the gate `{}` is judged on it; evaluate again with these rules", gate.id)));
        }
    }
    Ok(())
}
