//! What one case contributes to each slice that it, its claims or its citations lie in, read off the records.

use serde::{Deserialize, Serialize};

use super::count::Contribution;
use super::table::{RuleTable, position};
use crate::check::{Certainty, Family, Outcome, Severity, Subject};
use crate::dataset::Label;
use crate::record::{CaseRecord, CitationRecord, ClaimRecord, FindingRecord, OutcomeRecord, SliceValues};
use crate::rules::metric::{self, BUILT_IN, Level, Metric};

/// What one case contributes to one slice.
#[derive(Debug, Clone, Default)]
pub(super) struct Measure {
    pub claims: u64,
    /// Cited verifiable claims of which a cited unit has no content.
    pub unread: u64,
    pub citations: u64,
    /// By position of the metric.
    pub metrics: Vec<Contribution>,
    /// By rule: how often each [`Outcome`] came, in its order.
    pub outcomes: Vec<[u64; 4]>,
    /// By rule: findings.
    pub findings: Vec<u64>,
    /// By rule: findings that reviewers confirmed and overturned.
    pub reviewed: Vec<[u64; 2]>,
    /// Claim indexes of the labels, so that the name of who decided stays borrowed.
    pub labels: Vec<usize>,
}

impl Measure {
    fn clear(&mut self, table: &RuleTable) {
        self.claims = 0;
        self.unread = 0;
        self.citations = 0;
        self.labels.clear();
        reset(&mut self.metrics, BUILT_IN.len() + table.rules.len());
        reset(&mut self.outcomes, table.rules.len());
        reset(&mut self.findings, table.rules.len());
        reset(&mut self.reviewed, table.rules.len());
    }

    fn apply(&mut self, facts: &Facts) {
        for &(position, fact) in &facts.contributions {
            if let Some(sum) = self.metrics.get_mut(position) {
                sum.k = sum.k.saturating_add(fact.k);
                sum.n = sum.n.saturating_add(fact.n);
                sum.broken = sum.broken.saturating_add(fact.broken);
                sum.broken_outside = sum.broken_outside.saturating_add(fact.broken_outside);
            }
        }
        for &(rule, outcome) in &facts.outcomes {
            if let Some(count) = self.outcomes.get_mut(rule).and_then(|counts| counts.get_mut(outcome as usize)) {
                *count += 1;
            }
        }
        for &rule in &facts.findings {
            if let Some(count) = self.findings.get_mut(rule) {
                *count += 1;
            }
        }
        for &(rule, was_overturned) in &facts.reviewed {
            let counts = self.reviewed.get_mut(rule);
            if let Some(count) = counts.and_then(|counts| counts.get_mut(usize::from(was_overturned))) {
                *count += 1;
            }
        }
    }
}

fn reset<T: Clone + Default>(list: &mut Vec<T>, length: usize) {
    list.clear();
    list.resize(length, T::default());
}

/// What one subject (a case, claim or citation) says, before it is added to the slices that the subject lies in.
#[derive(Debug, Default)]
struct Facts {
    contributions: Vec<(usize, Contribution)>,
    outcomes: Vec<(usize, Outcome)>,
    findings: Vec<usize>,
    /// Rules of the findings that a reviewer looked at, and whether the finding was overturned.
    reviewed: Vec<(usize, bool)>,
}

impl Facts {
    fn clear(&mut self) {
        self.contributions.clear();
        self.outcomes.clear();
        self.findings.clear();
        self.reviewed.clear();
    }

    fn ratio(&mut self, metric: &Metric, (k, n): (u64, u64)) {
        self.contributions.push((position(metric), Contribution { k, n, ..Contribution::default() }));
    }

    /// One subject: in the numerator, in the denominator, broken.
    fn subject(&mut self, metric: &Metric, in_numerator: bool, in_denominator: bool, broken: bool) {
        if !in_denominator && !broken {
            return;
        }
        self.contributions.push((
            position(metric),
            Contribution {
                k: u64::from(in_numerator && in_denominator),
                n: u64::from(in_denominator),
                broken: u64::from(broken),
                broken_outside: u64::from(broken && !in_denominator),
            },
        ));
    }

    /// `is_open`: the rule only suspects something, which is neither a pass nor a failure.
    fn rule(&mut self, rule: usize, outcome: Outcome, is_open: bool) {
        let Ok(index) = u16::try_from(rule) else { return };
        self.outcomes.push((rule, outcome));
        let judged = matches!(outcome, Outcome::Pass | Outcome::Fail) && !is_open;
        self.subject(&Metric::Rule(index), outcome == Outcome::Pass, judged, outcome == Outcome::Broken);
    }

    fn found(&mut self, findings: &[FindingRecord<'_>], table: &RuleTable) {
        for finding in findings {
            let Some((index, _)) = table.rule(&finding.rule) else { continue };
            self.findings.push(index);
            if finding.confirmed || finding.overturned {
                self.reviewed.push((index, finding.overturned));
            }
        }
    }
}

/// How the enforced rules that feed one metric came out on one subject, put together: it counts once, and fails where
/// any of them fails.
#[derive(Debug, Clone, Copy, Default)]
struct Verdicts {
    passed: bool,
    failed: bool,
    broken: bool,
}

impl Verdicts {
    fn see(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Pass => self.passed = true,
            Outcome::Fail => self.failed = true,
            Outcome::Broken => self.broken = true,
            Outcome::NotApplicable => {}
        }
    }

    const fn judged(self) -> bool {
        self.passed || self.failed
    }
}

/// A slice below the level of cases that something in the case lies in: dimension and value.
type Key<'r> = (usize, &'r str);

/// Works out cases one by one; keeps its buffers in between.
#[derive(Debug, Default)]
pub(super) struct Meter {
    whole: Measure,
    parts: Vec<Measure>,
    facts: Facts,
}

/// A case worked out.
pub(super) struct Measured<'m, 'r> {
    /// For the whole dataset and each slice of cases.
    pub whole: &'m Measure,
    /// For each slice of claims or citations.
    pub parts: Vec<(Key<'r>, &'m Measure)>,
}

/// Values of the dimensions at one level among these slices.
pub(super) fn keys_at<'r>(
    slices: &'r SliceValues<'_>,
    level: Level,
    table: &'r RuleTable,
) -> impl Iterator<Item = Key<'r>> {
    let dimensions = table.dimensions.iter().enumerate().filter(move |(_, dimension)| dimension.level == level);
    dimensions.filter_map(|(index, dimension)| Some((index, slices.get(dimension.id.as_str())?.as_ref())))
}

impl Meter {
    /// Works out one case with its claims.
    pub(super) fn measure<'r>(
        &mut self,
        case: &'r CaseRecord<'_>,
        claims: &'r [ClaimRecord<'_>],
        table: &'r RuleTable,
    ) -> Measured<'_, 'r> {
        let Meter { whole, parts, facts } = self;
        let mut keys: Vec<Key<'r>> = Vec::new();
        whole.clear(table);
        facts.clear();
        case_facts(case, claims, table, facts);
        whole.apply(facts);
        let mut lies_in: Vec<usize> = Vec::new();
        for (index, claim) in claims.iter().enumerate() {
            facts.clear();
            claim_facts(claim, table, facts);
            lies_in.clear();
            lies_in.extend(keys_at(&claim.slices, Level::Claim, table).map(|key| part(parts, &mut keys, key, table)));
            let is_labelled = label_of(claim).is_some();
            let is_unread = is_labelled && claim.is_unread();
            for measure in std::iter::once(&mut *whole).chain(pick(parts, &lies_in)) {
                measure.apply(facts);
                measure.claims += 1;
                measure.unread += u64::from(is_unread);
                if is_labelled {
                    measure.labels.push(index);
                }
            }
            for citation in &claim.citations {
                let mut lies_in = lies_in.clone();
                lies_in.extend(citation_parts(citation, parts, &mut keys, table));
                cite(citation, facts, whole, pick(parts, &lies_in), table);
            }
        }
        for citation in &case.citations {
            let lies_in: Vec<usize> = citation_parts(citation, parts, &mut keys, table).collect();
            cite(citation, facts, whole, pick(parts, &lies_in), table);
        }
        Measured { whole, parts: keys.into_iter().zip(parts.iter()).collect() }
    }
}

/// Index of the part with this key, made empty where it is new.
fn part<'r>(parts: &mut Vec<Measure>, keys: &mut Vec<Key<'r>>, key: Key<'r>, table: &RuleTable) -> usize {
    if let Some(index) = keys.iter().position(|known| *known == key) {
        return index;
    }
    let index = keys.len();
    keys.push(key);
    match parts.get_mut(index) {
        Some(part) => part.clear(table),
        None => {
            let mut part = Measure::default();
            part.clear(table);
            parts.push(part);
        }
    }
    index
}

fn pick<'p>(parts: &'p mut [Measure], indexes: &'p [usize]) -> impl Iterator<Item = &'p mut Measure> {
    parts.iter_mut().enumerate().filter(|(index, _)| indexes.contains(index)).map(|(_, part)| part)
}

fn citation_parts<'r: 'p, 'p>(
    citation: &'r CitationRecord<'_>,
    parts: &'p mut Vec<Measure>,
    keys: &'p mut Vec<Key<'r>>,
    table: &'r RuleTable,
) -> impl Iterator<Item = usize> + use<'r, 'p> {
    keys_at(&citation.slices, Level::Citation, table).map(move |key| part(parts, keys, key, table))
}

fn cite<'p>(
    citation: &CitationRecord<'_>,
    facts: &mut Facts,
    whole: &'p mut Measure,
    parts: impl Iterator<Item = &'p mut Measure>,
    table: &RuleTable,
) {
    facts.clear();
    citation_facts(citation, table, facts);
    for measure in std::iter::once(whole).chain(parts) {
        measure.apply(facts);
        measure.citations += 1;
    }
}

/// The label of a cited verifiable claim; `None` for any other claim, which has none.
pub(super) fn label_of(claim: &ClaimRecord<'_>) -> Option<Label> {
    (is_verifiable(claim) && claim.covered).then(|| claim.label.unwrap_or(Label::Undecided))
}

pub(super) fn is_verifiable(claim: &ClaimRecord<'_>) -> bool {
    claim.class == "verifiable"
}

/// How a case came out, as `case_pass_rate` counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseVerdict {
    /// Judged, without an error finding that counts.
    Pass,
    /// An error finding counts against it.
    Fail,
    /// No error finding, but something could not be evaluated; the case does not pass.
    Broken,
    /// No rule judged it.
    Unjudged,
}

impl CaseVerdict {
    /// How this case came out under the rules of `table`.
    #[must_use]
    pub fn of(case: &CaseRecord<'_>, claims: &[ClaimRecord<'_>], table: &RuleTable) -> Self {
        let (has_error, verdicts) = verdicts_of(case, claims, table);
        match () {
            () if has_error => CaseVerdict::Fail,
            () if verdicts.broken => CaseVerdict::Broken,
            () if verdicts.judged() => CaseVerdict::Pass,
            () => CaseVerdict::Unjudged,
        }
    }
}

/// Whether an error finding counts against the case, and how the enforced rules came out on it.
fn verdicts_of(case: &CaseRecord<'_>, claims: &[ClaimRecord<'_>], table: &RuleTable) -> (bool, Verdicts) {
    let claim_outcomes = claims.iter().map(|claim| &claim.outcomes);
    let stray_outcomes = case.citations.iter().map(|citation| &citation.outcomes);
    let mut verdicts = Verdicts::default();
    for outcome in std::iter::once(&case.outcomes).chain(claim_outcomes).chain(stray_outcomes).flatten() {
        if table.rule(&outcome.rule).is_some_and(|(_, rule)| rule.enforced) {
            verdicts.see(outcome.outcome);
        }
    }
    let mut findings = case.findings.iter().chain(claims.iter().flat_map(|claim| &claim.findings));
    (findings.any(counts_against), verdicts)
}

/// Whether the finding fails its case: an error that is not excused.
pub(super) fn counts_against(finding: &FindingRecord<'_>) -> bool {
    finding.severity == Severity::Error && !(finding.observed || finding.overturned || finding.known)
}

fn case_facts(case: &CaseRecord<'_>, claims: &[ClaimRecord<'_>], table: &RuleTable, facts: &mut Facts) {
    let (has_error, verdicts) = verdicts_of(case, claims, table);
    facts.subject(&metric::CASE_PASS_RATE, !has_error && !verdicts.broken, verdicts.judged(), verdicts.broken);
    facts.ratio(&metric::CITATION_PRECISION, case.scores.citation_precision);
    facts.ratio(&metric::CITATION_RECALL, case.scores.citation_recall);
    facts.ratio(&metric::WEIGHTED_RECALL, case.scores.weighted_recall);
    facts.ratio(&metric::CITATION_F1, f1(case.scores.citation_precision, case.scores.citation_recall));
    facts.subject(&metric::REFUSAL_RATE, case.refused, true, false);
    facts.subject(&metric::FALSE_REFUSAL_RATE, case.refused, case.answerable == Some(true), false);
    let has_claim = claims.iter().any(|claim| claim.coverage_required);
    facts.subject(&metric::NO_CLAIM_RATE, !has_claim, case.answerable != Some(false), false);
    facts.subject(&metric::UNREAD_LANGUAGE_RATE, case.unread_language, true, false);
    let stray = u64::try_from(case.citations.len()).unwrap_or(u64::MAX);
    facts.ratio(&metric::CITATIONS_PER_CLAIM, (stray, 0));
    own_rules(&case.outcomes, Some(&case.findings), Subject::Case, table, facts);
    facts.found(&case.findings, table);
}

/// Harmonic mean of a/b and c/d as a fraction, 2ac / (ad + cb); 0/1 where both are 0, 0/0 where either has no
/// denominator.
fn f1((a, b): (u64, u64), (c, d): (u64, u64)) -> (u64, u64) {
    if b == 0 || d == 0 {
        return (0, 0);
    }
    let numerator = a.saturating_mul(c).saturating_mul(2);
    let denominator = a.saturating_mul(d).saturating_add(c.saturating_mul(b));
    (numerator, denominator.max(1))
}

fn claim_facts(claim: &ClaimRecord<'_>, table: &RuleTable, facts: &mut Facts) {
    if is_verifiable(claim) {
        let resolves = claim.citations.iter().any(|citation| citation.resolved);
        facts.subject(&metric::CLAIM_COVERAGE, claim.covered, true, false);
        facts.subject(&metric::RESOLVED_COVERAGE, resolves, true, false);
        label_facts(claim, table, facts);
    }
    let citations = u64::try_from(claim.citations.len()).unwrap_or(u64::MAX);
    facts.ratio(&metric::CITATIONS_PER_CLAIM, (citations, u64::from(is_verifiable(claim))));
    if let Some(expected) = claim.expected {
        let (is_alarm, is_defect) = (claim.label.is_some_and(Label::is_defect), expected.is_defect());
        let broken = is_broken(claim, table);
        facts.subject(&metric::LABEL_ACCURACY, claim.label == Some(expected), true, broken);
        facts.subject(&metric::DEFECT_PRECISION, is_defect, is_alarm, broken);
        facts.subject(&metric::DEFECT_RECALL, is_alarm, is_defect, broken && is_defect);
    }
    let mut placement = Verdicts::default();
    for outcome in &claim.outcomes {
        let rule = table.rule(&outcome.rule).and_then(|(index, _)| table.rate(index));
        if rule == Some(&metric::PLACEMENT_RATE) {
            placement.see(outcome.outcome);
        }
    }
    facts.subject(&metric::PLACEMENT_RATE, !placement.failed, placement.judged(), placement.broken);
    own_rules(&claim.outcomes, Some(&claim.findings), Subject::Claim, table, facts);
    facts.found(&claim.findings, table);
}

/// A claim's label rests on every enforced rule but those of coverage: where one of them broke, the claim is broken.
fn is_broken(claim: &ClaimRecord<'_>, table: &RuleTable) -> bool {
    claim.outcomes.iter().any(|outcome| {
        outcome.outcome == Outcome::Broken
            && table.rule(&outcome.rule).is_some_and(|(_, rule)| rule.enforced && rule.family != Family::Coverage)
    })
}

/// The rates over labels.
fn label_facts(claim: &ClaimRecord<'_>, table: &RuleTable, facts: &mut Facts) {
    let broken = is_broken(claim, table);
    let label = label_of(claim);
    let is = |wanted: Label| label == Some(wanted);
    facts.subject(&metric::SUPPORTED_AND_CITED, is(Label::Supported), true, broken);
    if label.is_none() {
        return;
    }
    let is_defect = !is(Label::Supported) && !is(Label::Undecided);
    for (metric, counts) in [
        (metric::CITATION_CORRECTNESS, is(Label::Supported)),
        (metric::DEFECT_RATE, is_defect),
        (metric::CONTRADICTION_RATE, is(Label::Contradicted)),
        (metric::INSUFFICIENT_RATE, is(Label::Insufficient)),
        (metric::PARTIAL_RATE, is(Label::Partial)),
        (metric::UNREADABLE_RATE, is(Label::Unreadable)),
        (metric::UNRESOLVED_RATE, is(Label::Unresolved)),
        (metric::UNDECIDED_RATE, is(Label::Undecided)),
    ] {
        facts.subject(&metric, counts, true, broken);
    }
}

/// The metrics over citations that outcomes of a kind feed; those where a failure is what is counted.
const CITATION_RATES: [(Metric, bool); 5] = [
    (metric::UNKNOWN_CITATION_RATE, true),
    (metric::OUT_OF_RANGE_RATE, true),
    (metric::UNAUTHORIZED_CITATION_RATE, true),
    (metric::STALE_CITATION_RATE, true),
    (metric::LOCATOR_RESOLUTION_RATE, false),
];

fn citation_facts(citation: &CitationRecord<'_>, table: &RuleTable, facts: &mut Facts) {
    let mut integrity = Verdicts::default();
    let mut rates = [Verdicts::default(); CITATION_RATES.len()];
    for outcome in &citation.outcomes {
        let Some((index, rule)) = table.rule(&outcome.rule) else { continue };
        if rule.enforced && rule.family == Family::Integrity {
            integrity.see(outcome.outcome);
        }
        let rate = table.rate(index).and_then(|rate| CITATION_RATES.iter().position(|(known, _)| known == rate));
        if let Some(verdicts) = rate.and_then(|rate| rates.get_mut(rate)) {
            verdicts.see(outcome.outcome);
        }
    }
    facts.subject(&metric::CITATION_INTEGRITY_RATE, !integrity.failed, integrity.judged(), integrity.broken);
    for ((rate, counts_failures), verdicts) in CITATION_RATES.iter().zip(rates) {
        let applies = *rate != metric::LOCATOR_RESOLUTION_RATE || citation.resolved;
        if applies {
            facts.subject(rate, verdicts.failed == *counts_failures, verdicts.judged(), verdicts.broken);
        }
    }
    own_rules(&citation.outcomes, None, Subject::Citation, table, facts);
}

/// Outcomes of the rules whose subject this is: a claim's record also holds the worst outcome of each citation rule,
/// and a citation's the outcome of each support rule on the pair alone, which are counted where they belong. A rule of severity error
/// whose `findings` are suspicions counts in neither direction; rules on citations are always certain.
fn own_rules(
    outcomes: &[OutcomeRecord<'_>],
    findings: Option<&[FindingRecord<'_>]>,
    subject: Subject,
    table: &RuleTable,
    facts: &mut Facts,
) {
    for outcome in outcomes {
        let Some((index, rule)) = table.rule(&outcome.rule).filter(|(_, rule)| rule.subject == subject) else {
            continue;
        };
        let is_open = rule.severity == Severity::Error
            && outcome.outcome == Outcome::Fail
            && findings.is_some_and(|findings| {
                let own = || findings.iter().filter(|finding| finding.rule == outcome.rule);
                own().next().is_some() && own().all(|finding| finding.certainty == Certainty::Triage)
            });
        facts.rule(index, outcome.outcome, is_open);
    }
}
