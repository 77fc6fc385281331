//! The catalogue of metrics (SPEC 7): what each counts, on what, and which way is better.

use std::fmt;

/// What a metric counts over; a slice must be at this level or above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Cases: only slices of cases fit.
    Case,
    /// Claims: slices of cases and claims fit.
    Claim,
    /// Citations: slices of cases, claims and citations fit.
    Citation,
}

/// Which way a metric is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Higher is better: `max_drop` fits.
    Higher,
    /// Lower is better: `max_rise` fits.
    Lower,
    /// Neither: only absolute bounds fit.
    Neither,
}

/// A metric that a gate can name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// One of [`BUILT_IN`], by index.
    BuiltIn(u16),
    /// `rule.<id>`: passes / (passes + fails) of the rule with this index in the policy.
    Rule(u16),
    /// `fail_rate.<id>`: fails / (passes + fails) of that rule, which the rule's own `gate` bounds.
    FailRate(u16),
}

/// What the name of a rule's pass rate begins with.
pub const RULE: &str = "rule.";

/// What the name of a rule's fail rate begins with.
pub const FAIL_RATE: &str = "fail_rate.";

/// A metric's name in words: `defect rate`, `pass rate of rule numbers`, `fail rate of rule numbers`.
#[must_use]
pub fn in_words(name: &str) -> String {
    if let Some(rule) = name.strip_prefix(RULE) {
        format!("pass rate of rule {rule}")
    } else if let Some(rule) = name.strip_prefix(FAIL_RATE) {
        format!("fail rate of rule {rule}")
    } else {
        name.replace('_', " ")
    }
}

/// Which way the metric with this name is better.
#[must_use]
pub fn direction_of(name: &str) -> Direction {
    match Metric::named(name) {
        Some(metric) => metric.direction(),
        None if name.starts_with(FAIL_RATE) => Direction::Lower,
        None => Direction::Higher,
    }
}

/// An entry of the catalogue.
#[derive(Debug)]
pub struct Entry {
    /// Name in gates and `run.json`.
    pub name: &'static str,
    /// What it counts over.
    pub level: Level,
    /// Which way is better.
    pub direction: Direction,
    /// Whether the value is a ratio between 0 and 1 (else a count per claim).
    pub is_ratio: bool,
    /// Whether a macro average (mean over cases) is defined.
    pub has_macro: bool,
    /// Whether it is computed and listed without a gate.
    pub always_listed: bool,
    /// What it is: numerator / denominator.
    pub definition: &'static str,
}

/// Position of a metric in the catalogue, so that code names it without a string.
macro_rules! catalogue {
    ($($constant:ident $name:literal $level:ident $direction:ident $ratio:literal $macro:literal $always:literal $definition:literal),+ $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, missing_docs, reason = "only numbers the constants below")]
        #[repr(u16)]
        enum Index { $($constant),+ }
        $(
            #[doc = $definition]
            pub const $constant: Metric = Metric::BuiltIn(Index::$constant as u16);
        )+
        /// Every metric but `rule.<id>`, in the order of reports.
        pub static BUILT_IN: &[Entry] = &[$(Entry {
            name: $name, level: Level::$level, direction: Direction::$direction, is_ratio: $ratio, has_macro: $macro,
            always_listed: $always, definition: $definition,
        }),+];
    };
}

catalogue! {
    CASE_PASS_RATE "case_pass_rate" Case Higher true false true "cases with no error finding / cases that some rule judged",
    CITATION_PRECISION "citation_precision" Case Higher true true true "unique cited ids that were retrieved / unique cited ids",
    CITATION_RECALL "citation_recall" Case Higher true true true "relevant retrieved ids that were cited / relevant retrieved ids",
    CITATION_F1 "citation_f1" Case Higher true true true "harmonic mean of citation precision and citation recall",
    WEIGHTED_RECALL "weighted_recall" Case Higher true true true "weight of the relevant retrieved ids that were cited / weight of all relevant retrieved ids",
    CITATION_INTEGRITY_RATE "citation_integrity_rate" Citation Higher true true false "citations with no integrity failure / citations that an integrity rule judged",
    UNKNOWN_CITATION_RATE "unknown_citation_rate" Citation Lower true true false "citations whose id is not in the packet / citations that a `resolves` rule judged",
    OUT_OF_RANGE_RATE "out_of_range_rate" Citation Lower true true false "citations out of range / citations that an `id-range` rule judged",
    UNAUTHORIZED_CITATION_RATE "unauthorized_citation_rate" Citation Lower true true false "citations outside the allowed scopes / citations that a `scope` rule judged",
    STALE_CITATION_RATE "stale_citation_rate" Citation Lower true true false "citations of another version / citations that a `source-version` rule judged",
    LOCATOR_RESOLUTION_RATE "locator_resolution_rate" Citation Higher true true false "resolved citations with a resolvable locator or durable excerpt / resolved citations that a `locator` rule judged",
    CLAIM_COVERAGE "claim_coverage" Claim Higher true true true "verifiable claims with a citation / verifiable claims",
    RESOLVED_COVERAGE "resolved_coverage" Claim Higher true true true "verifiable claims with a citation that resolves / verifiable claims",
    CITATION_CORRECTNESS "citation_correctness" Claim Higher true true true "supported claims / cited verifiable claims; undecided counts as not supported",
    SUPPORTED_AND_CITED "supported_and_cited" Claim Higher true true true "supported claims / verifiable claims",
    DEFECT_RATE "defect_rate" Claim Lower true true true "claims labelled contradicted, insufficient, partial, unreadable or unresolved / cited verifiable claims",
    CONTRADICTION_RATE "contradiction_rate" Claim Lower true true true "contradicted claims / cited verifiable claims",
    INSUFFICIENT_RATE "insufficient_rate" Claim Lower true true true "insufficient claims / cited verifiable claims",
    PARTIAL_RATE "partial_rate" Claim Lower true true true "partial claims / cited verifiable claims",
    UNREADABLE_RATE "unreadable_rate" Claim Lower true true true "unreadable claims / cited verifiable claims",
    UNRESOLVED_RATE "unresolved_rate" Claim Lower true true true "unresolved claims / cited verifiable claims",
    UNDECIDED_RATE "undecided_rate" Claim Lower true true true "undecided claims / cited verifiable claims",
    PLACEMENT_RATE "placement_rate" Claim Higher true true false "passes / (passes + fails) of the `placement` rules",
    JUDGE_BROKEN_RATE "judge_broken_rate" Claim Lower true false false "broken verdicts / verdicts asked for",
    LABEL_ACCURACY "label_accuracy" Claim Higher true true false "claims whose label is the expected one / claims with an expected label",
    DEFECT_PRECISION "defect_precision" Claim Higher true true false "claims labelled and expected defective / claims labelled defective, of those with an expected label",
    DEFECT_RECALL "defect_recall" Claim Higher true true false "claims labelled and expected defective / claims expected defective",
    REFUSAL_RATE "refusal_rate" Case Neither true false false "refusals / cases",
    FALSE_REFUSAL_RATE "false_refusal_rate" Case Lower true false false "refusals of answerable cases / answerable cases",
    NO_CLAIM_RATE "no_claim_rate" Case Lower true false true "cases without a claim that needs a citation / cases, those of `answerable: false` left out",
    UNREAD_LANGUAGE_RATE "unread_language_rate" Case Lower true false false "cases in a language without a lexicon / cases",
    CITATIONS_PER_CLAIM "citations_per_claim" Claim Neither false true true "citations / verifiable claims",
}

/// What people look for a metric under, as parts of its name, and the metrics that measure it.
const SUBJECTS: &[(&[&str], &[&str])] = &[
    (
        &["hallucinat", "faithful", "grounded", "attribut", "factual", "truthful", "error", "defective", "mistake"],
        &["defect_rate", "citation_correctness"],
    ),
    (&["fabricat", "invent", "phantom", "nonexist"], &["unknown_citation_rate", "out_of_range_rate"]),
    (&["precision"], &["citation_precision", "defect_precision"]),
    (&["recall", "complete", "relevan"], &["citation_recall", "weighted_recall"]),
    (&["f1", "fscore", "f_score", "f-score"], &["citation_f1"]),
    (
        &["accura", "correct", "support", "entail", "verif"],
        &["citation_correctness", "supported_and_cited", "label_accuracy"],
    ),
    (&["cover", "uncited"], &["claim_coverage", "resolved_coverage"]),
    (&["contradict", "conflict"], &["contradiction_rate"]),
    (&["refus", "declin", "abstain", "abstention"], &["refusal_rate", "false_refusal_rate", "no_claim_rate"]),
    (&["stale", "outdated", "fresh"], &["stale_citation_rate"]),
    (&["permission", "unauthori", "scope", "leak"], &["unauthorized_citation_rate"]),
    (&["integrity", "valid", "broken"], &["citation_integrity_rate"]),
    (&["unknown", "unresolv"], &["unknown_citation_rate", "unresolved_rate"]),
    (&["language", "lexicon", "locale"], &["unread_language_rate"]),
    (&["pass", "success", "fail"], &["case_pass_rate"]),
];

/// The metrics that measure what a name speaks of, which is none of the catalogue.
#[must_use]
pub fn of_subject(name: &str) -> Option<&'static [&'static str]> {
    let name = name.to_lowercase();
    SUBJECTS.iter().find(|(words, _)| words.iter().any(|word| name.contains(word))).map(|(_, metrics)| *metrics)
}

impl Metric {
    /// The catalogue's entry; `None` for the rates of a rule, which are ratios at its rule's level: of `rule.<id>` higher is better,
    /// of `fail_rate.<id>` lower.
    #[must_use]
    pub fn entry(&self) -> Option<&'static Entry> {
        match self {
            Metric::BuiltIn(index) => BUILT_IN.get(usize::from(*index)),
            Metric::Rule(_) | Metric::FailRate(_) => None,
        }
    }

    /// Whether it says something of labels, and so nothing where nobody decided one.
    #[must_use]
    pub fn rests_on_labels(&self) -> bool {
        [
            CITATION_CORRECTNESS,
            SUPPORTED_AND_CITED,
            DEFECT_RATE,
            CONTRADICTION_RATE,
            INSUFFICIENT_RATE,
            PARTIAL_RATE,
            UNREADABLE_RATE,
            UNRESOLVED_RATE,
            UNDECIDED_RATE,
            DEFECT_PRECISION,
            DEFECT_RECALL,
        ]
        .contains(self)
    }

    /// Which way it is better.
    #[must_use]
    pub fn direction(&self) -> Direction {
        match self {
            Metric::BuiltIn(_) => self.entry().map_or(Direction::Higher, |entry| entry.direction),
            Metric::Rule(_) => Direction::Higher,
            Metric::FailRate(_) => Direction::Lower,
        }
    }

    /// The built-in metric with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Metric> {
        let index = BUILT_IN.iter().position(|entry| entry.name == name)?;
        u16::try_from(index).ok().map(Metric::BuiltIn)
    }
}

/// How the cases of a slice are put together.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Average {
    /// Sum of numerators over sum of denominators.
    Micro,
    /// Mean of the ratios of the cases that have a denominator.
    Macro,
}

impl fmt::Display for Average {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Average::Micro => "micro",
            Average::Macro => "macro",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_point_at_their_entries() {
        assert_eq!(Metric::named("defect_rate"), Some(DEFECT_RATE));
        assert_eq!(CITATIONS_PER_CLAIM.entry().map(|entry| entry.name), Some("citations_per_claim"));
        assert_eq!(Metric::named("defect-rate"), None);
    }

    #[test]
    fn subjects_name_metrics_of_the_catalogue() {
        assert_eq!(of_subject("Hallucination_rate"), Some(&["defect_rate", "citation_correctness"][..]));
        assert_eq!(of_subject("latency"), None);
        for name in SUBJECTS.iter().flat_map(|(_, metrics)| *metrics) {
            assert!(Metric::named(name).is_some(), "{name}");
        }
    }
}
