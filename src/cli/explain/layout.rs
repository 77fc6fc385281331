//! Lines for people: a name in one column and its text beside it, wrapped where it is prose.

use std::fmt::Write as _;

use crate::diagnostic::harmless;

/// Characters of a line of prose.
const WIDTH: usize = 110;
/// Characters before the text.
const COLUMN: usize = 13;

/// A text as it grows. Everything that is put into it is made harmless; line breaks in it are shown.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// What was written.
    pub text: String,
}

impl Page {
    /// An empty line.
    pub fn gap(&mut self) {
        self.text.push('\n');
    }

    /// A line that begins at the margin.
    pub fn heading(&mut self, text: &str) {
        let _ = writeln!(self.text, "{}", harmless(text));
    }

    /// A name and a text that is kept on one line, for ids, spans and digests.
    pub fn line(&mut self, name: &str, text: &str) {
        let _ = writeln!(self.text, "  {name:<width$}{}", harmless(text), width = COLUMN - 2);
    }

    /// A name and prose, wrapped between words.
    pub fn prose(&mut self, name: &str, text: &str) {
        let text = harmless(text);
        let mut line = String::new();
        let mut width = 0;
        let mut name = name;
        for word in text.split(' ') {
            let length = word.chars().count();
            if width > 0 && COLUMN + width + 1 + length > WIDTH {
                self.line(std::mem::take(&mut name), &line);
                line.clear();
                width = 0;
            }
            if width > 0 {
                line.push(' ');
                width += 1;
            }
            line.push_str(word);
            width += length;
        }
        self.line(name, &line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_wrapped_between_words_and_never_inside_of_one() {
        let mut page = Page::default();
        let long = "x".repeat(120);
        page.prose("claim", &format!("{} {long} end", "word ".repeat(19).trim_end()));
        let lines: Vec<&str> = page.text.lines().collect();
        assert_eq!(lines.len(), 3, "{}", page.text);
        assert_eq!(lines[0], format!("  claim      {}", "word ".repeat(19).trim_end()));
        assert_eq!(lines[1], format!("             {long}"));
        assert_eq!(lines[2], "             end");
    }

    #[test]
    fn what_steers_a_terminal_is_shown() {
        let mut page = Page::default();
        page.prose("claim", "a\u{1b}[31m\nb");
        assert_eq!(page.text, "  claim      a␛[31m␤b\n");
    }
}
