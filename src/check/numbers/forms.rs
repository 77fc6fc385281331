//! The same value in another form: under a scale that a table declares, rounded, without its rate, as a telephone number, in brackets for less than
//! nothing. What is certainly the same is found; what only may be is open.

use num_traits::{CheckedSub, Signed};

use crate::check::Passage;
use crate::check::facts::Fact;
use crate::text::Span;
use crate::text::identifier::{Identifier, IdentifierKind};
use crate::text::lexicon::{Exact, Qualifier};
use crate::text::outcome::Outcome;
use crate::text::quantity::{self, Change, Comparison, Form, Number, Quantity};

/// A quantity of the claim with the text that it stands in.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'c> {
    pub(super) text: &'c str,
    pub(super) quantity: &'c Quantity,
}

/// Looks a fact that was not found up in its other forms.
pub(super) fn reconsider(fact: &mut Fact, wanted: Wanted<'_>, passages: &[Passage<'_>]) {
    if fact.is_found() {
        return;
    }
    let quantity = wanted.quantity;
    let is_plain = quantity.form == Form::Single && quantity.unit.is_none() && quantity.per.is_none();
    for (at, passage) in passages.iter().enumerate() {
        let found = None
            .or_else(|| if is_plain { version(wanted, passage).or_else(|| telephone(wanted, passage)) } else { None })
            .or_else(|| scaled(wanted, passage));
        if let Some(found) = found {
            (fact.outcome, fact.passage) = (Outcome::Matched(found), at);
            return;
        }
    }
    // What is open already stays so.
    if matches!(fact.outcome, Outcome::Ambiguous(_)) {
        return;
    }
    for (at, passage) in passages.iter().enumerate() {
        let open = like(wanted, passage).or_else(|| on_the_clock(wanted, passage));
        if let Some(open) = open.or_else(|| same_digits(wanted, passage)) {
            (fact.outcome, fact.passage) = (Outcome::Ambiguous(open), at);
            return;
        }
    }
}

/// A bare number that the passage has as a version: "Python 3.11 works" begins like "Revenue 3.11 …".
fn version(wanted: Wanted<'_>, passage: &Passage<'_>) -> Option<Span> {
    let written = wanted.quantity.span.of(wanted.text);
    let same = |have: &&Identifier| have.kind == IdentifierKind::Version && *have.canonical == *written;
    passage.analysis.identifiers(passage.text).iter().find(same).map(|have| have.span)
}

/// "030 1234567" on "(030) 123 45 67": the digits of a long number, whatever groups them.
fn telephone(wanted: Wanted<'_>, passage: &Passage<'_>) -> Option<Span> {
    const LEAST: usize = 6;
    let (own, _) = grouped(wanted.text).into_iter().find(|(_, span)| span.contains(wanted.quantity.span))?;
    if own.len() < LEAST {
        return None;
    }
    grouped(passage.text).into_iter().find(|(digits, _)| *digits == own).map(|(_, span)| span)
}

/// The runs of digits of a text that only signs of telephone numbers part, with their digits.
fn grouped(text: &str) -> Vec<(String, Span)> {
    let mut runs: Vec<(String, Span)> = Vec::new();
    let mut open = false;
    for (at, c) in text.char_indices() {
        match c {
            '0'..='9' => {
                if !open {
                    runs.push((String::new(), Span::new(at, at)));
                }
                if let Some((digits, span)) = runs.last_mut() {
                    digits.push(c);
                    span.end = at + 1;
                }
                open = true;
            }
            ' ' | '-' | '/' | '(' | ')' | '\u{a0}' | '\u{2011}' | '\u{2013}' => {}
            _ => open = false,
        }
    }
    runs
}

/// "$5,678 million" on a table of 5,678 that counts in millions.
fn scaled(wanted: Wanted<'_>, passage: &Passage<'_>) -> Option<Span> {
    let quantity = wanted.quantity;
    if !quantity.scaled {
        return None;
    }
    let (_, power) = passage.analysis.declared_scale(passage.text)?;
    let is_it = |have: &&Quantity| {
        let fits = have.unit.is_none() || have.dimension() == quantity.dimension();
        fits && !have.scaled && have.scaled_by(power) == quantity.base(quantity.number)
    };
    passage.analysis.quantities(passage.text).iter().find(is_it).map(|have| have.span)
}

/// "100.1 million barrels per day" on "100.1 mmbbld": four digits or more that the passage has too, with a unit that nobody here knows. They are no
/// other value.
fn same_digits(wanted: Wanted<'_>, passage: &Passage<'_>) -> Option<Span> {
    const LEAST: usize = 4;
    let written = wanted.quantity.span.of(wanted.text);
    let start = written.find(|c: char| c.is_ascii_digit())?;
    let rest = written.get(start..)?;
    let length = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ','))).unwrap_or(rest.len());
    let digits = rest.get(..length)?.trim_end_matches(['.', ',']);
    if digits.bytes().filter(u8::is_ascii_digit).count() < LEAST {
        return None;
    }
    let goes_on = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    // What is read with a unit is another value, or was found to be the same.
    let measured = |span: &Span| {
        let all = passage.analysis.quantities(passage.text);
        let at = all.partition_point(|quantity| quantity.span.end <= span.start);
        all.get(at).is_some_and(|have| have.span.overlaps(*span) && (have.unit.is_some() || have.per.is_some()))
    };
    // "100.1 million barrels per day (mb/d)": what the unit is short for.
    let short = wanted.text.get(wanted.quantity.span.end..).unwrap_or_default().trim_start().strip_prefix('(');
    let short = short.and_then(|short| short.split_once(')')).map(|(short, _)| short).filter(|short| is_short(short));
    passage.text.match_indices(digits).map(|(at, _)| Span::new(at, at + digits.len())).find(|span| {
        let before = passage.text.get(..span.start).unwrap_or_default().trim_end_matches(['.', ',']);
        let behind = passage.text.get(span.end..).unwrap_or_default();
        let decimals = behind.strip_prefix(['.', ',']).unwrap_or(behind);
        let is_short_for = || short.is_some_and(|short| behind.trim_start().starts_with(short));
        !goes_on(before.chars().next_back()) && !goes_on(decimals.chars().next()) && (!measured(span) || is_short_for())
    })
}

/// Whether a text could be the short form of a unit: "mb/d".
fn is_short(text: &str) -> bool {
    const LONGEST: usize = 8;
    (1..=LONGEST).contains(&text.len()) && text.chars().all(|c| c.is_alphabetic() || matches!(c, '/' | '.' | '·'))
}

/// A quantity of the passage that may say the same: the claim is it correctly rounded, one of them has no rate, they differ by whether the bound itself
/// belongs to it, or one is less than nothing in brackets.
fn like(wanted: Wanted<'_>, passage: &Passage<'_>) -> Option<Span> {
    // A value off by more than one in two hundred was not rounded for readability.
    const NEAR: i128 = 200;
    let rounding = Comparison { rounding: true, ..Comparison::default() };
    let quantity = wanted.quantity;
    let all = passage.analysis.quantities(passage.text);
    let own = quantity.base(quantity.number);
    let is_it = |have: &&Quantity| {
        if as_percent(quantity, have) {
            return true;
        }
        // "5 degrees below zero" on "−5 °C".
        let degrees = |quantity: &Quantity| matches!(quantity.dimension(), Some("angle" | "temperature"));
        if degrees(quantity) && degrees(have) && have.number.value == -quantity.number.value {
            return quantity.dimension() != have.dimension();
        }
        if moved_by(quantity, have) {
            return true;
        }
        if have.form != Form::Single || quantity.form != Form::Single || have.dimension() != quantity.dimension() {
            return false;
        }
        let rate_left_out = quantity.per.is_some() != have.per.is_some()
            && have.number.value == quantity.number.value
            && have.unit.as_ref().map(|unit| &unit.id) == quantity.unit.as_ref().map(|unit| &unit.id);
        let negative = || {
            let moves = quantity.change.is_some() || have.change.is_some() || quantity.qualifier == Some(Qualifier::LessThan);
            let in_brackets = moves || have.span.of(passage.text).contains('(') || quantity.span.of(wanted.text).contains('(');
            in_brackets && have.base(have.number).is_some_and(|value| Some(-value) == own)
        };
        let near_bound = || have.base(have.number) == own && bounds_near(quantity.qualifier, have.qualifier);
        let rounded = || {
            let near = own.zip(have.base(have.number)).is_some_and(|(own, have)| {
                (own - have).abs() * Exact::from_integer(NEAR) <= have.abs()
            });
            near && quantity.number.digits >= 2
                && quantity.unit.is_some()
                && quantity.qualifier == have.qualifier
                && quantity::is_rounded(quantity, have, &rounding)
        };
        rate_left_out || negative() || near_bound() || rounded()
    };
    all.iter().find(is_it).map(|have| have.span)
}

/// "9 to 18 hours" and "15.30" on "9:00 to 18:00" and "15:30": numbers that may be times of day.
fn on_the_clock(wanted: Wanted<'_>, passage: &Passage<'_>) -> Option<Span> {
    let quantity = wanted.quantity;
    let is_hours = quantity.unit.as_ref().is_some_and(|unit| unit.id.as_ref() == "hour");
    let is_bare = quantity.unit.is_none() && quantity.number.step == Exact::new(1, 100);
    if !(is_hours || is_bare) || quantity.per.is_some() {
        return None;
    }
    let day = Exact::from_integer(0)..=Exact::from_integer(24);
    let minutes = |number: Number| {
        let value = day.contains(&number.value).then_some(number.value)?;
        let (hour, parts) = (Exact::from_integer(60), Exact::from_integer(100));
        let minutes = if is_bare { value.trunc() * hour + value.fract() * parts } else { value * hour };
        u16::try_from(minutes.to_integer()).ok().filter(|_| minutes.is_integer())
    };
    let dates = passage.analysis.dates(passage.text);
    let find = |number: Number| {
        let minutes = minutes(number)?;
        dates.iter().find(|date| date.time.is_some_and(|time| time.minute == minutes)).map(|date| date.span)
    };
    let is_there = quantity.upper.is_none_or(|upper| find(upper).is_some());
    find(quantity.number).filter(|_| is_there)
}

/// "rose by 3 euros" on "rose from 10 to 13 euros".
fn moved_by(quantity: &Quantity, have: &Quantity) -> bool {
    let apart = || {
        let (from, to) = (have.base(have.number)?, have.base(have.upper?)?);
        Some(to.checked_sub(&from)?.abs() == quantity.base(quantity.number)?.abs())
    };
    quantity.form == Form::Single
        && quantity.change == Some(Change::By)
        && have.form == Form::Range
        && quantity.dimension() == have.dimension()
        && apart() == Some(true)
}

/// "19.52 %" on "0.19524", and the other way round: the same share, correctly rounded.
fn as_percent(quantity: &Quantity, have: &Quantity) -> bool {
    let hundred = Exact::from_integer(100);
    let is_part = |quantity: &Quantity| quantity.unit.is_none() && quantity.number.value.abs() < Exact::from_integer(1);
    let (share, step) = match (quantity.dimension(), have.dimension()) {
        (Some("percent"), None) if is_part(have) => (have.number.value * hundred, quantity.number.step),
        (None, Some("percent")) if is_part(quantity) => (have.number.value / hundred, quantity.number.step),
        _ => return false,
    };
    (share - quantity.number.value).abs() * Exact::from_integer(2) <= step
}

/// "Below 25 °C" and "at most 25 °C" differ in 25 °C alone.
fn bounds_near(one: Option<Qualifier>, other: Option<Qualifier>) -> bool {
    let side = |qualifier: Option<Qualifier>| match qualifier {
        Some(Qualifier::AtMost | Qualifier::LessThan) => -1,
        Some(Qualifier::AtLeast | Qualifier::MoreThan) => 1,
        _ => 0,
    };
    side(one) != 0 && side(one) == side(other)
}
