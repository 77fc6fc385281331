use super::*;

fn span(start: u32, end: u32) -> Span {
    Span { source: 0, start, end }
}

fn rendered(text: &str, problem: Problem) -> String {
    let mut problems = Problems::new();
    problems.add_source("rules/a.yaml", text);
    problems.push(problem);
    problems.render()
}

#[test]
fn a_problem_begins_with_its_place_and_points_at_the_token() {
    let problem = Problem::new(code::BAD_RATIO, "`min` is not a ratio")
        .at(span(16, 18))
        .found("95", "a ratio between 0 and 1")
        .help("did you mean 0.95?");
    assert_eq!(
        rendered("gates:\n  - min: 95\n", problem),
        "rules/a.yaml:2:10: error[bad-ratio]: `min` is not a ratio\n\
         \x20 |\n\
         2 |   - min: 95\n\
         \x20 |          ^^ found 95, expected a ratio between 0 and 1\n\
         \x20 help: did you mean 0.95?\n"
    );
}

#[test]
fn wide_characters_and_tabs_keep_the_caret_under_the_token() {
    let text = "\t文書: x\n";
    let problem = Problem::new(code::WRONG_VALUE, "no").at(span(9, 10)).label("here");
    let shown = rendered(text, problem);
    assert!(shown.starts_with("rules/a.yaml:1:6: error[wrong-value]: no\n"), "{shown}");
    assert!(shown.contains("1 |     文書: x\n"), "{shown}");
    // Four columns for the tab, four for the two wide characters, two for ": ".
    assert!(shown.contains("\n  |           ^ here\n"), "{shown}");
}

#[test]
fn escapes_of_the_input_never_reach_the_terminal() {
    let text = "a: \u{1b}[31mred\u{202e}\u{9b}x\n";
    let problem = Problem::new(code::WRONG_VALUE, format!("bad {}", quoted("\u{1b}[2J\nx")))
        .at(span(3, 4))
        .label("\u{1b}]0;title\u{7}");
    let shown = rendered(text, problem);
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}') && !shown.contains('\u{7}'), "{shown:?}");
    assert!(shown.contains("bad \"␛[2J␤x\""), "{shown}");
}

#[test]
fn a_long_line_is_cut_around_the_caret() {
    let text = format!("{}HERE{}", "x".repeat(100_000), "y".repeat(100_000));
    let shown = rendered(&text, Problem::new(code::SYNTAX, "no").at(span(100_000, 100_004)).label("this"));
    assert!(shown.starts_with("rules/a.yaml:1:100001: "), "{}", &shown[..80]);
    assert!(shown.contains("HERE") && shown.contains("^^^^ this"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() < 200), "{shown}");
}

#[test]
fn spans_outside_of_the_text_are_harmless() {
    let shown = rendered("é", Problem::new(code::SYNTAX, "no").at(span(1, 4_000_000_000)));
    assert!(shown.starts_with("rules/a.yaml:1:1: error[syntax]: no\n"), "{shown}");
    let shown = rendered("", Problem::new(code::SYNTAX, "no").at(span(0, 0)).label("here"));
    assert_eq!(shown, "rules/a.yaml:1:1: error[syntax]: no\n  |\n1 |\n  | ^ here\n");
    let shown = rendered("a\n", Problem::new(code::SYNTAX, "no").at(span(0, 0)).label("here"));
    assert_eq!(shown, "rules/a.yaml:1:1: error[syntax]: no\n  |\n1 | a\n  | ^ here\n");
}

#[test]
fn problems_are_sorted_by_file_and_place_and_capped() {
    let mut problems = Problems::new();
    problems.add_source("a", "x\ny\n");
    for line in (1..=5_000).rev() {
        problems.push(Problem::new(code::MALFORMED_JSON, "not JSON").on_line("b", line));
    }
    problems.push(Problem::new(code::SYNTAX, "second").at(span(2, 3)));
    problems.push(Problem::new(code::SYNTAX, "first").at(span(0, 1)));
    assert_eq!(problems.len(), 5_002);
    let shown = problems.shown();
    assert_eq!(shown.len(), SHOWN);
    assert_eq!(&*shown[0].message, "first");
    assert_eq!(&*shown[1].message, "second");
    assert_eq!(shown[2].place, Place::Line("b".into(), 1));
    assert_eq!(shown[99].place, Place::Line("b".into(), 98));
    assert!(problems.render().ends_with("\nand 4902 more problems\n"));
}

#[test]
fn suggestions_are_close_or_absent() {
    assert_eq!(closest("severty", ["severity", "slices"]), Some("severity"));
    assert_eq!(closest("id_range", ["id-range", "resolves"]), Some("id-range"));
    assert_eq!(closest("banana", ["severity", "slices"]), None);
    // Names that share their end only are no slips of one another.
    assert_eq!(closest("hallucination_rate", ["stale_citation_rate", "undecided_rate"]), None);
    assert_eq!(closest("accuracy_rate", ["case_pass_rate", "partial_rate"]), None);
    assert_eq!(closest("undefined_rate", ["undecided_rate"]), Some("undecided_rate"));
    assert_eq!(closest("citation_recal", ["citation_recall", "citation_precision"]), Some("citation_recall"));
    assert_eq!(closest("eng", ["en", "de"]), Some("en"));
    assert_eq!(did_you_mean("banana", ["a-b", "c-d"]).as_deref(), Some("it can be `a-b` or `c-d`"));
}

#[test]
fn the_catalogue_of_codes_is_complete_and_unique() {
    let mut codes: Vec<&str> = CATALOGUE.iter().map(|(code, _)| code.as_str()).collect();
    let expected = include_str!("../diagnostic_codes.txt");
    assert_eq!(codes.join("\n") + "\n", expected, "list the new code in src/diagnostic_codes.txt");
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), CATALOGUE.len());
    assert!(CATALOGUE.iter().all(|(_, meaning)| meaning.ends_with('.')));
}
