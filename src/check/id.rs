//! Ids in messages.

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
}
