//! JSON that may be printed on a terminal.

use crate::diagnostic::is_hidden;

/// The same JSON document with every character that steers a terminal, turns the reading direction or hides written as
/// a JSON escape. It decodes to the same values; line feeds between values stay.
pub(super) fn harmless(document: &[u8]) -> String {
    let text = String::from_utf8_lossy(document);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !(c.is_control() || is_hidden(c)) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_is_escaped_and_decodes_to_the_same() {
        let text = "a\u{202e}b\u{9b}c\u{e0041}\"\\é\u{7f}";
        let written = serde_json::to_string(text).expect("a string");
        let shown = harmless(written.as_bytes());
        assert_eq!(shown, r#""a\u202eb\u009bc\udb40\udc41\"\\é\u007f""#);
        assert_eq!(serde_json::from_str::<String>(&shown).expect("a string"), text);
    }
}
