//! Bad rule files, each with the exact text that a person gets to see. A case is a file or a folder in
//! `tests/rule_files/` with a `.txt` of the same name. `CITEWARD_BLESS=1` rewrites the texts; read what changed.

use std::fs;
use std::path::{Path, PathBuf};

use citeward::rules;

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rule_files");
    let entries = fs::read_dir(folder).expect("the folder of cases");
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    cases.retain(|path| path.is_dir() || path.extension().is_some_and(|extension| extension == "yaml"));
    cases.sort();
    cases
}

/// What loading a case says, with the folder's name as `rules`. `None` where the case is accepted.
fn said(case: &Path) -> Option<String> {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = if case.is_dir() {
        case.to_owned()
    } else {
        fs::copy(case, scratch.path().join(case.file_name().expect("a name"))).expect("a copy");
        scratch.path().to_owned()
    };
    let shown = folder.to_string_lossy().replace('\\', "/");
    let problems = rules::load(&folder).err()?;
    Some(problems.render().replace(&shown, "rules"))
}

#[test]
fn every_bad_rule_file_is_refused_with_its_text() {
    let cases = cases();
    assert!(cases.len() >= 45, "only {} cases", cases.len());
    let mut wrong = Vec::new();
    for case in cases {
        let name = case.file_stem().expect("a name").to_string_lossy().into_owned();
        let Some(found) = said(&case) else {
            wrong.push(format!("{name}: accepted"));
            continue;
        };
        let expected = case.with_file_name(format!("{name}.txt"));
        if std::env::var_os("CITEWARD_BLESS").is_some() {
            fs::write(&expected, &found).expect("the text is written");
        }
        let expected = fs::read_to_string(&expected).unwrap_or_default();
        if found != expected {
            wrong.push(format!("{name}: found\n{found}\nexpected\n{expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} cases\n{}", wrong.len(), wrong.join("\n"));
}

/// Every text points at a place, says what was found or expected, and fits a terminal.
#[test]
fn every_text_names_a_place() {
    for case in cases() {
        let text = said(&case).unwrap_or_default();
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("rules"), "{}: {first}", case.display());
        assert!(first.contains(": error["), "{}: {first}", case.display());
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{}", case.display());
        assert!(text.lines().all(|line| line.chars().count() <= 250), "{}: {text}", case.display());
    }
}

/// A mark at the beginning and the line ends of another system change nothing.
#[test]
fn a_byte_order_mark_and_crlf_are_accepted() {
    let text = "version: 1\nrules:\n  - id: a\n    check: resolves\n";
    let plain = rules::compile(vec![("a.yaml".to_owned(), text.to_owned())]).expect("a policy");
    let marked = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let marked = rules::compile(vec![("a.yaml".to_owned(), marked)]).expect("a policy");
    assert_eq!(plain.digest, marked.digest);
}
