//! The command line by transcript: every command, every exit code, every kind of refusal. A transcript is a file in
//! `tests/cmd/`, named for what it shows; the folder `<name>.in/` is where its commands run, `<name>.out/` what they
//! must leave behind. `TRYCMD=overwrite cargo test --test cli` rewrites them; read what changed.

#[path = "cli/figures.rs"]
mod figures;
#[path = "cli/hostile.rs"]
mod hostile;
#[path = "cli/nothing.rs"]
mod nothing;
#[path = "cli/program.rs"]
mod program;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use program::{SCRUBBED, citeward};

fn cmd() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd")
}

/// Every file below a folder with its bytes; folders with nothing.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(tree(&path));
            found.insert(path, None);
        } else {
            let bytes = fs::read(&path).expect("a file");
            found.insert(path, Some(bytes));
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

#[test]
fn transcripts() {
    // Where runs of the shipped data go.
    fs::create_dir_all(Path::new(env!("CARGO_MANIFEST_DIR")).join("target")).expect("a folder");
    let cases = trycmd::TestCases::new();
    // Unset is not to be had here; empty is treated as unset.
    for name in SCRUBBED {
        cases.env(name, "");
    }
    cases.case("tests/cmd/*.trycmd").case("tests/cmd/*.toml");
}

/// A transcript's name, folder and the arguments of its first command.
fn refusals() -> Vec<(String, PathBuf, Vec<String>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(cmd()).expect("the transcripts") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if !name.starts_with("refuses-") || path.extension().is_none_or(|end| end != "trycmd") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a transcript");
        let first = text.lines().find_map(|line| line.strip_prefix("$ citeward ")).expect("a command");
        let arguments = first.split_whitespace().map(|word| word.trim_matches('\'').to_owned()).collect();
        found.push((name, path.with_extension("in"), arguments));
    }
    found.sort();
    found
}

/// Nothing is written, and the run that an earlier check left is whole.
#[test]
fn a_refused_run_leaves_everything_as_it_was() {
    let refusals = refusals();
    assert!(refusals.len() >= 25, "only {} refusals", refusals.len());
    let previous = tempfile::tempdir().expect("a folder");
    let case = r#"{"case_id":"a","answer":"Backups are kept.","claims":[]}"#;
    fs::write(previous.path().join("a.jsonl"), case).expect("a file");
    let done = citeward(previous.path(), &["check", "a.jsonl", "--quiet"]);
    assert_ne!(done.status.code(), Some(2), "{}", String::from_utf8_lossy(&done.stderr));
    for (name, folder, arguments) in refusals {
        let scratch = tempfile::tempdir().expect("a folder");
        if folder.is_dir() {
            copy(&folder, scratch.path());
        }
        let run = scratch.path().join("citeward-out");
        if !run.exists() {
            copy(&previous.path().join("citeward-out"), &run);
        }
        let before = tree(scratch.path());
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = citeward(scratch.path(), &arguments);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout.is_empty(), "{name}: {}", String::from_utf8_lossy(&output.stdout));
        assert!(before == tree(scratch.path()), "{name}: something was written");
    }
}
