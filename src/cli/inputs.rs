//! What the commands read: the policy and the datasets that the arguments mean.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use super::Stop;
use super::args::{BadLines, DataArgs, DecisionArgs, RulesDir};
use crate::dataset::answers::Answers;
use crate::dataset::day::Today;
use crate::dataset::folder::{self, Dataset, LeftOut};
use crate::dataset::lines::{Chunks, Input, shown};
use crate::dataset::{Day, Decisions, Limits, Options, Register, freeze};
use crate::diagnostic::{Problem, Problems, code, quoted};
use crate::file::Named;
use crate::rules::{self, Policy};
use crate::run::baseline;
use crate::run::evaluate::{Settings, SourceFile};
use crate::run::verdict::{Baselines, Source};
use crate::tally::RuleTable;

/// Folder of rules where none is named.
const RULES: &str = "rules";
/// Folder of datasets.
const DATASETS: &str = "datasets";
/// File of decisions.
const DECISIONS: &str = "decisions.jsonl";

/// The policy that the flag means: the folder named, else `rules/` where it exists, else the built-in policy.
pub(super) fn policy(args: &RulesDir) -> Result<Policy, Problems> {
    match &args.rules {
        Some(folder) => rules::load(folder),
        // Whatever it is: the built-in policy never stands in for a folder that cannot be read.
        None if Path::new(RULES).symlink_metadata().is_ok() => rules::load(Path::new(RULES)),
        None => rules::built_in(),
    }
}

/// The same, ready to evaluate: with the key for hashes, where it names one.
pub(super) fn ready_policy(args: &RulesDir) -> Result<Policy, Problems> {
    ready(policy(args)?)
}

/// A policy with the key for hashes that the environment holds, where it names one.
pub(super) fn ready(mut policy: Policy) -> Result<Policy, Problems> {
    policy.take_key(|name| std::env::var_os(name).map(OsString::into_encoded_bytes))?;
    Ok(policy)
}

/// Whether these arguments mean every dataset that there is: none, or the folder of datasets itself.
pub(super) fn is_whole(datasets: &[String]) -> bool {
    let root = Path::new(DATASETS).canonicalize().ok();
    let is_root = |argument: &String| root.is_some() && Path::new(argument).canonicalize().ok() == root;
    datasets.is_empty() || datasets.iter().any(is_root)
}

/// Where baselines are looked for: the files and runs named, nowhere (`none`), or the folder of baselines; `is_whole`: of a run
/// on every dataset that there is.
pub(super) fn baselines(paths: &[PathBuf], is_whole: bool) -> Source {
    match paths {
        [] if is_whole => Source::Whole { folder: PathBuf::from(baseline::FOLDER), datasets: PathBuf::from(DATASETS) },
        [] => Source::Folder(PathBuf::from(baseline::FOLDER)),
        [only] if only == Path::new("none") => Source::Nowhere,
        paths => Source::Named { paths: paths.to_vec(), is_whole },
    }
}

/// How data is read under a policy.
pub(super) fn options(policy: &Policy) -> Options {
    let limits = &policy.limits;
    Options {
        limits: Limits {
            line_bytes: limits.line_bytes,
            json_depth: limits.json_depth,
            claims_per_case: limits.claims_per_case,
            citations_per_claim: limits.citations_per_claim,
        },
        ..Options::default()
    }
}

/// As many workers as there are cores.
pub(super) fn all_cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The datasets that the arguments mean; frozen ones are held against what was frozen.
pub(super) fn datasets(arguments: &[String]) -> Result<Vec<Dataset>, Problems> {
    let mut problems = Problems::new();
    let datasets = folder::resolve(arguments, Path::new(DATASETS), &mut problems);
    for dataset in &datasets {
        freeze::check_frozen(dataset, &mut problems);
    }
    if problems.is_empty() { Ok(datasets) } else { Err(problems) }
}

/// The decisions that the arguments mean: the file named, else the one that the policy names, else `decisions.jsonl` where
/// it exists.
pub(super) fn decisions(
    args: &DecisionArgs,
    policy: &Policy,
    options: &Options,
) -> Result<Option<Decisions>, Problems> {
    let review = &policy.settings.review;
    let named = match (&args.decisions, &review.decisions) {
        (Some(path), _) => Some((path.clone(), "--decisions names it".to_owned())),
        (None, Some(path)) => Some((PathBuf::from(path), format!("`review: decisions` names it ({})", review.place))),
        (None, None) => None,
    };
    let (path, named_by) = match named {
        Some((path, by)) => (path, Some(by)),
        // A pipe found by chance would be waited for.
        None if Path::new(DECISIONS).exists() && !Path::new(DECISIONS).is_file() => {
            let problem = Problem::new(code::UNREADABLE, "this is not a regular file").in_file(DECISIONS);
            return Err(problem
                .help("decisions are read from here: move it away, or name a file by --decisions")
                .into());
        }
        None if Path::new(DECISIONS).symlink_metadata().is_ok() => (PathBuf::from(DECISIONS), None),
        None => match nearly_decisions() {
            Some(problem) => return Err(problem.into()),
            None => return Ok(None),
        },
    };
    if let Some(by) = named_by.filter(|_| !path.exists()) {
        let problem = Problem::new(code::NOT_FOUND, "there is no such file of decisions").in_file(shown(&path));
        let mut problems = Problems::new();
        problems
            .push(problem.help(format!("{by}: check the path, or make an empty file where nothing was decided yet")));
        return Err(problems);
    }
    let redact = &policy.settings.redact;
    let decisions = Decisions::read(&Input::file(&path), options, today(args.today))?;
    Ok(Some(decisions.written(&redact.redactor, |id| redact.case_id(id))))
}

/// The problem of a file in this folder that looks like the file of decisions and is not read.
fn nearly_decisions() -> Option<Problem> {
    let (stem, ending) = DECISIONS.split_once('.')?;
    let names = std::fs::read_dir(".").ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let looks_like = |name: &String| {
        let lower = name.to_lowercase();
        let rest = lower.strip_prefix(stem).and_then(|rest| rest.strip_prefix('.'));
        rest == Some("json") || rest.is_some() && Named::of(name, &[ending, "ndjson"]) != Named::Other
    };
    let name = names.filter(looks_like).min()?;
    let problem = Problem::new(code::UNREAD_FILE, "this looks like the file of decisions and would not be read");
    let help = format!("rename it, or name it by `--decisions {}`", quoted(&name).trim_matches('"'));
    Some(problem.found(quoted(&name), quoted(DECISIONS)).help(help).in_file(name))
}

/// The day that it is by the system's clock, unless one was set by hand.
fn today(by_hand: Option<Day>) -> Today {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Today::at(now.as_secs(), by_hand)
}

/// Data made ready to be evaluated.
pub(super) struct Data {
    /// The datasets, in reading order.
    pub datasets: Vec<Dataset>,
    /// What lies in the folders of datasets and is not evaluated.
    pub left_out: Vec<LeftOut>,
    /// A candidate's answers.
    pub answers: Option<Answers>,
    /// What the corpus holds now.
    pub register: Option<Register>,
    /// The input files, in reading order.
    pub files: Vec<SourceFile>,
    /// How lines are read.
    pub options: Options,
}

impl Data {
    /// The baselines that `--baseline` means for these datasets.
    pub fn baselines(
        &self,
        args: &DataArgs,
        paths: &[PathBuf],
        policy: &Policy,
        table: &RuleTable,
    ) -> Result<Baselines, Stop> {
        Ok(Baselines::open(&baselines(paths, is_whole(&args.datasets)), &self.names(), policy, table)?)
    }

    /// The names of the datasets, in order.
    pub fn names(&self) -> Vec<&str> {
        self.datasets.iter().map(|dataset| dataset.name.as_str()).collect()
    }

    /// Finds what the arguments mean.
    pub fn open(args: &DataArgs, policy: &Policy) -> Result<Data, Stop> {
        let options = options(policy);
        let mut datasets = datasets(&args.datasets)?;
        for dataset in &mut datasets {
            dataset.name = policy.settings.redact.redactor.id(&dataset.name).into_owned();
        }
        let mut left_out = folder::left_out(&args.datasets, Path::new(DATASETS));
        for left in &mut left_out {
            left.dataset = policy.settings.redact.redactor.id(&left.dataset).into_owned();
        }
        let reads_stdin = |name: &Path| name == Path::new("-");
        if args.answers.as_deref().is_some_and(reads_stdin) && args.datasets.iter().any(|dataset| dataset == "-") {
            let problem =
                Problem::new(code::CONTRADICTION, "standard input cannot be both the dataset and the answers");
            return Err(problem.help("give one of them as a file").into());
        }
        let answers = match &args.answers {
            Some(path) if reads_stdin(path) => Some(Answers::open(&Input::stdin(), &options)?),
            Some(path) => Some(Answers::open(&Input::file(path), &options)?),
            None => None,
        };
        let register = match &args.sources {
            Some(path) => Some(Register::read(&Input::file(path), &options)?),
            None => None,
        };
        let mut files = Vec::new();
        for (index, dataset) in datasets.iter().enumerate() {
            files
                .extend(dataset.inputs.iter().map(|input| SourceFile { name: input.name.to_string(), dataset: index }));
        }
        Ok(Data { datasets, left_out, answers, register, files, options })
    }

    /// The lines of all input files.
    pub fn chunks(&self) -> Chunks {
        let inputs = self.datasets.iter().flat_map(|dataset| dataset.inputs.iter().cloned()).collect();
        Chunks::new(inputs, self.options.limits.line_bytes)
    }

    /// How the evaluation goes about it.
    pub fn settings(&self, args: &DataArgs) -> Settings<'_> {
        Settings {
            jobs: args.jobs.unwrap_or_else(all_cores),
            skip_bad_lines: args.bad_lines == BadLines::Skip,
            options: self.options,
            answers: self.answers.as_ref(),
            register: self.register.as_ref(),
            review: None,
            beside: &[],
            allow_missing_answers: args.allow_missing_answers,
        }
    }

    /// Bytes of all input files whose size is known.
    pub fn bytes(&self) -> u64 {
        let paths = self.datasets.iter().flat_map(|dataset| &dataset.inputs).filter_map(path);
        paths.filter_map(|path| std::fs::metadata(path).ok()).map(|metadata| metadata.len()).sum()
    }
}

fn path(input: &Input) -> Option<PathBuf> {
    match &input.source {
        crate::dataset::lines::Source::File(path) => Some(path.clone()),
        crate::dataset::lines::Source::Stdin => None,
    }
}
