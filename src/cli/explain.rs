//! `citeward explain`: everything a run states about one case or one claim.

use std::fmt::Write as _;

use super::args::{Explain, ExplainFormat};
use super::{Exit, Io, Stop, json};
use crate::check::{Certainty, Outcome, Severity};
use crate::dataset::Label;
use crate::diagnostic::{Problem, code, did_you_mean, harmless, quoted};
use crate::record::{CaseRecord, CitationRecord, ClaimRecord, FindingRecord, OutcomeRecord};
use crate::run::folder::RunFolder;

/// Runs the command.
pub(super) fn run(args: &Explain, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let folder = RunFolder::open(&args.run)?;
    let (case_id, claim_id) = split_subject(&folder, &args.subject)?;
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
    if let Some(wanted) = &claim_id {
        let ids: Vec<String> = claims.iter().map(|claim| claim.claim_id.to_string()).collect();
        claims.retain(|claim| claim.claim_id == wanted.as_str());
        if claims.is_empty() {
            let problem =
                Problem::new(code::UNKNOWN_NAME, format!("case {} has no claim {}", quoted(&case_id), quoted(wanted)))
                    .in_file(args.run.display().to_string())
                    .help(format!("its claims are {}", ids.join(", ")));
            return Err(problem.into());
        }
    }
    match args.format {
        ExplainFormat::Json => {
            let mut lines = serde_json::to_vec(&case).map_err(std::io::Error::from)?;
            lines.push(b'\n');
            for claim in &claims {
                serde_json::to_writer(&mut lines, claim).map_err(std::io::Error::from)?;
                lines.push(b'\n');
            }
            io.out.write_all(json::harmless(&lines).as_bytes())?;
        }
        ExplainFormat::Text => io.out.write_all(explained(&case, &claims).as_bytes())?,
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

fn explained(case: &CaseRecord<'_>, claims: &[ClaimRecord<'_>]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "case {}  ({}:{})", harmless(&case.case_id), harmless(&case.file), case.line);
    line(&mut out, "question", case.query.as_deref().unwrap_or("(none)"));
    line(&mut out, "answer", case.answer.as_deref().unwrap_or("(none)"));
    if case.refused {
        line(&mut out, "refusal", "the answer says that it cannot answer");
    }
    for unit in &case.packet {
        let version = unit.source_version.as_deref().map(|version| format!(" @ {version}")).unwrap_or_default();
        let scope = unit.scope_id.as_deref().map(|scope| format!("  scope {scope}")).unwrap_or_default();
        let source = unit.source_id.as_deref().unwrap_or_default();
        let digest = unit.raw.as_deref().unwrap_or("no content");
        line(&mut out, "packet", &format!("{}  {source}{version}{scope}  {digest}", unit.id));
    }
    slices(&mut out, &case.slices);
    findings(&mut out, "  ", &case.findings);
    outcomes(&mut out, &case.outcomes);
    for citation in &case.citations {
        let _ = writeln!(out, "\n  citation of no claim");
        cited(&mut out, citation, None);
    }
    for claim in claims {
        explain_claim(&mut out, claim);
    }
    out
}

fn explain_claim(out: &mut String, claim: &ClaimRecord<'_>) {
    let label = claim.label.map_or("no label", |label| label.as_str());
    let by = match claim.decided_by.as_deref() {
        Some(by) => format!(", decided by {}", by.replacen("rule:", "rule ", 1)),
        None if claim.label == Some(Label::Undecided) => {
            ": no rule settles whether the evidence supports it".to_owned()
        }
        None if claim.citations.is_empty() => ": it cites nothing".to_owned(),
        None => String::new(),
    };
    let suspected = claim.suspected.map(|label| format!(", {label} suspected")).unwrap_or_default();
    let expected = claim.expected.map(|label| format!(", people say {label}")).unwrap_or_default();
    let _ = writeln!(out, "\nclaim {}  {label}{}{suspected}{expected}", harmless(&claim.claim_id), harmless(&by));
    line(out, "text", &claim.claim);
    findings(out, "  ", &claim.findings);
    line(out, "class", &claim.class);
    let coverage = match (claim.coverage_required, claim.covered) {
        (true, true) => "needs a citation and has one",
        (true, false) => "needs a citation and has none",
        (false, true) => "needs no citation and has one",
        (false, false) => "needs no citation",
    };
    line(out, "coverage", coverage);
    line(out, "integrity", if claim.integrity_pass { "no integrity rule failed" } else { "an integrity rule failed" });
    for citation in &claim.citations {
        cited(out, citation, Some(&claim.claim));
    }
    outcomes(out, &claim.outcomes);
}

/// The words of a span in quotation marks and where they stand; nothing where the text is withheld.
fn spelt(text: Option<&str>, (start, end): (usize, usize)) -> String {
    text.and_then(|text| text.get(start..end)).map(|words| format!("“{words}” at ")).unwrap_or_default()
}

/// `claim` is the text of the claim that cites, where one does.
fn cited(out: &mut String, citation: &CitationRecord<'_>, claim: Option<&str>) {
    let raw = citation.raw.as_deref().map(|raw| format!("  marker {raw}")).unwrap_or_default();
    let state = if citation.resolved { "" } else { "  resolves to nothing" };
    let version = citation.source_version.as_deref().map(|version| format!("  version {version}")).unwrap_or_default();
    line(out, "cites", &format!("{}{raw}{state}{version}", citation.id));
    let Some(excerpt) = &citation.excerpt else { return };
    let hash = citation.excerpt_sha256.as_deref().unwrap_or_default();
    line(out, "excerpt", &format!("bytes {}..{}  {hash}", excerpt.start, excerpt.end));
    match &excerpt.text {
        Some(text) => line(out, "", &format!("“{text}”")),
        None => line(out, "", "(withheld)"),
    }
    for found in &citation.matches {
        let word = if found.conflicting { "conflicts" } else { "matches" };
        let passage = excerpt.text.as_deref();
        let inside = |at: usize| at.checked_sub(excerpt.start).unwrap_or(usize::MAX);
        let (start, end) = found.content;
        let mut text = spelt(passage, (inside(start), inside(end))) + &format!("bytes {start}..{end} of the passage");
        if let Some((start, end)) = found.claim {
            text += &format!(", {}bytes {start}..{end} of the claim", spelt(claim, (start, end)));
        }
        line(out, word, &text);
    }
}

fn slices(out: &mut String, slices: &crate::record::SliceValues<'_>) {
    let text: Vec<String> = slices.iter().map(|(dimension, value)| format!("{dimension}={value}")).collect();
    if !text.is_empty() {
        line(out, "slices", &text.join("  "));
    }
}

/// The rules by how they came out, a line for each outcome; those that failed first.
fn outcomes(out: &mut String, outcomes: &[OutcomeRecord<'_>]) {
    let lines = [
        (Outcome::Fail, "failed"),
        (Outcome::Broken, "broken"),
        (Outcome::Pass, "passed"),
        (Outcome::NotApplicable, "no say"),
    ];
    for (wanted, word) in lines {
        let rules: Vec<String> = outcomes
            .iter()
            .filter(|outcome| outcome.outcome == wanted)
            .map(|outcome| match outcome.score {
                Some(score) => format!("{} ({score:.2})", outcome.rule),
                None => outcome.rule.to_string(),
            })
            .collect();
        if !rules.is_empty() {
            line(out, word, &rules.join(", "));
        }
    }
}

fn findings(out: &mut String, indent: &str, findings: &[FindingRecord<'_>]) {
    for finding in with_notes(findings) {
        let severity = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let certainty = if finding.certainty == Certainty::Triage { " (to be reviewed)" } else { "" };
        let observed = if finding.observed { " (observed only)" } else { "" };
        let _ = writeln!(
            out,
            "{indent}{severity}[{}] {}{certainty}{observed}: {} (fingerprint {})",
            harmless(&finding.code),
            harmless(&finding.rule),
            harmless(&finding.message),
            harmless(&finding.fingerprint)
        );
        let Some(elsewhere) = &finding.elsewhere else { continue };
        let Some(excerpt) = &elsewhere.excerpt else { continue };
        let hash = elsewhere.excerpt_sha256.as_deref().unwrap_or_default();
        let text = excerpt.text.as_deref().map_or_else(|| "(withheld)".to_owned(), |text| format!("“{text}”"));
        let place = format!("{}  bytes {}..{}  {hash}", elsewhere.id, excerpt.start, excerpt.end);
        line(out, "elsewhere", &place);
        line(out, "", &text);
    }
}

/// The findings, a note on another one behind that one.
fn with_notes<'f, 'r>(findings: &'f [FindingRecord<'r>]) -> Vec<&'f FindingRecord<'r>> {
    let place = |finding: &FindingRecord<'_>| {
        let of = finding.annotates.as_deref();
        of.and_then(|of| findings.iter().position(|other| other.fingerprint == of))
    };
    let mut placed: Vec<(usize, bool, &FindingRecord<'_>)> = findings
        .iter()
        .enumerate()
        .map(|(at, finding)| place(finding).map_or((at, false, finding), |annotated| (annotated, true, finding)))
        .collect();
    placed.sort_by_key(|(at, is_note, _)| (*at, *is_note));
    placed.into_iter().map(|(.., finding)| finding).collect()
}

/// One labelled line; text from data is made harmless, line breaks in it are shown.
fn line(out: &mut String, name: &str, text: &str) {
    let _ = writeln!(out, "  {name:<10}{}", harmless(text));
}
