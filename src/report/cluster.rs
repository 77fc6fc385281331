//! Failures that belong together: by rule and code, with where they gather.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ratio;
use super::visible::one_line;
use crate::check::{Certainty, Severity};
use crate::run::manifest::{RunJson, SliceEntry};
use crate::run::selection::{Cluster, ClusterKey, Selection};

/// Findings of one rule with one code.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClusterRow {
    /// The rule.
    pub rule: String,
    /// The code.
    pub code: String,
    /// `error`, `warning`, `note` or `observed`.
    pub severity: &'static str,
    /// Whether it is only a suspicion.
    pub is_triage: bool,
    /// How many findings.
    pub count: String,
    /// In how many cases.
    pub cases: String,
    /// Width of the bar, in thousandths of the largest cluster.
    pub width: u64,
    /// Slices in which it is more frequent than elsewhere, most striking first.
    pub gathers: Vec<Gathers>,
    /// Anchor of an example in this report; empty where none is shown.
    pub example: String,
    /// The example's message.
    pub message: String,
    /// First line of the manual page of the rule's kind.
    pub manual: String,
    /// `file:line` of the rule.
    pub place: String,
}

/// Where findings gather.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Gathers {
    /// `language = de`.
    pub slice: String,
    /// How many of the cluster's findings lie there.
    pub count: String,
}

/// `error`, `warning` or `note`; `observed` where the rule only observes.
pub(super) const fn severity_word(severity: Severity, observed: bool) -> &'static str {
    match (observed, severity) {
        (true, _) => "observed",
        (false, Severity::Error) => "error",
        (false, Severity::Warning) => "warning",
        (false, Severity::Note) => "note",
    }
}

/// The clusters, worst severity first, then the largest. `example` gives the anchor and message of one finding.
pub(super) fn rows(
    run: &RunJson,
    selection: &Selection,
    example: &BTreeMap<(String, String), (String, String)>,
) -> Vec<ClusterRow> {
    let largest = selection.clusters.values().map(|cluster| cluster.count).max().unwrap_or(1).max(1);
    let mut clusters: Vec<(&ClusterKey, &Cluster)> = selection.clusters.iter().collect();
    clusters.sort_by(|(a, x), (b, y)| {
        (a.observed, a.severity).cmp(&(b.observed, b.severity)).then(y.count.cmp(&x.count)).then(a.cmp(b))
    });
    clusters
        .into_iter()
        .map(|(key, cluster)| {
            let (anchor, message) = example.get(&(key.rule.clone(), key.code.clone())).cloned().unwrap_or_default();
            let rule = run.rules.get(&key.rule);
            ClusterRow {
                rule: one_line(&key.rule),
                code: one_line(&key.code),
                severity: severity_word(key.severity.0, key.observed),
                is_triage: key.certainty == Certainty::Triage,
                count: ratio::grouped(cluster.count),
                cases: ratio::grouped(cluster.cases),
                width: (u128::from(cluster.count) * 1000 / u128::from(largest)).max(4) as u64,
                gathers: gathers(run, cluster),
                example: anchor,
                message,
                manual: rule.map(|rule| one_line(&rule.manual)).unwrap_or_default(),
                place: rule.map(|rule| one_line(&rule.place)).unwrap_or_default(),
            }
        })
        .collect()
}

/// Slices whose share of the cluster exceeds their share of the dataset by at least a tenth, at most three.
fn gathers(run: &RunJson, cluster: &Cluster) -> Vec<Gathers> {
    let mut found: Vec<(u64, u64, &str, &str)> = Vec::new();
    for ((id, value), &count) in &cluster.slices {
        let of_dimension = || run.slices.iter().filter(|entry| entry.slice.len() == 1 && entry.slice.contains_key(id));
        let size = |entry: &SliceEntry| entry.claims.max(entry.citations).max(entry.cases);
        let whole: u64 = of_dimension().map(size).sum();
        let part = of_dimension().find(|entry| entry.slice.get(id) == Some(value)).map_or(0, size);
        let per_mille = |part: u64, whole: u64| (u128::from(part) * 1000 / u128::from(whole.max(1))) as u64;
        let lift = per_mille(count, cluster.count).saturating_sub(per_mille(part, whole));
        if lift >= 100 && count >= 2 {
            found.push((lift, count, id, value));
        }
    }
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| (a.2, a.3).cmp(&(b.2, b.3))));
    found
        .into_iter()
        .take(3)
        .map(|(_, count, id, value)| Gathers {
            slice: format!("{} = {}", one_line(id), one_line(value)),
            count: ratio::grouped(count),
        })
        .collect()
}
