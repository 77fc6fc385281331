//! `over-citation`: a claim does not hide behind a heap of citations.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, Check, ClaimCheck, ClaimText, Family, Finding, Judgement, Kind, Place, Severity};
use crate::citation::{Claim, Packet};
use crate::diagnostic::{Problem, code};
use crate::text::Lexicons;
use crate::yaml::Located;

/// A claim has at most `max` citations.
///
/// Whoever cites everything is always right: the reader has to find the passage alone, and every lexical check gets easier to
/// pass with each passage that is added.
///
/// Options: `max`, the most citations of one claim (default 3).
///
/// Subject: a claim with citations. Severity `note` unless the rule says otherwise. Fails with `over-cited`.
///
/// ```yaml
/// - id: cites-everything
///   check: { over-citation: { max: 4 } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Most citations of one claim.
    #[schemars(with = "Option<std::num::NonZeroUsize>")]
    pub max: Option<Located<usize>>,
}

/// The kind.
pub struct OverCitation {
    max: usize,
}

impl Kind for OverCitation {
    const NAME: &'static str = "over-citation";
    const FAMILY: Family = Family::Coverage;
    const SEVERITY: Severity = Severity::Note;
    const CODES: &'static [Code] =
        &[Code::new("over-cited", "a claim has more citations than a reader can use", Fault::at(Stage::Citation, "the answer cites more than a reader can follow"))];
    const VARIABLES: &'static [&'static str] = &["citations", "max"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        match options.max {
            Some(max) if max.value == 0 => Err(vec![
                Problem::new(code::WRONG_VALUE, "`max` forbids every citation")
                    .at(max.span)
                    .found(0, "a whole number from 1"),
            ]),
            max => Ok(Check::Claim(Box::new(OverCitation { max: max.map_or(3, |max| max.value) }))),
        }
    }
}

impl ClaimCheck for OverCitation {
    fn judge(&self, _: &Packet<'_>, claim: &Claim<'_>, _: ClaimText<'_>) -> Judgement {
        let citations = claim.citations.len();
        if citations == 0 {
            return Judgement::irrelevant();
        }
        if citations <= self.max {
            return Judgement::pass();
        }
        let message = format!("this claim has {citations} citations, at most {} are of use", self.max);
        let finding = Finding::new("over-cited", message).at(Place::of_claim(claim));
        Judgement::of(vec![finding.with("citations", citations).with("max", self.max)])
    }
}
