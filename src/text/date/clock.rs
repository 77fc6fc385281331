//! Times of day, alone and behind a date.

use super::range::past_range_sign;
use super::{Date, Hit, Time, part, plausible_year, word_at};
use crate::text::cursor::Cursor;
use crate::text::lexicon::DateWord;
use crate::text::word::TokenKind;

const NOON: u16 = 12 * 60;

/// `2026-08-20T14:30:00Z`: the date. Its time is read by [`behind_date`].
pub(super) fn stamp(cursor: &Cursor<'_>, at: usize) -> Hit {
    let year = plausible_year(cursor, at).filter(|_| !cursor.joined(at))?;
    let dash = |i: usize| cursor.is_mark(i, &['-']) && cursor.joined(i) && cursor.joined(i + 1);
    if !dash(at + 1) || !dash(at + 3) || !matches!(cursor.raw(at + 5), "T" | "t") || !cursor.joined(at + 5) {
        return None;
    }
    let (month, day) = (part(cursor.small(at + 2)?, 12)?, part(cursor.small(at + 4)?, 31)?);
    hours_and_minutes(cursor, at + 6)?;
    let span = cursor.stretch(at, at + 5);
    Some((Date { year: Some(year), month: Some(month), day: Some(day), ..Date::new(span) }, at + 5))
}

/// Reads the time of day behind a date with a `T` that was just read; gives the token behind it.
pub(super) fn behind_date(cursor: &mut Cursor<'_>, found: &mut Vec<Date>, at: usize) -> usize {
    let dated = found.last().is_some_and(|date| date.day.is_some() && date.span.end == cursor.span(at).start);
    if !dated || !matches!(cursor.raw(at), "T" | "t") {
        return at;
    }
    let Some((minute, to)) = hours_and_minutes(cursor, at + 1) else { return at };
    let (zone, to) = zone(cursor, to).map_or((None, to), |(zone, to)| (Some(zone), to));
    let time = Some(Time { minute, half_open: false, zone });
    found.push(Date { time, ..Date::new(cursor.stretch(at + 1, to)) });
    cursor.take(at, to);
    to
}

/// `14:30`, `14:30:59.123`, `1430` behind a `T`: minutes after midnight, and the token behind.
fn hours_and_minutes(cursor: &Cursor<'_>, at: usize) -> Option<(u16, usize)> {
    let hour = cursor.small(at).filter(|_| cursor.digit_count(at) <= 2)?;
    if !cursor.is_mark(at + 1, &[':']) || !cursor.joined(at + 2) {
        return None;
    }
    let minute = cursor.small(at + 2).filter(|_| cursor.digit_count(at + 2) == 2)?;
    let mut to = at + 3;
    let more = |to: usize, marks: &[char]| {
        cursor.is_mark(to, marks) && cursor.joined(to) && cursor.joined(to + 1) && cursor.is(to + 1, TokenKind::Digits)
    };
    if more(to, &[':']) && cursor.digit_count(to + 1) == 2 {
        to += 2;
        if more(to, &['.', ',']) {
            to += 2;
        }
    }
    Some((of_day(hour, minute)?, to))
}

fn of_day(hour: u32, minute: u32) -> Option<u16> {
    let inside = minute < 60 && (hour < 24 || (hour == 24 && minute == 0));
    u16::try_from(hour * 60 + minute).ok().filter(|_| inside)
}

/// `Z`, `UTC`, `+02:00`, `UTC+2`: minutes ahead of UTC, and the token behind.
fn zone(cursor: &Cursor<'_>, at: usize) -> Option<(i16, usize)> {
    let spaced = cursor.past_space(at);
    let named = cursor.lexicon.calendar.zones.get(cursor.word(spaced).as_ref()).copied();
    // "z" and "est" are words too.
    let named = named.filter(|_| cursor.raw(spaced).chars().all(char::is_uppercase));
    let sign_at = if named.is_some() { spaced + 1 } else { at };
    if !cursor.is_mark(sign_at, &['+', '-', '−']) || !cursor.joined(sign_at) || !cursor.joined(sign_at + 1) {
        return named.map(|zone| (zone, spaced + 1));
    }
    let digits = cursor.small(sign_at + 1)?;
    let colon =
        cursor.is_mark(sign_at + 2, &[':']) && cursor.joined(sign_at + 2) && cursor.digit_count(sign_at + 3) == 2;
    let (minutes, to) = match (cursor.digit_count(sign_at + 1), colon) {
        (1 | 2, true) => (digits * 60 + cursor.small(sign_at + 3)?, sign_at + 4),
        (1 | 2, false) => (digits * 60, sign_at + 2),
        (4, _) => (digits / 100 * 60 + digits % 100, sign_at + 2),
        _ => return None,
    };
    let minutes = i16::try_from(minutes).ok().filter(|minutes| *minutes <= 14 * 60)?;
    Some((named.unwrap_or(0) + if cursor.raw(sign_at) == "+" { minutes } else { -minutes }, to))
}

/// `14:30`, `2:30 pm`, `2 pm`, `14 Uhr`, `14.30 Uhr`, `14h30`.
pub(super) fn time(cursor: &Cursor<'_>, at: usize, before: Option<&Date>) -> Hit {
    if cursor.digit_count(at) > 2 {
        return None;
    }
    if matches!(cursor.raw(at + 1), "時" | "时") {
        return hour_sign(cursor, at, at, 0);
    }
    if joined_before(cursor, at) {
        return None;
    }
    let (minute, mut to, written) = clock(cursor, at)?;
    let (mut half, end) = half_of_day(cursor, to);
    to = end;
    let mut from = at;
    if half.is_none()
        && let Some((word, first)) = half_before(cursor, at)
    {
        (half, from) = (Some(word), first);
    }
    let named =
        word_at(cursor, cursor.past_space(to)).filter(|(word, _)| *word == DateWord::Clock && minute <= 24 * 60);
    // "12 horas" lasts twelve hours; only "a las 12 horas" is a time. German "Uhr" is no unit.
    let named = named.filter(|_| {
        let unit = || cursor.lexicon.units.names.starting_at(cursor.text, cursor.tokens, cursor.past_space(to));
        written != Written::Hour || half.is_some() || unit().is_none() || at_an_hour(cursor, at)
    });
    if let Some((_, end)) = named.filter(|_| half.is_none() || from < at) {
        to = end;
    }
    let zone = zone(cursor, to).filter(|_| written != Written::Hour || half.is_some() || named.is_some());
    let cued = || {
        after_cue(cursor, at)
            || opens_range(cursor, at, to, written)
            || behind_digits_of_date(cursor, at)
            || before.is_some_and(|date| ends_just_before(cursor, date, at))
    };
    let sure = match written {
        // A full stop: 2.30 is a number.
        Written::Stop => half.is_some() || named.is_some() || behind_hours(cursor, at) || opens_named(cursor, to),
        Written::Hour => half.is_some() || named.is_some(),
        Written::Colon => half.is_some() || named.is_some() || zone.is_some() || cued(),
        Written::Letter => cued(),
    };
    let ends = !(cursor.joined(to) && matches!(cursor.kind(to), Some(TokenKind::Word | TokenKind::Digits)));
    if !sure || !ends || (half.is_some() && !(60..13 * 60).contains(&minute)) {
        return None;
    }
    let to = zone.map_or(to, |(_, to)| to);
    // On the 24-hour clock of most languages 9 is in the morning.
    let twelve = matches!(cursor.lexicon.language(), "en" | "und") && zone.is_none();
    let half_open = twelve && half.is_none() && (60..13 * 60).contains(&minute) && !cursor.raw(at).starts_with('0');
    let minute = match half {
        Some(DateWord::Afternoon) => minute % NOON + NOON,
        Some(_) => minute % NOON,
        None => minute,
    };
    let time = Some(Time { minute, half_open, zone: zone.map(|(zone, _)| zone) });
    Some((Date { time, ..Date::new(cursor.stretch(from, to)) }, to))
}

/// How hours and minutes are parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    Hour,
    Colon,
    Stop,
    Letter,
}

fn clock(cursor: &Cursor<'_>, at: usize) -> Option<(u16, usize, Written)> {
    if let Some((minute, to)) = hours_and_minutes(cursor, at) {
        return Some((minute, to, Written::Colon));
    }
    let hour = cursor.small(at)?;
    let letter = cursor.is(at + 1, TokenKind::Word) && cursor.joined(at + 1) && matches!(cursor.raw(at + 1), "h" | "H");
    let minutes = cursor.small(at + 2).filter(|_| cursor.joined(at + 2) && cursor.digit_count(at + 2) == 2);
    match minutes {
        Some(minutes) if letter => return Some((of_day(hour, minutes)?, at + 3, Written::Letter)),
        Some(minutes) if cursor.is_mark(at + 1, &['.']) && cursor.joined(at + 1) => {
            return Some((of_day(hour, minutes)?, at + 3, Written::Stop));
        }
        _ => {}
    }
    let spaced = cursor.past_space(at + 1);
    if matches!(cursor.raw(spaced), "h" | "H")
        && !(cursor.joined(spaced + 1) && matches!(cursor.kind(spaced + 1), Some(TokenKind::Word | TokenKind::Digits)))
    {
        return Some((of_day(hour, 0)?, spaced + 1, Written::Letter));
    }
    Some((of_day(hour, 0)?, at + 1, Written::Hour))
}

/// 오후 3시: the same before it, with the first token.
fn half_before(cursor: &Cursor<'_>, at: usize) -> Option<(DateWord, usize)> {
    let last = cursor.before(at).filter(|_| cursor.lexicon.postpositions)?;
    let found = cursor.lexicon.calendar.words.ending_at(cursor.text, cursor.tokens, last + 1)?;
    let first = cursor.tokens.partition_point(|token| token.span.start < found.span.start);
    matches!(found.meaning, DateWord::Morning | DateWord::Afternoon).then_some((found.meaning, first))
}

/// "am" or "pm" behind a time.
fn half_of_day(cursor: &Cursor<'_>, at: usize) -> (Option<DateWord>, usize) {
    match word_at(cursor, cursor.past_space(at)) {
        Some((half @ (DateWord::Morning | DateWord::Afternoon), to)) => (Some(half), to),
        _ => (None, at),
    }
}

fn joined_before(cursor: &Cursor<'_>, at: usize) -> bool {
    cursor.joined(at) && !cursor.is_mark(at - 1, &['(', '[', '"', '“', '–', '-', '—', '~', '*', ','])
        || (cursor.joined(at)
            && at > 1
            && cursor.is_mark(at - 1, &['-', ','])
            && cursor.is(at - 2, TokenKind::Digits)
            && !cursor.is_taken(at - 2))
}

/// "at 14:30": a word before it that times of day stand behind.
fn after_cue(cursor: &Cursor<'_>, at: usize) -> bool {
    let words = &cursor.lexicon.calendar.words;
    let end = cursor.before(at).map_or(0, |i| i + 1);
    words.ending_at(cursor.text, cursor.tokens, end).is_some_and(|found| {
        matches!(
            found.meaning,
            DateWord::At | DateWord::Clock | DateWord::From | DateWord::Until | DateWord::Before | DateWord::After
        )
    })
}

/// "at", and not the joiner of "15 to 20 hours".
fn at_an_hour(cursor: &Cursor<'_>, at: usize) -> bool {
    let end = cursor.before(at).map_or(0, |i| i + 1);
    let cue = cursor.lexicon.calendar.words.ending_at(cursor.text, cursor.tokens, end);
    cue.filter(|found| found.meaning == DateWord::At).is_some_and(|found| {
        let first = cursor.tokens.partition_point(|token| token.span.start < found.span.start);
        cursor.before(first).is_none_or(|before| !cursor.is(before, TokenKind::Digits))
    })
}

/// "de 9h à 17h": the first of two times with their words.
fn opens_range(cursor: &Cursor<'_>, at: usize, to: usize, written: Written) -> bool {
    let before = cursor.before(at).map(|i| cursor.word(i)).unwrap_or_default();
    let opened = cursor.lexicon.cues.range_pairs.iter().any(|(first, _)| first.as_ref() == before);
    opened
        && past_range_sign(cursor, to)
            .and_then(|second| clock(cursor, second))
            .is_some_and(|(_, _, second)| second == written)
}

/// "9.00 bis 17.00 Uhr": the first of two times, of which the second has the word.
fn opens_named(cursor: &Cursor<'_>, to: usize) -> bool {
    past_range_sign(cursor, to)
        .and_then(|second| clock(cursor, second))
        .filter(|(_, _, written)| *written == Written::Stop)
        .and_then(|(_, end, _)| word_at(cursor, cursor.past_space(end)))
        .is_some_and(|(word, _)| word == DateWord::Clock)
}

/// "alle ore 9.00": the word stands before.
fn behind_hours(cursor: &Cursor<'_>, at: usize) -> bool {
    let before = cursor.before(at).and_then(|before| word_at(cursor, before));
    before.is_some_and(|(word, to)| word == DateWord::Clock && to <= at)
}

/// `2026-08-20 14:30`
fn behind_digits_of_date(cursor: &Cursor<'_>, at: usize) -> bool {
    let sign = |i: usize| cursor.is_mark(i, &['-', '/', '.']) && cursor.joined(i) && cursor.joined(i + 1);
    let digits = |i: usize| cursor.is(i, TokenKind::Digits);
    at >= 6
        && cursor.is(at - 1, TokenKind::Space)
        && digits(at - 2)
        && sign(at - 3)
        && digits(at - 4)
        && sign(at - 5)
        && digits(at - 6)
}

/// Whether a time of day ends right before, with a dash or a word between.
fn ends_just_before(cursor: &Cursor<'_>, date: &Date, at: usize) -> bool {
    const MOST: usize = 7;
    date.time.is_some()
        && cursor
            .text
            .get(date.span.end..cursor.span(at).start)
            .is_some_and(|gap| gap.len() <= MOST && !gap.contains(['.', '\n']))
}

/// `午後2時30分`, `下午2点`.
pub(super) fn east_asian(cursor: &Cursor<'_>, at: usize) -> Hit {
    let half = match (cursor.raw(at), cursor.raw(at + 1)) {
        ("午", "前") | ("上", "午") => DateWord::Morning,
        ("午", "後") | ("下", "午") => DateWord::Afternoon,
        _ => return None,
    };
    let digits = cursor.past_space(at + 2);
    cursor.small(digits).filter(|hour| *hour <= 12)?;
    hour_sign(cursor, at, digits, if half == DateWord::Afternoon { NOON } else { 0 })
}

/// `14時30分` at `digits`; `later` are the minutes that "afternoon" adds.
fn hour_sign(cursor: &Cursor<'_>, from: usize, digits: usize, later: u16) -> Hit {
    let point = matches!(cursor.raw(digits + 1), "点" | "點") && from < digits;
    if !(point || matches!(cursor.raw(digits + 1), "時" | "时")) || cursor.raw(digits + 2) == "間" {
        return None;
    }
    let minutes = cursor.small(digits + 2).filter(|_| cursor.raw(digits + 3) == "分");
    let to = if minutes.is_some() { digits + 4 } else { digits + 2 };
    let said = of_day(cursor.small(digits)?, minutes.unwrap_or(0))?;
    let minute = if from < digits { said % NOON + later } else { said };
    let time = Some(Time { minute, half_open: false, zone: None });
    Some((Date { time, ..Date::new(cursor.stretch(from, to)) }, to))
}
