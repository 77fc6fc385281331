//! Stretches of time with a name of their own.

use super::named::past_ordinal;
use super::{Date, Era, Hit};
use crate::text::cursor::Cursor;

/// `nineteenth century`, `twenty-first century`.
pub(super) fn worded_century(cursor: &Cursor<'_>, at: usize) -> Hit {
    let numbers = &cursor.lexicon.numbers;
    let mut last = at;
    let mut number = 0;
    if let Some(tens) = numbers.words.get(cursor.word(at).as_ref()).filter(|_| cursor.is_mark(at + 1, &['-', '‐', '‑']))
    {
        (number, last) = (*tens, at + 2);
    }
    number += *numbers.ordinals.get(cursor.word(last).as_ref())?;
    let mut unit_at = cursor.past_space(last + 1);
    if cursor.is_mark(unit_at, &['-']) {
        unit_at += 1;
    }
    let unit = cursor.lexicon.units.names.starting_at(cursor.text, cursor.tokens, unit_at)?;
    if unit.meaning.id.as_ref() != "century" || !(1..=21).contains(&number) {
        return None;
    }
    let date = Date { year: i32::try_from(number).ok(), era: Era::Century, ..Date::new(cursor.stretch(at, unit.next)) };
    Some((date, unit.next))
}

/// `19th century`, `19. Jahrhundert`.
pub(super) fn century(cursor: &Cursor<'_>, at: usize) -> Hit {
    let number = cursor.small(at).filter(|n| (1..=21).contains(n))?;
    let next = past_ordinal(cursor, at + 1);
    let mut unit_at = cursor.past_space(next);
    if cursor.is_mark(unit_at, &['-']) {
        unit_at += 1;
    }
    let unit = cursor.lexicon.units.names.starting_at(cursor.text, cursor.tokens, unit_at)?;
    if next == at + 1 || unit.meaning.id.as_ref() != "century" {
        return None;
    }
    let date = Date { year: i32::try_from(number).ok(), era: Era::Century, ..Date::new(cursor.stretch(at, unit.next)) };
    Some((date, unit.next))
}
