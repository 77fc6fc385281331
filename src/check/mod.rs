//! Checks: the predicate kinds that rules are made of. One file per kind, one line per kind in the list below.
//!
//! A kind is an options struct (its doc comment is the manual page), a compile step after which nothing can fail for
//! a reason of configuration, and an evaluation that turns one subject into one [`Judgement`]. What a check may read is
//! fixed by its signature: a [`SupportCheck`] is handed the passages that the claim cites and nothing else.

pub mod manual;

mod aligned;
mod bound;
mod expression;
mod facts;
mod id;
mod judgement;
mod stage;
mod threshold;

use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use self::judgement::{Absence, Certainty, Defect, Finding, Judgement, Match, Outcome, Place};
pub use self::stage::{Code, Fault, Stage, Told};
pub use self::threshold::Threshold;
use crate::citation::{Citation, Claim, Packet};
use crate::dataset::register::Source;
use crate::dataset::{Label, Unit};
use crate::diagnostic::Problem;
use crate::text::hidden::Hidden;
use crate::text::{Analysis, Lexicons};
use crate::yaml::{self, Located, Node};

/// A passage that a claim cites: what the citation exposes of one unit, and what is known of that text.
#[derive(Clone, Copy)]
pub struct Passage<'p> {
    /// The exposed text, with spaces in place of what its readers do not see.
    pub text: &'p str,
    /// What is known of the exposed text; computed once, however many claims cite it.
    pub analysis: &'p Analysis,
    /// The unit, for its title and metadata.
    pub unit: &'p Unit<'p>,
    /// Byte offset of the exposed text in the unit's content.
    pub offset: usize,
    /// The unit's whole content, with spaces in place of what its readers do not see.
    pub content: &'p str,
    /// What is known of the unit's whole content; computed once, however many parts of it are exposed.
    pub whole: &'p Analysis,
    /// What is hidden in the unit's content.
    pub hidden: &'p [Hidden],
    /// What the source register says of the unit's version; `None` without a register, or where the version is not in it.
    pub entry: Option<&'p Source>,
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

    /// The options that are thresholds on a score which records keep. None by default.
    fn thresholds(&self) -> Vec<Threshold> {
        Vec::new()
    }
}

/// A check whose subject is a citation.
pub trait CitationCheck: Send + Sync {
    /// Judges one citation of the packet.
    fn judge(&self, packet: &Packet<'_>, citation: &Citation<'_>) -> Judgement;

    /// Paths of the fields of the case that the options name. None by default.
    fn fields(&self) -> Vec<&str> {
        Vec::new()
    }
}

/// A check whose subject is a claim and its citations, but not the text of any passage.
pub trait ClaimCheck: Send + Sync {
    /// Judges one claim of the packet.
    fn judge(&self, packet: &Packet<'_>, claim: &Claim<'_>, text: ClaimText<'_>) -> Judgement;

    /// Whether it fails exactly on claims that need a citation and have none.
    fn is_coverage(&self) -> bool {
        false
    }
}

/// A check whose subject is a claim with the passages it cites, and no other passage.
pub trait SupportCheck: Send + Sync {
    /// Judges one claim against passages; there is at least one.
    fn judge(&self, claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Judgement;

    /// Whether it holds the passages against each other, so that it has nothing to say of one alone.
    fn compares_passages(&self) -> bool {
        false
    }

    /// What the passages lack by one of the check's own findings, as a person is told of it, where another passage could have it.
    /// Empty by default: of most findings there is no such thing.
    fn lacking(&self, finding: &Finding) -> Vec<String> {
        let _ = finding;
        Vec::new()
    }

    /// The options that are thresholds on a score which records keep. None by default.
    fn thresholds(&self) -> Vec<Threshold> {
        Vec::new()
    }
}

/// A support rule that found something wrong with a claim.
pub struct Failed<'f> {
    /// Id of the rule.
    pub rule: &'f str,
    /// Its check.
    pub check: &'f dyn SupportCheck,
    /// What it found.
    pub findings: &'f [Finding],
}

/// A unit of the packet that a claim does not cite and that its reader may see.
pub struct Uncited<'p> {
    /// The whole unit.
    pub passage: Passage<'p>,
    /// The marker that would cite it in this answer, such as `[2]`; `None` where the answer shows no way to write it.
    pub marker: Option<String>,
}

/// What a claim cites, and what it could have cited instead.
pub struct Alternatives<'a, 'p> {
    /// What the claim cites, as its answer writes it, such as `[1]`.
    pub cited: String,
    /// The passages that the claim cites.
    pub passages: &'a [Passage<'p>],
    /// The units that it does not cite, in the order of the packet.
    pub uncited: &'a [Uncited<'p>],
}

/// A note on a finding of another rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotation {
    /// The note.
    pub note: Finding,
    /// The rule whose finding it is on: index among the rules that the check was handed.
    pub rule: usize,
    /// The finding: index among those of that rule.
    pub finding: usize,
    /// The unit that it points at: index among those that the claim does not cite.
    pub unit: usize,
    /// Where in the unit's content, where it stands there.
    pub span: Option<Range<usize>>,
    /// Whether the finding is to be only a suspicion, in the light of the note.
    pub weakens: bool,
}

/// A check that reads what the claim does not cite, in order to say more of what other rules found.
///
/// It can neither establish anything nor take a finding away: all that comes of it is a note on a finding that stands without it.
pub trait AnnotationCheck: Send + Sync {
    /// Ids of the rules whose findings it annotates; none given: all that look for facts.
    fn of(&self) -> &[Located<String>];

    /// The notes on what `failed` rules found wrong with a claim, in the order of the rules and their findings; at most one on each finding.
    fn annotate(&self, claim: ClaimText<'_>, failed: &[Failed<'_>], instead: &Alternatives<'_, '_>) -> Vec<Annotation>;
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
    /// On findings of support rules.
    Annotation(Box<dyn AnnotationCheck>),
    /// On labels.
    Label(Box<dyn LabelCheck>),
}

impl Check {
    /// What the check is evaluated on.
    #[must_use]
    pub const fn subject(&self) -> Subject {
        match self {
            Check::Case(_) => Subject::Case,
            Check::Claim(_) | Check::Support(_) | Check::Annotation(_) | Check::Label(_) => Subject::Claim,
            Check::Citation(_) => Subject::Citation,
        }
    }

    /// Paths of the fields of the case that the options name.
    #[must_use]
    pub fn fields(&self) -> Vec<&str> {
        match self {
            Check::Citation(check) => check.fields(),
            _ => Vec::new(),
        }
    }

    /// The options that are thresholds on a score which records keep: those that a sweep can try.
    #[must_use]
    pub fn thresholds(&self) -> Vec<Threshold> {
        match self {
            Check::Case(check) => check.thresholds(),
            Check::Support(check) => check.thresholds(),
            Check::Claim(_) | Check::Citation(_) | Check::Annotation(_) | Check::Label(_) => Vec::new(),
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
    /// Every code it can find, with one line on what each means and the stage at fault.
    const CODES: &'static [Code];
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
    /// Every code it can find, with one line on what each means and the stage at fault.
    pub codes: &'static [Code],
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
    answer_covered::AnswerCovered,
    cited::Cited,
    citation_scores::CitationScores,
    over_citation::OverCitation,
    numbers::Numbers,
    quotes::Quotes,
    dates::Dates,
    identifiers::Identifiers,
    negation::Negation,
    modality::Modality,
    facts_found::FactsFound,
    terms::Terms,
    overlap::Overlap,
    conflict::Conflict,
    misattributed::Misattributed,
    pattern::Pattern,
    expected::Expected,
}

/// The kind with this name.
#[must_use]
pub fn kind(name: &str) -> Option<&'static KindEntry> {
    KINDS.iter().find(|kind| kind.name == name)
}
