//! Text in XML 1.0: escaped, and without what no XML file may hold.

use super::visible::{one_line, visible};

/// Appends a text as content of an element. Line breaks stay.
pub fn text(text: &str, into: &mut String) {
    escape(&visible(text), into);
}

/// Appends ` name="value"`, the value on one line.
pub fn attribute(name: &str, value: &str, into: &mut String) {
    into.extend([" ", name, "=\""]);
    escape(&one_line(value), into);
    into.push('"');
}

/// `visible` leaves only characters that XML 1.0 allows.
fn escape(text: &str, into: &mut String) {
    for c in text.chars() {
        match c {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&apos;"),
            c => into.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_its_place() {
        let mut out = String::new();
        text("a]]><b>&amp;\"'\0\u{b}\u{1b}\u{ffff}\u{202e}\r\nx", &mut out);
        assert_eq!(out, "a]]&gt;&lt;b&gt;&amp;amp;&quot;&apos;␀␋␛\u{fffd}⟦U+202E⟧\nx");
        let mut out = String::new();
        attribute("name", "a\n\t\"b' onload=\"x", &mut out);
        assert_eq!(out, " name=\"a &quot;b&apos; onload=&quot;x\"");
    }

    #[test]
    fn every_character_that_is_left_is_one_of_xml() {
        let all: String = (0..=0x0010_ffff).filter_map(char::from_u32).collect();
        let mut out = String::new();
        text(&all, &mut out);
        let is_legal =
            |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
        assert!(out.chars().all(is_legal));
    }
}
