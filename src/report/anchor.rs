//! The anchor of a case or claim in the page, which other formats point at too.

use crate::text::digest;

/// Characters of an id that an anchor repeats.
const LONGEST: usize = 80;
/// Hexadecimal digits that tell ids apart which an anchor cannot repeat as they are.
const DIGITS: usize = 8;

/// The anchor of a claim; of its case, where `claim_id` is empty. It follows from the two ids alone, so that a link from an
/// earlier report or from another format leads to the same claim. It can stand in an address as it is.
#[must_use]
pub fn anchor(case_id: &str, claim_id: &str) -> String {
    if claim_id.is_empty() { format!("c-{}", part(case_id)) } else { format!("c-{}.{}", part(case_id), part(claim_id)) }
}

/// The id itself, where it is short and of letters, digits, `_` and `-` alone; else what of it is, and a part of its digest.
fn part(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let shown: String = id.chars().take(LONGEST).map(plain).collect();
    if shown == id {
        return shown;
    }
    let digest = digest::raw(id.as_bytes()).to_string();
    let digits = digest.trim_start_matches("sha256:").get(..DIGITS).unwrap_or_default();
    format!("{shown}~{digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_ids_stand_as_they_are_and_others_are_told_apart() {
        assert_eq!(anchor("refund-042", "c1"), "c-refund-042.c1");
        assert_eq!(anchor("refund-042", ""), "c-refund-042");
        // The first digits of SHA-256 of "a b" and of "a.b".
        assert_eq!(anchor("a b", ""), "c-a-b~c8687a08");
        assert_eq!(anchor("a.b", "x"), "c-a-b~2e7336dc.x");
        assert_ne!(anchor("é", ""), anchor("è", ""));
        assert_ne!(anchor(&"x".repeat(200), ""), anchor(&"x".repeat(201), ""));
        assert!(
            anchor(&"\"><script>".repeat(50), "\u{202e}")
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_.~".contains(c))
        );
    }
}
