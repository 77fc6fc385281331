//! What goes to a person (SPEC 8.3): the claims that wait for a decision, and what became of the decisions there are.
//!
//! A worker offers each case with its claims as it states them; nothing is kept of a case but what it adds to the queue. The
//! only memory is a mark for each decision, which any worker may set in any order.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::dataset::decisions::{Decision, Decisions};
use crate::dataset::{Day, Label};
use crate::record::{CaseRecord, CitationRecord, ClaimRecord, ExcerptRecord, Text};
use crate::rules::policy::Bound;
use crate::rules::settings;
use crate::tally::{OpenReason, ReviewCounts};
use crate::text::Digest;
use crate::text::redact::KEYED;

/// Schema of a line of `review.jsonl`.
pub const SCHEMA: &str = "citeward/review/1";
/// What the sample of passes is drawn with: another text would draw other claims.
pub const SEED: &str = "citeward-review-sample-1";
/// Most findings of one claim that its entry holds.
const MOST_FINDINGS: usize = 50;

/// The case of a decision is in the run.
const CASE: u8 = 1;
/// A claim of the case has the text that was decided on.
const CLAIM: u8 = 1 << 1;
/// It cites the evidence that was decided on.
const EVIDENCE: u8 = 1 << 2;
/// The decision is where the claim's label comes from.
const APPLIED: u8 = 1 << 3;

/// Says of a claim whether its label is another one than the baseline's.
pub type Changed<'r> = dyn Fn(&CaseRecord<'_>, &ClaimRecord<'_>) -> bool + Sync + 'r;

/// Which claims go to a person, and what of each decision was seen so far.
pub struct Review<'r> {
    decisions: Option<&'r Decisions>,
    marks: Vec<AtomicU8>,
    confidence_below: Option<f64>,
    /// Of 2⁶⁴ equally likely draws, those below this one are in the sample.
    sample: u128,
    changed: Option<&'r Changed<'r>>,
}

impl fmt::Debug for Review<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Review").field("decisions", &self.decisions).finish_non_exhaustive()
    }
}

/// One line of `review.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry<'a> {
    /// [`SCHEMA`].
    #[serde(borrow)]
    pub schema: Text<'a>,
    /// Why it is here, at least one reason.
    pub reasons: Vec<OpenReason>,
    /// Id of the case.
    #[serde(borrow)]
    pub case_id: Text<'a>,
    /// Id of the claim.
    #[serde(borrow)]
    pub claim_id: Text<'a>,
    /// Data file of the case.
    #[serde(borrow)]
    pub file: Text<'a>,
    /// Physical line of the case, from 1.
    pub line: u64,
    /// The question.
    pub query: Option<Text<'a>>,
    /// The statement.
    #[serde(borrow)]
    pub claim: Text<'a>,
    /// Its label.
    pub label: Label,
    /// What a triage finding suspects, where undecided.
    pub suspected: Option<Label>,
    /// Who decided the label; `null` for undecided.
    pub decided_by: Option<Text<'a>>,
    /// The judge's confidence.
    pub confidence: Option<f64>,
    /// What rules found wrong with it.
    pub findings: Vec<EntryFinding<'a>>,
    /// What it cites, as far as the records show it.
    pub evidence: Vec<EntryEvidence<'a>>,
    /// A line for the file of decisions that a reviewer completes.
    pub decision: Draft<'a>,
}

/// A finding in an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryFinding<'a> {
    /// The rule.
    #[serde(borrow)]
    pub rule: Text<'a>,
    /// Stable code.
    #[serde(borrow)]
    pub code: Text<'a>,
    /// One sentence for a person.
    #[serde(borrow)]
    pub message: Text<'a>,
}

/// A citation in an entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntryEvidence<'a> {
    /// The unit's id, else the reference as written.
    #[serde(borrow)]
    pub id: Text<'a>,
    /// Whether it resolves to a unit.
    pub resolved: bool,
    /// The document.
    pub source_id: Option<Text<'a>>,
    /// Its version.
    pub source_version: Option<Text<'a>>,
    /// Whether the excerpt is withheld.
    pub withheld: bool,
    /// The excerpt that the checks relied on; without its text where withheld.
    pub excerpt: Option<ExcerptRecord<'a>>,
    /// SHA-256 of the excerpt's exact bytes.
    pub excerpt_sha256: Option<Text<'a>>,
}

/// A decision that is still to be made: a line of the file of decisions, of which a reviewer fills in the empty texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft<'a> {
    /// Id of the case.
    #[serde(borrow)]
    pub case_id: Text<'a>,
    /// Id of the claim.
    #[serde(borrow)]
    pub claim_id: Text<'a>,
    /// SHA-256 of the claim's exact text.
    #[serde(borrow)]
    pub claim_sha256: Text<'a>,
    /// Hash of the evidence that it cites.
    #[serde(borrow)]
    pub evidence_sha256: Text<'a>,
    /// Empty: `supported`, `partial`, `contradicted` or `insufficient`.
    #[serde(borrow)]
    pub label: Text<'a>,
    /// Empty: who decides.
    #[serde(borrow)]
    pub reviewer: Text<'a>,
    /// Empty: why.
    #[serde(borrow)]
    pub reason: Text<'a>,
    /// Empty: the day, `YYYY-MM-DD`.
    #[serde(borrow)]
    pub date: Text<'a>,
}

/// Why a decision decided nothing in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lapse {
    /// No claim of the case has the text that was decided on.
    ClaimChanged,
    /// The claim is there and cites other evidence.
    EvidenceChanged,
    /// Claim and evidence are there, but the claim needs no citation any more and has no label.
    ClaimUnlabelled,
    /// The case is not in the run.
    CaseGone,
    /// Its last day is over.
    Expired,
}

/// What became of the decisions in a run.
#[derive(Debug, Default)]
pub struct Standing<'r> {
    /// How many labels come from them at least once.
    pub applied: u64,
    /// Those that decided nothing, in the order of the file.
    pub lapsed: Vec<(&'r Decision, Lapse)>,
    /// The day that expiry was held against; `None` where nothing expires.
    pub today: Option<Day>,
}

impl<'r> Review<'r> {
    /// What the policy and the decisions ask for; no label is taken to have changed.
    #[must_use]
    pub fn new(settings: &settings::Review, decisions: Option<&'r Decisions>) -> Self {
        let marks = decisions.map_or(0, |decisions| decisions.entries().len());
        Self {
            decisions,
            marks: (0..marks).map(|_| AtomicU8::new(0)).collect(),
            confidence_below: settings.confidence_below.as_ref().map(Bound::to_f64),
            sample: settings.sample_passes.as_ref().map_or(0, threshold),
            changed: None,
        }
    }

    /// The same, with what says of a claim whether its label changed against the baseline.
    #[must_use]
    pub fn with_changed(self, changed: &'r Changed<'r>) -> Self {
        Self { changed: Some(changed), ..self }
    }

    /// Takes a case with its claims: counts those that wait, and writes an entry for each.
    ///
    /// # Errors
    /// Where an entry cannot be written as JSON.
    pub fn case(
        &self,
        case: &CaseRecord<'_>,
        claims: &[ClaimRecord<'_>],
        counts: &mut ReviewCounts,
        into: &mut Vec<u8>,
    ) -> Result<(), serde_json::Error> {
        let unapplied = self.mark(case, claims);
        for claim in claims {
            let reasons = self.reasons(case, claim, &unapplied);
            counts.add(&reasons);
            if let Some(entry) = entry(case, claim, reasons) {
                serde_json::to_writer(&mut *into, &entry)?;
                into.push(b'\n');
            }
        }
        Ok(())
    }

    /// Marks what was seen of the decisions on this case; gives the claims' hashes of those that apply nowhere in it.
    fn mark(&self, case: &CaseRecord<'_>, claims: &[ClaimRecord<'_>]) -> Vec<Digest> {
        let mut unapplied = Vec::new();
        let Some(decisions) = self.decisions else { return unapplied };
        for (index, decision) in decisions.of_case(&case.case_id) {
            let mut mark = CASE;
            for claim in claims.iter().filter(|claim| is(&claim.claim_sha256, decision.claim)) {
                mark |= CLAIM;
                if claim.evidence_sha256.as_deref().is_some_and(|hash| is(hash, decision.evidence)) {
                    mark |= EVIDENCE;
                    mark |= if claim.review.is_some() { APPLIED } else { 0 };
                }
            }
            if mark & APPLIED == 0 {
                unapplied.push(decision.claim);
            }
            if let Some(own) = self.marks.get(index) {
                own.fetch_or(mark, Ordering::Relaxed);
            }
        }
        unapplied
    }

    fn reasons(&self, case: &CaseRecord<'_>, claim: &ClaimRecord<'_>, unapplied: &[Digest]) -> Vec<OpenReason> {
        let mut reasons = Vec::new();
        // Only a claim with a label and with evidence can be decided on.
        let (Some(label), Some(_), None) = (claim.label, &claim.evidence_sha256, &claim.review) else { return reasons };
        if label == Label::Undecided && claim.suspected.is_some() {
            reasons.push(OpenReason::Suspected);
        }
        if self.changed.is_some_and(|changed| changed(case, claim)) {
            reasons.push(OpenReason::LabelChanged);
        }
        if claim.confidence.zip(self.confidence_below).is_some_and(|(confidence, least)| confidence < least) {
            reasons.push(OpenReason::LowConfidence);
        }
        if label == Label::Supported && self.sample > 0 && draw(&claim.case_id, &claim.claim_sha256) < self.sample {
            reasons.push(OpenReason::Sampled);
        }
        if unapplied.iter().any(|decided| is(&claim.claim_sha256, *decided)) {
            reasons.push(OpenReason::Lapsed);
        }
        reasons
    }

    /// What became of the decisions, once every case was taken.
    #[must_use]
    pub fn standing(&self) -> Standing<'r> {
        let Some(decisions) = self.decisions else { return Standing::default() };
        let mut standing = Standing { today: decisions.today(), ..Standing::default() };
        for (decision, mark) in decisions.entries().iter().zip(&self.marks) {
            let mark = mark.load(Ordering::Relaxed);
            let lapse = match mark {
                mark if mark & APPLIED != 0 => {
                    standing.applied += 1;
                    continue;
                }
                _ if decisions.has_expired(decision) => Lapse::Expired,
                0 => Lapse::CaseGone,
                mark if mark & CLAIM == 0 => Lapse::ClaimChanged,
                mark if mark & EVIDENCE == 0 => Lapse::EvidenceChanged,
                _ => Lapse::ClaimUnlabelled,
            };
            standing.lapsed.push((decision, lapse));
        }
        standing
    }
}

impl Lapse {
    /// Every reason, in the order in which they are listed.
    pub const ALL: [Lapse; 5] =
        [Lapse::ClaimChanged, Lapse::EvidenceChanged, Lapse::ClaimUnlabelled, Lapse::CaseGone, Lapse::Expired];
}

/// Whether a hash as a record states it is this one.
fn is(hash: &str, digest: Digest) -> bool {
    hash.strip_prefix(KEYED).unwrap_or(hash).parse() == Ok(digest)
}

/// floor(share · 2⁶⁴).
fn threshold(share: &Bound) -> u128 {
    let scaled = BigUint::from(share.mantissa) << 64_u32;
    (scaled / BigUint::from(10_u8).pow(share.scale)).to_u128().unwrap_or(u128::MAX)
}

/// A number below 2⁶⁴ that depends on the case's id and the claim's text alone.
fn draw(case_id: &str, claim_sha256: &str) -> u128 {
    let mut hasher = Sha256::new();
    for part in [SEED, case_id, claim_sha256] {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().iter().take(8).fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// The entry of a claim; `None` where nothing asks for one.
fn entry<'e>(case: &'e CaseRecord<'_>, claim: &'e ClaimRecord<'_>, reasons: Vec<OpenReason>) -> Option<Entry<'e>> {
    let short = |text: &'e Text<'_>| -> Text<'e> { Cow::Borrowed(text.as_ref()) };
    let (label, evidence_sha256) = claim.label.zip(claim.evidence_sha256.as_ref()).filter(|_| !reasons.is_empty())?;
    let findings = claim.findings.iter().take(MOST_FINDINGS).map(|finding| EntryFinding {
        rule: short(&finding.rule),
        code: short(&finding.code),
        message: short(&finding.message),
    });
    Some(Entry {
        schema: Cow::Borrowed(SCHEMA),
        reasons,
        case_id: short(&case.case_id),
        claim_id: short(&claim.claim_id),
        file: short(&case.file),
        line: case.line,
        query: case.query.as_ref().map(short),
        claim: short(&claim.claim),
        label,
        suspected: claim.suspected,
        decided_by: claim.decided_by.as_ref().map(short),
        confidence: claim.confidence,
        findings: findings.collect(),
        evidence: claim.citations.iter().map(evidence).collect(),
        decision: draft(&case.case_id, &claim.claim_id, &claim.claim_sha256, evidence_sha256),
    })
}

fn evidence<'e>(citation: &'e CitationRecord<'_>) -> EntryEvidence<'e> {
    let short = |text: &'e Text<'_>| -> Text<'e> { Cow::Borrowed(text.as_ref()) };
    EntryEvidence {
        id: short(&citation.id),
        resolved: citation.resolved,
        source_id: citation.source_id.as_ref().map(short),
        source_version: citation.source_version.as_ref().map(short),
        withheld: citation.withheld,
        excerpt: citation.excerpt.as_ref().map(|excerpt| ExcerptRecord {
            start: excerpt.start,
            end: excerpt.end,
            text: excerpt.text.as_ref().map(short),
        }),
        excerpt_sha256: citation.excerpt_sha256.as_ref().map(short),
    }
}

/// A decision on a claim that a reviewer completes.
#[must_use]
pub fn draft<'e>(case_id: &'e str, claim_id: &'e str, claim_sha256: &'e str, evidence_sha256: &'e str) -> Draft<'e> {
    Draft {
        case_id: Cow::Borrowed(case_id),
        claim_id: Cow::Borrowed(claim_id),
        claim_sha256: Cow::Borrowed(claim_sha256),
        evidence_sha256: Cow::Borrowed(evidence_sha256),
        label: Cow::Borrowed(""),
        reviewer: Cow::Borrowed(""),
        reason: Cow::Borrowed(""),
        date: Cow::Borrowed(""),
    }
}
