//! One claim as a report shows it: the answer with its sentence lit, the claim and each cited excerpt side by side.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::anchor::anchor;
use super::cluster::{finding_word, stage_word};
use super::label;
use super::ratio;
use super::segment::{Mark, Segment, segments};
use super::visible::{one_line, short};
use crate::check::{Certainty, Outcome, Stage};
use crate::dataset::Label;
use crate::record::{
    CaseRecord, CitationRecord, ClaimRecord, ElsewhereRecord, ExcerptRecord, FindingRecord, OutcomeRecord, Span,
    UnitRecord,
};

/// Longest answer that is shown whole, in bytes.
const LONGEST_ANSWER: usize = 3_000;
/// Longest claim or excerpt that is shown whole, in bytes.
const LONGEST_TEXT: usize = 2_000;
/// Most findings or citations of one claim that are shown.
const MOST: usize = 20;

/// A claim, or a case with findings of its own.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Item {
    /// Anchor in the page; the same in every report of the same data.
    pub anchor: String,
    /// Id of the case.
    pub case_id: String,
    /// Id of the claim; empty for a case.
    pub claim_id: String,
    /// `file:line` of the case.
    pub place: String,
    /// One line that names it: the claim, or the question of the case.
    pub title: String,
    /// The label; `uncited` for a verifiable claim without one, `case` for a case, else the claim's class.
    #[schemars(schema_with = "super::schema::item_label")]
    pub label: &'static str,
    /// The label in one sentence, with who decided.
    pub sentence: String,
    /// What a triage finding suspects; empty where nothing is.
    #[schemars(schema_with = "super::schema::label_or_none")]
    pub suspected: &'static str,
    /// The label that people gave, where it is another one; else empty.
    #[schemars(schema_with = "super::schema::label_or_none")]
    pub expected: &'static str,
    /// The judge's confidence and reason; empty where there was none.
    pub judge: String,
    /// The question; empty where there is none.
    pub query: String,
    /// The answer; empty where there is none.
    pub answer: Vec<Segment>,
    /// The claim's text; empty for a case.
    pub claim: Vec<Segment>,
    /// What was found wrong, worst first.
    pub findings: Vec<FindingLine>,
    /// Number of findings that are not shown.
    pub findings_left_out: usize,
    /// What is cited.
    pub citations: Vec<CitationView>,
    /// Number of citations that are not shown.
    pub citations_left_out: usize,
    /// How the rules came out, those that have something to say.
    pub outcomes: Vec<OutcomeLine>,
    /// Rules that had nothing to say.
    pub not_applicable: Vec<String>,
    /// `language = de`, sorted by dimension.
    pub slices: Vec<String>,
    /// The stages at fault of its findings, each once, in their order.
    #[schemars(schema_with = "super::schema::stages")]
    pub stages: Vec<&'static str>,
    /// Whether it has findings and came out worse than in the baseline, or was not there; never without a baseline.
    pub is_new: bool,
    /// The worst severity among its findings; empty without one.
    #[schemars(schema_with = "super::schema::finding_severity_or_none")]
    pub severity: &'static str,
}

/// Something found wrong.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FindingLine {
    /// The rule.
    pub rule: String,
    /// The code.
    pub code: String,
    /// `error`, `warning`, `note`, `observed`, `overturned` or `known`.
    #[schemars(schema_with = "super::schema::finding_severity")]
    pub severity: &'static str,
    /// Whether it is only a suspicion.
    pub is_triage: bool,
    /// One sentence.
    pub message: String,
    /// The cited id it is about; empty where it is about the claim.
    pub citation: String,
    /// First characters of its fingerprint.
    pub fingerprint: String,
    /// The stage at fault; empty where it cannot be told.
    #[schemars(schema_with = "super::schema::stage_or_none")]
    pub stage: &'static str,
    /// The team that owns the stage; empty where the policy names none.
    pub owner: String,
    /// Why it is that stage, or why none can be told.
    pub stage_reason: String,
    /// Whether it is a note on the finding before it.
    pub is_annotation: bool,
    /// Whether it is a suspicion that is only noted, of a claim about which a rule is certain: nobody needs it to decide.
    pub is_quiet: bool,
    /// What it points at in a unit that the claim does not cite; none of most findings.
    pub elsewhere: Option<Elsewhere>,
}

/// A passage that the claim does not cite.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Elsewhere {
    /// Id of the unit.
    pub id: String,
    /// The marker that would cite it; empty where the answer shows none.
    pub marker: String,
    /// The passage; empty where there is none or it is withheld.
    pub excerpt: String,
    /// `bytes 0–61`; empty without an excerpt.
    pub span: String,
    /// SHA-256 of the excerpt, shortened; empty without an excerpt.
    pub hash_short: String,
    /// SHA-256 of the excerpt, `sha256:…`.
    pub hash: String,
}

/// A cited unit with its excerpt.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CitationView {
    /// The id.
    pub id: String,
    /// The marker in the answer; empty where only the data cites.
    pub marker: String,
    /// `resolved`, `unresolved` or `withheld`.
    #[schemars(schema_with = "super::schema::citation_state")]
    pub state: &'static str,
    /// Title of the document; empty where there is none.
    pub title: String,
    /// Address that may be a link: `http` or `https` only; else empty.
    pub href: String,
    /// Address as written; empty where there is none.
    pub uri: String,
    /// The document's id; empty where there is none.
    pub source_id: String,
    /// The version; empty where there is none.
    pub version: String,
    /// Where in the document, in words; empty where the data does not say.
    pub locator: String,
    /// The scope; empty where there is none.
    pub scope: String,
    /// The excerpt; empty where there is none or it is withheld.
    pub excerpt: Vec<Segment>,
    /// Why there is no excerpt; empty where there is one.
    pub no_excerpt: &'static str,
    /// `bytes 0–61`; empty without an excerpt.
    pub span: String,
    /// SHA-256 of the excerpt, shortened; empty without an excerpt.
    pub hash_short: String,
    /// SHA-256 of the excerpt, `sha256:…`.
    pub hash: String,
    /// SHA-256 of the unit's whole content.
    pub content_hash: String,
}

/// How a rule came out.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct OutcomeLine {
    /// The rule.
    pub rule: String,
    /// `pass`, `fail` or `broken`.
    #[schemars(schema_with = "super::schema::outcome")]
    pub outcome: &'static str,
    /// The measured score, `83.3 %`; empty where there is none.
    pub score: String,
}

/// Numbers that join what stands in the claim with what stands in the evidence.
struct Pairs(Vec<Option<Span>>);

impl Pairs {
    fn of(claim: &ClaimRecord<'_>) -> Pairs {
        let mut spans: Vec<Span> =
            claim.citations.iter().flat_map(|citation| &citation.matches).filter_map(|found| found.claim).collect();
        spans.sort_unstable();
        spans.dedup();
        Pairs(spans.into_iter().map(Some).collect())
    }

    fn number(&self, span: Option<Span>) -> Option<usize> {
        span.and_then(|_| self.0.iter().position(|own| *own == span)).map(|index| index + 1)
    }
}

/// A claim of a case.
pub(super) fn of_claim(case: &CaseRecord<'_>, claim: &ClaimRecord<'_>) -> Item {
    let (label, sentence) = label_sentence(claim);
    let pairs = Pairs::of(claim);
    let mut item = of_parts(case, &claim.findings, &claim.outcomes);
    item.anchor = anchor(&case.case_id, &claim.claim_id);
    item.claim_id = one_line(&claim.claim_id);
    item.title = short(&claim.claim, 160);
    item.label = label;
    item.sentence = sentence;
    item.suspected = claim.suspected.map_or("", Label::as_str);
    item.expected = claim.expected.filter(|expected| Some(*expected) != claim.label).map_or("", Label::as_str);
    item.judge = judge(claim);
    item.answer = answer(case, claim.span, &claim.citations, &claim.findings);
    item.claim = segments(&claim.claim, &claim_marks(claim, &pairs), LONGEST_TEXT);
    item.citations = claim.citations.iter().take(MOST).map(|citation| cited(case, citation, &pairs)).collect();
    item.citations_left_out = claim.citations.len().saturating_sub(MOST);
    item.slices = slices(&claim.slices);
    if claim.label.is_some_and(|label| !matches!(label, Label::Supported | Label::Undecided)) {
        for finding in &mut item.findings {
            finding.is_quiet = finding.severity == "note" && finding.is_triage && !finding.is_annotation;
        }
    }
    item
}

/// A case with findings of its own.
pub(super) fn of_case(case: &CaseRecord<'_>) -> Item {
    let mut item = of_parts(case, &case.findings, &case.outcomes);
    item.title = short(case.query.as_deref().or(case.answer.as_deref()).unwrap_or("(no question)"), 160);
    item.label = "case";
    item.sentence = "These findings are about the answer as a whole.".to_owned();
    item.answer = answer(case, None, &case.citations, &case.findings);
    let none = Pairs(Vec::new());
    item.citations = case.citations.iter().take(MOST).map(|citation| cited(case, citation, &none)).collect();
    item.citations_left_out = case.citations.len().saturating_sub(MOST);
    item.slices = slices(&case.slices);
    item
}

fn of_parts(case: &CaseRecord<'_>, findings: &[FindingRecord<'_>], outcomes: &[OutcomeRecord<'_>]) -> Item {
    let sorted = worst_first(findings);
    Item {
        anchor: anchor(&case.case_id, ""),
        case_id: one_line(&case.case_id),
        claim_id: String::new(),
        place: format!("{}:{}", one_line(&case.file), case.line),
        title: String::new(),
        label: "",
        sentence: String::new(),
        suspected: "",
        expected: "",
        judge: String::new(),
        query: case.query.as_deref().map(|query| short(query, 500)).unwrap_or_default(),
        answer: Vec::new(),
        claim: Vec::new(),
        severity: sorted
            .first()
            .map_or("", |finding| finding_word(finding.severity, finding.observed, finding.overturned, finding.known)),
        findings: sorted.iter().take(MOST).map(|finding| finding_line(finding)).collect(),
        findings_left_out: sorted.len().saturating_sub(MOST),
        citations: Vec::new(),
        citations_left_out: 0,
        outcomes: outcome_lines(outcomes),
        not_applicable: outcomes
            .iter()
            .filter(|outcome| outcome.outcome == Outcome::NotApplicable)
            .map(|outcome| one_line(&outcome.rule))
            .collect(),
        slices: Vec::new(),
        stages: stages(findings),
        is_new: false,
    }
}

/// The stages at fault, each once.
fn stages(findings: &[FindingRecord<'_>]) -> Vec<&'static str> {
    let stages: std::collections::BTreeSet<Stage> = findings.iter().filter_map(|finding| finding.stage).collect();
    stages.into_iter().map(Stage::as_str).collect()
}

/// Findings, the worst first; a note on another finding stands behind that one.
fn worst_first<'f, 'r>(findings: &'f [FindingRecord<'r>]) -> Vec<&'f FindingRecord<'r>> {
    let mut notes: BTreeMap<&str, Vec<&FindingRecord<'_>>> = BTreeMap::new();
    let is_there = |fingerprint: &str| findings.iter().any(|finding| finding.fingerprint == fingerprint);
    let mut sorted: Vec<&FindingRecord<'_>> = Vec::with_capacity(findings.len());
    for finding in findings {
        match finding.annotates.as_deref().filter(|fingerprint| is_there(fingerprint)) {
            Some(fingerprint) => notes.entry(fingerprint).or_default().push(finding),
            None => sorted.push(finding),
        }
    }
    sorted.sort_by_key(|finding| {
        (finding.overturned, finding.known, finding.observed, std::cmp::Reverse(finding.severity))
    });
    let with_notes = |finding: &'f FindingRecord<'r>| {
        std::iter::once(finding).chain(notes.remove(&*finding.fingerprint).unwrap_or_default())
    };
    sorted.into_iter().flat_map(with_notes).collect()
}

/// The claim's label; what it is instead where it has none.
pub(super) fn label_word(claim: &ClaimRecord<'_>) -> &'static str {
    match (claim.label, &*claim.class) {
        (Some(label), _) => label.as_str(),
        (None, "verifiable") => "uncited",
        (None, "refusal") => "refusal",
        (None, "reference_entry") => "reference",
        (None, _) => "not verifiable",
    }
}

fn label_sentence(claim: &ClaimRecord<'_>) -> (&'static str, String) {
    let word = label_word(claim);
    if let Some(label) = claim.label {
        let by = match claim.decided_by.as_deref() {
            None => String::new(),
            Some(who) => format!(" Decided by {}{}.", label::decider(who), reviewer(claim)),
        };
        let mut meaning = label::meaning(label).to_owned();
        if let Some(first) = meaning.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        return (word, format!("{meaning}.{by}"));
    }
    let sentence = match word {
        "uncited" => "The claim needs a citation and has none.",
        "refusal" => "The answer says that it cannot answer; no citation is needed.",
        "reference" => "A line of a bibliography; no citation is needed.",
        _ => "Nothing here can be checked; no citation is needed.",
    };
    (word, sentence.to_owned())
}

/// Who reviewed the claim, when, and why: ` (policy desk, 2026-05-01): it says so`; empty where nobody did.
fn reviewer(claim: &ClaimRecord<'_>) -> String {
    let Some(review) = &claim.review else { return String::new() };
    let reason = claim.reason.as_deref().map(|reason| format!(": {}", short(reason.trim_end_matches('.'), 500)));
    format!(" ({}, {}){}", short(&review.reviewer, 120), one_line(&review.date), reason.unwrap_or_default())
}

fn judge(claim: &ClaimRecord<'_>) -> String {
    if claim.review.is_some() {
        return String::new();
    }
    let confidence = claim.confidence.and_then(|value| ratio::percent_of(value, &[]));
    match (confidence, claim.reason.as_deref()) {
        (Some(confidence), Some(reason)) => format!("{} (confidence {confidence})", short(reason, 500)),
        (Some(confidence), None) => format!("confidence {confidence}"),
        (None, Some(reason)) => short(reason, 500),
        (None, None) => String::new(),
    }
}

fn finding_line(finding: &FindingRecord<'_>) -> FindingLine {
    FindingLine {
        rule: one_line(&finding.rule),
        code: one_line(&finding.code),
        severity: finding_word(finding.severity, finding.observed, finding.overturned, finding.known),
        is_triage: finding.certainty == Certainty::Triage,
        message: short(&finding.message, 500),
        citation: finding.citation.as_deref().map(|id| short(id, 120)).unwrap_or_default(),
        fingerprint: one_line(&finding.fingerprint).trim_start_matches("sha256:").chars().take(12).collect(),
        stage: stage_word(finding.stage),
        owner: String::new(),
        stage_reason: short(&finding.stage_reason, 300),
        is_annotation: finding.annotates.is_some(),
        is_quiet: false,
        elsewhere: finding.elsewhere.as_ref().map(elsewhere),
    }
}

fn elsewhere(found: &ElsewhereRecord<'_>) -> Elsewhere {
    let hash = found.excerpt_sha256.as_deref().map(one_line).unwrap_or_default();
    let text = found.excerpt.as_ref().and_then(|excerpt| excerpt.text.as_deref());
    Elsewhere {
        id: short(&found.id, 120),
        marker: found.marker.as_deref().map(|marker| short(marker, 120)).unwrap_or_default(),
        excerpt: text.map(|text| short(text, 500)).unwrap_or_default(),
        span: found.excerpt.as_ref().map(|e| format!("bytes {}–{}", e.start, e.end)).unwrap_or_default(),
        hash_short: hash.trim_start_matches("sha256:").chars().take(12).collect(),
        hash,
    }
}

fn outcome_lines(outcomes: &[OutcomeRecord<'_>]) -> Vec<OutcomeLine> {
    let mut lines: Vec<(u8, OutcomeLine)> = outcomes
        .iter()
        .filter_map(|outcome| {
            let (rank, word) = match outcome.outcome {
                Outcome::Fail => (0, "fail"),
                Outcome::Broken => (1, "broken"),
                Outcome::Pass => (2, "pass"),
                Outcome::NotApplicable => return None,
            };
            let score = outcome.score.and_then(|score| ratio::percent_of(score, &[])).unwrap_or_default();
            Some((rank, OutcomeLine { rule: one_line(&outcome.rule), outcome: word, score }))
        })
        .collect();
    lines.sort_by_key(|(rank, _)| *rank);
    lines.into_iter().map(|(_, line)| line).collect()
}

fn slices(slices: &crate::record::SliceValues<'_>) -> Vec<String> {
    slices.iter().map(|(id, value)| format!("{} = {}", one_line(id), one_line(value))).collect()
}

/// The answer with all markers, the claim's sentence lit, and the places of findings.
fn answer(
    case: &CaseRecord<'_>,
    sentence: Option<Span>,
    citations: &[CitationRecord<'_>],
    findings: &[FindingRecord<'_>],
) -> Vec<Segment> {
    let Some(answer) = case.answer.as_deref() else { return Vec::new() };
    let mut marks: Vec<(Span, Mark)> = case.markers.iter().map(|marker| (marker.span, Mark::Marker)).collect();
    marks.extend(sentence.map(|span| (span, Mark::Lit)));
    // The claim's own markers are lit with its sentence, wherever they stand.
    marks.extend(citations.iter().filter_map(|citation| citation.span).map(|span| (span, Mark::Lit)));
    let is_marker = |span: &Span| case.markers.iter().any(|marker| marker.span == *span);
    let places = findings.iter().filter_map(|finding| finding.answer_span);
    marks.extend(places.filter(|span| !is_marker(span)).map(|span| (span, Mark::Flag)));
    segments(answer, &marks, LONGEST_ANSWER)
}

fn claim_marks(claim: &ClaimRecord<'_>, pairs: &Pairs) -> Vec<(Span, Mark)> {
    let mut kinds: BTreeMap<Span, bool> = BTreeMap::new();
    for found in claim.citations.iter().flat_map(|citation| &citation.matches) {
        if let Some(span) = found.claim {
            // One passage that states it outweighs another that says something else.
            let conflicting = kinds.entry(span).or_insert(true);
            *conflicting &= found.conflicting;
        }
    }
    let mut marks: Vec<(Span, Mark)> = kinds
        .into_iter()
        .filter_map(|(span, conflicting)| {
            let number = pairs.number(Some(span))?;
            Some((span, if conflicting { Mark::Conflict(number) } else { Mark::Match(number) }))
        })
        .collect();
    marks.extend(claim.findings.iter().filter_map(|finding| finding.claim_span).map(|span| (span, Mark::Flag)));
    marks
}

fn cited(case: &CaseRecord<'_>, citation: &CitationRecord<'_>, pairs: &Pairs) -> CitationView {
    let unit = unit(case, citation);
    let text = |field: fn(&UnitRecord<'_>) -> Option<String>| unit.and_then(field).unwrap_or_default();
    let uri = text(|unit| unit.canonical_uri.as_deref().map(|uri| short(uri, 300)));
    let hash = citation.excerpt_sha256.as_deref().map(one_line).unwrap_or_default();
    let (state, no_excerpt) = state(citation);
    CitationView {
        id: short(&citation.id, 120),
        marker: citation.raw.as_deref().map(|raw| short(raw, 120)).unwrap_or_default(),
        state,
        title: text(|unit| unit.title.as_deref().map(|title| short(title, 200))),
        href: link(unit.and_then(|unit| unit.canonical_uri.as_deref()).unwrap_or_default()),
        uri,
        source_id: citation.source_id.as_deref().map(|id| short(id, 120)).unwrap_or_default(),
        version: citation.source_version.as_deref().map(|version| short(version, 120)).unwrap_or_default(),
        locator: citation.locator.as_ref().map(locator).unwrap_or_default(),
        scope: text(|unit| unit.scope_id.as_deref().map(|scope| short(scope, 120))),
        excerpt: excerpt(citation, pairs),
        no_excerpt,
        span: citation.excerpt.as_ref().map(|e| format!("bytes {}–{}", e.start, e.end)).unwrap_or_default(),
        hash_short: hash.trim_start_matches("sha256:").chars().take(12).collect(),
        hash,
        content_hash: text(|unit| unit.raw.as_deref().map(one_line)),
    }
}

/// The unit that a citation resolves to.
pub(super) fn unit<'c, 'r>(case: &'c CaseRecord<'r>, citation: &CitationRecord<'_>) -> Option<&'c UnitRecord<'r>> {
    case.packet.iter().find(|unit| unit.id == citation.id).filter(|_| citation.resolved)
}

/// What can be shown of a citation's evidence, in a word and, where there is no excerpt, in a sentence.
pub(super) fn state(citation: &CitationRecord<'_>) -> (&'static str, &'static str) {
    let has_text = citation.excerpt.as_ref().is_some_and(|excerpt| excerpt.text.is_some());
    match (citation.resolved, citation.withheld, has_text) {
        (false, ..) => ("unresolved", "Nothing in the evidence packet has this id."),
        (true, true, _) => ("withheld", "The passage is withheld; its hash says which one it was."),
        (true, false, false) => ("resolved", "No passage was relied on."),
        (true, false, true) => ("resolved", ""),
    }
}

/// The excerpt that may be shown, with its text.
fn shown<'c>(citation: &'c CitationRecord<'_>) -> Option<(&'c ExcerptRecord<'c>, &'c str)> {
    let excerpt = citation.excerpt.as_ref().filter(|_| !citation.withheld)?;
    Some((excerpt, excerpt.text.as_deref()?))
}

/// The excerpt on one line, shortened; empty where there is none or it is withheld.
pub(super) fn excerpt_text(citation: &CitationRecord<'_>, longest: usize) -> String {
    shown(citation).map(|(_, text)| short(text, longest)).unwrap_or_default()
}

fn excerpt(citation: &CitationRecord<'_>, pairs: &Pairs) -> Vec<Segment> {
    let Some((excerpt, text)) = shown(citation) else { return Vec::new() };
    let marks: Vec<(Span, Mark)> = citation
        .matches
        .iter()
        .filter_map(|found| {
            let span = found.in_excerpt(excerpt)?;
            let number = pairs.number(found.claim).unwrap_or(0);
            Some((span, if found.conflicting { Mark::Conflict(number) } else { Mark::Match(number) }))
        })
        .collect();
    segments(text, &marks, LONGEST_TEXT)
}

/// An address that a browser may follow: `http` or `https`, with a host, without anything that cannot stand in one.
pub(super) fn link(uri: &str) -> String {
    let lower = uri.to_ascii_lowercase();
    let rest = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://"));
    let is_host = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '[');
    let is_plain = |c: char| !c.is_control() && !c.is_whitespace() && !"<>\"'`\\{}|^".contains(c);
    let is_safe = rest.is_some_and(is_host) && uri.len() <= 2_000 && uri.chars().all(is_plain);
    if is_safe && super::visible::visible(uri) == uri { uri.to_owned() } else { String::new() }
}

/// A locator in words: `section Refunds · paragraph 4`.
pub(super) fn locator(value: &Value) -> String {
    let scalar = |value: &Value| match value {
        Value::String(text) => one_line(text),
        other => one_line(&other.to_string()),
    };
    let words = match value {
        Value::Object(entries) => entries
            .iter()
            .map(|(key, value)| format!("{} {}", one_line(key), scalar(value)))
            .collect::<Vec<_>>()
            .join(" · "),
        Value::Null => String::new(),
        other => scalar(other),
    };
    short(&words, 200)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_addresses_become_links() {
        assert_eq!(link("https://kb.example/a?b=c#d"), "https://kb.example/a?b=c#d");
        assert_eq!(link("HTTP://kb.example"), "HTTP://kb.example");
        for hostile in [
            "javascript:alert(1)",
            "JavaScript://x%0aalert(1)",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc/passwd",
            " https://x.example",
            "https://x.example/\"onload=",
            "https://",
            "https:///x",
            "https://x\u{202e}y",
            "//x.example",
            "https://x.example/\u{0}",
            "https://x.example/ y",
        ] {
            assert_eq!(link(hostile), "", "{hostile:?}");
        }
    }

    #[test]
    fn a_locator_reads_as_words() {
        let value = serde_json::json!({"section": "Refunds", "paragraph": 4});
        assert_eq!(locator(&value), "section Refunds · paragraph 4");
        assert_eq!(locator(&serde_json::json!(7)), "7");
    }
}
