//! `cited`: a claim that needs a citation has one.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, Check, ClaimCheck, ClaimText, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Claim, Packet, UNREAD};
use crate::diagnostic::{Problem, code};
use crate::text::Lexicons;
use crate::yaml::Located;

/// A claim that needs citations has at least `min` of them.
///
/// A statement without a source cannot be checked by anyone. Which claims need a citation is the policy's to say
/// (`claims:`): greetings, questions, offers and refusals do not. A citation counts here whether or not it resolves; what
/// it is worth is for other rules. One id counts once for a claim, however often it is cited.
///
/// Options: `min`, the least number of citations (default 1).
///
/// Subject: a claim. Fails with `uncited` where there is none, with `too-few-citations` where there are fewer than `min`. Not
/// applicable to claims that need no citation. Broken where the claim has too few and a number in brackets that no marker of the
/// policy reads: whether it cites is not known (`malformed-marker` tells the number).
///
/// ```yaml
/// - id: uncited-claim
///   check: cited
/// - id: medical-claims-need-two
///   when: { slice: { intent: medical } }
///   check: { cited: { min: 2 } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Least number of citations.
    #[schemars(with = "Option<std::num::NonZeroUsize>")]
    pub min: Option<Located<usize>>,
}

/// The kind.
pub struct Cited {
    min: usize,
}

impl Kind for Cited {
    const NAME: &'static str = "cited";
    const FAMILY: Family = Family::Coverage;
    const CODES: &'static [Code] = &[
        Code::new("uncited", "a claim that needs a citation has none", Fault::at(Stage::Citation, "the answer does not say what the claim rests on")),
        Code::new("too-few-citations", "a claim has fewer citations than it needs", Fault::at(Stage::Citation, "the answer does not say what the claim rests on")),
    ];
    const VARIABLES: &'static [&'static str] = &["citations", "min"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        match options.min {
            Some(min) if min.value == 0 => Err(vec![
                Problem::new(code::WRONG_VALUE, "`min` asks for nothing")
                    .at(min.span)
                    .found(0, "a whole number from 1"),
            ]),
            min => Ok(Check::Claim(Box::new(Cited { min: min.map_or(1, |min| min.value) }))),
        }
    }
}

impl ClaimCheck for Cited {
    fn is_coverage(&self) -> bool {
        self.min == 1
    }

    fn judge(&self, packet: &Packet<'_>, claim: &Claim<'_>, _: ClaimText<'_>) -> Judgement {
        if !claim.is_verifiable() {
            return Judgement::irrelevant();
        }
        let citations = claim.citations.len();
        if let Some(unread) = claim.markers.iter().find_map(|&index| unread_number(packet, index))
            && citations < self.min
        {
            return Judgement::broken().because(format!("“{unread}” may be a citation and is not read"));
        }
        let finding = match citations {
            _ if citations >= self.min => return Judgement::pass(),
            0 => Finding::new("uncited", "this claim needs a citation and has none"),
            _ => {
                let message = format!("this claim has {citations} of the {} citations that it needs", self.min);
                Finding::new("too-few-citations", message)
            }
        };
        Judgement::of(vec![finding.at(Place::of_claim(claim)).with("citations", citations).with("min", self.min)])
    }
}

/// The text of a marker that holds a number and matches no pattern of the policy.
fn unread_number<'p>(packet: &'p Packet<'_>, index: u32) -> Option<&'p str> {
    let marker = packet.markers.get(index as usize).filter(|marker| marker.malformed == Some(UNREAD))?;
    marker.raw.contains(char::is_numeric).then_some(marker.raw)
}
