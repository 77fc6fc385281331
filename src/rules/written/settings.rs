//! The sections that are single maps: baseline, judge, review, redact, limits, report and drill.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{OnMismatch, ReactionWord, Words};
use crate::yaml::{DecimalText, Located};

/// How a run is held against earlier ones.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Baseline {
    /// The baselines that must all hold, by name. Default: the one of the dataset.
    pub against: Option<Located<Words>>,
    /// What another dataset, policy or judge than the baseline's leads to. Default: `fail`.
    pub on_mismatch: Option<OnMismatch>,
    /// `all` (default): every finding fails its case; `new`: only findings that the baseline does not have.
    pub fail_on: Option<FailOn>,
    /// The highest share of changed questions that may be left out of a comparison. Default: 0.05.
    pub max_changed_questions: Option<Located<DecimalText>>,
    /// What cases of the baseline that are not in the run lead to. Default: `fail`.
    pub removed_cases: Option<ReactionWord>,
}

/// Which findings fail a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailOn {
    /// All of them.
    All,
    /// Those that the baseline does not have.
    New,
}

/// The semantic judge, for claims that rules leave open. Exactly one of `labels`, `command` and `http`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Judge {
    /// Name of the judge in records and caches.
    pub id: Option<Located<String>>,
    /// A JSON Lines file of verdicts.
    pub labels: Option<Located<String>>,
    /// A child process that speaks JSON lines: the program and its arguments.
    pub command: Option<Located<Vec<String>>>,
    /// An OpenAI-compatible chat endpoint.
    pub http: Option<Located<JudgeHttp>>,
    /// Which claims are sent. Default: `undecided`.
    pub ask: Option<Ask>,
    /// Whether the verdict `partial` is allowed. Default: no, partial support is insufficient.
    pub partial: Option<bool>,
    /// A calibration artefact, checked before its threshold is used; needed for judges that give scores.
    pub calibration: Option<Located<String>>,
    /// A prompt template in place of the shipped one.
    pub prompt: Option<Located<String>>,
    /// Seconds before a request counts as broken, 1 to 3600. Default: 60.
    pub timeout_seconds: Option<Located<u64>>,
    /// How often a broken request is tried again, 0 to 10. Default: 2.
    pub retries: Option<Located<u32>>,
    /// Requests at the same time, 1 to 256. Default: 4.
    pub concurrency: Option<Located<u32>>,
}

/// Where a judge over HTTP is asked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeHttp {
    /// The address of the chat endpoint, `https://…` or `http://…`.
    pub url: Located<String>,
    /// The model.
    pub model: Located<String>,
    /// The environment variable that holds the key. Keys never stand in a file.
    #[serde(default)]
    pub key_env: Option<Located<String>>,
    /// The seed of the request.
    #[serde(default)]
    pub seed: Option<u64>,
    /// The temperature of the request, 0 to 2. Default: 0.
    #[serde(default)]
    pub temperature: Option<Located<f64>>,
}

/// Which claims a judge is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Those that rules left open.
    Undecided,
    /// All cited claims.
    All,
    /// None.
    Never,
}

/// What goes to a person.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Review {
    /// Judge verdicts under this confidence are reviewed.
    pub confidence_below: Option<Located<DecimalText>>,
    /// The share of passing claims that is reviewed too, drawn with a fixed seed.
    pub sample_passes: Option<Located<DecimalText>>,
    /// How many entries may stay open before the run fails.
    pub max_unreviewed: Option<u64>,
    /// The file of decisions. Default: `decisions.jsonl`.
    pub decisions: Option<Located<String>>,
}

/// What is taken out of everything that leaves the program.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Redact {
    /// Shipped patterns by `id`, or own ones with a `pattern`.
    pub patterns: Option<Located<Vec<Located<RedactPattern>>>>,
    /// Whole fields, by path, such as `meta.owner`.
    pub fields: Option<Vec<Located<String>>>,
    /// The environment variable with the key for keyed hashes.
    pub hash_key_env: Option<Located<String>>,
}

/// One pattern of what is taken out.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RedactPattern {
    /// Name of the pattern; without `pattern`, one of the shipped ones.
    pub id: Located<String>,
    /// A regular expression; all of the match is taken out.
    #[serde(default)]
    pub pattern: Option<Located<String>>,
}

/// Limits on what is read and shown.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// The longest line of a data file, in bytes. Default: 16777216.
    pub line_bytes: Option<Located<u64>>,
    /// The deepest nesting of a JSON value. Default: 128.
    pub json_depth: Option<Located<u64>>,
    /// The most claims of one case. Default: 1000.
    pub claims_per_case: Option<Located<u64>>,
    /// The most citations of one claim. Default: 100.
    pub citations_per_claim: Option<Located<u64>>,
    /// The most findings of one rule that a report shows. Default: 100.
    pub findings_per_rule: Option<Located<u64>>,
}

/// What reports look like.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Report {
    /// The title. Default: the names of the datasets.
    pub title: Option<Located<String>>,
    /// A folder with templates in place of the shipped ones, relative to where the program runs.
    pub templates: Option<Located<String>>,
    /// The largest Markdown report, in characters. Default: 60000.
    pub markdown_characters: Option<Located<u64>>,
    /// Links that stand at the top, by text.
    pub links: Option<BTreeMap<String, Located<String>>>,
}

/// Which mutations `drill` tries.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Drill {
    /// Only these. Default: all.
    pub mutations: Option<Located<Vec<Located<Mutation>>>>,
    /// The share of mutants that may escape. Default: 0.
    pub max_escaped: Option<Located<DecimalText>>,
}

/// A way in which `drill` breaks a sound case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the words say it")]
pub enum Mutation {
    MarkerDropped,
    IdSwapped,
    Renumbered,
    OutOfRange,
    VersionStaled,
    ScopeChanged,
    DigitChanged,
    UnitChanged,
    NegationFlipped,
    QualifierFlipped,
    DateShifted,
    QuoteAltered,
    UrlInjected,
    MarkerMoved,
    ClaimAltered,
}
