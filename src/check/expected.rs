//! `expected`: the label is the one that people gave.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, Check, Family, Finding, Judgement, Kind, LabelCheck};
use crate::dataset::Label;
use crate::diagnostic::Problem;
use crate::text::Lexicons;

/// The label that the rules led to is the label that people gave (`expected` in the case).
///
/// A regression set is worth what its labels are worth: this is the rule that notices when an edit of the policy, or of
/// the engine, changes what is said about a claim that a person has already judged. `undecided` is never the expected label
/// unless people wrote it.
///
/// Subject: a cited claim, after every other rule. Fails with `label-unexpected`. Not applicable where the case has no
/// label for the claim.
///
/// ```yaml
/// - id: label-as-expected
///   check: expected
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {}

/// The kind.
pub struct Expected;

impl Kind for Expected {
    const NAME: &'static str = "expected";
    const FAMILY: Family = Family::Support;
    const CODES: &'static [Code] =
        &[Code::new("label-unexpected", "the label is not the one that people gave", Fault::at(Stage::Judge, "people gave the claim another label than it was given here"))];
    const VARIABLES: &'static [&'static str] = &["label", "expected"];
    type Options = Options;

    fn compile(_: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Label(Box::new(Expected)))
    }
}

impl LabelCheck for Expected {
    fn judge(&self, label: Label, expected: Option<Label>) -> Judgement {
        match expected {
            None => Judgement::missing("expected"),
            Some(expected) if expected == label => Judgement::pass(),
            Some(expected) => {
                let message = format!("the rules say “{label}”, people said “{expected}”");
                let finding = Finding::new("label-unexpected", message);
                Judgement::of(vec![finding.with("label", label.as_str()).with("expected", expected.as_str())])
            }
        }
    }
}
