//! No claim is judged by evidence that it does not cite: whatever the other units of its packet say, for it or against it, its label
//! and what the support rules found stay as they are.

#[path = "cli/program.rs"]
mod program;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use program::exits;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The shipped cases that hold a unit.
fn cases() -> Vec<Value> {
    let mut cases = Vec::new();
    for name in ["atlas", "figures", "helpdesk-bad-release", "helpdesk-good-release"] {
        let file = root().join("datasets").join(name).join("1.0.0/cases.jsonl");
        let text = fs::read_to_string(&file).expect("a dataset");
        cases.extend(text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a case")));
    }
    cases.retain(|case| !case["sources"].as_array().is_none_or(Vec::is_empty));
    cases
}

/// Judges cases by the shipped rules; the records of their claims, by case and claim.
fn judge(scratch: &Path, name: &str, cases: &[Value]) -> BTreeMap<(String, String), Value> {
    let (data, out) = (scratch.join(format!("{name}.jsonl")), scratch.join(name));
    let lines: Vec<String> = cases.iter().map(Value::to_string).collect();
    fs::write(&data, lines.join("\n")).expect("a file");
    let rules = root().join("rules").display().to_string();
    exits(
        1,
        scratch,
        &["check", &data.display().to_string(), "--rules", &rules, "--out", &out.display().to_string(), "--quiet"],
    );
    let records = fs::read_to_string(out.join("records.jsonl")).expect("records");
    let mut found = BTreeMap::new();
    for record in records.lines().map(|line| serde_json::from_str::<Value>(line).expect("a record")) {
        let id = |key: &str| record[key].as_str().expect("an id").to_owned();
        found.insert((id("case_id"), id("claim_id")), record);
    }
    found
}

/// The shipped rules of the kind that says where else a missing fact stands.
fn annotating() -> BTreeSet<String> {
    let policy = fs::read_to_string(root().join("rules/40-support.yaml")).expect("the rules");
    let rules = policy
        .split("  - id: ")
        .skip(1)
        .filter(|rule| rule.contains("check: misattributed") || rule.contains("{ misattributed"));
    rules.filter_map(|rule| rule.lines().next()).map(|id| id.trim().to_owned()).collect()
}

fn without_stage(mut entry: Value) -> Value {
    if let Some(entry) = entry.as_object_mut() {
        entry.remove("stage");
        entry.remove("stage_reason");
    }
    entry
}

/// What is said of a claim; what names other units on purpose is left out: the kind that does, and the stage at fault.
fn said(record: &Value, annotating: &BTreeSet<String>) -> Value {
    let names_others = |entry: &Value| entry["rule"].as_str().is_some_and(|rule| annotating.contains(rule));
    let without = |list: &Value| -> Vec<Value> {
        list.as_array().into_iter().flatten().filter(|entry| !names_others(entry)).cloned().map(without_stage).collect()
    };
    let citations: Vec<Value> =
        record["citations"].as_array().into_iter().flatten().map(|citation| citation["excerpt"].clone()).collect();
    json!([
        record["label"],
        record["decided_by"],
        record["suspected"],
        without(&record["outcomes"]),
        without(&record["findings"]),
        citations
    ])
}

/// The cases, each with one more unit that nothing cites.
fn with_unit(cases: &[Value], content: impl Fn(&Value) -> String) -> Vec<Value> {
    let mut changed = cases.to_vec();
    for case in &mut changed {
        let content = content(case);
        let unit = json!({"evidence_id": "uncited-unit", "title": "Another passage", "content": content});
        case["sources"].as_array_mut().expect("units").push(unit);
        // A case that declares what was retrieved would say so of this one too.
        if let Some(ids) = case["retrieved_ids"].as_array_mut() {
            ids.push(json!("uncited-unit"));
        }
    }
    changed
}

#[test]
fn what_uncited_units_say_changes_no_claim() {
    let scratch = tempfile::tempdir().expect("a folder");
    let cases = cases();
    let annotating = annotating();
    let before = judge(scratch.path(), "neutral", &with_unit(&cases, |_| "The office has green walls.".to_owned()));
    let cites_it = |citation: &Value| citation["id"] == "uncited-unit";
    let citations = before.values().flat_map(|record| record["citations"].as_array().into_iter().flatten());
    assert!(!citations.into_iter().any(cites_it), "the unit is cited");
    // Every claim in words of its own is the strongest support that a passage can give.
    let vouching = |case: &Value| -> String {
        let claims = before.iter().filter(|((id, _), _)| case["case_id"] == id.as_str());
        claims.filter_map(|(_, record)| record["claim"].as_str()).collect::<Vec<_>>().join(" ")
    };
    let denying = |_: &Value| "None of this is true: 987654 of 1 since 31 December 1899.".to_owned();
    let decided = before.values().filter(|record| !record["label"].is_null() && record["label"] != "undecided").count();
    assert!(decided > 80, "{decided} labels were decided: too few to show anything");
    for (name, changed) in [("vouching", with_unit(&cases, vouching)), ("denying", with_unit(&cases, denying))] {
        let after = judge(scratch.path(), name, &changed);
        assert!(before.keys().eq(after.keys()), "{name}");
        for (key, record) in &before {
            assert_eq!(said(record, &annotating), said(&after[key], &annotating), "{name}: {key:?}");
        }
    }
}
