//! A comparison for a terminal: what got worse and where, first.

use std::fmt::Write as _;

use super::super::visible::{one_line, short};
use super::{
    Flipped, Show, SliceRow, besides, case_states, cells, claim_state, drift, flipped, metric_name, mismatch, overall,
    shared_cell, slice_name, slices, summary, unlisted,
};
use crate::diagnostic::counted;
use crate::run::delta::MetricDelta;
use crate::run::difference::{Change, Difference, LoneSlice};
use crate::run::flips::{Direction, LoneClaim};

const SOME: Show = Show { metrics: 10, slices: 8, flips: 10, ids: 8, rows: 5 };
const EVERYTHING: Show =
    Show { metrics: usize::MAX, slices: usize::MAX, flips: usize::MAX, ids: usize::MAX, rows: usize::MAX };
/// Longest reason that is shown unless everything is.
const REASON: usize = 240;

/// The text of a comparison. With `all` nothing is left out, and every metric of every slice is listed; `colour` says whether
/// terminal colours may be used.
#[must_use]
pub fn render(difference: &Difference, all: bool, colour: bool) -> String {
    let show = if all { EVERYTHING } else { SOME };
    let mut page = Page { out: String::new(), show, all, colour };
    let (word, code) = match difference.change {
        Change::Same => ("same", "1;32"),
        Change::Worse => ("worse", "1;31"),
        Change::Better => ("better", "1;32"),
        Change::Mixed => ("worse and better", "1;31"),
        Change::Other => ("different", "1;33"),
    };
    let word = page.paint(word, code);
    let (after, before) = (plain(&difference.after.path), plain(&difference.before.path));
    let _ = writeln!(page.out, "{word}  {after} against {before}: {}", summary(difference));
    page.notes(difference);
    if !difference.is_empty() {
        page.cases(difference);
        page.gates(difference);
        page.metrics(difference);
        page.slices(difference);
        page.flips(difference);
        page.rest(difference);
    }
    if all {
        page.every_metric(difference);
    }
    page.out
}

struct Page {
    out: String,
    show: Show,
    all: bool,
    colour: bool,
}

impl Page {
    fn paint(&self, text: &str, code: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn sign(&self, direction: Direction) -> String {
        match direction {
            Direction::Worse => self.paint("✗", "31"),
            Direction::Better => self.paint("✓", "32"),
            Direction::Other => self.paint("~", "33"),
        }
    }

    fn heading(&mut self, text: &str) {
        let text = self.paint(text, "1");
        let _ = writeln!(self.out, "\n{text}");
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "  {}", text.trim_end());
    }

    /// The line that says how much of a list was left out.
    fn more(&mut self, left_out: u64, indent: &str) {
        if left_out > 0 {
            let _ = writeln!(self.out, "{indent}… and {left_out} more (--all)");
        }
    }

    fn notes(&mut self, difference: &Difference) {
        let sign = self.paint("!", "33");
        let identity = difference.identity.iter().map(mismatch);
        for note in difference.warnings.iter().cloned().chain(identity) {
            self.line(&format!("{sign} {}", plain(&note)));
        }
    }

    fn ids(&self, ids: &[String], count: u64) -> String {
        let shown: Vec<String> = ids.iter().take(self.show.ids).map(|id| plain(id)).collect();
        let more = count.saturating_sub(shown.len() as u64);
        let more = if more > 0 { format!(", … and {more} more (--all)") } else { String::new() };
        format!("{}{more}", shown.join(", "))
    }

    fn cases(&mut self, difference: &Difference) {
        let (flips, counts) = (&difference.flips, &difference.flips.counts);
        let lists = [
            (Direction::Worse, "removed", &flips.removed_cases, counts.removed_cases),
            (Direction::Other, "added", &flips.added_cases, counts.added_cases),
            (Direction::Other, "other question", &flips.changed_questions, counts.changed_questions),
        ];
        let gone =
            [(Direction::Worse, "gone", &difference.gone_slices), (Direction::Other, "new", &difference.new_slices)];
        if lists.iter().any(|(.., count)| *count > 0) {
            self.heading("cases that the two do not share");
            for (direction, what, ids, count) in lists.into_iter().filter(|(.., count)| *count > 0) {
                let line = format!("{} {count} {what}: {}", self.sign(direction), self.ids(ids, count));
                self.line(&line);
            }
        }
        if gone.iter().any(|(.., slices)| !slices.is_empty()) {
            self.heading("slices that the two do not share");
            for (direction, what, slices) in gone.into_iter().filter(|(.., slices)| !slices.is_empty()) {
                let name =
                    |slice: &LoneSlice| format!("{} ({})", slice_name(&slice.slice), counted(slice.cases, "case"));
                let names: Vec<String> = slices.iter().map(name).collect();
                let line = format!(
                    "{} {} {what}: {}",
                    self.sign(direction),
                    names.len(),
                    self.ids(&names, names.len() as u64)
                );
                self.line(&line);
            }
        }
    }

    fn gates(&mut self, difference: &Difference) {
        if difference.gates.is_empty() {
            return;
        }
        self.heading("gates that came out otherwise");
        for gate in difference.gates.iter().take(self.show.metrics) {
            let word = |verdict: crate::gate::Verdict| verdict_word(verdict);
            let slice = if gate.slice.is_empty() { String::new() } else { format!(" [{}]", slice_name(&gate.slice)) };
            let line = format!(
                "{}{slice}: {} → {}: {}",
                plain(&gate.gate),
                word(gate.before),
                word(gate.after),
                plain(&gate.reason)
            );
            self.line(&line);
        }
        self.more(difference.gates.len().saturating_sub(self.show.metrics) as u64, "  ");
    }

    fn metrics(&mut self, difference: &Difference) {
        let moved = overall(difference);
        if moved.is_empty() {
            return;
        }
        self.heading("overall");
        let rows: Vec<Vec<String>> =
            moved.iter().take(self.show.metrics).map(|metric| self.row(metric, metric_name(metric), None)).collect();
        self.table(&rows);
        self.more(moved.len().saturating_sub(self.show.metrics) as u64, "  ");
    }

    fn slices(&mut self, difference: &Difference) {
        for (direction, title) in [
            (Direction::Worse, "slices that got worse, worst first"),
            (Direction::Better, "slices that got better"),
            (Direction::Other, "slices that changed otherwise"),
        ] {
            let rows = slices(difference, direction);
            if rows.is_empty() {
                continue;
            }
            let most = if direction == Direction::Worse { self.show.slices } else { self.show.rows };
            self.heading(title);
            let cells: Vec<Vec<String>> = rows.iter().take(most).map(|row| self.slice_row(row)).collect();
            self.table(&cells);
            self.more(rows.len().saturating_sub(most) as u64, "  ");
        }
    }

    fn slice_row(&self, row: &SliceRow<'_>) -> Vec<String> {
        let mut cells = self.row(row.chief, slice_name(&row.chief.slice), Some(metric_name(row.chief)));
        if row.others > 0 {
            cells.push(format!("+ {}", counted(row.others as u64, "other metric")));
        }
        cells
    }

    fn row(&self, metric: &MetricDelta, name: String, second: Option<String>) -> Vec<String> {
        let [was, is, delta] = cells(&metric.all, metric.is_ratio);
        let sign = metric.direction().map_or_else(|| "·".to_owned(), |direction| self.sign(direction));
        let mut row = vec![sign, name];
        row.extend(second);
        row.extend([was, "→".to_owned(), is, delta]);
        if let Some(shared) = shared_cell(metric) {
            row.push(format!("[shared cases: {shared}]"));
        }
        row
    }

    /// Rows with their columns aligned. The first column is a sign, which may be painted.
    fn table(&mut self, rows: &[Vec<String>]) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            rows.iter().filter_map(|row| row.get(column)).map(|cell| plain(cell).chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in rows {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let width = widths.get(column).copied().unwrap_or(0);
                match column {
                    0 => line.push_str(cell),
                    _ => {
                        let gap = if column == 1 || cell == "→" { " " } else { "  " };
                        let gap = if row.get(column.wrapping_sub(1)).is_some_and(|before| before == "→") {
                            " "
                        } else {
                            gap
                        };
                        let _ = write!(line, "{gap}{:width$}", plain(cell));
                    }
                }
            }
            self.line(&line);
        }
    }

    fn flips(&mut self, difference: &Difference) {
        let flips = &difference.flips;
        for (direction, title) in [
            (Direction::Worse, "what got worse, case by case"),
            (Direction::Better, "what got better"),
            (Direction::Other, "what changed otherwise"),
        ] {
            let groups = flipped(flips, direction);
            if groups.is_empty() {
                continue;
            }
            let most = if direction == Direction::Worse { self.show.flips } else { self.show.rows };
            self.heading(title);
            for group in groups.iter().take(most) {
                self.group(group, direction);
            }
            let left_out = groups.len().saturating_sub(most) as u64;
            let listed = flips.cases.iter().filter(|flip| flip.direction == direction).count();
            self.more(left_out + unlisted(listed, flips.counts.cases, direction), "  ");
        }
    }

    fn group(&mut self, group: &Flipped<'_>, direction: Direction) {
        let states = group.case.map_or_else(String::new, |flip| format!("  {}", case_states(flip.before, flip.after)));
        let line = format!("{} {}{states}", self.sign(direction), plain(group.case_id));
        self.line(&line);
        if let Some(flip) = group.case.filter(|_| group.claims.is_empty()) {
            let _ = writeln!(self.out, "      {}", self.reason(&flip.reason));
        }
        let most = if self.all { usize::MAX } else { self.show.rows };
        for claim in group.claims.iter().take(most) {
            let was = claim.claim_id_before.as_ref().map_or_else(String::new, |id| format!(" (was {})", plain(id)));
            let states = format!("{} → {}", claim_state(&claim.before), claim_state(&claim.after));
            let _ = writeln!(self.out, "    {}{was}  {states}", plain(&claim.claim_id));
            let _ = writeln!(self.out, "      {}", self.reason(&claim.reason));
        }
        self.more(group.claims.len().saturating_sub(most) as u64, "    ");
    }

    fn reason(&self, reason: &str) -> String {
        if self.all { plain(reason) } else { plain(&short(reason, REASON)) }
    }

    fn rest(&mut self, difference: &Difference) {
        let (flips, counts) = (&difference.flips, &difference.flips.counts);
        let lists = [("new", &flips.new_claims, counts.new_claims), ("gone", &flips.gone_claims, counts.gone_claims)];
        if lists.iter().any(|(.., count)| *count > 0) {
            self.heading("claims that only one of the two has");
            for (what, claims, count) in lists.into_iter().filter(|(.., count)| *count > 0) {
                let name =
                    |claim: &LoneClaim| format!("{}#{} {}", claim.case_id, claim.claim_id, claim_state(&claim.state));
                let names: Vec<String> = claims.iter().map(name).collect();
                let line = format!("{count} {what}: {}", self.ids(&names, count));
                self.line(&line);
            }
        }
        if counts.drifted_units > 0 {
            self.heading("evidence whose content changed under the same version");
            let documents = drift(flips);
            for (name, units, claims) in documents.iter().take(self.show.rows) {
                let line =
                    format!("{}: {}, cited by {}", plain(name), counted(*units, "unit"), counted(*claims, "claim"));
                self.line(&line);
            }
            self.more(documents.len().saturating_sub(self.show.rows) as u64, "  ");
        }
        if !counts.findings.is_empty() {
            self.heading("findings that came and went");
            let row = |(rule, moves): (&String, &crate::run::flips::FindingMoves)| {
                vec!["·".to_owned(), one_line(rule), format!("{} new", moves.new), format!("{} gone", moves.gone)]
            };
            let rows: Vec<Vec<String>> = counts.findings.iter().take(self.show.metrics).map(row).collect();
            self.table(&rows);
            self.more(counts.findings.len().saturating_sub(self.show.metrics) as u64, "  ");
        }
        let besides = besides(difference);
        if !besides.is_empty() {
            self.heading("beside that");
            besides.iter().for_each(|line| self.line(line));
        }
    }

    fn every_metric(&mut self, difference: &Difference) {
        self.heading("every metric in every slice");
        let row = |metric: &MetricDelta| self.row(metric, slice_name(&metric.slice), Some(metric_name(metric)));
        let rows: Vec<Vec<String>> = difference.metrics.iter().map(row).collect();
        self.table(&rows);
    }
}

/// A gate's verdict as people read it.
pub(super) const fn verdict_word(verdict: crate::gate::Verdict) -> &'static str {
    use crate::gate::Verdict;
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Warn => "warn",
        Verdict::Fail => "fail",
        Verdict::Inconclusive => "inconclusive",
        Verdict::NoData => "no data",
    }
}

/// Text that a terminal shows and does not obey, with ordinary spaces.
fn plain(text: &str) -> String {
    one_line(text).replace('\u{a0}', " ")
}
