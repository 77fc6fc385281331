//! Evidence that was not read.

use crate::folder::Folder;

/// The control of this whole file: a right answer that was read passes, so that what fails elsewhere fails for its cause.
#[test]
fn an_answer_that_was_read_and_is_right_passes() {
    let folder = Folder::with(&[(
        "cases.jsonl",
        r#"{"case_id":"a","language":"en","answer":"Logs are kept for 30 days [u1].","sources":[{"id":"u1","content":"Logs are kept for 30 days."}]}"#,
    )]);
    folder.run(0, &["check", "cases.jsonl"]);
    assert_eq!(folder.manifest()["verdict"], "pass");
    assert_eq!(folder.lines("records.jsonl")[0]["label"], "supported");
}

const TRUE: &str = "Logs are kept for 30 days.";

/// A policy without gates: two rules on support.
const RULES: &str = r"version: 1
markers:
  - { id: m, pattern: '\[(?<ref>[A-Za-z0-9]+)\]' }
rules:
  - { id: wrong-number, check: numbers }
  - { id: facts-found, check: facts-found, establishes: supported }
";

/// A case whose answer cites one unit, which stands there as given.
fn citing(case_id: &str, unit: &str) -> String {
    format!(
        r#"{{"case_id":"{case_id}","language":"en","answer":"Logs are kept for 30 days [u1].","sources":[{unit}]}}"#
    )
}

fn of_cases(cases: &[String]) -> Folder {
    Folder::with(&[("cases.jsonl", &cases.join("\n"))])
}

/// What a reader must know of the run.
fn warnings(folder: &Folder) -> Vec<String> {
    let manifest = folder.manifest();
    let warnings = manifest["warnings"].as_array().expect("a list");
    warnings.iter().map(|warning| warning.as_str().expect("text").to_owned()).collect()
}

/// The outcome of a rule on the first claim, with the reason.
fn outcome(folder: &Folder, rule: &str) -> (String, String) {
    let record = &folder.lines("records.jsonl")[0];
    let outcomes = record["outcomes"].as_array().expect("a list");
    let own = outcomes.iter().find(|outcome| outcome["rule"] == rule).expect("the rule");
    let text = |key: &str| own[key].as_str().unwrap_or_default().to_owned();
    (text("outcome"), text("because"))
}

/// Runs the cases, which must not pass, and gives what was printed.
fn refused(cases: &[String]) -> String {
    of_cases(cases).run(2, &["check", "cases.jsonl"])
}

#[test]
fn a_cited_unit_without_readable_content_breaks_its_claim_and_fails_the_run() {
    let blank = [
        r#"{"evidence_id":"u1"}"#,
        r#"{"evidence_id":"u1","content":null}"#,
        r#"{"evidence_id":"u1","content":""}"#,
        r#"{"evidence_id":"u1","content":" \n\t"}"#,
        r#"{"evidence_id":"u1","content":"\u200b\ufeff\u00a0"}"#,
        r#"{"evidence_id":"u1","content":"<p><br/></p>"}"#,
        r#"{"evidence_id":"u1","content":"<!-- Logs are kept for 30 days. -->"}"#,
        r#"{"evidence_id":"u1","content":"* * *"}"#,
    ];
    let cases: Vec<String> = blank.iter().enumerate().map(|(n, unit)| citing(&format!("case-{n}"), unit)).collect();
    let folder = of_cases(&cases);
    let told = folder.run(1, &["check", "cases.jsonl"]);
    assert!(told.contains("8 of 8 claims could not be checked: the cited unit has no content"), "{told}");
    let said = "8 claims cite units without readable content, first at cases.jsonl:1; a unit's text stands in `content`, and what its markup hides is not read.";
    assert!(told.contains(said), "{told}");
    assert!(warnings(&folder).contains(&said.to_owned()));
    for report in ["report.html", "report.md"] {
        let text = std::fs::read_to_string(folder.path().join("citeward-out").join(report)).expect("a report");
        assert!(text.contains("8 claims cite units without readable content"), "{report}");
    }
    assert_eq!(folder.manifest()["rules"]["number-not-in-evidence"]["broken"], 8);
    assert_eq!(folder.manifest()["rules"]["facts-found"]["broken"], 8);
    for record in folder.lines("records.jsonl") {
        assert_eq!(record["label"], "undecided", "{record}");
    }
    let broken = ("broken".to_owned(), "the cited unit has no content".to_owned());
    assert_eq!(outcome(&folder, "number-not-in-evidence"), broken);
    assert_eq!(outcome(&folder, "facts-found"), broken);
    let gates = folder.manifest()["gates"].clone();
    let defects = gates.as_array().expect("a list").iter().find(|gate| gate["gate"] == "defects").expect("the gate");
    assert_eq!(
        (&defects["verdict"], &defects["cause"], &defects["broken"]),
        (&"fail".into(), &"broken".into(), &8.into())
    );
}

#[test]
fn each_of_these_alone_fails_the_run() {
    for unit in
        [r#"{"evidence_id":"u1"}"#, r#"{"evidence_id":"u1","content":""}"#, r#"{"evidence_id":"u1","title":"Logs"}"#]
    {
        of_cases(&[citing("a", unit)]).run(1, &["check", "cases.jsonl"]);
    }
}

#[test]
fn what_a_page_shows_by_a_click_on_a_wide_screen_or_in_its_own_style_is_read() {
    for markup in [
        "<p class='hidden md:block'>@</p>",
        "<div class='d-none d-lg-flex'>@</div>",
        "<div class='accordion-content hidden'>@</div>",
        "<noscript>@</noscript>",
        "<div class='bg-dark'><span style='color:#fff'>@</span></div>",
        "<p style='opacity:0; animation: fade 1s forwards'>@</p>",
        "end of a note -->\n@",
    ] {
        let content = serde_json::to_string(&markup.replace('@', "Logs are kept for 30 days.")).expect("text");
        let content = content.replace("\\\\n", "\\n");
        let folder = of_cases(&[citing("a", &format!(r#"{{"evidence_id":"u1","content":{content}}}"#))]);
        folder.run(0, &["check", "cases.jsonl"]);
        assert_eq!(folder.lines("records.jsonl")[0]["label"], "supported", "{markup}");
    }
}

#[test]
fn one_unread_unit_among_many_read_ones_fails_the_run() {
    let mut cases: Vec<String> = (0..200)
        .map(|n| citing(&format!("case-{n}"), r#"{"evidence_id":"u1","content":"Logs are kept for 30 days."}"#))
        .collect();
    cases.push(citing("last", r#"{"evidence_id":"u1"}"#));
    let folder = of_cases(&cases);
    let told = folder.run(1, &["check", "cases.jsonl"]);
    assert!(told.contains("1 of 201 claims could not be checked: the cited unit has no content"), "{told}");
    assert!(told.contains("1 claim cites a unit without readable content, first at cases.jsonl:201"), "{told}");
}

#[test]
fn a_unit_that_is_read_does_not_vouch_for_one_beside_it_that_is_not() {
    let case = r#"{"case_id":"a","language":"en","answer":"Logs are kept for 30 days [u1][u2].","sources":[{"id":"u1","content":"Logs are kept for 30 days."},{"id":"u2","content":" "}]}"#;
    let folder = of_cases(&[case.to_owned()]);
    folder.run(1, &["check", "cases.jsonl"]);
    assert_eq!(folder.lines("records.jsonl")[0]["label"], "undecided");
    assert_eq!(outcome(&folder, "facts-found").0, "broken");
}

#[test]
fn what_a_read_unit_contradicts_stays_contradicted_beside_an_unread_one() {
    let case = r#"{"case_id":"a","language":"en","answer":"Logs are kept for 30 days [u1][u2].","sources":[{"id":"u1","content":"Logs are kept for 40 days."},{"id":"u2"}]}"#;
    let folder = of_cases(&[case.to_owned()]);
    folder.run(1, &["check", "cases.jsonl"]);
    assert_eq!(folder.lines("records.jsonl")[0]["label"], "contradicted");
    assert_eq!(outcome(&folder, "number-not-in-evidence").0, "fail");
    assert_eq!(outcome(&folder, "date-not-in-evidence").0, "broken");
}

#[test]
fn a_quote_in_the_citation_is_no_content_of_the_unit() {
    let case = r#"{"case_id":"a","language":"en","answer":"Logs are kept for 30 days.","claims":[{"text":"Logs are kept for 30 days.","citations":[{"id":"u1","quote":"Logs are kept for 30 days."}]}],"sources":[{"id":"u1","content":""}]}"#;
    let folder = of_cases(&[case.to_owned()]);
    folder.run(1, &["check", "cases.jsonl"]);
    assert_eq!(outcome(&folder, "number-not-in-evidence").0, "broken");
}

#[test]
fn a_cited_span_of_white_space_is_nothing_read() {
    let case = r#"{"case_id":"a","language":"en","answer":"Logs are kept for 30 days.","claims":[{"text":"Logs are kept for 30 days.","citations":[{"id":"u1","start":26,"end":30}]}],"sources":[{"id":"u1","content":"Logs are kept for 30 days.    "}]}"#;
    of_cases(&[case.to_owned()]).run(1, &["check", "cases.jsonl"]);
}

#[test]
fn an_uncited_unit_without_content_is_no_problem() {
    let case = r#"{"case_id":"a","language":"en","answer":"Logs are kept for 30 days [u1].","sources":[{"id":"u1","content":"Logs are kept for 30 days."},{"id":"u2"}]}"#;
    let folder = of_cases(&[case.to_owned()]);
    folder.run(0, &["check", "cases.jsonl"]);
    assert_eq!(folder.lines("records.jsonl")[0]["label"], "supported");
    assert!(warnings(&folder).iter().all(|warning| !warning.contains("readable content")));
}

#[test]
fn a_unit_that_the_reader_may_not_see_is_unreadable_rather_than_unread() {
    let case = r#"{"case_id":"a","language":"en","allowed_scopes":["t1"],"answer":"Logs are kept for 30 days [u1].","sources":[{"id":"u1","scope_id":"t2"}]}"#;
    let folder = of_cases(&[case.to_owned()]);
    folder.run(1, &["check", "cases.jsonl"]);
    assert_eq!(folder.lines("records.jsonl")[0]["label"], "unreadable");
}

#[test]
fn other_gates_on_the_same_run_say_the_same_of_what_was_not_read() {
    let folder = of_cases(&[citing("a", r#"{"evidence_id":"u1"}"#)]);
    folder.write("rules/p.yaml", &format!("{RULES}gates:\n  - {{ id: g, metric: defect_rate, max: 0 }}\n"));
    folder.run(1, &["check", "cases.jsonl"]);
    let told = folder.run(1, &["regate", "citeward-out", "--rules", "rules"]);
    assert!(told.contains("1 of 1 claim could not be checked: the cited unit has no content"), "{told}");
}

#[test]
fn a_gate_that_allows_a_share_of_unread_claims_looks_at_the_rest() {
    let mut cases: Vec<String> = (0..60)
        .map(|n| citing(&format!("case-{n}"), r#"{"evidence_id":"u1","content":"Logs are kept for 30 days."}"#))
        .collect();
    cases.push(citing("last", r#"{"evidence_id":"u1"}"#));
    let folder = of_cases(&cases);
    let gate =
        |most: &str| format!("{RULES}gates:\n  - {{ id: g, metric: defect_rate, max: 0, max_broken: {most} }}\n");
    folder.write("rules/p.yaml", &gate("0.1"));
    folder.run(0, &["check", "cases.jsonl"]);
    folder.write("rules/p.yaml", &gate("0.01"));
    folder.run(1, &["check", "cases.jsonl"]);
}

#[test]
fn a_slip_of_a_field_name_is_noted_with_count_place_and_the_right_name() {
    let folder = of_cases(&[
        citing("a", r#"{"evidence_id":"u1","content":"Logs are kept for 30 days."}"#),
        citing("b", r#"{"evidence_id":"u1","content":"Logs are kept for 30 days."}"#)
            .replace(r#""language":"en""#, r#""language":"en","allowedScope":["t1"]"#),
        citing("c", r#"{"evidence_id":"u1","content":"Logs are kept for 30 days.","scopeid":"t2"}"#).replace(
            r#""language":"en""#,
            r#""language":"en","allowedScope":["t1"],"retrieval_context":["x"],"expectd":{}"#,
        ),
    ]);
    let told = folder.run(0, &["check", "cases.jsonl"]);
    for said in [
        "`allowedScope` of 2 cases, first at cases.jsonl:2: the right name is `allowed_scopes`",
        "`expectd` of 1 case, first at cases.jsonl:3: the right name is `expected`",
        "`scopeid` of 1 unit, first at cases.jsonl:3: the right name is `scope_id`",
    ] {
        assert!(told.contains(said), "{said}\n{told}");
    }
    // The packet has its units under the right name: what else the case carries is its own.
    assert!(!told.contains("retrieval_context"), "{told}");
    let notes = folder.manifest()["field_notes"].clone();
    assert_eq!(notes.as_array().map(Vec::len), Some(3));
    assert_eq!(
        notes[0],
        serde_json::json!({"object":"case","field":"allowedScope","meant":"allowed_scopes","remedy":"the right name is `allowed_scopes`","count":2,"first":"cases.jsonl:2"})
    );
    for report in ["report.html", "report.md"] {
        let text = std::fs::read_to_string(folder.path().join("citeward-out").join(report)).expect("a report");
        assert!(text.contains("allowedScope"), "{report}");
    }
}

#[test]
fn another_tools_name_is_noted_with_the_right_one() {
    let case = r#"{"case_id":"a","language":"en","user_input":"How long?","ground_truth":"30 days","answer":"Logs are kept for 30 days [u1].","claims":[{"text":"Logs are kept for 30 days.","evidenceIds":["u1"]}],"sources":[{"id":"u1","page_content":"Logs are kept for 30 days."},{"id":"u2","metadata":{"text":"Logs."}}]}"#;
    let folder = of_cases(&[case.to_owned()]);
    let told = folder.run(1, &["check", "cases.jsonl"]);
    for said in [
        "`user_input` of 1 case, first at cases.jsonl:1: the right name is `query`",
        "`ground_truth` of 1 case, first at cases.jsonl:1: no check reads a reference answer",
        "`evidenceIds` of 1 claim, first at cases.jsonl:1: the right name is `evidence_ids`",
        "`page_content` of 1 unit, first at cases.jsonl:1: the right name is `content`",
        "`metadata.text` of 1 unit, first at cases.jsonl:1: the right name is `content`",
    ] {
        assert!(told.contains(said), "{said}\n{told}");
    }
}

#[test]
fn fields_of_ones_own_make_no_note() {
    let case = r#"{"case_id":"a","language":"en","id_of_run":7,"date":"2026-01-01","notes":"x","tags":[],"score":0.5,"rank":1,"metadata":{"text":"x"},"meta":{"anwser":"x"},"answer":"Logs are kept for 30 days [u1].","sources":[{"id":"u1","content":"Logs are kept for 30 days.","score":0.5,"rank":1,"type":"faq","location":"p. 3","chunk":4}]}"#;
    let folder = of_cases(&[case.to_owned()]);
    folder.run(0, &["check", "cases.jsonl"]);
    assert!(folder.manifest().get("field_notes").is_none());
}

#[test]
fn a_field_that_a_slice_of_the_policy_names_is_meant_as_it_is() {
    let case = citing("a", r#"{"evidence_id":"u1","content":"Logs are kept for 30 days."}"#)
        .replace(r#""language":"en""#, r#""language":"en","context":"chat","locale":"en-GB""#);
    let folder = of_cases(&[case.replace(r#""language":"en","#, "")]);
    let told = folder.run(0, &["check", "cases.jsonl"]);
    assert!(told.contains("`locale` of 1 case"), "{told}");
    folder.write("rules/p.yaml", &format!("{RULES}slices:\n  - {{ id: locale, field: locale }}\ngates:\n  - {{ id: g, metric: defect_rate, max: 0 }}\n"));
    folder.run(0, &["check", "cases.jsonl"]);
    assert!(folder.manifest().get("field_notes").is_none(), "{}", folder.manifest());
}

#[test]
fn a_slip_in_the_file_of_answers_is_noted_at_its_own_line() {
    let folder = of_cases(&[citing("a", r#"{"evidence_id":"u1","content":"Logs are kept for 30 days."}"#)]);
    folder.write(
        "new.jsonl",
        "\n{\"case_id\":\"a\",\"answer\":\"Logs are kept for 30 days [u1].\",\"retrieved_contexts\":[\"x\"]}\n",
    );
    let told = folder.run(0, &["check", "cases.jsonl", "--answers", "new.jsonl"]);
    assert!(
        told.contains("`retrieved_contexts` of 1 case, first at new.jsonl:2: the right name is `sources`"),
        "{told}"
    );
}

#[test]
fn notes_do_not_depend_on_the_number_of_threads() {
    let mut cases: Vec<String> = (0..300)
        .map(|n| citing(&format!("case-{n}"), &format!(r#"{{"evidence_id":"u1","content":"{TRUE}"}}"#)))
        .collect();
    for (n, case) in cases.iter_mut().enumerate() {
        // Two hundred names that are near `answer`, more than are told apart.
        let name = format!("answer{}{}", char::from(b'a' + (n % 26) as u8), if n % 2 == 0 { "" } else { "x" });
        *case =
            case.replace(r#""answer""#, &format!(r#""claims":[{{"text":"{TRUE}","citation_ids":["u1"]}}],"{name}""#));
    }
    let notes = |jobs: &str| {
        let folder = of_cases(&cases);
        folder.run(0, &["check", "cases.jsonl", "--jobs", jobs]);
        folder.manifest()["field_notes"].clone()
    };
    let one = notes("1");
    assert!(one.as_array().is_some_and(|notes| notes.len() > 10), "{one}");
    assert_eq!(one, notes("4"));
}

#[test]
fn passages_as_plain_texts_are_units_by_position() {
    let case = r#"{"case_id":"a","language":"en","answer":"Logs are kept for 30 days [1]. Exports are kept for 90 days [2].","contexts":["Logs are kept for 30 days.","Exports are kept for 90 days."]}"#;
    let folder = of_cases(&[case.to_owned()]);
    folder.run(0, &["check", "cases.jsonl"]);
    let cited: Vec<(String, String)> = folder
        .lines("records.jsonl")
        .iter()
        .map(|record| (record["citations"][0]["id"].to_string(), record["label"].to_string()))
        .collect();
    let supported = r#""supported""#.to_owned();
    assert_eq!(cited, [(r#""1""#.to_owned(), supported.clone()), (r#""2""#.to_owned(), supported)]);
    // Against the other passage, the same claim is wrong.
    let swapped = case.replace("days [1]", "days [9]").replace("days [2]", "days [1]").replace("[9]", "[2]");
    of_cases(&[swapped]).run(1, &["check", "cases.jsonl"]);
}

#[test]
fn markers_that_count_from_zero_count_plain_texts_from_zero() {
    let case = r#"{"case_id":"a","language":"en","answer":"Logs are kept for 30 days [ID:0]. Exports are kept for 90 days [ID:1].","contexts":["Logs are kept for 30 days.","Exports are kept for 90 days."]}"#;
    of_cases(&[case.to_owned()]).run(0, &["check", "cases.jsonl"]);
}

#[test]
fn a_blank_passage_among_plain_texts_is_unread() {
    let case = r#"{"case_id":"a","language":"en","answer":"Logs are kept for 30 days [2].","contexts":["Logs are kept for 30 days.",""]}"#;
    of_cases(&[case.to_owned()]).run(1, &["check", "cases.jsonl"]);
}

#[test]
fn passages_in_another_shape_are_bad_data_that_shows_the_right_one() {
    let case =
        |sources: &str| format!(r#"{{"case_id":"a","answer":"Logs are kept for 30 days [1].","contexts":{sources}}}"#);
    for (sources, place, found) in [
        (r#"["Logs.",{"id":"2","content":"x"}]"#, "`contexts[1]`", "found an object, expected text"),
        (r#"[{"id":"2","content":"x"},"Logs."]"#, "`contexts[1]`", "found text, expected an object"),
        (r#"["Logs.",null]"#, "`contexts[1]`", "found null, expected text"),
        (r#""Logs are kept for 30 days.""#, "`contexts`", "found text, expected a list"),
        (r#"{"1":{"content":"Logs."}}"#, "`contexts`", "found an object, expected a list"),
    ] {
        let told = refused(&[case(sources)]);
        assert!(told.contains("cases.jsonl:1:") && told.contains(place) && told.contains(found), "{told}");
    }
    assert!(refused(&[case("\"Logs.\"")]).contains(r#"[{"evidence_id": "1", "content": "…"}]"#));
}

#[test]
fn content_that_is_no_text_is_bad_data() {
    for content in [r#"["Logs are kept for 30 days."]"#, r#"{"text":"Logs."}"#, "30", "true"] {
        let told = refused(&[citing("a", &format!(r#"{{"evidence_id":"u1","content":{content}}}"#))]);
        assert!(told.contains("cases.jsonl:1:") && told.contains("`sources[0].content`"), "{told}");
    }
}

#[test]
fn a_claim_without_a_letter_or_a_digit_is_bad_data() {
    for text in ["**", "-", "#", "…", " ", "\u{200b}", "❓", "<br>", "[u1]", "**[u1]**"] {
        let case = format!(
            r#"{{"case_id":"a","answer":"Logs are kept for 30 days [u1].","claims":[{{"text":"{TRUE}","citation_ids":["u1"]}},{{"text":"{text}","citation_ids":["u1"]}}],"sources":[{{"id":"u1","content":"{TRUE}"}}]}}"#
        );
        let told = refused(&[case]);
        assert!(told.contains("cases.jsonl:1: error[empty]"), "{text}\n{told}");
        assert!(text.contains('[') || told.contains("`claims[1].text`"), "{text}\n{told}");
    }
}

#[test]
fn a_claim_in_any_script_has_words() {
    for text in ["日志保留 30 天。", "Журналы хранятся 30 дней.", "سجلات", "30", "५", "ログ"]
    {
        let case = format!(
            r#"{{"case_id":"a","answer":"{text} [u1].","claims":[{{"text":"{text}","citation_ids":["u1"]}}],"sources":[{{"id":"u1","content":"{text}"}}]}}"#
        );
        let folder = of_cases(&[case]);
        folder.write("rules/p.yaml", &format!("{RULES}gates: [{{ id: refusals, metric: refusal_rate, max: 0.5 }}]\n"));
        // Whatever is decided of them, they are data.
        let printed = folder.run(0, &["check", "cases.jsonl", "--quiet"]);
        assert!(!printed.contains("error["), "{text}\n{printed}");
    }
}

#[test]
fn a_packet_that_is_not_there_passes_nothing() {
    let case = |sources: &str| {
        format!(r#"{{"case_id":"a","language":"en","answer":"Logs are kept for 30 days [u1].{sources}}}"#)
    };
    for sources in [r#"","sources":[]"#, r#"","sources":null"#, r#"""#] {
        of_cases(&[case(sources)]).run(1, &["check", "cases.jsonl"]);
    }
    for nothing in [r#"{"case_id":"a","answer":null,"sources":[]}"#, r#"{"case_id":"a","sources":[]}"#] {
        assert!(refused(&[nothing.to_owned()]).contains("nothing to check"));
    }
}

/// A dataset whose first claim is labelled, and a policy that holds labels against it.
fn labelled(dataset: &str) -> Folder {
    let folder = Folder::with(&[("cases.jsonl", dataset)]);
    folder.write("rules/p.yaml", &format!("{RULES}gates:\n  - {{ id: labels, metric: label_accuracy, min: 1 }}\n"));
    folder
}

const LABELLED: &str = r#"{"case_id":"a","language":"en","answer":"Logs are kept for 30 days [u1].","claims":[{"claim_id":"c1","text":"Logs are kept for 30 days.","citation_ids":["u1"]}],"expected":{"c1":"supported"},"sources":[{"id":"u1","content":"Logs are kept for 30 days."},{"id":"u2","content":"Exports are kept for 90 days."}]}"#;

#[test]
fn a_label_applies_to_the_same_claim_of_new_answers() {
    let folder = labelled(LABELLED);
    for row in [
        r#"{"case_id":"a","answer":"We keep them: logs are kept for 30 days [u1].","claims":[{"claim_id":"c1","text":"Logs are kept  for 30 days.","citation_ids":["U1"]}]}"#,
        r#"{"case_id":"a","answer":"Logs are kept for 30 days [u1]."}"#,
    ] {
        folder.write("new.jsonl", row);
        folder.run(0, &["check", "cases.jsonl", "--answers", "new.jsonl"]);
        assert_eq!(folder.lines("records.jsonl")[0]["expected"], "supported", "{row}");
    }
}

#[test]
fn a_label_does_not_apply_to_another_text_or_other_citations_under_its_id() {
    let folder = labelled(LABELLED);
    let said = "1 label was given for another text or other citations than the answers bring, and does not apply, first at cases.jsonl:1.";
    for row in [
        r#"{"case_id":"a","answer":"Exports are kept for 90 days [u2].","claims":[{"claim_id":"c1","text":"Exports are kept for 90 days.","citation_ids":["u2"]}]}"#,
        r#"{"case_id":"a","answer":"Logs are kept for 30 days [u2].","claims":[{"claim_id":"c1","text":"Logs are kept for 30 days.","citation_ids":["u2"]}]}"#,
        r#"{"case_id":"a","answer":"Exports are kept for 90 days [u2]."}"#,
        r#"{"case_id":"a","answer":"Logs are kept for 30 days [u1].","claims":[{"claim_id":"c9","text":"Logs are kept for 30 days.","citation_ids":["u1"]}]}"#,
    ] {
        folder.write("new.jsonl", row);
        // No claim with a label is left, so the gate on them has nothing to measure.
        folder.run(1, &["check", "cases.jsonl", "--answers", "new.jsonl"]);
        assert!(folder.lines("records.jsonl")[0]["expected"].is_null(), "{row}");
        assert!(warnings(&folder).contains(&said.to_owned()), "{row}: {:?}", warnings(&folder));
    }
}

#[test]
fn a_label_of_a_derived_claim_applies_to_the_same_answer_alone() {
    let dataset = r#"{"case_id":"a","language":"en","answer":"Logs are kept for 30 days [u1].","expected":{"c1":"supported"},"sources":[{"id":"u1","content":"Logs are kept for 30 days."},{"id":"u2","content":"Exports are kept for 90 days."}]}"#;
    let folder = labelled(dataset);
    folder.write("new.jsonl", r#"{"case_id":"a","answer":"Logs are kept for 30 days [u1]."}"#);
    folder.run(0, &["check", "cases.jsonl", "--answers", "new.jsonl"]);
    folder.write("new.jsonl", r#"{"case_id":"a","answer":"Exports are kept for 90 days [u2]."}"#);
    folder.run(1, &["check", "cases.jsonl", "--answers", "new.jsonl"]);
    // A dataset of questions alone has no text that the label could have been given for.
    let questions = dataset.replace(r#""answer":"Logs are kept for 30 days [u1].","#, "");
    let folder = labelled(&questions);
    folder.write("new.jsonl", r#"{"case_id":"a","answer":"Exports are kept for 90 days [u2]."}"#);
    folder.run(0, &["check", "cases.jsonl", "--answers", "new.jsonl"]);
}

#[test]
fn evidence_of_an_answers_file_with_another_text_under_a_known_id_is_said() {
    let folder = labelled(LABELLED);
    let own = r#"{"case_id":"a","answer":"Logs are kept for 90 days [u1].","sources":[{"id":"u1","content":"Logs are kept for @ days."},{"id":"u3","content":"Nothing else."}]}"#;
    folder.write("new.jsonl", &own.replace('@', "90"));
    folder.run(1, &["check", "cases.jsonl", "--answers", "new.jsonl"]);
    let said = "1 unit has another text, title, address, version or scope in the answers file than under the same id in the dataset, first at cases.jsonl:1; the answers were checked against their own.";
    assert!(warnings(&folder).contains(&said.to_owned()), "{:?}", warnings(&folder));
    let added = "1 unit stands in the answers file alone, first at cases.jsonl:1; the dataset's own packets do not have them, and what they say is taken as it is.";
    assert!(warnings(&folder).contains(&added.to_owned()), "{:?}", warnings(&folder));
    folder.write("new.jsonl", &own.replace('@', "30"));
    folder.run(1, &["check", "cases.jsonl", "--answers", "new.jsonl"]);
    assert!(
        !warnings(&folder).iter().any(|warning| warning.contains("another text, title")),
        "the same text is no news"
    );
}

#[test]
fn an_answers_file_does_not_say_who_may_see_a_unit_of_the_dataset() {
    let unit = r#"{"id":"kb-a","scope_id":"secret","content_sha256":"sha256:0000000000000000000000000000000000000000000000000000000000000000","content":"Logs are kept for 30 days."}"#;
    let case = |unit: &str| {
        format!(
            r#"{{"case_id":"a","language":"en","allowed_scopes":["public"],"answer":"Logs are kept for 30 days [kb-a].","sources":[{unit}]}}"#
        )
    };
    let folder = of_cases(&[case(unit)]);
    for own in [
        r#"{"id":"kb-a","scope_id":"public","content":"Logs are kept for 30 days."}"#,
        r#"{"id":"KB-A\u200b","content":"Logs are kept for 30 days."}"#,
        r#"{"id":"x","source_id":"kb-a","tenant":"public","content":"Logs are kept for 30 days."}"#,
    ] {
        let row = format!(r#"{{"case_id":"a","answer":"Logs are kept for 30 days [1].","sources":[{own}]}}"#);
        folder.write("new.jsonl", &row);
        let told = folder.run(1, &["check", "cases.jsonl", "--answers", "new.jsonl"]);
        assert!(told.contains("other-scopes") && told.contains("changed-content"), "{told}");
    }
}
