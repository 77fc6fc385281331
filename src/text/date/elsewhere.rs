//! Years of other calendars: Buddhist, Minguo, Solar Hijri and Hijri.

use super::{Date, Hit};
use crate::text::cursor::Cursor;

/// A year with the sign of another calendar, or one that the language counts by; in years of the common era.
pub(super) fn year(cursor: &Cursor<'_>, at: usize) -> Hit {
    let written = cursor.small(at).filter(|_| matches!(cursor.digit_count(at), 1..=4))?;
    let year = i32::try_from(written).ok()?;
    let is_minguo = at >= 2 && year < 200 && matches!((cursor.raw(at - 2), cursor.raw(at - 1)), ("民", "国" | "國"));
    let common = if is_minguo { year + 1911 } else { of_era(cursor, at, year)? };
    let date = Date { year: Some(common), unsure: true, converted: true, ..Date::new(cursor.span(at)) };
    Some((date, at + 1))
}

fn of_era(cursor: &Cursor<'_>, at: usize, year: i32) -> Option<i32> {
    const BUDDHIST: std::ops::RangeInclusive<i32> = 2300..=2700;
    const HIJRI: std::ops::RangeInclusive<i32> = 1200..=1500;
    if !(BUDDHIST.contains(&year) || HIJRI.contains(&year)) {
        return None;
    }
    let span = cursor.span(at);
    let before = cursor.text.get(..span.start).unwrap_or_default().trim_end();
    let behind = cursor.text.get(span.end..).unwrap_or_default().trim_start();
    let has = |signs: &[&str]| {
        let ends = |text: &str| !text.starts_with(|c: char| c.is_ascii_alphanumeric());
        signs.iter().any(|sign| before.ends_with(sign) || behind.strip_prefix(sign).is_some_and(ends))
    };
    let is_free = !cursor.joined(at) || !cursor.is_mark(at - 1, &['.', ',', '-', '/', '#']);
    let is_thai = before.ends_with(|c: char| ('\u{e00}'..='\u{e7f}').contains(&c));
    let is_persian =
        before.ends_with("سال") && cursor.raw(at).starts_with(|c: char| ('\u{6f0}'..='\u{6f9}').contains(&c));
    match () {
        () if BUDDHIST.contains(&year) => {
            (has(&["B.E.", "BE", "B.E", "พ.ศ.", "พ.ศ", "Buddhist Era"]) || (is_free && is_thai)).then_some(year - 543)
        }
        // A lunar year is shorter by some eleven days.
        () if has(&["AH", "A.H.", "هـ", "ه\u{200d}"]) => Some(year - year / 33 + 622),
        () => (has(&["SH", "A.P.", "ه\u{200d}.ش", "هجری شمسی"]) || (is_free && is_persian)).then_some(year + 621),
    }
}
