//! Plain sentences for a line that is no JSON. The row itself is never quoted: only a column is named.

use serde_json::error::Category;

use crate::diagnostic::{Problem, code};

/// What the decoder says, and what that means to a person: the start of its message, what was found, what was
/// expected, and what to do.
const SENTENCES: &[(&str, &str, &str, Option<&str>)] = &[
    ("EOF while parsing a string", "the end of the line inside text", "a closing `\"`", None),
    ("EOF while parsing a list", "the end of the line inside a list", "`]`", Some(ONE_LINE)),
    ("EOF while parsing an object", "the end of the line inside an object", "`}`", Some(ONE_LINE)),
    ("EOF while parsing a value", "the end of the line", "a value", Some(ONE_LINE)),
    ("expected `:`", "something else after a key", "`:`", None),
    ("expected `,` or `]`", "something else after a value of a list", "`,` or `]`", None),
    ("expected `,` or `}`", "something else after a value of an object", "`,` or `}`", None),
    ("expected `\"`", "something else", "`\"`", None),
    ("expected ident", "an unknown word", "`true`, `false` or `null`", Some(WORDS)),
    ("expected value", "something else", "a value: text, a number, a list, an object, `true`, `false` or `null`", None),
    ("key must be a string", "something else", "a key between double quotes", None),
    ("trailing comma", "a comma before the closing bracket", "another value, or no comma", None),
    ("trailing characters", "more text after the value", "the end of the line", Some("write one case per line")),
    ("control character", "a control character inside text", "an escape such as `\\n`", None),
    ("invalid escape", "an unknown escape", "one of `\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX`", None),
    ("invalid number", "a malformed number", "digits with at most one sign, point and exponent", None),
    ("invalid unicode code point", "an escape that is no character", "a Unicode character", None),
    ("lone leading surrogate", "half of a surrogate pair", "both halves, or the character itself", None),
    (
        "unexpected end of hex escape",
        "half of a surrogate pair or of an escape",
        "`\\u` with four hexadecimal digits",
        None,
    ),
];

const ONE_LINE: &str = "each case stands on one line of its own (JSON Lines)";
const WORDS: &str = "JSON writes `true`, `false` and `null`, in lower case";

/// Bytes that are no UTF-8 text.
pub(super) fn not_utf8(bytes: &[u8], error: std::str::Utf8Error) -> Problem {
    let offset = error.valid_up_to();
    let byte = bytes.get(offset).copied().unwrap_or_default();
    let wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let help = if wide { "the file looks like UTF-16: save it as UTF-8" } else { "save the file as UTF-8" };
    Problem::new(code::NOT_UTF8, format!("the line is not UTF-8 text at byte offset {offset}"))
        .found(format!("the byte 0x{byte:02x}"), "UTF-8 text")
        .help(help)
}

/// Lists or objects inside one another, more than `depth` of them.
pub(super) fn too_deep(line: &str, error: &serde_json::Error, depth: usize) -> Problem {
    let (column, _) = column(line, error);
    Problem::new(code::TOO_DEEP, format!("the JSON is nested too deep at column {column}"))
        .found(format!("more than {depth} lists or objects inside one another"), format!("at most {depth}"))
        .help("flatten the data, or raise `json_depth` under `limits`")
}

/// A line that is no JSON.
pub(super) fn malformed(line: &str, error: &serde_json::Error) -> Problem {
    let (column, rest) = column(line, error);
    let said = error.to_string();
    if let Some((word, before)) = not_finite(line, rest) {
        return not_finite_at(column.saturating_sub(before).max(1), word);
    }
    if said.starts_with("number out of range") {
        return not_finite_at(column, "a number too large to hold");
    }
    let problem = Problem::new(code::MALFORMED_JSON, format!("the line is not JSON at column {column}"));
    let after = line.get(rest..).unwrap_or_default();
    if after.starts_with('\u{feff}') {
        let found = "a byte order mark inside the file";
        return problem.found(found, "one at the very start of the file, or none").help("remove the character U+FEFF");
    }
    if after.starts_with('\'') {
        let help = "JSON text and keys stand between double quotes";
        return problem.found("a single quote", "a double quote").help(help);
    }
    if ["None", "True", "False"].iter().any(|word| after.starts_with(word)) {
        return problem.found("a word of another language", "`true`, `false` or `null`").help(WORDS);
    }
    match SENTENCES.iter().find(|(start, ..)| said.starts_with(start)) {
        Some((_, found, expected, help)) => problem.found(found, expected).help_if(help.map(str::to_owned)),
        None if error.classify() == Category::Eof => {
            problem.found("the end of the line", "the rest of a value").help(ONE_LINE)
        }
        None => problem.found("something else", "JSON"),
    }
}

fn not_finite_at(column: usize, found: &str) -> Problem {
    Problem::new(code::NOT_FINITE, format!("a number is not finite at column {column}"))
        .found(found, "a finite number")
        .help("leave the field out where there is no value")
}

/// The word for a number that is not finite, as several programs write it, at `rest`, and how many characters before
/// `rest` it begins: its sign may have been read already.
fn not_finite(line: &str, rest: usize) -> Option<(&'static str, usize)> {
    let words = ["NaN", "Infinity", "-Infinity", "nan", "inf", "-inf"];
    [1, 0].into_iter().find_map(|before| {
        let here = line.get(rest.checked_sub(before)?..)?;
        let whole = |word: &&str| {
            here.strip_prefix(*word).is_some_and(|after| !after.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        // One character back only for a sign: the last letter of a word is no beginning.
        words.into_iter().filter(|word| before == 0 || word.starts_with('-')).find(whole).map(|word| (word, before))
    })
}

/// The column of the error, counted from 1 in characters, and its byte offset.
fn column(line: &str, error: &serde_json::Error) -> (usize, usize) {
    let mut offset = error.column().saturating_sub(1).min(line.len());
    while !line.is_char_boundary(offset) {
        offset -= 1;
    }
    (line.get(..offset).unwrap_or_default().chars().count() + 1, offset)
}

#[cfg(test)]
mod tests {
    use crate::dataset::json::Json;

    fn said(line: &[u8]) -> String {
        match Json::decode(line, 4) {
            Ok(_) => "nothing".to_owned(),
            Err(problem) => format!("{}: {problem}", problem.code),
        }
    }

    #[test]
    fn the_place_is_a_column_in_characters_and_the_row_is_not_quoted() {
        assert_eq!(
            said("{\"é\" 1}".as_bytes()),
            "malformed-json: the line is not JSON at column 6: found something else after a key, expected `:`"
        );
        assert_eq!(
            said(br#"{"a":1"#),
            "malformed-json: the line is not JSON at column 6: found the end of the line inside an object, expected `}`"
        );
    }

    #[test]
    fn numbers_that_are_not_finite_have_their_own_code() {
        for line in [r#"{"a":NaN}"#, r#"{"a":-Infinity}"#, r#"{"a":Infinity}"#, r#"{"a":1e999}"#] {
            assert!(said(line.as_bytes()).starts_with("not-finite: a number is not finite at column"), "{line}");
        }
    }

    #[test]
    fn a_number_that_is_not_finite_is_named_whole_and_no_other_word_is_taken_for_one() {
        let minus = "not-finite: a number is not finite at column 6: found -Infinity, expected a finite number";
        assert_eq!(said(br#"{"a":-Infinity}"#), minus);
        assert!(said(br#"{"a":info}"#).starts_with("malformed-json"));
        assert!(said(br#"{"a":NaNs}"#).starts_with("malformed-json"));
    }

    #[test]
    fn bytes_that_are_no_utf8_are_placed_by_offset() {
        assert_eq!(
            said(b"{\"a\":\"\xff\"}"),
            "not-utf8: the line is not UTF-8 text at byte offset 6: found the byte 0xff, expected UTF-8 text"
        );
    }
}
