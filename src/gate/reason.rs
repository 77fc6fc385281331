//! The sentence that says why a gate came out as it did.

use super::display;
use super::judge::Subject;
use super::statistics::{Sample, Shown, limit};
use crate::diagnostic::harmless;
use crate::rules::confidence::Side;
use crate::rules::metric::{self, Average};
use crate::rules::policy::Bound;
use crate::tally::{SliceKey, Value};

/// The metric and the slice: `defect rate in language=de`.
fn subject(subject: &Subject<'_>) -> String {
    let name = subject.gate.metric_name.as_str();
    let name = match name.strip_prefix("rule.") {
        Some(rule) => format!("pass rate of rule {rule}"),
        None => name.replace('_', " "),
    };
    format!("{name}{}", place(subject.slice))
}

fn place(slice: &SliceKey) -> String {
    match slice {
        SliceKey::Overall => String::new(),
        SliceKey::Value { dimension, value } => format!(" in {dimension}={}", harmless(value)),
    }
}

/// `21.4 % (6 of 28)`, of a macro average `91.7 % (mean over 12 cases)`.
fn measured(subject: &Subject<'_>, value: &Value) -> String {
    let target = subject.target;
    let bounds: Vec<&Bound> = [&target.min, &target.max].into_iter().filter_map(Option::as_ref).collect();
    let shown = display::value(value, &bounds, subject.is_ratio);
    if subject.gate.average == Average::Macro {
        return format!("{shown} (mean over {})", counted(value.cases, "case"));
    }
    if subject.gate.metric == metric::CITATION_F1 {
        return shown;
    }
    match value.counts() {
        Some((k, n)) if subject.is_ratio => format!("{shown} ({k} of {n})"),
        Some((k, n)) => format!("{shown} ({k} for {n})"),
        None => shown,
    }
}

fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// `at least 95 % required and at most 99 % allowed`.
fn demanded(subject: &Subject<'_>) -> String {
    let show = |bound: &Bound| display::bound(bound, subject.is_ratio);
    let min = subject.target.min.as_ref().map(|bound| format!("at least {} required", show(bound)));
    let max = subject.target.max.as_ref().map(|bound| format!("at most {} allowed", show(bound)));
    min.into_iter().chain(max).collect::<Vec<_>>().join(" and ")
}

/// The value, the bounds, and what the statistics say.
pub(super) fn bound(gate: &Subject<'_>, value: &Value, sample: Option<&Sample>, shown: Shown) -> String {
    let plain = format!("{} is {}, {}", subject(gate), measured(gate, value), demanded(gate));
    let Some(confidence) = &gate.target.confidence else { return plain };
    let Some(sample) = sample else {
        return format!("{plain}; no confidence bound is defined for this metric and average");
    };
    let at = format!("at confidence {}", confidence.text);
    let sides = [(Side::Min, &gate.target.min), (Side::Max, &gate.target.max)];
    let limits = sides.into_iter().filter_map(|(side, bound)| {
        let bound = bound.as_ref()?.to_f64();
        let keeps = shown != Shown::Breaks;
        let (word, side) = match (side, keeps) {
            (Side::Min, true) | (Side::Max, false) => ("lower", Side::Min),
            (Side::Max, true) | (Side::Min, false) => ("upper", Side::Max),
        };
        Some(format!("{word} limit {}", display::limit(limit(sample, side, confidence.to_f64()), bound)))
    });
    let limits = limits.collect::<Vec<_>>().join(", ");
    match shown {
        Shown::Keeps | Shown::Breaks => format!("{plain}; shown {at} ({limits})"),
        Shown::Open => {
            let effect = if sample.design_effect > 1.0 {
                format!(", design effect {:.2}", sample.design_effect)
            } else {
                String::new()
            };
            format!("{plain}; too few to show it {at} ({limits}{effect})")
        }
    }
}

/// The slice never occurred.
pub(super) fn no_slice(gate: &Subject<'_>) -> String {
    format!("{} has no data: nothing in the data lies there", subject(gate))
}

/// What the gate's denominator counts, such as `cited verifiable claims`; `None` where the catalogue does not say.
fn counted_over(gate: &Subject<'_>) -> Option<&'static str> {
    if gate.gate.average == Average::Macro {
        return Some("cases");
    }
    let (_, denominator) = gate.gate.metric.entry()?.definition.split_once(" / ")?;
    Some(denominator.split([';', ',']).next().unwrap_or(denominator))
}

/// The denominator is 0.
pub(super) fn no_data(gate: &Subject<'_>) -> String {
    match counted_over(gate) {
        Some(denominator) => format!("{} has no data: 0 {denominator}", subject(gate)),
        None if gate.gate.metric.entry().is_none() => format!("{} has no data: the rule judged nothing", subject(gate)),
        None => format!("{} has no data: its denominator is 0", subject(gate)),
    }
}

/// The denominator is under `min_samples`.
pub(super) fn too_few(gate: &Subject<'_>, value: &Value) -> String {
    format!(
        "{} is {}: too few to judge, at least {} {} are asked for",
        subject(gate),
        measured(gate, value),
        gate.target.min_samples,
        counted_over(gate).unwrap_or("samples"),
    )
}

/// More evaluations broke than `max_broken` allows.
pub(super) fn broken(gate: &Subject<'_>, broken: u64, share: &Value, lost: u64) -> String {
    let bound = &gate.gate.max_broken;
    let lost = match lost {
        0 => String::new(),
        lost => format!(", skipped lines and missing answers among them: {lost}"),
    };
    format!(
        "{} cannot be trusted: {} could not be evaluated ({} of those asked for, at most {} allowed{lost})",
        subject(gate),
        counted(broken, "subject"),
        display::value(share, &[bound], true),
        display::bound(bound, true),
    )
}

/// The gate compares with a baseline, and there is none.
pub(super) fn missing_baseline(gate: &Subject<'_>, value: &Value) -> String {
    let (word, bound) = match (&gate.target.max_drop, &gate.target.max_rise) {
        (Some(bound), _) => ("drop", Some(bound)),
        (None, bound) => ("rise", bound.as_ref()),
    };
    let at_most = bound.map_or_else(String::new, |bound| format!(" of at most {}", bound.text));
    format!(
        "{} is {}, but there is no baseline to hold a {word}{at_most} against",
        subject(gate),
        measured(gate, value)
    )
}

/// The gate asks for nothing.
pub(super) fn no_bound(gate: &Subject<'_>) -> String {
    format!("{} is held against no bound", subject(gate))
}
