//! The floor that `benches/speed.py` holds citeward against: what no tool can leave out, and nothing else. Each line is
//! decoded into the few fields that say which passages are cited, and each cited passage is hashed once per citation.
//!
//! `floor FILE [JOBS]`; prints how many cases and passages there were.

use std::borrow::Cow;
use std::process::ExitCode;
use std::thread;

use serde::Deserialize;
use sha2::{Digest, Sha256};

#[derive(Deserialize)]
struct Case<'a> {
    #[serde(borrow)]
    claims: Vec<Claim<'a>>,
    #[serde(borrow)]
    sources: Vec<Unit<'a>>,
}

#[derive(Deserialize)]
struct Claim<'a> {
    #[serde(borrow)]
    citation_ids: Vec<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Unit<'a> {
    #[serde(borrow)]
    evidence_id: Cow<'a, str>,
    #[serde(borrow)]
    content: Cow<'a, str>,
}

/// Cases, passages hashed, and a byte that depends on all of them, so that no work can be left out.
type Counts = (u64, u64, u8);

fn counts(lines: &[&[u8]]) -> Result<Counts, serde_json::Error> {
    let mut counts: Counts = (0, 0, 0);
    for line in lines {
        let case: Case<'_> = serde_json::from_slice(line)?;
        counts.0 += 1;
        for id in case.claims.iter().flat_map(|claim| &claim.citation_ids) {
            if let Some(unit) = case.sources.iter().find(|unit| unit.evidence_id == *id) {
                counts.1 += 1;
                counts.2 ^= Sha256::digest(unit.content.as_bytes())[0];
            }
        }
    }
    Ok(counts)
}

fn run(file: &str, jobs: usize) -> Result<Counts, String> {
    let data = std::fs::read(file).map_err(|error| format!("{file}: {error}"))?;
    let lines: Vec<&[u8]> = data.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    thread::scope(|scope| {
        let parts = lines.chunks(lines.len().div_ceil(jobs).max(1));
        let workers: Vec<_> = parts.map(|part| scope.spawn(move || counts(part))).collect();
        workers.into_iter().try_fold((0, 0, 0), |all: Counts, worker| {
            let part = worker.join().map_err(|_| "a worker panicked".to_owned())?.map_err(|error| error.to_string())?;
            Ok((all.0 + part.0, all.1 + part.1, all.2 ^ part.2))
        })
    })
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (Some(file), jobs) = (args.next(), args.next().and_then(|jobs| jobs.parse().ok()).unwrap_or(1)) else {
        eprintln!("usage: floor FILE [JOBS]");
        return ExitCode::from(2);
    };
    match run(&file, jobs) {
        Ok((cases, passages, mix)) => {
            println!("{cases} cases, {passages} passages, {mix:02x}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
