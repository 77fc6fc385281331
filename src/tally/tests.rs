//! Every metric on four cases, worked out by hand; the laws of the monoid.

use proptest::prelude::*;

use super::fixture::{self, Fixture, count, four_cases, labels, table};
use super::*;
use crate::check::Outcome;
use crate::record::FindingRecord;
use crate::record::outline::CaseOutline;
use crate::rules::metric::{self, Average};

fn key(dimension: &str, value: &str) -> SliceKey {
    SliceKey::Value { dimension: dimension.to_owned(), value: value.to_owned() }
}

/// K, N, broken and broken outside the denominator.
fn counted(tally: &Tally, slice: &SliceKey, metric: &Metric) -> (u64, u64, u64, u64) {
    let counts = tally.slice(slice).and_then(|slice| slice.counts(metric)).cloned().unwrap_or_default();
    (counts.k, counts.n, counts.broken, counts.broken_outside)
}

#[test]
fn every_metric_overall_is_what_a_person_counts() {
    let table = table();
    let tally = count(&four_cases(), &table);
    for (metric, expected) in [
        // a and b have an error finding, a unknown evaluation broke in c; d passes.
        (metric::CASE_PASS_RATE, (1, 4, 1, 0)),
        (metric::CITATION_PRECISION, (2, 4, 0, 0)),
        (metric::CITATION_RECALL, (2, 5, 0, 0)),
        (metric::WEIGHTED_RECALL, (4, 5, 0, 0)),
        // Judged: d1 of a1 (range-too fails), d2, x9, the stray d3, d1 of d; of c's citation the one evaluation broke.
        (metric::CITATION_INTEGRITY_RATE, (2, 5, 1, 1)),
        (metric::UNKNOWN_CITATION_RATE, (1, 5, 1, 1)),
        // d1 of a1 was judged by two id-range rules and counts once, as failed.
        (metric::OUT_OF_RANGE_RATE, (1, 2, 0, 0)),
        (metric::UNAUTHORIZED_CITATION_RATE, (1, 2, 0, 0)),
        (metric::STALE_CITATION_RATE, (1, 2, 0, 0)),
        // x9 was judged too but does not resolve.
        (metric::LOCATOR_RESOLUTION_RATE, (1, 2, 0, 0)),
        (metric::CLAIM_COVERAGE, (5, 6, 0, 0)),
        (metric::RESOLVED_COVERAGE, (4, 6, 0, 0)),
        (metric::CITATION_CORRECTNESS, (2, 5, 1, 0)),
        (metric::SUPPORTED_AND_CITED, (2, 6, 1, 0)),
        (metric::DEFECT_RATE, (2, 5, 1, 0)),
        (metric::CONTRADICTION_RATE, (1, 5, 1, 0)),
        (metric::INSUFFICIENT_RATE, (0, 5, 1, 0)),
        (metric::PARTIAL_RATE, (0, 5, 1, 0)),
        (metric::UNREADABLE_RATE, (0, 5, 1, 0)),
        (metric::UNRESOLVED_RATE, (1, 5, 1, 0)),
        (metric::UNDECIDED_RATE, (1, 5, 1, 0)),
        (metric::PLACEMENT_RATE, (1, 2, 0, 0)),
        (metric::JUDGE_BROKEN_RATE, (0, 0, 0, 0)),
        // a1 right, a2 wrong, b2 without a label, c1 undecided because an evaluation broke.
        (metric::LABEL_ACCURACY, (1, 4, 1, 0)),
        // Alarms with an expectation: a2 (rightly) and the undecided c1 (wrongly).
        (metric::DEFECT_PRECISION, (1, 2, 1, 0)),
        // Expected defects: a2 (seen) and the uncited b2 (not seen).
        (metric::DEFECT_RECALL, (1, 2, 0, 0)),
        (metric::REFUSAL_RATE, (1, 4, 0, 0)),
        (metric::FALSE_REFUSAL_RATE, (1, 2, 0, 0)),
        // Five citations of claims and the stray one, six verifiable claims.
        (metric::CITATIONS_PER_CLAIM, (6, 6, 0, 0)),
        // A rule that observes still has its own rate: a1 fails, a2 passes.
        (Metric::Rule(8), (1, 2, 0, 0)),
        (Metric::Rule(0), (4, 5, 1, 1)),
        (Metric::Rule(9), (0, 1, 0, 0)),
    ] {
        assert_eq!(counted(&tally, &SliceKey::Overall, &metric), expected, "{}", table.metric_name(&metric));
    }
}

#[test]
fn rates_over_labels_sum_to_one_with_correctness() {
    let tally = count(&four_cases(), &table());
    let parts = [
        metric::CITATION_CORRECTNESS,
        metric::CONTRADICTION_RATE,
        metric::INSUFFICIENT_RATE,
        metric::PARTIAL_RATE,
        metric::UNREADABLE_RATE,
        metric::UNRESOLVED_RATE,
        metric::UNDECIDED_RATE,
    ];
    let sum: u64 = parts.iter().map(|metric| counted(&tally, &SliceKey::Overall, metric).0).sum();
    assert_eq!(sum, counted(&tally, &SliceKey::Overall, &metric::CITATION_CORRECTNESS).1);
}

#[test]
fn averages_are_exact() {
    let tally = count(&four_cases(), &table());
    let value = |metric, average| tally.overall().value(&metric, average).map(|value| value.lowest_terms());
    // Micro P = 2/4, R = 2/5, and so f1 = 2·2·2/(2·5+2·4) = 8/18.
    assert_eq!(value(metric::CITATION_F1, Average::Micro), Some((Some(4), 9)));
    // Macro P = (1/2 + 0/1 + 1/1)/3; R = (1/2 + 0/2 + 1/1)/3; f1 of the two cases that have both: (1/2 + 1)/2.
    assert_eq!(value(metric::CITATION_PRECISION, Average::Macro), Some((Some(1), 2)));
    assert_eq!(value(metric::CITATION_RECALL, Average::Macro), Some((Some(1), 2)));
    assert_eq!(value(metric::CITATION_F1, Average::Macro), Some((Some(3), 4)));
    // Per case: a 1/2, b 0/1, c 0/1, d 1/1.
    assert_eq!(value(metric::CITATION_CORRECTNESS, Average::Macro), Some((Some(3), 8)));
    assert_eq!(value(metric::JUDGE_BROKEN_RATE, Average::Micro), None);
    assert_eq!(value(metric::JUDGE_BROKEN_RATE, Average::Macro), None);
}

#[test]
fn f1_of_two_zeros_is_zero_and_of_one_side_is_no_data() {
    let table = table();
    let mut nothing_right = fixture::case("en", Vec::new());
    nothing_right.case.scores.citation_precision = (0, 2);
    nothing_right.case.scores.citation_recall = (0, 3);
    let tally = count(&[nothing_right], &table);
    for average in [Average::Micro, Average::Macro] {
        let value = tally.overall().value(&metric::CITATION_F1, average);
        assert_eq!(value.map(|value| value.lowest_terms()), Some((Some(0), 1)));
    }
    let mut nothing_cited = fixture::case("en", Vec::new());
    nothing_cited.case.scores.citation_recall = (0, 3);
    let tally = count(&[nothing_cited], &table);
    assert_eq!(tally.overall().value(&metric::CITATION_PRECISION, Average::Micro), None);
    assert_eq!(tally.overall().value(&metric::CITATION_F1, Average::Micro), None);
    assert_eq!(tally.overall().value(&metric::CITATION_F1, Average::Macro), None);
}

#[test]
fn undecided_claims_widen_correctness_to_a_range() {
    let tally = count(&four_cases(), &table());
    assert_eq!(tally.overall().range(&metric::CITATION_CORRECTNESS), Some((0.4, 0.6)));
    assert_eq!(tally.overall().range(&metric::DEFECT_RATE), None);
}

#[test]
fn slices_hold_what_lies_in_them() {
    let table = table();
    let tally = count(&four_cases(), &table);
    let (de, no, faq) = (key("language", "de"), key("numeric", "no"), key("family", "faq"));
    assert_eq!(counted(&tally, &de, &metric::CLAIM_COVERAGE), (2, 3, 0, 0));
    assert_eq!(counted(&tally, &de, &metric::CASE_PASS_RATE), (0, 2, 1, 0));
    // Only a2 is in numeric=no, with its citation d2; case metrics have no claim slices.
    assert_eq!(counted(&tally, &no, &metric::CONTRADICTION_RATE), (1, 1, 0, 0));
    assert_eq!(counted(&tally, &no, &metric::STALE_CITATION_RATE), (1, 1, 0, 0));
    assert_eq!(counted(&tally, &no, &metric::CASE_PASS_RATE), (0, 0, 0, 0));
    assert_eq!(counted(&tally, &no, &metric::CITATIONS_PER_CLAIM), (1, 1, 0, 0));
    // Slices of citations hold citations alone; the stray d3 lies in family=policy too.
    assert_eq!(counted(&tally, &faq, &metric::UNKNOWN_CITATION_RATE), (0, 1, 0, 0));
    assert_eq!(counted(&tally, &faq, &metric::CLAIM_COVERAGE), (0, 0, 0, 0));
    assert_eq!(counted(&tally, &key("family", "policy"), &metric::UNKNOWN_CITATION_RATE), (1, 4, 1, 1));
    let sizes = |key: &SliceKey| tally.slice(key).map(|slice| (slice.cases, slice.claims, slice.citations));
    assert_eq!(sizes(&SliceKey::Overall), Some((4, 7, 6)));
    assert_eq!(sizes(&de), Some((2, 4, 3)));
    assert_eq!(sizes(&no), Some((1, 1, 1)));
    assert_eq!(sizes(&faq), Some((1, 0, 1)));
    assert_eq!(sizes(&key("language", "fr")), None);
    let values = |dimension: usize| tally.values(&table.dimensions[dimension]).iter().map(|v| v.0).collect::<Vec<_>>();
    assert_eq!(values(0), ["de", "en"]);
    assert_eq!(values(1), ["yes", "no"], "in the declared order, not that of the alphabet");
}

#[test]
fn labels_rules_and_findings_are_counted() {
    let table = table();
    let tally = count(&four_cases(), &table);
    let expected = [("supported", 2), ("contradicted", 1), ("unresolved", 1), ("undecided", 1)];
    assert_eq!(labels(tally.overall()), expected.into());
    let by_decider: Vec<_> = tally.overall().labels_by_decider().collect();
    assert_eq!(
        by_decider,
        [
            ("integrity", Label::Unresolved, 1),
            ("nobody", Label::Undecided, 1),
            ("rule:facts", Label::Supported, 2),
            ("rule:numbers", Label::Contradicted, 1),
        ]
    );
    let rules = tally.rule_counts();
    assert_eq!(rules["unknown"], RuleCounts { pass: 4, fail: 1, broken: 1, ..RuleCounts::default() });
    assert_eq!(rules["watched"], RuleCounts { pass: 1, fail: 1, ..RuleCounts::default() });
    assert_eq!(rules.len(), 10);
    let findings: Vec<_> = tally.finding_counts().into_iter().collect();
    let expected = [("numbers", 2), ("unknown", 1), ("watched", 1)];
    assert_eq!(findings, expected.map(|(rule, count)| (rule.to_owned(), count)));
}

#[test]
fn an_overturned_finding_fails_no_case_and_stays_a_failure_of_its_rule() {
    let table = table();
    let cited = || vec![fixture::citation("d1", true, "policy", &[])];
    let mut overturned = fixture::claim(Some(Label::Supported), Some("review"), cited(), &[("numbers", Outcome::Fail)]);
    overturned.findings = vec![FindingRecord { overturned: true, ..fixture::finding("numbers") }];
    let mut confirmed = fixture::claim(Some(Label::Partial), Some("review"), cited(), &[("numbers", Outcome::Fail)]);
    confirmed.findings = vec![
        FindingRecord { confirmed: true, ..fixture::finding("numbers") },
        FindingRecord { confirmed: true, ..fixture::finding("watched") },
    ];
    let tally = count(&[fixture::case("en", vec![overturned]), fixture::case("de", vec![confirmed])], &table);
    assert_eq!(counted(&tally, &SliceKey::Overall, &metric::CASE_PASS_RATE), (1, 2, 0, 0));
    assert_eq!(counted(&tally, &key("language", "en"), &metric::CASE_PASS_RATE), (1, 1, 0, 0));
    // Both stay in the denominators, by the reviewer's labels.
    assert_eq!(counted(&tally, &SliceKey::Overall, &metric::CITATION_CORRECTNESS), (1, 2, 0, 0));
    assert_eq!(counted(&tally, &SliceKey::Overall, &metric::DEFECT_RATE), (1, 2, 0, 0));
    let rules = tally.rule_counts();
    assert_eq!(rules["numbers"], RuleCounts { fail: 2, confirmed: 1, overturned: 1, ..RuleCounts::default() });
    assert_eq!((rules["watched"].confirmed, rules["watched"].overturned), (1, 0));
    assert_eq!(tally.finding_counts()["numbers"], 2);
    let mut read: Tally = serde_json::from_slice(&bytes(&tally)).expect("what was just written");
    read.merge(&tally).expect("same table");
    assert_eq!((read.rule_counts()["numbers"].confirmed, read.rule_counts()["numbers"].overturned), (2, 2));
}

#[test]
fn what_waits_for_a_reviewer_is_added_up() {
    let table = table();
    let mut left = Tally::new(&table);
    let mut counts = ReviewCounts::default();
    counts.add(&[OpenReason::Suspected, OpenReason::Lapsed]);
    counts.add(&[]);
    left.add_review(&counts);
    let mut right: Tally = serde_json::from_slice(&bytes(&left)).expect("what was just written");
    right.add_review(&counts);
    left.merge(&right).expect("same table");
    assert_eq!((left.review().open, left.review().reasons), (3, [3, 0, 0, 0, 3]));
}

#[test]
fn a_rate_whose_check_never_ran_is_no_data() {
    let table = table();
    let mut claim = fixture::claim(Some(Label::Supported), None, vec![fixture::citation("d1", true, "p", &[])], &[]);
    claim.citations[0].outcomes.clear();
    let tally = count(&[fixture::case("en", vec![claim])], &table);
    for metric in [
        metric::UNKNOWN_CITATION_RATE,
        metric::OUT_OF_RANGE_RATE,
        metric::UNAUTHORIZED_CITATION_RATE,
        metric::STALE_CITATION_RATE,
        metric::CITATION_INTEGRITY_RATE,
        metric::LOCATOR_RESOLUTION_RATE,
        metric::PLACEMENT_RATE,
        metric::CASE_PASS_RATE,
    ] {
        assert_eq!(tally.overall().value(&metric, Average::Micro), None);
        assert_eq!(tally.overall().listed(&metric, Average::Micro).value, None);
    }
    assert!(tally.overall().value(&metric::CITATION_CORRECTNESS, Average::Micro).is_some());
}

#[test]
fn always_listed_metrics_stand_there_without_data() {
    let table = table();
    let entries = Tally::new(&table).metric_entries(&table, &[]);
    let names: Vec<&str> = entries.iter().map(|entry| entry.metric.as_str()).collect();
    assert!(names.contains(&"citation_correctness") && names.contains(&"citations_per_claim"));
    assert!(names.contains(&"stale_citation_rate"), "overall every metric is listed, measured or not");
    assert!(
        entries.iter().all(|entry| entry.listed == Listed { numerator: entry.listed.numerator, ..Listed::default() })
    );
    let macros = entries.iter().filter(|entry| entry.average == Average::Macro).count();
    assert_eq!(macros, 4, "the citation scores");
}

#[test]
fn too_many_values_are_refused_by_name() {
    let table = table();
    let languages = ["a", "b", "c", "d", "e"];
    let mut tally = count(&languages.map(|language| fixture::case(language, Vec::new())), &table);
    let sixth = fixture::case("f", Vec::new());
    let expected = TallyError::TooManyValues { dimension: "language".into(), limit: 5 };
    assert_eq!(tally.clone().add(&sixth.case, &[], &table), Err(expected.clone()));
    assert_eq!(tally.merge(&count(&[sixth], &table)), Err(expected));
}

#[test]
fn tallies_of_other_rules_are_not_merged() {
    let mut tally = Tally::new(&table());
    let other = Tally::new(&RuleTable::new(Vec::new(), Vec::new()));
    assert_eq!(tally.merge(&other), Err(TallyError::DifferentTables));
}

#[test]
fn what_was_lost_is_kept_apart_and_added() {
    let table = table();
    let (mut left, mut right) = (Tally::new(&table), Tally::new(&table));
    left.add_skipped_lines(2);
    right.add_skipped_lines(3);
    right.add_missing_answers(1);
    left.merge(&right).expect("same table");
    assert_eq!((left.skipped_lines(), left.missing_answers(), left.cases()), (5, 1, 0));
}

fn bytes(tally: &Tally) -> Vec<u8> {
    serde_json::to_vec(tally).expect("integers and text")
}

/// A case of random labels, outcomes, scores and slices.
fn any_case() -> impl Strategy<Value = Fixture> {
    let outcome = prop::sample::select(vec![Outcome::Pass, Outcome::Fail, Outcome::NotApplicable, Outcome::Broken]);
    let label = prop::sample::select(Label::ALL.to_vec());
    let claim = (label, outcome, 0..3usize, 0..200u64).prop_map(|(label, outcome, citations, seed)| {
        let family = ["policy", "faq"][usize::try_from(seed % 2).unwrap_or(0)];
        let citation = || fixture::citation("d", seed % 3 > 0, family, &[("unknown", outcome), ("range", outcome)]);
        let cited = (0..citations).map(|_| citation()).collect();
        let decided_by = ["rule:numbers", "integrity"].get(usize::try_from(seed % 3).unwrap_or(0)).copied();
        let mut claim = fixture::claim((citations > 0).then_some(label), decided_by, cited, &[("numbers", outcome)]);
        claim.expected = (seed % 5 == 0).then_some(label);
        let mut finding = fixture::finding("numbers");
        (finding.overturned, finding.confirmed) = (seed % 4 == 0, seed % 4 == 1);
        claim.findings = vec![finding];
        claim
    });
    let claims = prop::collection::vec(claim, 0..5);
    let language = prop::sample::select(vec!["de", "en", "fr"]);
    (claims, language, 0..300u64, 1..5_000_000u64).prop_map(|(claims, language, k, n)| {
        let mut fixture = fixture::case(language, claims);
        fixture.case.scores.citation_precision = (k % 7, 7 + n % 5);
        fixture.case.scores.citation_recall = (k % 3, 3 + n % 90);
        fixture.case.scores.weighted_recall = (k.min(n), n);
        fixture
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any partition of a dataset, tallied apart and merged in any order, gives the same bytes.
    #[test]
    fn merging_is_a_commutative_monoid(
        cases in prop::collection::vec((any_case(), 0..4usize), 0..24),
        order in Just(vec![0usize, 1, 2, 3]).prop_shuffle(),
    ) {
        let table = table();
        let fixtures: Vec<Fixture> = cases.iter().map(|(fixture, _)| fixture.clone()).collect();
        let whole = count(&fixtures, &table);
        let part = |index: usize| {
            let own: Vec<_> = cases.iter().filter(|(_, part)| *part == index).map(|(fixture, _)| fixture.clone()).collect();
            count(&own, &table)
        };
        let mut merged = Tally::new(&table);
        for index in order {
            merged.merge(&part(index)).expect("same table");
        }
        prop_assert_eq!(&merged, &whole);
        prop_assert_eq!(bytes(&merged), bytes(&whole));
        // Associative: ((0+1)+(2+3)).
        let (mut left, mut right) = (part(0), part(2));
        left.merge(&part(1)).expect("same table");
        right.merge(&part(3)).expect("same table");
        left.merge(&right).expect("same table");
        prop_assert_eq!(bytes(&left), bytes(&whole));
    }

    /// A tally that was written and read back is the same tally, and still merges.
    #[test]
    fn reading_gives_back_what_was_written(fixtures in prop::collection::vec(any_case(), 0..12)) {
        let tally = count(&fixtures, &table());
        let mut read: Tally = serde_json::from_slice(&bytes(&tally)).expect("what was just written");
        prop_assert_eq!(&read, &tally);
        prop_assert_eq!(bytes(&read), bytes(&tally));
        read.merge(&tally).expect("same table");
        prop_assert_eq!(read.cases(), tally.cases() * 2);
    }

    /// Values are finite and ratios lie between 0 and 1; nothing out of nothing has no value.
    #[test]
    fn outlines_are_counted_like_the_records_that_they_were_made_of(
        fixtures in prop::collection::vec(any_case(), 0..12),
    ) {
        let table = table();
        let index = table.index();
        let mut tally = Tally::new(&table);
        for Fixture { case, claims } in &fixtures {
            let line = serde_json::to_string(&CaseOutline::of(case, claims, &index)).expect("JSON");
            let outline: CaseOutline<'_> = serde_json::from_str(&line).expect("an outline");
            prop_assert_eq!(&outline, &outline.clone().into_owned());
            let (case, claims) = outline.to_records(&index);
            tally.add(&case, &claims, &table).expect("few values");
        }
        prop_assert_eq!(bytes(&tally), bytes(&count(&fixtures, &table)));
    }

    #[test]
    fn values_are_ratios_or_absent(fixtures in prop::collection::vec(any_case(), 0..12)) {
        let table = table();
        for entry in count(&fixtures, &table).metric_entries(&table, &[]) {
            let is_ratio = entry.metric != "citations_per_claim";
            match entry.listed.value {
                Some(value) => prop_assert!(value.is_finite() && value >= 0.0 && (value <= 1.0 || !is_ratio)),
                None => prop_assert_eq!(entry.listed.denominator, 0),
            }
        }
    }
}
