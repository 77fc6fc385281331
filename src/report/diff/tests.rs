//! What is shown of a comparison, and what hostile data cannot make of it.

use serde_json::{Value, json};

use super::*;
use crate::run::difference::{Side, compare};
use crate::run::flips::fixture::{case, contradicted, head, store, supported};

fn difference(before: &[Value], after: &[Value]) -> Difference {
    let side = |path: &str, cases: &[Value]| Side::of_outlines(path, store(&head("p1"), cases));
    compare(side("before", before), side("after", after), None).expect("comparable")
}

fn numbered(count: usize, claim: &dyn Fn(&str, &str) -> Value) -> Vec<Value> {
    (0..count).map(|at| case(&format!("case-{at:03}"), &[claim("c1", "t")])).collect()
}

#[test]
fn the_same_is_one_line() {
    let cases = [case("a", &[supported("c1", "t")])];
    let difference = difference(&cases, &cases);
    assert_eq!(render_text(&difference, false, false), "same  after against before: no difference in 1 case\n");
    assert!(render_md(&difference).starts_with("## ✅ Same: no difference in 1 case\n"));
}

#[test]
fn long_lists_are_cut_and_say_so_and_all_of_them_can_be_had() {
    let difference = difference(&numbered(25, &supported), &numbered(25, &contradicted));
    let text = render_text(&difference, false, false);
    assert!(text.starts_with("worse  after against before: 25 cases and 25 claims got worse\n"), "{text}");
    // Ten of 25 cases are shown.
    assert!(text.contains("case-009") && !text.contains("case-010") && text.contains("  … and 15 more (--all)\n"));
    let all = render_text(&difference, true, false);
    assert!(all.contains("case-024") && !all.contains("(--all)"));
}

#[test]
fn cases_with_and_without_flipped_claims_stand_in_the_order_of_the_run() {
    let mut refused = case("b", &[]);
    let before = [case("a", &[supported("c1", "t")]), refused.clone(), case("c", &[supported("c1", "t")])];
    refused["refused"] = json!(true);
    refused["answerable"] = json!(true);
    let after = [case("a", &[contradicted("c1", "t")]), refused, case("c", &[contradicted("c1", "t")])];
    let difference = difference(&before, &after);
    let ids: Vec<&str> = flipped(&difference.flips, Direction::Worse).iter().map(|group| group.case_id).collect();
    assert_eq!(ids, ["a", "b", "c"]);
    let text = render_text(&difference, false, false);
    assert!(text.contains("✗ b  answered, refuses now\n      the answer is a refusal now\n"), "{text}");
}

#[test]
fn hostile_text_steers_nothing() {
    let nasty = "x\u{1b}[31m|<b>@team\u{202e}\n`y`";
    let mut after = contradicted(nasty, "t");
    after["findings"][0]["message"] = json!(format!("{nasty} </details> [a](https://evil.example)"));
    let mut before = supported(nasty, "t");
    before["decided_by"] = json!(format!("rule:{nasty}"));
    let difference = difference(&[case(nasty, &[before])], &[case(nasty, &[after])]);
    let text = render_text(&difference, true, false);
    let md = render_md(&difference);
    for shown in [&text, &md] {
        assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown}");
    }
    assert!(text.lines().all(|line| !line.starts_with("`y`")));
    assert!(!md.contains("</details> [a]") && !md.contains("[a](https://") && !md.contains(" @team"), "{md}");
}

#[test]
fn a_comment_fits_and_says_what_it_leaves_out() {
    let long = |id: &str, text: &str| {
        let mut claim = contradicted(id, text);
        claim["findings"][0]["message"] = json!("<&*_ ".repeat(400));
        claim
    };
    let difference = difference(&numbered(300, &supported), &numbered(300, &long));
    let md = render_md(&difference);
    assert!(md.len() <= 60_000, "{}", md.len());
    assert!(md.contains("more (`citeward diff --all`)"), "{md}");
    assert!(md.contains("300 cases and 300 claims got worse"));
}
