//! Which of the findings on the page belong to a gate, as the page's filter names them.

use schemars::JsonSchema;
use serde::Serialize;

use super::gate::slice_words;
use super::view::Filters;
use super::visible::one_line;
use crate::dataset::Label;
use crate::rules::metric::{FAIL_RATE, RULE};
use crate::run::RunJson;
use crate::run::manifest::GateEntry;
use crate::tally::rate_of;

/// What the filter has to be set to; empty texts filter nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Shows {
    /// A rule, where the gate's metric counts what one rule finds.
    pub rule: String,
    /// A label, where the metric counts claims with one label.
    #[schemars(schema_with = "super::schema::item_label_or_none")]
    pub label: &'static str,
    /// `language = de`.
    pub slice: String,
}

/// What a gate's findings are; `None` where the page shows none of them or the filter cannot name them.
pub(super) fn of(gate: &GateEntry, run: &RunJson, filters: &Filters) -> Option<Shows> {
    let slice = match gate.slice.len() {
        0 => String::new(),
        1 => slice_words(&gate.slice),
        _ => return None,
    };
    let shows = Shows { rule: rule(gate, run), label: label(&gate.metric), slice };
    let is_shown = |wanted: &str, among: &[String]| wanted.is_empty() || among.iter().any(|one| one == wanted);
    let has_label = shows.label.is_empty() || filters.labels.contains(&shows.label);
    (has_label && is_shown(&shows.rule, &filters.rules) && is_shown(&shows.slice, &filters.slices)).then_some(shows)
}

/// The one rule that a metric counts; empty where it counts several or none.
fn rule(gate: &GateEntry, run: &RunJson) -> String {
    let own = [RULE, FAIL_RATE].into_iter().find_map(|prefix| gate.metric.strip_prefix(prefix));
    if let Some(rule) = own {
        return one_line(rule);
    }
    let feeds = |kind: &str| rate_of(kind).is_some_and(|metric| metric.entry().is_some_and(|e| e.name == gate.metric));
    let mut rules = run.rules.iter().filter(|(_, rule)| !rule.observed && feeds(&rule.check));
    match (rules.next(), rules.next()) {
        (Some((id, _)), None) => one_line(id),
        _ => String::new(),
    }
}

/// The label that a metric counts; empty where it counts several or none.
fn label(metric: &str) -> &'static str {
    match metric {
        "claim_coverage" => "uncited",
        "contradiction_rate" => Label::Contradicted.as_str(),
        "insufficient_rate" => Label::Insufficient.as_str(),
        "partial_rate" => Label::Partial.as_str(),
        "unreadable_rate" => Label::Unreadable.as_str(),
        "unresolved_rate" => Label::Unresolved.as_str(),
        "undecided_rate" => Label::Undecided.as_str(),
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    fn filters(rules: &[&str], labels: &[&'static str], slices: &[&str]) -> Filters {
        let texts = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
        Filters {
            rules: texts(rules),
            labels: labels.to_vec(),
            slices: texts(slices),
            stages: Vec::new(),
            has_new: false,
        }
    }

    #[test]
    fn a_gate_leads_to_what_it_counts() {
        let run = fixture::run();
        let all = filters(&["unknown-source", "stale-source"], &["uncited", "contradicted"], &["language = de"]);
        let shown = |gate: usize, filters: &Filters| {
            of(&run.gates[gate], &run, filters).map(|shows| (shows.rule, shows.label, shows.slice))
        };
        let texts = |rule: &str, label: &'static str, slice: &str| Some((rule.to_owned(), label, slice.to_owned()));
        // claim_coverage overall; defect_rate in language=de, which many rules decide; stale_citation_rate by one rule.
        assert_eq!(shown(1, &all), texts("", "uncited", ""));
        assert_eq!(shown(3, &all), texts("", "", "language = de"));
        assert_eq!(shown(6, &all), texts("stale-source", "", ""));
        // What the page does not show is no place to go to.
        assert_eq!(shown(4, &all), None, "language = en");
        assert_eq!(shown(1, &filters(&[], &[], &[])), None);
    }
}
