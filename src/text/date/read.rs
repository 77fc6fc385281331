//! Reading all dates of a text: which ways of writing are tried where, and in which order.

use super::named::{day_first, month_first, worded_day};
use super::numeric::{compact, day_and_month, east_asian, japanese_era, numeric, week};
use super::period::{century, coded, coded_behind, decade, roman_century, season, worded_century};
use super::year::{before_era, decade_behind, glued, in_era, short, worded, year};
use super::{Date, Hit, around, clock, elsewhere, range, relative};
use crate::text::cursor::Cursor;
use crate::text::lexicon::role;
use crate::text::word::TokenKind;

/// Reads what would else be taken for identifiers, and takes it: times of day, `2026-08-20T14:30Z`, `Q3 2025`, `FY24`.
pub(crate) fn read_first(cursor: &mut Cursor<'_>) -> Vec<Date> {
    let mut found: Vec<Date> = Vec::new();
    let mut at = cursor.next_start(0);
    while at < cursor.len() {
        let hit = match cursor.kind(at) {
            _ if cursor.is_taken(at) => None,
            Some(TokenKind::Digits) => clock::stamp(cursor, at)
                .or_else(|| coded_behind(cursor, at))
                .or_else(|| week(cursor, at))
                .or_else(|| decade_behind(cursor, at))
                .or_else(|| clock::time(cursor, at, found.last()))
                .or_else(|| elsewhere::year(cursor, at)),
            Some(TokenKind::Word) => coded(cursor, at).or_else(|| in_era(cursor, at)),
            Some(TokenKind::Ideograph) => clock::east_asian(cursor, at),
            _ => None,
        };
        match hit {
            Some((date, to)) if !(at..to).any(|i| cursor.is_taken(i)) => {
                cursor.take(at, to);
                found.push(date);
                at = clock::behind_date(cursor, &mut found, to);
            }
            _ => at += 1,
        }
        at = cursor.next_start(at);
    }
    on_one_clock(cursor, &mut found);
    found
}

/// A text that writes 17:00, and no "pm", writes 9:00 for the morning.
fn on_one_clock(cursor: &Cursor<'_>, found: &mut [Date]) {
    const PAST_TWELVE: u16 = 13 * 60;
    let is_lettered = |date: &Date| date.span.of(cursor.text).contains(char::is_alphabetic);
    let mut times = found.iter().filter_map(|date| Some((date.time?, is_lettered(date))));
    if times.clone().any(|(time, _)| time.minute >= PAST_TWELVE) && times.all(|(_, lettered)| !lettered) {
        found.iter_mut().filter_map(|date| date.time.as_mut()).for_each(|time| time.half_open = false);
    }
}

/// Reads the dates at the cursor's tokens and takes them. `first` are those that were read before the identifiers.
pub(crate) fn read(cursor: &mut Cursor<'_>, first: Vec<Date>) -> Vec<Date> {
    let mut found = Vec::new();
    let mut at = cursor.next_start(0);
    while at < cursor.len() {
        if cursor.is_taken(at) {
            at = cursor.next_start(at + 1);
            continue;
        }
        if cursor.is(at, TokenKind::Digits)
            && let Some(both) = glued(cursor, at)
        {
            cursor.take(at, at + 1);
            found.extend(both);
        }
        let hit = match cursor.kind(at) {
            Some(TokenKind::Digits) => numeric(cursor, at)
                .or_else(|| east_asian(cursor, at))
                .or_else(|| day_first(cursor, at))
                .or_else(|| range::first_of_days(cursor, at))
                .or_else(|| century(cursor, at))
                .or_else(|| before_era(cursor, at))
                .or_else(|| compact(cursor, at))
                .or_else(|| day_and_month(cursor, at))
                .or_else(|| year(cursor, at, &found)),
            Some(TokenKind::Word) => word(cursor, at),
            Some(TokenKind::Mark) => short(cursor, at),
            Some(TokenKind::Ideograph) => japanese_era(cursor, at),
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
        at = cursor.next_start(at);
    }
    range::share_year(cursor, &mut found);
    if !first.is_empty() {
        found.extend(first);
        found.sort_by_key(|date| date.span);
    }
    around::read(cursor, found)
}

/// What begins with a word.
fn word(cursor: &Cursor<'_>, at: usize) -> Hit {
    if cursor.may_begin(at, role::MONTH | role::NUMBER | role::DATE) {
        let hit = month_first(cursor, at)
            .or_else(|| worded_day(cursor, at))
            .or_else(|| worded_century(cursor, at))
            .or_else(|| worded(cursor, at))
            .or_else(|| season(cursor, at))
            .or_else(|| decade(cursor, at))
            .or_else(|| relative::read(cursor, at));
        if hit.is_some() {
            return hit;
        }
    }
    roman_century(cursor, at)
}

#[cfg(test)]
mod tests {
    use super::super::{Bound, Part, Stage};
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
            ["2016/8/25", "2008/4/28", "-/-/-", "2008/4/28"]
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

    type Parts = (String, Option<Part>, Option<Stage>, Option<Bound>);

    /// The parts that [`read`] does not show.
    fn parts(language: &str, text: &str) -> Vec<Parts> {
        let analysis = Analysis::new(Some(language), &lexicons());
        let dates = analysis.dates(text).iter();
        dates.map(|d| (d.span.of(text).to_owned(), d.part, d.stage, d.bound)).collect()
    }

    #[test]
    fn parts_of_years_decades_and_centuries() {
        let quarter = |text: &str| (text.to_owned(), Some(Part::Quarter(3)), None, None);
        assert_eq!(
            parts("en", "Q3 2025, 3Q25, 2025-Q3, third quarter of 2025"),
            ["Q3 2025", "3Q25", "2025-Q3", "third quarter of 2025"].map(quarter)
        );
        assert_eq!(parts("fr", "T3 2025, 3e trimestre de 2025"), ["T3 2025", "3e trimestre de 2025"].map(quarter));
        assert_eq!(parts("nl", "het derde kwartaal van 2025"), ["derde kwartaal van 2025"].map(quarter));
        assert_eq!(
            parts("en", "the second half of the 19th century and the late 1980s"),
            [
                ("second half of the 19th century".to_owned(), Some(Part::Half(2)), None, None),
                ("late 1980s".to_owned(), None, Some(Stage::Late), None)
            ]
        );
        assert!(parts("en", "2024 quarters, Q3 results, a quarter of 2000 people").is_empty());
    }

    #[test]
    fn bounds_ranges_and_lives() {
        let bounds = |language: &str, text: &str| -> Vec<Option<Bound>> {
            parts(language, text).into_iter().map(|(_, _, _, bound)| bound).collect()
        };
        let (from, until) = (Some(Bound::From), Some(Bound::Until));
        assert_eq!(bounds("en", "since 2019; by the end of 2025; before 2020"), [from, until, Some(Bound::Before)]);
        assert_eq!(bounds("de", "seit 2019, bis 2020, von 2010 bis 2015"), [from, until, from, until]);
        assert_eq!(bounds("fr", "jusqu'en 2020, entre 2010 et 2015"), [until, from, until]);
        assert_eq!(bounds("en", "in 1990 and 1995"), [None, None]);
        assert_eq!(bounds("en", "(1912–1954), (19121954), (; – 3 May 1950)"), [from, until, from, until, until]);
        assert_eq!(bounds("en", "She was born in Lisbon in 1912 and died in 1954."), [from, until]);
    }

    #[test]
    fn times_of_day_and_words_for_days() {
        let times = |language: &str, text: &str| -> Vec<(u16, bool, Option<i16>)> {
            let analysis = Analysis::new(Some(language), &lexicons());
            let times = analysis.dates(text).iter().filter_map(|d| d.time);
            times.map(|time| (time.minute, time.half_open, time.zone)).collect()
        };
        assert_eq!(
            times("en", "at 14:30, 2:30 pm, at 9:15"),
            [(870, false, None), (870, false, None), (555, true, None)]
        );
        assert_eq!(
            times("en", "2026-08-20T14:30:00Z and 14:30 UTC+2"),
            [(870, false, Some(0)), (870, false, Some(120))]
        );
        assert_eq!(times("de", "um 14 Uhr, 14.30 Uhr"), [(840, false, None), (870, false, None)]);
        assert_eq!(
            times("fr", "à 14h30, de 9h à 17h, un trajet de 2 h"),
            [(870, false, None), (540, false, None), (1020, false, None)]
        );
        assert_eq!(times("ja", "午後2時30分、14時間"), [(870, false, None)]);
        assert_eq!(times("en", "a ratio of 16:9, 12:05 of tape, 2.30 pm"), [(870, false, None)]);
        let words = |text: &str| -> usize {
            let analysis = Analysis::new(Some("en"), &lexicons());
            analysis.dates(text).iter().filter(|date| date.relative).count()
        };
        assert_eq!(words("It broke yesterday, was mended last week and opened on Tuesday."), 3);
        assert_eq!(words("Open on Mondays; the next year; on Tuesday, 5 May 2020; on Monday and on Friday."), 0);
    }

    #[test]
    fn decades_centuries_and_eras_of_other_languages() {
        assert_eq!(read("de", "in den 90er Jahren, den Neunzigern, 44 v. Chr."), ["1990/-/-", "1990/-/-", "-44/-/-"]);
        assert_eq!(read("es", "el siglo XX, los años 90, la década de 1990"), ["20/-/-", "1990/-/-", "1990/-/-"]);
        assert_eq!(read("fr", "au XIXe siècle, les années 90, en 44 av. J.-C."), ["19/-/-", "1990/-/-", "-44/-/-"]);
        assert_eq!(read("it", "nel XX secolo, negli anni '90, negli anni Novanta"), ["20/-/-", "1990/-/-", "1990/-/-"]);
        assert_eq!(read("nl", "de 19e eeuw, de jaren negentig"), ["19/-/-", "1990/-/-"]);
        assert_eq!(read("en", "300–200 BC, AD 70, the 5th century BC"), ["-300/-/-", "-200/-/-", "70/-/-", "-5/-/-"]);
        assert_eq!(read("ja", "令和7年3月4日、平成元年"), ["2025/3/4", "1989/-/-"]);
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
