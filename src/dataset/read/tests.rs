use super::*;
use crate::dataset::label::Label;
use proptest::prelude::*;

fn read_with<'a>(text: &'a str, options: &Options) -> Result<Case<'a>, Vec<Problem>> {
    line(text.as_bytes(), Line { file: "cases.jsonl", file_index: 2, number: 7 }, options)
}

fn read(text: &str) -> Case<'_> {
    read_with(text, &Options::default()).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Every problem as `code: message: found/expected`.
fn problems(text: &str) -> Vec<String> {
    let problems = read_with(text, &Options::default()).err().unwrap_or_default();
    problems.iter().map(|problem| format!("{}: {problem}", problem.code)).collect()
}

/// The example of the specification, with a hash that is one.
const EXAMPLE: &str = r#"{"case_id":"refund-042","query":"When?","answer":"Refund requests must be submitted within 30 days [ev_7f2].","language":"en","answerable":true,"claims":[{"claim_id":"c1","text":"Refund requests must be submitted within 30 days.","citation_ids":["ev_7f2"],"citations":[{"id":"ev_7f2","source_version":"2026-08-20","quote":"within 30 days","start":0,"end":61}],"is_verifiable":true,"type":"numeric","required_terms":["30 days"]}],"sources":[{"evidence_id":"ev_7f2","source_id":"policy_18","source_version":"2026-08-20","source_type":"policy","locator":{"section":"Refunds","paragraph":4},"title":"Customer Refund Policy","canonical_uri":"https://kb.example/policies/refunds","scope_id":"tenant_acme","relevance":1.0,"content":"Refund requests must be submitted within 30 days of purchase.","content_sha256":"sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"}],"retrieved_ids":["ev_7f2"],"relevant_ids":["ev_7f2"],"max_document_id":5,"allowed_scopes":["tenant_acme"],"expected":{"c1":"supported"},"meta":{"intent":"refund","model":"m-1","prompt_version":"p7"}}"#;

#[test]
fn the_example_of_the_specification_is_read_whole() {
    let case = read(EXAMPLE);
    assert_eq!(case.origin, Origin { file: 2, line: 7 });
    assert_eq!(case.case_id, "refund-042");
    assert_eq!(case.answerable, Some(true));
    let claims = case.claims.unwrap();
    let citations = claims[0].citations.as_ref().unwrap();
    assert_eq!(citations.len(), 1, "the short form and the long form name one citation");
    assert_eq!(citations[0].span, Some(0..61));
    assert_eq!(citations[0].quote.as_deref(), Some("within 30 days"));
    assert_eq!(claims[0].required_terms, ["30 days"]);
    let unit = &case.units[0];
    assert_eq!((unit.id.as_ref(), unit.source_id.as_deref()), ("ev_7f2", Some("policy_18")));
    assert_eq!(unit.relevance, Some(1_000_000));
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(unit.content_sha256.as_deref(), Some(digest));
    assert_eq!(case.expected, [("c1".into(), Label::Supported)]);
    assert_eq!(case.fields.path("meta.intent").and_then(Json::as_text), Some("refund"));
    assert_eq!(case.fields.get("max_document_id"), Some(&Json::Number(5.into())));
}

#[test]
fn other_names_and_integer_ids_are_accepted() {
    let case = read(
        r#"{"id":7,"question":"q","response":"a","human_label":"refuted","claims":[{"text":"t","evidence_ids":[1,-2]}],
            "contexts":[{"id":1,"passage":"p","version":3,"url":"u","tenant":9},{"source_id":"s","text":"t","uri":"v"}]}"#,
    );
    assert_eq!((case.case_id.as_ref(), case.query.as_deref(), case.answer.as_deref()), ("7", Some("q"), Some("a")));
    assert_eq!(case.expected, [("c1".into(), Label::Contradicted)]);
    let (first, second) = (&case.units[0], &case.units[1]);
    assert_eq!((first.id.as_ref(), first.source_id.as_ref()), ("1", None));
    assert_eq!((first.content.as_deref(), first.source_version.as_deref()), (Some("p"), Some("3")));
    assert_eq!((first.canonical_uri.as_deref(), first.scope_id.as_deref()), (Some("u"), Some("9")));
    assert_eq!((second.id.as_ref(), second.source_id.as_deref()), ("s", Some("s")));
    let ids: Vec<_> =
        case.claims.as_ref().unwrap()[0].citations.as_ref().unwrap().iter().map(|c| c.id.as_ref()).collect();
    assert_eq!(ids, ["1", "-2"]);
    for name in ["sources", "contexts", "documents", "evidence"] {
        let line = format!(r#"{{"case_id":"a","answer":"b","{name}":[{{"id":"x"}}]}}"#);
        assert_eq!(read(&line).units.len(), 1, "{name}");
    }
}

#[test]
fn absent_null_and_empty_are_told_apart_where_it_matters() {
    let case = read(r#"{"case_id":"a","answer":"b","claims":null,"language":null}"#);
    assert!(case.claims.is_none() && case.retrieved_ids.is_none() && case.language.is_none());
    let case = read(r#"{"case_id":"a","claims":[],"retrieved_ids":[]}"#);
    assert_eq!(case.claims.map(|claims| claims.len()), Some(0));
    assert_eq!(case.retrieved_ids, Some(vec![]));
    let case = read(r#"{"case_id":"a","claims":[{"text":"t"},{"text":"u","citation_ids":[]}]}"#);
    let claims = case.claims.unwrap();
    assert!(claims[0].citations.is_none());
    assert_eq!(claims[1].citations.as_ref().map(Vec::len), Some(0));
    assert_eq!(claims[1].claim_id, "c2");
}

#[test]
fn details_stand_where_the_short_form_names_their_id() {
    let case = read(
        r#"{"case_id":"a","claims":[{"text":"t","citation_ids":["x","y","x"],
            "citations":[{"id":"Y","quote":"one"},{"id":"y","quote":"two"}]}]}"#,
    );
    let claims = case.claims.unwrap();
    let found: Vec<_> = claims[0].citations.iter().flatten().map(|c| (c.id.as_ref(), c.quote.as_deref())).collect();
    assert_eq!(found, [("x", None), ("Y", Some("one")), ("y", Some("two"))]);
}

#[test]
fn every_problem_of_a_line_is_found() {
    let found = problems(
        r#"{"case_id":"a","answer":5,"claims":[{"claim_id":"c2","text":""},{"text":"t","citation_ids":["x",null]}],
            "sources":[{"content":"p"},{"id":"d","relevance":-1}],"expected":"suported","answerable":"yes"}"#,
    );
    assert_eq!(found.len(), 7, "{found:#?}");
    assert_eq!(found[0], "wrong-type: `answer` has the wrong type: found a number, expected text");
    assert!(found.contains(
        &"empty: `claims[0].text` has a value that is not allowed: found blank text, expected text that is not blank".to_owned()
    ));
    assert!(
        found
            .iter()
            .any(|said| said.starts_with("wrong-type: `claims[1].citation_ids[1]` has the wrong type: found null"))
    );
    assert!(found.iter().any(|said| said.starts_with("missing-key: `sources[0]` has no id")));
    assert!(found.iter().any(|said| said.contains("`sources[1].relevance`") && said.contains("found -1")));
}

#[test]
fn a_default_claim_id_that_is_taken_is_a_duplicate() {
    let found = problems(r#"{"case_id":"a","claims":[{"claim_id":"c2","text":"t"},{"text":"u"}]}"#);
    assert_eq!(
        found,
        [
            r#"duplicate-id: `claims[1]` has an id that is taken: found the claim id "c2", as in `claims[0]`; expected an id of its own"#
        ]
    );
    assert!(
        problems(r#"{"case_id":"a","claims":[{"claim_id":"A","text":"t"},{"claim_id":"a","text":"u"}]}"#).is_empty()
    );
}

#[test]
fn evidence_ids_that_a_marker_could_not_tell_apart_are_duplicates_unless_case_counts() {
    let few = r#"{"case_id":"a","answer":"b","sources":[{"id":"doc_É"},{"id":"DOC_é"}]}"#;
    assert_eq!(
        problems(few),
        [concat!(
            "duplicate-id: `sources[1]` has an id that is taken: found the evidence id \"DOC_é\", which differs from ",
            "\"doc_É\" in `sources[0]` in letter case only; expected an id of its own"
        )]
    );
    let exact = Options { fold_ids: false, ..Options::default() };
    assert!(read_with(few, &exact).is_ok());
    let units: Vec<String> = (0..30).map(|n| format!(r#"{{"id":"d{}"}}"#, n % 29)).collect();
    let many = format!(r#"{{"case_id":"a","answer":"b","sources":[{}]}}"#, units.join(","));
    assert_eq!(problems(&many).len(), 1);
    assert_eq!(read_with(&many, &exact).err().map(|found| found.len()), Some(1));
}

#[test]
fn spans_are_whole_and_not_empty_wherever_they_lie() {
    let with = |span: &str| {
        problems(&format!(
            r#"{{"case_id":"a","sources":[{{"id":"d","content":"aéb"}},{{"id":"e"}}],"claims":[{{"text":"t","citations":[{span}]}}]}}"#
        ))
    };
    for good in [
        r#"{"id":"d","start":0,"end":4}"#,
        r#"{"id":"d","start":0,"end":2}"#,
        r#"{"id":"d","start":0,"end":5}"#,
        r#"{"id":"x","start":5,"end":9}"#,
    ] {
        assert_eq!(with(good), [""; 0], "{good}");
    }
    for bad in [
        r#"{"id":"d","start":1,"end":1}"#,
        r#"{"id":"d","start":3,"end":1}"#,
        r#"{"id":"d","start":-1,"end":1}"#,
        r#"{"id":"d","start":0.5,"end":1}"#,
        r#"{"id":"d","start":1}"#,
        r#"{"id":"d","end":1}"#,
    ] {
        let found = with(bad);
        assert!(found.len() == 1 && found[0].starts_with("bad-span: "), "{bad}: {found:?}");
    }
}

#[test]
fn relevance_is_held_in_millionths() {
    let relevance = |written: &str| {
        read(&format!(r#"{{"case_id":"a","answer":"b","sources":[{{"id":"d","relevance":{written}}}]}}"#)).units[0]
            .relevance
    };
    assert_eq!(relevance("0"), Some(0));
    assert_eq!(relevance("0.1"), Some(100_000));
    assert_eq!(relevance("0.0000005"), Some(1));
    assert_eq!(relevance("3"), Some(3_000_000));
    assert_eq!(relevance("1e12"), Some(1_000_000_000_000_000_000));
    assert_eq!(relevance("-0.0"), Some(0));
}

#[test]
fn labels_may_stand_inside_their_claim_or_beside_it_but_once() {
    let case =
        read(r#"{"case_id":"a","claims":[{"text":"t","expected":"NEI"},{"text":"u"}],"expected":{"c2":"partial"}}"#);
    assert_eq!(case.expected, [("c2".into(), Label::Partial), ("c1".into(), Label::Insufficient)]);
    let twice = problems(r#"{"case_id":"a","claims":[{"text":"t","expected":"nei"}],"expected":{"c1":"nei"}}"#);
    assert!(twice.len() == 1 && twice[0].starts_with("duplicate-name"), "{twice:?}");
}

#[test]
fn many_problems_on_one_line_are_counted() {
    let units = vec!["{}"; 250].join(",");
    let found = problems(&format!(r#"{{"case_id":"a","answer":"b","sources":[{units}]}}"#));
    assert_eq!(found.len(), 101);
    assert_eq!(found[100], "wrong-value: 150 more problems on this line");
}

proptest! {
    /// A line is either a case or a list of problems that is not empty, and nothing is copied out of a broken row.
    #[test]
    fn a_damaged_example_never_panics(at in 0..EXAMPLE.len(), byte in any::<u8>(), cut in 0..EXAMPLE.len()) {
        let mut bytes = EXAMPLE.as_bytes().to_vec();
        bytes[at] = byte;
        let place = Line { file: "f", file_index: 0, number: 1 };
        if let Err(problems) = line(&bytes, place, &Options::default()) {
            prop_assert!(!problems.is_empty());
        }
        let _ = line(&bytes[..cut], place, &Options::default());
    }
}
