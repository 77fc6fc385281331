//! Cells of a CSV file (RFC 4180) that no spreadsheet takes for a formula.

use super::visible::one_line;

/// Most characters of a cell that Excel takes, the mark of a cut included.
pub const LONGEST_CELL: usize = 32_767;

/// One line: its cells separated by commas, with CRLF at the end.
#[must_use]
pub fn line<'c>(cells: impl IntoIterator<Item = &'c str>) -> String {
    let mut line = String::new();
    for (index, text) in cells.into_iter().enumerate() {
        if index > 0 {
            line.push(',');
        }
        cell(text, &mut line);
    }
    line + "\r\n"
}

/// A text as a cell, on one line and without control characters. What begins as a formula gets an apostrophe before it, what is too
/// long for a spreadsheet is cut and ends in `…`.
pub(super) fn cell(text: &str, into: &mut String) {
    let text = one_line(text);
    let apostrophe = if is_formula(&text) { "'" } else { "" };
    let room = LONGEST_CELL - apostrophe.len();
    // What Excel counts are UTF-16 code units.
    let is_long = text.len() > room && text.encode_utf16().count() > room;
    let (text, end) = if is_long { (start(&text, room - 1), "…") } else { (text.as_str(), "") };
    if text.contains([',', '"']) {
        into.extend(["\"", apostrophe, &text.replace('"', "\"\""), end, "\""]);
    } else {
        into.extend([apostrophe, text, end]);
    }
}

/// The beginning of a text with at most so many UTF-16 code units.
fn start(text: &str, units: usize) -> &str {
    let mut left = units;
    let fits = |c: char| {
        let fits = c.len_utf16() <= left;
        left = left.saturating_sub(c.len_utf16());
        fits
    };
    let end = text.len() - text.trim_start_matches(fits).len();
    text.get(..end).unwrap_or_default()
}

/// Whether a spreadsheet may calculate the text: it begins with `=`, `+`, `-` or `@`, of any width, or would once quotes and white space before that are
/// taken away, and is no number.
fn is_formula(text: &str) -> bool {
    let bare = text.trim_start_matches(|c: char| c.is_whitespace() || is_quote(c));
    let begins = bare.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\u{2212}', '﹢', '﹣', '﹦', '﹫']);
    begins && !is_number(text)
}

const fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '‘'..='‟' | '«' | '»' | '＂' | '＇')
}

/// Whether the text is a number as a spreadsheet reads it: a sign, digits and at most one point.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    are_digits(whole) && are_digits(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_are_no_formulas() {
        assert_eq!(line(["a", "b,c", "d\"e"]), "a,\"b,c\",\"d\"\"e\"\r\n");
        assert_eq!(line(["=1+1", "+x", "-x", "@x", "-0.5"]), "'=1+1,'+x,'-x,'@x,-0.5\r\n");
        assert_eq!(line(["=cmd|' /C calc'!A0,b"]), "\"'=cmd|' /C calc'!A0,b\"\r\n");
        assert_eq!(line(["\t=1", "a\r\nb", "\u{1b}[31m"]), "'=1,a b,␛[31m\r\n");
        assert_eq!(line(["", " ", "a  b"]), ",,a b\r\n");
    }

    #[test]
    fn a_formula_behind_quotes_or_of_full_width_is_one_too() {
        assert_eq!(
            line(["\"=1", "'=1", " = 1", "＝1", "＋x", "－x", "＠x"]),
            "\"'\"\"=1\",''=1,'= 1,'＝1,'＋x,'－x,'＠x\r\n"
        );
        assert_eq!(line(["“=1”", "- \"x\"", "\u{2212}x"]), "'“=1”,\"'- \"\"x\"\"\",'\u{2212}x\r\n");
        // A tab or a carriage return before it is white space, or shown as what it is.
        assert_eq!(line(["\t\t@x", "\r=1"]), "'@x,␍=1\r\n");
    }

    #[test]
    fn numbers_stay_numbers() {
        assert_eq!(line(["-1", "+1", "-0.25", "12", "3.5"]), "-1,+1,-0.25,12,3.5\r\n");
        assert_eq!(line(["-inf", "+1e5", "-1.", "-.5", "-1-1", "+1 555"]), "'-inf,'+1e5,'-1.,'-.5,'-1-1,'+1 555\r\n");
    }

    #[test]
    fn a_cell_is_never_longer_than_a_spreadsheet_takes() {
        let units = |text: &str| text.trim_end().encode_utf16().count();
        assert_eq!(units(&line([&*"x".repeat(32_767)])), 32_767);
        let cut = line([&*"x".repeat(32_768)]);
        assert!(cut.ends_with("x…\r\n") && units(&cut) == 32_767, "{}", units(&cut));
        assert_eq!(units(&line([&*format!("={}", "x".repeat(40_000))])), 32_767);
        // Each takes two units; half a character is never left.
        let cut = line([&*"😀".repeat(20_000)]);
        assert!(cut.ends_with("😀…\r\n") && units(&cut) == 32_767, "{}", units(&cut));
    }
}
