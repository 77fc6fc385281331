//! `outline.jsonl` of a run folder: a head that says what the lines mean, then the outline of every case, in input order.
//! Whatever counts a run again (other gates, a comparison, a sweep) reads this file and not the records.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::diagnostic::{Problem, code, quoted};
use crate::record::outline::{CaseOutline, RuleIndex};
use crate::rules::Policy;
use crate::rules::policy::CROSS;
use crate::tally::{DimensionEntry, RuleEntry, RuleTable, Tally, TallyError};

/// Schema of `outline.jsonl`.
pub const SCHEMA: &str = "citeward/outline/1";

/// The first line: by whom and by what the cases were judged, and what the letters and slices of the outlines mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// [`SCHEMA`].
    pub schema: String,
    /// Version of citeward.
    pub engine: String,
    /// Digest of the part of the policy that decides records.
    pub evaluation_digest: String,
    /// The judge, where one was asked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub judge: Option<String>,
    /// A short value that is the same for the same key, where hashes are made under one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub key_check: Option<String>,
    /// The rules, in policy order: the letters of an outline stand in this order.
    pub rules: Vec<RuleEntry>,
    /// The slice dimensions.
    pub dimensions: Vec<DimensionEntry>,
}

impl Head {
    /// The head of a run under this policy.
    #[must_use]
    pub fn of(policy: &Policy, table: &RuleTable) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            evaluation_digest: policy.evaluation_digest.to_string(),
            judge: None,
            key_check: policy.settings.redact.redactor.hashing.key_check(),
            rules: table.rules.clone(),
            dimensions: table.dimensions.clone(),
        }
    }

    /// The line, with its line break.
    ///
    /// # Errors
    /// A [`Problem`] where it cannot be written as JSON.
    pub fn to_line(&self) -> Result<Vec<u8>, Problem> {
        let mut line = serde_json::to_vec(self)
            .map_err(|error| Problem::new(code::NOT_FINITE, format!("the outline cannot be written: {error}")))?;
        line.push(b'\n');
        Ok(line)
    }

    /// The rules and dimensions that tallies count by.
    #[must_use]
    pub fn table(&self) -> RuleTable {
        RuleTable::new(self.rules.clone(), self.dimensions.clone())
    }

    /// The dimensions of `wanted` that the outlines say nothing about: not declared when the cases were judged, and not
    /// a crossing of some that were.
    #[must_use]
    pub fn unknown_dimensions<'w>(&self, wanted: &'w [DimensionEntry]) -> Vec<&'w DimensionEntry> {
        let knows = |id: &str| self.dimensions.iter().any(|known| known.id == id);
        let is_known = |wanted: &DimensionEntry| {
            knows(&wanted.id) || (!wanted.parts.is_empty() && wanted.parts.iter().all(|part| knows(part)))
        };
        wanted.iter().filter(|wanted| !is_known(wanted)).collect()
    }
}

/// Fills in the values of crossed dimensions that were declared after the cases were judged: the values of their parts,
/// joined. The parts stand before what crosses them.
pub fn cross(outline: &mut CaseOutline<'_>, dimensions: &[DimensionEntry]) {
    for dimension in dimensions.iter().filter(|dimension| !dimension.parts.is_empty()) {
        let id = dimension.id.as_str();
        let joined = |value: &dyn Fn(&str) -> Option<String>| {
            let values: Option<Vec<String>> = dimension.parts.iter().map(|part| value(part)).collect();
            values.map(|values| Cow::Owned(values.join(CROSS)))
        };
        let own_id = || Cow::Owned(id.to_owned());
        if outline.slices.contains_key(id) {
            continue;
        }
        let case_slices = outline.slices.clone();
        let of_case = |part: &str| case_slices.get(part).map(|value| value.to_string());
        match dimension.level {
            crate::rules::metric::Level::Case => {
                if let Some(value) = joined(&of_case) {
                    outline.slices.insert(own_id(), value);
                }
            }
            crate::rules::metric::Level::Claim => {
                for claim in outline.claims.iter_mut().filter(|claim| !claim.slices.contains_key(id)) {
                    let value = |part: &str| claim.slices.get(part).map(|v| v.to_string()).or_else(|| of_case(part));
                    if let Some(value) = joined(&value) {
                        claim.slices.insert(own_id(), value);
                    }
                }
            }
            crate::rules::metric::Level::Citation => {
                for claim in &mut outline.claims {
                    for citation in claim.citations.iter_mut().filter(|citation| !citation.slices.contains_key(id)) {
                        let value = |part: &str| {
                            let own = citation.slices.get(part).or_else(|| claim.slices.get(part));
                            own.map(|v| v.to_string()).or_else(|| of_case(part))
                        };
                        if let Some(value) = joined(&value) {
                            citation.slices.insert(own_id(), value);
                        }
                    }
                }
                for citation in outline.citations.iter_mut().filter(|citation| !citation.slices.contains_key(id)) {
                    let value = |part: &str| citation.slices.get(part).map(|v| v.to_string()).or_else(|| of_case(part));
                    if let Some(value) = joined(&value) {
                        citation.slices.insert(own_id(), value);
                    }
                }
            }
        }
    }
}

/// Counts the case of an outline. `table` is the one that the tally was made with, `index` that of the outline's head.
///
/// # Errors
/// A dimension has more values than it may have.
pub fn count(
    tally: &mut Tally,
    outline: &CaseOutline<'_>,
    index: &RuleIndex,
    table: &RuleTable,
) -> Result<(), TallyError> {
    let (case, claims) = outline.to_records(index);
    tally.add(&case, &claims, table)
}

/// An `outline.jsonl` that is read line by line.
#[derive(Debug)]
pub struct Outlines {
    path: PathBuf,
    /// The first line.
    pub head: Head,
    reader: BufReader<File>,
    line: Vec<u8>,
    number: u64,
}

impl Outlines {
    /// Opens the file at `path` and reads its head.
    ///
    /// # Errors
    /// A [`Problem`] where the file cannot be read, or its head is none of this version.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        let file = File::open(path).map_err(|error| unreadable(path, &error))?;
        let mut reader = BufReader::with_capacity(1 << 18, file);
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line).map_err(|error| unreadable(path, &error))?;
        let head = head(&line).map_err(|problem| problem.on_line(path.display().to_string(), 1))?;
        Ok(Self { path: path.to_owned(), head, reader, line, number: 1 })
    }

    /// The next case; `None` at the end.
    ///
    /// # Errors
    /// A [`Problem`] where the line cannot be read or is no outline.
    pub fn next_case(&mut self) -> Result<Option<CaseOutline<'_>>, Problem> {
        self.line.clear();
        let read = self.reader.read_until(b'\n', &mut self.line).map_err(|error| unreadable(&self.path, &error))?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        match serde_json::from_slice(&self.line) {
            Ok(outline) => Ok(Some(outline)),
            Err(error) => Err(malformed(&error).on_line(self.path.display().to_string(), self.number)),
        }
    }
}

/// Lines of outlines, whole, one after the other.
#[derive(Debug)]
pub struct Block {
    /// Line number of the first.
    pub first: u64,
    /// Their text.
    pub text: Vec<u8>,
}

impl Outlines {
    /// The next lines, about a megabyte of them; `None` at the end. For counting on several threads.
    ///
    /// # Errors
    /// A [`Problem`] where the file cannot be read.
    pub fn next_block(&mut self) -> Result<Option<Block>, Problem> {
        const BYTES: u64 = 1 << 20;
        let mut text = Vec::new();
        let mut read = || {
            (&mut self.reader).take(BYTES).read_to_end(&mut text)?;
            self.reader.read_until(b'\n', &mut text)
        };
        read().map_err(|error| unreadable(&self.path, &error))?;
        let block = Block { first: self.number + 1, text };
        self.number += memchr::memchr_iter(b'\n', &block.text).count() as u64;
        Ok((!block.text.is_empty()).then_some(block))
    }

    /// The file, as shown.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }
}

impl Block {
    /// The outlines with their line numbers.
    ///
    /// # Errors
    /// Of each line a [`Problem`] with its place in the file `name`, where it is no outline.
    pub fn cases<'b>(&'b self, name: &'b str) -> impl Iterator<Item = Result<CaseOutline<'b>, Problem>> {
        let lines = self.text.split(|&byte| byte == b'\n').zip(self.first..);
        lines.filter(|(line, _)| !line.is_empty()).map(move |(line, number)| {
            serde_json::from_slice(line).map_err(|error| malformed(&error).on_line(name, number))
        })
    }
}

/// Reads a head.
///
/// # Errors
/// A [`Problem`] without a place, where the schema is another one or the text is no head.
pub fn head(line: &[u8]) -> Result<Head, Problem> {
    #[derive(Deserialize)]
    struct Versioned {
        schema: String,
    }
    let versioned: Versioned = serde_json::from_slice(line).map_err(|error| malformed(&error))?;
    if versioned.schema != SCHEMA {
        return Err(Problem::new(code::VERSION, "an outline of another format version")
            .found(quoted(&versioned.schema), format!("\"{SCHEMA}\""))
            .help("read it with the version of citeward that wrote it, or evaluate again"));
    }
    serde_json::from_slice(line).map_err(|error| malformed(&error))
}

pub(super) fn malformed(error: &serde_json::Error) -> Problem {
    Problem::new(code::MALFORMED_JSON, format!("not a line of an outline: {error}")).help("see `citeward verify`")
}

pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> Problem {
    let (kind, why) = match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
            (code::NOT_FOUND, "there is no outline of a run here".to_owned())
        }
        _ => (code::UNREADABLE, format!("cannot be read: {error}")),
    };
    Problem::new(kind, why)
        .in_file(path.display().to_string())
        .help("give a folder that `citeward check --out` of this version wrote, or evaluate again")
}
