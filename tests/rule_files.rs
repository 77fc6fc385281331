//! Bad rule files, each with the exact text that a person gets to see. A case is a file or a folder in
//! `tests/rule_files/` with a `.txt` of the same name. `CITEWARD_BLESS=1` rewrites the texts; read what changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// The program says the same: `lint`, whose job it is to find such files, ends with 1, and `check` judges nothing: 2.
#[test]
fn the_program_says_the_same_and_judges_nothing() {
    for case in cases() {
        let scratch = tempfile::tempdir().expect("a folder");
        let rules = scratch.path().join("rules");
        copy(&case, &rules);
        let expected = fs::read_to_string(case.with_extension("txt")).expect("the text");
        for (arguments, exit) in [(&["lint"][..], 1), (&["check", "-", "--out", "out"][..], 2)] {
            let output = Command::new(env!("CARGO_BIN_EXE_citeward"))
                .args(arguments)
                .current_dir(scratch.path())
                .stdin(Stdio::null())
                .output()
                .expect("the program runs");
            let said = String::from_utf8(output.stderr).expect("UTF-8");
            assert_eq!(said, expected, "{arguments:?} on {}", case.display());
            assert_eq!(output.status.code(), Some(exit), "{arguments:?} on {}", case.display());
            assert!(output.stdout.is_empty(), "{arguments:?} on {}", case.display());
        }
        assert!(!scratch.path().join("out").exists(), "{} left a run behind", case.display());
    }
}

/// Copies a case, a file or a whole folder, to where the program looks for rules.
fn copy(case: &Path, rules: &Path) {
    fs::create_dir_all(rules).expect("a folder");
    if case.is_file() {
        fs::copy(case, rules.join(case.file_name().expect("a name"))).expect("a copy");
        return;
    }
    for entry in fs::read_dir(case).expect("a folder") {
        let entry = entry.expect("an entry").path();
        let target = rules.join(entry.file_name().expect("a name"));
        if entry.is_dir() {
            copy(&entry, &target);
        } else {
            fs::copy(&entry, &target).expect("a copy");
        }
    }
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

/// What came of editing a shipped file at random: a policy or problems, never a panic, and always harmless text.
#[test]
fn no_edit_of_a_shipped_file_makes_the_loader_panic() {
    use proptest::prelude::*;

    const PIECES: [&str; 24] = [
        "",
        " ",
        "\n",
        "\n  - ",
        ": ",
        "{",
        "}",
        "[",
        "]",
        "'",
        "\"",
        "#",
        "&a ",
        "*a",
        "<<: ",
        "? ",
        "|\n",
        "- - ",
        "!!str ",
        "\t",
        ".nan",
        "0x",
        "\u{1b}[31m",
        "é\u{2028}文",
    ];
    let files: Vec<&(&str, &str)> = rules::BUILT_IN.iter().filter(|(name, _)| !name.starts_with("lexicons/")).collect();
    let edits = prop::collection::vec((0..100_000usize, 0..12usize, 0..PIECES.len()), 1..6);
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(
        ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() },
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let result = runner.run(&(0..files.len(), edits), |(file, edits)| {
        let (name, text) = files[file];
        let mut chars: Vec<char> = text.chars().collect();
        for (at, removed, piece) in edits {
            let at = at % chars.len().max(1);
            let end = (at + removed).min(chars.len());
            chars.splice(at..end, PIECES[piece].chars());
        }
        let text: String = chars.into_iter().collect();
        if let Err(problems) = rules::compile(vec![((*name).to_owned(), text)]) {
            let shown = problems.render();
            prop_assert!(!shown.is_empty() && shown.chars().all(|c| c == '\n' || !c.is_control()));
        }
        Ok(())
    });
    result.expect("no panic");
}
