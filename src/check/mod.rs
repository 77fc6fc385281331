//! Checks: the predicate kinds that rules are made of. One file per kind, one line per kind in the list below.
//!
//! A kind is an options struct (its doc comment is the manual page), a compile step after which nothing can fail for
//! a reason of configuration, and an evaluation that turns one subject into one [`Judgement`]. What a check may read is
//! fixed by its signature: a [`SupportCheck`] is handed the passages that the claim cites and nothing else.

pub mod manual;

mod bound;
mod expression;
mod facts;
mod id;

use std::borrow::Cow;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::citation::{Citation, Claim, Packet};
use crate::dataset::{Label, Unit};
use crate::diagnostic::Problem;
use crate::text::{Analysis, Lexicons};
use crate::yaml::{self, Node};

/// How a rule came out on one subject (SPEC 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The rule holds.
    Pass,
    /// The rule does not hold; there is at least one finding.
    Fail,
    /// The rule has nothing to say here.
    NotApplicable,
    /// The rule could not be evaluated. Never counts as a pass.
    Broken,
}

/// Why a rule was not applicable: only missing data is what `on_missing` speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Absence {
    /// The subject holds nothing that the check looks at, such as a claim without a quantity.
    Irrelevant,
    /// The case lacks this field or data, so that the check could not look.
    Missing(Cow<'static, str>),
}

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// Only a suspicion: reported and sent to review, never an alarm.
    Triage,
    /// Sure enough to decide a label.
    Final,
}

/// What a finding implies for the label of the claim. Ordered by strength, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Defect {
    /// A part of the claim is in the evidence.
    Partial,
    /// The evidence does not state the claim.
    Insufficient,
    /// The evidence states something else.
    Contradicted,
    /// The cited unit may not be read.
    Unreadable,
}

impl Defect {
    /// The label that the defect leads to.
    #[must_use]
    pub const fn label(self) -> Label {
        match self {
            Defect::Partial => Label::Partial,
            Defect::Insufficient => Label::Insufficient,
            Defect::Contradicted => Label::Contradicted,
            Defect::Unreadable => Label::Unreadable,
        }
    }
}

/// How a fact of the claim and a span of a passage stand to each other, for the excerpt and the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Byte span in the claim's text, where one side of the match stands there.
    pub claim: Option<Range<usize>>,
    /// Index of the passage among those that the check was handed.
    pub passage: usize,
    /// Byte span in the passage's text.
    pub span: Range<usize>,
    /// Whether the passage says something else than the claim.
    pub conflicting: bool,
}

/// Where in the case a finding stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The subject as a whole.
    Subject,
    /// A byte span of the answer.
    Answer(Range<usize>),
    /// A byte span of the claim's text.
    Claim(Range<usize>),
}

impl Place {
    /// Where a citation stands: its first marker, else the subject as a whole.
    #[must_use]
    pub fn of_citation(packet: &Packet<'_>, citation: &Citation<'_>) -> Place {
        packet.marker_span(citation).map_or(Place::Subject, Place::Answer)
    }

    /// Where a claim stands: its sentence in the answer, else the subject as a whole.
    #[must_use]
    pub fn of_claim(claim: &Claim<'_>) -> Place {
        claim.span.clone().map_or(Place::Subject, Place::Answer)
    }
}

/// What a check found wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Stable code, such as `number-conflicting`; one of the kind's [`Kind::CODES`].
    pub code: &'static str,
    /// How sure it is.
    pub certainty: Certainty,
    /// What it implies for the claim's label, where it implies anything.
    pub implies: Option<Defect>,
    /// One sentence for a person: what was found, what was expected.
    pub message: String,
    /// Where it stands.
    pub place: Place,
    /// Values that a rule's own `message` template may use; names are the kind's [`Kind::VARIABLES`].
    pub values: Vec<(&'static str, Value)>,
}

impl Finding {
    /// A final finding on the subject as a whole that implies nothing for the label.
    #[must_use]
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            certainty: Certainty::Final,
            implies: None,
            message: message.into(),
            place: Place::Subject,
            values: Vec::new(),
        }
    }

    /// The same, implying `defect` for the claim's label.
    #[must_use]
    pub fn implying(self, defect: Defect) -> Self {
        Self { implies: Some(defect), ..self }
    }

    /// The same, only as a suspicion.
    #[must_use]
    pub fn triage(self) -> Self {
        Self { certainty: Certainty::Triage, ..self }
    }

    /// The same, standing at `place`.
    #[must_use]
    pub fn at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// The same with a value that a rule's own message may use; `name` is one of the kind's [`Kind::VARIABLES`].
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.values.push((name, value.into()));
        self
    }
}

/// What a check says of one subject.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// How it came out. `Fail` exactly when there is a finding.
    pub outcome: Outcome,
    /// Why it was not applicable.
    pub absence: Option<Absence>,
    /// Why it could not be evaluated, for a person; only where `outcome` is `Broken`.
    pub reason: Option<String>,
    /// A measured score as an exact ratio (numerator, denominator), where the kind measures one.
    pub score: Option<(u64, u64)>,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// Matched and conflicting spans.
    pub matches: Vec<Match>,
}

impl Judgement {
    /// The rule holds.
    #[must_use]
    pub fn pass() -> Self {
        Self {
            outcome: Outcome::Pass,
            absence: None,
            reason: None,
            score: None,
            findings: Vec::new(),
            matches: Vec::new(),
        }
    }

    /// The subject holds nothing that the check looks at.
    #[must_use]
    pub fn irrelevant() -> Self {
        Self { outcome: Outcome::NotApplicable, absence: Some(Absence::Irrelevant), ..Self::pass() }
    }

    /// The case lacks `field`.
    #[must_use]
    pub fn missing(field: impl Into<Cow<'static, str>>) -> Self {
        Self { outcome: Outcome::NotApplicable, absence: Some(Absence::Missing(field.into())), ..Self::pass() }
    }

    /// The check could not be evaluated.
    #[must_use]
    pub fn broken() -> Self {
        Self { outcome: Outcome::Broken, ..Self::pass() }
    }

    /// The same with the reason why it could not be evaluated, for a person.
    #[must_use]
    pub fn because(self, reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), ..self }
    }

    /// `Fail` where there are findings, else `Pass`.
    #[must_use]
    pub fn of(findings: Vec<Finding>) -> Self {
        let outcome = if findings.is_empty() { Outcome::Pass } else { Outcome::Fail };
        Self { outcome, findings, ..Self::pass() }
    }

    /// The same with a measured score.
    #[must_use]
    pub fn with_score(self, numerator: u64, denominator: u64) -> Self {
        Self { score: Some((numerator, denominator)), ..self }
    }

    /// The same with matched and conflicting spans.
    #[must_use]
    pub fn with_matches(self, matches: Vec<Match>) -> Self {
        Self { matches, ..self }
    }
}

/// A passage that a claim cites: what the citation exposes of one unit, and what is known of that text.
#[derive(Clone, Copy)]
pub struct Passage<'p> {
    /// The exposed text.
    pub text: &'p str,
    /// What is known of the exposed text; computed once, however many claims cite it.
    pub analysis: &'p Analysis,
    /// The unit, for its title and metadata.
    pub unit: &'p Unit<'p>,
    /// Byte offset of the exposed text in the unit's content.
    pub offset: usize,
}

/// A claim with what is known of its text.
#[derive(Clone, Copy)]
pub struct ClaimText<'p> {
    /// The claim.
    pub claim: &'p Claim<'p>,
    /// What is known of the claim's text.
    pub analysis: &'p Analysis,
    /// The user's question, whose words are no quotation of the evidence.
    pub query: Option<&'p str>,
    /// The language of the case, a primary subtag.
    pub language: &'p str,
    /// The policy's word lists.
    pub lexicons: &'p Lexicons,
}

/// A check whose subject is a case.
pub trait CaseCheck: Send + Sync {
    /// Judges one case.
    fn judge(&self, packet: &Packet<'_>) -> Judgement;

    /// How the citation scores of every case are to be counted, where the check says so.
    fn scoring(&self) -> Option<citation_scores::Scoring> {
        None
    }
}

/// A check whose subject is a citation.
pub trait CitationCheck: Send + Sync {
    /// Judges one citation of the packet.
    fn judge(&self, packet: &Packet<'_>, citation: &Citation<'_>) -> Judgement;
}

/// A check whose subject is a claim and its citations, but not the text of any passage.
pub trait ClaimCheck: Send + Sync {
    /// Judges one claim of the packet.
    fn judge(&self, packet: &Packet<'_>, claim: &Claim<'_>, text: ClaimText<'_>) -> Judgement;
}

/// A check whose subject is a claim with the passages it cites, and no other passage.
pub trait SupportCheck: Send + Sync {
    /// Judges one claim against passages; there is at least one.
    fn judge(&self, claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Judgement;
}

/// A check whose subject is the label that the other rules led to.
pub trait LabelCheck: Send + Sync {
    /// Judges the label of one claim against the one that people gave.
    fn judge(&self, label: Label, expected: Option<Label>) -> Judgement;
}

/// What a check is evaluated on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// A whole case.
    Case,
    /// One claim.
    Claim,
    /// One citation.
    Citation,
}

/// What a check is about: decides which metrics and which part of the label it feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Is the citation what it says it is?
    Integrity,
    /// Is what needs a citation cited?
    Coverage,
    /// Does the cited evidence say what the claim says?
    Support,
}

/// How bad a finding is (SPEC 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Said, and nothing more.
    Note,
    /// Said loudly; fails no case.
    Warning,
    /// Fails the case.
    Error,
}

/// A compiled check, by what it is handed.
pub enum Check {
    /// On cases.
    Case(Box<dyn CaseCheck>),
    /// On claims without passages.
    Claim(Box<dyn ClaimCheck>),
    /// On claims with the passages they cite.
    Support(Box<dyn SupportCheck>),
    /// On citations.
    Citation(Box<dyn CitationCheck>),
    /// On labels.
    Label(Box<dyn LabelCheck>),
}

impl Check {
    /// What the check is evaluated on.
    #[must_use]
    pub const fn subject(&self) -> Subject {
        match self {
            Check::Case(_) => Subject::Case,
            Check::Claim(_) | Check::Support(_) | Check::Label(_) => Subject::Claim,
            Check::Citation(_) => Subject::Citation,
        }
    }
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Check({:?})", self.subject())
    }
}

/// A kind of check. Implemented by one type in one file each.
pub trait Kind {
    /// The key under `check:`, such as `id-range`.
    const NAME: &'static str;
    /// What it is about.
    const FAMILY: Family;
    /// Severity of its rules where they name none.
    const SEVERITY: Severity = Severity::Error;
    /// Every code it can find, with one line on what each means.
    const CODES: &'static [(&'static str, &'static str)];
    /// Names that a rule's `message` may use beside `message`, `case_id`, `claim_id`, `claim`, `id` and `code`.
    const VARIABLES: &'static [&'static str] = &[];
    /// The options as written; the doc comment is the manual page.
    type Options: DeserializeOwned + JsonSchema;

    /// Compiles the options.
    ///
    /// # Errors
    /// Every problem of the options, each with its place.
    fn compile(options: Self::Options, lexicons: &Lexicons) -> Result<Check, Vec<Problem>>;
}

/// A kind as the list holds it.
pub struct KindEntry {
    /// The key under `check:`.
    pub name: &'static str,
    /// What it is about.
    pub family: Family,
    /// Severity of its rules where they name none.
    pub severity: Severity,
    /// Every code it can find, with one line on what each means.
    pub codes: &'static [(&'static str, &'static str)],
    /// Names that a rule's `message` may use.
    pub variables: &'static [&'static str],
    /// Decodes and compiles the options.
    pub compile: fn(&Node, &Lexicons) -> Result<Check, Vec<Problem>>,
    /// JSON Schema of the options; its description is the manual page.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

impl std::fmt::Debug for KindEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KindEntry({})", self.name)
    }
}

const fn entry<K: Kind>() -> KindEntry {
    KindEntry {
        name: K::NAME,
        family: K::FAMILY,
        severity: K::SEVERITY,
        codes: K::CODES,
        variables: K::VARIABLES,
        compile: |node, lexicons| {
            yaml::decode::<K::Options>(node).map_err(|p| vec![p]).and_then(|o| K::compile(o, lexicons))
        },
        schema: |generator| generator.subschema_for::<K::Options>(),
    }
}

macro_rules! kinds {
    ($($module:ident :: $kind:ident),+ $(,)?) => {
        $(pub mod $module;)+
        /// Every kind of check, in the order of the manual.
        pub static KINDS: &[KindEntry] = &[$(entry::<$module::$kind>()),+];
    };
}

kinds! {
    resolves::Resolves,
    retrieved::Retrieved,
    id_range::IdRange,
    source_version::SourceVersion,
    scope::Scope,
    content_hash::ContentHash,
    locator::Locator,
    duplicate_evidence::DuplicateEvidence,
    introduced::Introduced,
    malformed_marker::MalformedMarker,
    markers_match_claims::MarkersMatchClaims,
    placement::Placement,
    claim_in_answer::ClaimInAnswer,
    cited::Cited,
    citation_scores::CitationScores,
    over_citation::OverCitation,
    numbers::Numbers,
    quotes::Quotes,
    dates::Dates,
    identifiers::Identifiers,
    facts_found::FactsFound,
    terms::Terms,
    overlap::Overlap,
    pattern::Pattern,
    expected::Expected,
}

/// The kind with this name.
#[must_use]
pub fn kind(name: &str) -> Option<&'static KindEntry> {
    KINDS.iter().find(|kind| kind.name == name)
}
