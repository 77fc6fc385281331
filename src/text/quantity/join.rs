//! Quantities beside each other: lists with one unit, sums such as "1 hour 30 minutes", alternatives, and one value in two units.

use num_traits::{CheckedAdd, CheckedMul, CheckedSub, Signed};

use super::{Form, Number, Quantity};
use crate::text::cursor::Cursor;
use crate::text::lexicon::Exact;

/// Relates the quantities of a text, in order, to their neighbours.
pub(super) fn relate(cursor: &Cursor<'_>, found: &mut Vec<Quantity>) {
    // From the right, so that a unit reaches the first of three.
    for right in (1..found.len()).rev() {
        if let Some(([.., last], [next, ..])) = found.split_at_mut_checked(right) {
            share_unit(cursor, last, next);
            alternatives(cursor, last, next);
            next.restates = is_restated(cursor, last, next);
        }
    }
    add_up(cursor, found);
}

fn gap<'t>(cursor: &Cursor<'t>, last: &Quantity, next: &Quantity) -> &'t str {
    cursor.text.get(last.span.end..next.span.start).unwrap_or_default()
}

/// "10, 20 and 30 percent": the unit at the end governs what stands before it.
fn share_unit(cursor: &Cursor<'_>, last: &mut Quantity, next: &Quantity) {
    let gap = gap(cursor, last, next).trim();
    let joins = gap == ","
        || (gap.len() <= 4 && !gap.is_empty() && cursor.lexicon.is_stop_word(gap.trim_start_matches(',').trim()));
    if joins && last.unit.is_none() && last.form == Form::Single && next.form == Form::Single && last.per.is_none() {
        last.unit.clone_from(&next.unit);
        last.per.clone_from(&next.per);
    }
}

/// "30 or 90 days", "30, 60 or 90 days".
fn alternatives(cursor: &Cursor<'_>, last: &mut Quantity, next: &mut Quantity) {
    if last.form != Form::Single || next.form != Form::Single || last.number.value == next.number.value {
        return;
    }
    let same = match (&last.unit, &next.unit) {
        (Some(a), Some(b)) => a.dimension == b.dimension && last.base(last.number) != next.base(next.number),
        (None, None) => true,
        _ => false,
    };
    let gap = gap(cursor, last, next).trim();
    let word = gap.trim_start_matches(',').trim_start();
    let or = word.len() <= 9 && cursor.lexicon.cues.or_words.contains(word);
    if same && (or || gap == "," && next.alternative) {
        (last.alternative, next.alternative) = (true, true);
    }
}

/// "5 miles (8 km)": the same again in another unit, as exactly as both are written.
fn is_restated(cursor: &Cursor<'_>, last: &Quantity, next: &Quantity) -> bool {
    let opens = gap(cursor, last, next).trim_start();
    let (Some(a), Some(b)) = (&last.unit, &next.unit) else { return false };
    if !matches!(opens, "(" | "[" | "(about " | "(approximately " | "/ " | "/")
        || a.dimension != b.dimension
        || a.id == b.id
    {
        return false;
    }
    let close = |first: Number, second: Number| {
        let off = last.base(first)?.checked_sub(&next.base(second)?)?.abs();
        Some(off <= next.half_step()?)
    };
    let upper = match (last.upper, next.upper) {
        (Some(first), Some(second)) => close(first, second),
        (None, None) => Some(true),
        _ => None,
    };
    last.form == next.form && a.factor.is_some() && close(last.number, next.number) == Some(true) && upper == Some(true)
}

/// "1 hour 30 minutes", "5 ft 10 in", "two years and six months": one quantity, in the first unit.
fn add_up(cursor: &Cursor<'_>, found: &mut Vec<Quantity>) {
    let mut all = Vec::with_capacity(found.len());
    for next in found.drain(..) {
        match all.last_mut().and_then(|last: &mut Quantity| Some((sum(cursor, last, &next)?, last))) {
            Some((joined, last)) => *last = joined,
            None => all.push(next),
        }
    }
    *found = all;
}

fn sum(cursor: &Cursor<'_>, last: &Quantity, next: &Quantity) -> Option<Quantity> {
    let (a, b) = (last.unit.as_ref()?, next.unit.as_ref()?);
    // "1h 30m"
    let minutes = a.id.as_ref() == "hour"
        && cursor.text.get(next.span.range()).is_some_and(|text| text.ends_with('m'))
        && b.id.as_ref() == "metre";
    let factor = if minutes { Exact::from_integer(60) } else { b.factor? };
    let single = |quantity: &Quantity| quantity.form == Form::Single && quantity.other_reading.is_none();
    let between = gap(cursor, last, next).trim();
    let is_time = matches!(a.dimension.as_ref(), "time" | "calendar");
    let and = is_time && cursor.lexicon.numbers.joiners.contains(between.trim_start_matches(',').trim_start());
    let fits = (a.dimension == b.dimension || minutes)
        && (is_time || matches!(a.dimension.as_ref(), "length" | "mass" | "angle"))
        && (between.is_empty() || and || (is_time && between == ","))
        && single(last)
        && single(next)
        && last.per.is_none()
        && next.qualifier.is_none()
        && !next.hedged
        && !next.restates
        && last.number.value.is_integer()
        && last.number.value.is_positive();
    let ratio = a.factor?.checked_mul(&factor.recip())?;
    // The second must fill up the first: 90 minutes are no rest of an hour.
    if !fits || ratio <= Exact::from_integer(1) || next.number.value >= ratio || !next.number.value.is_positive() {
        return None;
    }
    let part = |value: Exact| value.checked_mul(&ratio.recip());
    let whole = Number {
        value: last.number.value.checked_add(&part(next.number.value)?)?,
        step: part(next.number.step)?,
        digits: last.number.digits + next.number.digits,
    };
    Some(Quantity {
        span: last.span.join(next.span),
        number: whole,
        // "breaks of 1 hour and 30 minutes" may be two of them.
        other_reading: and.then_some(last.number),
        per: next.per.clone(),
        qualifier: last.qualifier,
        bound: last.bound,
        weak: false,
        ..last.clone()
    })
}
