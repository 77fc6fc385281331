//! Reading quantities: a number, and what stands around it.

use std::sync::Arc;

use num_traits::CheckedMul;

use super::number::{self, Number, Written};
use super::{Form, Quantity, around, join, range, rate, words};
use crate::text::cursor::Cursor;
use crate::text::lexicon::{Exact, Qualifier, Unit, role};
use crate::text::word::TokenKind;

/// Reads the quantities at the cursor's tokens that nothing else has taken.
pub(crate) fn read(cursor: &mut Cursor<'_>) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = cursor.next_start(0);
    while at < cursor.len() {
        if cursor.is_taken(at) || !may_begin(cursor, at) {
            at = cursor.next_start(at + 1);
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
        at = cursor.next_start(at);
    }
    join::relate(cursor, &mut found);
    found
}

/// Whether a number may begin at token `at`.
fn may_begin(cursor: &Cursor<'_>, at: usize) -> bool {
    match cursor.kind(at) {
        Some(TokenKind::Digits) => !is_numeral(cursor, at),
        Some(TokenKind::Word) => cursor.may_begin(at, role::NUMBER),
        Some(TokenKind::Mark | TokenKind::Ideograph) => true,
        Some(TokenKind::Space) | None => false,
    }
}

/// `[12]` and `(2)`: the number of a note or of an item in a list.
fn is_numeral(cursor: &Cursor<'_>, at: usize) -> bool {
    let most = match at.checked_sub(1).map(|before| cursor.raw(before)) {
        Some("[") => 3,
        Some("(") => 2,
        _ => return false,
    };
    let alone = cursor.is_mark(at + 1, &[')', ']']) && cursor.joined(at) && cursor.joined(at + 1);
    alone && (1..=most).contains(&cursor.digit_count(at)) && !(at > 1 && cursor.joined(at - 1))
}

/// One quantity whose number begins at token `at`; with the tokens it covers.
fn one(cursor: &Cursor<'_>, at: usize) -> Option<(Quantity, usize, usize)> {
    let written = number::read(cursor, at)?;
    if written.words && in_a_title(cursor, at) {
        return None;
    }
    let currency = currency_before(cursor, at);
    let mut from = currency.as_ref().map_or(at, |money| money.from);
    let mut written = money_scale(cursor, written, currency.is_some());
    let is_negative = currency.as_ref().is_some_and(|money| money.negative);
    if is_negative && cursor.is_mark(at - 1, &['(']) {
        // $(5) million
        written = number::scale(cursor, Written { next: written.next + 1, ..written })?;
    }
    let mut end = written.next;
    let mut unit = currency.map(|money| money.unit);
    if unit.is_none()
        && !written.ordinal
        && let Some((found, next)) = unit_after(cursor, &written)
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
        per_nearby: None,
        counted: [None; 2],
        qualifier: None,
        bound: None,
        hedged: false,
        change: None,
        alternative: false,
        restates: false,
        denied: None,
        in_words: written.words,
        scaled: written.scaled,
        weak: written.weak,
    };
    // "1.500 Euro" in an English text: a thousand and a half as the writer's own language has it.
    if quantity.other_reading.is_none() && quantity.unit.as_ref().is_some_and(|unit| unit.id.as_ref() == "EUR") {
        quantity.other_reading = as_thousands(cursor, at, &written);
    }
    if quantity.unit.is_some()
        && let Some((part, next)) = words::half_behind(cursor, end)
    {
        quantity.number = Number { step: part, ..quantity.number.plus(part)? };
        end = next;
    }
    if is_negative {
        quantity.negate();
    }
    if let Some((whole, next)) = whole(cursor, &written, quantity.unit.is_none()) {
        (quantity.upper, quantity.form, end) = (Some(whole), Form::Share, next);
    } else if quantity.form == Form::Single
        && let Some(next) = range::second_value(cursor, from, end, &mut quantity)
    {
        end = next;
    }
    from = sign_before(cursor, from, &mut quantity);
    // "200 ± 10": the second number says how far off the first may be.
    quantity.hedged = cursor.before(from).is_some_and(|i| cursor.is_mark(i, &['±']));
    if let Some((per, next)) = rate::per_behind(cursor, end, quantity.unit.is_none()) {
        quantity.per = Some(per);
        quantity.counted = around::counted(cursor, end);
        end = next;
    } else {
        if quantity.unit.as_ref().is_none_or(|unit| !rate::is_time(unit)) && quantity.form != Form::Ordinal {
            quantity.per_nearby = rate::rate_nearby(cursor, from, end);
        }
        if quantity.form == Form::Share || quantity.dimension() == Some("percent") {
            quantity.counted = around::counted(cursor, around::past_part_words(cursor, end));
        } else if quantity.unit.is_none() {
            quantity.counted = around::counted(cursor, end);
        }
    }
    let bounded_from = around::bounds(cursor, from, end, &mut quantity);
    quantity.change = around::change(cursor, (bounded_from, end), quantity.form);
    if cursor.is_mark(end, &['+']) && cursor.joined(end) && !cursor.joined(end + 1) {
        quantity.qualifier.get_or_insert(Qualifier::AtLeast);
        end += 1;
    }
    in_brackets(cursor, from, end, &mut quantity);
    quantity.span = cursor.stretch(from, end);
    Some((quantity, from, end))
}

/// The number with its decimal sign read as one between thousands: three digits stand behind it, the last of them a zero.
fn as_thousands(cursor: &Cursor<'_>, at: usize, written: &Written) -> Option<Number> {
    let is_it = written.next == at + 3
        && cursor.is_mark(at + 1, &['.', ','])
        && cursor.digit_count(at + 2) == 3
        && cursor.raw(at + 2).ends_with('0')
        && !cursor.raw(at).starts_with('0');
    let thousand = Exact::from_integer(1000);
    is_it
        .then(|| {
            Some(Number {
                value: written.number.value.checked_mul(&thousand)?,
                step: Exact::from_integer(1),
                ..written.number
            })
        })
        .flatten()
}

/// The whole that the number is a part of, and the token behind it.
fn whole(cursor: &Cursor<'_>, written: &Written, is_bare: bool) -> Option<(Number, usize)> {
    match written.whole {
        Some(whole) => Some((whole, written.next)),
        None if is_bare => range::whole_behind(cursor, written),
        None => None,
    }
}

/// `($5 million)`: in accounts a loss, in a sentence an aside. Behind a word without content of its own, as in "was ($5 million)", it is
/// no aside; whichever it is, the other reading stays open.
fn in_brackets(cursor: &Cursor<'_>, from: usize, end: usize, quantity: &mut Quantity) {
    let is_money = quantity.dimension() == Some("currency") && quantity.form == Form::Single;
    let Some(open) = from.checked_sub(1).filter(|open| is_money && cursor.is_mark(*open, &['('])) else { return };
    if !cursor.is_mark(end, &[')']) || !cursor.joined(end) || quantity.other_reading.is_some() {
        return;
    }
    let positive = quantity.number;
    let negative = Number { value: -positive.value, ..positive };
    let said = cursor.before(open).is_some_and(|at| cursor.lexicon.is_stop_word(cursor.word(at).as_ref()));
    (quantity.number, quantity.other_reading) =
        if said { (negative, Some(positive)) } else { (positive, Some(negative)) };
}

/// The unit behind a number, past the full stop of a shortened scale word: "3 Mio. Euro".
fn unit_after(cursor: &Cursor<'_>, written: &Written) -> Option<(Arc<Unit>, usize)> {
    if let Some(found) = unit_behind(cursor, written.next) {
        return Some(found);
    }
    if !written.scaled {
        return None;
    }
    let stop = written.next;
    let short = cursor.is_mark(stop, &['.'])
        && cursor.joined(stop)
        && !cursor.joined(stop + 1)
        && cursor.lexicon.abbreviations.contains(cursor.word(stop - 1).as_ref());
    if short {
        return unit_behind(cursor, stop + 1);
    }
    // "two million of euros", "2 millones de euros"
    let of = cursor.past_space(stop);
    let unit_at = cursor.past_space(of + 1);
    if of == stop || !cursor.lexicon.numbers.part_words.contains(cursor.word(of).as_ref()) {
        return None;
    }
    let found = cursor.lexicon.units.names.starting_at(cursor.text, cursor.tokens, unit_at)?;
    Some((found.meaning, found.next))
}

/// A number word with a capital in the middle of a sentence is part of a title: "The Five Keys". All nouns with capitals say nothing.
fn in_a_title(cursor: &Cursor<'_>, at: usize) -> bool {
    let begins =
        cursor.before(at).is_none_or(|i| cursor.is_mark(i, &['.', '!', '?', ':', '"', '“', '*', '-', '•', '(']));
    cursor.is_capitalised(at) && !begins && !cursor.lexicon.nouns_capitalised
}

/// A currency before a number.
struct Money {
    unit: Arc<Unit>,
    /// Its first token.
    from: usize,
    /// `$-5`, `$(5)`.
    negative: bool,
}

/// A currency sign or code right before the number.
fn currency_before(cursor: &Cursor<'_>, at: usize) -> Option<Money> {
    const LONGEST: usize = 10;
    let before = at.checked_sub(1)?;
    if is_formula(cursor, at) {
        return None;
    }
    let minus = cursor.is_mark(before, &['-', '−', '–']) && cursor.joined(at);
    let past = (at..at + LONGEST)
        .find(|next| !(cursor.is(*next, TokenKind::Digits) || cursor.is_mark(*next, &['.', ','])))
        .unwrap_or(at);
    let bracketed =
        cursor.is_mark(before, &['(']) && cursor.joined(at) && cursor.joined(before) && cursor.is_mark(past, &[')']);
    let sign = if minus || bracketed { before } else { at };
    let found = cursor
        .lexicon
        .units
        .symbols
        .ending_at(cursor.text, cursor.tokens, sign)
        .filter(|found| found.meaning.before)?;
    let from = (0..sign).rev().take(4).find(|i| cursor.span(*i).start == found.span.start)?;
    // "the ABC$5": a sign joined to a longer word is none.
    let free = !cursor.joined(from) || !cursor.is(from - 1, TokenKind::Word);
    // "US$-5" is negative, "EUR - 5" is a dash.
    let negative = bracketed || minus && cursor.joined(sign);
    (free && (negative || sign == at || !cursor.joined(sign))).then_some(Money { unit: found.meaning, from, negative })
}

/// `$3$`, `$94\\%$`, `$3 \times 10^8$`: the signs of a formula around a number are no money.
fn is_formula(cursor: &Cursor<'_>, at: usize) -> bool {
    const LONGEST: usize = 8;
    const LONGEST_FORMULA: usize = 60;
    let opens = at.checked_sub(1).is_some_and(|before| cursor.is_mark(before, &['$']) && cursor.joined(at));
    let mut behind = (at + 1..at + LONGEST).take_while(|next| cursor.joined(*next));
    let closes = |next: usize| cursor.is_mark(next, &['$']) && !cursor.is(next + 1, TokenKind::Digits);
    opens
        && (behind.any(closes) || {
            let rest = cursor.text.get(cursor.span(at).start..).unwrap_or_default();
            let inside = rest.split_once(['$', '\n']).map_or("", |(inside, _)| inside);
            inside.len() <= LONGEST_FORMULA && inside.contains(['\\', '^', '=', '_'])
        })
}

/// `$5m`, `€3 B`: signs that mean millions and billions only behind money.
pub(super) fn money_scale(cursor: &Cursor<'_>, written: Written, money: bool) -> Written {
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
pub(super) fn unit_behind(cursor: &Cursor<'_>, at: usize) -> Option<(Arc<Unit>, usize)> {
    if let Some(found) = foot_or_inch(cursor, at) {
        return Some(found);
    }
    // The closing sign of a formula, and an escaped percent sign.
    let at = if cursor.is_mark(at, &['$', '\\']) && cursor.joined(at) && !cursor.is(at + 1, TokenKind::Digits) {
        at + 1
    } else {
        at
    };
    let hyphen = cursor.is_mark(at, &['-', '‐', '‑']) && cursor.joined(at) && cursor.joined(at + 1);
    let spaced = if hyphen { at + 1 } else { cursor.past_space(at) };
    let joined = spaced == at;
    let units = &cursor.lexicon.units;
    let symbol = units.symbols.starting_at(cursor.text, cursor.tokens, spaced).filter(|found| {
        let written = found.span.of(cursor.text);
        // "1h30m"
        let hours = written == "h" && cursor.is(found.next, TokenKind::Digits);
        let ends = hours
            || !(cursor.joined(found.next)
                && matches!(cursor.kind(found.next), Some(TokenKind::Word | TokenKind::Digits)));
        // "5 ft 10 in"
        let inches = written == "in"
            && at.checked_sub(1).and_then(|number| cursor.before(number)).is_some_and(|i| cursor.raw(i) == "ft");
        // "5 in the box", "type 5 A", "the 5 x": letters that are words too must be joined to the number.
        ends && (joined || inches || !matches!(written, "in" | "A" | "a" | "d" | "x" | "T" | "J" | "Fr" | "Ft" | "UN"))
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
        && cursor.raw(spaced).chars().nth(1).is_some()
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

/// `6'2"`, `8' high`, `15.6" wide`: signs for feet and inches that are quotation marks as well.
fn foot_or_inch(cursor: &Cursor<'_>, at: usize) -> Option<(Arc<Unit>, usize)> {
    const FOOT: [char; 3] = ['\'', '’', '′'];
    const INCH: [char; 3] = ['"', '”', '″'];
    let is_foot = |at: usize| cursor.is_mark(at, &FOOT) && cursor.joined(at);
    let [foot, inch] = cursor.lexicon.units.feet.as_ref()?;
    // "the average 5'9 height": fewer than twelve inches, whose sign was left out.
    let is_short = |inches: usize| {
        inches >= 2
            && is_foot(inches - 1)
            && cursor.joined(inches)
            && cursor.is(inches - 2, TokenKind::Digits)
            && cursor.small(inches).is_some_and(|inches| inches < 12)
            && !(cursor.joined(inches + 1) && cursor.kind(inches + 1).is_some())
    };
    if is_foot(at) && is_short(at + 1) {
        return Some((Arc::clone(foot), at + 1));
    }
    if at >= 1 && is_short(at - 1) {
        return Some((Arc::clone(inch), at));
    }
    if !cursor.is(at, TokenKind::Mark) || !cursor.joined(at) {
        return None;
    }
    // 6'2''
    let past_inch = |at: usize| match () {
        () if cursor.is_mark(at, &INCH) && cursor.joined(at) => Some(at + 1),
        () if is_foot(at) && is_foot(at + 1) => Some(at + 2),
        () => None,
    };
    let number_of_feet =
        at.checked_sub(2).filter(|before| is_foot(*before) && cursor.is(before - 1, TokenKind::Digits));
    if let Some(next) = past_inch(at).filter(|_| number_of_feet.is_some()) {
        return Some((Arc::clone(inch), next));
    }
    if is_foot(at) && cursor.joined(at + 1) && cursor.digit_count(at + 1) <= 2 && past_inch(at + 2).is_some() {
        return Some((Arc::clone(foot), at + 1));
    }
    let (unit, next) = match past_inch(at) {
        Some(next) => (inch, next),
        None if is_foot(at) => (foot, at + 1),
        None => return None,
    };
    let ends = !cursor.joined(next) || !matches!(cursor.kind(next), Some(TokenKind::Word | TokenKind::Digits));
    (ends && !closes_a_quotation(cursor, at)).then(|| (Arc::clone(unit), next))
}

/// Whether a quotation mark closes what one before it in the same line opened.
fn closes_a_quotation(cursor: &Cursor<'_>, mark: usize) -> bool {
    const FAR: usize = 400;
    let sign = cursor.raw(mark).chars().next().unwrap_or_default();
    let opening = match sign {
        '”' => ['“', '„'],
        '’' => ['‘', '‚'],
        sign => [sign, sign],
    };
    let text = cursor.text.get(..cursor.span(mark).start).unwrap_or_default();
    let line = text.get(text.ceil_char_boundary(text.len().saturating_sub(FAR))..).unwrap_or_default();
    let line = line.rsplit('\n').next().unwrap_or_default();
    let mut before = ' ';
    let opens = line.chars().filter(|c| {
        let free = !before.is_alphanumeric();
        before = *c;
        opening.contains(c) && free
    });
    let opened = opens.count();
    let mut before = ' ';
    let closes = line.chars().filter(|c| {
        let behind = before.is_alphabetic() || matches!(before, '.' | ',' | '!' | '?');
        before = *c;
        *c == sign && behind
    });
    // An apostrophe closes nothing.
    opened > if matches!(sign, '\'' | '’') { 0 } else { closes.count() }
}

/// Whether a dash begins a line of a list: a line next to it begins with a dash and a word.
fn is_list_dash(cursor: &Cursor<'_>, dash: usize) -> bool {
    let start = cursor.span(dash).start;
    let Some(before) = cursor.text.get(..start).filter(|before| before.is_empty() || before.ends_with('\n')) else {
        return false;
    };
    let is_item = |line: Option<&str>| {
        line.and_then(|line| line.strip_prefix('-')).is_some_and(|item| item.starts_with(char::is_alphabetic))
    };
    let behind = cursor.text.get(start..).unwrap_or_default();
    is_item(before.trim_end_matches('\n').rsplit('\n').next()) || is_item(behind.split('\n').nth(1))
}

/// A minus before the number; gives the first token of the quantity.
fn sign_before(cursor: &Cursor<'_>, from: usize, quantity: &mut Quantity) -> usize {
    let Some(before) = from.checked_sub(1) else { return from };
    let sign = cursor.raw(before);
    if sign == "-" && is_list_dash(cursor, before) {
        return from;
    }
    let free =
        before == 0 || cursor.is(before - 1, TokenKind::Space) || cursor.is_mark(before - 1, &['(', '[', '≈', '~']);
    let minus =
        cursor.joined(from) && free && matches!(sign, "-" | "−" | "–" | "‐" | "‑" | "‒" | "﹣" | "－" | "⁻" | "˗");
    // "au moins 5 €" has a bound, not a sign.
    let bound = || cursor.lexicon.cues.qualifiers.ending_at(cursor.text, cursor.tokens, from).is_some();
    let word = cursor.before(from).filter(|i| {
        cursor.lexicon.cues.minus.contains(cursor.word(*i).as_ref()) && quantity.unit.is_some() && !bound()
    });
    let start = if minus { Some(before) } else { word };
    let Some(start) = start else { return from };
    quantity.negate();
    start
}
