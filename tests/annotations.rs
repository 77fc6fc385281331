//! What a record says where a finding's fact stands in a unit that the claim does not cite, and where two cited units disagree: who may see
//! the unit, what leaves, and what becomes of the label.

use citeward::check::Certainty;
use citeward::citation::Packet;
use citeward::dataset::lines::Input;
use citeward::dataset::{self, Label, Register};
use citeward::record::cache::Cache;
use citeward::record::evaluate::{Evaluator, EvidenceMode};
use citeward::rules::{self, Policy};
use serde_json::{Value, json};

const NUMBERS: &str = "{ id: number, check: numbers }";
const NOTE: &str = "{ id: elsewhere, check: misattributed }";

fn policy(rules: &[&str]) -> Policy {
    compiled(rules).unwrap_or_else(|problems| panic!("{problems}"))
}

fn compiled(rules: &[&str]) -> Result<Policy, String> {
    let markers = r"markers: [{ id: named, pattern: '\[(?<ref>[a-z]+)\]' }]";
    let rules: String = rules.iter().map(|rule| format!("  - {rule}\n")).collect();
    let text = format!("version: 1\n{markers}\nrules:\n{rules}");
    rules::compile(vec![("rules/policy.yaml".to_owned(), text)]).map_err(|problems| problems.render())
}

/// A claim about backups that cites `first`; `second` has its fact, unless `more` says otherwise.
fn case(more: Value) -> Value {
    let mut case = json!({
        "case_id": "a",
        "answer": "Backups are kept for 35 days [first].",
        "sources": [
            {"evidence_id": "first", "content": "Backups are encrypted at rest."},
            {"evidence_id": "second", "title": "Backups", "content": "Exports run at night. Backups are kept for 35 days."},
        ],
    });
    if let (Some(case), Value::Object(more)) = (case.as_object_mut(), more) {
        case.extend(more);
    }
    case
}

/// The record of the first claim, as JSON.
fn record(policy: &Policy, case: &Value, evidence: EvidenceMode, register: Option<&str>) -> Value {
    let register = register.map(|text| {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        Register::read(&Input::file(file.path()), &dataset::Options::default())
            .unwrap_or_else(|problems| panic!("{}", problems.render()))
    });
    let line = case.to_string();
    let at = dataset::Line { file: "cases.jsonl", file_index: 0, number: 1 };
    let case = dataset::read::line(line.as_bytes(), at, &dataset::Options::default())
        .unwrap_or_else(|problems| panic!("{problems:?}"));
    let packet = Packet::build(&case, &policy.markers, &policy.claims, &policy.lexicons);
    let packet = packet.with_register(register.as_ref());
    let evaluator = Evaluator::new(policy, evidence);
    let records = evaluator.evaluate(&packet, "cases.jsonl", String::new(), &mut Cache::default());
    serde_json::to_value(records.claims.first().expect("a claim")).expect("a record")
}

fn shown(rules: &[&str], case: &Value) -> Value {
    record(&policy(rules), case, EvidenceMode::Excerpts, None)
}

/// The findings of a rule.
fn findings<'r>(record: &'r Value, rule: &str) -> Vec<&'r Value> {
    let all = record["findings"].as_array().expect("findings");
    all.iter().filter(|finding| finding["rule"] == rule).collect()
}

/// The outcome of a rule on the claim.
fn outcome<'r>(record: &'r Value, rule: &str) -> &'r Value {
    let all = record["outcomes"].as_array().expect("outcomes");
    &all.iter().find(|outcome| outcome["rule"] == rule).expect("an outcome")["outcome"]
}

fn names_it(record: &Value) -> bool {
    !findings(record, "elsewhere").is_empty()
}

#[test]
fn a_note_is_joined_to_its_finding_and_shows_the_passage() {
    let record = shown(&[NUMBERS, NOTE], &case(json!({})));
    let [missing] = findings(&record, "number")[..] else { panic!("{record}") };
    let [note] = findings(&record, "elsewhere")[..] else { panic!("{record}") };
    assert_eq!(note["annotates"], missing["fingerprint"]);
    assert_eq!(note["severity"], "note");
    assert_eq!(note["message"], "the claim cites [first], but “35 days” stands in [second] (Backups)");
    assert_eq!(note["claim_span"], missing["claim_span"]);
    let elsewhere = &note["elsewhere"];
    assert_eq!((&elsewhere["id"], &elsewhere["marker"]), (&json!("second"), &json!("[second]")));
    // The sentence that has it, of 29 bytes, behind the first one of 22.
    assert_eq!(elsewhere["excerpt"], json!({"start": 22, "end": 51, "text": "Backups are kept for 35 days."}));
    let hash = citeward::text::digest::raw("Backups are kept for 35 days.".as_bytes()).to_string();
    assert_eq!(elsewhere["excerpt_sha256"], json!(hash));
    // What stands elsewhere supports nothing, and no excerpt of the claim comes from there.
    assert_eq!((&record["label"], &record["decided_by"]), (&json!("insufficient"), &json!("rule:number")));
    assert_eq!(record["citations"].as_array().map(Vec::len), Some(1));
    assert_eq!(record["citations"][0]["matches"], json!([]));
}

#[test]
fn nothing_but_the_note_and_the_stage_at_fault_depends_on_what_is_not_cited() {
    let rules =
        [NUMBERS, "{ id: dates, check: dates }", "{ id: found, check: facts-found, establishes: supported }", NOTE];
    let with = |content: &str| {
        let sources = json!([
            {"evidence_id": "first", "content": "Backups are encrypted at rest."},
            {"evidence_id": "second", "content": content},
        ]);
        let mut record = shown(&rules, &case(json!({ "sources": sources })));
        let drop = |list: &mut Value| list.as_array_mut().expect("a list").retain(|entry| entry["rule"] != "elsewhere");
        drop(&mut record["findings"]);
        drop(&mut record["outcomes"]);
        for finding in record["findings"].as_array_mut().expect("findings") {
            let finding = finding.as_object_mut().expect("a finding");
            finding.remove("stage");
            finding.remove("stage_reason").expect("every finding says why");
        }
        record
    };
    let has_it = with("Backups are kept for 35 days.");
    assert_eq!(has_it, with("Exports run at night."));
    assert_eq!(has_it, with("Backups are kept for 20 days."));
    assert_eq!(has_it["label"], "insufficient");
}

#[test]
fn a_unit_outside_of_the_readers_scopes_is_never_named() {
    let scopes = |second: Value, allowed: Value| {
        let mut case = case(json!({}));
        case["sources"][0]["scope_id"] = json!("acme");
        case["sources"][1]["scope_id"] = second;
        if !allowed.is_null() {
            case["allowed_scopes"] = allowed;
        }
        case
    };
    let scope = "{ id: scope, check: scope }";
    let public = "{ id: scope, check: { scope: { allowed: [public] } } }";
    let watched = "{ id: scope, check: scope, mode: observe }";
    for (rules, second, allowed, named, why) in [
        (vec![NUMBERS, NOTE, scope], json!("acme"), json!(["acme"]), true, "the same scope"),
        (vec![NUMBERS, NOTE, scope], json!("other"), json!(["acme"]), false, "another scope"),
        (vec![NUMBERS, NOTE, scope], Value::Null, json!(["acme"]), false, "no scope where scopes are declared"),
        (vec![NUMBERS, NOTE], json!("other"), json!(["acme"]), false, "the case declares scopes, and no rule asks"),
        (vec![NUMBERS, NOTE], Value::Null, json!(["acme"]), false, "no scope, and no rule asks"),
        (vec![NUMBERS, NOTE], json!("acme"), json!(["acme"]), true, "in scope, and no rule asks"),
        (vec![NUMBERS, NOTE, watched], json!("other"), json!(["acme"]), false, "a rule that only observes"),
        (vec![NUMBERS, NOTE, public], json!("public"), json!(["acme"]), true, "the rule lets everyone see it"),
        (vec![NUMBERS, NOTE], json!("other"), Value::Null, true, "nothing is declared"),
    ] {
        let record = shown(&rules, &scopes(second, allowed));
        assert_eq!(names_it(&record), named, "{why}: {record}");
        let expected = if named { "fail" } else { "pass" };
        assert_eq!(outcome(&record, "elsewhere"), expected, "{why}");
        assert!(named || !record.to_string().contains("second"), "{why}: {record}");
    }
}

#[test]
fn a_unit_that_a_rule_or_the_register_withholds_is_never_named() {
    let restricted = r#"{"id":"second","status":"restricted"}"#;
    let record = |rules: &[&str], register| record(&policy(rules), &case(json!({})), EvidenceMode::Excerpts, register);
    assert!(!names_it(&record(&[NUMBERS, NOTE, "{ id: scope, check: scope }"], Some(restricted))));
    assert!(!names_it(&record(&[NUMBERS, NOTE], Some(restricted))));
    assert!(names_it(&record(&[NUMBERS, NOTE], Some(r#"{"id":"second"}"#))));
    let elsewhere = r#"{"id":"second","scope":"other"}"#;
    let mut scoped = case(json!({ "allowed_scopes": ["acme"] }));
    scoped["sources"][0]["scope_id"] = json!("acme");
    scoped["sources"][1]["scope_id"] = json!("acme");
    let scoped = self::record(&policy(&[NUMBERS, NOTE]), &scoped, EvidenceMode::Excerpts, Some(elsewhere));
    assert!(!names_it(&scoped), "the register knows another scope");
}

#[test]
fn hashes_alone_leave_but_the_unit_is_named() {
    let hash_only = |rules: &[&str], case: &Value| record(&policy(rules), case, EvidenceMode::HashOnly, None);
    let named = hash_only(&[NUMBERS, NOTE], &case(json!({})));
    let note = findings(&named, "elsewhere")[0];
    assert_eq!(note["message"], "the claim cites [first], but “35 days” stands in [second] (Backups)");
    assert_eq!(note["elsewhere"]["excerpt"], json!({"start": 22, "end": 51}));
    assert!(note["elsewhere"]["excerpt_sha256"].as_str().is_some_and(|hash| hash.starts_with("sha256:")));
    assert!(!named.to_string().contains("Exports"), "{named}");
    let disagree = case(json!({
        "answer": "Backups are kept for 35 days [first][second].",
        "sources": [
            {"evidence_id": "first", "content": "Backups are kept for nineteen days."},
            {"evidence_id": "second", "content": "Backups are kept for 35 days."},
        ],
    }));
    let disagreeing = hash_only(&[NUMBERS, "{ id: both, check: conflict }"], &disagree);
    let found = findings(&disagreeing, "both")[0];
    assert_eq!(found["message"], "two cited units disagree on “35 days”: “second” says so, “first” does not");
    assert!(!disagreeing.to_string().contains("nineteen"), "{disagreeing}");
}

#[test]
fn a_wrong_marker_decides_no_label_where_the_policy_says_so() {
    let triage = "{ id: elsewhere, check: { misattributed: { absent: triage } } }";
    let label = |record: &Value| (record["label"].clone(), record["suspected"].clone());
    let weakened = shown(&[NUMBERS, triage], &case(json!({})));
    assert_eq!(label(&weakened), (json!("undecided"), json!("insufficient")));
    let missing = findings(&weakened, "number")[0];
    assert_eq!((&missing["certainty"], &missing["severity"]), (&json!("triage"), &json!("warning")));
    assert_eq!(outcome(&weakened, "number"), "fail", "the finding stays");
    // Evidence that says otherwise stays a contradiction, whatever another unit says.
    let otherwise = case(json!({ "sources": [
        {"evidence_id": "first", "content": "Backups are kept for 20 days."},
        {"evidence_id": "second", "content": "Backups are kept for 35 days."},
    ]}));
    assert_eq!(label(&shown(&[NUMBERS, triage], &otherwise)), (json!("contradicted"), Value::Null));
    // The fact is nowhere: nothing is excused.
    let nowhere = case(json!({ "sources": [{"evidence_id": "first", "content": "Backups are encrypted at rest."}] }));
    assert_eq!(label(&shown(&[NUMBERS, triage], &nowhere)), (json!("insufficient"), Value::Null));
    let insists = "{ id: number, check: numbers, final: true }";
    assert_eq!(label(&shown(&[insists, triage], &case(json!({})))), (json!("insufficient"), Value::Null));
    let watches = "{ id: elsewhere, check: { misattributed: { absent: triage } }, mode: observe }";
    assert_eq!(label(&shown(&[NUMBERS, watches], &case(json!({})))), (json!("insufficient"), Value::Null));
}

#[test]
fn a_note_blocks_nothing_even_as_a_warning() {
    // `terms` only observes; its finding is annotated, and support is established by what is cited.
    let rules = [
        "{ id: number, check: numbers }",
        "{ id: found, check: facts-found, establishes: supported }",
        "{ id: watch, check: { terms: { all: [nightly] } }, mode: observe }",
        "{ id: elsewhere, check: misattributed, severity: warning }",
    ];
    let record = shown(
        &rules,
        &case(json!({ "sources": [
            {"evidence_id": "first", "content": "Backups are kept for 35 days."},
            {"evidence_id": "second", "content": "Nightly backups are kept for 35 days."},
        ]})),
    );
    assert!(names_it(&record), "{record}");
    assert_eq!(record["label"], json!(Label::Supported));
}

#[test]
fn a_rule_says_whose_findings_it_annotates() {
    let dates = "{ id: date, check: dates }";
    let only = "{ id: elsewhere, check: { misattributed: { of: [date] } } }";
    let of_dates = shown(&[NUMBERS, dates, only], &case(json!({})));
    assert_eq!(outcome(&of_dates, "elsewhere"), "not_applicable");
    let both = "{ id: elsewhere, check: { misattributed: { of: [number, date] } } }";
    assert!(names_it(&shown(&[NUMBERS, dates, both], &case(json!({})))));
    let conditional = "{ id: elsewhere, check: misattributed, when: { claim: never } }";
    assert_eq!(outcome(&shown(&[NUMBERS, conditional], &case(json!({}))), "elsewhere"), "not_applicable");
    for (rules, says) in [
        (vec![NUMBERS, "{ id: elsewhere, check: { misattributed: { of: [numbr] } } }"], "did you mean `number`?"),
        (
            vec![
                NUMBERS,
                "{ id: cites, check: cited }",
                "{ id: elsewhere, check: { misattributed: { of: [cites] } } }",
            ],
            "`cites` has no findings on facts",
        ),
        (
            vec![NUMBERS, "{ id: elsewhere, check: misattributed, implies: partial }"],
            "only says more of what other rules found",
        ),
        (vec!["{ id: both, check: conflict, combine: any }"], "always reads the cited passages together"),
    ] {
        let problems = compiled(&rules).expect_err(says);
        assert!(problems.contains(says), "{says}: {problems}");
    }
    // The rule that is named may stand behind the one that names it.
    assert!(compiled(&[only, NUMBERS, dates]).is_ok());
}

#[test]
fn units_that_disagree_keep_a_claim_from_being_vouched_for() {
    let rules = [
        "{ id: number, check: numbers }",
        "{ id: found, check: facts-found, establishes: supported }",
        "{ id: both, check: conflict }",
    ];
    let with = |second: &str| {
        let sources = json!([
            {"evidence_id": "first", "content": "Backups are kept for 35 days."},
            {"evidence_id": "second", "content": second},
        ]);
        shown(&rules, &case(json!({ "answer": "Backups are kept for 35 days [first][second].", "sources": sources })))
    };
    let agree = with("Backups are kept for thirty-five days.");
    assert_eq!((&agree["label"], outcome(&agree, "both")), (&json!("supported"), &json!("pass")));
    let disagree = with("Backups are kept for 21 days.");
    assert_eq!((&disagree["label"], outcome(&disagree, "number")), (&json!("undecided"), &json!("pass")));
    let [found] = findings(&disagree, "both")[..] else { panic!("{disagree}") };
    assert_eq!((&found["severity"], &found["certainty"]), (&json!("note"), &json!(Certainty::Final)));
    // Both sides are shown: 35 days and 21 days stand at bytes 21 to 28 of either passage.
    let shown = |at: usize, found: &Value| {
        disagree["citations"][at]["matches"].as_array().is_some_and(|all| all.contains(found))
    };
    assert!(shown(0, &json!({"claim": [21, 28], "content": [21, 28], "conflicting": false})), "{disagree}");
    assert!(shown(1, &json!({"claim": [21, 28], "content": [21, 28], "conflicting": true})), "{disagree}");
    assert!(disagree["citations"][1]["outcomes"].as_array().is_some_and(|all| all.iter().all(|o| o["rule"] != "both")));
}

/// The stage at fault of the finding on the number, and why.
fn stage(record: &Value) -> (Option<&str>, &str) {
    let [missing] = findings(record, "number")[..] else { panic!("{record}") };
    (missing["stage"].as_str(), missing["stage_reason"].as_str().expect("a reason"))
}

#[test]
fn the_stage_at_fault_is_the_same_with_and_without_a_rule_that_annotates() {
    let elsewhere = (Some("citation"), "“35 days” stands in [second], which the claim does not cite");
    assert_eq!(stage(&shown(&[NUMBERS], &case(json!({})))), elsewhere);
    assert_eq!(stage(&shown(&[NUMBERS, NOTE], &case(json!({})))), elsewhere);
    let nowhere = case(json!({"sources": [
        {"evidence_id": "first", "content": "Backups are encrypted at rest."},
        {"evidence_id": "second", "content": "Exports run at night."},
    ]}));
    let missed = (Some("retrieval"), "no unit that the reader may see has “35 days”");
    assert_eq!(stage(&shown(&[NUMBERS], &nowhere)), missed);
    assert_eq!(stage(&shown(&[NUMBERS, NOTE], &nowhere)), missed);
}

#[test]
fn a_stage_says_nothing_of_a_unit_that_the_reader_may_not_see() {
    let with = |second: Value| {
        let sources =
            json!([{"evidence_id": "first", "scope_id": "acme", "content": "Backups are encrypted at rest."}, second]);
        shown(&[NUMBERS], &case(json!({ "sources": sources, "allowed_scopes": ["acme"] })))
    };
    let has_it =
        with(json!({"evidence_id": "second", "scope_id": "other", "content": "Backups are kept for 35 days."}));
    assert_eq!(stage(&has_it), (Some("retrieval"), "no unit that the reader may see has “35 days”"));
    let lacks_it = with(json!({"evidence_id": "second", "scope_id": "other", "content": "Exports run at night."}));
    let empty = with(json!({"evidence_id": "second", "scope_id": "other"}));
    assert_eq!((&has_it, &has_it), (&lacks_it, &empty), "neither its content nor the want of it shows");
}

#[test]
fn no_stage_is_told_where_not_all_of_the_packet_was_looked_into() {
    let too_large = "the claim or its packet is too large to look for what is missing in all of it";
    let mut sources = vec![json!({"evidence_id": "first", "content": "Backups are encrypted at rest."})];
    sources.extend((0..100).map(|n| json!({"evidence_id": format!("u{n}"), "content": "Exports run at night."})));
    let all = shown(&[NUMBERS], &case(json!({ "sources": sources })));
    assert_eq!(stage(&all).0, Some("retrieval"), "a hundred units are looked into");
    sources.push(json!({"evidence_id": "last", "content": "Backups are kept for 35 days."}));
    assert_eq!(stage(&shown(&[NUMBERS], &case(json!({ "sources": sources })))), (None, too_large));
}

#[test]
fn a_part_of_a_unit_that_is_not_cited_is_the_citations_fault() {
    let content = "Backups are encrypted at rest. Backups are kept for 35 days.";
    let claim = json!({"text": "Backups are kept for 35 days.", "citations": [{"id": "first", "start": 0, "end": 30}]});
    let part = case(json!({ "claims": [claim], "sources": [{"evidence_id": "first", "content": content}] }));
    let expected = (Some("citation"), "“35 days” stands in [first] outside of the part that the claim cites");
    assert_eq!(stage(&shown(&[NUMBERS], &part)), expected);
    assert_eq!(stage(&shown(&[NUMBERS, NOTE], &part)), expected);
}
