//! An impact as text for a terminal.

use std::fmt::Write as _;

use crate::cli::regate::{name, put_change};
use crate::diagnostic::counted;
use crate::report::visible::{one_line, short};
use crate::rules::edits::{Edit, EditKind, WrittenValue};
use crate::run::flips::{CaseFlip, ClaimFlip, Direction, Moves};
use crate::run::impact::{Impact, Measured, MetricDelta, SliceMoves};
use crate::run::manifest::RunVerdict;
use crate::tally::Value;

/// Entries of each list that are shown.
const SHOWN: usize = 30;
/// Longest text of a value or a reason, in characters.
const LONGEST: usize = 300;

/// The text.
pub(super) fn render(impact: &Impact) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", head(impact));
    section(&mut out, "what is edited", &impact.edits.iter().map(edit).collect::<Vec<_>>());
    if impact.is_empty() {
        out.push_str(match impact.edits.is_empty() {
            true => "\nThe two policies say the same.\n",
            false => "\nNothing comes out otherwise on these cases.\n",
        });
    }
    let gates: Vec<String> = impact
        .gates
        .iter()
        .map(|change| {
            let mut text = String::new();
            put_change(&mut text, change);
            text.trim().replace("\n      ", "\n    ")
        })
        .collect();
    section(&mut out, "gates that come out otherwise", &gates);
    if let Some(flips) = &impact.flips {
        section(
            &mut out,
            &format!("cases that flip: {}", cases(flips.counts.cases)),
            &flips.cases.iter().map(case).collect::<Vec<_>>(),
        );
        section(
            &mut out,
            &format!("claims that flip: {}", moves(flips.counts.claims, "worse", "better")),
            &flips.claims.iter().map(claim).collect::<Vec<_>>(),
        );
        section(&mut out, "flips by slice", &slices(impact));
        let findings = flips
            .counts
            .findings
            .iter()
            .map(|(rule, moves)| one_line(&format!("{rule}: {} new, {} gone", moves.new, moves.gone)));
        section(&mut out, "findings", &findings.collect::<Vec<_>>());
    }
    section(&mut out, "metrics", &impact.metrics.iter().map(metric).collect::<Vec<_>>());
    for warning in &impact.warnings {
        let _ = writeln!(out, "! {}", one_line(warning));
    }
    out
}

/// The first line: on what, how it was come by, and the verdicts.
pub(super) fn head(impact: &Impact) -> String {
    let evaluated = match impact.evaluations {
        0 => "not evaluated again",
        1 => "evaluated once",
        _ => "evaluated under both",
    };
    let [before, after] = impact.verdict.map(|verdict| if verdict == RunVerdict::Pass { "pass" } else { "fail" });
    let verdict = if before == after { format!("{before}, as before") } else { format!("{before} → {after}") };
    format!("impact on {} ({}, {evaluated}): {verdict}", one_line(&impact.on), counted(impact.cases, "case"))
}

fn section(out: &mut String, title: &str, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{title}");
    for entry in entries.iter().take(SHOWN) {
        let _ = writeln!(out, "  {entry}");
    }
    if entries.len() > SHOWN {
        let _ = writeln!(out, "  … and {} more (--format json has all)", entries.len() - SHOWN);
    }
}

/// `2 begin to fail, 1 ceases to fail`.
pub(super) fn cases(of: Moves) -> String {
    let verb = |count: u64, one: &'static str, more: &'static str| if count == 1 { one } else { more };
    let worse = verb(of.worse, "begins to fail", "begin to fail");
    moves(of, worse, verb(of.better, "ceases to fail", "cease to fail"))
}

/// How many cases and claims of each slice flipped.
pub(super) fn slices(impact: &Impact) -> Vec<String> {
    let slice = |slice: &SliceMoves| {
        let counts = [(slice.cases, "case"), (slice.claims, "claim")].into_iter().filter(|(of, _)| of.total() > 0);
        let counts =
            counts.map(|(of, what)| format!("{} ({})", counted(of.total(), what), moves(of, "worse", "better")));
        one_line(&format!("{}={}: {}", slice.dimension, slice.value, counts.collect::<Vec<_>>().join(", ")))
    };
    impact.slices.iter().map(slice).collect()
}

/// `2 worse, 1 better`.
pub(super) fn moves(moves: Moves, worse: &str, better: &str) -> String {
    let parts = [(moves.worse, worse), (moves.better, better), (moves.other, "neither")];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

/// One entry of the policy that is written otherwise, its values below it.
fn edit(edit: &Edit) -> String {
    let mut text = edit_head(edit);
    for value in &edit.values {
        let _ = write!(text, "\n    {}", value_edit(&value.path, value.before.as_ref(), value.after.as_ref()));
    }
    text
}

/// `gates defects: changed (rules/a.yaml:3 → new/a.yaml:3)`.
pub(super) fn edit_head(edit: &Edit) -> String {
    let what = match edit.kind {
        EditKind::Added => "new",
        EditKind::Removed => "gone",
        EditKind::Changed => "changed",
        EditKind::Reordered => "in another order",
    };
    let places: Vec<String> = [&edit.before, &edit.after].into_iter().flatten().map(|place| one_line(place)).collect();
    let id = if edit.id.is_empty() { String::new() } else { format!(" {}", one_line(&edit.id)) };
    format!("{}{id}: {what} ({})", edit.section, places.join(" → "))
}

/// `max: 0.05 (rules/a.yaml:5) → 0.03 (new/a.yaml:5)`.
pub(super) fn value_edit(path: &str, before: Option<&WrittenValue>, after: Option<&WrittenValue>) -> String {
    let shown = |value: Option<&WrittenValue>| {
        value.map_or_else(
            || "not set".to_owned(),
            |value| format!("{} ({})", short(&value.text, LONGEST), one_line(&value.place)),
        )
    };
    format!("{}: {} → {}", one_line(path), shown(before), shown(after))
}

pub(super) const fn arrow(direction: Direction) -> &'static str {
    match direction {
        Direction::Worse => "worse",
        Direction::Better => "better",
        Direction::Other => "other",
    }
}

/// A case that begins or ceases to fail.
pub(super) fn case(flip: &CaseFlip) -> String {
    format!("{}  {}: {}", arrow(flip.direction), one_line(&flip.case_id), short(&flip.reason, LONGEST))
}

/// A claim whose label flips, and why.
pub(super) fn claim(flip: &ClaimFlip) -> String {
    let label = |state: &crate::run::flips::ClaimState| state.label.map_or("no label", crate::dataset::Label::as_str);
    let id = one_line(&format!("{}#{}", flip.case_id, flip.claim_id));
    format!(
        "{}  {id}: {} → {}: {}",
        arrow(flip.direction),
        label(&flip.before),
        label(&flip.after),
        short(&flip.reason, LONGEST)
    )
}

/// `defect rate language=de: 4 % (1 of 25) → 8 % (2 of 25)`.
pub(super) fn metric(delta: &MetricDelta) -> String {
    let shown = |measured: Option<Measured>| match measured {
        None => "not measured".to_owned(),
        Some(Measured { value: None, .. }) => "no data".to_owned(),
        Some(Measured { numerator: Some(k), denominator: n, .. }) if k <= n => {
            let value = Value::ratio(k, n).map(|value| crate::gate::display::value(&value, &[], true));
            format!("{} ({k} of {n})", value.unwrap_or_default())
        }
        Some(Measured { numerator: Some(k), denominator: n, value: Some(value) }) => {
            format!("{value:.2} ({k} for {n})")
        }
        Some(Measured { denominator, value: Some(value), .. }) => {
            format!("{:.3} % (over {denominator})", value * 100.0)
        }
    };
    let average = if delta.average == crate::rules::metric::Average::Macro { " (macro)" } else { "" };
    format!("{}{average}: {} → {}", name(&delta.metric, &delta.slice), shown(delta.before), shown(delta.after))
}
