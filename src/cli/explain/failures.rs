//! What failed in a run, cluster by cluster, with the cases and claims to explain next.

use std::collections::BTreeMap;

use serde::Serialize;

use super::layout::Page;
use super::text::owned;
use crate::check::{Certainty, Severity, Stage};
use crate::diagnostic::Problem;
use crate::record::FindingRecord;
use crate::run::manifest::{ClusterEntry, RunVerdict};
use crate::run::{RunFolder, RunJson};

/// Subjects that are named for one cluster.
const MOST: usize = 10;
/// The same in JSON.
const MOST_IN_JSON: usize = 1_000;

/// A case or claim in a cluster.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Subject {
    /// What `explain` takes: `CASE` or `CASE#CLAIM`.
    pub subject: String,
    /// What was found there.
    pub message: String,
}

/// A cluster with its subjects.
#[derive(Debug, Serialize)]
pub(super) struct Failures<'r> {
    /// The cluster, as `run.json` has it.
    #[serde(flatten)]
    pub cluster: &'r ClusterEntry,
    /// The first subjects, in input order.
    pub subjects: Vec<Subject>,
}

/// Rule, code, stage, severity, certainty and whether it only observes: what tells clusters apart.
type Key = (String, String, Option<Stage>, Severity, Certainty, bool);

fn key(finding: &FindingRecord<'_>) -> Key {
    let (rule, code) = (finding.rule.to_string(), finding.code.to_string());
    (rule, code, finding.stage, finding.severity, finding.certainty, finding.observed)
}

/// The clusters of errors and warnings that count, each with its first subjects.
///
/// # Errors
/// Where the run's files cannot be read.
pub(super) fn of(folder: &RunFolder, in_json: bool) -> Result<Vec<Failures<'_>>, Problem> {
    let most = if in_json { MOST_IN_JSON } else { MOST };
    let counts = |cluster: &&ClusterEntry| !cluster.observed && cluster.severity > Severity::Note;
    let mut failures: Vec<Failures<'_>> = folder
        .manifest
        .clusters
        .iter()
        .filter(counts)
        .map(|cluster| Failures { cluster, subjects: Vec::new() })
        .collect();
    let places: BTreeMap<Key, usize> = failures
        .iter()
        .enumerate()
        .map(|(at, Failures { cluster: c, .. })| {
            ((c.rule.clone(), c.code.clone(), c.stage, c.severity, c.certainty, c.observed), at)
        })
        .collect();
    folder.each_case(&mut |case, claims| {
        let of_case = case.findings.iter().map(|finding| (case.case_id.to_string(), finding));
        let of_claims = claims.iter().flat_map(|claim| {
            let subject = format!("{}#{}", case.case_id, claim.claim_id);
            claim.findings.iter().map(move |finding| (subject.clone(), finding))
        });
        for (subject, finding) in of_case.chain(of_claims) {
            let cluster = places.get(&key(finding)).and_then(|&at| failures.get_mut(at));
            let Some(cluster) = cluster.filter(|cluster| cluster.subjects.len() < most) else { continue };
            if cluster.subjects.iter().all(|known| known.subject != subject) {
                cluster.subjects.push(Subject { subject, message: finding.message.to_string() });
            }
        }
        Ok(())
    })?;
    Ok(failures)
}

/// The same for people.
pub(super) fn text(run: &RunJson, failures: &[Failures<'_>], name: &str) -> String {
    let mut page = Page::default();
    let verdict = if run.verdict == RunVerdict::Pass { "PASS" } else { "FAIL" };
    if failures.is_empty() {
        page.heading(&format!("{verdict}  {name}: no finding is an error or a warning"));
        return page.text;
    }
    page.heading(&format!("{verdict}  {name}: what was found, by rule, code and stage at fault"));
    for Failures { cluster, subjects } in failures {
        let severity = if cluster.severity == Severity::Error { "error" } else { "warning" };
        let suspected = if cluster.certainty == Certainty::Triage { " (to be reviewed)" } else { "" };
        page.gap();
        page.heading(&format!("{severity}  {} ({}){suspected}", cluster.rule, cluster.code));
        page.line("at fault", &owned(run, cluster.stage));
        let cases = if cluster.cases == 1 { "1 case".to_owned() } else { format!("{} cases", cluster.cases) };
        page.line("how often", &format!("{} in {cases}", cluster.count));
        let gathers: Vec<String> = cluster
            .gathers
            .iter()
            .map(|entry| {
                let parts: Vec<String> = entry.slice.iter().map(|(id, value)| format!("{id}={value}")).collect();
                format!("{} ({} of {})", parts.join(" "), entry.count, cluster.count)
            })
            .collect();
        if !gathers.is_empty() {
            page.prose("gathers in", &gathers.join(", "));
        }
        for (at, subject) in subjects.iter().enumerate() {
            page.prose(if at == 0 { "where" } else { "" }, &format!("{}: {}", subject.subject, subject.message));
        }
        if subjects.len() == MOST && cluster.count > MOST as u64 {
            page.line("", "… (`--format json` has more)");
        }
    }
    page.gap();
    page.heading("`citeward explain RUN CASE#CLAIM` shows everything about one of them.");
    page.text
}
