//! `citeward dataset freeze` and `citeward dataset verify`.

use std::collections::BTreeSet;

use super::args::{DatasetCommand, DatasetVerify, Freeze, PurposeArg};
use super::inputs;
use super::{Exit, Io, Stop};
use crate::check::KINDS;
use crate::dataset::folder::{self, Dataset};
use crate::dataset::freeze::{self, About};
use crate::dataset::manifest::Purpose;
use crate::dataset::verify::{self, Summary};
use crate::dataset::{Label, Options};
use crate::diagnostic::{Problem, Problems, counted, harmless};
use crate::record::evaluate::{Evaluator, EvidenceMode};
use crate::rules::Policy;
use crate::run::evaluate::{Settings, Sink, SourceFile, Stated, evaluate};
use crate::text::redact::{Form, ID_DIGITS};

/// Runs the command.
pub(super) fn run(command: &DatasetCommand, io: &mut Io<'_>) -> Result<Exit, Stop> {
    match command {
        DatasetCommand::Freeze(args) => freeze(args, io),
        DatasetCommand::Verify(args) => verify(args, io),
    }
}

fn freeze(args: &Freeze, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let purpose = args.purpose.map(|purpose| match purpose {
        PurposeArg::Smoke => Purpose::Smoke,
        PurposeArg::Regression => Purpose::Regression,
        PurposeArg::Calibration => Purpose::Calibration,
        PurposeArg::Challenge => Purpose::Challenge,
    });
    let about = About {
        purpose,
        parent: args.parent.clone(),
        description: args.description.clone(),
        licence: args.licence.clone(),
    };
    let manifest = freeze::freeze(&args.folder, about, &Options::default())?;
    let cases: u64 = manifest.files.iter().map(|file| file.cases).sum();
    writeln!(
        io.out,
        "{} {}: {} in {}, frozen in {}",
        harmless(&manifest.name),
        harmless(&manifest.version),
        counted(cases, "case"),
        counted(manifest.files.len() as u64, "file"),
        harmless(&args.folder.join("dataset.yaml").display().to_string())
    )?;
    Ok(Exit::Done)
}

/// Problems are what this command is there to find.
fn verify(args: &DatasetVerify, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let policy = inputs::policy(&args.rules)?;
    verified(args, &policy, io).map_err(|stop| stop.redacted(&policy))
}

fn verified(args: &DatasetVerify, policy: &Policy, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let redactor = &policy.settings.redact.redactor;
    let mut problems = Problems::new();
    let datasets = folder::resolve(&args.datasets, std::path::Path::new("datasets"), &mut problems);
    if !problems.is_empty() {
        return Err(problems.into());
    }
    let mut exit = Exit::Done;
    for dataset in &datasets {
        match verify::verify(dataset, &inputs::options(policy)) {
            Ok(summary) => describe(dataset, &summary, policy, io)?,
            Err(problems) => {
                io.err.write_all(redactor.problems(problems).render().as_bytes())?;
                exit = Exit::Failed;
            }
        }
    }
    Ok(exit)
}

fn describe(dataset: &Dataset, summary: &Summary, policy: &Policy, io: &mut Io<'_>) -> Result<(), Stop> {
    let version = dataset.version.as_deref().unwrap_or("(unversioned)");
    let state = if dataset.is_frozen() { "as it was frozen" } else { "not frozen" };
    writeln!(
        io.out,
        "{} {}: {state}: {}, {}, {}",
        harmless(&policy.settings.redact.redactor.id(&dataset.name)),
        harmless(version),
        counted(summary.cases, "case"),
        counted(summary.claims, "given claim"),
        counted(summary.units, "evidence unit")
    )?;
    let decidable = |label: &Label| !matches!(label, Label::Undecided);
    let unused: Vec<&str> =
        summary.labels.iter().filter(|(l, n)| **n == 0 && decidable(l)).map(|(l, _)| l.as_str()).collect();
    list(io, "labels that no case expects", &unused)?;
    let kinds = exercised(dataset, policy)?;
    let idle: Vec<&str> = KINDS.iter().map(|kind| kind.name).filter(|name| !kinds.contains(name)).collect();
    list(io, "check kinds that no case exercises", &idle)?;
    let drift: Vec<String> =
        summary.drift.iter().map(|drift| drifted(policy, &drift.id, &drift.source_version)).collect();
    list(io, "evidence with two texts under one version", &drift.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A unit and its version, without what the policy takes out.
fn drifted(policy: &Policy, id: &str, version: &str) -> String {
    let redact = &policy.settings.redact;
    let written = |path: &str, text: &str| match redact.name_of(path) {
        Some(name) => redact.redactor.stand_in(name, text, Form::Id(ID_DIGITS)),
        None => redact.redactor.id(text).into_owned(),
    };
    format!("{} @ {}", written("source.id", id), written("source.source_version", version))
}

fn list(io: &mut Io<'_>, what: &str, names: &[&str]) -> Result<(), Stop> {
    if !names.is_empty() {
        writeln!(io.out, "  {what}: {}", harmless(&names.join(", ")))?;
    }
    Ok(())
}

/// The check kinds whose rules say pass or fail of at least one subject of the dataset.
fn exercised(dataset: &Dataset, policy: &Policy) -> Result<BTreeSet<&'static str>, Stop> {
    let evaluator = Evaluator::new(policy, EvidenceMode::HashOnly);
    let files: Vec<SourceFile> =
        dataset.inputs.iter().map(|input| SourceFile { name: input.name.to_string(), dataset: 0 }).collect();
    let options = Options { need_answer: false, ..inputs::options(policy) };
    let chunks = crate::dataset::lines::Chunks::new(dataset.inputs.clone(), options.limits.line_bytes);
    let settings = Settings {
        jobs: inputs::all_cores(),
        skip_bad_lines: false,
        options,
        answers: None,
        register: None,
        review: None,
        beside: &[],
        allow_missing_answers: false,
    };
    let evaluation = evaluate(&evaluator, chunks, &files, &settings, &mut Nowhere)?;
    let counts = evaluation.tally.rule_counts();
    let decided = |id: &str| counts.get(id).is_some_and(|counts| counts.pass + counts.fail > 0);
    Ok(policy.rules.iter().filter(|rule| decided(&rule.id)).map(|rule| rule.kind.name).collect())
}

/// Writes nothing.
pub(super) struct Nowhere;

impl Sink for Nowhere {
    fn take(&mut self, _: &Stated<'_>) -> Result<(), Problem> {
        Ok(())
    }

    fn progress(&mut self, _: u64) {}
}
