//! Digests of cases and of datasets: what a case says, and what it asks. `docs/dataset-format.md` defines them.

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

use super::case::{Case, Text};
use crate::text::digest::{self, Digest};

/// The digest of a case: SHA-256 of its line's bytes, without byte order mark and line break.
#[must_use]
pub fn of_case(line: &[u8]) -> Digest {
    digest::raw(line)
}

/// The digest of what a case asks and what is held against the answer: SHA-256 of the JSON list
/// `[case_id, query, relevant_ids, expected, allowed_scopes]`. It stays the same when only answers change.
///
/// The list is written without spaces and without needless escapes; what is absent is `null`; id lists are sorted
/// and without repetition; `expected` is an object of label words sorted by claim id, `{}` where there are no labels.
#[must_use]
pub fn of_question(case: &Case<'_>) -> Digest {
    let question = Question(
        &case.case_id,
        case.query.as_deref(),
        sorted(case.relevant_ids.as_deref()),
        case.expected.iter().map(|(claim_id, label)| (claim_id.as_ref(), label.as_str())).collect(),
        sorted(case.allowed_scopes.as_deref()),
    );
    let mut hasher = Sha256::new();
    // Writing into a hasher cannot fail, and texts and lists are always JSON.
    let written = serde_json::to_writer(&mut HashWriter(&mut hasher), &question);
    debug_assert!(written.is_ok());
    Digest(hasher.finalize().into())
}

#[derive(Serialize)]
struct Question<'c>(&'c str, Option<&'c str>, Option<Vec<&'c str>>, BTreeMap<&'c str, &'c str>, Option<Vec<&'c str>>);

fn sorted<'c>(ids: Option<&'c [Text<'_>]>) -> Option<Vec<&'c str>> {
    let mut ids: Vec<&str> = ids?.iter().map(AsRef::as_ref).collect();
    ids.sort_unstable();
    ids.dedup();
    Some(ids)
}

struct HashWriter<'h>(&'h mut Sha256);

impl std::io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The two digests of a dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatasetDigests {
    /// SHA-256 over the 32-byte digests of all cases ([`of_case`]) in file order, files in order of their names.
    pub content: Digest,
    /// SHA-256 over the 32-byte digests of all questions ([`of_question`]) in ascending order: it depends neither on
    /// the order of cases nor on how they are spread over files.
    pub questions: Digest,
}

/// Collects the digests of a dataset's cases: 32 bytes per case are held, for the questions.
#[derive(Debug, Default)]
pub struct Fingerprint {
    content: Sha256,
    questions: Vec<[u8; 32]>,
}

impl Fingerprint {
    /// Adds the next case, in file order.
    pub fn add(&mut self, case: Digest, question: Digest) {
        self.content.update(case.0);
        self.questions.push(question.0);
    }

    /// Cases added so far.
    #[must_use]
    pub fn cases(&self) -> u64 {
        self.questions.len() as u64
    }

    /// The digests of all cases that were added.
    #[must_use]
    pub fn finish(mut self) -> DatasetDigests {
        self.questions.sort_unstable();
        let mut questions = Sha256::new();
        self.questions.iter().for_each(|question| questions.update(question));
        DatasetDigests {
            content: Digest(self.content.finalize().into()),
            questions: Digest(questions.finalize().into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::read::{Line, Options, line};

    fn question(text: &str) -> Digest {
        let place = Line { file: "f", file_index: 0, number: 1 };
        of_question(&line(text.as_bytes(), place, &Options::default()).unwrap())
    }

    #[test]
    fn a_question_is_hashed_as_the_format_says() {
        let given = question(
            r#"{"case_id":"a","query":"Wie \"viel\"?\n€","answer":"x","claims":[{"text":"t"},{"text":"u"}],
                "relevant_ids":["z","b",1,"b"],"expected":{"c2":"nei","c1":"refuted"}}"#,
        );
        let list = r#"["a","Wie \"viel\"?\n€",["1","b","z"],{"c1":"contradicted","c2":"insufficient"},null]"#;
        assert_eq!(given, digest::raw(list.as_bytes()));
        assert_eq!(question(r#"{"id":"a","answer":"x"}"#), digest::raw(br#"["a",null,null,{},null]"#));
    }

    #[test]
    fn the_answer_changes_the_content_and_not_the_question() {
        let (old, new) = (r#"{"case_id":"a","query":"q","answer":"x"}"#, r#"{"query":"q","answer":"y","case_id":"a"}"#);
        assert_eq!(question(old), question(new));
        assert_ne!(of_case(old.as_bytes()), of_case(new.as_bytes()));
        assert_ne!(question(old), question(r#"{"case_id":"a","query":"Q","answer":"x"}"#));
    }

    #[test]
    fn the_order_of_cases_changes_the_content_and_not_the_questions() {
        let all = |order: &[u8]| {
            let mut fingerprint = Fingerprint::default();
            order.iter().for_each(|case| fingerprint.add(digest::raw(&[*case]), digest::raw(&[*case, 1])));
            fingerprint.finish()
        };
        let (one, other) = (all(&[1, 2, 3]), all(&[3, 1, 2]));
        assert_eq!(one.questions, other.questions);
        assert_ne!(one.content, other.content);
        assert_ne!(one.questions, all(&[1, 2]).questions);
    }
}
