//! A text as its reader sees it, for patterns to be tried on: full-width and other compatibility letters as the plain ones,
//! signs that nobody sees left out, percent codes and numeric character references decoded. Every byte knows where it comes from.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

/// Longest numeric character reference that is decoded, in bytes: `&#x0040;`.
const LONGEST_REFERENCE: usize = 10;

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
        let is_foldable = |c: char| !c.is_ascii() && (is_unseen(c) || plain(c).is_some());
        let is_coded = memchr::memchr_iter(b'%', text.as_bytes()).any(|at| percent(&text[at..]).is_some())
            || memchr::memchr_iter(b'&', text.as_bytes()).any(|at| reference(&text[at..]).is_some());
        if !is_coded && (text.is_ascii() || !text.chars().any(is_foldable)) {
            return None;
        }
        let mut folded = Self { text: String::with_capacity(text.len()), origins: Vec::with_capacity(text.len()) };
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            let coded = match c {
                '%' => percent(rest),
                '&' => reference(rest),
                _ => None,
            };
            let (length, plain) = match coded {
                Some((length, decoded)) => (length, Some(String::from(decoded))),
                None if c.is_ascii() => (1, None),
                None if is_unseen(c) => (c.len_utf8(), Some(String::new())),
                None => (c.len_utf8(), plain(c)),
            };
            match plain {
                Some(plain) => folded.push(&plain, at, at + length),
                None => folded.push(&rest[..length], at, at + length),
            }
            at += length;
        }
        Some(folded)
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

/// Signs that nobody sees, and the sign that stands where one was made visible.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffd}' | '\u{e0000}'..='\u{e01ef}')
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

/// A percent code of a printable ASCII character at the beginning of a text: its length and the character.
fn percent(text: &str) -> Option<(usize, char)> {
    let digits = text.get(1..3).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    Some((3, printable(u32::from_str_radix(digits, 16).ok()?)?))
}

/// A numeric character reference of a printable ASCII character at the beginning of a text, or the named one of `@`.
fn reference(text: &str) -> Option<(usize, char)> {
    let end = text.bytes().take(LONGEST_REFERENCE).position(|b| b == b';')?;
    let name = text.get(1..end)?;
    let decoded = match name.strip_prefix('#') {
        None => (name == "commat").then_some('@')?,
        Some(digits) => match digits.strip_prefix(['x', 'X']) {
            Some(digits) => printable(u32::from_str_radix(digits, 16).ok()?)?,
            None => printable(digits.parse().ok()?)?,
        },
    };
    Some((end + 1, decoded))
}

fn printable(code: u32) -> Option<char> {
    char::from_u32(code).filter(char::is_ascii_graphic)
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
}
