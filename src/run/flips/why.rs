//! Why something flipped: what went in that is another one now, and which rules came out otherwise.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{CaseState, Pairing, Sides, findings_of, letter};
use crate::check::{Outcome, Severity};
use crate::record::outline::{CaseOutline, CitationOutline, ClaimOutline, FindingOutline, outcome};
use crate::tally::RuleEntry;

/// Why something flipped, fact by fact. What did not change is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// The claim's text is another one; of a case: its claims are.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub text_changed: bool,
    /// It cites other units.
    #[serde(skip_serializing_if = "Cited::is_empty", default)]
    pub cited: Cited,
    /// The units that it cites on both sides are other ones under the same id.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub evidence: Vec<EvidenceChange>,
    /// Rules that came out otherwise, those that decided first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rules: Vec<RuleChange>,
    /// Claim and citations are the same, and this is what differs between the two evaluations.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub evaluation: Vec<EvaluationChange>,
    /// Nothing of the above went in otherwise: it is the wording of the answer, a passage that names no document and no version,
    /// other data of the case, or the source register.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub elsewhere: bool,
}

/// Ids that are cited now or were before, not both.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cited {
    /// Cited now.
    pub added: Vec<String>,
    /// Cited before.
    pub removed: Vec<String>,
}

/// A cited unit that is another one under the same id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceChange {
    /// Its id.
    pub id: String,
    /// What of it.
    pub what: EvidenceWhat,
    /// Its version before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version_before: Option<String>,
    /// Its version now.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub version: Option<String>,
}

/// What of a cited unit changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EvidenceWhat {
    /// It was in the packet and is not any more.
    Gone,
    /// It was not in the packet and is now.
    New,
    /// It is of another document.
    Document,
    /// It is of another version of the document.
    Version,
    /// Its content changed under the same version: drift.
    Content,
}

/// What differs between two evaluations beside the cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EvaluationChange {
    /// The part of the policy that decides records.
    Policy,
    /// The version of citeward.
    Engine,
    /// The judge.
    Judge,
}

impl EvaluationChange {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            EvaluationChange::Policy => "policy",
            EvaluationChange::Engine => "engine",
            EvaluationChange::Judge => "judge",
        }
    }
}

/// A rule that came out otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleChange {
    /// The rule.
    pub rule: String,
    /// Of a case: the claim that it is about, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim_id: Option<String>,
    /// How it came out before (of a case: the worst); `null` where there was no such rule.
    pub before: Option<Outcome>,
    /// How it comes out now.
    pub after: Option<Outcome>,
    /// Code of what it found before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code_before: Option<String>,
    /// Code of what it finds now.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub code: Option<String>,
    /// What it finds now, in one sentence.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<String>,
    /// What its findings count as now, where that is something else than before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub counts_as: Option<CountsAs>,
}

/// What a finding counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CountsAs {
    /// It fails the case.
    Error,
    /// It fails no case.
    Warning,
    /// It only informs.
    Note,
    /// Its rule only observes.
    Observed,
    /// A reviewer overturned it.
    Overturned,
    /// The baseline has it, and only new findings count.
    Known,
}

impl CountsAs {
    fn of(finding: &FindingOutline<'_>) -> Self {
        match finding.severity {
            _ if finding.overturned => CountsAs::Overturned,
            _ if finding.observed => CountsAs::Observed,
            _ if finding.known => CountsAs::Known,
            Severity::Error => CountsAs::Error,
            Severity::Warning => CountsAs::Warning,
            Severity::Note => CountsAs::Note,
        }
    }
}

impl Cited {
    /// Whether the same is cited.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }

    fn of<'o>(
        before: impl Iterator<Item = &'o CitationOutline<'o>>,
        after: impl Iterator<Item = &'o CitationOutline<'o>>,
    ) -> Self {
        let before: BTreeSet<&str> = before.map(|citation| citation.id.as_ref()).collect();
        let after: BTreeSet<&str> = after.map(|citation| citation.id.as_ref()).collect();
        let ids = |ids: std::collections::btree_set::Difference<'_, &str>| ids.map(ToString::to_string).collect();
        Self { added: ids(after.difference(&before)), removed: ids(before.difference(&after)) }
    }
}

impl Why {
    /// Why a claim flipped.
    pub(super) fn of_claim(
        sides: &Sides,
        (case_before, before): (&CaseOutline<'_>, &ClaimOutline<'_>),
        (case_after, after): (&CaseOutline<'_>, &ClaimOutline<'_>),
    ) -> Self {
        let why = Self {
            text_changed: before.text != after.text,
            cited: Cited::of(before.citations.iter(), after.citations.iter()),
            evidence: evidence(case_before, before.citations.iter(), case_after, after.citations.iter()),
            rules: rules_of_claim(sides, before, after),
            ..Self::default()
        };
        let by_people = [before, after].iter().any(|claim| claim.decided_by.as_deref() == Some(REVIEW));
        why.with_rest(sides, by_people || before.class != after.class)
    }

    /// Why a case flipped.
    pub(super) fn of_case(
        sides: &Sides,
        before: &CaseOutline<'_>,
        after: &CaseOutline<'_>,
        pairing: &Pairing,
        (was, is): (CaseState, CaseState),
    ) -> Self {
        let texts =
            |case: &CaseOutline<'_>| case.claims.iter().map(|claim| claim.text.to_string()).collect::<BTreeSet<_>>();
        let why = Self {
            text_changed: !pairing.gone.is_empty() || pairing.twins.contains(&None) || texts(before) != texts(after),
            cited: Cited::of(citations_of(before), citations_of(after)),
            evidence: evidence(before, citations_of(before), after, citations_of(after)),
            rules: if was.verdict == is.verdict { Vec::new() } else { rules_of_case(sides, before, after) },
            ..Self::default()
        };
        why.with_rest(sides, was.refused != is.refused)
    }

    fn with_rest(mut self, sides: &Sides, is_told: bool) -> Self {
        let is_told = is_told || self.rules.iter().any(|rule| rule.counts_as == Some(CountsAs::Overturned));
        if is_told || self.text_changed || !self.cited.is_empty() || !self.evidence.is_empty() {
            return self;
        }
        self.evaluation.clone_from(&sides.differs);
        self.elsewhere = self.evaluation.is_empty();
        self
    }
}

/// Who decided where a reviewer did.
pub(super) const REVIEW: &str = "review";
fn citations_of<'o>(case: &'o CaseOutline<'_>) -> impl Iterator<Item = &'o CitationOutline<'o>> {
    case.claims.iter().flat_map(|claim| &claim.citations).chain(&case.citations)
}

/// What became of the units that are cited on both sides.
fn evidence<'o>(
    case_before: &CaseOutline<'_>,
    before: impl Iterator<Item = &'o CitationOutline<'o>>,
    case_after: &CaseOutline<'_>,
    after: impl Iterator<Item = &'o CitationOutline<'o>>,
) -> Vec<EvidenceChange> {
    let by_id = |citations: &mut dyn Iterator<Item = &'o CitationOutline<'o>>| {
        citations.map(|citation| (citation.id.as_ref(), citation.resolved)).collect::<BTreeMap<&str, bool>>()
    };
    let (mut before, mut after) = (before, after);
    let (before, after) = (by_id(&mut before), by_id(&mut after));
    let both = before.iter().filter_map(|(id, was)| after.get(id).map(|is| (*id, *was, *is)));
    let (units_before, units_after) = (units(case_before), units(case_after));
    both.filter_map(|(id, was, is)| {
        let (old, new) = (units_before.get(id), units_after.get(id));
        let what = match (was, is, old, new) {
            (true, false, ..) => EvidenceWhat::Gone,
            (false, true, ..) => EvidenceWhat::New,
            (.., Some((old, ..)), Some((new, ..))) if old != new => EvidenceWhat::Document,
            (.., Some((_, old, _)), Some((_, new, _))) if old != new => EvidenceWhat::Version,
            (.., Some((.., old)), Some((.., new))) if old != new => EvidenceWhat::Content,
            (.., Some(_), None) | (.., None, Some(_)) => EvidenceWhat::Document,
            _ => return None,
        };
        let version = |unit: Option<&Unit<'_>>| unit.and_then(|(_, version, _)| version.map(str::to_owned));
        Some(EvidenceChange { id: id.to_owned(), what, version_before: version(old), version: version(new) })
    })
    .collect()
}

/// Document, version and digest of the content.
type Unit<'o> = (Option<&'o str>, Option<&'o str>, &'o str);

fn units<'o>(case: &'o CaseOutline<'_>) -> BTreeMap<&'o str, Unit<'o>> {
    let units = case.units.iter();
    units
        .map(|(id, document, version, digest)| {
            (id.as_ref(), (document.as_deref(), version.as_deref(), digest.as_ref()))
        })
        .collect()
}

/// The rules that came out otherwise on a claim, or found something else. Those that decided come first, then failures. Where
/// none of them failed or decided on either side, rules that merely passed or applied before or now.
fn rules_of_claim(sides: &Sides, before: &ClaimOutline<'_>, after: &ClaimOutline<'_>) -> Vec<RuleChange> {
    let mut told: Vec<(u8, RuleChange)> = Vec::new();
    let mut rest = Vec::new();
    for (at, now, rule) in sides.named() {
        let was = at.and_then(|at| outcome(letter(&before.outcomes, at)));
        let is = now.and_then(|now| outcome(letter(&after.outcomes, now)));
        let of_rule = |finding: &&FindingOutline<'_>| finding.rule == rule.id;
        let old: Vec<&FindingOutline<'_>> = before.findings.iter().filter(of_rule).collect();
        let new: Vec<&FindingOutline<'_>> = after.findings.iter().filter(of_rule).collect();
        let counts_as = counts_as(old.first().copied(), new.first().copied());
        let is_new = |finding: &&FindingOutline<'_>| !old.iter().any(|old| old.code == finding.code);
        let has_found_else = was == is && was == Some(Outcome::Fail) && (new.iter().any(is_new) || counts_as.is_some());
        if was == is && !has_found_else {
            continue;
        }
        let found = new.iter().copied().find(is_new).or(new.first().copied()).filter(|_| is == Some(Outcome::Fail));
        let change = RuleChange {
            rule: rule.id.clone(),
            claim_id: None,
            before: was,
            after: is,
            code_before: old.first().filter(|_| was == Some(Outcome::Fail)).map(|finding| finding.code.to_string()),
            code: found.map(|finding| finding.code.to_string()),
            message: found.and_then(|finding| finding.message.as_ref()).map(ToString::to_string),
            counts_as,
        };
        let decided = |claim: &ClaimOutline<'_>| {
            claim.decided_by.as_deref().and_then(|who| who.strip_prefix("rule:")) == Some(rule.id.as_str())
        };
        let is_enforced = sides.is_enforced(at, now);
        match (was, is) {
            _ if decided(after) => told.push((0, change)),
            (_, Some(Outcome::Fail)) if is_enforced => told.push((1, change)),
            (_, Some(Outcome::Broken)) if is_enforced => told.push((2, change)),
            _ if decided(before) => told.push((3, change)),
            (Some(Outcome::Fail | Outcome::Broken), _) if is_enforced => told.push((4, change)),
            _ => rest.push(change),
        }
    }
    told.sort_by_key(|(rank, _)| *rank);
    if told.is_empty() { rest } else { told.into_iter().map(|(_, change)| change).collect() }
}

/// The rules that count against a case on one side only, or could not be evaluated on one side only; those that count now first.
fn rules_of_case(sides: &Sides, before: &CaseOutline<'_>, after: &CaseOutline<'_>) -> Vec<RuleChange> {
    let (old, new) = (counting(before), counting(after));
    let (old_worst, new_worst) = (worst(before), worst(after));
    let mut told: Vec<(u8, RuleChange)> = Vec::new();
    for (at, now, rule) in sides.named() {
        let was = at.and_then(|at| old_worst.get(at).copied().flatten());
        let is = now.and_then(|now| new_worst.get(now).copied().flatten());
        let (had, has) = (old.get(rule.id.as_str()), new.get(rule.id.as_str()));
        let broken = |outcome| outcome == Some(Outcome::Broken);
        let broke = broken(was) != broken(is) && sides.is_enforced(at, now);
        if had.is_some() == has.is_some() && !broke {
            continue;
        }
        let found = has.or(had).copied();
        let (had, has) = (had.map(|(_, finding)| *finding), has.map(|(_, finding)| *finding));
        let any_before = findings_of(before).find(|finding| finding.rule == rule.id);
        let any_after = findings_of(after).find(|finding| finding.rule == rule.id);
        let change = RuleChange {
            rule: rule.id.clone(),
            claim_id: found.and_then(|(claim_id, _)| claim_id).map(str::to_owned),
            before: was,
            after: is,
            code_before: findings_of(before)
                .find(|finding| finding.rule == rule.id)
                .map(|finding| finding.code.to_string()),
            code: has.map(|finding| finding.code.to_string()),
            message: has.and_then(|finding| finding.message.as_ref()).map(ToString::to_string),
            counts_as: counts_as(had.or(any_before), has.or(any_after)),
        };
        let rank = match (has.is_some(), is) {
            (true, _) => 0,
            (false, Some(Outcome::Broken)) => 1,
            _ => 2,
        };
        told.push((rank, change));
    }
    told.sort_by_key(|(rank, _)| *rank);
    told.into_iter().map(|(_, change)| change).collect()
}

/// The first finding of each rule that counts against the case, and the claim that it is on.
fn counting<'o>(case: &'o CaseOutline<'_>) -> BTreeMap<&'o str, (Option<&'o str>, &'o FindingOutline<'o>)> {
    let own = case.findings.iter().map(|finding| (None, finding));
    let of_claims = case
        .claims
        .iter()
        .flat_map(|claim| claim.findings.iter().map(|finding| (Some(claim.claim_id.as_ref()), finding)));
    let mut first = BTreeMap::new();
    for (claim_id, finding) in own.chain(of_claims) {
        if CountsAs::of(finding) == CountsAs::Error {
            first.entry(finding.rule.as_ref()).or_insert((claim_id, finding));
        }
    }
    first
}

/// By rule, its worst outcome on anything of the case.
fn worst(case: &CaseOutline<'_>) -> Vec<Option<Outcome>> {
    let weight = |outcome: Option<Outcome>| match outcome {
        None => 0,
        Some(Outcome::NotApplicable) => 1,
        Some(Outcome::Pass) => 2,
        Some(Outcome::Broken) => 3,
        Some(Outcome::Fail) => 4,
    };
    let claims = case.claims.iter().map(|claim| &claim.outcomes);
    let stray = case.citations.iter().map(|citation| &citation.outcomes);
    let mut worst: Vec<Option<Outcome>> = Vec::new();
    for letters in std::iter::once(&case.outcomes).chain(claims).chain(stray) {
        worst.resize(worst.len().max(letters.len()), None);
        for (worst, letter) in worst.iter_mut().zip(letters.bytes()) {
            let outcome = outcome(letter);
            if weight(outcome) > weight(*worst) {
                *worst = outcome;
            }
        }
    }
    worst
}

impl Sides {
    /// The rules of both runs: position in each, and the entry of the later run, else of the earlier one.
    fn named(&self) -> impl Iterator<Item = (Option<usize>, Option<usize>, &RuleEntry)> {
        self.rules.iter().filter_map(|&(at, now)| {
            let rule = self.rules_at(at, now);
            Some((at, now, rule.1.or(rule.0)?))
        })
    }

    fn rules_at(&self, at: Option<usize>, now: Option<usize>) -> (Option<&RuleEntry>, Option<&RuleEntry>) {
        let before = at.and_then(|at| self.before.table.rules.get(at));
        (before, now.and_then(|now| self.after.table.rules.get(now)))
    }

    /// Whether the rule counts for anything on either side.
    fn is_enforced(&self, at: Option<usize>, now: Option<usize>) -> bool {
        let (before, after) = self.rules_at(at, now);
        before.is_some_and(|rule| rule.enforced) || after.is_some_and(|rule| rule.enforced)
    }
}

/// What a rule's finding counts as now, where that is something else than before.
fn counts_as(before: Option<&FindingOutline<'_>>, after: Option<&FindingOutline<'_>>) -> Option<CountsAs> {
    let (before, after) = (CountsAs::of(before?), CountsAs::of(after?));
    (before != after).then_some(after)
}
