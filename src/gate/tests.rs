//! Gates on small tallies, with verdicts, effects and sentences worked out by hand.

use super::*;
use crate::dataset::Label;
use crate::rules::metric::{self, Metric};
use crate::rules::policy::{Reactions, TargetSlices};
use crate::tally::fixture::{Fixture, case, citation, claim, claims_in_cases, count, four_cases, table};

fn decimal(text: &str) -> Bound {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let mantissa = format!("{whole}{part}").parse().expect("a decimal");
    Bound { text: text.to_owned(), mantissa, scale: u32::try_from(part.len()).expect("short") }
}

fn target(slices: TargetSlices) -> Target {
    Target {
        slices,
        min: None,
        max: None,
        max_drop: None,
        max_rise: None,
        relative: false,
        min_samples: 0,
        confidence: None,
    }
}

fn min(bound: &str) -> Target {
    Target { min: Some(decimal(bound)), ..target(TargetSlices::Overall) }
}

fn max(bound: &str) -> Target {
    Target { max: Some(decimal(bound)), ..target(TargetSlices::Overall) }
}

fn on(target: Target, slices: TargetSlices) -> Target {
    Target { slices, ..target }
}

fn gate(metric: Metric, target: Target) -> Gate {
    Gate {
        id: "g".to_owned(),
        place: "rules/gates.yaml:3".to_owned(),
        metric_name: table().metric_name(&metric),
        metric,
        average: Average::Micro,
        targets: vec![target],
        severity: Severity::Error,
        on: Reactions {
            no_data: Reaction::Fail,
            too_few: Reaction::Fail,
            inconclusive_drop: Reaction::Warn,
            inconclusive: Reaction::Fail,
            missing_baseline: Reaction::Fail,
            missing_slice: Reaction::Fail,
            removed_cases: Reaction::Fail,
        },
        max_broken: decimal("1"),
        description: None,
        membership_of_baseline: false,
    }
}

fn judged(gate: Gate, fixtures: &[Fixture]) -> Vec<GateResult> {
    judge(&[gate], &count(fixtures, &table()), &table(), &[]).results
}

/// The only result of a gate.
fn one(gate: Gate, fixtures: &[Fixture]) -> GateResult {
    let mut results = judged(gate, fixtures);
    assert_eq!(results.len(), 1);
    results.remove(0)
}

/// 6 of 28 claims in German are contradicted, in 28 cases.
fn german() -> Vec<Fixture> {
    let cited = |label| claim(Some(label), Some("rule:numbers"), vec![citation("d1", true, "policy", &[])], &[]);
    let label = |index| if index < 6 { Label::Contradicted } else { Label::Supported };
    (0..28).map(|index| case("de", vec![cited(label(index))])).collect()
}

#[test]
fn a_broken_bound_says_value_place_fraction_and_bound() {
    let language_de = TargetSlices::One(0, "de".to_owned());
    let result = one(gate(metric::DEFECT_RATE, on(max("0.08"), language_de)), &german());
    assert_eq!((result.verdict, result.effect, result.cause), (Verdict::Fail, Effect::Fail, Cause::Bound));
    assert_eq!(result.reason, "defect rate in language=de is 21.4 % (6 of 28), at most 8 % allowed");
    assert_eq!((result.listed.numerator, result.listed.denominator), (Some(6), 28));
    assert_eq!(result.bounds, Bounds { max: Some("0.08".to_owned()), ..Bounds::default() });
}

#[test]
fn bounds_are_inclusive_and_exact() {
    // Correctness is 2 of 5 in the four cases.
    for (target, verdict) in [
        (min("0.4"), Verdict::Pass),
        (min("0.40"), Verdict::Pass),
        (max("0.4"), Verdict::Pass),
        (min("0.400000000000000001"), Verdict::Fail),
        (max("0.399999999999999999"), Verdict::Fail),
        (min("0"), Verdict::Pass),
        (max("1"), Verdict::Pass),
    ] {
        let bound = (target.min.clone(), target.max.clone());
        assert_eq!(one(gate(metric::CITATION_CORRECTNESS, target), &four_cases()).verdict, verdict, "{bound:?}");
    }
    // A third has no decimal: 0.333… is under it and over it is 0.334.
    let thirds = claims_in_cases(3, 1, 1);
    assert_eq!(one(gate(metric::CITATION_CORRECTNESS, min("0.333333333333333333")), &thirds).verdict, Verdict::Pass);
    assert_eq!(one(gate(metric::CITATION_CORRECTNESS, min("0.333333333333333334")), &thirds).verdict, Verdict::Fail);
}

#[test]
fn a_value_between_two_bounds_keeps_both() {
    let between = Target { max: Some(decimal("1.5")), ..min("0.5") };
    let result = one(gate(metric::CITATIONS_PER_CLAIM, between), &four_cases());
    assert_eq!(result.verdict, Verdict::Pass);
    assert_eq!(result.reason, "citations per claim is 1 (6 for 6), at least 0.5 required and at most 1.5 allowed");
    let below = Target { max: Some(decimal("0.9")), ..min("0.5") };
    assert_eq!(one(gate(metric::CITATIONS_PER_CLAIM, below), &four_cases()).verdict, Verdict::Fail);
}

#[test]
fn a_macro_average_is_compared_as_an_exact_fraction() {
    let mean = |target| Gate { average: Average::Macro, ..gate(metric::CITATION_CORRECTNESS, target) };
    // (1/2 + 0 + 0 + 1) / 4 = 0.375.
    let result = one(mean(min("0.375")), &four_cases());
    assert_eq!(result.verdict, Verdict::Pass);
    assert_eq!(result.reason, "citation correctness is 37.5 % (mean over 4 cases), at least 37.5 % required");
    assert_eq!((result.listed.numerator, result.listed.denominator), (None, 4));
    assert_eq!(one(mean(min("0.375000000000000001")), &four_cases()).verdict, Verdict::Fail);
}

#[test]
fn nothing_measured_is_no_data_and_never_a_pass_by_accident() {
    let result = one(gate(metric::JUDGE_BROKEN_RATE, max("0.01")), &four_cases());
    assert_eq!((result.verdict, result.effect, result.cause), (Verdict::NoData, Effect::Fail, Cause::NoData));
    assert_eq!(result.reason, "judge broken rate has no data: 0 verdicts asked for");
    assert_eq!(result.listed.value, None);
    let result = one(gate(metric::OUT_OF_RANGE_RATE, max("0")), &german());
    assert_eq!((result.verdict, result.listed.value), (Verdict::NoData, None));
    assert_eq!(result.reason, "out of range rate has no data: 0 citations that an `id-range` rule judged");
    let result = one(gate(Metric::Rule(9), min("1")), &german());
    assert_eq!(result.reason, "pass rate of rule scores has no data: the rule judged nothing");
    let empty = one(gate(metric::CASE_PASS_RATE, min("1")), &[]);
    assert_eq!((empty.verdict, empty.effect), (Verdict::NoData, Effect::Fail));
}

#[test]
fn a_slice_that_never_occurred_is_no_data() {
    let language_xx = TargetSlices::One(0, "xx".to_owned());
    let result = one(gate(metric::DEFECT_RATE, on(max("0.08"), language_xx)), &german());
    assert_eq!((result.verdict, result.effect, result.cause), (Verdict::NoData, Effect::Fail, Cause::NoData));
    assert_eq!(result.reason, "defect rate in language=xx has no data: nothing in the data lies there");
    let nowhere = one(gate(metric::DEFECT_RATE, on(max("0.08"), TargetSlices::EachOf(0))), &[]);
    assert_eq!((nowhere.verdict, nowhere.effect), (Verdict::NoData, Effect::Fail));
    assert_eq!(nowhere.slice, SliceKey::Value { dimension: "language".to_owned(), value: "*".to_owned() });
}

#[test]
fn by_judges_every_value_but_those_that_have_bounds_of_their_own() {
    let by = on(max("0.3"), TargetSlices::EachOf(0));
    let german = on(max("0.5"), TargetSlices::One(0, "de".to_owned()));
    let gate = Gate { targets: vec![by, german], ..gate(metric::DEFECT_RATE, max("0")) };
    let results = judged(gate, &four_cases());
    // English: a2 of three cited claims; German: b1 of two, allowed one half.
    let seen: Vec<_> = results.iter().map(|result| (result.reason.as_str(), result.verdict)).collect();
    assert_eq!(
        seen,
        [
            ("defect rate in language=en is 33.3 % (1 of 3), at most 30 % allowed", Verdict::Fail),
            ("defect rate in language=de is 50 % (1 of 2), at most 50 % allowed", Verdict::Pass),
        ]
    );
}

#[test]
fn too_few_samples_are_inconclusive_and_fail_by_default() {
    let few = Target { min_samples: 29, ..max("0.5") };
    let result = one(gate(metric::DEFECT_RATE, few.clone()), &german());
    assert_eq!((result.verdict, result.effect, result.cause), (Verdict::Inconclusive, Effect::Fail, Cause::TooFew));
    assert_eq!(
        result.reason,
        "defect rate is 21.4 % (6 of 28): too few to judge, at least 29 cited verifiable claims are asked for"
    );
    let enough = Target { min_samples: 28, ..max("0.5") };
    assert_eq!(one(gate(metric::DEFECT_RATE, enough), &german()).verdict, Verdict::Pass);
    // A macro average counts cases: 4 claims in 2 cases are 2.
    let cases = Gate { average: Average::Macro, ..gate(metric::DEFECT_RATE, Target { min_samples: 3, ..max("1") }) };
    assert_eq!(one(cases, &claims_in_cases(2, 2, 4)).cause, Cause::TooFew);
}

#[test]
fn reactions_decide_the_effect_and_leave_the_verdict() {
    for (reaction, effect) in
        [(Reaction::Fail, Effect::Fail), (Reaction::Warn, Effect::Warn), (Reaction::Pass, Effect::Pass)]
    {
        let mut lenient = gate(metric::DEFECT_RATE, Target { min_samples: 29, ..max("0.5") });
        lenient.on.too_few = reaction;
        let result = one(lenient, &german());
        assert_eq!((result.verdict, result.effect), (Verdict::Inconclusive, effect));
    }
}

#[test]
fn warnings_and_notes_never_fail_a_run() {
    for (severity, effect) in [(Severity::Warning, Effect::Warn), (Severity::Note, Effect::Pass)] {
        let broken = Gate { severity, ..gate(metric::DEFECT_RATE, max("0.08")) };
        let result = one(broken, &german());
        assert_eq!((result.verdict, result.effect), (Verdict::Warn, effect));
        let empty = Gate { severity, ..gate(metric::JUDGE_BROKEN_RATE, max("0.08")) };
        let result = one(empty, &german());
        assert_eq!((result.verdict, result.effect), (Verdict::NoData, effect));
    }
}

#[test]
fn broken_evaluations_fail_a_gate_over_max_broken() {
    // Of six citations that a `resolves` rule was asked about, one broke: 1/6 = 16.7 %.
    let strict = |share: &str| Gate { max_broken: decimal(share), ..gate(metric::UNKNOWN_CITATION_RATE, max("1")) };
    let result = one(strict("0"), &four_cases());
    assert_eq!((result.verdict, result.effect, result.cause), (Verdict::Fail, Effect::Fail, Cause::Broken));
    assert_eq!(
        result.reason,
        "unknown citation rate cannot be trusted: 1 subject could not be evaluated (16.7 % of those asked for, \
         at most 0 % allowed)"
    );
    assert_eq!(one(strict("0.16"), &four_cases()).cause, Cause::Broken);
    assert_eq!(one(strict("0.17"), &four_cases()).verdict, Verdict::Pass);
}

#[test]
fn skipped_lines_and_missing_answers_break_every_gate() {
    let table = table();
    let mut tally = count(&german(), &table);
    tally.add_skipped_lines(1);
    tally.add_missing_answers(1);
    // 2 of 28 + 2.
    let of = |share: &str| Gate { max_broken: decimal(share), ..gate(metric::DEFECT_RATE, max("0.5")) };
    let result = judge(&[of("0.06")], &tally, &table, &[]).results.remove(0);
    assert_eq!((result.verdict, result.cause, result.broken), (Verdict::Fail, Cause::Broken, 2));
    assert_eq!(
        result.reason,
        "defect rate cannot be trusted: 2 subjects could not be evaluated (6.7 % of those asked for, at most 6 % \
         allowed, skipped lines and missing answers among them: 2)"
    );
    assert_eq!(judge(&[of("0.07")], &tally, &table, &[]).results.remove(0).verdict, Verdict::Pass);
    let mut empty = crate::tally::Tally::new(&table);
    empty.add_skipped_lines(1);
    assert_eq!(judge(&[of("0")], &empty, &table, &[]).results.remove(0).cause, Cause::Broken);
}

#[test]
fn a_drop_without_a_baseline_is_never_a_silent_pass() {
    let drop = Target { max_drop: Some(decimal("0.01")), ..target(TargetSlices::Overall) };
    let result = one(gate(metric::CITATION_CORRECTNESS, drop.clone()), &four_cases());
    assert_eq!((result.verdict, result.effect, result.cause), (Verdict::NoData, Effect::Fail, Cause::MissingBaseline));
    assert!(result.reason.contains("no baseline"), "{}", result.reason);
    // Beside an absolute bound: a bound that breaks is said first, one that holds leaves the missing baseline to decide.
    let both = |bound: &str| Target { min: Some(decimal(bound)), ..drop.clone() };
    let broken = one(gate(metric::CITATION_CORRECTNESS, both("0.5")), &four_cases());
    assert_eq!((broken.verdict, broken.cause), (Verdict::Fail, Cause::Bound));
    let held = one(gate(metric::CITATION_CORRECTNESS, both("0.4")), &four_cases());
    assert_eq!((held.verdict, held.cause), (Verdict::NoData, Cause::MissingBaseline));
    let mut lenient = gate(metric::CITATION_CORRECTNESS, both("0.4"));
    lenient.on.missing_baseline = Reaction::Pass;
    let result = one(lenient, &four_cases());
    assert_eq!((result.verdict, result.effect), (Verdict::Pass, Effect::Pass));
    assert!(result.reason.contains("no baseline"), "{}", result.reason);
}

#[test]
fn confidence_passes_fails_or_leaves_open() {
    let sure = |bound: Target| Target { confidence: Some(decimal("0.95")), ..bound };
    // All of 51 claims in 51 cases: X = 51²·0.05² = 6.5025 < Y = 2.7055·51·0.95·0.05 = 6.5542; with 52 it is enough.
    let all = |cases| claims_in_cases(cases, 1, cases);
    let open = one(gate(metric::CITATION_CORRECTNESS, sure(min("0.95"))), &all(51));
    assert_eq!((open.verdict, open.effect, open.cause), (Verdict::Inconclusive, Effect::Fail, Cause::Inconclusive));
    // Lower limit: p = 1, z² = 2.7055: 1/(1 + 2.7055/51) = 0.94962.
    assert_eq!(
        open.reason,
        "citation correctness is 100 % (51 of 51), at least 95 % required; too few to show it at confidence 0.95 \
         (lower limit 94.96 %)"
    );
    let shown = one(gate(metric::CITATION_CORRECTNESS, sure(min("0.95"))), &all(52));
    assert_eq!((shown.verdict, shown.effect), (Verdict::Pass, Effect::Pass));
    // Mirrored: no defect in 52 shows `max: 0.05`.
    assert_eq!(one(gate(metric::DEFECT_RATE, sure(max("0.05"))), &all(52)).verdict, Verdict::Pass);
    assert_eq!(one(gate(metric::DEFECT_RATE, sure(max("0.05"))), &all(51)).verdict, Verdict::Inconclusive);
    // 6 of 28 against 0.08: X = (6−2.24)² = 14.14 ≥ Y = 2.7055·(28/27)·28·0.08·0.92 = 5.78: shown to be over.
    let over = one(gate(metric::DEFECT_RATE, sure(max("0.08"))), &german());
    assert_eq!((over.verdict, over.cause), (Verdict::Fail, Cause::Bound));
    assert_eq!(over.confidence.as_deref(), Some("0.95"));
    let (low, high) = over.interval.expect("asked for");
    assert!(low > 0.08 && high < 0.5, "{low} {high}");
}

#[test]
fn clustered_claims_need_more_cases() {
    let sure = Target { confidence: Some(decimal("0.95")), ..min("0.95") };
    // 104 claims in 52 cases of two, all supported: deff = n/m = 2, X = 27.04 ≥ Y = 26.73; in 51 cases 26.01 < 26.22.
    assert_eq!(
        one(gate(metric::CITATION_CORRECTNESS, sure.clone()), &claims_in_cases(52, 2, 104)).verdict,
        Verdict::Pass
    );
    let open = one(gate(metric::CITATION_CORRECTNESS, sure), &claims_in_cases(51, 2, 102));
    assert_eq!(open.verdict, Verdict::Inconclusive);
    assert!(open.reason.ends_with("(lower limit 94.96 %, design effect 2.00)"), "{}", open.reason);
    // 36 of 40 in ten cases of four, one of them all wrong: deff = 40/9. Against 0.75 that is X = 36 < Y = 90.18, where
    // 40 independent claims would have shown it (20.29).
    let sure = Target { confidence: Some(decimal("0.95")), ..min("0.75") };
    let clustered = one(gate(metric::CITATION_CORRECTNESS, sure), &claims_in_cases(10, 4, 36));
    assert_eq!(clustered.verdict, Verdict::Inconclusive);
}

#[test]
fn confidence_is_not_made_up_where_no_test_is_defined() {
    let sure = |bound: Target| Target { confidence: Some(decimal("0.95")), ..bound };
    for gate in [gate(metric::CITATIONS_PER_CLAIM, sure(max("2"))), gate(metric::CITATION_F1, sure(min("0.1")))] {
        let result = one(gate, &four_cases());
        assert_eq!((result.verdict, result.interval), (Verdict::Inconclusive, None));
        assert!(result.reason.ends_with("no confidence bound is defined for this metric and average"));
    }
}

#[test]
fn a_run_passes_only_where_something_was_measured_and_nothing_fails() {
    let table = table();
    let pass = gate(metric::DEFECT_RATE, max("0.5"));
    let warn = Gate { severity: Severity::Warning, ..gate(metric::DEFECT_RATE, max("0.08")) };
    let fail = gate(metric::DEFECT_RATE, max("0.08"));
    let mut lenient = gate(metric::JUDGE_BROKEN_RATE, max("0.08"));
    lenient.on.no_data = Reaction::Pass;
    let tally = count(&german(), &table);
    let decide = |gates: &[Gate]| judge(gates, &tally, &table, &[]);
    assert!(decide(std::slice::from_ref(&pass)).passes());
    assert!(decide(&[pass.clone(), warn]).passes());
    assert!(!decide(&[pass.clone(), fail]).passes());
    assert!(decide(&[pass, lenient.clone()]).passes());
    let nothing = decide(&[lenient]);
    assert!(!nothing.measured && !nothing.passes(), "a gate over nothing that may pass is still nothing measured");
    assert!(!decide(&[]).passes());
}

#[test]
fn text_from_data_cannot_break_a_sentence() {
    let hostile =
        case("a\u{1b}[31m\nb", vec![claim(Some(Label::Supported), None, vec![citation("d", true, "p", &[])], &[])]);
    let results = judged(gate(metric::DEFECT_RATE, on(max("0.5"), TargetSlices::EachOf(0))), &[hostile]);
    assert!(results[0].reason.chars().all(|c| !c.is_control()), "{:?}", results[0].reason);
}
