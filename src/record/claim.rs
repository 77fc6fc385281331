//! Judges one claim: the rules on claims, the support rules over the passages it cites, and the label.

use super::annotate::{self, FailedRule, Scene};
use super::cache::{Cache, Known};
use super::evaluate::{Cited, Evaluator, about};
use super::label::{self, Citations, Decision, Verdict};
use super::outcome::{NO_CONTENT, Ruled, on_pair, ruled};
use super::slice::Subject;
use super::stage;
use super::{MatchRecord, SliceValues, binding};
use crate::check::{
    Certainty, Check, ClaimText, Defect, Family, Finding, Judgement, Match, Outcome, Passage, SupportCheck,
};
use crate::citation::{Claim, ClaimClass, Packet};
use crate::dataset::{Label, decisions};
use crate::rules::policy::{Combine, Rule};
use crate::text::hidden::How;
use crate::text::{Analysis, Digest, Span};

/// A claim with what became of it.
#[derive(Debug)]
pub(super) struct Judged<'a> {
    pub claim: &'a Claim<'a>,
    /// Digest of its text.
    pub digest: Digest,
    /// Hash of the evidence that it cites, where it cites any.
    pub evidence: Option<Digest>,
    /// The reviewer's decision that its label comes from.
    pub review: Option<&'a decisions::Decision>,
    /// The label that people gave.
    pub expected: Option<Label>,
    /// `None` for a claim that has no label: not verifiable, or not cited.
    pub decision: Option<Decision<'a>>,
    /// Outcomes of the rules on claims, support rules over the passages as combined.
    pub ruled: Vec<Ruled<'a>>,
    /// Slices of the claim, those of its case included.
    pub slices: SliceValues<'a>,
}

/// What a support rule came to: over all passages, over each alone, and the spans it relied on.
struct Supported {
    judgement: Judgement,
    /// By passage, where there are several.
    several: Vec<Judgement>,
    /// Whether the rule says nothing of a passage alone.
    is_joint: bool,
}

impl Supported {
    /// What the rule came to over each passage alone.
    fn alone(&self) -> &[Judgement] {
        match (self.is_joint, self.several.is_empty()) {
            (true, _) => &[],
            (false, true) => std::slice::from_ref(&self.judgement),
            (false, false) => &self.several,
        }
    }
}

/// Judges a claim and notes with its citations what the support rules said of each pair and relied on. `units` is what is known of the
/// packet's units, `case_id` the id of the case as records have it.
pub(super) fn judge<'a>(
    evaluator: &'a Evaluator<'_>,
    (packet, units, case_id): (&'a Packet<'a>, &[Option<Known>], &str),
    claim: &'a Claim<'a>,
    cited: &mut [Cited<'a>],
    case_slices: &SliceValues<'a>,
    cache: &mut Cache,
) -> Judged<'a> {
    let slices = evaluator.slicer.of_claim(packet, claim, case_slices);
    let holds = |rule: &Rule| evaluator.applies(rule, Subject::claim(packet, claim), &slices);
    let known = evaluator.know(packet, &claim.text, cache);
    let text = ClaimText {
        claim,
        analysis: &known.analysis,
        query: packet.case.query.as_deref(),
        language: &packet.language,
        lexicons: &evaluator.policy.lexicons,
    };
    let indexes: Vec<usize> = claim.citations.iter().map(|&index| index as usize).collect();
    let unread: Vec<usize> = match claim.class {
        // A line of a bibliography states nothing of what its source says.
        ClaimClass::ReferenceEntry => Vec::new(),
        _ => indexes.iter().copied().filter(|&index| cited.get(index).is_some_and(|cited| cited.is_unread)).collect(),
    };
    let mut rulings = Vec::new();
    let mut pairs = Vec::new();
    let mut matches = Vec::new();
    let mut failed: Vec<FailedRule<'_>> = Vec::new();
    {
        let readable: Vec<(usize, Passage<'_>)> =
            indexes.iter().filter_map(|&i| Some((i, cited.get(i)?.passage(packet)?))).collect();
        let passages: Vec<Passage<'_>> = readable.iter().map(|(_, passage)| *passage).collect();
        let subject = about(packet, Some(claim), None);
        for rule in &evaluator.policy.rules {
            match &rule.check {
                Check::Claim(_) | Check::Support(_) if !holds(rule) => {
                    rulings.push(ruled(rule, Judgement::excluded(), subject, &evaluator.messages));
                }
                // A pure refusal and the name of a source state nothing that evidence could bear out.
                Check::Support(_) if matches!(claim.class, ClaimClass::Refusal | ClaimClass::ReferenceEntry) => {
                    rulings.push(ruled(rule, Judgement::irrelevant(), subject, &evaluator.messages));
                }
                Check::Claim(check) => {
                    rulings.push(ruled(rule, check.judge(packet, claim, text), subject, &evaluator.messages));
                }
                Check::Support(check) => {
                    let mut supported = support(rule, check.as_ref(), text, &passages, !indexes.is_empty());
                    if passages.iter().any(hides_something) && is_certain(rule, &supported.judgement) {
                        let written = written(evaluator, packet, &readable, cited, cache);
                        allow_for_hidden(evaluator, packet, check.as_ref(), text, &readable, &written, &mut supported);
                    }
                    if !unread.is_empty() && !is_certain(rule, &supported.judgement) {
                        supported.judgement = Judgement::broken().because(NO_CONTENT);
                        pairs.extend(unread.iter().filter_map(|i| Some((*i, on_pair(rule, &supported.judgement)?))));
                    }
                    note(&supported.judgement.matches, &readable, &mut matches);
                    for ((index, _), judgement) in readable.iter().zip(supported.alone()) {
                        pairs.extend(on_pair(rule, judgement).map(|pair| (*index, pair)));
                    }
                    if supported.judgement.outcome == Outcome::Fail {
                        let findings = supported.judgement.findings.clone();
                        failed.push(FailedRule { ruling: rulings.len(), rule, check: check.as_ref(), findings });
                    }
                    rulings.push(ruled(rule, supported.judgement, subject, &evaluator.messages));
                }
                Check::Case(_) | Check::Citation(_) | Check::Annotation(_) | Check::Label(_) => {}
            }
        }
        let scene = Scene { evaluator, packet, units, claim, text, passages: &passages, cited, case_slices };
        let mut notes = Vec::new();
        for rule in &evaluator.policy.rules {
            let Check::Annotation(check) = &rule.check else { continue };
            let annotated = if holds(rule) { scene.annotated(check.as_ref(), &failed) } else { None };
            annotate::rule(&scene, rule, annotated.as_ref(), &failed, &mut rulings);
            notes.extend(annotated);
        }
        stage::settle(&scene, &failed, &notes, &mut rulings);
    }
    for (index, pair) in pairs {
        if let Some(cited) = cited.get_mut(index) {
            cited.pairs.push(pair);
        }
    }
    for (index, found) in matches {
        if let Some(cited) = cited.get_mut(index) {
            cited.matches.push(found);
        }
    }
    let expected = packet.expected(claim);
    let digest = known.digests.raw;
    let evidence = binding::evidence(packet, units, packet.citations_of(claim));
    let review = evidence.filter(|_| claim.is_verifiable()).and_then(|evidence| {
        (evaluator.decisions?).find(case_id, evaluator.written_hash(digest), evaluator.written_hash(evidence))
    });
    let decision = decide(review.map(|review| review.label), claim, &indexes, cited, &rulings);
    if let Some(review) = review {
        weigh(review.label, &mut rulings);
    }
    for rule in &evaluator.policy.rules {
        let Check::Label(check) = &rule.check else { continue };
        let decided = decision.filter(|_| holds(rule));
        let judgement = decided.map_or(Judgement::irrelevant(), |d| check.judge(d.label, expected));
        rulings.push(ruled(rule, judgement, about(packet, Some(claim), None), &evaluator.messages));
    }
    Judged { claim, digest, evidence, review, expected, decision, ruled: rulings, slices }
}

/// Holds what the support rules found against the label that a reviewer gave. Findings that imply nothing of the label, and
/// notes on other findings, were no statement about it.
fn weigh(label: Label, rulings: &mut [Ruled<'_>]) {
    for ruled in rulings.iter_mut().filter(|ruled| ruled.rule.family() == Family::Support) {
        if matches!(ruled.rule.check, Check::Label(_) | Check::Annotation(_)) {
            continue;
        }
        for finding in ruled.findings.iter_mut().filter(|finding| finding.implies.is_some()) {
            finding.overturned = label == Label::Supported;
            finding.confirmed = label != Label::Supported;
        }
    }
}

/// Why a support rule has nothing to say of a claim that cites.
const NO_PASSAGE: &str = "no passage that the claim cites can be read";

/// Whether a support rule found something wrong with a claim beyond doubt: a unit that could not be read leaves that standing.
fn is_certain(rule: &Rule, judgement: &Judgement) -> bool {
    let certain = |finding: &Finding| rule.is_final.unwrap_or(finding.certainty == Certainty::Final);
    judgement.outcome == Outcome::Fail && judgement.findings.iter().any(certain)
}

/// Whether some of a passage is not shown or struck out.
fn hides_something(passage: &Passage<'_>) -> bool {
    let exposed = Span::new(passage.offset, passage.offset + passage.text.len());
    passage.hidden.iter().any(|hidden| hidden.how != How::Aside && hidden.span.overlaps(exposed))
}

/// What each citation exposes, as it is written, with what is known of that.
fn written<'a>(
    evaluator: &Evaluator<'_>,
    packet: &Packet<'_>,
    readable: &[(usize, Passage<'_>)],
    cited: &[Cited<'a>],
    cache: &mut Cache,
) -> Vec<(&'a str, Known)> {
    let texts = readable.iter().filter_map(|(at, _)| Some(cited.get(*at)?.exposed_text()?.0));
    texts.map(|text| (text, evaluator.know(packet, text, cache))).collect()
}

/// Leaves open what is missing in a passage where it stands in what the passage hides: a reader may come to see it. What a reader sees
/// to be otherwise is wrong all the same.
fn allow_for_hidden<'p>(
    evaluator: &Evaluator<'_>,
    packet: &Packet<'_>,
    check: &dyn SupportCheck,
    text: ClaimText<'_>,
    readable: &[(usize, Passage<'p>)],
    written: &'p [(&str, Known)],
    supported: &mut Supported,
) {
    let is_otherwise = |finding: &Finding| finding.implies == Some(Defect::Contradicted);
    if supported.judgement.findings.iter().any(is_otherwise) {
        return;
    }
    let analyse = || Analysis::new(Some(&packet.language), &evaluator.policy.lexicons);
    let as_written = |((_, shown), (text, known)): (&(usize, Passage<'p>), &'p (&str, Known))| {
        let analysis = known.written(analyse);
        Passage { text, analysis, content: text, whole: analysis, offset: 0, hidden: &[], ..*shown }
    };
    let whole: Vec<Passage<'_>> = readable.iter().zip(written).map(as_written).collect();
    if check.judge(text, &whole).outcome != Outcome::Fail {
        let several = supported.several.iter_mut();
        for judgement in several.chain([&mut supported.judgement]) {
            judgement.findings.iter_mut().for_each(|finding| finding.certainty = Certainty::Triage);
        }
    }
}

/// Judges a claim by a support rule over the passages that it cites, and over each alone.
fn support(
    rule: &Rule,
    check: &dyn SupportCheck,
    text: ClaimText<'_>,
    passages: &[Passage<'_>],
    is_cited: bool,
) -> Supported {
    if passages.is_empty() {
        let judgement =
            if is_cited { Judgement::missing("sources.content").because(NO_PASSAGE) } else { Judgement::irrelevant() };
        return Supported { judgement, several: Vec::new(), is_joint: false };
    }
    let is_joint = check.compares_passages();
    if passages.len() == 1 || is_joint {
        return Supported { judgement: check.judge(text, passages), several: Vec::new(), is_joint };
    }
    let several: Vec<Judgement> = passages.iter().map(|p| check.judge(text, std::slice::from_ref(p))).collect();
    let judgement = match rule.combine {
        Combine::Union => check.judge(text, passages),
        Combine::Any => first(&several, &[Outcome::Pass, Outcome::Broken, Outcome::Fail]),
        Combine::All => first(&several, &[Outcome::Fail, Outcome::Broken, Outcome::Pass]),
    };
    Supported { judgement, several, is_joint }
}

/// The judgement of the first passage with the first of these outcomes that any passage has; its matches are moved to
/// that passage.
fn first(alone: &[Judgement], order: &[Outcome]) -> Judgement {
    for &outcome in order {
        if let Some((index, judgement)) = alone.iter().enumerate().find(|(_, j)| j.outcome == outcome) {
            let mut judgement = judgement.clone();
            judgement.matches.iter_mut().for_each(|found| found.passage = index);
            return judgement;
        }
    }
    alone.first().cloned().unwrap_or_else(Judgement::irrelevant)
}

/// Moves matches from passages to the units' contents.
fn note(found: &[Match], readable: &[(usize, Passage<'_>)], into: &mut Vec<(usize, MatchRecord)>) {
    for found in found {
        let Some((index, passage)) = readable.get(found.passage) else { continue };
        let record = MatchRecord {
            claim: found.claim.as_ref().map(|span| (span.start, span.end)),
            content: (passage.offset + found.span.start, passage.offset + found.span.end),
            conflicting: found.conflicting,
            shown: None,
        };
        if !into.iter().any(|(i, known)| i == index && *known == record) {
            into.push((*index, record));
        }
    }
}

fn decide<'a>(
    reviewed: Option<Label>,
    claim: &Claim<'_>,
    indexes: &[usize],
    cited: &[Cited<'a>],
    rulings: &[Ruled<'a>],
) -> Option<Decision<'a>> {
    if !claim.is_verifiable() || indexes.is_empty() {
        return None;
    }
    let own = || indexes.iter().filter_map(|&index| cited.get(index));
    let all_withheld = own().all(|cited| cited.withheld_by.is_some());
    let citations = Citations {
        any_unresolved: own().any(|cited| cited.citation.resolution.unit().is_none()),
        unreadable: if all_withheld { own().find_map(|cited| cited.withheld_by) } else { None },
    };
    let verdicts: Vec<Verdict<'a>> = rulings
        .iter()
        .map(|ruled| Verdict {
            rule: ruled.rule,
            outcome: ruled.outcome,
            is_final: ruled.implied(Certainty::Final),
            triage: ruled.implied(Certainty::Triage),
        })
        .collect();
    Some(label::decide(reviewed, citations, &verdicts))
}
