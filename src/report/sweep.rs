//! Plots beside a run: how it would come out at other values of a threshold.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::gate::{Measured, metric_words, slice_words, thousandths};
use super::plot::{Stretch, stretches, ticks};
use super::ratio;
use super::visible::{one_line, short};
use crate::gate::Verdict;
use crate::rules::metric::Average;
use crate::rules::{self, policy::Bound};
use crate::run::manifest::{Number, RunJson};
use crate::run::sweep::grid;
use crate::run::sweep::written::{Counts, SeriesEntry, Written};
use crate::text::digest;

/// Most lanes and lines of a plot.
const LANES: usize = 16;
const LINES: usize = 8;
/// Longest name of a run, in characters.
const NAME: usize = 40;

/// A plot beside a run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PlotView {
    /// What it is of: `sweep`; other kinds may come.
    pub kind: &'static str,
    /// What it shows, in a few words.
    pub title: String,
    /// The same in one sentence.
    pub about: String,
    /// Whether it is of another run or another policy, what a reader must know of it, one sentence each.
    pub notes: Vec<String>,
    /// Name of the x axis.
    pub x_label: String,
    /// Its ticks.
    pub ticks: Vec<PlotTick>,
    /// Name of the y axis, a share from 0 to 1.
    pub y_label: String,
    /// The lines.
    pub lines: Vec<PlotLine>,
    /// Lines that are not drawn.
    pub lines_left_out: usize,
    /// The values that the policy has.
    pub chosen: Vec<PlotTick>,
    /// How one gate comes out along the axis, one lane for each run and slice.
    pub lanes: Vec<PlotLane>,
    /// Lanes that are not drawn.
    pub lanes_left_out: usize,
    /// Heads of the table; the first is that of the threshold.
    pub columns: Vec<String>,
    /// One row for each threshold.
    pub rows: Vec<PlotRow>,
}

/// A place on the x axis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlotTick {
    /// Thousandths from the left.
    pub x: u32,
    /// What stands there.
    pub text: String,
}

/// A line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlotLine {
    /// Its name.
    pub name: String,
    /// Its style, from 0; the same colour with dashes where `is_dashed`.
    pub style: usize,
    /// Whether it says how often a rule is right.
    pub is_dashed: bool,
    /// Its pieces, `x,y x,y` in thousandths from the left and the top; it ends where nothing was measured.
    pub pieces: Vec<String>,
    /// Its value at the policy's threshold, with `x` and the height `y` in thousandths; none where that is not among the thresholds.
    pub at: Option<PlotPoint>,
}

/// A point of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlotPoint {
    /// Thousandths from the left.
    pub x: u32,
    /// Height in thousandths.
    pub y: u32,
}

/// A lane: how one gate comes out along the axis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlotLane {
    /// Its name.
    pub name: String,
    /// Its parts.
    pub parts: Vec<PlotPart>,
    /// Where the policy's value stands; none where it lies outside.
    pub chosen: Option<u32>,
}

/// A part of a lane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlotPart {
    /// Where it begins, in thousandths.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// `pass`, `open` or `fail`.
    #[schemars(schema_with = "super::schema::stretch")]
    pub state: &'static str,
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlotRow {
    /// Whether the policy has this threshold.
    pub is_chosen: bool,
    /// Its cells.
    pub cells: Vec<String>,
}

/// The plot of a sweep, held against the run that it is put beside.
pub(super) fn plot(sweep: &Written, run: &RunJson) -> PlotView {
    let mut plot = match &sweep.of.gate {
        Some(gate) => of_gate(sweep, gate),
        None => of_rule(sweep),
    };
    let mut notes = mismatches(sweep, run);
    notes.extend(sweep.notes.iter().map(|note| short(note, 500)));
    plot.notes = notes;
    plot
}

/// What a sweep has not in common with the run.
fn mismatches(sweep: &Written, run: &RunJson) -> Vec<String> {
    let mut notes = Vec::new();
    let own = run.to_bytes().map(|bytes| digest::raw(&bytes).to_string()).unwrap_or_default();
    let made = &sweep.made_of;
    if !made.manifests.contains(&own) {
        notes.push(
            "This sweep is of another run: the run of this report is not among those that were swept.".to_owned(),
        );
    } else if made.manifests.iter().any(|manifest| *manifest != own) {
        notes.push("This sweep is of other runs beside this one.".to_owned());
    }
    if made.evaluation_digest != run.policy.evaluation_digest {
        notes.push("This sweep was made by other rules than those that judged this run.".to_owned());
    } else if made.gates_digest != run.policy.gates_digest {
        notes.push("This sweep was made by other gates than those that judged this run.".to_owned());
    }
    notes
}

/// The x axis.
struct XAxis<'s> {
    thresholds: &'s [Bound],
    range: (f64, f64),
}

impl<'s> XAxis<'s> {
    fn of(sweep: &'s Written) -> Self {
        let end = |bound: Option<&Bound>| bound.map_or(0.0, Bound::to_f64);
        Self { thresholds: &sweep.thresholds, range: (end(sweep.thresholds.first()), end(sweep.thresholds.last())) }
    }

    fn place(&self, x: f64) -> u32 {
        let (from, to) = self.range;
        if to > from { thousandths((x - from) / (to - from)) } else { 500 }
    }

    fn ticks(&self) -> Vec<PlotTick> {
        let ticks = ticks(self.range.0, self.range.1).into_iter();
        ticks.map(|(at, text)| PlotTick { x: self.place(at), text }).collect()
    }

    /// The values of the policy that lie on the axis, each once.
    fn chosen<'c>(&self, values: impl Iterator<Item = &'c String>) -> (Vec<Bound>, Vec<PlotTick>) {
        let (Some(first), Some(last)) = (self.thresholds.first(), self.thresholds.last()) else {
            return Default::default();
        };
        let mut bounds: Vec<Bound> = values.filter_map(|text| rules::bound(text)).collect();
        bounds.retain(|bound| grid::cmp(bound, first).is_ge() && grid::cmp(bound, last).is_le());
        bounds.sort_by(grid::cmp);
        bounds.dedup_by(|a, b| grid::cmp(a, b).is_eq());
        let mark = |bound: &Bound| PlotTick { x: self.place(bound.to_f64()), text: format!("policy: {}", bound.text) };
        let marks = bounds.iter().map(mark).collect();
        (bounds, marks)
    }

    /// A line through these shares, one for each threshold.
    fn line(&self, name: String, style: (usize, bool), shares: &[Option<f64>], chosen: &[Bound]) -> PlotLine {
        let mut pieces: Vec<Vec<String>> = vec![Vec::new()];
        let mut at = None;
        for (threshold, share) in self.thresholds.iter().zip(shares) {
            let Some(y) = share.map(thousandths) else {
                pieces.push(Vec::new());
                continue;
            };
            let x = self.place(threshold.to_f64());
            if let Some(piece) = pieces.last_mut() {
                piece.push(format!("{x},{}", 1000 - y));
            }
            if at.is_none() && chosen.iter().any(|bound| grid::cmp(bound, threshold).is_eq()) {
                at = Some(PlotPoint { x, y });
            }
        }
        let pieces = pieces.into_iter().filter(|piece| !piece.is_empty()).map(|piece| piece.join(" ")).collect();
        PlotLine { name, style: style.0, is_dashed: style.1, pieces, at }
    }

    fn rows(&self, chosen: &[Bound], cells: impl Fn(usize) -> Vec<String>) -> Vec<PlotRow> {
        let row = |(index, threshold): (usize, &Bound)| PlotRow {
            is_chosen: chosen.iter().any(|bound| grid::cmp(bound, threshold).is_eq()),
            cells: std::iter::once(threshold.text.clone()).chain(cells(index)).collect(),
        };
        self.thresholds.iter().enumerate().map(row).collect()
    }
}

fn of_gate(sweep: &Written, gate: &str) -> PlotView {
    let axis = XAxis::of(sweep);
    let of = &sweep.of;
    let (gate, bound) = (short(gate, 80), one_line(of.bound.as_deref().unwrap_or_default()));
    let metric = of.metric.as_deref().unwrap_or_default();
    let words = metric_words(metric, Average::Micro);
    let (chosen, marks) = axis.chosen(sweep.series.iter().filter_map(|series| series.chosen.as_ref()));
    let counted = |index: usize| -> BTreeMap<Verdict, u64> {
        let mut counts = BTreeMap::new();
        for verdict in sweep.series.iter().filter_map(|series| series.verdicts.get(index)) {
            *counts.entry(*verdict).or_default() += 1;
        }
        counts
    };
    let all = sweep.series.len() as u64;
    let passing = |index: usize| counted(index).get(&Verdict::Pass).copied().unwrap_or_default();
    let shares: Vec<Option<f64>> = (0..sweep.thresholds.len()).map(|index| share(passing(index), all)).collect();
    let several = sweep.runs.len() > 1;
    let what = if several { "runs and slices" } else { "slices" };
    let cells = |index: usize| {
        let counts = counted(index);
        let of = |verdicts: &[Verdict]| verdicts.iter().filter_map(|verdict| counts.get(verdict)).sum::<u64>();
        let failing = of(&[Verdict::Fail, Verdict::Warn]);
        let open = of(&[Verdict::Inconclusive, Verdict::NoData]);
        vec![ratio::fraction(passing(index), all), ratio::grouped(failing), ratio::grouped(open)]
    };
    PlotView {
        kind: "sweep",
        title: format!("Gate {gate} at other values of {bound}"),
        about: format!("The share of {what} on which the {words} passes the gate {gate}, by the value of {bound}."),
        notes: Vec::new(),
        x_label: bound,
        ticks: axis.ticks(),
        y_label: format!("share of {what} that pass"),
        lines: vec![axis.line(format!("share of {what} that pass"), (0, false), &shares, &chosen)],
        lines_left_out: 0,
        chosen: marks,
        lanes: sweep.series.iter().take(LANES).map(|series| lane(series, &axis, metric, several)).collect(),
        lanes_left_out: sweep.series.len().saturating_sub(LANES),
        columns: ["threshold", "pass", "fail", "neither"].map(str::to_owned).into(),
        rows: axis.rows(&chosen, cells),
    }
}

fn lane(series: &SeriesEntry, axis: &XAxis<'_>, metric: &str, several: bool) -> PlotLane {
    let slice = slice_words(&series.slice);
    let place = if several { format!("{}, {slice}", short(&series.run, NAME)) } else { slice };
    let chosen = series.chosen.as_deref().and_then(rules::bound);
    let held: Vec<ratio::Decimal> = series.chosen.as_deref().and_then(ratio::Decimal::parse).into_iter().collect();
    let average = if series.numerator.is_some() { Average::Micro } else { Average::Macro };
    let measured = Measured {
        metric,
        average,
        numerator: series.numerator.map_or(Number::Real(0.0), Number::Count),
        denominator: Number::Count(series.denominator.unwrap_or_default()),
        value: series.value.filter(|value| value.is_finite()),
    };
    let value = measured.text(&held).unwrap_or_else(|| "no data".to_owned());
    let fraction = measured.fraction();
    let fraction = if fraction.is_empty() { fraction } else { format!(" ({fraction})") };
    let state = |verdict: &Verdict| match verdict {
        Verdict::Pass => Stretch::Pass,
        Verdict::Fail | Verdict::Warn => Stretch::Fail,
        Verdict::Inconclusive | Verdict::NoData => Stretch::Open,
    };
    let points: Vec<(f64, Stretch)> =
        axis.thresholds.iter().map(Bound::to_f64).zip(series.verdicts.iter().map(state)).collect();
    let part = |(from, to, stretch): (f64, f64, Stretch)| {
        let state = match stretch {
            Stretch::Pass => "pass",
            Stretch::Open => "open",
            Stretch::Fail => "fail",
        };
        PlotPart { from: axis.place(from), to: axis.place(to), state }
    };
    PlotLane {
        name: format!("{place}: {value}{fraction}"),
        parts: stretches(&points).into_iter().map(part).collect(),
        chosen: chosen
            .map(|bound| bound.to_f64())
            .filter(|value| (axis.range.0..=axis.range.1).contains(value))
            .map(|value| axis.place(value)),
    }
}

fn of_rule(sweep: &Written) -> PlotView {
    let axis = XAxis::of(sweep);
    let of = &sweep.of;
    let text = |text: &Option<String>| short(text.as_deref().unwrap_or_default(), 80);
    let (rule, option) = (text(&of.rule), text(&of.option));
    let (chosen, marks) = axis.chosen(of.chosen.iter());
    let mut lines = Vec::new();
    let mut columns = vec!["threshold".to_owned()];
    for (style, series) in sweep.series.iter().take(LINES).enumerate() {
        let name = short(&series.run, NAME);
        let passes = format!("{name}: passes");
        lines.push(axis.line(passes.clone(), (style, false), &shares(series, passing), &chosen));
        columns.push(passes);
        if series.points.iter().any(|counts| right(counts).is_some_and(|(_, n)| n > 0)) {
            let name = format!("{name}: is right, by people's labels");
            lines.push(axis.line(name.clone(), (style, true), &shares(series, right), &chosen));
            columns.push(name);
        }
    }
    let cells = |index: usize| {
        let mut cells = Vec::new();
        for series in sweep.series.iter().take(LINES) {
            let shown = |counted: Option<(u64, u64)>| {
                let (k, n) = counted?;
                Some(format!("{} ({})", ratio::percent(k, n, &[])?, ratio::fraction(k, n)))
            };
            let counts = series.points.get(index);
            cells.push(shown(counts.and_then(passing)).unwrap_or_else(|| "no data".to_owned()));
            if series.points.iter().any(|counts| right(counts).is_some_and(|(_, n)| n > 0)) {
                cells.push(shown(counts.and_then(right)).unwrap_or_else(|| "no data".to_owned()));
            }
        }
        cells
    };
    PlotView {
        kind: "sweep",
        title: format!("Rule {rule} at other values of {option}"),
        about: format!("The share of subjects on which the rule {rule} passes, by the value of {option}."),
        notes: Vec::new(),
        x_label: format!("{option}, a threshold on the {}", text(&of.measures)),
        ticks: axis.ticks(),
        y_label: "share of subjects".to_owned(),
        lines,
        lines_left_out: sweep.series.len().saturating_sub(LINES),
        chosen: marks,
        lanes: Vec::new(),
        lanes_left_out: 0,
        columns,
        rows: axis.rows(&chosen, cells),
    }
}

fn passing(counts: &Counts) -> Option<(u64, u64)> {
    Some((counts.pass, counts.pass.checked_add(counts.fail)?))
}

fn right(counts: &Counts) -> Option<(u64, u64)> {
    let labelled = counts.labelled?;
    let right = labelled.tp.checked_add(labelled.tn)?;
    Some((right, right.checked_add(labelled.fp)?.checked_add(labelled.fn_)?))
}

fn shares(series: &SeriesEntry, counted: fn(&Counts) -> Option<(u64, u64)>) -> Vec<Option<f64>> {
    series.points.iter().map(|counts| counted(counts).and_then(|(k, n)| share(k, n))).collect()
}

#[allow(clippy::cast_precision_loss, reason = "only for drawing")]
fn share(k: u64, n: u64) -> Option<f64> {
    (n > 0).then(|| k as f64 / n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;
    use crate::run::sweep::written;

    fn read(own: &str) -> PlotView {
        let run = fixture::run();
        let manifest = digest::raw(&run.to_bytes().expect("JSON")).to_string();
        let text = format!(
            r#"{{"schema":"citeward/sweep/1","of":{{"gate":"defects","metric":"defect_rate","bound":"max"}},"runs":["out"],
            "made_of":{{"manifests":["{}"],"evaluation_digest":"{}","gates_digest":"sha256:22"}},
            "points":[{{"threshold":"0"}},{{"threshold":"0.1"}},{{"threshold":"0.2"}}],
            "series":[{{"run":"out","slice":{{}},"chosen":"0.1","value":0.0926,"numerator":10,"denominator":108,"verdicts":["fail","pass","pass"]}},
            {{"run":"out","slice":{{"language":"ja"}},"chosen":"0.3","value":null,"numerator":0,"denominator":0,"verdicts":["no_data","no_data","no_data"]}}],
            "notes":["<b>"]}}"#,
            if own.is_empty() { &manifest } else { own },
            run.policy.evaluation_digest,
        );
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sweep.json");
        std::fs::write(&path, text).expect("written");
        plot(&written::read(&path).expect("a sweep"), &run)
    }

    #[test]
    fn a_sweep_becomes_lines_lanes_and_a_table() {
        let plot = read("");
        // None of two slices passes at 0, one at 0.1 and 0.2.
        assert_eq!(plot.lines[0].pieces, ["0,1000 500,500 1000,500"]);
        assert_eq!(plot.lines[0].at, Some(PlotPoint { x: 500, y: 500 }));
        assert_eq!(plot.chosen, [PlotTick { x: 500, text: "policy: 0.1".into() }]);
        // It changes half way between two thresholds.
        let part = |from, to, state| PlotPart { from, to, state };
        assert_eq!(plot.lanes[0].parts, [part(0, 250, "fail"), part(250, 1000, "pass")]);
        assert_eq!(plot.lanes[0].name.replace('\u{a0}', " "), "overall: 9.3 % (10/108)");
        assert_eq!((plot.lanes[1].name.as_str(), plot.lanes[1].chosen), ("language = ja: no data", None));
        assert_eq!(plot.rows[1].cells, ["0.1", "1/2", "0", "1"]);
        assert!(plot.rows[1].is_chosen && !plot.rows[2].is_chosen);
        // The gates are others than those of the run; that it is of this very run needs no word.
        assert_eq!(plot.notes, ["This sweep was made by other gates than those that judged this run.", "<b>"]);
    }

    #[test]
    fn a_sweep_of_another_run_says_so() {
        let note = &read("sha256:00").notes[0];
        assert!(note.starts_with("This sweep is of another run"), "{note}");
    }
}
