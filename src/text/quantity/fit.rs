//! How one quantity stands to another: the same, another, or of another kind.

use std::sync::Arc;

use num_traits::{CheckedMul, CheckedSub, Signed};

use super::compare::Comparison;
use super::{Change, Form, Number, Quantity};
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
    if let Some(share) = share(wanted, have, allowed) {
        return share;
    }
    let (a, b) = (counted_alike(wanted, have), counted_alike(have, wanted));
    let (wanted, have) = (a.as_ref().unwrap_or(wanted), b.as_ref().unwrap_or(have));
    let kind = kinship(wanted, have);
    if kind == Kinship::None {
        return Fit::Unlike;
    }
    // "37.5 degrees" on "37.5 °C": the looser unit has a value only with the other's.
    if kind == Kinship::Doubtful && wanted.dimension() != have.dimension() {
        let same =
            wanted.number.value == have.number.value && wanted.upper.map(|n| n.value) == have.upper.map(|n| n.value);
        return if same { Fit::Open } else { Fit::Unlike };
    }
    let pairs = |form: Form| matches!(form, Form::Range | Form::Score | Form::Share);
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
        (Kinship::Doubtful, Fit::Same | Fit::Opposite) => Fit::Open,
        (Kinship::Loose, Fit::Other) if !counts_the_same(wanted, have) => Fit::Unlike,
        (_, Fit::Same) if is_doubtful(wanted, have) => Fit::Open,
        (_, value) => value,
    }
}

/// The quantity with the rate that a word nearby gives it, where the other one says that rate: "the monthly fee is $10", "$10 per month".
fn counted_alike(quantity: &Quantity, other: &Quantity) -> Option<Quantity> {
    let nearby = quantity.per_nearby.as_ref().filter(|_| quantity.per.is_none())?;
    let same = other.per.as_ref().is_some_and(|per| per.dimension == nearby.dimension);
    same.then(|| Quantity { per: Some(Arc::clone(nearby)), ..quantity.clone() })
}

/// Whether two equal values may still say different things.
fn is_doubtful(wanted: &Quantity, have: &Quantity) -> bool {
    // "rose by 5 %" on "rose to 5 %".
    let moved = matches!((wanted.change, have.change), (Some(a), Some(b)) if a != b);
    // "30 days" on "30 or 90 days".
    let chosen = have.alternative && !wanted.alternative;
    let differs = |a: &Option<Arc<Unit>>, b: &Option<Arc<Unit>>| matches!((a, b), (Some(a), Some(b)) if a.id != b.id);
    // "$120 per year" on "$10 per month" is worked out, and so is "monthly" on "annual".
    let money = wanted.dimension() == Some("currency") && differs(&wanted.per, &have.per);
    let often = wanted.per.is_none() && have.per.is_none() && differs(&wanted.per_nearby, &have.per_nearby);
    // One basis point is 0.01 % of a level, 0.01 points of a change.
    let is_change = wanted.change.is_some() || have.change.is_some();
    let points = is_change && wanted.dimension() != have.dimension() && wanted.unit.is_some() && have.unit.is_some();
    moved || chosen || money || often || points
}

/// A part of a whole on another, on a percentage or on one of its two numbers; `None` where neither is a part of a whole.
fn share(wanted: &Quantity, have: &Quantity, allowed: &Comparison) -> Option<Fit> {
    if wanted.form != Form::Share && have.form != Form::Share {
        return None;
    }
    let plain =
        |quantity: &Quantity| quantity.form == Form::Single && quantity.unit.is_none() && quantity.per.is_none();
    let numbers = |quantity: &Quantity| [Some(quantity.number.value), quantity.upper.map(|number| number.value)];
    for (share, other) in [(wanted, have), (have, wanted)] {
        if share.form == Form::Share && plain(other) && numbers(share).contains(&Some(other.number.value)) {
            return Some(if share.in_words && share.number.value == Exact::from_integer(1) {
                Fit::Open
            } else {
                Fit::Same
            });
        }
    }
    let (Some(claim), Some(evidence)) = (proportion(wanted), proportion(have)) else { return Some(Fit::Unlike) };
    if claim == evidence {
        // Half of the users is not half of the teams.
        let known = |quantity: &Quantity| quantity.counted != [None; 2];
        let of_other = known(wanted) && known(have) && !counted_in_both(wanted, have);
        let doubtful = of_other || matches!((wanted.change, have.change), (Some(a), Some(b)) if a != b);
        return Some(if doubtful { Fit::Open } else { bounds(wanted.qualifier, have.qualifier) });
    }
    let off = claim.checked_sub(&evidence).map(|off| off.abs())?;
    let within = |most: Option<Exact>| most.is_some_and(|most| off <= most);
    // 33 % for a third; "about half" for 48 %.
    let step = if wanted.form == Form::Share { have } else { wanted };
    let rounded = within(step.number.step.checked_mul(&Exact::new(1, 200))) && step.form != Form::Share;
    let hedged = wanted.hedged && within(evidence.checked_mul(&allowed.hedge_tolerance));
    Some(match (hedged || rounded && allowed.rounding, rounded) {
        (true, _) => bounds(wanted.qualifier, have.qualifier),
        (false, true) => Fit::Open,
        _ if wanted.form == have.form && counts_the_same(wanted, have) => Fit::Other,
        _ => Fit::Unlike,
    })
}

/// A share, a percentage or a fraction as a part of one.
fn proportion(quantity: &Quantity) -> Option<Exact> {
    let value = quantity.number.value;
    let one = Exact::from_integer(1);
    match (quantity.form, quantity.dimension()) {
        (Form::Share, _) => quantity.upper.filter(|whole| *whole.value.numer() != 0)?.value.recip().checked_mul(&value),
        (Form::Single, Some("percent")) => quantity.base(quantity.number)?.checked_mul(&Exact::new(1, 100)),
        (Form::Single, None) if value < one && *value.numer() > 0 => Some(value),
        _ => None,
    }
}

fn single(wanted: &Quantity, have: &Quantity, allowed: &Comparison) -> Fit {
    if same_value(wanted, wanted.number, have, have.number, allowed) {
        return bounds(wanted.qualifier, have.qualifier);
    }
    // Another reading has to agree exactly: 1,300 is no rounded 1.234.
    let other = |a: Option<Number>, b: Option<Number>| {
        a.zip(b).is_some_and(|(a, b)| wanted.base(a).is_some_and(|value| have.base(b) == Some(value)))
    };
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
    let open = readings || is_converted(wanted, have) || (is_value && implied && counts_the_same(wanted, have));
    if open { Fit::Open } else { Fit::Other }
}

/// Whether the claim says the evidence's value in a unit of another system, as exactly as it is written: "8 km" on "5 miles". Such
/// units have no round ratio, so that nobody writes the exact value; hours and minutes, kB and KiB have to agree exactly.
fn is_converted(wanted: &Quantity, have: &Quantity) -> bool {
    let (Some(a), Some(b)) = (&wanted.unit, &have.unit) else { return false };
    let physical = matches!(a.dimension.as_ref(), "length" | "area" | "volume" | "mass" | "speed" | "temperature");
    let ratio = a.factor.zip(b.factor).and_then(|(a, b)| a.checked_mul(&b.recip()));
    let is_round = ratio.is_some_and(|ratio| ratio.is_integer() || ratio.recip().is_integer()) && a.offset == b.offset;
    if !physical || a.id == b.id || a.dimension != b.dimension || is_round {
        return false;
    }
    let off = wanted.base(wanted.number).zip(have.base(have.number)).and_then(|(a, b)| a.checked_sub(&b));
    off.zip(wanted.half_step()).is_some_and(|(off, most)| off.abs() <= most)
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
        // "over 200" on "up to 200": said loosely as often as wrongly.
        (Some(MoreThan), Some(AtMost)) => Fit::Open,
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
        // "rose to 5 %" on "rose from 3 % to 5 %"
        None if upper && wanted.change == Some(Change::To) && have.change == Some(Change::To) => return Fit::Same,
        _ if lower || upper => return Fit::Open,
        _ => {}
    }
    let inside = wanted
        .base(wanted.number)
        .zip(have.base(have.number))
        .zip(have.upper.and_then(|n| have.base(n)))
        .is_some_and(|((v, low), high)| low < v && v < high);
    match inside {
        // "about 5" may sum "3 to 7" up. An exact 5 is finer than what the passage says: it is not there, and nothing speaks against it.
        true if wanted.hedged || wanted.qualifier.is_some() => Fit::Open,
        true => Fit::Unlike,
        false => Fit::Other,
    }
}

fn same_upper(wanted: &Quantity, have: &Quantity, allowed: &Comparison) -> bool {
    wanted.upper.zip(have.upper).is_some_and(|(a, b)| same_value(wanted, a, have, b, allowed))
}

/// Whether the claim's value is the passage's, correctly rounded.
pub(super) fn is_rounded(wanted: &Quantity, have: &Quantity, allowed: &Comparison) -> bool {
    kinship(wanted, have) == Kinship::Close && same_value(wanted, wanted.number, have, have.number, allowed)
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
    // 1,200 for 1,234: the zeros at the end may be rounded, as long as two digits say something.
    let zeros = || {
        let step = round_step(wanted.number)?;
        wanted.base_step(Number { step, ..wanted.number })?.checked_mul(&Exact::new(1, 2))
    };
    allowed.rounding && ((coarser && within(half)) || within(zeros()))
}

/// The place of the last digit that is not zero, or of the second digit where that is lower: 100 in 1,200 and in 1,000.
fn round_step(number: Number) -> Option<Exact> {
    let value = number.value.is_integer().then(|| number.value.to_integer().abs()).filter(|value| *value >= 100)?;
    let (second, mut step) = (10_i128.checked_pow(value.checked_ilog10()?.checked_sub(1)?)?, 1);
    while step < second && value % (step * 10) == 0 {
        step *= 10;
    }
    (Exact::from_integer(step) > number.step).then(|| Exact::from_integer(step))
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
    /// One of them could mean the other (dollars and Canadian dollars): equal values may mean the same.
    Doubtful,
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
            if per && (a.may_be.contains(&b.id) || b.may_be.contains(&a.id)) {
                return Kinship::Doubtful;
            }
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
    counted_in_both(wanted, have)
}

fn counted_in_both(wanted: &Quantity, have: &Quantity) -> bool {
    wanted.counted.iter().flatten().any(|stem| have.counted.contains(&Some(*stem)))
}
