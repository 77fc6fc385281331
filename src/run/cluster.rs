//! Failures that belong together: by rule, code and the stage at fault, with the team that owns the stage and the slices where they gather.

use std::collections::BTreeMap;

use super::manifest::{ClusterEntry, GatherEntry, SliceEntry};
use super::selection::{Cluster, ClusterKey, Selection};
use crate::check::Stage;

/// Slices named for one cluster.
const MOST_GATHERS: usize = 3;

/// The clusters of a run, worst severity first, then the largest.
#[must_use]
pub fn entries(selection: &Selection, slices: &[SliceEntry], owners: &BTreeMap<Stage, String>) -> Vec<ClusterEntry> {
    let mut clusters: Vec<(&ClusterKey, &Cluster)> = selection.clusters.iter().collect();
    clusters.sort_by(|(a, x), (b, y)| {
        let rank = |key: &ClusterKey| (key.overturned, key.known, key.observed, key.severity);
        rank(a).cmp(&rank(b)).then(y.count.cmp(&x.count)).then(a.cmp(b))
    });
    clusters
        .into_iter()
        .map(|(key, cluster)| ClusterEntry {
            rule: key.rule.clone(),
            code: key.code.clone(),
            stage: key.stage,
            owner: key.stage.and_then(|stage| owners.get(&stage)).cloned(),
            severity: key.severity.0,
            certainty: key.certainty,
            observed: key.observed,
            overturned: key.overturned,
            known: key.known,
            count: cluster.count,
            cases: cluster.cases,
            gathers: gathers(slices, cluster),
        })
        .collect()
}

/// Slices whose share of the cluster exceeds their share of the dataset by at least a tenth, the most striking first.
fn gathers(slices: &[SliceEntry], cluster: &Cluster) -> Vec<GatherEntry> {
    let mut found: Vec<(u64, u64, &str, &str)> = Vec::new();
    for ((id, value), &count) in &cluster.slices {
        let of_dimension = || slices.iter().filter(|entry| entry.slice.len() == 1 && entry.slice.contains_key(id));
        let size = |entry: &SliceEntry| entry.claims.max(entry.citations).max(entry.cases);
        let whole: u64 = of_dimension().map(size).fold(0, u64::saturating_add);
        let part = of_dimension().find(|entry| entry.slice.get(id) == Some(value)).map_or(0, size);
        let per_mille = |part: u64, whole: u64| (u128::from(part) * 1000 / u128::from(whole.max(1))) as u64;
        let lift = per_mille(count, cluster.count).saturating_sub(per_mille(part, whole));
        if lift >= 100 && count >= 2 {
            found.push((lift, count, id, value));
        }
    }
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| (a.2, a.3).cmp(&(b.2, b.3))));
    let entry = |(_, count, id, value): (u64, u64, &str, &str)| GatherEntry {
        slice: BTreeMap::from([(id.to_owned(), value.to_owned())]),
        count,
    };
    found.into_iter().take(MOST_GATHERS).map(entry).collect()
}
