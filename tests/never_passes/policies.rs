//! Policies that were weakened in silence.

use crate::folder::Folder;

/// A case whose claim is not what it cites says: 45 days for 30.
const WRONG: &str = r#"{"case_id":"w","language":"en","answer":"Invoices are kept for 45 days [k1].","sources":[{"id":"k1","content":"Invoices are kept for 30 days."}]}
"#;

/// The same, right.
const RIGHT: &str = r#"{"case_id":"r","language":"en","answer":"Invoices are kept for 30 days [k1].","sources":[{"id":"k1","content":"Invoices are kept for 30 days."}]}
"#;

const MARKERS: &str = "version: 1\nmarkers: [{ id: m, pattern: '\\[(?<ref>\\w+)\\]' }]\n";
const NUMBERS: &str = "version: 1\nrules: [{ id: numbers, check: numbers }]\n";
const RESOLVES: &str = "version: 1\nrules: [{ id: unknown, check: resolves }]\n";
const GATES: &str = "version: 1\ngates: [{ id: all, metric: case_pass_rate, min: 1 }]\n";

/// A folder with a wrong case and a policy whose support rule stands in a file of this name.
fn policy_in(file: &str) -> Folder {
    let folder = Folder::with(&[
        ("cases.jsonl", WRONG),
        ("rules/a.yaml", MARKERS),
        ("rules/b.yaml", RESOLVES),
        ("rules/z.yaml", GATES),
    ]);
    folder.write(&format!("rules/{file}"), NUMBERS);
    folder
}

#[test]
fn a_rule_file_is_read_in_whatever_case_its_ending_is_written() {
    for name in ["numbers.yaml", "numbers.YAML", "numbers.Yml", "support/numbers.YML"] {
        let folder = policy_in(name);
        folder.run(1, &["check", "cases.jsonl"]);
        assert_eq!(folder.manifest()["rules"]["numbers"]["fail"], 1, "{name}");
    }
}

#[test]
fn a_rule_file_that_its_name_switches_off_is_an_error() {
    for name in [
        "numbers.yaml~",
        "numbers.yaml.txt",
        "numbers.yml.bak",
        "numbers.YAML.orig",
        "numbers.yaml.disabled",
        "numbers.yam",
        "numbers.txt",
        "numbers",
        ".numbers.yaml",
        ".off/numbers.yaml",
    ] {
        let folder = policy_in(name);
        let said = folder.run(2, &["check", "cases.jsonl"]);
        assert!(said.contains("error[unread-file]") && said.contains(name), "{name}: {said}");
        assert!(folder.run(1, &["lint"]).contains("error[unread-file]"), "{name}");
    }
    let folder = policy_in("numbers.yaml");
    folder.write("rules/policy.json", r#"{"version": 1, "rules": [{"id": "x", "check": "resolves"}]}"#);
    assert!(folder.run(2, &["check", "cases.jsonl"]).contains("rules/policy.json: error[unread-file]"));
}

#[test]
fn what_is_plainly_no_rule_file_may_lie_beside_them() {
    let folder = policy_in("numbers.yaml");
    folder.write("cases.jsonl", RIGHT);
    folder.write("rules/README.md", "# Our rules\n\nversion: see the tag\n");
    folder.write("rules/policy.schema.json", r#"{"properties": {"version": {}, "rules": {}}}"#);
    folder.write("rules/.yamllint", "extends: default\n");
    folder.write("rules/.github/workflows/lint.yml", "name: lint\non: push\n");
    folder.write("rules/.numbers.yaml.swp", "b0VIM");
    folder.run(0, &["check", "cases.jsonl"]);
    assert_eq!(folder.manifest()["rules"]["numbers"]["pass"], 1);
}

#[test]
fn the_built_in_policy_never_stands_in_for_rules_that_cannot_be_read() {
    let folder = Folder::with(&[("cases.jsonl", RIGHT), ("rules", "version: 1\n")]);
    assert!(folder.run(2, &["check", "cases.jsonl"]).contains("this is a file, and rules are a folder of files"));
    let folder = Folder::with(&[
        ("cases.jsonl", RIGHT),
        ("rules/lexicons/xx.yaml", "version: 1\nlexicons: { xx: { stop_words: [zu] } }\n"),
    ]);
    assert!(folder.run(2, &["check", "cases.jsonl"]).contains("the policy has no rule"));
}

#[test]
fn data_files_are_read_in_any_letter_case_and_as_ndjson() {
    for name in ["b.jsonl", "b.JSONL", "b.ndjson", "b.NDJSON"] {
        let folder = Folder::with(&[("datasets/mail/1.0.0/a.jsonl", RIGHT), ("rules/a.yaml", MARKERS)]);
        folder.write("rules/b.yaml", NUMBERS);
        folder.write(&format!("datasets/mail/1.0.0/{name}"), WRONG);
        folder.run(1, &["check"]);
        assert_eq!(folder.manifest()["counts"]["cases"], 2, "{name}");
    }
}

#[test]
fn a_data_file_that_nobody_would_read_is_an_error() {
    for path in [
        "mail/1.0.0/b.jsonl~",
        "mail/1.0.0/b.jsonl.gz",
        "mail/1.0.0/b.jsonl.bak",
        "mail/1.0.0/b.json",
        "mail/1.0.0/b.jsnl",
        "mail/1.0.0/b.txt",
        "mail/1.0.0/.b.jsonl",
        "mail/1.0.0/more/b.jsonl",
        "mail/b.jsonl",
        "other/b.jsonl",
        "team/other/1.0.0/b.jsonl",
        "b.jsonl",
    ] {
        let folder = Folder::with(&[("datasets/mail/1.0.0/a.jsonl", RIGHT), ("rules/a.yaml", RESOLVES)]);
        folder.write(&format!("datasets/{path}"), WRONG);
        let said = folder.run(2, &["check"]);
        assert!(said.contains(&format!("datasets/{path}: error[unread-file]")), "{path}: {said}");
    }
}

#[test]
fn answers_and_notes_may_lie_beside_the_cases() {
    let folder = Folder::with(&[
        ("datasets/mail/1.0.0/a.jsonl", RIGHT),
        ("datasets/mail/1.0.0/README.md", "{ not: json }\n"),
        ("datasets/mail/answers/next.jsonl", WRONG),
        ("datasets/README.md", "# Data\n"),
    ]);
    folder.run(0, &["check"]);
    assert_eq!(folder.manifest()["counts"]["cases"], 1);
}

#[test]
fn an_older_version_never_stands_in_for_a_newer_one_that_cannot_be_read() {
    for newer in ["2.0.0/.keep", "v2.0.0/a.jsonl", "2.0.0.zip", "2.0.0.tar.gz"] {
        let folder = Folder::with(&[
            ("datasets/mail/1.0.0/a.jsonl", RIGHT),
            ("rules/a.yaml", MARKERS),
            ("rules/b.yaml", RESOLVES),
        ]);
        folder.write(&format!("datasets/mail/{newer}"), WRONG);
        let said = folder.run(2, &["check", "mail"]);
        assert!(said.contains("2.0.0"), "{newer}: {said}");
        // Whoever names the older one means it.
        folder.run(0, &["check", "mail@1.0.0"]);
    }
}

/// Rules of which one is switched off by a value that no case has.
fn switched_off(when: &str) -> Folder {
    let folder = policy_in("numbers.yaml");
    folder.write(
        "rules/numbers.yaml",
        &format!("version: 1\nrules:\n  - id: numbers\n    when: {when}\n    check: numbers\n"),
    );
    folder.write("rules/slices.yaml", "version: 1\nslices:\n  - { id: language, field: language }\n");
    folder
}

#[test]
fn a_condition_that_names_a_value_of_no_case_is_said_with_the_values_that_are_there() {
    for when in ["{ slice: { language: eng } }", "{ language: eng }"] {
        let folder = switched_off(when);
        let said = folder.run(0, &["check", "cases.jsonl"]);
        let expected =
            "No case has `language: eng` (rule numbers never applied); values seen: en (1); did you mean `en`?";
        assert!(said.contains(expected), "{said}");
        assert_eq!(folder.manifest()["warnings"][0], expected);
        let report = std::fs::read_to_string(folder.path().join("citeward-out/report.md")).expect("a report");
        assert!(report.contains("did you mean"), "{report}");
        let said = folder.run(0, &["lint", "--against", "cases.jsonl"]);
        assert!(said.contains("No case has `language: eng`"), "{said}");
    }
    let folder = switched_off("{ slice: { language: en } }");
    folder.run(1, &["check", "cases.jsonl"]);
    assert!(!folder.manifest()["warnings"].to_string().contains("No case has"));
}

#[test]
fn a_condition_that_never_held_is_said_with_the_gate_that_rests_on_it() {
    let folder = switched_off("{ claim: '(?i)refund' }");
    folder.write(
        "rules/gates.yaml",
        "version: 1\ngates: [{ id: right-numbers, metric: rule.numbers, min: 1, on: { no_data: warn } }]\n",
    );
    let said = folder.run(0, &["check", "cases.jsonl"]);
    assert!(
        said.contains("Rule numbers (gate right-numbers rests on it) never applied: the `when` held nowhere."),
        "{said}"
    );
}

#[test]
fn a_gate_on_a_slice_that_no_case_is_in_is_said() {
    let folder = switched_off("{ language: en }");
    folder.write("cases.jsonl", RIGHT);
    folder.write(
        "rules/gates.yaml",
        "version: 1\ngates:\n  - id: german\n    metric: defect_rate\n    max: 5%\n    on: { no_data: pass }\n    slices: [{ slice: { language: DE } }]\n",
    );
    let said = folder.run(0, &["check", "cases.jsonl"]);
    assert!(said.contains("No case has `language: DE` (gate german); values seen: en (1)."), "{said}");
}

#[test]
fn the_shipped_policy_is_quiet_about_what_ordinary_data_does_not_have() {
    let folder = Folder::with(&[("cases.jsonl", RIGHT)]);
    folder.run(0, &["check", "cases.jsonl"]);
    let warnings = folder.manifest()["warnings"].to_string();
    assert!(!warnings.contains("never applied") && !warnings.contains("No case has"), "{warnings}");
}

/// What `lint` says of a policy with this gate, which it refuses.
fn refused(gate: &str) -> String {
    let folder = Folder::with(&[("rules/a.yaml", RESOLVES)]);
    folder.write(
        "rules/gates.yaml",
        &format!("version: 1\nslices: [{{ id: language, field: language }}]\ngates:\n  - {gate}\n"),
    );
    assert!(!folder.run(2, &["check", "-"]).is_empty());
    folder.run(1, &["lint"])
}

#[test]
fn a_bound_on_the_side_on_which_the_metric_is_good_is_an_error_with_the_right_form() {
    for (gate, place, right) in [
        ("{ id: g, metric: defect_rate, min: 0.05 }", "4:40", "write `max: 0.05`"),
        ("{ id: g, metric: defect_rate, min: 95% }", "4:40", "write `max: 0.05`"),
        ("{ id: g, metric: claim_coverage, max: 0.95 }", "4:43", "write `min: 0.95`"),
        ("{ id: g, metric: rule.unknown, max: 0.02 }", "4:41", "write `min: 0.98`"),
        ("{ id: g, metric: claim_coverage, min: 0.9, max: 0.99 }", "4:53", "delete it: `min` is given too"),
        (
            "{ id: g, metric: defect_rate, max: 0.1, slices: [{ slice: { language: de }, min: 0.2 }] }",
            "4:86",
            "write `max: 0.2`",
        ),
    ] {
        let said = refused(gate);
        assert!(said.contains(&format!("rules/gates.yaml:{place}: error[wrong-direction]")), "{said}");
        assert!(said.contains(right), "{said}");
        assert_eq!(said.matches("error[").count(), 1, "{said}");
    }
    let folder = Folder::with(&[("rules/a.yaml", RESOLVES)]);
    folder.write(
        "rules/gates.yaml",
        "version: 1\ngates:\n  - { id: a, metric: refusal_rate, min: 1%, max: 20% }\n  - { id: b, metric: citations_per_claim, min: 0.5, max: 3 }\n",
    );
    folder.run(0, &["lint"]);
}

#[test]
fn a_bound_that_every_release_meets_is_an_error() {
    for gate in [
        "{ id: g, metric: defect_rate, max: 100% }",
        "{ id: g, metric: claim_coverage, min: 0% }",
        "{ id: g, metric: claim_coverage, max_drop: 100% }",
        "{ id: g, metric: claim_coverage, min: 0.9, max_broken: 1 }",
    ] {
        assert!(refused(gate).contains("error[bad-bound]"), "{gate}");
    }
}

#[test]
fn a_ratio_may_be_a_percentage_and_is_compared_exactly() {
    // 19 of 20 is 95 %: met exactly; one half of a tenth more is not.
    let cases: String = (0..20)
        .map(|case| {
            let days = if case == 0 { 45 } else { 30 };
            WRONG.replace(r#""w""#, &format!("\"c{case}\"")).replace("45", &days.to_string())
        })
        .collect();
    for (bound, code) in [("95%", 0), ("'95 %'", 0), ("95.05%", 1), ("0.95", 0)] {
        let folder = policy_in("numbers.yaml");
        folder.write("cases.jsonl", &cases);
        folder.write(
            "rules/z.yaml",
            &format!("version: 1\ngates: [{{ id: all, metric: case_pass_rate, min: {bound} }}]\n"),
        );
        folder.run(code, &["check", "cases.jsonl"]);
    }
    let folder = policy_in("numbers.yaml");
    folder.write(
        "rules/c.yaml",
        "version: 1\nrules:\n  - { id: o, check: { overlap: { low: 20%, high: 50 % } } }\n  - { id: s, check: { citation-scores: { min_precision: 90% } } }\nreview: { sample_passes: 1% }\nbaseline: { max_changed_questions: 2.5% }\n",
    );
    folder.write(
        "rules/d.yaml",
        "version: 1\ngates: [{ id: d, metric: defect_rate, max: 5%, confidence: 95%, max_broken: 1% }, { id: e, metric: claim_coverage, max_drop: 1% }]\n",
    );
    folder.run(0, &["lint"]);
}

#[test]
fn a_decimal_comma_and_a_share_for_a_count_are_errors_with_the_right_form() {
    let comma = refused("id: g\n    metric: defect_rate\n    max: 0,05");
    assert!(comma.contains("help: write a decimal point: 0.05"), "{comma}");
    let comma = refused("{ id: g, metric: defect_rate, max: 0,05 }");
    assert!(comma.contains("help: a decimal comma makes two entries of it: write 0.05"), "{comma}");
    let count = refused("{ id: g, metric: defect_rate, max: 5%, min_samples: 10% }");
    assert!(count.contains("this is a count, not a share: write a whole number, such as 10"), "{count}");
    let count = refused("{ id: g, metric: citations_per_claim, max: 150% }");
    assert!(count.contains("`max` is a count here"), "{count}");
    let large = refused("{ id: g, metric: defect_rate, max: 500% }");
    assert!(large.contains("error[bad-ratio]"), "{large}");
}

#[test]
fn an_unknown_metric_is_answered_with_those_that_measure_its_subject() {
    let said = refused("{ id: g, metric: hallucination_rate, max: 0.05 }");
    assert!(said.contains("help: citeward measures this as `defect_rate` or `citation_correctness`"), "{said}");
    let said = refused("{ id: g, metric: defcet_rate, max: 0.05 }");
    assert!(said.contains("help: did you mean `defect_rate`?"), "{said}");
}

#[test]
fn an_error_of_syntax_shows_the_right_form() {
    for (written, place, right) in [
        ("message: Note: this fails", "5:18", "'Note: this fails'"),
        ("message: {{ missing }} is", "5:28", "'{{ missing }} is'"),
        (r#"when: { claim: "\d+ days" }"#, "5:20", r"'\d+ days'"),
        (r#"when: { claim: "\bdays" }"#, "5:20", r"'\bdays'"),
        ("when: { claim: [a-z]+ }", "5:25", "'[a-z]+'"),
        ("when: { claim: @home }", "5:20", "'@home'"),
        ("when: { claim: %x }", "5:20", "'%x'"),
        ("when: { claim: `x` }", "5:20", "'`x`'"),
        ("when: { claim: *x }", "5:20", "'*x'"),
        ("when: { claim: !x y }", "5:", "'!x y'"),
        ("when:\n      claim: &x y", "6:14", "'&x y'"),
        ("when:\n\tclaim: x", "6:1", "indent with spaces"),
        ("when:\n      claim: |\n        refund", "7:9", "begin the block with `|-`"),
        ("final: yes", "5:12", "did you mean `true`?"),
    ] {
        let folder = Folder::with(&[(
            "rules/a.yaml",
            &format!("version: 1\nrules:\n  - id: a\n    check: numbers\n    {written}\n"),
        )]);
        let said = folder.run(1, &["lint"]);
        assert!(said.contains(&format!("rules/a.yaml:{place}")), "{written}: {said}");
        assert!(said.lines().any(|line| line.contains("help: ") && line.contains(right)), "{written}: {said}");
    }
}

#[test]
fn a_policy_that_no_release_can_fail_is_said() {
    let folder = policy_in("numbers.yaml");
    folder.write("rules/z.yaml", "version: 1\ngates: [{ id: all, metric: case_pass_rate, min: 1, severity: note }]\n");
    for words in [&["lint"][..], &["check", "cases.jsonl"]] {
        assert!(folder.run(0, words).contains("No gate can fail the run"));
    }
    let folder = Folder::with(&[("cases.jsonl", WRONG), ("rules/a.yaml", MARKERS)]);
    folder.write("rules/b.yaml", "version: 1\nrules: [{ id: numbers, mode: observe, check: numbers }]\n");
    assert!(folder.run(0, &["lint"]).contains("No rule counts: every rule has `mode: observe`"));
    let folder = policy_in("numbers.yaml");
    folder.write("cases.jsonl", RIGHT);
    folder.write(
        "rules/scopes.yaml",
        "version: 1\ngates: [{ id: scopes, metric: unauthorized_citation_rate, max: 0, on: { no_data: pass } }]\n",
    );
    let said = folder.run(0, &["check", "cases.jsonl"]);
    assert!(said.contains("1 had no data (optional)"), "{said}");
}

#[test]
fn a_pattern_that_matches_every_text_is_an_error() {
    for pattern in [".", ".*", "(?s).", r"\w", "(?i)[a-z]+", "^", r"\S+ \S+"] {
        let folder = Folder::with(&[("rules/a.yaml", RESOLVES)]);
        folder.write(
            "rules/c.yaml",
            &format!("version: 1\nclaims: {{ needs_citation: {{ never: [{{ id: n, pattern: '{pattern}' }}] }} }}\n"),
        );
        assert!(folder.run(1, &["lint"]).contains("the pattern matches every text"), "{pattern}");
    }
    for pattern in [".+", r"\S", r"[\w\W]", r"\S+"] {
        let folder = Folder::with(&[("rules/a.yaml", RESOLVES)]);
        folder.write("rules/c.yaml", &format!("version: 1\nmarkers: [{{ id: e, exclude: '{pattern}' }}]\n"));
        assert!(folder.run(1, &["lint"]).contains("the pattern matches every text"), "{pattern}");
    }
    // Short sentences, or code: something is picked out.
    let folder = Folder::with(&[("rules/a.yaml", RESOLVES)]);
    folder.write("rules/c.yaml", "version: 1\nclaims: { needs_citation: { never: [{ id: n, pattern: '^\\S+( \\S+){0,3}$' }] } }\nmarkers: [{ id: e, exclude: '`[^`]+`' }]\n");
    folder.run(0, &["lint"]);
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder with a right case and something that must stay unread.
    fn with_secret() -> (Folder, tempfile::TempDir) {
        let elsewhere = tempfile::tempdir().expect("a folder");
        std::fs::write(elsewhere.path().join("report.md"), "the word is tangerine\n").expect("written");
        (Folder::with(&[("cases.jsonl", RIGHT)]), elsewhere)
    }

    #[test]
    fn a_template_that_a_link_leads_out_of_its_folder_to_is_refused() {
        let (folder, elsewhere) = with_secret();
        folder.write("templates/notes.txt", "ours\n");
        let template = folder.path().join("templates/report.md");
        for target in [elsewhere.path().join("report.md"), "/dev/zero".into(), "../cases.jsonl".into()] {
            symlink(&target, &template).expect("linked");
            let said = folder.run(2, &["check", "cases.jsonl"]);
            assert!(
                said.contains(
                    "templates/report.md: error[unreadable]: a link that leads out of the folder of templates"
                ),
                "{said}"
            );
            assert!(!said.contains("tangerine") && !folder.path().join("citeward-out").exists());
            std::fs::remove_file(&template).expect("removed");
        }
        symlink("nowhere.md", &template).expect("linked");
        assert!(folder.run(2, &["check", "cases.jsonl"]).contains("cannot be read: it does not exist"));
        std::fs::remove_dir_all(folder.path().join("templates")).expect("removed");
        symlink(elsewhere.path(), folder.path().join("templates")).expect("linked");
        assert!(folder.run(2, &["check", "cases.jsonl"]).contains("a link that leads out of this folder"));
    }

    #[test]
    fn a_template_is_a_regular_file_of_a_bounded_size() {
        let (folder, _elsewhere) = with_secret();
        folder.write("templates/report.md/x", "a folder\n");
        assert!(folder.run(2, &["check", "cases.jsonl"]).contains("this is not a regular file"));
        std::fs::remove_dir_all(folder.path().join("templates")).expect("removed");
        folder.write("templates/notes.txt", "ours\n");
        let made = std::process::Command::new("mkfifo").arg(folder.path().join("templates/report.html")).status();
        assert!(made.expect("mkfifo runs").success());
        assert!(folder.run(2, &["check", "cases.jsonl"]).contains("this is not a regular file"));
        std::fs::remove_dir_all(folder.path().join("templates")).expect("removed");
        folder.write("templates/report.md", &"x".repeat((1 << 20) + 1));
        assert!(folder.run(2, &["check", "cases.jsonl"]).contains("error[too-large]"));
        folder.write("templates/report.md", "{{ verdict.word }}\n");
        folder.run(0, &["check", "cases.jsonl"]);
        std::fs::rename(folder.path().join("templates/report.md"), folder.path().join("templates/Report.MD"))
            .expect("renamed");
        assert!(folder.run(2, &["check", "cases.jsonl"]).contains("error[unread-file]"));
    }

    #[test]
    fn a_link_inside_of_the_folder_of_templates_is_followed() {
        let (folder, _elsewhere) = with_secret();
        folder.write("templates/shared.md", "verdict: {{ verdict.word }}\n");
        symlink("shared.md", folder.path().join("templates/report.md")).expect("linked");
        folder.run(0, &["check", "cases.jsonl"]);
        let report = std::fs::read_to_string(folder.path().join("citeward-out/report.md")).expect("a report");
        assert_eq!(report, "verdict: PASS\n");
    }
}

#[test]
fn a_file_that_looks_like_the_decisions_is_an_error() {
    let folder = Folder::with(&[("cases.jsonl", RIGHT), ("decisions.ndjson", "")]);
    let said = folder.run(2, &["check", "cases.jsonl"]);
    assert!(said.contains("decisions.ndjson: error[unread-file]"), "{said}");
}
