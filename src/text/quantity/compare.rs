//! Holding the quantities of a claim against a passage.

use super::Quantity;
use super::align::{Alignment, lies_in};
use super::fit::{Fit, bounds, fit};
use crate::text::analysis::Analysis;
use crate::text::lexicon::Exact;
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
    let mut outcomes: Vec<Outcome> = quantities.iter().enumerate().map(each).collect();
    // "5 miles (8 km)": what is said again in another unit stands with what it says again.
    for at in 1..outcomes.len() {
        let again = quantities.get(at).is_some_and(|quantity| quantity.restates);
        if let Some([Outcome::Matched(span), outcome]) = outcomes.get_mut(at - 1..=at).filter(|_| again)
            && !matches!(outcome, Outcome::Matched(_))
        {
            *outcome = Outcome::Matched(*span);
        }
    }
    outcomes
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
        have.number.value == wanted.number.value
            && have.upper.map(|upper| upper.value) == wanted.upper.map(|upper| upper.value)
            && !lies_in(&measured, have.span)
            && wanted.form == have.form
    };
    let other_kind = alignment
        .written_elsewhere(wanted.span.of(claim), passage, &measured)
        .or_else(|| evidence.iter().find(same_number).map(|have| have.span))
        .or_else(|| same_words(wanted, claim, passage, evidence));
    if let Some(span) = other_kind {
        return Outcome::Ambiguous(span);
    }
    let mut others = evidence.iter().filter(is_near).filter(|have| fit(wanted, have, allowed) == Fit::Other);
    match (others.next(), others.next(), others.next(), near) {
        (Some(other), None, _, [_]) => Outcome::Conflicting(other.span),
        // One value in two units is one candidate: the one in the claim's unit.
        (Some(first), Some(again), None, [_]) if again.restates => {
            let same = wanted.unit.as_ref().map(|unit| &unit.id) == again.unit.as_ref().map(|unit| &unit.id);
            Outcome::Conflicting(if same { again.span } else { first.span })
        }
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

/// A number word that the passage has as a word where no quantity was read.
fn same_words(
    wanted: &Quantity,
    claim: &str,
    (passage, analysis): (&str, &Analysis),
    evidence: &[Quantity],
) -> Option<Span> {
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
        .filter(|t| t.kind == TokenKind::Word && folded(t.span.of(passage)) == word)
        .map(|t| t.span)
        .find(|span| {
            let after = evidence.partition_point(|have| have.span.start <= span.start);
            !after.checked_sub(1).and_then(|at| evidence.get(at)).is_some_and(|have| have.span.contains(*span))
        })
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
        assert_outcome("It takes 4 days.", "It takes 3–5 days.", "absent", "");
        assert_outcome("It takes about 4 days.", "It takes 3–5 days.", "ambiguous", "3–5 days");
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
