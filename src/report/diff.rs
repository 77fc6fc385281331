//! A comparison of two runs for people: for a terminal, and for a comment on a pull request.

mod markdown;
#[cfg(test)]
mod tests;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use super::visible::one_line;
use crate::diagnostic::counted;
use crate::rules::metric::Average;
use crate::run::delta::{MetricDelta, Pair, Presence};
use crate::run::difference::{Difference, Mismatch};
use crate::run::flips::{CaseFlip, CaseState, ClaimFlip, ClaimState, Direction, Flips, Moves};
use crate::tally::CaseVerdict;

pub use markdown::render as render_md;
pub use text::render as render_text;

/// How much of each list is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Show {
    metrics: usize,
    slices: usize,
    flips: usize,
    ids: usize,
    rows: usize,
}

/// Parts of a sentence: "a, b and c".
fn joined(parts: &[String]) -> String {
    match parts.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// The comparison in one sentence without a full stop.
fn summary(difference: &Difference) -> String {
    let counts = &difference.flips.counts;
    if difference.is_empty() {
        return format!("no difference in {}", counted(counts.paired_cases, "case"));
    }
    let moved = |direction: Direction, verb: &str| {
        let flipped = [(counts.cases, "case"), (counts.claims, "claim")];
        let flipped = flipped.iter().map(|(moves, what)| (moves.of(direction), *what)).filter(|(count, _)| *count > 0);
        let flipped: Vec<String> = flipped.map(|(count, what)| counted(count, what)).collect();
        (!flipped.is_empty()).then(|| format!("{} {verb}", joined(&flipped)))
    };
    let mut parts: Vec<String> = Vec::new();
    parts.extend(moved(Direction::Worse, "got worse"));
    parts.extend(moved(Direction::Better, "got better"));
    parts.extend(moved(Direction::Other, "changed otherwise"));
    if parts.is_empty() {
        parts.push("no case and no claim flipped".to_owned());
    }
    let gone = [
        (counts.removed_cases, "case", "removed"),
        (difference.gone_slices.len() as u64, "slice", "gone"),
        (counts.added_cases, "case", "added"),
        (counts.changed_questions, "question", "changed"),
        (counts.drifted_units, "unit", "drifted"),
    ];
    parts.extend(
        gone.into_iter()
            .filter(|gone| gone.0 > 0)
            .map(|(count, what, verb)| format!("{} {verb}", counted(count, what))),
    );
    parts.extend(
        slices(difference, Direction::Worse).first().map(|row| format!("worst in {}", slice_name(&row.chief.slice))),
    );
    parts.join(", ")
}

/// `language=de`; `overall` for everything.
fn slice_name(slice: &BTreeMap<String, String>) -> String {
    let parts: Vec<String> =
        slice.iter().map(|(dimension, value)| format!("{dimension}={}", shown_value(value))).collect();
    if parts.is_empty() { "overall".to_owned() } else { one_line(&parts.join(", ")) }
}

/// A slice's value; one that cannot be seen is put between quotation marks.
fn shown_value(value: &str) -> String {
    if value.trim().is_empty() { format!("\"{value}\"") } else { value.to_owned() }
}

fn metric_name(metric: &MetricDelta) -> String {
    match metric.average {
        Average::Micro => one_line(&metric.metric),
        Average::Macro => format!("{} (macro)", one_line(&metric.metric)),
    }
}

/// Before, now, and the change: values with their counts.
fn cells(pair: &Pair, is_ratio: bool) -> [String; 3] {
    let [was, is, delta] = pair.shown(is_ratio);
    let with = |value: String, measured: &Option<crate::run::delta::Measured>| match measured {
        Some(measured) => format!("{value} ({})", measured.fraction()),
        None => value,
    };
    [with(was, &pair.before), with(is, &pair.after), delta]
}

/// What a metric of shared cases did, where the two sides do not have the same cases.
fn shared_cell(metric: &MetricDelta) -> Option<String> {
    let pair = metric.shared.as_ref()?;
    let [.., delta] = pair.shown(metric.is_ratio);
    Some(match (&pair.before, &pair.after) {
        (Some(_), Some(_)) => delta,
        (Some(_), None) => "no data now".to_owned(),
        (None, Some(_)) => "no data before".to_owned(),
        (None, None) => "no data".to_owned(),
    })
}

/// The metrics that moved overall, worst first.
fn overall(difference: &Difference) -> Vec<&MetricDelta> {
    let moved = difference.metrics.iter().filter(|metric| metric.slice.is_empty() && metric.presence == Presence::Both);
    moved.filter(|metric| metric.has_moved()).collect()
}

/// What changed beside flips, values and findings, in a line each.
fn besides(difference: &Difference) -> Vec<String> {
    let counts = &difference.flips.counts;
    let metrics = difference.metrics.iter().filter(|metric| metric.presence == Presence::Both);
    let recounted = metrics.filter(|metric| metric.counts_differ() && !metric.has_moved()).count() as u64;
    let lines = [
        (counts.decided_otherwise, "claim", "with the same label by another decider"),
        (counts.changed_otherwise, "case", "with other outcomes, slices, citations or scores that change no label"),
        // Where anything flipped, other counts are what follows from it.
        (
            if difference.flips.is_empty() { recounted } else { 0 },
            "metric",
            "with the same value over other counts (--all)",
        ),
    ];
    let lines = lines.into_iter().filter(|(count, ..)| *count > 0);
    lines.map(|(count, what, how)| format!("{} {how}", counted(count, what))).collect()
}

/// A slice in which something moved: the metric that moved most, and how many others moved the same way.
struct SliceRow<'d> {
    chief: &'d MetricDelta,
    others: usize,
}

/// The slices in which something moved this way, those that weigh most first.
fn slices<'d>(difference: &'d Difference, direction: Direction) -> Vec<SliceRow<'d>> {
    let mut rows: Vec<SliceRow<'d>> = Vec::new();
    let mut places: BTreeMap<&BTreeMap<String, String>, usize> = BTreeMap::new();
    let moved =
        difference.metrics.iter().filter(|metric| !metric.slice.is_empty() && metric.presence == Presence::Both);
    // A slice that is listed as worse or better need not be listed again.
    let is_told = |metric: &&MetricDelta| {
        direction == Direction::Other
            && metric.presence == Presence::Both
            && matches!(metric.direction(), Some(Direction::Worse | Direction::Better))
    };
    let told: BTreeSet<_> = difference.metrics.iter().filter(is_told).map(|metric| &metric.slice).collect();
    for metric in moved.filter(|metric| metric.direction() == Some(direction) && !told.contains(&metric.slice)) {
        match places.get(&metric.slice).and_then(|at| rows.get_mut(*at)) {
            Some(row) => row.others += 1,
            None => {
                places.insert(&metric.slice, rows.len());
                rows.push(SliceRow { chief: metric, others: 0 });
            }
        }
    }
    rows
}

/// A case with what flipped of it in one direction.
struct Flipped<'f> {
    case_id: &'f str,
    case: Option<&'f CaseFlip>,
    claims: Vec<&'f ClaimFlip>,
}

/// What flipped this way, case by case, in the order of the later run.
fn flipped(flips: &Flips, direction: Direction) -> Vec<Flipped<'_>> {
    let cases: Vec<&CaseFlip> = flips.cases.iter().filter(|flip| flip.direction == direction).collect();
    let claims: Vec<&ClaimFlip> = flips.claims.iter().filter(|flip| flip.direction == direction).collect();
    let mut of_case: BTreeMap<&str, Vec<&ClaimFlip>> = BTreeMap::new();
    for claim in &claims {
        of_case.entry(&claim.case_id).or_default().push(claim);
    }
    // Both lists are parts of one order: a case that is in both says where the lists meet.
    let mut order: Vec<&str> = Vec::new();
    let mut left = claims.iter().map(|claim| claim.case_id.as_str());
    for case in &cases {
        if of_case.contains_key(case.case_id.as_str()) {
            for id in left.by_ref() {
                order.push(id);
                if id == case.case_id {
                    break;
                }
            }
        }
        order.push(&case.case_id);
    }
    order.extend(left);
    let mut seen = BTreeSet::new();
    let by_id: BTreeMap<&str, &CaseFlip> = cases.into_iter().map(|case| (case.case_id.as_str(), case)).collect();
    let groups = order.into_iter().filter(|id| seen.insert(*id));
    groups
        .map(|case_id| Flipped {
            case_id,
            case: by_id.get(case_id).copied(),
            claims: of_case.remove(case_id).unwrap_or_default(),
        })
        .collect()
}

/// How many of the cases that flipped this way are listed nowhere, because the comparison was capped.
fn unlisted(listed: usize, moves: Moves, direction: Direction) -> u64 {
    moves.of(direction).saturating_sub(listed as u64)
}

/// A claim's state in a few words: its label and who decided.
fn claim_state(state: &ClaimState) -> String {
    let label = match (&state.class, state.label) {
        (Some(class), _) => one_line(class),
        (None, Some(label)) => label.as_str().to_owned(),
        (None, None) => "uncited".to_owned(),
    };
    match &state.decided_by {
        Some(who) => format!("{label} ({})", one_line(who.strip_prefix("rule:").unwrap_or(who))),
        None => label,
    }
}

/// What a case did: "passed, fails now".
fn case_states(before: CaseState, after: CaseState) -> String {
    let was = match before.verdict {
        CaseVerdict::Pass => "passed",
        CaseVerdict::Fail => "failed",
        CaseVerdict::Broken => "could not be judged",
        CaseVerdict::Unjudged => "was not judged",
    };
    let is = match after.verdict {
        CaseVerdict::Pass => "passes now",
        CaseVerdict::Fail => "fails now",
        CaseVerdict::Broken => "cannot be judged now",
        CaseVerdict::Unjudged => "is not judged now",
    };
    let mut parts = Vec::new();
    if before.verdict != after.verdict {
        parts.push(format!("{was}, {is}"));
    }
    match (before.refused, after.refused) {
        (false, true) => parts.push("answered, refuses now".to_owned()),
        (true, false) => parts.push("refused, answers now".to_owned()),
        _ => {}
    }
    parts.join("; ")
}

/// A mismatch in one sentence.
fn mismatch(mismatch: &Mismatch) -> String {
    let Mismatch { what, before, after, meaning } = mismatch;
    let is_digest = |text: &Option<String>| text.as_ref().is_some_and(|text| text.contains("sha256:"));
    let values = match (before, after) {
        (before, after) if is_digest(before) || is_digest(after) => String::new(),
        (Some(before), Some(after)) if ["rules", "slices"].contains(&what.as_str()) => {
            format!(" (only before: {before}; only now: {after})")
        }
        (Some(before), None) if ["rules", "slices"].contains(&what.as_str()) => format!(" (only before: {before})"),
        (None, Some(after)) if ["rules", "slices"].contains(&what.as_str()) => format!(" (only now: {after})"),
        (before, after) => {
            let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
            format!(" ({} → {})", or_none(before), or_none(after))
        }
    };
    format!("{what}{values}: {meaning}")
}

/// Drifted units by document and version: how many units, and how many claims cite them.
fn drift(flips: &Flips) -> Vec<(String, u64, u64)> {
    let mut order: Vec<(String, u64, u64)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for unit in &flips.drift {
        let document = unit.document.as_deref().unwrap_or(&unit.id);
        let name = match &unit.version {
            Some(version) => format!("{document} version {version}"),
            None => format!("{document} (no version)"),
        };
        let at = *places.entry(name.clone()).or_insert_with(|| {
            order.push((name, 0, 0));
            order.len() - 1
        });
        if let Some((_, units, claims)) = order.get_mut(at) {
            *units += 1;
            *claims += unit.claims;
        }
    }
    order
}
