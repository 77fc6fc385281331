//! Applies a policy's rules to one case and states the outcome as records.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cache::{Cache, Known, Veiled};
use super::outcome::{About, Messages, Ruled, ruled};
use super::redact::{OfCase, Redaction};
use super::slice::{Slicer, Subject};
use super::{CaseRecord, ClaimRecord, MatchRecord, OutcomeRecord, SliceValues, claim, write};
use crate::check::citation_scores::Scoring;
use crate::check::{Certainty, Check, Defect, Judgement, Passage};
use crate::citation::{Citation, Claim, Exposed, Packet};
use crate::dataset::Decisions;
use crate::rules::Policy;
use crate::rules::policy::{Mode, Rule};
use crate::text::hidden::is_blank;
use crate::text::sentence::Sentence;
use crate::text::{self, Analysis, Digest};

/// The records of one case.
#[derive(Debug)]
pub struct Records<'a> {
    /// The case.
    pub case: CaseRecord<'a>,
    /// Its claims, in order.
    pub claims: Vec<ClaimRecord<'a>>,
}

/// How much of the evidence leaves in records and reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EvidenceMode {
    /// Excerpts with their hashes.
    #[default]
    Excerpts,
    /// Hashes and spans alone.
    HashOnly,
}

/// What stays the same for every case of a run.
#[derive(Debug)]
pub struct Evaluator<'p> {
    /// The rules and all that belongs to them.
    pub policy: &'p Policy,
    /// How much of the evidence leaves.
    pub evidence: EvidenceMode,
    pub(super) policy_digest: String,
    pub(super) messages: Messages,
    pub(super) scoring: Scoring,
    pub(super) slicer: Slicer<'p>,
    /// What reviewers decided.
    pub(super) decisions: Option<&'p Decisions>,
    /// Fingerprints of findings that the baseline has and that therefore fail no case.
    known: BTreeSet<String>,
    /// Where only one rule is evaluated, its index.
    only: Option<usize>,
    /// The rules with a condition, by index, and whether it ever held.
    conditions: Vec<(usize, AtomicBool)>,
    /// What is taken out of every record, where the policy says so.
    redaction: Option<Redaction<'p>>,
}

/// What a citation exposes of a unit.
#[derive(Debug)]
struct ExposedText<'a> {
    text: &'a str,
    /// Where it begins in the unit's content.
    offset: usize,
    /// What is known of it.
    known: Known,
    /// What is known of the whole content.
    whole: Known,
}

/// A citation with what became of it.
#[derive(Debug)]
pub(super) struct Cited<'a> {
    pub citation: &'a Citation<'a>,
    /// What support checks may read.
    exposed: Option<ExposedText<'a>>,
    /// The rule that withholds the unit from this reader.
    pub withheld_by: Option<&'a str>,
    /// Whether the reader is pointed at something without a word to read: a unit without content or a blank one.
    pub is_unread: bool,
    /// Outcomes of the rules on citations.
    pub ruled: Vec<Ruled<'a>>,
    /// Outcomes of the support rules that apply to this pair alone.
    pub pairs: Vec<OutcomeRecord<'a>>,
    /// What the support rules relied on, in the unit's content.
    pub matches: Vec<MatchRecord>,
    /// Slices at the citation's own level.
    pub slices: SliceValues<'a>,
}

impl<'a> Cited<'a> {
    /// What a support check is handed; nothing where the unit may not be read or has no text to read.
    pub fn passage(&self, packet: &'a Packet<'a>) -> Option<Passage<'_>> {
        if self.withheld_by.is_some() {
            return None;
        }
        let unit = packet.unit(self.citation)?;
        let ExposedText { text, offset, known, whole } =
            self.exposed.as_ref().filter(|exposed| exposed.known.is_readable)?;
        let entry = packet.registered(unit).and_then(|known| known.version(unit.source_version.as_deref()));
        let content = whole.shown(unit.content.as_deref().unwrap_or_default());
        Some(Passage {
            text: shown_part(content, *offset, text, known),
            analysis: &known.analysis,
            unit,
            offset: *offset,
            content,
            whole: &whole.analysis,
            hidden: whole.hidden(),
            entry,
        })
    }

    /// The exposed text, as it stands, with its offset in the unit's content.
    pub fn exposed_text(&self) -> Option<(&'a str, usize)> {
        self.exposed.as_ref().map(|exposed| (exposed.text, exposed.offset))
    }

    /// The sentences of the exposed text, as its readers see it.
    pub fn sentences(&self, packet: &Packet<'_>) -> &[Sentence] {
        let Some(ExposedText { text, offset, known, whole }) = &self.exposed else { return &[] };
        let content = packet.unit(self.citation).and_then(|unit| unit.content.as_deref()).unwrap_or_default();
        known.analysis.sentences(shown_part(whole.shown(content), *offset, text, known))
    }
}

/// What readers see of an exposed text. `content` is what they see of the whole unit, `known` what is known of its part from `offset` on.
fn shown_part<'t>(content: &'t str, offset: usize, text: &'t str, known: &'t Known) -> &'t str {
    match content.get(offset..offset + text.len()) {
        Some(part) if part.len() < content.len() => known.shown(part),
        whole => whole.unwrap_or(text),
    }
}

/// What a finding on this subject is about.
pub(super) fn about<'a>(
    packet: &'a Packet<'a>,
    claim: Option<&'a Claim<'a>>,
    citation: Option<&'a Citation<'a>>,
) -> About<'a> {
    About {
        case_id: &packet.case.case_id,
        claim_id: claim.map_or("", |claim| &claim.claim_id),
        claim: claim.map_or("", |claim| &claim.text),
        citation: citation.map(|citation| citation.id.as_ref()),
        resolved: citation.is_some_and(|citation| citation.resolution.unit().is_some()),
    }
}

impl<'p> Evaluator<'p> {
    /// An evaluator for a policy.
    #[must_use]
    pub fn new(policy: &'p Policy, evidence: EvidenceMode) -> Self {
        Self {
            policy,
            evidence,
            policy_digest: policy.evaluation_digest.to_string(),
            messages: Messages::new(policy, evidence),
            scoring: Scoring::of(policy.rules.iter().map(|rule| &rule.check)),
            slicer: Slicer::new(&policy.slices),
            decisions: None,
            known: BTreeSet::new(),
            only: None,
            conditions: (0..)
                .zip(&policy.rules)
                .filter(|(_, rule)| !rule.when.is_empty())
                .map(|(index, _)| (index, AtomicBool::new(false)))
                .collect(),
            redaction: Redaction::of(policy),
        }
    }

    /// The same evaluator, which takes what reviewers decided for the label of the claims that they decided on.
    #[must_use]
    pub fn with_decisions(self, decisions: Option<&'p Decisions>) -> Self {
        Self { decisions, ..self }
    }

    /// The same evaluator, for which findings with these fingerprints are known and fail no case.
    #[must_use]
    pub fn with_known(self, known: BTreeSet<String>) -> Self {
        Self { known, ..self }
    }

    /// An evaluator of one rule of a policy alone (by index), which takes every subject to lie in the slices that the
    /// rule asks for.
    #[must_use]
    pub fn for_rule(policy: &'p Policy, rule: usize) -> Self {
        Self { only: Some(rule), ..Self::new(policy, EvidenceMode::Excerpts) }.without_redaction()
    }

    /// The same evaluator for cases that are the policy owner's own words, of which nothing is taken out.
    #[must_use]
    pub fn without_redaction(self) -> Self {
        Self { redaction: None, ..self }
    }

    /// The patterns and fields of `redact` for which no case had anything so far.
    #[must_use]
    pub fn idle_redactions(&self) -> Vec<&str> {
        self.redaction.iter().flat_map(Redaction::idle).collect()
    }

    /// The rules, by index, whose condition held for nothing so far.
    #[must_use]
    pub fn never_applied(&self) -> Vec<usize> {
        let never = self.conditions.iter().filter(|(_, held)| !held.load(Ordering::Relaxed));
        never.map(|(index, _)| *index).collect()
    }

    /// Notes that the condition of a rule held.
    fn held(&self, rule: &Rule) {
        let own = |index: usize| self.policy.rules.get(index).is_some_and(|own| std::ptr::eq(own, rule));
        if let Some((_, held)) = self.conditions.iter().find(|(index, _)| own(*index))
            && !held.load(Ordering::Relaxed)
        {
            held.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a rule is evaluated on a subject. `known` are slices that were worked out already.
    pub(super) fn applies<'a>(&'a self, rule: &Rule, subject: Subject<'a>, known: &SliceValues<'a>) -> bool {
        match self.only {
            None if rule.when.is_empty() => true,
            None => {
                let holds = self.slicer.holds(&rule.when, subject, Some(known));
                if holds {
                    self.held(rule);
                }
                holds
            }
            Some(only) => {
                self.policy.rules.get(only).is_some_and(|own| std::ptr::eq(own, rule))
                    && self.slicer.holds_apart_from_slices(&rule.when, subject)
            }
        }
    }

    /// States the records of one case. `file` is the data file as reports name it, `question` the digest of the
    /// question; `cache` is the worker's own.
    pub fn evaluate<'a>(
        &'a self,
        packet: &'a Packet<'a>,
        file: &'a str,
        question: String,
        cache: &mut Cache,
    ) -> Records<'a> {
        let units: Vec<Option<Known>> = packet
            .case
            .units
            .iter()
            .map(|unit| unit.content.as_deref().map(|content| self.know(packet, content, cache)))
            .collect();
        let redaction = self.redaction.as_ref().map(|redaction| redaction.of_case(packet));
        let case_id = redaction.as_ref().map_or(Cow::Borrowed(packet.case.case_id.as_ref()), OfCase::case_id);
        let slices = self.slicer.of_case(packet);
        let mut cited = self.cite(packet, &units, &slices, cache);
        let on_case = self.rule_case(packet, &slices);
        let judged: Vec<_> = packet
            .claims
            .iter()
            .map(|claim| claim::judge(self, (packet, &units, &case_id), claim, &mut cited, &slices, cache))
            .collect();
        let claims = judged.into_iter().map(|judged| write::claim(self, packet, judged, &cited)).collect();
        let case = write::case(self, packet, write::Source { file, question, units: &units }, on_case, &cited, slices);
        let mut records = Records { case, claims };
        if let Some(redaction) = redaction {
            redaction.apply(&mut records);
        }
        if !self.known.is_empty() {
            let of_claims = records.claims.iter_mut().flat_map(|claim| &mut claim.findings);
            for finding in records.case.findings.iter_mut().chain(of_claims) {
                finding.known = self.known.contains(finding.fingerprint.as_ref());
            }
        }
        records
    }

    /// A hash of a text as records have it.
    pub(super) fn written_hash(&self, digest: Digest) -> Digest {
        self.redaction.as_ref().map_or(digest, |redaction| redaction.digest(digest))
    }

    /// What is known of a text of this case; analysed where the cache knows nothing of it yet.
    pub(super) fn know(&self, packet: &Packet<'_>, text: &str, cache: &mut Cache) -> Known {
        let digests = text::digest::both(text);
        cache.get(&packet.language, digests, text.len(), || {
            let analysis = Arc::new(Analysis::new(Some(&packet.language), &self.policy.lexicons));
            let veiled = Veiled::of(text);
            let is_readable = !is_blank(veiled.as_ref().map_or(text, |veiled| &veiled.shown));
            Known { digests, analysis, veiled, is_readable }
        })
    }

    /// Judges every citation on its own and finds what each exposes.
    fn cite<'a>(
        &'a self,
        packet: &'a Packet<'a>,
        units: &[Option<Known>],
        case_slices: &SliceValues<'a>,
        cache: &mut Cache,
    ) -> Vec<Cited<'a>> {
        let mut cited = Vec::with_capacity(packet.citations.len());
        for citation in &packet.citations {
            let claim = citation.claim.and_then(|index| packet.claims.get(index as usize));
            let rulings = self.rule_citation(packet, claim, citation, case_slices);
            let exposed = self.expose(packet, citation, units, cache);
            let withheld_by = rulings.iter().find(|ruled| withholds(ruled)).map(|ruled| ruled.rule.id.as_str());
            let unit = citation.resolution.unit().and_then(|index| units.get(index));
            let whole = unit.map(|unit| unit.as_ref().is_some_and(|known| known.is_readable));
            let readable = exposed.as_ref().map(|exposed| exposed.known.is_readable).or(whole);
            cited.push(Cited {
                citation,
                exposed,
                withheld_by,
                is_unread: withheld_by.is_none() && readable == Some(false),
                ruled: rulings,
                pairs: Vec::new(),
                matches: Vec::new(),
                slices: self.slicer.of_citation(packet, citation, case_slices),
            });
        }
        cited
    }

    fn rule_citation<'a>(
        &'a self,
        packet: &'a Packet<'a>,
        claim: Option<&'a Claim<'a>>,
        citation: &'a Citation<'a>,
        case_slices: &SliceValues<'a>,
    ) -> Vec<Ruled<'a>> {
        let mut rulings = Vec::new();
        for rule in &self.policy.rules {
            let Check::Citation(check) = &rule.check else { continue };
            let applies = self.applies(rule, Subject::citation(packet, citation), case_slices);
            let judgement = if applies { check.judge(packet, citation) } else { Judgement::excluded() };
            rulings.push(ruled(rule, judgement, about(packet, claim, Some(citation)), &self.messages));
        }
        rulings
    }

    fn expose<'a>(
        &self,
        packet: &'a Packet<'a>,
        citation: &Citation<'_>,
        units: &[Option<Known>],
        cache: &mut Cache,
    ) -> Option<ExposedText<'a>> {
        let index = citation.resolution.unit()?;
        let Exposed::Span(span) = &citation.exposed else { return None };
        let content = packet.case.units.get(index)?.content.as_deref()?;
        let text = content.get(span.clone())?;
        let whole = units.get(index)?.clone()?;
        let is_whole = text.len() == content.len();
        // A part is a text of its own, cut out of what the whole shows: a tag that hides it may stand outside.
        let known = if is_whole {
            whole.clone()
        } else {
            let shown = whole.shown(content).get(span.clone()).unwrap_or(text);
            self.know(packet, shown, cache)
        };
        Some(ExposedText { text, offset: span.start, known, whole })
    }

    fn rule_case<'a>(&'a self, packet: &'a Packet<'a>, slices: &SliceValues<'a>) -> Vec<Ruled<'a>> {
        let mut rulings = Vec::new();
        for rule in &self.policy.rules {
            let Check::Case(check) = &rule.check else { continue };
            let applies = self.applies(rule, Subject::case(packet), slices);
            let judgement = if applies { check.judge(packet) } else { Judgement::excluded() };
            rulings.push(ruled(rule, judgement, about(packet, None, None), &self.messages));
        }
        rulings
    }
}

/// Whether a rule's outcome on a citation keeps the reader from the unit.
fn withholds(ruled: &Ruled<'_>) -> bool {
    ruled.rule.mode == Mode::Enforce && ruled.implied(Certainty::Final) == Some(Defect::Unreadable)
}
