//! What HTML looks like once it is laid out: lines in place of blocks, bars in place of cells, nothing in place of the other tags.

use std::ops::Range;

use super::tag::{Kind, Reader, Tag};
use super::{Page, code_around, code_spans};

/// The text without its tags, byte for byte: a block begins a line, a cell a bar. `None` where it has no tag of HTML. A tag inside of a word
/// stays, and so does every tag that HTML does not know: `Vec<u8>` and `<your key>` are text.
#[must_use]
pub fn laid_out(text: &str) -> Option<String> {
    if !text.contains('<') {
        return None;
    }
    let code = code_spans(text);
    let mut reader = Reader::new(text, Page::Passage);
    let mut bytes: Option<Vec<u8>> = None;
    let (mut at, mut in_code) = (0, 0);
    let mut row = Row::default();
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('<')).map(|found| at + found) {
        at = next + 1;
        if let Some(end) = code_around(&code, &mut in_code, next) {
            at = end.max(at);
            continue;
        }
        let Some(tag) = reader.read(next) else { continue };
        at = tag.end;
        let Some(sign) = sign(&tag).filter(|sign| *sign != b' ' || !is_inside_a_word(text, &tag)) else { continue };
        let bytes = bytes.get_or_insert_with(|| text.as_bytes().to_vec());
        if let Some(place) = bytes.get_mut(tag.start..tag.end) {
            place.fill(b' ');
            if let Some(first) = place.first_mut() {
                *first = sign;
            }
        }
        if let Some(line) = row.past(&tag) {
            bytes
                .get_mut(line)
                .unwrap_or_default()
                .iter_mut()
                .filter(|byte| **byte == b'\n')
                .for_each(|byte| *byte = b' ');
        }
    }
    bytes.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// Where the row of a table begins that is open, and where the last one ended.
#[derive(Default)]
struct Row {
    open: Option<usize>,
    closed: Option<usize>,
}

impl Row {
    /// Takes a tag in; gives the stretch before it that is one line, whatever lines it was written in: a row, or the gap between two.
    fn past(&mut self, tag: &Tag<'_>) -> Option<Range<usize>> {
        let is = |name: &str| tag.name.eq_ignore_ascii_case(name);
        match tag.kind {
            Kind::Opening if is("tr") => {
                let from = self.open.or(self.closed);
                (self.open, self.closed) = (Some(tag.end), None);
                from.map(|from| from..tag.start)
            }
            Kind::Closing if is("tr") || is("table") => {
                let from = self.open.take()?;
                self.closed = is("tr").then_some(tag.end);
                Some(from..tag.start)
            }
            Kind::Opening | Kind::Closing if !(is("thead") || is("tbody") || is("td") || is("th")) => {
                self.closed = None;
                None
            }
            _ => None,
        }
    }
}

/// What stands in place of a tag; `None` for one that HTML does not know.
fn sign(tag: &Tag<'_>) -> Option<u8> {
    const INSIDE: [&str; 22] = [
        "a", "abbr", "b", "big", "body", "cite", "em", "font", "html", "i", "img", "label", "mark", "q", "small",
        "span", "strong", "sub", "tfoot", "thead", "time", "u",
    ];
    let is = |names: &[&str]| names.iter().any(|name| tag.name.eq_ignore_ascii_case(name));
    match tag.kind {
        Kind::Comment => None,
        // A row is a line of its own, and its first cell opens with a bar too.
        Kind::Opening if is(&["td", "th"]) => Some(b'|'),
        // Its line ends where the next one begins: rows follow each other without an empty line.
        Kind::Closing if is(&["td", "th", "tr"]) => Some(b' '),
        // What an image shows in its absence stays to be read.
        _ if tag.alternative().is_some_and(|text| !text.trim().is_empty()) => None,
        _ if is(&["tbody"]) || is(&INSIDE) => Some(b' '),
        _ if tag.is_block() || is(&["br", "caption"]) => Some(b'\n'),
        _ => None,
    }
}

fn is_inside_a_word(text: &str, tag: &Tag<'_>) -> bool {
    let before = text.get(..tag.start).and_then(|text| text.chars().next_back());
    let behind = text.get(tag.end..).and_then(|text| text.chars().next());
    before.is_some_and(char::is_alphanumeric) && behind.is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_lines_and_cells_have_bars() {
        let text = "<table><tr><th>Item</th><th>2021</th></tr><tr><td>Cash</td><td><b>$12</b></td></tr></table><p>It <i>is</i> so.</p>";
        let shown = laid_out(text).expect("tags");
        assert_eq!(shown.len(), text.len());
        let lines: Vec<String> = shown
            .split('\n')
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .filter(|line| !line.is_empty())
            .collect();
        assert_eq!(lines, ["| Item | 2021", "| Cash | $12", "It is so."]);
        assert_eq!(crate::text::table::tables(&shown).len(), 1);
    }

    #[test]
    fn what_is_no_tag_of_html_stays() {
        for text in [
            "<img src=a.png alt='30 days'>",
            "Vec<u8> holds",
            "<your key> goes here",
            "n<b>o</b>t",
            "`<td>` is a cell",
            "a < b",
            "5 <10",
        ] {
            assert_eq!(laid_out(text), None, "{text}");
        }
    }
}
