//! Two sides of a few cases, and by hand what is different.

use serde_json::{Value, json};

use super::*;
use crate::diagnostic::Problem;
use crate::run::delta::Measured;
use crate::run::flips::fixture::{case, contradicted, head, store, supported};
use crate::run::outline::Head;

fn difference(before: (&Head, &[Value]), after: (&Head, &[Value])) -> Result<Difference, Problem> {
    let side = |path: &str, (head, cases): (&Head, &[Value])| Side::of_outlines(path, store(head, cases));
    compare(side("before", before), side("after", after), None)
}

/// The same head with a slice of cases.
fn sliced() -> Head {
    let mut head = head("p1");
    let language = json!({"id": "language", "level": "case", "max_values": 200});
    head.dimensions.push(serde_json::from_value(language).expect("a dimension"));
    head
}

fn spoken(id: &str, language: &str, claims: &[Value]) -> Value {
    let mut case = case(id, claims);
    case["slices"] = json!({"language": language});
    case
}

fn metric<'d>(difference: &'d Difference, name: &str, slice: &[(&str, &str)]) -> &'d MetricDelta {
    let slice: BTreeMap<String, String> = slice.iter().map(|(id, v)| ((*id).to_owned(), (*v).to_owned())).collect();
    let found = difference.metrics.iter().find(|metric| metric.metric == name && metric.slice == slice);
    found.expect("the metric")
}

fn counts(measured: Option<&Measured>) -> Option<(Option<u64>, u64)> {
    measured.map(|measured| (measured.numerator, measured.denominator))
}

#[test]
fn values_are_those_of_both_sides_and_what_was_not_measured_has_none() {
    let before = [spoken("a", "de", &[supported("c1", "t")]), spoken("b", "en", &[supported("c1", "u")])];
    let after = [spoken("a", "de", &[contradicted("c1", "t")]), spoken("b", "en", &[supported("c1", "u")])];
    let difference = difference((&sliced(), &before), (&sliced(), &after)).expect("comparable");
    let overall = metric(&difference, "citation_correctness", &[]);
    assert_eq!(counts(overall.all.before.as_ref()), Some((Some(2), 2)));
    assert_eq!(counts(overall.all.after.as_ref()), Some((Some(1), 2)));
    assert_eq!((overall.all.delta, overall.direction()), (Some(-0.5), Some(Direction::Worse)));
    let rise = metric(&difference, "defect_rate", &[("language", "de")]);
    assert_eq!((rise.all.delta, rise.direction()), (Some(1.0), Some(Direction::Worse)));
    assert!(!metric(&difference, "defect_rate", &[("language", "en")]).has_moved());
    // No rule asked a judge: that is no 0.
    let nothing = metric(&difference, "judge_broken_rate", &[]);
    assert_eq!((&nothing.all.before, nothing.all.delta, nothing.has_moved()), (&None, None, false));
    // With the same cases on both sides there is nothing to say of those that both have.
    assert!(overall.shared.is_none());
    // In de one of one, overall one of two: 1·√1 before ½·√2.
    assert_eq!(difference.metrics[0].slice.get("language").map(String::as_str), Some("de"));
    assert_eq!(difference.change, Change::Worse);
}

#[test]
fn dropping_hard_cases_looks_better_only_over_all_cases() {
    let before = [spoken("a", "de", &[contradicted("c1", "t")]), spoken("b", "en", &[supported("c1", "u")])];
    let after = [spoken("b", "en", &[supported("c1", "u")])];
    let difference = difference((&sliced(), &before), (&sliced(), &after)).expect("comparable");
    let overall = metric(&difference, "citation_correctness", &[]);
    assert_eq!(overall.all.delta, Some(0.5));
    let shared = overall.shared.as_ref().expect("over shared cases");
    assert_eq!((counts(shared.before.as_ref()), shared.delta), (Some((Some(1), 1)), Some(0.0)));
    // Neither better nor worse, but a case and a slice are gone.
    assert_eq!(overall.direction(), None);
    let de = BTreeMap::from([("language".to_owned(), "de".to_owned())]);
    assert_eq!(difference.gone_slices, [LoneSlice { slice: de, cases: 1 }]);
    assert_eq!((difference.change, difference.is_empty()), (Change::Worse, false));
}

#[test]
fn a_slice_that_one_policy_declares_is_neither_gone_nor_new() {
    let before = [case("a", &[supported("c1", "t")])];
    let after = [spoken("a", "de", &[supported("c1", "t")])];
    let mut difference = difference((&head("p1"), &before), (&sliced(), &after)).expect("comparable");
    assert!(difference.gone_slices.is_empty() && difference.new_slices.is_empty());
    let slice = metric(&difference, "citation_correctness", &[("language", "de")]);
    assert_eq!((slice.presence, slice.all.before.is_none()), (Presence::OneSided, true));
    let what: Vec<&str> = difference.identity.iter().map(|mismatch| mismatch.what.as_str()).collect();
    assert_eq!(what, ["slices"]);
    assert_eq!(difference.change, Change::Same);
    difference.keep_what_moved();
    assert!(difference.metrics.is_empty());
}

#[test]
fn runs_without_a_question_in_common_are_not_compared() {
    let problem = |after: Value| {
        let before = [case("a", &[])];
        difference((&head("p1"), &before), (&head("p1"), &[after])).expect_err("not comparable").to_string()
    };
    assert!(problem(case("b", &[])).contains("no id that is in both (cases there: 1, here: 1)"));
    let mut asked = case("a", &[]);
    asked["question"] = json!("another");
    assert!(problem(asked).contains("another question in each case whose id is in both (1)"));
}
