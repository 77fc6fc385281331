//! `citeward sweep`: how runs would come out under other values of a gate's bound or a rule's option.

mod figure;
mod spreadsheet;
mod table;

use std::fs;
use std::path::Path;

use super::args::{Sweep, SweepFormat};
use super::{Exit, Io, Stop, inputs, json, unwritable};
use crate::diagnostic::{Problem, Problems, code, harmless, quoted};
use crate::report::plot;
use crate::rules::Policy;
use crate::run::sweep::document::{Document, Made};
use crate::run::sweep::{self, Grid, SweptRun, gate, rule};

/// A sweep that was made.
enum Swept {
    /// Of a gate's bound.
    Gate(gate::GateSweep),
    /// Of a rule's option.
    Rule(Box<rule::RuleSweep>),
}

/// Runs the command.
pub(super) fn run(args: &Sweep, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let policy = inputs::ready_policy(&args.rules)?;
    let runs = sweep::open(&args.runs)?;
    let swept = match (&args.gate, &args.rule, &args.option) {
        (Some(id), _, _) => Swept::Gate(of_gate(args, id, &policy, &runs)?),
        (None, Some(id), Some(option)) => Swept::Rule(Box::new(of_rule(args, id, option, &policy, &runs)?)),
        _ => {
            return Err(Problem::new(code::MISSING_KEY, "nothing to sweep")
                .help("give --gate, or --rule with --option")
                .into());
        }
    };
    if let Some(path) = &args.svg {
        write(path, &plot::svg(&swept.figure()))?;
    }
    match args.format {
        SweepFormat::Text => io.out.write_all(swept.table().as_bytes())?,
        SweepFormat::Csv => io.out.write_all(swept.spreadsheet().as_bytes())?,
        SweepFormat::Svg => io.out.write_all(plot::svg(&swept.figure()).as_bytes())?,
        SweepFormat::Json => {
            let made_of = Made {
                manifests: runs.iter().map(|run| run.manifest.clone()).collect(),
                evaluation_digest: policy.evaluation_digest.to_string(),
                gates_digest: policy.gates_digest.to_string(),
            };
            let document = swept.document(runs.iter().map(|run| run.name.clone()).collect(), made_of);
            let mut bytes = serde_json::to_vec_pretty(&document)
                .map_err(|error| Problem::new(code::NOT_FINITE, format!("the sweep cannot be written: {error}")))?;
            bytes.push(b'\n');
            io.out.write_all(json::harmless(&bytes).as_bytes())?;
        }
    }
    if matches!(args.format, SweepFormat::Csv | SweepFormat::Svg) {
        for note in swept.notes() {
            writeln!(io.err, "note: {}", harmless(note))?;
        }
    }
    Ok(Exit::Done)
}

fn of_gate(args: &Sweep, id: &str, policy: &Policy, runs: &[SweptRun]) -> Result<gate::GateSweep, Problems> {
    let slice = args.slice.as_deref().map(slice).transpose()?.map(|(dimension, value)| {
        let index = policy.slices.iter().position(|own| own.id == dimension);
        let value = index.map_or_else(|| value.clone(), |index| policy.written_slice(index, &value).into_owned());
        (dimension, value)
    });
    let subject = gate::Subject::find(policy, id, args.bound.map(Into::into), slice)?;
    let grid = Grid::new(&args.from, &args.to, &args.step, subject.largest())?;
    gate::sweep(policy, &subject, grid, runs, &inputs::baselines(&args.baseline, false))
}

fn of_rule(
    args: &Sweep,
    id: &str,
    option: &str,
    policy: &Policy,
    runs: &[SweptRun],
) -> Result<rule::RuleSweep, Problem> {
    let subject = rule::Subject::find(policy, id, option)?;
    let grid = Grid::new(&args.from, &args.to, &args.step, Some(1))?;
    subject.refuse_beyond(&grid)?;
    rule::sweep(policy, &subject, grid, runs)
}

/// `language=de` as dimension and value.
fn slice(text: &str) -> Result<(String, String), Problem> {
    text.split_once('=').map(|(dimension, value)| (dimension.to_owned(), value.to_owned())).ok_or_else(|| {
        Problem::new(code::SLICE_VALUE, "`--slice` is no slice")
            .found(quoted(text), "DIMENSION=VALUE, such as language=de")
    })
}

fn write(path: &Path, text: &str) -> Result<(), Problem> {
    fs::write(path, text).map_err(|error| {
        Problem::new(code::OUTPUT, unwritable(&error))
            .in_file(path.display().to_string())
            .help("check that the folder exists and can be written")
    })
}

impl Swept {
    fn notes(&self) -> &[String] {
        match self {
            Swept::Gate(sweep) => &sweep.notes,
            Swept::Rule(sweep) => &sweep.notes,
        }
    }

    fn document(&self, runs: Vec<String>, made_of: Made) -> Document {
        match self {
            Swept::Gate(sweep) => Document::of_gate(sweep, runs, made_of),
            Swept::Rule(sweep) => Document::of_rule(sweep, runs, made_of),
        }
    }

    fn table(&self) -> String {
        match self {
            Swept::Gate(sweep) => table::of_gate(sweep),
            Swept::Rule(sweep) => table::of_rule(sweep),
        }
    }

    fn spreadsheet(&self) -> String {
        match self {
            Swept::Gate(sweep) => spreadsheet::of_gate(sweep),
            Swept::Rule(sweep) => spreadsheet::of_rule(sweep),
        }
    }

    fn figure(&self) -> plot::Plot {
        match self {
            Swept::Gate(sweep) => figure::of_gate(sweep),
            Swept::Rule(sweep) => figure::of_rule(sweep),
        }
    }
}
