//! Text from data inside Markdown: read as text by every renderer, whatever it holds.

use super::visible::one_line;

/// Nothing that can be seen, between two characters that would mean something together.
const NOTHING: &str = "&#8203;";

/// The text on one line, escaped for GitHub-flavoured Markdown: no markup, no HTML, no table cell, no mention, no issue
/// reference, no link, no formula. White space at an end stays, as one space, so that pieces of a text can be joined.
#[must_use]
pub fn escaped(text: &str) -> String {
    let line = one_line(text);
    let space = |has: bool| if has && !line.is_empty() { " " } else { "" };
    let (first, last) = (space(text.starts_with(char::is_whitespace)), space(text.ends_with(char::is_whitespace)));
    match escaped_line(&line) {
        escaped if escaped.is_empty() && !text.is_empty() => " ".to_owned(),
        escaped => format!("{first}{escaped}{last}"),
    }
}

fn escaped_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + line.len() / 8);
    let mut before = None;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' | '#' | '!' if next.is_some_and(|next| !next.is_whitespace()) => {
                out.push('\\');
                out.push(c);
                out.push_str(NOTHING);
            }
            // Leading marks make lists, headings, quotes, rules and underlines.
            '-' | '+' | '=' | '#' | ':' if before.is_none() => {
                out.push('\\');
                out.push(c);
            }
            // `GH-12` refers to an issue, `://` and `www.` begin a link.
            '-' if out.to_ascii_lowercase().ends_with("gh") => {
                out.push(c);
                out.push_str(NOTHING);
            }
            ':' if next == Some('/') => {
                out.push(c);
                out.push_str(NOTHING);
            }
            '.' if out.to_ascii_lowercase().ends_with("www") => {
                out.push(c);
                out.push_str(NOTHING);
            }
            // `1.` and `1)` at the beginning make a list.
            '.' | ')' if is_number(&out) && next.is_none_or(char::is_whitespace) => {
                out.push('\\');
                out.push(c);
            }
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '|' | '~' | '$' | '^' | '@' | '#' | '!' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
        before = Some(c);
    }
    out
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The text on one line as a code span that nothing inside can end, fit for a table cell.
#[must_use]
pub fn code(text: &str) -> String {
    let line = one_line(text);
    if line.is_empty() {
        return String::new();
    }
    let longest = line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // A table cell ends at a bare pipe even inside a code span. Outside of a table the backslash would be seen, so
    // the pipe becomes one that looks the same.
    let line = line.replace('|', "\u{2502}");
    let pad = if line.starts_with('`') || line.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{line}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text() {
        assert_eq!(escaped("a *b* _c_ `d` [e](f) <i>"), r"a \*b\* \_c\_ \`d\` \[e\](f) &lt;i&gt;");
        assert_eq!(escaped("a|b\nc"), r"a\|b c");
        assert_eq!(escaped("- item"), r"\- item");
        assert_eq!(escaped("# head"), r"\# head");
        assert_eq!(escaped("12. item"), r"12\. item");
        assert_eq!(escaped("12.5 items"), "12.5 items");
        assert_eq!(escaped("below. Then: this."), "below. Then: this.");
        assert_eq!(escaped("${{ secrets.X }}"), r"\$\{\{ secrets.X \}\}");
        assert_eq!(escaped("&lt;"), "&amp;lt;");
        assert_eq!(escaped(" a\n"), " a ");
        assert_eq!(escaped("\n"), " ");
    }

    #[test]
    fn nothing_becomes_a_mention_a_reference_or_a_link() {
        assert_eq!(escaped("@team"), r"\@&#8203;team");
        assert_eq!(escaped("a@b.example"), r"a\@&#8203;b.example");
        assert_eq!(escaped("see #12"), r"see \#&#8203;12");
        assert_eq!(escaped("GH-12"), "GH-&#8203;12");
        assert_eq!(escaped("https://x.example"), "https:&#8203;//x.example");
        assert_eq!(escaped("www.x.example"), "www.&#8203;x.example");
        assert_eq!(escaped("mailto:a@b.example"), r"mailto:a\@&#8203;b.example");
    }

    #[test]
    fn a_code_span_holds_everything() {
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`x`"), "`` `x` ``");
        assert_eq!(code("a|b\nc"), "`a\u{2502}b c`");
        assert_eq!(code(""), "");
    }
}
