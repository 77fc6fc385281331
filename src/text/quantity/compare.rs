//! Holding the quantities of a claim against a passage.

use std::sync::Arc;

use num_traits::{CheckedMul, CheckedSub, Signed};

use super::{Form, Number, Quantity};
use crate::text::analysis::Analysis;
use crate::text::lexicon::{Exact, Qualifier, Unit};
use crate::text::outcome::Outcome;
use crate::text::span::Span;
use crate::text::word::{TokenKind, folded};

/// What a comparison allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison {
    /// A claim may be coarser than its evidence by correct rounding.
    pub rounding: bool,
    /// How far a hedged claim ("about 100") may be off, as a share of the evidence's value.
    pub hedge_tolerance: Exact,
}

impl Default for Comparison {
    /// No rounding; a hedged claim may be off by a twentieth.
    fn default() -> Self {
        Self { rounding: false, hedge_tolerance: Exact::new(1, 20) }
    }
}

/// Which sentence of a passage speaks about the same thing as a sentence of the claim: the one that shares the most content words.
pub(crate) struct Alignment {
    /// Per sentence of the claim: its span and the sentences of the passage that share the most with it.
    best: Vec<(Span, Vec<Span>)>,
}

impl Alignment {
    pub(crate) fn new((claim, of_claim): (&str, &Analysis), (passage, of_passage): (&str, &Analysis)) -> Self {
        const MOST_PAIRS: usize = 200_000;
        let sentences = of_passage.sentences(passage);
        if sentences.len().saturating_mul(of_claim.sentences(claim).len()) > MOST_PAIRS {
            return Self { best: Vec::new() };
        }
        let words = of_passage.sentence_words(passage);
        let best = of_claim.sentences(claim).iter().zip(of_claim.sentence_words(claim)).map(|(sentence, wanted)| {
            let shared: Vec<usize> = words.iter().map(|have| wanted.shared_with(have)).collect();
            let most = shared.iter().copied().max().unwrap_or(0);
            let aligned = most > 0 && most * 5 >= wanted.len();
            let spans =
                shared.iter().zip(sentences).filter(|(n, _)| aligned && **n == most).map(|(_, s)| s.span).collect();
            (sentence.span, spans)
        });
        Self { best: best.collect() }
    }

    /// The one sentence of the passage aligned with the claim's sentence at `span`; `None` where none or several are.
    pub(crate) fn sentence_for(&self, span: Span) -> Option<Span> {
        match self.candidates(span) {
            [one] => Some(*one),
            _ => None,
        }
    }

    fn candidates(&self, span: Span) -> &[Span] {
        self.best.iter().find(|(sentence, _)| sentence.overlaps(span)).map_or(&[], |(_, best)| best.as_slice())
    }

    /// Where the passage has the same written digits, whatever they were read as.
    /// Those in `passed_over` do not count.
    pub(crate) fn written_elsewhere(
        &self,
        written: &str,
        (passage, analysis): (&str, &Analysis),
        passed_over: &[Span],
    ) -> Option<Span> {
        let digits = |text: &str| -> String {
            text.chars().filter_map(super::super::word::digit_value).map(|d| char::from(b'0' + d)).collect()
        };
        let wanted = digits(written);
        if wanted.is_empty() {
            return None;
        }
        let tokens = analysis.tokens(passage);
        let same = |token: &&crate::text::word::Token| {
            token.kind == TokenKind::Digits && digits(token.span.of(passage)) == wanted
        };
        let counts = |token: &&crate::text::word::Token| !passed_over.iter().any(|span| span.contains(token.span));
        tokens.iter().filter(counts).find(same).map(|token| token.span)
    }
}

/// Holds each quantity of `claim` against `passage`. The outcomes are in the order of [`Analysis::quantities`].
pub fn compare(claim: (&str, &Analysis), passage: (&str, &Analysis), allowed: &Comparison) -> Vec<Outcome> {
    let quantities = claim.1.quantities(claim.0);
    if quantities.is_empty() {
        return Vec::new();
    }
    let alignment = Alignment::new(claim, passage);
    let evidence = passage.1.quantities(passage.0);
    let most = affordable(passage);
    let each = |(at, quantity): (usize, &Quantity)| match at < most {
        true => one(quantity, claim.0, passage, evidence, &alignment, allowed),
        false => Outcome::Ambiguous(Span::default()),
    };
    quantities.iter().enumerate().map(each).collect()
}

/// How many facts of a claim are held against a passage. No claim has so many that the rest, left open, would be missed; the bound is there so
/// that a hostile pair of texts cannot take quadratic time.
pub(crate) fn affordable((passage, analysis): (&str, &Analysis)) -> usize {
    const STEPS: usize = 4_000_000;
    STEPS / analysis.tokens(passage).len().max(1)
}

fn one(
    wanted: &Quantity,
    claim: &str,
    passage: (&str, &Analysis),
    evidence: &[Quantity],
    alignment: &Alignment,
    allowed: &Comparison,
) -> Outcome {
    let near = alignment.candidates(wanted.span);
    let is_near = |q: &&Quantity| near.iter().any(|sentence| sentence.contains(q.span));
    // Nearest first: a value in the aligned sentence counts before the same value elsewhere.
    let ordered = evidence.iter().filter(is_near).chain(evidence.iter().filter(|q| !is_near(q)));
    let mut open: Option<Outcome> = None;
    for have in ordered {
        if is_near(&have) && leaves_out(wanted, have) {
            return Outcome::Matched(have.span);
        }
        match fit(wanted, have, allowed) {
            Fit::Same => return Outcome::Matched(have.span),
            Fit::Opposite if is_near(&have) => {
                open = Some(open.unwrap_or(Outcome::Ambiguous(have.span)).or(Outcome::Conflicting(have.span)))
            }
            // Derived, in another sentence: nothing to go by.
            Fit::Open if !is_near(&have) && !touches(wanted, have) => {}
            Fit::Opposite | Fit::Open => open = Some(Outcome::Ambiguous(have.span).or(open.unwrap_or(Outcome::Absent))),
            Fit::Other | Fit::Unlike => {}
        }
    }
    if let Some(open) = only_opposite(wanted, evidence, &is_near, allowed).or(open) {
        return open;
    }
    // The same few digits with another unit, rate or scale of their own say something else.
    let elsewhere = |have: &&Quantity| match (&wanted.unit, &have.unit) {
        (Some(a), Some(b)) => a.dimension == b.dimension || wanted.number.digits < 4,
        _ => (wanted.per.is_some() && have.per.is_some()) || (wanted.scaled && have.scaled),
    };
    let measured: Vec<Span> = evidence.iter().filter(elsewhere).map(|have| have.span).collect();
    let same_number = |have: &&Quantity| {
        have.number.value == wanted.number.value && !measured.contains(&have.span) && wanted.form == have.form
    };
    let other_kind = alignment
        .written_elsewhere(wanted.span.of(claim), passage, &measured)
        .or_else(|| evidence.iter().find(same_number).map(|have| have.span))
        .or_else(|| same_words(wanted, claim, passage));
    if let Some(span) = other_kind {
        return Outcome::Ambiguous(span);
    }
    let mut others = evidence.iter().filter(is_near).filter(|have| fit(wanted, have, allowed) == Fit::Other);
    match (others.next(), others.next(), near) {
        (Some(other), None, [_]) => Outcome::Conflicting(other.span),
        _ => Outcome::Absent,
    }
}

/// "at least 5" where the one such value in the aligned sentence is "at most 5".
fn only_opposite(
    wanted: &Quantity,
    evidence: &[Quantity],
    is_near: &impl Fn(&&Quantity) -> bool,
    allowed: &Comparison,
) -> Option<Outcome> {
    let mut fits = evidence.iter().filter(is_near).filter(|have| !matches!(fit(wanted, have, allowed), Fit::Unlike));
    match (fits.next(), fits.next()) {
        (Some(have), None) if fit(wanted, have, allowed) == Fit::Opposite => Some(Outcome::Conflicting(have.span)),
        _ => None,
    }
}

/// A number word that the passage has as a word, whatever it was read as.
fn same_words(wanted: &Quantity, claim: &str, (passage, analysis): (&str, &Analysis)) -> Option<Span> {
    if !wanted.in_words {
        return None;
    }
    let word = folded(wanted.span.of(claim).split_whitespace().next()?).into_owned();
    if analysis.lexicon().numbers.weak.contains(word.as_str()) {
        return None;
    }
    analysis
        .tokens(passage)
        .iter()
        .find(|t| t.kind == TokenKind::Word && folded(t.span.of(passage)) == word)
        .map(|t| t.span)
}

/// Whether one of the values of both is the same number.
fn touches(wanted: &Quantity, have: &Quantity) -> bool {
    let values = |quantity: &Quantity| [Some(quantity.number), quantity.upper, quantity.other_reading];
    values(wanted).into_iter().flatten().any(|a| values(have).into_iter().flatten().any(|b| a.value == b.value))
}

/// Whether one says the other's value and only leaves out what it is of: "at 31" on "the 31-year-old", "aged 38 years" on "he was 38".
fn leaves_out(wanted: &Quantity, have: &Quantity) -> bool {
    let bare = |quantity: &Quantity| {
        quantity.unit.is_none() && quantity.per.is_none() && !quantity.scaled && quantity.counted == [None; 2]
    };
    let is_age = |quantity: &Quantity| {
        quantity.per.is_none() && quantity.unit.as_ref().is_some_and(|unit| unit.id.as_ref() == "year")
    };
    let same = wanted.form == have.form
        && wanted.number.value == have.number.value
        && wanted.upper.map(|n| n.value) == have.upper.map(|n| n.value);
    same && bounds(wanted.qualifier, have.qualifier) == Fit::Same
        && ((bare(wanted) && is_age(have)) || (is_age(wanted) && bare(have)))
}

/// How a quantity of the passage stands to one of the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// It says so.
    Same,
    /// The same value with an opposite bound.
    Opposite,
    /// It may say so.
    Open,
    /// The same kind, another value.
    Other,
    /// Another kind.
    Unlike,
}

fn fit(wanted: &Quantity, have: &Quantity, allowed: &Comparison) -> Fit {
    let kind = kinship(wanted, have);
    if kind == Kinship::None {
        return Fit::Unlike;
    }
    let pairs = |form: Form| matches!(form, Form::Range | Form::Score);
    let value = match (pairs(wanted.form), pairs(have.form)) {
        (true, true) => {
            let both =
                same_value(wanted, wanted.number, have, have.number, allowed) && same_upper(wanted, have, allowed);
            if both { Fit::Same } else { Fit::Other }
        }
        (false, true) => end_of_range(wanted, have, allowed),
        (true, false) => {
            let upper = wanted.upper.is_some_and(|n| same_value(wanted, n, have, have.number, allowed));
            if upper || same_value(wanted, wanted.number, have, have.number, allowed) { Fit::Open } else { Fit::Other }
        }
        (false, false) => single(wanted, have, allowed),
    };
    match (kind, value) {
        (Kinship::Near, Fit::Same | Fit::Opposite) => Fit::Open,
        (Kinship::Near, _) => Fit::Unlike,
        (Kinship::Foreign, _) => Fit::Other,
        (Kinship::Loose, Fit::Other) if !counts_the_same(wanted, have) => Fit::Unlike,
        (_, value) => value,
    }
}

fn single(wanted: &Quantity, have: &Quantity, allowed: &Comparison) -> Fit {
    if same_value(wanted, wanted.number, have, have.number, allowed) {
        return bounds(wanted.qualifier, have.qualifier);
    }
    let other =
        |a: Option<Number>, b: Option<Number>| a.zip(b).is_some_and(|(a, b)| same_value(wanted, a, have, b, allowed));
    let readings = other(wanted.other_reading, Some(have.number))
        || other(Some(wanted.number), have.other_reading)
        || other(wanted.other_reading, have.other_reading);
    // "more than 100" on "127": true, but derived. On another bound it is another statement: "at most 900" where the
    // evidence says "at most 600" promises what nobody did.
    let is_value = matches!(have.qualifier, None | Some(Qualifier::Exactly));
    let is_bound = matches!(wanted.qualifier, Some(qualifier) if qualifier != Qualifier::Exactly);
    let value = |quantity: &Quantity| if is_bound { quantity.base(quantity.number) } else { None };
    let implied = value(wanted).zip(value(have)).is_some_and(|(claim, evidence)| match wanted.qualifier {
        Some(Qualifier::AtLeast | Qualifier::MoreThan) => {
            evidence > claim && twice(claim).is_some_and(|most| evidence < most)
        }
        Some(Qualifier::AtMost | Qualifier::LessThan) => {
            evidence < claim && twice(evidence).is_some_and(|most| most > claim)
        }
        _ => false,
    });
    if readings || (is_value && implied && counts_the_same(wanted, have)) { Fit::Open } else { Fit::Other }
}

fn twice(value: Exact) -> Option<Exact> {
    value.checked_mul(&Exact::from_integer(2))
}

fn points_up(qualifier: Option<Qualifier>) -> bool {
    matches!(qualifier, Some(Qualifier::AtLeast | Qualifier::MoreThan))
}

fn points_down(qualifier: Option<Qualifier>) -> bool {
    matches!(qualifier, Some(Qualifier::AtMost | Qualifier::LessThan))
}

/// Whether equal values with these bounds say the same.
fn bounds(claim: Option<Qualifier>, evidence: Option<Qualifier>) -> Fit {
    use Qualifier::{AtLeast, AtMost, Exactly, LessThan, MoreThan};
    match (claim, evidence) {
        (a, b) if a == b => Fit::Same,
        // "100" may stand on "up to 100", and a bound that includes the value on the value.
        (None, Some(AtLeast | AtMost | Exactly)) | (Some(AtLeast | AtMost | Exactly), None | Some(Exactly)) => {
            Fit::Same
        }
        (a, b) if (points_up(a) && points_down(b)) || (points_down(a) && points_up(b)) => Fit::Opposite,
        // "more than 100" includes at least 100; the other way it says too much.
        (Some(AtLeast), Some(MoreThan)) | (Some(AtMost), Some(LessThan)) => Fit::Same,
        _ => Fit::Open,
    }
}

/// One value of the claim against a range of the passage.
fn end_of_range(wanted: &Quantity, have: &Quantity, allowed: &Comparison) -> Fit {
    let lower = same_value(wanted, wanted.number, have, have.number, allowed);
    let upper = have.upper.is_some_and(|n| same_value(wanted, wanted.number, have, n, allowed));
    match wanted.qualifier {
        Some(Qualifier::AtLeast) if lower => return Fit::Same,
        Some(Qualifier::AtMost) if upper => return Fit::Same,
        _ if lower || upper => return Fit::Open,
        _ => {}
    }
    let inside = wanted
        .base(wanted.number)
        .zip(have.base(have.number))
        .zip(have.upper.and_then(|n| have.base(n)))
        .is_some_and(|((v, low), high)| low < v && v < high);
    if inside { Fit::Open } else { Fit::Other }
}

fn same_upper(wanted: &Quantity, have: &Quantity, allowed: &Comparison) -> bool {
    wanted.upper.zip(have.upper).is_some_and(|(a, b)| same_value(wanted, a, have, b, allowed))
}

fn same_value(wanted: &Quantity, claim: Number, have: &Quantity, evidence: Number, allowed: &Comparison) -> bool {
    let is_lenient = wanted.hedged || allowed.rounding;
    // In the same unit, equal numbers are equal values and others are not: nothing to convert.
    let same = |a: &Option<Arc<Unit>>, b: &Option<Arc<Unit>>| match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        _ => false,
    };
    if same(&wanted.unit, &have.unit) && same(&wanted.per, &have.per) && (claim.value == evidence.value || !is_lenient)
    {
        return claim.value == evidence.value;
    }
    let (Some(a), Some(b)) = (wanted.base(claim), have.base(evidence)) else { return claim.value == evidence.value };
    if a == b || !is_lenient {
        return a == b;
    }
    let off = a.checked_sub(&b).map(|d| d.abs());
    let within = |most: Option<Exact>| off.zip(most).is_some_and(|(off, most)| off <= most);
    let half = wanted.half_step();
    let coarser = wanted.number.step >= have.number.step || wanted.scaled;
    if wanted.hedged && (within(b.abs().checked_mul(&allowed.hedge_tolerance)) || (coarser && within(half))) {
        return true;
    }
    allowed.rounding && coarser && wanted.number.digits >= 2 && within(half)
}

/// Whether two quantities can be compared at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kinship {
    /// One dimension, so that another value is another statement.
    Close,
    /// Plain numbers: comparable; another value says something only about the same things.
    Loose,
    /// One of them has no unit: equal values may mean the same.
    Near,
    /// One dimension without a way to convert (dollars and euros): never the same.
    Foreign,
    /// Nothing in common.
    None,
}

fn kinship(wanted: &Quantity, have: &Quantity) -> Kinship {
    if (wanted.form == Form::Ordinal) != (have.form == Form::Ordinal) {
        return Kinship::None;
    }
    let per = match (&wanted.per, &have.per) {
        (Some(a), Some(b)) => a.dimension == b.dimension,
        (None, None) => true,
        // A rate on one side only: "$5" and "$5 per month".
        _ => false,
    };
    match (&wanted.unit, &have.unit) {
        (None, None) if per && wanted.per.is_some() => Kinship::Close,
        (None, None) if per => Kinship::Loose,
        (Some(a), Some(b)) => {
            let stands_for = a.id == b.id || a.accepts.contains(&b.id) || b.accepts.contains(&a.id);
            let convertible = a.dimension == b.dimension && a.factor.is_some() && b.factor.is_some();
            match (stands_for || convertible, a.dimension == b.dimension) {
                (true, _) if per => Kinship::Close,
                (true, _) => Kinship::Near,
                (false, true) if per => Kinship::Foreign,
                _ => Kinship::None,
            }
        }
        _ => Kinship::Near,
    }
}

/// Whether what is counted has a word in common; unknown things may be the same.
fn counts_the_same(wanted: &Quantity, have: &Quantity) -> bool {
    if wanted.unit.is_some() {
        return true;
    }
    wanted.counted.iter().flatten().any(|stem| have.counted.contains(&Some(*stem)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lexicon::Lexicons;

    fn outcome_with(allowed: &Comparison, claim: &str, passage: &str) -> (String, String) {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        let (a, b) = (Analysis::new(Some("en"), &lexicons), Analysis::new(Some("en"), &lexicons));
        let outcome = compare((claim, &a), (passage, &b), allowed).first().copied().unwrap_or(Outcome::Absent);
        let name = match outcome {
            Outcome::Matched(_) => "matched",
            Outcome::Conflicting(_) => "conflicting",
            Outcome::Ambiguous(_) => "ambiguous",
            Outcome::Absent => "absent",
        };
        (name.to_owned(), outcome.span().unwrap_or_default().of(passage).to_owned())
    }

    #[track_caller]
    fn assert_outcome(claim: &str, passage: &str, name: &str, span: &str) {
        assert_eq!(
            outcome_with(&Comparison::default(), claim, passage),
            (name.to_owned(), span.to_owned()),
            "{claim} / {passage}"
        );
    }

    #[test]
    fn the_three_cases_of_the_fixture() {
        assert_outcome(
            "The API limit is 100 requests per minute.",
            "Each client may send up to 100 requests per minute.",
            "matched",
            "100 requests per minute",
        );
        assert_outcome(
            "Atlas guarantees 99.99% uptime.",
            "The monthly uptime target is 99.9%.",
            "conflicting",
            "99.9%",
        );
        assert_outcome("Atlas stores backups for 90 days.", "Backups are encrypted at rest.", "absent", "");
    }

    #[test]
    fn units_convert_where_they_can() {
        assert_outcome("It takes 2 hours.", "It takes 120 minutes.", "matched", "120 minutes");
        assert_outcome("Logs stay 1 month.", "Logs stay 30 days.", "absent", "");
        assert_outcome("A cache of 10 MB.", "A cache of 10 MiB.", "conflicting", "10 MiB");
        assert_outcome("It rose 2 percentage points.", "It rose 2%.", "absent", "");
        assert_outcome(
            "It rose 25 basis points.",
            "It rose 0.25 percentage points.",
            "matched",
            "0.25 percentage points",
        );
        assert_outcome("A fee of $5 applies.", "A fee of €5 applies.", "conflicting", "€5");
        assert_outcome("A fee of $5 applies.", "A fee of 5 USD applies.", "matched", "5 USD");
        assert_outcome("Water boils at 212 °F.", "Water boils at 100 °C.", "matched", "100 °C");
        assert_outcome(
            "60 requests per hour are allowed.",
            "1 request per minute is allowed.",
            "matched",
            "1 request per minute",
        );
        assert_outcome("Kept ninety days.", "Kept 90 days.", "matched", "90 days");
    }

    #[test]
    fn bounds_must_agree() {
        assert_outcome("Keep at least 5 copies.", "Keep at most 5 copies.", "conflicting", "5");
        assert_outcome("At least 30 days pass.", "Up to 30 days pass.", "conflicting", "30 days");
        assert_outcome("Up to 30 days pass.", "30 days pass.", "matched", "30 days");
        assert_outcome("More than 100 users joined.", "127 users joined.", "ambiguous", "127");
    }

    #[test]
    fn precision_is_meaning_and_rounding_is_opt_in() {
        let rounding = Comparison { rounding: true, ..Comparison::default() };
        assert_outcome("It has 3.1 million users.", "It has 3,140,000 users.", "conflicting", "3,140,000");
        assert_eq!(outcome_with(&rounding, "It has 3.1 million users.", "It has 3,140,000 users.").0, "matched");
        assert_eq!(outcome_with(&rounding, "It has 3.2 million users.", "It has 3,140,000 users.").0, "conflicting");
        assert_outcome("It has about 3.1 million users.", "It has 3,140,000 users.", "matched", "3,140,000");
        assert_outcome("It has about 4 million users.", "It has 3,140,000 users.", "conflicting", "3,140,000");
    }

    #[test]
    fn ranges_scores_and_open_readings() {
        assert_outcome("It takes 3 to 5 days.", "It takes between 3 and 5 days.", "matched", "3 and 5 days");
        assert_outcome("It takes 4 days.", "It takes 3–5 days.", "ambiguous", "3–5 days");
        assert_outcome("They won 3–1.", "They won 3-1.", "matched", "3-1");
        assert_outcome("They won 3–1.", "They lost 1-3.", "absent", "");
        assert_outcome("Model X90 has 90 kg.", "The X90 is heavy.", "ambiguous", "90");
    }

    #[test]
    fn other_languages() {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        let cases = [
            (
                "de",
                "Die Frist beträgt 14 Tage.",
                "Die Widerrufsfrist beträgt vierzehn Tage.",
                Outcome::Matched(Span::new(28, 41)),
            ),
            ("de", "Es kostet 1.299,50 €.", "Der Preis ist EUR 1299,50.", Outcome::Matched(Span::new(14, 25))),
            ("fr", "Le délai est de 30 jours.", "Vous disposez d'un délai de trente jours ouvrés.", Outcome::Absent),
            ("ja", "手数料は500円です。", "手数料は300円です。", Outcome::Conflicting(Span::new(12, 18))),
            ("ja", "返品は30日以内です。", "返品は30日以内に可能です。", Outcome::Matched(Span::new(9, 14))),
        ];
        for (language, claim, passage, expected) in cases {
            let (a, b) = (Analysis::new(Some(language), &lexicons), Analysis::new(Some(language), &lexicons));
            assert_eq!(compare((claim, &a), (passage, &b), &Comparison::default()), [expected], "{claim}");
        }
    }

    #[test]
    fn two_candidates_never_conflict() {
        assert_outcome("Logs stay 90 days.", "Logs stay 30 days, backups 60 days.", "absent", "");
        assert_outcome("It has 5 wheels.", "It has 4 doors.", "absent", "");
        assert_outcome("It has 5 wheels.", "It has 4 wheels.", "conflicting", "4");
    }
}
