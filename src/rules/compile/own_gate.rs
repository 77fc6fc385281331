//! The gate that a rule carries itself: `gate: { max: 0 }` bounds the share of its judged subjects that fail.

use super::Dimensions;
use super::bound::{exceeds, fixed};
use super::gate::{Builder, Measured};
use super::place;
use crate::diagnostic::{Problem, Problems, code};
use crate::rules::metric::{Direction, FAIL_RATE, Metric};
use crate::rules::policy::{Gate, Mode, Rule};
use crate::rules::section::Sections;
use crate::rules::written;
use crate::yaml::{self, Entry, Node, Value};

/// The key of a rule.
const KEY: &str = "gate";

/// Whether any rule carries a gate.
pub(super) fn any(sections: &Sections) -> bool {
    sections.nodes("rules").iter().any(|rule| rule.get(KEY).is_some())
}

/// A rule's gate as the gate that it stands for, before its values are checked.
pub(super) struct OwnGate<'s> {
    key: &'s Entry,
    measured: Measured,
    pub(super) written: written::Gate,
}

/// The gates of the rules, as written. What belongs to a rule that has a problem itself is passed over.
pub(super) fn written<'s>(sections: &'s Sections, rules: &[Rule], problems: &mut Problems) -> Vec<OwnGate<'s>> {
    let mut gates = Vec::new();
    for node in sections.nodes("rules") {
        let (Some(key), Some(id)) = (node.get(KEY), node.get("id")) else { continue };
        let Value::Text(name) = &id.value.value else { continue };
        let Some((index, rule)) = rules.iter().enumerate().find(|(_, rule)| rule.id == *name) else { continue };
        if rule.mode == Mode::Observe {
            let problem =
                Problem::new(code::NO_EFFECT, format!("`{name}` only observes, and a gate would fail the run"));
            let problem = problem.at(key.key_span).label("`mode: observe` gates nothing");
            problems.push(problem.help("delete `gate`, or write `mode: enforce`"));
            continue;
        }
        let Some(whole) = as_gate(name, id, key, problems) else { continue };
        match (yaml::decode(&whole), u16::try_from(index)) {
            (Ok(written), Ok(index)) => {
                let measured = Measured {
                    metric: Metric::FailRate(index),
                    level: super::rule::level_of(&rule.check),
                    direction: Direction::Lower,
                    is_ratio: true,
                    has_macro: true,
                };
                gates.push(OwnGate { key, measured, written });
            }
            (Err(problem), _) => problems.push(problem),
            (Ok(_), Err(_)) => {}
        }
    }
    gates
}

/// The entry of `gates` that says the same.
fn as_gate(name: &str, id: &Entry, key: &Entry, problems: &mut Problems) -> Option<Node> {
    let Value::Map(entries) = &key.value.value else {
        let problem = Problem::new(code::WRONG_TYPE, "the gate of a rule is a map").at(key.value.span);
        problems.push(problem.found(key.value.describe(), "bounds").help("write `gate: { max: 0 }`"));
        return None;
    };
    let slices = entries.iter().find(|entry| entry.key == "slices").map(|entry| &entry.value.value);
    let items: &[Node] = if let Some(Value::List(items)) = slices { items } else { &[] };
    let in_slices = items.iter().filter_map(|item| item.get("min"));
    let mut is_sound = true;
    for entry in entries.iter().chain(in_slices) {
        let problem = match entry.key.as_str() {
            "id" | "metric" => {
                Problem::new(code::UNKNOWN_KEY, format!("`{}` has no place in the gate of a rule", entry.key))
                    .label(format!("its id is `{name}`, its metric the share of the rule's subjects that fail"))
                    .help("delete it; a gate on something else stands under `gates:`")
            }
            "min" => Problem::new(code::WRONG_DIRECTION, "`min` does not fit the gate of a rule")
                .label("it bounds the share of the rule's subjects that fail: lower is better")
                .help("write `max: 0` where none may fail, `max: 0.05` where one in twenty may"),
            _ => continue,
        };
        problems.push(problem.at(entry.key_span));
        is_sound = false;
    }
    let metric = Value::Text(format!("{FAIL_RATE}{name}"));
    let entry = |key: &str, value: Node| Entry { key: key.to_owned(), key_span: value.span, value };
    let mut whole = vec![entry("id", id.value.clone()), entry("metric", Node { span: key.key_span, value: metric })];
    whole.extend(entries.iter().cloned());
    is_sound.then_some(Node { span: key.value.span, value: Value::Map(whole) })
}

impl OwnGate<'_> {
    /// Checks the values.
    pub(super) fn gate(self, dimensions: &mut Dimensions, problems: &mut Problems) -> Option<Gate> {
        let entry = self.key.value.span;
        let mut gate =
            Builder { measured: self.measured, written: &self.written, entry, dimensions, problems }.gate()?;
        gate.place = place(self.key.key_span, problems);
        let maxima = gate.targets.iter().filter_map(|target| target.max.as_ref());
        if let Some(most) = maxima.into_iter().find(|max| exceeds(max, &fixed("0.5", 5, 1))) {
            let message = format!("`max: {}` lets more than half of what the rule judges fail", most.text);
            let problem = Problem::new(code::BAD_BOUND, message).at(entry);
            let problem = problem.label("the bound is on the share that fails, not on the share that passes");
            let help = format!(
                "write the share that may fail, such as 0.05; more than half is for a gate on `rule.{}`",
                gate.id
            );
            problems.push(problem.help(help));
        }
        Some(gate)
    }
}
