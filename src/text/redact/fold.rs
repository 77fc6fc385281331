//! A text as its reader sees it, for patterns to be tried on: full-width and other compatibility letters as the plain ones, letters and their
//! accents as one, signs that nobody sees left out, a line break inside of a paragraph as a blank, percent codes, character references, `\u0040`
//! and `\_` decoded. Every byte knows where it comes from.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

/// Longest character reference that is decoded, in bytes: `&ZeroWidthSpace;`.
const LONGEST_REFERENCE: usize = 18;
/// How often a text is folded: what is decoded may be a code again, as in `%2540`.
const PASSES: usize = 3;

/// A folded text.
#[derive(Debug, Default)]
pub(super) struct Folded {
    /// The text.
    pub text: String,
    /// Of each byte, the bytes of the original that it comes from.
    origins: Vec<(usize, usize)>,
}

impl Folded {
    /// Folds a text; `None` where that changes nothing, as in nearly every text.
    pub fn of(text: &str) -> Option<Self> {
        let mut folded = Self::once(text)?;
        for _ in 1..PASSES {
            let Some(again) = Self::once(&folded.text) else { break };
            let back = |(start, end): &(usize, usize)| {
                let origin = folded.origin(&(*start..*end));
                origin.map_or((0, 0), |origin| (origin.start, origin.end))
            };
            let origins = again.origins.iter().map(back).collect();
            folded = Self { text: again.text, origins };
        }
        Some(folded)
    }

    fn once(text: &str) -> Option<Self> {
        let mut folded = Self { text: String::new(), origins: Vec::new() };
        let mut kept = 0;
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            let Some((length, plain)) = folds(c, rest) else {
                at += if c.is_ascii_whitespace() { blank(rest) } else { c.len_utf8() };
                continue;
            };
            folded.keep(text, kept..at);
            folded.push(&plain, at, at + length);
            at += length;
            kept = at;
        }
        if kept == 0 {
            return None;
        }
        folded.keep(text, kept..text.len());
        Some(folded)
    }

    /// Adds a piece of the original as it stands.
    fn keep(&mut self, text: &str, piece: Range<usize>) {
        for (at, c) in text[piece.clone()].char_indices() {
            let start = piece.start + at;
            self.origins.extend(std::iter::repeat_n((start, start + c.len_utf8()), c.len_utf8()));
        }
        self.text.push_str(&text[piece]);
    }

    fn push(&mut self, text: &str, start: usize, end: usize) {
        self.text.push_str(text);
        self.origins.extend(std::iter::repeat_n((start, end), text.len()));
    }

    /// The bytes of the original that a piece of the folded text comes from.
    pub fn origin(&self, piece: &Range<usize>) -> Option<Range<usize>> {
        let (start, _) = self.origins.get(piece.start)?;
        let (_, end) = self.origins.get(piece.end.checked_sub(1)?)?;
        (start < end).then_some(*start..*end)
    }
}

/// What the beginning of a text is a mere form of, and how many bytes that are; `None` where it is itself.
fn folds(c: char, rest: &str) -> Option<(usize, String)> {
    let one = |(length, c): (usize, char)| (length, String::from(c));
    match c {
        '%' => percent(rest).map(one),
        '&' => reference(rest).map(one),
        '\\' => escaped(rest).map(one),
        '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => line_break(rest).map(|length| (length, " ".to_owned())),
        '\t' | '\u{b}' | '\u{c}' => Some((1, " ".to_owned())),
        c if is_unseen(c) => {
            Some((c.len_utf8() + if c == '\u{1b}' { control_sequence(rest) } else { 0 }, String::new()))
        }
        c => {
            let marks: usize = rest.chars().skip(1).take_while(|c| is_accent(*c)).map(char::len_utf8).sum();
            if marks == 0 {
                return plain(c).map(|plain| (c.len_utf8(), plain));
            }
            let (whole, letter) = (c.len_utf8() + marks, c.len_utf8());
            let joined: String = rest[..whole].nfc().collect();
            match plain(c) {
                Some(plain) => Some((whole, plain.chars().chain(rest[letter..whole].chars()).nfc().collect())),
                None => (joined != rest[..whole]).then_some((whole, joined)),
            }
        }
    }
}

/// Accents that have letters of their own with most of the letters that they stand on.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{3099}' | '\u{309a}')
}

/// Signs that nobody sees, and the sign that stands where one was made visible.
fn is_unseen(c: char) -> bool {
    c.is_control() && !matches!(c, '\t'..='\r' | '\u{85}')
        || matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2400}'..='\u{2421}' | '\u{2800}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffd}' | '\u{e0000}'..='\u{e01ef}')
}

/// Bytes of what a terminal takes for an order behind its escape sign: `[31m`.
fn control_sequence(text: &str) -> usize {
    let Some(order) = text.strip_prefix("\u{1b}[") else { return 0 };
    let parameters = order.bytes().take_while(|byte| matches!(byte, 0x20..=0x3f)).count();
    match order.as_bytes().get(parameters) {
        Some(0x40..=0x7e) => parameters + 2,
        _ => 0,
    }
}

/// Bytes of the white space at the beginning of a text.
fn blank(text: &str) -> usize {
    text.find(|c: char| !c.is_whitespace()).unwrap_or(text.len())
}

/// Bytes of the white space at the beginning of a text that breaks a line once; two breaks end a paragraph.
fn line_break(text: &str) -> Option<usize> {
    let length = blank(text);
    let is_break = |c: &char| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let breaks = text[..length].replace("\r\n", "\n").chars().filter(is_break).count();
    (breaks == 1).then_some(length)
}

/// What a character is a mere form of; `None` where it is none.
fn plain(c: char) -> Option<String> {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => Some("-".to_owned()),
        '\u{3002}' | '\u{ff61}' => Some(".".to_owned()),
        // Below, no character is a form of one that a pattern asks for, but the no-break space.
        '\u{a0}' => Some(" ".to_owned()),
        c if c < '\u{2000}' => None,
        c => {
            let folded: String = std::iter::once(c).nfkc().collect();
            (!folded.chars().eq([c])).then_some(folded)
        }
    }
}

/// Percent codes of one character at the beginning of a text: their length and the character.
fn percent(text: &str) -> Option<(usize, char)> {
    let byte = |at: usize| {
        let digits = text.get(at * 3..)?.strip_prefix('%')?.get(..2)?;
        u8::from_str_radix(digits, 16).ok().filter(|_| digits.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    let count = match byte(0)? {
        0..=0x7f => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => return None,
    };
    let bytes = (0..count).map(byte).collect::<Option<Vec<u8>>>()?;
    let c = std::str::from_utf8(&bytes).ok()?.chars().next()?;
    Some((count * 3, c))
}

/// A character reference at the beginning of a text; a number may lack the semicolon, as browsers allow.
fn reference(text: &str) -> Option<(usize, char)> {
    let Some(number) = text.strip_prefix("&#") else {
        let end = text.bytes().take(LONGEST_REFERENCE).position(|b| b == b';')?;
        return Some((end + 1, named(text.get(1..end)?)?));
    };
    let (radix, digits, before) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (16, digits, 3),
        None => (10, number, 2),
    };
    let length = digits.bytes().take(LONGEST_REFERENCE).take_while(|b| char::from(*b).is_digit(radix)).count();
    let c = char::from_u32(u32::from_str_radix(digits.get(..length)?, radix).ok()?)?;
    let end = usize::from(digits.as_bytes().get(length) == Some(&b';'));
    Some((before + length + end, c))
}

/// The named references of what patterns ask for, and of what nobody sees.
fn named(name: &str) -> Option<char> {
    Some(match name {
        "commat" => '@',
        "period" => '.',
        "lowbar" | "UnderBar" => '_',
        "plus" => '+',
        "hyphen" | "dash" => '-',
        "colon" => ':',
        "sol" => '/',
        "equals" => '=',
        "num" => '#',
        "lpar" => '(',
        "rpar" => ')',
        "amp" | "AMP" => '&',
        "quot" | "QUOT" => '"',
        "apos" => '\'',
        "percnt" => '%',
        "bsol" => '\\',
        "nbsp" | "NonBreakingSpace" | "Tab" | "NewLine" => ' ',
        "shy" | "zwj" | "zwnj" | "ZeroWidthSpace" | "NoBreak" | "lrm" | "rlm" => '\u{200b}',
        "auml" => 'ä',
        "ouml" => 'ö',
        "uuml" => 'ü',
        "Auml" => 'Ä',
        "Ouml" => 'Ö',
        "Uuml" => 'Ü',
        "szlig" => 'ß',
        "eacute" => 'é',
        _ => return None,
    })
}

/// What a backslash says of the sign behind it: `\u0040` is its character, before punctuation (Markdown) it is not seen.
fn escaped(text: &str) -> Option<(usize, char)> {
    let behind = text.get(1..)?;
    let sign = behind.chars().next()?;
    if sign.is_ascii_punctuation() {
        return Some((2, sign));
    }
    let digits = behind.strip_prefix('u')?.get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    Some((6, char::from_u32(u32::from_str_radix(digits, 16).ok()?)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str) -> Option<String> {
        Folded::of(text).map(|folded| folded.text)
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in ["", "plain, 100 % of it", "Größe – naïve café", "50%", "a & b; c"] {
            let expected = if text.contains('–') { Some(text.replace('–', "-")) } else { None };
            assert_eq!(folded(text), expected, "{text}");
        }
    }

    #[test]
    fn evasions_become_plain_and_know_their_place() {
        assert_eq!(folded("a＠b．de").as_deref(), Some("a@b.de"));
        assert_eq!(folded("a\u{200b}@\u{ad}b").as_deref(), Some("a@b"));
        assert_eq!(folded("a%40b &#64; &#x40;&commat;").as_deref(), Some("a@b @ @@"));
        let folded = Folded::of("x\u{200b}＠y").expect("folded");
        assert_eq!(folded.text, "x@y");
        // x, then three bytes that nobody sees, three of the sign, and y.
        assert_eq!(folded.origin(&(0..3)), Some(0..8));
        assert_eq!(folded.origin(&(1..2)), Some(4..7));
        assert_eq!(folded.origin(&(2..2)), None);
    }

    #[test]
    fn every_way_to_write_a_sign_is_that_sign() {
        for text in [
            "a%40b",
            "a%2540b",
            "a&#64;b",
            "a&#0000064;b",
            "a&#x40;b",
            "a&commat;b",
            "a&amp;#64;b",
            "a\\u0040b",
            "a\\@b",
            "a\u{8}@b",
            "a\0@b",
            "a\u{1b}[31m@\u{1b}[0mb",
            "a\u{3164}@b",
            "a&shy;@b",
            "a%E2%80%8B@b",
            "a＠b",
        ] {
            assert_eq!(folded(text).as_deref(), Some("a@b"), "{text:?}");
        }
        assert_eq!(folded("a&#64z").as_deref(), Some("a@z"));
        assert_eq!(folded("%2B49%2030&#32;1").as_deref(), Some("+49 30 1"));
        assert_eq!(folded("Gro\u{308}ße, Gr%C3%B6%C3%9Fe, Gr&ouml;&szlig;e").as_deref(), Some("Größe, Größe, Größe"));
        assert_eq!(folded("hf\\_x").as_deref(), Some("hf_x"));
    }

    #[test]
    fn a_line_break_is_a_blank_and_the_end_of_a_paragraph_is_none() {
        assert_eq!(folded("Projekt\r\n  Nord\nWest").as_deref(), Some("Projekt Nord West"));
        assert_eq!(folded("one\n\ntwo"), None);
        let folded = Folded::of("é\nö%2540x").expect("folded");
        assert_eq!(folded.text, "é ö@x");
        // Two bytes, the break, two bytes, `%2540`, and x.
        assert_eq!(folded.origin(&(3..6)), Some(3..10));
    }
}
