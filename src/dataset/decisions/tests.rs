//! Decisions are read strictly, and replace one another by their dates.

use std::io::Write as _;

use super::*;

fn day(text: &str) -> Day {
    text.parse().expect("a day")
}

fn read_on(text: &str, today: &str) -> Result<Decisions, String> {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(text.as_bytes()).expect("written");
    Decisions::read(&Input::file(file.path()), &Options::default(), day(today).into())
        .map_err(|problems| problems.render())
}

fn read(text: &str) -> Result<Decisions, String> {
    read_on(text, "2026-06-01")
}

/// A line on claim `claim` of case `a`.
fn line(claim: char, label: &str, date: &str, more: &str) -> String {
    let digest = |c: char| format!("sha256:{}", c.to_string().repeat(64));
    format!(
        "{{\"case_id\":\"a\",\"claim_id\":\"c1\",\"claim_sha256\":\"{}\",\"evidence_sha256\":\"{}\",\"label\":\"{label}\",\
         \"reviewer\":\"policy desk\",\"reason\":\"read it\",\"date\":\"{date}\"{more}}}\n",
        digest(claim),
        digest('e')
    )
}

fn of(c: char) -> Digest {
    c.to_string().repeat(64).parse().expect("a digest")
}

#[test]
fn a_decision_is_found_by_case_claim_and_evidence() {
    let decisions = read(&line('1', "supported", "2026-05-01", "")).expect("decisions");
    let found = decisions.find("a", of('1'), of('e')).expect("found");
    assert_eq!((found.label, found.line, found.date), (Label::Supported, 1, day("2026-05-01")));
    for (case, claim, evidence) in [("b", '1', 'e'), ("a", '2', 'e'), ("a", '1', 'f'), ("A", '1', 'e')] {
        assert!(decisions.find(case, of(claim), of(evidence)).is_none(), "{case} {claim} {evidence}");
    }
    assert_eq!(decisions.today(), None, "nothing expires");
}

#[test]
fn a_later_date_replaces_and_agreement_is_no_contradiction() {
    let text = line('1', "supported", "2026-05-01", "") + &line('1', "contradicted", "2026-05-02", "");
    let decisions = read(&text).expect("decisions");
    assert_eq!(decisions.entries().len(), 1);
    assert_eq!(
        decisions.find("a", of('1'), of('e')).map(|found| (found.label, found.line)),
        Some((Label::Contradicted, 2))
    );
    let same = line('1', "partial", "2026-05-01", "");
    let decisions = read(&(same.clone() + &same)).expect("two reviewers say the same");
    assert_eq!(decisions.entries().iter().map(|entry| entry.line).collect::<Vec<_>>(), [1]);
}

#[test]
fn decisions_that_disagree_are_problems() {
    for later in ["2026-05-01", "2026-04-30"] {
        let text = line('1', "supported", "2026-05-01", "") + &line('1', "partial", later, "");
        let problems = read(&text).expect_err("they disagree");
        assert!(
            problems.contains(":2: error[contradiction]: two decisions disagree on claim \"c1\" of case \"a\""),
            "{problems}"
        );
        assert!(problems.contains(&format!("found `partial` (of {later})")), "{problems}");
        assert!(problems.contains(":1 says, `supported` (of 2026-05-01), or a later date"), "{problems}");
    }
    let text =
        line('1', "supported", "2026-05-01", "") + &line('1', "supported", "2026-05-01", ",\"expires\":\"2026-09-01\"");
    assert!(read(&text).expect_err("one expires, the other does not").contains("`supported` until 2026-09-01"));
}

#[test]
fn a_decision_holds_up_to_its_last_day() {
    let text = line('1', "supported", "2026-05-01", ",\"expires\":\"2026-06-01\"");
    let on = |today| read_on(&text, today).expect("decisions");
    assert!(on("2026-06-01").find("a", of('1'), of('e')).is_some());
    assert!(on("2026-06-02").find("a", of('1'), of('e')).is_none());
    let late = on("2026-06-02");
    assert!(late.has_expired(&late.entries()[0]));
    assert_eq!(late.today(), Some(day("2026-06-02")));
}

#[test]
fn every_problem_is_said_with_its_line() {
    let text = [
        line('1', "", "2026-05-01", ""),
        line('1', "suported", "2026-05-01", ""),
        line('1', "unresolved", "2026-02-30", ""),
        line('1', "supported", "2026-05-01", ",\"expires\":\"2026-04-01\""),
        line('1', "supported", "2026-05-01", ",\"expire\":\"2026-06-01\""),
        line('x', "supported", "2026-05-01", ""),
        "{\"case_id\":7}\n".to_owned(),
        "[]\n".to_owned(),
        "{\"case_id\":\"a\",\"case_id\":\"b\"}\n".to_owned(),
        "{\"case_id\n".to_owned(),
    ]
    .concat();
    let problems = read(&text).expect_err("problems");
    for said in [
        ":1: error[empty]: `label` is empty",
        "found an empty text, expected `supported`, `partial`, `contradicted` or `insufficient`",
        ":2: error[unknown-label]",
        "did you mean `supported`?",
        ":3: error[unknown-label]",
        ":3: error[wrong-value]: `date` is no day of the calendar",
        ":4: error[contradiction]: the decision expires before it was made",
        ":5: error[unknown-key]",
        "did you mean `expires`?",
        ":6: error[wrong-value]: `claim_sha256` is no SHA-256 digest",
        ":7: error[wrong-type]: `case_id` has the wrong type",
        ":7: error[missing-key]: the decision has no `evidence_sha256`",
        ":8: error[wrong-type]: the line is no decision",
        ":9: error[duplicate-key]",
        ":10: error[malformed-json]",
    ] {
        assert!(problems.contains(said), "{said}\n{problems}");
    }
}

#[test]
fn a_file_without_lines_has_no_decisions() {
    for text in ["", "\n\n"] {
        let decisions = read(text).expect("none");
        assert!(decisions.entries().is_empty(), "{text:?}");
        assert_eq!(decisions.digest(), digest::raw(text.as_bytes()));
    }
    let missing =
        Decisions::read(&Input::file("no/decisions.jsonl".as_ref()), &Options::default(), day("2026-06-01").into());
    assert!(missing.expect_err("no file").render().contains("error[not-found]"));
}

#[test]
fn a_day_to_come_and_a_text_that_nobody_can_read_are_no_decision() {
    let of = |reviewer: &str| line('1', "supported", "2026-05-01", "").replace("policy desk", reviewer);
    for blank in ["\u{200b}", " \u{a0}\u{2003} ", "\u{3164}", "\u{2800}", "\\u0001", "—…", "\u{feff}\u{2060}\u{00ad}"]
    {
        let said = read(&of(blank)).expect_err(blank);
        assert!(said.contains(":1: error[empty]: `reviewer`"), "{blank:?}: {said}");
    }
    for name in ["7", "Ø", "王", "ли", "policy desk"] {
        assert!(read(&of(name)).is_ok(), "{name}");
    }
    let said = read(&line('1', "supported", "2026-06-02", "")).expect_err("tomorrow");
    assert!(said.contains(":1: error[wrong-value]: the decision is dated in the future"), "{said}");
    assert!(said.contains("found `date` 2026-06-02, expected 2026-06-01 (today) or earlier"), "{said}");
    assert!(read(&line('1', "supported", "2026-06-01", "")).is_ok());
}

#[test]
fn a_day_set_by_hand_tells_which_decisions_it_brings_back_and_which_it_ends() {
    let until = |claim, expires: &str| line(claim, "supported", "2026-01-01", &format!(",\"expires\":\"{expires}\""));
    let text = until('1', "2026-02-28")
        + &until('2', "2026-05-31")
        + &until('3', "2026-06-30")
        + &line('4', "partial", "2026-01-01", "");
    let on = |by_hand: &str| {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(text.as_bytes()).expect("written");
        let today = Today { by_hand: Some(day(by_hand)), ..day("2026-06-15").into() };
        let decisions = Decisions::read(&Input::file(file.path()), &Options::default(), today).expect("decisions");
        decisions.set_by_hand().map(|set| (set.revived, set.ended))
    };
    assert_eq!(on("2026-05-31"), Some((1, 0)));
    assert_eq!(on("2026-02-01"), Some((2, 0)));
    assert_eq!(on("2026-06-15"), Some((0, 0)));
    assert_eq!(on("2026-07-01"), Some((0, 1)));
    assert_eq!(read(&text).expect("decisions").set_by_hand(), None);
}

#[test]
fn the_last_day_is_one_that_has_begun_somewhere() {
    // 951,782,400 is 2000-02-29T00:00:00Z; clocks 14 hours ahead of UTC are on the next day from 10:00 on.
    let last = |seconds: u64| Today::at(951_782_400 + seconds, None).last().to_string();
    assert_eq!((last(35_999), last(36_000)), ("2000-02-29".to_owned(), "2000-03-01".to_owned()));
}
