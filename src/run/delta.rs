//! What became of every metric in every slice between two runs (SPEC 8.2): exact values on both sides, over all cases of
//! each, and where the two do not have the same cases, over those that both have.

use std::collections::BTreeMap;

use serde::Serialize;

use super::flips::Direction;
use crate::gate::display;
use crate::rules::metric::{self, Average, Metric};
use crate::tally::{RuleTable, SliceKey, Tally, Value};

/// One side of a comparison of metrics.
#[derive(Debug)]
pub struct Counted<'t> {
    /// What was counted.
    pub tally: &'t Tally,
    /// By which rules and slice dimensions.
    pub table: &'t RuleTable,
}

/// The value of a metric on one side.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// What is counted; `null` where 64 bits do not hold it, and of a macro average.
    pub numerator: Option<u64>,
    /// Out of how many; of a macro average, the cases that have a denominator.
    pub denominator: u64,
    /// The nearest double.
    pub value: f64,
    /// Cases with a denominator.
    pub cases: u64,
    #[serde(skip)]
    exact: Value,
}

/// A metric on both sides; a side without a denominator is `null`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    /// Before.
    pub before: Option<Measured>,
    /// Now.
    pub after: Option<Measured>,
    /// After − before; `null` where a side is.
    pub delta: Option<f64>,
    /// Which way; `null` where the value is the same.
    pub direction: Option<Direction>,
}

/// Which side knows a slice or a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// Both.
    Both,
    /// The slice occurred before and does not occur now.
    Gone,
    /// The slice occurs now and did not before.
    New,
    /// The policy of one side only declares the slice or the rule: there is nothing to hold against.
    OneSided,
}

/// One metric in one slice, before and now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricDelta {
    /// Its name in the catalogue.
    pub metric: String,
    /// How cases are put together.
    pub average: Average,
    /// Value by slice dimension; empty: everything.
    pub slice: BTreeMap<String, String>,
    /// Which side knows the slice.
    pub presence: Presence,
    /// Over all cases of each side.
    #[serde(flatten)]
    pub all: Pair,
    /// Over the cases that both sides have with the same question, where the sides do not have the same cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared: Option<Pair>,
    /// Whether the value is a ratio between 0 and 1.
    pub is_ratio: bool,
}

/// A metric in a slice, by name.
pub type Key = (String, Average, SliceKey);

/// Every metric of either side: those that a run always lists, then `more`. In the order of the later run, then what only the
/// earlier one has.
#[must_use]
pub fn deltas(
    before: &Counted<'_>,
    after: &Counted<'_>,
    shared: Option<(&Tally, &Tally)>,
    more: &[Key],
) -> Vec<MetricDelta> {
    let listed = |side: &Counted<'_>| {
        let entries = side.tally.metric_entries(side.table, &[]).into_iter();
        entries.map(|entry| (entry.metric, entry.average, entry.slice)).collect::<Vec<Key>>()
    };
    let mut seen = std::collections::BTreeSet::new();
    let keys = listed(after).into_iter().chain(listed(before)).chain(more.iter().cloned());
    let keys: Vec<Key> = keys.filter(|key| seen.insert(key.clone())).collect();
    keys.into_iter().map(|key| delta(before, after, shared, key)).collect()
}

fn delta(
    before: &Counted<'_>,
    after: &Counted<'_>,
    shared: Option<(&Tally, &Tally)>,
    (name, average, slice): Key,
) -> MetricDelta {
    let metrics = (before.table.metric_named(&name), after.table.metric_named(&name));
    let pair = |was: &Tally, is: &Tally| {
        let of = |tally, metric: &Option<Metric>| measured(tally, metric.as_ref()?, average, &slice);
        Pair::of(of(was, &metrics.0), of(is, &metrics.1), metrics.1.as_ref().or(metrics.0.as_ref()))
    };
    let declares = |side: &Counted<'_>| match &slice {
        SliceKey::Overall => true,
        SliceKey::Value { dimension, .. } => side.table.dimensions.iter().any(|known| known.id == *dimension),
    };
    let is_one_sided = metrics.0.is_some() != metrics.1.is_some() || !declares(before) || !declares(after);
    let presence = match (before.tally.slice(&slice).is_some(), after.tally.slice(&slice).is_some()) {
        _ if is_one_sided => Presence::OneSided,
        (true, false) => Presence::Gone,
        (false, true) => Presence::New,
        _ => Presence::Both,
    };
    let entry = metrics.1.as_ref().or(metrics.0.as_ref()).and_then(Metric::entry);
    MetricDelta {
        all: pair(before.tally, after.tally),
        shared: shared.map(|(was, is)| pair(was, is)),
        metric: name,
        average,
        slice: slice.to_map(),
        presence,
        is_ratio: entry.is_none_or(|entry| entry.is_ratio),
    }
}

fn measured(tally: &Tally, metric: &Metric, average: Average, slice: &SliceKey) -> Option<Measured> {
    let slice = tally.slice(slice)?;
    let exact = slice.value(metric, average)?;
    let listed = slice.listed(metric, average);
    Some(Measured {
        numerator: listed.numerator,
        denominator: listed.denominator,
        value: exact.to_f64(),
        cases: exact.cases,
        exact,
    })
}

impl Measured {
    /// `45/50`; of a macro average, `50 cases`.
    #[must_use]
    pub fn fraction(&self) -> String {
        match self.numerator {
            Some(numerator) => format!("{numerator}/{}", self.denominator),
            None => format!("{} case{}", self.cases, if self.cases == 1 { "" } else { "s" }),
        }
    }
}

impl Pair {
    fn of(before: Option<Measured>, after: Option<Measured>, metric: Option<&Metric>) -> Self {
        let direction = match (&before, &after) {
            (None, None) => None,
            // What is no longer measured cannot be trusted to be as good as it was.
            (Some(_), None) => Some(Direction::Worse),
            (None, Some(_)) => Some(Direction::Other),
            (Some(was), Some(is)) => {
                let order = is.exact.compare_value(&was.exact);
                let better = metric.map_or(metric::Direction::Higher, Metric::direction);
                (!order.is_eq()).then_some(match (better, order.is_gt()) {
                    (metric::Direction::Neither, _) => Direction::Other,
                    (metric::Direction::Higher, true) | (metric::Direction::Lower, false) => Direction::Better,
                    _ => Direction::Worse,
                })
            }
        };
        let delta = before.as_ref().zip(after.as_ref()).map(|(was, is)| is.value - was.value);
        Self { before, after, delta, direction }
    }

    /// Before, now and the difference, for a person; `no data` for a side without a denominator.
    #[must_use]
    pub fn shown(&self, is_ratio: bool) -> [String; 3] {
        let alone = |measured: &Measured| display::value(&measured.exact, &[], is_ratio);
        let no_data = || "no data".to_owned();
        match (&self.before, &self.after) {
            (Some(was), Some(is)) => display::change(&was.exact, &is.exact, is_ratio),
            (Some(was), None) => [alone(was), no_data(), String::new()],
            (None, Some(is)) => [no_data(), alone(is), String::new()],
            (None, None) => [no_data(), no_data(), String::new()],
        }
    }

    /// How much the change weighs: its size times the square root of the smaller denominator, so that one claim out of one does
    /// not stand before forty out of five hundred. What is no longer measured weighs most.
    #[must_use]
    pub fn weight(&self) -> f64 {
        match (&self.before, &self.after) {
            (Some(was), Some(is)) => {
                let samples = u32::try_from(was.denominator.min(is.denominator)).unwrap_or(u32::MAX);
                (is.value - was.value).abs() * f64::from(samples).sqrt()
            }
            (Some(_), None) => f64::MAX,
            _ => 0.0,
        }
    }
}

impl MetricDelta {
    /// The pair that says whether the product changed: over shared cases where the sides do not have the same, else over all.
    #[must_use]
    pub fn chief(&self) -> &Pair {
        self.shared.as_ref().unwrap_or(&self.all)
    }

    /// Whether its value is another one on any of the two sets of cases, or only one side has one.
    #[must_use]
    pub fn has_moved(&self) -> bool {
        self.all.direction.is_some() || self.shared.as_ref().is_some_and(|pair| pair.direction.is_some())
    }

    /// Whether anything that was counted is another number.
    #[must_use]
    pub fn counts_differ(&self) -> bool {
        let counts = |measured: &Option<Measured>| {
            measured.as_ref().map(|measured| (measured.numerator, measured.denominator, measured.cases))
        };
        self.has_moved() || counts(&self.all.before) != counts(&self.all.after)
    }

    /// Which way it moved, by [`MetricDelta::chief`]. A metric that one side does not know moved nowhere.
    #[must_use]
    pub fn direction(&self) -> Option<Direction> {
        match self.presence {
            Presence::Both => self.chief().direction,
            Presence::Gone => Some(Direction::Worse),
            Presence::New | Presence::OneSided => Some(Direction::Other),
        }
        .filter(|_| self.has_moved())
    }
}
