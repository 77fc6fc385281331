//! Cases made to take quadratic time or to make a run write without end: each is judged, and soon.

use std::time::{Duration, Instant};

use citeward::citation::Packet;
use citeward::dataset::{Line, Options, read};
use citeward::record::FindingRecord;
use citeward::record::cache::Cache;
use citeward::record::evaluate::{Evaluator, EvidenceMode};
use citeward::rules;

/// What came of a claim: its label, and the codes of its findings.
type Judged = (String, Vec<String>);

/// Judges one claim on one passage by the built-in policy; gives the claim's label and how many findings were recorded.
fn judged(claim: &str, passage: &str) -> (String, usize) {
    let case = serde_json::json!({
        "case_id": "hostile", "language": "en", "answer": "See [S1].",
        "claims": [{ "text": claim, "citation_ids": ["S1"] }],
        "sources": [{ "id": "S1", "text": passage }],
    });
    let (label, findings) = judged_case(&case).swap_remove(0);
    (label, findings.len())
}

/// Judges a case by the built-in policy.
fn judged_case(case: &serde_json::Value) -> Vec<Judged> {
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
    let codes = |findings: &[FindingRecord<'_>]| findings.iter().map(|finding| finding.code.to_string()).collect();
    records.claims.iter().map(|claim| (format!("{:?}", claim.label), codes(&claim.findings))).collect()
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

/// Every address of the answer is looked for in the claims.
#[test]
fn an_answer_of_thousands_of_addresses() {
    let addresses = |letter: char| (0..8_000).map(|at| format!("https://a.example/{letter}{at} ")).collect::<String>();
    let judged = judged_case(&serde_json::json!({
        "case_id": "addresses", "language": "en", "answer": addresses('a') + "[S1].",
        "claims": [{ "text": addresses('b'), "citation_ids": ["S1"] }],
        "sources": [{ "id": "S1", "text": "Nothing." }],
    }));
    assert!(!judged[0].0.contains("Supported") && judged[0].1.len() < MOST, "{judged:?}");
}

/// Each claim lacks its figure, and each of a hundred units may have it.
#[test]
fn many_claims_that_many_units_could_explain() {
    let claim =
        |at: usize| serde_json::json!({ "text": format!("Report {at} has {at}77 pages."), "citation_ids": ["S0"] });
    let unit = |at: usize| {
        let text: String = (0..40).map(|page| format!("Report {at} of {page} has {page}88 pages. ")).collect();
        serde_json::json!({ "id": format!("S{at}"), "text": text })
    };
    let judged = judged_case(&serde_json::json!({
        "case_id": "units", "language": "en", "answer": "See [S0].",
        "claims": (1..100).map(claim).collect::<Vec<_>>(),
        "sources": (0..100).map(unit).collect::<Vec<_>>(),
    }));
    assert!(judged.iter().all(|(label, _)| !label.contains("Supported")), "{judged:?}");
}

/// A thousand claims have 100,000 bytes of other units each: a longer one is not looked into, a shorter one is.
#[test]
fn the_claims_of_a_case_share_what_is_looked_into() {
    let names_a_unit = |filler: usize| {
        let mut claims = vec![serde_json::json!({ "text": "Logs are kept for 90 days.", "citation_ids": ["S1"] })];
        claims.resize(1_000, serde_json::json!({ "text": "Logs are kept.", "citation_ids": ["S1"] }));
        let elsewhere = "Logs are kept for 90 days. ".to_owned() + &"Backups stay. ".repeat(filler);
        let judged = judged_case(&serde_json::json!({
            "case_id": "shared", "language": "en", "answer": "Logs are kept for 90 days [S1].", "claims": claims,
            "sources": [{ "id": "S1", "text": "Logs are kept." }, { "id": "S2", "text": elsewhere }],
        }));
        judged[0].1.iter().any(|code| code == "misattributed")
    };
    assert!(names_a_unit(6_000));
    assert!(!names_a_unit(8_000));
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
    assert!(policy.gates.iter().any(|gate| gate.id == "changed-after-the-check"));
}
