use proptest::prelude::*;

use super::*;

fn redactor(own: &[(&str, &str)], shipped: &[&str]) -> Redactor {
    let own = own.iter().map(|(id, pattern)| {
        ((*id).to_owned(), Pattern::Own(Regex::new(pattern).unwrap_or_else(|error| panic!("{error}"))))
    });
    let shipped = shipped.iter().filter_map(|id| Some(((*id).to_owned(), Pattern::Shipped(Shipped::named(id)?))));
    Redactor::new(own.chain(shipped).collect(), ["meta.owner".to_owned()])
}

#[test]
fn what_is_found_is_taken_out_and_the_rest_stays() {
    let redactor = redactor(&[("ticket", r"T-\d+")], &["email"]);
    assert_eq!(redactor.text("ask desk@example.com about T-12."), "ask [redacted:email] about [redacted:ticket].");
    assert!(matches!(redactor.text("nothing here"), Cow::Borrowed(_)));
    // SHA-256 of "T-12" begins with these digits (sha256sum).
    assert_eq!(redactor.id("case T-12"), "case [redacted:ticket:13b42ee6]");
    assert_eq!(redactor.case_id("T-12"), "[redacted:ticket:13b42ee6d991b868]");
    assert_ne!(redactor.id("T-12"), redactor.id("T-13"));
}

#[test]
fn of_two_that_overlap_all_goes_under_the_first_name() {
    let redactor = redactor(&[("user", r"user \w+"), ("tail", r"\.com, \w+")], &["email"]);
    assert_eq!(redactor.text("user desk@example.com, now"), "[redacted:user]");
    assert_eq!(redactor.text("x desk@example.com, now"), "x [redacted:tail]");
}

#[test]
fn evasions_are_seen_through() {
    let redactor = redactor(&[], &["email", "phone"]);
    for text in ["desk＠example．com", "de\u{200b}sk@exa\u{ad}mple.com", "desk%40example.com", "desk&#64;example.com"]
    {
        assert_eq!(redactor.text(text), "[redacted:email]", "{text}");
    }
    assert_eq!(redactor.text("+49\u{a0}30\u{2011}1234567"), "[redacted:phone]");
}

#[test]
fn what_was_taken_out_is_left_alone() {
    let redactor = redactor(&[("word", r"[a-z]+")], &["email"]);
    for text in
        ["[redacted:email]", "[redacted:meta.owner:1a2b3c4d]", "[redacted:word] 1 [redacted:email:0011223344556677]"]
    {
        assert_eq!(redactor.text(text), text);
    }
    // Only what this redactor writes is left alone, and what covers a part of it takes all of it.
    assert_eq!(redactor.text("[redacted:other]"), "[[redacted:word]:[redacted:word]]");
    let greedy = super::tests::redactor(&[("line", r"key=.*")], &["email"]);
    assert_eq!(greedy.text("a key=[redacted:email] b"), "a [redacted:line]");
}

#[test]
fn spans_move_along_and_widen() {
    let redactor = redactor(&[("ticket", r"T-\d+")], &[]);
    let text = "see T-12 [S1] and T-3";
    let rewritten = redactor.rewritten(text, Form::Running);
    let written = rewritten.written();
    assert_eq!(written, "see [redacted:ticket] [S1] and [redacted:ticket]");
    let cut = |span| {
        let (start, end) = rewritten.span(span);
        &written[start..end]
    };
    assert_eq!(cut((9, 13)), "[S1]");
    assert_eq!(cut((4, 8)), "[redacted:ticket]");
    assert_eq!(cut((6, 13)), "[redacted:ticket] [S1]", "a span that cuts through one widens");
    assert_eq!(cut((0, 6)), "see [redacted:ticket]");
    assert_eq!(cut((0, 4)), "see ");
    assert_eq!(cut((8, 9)), " ");
    assert_eq!(cut((0, text.len())), written);
    assert_eq!(cut((18, 21)), "[redacted:ticket]");
}

#[test]
fn problems_quote_nothing_that_must_not_leave() {
    use crate::diagnostic::{Problem, Problems, code};
    let patterns = Redactor::new(vec![("email".to_owned(), Pattern::Shipped(Shipped::Email))], []);
    let said = |redactor: &Redactor, message: &str, found: &str| {
        let problem = Problem::new(code::WRONG_VALUE, message).found(found, "a number").on_line("x.jsonl", 2);
        redactor.problems(Problems::from(problem)).render()
    };
    assert_eq!(
        said(&patterns, "`x` is \"desk@example.com\"", "\"long desk@exam…\""),
        "x.jsonl:2: error[wrong-value]: `x` is \"[redacted:email]\"\n  found \"[redacted]\", expected a number\n"
    );
    assert_eq!(
        said(&redactor(&[], &["email"]), "`answer` of `some.key` is \"anything\"", "\"anything\""),
        "x.jsonl:2: error[wrong-value]: `answer` of `[redacted]` is \"[redacted]\"\n  expected a number\n"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_text_redacting_twice_changes_nothing_and_spans_fit(
        text in "([a-zT ]{0,6}|T-[0-9]{1,3}|desk@example\\.com|\\+49 30 1234567|é＠ü．de|\u{200b}|%40|\\[S1\\]|\\[redacted:email\\]){0,12}",
        from in 0_usize..80, length in 0_usize..40,
    ) {
        let redactor = redactor(&[("ticket", r"T-\d+"), ("pair", r"\w \w")], &["email", "phone", "key", "token", "iban"]);
        let rewritten = redactor.rewritten(&text, Form::Running);
        let once = rewritten.written();
        prop_assert!(!once.contains("desk@example.com"));
        let twice = redactor.text(&once);
        prop_assert_eq!(twice.as_ref(), once.as_str());
        let (start, end) = (from.min(text.len()), (from + length).min(text.len()));
        if text.get(start..end).is_some() {
            let (moved, behind) = rewritten.span((start, end));
            prop_assert!(once.get(moved..behind).is_some(), "{text:?} {once:?} {start}..{end} {moved}..{behind}");
        }
    }
}
