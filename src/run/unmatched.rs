//! What a policy names and the data of a run does not have: conditions that never held, values of slices that no case has.
//! A name that is misspelt there switches a rule or a gate off without a word.

use std::collections::BTreeMap;

use crate::diagnostic::closest;
use crate::rules::Policy;
use crate::rules::metric::{Level, Metric};
use crate::rules::policy::{Dimension, DimensionSource, TargetSlices, When};
use crate::tally::{RuleTable, Tally};

/// Most names that one sentence lists; the rest is counted.
const MOST: usize = 8;

/// A sentence for each slice dimension with named values that no subject has, and one for all rules whose condition never
/// held for another reason. `never` are the rules whose condition never held, by index.
#[must_use]
pub fn warnings(policy: &Policy, tally: &Tally, table: &RuleTable, never: &[usize]) -> Vec<String> {
    let data = Data { policy, tally, table };
    let mut absent: BTreeMap<usize, BTreeMap<&str, Vec<String>>> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for (index, rule) in policy.rules.iter().enumerate() {
        let named = data.absent_values(&rule.when);
        let is_idle = never.contains(&index);
        let who = match (is_idle, data.gates_on(index)) {
            (true, Some(gates)) => format!("rule {} never applied, and {gates} rests on it", rule.id),
            (true, None) => format!("rule {} never applied", rule.id),
            (false, _) => format!("rule {}", rule.id),
        };
        if is_idle && named.is_empty() {
            let rests = data.gates_on(index).map_or_else(String::new, |gates| format!(" ({gates} rests on it)"));
            unexplained.push(format!("{}{rests}", rule.id));
        }
        for (dimension, value) in named {
            let users = absent.entry(dimension).or_default().entry(value).or_default();
            if !users.contains(&who) {
                users.push(who.clone());
            }
        }
    }
    let mut empty: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for gate in &policy.gates {
        for target in &gate.targets {
            match &target.slices {
                TargetSlices::One(dimension, value) if !data.has(*dimension, value) => {
                    let users = absent.entry(*dimension).or_default().entry(value).or_default();
                    users.push(format!("gate {}", gate.id));
                }
                TargetSlices::EachOf(dimension) if data.values(*dimension).is_empty() => {
                    empty.entry(*dimension).or_default().push(gate.id.clone());
                }
                _ => {}
            }
        }
    }
    let mut sentences: Vec<String> =
        absent.iter().filter_map(|(dimension, values)| data.sentence(*dimension, values)).collect();
    for (dimension, gates) in empty {
        if let Some(dimension) = policy.slices.get(dimension) {
            sentences.push(format!("Slice {} has no value in this data: gate {}.", dimension.id, listed(&gates)));
        }
    }
    if !unexplained.is_empty() {
        let rules = if unexplained.len() == 1 { "Rule" } else { "Rules" };
        sentences.push(format!("{rules} {} never applied: the `when` held nowhere.", listed(&unexplained)));
    }
    sentences
}

/// What a run counted, as the policy names it.
struct Data<'d> {
    policy: &'d Policy,
    tally: &'d Tally,
    table: &'d RuleTable,
}

impl<'d> Data<'d> {
    /// The values of a dimension with their cases.
    fn values(&self, dimension: usize) -> Vec<(&'d str, u64)> {
        let values = self.table.dimensions.get(dimension).map(|dimension| self.tally.values(dimension));
        values.into_iter().flatten().map(|(value, slice)| (value, slice.cases)).collect()
    }

    fn has(&self, dimension: usize, value: &str) -> bool {
        self.values(dimension).iter().any(|(known, _)| *known == value)
    }

    /// The values that a condition names and no subject has, with their dimensions.
    fn absent_values(&self, when: &'d When) -> Vec<(usize, &'d str)> {
        let slices = when.slices.iter().flat_map(|(index, values)| values.iter().map(|value| (*index, value.as_str())));
        let mut named: Vec<(usize, &str)> = slices.filter(|(index, value)| !self.has(*index, value)).collect();
        for (field, values) in
            [("language", &when.language), ("claim.type", &when.claim_type), ("source.type", &when.source_type)]
        {
            let Some(index) = self.policy.slices.iter().position(|dimension| is_of(dimension, field)) else { continue };
            let is_there = |wanted: &str| {
                let is_default = field == "language" && wanted == self.policy.default_language;
                is_default || self.values(index).iter().any(|(value, _)| same(field, value, wanted))
            };
            named.extend(values.iter().filter(|value| !is_there(value)).map(|value| (index, value.as_str())));
        }
        named.extend(when.not.iter().flat_map(|not| self.absent_values(not)));
        named
    }

    /// The gates on the pass rate of a rule.
    fn gates_on(&self, rule: usize) -> Option<String> {
        let of_rule = |metric: &Metric| matches!(metric, Metric::Rule(index) if usize::from(*index) == rule);
        let gates: Vec<String> =
            self.policy.gates.iter().filter(|gate| of_rule(&gate.metric)).map(|gate| gate.id.clone()).collect();
        (!gates.is_empty()).then(|| format!("gate {}", listed(&gates)))
    }

    fn sentence(&self, index: usize, absent: &BTreeMap<&str, Vec<String>>) -> Option<String> {
        let dimension = self.policy.slices.get(index)?;
        let subject = match dimension.level {
            Level::Case => "case",
            Level::Claim => "claim",
            Level::Citation => "citation",
        };
        let named: Vec<String> =
            absent.iter().map(|(value, users)| format!("`{}: {value}` ({})", dimension.id, listed(users))).collect();
        let mut seen = self.values(index);
        let near = absent.keys().find_map(|value| closest(value, seen.iter().map(|(known, _)| *known)));
        let near = near.map_or_else(|| ".".to_owned(), |near| format!("; did you mean `{near}`?"));
        seen.sort_by_key(|(_, cases)| std::cmp::Reverse(*cases));
        let seen: Vec<String> = seen.iter().map(|(value, cases)| format!("{value} ({cases})")).collect();
        let seen =
            if seen.is_empty() { "none has a value".to_owned() } else { format!("values seen: {}", listed(&seen)) };
        Some(format!("No {subject} has {}; {seen}{near}", listed(&named)))
    }
}

/// Whether the values of a dimension are those of this field, as they are.
fn is_of(dimension: &Dimension, field: &str) -> bool {
    matches!(&dimension.source, DimensionSource::Field(path) if path.0 == field)
}

/// Whether a value of the data is the one that a condition names; of a language its primary subtag.
fn same(field: &str, value: &str, wanted: &str) -> bool {
    match field {
        "language" => value.split(['-', '_']).next().is_some_and(|primary| primary.eq_ignore_ascii_case(wanted)),
        _ => value == wanted,
    }
}

fn listed(names: &[String]) -> String {
    match names.get(..MOST) {
        Some(first) if names.len() > MOST => {
            format!("{} and {} more", first.join(", "), names.len() - MOST)
        }
        _ => names.join(", "),
    }
}
