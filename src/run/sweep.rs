//! Sweeps: how runs that are there would come out under other values of one threshold. Nothing is evaluated again: a gate is
//! judged on the counts of a run, a rule's option held against the scores that it recorded.

pub mod document;
pub mod gate;
pub mod grid;
pub mod rule;
pub mod score;
pub mod written;

use std::path::{Path, PathBuf};

use crate::diagnostic::{Problem, code};
use crate::rules::Policy;
use crate::run::store::Store;

pub use grid::Grid;

/// Schema of the JSON form of a sweep.
pub const SCHEMA: &str = "citeward/sweep/1";

/// A run to sweep over.
#[derive(Debug)]
pub struct SweptRun {
    /// Its folder.
    pub folder: PathBuf,
    /// Its folder as shown; the name of the run in every output.
    pub name: String,
    /// Digest of its manifest.
    pub manifest: String,
    /// Its outlines.
    pub store: Store,
    /// Names of its datasets with their numbers of cases, in reading order.
    pub datasets: Vec<(String, u64)>,
    /// Bad lines of its data that were skipped.
    pub skipped_lines: u64,
    /// Cases that got no answer.
    pub missing_answers: u64,
}

/// Opens the runs in these folders.
///
/// # Errors
/// A [`Problem`] where one of them is named twice or cannot be read.
pub fn open(folders: &[PathBuf]) -> Result<Vec<SweptRun>, Problem> {
    let mut runs: Vec<SweptRun> = Vec::with_capacity(folders.len());
    for folder in folders {
        if runs.iter().any(|run| run.folder == *folder) {
            return Err(Problem::new(code::CONTRADICTION, "the run is named twice")
                .in_file(folder.display().to_string())
                .help("name each run once"));
        }
        runs.push(open_one(folder)?);
    }
    Ok(runs)
}

fn open_one(folder: &Path) -> Result<SweptRun, Problem> {
    let opened = super::RunFolder::open_unchanged(folder)?;
    let stated = super::regate::Stated::of_run(&opened);
    Ok(SweptRun {
        manifest: crate::text::digest::raw(&opened.manifest.to_bytes()?).to_string(),
        folder: folder.to_owned(),
        name: stated.name,
        store: Store::of_run(folder)?,
        datasets: stated.datasets,
        skipped_lines: stated.skipped_lines,
        missing_answers: stated.missing_answers,
    })
}

/// The runs that were judged by another policy than this one, so far as a policy decides records.
pub fn judged_otherwise<'r>(runs: &'r [SweptRun], policy: &Policy) -> Vec<&'r str> {
    let digest = policy.evaluation_digest.to_string();
    let others = runs.iter().filter(|run| run.store.head.evaluation_digest != digest);
    others.map(|run| run.name.as_str()).collect()
}
