//! `citeward report` and `citeward verify`: what can be done with a run that was written earlier.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use super::args::{Report, ReportFormat, Verify};
use super::{Exit, Io, Stop, json, unwritable};
use crate::diagnostic::{Problem, code, counted, harmless};
use crate::report::machine::{self, Format};
use crate::report::render;
use crate::report::row::Background;
use crate::report::template::{Template, Templates};
use crate::report::view::View;
use crate::run::history::Earlier;
use crate::run::manifest::{ReportStamp, RunVerdict};
use crate::run::sweep::written;
use crate::run::{self, FINDINGS_CSV, JUNIT_XML, REPORT_HTML, REPORT_MD, RESULTS_SARIF, RUN_JSON, RunFolder, SUMS};

/// Runs `citeward report`.
pub(super) fn run(args: &Report, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let folder = RunFolder::open(&args.run)?;
    let earlier = args.history.as_deref().map(|history| Earlier::find(history, &args.run)).transpose()?;
    let mut view = View::build(&folder.manifest, &folder.selection()?)?;
    if let Some(earlier) = &earlier {
        view = view.with_history(&folder.manifest, earlier);
    }
    for sweep in &args.sweep {
        view = view.with_sweep(&folder.manifest, &written::read(sweep)?);
    }
    let report = &folder.manifest.report;
    let text = match (&args.template, args.format) {
        (Some(path), _) => {
            let template = Template::read(path)?;
            render::look_up(&template)?;
            render::render_file(&view, &template, usize::try_from(report.markdown_characters).unwrap_or(usize::MAX))?
        }
        (None, Some(ReportFormat::Csv)) => return machine_format(args, FINDINGS_CSV, (&folder, &view), io),
        (None, Some(ReportFormat::Sarif)) => return machine_format(args, RESULTS_SARIF, (&folder, &view), io),
        (None, Some(ReportFormat::Junit)) => return machine_format(args, JUNIT_XML, (&folder, &view), io),
        (None, Some(ReportFormat::Html)) => render::render_html(&view, &templates(report, io)?)?,
        (None, Some(ReportFormat::Md)) => render::render_md(&view, &templates(report, io)?)?,
        (None, Some(ReportFormat::Json)) => json::harmless(&view.to_json()?),
        (None, None) => return all(args, (&folder, &view), io),
    };
    match &args.out {
        Some(out) => write(out, &text)?,
        None => io.out.write_all(text.as_bytes())?,
    }
    Ok(Exit::Done)
}

/// One format for machines by itself; its file in a run folder is called `name`.
fn machine_format(
    args: &Report,
    name: &str,
    (folder, view): (&RunFolder, &View),
    io: &mut Io<'_>,
) -> Result<Exit, Stop> {
    let formats = machine::formats(&Background::of_run(&folder.manifest));
    for format in formats.iter().filter(|format| format.file() == name) {
        match &args.out {
            Some(out) => rewrite(&**format, (folder, view), out)?,
            None => {
                // What the reader of a pipe no longer wants is no fault of the run.
                let mut refusal = None;
                let written = machine::rewrite(&**format, folder, view, &mut |bytes| {
                    io.out.write_all(bytes).map_err(|error| {
                        let problem = Problem::new(code::OUTPUT, unwritable(&error));
                        refusal = Some(error);
                        problem
                    })
                });
                if let Some(error) = refusal {
                    return Err(error.into());
                }
                written?;
            }
        }
    }
    Ok(Exit::Done)
}

fn rewrite(format: &dyn Format, (folder, view): (&RunFolder, &View), path: &Path) -> Result<(), Problem> {
    let refused = |error: io::Error| refused(path, &error);
    let mut file = BufWriter::new(File::create(path).map_err(refused)?);
    machine::rewrite(format, folder, view, &mut |bytes| file.write_all(bytes).map_err(refused))?;
    file.flush().map_err(refused)
}

/// The templates that the run was rendered by, as they are now; says where they are others.
fn templates(report: &ReportStamp, io: &mut Io<'_>) -> Result<Templates, Stop> {
    let templates = Templates::of(report, "")?;
    let now = templates.own();
    for stamp in report.rendered_by.iter().filter(|stamp| !now.contains(stamp)) {
        let is_gone = now.iter().all(|now| now.path != stamp.path);
        let what = if is_gone { "is not here; the shipped template is used" } else { "was changed after the run" };
        writeln!(io.err, "note: the template {} {what}, so that the report may differ", harmless(&stamp.path))?;
    }
    for stamp in now.iter().filter(|now| report.rendered_by.iter().all(|stamp| stamp.path != now.path)) {
        let path = harmless(&stamp.path);
        writeln!(io.err, "note: {path} takes the place of the shipped template, which the run was rendered by")?;
    }
    Ok(templates)
}

/// Every report, into a folder.
fn all(args: &Report, (folder, view): (&RunFolder, &View), io: &mut Io<'_>) -> Result<Exit, Stop> {
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from("."));
    let templates = templates(&folder.manifest.report, io)?;
    if !out.exists() {
        fs::create_dir_all(&out).map_err(|error| refused(&out, &error))?;
    }
    write(&out.join(REPORT_HTML), &render::render_html(view, &templates)?)?;
    write(&out.join(REPORT_MD), &render::render_md(view, &templates)?)?;
    for format in machine::formats(&Background::of_run(&folder.manifest)) {
        rewrite(&*format, (folder, view), &out.join(format.file()))?;
    }
    let shown = harmless(&out.join(REPORT_HTML).display().to_string());
    writeln!(io.err, "wrote {shown} and beside it {REPORT_MD}, {FINDINGS_CSV}, {RESULTS_SARIF} and {JUNIT_XML}")?;
    Ok(Exit::Done)
}

/// Refuses what is no run folder at all, in one sentence.
pub(super) fn is_a_run(path: &Path) -> Result<(), Problem> {
    let why = match path.is_dir() {
        true if [RUN_JSON, SUMS].iter().any(|name| path.join(name).exists()) => return Ok(()),
        true => "the folder holds no run",
        false if path.exists() => "this is a file, and a run is a folder",
        false => "there is no such folder",
    };
    let help = "name the folder that `citeward check --out` wrote";
    Err(Problem::new(code::NOT_FOUND, why).in_file(path.display().to_string()).help(help))
}

/// Runs `citeward verify`: problems are what it is there to find.
pub(super) fn verify(args: &Verify, io: &mut Io<'_>) -> Result<Exit, Stop> {
    is_a_run(&args.run)?;
    match run::verify(&args.run) {
        Ok((manifest, again)) => {
            let verdict = match manifest.verdict {
                RunVerdict::Pass => "pass",
                RunVerdict::Fail => "fail",
            };
            let counts = manifest.counts;
            writeln!(
                io.out,
                "{}: every file has its sum, and run.json says what the records add up to: {}, {}, verdict {verdict}",
                harmless(&args.run.display().to_string()),
                counted(counts.cases, "case"),
                counted(counts.claims, "claim")
            )?;
            let metrics = counted(again.metrics as u64, "metric");
            writeln!(io.out, "  counted again: labels, findings, {metrics}, {}", counted(again.gates as u64, "gate"))?;
            if !again.compare.is_empty() {
                let gates: Vec<String> = again.compare.iter().map(|gate| harmless(gate)).collect();
                writeln!(io.out, "  not judged again, for want of the baseline: {}", gates.join(", "))?;
            }
            writeln!(
                io.out,
                "  taken from run.json: which gates there are and their bounds; the policy is not in the folder"
            )?;
            Ok(Exit::Done)
        }
        Err(problems) => {
            io.err.write_all(problems.render().as_bytes())?;
            Ok(Exit::Failed)
        }
    }
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    fs::write(path, text).map_err(|error| refused(path, &error).into())
}

fn refused(path: &Path, error: &io::Error) -> Problem {
    Problem::new(code::OUTPUT, unwritable(error))
        .in_file(path.display().to_string())
        .help("check that the folder exists and can be written")
}
