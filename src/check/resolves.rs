//! `resolves`: a cited id is in the packet.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, Check, CitationCheck, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Citation, Packet, Resolution};
use crate::diagnostic::Problem;
use crate::text::Lexicons;

/// Every cited id is the id of a unit in the packet.
///
/// An answer that cites an id which the model was never given has invented its source: whatever it says there rests
/// on nothing that can be looked up.
///
/// Subject: a citation. Fails with `unknown-id`, with `position-out-of-range` where a position is cited that the packet
/// does not have, or with `link-and-number-differ` where the number or id of a marker names one unit and its link leads to another: the
/// claim is then judged on neither. Applies to every citation. Ids and positions are told apart by the policy's `markers`.
///
/// ```yaml
/// - id: unknown-source
///   check: resolves
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {}

/// The kind.
pub struct Resolves;

impl Kind for Resolves {
    const NAME: &'static str = "resolves";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [Code] = &[
        Code::new("unknown-id", "the cited id is not in the packet", Fault::at(Stage::Generation, "the answer cites an id that it was not given")),
        Code::new("link-and-number-differ", "the number of a citation names one unit and its link another", Fault::at(Stage::Generation, "the answer cites one unit and links to another")),
        Code::new("position-out-of-range", "the cited position is not in the packet", Fault::at(Stage::Generation, "the answer counts further than the packet that it was given")),
    ];
    const VARIABLES: &'static [&'static str] = &["units"];
    type Options = Options;

    fn compile(_: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Citation(Box::new(Resolves)))
    }
}

impl CitationCheck for Resolves {
    fn judge(&self, packet: &Packet<'_>, citation: &Citation<'_>) -> Judgement {
        let units = packet.case.units.len();
        let held = packet.size();
        let (code, message) = match citation.resolution {
            Resolution::Unit(_) => return Judgement::pass(),
            Resolution::Unknown => {
                ("unknown-id", format!("“{}” is cited, but no unit of the packet has this id", citation.id))
            }
            Resolution::OutOfRange => {
                let is_zero = citation.id.trim().parse() == Ok(0u64) && units > 0;
                let counts = "; where the product counts from 0, the marker of the policy needs `first: 0`";
                let counts = if is_zero { counts } else { "" };
                ("position-out-of-range", format!("position {} is cited, but the packet has {held}{counts}", citation.id))
            }
            Resolution::Differs { written, link } => {
                let id = |index: u32| packet.case.units.get(index as usize).map_or("", |unit| unit.id.as_ref());
                let (written, link) = (id(written), id(link));
                let message = format!("“{}” cites the unit “{written}”, but its link leads to the unit “{link}”", citation.id);
                ("link-and-number-differ", message)
            }
        };
        let finding = Finding::new(code, message).with("units", units);
        Judgement::of(vec![finding.at(Place::of_citation(packet, citation))])
    }
}
