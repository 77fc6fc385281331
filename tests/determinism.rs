//! The same input gives the same bytes: run after run, with any number of workers, from however many files; and what
//! was written can be checked and rendered again.

#[path = "cli/program.rs"]
mod program;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::RngExt as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use program::{citeward, exits};

/// More than this is read in several chunks, which are evaluated side by side.
const SEVERAL_CHUNKS: usize = 4 << 20;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The lines of all shipped cases, the calibration sets left out as `check` leaves them out.
fn shipped_lines() -> Vec<String> {
    let mut files: Vec<PathBuf> = Vec::new();
    for dataset in fs::read_dir(root().join("datasets")).expect("the datasets") {
        let version = dataset.expect("an entry").path().join("1.0.0/cases.jsonl");
        files.extend(version.is_file().then_some(version));
    }
    files.sort();
    assert!(files.len() >= 4, "{files:?}");
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a dataset");
    files.iter().flat_map(|path| read(path).lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// The files of a run folder with their bytes.
fn files(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(run).expect("a run folder").map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    entries.map(|path| (name(&path), fs::read(&path).expect("a file"))).collect()
}

/// Asserts that two runs hold the same files, naming the first one that differs.
fn same(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>, what: &str) {
    assert!(left.keys().eq(right.keys()), "{what}: {:?} and {:?}", left.keys(), right.keys());
    for (name, bytes) in left {
        assert!(bytes == &right[name], "{what}: {name} differs");
    }
}

/// Judges below the folder of the project, by the shipped rules.
fn check(out: &Path, arguments: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let out = out.display().to_string();
    let arguments: Vec<&str> =
        ["check", "--out", &out, "--quiet"].into_iter().chain(arguments.iter().copied()).collect();
    exits(1, root(), &arguments);
    files(Path::new(&out))
}

#[test]
fn the_shipped_data_give_the_same_bytes_twice() {
    let scratch = tempfile::tempdir().expect("a folder");
    let first = check(&scratch.path().join("first"), &[]);
    let names = [
        "SHA256SUMS",
        "cases.jsonl",
        "findings.csv",
        "junit.xml",
        "outline.jsonl",
        "records.jsonl",
        "report.html",
        "report.md",
        "results.sarif",
        "review.jsonl",
        "run.json",
    ];
    assert!(first.keys().map(String::as_str).eq(names), "{:?}", first.keys());
    // Nothing of the shipped data waits for a reviewer.
    assert!(first.iter().all(|(name, bytes)| !bytes.is_empty() || name == "review.jsonl"));
    same(&first, &check(&scratch.path().join("second"), &[]), "a second run");
    // Replacing a run that is there.
    same(&first, &check(&scratch.path().join("second"), &["--jobs", "1"]), "one worker, over an older run");
}

#[test]
fn the_number_of_workers_changes_no_byte() {
    let scratch = tempfile::tempdir().expect("a folder");
    let shipped = shipped_lines();
    let mut big = String::new();
    let mut copy = 0_usize;
    while big.len() <= SEVERAL_CHUNKS {
        for line in &shipped {
            let mut case: Value = serde_json::from_str(line).expect("a case");
            case["case_id"] = Value::from(format!("{copy}-{}", case["case_id"].as_str().expect("an id")));
            // Bytes to read, not work to do: this test is about chunks.
            case["padding"] = Value::from("x".repeat(8_000));
            big += &case.to_string();
            big.push('\n');
        }
        copy += 1;
    }
    let data = scratch.path().join("big.jsonl");
    fs::write(&data, &big).expect("a file");
    let data = data.display().to_string();
    let one = check(&scratch.path().join("1"), &[&data, "--jobs", "1"]);
    let lines = |name: &str| String::from_utf8_lossy(&one[name]).lines().count();
    assert_eq!(lines("cases.jsonl"), copy * shipped.len());
    for jobs in ["2", "5"] {
        same(&one, &check(&scratch.path().join(jobs), &[&data, "--jobs", jobs]), &format!("{jobs} workers"));
    }
}

/// The lines of a JSON Lines file by case and claim, without the place of the case.
fn placeless(lines: &[u8]) -> BTreeMap<(String, String), Value> {
    let text = std::str::from_utf8(lines).expect("UTF-8");
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let mut record: Value = serde_json::from_str(line).expect("JSON");
        let object = record.as_object_mut().expect("an object");
        object.remove("file");
        object.remove("line");
        let id = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let key = (id("case_id"), id("claim_id"));
        assert!(found.insert(key, record).is_none(), "a record stands twice");
    }
    found
}

/// Every case goes to one of up to seven files, in a random order; what is said of it and what is counted stay.
#[test]
fn how_cases_are_divided_into_files_changes_nothing_but_their_places() {
    let scratch = tempfile::tempdir().expect("a folder");
    let lines = shipped_lines();
    let whole = scratch.path().join("whole.jsonl");
    fs::write(&whole, lines.join("\n")).expect("a file");
    let expected = check(&scratch.path().join("run"), &[&whole.display().to_string()]);
    let counted = |run: &[u8]| -> Vec<Value> {
        let run: Value = serde_json::from_slice(run).expect("JSON");
        let gate = |gate: &Value| {
            (gate["gate"].clone(), gate["slice"].clone(), gate["verdict"].clone(), gate["reason"].clone())
        };
        let gates: Vec<_> = run["gates"].as_array().expect("gates").iter().map(gate).collect();
        let keys = ["verdict", "counts", "labels", "by_decider", "metrics", "slices", "findings", "rules"];
        let mut counted: Vec<Value> = keys.iter().map(|key| run[key].clone()).collect();
        counted.push(serde_json::to_value(gates).expect("JSON"));
        let sum = |key: &str| {
            run["datasets"].as_array().expect("datasets").iter().filter_map(|d| d[key].as_u64()).sum::<u64>()
        };
        counted.push(Value::from(sum("cases")));
        assert!(counted.iter().all(|value| !value.is_null()), "{keys:?}");
        counted
    };
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    for round in 0..3 {
        let mut parts = vec![Vec::new(); 7];
        for line in &lines {
            let at = (runner.rng().random::<u32>() % 7) as usize;
            let first = runner.rng().random::<bool>();
            let part: &mut Vec<&str> = &mut parts[at];
            part.insert(if first { 0 } else { part.len() }, line);
        }
        let folder = scratch.path().join(format!("parts-{round}"));
        fs::create_dir(&folder).expect("a folder");
        for (index, part) in parts.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
            fs::write(folder.join(format!("{index}.jsonl")), part.join("\n")).expect("a file");
        }
        let found = check(&scratch.path().join("run"), &[&folder.display().to_string(), "--jobs", "3"]);
        for name in ["cases.jsonl", "records.jsonl"] {
            let (expected, found) = (placeless(&expected[name]), placeless(&found[name]));
            assert!(expected.keys().eq(found.keys()), "round {round}: {name}");
            for (key, record) in &expected {
                assert_eq!(record, &found[key], "round {round}: {key:?} in {name}");
            }
        }
        assert_eq!(counted(&expected["run.json"]), counted(&found["run.json"]), "round {round}");
    }
}

#[test]
fn a_report_from_the_run_folder_has_the_bytes_that_check_wrote() {
    let scratch = tempfile::tempdir().expect("a folder");
    let written = check(&scratch.path().join("run"), &[]);
    let (run, again) = (scratch.path().join("run"), scratch.path().join("again"));
    fs::create_dir(&again).expect("a folder");
    exits(0, root(), &["report", &run.display().to_string(), "--out", &again.display().to_string()]);
    let rendered = files(&again);
    assert!(
        rendered.keys().eq(["findings.csv", "junit.xml", "report.html", "report.md", "results.sarif"]),
        "{:?}",
        rendered.keys()
    );
    for (name, bytes) in rendered {
        assert!(bytes == written[&name], "{name} differs");
    }
    // One template alone, to standard output.
    let output = citeward(root(), &["report", &run.display().to_string(), "--template", "templates/report.md"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout == written["report.md"]);
}

#[test]
fn verify_finds_a_flipped_byte_a_missing_file_and_an_added_one() {
    let scratch = tempfile::tempdir().expect("a folder");
    let run = scratch.path().join("run");
    let written = check(&run, &["figures"]);
    let shown = run.display().to_string();
    let verify = |code: i32| exits(code, root(), &["verify", &shown]);
    verify(0);
    for (name, bytes) in &written {
        let path = run.join(name);
        if bytes.is_empty() {
            fs::write(&path, b"\n").expect("a file");
            assert!(verify(1).contains(name.as_str()), "{name}");
            fs::write(&path, bytes).expect("a file");
            continue;
        }
        for at in [0, bytes.len() / 2, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            fs::write(&path, changed).expect("a file");
            let said = verify(1);
            assert!(said.contains(name.as_str()) || name == "SHA256SUMS", "{name}, byte {at}: {said}");
        }
        // The list of digests says the same without its last line break, every other file does not.
        fs::write(&path, &bytes[..bytes.len() - 1]).expect("a file");
        verify(i32::from(name != "SHA256SUMS"));
        fs::remove_file(&path).expect("removed");
        let said = verify(1);
        assert!(said.contains(name.as_str()), "{name} is missing: {said}");
        fs::write(&path, bytes).expect("a file");
    }
    verify(0);
    fs::write(run.join("extra.txt"), "x").expect("a file");
    assert!(verify(1).contains("extra.txt"));
}

/// Nothing of the page is fetched: no attribute or style that loads holds an address of another place. Links for a
/// person to follow may.
#[test]
fn the_html_report_fetches_nothing() {
    let scratch = tempfile::tempdir().expect("a folder");
    let page = String::from_utf8(check(&scratch.path().join("run"), &[])["report.html"].clone()).expect("UTF-8");
    let loads = regex::Regex::new(
        r#"(?i)\s(?:src|srcset|data|poster|action|formaction|background|manifest|ping|codebase|archive|xlink:href)\s*=\s*["']?\s*(?:[a-z]+:|//)|<(?:base|iframe|object|embed|frame|applet)\b|@import|url\(\s*["']?\s*(?:[a-z]+:)?//|http-equiv\s*=\s*["']?refresh"#,
    )
    .expect("a pattern");
    let found: Vec<&str> = loads.find_iter(&page).map(|found| found.as_str()).collect();
    assert!(found.iter().all(|text| text.contains("data:")), "{found:?}");
    assert_eq!(page.matches("<link").count(), page.matches(r#"<link rel="icon" href="data:"#).count());
    for call in ["fetch(", "XMLHttpRequest", "WebSocket(", "EventSource(", "sendBeacon", "import("] {
        assert!(!page.contains(call), "{call}");
    }
    assert!(page.contains("Content-Security-Policy"), "a page that may not fetch says so itself");
}
