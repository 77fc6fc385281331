//! Reading a run folder again: for a report from another template, and to explain one case.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{CASES, OUTLINE, Offer, RECORDS, RUN_JSON, RunJson, Selection, verify};
use crate::diagnostic::{Problem, code};
use crate::record::{CaseRecord, ClaimRecord};

/// A run folder to read from.
#[derive(Debug, Clone)]
pub struct RunFolder {
    path: PathBuf,
    /// The manifest.
    pub manifest: RunJson,
}

/// The lines of one case, without line breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseLines {
    /// Its line of `cases.jsonl`.
    pub case: Vec<u8>,
    /// The lines of its claims in `records.jsonl`, in order.
    pub records: Vec<Vec<u8>>,
}

/// What is done with a case of a run folder and its claims.
pub type ReadCase<'f> = dyn FnMut(&CaseRecord<'_>, &[ClaimRecord<'_>]) -> Result<(), Problem> + 'f;

impl RunFolder {
    /// Opens the run in `path` and reads its manifest.
    ///
    /// # Errors
    /// A [`Problem`] where there is no manifest or it is of another format version.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        let shown = path.join(RUN_JSON).display().to_string();
        // A pipe would be waited for.
        if path.join(RUN_JSON).exists() && !path.join(RUN_JSON).is_file() {
            let problem = Problem::new(code::UNREADABLE, "this is not a regular file").in_file(shown);
            return Err(problem.help("give the folder that `citeward check --out` wrote"));
        }
        let bytes = fs::read(path.join(RUN_JSON)).map_err(|error| unreadable(&shown, &error))?;
        Ok(Self { path: path.to_owned(), manifest: RunJson::from_bytes(&bytes, &shown)? })
    }

    /// Opens the run in `path` to judge it again: what is counted must be what the run wrote.
    ///
    /// # Errors
    /// As [`RunFolder::open`], and a [`Problem`] where the manifest or the outline was changed after the run.
    pub fn open_unchanged(path: &Path) -> Result<Self, Problem> {
        let folder = Self::open(path)?;
        for name in [RUN_JSON, OUTLINE] {
            verify::unchanged(path, name)?;
        }
        Ok(folder)
    }

    /// Path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What a report shows of the run's cases and claims.
    ///
    /// # Errors
    /// A [`Problem`] where a file is missing, a line is not of this format, or there are fewer claims than the cases have.
    pub fn selection(&self) -> Result<Selection, Problem> {
        let mut selection = Selection::new(self.manifest.limits.findings_per_rule);
        let mut cases = Lines::open(&self.path, CASES)?;
        let mut records = Lines::open(&self.path, RECORDS)?;
        let mut lines = Vec::new();
        while cases.next()? {
            let case: CaseRecord<'_> = cases.decode()?;
            lines.clear();
            let first = records.number + 1;
            for _ in 0..case.claims {
                records.next_of_case()?;
                lines.extend_from_slice(&records.line);
                lines.push(b'\n');
            }
            let claims: Vec<ClaimRecord<'_>> = lines
                .split(|&byte| byte == b'\n')
                .take(case.claims)
                .zip(first..)
                .map(|(line, number)| serde_json::from_slice(line).map_err(|e| malformed(&records.shown, number, &e)))
                .collect::<Result<_, _>>()?;
            selection.offer(&Offer::of(&case, &claims), &cases.line, &lines);
        }
        Ok(selection)
    }

    /// Reads every case with its claims, in input order, until `read` gives a problem.
    ///
    /// # Errors
    /// As [`RunFolder::selection`], and what `read` gives.
    pub fn each_case(&self, read: &mut ReadCase<'_>) -> Result<(), Problem> {
        let mut cases = Lines::open(&self.path, CASES)?;
        let mut records = Lines::open(&self.path, RECORDS)?;
        while cases.next()? {
            let case: CaseRecord<'_> = cases.decode()?;
            let mut lines: Vec<(u64, Vec<u8>)> = Vec::new();
            for _ in 0..case.claims {
                records.next_of_case()?;
                lines.push((records.number, records.line.clone()));
            }
            let decoded = lines.iter().map(|(number, line)| {
                serde_json::from_slice(line).map_err(|error| malformed(&records.shown, *number, &error))
            });
            let claims: Vec<ClaimRecord<'_>> = decoded.collect::<Result<_, _>>()?;
            read(&case, &claims)?;
        }
        Ok(())
    }

    /// The lines of one case; `None` where the run has no such case.
    ///
    /// # Errors
    /// As [`RunFolder::selection`].
    pub fn case_lines(&self, case_id: &str) -> Result<Option<CaseLines>, Problem> {
        let mut cases = Lines::open(&self.path, CASES)?;
        let mut before = 0_usize;
        while cases.next()? {
            let outline: Outline<'_> = cases.decode()?;
            if outline.case_id != case_id {
                before += outline.claims;
                continue;
            }
            let mut records = Lines::open(&self.path, RECORDS)?;
            for _ in 0..before {
                records.next_of_case()?;
            }
            let claims = outline.claims;
            let mut found = CaseLines { case: cases.line.clone(), records: Vec::new() };
            for _ in 0..claims {
                records.next_of_case()?;
                found.records.push(records.line.clone());
            }
            return Ok(Some(found));
        }
        Ok(None)
    }

    /// The ids of all cases, in input order.
    ///
    /// # Errors
    /// As [`RunFolder::selection`].
    pub fn case_ids(&self) -> Result<Vec<String>, Problem> {
        let mut cases = Lines::open(&self.path, CASES)?;
        let mut ids = Vec::new();
        while cases.next()? {
            ids.push(cases.decode::<Outline<'_>>()?.case_id.into_owned());
        }
        Ok(ids)
    }

    /// Decodes a line that [`RunFolder::case_lines`] gave; `file` is the name of the file that it comes from.
    ///
    /// # Errors
    /// A [`Problem`] where the line is not of this format.
    pub fn parse<'l, T: Deserialize<'l>>(&self, file: &str, line: &'l [u8]) -> Result<T, Problem> {
        serde_json::from_slice(line).map_err(|error| {
            Problem::new(code::MALFORMED_JSON, format!("not a line of this run: {error}"))
                .in_file(self.path.join(file).display().to_string())
                .help("see `citeward verify`")
        })
    }
}

/// What finding a case needs of its line.
#[derive(Deserialize)]
struct Outline<'a> {
    #[serde(borrow)]
    case_id: std::borrow::Cow<'a, str>,
    claims: usize,
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

    /// Reads the next line, without its line break; `false` at the end.
    fn next(&mut self) -> Result<bool, Problem> {
        self.line.clear();
        let read = self.reader.read_until(b'\n', &mut self.line).map_err(|error| unreadable(&self.shown, &error))?;
        self.line.truncate(self.line.trim_ascii_end().len());
        self.number += u64::from(read > 0);
        Ok(read > 0)
    }

    /// Reads the next line, which must be there.
    fn next_of_case(&mut self) -> Result<(), Problem> {
        if self.next()? {
            return Ok(());
        }
        Err(Problem::new(code::BROKEN_RUN, "fewer claims than the cases have")
            .in_file(&*self.shown)
            .help("see `citeward verify`"))
    }

    fn decode<'l, T: Deserialize<'l>>(&'l self) -> Result<T, Problem> {
        serde_json::from_slice(&self.line).map_err(|error| malformed(&self.shown, self.number, &error))
    }
}

fn malformed(shown: &str, number: u64, error: &serde_json::Error) -> Problem {
    Problem::new(code::MALFORMED_JSON, format!("not a line of this run: {error}"))
        .on_line(shown, number)
        .help("see `citeward verify`")
}

fn unreadable(shown: &str, error: &std::io::Error) -> Problem {
    let (kind, why) = match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => (code::NOT_FOUND, "there is no run here".to_owned()),
        _ => (code::UNREADABLE, format!("cannot be read: {error}")),
    };
    Problem::new(kind, why).in_file(shown).help("give the folder that `citeward check --out` wrote")
}
