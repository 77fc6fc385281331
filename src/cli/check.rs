//! `citeward check`: the main job.

use std::io::ErrorKind;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::args::{Check, Evidence, Format};
use super::inputs::{self, Data};
use super::{Exit, Io, Stop, json};
use crate::diagnostic::{Problem, Problems, code, harmless};
use crate::record::evaluate::{Evaluator, EvidenceMode};
use crate::record::{CaseRecord, ClaimRecord};
use crate::report::machine::{self, Format as MachineFormat, Gather};
use crate::report::row::Background;
use crate::report::template::Templates;
use crate::report::view::View;
use crate::report::{console, github, render};
use crate::rules::Policy;
use crate::run::assemble::{self, RunInputs};
use crate::run::evaluate::{Settings, Sink, Stated, evaluate};
use crate::run::history::Earlier;
use crate::run::manifest::{self, FileStamp, RunJson, RunVerdict};
use crate::run::outline::Head;
use crate::run::review::Review;
use crate::run::{CASES, CaseWriter, OUTLINE, RECORDS, REPORT_HTML, REPORT_MD, REVIEW, RUN_JSON, RunWriter, Stream};
use crate::tally::RuleTable;
use crate::text::redact::Redactor;

/// Runs the command.
pub(super) fn run(args: &Check, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let policy = inputs::ready_policy(&args.rules)?;
    judged(args, &policy, io).map_err(|stop| stop.redacted(&policy))
}

fn judged(args: &Check, policy: &Policy, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let redactor = &policy.settings.redact.redactor;
    let data = Data::open(&args.data, policy)?;
    let table = RuleTable::of(policy);
    let baselines = data.baselines(&args.data, &args.baseline, policy, &table)?;
    let earlier = args.history.as_deref().map(|folder| Earlier::find(folder, &args.out)).transpose()?;
    let mut writer = RunWriter::prepare(&args.out)?;
    let evidence = match args.evidence {
        Evidence::Excerpts => EvidenceMode::Excerpts,
        Evidence::HashOnly => EvidenceMode::HashOnly,
    };
    // A template that cannot be used is said before the work, not after it.
    let report = &policy.settings.report;
    let templates = Templates::of(&assemble::report_stamp(report), &report.templates_place)?;
    let decisions = inputs::decisions(&args.decisions, policy, &data.options)?;
    let evaluator = Evaluator::new(policy, evidence)
        .with_decisions(decisions.as_ref())
        .with_known(baselines.known_findings(policy));
    let labels = baselines.labels();
    let changed = |case: &CaseRecord<'_>, claim: &ClaimRecord<'_>| {
        labels.changed(&case.case_id, &claim.claim_sha256, claim.label)
    };
    let review = Review::new(&policy.settings.review, decisions.as_ref()).with_changed(&changed);
    let tells_new = baselines.tells_new(policy);
    let formats = machine::formats(&Background::of_policy(policy, &data.datasets, tells_new));
    let beside: Vec<&dyn CaseWriter> = formats.iter().map(|format| &**format as &dyn CaseWriter).collect();
    let mut sink = Files {
        cases: writer.stream(CASES)?,
        records: writer.stream(RECORDS)?,
        outlines: writer.stream(OUTLINE)?,
        review: writer.stream(REVIEW)?,
        beside: formats.iter().map(|format| Beside::begin(&**format, &writer)).collect::<Result<_, _>>()?,
        bar: progress(io.progress && !args.quiet, data.bytes()),
    };
    sink.outlines.write(&Head::of(policy, &table).to_line()?)?;
    let settings = Settings { review: Some(&review), beside: &beside, ..data.settings(&args.data) };
    let evaluated = evaluate(&evaluator, data.chunks(), &data.files, &settings, &mut sink);
    sink.bar.finish_and_clear();
    let mut evaluation = evaluated?;
    if evaluation.tally.cases() + evaluation.tally.missing_answers() == 0 {
        return Err(nothing_read(&data, evaluation.skipped));
    }
    writer.end(sink.cases)?;
    writer.end(sink.records)?;
    writer.end(sink.outlines)?;
    writer.end(sink.review)?;
    let beside = sink.beside;

    let cases: Vec<u64> = evaluation.datasets.iter().map(|dataset| dataset.cases).collect();
    let held = baselines.pair(&writer.path(OUTLINE), &cases, &[policy], &table)?;
    let mut decision = held.judge(policy, &evaluation.tally, &table);
    decision.hold_unreviewed(&policy.settings.review, evaluation.tally.review().open);
    let stamps = RunInputs {
        datasets: &data.datasets,
        left_out: data.left_out.clone(),
        answers: answers_stamp(args, &data, redactor)?,
        sources: sources_stamp(args, &data, redactor),
        decisions: decisions.as_ref(),
        standing: review.standing(),
        baselines: baselines.stamps(),
        tells_new,
        comparison_warnings: held.warnings(),
        flips: held.flips,
        never_applied: evaluator.never_applied(),
        evidence: match args.evidence {
            Evidence::Excerpts => manifest::EvidenceMode::Full,
            Evidence::HashOnly => manifest::EvidenceMode::HashOnly,
        },
    };
    let mut run = assemble::manifest(policy, stamps, &mut evaluation, &decision, &table);
    run.report.rendered_by = templates.own();
    if run.report.templates.is_none() {
        let own = run.report.rendered_by.iter().map(|template| &template.path);
        let said = own.map(|name| format!("{name} of this folder takes the place of the shipped template."));
        run.warnings.extend(said);
    }
    let mut view = View::build(&run, &evaluation.selection)?;
    if let Some(earlier) = &earlier {
        view = view.with_history(&run, earlier);
    }
    write_reports(&run, &view, &templates, &mut writer)?;
    for format in beside {
        format.end(&run, &view, &mut writer)?;
    }
    writer.commit()?;

    if !evaluation.skipped.is_empty() {
        io.err.write_all(redactor.problems(evaluation.skipped).render().as_bytes())?;
    }
    match print(args, policy, &run, &view, io) {
        // The run is judged and written: a reader who has seen enough (`| head`) does not change the verdict.
        Err(Stop::Output(error)) if error.kind() == ErrorKind::BrokenPipe => {}
        printed => printed?,
    }
    Ok(match run.verdict {
        RunVerdict::Pass => Exit::Done,
        RunVerdict::Fail => Exit::Failed,
    })
}

fn write_reports(run: &RunJson, view: &View, templates: &Templates, writer: &mut RunWriter) -> Result<(), Stop> {
    writer.write(RUN_JSON, &run.to_bytes()?)?;
    writer.write(REPORT_HTML, render::render_html(view, templates)?.as_bytes())?;
    writer.write(REPORT_MD, render::render_md(view, templates)?.as_bytes())?;
    Ok(())
}

fn print(args: &Check, policy: &Policy, run: &RunJson, view: &View, io: &mut Io<'_>) -> Result<(), Stop> {
    let report = args.out.join(REPORT_HTML).display().to_string();
    match args.format {
        Format::Text if args.quiet => {}
        Format::Text => io.out.write_all(console::render(view, &report, io.colour).as_bytes())?,
        Format::Json => io.out.write_all(json::harmless(&run.to_bytes()?).as_bytes())?,
        Format::Github => io.out.write_all(github::render(view).as_bytes())?,
    }
    if args.quiet {
        for sentence in &policy.idle {
            writeln!(io.err, "warning: {}", harmless(sentence))?;
        }
    }
    if args.format != Format::Text && !args.quiet {
        io.err.write_all(console::render(view, &report, false).as_bytes())?;
    }
    Ok(())
}

pub(super) fn nothing_read(data: &Data, mut problems: Problems) -> Stop {
    let names: Vec<&str> = data.datasets.iter().map(|dataset| dataset.name.as_str()).collect();
    let problem = Problem::new(code::NO_CASES, "there is not a single case to judge")
        .in_file(names.join(", "))
        .help("nothing was judged; a run without cases never passes");
    problems.push(problem);
    Stop::Problems(problems)
}

fn answers_stamp(args: &Check, data: &Data, redactor: &Redactor) -> Result<Option<FileStamp>, Stop> {
    let (Some(path), Some(answers)) = (&args.data.answers, &data.answers) else { return Ok(None) };
    let shown = path.display().to_string();
    let sha256 = answers.digest().map_err(|error| {
        Problem::new(code::UNREADABLE, format!("the file cannot be read: {error}")).in_file(shown.clone())
    })?;
    Ok(Some(FileStamp { path: redactor.id(&shown).into_owned(), sha256: sha256.to_string() }))
}

fn sources_stamp(args: &Check, data: &Data, redactor: &Redactor) -> Option<FileStamp> {
    let (path, register) = args.data.sources.as_ref().zip(data.register.as_ref())?;
    Some(FileStamp {
        path: redactor.id(&path.display().to_string()).into_owned(),
        sha256: register.digest().to_string(),
    })
}

/// Writes records as they come, and shows how far the input is.
struct Files<'f> {
    cases: Stream,
    records: Stream,
    outlines: Stream,
    review: Stream,
    beside: Vec<Beside<'f>>,
    bar: ProgressBar,
}

/// The file of a machine format, written as the cases come.
struct Beside<'f> {
    gather: Box<dyn Gather + 'f>,
    file: Stream,
    /// Of one step.
    bytes: Vec<u8>,
}

impl<'f> Beside<'f> {
    fn begin(format: &'f dyn MachineFormat, writer: &RunWriter) -> Result<Self, Problem> {
        let (mut gather, mut bytes) = (format.gather(), Vec::new());
        gather.begin(&mut bytes);
        let mut own = Self { gather, file: writer.stream(format.file())?, bytes };
        own.write()?;
        Ok(own)
    }

    fn take(&mut self, written: &[u8]) -> Result<(), Problem> {
        self.gather.take(written, &mut self.bytes);
        self.write()
    }

    fn end(mut self, run: &RunJson, view: &View, writer: &mut RunWriter) -> Result<(), Problem> {
        self.gather.end(run, view, &mut self.bytes);
        self.write()?;
        writer.end(self.file)
    }

    fn write(&mut self) -> Result<(), Problem> {
        self.file.write(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }
}

impl Sink for Files<'_> {
    fn take(&mut self, lines: &Stated<'_>) -> Result<(), Problem> {
        self.cases.write(lines.cases)?;
        self.records.write(lines.records)?;
        self.outlines.write(lines.outlines)?;
        self.review.write(lines.review)?;
        self.beside.iter_mut().zip(lines.beside).try_for_each(|(format, written)| format.take(written))
    }

    fn progress(&mut self, bytes: u64) {
        self.bar.inc(bytes);
    }
}

fn progress(shown: bool, bytes: u64) -> ProgressBar {
    if !shown || bytes == 0 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(bytes);
    if let Ok(style) = ProgressStyle::with_template("judging {bar:30} {bytes}/{total_bytes}  {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
