//! Cases made to take quadratic time or to make a run write without end: each is judged, and soon.

use std::time::{Duration, Instant};

use citeward::citation::Packet;
use citeward::dataset::{Line, Options, read};
use citeward::record::cache::Cache;
use citeward::record::evaluate::{Evaluator, EvidenceMode};
use citeward::rules;

/// Judges one claim on one passage by the built-in policy; gives the claim's label and how many findings were recorded.
fn judged(claim: &str, passage: &str) -> (String, usize) {
    let case = serde_json::json!({
        "case_id": "hostile", "language": "en", "answer": "See [S1].",
        "claims": [{ "text": claim, "citation_ids": ["S1"] }],
        "sources": [{ "id": "S1", "text": passage }],
    });
    let policy = rules::built_in().unwrap_or_else(|problems| panic!("{}", problems.render()));
    let bytes = case.to_string();
    let line = Line { file: "hostile.jsonl", file_index: 0, number: 1 };
    let case = read::line(bytes.as_bytes(), line, &Options::default()).unwrap_or_else(|problem| panic!("{problem:?}"));
    let packet = Packet::build(&case, &policy.markers, &policy.claims, &policy.lexicons);
    let evaluator = Evaluator::new(&policy, EvidenceMode::Excerpts);
    let start = Instant::now();
    let records = evaluator.evaluate(&packet, "hostile.jsonl", String::new(), &mut Cache::default());
    // Built without optimisation on a busy machine; what is quadratic takes minutes.
    assert!(start.elapsed() < Duration::from_secs(60), "took {:?}", start.elapsed());
    let record = &records.claims[0];
    (format!("{:?}", record.label), record.findings.len())
}

/// At most 200 findings of one rule and the heaviest of the rest, of some twenty rules.
const MOST: usize = 1_000;

#[test]
fn a_claim_of_thousands_of_quantities() {
    let (label, findings) = judged(&"90 days and 80 days ".repeat(2_000), &"90 days ".repeat(2_000));
    assert!(!label.contains("Supported") && findings < MOST, "{label} {findings}");
}

#[test]
fn a_claim_of_thousands_of_addresses() {
    let (label, findings) = judged(&"https://a.example/d ".repeat(3_000), &"https://a.example/c ".repeat(3_000));
    assert!(!label.contains("Supported") && findings < MOST, "{label} {findings}");
}

#[test]
fn a_claim_of_thousands_of_quotations() {
    let claim = "\"abc def ghi jkl mno pqr\" ".repeat(3_000);
    let (label, findings) = judged(&claim, &"abc def ghi jkl mno pqx ".repeat(3_000));
    assert!(!label.contains("Supported") && findings < MOST, "{label} {findings}");
}

/// What belongs to another scope: in the content, the title, the address and the locator of a unit that is cited, and of one that is not.
#[test]
fn nothing_of_another_scope_is_in_a_record() {
    let closed = |id: &str| {
        serde_json::json!({ "id": id, "text": "SECRET: logs are kept for 90 days.", "title": "SECRET", "scope_id": "theirs",
            "canonical_uri": "https://kb.example/SECRET", "locator": { "section": "SECRET" } })
    };
    let case = serde_json::json!({
        "case_id": "scopes", "language": "en", "answer": "Logs are kept for 90 days [S1]. They are kept for 80 days [S3].",
        "sources": [closed("S1"), closed("S2"), { "id": "S3", "text": "Logs are kept.", "title": "Open", "scope_id": "ours" }],
        "allowed_scopes": ["ours"],
    });
    let policy = rules::built_in().unwrap_or_else(|problems| panic!("{}", problems.render()));
    let bytes = case.to_string();
    let line = Line { file: "scopes.jsonl", file_index: 0, number: 1 };
    let case = read::line(bytes.as_bytes(), line, &Options::default()).unwrap_or_else(|problem| panic!("{problem:?}"));
    let packet = Packet::build(&case, &policy.markers, &policy.claims, &policy.lexicons);
    let evaluator = Evaluator::new(&policy, EvidenceMode::Excerpts);
    let records = evaluator.evaluate(&packet, "scopes.jsonl", String::new(), &mut Cache::default());
    let mut written = serde_json::to_string(&records.case).unwrap_or_default();
    for claim in &records.claims {
        written += &serde_json::to_string(claim).unwrap_or_default();
    }
    assert!(written.contains("Open") && !written.contains("SECRET"), "{written}");
}

/// Claims that were checked vouch for no answer that says something else: the built-in policy has a gate on it.
#[test]
fn an_answer_that_differs_from_its_claims_is_gated() {
    let policy = rules::built_in().unwrap_or_else(|problems| panic!("{}", problems.render()));
    assert!(policy.gates.iter().any(|gate| gate.id == "changed-answers"));
}
