//! How one quantity stands to another: the same, another, or of another kind.

use std::sync::Arc;

use num_traits::{CheckedMul, CheckedSub, Signed};

use super::compare::Comparison;
use super::{Form, Number, Quantity};
use crate::text::lexicon::{Exact, Qualifier, Unit};

/// How a quantity of the passage stands to one of the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
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

pub(super) fn fit(wanted: &Quantity, have: &Quantity, allowed: &Comparison) -> Fit {
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
pub(super) fn bounds(claim: Option<Qualifier>, evidence: Option<Qualifier>) -> Fit {
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
