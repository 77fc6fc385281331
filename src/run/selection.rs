//! Which cases and records a report shows, chosen in input order under a cap, and the count of all the rest.
//!
//! The same value is filled while evaluating and while reading a run folder again, from the same lines in the same
//! order; so both lead to the same report.

use std::collections::BTreeMap;

use crate::check::{Certainty, Severity, Stage};
use crate::dataset::Label;
use crate::record::{CaseRecord, ClaimRecord, FindingRecord, SliceValues};

/// Most records that a report shows, whatever their rules.
pub const MOST_RECORDS: usize = 1_000;
/// Findings of a rule, and of a code of it, that are shown even after the caps are reached, so that none is hidden by another.
pub const ALWAYS: u64 = 5;
/// Most bytes of lines that are kept for a report.
pub const MOST_BYTES: usize = 16 << 20;
/// A line longer than this is not shown; its findings are counted.
pub const LONGEST_LINE: usize = 1 << 20;
/// How many supported claims without a finding are shown as examples of what passed.
pub const EXAMPLES: usize = 5;
/// How many undecided claims without a finding are shown.
pub const UNDECIDED: usize = 20;
/// Most distinct (dimension, value) pairs that are counted for one cluster.
const MOST_SLICES: usize = 500;

/// What one case offers a report: its findings and the labels of its claims, without any text of the data.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Offer {
    /// The findings, those of the case first, then claim by claim.
    pub findings: Vec<OfferedFinding>,
    /// Label of each claim, in order.
    pub labels: Vec<Option<Label>>,
}

/// A finding without its text.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedFinding {
    /// Rule, code and stage, and how much the finding counts.
    pub cluster: ClusterKey,
    /// Index of the claim among those of the case; `None`: the finding is about the case.
    pub claim: Option<usize>,
    /// Slices of its subject.
    pub slices: Vec<(String, String)>,
}

/// What findings have in common. Ordered by how much they matter: those that count before observed and overturned ones,
/// errors first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClusterKey {
    /// Whether reviewers overturned the findings.
    pub overturned: bool,
    /// Whether the baseline has the findings and they fail no case.
    pub known: bool,
    /// Whether the rule only observes.
    pub observed: bool,
    /// How bad, worst first.
    pub severity: std::cmp::Reverse<Severity>,
    /// The rule.
    pub rule: String,
    /// The code.
    pub code: String,
    /// How sure.
    pub certainty: Certainty,
    /// The stage at fault; `None` where it cannot be told.
    pub stage: Option<Stage>,
}

/// Findings with one [`ClusterKey`], all of them counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cluster {
    /// How many findings.
    pub count: u64,
    /// In how many cases.
    pub cases: u64,
    /// How many findings lie in each (dimension, value).
    pub slices: BTreeMap<(String, String), u64>,
}

/// A case that is shown, with those of its claims that are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its line of `cases.jsonl`, without the line break.
    pub case: Vec<u8>,
    /// Whether the case itself has a finding to show.
    pub case_has_finding: bool,
    /// The lines of `records.jsonl` of the claims that are shown, with each claim's index in the case.
    pub claims: Vec<(usize, Vec<u8>)>,
}

/// What a report shows of cases and records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    findings_per_rule: u64,
    /// Cases that are shown, in input order.
    pub kept: Vec<Kept>,
    /// Every finding, counted.
    pub clusters: BTreeMap<ClusterKey, Cluster>,
    /// By rule: findings that count or are observed, and those that the baseline has (`known`), each with a share of its own, so
    /// that old defects do not hide new ones.
    shown: BTreeMap<String, Shown>,
    records: usize,
    bytes: usize,
    examples: usize,
    undecided: usize,
}

/// How many findings of a rule are shown: those that are not `known`, and those that are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Shown {
    all: [u64; 2],
    by_code: BTreeMap<String, [u64; 2]>,
}

impl Shown {
    fn is_wanted(&self, code: &str, share: usize, most: u64) -> bool {
        let below = |counts: &[u64; 2], most: u64| counts.get(share).is_some_and(|count| *count < most);
        below(&self.all, most) || self.by_code.get(code).is_none_or(|counts| below(counts, most.min(ALWAYS)))
    }

    fn count(&mut self, code: &str, share: usize) {
        let of_code = match self.by_code.get_mut(code) {
            Some(counts) => counts,
            None => self.by_code.entry(code.to_owned()).or_default(),
        };
        for counts in [&mut self.all, of_code] {
            if let Some(count) = counts.get_mut(share) {
                *count += 1;
            }
        }
    }
}

impl Offer {
    /// What a case and its claims offer.
    #[must_use]
    pub fn of(case: &CaseRecord<'_>, claims: &[ClaimRecord<'_>]) -> Offer {
        let mut findings: Vec<OfferedFinding> =
            case.findings.iter().map(|finding| offered(finding, None, &case.slices)).collect();
        for (index, claim) in claims.iter().enumerate() {
            findings.extend(claim.findings.iter().map(|finding| offered(finding, Some(index), &claim.slices)));
        }
        Offer { findings, labels: claims.iter().map(|claim| claim.label).collect() }
    }
}

fn offered(finding: &FindingRecord<'_>, claim: Option<usize>, slices: &SliceValues<'_>) -> OfferedFinding {
    OfferedFinding {
        cluster: ClusterKey {
            overturned: finding.overturned,
            known: finding.known,
            observed: finding.observed,
            severity: std::cmp::Reverse(finding.severity),
            rule: finding.rule.to_string(),
            code: finding.code.to_string(),
            certainty: finding.certainty,
            stage: finding.stage,
        },
        claim,
        slices: slices.iter().map(|(id, value)| (id.to_string(), value.to_string())).collect(),
    }
}

impl Selection {
    /// Nothing yet; a report will show at most `findings_per_rule` findings of one rule.
    #[must_use]
    pub fn new(findings_per_rule: u64) -> Self {
        Self {
            findings_per_rule,
            kept: Vec::new(),
            clusters: BTreeMap::new(),
            shown: BTreeMap::new(),
            records: 0,
            bytes: 0,
            examples: 0,
            undecided: 0,
        }
    }

    /// Offers the next case in input order. `record_lines` holds the lines of its claims, in order, each ended by a
    /// line break. What is kept depends on the offers so far and on nothing else.
    pub fn offer(&mut self, offer: &Offer, case_line: &[u8], record_lines: &[u8]) {
        self.count(offer);
        let case_line = case_line.strip_suffix(b"\n").unwrap_or(case_line);
        let mut kept = Kept { case: Vec::new(), case_has_finding: false, claims: Vec::new() };
        if case_line.len() > LONGEST_LINE {
            return;
        }
        kept.case_has_finding = self.wants(offer, None);
        self.records += usize::from(kept.case_has_finding);
        let mut rest = record_lines;
        for index in 0..offer.labels.len() {
            if rest.is_empty() {
                break;
            }
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = rest.get(..end).unwrap_or_default();
            rest = rest.get(end + 1..).unwrap_or_default();
            if line.len() <= LONGEST_LINE && (self.wants(offer, Some(index)) || self.is_example(offer, index)) {
                self.records += 1;
                self.bytes += line.len();
                kept.claims.push((index, line.to_vec()));
            }
        }
        if kept.case_has_finding || !kept.claims.is_empty() {
            self.bytes += case_line.len();
            kept.case = case_line.to_vec();
            self.kept.push(kept);
        }
    }

    /// Number of findings of a rule, all of them.
    #[must_use]
    pub fn total(&self, rule: &str) -> u64 {
        self.clusters.iter().filter(|(key, _)| key.rule == rule).map(|(_, cluster)| cluster.count).sum()
    }

    fn count(&mut self, offer: &Offer) {
        let mut seen: Vec<&ClusterKey> = Vec::new();
        for finding in &offer.findings {
            let cluster = match self.clusters.get_mut(&finding.cluster) {
                Some(cluster) => cluster,
                None => self.clusters.entry(finding.cluster.clone()).or_default(),
            };
            cluster.count += 1;
            if !seen.contains(&&finding.cluster) {
                cluster.cases += 1;
                seen.push(&finding.cluster);
            }
            for slice in &finding.slices {
                if let Some(count) = cluster.slices.get_mut(slice) {
                    *count += 1;
                } else if cluster.slices.len() < MOST_SLICES {
                    cluster.slices.insert(slice.clone(), 1);
                }
            }
        }
    }

    fn is_full(&self) -> bool {
        self.records >= MOST_RECORDS || self.bytes >= MOST_BYTES
    }

    /// Whether a finding on this claim (or on the case) is still to be shown; counts those that will be.
    fn wants(&mut self, offer: &Offer, claim: Option<usize>) -> bool {
        let of_claim = || offer.findings.iter().filter(|f| f.claim == claim).map(|f| &f.cluster);
        let most = if self.is_full() { self.findings_per_rule.min(ALWAYS) } else { self.findings_per_rule };
        let wanted = of_claim().any(|ClusterKey { rule, code, known, .. }| {
            let shown = self.shown.get(rule);
            most > 0 && shown.is_none_or(|shown| shown.is_wanted(code, usize::from(*known), most))
        });
        if wanted {
            for ClusterKey { rule, code, known, .. } in of_claim() {
                let shown = match self.shown.get_mut(rule) {
                    Some(shown) => shown,
                    None => self.shown.entry(rule.clone()).or_default(),
                };
                shown.count(code, usize::from(*known));
            }
        }
        wanted
    }

    /// Whether a claim without a finding is shown as an example of what passed or of what nobody could decide.
    fn is_example(&mut self, offer: &Offer, claim: usize) -> bool {
        if self.is_full() || offer.findings.iter().any(|finding| finding.claim == Some(claim)) {
            return false;
        }
        let (count, most) = match offer.labels.get(claim).copied().flatten() {
            Some(Label::Supported) => (&mut self.examples, EXAMPLES),
            Some(Label::Undecided) => (&mut self.undecided, UNDECIDED),
            _ => return false,
        };
        let is_wanted = *count < most;
        *count += usize::from(is_wanted);
        is_wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Reverse;

    fn finding(rule: &str, claim: Option<usize>) -> OfferedFinding {
        OfferedFinding {
            cluster: ClusterKey {
                overturned: false,
                known: false,
                observed: false,
                severity: Reverse(Severity::Error),
                rule: rule.into(),
                code: "unknown-id".into(),
                certainty: Certainty::Final,
                stage: Some(Stage::Generation),
            },
            claim,
            slices: vec![("language".into(), "de".into())],
        }
    }

    fn failing(rule: &str) -> Offer {
        Offer { findings: vec![finding(rule, Some(1))], labels: vec![None, Some(Label::Insufficient)] }
    }

    #[test]
    fn findings_beyond_the_cap_are_counted_and_not_kept() {
        let mut selection = Selection::new(3);
        for case in 0..10_000 {
            selection.offer(&failing("numbers"), format!("case {case}").as_bytes(), b"first\nsecond\n");
        }
        assert_eq!(selection.kept.len(), 3);
        assert_eq!(selection.kept[2].case, b"case 2");
        assert_eq!(selection.kept[2].claims, vec![(1, b"second".to_vec())]);
        assert_eq!(selection.total("numbers"), 10_000);
        let cluster = selection.clusters.values().next().expect("one cluster");
        assert_eq!((cluster.count, cluster.cases), (10_000, 10_000));
        assert_eq!(cluster.slices[&("language".into(), "de".into())], 10_000);
    }

    #[test]
    fn a_rare_rule_is_shown_after_a_frequent_one_filled_its_share() {
        let mut selection = Selection::new(2);
        for _ in 0..5 {
            selection.offer(&failing("frequent"), b"a", b"x\ny\n");
        }
        selection.offer(&failing("rare"), b"b", b"x\ny\n");
        assert_eq!(selection.kept.iter().map(|kept| kept.case.as_slice()).collect::<Vec<_>>(), [b"a", b"a", b"b"]);
    }

    #[test]
    fn a_rare_code_is_shown_after_a_frequent_one_filled_the_rule() {
        let mut selection = Selection::new(6);
        for _ in 0..20 {
            selection.offer(&failing("numbers"), b"often", b"x\ny\n");
        }
        let mut rare = failing("numbers");
        rare.findings[0].cluster.code = "number-conflicting".into();
        for _ in 0..20 {
            selection.offer(&rare, b"rare", b"x\ny\n");
        }
        let of = |case: &[u8]| selection.kept.iter().filter(|kept| kept.case == case).count();
        assert_eq!((of(b"often"), of(b"rare")), (6, usize::try_from(ALWAYS).unwrap_or_default()));
    }

    #[test]
    fn new_findings_are_shown_after_old_ones_filled_their_share() {
        let mut selection = Selection::new(2);
        let mut old = failing("numbers");
        old.findings[0].cluster.known = true;
        for _ in 0..5 {
            selection.offer(&old, b"old", b"x\ny\n");
        }
        selection.offer(&failing("numbers"), b"new", b"x\ny\n");
        assert_eq!(
            selection.kept.iter().map(|kept| kept.case.as_slice()).collect::<Vec<_>>(),
            [&b"old"[..], b"old", b"new"]
        );
    }

    #[test]
    fn records_have_an_overall_cap() {
        let mut selection = Selection::new(u64::MAX);
        for case in 0..2_000 {
            selection.offer(&failing(&format!("rule-{}", case % 50)), b"c", b"x\ny\n");
        }
        assert_eq!(selection.kept.len(), MOST_RECORDS);
        for _ in 0..10 {
            selection.offer(&failing("late"), b"late", b"x\ny\n");
        }
        assert_eq!(selection.kept.len(), MOST_RECORDS + 5, "a rule that comes late is still shown");
    }

    #[test]
    fn a_giant_line_is_counted_but_not_kept() {
        let mut selection = Selection::new(10);
        selection.offer(&failing("r"), &vec![b'x'; LONGEST_LINE + 1], b"x\ny\n");
        let mut lines = vec![b'y'; LONGEST_LINE + 1];
        lines.extend_from_slice(b"\nz\n");
        let offer = Offer { findings: vec![finding("r", Some(0))], labels: vec![None, None] };
        selection.offer(&offer, b"case", &lines);
        assert!(selection.kept.is_empty());
        assert_eq!(selection.total("r"), 2);
    }

    #[test]
    fn a_case_finding_keeps_the_case_without_claims() {
        let mut selection = Selection::new(10);
        let offer = Offer { findings: vec![finding("r", None)], labels: vec![None] };
        selection.offer(&offer, b"case\n", b"x\n");
        assert_eq!(selection.kept, vec![Kept { case: b"case".to_vec(), case_has_finding: true, claims: vec![] }]);
    }

    #[test]
    fn a_few_claims_that_passed_are_kept_as_examples() {
        let mut selection = Selection::new(10);
        for _ in 0..40 {
            let offer = Offer { findings: vec![], labels: vec![Some(Label::Supported), Some(Label::Undecided), None] };
            selection.offer(&offer, b"case", b"a\nb\nc\n");
        }
        let lines: Vec<&[u8]> =
            selection.kept.iter().flat_map(|k| &k.claims).map(|(_, line)| line.as_slice()).collect();
        assert_eq!(lines.iter().filter(|line| **line == b"a").count(), EXAMPLES);
        assert_eq!(lines.iter().filter(|line| **line == b"b").count(), UNDECIDED);
        assert!(!lines.contains(&&b"c"[..]));
    }
}
