//! Text of inputs never steers the terminal: not from data, rules, names of files or arguments, in any command.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::program::citeward;

/// Colours, a window title, a carriage return, a bell, the C1 introducer, overrides of the reading direction, an
/// invisible character and tag characters.
const HOSTILE: &str = "x\u{1b}[31m\u{1b}]0;y\u{7}\r\u{9b}2J\u{202e}\u{2066}\u{200b}\u{e0041}z";

/// Asserts that nothing printed steers a terminal, and that something was printed.
fn harmless(folder: &Path, arguments: &[&str]) -> i32 {
    let output = citeward(folder, arguments);
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8(printed).expect("valid UTF-8");
    assert!(!printed.is_empty(), "{arguments:?}");
    let steers = |c: &char| {
        (c.is_control() && *c != '\n')
            || matches!(c, '\u{200b}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}')
    };
    let found: Vec<char> = printed.chars().filter(steers).collect();
    assert!(found.is_empty(), "{arguments:?}: {found:?} in {printed}");
    output.status.code().expect("an exit code")
}

fn case(id: &str) -> String {
    let text = format!("Backups {HOSTILE}\0 are kept 30 days");
    json!({
        "case_id": id, "query": text, "answer": format!("{text} [{HOSTILE}]."), "language": HOSTILE,
        "meta": {"intent": HOSTILE, HOSTILE: 1},
        "claims": [{"claim_id": "c1", "text": format!("{text}."), "citation_ids": ["e", HOSTILE], "type": HOSTILE}],
        "sources": [{"evidence_id": "e", "source_version": HOSTILE, "title": HOSTILE, "scope_id": HOSTILE,
                     "canonical_uri": HOSTILE, "content": format!("{text}, or 60 days {HOSTILE}.")}],
    })
    .to_string()
}

#[test]
fn data_does_not_steer_the_terminal() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    fs::write(folder.join("cases.jsonl"), case("a")).expect("a file");
    for format in ["text", "json", "github"] {
        let exit = harmless(folder, &["check", "cases.jsonl", "--format", format]);
        assert_ne!(exit, 2, "{format}: it is judged");
    }
    assert_eq!(harmless(folder, &["explain", "citeward-out", "a"]), 0);
    assert_eq!(harmless(folder, &["explain", "citeward-out", "a", "--format", "json"]), 0);
    assert_eq!(harmless(folder, &["explain", "citeward-out", "a#c1"]), 0);
    assert_eq!(harmless(folder, &["verify", "citeward-out"]), 0);
    fs::write(folder.join("own.txt"), "{{ items[0].case_id }} {{ items[0] }}").expect("a file");
    assert_eq!(harmless(folder, &["report", "citeward-out", "--template", "own.txt"]), 0);
    harmless(folder, &["lint", "--against", "cases.jsonl"]);
    // Bad data, named with what is wrong.
    fs::write(folder.join("bad.jsonl"), format!("{}\n{{\"{HOSTILE}\n", case(HOSTILE))).expect("a file");
    assert_eq!(harmless(folder, &["check", "bad.jsonl"]), 2);
    harmless(folder, &["check", "bad.jsonl", "--bad-lines", "skip"]);
}

#[test]
fn rules_do_not_steer_the_terminal() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    fs::create_dir(folder.join("rules")).expect("a folder");
    let quoted = json!(HOSTILE).to_string();
    let rules = format!(
        "version: 1\nrules:\n  - id: odd\n    check: resolves\n    message: {quoted}\nslices:\n  - {{ id: s, field: language, missing: {quoted} }}\n"
    );
    fs::write(folder.join("rules/policy.yaml"), rules).expect("a file");
    fs::write(folder.join("cases.jsonl"), case("a")).expect("a file");
    harmless(folder, &["lint"]);
    harmless(folder, &["check", "cases.jsonl"]);
    harmless(folder, &["check", "cases.jsonl", "--format", "github"]);
    harmless(folder, &["explain", "citeward-out", "a"]);
    for text in [quoted.as_str(), HOSTILE] {
        let rules = format!("version: 1\nrules:\n  - id: {text}\n    check: {text}\n    {text}: 1\n");
        fs::write(folder.join("rules/policy.yaml"), rules).expect("a file");
        assert_eq!(harmless(folder, &["lint"]), 1);
        assert_eq!(harmless(folder, &["check", "cases.jsonl"]), 2);
    }
}

/// A NUL cannot stand in an argument; everything else can.
#[test]
fn arguments_do_not_steer_the_terminal() {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    fs::write(folder.join("cases.jsonl"), case("a")).expect("a file");
    harmless(folder, &["check", "cases.jsonl", "--out", "run"]);
    for arguments in [
        vec![HOSTILE],
        vec!["check", HOSTILE],
        vec!["check", "cases.jsonl", "--format", HOSTILE],
        vec!["check", "cases.jsonl", "--rules", HOSTILE],
        vec!["check", "cases.jsonl", "--answers", HOSTILE],
        vec!["check", "cases.jsonl", "--jobs", HOSTILE],
        vec!["rules", HOSTILE],
        vec!["explain", HOSTILE, "a"],
        vec!["explain", "run", HOSTILE],
        vec!["explain", "run", "a#\u{1b}[31m"],
        vec!["verify", HOSTILE],
        vec!["report", HOSTILE],
        vec!["report", "run", "--template", HOSTILE],
        vec!["dataset", "freeze", HOSTILE],
        vec!["dataset", "verify", HOSTILE],
        vec!["completions", HOSTILE],
    ] {
        assert_eq!(harmless(folder, &arguments), 2, "{arguments:?}");
    }
    assert_eq!(harmless(folder, &["lint", "--rules", HOSTILE]), 2);
}

#[test]
fn names_of_files_do_not_steer_the_terminal() {
    // No carriage return: not every system has such names.
    let name = "x\u{1b}[31m\u{202e}z";
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    let version = folder.join("datasets").join(name).join("1.0.0");
    fs::create_dir_all(&version).expect("a folder");
    fs::write(version.join(format!("{name}.jsonl")), case("a")).expect("a file");
    assert_ne!(harmless(folder, &["check"]), 2);
    assert_ne!(harmless(folder, &["check", "--out", name]), 2);
    assert_eq!(harmless(folder, &["verify", name]), 0);
    assert_eq!(harmless(folder, &["report", name, "--out", name]), 0);
    let path = format!("datasets/{name}/1.0.0");
    harmless(folder, &["dataset", "verify"]);
    harmless(folder, &["dataset", "freeze", &path]);
    assert_eq!(harmless(folder, &["init", &format!("{name}/new")]), 0);
    assert_eq!(harmless(folder, &["init", &format!("{name}/new")]), 2);
}
