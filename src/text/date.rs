//! Dates: from centuries to days, in the forms that texts write them in.

mod around;
mod calendar;
mod clock;
mod compare;
mod elsewhere;
mod named;
mod numeric;
mod period;
mod range;
mod read;
mod relative;
mod stretch;
mod year;

use super::cursor::Cursor;
use super::lexicon::DateWord;
use super::outcome::Weight;
use super::span::Span;
pub use calendar::{date_of, days};
pub use compare::{compare, compare_retold};
pub(crate) use read::{read, read_first};

/// A date as far as it is given, a time of day, or a word such as "yesterday". At least one part is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Date {
    /// Where it stands.
    pub span: Span,
    /// The year; negative before the common era. For a decade its first year, for a century its number, for centuries written
    /// as "1800s" their first year.
    pub year: Option<i32>,
    /// 1 to 12.
    pub month: Option<u8>,
    /// 1 to 31.
    pub day: Option<u8>,
    /// What `year` counts.
    pub era: Era,
    /// Day and month may stand the other way round (`3/4/2020`).
    pub swappable: bool,
    /// The part of the year, decade or century that is meant.
    pub part: Option<Part>,
    /// About where in it.
    pub stage: Option<Stage>,
    /// What it bounds.
    pub bound: Option<Bound>,
    /// The year is a business year, which may begin in any month.
    pub fiscal: bool,
    /// A time of day; nothing else is given then.
    pub time: Option<Time>,
    /// It depends on when it was written ("yesterday"); nothing else is given then.
    pub relative: bool,
    /// It may be no date, or its century is guessed: `Windows 2000`, `'98`.
    pub unsure: bool,
    /// Its year is one of another calendar, put into this one: it may be one off.
    pub converted: bool,
    /// The date before it is the beginning of a range that it ends.
    pub closes: bool,
}

/// What the year of a date counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Era {
    /// A year.
    Year,
    /// The ten years from it on.
    Decade,
    /// The hundred years from it on: "the 1800s".
    Hundred,
    /// A century, by its number: 19 is the 19th.
    Century,
}

/// A part of a year, a decade or a century.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// 1 to 4.
    Quarter(u8),
    /// 1 or 2.
    Half(u8),
    /// 1 (spring) to 4 (winter); the hemisphere is open.
    Season(u8),
    /// A week of ISO 8601, 1 to 53.
    Week(u8),
}

/// About where in a stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
    /// "early"
    Early,
    /// "mid"
    Middle,
    /// "late", "end of"
    Late,
}

/// What a date bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// It begins there: "since", "from", the first date of a range, a birth.
    From,
    /// It ends there: "until", "by", the last date of a range, a death.
    Until,
    /// It is earlier.
    Before,
    /// It is later.
    After,
}

impl Bound {
    /// Whether it looks forward from its date; else it looks back.
    const fn points_on(self) -> bool {
        matches!(self, Self::From | Self::After)
    }
}

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Time {
    /// Minutes after midnight, up to 1440.
    pub minute: u16,
    /// Whether it is before or after noon is not said.
    pub half_open: bool,
    /// Minutes ahead of UTC, where a zone is given.
    pub zone: Option<i16>,
}

impl Date {
    /// Dates with their year decide, and so do a day and month together. A month alone, a time of day, and what may be a name or is of a guessed
    /// century only raise a suspicion.
    pub fn weight(&self) -> Weight {
        let decides = self.year.is_some() || (self.day.is_some() && self.month.is_some());
        if decides && !self.unsure { Weight::Final } else { Weight::Triage }
    }

    fn new(span: Span) -> Self {
        Self {
            span,
            year: None,
            month: None,
            day: None,
            era: Era::Year,
            swappable: false,
            part: None,
            stage: None,
            bound: None,
            fiscal: false,
            time: None,
            relative: false,
            unsure: false,
            converted: false,
            closes: false,
        }
    }

    /// A year and nothing else.
    fn is_bare_year(&self) -> bool {
        self.year.is_some() && self.month.is_none() && self.part.is_none() && self.era == Era::Year
    }
}

type Hit = Option<(Date, usize)>;

fn part(value: u32, most: u32) -> Option<u8> {
    u8::try_from(value).ok().filter(|_| (1..=most).contains(&value))
}

fn plausible_year(cursor: &Cursor<'_>, at: usize) -> Option<i32> {
    let year = cursor.small(at).filter(|year| cursor.digit_count(at) == 4 && (1000..2200).contains(year))?;
    i32::try_from(year).ok()
}

/// What the phrase that begins at token `at` says about a date, and the token behind it.
fn word_at(cursor: &Cursor<'_>, at: usize) -> Option<(DateWord, usize)> {
    let found = cursor.lexicon.calendar.words.starting_at(cursor.text, cursor.tokens, at)?;
    Some((found.meaning, found.next))
}

/// The century of a year of two digits: the last one from 30 on.
fn full_year(short: u32) -> Option<i32> {
    const FIRST_OF_LAST_CENTURY: u32 = 30;
    i32::try_from(if short < FIRST_OF_LAST_CENTURY { 2000 + short } else { 1900 + short }).ok()
}
