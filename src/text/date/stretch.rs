//! Dates as stretches of days, and how two of them stand to each other.

use super::calendar::{days as day_number, monday_of, next_month};
use super::{Date, Era, Part, Stage, Time};

/// How a date of a passage stands to one of the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// It says all that the claim says.
    Same,
    /// It may.
    Open,
    /// It says something else, or less.
    Other,
}

impl Fit {
    fn if_same(self, same: Self) -> Self {
        if self == Self::Same { same } else { self }
    }
}

/// How `have` of a passage stands to `wanted` of the claim. A coarser date stands on a finer one, never the other way round.
pub(super) fn fit(wanted: &Date, have: &Date) -> Fit {
    if have.relative || wanted.relative {
        return Fit::Other;
    }
    if wanted.converted != have.converted {
        let apart = wanted.year.zip(have.year).map(|(a, b)| (a - b).abs());
        return if apart.is_some_and(|apart| apart <= 1) { Fit::Open } else { Fit::Other };
    }
    match (wanted.time, have.time) {
        (Some(a), Some(b)) => return fit_times(a, b),
        (None, None) => {}
        _ => return Fit::Other,
    }
    let base = match (wanted.year, have.year) {
        (Some(_), Some(_)) => fit_readings(wanted, have),
        (Some(_), None) => Fit::Other,
        (None, _) => fit_parts(wanted, have),
    };
    if base != Fit::Same {
        return base;
    }
    // A business year may begin in any month.
    if wanted.fiscal != have.fiscal {
        return Fit::Open;
    }
    match wanted.bound.zip(have.bound) {
        Some((a, b)) if a.points_on() != b.points_on() => Fit::Open,
        _ => Fit::Same,
    }
}

/// Twelve hours apart where one does not say which half of the day; zones count where both have one.
fn fit_times(wanted: Time, have: Time) -> Fit {
    const DAY: i32 = 24 * 60;
    let (mut a, mut b) = (i32::from(wanted.minute), i32::from(have.minute));
    if let Some((zone, other)) = wanted.zone.zip(have.zone) {
        (a, b) = (a - i32::from(zone), b - i32::from(other));
    }
    match (a - b).rem_euclid(DAY) {
        0 if wanted.half_open == have.half_open => Fit::Same,
        // "8:00" on "8 am": it says no more than its evidence.
        0 if wanted.half_open => Fit::Same,
        0 => Fit::Open,
        apart if apart == DAY / 2 && (wanted.half_open || have.half_open) => Fit::Open,
        _ => Fit::Other,
    }
}

/// A month, or a day of a month, without its year.
fn fit_parts(wanted: &Date, have: &Date) -> Fit {
    let same = |month: Option<u8>, day: Option<u8>| {
        wanted.month.is_none_or(|m| Some(m) == month) && wanted.day.is_none_or(|d| Some(d) == day)
    };
    let given = wanted.month.is_some() || wanted.day.is_some();
    if given && same(have.month, have.day) {
        return if have.swappable && wanted.month.is_some() { Fit::Open } else { Fit::Same };
    }
    if have.swappable && same(have.day, have.month) { Fit::Open } else { Fit::Other }
}

/// Both with a year, in all ways that their days and months may be read: 3/4/2020 is March in one country and April in another, and
/// bears out what is written the same way, or the year.
fn fit_readings(wanted: &Date, have: &Date) -> Fit {
    match (wanted.swappable, have.swappable) {
        (true, true) if (wanted.month, wanted.day) == (have.month, have.day) && wanted.year == have.year => Fit::Same,
        (false, false) => fit_years(wanted, have),
        (false, true) if wanted.month.is_none() => fit_years(wanted, have),
        _ => {
            let readings = |date: &Date| {
                [Some(*date), date.swappable.then_some(Date { month: date.day, day: date.month, ..*date })]
            };
            let any = readings(wanted)
                .iter()
                .flatten()
                .any(|a| readings(have).iter().flatten().any(|b| fit_years(a, b) == Fit::Same));
            if any { Fit::Open } else { Fit::Other }
        }
    }
}

fn fit_years(wanted: &Date, have: &Date) -> Fit {
    let fit = match (wanted.part, have.part) {
        (Some(Part::Season(a)), Some(Part::Season(b))) => {
            if a == b && wanted.year == have.year {
                Fit::Same
            } else {
                Fit::Other
            }
        }
        (Some(Part::Season(season)), _) => within_season(season, wanted, have),
        _ => {
            if covers(wanted, have) {
                Fit::Same
            } else {
                Fit::Other
            }
        }
    };
    fit.if_same(fit_stages(wanted, have))
}

/// The season lies in other months on either half of the globe: whether a month is in it stays open.
fn within_season(season: u8, wanted: &Date, have: &Date) -> Fit {
    let (Some(year), Some((first, behind))) = (wanted.year, days(have)) else { return Fit::Other };
    let starts = [(0, season * 3), (0, (season + 1) % 4 * 3 + 3), (-1, 12), (0, 12)];
    let inside = starts.iter().any(|(earlier, month)| {
        let is_one = *month == season * 3 || (*month + 6 - 1) % 12 + 1 == season * 3;
        let start = day_number(year + earlier, *month, 1);
        is_one && start <= first && behind <= start + 93
    });
    if inside && behind - first < 93 { Fit::Open } else { Fit::Other }
}

/// Whether the days of `wanted` have those of `have` among them.
fn covers(wanted: &Date, have: &Date) -> bool {
    let (Some((first, behind)), Some((have_first, have_behind))) = (days(wanted), days(have)) else { return false };
    // The 19th century is 1801 to 1900 for some and 1800 to 1899 for others.
    let slack = match wanted.era {
        Era::Century | Era::Hundred if wanted.part.is_none() => 366,
        _ => 0,
    };
    first - slack <= have_first && have_behind <= behind + slack
}

/// Both say where in the stretch, or the finer one lies there.
fn fit_stages(wanted: &Date, have: &Date) -> Fit {
    let Some(stage) = wanted.stage else { return Fit::Same };
    let (Some((first, behind)), Some((have_first, have_behind))) = (days(wanted), days(have)) else {
        return Fit::Other;
    };
    let length = behind - first;
    if (have_behind - have_first) * 10 >= length * 9 {
        return match have.stage {
            Some(other) if other == stage => Fit::Same,
            Some(_) => Fit::Other,
            None => Fit::Open,
        };
    }
    let inside = match stage {
        Stage::Early => have_behind <= first + length * 9 / 20,
        Stage::Middle => first + length / 4 <= have_first && have_behind <= behind - length / 4,
        Stage::Late => first + length * 11 / 20 <= have_first,
    };
    if inside { Fit::Same } else { Fit::Open }
}

/// The first day, and the day behind the last one; `None` without a year. A season has the whole year, for lack of a hemisphere.
pub(super) fn days(date: &Date) -> Option<(i64, i64)> {
    let year = date.year?;
    let years = |first: i32, count: i32| (day_number(first, 1, 1), day_number(first.saturating_add(count), 1, 1));
    let (first, behind) = match date.era {
        Era::Century if year < 0 => years(year.saturating_mul(100), 100),
        Era::Century => years((year - 1).saturating_mul(100) + 1, 100),
        Era::Hundred => years(year, 100),
        Era::Decade => years(year, 10),
        Era::Year => match (date.month, date.day) {
            (Some(month), Some(day)) => (day_number(year, month, day), day_number(year, month, day) + 1),
            (Some(month), None) => (day_number(year, month, 1), next_month(year, month)),
            _ => years(year, 1),
        },
    };
    let share = |number: u8, of: i64| {
        let part = |n: u8| first + (behind - first) * i64::from(n) / of;
        (part(number.saturating_sub(1)), part(number))
    };
    Some(match date.part {
        Some(Part::Quarter(n)) if date.era == Era::Year => months(year, (n - 1) * 3 + 1, n * 3),
        Some(Part::Half(n)) if date.era == Era::Year => months(year, (n - 1) * 6 + 1, n * 6),
        Some(Part::Quarter(n)) => share(n, 4),
        Some(Part::Half(n)) => share(n, 2),
        Some(Part::Week(week)) => (monday_of(year, week), monday_of(year, week) + 7),
        Some(Part::Season(_)) | None => (first, behind),
    })
}

fn months(year: i32, first: u8, last: u8) -> (i64, i64) {
    (day_number(year, first, 1), next_month(year, last))
}
