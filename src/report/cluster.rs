//! Failures that belong together: by rule, code and stage at fault, with whose stage it is and where they gather.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::ratio;
use super::visible::{one_line, short};
use crate::check::{Certainty, Severity, Stage};
use crate::run::cluster;
use crate::run::manifest::{GatherEntry, RunJson};
use crate::run::selection::Selection;

/// Findings of one rule with one code and one stage at fault.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClusterRow {
    /// The rule.
    pub rule: String,
    /// The code.
    pub code: String,
    /// The stage at fault; empty where it cannot be told.
    #[schemars(schema_with = "super::schema::stage_or_none")]
    pub stage: &'static str,
    /// The team that owns the stage; empty where the policy names none.
    pub owner: String,
    /// `error`, `warning`, `note`, `observed`, `overturned` or `known`.
    #[schemars(schema_with = "super::schema::finding_severity")]
    pub severity: &'static str,
    /// Whether it is only a suspicion.
    pub is_triage: bool,
    /// How many findings.
    pub count: String,
    /// In how many cases.
    pub cases: String,
    /// Width of the bar, in thousandths of the largest cluster.
    #[schemars(range(max = 1000))]
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

/// How many error findings lie at one stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StageLine {
    /// The stage; empty for those of which it cannot be told.
    #[schemars(schema_with = "super::schema::stage_or_none")]
    pub stage: &'static str,
    /// The team that owns the stage; empty where the policy names none.
    pub owner: String,
    /// How many findings of severity `error` that count.
    pub count: String,
}

/// Where findings gather.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
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

/// The word for a finding: `overturned` where a reviewer called its claim supported all the same, `known` where the baseline
/// has it and it fails no case.
pub(super) const fn finding_word(severity: Severity, observed: bool, overturned: bool, known: bool) -> &'static str {
    match (overturned, known) {
        (true, _) => "overturned",
        (false, true) => "known",
        (false, false) => severity_word(severity, observed),
    }
}

/// Anchor and message of one finding that is shown, by rule, code, stage and word for its severity: an old defect is no example
/// of a new one.
pub(super) type Examples = BTreeMap<(String, String, &'static str, &'static str), (String, String)>;

/// The clusters, worst severity first, then the largest.
pub(super) fn rows(run: &RunJson, selection: &Selection, examples: &Examples) -> Vec<ClusterRow> {
    let clusters = cluster::entries(selection, &run.slices, &run.owners);
    let largest = clusters.iter().map(|cluster| cluster.count).max().unwrap_or(1).max(1);
    clusters
        .into_iter()
        .map(|cluster| {
            let stage = stage_word(cluster.stage);
            let severity = finding_word(cluster.severity, cluster.observed, cluster.overturned, cluster.known);
            let key = (one_line(&cluster.rule), one_line(&cluster.code), stage, severity);
            let (anchor, message) = examples.get(&key).cloned().unwrap_or_default();
            let rule = run.rules.get(&cluster.rule);
            ClusterRow {
                rule: key.0,
                code: key.1,
                stage,
                owner: cluster.owner.as_deref().map(|owner| short(owner, 80)).unwrap_or_default(),
                severity,
                is_triage: cluster.certainty == Certainty::Triage,
                count: ratio::grouped(cluster.count),
                cases: ratio::grouped(cluster.cases),
                width: (u128::from(cluster.count) * 1000 / u128::from(largest)).max(4) as u64,
                gathers: cluster.gathers.iter().map(gathers).collect(),
                example: anchor,
                message,
                manual: rule.map(|rule| one_line(&rule.manual)).unwrap_or_default(),
                place: rule.map(|rule| one_line(&rule.place)).unwrap_or_default(),
            }
        })
        .collect()
}

/// Error findings by the stage at fault, most first; those without a stage last.
pub(super) fn stages(run: &RunJson, selection: &Selection) -> Vec<StageLine> {
    let mut counts: BTreeMap<Option<Stage>, u64> = BTreeMap::new();
    for (key, cluster) in &selection.clusters {
        if !key.observed && !key.overturned && !key.known && key.severity.0 == Severity::Error {
            *counts.entry(key.stage).or_default() += cluster.count;
        }
    }
    let mut counts: Vec<(Option<Stage>, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|&(stage, count)| (stage.is_none(), std::cmp::Reverse(count), stage));
    let owner = |stage: Option<Stage>| stage.and_then(|stage| run.owners.get(&stage));
    counts
        .into_iter()
        .map(|(stage, count)| StageLine {
            stage: stage_word(stage),
            owner: owner(stage).map(|owner| short(owner, 80)).unwrap_or_default(),
            count: ratio::grouped(count),
        })
        .collect()
}

/// The name of a stage; empty where none can be told.
pub(super) fn stage_word(stage: Option<Stage>) -> &'static str {
    stage.map_or("", Stage::as_str)
}

fn gathers(entry: &GatherEntry) -> Gathers {
    let parts: Vec<String> =
        entry.slice.iter().map(|(id, value)| format!("{} = {}", one_line(id), one_line(value))).collect();
    Gathers { slice: parts.join(", "), count: ratio::grouped(entry.count) }
}
