//! A run: the folder that one evaluation produces, its manifest, and what of it a report shows.

pub mod folder;
pub mod manifest;
pub mod selection;
pub mod stored;
pub mod verify;

pub use folder::{RunFolder, Stream};
pub use manifest::RunJson;
pub use selection::{Offer, Selection};
pub use stored::StoredRun;
pub use verify::verify;

/// Name of the manifest in a run folder.
pub const RUN_JSON: &str = "run.json";
/// Name of the file with one line per case.
pub const CASES: &str = "cases.jsonl";
/// Name of the file with one line per claim.
pub const RECORDS: &str = "records.jsonl";
/// Name of the HTML report.
pub const REPORT_HTML: &str = "report.html";
/// Name of the Markdown report.
pub const REPORT_MD: &str = "report.md";
/// Name of the list of digests, in the format of `sha256sum`.
pub const SUMS: &str = "SHA256SUMS";
