//! Records: what the evaluator states about one case and about each of its claims (SPEC 6). They are the waist of the
//! product: tallies, gates and reports read records and nothing to the left of them. Both are versioned, documented
//! formats; spans are byte offsets, end exclusive.

mod annotate;
pub mod binding;
pub mod cache;
mod claim;
pub mod evaluate;
pub mod example;
pub mod label;
pub mod outcome;
pub mod outline;
mod redact;
pub mod slice;
mod stage;
mod write;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use crate::check::citation_scores::Scores;
use crate::check::{Certainty, Defect, Outcome, Severity, Stage};
use crate::dataset::Label;

/// Schema of a line of `records.jsonl`.
pub const CLAIM_SCHEMA: &str = "citeward/record/1";
/// Schema of a line of `cases.jsonl`.
pub const CASE_SCHEMA: &str = "citeward/case/1";

/// Text borrowed from the case or policy while evaluating, from the file while reading back.
pub type Text<'a> = Cow<'a, str>;
/// A byte span, end exclusive.
pub type Span = (usize, usize);
/// Value of each slice dimension that the subject lies in, by dimension id.
pub type SliceValues<'a> = BTreeMap<Text<'a>, Text<'a>>;

/// One line of `cases.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseRecord<'a> {
    /// [`CASE_SCHEMA`].
    #[serde(borrow)]
    pub schema: Text<'a>,
    /// Id of the case.
    #[serde(borrow)]
    pub case_id: Text<'a>,
    /// Data file, as given on the command line or relative to the dataset's folder.
    #[serde(borrow)]
    pub file: Text<'a>,
    /// Physical line, from 1.
    pub line: u64,
    /// Digest of the question (SPEC 4.2), which pairs the case with the baseline.
    pub question: Text<'a>,
    /// The question.
    pub query: Option<Text<'a>>,
    /// The answer with its markers.
    pub answer: Option<Text<'a>>,
    /// Primary language subtag.
    #[serde(borrow)]
    pub language: Text<'a>,
    /// Whether no lexicon speaks its language, so that little but digits was read.
    #[serde(skip_serializing_if = "outline::is_false", default)]
    pub unread_language: bool,
    /// Whether the packet can answer the question, where the data says so.
    pub answerable: Option<bool>,
    /// Whether the answer is a refusal.
    pub refused: bool,
    /// Number of claims, and so of lines in `records.jsonl`.
    pub claims: usize,
    /// Markers of the answer, in order.
    pub markers: Vec<MarkerRecord<'a>>,
    /// Evidence units, in order.
    pub packet: Vec<UnitRecord<'a>>,
    /// Citations that belong to no claim.
    pub citations: Vec<CitationRecord<'a>>,
    /// Outcomes of the rules on cases.
    pub outcomes: Vec<OutcomeRecord<'a>>,
    /// Findings of the rules on cases.
    pub findings: Vec<FindingRecord<'a>>,
    /// Citation scores.
    pub scores: Scores,
    /// Slices of the case.
    pub slices: SliceValues<'a>,
    /// Who evaluated.
    pub evaluator: Evaluator<'a>,
}

/// A marker in a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MarkerRecord<'a> {
    /// Span in the answer.
    pub span: Span,
    /// Its text.
    #[serde(borrow)]
    pub raw: Text<'a>,
    /// Id of the grammar that matched.
    #[serde(borrow)]
    pub marker: Text<'a>,
    /// The units' ids, else the references as written.
    pub references: Vec<Text<'a>>,
}

/// An evidence unit in a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnitRecord<'a> {
    /// The id that is cited.
    #[serde(borrow)]
    pub id: Text<'a>,
    /// The document.
    pub source_id: Option<Text<'a>>,
    /// Its version.
    pub source_version: Option<Text<'a>>,
    /// Its title.
    pub title: Option<Text<'a>>,
    /// Its address.
    pub canonical_uri: Option<Text<'a>>,
    /// Its scope.
    pub scope_id: Option<Text<'a>>,
    /// SHA-256 of the content's exact bytes, `sha256:…`; `null` where there is no content.
    pub raw: Option<Text<'a>>,
    /// SHA-256 of the content under `citeward-text-1`.
    pub text: Option<Text<'a>>,
}

/// One line of `records.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimRecord<'a> {
    /// [`CLAIM_SCHEMA`].
    #[serde(borrow)]
    pub schema: Text<'a>,
    /// Id of the case.
    #[serde(borrow)]
    pub case_id: Text<'a>,
    /// Id of the claim.
    #[serde(borrow)]
    pub claim_id: Text<'a>,
    /// The statement.
    #[serde(borrow)]
    pub claim: Text<'a>,
    /// Span of its sentence in the answer.
    pub span: Option<Span>,
    /// `verifiable`, `not_verifiable`, `refusal` or `reference_entry`.
    #[serde(borrow)]
    pub class: Text<'a>,
    /// SHA-256 of the statement's exact text, `sha256:…`: one of the two hashes that a reviewer's decision is bound to.
    #[serde(default)]
    pub claim_sha256: Text<'a>,
    /// SHA-256 of the evidence that the claim cites, `sha256:…` (see [`binding`]): the other one; `null` where it cites
    /// nothing.
    pub evidence_sha256: Option<Text<'a>>,
    /// The label; `null` for a claim that is not cited or not verifiable.
    pub label: Option<Label>,
    /// Who decided it: `rule:<id>`, `integrity`, `judge`, `review`, or `null` for undecided.
    pub decided_by: Option<Text<'a>>,
    /// What a triage finding suspects, where undecided.
    pub suspected: Option<Label>,
    /// The judge's confidence.
    pub confidence: Option<f64>,
    /// The reason that the judge or the reviewer gave.
    pub reason: Option<Text<'a>>,
    /// The decision of a reviewer that the label comes from.
    #[serde(borrow, skip_serializing_if = "Option::is_none", default)]
    pub review: Option<ReviewRecord<'a>>,
    /// The label that people gave.
    pub expected: Option<Label>,
    /// Whether no integrity rule failed on any of its citations.
    pub integrity_pass: bool,
    /// Whether the claim needs a citation.
    pub coverage_required: bool,
    /// Whether it has one.
    pub covered: bool,
    /// Its citations.
    pub citations: Vec<CitationRecord<'a>>,
    /// Outcome of every rule on claims and on its citations (the worst of them), with the measured score.
    pub outcomes: Vec<OutcomeRecord<'a>>,
    /// What was found wrong.
    pub findings: Vec<FindingRecord<'a>>,
    /// Slices of the claim, those of its case included.
    pub slices: SliceValues<'a>,
    /// Who evaluated.
    pub evaluator: Evaluator<'a>,
}

/// The decision of a reviewer that a label comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewRecord<'a> {
    /// Who decided.
    #[serde(borrow)]
    pub reviewer: Text<'a>,
    /// The day of the decision, `YYYY-MM-DD`.
    #[serde(borrow)]
    pub date: Text<'a>,
    /// Its line in the file of decisions, from 1.
    pub line: u64,
}

/// A citation in a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CitationRecord<'a> {
    /// The resolved unit's id, else the reference as written.
    #[serde(borrow)]
    pub id: Text<'a>,
    /// Text of the first marker, where a marker made it.
    pub raw: Option<Text<'a>>,
    /// Span of that marker in the answer.
    pub span: Option<Span>,
    /// Whether it resolves to a unit.
    pub resolved: bool,
    /// The document.
    pub source_id: Option<Text<'a>>,
    /// Its version.
    pub source_version: Option<Text<'a>>,
    /// Where in the document, as the data says it.
    pub locator: Option<serde_json::Value>,
    /// Whether the excerpt is withheld: the unit lies outside the reader's scopes, or evidence is hashed only.
    pub withheld: bool,
    /// Span of the excerpt in the unit's content, and its text unless withheld.
    pub excerpt: Option<ExcerptRecord<'a>>,
    /// SHA-256 of the excerpt's exact bytes, `sha256:…`.
    pub excerpt_sha256: Option<Text<'a>>,
    /// Matched and conflicting spans in the unit's content.
    pub matches: Vec<MatchRecord>,
    /// Outcome of every rule on this citation, and of every support rule on this pair alone that applies to it.
    pub outcomes: Vec<OutcomeRecord<'a>>,
    /// Slices at the citation's own level, such as `source.type`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub slices: SliceValues<'a>,
}

/// The excerpt that the checks relied on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExcerptRecord<'a> {
    /// First byte in the unit's content.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The text; absent where withheld.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<Text<'a>>,
}

/// A matched or conflicting span.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchRecord {
    /// Span in the claim's text.
    pub claim: Option<Span>,
    /// Span in the unit's content.
    pub content: Span,
    /// Whether the evidence says something else than the claim.
    pub conflicting: bool,
    /// Span in the excerpt's text as it is written; absent where nothing was taken out of it, so that the span in the content tells.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub shown: Option<Span>,
}

impl MatchRecord {
    /// The span in the excerpt's text as it is written; `None` where it lies outside.
    #[must_use]
    pub fn in_excerpt(&self, excerpt: &ExcerptRecord<'_>) -> Option<Span> {
        self.shown
            .or_else(|| Some((self.content.0.checked_sub(excerpt.start)?, self.content.1.checked_sub(excerpt.start)?)))
    }
}

/// Outcome of a rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutcomeRecord<'a> {
    /// The rule.
    #[serde(borrow)]
    pub rule: Text<'a>,
    /// How it came out.
    pub outcome: Outcome,
    /// The measured score: a ratio between 0 and 1.
    pub score: Option<f64>,
    /// Why the rule has nothing to say (its `when` does not hold, the data lacks a field) or could not be evaluated; absent
    /// where the subject holds nothing that it looks at.
    #[serde(borrow, skip_serializing_if = "Option::is_none", default)]
    pub because: Option<Text<'a>>,
}

impl OutcomeRecord<'_> {
    /// Whether the rule could not be evaluated because a unit that the claim cites has nothing to read.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        self.outcome == Outcome::Broken && self.because.as_deref() == Some(outcome::NO_CONTENT)
    }
}

impl ClaimRecord<'_> {
    /// Whether a rule could not be evaluated because a unit that the claim cites has nothing to read.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        self.outcomes.iter().any(OutcomeRecord::is_unread)
    }
}

/// Something found wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FindingRecord<'a> {
    /// The rule.
    #[serde(borrow)]
    pub rule: Text<'a>,
    /// Stable code.
    #[serde(borrow)]
    pub code: Text<'a>,
    /// How bad; a triage finding is at most a warning.
    pub severity: Severity,
    /// How sure.
    pub certainty: Certainty,
    /// Whether the rule only observes.
    pub observed: bool,
    /// What it implies for the label.
    pub implies: Option<Defect>,
    /// One sentence for a person.
    #[serde(borrow)]
    pub message: Text<'a>,
    /// The id that a finding on a citation is about.
    pub citation: Option<Text<'a>>,
    /// Span in the answer, where it stands there.
    pub answer_span: Option<Span>,
    /// Span in the claim's text, where it stands there.
    pub claim_span: Option<Span>,
    /// Stable across runs: a digest of rule, code, case, claim text and id.
    #[serde(borrow)]
    pub fingerprint: Text<'a>,
    /// Whether the baseline has this finding already and the policy holds only new ones against a case (`fail_on: new`):
    /// it is shown, and fails no case.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub known: bool,
    /// Whether a reviewer called the claim supported all the same: the finding is shown and counts as a failure of its
    /// rule, and fails no case.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub overturned: bool,
    /// Whether a reviewer called the claim a defect too.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub confirmed: bool,
    /// The stage of the product at fault; absent where it cannot be told.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub stage: Option<Stage>,
    /// Why it is that stage, or why none can be told: a fragment of a sentence.
    #[serde(borrow, default)]
    pub stage_reason: Text<'a>,
    /// Fingerprint of the finding of the same claim that this one is a note on.
    #[serde(borrow, skip_serializing_if = "Option::is_none", default)]
    pub annotates: Option<Text<'a>>,
    /// What of a unit that the claim does not cite a note points at.
    #[serde(borrow, skip_serializing_if = "Option::is_none", default)]
    pub elsewhere: Option<ElsewhereRecord<'a>>,
}

/// A passage of a unit that the claim does not cite. The reader may see the unit: of others nothing is said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElsewhereRecord<'a> {
    /// Id of the unit.
    #[serde(borrow)]
    pub id: Text<'a>,
    /// The marker that would cite it in this answer, where the answer shows how.
    pub marker: Option<Text<'a>>,
    /// The sentences that the fact stands in; `null` where the unit's title or version has it.
    pub excerpt: Option<ExcerptRecord<'a>>,
    /// SHA-256 of the excerpt's exact bytes, `sha256:…`.
    pub excerpt_sha256: Option<Text<'a>>,
}

/// Who evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluator<'a> {
    /// Engine version.
    #[serde(borrow)]
    pub engine: Text<'a>,
    /// Digest of the policy's evaluating part.
    #[serde(borrow)]
    pub policy: Text<'a>,
    /// Judge, where there was one.
    pub judge: Option<Text<'a>>,
    /// Digest of the judge's prompt.
    pub prompt: Option<Text<'a>>,
}
