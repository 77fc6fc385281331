//! The trend over earlier runs: what the gates judge and the headline metrics, run by run, with the bounds then and now.

mod series;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::ratio;
use super::view::Stamp;
use super::visible::{one_line, short};
use crate::dataset::Label;
use crate::run::history::{Earlier, History, PastRun};
use crate::run::manifest::{DatasetStamp, RunJson, RunVerdict};
use crate::text::digest;

/// Most folders that are named as left out.
const MOST_NAMED: usize = 20;
/// Most breaks that are numbered in the charts.
const MOST_NUMBERED: usize = 9;
/// From this many runs on, a point is only marked where the verdict changes.
const DENSE: usize = 41;
/// What the run that is reported is called among the others.
const CURRENT: &str = "this run";

/// The trend over earlier runs and this one.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Trend {
    /// The folder of runs, as the user gave it.
    pub folder: String,
    /// Which runs are drawn, in one sentence with a full stop.
    pub sentence: String,
    /// The runs, oldest first; the last one is the run that is reported.
    pub runs: Vec<TrendRun>,
    /// One chart each: what gates judge and the headline metrics, the whole dataset first, then slices that fail.
    pub series: Vec<TrendSeries>,
    /// Series that are not drawn.
    pub series_left_out: usize,
    /// The verdicts that occur among the points, `none` for points without a gate, in the order of a legend.
    pub verdicts: Vec<&'static str>,
    /// The labels that occur, in the order of the bars.
    #[schemars(schema_with = "super::schema::labels_list")]
    pub labels: Vec<&'static str>,
    /// Whether points are only marked where the verdict changes, because there are many.
    pub is_dense: bool,
    /// Folders with a run that is not part of the trend, each with the reason.
    pub left_out: Vec<NotDrawn>,
    /// More of them, which are not named.
    pub left_out_more: usize,
    /// Digest over the names and manifests of the earlier runs.
    pub digest: String,
}

/// A run of the trend.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TrendRun {
    /// Its folder below the folder of runs; `this run` for the one that is reported.
    pub name: String,
    /// Its place among the runs, from 0.
    pub index: usize,
    /// Whether it is the run that is reported.
    pub is_current: bool,
    /// `pass`, `fail` or `not_judged`.
    #[schemars(schema_with = "super::schema::run_verdict")]
    pub verdict: &'static str,
    /// The verdict in words.
    pub word: &'static str,
    /// How many gates fail, `2 of 14 gates`; empty where none does.
    pub failing: String,
    /// Dataset and version.
    pub dataset: String,
    /// Number of cases.
    pub cases: String,
    /// First digits of the policy's digest.
    pub policy: String,
    /// Version of citeward.
    pub engine: String,
    /// Whether it asks the same questions as the run that is reported.
    pub comparable: bool,
    /// Where its column begins, in thousandths of a chart's width.
    pub from: u32,
    /// The middle of its column, likewise.
    pub x: u32,
    /// The width of its column, likewise.
    pub width: u32,
    /// Why its values cannot simply be held against those of the run before it; empty where they can.
    pub changed: String,
    /// Number of that break; empty where there is none, or too many to number.
    pub mark: String,
    /// Its cited claims by label, from the bottom up.
    pub labels: Vec<LabelPart>,
    /// The same in words.
    pub labels_title: String,
}

/// A part of a run's bar of labels.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LabelPart {
    /// The label.
    #[schemars(schema_with = "super::schema::label")]
    pub label: &'static str,
    /// Upper edge, in thousandths from the top.
    pub y: u32,
    /// Height in thousandths.
    pub height: u32,
}

/// A folder whose run is not drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NotDrawn {
    /// Its path below the folder of runs.
    pub name: String,
    /// Why, as a fragment.
    pub why: String,
}

pub use series::{TrendArea, TrendEdge, TrendPoint, TrendSeries};

/// The trend of a run, and what the provenance says of it.
pub(super) fn of(run: &RunJson, earlier: &Earlier) -> (Trend, Vec<Stamp>) {
    let (keys, series_left_out) = series::keys(run);
    let is_wanted = |key: &crate::run::history::Key| keys.contains(key);
    let history = earlier.read(run, &is_wanted);
    let bytes = run.to_bytes().unwrap_or_default();
    let current = PastRun::of(CURRENT, digest::raw(&bytes).to_string(), run.clone(), &is_wanted);
    let past: Vec<&PastRun> = history.runs.iter().chain([&current]).collect();
    let runs = runs(&past);
    let series: Vec<TrendSeries> = keys.iter().map(|key| series::of(key, &past, &runs)).collect();
    let occurs = |verdict: &&str| {
        let verdict = if *verdict == "none" { "" } else { verdict };
        series.iter().flat_map(|series| &series.points).any(|point| point.y.is_some() && point.verdict == verdict)
    };
    let trend = Trend {
        folder: short(&history.folder, 200),
        sentence: sentence(&history),
        verdicts: ["pass", "fail", "warn", "open", "none"].into_iter().filter(occurs).collect(),
        series,
        series_left_out,
        is_dense: runs.len() >= DENSE,
        labels: Label::ALL
            .iter()
            .map(|label| label.as_str())
            .filter(|label| runs.iter().any(|run| run.labels.iter().any(|part| part.label == *label)))
            .collect(),
        runs,
        left_out: left_out(&history).take(MOST_NAMED).collect(),
        left_out_more: left_out(&history).count().saturating_sub(MOST_NAMED),
        digest: history.digest(),
    };
    let stamps = stamps(&history, &trend);
    (trend, stamps)
}

fn stamps(history: &History, trend: &Trend) -> Vec<Stamp> {
    let stamp = |name: &str, value: String, is_code| Stamp { name: name.to_owned(), value, is_code };
    let beside = match history.left_out.len() + history.older + usize::from(history.same.is_some()) {
        0 => String::new(),
        count => format!(", {} left out", ratio::grouped(count as u64)),
    };
    vec![
        stamp("history", format!("{}: {}{beside}", trend.folder, runs_word(history.runs.len(), "earlier run")), false),
        stamp("history, manifests", trend.digest.clone(), true),
    ]
}

fn runs_word(count: usize, word: &str) -> String {
    format!("{} {word}{}", ratio::grouped(count as u64), if count == 1 { "" } else { "s" })
}

fn sentence(history: &History) -> String {
    let folder = short(&history.folder, 200);
    let name = |run: &PastRun| short(&run.name, 80);
    match history.runs.as_slice() {
        [] => format!("There is no earlier run in {folder} to hold this one against."),
        [only] => format!("One earlier run, {} in {folder}, and this one.", name(only)),
        [first, .., last] => {
            let count = runs_word(history.runs.len(), "earlier run");
            format!("{count} in {folder}, from {} to {}, and this one.", name(first), name(last))
        }
    }
}

fn left_out(history: &History) -> impl Iterator<Item = NotDrawn> {
    let older = (history.older > 0).then(|| NotDrawn {
        name: runs_word(history.older, "older run"),
        why: "only the newest 500 are read".to_owned(),
    });
    let same =
        history.same.as_ref().map(|name| NotDrawn { name: short(name, 120), why: "it holds this very run".to_owned() });
    let others =
        history.left_out.iter().map(|left| NotDrawn { name: short(&left.name, 120), why: short(&left.why, 240) });
    others.chain(older).chain(same)
}

fn runs(past: &[&PastRun]) -> Vec<TrendRun> {
    let Some(current) = past.last() else { return Vec::new() };
    let mut runs: Vec<TrendRun> = Vec::with_capacity(past.len());
    let mut breaks = 0;
    for (index, run) in past.iter().enumerate() {
        let changed = index.checked_sub(1).and_then(|before| past.get(before)).map(|before| changed(before, run));
        let changed = changed.unwrap_or_default();
        breaks += usize::from(!changed.is_empty());
        let column = |at: usize| u32::try_from(at * 1000 / past.len()).unwrap_or(1000);
        let (from, to) = (column(index), column(index + 1));
        let (verdict, word) = match (run.verdict, run.is_measured) {
            (RunVerdict::Pass, _) => ("pass", "pass"),
            (RunVerdict::Fail, true) => ("fail", "fail"),
            (RunVerdict::Fail, false) => ("not_judged", "not judged"),
        };
        let (failing, gates) = run.failing;
        runs.push(TrendRun {
            name: short(&run.name, 80),
            index,
            is_current: index + 1 == past.len(),
            verdict,
            word,
            failing: if failing == 0 { String::new() } else { format!("{failing} of {}", runs_word(gates, "gate")) },
            dataset: datasets(&run.datasets),
            cases: ratio::grouped(run.cases),
            policy: digits(&run.policy.digest),
            engine: one_line(&run.engine),
            comparable: run.asks_as(current),
            from,
            x: u32::midpoint(from, to),
            width: to - from,
            mark: if changed.is_empty() { String::new() } else { breaks.to_string() },
            changed,
            labels: labels(&run.labels),
            labels_title: labels_title(&run.labels),
        });
    }
    // A page full of numbers says nothing: the reasons stand in the table as well.
    if breaks > MOST_NUMBERED {
        runs.iter_mut().for_each(|run| run.mark.clear());
    }
    runs
}

/// The first digits of a digest, enough to tell two apart.
fn digits(digest: &str) -> String {
    one_line(&digest.trim_start_matches("sha256:").chars().take(12).collect::<String>())
}

fn datasets(stamps: &[DatasetStamp]) -> String {
    let names: Vec<String> = stamps.iter().map(dataset).collect();
    match names.as_slice() {
        [] => "no dataset".to_owned(),
        [first, second, rest @ ..] if !rest.is_empty() => format!("{first}, {second} and {} more", rest.len()),
        names => names.join(", "),
    }
}

fn dataset(stamp: &DatasetStamp) -> String {
    let version = stamp.version.as_deref().map(|version| format!(" {}", short(version, 40))).unwrap_or_default();
    format!("{}{version}", short(&stamp.name, 60))
}

/// What else is different about a run than about the one before it, so that their values are not one line.
fn changed(before: &PastRun, run: &PastRun) -> String {
    let mut reasons = Vec::new();
    if !run.asks_as(before) {
        let (was, is) = (datasets(&before.datasets), datasets(&run.datasets));
        reasons.push(if was == is {
            format!("other questions in {is}")
        } else {
            format!("other questions: {was} → {is}")
        });
    }
    if run.policy.evaluation_digest != before.policy.evaluation_digest {
        let (was, is) = (digits(&before.policy.digest), digits(&run.policy.digest));
        reasons.push(format!("other rules: policy {was} → {is}"));
    }
    if run.engine != before.engine {
        reasons.push(format!("another version of citeward: {} → {}", one_line(&before.engine), one_line(&run.engine)));
    }
    reasons.join("; ")
}

fn labels(counts: &BTreeMap<Label, u64>) -> Vec<LabelPart> {
    let total: u128 = counts.values().map(|count| u128::from(*count)).sum();
    let place = |count: u128| u32::try_from(count * 1000 / total.max(1)).unwrap_or(1000).min(1000);
    let mut below = 0_u128;
    let mut parts = Vec::new();
    for label in Label::ALL {
        let count = u128::from(counts.get(&label).copied().unwrap_or_default());
        let (bottom, top) = (place(below), place(below + count));
        below += count;
        if top > bottom {
            parts.push(LabelPart { label: label.as_str(), y: 1000 - top, height: top - bottom });
        }
    }
    parts
}

fn labels_title(counts: &BTreeMap<Label, u64>) -> String {
    let of = |label: Label| {
        counts.get(&label).filter(|count| **count > 0).map(|count| format!("{} {label}", ratio::grouped(*count)))
    };
    let words: Vec<String> = Label::ALL.into_iter().filter_map(of).collect();
    if words.is_empty() { "no cited claim".to_owned() } else { words.join(", ") }
}
