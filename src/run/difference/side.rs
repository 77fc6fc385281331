//! One side of a comparison, read: a run folder or a baseline file.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::diagnostic::{Problem, code};
use crate::run::baseline::Baseline;
use crate::run::delta::Key;
use crate::run::folder::RunFolder;
use crate::run::manifest::{DatasetStamp, FileStamp, GateEntry, RunVerdict};
use crate::run::store::Store;
use crate::tally::SliceKey;

/// What one side is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A run folder.
    Run,
    /// A baseline file.
    Baseline,
}

/// A dataset of one side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dataset {
    /// Its name.
    pub name: String,
    /// Its version; `null`: unversioned.
    pub version: Option<String>,
    /// Digest over the questions alone.
    pub questions_digest: String,
    /// Digest over all cases.
    pub content_digest: String,
}

/// What one side says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stamp {
    /// Its path, as given.
    pub path: String,
    /// What it is.
    pub kind: Kind,
    /// Its datasets, as far as they are compared.
    pub datasets: Vec<Dataset>,
    /// Cases that are compared.
    pub cases: u64,
    /// `pass` or `fail`.
    pub verdict: String,
    /// Version of citeward.
    pub engine: String,
    /// Digest of the part of the policy that decides records.
    pub evaluation_digest: String,
    /// Digest of the gates.
    pub gates_digest: String,
    /// The judge.
    pub judge: Option<String>,
}

/// One side, read.
#[derive(Debug)]
pub struct Side {
    /// What it says of itself.
    pub stamp: Stamp,
    pub(super) store: Store,
    /// The source register and the decisions of a run; a baseline does not know them.
    pub(super) inputs: Option<[(&'static str, Option<FileStamp>); 2]>,
    /// Bad lines that were skipped and cases that were not evaluated.
    pub(super) lost: u64,
    pub(super) gates: Vec<GateEntry>,
    /// Metrics that the run lists because a gate names them.
    pub(super) more: Vec<Key>,
    /// How many cases each of the datasets has, in order, of a run.
    sizes: Vec<u64>,
}

impl Side {
    /// Reads a run folder or a baseline file.
    ///
    /// # Errors
    /// A [`Problem`] where it is neither, or cannot be read.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        if path.is_dir() {
            return Self::of_run(&RunFolder::open_unchanged(path)?);
        }
        if !path.exists() {
            return Err(Problem::new(code::NOT_FOUND, "there is no run and no baseline here")
                .in_file(path.display().to_string())
                .help("give a folder that `citeward check --out` wrote, or a file that `citeward bless` wrote"));
        }
        Ok(Self::of_baseline(Baseline::open(path)?))
    }

    fn of_run(folder: &RunFolder) -> Result<Self, Problem> {
        let (run, path) = (&folder.manifest, folder.path());
        let store = Store::of_run(path)?;
        let dataset = |stamp: &DatasetStamp| Dataset {
            name: stamp.name.clone(),
            version: stamp.version.clone(),
            questions_digest: stamp.questions_digest.clone(),
            content_digest: stamp.content_digest.clone(),
        };
        let verdict = if run.verdict == RunVerdict::Pass { "pass" } else { "fail" };
        let stamp = Stamp {
            path: path.display().to_string(),
            kind: Kind::Run,
            datasets: run.datasets.iter().map(dataset).collect(),
            cases: store.len() as u64,
            verdict: verdict.to_owned(),
            engine: store.head.engine.clone(),
            evaluation_digest: store.head.evaluation_digest.clone(),
            gates_digest: run.policy.gates_digest.clone(),
            judge: store.head.judge.clone(),
        };
        let key = |slice: &BTreeMap<String, String>| {
            slice.iter().next().map_or(SliceKey::Overall, |(dimension, value)| SliceKey::Value {
                dimension: dimension.clone(),
                value: value.clone(),
            })
        };
        Ok(Self {
            stamp,
            store,
            inputs: Some([
                ("source register", run.inputs.sources.clone()),
                ("reviewers' decisions", run.inputs.decisions.clone()),
            ]),
            lost: run
                .datasets
                .iter()
                .map(|dataset| dataset.skipped_lines)
                .fold(run.counts.broken_cases, u64::saturating_add),
            gates: run.gates.clone(),
            more: run.metrics.iter().map(|entry| (entry.metric.clone(), entry.average, key(&entry.slice))).collect(),
            sizes: run.datasets.iter().map(|dataset| dataset.cases).collect(),
        })
    }

    fn of_baseline(baseline: Baseline) -> Self {
        let Baseline { path, identity, store, .. } = baseline;
        let dataset = Dataset {
            name: identity.dataset,
            version: identity.version,
            questions_digest: identity.questions_digest,
            content_digest: identity.content_digest,
        };
        let stamp = Stamp {
            path,
            kind: Kind::Baseline,
            datasets: vec![dataset],
            cases: store.len() as u64,
            verdict: identity.verdict,
            engine: store.head.engine.clone(),
            evaluation_digest: store.head.evaluation_digest.clone(),
            gates_digest: identity.gates_digest,
            judge: store.head.judge.clone(),
        };
        Self { stamp, store, inputs: None, lost: 0, gates: Vec::new(), more: Vec::new(), sizes: Vec::new() }
    }

    /// A run of nothing but these outlines.
    #[cfg(test)]
    pub(crate) fn of_outlines(path: &str, store: Store) -> Self {
        let stamp = Stamp {
            path: path.to_owned(),
            kind: Kind::Run,
            datasets: Vec::new(),
            cases: store.len() as u64,
            verdict: "pass".to_owned(),
            engine: store.head.engine.clone(),
            evaluation_digest: store.head.evaluation_digest.clone(),
            gates_digest: String::new(),
            judge: None,
        };
        Self { stamp, store, inputs: None, lost: 0, gates: Vec::new(), more: Vec::new(), sizes: Vec::new() }
    }

    /// Keeps the dataset that a baseline on the other side holds, where a run has several.
    pub(super) fn narrow(&mut self, other: &Stamp) -> Result<(), Problem> {
        let (Kind::Run, Kind::Baseline, [wanted]) = (self.stamp.kind, other.kind, other.datasets.as_slice()) else {
            return Ok(());
        };
        let Some(at) = self.stamp.datasets.iter().position(|own| own.name == wanted.name) else { return Ok(()) };
        if self.stamp.datasets.len() < 2 {
            return Ok(());
        }
        let size = |upto: usize| {
            let cases = self.sizes.iter().take(upto).fold(0_u64, |sum, size| sum.saturating_add(*size));
            usize::try_from(cases).unwrap_or(usize::MAX)
        };
        let (first, last) = (size(at), size(at + 1));
        let mut text = Vec::new();
        let mut places = Vec::new();
        for line in self.store.lines().take(last).skip(first) {
            let start = text.len();
            text.extend_from_slice(line);
            places.push((start, text.len()));
            text.push(b'\n');
        }
        self.store = Store::new(self.store.name.clone(), self.store.head.clone(), text, places)?;
        self.stamp.datasets = self.stamp.datasets.drain(at..=at).collect();
        self.stamp.cases = self.store.len() as u64;
        // What gates say is about all datasets of the run.
        self.gates.clear();
        Ok(())
    }
}
