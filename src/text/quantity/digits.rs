//! Numbers in digits: separators, decimals, and fractions by sign or slash.

use super::number::{Number, Written, fraction};
use crate::text::cursor::Cursor;
use crate::text::lexicon::Exact;
use crate::text::word::TokenKind;

/// The value of ½ and its like.
pub(super) fn vulgar(sign: &str) -> Option<Exact> {
    let (numerator, denominator) = match sign {
        "½" => (1, 2),
        "⅓" => (1, 3),
        "⅔" => (2, 3),
        "¼" => (1, 4),
        "¾" => (3, 4),
        "⅕" => (1, 5),
        "⅖" => (2, 5),
        "⅗" => (3, 5),
        "⅘" => (4, 5),
        "⅙" => (1, 6),
        "⅚" => (5, 6),
        "⅛" => (1, 8),
        "⅜" => (3, 8),
        "⅝" => (5, 8),
        "⅞" => (7, 8),
        _ => return None,
    };
    Some(Exact::new(numerator, denominator))
}

/// Digits with their separators, in the reading of the language, and the other one where the signs allow it.
pub(super) fn digits(cursor: &Cursor<'_>, at: usize) -> Option<Written> {
    const MOST_GROUPS: usize = 13;
    // The rest of a run that was no number ("1,2,3") is none either.
    let continues = at >= 2 && cursor.joined(at) && cursor.joined(at - 1) && cursor.is(at - 2, TokenKind::Digits);
    if continues && cursor.is_mark(at - 1, &['.', ',', '٫', '٬', '·']) {
        return None;
    }
    // 6'2" has no thousands.
    if continues && cursor.is_mark(at - 1, &['\'', '’']) && cursor.digit_count(at) == 3 {
        return None;
    }
    // 5_100: part of a name, or of a number that another language groups so.
    let underscored = |mark: usize, digits: usize| {
        cursor.is_mark(mark, &['_']) && cursor.is(digits, TokenKind::Digits) && cursor.joined(at.max(mark))
    };
    if (at >= 2 && underscored(at - 1, at - 2)) || underscored(at + 1, at + 2) {
        return None;
    }
    let decimal = cursor.lexicon.decimal();
    let mut groups = vec![cursor.raw(at)];
    let mut signs: Vec<char> = Vec::new();
    let mut next = at + 1;
    while cursor.is(next + 1, TokenKind::Digits) && groups.len() <= MOST_GROUPS {
        let sign = cursor.raw(next).chars().next().unwrap_or_default();
        let three = cursor.digit_count(next + 1) == 3;
        let short = groups.len() > 1 || groups.first().is_some_and(|g| g.chars().count() <= 3);
        let joins = match sign {
            // 5.5·10⁸
            '·' if cursor.raw(next + 1) == "10" && cursor.is(next + 2, TokenKind::Mark) && cursor.joined(next + 2) => {
                false
            }
            '.' | ',' | '٫' | '٬' | '·' => cursor.joined(next) && cursor.joined(next + 1),
            '\'' | '’' => cursor.joined(next) && three && short,
            '\u{a0}' | '\u{202f}' | '\u{2009}' => three && short && cursor.span(next).len() == sign.len_utf8(),
            // A plain space groups only where the language does not group with a comma.
            ' ' if decimal == Some(',') => three && short && cursor.span(next).len() == 1,
            // Elsewhere where what is counted or measured follows: "1 200 litres".
            ' ' => three && short && cursor.span(next).len() == 1 && may_group(cursor, at, next + 1),
            _ => false,
        };
        if !joins {
            break;
        }
        signs.push(match sign {
            '’' => '\'',
            '\u{a0}' | '\u{202f}' | '\u{2009}' => ' ',
            '·' => '.',
            sign => sign,
        });
        groups.push(cursor.raw(next + 1));
        next += 2;
    }
    let (number, other) = interpret(&groups, &signs, decimal)?;
    // 18.0153(3): the uncertainty of the last digit.
    let uncertain =
        cursor.is_mark(next, &['(']) && cursor.joined(next) && (1..=2).contains(&cursor.digit_count(next + 1));
    if uncertain && number.step < Exact::from_integer(1) && cursor.is_mark(next + 2, &[')']) {
        next += 3;
    }
    // 555-0199: a telephone number.
    let padded =
        |at: usize| cursor.digit_count(at) > 1 && cursor.small(at).is_none_or(|_| cursor.raw(at).starts_with('0'));
    if signs.is_empty()
        && cursor.is_mark(next, &['-', '–'])
        && cursor.joined(next)
        && cursor.joined(next + 1)
        && padded(next + 1)
    {
        return None;
    }
    Some(Written { other, ..Written::new(number, next) })
}

/// Whether digits that single spaces part are one number: no zero begins them, and behind the last group stands a word, a unit, or decimals.
fn may_group(cursor: &Cursor<'_>, first: usize, group: usize) -> bool {
    let mut last = group;
    while cursor.digit_count(last + 2) == 3 && cursor.is(last + 1, TokenKind::Space) && cursor.span(last + 1).len() == 1
    {
        last += 2;
    }
    let behind = cursor.past_space(last + 1);
    let is_decimal =
        cursor.is_mark(last + 1, &[',', '.']) && cursor.joined(last + 1) && cursor.is(last + 2, TokenKind::Digits);
    let is_named = behind > last + 1 && cursor.is(behind, TokenKind::Word) || cursor.is_mark(behind, &['%', '€', '°']);
    !cursor.raw(first).starts_with('0') && (is_decimal || is_named)
}

/// `.5`: the zero before the decimal sign left out. `at` is the sign.
pub(super) fn leading_decimal(cursor: &Cursor<'_>, at: usize) -> Option<Written> {
    let is_sign = match cursor.lexicon.decimal() {
        Some(',') => cursor.is_mark(at, &[',']),
        _ => cursor.is_mark(at, &['.']),
    };
    let free = !cursor.joined(at)
        || cursor.is_mark(at - 1, &['(', '[', '-', '−', '$', '€', '£', '~', '≈', '<', '>', '≤', '≥']);
    let digits = is_sign && free && cursor.joined(at + 1) && cursor.is(at + 1, TokenKind::Digits);
    // ".5.1" and ".5x" are names.
    let ends = !cursor.joined(at + 2) || !cursor.is(at + 3, TokenKind::Digits) || cursor.is_mark(at + 2, &['-', '–']);
    if !(digits && ends) {
        return None;
    }
    Some(Written::new(Number::from_digits("0", cursor.raw(at + 1))?, at + 2))
}

fn interpret(groups: &[&str], signs: &[char], decimal: Option<char>) -> Option<(Number, Option<Number>)> {
    let grouped = |groups: &[&str]| {
        let lengths: Vec<usize> = groups.iter().map(|g| g.chars().count()).collect();
        let (first, rest) = lengths.split_first()?;
        let (last, middle) = rest.split_last()?;
        let threes = *first <= 3 && *last == 3 && middle.iter().all(|n| *n == 3);
        // 12,34,567
        let indian = *first <= 2 && *last == 3 && middle.iter().all(|n| *n == 2) && !middle.is_empty();
        let zero = groups.first().is_some_and(|g| g.starts_with('0'));
        ((threes || indian) && !zero).then(|| groups.concat())
    };
    let whole = |digits: &str| Number::from_digits(digits, "");
    match (groups, signs) {
        ([one], []) => {
            let padded = one.len() > 1 && one.starts_with('0');
            if padded { None } else { Some((whole(one)?, None)) }
        }
        ([a, b], [sign]) => {
            let as_decimal = Number::from_digits(a, b);
            let as_grouped = grouped(groups).and_then(|digits| whole(&digits));
            let padded = a.len() > 1 && a.starts_with('0');
            match sign {
                '\'' | ' ' | '٬' => Some((as_grouped?, None)),
                '٫' => Some((as_decimal?, None)),
                _ if padded => None,
                sign => match as_grouped {
                    None => Some((as_decimal?, None)),
                    // Where the locale is not known, a full stop is more often a decimal point and a comma a grouping.
                    Some(thousands) if *sign == decimal.unwrap_or('.') => Some((as_decimal?, Some(thousands))),
                    Some(thousands) => Some((thousands, as_decimal)),
                },
            }
        }
        (groups, [first, rest @ ..]) => {
            let (last_sign, middle) = rest.split_last()?;
            let (last, before) = groups.split_last()?;
            if last_sign == first && middle.iter().all(|s| s == first) {
                return Some((whole(&grouped(groups)?)?, None));
            }
            let grouping =
                middle.iter().all(|s| s == first) && last_sign != first && matches!(last_sign, '.' | ',' | '٫');
            let digits = grouped(before).filter(|_| grouping)?;
            Some((Number::from_digits(&digits, last)?, None))
        }
        _ => None,
    }
}

/// `3/4`, `1 1/2`, `2½`, `2 ½`.
pub(super) fn with_fraction(cursor: &Cursor<'_>, at: usize, written: Written) -> Option<Written> {
    let next = written.next;
    let spaced = cursor.past_space(next);
    if let Some(value) = vulgar(cursor.raw(spaced)) {
        let number = Number { step: Exact::new(1, *value.denom()), ..written.number.plus(value)? };
        return Some(Written { number, next: spaced + 1, ..written });
    }
    let ratio = |at: usize| {
        let slash = cursor.is_mark(at + 1, &['/', '⁄']) && cursor.joined(at + 1) && cursor.joined(at + 2);
        let ends = !(cursor.joined(at + 3)
            && cursor.is_mark(at + 3, &['/', '-', ',', '.'])
            && cursor.joined(at + 4)
            && cursor.is(at + 4, TokenKind::Digits));
        let (a, b) = (cursor.small(at)?, cursor.small(at + 2)?);
        (slash && ends && a < b && matches!(b, 2..=10 | 12 | 16 | 20 | 32 | 64 | 100))
            .then(|| Exact::new(a.into(), b.into()))
    };
    if next == at + 1
        && let Some(value) = ratio(at)
    {
        return Some(fraction(value, at + 3));
    }
    if cursor.is(next, TokenKind::Space)
        && let Some(value) = ratio(spaced)
    {
        return Some(Written { number: written.number.plus(value)?, next: spaced + 3, ..written });
    }
    Some(written)
}
