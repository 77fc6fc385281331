//! Years that stand alone, and decades written as years.

use super::period::{business_year, of_decade};
use super::range::past_range_sign;
use super::{Bound, Date, Era, Hit, full_year, plausible_year, word_at};
use crate::text::cursor::Cursor;
use crate::text::lexicon::{DateWord, role};
use crate::text::span::Span;
use crate::text::word::TokenKind;

/// A bare year, where its surroundings make it one; a decade.
pub(super) fn year(cursor: &Cursor<'_>, at: usize, earlier: &[Date]) -> Hit {
    let year = plausible_year(cursor, at)?;
    if is_joined_left(cursor, at) || in_a_longer_number(cursor, at) || followed_by_ideograph(cursor, at) {
        return None;
    }
    // "fiscal year 2023/24": one year, by its end.
    if cursor.is_mark(at + 1, &['/', '-', '–'])
        && let Some((year, to)) = business_year(cursor, at).filter(|(_, to)| *to > at + 1)
        && is_business(cursor, at)
    {
        return Some((Date { year: Some(year), fiscal: true, ..Date::new(cursor.stretch(at, to)) }, to));
    }
    if let Some((era, to)) = years_from(cursor, at, year) {
        return Some((Date { year: Some(year), era, ..Date::new(cursor.stretch(at, to)) }, to));
    }
    let next = at + 1;
    if cursor.joined(next)
        && (cursor.is(next, TokenKind::Word)
            || (cursor.is_mark(next, &['.', ',', '\''])
                && cursor.joined(next + 1)
                && cursor.is(next + 1, TokenKind::Digits)))
    {
        return None;
    }
    if cursor.measures(next)
        || (cursor.is_mark(next, &['-', '–'])
            && cursor.joined(next)
            && cursor.measures(next + 1)
            && cursor.joined(next + 1))
    {
        return None;
    }
    let before = cursor.before(at);
    let currency = before.is_some_and(|i| {
        cursor.lexicon.units.symbols.ending_at(cursor.text, cursor.tokens, i + 1).is_some_and(|f| f.meaning.before)
    });
    if currency || !stands_as_year(cursor, at, year, earlier) {
        return None;
    }
    let unsure = in_a_name(cursor, at);
    Some((Date { year: Some(year), unsure, ..Date::new(cursor.span(at)) }, next))
}

/// `2000人`: counted things.
fn followed_by_ideograph(cursor: &Cursor<'_>, at: usize) -> bool {
    cursor.joined(at + 1)
        && cursor.is(at + 1, TokenKind::Ideograph)
        && !matches!(cursor.raw(at + 1), "年" | "の" | "に")
}

/// A word such as "fiscal year" right before.
fn is_business(cursor: &Cursor<'_>, at: usize) -> bool {
    let phrases = &cursor.lexicon.calendar.words;
    phrases.ending_at(cursor.text, cursor.tokens, at).is_some_and(|found| found.meaning == DateWord::Fiscal)
}

/// `(19121954)`: two years whose dash was lost.
pub(super) fn glued(cursor: &Cursor<'_>, at: usize) -> Option<[Date; 2]> {
    const LONGEST_LIFE: i32 = 120;
    let bracketed = cursor.digit_count(at) == 8
        && cursor.before(at).is_some_and(|i| cursor.is_mark(i, &['(']))
        && cursor.is_mark(cursor.past_space(at + 1), &[')']);
    let digits = cursor.small(at).filter(|_| bracketed && cursor.raw(at).is_ascii())?;
    let (first, last) = (i32::try_from(digits / 10_000).ok()?, i32::try_from(digits % 10_000).ok()?);
    if !(1000..2200).contains(&first) || !(first..=first + LONGEST_LIFE).contains(&last) {
        return None;
    }
    let span = cursor.span(at);
    let middle = span.start + 4;
    let (from, until) = (Span::new(span.start, middle), Span::new(middle, span.end));
    Some([
        Date { year: Some(first), bound: Some(Bound::From), ..Date::new(from) },
        Date { year: Some(last), bound: Some(Bound::Until), closes: true, ..Date::new(until) },
    ])
}

/// Letters, signs or decimals right before it: no year. "word.1990" is a full stop without its space.
fn is_joined_left(cursor: &Cursor<'_>, at: usize) -> bool {
    let joined = cursor.joined(at)
        && (cursor.is(at - 1, TokenKind::Word) || cursor.is_mark(at - 1, &['.', ',', '\'', '$', '€', '£', '#', '/']));
    joined && !(cursor.is_mark(at - 1, &['.', ',', '/']) && (at < 2 || !cursor.is(at - 2, TokenKind::Digits)))
}

/// `555-1990`, `2019-4432`: one number with a hyphen in it, unless both of its parts are years.
fn in_a_longer_number(cursor: &Cursor<'_>, at: usize) -> bool {
    let is_hyphen = |i: usize| cursor.is_mark(i, &['-', '‐', '‑', '–']) && cursor.joined(i) && cursor.joined(i + 1);
    let before = at >= 2
        && is_hyphen(at - 1)
        && cursor.is(at - 2, TokenKind::Digits)
        && cursor.digit_count(at - 2) > 2
        && plausible_year(cursor, at - 2).is_none();
    let behind = is_hyphen(at + 1)
        && cursor.is(at + 2, TokenKind::Digits)
        && cursor.digit_count(at + 2) > 2
        && plausible_year(cursor, at + 2).is_none();
    before || behind
}

/// `90er`, `1990er Jahre`, `1990-talet`, `1990-е годы`.
pub(super) fn decade_behind(cursor: &Cursor<'_>, at: usize) -> Hit {
    if is_joined_left(cursor, at) {
        return None;
    }
    let written = cursor.small(at).and_then(|n| i32::try_from(n).ok()).filter(|n| n % 10 == 0)?;
    let (year, unsure) = match cursor.digit_count(at) {
        4 => (plausible_year(cursor, at)?, false),
        2 => (1900 + written, true),
        _ => return None,
    };
    let german = || years_from(cursor, at, year).filter(|_| cursor.lexicon.language() == "de");
    let (era, to) = years_named(cursor, at, year).or_else(german)?;
    Some((Date { year: Some(year), era, unsure, ..Date::new(cursor.stretch(at, to)) }, to))
}

/// The same, where a word of the lexicon for a decade is written right behind it.
fn years_named(cursor: &Cursor<'_>, at: usize, year: i32) -> Option<(Era, usize)> {
    let sign = cursor.is_mark(at + 1, &['-', '‐', '‑', '\'', '’']);
    // 1990 के दशक; elsewhere such words are written with the digits.
    let joined = if cursor.lexicon.postpositions { cursor.past_space(at + 1) } else { at + 1 } + usize::from(sign);
    let is_joined = |i: usize| cursor.joined(i) || cursor.is(i - 1, TokenKind::Space);
    if !(at + 1..=joined).all(|i| is_joined(i) || cursor.is(i, TokenKind::Space)) || !cursor.is(joined, TokenKind::Word)
    {
        return None;
    }
    let Some((DateWord::Decade, to)) = word_at(cursor, joined) else { return None };
    Some((era_from(year), to))
}

/// What the years from one on are.
const fn era_from(year: i32) -> Era {
    match year {
        // "the 1800s" are a hundred years, "the 2000s" so far ten.
        _ if year % 100 == 0 && year < 2000 => Era::Hundred,
        _ if year % 10 == 0 => Era::Decade,
        _ => Era::Year,
    }
}

/// `1990s`, `1990's`, `1990er`, `1800s`: the years from one on, and the token behind.
fn years_from(cursor: &Cursor<'_>, at: usize, year: i32) -> Option<(Era, usize)> {
    let apostrophe = usize::from(cursor.is_mark(at + 1, &['\'', '’']) && cursor.joined(at + 1));
    let hyphen = usize::from(cursor.is_mark(at + 1, &['-']) && cursor.joined(at + 1));
    let german = cursor.lexicon.language() == "de" && matches!(cursor.raw(at + 1 + hyphen), "er" | "ern");
    let ending = at + 1 + if german { hyphen } else { apostrophe };
    if !cursor.joined(ending) || !(german || cursor.raw(ending) == "s") {
        return None;
    }
    Some((era_from(year), ending + 1))
}

/// Whether what stands around a number of four digits makes it a year.
fn stands_as_year(cursor: &Cursor<'_>, at: usize, year: i32, earlier: &[Date]) -> bool {
    let next = at + 1;
    let before = cursor.before(at);
    let before_word = before.map(|i| cursor.word(i)).unwrap_or_default();
    let bracket = before.is_some_and(|i| cursor.is_mark(i, &['(', '–', '-', '/', ';', '[']));
    let range = earlier.last().is_some_and(|d| {
        d.year.is_some() && cursor.text.get(d.span.end..cursor.span(at).start).is_some_and(|gap| gap.len() <= 5)
    });
    let spaced = cursor.past_space(next);
    // "2000 Mitarbeiter", where all nouns have a capital.
    let noun = cursor.lexicon.nouns_capitalised && cursor.is_capitalised(spaced) && spaced > next;
    let introduced = cursor.lexicon.cues.year_words.contains(before_word.as_ref());
    if noun && !bracket && !range && !before_nouns(cursor, &before_word) {
        return false;
    }
    let counted = cursor.is(spaced, TokenKind::Word)
        && !cursor.is_capitalised(spaced)
        && !cursor.lexicon.is_stop_word(&cursor.word(spaced));
    let recent = (1500..2100).contains(&year);
    let context = introduced || bracket || range || cursor.is_mark(next, &[')', '–']);
    if counted {
        let determined = matches!(before_word.as_ref(), "the" | "its" | "a" | "his" | "her" | "their" | "s")
            || before_word.ends_with("'s");
        let attribute = cursor.lexicon.language() == "en" && !counts_things(cursor, spaced);
        // "1924 gegründet.": where all nouns have a capital, nothing is counted before the phrase ends.
        let behind = cursor.past_space(spaced + 1);
        let ends = behind >= cursor.len() || cursor.is_mark(behind, &['.', ',', ';', ':', ')', '!', '?']);
        let verb = cursor.lexicon.nouns_capitalised && ends;
        recent && (determined || attribute || verb || (context && !plural(cursor, spaced))) || bracket || range
    } else {
        context || recent || before.is_some_and(|i| cursor.is_capitalised(i))
    }
}

/// German words that a year stands behind even before a noun: "seit 1990 Bürgermeister", but "und 1500 Kunden".
fn before_nouns(cursor: &Cursor<'_>, word: &str) -> bool {
    let calendar = &cursor.lexicon.calendar;
    matches!(word, "im" | "seit" | "jahr" | "jahre" | "jahres" | "anfang" | "ende" | "mitte")
        || calendar.seasons.contains_key(word)
        || calendar.months.contains_key(word)
}

/// `Windows 2000`, `“1984”`, `2001: A Space Odyssey`: the number may be part of a name.
fn in_a_name(cursor: &Cursor<'_>, at: usize) -> bool {
    const QUOTES: [char; 9] = ['"', '“', '”', '„', '«', '»', '‘', '*', '_'];
    let next = at + 1;
    let quoted =
        cursor.joined(at) && cursor.is_mark(at - 1, &QUOTES) && cursor.is_mark(next, &QUOTES) && cursor.joined(next);
    let lexicon = cursor.lexicon;
    let title = cursor.is_mark(next, &[':']) && cursor.is_capitalised(cursor.past_space(next + 1));
    let Some(before) = cursor.before(at) else { return title || quoted };
    let word = cursor.word(before);
    if title && cursor.is(before, TokenKind::Mark) {
        return true;
    }
    let behind_name = cursor.is_capitalised(before)
        && !lexicon.nouns_capitalised
        // "the Institute's 2015 report"
        && !word.ends_with("'s")
        && before + 1 < at
        && before > 0
        && cursor.before(before).is_some_and(|i| !cursor.is_mark(i, &['.', '!', '?', '\n']))
        && !lexicon.cues.year_words.contains(word.as_ref())
        && !lexicon.is_stop_word(&word)
        && !lexicon.calendar.months.contains_key(word.as_ref())
        && !lexicon.calendar.seasons.contains_key(word.as_ref());
    quoted || behind_name
}

/// `'98`, `'90s`: the century is guessed.
pub(super) fn short(cursor: &Cursor<'_>, at: usize) -> Hit {
    if !cursor.is_mark(at, &['\'', '’', '‘'])
        || cursor.joined(at) && !cursor.is_mark(at - 1, &['(', '–', '-', '/'])
        || !cursor.joined(at + 1)
    {
        return None;
    }
    let number = cursor.small(at + 1).filter(|_| cursor.digit_count(at + 1) == 2)?;
    if cursor.joined(at + 2) && cursor.raw(at + 2) == "s" && number % 10 == 0 {
        let decade = of_decade(full_year(number)?, cursor.stretch(at, at + 3));
        return Some((Date { unsure: true, ..decade }, at + 3));
    }
    let before = cursor.before(at)?;
    let cued = cursor.lexicon.cues.year_words.contains(cursor.word(before).as_ref())
        || cursor.is_mark(before, &['–', '-', '(', '/']);
    let ends =
        !(cursor.joined(at + 2) && (cursor.is(at + 2, TokenKind::Word) || cursor.is_mark(at + 2, &['\'', '’', '%'])));
    let date = Date { year: full_year(number), unsure: true, ..Date::new(cursor.stretch(at, at + 2)) };
    (cued && ends && !cursor.measures(at + 2)).then_some((date, at + 2))
}

/// "nineteen eighty-four", "twenty twenty-one" behind a word that a year stands behind.
pub(super) fn worded(cursor: &Cursor<'_>, at: usize) -> Hit {
    if !matches!(cursor.lexicon.language(), "en" | "und") || !cursor.may_begin(at, role::NUMBER) {
        return None;
    }
    let words = &cursor.lexicon.numbers.words;
    let value = |i: usize| words.get(cursor.word(i).as_ref()).copied();
    let hundreds = value(at).filter(|n| (11..=20).contains(n))?;
    let before = cursor.before(at)?;
    if !cursor.lexicon.cues.year_words.contains(cursor.word(before).as_ref()) {
        return None;
    }
    let second = cursor.past_space(at + 1);
    let tens = value(second).filter(|n| (10..=99).contains(n) && second > at + 1)?;
    let ones_at = second
        + 1
        + usize::from(cursor.is_mark(second + 1, &['-', '‐', '‑']) || cursor.is(second + 1, TokenKind::Space));
    let ones = value(ones_at).filter(|n| (1..=9).contains(n) && tens >= 20 && tens % 10 == 0);
    let to = if ones.is_some() { ones_at + 1 } else { second + 1 };
    if cursor.measures(to) {
        return None;
    }
    let year = i32::try_from(hundreds * 100 + tens + ones.unwrap_or(0)).ok();
    Some((Date { year, unsure: true, ..Date::new(cursor.stretch(at, to)) }, to))
}

/// `AD 70`.
pub(super) fn in_era(cursor: &Cursor<'_>, at: usize) -> Hit {
    if !cursor.may_begin(at, role::DATE) || !cursor.raw(at).starts_with(char::is_uppercase) {
        return None;
    }
    let Some((DateWord::InEra, next)) = word_at(cursor, at) else { return None };
    let number = cursor.past_space(next);
    let year = cursor.small(number).filter(|n| (1..2200).contains(n))?;
    let ends = !(cursor.joined(number + 1) && cursor.is(number + 1, TokenKind::Word));
    let date = Date { year: i32::try_from(year).ok(), ..Date::new(cursor.stretch(at, number + 1)) };
    ends.then_some((date, number + 1))
}

fn plural(cursor: &Cursor<'_>, at: usize) -> bool {
    const WITHOUT_S: [&str; 12] = [
        "people",
        "police",
        "personnel",
        "staff",
        "crew",
        "cattle",
        "sheep",
        "fish",
        "deer",
        "aircraft",
        "spacecraft",
        "data",
    ];
    let word = cursor.word(at);
    word.ends_with('s') || word.ends_with("en") || WITHOUT_S.contains(&word.as_ref())
}

/// Whether what follows a number are things that can be counted: "1800 active users", but no "2017 population".
fn counts_things(cursor: &Cursor<'_>, mut at: usize) -> bool {
    const MOST_WORDS: usize = 4;
    for _ in 0..MOST_WORDS {
        if !cursor.is(at, TokenKind::Word) || cursor.lexicon.is_stop_word(&cursor.word(at)) {
            return false;
        }
        if plural(cursor, at) {
            return true;
        }
        at = cursor.past_space(at + 1);
    }
    true
}

/// `44 BC`, `70 n. Chr.`, `3,800 BC`, and the first year of `300–200 BC`.
pub(super) fn before_era(cursor: &Cursor<'_>, at: usize) -> Hit {
    let (year, next) = counted_year(cursor, at)?;
    if is_joined_left(cursor, at) {
        return None;
    }
    if let Some((before, to)) = era(cursor, next) {
        let year = Some(if before { -year } else { year });
        return Some((Date { year, ..Date::new(cursor.stretch(at, to)) }, to));
    }
    let last = past_range_sign(cursor, next)?;
    let (last, behind) = counted_year(cursor, last)?;
    let (before, _) = era(cursor, behind)?;
    let falls = if before { last < year } else { last > year };
    let year = Some(if before { -year } else { year });
    falls.then(|| (Date { year, ..Date::new(cursor.stretch(at, next)) }, next))
}

/// A year of an era, its thousands set apart or not, and the token behind it.
fn counted_year(cursor: &Cursor<'_>, at: usize) -> Option<(i32, usize)> {
    let number = |at: usize| cursor.small(at).and_then(|n| i32::try_from(n).ok());
    let year = number(at).filter(|year| (1..10_000).contains(year))?;
    let is_grouped = cursor.joined(at + 1)
        && cursor.is_mark(at + 1, &[',', '.', '\'', '’'])
        && cursor.joined(at + 2)
        && cursor.raw(at + 2).len() == 3;
    match number(at + 2).filter(|_| is_grouped && year < 100) {
        Some(rest) => Some((year * 1_000 + rest, at + 3)),
        None => Some((year, at + 1)),
    }
}

/// Whether the era at token `at` is that before our own, and the token behind it. Letters that are words too need their capitals.
fn era(cursor: &Cursor<'_>, at: usize) -> Option<(bool, usize)> {
    let next = cursor.past_space(at);
    if !cursor.may_begin(next, role::DATE) {
        return None;
    }
    let short = cursor.raw(next).chars().count() == 2 && !cursor.raw(next).chars().all(char::is_uppercase);
    match word_at(cursor, next).filter(|(_, to)| !short || *to > next + 1) {
        Some((DateWord::BeforeEra, to)) => Some((true, to)),
        Some((DateWord::InEra, to)) => Some((false, to)),
        _ => None,
    }
}
