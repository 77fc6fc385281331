//! What a check says of a subject: outcome, findings, and the spans it relied on.

use std::borrow::Cow;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::citation::{Citation, Claim, Packet};
use crate::dataset::Label;

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
    /// The rule's `when` does not hold of the subject.
    Excluded,
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
    /// Stable code, such as `number-conflicting`; one of the kind's [`CODES`](super::Kind::CODES).
    pub code: &'static str,
    /// How sure it is.
    pub certainty: Certainty,
    /// What it implies for the claim's label, where it implies anything.
    pub implies: Option<Defect>,
    /// One sentence for a person: what was found, what was expected.
    pub message: String,
    /// The same without a word of any passage, for runs whose passages must not leave; `None`: what the code means.
    pub unquoted: Option<String>,
    /// Where it stands.
    pub place: Place,
    /// Values that a rule's own `message` template may use; names are the kind's [`VARIABLES`](super::Kind::VARIABLES).
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
            unquoted: None,
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

    /// The same with a sentence for runs whose passages must not leave: without a word of any passage.
    #[must_use]
    pub fn unquoted(self, message: impl Into<String>) -> Self {
        Self { unquoted: Some(message.into()), ..self }
    }

    /// The same, standing at `place`.
    #[must_use]
    pub fn at(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// The same with a value that a rule's own message may use; `name` is one of the kind's [`VARIABLES`](super::Kind::VARIABLES).
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.values.push((name, value.into()));
        self
    }

    /// One of its values.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
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

    /// The rule's `when` does not hold of the subject.
    #[must_use]
    pub fn excluded() -> Self {
        Self { outcome: Outcome::NotApplicable, absence: Some(Absence::Excluded), ..Self::pass() }
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
