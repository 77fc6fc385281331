//! `numbers`: every quantity of the claim is in the evidence it cites.

mod derived;
mod forms;

use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;

use super::bound::RatioBound;
use super::facts::{self, Fact, Shown, Words};
use self::forms::Wanted;
use super::{Code, Fault, Stage, Check, ClaimText, Family, Finding, Judgement, Kind, Passage, SupportCheck};
use crate::diagnostic::Problem;
use crate::text::lexicon::{Exact, Qualifier};
use crate::text::outcome::{Outcome, Weight};
use crate::text::quantity::compare::affordable;
use crate::text::quantity::{self, Comparison, Form, Quantity};
use crate::text::stance::Stance;
use crate::text::{Analysis, Lexicons, Span};
use crate::yaml::{DecimalText, Located};

/// Every quantity of the claim is in the cited evidence: the same value, of the same thing, in any way of writing it.
///
/// The number beside the marker is what readers carry away, and the easiest thing to get wrong. Quantities are read from claim
/// and passage with their sign, unit, scale word, percent or currency, rate and qualifier, and compared exactly: "30" and "thirty",
/// "1.5 million" and "1,500,000", "half an hour" and "30 minutes", "90 minutes" and "1 hour 30 minutes", "half of the users"
/// and "50 %" agree; 99.99 and 99.9, "%" and "percentage points", months and days, kB and KiB, "at least" and "at most", 3–1
/// and 1–3 do not. "100" may stand on "up to 100". Digits inside names (COVID-19), versions, dates, section numbers, numerals of
/// lists and citation markers are no quantities. Words for numbers, units and qualifiers come from the lexicon of the case's
/// language (`lexicons:`).
///
/// What is equal in value may still say something else, and is left open: "rose by 5 %" on "rose to 5 %", "$5" on "CAD 5", "30 days"
/// on "30 or 90 days", "10" on "5 to 10", "over 200" on "up to 200", "$120 per year" on "$10 per month", "8 km" on "5 miles". A value that
/// a claim says again in another unit, as in "5 miles (8 km)", stands with the first.
///
/// Options: `rounding` (default `false`): a claim may be coarser than its evidence if it is rounded correctly (a half either way, and
/// 1,200 for 1,234); `hedge_tolerance` (default 0.05): how far "about 100" may be off, as a share of the evidence's value.
///
/// Subject: a claim with the passages it cites. Each quantity that is not found gives one finding:
/// - `number-conflicting`, implies `contradicted`: the sentence about the same thing has one other value of that kind;
/// - `number-absent`, implies `partial` where another quantity of the claim was found, else `insufficient`;
/// - `number-ambiguous`, always triage, suspects `insufficient`: the locale, the unit or the bound leaves it open, or the passage has
///   visibly lost a figure ("weighs up to , the most of all"), as extracts of web pages often have.
///
/// Quantities with a unit, percent, currency, scale word or at least three digits decide; bare small numbers are triage, but where another number stands in their place. The score
/// is quantities found / quantities. Not applicable to claims without a quantity.
///
/// ```yaml
/// - id: number-not-in-evidence
///   check: { numbers: { rounding: true } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Whether a claim may be coarser than its evidence by correct rounding.
    #[serde(default)]
    pub rounding: bool,
    /// How far a hedged number may be off, as a share of the evidence's value.
    pub hedge_tolerance: Option<Located<DecimalText>>,
}

/// The kind.
pub struct Numbers {
    comparison: Comparison,
}

const WORDS: Words =
    Words { conflicting: "number-conflicting", absent: "number-absent", ambiguous: "number-ambiguous" };

impl Kind for Numbers {
    const NAME: &'static str = "numbers";
    const FAMILY: Family = Family::Support;
    const CODES: &'static [Code] = &[
        Code::new(WORDS.conflicting, "the evidence has another value for the same thing", Fault::Lacking { nowhere: Some(Stage::Generation), and: ", and the cited passage says something else" }),
        Code::new(WORDS.absent, "the evidence does not have the quantity", Fault::Lacking { nowhere: Some(Stage::Retrieval), and: "" }),
        Code::new(WORDS.ambiguous, "whether the evidence has the quantity cannot be decided", Fault::Lacking { nowhere: None, and: " for certain, and whether the cited passage does cannot be decided" }),
    ];
    const VARIABLES: &'static [&'static str] = facts::VARIABLES;
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        let mut problems = Vec::new();
        let tolerance = RatioBound::optional("hedge_tolerance", options.hedge_tolerance.as_ref(), &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        let hedge_tolerance = tolerance.map_or(Comparison::default().hedge_tolerance, |bound| {
            let (numerator, denominator) = bound.parts();
            Exact::new(numerator.into(), denominator.into())
        });
        Ok(Check::Support(Box::new(Numbers { comparison: Comparison { rounding: options.rounding, hedge_tolerance } })))
    }
}

impl SupportCheck for Numbers {
    fn lacking(&self, finding: &Finding) -> Vec<String> {
        facts::claimed(finding)
    }

    fn judge(&self, claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Judgement {
        let text = claim.claim.text.as_ref();
        let shown = Shown {
            claim: &|span| with_bound(text, claim.analysis, span),
            evidence: &|index, span| {
                passages.get(index).map_or_else(String::new, |passage| with_bound(passage.text, passage.analysis, span))
            },
        };
        let mut facts = held(claim, passages, &self.comparison);
        derived::allow(&mut facts, claim.analysis.quantities(text));
        allow_for_holes(claim, passages, &mut facts);
        let mut judgement = facts::judged_as(&facts, &WORDS, &shown);
        for found in judgement.matches.iter_mut().filter(|found| found.conflicting) {
            let wider = |text: &str, analysis: &Analysis, place: &Range<usize>| {
                bounded(text, analysis, Span::new(place.start, place.end)).range()
            };
            if let Some(passage) = passages.get(found.passage) {
                found.span = wider(passage.text, passage.analysis, &found.span);
            }
            found.claim = found.claim.take().map(|place| wider(text, claim.analysis, &place));
        }
        judgement
    }
}

/// A measure that no passage says is open rather than absent where a passage has lost a figure: it may have stood there.
fn allow_for_holes(claim: ClaimText<'_>, passages: &[Passage<'_>], facts: &mut [Fact]) {
    let quantities = claim.analysis.quantities(&claim.claim.text);
    for (fact, quantity) in facts.iter_mut().zip(quantities) {
        if fact.outcome != Outcome::Absent || (quantity.unit.is_none() && quantity.per.is_none()) {
            continue;
        }
        let holes = |passage: &Passage<'_>| passage.analysis.holes(passage.text).first().copied();
        if let Some((passage, hole)) = passages.iter().enumerate().find_map(|(at, passage)| Some((at, holes(passage)?))) {
            (fact.outcome, fact.passage, fact.lost) = (Outcome::Ambiguous(hole), passage, true);
        }
    }
}

/// The quantity of a text that stands at `span`.
fn quantity_at<'t>(text: &'t str, analysis: &'t Analysis, span: Span) -> Option<&'t Quantity> {
    let quantities = analysis.quantities(text);
    let at = quantities.partition_point(|quantity| quantity.span.start < span.start);
    quantities.get(at).filter(|quantity| quantity.span == span)
}

/// The place of a quantity with the words that bound it, where any do: "at least 25 MB" and "at most 25 MB" differ in nothing else.
pub(super) fn bounded(text: &str, analysis: &Analysis, span: Span) -> Span {
    quantity_at(text, analysis, span).and_then(|quantity| quantity.bound).map_or(span, |bound| span.join(bound))
}

/// A quantity as it is written, with what bounds it: two that differ in their bound alone would look the same without it.
pub(super) fn with_bound(text: &str, analysis: &Analysis, span: Span) -> String {
    let bound = match quantity_at(text, analysis, span).and_then(|quantity| quantity.qualifier) {
        None => return span.of(text).to_owned(),
        Some(Qualifier::AtLeast) => "at least",
        Some(Qualifier::AtMost) => "at most",
        Some(Qualifier::MoreThan) => "more than",
        Some(Qualifier::LessThan) => "less than",
        Some(Qualifier::Exactly) => "exactly",
    };
    format!("{bound} {}", span.of(text))
}

/// The quantities of the claim, held against passages.
pub(super) fn held(claim: ClaimText<'_>, passages: &[Passage<'_>], comparison: &Comparison) -> Vec<Fact> {
    let text = claim.claim.text.as_ref();
    let quantities = claim.analysis.quantities(text).iter().map(|quantity| (quantity.span, quantity.weight()));
    let mut facts = facts::held(quantities, passages, |passage| {
        quantity::compare((text, claim.analysis), (passage.text, passage.analysis), comparison)
    });
    let texts = passages.iter().map(|passage| affordable((passage.text, passage.analysis)));
    let most = texts.min().unwrap_or_default();
    for (fact, quantity) in facts.iter_mut().zip(claim.analysis.quantities(text)).take(most) {
        forms::reconsider(fact, Wanted { text, quantity }, passages);
        // A small number is easily written otherwise, and easily missed; another one in its place is none of both.
        let is_plain = quantity.form == Form::Single && !quantity.weak && !quantity.in_words;
        if is_plain && matches!(fact.outcome, Outcome::Conflicting(_)) {
            fact.weight = Weight::Final;
        }
        let is_open = || is_denied(text, claim.analysis, quantity.span) || is_asked(claim, quantity);
        if fact.outcome == Outcome::Absent && fact.weight == Weight::Final && is_open() {
            fact.weight = Weight::Triage;
        }
    }
    facts
}

/// Whether the question has the value already: an answer says it again, and no passage need bear it out.
fn is_asked(claim: ClaimText<'_>, wanted: &Quantity) -> bool {
    facts::in_question(claim, |query, analysis| {
        let same = |asked: &Quantity| {
            asked.dimension() == wanted.dimension()
                && asked.form == wanted.form
                && asked.base(asked.number) == wanted.base(wanted.number)
                && asked.upper.map(|upper| upper.value) == wanted.upper.map(|upper| upper.value)
        };
        analysis.quantities(query).iter().any(same)
    })
}

/// Whether a word of denial stands before a value in its clause: a passage need not say what does not hold.
fn is_denied(text: &str, analysis: &Analysis, value: Span) -> bool {
    Stance::read(text, analysis, &[analysis.clause_before(text, value.start)]).denials().next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_bound_belong_to_its_mark() {
        let lexicons = Lexicons::shipped().expect("the shipped lexicons");
        let marked = |text: &str| -> Vec<String> {
            let analysis = Analysis::new(Some("en"), &lexicons);
            let spans = analysis.quantities(text).iter().map(|quantity| quantity.span);
            spans.map(|span| bounded(text, &analysis, span).of(text).to_owned()).collect()
        };
        assert_eq!(marked("A file may have at least 25 MB."), ["at least 25 MB"]);
        assert_eq!(marked("It is kept for 30 days or more."), ["30 days or more"]);
        assert_eq!(marked("It has 100+ files and is kept for about 30 days."), ["100+", "30 days"]);
    }
}
