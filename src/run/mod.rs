//! A run: the folder that one evaluation produces, its manifest, and what of it a report shows.

pub mod assemble;
pub mod baseline;
pub mod beside;
pub mod bless;
pub mod cluster;
pub mod delta;
pub mod difference;
pub mod evaluate;
pub mod flips;
pub mod folder;
pub mod history;
pub mod impact;
pub mod manifest;
pub mod outline;
pub mod recheck;
pub mod regate;
pub mod review;
pub mod selection;
pub mod store;
pub mod sweep;
pub mod unmatched;
pub mod verdict;
pub mod verify;
mod worker;
pub mod writer;

pub use beside::{CaseWriter, OneCase};
pub use folder::RunFolder;
pub use manifest::RunJson;
pub use selection::{Offer, Selection};
pub use verify::verify;
pub use writer::{RunWriter, Stream};

/// Name of the manifest in a run folder.
pub const RUN_JSON: &str = "run.json";
/// Name of the file with one line per case.
pub const CASES: &str = "cases.jsonl";
/// Name of the file with one line per claim.
pub const RECORDS: &str = "records.jsonl";
/// Name of the file with what comparisons and recounts need of each case.
pub const OUTLINE: &str = "outline.jsonl";
/// Name of the file with one line per claim that waits for a reviewer.
pub const REVIEW: &str = "review.jsonl";
/// Name of the HTML report.
pub const REPORT_HTML: &str = "report.html";
/// Name of the Markdown report.
pub const REPORT_MD: &str = "report.md";
/// Name of the table of findings.
pub const FINDINGS_CSV: &str = "findings.csv";
/// Name of the findings in SARIF.
pub const RESULTS_SARIF: &str = "results.sarif";
/// Name of the JUnit file.
pub const JUNIT_XML: &str = "junit.xml";
/// Name of the list of digests, in the format of `sha256sum`.
pub const SUMS: &str = "SHA256SUMS";
