//! Releases held against a baseline, through the program: what a gate on a drop must see while the overall number stands
//! still, what it must let pass, and that nothing passes because something was missing.

#[path = "cli/program.rs"]
mod program;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use program::exits;

/// Cases of each language, and claims of each case.
const CASES: usize = 30;
const CLAIMS: usize = 4;

const POLICY: &str = r"version: 1
markers:
  - { id: numbered, pattern: '\[(?<refs>S\d+)\]' }
rules:
  - { id: unknown-source, check: resolves }
  - { id: numbers, check: numbers }
  - { id: facts, check: facts-found, establishes: supported, severity: note }
slices:
  - { id: language, field: language }
gates:
  - id: no-language-regresses
    metric: citation_correctness
    by: language
    max_drop: 0.01
    confidence: 0.95
";

/// Which claims of a release are wrong: (language, case, claim).
type Wrong = Vec<(&'static str, usize, usize)>;

/// One case: each claim names a limit, the cited passage names it too, and a wrong claim says one more.
fn case(language: &'static str, number: usize, wrong: &Wrong) -> Value {
    let limit = |claim: usize| 100 + number * CLAIMS + claim;
    let sentence = |claim: usize, limit: usize| match language {
        "de" => format!("Das Limit von Tarif {} beträgt {limit} Anfragen pro Minute", letter(claim)),
        _ => format!("The limit of plan {} is {limit} requests per minute", letter(claim)),
    };
    let said = |claim: usize| limit(claim) + usize::from(wrong.contains(&(language, number, claim)));
    let answer: Vec<String> =
        (0..CLAIMS).map(|claim| format!("{} [S{}].", sentence(claim, said(claim)), claim + 1)).collect();
    let sources: Vec<Value> = (0..CLAIMS)
        .map(|claim| json!({"id": format!("S{}", claim + 1), "content": format!("{}.", sentence(claim, limit(claim)))}))
        .collect();
    json!({
        "case_id": format!("{language}-{number:02}"),
        "query": format!("Which limits? {number}"),
        "language": language,
        "answer": answer.join(" "),
        "sources": sources,
    })
}

fn letter(claim: usize) -> char {
    char::from(b'A' + u8::try_from(claim).expect("few claims"))
}

fn release(folder: &Path, wrong: &Wrong, keep: impl Fn(&Value) -> bool) {
    let cases = ["de", "en"].iter().flat_map(|language| (0..CASES).map(move |number| (*language, number)));
    let lines: Vec<String> = cases
        .map(|(language, number)| case(language, number, wrong))
        .filter(keep)
        .map(|case| case.to_string() + "\n")
        .collect();
    fs::write(folder.join("release.jsonl"), lines.concat()).expect("written");
}

/// The first claim of these cases.
fn first_claims(language: &'static str, cases: std::ops::Range<usize>) -> Wrong {
    cases.map(|number| (language, number, 0)).collect()
}

/// 12 of 120 claims are wrong in each language.
fn before() -> Wrong {
    [first_claims("de", 0..12), first_claims("en", 0..12)].concat()
}

/// A folder with the policy and a blessed release.
fn blessed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("rules")).expect("made");
    fs::write(folder.path().join("rules/policy.yaml"), POLICY).expect("written");
    release(folder.path(), &before(), |_| true);
    // The gate has nothing to compare with yet, and says so.
    let first = check(folder.path(), 1);
    assert!(first.contains("there is no baselines/release.json"), "{first}");
    exits(0, folder.path(), &["bless", "citeward-out"]);
    folder
}

fn check(folder: &Path, code: i32) -> String {
    exits(code, folder, &["check", "release.jsonl"])
}

fn gates(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("citeward-out/run.json")).expect("a manifest");
    let run: Value = serde_json::from_str(&text).expect("JSON");
    run["gates"].as_array().expect("gates").clone()
}

fn gate(folder: &Path, language: &str) -> Value {
    let found = gates(folder).into_iter().find(|gate| gate["slice"]["language"] == language);
    found.expect("the gate judges this language")
}

#[test]
fn the_same_release_passes() {
    let folder = blessed();
    let text = check(folder.path(), 0);
    assert!(text.starts_with("PASS"), "{text}");
    assert_eq!(gate(folder.path(), "de")["verdict"], "pass");
    assert_eq!(gate(folder.path(), "de")["comparisons"][0]["counts"], json!([108, 120, 108, 120]));
}

#[test]
fn a_drop_in_one_language_fails_while_the_overall_number_stands_still() {
    let folder = blessed();
    // Ten more German claims are wrong (−8.3 points), ten English ones right that were wrong: 216 of 240 as before.
    let wrong = [first_claims("de", 0..22), first_claims("en", 0..2)].concat();
    release(folder.path(), &wrong, |_| true);
    let text = check(folder.path(), 1);
    let german = gate(folder.path(), "de");
    assert_eq!((&german["verdict"], &german["cause"]), (&json!("fail"), &json!("bound")));
    assert_eq!(german["comparisons"][0]["counts"], json!([108, 120, 98, 120]));
    // All ten cases that changed got worse: 2⁻¹⁰, twice for two languages (Holm).
    let p = german["p"].as_f64().expect("a p");
    assert!((p - 2.0 / 1024.0).abs() < 1e-12, "{p}");
    assert_eq!(gate(folder.path(), "en")["verdict"], "pass");
    assert!(text.contains("language=de fell") && text.contains("8.3 points worse, at most 1 point allowed"), "{text}");
    for number in 12..22 {
        assert!(text.contains(&format!("de-{number}#")), "de-{number} is named: {text}");
    }
    assert!(text.contains("10 claims came out worse, 10 better"), "{text}");
}

#[test]
fn noise_alone_passes() {
    let folder = blessed();
    // In each language six other claims are wrong instead of six that were.
    let wrong = [first_claims("de", 6..18), first_claims("en", 6..18)].concat();
    release(folder.path(), &wrong, |_| true);
    check(folder.path(), 0);
    assert_eq!(gate(folder.path(), "de")["verdict"], "inconclusive");
    assert_eq!(gate(folder.path(), "de")["effect"], "warn");
}

#[test]
fn dropping_the_hard_cases_fails() {
    let folder = blessed();
    // Every case with a wrong claim is left out: every number is better than before.
    let hard = |case: &Value| case["case_id"].as_str().is_some_and(|id| id[3..].parse().is_ok_and(|n: usize| n < 12));
    release(folder.path(), &Wrong::new(), |case| !hard(case));
    let text = check(folder.path(), 1);
    assert_eq!(gate(folder.path(), "de")["cause"], "removed_cases");
    assert!(text.contains("12 of the baseline's 30 cases in language=de are gone from the run"), "{text}");
}

#[test]
fn a_slice_that_is_gone_fails() {
    let folder = blessed();
    release(folder.path(), &before(), |case| case["language"] == "en");
    let text = check(folder.path(), 1);
    assert_eq!(gate(folder.path(), "de")["cause"], "missing_slice");
    assert!(text.contains("language=de is gone: the baseline has 30 cases there, and the run has none"), "{text}");
}

#[test]
fn a_slice_under_another_name_is_gone_too() {
    let folder = blessed();
    release(folder.path(), &before(), |_| true);
    let path = folder.path().join("release.jsonl");
    let renamed = fs::read_to_string(&path).expect("read").replace("\"language\":\"de\"", "\"language\":\"nl\"");
    fs::write(&path, renamed).expect("written");
    check(folder.path(), 1);
    assert_eq!(gate(folder.path(), "de")["cause"], "missing_slice");
    assert_eq!(gate(folder.path(), "nl")["cause"], "new_slice");
}

#[test]
fn no_baseline_where_one_is_required_fails() {
    let folder = blessed();
    for source in [&["--baseline", "none"][..], &[]] {
        let text = exits(1, folder.path(), &[&["check", "release.jsonl"], source].concat());
        assert_eq!(gate(folder.path(), "de")["cause"], "missing_baseline", "{text}");
        fs::remove_dir_all(folder.path().join("baselines")).ok();
    }
}

#[test]
fn changed_questions_are_not_compared_and_too_many_fail() {
    let folder = blessed();
    let ask = |changed: usize| {
        release(folder.path(), &before(), |_| true);
        let path = folder.path().join("release.jsonl");
        let text = fs::read_to_string(&path).expect("read");
        let lines = text.lines().enumerate().map(|(at, line)| match at < changed {
            true => line.replace("Which limits?", "Which limits now?"),
            false => line.to_owned(),
        });
        fs::write(&path, lines.collect::<Vec<_>>().join("\n")).expect("written");
    };
    // One of the 30 German cases is 3.3 %, two are 6.7 %.
    ask(1);
    let text = check(folder.path(), 0);
    assert!(text.contains("1 case of the baseline asks something else now"), "{text}");
    ask(2);
    check(folder.path(), 1);
    assert_eq!(gate(folder.path(), "de")["cause"], "changed_questions");
}

#[test]
fn rules_that_judge_otherwise_are_no_measure_of_a_drop() {
    let folder = blessed();
    let path = folder.path().join("rules/policy.yaml");
    let stricter = POLICY.replace("check: numbers }", "check: numbers, severity: warning }");
    fs::write(&path, &stricter).expect("written");
    let text = check(folder.path(), 1);
    assert_eq!(gate(folder.path(), "de")["cause"], "mismatch", "{text}");
    fs::write(&path, format!("{stricter}baseline: {{ on_mismatch: warn }}\n")).expect("written");
    let text = check(folder.path(), 0);
    assert!(text.contains("was judged by other rules; compared all the same"), "{text}");
}

#[test]
fn every_named_baseline_must_hold() {
    let folder = blessed();
    let path = folder.path().join("rules/policy.yaml");
    fs::write(&path, format!("{POLICY}baseline: {{ against: [release, main] }}\n")).expect("written");
    check(folder.path(), 1);
    exits(0, folder.path(), &["bless", "citeward-out", "--as", "release"]);
    // `main` became better meanwhile; the candidate is as good as the release, and worse than main.
    release(folder.path(), &Wrong::new(), |_| true);
    check(folder.path(), 1);
    exits(0, folder.path(), &["bless", "citeward-out", "--as", "main"]);
    check(folder.path(), 0);
    release(folder.path(), &before(), |_| true);
    let text = check(folder.path(), 1);
    let german = gate(folder.path(), "de");
    let verdicts: Vec<&Value> = german["comparisons"].as_array().expect("two").iter().map(|c| &c["verdict"]).collect();
    assert_eq!(verdicts, ["pass", "fail"], "{text}");
    assert!(text.contains("against main"), "{text}");
}

#[test]
fn old_findings_fail_no_case_where_only_new_ones_count() {
    let folder = blessed();
    let path = folder.path().join("rules/policy.yaml");
    let policy = POLICY
        .replace("gates:\n", "baseline: { fail_on: new }\ngates:\n  - { id: cases, metric: case_pass_rate, min: 1 }\n");
    fs::write(&path, policy).expect("written");
    let text = check(folder.path(), 0);
    assert!(text.starts_with("PASS"), "{text}");
    // The thirteenth defect is new.
    release(folder.path(), &[before(), vec![("de", 20, 1)]].concat(), |_| true);
    let text = check(folder.path(), 1);
    assert!(text.contains("case pass rate is 98.3 % (59 of 60)"), "{text}");
    assert!(text.contains("24 errors are in the baseline already and fail no case"), "{text}");
    // In the report the new one comes first, and old ones are no example of it.
    let run = fs::read_to_string(folder.path().join("citeward-out/run.json")).expect("a manifest");
    let run: Value = serde_json::from_str(&run).expect("JSON");
    let first = &run["clusters"][0];
    assert_eq!((&first["rule"], &first["count"], first.get("known")), (&json!("numbers"), &json!(1), None), "{first}");
    let report = fs::read_to_string(folder.path().join("citeward-out/report.md")).expect("a report");
    let line = report.lines().find(|line| line.contains("❌ error")).expect("a cluster");
    assert!(line.contains("182 Anfragen"), "{line}");
    // Only the new one is annotated where somebody reviews the change.
    let text = exits(1, folder.path(), &["check", "release.jsonl", "--format", "github"]);
    let annotated: Vec<&str> =
        text.lines().filter(|line| line.starts_with("::warning") && line.contains("title=numbers")).collect();
    assert!(annotated.len() == 1 && annotated[0].contains("de-20#c2"), "{annotated:?}: {text}");
}

/// A comparison counts old findings on both sides: a language that loses cases does not gain its old ones in exchange.
#[test]
fn old_findings_hide_no_drop_where_only_new_ones_count() {
    let folder = blessed();
    let policy = POLICY
        .replace("gates:\n", "baseline: { fail_on: new }\ngates:\n")
        .replace("citation_correctness", "case_pass_rate");
    fs::write(folder.path().join("rules/policy.yaml"), policy).expect("written");
    // The blessed release itself: twelve old defects in each language are no change.
    let text = check(folder.path(), 0);
    assert!(!text.contains("better"), "{text}");
    assert_eq!(gate(folder.path(), "de")["comparisons"][0]["counts"], json!([18, 30, 18, 30]));
    // Ten more German cases are wrong, while the twelve old ones are excused.
    release(folder.path(), &[before(), first_claims("de", 12..22)].concat(), |_| true);
    let text = check(folder.path(), 1);
    assert!(text.contains("language=de fell from 60 % (18 of 30) to 26.7 % (8 of 30)"), "{text}");
    assert!(text.contains("10 cases came out worse, 0 better"), "{text}");
    exits(1, folder.path(), &["regate", "citeward-out"]);
}

/// GitHub shows ten annotations: the ones on what came out worse go before those on old defects.
#[test]
fn annotations_show_what_is_worse_than_in_the_baseline_first() {
    let folder = blessed();
    release(folder.path(), &[before(), first_claims("en", 12..22)].concat(), |_| true);
    let text = exits(1, folder.path(), &["check", "release.jsonl", "--format", "github"]);
    let findings: Vec<&str> = text.lines().filter(|line| line.contains("title=numbers")).collect();
    assert_eq!(findings.len(), 10, "{text}");
    for (number, line) in (12..22).zip(&findings) {
        assert!(line.contains(&format!("title=numbers%3A en-{number}#c1%2C worse than in the baseline::")), "{line}");
    }
}

#[test]
fn blessing_a_worse_run_asks_for_a_reason_and_keeps_it() {
    let folder = blessed();
    release(folder.path(), &[before(), vec![("de", 20, 1)]].concat(), |case| case["case_id"] != "en-29");
    check(folder.path(), 1);
    let text = exits(1, folder.path(), &["bless", "citeward-out"]);
    assert!(
        text.contains("citation correctness in language=de was 90 % (108 of 120), and is 89.2 % (107 of 120)"),
        "{text}"
    );
    assert!(text.contains("1 case of the baseline is not in the run: \"en-29\""), "{text}");
    exits(0, folder.path(), &["bless", "citeward-out", "--reason", "plan C is being renamed"]);
    let text = fs::read_to_string(folder.path().join("baselines/release.json")).expect("a baseline");
    let baseline: Value = serde_json::from_str(&text).expect("JSON");
    let blessings = baseline["identity"]["blessings"].as_array().expect("a list");
    assert_eq!(blessings.len(), 2);
    assert_eq!(blessings[1]["reason"], "plan C is being renamed");
    // Nothing of the data's texts is in it.
    assert!(!text.contains("requests per minute") && !text.contains("Anfragen"));
    // An edit by hand is refused.
    fs::write(folder.path().join("baselines/release.json"), text.replace("\"supported\"", "\"undecided\""))
        .expect("written");
    let text = exits(2, folder.path(), &["check", "release.jsonl"]);
    assert!(text.contains("changed after it was blessed"), "{text}");
}

#[test]
fn the_comparison_is_the_same_for_any_number_of_workers_and_any_order_of_cases() {
    let folder = blessed();
    let wrong = [first_claims("de", 0..22), first_claims("en", 0..2)].concat();
    release(folder.path(), &wrong, |_| true);
    let mut seen = Vec::new();
    for (jobs, reversed) in [("1", false), ("3", false), ("2", true)] {
        if reversed {
            let path = folder.path().join("release.jsonl");
            let text = fs::read_to_string(&path).expect("read");
            fs::write(&path, text.lines().rev().collect::<Vec<_>>().join("\n")).expect("written");
        }
        exits(1, folder.path(), &["check", "release.jsonl", "--jobs", jobs]);
        seen.push(gates(folder.path()));
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
}

#[test]
fn a_run_that_was_edited_is_not_judged_again() {
    let folder = blessed();
    check(folder.path(), 0);
    let commands: [&[&str]; 4] = [
        &["regate", "citeward-out"],
        &["diff", "baselines/release.json", "citeward-out"],
        &["impact", "--from", "rules", "--to", "rules", "--run", "citeward-out"],
        &["sweep", "citeward-out", "--gate", "no-language-regresses", "--from", "0", "--to", "0.1", "--step", "0.05"],
    ];
    for command in commands {
        exits(0, folder.path(), command);
    }
    let outline = folder.path().join("citeward-out/outline.jsonl");
    let text = fs::read_to_string(&outline).expect("an outline");
    fs::write(&outline, text.replace("contradicted", "supported")).expect("written");
    for command in commands {
        let text = exits(2, folder.path(), command);
        assert!(text.contains("outline.jsonl: error[broken-run]: the file was changed after the run"), "{text}");
    }
}

/// The policy with other gates.
fn with_gates(folder: &Path, gates: &str) {
    let (rules, _) = POLICY.split_once("gates:\n").expect("gates");
    fs::write(folder.join("rules/policy.yaml"), format!("{rules}{gates}")).expect("written");
}

/// A release whose cases are changed by `edit`.
fn edited(folder: &Path, edit: impl Fn(&mut Value)) {
    release(folder, &before(), |_| true);
    let path = folder.join("release.jsonl");
    let text = fs::read_to_string(&path).expect("read");
    let lines = text.lines().map(|line| {
        let mut case: Value = serde_json::from_str(line).expect("JSON");
        edit(&mut case);
        case.to_string() + "\n"
    });
    fs::write(&path, lines.collect::<String>()).expect("written");
}

/// Whether the case is one of its language's first `count`.
fn is_first(case: &Value, count: usize) -> bool {
    case["case_id"].as_str().is_some_and(|id| id[3..].parse::<usize>().is_ok_and(|number| number < count))
}

fn run_json(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("citeward-out/run.json")).expect("a manifest");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn refusing_what_was_wrong_before_is_no_pass() {
    let folder = blessed();
    with_gates(folder.path(), "gates:\n  - { id: hold, metric: citation_correctness, max_drop: 0 }\n");
    let refuse = |count: usize| {
        edited(folder.path(), |case| {
            if is_first(case, count) {
                case["answer"] = json!("I cannot answer that from the sources.");
                case["refused"] = json!(true);
            }
        });
    };
    // 2 of 60 cases have no value any more: within the 5 % that may go.
    refuse(1);
    check(folder.path(), 0);
    assert_eq!(gates(folder.path())[0]["verdict"], "pass");
    // All 24 that held a wrong claim: what is left is flawless, and nobody may take that for a release as good as before.
    refuse(12);
    let text = check(folder.path(), 1);
    assert_eq!(gates(folder.path())[0]["cause"], "emptied_cases");
    assert!(
        text.contains("24 of the 60 cases that counted here in the baseline have nothing to count any more"),
        "{text}"
    );
    with_gates(
        folder.path(),
        "gates:\n  - { id: hold, metric: citation_correctness, max_drop: 0, on: { removed_cases: warn } }\n",
    );
    check(folder.path(), 0);
}

#[test]
fn calling_what_is_refused_unanswerable_changes_the_question() {
    let folder = blessed();
    with_gates(folder.path(), "gates:\n  - { id: refusals, metric: false_refusal_rate, max_rise: 0 }\n");
    edited(folder.path(), |case| case["answerable"] = json!(true));
    check(folder.path(), 1);
    exits(0, folder.path(), &["bless", "citeward-out", "--reason", "says which questions can be answered"]);
    check(folder.path(), 0);
    edited(folder.path(), |case| {
        case["answerable"] = json!(!is_first(case, 12));
        if is_first(case, 12) {
            case["refused"] = json!(true);
        }
    });
    let text = check(folder.path(), 1);
    assert_eq!(gates(folder.path())[0]["cause"], "changed_questions", "{text}");
}

#[test]
fn added_cases_make_up_for_nothing_when_blessing() {
    let folder = blessed();
    let worse = [before(), vec![("de", 20, 1)]].concat();
    release(folder.path(), &worse, |_| true);
    let path = folder.path().join("release.jsonl");
    let mut text = fs::read_to_string(&path).expect("read");
    for number in CASES..2 * CASES {
        text.push_str(&(case("de", number, &worse).to_string() + "\n"));
    }
    fs::write(&path, text).expect("written");
    check(folder.path(), 0);
    let text = exits(1, folder.path(), &["bless", "citeward-out"]);
    // Over everything 227 of 240: better than 90 %.
    assert!(
        text.contains(
            "citation correctness in language=de was 90 % (108 of 120), and is 89.2 % (107 of 120) over the 60 cases that both have"
        ),
        "{text}"
    );
}

#[test]
fn old_findings_are_excused_by_no_baseline_that_is_refused() {
    let folder = blessed();
    let gates = "baseline: { fail_on: new }\ngates:\n  - { id: cases, metric: case_pass_rate, min: 1 }\n";
    with_gates(folder.path(), gates);
    check(folder.path(), 0);
    let path = folder.path().join("rules/policy.yaml");
    let other =
        fs::read_to_string(&path).expect("read").replace("check: resolves }", "check: resolves, severity: warning }");
    fs::write(&path, &other).expect("written");
    let text = check(folder.path(), 1);
    assert!(text.contains("was judged by other rules: all findings count"), "{text}");
    fs::write(&path, other.replace("fail_on: new", "fail_on: new, on_mismatch: warn")).expect("written");
    check(folder.path(), 0);
}

#[test]
fn a_dataset_that_is_gone_took_its_cases_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let versions = ["de", "en"].map(|language| folder.path().join("datasets").join(language).join("1.0.0"));
    fs::create_dir(folder.path().join("rules")).expect("made");
    with_gates(folder.path(), "gates:\n  - { id: hold, metric: citation_correctness, max_drop: 0 }\n");
    let cases = |language: &'static str, wrong: &Wrong| {
        (0..CASES).map(|number| case(language, number, wrong).to_string() + "\n").collect::<String>()
    };
    for (version, language) in versions.iter().zip(["de", "en"]) {
        fs::create_dir_all(version).expect("made");
        fs::write(version.join("cases.jsonl"), cases(language, &Wrong::new())).expect("written");
    }
    exits(1, folder.path(), &["check"]);
    exits(0, folder.path(), &["bless", "citeward-out"]);
    exits(0, folder.path(), &["check"]);
    // The German cases, all worse now, move to the English dataset, where no baseline has them.
    fs::remove_dir_all(folder.path().join("datasets/de")).expect("removed");
    fs::write(versions[1].join("more.jsonl"), cases("de", &first_claims("de", 0..CASES))).expect("written");
    let text = exits(1, folder.path(), &["check"]);
    assert_eq!(gates(folder.path())[0]["cause"], "removed_cases", "{text}");
    assert!(text.contains("The dataset \"de\" of baselines/de.json is gone"), "{text}");
    exits(1, folder.path(), &["regate", "citeward-out"]);
    // Who names the datasets says what is to be looked at.
    fs::remove_file(versions[1].join("more.jsonl")).expect("removed");
    exits(0, folder.path(), &["check", "en"]);
    assert_eq!(run_json(folder.path())["inputs"]["baselines"].as_array().map(Vec::len), Some(1));
}

#[test]
fn names_that_would_be_one_folder_are_refused() {
    let folder = blessed();
    let text = exits(2, folder.path(), &["bless", "citeward-out", "--as", "prod/main"]);
    assert!(text.contains("cannot be the name of a baseline"), "{text}");
    let path = folder.path().join("rules/policy.yaml");
    fs::write(&path, format!("{POLICY}baseline: {{ against: [prod/main, dev/main] }}\n")).expect("written");
    let text = exits(2, folder.path(), &["check", "release.jsonl"]);
    assert!(text.contains("prod/main") && text.contains("dev/main"), "{text}");
}

#[test]
fn what_a_reviewer_had_overturned_is_no_old_finding() {
    let folder = blessed();
    let gates = "baseline: { fail_on: new }\ngates:\n  - { id: cases, metric: case_pass_rate, min: 1 }\n";
    with_gates(folder.path(), gates);
    release(folder.path(), &vec![("de", 3, 0)], |_| true);
    fs::remove_dir_all(folder.path().join("baselines")).expect("removed");
    check(folder.path(), 1);
    let records = fs::read_to_string(folder.path().join("citeward-out/records.jsonl")).expect("records");
    let records = records.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let wrong = records.into_iter().find(|record| record["label"] == "contradicted").expect("a wrong claim");
    let decision = json!({
        "case_id": wrong["case_id"], "claim_id": wrong["claim_id"], "claim_sha256": wrong["claim_sha256"],
        "evidence_sha256": wrong["evidence_sha256"], "label": "supported", "reviewer": "policy desk",
        "reason": "Agreed until the summer.", "date": "2026-05-01", "expires": "2026-06-30",
    });
    fs::write(folder.path().join("decisions.jsonl"), decision.to_string() + "\n").expect("written");
    exits(0, folder.path(), &["check", "release.jsonl", "--today", "2026-06-30"]);
    exits(0, folder.path(), &["bless", "citeward-out"]);
    exits(0, folder.path(), &["check", "release.jsonl", "--today", "2026-06-30"]);
    let text = exits(1, folder.path(), &["check", "release.jsonl", "--today", "2026-07-01"]);
    assert!(text.contains("case pass rate is 98.3 % (59 of 60)"), "{text}");
}
