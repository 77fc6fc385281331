//! The command line: the one source of flags, help and completions.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::dataset::Day;
use crate::run::sweep::gate::Side;

/// The deterministic release gate for cited answers of RAG products.
///
/// Exit codes, for every command: 0 done, and every gate passed (or warned); 1 a gate failed, or a command whose job is
/// to find problems found some; 2 nothing was judged (usage, rules, data, no cases).
#[derive(Debug, Parser)]
#[command(name = "citeward", version, max_term_width = 110, propagate_version = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge datasets by the rules and leave a run folder with reports
    Check(Check),
    /// Check rule files and run the examples written in them
    Lint(Lint),
    /// Show everything that is known of one case or claim of a run, or list what failed
    Explain(Explain),
    /// Make a run the baseline that later runs are held against
    Bless(Bless),
    /// Show what changed between two runs: metrics per slice, and every case and claim that flipped, with why
    Diff(Diff),
    /// Print the manual of the check kinds
    Rules(Rules),
    /// Print the JSON Schema of rule files, or of what report templates are given
    Schema(Schema),
    /// Write a starting policy and a small dataset into a folder
    Init(Init),
    /// Check that an archived run is what it was
    Verify(Verify),
    /// Render a run again, by the shipped templates or one of your own
    Report(Report),
    /// Judge a run that is there by other gates, without evaluating again
    Regate(Regate),
    /// Show what a policy edit would change, case by case, before it lands
    Impact(Impact),
    /// Try other values of one threshold on runs that are there
    Sweep(Sweep),
    /// Freeze and verify versioned datasets
    #[command(subcommand)]
    Dataset(DatasetCommand),
    /// Print a completion script for a shell
    Completions(Completions),
}

/// Which rules apply.
#[derive(Debug, Args)]
pub struct RulesDir {
    /// Folder of rule files [default: rules/ where it exists, else the built-in policy]
    #[arg(long = "rules", value_name = "DIR")]
    pub rules: Option<PathBuf>,
}

/// Which data are read, and how strictly.
#[derive(Debug, Args)]
pub struct DataArgs {
    /// Datasets: a folder, a name below datasets/, a .jsonl file, or - for standard input [default: all below datasets/]
    #[arg(value_name = "DATASET")]
    pub datasets: Vec<String>,
    /// A candidate's answers (JSON Lines), laid over the cases by case_id
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Cases without an answer in --answers are counted broken instead of stopping the run
    #[arg(long, requires = "answers")]
    pub allow_missing_answers: bool,
    /// The source register (JSON Lines): what the corpus holds now, for staleness, deletion and changed content
    #[arg(long, value_name = "FILE")]
    pub sources: Option<PathBuf>,
    /// What bad lines do: stop the run, or be skipped and counted
    #[arg(long, value_enum, default_value_t = BadLines::Stop)]
    pub bad_lines: BadLines,
    /// Worker threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub jobs: Option<NonZeroUsize>,
}

/// Most worker threads: each holds some of the input, and none gets anything done beyond the number of cores.
const MOST_JOBS: usize = 256;

fn jobs(text: &str) -> Result<NonZeroUsize, String> {
    let jobs = text.parse().ok().filter(|jobs: &NonZeroUsize| jobs.get() <= MOST_JOBS);
    jobs.ok_or_else(|| format!("expected a number of worker threads, 1 to {MOST_JOBS}"))
}

/// What reviewers decided, and on which day that is looked at.
#[derive(Debug, Args)]
pub struct DecisionArgs {
    /// Reviewers' decisions (JSON Lines) [default: what the policy names, else decisions.jsonl where it exists]
    #[arg(long, value_name = "FILE")]
    pub decisions: Option<PathBuf>,
    /// The day that decisions which expire are held against [default: the system's date, in UTC]
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    pub today: Option<Day>,
}

fn day(text: &str) -> Result<Day, String> {
    text.parse().map_err(|_| "expected a day, YYYY-MM-DD".to_owned())
}

/// What bad lines do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BadLines {
    /// Nothing is judged.
    Stop,
    /// They are left out, counted, and said in every output.
    Skip,
}

/// Form of what is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs, in a documented format.
    Json,
    /// GitHub workflow commands (annotations).
    Github,
}

/// What of the evidence leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Evidence {
    /// Excerpts with their hashes.
    Excerpts,
    /// Spans and hashes, no passage text.
    HashOnly,
}

/// `check`
#[derive(Debug, Args)]
pub struct Check {
    /// Which data.
    #[command(flatten)]
    pub data: DataArgs,
    /// Which rules.
    #[command(flatten)]
    pub rules: RulesDir,
    /// What reviewers decided.
    #[command(flatten)]
    pub decisions: DecisionArgs,
    /// Baseline that the run is held against: a file or a run folder, given once for each dataset, or none [default: baselines/DATASET.json]
    #[arg(long, value_name = "FILE|RUN|none")]
    pub baseline: Vec<PathBuf>,
    /// Folder of the run, replaced when everything is written
    #[arg(long, value_name = "DIR", default_value = "citeward-out")]
    pub out: PathBuf,
    /// Folder of earlier runs, for the trend in the reports; their names in natural order are their order in time
    #[arg(long, value_name = "DIR")]
    pub history: Option<PathBuf>,
    /// Form of what is printed on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// What of the evidence leaves in outputs
    #[arg(long, value_enum, default_value_t = Evidence::Excerpts)]
    pub evidence: Evidence,
    /// Print nothing but problems (and the data of --format json and github)
    #[arg(long, short)]
    pub quiet: bool,
}

/// `lint`
#[derive(Debug, Args)]
pub struct Lint {
    /// Which rules.
    #[command(flatten)]
    pub rules: RulesDir,
    /// Also say which rules, markers, slices and gates match nothing in this dataset, and which fire too often
    #[arg(long, value_name = "DATASET")]
    pub against: Vec<String>,
    /// Form in which problems are printed on standard output (text: on standard error)
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Print nothing but problems
    #[arg(long, short)]
    pub quiet: bool,
}

/// `explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// Run folder
    pub run: PathBuf,
    /// The case, or one claim of it: CASE or CASE#CLAIM [default: a list of what failed]
    pub subject: Option<String>,
    /// Form of what is printed: text, or json for the records themselves
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text)]
    pub format: ExplainFormat,
}

/// Form of an explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExplainFormat {
    /// For people.
    Text,
    /// The case record, its claim records, and the stage at fault of each claim that has one, one per line.
    Json,
}

/// `bless`
#[derive(Debug, Args)]
pub struct Bless {
    /// Run folder
    pub run: PathBuf,
    /// Why a run that is worse than the baseline becomes the baseline; kept in the file
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// Name of the baseline, one of those under `baseline: against` [default: the one without a name]
    #[arg(long = "as", value_name = "NAME")]
    pub name: Option<String>,
    /// Folder of baselines
    #[arg(long, value_name = "DIR", default_value = "baselines")]
    pub baselines: PathBuf,
    /// What is taken out of the reason.
    #[command(flatten)]
    pub rules: RulesDir,
}

/// `diff`
#[derive(Debug, Args)]
pub struct Diff {
    /// Before: a run folder or a baseline file
    #[arg(value_name = "A")]
    pub before: PathBuf,
    /// Now: a run folder or a baseline file
    #[arg(value_name = "B")]
    pub after: PathBuf,
    /// Form of what is printed
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub format: DiffFormat,
    /// Leave nothing out: whole lists, and every metric in every slice (markdown stays as long as a comment may be)
    #[arg(long)]
    pub all: bool,
}

/// Form of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people, on a terminal.
    Text,
    /// Everything, in a documented format.
    Json,
    /// For a comment on a pull request.
    Markdown,
}

/// `rules`
#[derive(Debug, Args)]
pub struct Rules {
    /// One kind; without it, all of them in a line each
    pub kind: Option<String>,
}

/// `init`
#[derive(Debug, Args)]
pub struct Init {
    /// Folder to write into
    #[arg(default_value = ".")]
    pub folder: PathBuf,
}

/// `verify`
#[derive(Debug, Args)]
pub struct Verify {
    /// Run folder
    pub run: PathBuf,
}

/// `schema`
#[derive(Debug, Args)]
pub struct Schema {
    /// Of which format
    #[arg(value_enum, value_name = "FORMAT", default_value_t = Described::Rules)]
    pub of: Described,
}

/// A format that has a JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Described {
    /// Rule files.
    Rules,
    /// The view of a run that report templates are given.
    ReportView,
}

/// `report`
#[derive(Debug, Args)]
pub struct Report {
    /// Run folder
    pub run: PathBuf,
    /// Template to render; its ending decides the escaping (.html, .md, other: plain text). Without it and without --format,
    /// all reports are written into the folder of --out, report.html and report.md by the templates of the project
    #[arg(long, value_name = "FILE")]
    pub template: Option<PathBuf>,
    /// One report alone, in this form
    #[arg(long, value_enum, conflicts_with = "template")]
    pub format: Option<ReportFormat>,
    /// Where the rendered text goes: a file for --template and --format [default: standard output], else a folder
    /// [default: the current folder]
    #[arg(long, value_name = "PATH")]
    pub out: Option<PathBuf>,
    /// Folder of earlier runs, for the trend; their names in natural order are their order in time
    #[arg(long, value_name = "DIR")]
    pub history: Option<PathBuf>,
    /// A sweep (what `citeward sweep … --format json` printed) whose plot goes into the report; may be given several times
    #[arg(long, value_name = "FILE")]
    pub sweep: Vec<PathBuf>,
}

/// Form of one report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// The page.
    Html,
    /// The comment for a pull request.
    Md,
    /// The view that templates are given.
    Json,
    /// The table of findings.
    Csv,
    /// Findings and failing gates for code scanning.
    Sarif,
    /// Gates and failing cases as tests.
    Junit,
}

/// `regate`
#[derive(Debug, Args)]
pub struct Regate {
    /// Run folder; it stays as it is
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    /// Which rules.
    #[command(flatten)]
    pub rules: RulesDir,
    /// Baseline that the run is held against: a file or a run folder, given once for each dataset, or none [default: baselines/DATASET.json]
    #[arg(long, value_name = "FILE|RUN|none")]
    pub baseline: Vec<PathBuf>,
    /// Form of what is printed on standard output
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// `impact`
#[derive(Debug, Args)]
pub struct Impact {
    /// Which data.
    #[command(flatten)]
    pub data: DataArgs,
    /// Folder of the rules as they are (built-in: the built-in policy)
    #[arg(long, value_name = "OLDRULES")]
    pub from: PathBuf,
    /// Folder of the rules as they would be
    #[arg(long, value_name = "NEWRULES")]
    pub to: PathBuf,
    /// A run judged by one of the two, whose cases are not evaluated again for it
    #[arg(long, value_name = "RUN")]
    pub run: Option<PathBuf>,
    /// What reviewers decided.
    #[command(flatten)]
    pub decisions: DecisionArgs,
    /// Baseline that the run is held against: a file or a run folder, given once for each dataset, or none [default: baselines/DATASET.json]
    #[arg(long, value_name = "FILE|RUN|none")]
    pub baseline: Vec<PathBuf>,
    /// Form of what is printed on standard output
    #[arg(long, value_enum, default_value_t = ImpactFormat::Text)]
    pub format: ImpactFormat,
}

/// Form of an impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ImpactFormat {
    /// For people.
    Text,
    /// Everything, every flip.
    Json,
    /// For a pull request.
    Markdown,
}

/// `sweep`
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("threshold").required(true).args(["gate", "rule"])))]
pub struct Sweep {
    /// Run folders
    #[arg(value_name = "RUN", required = true)]
    pub runs: Vec<PathBuf>,
    /// The gate whose bound is tried
    #[arg(long, value_name = "ID")]
    pub gate: Option<String>,
    /// Which of the gate's bounds, where it has several
    #[arg(long, value_enum, requires = "gate")]
    pub bound: Option<BoundArg>,
    /// Only this slice of those that the gate judges
    #[arg(long, value_name = "DIMENSION=VALUE", requires = "gate")]
    pub slice: Option<String>,
    /// Baseline that a gate on a drop or rise is held against: a file or a run folder, given once for each dataset, or none [default: baselines/DATASET.json]
    #[arg(long, value_name = "FILE|RUN|none", requires = "gate")]
    pub baseline: Vec<PathBuf>,
    /// The rule whose option is tried
    #[arg(long, value_name = "ID", requires = "option")]
    pub rule: Option<String>,
    /// The option: a threshold on a score that records keep, such as min_recall
    #[arg(long, value_name = "NAME", requires = "rule")]
    pub option: Option<String>,
    /// The first threshold
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub from: String,
    /// The last threshold
    #[arg(long, value_name = "Y", allow_hyphen_values = true)]
    pub to: String,
    /// The distance from one to the next
    #[arg(long, value_name = "Z", allow_hyphen_values = true)]
    pub step: String,
    /// Which rules.
    #[command(flatten)]
    pub rules: RulesDir,
    /// Form of what is printed on standard output
    #[arg(long, value_enum, default_value_t = SweepFormat::Text)]
    pub format: SweepFormat,
    /// Also write a plot into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// A bound of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum BoundArg {
    /// The lowest value that passes.
    Min,
    /// The highest value that passes.
    Max,
    /// The largest drop against the baseline.
    MaxDrop,
    /// The largest rise against the baseline.
    MaxRise,
}

impl From<BoundArg> for Side {
    fn from(bound: BoundArg) -> Self {
        match bound {
            BoundArg::Min => Side::Min,
            BoundArg::Max => Side::Max,
            BoundArg::MaxDrop => Side::MaxDrop,
            BoundArg::MaxRise => Side::MaxRise,
        }
    }
}

/// Form of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SweepFormat {
    /// Tables.
    Text,
    /// One line for each threshold in each run.
    Csv,
    /// The whole sweep.
    Json,
    /// A plot.
    Svg,
}

/// `dataset …`
#[derive(Debug, Subcommand)]
pub enum DatasetCommand {
    /// Write dataset.yaml: what the dataset is, with a hash of every file
    Freeze(Freeze),
    /// Hash a frozen dataset again and say what no case exercises
    Verify(DatasetVerify),
}

/// `dataset freeze`
#[derive(Debug, Args)]
pub struct Freeze {
    /// Folder NAME/VERSION with *.jsonl files
    pub folder: PathBuf,
    /// What the dataset is for
    #[arg(long, value_enum)]
    pub purpose: Option<PurposeArg>,
    /// What it holds, in a sentence
    #[arg(long)]
    pub description: Option<String>,
    /// Licence of the data
    #[arg(long)]
    pub licence: Option<String>,
    /// Version that this one was made from
    #[arg(long)]
    pub parent: Option<String>,
}

/// What a dataset is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PurposeArg {
    /// A quick look that everything works.
    Smoke,
    /// What must not get worse.
    Regression,
    /// For fitting thresholds; not evaluated by default.
    Calibration,
    /// What is known to be hard.
    Challenge,
}

/// `dataset verify`
#[derive(Debug, Args)]
pub struct DatasetVerify {
    /// Datasets: folders or names [default: all below datasets/]
    #[arg(value_name = "DATASET")]
    pub datasets: Vec<String>,
    /// Which rules, for what no case exercises.
    #[command(flatten)]
    pub rules: RulesDir,
}

/// `completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: Shell,
}
