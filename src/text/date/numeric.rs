//! Dates in digits: ISO, with dots and slashes, and those of East Asia.

use super::{Date, Hit, Part, calendar, part, plausible_year};
use crate::text::cursor::Cursor;
use crate::text::span::Span;
use crate::text::word::TokenKind;

/// `2026. 8. 20.`, as in Korea, and `20. 8. 2026`.
fn dotted(cursor: &Cursor<'_>, at: usize) -> Hit {
    let stop = |i: usize| cursor.is_mark(i, &['.']) && cursor.joined(i);
    let (month, day) = (cursor.past_space(at + 2), cursor.past_space(cursor.past_space(at + 2) + 2));
    if !stop(at + 1) || !stop(month + 1) {
        return None;
    }
    let spaced = cursor.is(at + 2, TokenKind::Space) && cursor.lexicon.decimal() == Some(',');
    if let Some(year) = plausible_year(cursor, day).filter(|_| spaced && cursor.digit_count(at) <= 2) {
        let (first, month) = (part(cursor.small(at)?, 31)?, part(cursor.small(month)?, 12)?);
        let span = cursor.stretch(at, day + 1);
        return Some((Date { year: Some(year), month: Some(month), day: Some(first), ..Date::new(span) }, day + 1));
    }
    let year = plausible_year(cursor, at).filter(|_| cursor.lexicon.language() == "ko")?;
    let to = day + 1 + usize::from(stop(day + 1));
    let (month, day) = (part(cursor.small(month)?, 12)?, part(cursor.small(day)?, 31)?);
    Some((Date { year: Some(year), month: Some(month), day: Some(day), ..Date::new(cursor.stretch(at, to)) }, to))
}

/// `2026-08-20`, `20.08.2026`, `8/20/2026`, `2026-08`.
pub(super) fn numeric(cursor: &Cursor<'_>, at: usize) -> Hit {
    if cursor.joined(at) && cursor.is_mark(at - 1, &['-', '/', '.']) && at > 1 && cursor.is(at - 2, TokenKind::Digits) {
        return None;
    }
    if let Some(found) = dotted(cursor, at) {
        return Some(found);
    }
    let sign = cursor.raw(at + 1);
    if !matches!(sign, "-" | "/" | "." | "‐" | "‑")
        || !cursor.joined(at + 1)
        || !cursor.joined(at + 2)
        || !cursor.is(at + 2, TokenKind::Digits)
    {
        return None;
    }
    let third = cursor.joined(at + 3)
        && cursor.joined(at + 4)
        && cursor.raw(at + 3) == sign
        && cursor.is(at + 4, TokenKind::Digits);
    let mut date = Date::new(cursor.stretch(at, at + if third { 5 } else { 3 }));
    let (a, b) = (cursor.small(at)?, cursor.small(at + 2)?);
    if !third && sign == "/" && !matches!(cursor.lexicon.language(), "en" | "und") {
        // 20/8 2026
        if let (Some(day), Some(month), Some(year)) =
            (part(a, 31), part(b, 12), plausible_year(cursor, cursor.past_space(at + 3)))
            && cursor.is(at + 3, TokenKind::Space)
        {
            date =
                Date { year: Some(year), month: Some(month), day: Some(day), ..Date::new(cursor.stretch(at, at + 5)) };
            return Some((date, at + 5));
        }
    }
    if !third {
        date.year = Some(plausible_year(cursor, at).filter(|_| sign != "." && cursor.digit_count(at + 2) == 2)?);
        date.month = Some(part(b, 12)?);
        return Some((date, at + 3));
    }
    let c = cursor.small(at + 4)?;
    if let Some(year) = plausible_year(cursor, at) {
        date.year = Some(year);
        date.month = Some(part(b, 12)?);
        date.day = Some(part(c, 31)?);
        return Some((date, at + 5));
    }
    let year = plausible_year(cursor, at + 4).or_else(|| {
        let short = i32::try_from(c).ok().filter(|_| cursor.digit_count(at + 4) == 2 && sign != "-")?;
        Some(if short < 70 { 2000 + short } else { 1900 + short })
    })?;
    date.year = Some(year);
    // Day first, unless only the other way is a date, or the sign and the language say so.
    let american = sign == "/" && matches!(cursor.lexicon.language(), "en" | "und");
    let (day, month) = if b > 12 || (american && a <= 12) { (b, a) } else { (a, b) };
    date.day = Some(part(day, 31)?);
    date.month = Some(part(month, 12)?);
    date.swappable = american && a <= 12 && b <= 12 && a != b;
    Some((date, at + 5))
}

/// `2026年8月20日`, `2026년 8월 20일`.
pub(super) fn east_asian(cursor: &Cursor<'_>, at: usize) -> Hit {
    // In Korean a particle may follow in the same word.
    let is = |at: usize, han: &[&str], hangul: char| {
        let word = cursor.raw(at);
        han.contains(&word) || word.starts_with(hangul) && cursor.joined(at)
    };
    let mut date = Date::new(Span::default());
    let (mut next, mut number) = (at, at);
    if is(number + 1, &["年"], '년') {
        date.year = Some(i32::try_from(cursor.small(number)?).ok().filter(|y| *y >= 1000)?);
        next = number + 2;
        number = cursor.past_space(next);
    }
    if cursor.is(number, TokenKind::Digits) && is(number + 1, &["月"], '월') {
        date.month = Some(part(cursor.small(number)?, 12)?);
        next = number + 2;
        number = cursor.past_space(next);
        if cursor.is(number, TokenKind::Digits) && is(number + 1, &["日", "号"], '일') {
            date.day = Some(part(cursor.small(number)?, 31)?);
            next = number + 2;
        }
    }
    date.span = cursor.stretch(at, next);
    (next > at).then_some((date, next))
}

/// `am 31.12.`: a day and month without their year, where decimals have a comma and a word before it stands before dates.
pub(super) fn day_and_month(cursor: &Cursor<'_>, at: usize) -> Hit {
    let stop = |i: usize| cursor.is_mark(i, &['.']) && cursor.joined(i);
    let shaped = cursor.lexicon.decimal() == Some(',') && stop(at + 1) && stop(at + 3) && cursor.joined(at + 2);
    let short = cursor.digit_count(at) <= 2 && (1..=2).contains(&cursor.digit_count(at + 2));
    let before = cursor.before(at).map(|i| cursor.word(i)).unwrap_or_default();
    if !shaped
        || !short
        || !matches!(before.as_ref(), "am" | "vom" | "zum" | "bis" | "ab" | "den" | "dem" | "seit" | "und")
    {
        return None;
    }
    if cursor.joined(at + 4) && cursor.is(at + 4, TokenKind::Digits) {
        return None;
    }
    let (day, month) = (part(cursor.small(at)?, 31)?, part(cursor.small(at + 2)?, 12)?);
    Some((Date { month: Some(month), day: Some(day), ..Date::new(cursor.stretch(at, at + 4)) }, at + 4))
}

/// `2025-W10`, `2025-W10-3`: a week of ISO 8601, or a day of one.
pub(super) fn week(cursor: &Cursor<'_>, at: usize) -> Hit {
    let year = plausible_year(cursor, at).filter(|_| !cursor.joined(at))?;
    let letter = at + 1 + usize::from(cursor.is_mark(at + 1, &['-']));
    let joined = (at + 1..=letter + 1).all(|i| cursor.joined(i));
    if !joined || cursor.raw(letter) != "W" || cursor.digit_count(letter + 1) != 2 {
        return None;
    }
    let week = part(cursor.small(letter + 1)?, 53)?;
    let to = letter + 2;
    let weekday =
        part(cursor.small(to + 1).unwrap_or(0), 7).filter(|_| cursor.is_mark(to, &['-']) && cursor.joined(to + 1));
    match weekday {
        Some(weekday) => {
            let (year, month, day) = calendar::date_of(calendar::monday_of(year, week) + i64::from(weekday) - 1);
            let date =
                Date { year: Some(year), month: Some(month), day: Some(day), ..Date::new(cursor.stretch(at, to + 2)) };
            Some((date, to + 2))
        }
        None => {
            let date = Date { year: Some(year), part: Some(Part::Week(week)), ..Date::new(cursor.stretch(at, to)) };
            Some((date, to))
        }
    }
}

/// `20250304`, where a word before it or a label makes it a date.
pub(super) fn compact(cursor: &Cursor<'_>, at: usize) -> Hit {
    if cursor.digit_count(at) != 8 || cursor.joined(at) || cursor.joined(at + 1) && cursor.is(at + 1, TokenKind::Word) {
        return None;
    }
    let digits = cursor.small(at)?;
    let (year, month, day) = (i32::try_from(digits / 10_000).ok()?, digits / 100 % 100, digits % 100);
    let labelled = cursor.before(at).is_none_or(|i| {
        let word = cursor.word(i);
        cursor.is_mark(i, &[':', '('])
            || cursor.lexicon.cues.year_words.contains(word.as_ref())
            || matches!(word.as_ref(), "on" | "dated" | "date" | "am" | "vom" | "le")
    });
    if !labelled || !(1900..2100).contains(&year) || cursor.measures(at + 1) {
        return None;
    }
    let date = Date {
        year: Some(year),
        month: Some(part(month, 12)?),
        day: Some(part(day, 31)?),
        ..Date::new(cursor.span(at))
    };
    Some((date, at + 1))
}

/// `令和7年3月4日`: years of a Japanese era; 元年 is its first.
pub(super) fn japanese_era(cursor: &Cursor<'_>, at: usize) -> Hit {
    let before_first = match (cursor.raw(at), cursor.raw(at + 1)) {
        ("令", "和") => 2018,
        ("平", "成") => 1988,
        ("昭", "和") => 1925,
        ("大", "正") => 1911,
        ("明", "治") => 1867,
        _ => return None,
    };
    let number = if cursor.raw(at + 2) == "元" { 1 } else { cursor.small(at + 2).filter(|n| (1..=64).contains(n))? };
    if cursor.raw(at + 3) != "年" {
        return None;
    }
    let year = Some(before_first + i32::try_from(number).ok()?);
    let (month_and_day, to) = east_asian(cursor, at + 4)
        .filter(|(date, _)| date.year.is_none())
        .unwrap_or((Date::new(Span::default()), at + 4));
    Some((Date { year, span: cursor.stretch(at, to), ..month_and_day }, to))
}
