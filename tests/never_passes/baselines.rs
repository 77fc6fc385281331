//! Baselines that bind, inputs without end, and decisions and runs that were tampered with.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::folder::Folder;

/// A case whose answer is right.
fn right(id: &str) -> String {
    said(id, "Logs are kept for 30 days [u1].")
}

fn said(id: &str, answer: &str) -> String {
    format!(
        "{{\"case_id\":\"{id}\",\"language\":\"en\",\"query\":\"How long?\",\"answer\":\"{answer}\",\"sources\":[{{\"id\":\"u1\",\"content\":\"Logs are kept for 30 days.\"}}]}}\n"
    )
}

/// A gate that only bounds a value: nothing in this policy looks at a baseline.
const POLICY: &str = "version: 1\nmarkers: [{ id: id, pattern: '\\[(?<ref>u\\d+)\\]' }]\nrules:\n  - { id: numbers, check: numbers }\n  - { id: facts, check: { facts-found: { high: 0.5 } }, establishes: supported }\ngates: [{ id: defects, metric: defect_rate, max: 0.5 }]\n";

/// Two datasets of four and two cases, blessed.
fn blessed() -> Folder {
    let four: String = ["a", "b", "c", "d"].map(right).concat();
    let two: String = ["x", "y"].map(right).concat();
    let folder = Folder::with(&[
        ("rules/policy.yaml", POLICY),
        ("datasets/logs/1.0.0/cases.jsonl", &four),
        ("datasets/more/1.0.0/cases.jsonl", &two),
    ]);
    folder.run(0, &["check"]);
    folder.run(0, &["bless", "citeward-out"]);
    folder.run(0, &["check"]);
    folder
}

fn removed(folder: &Folder) -> String {
    let manifest = folder.manifest();
    let gates = manifest["gates"].as_array().expect("gates");
    let gate = gates.iter().find(|gate| gate["gate"] == "baseline-cases").expect("the gate");
    format!("{} {}", gate["verdict"].as_str().expect("a verdict"), gate["reason"].as_str().expect("a reason"))
}

#[test]
fn a_deleted_case_fails_under_a_policy_that_compares_nothing() {
    let folder = blessed();
    assert_eq!(removed(&folder), "pass 6 cases of the baseline, and the run has all of them");
    folder.write("datasets/logs/1.0.0/cases.jsonl", &["a", "b", "c"].map(right).concat());
    let text = folder.run(1, &["check"]);
    assert!(text.contains("✗ baseline-cases: 1 of 6 cases of the baseline is not in the run"), "{text}");
    assert_eq!(folder.manifest()["verdict"], "fail");
    // A case under another id is another case.
    folder.write("datasets/logs/1.0.0/cases.jsonl", &["a", "b", "c", "e"].map(right).concat());
    folder.run(1, &["check", "logs"]);
    assert_eq!(removed(&folder), "fail 1 of 4 cases of the baseline is not in the run");
    for file in ["report.html", "report.md"] {
        let report = fs::read_to_string(folder.path().join("citeward-out").join(file)).expect("a report");
        assert!(report.contains("not in the run"), "{file}");
    }
    let github = folder.run(1, &["check", "logs", "--format", "github"]);
    assert!(github.contains("::error") && github.contains("baseline-cases"), "{github}");
}

#[test]
fn a_dataset_that_is_gone_renamed_or_called_a_calibration_set_fails() {
    let at = |folder: &Folder, path: &str| folder.path().join("datasets").join(path);
    let gone = blessed();
    fs::remove_dir_all(at(&gone, "more")).expect("removed");
    gone.run(1, &["check"]);
    assert_eq!(removed(&gone), "fail 2 of 6 cases of the baseline are not in the run");
    // Who names a dataset is held against its baseline alone; the folder of datasets is no such name.
    gone.run(0, &["check", "logs"]);
    gone.run(1, &["check", "datasets"]);

    let renamed = blessed();
    fs::rename(at(&renamed, "more"), at(&renamed, "other")).expect("renamed");
    let text = renamed.run(1, &["check"]);
    assert!(text.contains("other has no baseline and is held against no earlier run."), "{text}");

    let draft = blessed();
    fs::rename(at(&draft, "more/1.0.0"), at(&draft, "more/draft")).expect("renamed");
    let text = draft.run(2, &["check"]);
    assert!(text.contains("datasets/more/draft/cases.jsonl: error[unread-file]"), "{text}");

    let calibration = blessed();
    calibration.write("datasets/more/1.0.0/dataset.yaml", "name: more\nversion: 1.0.0\npurpose: calibration\n");
    let text = calibration.run(1, &["check"]);
    assert!(text.contains("more is left out of the run: its purpose is calibration."), "{text}");
    assert_eq!(calibration.manifest()["left_out"][0]["why"], "calibration");
    assert_eq!(removed(&calibration), "fail 2 of 6 cases of the baseline are not in the run");
}

#[test]
fn a_newer_version_with_fewer_cases_and_other_questions_fail() {
    let newer = blessed();
    newer.write("datasets/logs/2.0.0/cases.jsonl", &right("a"));
    newer.run(1, &["check"]);
    assert_eq!(removed(&newer), "fail 3 of 6 cases of the baseline are not in the run");

    let changed = blessed();
    let asked = right("x").replace("How long?", "How long at most?") + &right("y");
    changed.write("datasets/more/1.0.0/cases.jsonl", &asked);
    changed.run(1, &["check"]);
    let reason = "fail 1 of 6 cases of the baseline asks something else now, more than 5 % of them";
    assert_eq!(removed(&changed), reason);
}

#[test]
fn a_policy_that_lets_cases_go_says_so() {
    let folder = blessed();
    folder.write("datasets/logs/1.0.0/cases.jsonl", &["a", "b", "c"].map(right).concat());
    for (word, verdict) in [("warn", "warn"), ("pass", "pass")] {
        folder.write("rules/policy.yaml", &format!("{POLICY}baseline: {{ removed_cases: {word} }}\n"));
        folder.run(0, &["check"]);
        let reason = "1 of 6 cases of the baseline is not in the run, which `baseline: removed_cases` allows";
        assert_eq!(removed(&folder), format!("{verdict} {reason}"));
    }
    folder.write("rules/policy.yaml", &POLICY.replace("id: defects", "id: baseline-cases"));
    let text = folder.run(1, &["lint"]);
    assert!(text.contains("two gates have the id `baseline-cases`"), "{text}");
}

#[test]
fn data_files_beside_datasets_hide_none_of_them() {
    let folder = blessed();
    folder.write("datasets/one.jsonl", &right("a"));
    let text = folder.run(2, &["check", "datasets"]);
    assert!(text.contains("data files and a dataset lie side by side"), "{text}");
    let text = folder.run(2, &["check"]);
    assert!(text.contains("datasets/one.jsonl: error[unread-file]"), "{text}");
}

#[test]
fn runs_without_a_baseline_say_so_once() {
    let folder = blessed();
    fs::remove_file(folder.path().join("baselines/more.json")).expect("removed");
    let text = folder.run(0, &["check"]);
    assert!(text.contains("more has no baseline and is held against no earlier run."), "{text}");
    fs::remove_dir_all(folder.path().join("baselines")).expect("removed");
    let text = folder.run(0, &["check"]);
    assert_eq!(text.matches("no dataset of the run has a baseline").count(), 1, "{text}");
    let text = folder.run(0, &["check", "--baseline", "none"]);
    assert!(text.contains("No baseline was used, as `--baseline none` says."), "{text}");
}

#[test]
fn a_run_folder_stands_in_for_a_baseline_and_is_verified_first() {
    let folder = blessed();
    folder.run(0, &["check", "--out", "before"]);
    folder.write("datasets/logs/1.0.0/cases.jsonl", &["a", "b", "c"].map(right).concat());
    folder.run(1, &["check", "--baseline", "before"]);
    assert_eq!(removed(&folder), "fail 1 of 6 cases of the baseline is not in the run");
    folder.run(0, &["check", "more", "--baseline", "before"]);
    assert_eq!(removed(&folder), "pass 2 cases of the baseline, and the run has all of them");
    let text = folder.run(2, &["check", "--baseline", "datasets"]);
    assert!(text.contains("datasets: error[not-found]: the folder holds no run"), "{text}");
    let path = folder.path().join("before/records.jsonl");
    fs::write(&path, fs::read_to_string(&path).expect("read").replace("30 days", "31 days")).expect("written");
    let text = folder.run(2, &["check", "--baseline", "before"]);
    assert!(text.contains("records.jsonl: error[broken-run]: the file was changed after the run"), "{text}");
    folder.write("before/run.json", "{\"schema\":\"citeward/run/0\"}");
    let text = folder.run(2, &["check", "--baseline", "before"]);
    assert!(text.contains("a run of another format version"), "{text}");
}

#[test]
fn an_edited_verdict_is_found_though_the_sums_were_made_again() {
    let folder = Folder::with(&[("cases.jsonl", &said("a", "Logs are kept for 90 days [u1]."))]);
    folder.run(1, &["check", "cases.jsonl"]);
    folder.run(0, &["verify", "citeward-out"]);
    let out = folder.path().join("citeward-out");
    let manifest = fs::read_to_string(out.join("run.json")).expect("read");
    fs::write(out.join("run.json"), manifest.replace("\"verdict\": \"fail\"", "\"verdict\": \"pass\""))
        .expect("written");
    let sums = "cd citeward-out && sha256sum $(ls | grep -v SHA256SUMS) > SHA256SUMS";
    let made = Command::new("sh").args(["-c", sums]).current_dir(folder.path()).status().expect("a shell");
    assert!(made.success());
    let text = folder.run(1, &["verify", "citeward-out"]);
    assert!(text.contains("`verdict`: not what the gates come to"), "{text}");
    folder.run(2, &["bless", "citeward-out"]);
}

#[test]
fn a_day_that_was_set_by_hand_is_said_with_the_decisions_that_it_brings_back() {
    let folder = Folder::with(&[("cases.jsonl", &said("a", "Logs are kept for 90 days [u1]."))]);
    folder.run(1, &["check", "cases.jsonl"]);
    let record = &folder.lines("records.jsonl")[0];
    let decision = |reviewer: &str, date: &str, more: &str| {
        format!(
            "{{\"case_id\":\"a\",\"claim_id\":\"c1\",\"claim_sha256\":{},\"evidence_sha256\":{},\"label\":\"supported\",\"reviewer\":\"{reviewer}\",\"reason\":\"agreed\",\"date\":\"{date}\"{more}}}\n",
            record["claim_sha256"], record["evidence_sha256"]
        )
    };
    folder.write("decisions.jsonl", &decision("desk", "2020-01-01", ",\"expires\":\"2020-02-01\""));
    folder.run(1, &["check", "cases.jsonl"]);
    let text = folder.run(0, &["check", "cases.jsonl", "--today", "2020-01-15"]);
    let sentence =
        "The day was set by hand, --today 2020-01-15: 1 decision that has expired by the system's date holds again.";
    assert!(text.contains(sentence), "{text}");
    assert_eq!(folder.manifest()["warnings"][0], sentence);
    for (reviewer, date) in [("\u{200b}", "2020-01-01"), ("desk", "2999-01-01")] {
        folder.write("decisions.jsonl", &decision(reviewer, date, ""));
        let text = folder.run(2, &["check", "cases.jsonl"]);
        assert!(text.starts_with("decisions.jsonl:1: error["), "{text}");
    }
}

#[test]
fn an_answer_of_too_many_claims_is_bad_data() {
    let long = said("long", &"Logs are kept for 30 days [u1]. ".repeat(1_001));
    let folder = Folder::with(&[("cases.jsonl", &(long + &right("a")))]);
    let text = folder.run(2, &["check", "cases.jsonl"]);
    assert!(text.contains("cases.jsonl:1: error[too-large]: the answer makes too many claims"), "{text}");
    folder.run(1, &["check", "cases.jsonl", "--bad-lines", "skip"]);
    assert_eq!(folder.manifest()["datasets"][0]["skipped_lines"], 1);
    // As many as are allowed are judged.
    folder.write("cases.jsonl", &said("long", &"Logs are kept for 30 days [u1]. ".repeat(1_000)));
    folder.run(0, &["check", "cases.jsonl"]);
}

#[test]
fn more_threads_than_anybody_has_are_refused_without_a_panic() {
    let folder = Folder::with(&[("cases.jsonl", &right("a"))]);
    for jobs in ["100000", "257", "0", "-1", "18446744073709551616"] {
        let text = folder.run(2, &["check", "cases.jsonl", &format!("--jobs={jobs}")]);
        assert!(text.contains("expected a number of worker threads, 1 to 256"), "{jobs}: {text}");
    }
    folder.run(0, &["check", "cases.jsonl", "--jobs", "256"]);
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_in_a_folder_are_refused_and_a_named_pipe_is_read() {
    let folder = Folder::with(&[("cases.jsonl", &right("a")), ("datasets/logs/1.0.0/notes.txt", "")]);
    for device in ["/dev/zero", "/dev/null"] {
        for words in [
            &["check", device][..],
            &["check", "cases.jsonl", "--answers", device],
            &["check", "cases.jsonl", "--sources", device],
            &["check", "cases.jsonl", "--decisions", device],
            &["check", "cases.jsonl", "--baseline", device],
        ] {
            let text = folder.run(2, words);
            assert!(text.contains("error[unreadable]"), "{words:?}: {text}");
        }
    }
    let data = folder.path().join("datasets/logs/1.0.0/cases.jsonl");
    let pipe = |path: &Path| assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
    pipe(&data);
    let text = folder.run(2, &["check"]);
    assert!(text.contains("what is not a regular file lies among the data files"), "{text}");
    fs::remove_file(&data).expect("removed");
    std::os::unix::fs::symlink("/dev/zero", &data).expect("linked");
    folder.run(2, &["check"]);
    pipe(&folder.path().join("decisions.jsonl"));
    folder.run(2, &["check", "cases.jsonl"]);
    fs::remove_file(folder.path().join("decisions.jsonl")).expect("removed");
    pipe(&folder.path().join("stream"));
    let writer = Command::new("sh").args(["-c", "cat cases.jsonl > stream"]).current_dir(folder.path()).spawn();
    folder.run(0, &["check", "stream"]);
    writer.expect("a shell").wait().expect("ended");
}

#[test]
fn a_reason_is_kept_without_what_the_policy_takes_out() {
    let policy = format!("{POLICY}redact: {{ patterns: [{{ id: email }}, {{ id: ticket, pattern: 'T-\\d+' }}] }}\n");
    let folder = Folder::with(&[
        ("rules/policy.yaml", &policy),
        ("datasets/logs/1.0.0/cases.jsonl", &(right("a") + &right("b"))),
    ]);
    folder.run(0, &["check"]);
    folder.run(0, &["bless", "citeward-out", "--reason", "asked for by ann@ example.org in T-77, at 5 @ noon"]);
    let kept = fs::read_to_string(folder.path().join("baselines/logs.json")).expect("a baseline");
    assert!(kept.contains("asked for by [redacted:email] in [redacted:ticket], at 5 @ noon"), "{kept}");
    // Without the policy, the pattern of its own is not known.
    fs::remove_dir_all(folder.path().join("rules")).expect("removed");
    let text = folder.run(2, &["bless", "citeward-out", "--reason", "T-77 again"]);
    assert!(text.contains("the run took out \"ticket\", and the policy here has no such pattern"), "{text}");
}
