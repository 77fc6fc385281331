//! The words that dates are written with.

use std::collections::BTreeMap;

use foldhash::HashMap;

use super::compile::{fold, map, problem, with_endings};
use super::compiled::LexiconProblem;
use super::phrase::Phrases;
use super::written::{WrittenDateWords, WrittenLexicon};

/// What a word or phrase says beside or inside a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum DateWord {
    /// "quarter"
    Quarter,
    /// "half"
    Half,
    /// "fiscal year"
    Fiscal,
    /// "decade of", "años"
    Decade,
    /// "BC"
    BeforeEra,
    /// "AD"
    InEra,
    /// "early"
    Early,
    /// "mid"
    Middle,
    /// "late", "end of"
    Late,
    /// "since"
    From,
    /// "until"
    Until,
    /// "before"
    Before,
    /// "after"
    After,
    /// "born"
    Born,
    /// "died"
    Died,
    /// "yesterday"
    Relative,
    /// "o'clock"
    Clock,
    /// "at", before a time of day
    At,
    /// "am"
    Morning,
    /// "pm"
    Afternoon,
}

/// Names of the parts of time, folded, and phrases around dates.
#[derive(Debug, Clone)]
pub(crate) struct Calendar {
    /// 1 to 12.
    pub(crate) months: HashMap<Box<str>, u8>,
    /// 1 (Monday) to 7.
    pub(crate) weekdays: HashMap<Box<str>, u8>,
    /// 1 (spring) to 4.
    pub(crate) seasons: HashMap<Box<str>, u8>,
    /// 10 to 90.
    pub(crate) decades: HashMap<Box<str>, u8>,
    /// Minutes ahead of UTC.
    pub(crate) zones: HashMap<Box<str>, i16>,
    pub(crate) words: Phrases<DateWord>,
}

impl Calendar {
    /// The folded words that a date, or a phrase about one, may begin with; months apart.
    pub(crate) fn firsts(&self) -> impl Iterator<Item = &str> {
        let names = self.weekdays.keys().chain(self.seasons.keys()).chain(self.decades.keys());
        names.map(AsRef::as_ref).chain(self.words.firsts())
    }
}

pub(super) fn compile(language: &str, layers: &[&WrittenLexicon], problems: &mut Vec<LexiconProblem>) -> Calendar {
    let numbers = |key, of: fn(&WrittenLexicon) -> &Option<BTreeMap<String, u32>>, most, problems: &mut Vec<_>| {
        numbered(language, (key, most), (layers, map(layers, of)), problems)
    };
    let mut zones = HashMap::default();
    for (word, minutes) in map(layers, |l| &l.time_zones) {
        match i16::try_from(*minutes).ok().filter(|minutes| minutes.abs() <= 14 * 60) {
            Some(minutes) => drop(zones.insert(fold(word), minutes)),
            None => problems.push(problem(
                language,
                &format!("time_zones.{word}"),
                format!("found {minutes}, expected minutes ahead of UTC, -840 to 840"),
            )),
        }
    }
    Calendar {
        months: numbers("months", |l| &l.months, 12, problems),
        weekdays: numbers("weekdays", |l| &l.weekdays, 7, problems),
        seasons: numbers("seasons", |l| &l.seasons, 4, problems),
        decades: numbers("decade_words", |l| &l.decade_words, 90, problems),
        zones,
        words: words(layers),
    }
}

/// Names with a number from 1 to `most`.
fn numbered(
    language: &str,
    (key, most): (&str, u8),
    (layers, written): (&[&WrittenLexicon], Vec<(&String, &u32)>),
    problems: &mut Vec<LexiconProblem>,
) -> HashMap<Box<str>, u8> {
    let (mut names, mut longer) = (HashMap::default(), HashMap::default());
    for (word, number) in written {
        match u8::try_from(*number).ok().filter(|n| (1..=most).contains(n)) {
            Some(value) => {
                names.insert(fold(word), value);
                longer.extend(with_endings(layers, word).into_iter().map(|word| (fold(&word), value)));
            }
            None => problems.push(problem(
                language,
                &format!("{key}.{word}"),
                format!("found {number}, expected 1 to {most}"),
            )),
        }
    }
    longer.extend(names);
    longer
}

fn words(layers: &[&WrittenLexicon]) -> Phrases<DateWord> {
    let from = layers.iter().rposition(|l| l.replace && l.date_words.is_some()).unwrap_or(0);
    let mut phrases = Phrases::new(false);
    for written in layers.iter().skip(from).filter_map(|l| l.date_words.as_ref()) {
        for (list, meaning) in by_meaning(written) {
            list.iter().for_each(|phrase| phrases.add(phrase, meaning));
        }
    }
    phrases
}

fn by_meaning(written: &WrittenDateWords) -> [(&[String], DateWord); 20] {
    [
        (&written.quarter, DateWord::Quarter),
        (&written.half, DateWord::Half),
        (&written.fiscal_year, DateWord::Fiscal),
        (&written.decade, DateWord::Decade),
        (&written.before_era, DateWord::BeforeEra),
        (&written.in_era, DateWord::InEra),
        (&written.early, DateWord::Early),
        (&written.middle, DateWord::Middle),
        (&written.late, DateWord::Late),
        (&written.from, DateWord::From),
        (&written.until, DateWord::Until),
        (&written.before, DateWord::Before),
        (&written.after, DateWord::After),
        (&written.born, DateWord::Born),
        (&written.died, DateWord::Died),
        (&written.relative, DateWord::Relative),
        (&written.clock, DateWord::Clock),
        (&written.at, DateWord::At),
        (&written.morning, DateWord::Morning),
        (&written.afternoon, DateWord::Afternoon),
    ]
}
