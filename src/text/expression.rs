//! Regular expressions that people write: compiled within bounds, with a reason that a person understands where they
//! cannot be.

use regex::{Regex, RegexBuilder};

/// The compiled size that one expression may have, in bytes.
const LARGEST: usize = 4 << 20;

/// Why an expression cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The reason, a lower-case fragment.
    pub reason: String,
    /// The characters of the expression that it is about, counted from 0, end exclusive.
    pub characters: Option<(usize, usize)>,
    /// What to write instead.
    pub help: Option<&'static str>,
}

/// Compiles an expression; `ignore_case` unless the expression itself says `(?-i)`.
///
/// # Errors
/// It cannot be read, or is too large once compiled.
pub fn compile(expression: &str, ignore_case: bool) -> Result<Regex, Broken> {
    RegexBuilder::new(expression).case_insensitive(ignore_case).size_limit(LARGEST).build().map_err(|error| {
        let (reason, characters) = match &error {
            regex::Error::Syntax(text) => explained(text),
            regex::Error::CompiledTooBig(_) => ("it is too large once compiled".to_owned(), None),
            other => (other.to_string(), None),
        };
        Broken { help: help(&reason), reason, characters }
    })
}

fn help(reason: &str) -> Option<&'static str> {
    Some(match reason {
        _ if reason.contains("look-around") => {
            "look-ahead and look-behind are not supported: patterns must run in linear time"
        }
        _ if reason.contains("backreference") => "back references are not supported: patterns must run in linear time",
        _ if reason.contains("unclosed character class") => "a literal `[` is written `\\[`",
        _ if reason.contains("unclosed group") => "a literal `(` is written `\\(`",
        _ if reason.contains("unopened group") => "a literal `)` is written `\\)`",
        _ if reason.contains("repetition operator missing") => {
            "a literal `*`, `+` or `?` is written with `\\` before it"
        }
        _ if reason.contains("unrecognized escape") => "only letters with a meaning may stand behind `\\`",
        _ => return None,
    })
}

/// The reason out of the library's message of several lines, and the columns of its caret, counted from 0.
fn explained(text: &str) -> (String, Option<(usize, usize)>) {
    let reason = text.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or("it cannot be read").trim();
    let caret = text.lines().find(|line| line.contains('^') && line.trim_start_matches([' ', '^']).is_empty());
    // The pattern itself is indented by four.
    let columns = caret.and_then(|line| {
        let start = line.find('^')?.checked_sub(4)?;
        Some((start, line.rfind('^')?.checked_sub(4)? + 1))
    });
    (reason.to_owned(), columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_point_into_the_expression() {
        let broken = compile("a(b", false).expect_err("broken");
        assert_eq!((broken.reason.as_str(), broken.characters), ("unclosed group", Some((1, 2))));
        assert_eq!(broken.help, Some("a literal `(` is written `\\(`"));
        assert_eq!(compile("(?:\\w{1000}){1000}", false).expect_err("large").reason, "it is too large once compiled");
        assert!(compile("DOC", true).expect("an expression").is_match("doc"));
    }
}
