//! The command line: what each command does with the library. Nothing here prints by itself: output goes to the
//! streams of [`Io`], the exit code is returned.

pub mod args;
mod bless;
mod check;
mod dataset;
mod diff;
mod explain;
mod impact;
mod init;
mod inputs;
mod json;
mod lint;
mod regate;
mod report;
mod sweep;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::{CommandFactory as _, Parser as _};

use crate::check::manual;
use crate::diagnostic::{Problem, Problems, code, did_you_mean, harmless, quoted};
use crate::rules::{self, Policy};
use args::{Cli, Command, Described};

/// How a command ended; the number is the process's exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done, and every gate passed or warned.
    Done = 0,
    /// A gate failed, or a command whose job is to find problems found some.
    Failed = 1,
    /// Nothing was judged: usage, rules, data, no cases.
    NotJudged = 2,
}

/// Where output goes: data on `out`, talk on `err`.
pub struct Io<'a> {
    /// Data.
    pub out: &'a mut dyn Write,
    /// Talk: problems, progress, where things are.
    pub err: &'a mut dyn Write,
    /// Whether progress may be drawn on standard error.
    pub progress: bool,
    /// Whether the text on `out` may be coloured.
    pub colour: bool,
}

/// Why a command stopped before its end.
#[derive(Debug)]
enum Stop {
    /// Problems of rules or data, to be shown.
    Problems(Problems),
    /// An output stream could not be written.
    Output(io::Error),
}

impl Stop {
    /// The same without what a policy takes out.
    fn redacted(self, policy: &Policy) -> Self {
        match self {
            Stop::Problems(problems) => Stop::Problems(policy.settings.redact.redactor.problems(problems)),
            Stop::Output(error) => Stop::Output(error),
        }
    }
}

impl From<Problems> for Stop {
    fn from(problems: Problems) -> Self {
        Stop::Problems(problems)
    }
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        let mut problems = Problems::new();
        problems.push(problem);
        Stop::Problems(problems)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Output(error)
    }
}

/// Why a file cannot be written, without the system's error numbers where a person can be told what is in the way.
fn unwritable(error: &io::Error) -> String {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "the folder that it belongs in does not exist".to_owned(),
        io::ErrorKind::NotADirectory => "a part of its path is a file".to_owned(),
        _ => error.to_string(),
    };
    format!("the file cannot be written: {why}")
}

/// Runs the command line given by `args` (the program's name first).
pub fn run<I>(args: I, io: &mut Io<'_>) -> Exit
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, io),
    };
    match dispatch(cli.command, io) {
        Ok(exit) => exit,
        Err(Stop::Problems(problems)) => {
            let _ = io.err.write_all(problems.render().as_bytes());
            Exit::NotJudged
        }
        // A reader that closed its end early (`| head`) wants no more of the text; the verdict is not known to it.
        Err(Stop::Output(error)) => {
            if error.kind() != io::ErrorKind::BrokenPipe {
                let _ = writeln!(io.err, "error: the output could not be written: {error}");
            }
            Exit::NotJudged
        }
    }
}

fn dispatch(command: Command, io: &mut Io<'_>) -> Result<Exit, Stop> {
    match command {
        Command::Check(args) => check::run(&args, io),
        Command::Lint(args) => lint::run(&args, io),
        Command::Explain(args) => explain::run(&args, io),
        Command::Bless(args) => bless::run(&args, io),
        Command::Diff(args) => diff::run(&args, io),
        Command::Rules(args) => rules_manual(&args, io),
        Command::Schema(args) => {
            let schema = match args.of {
                Described::Rules => rules::schema(),
                Described::ReportView => crate::report::schema(),
            };
            io.out.write_all(schema.as_bytes())?;
            Ok(Exit::Done)
        }
        Command::Init(args) => init::run(&args, io),
        Command::Verify(args) => report::verify(&args, io),
        Command::Report(args) => report::run(&args, io),
        Command::Regate(args) => regate::run(&args, io),
        Command::Impact(args) => impact::run(&args, io),
        Command::Sweep(args) => sweep::run(&args, io),
        Command::Dataset(args) => dataset::run(&args, io),
        Command::Completions(args) => {
            clap_complete::generate(args.shell, &mut Cli::command(), "citeward", &mut io.out);
            Ok(Exit::Done)
        }
    }
}

/// Says what was wrong with the command line, or prints the help that was asked for.
fn usage(error: &clap::Error, io: &mut Io<'_>) -> Exit {
    let rendered = error.render().to_string();
    // The arguments themselves stand in it.
    let text: String = rendered.lines().map(|line| harmless(line) + "\n").collect();
    if error.use_stderr() {
        let _ = io.err.write_all(text.as_bytes());
        Exit::NotJudged
    } else {
        let _ = io.out.write_all(text.as_bytes());
        Exit::Done
    }
}

fn rules_manual(args: &args::Rules, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let Some(name) = &args.kind else {
        write!(io.out, "{}", manual::overview())?;
        writeln!(io.out, "`citeward rules KIND` prints the page of one kind.")?;
        return Ok(Exit::Done);
    };
    let Some(kind) = crate::check::kind(name) else {
        let names = crate::check::KINDS.iter().map(|kind| kind.name);
        let problem = Problem::new(code::UNKNOWN_NAME, format!("there is no check kind {}", quoted(name)))
            .help_if(did_you_mean(name, names).or_else(|| Some("`citeward rules` lists the kinds".to_owned())));
        return Err(problem.into());
    };
    io.out.write_all(manual::page(kind).as_bytes())?;
    Ok(Exit::Done)
}
