//! Stretches of time with a name of their own: quarters, seasons, decades, centuries, business years.

use super::named::past_ordinal;
use super::{Date, Era, Hit, Part, full_year, part, plausible_year, word_at};
use crate::text::cursor::Cursor;
use crate::text::lexicon::{DateWord, role};
use crate::text::span::Span;
use crate::text::word::TokenKind;

/// Words between a part and its year: "of", "of the", "del".
pub(super) const BETWEEN: [&str; 18] = [
    "of", "the", "de", "del", "des", "du", "di", "do", "da", "van", "het", "year", "years", "jahres", "of the", "dell",
    "der", "en",
];

/// Past spaces and words that only join, at most three.
fn past_between(cursor: &Cursor<'_>, at: usize) -> usize {
    const MOST: usize = 3;
    let mut at = cursor.past_space(at);
    for _ in 0..MOST {
        if !cursor.is(at, TokenKind::Word) || !BETWEEN.contains(&cursor.word(at).as_ref()) {
            break;
        }
        at = cursor.past_space(at + 1);
    }
    at
}

/// `Q3 2025`, `H1 of 2025`, `T3 2025`, `FY2024`, `FY24`.
pub(super) fn coded(cursor: &Cursor<'_>, at: usize) -> Hit {
    let written = cursor.raw(at);
    if !matches!(written, "Q" | "H" | "T" | "S" | "FY" | "CY")
        || cursor.joined(at) && cursor.is(at - 1, TokenKind::Digits)
    {
        return None;
    }
    if written == "FY" || written == "CY" {
        let (year, to) = business_year(cursor, cursor.past_space(at + 1))?;
        return Some((Date { year: Some(year), fiscal: written == "FY", ..Date::new(cursor.stretch(at, to)) }, to));
    }
    let part = coded_part(cursor, written, at + 1).filter(|_| cursor.joined(at + 1))?;
    let (fiscal, year, to) = year_of_part(cursor, at + 2)?;
    let date = Date { year: Some(year), part: Some(part), fiscal, ..Date::new(cursor.stretch(at, to)) };
    Some((date, to))
}

/// `2025Q3`, `2025-Q3`, `3Q25`, `3T 2025`.
pub(super) fn coded_behind(cursor: &Cursor<'_>, at: usize) -> Hit {
    if cursor.joined(at) {
        return None;
    }
    if let Some(year) = plausible_year(cursor, at) {
        let hyphen = usize::from(cursor.is_mark(at + 1, &['-', '/', ' ']) && cursor.joined(at + 1));
        let letter = cursor.past_space(at + 1 + hyphen);
        let part = coded_part(cursor, cursor.raw(letter), letter + 1).filter(|_| cursor.joined(letter + 1))?;
        if letter > at + 1 + hyphen && cursor.joined(letter + 2) {
            return None;
        }
        let to = letter + 2;
        return Some((Date { year: Some(year), part: Some(part), ..Date::new(cursor.stretch(at, to)) }, to));
    }
    let part = coded_part(cursor, cursor.raw(at + 1), at).filter(|_| cursor.joined(at + 1))?;
    let (fiscal, year, to) = year_of_part(cursor, at + 2)?;
    let date = Date { year: Some(year), part: Some(part), fiscal, ..Date::new(cursor.stretch(at, to)) };
    Some((date, to))
}

/// The part that a letter and the digit at token `digit` name. T and S are letters of the Romance languages.
fn coded_part(cursor: &Cursor<'_>, letter: &str, digit: usize) -> Option<Part> {
    let number = cursor.small(digit).filter(|_| cursor.digit_count(digit) == 1)?;
    let romance = matches!(cursor.lexicon.language(), "fr" | "es" | "it" | "pt");
    match letter {
        "Q" => part(number, 4).map(Part::Quarter),
        "T" if romance => part(number, 4).map(Part::Quarter),
        "H" => part(number, 2).map(Part::Half),
        "S" if romance => part(number, 2).map(Part::Half),
        _ => None,
    }
}

/// The year behind a part: `2025`, ` of fiscal year 2025`, `'25`, ` FY25`, `/2025`; and whether it is a business year.
fn year_of_part(cursor: &Cursor<'_>, at: usize) -> Option<(bool, i32, usize)> {
    let sign = cursor.is_mark(at, &['/', '-', ',', '.']);
    let next = past_between(cursor, at + usize::from(sign));
    if cursor.raw(next) == "FY" {
        let (year, to) = business_year(cursor, cursor.past_space(next + 1))?;
        return Some((true, year, to));
    }
    if let Some((DateWord::Fiscal, to)) = word_at(cursor, next) {
        let (year, to) = business_year(cursor, past_between(cursor, to))?;
        return Some((true, year, to));
    }
    let apostrophe = usize::from(cursor.is_mark(next, &['\'', '’', '‘']));
    let number = next + apostrophe;
    if apostrophe == 0
        && let Some(year) = plausible_year(cursor, number)
    {
        return (!cursor.joined(number + 1) || !cursor.is(number + 1, TokenKind::Word)).then_some((
            false,
            year,
            number + 1,
        ));
    }
    // `Q3'25`, `3Q25`
    let short = cursor
        .small(number)
        .filter(|_| cursor.digit_count(number) == 2 && (apostrophe > 0 || cursor.joined(number)))?;
    Some((false, full_year(short)?, number + 1))
}

/// `2024`, `24`, `2023/24`, `2023-2024`: the year in which it ends.
pub(super) fn business_year(cursor: &Cursor<'_>, at: usize) -> Option<(i32, usize)> {
    let apostrophe = usize::from(cursor.is_mark(at, &['\'', '’']));
    let number = at + apostrophe;
    let year = match cursor.digit_count(number) {
        4 => plausible_year(cursor, number)?,
        2 => full_year(cursor.small(number)?)?,
        _ => return None,
    };
    let to = number + 1;
    if cursor.is_mark(to, &['/', '-', '–']) && cursor.joined(to) && cursor.joined(to + 1) {
        let last = match cursor.digit_count(to + 1) {
            4 => plausible_year(cursor, to + 1),
            2 => cursor
                .small(to + 1)
                .and_then(|short| i32::try_from(short).ok())
                .map(|short| (year + 1).div_euclid(100) * 100 + short),
            _ => None,
        };
        if last == Some(year + 1) {
            return Some((year + 1, to + 2));
        }
    }
    Some((year, to))
}

/// `summer 2024`, `winter of 2019/20`, `l'été 2024`.
pub(super) fn season(cursor: &Cursor<'_>, at: usize) -> Hit {
    let season = *cursor.lexicon.calendar.seasons.get(cursor.word(at).as_ref())?;
    let next = past_between(cursor, at + 1);
    let apostrophe = cursor.is_mark(next, &['\'', '’', '‘']);
    let number = next + usize::from(apostrophe);
    let short = || cursor.small(number).filter(|_| apostrophe && cursor.digit_count(number) == 2).and_then(full_year);
    let year = plausible_year(cursor, number).filter(|_| !apostrophe).or_else(short)?;
    let (_, to) = business_year(cursor, number)?;
    if cursor.joined(to) && cursor.is(to, TokenKind::Word) || cursor.measures(number + 1) {
        return None;
    }
    let date = Date {
        year: Some(year),
        part: Some(Part::Season(season)),
        unsure: apostrophe,
        ..Date::new(cursor.stretch(at, to))
    };
    Some((date, to))
}

/// `the nineties`, `neunziger Jahre`, `années 90`, `anni Novanta`, `década de 1990`.
pub(super) fn decade(cursor: &Cursor<'_>, at: usize) -> Hit {
    if !cursor.may_begin(at, role::DATE) {
        return None;
    }
    if let Some(decade) = cursor.lexicon.calendar.decades.get(cursor.word(at).as_ref()) {
        // "in his nineties": an age. "a Twenties revival": still the decade.
        let of_someone = cursor.before(at).is_some_and(|i| {
            matches!(
                cursor.word(i).as_ref(),
                "his" | "her" | "their" | "my" | "your" | "our" | "its" | "seinen" | "ihren" | "low" | "high"
            )
        });
        let date = Date { unsure: true, ..of_decade(1900 + i32::from(*decade), cursor.span(at)) };
        let goes_on =
            cursor.joined(at + 1) && (cursor.is_mark(at + 1, &['-', '\'']) || !cursor.is(at + 1, TokenKind::Mark));
        return (!of_someone && !goes_on).then_some((date, at + 1));
    }
    let Some((DateWord::Decade, next)) = word_at(cursor, at) else { return None };
    let next = past_between(cursor, next);
    let number = next + usize::from(cursor.is_mark(next, &['\'', '’', '‘']));
    let ends = !cursor.joined(number + 1) || cursor.is_mark(number + 1, &[',', '.', ';', ':', ')', '-', '–']);
    if let Some(year) = plausible_year(cursor, number).filter(|year| year % 10 == 0 && ends) {
        return Some((of_decade(year, cursor.stretch(at, number + 1)), number + 1));
    }
    let words = &cursor.lexicon.numbers.words;
    let short = cursor
        .small(number)
        .filter(|_| cursor.digit_count(number) == 2)
        .or_else(|| words.get(cursor.word(number).as_ref()).copied());
    let tens = short.filter(|n| n % 10 == 0 && (20..=90).contains(n) && ends && !cursor.measures(number + 1))?;
    let date = of_decade(1900 + i32::try_from(tens).ok()?, cursor.stretch(at, number + 1));
    Some((Date { unsure: true, ..date }, number + 1))
}

pub(super) fn of_decade(year: i32, span: Span) -> Date {
    Date { year: Some(year), era: Era::Decade, ..Date::new(span) }
}

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
    let to = century_unit(cursor, last + 1)?;
    of_century(cursor, number, at, to)
}

/// `19th century`, `19. Jahrhundert`, `19e siècle`.
pub(super) fn century(cursor: &Cursor<'_>, at: usize) -> Hit {
    let number = cursor.small(at)?;
    let next = past_ordinal(cursor, at + 1);
    if next > at + 1
        && let Some(to) = century_unit(cursor, next)
    {
        return of_century(cursor, number, at, to);
    }
    // "18th and 19th centuries", "17th–18th century": the first one.
    let sign = cursor.past_space(next);
    let joins = cursor.is_mark(sign, &['-', '–', '/', ','])
        || cursor.is(sign, TokenKind::Word) && joins(cursor, &cursor.word(sign));
    let second = cursor.past_space(sign + 1);
    let end = past_ordinal(cursor, second + 1);
    let both = next > at + 1 && joins && end > second + 1 && century_unit(cursor, end).is_some();
    if both { of_century(cursor, number, at, next) } else { None }
}

fn joins(cursor: &Cursor<'_>, word: &str) -> bool {
    let cues = &cursor.lexicon.cues;
    cues.range_joiners.contains(word)
        || cues.range_pairs.iter().any(|(_, second)| second.as_ref() == word)
        || matches!(word, "or" | "und" | "oder" | "et" | "y" | "e" | "en")
}

/// `XIXe siècle`, `siglo XX`, `XX secolo`, `século XIX`.
pub(super) fn roman_century(cursor: &Cursor<'_>, at: usize) -> Hit {
    if let Some(number) = roman(cursor.raw(at)) {
        let next = past_ordinal(cursor, at + 1);
        let to = century_unit(cursor, next)?;
        return of_century(cursor, number, at, to);
    }
    if !cursor.may_begin(at, role::DATE) {
        return None;
    }
    let next = cursor.past_space(century_unit(cursor, at)?);
    let number = roman(cursor.raw(next)).or_else(|| cursor.small(next).filter(|_| cursor.digit_count(next) <= 2))?;
    of_century(cursor, number, at, next + 1)
}

/// A Roman number up to 21, with an ordinal ending or without: `XIX`, `XIXe`.
fn roman(word: &str) -> Option<u32> {
    const MOST: usize = 8;
    if !word.starts_with(['I', 'V', 'X']) || word.len() > MOST {
        return None;
    }
    let digits = word.trim_end_matches(|c: char| c.is_lowercase());
    let ending = word.get(digits.len()..)?;
    if !matches!(ending, "" | "e" | "ème" | "er" | "º" | "°") {
        return None;
    }
    let (mut total, mut last) = (0_u32, 0_u32);
    for sign in digits.chars().rev() {
        let value = match sign {
            'I' => 1,
            'V' => 5,
            'X' => 10,
            _ => return None,
        };
        total = if value < last { total.checked_sub(value)? } else { total + value };
        last = value;
    }
    Some(total)
}

/// The token behind the word for a century at `at`.
fn century_unit(cursor: &Cursor<'_>, at: usize) -> Option<usize> {
    let spaced = cursor.past_space(at);
    let unit_at = spaced + usize::from(cursor.is_mark(spaced, &['-', '‐', '‑']));
    let unit = cursor.lexicon.units.names.starting_at(cursor.text, cursor.tokens, unit_at)?;
    (unit.meaning.id.as_ref() == "century").then_some(unit.next)
}

/// A century from its number and, behind it, its era.
fn of_century(cursor: &Cursor<'_>, number: u32, from: usize, to: usize) -> Hit {
    const LAST: u32 = 30;
    let number = i32::try_from(number).ok().filter(|_| (1..=LAST).contains(&number))?;
    let (before, to) = match word_at(cursor, cursor.past_space(to)) {
        Some((DateWord::BeforeEra, next)) => (true, next),
        Some((DateWord::InEra, next)) => (false, next),
        _ => (false, to),
    };
    let year = Some(if before { -number } else { number });
    Some((Date { year, era: Era::Century, ..Date::new(cursor.stretch(from, to)) }, to))
}
