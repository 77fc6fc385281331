//! Gates against baselines, on cases whose counts are worked out by hand.

use std::borrow::Cow;

use super::super::{Against, Cause, Decision, Effect, GateResult, Verdict, judge, wanted};
use crate::check::{Outcome, Severity};
use crate::dataset::Label;
use crate::record::outline::CaseOutline;
use crate::rules::metric::{self, Average, Metric};
use crate::rules::policy::{Bound, Gate, Reaction, Reactions, Target, TargetSlices};
use crate::tally::fixture::{Fixture, case, citation, claim, count, table};
use crate::tally::paired::{PairedTally, Sides};

/// A case: id, language, how many of its claims are supported, and out of how many.
type Counted = (&'static str, &'static str, usize, usize);

fn fixture(&(id, language, supported, claims): &Counted) -> Fixture {
    let cited = || vec![citation("d1", true, "policy", &[("unknown", Outcome::Pass)])];
    let label = |index: usize| if index < supported { Label::Supported } else { Label::Contradicted };
    let mut fixture = case(
        language,
        (0..claims).map(|index| claim(Some(label(index)), Some("rule:numbers"), cited(), &[])).collect(),
    );
    fixture.case.case_id = Cow::Borrowed(id);
    fixture
}

fn decimal(text: &str) -> Bound {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let mantissa = format!("{whole}{part}").parse().expect("digits");
    Bound { text: text.to_owned(), mantissa, scale: u32::try_from(part.len()).expect("short") }
}

fn target(max_drop: &str) -> Target {
    Target {
        slices: TargetSlices::Overall,
        min: None,
        max: None,
        max_drop: Some(decimal(max_drop)),
        max_rise: None,
        relative: false,
        min_samples: 1,
        confidence: None,
    }
}

fn gate(metric: Metric, target: Target) -> Gate {
    let reaction = Reaction::Fail;
    Gate {
        id: "g".to_owned(),
        place: "rules/gates.yaml:3".to_owned(),
        metric_name: table().metric_name(&metric),
        metric,
        average: Average::Micro,
        targets: vec![target],
        severity: Severity::Error,
        on: Reactions {
            no_data: reaction,
            too_few: reaction,
            inconclusive: reaction,
            inconclusive_drop: Reaction::Warn,
            missing_baseline: reaction,
            missing_slice: reaction,
            removed_cases: reaction,
        },
        max_broken: decimal("0"),
        description: None,
        membership_of_baseline: false,
    }
}

fn correctness(target: Target) -> Gate {
    gate(metric::CITATION_CORRECTNESS, target)
}

/// Pairs two runs, in as many parts as are asked for.
fn paired(gates: &[Gate], before: &[Counted], now: &[Counted], parts: usize) -> PairedTally {
    let table = table();
    let index = table.index();
    let sides = Sides { baseline: &table, now: &table, baseline_index: &index, now_index: &index, are_alike: true };
    let outline = |counted: &Counted| {
        let fixture = fixture(counted);
        CaseOutline::of(&fixture.case, &fixture.claims, &index).into_owned()
    };
    let mut ids: Vec<&str> = before.iter().chain(now).map(|(id, ..)| *id).collect();
    ids.sort_unstable();
    ids.dedup();
    let find = |cases: &[Counted], id: &str| cases.iter().find(|(own, ..)| *own == id).map(outline);
    let mut all = PairedTally::new(wanted(gates));
    for part in (0..parts).rev() {
        let mut own = PairedTally::new(wanted(gates));
        for id in ids.iter().skip(part).step_by(parts) {
            own.add(find(before, id).as_ref(), find(now, id).as_ref(), &sides);
        }
        all.merge(&own);
    }
    all
}

fn decide(gates: &[Gate], before: &[Counted], now: &[Counted], parts: usize) -> Decision {
    let paired = paired(gates, before, now, parts);
    let max_changed = decimal("0.05");
    let against = Against {
        name: "",
        missing: None,
        refused: None,
        unknown_dimensions: &[],
        paired: &paired,
        max_changed: &max_changed,
    };
    let fixtures: Vec<Fixture> = now.iter().map(fixture).collect();
    judge(gates, &count(&fixtures, &table()), &table(), &[against])
}

fn only(gate: Gate, before: &[Counted], now: &[Counted]) -> GateResult {
    decide(&[gate], before, now, 1).results.remove(0)
}

/// 9 of 10, then 8 of 10.
const BEFORE: [Counted; 2] = [("a", "en", 5, 5), ("b", "de", 4, 5)];
const NOW: [Counted; 2] = [("a", "en", 5, 5), ("b", "de", 3, 5)];

#[test]
fn a_drop_as_large_as_the_bound_keeps_it() {
    for (bound, verdict) in
        [("0.1", Verdict::Pass), ("0.0999", Verdict::Fail), ("0", Verdict::Fail), ("1", Verdict::Pass)]
    {
        let result = only(correctness(target(bound)), &BEFORE, &NOW);
        assert_eq!(result.verdict, verdict, "{bound}: {}", result.reason);
    }
    let result = only(correctness(target("0.05")), &BEFORE, &NOW);
    assert_eq!(
        result.reason,
        "citation correctness fell from 90 % (9 of 10) to 80 % (8 of 10) against the baseline: 10 points worse, at most \
         5 points allowed"
    );
    assert_eq!(result.comparisons[0].counts, Some([9, 10, 8, 10]));
    // What got better keeps every bound.
    let result = only(correctness(target("0")), &NOW, &BEFORE);
    assert_eq!((result.verdict, result.effect), (Verdict::Pass, Effect::Pass));
}

#[test]
fn a_relative_bound_is_a_share_of_the_baselines_value() {
    // A ninth of 90 % is 10 points.
    for (bound, verdict) in [("0.1112", Verdict::Pass), ("0.1111", Verdict::Fail)] {
        let result = only(correctness(Target { relative: true, ..target(bound) }), &BEFORE, &NOW);
        assert_eq!(result.verdict, verdict, "{}", result.reason);
    }
}

#[test]
fn a_rise_of_what_should_be_low_is_worse() {
    for (bound, verdict) in [("0.1", Verdict::Pass), ("0.09", Verdict::Fail)] {
        let rise = Target { max_drop: None, max_rise: Some(decimal(bound)), ..target("0") };
        let result = only(gate(metric::DEFECT_RATE, rise), &BEFORE, &NOW);
        assert_eq!(result.verdict, verdict, "{}", result.reason);
        assert!(
            result.reason.starts_with("defect rate rose from 10 % (1 of 10) to 20 % (2 of 10)"),
            "{}",
            result.reason
        );
    }
}

#[test]
fn a_macro_average_compares_cases() {
    // 1/1 and 1/4: 62.5 %, then 0/1 and 4/4: 50 %; over claims it rose from 2/5 to 4/5.
    let before = [("a", "en", 1, 1), ("b", "en", 1, 4)];
    let now = [("a", "en", 0, 1), ("b", "en", 4, 4)];
    let mut of_cases = correctness(target("0.12"));
    assert_eq!(only(of_cases.clone(), &before, &now).verdict, Verdict::Pass);
    of_cases.average = Average::Macro;
    let result = only(of_cases.clone(), &before, &now);
    assert_eq!(result.verdict, Verdict::Fail, "{}", result.reason);
    assert!(result.reason.contains("12.5 points worse, at most 12 points allowed"), "{}", result.reason);
    of_cases.targets[0].max_drop = Some(decimal("0.125"));
    assert_eq!(only(of_cases, &before, &now).verdict, Verdict::Pass);
}

#[test]
fn removed_cases_and_a_drop_are_said_side_by_side() {
    let now = [("b", "de", 3, 5)];
    let result = only(correctness(target("0")), &BEFORE, &now);
    assert_eq!((result.verdict, result.cause), (Verdict::Fail, Cause::RemovedCases));
    let mut lenient = correctness(target("0"));
    lenient.on.removed_cases = Reaction::Warn;
    let result = only(lenient.clone(), &BEFORE, &now);
    assert_eq!((result.verdict, result.cause), (Verdict::Fail, Cause::Bound));
    assert!(result.reason.starts_with("1 of the baseline's 2 cases is gone from the run; "), "{}", result.reason);
    assert!(result.reason.contains("fell from 80 % (4 of 5) to 60 % (3 of 5)"), "{}", result.reason);
    // Without a drop the removed case alone warns.
    let result = only(lenient, &BEFORE, &[("b", "de", 4, 5)]);
    assert_eq!((result.effect, result.cause), (Effect::Warn, Cause::RemovedCases));
}

#[test]
fn a_case_that_has_no_claims_any_more_counts_as_lost() {
    // Of 4/5 and 5/5 the second answers with nothing that can be checked: 9/10, then 4/5.
    let before = [("a", "en", 4, 5), ("b", "en", 5, 5)];
    let now = [("a", "en", 4, 5), ("b", "en", 0, 0)];
    let result = only(correctness(target("0.05")), &before, &now);
    assert_eq!(result.verdict, Verdict::Fail, "{}", result.reason);
    let all_gone = [("a", "en", 0, 0), ("b", "en", 0, 0)];
    let result = only(correctness(target("1")), &before, &all_gone);
    assert_eq!((result.verdict, result.effect), (Verdict::NoData, Effect::Fail), "{}", result.reason);
}

#[test]
fn slices_of_a_gate_are_tested_together() {
    // In each of two languages five of five changed cases got worse: p = 1/32 alone, 1/16 among two.
    let cases = |language: &'static str, right: usize| -> Vec<Counted> {
        let ids: [&'static str; 10] = match language {
            "de" => ["d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9"],
            _ => ["e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8", "e9"],
        };
        ids.iter().enumerate().map(|(at, id)| (*id, language, usize::from(at < right), 1)).collect()
    };
    let both = |right: usize| [cases("de", right), cases("en", right)].concat();
    let by_language = |confidence: &str| {
        correctness(Target { slices: TargetSlices::EachOf(0), confidence: Some(decimal(confidence)), ..target("0.01") })
    };
    for (confidence, verdict) in [("0.9", Verdict::Fail), ("0.95", Verdict::Inconclusive)] {
        let decision = decide(&[by_language(confidence)], &both(10), &both(5), 1);
        assert_eq!(decision.results.len(), 2);
        for result in &decision.results {
            assert_eq!(result.verdict, verdict, "{}", result.reason);
            assert_eq!((result.comparisons[0].p, result.comparisons[0].adjusted_p), (Some(0.03125), Some(0.0625)));
        }
        assert_eq!(decision.passes(), verdict == Verdict::Inconclusive);
    }
    // Alone, the same drop is shown.
    let decision = decide(&[by_language("0.95")], &cases("de", 10), &cases("de", 5), 1);
    assert_eq!(decision.results[0].verdict, Verdict::Fail, "{}", decision.results[0].reason);
}

#[test]
fn any_partition_gives_the_same_decision() {
    let gates = [
        correctness(Target { slices: TargetSlices::EachOf(0), confidence: Some(decimal("0.9")), ..target("0.01") }),
        Gate { average: Average::Macro, ..correctness(Target { confidence: Some(decimal("0.9")), ..target("0.1") }) },
        gate(metric::CASE_PASS_RATE, target("0")),
    ];
    let before: Vec<Counted> =
        vec![("a", "en", 3, 3), ("b", "de", 2, 4), ("c", "de", 1, 1), ("d", "fr", 5, 5), ("e", "en", 2, 2)];
    let now: Vec<Counted> =
        vec![("a", "en", 1, 3), ("b", "de", 3, 5), ("c", "en", 0, 1), ("e", "en", 2, 2), ("f", "it", 1, 1)];
    let whole = decide(&gates, &before, &now, 1);
    for parts in 2..7 {
        assert_eq!(decide(&gates, &before, &now, parts), whole, "{parts} parts");
    }
    let causes: Vec<Cause> = whole.results.iter().map(|result| result.cause).collect();
    assert!(causes.contains(&Cause::MissingSlice) && causes.contains(&Cause::NewSlice), "{causes:?}");
}
