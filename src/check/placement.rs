//! `placement`: a marker stands in or right after the sentence of its claim.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, Check, CitationCheck, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Citation, Marker, Packet};
use crate::diagnostic::Problem;
use crate::text::Lexicons;

/// A marker stands in the sentence of its claim or right after it.
///
/// A reader takes a marker for the source of the sentence it stands at. One that slipped to the neighbour sentence, or
/// one at the end of a paragraph that only its first sentence rests on, vouches for the wrong statement although the
/// claim and its evidence agree.
///
/// A marker before its sentence counts as standing at it where the answer's markers lead: `[1] Logs stay 30 days. [2] …`.
/// Where the policy attaches markers at a paragraph's end to its sentences (`attach: paragraph`), they stand at them.
///
/// Options: `within` (default `sentence`): `paragraph` also accepts a marker after the claim's sentence in the same
/// paragraph or list item, for products that cite once per paragraph.
///
/// Subject: a citation that has a marker in the answer, in a case with claims of its own. Fails with `misplaced-marker`
/// where a claim declares it and none of its markers stands at the claim's sentence, and with `marker-at-another-claim` for a
/// marker that belongs to no claim, though claims declare its id, and stands at the sentence of claims that cite something
/// else. Not applicable where the answer has no marker for it, where no sentence of the answer states the claim, and to claims
/// split from the answer, whose markers are theirs by where they stand.
///
/// ```yaml
/// - id: marker-at-another-sentence
///   check: placement
/// - id: once-per-paragraph
///   check: { placement: { within: paragraph } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// How far from the claim's sentence a marker may stand.
    #[serde(default)]
    pub within: Within,
}

/// How far from the claim's sentence a marker may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Within {
    /// In it or right after it.
    #[default]
    Sentence,
    /// In it or after it in the same paragraph.
    Paragraph,
}

/// The kind.
pub struct Placement {
    within: Within,
}

impl Kind for Placement {
    const NAME: &'static str = "placement";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [Code] = &[
        Code::new("misplaced-marker", "the marker stands at another sentence than its claim", Fault::at(Stage::Rendering, "the marker does not stand at the statement that was checked with it")),
        Code::new("marker-at-another-claim", "the marker stands at the sentence of a claim that does not cite it", Fault::at(Stage::Rendering, "the marker stands at a statement that was not checked with it")),
    ];
    const VARIABLES: &'static [&'static str] = &["marker"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Citation(Box::new(Placement { within: options.within })))
    }
}

impl CitationCheck for Placement {
    fn judge(&self, packet: &Packet<'_>, citation: &Citation<'_>) -> Judgement {
        let Some(number) = citation.claim else { return at_no_claim(packet, citation) };
        let claim = packet.claims.get(number as usize).filter(|claim| claim.given.is_some());
        let Some((claim, sentence)) = claim.and_then(|claim| Some((claim, claim.span.clone()?))) else {
            return Judgement::irrelevant();
        };
        let markers = || citation.markers.iter().filter_map(|&index| Some((index, packet.markers.get(index as usize)?)));
        let Some((_, first)) = markers().next() else { return Judgement::irrelevant() };
        let answer = packet.case.shown_answer().unwrap_or_default();
        let is_placed = |index: u32, marker: &Marker<'_>| {
            claim.markers.contains(&index)
                || (self.within == Within::Paragraph && in_paragraph(packet, answer, &sentence, marker.span.start))
        };
        if markers().any(|(index, marker)| is_placed(index, marker)) {
            return Judgement::pass();
        }
        let stated = answer.get(sentence).map_or("", str::trim);
        let message =
            format!("“{}” stands at another sentence than its claim, which is stated in “{stated}”", first.raw);
        Judgement::of(vec![finding("misplaced-marker", message, first)])
    }
}

/// A marker of no claim: it is another check's, unless claims declare its id and it stands at the sentence of others.
fn at_no_claim(packet: &Packet<'_>, citation: &Citation<'_>) -> Judgement {
    let is_same = |other: &Citation<'_>| match (other.resolution.unit(), citation.resolution.unit()) {
        (None, None) => other.id.eq_ignore_ascii_case(&citation.id),
        (one, other) => one == other,
    };
    let is_declared = |other: &Citation<'_>| other.claim.is_some() && other.given.is_some() && is_same(other);
    if !packet.citations.iter().any(is_declared) {
        return Judgement::irrelevant();
    }
    let mut findings = Vec::new();
    let mut stands_at_claims = false;
    for index in &citation.markers {
        let Some(marker) = packet.markers.get(*index as usize) else { continue };
        let mut at = packet.claims.iter().filter(|claim| claim.given.is_some() && claim.markers.contains(index));
        let Some(first) = at.next() else { continue };
        stands_at_claims = true;
        // A sentence may state several claims: one of them that has the id is enough.
        if std::iter::once(first).chain(at).flat_map(|claim| packet.citations_of(claim)).any(is_same) {
            continue;
        }
        let message = format!(
            "“{}” stands at the sentence of claim `{}`, which does not cite it: “{}”",
            marker.raw,
            first.claim_id,
            first.text.trim()
        );
        findings.push(finding("marker-at-another-claim", message, marker));
    }
    if stands_at_claims { Judgement::of(findings) } else { Judgement::irrelevant() }
}

/// Whether a marker at `at` follows a sentence in the same paragraph or list item.
fn in_paragraph(packet: &Packet<'_>, answer: &str, sentence: &Range<usize>, at: usize) -> bool {
    if at < sentence.start {
        return false;
    }
    let sentences = packet.analysis.sentences(answer);
    let block = |at: usize| {
        let after = sentences.partition_point(|sentence| sentence.span.start <= at);
        after.checked_sub(1).and_then(|index| sentences.get(index)).map(|sentence| sentence.block)
    };
    block(sentence.start) == block(at)
}

fn finding(code: &'static str, message: String, marker: &Marker<'_>) -> Finding {
    Finding::new(code, message).at(Place::Answer(marker.span.clone())).with("marker", marker.raw)
}
