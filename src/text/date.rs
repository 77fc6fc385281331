//! Dates: from centuries to days, in the forms that texts write them in.

mod range;

use super::analysis::Analysis;
use super::cursor::Cursor;
use super::lexicon::role;
use super::outcome::{Outcome, Weight};
use super::quantity::compare::{Alignment, affordable};
use super::span::Span;
use super::word::TokenKind;

/// A date as far as it is given. At least one part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Date {
    /// Where it stands.
    pub span: Span,
    /// The year; negative before the common era. For a decade its first year, for a century its number.
    pub year: Option<i32>,
    /// 1 to 12.
    pub month: Option<u8>,
    /// 1 to 31.
    pub day: Option<u8>,
    /// What `year` counts.
    pub era: Era,
    /// Day and month may stand the other way round (`3/4/2020`).
    pub swappable: bool,
}

/// What the year of a date counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Era {
    /// A year.
    Year,
    /// The ten years from it on.
    Decade,
    /// A century, by its number: 19 is the 19th.
    Century,
}

impl Date {
    /// Years, decades, centuries and days with their month decide; a month alone only raises a suspicion.
    pub fn weight(&self) -> Weight {
        if self.year.is_some() || (self.month.is_some() && self.day.is_some()) { Weight::Final } else { Weight::Triage }
    }

    fn new(span: Span) -> Self {
        Self { span, year: None, month: None, day: None, era: Era::Year, swappable: false }
    }

    /// Whether `evidence` says all that this date says. A coarser date stands on a finer one, never the other way round.
    pub fn stands_on(&self, evidence: &Self) -> bool {
        let day_and_month = |month: Option<u8>, day: Option<u8>| {
            self.month.is_none_or(|m| Some(m) == month) && self.day.is_none_or(|d| Some(d) == day)
        };
        let year = match (self.era, evidence.era) {
            (a, b) if a == b => self.year.is_none_or(|year| Some(year) == evidence.year),
            (Era::Decade, Era::Year) => {
                self.year.zip(evidence.year).is_some_and(|(decade, year)| year.div_euclid(10) * 10 == decade)
            }
            (Era::Century, Era::Year | Era::Decade) => self
                .year
                .zip(evidence.year)
                .is_some_and(|(century, year)| year > 0 && (year + 99).div_euclid(100) == century),
            _ => false,
        };
        let swapped = (self.swappable || evidence.swappable) && day_and_month(evidence.day, evidence.month);
        year && (day_and_month(evidence.month, evidence.day) || swapped)
    }

    /// Whether the two give the same parts.
    fn as_fine_as(&self, other: &Self) -> bool {
        self.era == other.era
            && self.year.is_some() == other.year.is_some()
            && self.month.is_some() == other.month.is_some()
            && self.day.is_some() == other.day.is_some()
    }
}

/// Reads the dates at the cursor's tokens and takes them.
pub(crate) fn read(cursor: &mut Cursor<'_>) -> Vec<Date> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < cursor.len() {
        if cursor.is_taken(at) {
            at += 1;
            continue;
        }
        let hit = match cursor.kind(at) {
            Some(TokenKind::Digits) => numeric(cursor, at)
                .or_else(|| east_asian(cursor, at))
                .or_else(|| day_first(cursor, at))
                .or_else(|| range::first_of_days(cursor, at))
                .or_else(|| century(cursor, at))
                .or_else(|| before_era(cursor, at))
                .or_else(|| year(cursor, at, &found)),
            Some(TokenKind::Word) => month_first(cursor, at).or_else(|| worded_century(cursor, at)),
            _ => None,
        };
        match hit {
            Some((date, to)) if !(at..to).any(|i| cursor.is_taken(i)) => {
                cursor.take(at, to);
                found.push(date);
                let to = range::last_of_days(cursor, &mut found, to);
                at = range::short_year(cursor, &mut found, to);
            }
            _ => at += 1,
        }
    }
    range::share_year(cursor, &mut found);
    found
}

type Hit = Option<(Date, usize)>;

fn part(value: u32, most: u32) -> Option<u8> {
    u8::try_from(value).ok().filter(|_| (1..=most).contains(&value))
}

fn plausible_year(cursor: &Cursor<'_>, at: usize) -> Option<i32> {
    let year = cursor.small(at).filter(|year| cursor.digit_count(at) == 4 && (1000..2200).contains(year))?;
    i32::try_from(year).ok()
}

/// `2026-08-20`, `20.08.2026`, `8/20/2026`, `2026-08`.
fn numeric(cursor: &Cursor<'_>, at: usize) -> Hit {
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
fn east_asian(cursor: &Cursor<'_>, at: usize) -> Hit {
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

fn month_at(cursor: &Cursor<'_>, at: usize) -> Option<u8> {
    if !cursor.may_begin(at, role::MONTH) || cursor.is_taken(at) {
        return None;
    }
    cursor.lexicon.months.get(cursor.word(at).as_ref()).copied()
}

/// Past the full stop of a short month name.
fn past_stop(cursor: &Cursor<'_>, at: usize) -> usize {
    let spaced = cursor.past_space(at + 1);
    let goes_on = cursor.is(spaced, TokenKind::Digits) || cursor.is_mark(spaced, &[',']);
    if cursor.is_mark(at, &['.']) && cursor.joined(at) && goes_on { at + 1 } else { at }
}

/// Past a day's ordinal ending, at `at` behind its digits.
fn past_ordinal(cursor: &Cursor<'_>, at: usize) -> usize {
    let ending = cursor.joined(at) && cursor.lexicon.numbers.ordinal_endings.contains(cursor.word(at).as_ref());
    let sign = cursor.joined(at)
        && (cursor.is_mark(at, &['º', 'ª']) || (cursor.raw(at) == "." && cursor.lexicon.decimal() == Some(',')));
    if ending || sign { at + 1 } else { at }
}

fn past_word(cursor: &Cursor<'_>, at: usize, words: &[&str]) -> usize {
    let spaced = cursor.past_space(at);
    if cursor.is(spaced, TokenKind::Word) && words.contains(&cursor.word(spaced).as_ref()) { spaced + 1 } else { at }
}

const OF: [&str; 8] = ["of", "de", "del", "do", "du", "di", "the", "van"];

/// A year behind a day and month: `, 1867`, ` de 1867`, ` 1867`.
fn year_behind(cursor: &Cursor<'_>, at: usize) -> Option<(i32, usize)> {
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

/// `15 January 1867`, `15th of January`, `15. Januar 1867`.
fn day_first(cursor: &Cursor<'_>, at: usize) -> Hit {
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
fn month_first(cursor: &Cursor<'_>, at: usize) -> Hit {
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

/// `nineteenth century`, `twenty-first century`.
fn worded_century(cursor: &Cursor<'_>, at: usize) -> Hit {
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
fn century(cursor: &Cursor<'_>, at: usize) -> Hit {
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

/// `44 BC`, `300 v. Chr.`.
fn before_era(cursor: &Cursor<'_>, at: usize) -> Hit {
    let number = cursor.small(at).filter(|n| *n > 0 && *n < 10_000)?;
    let next = cursor.past_space(at + 1);
    let word = cursor.raw(next);
    let german = word == "v" && cursor.is_mark(next + 1, &['.']) && cursor.raw(cursor.past_space(next + 2)) == "Chr";
    if !matches!(word, "BC" | "BCE") && !german {
        return None;
    }
    let to = if german { cursor.past_space(next + 2) + 1 } else { next + 1 };
    let date = Date { year: i32::try_from(number).ok().map(|n| -n), ..Date::new(cursor.stretch(at, to)) };
    Some((date, to))
}

/// A bare year, where its surroundings make it one; a decade.
fn year(cursor: &Cursor<'_>, at: usize, earlier: &[Date]) -> Hit {
    let year = plausible_year(cursor, at)?;
    let next = at + 1;
    let joined_left = cursor.joined(at)
        && (cursor.is(at - 1, TokenKind::Word) || cursor.is_mark(at - 1, &['.', ',', '\'', '$', '€', '£', '#', '/']));
    // "word.1990": a full stop without its space.
    if joined_left && !(cursor.is_mark(at - 1, &['.', ',', '/']) && (at < 2 || !cursor.is(at - 2, TokenKind::Digits))) {
        return None;
    }
    let apostrophe = usize::from(cursor.is_mark(next, &['\'', '’']) && cursor.joined(next));
    if cursor.raw(next + apostrophe) == "s" && cursor.joined(next + apostrophe) {
        let to = next + apostrophe + 1;
        let date = Date {
            year: Some(year),
            era: if year % 10 == 0 { Era::Decade } else { Era::Year },
            ..Date::new(cursor.stretch(at, to))
        };
        return Some((date, to));
    }
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
    let date = Date { year: Some(year), ..Date::new(cursor.span(at)) };
    let before = cursor.before(at);
    let before_word = before.map(|i| cursor.word(i)).unwrap_or_default();
    let currency = before.is_some_and(|i| {
        cursor.lexicon.units.symbols.ending_at(cursor.text, cursor.tokens, i + 1).is_some_and(|f| f.meaning.before)
    });
    if currency {
        return None;
    }
    let bracket = before.is_some_and(|i| cursor.is_mark(i, &['(', '–', '-', '/', ';', '[']));
    let range = earlier.last().is_some_and(|d| {
        d.year.is_some() && cursor.text.get(d.span.end..cursor.span(at).start).is_some_and(|gap| gap.len() <= 5)
    });
    let spaced = cursor.past_space(next);
    let counted = cursor.is(spaced, TokenKind::Word)
        && !cursor.is_capitalised(spaced)
        && !cursor.lexicon.is_stop_word(&cursor.word(spaced));
    let recent = (1500..2100).contains(&year);
    let context = cursor.lexicon.cues.year_words.contains(before_word.as_ref())
        || bracket
        || range
        || cursor.is_mark(next, &[')', '–']);
    let is_year = if counted {
        let determined = matches!(before_word.as_ref(), "the" | "its" | "a" | "his" | "her" | "their" | "s")
            || before_word.ends_with("'s");
        let attribute = cursor.lexicon.language() == "en" && !counts_things(cursor, spaced);
        recent && (determined || attribute || (context && !plural(cursor, spaced))) || bracket || range
    } else {
        context || recent || before.is_some_and(|i| cursor.is_capitalised(i))
    };
    is_year.then_some((date, next))
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

/// Holds each date of `claim` against `passage`. The outcomes are in the order of [`Analysis::dates`].
pub fn compare(claim: (&str, &Analysis), passage: (&str, &Analysis)) -> Vec<Outcome> {
    let dates = claim.1.dates(claim.0);
    if dates.is_empty() {
        return Vec::new();
    }
    let alignment = Alignment::new(claim, passage);
    let evidence = passage.1.dates(passage.0);
    let most = affordable(passage);
    let each = |(at, date): (usize, &Date)| match at < most {
        true => compare_one(date, claim, passage, evidence, &alignment),
        false => Outcome::Ambiguous(Span::default()),
    };
    dates.iter().enumerate().map(each).collect()
}

fn compare_one(
    date: &Date,
    claim: (&str, &Analysis),
    passage: (&str, &Analysis),
    evidence: &[Date],
    alignment: &Alignment,
) -> Outcome {
    // 3/4/2020 is March in one country and April in another: it bears out what is written the same way, or the year.
    let sure = |e: &&Date| match (date.swappable, e.swappable) {
        (true, true) => (date.month, date.day) == (e.month, e.day),
        (a, b) => a == b || date.month.is_none(),
    };
    if let Some(same) = evidence.iter().filter(sure).find(|e| date.stands_on(e)) {
        return Outcome::Matched(same.span);
    }
    if let Some(open) = evidence.iter().find(|e| date.stands_on(e)) {
        return Outcome::Ambiguous(open.span);
    }
    // The passage says the day or month without a year: it may be its own, or stand apart ("On 5 May … In 1901 …").
    if date.year.is_some() && date.month.is_some() && date.era == Era::Year {
        let without = Date { year: None, ..*date };
        if let Some(same) = evidence.iter().find(|e| e.year.is_none() && without.stands_on(e)) {
            return Outcome::Ambiguous(same.span);
        }
    }
    if let Some(span) = alignment.written_elsewhere(date.span.of(claim.0), passage, &[]) {
        return Outcome::Ambiguous(span);
    }
    // Another date as fine as this one, alone in the sentence about the same thing, contradicts it.
    let Some(sentence) = alignment.sentence_for(date.span) else { return Outcome::Absent };
    let mut others = evidence.iter().filter(|e| sentence.contains(e.span) && date.as_fine_as(e));
    match (others.next(), others.next()) {
        (Some(other), None) => Outcome::Conflicting(other.span),
        _ => Outcome::Absent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lexicon::Lexicons;

    fn lexicons() -> Lexicons {
        Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"))
    }

    fn read(language: &str, text: &str) -> Vec<String> {
        let analysis = Analysis::new(Some(language), &lexicons());
        let part = |n: Option<u8>| n.map_or("-".into(), |n| n.to_string());
        let dates = analysis.dates(text).iter();
        dates
            .map(|d| format!("{}/{}/{}", d.year.map_or("-".into(), |y| y.to_string()), part(d.month), part(d.day)))
            .collect()
    }

    #[test]
    fn common_forms() {
        assert_eq!(
            read("en", "15 January 1867; January 15, 1867; 2026-08-20; May 1990; the 3rd of June"),
            ["1867/1/15", "1867/1/15", "2026/8/20", "1990/5/-", "-/6/3"]
        );
        assert_eq!(read("de", "Am 15. Januar 1867 und am 03.10.1990."), ["1867/1/15", "1990/10/3"]);
        assert_eq!(read("fr", "le 1er mai 2001"), ["2001/5/1"]);
        assert_eq!(read("es", "el 5 de mayo de 1999"), ["1999/5/5"]);
        assert_eq!(
            read("en", "25-Aug-2016, Monday 28 April 2008 at 7:00, Monday, April 28, 2008"),
            ["2016/8/25", "2008/4/28", "2008/4/28"]
        );
        assert_eq!(read("ja", "2026年8月20日に"), ["2026/8/20"]);
        assert_eq!(
            read(
                "en",
                "a 2016 report, its estimated 2017 population, in the nineteenth century, a twenty-first-century idea"
            ),
            ["2016/-/-", "2017/-/-", "19/-/-", "21/-/-"]
        );
        assert_eq!(
            read("en", "in 1914–18, (1987), the 2014 film, in the 1990s, 44 BC"),
            ["1914/-/-", "1918/-/-", "1987/-/-", "2014/-/-", "1990/-/-", "-44/-/-"]
        );
    }

    #[test]
    fn both_ends_of_a_range_of_days_have_its_year() {
        assert_eq!(
            read("en", "May 10-12, 1968 and 3 to 5 June 1970"),
            ["1968/5/10", "1968/5/12", "1970/6/3", "1970/6/5"]
        );
        assert_eq!(read("en", "25 September – 4 November 1915"), ["1915/9/25", "1915/11/4"]);
        assert_eq!(read("en", "between March 3rd and April 5th, 2019"), ["2019/3/3", "2019/4/5"]);
        assert_eq!(read("de", "vom 3. bis 5. Mai 2001"), ["2001/5/3", "2001/5/5"]);
        assert_eq!(read("en", "On May 10 - 12 people came - they left."), ["-/5/10", "-/5/12"]);
        assert_eq!(read("en", "May 10-12%, 15-3 May"), ["-/5/10", "-/5/3"]);
    }

    #[test]
    fn numbers_and_verbs_are_no_dates() {
        assert_eq!(read("en", "It has 1800 active users, 1600 staff, 1700 small grey sheep."), Vec::<String>::new());
        assert_eq!(read("en", "Each of 5 may use 2000 metres, 1500 people, 1,999 or $1999."), Vec::<String>::new());
    }

    fn outcome(claim: &str, passage: &str) -> Outcome {
        let lexicons = lexicons();
        let (a, b) = (Analysis::new(Some("en"), &lexicons), Analysis::new(Some("en"), &lexicons));
        compare((claim, &a), (passage, &b)).first().copied().unwrap_or(Outcome::Absent)
    }

    #[test]
    fn coarser_passes_finer_is_absent_other_conflicts() {
        assert_eq!(
            outcome("The bridge opened in 1901.", "The bridge opened on 5 May 1901."),
            Outcome::Matched(Span::new(21, 31))
        );
        assert_eq!(outcome("The bridge opened on 5 May 1901.", "The bridge opened in 1901."), Outcome::Absent);
        assert_eq!(
            outcome("The bridge opened in 1902.", "The bridge opened in 1901."),
            Outcome::Conflicting(Span::new(21, 25))
        );
        assert_eq!(outcome("The bridge opened in 1902.", "It was planned in 1899 and 1900."), Outcome::Absent);
        assert_eq!(
            outcome("It opened on 3/4/2020.", "It opened on 3 April 2020."),
            Outcome::Ambiguous(Span::new(13, 25))
        );
        assert_eq!(
            outcome("It opened on 4 March 2020.", "It opened on 3/4/2020."),
            Outcome::Ambiguous(Span::new(13, 21))
        );
        assert_eq!(outcome("It opened in 2020.", "It opened on 3/4/2020."), Outcome::Matched(Span::new(13, 21)));
        assert_eq!(outcome("It opened on 03/04/2020.", "It opened on 3/4/2020."), Outcome::Matched(Span::new(13, 21)));
        assert_eq!(
            outcome("It opened on 4 March 2020.", "It opened on 3/4/2020, that is, on 4 March 2020."),
            Outcome::Matched(Span::new(35, 47))
        );
        assert_eq!(outcome("In the 19th century it grew.", "It grew in 1870."), Outcome::Matched(Span::new(11, 15)));
        assert_eq!(outcome("It opened on 5 May 1901.", "Doors open on 5 May."), Outcome::Ambiguous(Span::new(14, 19)));
        assert_eq!(outcome("It opened in June 1901.", "Doors open in June."), Outcome::Ambiguous(Span::new(14, 18)));
        assert_eq!(outcome("It opened on 5 May 1901.", "Doors open on 6 May."), Outcome::Absent);
    }
}
