//! Finding and reading the files of a policy.

use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::diagnostic::{Problem, Problems, code};

/// The largest rule file that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// The files of a policy that ship with this program, in reading order: path below the folder, and text.
pub static BUILT_IN: &[(&str, &str)] = &[
    ("00-markers.yaml", include_str!("../../rules/00-markers.yaml")),
    ("10-claims.yaml", include_str!("../../rules/10-claims.yaml")),
    ("20-integrity.yaml", include_str!("../../rules/20-integrity.yaml")),
    ("30-coverage.yaml", include_str!("../../rules/30-coverage.yaml")),
    ("40-support.yaml", include_str!("../../rules/40-support.yaml")),
    ("50-slices.yaml", include_str!("../../rules/50-slices.yaml")),
    ("60-gates.yaml", include_str!("../../rules/60-gates.yaml")),
    ("lexicons/any.yaml", include_str!("../../rules/lexicons/any.yaml")),
    ("lexicons/de.yaml", include_str!("../../rules/lexicons/de.yaml")),
    ("lexicons/en.yaml", include_str!("../../rules/lexicons/en.yaml")),
    ("lexicons/es.yaml", include_str!("../../rules/lexicons/es.yaml")),
    ("lexicons/fr.yaml", include_str!("../../rules/lexicons/fr.yaml")),
    ("lexicons/it.yaml", include_str!("../../rules/lexicons/it.yaml")),
    ("lexicons/ja.yaml", include_str!("../../rules/lexicons/ja.yaml")),
    ("lexicons/nl.yaml", include_str!("../../rules/lexicons/nl.yaml")),
    ("lexicons/pt.yaml", include_str!("../../rules/lexicons/pt.yaml")),
    ("lexicons/zh.yaml", include_str!("../../rules/lexicons/zh.yaml")),
];

/// Reads every `.yaml` and `.yml` file below `folder`, in sorted order; hidden files and folders are left out. Gives
/// the indexes of the texts in `problems`. A file that cannot be read is one problem and does not stop the others.
pub(super) fn read(folder: &Path, problems: &mut Problems) -> Vec<u32> {
    let shown = display(folder);
    match fs::metadata(folder) {
        Err(error) => {
            let problem =
                Problem::new(code::UNREADABLE, format!("the folder of rules cannot be read: {}", plain(&error)));
            problems.push(
                problem.in_file(shown).help("name a folder with rule files, or leave it out for the built-in policy"),
            );
            return Vec::new();
        }
        Ok(metadata) if !metadata.is_dir() => {
            let problem = Problem::new(code::UNREADABLE, "this is a file, and rules are a folder of files");
            problems.push(problem.in_file(shown).help("name the folder that the file is in"));
            return Vec::new();
        }
        Ok(_) => {}
    }
    let before = problems.len();
    let mut sources = Vec::new();
    let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.path())) {
        match entry {
            Ok(entry) if !is_yaml(entry.path()) => {}
            Ok(entry) if entry.file_type().is_dir() => {
                let problem = Problem::new(code::UNREADABLE, "a folder with the name of a rule file");
                problems.push(problem.in_file(display(entry.path())).help("rename the folder"));
            }
            Ok(entry) if leads_out(entry.path(), folder) => {
                let problem = Problem::new(code::UNREADABLE, "a link that leads out of the folder of rules");
                let help = "keep a copy of the file in the folder; what stands outside is not read or shown";
                problems.push(problem.in_file(display(entry.path())).help(help));
            }
            Ok(entry) => {
                if let Some(text) = read_file(entry.path(), problems) {
                    sources.push(problems.add_source(display(entry.path()), text));
                }
            }
            Err(error) => {
                let place = error.path().map_or_else(|| shown.clone(), display);
                let reason = match error.loop_ancestor() {
                    Some(_) => "a link that leads back to a folder above it".to_owned(),
                    None => error.io_error().map_or_else(|| "it cannot be read".to_owned(), plain),
                };
                problems.push(Problem::new(code::UNREADABLE, format!("cannot be read: {reason}")).in_file(place));
            }
        }
    }
    if sources.is_empty() && problems.len() == before {
        let problem = Problem::new(code::EMPTY, "the folder holds no rule files");
        problems.push(
            problem.in_file(shown).help("rule files end in .yaml or .yml; `citeward init` writes a set to start from"),
        );
    }
    sources
}

/// Whether a file is reached by a link and lies outside of the folder. A change to rules that somebody proposes must not
/// show, in the excerpt of a message, what else the machine holds.
fn leads_out(path: &Path, folder: &Path) -> bool {
    match (path.canonicalize(), folder.canonicalize()) {
        (Ok(path), Ok(folder)) => !path.starts_with(folder),
        // Reading it will say why.
        _ => false,
    }
}

fn read_file(path: &Path, problems: &mut Problems) -> Option<String> {
    let problem = |code, message: String| Problem::new(code, message).in_file(display(path));
    match fs::metadata(path) {
        Ok(metadata) if metadata.len() > LARGEST => {
            problems.push(problem(
                code::TOO_LARGE,
                format!("the file has {} bytes, at most {LARGEST} are read", metadata.len()),
            ));
            return None;
        }
        Ok(metadata) if !metadata.is_file() => {
            problems.push(problem(code::UNREADABLE, "this is not a regular file".to_owned()));
            return None;
        }
        _ => {}
    }
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            problems.push(problem(code::UNREADABLE, format!("cannot be read: {}", plain(&error))));
            return None;
        }
    };
    match String::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let bytes = error.as_bytes();
            let line = bytes.iter().take(valid).filter(|byte| **byte == b'\n').count() + 1;
            let byte = bytes.get(valid).copied().unwrap_or_default();
            problems.push(
                Problem::new(code::NOT_UTF8, "the file is not UTF-8 text")
                    .on_line(display(path), line as u64)
                    .found(format!("the byte {byte:#04x}"), "UTF-8")
                    .help("save the file with the encoding UTF-8"),
            );
            None
        }
    }
}

/// A path for messages, with forward slashes on every system.
fn display(path: impl AsRef<Path>) -> String {
    path.as_ref().to_string_lossy().replace('\\', "/")
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// The reason of a failed read, without the number of the operating system.
fn plain(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "it does not exist".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_files_of_the_folder_only() {
        let root = tempfile::tempdir().expect("a folder");
        let rules = root.path().join("rules");
        fs::create_dir(&rules).expect("made");
        fs::write(root.path().join("secret.yaml"), "password: hunter2\n").expect("written");
        fs::write(rules.join("a.yaml"), "version: 1\n").expect("written");
        std::os::unix::fs::symlink(rules.join("a.yaml"), rules.join("b.yaml")).expect("linked");
        std::os::unix::fs::symlink(root.path().join("secret.yaml"), rules.join("c.yaml")).expect("linked");
        let mut problems = Problems::new();
        assert_eq!(read(&rules, &mut problems).len(), 2);
        let said = problems.render();
        assert!(
            said.contains("c.yaml: error[unreadable]: a link that leads out") && !said.contains("hunter2"),
            "{said}"
        );
    }
}
