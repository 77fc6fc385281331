//! Freezing a version of a dataset, and holding its files to what was frozen.

use std::io::{self, Read, Write as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::folder::Dataset;
use super::lines::{Input, shown, unreadable};
use super::manifest::{self, FileEntry, Manifest, Purpose};
use super::read::Options;
use super::verify::read_all;
use crate::diagnostic::{Problem, Problems, code};
use crate::text::digest::{self, Digest};

/// What is said of a dataset when it is frozen; what is not said stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// What it is for; `regression` where neither this nor `dataset.yaml` says.
    pub purpose: Option<Purpose>,
    /// The version that it was made from.
    pub parent: Option<String>,
    /// What it holds.
    pub description: Option<String>,
    /// Licence of the data.
    pub licence: Option<String>,
}

/// Writes `dataset.yaml` for the version in `folder` (`<name>/<version>/`), whole or not at all.
///
/// # Errors
/// Every problem of the data; a folder that is no version; a frozen version whose bytes differ; a manifest that cannot
/// be read or written.
pub fn freeze(folder: &Path, about: About, options: &Options) -> Result<Manifest, Problems> {
    let mut problems = Problems::new();
    let Some(dataset) = Dataset::open(folder, &mut problems) else { return Err(problems) };
    let Some(version) = dataset.version.clone() else {
        let problem = Problem::new(code::WRONG_VALUE, "the folder is no version of a dataset");
        let help = "move the files to <name>/<version>/, such as help/1.0.0/";
        problems
            .push(problem.found("a name without numbers", "a version such as 1.0.0").help(help).in_file(shown(folder)));
        return Err(problems);
    };
    check_frozen(&dataset, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let reading = read_all(&dataset.inputs, options, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let hashed = hash_files(&dataset.inputs, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let old = dataset.manifest;
    let manifest = Manifest {
        name: dataset.name,
        version,
        purpose: about.purpose.or(old.as_ref().map(|old| old.purpose)).unwrap_or(Purpose::Regression),
        parent: about.parent.or(old.as_ref().and_then(|old| old.parent.clone())),
        description: about.description.or(old.as_ref().and_then(|old| old.description.clone())),
        licence: about.licence.or(old.and_then(|old| old.licence)),
        files: hashed.into_iter().zip(reading.cases_by_file).map(|(file, cases)| FileEntry { cases, ..file }).collect(),
        digests: Some(reading.digests),
    };
    let path = folder.join(manifest::FILE);
    let written = manifest.to_yaml().map_err(io::Error::other).and_then(|text| replace(&path, text.as_bytes()));
    match written {
        Ok(()) => Ok(manifest),
        Err(error) => {
            let problem = Problem::new(code::OUTPUT, format!("the file cannot be written: {error}"));
            problems.push(problem.help("check the folder's permissions").in_file(shown(&path)));
            Err(problems)
        }
    }
}

/// Holds a dataset's files against what was frozen, by size and SHA-256; notes every file that differs, is missing or
/// was added. Nothing to say of a dataset that is not frozen.
pub fn check_frozen(dataset: &Dataset, problems: &mut Problems) {
    let (Some(folder), Some(manifest)) = (&dataset.folder, &dataset.manifest) else { return };
    if !manifest.is_frozen() {
        return;
    }
    let name_of = |input: &Input| input.name.rsplit('/').next().unwrap_or_default().to_owned();
    for entry in &manifest.files {
        match dataset.inputs.iter().find(|input| name_of(input) == entry.path) {
            Some(input) => check_file(input, entry, problems),
            None => {
                let problem = Problem::new(code::CHANGED_DATASET, "a file of the frozen dataset is missing");
                let found = problem.found("no such file", format!("{} with {}", entry.path, entry.sha256));
                problems.push(found.help("restore the file").in_file(shown(&folder.join(&entry.path))));
            }
        }
    }
    for input in &dataset.inputs {
        if !manifest.files.iter().any(|entry| entry.path == name_of(input)) {
            let problem = Problem::new(code::CHANGED_DATASET, "the file was added after the dataset was frozen");
            let problem = problem.found("a file that dataset.yaml does not name", "the frozen files only");
            problems.push(problem.help(NEW_VERSION).in_file(&*input.name));
        }
    }
}

pub(super) const NEW_VERSION: &str =
    "a frozen version is never edited: restore it, or make a new version folder and freeze that";

fn check_file(input: &Input, entry: &FileEntry, problems: &mut Problems) {
    let (bytes, sha256) = match hash(input) {
        Ok(hashed) => hashed,
        Err(problem) => return problems.push(problem),
    };
    if sha256 == entry.sha256 && bytes == entry.bytes {
        return;
    }
    let help = if only_line_ends_differ(input, entry) {
        "only its line ends differ: keep Git from changing them (`*.jsonl -text` in .gitattributes) and restore the file"
    } else {
        NEW_VERSION
    };
    let problem = Problem::new(code::CHANGED_DATASET, "the file is not what was frozen");
    let found = problem.found(format!("{bytes} bytes, {sha256}"), format!("{} bytes, {}", entry.bytes, entry.sha256));
    problems.push(found.help(help).in_file(&*input.name));
}

/// Whether the file is what was frozen once its line ends are LF, or once they are CRLF.
fn only_line_ends_differ(input: &Input, entry: &FileEntry) -> bool {
    let super::lines::Source::File(path) = &input.source else { return false };
    // Only worth reading whole where the size says that it can be.
    let near = std::fs::metadata(path).is_ok_and(|metadata| metadata.len() <= entry.bytes.saturating_mul(2));
    let Some(text) = near.then(|| std::fs::read_to_string(path).ok()).flatten() else { return false };
    let unix = text.replace("\r\n", "\n");
    [digest::raw(unix.as_bytes()), digest::raw(unix.replace('\n', "\r\n").as_bytes())].contains(&entry.sha256)
}

fn hash_files(inputs: &[Input], problems: &mut Problems) -> Vec<FileEntry> {
    let mut files = Vec::with_capacity(inputs.len());
    for input in inputs {
        let path = input.name.rsplit('/').next().unwrap_or_default().to_owned();
        match hash(input) {
            Ok((bytes, sha256)) => files.push(FileEntry { path, cases: 0, bytes, sha256 }),
            Err(problem) => problems.push(problem),
        }
    }
    files
}

/// Size and SHA-256 of a file.
pub(super) fn hash(input: &Input) -> Result<(u64, Digest), Problem> {
    let mut reader = input.open()?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok((bytes, Digest(hasher.finalize().into()))),
            Ok(read) => {
                hasher.update(buffer.get(..read).unwrap_or_default());
                bytes += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(unreadable(&input.name, &error)),
        }
    }
}

/// Writes a file beside its place and moves it there, so that it is never half written.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dataset-").suffix(".tmp");
    #[cfg(unix)]
    {
        // What a new file gets; the user's mask still applies. A temporary file alone would be private.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests;
