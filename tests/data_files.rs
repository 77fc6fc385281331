//! Data files, good and bad, with exactly what is said of them: `tests/data_files/<name>.jsonl` and `<name>.txt`.
//!
//! `UPDATE_EXPECTED=1 cargo test --test data_files` writes the `.txt` files; read every change before you commit it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use citeward::dataset::lines::{Input, Source};
use citeward::dataset::scan::scan;
use citeward::dataset::{Limits, Options};
use citeward::diagnostic::Problems;

/// The data files with the name that messages give them.
fn files(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path))
        .collect();
    files.sort();
    files
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data_files")
}

/// Limits are those of the shipped policy, except for files that are about limits.
fn options(name: &str) -> Options {
    let mut options = Options::default();
    if name.starts_with("small-limits-") {
        options.limits = Limits { line_bytes: 200, json_depth: 5, claims_per_case: 2, citations_per_claim: 2 };
    }
    options
}

fn read(name: &str, path: &Path) -> (u64, Problems) {
    let input = Input { name: name.into(), source: Source::File(path.to_owned()) };
    let mut problems = Problems::new();
    let cases = scan(&[input], &options(name), &mut problems, |_, _, _| {});
    (cases, problems)
}

#[test]
fn every_file_is_answered_with_exactly_its_text() {
    let mut wrong = Vec::new();
    for (name, path) in files(&folder()) {
        let (cases, problems) = read(&name, &path);
        let said = if problems.is_empty() { format!("{cases} cases\n") } else { problems.render() };
        let expected = path.with_extension("txt");
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            fs::write(&expected, &said).unwrap();
        }
        let expected = fs::read_to_string(&expected).unwrap_or_default().replace("\r\n", "\n");
        if said != expected {
            wrong.push(format!("--- {name}\nsaid:\n{said}expected:\n{expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn bad_files_are_refused_and_good_files_are_not() {
    let mut bad = 0;
    for (name, path) in files(&folder()) {
        let (cases, problems) = read(&name, &path);
        let good = name.starts_with("good-");
        assert_eq!(problems.is_empty(), good, "{name}");
        assert!(!good || cases > 0, "{name}");
        bad += u32::from(!good);
    }
    assert!(bad >= 40, "{bad} bad files");
}

/// Bad data is never quoted at length: every file says SECRET inside of what is wrong with it, in a text too long to
/// quote.
#[test]
fn no_message_quotes_the_row() {
    for (name, path) in files(&folder()) {
        assert!(!read(&name, &path).1.render().contains("SECRET"), "{name}");
    }
}

#[test]
fn every_kind_of_data_problem_has_a_file() {
    let files = files(&folder());
    let codes: BTreeSet<_> = files
        .iter()
        .flat_map(|(name, path)| read(name, path).1.shown().iter().map(|one| one.code.as_str()).collect::<Vec<_>>())
        .collect();
    for code in [
        "bad-span",
        "contradiction",
        "duplicate-case",
        "duplicate-id",
        "duplicate-key",
        "duplicate-name",
        "empty",
        "malformed-json",
        "missing-key",
        "no-cases",
        "not-finite",
        "not-utf8",
        "too-deep",
        "too-large",
        "unknown-claim",
        "unknown-label",
        "wrong-type",
        "wrong-value",
    ] {
        assert!(codes.contains(code), "{code}");
    }
}

#[test]
fn the_shipped_datasets_are_read_without_a_problem() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets");
    let mut problems = Problems::new();
    let datasets = citeward::dataset::folder::resolve(&[], &root, &mut problems);
    assert!(datasets.len() >= 2);
    for dataset in datasets {
        let cases = scan(&dataset.inputs, &Options::default(), &mut problems, |_, _, _| {});
        assert!(cases > 0, "{}", dataset.name);
    }
    assert!(problems.is_empty(), "{}", problems.render());
}
