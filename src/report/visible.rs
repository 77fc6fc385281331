//! Makes text from data harmless in every format: nothing that steers a terminal, turns the reading direction, hides
//! or is illegal in XML is left; what it was is shown where that can be shown.

use std::borrow::Cow;

use crate::diagnostic::is_hidden;

/// The text with every hidden or steering character replaced by something that can be seen.
///
/// Line feeds and tabs stay, CRLF becomes LF. Control characters become their pictures (`␛` for escape), direction
/// overrides and invisible characters their code point in brackets, what no text may hold U+FFFD.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t')) || text.chars().all(is_harmless) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            c if is_harmless(c) => shown.push(c),
            '\0'..='\x1f' => shown.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
            '\x7f' => shown.push('\u{2421}'),
            c if is_hidden(c) => shown.push_str(&format!("\u{27e6}U+{:04X}\u{27e7}", u32::from(c))),
            _ => shown.push('\u{fffd}'),
        }
    }
    Cow::Owned(shown)
}

/// The same on one line: line breaks and tabs become spaces, and runs of white space one space.
#[must_use]
pub fn one_line(text: &str) -> String {
    if is_plain_line(text) {
        return text.to_owned();
    }
    visible(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same on one line and at most `longest` characters, cut at a word where there is one, with an ellipsis.
#[must_use]
pub fn short(text: &str, longest: usize) -> String {
    if text.len() <= longest && is_plain_line(text) {
        return text.to_owned();
    }
    // Of a huge text only what could be shown is looked at.
    let looked_at = text.char_indices().nth(longest.saturating_mul(4)).and_then(|(end, _)| text.get(..end));
    let line = one_line(looked_at.unwrap_or(text));
    let Some((end, _)) = line.char_indices().nth(longest) else {
        return if looked_at.is_some() { line + "…" } else { line };
    };
    let cut = line.get(..end).unwrap_or_default();
    let at_word = cut.rfind(' ').filter(|at| *at > end / 2).unwrap_or(end);
    format!("{}…", cut.get(..at_word).unwrap_or(cut).trim_end())
}

/// Whether a text is one line of plain signs already, with single spaces: what most texts are.
fn is_plain_line(text: &str) -> bool {
    let mut last = b' ';
    for byte in text.bytes() {
        if !byte.is_ascii_graphic() && (byte != b' ' || last == b' ') {
            return false;
        }
        last = byte;
    }
    last != b' ' || text.is_empty()
}

fn is_harmless(c: char) -> bool {
    match c {
        '\n' | '\t' => true,
        '\u{a0}'.. => !is_hidden(c) && !is_no_text(c),
        _ => !c.is_control(),
    }
}

/// Code points that are no characters.
fn is_no_text(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_of_any_script_is_left_alone() {
        for text in ["plain\ttext\n", "Gültig — «né» 90 %", "限制为每分钟一百次", "می‌خواهم", "👩‍👩‍👧", "שלום\u{200f}"]
        {
            assert!(matches!(visible(text), Cow::Borrowed(shown) if shown == text), "{text}");
        }
    }

    #[test]
    fn what_steers_or_hides_is_shown() {
        assert_eq!(visible("\x1b[31mred\0\x0b\x7f"), "␛[31mred␀␋␡");
        assert_eq!(visible("a\u{202e}b\u{2066}c"), "a⟦U+202E⟧b⟦U+2066⟧c");
        assert_eq!(visible("a\u{200b}b\u{feff}\u{e0041}"), "a⟦U+200B⟧b⟦U+FEFF⟧⟦U+E0041⟧");
        assert_eq!(visible("\u{9b}31m\u{85}\u{ffff}"), "\u{fffd}31m\u{fffd}\u{fffd}");
        assert_eq!(visible("a\r\nb\rc"), "a\nb␍c");
        assert_eq!(visible("a\u{2028}b"), "a⟦U+2028⟧b");
    }

    #[test]
    fn making_visible_twice_changes_nothing_more() {
        let once = visible("\x1b]8;;x\x07 \u{202e} \u{9b}").into_owned();
        assert_eq!(visible(&once), once);
    }

    #[test]
    fn short_cuts_at_a_word() {
        assert_eq!(short("one two three", 20), "one two three");
        assert_eq!(short("one two three", 9), "one two…");
        assert_eq!(short("abcdefghij", 4), "abcd…");
        assert_eq!(short("a\n b", 9), "a b");
        assert_eq!(short(&"x".repeat(1_000), 4), "xxxx…");
        // White space alone fills what is looked at.
        assert_eq!(short("a             b", 3), "a…");
    }
}
