//! Making a run the baseline that later runs are held against.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::baseline::{self, Baseline, Blessing, Identity};
use super::folder::RunFolder;
use super::manifest::{DatasetStamp, GateEntry, RunJson, RunVerdict};
use super::outline::{self, Head};
use super::store::Store;
use super::{RUN_JSON, SUMS, verify};
use crate::diagnostic::{Problem, Problems, code, quoted};
use crate::gate::display;
use crate::record::outline::CaseOutline;
use crate::rules::metric::{Average, Direction, Metric};
use crate::tally::{SliceKey, Tally, Value};
use crate::text::digest;

/// What is blessed of a run: one dataset.
#[derive(Debug)]
pub struct Candidate {
    /// What the baseline will say of itself; the blessing itself is still to be added.
    pub identity: Identity,
    /// By whom and by what the cases were judged.
    pub head: Head,
    /// The counts of the dataset's cases.
    pub tally: Tally,
    /// The outlines without messages, as JSON.
    pub cases: Vec<String>,
    questions: Vec<(String, String)>,
    gates: Vec<GateEntry>,
}

/// The datasets of a run, ready to be blessed.
///
/// # Errors
/// A [`Problem`] where the run did not judge all of its data, or its folder is not what it was.
pub fn candidates(folder: &RunFolder) -> Result<Vec<Candidate>, Problem> {
    let run = &folder.manifest;
    let skipped = run.datasets.iter().map(|dataset| dataset.skipped_lines);
    let lost = skipped.fold(run.counts.broken_cases, u64::saturating_add);
    if lost > 0 {
        return Err(Problem::new(code::NO_CASES, "a run that did not judge all of its data cannot be a baseline")
            .found(format!("{lost} bad lines or cases without an answer"), "none")
            .help("what it left out could never regress; mend the data and evaluate again"));
    }
    let store = Store::of_run(folder.path())?;
    let table = store.head.table();
    let index = store.index();
    let mut cases = store.cases();
    let mut found = Vec::new();
    for dataset in &run.datasets {
        let mut tally = Tally::new(&table);
        let mut candidate = (Vec::new(), Vec::new());
        for _ in 0..dataset.cases {
            let Some(mut case) = cases.next() else { return Err(other_number("fewer", &store.name)) };
            case.hold_known_findings();
            outline::count(&mut tally, &case, &index, &table)
                .map_err(|error| Problem::new(code::TOO_LARGE, error.to_string()))?;
            candidate.1.push((case.case_id.to_string(), case.question.to_string()));
            candidate.0.push(without_messages(case)?);
        }
        let (cases, questions) = candidate;
        found.push(Candidate {
            identity: identity(run, dataset),
            head: store.head.clone(),
            tally,
            cases,
            questions,
            gates: run.gates.clone(),
        });
    }
    match cases.next() {
        None => Ok(found),
        Some(_) => Err(other_number("more", &store.name)),
    }
}

/// The baselines that the run in `path` would be blessed into, one for each dataset; the run is verified first.
///
/// # Errors
/// Where the folder holds no run, or one that is of another format version, was changed, or did not judge all of its data.
pub fn of_run(path: &Path) -> Result<Vec<Baseline>, Problems> {
    let shown = path.display().to_string();
    if !path.join(RUN_JSON).exists() {
        let problem = Problem::new(code::NOT_FOUND, "the folder holds no run").in_file(shown);
        let help = "give a file that `citeward bless` wrote, or a folder that `citeward check --out` wrote";
        return Err(problem.help(help).into());
    }
    let folder = RunFolder::open(path)?;
    verify::verify(path)?;
    let sums = std::fs::read(path.join(SUMS)).map_err(|error| verify::unreadable(&shown, &error))?;
    let sha256 = digest::raw(&sums).to_string();
    let baseline = |candidate: Candidate| {
        let Candidate { identity, head, tally, cases, .. } = candidate;
        let bytes = baseline::to_bytes(&identity, &head, &tally, &cases)?;
        Ok(Baseline { sha256: sha256.clone(), ..Baseline::read(bytes, &shown)? })
    };
    candidates(&folder)?.into_iter().map(baseline).collect::<Result<_, Problem>>().map_err(Problems::from)
}

fn other_number(which: &str, name: &str) -> Problem {
    let message = format!("{which} cases than the run says");
    Problem::new(code::BROKEN_RUN, message).in_file(name).help("see `citeward verify`")
}

fn identity(run: &RunJson, dataset: &DatasetStamp) -> Identity {
    Identity {
        dataset: dataset.name.clone(),
        version: dataset.version.clone(),
        content_digest: dataset.content_digest.clone(),
        answers: run.inputs.answers.as_ref().map(|answers| answers.sha256.clone()),
        questions_digest: dataset.questions_digest.clone(),
        gates_digest: run.policy.gates_digest.clone(),
        verdict: if run.verdict == RunVerdict::Pass { "pass" } else { "fail" }.to_owned(),
        blessings: Vec::new(),
    }
}

/// An outline as a baseline keeps it: what was found, and no text of the data.
fn without_messages(mut case: CaseOutline<'_>) -> Result<String, Problem> {
    let of_claims = case.claims.iter_mut().flat_map(|claim| &mut claim.findings);
    for finding in case.findings.iter_mut().chain(of_claims) {
        finding.message = None;
    }
    serde_json::to_string(&case)
        .map_err(|error| Problem::new(code::NOT_FINITE, format!("the baseline cannot be written: {error}")))
}

impl Candidate {
    /// Adds this blessing to those of the baseline before it.
    pub fn bless(&mut self, before: Option<&Baseline>, lower: Vec<String>, reason: Option<String>) {
        let mut blessings = before.map(|before| before.identity.blessings.clone()).unwrap_or_default();
        let again = blessings.last().is_some_and(|last| {
            last.content_digest == self.identity.content_digest && last.answers == self.identity.answers
        });
        if again && reason.is_none() {
            self.identity.blessings = blessings;
            return;
        }
        let Identity { content_digest, answers, .. } = &self.identity;
        let (content_digest, answers) = (content_digest.clone(), answers.clone());
        blessings.push(Blessing { content_digest, answers, lower, reason });
        self.identity.blessings = blessings;
    }

    /// What becomes worse by this blessing, one sentence each: values that gates hold and the chief ones overall, slices
    /// and cases that the baseline would no longer hold.
    #[must_use]
    pub fn lower_than(&self, before: &Baseline) -> Vec<String> {
        let mut lower = Vec::new();
        self.put_lower(before, (&before.tally, &self.tally), "", &mut lower);
        // Cases that were added make up for nothing that became worse.
        if let Some((was, is, shared)) = self.shared(before) {
            let cases = if shared == 1 { "the 1 case".to_owned() } else { format!("the {shared} cases") };
            self.put_lower(before, (&was, &is), &format!(" over {cases} that both have"), &mut lower);
        }
        lower.extend(self.lost(before));
        lower
    }

    /// The counts of both sides over the cases that both have with the same question, and their number; `None` where these
    /// are all cases, or none.
    fn shared(&self, before: &Baseline) -> Option<(Tally, Tally, usize)> {
        let now: BTreeMap<&str, (&str, &str)> = self
            .questions
            .iter()
            .zip(&self.cases)
            .map(|((id, question), case)| (id.as_str(), (question.as_str(), case.as_str())))
            .collect();
        let (old, new) = (before.store.head.table(), self.head.table());
        let (old_index, new_index) = (old.index(), new.index());
        let (mut was, mut is, mut shared) = (Tally::new(&old), Tally::new(&new), 0);
        for case in before.store.cases() {
            let Some((question, text)) = now.get(case.case_id.as_ref()) else { continue };
            if **question != *case.question {
                continue;
            }
            // Both were counted before, in the whole.
            outline::count(&mut was, &case, &old_index, &old).ok()?;
            let case: CaseOutline<'_> = serde_json::from_str(text).ok()?;
            outline::count(&mut is, &case, &new_index, &new).ok()?;
            shared += 1;
        }
        (shared > 0 && (shared < self.cases.len() || shared < before.store.len())).then_some((was, is, shared))
    }

    /// Adds a sentence on each value that is worse than before and of which nothing is said yet.
    fn put_lower(
        &self,
        before: &Baseline,
        (before_tally, tally): (&Tally, &Tally),
        over: &str,
        lower: &mut Vec<String>,
    ) {
        let (old, new) = (before.store.head.table(), self.head.table());
        for (name, average, slice) in self.held() {
            let (Some(was), Some(is)) = (old.metric_named(&name), new.metric_named(&name)) else { continue };
            let value = |tally: &Tally, metric: &Metric| tally.slice(&slice)?.value(metric, average);
            let Some(was_value) = value(before_tally, &was) else { continue };
            let what = format!("{}{} was ", name.replace('_', " "), slice.in_words());
            if lower.iter().any(|told| told.starts_with(&what)) {
                continue;
            }
            match value(tally, &is) {
                None => lower.push(format!("{what}{}, and is no longer measured{over}", shown(&was_value))),
                Some(now) if is_worse(&is, now.compare_value(&was_value)) => {
                    lower.push(format!("{what}{}, and is {}{over}", shown(&was_value), shown(&now)));
                }
                Some(_) => {}
            }
        }
    }

    /// The values that are compared: those of gates, and the chief ones overall.
    fn held(&self) -> Vec<(String, Average, SliceKey)> {
        let mut held: Vec<(String, Average, SliceKey)> = Vec::new();
        let chief = ["citation_correctness", "defect_rate", "claim_coverage", "case_pass_rate"];
        let of_gates = self.gates.iter().map(|gate| {
            let slice = gate.slice.iter().next().map_or(SliceKey::Overall, |(dimension, value)| SliceKey::Value {
                dimension: dimension.clone(),
                value: value.clone(),
            });
            (gate.metric.clone(), gate.average, slice)
        });
        let overall = chief.iter().map(|name| ((*name).to_owned(), Average::Micro, SliceKey::Overall));
        let mut seen = BTreeSet::new();
        for entry in overall.chain(of_gates) {
            let key = (entry.0.clone(), entry.1, format!("{:?}", entry.2));
            if seen.insert(key) {
                held.push(entry);
            }
        }
        held
    }

    /// Cases of the baseline that are not in the run, or ask something else now.
    fn lost(&self, before: &Baseline) -> Vec<String> {
        let now: BTreeMap<&str, &str> =
            self.questions.iter().map(|(id, question)| (id.as_str(), question.as_str())).collect();
        let (mut gone, mut changed) = (Vec::new(), Vec::new());
        for case in before.store.cases() {
            match now.get(case.case_id.as_ref()) {
                None => gone.push(case.case_id.to_string()),
                Some(question) if **question != *case.question => changed.push(case.case_id.to_string()),
                Some(_) => {}
            }
        }
        let sentence = |ids: &[String], one: &str, many: &str| {
            let first: Vec<String> = ids.iter().take(5).map(|id| quoted(id)).collect();
            let more = if ids.len() > 5 { ", …" } else { "" };
            let cases = if ids.len() == 1 { format!("1 case {one}") } else { format!("{} cases {many}", ids.len()) };
            (!ids.is_empty()).then(|| format!("{cases}: {}{more}", first.join(", ")))
        };
        let gone = sentence(&gone, "of the baseline is not in the run", "of the baseline are not in the run");
        let changed = sentence(&changed, "asks something else now", "ask something else now");
        gone.into_iter().chain(changed).collect()
    }
}

/// `90 % (45 of 50)`.
fn shown(value: &Value) -> String {
    let shown = display::value(value, &[], true);
    match value.counts() {
        Some((k, n)) => format!("{shown} ({k} of {n})"),
        None => shown,
    }
}

/// Whether a value in this order to the one before is worse.
fn is_worse(metric: &Metric, order: Ordering) -> bool {
    match metric.direction() {
        Direction::Higher => order.is_lt(),
        Direction::Lower => order.is_gt(),
        Direction::Neither => false,
    }
}
