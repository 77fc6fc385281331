//! The sections that evaluation itself does not need: baseline, judge, review, redaction, report and drill, as checked.

use regex::Regex;

use super::policy::{Bound, FieldPath, Reaction};
pub use super::written::{Ask, FailOn, Mutation, OnMismatch};
use crate::text::redact::Redactor;

/// What a policy says about everything around evaluation.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How a run is held against earlier ones.
    pub baseline: Baseline,
    /// The semantic judge, where there is one.
    pub judge: Option<Judge>,
    /// What goes to a person.
    pub review: Review,
    /// What is taken out of everything that leaves the program.
    pub redact: Redact,
    /// What reports look like.
    pub report: Report,
    /// Which mutations `drill` tries.
    pub drill: Drill,
}

/// How a run is held against earlier ones.
#[derive(Debug, Clone)]
pub struct Baseline {
    /// Names of the baselines that must all hold; empty: the one of the dataset.
    pub against: Vec<String>,
    /// What another dataset, policy or judge leads to.
    pub on_mismatch: OnMismatch,
    /// Which findings fail a case.
    pub fail_on: FailOn,
    /// The highest share of changed questions that may be left out of a comparison.
    pub max_changed_questions: Bound,
    /// What cases of the baseline that are not in the run lead to.
    pub removed_cases: Reaction,
    /// `file:line` of the section; empty where the policy has none.
    pub place: String,
}

/// A semantic judge.
#[derive(Debug, Clone)]
pub struct Judge {
    /// Its name in records and caches.
    pub id: String,
    /// Where verdicts come from.
    pub source: JudgeSource,
    /// Which claims are sent.
    pub ask: Ask,
    /// Whether the verdict `partial` is allowed.
    pub partial: bool,
    /// A calibration artefact.
    pub calibration: Option<String>,
    /// A prompt template in place of the shipped one.
    pub prompt: Option<String>,
    /// Seconds before a request counts as broken.
    pub timeout_seconds: u64,
    /// How often a broken request is tried again.
    pub retries: u32,
    /// Requests at the same time.
    pub concurrency: u32,
}

/// Where a judge's verdicts come from.
#[derive(Debug, Clone, PartialEq)]
pub enum JudgeSource {
    /// A JSON Lines file.
    Labels(String),
    /// A program and its arguments.
    Command(Vec<String>),
    /// A chat endpoint.
    Http {
        /// Its address.
        url: String,
        /// The model.
        model: String,
        /// The environment variable with the key.
        key_env: Option<String>,
        /// The seed of each request.
        seed: Option<u64>,
        /// The temperature of each request, 0 to 2.
        temperature: f64,
    },
}

/// What goes to a person.
#[derive(Debug, Clone, Default)]
pub struct Review {
    /// Judge verdicts under this confidence are reviewed.
    pub confidence_below: Option<Bound>,
    /// The share of passing claims that is reviewed too.
    pub sample_passes: Option<Bound>,
    /// How many entries may stay open; `None`: any number.
    pub max_unreviewed: Option<u64>,
    /// The file of decisions.
    pub decisions: Option<String>,
    /// `file:line` of the section; empty where the policy has none.
    pub place: String,
}

/// The id of the gate that `review: max_unreviewed` is.
pub const UNREVIEWED_GATE: &str = "max-unreviewed";

/// The id of the gate that every run has that is held against a baseline.
pub const BASELINE_GATE: &str = "baseline-cases";

/// The names of the shipped patterns for redaction.
pub const REDACTIONS: [&str; 5] = ["email", "phone", "key", "token", "iban"];

/// What is taken out of everything that leaves the program.
#[derive(Debug, Clone, Default)]
pub struct Redact {
    /// By id: a pattern of the policy, or `None` for the shipped one of this name.
    pub patterns: Vec<(String, Option<Regex>)>,
    /// Whole fields.
    pub fields: Vec<FieldPath>,
    /// The environment variable with the key for keyed hashes.
    pub hash_key_env: Option<String>,
    /// The patterns and the names of the fields, made ready.
    pub redactor: Redactor,
    /// `file:line` of the section; empty where the policy has none.
    pub place: String,
}

/// The largest Markdown report, in characters, where the policy names none: a pull-request comment may hold a few more.
pub const MARKDOWN_CHARACTERS: usize = 60_000;

/// What reports look like.
#[derive(Debug, Clone)]
pub struct Report {
    /// The title, where the policy names one.
    pub title: Option<String>,
    /// A folder with templates in place of the shipped ones.
    pub templates: Option<String>,
    /// `file:line` of that folder's name; empty where the policy has none.
    pub templates_place: String,
    /// The largest Markdown report, in characters.
    pub markdown_characters: usize,
    /// Links that stand at the top, text and address in the order of the file; `http` or `https` only.
    pub links: Vec<(String, String)>,
}

/// Which mutations `drill` tries.
#[derive(Debug, Clone)]
pub struct Drill {
    /// Only these; empty: all.
    pub mutations: Vec<Mutation>,
    /// The share of mutants that may escape.
    pub max_escaped: Bound,
}
