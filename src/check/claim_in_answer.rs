//! `claim-in-answer`: what was checked as a claim is still what the answer says.

mod place;

use schemars::JsonSchema;
use serde::Deserialize;

use self::place::Whereabouts;
use super::{Code, Fault, Stage, Check, ClaimCheck, ClaimText, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Claim, Packet};
use crate::diagnostic::Problem;
use crate::text::normal::{Case, Folded};
use crate::text::outcome::{Outcome, Weight};
use crate::text::quotation::{Effort, Grade, Quoting, Sought};
use crate::text::stance::{Difference, Side, Stance};
use crate::text::{Lexicons, Span};

/// Every quantity, date, identifier and quotation of a claim is still in the final answer.
///
/// Claims are checked against the evidence; the reader sees the answer. A late transform (a rewrite, a translation, a rounding, a
/// summary, a formatter) that changes a figure in between slips through every other check, because the claim it changed is no longer
/// the one that was checked.
///
/// A fact is looked for in the sentence of the answer that speaks about the same thing as the claim, and in the sentences next to it; the
/// same figure in a sentence about something else does not make up for it. Where no sentence stands out, the whole answer counts.
///
/// Options: `strict` (default `false`): the whole text of the claim is in the answer, up to typography and letter case.
///
/// Subject: a claim that the case declares. Fails with `fact-changed` where the sentence about the same thing says
/// something else, with `fact-missing` where the answer does not have it, and under `strict` with `claim-text-missing`. Where that
/// sentence has the same words as the claim and denies or limits what the claim does not, or the other way round, that is
/// `sense-changed`: an error where a clause with the words of the claim denies them and the claim denies nothing, else triage.
/// Bare small numbers and names with digits only raise a suspicion, and so does a fact that only another part of the answer has. Where the
/// claims come from a candidate's file, that is an error too, and so is a claim of which the answer has less than a third of the words in one place
/// (`claim-text-missing`). Not
/// applicable to claims split from the answer and, unless `strict` or the sense changed, to claims without any such fact.
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
    const CODES: &'static [Code] = &[
        Code::new("fact-changed", "the answer says something else than the claim that was checked", Fault::at(Stage::Rendering, "the answer that readers see is not the one that was checked")),
        Code::new("fact-missing", "the answer lacks a fact of the claim that was checked", Fault::at(Stage::Rendering, "the answer that readers see is not the one that was checked")),
        Code::new("claim-text-missing", "the answer does not hold the claim's text", Fault::at(Stage::Rendering, "the answer that readers see is not the one that was checked")),
        Code::new("sense-changed", "the answer denies or limits what the claim does not, or the other way round", Fault::at(Stage::Rendering, "the answer that readers see is not the one that was checked")),
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
    /// Spans are of the answer.
    outcome: Outcome,
    /// Where only another part of the answer says it, or the sentence next to the one that says otherwise.
    elsewhere: Option<Span>,
}

impl ClaimCheck for ClaimInAnswer {
    fn judge(&self, packet: &Packet<'_>, claim: &Claim<'_>, text: ClaimText<'_>) -> Judgement {
        if claim.given.is_none() {
            return Judgement::irrelevant();
        }
        let Some(answer) = packet.case.shown_answer() else { return Judgement::missing("answer") };
        let place = Whereabouts::find(packet, answer, &text);
        let facts = place.facts(&text);
        let quotations = text.analysis.quotations(&claim.text);
        // Who wrote the answer wrote these claims too: each has to be said where the answer speaks of it.
        let is_own = packet.case.from_candidate;
        let mut findings: Vec<Finding> =
            facts.iter().filter_map(|fact| fact.finding(&claim.text, answer, is_own)).collect();
        if is_own && !place.speaks_of(&text) {
            findings.push(text_missing(&place, &claim.text));
        }
        let quoting = Quoting { min_words: LEAST_WORDS, fold_case: true, ..Quoting::default() };
        let mut effort = Effort::default();
        for quotation in quotations {
            let quote = quotation.inner.of(&claim.text);
            // "refund[s]" may stand for "refund" in the evidence; in the answer it stands for itself.
            if answer.contains(quote) {
                continue;
            }
            let sought = Sought::new((&claim.text, text.analysis), quotation.inner);
            let grade = sought.find((answer, &packet.analysis), &quoting, &mut effort);
            findings.extend(missing_quotation(quote, quotation.span, grade, answer));
        }
        if self.strict && !place.holds(&claim.text) && !holds(&packet.answer_text(), &claim.text) {
            findings.push(text_missing(&place, &claim.text));
        } else if findings.is_empty() {
            findings.extend(sense_changed(&place, &text));
        }
        if facts.is_empty() && quotations.is_empty() && !self.strict && findings.is_empty() {
            return Judgement::irrelevant();
        }
        Judgement::of(findings)
    }
}

/// Fewest words of a quotation.
const LEAST_WORDS: usize = 2;

/// Whether a text holds another as whole words, up to typography, letter case and the closing sign.
fn holds(text: &str, wanted: &str) -> bool {
    let (text, wanted) = (Folded::new(text, Case::Fold), Folded::new(wanted, Case::Fold));
    let (text, wanted) = (text.text(), wanted.text().trim().trim_end_matches(['.', '。', '!', '?']));
    let goes_on = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !crate::text::word::is_unspaced(c));
    text.match_indices(wanted).any(|(at, found)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|text| text.chars().next());
        !goes_on(before) && !goes_on(after)
    })
}

fn text_missing(place: &Whereabouts<'_>, claim: &str) -> Finding {
    let code = "claim-text-missing";
    match place.sentence() {
        Some(sentence) => {
            let says = sentence.of(place.answer()).trim();
            let message = format!("the answer does not hold this claim's text; it says “{says}”");
            finding(code, message, claim, says).at(Place::Answer(sentence.range()))
        }
        None => finding(code, "the answer does not hold this claim's text".to_owned(), claim, ""),
    }
}

/// A word that denies, limits or turns round in one of the claim and its sentence, where the two are otherwise the same, or in the
/// clause that has the words of the claim.
fn sense_changed(place: &Whereabouts<'_>, text: &ClaimText<'_>) -> Option<Finding> {
    let claim = text.claim.text.as_ref();
    let whole = |text: &str| [Span::new(0, text.len())];
    let ours = Stance::read(claim, text.analysis, &whole(claim));
    if let Some((clause, denial)) = place.denied(text, &ours) {
        let (says, denies) = (clause.of(place.answer()).trim(), denial.of(place.answer()));
        let message = format!("the answer says “{denies}”, and the claim does not: “{says}”");
        return Some(finding("sense-changed", message, "", denies).at(Place::Answer(clause.range())));
    }
    let (sentence, analysis) = place.same_words(text)?;
    let says = sentence.of(place.answer());
    let (fact, now) = match ours.differs_from(&Stance::read(says, analysis, &whole(says)))? {
        Difference::Cue(Side::Claim, span) => (span.of(claim), ""),
        Difference::Cue(Side::Evidence, span) => ("", span.of(says)),
        Difference::Opposite(own, other) => (own.of(claim), other.of(says)),
        Difference::Question => return None,
    };
    let message = match (fact, now) {
        (fact, "") => format!("the claim says “{fact}”, and the sentence of the answer does not: “{}”", says.trim()),
        ("", now) => format!("the sentence of the answer says “{now}”, and the claim does not: “{}”", says.trim()),
        (fact, now) => format!("the claim says “{fact}”, and the sentence of the answer says “{now}”"),
    };
    Some(finding("sense-changed", message, fact, now).at(Place::Answer(sentence.range())).triage())
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

impl Fact {
    fn finding(&self, claim: &str, answer: &str, is_own: bool) -> Option<Finding> {
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
            Outcome::Absent => match self.elsewhere {
                Some(span) => {
                    let message = format!("the claim says “{fact}”, and only another part of the answer does");
                    finding("fact-missing", message, fact, span.of(answer)).at(Place::Answer(span.range()))
                }
                None => {
                    let message = format!("the claim says “{fact}”, and the answer does not");
                    finding("fact-missing", message, fact, "").at(Place::Claim(self.span.range()))
                }
            },
        };
        let is_open = self.weight == Weight::Triage || (self.elsewhere.is_some() && !is_own);
        Some(if is_open { finding.triage() } else { finding })
    }
}

fn finding(code: &'static str, message: String, fact: &str, answer_says: &str) -> Finding {
    Finding::new(code, message).with("fact", fact).with("answer_says", answer_says)
}
