//! `run.json`, the manifest of a run (SPEC 8.1): a versioned format, documented in `docs/run-format.md`.
//!
//! It holds nothing that differs between two runs over the same inputs: no clock, no thread count, no path that the
//! user did not give.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::flips::Flips;
use crate::check::{Certainty, Family, Severity, Stage, Subject};
use crate::dataset::Label;
use crate::dataset::folder::LeftOut;
use crate::dataset::slip::Object;
use crate::diagnostic::{Problem, code};
use crate::gate::counting::Uncounted;
use crate::gate::{Cause, Effect, Verdict};
use crate::rules::metric::Average;
use crate::rules::settings::MARKDOWN_CHARACTERS;
use crate::run::review::Lapse;
use crate::tally::OpenReason;

/// Schema of `run.json`.
pub const SCHEMA: &str = "citeward/run/1";

/// The manifest of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunJson {
    /// [`SCHEMA`].
    pub schema: String,
    /// Verdict of the run.
    pub verdict: RunVerdict,
    /// Who evaluated.
    pub engine: Engine,
    /// By which policy.
    pub policy: PolicyStamp,
    /// On which data, in the order in which it was read.
    pub datasets: Vec<DatasetStamp>,
    /// What lies in the folder of datasets and was not evaluated; left out where nothing does. Older versions are no part of it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub left_out: Vec<LeftOut>,
    /// Everything else that went in.
    pub inputs: Inputs,
    /// What was counted. Bad lines that were skipped stand with their dataset.
    pub counts: Counts,
    /// Cited verifiable claims by label; labels that no claim has are left out.
    pub labels: BTreeMap<Label, u64>,
    /// The same claims by label and by who decided; the counts of one label add up to its count in `labels`.
    pub by_decider: Vec<DeciderCount>,
    /// Every metric that was computed, in every slice.
    pub metrics: Vec<MetricEntry>,
    /// Every gate on every slice that it judges, in the order of the policy.
    pub gates: Vec<GateEntry>,
    /// Findings by rule; rules without one are left out. Observed findings are counted too.
    pub findings: BTreeMap<String, u64>,
    /// Cases that failed by errors which no gate counts.
    #[serde(default)]
    pub uncounted: Uncounted,
    /// Findings that belong together, worst first.
    pub clusters: Vec<ClusterEntry>,
    /// The team that owns each stage of the product, as the policy names it.
    pub owners: BTreeMap<Stage, String>,
    /// Outcomes of every rule of the policy, by its id.
    pub rules: BTreeMap<String, RuleEntry>,
    /// Every slice with its size, dimension by dimension in the order of the policy.
    pub slices: Vec<SliceEntry>,
    /// What waits for a reviewer, and what became of reviewers' decisions.
    #[serde(default)]
    pub review: ReviewStamp,
    /// What was taken out of everything that was written; left out where the policy takes nothing out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub redaction: Option<RedactionStamp>,
    /// The limits that held, and which of them were reached.
    pub limits: LimitsStamp,
    /// What the policy says of the reports, so that they can be rendered again.
    #[serde(default)]
    pub report: ReportStamp,
    /// What flipped against each baseline.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub flips: Vec<BaselineFlips>,
    /// Fields of the data that nothing reads and that look meant, in the order of the input.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub field_notes: Vec<FieldNote>,
    /// What a reader must know before trusting the run, one sentence each.
    pub warnings: Vec<String>,
}

/// A field of the data that nothing reads and that looks meant: a slip of a known name, or another tool's name for one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldNote {
    /// What it stands in.
    pub object: Object,
    /// Its name.
    pub field: String,
    /// The name that is read; `null` where no field of a case holds the like.
    pub meant: Option<String>,
    /// What to do.
    pub remedy: String,
    /// Objects that have it.
    pub count: u64,
    /// `file:line` of the first.
    pub first: String,
}

/// What was taken out of everything that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedactionStamp {
    /// Names of the patterns, in the order of the policy.
    pub patterns: Vec<String>,
    /// The fields.
    pub fields: Vec<String>,
    /// Whether hashes of texts and ids are made under a key.
    pub keyed: bool,
    /// A short value that is the same for the same key; `null` without one.
    pub key_check: Option<String>,
}

/// What flipped against one baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BaselineFlips {
    /// Name of the baseline; empty: the one without a name.
    pub baseline: String,
    /// The dataset.
    pub dataset: String,
    /// What flipped; at most a thousand of each direction are listed, all are counted.
    pub flips: Flips,
}

/// Verdict of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunVerdict {
    /// Every gate passed or warned.
    Pass,
    /// A gate failed.
    Fail,
}

/// Who evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Engine {
    /// Version of citeward.
    pub version: String,
}

/// The policy of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyStamp {
    /// Digest of the whole policy.
    pub digest: String,
    /// Digest of the part that decides records.
    pub evaluation_digest: String,
    /// Digest of the gates and what belongs to them.
    pub gates_digest: String,
    /// Its files as displayed, in reading order; empty: the built-in policy.
    pub files: Vec<String>,
}

/// A dataset of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetStamp {
    /// Its name; of a plain file, its path as given.
    pub name: String,
    /// Its version; `null`: unversioned.
    pub version: Option<String>,
    /// What it is for: `smoke`, `regression`, `calibration` or `challenge`.
    pub purpose: Option<String>,
    /// Whether a `dataset.yaml` with digests holds it still.
    pub frozen: bool,
    /// Digest over all case digests.
    pub content_digest: String,
    /// Digest over the questions alone, which stays the same when only answers change.
    pub questions_digest: String,
    /// Cases that were evaluated.
    pub cases: u64,
    /// Bad lines that were skipped.
    pub skipped_lines: u64,
}

/// What went in beside the policy and the datasets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    /// A candidate's answers laid over the cases.
    pub answers: Option<FileStamp>,
    /// The source register.
    pub sources: Option<FileStamp>,
    /// The baselines that gates were held against.
    pub baselines: Vec<BaselineStamp>,
    /// Whether findings that the baseline has were told from new ones (`fail_on: new`); left out where not.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub tells_new: bool,
    /// Reviewers' decisions.
    pub decisions: Option<FileStamp>,
    /// The day that expiring decisions were held against, `YYYY-MM-DD`; left out where no decision expires.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub today: Option<String>,
    /// Whether passages are in the outputs.
    pub evidence: EvidenceMode,
}

/// A file that went in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStamp {
    /// Its path as the user gave it.
    pub path: String,
    /// SHA-256 of its bytes, `sha256:…`.
    pub sha256: String,
}

/// A baseline that gates were held against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaselineStamp {
    /// Its name; empty: the one without a name.
    pub name: String,
    /// The dataset that it holds.
    pub dataset: String,
    /// Version of the dataset.
    pub version: Option<String>,
    /// The file.
    pub file: FileStamp,
    /// Digest over its questions.
    pub questions_digest: String,
    /// Digest over its cases.
    pub content_digest: String,
    /// Digest of the part of the policy that judged it.
    pub evaluation_digest: String,
    /// Version of citeward that judged it.
    pub engine: String,
}

/// Whether passages are in the outputs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceMode {
    /// Excerpts are written out.
    #[default]
    Full,
    /// Only their hashes are.
    HashOnly,
}

/// What was counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Cases, one line of `cases.jsonl` each.
    pub cases: u64,
    /// Cases with at least one finding of severity `error` that counts.
    pub failing_cases: u64,
    /// Cases whose answer is a refusal.
    pub refused_cases: u64,
    /// Cases without a claim that needs a citation, those of `answerable: false` left out.
    #[serde(default)]
    pub cases_without_claims: u64,
    /// Cases in a language without a lexicon.
    #[serde(default)]
    pub cases_in_unread_languages: u64,
    /// Cases that could not be evaluated, such as one without an answer.
    pub broken_cases: u64,
    /// Claims of every class, one line of `records.jsonl` each.
    pub claims: u64,
    /// Claims that can be checked and so need a citation.
    pub verifiable_claims: u64,
    /// Verifiable claims with at least one citation.
    pub cited_claims: u64,
    /// Distinct (claim, evidence id) pairs, those without a claim included.
    pub citations: u64,
    /// Citations that resolve to no unit of the packet.
    pub unresolved_citations: u64,
}

/// Number of cited verifiable claims with one label that one decider decided.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DeciderCount {
    /// The label.
    pub label: Label,
    /// `rule:<id>`, `integrity`, `judge`, `review`, or `nobody`.
    pub decided_by: String,
    /// How many claims.
    pub count: u64,
}

/// A number of a metric: a count, or the sum of ratios that a macro average divides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Number {
    /// A count.
    Count(u64),
    /// A sum of ratios, or a count beyond 64 bits.
    Real(f64),
}

/// One metric in one slice. A value over nothing is `null`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetricEntry {
    /// Its name in the catalogue.
    pub metric: String,
    /// How cases are put together.
    pub average: Average,
    /// Value by slice dimension; empty: the whole dataset.
    pub slice: BTreeMap<String, String>,
    /// What is counted. Macro: the sum of the cases' ratios.
    pub numerator: Number,
    /// Out of how many. Macro: cases that have a denominator.
    pub denominator: Number,
    /// Numerator / denominator.
    pub value: Option<f64>,
    /// Cases with a denominator.
    pub cases: u64,
    /// Subjects on which an evaluation that the metric rests on broke.
    pub broken: u64,
    /// The value as it is, and as it would be with every undecided claim supported.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub range: Option<[f64; 2]>,
}

/// One gate on one slice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateEntry {
    /// Its id.
    pub gate: String,
    /// The metric that it holds.
    pub metric: String,
    /// How cases are put together.
    pub average: Average,
    /// Value by slice dimension; empty: the whole dataset.
    pub slice: BTreeMap<String, String>,
    /// What a failure means: `error` fails the run.
    pub severity: Severity,
    /// How it came out.
    pub verdict: Verdict,
    /// What that means for the run.
    pub effect: Effect,
    /// What decided.
    pub cause: Cause,
    /// Why, in one sentence.
    pub reason: String,
    /// The metric's value; `null` over nothing.
    pub value: Option<f64>,
    /// What is counted. Macro: the sum of the cases' ratios.
    pub numerator: Number,
    /// Out of how many. Macro: cases that have a denominator.
    pub denominator: Number,
    /// The bounds, as written in the policy.
    pub bound: BoundEntry,
    /// Least denominator that the gate judges.
    pub min_samples: u64,
    /// Subjects whose evaluation broke, skipped lines and missing answers included.
    pub broken: u64,
    /// One-sided confidence, as written, where statistics were asked for.
    pub confidence: Option<String>,
    /// Interval of the value at that confidence, where statistics were asked for.
    pub interval: Option<(f64, f64)>,
    /// The baseline's side, where the gate compares.
    pub baseline: Option<BaselineEntry>,
    /// One-sided p of the drop, adjusted for the number of slices, where statistics were asked for.
    pub p: Option<f64>,
    /// Every comparison with a baseline, where the gate compares; `baseline` and `p` are those of the one that decided.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub comparisons: Vec<ComparisonEntry>,
    /// `file:line` of the gate in the policy.
    pub place: String,
}

/// Bounds of a gate, decimals as written in the policy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundEntry {
    /// Lowest value that passes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub min: Option<String>,
    /// Highest value that passes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max: Option<String>,
    /// Largest drop against the baseline.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_drop: Option<String>,
    /// Largest rise against the baseline.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub max_rise: Option<String>,
    /// Whether drop and rise are shares of the baseline's value.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub relative: bool,
}

/// The baseline's side of a gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BaselineEntry {
    /// The metric's value there.
    pub value: Option<f64>,
    /// What was counted there.
    pub numerator: Option<u64>,
    /// Out of how many there.
    pub denominator: u64,
}

/// Findings of one rule with one code and one stage at fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterEntry {
    /// The rule.
    pub rule: String,
    /// The code.
    pub code: String,
    /// The stage at fault; `null` where it cannot be told.
    pub stage: Option<Stage>,
    /// The team that owns the stage; `null` where the policy names none.
    pub owner: Option<String>,
    /// How bad.
    pub severity: Severity,
    /// How sure.
    pub certainty: Certainty,
    /// Whether the rule only observes.
    pub observed: bool,
    /// Whether the baseline has them and they fail no case (`fail_on: new`); left out where not.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub known: bool,
    /// Whether reviewers overturned them; left out where not.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub overturned: bool,
    /// How many findings.
    pub count: u64,
    /// In how many cases.
    pub cases: u64,
    /// Slices in which they are more frequent than elsewhere, the most striking first.
    pub gathers: Vec<GatherEntry>,
}

/// A slice in which findings gather.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GatherEntry {
    /// Value by slice dimension.
    pub slice: BTreeMap<String, String>,
    /// How many of the findings lie there.
    pub count: u64,
}

/// A gate against one baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparisonEntry {
    /// Name of the baseline; empty: the one without a name.
    pub baseline: String,
    /// How it came out.
    pub verdict: Verdict,
    /// What that means for the run.
    pub effect: Effect,
    /// What decided.
    pub cause: Cause,
    /// Why, in one sentence.
    pub reason: String,
    /// The baseline's value over the paired cases.
    pub before: Option<f64>,
    /// The value now over the paired cases.
    pub now: Option<f64>,
    /// By how much it got worse; negative where it got better.
    pub drop: Option<f64>,
    /// K, N, K′, N′ over the paired cases, unprimed = baseline; of micro averages.
    pub counts: Option<[u64; 4]>,
    /// Paired cases with a denominator on either side.
    pub paired_cases: u64,
    /// Cases of the baseline that are not in the slice any more.
    pub removed: u64,
    /// Cases that the baseline does not have in the slice.
    pub added: u64,
    /// Cases that ask something else.
    pub changed: u64,
    /// One-sided p of the drop.
    pub p: Option<f64>,
    /// The same, adjusted for the number of slices (Holm).
    pub adjusted_p: Option<f64>,
    /// How p was come by.
    pub method: Option<String>,
    /// The least true drop that would be seen four times in five.
    pub smallest_detectable: Option<f64>,
}

/// A rule and how it came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleEntry {
    /// Subjects on which it holds.
    pub pass: u64,
    /// Subjects on which it does not hold.
    pub fail: u64,
    /// Subjects on which it has nothing to say.
    pub not_applicable: u64,
    /// Subjects on which it could not be evaluated.
    pub broken: u64,
    /// Findings on claims that a reviewer called a defect too.
    #[serde(default)]
    pub confirmed: u64,
    /// Findings on claims that a reviewer called supported all the same.
    #[serde(default)]
    pub overturned: u64,
    /// Its kind of check.
    pub check: String,
    /// What a subject is.
    pub subject: Subject,
    /// What it is about.
    pub family: Family,
    /// How bad its findings are.
    pub severity: Severity,
    /// Whether its findings only inform.
    pub observed: bool,
    /// `file:line` where it is written.
    pub place: String,
    /// First line of the kind's manual page.
    pub manual: String,
}

/// Size of one slice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SliceEntry {
    /// Value by slice dimension; empty: the whole dataset.
    pub slice: BTreeMap<String, String>,
    /// Cases in it, or with a claim or citation in it.
    pub cases: u64,
    /// Claims in it; 0 for slices of citations.
    pub claims: u64,
    /// Citations in it.
    pub citations: u64,
}

/// What waits for a reviewer, and what became of reviewers' decisions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReviewStamp {
    /// Claims that wait, one line of `review.jsonl` each.
    pub open: u64,
    /// The same by reason; a claim with several reasons counts under each.
    pub reasons: BTreeMap<OpenReason, u64>,
    /// Most claims that may wait, where the policy says so.
    pub max_unreviewed: Option<u64>,
    /// Claims whose label is a reviewer's.
    pub decided: u64,
    /// Decisions that decided nothing because claim, evidence or case are no longer the same; without expired ones.
    pub lapsed: u64,
    /// Decisions that decided nothing because their last day is over.
    pub expired: u64,
    /// Both by why.
    pub why: BTreeMap<Lapse, u64>,
    /// Each of them, in the order of the file, at most 1,000.
    pub lapses: Vec<LapseEntry>,
}

/// A decision that decided nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LapseEntry {
    /// Its line in the file of decisions, from 1.
    pub line: u64,
    /// Id of the case.
    pub case_id: String,
    /// Id that the claim had.
    pub claim_id: String,
    /// The label that it gave.
    pub label: Label,
    /// Why it decided nothing.
    pub why: Lapse,
}

/// What a policy says of the reports of a run. It has no part in what is judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportStamp {
    /// Their title; `null`: the names of the datasets.
    pub title: Option<String>,
    /// Links at their top, in the order of the policy.
    pub links: Vec<LinkEntry>,
    /// The largest Markdown report, in characters.
    pub markdown_characters: u64,
    /// The folder with templates that the policy names; `null`: none.
    pub templates: Option<String>,
    /// The templates in place of the shipped ones that the reports were rendered by.
    pub rendered_by: Vec<FileStamp>,
}

impl Default for ReportStamp {
    fn default() -> Self {
        Self {
            title: None,
            links: Vec::new(),
            markdown_characters: MARKDOWN_CHARACTERS as u64,
            templates: None,
            rendered_by: Vec::new(),
        }
    }
}

/// A link at the top of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkEntry {
    /// What it says.
    pub text: String,
    /// Where it leads: `http` or `https`.
    pub url: String,
}

/// The limits of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitsStamp {
    /// Most findings of one rule that a report shows.
    pub findings_per_rule: u64,
    /// Limits that were reached, by name in the policy, with how often.
    pub hit: BTreeMap<String, u64>,
}

impl Number {
    /// The number where it is a count.
    #[must_use]
    pub const fn count(self) -> Option<u64> {
        match self {
            Number::Count(count) => Some(count),
            Number::Real(_) => None,
        }
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        match self {
            Number::Count(count) => count == 0,
            Number::Real(real) => real == 0.0,
        }
    }
}

impl RunJson {
    /// The bytes of `run.json`: indented JSON that ends in a line break.
    ///
    /// # Errors
    /// A [`Problem`] where a value is not finite, which no metric is.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Problem> {
        let mut bytes = serde_json::to_vec_pretty(self)
            .map_err(|error| Problem::new(code::NOT_FINITE, format!("run.json cannot be written: {error}")))?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Reads `run.json`. `name` is its path as displayed.
    ///
    /// # Errors
    /// A [`Problem`] where the schema is another one or the text is not a manifest of this schema.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<Self, Problem> {
        #[derive(Deserialize)]
        struct Versioned {
            schema: String,
        }
        let malformed = |error: serde_json::Error| {
            Problem::new(code::MALFORMED_JSON, format!("not a run manifest: {error}"))
                .in_file(name)
                .help("give the folder that `citeward check --out` wrote")
        };
        let versioned: Versioned = serde_json::from_slice(bytes).map_err(malformed)?;
        if versioned.schema != SCHEMA {
            return Err(Problem::new(code::VERSION, "a run of another format version")
                .in_file(name)
                .found(crate::diagnostic::quoted(&versioned.schema), format!("\"{SCHEMA}\""))
                .help("read it with the version of citeward that wrote it, or evaluate again"));
        }
        serde_json::from_slice(bytes).map_err(malformed)
    }
}
