//! Dates with the name of a month.

use super::range::past_range_sign;
use super::{Date, Hit, part, plausible_year};
use crate::text::cursor::Cursor;
use crate::text::lexicon::role;
use crate::text::span::Span;
use crate::text::word::TokenKind;

pub(super) const OF: [&str; 8] = ["of", "de", "del", "do", "du", "di", "the", "van"];

pub(super) fn month_at(cursor: &Cursor<'_>, at: usize) -> Option<u8> {
    if !cursor.may_begin(at, role::MONTH) || cursor.is_taken(at) {
        return None;
    }
    cursor.lexicon.calendar.months.get(cursor.word(at).as_ref()).copied()
}

/// Past the full stop of a short month name.
fn past_stop(cursor: &Cursor<'_>, at: usize) -> usize {
    let spaced = cursor.past_space(at + 1);
    let goes_on = cursor.is(spaced, TokenKind::Digits) || cursor.is_mark(spaced, &[',']);
    if cursor.is_mark(at, &['.']) && cursor.joined(at) && goes_on { at + 1 } else { at }
}

/// Past a day's ordinal ending, at `at` behind its digits.
pub(super) fn past_ordinal(cursor: &Cursor<'_>, at: usize) -> usize {
    if let Some(next) = cursor.past_ordinal_ending(at) {
        return next;
    }
    let sign = cursor.joined(at)
        && (cursor.is_mark(at, &['º', 'ª', '°']) || (cursor.raw(at) == "." && cursor.lexicon.decimal() == Some(',')));
    if sign { at + 1 } else { at }
}

pub(super) fn past_word(cursor: &Cursor<'_>, at: usize, words: &[&str]) -> usize {
    let spaced = cursor.past_space(at);
    if cursor.is(spaced, TokenKind::Word) && words.contains(&cursor.word(spaced).as_ref()) { spaced + 1 } else { at }
}

/// A year behind a day and month: `, 1867`, ` de 1867`, ` 1867`.
pub(super) fn year_behind(cursor: &Cursor<'_>, at: usize) -> Option<(i32, usize)> {
    let sign = cursor.is_mark(at, &[','])
        || (cursor.is_mark(at, &['-', '‐', '‑', '/']) && cursor.joined(at) && cursor.joined(at + 1));
    let comma = at + usize::from(sign);
    let number = cursor.past_space(past_word(cursor, comma, &OF));
    let year = plausible_year(cursor, number)?;
    let separated = cursor.joined(number + 1)
        && cursor.joined(number + 2)
        && cursor.is_mark(number + 1, &[',', '.'])
        && cursor.is(number + 2, TokenKind::Digits);
    let lettered = cursor.joined(number + 1) && cursor.is(number + 1, TokenKind::Word);
    (!separated && !lettered && !cursor.is_taken(number)).then_some((year, number + 1))
}

/// `December 20221`: the number of a footnote that lost its place behind the year.
fn year_with_a_note(cursor: &Cursor<'_>, at: usize) -> Option<i32> {
    let digits = cursor
        .raw(at)
        .get(..4)
        .filter(|_| matches!(cursor.digit_count(at), 5 | 6) && cursor.is(at, TokenKind::Digits))?;
    digits.parse().ok().filter(|year| (1900..2100).contains(year))
}

/// `15 January 1867`, `15th of January`, `15. Januar 1867`.
pub(super) fn day_first(cursor: &Cursor<'_>, at: usize) -> Hit {
    let day = part(cursor.small(at)?, 31)?;
    let mut next = past_ordinal(cursor, at + 1);
    if cursor.is_mark(next, &['-']) && cursor.joined(next) {
        next += 1;
    }
    let month_token = cursor.past_space(past_word(cursor, past_word(cursor, next, &OF), &OF));
    let month = month_at(cursor, month_token)?;
    // "5 may": the verb.
    if cursor.lexicon.language() == "en" && !cursor.is_capitalised(month_token) {
        return None;
    }
    let mut to = past_stop(cursor, month_token + 1);
    let mut date = Date { day: Some(day), month: Some(month), ..Date::new(Span::default()) };
    if let Some((year, end)) = year_behind(cursor, to) {
        date.year = Some(year);
        to = end;
    }
    date.span = cursor.stretch(at, to);
    Some((date, to))
}

/// `January 15, 1867`, `January 1867`, `January`.
pub(super) fn month_first(cursor: &Cursor<'_>, at: usize) -> Hit {
    let month = month_at(cursor, at)?;
    let english = matches!(cursor.lexicon.language(), "en" | "und");
    if english && !cursor.is_capitalised(at) {
        return None;
    }
    let mut date = Date { month: Some(month), ..Date::new(Span::default()) };
    let mut to = past_stop(cursor, at + 1);
    let number = cursor.past_space(past_word(cursor, to, &["the"]));
    if cursor.digit_count(number) <= 2
        && let Some(day) = cursor.small(number).and_then(|n| part(n, 31))
        && !(cursor.joined(number + 1) && cursor.is_mark(number + 1, &['%', ':']))
        && english
    {
        date.day = Some(day);
        to = past_ordinal(cursor, number + 1);
    }
    if let Some((year, end)) = year_behind(cursor, to) {
        date.year = Some(year);
        to = end;
    } else if let Some(year) = year_with_a_note(cursor, number).filter(|_| date.day.is_none()) {
        (date.year, date.unsure) = (Some(year), true);
        to = number + 1;
    }
    // "from May to July 2024": the month is that of a year, however short its name.
    if date.day.is_none()
        && date.year.is_none()
        && let Some(last) = past_range_sign(cursor, to)
        && let Some(last_month) = month_at(cursor, last)
        && let Some((year, _)) = year_behind(cursor, past_stop(cursor, last + 1))
    {
        (date.year, date.unsure) = (Some(if month <= last_month { year } else { year - 1 }), true);
    }
    // Short and many-sided words are months only beside a number.
    let alone = date.day.is_none() && date.year.is_none();
    if alone
        && (cursor.raw(at).chars().count() < 5 || cursor.word(at) == "march" || cursor.joined(at + 1))
        && cursor.word(at) != "july"
        && cursor.word(at) != "june"
    {
        return None;
    }
    date.span = cursor.stretch(at, to);
    Some((date, to))
}

/// "the first of May 2024", "le premier mai", "primero de mayo".
pub(super) fn worded_day(cursor: &Cursor<'_>, at: usize) -> Hit {
    if !cursor.may_begin(at, role::NUMBER) {
        return None;
    }
    let ordinals = &cursor.lexicon.numbers.ordinals;
    let day = ordinals.get(cursor.word(at).as_ref()).and_then(|day| part(*day, 31))?;
    let of = past_word(cursor, at + 1, &OF);
    let month_token = cursor.past_space(of);
    let month = month_at(cursor, month_token)?;
    let english = matches!(cursor.lexicon.language(), "en" | "und");
    if english && (of == at + 1 || !cursor.is_capitalised(month_token)) {
        return None;
    }
    let mut to = past_stop(cursor, month_token + 1);
    let mut date = Date { day: Some(day), month: Some(month), ..Date::new(Span::default()) };
    if let Some((year, end)) = year_behind(cursor, to) {
        (date.year, to) = (Some(year), end);
    }
    date.span = cursor.stretch(at, to);
    Some((date, to))
}
