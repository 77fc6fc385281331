//! Which folders hold an earlier run, and which of them are believed.

use std::fs;
use std::path::Path;

use super::*;
use crate::report::fixture;

/// Writes a run folder with this manifest, as `citeward check` does as far as a history looks.
fn write(root: &Path, name: &str, manifest: &RunJson) {
    let folder = root.join(name);
    fs::create_dir_all(&folder).expect("made");
    let bytes = manifest.to_bytes().expect("JSON");
    let digest = digest::raw(&bytes).to_string();
    fs::write(folder.join(SUMS), format!("{}  {RUN_JSON}\n", digest.trim_start_matches("sha256:"))).expect("written");
    fs::write(folder.join(RUN_JSON), bytes).expect("written");
}

/// The failing run with this many cases, so that no two are the same.
fn run(cases: u64) -> RunJson {
    let mut run = fixture::run();
    run.counts.cases = cases;
    run
}

fn read(root: &Path, current: &RunJson) -> History {
    Earlier::find(root, &root.join("none")).expect("a folder").read(current, &|_| true)
}

fn names(history: &History) -> Vec<&str> {
    history.runs.iter().map(|run| run.name.as_str()).collect()
}

fn reasons(history: &History) -> Vec<(&str, &str)> {
    history.left_out.iter().map(|left| (left.name.as_str(), left.why.as_str())).collect()
}

#[test]
fn runs_stand_in_natural_order_and_are_found_four_folders_deep() {
    let root = tempfile::tempdir().expect("a folder");
    for (cases, name) in [
        (1, "run-10"),
        (2, "run-9"),
        (3, "main/2026/11/b"),
        (4, "a/b/c/d/too-deep"),
        (5, ".hidden"),
        (6, "run-9/inner"),
    ] {
        write(root.path(), name, &run(cases));
    }
    fs::create_dir(root.path().join("empty")).expect("made");
    fs::write(root.path().join("note.txt"), "no run").expect("written");
    let history = read(root.path(), &run(38));
    assert_eq!(names(&history), ["main/2026/11/b", "run-9", "run-10"]);
    assert_eq!(history.runs.iter().map(|run| run.cases).collect::<Vec<_>>(), [3, 2, 1]);
    assert_eq!(reasons(&history), []);
}

#[test]
fn what_cannot_be_believed_is_left_out_with_the_reason() {
    let root = tempfile::tempdir().expect("a folder");
    let path = |name: &str| root.path().join(name);
    for name in ["changed", "cut", "good", "no-sums", "not-listed", "other-data", "version"] {
        write(root.path(), name, &run(7));
    }
    let text = fs::read_to_string(path("changed/run.json")).expect("read").replace("\"fail\"", "\"pass\"");
    fs::write(path("changed/run.json"), text).expect("written");
    fs::remove_file(path("no-sums/SHA256SUMS")).expect("removed");
    fs::write(path("not-listed/SHA256SUMS"), "nonsense\n").expect("written");
    let resum = |name: &str, bytes: &[u8]| {
        let digest = digest::raw(bytes).to_string();
        fs::write(path(name).join(RUN_JSON), bytes).expect("written");
        fs::write(path(name).join(SUMS), format!("{}  run.json\n", &digest[7..])).expect("written");
    };
    resum("cut", b"{\"schema\":\"citeward/run/1\",\"verdict\":");
    resum("version", b"{\"schema\":\"citeward/run/2\"}");
    let mut other = run(7);
    other.datasets[0].name = "atlas".into();
    other.datasets[0].questions_digest = "sha256:00".into();
    write(root.path(), "other-data", &other);
    fs::create_dir_all(path("folder/run.json")).expect("made");

    let history = read(root.path(), &run(38));
    assert_eq!(names(&history), ["good"]);
    let cut = history.left_out.iter().find(|left| left.name == "cut").expect("said").why.clone();
    assert!(cut.starts_with("not a run manifest: EOF while parsing"), "{cut}");
    assert_eq!(
        reasons(&history).into_iter().filter(|(name, _)| *name != "cut").collect::<Vec<_>>(),
        [
            ("changed", "run.json was changed after the run"),
            ("folder", "run.json is not a file"),
            ("no-sums", "there is no SHA256SUMS that says whether run.json is as it was written"),
            ("not-listed", "SHA256SUMS does not list run.json"),
            ("other-data", "it is a run on other data: atlas"),
            ("version", "a run of another format version: found \"citeward/run/2\", expected \"citeward/run/1\""),
        ]
    );
}

#[test]
fn a_run_is_not_its_own_history() {
    let root = tempfile::tempdir().expect("a folder");
    for (name, cases) in [("build-1", 38), ("build-2", 7), ("build-3", 38)] {
        write(root.path(), name, &run(cases));
    }
    // The newest one is a copy of this run; the first came out the same weeks ago and is an earlier run.
    let history = read(root.path(), &run(38));
    assert_eq!((names(&history), history.same.as_deref()), (vec!["build-1", "build-2"], Some("build-3")));
    // The folder that this run stands in, or replaces, is left out without a word.
    let own = Earlier::find(root.path(), &root.path().join("build-2")).expect("a folder").read(&run(99), &|_| true);
    assert_eq!((names(&own), own.same.as_deref()), (vec!["build-1", "build-3"], None));
}

#[test]
fn the_newest_five_hundred_are_read() {
    let root = tempfile::tempdir().expect("a folder");
    for build in 1..=503 {
        fs::create_dir(root.path().join(format!("build-{build}"))).expect("made");
        fs::write(root.path().join(format!("build-{build}/run.json")), "").expect("written");
    }
    write(root.path(), "build-4", &run(4));
    write(root.path(), "build-3", &run(3));
    let history = read(root.path(), &run(38));
    assert_eq!((names(&history), history.older, history.left_out.len()), (vec!["build-4"], 3, 499));
}

#[test]
fn what_is_no_folder_of_runs_is_refused() {
    let root = tempfile::tempdir().expect("a folder");
    write(root.path(), "build-1", &run(1));
    let refused = |name: &str| {
        let own = root.path().join("none");
        Earlier::find(&root.path().join(name), &own).expect_err("refused").to_string()
    };
    assert_eq!(refused("absent"), "there is no such folder of earlier runs");
    assert_eq!(refused("build-1"), "this is one run, not a folder of earlier runs");
    assert_eq!(refused("build-1/run.json"), "this is a file, and a history is a folder");
    // Nothing kept yet is a first run.
    fs::create_dir(root.path().join("new")).expect("made");
    let history = read(&root.path().join("new"), &run(38));
    assert!(history.runs.is_empty() && history.left_out.is_empty());
}

#[test]
fn the_digest_covers_names_and_manifests() {
    let root = tempfile::tempdir().expect("a folder");
    let digest = || read(root.path(), &run(38)).digest();
    let empty = digest();
    write(root.path(), "build-1", &run(1));
    let one = digest();
    assert_eq!(one, digest());
    write(root.path(), "build-1", &run(2));
    let other = digest();
    fs::rename(root.path().join("build-1"), root.path().join("build-2")).expect("renamed");
    let renamed = digest();
    let all = std::collections::BTreeSet::from([empty, one, other, renamed]);
    assert_eq!(all.len(), 4);
}

#[test]
fn only_what_is_asked_for_is_kept() {
    let root = tempfile::tempdir().expect("a folder");
    write(root.path(), "build-1", &run(1));
    let earlier = Earlier::find(root.path(), root.path()).expect("a folder");
    let history = earlier.read(&run(38), &|(metric, _, slice)| metric == "defect_rate" && slice.is_empty());
    let kept = &history.runs[0];
    assert_eq!((kept.metrics.len(), kept.gates.len()), (1, 0));
    // Three of its seven gates fail it, whichever of them are kept.
    assert_eq!((kept.failing, kept.is_measured), ((3, 7), true));
}
