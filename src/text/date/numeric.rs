//! Dates in digits: ISO, with dots and slashes, and those of East Asia.

use super::{Date, Hit, part, plausible_year};
use crate::text::cursor::Cursor;
use crate::text::span::Span;
use crate::text::word::TokenKind;

/// `2026-08-20`, `20.08.2026`, `8/20/2026`, `2026-08`.
pub(super) fn numeric(cursor: &Cursor<'_>, at: usize) -> Hit {
    if cursor.joined(at) && cursor.is_mark(at - 1, &['-', '/', '.']) && at > 1 && cursor.is(at - 2, TokenKind::Digits) {
        return None;
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
        let clock = cursor.raw(at + 5) == "T" && cursor.joined(at + 5);
        return Some((date, if clock { clock_end(cursor, at + 5) } else { at + 5 }));
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

fn clock_end(cursor: &Cursor<'_>, at: usize) -> usize {
    let mut to = at + 1;
    while cursor.joined(to)
        && (matches!(cursor.kind(to), Some(TokenKind::Digits))
            || cursor.is_mark(to, &[':', '.', '+', '-'])
            || cursor.raw(to) == "Z")
    {
        to += 1;
    }
    to
}

/// `2026年8月20日`.
pub(super) fn east_asian(cursor: &Cursor<'_>, at: usize) -> Hit {
    let mut date = Date::new(Span::default());
    let mut next = at;
    if cursor.raw(next + 1) == "年" {
        date.year = Some(i32::try_from(cursor.small(next)?).ok().filter(|y| *y >= 1000)?);
        next += 2;
    }
    if cursor.is(next, TokenKind::Digits) && cursor.raw(next + 1) == "月" {
        date.month = Some(part(cursor.small(next)?, 12)?);
        next += 2;
        if cursor.is(next, TokenKind::Digits) && matches!(cursor.raw(next + 1), "日" | "号") {
            date.day = Some(part(cursor.small(next)?, 31)?);
            next += 2;
        }
    }
    date.span = cursor.stretch(at, next);
    (next > at).then_some((date, next))
}
