//! Nothing measured is never a pass, and what was left out is counted everywhere.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::program::{citeward, exits};

const RULES: &str = "version: 1\nrules:\n  - id: unknown-source\n    check: resolves\n";
const GOOD: &str = r#"{"case_id":"a","answer":"Backups are kept 30 days [e].","claims":[{"text":"Backups are kept 30 days.","citation_ids":["e"]}],"sources":[{"evidence_id":"e","content":"Backups are kept 30 days."}]}"#;
const CLAIMLESS: &str = r#"{"case_id":"b","answer":"Hello.","claims":[]}"#;

fn project(rules: &str, cases: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("rules")).expect("a folder");
    fs::write(folder.path().join("rules/policy.yaml"), rules).expect("a file");
    fs::write(folder.path().join("cases.jsonl"), cases).expect("a file");
    folder
}

fn manifest(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("citeward-out/run.json")).expect("run.json");
    serde_json::from_str(&text).expect("JSON")
}

/// The rates of check kinds that no rule uses, with their values; those that are not listed have none.
#[test]
fn a_rate_whose_check_never_ran_is_null_and_not_zero() {
    let rates = [
        "out_of_range_rate",
        "unauthorized_citation_rate",
        "stale_citation_rate",
        "locator_resolution_rate",
        "placement_rate",
    ];
    let gates: String = rates
        .iter()
        .map(|rate| {
            let bound =
                if rate.ends_with("_resolution_rate") || *rate == "placement_rate" { "min: 0.1" } else { "max: 0.9" };
            format!("  - {{ id: {}, metric: {rate}, {bound} }}\n", rate.replace('_', "-"))
        })
        .collect();
    let folder = project(&format!("{RULES}gates:\n{gates}"), GOOD);
    let said = exits(1, folder.path(), &["check", "cases.jsonl"]);
    let run = manifest(folder.path());
    for rate in rates {
        let listed = run["metrics"].as_array().expect("metrics").iter().filter(|metric| metric["metric"] == rate);
        for metric in listed {
            assert_eq!((&metric["value"], &metric["denominator"]), (&Value::Null, &json!(0)), "{rate}");
        }
        let mut gates = run["gates"].as_array().expect("gates").iter();
        let gate = gates.find(|gate| gate["metric"] == rate).expect("the gate");
        assert_eq!((&gate["verdict"], &gate["value"]), (&json!("no_data"), &Value::Null), "{rate}");
        assert!(said.contains(&format!("{} has no data", rate.replace('_', " "))), "{rate}: {said}");
    }
    assert_eq!(run["verdict"], "fail");
    let mut metrics = run["metrics"].as_array().expect("metrics").iter();
    let ran = metrics.find(|metric| metric["metric"] == "unknown_citation_rate").expect("what ran is listed");
    assert_eq!((&ran["value"], &ran["denominator"]), (&json!(0.0), &json!(1)));
}

#[test]
fn a_policy_without_gates_asks_every_case_to_pass() {
    let folder = project(RULES, GOOD);
    exits(0, folder.path(), &["check", "cases.jsonl", "-q"]);
    let gates = manifest(folder.path())["gates"].clone();
    let gates = gates.as_array().expect("gates");
    assert_eq!(gates.len(), 1);
    assert_eq!(gates[0]["metric"], "case_pass_rate");
    assert_eq!(gates[0]["bound"]["min"], "1");
    assert_eq!((&gates[0]["numerator"], &gates[0]["denominator"]), (&json!(1), &json!(1)));
}

#[test]
fn a_dataset_without_claims_passes_no_coverage_gate() {
    let rules = format!("{RULES}gates:\n  - {{ id: coverage, metric: claim_coverage, min: 0 }}\n");
    let refused = project(&rules, CLAIMLESS);
    // A bound that everything would meet is no gate at all.
    exits(2, refused.path(), &["check", "cases.jsonl"]);
    let rules = rules.replace("min: 0 ", "min: 0.01 ");
    let folder = project(&rules, CLAIMLESS);
    exits(1, folder.path(), &["check", "cases.jsonl", "-q"]);
    let run = manifest(folder.path());
    assert_eq!(run["gates"][0]["verdict"], "no_data");
    assert_eq!(run["gates"][0]["value"], Value::Null);
    assert!(run["gates"][0]["reason"].as_str().is_some_and(|why| why.contains("0 verifiable claims")));
    // Without gates too: no rule judged anything of the case.
    let folder = project(RULES, CLAIMLESS);
    exits(1, folder.path(), &["check", "cases.jsonl", "-q"]);
    assert_eq!(manifest(folder.path())["gates"][0]["verdict"], "no_data");
}

#[test]
fn skipped_lines_are_counted_in_text_json_and_reports() {
    let folder = project(RULES, &format!("{GOOD}\nnot json\n[1, 2]\n"));
    let output = citeward(folder.path(), &["check", "cases.jsonl", "--bad-lines", "skip", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "broken counts against the gate");
    let run: Value = serde_json::from_slice(&output.stdout).expect("JSON on standard output");
    assert_eq!(run["datasets"][0]["skipped_lines"], 2);
    assert_eq!(run["counts"]["cases"], 1);
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(text.contains("cases.jsonl:2: error[malformed-json]"), "{text}");
    assert!(text.contains("2 bad lines were skipped"), "{text}");
    for name in ["report.md", "report.html"] {
        let report = fs::read_to_string(folder.path().join("citeward-out").join(name)).expect("a report");
        assert!(report.contains("2 bad lines were skipped"), "{name}");
    }
}

#[test]
fn missing_answers_are_counted_broken() {
    let folder = project(RULES, &format!("{GOOD}\n{CLAIMLESS}\n"));
    fs::write(folder.path().join("answers.jsonl"), GOOD).expect("a file");
    let arguments = ["check", "cases.jsonl", "--answers", "answers.jsonl", "--allow-missing-answers"];
    let said = exits(1, folder.path(), &arguments);
    assert!(said.contains("1 case got no answer"), "{said}");
    let gate = manifest(folder.path())["gates"][0].clone();
    assert_eq!(gate["verdict"], "fail");
    let report = fs::read_to_string(folder.path().join("citeward-out/report.md")).expect("a report");
    assert!(report.contains("1 case got no answer"));
}
