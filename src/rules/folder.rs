//! Finding and reading the files of a policy.

use std::fs;
use std::path::Path;

use walkdir::WalkDir;

use crate::diagnostic::{Problem, Problems, code, quoted};
use crate::file::{self, Named, plain, shown};

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
    ("lexicons/ar.yaml", include_str!("../../rules/lexicons/ar.yaml")),
    ("lexicons/cs.yaml", include_str!("../../rules/lexicons/cs.yaml")),
    ("lexicons/de.yaml", include_str!("../../rules/lexicons/de.yaml")),
    ("lexicons/en.yaml", include_str!("../../rules/lexicons/en.yaml")),
    ("lexicons/es.yaml", include_str!("../../rules/lexicons/es.yaml")),
    ("lexicons/fr.yaml", include_str!("../../rules/lexicons/fr.yaml")),
    ("lexicons/hi.yaml", include_str!("../../rules/lexicons/hi.yaml")),
    ("lexicons/it.yaml", include_str!("../../rules/lexicons/it.yaml")),
    ("lexicons/ja.yaml", include_str!("../../rules/lexicons/ja.yaml")),
    ("lexicons/ko.yaml", include_str!("../../rules/lexicons/ko.yaml")),
    ("lexicons/nl.yaml", include_str!("../../rules/lexicons/nl.yaml")),
    ("lexicons/pl.yaml", include_str!("../../rules/lexicons/pl.yaml")),
    ("lexicons/pt.yaml", include_str!("../../rules/lexicons/pt.yaml")),
    ("lexicons/ru.yaml", include_str!("../../rules/lexicons/ru.yaml")),
    ("lexicons/sv.yaml", include_str!("../../rules/lexicons/sv.yaml")),
    ("lexicons/tr.yaml", include_str!("../../rules/lexicons/tr.yaml")),
    ("lexicons/zh.yaml", include_str!("../../rules/lexicons/zh.yaml")),
];

/// The endings of rule files.
const ENDINGS: [&str; 2] = ["yaml", "yml"];

/// How deep a hidden folder is looked through for rule files.
const HIDDEN_DEPTH: usize = 2;

/// Reads every `.yaml` and `.yml` file below `folder`, in whatever letter case the ending is written, in sorted order.
/// Gives the indexes of the texts in `problems`. A file that cannot be read is one problem and does not stop the others;
/// so is a file that looks like a rule file and is read by nobody: hidden, switched off by its name, misspelt.
pub(super) fn read(folder: &Path, problems: &mut Problems) -> Vec<u32> {
    let shown = shown(folder);
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
    let mut walk = WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        match entry {
            Ok(entry) if entry.depth() == 0 => {}
            Ok(entry) if entry.file_type().is_dir() => {
                let name = entry.file_name().to_string_lossy();
                if name.starts_with('.') {
                    walk.skip_current_dir();
                    hidden_folder(entry.path(), folder, problems);
                } else if Named::of(&name, &ENDINGS) == Named::Fits {
                    walk.skip_current_dir();
                    let problem = Problem::new(code::UNREADABLE, "a folder with the name of a rule file");
                    problems.push(problem.in_file(file::shown(entry.path())).help("rename the folder"));
                }
            }
            Ok(entry) if is_rule_file(entry.path()) => {
                match file::read_inside(entry.path(), folder, "the folder of rules", LARGEST) {
                    Ok(text) => sources.push(problems.add_source(file::shown(entry.path()), text)),
                    Err(problem) => problems.push(problem),
                }
            }
            Ok(entry) => unread(entry.path(), folder).into_iter().for_each(|problem| problems.push(problem)),
            Err(error) => {
                let place = error.path().map_or_else(|| shown.clone(), file::shown);
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

fn named(path: &Path) -> Named {
    path.file_name().map_or(Named::Other, |name| Named::of(&name.to_string_lossy(), &ENDINGS))
}

fn is_rule_file(path: &Path) -> bool {
    named(path) == Named::Fits
}

/// The problem of a file that is not read and looks as if it should be: by its name, or because it begins like a rule
/// file.
fn unread(path: &Path, folder: &Path) -> Option<Problem> {
    let name = path.file_name()?.to_string_lossy();
    let begins = || {
        let beginning = file::beginning(path, folder);
        begins_like_rules(&beginning) || !name.ends_with("schema.json") && is_json_of_rules(&beginning)
    };
    if named(path) != Named::Nearly && !begins() {
        return None;
    }
    let help = match name.strip_prefix('.') {
        Some(seen) => format!("rename it to `{seen}`, or move it out of the folder of rules"),
        None => "rename it so that it ends in .yaml, or move it out of the folder of rules".to_owned(),
    };
    let problem = Problem::new(code::UNREAD_FILE, "this looks like a rule file and would not be read");
    Some(
        problem
            .found(format!("the name {}", quoted(&name)), "a name that ends in .yaml or .yml")
            .help(help)
            .in_file(file::shown(path)),
    )
}

/// Rule files in a hidden folder are not read. What begins with two dots is a system's own (mounted configuration).
fn hidden_folder(path: &Path, folder: &Path, problems: &mut Problems) {
    if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("..")) {
        return;
    }
    let files = WalkDir::new(path).max_depth(HIDDEN_DEPTH).sort_by_file_name().into_iter().flatten();
    let mut rules = files.filter(|entry| {
        matches!(named(entry.path()), Named::Fits | Named::Hidden)
            && begins_like_rules(&file::beginning(entry.path(), folder))
    });
    if let Some(first) = rules.next() {
        let problem = Problem::new(code::UNREAD_FILE, "rule files in a hidden folder are not read");
        let help = "rename the folder, or move it out of the folder of rules";
        problems.push(problem.help(help).in_file(file::shown(first.path())));
    }
}

/// Whether the first line that is no comment is the version of a rule file.
fn begins_like_rules(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#') && *line != "---");
    let version = first.and_then(|line| line.strip_prefix("version")?.trim_start().strip_prefix(':'));
    version
        .and_then(|version| version.split_whitespace().next())
        .is_some_and(|version| version.trim_matches(['"', '\'']) == "1")
}

/// Whether a text is JSON that holds a version and a section of rule files.
fn is_json_of_rules(text: &str) -> bool {
    let has = |key: &str| text.contains(&format!("\"{key}\""));
    text.trim_start_matches('\u{feff}').trim_start().starts_with('{')
        && has("version")
        && ["markers", "rules", "slices", "gates"].into_iter().any(has)
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
