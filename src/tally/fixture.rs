//! Records made by hand, for the tests of tallies and gates.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{DimensionEntry, RuleEntry, RuleTable};
use crate::check::{Certainty, Family, Outcome, Severity, Subject};
use crate::dataset::Label;
use crate::record::{
    CASE_SCHEMA, CLAIM_SCHEMA, CaseRecord, CitationRecord, ClaimRecord, Evaluator, FindingRecord, OutcomeRecord,
    Scores, SliceValues,
};
use crate::rules::metric::Level;

/// A case record with its claims.
#[derive(Debug, Clone)]
pub(crate) struct Fixture {
    pub case: CaseRecord<'static>,
    pub claims: Vec<ClaimRecord<'static>>,
}

pub(crate) fn rule(id: &str, kind: &str, family: Family, subject: Subject) -> RuleEntry {
    let enforced = !id.starts_with("watch");
    RuleEntry { id: id.into(), kind: kind.into(), family, subject, enforced, severity: Severity::Error }
}

pub(crate) fn dimension(id: &str, level: Level, order: &[&str]) -> DimensionEntry {
    let order = order.iter().map(ToString::to_string).collect();
    DimensionEntry { id: id.to_owned(), level, max_values: 5, order, parts: Vec::new() }
}

/// One rule of each kind that feeds a metric, two of one kind, and one that only observes; a dimension at each level.
pub(crate) fn table() -> RuleTable {
    use Family::{Coverage, Integrity, Support};
    RuleTable::new(
        vec![
            rule("unknown", "resolves", Integrity, Subject::Citation),
            rule("range", "id-range", Integrity, Subject::Citation),
            rule("range-too", "id-range", Integrity, Subject::Citation),
            rule("tenant", "scope", Integrity, Subject::Citation),
            rule("stale", "source-version", Integrity, Subject::Citation),
            rule("where", "locator", Integrity, Subject::Citation),
            rule("stands", "placement", Integrity, Subject::Claim),
            rule("numbers", "numbers", Support, Subject::Claim),
            rule("watched", "numbers", Support, Subject::Claim),
            rule("scores", "citation-scores", Coverage, Subject::Case),
        ],
        vec![
            dimension("language", Level::Case, &[]),
            dimension("numeric", Level::Claim, &["yes", "no"]),
            dimension("family", Level::Citation, &[]),
        ],
    )
}

fn slices(values: &[(&'static str, &'static str)]) -> SliceValues<'static> {
    values.iter().map(|&(id, value)| (Cow::Borrowed(id), Cow::Borrowed(value))).collect()
}

fn outcomes(outcomes: &[(&'static str, Outcome)]) -> Vec<OutcomeRecord<'static>> {
    outcomes
        .iter()
        .map(|&(rule, outcome)| OutcomeRecord { rule: rule.into(), outcome, score: None, because: None })
        .collect()
}

const fn evaluator() -> Evaluator<'static> {
    Evaluator { engine: Cow::Borrowed(""), policy: Cow::Borrowed(""), judge: None, prompt: None }
}

pub(crate) fn finding(rule: &'static str) -> FindingRecord<'static> {
    FindingRecord {
        rule: rule.into(),
        code: "code".into(),
        severity: Severity::Error,
        certainty: Certainty::Final,
        observed: rule.starts_with("watch"),
        implies: None,
        message: "".into(),
        citation: None,
        answer_span: None,
        claim_span: None,
        fingerprint: "".into(),
        known: false,
        overturned: false,
        confirmed: false,
        stage: None,
        stage_reason: "".into(),
        annotates: None,
        elsewhere: None,
    }
}

pub(crate) fn citation(
    id: &'static str,
    resolved: bool,
    family: &'static str,
    results: &[(&'static str, Outcome)],
) -> CitationRecord<'static> {
    CitationRecord {
        id: id.into(),
        raw: None,
        span: None,
        resolved,
        source_id: None,
        source_version: None,
        locator: None,
        withheld: false,
        excerpt: None,
        excerpt_sha256: None,
        matches: Vec::new(),
        outcomes: outcomes(results),
        slices: slices(&[("family", family)]),
    }
}

/// A claim: verifiable, cited where it has citations, `numeric=yes`.
pub(crate) fn claim(
    label: Option<Label>,
    decided_by: Option<&'static str>,
    citations: Vec<CitationRecord<'static>>,
    results: &[(&'static str, Outcome)],
) -> ClaimRecord<'static> {
    ClaimRecord {
        schema: CLAIM_SCHEMA.into(),
        case_id: "".into(),
        claim_id: "".into(),
        claim: "".into(),
        span: None,
        class: "verifiable".into(),
        claim_sha256: "".into(),
        evidence_sha256: None,
        label,
        decided_by: decided_by.map(Into::into),
        suspected: None,
        confidence: None,
        reason: None,
        review: None,
        expected: None,
        integrity_pass: true,
        coverage_required: true,
        covered: !citations.is_empty(),
        citations,
        outcomes: outcomes(results),
        findings: Vec::new(),
        slices: slices(&[("numeric", "yes")]),
        evaluator: evaluator(),
    }
}

pub(crate) fn case(language: &'static str, claims: Vec<ClaimRecord<'static>>) -> Fixture {
    let case = CaseRecord {
        schema: CASE_SCHEMA.into(),
        case_id: "".into(),
        file: "".into(),
        line: 1,
        question: "".into(),
        query: None,
        answer: None,
        language: language.into(),
        unread_language: false,
        answerable: None,
        refused: false,
        claims: claims.len(),
        markers: Vec::new(),
        packet: Vec::new(),
        citations: Vec::new(),
        outcomes: Vec::new(),
        findings: Vec::new(),
        scores: Scores::default(),
        slices: slices(&[("language", language)]),
        evaluator: evaluator(),
    };
    Fixture { case, claims }
}

/// Four cases, worked out by hand in the tests: English a and d, German b and c.
pub(crate) fn four_cases() -> Vec<Fixture> {
    use Outcome::{Broken, Fail, Pass};
    let d1 =
        [("unknown", Pass), ("range", Pass), ("range-too", Fail), ("tenant", Pass), ("stale", Pass), ("where", Pass)];
    let d2 = [("unknown", Pass), ("range", Pass), ("tenant", Fail), ("stale", Fail), ("where", Fail)];
    let mut a1 = claim(
        Some(Label::Supported),
        Some("rule:facts"),
        vec![citation("d1", true, "policy", &d1)],
        &[("unknown", Pass), ("stands", Pass), ("numbers", Pass), ("watched", Fail)],
    );
    a1.expected = Some(Label::Supported);
    a1.findings = vec![finding("watched")];
    let mut a2 = claim(
        Some(Label::Contradicted),
        Some("rule:numbers"),
        vec![citation("d2", true, "faq", &d2)],
        &[("stands", Fail), ("numbers", Fail), ("watched", Pass)],
    );
    a2.expected = Some(Label::Insufficient);
    a2.findings = vec![finding("numbers"), finding("numbers")];
    a2.slices = slices(&[("numeric", "no")]);
    let mut a = case("en", vec![a1, a2]);
    a.case.scores = Scores { citation_precision: (1, 2), citation_recall: (1, 2), weighted_recall: (3, 4) };
    a.case.outcomes = outcomes(&[("scores", Fail)]);

    let x9 = citation("x9", false, "policy", &[("unknown", Fail), ("where", Fail)]);
    let mut b1 = claim(Some(Label::Unresolved), Some("integrity"), vec![x9], &[("unknown", Fail)]);
    b1.findings = vec![finding("unknown")];
    let mut b2 = claim(None, None, Vec::new(), &[]);
    b2.expected = Some(Label::Contradicted);
    let mut b3 = claim(None, None, Vec::new(), &[]);
    b3.class = "not_verifiable".into();
    let mut b = case("de", vec![b1, b2, b3]);
    b.case.citations = vec![citation("d3", true, "policy", &[("unknown", Pass)])];
    b.case.answerable = Some(true);
    b.case.scores.citation_precision = (0, 1);

    let d1 = citation("d1", true, "policy", &[("unknown", Broken)]);
    let mut c1 = claim(Some(Label::Undecided), None, vec![d1], &[("unknown", Broken), ("numbers", Pass)]);
    c1.expected = Some(Label::Supported);
    let mut c = case("de", vec![c1]);
    (c.case.answerable, c.case.refused) = (Some(true), true);
    c.case.scores.citation_recall = (0, 2);

    let d1 = citation("d1", true, "policy", &[("unknown", Pass)]);
    let e1 = claim(Some(Label::Supported), Some("rule:facts"), vec![d1], &[("unknown", Pass), ("numbers", Pass)]);
    let mut d = case("en", vec![e1]);
    d.case.scores = Scores { citation_precision: (1, 1), citation_recall: (1, 1), weighted_recall: (1, 1) };
    vec![a, b, c, d]
}

/// `cases` cases of `claims` claims each, the first `supported` claims of all of them supported, the rest contradicted.
pub(crate) fn claims_in_cases(cases: usize, claims: usize, supported: usize) -> Vec<Fixture> {
    let label = |index: usize| if index < supported { Label::Supported } else { Label::Contradicted };
    let cited = || vec![citation("d1", true, "policy", &[("unknown", Outcome::Pass)])];
    let claim_at = |index: usize| claim(Some(label(index)), Some("rule:numbers"), cited(), &[]);
    (0..cases).map(|at| case("en", (0..claims).map(|index| claim_at(at * claims + index)).collect())).collect()
}

pub(crate) fn count(fixtures: &[Fixture], table: &RuleTable) -> super::Tally {
    let mut tally = super::Tally::new(table);
    for fixture in fixtures {
        tally.add(&fixture.case, &fixture.claims, table).expect("few values");
    }
    tally
}

/// Counts of labels by name, for comparing.
pub(crate) fn labels(slice: &super::SliceTally) -> BTreeMap<&'static str, u64> {
    slice.labels().map(|(label, count)| (label.as_str(), count)).collect()
}
