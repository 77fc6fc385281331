//! What is different between two runs, each a run folder or a baseline file (SPEC 8.2): metrics per slice, cases and claims
//! that flipped, evidence that drifted, and what else the two do not share. Documented in `docs/run-format.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use super::baseline::Baseline;
use super::delta::{Counted, Key, MetricDelta, Presence, deltas};
use super::flips::{self, Direction, Flips};
use super::folder::RunFolder;
use super::manifest::{DatasetStamp, FileStamp, GateEntry, RunVerdict};
use super::outline::{Head, cross};
use super::store::Store;
use crate::diagnostic::{Problem, code};
use crate::gate::Verdict;
use crate::tally::{RuleTable, SliceKey, Tally, TallyError};

/// Schema of `citeward diff --format json`.
pub const SCHEMA: &str = "citeward/diff/1";

/// What one side is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A run folder.
    Run,
    /// A baseline file.
    Baseline,
}

/// A dataset of one side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dataset {
    /// Its name.
    pub name: String,
    /// Its version; `null`: unversioned.
    pub version: Option<String>,
    /// Digest over the questions alone.
    pub questions_digest: String,
    /// Digest over all cases.
    pub content_digest: String,
}

/// What one side says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stamp {
    /// Its path, as given.
    pub path: String,
    /// What it is.
    pub kind: Kind,
    /// Its datasets, as far as they are compared.
    pub datasets: Vec<Dataset>,
    /// Cases that are compared.
    pub cases: u64,
    /// `pass` or `fail`.
    pub verdict: String,
    /// Version of citeward.
    pub engine: String,
    /// Digest of the part of the policy that decides records.
    pub evaluation_digest: String,
    /// Digest of the gates.
    pub gates_digest: String,
    /// The judge.
    pub judge: Option<String>,
}

/// One side, read.
#[derive(Debug)]
pub struct Side {
    /// What it says of itself.
    pub stamp: Stamp,
    store: Store,
    /// The source register and the decisions of a run; a baseline does not know them.
    inputs: Option<[(&'static str, Option<FileStamp>); 2]>,
    /// Bad lines that were skipped and cases that were not evaluated.
    lost: u64,
    gates: Vec<GateEntry>,
    /// Metrics that the run lists because a gate names them.
    more: Vec<Key>,
    /// How many cases each of the datasets has, in order, of a run.
    sizes: Vec<u64>,
}

impl Side {
    /// Reads a run folder or a baseline file.
    ///
    /// # Errors
    /// A [`Problem`] where it is neither, or cannot be read.
    pub fn open(path: &Path) -> Result<Self, Problem> {
        if path.is_dir() {
            return Self::of_run(&RunFolder::open(path)?);
        }
        if !path.exists() {
            return Err(Problem::new(code::NOT_FOUND, "there is no run and no baseline here")
                .in_file(path.display().to_string())
                .help("give a folder that `citeward check --out` wrote, or a file that `citeward bless` wrote"));
        }
        Ok(Self::of_baseline(Baseline::open(path)?))
    }

    fn of_run(folder: &RunFolder) -> Result<Self, Problem> {
        let (run, path) = (&folder.manifest, folder.path());
        let store = Store::of_run(path)?;
        let dataset = |stamp: &DatasetStamp| Dataset {
            name: stamp.name.clone(),
            version: stamp.version.clone(),
            questions_digest: stamp.questions_digest.clone(),
            content_digest: stamp.content_digest.clone(),
        };
        let verdict = if run.verdict == RunVerdict::Pass { "pass" } else { "fail" };
        let stamp = Stamp {
            path: path.display().to_string(),
            kind: Kind::Run,
            datasets: run.datasets.iter().map(dataset).collect(),
            cases: store.len() as u64,
            verdict: verdict.to_owned(),
            engine: store.head.engine.clone(),
            evaluation_digest: store.head.evaluation_digest.clone(),
            gates_digest: run.policy.gates_digest.clone(),
            judge: store.head.judge.clone(),
        };
        let key = |slice: &BTreeMap<String, String>| {
            slice.iter().next().map_or(SliceKey::Overall, |(dimension, value)| SliceKey::Value {
                dimension: dimension.clone(),
                value: value.clone(),
            })
        };
        Ok(Self {
            stamp,
            store,
            inputs: Some([
                ("source register", run.inputs.sources.clone()),
                ("reviewers' decisions", run.inputs.decisions.clone()),
            ]),
            lost: run
                .datasets
                .iter()
                .map(|dataset| dataset.skipped_lines)
                .fold(run.counts.broken_cases, u64::saturating_add),
            gates: run.gates.clone(),
            more: run.metrics.iter().map(|entry| (entry.metric.clone(), entry.average, key(&entry.slice))).collect(),
            sizes: run.datasets.iter().map(|dataset| dataset.cases).collect(),
        })
    }

    fn of_baseline(baseline: Baseline) -> Self {
        let Baseline { path, identity, store, .. } = baseline;
        let dataset = Dataset {
            name: identity.dataset,
            version: identity.version,
            questions_digest: identity.questions_digest,
            content_digest: identity.content_digest,
        };
        let stamp = Stamp {
            path,
            kind: Kind::Baseline,
            datasets: vec![dataset],
            cases: store.len() as u64,
            verdict: identity.verdict,
            engine: store.head.engine.clone(),
            evaluation_digest: store.head.evaluation_digest.clone(),
            gates_digest: identity.gates_digest,
            judge: store.head.judge.clone(),
        };
        Self { stamp, store, inputs: None, lost: 0, gates: Vec::new(), more: Vec::new(), sizes: Vec::new() }
    }

    /// A run of nothing but these outlines.
    #[cfg(test)]
    pub(crate) fn of_outlines(path: &str, store: Store) -> Self {
        let stamp = Stamp {
            path: path.to_owned(),
            kind: Kind::Run,
            datasets: Vec::new(),
            cases: store.len() as u64,
            verdict: "pass".to_owned(),
            engine: store.head.engine.clone(),
            evaluation_digest: store.head.evaluation_digest.clone(),
            gates_digest: String::new(),
            judge: None,
        };
        Self { stamp, store, inputs: None, lost: 0, gates: Vec::new(), more: Vec::new(), sizes: Vec::new() }
    }

    /// Keeps the dataset that a baseline on the other side holds, where a run has several.
    fn narrow(&mut self, other: &Stamp) -> Result<(), Problem> {
        let (Kind::Run, Kind::Baseline, [wanted]) = (self.stamp.kind, other.kind, other.datasets.as_slice()) else {
            return Ok(());
        };
        let Some(at) = self.stamp.datasets.iter().position(|own| own.name == wanted.name) else { return Ok(()) };
        if self.stamp.datasets.len() < 2 {
            return Ok(());
        }
        let size = |upto: usize| {
            let cases = self.sizes.iter().take(upto).fold(0_u64, |sum, size| sum.saturating_add(*size));
            usize::try_from(cases).unwrap_or(usize::MAX)
        };
        let (first, last) = (size(at), size(at + 1));
        let mut text = Vec::new();
        let mut places = Vec::new();
        for line in self.store.lines().take(last).skip(first) {
            let start = text.len();
            text.extend_from_slice(line);
            places.push((start, text.len()));
            text.push(b'\n');
        }
        self.store = Store::new(self.store.name.clone(), self.store.head.clone(), text, places)?;
        self.stamp.datasets = self.stamp.datasets.drain(at..=at).collect();
        self.stamp.cases = self.store.len() as u64;
        // What gates say is about all datasets of the run.
        self.gates.clear();
        Ok(())
    }
}

/// Something that the two sides do not share, and what that means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// What: `questions`, `policy`, `gates`, `engine`, `judge`, `dataset`, `source register`, `reviewers' decisions`, `rules`, `slices`.
    pub what: String,
    /// Before; `null` where there was none.
    pub before: Option<String>,
    /// Now.
    pub after: Option<String>,
    /// What it means for the comparison, in one sentence.
    pub meaning: String,
}

/// A slice that only one side has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LoneSlice {
    /// Value by slice dimension.
    pub slice: BTreeMap<String, String>,
    /// Its cases on the side that has it.
    pub cases: u64,
}

/// A gate of both runs that came out otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GateChange {
    /// Its id.
    pub gate: String,
    /// Value by slice dimension; empty: everything.
    pub slice: BTreeMap<String, String>,
    /// Its verdict before.
    pub before: Verdict,
    /// Its verdict now.
    pub after: Verdict,
    /// Why it came out so now.
    pub reason: String,
}

/// What became of the product, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// The two runs say the same.
    Same,
    /// Something got worse and nothing better.
    Worse,
    /// Something got better and nothing worse.
    Better,
    /// Both.
    Mixed,
    /// There are differences, and none of them is for the better or the worse.
    Other,
}

/// What is different.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// In a word.
    pub change: Change,
    /// The earlier side.
    pub before: Stamp,
    /// The later side.
    pub after: Stamp,
    /// What a reader must know before trusting the comparison, one sentence each.
    pub warnings: Vec<String>,
    /// What the two do not share beside answers.
    pub identity: Vec<Mismatch>,
    /// Gates that came out otherwise, where both sides are run folders.
    pub gates: Vec<GateChange>,
    /// Slices that occurred before and do not now.
    pub gone_slices: Vec<LoneSlice>,
    /// Slices that occur now and did not before.
    pub new_slices: Vec<LoneSlice>,
    /// Every metric in every slice, the worst first.
    pub metrics: Vec<MetricDelta>,
    /// Cases and claims that flipped, and evidence that drifted.
    pub flips: Flips,
}

/// Compares two sides. `most` caps every list of flips.
///
/// # Errors
/// A [`Problem`] where no case has the same question on both sides, or a slice has too many values.
pub fn compare(mut before: Side, mut after: Side, most: Option<usize>) -> Result<Difference, Problem> {
    before.narrow(&after.stamp)?;
    after.narrow(&before.stamp)?;
    let flips = flips::compare(&before.store, &after.store, most);
    if flips.counts.paired_cases == 0 {
        return Err(incomparable(&before.stamp, &after.stamp, &flips));
    }
    let identity = identity(&before, &after);
    let (tally, others) = counted(&before, &after, &flips)?;
    let [was, is] = &tally;
    let tables = [&before.store, &after.store].map(|store| store.head.table());
    let sides = [Counted { tally: was, table: &tables[0] }, Counted { tally: is, table: &tables[1] }];
    let more: Vec<Key> = after.more.iter().chain(&before.more).cloned().collect();
    let mut metrics = deltas(&sides[0], &sides[1], others.as_ref().map(|[was, is]| (was, is)), &more);
    worst_first(&mut metrics);
    let gone_slices = lone(&sides[0], &sides[1]);
    let new_slices = lone(&sides[1], &sides[0]);
    let mut difference = Difference {
        schema: SCHEMA,
        change: Change::Same,
        warnings: warnings(&before, &after, &flips),
        identity,
        gates: gates(&before.gates, &after.gates),
        gone_slices,
        new_slices,
        metrics,
        flips,
        before: before.stamp,
        after: after.stamp,
    };
    difference.change = difference.in_a_word();
    Ok(difference)
}

impl Difference {
    /// Whether the two runs say the same of every case and count the same. What they were judged by may differ.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flips.is_empty()
            && self.gone_slices.is_empty()
            && self.new_slices.is_empty()
            && self.gates.is_empty()
            && !self.metrics.iter().any(|metric| metric.presence == Presence::Both && metric.counts_differ())
    }

    fn in_a_word(&self) -> Change {
        if self.is_empty() {
            return Change::Same;
        }
        let counts = &self.flips.counts;
        let moved = |direction| {
            counts.cases.of(direction) + counts.claims.of(direction) > 0
                || self.metrics.iter().any(|metric| metric.direction() == Some(direction))
        };
        let is_worse = moved(Direction::Worse) || counts.removed_cases > 0 || !self.gone_slices.is_empty();
        match (is_worse, moved(Direction::Better)) {
            (true, true) => Change::Mixed,
            (true, false) => Change::Worse,
            (false, true) => Change::Better,
            (false, false) => Change::Other,
        }
    }

    /// Leaves the metrics out that did not move.
    pub fn keep_what_moved(&mut self) {
        self.metrics.retain(|metric| metric.has_moved() && metric.presence != Presence::OneSided);
    }
}

fn incomparable(before: &Stamp, after: &Stamp, flips: &Flips) -> Problem {
    let counts = &flips.counts;
    let found = match counts.changed_questions {
        0 => format!("no id that is in both (cases there: {}, here: {})", counts.cases_before, counts.cases_after),
        changed => format!("another question in each case whose id is in both ({changed})"),
    };
    Problem::new(code::NO_CASES, format!("not comparable with {}", before.path))
        .in_file(after.path.clone())
        .found(found, "cases with the same question on both sides")
        .help("compare runs of the same dataset")
}

/// The tallies of both sides, and where they do not have the same cases, those over the cases that both have with the same
/// question.
type Tallies = ([Tally; 2], Option<[Tally; 2]>);

fn counted(before: &Side, after: &Side, flips: &Flips) -> Result<Tallies, Problem> {
    let too_many = |error: TallyError| Problem::new(code::TOO_LARGE, error.to_string());
    let whole = |store: &Store| store.tally(&store.head.table()).map_err(too_many);
    let counts = &flips.counts;
    let tallies = [whole(&before.store)?, whole(&after.store)?];
    if counts.removed_cases + counts.added_cases + counts.changed_questions == 0 {
        return Ok((tallies, None));
    }
    let shared = |own: &Store, other: &Store| {
        let table: RuleTable = own.head.table();
        let index = table.index();
        let mut tally = Tally::new(&table);
        for mut case in own.cases() {
            if other.get(&case.case_id).is_some_and(|twin| twin.question == case.question) {
                cross(&mut case, &table.dimensions);
                super::outline::count(&mut tally, &case, &index, &table).map_err(too_many)?;
            }
        }
        Ok::<Tally, Problem>(tally)
    };
    Ok((tallies, Some([shared(&before.store, &after.store)?, shared(&after.store, &before.store)?])))
}

/// Worse before better before neither; within these the changes that weigh most.
fn worst_first(metrics: &mut [MetricDelta]) {
    let rank = |metric: &MetricDelta| match metric.direction() {
        Some(Direction::Worse) => 0,
        Some(Direction::Better) => 1,
        Some(Direction::Other) => 2,
        None => 3,
    };
    metrics.sort_by(|a, b| {
        let weight = b.chief().weight().total_cmp(&a.chief().weight());
        rank(a).cmp(&rank(b)).then(if rank(a) == 3 { std::cmp::Ordering::Equal } else { weight })
    });
}

/// Slices of dimensions that both sides declare, that one side has and the other does not.
fn lone(own: &Counted<'_>, other: &Counted<'_>) -> Vec<LoneSlice> {
    let slices = own.tally.slices(own.table).into_iter();
    let is_lone = |key: &SliceKey| match key {
        SliceKey::Overall => false,
        SliceKey::Value { dimension, .. } => {
            other.table.dimensions.iter().any(|known| known.id == *dimension) && other.tally.slice(key).is_none()
        }
    };
    slices
        .filter(|(key, ..)| is_lone(key))
        .map(|(key, slice, _)| LoneSlice { slice: key.to_map(), cases: slice.cases })
        .collect()
}

fn gates(before: &[GateEntry], after: &[GateEntry]) -> Vec<GateChange> {
    let changed = after.iter().filter_map(|gate| {
        let was = before.iter().find(|was| {
            was.gate == gate.gate && was.slice == gate.slice && was.metric == gate.metric && was.average == gate.average
        })?;
        (was.verdict != gate.verdict).then(|| GateChange {
            gate: gate.gate.clone(),
            slice: gate.slice.clone(),
            before: was.verdict,
            after: gate.verdict,
            reason: gate.reason.clone(),
        })
    });
    changed.collect()
}

fn warnings(before: &Side, after: &Side, flips: &Flips) -> Vec<String> {
    let counts = &flips.counts;
    let cases = |count: u64| if count == 1 { "1 case".to_owned() } else { format!("{count} cases") };
    let mut warnings = Vec::new();
    let mut warn = |count: u64, warning: String| {
        if count > 0 {
            warnings.push(warning);
        }
    };
    let lost = |side: &Side| format!("{} or bad lines of {} were not judged", cases(side.lost), side.stamp.path);
    warn(before.lost, lost(before));
    warn(after.lost, lost(after));
    let unpaired = counts.removed_cases + counts.added_cases + counts.changed_questions;
    let shared = cases(counts.paired_cases);
    warn(
        unpaired,
        format!(
            "the two do not have the same cases: what moved is said of the {shared} that both have with the same question"
        ),
    );
    let units = if counts.drifted_units == 1 {
        "1 evidence unit".to_owned()
    } else {
        format!("{} evidence units", counts.drifted_units)
    };
    warn(
        counts.drifted_units,
        format!(
            "the content of {units} changed under the same version (cited by {})",
            if counts.claims_on_drifted_units == 1 {
                "1 claim".to_owned()
            } else {
                format!("{} claims", counts.claims_on_drifted_units)
            }
        ),
    );
    warnings
}

fn identity(before: &Side, after: &Side) -> Vec<Mismatch> {
    let (was, is) = (&before.stamp, &after.stamp);
    let mut found = Vec::new();
    let mut hold = |what: &str, before: Option<String>, after: Option<String>, meaning: &str| {
        if before != after {
            found.push(Mismatch { what: what.to_owned(), before, after, meaning: meaning.to_owned() });
        }
    };
    let list = |stamp: &Stamp, of: &dyn Fn(&Dataset) -> String| {
        Some(stamp.datasets.iter().map(of).collect::<Vec<_>>().join(", "))
    };
    let name = |dataset: &Dataset| match &dataset.version {
        Some(version) => format!("{}@{version}", dataset.name),
        None => dataset.name.clone(),
    };
    hold(
        "dataset",
        list(was, &name),
        list(is, &name),
        "the datasets have other names or versions; cases are paired by id",
    );
    let questions = |dataset: &Dataset| dataset.questions_digest.clone();
    hold(
        "questions",
        list(was, &questions),
        list(is, &questions),
        "not every question is the same; only cases with the same question are compared",
    );
    let policy = "another policy decided the labels; what flipped may come from it and not from the answers";
    hold("policy", Some(was.evaluation_digest.clone()), Some(is.evaluation_digest.clone()), policy);
    let engine = "another version of citeward judged; what flipped may come from it and not from the answers";
    hold("engine", Some(was.engine.clone()), Some(is.engine.clone()), engine);
    hold(
        "judge",
        was.judge.clone(),
        is.judge.clone(),
        "another judge was asked; labels that it decided cannot be held against each other",
    );
    hold(
        "gates",
        Some(was.gates_digest.clone()),
        Some(is.gates_digest.clone()),
        "the gates are other ones; labels and metrics do not depend on them",
    );
    if let (Some(was), Some(is)) = (&before.inputs, &after.inputs) {
        for ((what, before), (_, after)) in was.iter().zip(is) {
            let digest = |stamp: &Option<FileStamp>| stamp.as_ref().map(|stamp| stamp.sha256.clone());
            hold(
                what,
                digest(before),
                digest(after),
                "it is another file; what flipped may come from it and not from the answers",
            );
        }
    }
    let (was, is) = (&before.store.head, &after.store.head);
    let rules = |head: &Head| head.rules.iter().map(|rule| rule.id.clone()).collect::<BTreeSet<_>>();
    let slices = |head: &Head| head.dimensions.iter().map(|dimension| dimension.id.clone()).collect::<BTreeSet<_>>();
    for (what, was, is, meaning) in [
        ("rules", rules(was), rules(is), "their metrics are on one side only"),
        ("slices", slices(was), slices(is), "their values are on one side only, and no slice of theirs is compared"),
    ] {
        let only = |own: &BTreeSet<String>, other: &BTreeSet<String>| {
            let only: Vec<&str> = own.difference(other).map(String::as_str).collect();
            (!only.is_empty()).then(|| only.join(", "))
        };
        hold(what, only(&was, &is), only(&is, &was), meaning);
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnostic::Problem;
    use crate::run::delta::Measured;
    use crate::run::flips::fixture::{case, contradicted, head, store, supported};
    use crate::run::outline::Head;

    fn difference(before: (&Head, &[Value]), after: (&Head, &[Value])) -> Result<Difference, Problem> {
        let side = |path: &str, (head, cases): (&Head, &[Value])| Side::of_outlines(path, store(head, cases));
        compare(side("before", before), side("after", after), None)
    }

    /// The same head with a slice of cases.
    fn sliced() -> Head {
        let mut head = head("p1");
        let language = json!({"id": "language", "level": "case", "max_values": 200});
        head.dimensions.push(serde_json::from_value(language).expect("a dimension"));
        head
    }

    fn spoken(id: &str, language: &str, claims: &[Value]) -> Value {
        let mut case = case(id, claims);
        case["slices"] = json!({"language": language});
        case
    }

    fn metric<'d>(difference: &'d Difference, name: &str, slice: &[(&str, &str)]) -> &'d MetricDelta {
        let slice: BTreeMap<String, String> = slice.iter().map(|(id, v)| ((*id).to_owned(), (*v).to_owned())).collect();
        let found = difference.metrics.iter().find(|metric| metric.metric == name && metric.slice == slice);
        found.expect("the metric")
    }

    fn counts(measured: Option<&Measured>) -> Option<(Option<u64>, u64)> {
        measured.map(|measured| (measured.numerator, measured.denominator))
    }

    #[test]
    fn values_are_those_of_both_sides_and_what_was_not_measured_has_none() {
        let before = [spoken("a", "de", &[supported("c1", "t")]), spoken("b", "en", &[supported("c1", "u")])];
        let after = [spoken("a", "de", &[contradicted("c1", "t")]), spoken("b", "en", &[supported("c1", "u")])];
        let difference = difference((&sliced(), &before), (&sliced(), &after)).expect("comparable");
        let overall = metric(&difference, "citation_correctness", &[]);
        assert_eq!(counts(overall.all.before.as_ref()), Some((Some(2), 2)));
        assert_eq!(counts(overall.all.after.as_ref()), Some((Some(1), 2)));
        assert_eq!((overall.all.delta, overall.direction()), (Some(-0.5), Some(Direction::Worse)));
        let rise = metric(&difference, "defect_rate", &[("language", "de")]);
        assert_eq!((rise.all.delta, rise.direction()), (Some(1.0), Some(Direction::Worse)));
        assert!(!metric(&difference, "defect_rate", &[("language", "en")]).has_moved());
        // No rule asked a judge: that is no 0.
        let nothing = metric(&difference, "judge_broken_rate", &[]);
        assert_eq!((&nothing.all.before, nothing.all.delta, nothing.has_moved()), (&None, None, false));
        // With the same cases on both sides there is nothing to say of those that both have.
        assert!(overall.shared.is_none());
        // In de one of one, overall one of two: 1·√1 before ½·√2.
        assert_eq!(difference.metrics[0].slice.get("language").map(String::as_str), Some("de"));
        assert_eq!(difference.change, Change::Worse);
    }

    #[test]
    fn dropping_hard_cases_looks_better_only_over_all_cases() {
        let before = [spoken("a", "de", &[contradicted("c1", "t")]), spoken("b", "en", &[supported("c1", "u")])];
        let after = [spoken("b", "en", &[supported("c1", "u")])];
        let difference = difference((&sliced(), &before), (&sliced(), &after)).expect("comparable");
        let overall = metric(&difference, "citation_correctness", &[]);
        assert_eq!(overall.all.delta, Some(0.5));
        let shared = overall.shared.as_ref().expect("over shared cases");
        assert_eq!((counts(shared.before.as_ref()), shared.delta), (Some((Some(1), 1)), Some(0.0)));
        // Neither better nor worse, but a case and a slice are gone.
        assert_eq!(overall.direction(), None);
        let de = BTreeMap::from([("language".to_owned(), "de".to_owned())]);
        assert_eq!(difference.gone_slices, [LoneSlice { slice: de, cases: 1 }]);
        assert_eq!((difference.change, difference.is_empty()), (Change::Worse, false));
    }

    #[test]
    fn a_slice_that_one_policy_declares_is_neither_gone_nor_new() {
        let before = [case("a", &[supported("c1", "t")])];
        let after = [spoken("a", "de", &[supported("c1", "t")])];
        let mut difference = difference((&head("p1"), &before), (&sliced(), &after)).expect("comparable");
        assert!(difference.gone_slices.is_empty() && difference.new_slices.is_empty());
        let slice = metric(&difference, "citation_correctness", &[("language", "de")]);
        assert_eq!((slice.presence, slice.all.before.is_none()), (Presence::OneSided, true));
        let what: Vec<&str> = difference.identity.iter().map(|mismatch| mismatch.what.as_str()).collect();
        assert_eq!(what, ["slices"]);
        assert_eq!(difference.change, Change::Same);
        difference.keep_what_moved();
        assert!(difference.metrics.is_empty());
    }

    #[test]
    fn runs_without_a_question_in_common_are_not_compared() {
        let problem = |after: Value| {
            let before = [case("a", &[])];
            difference((&head("p1"), &before), (&head("p1"), &[after])).expect_err("not comparable").to_string()
        };
        assert!(problem(case("b", &[])).contains("no id that is in both (cases there: 1, here: 1)"));
        let mut asked = case("a", &[]);
        asked["question"] = json!("another");
        assert!(problem(asked).contains("another question in each case whose id is in both (1)"));
    }
}
