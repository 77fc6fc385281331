//! `answer-covered`: no fact of the answer is left out of the claims that were checked.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, CaseCheck, Check, Family, Finding, Judgement, Kind, Place};
use crate::citation::Packet;
use crate::diagnostic::Problem;
use crate::text::outcome::{Outcome, Weight};
use crate::text::quantity::{self, Comparison};
use crate::text::quotation::{Effort, Grade, Quoting, Sought};
use crate::text::{Analysis, Lexicons, Span, date};

/// The answer says something, and every quantity, date, identifier and quotation that it states is in one of the claims that the case declares.
///
/// Only claims are held against the evidence. A sentence that nobody took down as a claim reaches the reader unchecked,
/// cited or not: the counterpart of `claim-in-answer`, which finds what the answer lost.
///
/// Looked at are the statements of the answer that need a citation by the policy (`claims: needs_citation`): no greetings,
/// questions, refusals, headings or lists of sources without a marker, no code, and nothing that a reader does not see. A statement without such a fact is not judged, because nothing
/// certain can be said about who covers it; nor are bare small numbers and names with digits.
///
/// Subject: a case. Fails with `empty-answer` where the answer has no letter and no digit for a reader: nothing but markers, markup and
/// what is not shown. Fails with `fact-without-claim` for each statement with a fact that no declared claim has; the first fact of
/// them is named. It is final for a statement that cites, since a marker claims support for it, and for all of them where the case
/// says that there are no claims (`claims: []`). Else it is triage, and so a warning: whoever takes down the claims may leave out
/// what the product does not promise; `final: true` asks for every fact. A fact that `claim-in-answer` reports as changed is not
/// reported again. At most 100 are told for one answer. Not applicable where the claims come from the answer itself, and to answers
/// without a fact.
///
/// ```yaml
/// - id: not-in-any-claim
///   check: answer-covered
/// - id: every-fact-is-a-claim
///   when: { slice: { intent: legal } }
///   check: answer-covered
///   final: true
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {}

/// The kind.
pub struct AnswerCovered {
    lexicons: Lexicons,
}

impl Kind for AnswerCovered {
    const NAME: &'static str = "answer-covered";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [Code] = &[
        Code::new("fact-without-claim", "the answer states a fact that no claim covers", Fault::at(Stage::Rendering, "the answer says what is in none of its claims")),
        Code::new("empty-answer", "the answer has no word", Fault::at(Stage::Generation, "the product gave no answer")),
    ];
    const VARIABLES: &'static [&'static str] = &["fact", "statement"];
    type Options = Options;

    fn compile(_: Options, lexicons: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Case(Box::new(AnswerCovered { lexicons: lexicons.clone() })))
    }
}

/// Most findings for one answer.
const MOST: usize = 100;

/// A fact of the answer, and whether no claim has it.
struct Fact {
    span: Span,
    is_left_out: bool,
}

impl CaseCheck for AnswerCovered {
    fn judge(&self, packet: &Packet<'_>) -> Judgement {
        if packet.says_nothing {
            let message = "the answer has no letter and no digit: it tells its reader nothing";
            return Judgement::of(vec![Finding::new("empty-answer", message).with("fact", "").with("statement", "")]);
        }
        let Some(answer) = packet.case.shown_answer() else { return Judgement::missing("answer") };
        let Some(declared) = &packet.case.claims else { return Judgement::missing("claims") };
        let are_derived = packet.claims.iter().any(|claim| claim.given.is_none());
        if are_derived && !(declared.is_empty() && packet.case.from_candidate) {
            return Judgement::irrelevant();
        }
        // Each claim is a paragraph of its own, so that none runs into the next.
        let given = packet.claims.iter().filter(|claim| claim.given.is_some());
        let claims = given.map(|claim| claim.text.trim()).collect::<Vec<_>>().join("\n\n");
        let known = Analysis::new(Some(&packet.language), &self.lexicons);
        let mut facts = facts((answer, &packet.analysis), (&claims, &known));
        facts.sort_by_key(|fact| fact.span);
        let mut judged = false;
        let mut findings = Vec::new();
        for (statement, cites) in &packet.statements {
            let from = facts.partition_point(|fact| fact.span.start < statement.start);
            let own = facts.get(from..).unwrap_or_default();
            let own = own.iter().take_while(|fact| fact.span.start < statement.end);
            judged |= own.clone().next().is_some();
            if let Some(fact) = own.clone().find(|fact| fact.is_left_out).filter(|_| findings.len() < MOST) {
                let finding = finding(answer, statement, fact.span);
                findings.push(if *cites || declared.is_empty() { finding } else { finding.triage() });
            }
        }
        if judged { Judgement::of(findings) } else { Judgement::irrelevant() }
    }
}

/// Whether the fact of the claims at `span` is gone from the answer: it was changed, which is `claim-in-answer`'s to say. `back` is how
/// each fact of the claims fares in the answer.
fn was_changed(mut theirs: impl Iterator<Item = Span>, back: &[Outcome], span: Span) -> bool {
    let counterpart = theirs.position(|other| other.overlaps(span)).and_then(|at| back.get(at));
    counterpart.is_some_and(|back| !matches!(back, Outcome::Matched(_)))
}

/// The facts of the answer that can decide, each held against the claims.
fn facts(answer: (&str, &Analysis), claims: (&str, &Analysis)) -> Vec<Fact> {
    let mut facts = Vec::new();
    let compare = |own, other| quantity::compare::compare(own, other, &Comparison::default());
    let (quantities, theirs) = (answer.1.quantities(answer.0), claims.1.quantities(claims.0));
    let back = LazyCell::new(|| compare(claims, answer));
    let outcomes = quantities.iter().zip(compare(answer, claims));
    for (quantity, outcome) in outcomes.filter(|(quantity, _)| quantity.weight() == Weight::Final) {
        let was_changed = |span| was_changed(theirs.iter().map(|other| other.span), &back, span);
        facts.push(Fact { span: quantity.span, is_left_out: left_out(outcome, was_changed) });
    }
    let (dates, theirs) = (answer.1.dates(answer.0), claims.1.dates(claims.0));
    let back = LazyCell::new(|| date::compare_retold(claims, answer));
    let outcomes = dates.iter().zip(date::compare_retold(answer, claims));
    for (date, outcome) in outcomes.filter(|(date, _)| date.weight() == Weight::Final) {
        let was_changed = |span| was_changed(theirs.iter().map(|other| other.span), &back, span);
        facts.push(Fact { span: date.span, is_left_out: left_out(outcome, was_changed) });
    }
    let theirs: BTreeSet<&str> = claims.1.identifiers(claims.0).iter().map(|other| other.canonical.as_ref()).collect();
    for own in answer.1.identifiers(answer.0).iter().filter(|own| own.weight() == Weight::Final) {
        let is_left_out = !theirs.contains(own.canonical.as_ref());
        facts.push(Fact { span: own.span, is_left_out });
    }
    let quoting = Quoting { fold_case: true, ..Quoting::default() };
    let mut effort = Effort::default();
    for quotation in answer.1.quotations(answer.0).iter().filter(|quotation| quotation.is_final()) {
        let grade = Sought::new(answer, quotation.inner).find(claims, &quoting, &mut effort);
        facts.push(Fact { span: quotation.span, is_left_out: matches!(grade, Grade::NotFound) });
    }
    facts
}

/// Whether no claim has a fact. What is open counts as covered: only what is certain is told.
fn left_out(outcome: Outcome, was_changed: impl Fn(Span) -> bool) -> bool {
    match outcome {
        Outcome::Matched(_) | Outcome::Ambiguous(_) => false,
        Outcome::Conflicting(span) => !was_changed(span),
        Outcome::Absent => true,
    }
}

fn finding(answer: &str, statement: &Range<usize>, fact: Span) -> Finding {
    const SHOWN: usize = 160;
    let text = answer.get(statement.clone()).unwrap_or_default().trim();
    let shown = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    };
    let said = fact.of(answer);
    let message = format!("the answer states “{said}”, which no claim covers: “{shown}”");
    let finding = Finding::new("fact-without-claim", message).at(Place::Answer(fact.range()));
    finding.with("fact", said).with("statement", shown)
}
