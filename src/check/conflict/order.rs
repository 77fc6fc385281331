//! Which of two units that disagree counts, by an order that the policy declares.

use std::cmp::Ordering;

use schemars::JsonSchema;

use crate::check::Passage;
use crate::dataset::Json;
use crate::dataset::register::Status;
use crate::diagnostic::{Problem, code, did_you_mean, quoted};
use crate::yaml::Located;

/// What makes one unit count before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The higher rank.
    Authority,
    /// The later day.
    Recency,
}

impl Order {
    pub(super) const WORDS: [(&'static str, Order); 2] = [("authority", Order::Authority), ("recency", Order::Recency)];

    pub(super) fn from_word(word: &str) -> Option<Order> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, order)| *order)
    }

    /// How the two stand to each other, with the reason; `None` where one of them does not say, or they are equal.
    fn of(self, first: &Passage<'_>, second: &Passage<'_>) -> Option<Prevailing> {
        match self {
            Order::Authority => {
                let (a, b) = (authority(first)?, authority(second)?);
                decided(a.cmp(&b), |more, less| format!("authority {more} over {less}"), a, b)
            }
            Order::Recency => later(first, second),
        }
    }
}

/// The order as declared; every problem of it is noted.
pub(in crate::check) fn compiled(written: Option<Located<Vec<Located<String>>>>, problems: &mut Vec<Problem>) -> Vec<Order> {
    let mut prefer = Vec::new();
    let Some(written) = written else { return prefer };
    if written.is_empty() {
        let problem = Problem::new(code::EMPTY, "`prefer` is empty").at(written.span);
        let problem = problem.label("expected `authority`, `recency`, or both");
        problems.push(problem.help("leave the key out where nothing settles a disagreement"));
    }
    for word in &written.value {
        match Order::from_word(&word.value) {
            Some(order) if prefer.contains(&order) => {
                let problem = Problem::new(code::DUPLICATE_NAME, format!("{} stands twice", quoted(word)));
                problems.push(problem.at(word.span).label("the second time").help("delete it"));
            }
            Some(order) => prefer.push(order),
            None => {
                let problem = Problem::new(code::UNKNOWN_NAME, format!("{} is no order", quoted(word)));
                let problem = problem.at(word.span).label("expected `authority` or `recency`");
                problems.push(problem.help_if(did_you_mean(word, Order::WORDS.map(|(word, _)| word))));
            }
        }
    }
    prefer
}

/// Which of two units counts.
pub(super) struct Prevailing {
    /// Whether it is the first of the two.
    pub(super) first: bool,
    /// Why, in words.
    pub(super) why: String,
}

/// Which of two units counts by the first order that tells them apart.
pub(super) fn prevailing(orders: &[Order], first: &Passage<'_>, second: &Passage<'_>) -> Option<Prevailing> {
    orders.iter().find_map(|order| order.of(first, second))
}

fn decided<T>(ordering: Ordering, why: impl Fn(T, T) -> String, first: T, second: T) -> Option<Prevailing> {
    match ordering {
        Ordering::Greater => Some(Prevailing { first: true, why: why(first, second) }),
        Ordering::Less => Some(Prevailing { first: false, why: why(second, first) }),
        Ordering::Equal => None,
    }
}

/// The rank of a unit: the register's, else its own field.
fn authority(passage: &Passage<'_>) -> Option<u64> {
    let own = || match passage.unit.fields.get("authority")? {
        Json::Number(number) => number.as_u64(),
        _ => None,
    };
    passage.entry.and_then(|entry| entry.authority).or_else(own)
}

/// Of two units the later one.
fn later(first: &Passage<'_>, second: &Passage<'_>) -> Option<Prevailing> {
    if let (Some(a), Some(b)) = (valid_from(first), valid_from(second))
        && a != b
    {
        return decided(a.cmp(b), |late, early| format!("valid from {late}, the other from {early}"), a, b);
    }
    // Of one source, the register knows which version holds.
    let is_one_source = first.unit.source_id.is_some() && first.unit.source_id == second.unit.source_id;
    let holds = |passage: &Passage<'_>| match passage.entry.map(|entry| entry.status) {
        Some(Status::Current) => Some(true),
        Some(Status::Superseded) => Some(false),
        _ => None,
    };
    if let (true, Some(a), Some(b)) = (is_one_source, holds(first), holds(second))
        && a != b
    {
        return decided(a.cmp(&b), |_, _| "current, the other is superseded".to_owned(), a, b);
    }
    let (a, b) = (version_day(first)?, version_day(second)?);
    decided(a.cmp(b), |late, early| format!("version {late}, the other is {early}"), a, b)
}

/// The first day on which a unit holds: the register's, else its own field.
fn valid_from<'p>(passage: &Passage<'p>) -> Option<&'p str> {
    let own = || passage.unit.fields.get("valid_from").and_then(Json::as_text);
    passage.entry.and_then(|entry| entry.valid_from.as_deref()).or_else(own).filter(|day| is_day(day))
}

/// The version of a unit, where it is a day.
fn version_day<'p>(passage: &Passage<'p>) -> Option<&'p str> {
    passage.unit.source_version.as_deref().map(str::trim).filter(|version| is_day(version))
}

/// Whether a text is a day, `YYYY-MM-DD`: such days sort as texts.
fn is_day(text: &str) -> bool {
    let shape = |(at, byte): (usize, u8)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    text.len() == 10 && text.bytes().enumerate().all(shape)
}
