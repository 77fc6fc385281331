//! The policy as compiled: what evaluation, tallies and gates work with. Nothing in here can fail any more for a reason
//! of configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

use regex::Regex;

use super::metric::{Average, Level, Metric};
use super::settings::Settings;
use crate::check::{Check, Defect, Family, KindEntry, Severity, Stage};
use crate::citation::{ClaimPolicy, MarkerSet};
use crate::dataset::slip::Object;
use crate::text::{Digest, Lexicons};

/// A compiled policy.
#[derive(Debug)]
pub struct Policy {
    /// The files it came from, in reading order, as displayed; empty for the built-in policy.
    pub files: Vec<String>,
    /// Digest of the whole policy.
    pub digest: Digest,
    /// Digest of what decides records: everything but gates, baseline, review, report and drill.
    pub evaluation_digest: Digest,
    /// Digest of the gates and what belongs to them.
    pub gates_digest: Digest,
    /// The marker grammars.
    pub markers: MarkerSet,
    /// How claims are derived.
    pub claims: ClaimPolicy,
    /// The word lists.
    pub lexicons: Arc<Lexicons>,
    /// Language of cases that name none, a primary subtag.
    pub default_language: String,
    /// The rules, in file order.
    pub rules: Vec<Rule>,
    /// The declared slice dimensions, in file order.
    pub slices: Vec<Dimension>,
    /// The gates, in file order; never empty.
    pub gates: Vec<Gate>,
    /// Limits on input.
    pub limits: Limits,
    /// Team that owns a stage, by stage.
    pub owners: BTreeMap<Stage, String>,
    /// What the rules say of themselves, for `lint` to run.
    pub examples: Vec<Example>,
    /// The sections on baseline, judge, review, redaction, report and drill.
    pub settings: Settings,
    /// What is written here and has no effect, each as a sentence with its place: sections that this version checks but
    /// does not act on, gates that cannot fail, rules that do not count. Whoever declares it must be told: a policy that
    /// redacts nothing looks like one that redacts.
    pub idle: Vec<String>,
}

impl Policy {
    /// Whether a slice, a rule or the redaction names this field, or something in it.
    #[must_use]
    pub fn addresses(&self, object: Object, field: &str) -> bool {
        let of_slices = self.slices.iter().filter_map(|slice| slice.source.path());
        let of_rules = self.rules.iter().flat_map(|rule| rule.check.fields());
        let paths = of_slices.chain(&self.settings.redact.fields).map(|path| path.0.as_str()).chain(of_rules);
        let mut own = paths.map(|path| match path.split_once('.') {
            Some(("claim" | "claims", rest)) => (Object::Claim, rest),
            Some(("source" | "sources", rest)) => (Object::Unit, rest),
            _ => (Object::Case, path),
        });
        own.any(|(of, path)| of == object && (path == field || path.split('.').next() == Some(field)))
    }
}

impl DimensionSource {
    /// The field that the values come from, where they come from one.
    #[must_use]
    pub fn path(&self) -> Option<&FieldPath> {
        match self {
            DimensionSource::Field(path) | DimensionSource::Bins(path, _) | DimensionSource::Pattern(path, _) => {
                Some(path)
            }
            DimensionSource::When(_) | DimensionSource::Cross(_) => None,
        }
    }
}

/// One example of a rule: a small case, and how the rule must come out on it.
#[derive(Debug, Clone)]
pub struct Example {
    /// Index of the rule in [`Policy::rules`].
    pub rule: usize,
    /// Whether the rule must pass; else it must fail.
    pub pass: bool,
    /// `file:line` where it is written.
    pub place: String,
    /// The case, as a line of a dataset would say it: a JSON object with `case_id`, `answer`, `claims` and `sources`.
    pub case: serde_json::Value,
}

/// Limits on input and output (SPEC 5.8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Longest line of a data file, in bytes.
    pub line_bytes: usize,
    /// Deepest nesting of a JSON value.
    pub json_depth: usize,
    /// Most claims of one case.
    pub claims_per_case: usize,
    /// Most citations of one claim.
    pub citations_per_claim: usize,
    /// Most findings of one rule that a report shows.
    pub findings_per_rule: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line_bytes: 16 << 20,
            json_depth: 128,
            claims_per_case: 1000,
            citations_per_claim: 100,
            findings_per_rule: 100,
        }
    }
}

/// Whether a rule's findings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Findings count.
    Enforce,
    /// Reported and counted; gates nothing, labels nothing, fails no case.
    Observe,
}

/// What a rule does where the data it needs is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnMissing {
    /// The rule is not applicable.
    NotApplicable,
    /// The rule could not be evaluated.
    Broken,
    /// The rule fails, with code `data-missing`.
    Fail,
}

/// How the units that a claim cites are put together for a support rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combine {
    /// All cited passages are read together.
    Union,
    /// One cited passage that passes suffices.
    Any,
    /// Every cited passage must pass.
    All,
}

/// A compiled rule.
#[derive(Debug)]
pub struct Rule {
    /// Unique in the policy.
    pub id: String,
    /// What it is for, in the policy owner's words.
    pub description: Option<String>,
    /// `file:line` where it is written.
    pub place: String,
    /// Its kind.
    pub kind: &'static KindEntry,
    /// The compiled check.
    pub check: Check,
    /// How bad its findings are.
    pub severity: Severity,
    /// Whether its findings count.
    pub mode: Mode,
    /// Where it applies.
    pub when: When,
    /// What absent data leads to.
    pub on_missing: OnMissing,
    /// How cited units are put together (support rules).
    pub combine: Combine,
    /// What its findings imply, in place of the kind's own defaults.
    pub implies: Option<Defect>,
    /// Whether its findings are final, in place of the kind's own defaults.
    pub is_final: Option<bool>,
    /// Whether a pass establishes that the claim is supported (SPEC 5.4, 5).
    pub establishes_support: bool,
    /// Template of the message, in place of the kind's own.
    pub message: Option<MessageTemplate>,
}

impl Rule {
    /// What the rule is about.
    #[must_use]
    pub const fn family(&self) -> Family {
        self.kind.family
    }
}

/// A rule's own message: a minijinja template that was compiled and whose names were checked when the rules were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageTemplate(pub String);

/// A condition; every part that is given must hold. The empty condition always holds.
#[derive(Debug, Default)]
pub struct When {
    /// The claim's text matches.
    pub claim: Option<Regex>,
    /// The answer matches.
    pub answer: Option<Regex>,
    /// The query matches.
    pub query: Option<Regex>,
    /// The case or claim lies in one of these values of the dimension (index in [`Policy::slices`]).
    pub slices: Vec<(usize, Vec<String>)>,
    /// The claim's `type` is one of these.
    pub claim_type: Vec<String>,
    /// The cited unit's `source_type` is one of these (citation rules; support rules: any cited unit).
    pub source_type: Vec<String>,
    /// The case's language is one of these primary subtags, in lower case.
    pub language: Vec<String>,
    /// This condition must not hold.
    pub not: Option<Box<When>>,
}

impl When {
    /// Whether it asks for nothing, and holds everywhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.claim.is_none()
            && self.answer.is_none()
            && self.query.is_none()
            && self.not.is_none()
            && [&self.claim_type, &self.source_type, &self.language].iter().all(|words| words.is_empty())
            && self.slices.is_empty()
    }
}

/// The most distinct values of a dimension that names no limit.
pub const MAX_VALUES: usize = 200;

/// The joint between the values of a crossed dimension.
pub const CROSS: &str = " × ";

/// The values of a dimension that is declared with `when`: where the condition holds, and where it does not.
pub const WHEN_VALUES: [&str; 2] = ["yes", "no"];

/// The values of a dimension with bins, lowest first: `<50`, `50-150`, `>=150` for the edges 50 and 150.
#[must_use]
pub fn bin_values(edges: &[f64]) -> Vec<String> {
    let mut values: Vec<String> = edges.first().map(|edge| format!("<{edge}")).into_iter().collect();
    values.extend(edges.iter().zip(edges.iter().skip(1)).map(|(low, high)| format!("{low}-{high}")));
    values.extend(edges.last().map(|edge| format!(">={edge}")));
    values
}

/// A declared slice dimension.
#[derive(Debug)]
pub struct Dimension {
    /// Unique in the policy.
    pub id: String,
    /// At which level its values stand.
    pub level: Level,
    /// Where the value comes from.
    pub source: DimensionSource,
    /// The value of subjects that lack the field; `None`: they are in no value of this dimension.
    pub missing: Option<String>,
    /// Most distinct values before the run stops with an error.
    pub max_values: usize,
}

impl Dimension {
    /// Whether a value of it is taken from the data, and no name of a bin, a condition or what is missing.
    #[must_use]
    pub fn is_of_data(&self, value: &str) -> bool {
        !matches!(self.source, DimensionSource::Bins(..) | DimensionSource::When(_))
            && self.missing.as_deref() != Some(value)
    }
}

/// Where the value of a dimension comes from.
#[derive(Debug)]
pub enum DimensionSource {
    /// The text of a field: of the case (`language`, `meta.intent`), of the claim (`claim.type`), of the cited unit
    /// (`source.type`), or derived (`answer.words`, `answer.citations`).
    Field(FieldPath),
    /// A numeric field cut into `[lo, hi)` bins by these ascending edges.
    Bins(FieldPath, Vec<f64>),
    /// A capture (named `value`, else the first group, else the whole match) of a pattern in a text field.
    Pattern(FieldPath, Regex),
    /// `yes` where the condition holds, else `no`.
    When(Box<When>),
    /// The crossing of other dimensions (indexes in [`Policy::slices`]), values joined by ` × `.
    Cross(Vec<usize>),
}

/// Path to a value, such as `meta.intent`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldPath(pub String);

/// An exact bound: the decimal as written and its value as mantissa · 10^−scale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// As written in the rule file.
    pub text: String,
    /// Digits without the point; never negative.
    pub mantissa: u64,
    /// Number of digits after the point, at most 18.
    pub scale: u32,
}

impl Bound {
    /// The nearest double, for statistics and display only.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "bounds are short decimals")]
        let mantissa = self.mantissa as f64;
        mantissa / 10f64.powi(i32::try_from(self.scale).unwrap_or(0))
    }
}

/// What a gate's special cases lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    /// The gate fails.
    Fail,
    /// The gate warns.
    Warn,
    /// The gate passes.
    Pass,
}

/// Reactions of a gate (SPEC 7); all `Fail` by default, `inconclusive` of a drop `Warn`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reactions {
    /// The denominator is 0.
    pub no_data: Reaction,
    /// The denominator is under `min_samples`.
    pub too_few: Reaction,
    /// The statistics do not decide an absolute bound.
    pub inconclusive: Reaction,
    /// The statistics do not decide a drop or rise; `Warn` unless the gate says otherwise.
    pub inconclusive_drop: Reaction,
    /// There is no baseline and the gate needs one.
    pub missing_baseline: Reaction,
    /// A slice of the baseline is gone.
    pub missing_slice: Reaction,
    /// Cases of the baseline are gone.
    pub removed_cases: Reaction,
}

/// One compiled gate: it judges `metric` on each of its slices.
#[derive(Debug, Clone)]
pub struct Gate {
    /// Unique in the policy.
    pub id: String,
    /// `file:line` where it is written.
    pub place: String,
    /// What it holds.
    pub metric: Metric,
    /// The metric's name as written.
    pub metric_name: String,
    /// How cases are put together.
    pub average: Average,
    /// Slices it is judged on, each with its own bounds: overall where the gate names neither `by` nor says otherwise.
    pub targets: Vec<Target>,
    /// What a failure of this gate means: `Error` fails the run, `Warning` warns, `Note` says.
    pub severity: Severity,
    /// What special cases lead to.
    pub on: Reactions,
    /// Highest share of broken evaluations of the subjects it counts.
    pub max_broken: Bound,
    /// Whether the subjects of a slice are those of the baseline in a comparison.
    pub membership_of_baseline: bool,
    /// What it is for, in the policy owner's words.
    pub description: Option<String>,
}

/// Slices that a gate is judged on, and the bounds there.
#[derive(Debug, Clone)]
pub struct Target {
    /// Which slices.
    pub slices: TargetSlices,
    /// Lowest value that passes.
    pub min: Option<Bound>,
    /// Highest value that passes.
    pub max: Option<Bound>,
    /// Largest drop against the baseline (higher-is-better metrics).
    pub max_drop: Option<Bound>,
    /// Largest rise against the baseline (lower-is-better metrics).
    pub max_rise: Option<Bound>,
    /// Whether drop and rise are relative to the baseline's value.
    pub relative: bool,
    /// Least denominator (macro: cases) that the gate judges.
    pub min_samples: u64,
    /// One-sided confidence in (0.5, 1), where statistics are asked for.
    pub confidence: Option<Bound>,
}

/// Which slices a target stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetSlices {
    /// The whole dataset.
    Overall,
    /// Every value of a dimension (index in [`Policy::slices`]), but those that another target of the gate names.
    EachOf(usize),
    /// One value of a dimension.
    One(usize, String),
}

impl TargetSlices {
    /// The dimension (index in [`Policy::slices`]); `None` for the whole dataset.
    #[must_use]
    pub const fn dimension(&self) -> Option<usize> {
        match self {
            TargetSlices::Overall => None,
            TargetSlices::EachOf(index) | TargetSlices::One(index, _) => Some(*index),
        }
    }
}
