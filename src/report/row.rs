//! One finding, formatted and harmless, with everything that a machine format says of it. Rows are made case by case from the
//! records and never kept.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::anchor::anchor;
use super::answer;
use super::cluster::{severity_word, stage_word};
use super::visible::{one_line, short};
use crate::check::{Certainty, Severity, Stage};
use crate::dataset::Label;
use crate::dataset::folder::Dataset;
use crate::record::{CitationRecord, ClaimRecord, FindingRecord, SliceValues};
use crate::rules::Policy;
use crate::rules::policy::Mode;
use crate::run::{OneCase, RunJson};

/// Most characters of an id, a title or another short text.
const LONGEST_WORD: usize = 1_000;
/// Most characters of a claim or a message.
const LONGEST_TEXT: usize = 4_000;
/// Most characters of an excerpt.
const LONGEST_EXCERPT: usize = 1_000;

/// What rows need to know of a run before its first case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Background {
    /// Name and version of each dataset, in reading order.
    pub datasets: Vec<(String, Option<String>)>,
    /// The rules, by id.
    pub rules: BTreeMap<String, RuleFacts>,
    /// The team that owns each stage, where the policy names one.
    pub owners: BTreeMap<Stage, String>,
    /// Whether findings that the baseline has are known (`fail_on: new`): every other is then new.
    pub tells_new: bool,
}

/// What rows need to know of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleFacts {
    /// Its place among the rules of the run in order of their ids.
    pub index: usize,
    /// Its kind of check.
    pub check: String,
    /// Whether it only observes.
    pub observed: bool,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FindingRow {
    /// Id of the case.
    pub case_id: String,
    /// Id of the claim; empty where the finding is about the case.
    pub claim_id: String,
    /// Name of the dataset.
    pub dataset: String,
    /// Its version; empty where it has none.
    pub dataset_version: String,
    /// Data file of the case, as given or found.
    pub file: String,
    /// Its physical line there, from 1.
    pub line: u64,
    /// The rule.
    pub rule: String,
    /// The rule's kind of check.
    pub check: String,
    /// Stable code.
    pub code: String,
    /// How bad: `error`, `warning` or `note`; `observed` where the rule only observes.
    pub severity: &'static str,
    /// How sure: `final` or `triage` (a suspicion).
    pub certainty: &'static str,
    /// What it does to its case: `counts`, `confirmed` (counts, and a reviewer agrees), `observed`, `known` (the baseline has it) or
    /// `overturned` (a reviewer disagrees); the last three fail no case.
    pub state: &'static str,
    /// The claim's label; `uncited` and the like for a claim without one, `case` for a case.
    pub label: &'static str,
    /// Who decided the label: `rule:<id>`, `integrity`, `judge`, `review`; empty where nobody did.
    pub decided_by: String,
    /// What a suspicion suspects; empty where nothing is.
    pub suspected: &'static str,
    /// What the judge or the reviewer gave as a reason; empty where neither spoke.
    pub reason: String,
    /// The stage of the product at fault; empty where it cannot be told.
    pub stage: &'static str,
    /// The team that owns the stage; empty where none is named.
    pub owner: String,
    /// What was found, in one sentence.
    pub message: String,
    /// The claim; empty for a case.
    pub claim: String,
    /// Every id that the claim cites.
    pub cites: Vec<String>,
    /// The cited id that the finding is about, else the one that the excerpt below is of; empty where nothing is cited.
    pub citation: String,
    /// Its marker in the answer; empty where only the data cites.
    pub marker: String,
    /// `resolved`, `unresolved` or `withheld`; empty where nothing is cited.
    pub evidence: &'static str,
    /// Id of the document.
    pub source_id: String,
    /// Its version.
    pub source_version: String,
    /// Its title; empty where it is withheld.
    pub title: String,
    /// Its address; empty where it is withheld.
    pub uri: String,
    /// Where in the document, in words.
    pub locator: String,
    /// Its scope.
    pub scope: String,
    /// First byte of the excerpt in the unit's content.
    pub excerpt_start: Option<usize>,
    /// One past its last byte.
    pub excerpt_end: Option<usize>,
    /// The excerpt, shortened; empty where it is withheld.
    pub excerpt: String,
    /// SHA-256 of the whole excerpt, `sha256:…`; empty without one.
    pub excerpt_sha256: String,
    /// SHA-256 of the unit's whole content.
    pub content_sha256: String,
    /// Value of each slice dimension that the claim or case lies in.
    pub slices: BTreeMap<String, String>,
    /// Stable across runs.
    pub fingerprint: String,
    /// Anchor of the claim or case in the page.
    pub anchor: String,
}

impl Background {
    /// What is known before an evaluation; `tells_new`: see there.
    #[must_use]
    pub fn of_policy(policy: &Policy, datasets: &[Dataset], tells_new: bool) -> Self {
        let facts = policy.rules.iter().map(|rule| (rule.id.clone(), rule.kind.name, rule.mode == Mode::Observe));
        Self {
            datasets: datasets.iter().map(|dataset| (dataset.name.clone(), dataset.version.clone())).collect(),
            rules: rules(facts),
            owners: policy.owners.clone(),
            tells_new,
        }
    }

    /// The same of a run that is there.
    #[must_use]
    pub fn of_run(run: &RunJson) -> Self {
        let facts = run.rules.iter().map(|(id, rule)| (id.clone(), rule.check.as_str(), rule.observed));
        Self {
            datasets: run.datasets.iter().map(|dataset| (dataset.name.clone(), dataset.version.clone())).collect(),
            rules: rules(facts),
            owners: run.owners.clone(),
            tells_new: run.inputs.tells_new,
        }
    }

    /// Name and version of a dataset as reports name them.
    #[must_use]
    pub fn dataset(&self, index: usize) -> (String, String) {
        let Some((name, version)) = self.datasets.get(index) else { return Default::default() };
        (short(name, LONGEST_WORD), version.as_deref().map(word).unwrap_or_default())
    }
}

fn rules<'r>(facts: impl Iterator<Item = (String, &'r str, bool)>) -> BTreeMap<String, RuleFacts> {
    let by_id: BTreeMap<String, (&str, bool)> = facts.map(|(id, check, observed)| (id, (check, observed))).collect();
    let facts = |(index, (id, (check, observed))): (usize, (String, (&str, bool)))| {
        (id, RuleFacts { index, check: check.to_owned(), observed })
    };
    by_id.into_iter().enumerate().map(facts).collect()
}

fn word(text: &str) -> String {
    short(text, LONGEST_WORD)
}

fn of<T: AsRef<str>>(text: Option<&T>) -> String {
    text.map(|text| word(text.as_ref())).unwrap_or_default()
}

/// Hands the findings of a case to `each`, one row after the other: those of the case, then claim by claim. Where nothing is found,
/// nothing is done.
pub fn rows(background: &Background, one: &OneCase<'_, '_>, mut each: impl FnMut(&FindingRow)) {
    for finding in &one.case.findings {
        each(&row(background, one, None, finding));
    }
    for claim in one.claims {
        for finding in &claim.findings {
            each(&row(background, one, Some(claim), finding));
        }
    }
}

/// The row of a finding on a claim of a case, or on the case itself.
#[must_use]
pub fn row(
    background: &Background,
    one: &OneCase<'_, '_>,
    claim: Option<&ClaimRecord<'_>>,
    finding: &FindingRecord<'_>,
) -> FindingRow {
    let case = one.case;
    let (dataset, dataset_version) = background.dataset(one.dataset);
    let citations = claim.map_or(&case.citations, |claim| &claim.citations);
    let citation = evidence(finding, citations, claim.is_some());
    let unit = citation.and_then(|citation| answer::unit(case, citation));
    let excerpt = citation.and_then(|citation| citation.excerpt.as_ref());
    let owner = finding.stage.and_then(|stage| background.owners.get(&stage));
    FindingRow {
        case_id: word(&case.case_id),
        claim_id: claim.map(|claim| word(&claim.claim_id)).unwrap_or_default(),
        dataset,
        dataset_version,
        file: one_line(&case.file),
        line: case.line,
        rule: word(&finding.rule),
        check: background.rules.get(&*finding.rule).map(|rule| word(&rule.check)).unwrap_or_default(),
        code: word(&finding.code),
        severity: severity_word(finding.severity, finding.observed),
        certainty: if finding.certainty == Certainty::Triage { "triage" } else { "final" },
        state: state(finding),
        label: claim.map_or("case", |claim| answer::label_word(claim)),
        decided_by: claim.map(|claim| of(claim.decided_by.as_ref())).unwrap_or_default(),
        suspected: claim.and_then(|claim| claim.suspected).map_or("", Label::as_str),
        reason: claim
            .and_then(|claim| claim.reason.as_deref())
            .map(|reason| short(reason, LONGEST_TEXT))
            .unwrap_or_default(),
        stage: stage_word(finding.stage),
        owner: of(owner),
        message: short(&finding.message, LONGEST_TEXT),
        claim: claim.map(|claim| short(&claim.claim, LONGEST_TEXT)).unwrap_or_default(),
        cites: citations.iter().map(|citation| word(&citation.id)).collect(),
        citation: citation
            .map(|citation| word(&citation.id))
            .or_else(|| finding.citation.as_deref().map(word))
            .unwrap_or_default(),
        marker: of(citation.and_then(|citation| citation.raw.as_ref())),
        evidence: citation.map_or("", |citation| answer::state(citation).0),
        source_id: of(citation.and_then(|citation| citation.source_id.as_ref())),
        source_version: of(citation.and_then(|citation| citation.source_version.as_ref())),
        title: of(unit.and_then(|unit| unit.title.as_ref())),
        uri: of(unit.and_then(|unit| unit.canonical_uri.as_ref())),
        locator: citation.and_then(|citation| citation.locator.as_ref()).map(answer::locator).unwrap_or_default(),
        scope: of(unit.and_then(|unit| unit.scope_id.as_ref())),
        excerpt_start: excerpt.map(|excerpt| excerpt.start),
        excerpt_end: excerpt.map(|excerpt| excerpt.end),
        excerpt: citation.map(|citation| answer::excerpt_text(citation, LONGEST_EXCERPT)).unwrap_or_default(),
        excerpt_sha256: of(citation.and_then(|citation| citation.excerpt_sha256.as_ref())),
        content_sha256: of(unit.and_then(|unit| unit.raw.as_ref())),
        slices: slices(claim.map_or(&case.slices, |claim| &claim.slices)),
        fingerprint: word(&finding.fingerprint),
        anchor: anchor(&case.case_id, claim.map_or("", |claim| &claim.claim_id)),
    }
}

fn state(finding: &FindingRecord<'_>) -> &'static str {
    match () {
        () if finding.overturned => "overturned",
        () if finding.known => "known",
        () if finding.observed => "observed",
        () if finding.confirmed => "confirmed",
        () => "counts",
    }
}

fn slices(slices: &SliceValues<'_>) -> BTreeMap<String, String> {
    slices.iter().map(|(id, value)| (word(id), word(value))).collect()
}

/// Whether a finding fails its case.
#[must_use]
pub fn fails_case(finding: &FindingRecord<'_>) -> bool {
    finding.severity == Severity::Error && matches!(state(finding), "counts" | "confirmed")
}

/// The citation whose excerpt shows what is wrong: the one that the finding is about; of a finding on a claim the first that says
/// something else, else the first on which its rule fails, else the first with an excerpt, else the first.
fn evidence<'c, 'r>(
    finding: &FindingRecord<'_>,
    citations: &'c [CitationRecord<'r>],
    on_claim: bool,
) -> Option<&'c CitationRecord<'r>> {
    if let Some(id) = &finding.citation {
        return citations.iter().find(|citation| citation.id == *id);
    }
    let conflicts = |citation: &CitationRecord<'_>| citation.matches.iter().any(|found| found.conflicting);
    let fails = |citation: &CitationRecord<'_>| {
        let mut outcomes = citation.outcomes.iter();
        outcomes.any(|own| own.rule == finding.rule && own.outcome == crate::check::Outcome::Fail)
    };
    let rank = |citation: &&CitationRecord<'_>| match () {
        () if conflicts(citation) => 0,
        () if fails(citation) => 1,
        () if citation.excerpt.is_some() => 2,
        () => 3,
    };
    citations.iter().filter(|_| on_claim).min_by_key(rank)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::record::CaseRecord;
    use crate::report::fixture;

    fn rows_of(case: &serde_json::Value, claims: &[serde_json::Value]) -> Vec<FindingRow> {
        let lines: Vec<String> = claims.iter().map(ToString::to_string).collect();
        let case_line = case.to_string();
        let case: CaseRecord<'_> = serde_json::from_str(&case_line).expect("a case");
        let claims: Vec<ClaimRecord<'_>> =
            lines.iter().map(|line| serde_json::from_str(line).expect("a claim")).collect();
        let mut found = Vec::new();
        let background = Background::of_run(&fixture::run());
        rows(&background, &OneCase { dataset: 0, case: &case, claims: &claims }, |row| found.push(row.clone()));
        found
    }

    #[test]
    fn a_row_says_where_what_and_on_what_evidence() {
        let case = fixture::case("a", "How long?", "Backups are kept for 90 days [S1].", "en", 1);
        let pairs = [("90 days", "30 days", true)];
        let claim = fixture::claim(
            "a",
            "Backups are kept for 90 days.",
            "contradicted",
            "rule:number-not-in-evidence",
            "Backups are kept for 30 days.",
            &pairs,
        );
        let found = rows_of(&case, &[claim]);
        let [row] = found.as_slice() else { panic!("one finding, one row: {found:?}") };
        assert_eq!((row.case_id.as_str(), row.claim_id.as_str(), row.anchor.as_str()), ("a", "c1", "c-a.c1"));
        assert_eq!((row.dataset.as_str(), row.dataset_version.as_str()), ("helpdesk", "1.2.0"));
        assert_eq!((row.severity, row.certainty, row.state, row.label), ("error", "final", "counts", "contradicted"));
        assert_eq!((row.citation.as_str(), row.marker.as_str(), row.evidence), ("S1", "[S1]", "resolved"));
        assert_eq!(row.excerpt, "Backups are kept for 30 days.");
        assert_eq!((row.excerpt_start, row.excerpt_end), (Some(0), Some(29)));
        assert_eq!(row.locator, "section Limits · paragraph 4");
    }

    #[test]
    fn a_withheld_passage_is_in_no_row_and_its_hash_is() {
        let case = fixture::case("a", "How long?", "Kept [S1].", "en", 1);
        let mut claim = fixture::claim("a", "Kept.", "unreadable", "integrity", "secret", &[]);
        claim["citations"][0]["withheld"] = json!(true);
        let row = rows_of(&case, &[claim]).remove(0);
        assert_eq!((row.evidence, row.excerpt.as_str()), ("withheld", ""));
        assert!(row.excerpt_sha256.starts_with("sha256:"));
    }

    #[test]
    fn what_does_not_count_fails_no_case() {
        let case = fixture::case("a", "How long?", "Kept [S1].", "en", 1);
        let state = |key: &str| {
            let mut claim = fixture::claim("a", "Kept.", "contradicted", "rule:x", "Gone.", &[]);
            claim["findings"][0][key] = json!(true);
            let text = claim["findings"][0].to_string();
            let fails = serde_json::from_str::<FindingRecord<'_>>(&text).is_ok_and(|finding| fails_case(&finding));
            (rows_of(&case, &[claim]).remove(0).state, fails)
        };
        assert_eq!(state("observed"), ("observed", false));
        assert_eq!(state("known"), ("known", false));
        assert_eq!(state("overturned"), ("overturned", false));
        assert_eq!(state("confirmed"), ("confirmed", true));
    }
}
