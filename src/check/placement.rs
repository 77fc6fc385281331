//! `placement`: a marker stands in or right after the sentence of its claim.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Check, CitationCheck, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Citation, Packet};
use crate::diagnostic::Problem;
use crate::text::Lexicons;

/// A marker stands in the sentence of its claim or right after it.
///
/// A reader takes a marker for the source of the sentence it stands at. One that slipped to the neighbour sentence, or
/// one at the end of a paragraph that only its first sentence rests on, vouches for the wrong statement although the
/// claim and its evidence agree.
///
/// Options: `within` (default `sentence`): `paragraph` also accepts a marker after the claim's sentence in the same
/// paragraph, for products that cite once per paragraph.
///
/// Subject: a citation that a claim of the case declares, with a marker in the answer. Fails with `misplaced-marker`
/// where none of its markers stands at the claim's sentence. Not applicable where the answer has no marker for it, where
/// no sentence of the answer states the claim, and to claims split from the answer, whose markers are theirs by where
/// they stand.
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
    const CODES: &'static [(&'static str, &'static str)] =
        &[("misplaced-marker", "the marker stands at another sentence than its claim")];
    const VARIABLES: &'static [&'static str] = &["marker"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Citation(Box::new(Placement { within: options.within })))
    }
}

impl CitationCheck for Placement {
    fn judge(&self, packet: &Packet<'_>, citation: &Citation<'_>) -> Judgement {
        let claim = citation.claim.and_then(|index| packet.claims.get(index as usize));
        let Some(claim) = claim.filter(|claim| claim.given.is_some()) else { return Judgement::irrelevant() };
        let Some(sentence) = claim.span.clone() else { return Judgement::irrelevant() };
        let markers = citation.markers.iter().filter_map(|&index| packet.markers.get(index as usize));
        let Some(first) = markers.clone().next() else { return Judgement::irrelevant() };
        let answer = packet.case.answer.as_deref().unwrap_or_default();
        let is_placed = |at: usize| {
            let inside = sentence.start <= at && at < sentence.end;
            inside || (sentence.end <= at && self.follows(packet, answer, sentence.end, at))
        };
        if markers.clone().any(|marker| is_placed(marker.span.start)) {
            return Judgement::pass();
        }
        let stated = answer.get(sentence).map_or("", str::trim);
        let message =
            format!("“{}” stands at another sentence than its claim, which is stated in “{stated}”", first.raw);
        let finding = Finding::new("misplaced-marker", message).at(Place::Answer(first.span.clone()));
        Judgement::of(vec![finding.with("marker", first.raw)])
    }
}

impl Placement {
    /// Whether a marker at `at` still belongs to the sentence that ends at `end`.
    fn follows(&self, packet: &Packet<'_>, answer: &str, end: usize, at: usize) -> bool {
        let Some(between) = answer.get(end..at) else { return false };
        match self.within {
            Within::Paragraph => !between.replace('\r', "").contains("\n\n"),
            Within::Sentence => {
                let from = packet.markers.partition_point(|marker| marker.span.start < end);
                let markers = packet.markers.get(from..).unwrap_or_default().iter();
                let spans = markers.map(|marker| marker.span.clone()).take_while(|marker| marker.start <= at);
                let mut open = end;
                spans.into_iter().all(|marker| {
                    let words = answer.get(open..marker.start).is_some_and(|gap| gap.contains(char::is_alphanumeric));
                    open = marker.end;
                    !words
                })
            }
        }
    }
}
