//! `citeward bless`: makes a run the baseline that later runs are held against.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::args::Bless;
use super::{Exit, Io, Stop, inputs, unwritable};
use crate::diagnostic::{Problem, Problems, code, counted, harmless, quoted};
use crate::run::baseline::{self, Baseline};
use crate::run::bless::{self, Candidate};
use crate::run::folder::RunFolder;
use crate::run::manifest::RunJson;
use crate::text::redact::{Pattern, Redactor, Shipped};

/// Most sentences on what became worse that are printed for one dataset.
const SHOWN: usize = 12;

/// Runs the command.
pub(super) fn run(args: &Bless, io: &mut Io<'_>) -> Result<Exit, Stop> {
    if let Some(name) = args.name.as_deref().filter(|name| baseline::file_name(name) != *name) {
        let problem = Problem::new(code::BAD_ID, format!("{} cannot be the name of a baseline", quoted(name)));
        return Err(problem.help("give one of those under `baseline: against`, such as `--as release`").into());
    }
    super::report::is_a_run(&args.run)?;
    crate::run::verify(&args.run)?;
    let folder = RunFolder::open(&args.run)?;
    let reason = args.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
    if args.reason.is_some() && reason.is_none() {
        return Err(Problem::new(code::EMPTY, "--reason is empty").help("say why, in a sentence").into());
    }
    let reason = reason.map(|reason| kept(reason, args, &folder.manifest)).transpose()?;
    let mut candidates = bless::candidates(&folder)?;
    let mut files: Vec<(PathBuf, bool)> = Vec::new();
    let mut problems = Problems::new();
    for candidate in &mut candidates {
        let path = baseline::path_of(&args.baselines, args.name.as_deref(), &candidate.identity.dataset);
        let shown = path.display().to_string();
        if files.iter().any(|(other, _)| *other == path) {
            let message = format!("two datasets of the run would be the baseline {}", quoted(&shown));
            return Err(Problem::new(code::CONTRADICTION, message).help("give one of them another name").into());
        }
        let before = before(&path)?;
        let lower = before.as_ref().map(|before| candidate.lower_than(before)).unwrap_or_default();
        match (lower.is_empty(), &reason) {
            (false, None) => problems.push(worse(&shown, &lower)),
            _ => candidate.bless(before.as_ref(), lower, reason.clone()),
        }
        files.push((path, before.is_some()));
    }
    if !problems.is_empty() {
        io.err.write_all(problems.render().as_bytes())?;
        return Ok(Exit::Failed);
    }
    for (candidate, (path, replaced)) in candidates.iter().zip(&files) {
        write(path, candidate)?;
        let verb = if *replaced { "replaced" } else { "written" };
        let cases = counted(candidate.cases.len() as u64, "case");
        writeln!(io.out, "{}: {verb}, {cases}", harmless(&path.display().to_string()))?;
    }
    if folder.manifest.verdict == crate::run::manifest::RunVerdict::Fail {
        writeln!(io.err, "note: the run failed its gates; what it holds now is the least that later runs must keep.")?;
    }
    Ok(Exit::Done)
}

/// A reason as it may be kept: without what the policy takes out, and what the run says was taken out of it.
fn kept(reason: &str, args: &Bless, run: &RunJson) -> Result<String, Stop> {
    let policy = inputs::policy(&args.rules)?;
    let redact = &policy.settings.redact;
    let has = |name: &&String| !redact.patterns.iter().any(|(own, _)| own == *name);
    let others = run.redaction.iter().flat_map(|stamp| &stamp.patterns).filter(has);
    let pattern = |name: &String| match Shipped::named(name) {
        Some(shipped) => Ok((name.clone(), Pattern::Shipped(shipped))),
        None => {
            let message = format!("the run took out {}, and the policy here has no such pattern", quoted(name));
            Err(Problem::new(code::CONTRADICTION, message)
                .help("give the policy of the run, by --rules: the reason is kept without it"))
        }
    };
    let others = Redactor::new(others.map(pattern).collect::<Result<_, _>>()?, []);
    Ok(others.text(&redact.redactor.text(reason)).into_owned())
}

/// The baseline that stands at `path` now.
fn before(path: &Path) -> Result<Option<Baseline>, Problem> {
    if baseline::is_there(path) { Baseline::open(path).map(Some) } else { Ok(None) }
}

fn worse(shown: &str, lower: &[String]) -> Problem {
    let mut list: Vec<&str> = lower.iter().take(SHOWN).map(String::as_str).collect();
    let more = format!("and {} more", lower.len().saturating_sub(SHOWN));
    if lower.len() > SHOWN {
        list.push(&more);
    }
    Problem::new(code::REASON_NEEDED, format!("the run is worse than the baseline: {}", list.join("; ")))
        .in_file(shown)
        .help("say why it is blessed all the same: --reason \"…\" (kept in the baseline)")
}

/// Writes the file beside its place and moves it there.
fn write(path: &Path, candidate: &Candidate) -> Result<(), Problem> {
    let shown = path.display().to_string();
    let failed = |error: std::io::Error| Problem::new(code::OUTPUT, unwritable(&error)).in_file(shown.clone());
    let bytes = baseline::to_bytes(&candidate.identity, &candidate.head, &candidate.tally, &candidate.cases)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut file = tempfile::Builder::new().prefix(".citeward-tmp-").tempfile_in(folder).map_err(failed)?;
    file.write_all(&bytes).map_err(failed)?;
    ordinary(file.as_file()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Gives a temporary file the permissions of an ordinary one.
#[cfg(unix)]
fn ordinary(file: &fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "the same signature on every system")]
fn ordinary(_: &fs::File) -> std::io::Result<()> {
    Ok(())
}
