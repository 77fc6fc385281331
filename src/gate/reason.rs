//! The sentence that says why a gate came out as it did.

use std::cmp::Ordering;

use super::compare::Scene;
use super::display;
use super::drop::{Change, Exact, Tested};
use super::judge::Subject;
use super::statistics::{Sample, Shown, limit};
use crate::diagnostic::{counted, harmless};
use crate::rules::confidence::Side;
use crate::rules::metric::{self, Average, Direction, Level};
use crate::rules::policy::Bound;
use crate::tally::Value;
use crate::tally::paired::Paired;

/// The metric and the slice: `defect rate in language=de`.
fn subject(subject: &Subject<'_>) -> String {
    format!("{}{}", metric::in_words(&subject.gate.metric_name), subject.slice.in_words())
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

/// Nobody decided a label in the slice; `value` is what the metric would be.
pub(super) fn undecided(gate: &Subject<'_>, value: &Value) -> String {
    let claims = match gate.gate.average {
        Average::Micro => counted(value.samples, "claim"),
        Average::Macro => format!("claim of {}", counted(value.cases, "case")),
    };
    let of = if claims.starts_with("claim") { "no" } else { "none of" };
    format!("{} has no data: {of} {claims} was decided by anyone", subject(gate))
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

/// What broke of a gate's subjects.
pub(super) struct Broken {
    /// Subjects that could not be evaluated.
    pub subjects: u64,
    /// Subjects that the metric asked for.
    pub of: u64,
    /// Claims of the slice of which a cited unit has no content.
    pub unread: u64,
    /// Skipped lines and missing answers, each counted as a subject.
    pub lost: u64,
}

/// More evaluations broke than `max_broken` allows.
pub(super) fn broken(gate: &Subject<'_>, broken: Broken, share: &Value) -> String {
    let Broken { subjects, of, unread, lost } = broken;
    let bound = &gate.gate.max_broken;
    let (shown, allowed) = (display::value(share, &[bound], true), display::bound(bound, true));
    let counts_claims = gate.gate.metric.entry().is_some_and(|entry| entry.level == Level::Claim);
    let own = unread.min(subjects.saturating_sub(lost));
    let lost = match lost {
        0 => String::new(),
        lost => format!(", skipped lines and missing answers among them: {lost}"),
    };
    if counts_claims && own > 0 {
        let others = match subjects - own {
            0 => String::new(),
            others => format!("; {} more could not be evaluated{lost}", counted(others, "subject")),
        };
        return format!(
            "{} cannot be trusted: {own} of {} could not be checked: the cited unit has no content{others} ({shown} of those asked for, at most {allowed} allowed)",
            subject(gate),
            counted(of, "claim"),
        );
    }
    let unread = match unread {
        0 => String::new(),
        1 => "; 1 claim cites a unit without content".to_owned(),
        unread => format!("; {unread} claims cite units without content"),
    };
    format!(
        "{} cannot be trusted: {} could not be evaluated ({shown} of those asked for, at most {allowed} allowed{lost}){unread}",
        subject(gate),
        counted(subjects, "subject"),
    )
}

/// ` of at most 1 %`, the bound on a drop or rise.
fn allowed(gate: &Subject<'_>, bound: &Bound) -> String {
    let shown = display::bound(bound, true);
    match (gate.target.relative, shown.strip_suffix(" %")) {
        (false, Some(points)) => format!("{points} {}", if points == "1" { "point" } else { "points" }),
        _ => format!("{shown} of the baseline's value"),
    }
}

/// What a change for the worse is called.
const fn word(direction: Direction) -> &'static str {
    match direction {
        Direction::Lower => "rise",
        Direction::Higher | Direction::Neither => "drop",
    }
}

/// The gate compares with a baseline, and none was given at all.
pub(super) fn no_baseline(gate: &Subject<'_>, value: Option<&Value>) -> String {
    let (direction, bound) = match (&gate.target.max_drop, &gate.target.max_rise) {
        (Some(bound), _) => (Direction::Higher, Some(bound)),
        (None, bound) => (Direction::Lower, bound.as_ref()),
    };
    let value = value.map_or_else(|| "has no data".to_owned(), |value| format!("is {}", measured(gate, value)));
    let at_most = bound.map_or_else(String::new, |bound| format!(" of at most {}", allowed(gate, bound)));
    format!("{} {value}, but there is no baseline to hold a {}{at_most} against", subject(gate), word(direction))
}

/// A baseline that the gate is to be held against is missing.
pub(super) fn missing_baseline(gate: &Subject<'_>, bound: &Bound, direction: Direction, why: &str) -> String {
    format!("{}: a {} of at most {} cannot be judged: {why}", subject(gate), word(direction), allowed(gate, bound))
}

/// The policy refuses to compare.
pub(super) fn refused(gate: &Subject<'_>, baseline: &str, why: &str) -> String {
    format!("{} is not compared with the baseline{}: {why}", subject(gate), called(baseline))
}

/// ` release`, the name of a baseline that has one.
fn called(baseline: &str) -> String {
    if baseline.is_empty() { String::new() } else { format!(" {}", harmless(baseline)) }
}

/// The baseline has no case in the slice.
pub(super) fn new_slice(gate: &Subject<'_>, baseline: &str) -> String {
    format!(
        "{} is new: the baseline{} has no case there, so nothing can have got worse",
        subject(gate),
        called(baseline)
    )
}

/// A slice of the baseline is gone.
pub(super) fn missing_slice(gate: &Subject<'_>, baseline: &str, cases: u64) -> String {
    let place = gate.slice.in_words();
    let slice = place.strip_prefix(" in ").unwrap_or("everything");
    format!(
        "{slice} is gone: the baseline{} has {} there, and the run has none",
        called(baseline),
        counted(cases, "case")
    )
}

/// Cases of the baseline are gone.
pub(super) fn removed(gate: &Subject<'_>, paired: &Paired) -> String {
    let place = gate.slice.in_words();
    format!(
        "{} of the baseline's {}{place} {} gone from the run{}",
        paired.removed,
        counted(paired.baseline_cases, "case"),
        if paired.removed == 1 { "is" } else { "are" },
        if place.is_empty() { "" } else { " or from this slice" }
    )
}

/// Too many cases ask something else.
pub(super) fn changed_questions(gate: &Subject<'_>, paired: &Paired, bound: &Bound) -> String {
    let place = gate.slice.in_words();
    format!(
        "{} of the baseline's {}{place} {} something else now, more than {} of them",
        paired.changed,
        counted(paired.baseline_cases, "case"),
        if paired.changed == 1 { "asks" } else { "ask" },
        display::bound(bound, true)
    )
}

/// Paired cases had a denominator in the baseline and have none now.
pub(super) fn emptied(counted: u64, emptied: u64) -> String {
    let have = if emptied == 1 { "has" } else { "have" };
    format!(
        "{emptied} of the {counted} cases that counted here in the baseline {have} nothing to count any more, and no value to compare"
    )
}

/// No paired case has a denominator.
pub(super) fn nothing_paired(gate: &Subject<'_>, baseline: &str) -> String {
    format!("{} cannot be compared: the baseline{} or the run measured nothing there", subject(gate), called(baseline))
}

/// What the paired cases say: from what to what, by how much, what is allowed, and how sure that is.
pub(super) fn dropped(
    scene: &Scene<'_, '_>,
    change: &Change,
    tested: Option<&Tested>,
    shown: Shown,
    counts: Option<[u64; 4]>,
) -> String {
    let gate = scene.subject;
    let limit = change.allowed(scene.bound, gate.target.relative);
    let (before, now) = (display::exact(&change.baseline), display::exact(&change.now));
    let [before, now] = match counts {
        Some([k, n, k_now, n_now]) => [format!("{before} ({k} of {n})"), format!("{now} ({k_now} of {n_now})")],
        None => [before, now],
    };
    let moved = match (change.now.cmp(&change.baseline), scene.direction) {
        (Ordering::Equal, _) => format!("stayed at {now}"),
        (Ordering::Less, _) => format!("fell from {before} to {now}"),
        (Ordering::Greater, _) => format!("rose from {before} to {now}"),
    };
    let zero = Exact::from_integer(0.into());
    let worse = match change.drop.cmp(&zero) {
        Ordering::Greater => {
            format!(": {} worse, at most {} allowed", display::points(&change.drop, &limit), allowed(gate, scene.bound))
        }
        _ => format!(", a {} of at most {} is allowed", word(scene.direction), allowed(gate, scene.bound)),
    };
    let versus = if scene.against.name.is_empty() {
        "against the baseline".to_owned()
    } else {
        format!("against {}", harmless(scene.against.name))
    };
    let plain = format!("{} {moved} {versus}{worse}", subject(gate));
    let Some(confidence) = &gate.target.confidence else { return plain };
    let exceeds = change.exceeds(scene.bound, gate.target.relative);
    let Some(tested) = tested else { return format!("{plain}; no test is defined for this metric and average") };
    format!("{plain}; {}", certainty(scene, tested, (shown, exceeds), &confidence.text))
}

/// How sure the comparison is, for somebody who never heard of a p.
fn certainty(scene: &Scene<'_, '_>, tested: &Tested, (shown, exceeds): (Shown, bool), confidence: &str) -> String {
    let cases = counted(tested.cases, "case");
    let p = scene.adjusted.unwrap_or(tested.p);
    let among = match scene.tested_slices {
        0 | 1 => String::new(),
        slices => format!(" among {slices} slices"),
    };
    let detectable = display::limit(tested.smallest_detectable, 0.0);
    let detectable = detectable.trim_end_matches(" %").to_owned();
    let seen = format!("{cases} would show a change of {detectable} points four times in five");
    match shown {
        Shown::Breaks => format!(
            "more than chance at confidence {confidence} (p {}{among}, {cases}, {} changed)",
            display::p(p),
            tested.changed
        ),
        Shown::Keeps if tested.any_lost => {
            let limit = tested.upper_limit().unwrap_or(1.0).max(0.0);
            let limit = display::limit(limit, 0.0);
            format!(
                "shown at confidence {confidence}: not more than {} points worse; {seen}",
                limit.trim_end_matches(" %")
            )
        }
        Shown::Keeps => format!("no case got worse; {seen}"),
        // Within the bound, and not surely.
        Shown::Open if !exceeds => match tested.upper_limit() {
            Some(limit) => {
                let limit = display::limit(limit.clamp(0.0, 1.0), 0.0);
                let limit = limit.trim_end_matches(" %");
                format!("not decided at confidence {confidence}: up to {limit} points worse is not ruled out; {seen}")
            }
            None => format!("not decided at confidence {confidence}: one case says nothing of others"),
        },
        Shown::Open if tested.is_powerless() => {
            format!("not decided at confidence {confidence}: only {} changed; {seen}", counted(tested.changed, "case"))
        }
        Shown::Open => {
            format!(
                "not decided at confidence {confidence}: it may be chance (p {}{among}, {} changed); {seen}",
                display::p(p),
                counted(tested.changed, "case")
            )
        }
    }
}

/// The gate asks for nothing.
pub(super) fn no_bound(gate: &Subject<'_>) -> String {
    format!("{} is held against no bound", subject(gate))
}
