//! Files that a policy or a dataset is made of: read whole and safely, and told from names that only look like theirs.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use crate::diagnostic::{Problem, code};

/// The bytes of a file's beginning that are looked at to tell what the file is.
const BEGINNING: u64 = 1 << 16;

/// Reads a text file that belongs to a folder: a regular file of at most `most` bytes that no link leads out of `folder`
/// to. `what` names the folder, such as "the folder of rules". What is checked is what is read: the file is opened once.
///
/// # Errors
/// A [`Problem`] with its place, which never shows what a file elsewhere holds.
pub fn read_inside(path: &Path, folder: &Path, what: &str, most: u64) -> Result<String, Problem> {
    let problem = |message: String| Problem::new(code::UNREADABLE, message).in_file(shown(path));
    let failed = |error: &std::io::Error| problem(format!("cannot be read: {}", plain(error)));
    let real = path.canonicalize().map_err(|error| failed(&error))?;
    let inside = folder.canonicalize().map_err(|error| failed(&error))?;
    if !real.starts_with(inside) {
        return Err(problem(format!("a link that leads out of {what}"))
            .help("keep a copy of the file in the folder; what stands outside is not read or shown"));
    }
    let irregular = || problem("this is not a regular file".to_owned());
    // Opening a device may already do something.
    if !real.metadata().map_err(|error| failed(&error))?.is_file() {
        return Err(irregular());
    }
    let file = open(&real).map_err(|error| failed(&error))?;
    if !file.metadata().map_err(|error| failed(&error))?.is_file() {
        return Err(irregular());
    }
    read(file, path, most)
}

/// Reads a text file that the user named, which may be a pipe: at most `most` bytes of it.
///
/// # Errors
/// A [`Problem`] with its place.
pub fn read_named(path: &Path, most: u64) -> Result<String, Problem> {
    let failed = |error: std::io::Error| {
        Problem::new(code::UNREADABLE, format!("cannot be read: {}", plain(&error))).in_file(shown(path))
    };
    read(File::open(path).map_err(failed)?, path, most)
}

/// Opens a file without waiting for the other end of a pipe, and without following a link that was put in its place.
fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::OpenOptionsExt as _;

        use rustix::fs::OFlags;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOFOLLOW).bits().cast_signed());
    }
    options.open(path)
}

fn read(file: File, path: &Path, most: u64) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    if let Err(error) = file.take(most + 1).read_to_end(&mut bytes) {
        return Err(Problem::new(code::UNREADABLE, format!("cannot be read: {}", plain(&error))).in_file(shown(path)));
    }
    if bytes.len() as u64 > most {
        let problem = Problem::new(code::TOO_LARGE, format!("the file has more than {most} bytes"));
        return Err(problem.in_file(shown(path)).found("a larger file", format!("at most {most} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = bytes.iter().take(valid).filter(|byte| **byte == b'\n').count() + 1;
        let byte = bytes.get(valid).copied().unwrap_or_default();
        Problem::new(code::NOT_UTF8, "the file is not UTF-8 text")
            .on_line(shown(path), line as u64)
            .found(format!("the byte {byte:#04x}"), "UTF-8")
            .help("save the file with the encoding UTF-8")
    })
}

/// The beginning of a regular file inside of `folder`, with what is no UTF-8 replaced; empty where it cannot be read.
#[must_use]
pub fn beginning(path: &Path, folder: &Path) -> String {
    let inside = || Some(path.canonicalize().ok()?.starts_with(folder.canonicalize().ok()?));
    let mut bytes = Vec::new();
    if inside() == Some(true)
        && path.metadata().is_ok_and(|metadata| metadata.is_file())
        && let Ok(file) = open(path)
    {
        // What could be read of it is enough.
        let _ = file.take(BEGINNING).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What the name of a file says of it, beside files with given endings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// It has one of the endings, in whatever letter case.
    Fits,
    /// It has one of the endings, and is hidden.
    Hidden,
    /// It looks as if it had one: a copy, something switched off by its name, a misspelling.
    Nearly,
    /// It is something else.
    Other,
}

impl Named {
    /// Reads a name. `endings` are in lower case, without the dot.
    #[must_use]
    pub fn of(name: &str, endings: &[&str]) -> Self {
        let lower = name.to_lowercase();
        let hidden = lower.starts_with('.');
        let (stem, ending) = lower.rsplit_once('.').unwrap_or((&lower, ""));
        if endings.contains(&ending) && !stem.is_empty() {
            return if hidden { Named::Hidden } else { Named::Fits };
        }
        // What editors leave beside a file while it is open, and how some systems keep what they know of it.
        if hidden {
            return Named::Other;
        }
        let inside = |known: &&str| {
            let dotted = format!(".{known}");
            lower.match_indices(&dotted).any(|(at, _)| {
                at > 0 && !lower[at + dotted.len()..].starts_with(|next: char| next.is_ascii_alphabetic())
            })
        };
        let misspelt = |known: &&str| {
            // `json` and `json5` are formats of their own.
            !matches!(ending, "json" | "json5" | "jsonc")
                && ending.chars().next() == known.chars().next()
                && strsim::damerau_levenshtein(ending, known) == 1
        };
        match endings.iter().any(|known| inside(known) || misspelt(known)) {
            true => Named::Nearly,
            false => Named::Other,
        }
    }
}

/// A path for messages, with forward slashes on every system.
#[must_use]
pub fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

/// The reason of a failed read, without the number of the operating system.
#[must_use]
pub fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "it does not exist".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_fits_in_any_letter_case_and_a_copy_nearly_fits() {
        let of = |name| Named::of(name, &["yaml", "yml"]);
        for name in ["a.yaml", "a.YAML", "a.Yml", "a.b.yml"] {
            assert_eq!(of(name), Named::Fits, "{name}");
        }
        for name in [
            "a.yaml~",
            "a.yaml.txt",
            "a.yml.bak",
            "a.YAML.disabled",
            "a.yaml (copy)",
            "#a.yaml#",
            "a.yam",
            "a.yalm",
            "a.ymml",
        ] {
            assert_eq!(of(name), Named::Nearly, "{name}");
        }
        for name in
            ["README.md", "policy.schema.json", "yaml", "a.xml", "a.txt", ".yamllint", ".a.yaml.swp", ".#a.yml~"]
        {
            assert_eq!(of(name), Named::Other, "{name}");
        }
        assert_eq!(of(".a.yaml"), Named::Hidden);
    }

    #[test]
    fn json_is_no_misspelling_of_json_lines() {
        let of = |name| Named::of(name, &["jsonl", "ndjson"]);
        assert_eq!([of("a.jsonl"), of("a.NDJSON")], [Named::Fits; 2]);
        assert_eq!([of("a.jsonl.gz"), of("a.jsonl~"), of("a.jsnl"), of("a.jsonll")], [Named::Nearly; 4]);
        assert_eq!([of("a.json"), of("a.json5"), of("a.csv")], [Named::Other; 3]);
    }
}
