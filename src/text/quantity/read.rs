//! Reading quantities: a number, and what stands around it.

use std::sync::Arc;

use super::number::{self, Number, Written};
use super::{Form, Quantity};
use crate::text::cursor::Cursor;
use crate::text::lexicon::{Exact, Qualifier, Unit, role};
use crate::text::normal::is_dash;
use crate::text::word::{TokenKind, content_hash};

/// Reads the quantities at the cursor's tokens that nothing else has taken.
pub(crate) fn read(cursor: &mut Cursor<'_>) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while at < cursor.len() {
        if cursor.is_taken(at) || cursor.is(at, TokenKind::Space) {
            at += 1;
            continue;
        }
        match one(cursor, at).filter(|(_, from, to)| !(*from..*to).any(|i| cursor.is_taken(i))) {
            Some((quantity, from, to)) => {
                cursor.take(from, to);
                found.push(quantity);
                at = to.max(at + 1);
            }
            None => at += 1,
        }
    }
    // From the right, so that a unit reaches the first of three.
    for right in (1..found.len()).rev() {
        if let Some(([.., last], [next, ..])) = found.split_at_mut_checked(right) {
            share_unit(cursor, last, next);
        }
    }
    found
}

/// One quantity whose number begins at token `at`; with the tokens it covers.
fn one(cursor: &Cursor<'_>, at: usize) -> Option<(Quantity, usize, usize)> {
    let written = number::read(cursor, at)?;
    if written.words && in_a_title(cursor, at) {
        return None;
    }
    let currency = currency_before(cursor, at);
    let mut from = currency.as_ref().map_or(at, |(_, from)| *from);
    let written = money_scale(cursor, written, currency.is_some());
    let mut end = written.next;
    let mut unit = currency.map(|(unit, _)| unit);
    if unit.is_none()
        && !written.ordinal
        && let Some((found, next)) = unit_behind(cursor, written.next)
    {
        (unit, end) = (Some(found), next);
    }
    let mut quantity = Quantity {
        span: Default::default(),
        number: written.number,
        other_reading: written.other,
        upper: None,
        form: if written.ordinal { Form::Ordinal } else { Form::Single },
        unit,
        per: None,
        counted: [None; 2],
        qualifier: None,
        hedged: false,
        in_words: written.words,
        scaled: written.scaled,
    };
    if quantity.form == Form::Single
        && let Some(next) = second_value(cursor, at, end, &mut quantity)
    {
        end = next;
    }
    from = sign_before(cursor, from, &mut quantity);
    // "200 ± 10": the second number says how far off the first may be.
    quantity.hedged = cursor.before(from).is_some_and(|i| cursor.is_mark(i, &['±']));
    if let Some((per, next)) = per_behind(cursor, end, quantity.unit.is_none()) {
        quantity.per = Some(per);
        quantity.counted = counted(cursor, end);
        end = next;
    } else if quantity.unit.is_none() {
        quantity.counted = counted(cursor, end);
    }
    bounds(cursor, from, end, &mut quantity);
    if cursor.is_mark(end, &['+']) && cursor.joined(end) && !cursor.joined(end + 1) {
        quantity.qualifier.get_or_insert(Qualifier::AtLeast);
        end += 1;
    }
    quantity.span = cursor.stretch(from, end);
    Some((quantity, from, end))
}

/// A number word with a capital in the middle of a sentence is part of a title: "The Five Keys". All nouns with capitals say nothing.
fn in_a_title(cursor: &Cursor<'_>, at: usize) -> bool {
    let begins =
        cursor.before(at).is_none_or(|i| cursor.is_mark(i, &['.', '!', '?', ':', '"', '“', '*', '-', '•', '(']));
    cursor.is_capitalised(at) && !begins && !cursor.lexicon.nouns_capitalised
}

/// A currency sign or code right before the number, and its first token.
fn currency_before(cursor: &Cursor<'_>, at: usize) -> Option<(Arc<Unit>, usize)> {
    let sign = at.checked_sub(1).map(|i| if cursor.is_mark(i, &['-', '−']) && cursor.joined(at) { i } else { at })?;
    let found = cursor
        .lexicon
        .units
        .symbols
        .ending_at(cursor.text, cursor.tokens, sign)
        .filter(|found| found.meaning.before)?;
    let from = (0..sign).rev().take(4).find(|i| cursor.span(*i).start == found.span.start)?;
    // "the ABC$5": a sign joined to a longer word is none.
    (!cursor.joined(from) || !cursor.is(from - 1, TokenKind::Word)).then_some((found.meaning, from))
}

/// `$5m`, `€3 B`: signs that mean millions and billions only behind money.
fn money_scale(cursor: &Cursor<'_>, written: Written, money: bool) -> Written {
    let power = match cursor.raw(written.next) {
        "m" | "M" => 6,
        "b" | "B" => 9,
        "t" => 12,
        _ => return written,
    };
    if !money || written.scaled || !cursor.joined(written.next) {
        return written;
    }
    match written.number.scaled(power) {
        Some(number) => Written { number, other: None, next: written.next + 1, scaled: true, ..written },
        None => written,
    }
}

/// The unit behind a number: `5km`, `5 km`, `30-day`, "30 calendar days".
fn unit_behind(cursor: &Cursor<'_>, at: usize) -> Option<(Arc<Unit>, usize)> {
    let hyphen = cursor.is_mark(at, &['-', '‐', '‑']) && cursor.joined(at) && cursor.joined(at + 1);
    let spaced = if hyphen { at + 1 } else { cursor.past_space(at) };
    let joined = spaced == at;
    let units = &cursor.lexicon.units;
    let symbol = units.symbols.starting_at(cursor.text, cursor.tokens, spaced).filter(|found| {
        let written = found.span.of(cursor.text);
        let ends = !(cursor.joined(found.next)
            && matches!(cursor.kind(found.next), Some(TokenKind::Word | TokenKind::Digits)));
        // "5 in the box", "type 5 A", "the 5 x": letters that are words too must be joined to the number.
        ends && (joined || !matches!(written, "in" | "A" | "a" | "d" | "x" | "T" | "J" | "Fr" | "Ft" | "UN"))
    });
    let name = units.names.starting_at(cursor.text, cursor.tokens, spaced);
    let found = match (name, symbol) {
        (Some(name), Some(symbol)) if symbol.span.end > name.span.end => Some(symbol),
        (Some(name), _) => Some(name),
        (None, symbol) => symbol,
    };
    if let Some(found) = found {
        return Some((found.meaning, found.next));
    }
    // One word between: "30 calendar days", "two full weeks".
    let described = cursor.is(spaced, TokenKind::Word)
        && !cursor.is_capitalised(spaced)
        && !cursor.lexicon.is_stop_word(&cursor.word(spaced));
    let next = cursor.past_space(spaced + 1);
    if described && !joined && next > spaced + 1 && cursor.is(next, TokenKind::Word) {
        // "100 k dollars", "100 zillion dollars": what stands before money may multiply it.
        let found = units.names.starting_at(cursor.text, cursor.tokens, next);
        return found
            .filter(|found| found.meaning.dimension.as_ref() != "currency" && !cursor.may_begin(spaced, role::NUMBER))
            .map(|found| (found.meaning, found.next));
    }
    None
}

/// The second value of a range or a score; gives the token behind it.
fn second_value(cursor: &Cursor<'_>, at: usize, end: usize, quantity: &mut Quantity) -> Option<usize> {
    let spaced = cursor.past_space(end);
    let cues = &cursor.lexicon.cues;
    let before = cursor.before(at).map(|i| cursor.word(i)).unwrap_or_default();
    let dash = cursor.raw(spaced).chars().next().is_some_and(|c| is_dash(c) || matches!(c, '〜' | '～'))
        && cursor.is(spaced, TokenKind::Mark);
    let tight = dash && spaced == end && cursor.joined(spaced) && cursor.joined(spaced + 1);
    let loose = dash && spaced > end && cursor.is(spaced + 1, TokenKind::Space);
    let joiner = cursor.word(spaced);
    let pair = cues.range_pairs.iter().any(|(first, second)| before == first.as_ref() && joiner == second.as_ref());
    let worded = cues.range_joiners.contains(joiner.as_ref());
    if !(tight || loose || pair || worded) {
        return None;
    }
    let second_at = if tight { spaced + 1 } else { cursor.past_space(spaced + 1) };
    let currency =
        cursor.lexicon.units.symbols.starting_at(cursor.text, cursor.tokens, second_at).filter(|f| f.meaning.before);
    let second_at = currency.as_ref().map_or(second_at, |f| cursor.past_space(f.next));
    if cursor.is_taken(second_at) || (cursor.is(second_at, TokenKind::Word) && !worded && !pair) {
        return None;
    }
    let second = number::read(cursor, second_at).filter(|w| !w.ordinal)?;
    let second = money_scale(cursor, second, currency.is_some() || quantity.dimension() == Some("currency"));
    let unit = unit_behind(cursor, second.next);
    let bare = quantity.unit.is_none() && unit.is_none() && !quantity.scaled && !second.scaled;
    if loose && !bare {
        return None;
    }
    // "3.5% to 12%": the same unit again, and more of it. "5 days to 3 hours" are two.
    if worded
        && !pair
        && let Some(first) = &quantity.unit
    {
        let again = unit.as_ref().map(|(unit, _)| unit).or(currency.as_ref().map(|found| &found.meaning));
        if again.is_none_or(|again| again.id != first.id) || second.number.value <= quantity.number.value {
            return None;
        }
    }
    // "2–3 million": the scale governs both.
    if second.scaled && !quantity.scaled && second.number.value > quantity.number.value {
        let ratio = second.number.step;
        let times = largest_power(ratio);
        quantity.number =
            quantity.number.scaled(times).filter(|n| n.value < second.number.value).unwrap_or(quantity.number);
        quantity.scaled = true;
    }
    let (next, unit) = match unit {
        Some((unit, next)) => (next, Some(unit)),
        None => (second.next, currency.map(|f| f.meaning)),
    };
    quantity.unit = quantity.unit.take().or(unit);
    let ascending = quantity.number.value < second.number.value;
    quantity.form = if ascending || !bare { Form::Range } else { Form::Score };
    quantity.upper = Some(second.number);
    Some(next)
}

/// The greatest n with 10ⁿ ≤ `value`, rounded down to a multiple of three.
fn largest_power(value: Exact) -> u32 {
    value.to_integer().checked_ilog10().map_or(0, |n| n - n % 3)
}

/// A minus before the number; gives the first token of the quantity.
fn sign_before(cursor: &Cursor<'_>, from: usize, quantity: &mut Quantity) -> usize {
    let Some(before) = from.checked_sub(1) else { return from };
    let sign = cursor.raw(before);
    let free =
        before == 0 || cursor.is(before - 1, TokenKind::Space) || cursor.is_mark(before - 1, &['(', '[', '≈', '~']);
    let minus =
        cursor.joined(from) && free && matches!(sign, "-" | "−" | "–" | "‐" | "‑" | "‒" | "﹣" | "－" | "⁻" | "˗");
    let word = cursor
        .before(from)
        .filter(|i| cursor.lexicon.cues.minus.contains(cursor.word(*i).as_ref()) && quantity.unit.is_some());
    let start = if minus { Some(before) } else { word };
    let Some(start) = start else { return from };
    quantity.number.value = -quantity.number.value;
    quantity.other_reading = quantity.other_reading.map(|n| Number { value: -n.value, ..n });
    start
}

/// The unit it is counted by: `/month`, "per minute", "requests per minute", "a year".
fn per_behind(cursor: &Cursor<'_>, end: usize, may_count: bool) -> Option<(Arc<Unit>, usize)> {
    let mut at = cursor.past_space(end);
    for words in 0..=2 {
        if is_per(cursor, at) {
            return rate_unit(cursor, at).or_else(|| second_rate_unit(cursor, at));
        }
        if !may_count || words == 2 || !cursor.is(at, TokenKind::Word) {
            return None;
        }
        at = cursor.past_space(at + 1);
    }
    None
}

fn is_per(cursor: &Cursor<'_>, at: usize) -> bool {
    cursor.lexicon.cues.per.contains(cursor.word(at).as_ref())
}

/// The unit right behind a word such as "per" at `at`.
fn rate_unit(cursor: &Cursor<'_>, at: usize) -> Option<(Arc<Unit>, usize)> {
    let units = &cursor.lexicon.units;
    let unit_at = cursor.past_space(at + 1);
    let named = units.names.starting_at(cursor.text, cursor.tokens, unit_at);
    let symbol = || units.symbols.starting_at(cursor.text, cursor.tokens, unit_at);
    let may_be_symbol = cursor.raw(at) == "/" || cursor.word(at) == "per";
    let found = named.or_else(|| symbol().filter(|_| may_be_symbol))?;
    let weak = cursor.lexicon.numbers.weak.contains(cursor.word(at).as_ref());
    let fits = is_time(&found.meaning) || !weak && found.meaning.factor.is_some();
    fits.then_some((found.meaning, found.next))
}

fn is_time(unit: &Unit) -> bool {
    matches!(unit.dimension.as_ref(), "time" | "calendar")
}

/// The time in "per agent per month", "pro Nutzer und Monat", "par agent et par mois": behind what else it is counted
/// by, which has no unit. `at` is the first "per".
fn second_rate_unit(cursor: &Cursor<'_>, at: usize) -> Option<(Arc<Unit>, usize)> {
    let noun = cursor.past_space(at + 1);
    if !cursor.is(noun, TokenKind::Word) {
        return None;
    }
    let next = cursor.past_space(noun + 1);
    let is_joint = cursor.raw(next).len() <= 4 && cursor.lexicon.is_stop_word(cursor.word(next).as_ref());
    let found = if is_per(cursor, next) {
        rate_unit(cursor, next)
    } else if is_joint {
        let behind = cursor.past_space(next + 1);
        // "und Monat" or "et par mois": with or without a second "per".
        if is_per(cursor, behind) { rate_unit(cursor, behind) } else { rate_unit(cursor, next) }
    } else {
        None
    };
    found.filter(|(unit, _)| is_time(unit))
}

/// The first two words with content behind the number.
fn counted(cursor: &Cursor<'_>, end: usize) -> [Option<u64>; 2] {
    let mut at = cursor.past_space(end);
    if cursor.is_mark(at, &['-', '‐', '‑']) {
        at += 1;
    }
    let mut stems = [None; 2];
    for stem in &mut stems {
        if !cursor.is(at, TokenKind::Word) {
            break;
        }
        *stem = content_hash(cursor.raw(at), cursor.lexicon);
        if stem.is_none() {
            break;
        }
        at = cursor.past_space(at + 1);
    }
    stems
}

/// Qualifiers and hedges before and behind the quantity.
fn bounds(cursor: &Cursor<'_>, from: usize, end: usize, quantity: &mut Quantity) {
    let cues = &cursor.lexicon.cues;
    let mut from = from;
    for _ in 0..3 {
        let article = cursor.before(from).filter(|i| matches!(cursor.word(*i).as_ref(), "a" | "an" | "the" | "as"));
        let hedge = cues.hedges.ending_at(cursor.text, cursor.tokens, from);
        let qualifier = cues.qualifiers.ending_at(cursor.text, cursor.tokens, from);
        let start = match (&qualifier, &hedge) {
            (Some(q), h) if h.as_ref().is_none_or(|h| h.span.start >= q.span.start) => {
                quantity.qualifier.get_or_insert(q.meaning);
                q.span.start
            }
            (_, Some(h)) => {
                quantity.hedged = true;
                h.span.start
            }
            _ => match article.filter(|_| quantity.qualifier.is_none()) {
                Some(at) => {
                    from = at;
                    continue;
                }
                None => break,
            },
        };
        match (0..from).rev().take(8).find(|i| cursor.span(*i).start == start) {
            Some(at) => from = at,
            None => break,
        }
    }
    let at = cursor.past_space(end);
    let after = cues.qualifiers.starting_at(cursor.text, cursor.tokens, at);
    let trailing = cursor.is(at, TokenKind::Ideograph)
        || matches!(
            cursor.word(at).as_ref(),
            "or" | "and" | "oder" | "und" | "ou" | "et" | "o" | "y" | "e" | "of" | "en" | "minimum" | "maximum"
        );
    if let Some(found) = after.filter(|found| trailing && found.next > at) {
        quantity.qualifier.get_or_insert(found.meaning);
    }
}

/// "10, 20 and 30 percent": the unit at the end governs what stands before it.
fn share_unit(cursor: &Cursor<'_>, last: &mut Quantity, next: &Quantity) {
    let gap = cursor.text.get(last.span.end..next.span.start).unwrap_or_default().trim();
    let joins = gap == ","
        || (gap.len() <= 4 && !gap.is_empty() && cursor.lexicon.is_stop_word(gap.trim_start_matches(',').trim()));
    if joins && last.unit.is_none() && last.form == Form::Single && next.form == Form::Single && last.per.is_none() {
        last.unit.clone_from(&next.unit);
        last.per.clone_from(&next.per);
    }
}
