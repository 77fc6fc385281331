//! `dataset.yaml`: what a versioned dataset is, and the hashes that hold it still.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::lines::{shown, unreadable};
use crate::diagnostic::{Problem, Problems, code};
use crate::text::digest::Digest;
use crate::yaml;

/// The file's name in a version's folder.
pub const FILE: &str = "dataset.yaml";

/// What a dataset is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// A quick look that everything works.
    Smoke,
    /// What must not get worse.
    Regression,
    /// For fitting thresholds; not evaluated unless it is named.
    Calibration,
    /// What is known to be hard.
    Challenge,
}

impl Purpose {
    /// The word used in files and messages.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Purpose::Smoke => "smoke",
            Purpose::Regression => "regression",
            Purpose::Calibration => "calibration",
            Purpose::Challenge => "challenge",
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The contents of `dataset.yaml`. Without `digests` the version is described but not frozen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Name of the dataset, that of the folder above the version's.
    pub name: String,
    /// The version, the folder's name.
    pub version: String,
    /// What it is for.
    pub purpose: Purpose,
    /// The version that this one was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// What it holds, in a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Licence of the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Its data files, in order of their paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileEntry>,
    /// The dataset's digests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digests: Option<ManifestDigests>,
}

/// A data file of a frozen version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Its name in the version's folder.
    pub path: String,
    /// Cases in it.
    pub cases: u64,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its bytes.
    pub sha256: Digest,
}

/// The two digests of a frozen version; see [`super::fingerprint::DatasetDigests`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestDigests {
    /// Over all cases.
    pub content: Digest,
    /// Over what the cases ask.
    pub questions: Digest,
}

impl Manifest {
    /// Whether the version's bytes are held still.
    #[must_use]
    pub const fn is_frozen(&self) -> bool {
        self.digests.is_some()
    }

    /// Reads the manifest of a version's folder; `None` where there is none, or where it cannot be read, which is
    /// noted.
    pub fn of(folder: &Path, problems: &mut Problems) -> Option<Manifest> {
        let path = folder.join(FILE);
        let name = shown(&path);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(error) => {
                problems.push(unreadable(&name, &error));
                return None;
            }
        };
        let source = problems.add_source(&*name, &*text);
        let node = yaml::parse(source, &text, problems)?;
        match yaml::decode::<Manifest>(&node) {
            Ok(manifest) => {
                manifest.check(&name, problems);
                Some(manifest)
            }
            Err(problem) => {
                problems.push(problem);
                None
            }
        }
    }

    fn check(&self, name: &str, problems: &mut Problems) {
        if self.files.is_empty() == self.is_frozen() {
            let (found, expected) =
                if self.is_frozen() { ("`digests` alone", "`files` too") } else { ("`files` alone", "`digests` too") };
            let problem = Problem::new(code::MISSING_KEY, "the dataset is frozen by half").found(found, expected);
            problems.push(problem.help("remove both and run `citeward dataset freeze`").in_file(name));
        }
        for entry in &self.files {
            if entry.path.contains(['/', '\\']) || !super::folder::is_data(&entry.path) {
                let problem = Problem::new(code::WRONG_VALUE, "a file of the dataset lies elsewhere");
                let found = crate::diagnostic::quoted(&entry.path);
                problems.push(
                    problem.found(found, "the name of a .jsonl or .ndjson file beside dataset.yaml").in_file(name),
                );
            }
        }
    }

    /// The manifest as the text of `dataset.yaml`.
    ///
    /// # Errors
    /// None that a manifest can cause; they are the JSON encoder's.
    pub fn to_yaml(&self) -> Result<String, serde_json::Error> {
        Ok(yaml::emit(&serde_json::to_value(self)?))
    }
}
