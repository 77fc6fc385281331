//! Comparing ids: case does not matter, anything else does.

use std::borrow::Cow;

/// An id as it is compared: in lower case.
pub(super) fn folded(id: &str) -> Cow<'_, str> {
    if id.chars().any(char::is_uppercase) { Cow::Owned(id.to_lowercase()) } else { Cow::Borrowed(id) }
}

/// Whether two ids are the same id.
pub(super) fn is_same(left: &str, right: &str) -> bool {
    left == right
        || if left.is_ascii() && right.is_ascii() {
            left.eq_ignore_ascii_case(right)
        } else {
            folded(left) == folded(right)
        }
}

/// Ids as a list for a sentence, at most five of them: “a”, “b” and 3 more.
pub(super) fn listed<'a>(ids: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 5;
    let ids: Vec<&str> = ids.into_iter().collect();
    let named: Vec<String> = ids.iter().take(SHOWN).map(|id| format!("“{id}”")).collect();
    let rest = ids.len().saturating_sub(SHOWN);
    match (named.split_last(), rest) {
        (Some((last, before)), 0) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        (_, 0) => named.join(", "),
        _ => format!("{} and {rest} more", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sentences() {
        assert_eq!(listed(["a"]), "“a”");
        assert_eq!(listed(["a", "b", "c"]), "“a”, “b” and “c”");
        assert_eq!(listed(["1", "2", "3", "4", "5", "6", "7"]), "“1”, “2”, “3”, “4”, “5” and 2 more");
    }

    #[test]
    fn case_does_not_matter_and_nothing_else_is_alike() {
        assert!(is_same("DOC_1", "doc_1") && is_same("Ä1", "ä1"));
        assert!(!is_same("doc_1", "doc-1") && !is_same("doc_1", "doc_01"));
    }
}
