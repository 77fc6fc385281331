//! Dates: from centuries to days, in the forms that texts write them in.

mod compare;
mod named;
mod numeric;
mod period;
mod range;
mod year;

use super::cursor::Cursor;
use super::outcome::Weight;
use super::span::Span;
use super::word::TokenKind;
use named::{day_first, month_first};
use numeric::{east_asian, numeric};
use period::{century, worded_century};
use year::{before_era, year};

pub use compare::compare;

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

#[cfg(test)]
mod tests {
    use crate::text::Analysis;
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
}
