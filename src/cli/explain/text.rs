//! An explanation for people: what was asked and answered, what was given and cited, what each rule made of it, which stage is at fault.

use std::collections::BTreeMap;

use super::layout::Page;
use super::next;
use crate::check::{Certainty, Outcome, Severity, Stage};
use crate::dataset::Label;
use crate::record::{CaseRecord, CitationRecord, ClaimRecord, FindingRecord, MarkerRecord, OutcomeRecord, SliceValues};
use crate::run::RunJson;

/// Units of a packet, or distinct markers, that are shown; `--format json` has all.
const MOST: usize = 100;

/// Explains a case and those of its claims that are `wanted`.
pub(super) fn explained(
    run: &RunJson,
    case: &CaseRecord<'_>,
    claims: &[ClaimRecord<'_>],
    wanted: Option<&str>,
) -> String {
    let mut page = Page::default();
    page.heading(&format!("case {}  ({}:{})", case.case_id, case.file, case.line));
    page.gap();
    page.prose("question", case.query.as_deref().unwrap_or("(none)"));
    page.prose("answer", case.answer.as_deref().filter(|answer| !answer.is_empty()).unwrap_or("(none)"));
    if case.refused {
        page.line("refusal", "the answer says that it cannot answer");
    }
    markers(&mut page, case);
    packet(&mut page, case, claims);
    slices(&mut page, &case.slices);
    findings(&mut page, run, &case.findings, None);
    outcomes(&mut page, &case.outcomes);
    for citation in &case.citations {
        page.gap();
        page.line("no claim", "a citation that belongs to no claim");
        cited(&mut page, citation, None);
    }
    for claim in claims.iter().filter(|claim| wanted.is_none_or(|wanted| claim.claim_id == wanted)) {
        page.gap();
        explain_claim(&mut page, run, claim);
    }
    page.text
}

/// What each marker of the answer resolves to, each way of writing it once.
fn markers(page: &mut Page, case: &CaseRecord<'_>) {
    let is_unit = |id: &str| case.packet.iter().any(|unit| unit.id == id);
    let mut told: Vec<(&MarkerRecord<'_>, usize)> = Vec::new();
    let mut places: BTreeMap<(&str, &[crate::record::Text<'_>]), usize> = BTreeMap::new();
    for marker in &case.markers {
        let at = *places.entry((marker.raw.as_ref(), &marker.references)).or_insert_with(|| {
            told.push((marker, 0));
            told.len() - 1
        });
        if let Some((_, times)) = told.get_mut(at) {
            *times += 1;
        }
    }
    for (at, (marker, times)) in told.iter().take(MOST).enumerate() {
        let units: Vec<String> = marker
            .references
            .iter()
            .map(|id| if is_unit(id) { id.to_string() } else { format!("{id} (not in the packet)") })
            .collect();
        let to = if units.is_empty() { "nothing".to_owned() } else { units.join(", ") };
        let times = if *times > 1 { format!("  ({times} times)") } else { String::new() };
        page.line(if at == 0 { "markers" } else { "" }, &format!("{} → {to}{times}", marker.raw));
    }
    left_out(page, told.len(), "markers");
}

/// The units with version, scope and digest, and the claims that cite them.
fn packet(page: &mut Page, case: &CaseRecord<'_>, claims: &[ClaimRecord<'_>]) {
    for (at, unit) in case.packet.iter().take(MOST).enumerate() {
        let cites = |claim: &&ClaimRecord<'_>| claim.citations.iter().any(|own| own.resolved && own.id == unit.id);
        let by: Vec<&str> = claims.iter().filter(cites).map(|claim| claim.claim_id.as_ref()).collect();
        let mut parts = vec![unit.id.to_string()];
        parts.extend(unit.source_id.as_deref().filter(|source| *source != unit.id).map(str::to_owned));
        parts.extend(unit.source_version.as_deref().map(|version| format!("version {version}")));
        parts.extend(unit.title.as_deref().map(|title| format!("“{title}”")));
        parts.extend(unit.scope_id.as_deref().map(|scope| format!("scope {scope}")));
        parts.push(if by.is_empty() { "cited by no claim".to_owned() } else { format!("cited by {}", listed(&by)) });
        page.line(if at == 0 { "packet" } else { "" }, &parts.join("  "));
        page.line("", &format!("  {}", unit.raw.as_deref().unwrap_or("no content")));
    }
    left_out(page, case.packet.len(), "units");
}

fn left_out(page: &mut Page, all: usize, what: &str) {
    if all > MOST {
        page.line("", &format!("… and {} more {what} (`--format json` has all)", all - MOST));
    }
}

/// Names, at most ten of them.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 10;
    let rest = names.len().saturating_sub(SHOWN);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ") + &more
}

fn slices(page: &mut Page, slices: &SliceValues<'_>) {
    let text: Vec<String> = slices.iter().map(|(dimension, value)| format!("{dimension}={value}")).collect();
    if !text.is_empty() {
        page.prose("slices", &text.join("  "));
    }
}

fn explain_claim(page: &mut Page, run: &RunJson, claim: &ClaimRecord<'_>) {
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
    page.heading(&format!("claim {}  {label}{by}{suspected}{expected}", claim.claim_id));
    page.gap();
    page.prose("claim", &claim.claim);
    let fault = claim.fault();
    if let Some(fault) = fault {
        page.prose("at fault", &at_fault(run, fault));
        page.prose("next", &next::step(fault, &claim.findings));
    }
    if let Some(decision) = next::decision(claim) {
        page.prose(if fault.is_some() { "" } else { "next" }, decision);
    }
    if let Some(review) = &claim.review {
        let reason = claim.reason.as_deref().unwrap_or_default();
        page.prose("review", &format!("{}, {}: {reason}", review.reviewer, review.date));
    }
    findings(page, run, &claim.findings, fault);
    for citation in &claim.citations {
        cited(page, citation, Some(&claim.claim));
    }
    let coverage = match (claim.coverage_required, claim.covered) {
        (true, true) => "needs a citation and has one",
        (true, false) => "needs a citation and has none",
        (false, true) => "needs no citation and has one",
        (false, false) => "needs no citation",
    };
    let integrity = if claim.integrity_pass { "no integrity rule failed" } else { "an integrity rule failed" };
    page.line("state", &format!("{}: {coverage}; {integrity}", claim.class));
    outcomes(page, &claim.outcomes);
}

/// The stage with its owner, and why it is that one or why none can be told.
fn at_fault(run: &RunJson, finding: &FindingRecord<'_>) -> String {
    let surely = if finding.certainty == Certainty::Triage { "suspected: " } else { "" };
    format!("{surely}{}, because {}", owned(run, finding.stage), reason(finding))
}

/// `retrieval (search team)`.
pub(super) fn owned(run: &RunJson, stage: Option<Stage>) -> String {
    match stage.map(|stage| (stage, run.owners.get(&stage))) {
        Some((stage, Some(owner))) => format!("{stage} ({owner})"),
        Some((stage, None)) => stage.to_string(),
        None => "not told".to_owned(),
    }
}

fn reason<'f>(finding: &'f FindingRecord<'_>) -> &'f str {
    if finding.stage_reason.is_empty() { "the run does not say more" } else { &finding.stage_reason }
}

/// What was found, each note behind what it is on. The stage of `told` has been said already.
fn findings(page: &mut Page, run: &RunJson, findings: &[FindingRecord<'_>], told: Option<&FindingRecord<'_>>) {
    for finding in with_notes(findings) {
        let severity = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let flags = [
            (finding.certainty == Certainty::Triage, "to be reviewed"),
            (finding.observed, "observed only"),
            (finding.known, "the baseline has it too"),
            (finding.overturned, "overturned by a reviewer"),
            (finding.confirmed, "confirmed by a reviewer"),
        ];
        let flags: Vec<&str> = flags.into_iter().filter(|(holds, _)| *holds).map(|(_, flag)| flag).collect();
        let flags = if flags.is_empty() { String::new() } else { format!(" ({})", flags.join(", ")) };
        page.prose(severity, &format!("{}{flags}: {}", finding.code, finding.message));
        let place = run.rules.get(finding.rule.as_ref()).map(|rule| format!(" at {}", rule.place)).unwrap_or_default();
        let ledger = ledger(run, &finding.rule);
        page.line("", &format!("rule {}{place}, fingerprint {}{ledger}", finding.rule, finding.fingerprint));
        let is_said = told.is_some_and(|told| std::ptr::eq(told, finding)) || finding.annotates.is_some();
        // A note without a stage asks nothing of anybody.
        if !is_said && (finding.stage.is_some() || finding.severity > Severity::Note) {
            page.prose("", &format!("stage at fault: {}, because {}", owned(run, finding.stage), reason(finding)));
        }
        let Some(elsewhere) = &finding.elsewhere else { continue };
        let Some(excerpt) = &elsewhere.excerpt else { continue };
        let hash = elsewhere.excerpt_sha256.as_deref().unwrap_or_default();
        let marker = elsewhere.marker.as_deref().map(|marker| format!("  marker {marker}")).unwrap_or_default();
        page.line("elsewhere", &format!("{}{marker}  bytes {}..{}  {hash}", elsewhere.id, excerpt.start, excerpt.end));
        match excerpt.text.as_deref() {
            Some(text) => page.prose("", &format!("“{text}”")),
            None => page.line("", "(withheld)"),
        }
    }
}

/// What reviewers said of the rule's findings in this run; empty where nobody looked at any.
fn ledger(run: &RunJson, rule: &str) -> String {
    match run.rules.get(rule).map(|rule| (rule.confirmed, rule.overturned)) {
        None | Some((0, 0)) => String::new(),
        Some((confirmed, overturned)) => format!(", by reviewers confirmed {confirmed} and overturned {overturned}"),
    }
}

/// The findings, a note on another one behind that one.
fn with_notes<'f, 'r>(findings: &'f [FindingRecord<'r>]) -> Vec<&'f FindingRecord<'r>> {
    let mut at: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        at.entry(finding.fingerprint.as_ref()).or_insert(index);
    }
    let place = |finding: &FindingRecord<'_>| at.get(finding.annotates.as_deref()?).copied();
    let mut placed: Vec<(usize, bool, &FindingRecord<'_>)> = findings
        .iter()
        .enumerate()
        .map(|(at, finding)| place(finding).map_or((at, false, finding), |annotated| (annotated, true, finding)))
        .collect();
    placed.sort_by_key(|(at, is_note, _)| (*at, *is_note));
    placed.into_iter().map(|(.., finding)| finding).collect()
}

/// The words of a span in quotation marks and where they stand; nothing where the text is withheld.
fn spelt(text: Option<&str>, (start, end): (usize, usize)) -> String {
    text.and_then(|text| text.get(start..end)).map(|words| format!("“{words}” at ")).unwrap_or_default()
}

/// `claim` is the text of the claim that cites, where one does.
fn cited(page: &mut Page, citation: &CitationRecord<'_>, claim: Option<&str>) {
    let raw = citation.raw.as_deref().map(|raw| format!("  marker {raw}")).unwrap_or_default();
    let state = if citation.resolved { "" } else { "  resolves to nothing" };
    let version = citation.source_version.as_deref().map(|version| format!("  version {version}")).unwrap_or_default();
    page.line("cites", &format!("{}{raw}{state}{version}", citation.id));
    let Some(excerpt) = &citation.excerpt else { return };
    let hash = citation.excerpt_sha256.as_deref().unwrap_or_default();
    page.line("excerpt", &format!("bytes {}..{}  {hash}", excerpt.start, excerpt.end));
    match &excerpt.text {
        Some(text) => page.prose("", &format!("“{text}”")),
        None => page.line("", "(withheld)"),
    }
    for found in &citation.matches {
        let word = if found.conflicting { "conflicts" } else { "matches" };
        let passage = excerpt.text.as_deref();
        let (start, end) = found.content;
        let inside = found.in_excerpt(excerpt).unwrap_or((usize::MAX, usize::MAX));
        let mut text = spelt(passage, inside) + &format!("bytes {start}..{end} of the passage");
        if let Some((start, end)) = found.claim {
            text += &format!(", {}bytes {start}..{end} of the claim", spelt(claim, (start, end)));
        }
        page.line(word, &text);
    }
}

/// The rules by how they came out and why, those that failed first.
fn outcomes(page: &mut Page, outcomes: &[OutcomeRecord<'_>]) {
    let lines = [
        (Outcome::Fail, "failed"),
        (Outcome::Broken, "broken"),
        (Outcome::Pass, "passed"),
        (Outcome::NotApplicable, "no say"),
    ];
    for (wanted, word) in lines {
        let mut by_reason: BTreeMap<Option<&str>, Vec<String>> = BTreeMap::new();
        for outcome in outcomes.iter().filter(|outcome| outcome.outcome == wanted) {
            let rule = match outcome.score {
                Some(score) => format!("{} ({score:.2})", outcome.rule),
                None => outcome.rule.to_string(),
            };
            by_reason.entry(outcome.because.as_deref()).or_default().push(rule);
        }
        let mut word = word;
        for (reason, rules) in by_reason {
            let why = match (wanted, reason) {
                (_, Some(reason)) => format!("{reason}: "),
                (Outcome::NotApplicable, None) => "nothing here for: ".to_owned(),
                _ => String::new(),
            };
            page.prose(std::mem::take(&mut word), &format!("{why}{}", rules.join(", ")));
        }
    }
}
