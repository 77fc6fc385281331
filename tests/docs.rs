//! The documentation is held to the program: the console blocks of the README and of the page on rule files run, and the manual is what the doc
//! comments say.

use std::fs;
use std::path::Path;

/// Every console block of the README, in order, in the folder of the repository.
#[test]
fn the_readme_runs() {
    trycmd::TestCases::new()
        .default_bin_path(env!("CARGO_BIN_EXE_citeward"))
        .env("CI", "true")
        .env("NO_COLOR", "1")
        .case("README.md");
}

/// Every console block of the page on rule files.
#[test]
fn the_page_on_rule_files_runs() {
    trycmd::TestCases::new()
        .default_bin_path(env!("CARGO_BIN_EXE_citeward"))
        .env("CI", "true")
        .env("NO_COLOR", "1")
        .case("docs/rule-files.md");
}

/// Every console block of the page on changing a policy.
#[test]
fn the_page_on_policy_edits_runs() {
    fs::create_dir_all(Path::new(env!("CARGO_MANIFEST_DIR")).join("target")).expect("a folder");
    trycmd::TestCases::new()
        .default_bin_path(env!("CARGO_BIN_EXE_citeward"))
        .env("CI", "true")
        .env("NO_COLOR", "1")
        .case("docs/policy-edits.md");
}

/// `docs/checks.md` is made from the doc comments of the check kinds. `CITEWARD_BLESS=1 cargo test` rewrites it.
#[test]
fn the_manual_is_what_the_doc_comments_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/checks.md");
    let pages = citeward::check::manual::all_pages();
    if std::env::var_os("CITEWARD_BLESS").is_some() {
        fs::write(&path, &pages).expect("the manual is written");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == pages,
        "docs/checks.md is not what the doc comments say; CITEWARD_BLESS=1 cargo test rewrites it"
    );
}
