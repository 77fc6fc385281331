//! `citeward diff`: what changed between two runs, each a run folder or a baseline file.

use super::args::{Diff, DiffFormat};
use super::{Exit, Io, Stop, json};
use crate::diagnostic::{Problem, code};
use crate::report::diff::{render_md, render_text};
use crate::run::difference::{Side, compare};

/// Runs the command: differences are what it is there to find.
pub(super) fn run(args: &Diff, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let (before, after) = (Side::open(&args.before)?, Side::open(&args.after)?);
    let mut difference = compare(before, after, None)?;
    let exit = if difference.is_empty() { Exit::Done } else { Exit::Failed };
    match args.format {
        DiffFormat::Text => io.out.write_all(render_text(&difference, args.all, io.colour).as_bytes())?,
        DiffFormat::Markdown => io.out.write_all(render_md(&difference).as_bytes())?,
        DiffFormat::Json => {
            if !args.all {
                difference.keep_what_moved();
            }
            let bytes = serde_json::to_vec_pretty(&difference).map_err(|error| {
                Problem::new(code::NOT_FINITE, format!("the comparison cannot be written: {error}"))
            })?;
            writeln!(io.out, "{}", json::harmless(&bytes))?;
        }
    }
    Ok(exit)
}
