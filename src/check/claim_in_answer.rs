//! `claim-in-answer`: what was checked as a claim is still what the answer says.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Certainty, Check, ClaimCheck, ClaimText, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Claim, Packet};
use crate::diagnostic::Problem;
use crate::text::normal::{Case, Folded};
use crate::text::outcome::{Outcome, Weight};
use crate::text::quantity::{self, compare::Comparison};
use crate::text::quotation::{Effort, Grade, Quoting, Sought};
use crate::text::{Lexicons, Span, date};

/// Every quantity, date, identifier and quotation of a claim is still in the final answer.
///
/// Claims are checked against the evidence; the reader sees the answer. A late transform (a rewrite, a translation, a
/// formatter) that changes a figure in between slips through every other check, because the claim it changed is no longer
/// the one that was checked.
///
/// Options: `strict` (default `false`): the whole text of the claim is in the answer, up to typography and letter case.
///
/// Subject: a claim that the case declares. Fails with `fact-changed` where the sentence about the same thing says
/// something else, with `fact-missing` where the answer does not have it, and under `strict` with `claim-text-missing`.
/// Bare small numbers and names with digits only raise a suspicion. Not applicable to claims split from the answer and,
/// unless `strict`, to claims without any such fact.
///
/// ```yaml
/// - id: changed-after-the-check
///   check: claim-in-answer
/// - id: legal-wording-is-kept
///   when: { slice: { intent: legal } }
///   check: { claim-in-answer: { strict: true } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Whether the whole text must be in the answer.
    #[serde(default)]
    pub strict: bool,
}

/// The kind.
pub struct ClaimInAnswer {
    strict: bool,
}

impl Kind for ClaimInAnswer {
    const NAME: &'static str = "claim-in-answer";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [(&'static str, &'static str)] = &[
        ("fact-changed", "the answer says something else than the claim that was checked"),
        ("fact-missing", "the answer lacks a fact of the claim that was checked"),
        ("claim-text-missing", "the answer does not hold the claim's text"),
    ];
    const VARIABLES: &'static [&'static str] = &["fact", "answer_says"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Claim(Box::new(ClaimInAnswer { strict: options.strict })))
    }
}

/// A fact of the claim and how it fared in the answer.
struct Fact {
    span: Span,
    weight: Weight,
    outcome: Outcome,
}

impl ClaimCheck for ClaimInAnswer {
    fn judge(&self, packet: &Packet<'_>, claim: &Claim<'_>, text: ClaimText<'_>) -> Judgement {
        if claim.given.is_none() {
            return Judgement::irrelevant();
        }
        let Some(answer) = packet.case.answer.as_deref() else { return Judgement::missing("answer") };
        let facts = facts(packet, claim, &text, answer);
        let quotations = text.analysis.quotations(&claim.text);
        if facts.is_empty() && quotations.is_empty() && !self.strict {
            return Judgement::irrelevant();
        }
        let mut findings: Vec<Finding> = facts.iter().filter_map(|fact| fact.finding(&claim.text, answer)).collect();
        let quoting = Quoting { min_words: LEAST_WORDS, fold_case: true, ..Quoting::default() };
        let mut effort = Effort::default();
        for quotation in quotations {
            let quote = quotation.inner.of(&claim.text);
            let sought = Sought::new((&claim.text, text.analysis), quotation.inner);
            let grade = sought.find((answer, &packet.analysis), &quoting, &mut effort);
            findings.extend(missing_quotation(quote, quotation.span, grade, answer));
        }
        if self.strict && !holds(&packet.answer_text(), &claim.text) {
            findings.push(finding(
                "claim-text-missing",
                "the answer does not hold this claim's text".to_owned(),
                "",
                "",
            ));
        }
        Judgement::of(findings)
    }
}

/// Fewest words of a quotation.
const LEAST_WORDS: usize = 2;

/// Whether a text holds another, up to typography, letter case and the closing sign.
fn holds(text: &str, wanted: &str) -> bool {
    let (text, wanted) = (Folded::new(text, Case::Fold), Folded::new(wanted, Case::Fold));
    text.text().contains(wanted.text().trim().trim_end_matches(['.', '。', '!', '?']))
}

fn missing_quotation(quote: &str, place: Span, grade: Grade, answer: &str) -> Option<Finding> {
    match grade {
        Grade::Exact(_) | Grade::Typographic(_) | Grade::Elided(_) | Grade::Inserted(_) => None,
        Grade::NearMiss { span, .. } | Grade::Reworded(span) => {
            let says = span.of(answer);
            let message = format!("the claim quotes “{quote}”, and the answer says “{says}”");
            Some(finding("fact-changed", message, quote, says).at(Place::Answer(span.range())))
        }
        Grade::Unsearched => {
            let message = format!("whether the answer quotes “{quote}” too was not looked for: the texts are too long");
            Some(finding("fact-missing", message, quote, "").at(Place::Claim(place.range())).triage())
        }
        Grade::NotFound => {
            let message = format!("the claim quotes “{quote}”, and the answer does not");
            Some(finding("fact-missing", message, quote, "").at(Place::Claim(place.range())))
        }
    }
}

/// The quantities, dates and identifiers of a claim.
fn facts(packet: &Packet<'_>, claim: &Claim<'_>, text: &ClaimText<'_>, answer: &str) -> Vec<Fact> {
    let (own, whole) = ((claim.text.as_ref(), text.analysis), (answer, packet.analysis.as_ref()));
    let quantities = text.analysis.quantities(&claim.text).iter();
    let quantities = quantities
        .zip(quantity::compare::compare(own, whole, &Comparison::default()))
        .map(|(quantity, outcome)| Fact { span: quantity.span, weight: quantity.weight(), outcome });
    let dates = text.analysis.dates(&claim.text).iter().zip(date::compare_retold(own, whole));
    let dates = dates.map(|(date, outcome)| Fact { span: date.span, weight: date.weight(), outcome });
    let identifiers = text.analysis.identifiers(&claim.text).iter().map(|identifier| {
        let same = whole.1.identifiers(answer).iter().find(|other| other.canonical == identifier.canonical);
        let outcome = same.map_or(Outcome::Absent, |other| Outcome::Matched(other.span));
        Fact { span: identifier.span, weight: identifier.weight(), outcome }
    });
    quantities.chain(dates).chain(identifiers).collect()
}

impl Fact {
    fn finding(&self, claim: &str, answer: &str) -> Option<Finding> {
        let fact = self.span.of(claim);
        let finding = match self.outcome {
            Outcome::Matched(_) => return None,
            Outcome::Conflicting(span) => {
                let says = span.of(answer);
                let message = format!("the claim says “{fact}”, and the answer says “{says}”");
                finding("fact-changed", message, fact, says).at(Place::Answer(span.range()))
            }
            // The answer may well say it in another form: a person must look.
            Outcome::Ambiguous(span) => {
                let says = span.of(answer);
                let message =
                    format!("the claim says “{fact}”, and it is open whether the answer's “{says}” is the same");
                finding("fact-missing", message, fact, says).at(Place::Claim(self.span.range())).triage()
            }
            Outcome::Absent => {
                let message = format!("the claim says “{fact}”, and the answer does not");
                finding("fact-missing", message, fact, "").at(Place::Claim(self.span.range()))
            }
        };
        let certainty = if self.weight == Weight::Triage { Certainty::Triage } else { finding.certainty };
        Some(Finding { certainty, ..finding })
    }
}

fn finding(code: &'static str, message: String, fact: &str, answer_says: &str) -> Finding {
    Finding::new(code, message).with("fact", fact).with("answer_says", answer_says)
}
