//! `citeward impact`: what a policy edit would change, before it lands.

mod page;
mod text;

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use tempfile::TempDir;

use super::args::{Impact as Args, ImpactFormat};
use super::inputs::{self, Data};
use super::{Exit, Io, Stop, check, json};
use crate::diagnostic::{Problem, Problems, code};
use crate::record::evaluate::{Evaluator, EvidenceMode};
use crate::rules::edits::Written;
use crate::rules::{self, Policy};
use crate::run::evaluate::{Settings, Sink, Stated as Lines, evaluate};
use crate::run::impact;
use crate::run::outline::Head;
use crate::run::regate::{Side, Stated};
use crate::run::review::Review;
use crate::run::{OUTLINE, RunFolder};
use crate::tally::RuleTable;

/// What `--from` and `--to` call the built-in policy.
const BUILT_IN: &str = "built-in";

/// Runs the command.
pub(super) fn run(args: &Args, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let (mut old, old_text) = policy(&args.from)?;
    let (mut new, new_text) = policy(&args.to)?;
    redact_alike(&mut old, &mut new, args.run.is_some())?;
    let (old, new) = (inputs::ready(old)?, inputs::ready(new)?);
    weighed(args, (&old, &old_text), (&new, &new_text), io).map_err(|stop| stop.redacted(&new))
}

/// Lets both policies take out the same: what the new one does, or the old one where the new one takes nothing out. Cases
/// whose ids were taken out in two ways would not be found again, and what either policy hides leaves in no way.
fn redact_alike(old: &mut Policy, new: &mut Policy, of_run: bool) -> Result<(), Problem> {
    if old.takes_out_as(new) {
        return Ok(());
    }
    if of_run {
        let problem = Problem::new(code::CONTRADICTION, "the two policies take other texts out (`redact`)");
        return Err(problem.help("leave --run out, and the cases are evaluated"));
    }
    if new.settings.redact.redactor.is_empty() {
        new.take_out_as(old)
    } else {
        old.take_out_as(new)
    }
    Ok(())
}

fn weighed(
    args: &Args,
    (old, old_text): (&Policy, &Written),
    (new, new_text): (&Policy, &Written),
    io: &mut Io<'_>,
) -> Result<Exit, Stop> {
    let alike = old.evaluation_digest == new.evaluation_digest;
    let run = args.run.as_deref().map(RunFolder::open_unchanged).transpose()?;
    let known = run.as_ref().map(|run| known(run, [old, new])).transpose()?.unwrap_or_default();
    let different = if alike { 1 } else { 2 };
    let needs = different - known.iter().filter(|is| **is).count().min(different);
    refuse_reading_twice(args, needs)?;
    let mut evaluated: Vec<Evaluated> = Vec::new();
    let mut stated = Vec::new();
    for (policy, is_known) in [old, new].into_iter().zip(known) {
        stated.push(match (&run, is_known, stated.last()) {
            (_, _, Some(first)) if alike => Stated::clone(first),
            (Some(run), true, _) => Stated::of_run(run),
            _ => {
                evaluated.push(Evaluated::new(args, policy, if alike { new } else { policy })?);
                evaluated.last().map(|evaluated| evaluated.stated.clone()).ok_or_else(nothing)?
            }
        });
    }
    if let (Some(run), Some(evaluated)) = (&run, evaluated.first()) {
        same_data(run, evaluated)?;
    }
    let ([before, after], edits) = (sides(old, new, &stated)?, old_text.edits(new_text));
    let evaluations = u8::try_from(evaluated.len()).unwrap_or(u8::MAX);
    let source = inputs::baselines(&args.baseline, inputs::is_whole(&args.data.datasets));
    let impact = impact::impact(before, after, edits, evaluations, &source)?;
    match args.format {
        ImpactFormat::Text => io.out.write_all(text::render(&impact).as_bytes())?,
        ImpactFormat::Markdown => io.out.write_all(page::render(&impact).as_bytes())?,
        ImpactFormat::Json => {
            let mut bytes = serde_json::to_vec_pretty(&impact)
                .map_err(|error| Problem::new(code::NOT_FINITE, format!("the impact cannot be written: {error}")))?;
            bytes.push(b'\n');
            io.out.write_all(json::harmless(&bytes).as_bytes())?;
        }
    }
    for evaluated in &evaluated {
        if !evaluated.skipped.is_empty() {
            let skipped = new.settings.redact.redactor.problems(evaluated.skipped.clone());
            io.err.write_all(skipped.render().as_bytes())?;
        }
    }
    Ok(if impact.is_empty() { Exit::Done } else { Exit::Failed })
}

fn nothing() -> Problem {
    Problem::new(code::NO_CASES, "there is not a single case to look at")
}

fn sides<'s>(old: &'s Policy, new: &'s Policy, stated: &'s [Stated]) -> Result<[Side<'s>; 2], Problem> {
    match stated {
        [before, after] => Ok([Side { policy: old, stated: before }, Side { policy: new, stated: after }]),
        _ => Err(nothing()),
    }
}

fn policy(folder: &Path) -> Result<(Policy, Written), Problems> {
    if folder == Path::new(BUILT_IN) && !folder.exists() {
        rules::built_in_written()
    } else {
        rules::load_written(folder)
    }
}

/// Which of the two policies the run was judged by, so far as they decide records.
fn known(run: &RunFolder, policies: [&Policy; 2]) -> Result<[bool; 2], Problem> {
    let digest = &run.manifest.policy.evaluation_digest;
    let known = policies.map(|policy| policy.evaluation_digest.to_string() == *digest);
    if known.contains(&true) {
        return Ok(known);
    }
    Err(Problem::new(code::CONTRADICTION, "the run was judged by neither of the two policies")
        .in_file(run.path().display().to_string())
        .found(digest, format!("{} or {}", policies[0].evaluation_digest, policies[1].evaluation_digest))
        .help("leave --run out, and the cases are evaluated"))
}

/// Standard input can be read once.
fn refuse_reading_twice(args: &Args, needs: usize) -> Result<(), Problem> {
    let stdin = Path::new("-");
    let reads = args.data.datasets.iter().any(|dataset| dataset == "-")
        || [&args.data.answers, &args.data.sources].into_iter().flatten().any(|path| path == stdin);
    if needs < 2 || !reads {
        return Ok(());
    }
    Err(Problem::new(
        code::CONTRADICTION,
        "the two policies decide records otherwise, and standard input cannot be read twice",
    )
    .help("give the data as a file"))
}

/// Refuses to compare a run with an evaluation of other data.
fn same_data(run: &RunFolder, evaluated: &Evaluated) -> Result<(), Problem> {
    let of_run: Vec<&str> = run.manifest.datasets.iter().map(|dataset| dataset.content_digest.as_str()).collect();
    if of_run.iter().eq(evaluated.contents.iter()) {
        return Ok(());
    }
    let names: Vec<&str> = run.manifest.datasets.iter().map(|dataset| dataset.name.as_str()).collect();
    Err(Problem::new(code::CONTRADICTION, "the run is of other data than what was evaluated")
        .in_file(run.path().display().to_string())
        .found(names.join(", "), format!("the very cases of {}", evaluated.stated.name))
        .help("give the datasets (and --answers) of the run, or leave --run out"))
}

/// Cases that were evaluated for this, in a folder that goes away with it.
struct Evaluated {
    stated: Stated,
    /// Digest of the cases of each dataset.
    contents: Vec<String>,
    skipped: Problems,
    _folder: TempDir,
}

impl Evaluated {
    /// Evaluates the data under a policy; `review` is the one whose queue of claims counts.
    fn new(args: &Args, policy: &Policy, review: &Policy) -> Result<Self, Stop> {
        let unwritable = |error: std::io::Error| {
            Problem::new(code::OUTPUT, format!("no temporary file can be written: {error}")).help("see TMPDIR")
        };
        let data = Data::open(&args.data, policy)?;
        let table = RuleTable::of(policy);
        let baselines = data.baselines(&args.data, &args.baseline, policy, &table)?;
        let decisions = inputs::decisions(&args.decisions, policy, &data.options)?;
        let evaluator = Evaluator::new(policy, EvidenceMode::Excerpts)
            .with_decisions(decisions.as_ref())
            .with_known(baselines.known_findings(policy));
        let queue = Review::new(&review.settings.review, decisions.as_ref());
        let folder = tempfile::tempdir().map_err(unwritable)?;
        let outlines = folder.path().join(OUTLINE);
        let mut sink = Outlines(BufWriter::new(File::create(&outlines).map_err(unwritable)?));
        sink.0.write_all(&Head::of(policy, &table).to_line()?).map_err(unwritable)?;
        let settings = Settings { review: Some(&queue), ..data.settings(&args.data) };
        let evaluation = evaluate(&evaluator, data.chunks(), &data.files, &settings, &mut sink)?;
        sink.0.flush().map_err(unwritable)?;
        if evaluation.tally.cases() + evaluation.tally.missing_answers() == 0 {
            return Err(check::nothing_read(&data, evaluation.skipped));
        }
        let counts = data.datasets.iter().enumerate().map(|(index, dataset)| {
            (dataset.name.clone(), evaluation.datasets.get(index).map_or(0, |counts| counts.cases))
        });
        let stated = Stated {
            outlines,
            name: data.names().join(", "),
            datasets: counts.collect(),
            skipped_lines: evaluation.tally.skipped_lines(),
            missing_answers: evaluation.tally.missing_answers(),
            open: evaluation.tally.review().open,
        };
        let contents = evaluation.datasets.into_iter().map(|counts| counts.fingerprint.finish().content.to_string());
        Ok(Self { stated, contents: contents.collect(), skipped: evaluation.skipped, _folder: folder })
    }
}

/// Keeps the outlines of an evaluation, and nothing else.
struct Outlines(BufWriter<File>);

impl Sink for Outlines {
    fn take(&mut self, lines: &Lines<'_>) -> Result<(), Problem> {
        self.0.write_all(lines.outlines).map_err(|error| {
            Problem::new(code::OUTPUT, format!("a temporary file cannot be written: {error}")).help("see TMPDIR")
        })
    }

    fn progress(&mut self, _: u64) {}
}
