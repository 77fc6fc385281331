//! `findings.csv`: every finding of a run, one a row, for spreadsheets and scripts.

use super::csv;
use super::machine::{Format, Gather};
use super::row::{Background, FindingRow, rows};
use super::view::View;
use crate::run::{CaseWriter, FINDINGS_CSV, OneCase, RunJson};

/// The columns, in order. A column is only ever added, at the end.
pub const COLUMNS: [&str; 39] = [
    "case_id",
    "claim_id",
    "dataset",
    "dataset_version",
    "file",
    "line",
    "rule",
    "check",
    "code",
    "severity",
    "certainty",
    "state",
    "label",
    "decided_by",
    "suspected",
    "reason",
    "stage",
    "owner",
    "message",
    "claim",
    "cites",
    "citation",
    "marker",
    "evidence",
    "source_id",
    "source_version",
    "title",
    "uri",
    "locator",
    "scope",
    "excerpt_start",
    "excerpt_end",
    "excerpt",
    "excerpt_sha256",
    "content_sha256",
    "slices",
    "new",
    "fingerprint",
    "anchor",
];

/// The bytes that tell a spreadsheet that the file is UTF-8.
const BOM: &[u8] = "\u{feff}".as_bytes();

/// The format.
#[derive(Debug)]
pub struct FindingsCsv {
    background: Background,
}

impl FindingsCsv {
    /// The format for one run.
    #[must_use]
    pub const fn new(background: Background) -> Self {
        Self { background }
    }
}

impl CaseWriter for FindingsCsv {
    fn case(&self, case: &OneCase<'_, '_>, into: &mut Vec<u8>) {
        rows(&self.background, case, |row| {
            into.extend_from_slice(line(row, self.background.tells_new).as_bytes());
        });
    }
}

impl Format for FindingsCsv {
    fn file(&self) -> &'static str {
        FINDINGS_CSV
    }

    fn gather(&self) -> Box<dyn Gather + '_> {
        Box::new(Lines)
    }
}

/// The rows go into the file as they are.
struct Lines;

impl Gather for Lines {
    fn begin(&mut self, into: &mut Vec<u8>) {
        into.extend_from_slice(BOM);
        into.extend_from_slice(csv::line(COLUMNS).as_bytes());
    }

    fn take(&mut self, written: &[u8], into: &mut Vec<u8>) {
        into.extend_from_slice(written);
    }

    fn end(&mut self, _: &RunJson, _: &View, _: &mut Vec<u8>) {}
}

fn line(row: &FindingRow, tells_new: bool) -> String {
    let number = |number: Option<usize>| number.map(|number| number.to_string()).unwrap_or_default();
    let (line, start, end) = (row.line.to_string(), number(row.excerpt_start), number(row.excerpt_end));
    let slices: Vec<String> = row.slices.iter().map(|(id, value)| format!("{id}={value}")).collect();
    let (cites, slices) = (row.cites.join("; "), slices.join("; "));
    let new = match (tells_new, row.state) {
        (false, _) => "",
        (true, "known") => "no",
        (true, _) => "yes",
    };
    let cells: [&str; COLUMNS.len()] = [
        &row.case_id,
        &row.claim_id,
        &row.dataset,
        &row.dataset_version,
        &row.file,
        &line,
        &row.rule,
        &row.check,
        &row.code,
        row.severity,
        row.certainty,
        row.state,
        row.label,
        &row.decided_by,
        row.suspected,
        &row.reason,
        row.stage,
        &row.owner,
        &row.message,
        &row.claim,
        &cites,
        &row.citation,
        &row.marker,
        row.evidence,
        &row.source_id,
        &row.source_version,
        &row.title,
        &row.uri,
        &row.locator,
        &row.scope,
        &start,
        &end,
        &row.excerpt,
        &row.excerpt_sha256,
        &row.content_sha256,
        &slices,
        new,
        &row.fingerprint,
        &row.anchor,
    ];
    csv::line(cells)
}
