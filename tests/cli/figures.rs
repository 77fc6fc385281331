//! The figures that must come out of the shipped rules, through the command line; worked out by hand.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::program::{citeward, exits};

/// A run of a shipped dataset by the shipped rules.
struct Run {
    folder: TempDir,
    manifest: Value,
    records: Vec<Value>,
    cases: Vec<Value>,
}

impl Run {
    fn of(dataset: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("run").display().to_string();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        exits(1, root, &["check", dataset, "--out", &out, "--quiet"]);
        let read = |name: &str| fs::read_to_string(folder.path().join("run").join(name)).expect("a file of the run");
        let lines = |name: &str| read(name).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let manifest = serde_json::from_str(&read("run.json")).expect("JSON");
        Self { manifest, records: lines("records.jsonl"), cases: lines("cases.jsonl"), folder }
    }

    /// (numerator, denominator, value) of a metric over everything, summed.
    fn metric(&self, name: &str) -> (Value, Value, Value) {
        metric(&self.manifest, name)
    }

    fn record(&self, case: &str) -> &Value {
        self.records.iter().find(|record| record["case_id"] == case).expect("a record")
    }

    fn case(&self, case: &str) -> &Value {
        self.cases.iter().find(|record| record["case_id"] == case).expect("a case")
    }

    fn outcome<'r>(&self, record: &'r Value, rule: &str) -> &'r Value {
        let mut outcomes = record["outcomes"].as_array().expect("outcomes").iter();
        &outcomes.find(|outcome| outcome["rule"] == rule).expect("an outcome of the rule")["outcome"]
    }
}

fn metric(manifest: &Value, name: &str) -> (Value, Value, Value) {
    let is_wanted =
        |metric: &&Value| metric["metric"] == name && metric["average"] == "micro" && metric["slice"] == json!({});
    let found = manifest["metrics"].as_array().expect("metrics").iter().find(is_wanted);
    let found = found.unwrap_or_else(|| panic!("{name} is not listed"));
    (found["numerator"].clone(), found["denominator"].clone(), found["value"].clone())
}

fn codes(record: &Value) -> Vec<&str> {
    let findings = record["findings"].as_array().expect("findings").iter();
    findings.map(|finding| finding["code"].as_str().expect("a code")).collect()
}

/// One claim each: 100 requests per minute stands in its passage, 99.99 % against 99.9 %, 90 days on a passage about
/// encryption.
#[test]
fn the_three_cases_of_the_atlas_fixture() {
    let run = Run::of("atlas");
    assert_eq!(run.manifest["labels"], json!({"supported": 1, "contradicted": 1, "insufficient": 1}));
    let labels: Vec<&Value> = run.records.iter().map(|record| &record["label"]).collect();
    assert_eq!(labels, ["supported", "contradicted", "insufficient"]);
    let (k, n, value) = run.metric("citation_correctness");
    assert_eq!((k, n), (json!(1), json!(3)));
    assert!((value.as_f64().expect("a number") - 1.0 / 3.0).abs() < 1e-12);
    assert_eq!(run.metric("claim_coverage"), (json!(3), json!(3), json!(1.0)));
    assert_eq!(run.metric("defect_rate").0, json!(2));
}

/// “All plans” and “90 days” stand in neither passage; both passages are in the packet.
#[test]
fn audit_logs_lack_both_terms_and_no_source() {
    let run = Run::of("figures");
    let record = run.record("figures-audit-logs");
    assert_ne!(record["label"], "supported");
    let mut findings = record["findings"].as_array().expect("findings").iter();
    let missing = findings.find(|finding| finding["code"] == "term-missing").expect("the finding");
    let message = missing["message"].as_str().expect("a message");
    assert!(message.contains("“all plans”") && message.contains("“90 days”"), "{message}");
    assert_eq!(run.outcome(record, "unknown-source"), "pass");
    let citations = record["citations"].as_array().expect("citations");
    assert_eq!(citations.len(), 2);
    assert!(citations.iter().all(|citation| citation["resolved"] == true));
    assert_eq!(record["integrity_pass"], true);
}

#[test]
fn doc_12_of_five_is_unknown_and_out_of_range() {
    let run = Run::of("figures");
    let record = run.record("figures-out-of-range");
    assert_eq!(record["label"], "unresolved");
    assert!(codes(record).contains(&"unknown-id"), "{:?}", codes(record));
    assert!(codes(record).contains(&"id-out-of-range"), "{:?}", codes(record));
    let mut findings = record["findings"].as_array().expect("findings").iter();
    let range = findings.find(|finding| finding["code"] == "id-out-of-range").expect("the finding");
    let message = range["message"].as_str().expect("a message");
    assert!(message.contains("doc_12") && message.contains("from 1 to 5"), "{message}");
}

/// Four cases cite 2, 1, 0 and 1 unique ids, of which 2, 0, 0 and 1 were retrieved: 3 of 4, and the case without a
/// citation has no precision of its own.
#[test]
fn precision_over_no_citations_is_no_data_and_duplicates_count_once() {
    let run = Run::of("figures");
    assert_eq!(run.case("figures-no-citation")["scores"]["citation_precision"], json!([0, 0]));
    assert_eq!(run.case("figures-one-unique-id")["scores"]["citation_precision"], json!([1, 1]));
    assert_eq!(run.case("figures-one-unique-id")["markers"].as_array().map(Vec::len), Some(2));
    assert_eq!(run.record("figures-one-unique-id")["citations"].as_array().map(Vec::len), Some(1));
    assert_eq!(run.metric("citation_precision"), (json!(3), json!(4), json!(0.75)));

    let alone = run.folder.path().join("alone.jsonl");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shipped = fs::read_to_string(root.join("datasets/figures/1.0.0/cases.jsonl")).expect("the dataset");
    let line = shipped.lines().find(|line| line.contains("figures-no-citation")).expect("the case");
    fs::write(&alone, line).expect("a file");
    let out = run.folder.path().join("alone").display().to_string();
    let output = citeward(root, &["check", &alone.display().to_string(), "--out", &out, "--format", "json", "-q"]);
    assert_eq!(output.status.code(), Some(1));
    let manifest = serde_json::from_slice(&output.stdout).expect("JSON on standard output");
    assert_eq!(metric(&manifest, "citation_precision"), (json!(0), json!(0), Value::Null));
}
