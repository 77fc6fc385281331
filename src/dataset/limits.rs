//! How large the parts of a case may be (SPEC 5.8).

/// The deepest nesting that [`Limits::json_depth`] can be set to: what a thread's default stack holds with room to
/// spare.
pub const DEEPEST: usize = 500;

/// Sizes beyond which a line is refused. Defaults are those of the shipped policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one line, without its line break.
    pub line_bytes: usize,
    /// Lists and objects inside one another; the case itself is the first. At most [`DEEPEST`] counts.
    pub json_depth: usize,
    /// Claims that one case may declare.
    pub claims_per_case: usize,
    /// Citations that one claim may declare.
    pub citations_per_claim: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line_bytes: 16 << 20, json_depth: 128, claims_per_case: 1_000, citations_per_claim: 100 }
    }
}
