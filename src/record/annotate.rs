//! Notes on findings: what they point at in the rest of the packet, and who may see it.
//!
//! Nothing in here judges a claim. Units that a claim does not cite are read only after every rule on its support has spoken, and all that
//! comes of them is a note on a finding, or a finding that weighs less.

use std::borrow::Cow;

use super::cache::Known;
use super::evaluate::{Cited, Evaluator, EvidenceMode, about};
use super::outcome::{Ruled, ruled};
use super::slice::Subject;
use super::{ElsewhereRecord, ExcerptRecord, FindingRecord, SliceValues};
use crate::check::misattributed::{MOST_BYTES, MOST_UNITS};
use crate::check::{
    Alternatives, Annotation, AnnotationCheck, Certainty, Check, ClaimText, Defect, Failed, Finding, Judgement,
    Outcome, Passage, Severity, SupportCheck, Uncited,
};
use crate::citation::{Citation, Claim, Exposed, Packet, Resolution};
use crate::dataset::register::Status;
use crate::rules::policy::{Mode, Rule};
use crate::text::{Span, digest};

/// A support rule that found something wrong with the claim.
pub(super) struct FailedRule<'a> {
    /// Where its outcome stands among the rulings.
    pub ruling: usize,
    pub rule: &'a Rule,
    pub check: &'a dyn SupportCheck,
    pub findings: Vec<Finding>,
}

/// The claim whose findings are annotated, and the packet around it.
pub(super) struct Scene<'s, 'a> {
    pub evaluator: &'a Evaluator<'a>,
    pub packet: &'a Packet<'a>,
    /// What is known of the packet's units.
    pub units: &'s [Option<Known>],
    pub claim: &'a Claim<'a>,
    pub text: ClaimText<'s>,
    /// The passages that the claim cites.
    pub passages: &'s [Passage<'s>],
    /// Every citation of the case.
    pub cited: &'s [Cited<'a>],
    pub case_slices: &'s SliceValues<'a>,
}

/// The notes of one rule on what failed.
pub(super) struct Annotated<'s> {
    notes: Vec<Annotation>,
    /// Index of the rule among those that failed, by its index in the notes.
    of: Vec<usize>,
    uncited: Vec<(usize, Uncited<'s>)>,
    /// Whether every unit that could be looked into was.
    is_whole: bool,
}

impl Annotated<'_> {
    /// Indexes of the rules, among those that failed, whose findings were looked into.
    pub fn of(&self) -> &[usize] {
        &self.of
    }

    /// Whether every unit that the reader may see was looked into.
    pub const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Where what is missing was found: the rule's index among those that failed, the finding's among its own, the unit's in the packet, and
    /// the marker that would cite it.
    pub fn places(&self) -> impl Iterator<Item = (usize, usize, usize, Option<&str>)> {
        self.notes.iter().filter_map(|note| {
            let rule = self.of.get(note.rule).copied()?;
            let (unit, uncited) = self.uncited.get(note.unit)?;
            Some((rule, note.finding, *unit, uncited.marker.as_deref()))
        })
    }
}

impl<'s, 'a> Scene<'s, 'a> {
    /// What a check notes on the rules that failed; `None` where the claim lacks no fact that could stand elsewhere.
    pub fn annotated(&self, check: &dyn AnnotationCheck, failed: &[FailedRule<'_>]) -> Option<Annotated<'s>> {
        let wanted = |own: &FailedRule<'_>| {
            let of = check.of();
            let is_meant = of.is_empty() || of.iter().any(|id| id.value == own.rule.id);
            is_meant && own.findings.iter().any(|finding| !own.check.lacking(finding).is_empty())
        };
        let of: Vec<usize> = (0..failed.len()).filter(|&at| failed.get(at).is_some_and(wanted)).collect();
        if of.is_empty() {
            return None;
        }
        Some(self.search(check, of, failed))
    }

    /// What a check finds of the facts of `of` (indexes among the rules that failed) in the units that the claim does not cite.
    pub fn search(&self, check: &dyn AnnotationCheck, of: Vec<usize>, failed: &[FailedRule<'_>]) -> Annotated<'s> {
        let (uncited, is_whole) = self.uncited();
        self.search_in(check, of, failed, uncited, is_whole)
    }

    /// The same in what the claim's own units hold outside of the parts that it cites; `None` where it cites all of them.
    pub fn search_around(
        &self,
        check: &dyn AnnotationCheck,
        of: Vec<usize>,
        failed: &[FailedRule<'_>],
    ) -> Option<Annotated<'s>> {
        let (around, is_whole) = self.around();
        (!around.is_empty() || !is_whole).then(|| self.search_in(check, of, failed, around, is_whole))
    }

    fn search_in(
        &self,
        check: &dyn AnnotationCheck,
        of: Vec<usize>,
        failed: &[FailedRule<'_>],
        units: Vec<(usize, Uncited<'s>)>,
        is_whole: bool,
    ) -> Annotated<'s> {
        let handed: Vec<Failed<'_>> = of
            .iter()
            .filter_map(|&at| failed.get(at))
            .map(|own| Failed { rule: &own.rule.id, check: own.check, findings: &own.findings })
            .collect();
        let (indexes, uncited): (Vec<usize>, Vec<Uncited<'s>>) = units.into_iter().unzip();
        let instead =
            Alternatives { cited: self.packet.cited_as(self.claim), passages: self.passages, uncited: &uncited };
        let notes = check.annotate(self.text, &handed, &instead);
        Annotated { notes, of, uncited: indexes.into_iter().zip(uncited).collect(), is_whole }
    }

    /// Whether the claim cites a unit, by its index in the packet, or a part of it.
    pub fn cites(&self, unit: usize) -> bool {
        self.packet.citations_of(self.claim).any(|own| own.resolution.unit() == Some(unit))
    }

    /// The units that the claim does not cite and its reader may see, with their index in the packet, and whether they are all there: neither
    /// too many, nor too large, nor without content.
    fn uncited(&self) -> (Vec<(usize, Uncited<'s>)>, bool) {
        let packet = self.packet;
        let mut uncited = Vec::new();
        let mut is_whole = true;
        let mut bytes = MOST_BYTES / packet.claims.len().max(1);
        for index in 0..packet.case.units.len() {
            if uncited.len() >= MOST_UNITS {
                is_whole = false;
                break;
            }
            if self.cites(index) {
                continue;
            }
            match self.whole(index).filter(|passage| passage.text.len() <= bytes) {
                Some(passage) if self.may_read(index) => {
                    bytes -= passage.text.len();
                    let marker = packet.marker_for(self.claim, index);
                    uncited.push((index, Uncited { passage, marker }));
                }
                Some(_) => {}
                // Of a unit that the reader may not see not even its absence is said.
                None => is_whole = is_whole && !self.may_read(index),
            }
        }
        (uncited, is_whole)
    }

    /// The units of which the claim cites a part, each as a whole, as far as its reader may see them.
    fn around(&self) -> (Vec<(usize, Uncited<'s>)>, bool) {
        let mut around: Vec<(usize, Uncited<'s>)> = Vec::new();
        let mut is_whole = true;
        let mut bytes = MOST_BYTES / self.packet.claims.len().max(1);
        for own in &self.claim.citations {
            let Some(cited) = self.cited.get(*own as usize).filter(|cited| cited.withheld_by.is_none()) else {
                continue;
            };
            let Some(index) = cited.citation.resolution.unit() else { continue };
            let Some(passage) = self.whole(index) else { continue };
            let is_part = cited.exposed_text().is_none_or(|(text, _)| text.len() < passage.text.len());
            if !is_part || around.iter().any(|(known, _)| *known == index) {
                continue;
            }
            if passage.text.len() > bytes || around.len() >= MOST_UNITS {
                is_whole = false;
                continue;
            }
            bytes -= passage.text.len();
            around.push((index, Uncited { passage, marker: self.packet.marker_for(self.claim, index) }));
        }
        (around, is_whole)
    }

    /// A unit of the packet with all of its content, where it has any.
    fn whole(&self, index: usize) -> Option<Passage<'s>> {
        let unit = self.packet.case.units.get(index)?;
        let known = self.units.get(index)?.as_ref()?;
        let text = known.shown(unit.content.as_deref()?);
        let entry = self.packet.registered(unit).and_then(|known| known.version(unit.source_version.as_deref()));
        let (analysis, whole) = (&known.analysis, &known.analysis);
        Some(Passage { text, analysis, unit, offset: 0, content: text, whole, hidden: known.hidden(), entry })
    }

    /// Whether the reader of the answer may see a unit that the claim does not cite: every rule that would withhold a citation of it is asked,
    /// one that only observes included. Where no rule on scopes lets it pass, it must lie in the case's own scopes.
    fn may_read(&self, index: usize) -> bool {
        let (packet, evaluator) = (self.packet, self.evaluator);
        let Some(unit) = packet.case.units.get(index) else { return false };
        let is_withheld = |cited: &&Cited<'_>| cited.citation.resolution.unit() == Some(index);
        if self.cited.iter().filter(is_withheld).any(|cited| cited.withheld_by.is_some()) {
            return false;
        }
        let of_claim = self.claim.citations.first().and_then(|&own| packet.citations.get(own as usize));
        let citation = Citation {
            claim: of_claim.and_then(|own| own.claim),
            id: Cow::Borrowed(unit.id.as_ref()),
            resolution: u32::try_from(index).map_or(Resolution::Unknown, Resolution::Unit),
            markers: Vec::new(),
            given: None,
            exposed: Exposed::Span(0..unit.content.as_deref().map_or(0, str::len)),
        };
        let mut passes = false;
        for rule in &evaluator.policy.rules {
            let Check::Citation(check) = &rule.check else { continue };
            if !evaluator.applies(rule, Subject::citation(packet, &citation), self.case_slices) {
                continue;
            }
            let judgement = check.judge(packet, &citation);
            let implied = |finding: &Finding| rule.implies.or(finding.implies);
            if judgement.findings.iter().any(|finding| implied(finding) == Some(Defect::Unreadable)) {
                return false;
            }
            passes |= rule.kind.name == "scope" && rule.mode == Mode::Enforce && judgement.outcome == Outcome::Pass;
        }
        if passes {
            return true;
        }
        let entry = packet.registered(unit).and_then(|known| known.version(unit.source_version.as_deref()));
        if entry.is_some_and(|entry| entry.status == Status::Restricted) {
            return false;
        }
        let Some(allowed) = packet.case.allowed_scopes.as_deref() else { return true };
        let own = [unit.scope_id.as_deref(), entry.and_then(|entry| entry.scope.as_deref())];
        let mut scopes = own.into_iter().flatten().peekable();
        scopes.peek().is_some() && scopes.all(|scope| allowed.iter().any(|allowed| allowed.as_ref() == scope))
    }

    /// What a note points at, as a record holds it.
    fn elsewhere(
        &self,
        index: usize,
        uncited: &Uncited<'_>,
        span: Option<&std::ops::Range<usize>>,
    ) -> ElsewhereRecord<'a> {
        let unit = self.packet.case.units.get(index);
        let excerpt = span.zip(unit.and_then(|unit| unit.content.as_deref())).and_then(|(span, content)| {
            let Passage { text, analysis, .. } = &uncited.passage;
            let around = analysis.covering_sentences(text, Span::new(span.start, span.end));
            Some((around, content.get(around.range())?))
        });
        let shown = self.evaluator.evidence != EvidenceMode::HashOnly;
        ElsewhereRecord {
            id: unit.map_or(Cow::Borrowed(""), |unit| Cow::Borrowed(unit.id.as_ref())),
            marker: uncited.marker.clone().map(Cow::Owned),
            excerpt_sha256: excerpt.map(|(_, text)| Cow::Owned(digest::raw(text.as_bytes()).to_string())),
            excerpt: excerpt.map(|(around, text)| ExcerptRecord {
                start: around.start,
                end: around.end,
                text: shown.then_some(Cow::Borrowed(text)),
            }),
        }
    }
}

/// States the outcome of a rule that annotates, joins each note to its finding, and weakens what the notes weaken. `annotated` is `None` where
/// there was nothing to annotate.
pub(super) fn rule<'a>(
    scene: &Scene<'_, 'a>,
    rule: &'a Rule,
    annotated: Option<&Annotated<'_>>,
    failed: &[FailedRule<'_>],
    rulings: &mut Vec<Ruled<'a>>,
) {
    let subject = about(scene.packet, Some(scene.claim), None);
    let Some(Annotated { notes, of, uncited, .. }) = annotated else {
        rulings.push(ruled(rule, Judgement::irrelevant(), subject, &scene.evaluator.messages));
        return;
    };
    let findings = notes.iter().map(|note| note.note.clone()).collect();
    let mut stated = ruled(rule, Judgement::of(findings), subject, &scene.evaluator.messages);
    for (record, note) in stated.findings.iter_mut().zip(notes) {
        record.elsewhere =
            uncited.get(note.unit).map(|(index, unit)| scene.elsewhere(*index, unit, note.span.as_ref()));
        let own = of.get(note.rule).and_then(|&at| failed.get(at));
        let annotated = own.and_then(|own| rulings.get_mut(own.ruling)?.findings.get_mut(note.finding).zip(Some(own)));
        let Some((annotated, own)) = annotated else { continue };
        record.annotates = Some(annotated.fingerprint.clone());
        if note.weakens && rule.mode == Mode::Enforce && own.rule.is_final != Some(true) {
            weaken(annotated);
        }
    }
    rulings.push(stated);
}

fn weaken(finding: &mut FindingRecord<'_>) {
    finding.certainty = Certainty::Triage;
    finding.severity = finding.severity.min(Severity::Warning);
}
