//! Ranges of dates: what stands at one end of them and holds for both.

use super::named::{OF, day_first, month_at, past_ordinal, past_word, year_behind};
use super::{Date, Era, Hit, part};
use crate::text::cursor::Cursor;
use crate::text::word::{TokenKind, folded};

/// Past a dash or a word for a range ("to") at `at`, where one stands there.
pub(super) fn past_range_sign(cursor: &Cursor<'_>, at: usize) -> Option<usize> {
    let spaced = cursor.past_space(at);
    let dash = cursor.is_mark(spaced, &['-', '‐', '‑', '–', '—']);
    let word = cursor.is(spaced, TokenKind::Word) && joins_a_range(cursor, &cursor.word(spaced));
    (dash || word).then(|| cursor.past_space(spaced + 1))
}

fn joins_a_range(cursor: &Cursor<'_>, word: &str) -> bool {
    let cues = &cursor.lexicon.cues;
    cues.range_joiners.contains(word) || cues.range_pairs.iter().any(|(_, second)| second.as_ref() == word)
}

/// The first day of `10–12 May 1968`; the last one is read as a date of its own.
pub(super) fn first_of_days(cursor: &Cursor<'_>, at: usize) -> Hit {
    let day = part(cursor.small(at)?, 31).filter(|_| cursor.digit_count(at) <= 2)?;
    let next = past_ordinal(cursor, at + 1);
    let (last, _) = day_first(cursor, past_range_sign(cursor, next)?)?;
    (Some(day) < last.day).then(|| (Date { day: Some(day), span: cursor.stretch(at, next), ..last }, next))
}

/// The last day of `May 10–12, 1968`, whose year is that of the first one too.
pub(super) fn last_of_days(cursor: &mut Cursor<'_>, found: &mut Vec<Date>, at: usize) -> usize {
    let Some(first) = found.last().copied().filter(|d| d.year.is_none() && d.day.is_some() && d.month.is_some()) else {
        return at;
    };
    let Some(number) = past_range_sign(cursor, at).filter(|_| first.span.end == cursor.span(at.saturating_sub(1)).end)
    else {
        return at;
    };
    let day = cursor.small(number).filter(|_| cursor.digit_count(number) <= 2).and_then(|n| part(n, 31));
    let next = past_ordinal(cursor, number + 1);
    let own_month = month_at(cursor, cursor.past_space(past_word(cursor, next, &OF))).is_some();
    let goes_on = cursor.joined(next) && !cursor.is_mark(next, &[',', '.', ';', ')']);
    if day <= first.day || own_month || goes_on || cursor.measures(next) || cursor.is_taken(number) {
        return at;
    }
    let (year, to) = year_behind(cursor, next).map_or((None, next), |(year, to)| (Some(year), to));
    if let Some(first) = found.last_mut() {
        first.year = year;
    }
    found.push(Date { day, year, span: cursor.stretch(number, to), ..first });
    cursor.take(at, to);
    to
}

/// `25 September – 4 November 1915`, `May to July 2024`: the year at the end of a range is that of its beginning too.
pub(super) fn share_year(cursor: &Cursor<'_>, found: &mut [Date]) {
    for right in 1..found.len() {
        let Some(([.., first], [last, ..])) = found.split_at_mut_checked(right) else { continue };
        let alike = first.month.is_some() && last.month.is_some() && first.day.is_some() == last.day.is_some();
        let open = alike && first.year.is_none() && last.year.is_some();
        if open && (first.month, first.day) < (last.month, last.day) && is_joined(cursor, first, last) {
            // "May and June of 1971": of the months alone, the first may have its own.
            (first.year, first.unsure) = (last.year, first.day.is_none());
        }
    }
}

/// Whether two dates are the ends of a range: a dash or a word such as "to" between them.
pub(super) fn is_joined(cursor: &Cursor<'_>, first: &Date, last: &Date) -> bool {
    const LONGEST: usize = 24;
    let Some(gap) = cursor.text.get(first.span.end..last.span.start).filter(|gap| gap.len() <= LONGEST) else {
        return false;
    };
    let mut words = gap.split_whitespace();
    let Some(sign) = words.next() else { return false };
    let rest = words.all(|word| matches!(word, "the" | "zum" | "den" | "dem" | "le" | "el" | "il" | "o"));
    rest && (matches!(sign, "-" | "‐" | "‑" | "–" | "—" | "−" | "/" | "〜" | "～" | "から")
        || joins_a_range(cursor, &folded(sign)))
}

/// `1914–18`: the two digits behind a year and a dash are the end of a range.
pub(super) fn short_year(cursor: &mut Cursor<'_>, found: &mut Vec<Date>, at: usize) -> usize {
    let Some(first) = found
        .last()
        .copied()
        .filter(|d| d.month.is_none() && d.era == Era::Year && d.span.end == cursor.span(at).start)
    else {
        return at;
    };
    let dash = cursor.is_mark(at, &['-', '–', '/']) && cursor.joined(at) && cursor.joined(at + 1);
    let ends = !(cursor.joined(at + 2) && (cursor.is(at + 2, TokenKind::Word) || cursor.is_mark(at + 2, &['-', '%'])));
    if let (true, true, 2, Some(end), Some(year)) =
        (dash, ends, cursor.digit_count(at + 1), cursor.small(at + 1), first.year)
    {
        let end = i32::try_from(end).unwrap_or_default();
        if year > 0 && end > year % 100 {
            found.push(Date { year: Some(year - year % 100 + end), ..Date::new(cursor.span(at + 1)) });
            cursor.take(at, at + 2);
            return at + 2;
        }
    }
    at
}
