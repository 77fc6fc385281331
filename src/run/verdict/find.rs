//! Finding the baselines that a run is held against, and noting by what else than the run they were judged.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Problem, Problems, code, harmless, quoted};
use crate::gate::baseline_cases::Kept;
use crate::record::outline::FindingOutline;
use crate::rules::Policy;
use crate::rules::settings::{FailOn, OnMismatch};
use crate::run::baseline::{self, Baseline};
use crate::run::bless;
use crate::run::manifest::{BaselineStamp, FileStamp};
use crate::tally::RuleTable;
use crate::tally::paired::Paired;

/// Where baselines are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Nowhere: the user said `none`.
    Nowhere,
    /// In the folder of baselines, by the name of the dataset.
    Folder(PathBuf),
    /// The same of a run on every dataset that there is: a baseline whose dataset is not in the run is one whose cases are all
    /// gone.
    Whole {
        /// Folder of baselines.
        folder: PathBuf,
        /// Folder of datasets.
        datasets: PathBuf,
    },
    /// These files and run folders, each for the datasets that it names.
    Named {
        /// The files and folders.
        paths: Vec<PathBuf>,
        /// Whether the run is on every dataset that there is: a dataset of a run folder that it does not have is gone.
        is_whole: bool,
    },
}

/// The baselines of one name, one for each dataset of the run.
#[derive(Debug)]
pub(super) struct Set {
    /// Empty: the one without a name.
    pub(super) name: String,
    /// In the order of the run's datasets; behind them the baselines of datasets that are gone.
    pub(super) datasets: Vec<Option<Baseline>>,
    /// Why it is not there, or not for every dataset.
    pub(super) missing: Option<String>,
    /// By what else than the run the baselines were judged, one sentence each.
    pub(super) mismatches: Vec<String>,
    /// Slice dimensions of the policy that a baseline does not know.
    pub(super) unknown_dimensions: Vec<usize>,
}

/// The baselines that a run is held against.
#[derive(Debug)]
pub struct Baselines {
    pub(super) sets: Vec<Set>,
    refuses_mismatch: bool,
    fail_on: FailOn,
    /// What a reader must know of datasets without a baseline, and of baselines without their dataset, one sentence each.
    pub(super) notes: Vec<String>,
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
            Source::Named { paths, is_whole } => sets.push(named(paths, datasets, *is_whole, &mut problems)),
            Source::Folder(folder) | Source::Whole { folder, .. } if settings.against.is_empty() => {
                sets.push(of_folder(folder, None, datasets, &mut problems));
            }
            Source::Folder(folder) | Source::Whole { folder, .. } => {
                let named = |name: &String| of_folder(folder, Some(name), datasets, &mut problems);
                sets.extend(settings.against.iter().map(named));
            }
        }
        let mut root = None;
        if let Source::Whole { folder, datasets: below } = source {
            root = Some(below.as_path());
            for set in &mut sets {
                let found = of_gone_datasets(folder, &set.name, datasets, &mut problems);
                set.datasets.extend(found.into_iter().map(Some));
            }
        }
        let notes = sets.iter().flat_map(|set| set.notes(source, datasets, root)).collect();
        for set in &mut sets {
            set.identify(policy, table);
        }
        let refuses_mismatch = settings.on_mismatch == OnMismatch::Fail;
        let fail_on = settings.fail_on;
        if problems.is_empty() { Ok(Self { sets, refuses_mismatch, fail_on, notes }) } else { Err(problems) }
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

    /// Whether findings that the baselines have are told from new ones: the policy asks for it (`fail_on: new`), there is a
    /// baseline, and none is refused.
    #[must_use]
    pub fn tells_new(&self, policy: &Policy) -> bool {
        let is_refused = self.sets.iter().any(|set| self.refusal(set).is_some());
        policy.settings.baseline.fail_on == FailOn::New && self.any() && !is_refused
    }

    /// Fingerprints of the findings that every baseline has, where the policy holds only new ones against a case
    /// (`fail_on: new`). None where a baseline is refused: what other rules found excuses nothing. Nor does a finding that
    /// counted against nothing in the baseline either, because a rule only observed or a reviewer had overturned it.
    #[must_use]
    pub fn known_findings(&self, policy: &Policy) -> BTreeSet<String> {
        if !self.tells_new(policy) {
            return BTreeSet::new();
        }
        let of_set = |set: &Set| -> BTreeSet<String> {
            let cases = set.datasets.iter().flatten().flat_map(|baseline| baseline.store.cases());
            cases
                .flat_map(|case| {
                    let of_claims = case.claims.into_iter().flat_map(|claim| claim.findings);
                    let counted = |finding: &FindingOutline<'_>| !finding.observed && !finding.overturned;
                    let findings = case.findings.into_iter().chain(of_claims).filter(counted);
                    findings.map(|finding| finding.fingerprint.into_owned())
                })
                .collect()
        };
        let mut sets = self.sets.iter().map(of_set);
        let first = sets.next().unwrap_or_default();
        sets.fold(first, |known, other| known.intersection(&other).cloned().collect())
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

    /// What to say where a baseline is refused and old findings would have been excused by it.
    pub(super) fn excuses_nothing(&self, set: &Set) -> Option<String> {
        let is_told = self.fail_on == FailOn::New && self.refusal(set).is_some();
        is_told.then(|| format!("{}: all findings count, as if the baseline had none.", set.mismatches.join("; ")))
    }

    pub(super) fn refusal(&self, set: &Set) -> Option<String> {
        (self.refuses_mismatch && !set.mismatches.is_empty()).then(|| {
            let help = "bless a run made with the present ones, or allow it by `baseline: { on_mismatch: warn }`";
            format!("{} ({help})", set.mismatches.join("; "))
        })
    }
}

impl Set {
    fn new(name: String, datasets: Vec<Option<Baseline>>, missing: Option<String>) -> Self {
        Self { name, datasets, missing, mismatches: Vec::new(), unknown_dimensions: Vec::new() }
    }

    /// What a reader must know of datasets without a baseline, and of baselines without their dataset: sentences. `root` is the
    /// folder of datasets, of a run on all that are there.
    fn notes(&self, source: &Source, datasets: &[&str], root: Option<&Path>) -> Vec<String> {
        let called = |text: String| match self.name.as_str() {
            "" => text,
            name => format!("Baseline {}: {text}", harmless(name)),
        };
        let mut notes = Vec::new();
        let names = without(datasets, &self.datasets);
        let is_any_there = match source {
            Source::Folder(folder) | Source::Whole { folder, .. } => folder.is_dir(),
            Source::Nowhere | Source::Named { .. } => true,
        };
        if *source == Source::Nowhere {
            notes.push("No baseline was used, as `--baseline none` says.".to_owned());
        } else if names.len() == datasets.len() && datasets.len() > 1 {
            let all = "no dataset of the run has a baseline, so that none is held against an earlier run (`citeward bless` makes one).";
            notes.push(called(all.to_owned()));
        } else if !names.is_empty() && is_any_there {
            let verb = if names.len() == 1 { "has" } else { "have" };
            notes.push(called(format!("{} {verb} no baseline and is held against no earlier run.", listed(&names))));
        }
        for baseline in self.datasets.iter().skip(datasets.len()).flatten() {
            let dataset = &baseline.identity.dataset;
            let is_there = root.is_some_and(|root| root.join(baseline::file_name(dataset)).is_dir());
            let (dataset, path) = (quoted(dataset), harmless(&baseline.path));
            notes.push(if is_there {
                format!("The dataset {dataset} of {path} is left out of the run, with all of its cases.")
            } else if root.is_some() {
                format!("The dataset {dataset} of {path} is gone, with all of its cases; where it was retired, delete its baseline.")
            } else {
                format!("The dataset {dataset} of {path} is not in this run, with all of its cases.")
            });
        }
        notes
    }

    /// Its cases, for the gate that looks for them.
    pub(super) fn kept<'k>(&'k self, paired: &'k Paired) -> Kept<'k> {
        let file = self.datasets.iter().flatten().next();
        let place = file.map_or("", |baseline| baseline.path.as_str());
        Kept { name: &self.name, paired, mismatches: &self.mismatches, place }
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
            if head.key_check != policy.settings.redact.redactor.hashing.key_check() {
                mismatches
                    .insert("the hashes of the baseline were made under another key than those of this run".to_owned());
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
        if !baseline::is_there(&path) {
            missing.push(path.display().to_string());
            return None;
        }
        let opened = Baseline::open(&path).and_then(|found| of_dataset(found, dataset));
        opened.map_err(|problem| problems.push(problem)).ok()
    };
    let found: Vec<Option<Baseline>> = datasets.iter().map(&mut open).collect();
    let missing = match datasets {
        [_] => missing.first().map(|path| format!("there is no {path} (`citeward bless` writes it)")),
        _ => lacking(datasets, &found),
    };
    Set::new(name.unwrap_or_default().to_owned(), found, missing)
}

/// That these datasets have no baseline; `None` where each has one.
fn lacking(datasets: &[&str], found: &[Option<Baseline>]) -> Option<String> {
    let names = without(datasets, found);
    let of = if names.len() == datasets.len() { "any dataset of the run".to_owned() } else { listed(&names) };
    (!names.is_empty()).then(|| format!("there is no baseline of {of} (`citeward bless` writes it)"))
}

/// The datasets without a baseline.
fn without<'d>(datasets: &[&'d str], found: &[Option<Baseline>]) -> Vec<&'d str> {
    datasets.iter().zip(found).filter(|(_, found)| found.is_none()).map(|(dataset, _)| *dataset).collect()
}

/// `a, b and 3 more`.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| harmless(name)).collect();
    let more = names.len().saturating_sub(SHOWN);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

/// The baselines in the folder whose datasets are not in the run. What was blessed of a single file is left alone.
fn of_gone_datasets(folder: &Path, name: &str, datasets: &[&str], problems: &mut Problems) -> Vec<Baseline> {
    let folder = if name.is_empty() { folder.to_owned() } else { folder.join(baseline::file_name(name)) };
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            let problem = Problem::new(code::UNREADABLE, format!("the baselines cannot be read: {error}"));
            problems.push(problem.in_file(folder.display().to_string()).help("give the folder back its permissions"));
            return Vec::new();
        }
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let known: BTreeSet<String> = datasets.iter().map(|dataset| baseline::file_name(dataset)).collect();
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let others = paths.into_iter().filter(|path| {
        let is_json = path.extension().is_some_and(|extension| extension == "json");
        is_json && !path.is_dir() && !known.contains(&stem(path))
    });
    let mut found = Vec::new();
    for path in others {
        match Baseline::open(&path) {
            Ok(baseline) if baseline.identity.is_of_a_folder() => found.push(baseline),
            Ok(_) => {}
            Err(problem) => problems.push(problem),
        }
    }
    found
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

/// The baselines of files and run folders that were named.
fn named(paths: &[PathBuf], datasets: &[&str], is_whole: bool, problems: &mut Problems) -> Set {
    let mut found: Vec<Option<Baseline>> = datasets.iter().map(|_| None).collect();
    let mut gone = Vec::new();
    for path in paths {
        let is_run = path.is_dir();
        let opened = if is_run {
            bless::of_run(path)
        } else {
            Baseline::open(path).map(|one| vec![one]).map_err(Problems::from)
        };
        let opened = match opened {
            Ok(opened) => opened,
            Err(found) => {
                problems.append(found);
                continue;
            }
        };
        // One baseline for one dataset needs no name: a candidate's dataset may be a copy under another one.
        let is_only = paths.len() == 1 && datasets.len() == 1 && opened.len() == 1;
        let place = |baseline: &Baseline| {
            let own = baseline::file_name(&baseline.identity.dataset);
            let named = datasets.iter().position(|dataset| baseline::file_name(dataset) == own);
            named.or_else(|| is_only.then_some(0))
        };
        // Who names datasets says what is to be looked at: the others of a run are left alone.
        let has_any = opened.iter().any(|baseline| place(baseline).is_some());
        for baseline in opened {
            match place(&baseline).and_then(|place| found.get_mut(place)) {
                Some(slot @ None) => *slot = Some(baseline),
                Some(Some(_)) => problems.push(
                    Problem::new(code::DUPLICATE_ID, "two baselines of one dataset")
                        .in_file(path.display().to_string())
                        .help("give one --baseline for each dataset"),
                ),
                None if is_run && is_whole => gone.push(Some(baseline)),
                None if is_run && has_any => {}
                None => problems.push(
                    Problem::new(code::UNKNOWN_NAME, "the baseline of a dataset that the run does not have")
                        .in_file(path.display().to_string())
                        .found(quoted(&baseline.identity.dataset), datasets.join(", "))
                        .help("leave it out, or name the dataset too"),
                ),
            }
        }
    }
    let missing = lacking(datasets, &found);
    found.extend(gone);
    Set::new(String::new(), found, missing)
}
