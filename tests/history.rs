//! The trend over earlier runs, through the program.

#[path = "cli/program.rs"]
mod program;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use program::exits;

/// A policy that passes from this share of supported claims on; `rule` is one more rule.
fn policy(folder: &Path, min: &str, rule: &str) {
    fs::create_dir_all(folder.join("rules")).expect("made");
    let text = format!(
        "version: 1\nmarkers:\n  - {{ id: numbered, pattern: '\\[(?<refs>S\\d+)\\]' }}\nrules:\n  - {{ id: numbers, check: numbers }}\n\
         {rule}  - {{ id: facts, check: facts-found, establishes: supported, severity: note }}\n\
         gates:\n  - {{ id: correct, metric: citation_correctness, min: {min} }}\n"
    );
    fs::write(folder.join("rules/policy.yaml"), text).expect("written");
}

/// Ten cases with one claim each, `wrong` of which say another limit than their passage.
fn data(folder: &Path, wrong: usize) {
    let case = |number: usize| {
        let (limit, said) = (100 + number, 100 + number + usize::from(number < wrong));
        json!({
            "case_id": format!("c{number}"),
            "answer": format!("The limit of plan A is {said} requests per minute [S1]."),
            "sources": [{"id": "S1", "content": format!("The limit of plan A is {limit} requests per minute.")}],
        })
    };
    let lines: String = (0..10).map(|number| format!("{}\n", case(number))).collect();
    fs::write(folder.join("release.jsonl"), lines).expect("written");
}

fn view(folder: &Path, run: &str) -> Value {
    let text = exits(0, folder, &["report", run, "--history", "runs", "--format", "json"]);
    serde_json::from_str(&text).expect("JSON")
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join(name)).expect("read")
}

#[test]
fn five_runs_draw_a_trend_that_says_what_changed() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path();
    fs::create_dir(folder.join("runs")).expect("made");
    let builds = [("runs/run-8", 4, "0.5", ""), ("runs/run-9", 3, "0.8", ""), ("runs/run-10", 2, "0.8", "")];
    for (out, wrong, min, rule) in builds {
        policy(folder, min, rule);
        data(folder, wrong);
        exits(i32::from(wrong == 3), folder, &["check", "release.jsonl", "--out", out, "--history", "runs"]);
    }
    // Another rule that decides records, and a run that somebody made better afterwards.
    policy(folder, "0.8", "  - { id: dates, check: dates }\n");
    data(folder, 1);
    exits(0, folder, &["check", "release.jsonl", "--out", "runs/run-11"]);
    data(folder, 9);
    exits(1, folder, &["check", "release.jsonl", "--out", "runs/run-12"]);
    let forged = fs::read_to_string(folder.join("runs/run-12/run.json")).expect("read").replace("\"fail\"", "\"pass\"");
    fs::write(folder.join("runs/run-12/run.json"), forged).expect("written");
    data(folder, 0);
    exits(0, folder, &["check", "release.jsonl", "--out", "now", "--history", "runs"]);

    let trend = &view(folder, "now")["trend"];
    let runs = trend["runs"].as_array().expect("runs");
    let of = |key: &str| runs.iter().map(|run| run[key].as_str().expect("text")).collect::<Vec<_>>();
    assert_eq!(of("name"), ["run-8", "run-9", "run-10", "run-11", "this run"]);
    assert_eq!(of("verdict"), ["pass", "fail", "pass", "pass", "pass"]);
    assert!(of("changed")[3].starts_with("other rules: policy "), "{:?}", of("changed"));
    assert_eq!(trend["left_out"], json!([{"name": "run-12", "why": "run.json was changed after the run"}]));
    let correct = &trend["series"][0];
    assert_eq!(correct["metric"], "citation_correctness");
    let values: Vec<&str> = correct["points"]
        .as_array()
        .expect("points")
        .iter()
        .map(|point| point["fraction"].as_str().expect("text"))
        .collect();
    assert_eq!(values, ["6/10", "7/10", "8/10", "9/10", "10/10"]);
    assert_eq!(correct["change"], "▲ 10 points better than run-11");
    assert_eq!(correct["lines"].as_array().expect("lines").len(), 2, "the other rules break the line");

    // The same history gives the same bytes, from `check` and from `report`, whatever stands in the folder of this run.
    exits(0, folder, &["report", "now", "--history", "runs", "--out", "again"]);
    for name in ["report.html", "report.md"] {
        assert!(bytes(folder, &format!("now/{name}")) == bytes(folder, &format!("again/{name}")), "{name} differs");
    }
    exits(0, folder, &["check", "release.jsonl", "--out", "now", "--history", "runs"]);
    assert!(bytes(folder, "now/report.html") == bytes(folder, "again/report.html"));
    let md = fs::read_to_string(folder.join("now/report.md")).expect("read");
    assert!(md.contains("### Trend") && md.contains("run-9") && !md.contains("run-12"), "{md}");
    // A trend is in the reports and nowhere in what is judged.
    exits(0, folder, &["check", "release.jsonl", "--out", "without"]);
    assert!(bytes(folder, "now/run.json") == bytes(folder, "without/run.json"));
    exits(0, folder, &["verify", "now"]);
}

#[test]
fn a_run_below_its_own_history_leaves_itself_out() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path();
    fs::create_dir(folder.join("runs")).expect("made");
    policy(folder, "0.5", "");
    for (out, wrong) in [("runs/run-1", 2), ("runs/run-2", 1)] {
        data(folder, wrong);
        exits(0, folder, &["check", "release.jsonl", "--out", out, "--history", "runs"]);
    }
    assert_eq!(view(folder, "runs/run-2")["trend"]["sentence"], "One earlier run, run-1 in runs, and this one.");
    exits(0, folder, &["report", "runs/run-2", "--history", "runs", "--out", "again"]);
    assert!(bytes(folder, "runs/run-2/report.html") == bytes(folder, "again/report.html"));
}

#[test]
fn what_is_no_history_and_no_sweep_is_refused_before_the_work() {
    let root = tempfile::tempdir().expect("a folder");
    let folder = root.path();
    policy(folder, "0.5", "");
    data(folder, 1);
    let said = exits(2, folder, &["check", "release.jsonl", "--history", "runs"]);
    assert!(said.starts_with("runs: error[not-found]: there is no such folder of earlier runs"), "{said}");
    assert!(!folder.join("citeward-out").exists());
    exits(0, folder, &["check", "release.jsonl"]);
    let said = exits(2, folder, &["report", "citeward-out", "--history", "citeward-out"]);
    assert!(said.contains("this is one run, not a folder of earlier runs"), "{said}");
    fs::write(folder.join("sweep.json"), "{\n\"schema\": \"citeward/sweep/1\",\n\"of\": 1}").expect("written");
    let said = exits(2, folder, &["report", "citeward-out", "--sweep", "sweep.json"]);
    assert!(said.starts_with("sweep.json:3: error[malformed-json]: not a sweep: "), "{said}");
    // A sweep that was made of this run by its policy is drawn without a word against it.
    let sweep = ["sweep", "citeward-out", "--gate", "correct", "--from", "0.8", "--to", "1", "--step", "0.1"];
    let text = exits(0, folder, &[&sweep[..], &["--format", "json"]].concat());
    fs::write(folder.join("sweep.json"), text).expect("written");
    let text = exits(0, folder, &["report", "citeward-out", "--sweep", "sweep.json", "--format", "json"]);
    let view: Value = serde_json::from_str(&text).expect("JSON");
    let notes = view["plots"][0]["notes"].to_string();
    assert!(!notes.contains("This sweep"), "{notes}");
    assert_eq!(
        view["plots"][0]["lanes"][0]["name"].as_str().map(|name| name.replace('\u{a0}', " ")).as_deref(),
        Some("overall: 90 % (9/10)")
    );
}
