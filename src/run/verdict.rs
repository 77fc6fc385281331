//! From counts to a decision: the baselines that a run is held against, the cases of both paired, the gates judged. What
//! `check` does after evaluating, and all that `regate` does.

mod find;
mod labels;
mod pair;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use crossbeam_channel::Receiver;

use super::manifest::BaselineFlips;
use super::outline::{self, Block, Outlines, cross};
use crate::diagnostic::{Problem, code, harmless};
use crate::gate::baseline_cases::Kept;
use crate::gate::{self, Against, Decision};
use crate::record::outline::RuleIndex;
use crate::rules::Policy;
use crate::rules::policy::Gate;
use crate::tally::paired::{Paired, PairedTally, Wanted};
use crate::tally::{RuleTable, Tally};

use find::Set;
pub use find::{Baselines, Source};
pub use labels::Labels;
use pair::{EVERYTHING, JudgeLabels};

/// A run held against its baselines: the cases of both sides, paired.
#[derive(Debug)]
pub struct Held<'b> {
    baselines: &'b Baselines,
    paired: Vec<PairedTally>,
    refused: Vec<Option<String>>,
    /// The same with the baseline's labels where a judge's changed and nobody reviewed them; `None` where none did.
    held_back: Option<HeldBack>,
    /// What flipped against each baseline that was found, in the order of [`Baselines::files`].
    pub flips: Vec<BaselineFlips>,
}

/// A run as it would be without the judge's labels that changed.
#[derive(Debug)]
struct HeldBack {
    labels: u64,
    paired: Vec<PairedTally>,
    tally: Tally,
}

/// Counts a run again from its `outline.jsonl`. `known` are the fingerprints of findings that fail no case.
///
/// # Errors
/// A [`Problem`] where the outlines cannot be read, or a slice dimension has more values than it may have.
pub fn recount(outlines: &Path, table: &RuleTable, known: &BTreeSet<String>) -> Result<Tally, Problem> {
    let mut outlines = Outlines::open(outlines)?;
    let (name, index) = (outlines.name(), table.index());
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let (give, take) = crossbeam_channel::bounded::<Block>(threads * 2);
    thread::scope(|scope| {
        let counters: Vec<_> = (0..threads)
            .map(|_| {
                let (take, name, index) = (take.clone(), &name, &index);
                let count = move || count_blocks(&take, name, (table, index), known);
                thread::Builder::new()
                    .spawn_scoped(scope, count)
                    .map_err(|error| Problem::new(code::TOO_LARGE, format!("a thread cannot be started: {error}")))
            })
            .collect::<Result<_, _>>()?;
        drop(take);
        let read = loop {
            match outlines.next_block() {
                // Nobody takes blocks any more where every counter has met a problem.
                Ok(Some(block)) => match give.send(block) {
                    Ok(()) => {}
                    Err(_) => break Ok(()),
                },
                Ok(None) => break Ok(()),
                Err(problem) => break Err(problem),
            }
        };
        drop(give);
        let mut tally = Tally::new(table);
        let mut problems = Vec::new();
        for counter in counters {
            match counter.join() {
                Ok(Ok(part)) => tally.merge(&part).map_err(|error| Problem::new(code::TOO_LARGE, error.to_string()))?,
                Ok(Err(found)) => problems.push(*found),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        // The first in the file, whoever met it.
        problems.sort_by_key(|(line, _)| *line);
        match problems.into_iter().next() {
            Some((_, problem)) => Err(problem),
            None => read.map(|()| tally),
        }
    })
}

/// Counts the blocks that it is given; stops at the first problem, which comes with the line that its block begins on.
fn count_blocks(
    blocks: &Receiver<Block>,
    name: &str,
    (table, index): (&RuleTable, &RuleIndex),
    known: &BTreeSet<String>,
) -> Result<Tally, Box<(u64, Problem)>> {
    let mut tally = Tally::new(table);
    for block in blocks {
        for case in block.cases(name) {
            let mut case = case.map_err(|problem| Box::new((block.first, problem)))?;
            cross(&mut case, &table.dimensions);
            let of_claims = case.claims.iter_mut().flat_map(|claim| &mut claim.findings);
            for finding in case.findings.iter_mut().chain(of_claims) {
                finding.known = known.contains(finding.fingerprint.as_ref());
            }
            outline::count(&mut tally, &case, index, table)
                .map_err(|error| Box::new((block.first, Problem::new(code::TOO_LARGE, error.to_string()))))?;
        }
    }
    Ok(tally)
}

impl Baselines {
    /// Pairs the cases of a run with those of its baselines, for the gates of these policies, which decide records alike.
    /// `outlines` is the run's `outline.jsonl`, `cases` the number of cases of each dataset, in the order in which they
    /// stand there.
    ///
    /// # Errors
    /// A [`Problem`] where the outlines cannot be read.
    pub fn pair(
        &self,
        outlines: &Path,
        cases: &[u64],
        policies: &[&Policy],
        table: &RuleTable,
    ) -> Result<Held<'_>, Problem> {
        let refused = self.sets.iter().map(|set| self.refusal(set)).collect();
        if !self.any() {
            let paired = self.sets.iter().map(|_| PairedTally::new(Vec::new())).collect();
            return Ok(Held { baselines: self, paired, refused, held_back: None, flips: Vec::new() });
        }
        let mut wanted: Vec<Wanted> = policies.iter().flat_map(|policy| gate::wanted(&policy.gates)).collect();
        wanted.push(EVERYTHING);
        let walked = self.walk(outlines, cases, &wanted, table, JudgeLabels::New)?;
        let held_back = if walked.unreviewed == 0 {
            None
        } else {
            let old = self.walk(outlines, cases, &wanted, table, JudgeLabels::Old)?;
            old.tally.map(|tally| HeldBack { labels: walked.unreviewed, paired: old.paired, tally })
        };
        Ok(Held { baselines: self, paired: walked.paired, refused, held_back, flips: walked.flips })
    }
}

impl Held<'_> {
    /// Judges the gates on a tally and against the baselines. What fails only through labels of a judge that changed and
    /// that nobody reviewed is inconclusive: one unreviewed disagreement never fails a build (SPEC 8.3).
    #[must_use]
    pub fn judge(&self, policy: &Policy, tally: &Tally, table: &RuleTable) -> Decision {
        let mut decision = self.judge_gates(&policy.gates, policy, tally, table);
        let kept: Vec<Kept<'_>> = self.overall().map(|(set, paired)| set.kept(paired)).collect();
        decision.hold_baseline_cases(&policy.settings.baseline, &kept);
        decision
    }

    /// The same for other gates than the policy's, on metrics and slices that its gates look at.
    #[must_use]
    pub fn judge_gates(&self, gates: &[Gate], policy: &Policy, tally: &Tally, table: &RuleTable) -> Decision {
        let mut decision = self.judged(gates, policy, (tally, table), &self.paired);
        if let Some(held_back) = &self.held_back {
            let mut old = held_back.tally.clone();
            old.add_skipped_lines(tally.skipped_lines());
            old.add_missing_answers(tally.missing_answers());
            let without = self.judged(gates, policy, (&old, table), &held_back.paired);
            decision.excuse_unreviewed(&without, held_back.labels);
        }
        decision
    }

    fn judged(
        &self,
        gates: &[Gate],
        policy: &Policy,
        (tally, table): (&Tally, &RuleTable),
        paired: &[PairedTally],
    ) -> Decision {
        let max_changed = &policy.settings.baseline.max_changed_questions;
        let sets = self.baselines.sets.iter().zip(paired).zip(&self.refused);
        let against: Vec<Against<'_>> = sets
            .map(|((set, paired), refused)| Against {
                name: &set.name,
                missing: set.missing.as_deref(),
                refused: refused.as_deref(),
                unknown_dimensions: &set.unknown_dimensions,
                paired,
                max_changed,
            })
            .collect();
        gate::judge(gates, tally, table, &against)
    }

    /// The baselines of each name, with how their cases pair with the run's.
    fn overall(&self) -> impl Iterator<Item = (&Set, &Paired)> {
        let sets = self.baselines.sets.iter().zip(&self.paired);
        sets.filter_map(|(set, paired)| Some((set, paired.slices(&EVERYTHING)?.get("")?)))
    }

    /// What a reader must know of the comparison, one sentence each.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.baselines.notes.clone();
        for (set, refused) in self.baselines.sets.iter().zip(&self.refused) {
            let called =
                if set.name.is_empty() { "Baseline".to_owned() } else { format!("Baseline {}", harmless(&set.name)) };
            let (excuses_nothing, mismatches) = (self.baselines.excuses_nothing(set), set.mismatches.iter());
            let end = match refused {
                None => "compared all the same, as `baseline: on_mismatch` says",
                Some(_) => "only its cases are looked for, and no value is compared with it",
            };
            match excuses_nothing {
                Some(told) => warnings.push(format!("{called}: {told}")),
                None => warnings.extend(mismatches.map(|mismatch| format!("{called}: {mismatch}; {end}."))),
            }
        }
        if let Some(held_back) = &self.held_back {
            let labels =
                if held_back.labels == 1 { "1 label".to_owned() } else { format!("{} labels", held_back.labels) };
            warnings.push(format!(
                "{labels} of the judge changed against the baseline and nobody reviewed them; review.jsonl lists them, \
                 and no gate fails through them alone."
            ));
        }
        for (set, paired) in self.overall() {
            let name = set.name.as_str();
            let of = if name.is_empty() { "the baseline".to_owned() } else { format!("baseline {}", harmless(name)) };
            let cases = |count: u64, one: &str, many: &str| match count {
                1 => format!("1 case {one}"),
                count => format!("{count} cases {many}"),
            };
            if paired.changed > 0 {
                let of = format!("of {of}");
                let text = cases(paired.changed, &format!("{of} asks"), &format!("{of} ask"));
                warnings.push(format!("{text} something else now, and no gate on a drop or rise sees it."));
            }
            if paired.added > 0 {
                let text = cases(paired.added, "is", "are");
                warnings.push(format!("{text} not in {of}: no gate on a drop or rise sees it."));
            }
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::gate::{Cause, Effect, Verdict};
    use crate::run::baseline::{self, Blessing, Identity};
    use crate::run::outline::Head;

    const POLICY: &str = "version: 1\nrules: [{ id: numbers, check: numbers }]\ngates:\n  \
                          - { id: correct, metric: citation_correctness, min: 0.9 }\n  \
                          - { id: holds, metric: citation_correctness, max_drop: 0 }\n  \
                          - { id: covered, metric: claim_coverage, min: 1 }\n";

    /// Ten cases of one claim each, which a judge labelled; the first `wrong` of them contradicted. `text` is the digest of
    /// the claims' texts.
    fn cases(wrong: usize, decided_by: &str, text: &str) -> Vec<String> {
        let case = |number: usize| {
            let label = if number < wrong { "contradicted" } else { "supported" };
            format!(
                r#"{{"case_id":"c{number}","question":"q","claims":[{{"claim_id":"c1","text":"{text}","label":"{label}","decided_by":"{decided_by}","outcomes":"n","citations":[{{"id":"S1"}}]}}]}}"#
            )
        };
        (0..10).map(case).collect()
    }

    /// The decision on a run whose labels changed on three of ten claims.
    fn decided(decided_by: &str, text: &str) -> Decision {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("rules")).expect("made");
        fs::write(folder.path().join("rules/policy.yaml"), POLICY).expect("written");
        let policy = crate::rules::load(&folder.path().join("rules")).expect("a policy");
        let table = RuleTable::of(&policy);
        let head = Head::of(&policy, &table);
        let identity = Identity {
            dataset: "d".into(),
            version: None,
            content_digest: String::new(),
            answers: None,
            questions_digest: String::new(),
            gates_digest: String::new(),
            verdict: "pass".into(),
            blessings: Vec::<Blessing>::new(),
        };
        let outline = folder.path().join("outline.jsonl");
        let lines = |cases: &[String]| {
            let head = String::from_utf8(head.to_line().expect("JSON")).expect("text");
            fs::write(&outline, head + &cases.join("\n")).expect("written");
        };
        lines(&cases(0, "judge", "t"));
        let tally = recount(&outline, &table, &BTreeSet::new()).expect("outlines");
        let bytes = baseline::to_bytes(&identity, &head, &tally, &cases(0, "judge", "t")).expect("JSON");
        fs::write(folder.path().join("d.json"), bytes).expect("written");
        let source = Source::Named { paths: vec![folder.path().join("d.json")], is_whole: false };
        let baselines = Baselines::open(&source, &["d"], &policy, &table).expect("a baseline");
        lines(&cases(3, decided_by, text));
        let tally = recount(&outline, &table, &BTreeSet::new()).expect("outlines");
        let held = baselines.pair(&outline, &[10], &[&policy], &table).expect("outlines");
        held.judge(&policy, &tally, &table)
    }

    #[test]
    fn labels_of_a_judge_that_changed_fail_nothing_before_somebody_reviewed_them() {
        let decision = decided("judge", "t");
        for result in decision.results.iter().take(2) {
            assert_eq!(
                (result.verdict, result.effect, result.cause),
                (Verdict::Inconclusive, Effect::Warn, Cause::UnreviewedLabels),
                "{}",
                result.reason
            );
            assert!(result.reason.contains("70 % (7 of 10)"), "{}", result.reason);
            assert!(result.reason.ends_with("3 labels of the judge changed, and nobody reviewed them"));
        }
        assert_eq!(decision.results[2].verdict, Verdict::Pass);
        assert!(decision.passes());
    }

    #[test]
    fn labels_of_rules_and_reviewers_and_of_other_claims_count() {
        // A rule or a person decided; or the judge, on a claim that says something else now.
        for (decided_by, text) in [("rule:numbers", "t"), ("review", "t"), ("judge", "u")] {
            let decision = decided(decided_by, text);
            assert_eq!(decision.results[0].verdict, Verdict::Fail, "{decided_by} {text}");
            assert_eq!(decision.results[1].verdict, Verdict::Fail, "{decided_by} {text}");
            assert!(!decision.passes());
        }
    }
}
