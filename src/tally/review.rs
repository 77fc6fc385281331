//! How many claims wait for a reviewer, and why (SPEC 8.3).

use serde::{Deserialize, Serialize};

/// Why a claim waits for a reviewer; one claim may have several reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpenReason {
    /// No rule could decide, and one suspects a defect.
    Suspected,
    /// The label is another one than the baseline's.
    LabelChanged,
    /// The judge is less sure than the policy asks for.
    LowConfidence,
    /// It passed, and was drawn to be looked at all the same.
    Sampled,
    /// A decision on the very words of the claim holds no longer: it expired, or the cited evidence is another one.
    Lapsed,
}

impl OpenReason {
    /// Every reason, in the order in which they are listed.
    pub const ALL: [OpenReason; 5] = [
        OpenReason::Suspected,
        OpenReason::LabelChanged,
        OpenReason::LowConfidence,
        OpenReason::Sampled,
        OpenReason::Lapsed,
    ];

    /// The word used in files.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            OpenReason::Suspected => "suspected",
            OpenReason::LabelChanged => "label-changed",
            OpenReason::LowConfidence => "low-confidence",
            OpenReason::Sampled => "sampled",
            OpenReason::Lapsed => "lapsed",
        }
    }
}

/// Claims that wait for a reviewer. A claim with several reasons counts once in `open` and once under each reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewCounts {
    /// Claims.
    pub open: u64,
    /// Claims by reason, in the order of [`OpenReason::ALL`].
    pub reasons: [u64; 5],
}

impl ReviewCounts {
    /// Counts one claim with its reasons; none where there is no reason.
    pub fn add(&mut self, reasons: &[OpenReason]) {
        self.open = self.open.saturating_add(u64::from(!reasons.is_empty()));
        for (reason, count) in OpenReason::ALL.iter().zip(&mut self.reasons) {
            *count = count.saturating_add(u64::from(reasons.contains(reason)));
        }
    }

    /// Adds what was counted elsewhere. Commutative and associative.
    pub fn merge(&mut self, other: &Self) {
        self.open = self.open.saturating_add(other.open);
        super::add_each(&mut self.reasons, &other.reasons);
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The reasons with their counts.
    pub fn by_reason(&self) -> impl Iterator<Item = (OpenReason, u64)> {
        OpenReason::ALL.into_iter().zip(self.reasons)
    }
}
