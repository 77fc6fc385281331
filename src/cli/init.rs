//! `citeward init`: a starting policy and a small dataset, as files to edit.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use super::args::Init;
use super::{Exit, Io, Stop, unwritable};
use crate::diagnostic::{Problem, Problems, code, harmless};
use crate::rules;

/// The dataset that a new project starts with.
const FIRST_DATASET: &[(&str, &str)] =
    &[("datasets/atlas/1.0.0/cases.jsonl", include_str!("../../datasets/atlas/1.0.0/cases.jsonl"))];

/// Runs the command: writes every file, or none where one of them exists already.
pub(super) fn run(args: &Init, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let policy = rules::BUILT_IN.iter().map(|(name, text)| (format!("rules/{name}"), *text));
    let dataset = FIRST_DATASET.iter().map(|(name, text)| ((*name).to_owned(), *text));
    let schema = rules::schema();
    // The first line of each rule file leads an editor there.
    let schema = std::iter::once(("rules/policy.schema.json".to_owned(), schema.as_str()));
    let files: Vec<(String, &str)> = policy.chain(dataset).chain(schema).collect();
    let mut problems = Problems::new();
    for (name, _) in &files {
        let path = args.folder.join(name);
        if path.exists() {
            problems.push(
                Problem::new(code::OUTPUT, "the file exists already and is left as it is")
                    .in_file(path.display().to_string())
                    .help("nothing was written; move it away, or choose another folder"),
            );
        }
    }
    if !problems.is_empty() {
        return Err(problems.into());
    }
    for (name, text) in &files {
        write_new(&args.folder.join(name), text)?;
    }
    let shown = harmless(&args.folder.display().to_string());
    writeln!(
        io.err,
        "wrote {} files below {shown}: a policy in rules/, a first dataset in datasets/atlas/, the schema of rule files for editors",
        files.len()
    )?;
    writeln!(
        io.err,
        "next, from that folder: citeward check   (it fails: two of the three claims are wrong on purpose); then edit \
         rules/ and put your own cases into datasets/"
    )?;
    Ok(Exit::Done)
}

fn write_new(path: &Path, text: &str) -> Result<(), Stop> {
    let write = || -> std::io::Result<()> {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        file.write_all(text.as_bytes())
    };
    write().map_err(|error| {
        let hint = match error.kind() {
            ErrorKind::PermissionDenied => "check the permissions of the folder",
            _ => "check that the folder can be written",
        };
        Problem::new(code::OUTPUT, unwritable(&error)).in_file(path.display().to_string()).help(hint).into()
    })
}
