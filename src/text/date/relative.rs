//! Dates that only mean something with the day they were written on: "yesterday", "last month", "on Tuesday".

use super::{Date, Hit, word_at};
use crate::text::cursor::Cursor;
use crate::text::lexicon::{DateWord, role};
use crate::text::word::TokenKind;

/// "yesterday", or a weekday without a date.
pub(super) fn read(cursor: &Cursor<'_>, at: usize) -> Hit {
    if !cursor.may_begin(at, role::DATE) {
        return None;
    }
    if let Some((DateWord::Relative, to)) = word_at(cursor, at)
        && !is_told(cursor, at)
        && !(cursor.joined(to) && (cursor.is(to, TokenKind::Word) || cursor.is_mark(to, &['-', '\'', '’'])))
    {
        return Some((Date { relative: true, ..Date::new(cursor.stretch(at, to)) }, to));
    }
    weekday(cursor, at)
}

/// "the next year": the one after what was told before, whenever it was written.
fn is_told(cursor: &Cursor<'_>, at: usize) -> bool {
    cursor.before(at).is_some_and(|i| matches!(cursor.word(i).as_ref(), "the" | "very"))
}

/// "on Tuesday"; a weekday that comes back, one of a range, and one with its date beside it say nothing here.
fn weekday(cursor: &Cursor<'_>, at: usize) -> Hit {
    const BEFORE: [&str; 15] = [
        "on",
        "last",
        "next",
        "this",
        "am",
        "letzten",
        "nächsten",
        "le",
        "el",
        "il",
        "na",
        "no",
        "op",
        "vorige",
        "afgelopen",
    ];
    if !cursor.lexicon.calendar.weekdays.contains_key(cursor.word(at).as_ref())
        || cursor.joined(at + 1) && cursor.is_mark(at + 1, &['-'])
    {
        return None;
    }
    let before = cursor.before(at)?;
    if !BEFORE.contains(&cursor.word(before).as_ref()) {
        return None;
    }
    let next = cursor.past_space(at + 1);
    let comma = next + usize::from(cursor.is_mark(next, &[',', '(']));
    let beside = cursor.past_space(comma);
    let article = cursor.past_space(beside + 1);
    let dated = |i: usize| cursor.is(i, TokenKind::Digits) || cursor.may_begin(i, role::MONTH);
    let names = cursor.is_capitalised(next) && !cursor.lexicon.nouns_capitalised && next > at + 1;
    let ranges = cursor.is_mark(next, &['-', '–', '&', '/'])
        || cursor.lexicon.cues.range_joiners.contains(cursor.word(next).as_ref())
        || cursor.lexicon.calendar.weekdays.contains_key(cursor.word(article).as_ref());
    if dated(beside) || (cursor.is(beside, TokenKind::Word) && dated(article)) || names || ranges {
        return None;
    }
    Some((Date { relative: true, ..Date::new(cursor.span(at)) }, at + 1))
}
