//! Labels: what can be said of a cited claim, and the words people use for them in data files.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What is said of a cited claim (SPEC 2). `Undecided` is not a defect: no rule could decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// The cited evidence states the claim.
    Supported,
    /// The cited evidence states a part of the claim.
    Partial,
    /// The cited evidence states something that cannot be true together with the claim.
    Contradicted,
    /// The cited evidence does not state the claim.
    Insufficient,
    /// None of the cited units may be read by this reader.
    Unreadable,
    /// A citation of the claim resolves to nothing.
    Unresolved,
    /// No rule could decide.
    Undecided,
}

impl Label {
    /// Every label, in the order in which reports list them.
    pub const ALL: [Label; 7] = [
        Label::Supported,
        Label::Partial,
        Label::Contradicted,
        Label::Insufficient,
        Label::Unreadable,
        Label::Unresolved,
        Label::Undecided,
    ];

    /// The word used in files and messages.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Label::Supported => "supported",
            Label::Partial => "partial",
            Label::Contradicted => "contradicted",
            Label::Insufficient => "insufficient",
            Label::Unreadable => "unreadable",
            Label::Unresolved => "unresolved",
            Label::Undecided => "undecided",
        }
    }

    /// Reads a label word as people write it in data files, case-insensitively, with `-`, `_` or a space between
    /// words. The accepted words are those of SPEC 4.1; `None` for any other.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Label> {
        let word = word.trim().to_ascii_lowercase().replace(['-', ' '], "_");
        Some(match word.as_str() {
            "supported" => Label::Supported,
            "partial" | "partially_supported" => Label::Partial,
            "contradicted" | "refuted" | "conflict" => Label::Contradicted,
            "insufficient" | "not_present" | "not_supported" | "nei" | "not_enough_info" => Label::Insufficient,
            "unreadable" | "unauthorized" | "source_unavailable" => Label::Unreadable,
            "unresolved" => Label::Unresolved,
            "undecided" => Label::Undecided,
            _ => return None,
        })
    }

    /// The words that [`Label::from_word`] accepts, for messages.
    pub const WORDS: &'static [&'static str] = &[
        "supported",
        "partial",
        "partially_supported",
        "contradicted",
        "refuted",
        "conflict",
        "insufficient",
        "not_present",
        "not_supported",
        "nei",
        "not_enough_info",
        "unreadable",
        "unauthorized",
        "source_unavailable",
        "unresolved",
        "undecided",
    ];

    /// Whether the label is a defect for `defect_precision` and `defect_recall`: any label but supported.
    #[must_use]
    pub const fn is_defect(self) -> bool {
        !matches!(self, Label::Supported)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
