//! Earlier runs, for the trend of a report: which folders hold one, and what their manifests say.
//!
//! Only `run.json` and `SHA256SUMS` are read. No clock is asked: the names of the folders, in natural order, are the order in
//! time.

mod order;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::manifest::{DatasetStamp, GateEntry, MetricEntry, PolicyStamp, RunJson, RunVerdict};
use super::{RUN_JSON, SUMS, verify};
use crate::dataset::Label;
use crate::diagnostic::{Problem, code};
use crate::gate::{Effect, Verdict, measures_data};
use crate::rules::metric::Average;
use crate::text::digest;

/// Most runs that are read: the newest.
pub const MOST: usize = 500;
/// Folders inside one another that are looked into, counted from the folder of runs.
pub const DEPTH: usize = 4;
/// Most folders that are looked into.
const MOST_FOLDERS: usize = 100_000;
/// Largest `run.json` and `SHA256SUMS` that are read, in bytes.
const MANIFEST_BYTES: u64 = 64 << 20;
const SUMS_BYTES: u64 = 1 << 20;

/// The folders below one folder that hold earlier runs.
#[derive(Debug, Clone)]
pub struct Earlier {
    /// The folder, as the user gave it.
    pub folder: String,
    /// Those that hold a run, oldest first, at most [`MOST`].
    found: Vec<Candidate>,
    /// Older ones beyond them.
    older: usize,
    /// Folders that could not be looked into.
    closed: Vec<LeftOut>,
}

#[derive(Debug, Clone)]
struct Candidate {
    name: String,
    path: PathBuf,
}

/// What earlier runs say.
#[derive(Debug, Clone, Default)]
pub struct History {
    /// The folder, as the user gave it.
    pub folder: String,
    /// The runs, oldest first.
    pub runs: Vec<PastRun>,
    /// Folders that hold a run, or may hold one, and are not among them.
    pub left_out: Vec<LeftOut>,
    /// Older runs beyond the newest [`MOST`], which were not read.
    pub older: usize,
    /// The newest folder, where it holds the very run that is reported.
    pub same: Option<String>,
}

/// A folder whose run is not part of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its path below the folder of runs.
    pub name: String,
    /// Why, in a lower-case fragment.
    pub why: String,
}

/// What a trend needs of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct PastRun {
    /// Its path below the folder of runs, with `/` between folders.
    pub name: String,
    /// Digest of its manifest, `sha256:…`.
    pub digest: String,
    /// Its verdict.
    pub verdict: RunVerdict,
    /// Whether any gate on the data had something to measure.
    pub is_measured: bool,
    /// Version of citeward that made it.
    pub engine: String,
    /// By which policy.
    pub policy: PolicyStamp,
    /// On which data.
    pub datasets: Vec<DatasetStamp>,
    /// Its cases.
    pub cases: u64,
    /// Cited verifiable claims by label.
    pub labels: BTreeMap<Label, u64>,
    /// The metrics that are asked for.
    pub metrics: Vec<MetricEntry>,
    /// The gates on them.
    pub gates: Vec<GateEntry>,
    /// Gates that fail it, and all of them.
    pub failing: (usize, usize),
}

/// A metric in a slice.
pub type Key = (String, Average, BTreeMap<String, String>);

impl Earlier {
    /// Finds the folders with a run below `folder`: at most [`DEPTH`] deep, not inside a run, without links and hidden folders.
    /// `own` is the folder of the run that is reported; it is not its own history.
    ///
    /// # Errors
    /// A [`Problem`] where `folder` is none, is itself a run, or holds more than can be looked into.
    pub fn find(folder: &Path, own: &Path) -> Result<Self, Problem> {
        let shown = folder.display().to_string();
        refuse(folder, &shown)?;
        let own = fs::canonicalize(own).ok();
        let mut earlier = Self { folder: shown.clone(), found: Vec::new(), older: 0, closed: Vec::new() };
        let mut walk = WalkDir::new(folder).min_depth(1).max_depth(DEPTH).sort_by_file_name().into_iter();
        let mut folders = 0;
        while let Some(entry) = walk.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let name = error.path().map(|path| name_of(path, folder)).unwrap_or_default();
                    let why = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
                    earlier.closed.push(LeftOut { name, why: format!("the folder cannot be read: {why}") });
                    continue;
                }
            };
            if !entry.file_type().is_dir() {
                continue;
            }
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                walk.skip_current_dir();
                continue;
            }
            folders += 1;
            if folders > MOST_FOLDERS {
                return Err(Problem::new(code::TOO_LARGE, format!("more than {MOST_FOLDERS} folders"))
                    .in_file(shown)
                    .help("give the folder that holds the runs and little else"));
            }
            if fs::symlink_metadata(entry.path().join(RUN_JSON)).is_ok() {
                walk.skip_current_dir();
                let is_own = own.is_some() && fs::canonicalize(entry.path()).ok() == own;
                if !is_own {
                    earlier.found.push(Candidate { name: name_of(entry.path(), folder), path: entry.into_path() });
                }
            }
        }
        earlier.found.sort_by(|a, b| order::natural(&a.name, &b.name));
        earlier.older = earlier.found.len().saturating_sub(MOST);
        earlier.found.drain(..earlier.older);
        Ok(earlier)
    }

    /// Reads the manifests. Of each is kept what `is_wanted`. A run that cannot be read, was changed, or is on other data than
    /// `current` is left out with the reason.
    #[must_use]
    pub fn read(&self, current: &RunJson, is_wanted: &dyn Fn(&Key) -> bool) -> History {
        let mut history = History {
            folder: self.folder.clone(),
            older: self.older,
            left_out: self.closed.clone(),
            ..History::default()
        };
        let mut is_same = false;
        for candidate in &self.found {
            let leave_out = |why: String| LeftOut { name: candidate.name.clone(), why };
            match manifest(&candidate.path) {
                Err(why) => history.left_out.push(leave_out(why)),
                Ok((manifest, _)) if !shares_data(&manifest, current) => {
                    history.left_out.push(leave_out(format!("it is a run on other data: {}", data(&manifest))));
                }
                Ok((manifest, digest)) => {
                    is_same = manifest == *current;
                    history.runs.push(PastRun::of(&candidate.name, digest, manifest, is_wanted));
                }
            }
        }
        // A copy of this run, kept beside the earlier ones, is not an earlier run.
        if is_same {
            history.same = history.runs.pop().map(|run| run.name);
        }
        history
    }
}

impl History {
    /// Digest over the names and manifests that are part of it, `sha256:…`.
    #[must_use]
    pub fn digest(&self) -> String {
        let lines: String = self
            .runs
            .iter()
            .map(|run| format!("{}  {}\n", run.digest.trim_start_matches("sha256:"), run.name))
            .collect();
        digest::raw(lines.as_bytes()).to_string()
    }
}

impl PastRun {
    /// What a trend needs of `run`.
    pub fn of(name: &str, digest: String, run: RunJson, is_wanted: &dyn Fn(&Key) -> bool) -> Self {
        let on_data = |gate: &&GateEntry| measures_data(&gate.metric);
        let failing = run.gates.iter().filter(|gate| gate.effect == Effect::Fail).count();
        let mut on_data = run.gates.iter().filter(on_data).peekable();
        let is_measured = on_data.peek().is_none() || on_data.any(|gate| gate.verdict != Verdict::NoData);
        let failing = (failing, run.gates.len());
        let is_wanted = |metric: &str, average: Average, slice: &BTreeMap<String, String>| {
            is_wanted(&(metric.to_owned(), average, slice.clone()))
        };
        let (mut metrics, mut gates) = (run.metrics, run.gates);
        metrics.retain(|entry| is_wanted(&entry.metric, entry.average, &entry.slice));
        gates.retain(|entry| is_wanted(&entry.metric, entry.average, &entry.slice));
        Self {
            name: name.to_owned(),
            digest,
            verdict: run.verdict,
            is_measured,
            engine: run.engine.version,
            policy: run.policy,
            datasets: run.datasets,
            cases: run.counts.cases,
            labels: run.labels,
            metrics,
            gates,
            failing,
        }
    }

    /// Whether both runs ask the same questions.
    #[must_use]
    pub fn asks_as(&self, other: &PastRun) -> bool {
        let mut both =
            [self, other].map(|run| run.datasets.iter().map(|d| d.questions_digest.as_str()).collect::<Vec<_>>());
        both.iter_mut().for_each(|digests| digests.sort_unstable());
        let [one, other] = both;
        one == other
    }
}

/// Refuses what is no folder of runs.
fn refuse(folder: &Path, shown: &str) -> Result<(), Problem> {
    let (kind, why, help) = match fs::metadata(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            (code::NOT_FOUND, "there is no such folder of earlier runs".to_owned(), "make it before the first run")
        }
        Err(error) => (code::UNREADABLE, format!("cannot be read: {error}"), "give the folder that holds the runs"),
        Ok(metadata) if !metadata.is_dir() => (
            code::NOT_FOUND,
            "this is a file, and a history is a folder".to_owned(),
            "give the folder that holds the runs",
        ),
        Ok(_) if folder.join(RUN_JSON).exists() => (
            code::CONTRADICTION,
            "this is one run, not a folder of earlier runs".to_owned(),
            "give the folder that this one stands in",
        ),
        Ok(_) => return Ok(()),
    };
    Err(Problem::new(kind, why).in_file(shown).help(help))
}

/// The path below the folder of runs, with `/` between folders on every system.
fn name_of(path: &Path, folder: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let names: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    names.join("/")
}

/// The manifest of the run in a folder and the digest of its bytes; `Err` says why it is not used.
fn manifest(folder: &Path) -> Result<(RunJson, String), String> {
    let bytes = bounded(&folder.join(RUN_JSON), RUN_JSON, MANIFEST_BYTES)?;
    let digest = digest::raw(&bytes).to_string();
    let sums = match bounded(&folder.join(SUMS), SUMS, SUMS_BYTES) {
        Ok(sums) => String::from_utf8_lossy(&sums).into_owned(),
        Err(_) if !folder.join(SUMS).exists() => {
            return Err(format!("there is no {SUMS} that says whether {RUN_JSON} is as it was written"));
        }
        Err(why) => return Err(why),
    };
    let listed = verify::listed(&sums).filter_map(Result::ok).find(|(_, name)| *name == RUN_JSON);
    match listed.map(|(listed, _)| listed) {
        None => return Err(format!("{SUMS} does not list {RUN_JSON}")),
        Some(listed) if !digest.trim_start_matches("sha256:").eq_ignore_ascii_case(listed) => {
            return Err(format!("{RUN_JSON} was changed after the run"));
        }
        Some(_) => {}
    }
    let manifest = RunJson::from_bytes(&bytes, RUN_JSON).map_err(|problem| problem.to_string())?;
    Ok((manifest, digest))
}

/// The bytes of an ordinary file that is not larger than `most`; nothing else is opened.
fn bounded(path: &Path, name: &str, most: u64) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| format!("{name} cannot be read: {error}");
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(format!("{name} is not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(most + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > most {
        return Err(format!("{name} is larger than {} MiB", most >> 20));
    }
    Ok(bytes)
}

/// Whether a dataset of one is a dataset of the other, by name or by its questions.
fn shares_data(run: &RunJson, current: &RunJson) -> bool {
    run.datasets.iter().any(|one| {
        let is_it = |other: &DatasetStamp| one.name == other.name || one.questions_digest == other.questions_digest;
        current.datasets.iter().any(is_it)
    })
}

fn data(run: &RunJson) -> String {
    let names: Vec<&str> = run.datasets.iter().map(|dataset| dataset.name.as_str()).collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        [first, second, third, rest @ ..] if !rest.is_empty() => {
            format!("{first}, {second}, {third} and {} more", rest.len())
        }
        names => names.join(", "),
    }
}
