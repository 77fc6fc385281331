//! Two runs of a few cases, and by hand what flipped between them.

use serde_json::{Value, json};

use super::fixture::{case, contradicted, head, store, supported};
use super::*;

fn flips(before: &[Value], after: &[Value]) -> Flips {
    compare(&store(&head("p1"), before), &store(&head("p1"), after), None)
}

#[test]
fn the_same_twice_is_no_difference() {
    let cases = [case("a", &[supported("c1", "t")]), case("b", &[contradicted("c1", "u")])];
    let flips = flips(&cases, &cases);
    assert!(flips.is_empty());
    assert_eq!((flips.counts.paired_cases, flips.counts.paired_claims), (2, 2));
}

#[test]
fn a_claim_and_its_case_get_worse_with_why() {
    let flips = flips(&[case("a", &[supported("c1", "t")])], &[case("a", &[contradicted("c1", "t")])]);
    let [claim] = flips.claims.as_slice() else { panic!("{flips:?}") };
    assert_eq!((claim.case_id.as_str(), claim.claim_id.as_str(), claim.direction), ("a", "c1", Direction::Worse));
    assert_eq!((claim.before.label, claim.after.label), (Some(Label::Supported), Some(Label::Contradicted)));
    assert_eq!(claim.after.decided_by.as_deref(), Some("rule:numbers"));
    // The text, the citation, its unit and the policy are the same.
    assert!(claim.why.elsewhere && !claim.why.text_changed && claim.why.evaluation.is_empty());
    let [rule] = claim.why.rules.as_slice() else { panic!("{:?}", claim.why) };
    assert_eq!(rule.message.as_deref(), Some("The claim says 9, the passage 8."));
    let words =
        "numbers fails now (number-conflicting): The claim says 9, the passage 8; claim and citations are as before:";
    assert!(claim.reason.starts_with(words), "{}", claim.reason);
    let [case] = flips.cases.as_slice() else { panic!("{flips:?}") };
    assert_eq!((case.before.verdict, case.after.verdict), (CaseVerdict::Pass, CaseVerdict::Fail));
    assert_eq!(case.why.rules.first().and_then(|rule| rule.claim_id.as_deref()), Some("c1"));
    assert_eq!(flips.counts.findings.get("numbers"), Some(&FindingMoves { new: 1, gone: 0 }));
    assert_eq!(flips.counts.changed_otherwise, 0);
}

#[test]
fn a_policy_that_differs_is_named_only_where_the_inputs_are_the_same() {
    let before = store(&head("p1"), &[case("a", &[supported("c1", "t")])]);
    let same_claim = compare(&before, &store(&head("p2"), &[case("a", &[contradicted("c1", "t")])]), None);
    assert_eq!(same_claim.claims[0].why.evaluation, [EvaluationChange::Policy]);
    assert!(same_claim.claims[0].reason.ends_with("; claim and citations are as before, but the policy changed"));
    let other_claim = compare(&before, &store(&head("p2"), &[case("a", &[contradicted("c1", "u")])]), None);
    assert!(other_claim.claims[0].why.text_changed && other_claim.claims[0].why.evaluation.is_empty());
    assert!(other_claim.claims[0].reason.starts_with("the claim's text changed; numbers fails now"));
}

#[test]
fn claims_are_matched_by_id_and_text_then_text_then_id() {
    // c1 was put in at the front, so that the old c1 is c2 now; the old c2 was reworded and is c3; the old c3 is gone.
    let before = [case("a", &[supported("c1", "one"), supported("c2", "two"), supported("c3", "three")])];
    let after = [case("a", &[supported("c9", "new"), contradicted("c2", "one"), supported("c3", "three, reworded")])];
    let flips = flips(&before, &after);
    // By text: one → c2 (was c1). By id: c3. Left: "two" of old c2 is gone, c9 is new.
    let [claim] = flips.claims.as_slice() else { panic!("{flips:?}") };
    assert_eq!((claim.claim_id.as_str(), claim.claim_id_before.as_deref()), ("c2", Some("c1")));
    assert!(!claim.why.text_changed);
    let ids = |claims: &[LoneClaim]| claims.iter().map(|claim| claim.claim_id.clone()).collect::<Vec<_>>();
    assert_eq!((ids(&flips.new_claims), ids(&flips.gone_claims)), (vec!["c9".to_owned()], vec!["c2".to_owned()]));
    assert_eq!(flips.counts.paired_claims, 2);
}

#[test]
fn claims_with_one_text_are_matched_in_order() {
    let cases =
        ["c1 c2", "c2 c3"].map(|ids| case(ids, &ids.split(' ').map(|id| supported(id, "t")).collect::<Vec<_>>()));
    let store = store(&head("p1"), &cases);
    let claims = |id: &str| store.get(id).expect("the case").claims;
    // c2 keeps its id; c3 takes the one that is left.
    let pairing = pair_claims(&claims("c1 c2"), &claims("c2 c3"));
    assert_eq!(pairing, Pairing { twins: vec![Some(1), Some(0)], gone: vec![] });
}

#[test]
fn cases_that_only_one_side_has_are_listed_in_its_order() {
    let before = ["z", "a", "m"].map(|id| case(id, &[supported("c1", "t")]));
    let mut asked = case("m", &[contradicted("c1", "t")]);
    asked["question"] = json!("another");
    let flips = flips(&before, &[case("y", &[]), asked, case("b", &[])]);
    assert_eq!(flips.added_cases, ["y", "b"]);
    assert_eq!(flips.removed_cases, ["z", "a"]);
    assert_eq!(flips.changed_questions, ["m"]);
    // Nothing of a case that was asked something else is a flip.
    assert_eq!((flips.counts.claims.total(), flips.counts.cases.total(), flips.counts.paired_cases), (0, 0, 0));
    assert!(!flips.is_empty());
}

#[test]
fn content_that_changes_under_its_version_is_drift() {
    let mut after = case("a", &[supported("c1", "t"), supported("c2", "u")]);
    after["units"][0][3] = json!("bb");
    let before = case("a", &[supported("c1", "t"), supported("c2", "u")]);
    let drifted = flips(std::slice::from_ref(&before), std::slice::from_ref(&after));
    let [drift] = drifted.drift.as_slice() else { panic!("{drifted:?}") };
    assert_eq!(
        (drift.id.as_str(), drift.document.as_deref(), drift.version.as_deref()),
        ("s1", Some("policy"), Some("v1"))
    );
    assert_eq!((drift.claims, drifted.counts.claims_on_drifted_units), (2, 2));
    assert!(drifted.claims.is_empty() && !drifted.is_empty());
    // Under another version it is none, and it is the reason of a flip all the same.
    after["units"][0][2] = json!("v2");
    after["claims"][0] = contradicted("c1", "t");
    let other = flips(&[before], &[after]);
    assert!(other.drift.is_empty());
    assert_eq!(other.claims[0].why.evidence[0].what, EvidenceWhat::Version);
    assert!(
        other.claims[0].reason.starts_with("s1 has version v2 now, version v1 before"),
        "{}",
        other.claims[0].reason
    );
}

#[test]
fn other_citations_are_the_reason() {
    let mut after = contradicted("c1", "t");
    after["citations"] = json!([{"id": "s2", "outcomes": "p"}]);
    let flips = flips(&[case("a", &[supported("c1", "t")])], &[case("a", &[after])]);
    let why = &flips.claims[0].why;
    assert_eq!(
        (why.cited.added.as_slice(), why.cited.removed.as_slice()),
        (&["s2".to_owned()][..], &["s1".to_owned()][..])
    );
    assert!(
        flips.claims[0].reason.starts_with("it cites s2 instead of s1; numbers fails now"),
        "{}",
        flips.claims[0].reason
    );
}

#[test]
fn directions_follow_the_weight_of_labels() {
    let state = |label: Option<Label>| ClaimState { label, decided_by: None, class: None };
    let of = |was, is| direction_of_claim(&state(was), &state(is));
    assert_eq!(of(Some(Label::Supported), Some(Label::Undecided)), Direction::Worse);
    assert_eq!(of(Some(Label::Undecided), Some(Label::Partial)), Direction::Worse);
    assert_eq!(of(Some(Label::Contradicted), Some(Label::Insufficient)), Direction::Better);
    assert_eq!(of(Some(Label::Unresolved), Some(Label::Insufficient)), Direction::Other);
    // Uncited and unsupported are different defects; only a supported claim that loses its citation is worse.
    assert_eq!(of(Some(Label::Supported), None), Direction::Worse);
    assert_eq!(of(None, Some(Label::Supported)), Direction::Better);
    assert_eq!(of(None, Some(Label::Contradicted)), Direction::Other);
    assert_eq!(of(Some(Label::Insufficient), None), Direction::Other);
}

#[test]
fn a_refusal_is_worse_only_of_what_can_be_answered() {
    let mut refused = case("a", &[]);
    refused["refused"] = json!(true);
    for (answerable, direction) in
        [(json!(true), Direction::Worse), (json!(false), Direction::Better), (json!(null), Direction::Other)]
    {
        refused["answerable"] = answerable;
        let flips = flips(&[case("a", &[])], &[refused.clone()]);
        assert_eq!(flips.cases[0].direction, direction);
        assert_eq!(flips.cases[0].reason, "the answer is a refusal now");
    }
}

#[test]
fn a_cap_counts_what_it_leaves_out_and_does_not_hide_what_got_worse() {
    let good = |id: &str| case(id, &[supported("c1", "t")]);
    let bad = |id: &str| case(id, &[contradicted("c1", "t")]);
    let (before, after) = ([bad("a"), bad("b"), good("c"), good("d")], [good("a"), good("b"), bad("c"), bad("d")]);
    let flips = compare(&store(&head("p"), &before), &store(&head("p"), &after), Some(1));
    assert_eq!(flips.counts.claims, Moves { worse: 2, better: 2, other: 0 });
    let listed: Vec<_> = flips.claims.iter().map(|flip| (flip.case_id.as_str(), flip.direction)).collect();
    assert_eq!(listed, [("a", Direction::Better), ("c", Direction::Worse)]);
}

#[test]
fn reviewers_and_judges_are_named() {
    let by = |who: &str, label: &str| {
        let mut claim = supported("c1", "t");
        claim["decided_by"] = json!(who);
        claim["label"] = json!(label);
        case("a", &[claim])
    };
    let reason = |before, after| flips(&[before], &[after]).claims[0].reason.clone();
    assert_eq!(reason(by("rule:facts", "supported"), by("review", "insufficient")), "a reviewer decided");
    let judged = reason(by("judge", "supported"), by("judge", "insufficient"));
    assert!(judged.starts_with("the judge decided otherwise"), "{judged}");
}

#[test]
fn a_rule_that_counts_for_more_is_the_reason() {
    let mut lenient = head("p1");
    lenient.rules[1].severity = crate::check::Severity::Warning;
    let mut warned = contradicted("c1", "t");
    warned["findings"][0]["severity"] = json!("warning");
    let before = store(&lenient, &[case("a", &[warned])]);
    let flips = compare(&before, &store(&head("p2"), &[case("a", &[contradicted("c1", "t")])]), None);
    assert!(flips.claims.is_empty());
    let rule = &flips.cases[0].why.rules[0];
    assert_eq!((rule.rule.as_str(), rule.counts_as), ("numbers", Some(CountsAs::Error)));
    assert!(
        flips.cases[0].reason.contains("numbers on c1 fails as before, and counts as an error now"),
        "{}",
        flips.cases[0].reason
    );
}

#[test]
fn a_finding_that_a_reviewer_overturned_is_the_reason() {
    let mut overturned = contradicted("c1", "t");
    overturned["findings"][0]["overturned"] = json!(true);
    let flips = flips(&[case("a", &[contradicted("c1", "t")])], &[case("a", &[overturned])]);
    assert_eq!((flips.cases[0].direction, flips.cases[0].after.verdict), (Direction::Better, CaseVerdict::Pass));
    assert_eq!(flips.cases[0].reason, "numbers on c1 fails as before, but a reviewer overturned it");
}

#[test]
fn what_changes_no_label_is_counted_all_the_same() {
    let mut after = supported("c1", "t");
    after["outcomes"] = json!("pnp");
    let changed = flips(&[case("a", &[supported("c1", "t")])], &[case("a", &[after])]);
    assert_eq!(changed.counts.changed_otherwise, 1);
    // A baseline has no messages: that is no difference.
    let mut silent = contradicted("c1", "t");
    if let Some(finding) = silent["findings"][0].as_object_mut() {
        finding.remove("message");
    }
    assert!(flips(&[case("a", &[silent])], &[case("a", &[contradicted("c1", "t")])]).is_empty());
}
