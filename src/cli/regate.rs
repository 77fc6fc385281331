//! `citeward regate`: a run that is there under other gates.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::args::{Format, Regate};
use super::{Exit, Io, Stop, inputs, json};
use crate::diagnostic::{Problem, code, counted};
use crate::gate::{Effect, Verdict};
use crate::report::github;
use crate::report::visible::one_line;
use crate::run::RunFolder;
use crate::run::baseline;
use crate::run::manifest::{GateEntry, RunVerdict};
use crate::run::regate::{self, GateChange, GateState, Regated};

/// Changes and failing gates that are listed, at most.
const LISTED: usize = 40;

/// Runs the command.
pub(super) fn run(args: &Regate, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let policy = inputs::ready_policy(&args.rules)?;
    let folder = RunFolder::open_unchanged(&args.run)?;
    let run = &folder.manifest;
    let had_gone = run.inputs.baselines.iter().any(|of| {
        let name = Some(of.name.as_str()).filter(|name| !name.is_empty());
        let path = baseline::path_of(Path::new(baseline::FOLDER), name, &of.dataset);
        let is_gone = run.datasets.iter().all(|dataset| dataset.name != of.dataset);
        is_gone && of.file.path == path.display().to_string()
    });
    let regated = regate::regate(&folder, &policy, &inputs::baselines(&args.baseline, had_gone))?;
    match args.format {
        Format::Text => io.out.write_all(text(&regated).as_bytes())?,
        Format::Json => {
            let mut bytes = serde_json::to_vec_pretty(&regated)
                .map_err(|error| Problem::new(code::NOT_FINITE, format!("the gates cannot be written: {error}")))?;
            bytes.push(b'\n');
            io.out.write_all(json::harmless(&bytes).as_bytes())?;
        }
        Format::Github => io.out.write_all(annotations(&regated).as_bytes())?,
    }
    Ok(if regated.verdict == RunVerdict::Pass { Exit::Done } else { Exit::Failed })
}

fn text(regated: &Regated) -> String {
    let mut out = String::new();
    let total = regated.gates.len();
    let failing = regated.gates.iter().filter(|gate| gate.effect == Effect::Fail).count();
    let summary = match failing {
        0 => format!("{total} of {total} gates do not fail"),
        failing => format!("{failing} of {total} gates fail"),
    };
    let _ = writeln!(
        out,
        "{}  {}: {summary} (the run itself: {})",
        run_word(regated.verdict),
        one_line(&regated.run),
        run_word(regated.was)
    );
    if !regated.uncounted.is_empty() {
        let _ = writeln!(out, "  ! {}", one_line(&regated.uncounted.in_words(regated.cases)));
    }
    match regated.changes.len() {
        0 => out.push_str("  No gate comes out otherwise than in the run.\n"),
        count => {
            let verb = if count == 1 { "comes" } else { "come" };
            let _ = writeln!(out, "  {} {verb} out otherwise than in the run:", counted(count as u64, "gate"));
            regated.changes.iter().take(LISTED).for_each(|change| put_change(&mut out, change));
            more(&mut out, count);
        }
    }
    let changed: Vec<_> = regated.changes.iter().map(|change| (&change.gate, &change.slice)).collect();
    let still = |gate: &&GateEntry| gate.effect == Effect::Fail && !changed.contains(&(&gate.gate, &gate.slice));
    let still: Vec<&GateEntry> = regated.gates.iter().filter(still).collect();
    if !still.is_empty() {
        let verb = if still.len() == 1 { "fails" } else { "fail" };
        let _ = writeln!(out, "  {} {verb} as in the run:", counted(still.len() as u64, "gate"));
        for gate in still.iter().take(LISTED) {
            let _ = writeln!(out, "    {}: {}", name(&gate.gate, &gate.slice), one_line(&gate.reason));
        }
        more(&mut out, still.len());
    }
    for warning in &regated.warnings {
        let _ = writeln!(out, "  ! {}", one_line(warning));
    }
    out
}

fn more(out: &mut String, count: usize) {
    if count > LISTED {
        let _ = writeln!(out, "    … and {} more (--format json has all)", count - LISTED);
    }
}

/// One gate that comes out otherwise, with what it was and is.
pub(super) fn put_change(out: &mut String, change: &GateChange) {
    let name = name(&change.gate, &change.slice);
    let _ = match (&change.before, &change.after) {
        (Some(before), Some(after)) => writeln!(
            out,
            "    {name}: {} → {}\n      was  {} ({})\n      is   {} ({})",
            state(before),
            state(after),
            one_line(&before.reason),
            one_line(&before.place),
            one_line(&after.reason),
            one_line(&after.place)
        ),
        (None, Some(after)) => {
            writeln!(
                out,
                "    {name}: new, {}\n      is   {} ({})",
                state(after),
                one_line(&after.reason),
                one_line(&after.place)
            )
        }
        (Some(before), None) => {
            writeln!(
                out,
                "    {name}: gone, was {}\n      was  {} ({})",
                state(before),
                one_line(&before.reason),
                one_line(&before.place)
            )
        }
        (None, None) => Ok(()),
    };
}

/// `defects language=de`.
pub(super) fn name(gate: &str, slice: &BTreeMap<String, String>) -> String {
    let slice: String = slice.iter().map(|(dimension, value)| format!(" {dimension}={value}")).collect();
    one_line(&format!("{gate}{slice}"))
}

const fn run_word(verdict: RunVerdict) -> &'static str {
    match verdict {
        RunVerdict::Pass => "pass",
        RunVerdict::Fail => "fail",
    }
}

/// How a gate came out, with what that means where the verdict does not say so.
pub(super) fn state(state: &GateState) -> String {
    let effect = match state.effect {
        Effect::Pass => "passes",
        Effect::Warn => "warns",
        Effect::Fail => "fails",
    };
    match state.verdict {
        Verdict::Pass => "pass".to_owned(),
        Verdict::Warn => "warn".to_owned(),
        Verdict::Fail => "fail".to_owned(),
        Verdict::Inconclusive => format!("inconclusive ({effect})"),
        Verdict::NoData => format!("no data ({effect})"),
    }
}

/// One annotation for each gate that fails or warns, those that come out otherwise first.
fn annotations(regated: &Regated) -> String {
    let mut out = String::new();
    let is_change = |gate: &GateEntry| regated.changes.iter().any(|c| c.gate == gate.gate && c.slice == gate.slice);
    let mut gates: Vec<(bool, &GateEntry)> =
        regated.gates.iter().filter(|gate| gate.effect > Effect::Pass).map(|gate| (!is_change(gate), gate)).collect();
    gates.sort_by_key(|(unchanged, gate)| (std::cmp::Reverse(gate.effect), *unchanged));
    for (unchanged, gate) in &gates {
        let title = format!(
            "gate {}: {}",
            name(&gate.gate, &gate.slice),
            if *unchanged { "as in the run" } else { "otherwise than in the run" }
        );
        out += &github::of_gate(gate.effect == Effect::Fail, &gate.place, &title, &gate.reason);
    }
    out
}
