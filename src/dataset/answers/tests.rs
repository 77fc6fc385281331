use super::*;
use crate::dataset::label::Label;
use std::io::Write as _;

fn file(text: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

fn open(text: &str) -> (Answers, NamedTempFile) {
    let file = file(text);
    let input = Input { name: "new.jsonl".into(), source: Source::File(file.path().to_owned()) };
    (Answers::open(&input, &Options::default()).unwrap(), file)
}

fn refused(text: &str) -> String {
    let file = file(text);
    let input = Input { name: "new.jsonl".into(), source: Source::File(file.path().to_owned()) };
    Answers::open(&input, &Options::default()).unwrap_err().render()
}

const CASE: Line<'_> = Line { file: "cases.jsonl", file_index: 0, number: 4 };

const OLD: &str = r#"{"case_id":"a","query":"q","answer":"old","claims":[{"claim_id":"k","text":"old","human_label":"nei"}],"sources":[{"id":"s","content":"old"}],"retrieved_ids":["s"],"meta":{"model":"m1"}}"#;

#[test]
fn an_answer_replaces_the_answer_with_its_claims_and_leaves_the_question() {
    let (answers, _file) =
        open("\u{feff}\r\n{\"id\":\"a\",\"response\":\"new\",\"query\":\"other\",\"meta\":{\"model\":\"m2\"}}\r\n");
    let mut buffer = Vec::new();
    let Laid::Case(case) = answers.lay_over(OLD.as_bytes(), CASE, &mut buffer).unwrap() else { panic!("laid") };
    assert_eq!((case.answer.as_deref(), case.query.as_deref()), (Some("new"), Some("q")));
    assert!(case.claims.is_none(), "claims of the old answer say nothing of the new one");
    assert_eq!(case.expected, [("k".into(), Label::Insufficient)], "labels that people gave stay");
    assert_eq!(case.units[0].content.as_deref(), Some("old"));
    assert_eq!(case.retrieved_ids.as_deref(), Some(&["s".into()][..]));
    assert_eq!(case.fields.path("meta.model").and_then(Json::as_text), Some("m1"));
    assert!(answers.unused().is_empty());
}

#[test]
fn a_packet_of_its_own_replaces_the_packet_with_what_was_retrieved() {
    let (answers, _file) = open(r#"{"case_id":"a","claims":[{"text":"t"}],"contexts":[{"id":"n"}]}"#);
    let mut buffer = Vec::new();
    let Laid::Case(case) = answers.lay_over(OLD.as_bytes(), CASE, &mut buffer).unwrap() else { panic!("laid") };
    assert_eq!(case.units[0].id, "n");
    assert!(case.retrieved_ids.is_none() && case.answer.is_none());
}

#[test]
fn problems_stand_on_the_line_of_the_file_that_has_them() {
    let (answers, _file) = open(
        "{\"case_id\":\"b\",\"answer\":\"x\"}\n\n{\"case_id\":\"a\",\"answer\":7,\"claims\":[{\"text\":\"t\",\"expected\":\"nei\"}]}\n",
    );
    let mut buffer = Vec::new();
    let case = r#"{"case_id":"a","query":5}"#;
    let mut problems = Problems::new();
    answers.lay_over(case.as_bytes(), CASE, &mut buffer).unwrap_err().into_iter().for_each(|one| problems.push(one));
    let shown: Vec<String> =
        problems.shown().iter().map(|one| format!("{} {}", problems.location(one), one.code)).collect();
    assert_eq!(shown, ["cases.jsonl:4 wrong-type", "new.jsonl:3 wrong-type", "new.jsonl:3 wrong-value"]);
    let unused: Vec<String> = answers.unused().iter().map(ToString::to_string).collect();
    assert_eq!(
        unused,
        [
            r#"the answer is for a case that the dataset does not have: found "b", expected the `case_id` of one of its cases"#
        ]
    );
}

#[test]
fn a_case_without_an_answer_is_given_bare() {
    let (answers, _file) = open(r#"{"case_id":"z","answer":"x"}"#);
    let mut buffer = Vec::new();
    let Laid::Missing(case, problem) = answers.lay_over(OLD.as_bytes(), CASE, &mut buffer).unwrap() else {
        panic!("missing")
    };
    assert!(case.answer.is_none() && case.claims.is_none());
    assert_eq!(problem.code, code::MISSING_ANSWER);
    assert_eq!(
        problem.to_string(),
        r#"new.jsonl has no answer for this case: found no row with the id "a", expected one per case"#
    );
}

#[test]
fn a_row_without_an_answer_is_a_problem_even_over_a_case_that_has_one() {
    let (answers, _file) = open(r#"{"case_id":"a","sources":[]}"#);
    let mut buffer = Vec::new();
    let problems = answers.lay_over(OLD.as_bytes(), CASE, &mut buffer).unwrap_err();
    assert_eq!(problems.len(), 1);
    assert_eq!(
        (problems[0].code, &problems[0].place),
        (code::MISSING_KEY, &crate::diagnostic::Place::Line("new.jsonl".into(), 1))
    );
}

#[test]
fn a_bad_answers_file_is_refused_with_all_its_problems() {
    let said = refused(
        "{\"case_id\":1,\"answer\":\"x\"}\n{\"id\":\"1\",\"answer\":\"y\"}\n{\"answer\":\"y\"}\n{\n[1]\n{\"id\":\"a\",\"id\":\"b\"}\n",
    );
    for expected in [
        "new.jsonl:2: error[duplicate-case]",
        "line 1",
        "new.jsonl:3: error[missing-key]",
        "new.jsonl:4: error[malformed-json]",
        "new.jsonl:5: error[wrong-type]: the line is not a case",
        "new.jsonl:6: error[duplicate-key]",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(refused("\n \n").contains("no answers"));
    assert!(refused("").contains("the file is empty"));
}

#[test]
fn many_answers_are_found_wherever_they_stand() {
    let rows: String =
        (0..3_000).map(|n| format!("{{\"case_id\":\"c{n}\",\"answer\":\"{}{n}\"}}\n", "x".repeat(n % 700))).collect();
    let (answers, _file) = open(&rows);
    assert_eq!(answers.len(), 3_000);
    for n in [0, 1, 699, 1_500, 2_999] {
        let case = format!(r#"{{"case_id":"c{n}"}}"#);
        let mut buffer = Vec::new();
        let Laid::Case(case) = answers.lay_over(case.as_bytes(), CASE, &mut buffer).unwrap() else { panic!("{n}") };
        assert!(case.answer.unwrap().ends_with(&n.to_string()));
    }
    assert_eq!(answers.unused().len(), 2_995);
}
