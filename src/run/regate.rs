//! Other gates on a run that is there: its cases are counted again from their outlines and judged by the gates of a policy, without
//! evaluating again.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::assemble::gate_entry;
use super::folder::RunFolder;
use super::manifest::{BoundEntry, GateEntry, Number, PolicyStamp, RunVerdict};
use super::outline::{Head, Outlines};
use super::verdict::{Baselines, Source, recount};
use super::{OUTLINE, assemble};
use crate::diagnostic::{Problem, Problems, code};
use crate::gate::counting::{Counting, Uncounted};
use crate::gate::{Decision, Effect, Verdict};
use crate::rules::Policy;
use crate::rules::policy::TargetSlices;
use crate::tally::{DimensionEntry, RuleTable};

/// Schema of the JSON form.
pub const SCHEMA: &str = "citeward/regate/1";

/// A run under other gates.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Regated {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The run's folder, as it was named.
    pub run: String,
    /// How the run comes out by these gates.
    pub verdict: RunVerdict,
    /// How it came out by its own.
    pub was: RunVerdict,
    /// The policy that these gates are of.
    pub policy: PolicyStamp,
    /// Every gate on every slice, as in `run.json`.
    pub gates: Vec<GateEntry>,
    /// Cases of the run.
    pub cases: u64,
    /// Cases that failed by errors which none of these gates counts.
    pub uncounted: Uncounted,
    /// What comes out otherwise than the run says, in the order of `gates`; then the gates that are gone.
    pub changes: Vec<GateChange>,
    /// What a reader must know, one sentence each.
    pub warnings: Vec<String>,
}

/// A gate on a slice that comes out otherwise, or that only one of two policies has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GateChange {
    /// Its id.
    pub gate: String,
    /// Value by slice dimension; empty: everything.
    pub slice: BTreeMap<String, String>,
    /// How it was; `null`: there was no such gate on this slice.
    pub before: Option<GateState>,
    /// How it is; `null`: there is no such gate on this slice.
    pub after: Option<GateState>,
}

/// How a gate came out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GateState {
    /// How it came out.
    pub verdict: Verdict,
    /// What that means for the run.
    pub effect: Effect,
    /// Why, in one sentence.
    pub reason: String,
    /// The metric's value; `null` over nothing.
    pub value: Option<f64>,
    /// What is counted.
    pub numerator: Number,
    /// Out of how many.
    pub denominator: Number,
    /// The bounds, as written.
    pub bound: BoundEntry,
    /// `file:line` of the gate.
    pub place: String,
}

impl GateState {
    fn of(entry: &GateEntry) -> Self {
        Self {
            verdict: entry.verdict,
            effect: entry.effect,
            reason: entry.reason.clone(),
            value: entry.value,
            numerator: entry.numerator,
            denominator: entry.denominator,
            bound: entry.bound.clone(),
            place: entry.place.clone(),
        }
    }
}

impl GateChange {
    /// Whether the run is the worse for it: a gate that fails and did not.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        let effect = |state: &Option<GateState>| state.as_ref().map_or(Effect::Pass, |state| state.effect);
        effect(&self.after) > effect(&self.before)
    }
}

/// The gates that come out otherwise, in the order of `after`; then those that are gone.
#[must_use]
pub fn changes(before: &[GateEntry], after: &[GateEntry]) -> Vec<GateChange> {
    let key = |entry: &GateEntry| (entry.gate.clone(), entry.slice.clone());
    let mut old: BTreeMap<_, &GateEntry> = before.iter().map(|entry| (key(entry), entry)).collect();
    let mut changes = Vec::new();
    for entry in after {
        let was = old.remove(&key(entry));
        if was.is_some_and(|was| (was.verdict, was.effect) == (entry.verdict, entry.effect)) {
            continue;
        }
        changes.push(GateChange {
            gate: entry.gate.clone(),
            slice: entry.slice.clone(),
            before: was.map(GateState::of),
            after: Some(GateState::of(entry)),
        });
    }
    let gone = before.iter().filter(|entry| old.contains_key(&key(entry)));
    changes.extend(gone.map(|entry| GateChange {
        gate: entry.gate.clone(),
        slice: entry.slice.clone(),
        before: Some(GateState::of(entry)),
        after: None,
    }));
    changes
}

/// Judges the run in `folder` by the gates of `policy`, and against the baselines that `source` says.
///
/// # Errors
/// Where the run was judged by other rules, does not know a slice that a gate is judged on, or cannot be read; every problem of the
/// baselines.
pub fn regate(folder: &RunFolder, policy: &Policy, source: &Source) -> Result<Regated, Problems> {
    let run = &folder.manifest;
    let name = folder.path().display().to_string();
    let counted = count(&Stated::of_run(folder), policy, source)?;
    let gates: Vec<GateEntry> = counted.decision.results.iter().map(gate_entry).collect();
    let mut warnings = policy.idle.clone();
    warnings.extend(counted.warnings);
    Ok(Regated {
        schema: SCHEMA,
        run: name,
        verdict: if counted.decision.passes() { RunVerdict::Pass } else { RunVerdict::Fail },
        was: run.verdict,
        policy: assemble::policy_stamp(policy),
        cases: counted.tally.cases(),
        uncounted: Counting::of(policy).uncounted(&counted.tally),
        changes: changes(&run.gates, &gates),
        gates,
        warnings,
    })
}

/// A run's counts under a policy with the decision of its gates.
#[derive(Debug)]
pub struct Recounted {
    /// The counts.
    pub tally: crate::tally::Tally,
    /// The rules and dimensions that they are by.
    pub table: RuleTable,
    /// Every gate, judged.
    pub decision: Decision,
    /// What a reader must know of the comparison with the baselines.
    pub warnings: Vec<String>,
}

/// Outlines to be counted, with what else of their evaluation gates see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// The file of outlines.
    pub outlines: PathBuf,
    /// What they are called: the run, or what was evaluated.
    pub name: String,
    /// Names of the datasets with their numbers of cases, in reading order.
    pub datasets: Vec<(String, u64)>,
    /// Bad lines that were skipped.
    pub skipped_lines: u64,
    /// Cases that got no answer.
    pub missing_answers: u64,
    /// Claims that wait for a reviewer.
    pub open: u64,
}

/// A policy with its cases stated.
#[derive(Debug, Clone, Copy)]
pub struct Side<'s> {
    /// The policy.
    pub policy: &'s Policy,
    /// Its cases.
    pub stated: &'s Stated,
}

impl Stated {
    /// Those of a run.
    #[must_use]
    pub fn of_run(folder: &RunFolder) -> Self {
        let run = &folder.manifest;
        Self {
            outlines: folder.path().join(OUTLINE),
            name: folder.path().display().to_string(),
            datasets: run.datasets.iter().map(|dataset| (dataset.name.clone(), dataset.cases)).collect(),
            skipped_lines: run.datasets.iter().map(|dataset| dataset.skipped_lines).fold(0, u64::saturating_add),
            missing_answers: run.counts.broken_cases,
            open: run.review.open,
        }
    }
}

/// Counts outlines again and judges them.
///
/// # Errors
/// As [`regate`].
pub fn count(stated: &Stated, policy: &Policy, source: &Source) -> Result<Recounted, Problems> {
    let [counted] = count_each(stated, policy, [policy], source)?;
    Ok(counted)
}

/// The same under two policies. Where they differ in nothing that is counted (an edit of a gate), everything is counted and
/// paired once.
///
/// # Errors
/// As [`regate`].
pub fn count_both(before: Side<'_>, after: Side<'_>, source: &Source) -> Result<[Recounted; 2], Problems> {
    if before.stated == after.stated && count_alike(before.policy, after.policy) {
        return count_each(before.stated, before.policy, [before.policy, after.policy], source);
    }
    Ok([count(before.stated, before.policy, source)?, count(after.stated, after.policy, source)?])
}

/// Whether a run has the same counts under both policies, and is held against the same baselines.
fn count_alike(before: &Policy, after: &Policy) -> bool {
    let (old, new) = (RuleTable::of(before), RuleTable::of(after));
    let (was, is) = (&before.settings.baseline, &after.settings.baseline);
    let judge = |policy: &Policy| policy.settings.judge.as_ref().map(|judge| judge.id.clone());
    before.evaluation_digest == after.evaluation_digest
        && (old.rules, old.dimensions) == (new.rules, new.dimensions)
        && (&was.against, was.on_mismatch, was.fail_on) == (&is.against, is.on_mismatch, is.fail_on)
        && judge(before) == judge(after)
}

/// Counts once and judges by the gates of each of these policies, for all of which `any` stands in what is counted.
fn count_each<const N: usize>(
    stated: &Stated,
    any: &Policy,
    policies: [&Policy; N],
    source: &Source,
) -> Result<[Recounted; N], Problems> {
    let table = RuleTable::of(any);
    let head = Outlines::open(&stated.outlines)?.head;
    same_evaluation(&head, any, &table, &stated.name)?;
    for policy in policies {
        known_slices(&head, policy, &table, &stated.name)?;
    }
    let names: Vec<&str> = stated.datasets.iter().map(|(name, _)| name.as_str()).collect();
    let baselines = Baselines::open(source, &names, any, &table)?;
    let mut tally = recount(&stated.outlines, &table, &baselines.known_findings(any))?;
    tally.add_skipped_lines(stated.skipped_lines);
    tally.add_missing_answers(stated.missing_answers);
    let cases: Vec<u64> = stated.datasets.iter().map(|(_, cases)| *cases).collect();
    let held = baselines.pair(&stated.outlines, &cases, &policies, &table)?;
    let mut warnings = held.warnings();
    if head.engine != env!("CARGO_PKG_VERSION") {
        let found = crate::diagnostic::harmless(&head.engine);
        warnings.push(format!(
            "{} was evaluated by citeward {found}, this is {}.",
            stated.name,
            env!("CARGO_PKG_VERSION")
        ));
    }
    Ok(policies.map(|policy| {
        let mut decision = held.judge(policy, &tally, &table);
        decision.hold_unreviewed(&policy.settings.review, stated.open);
        Recounted { warnings: warnings.clone(), tally: tally.clone(), table: table.clone(), decision }
    }))
}

/// Refuses a policy by which the run's cases would be judged otherwise.
///
/// # Errors
/// A [`Problem`] that says what differs, so far as the run tells.
pub fn same_evaluation(head: &Head, policy: &Policy, table: &RuleTable, run: &str) -> Result<(), Problem> {
    let digest = policy.evaluation_digest.to_string();
    let key_check = policy.settings.redact.redactor.hashing.key_check();
    if head.evaluation_digest == digest && head.key_check != key_check {
        let shown = |check: Option<String>| check.unwrap_or_else(|| "no key".to_owned());
        return Err(Problem::new(code::CONTRADICTION, "the hashes of the run were made under another key")
            .found(shown(head.key_check.clone()), shown(key_check))
            .help("set the variable that `redact: hash_key_env` names to the key of the run"));
    }
    if head.evaluation_digest == digest {
        return Ok(());
    }
    let ids = |entries: &[crate::tally::RuleEntry]| entries.iter().map(|rule| rule.id.clone()).collect::<Vec<_>>();
    let slices = |entries: &[DimensionEntry]| entries.iter().map(|slice| slice.id.clone()).collect::<Vec<_>>();
    let mut differs = differences("rule", &ids(&head.rules), &ids(&table.rules));
    differs.extend(differences("slice", &slices(&head.dimensions), &slices(&table.dimensions)));
    if differs.is_empty() {
        differs.push("an option, a marker, a lexicon or another part that decides what is found".to_owned());
    }
    Err(Problem::new(code::CONTRADICTION, format!("the run was judged by other rules: {}", differs.join("; ")))
        .in_file(run)
        .found(&head.evaluation_digest, digest)
        .help("other gates can be judged on this run, other rules cannot: `citeward check` evaluates again, `citeward impact` shows what the rules would change"))
}

/// `the rule `a` is new`, `the rule `b` is gone`.
fn differences(what: &str, before: &[String], after: &[String]) -> Vec<String> {
    let new = after.iter().filter(|id| !before.contains(id)).map(|id| format!("the {what} `{id}` is new"));
    let gone = before
        .iter()
        .filter(|id| !after.contains(id))
        .map(|id| format!("the {what} `{}` is gone", crate::diagnostic::harmless(id)));
    new.chain(gone).collect()
}

/// Refuses a gate on a slice dimension that the run's outlines say nothing of.
fn known_slices(head: &Head, policy: &Policy, table: &RuleTable, run: &str) -> Result<(), Problem> {
    let unknown = head.unknown_dimensions(&table.dimensions);
    for gate in &policy.gates {
        for target in &gate.targets {
            let (TargetSlices::EachOf(index) | TargetSlices::One(index, _)) = &target.slices else { continue };
            let Some(dimension) = table.dimensions.get(*index) else { continue };
            if unknown.iter().any(|other| other.id == dimension.id) {
                let message = format!(
                    "the run does not know the slice `{}`, on which the gate `{}` ({}) is judged",
                    dimension.id, gate.id, gate.place
                );
                return Err(Problem::new(code::UNKNOWN_SLICE, message)
                    .in_file(run)
                    .help("evaluate again: `citeward check` records every slice that the policy declares"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Severity;
    use crate::gate::Cause;
    use crate::rules::metric::Average;

    fn entry(gate: &str, language: Option<&str>, verdict: Verdict, effect: Effect) -> GateEntry {
        GateEntry {
            gate: gate.to_owned(),
            metric: "defect_rate".to_owned(),
            average: Average::Micro,
            slice: language.map(|value| ("language".to_owned(), value.to_owned())).into_iter().collect(),
            severity: Severity::Error,
            verdict,
            effect,
            cause: Cause::Bound,
            reason: String::new(),
            value: Some(0.5),
            numerator: Number::Count(1),
            denominator: Number::Count(2),
            bound: BoundEntry::default(),
            min_samples: 0,
            broken: 0,
            confidence: None,
            interval: None,
            baseline: None,
            p: None,
            comparisons: Vec::new(),
            place: String::new(),
        }
    }

    #[test]
    fn gates_that_come_out_otherwise_are_new_or_gone_are_changes_and_no_others() {
        let (pass, fail) = ((Verdict::Pass, Effect::Pass), (Verdict::Fail, Effect::Fail));
        let of = |gate, language, (verdict, effect)| entry(gate, language, verdict, effect);
        let before = [of("a", None, pass), of("a", Some("de"), pass), of("b", None, fail), of("old", None, fail)];
        let after = [of("new", None, pass), of("a", Some("de"), fail), of("a", None, pass), of("b", None, fail)];
        let changes = changes(&before, &after);
        let seen: Vec<_> = changes
            .iter()
            .map(|change| {
                let verdict = |state: &Option<GateState>| state.as_ref().map(|state| state.verdict);
                (
                    change.gate.as_str(),
                    change.slice.len(),
                    verdict(&change.before),
                    verdict(&change.after),
                    change.is_worse(),
                )
            })
            .collect();
        assert_eq!(
            seen,
            [
                ("new", 0, None, Some(Verdict::Pass), false),
                ("a", 1, Some(Verdict::Pass), Some(Verdict::Fail), true),
                ("old", 0, Some(Verdict::Fail), None, false),
            ]
        );
    }

    #[test]
    fn the_same_verdict_with_another_effect_is_a_change() {
        let before = [entry("a", None, Verdict::Inconclusive, Effect::Warn)];
        let after = [entry("a", None, Verdict::Inconclusive, Effect::Fail)];
        assert!(changes(&before, &after)[0].is_worse());
        assert!(!changes(&after, &before)[0].is_worse());
    }
}
