//! A sweep as tables for a person.

use std::fmt::Write as _;

use super::spreadsheet::verdict_word;
use crate::check::{Outcome, Subject};
use crate::gate::{Verdict, display};
use crate::report::visible::{one_line, short};
use crate::rules::policy::Bound;
use crate::run::sweep::gate::{GateSweep, Series, slice_name};
use crate::run::sweep::rule::{Point, RuleSweep};
use crate::run::sweep::{Grid, grid};
use crate::tally::Value;

/// Runs and slices that are listed one by one.
const LISTED: usize = 40;
/// Runs that have a column of their own.
const COLUMNS: usize = 5;
/// Slices that are named beside a threshold of the policy.
const NAMED: usize = 3;
/// Longest name of a run or slice.
const NAME: usize = 40;
/// Stands before the row of a threshold that the policy has.
const MARK: &str = ">";

/// The tables of a gate.
pub(super) fn of_gate(sweep: &GateSweep) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "gate {} ({}): `{}` of {}{}\n",
        sweep.gate,
        one_line(&sweep.place),
        sweep.side,
        sweep.metric,
        span(&sweep.grid)
    );
    let words = [Verdict::Pass, Verdict::Warn, Verdict::Fail, Verdict::Inconclusive, Verdict::NoData];
    let count = |index: usize, verdict: Verdict| {
        sweep.series.iter().filter(|series| series.verdicts.get(index) == Some(&verdict)).count()
    };
    let occurs = |verdict: &Verdict| (0..sweep.grid.thresholds.len()).any(|index| count(index, *verdict) > 0);
    let others: Vec<Verdict> = words.into_iter().skip(1).filter(occurs).collect();
    let mut head = vec![String::new(), sweep.side.to_string(), "pass".to_owned(), String::new()];
    head.extend(others.iter().map(|verdict| verdict_word(*verdict).to_owned()));
    let mut rows = vec![head];
    for (index, threshold) in sweep.grid.thresholds.iter().enumerate() {
        let passing = count(index, Verdict::Pass) as u64;
        let of = sweep.series.len() as u64;
        let mut row = vec![
            String::new(),
            grid::padded(threshold, sweep.grid.scale),
            format!("{passing} of {of}"),
            share(passing, of),
        ];
        row.extend(others.iter().map(|verdict| count(index, *verdict).to_string()));
        let chosen = chosen_by(sweep, threshold);
        if !chosen.is_empty() {
            row[0] = MARK.to_owned();
            row.push(chosen);
        }
        rows.push(row);
    }
    out += &columns(&rows, 4 + others.len());
    out.push('\n');
    out += &series_table(sweep);
    end(&mut out, outside(sweep.series.iter().map(|series| &series.chosen), &sweep.grid), &sweep.notes);
    out
}

/// `, from 0 to 0.1` over the thresholds as they are.
fn span(grid: &Grid) -> String {
    let ends = grid.thresholds.first().zip(grid.thresholds.last());
    ends.map_or_else(String::new, |(first, last)| format!(", from {} to {}", first.text, last.text))
}

/// Which slices have this bound in the policy.
fn chosen_by(sweep: &GateSweep, threshold: &Bound) -> String {
    let has = |series: &&Series| grid::cmp(&series.chosen, threshold).is_eq();
    if sweep.series.iter().all(|series| has(&series)) {
        return "the policy's value".to_owned();
    }
    let mut names: Vec<String> = Vec::new();
    for series in sweep.series.iter().filter(has) {
        let name = short(&slice_name(&series.slice), NAME);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.len() {
        0 => String::new(),
        count if count > NAMED => {
            format!(
                "the policy's value for {} and {} more",
                names.get(..NAMED).unwrap_or_default().join(", "),
                count - NAMED
            )
        }
        _ => format!("the policy's value for {}", names.join(", ")),
    }
}

fn series_table(sweep: &GateSweep) -> String {
    let several = sweep.series.iter().any(|series| sweep.series.first().is_some_and(|first| first.run != series.run));
    let head = ["", "run", "slice", "value", "policy", "", "passes"].map(str::to_owned).to_vec();
    let mut rows = vec![head];
    for series in sweep.series.iter().take(LISTED) {
        rows.push(vec![
            String::new(),
            short(&series.run, NAME),
            short(&slice_name(&series.slice), NAME),
            series.shown.clone().unwrap_or_else(|| "no data".to_owned()),
            series.chosen.text.clone(),
            verdict_word(series.now).replace('_', " "),
            passes(series, sweep),
        ]);
    }
    if !several {
        for row in &mut rows {
            row.remove(1);
        }
    }
    let mut out = columns(&rows, 0);
    if sweep.series.len() > LISTED {
        let _ = writeln!(out, "  … and {} more (--format csv has all)", sweep.series.len() - LISTED);
    }
    out
}

/// Where a gate passes: `from 0.05`, `up to 0.9`, `nowhere`.
pub(super) fn passes(series: &Series, sweep: &GateSweep) -> String {
    let at = |index: usize| sweep.grid.thresholds.get(index).map_or("", |threshold| threshold.text.as_str());
    let last = sweep.grid.thresholds.len().saturating_sub(1);
    match series.passes() {
        None => "nowhere".to_owned(),
        Some((0, end)) if end == last => "everywhere".to_owned(),
        Some((0, end)) => format!("up to {}", at(end)),
        Some((start, end)) if end == last => format!("from {}", at(start)),
        Some((start, end)) => format!("from {} to {}", at(start), at(end)),
    }
}

/// The tables of a rule.
pub(super) fn of_rule(sweep: &RuleSweep) -> String {
    let mut out = String::new();
    let threshold = &sweep.threshold;
    let _ = writeln!(
        out,
        "rule {} ({}): `{}` of {}, a threshold on the {}{}\n",
        sweep.rule,
        one_line(&sweep.place),
        threshold.option,
        sweep.kind,
        threshold.measures,
        span(&sweep.grid)
    );
    let total = sweep.total();
    let is_labelled = total.iter().any(|point| point.confusion.total() > 0);
    let leaves_open = total.iter().any(|point| point.not_applicable > 0);
    let mut head = ["", threshold.option, "passes", ""].map(str::to_owned).to_vec();
    head.extend(leaves_open.then(|| "not applicable".to_owned()));
    if is_labelled {
        head.extend(["tp", "fp", "tn", "fn", "right"].map(str::to_owned));
    }
    let fixed = head.len();
    let mut rows = vec![head];
    for (value, point) in sweep.grid.thresholds.iter().zip(&total) {
        rows.push(rule_row(sweep, value, point, leaves_open, is_labelled));
    }
    out += &columns(&rows, fixed);
    if sweep.series.len() > 1 {
        out.push('\n');
        out += &by_run(sweep);
    }
    out.push('\n');
    let what = match sweep.subjects {
        Subject::Case => "case",
        Subject::Claim => "claim",
        Subject::Citation => "citation",
    };
    if is_labelled {
        let (says, is) = match threshold.decides {
            Outcome::Pass => ("passes", "people say that it is supported"),
            _ => ("fails", "people say that it is a defect"),
        };
        let none = if sweep.subjects == Subject::Case { " (a case: one of its claims)" } else { "" };
        let _ = writeln!(
            out,
            "  Against the labels that people gave: tp, the rule {says} and {is}{none}; fp, it {says} and they do not; fn, it does \
             not and they do."
        );
    } else {
        let _ = writeln!(
            out,
            "  No {what} has a label that people gave (`expected`): how often the rule is right is not known."
        );
    }
    let broken: u64 = sweep.series.iter().map(|series| series.broken).sum();
    if broken > 0 {
        let _ = writeln!(out, "  {broken} could not be evaluated and are not counted.");
    }
    end(&mut out, outside(std::iter::once(&sweep.chosen), &sweep.grid), &sweep.notes);
    out
}

fn rule_row(sweep: &RuleSweep, value: &Bound, point: &Point, leaves_open: bool, is_labelled: bool) -> Vec<String> {
    let judged = point.pass + point.fail;
    let mut row = vec![
        String::new(),
        grid::padded(value, sweep.grid.scale),
        format!("{} of {judged}", point.pass),
        share(point.pass, judged),
    ];
    row.extend(leaves_open.then(|| point.not_applicable.to_string()));
    if is_labelled {
        let confusion = point.confusion;
        row.extend([confusion.tp, confusion.fp, confusion.tn, confusion.fn_].map(|count| count.to_string()));
        row.push(share(confusion.right(), confusion.total()));
    }
    if grid::cmp(value, &sweep.chosen).is_eq() {
        row[0] = MARK.to_owned();
        row.push("the policy's value".to_owned());
    }
    row
}

/// The pass rate of each run.
fn by_run(sweep: &RuleSweep) -> String {
    let mut head = vec![String::new(), sweep.threshold.option.to_owned()];
    head.extend(sweep.series.iter().take(COLUMNS).map(|series| short(&series.run, NAME)));
    let fixed = head.len();
    let mut rows = vec![head];
    for (index, value) in sweep.grid.thresholds.iter().enumerate() {
        let mark = if grid::cmp(value, &sweep.chosen).is_eq() { MARK } else { "" };
        let mut row = vec![mark.to_owned(), grid::padded(value, sweep.grid.scale)];
        for series in sweep.series.iter().take(COLUMNS) {
            let point = series.points.get(index).copied().unwrap_or_default();
            row.push(share(point.pass, point.pass + point.fail));
        }
        rows.push(row);
    }
    let mut out = columns(&rows, fixed);
    if sweep.series.len() > COLUMNS {
        let _ = writeln!(out, "  … and {} more runs (--format csv has all)", sweep.series.len() - COLUMNS);
    }
    out
}

fn share(k: u64, n: u64) -> String {
    Value::ratio(k, n).map_or_else(|| "no data".to_owned(), |value| display::value(&value, &[], true))
}

/// What the policy has beyond the thresholds.
fn outside<'b>(chosen: impl Iterator<Item = &'b Bound>, grid: &Grid) -> Option<String> {
    let ends = grid.thresholds.first().zip(grid.thresholds.last())?;
    let is_outside = |bound: &&Bound| grid::cmp(bound, ends.0).is_lt() || grid::cmp(bound, ends.1).is_gt();
    let mut values: Vec<&str> = chosen.filter(is_outside).map(|bound| bound.text.as_str()).collect();
    values.sort_unstable();
    values.dedup();
    match values.as_slice() {
        [] => None,
        [value] => Some(format!("The policy's value {value} lies outside of these thresholds.")),
        _ => Some(format!("The policy's values {} lie outside of these thresholds.", values.join(", "))),
    }
}

fn end(out: &mut String, outside: Option<String>, notes: &[String]) {
    for note in outside.iter().chain(notes) {
        let _ = writeln!(out, "  {}", one_line(note));
    }
}

/// Rows in columns, two spaces apart; the first `right` columns but the mark are set to the right.
fn columns(rows: &[Vec<String>], right: usize) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let width = *width;
            let _ = match index {
                0 => write!(line, "{cell:>width$} "),
                _ if index < right => write!(line, "  {cell:>width$}"),
                _ => write!(line, "  {cell:<width$}"),
            };
        }
        out += line.trim_end();
        out.push('\n');
    }
    out
}
