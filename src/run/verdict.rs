//! From counts to a decision: the baselines that a run is held against, the cases of both paired, the gates judged. What
//! `check` does after evaluating, and all that `regate` does.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use foldhash::{HashMap, HashMapExt as _};

use super::baseline::{self, Baseline};
use super::flips::Comparer;
use super::manifest::{BaselineFlips, BaselineStamp, FileStamp};
use super::outline::{self, Outlines, cross};
use crate::dataset::Label;
use crate::diagnostic::{Problem, Problems, code, harmless, quoted};
use crate::gate::{self, Against, Decision};
use crate::rules::Policy;
use crate::rules::metric::CASE_PASS_RATE;
use crate::rules::settings::{FailOn, OnMismatch};
use crate::tally::paired::{Paired, PairedTally, Sides, Wanted};
use crate::tally::{RuleTable, Tally};

/// Where baselines are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Nowhere: the user said `none`.
    Nowhere,
    /// In the folder of baselines, by the name of the dataset.
    Folder(PathBuf),
    /// These files, each for the dataset that it names.
    Files(Vec<PathBuf>),
}

/// The baselines of one name, one for each dataset of the run.
#[derive(Debug)]
struct Set {
    /// Empty: the one without a name.
    name: String,
    /// In the order of the run's datasets.
    datasets: Vec<Option<Baseline>>,
    missing: Option<String>,
    mismatches: Vec<String>,
    unknown_dimensions: Vec<usize>,
}

/// The baselines that a run is held against.
#[derive(Debug)]
pub struct Baselines {
    sets: Vec<Set>,
    refuses_mismatch: bool,
}

/// A run held against its baselines: the cases of both sides, paired.
#[derive(Debug)]
pub struct Held<'b> {
    baselines: &'b Baselines,
    paired: Vec<PairedTally>,
    refused: Vec<Option<String>>,
    /// What flipped against each baseline that was found, in the order of [`Baselines::files`].
    pub flips: Vec<BaselineFlips>,
}

/// The labels of a baseline's claims, to see which changed.
#[derive(Debug, Default)]
pub struct Labels {
    by_case: HashMap<String, Vec<(String, Option<Label>)>>,
}

impl Labels {
    /// Whether the baseline has the claim with this text digest (`sha256:…`) in this case, with another label.
    #[must_use]
    pub fn changed(&self, case_id: &str, claim_sha256: &str, label: Option<Label>) -> bool {
        let claims = self.by_case.get(case_id).map(Vec::as_slice).unwrap_or_default();
        let digest = claim_sha256.strip_prefix("sha256:").unwrap_or(claim_sha256);
        let mut same = claims.iter().filter(|(text, _)| digest.starts_with(text.as_str())).peekable();
        same.peek().is_some() && same.all(|(_, before)| *before != label)
    }
}

impl Baselines {
    /// Opens the baselines of these datasets that the policy names.
    ///
    /// # Errors
    /// Every file that cannot be read or is no baseline, and a named file for a dataset that the run does not have.
    pub fn open(source: &Source, datasets: &[&str], policy: &Policy, table: &RuleTable) -> Result<Self, Problems> {
        let settings = &policy.settings.baseline;
        let mut problems = Problems::new();
        let mut sets = Vec::new();
        match source {
            Source::Nowhere => {
                let missing = Some("the run was told to use no baseline".to_owned());
                sets.push(Set::new(String::new(), datasets.iter().map(|_| None).collect(), missing));
            }
            Source::Files(files) => sets.push(named_files(files, datasets, &mut problems)),
            Source::Folder(folder) if settings.against.is_empty() => {
                sets.push(of_folder(folder, None, datasets, &mut problems));
            }
            Source::Folder(folder) => {
                let named = |name: &String| of_folder(folder, Some(name), datasets, &mut problems);
                sets.extend(settings.against.iter().map(named));
            }
        }
        for set in &mut sets {
            set.identify(policy, table);
        }
        let refuses_mismatch = settings.on_mismatch == OnMismatch::Fail;
        if problems.is_empty() { Ok(Self { sets, refuses_mismatch }) } else { Err(problems) }
    }

    /// Whether any baseline was found.
    #[must_use]
    pub fn any(&self) -> bool {
        self.files().next().is_some()
    }

    /// Every baseline that was found, with the name that it goes by and the index of its dataset.
    pub fn files(&self) -> impl Iterator<Item = (&str, usize, &Baseline)> {
        self.sets.iter().flat_map(|set| {
            let found = set.datasets.iter().enumerate();
            found.filter_map(|(dataset, baseline)| Some((set.name.as_str(), dataset, baseline.as_ref()?)))
        })
    }

    /// Fingerprints of the findings that every baseline has, where the policy holds only new ones against a case
    /// (`fail_on: new`).
    #[must_use]
    pub fn known_findings(&self, policy: &Policy) -> BTreeSet<String> {
        if policy.settings.baseline.fail_on == FailOn::All {
            return BTreeSet::new();
        }
        let of_set = |set: &Set| -> BTreeSet<String> {
            let cases = set.datasets.iter().flatten().flat_map(|baseline| baseline.store.cases());
            cases
                .flat_map(|case| {
                    let of_claims = case.claims.into_iter().flat_map(|claim| claim.findings);
                    case.findings.into_iter().chain(of_claims).map(|finding| finding.fingerprint.into_owned())
                })
                .collect()
        };
        let mut sets = self.sets.iter().map(of_set);
        let first = sets.next().unwrap_or_default();
        sets.fold(first, |known, other| known.intersection(&other).cloned().collect())
    }

    /// The labels of all claims of the baselines; of several names, those of the first.
    #[must_use]
    pub fn labels(&self) -> Labels {
        let mut by_case = HashMap::new();
        for baseline in self.sets.first().into_iter().flat_map(|set| set.datasets.iter().flatten()) {
            for case in baseline.store.cases() {
                let claims = case.claims.iter().map(|claim| (claim.text.to_string(), claim.label)).collect();
                by_case.insert(case.case_id.to_string(), claims);
            }
        }
        Labels { by_case }
    }

    /// What goes into `run.json` about the files.
    #[must_use]
    pub fn stamps(&self) -> Vec<BaselineStamp> {
        let stamp = |(name, _, baseline): (&str, usize, &Baseline)| BaselineStamp {
            name: name.to_owned(),
            dataset: baseline.identity.dataset.clone(),
            version: baseline.identity.version.clone(),
            file: FileStamp { path: baseline.path.clone(), sha256: baseline.sha256.clone() },
            questions_digest: baseline.identity.questions_digest.clone(),
            content_digest: baseline.identity.content_digest.clone(),
            evaluation_digest: baseline.store.head.evaluation_digest.clone(),
            engine: baseline.store.head.engine.clone(),
        };
        self.files().map(stamp).collect()
    }

    /// Pairs the cases of a run with those of its baselines. `outlines` is the run's `outline.jsonl`, `cases` the number of
    /// cases of each dataset, in the order in which they stand there.
    ///
    /// # Errors
    /// A [`Problem`] where the outlines cannot be read.
    pub fn pair(
        &self,
        outlines: &Path,
        cases: &[u64],
        policy: &Policy,
        table: &RuleTable,
    ) -> Result<Held<'_>, Problem> {
        let mut wanted = gate::wanted(&policy.gates);
        wanted.push(EVERYTHING);
        let mut paired: Vec<PairedTally> = self.sets.iter().map(|_| PairedTally::new(wanted.clone())).collect();
        let refused = self.sets.iter().map(|set| self.refusal(set)).collect();
        if !self.any() {
            return Ok(Held { baselines: self, paired, refused, flips: Vec::new() });
        }
        let mut outlines = Outlines::open(outlines)?;
        let head = outlines.head.clone();
        let mut comparers: Vec<(&str, usize, Comparer<'_>)> = self
            .files()
            .map(|(name, dataset, baseline)| (name, dataset, Comparer::new(&baseline.store, &head, Some(MOST_FLIPS))))
            .collect();
        let now_index = table.index();
        let sets: Vec<Vec<Option<Side<'_>>>> = self
            .sets
            .iter()
            .map(|set| set.datasets.iter().map(|b| b.as_ref().map(|b| Side::of(b, table))).collect())
            .collect();
        let mut seen: Vec<Vec<Vec<bool>>> = sets
            .iter()
            .map(|set| {
                set.iter().map(|side| vec![false; side.as_ref().map_or(0, |s| s.baseline.store.len())]).collect()
            })
            .collect();
        let ends: Vec<u64> = cases
            .iter()
            .scan(0, |sum, cases| {
                *sum += cases;
                Some(*sum)
            })
            .collect();
        let mut number = 0;
        while let Some(mut now) = outlines.next_case()? {
            let dataset = ends.iter().position(|end| number < *end).unwrap_or(ends.len().saturating_sub(1));
            number += 1;
            for (_, _, comparer) in comparers.iter_mut().filter(|(_, own, _)| *own == dataset) {
                comparer.add(&now);
            }
            cross(&mut now, &table.dimensions);
            for ((set, paired), seen) in sets.iter().zip(&mut paired).zip(&mut seen) {
                let Some(Some(side)) = set.get(dataset) else { continue };
                let place = side.baseline.store.position(&now.case_id);
                if let Some(flag) = place.and_then(|place| seen.get_mut(dataset)?.get_mut(place)) {
                    *flag = true;
                }
                let mut before = place.and_then(|place| side.baseline.store.at(place));
                if let Some(before) = &mut before {
                    cross(before, &table.dimensions);
                }
                paired.add(before.as_ref(), Some(&now), &side.sides(table, &now_index));
            }
        }
        for ((set, paired), seen) in sets.iter().zip(&mut paired).zip(&seen) {
            for (side, seen) in set.iter().zip(seen) {
                let Some(side) = side else { continue };
                for (place, _) in seen.iter().enumerate().filter(|(_, seen)| !**seen) {
                    let Some(mut before) = side.baseline.store.at(place) else { continue };
                    cross(&mut before, &table.dimensions);
                    paired.add(Some(&before), None, &side.sides(table, &now_index));
                }
            }
        }
        let flips = comparers.into_iter().map(|(name, dataset, comparer)| BaselineFlips {
            baseline: name.to_owned(),
            dataset: self.name_of(name, dataset),
            flips: comparer.finish(),
        });
        Ok(Held { baselines: self, paired, refused, flips: flips.collect() })
    }

    /// Name of the dataset of a baseline that was found.
    fn name_of(&self, name: &str, dataset: usize) -> String {
        let mut files = self.files();
        let found = files.find(|(own, index, _)| *own == name && *index == dataset);
        found.map_or_else(String::new, |(_, _, baseline)| baseline.identity.dataset.clone())
    }

    fn refusal(&self, set: &Set) -> Option<String> {
        (self.refuses_mismatch && !set.mismatches.is_empty()).then(|| {
            let help = "bless a run made with the present ones, or allow it by `baseline: { on_mismatch: warn }`";
            format!("{} ({help})", set.mismatches.join("; "))
        })
    }
}

/// Most flips of one direction that a run lists; the rest is counted.
const MOST_FLIPS: usize = 1_000;

/// Every case, whatever the gates look at.
const EVERYTHING: Wanted = Wanted { metric: CASE_PASS_RATE, dimension: None, membership_of_baseline: false };

/// A baseline with the rules by which it was judged and the slices of the present policy.
struct Side<'b> {
    baseline: &'b Baseline,
    table: RuleTable,
    index: crate::record::outline::RuleIndex,
}

impl<'b> Side<'b> {
    fn of(baseline: &'b Baseline, table: &RuleTable) -> Self {
        Self { baseline, table: baseline.store.table(&table.dimensions), index: baseline.store.index() }
    }

    fn sides<'s>(&'s self, now: &'s RuleTable, now_index: &'s crate::record::outline::RuleIndex) -> Sides<'s> {
        Sides { baseline: &self.table, now, baseline_index: &self.index, now_index }
    }
}

impl Set {
    fn new(name: String, datasets: Vec<Option<Baseline>>, missing: Option<String>) -> Self {
        Self { name, datasets, missing, mismatches: Vec::new(), unknown_dimensions: Vec::new() }
    }

    /// Notes by what else than the present run the baselines were judged.
    fn identify(&mut self, policy: &Policy, table: &RuleTable) {
        let mut mismatches = BTreeSet::new();
        let mut unknown = BTreeSet::new();
        for baseline in self.datasets.iter().flatten() {
            let head = &baseline.store.head;
            if head.evaluation_digest != policy.evaluation_digest.to_string() {
                mismatches.insert("the baseline was judged by other rules".to_owned());
            }
            if head.engine != env!("CARGO_PKG_VERSION") {
                let (found, here) = (harmless(&head.engine), env!("CARGO_PKG_VERSION"));
                mismatches.insert(format!("the baseline was judged by citeward {found}, this is {here}"));
            }
            let judge = policy.settings.judge.as_ref().map(|judge| judge.id.as_str()).filter(|_| head.judge.is_some());
            if head.judge.as_deref() != judge {
                mismatches.insert("the baseline was judged with another judge".to_owned());
            }
            for dimension in head.unknown_dimensions(&table.dimensions) {
                unknown.extend(table.dimensions.iter().position(|known| known.id == dimension.id));
            }
        }
        self.mismatches = mismatches.into_iter().collect();
        self.unknown_dimensions = unknown.into_iter().collect();
    }
}

fn of_folder(folder: &Path, name: Option<&str>, datasets: &[&str], problems: &mut Problems) -> Set {
    let mut missing = Vec::new();
    let mut open = |dataset: &&str| {
        let path = baseline::path_of(folder, name, dataset);
        if !path.exists() {
            missing.push(path.display().to_string());
            return None;
        }
        let opened = Baseline::open(&path).and_then(|found| of_dataset(found, dataset));
        opened.map_err(|problem| problems.push(problem)).ok()
    };
    let found = datasets.iter().map(&mut open).collect();
    let missing = (!missing.is_empty()).then(|| format!("there is no {}", missing.join(", no ")));
    Set::new(name.unwrap_or_default().to_owned(), found, missing)
}

/// A file that stands where the baseline of another dataset belongs would compare cases that have nothing to do with each
/// other.
fn of_dataset(found: Baseline, dataset: &str) -> Result<Baseline, Problem> {
    let (own, wanted) = (baseline::file_name(&found.identity.dataset), baseline::file_name(dataset));
    if own == wanted {
        return Ok(found);
    }
    Err(Problem::new(code::CONTRADICTION, "the baseline of another dataset")
        .in_file(found.path)
        .found(quoted(&found.identity.dataset), quoted(dataset))
        .help("bless a run of this dataset"))
}

fn named_files(files: &[PathBuf], datasets: &[&str], problems: &mut Problems) -> Set {
    let mut found: Vec<Option<Baseline>> = datasets.iter().map(|_| None).collect();
    for file in files {
        let baseline = match Baseline::open(file) {
            Ok(baseline) => baseline,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let own = baseline::file_name(&baseline.identity.dataset);
        // One file for one dataset needs no name: a candidate's dataset may be a copy under another one.
        let place = datasets
            .iter()
            .position(|dataset| baseline::file_name(dataset) == own)
            .or_else(|| (files.len() == 1 && datasets.len() == 1).then_some(0));
        match place.and_then(|place| found.get_mut(place)) {
            Some(slot @ None) => *slot = Some(baseline),
            Some(Some(_)) => problems.push(
                Problem::new(code::DUPLICATE_ID, "two baselines of one dataset")
                    .in_file(file.display().to_string())
                    .help("give one --baseline for each dataset"),
            ),
            None => problems.push(
                Problem::new(code::UNKNOWN_NAME, "the baseline of a dataset that the run does not have")
                    .in_file(file.display().to_string())
                    .found(quoted(&baseline.identity.dataset), datasets.join(", "))
                    .help("leave it out, or name the dataset too"),
            ),
        }
    }
    let missing: Vec<String> = datasets
        .iter()
        .zip(&found)
        .filter(|(_, found)| found.is_none())
        .map(|(dataset, _)| format!("there is no baseline of {}", harmless(dataset)))
        .collect();
    Set::new(String::new(), found, (!missing.is_empty()).then(|| missing.join(", ")))
}

/// Counts a run again from its `outline.jsonl`. `known` are the fingerprints of findings that fail no case.
///
/// # Errors
/// A [`Problem`] where the outlines cannot be read, or a slice dimension has more values than it may have.
pub fn recount(outlines: &Path, table: &RuleTable, known: &BTreeSet<String>) -> Result<Tally, Problem> {
    let mut outlines = Outlines::open(outlines)?;
    let index = table.index();
    let mut tally = Tally::new(table);
    while let Some(mut case) = outlines.next_case()? {
        cross(&mut case, &table.dimensions);
        let of_claims = case.claims.iter_mut().flat_map(|claim| &mut claim.findings);
        for finding in case.findings.iter_mut().chain(of_claims) {
            finding.known = known.contains(finding.fingerprint.as_ref());
        }
        outline::count(&mut tally, &case, &index, table)
            .map_err(|error| Problem::new(code::TOO_LARGE, error.to_string()))?;
    }
    Ok(tally)
}

impl Held<'_> {
    /// Judges the gates on a tally and against the baselines.
    #[must_use]
    pub fn judge(&self, policy: &Policy, tally: &Tally, table: &RuleTable) -> Decision {
        let max_changed = &policy.settings.baseline.max_changed_questions;
        let sets = self.baselines.sets.iter().zip(&self.paired).zip(&self.refused);
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
        gate::judge(&policy.gates, tally, table, &against)
    }

    /// Each baseline by name, with how its cases pair with the run's.
    pub fn overall(&self) -> impl Iterator<Item = (&str, &Paired)> {
        let sets = self.baselines.sets.iter().zip(&self.paired);
        sets.filter_map(|(set, paired)| Some((set.name.as_str(), paired.slices(&EVERYTHING)?.get("")?)))
    }

    /// What a reader must know of the comparison, one sentence each.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for (set, refused) in self.baselines.sets.iter().zip(&self.refused) {
            let called =
                if set.name.is_empty() { String::new() } else { format!("Baseline {}: ", harmless(&set.name)) };
            if refused.is_none() {
                warnings.extend(set.mismatches.iter().map(|mismatch| {
                    format!("{called}{mismatch}; compared all the same, as `baseline: on_mismatch` says.")
                }));
            }
        }
        for (name, paired) in self.overall() {
            let of = if name.is_empty() { "the baseline".to_owned() } else { format!("baseline {}", harmless(name)) };
            let cases = |count: u64, one: &str, many: &str| match count {
                1 => format!("1 case {one}"),
                count => format!("{count} cases {many}"),
            };
            if paired.removed > 0 {
                let of = format!("of {of}");
                let text = cases(paired.removed, &format!("{of} is"), &format!("{of} are"));
                warnings.push(format!("{text} not in the run."));
            }
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
