//! Statements that stand outside of every rate, and text that no reader sees.

use serde_json::{Value, json};

use crate::folder::Folder;

/// A case whose one passage allows 400 mg a day.
fn case(answer: &str) -> Value {
    json!({"case_id": "a", "query": "How much may a patient take?", "language": "en", "answerable": true, "answer": answer,
        "sources": [{"evidence_id": "ev_1", "title": "Dose Guide", "canonical_uri": "https://kb.example/dose",
            "content": "The maximum dose is 400 mg per day. Patients rest afterwards."}]})
}

fn question() -> Value {
    let mut question = case("");
    question.as_object_mut().expect("an object").remove("answer");
    question
}

/// The run of one case: what it exits with is held against `code`.
fn checked(case: &Value, code: i32) -> Folder {
    let folder = Folder::with(&[("cases.jsonl", &case.to_string())]);
    folder.run(code, &["check", "cases.jsonl"]);
    folder
}

/// The run of a case for each of these answers, under the ids 0, 1, …
fn all_checked<'a>(answers: impl IntoIterator<Item = &'a str>, code: i32) -> Folder {
    let cases: Vec<String> =
        answers.into_iter().enumerate().map(|(number, answer)| numbered(case(answer), number)).collect();
    let folder = Folder::with(&[("cases.jsonl", &cases.join("\n"))]);
    folder.run(code, &["check", "cases.jsonl"]);
    folder
}

/// A row under another id.
fn numbered(mut row: Value, number: usize) -> String {
    row["case_id"] = json!(number.to_string());
    row.to_string()
}

/// The run of one case whose answer comes from a candidate's file.
fn answered(row: &Value, code: i32, more: &[&str]) -> (Folder, String) {
    let folder = Folder::with(&[("cases.jsonl", &question().to_string()), ("answers.jsonl", &row.to_string())]);
    let said = folder.run(code, &[&["check", "cases.jsonl", "--answers", "answers.jsonl"], more].concat());
    (folder, said)
}

/// Codes of the findings of severity error on the case and its claims.
fn errors(folder: &Folder) -> Vec<String> {
    let lines = [folder.lines("cases.jsonl"), folder.lines("records.jsonl")].concat();
    let findings = lines.iter().flat_map(|line| line["findings"].as_array().cloned().unwrap_or_default());
    let errors = findings.filter(|finding| finding["severity"] == "error");
    errors.map(|finding| finding["code"].as_str().unwrap_or_default().to_owned()).collect()
}

const FORMS: [&str; 14] = [
    "Did you know that the maximum dose is @ mg per day [ev_1]?",
    "The maximum dose is @ mg per day [ev_1], right?",
    "## The maximum dose is @ mg per day [ev_1]",
    "## The maximum dose is @ mg per day\n\n[ev_1]",
    "**Maximum dose: @ mg per day [ev_1]**",
    "| Maximum dose | @ mg per day [ev_1] |\n|---|---|",
    "I could not find any exception, the maximum dose is @ mg per day [ev_1].",
    "The documents do not mention an exception; the maximum dose is @ mg per day [ev_1].",
    "Sources: The maximum dose is @ mg per day [ev_1].",
    "Sources:\n- [ev_1] The maximum dose is @ mg per day.",
    "[ev_1]: The maximum dose is @ mg per day.",
    "The maximum dose is @ mg per day [ev_1]:",
    "Please check that the maximum dose is @ mg per day [ev_1].",
    "> The maximum dose is @ mg per day [ev_1]?",
];

#[test]
fn a_wrong_figure_that_cites_is_contradicted_whatever_the_form_of_its_sentence() {
    let wrong: Vec<String> = FORMS.iter().map(|form| form.replace('@', "900")).collect();
    let records = all_checked(wrong.iter().map(String::as_str), 1).lines("records.jsonl");
    for (number, form) in FORMS.iter().enumerate() {
        let id = number.to_string();
        let mut own = records.iter().filter(|record| record["case_id"].as_str() == Some(&id));
        assert!(own.any(|record| record["label"] == "contradicted"), "{form}");
    }
    let right: Vec<String> = FORMS.iter().map(|form| form.replace('@', "400")).collect();
    assert_eq!(errors(&all_checked(right.iter().map(String::as_str), 0)), [""; 0]);
}

#[test]
fn a_statement_in_a_code_fence_is_judged() {
    let fences: Vec<String> =
        ["```\n@\n```", "```text\n@\n```", "~~~python\n@\n~~~", "Here it is:\n```\n@\nend = [1]\n```"]
            .iter()
            .map(|fence| fence.replace('@', "The maximum dose is 900 mg per day [ev_1]."))
            .collect();
    let folder = all_checked(fences.iter().map(String::as_str), 1);
    let records = folder.lines("records.jsonl");
    for (number, fence) in fences.iter().enumerate() {
        let id = number.to_string();
        let mut own = records.iter().filter(|record| record["case_id"].as_str() == Some(&id));
        assert!(own.any(|record| record["label"] == "contradicted"), "{fence}");
    }
    // Without a marker it is an uncited claim.
    let folder = checked(&case("```\nThe maximum dose is 900 mg per day.\n```"), 1);
    assert_eq!(folder.lines("records.jsonl")[0]["coverage_required"], true);
    // Code is none.
    let code = "The maximum dose is 400 mg per day [ev_1].\n\n```python\ndose = doses[0]\nprint(dose)  # 900 mg\n```";
    assert_eq!(errors(&checked(&case(code), 0)), [""; 0]);
}

#[test]
fn a_release_with_nothing_to_judge_fails_and_says_so() {
    let right = "The maximum dose is 400 mg per day [ev_1].";
    for (nothing, refused) in
        [("I could not find any information on that.", "; 3 refused"), ("Yes.", ""), ("```\nx = 1\n```", "")]
    {
        let mut row = case(nothing);
        row.as_object_mut().expect("an object").remove("answerable");
        let rows: Vec<String> =
            (0..3).map(|number| numbered(row.clone(), number)).chain([numbered(case(right), 3)]).collect();
        let folder = Folder::with(&[("cases.jsonl", &rows.join("\n"))]);
        let told = folder.run(1, &["check", "cases.jsonl"]);
        assert!(told.contains(&format!("3 of 4 cases had nothing to judge{refused}")), "{told}");
        assert!(told.contains("✗ nothing-to-judge"), "{told}");
        // The owner of the questions may say that they have no answer.
        row["answerable"] = json!(false);
        let rows: Vec<String> =
            (0..3).map(|number| numbered(row.clone(), number)).chain([numbered(case(right), 3)]).collect();
        Folder::with(&[("cases.jsonl", &rows.join("\n"))]).run(0, &["check", "cases.jsonl"]);
    }
}

#[test]
fn a_language_that_no_lexicon_speaks_is_said_and_misses_its_gate() {
    let right = "The maximum dose is 400 mg per day [ev_1].";
    let told = |language: serde_json::Value, answer: &str| {
        let mut row = case(answer);
        row["language"] = language;
        let rows = [numbered(case(right), 0), numbered(row, 1)];
        Folder::with(&[("cases.jsonl", &rows.join("\n"))]).run(0, &["check", "cases.jsonl"])
    };
    for (language, answer) in
        [(json!("fi"), "Enimmäisannos on 400 mg [ev_1]."), (json!(null), "დღიური დოზაა 400 mg [ev_1].")]
    {
        let told = told(language, answer);
        assert!(told.contains("1 of 2 cases in a language without a lexicon"), "{told}");
        assert!(told.contains("unread-languages"), "{told}");
    }
    assert!(!told(json!(null), right).contains("without a lexicon"));
}

#[test]
fn a_line_that_names_the_source_cites_for_the_paragraph_above() {
    let folder = checked(&case("The maximum dose is 400 mg per day. Patients rest afterwards.\n\nSource: [1]"), 0);
    let records = folder.lines("records.jsonl");
    assert_eq!(records[0]["label"], "supported");
    assert!(records[..2].iter().all(|record| record["covered"] == true));
    let wrong = checked(&case("The maximum dose is 900 mg per day.\n\nSource: [1]"), 1);
    assert_eq!(wrong.lines("records.jsonl")[0]["label"], "contradicted");
}

#[test]
fn one_answer_that_repeats_itself_does_not_make_up_for_the_others() {
    let right = "The maximum dose is 400 mg per day [ev_1]. ".repeat(200);
    let wrong = "The maximum dose is 900 mg per day [ev_1].";
    let rows: Vec<String> =
        (0..4).map(|number| numbered(case(if number == 0 { &right } else { wrong }), number)).collect();
    let folder = Folder::with(&[("cases.jsonl", &rows.join("\n"))]);
    let told = folder.run(1, &["check", "cases.jsonl"]);
    assert!(told.contains("✗ failing-answers"), "{told}");
}

#[test]
fn a_claim_whose_sentence_speaks_of_something_else_is_an_error() {
    let claims = json!([{"text": "The maximum dose is 400 mg per day.", "citation_ids": ["ev_1"]}]);
    for answer in [
        "Every visitor pays a fee of 400 mg [ev_1].",
        "Nothing else weighs 400 mg per visitor [ev_1]. The fee is due at once.",
    ] {
        let row = json!({"case_id": "a", "answer": answer, "claims": claims});
        let (folder, _) = answered(&row, 1, &[]);
        assert!(!errors(&folder).is_empty(), "{answer}");
    }
}

#[test]
fn a_claim_that_its_answer_denies_is_an_error() {
    let claims = json!([{"text": "The maximum dose is 400 mg per day.", "citation_ids": ["ev_1"]}]);
    for answer in [
        "The maximum dose is not 400 mg per day [ev_1].",
        "The maximum dose is not 400 mg per day and was never so [ev_1].",
        "Note that the maximum dose is never 400 mg per day, whatever the label says [ev_1].",
    ] {
        let row = json!({"case_id": "a", "answer": answer, "claims": claims});
        let (folder, _) = answered(&row, 1, &[]);
        assert!(errors(&folder).contains(&"sense-changed".to_owned()), "{answer}");
    }
    for answer in [
        "The maximum dose is 400 mg per day [ev_1], but this is not the usual one.",
        "The maximum dose is 400 mg per day [ev_1]. It does not change.",
    ] {
        let row = json!({"case_id": "a", "answer": answer, "claims": claims});
        let (folder, _) = answered(&row, 0, &[]);
        assert_eq!(errors(&folder), [""; 0], "{answer}");
    }
}

#[test]
fn a_pure_refusal_and_the_name_of_a_source_stay_outside_of_the_rates() {
    for (answer, class) in [
        ("The documents [1] do not mention the price.", "refusal"),
        ("I could not find the price list of 2023 in the documents [1].", "refusal"),
        ("Sources:\n[1] Dose Guide, version 2.4, 14 March 2024, p. 12, https://kb.example/dose", "reference_entry"),
        ("[1]: Dose Guide, 2024, https://kb.example/dose", "reference_entry"),
        ("Would you like to know more [1]?", "not_verifiable"),
    ] {
        let text = format!("The maximum dose is 400 mg per day [1].\n\n{answer}");
        let folder = checked(&case(&text), 0);
        assert_eq!(errors(&folder), [""; 0], "{answer}");
        assert_eq!(
            folder.lines("records.jsonl").last().map(|record| record["class"].clone()),
            Some(json!(class)),
            "{answer}"
        );
    }
}

#[test]
fn a_candidate_does_not_take_its_answer_out_of_the_rates() {
    let claim =
        json!({"text": "The maximum dose is 900 mg per day.", "citation_ids": ["ev_1"], "is_verifiable": false});
    for claims in [json!([]), json!([claim])] {
        let row = json!({"case_id": "a", "answer": "The maximum dose is 900 mg per day [ev_1].", "claims": claims});
        let (folder, _) = answered(&row, 1, &[]);
        assert_eq!(folder.lines("records.jsonl")[0]["label"], "contradicted");
    }
    // The owner of a dataset may: nobody else wrote it.
    let mut owned = case("The maximum dose is 400 mg per day [ev_1]. It is our last offer.");
    owned["claims"] = json!([{"text": "The maximum dose is 400 mg per day.", "citation_ids": ["ev_1"]},
        {"text": "It is our last offer.", "citation_ids": [], "is_verifiable": false}]);
    checked(&owned, 0);
}

#[test]
fn a_case_that_says_it_has_no_claims_fails_where_its_answer_states_a_fact() {
    let mut none = case("The maximum dose is 400 mg per day.");
    none["claims"] = json!([]);
    let folder = checked(&none, 1);
    assert_eq!(errors(&folder), ["fact-without-claim"]);
}

#[test]
fn a_cited_fact_that_no_declared_claim_has_is_an_error_and_an_uncited_one_a_warning() {
    let claims = json!([{"text": "Patients rest afterwards.", "citation_ids": ["ev_1"]}]);
    let row = json!({"case_id": "a", "answer": "Patients rest afterwards [ev_1]. The maximum dose is 900 mg per day [ev_1].", "claims": claims});
    let folder = Folder::with(&[("cases.jsonl", &question().to_string()), ("answers.jsonl", &row.to_string())]);
    let policy = "version: 1\nmarkers: [{ id: named, pattern: '\\[(?<ref>[a-z_0-9]+)\\]' }]\n\
        rules: [{ id: not-in-any-claim, check: answer-covered }]\ngates: [{ id: cases, metric: case_pass_rate, min: 1 }]\n";
    folder.write("rules/own.yaml", policy);
    folder.run(1, &["check", "cases.jsonl", "--answers", "answers.jsonl"]);
    assert_eq!(errors(&folder), ["fact-without-claim"]);
    let mut uncited = case("The maximum dose is 400 mg per day [ev_1]. Bring 900 mg of sugar.");
    uncited["claims"] = json!([{"text": "The maximum dose is 400 mg per day.", "citation_ids": ["ev_1"]}]);
    assert_eq!(errors(&checked(&uncited, 0)), [""; 0]);
}

#[test]
fn an_answer_without_a_word_is_a_missing_answer_or_a_refusal_that_fails() {
    const EMPTY: [&str; 11] = [
        "",
        "  \n",
        "-",
        "…",
        "<br>",
        "&nbsp;",
        "[ev_1]",
        "([ev_1]) [ev_1].",
        "```\n```",
        "<!-- 400 mg -->",
        "\u{200b}",
    ];
    let questions: Vec<String> = (0..EMPTY.len()).map(|number| numbered(question(), number)).collect();
    let rows = EMPTY.iter().enumerate().map(|(number, answer)| numbered(json!({"answer": answer}), number));
    let folder = Folder::with(&[
        ("cases.jsonl", &questions.join("\n")),
        ("answers.jsonl", &rows.collect::<Vec<_>>().join("\n")),
    ]);
    let said = folder.run(2, &["check", "cases.jsonl", "--answers", "answers.jsonl"]);
    assert_eq!(said.matches("error[missing-answer]").count(), EMPTY.len(), "{said}");
    for case in all_checked(EMPTY, 1).lines("cases.jsonl") {
        assert_eq!(case["refused"], true, "{case}");
        let findings = case["findings"].as_array().cloned().unwrap_or_default();
        assert!(findings.iter().any(|finding| finding["code"] == "empty-answer"), "{case}");
    }
    let (folder, _) = answered(&json!({"case_id": "a", "answer": "No [ev_1]."}), 1, &[]);
    assert_eq!(folder.lines("cases.jsonl")[0]["refused"], false);
}

#[test]
fn a_claim_that_stands_only_where_no_reader_sees_it_was_changed() {
    const HIDDEN: [&str; 8] = [
        "<!-- @ -->",
        "<SPAN STYLE='Display: none'>@</SPAN>",
        "<font color=white>@</font>",
        "<del>@</del>",
        "~~@~~",
        "\n\n[//]: # (@)",
        "<template>@</template>",
        "<b title=\"@\"></b>",
    ];
    let said = "The maximum dose is 400 mg per day.";
    let cases = HIDDEN.iter().enumerate().map(|(number, hidden)| {
        let mut case = case(&format!("The maximum dose is 900 mg per day [ev_1]. {}", hidden.replace('@', said)));
        case["claims"] = json!([{"text": said, "citation_ids": ["ev_1"]}]);
        numbered(case, number)
    });
    let folder = Folder::with(&[("cases.jsonl", &cases.collect::<Vec<_>>().join("\n"))]);
    folder.run(1, &["check", "cases.jsonl"]);
    assert_eq!(errors(&folder), ["fact-changed"; 8]);
    let mut shown = case("The maximum dose is 400 mg per day [ev_1]. `<span hidden>` hides text.");
    shown["claims"] = json!([{"text": "The maximum dose is 400 mg per day.", "citation_ids": ["ev_1"]}]);
    checked(&shown, 0);
}

#[test]
fn hidden_text_cites_nothing_and_bears_nothing_out() {
    let folder = checked(&case("Patients rest afterwards. <span hidden>It is so [ev_1].</span>"), 1);
    assert_eq!(errors(&folder), ["uncited"]);
    for hidden in ["\n[//]: # (@)", "<font color=\"white\">@</font>", "<s>@</s>", "<p style='opacity:0'>@</p>"] {
        let mut case = case("The maximum dose is 900 mg per day [ev_1].");
        let content =
            format!("Patients rest afterwards. {}", hidden.replace('@', "The maximum dose is 900 mg per day."));
        case["sources"][0]["content"] = json!(content);
        let mut good = self::case("The maximum dose is 400 mg per day [ev_1].");
        good["case_id"] = json!("b");
        let folder = Folder::with(&[("cases.jsonl", &format!("{case}\n{good}\n"))]);
        folder.run(0, &["check", "cases.jsonl"]);
        assert_eq!(folder.lines("records.jsonl")[0]["label"], "undecided", "{hidden}");
    }
}

#[test]
fn hidden_text_of_a_passage_takes_back_no_contradiction() {
    for hidden in
        ["<!-- @ -->", "<p hidden>@</p>", "~~@~~", "<font color=\"white\">@</font>", "{--@--}", "$\\phantom{@}$"]
    {
        let mut case = case("The maximum dose is 900 mg per day [ev_1].");
        let content = case["sources"][0]["content"].as_str().expect("a text").to_owned();
        case["sources"][0]["content"] =
            json!(format!("{content} {}", hidden.replace('@', "The maximum dose is 900 mg per day.")));
        let folder = checked(&case, 1);
        let record = &folder.lines("records.jsonl")[0];
        assert_eq!(record["label"], "contradicted", "{hidden}");
        // What was hidden stays in the excerpt's hash: it is of the text as it stands.
        let excerpt = record["citations"][0]["excerpt"]["text"].as_str().expect("an excerpt");
        assert!(case["sources"][0]["content"].as_str().expect("a text").contains(excerpt), "{hidden}");
    }
}

#[test]
fn a_number_drawn_in_a_circle_is_vouched_for_by_nothing() {
    for number in ["㉛", "⑴", "❾"] {
        let answer = format!("The maximum dose is 400 mg per day on day {number} [ev_1].");
        let folder = Folder::with(&[(
            "cases.jsonl",
            &format!("{}\n{}\n", case(&answer), {
                let mut good = case("The maximum dose is 400 mg per day [ev_1].");
                good["case_id"] = json!("b");
                good
            }),
        )]);
        folder.run(0, &["check", "cases.jsonl"]);
        assert_eq!(folder.lines("records.jsonl")[0]["label"], "undecided", "{number}");
    }
}
