//! A comparison for a comment on a pull request: as much of it as fits, and how much was left out.

use std::fmt::Write as _;

use super::super::markdown::{code, escaped};
use super::super::visible::short;
use super::{
    Flipped, Show, besides, case_states, cells, claim_state, drift, flipped, metric_name, mismatch, overall,
    shared_cell, slice_name, slices, summary,
};
use crate::diagnostic::counted;
use crate::run::delta::MetricDelta;
use crate::run::difference::{Change, Difference};
use crate::run::flips::{Direction, LoneClaim};

/// Most bytes of a comment: GitHub takes 65,536 characters.
const LONGEST: usize = 60_000;
/// Longest reason and longest name, in characters.
const REASON: usize = 240;
const NAME: usize = 120;

/// How much is shown, at first and where that is too long.
const STEPS: [Show; 4] = [
    Show { metrics: 30, slices: 30, flips: 60, ids: 40, rows: 20 },
    Show { metrics: 20, slices: 15, flips: 25, ids: 15, rows: 8 },
    Show { metrics: 10, slices: 8, flips: 10, ids: 8, rows: 4 },
    Show { metrics: 5, slices: 4, flips: 4, ids: 3, rows: 2 },
];

/// The Markdown of a comparison.
#[must_use]
pub fn render(difference: &Difference) -> String {
    let mut page = String::new();
    for show in STEPS {
        page = Page { out: String::new(), show }.of(difference);
        if page.len() <= LONGEST {
            break;
        }
    }
    page
}

struct Page {
    out: String,
    show: Show,
}

fn name(text: &str) -> String {
    code(&short(text, NAME))
}

const fn sign(direction: Option<Direction>) -> &'static str {
    match direction {
        Some(Direction::Worse) => "❌",
        Some(Direction::Better) => "✅",
        Some(Direction::Other) => "🔸",
        None => "➖",
    }
}

impl Page {
    fn of(mut self, difference: &Difference) -> String {
        let (sign, word) = match difference.change {
            Change::Same => ("✅", "Same"),
            Change::Worse => ("❌", "Worse"),
            Change::Better => ("✅", "Better"),
            Change::Mixed => ("❌", "Worse and better"),
            Change::Other => ("🔸", "Different"),
        };
        let _ = writeln!(self.out, "## {sign} {word}: {}\n", escaped(&summary(difference)));
        let _ = writeln!(self.out, "{} against {}\n", name(&difference.after.path), name(&difference.before.path));
        let identity = difference.identity.iter().map(mismatch);
        let notes: Vec<String> = difference.warnings.iter().cloned().chain(identity).collect();
        for note in &notes {
            let _ = writeln!(self.out, "> ⚠️ {}  ", escaped(&short(note, 400)));
        }
        if !notes.is_empty() {
            self.out.push('\n');
        }
        if !difference.is_empty() {
            self.cases(difference);
            self.gates(difference);
            self.metrics(difference);
            self.slices(difference);
            self.flips(difference);
            self.rest(difference);
        }
        self.out
    }

    fn heading(&mut self, text: &str) {
        let _ = writeln!(self.out, "### {text}\n");
    }

    /// The end of a list, with how much of it was left out.
    fn end(&mut self, left_out: usize) {
        if left_out > 0 {
            let _ = writeln!(self.out, "\n… and {left_out} more (`citeward diff --all`)");
        }
        self.out.push('\n');
    }

    fn names(&self, names: impl Iterator<Item = String>, count: u64) -> String {
        let names: Vec<String> = names.take(self.show.ids).collect();
        let more = count.saturating_sub(names.len() as u64);
        let more = if more > 0 { format!(", … and {more} more") } else { String::new() };
        format!("{}{more}", names.join(", "))
    }

    fn cases(&mut self, difference: &Difference) {
        let (flips, counts) = (&difference.flips, &difference.flips.counts);
        let lists = [
            (Direction::Worse, "case", "removed", &flips.removed_cases, counts.removed_cases),
            (Direction::Other, "case", "added", &flips.added_cases, counts.added_cases),
            (Direction::Other, "case", "with another question", &flips.changed_questions, counts.changed_questions),
        ];
        let gone =
            [(Direction::Worse, "gone", &difference.gone_slices), (Direction::Other, "new", &difference.new_slices)];
        let before = self.out.len();
        for (direction, what, how, ids, count) in lists.into_iter().filter(|(.., count)| *count > 0) {
            let ids = self.names(ids.iter().map(|id| name(id)), count);
            let _ = writeln!(self.out, "- {} {} {how}: {ids}", sign(Some(direction)), counted(count, what));
        }
        for (direction, how, slices) in gone.into_iter().filter(|(.., slices)| !slices.is_empty()) {
            let count = slices.len() as u64;
            let slice = |slice: &crate::run::difference::LoneSlice| {
                format!("{} ({})", name(&slice_name(&slice.slice)), counted(slice.cases, "case"))
            };
            let names = self.names(slices.iter().map(slice), count);
            let _ = writeln!(self.out, "- {} {} {how}: {names}", sign(Some(direction)), counted(count, "slice"));
        }
        if self.out.len() > before {
            self.out.push('\n');
        }
    }

    fn gates(&mut self, difference: &Difference) {
        if difference.gates.is_empty() {
            return;
        }
        self.heading("Gates that came out otherwise");
        self.out.push_str("| gate | slice | before | now | why |\n|---|---|---|---|---|\n");
        for gate in difference.gates.iter().take(self.show.metrics) {
            let _ = writeln!(
                self.out,
                "| {} | {} | {} | {} | {} |",
                name(&gate.gate),
                escaped(&slice_name(&gate.slice)),
                super::text::verdict_word(gate.before),
                super::text::verdict_word(gate.after),
                escaped(&short(&gate.reason, REASON)),
            );
        }
        self.end(difference.gates.len().saturating_sub(self.show.metrics));
    }

    fn head(&mut self, difference: &Difference, first: &str) {
        let has_shared = difference.metrics.iter().any(|metric| metric.shared.is_some());
        let (title, line) = if has_shared { (" in shared cases |", "--:|") } else { ("", "") };
        let _ = writeln!(
            self.out,
            "| | {first} | before | now | change |{title}\n|---|{}--:|--:|--:|{line}",
            "---|".repeat(first.matches('|').count() + 1)
        );
    }

    fn row(&mut self, metric: &MetricDelta, first: &str) {
        let [was, is, delta] = cells(&metric.all, metric.is_ratio);
        let shared = shared_cell(metric).map_or_else(String::new, |shared| format!(" {shared} |"));
        let _ = writeln!(self.out, "| {} | {first} | {was} | {is} | {delta} |{shared}", sign(metric.direction()));
    }

    fn metrics(&mut self, difference: &Difference) {
        let moved = overall(difference);
        if moved.is_empty() {
            return;
        }
        self.heading("Overall");
        self.head(difference, "metric");
        for metric in moved.iter().take(self.show.metrics) {
            self.row(metric, &name(&metric_name(metric)));
        }
        self.end(moved.len().saturating_sub(self.show.metrics));
    }

    fn slices(&mut self, difference: &Difference) {
        for (direction, title) in [
            (Direction::Worse, "Slices that got worse, worst first"),
            (Direction::Better, "Slices that got better"),
            (Direction::Other, "Slices that changed otherwise"),
        ] {
            let rows = slices(difference, direction);
            if rows.is_empty() {
                continue;
            }
            let most = if direction == Direction::Worse { self.show.slices } else { self.show.rows };
            self.heading(title);
            self.head(difference, "slice | metric");
            for row in rows.iter().take(most) {
                let others = if row.others > 0 { format!(" + {}", row.others) } else { String::new() };
                let metric = name(&metric_name(row.chief));
                let first = format!("{} | {metric}{others}", name(&slice_name(&row.chief.slice)));
                self.row(row.chief, &first);
            }
            self.end(rows.len().saturating_sub(most));
        }
    }

    fn flips(&mut self, difference: &Difference) {
        for (direction, title) in [
            (Direction::Worse, "What got worse"),
            (Direction::Better, "What got better"),
            (Direction::Other, "What changed otherwise"),
        ] {
            let groups = flipped(&difference.flips, direction);
            if groups.is_empty() {
                continue;
            }
            let most = if direction == Direction::Worse { self.show.flips } else { self.show.rows };
            let is_folded = direction != Direction::Worse;
            if is_folded {
                let _ = writeln!(
                    self.out,
                    "<details><summary>{title} ({})</summary>\n",
                    counted(groups.len() as u64, "case")
                );
            } else {
                self.heading(title);
            }
            for group in groups.iter().take(most) {
                self.group(group);
            }
            self.end(groups.len().saturating_sub(most));
            if is_folded {
                self.out.push_str("</details>\n\n");
            }
        }
    }

    fn group(&mut self, group: &Flipped<'_>) {
        let states = group.case.map_or_else(String::new, |flip| format!(" {}", case_states(flip.before, flip.after)));
        let reason = group.case.filter(|_| group.claims.is_empty());
        let reason = reason.map_or_else(String::new, |flip| format!(": {}", escaped(&short(&flip.reason, REASON))));
        let _ = writeln!(self.out, "- {}{states}{reason}", name(group.case_id));
        for claim in group.claims.iter().take(self.show.rows) {
            let was = claim.claim_id_before.as_ref().map_or_else(String::new, |id| format!(" (was {})", name(id)));
            let (before, after) = (escaped(&claim_state(&claim.before)), escaped(&claim_state(&claim.after)));
            let reason = escaped(&short(&claim.reason, REASON));
            let _ = writeln!(self.out, "  - {}{was} {before} → **{after}**: {reason}", name(&claim.claim_id));
        }
        let left_out = group.claims.len().saturating_sub(self.show.rows);
        if left_out > 0 {
            let _ = writeln!(self.out, "  - … and {}", counted(left_out as u64, "more claim"));
        }
    }

    fn rest(&mut self, difference: &Difference) {
        let (flips, counts) = (&difference.flips, &difference.flips.counts);
        let before = self.out.len();
        let lists = [("new", &flips.new_claims, counts.new_claims), ("gone", &flips.gone_claims, counts.gone_claims)];
        for (how, claims, count) in lists.into_iter().filter(|(.., count)| *count > 0) {
            let claim = |claim: &LoneClaim| {
                format!(
                    "{} {}",
                    name(&format!("{}#{}", claim.case_id, claim.claim_id)),
                    escaped(&claim_state(&claim.state))
                )
            };
            let names = self.names(claims.iter().map(claim), count);
            let _ = writeln!(self.out, "- {} {how}: {names}", counted(count, "claim"));
        }
        if counts.drifted_units > 0 {
            let documents = drift(flips);
            let document = |(document, units, claims): &(String, u64, u64)| {
                format!("{} ({}, cited by {})", name(document), counted(*units, "unit"), counted(*claims, "claim"))
            };
            let names = self.names(documents.iter().map(document), documents.len() as u64);
            let _ = writeln!(self.out, "- content that changed under the same version: {names}");
        }
        if !counts.findings.is_empty() {
            let rule = |(rule, moves): (&String, &crate::run::flips::FindingMoves)| {
                format!("{} {} new, {} gone", name(rule), moves.new, moves.gone)
            };
            let rules = self.names(counts.findings.iter().map(rule), counts.findings.len() as u64);
            let _ = writeln!(self.out, "- findings: {rules}");
        }
        for line in besides(difference) {
            let _ = writeln!(self.out, "- {}", escaped(&line));
        }
        if self.out.len() > before {
            self.out.insert_str(before, "### Beside that\n\n");
            self.out.push('\n');
        }
    }
}
