//! Errors that no gate counts.

use serde_json::Value;

use super::folder::Folder;

/// Four logs questions; in the second the passage is not the text of its hash, in the third the marker is unfinished.
const CASES: &str = concat!(
    r#"{"case_id":"good","answer":"Logs are kept for 30 days [ev_1].","sources":[{"evidence_id":"ev_1","content":"Audit logs are kept for 30 days."}]}"#,
    "\n",
    r#"{"case_id":"hash","answer":"Logs are kept for 30 days [ev_1].","sources":[{"evidence_id":"ev_1","content":"Audit logs are kept for 30 days.","content_sha256":"0000000000000000000000000000000000000000000000000000000000000000"}]}"#,
    "\n",
    r#"{"case_id":"marker","answer":"Logs are kept for 30 days [ev_1]. See also [Source].","sources":[{"evidence_id":"ev_1","content":"Audit logs are kept for 30 days."}]}"#,
    "\n",
    r#"{"case_id":"number","answer":"Logs are kept for 60 days [ev_1].","sources":[{"evidence_id":"ev_1","content":"Audit logs are kept for 30 days."}]}"#,
    "\n",
);

const RULES: &str = "
rules:
  - { id: changed-content, check: content-hash }
  - { id: broken-marker, check: malformed-marker }
  - { id: wrong-number, check: numbers }
  - { id: facts, check: facts-found, establishes: supported }
";

fn policy(rules: &str, gates: &str) -> String {
    let shipped = |name: &str| {
        let path = format!("{}/rules/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("a shipped file").replace("version: 1\n", "")
    };
    let slices = "slices: [{ id: language, field: language, missing: unknown }]\n";
    format!("version: 1\n{}{rules}{slices}{gates}", shipped("00-markers.yaml"))
}

/// A folder with these cases and a policy of `rules` and `gates`.
fn folder(cases: &str, rules: &str, gates: &str) -> Folder {
    Folder::with(&[("cases.jsonl", cases), ("rules/policy.yaml", &policy(rules, gates))])
}

fn gate<'r>(run: &'r Value, id: &str) -> &'r Value {
    let gates = run["gates"].as_array().expect("gates");
    gates.iter().find(|gate| gate["gate"] == id).unwrap_or_else(|| panic!("no gate {id}"))
}

fn lines(cases: &[&str]) -> String {
    let wanted = |line: &&str| cases.iter().any(|id| line.contains(&format!(r#""case_id":"{id}""#)));
    CASES.lines().filter(wanted).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_pass_says_how_many_cases_failed_that_no_gate_counts() {
    let gates = "gates:\n  - { id: defects, metric: defect_rate, max: 0.3 }\n";
    let folder = folder(CASES, RULES, gates);
    let printed = folder.run(0, &["check", "cases.jsonl", "--rules", "rules", "--baseline", "none"]);
    // Of four claims one is contradicted, 25 %; the hash and the marker fail two cases that the gate does not see.
    let first = printed.lines().next().unwrap_or_default();
    assert!(
        first.starts_with("PASS") && first.contains("2 of 4 cases failed by errors that no gate counts"),
        "{printed}"
    );
    assert!(printed.contains("3 of 4 cases failed, 2 uncounted"), "{printed}");
    let run = folder.manifest();
    assert_eq!(
        run["uncounted"],
        serde_json::json!({ "cases": 2, "rules": { "broken-marker": 1, "changed-content": 1 } })
    );
    for file in ["report.html", "report.md"] {
        let report = std::fs::read_to_string(folder.path().join("citeward-out").join(file)).expect("a report");
        assert!(report.contains("2 of 4 cases failed by errors that no gate counts"), "{file}");
    }
    let github =
        folder.run(0, &["check", "cases.jsonl", "--rules", "rules", "--baseline", "none", "--format", "github"]);
    assert!(github.contains("::warning title=errors that no gate counts::2 of 4 cases"), "{github}");
}

#[test]
fn a_fail_says_it_too_and_so_does_regate() {
    let strict = "gates:\n  - { id: defects, metric: defect_rate, max: 0 }\n";
    let folder = folder(CASES, RULES, strict);
    let printed = folder.run(1, &["check", "cases.jsonl", "--rules", "rules", "--baseline", "none"]);
    assert!(
        printed.starts_with("FAIL") && printed.contains("2 of 4 cases failed by errors that no gate counts"),
        "{printed}"
    );
    folder.write(
        "other/policy.yaml",
        &policy(RULES, "gates:\n  - { id: markers, metric: rule.broken-marker, min: 0.5 }\n"),
    );
    // By the new gate the marker counts; the hash and the number do not.
    let printed = folder.run(0, &["regate", "citeward-out", "--rules", "other", "--baseline", "none"]);
    assert!(
        printed.contains("2 of 4 cases failed by errors that no gate counts (changed-content in 1, wrong-number in 1)"),
        "{printed}"
    );
}

#[test]
fn a_gate_in_a_rule_bounds_the_share_of_its_subjects_that_fail() {
    let rules = RULES
        .replace("check: content-hash }", "check: content-hash, gate: { max: 0, on: { no_data: pass } } }")
        .replace("check: malformed-marker }", "check: malformed-marker, gate: { max: 0.5 } }");
    let folder = folder(CASES, &rules, "gates:\n  - { id: defects, metric: defect_rate, max: 0.3 }\n");
    let printed = folder.run(1, &["check", "cases.jsonl", "--rules", "rules", "--baseline", "none"]);
    // One unit of four carries a hash, and it is another one.
    assert!(
        printed.contains("changed-content: fail rate of rule changed-content is 100 % (1 of 1), at most 0 % allowed"),
        "{printed}"
    );
    let run = folder.manifest();
    let own = gate(&run, "changed-content");
    assert_eq!(
        (&own["metric"], &own["verdict"], &own["value"]),
        (&"fail_rate.changed-content".into(), &"fail".into(), &1.0.into())
    );
    assert_eq!((&own["numerator"], &own["denominator"], &own["bound"]["max"]), (&1.into(), &1.into(), &"0".into()));
    let marker = gate(&run, "broken-marker");
    assert_eq!((&marker["verdict"], &marker["numerator"]), (&"pass".into(), &1.into()));
    assert_eq!(run["uncounted"]["cases"], 0);
}

#[test]
fn a_gate_in_a_rule_is_part_of_the_gates_and_not_of_the_evaluation() {
    let folder = folder(CASES, RULES, "");
    folder.run(1, &["check", "cases.jsonl", "--rules", "rules", "--baseline", "none"]);
    let own = RULES.replace("check: malformed-marker }", "check: malformed-marker, gate: { max: 0 } }");
    folder.write("other/policy.yaml", &policy(&own, ""));
    let printed =
        folder.run(1, &["regate", "citeward-out", "--rules", "other", "--baseline", "none", "--format", "json"]);
    let regated: Value = serde_json::from_str(&printed).expect("JSON");
    let run = folder.manifest();
    assert_eq!(regated["policy"]["evaluation_digest"], run["policy"]["evaluation_digest"]);
    assert_ne!(regated["policy"]["gates_digest"], run["policy"]["gates_digest"]);
    // Three of four cases fail without a gate of one's own; with one, only its rule's counts.
    assert_eq!(gate(&run, "every-case-passes")["numerator"], 1);
    assert_eq!((&regated["uncounted"]["cases"], &regated["cases"]), (&2.into(), &4.into()));
}

#[test]
fn a_pass_rate_in_the_gate_of_a_rule_is_an_error() {
    for (gate, says) in [
        ("{ min: 1 }", "`min` does not fit the gate of a rule"),
        ("{ max: 0.95 }", "lets more than half of what the rule judges fail"),
        ("{ max: 1 }", "can never fail"),
        ("{}", "the gate has no bound"),
        ("{ metric: defect_rate, max: 0 }", "`metric` has no place in the gate of a rule"),
        ("0", "the gate of a rule is a map"),
        ("{ max: 0, slices: [{ slice: { language: de }, min: 1 }] }", "`min` does not fit the gate of a rule"),
        ("{ max_drop: 0.1 }", "`max_drop` does not fit"),
    ] {
        let rules = format!("rules:\n  - {{ id: broken-marker, check: malformed-marker, gate: {gate} }}\n");
        let printed = folder(CASES, &rules, "").run(1, &["lint", "--rules", "rules"]);
        assert!(printed.contains(says), "{gate}: {printed}");
    }
    let observed = "rules:\n  - { id: broken-marker, check: malformed-marker, mode: observe, gate: { max: 0 } }\n";
    let printed = folder(CASES, observed, "").run(1, &["lint", "--rules", "rules"]);
    assert!(printed.contains("`mode: observe` gates nothing"), "{printed}");
    let twice = "rules:\n  - { id: broken-marker, check: malformed-marker, gate: { max: 0 } }\n";
    let gates = "gates:\n  - { id: broken-marker, metric: rule.broken-marker, min: 1 }\n";
    let printed = folder(CASES, twice, gates).run(1, &["lint", "--rules", "rules"]);
    assert!(printed.contains("two gates have the id `broken-marker`"), "{printed}");
}

#[test]
fn lint_names_the_error_rules_that_no_gate_counts() {
    let warned = |rules: &str, gates: &str| {
        let printed = folder(CASES, rules, gates).run(0, &["lint", "--rules", "rules"]);
        let rules = ["changed-content", "broken-marker", "wrong-number"];
        let named = |rule: &&&str| {
            printed.contains(&format!("no gate counts every error of rule `{rule}`; add `gate: {{ max: 0 }}` to it"))
        };
        rules.iter().filter(named).map(|rule| (*rule).to_owned()).collect::<Vec<_>>()
    };
    let all = ["changed-content", "broken-marker", "wrong-number"];
    let gates = |gates: &str| format!("gates:\n{gates}\n");
    assert_eq!(warned(RULES, ""), [""; 0], "without a gate every case must pass");
    assert_eq!(warned(RULES, &gates("  - { id: defects, metric: defect_rate, max: 0.05 }")), all[..2]);
    assert_eq!(warned(RULES, &gates("  - { id: correct, metric: citation_correctness, min: 0.9 }")), all[..2]);
    assert_eq!(warned(RULES, &gates("  - { id: integrity, metric: citation_integrity_rate, min: 0.9 }")), all[1..]);
    assert_eq!(warned(RULES, &gates("  - { id: cases, metric: case_pass_rate, min: 0.9 }")), [""; 0]);
    // A gate that only warns, sees one slice or one label, or lets small data pass protects nothing.
    for none in [
        "  - { id: a, metric: case_pass_rate, min: 0.9, severity: warning }",
        "  - { id: a, metric: case_pass_rate, slices: [{ slice: { language: de }, min: 0.9 }] }",
        "  - { id: a, metric: case_pass_rate, min: 0.9, min_samples: 30, on: { too_few: pass } }",
        "  - { id: a, metric: case_pass_rate, max_drop: 0.1 }",
        "  - { id: a, metric: contradiction_rate, max: 0.1 }",
        "  - { id: a, metric: unknown_citation_rate, max: 0 }",
    ] {
        assert_eq!(warned(RULES, &gates(none)), all, "{none}");
    }
    // Every language, that of cases without one among them.
    assert_eq!(warned(RULES, &gates("  - { id: a, metric: case_pass_rate, by: language, min: 0.9 }")), [""; 0]);
    // Missing data says nothing of a label.
    let missing = RULES.replace("check: numbers }", "check: numbers, on_missing: fail }");
    assert_eq!(warned(&missing, &gates("  - { id: defects, metric: defect_rate, max: 0.05 }")), all);
    let shipped = format!("{}/rules", env!("CARGO_MANIFEST_DIR"));
    let printed = folder(CASES, RULES, "").run(0, &["lint", "--rules", &shipped]);
    assert!(!printed.contains("no gate counts"), "{printed}");
}

#[test]
fn the_shipped_policy_fails_each_of_these_cases_and_passes_the_good_one() {
    let run = |cases: &str| folder(cases, RULES, "");
    run(&lines(&["good"]))
        .run(0, &["check", "cases.jsonl", "--rules", &format!("{}/rules", env!("CARGO_MANIFEST_DIR"))]);
    for id in ["hash", "marker", "number"] {
        let folder = run(&lines(&[id]));
        let rules = format!("{}/rules", env!("CARGO_MANIFEST_DIR"));
        folder.run(1, &["check", "cases.jsonl", "--rules", &rules]);
        assert_eq!(folder.manifest()["uncounted"]["cases"], 0, "{id}");
    }
}

/// Claims that no rule can decide: the passage says the same in other words, without a figure.
const UNDECIDED: &str = concat!(
    r#"{"case_id":"a","answer":"Refunds go back to the card [ev_1].","sources":[{"evidence_id":"ev_1","content":"Money is returned to the card that paid."}],"expected":{"c1":"contradicted"}}"#,
    "\n",
    r#"{"case_id":"b","answer":"Exports run every night [ev_1].","sources":[{"evidence_id":"ev_1","content":"An export is made nightly."}]}"#,
    "\n",
);

#[test]
fn labels_that_nobody_decided_are_no_result() {
    let gates = "gates:
  - { id: defects, metric: defect_rate, max: 0.05 }
  - { id: silent, metric: contradiction_rate, max: 0.05, on: { no_data: pass } }
  - { id: correct, metric: citation_correctness, min: 0.9, on: { no_data: pass } }
  - { id: undecided, metric: undecided_rate, max: 0.5, on: { no_data: pass } }
  - { id: recall, metric: defect_recall, min: 0.5 }
  - { id: coverage, metric: claim_coverage, min: 1 }
";
    let folder = folder(UNDECIDED, RULES, gates);
    let printed = folder.run(1, &["check", "cases.jsonl", "--rules", "rules", "--baseline", "none"]);
    assert!(printed.contains("defects: defect rate has no data: none of 2 claims was decided by anyone"), "{printed}");
    assert!(printed.contains("2 cited claims: 0 decided, 2 undecided"), "{printed}");
    let run = folder.manifest();
    let came = |id: &str| {
        let gate = gate(&run, id);
        assert_eq!((&gate["verdict"], &gate["value"]), (&"no_data".into(), &Value::Null), "{id}");
        gate["effect"].as_str().expect("an effect").to_owned()
    };
    assert_eq!((came("defects").as_str(), came("silent").as_str()), ("fail", "pass"));
    // A bound that the value misses is not met by having no data.
    assert_eq!(
        (came("correct").as_str(), came("undecided").as_str(), came("recall").as_str()),
        ("fail", "fail", "fail")
    );
    assert_eq!(gate(&run, "coverage")["verdict"], "pass");
}

#[test]
fn an_unresolved_citation_and_a_reviewer_decide() {
    let unresolved = UNDECIDED.replace("night [ev_1]", "night [ev_9]");
    let gates = "gates:\n  - { id: defects, metric: defect_rate, max: 0.5 }\n";
    let folder = folder(&unresolved, RULES, gates);
    folder.run(0, &["check", "cases.jsonl", "--rules", "rules", "--baseline", "none"]);
    let run = folder.manifest();
    assert_eq!((&gate(&run, "defects")["verdict"], &gate(&run, "defects")["numerator"]), (&"pass".into(), &1.into()));
}

#[test]
fn a_slice_with_too_few_claims_reacts_as_too_few_and_one_where_nobody_decided_has_no_data() {
    let cases = lines(&["good"]) + &UNDECIDED.replace(r#","sources""#, r#","language":"de","sources""#);
    let gates = "gates:
  - { id: few, metric: defect_rate, by: language, max: 0.1, min_samples: 3, on: { too_few: pass } }
  - { id: any, metric: defect_rate, by: language, max: 0.1 }
";
    let folder = folder(&cases, RULES, gates);
    folder.run(1, &["check", "cases.jsonl", "--rules", "rules", "--baseline", "none"]);
    let run = folder.manifest();
    let of = |id: &str, language: &str| {
        let gates = run["gates"].as_array().expect("gates").iter();
        let mut found = gates.filter(|gate| gate["gate"] == id && gate["slice"]["language"] == language);
        let gate = found.next().unwrap_or_else(|| panic!("{id} {language}"));
        (
            gate["verdict"].as_str().expect("a verdict").to_owned(),
            gate["effect"].as_str().expect("an effect").to_owned(),
        )
    };
    let pair = |verdict: &str, effect: &str| (verdict.to_owned(), effect.to_owned());
    assert_eq!(of("few", "de"), pair("inconclusive", "pass"));
    assert_eq!(of("any", "de"), pair("no_data", "fail"));
    assert_eq!(of("any", "unknown"), pair("pass", "pass"));
}

#[test]
fn a_gate_of_severity_note_that_misses_its_bound_is_said_to_miss_it() {
    let gates = "gates:
  - { id: coverage, metric: claim_coverage, min: 0.5 }
  - { id: defects, metric: defect_rate, max: 0.1, severity: note }
";
    let folder = folder(CASES, RULES, gates);
    let printed = folder.run(0, &["check", "cases.jsonl", "--rules", "rules", "--baseline", "none"]);
    assert!(printed.contains("1 of 2 gates pass, 1 missed its bound"), "{printed}");
    assert!(printed.contains("· defects: defect rate is 25 % (1 of 4), at most 10 % allowed"), "{printed}");
    assert!(!printed.contains("too little to judge"), "{printed}");
}

#[test]
fn a_pass_prints_what_was_decided_and_found() {
    let folder = folder(&lines(&["good"]), RULES, "");
    let printed = folder.run(0, &["check", "cases.jsonl", "--rules", "rules", "--baseline", "none"]);
    assert!(printed.contains("1 cited claim: 1 decided (1 supported), 0 undecided"), "{printed}");
    assert!(printed.contains("findings: 0 errors, 0 warnings, 0 notes; no case failed"), "{printed}");
}

#[test]
fn a_finding_on_a_claim_that_carries_no_label_is_not_counted_by_a_rate_over_labels() {
    let case = r#"{"case_id":"a","answer":"Logs are kept for 60 days [ev_1]. Exports run for 5 hours [ev_2].","claims":[{"claim_id":"c1","text":"Logs are kept for 60 days.","citation_ids":["ev_1"],"is_verifiable":false},{"claim_id":"c2","text":"Exports run for 5 hours.","citation_ids":["ev_2"]}],"sources":[{"evidence_id":"ev_1","content":"Audit logs are kept for 30 days."},{"evidence_id":"ev_2","content":"Exports run for 5 hours."}]}"#;
    let gates = "gates:\n  - { id: defects, metric: defect_rate, max: 0.05 }\n";
    let folder = folder(&format!("{case}\n"), RULES, gates);
    let ended = std::process::Command::new(env!("CARGO_BIN_EXE_citeward"))
        .current_dir(folder.path())
        .args(["check", "cases.jsonl", "--rules", "rules", "--baseline", "none"])
        .output()
        .expect("the program starts");
    let run = folder.manifest();
    // Either the claim is judged like any other and the gate fails, or the run says that nothing counts its error.
    let counted = ended.status.code() == Some(1) && gate(&run, "defects")["numerator"] == 1;
    assert!(counted || run["uncounted"]["rules"]["wrong-number"] == 1, "{run}");
}
