//! Percentages that the claim works out of two other quantities of its own: "50 of 200 patients (25 %)", "from $3m to $4.5m, up 50 %".

use num_traits::{CheckedDiv, CheckedMul, CheckedSub, Signed};

use crate::check::facts::Fact;
use crate::text::lexicon::Exact;
use crate::text::outcome::{Outcome, Weight};
use crate::text::quantity::{Form, Quantity};

/// Pairs that are tried for a claim, at most.
const MOST_PAIRS: usize = 256;

/// A percentage that no passage says, and that two quantities which a passage says give, is worked out rather than invented: open,
/// since nobody said that it is of these two.
pub(super) fn allow(facts: &mut [Fact], quantities: &[Quantity]) {
    let known: Vec<(&Quantity, Exact)> = facts
        .iter()
        .zip(quantities)
        .filter(|(fact, quantity)| matches!(fact.outcome, Outcome::Matched(_)) && quantity.dimension() != Some("percent"))
        .flat_map(|(_, quantity)| ends(quantity))
        .collect();
    let pairs = || known.iter().flat_map(|a| known.iter().map(move |b| (*a, *b))).take(MOST_PAIRS);
    for (fact, quantity) in facts.iter_mut().zip(quantities) {
        let is_open = fact.outcome == Outcome::Absent && quantity.form == Form::Single;
        if is_open && quantity.dimension() == Some("percent") && pairs().any(|(a, b)| gives(a, b, quantity)) {
            fact.weight = Weight::Triage;
        }
    }
}

/// The values of a quantity: one, or the two ends of a range ("from $3m to $4.5m").
fn ends(quantity: &Quantity) -> impl Iterator<Item = (&Quantity, Exact)> {
    let upper = quantity.upper.filter(|_| quantity.form == Form::Range);
    let numbers = matches!(quantity.form, Form::Single | Form::Range).then_some(quantity.number).into_iter().chain(upper);
    numbers.filter_map(move |number| Some((quantity, quantity.base(number)?)))
}

/// Whether the percentage is the first as a part of the second, or the change from the first to the second, as exactly as it is written.
fn gives((a, of): (&Quantity, Exact), (b, to): (&Quantity, Exact), percent: &Quantity) -> bool {
    let zero = Exact::from_integer(0);
    if of == to || of <= zero || to <= zero || a.dimension() != b.dimension() {
        return false;
    }
    let worked_out = || {
        let wanted = percent.base(percent.number)?;
        let most = percent.half_step()?;
        let share = of.checked_div(&to)?;
        let change = to.checked_sub(&of)?.checked_div(&of)?.abs();
        let near = |value: Exact| {
            let off = value.checked_mul(&Exact::from_integer(100))?.checked_sub(&wanted)?;
            Some(off.abs() <= most)
        };
        Some(near(share)? || near(change)?)
    };
    worked_out().unwrap_or(false)
}
