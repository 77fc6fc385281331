//! Runs the tests of `tests/browser/` in a real Chromium: one test here for each file there.
//!
//! They need Node.js, Chromium and the packages of `tests/browser/package-lock.json`; `tests/run` installs all three.

use std::path::Path;
use std::process::Command;

/// Runs one file of tests and fails with what Node says, unless at least one test ran and all passed.
fn holds(file: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    assert!(
        folder.join("node_modules").is_dir(),
        "the packages that this test needs are not installed: run `tests/run`, or `npm ci` in tests/browser"
    );
    let run = Command::new("node")
        .args(["--test", "--test-reporter=tap", file])
        .current_dir(&folder)
        .env("CITEWARD_BIN", env!("CARGO_BIN_EXE_citeward"))
        .output()
        .expect("Node.js starts (`tests/run` installs it)");
    let said = String::from_utf8_lossy(&run.stdout);
    let passed = said.lines().find_map(|line| line.strip_prefix("# pass ")?.parse::<u32>().ok()).unwrap_or(0);
    assert!(run.status.success() && passed > 0, "{said}\n{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn the_report_of_a_failing_run_serves_its_readers() {
    holds("report.test.mjs");
}

#[test]
fn the_reports_of_all_kinds_of_runs_are_accessible() {
    holds("a11y.test.mjs");
}

#[test]
fn hostile_data_runs_nothing_and_breaks_no_format() {
    holds("hostile.test.mjs");
}

#[test]
fn a_run_with_ten_thousand_findings_stays_smooth() {
    holds("large.test.mjs");
}

#[test]
fn machines_can_read_the_formats_that_are_for_them() {
    holds("formats.test.mjs");
}

#[test]
fn the_view_and_the_markdown_are_what_they_promise() {
    holds("contract.test.mjs");
}
