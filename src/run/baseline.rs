//! Baselines: the outlines of a blessed run, in a file that a team commits (SPEC 8.2). One file holds one dataset. It says
//! by which rules its cases were judged, what was counted, and why it was blessed; a digest over all of it tells an
//! edit by hand from what `citeward bless` wrote.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use super::outline::{self, Head};
use super::store::Store;
use crate::diagnostic::{Place, Problem, code, quoted};
use crate::tally::Tally;
use crate::text::Digest;
use crate::text::digest;

/// Schema of a baseline file.
pub const SCHEMA: &str = "citeward/baseline/1";
/// Folder of baselines.
pub const FOLDER: &str = "baselines";

/// What a baseline says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Name of the dataset.
    pub dataset: String,
    /// Its version; `null`: unversioned.
    pub version: Option<String>,
    /// Digest over all cases.
    pub content_digest: String,
    /// SHA-256 of the candidate's answers that were laid over them; `null`: those of the dataset.
    pub answers: Option<String>,
    /// Digest over the questions alone.
    pub questions_digest: String,
    /// Digest of the gates that the run was judged by.
    pub gates_digest: String,
    /// Verdict of the run when it was blessed: `pass` or `fail`.
    pub verdict: String,
    /// Every blessing so far, the present one last.
    pub blessings: Vec<Blessing>,
}

impl Identity {
    /// Whether the dataset is a folder, and not a single file or standard input, which go by their paths.
    #[must_use]
    pub fn is_of_a_folder(&self) -> bool {
        self.version.is_some()
            || !(crate::dataset::folder::is_data(&self.dataset) || self.dataset == "-" || self.dataset == "stdin")
    }
}

/// One blessing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blessing {
    /// Digest over all cases of the run that was blessed.
    pub content_digest: String,
    /// SHA-256 of the candidate's answers that were laid over them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answers: Option<String>,
    /// What became worse than in the baseline before, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lower: Vec<String>,
    /// Why it was blessed all the same.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// A baseline file, read.
#[derive(Debug)]
pub struct Baseline {
    /// Path as shown.
    pub path: String,
    /// SHA-256 of the file's bytes, `sha256:…`.
    pub sha256: String,
    /// What it says of itself.
    pub identity: Identity,
    /// The counts of the run when it was blessed.
    pub tally: Tally,
    /// The outlines.
    pub store: Store,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'a> {
    #[serde(borrow)]
    schema: Cow<'a, str>,
    /// Digest over the compact texts of everything below, a line each.
    sha256: Digest,
    #[serde(borrow)]
    identity: &'a RawValue,
    #[serde(borrow)]
    head: &'a RawValue,
    #[serde(borrow)]
    tally: &'a RawValue,
    #[serde(borrow)]
    cases: Vec<&'a RawValue>,
}

impl Baseline {
    /// Reads the baseline at `path`.
    ///
    /// # Errors
    /// A [`Problem`] where the file cannot be read, is of another version, or is not what was blessed.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        let shown = path.display().to_string();
        // A pipe or a device would be read for ever.
        let metadata = fs::metadata(path).map_err(|error| unreadable(&shown, &error))?;
        if !metadata.is_file() {
            let problem = Problem::new(code::UNREADABLE, "this is not a regular file").in_file(shown);
            return Err(problem.help("give a file that `citeward bless` wrote"));
        }
        let bytes = fs::read(path).map_err(|error| unreadable(&shown, &error))?;
        Self::read(bytes, &shown).map_err(|problem| match problem.place {
            Place::Unknown => problem.in_file(shown.clone()),
            _ => problem,
        })
    }

    /// Reads the bytes of a baseline file, which is shown by this name.
    ///
    /// # Errors
    /// As [`Baseline::open`].
    pub(super) fn read(bytes: Vec<u8>, shown: &str) -> Result<Self, Problem> {
        let file: File<'_> = match serde_json::from_slice(&bytes) {
            Ok(file) => file,
            Err(error) => return Err(other_version(&bytes).unwrap_or_else(|| malformed(&error))),
        };
        if let Some(problem) = other_schema(&file.schema) {
            return Err(problem);
        }
        let raw = [file.identity, file.head, file.tally];
        let texts = raw.into_iter().chain(file.cases.iter().copied()).map(RawValue::get);
        let found = sum(texts);
        if found != file.sha256 {
            return Err(Problem::new(code::BROKEN_RUN, "the baseline was changed after it was blessed")
                .found(found, file.sha256)
                .help("restore it from version control, or bless a run again; a baseline is never edited by hand"));
        }
        let start = bytes.as_ptr() as usize;
        let place = |case: &&RawValue| {
            let at = (case.get().as_ptr() as usize).saturating_sub(start);
            (at, at + case.get().len())
        };
        let places: Vec<(usize, usize)> = file.cases.iter().map(place).collect();
        let identity = serde_json::from_str(file.identity.get()).map_err(|error| malformed(&error))?;
        let tally = serde_json::from_str(file.tally.get()).map_err(|error| malformed(&error))?;
        let head: Head = outline::head(file.head.get().as_bytes())?;
        let sha256 = digest::raw(&bytes).to_string();
        let store = Store::new(shown.to_owned(), head, bytes, places)?;
        if store.is_empty() {
            // Held against nothing, every run would pass.
            return Err(Problem::new(code::NO_CASES, "a baseline without a case").help("bless a run again"));
        }
        Ok(Self { path: shown.to_owned(), sha256, identity, tally, store })
    }
}

/// What is wrong with a file that is no baseline of this version, where it is one of another.
fn other_version(bytes: &[u8]) -> Option<Problem> {
    #[derive(Deserialize)]
    struct Versioned {
        schema: String,
    }
    other_schema(&serde_json::from_slice::<Versioned>(bytes).ok()?.schema)
}

fn other_schema(schema: &str) -> Option<Problem> {
    (schema != SCHEMA).then(|| {
        Problem::new(code::VERSION, "a baseline of another format version")
            .found(quoted(schema), format!("\"{SCHEMA}\""))
            .help("bless a run again with this version of citeward")
    })
}

/// The bytes of a baseline file: one line per case, so that a change of one case is one line in version control.
/// `cases` are compact JSON texts.
///
/// # Errors
/// A [`Problem`] where something cannot be written as JSON.
pub fn to_bytes(identity: &Identity, head: &Head, tally: &Tally, cases: &[String]) -> Result<Vec<u8>, Problem> {
    let json = |value: Result<String, serde_json::Error>| {
        value.map_err(|error| Problem::new(code::NOT_FINITE, format!("the baseline cannot be written: {error}")))
    };
    let parts = [json(serde_json::to_string(identity))?, json(serde_json::to_string(head))?];
    let [identity, head] = parts;
    let tally = json(serde_json::to_string(tally))?;
    let texts = [identity.as_str(), head.as_str(), tally.as_str()].into_iter();
    let sha256 = sum(texts.chain(cases.iter().map(String::as_str)));
    let mut out = format!(
        "{{\n\"schema\":\"{SCHEMA}\",\n\"sha256\":\"{sha256}\",\n\"identity\":{identity},\n\"head\":{head},\n\
         \"tally\":{tally},\n\"cases\":["
    );
    for (index, case) in cases.iter().enumerate() {
        out.push_str(if index == 0 { "\n" } else { ",\n" });
        out.push_str(case);
    }
    out.push_str("\n]\n}\n");
    Ok(out.into_bytes())
}

fn sum<'t>(texts: impl Iterator<Item = &'t str>) -> Digest {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text.as_bytes());
        hash.update(b"\n");
    }
    Digest(hash.finalize().into())
}

/// Where the baseline of a dataset stands: `baselines/<dataset>.json`, of a named one `baselines/<name>/<dataset>.json`.
#[must_use]
pub fn path_of(folder: &Path, name: Option<&str>, dataset: &str) -> PathBuf {
    let folder = name.map_or_else(|| folder.to_owned(), |name| folder.join(file_name(name)));
    folder.join(format!("{}.json", file_name(dataset)))
}

/// Whether something stands at `path`. What cannot be looked at counts as being there: opening it says why.
#[must_use]
pub fn is_there(path: &Path) -> bool {
    !matches!(path.try_exists(), Ok(false))
}

/// A name as that of a file: of a path the last part without `.jsonl`, and what is not a letter, a digit, `.`, `_` or `-`
/// replaced.
#[must_use]
pub fn file_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(name);
    let stem = last.strip_suffix(".jsonl").unwrap_or(last);
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
    let plain: String = stem.trim_start_matches('.').chars().map(plain).collect();
    match plain.as_str() {
        "" | "-" => "stdin".to_owned(),
        _ => plain,
    }
}

fn malformed(error: &serde_json::Error) -> Problem {
    Problem::new(code::MALFORMED_JSON, format!("not a baseline: {error}"))
        .help("give a file that `citeward bless` wrote, or bless a run again")
}

fn unreadable(shown: &str, error: &std::io::Error) -> Problem {
    let (kind, why) = match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
            (code::NOT_FOUND, "there is no such baseline".to_owned())
        }
        _ => (code::UNREADABLE, format!("cannot be read: {error}")),
    };
    Problem::new(kind, why).in_file(shown).help("`citeward bless RUN` writes one")
}
