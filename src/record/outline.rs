//! Outlines: of a case and its claims the few facts that metrics, comparisons and reviews rest on, without the texts. A run
//! folder holds them as `outline.jsonl`, a baseline holds those of the run that was blessed, and whatever is counted
//! again later is counted from them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use foldhash::HashMap;
use serde::{Deserialize, Serialize};

use super::outcome::NO_CONTENT;
use super::{
    CASE_SCHEMA, CLAIM_SCHEMA, CaseRecord, CitationRecord, ClaimRecord, Evaluator, FindingRecord, OutcomeRecord,
    Scores, SliceValues, Text,
};
use crate::check::{Certainty, Outcome, Severity};
use crate::dataset::Label;
use crate::text::redact::KEYED;

/// Hexadecimal digits of a SHA-256 digest that an outline keeps of texts that identify: 128 bits.
const IDENTIFYING: usize = 32;
/// Hexadecimal digits that it keeps of a passage, to see whether it changed: 64 bits.
const CHANGED: usize = 16;
/// The class of a claim that can be checked; the others are named in an outline.
const VERIFIABLE: &str = "verifiable";

/// The facts of one case and its claims.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseOutline<'a> {
    /// Id of the case.
    #[serde(borrow)]
    pub case_id: Text<'a>,
    /// First 32 hexadecimal digits of the digest of the question, which pairs the case with the baseline.
    #[serde(borrow)]
    pub question: Text<'a>,
    /// Whether the answer is a refusal.
    #[serde(skip_serializing_if = "is_false", default)]
    pub refused: bool,
    /// Whether no lexicon speaks its language.
    #[serde(skip_serializing_if = "is_false", default)]
    pub unread_language: bool,
    /// Whether the packet can answer the question, where the data says so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub answerable: Option<bool>,
    /// Outcome of each rule on the case, by position of the rule in the head: `p` pass, `f` fail, `b` broken, `u`
    /// broken because a cited unit has no content, `n` not applicable, `.` none; dots at the end are left out.
    #[serde(borrow, skip_serializing_if = "str::is_empty", default)]
    pub outcomes: Text<'a>,
    /// Citations that belong to no claim.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub citations: Vec<CitationOutline<'a>>,
    /// Findings on the case.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<FindingOutline<'a>>,
    /// Citation scores.
    #[serde(skip_serializing_if = "Scores::is_empty", default)]
    pub scores: Scores,
    /// Slices of the case.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub slices: SliceValues<'a>,
    /// Its claims, in order.
    pub claims: Vec<ClaimOutline<'a>>,
    /// The units of its packet that name a document or a version: id, document, version, and the first 16 hexadecimal
    /// digits of the content's digest.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub units: Vec<(Text<'a>, Option<Text<'a>>, Option<Text<'a>>, Text<'a>)>,
}

/// The facts of one claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimOutline<'a> {
    /// Id of the claim.
    #[serde(borrow)]
    pub claim_id: Text<'a>,
    /// First 32 hexadecimal digits of the SHA-256 digest of its text.
    #[serde(borrow)]
    pub text: Text<'a>,
    /// Its class; left out for verifiable claims.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub class: Option<Text<'a>>,
    /// The label; absent for a claim that has none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub label: Option<Label>,
    /// Who decided it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub decided_by: Option<Text<'a>>,
    /// What a triage finding suspects.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub suspected: Option<Label>,
    /// The label that people gave.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected: Option<Label>,
    /// Outcome of each rule on the claim, as in [`CaseOutline::outcomes`]; of rules on citations the worst.
    #[serde(borrow, skip_serializing_if = "str::is_empty", default)]
    pub outcomes: Text<'a>,
    /// Its citations.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub citations: Vec<CitationOutline<'a>>,
    /// Findings on it and its citations.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub findings: Vec<FindingOutline<'a>>,
    /// Slices of the claim beyond those of its case.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub slices: SliceValues<'a>,
}

/// The facts of one citation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CitationOutline<'a> {
    /// The unit's id, else the reference as written.
    #[serde(borrow)]
    pub id: Text<'a>,
    /// Whether it resolves to a unit; left out where it does.
    #[serde(skip_serializing_if = "is_true", default = "yes")]
    pub resolved: bool,
    /// Outcome of each rule on citations, as in [`CaseOutline::outcomes`].
    #[serde(borrow, skip_serializing_if = "str::is_empty", default)]
    pub outcomes: Text<'a>,
    /// Slices at the citation's own level.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub slices: SliceValues<'a>,
}

/// The facts of one finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FindingOutline<'a> {
    /// The rule.
    #[serde(borrow)]
    pub rule: Text<'a>,
    /// Stable code.
    #[serde(borrow)]
    pub code: Text<'a>,
    /// How bad; left out for errors.
    #[serde(skip_serializing_if = "is_error", default = "error")]
    pub severity: Severity,
    /// How sure; left out for final findings.
    #[serde(skip_serializing_if = "is_final", default = "surely")]
    pub certainty: Certainty,
    /// Whether the rule only observes.
    #[serde(skip_serializing_if = "is_false", default)]
    pub observed: bool,
    /// Whether the baseline has it and the policy holds only new findings against a case.
    #[serde(skip_serializing_if = "is_false", default)]
    pub known: bool,
    /// Whether a reviewer overturned it.
    #[serde(skip_serializing_if = "is_false", default)]
    pub overturned: bool,
    /// Whether a reviewer confirmed it.
    #[serde(skip_serializing_if = "is_false", default)]
    pub confirmed: bool,
    /// Stable across runs.
    #[serde(borrow)]
    pub fingerprint: Text<'a>,
    /// One sentence for a person. A baseline keeps none: it holds no text of the data.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<Text<'a>>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
pub(super) const fn is_false(value: &bool) -> bool {
    !*value
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_true(value: &bool) -> bool {
    *value
}

const fn yes() -> bool {
    true
}

fn is_error(severity: &Severity) -> bool {
    *severity == Severity::Error
}

const fn error() -> Severity {
    Severity::Error
}

fn is_final(certainty: &Certainty) -> bool {
    *certainty == Certainty::Final
}

const fn surely() -> Certainty {
    Certainty::Final
}

/// The first hexadecimal digits of a digest that is written `sha256:…`.
fn brief(digest: &str, digits: usize) -> &str {
    let digest = digest.strip_prefix("sha256:").or_else(|| digest.strip_prefix(KEYED)).unwrap_or(digest);
    digest.get(..digits).unwrap_or(digest)
}

/// The rules of a policy by position, for outlines.
#[derive(Debug, Clone)]
pub struct RuleIndex {
    ids: Vec<String>,
    by_id: HashMap<String, usize>,
}

impl RuleIndex {
    /// The rules with these ids, in the order of the policy.
    #[must_use]
    pub fn new(ids: Vec<String>) -> Self {
        let by_id = ids.iter().enumerate().map(|(index, id)| (id.clone(), index)).collect();
        Self { ids, by_id }
    }

    /// One letter per rule.
    fn letters(&self, outcomes: &[OutcomeRecord<'_>]) -> String {
        let mut letters = String::new();
        let mut put = |index: usize, letter: char| {
            while letters.len() < index {
                letters.push('.');
            }
            match letters.len() == index {
                true => letters.push(letter),
                false => letters.replace_range(index..=index, letter.encode_utf8(&mut [0; 4])),
            }
        };
        for outcome in outcomes {
            if let Some(&index) = self.by_id.get(outcome.rule.as_ref()) {
                put(index, letter(outcome));
            }
        }
        letters
    }

    fn outcomes(&self, letters: &str) -> Vec<OutcomeRecord<'_>> {
        let outcomes = self.ids.iter().zip(letters.bytes());
        outcomes
            .filter_map(|(id, letter)| {
                let because = (letter == b'u').then_some(Cow::Borrowed(NO_CONTENT));
                Some(OutcomeRecord { rule: Cow::Borrowed(id), outcome: outcome(letter)?, score: None, because })
            })
            .collect()
    }
}

fn letter(record: &OutcomeRecord<'_>) -> char {
    match record.outcome {
        Outcome::Broken if record.is_unread() => 'u',
        Outcome::Pass => 'p',
        Outcome::Fail => 'f',
        Outcome::Broken => 'b',
        Outcome::NotApplicable => 'n',
    }
}

/// The outcome that a letter of an outline stands for; `None` for a dot, which says that the rule does not judge such
/// subjects.
#[must_use]
pub const fn outcome(letter: u8) -> Option<Outcome> {
    match letter {
        b'p' => Some(Outcome::Pass),
        b'f' => Some(Outcome::Fail),
        b'b' | b'u' => Some(Outcome::Broken),
        b'n' => Some(Outcome::NotApplicable),
        _ => None,
    }
}

/// The outcome of the rule at a position among the letters of an outline.
#[must_use]
pub fn letter_outcome(letters: &str, rule: usize) -> Option<Outcome> {
    outcome(*letters.as_bytes().get(rule)?)
}

fn short<'a>(text: &'a Text<'_>) -> Text<'a> {
    Cow::Borrowed(text.as_ref())
}

fn copied<'a>(values: &'a SliceValues<'_>, keep: impl Fn(&str) -> bool) -> SliceValues<'a> {
    let kept = values.iter().filter(|(id, _)| keep(id));
    kept.map(|(id, value)| (short(id), short(value))).collect()
}

impl<'a> CaseOutline<'a> {
    /// Holds every finding against the case again, those too that a baseline has already (`fail_on: new`): a comparison with
    /// that baseline, which excuses nothing, would otherwise take old defects for mended ones.
    pub fn hold_known_findings(&mut self) {
        let of_claims = self.claims.iter_mut().flat_map(|claim| &mut claim.findings);
        self.findings.iter_mut().chain(of_claims).for_each(|finding| finding.known = false);
    }

    /// The case with every finding held against it; see [`CaseOutline::hold_known_findings`].
    #[must_use]
    pub fn with_known_findings(&self) -> Cow<'_, Self> {
        let mut findings = self.findings.iter().chain(self.claims.iter().flat_map(|claim| &claim.findings));
        if findings.all(|finding| !finding.known) {
            return Cow::Borrowed(self);
        }
        let mut held = self.clone();
        held.hold_known_findings();
        Cow::Owned(held)
    }

    /// The outline of a case and its claims.
    #[must_use]
    pub fn of(case: &'a CaseRecord<'_>, claims: &'a [ClaimRecord<'_>], rules: &RuleIndex) -> Self {
        let named = case.packet.iter().filter(|unit| unit.source_id.is_some() || unit.source_version.is_some());
        let unit = |unit: &'a super::UnitRecord<'_>| {
            let digest = Cow::Borrowed(brief(unit.raw.as_deref()?, CHANGED));
            Some((short(&unit.id), unit.source_id.as_ref().map(short), unit.source_version.as_ref().map(short), digest))
        };
        Self {
            case_id: short(&case.case_id),
            question: Cow::Borrowed(brief(&case.question, IDENTIFYING)),
            refused: case.refused,
            unread_language: case.unread_language,
            answerable: case.answerable,
            outcomes: Cow::Owned(rules.letters(&case.outcomes)),
            citations: case.citations.iter().map(|citation| CitationOutline::of(citation, rules)).collect(),
            findings: case.findings.iter().map(FindingOutline::of).collect(),
            scores: case.scores,
            slices: copied(&case.slices, |_| true),
            claims: claims.iter().map(|claim| ClaimOutline::of(claim, case, rules)).collect(),
            units: named.filter_map(unit).collect(),
        }
    }

    /// The records of the case and its claims as far as an outline tells them: what tallies read of them, and no texts.
    #[must_use]
    pub fn to_records<'o>(&'o self, rules: &'o RuleIndex) -> (CaseRecord<'o>, Vec<ClaimRecord<'o>>) {
        let case = CaseRecord {
            schema: Cow::Borrowed(CASE_SCHEMA),
            case_id: short(&self.case_id),
            file: Cow::Borrowed(""),
            line: 0,
            question: short(&self.question),
            query: None,
            answer: None,
            language: Cow::Borrowed(""),
            unread_language: self.unread_language,
            answerable: self.answerable,
            refused: self.refused,
            claims: self.claims.len(),
            markers: Vec::new(),
            packet: Vec::new(),
            citations: self.citations.iter().map(|citation| citation.to_record(rules)).collect(),
            outcomes: rules.outcomes(&self.outcomes),
            findings: self.findings.iter().map(FindingOutline::to_record).collect(),
            scores: self.scores,
            slices: copied(&self.slices, |_| true),
            evaluator: nobody(),
        };
        (case, self.claims.iter().map(|claim| claim.to_record(self, rules)).collect())
    }

    /// Whether both state the same facts. Messages are none: a baseline keeps no texts.
    #[must_use]
    pub fn same_facts(&self, other: &CaseOutline<'_>) -> bool {
        let Self {
            case_id,
            question,
            refused,
            unread_language,
            answerable,
            outcomes,
            citations,
            findings,
            scores,
            slices,
            claims,
            units,
        } = self;
        *case_id == other.case_id
            && *question == other.question
            && *refused == other.refused
            && *unread_language == other.unread_language
            && *answerable == other.answerable
            && *outcomes == other.outcomes
            && *citations == other.citations
            && same_findings(findings, &other.findings)
            && *scores == other.scores
            && *slices == other.slices
            && claims.len() == other.claims.len()
            && claims.iter().zip(&other.claims).all(|(claim, other)| claim.same_facts(other))
            && *units == other.units
    }

    /// The same without a reference to anything else.
    #[must_use]
    pub fn into_owned(self) -> CaseOutline<'static> {
        CaseOutline {
            case_id: owned(self.case_id),
            question: owned(self.question),
            unread_language: self.unread_language,
            refused: self.refused,
            answerable: self.answerable,
            outcomes: owned(self.outcomes),
            citations: self.citations.into_iter().map(CitationOutline::into_owned).collect(),
            findings: self.findings.into_iter().map(FindingOutline::into_owned).collect(),
            scores: self.scores,
            slices: owned_values(self.slices),
            claims: self.claims.into_iter().map(ClaimOutline::into_owned).collect(),
            units: self
                .units
                .into_iter()
                .map(|(id, document, version, digest)| {
                    (owned(id), document.map(owned), version.map(owned), owned(digest))
                })
                .collect(),
        }
    }
}

fn same_findings(findings: &[FindingOutline<'_>], others: &[FindingOutline<'_>]) -> bool {
    findings.len() == others.len() && findings.iter().zip(others).all(|(finding, other)| finding.same_facts(other))
}

const fn nobody() -> Evaluator<'static> {
    Evaluator { engine: Cow::Borrowed(""), policy: Cow::Borrowed(""), judge: None, prompt: None }
}

fn owned(text: Text<'_>) -> Text<'static> {
    Cow::Owned(text.into_owned())
}

fn owned_values(values: SliceValues<'_>) -> SliceValues<'static> {
    values.into_iter().map(|(id, value)| (owned(id), owned(value))).collect()
}

impl<'a> ClaimOutline<'a> {
    fn of(claim: &'a ClaimRecord<'_>, case: &CaseRecord<'_>, rules: &RuleIndex) -> Self {
        Self {
            claim_id: short(&claim.claim_id),
            text: Cow::Borrowed(brief(&claim.claim_sha256, IDENTIFYING)),
            class: (claim.class != VERIFIABLE).then(|| short(&claim.class)),
            label: claim.label,
            decided_by: claim.decided_by.as_ref().map(short),
            suspected: claim.suspected,
            expected: claim.expected,
            outcomes: Cow::Owned(rules.letters(&claim.outcomes)),
            citations: claim.citations.iter().map(|citation| CitationOutline::of(citation, rules)).collect(),
            findings: claim.findings.iter().map(FindingOutline::of).collect(),
            slices: copied(&claim.slices, |id| !case.slices.contains_key(id)),
        }
    }

    fn same_facts(&self, other: &ClaimOutline<'_>) -> bool {
        let Self {
            claim_id,
            text,
            class,
            label,
            decided_by,
            suspected,
            expected,
            outcomes,
            citations,
            findings,
            slices,
        } = self;
        *claim_id == other.claim_id
            && *text == other.text
            && *class == other.class
            && *label == other.label
            && *decided_by == other.decided_by
            && *suspected == other.suspected
            && *expected == other.expected
            && *outcomes == other.outcomes
            && *citations == other.citations
            && same_findings(findings, &other.findings)
            && *slices == other.slices
    }

    fn to_record<'o>(&'o self, case: &'o CaseOutline<'_>, rules: &'o RuleIndex) -> ClaimRecord<'o> {
        let mut slices = copied(&case.slices, |_| true);
        slices.extend(copied(&self.slices, |_| true));
        let class = self.class.as_ref().map_or(Cow::Borrowed(VERIFIABLE), short);
        ClaimRecord {
            schema: Cow::Borrowed(CLAIM_SCHEMA),
            case_id: short(&case.case_id),
            claim_id: short(&self.claim_id),
            claim: Cow::Borrowed(""),
            claim_sha256: short(&self.text),
            evidence_sha256: None,
            span: None,
            coverage_required: class == VERIFIABLE,
            class,
            label: self.label,
            decided_by: self.decided_by.as_ref().map(short),
            suspected: self.suspected,
            confidence: None,
            reason: None,
            review: None,
            expected: self.expected,
            integrity_pass: true,
            covered: !self.citations.is_empty(),
            citations: self.citations.iter().map(|citation| citation.to_record(rules)).collect(),
            outcomes: rules.outcomes(&self.outcomes),
            findings: self.findings.iter().map(FindingOutline::to_record).collect(),
            slices,
            evaluator: nobody(),
        }
    }

    fn into_owned(self) -> ClaimOutline<'static> {
        ClaimOutline {
            claim_id: owned(self.claim_id),
            text: owned(self.text),
            class: self.class.map(owned),
            label: self.label,
            decided_by: self.decided_by.map(owned),
            suspected: self.suspected,
            expected: self.expected,
            outcomes: owned(self.outcomes),
            citations: self.citations.into_iter().map(CitationOutline::into_owned).collect(),
            findings: self.findings.into_iter().map(FindingOutline::into_owned).collect(),
            slices: owned_values(self.slices),
        }
    }
}

impl<'a> CitationOutline<'a> {
    fn of(citation: &'a CitationRecord<'_>, rules: &RuleIndex) -> Self {
        Self {
            id: short(&citation.id),
            resolved: citation.resolved,
            outcomes: Cow::Owned(rules.letters(&citation.outcomes)),
            slices: copied(&citation.slices, |_| true),
        }
    }

    fn to_record<'o>(&'o self, rules: &'o RuleIndex) -> CitationRecord<'o> {
        CitationRecord {
            id: short(&self.id),
            raw: None,
            span: None,
            resolved: self.resolved,
            source_id: None,
            source_version: None,
            locator: None,
            withheld: false,
            excerpt: None,
            excerpt_sha256: None,
            matches: Vec::new(),
            outcomes: rules.outcomes(&self.outcomes),
            slices: copied(&self.slices, |_| true),
        }
    }

    fn into_owned(self) -> CitationOutline<'static> {
        CitationOutline {
            id: owned(self.id),
            resolved: self.resolved,
            outcomes: owned(self.outcomes),
            slices: owned_values(self.slices),
        }
    }
}

impl<'a> FindingOutline<'a> {
    fn same_facts(&self, other: &FindingOutline<'_>) -> bool {
        let Self { rule, code, severity, certainty, observed, known, overturned, confirmed, fingerprint, message: _ } =
            self;
        *rule == other.rule
            && *code == other.code
            && *severity == other.severity
            && *certainty == other.certainty
            && (*observed, *known) == (other.observed, other.known)
            && (*overturned, *confirmed) == (other.overturned, other.confirmed)
            && *fingerprint == other.fingerprint
    }

    fn of(finding: &'a FindingRecord<'_>) -> Self {
        Self {
            rule: short(&finding.rule),
            code: short(&finding.code),
            severity: finding.severity,
            certainty: finding.certainty,
            observed: finding.observed,
            known: finding.known,
            overturned: finding.overturned,
            confirmed: finding.confirmed,
            fingerprint: short(&finding.fingerprint),
            message: Some(short(&finding.message)),
        }
    }

    fn to_record(&self) -> FindingRecord<'_> {
        FindingRecord {
            rule: short(&self.rule),
            code: short(&self.code),
            severity: self.severity,
            certainty: self.certainty,
            observed: self.observed,
            implies: None,
            message: self.message.as_ref().map_or(Cow::Borrowed(""), short),
            citation: None,
            answer_span: None,
            claim_span: None,
            fingerprint: short(&self.fingerprint),
            stage: None,
            stage_reason: Cow::Borrowed(""),
            annotates: None,
            elsewhere: None,
            known: self.known,
            overturned: self.overturned,
            confirmed: self.confirmed,
        }
    }

    /// The same without a reference to anything else.
    #[must_use]
    pub fn into_owned(self) -> FindingOutline<'static> {
        FindingOutline {
            rule: owned(self.rule),
            code: owned(self.code),
            severity: self.severity,
            certainty: self.certainty,
            observed: self.observed,
            known: self.known,
            overturned: self.overturned,
            confirmed: self.confirmed,
            fingerprint: owned(self.fingerprint),
            message: self.message.map(owned),
        }
    }
}
