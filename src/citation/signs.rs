//! Which signs a pattern cannot do without: a text that lacks one of them is not searched for the pattern. Most claims
//! have no bracket at all, and an answer has one kind of them.

use regex::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};

/// Plain characters that prose has little use for, each a bit of [`Signs`] by its place.
const PLAIN: [u8; 12] = *b"[]()<>{}#\\^$";
/// The bit of characters beyond ASCII.
const BEYOND: u16 = 1 << 14;
/// The bit of any of these: `[\[【]` needs no certain one, and one of them all the same.
const ANY: u16 = 1 << 15;

/// A set of signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Signs(u16);

/// The signs that each byte of a text stands for.
const OF_BYTE: [u16; 256] = {
    let mut signs = [0; 256];
    let mut at = 0;
    while at < PLAIN.len() {
        signs[PLAIN[at] as usize] = 1 << at | ANY;
        at += 1;
    }
    let mut byte = 128;
    while byte < 256 {
        signs[byte] = BEYOND | ANY;
        byte += 1;
    }
    signs
};

fn of_byte(byte: u8) -> u16 {
    OF_BYTE.get(usize::from(byte)).copied().unwrap_or_default()
}

impl Signs {
    /// The signs that a text has.
    pub(super) fn of(text: &str) -> Self {
        Self(text.bytes().fold(0, |signs, byte| signs | of_byte(byte)))
    }

    /// The signs that every match of a pattern has; none where that cannot be told. The pattern is one that was compiled
    /// without flags from outside.
    pub(super) fn needed_by(pattern: &Regex) -> Self {
        regex_syntax::parse(pattern.as_str()).map_or(Self::default(), |hir| Self(needed(&hir)))
    }

    /// Whether there is any sign.
    pub(super) const fn has_any(self) -> bool {
        self.0 != 0
    }

    /// Whether all of these are among `others`.
    pub(super) const fn are_in(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }
}

fn needed(hir: &Hir) -> u16 {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Literal(literal) => literal.0.iter().fold(0, |signs, byte| signs | of_byte(*byte)),
        HirKind::Class(class) => in_all_of(class),
        HirKind::Repetition(repetition) if repetition.min == 0 => 0,
        HirKind::Repetition(repetition) => needed(&repetition.sub),
        HirKind::Capture(capture) => needed(&capture.sub),
        HirKind::Concat(parts) => parts.iter().fold(0, |signs, part| signs | needed(part)),
        HirKind::Alternation(parts) => parts.iter().fold(u16::MAX, |signs, part| signs & needed(part)),
    }
}

/// The signs that every character of a class stands for.
fn in_all_of(class: &Class) -> u16 {
    // A range that begins in ASCII and ends beyond it has characters of both.
    let in_range = |start: u32, end: u32| {
        let beyond = if end > 0x7f { BEYOND | ANY } else { u16::MAX };
        (start..=end.min(0x7f))
            .filter_map(|code| u8::try_from(code).ok())
            .fold(beyond, |signs, byte| signs & of_byte(byte))
    };
    match class {
        Class::Unicode(class) => {
            let ranges = class.ranges().iter();
            ranges.fold(u16::MAX, |signs, range| signs & in_range(range.start().into(), range.end().into()))
        }
        Class::Bytes(class) => {
            let ranges = class.ranges().iter();
            ranges.fold(u16::MAX, |signs, range| signs & in_range(range.start().into(), range.end().into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_searched(pattern: &str, text: &str) -> bool {
        Signs::needed_by(&Regex::new(pattern).expect("a valid pattern")).are_in(Signs::of(text))
    }

    #[test]
    fn a_pattern_is_looked_for_only_where_its_signs_stand() {
        assert!(is_searched(r"\[\d+\]", "as [1] says"));
        assert!(!is_searched(r"\[\d+\]", "a [ alone"));
        assert!(!is_searched(r"(?i:doc|quelle)\s*\(\d+\)", "doc 3 says"));
        assert!(!is_searched(r"[\[【]\d[\]】]", "no sign, 100 % (plain)".replace(['(', ')'], "").as_str()));
        assert!(is_searched(r"[\[【]\d[\]】]", "so 【3】"));
        assert!(!is_searched(r"[⁰¹²³]+|【\d】", "plain [1]"));
        assert!(!is_searched(r"(?:a|b)#?\\cite", "a #"));
    }

    #[test]
    fn a_pattern_that_can_do_without_signs_is_always_looked_for() {
        for pattern in
            [r"\[?\d", r"(?:\[\d\])*x", r"\d|\[\d\]", r"[\[a]", r"[^x]", r"\w", r"cite\d", "(?i)\u{17f}", r"^\s*$"]
        {
            assert!(is_searched(pattern, "plain"), "{pattern}");
        }
    }
}
