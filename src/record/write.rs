//! States what became of a case and its claims as records.

use std::borrow::Cow;

use super::cache::Known;
use super::claim::Judged;
use super::evaluate::{Cited, Evaluator, EvidenceMode};
use super::label::Decider;
use super::outcome::Ruled;
use super::{CASE_SCHEMA, CLAIM_SCHEMA};
use super::{
    CaseRecord, CitationRecord, ClaimRecord, Evaluator as EvaluatorRecord, ExcerptRecord, FindingRecord, MarkerRecord,
    MatchRecord, OutcomeRecord, ReviewRecord, SliceValues, Span, UnitRecord,
};
use crate::check::{Check, Outcome};
use crate::citation::Packet;
use crate::text::digest;

/// Where a case comes from and what is known of its units.
pub(super) struct Source<'a, 'k> {
    pub file: &'a str,
    pub question: String,
    pub units: &'k [Option<Known>],
}

/// The record of a case.
pub(super) fn case<'a>(
    evaluator: &'a Evaluator<'_>,
    packet: &'a Packet<'a>,
    source: Source<'a, '_>,
    on_case: Vec<Ruled<'a>>,
    cited: &[Cited<'a>],
    slices: SliceValues<'a>,
) -> CaseRecord<'a> {
    let case = packet.case;
    let unclaimed = || cited.iter().filter(|cited| cited.citation.claim.is_none());
    let mut outcomes: Vec<OutcomeRecord<'a>> = on_case.iter().map(Ruled::record).collect();
    outcomes.shrink_to_fit();
    let mut findings: Vec<FindingRecord<'a>> = on_case.into_iter().flat_map(|ruled| ruled.findings).collect();
    findings.extend(unclaimed().flat_map(|cited| &cited.ruled).flat_map(|ruled| ruled.findings.iter().cloned()));
    CaseRecord {
        schema: Cow::Borrowed(CASE_SCHEMA),
        case_id: borrowed(&case.case_id),
        file: Cow::Borrowed(source.file),
        line: case.origin.line,
        question: Cow::Owned(source.question),
        query: case.query.as_deref().map(borrowed),
        answer: case.answer.as_deref().map(borrowed),
        language: borrowed(&packet.language),
        unread_language: packet.unread_language,
        answerable: case.answerable,
        refused: packet.refused,
        claims: packet.claims.len(),
        markers: markers(evaluator, packet),
        packet: units(packet, source.units, cited),
        citations: unclaimed().map(|cited| citation(evaluator, packet, cited)).collect(),
        outcomes,
        findings,
        scores: evaluator.scoring.of_case(packet),
        slices,
        evaluator: evaluated_by(evaluator),
    }
}

/// The record of a claim.
pub(super) fn claim<'a>(
    evaluator: &'a Evaluator<'_>,
    packet: &'a Packet<'a>,
    judged: Judged<'a>,
    cited: &[Cited<'a>],
) -> ClaimRecord<'a> {
    let claim = judged.claim;
    let own: Vec<&Cited<'a>> = claim.citations.iter().filter_map(|&index| cited.get(index as usize)).collect();
    let mut outcomes = worst_on_citations(evaluator, &own);
    outcomes.extend(judged.ruled.iter().map(Ruled::record));
    let mut findings: Vec<FindingRecord<'a>> = Vec::new();
    findings.extend(own.iter().flat_map(|cited| &cited.ruled).flat_map(|ruled| ruled.findings.iter().cloned()));
    let integrity_pass = !own.iter().flat_map(|cited| &cited.ruled).any(Ruled::breaks_integrity)
        && !judged.ruled.iter().any(Ruled::breaks_integrity);
    findings.extend(judged.ruled.into_iter().flat_map(|ruled| ruled.findings));
    ClaimRecord {
        schema: Cow::Borrowed(CLAIM_SCHEMA),
        case_id: borrowed(&packet.case.case_id),
        claim_id: borrowed(&claim.claim_id),
        claim: borrowed(&claim.text),
        span: claim.span.as_ref().map(|span| (span.start, span.end)),
        class: Cow::Borrowed(claim.class.as_str()),
        claim_sha256: Cow::Owned(judged.digest.to_string()),
        evidence_sha256: judged.evidence.map(|digest| Cow::Owned(digest.to_string())),
        label: judged.decision.map(|decision| decision.label),
        decided_by: judged.decision.and_then(|decision| match decision.decided_by {
            Decider::Review => Some(Cow::Borrowed("review")),
            Decider::Integrity => Some(Cow::Borrowed("integrity")),
            Decider::Rule(id) => Some(Cow::Owned(format!("rule:{id}"))),
            Decider::Nobody => None,
        }),
        suspected: judged.decision.and_then(|decision| decision.suspected),
        confidence: None,
        reason: judged.review.map(|review| borrowed(&review.reason)),
        review: judged.review.map(|review| ReviewRecord {
            reviewer: borrowed(&review.reviewer),
            date: Cow::Owned(review.date.to_string()),
            line: review.line,
        }),
        expected: judged.expected,
        integrity_pass,
        coverage_required: claim.is_verifiable(),
        covered: !own.is_empty(),
        citations: own.iter().map(|cited| citation(evaluator, packet, cited)).collect(),
        outcomes,
        findings,
        slices: judged.slices,
        evaluator: evaluated_by(evaluator),
    }
}

const fn borrowed(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

fn evaluated_by<'a>(evaluator: &'a Evaluator<'_>) -> EvaluatorRecord<'a> {
    EvaluatorRecord {
        engine: Cow::Borrowed(env!("CARGO_PKG_VERSION")),
        policy: Cow::Borrowed(&evaluator.policy_digest),
        judge: None,
        prompt: None,
    }
}

/// Of every rule on citations, its worst outcome on the claim's citations, in the policy's order.
fn worst_on_citations<'a>(evaluator: &Evaluator<'_>, own: &[&Cited<'a>]) -> Vec<OutcomeRecord<'a>> {
    const WORST_FIRST: [Outcome; 4] = [Outcome::Fail, Outcome::Broken, Outcome::Pass, Outcome::NotApplicable];
    let mut outcomes = Vec::new();
    for rule in &evaluator.policy.rules {
        if !matches!(rule.check, Check::Citation(_)) {
            continue;
        }
        let of_rule = || own.iter().flat_map(|cited| &cited.ruled).filter(|ruled| std::ptr::eq(ruled.rule, rule));
        let worst = WORST_FIRST.iter().find_map(|&outcome| of_rule().find(|ruled| ruled.outcome == outcome));
        outcomes.extend(worst.map(Ruled::record));
    }
    outcomes
}

fn grammar<'a>(evaluator: &'a Evaluator<'_>, index: u16) -> &'a str {
    evaluator.policy.markers.grammars().get(usize::from(index)).map_or("", |grammar| &grammar.id)
}

fn markers<'a>(evaluator: &'a Evaluator<'_>, packet: &'a Packet<'a>) -> Vec<MarkerRecord<'a>> {
    let record = |marker: &'a crate::citation::Marker<'a>| MarkerRecord {
        span: (marker.span.start, marker.span.end),
        raw: Cow::Borrowed(marker.raw),
        marker: Cow::Borrowed(grammar(evaluator, marker.grammar)),
        references: marker
            .references
            .iter()
            .map(|reference| {
                let unit = reference.resolution.unit().and_then(|index| packet.case.units.get(index));
                unit.map_or_else(|| borrowed(&reference.written), |unit| borrowed(&unit.id))
            })
            .collect(),
    };
    packet.markers.iter().map(record).collect()
}

fn units<'a>(packet: &'a Packet<'a>, known: &[Option<Known>], cited: &[Cited<'a>]) -> Vec<UnitRecord<'a>> {
    let digests = known.iter().map(|known| known.as_ref().map(|known| known.digests));
    // A title or an address can give away as much as a passage. Of a unit that nothing cites, no rule has said who may read it.
    let is_closed = |unit: &crate::dataset::Unit<'_>| {
        let mut own = cited
            .iter()
            .filter(|cited| packet.unit(cited.citation).is_some_and(|of| std::ptr::eq(of, unit)))
            .peekable();
        match own.peek() {
            Some(_) => own.any(|cited| cited.withheld_by.is_some()),
            None => unit
                .scope_id
                .as_deref()
                .zip(packet.case.allowed_scopes.as_deref())
                .is_some_and(|(scope, allowed)| !allowed.iter().any(|allowed| allowed.as_ref() == scope)),
        }
    };
    let open = |unit: &'a crate::dataset::Unit<'a>| Some(unit).filter(|unit| !is_closed(unit));
    let record = |(unit, digests): (&'a crate::dataset::Unit<'a>, Option<crate::text::Digests>)| UnitRecord {
        id: borrowed(&unit.id),
        source_id: unit.source_id.as_deref().map(borrowed),
        source_version: unit.source_version.as_deref().map(borrowed),
        title: open(unit).and_then(|unit| unit.title.as_deref()).map(borrowed),
        canonical_uri: open(unit).and_then(|unit| unit.canonical_uri.as_deref()).map(borrowed),
        scope_id: unit.scope_id.as_deref().map(borrowed),
        raw: digests.map(|digests| Cow::Owned(digests.raw.to_string())),
        text: digests.map(|digests| Cow::Owned(digests.text.to_string())),
    };
    packet.case.units.iter().zip(digests).map(record).collect()
}

fn citation<'a>(evaluator: &Evaluator<'_>, packet: &'a Packet<'a>, cited: &Cited<'a>) -> CitationRecord<'a> {
    let citation = cited.citation;
    let unit = packet.unit(citation);
    let marker = citation.markers.first().and_then(|&index| packet.markers.get(index as usize));
    let withheld = cited.withheld_by.is_some() || evaluator.evidence == EvidenceMode::HashOnly;
    let excerpt = cited.exposed_text().map(|(text, offset)| {
        let (start, end) = excerpt_span(packet, cited, text, offset);
        let excerpt = text.get(start - offset..end - offset).unwrap_or(text);
        (
            ExcerptRecord { start, end, text: (!withheld).then_some(Cow::Borrowed(excerpt)) },
            digest::raw(excerpt.as_bytes()),
        )
    });
    let (excerpt, hash) = excerpt.unzip();
    let mut outcomes: Vec<OutcomeRecord<'a>> = cited.ruled.iter().map(Ruled::record).collect();
    outcomes.extend_from_slice(&cited.pairs);
    CitationRecord {
        id: borrowed(&citation.id),
        raw: marker.map(|marker| Cow::Borrowed(marker.raw)),
        span: marker.map(|marker| (marker.span.start, marker.span.end)),
        resolved: unit.is_some(),
        source_id: unit.map(|unit| borrowed(unit.source_id.as_ref().unwrap_or(&unit.id))),
        source_version: unit.and_then(|unit| unit.source_version.as_deref().map(borrowed)),
        locator: unit
            .filter(|_| cited.withheld_by.is_none())
            .and_then(|unit| unit.locator.as_ref())
            .and_then(|locator| serde_json::to_value(locator).ok()),
        withheld,
        excerpt,
        excerpt_sha256: hash.map(|hash| Cow::Owned(hash.to_string())),
        matches: cited.matches.clone(),
        outcomes,
        slices: cited.slices.clone(),
    }
}

/// The excerpt in the unit's content: the sentences that cover the matched spans, else what the citation exposes (the
/// cited span, or the whole content).
fn excerpt_span(packet: &Packet<'_>, cited: &Cited<'_>, text: &str, offset: usize) -> Span {
    let whole = (offset, offset + text.len());
    let first = cited.matches.iter().map(|found: &MatchRecord| found.content.0).min();
    let last = cited.matches.iter().map(|found| found.content.1).max();
    let (Some(first), Some(last)) = (first, last) else { return whole };
    let mut start = first;
    let mut end = last;
    for sentence in cited.sentences(packet) {
        let (from, to) = (offset + sentence.span.start, offset + sentence.span.end);
        if from <= first && first < to {
            start = from;
        }
        if from < last && last <= to {
            end = to;
        }
    }
    if start < end && text.is_char_boundary(start - offset) && text.is_char_boundary(end - offset) {
        (start, end)
    } else {
        whole
    }
}
