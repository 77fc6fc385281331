//! `retrieved`: a cited id is among those that retrieval returned.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, Told, Check, CitationCheck, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Citation, Packet, Resolution};
use crate::diagnostic::Problem;
use crate::text::Lexicons;
use crate::text::normal::same_id;

/// Every cited id is among the ids that retrieval returned.
///
/// These are the `retrieved_ids` of the case; where it has none, the ids of its packet.
///
/// "It exists" and "it was retrieved for this question" are two facts. A packet may hold units that were added after
/// retrieval, by a cache, a default or a prompt; an answer that cites one of them rests on something that retrieval
/// never found relevant. Ids compare case-insensitively.
///
/// Subject: a citation. Fails with `not-retrieved`. Applies to every citation.
///
/// ```yaml
/// - id: cited-but-not-retrieved
///   check: retrieved
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {}

/// The kind.
pub struct Retrieved;

impl Kind for Retrieved {
    const NAME: &'static str = "retrieved";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [Code] =
        &[Code::new("not-retrieved", "the cited id is not among those that retrieval returned", Fault::Cited { resolved: Told::at(Stage::Data, "the packet holds a unit that the list of what was retrieved does not have"), unresolved: Told::at(Stage::Generation, "the answer cites an id that it was not given") })];
    type Options = Options;

    fn compile(_: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Citation(Box::new(Retrieved)))
    }
}

impl CitationCheck for Retrieved {
    fn judge(&self, packet: &Packet<'_>, citation: &Citation<'_>) -> Judgement {
        // What cites two units at once is told by `resolves`.
        if matches!(citation.resolution, Resolution::Differs { .. }) {
            return Judgement::irrelevant();
        }
        if packet.retrieved_ids().any(|retrieved| same_id(retrieved, &citation.id)) {
            return Judgement::pass();
        }
        let message = format!("“{}” is cited, but retrieval did not return it", citation.id);
        Judgement::of(vec![Finding::new("not-retrieved", message).at(Place::of_citation(packet, citation))])
    }
}
