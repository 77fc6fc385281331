//! The order of runs in time, which their names tell.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::str::Chars;

/// Natural order: digits are compared as numbers, everything else by character, so that `run-9` comes before `run-10`. Names
/// that differ in zeros before a number only are told apart as texts.
pub(super) fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.chars().peekable(), b.chars().peekable());
    loop {
        let order = match (left.peek().copied(), right.peek().copied()) {
            (None, None) => return a.cmp(b),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(one), Some(other)) if one.is_ascii_digit() && other.is_ascii_digit() => {
                let (one, other) = (number(&mut left), number(&mut right));
                one.len().cmp(&other.len()).then_with(|| one.cmp(&other))
            }
            // A folder comes before what only begins with its name.
            (Some(one), Some(other)) => {
                left.next();
                right.next();
                (one != '/', one).cmp(&(other != '/', other))
            }
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// The digits that come next, without zeros in front.
fn number(chars: &mut Peekable<Chars<'_>>) -> String {
    let mut digits = String::new();
    while let Some(digit) = chars.next_if(char::is_ascii_digit) {
        if !(digits.is_empty() && digit == '0') {
            digits.push(digit);
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_as_numbers() {
        let mut names = [
            "run-10",
            "run-9",
            "run-09",
            "run-1",
            "run",
            "run-9/b",
            "run-9-b",
            "Run-2",
            "99999999999999999999999",
            "100",
        ];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            [
                "100",
                "99999999999999999999999",
                "Run-2",
                "run",
                "run-1",
                "run-09",
                "run-9",
                "run-9/b",
                "run-9-b",
                "run-10"
            ]
        );
    }

    #[test]
    fn days_and_versions_stand_in_their_order() {
        let mut names = ["2026-11-30", "2026-9-2", "2026-11-03/build-2", "2026-11-03/build-10", "2025-12-31"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["2025-12-31", "2026-9-2", "2026-11-03/build-2", "2026-11-03/build-10", "2026-11-30"]);
        assert_eq!(natural("v1.9.0", "v1.10.0"), Ordering::Less);
        assert_eq!(natural("a", "a"), Ordering::Equal);
        assert_eq!(natural("a01", "a1"), Ordering::Less);
    }
}
