//! Gates as a report shows them: failing first, each with a reason in one sentence.

use schemars::JsonSchema;
use serde::Serialize;

use super::ratio::{self, Decimal};
use super::shows::{self, Shows};
use super::view::Filters;
use super::visible::one_line;
use crate::gate::{Effect, Verdict, unreviewed};
use crate::rules::metric::{Average, in_words};
use crate::run::manifest::{ComparisonEntry, GateEntry, MetricEntry, Number, RunJson};

/// A gate on one slice.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GateRow {
    /// Its id.
    pub gate: String,
    /// The metric's name in the policy.
    pub metric: String,
    /// The metric in words, `defect rate`.
    pub metric_words: String,
    /// `language = de`, or `overall`.
    pub slice: String,
    /// `fail`, `no_data`, `inconclusive`, `warn` or `pass`.
    #[schemars(schema_with = "super::schema::gate_verdict")]
    pub verdict: &'static str,
    /// The verdict in words.
    pub word: &'static str,
    /// Whether this row fails the run.
    pub fails_run: bool,
    /// Whether it is to be said loudly, without failing the run.
    pub warns: bool,
    /// The value, `21.4 %`; `no data` over nothing.
    pub value: String,
    /// `6/28`; for a macro average the number of cases.
    pub fraction: String,
    /// `at most 8 %`.
    pub bound: String,
    /// What was found and what is allowed, in one sentence without a full stop, as the gate says it.
    pub reason: String,
    /// The picture of value, interval and bound; none over nothing.
    pub picture: Option<Picture>,
    /// Change against the baseline, `▼ 1.2 points`; empty without one.
    pub delta: String,
    /// `95 %`, where the gate asks for confidence; else empty.
    pub confidence: String,
    /// What the page's filter has to be set to, to see what the gate counts; none where the page shows nothing of it.
    pub shows: Option<Shows>,
    /// `file:line` in the policy.
    pub place: String,
}

/// Value, interval and bounds on an axis, in thousandths of its width.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Picture {
    /// Where the value stands.
    #[schemars(range(max = 1000))]
    pub value: u32,
    /// Where the interval begins; without an interval, where the value stands.
    #[schemars(range(max = 1000))]
    pub low: u32,
    /// Where it ends.
    #[schemars(range(max = 1000))]
    pub high: u32,
    /// Where the least allowed value stands.
    #[schemars(range(max = 1000))]
    pub min: Option<u32>,
    /// Where the greatest allowed value stands.
    #[schemars(range(max = 1000))]
    pub max: Option<u32>,
    /// Label of the axis' left end.
    pub from: String,
    /// Label of its right end.
    pub to: String,
    /// The same in words, for those who do not see it.
    pub title: String,
}

impl GateRow {
    /// Whether it missed its bound, which its severity lets pass in silence.
    pub(super) fn is_missed(&self) -> bool {
        self.verdict == "warn" && !self.warns && !self.fails_run
    }
}

/// The rows of all gates, those that fail the run first, each group in the order of the policy.
pub(super) fn rows(run: &RunJson, filters: &Filters) -> Vec<GateRow> {
    let with_findings = |gate: &GateEntry| GateRow { shows: shows::of(gate, run, filters), ..row(gate) };
    let mut rows: Vec<GateRow> = run.gates.iter().map(with_findings).collect();
    let rank = |row: &GateRow| match (row.fails_run, row.warns, row.verdict) {
        (true, ..) => 0,
        (_, true, _) => 1,
        (.., "pass") => 2,
        _ => 3,
    };
    rows.sort_by_key(rank);
    rows
}

/// `language = de, intent = refund`; `overall` for the whole dataset.
pub(super) fn slice_words(slice: &std::collections::BTreeMap<String, String>) -> String {
    if slice.is_empty() {
        return "overall".to_owned();
    }
    let parts: Vec<String> =
        slice.iter().map(|(id, value)| format!("{} = {}", one_line(id), one_line(value))).collect();
    parts.join(", ")
}

/// `defect_rate` becomes `defect rate`, `rule.numbers` becomes `pass rate of rule numbers`.
pub(super) fn metric_words(metric: &str, average: Average) -> String {
    let words = if metric == unreviewed::METRIC {
        "claims that wait for a decision".to_owned()
    } else {
        one_line(&in_words(metric))
    };
    if average == Average::Macro { format!("{words} (mean over cases)") } else { words }
}

/// The bounds of a gate that its value can be held against.
pub(super) fn bounds(gate: &GateEntry) -> Vec<Decimal> {
    [&gate.bound.min, &gate.bound.max].into_iter().flatten().filter_map(|text| Decimal::parse(text)).collect()
}

pub(super) fn is_count(metric: &str) -> bool {
    metric == "citations_per_claim" || metric == unreviewed::METRIC
}

/// What a metric's value is made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured<'r> {
    pub metric: &'r str,
    pub average: Average,
    pub numerator: Number,
    pub denominator: Number,
    pub value: Option<f64>,
}

impl<'r> From<&'r MetricEntry> for Measured<'r> {
    fn from(entry: &'r MetricEntry) -> Self {
        Self {
            metric: &entry.metric,
            average: entry.average,
            numerator: entry.numerator,
            denominator: entry.denominator,
            value: entry.value,
        }
    }
}

impl Measured<'_> {
    /// The value as a report shows it; `None` over nothing.
    pub(super) fn text(&self, bounds: &[Decimal]) -> Option<String> {
        match (self.counts(), self.value) {
            (_, None) => None,
            (Some((k, n)), _) if is_count(self.metric) => ratio::count(k, n, bounds),
            (Some((k, n)), _) => ratio::percent(k, n, bounds),
            (None, Some(value)) if is_count(self.metric) => Some(format!("{value:.2}")),
            (None, Some(value)) => ratio::percent_of(value, bounds),
        }
    }

    /// `6/28`; of a macro average, the number of cases; empty over nothing.
    pub(super) fn fraction(&self) -> String {
        match (self.counts(), self.denominator.count()) {
            _ if self.denominator.is_zero() || self.metric == unreviewed::METRIC => String::new(),
            (Some((k, n)), _) => ratio::fraction(k, n),
            (None, Some(cases)) if self.average == Average::Macro => format!("{} cases", ratio::grouped(cases)),
            _ => String::new(),
        }
    }

    /// Numerator and denominator of a micro average.
    fn counts(&self) -> Option<(u64, u64)> {
        let is_micro = self.average == Average::Micro;
        self.numerator.count().zip(self.denominator.count()).filter(|_| is_micro)
    }
}

fn measured(gate: &GateEntry) -> Measured<'_> {
    Measured {
        metric: &gate.metric,
        average: gate.average,
        numerator: gate.numerator,
        denominator: gate.denominator,
        value: gate.value,
    }
}

/// The file and line that a gate is written at; `None` where it is built in.
pub(super) fn file_place<'p>(place: &'p str, run: &RunJson) -> Option<(&'p str, u64)> {
    let (file, line) = place.rsplit_once(':')?;
    let is_of_policy = run.policy.files.iter().any(|own| own == file);
    Some((file, line.parse().ok()?)).filter(|_| is_of_policy)
}

/// The row of one gate.
pub(super) fn row(gate: &GateEntry) -> GateRow {
    let value = measured(gate).text(&bounds(gate));
    let fraction = measured(gate).fraction();
    let (verdict, word) = words(gate.verdict);
    let (fails_run, warns) = (gate.effect == Effect::Fail, gate.effect == Effect::Warn);
    let bound = bound_words(gate);
    GateRow {
        gate: one_line(&gate.gate),
        metric: one_line(&gate.metric),
        metric_words: metric_words(&gate.metric, gate.average),
        slice: slice_words(&gate.slice),
        verdict,
        word,
        fails_run,
        warns,
        reason: sentence(&gate.reason),
        picture: picture(gate, value.as_deref(), &bound),
        value: value.unwrap_or_else(|| "no data".to_owned()),
        fraction,
        bound,
        delta: delta(gate),
        shows: None,
        confidence: gate.confidence.as_deref().map(ratio::bound_percent).unwrap_or_default(),
        place: one_line(&gate.place),
    }
}

pub(super) const fn words(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Pass => ("pass", "pass"),
        Verdict::Warn => ("warn", "missed its bound"),
        Verdict::Fail => ("fail", "fail"),
        Verdict::Inconclusive => ("inconclusive", "inconclusive"),
        Verdict::NoData => ("no_data", "no data"),
    }
}

fn one_bound(metric: &str, text: &str) -> String {
    if is_count(metric) { one_line(text) } else { ratio::bound_percent(text) }
}

pub(super) fn bound_words(gate: &GateEntry) -> String {
    let mut parts = Vec::new();
    for (words, bound) in [
        ("at least", &gate.bound.min),
        ("at most", &gate.bound.max),
        ("drop at most", &gate.bound.max_drop),
        ("rise at most", &gate.bound.max_rise),
    ] {
        if let Some(bound) = bound {
            let shown = one_bound(&gate.metric, bound);
            let is_change = words.starts_with("drop") || words.starts_with("rise");
            parts.push(match shown.strip_suffix("\u{a0}%") {
                Some("1") if is_change && !gate.bound.relative => format!("{words} 1\u{a0}point"),
                Some(points) if is_change && !gate.bound.relative => format!("{words} {points}\u{a0}points"),
                _ if is_change => format!("{words} {shown} of the baseline's value"),
                _ => format!("{words} {shown}"),
            });
        }
    }
    parts.join(", ")
}

/// The gate's own sentence, without a full stop, numbers and their signs kept on one line.
fn sentence(reason: &str) -> String {
    one_line(reason).trim_end_matches('.').replace(" %", "\u{a0}%")
}

fn picture(gate: &GateEntry, value: Option<&str>, bound: &str) -> Option<Picture> {
    let at = gate.value?;
    let (low, high) = gate
        .interval
        .or_else(|| measured(gate).counts().filter(|_| !is_count(&gate.metric)).and_then(|(k, n)| ratio::wilson(k, n)))
        .unwrap_or((at, at));
    let (min, max) = limits(gate);
    let all = || [Some(at), Some(low), Some(high), min, max].into_iter().flatten();
    let (from, to) = axis(all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
    let place = |x: f64| thousandths((x - from) / (to - from));
    let label = |x: f64| if is_count(&gate.metric) { format!("{x:.0}") } else { format!("{:.0}\u{a0}%", x * 100.0) };
    let percent = |x: f64| ratio::percent_of(x, &[]).unwrap_or_default();
    let interval = if low < high { format!(", interval {} to {}", percent(low), percent(high)) } else { String::new() };
    Some(Picture {
        value: place(at),
        low: place(low),
        high: place(high),
        min: min.map(place),
        max: max.map(place),
        from: label(from),
        to: label(to),
        title: format!("{}{interval}; {bound}", value.unwrap_or_default()),
    })
}

/// The least and the greatest value that the bounds of a gate allow, as far as they are known.
pub(super) fn limits(gate: &GateEntry) -> (Option<f64>, Option<f64>) {
    let decimal = |bound: &Option<String>| bound.as_deref().and_then(Decimal::parse).map(Decimal::to_f64);
    // What a drop or rise allows begins at the baseline's value; of several bounds the narrowest is drawn.
    let before = deciding(gate).and_then(|compared| compared.before);
    let from_baseline = |change: Option<f64>, sign: f64| {
        let (before, change) = before.zip(change)?;
        Some((before + sign * if gate.bound.relative { change * before } else { change }).max(0.0))
    };
    let narrowest = |one: Option<f64>, other: Option<f64>, pick: fn(f64, f64) -> f64| match (one, other) {
        (Some(one), Some(other)) => Some(pick(one, other)),
        (one, other) => one.or(other),
    };
    let min = narrowest(decimal(&gate.bound.min), from_baseline(decimal(&gate.bound.max_drop), -1.0), f64::max);
    let max = narrowest(decimal(&gate.bound.max), from_baseline(decimal(&gate.bound.max_rise), 1.0), f64::min);
    (min, max)
}

/// An axis that holds everything between two values: the whole range of a ratio, or the end of it where they all stand.
fn axis(least: f64, greatest: f64) -> (f64, f64) {
    match (least, greatest) {
        (_, greatest) if greatest > 1.0 => (0.0, greatest.ceil()),
        (_, greatest) if greatest <= 0.1 => (0.0, 0.1),
        (_, greatest) if greatest <= 0.5 => (0.0, 0.5),
        (least, _) if least >= 0.9 => (0.9, 1.0),
        (least, _) if least >= 0.5 => (0.5, 1.0),
        _ => (0.0, 1.0),
    }
}

pub(super) fn thousandths(share: f64) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=1000")]
    let thousandths = (share.clamp(0.0, 1.0) * 1000.0).round() as u32;
    thousandths
}

/// The comparison that decided: the worst, of equals the first.
fn deciding(gate: &GateEntry) -> Option<&ComparisonEntry> {
    gate.comparisons.iter().rev().max_by_key(|compared| compared.effect)
}

/// The change over the cases of both sides, of the comparison that decided.
fn delta(gate: &GateEntry) -> String {
    let Some((now, before)) = deciding(gate).and_then(|compared| Some((compared.now?, compared.before?))) else {
        return String::new();
    };
    let points = (now - before) * 100.0;
    match points {
        points if points > 0.0 => format!("▲ {points:.1} points"),
        points if points < 0.0 => format!("▼ {:.1} points", -points),
        _ => "unchanged".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Severity;
    use crate::run::manifest::BoundEntry;

    fn gate(verdict: Verdict, numerator: u64, denominator: u64, bound: BoundEntry) -> GateEntry {
        #[allow(clippy::cast_precision_loss, reason = "small numbers")]
        let value = (denominator > 0).then(|| numerator as f64 / denominator as f64);
        GateEntry {
            gate: "defects".into(),
            metric: "defect_rate".into(),
            average: Average::Micro,
            slice: [("language".to_owned(), "de".to_owned())].into(),
            severity: Severity::Error,
            verdict,
            effect: if verdict == Verdict::Pass { Effect::Pass } else { Effect::Fail },
            cause: crate::gate::Cause::Bound,
            broken: 0,
            reason: "defect rate in language=de is 21.4 % (6 of 28), at most 8 % allowed".into(),
            value,
            numerator: Number::Count(numerator),
            denominator: Number::Count(denominator),
            bound,
            min_samples: 0,
            confidence: None,
            interval: None,
            baseline: None,
            p: None,
            comparisons: Vec::new(),
            place: "rules/gates.yaml:3".into(),
        }
    }

    fn at_most(bound: &str) -> BoundEntry {
        BoundEntry { max: Some(bound.into()), ..BoundEntry::default() }
    }

    #[test]
    fn a_gate_is_shown_with_value_interval_and_bound() {
        let row = row(&gate(Verdict::Fail, 6, 28, at_most("0.08")));
        assert_eq!(
            row.reason.replace('\u{a0}', " "),
            "defect rate in language=de is 21.4 % (6 of 28), at most 8 % allowed"
        );
        assert!(row.fails_run);
        let picture = row.picture.expect("a picture");
        // Wilson 95 % of 6/28 is 10.2 % to 39.5 %, on an axis to 50 %.
        assert_eq!((picture.value, picture.low, picture.high, picture.max), (429, 204, 791, Some(160)));
    }

    #[test]
    fn nothing_measured_is_no_data_and_fails() {
        let row = row(&gate(Verdict::NoData, 0, 0, at_most("0.08")));
        assert_eq!((row.value.as_str(), row.fraction.as_str(), row.picture.is_none()), ("no data", "", true));
        assert!(row.fails_run);
    }

    #[test]
    fn a_gate_of_lower_severity_does_not_fail_the_run() {
        let lower = GateEntry {
            severity: Severity::Warning,
            effect: Effect::Warn,
            ..gate(Verdict::Fail, 6, 28, at_most("0.08"))
        };
        assert!(!row(&lower).fails_run);
    }
}
