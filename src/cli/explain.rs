//! `citeward explain`: everything a run states about one case or one claim; without either, what failed and where.

mod failures;
mod layout;
mod next;
mod text;

use serde::Serialize;

use super::args::{Explain, ExplainFormat};
use super::{Exit, Io, Stop, json};
use crate::check::Stage;
use crate::diagnostic::{Problem, code, did_you_mean, quoted};
use crate::record::{CaseRecord, ClaimRecord};
use crate::run::RunFolder;

/// Schema of the line that states a claim's stage at fault in JSON.
const FAULT_SCHEMA: &str = "citeward/fault/1";

/// The stage at fault of a claim, its owner, and what to do, beside the records in JSON.
#[derive(Serialize)]
struct Fault<'r> {
    schema: &'static str,
    case_id: &'r str,
    claim_id: &'r str,
    rule: &'r str,
    code: &'r str,
    fingerprint: &'r str,
    stage: Option<Stage>,
    owner: Option<&'r str>,
    because: &'r str,
    next: String,
}

/// Runs the command.
pub(super) fn run(args: &Explain, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let folder = RunFolder::open(&args.run)?;
    let Some(subject) = &args.subject else { return list(args, &folder, io) };
    let (case_id, claim_id) = split_subject(&folder, subject)?;
    let Some(lines) = folder.case_lines(&case_id)? else {
        let ids = folder.case_ids()?;
        let problem = Problem::new(code::UNKNOWN_NAME, format!("there is no case {} in this run", quoted(&case_id)))
            .in_file(args.run.display().to_string())
            .help_if(did_you_mean(&case_id, ids.iter().map(String::as_str)));
        return Err(problem.into());
    };
    let case: CaseRecord<'_> = folder.parse("cases.jsonl", &lines.case)?;
    let mut claims: Vec<ClaimRecord<'_>> = Vec::with_capacity(lines.records.len());
    for line in &lines.records {
        claims.push(folder.parse("records.jsonl", line)?);
    }
    if let Some(wanted) = &claim_id
        && claims.iter().all(|claim| claim.claim_id != wanted.as_str())
    {
        let ids: Vec<String> = claims.iter().map(|claim| claim.claim_id.to_string()).collect();
        let problem =
            Problem::new(code::UNKNOWN_NAME, format!("case {} has no claim {}", quoted(&case_id), quoted(wanted)))
                .in_file(args.run.display().to_string())
                .help(format!("its claims are {}", ids.join(", ")));
        return Err(problem.into());
    }
    match args.format {
        ExplainFormat::Json => {
            claims.retain(|claim| claim_id.as_deref().is_none_or(|wanted| claim.claim_id == wanted));
            let mut lines = Vec::new();
            put(&mut lines, &case)?;
            for claim in &claims {
                put(&mut lines, claim)?;
            }
            for fault in claims.iter().filter_map(|claim| fault(&folder, claim)) {
                put(&mut lines, &fault)?;
            }
            io.out.write_all(json::harmless(&lines).as_bytes())?;
        }
        ExplainFormat::Text => {
            let text = text::explained(&folder.manifest, &case, &claims, claim_id.as_deref());
            io.out.write_all(text.as_bytes())?;
        }
    }
    Ok(Exit::Done)
}

/// One line of JSON.
fn put(lines: &mut Vec<u8>, value: &impl Serialize) -> Result<(), Stop> {
    serde_json::to_writer(&mut *lines, value).map_err(std::io::Error::from)?;
    lines.push(b'\n');
    Ok(())
}

fn fault<'r>(folder: &'r RunFolder, claim: &'r ClaimRecord<'_>) -> Option<Fault<'r>> {
    let finding = claim.fault()?;
    Some(Fault {
        schema: FAULT_SCHEMA,
        case_id: &claim.case_id,
        claim_id: &claim.claim_id,
        rule: &finding.rule,
        code: &finding.code,
        fingerprint: &finding.fingerprint,
        stage: finding.stage,
        owner: finding.stage.and_then(|stage| folder.manifest.owners.get(&stage)).map(String::as_str),
        because: &finding.stage_reason,
        next: next::step(finding, &claim.findings),
    })
}

/// Lists what failed, where no case is named.
fn list(args: &Explain, folder: &RunFolder, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let failures = failures::of(folder, args.format == ExplainFormat::Json)?;
    match args.format {
        ExplainFormat::Json => {
            let mut lines = Vec::new();
            for cluster in &failures {
                put(&mut lines, cluster)?;
            }
            io.out.write_all(json::harmless(&lines).as_bytes())?;
        }
        ExplainFormat::Text => {
            let names: Vec<&str> = folder.manifest.datasets.iter().map(|dataset| dataset.name.as_str()).collect();
            io.out.write_all(failures::text(&folder.manifest, &failures, &names.join(", ")).as_bytes())?;
        }
    }
    Ok(Exit::Done)
}

/// `CASE` or `CASE#CLAIM`; a case id may itself hold a `#`, so the whole text is tried first.
fn split_subject(folder: &RunFolder, subject: &str) -> Result<(String, Option<String>), Stop> {
    match subject.rsplit_once('#') {
        Some((case, claim)) if folder.case_lines(subject)?.is_none() => Ok((case.to_owned(), Some(claim.to_owned()))),
        _ => Ok((subject.to_owned(), None)),
    }
}
