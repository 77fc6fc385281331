//! The proleptic Gregorian calendar: days as one count, so that stretches of time can be held against each other.

/// Days since 1 January 1970. The algorithm is that of "chrono-Compatible Low-Level Date Algorithms" (H. Hinnant, public domain).
#[must_use]
pub fn days(year: i32, month: u8, day: u8) -> i64 {
    const DAYS_IN_ERA: i64 = 146_097;
    let year = i64::from(year) - i64::from(month <= 2);
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * (i64::from(month) + if month > 2 { -3 } else { 9 }) + 2) / 5 + i64::from(day) - 1;
    era * DAYS_IN_ERA + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Year, month and day of a count of days; the other way round.
#[must_use]
pub fn date_of(days: i64) -> (i32, u8, u8) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (i32::try_from(year).unwrap_or(i32::MAX), u8::try_from(month).unwrap_or(1), u8::try_from(day).unwrap_or(1))
}

/// The Monday that a week of ISO 8601 begins with: week 1 has 4 January in it.
pub(super) fn monday_of(year: i32, week: u8) -> i64 {
    let fourth = days(year, 1, 4);
    fourth + 1 - i64::from(weekday(fourth)) + 7 * (i64::from(week) - 1)
}

/// The weekday of a count of days, 1 (Monday) to 7.
pub(super) fn weekday(days: i64) -> u8 {
    // 1 January 1970 was a Thursday.
    u8::try_from((days + 3).rem_euclid(7) + 1).unwrap_or(1)
}

/// The first day of the month after this one.
pub(super) fn next_month(year: i32, month: u8) -> i64 {
    if month == 12 { days(year + 1, 1, 1) } else { days(year, month + 1, 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_count_both_ways() {
        assert_eq!((days(1970, 1, 1), days(2000, 3, 1), days(1969, 12, 31)), (0, 11_017, -1));
        for (year, month, day) in [(-44, 3, 15), (1900, 2, 28), (2000, 2, 29), (2024, 12, 31)] {
            assert_eq!(date_of(days(year, month, day)), (year, month, day));
        }
        assert_eq!(next_month(2024, 2) - days(2024, 2, 1), 29);
    }

    #[test]
    fn weeks_begin_on_monday() {
        // 2025-W01 began on 30 December 2024, 2021-W01 on 4 January.
        assert_eq!(date_of(monday_of(2025, 1)), (2024, 12, 30));
        assert_eq!(date_of(monday_of(2021, 1)), (2021, 1, 4));
        assert_eq!((weekday(days(2017, 3, 1)), weekday(days(1970, 1, 1))), (3, 4));
    }
}
