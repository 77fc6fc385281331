//! Citations that no grammar reads.

use serde_json::{Value, json};

use crate::folder::Folder;

/// Three passages, the ids of which are no numbers.
fn sources() -> Value {
    json!([
        {"id": "kb-a", "url": "https://docs.example/tokens", "content": "Tokens expire after 12 hours."},
        {"id": "kb-b", "url": "https://docs.example/audit", "content": "Audit trails are kept for 45 days."},
        {"id": "kb-c", "url": "https://docs.example/export", "content": "An export may hold 500 rows."}
    ])
}

fn case(id: usize, answer: &str, sources: &Value) -> String {
    json!({"case_id": format!("a{id}"), "language": "en", "answer": answer, "sources": sources}).to_string()
}

/// A folder in which these answers were checked; the exit code must be `code`.
fn checked(code: i32, answers: &[&str], sources: &Value) -> Folder {
    let lines: Vec<String> = answers.iter().enumerate().map(|(id, answer)| case(id, answer, sources)).collect();
    let folder = Folder::with(&[("cases.jsonl", &lines.join("\n"))]);
    folder.run(code, &["check", "cases.jsonl"]);
    folder
}

/// The final errors on markers of each case, as (code, message), in order of the cases.
fn told(folder: &Folder) -> Vec<Vec<(String, String)>> {
    const CODES: [&str; 4] = ["malformed-marker", "position-out-of-range", "unknown-id", "link-and-number-differ"];
    let records = folder.lines("records.jsonl");
    let of = |record: &Value| -> Vec<(String, String)> {
        let findings = record["findings"].as_array().cloned().unwrap_or_default();
        let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        let is_final = |finding: &&Value| {
            finding["certainty"].as_str().unwrap_or("final") == "final"
                && CODES.contains(&finding["code"].as_str().unwrap_or_default())
        };
        findings.iter().filter(is_final).map(|finding| (text(finding, "code"), text(finding, "message"))).collect()
    };
    let cases = folder.lines("cases.jsonl");
    let own =
        |case: &Value| records.iter().filter(|record| record["case_id"] == case["case_id"]).flat_map(of).collect();
    cases.iter().map(|case| [of(case), own(case)].concat()).collect()
}

/// A number past the end, in forms that the shipped policy reads and in forms that it does not.
const PAST_THE_END: &[&str] = &[
    "［77］",
    "〔77〕",
    "〖77〗",
    "⟦77⟧",
    "❲77❳",
    "｢77｣",
    "⁅77⁆",
    "⁽⁷⁷⁾",
    "［文献77］",
    "（来源：77）",
    "[1、77]",
    "[1，77]",
    "\\[77\\]",
    "\\[Source 77\\]",
    "[7\u{200b}7]",
    "[\u{2066}77\u{2069}]",
    "[77†source]",
    "[4:77†a.pdf]",
    "[^77^]",
    "^77^",
    "turn0search77",
    "\\ue202turn0search77",
    "【turn0news77】",
    "<|file-77|>",
    "<co: 77>",
    "</co: 77>",
    "<sup><a href=\"#n\">77</a></sup>",
    "<a href=\"#n\">[77]</a>",
    "[출처 77]",
    "[Источник 77]",
    "[المصدر 77]",
    "[Źródło 77]",
    "[chunk 77]",
    "[Search result 77]",
    "Document 77]",
    "[٧٧]",
    "[৭৭]",
    "[๗๗]",
    "[၇၇]",
    "[７７]",
    "{77}",
    "⟨77⟩",
    "<77>",
    "(77)",
    "[#77]",
    "[77:3]",
    "[p77]",
    "[ref:77]",
    "[Beleg-Nummer 77]",
    "[1 77]",
    "[1..77]",
    "[1…77]",
    "[1 to 77]",
    "[1/77]",
    "[77/2]",
    "[1 or 77]",
    "[+77]",
    "[(77)]",
    "[`77`]",
    "{{77}}",
    "<77/>",
    "[id=77]",
    "<ref>77</ref>",
    "<cite>77</cite>",
    "[Source 1, Source 77]",
    "[1, Doc 77]",
];

#[test]
fn a_number_that_is_past_the_end_is_told_in_whatever_signs_it_stands() {
    for glue in ["", " "] {
        let answers: Vec<String> =
            PAST_THE_END.iter().map(|form| format!("Tokens expire after 12 hours [1]{glue}{form}.")).collect();
        let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
        let folder = checked(1, &answers, &sources());
        for ((told, form), claim) in told(&folder).iter().zip(PAST_THE_END).zip(folder.lines("records.jsonl")) {
            assert!(!told.is_empty(), "{form}");
            // The number is no part of the claim, so nothing is said of it as a quantity.
            let text = claim["claim"].as_str().expect("a claim");
            assert_eq!(text, "Tokens expire after 12 hours.", "{form}");
        }
    }
}

#[test]
fn an_invented_name_right_behind_a_marker_is_told() {
    let answers = ["Tokens expire after 12 hours [kb-a][wiki].", "Tokens expire after 12 hours [1][^pricing]."];
    for told in told(&checked(1, &answers, &sources())) {
        assert!(told.iter().any(|(code, _)| code == "malformed-marker"), "{told:?}");
    }
}

#[test]
fn keys_classes_of_characters_and_formulas_are_no_markers() {
    const NONE: &[&str] = &[
        "Press [F5] to reload.",
        "An id matches [0-9]+ or [a-z_]{3}.",
        "Step [1/3] of the wizard asks for it.",
        "The matrix A = [1 2; 3 4] is given.",
        "It grows by $3 \\times 10^8$ rows.",
    ];
    let answers: Vec<String> = NONE.iter().map(|text| format!("Tokens expire after 12 hours [1]. {text}")).collect();
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    let lines: Vec<String> = answers.iter().enumerate().map(|(id, answer)| case(id, answer, &sources())).collect();
    let folder = Folder::with(&[("cases.jsonl", &lines.join("\n"))]);
    folder.run(1, &["check", "cases.jsonl"]);
    for (told, text) in told(&folder).iter().zip(NONE) {
        assert!(told.is_empty(), "{text}: {told:?}");
    }
}

#[test]
fn the_same_forms_with_the_right_number_cite_their_passage() {
    const READ: &[&str] = &[
        "［2］",
        "〔2〕",
        "⟦2⟧",
        "［文献2］",
        "（来源：2）",
        "\\[2\\]",
        "[\u{2066}2\u{2069}]",
        "[2†source]",
        "[^2^]",
        "^2^",
        "<|file-2|>",
        "<sup><a href=\"#n\">2</a></sup>",
        "<a href=\"#n\">[2]</a>",
        "[출처 2]",
        "[chunk 2]",
        "[২]",
        "[๒]",
        "[၂]",
    ];
    let answers: Vec<String> = READ.iter().map(|form| format!("Audit trails are kept for 45 days {form}.")).collect();
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    let folder = checked(0, &answers, &sources());
    for (claim, form) in folder.lines("records.jsonl").iter().zip(READ) {
        assert_eq!((&claim["label"], &claim["citations"][0]["id"]), (&json!("supported"), &json!("kb-b")), "{form}");
    }
}

#[test]
fn a_number_that_is_no_citation_is_told_by_nothing() {
    let answers = [
        "Tokens expire after 12 hours [1] (about half a day).",
        "Tokens expire after 12 hours (12) in every plan [1].",
        "“Tokens expire [in 2019]” after 12 hours [sic] [1].",
        "Tokens expire after 12 hours [10:15] [1].",
        "Tokens expire after 12 hours, x_{2} = \\frac{1}{2} [1].",
        "Tokens expire after 12 hours \\[ x = 2 \\] [1].",
        "Tokens expire after [about 12] hours [1].",
        "Tokens expire after 12 hours; 10^6 and 5 m² [1].",
        "Tokens expire after 12 hours, 国发〔2019〕 [1].",
        "Tokens expire after 12 hours （注1） [1].",
        "Tokens expire after 12 hours: `items[77]` [1].",
        "Tokens expire after 12 hours, see [section 4](https://docs.example/tokens) [1].",
        "1) Tokens expire after 12 hours [1].\n- [ ] open",
    ];
    // The gates fail for what the answers say beside their one fact; here it is the markers that count.
    let folder = checked(1, &answers, &sources());
    for (told, answer) in told(&folder).iter().zip(answers) {
        assert_eq!(told, &[], "{answer}");
    }
}

#[test]
fn what_is_not_read_is_told_with_the_line_that_reads_it() {
    let answer = "Audit trails are kept for 45 days {2}. Tokens expire after 12 hours [1].";
    let folder = checked(1, &[answer], &sources());
    let [(code, message)] = &told(&folder)[0][..] else { panic!("{:?}", told(&folder)) };
    assert_eq!(code, "malformed-marker");
    let line = message.split_once("- {").map(|(_, line)| format!("- {{{line}")).expect("a line of YAML");
    // The line is put into the policy as it stands, and the same answer is read.
    folder.run(0, &["init", "own"]);
    folder.write("own/rules/05-own.yaml", &format!("version: 1\nmarkers:\n  {line}\n"));
    folder.run(0, &["check", "cases.jsonl", "--rules", "own/rules"]);
    assert_eq!(folder.lines("records.jsonl")[0]["citations"][0]["id"], "kb-b");
}

#[test]
fn a_claim_whose_only_marker_is_not_read_is_broken_and_not_uncited() {
    let folder = checked(1, &["Audit trails are kept for 45 days {2}."], &sources());
    let claim = &folder.lines("records.jsonl")[0];
    assert_eq!(told(&folder)[0][0].0, "malformed-marker");
    assert!(!claim["findings"].to_string().contains("\"uncited\""), "{claim}");
}

#[test]
fn a_link_to_another_unit_than_the_number_names_supports_nothing() {
    let other = "https://docs.example/audit";
    let forms = [
        format!("[1]({other})"),
        "[1](http://www.DOCS.example/%61udit/#top)".to_owned(),
        format!("[[1]]({other})"),
        format!("[[1]({other})]"),
        format!("[\\[1\\]]({other})"),
        format!("[Source 1]({other})"),
        format!("[kb-a]({other})"),
        format!("<a href=\"{other}\">[1]</a>"),
        format!("<sup><a href='{other}' target=_blank>1</a></sup>"),
        format!("<a class=c href={other}>kb-a</a>"),
        "[1](kb-b)".to_owned(),
    ];
    let answers: Vec<String> = forms.iter().map(|form| format!("Tokens expire after 12 hours {form}.")).collect();
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    let folder = checked(1, &answers, &sources());
    for ((told, claim), form) in told(&folder).iter().zip(folder.lines("records.jsonl")).zip(&forms) {
        let [(code, message)] = &told[..] else { panic!("{form}: {told:?}") };
        assert_eq!(code, "link-and-number-differ", "{form}");
        assert!(message.contains("“kb-a”") && message.contains("its link leads to the unit “kb-b”"), "{message}");
        assert_eq!(
            (&claim["label"], &claim["claim"]),
            (&json!("unresolved"), &json!("Tokens expire after 12 hours.")),
            "{form}"
        );
    }
    let text = "Tokens expire after 12 hours [kb-a].\n\n[kb-a]: https://docs.example/audit";
    let folder = checked(1, &[text], &sources());
    assert!(told(&folder)[0].iter().all(|(code, _)| code == "link-and-number-differ"), "{:?}", told(&folder));
    assert_eq!(folder.lines("records.jsonl")[0]["label"], "unresolved");
}

#[test]
fn a_link_to_the_unit_of_its_number_is_read_as_before() {
    let answers = [
        "Tokens expire after 12 hours [1](https://docs.example/tokens).",
        "Tokens expire after 12 hours [1](https://docs.example/tokens#life).",
        "Tokens expire after 12 hours [[1](https://docs.example/tokens)].",
        "Tokens expire after 12 hours <a href=\"https://docs.example/tokens\">[1]</a>.",
        "Tokens expire after 12 hours [1](#n1).",
    ];
    let folder = checked(0, &answers, &sources());
    for claim in folder.lines("records.jsonl") {
        assert_eq!((&claim["label"], &claim["claim"]), (&json!("supported"), &json!("Tokens expire after 12 hours.")));
    }
}

#[test]
fn a_number_is_an_id_where_the_ids_are_numbers() {
    let numbered = json!([
        {"id": "31", "content": "Tokens expire after 12 hours."},
        {"id": "58", "content": "Audit trails are kept for 45 days."}
    ]);
    let folder =
        checked(1, &["Audit trails are kept for 45 days [2].", "Audit trails are kept for 45 days [58]."], &numbered);
    let told_of = told(&folder);
    assert_eq!((told_of[0][0].0.as_str(), told_of[1].len()), ("unknown-id", 0));
    let labels: Vec<Value> = folder.lines("records.jsonl").into_iter().map(|claim| claim["label"].clone()).collect();
    assert_eq!(labels, ["unresolved", "supported"]);

    let mixed = json!([
        {"id": "kb-a", "content": "Tokens expire after 12 hours."},
        {"id": "58", "content": "Audit trails are kept for 45 days."}
    ]);
    let both = "Audit trails are kept for 45 days [58]. Tokens expire after 12 hours [1].";
    let folder = checked(1, &[both, "Tokens expire after 12 hours [1]."], &mixed);
    let labels: Vec<Value> = folder.lines("records.jsonl").into_iter().map(|claim| claim["label"].clone()).collect();
    assert_eq!(
        labels,
        ["supported", "unresolved", "supported"],
        "where no number is cited as an id, 1 is the first unit"
    );
}

#[test]
fn a_zero_names_the_line_that_counts_from_zero() {
    let folder = checked(1, &["Tokens expire after 12 hours [0]."], &sources());
    let [(code, message)] = &told(&folder)[0][..] else { panic!() };
    assert_eq!(code, "position-out-of-range");
    assert!(message.contains("`first: 0`"), "{message}");
}

#[test]
fn a_marker_that_an_exclude_takes_out_is_told_by_lint() {
    let folder = Folder::with(&[(
        "rules/a.yaml",
        "version: 1\nmarkers:\n  - id: year\n    exclude: '\\[(?<ref>(?:19|20)\\d\\d)\\]'\n  - id: report\n    pattern: '\\[(?<ref>20\\d\\d)\\]'\n  \
             - { id: number, pattern: '\\[(?<ref>\\d{1,3})\\]' }\nrules:\n  - { id: unknown, check: resolves }\n",
    )]);
    let printed = folder.run(0, &["lint", "--rules", "rules"]);
    assert!(printed.contains("warning: the marker `report` (rules/a.yaml:5) finds nothing"), "{printed}");
    assert!(printed.contains("`year` (rules/a.yaml:3)"), "{printed}");
    assert!(!printed.contains("`number`"), "{printed}");
    assert!(!Folder::with(&[]).run(0, &["lint"]).contains("finds nothing"), "the shipped policy");
}
