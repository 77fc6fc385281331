//! Cells of a CSV file (RFC 4180) that no spreadsheet takes for a formula.

use super::visible::one_line;

/// One line: its cells separated by commas, with CRLF at the end.
#[must_use]
pub fn line<'c>(cells: impl IntoIterator<Item = &'c str>) -> String {
    cells.into_iter().map(cell).collect::<Vec<_>>().join(",") + "\r\n"
}

/// A text as a cell. What begins as a formula does (`=`, `+`, `-`, `@`) gets an apostrophe before it, unless it is a number.
fn cell(text: &str) -> String {
    let text = one_line(text);
    let is_formula = text.starts_with(['=', '+', '-', '@']) && text.parse::<f64>().is_err();
    let text = if is_formula { format!("'{text}") } else { text };
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
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
    }
}
