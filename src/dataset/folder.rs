//! Datasets on disk: which files an argument of the command line means (SPEC 4.2).

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::lines::{Input, shown, unreadable};
use super::manifest::{Manifest, Purpose};
use super::version::Version;
use crate::diagnostic::{Problem, Problems, closest, code, quoted};

/// A dataset that is to be read: a version's folder, a plain file or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    /// Its name; of a plain file its path as given, of standard input `<stdin>`.
    pub name: String,
    /// Its version; `None`: unversioned.
    pub version: Option<String>,
    /// The folder it lies in, where it is one.
    pub folder: Option<PathBuf>,
    /// What `dataset.yaml` says, where there is one.
    pub manifest: Option<Manifest>,
    /// Its data files in order of their names; never empty.
    pub inputs: Vec<Input>,
}

impl Dataset {
    /// What it is for, where it says so.
    #[must_use]
    pub fn purpose(&self) -> Option<Purpose> {
        self.manifest.as_ref().map(|manifest| manifest.purpose)
    }

    /// Whether its bytes are held still by `dataset.yaml`.
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.manifest.as_ref().is_some_and(Manifest::is_frozen)
    }

    /// The dataset of one version's folder, or of a folder with data files that has no version.
    ///
    /// Name and version come from `dataset.yaml`; without one, from the folders where the inner one is named like a
    /// version, else the folder is the name. Every problem is noted; `None` where there is nothing to read.
    pub fn open(folder: &Path, problems: &mut Problems) -> Option<Dataset> {
        // So that `.` and `..` have names too.
        let real = folder.canonicalize().map_err(|error| problems.push(unreadable(&shown(folder), &error))).ok()?;
        let paths = data_files(folder, problems)?;
        let inputs: Vec<Input> = paths.iter().map(|path| Input::file(path)).collect();
        if inputs.is_empty() {
            problems.push(no_data_files(folder));
            return None;
        }
        let before = problems.len();
        for path in &paths {
            if !path.is_file() {
                let problem = Problem::new(code::UNREADABLE, "what is not a regular file lies among the data files");
                let help = "move it out of the folder; a pipe may be named on the command line by itself";
                problems.push(
                    problem
                        .found("a pipe, a device, a socket or a broken link", "a file")
                        .help(help)
                        .in_file(shown(path)),
                );
            }
        }
        let manifest = Manifest::of(folder, problems);
        if problems.len() > before {
            return None;
        }
        let (own, above) = (name_of(&real), real.parent().map(name_of).unwrap_or_default());
        let versioned = Version::parse(&own).is_some();
        if let Some(manifest) = &manifest
            && (manifest.version != own || manifest.name != above)
        {
            let problem = Problem::new(code::WRONG_VALUE, "name and version are not those of the folders");
            let found = format!("{}@{}", manifest.name, manifest.version);
            let help = "a version lies in <name>/<version>/: rename the folders or mend dataset.yaml";
            let name = shown(&folder.join(super::manifest::FILE));
            problems.push(problem.found(quoted(&found), quoted(&format!("{above}@{own}"))).help(help).in_file(name));
            return None;
        }
        let (name, version) = if versioned { (above, Some(own)) } else { (own, None) };
        Some(Dataset { name, version, folder: Some(folder.to_owned()), manifest, inputs })
    }

    fn plain(path: &Path) -> Dataset {
        let input = Input::file(path);
        Dataset { name: input.name.to_string(), version: None, folder: None, manifest: None, inputs: vec![input] }
    }

    fn stdin() -> Dataset {
        let input = Input::stdin();
        Dataset { name: input.name.to_string(), version: None, folder: None, manifest: None, inputs: vec![input] }
    }
}

/// The datasets that the arguments mean, in their order; each one once. `root` is the folder of all datasets.
///
/// An argument is `-` (standard input), a file, a version's folder, a dataset's folder (its highest version), a folder
/// of datasets, `name` (its highest version below `root`) or `name@version`. No argument means every dataset below
/// `root` at its highest version, except those for calibration. A path that exists wins over a name. Every problem is
/// noted.
pub fn resolve(arguments: &[String], root: &Path, problems: &mut Problems) -> Vec<Dataset> {
    let mut datasets: Vec<Dataset> = Vec::new();
    if arguments.is_empty() {
        if !root.is_dir() {
            let problem = Problem::new(code::NOT_FOUND, "there is no folder of datasets");
            let help = "name a dataset or a .jsonl file, or run `citeward init` for a first one";
            problems.push(problem.help(help).in_file(shown(root)));
            return datasets;
        }
        return every(root, problems);
    }
    for argument in arguments {
        for dataset in of_argument(argument, root, problems) {
            if !datasets.contains(&dataset) {
                datasets.push(dataset);
            }
        }
    }
    datasets
}

fn of_argument(argument: &str, root: &Path, problems: &mut Problems) -> Vec<Dataset> {
    let path = Path::new(argument);
    if argument == "-" {
        return vec![Dataset::stdin()];
    }
    if path.is_dir() {
        return of_folder(path, problems);
    }
    // Not only regular files: a pipe can be read too.
    if path.exists() {
        return vec![Dataset::plain(path)];
    }
    let (name, version) = argument.split_once('@').map_or((argument, None), |(name, version)| (name, Some(version)));
    let folder = root.join(name);
    let plain_name = !name.is_empty() && !name.contains(['/', '\\']) && name != "." && name != "..";
    if !plain_name || !folder.is_dir() {
        problems.push(not_found(argument, name, root));
        return Vec::new();
    }
    match version {
        None => highest(&folder, problems).into_iter().collect(),
        Some(version) => {
            let known = versions(&folder, problems);
            match known.iter().find(|(known, _)| known.as_str() == version) {
                Some((_, path)) => Dataset::open(path, problems).into_iter().collect(),
                None => {
                    problems.push(no_such_version(argument, name, version, &known));
                    Vec::new()
                }
            }
        }
    }
}

/// A folder with data files is one dataset, one with versions means the highest, any other is a folder of datasets.
fn of_folder(folder: &Path, problems: &mut Problems) -> Vec<Dataset> {
    let Some(files) = data_files(folder, problems) else { return Vec::new() };
    if !files.is_empty() || folder.join(super::manifest::FILE).exists() {
        if let Some(other) = beside(folder, problems) {
            let problem = Problem::new(code::CONTRADICTION, "data files and a dataset lie side by side in one folder");
            let help = "only one of the two would be read: name the one that is meant, or move the files into <name>/<version>/";
            let found = format!("`{}`", shown(&other));
            problems.push(problem.found(found, "data files, or folders of datasets").help(help).in_file(shown(folder)));
            return Vec::new();
        }
        return Dataset::open(folder, problems).into_iter().collect();
    }
    if !versions(folder, problems).is_empty() {
        return highest(folder, problems).into_iter().collect();
    }
    every(folder, problems)
}

/// A version in a folder, or in one below it.
fn beside(folder: &Path, problems: &mut Problems) -> Option<PathBuf> {
    let mut first = |folder: &Path| versions(folder, problems).into_iter().next().map(|(_, path)| path);
    first(folder).or_else(|| folders(folder, &mut Problems::new()).iter().find_map(|below| first(below)))
}

/// What lies in a folder of datasets and is not evaluated with the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its name in the folder.
    pub dataset: String,
    /// Why.
    pub why: WhyLeftOut,
}

/// Why something in a folder of datasets is not evaluated with the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhyLeftOut {
    /// Its purpose is `calibration`.
    Calibration,
    /// Its data files lie in no folder that is named like a version.
    NoVersion,
    /// It is a data file that belongs to no dataset.
    NoDataset,
}

impl WhyLeftOut {
    /// The reason behind "left out:".
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            WhyLeftOut::Calibration => "its purpose is calibration",
            WhyLeftOut::NoVersion => "its data files lie in no folder that is named like a version, <name>/<version>/",
            WhyLeftOut::NoDataset => "a file beside the datasets belongs to none, <name>/<version>/",
        }
    }
}

/// What [`resolve`] leaves out of the folders of datasets that the arguments mean; older versions are no part of it. What cannot be
/// read is a problem there.
#[must_use]
pub fn left_out(arguments: &[String], root: &Path) -> Vec<LeftOut> {
    let mut problems = Problems::new();
    let is_of_datasets = |folder: &&Path| {
        let mut ignored = Problems::new();
        folder.is_dir()
            && data_files(folder, &mut ignored).is_some_and(|files| files.is_empty())
            && versions(folder, &mut ignored).is_empty()
    };
    let named = arguments.iter().map(|argument| Path::new(argument.as_str())).filter(is_of_datasets);
    let roots: Vec<&Path> = if arguments.is_empty() { vec![root] } else { named.collect() };
    roots.into_iter().flat_map(|root| sorted_out(root, &mut problems).1).collect()
}

/// The datasets below a folder at their highest versions, and what is left out.
fn sorted_out(root: &Path, problems: &mut Problems) -> (Vec<Dataset>, Vec<LeftOut>) {
    let (mut datasets, mut left_out) = (Vec::new(), Vec::new());
    let mut leave = |path: &Path, why| left_out.push(LeftOut { dataset: name_of(path), why });
    for file in data_files(root, problems).unwrap_or_default() {
        leave(&file, WhyLeftOut::NoDataset);
    }
    for folder in folders(root, problems) {
        if versions(&folder, problems).is_empty() {
            let holds_data =
                |folder: &Path| data_files(folder, &mut Problems::new()).is_some_and(|files| !files.is_empty());
            if holds_data(&folder) || folders(&folder, &mut Problems::new()).iter().any(|below| holds_data(below)) {
                leave(&folder, WhyLeftOut::NoVersion);
            }
            continue;
        }
        match highest(&folder, problems) {
            Some(dataset) if dataset.purpose() == Some(Purpose::Calibration) => leave(&folder, WhyLeftOut::Calibration),
            found => datasets.extend(found),
        }
    }
    (datasets, left_out)
}

/// Every dataset below a folder at its highest version, except those for calibration.
fn every(root: &Path, problems: &mut Problems) -> Vec<Dataset> {
    let before = problems.len();
    let (datasets, left_out) = sorted_out(root, problems);
    if datasets.is_empty() && problems.len() == before {
        let problem = if left_out.iter().any(|left| left.why == WhyLeftOut::Calibration) {
            Problem::new(code::NO_CASES, "the folder holds datasets for calibration only")
                .help("those are evaluated only when they are named")
        } else {
            no_data_files(root)
        };
        problems.push(problem.in_file(shown(root)));
    }
    datasets
}

fn highest(folder: &Path, problems: &mut Problems) -> Option<Dataset> {
    let mut versions = versions(folder, problems);
    let Some((version, path)) = versions.pop() else {
        problems.push(no_data_files(folder));
        return None;
    };
    if let Some((other, _)) = versions.last().filter(|(other, _)| *other == version) {
        let problem = Problem::new(code::CONTRADICTION, "two folders hold the same highest version");
        let found = format!("`{}` and `{}`", other.as_str(), version.as_str());
        let help = "remove one, or name the one that is meant: <name>@<version>";
        problems.push(problem.found(found, "one of them").help(help).in_file(shown(folder)));
        return None;
    }
    Dataset::open(&path, problems)
}

/// The versions in a dataset's folder, lowest first.
fn versions(folder: &Path, problems: &mut Problems) -> Vec<(Version, PathBuf)> {
    let named = folders(folder, problems).into_iter();
    let mut versions: Vec<(Version, PathBuf)> =
        named.filter_map(|path| Some((Version::parse(&name_of(&path))?, path))).collect();
    versions.sort_by(|(a, _), (b, _)| a.cmp(b).then_with(|| a.as_str().cmp(b.as_str())));
    versions
}

fn folders(folder: &Path, problems: &mut Problems) -> Vec<PathBuf> {
    entries(folder, problems).unwrap_or_default().into_iter().filter(|path| path.is_dir()).collect()
}

/// The data files that lie in a folder itself, in order of their names; `None` where it cannot be read.
fn data_files(folder: &Path, problems: &mut Problems) -> Option<Vec<PathBuf>> {
    let is_data = |path: &PathBuf| path.extension().is_some_and(|end| end == "jsonl") && !path.is_dir();
    Some(entries(folder, problems)?.into_iter().filter(is_data).collect())
}

/// What lies in a folder, in order of names, hidden files left out.
fn entries(folder: &Path, problems: &mut Problems) -> Option<Vec<PathBuf>> {
    let listed = std::fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    match listed {
        Ok(entries) => {
            let paths = entries.into_iter().filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
            // Bytes, not path components, so that the order is the same on every machine.
            let mut paths: Vec<PathBuf> = paths.map(|entry| entry.path()).collect();
            paths.sort_by(|a, b| a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes()));
            Some(paths)
        }
        Err(error) => {
            problems.push(unreadable(&shown(folder), &error));
            None
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn no_data_files(folder: &Path) -> Problem {
    Problem::new(code::NO_CASES, "the folder holds no dataset")
        .found("no *.jsonl file", "<version>/*.jsonl or *.jsonl")
        .help("put cases into <name>/<version>/cases.jsonl, one JSON object per line")
        .in_file(shown(folder))
}

fn not_found(argument: &str, name: &str, root: &Path) -> Problem {
    if argument.contains(['/', '\\']) || argument.ends_with(".jsonl") {
        return no_such_path(argument);
    }
    let known: Vec<String> = folders(root, &mut Problems::new()).iter().map(|path| name_of(path)).collect();
    let help = match closest(name, known.iter().map(String::as_str)) {
        Some(close) => format!("did you mean `{close}`?"),
        None if known.is_empty() => format!("there are no datasets below {}", shown(root)),
        None => format!("the datasets below {} are {}", shown(root), known.join(", ")),
    };
    Problem::new(code::NOT_FOUND, format!("there is no dataset {}", quoted(argument)))
        .found("neither a path nor a name", "a file, a folder, a dataset's name, name@version, or -")
        .help(help)
}

/// What is said of an argument that can only be a path: the nearest name beside it is offered.
fn no_such_path(argument: &str) -> Problem {
    let path = Path::new(argument);
    let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let known: Vec<String> =
        entries(beside, &mut Problems::new()).unwrap_or_default().iter().map(|path| name_of(path)).collect();
    let close = closest(&name_of(path), known.iter().map(String::as_str));
    let help = close
        .map_or("check the path".to_owned(), |close| format!("did you mean `{}`?", shown(&path.with_file_name(close))));
    Problem::new(code::NOT_FOUND, "there is no such file or folder").in_file(shown(path)).help(help)
}

fn no_such_version(argument: &str, name: &str, version: &str, known: &[(Version, PathBuf)]) -> Problem {
    let known: Vec<&str> = known.iter().map(|(version, _)| version.as_str()).collect();
    Problem::new(code::NOT_FOUND, format!("there is no dataset {}", quoted(argument)))
        .found(format!("the version {}", quoted(version)), format!("a version of {}", quoted(name)))
        .help(if known.is_empty() { "it has no versions".to_owned() } else { format!("it has {}", known.join(", ")) })
}

#[cfg(test)]
mod tests;
