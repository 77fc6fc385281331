//! Reading a run folder again, for a report from another template.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use super::{CASES, Offer, RECORDS, RUN_JSON, RunJson, Selection};
use crate::diagnostic::{Problem, code};
use crate::record::{CaseRecord, ClaimRecord};

/// A run as read from its folder: what a report is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredRun {
    /// The manifest.
    pub manifest: RunJson,
    /// The cases and claims that a report shows.
    pub selection: Selection,
}

impl StoredRun {
    /// Reads the run in `folder`, line by line.
    ///
    /// # Errors
    /// A [`Problem`] where a file is missing or a line is not of this format.
    pub fn read(folder: &Path) -> Result<Self, Problem> {
        let shown = |name: &str| folder.join(name).display().to_string();
        let bytes = fs::read(folder.join(RUN_JSON)).map_err(|error| unreadable(&shown(RUN_JSON), &error))?;
        let manifest = RunJson::from_bytes(&bytes, &shown(RUN_JSON))?;
        let mut selection = Selection::new(manifest.limits.findings_per_rule);
        let mut cases = Lines::open(folder, CASES)?;
        let mut records = Lines::open(folder, RECORDS)?;
        let mut claim_lines = Vec::new();
        while cases.next()? {
            let case: CaseRecord<'_> = cases.decode()?;
            claim_lines.clear();
            let mut ends = Vec::with_capacity(case.claims);
            for _ in 0..case.claims {
                if !records.next()? {
                    return Err(Problem::new(code::BROKEN_RUN, "fewer claims than the cases have")
                        .in_file(&*records.shown)
                        .help("see `citeward verify`"));
                }
                claim_lines.extend_from_slice(records.line.trim_ascii_end());
                claim_lines.push(b'\n');
                ends.push(claim_lines.len());
            }
            let claims = decode_claims(&claim_lines, &ends, &records)?;
            selection.offer(&Offer::of(&case, &claims), cases.line.trim_ascii_end(), &claim_lines);
        }
        Ok(Self { manifest, selection })
    }
}

fn decode_claims<'l>(lines: &'l [u8], ends: &[usize], records: &Lines) -> Result<Vec<ClaimRecord<'l>>, Problem> {
    let mut start = 0;
    let mut claims = Vec::with_capacity(ends.len());
    for &end in ends {
        let line = lines.get(start..end).unwrap_or_default();
        claims.push(serde_json::from_slice(line).map_err(|error| records.malformed(&error))?);
        start = end;
    }
    Ok(claims)
}

struct Lines {
    shown: String,
    reader: BufReader<File>,
    line: Vec<u8>,
    number: u64,
}

impl Lines {
    fn open(folder: &Path, name: &str) -> Result<Self, Problem> {
        let shown = folder.join(name).display().to_string();
        let file = File::open(folder.join(name)).map_err(|error| unreadable(&shown, &error))?;
        Ok(Self { shown, reader: BufReader::with_capacity(1 << 18, file), line: Vec::new(), number: 0 })
    }

    fn next(&mut self) -> Result<bool, Problem> {
        self.line.clear();
        self.number += 1;
        let read = self.reader.read_until(b'\n', &mut self.line).map_err(|error| unreadable(&self.shown, &error))?;
        Ok(read > 0)
    }

    fn decode(&self) -> Result<CaseRecord<'_>, Problem> {
        serde_json::from_slice(&self.line).map_err(|error| self.malformed(&error))
    }

    fn malformed(&self, error: &serde_json::Error) -> Problem {
        Problem::new(code::MALFORMED_JSON, format!("not a line of this run: {error}"))
            .on_line(&*self.shown, self.number)
            .help("see `citeward verify`")
    }
}

fn unreadable(shown: &str, error: &std::io::Error) -> Problem {
    Problem::new(code::UNREADABLE, format!("cannot be read: {error}"))
        .in_file(shown)
        .help("give the folder that `citeward check --out` wrote")
}
