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
