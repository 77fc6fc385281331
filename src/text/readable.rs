//! Whether a text has anything to read: a letter or a digit of any script that a reader sees.

/// Whether a text has a letter or a digit, HTML tags, comments and character references apart. White space, punctuation,
/// signs that nobody sees and markup without text are nothing to read.
#[must_use]
pub fn is_readable(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c == '<' || c == '&' || is_written(c)) {
        let found = rest.get(at..).unwrap_or_default();
        match markup(found) {
            Some(length) => rest = found.get(length..).unwrap_or_default(),
            None if found.starts_with(is_written) => return true,
            None => rest = found.get(1..).unwrap_or_default(),
        }
    }
    false
}

/// Letters and digits, those of braille too; not the letters that are drawn as nothing.
fn is_written(c: char) -> bool {
    const FILLERS: [char; 4] = ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}'];
    (c.is_alphanumeric() && !FILLERS.contains(&c)) || matches!(c, '\u{2801}'..='\u{28ff}')
}

/// The length of the tag, comment or reference to a blank that a text begins with. A tag that describes what it shows
/// (`alt`) is text.
fn markup(text: &str) -> Option<usize> {
    const BLANKS: [&str; 8] = ["&nbsp;", "&ensp;", "&emsp;", "&thinsp;", "&zwnj;", "&zwj;", "&shy;", "&#160;"];
    if let Some(rest) = text.strip_prefix("<!--") {
        return Some(rest.find("-->").map_or(text.len(), |end| end + "<!---->".len()));
    }
    if text.starts_with('&') {
        return BLANKS.iter().find(|blank| text.starts_with(**blank)).map(|blank| blank.len());
    }
    let name = text.strip_prefix("</").or_else(|| text.strip_prefix('<'))?;
    let length = name.find(|c: char| !c.is_ascii_alphanumeric()).filter(|length| *length > 0)?;
    let after = name.get(length..)?;
    let is_tag = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && after.starts_with(|c: char| c == '>' || c == '/' || c.is_ascii_whitespace());
    let end = text.find('>').filter(|_| is_tag)? + 1;
    let described = ["alt=", "title=", "label="].iter().any(|key| text.get(..end).is_some_and(|tag| tag.contains(key)));
    (!described).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_digits_of_any_script_are_readable() {
        for text in
            ["a", "7", "  ж", "語", "ก", "½", "…9", "<b>x</b>", "a < b", "<5 mg", "&amp;c", "<https://a.example>", "⠓"]
        {
            assert!(is_readable(text), "{text}");
        }
        assert!(is_readable("<img src=x alt=\"Retention by plan\">"));
    }

    #[test]
    fn blanks_signs_and_empty_markup_are_not() {
        for text in [
            "",
            " \n\t",
            "\u{200b}\u{feff}",
            "\u{a0}",
            "**",
            "-",
            "#",
            "…",
            "❓",
            "<br>",
            "<p></p>",
            "<br/> &nbsp; <div class=\"x\">",
        ] {
            assert!(!is_readable(text), "{text:?}");
        }
        for text in ["<!-- Logs stay 30 days -->", "<!-- unended", "\u{3164}", "<", "&", "&&<<>>", "\u{2800}"] {
            assert!(!is_readable(text), "{text:?}");
        }
    }
}
