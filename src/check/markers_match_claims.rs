//! `markers-match-claims`: the ids that the claims cite and the markers of the answer say the same.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, CaseCheck, Check, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Packet, Resolution};
use crate::diagnostic::Problem;
use crate::text::Lexicons;

/// The ids that the claims declare and the ids that the answer's markers cite are the same.
///
/// What was checked is the claims with their ids; what the reader sees is the answer with its markers. Where a formatter
/// drops a marker, renumbers it or adds one, the two part, and a check of the claims says nothing about the answer any more.
///
/// Options: `allow_unmarked` (default `false`): an answer without a single marker is accepted, for products that show
/// their sources beside the answer.
///
/// Subject: a case whose claims declare what they cite. Fails with `id-without-marker` for an id that a claim declares
/// and no marker cites, and with `marker-without-claim` for a marker that cites an id which no claim declares; lists of
/// sources inside the answer are left out. Not applicable to cases whose claims declare nothing or come from the answer
/// itself.
///
/// ```yaml
/// - id: answer-and-claims-differ
///   check: markers-match-claims
/// - id: shown-beside-the-answer
///   check: { markers-match-claims: { allow_unmarked: true } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Whether an answer without a single marker is accepted.
    #[serde(default)]
    pub allow_unmarked: bool,
}

/// The kind.
pub struct MarkersMatchClaims {
    allow_unmarked: bool,
}

impl Kind for MarkersMatchClaims {
    const NAME: &'static str = "markers-match-claims";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [Code] = &[
        Code::new("id-without-marker", "a claim declares an id that no marker of the answer cites", Fault::at(Stage::Rendering, "the answer's markers and its claims disagree")),
        Code::new("marker-without-claim", "a marker of the answer cites an id that no claim declares", Fault::at(Stage::Rendering, "the answer's markers and its claims disagree")),
    ];
    const VARIABLES: &'static [&'static str] = &["cited"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Case(Box::new(MarkersMatchClaims { allow_unmarked: options.allow_unmarked })))
    }
}

/// An id as it is told apart: the unit, else the reference as written, folded.
type Target = (Option<usize>, String);

/// Where an id stands in the answer's prose and who declares it.
#[derive(Default)]
struct Use {
    shown: String,
    marker: Option<Place>,
    declared: Option<Place>,
}

fn target(resolution: Resolution, written: &str) -> Target {
    let written = if resolution.unit().is_some() { String::new() } else { written.trim().to_lowercase() };
    (resolution.unit(), written)
}

impl CaseCheck for MarkersMatchClaims {
    fn judge(&self, packet: &Packet<'_>) -> Judgement {
        if packet.case.answer.is_none() {
            return Judgement::missing("answer");
        }
        let declares = packet.claims.iter().any(|claim| claim.given.is_some_and(|given| given.citations.is_some()));
        if !declares {
            return Judgement::missing("claims.citations");
        }
        let mut uses: BTreeMap<Target, Use> = BTreeMap::new();
        for citation in &packet.citations {
            let claim = citation.claim.and_then(|index| packet.claims.get(index as usize));
            let entry = uses.entry(target(citation.resolution, &citation.id)).or_default();
            entry.shown = citation.id.to_string();
            // A claim without a citation field takes its citations from the markers, so the two cannot differ.
            let follows_markers = claim.and_then(|claim| claim.given).is_some_and(|given| given.citations.is_none());
            if let Some(claim) = claim.filter(|_| citation.given.is_some() || follows_markers) {
                entry.declared.get_or_insert_with(|| Place::of_claim(claim));
            }
        }
        let in_list = |at: usize| {
            let after = packet.reference_entries.partition_point(|line| line.start <= at);
            after.checked_sub(1).and_then(|index| packet.reference_entries.get(index)).is_some_and(|line| at < line.end)
        };
        let in_prose = packet.markers.iter().filter(|marker| !in_list(marker.span.start));
        let mut unmarked = true;
        for marker in in_prose {
            for reference in &marker.references {
                unmarked = false;
                let entry = uses.entry(target(reference.resolution, &reference.written)).or_default();
                entry.marker.get_or_insert(Place::Answer(marker.span.clone()));
            }
        }
        if unmarked && self.allow_unmarked {
            return Judgement::irrelevant();
        }
        Judgement::of(uses.into_values().filter_map(finding).collect())
    }
}

fn finding(id: Use) -> Option<Finding> {
    let Use { shown, marker, declared } = id;
    let (code, message, place) = match (marker, declared) {
        (Some(place), None) => {
            ("marker-without-claim", format!("the answer cites “{shown}”, and no claim declares it"), place)
        }
        (None, Some(place)) => {
            ("id-without-marker", format!("a claim declares “{shown}”, and no marker of the answer cites it"), place)
        }
        (Some(_), Some(_)) | (None, None) => return None,
    };
    Some(Finding::new(code, message).at(place).with("cited", shown))
}
