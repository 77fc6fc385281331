//! `modality`: the claim goes no further than its evidence, and no less far.

use schemars::JsonSchema;
use serde::Deserialize;

use super::aligned::{self, Difference, Held};
use super::{Code, Fault, Stage, 
    Check, ClaimText, Defect, Family, Finding, Judgement, Kind, Match, Passage, Place, Severity, SupportCheck, numbers,
};
use crate::diagnostic::Problem;
use crate::text::lexicon::{Qualifier, Scale};
use crate::text::quantity::Quantity;
use crate::text::stance::{Pair, Shift, Stand};
use crate::text::{Lexicons, Span};

/// The claim goes as far as its evidence does: no "must" for a "may", no "all" for a "some", no "at least" for an "up to".
///
/// Each sentence of the claim is held against the sentences of the cited passages that say the same in nearly the same words. Where
/// the two differ only in how far they go, one of these is said:
/// - `modality-stronger`: the claim says more: "must" for "may", "all" for "some" or "most", "always" for "usually", an added
///   "only", "all" or "always"; or it leaves out what limits the passage: "might", "probably", "some", "most", "usually", "about"
///   before a number. Triage, suspects `insufficient`.
/// - `modality-weaker`: the claim says less: "may" for "must", "some" for "all", an added "might", a dropped "only". What says less mostly
///   holds, so that this suspects nothing; "may" for "must" (a duty that became a choice) suspects `insufficient`.
/// - `bound-reversed`: "at least 5" for "at most 5", or the other way round: triage, suspects `contradicted`.
///
/// Where the two differ in more, where one of them denies, or where such a word stands in another clause, a quotation or a name, nothing is said. The
/// words are the lexicons' `modality`, `qualifiers`, `hedges` and `no_cues`. Scripts without spaces between words are read where the lexicon is `unspaced`, as those
/// for Japanese and Chinese are.
///
/// Subject: a claim with the passages it cites. Severity `note` unless the rule says otherwise: it never keeps a claim from being supported and
/// never fails a case. Passes where both go equally far in such words. The score is the share of the claim's words that the
/// sentence has. Not applicable where no sentence says the same, or neither has such a word.
///
/// ```yaml
/// - id: goes-further-than-its-evidence
///   check: modality
/// ```
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {}

/// The kind.
pub struct Modality;

impl Kind for Modality {
    const NAME: &'static str = "modality";
    const FAMILY: Family = Family::Support;
    const SEVERITY: Severity = Severity::Note;
    const CODES: &'static [Code] = &[
        Code::new("modality-stronger", "the claim goes further than the sentence that says the same", Fault::at(Stage::Generation, "the claim goes further than the passage")),
        Code::new("modality-weaker", "the claim goes less far than the sentence that says the same", Fault::at(Stage::Generation, "the claim goes less far than the passage")),
        Code::new("bound-reversed", "the claim bounds a number from the other side", Fault::at(Stage::Generation, "the claim turns the passage's bound round")),
    ];
    const VARIABLES: &'static [&'static str] = &["claimed", "evidence", "sentence"];
    type Options = Options;

    fn compile(_: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Support(Box::new(Modality)))
    }
}

/// How far the two go.
#[derive(Debug, Clone, Copy)]
enum Reach {
    /// In a word on a scale.
    Scale(Shift),
    /// A number that is rough in the evidence alone.
    Rough(Span, Span),
    /// A number that is bounded from opposite sides.
    Reversed(Span, Span),
}

impl SupportCheck for Modality {
    fn judge(&self, claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Judgement {
        let reach = |pair: &Pair<'_>, (ours, passage, theirs): (Span, &Passage<'_>, Span)| {
            if !pair.is_exact {
                return Stand::Unclear;
            }
            match of_numbers(claim, ours, passage, theirs) {
                Some(reach) => Stand::Differs(reach),
                None => match pair.shift() {
                    Stand::Differs(shift) => Stand::Differs(Reach::Scale(shift)),
                    Stand::Silent => Stand::Silent,
                    Stand::Alike => Stand::Alike,
                    Stand::Unclear => Stand::Unclear,
                },
            }
        };
        match aligned::held(claim, passages, reach) {
            Held::Nothing => Judgement::irrelevant(),
            Held::Alike => Judgement::pass(),
            Held::Differs(difference) => judged(claim, passages, &difference),
        }
    }
}

/// A number of both sentences that one of them bounds from the other side, or that is rough in the evidence alone.
fn of_numbers(claim: ClaimText<'_>, ours: Span, passage: &Passage<'_>, theirs: Span) -> Option<Reach> {
    let quantities = passage.analysis.quantities(passage.text);
    let from = quantities.partition_point(|quantity| quantity.span.start < theirs.start);
    let theirs = || quantities.iter().skip(from).take_while(|quantity| quantity.span.start < theirs.end);
    let text = claim.claim.text.as_ref();
    let mut ours = claim.analysis.quantities(text).iter().filter(|quantity| ours.contains(quantity.span)).take(MOST_NUMBERS);
    ours.find_map(|ours| {
        let same = |theirs: &&Quantity| theirs.number.value == ours.number.value && theirs.unit == ours.unit;
        let mut same = theirs().filter(same);
        let (Some(theirs), None) = (same.next(), same.next()) else { return None };
        let spans = (ours.span, theirs.span);
        match (ours.qualifier.and_then(direction), theirs.qualifier.and_then(direction)) {
            (Some(a), Some(b)) if a != b => Some(Reach::Reversed(spans.0, spans.1)),
            (None, None) if theirs.hedged && !ours.hedged => Some(Reach::Rough(spans.0, spans.1)),
            _ => None,
        }
    })
}

/// Numbers of a sentence that are compared.
const MOST_NUMBERS: usize = 16;

/// Whether a bound is from below.
const fn direction(qualifier: Qualifier) -> Option<bool> {
    match qualifier {
        Qualifier::AtLeast | Qualifier::MoreThan => Some(true),
        Qualifier::AtMost | Qualifier::LessThan => Some(false),
        Qualifier::Exactly => None,
    }
}

/// What a scale measures, for a message.
const fn measure(scale: Scale) -> &'static str {
    match scale {
        Scale::Duty => "duty",
        Scale::Amount => "amount",
        Scale::Frequency => "frequency",
        Scale::Certainty => "certainty",
        Scale::Exclusive => "exclusion",
    }
}

fn judged(claim: ClaimText<'_>, passages: &[Passage<'_>], difference: &Difference<Reach>) -> Judgement {
    let text = claim.claim.text.as_ref();
    let Some(passage) = passages.get(difference.passage) else { return Judgement::irrelevant() };
    let sentence = aligned::shown(difference.sentence.of(passage.text));
    let bounded = |ours: Span, theirs: Span| {
        (numbers::with_bound(text, claim.analysis, ours), numbers::with_bound(passage.text, passage.analysis, theirs))
    };
    let (finding, claimed, said) = match difference.found {
        Reach::Scale(shift) => {
            let claimed = shift.claim.map_or("", |span| span.of(text)).to_owned();
            let said = shift.evidence.map_or("", |span| span.of(passage.text)).to_owned();
            (of_shift(shift, &claimed, &said, &sentence), claimed, said)
        }
        Reach::Rough(ours, theirs) => {
            let (claimed, said) = bounded(ours, theirs);
            let message = format!("the claim says “{claimed}”, which the passage says only roughly: “{sentence}”");
            (Finding::new("modality-stronger", message).implying(Defect::Insufficient), claimed, said)
        }
        Reach::Reversed(ours, theirs) => {
            let (claimed, said) = bounded(ours, theirs);
            let message = format!("the claim says “{claimed}”, the passage says “{said}”: “{sentence}”");
            (Finding::new("bound-reversed", message).implying(Defect::Contradicted), claimed, said)
        }
    };
    let (ours, theirs) = match difference.found {
        Reach::Scale(shift) => (shift.claim, shift.evidence),
        Reach::Rough(ours, theirs) | Reach::Reversed(ours, theirs) => (
            Some(numbers::bounded(text, claim.analysis, ours)),
            Some(numbers::bounded(passage.text, passage.analysis, theirs)),
        ),
    };
    let place = ours.map_or(Place::Subject, |span| Place::Claim(span.range()));
    let finding = finding.triage().at(place);
    let finding = finding.with("claimed", claimed).with("evidence", said).with("sentence", sentence);
    let (shared, words) = difference.shared;
    let found = Match {
        claim: ours.map(|span| span.range()),
        passage: difference.passage,
        span: theirs.unwrap_or(difference.sentence).range(),
        conflicting: theirs.is_some(),
    };
    Judgement::of(vec![finding]).with_matches(vec![found]).with_score(shared as u64, words as u64)
}

/// The finding on a step of a scale.
fn of_shift(shift: Shift, claimed: &str, said: &str, sentence: &str) -> Finding {
    let measure = measure(shift.scale);
    let message = match (shift.claim, shift.evidence, shift.stronger) {
        (Some(_), Some(_), true) => {
            format!("the claim says “{claimed}” where the passage says “{said}” ({measure}); that is more: “{sentence}”")
        }
        (Some(_), Some(_), false) => {
            format!("the claim says “{claimed}” where the passage says “{said}” ({measure}); that is less: “{sentence}”")
        }
        (Some(_), None, true) => format!("the claim adds “{claimed}” to what the passage says: “{sentence}”"),
        (Some(_), None, false) => {
            format!("the claim limits with “{claimed}” what the passage says without it: “{sentence}”")
        }
        (None, _, true) => format!("the claim leaves out “{said}”, which limits what the passage says: “{sentence}”"),
        (None, _, false) => format!("the claim leaves out “{said}”: “{sentence}”"),
    };
    let is_duty = shift.scale == Scale::Duty;
    match (shift.stronger, is_duty) {
        (true, _) => Finding::new("modality-stronger", message).implying(Defect::Insufficient),
        (false, true) => Finding::new("modality-weaker", message).implying(Defect::Insufficient),
        (false, false) => Finding::new("modality-weaker", message),
    }
}
