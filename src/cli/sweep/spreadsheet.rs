//! A sweep as CSV: one line for each threshold in each run (and of a gate on each slice).

use crate::gate::Verdict;
use crate::report::csv::line;
use crate::run::sweep::gate::GateSweep;
use crate::run::sweep::grid;
use crate::run::sweep::rule::{Point, RuleSweep};
use crate::tally::SliceKey;

/// The lines of a gate.
pub(super) fn of_gate(sweep: &GateSweep) -> String {
    let head =
        ["gate", "bound", "run", "dimension", "value", "threshold", "policy", "verdict", "numerator", "denominator"];
    let mut out = line(head);
    for series in &sweep.series {
        let (dimension, value) = match &series.slice {
            SliceKey::Overall => ("", ""),
            SliceKey::Value { dimension, value } => (dimension.as_str(), value.as_str()),
        };
        let numerator = series.listed.numerator.map_or_else(String::new, |count| count.to_string());
        let denominator = series.listed.denominator.to_string();
        for (threshold, verdict) in sweep.grid.thresholds.iter().zip(&series.verdicts) {
            let is_chosen = yes_no(grid::cmp(threshold, &series.chosen).is_eq());
            out += &line([
                sweep.gate.as_str(),
                sweep.side.as_str(),
                &series.run,
                dimension,
                value,
                &threshold.text,
                is_chosen,
                verdict_word(*verdict),
                &numerator,
                &denominator,
            ]);
        }
    }
    out
}

/// The word of a verdict in files.
pub(super) const fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Warn => "warn",
        Verdict::Fail => "fail",
        Verdict::Inconclusive => "inconclusive",
        Verdict::NoData => "no_data",
    }
}

const fn yes_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// The lines of a rule.
pub(super) fn of_rule(sweep: &RuleSweep) -> String {
    let head =
        ["rule", "option", "run", "threshold", "policy", "pass", "fail", "not_applicable", "tp", "fp", "tn", "fn"];
    let mut out = line(head);
    for series in &sweep.series {
        for (threshold, point) in sweep.grid.thresholds.iter().zip(&series.points) {
            let is_chosen = yes_no(grid::cmp(threshold, &sweep.chosen).is_eq());
            let Point { pass, fail, not_applicable, confusion } = point;
            let labelled = [confusion.tp, confusion.fp, confusion.tn, confusion.fn_];
            // Nothing labelled is nothing known, not a rule that is never right.
            let labelled = labelled.map(|count| if confusion.total() == 0 { String::new() } else { count.to_string() });
            let counts = [pass, fail, not_applicable].map(ToString::to_string);
            let head = [sweep.rule.as_str(), sweep.threshold.option, &series.run, &threshold.text, is_chosen];
            out += &line(head.into_iter().chain(counts.iter().chain(&labelled).map(String::as_str)));
        }
    }
    out
}
