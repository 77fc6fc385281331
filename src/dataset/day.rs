//! Days of the calendar, as reviewers write them: `YYYY-MM-DD`.

use std::fmt;
use std::str::FromStr;

use crate::text::date::{date_of, days};

/// A day of the Gregorian calendar in the years 1 to 9999. Ordered by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: i32,
    month: u8,
    day: u8,
}

/// The day that decisions are held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Today {
    /// The system's date, in UTC.
    pub system: Day,
    /// The last day that has begun anywhere on earth: no decision is dated later.
    pub latest: Day,
    /// The day that was set in its place.
    pub by_hand: Option<Day>,
}

impl Today {
    /// The day at so many seconds after the beginning of 1970, unless one was set by hand.
    #[must_use]
    pub fn at(unix_seconds: u64, by_hand: Option<Day>) -> Self {
        /// Where a day begins first, clocks are this far ahead of UTC.
        const FIRST: u64 = 14 * 3_600;
        let latest = Day::of_unix_seconds(unix_seconds.saturating_add(FIRST));
        Self { system: Day::of_unix_seconds(unix_seconds), latest, by_hand }
    }

    /// The day that expiry is held against.
    #[must_use]
    pub fn day(&self) -> Day {
        self.by_hand.unwrap_or(self.system)
    }

    /// The last day that a decision may be dated.
    #[must_use]
    pub fn last(&self) -> Day {
        self.by_hand.unwrap_or(self.latest)
    }
}

impl From<Day> for Today {
    fn from(day: Day) -> Self {
        Self { system: day, latest: day, by_hand: None }
    }
}

/// A text that is no day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a day: expected YYYY-MM-DD")]
pub struct DayError;

impl Day {
    /// The day in UTC that lies this many seconds after the beginning of 1970.
    #[must_use]
    pub fn of_unix_seconds(seconds: u64) -> Self {
        let (year, month, day) = date_of(i64::try_from(seconds / 86_400).unwrap_or(i64::MAX / 2));
        Self { year: year.clamp(1, 9999), month, day }
    }
}

impl FromStr for Day {
    type Err = DayError;

    /// Reads four digits, two digits and two digits with hyphens between them, which name a day that exists.
    fn from_str(text: &str) -> Result<Self, DayError> {
        let shape = |(at, byte): (usize, u8)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
        if text.len() != 10 || !text.bytes().enumerate().all(shape) {
            return Err(DayError);
        }
        let number = |from: usize, to: usize| text.get(from..to).and_then(|digits| digits.parse::<u16>().ok());
        let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
        let (Some(year), Some(month), Some(day)) = (year, month, day) else { return Err(DayError) };
        let (year, month, day) = (i32::from(year), u8::try_from(month), u8::try_from(day));
        match (month, day) {
            (Ok(month @ 1..=12), Ok(day @ 1..=31))
                if year > 0 && date_of(days(year, month, day)) == (year, month, day) =>
            {
                Ok(Self { year, month, day })
            }
            _ => Err(DayError),
        }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_that_exist_are_read_and_ordered() {
        let day = |text: &str| text.parse::<Day>();
        assert_eq!(day("2024-02-29").map(|day| day.to_string()), Ok("2024-02-29".to_owned()));
        assert!(day("2025-12-31").expect("a day") < day("2026-01-01").expect("a day"));
        for text in ["2023-02-29", "2026-13-01", "2026-00-10", "0000-01-01", "2026-1-01", "26-01-01", "2026-01-1é", ""]
        {
            assert_eq!(day(text), Err(DayError), "{text}");
        }
    }

    #[test]
    fn seconds_are_days_of_utc() {
        // 951,782,400 is 2000-02-29T00:00:00Z.
        assert_eq!(Day::of_unix_seconds(951_782_400).to_string(), "2000-02-29");
        assert_eq!(Day::of_unix_seconds(951_782_399).to_string(), "2000-02-28");
        assert_eq!(Day::of_unix_seconds(u64::MAX).year, 9999);
    }
}
