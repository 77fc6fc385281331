//! What Markdown does not show, or shows as struck out.

use std::ops::Range;

use super::{Hidden, How, blank_line, code_around, is_escaped};
use crate::text::Span;

/// Text between tildes: `~~30 days~~`, `~30 days~`.
pub(super) fn struck(text: &str, code: &[Range<usize>], found: &mut Vec<Hidden>) {
    // Where a run of one or two tildes opens, in the paragraph at hand.
    let mut open: [Option<usize>; 2] = [None; 2];
    let mut paragraph = blank_line(text, 0).unwrap_or(text.len());
    let (mut at, mut in_code) = (0, 0);
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('~')).map(|found| at + found) {
        let length = text.as_bytes().get(next..).unwrap_or_default().iter().take_while(|byte| **byte == b'~').count();
        at = next + length;
        if let Some(end) = code_around(code, &mut in_code, next) {
            at = end.max(at);
            continue;
        }
        while next >= paragraph && paragraph < text.len() {
            open = [None; 2];
            paragraph = blank_line(text, paragraph + 1).unwrap_or(text.len());
        }
        let Some(slot) = length.checked_sub(1).and_then(|slot| open.get_mut(slot)) else { continue };
        if is_escaped(text, next) {
            continue;
        }
        let before = text.get(..next).and_then(|text| text.chars().next_back());
        let behind = text.get(at..).and_then(|text| text.chars().next());
        let is_space = |c: Option<char>| c.is_none_or(char::is_whitespace);
        // One tilde inside of a word or a range of numbers ("10~20") strikes nothing.
        let in_word = |c: Option<char>| length == 1 && c.is_some_and(char::is_alphanumeric);
        match *slot {
            Some(start) if !is_space(before) && !in_word(behind) => {
                found.push(Hidden { span: Span::new(start, at), how: How::Struck });
                *slot = None;
            }
            _ if !is_space(behind) && !in_word(before) => *slot = Some(next),
            _ => {}
        }
    }
}

/// What marks of editors and of mathematics take from sight: `{--30 days--}`, `\phantom{30 days}`.
pub(super) fn marks(text: &str, code: &[Range<usize>], found: &mut Vec<Hidden>) {
    const MARKS: [(&str, &str, How); 7] = [
        ("{--", "--}", How::Struck),
        ("{>>", "<<}", How::Unshown),
        ("{{!--", "--}}", How::Unshown),
        ("\\phantom{", "}", How::Unshown),
        ("\\hphantom{", "}", How::Unshown),
        ("\\vphantom{", "}", How::Unshown),
        ("\\textcolor{white}{", "}", How::Unshown),
    ];
    for (opening, closing, how) in MARKS {
        let mut in_code = 0;
        let mut last = 0;
        for start in memchr::memmem::find_iter(text.as_bytes(), opening) {
            if start < last || code_around(code, &mut in_code, start).is_some() {
                continue;
            }
            let inside = text.get(start + opening.len()..).unwrap_or_default();
            let paragraph = inside.get(..blank_line(inside, 0).unwrap_or(inside.len())).unwrap_or_default();
            let Some(length) = paragraph.find(closing) else { continue };
            last = start + opening.len() + length + closing.len();
            found.push(Hidden { span: Span::new(start, last), how });
        }
    }
}

/// Definitions of links: `[//]: # (a comment)` as a whole, of one with an address the title.
pub(super) fn definitions(text: &str, code: &[Range<usize>], found: &mut Vec<Hidden>) {
    let mut in_code = 0;
    for colon in memchr::memmem::find_iter(text.as_bytes(), "]:") {
        let before = text.get(..colon).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let written = before.get(line..).unwrap_or_default();
        let start = line + (written.len() - written.trim_start_matches([' ', '\t', '>']).len());
        // A footnote is shown.
        let label = text.get(start..colon).and_then(|label| label.strip_prefix('['));
        if label.is_none_or(|label| label.is_empty() || label.starts_with('^') || label.contains(['[', ']']))
            || code_around(code, &mut in_code, start).is_some()
        {
            continue;
        }
        let Some((goes_nowhere, title)) =
            target(text, colon + 2, 2000, |behind| behind.starts_with('\n') || behind.is_empty())
        else {
            continue;
        };
        let span = if goes_nowhere { Span::new(start, title.end + 1) } else { title };
        found.push(Hidden { span, how: if goes_nowhere { How::Unshown } else { How::Aside } });
    }
}

/// Titles of links and pictures: `[the list](https://kb.example "a title")`.
pub(super) fn titles(text: &str, code: &[Range<usize>], found: &mut Vec<Hidden>) {
    let mut in_code = 0;
    for bracket in memchr::memmem::find_iter(text.as_bytes(), "](") {
        if code_around(code, &mut in_code, bracket).is_none()
            && let Some((_, title)) = target(text, bracket + 2, 500, |behind| behind.starts_with(')'))
        {
            found.push(Hidden { span: title, how: How::Aside });
        }
    }
}

/// The title of a link without its signs, where it has one and `ends` holds of what is behind it, and whether the link leads nowhere (`#`, `<>`). It is looked for
/// in the next `longest` bytes.
fn target(text: &str, at: usize, longest: usize, ends: impl Fn(&str) -> bool) -> Option<(bool, Span)> {
    let rest = text.get(at..)?;
    let rest = rest.get(..rest.floor_char_boundary(longest))?;
    let given = past_space(rest);
    let length = match given.strip_prefix('<') {
        Some(inside) => inside.find(['>', '\n']).filter(|at| inside.as_bytes().get(*at) == Some(&b'>'))? + 2,
        None => given.find(char::is_whitespace).filter(|length| *length > 0)?,
    };
    let (address, behind) = given.split_at_checked(length)?;
    let titled = past_space(behind);
    // "<a sentence in place of an address>"
    if address.starts_with('<') && address.contains(' ') && ends(behind.trim_start_matches([' ', '\t', '\r'])) {
        let start = at + (rest.len() - given.len());
        return Some((false, Span::new(start + 1, start + address.len() - 1)));
    }
    let close = match titled.chars().next()? {
        '(' => ')',
        quote @ ('"' | '\'') => quote,
        _ => return None,
    };
    if titled.len() == behind.len() {
        return None;
    }
    let start = at + (rest.len() - titled.len()) + 1;
    let inside = titled.get(1..)?;
    let inside = inside.get(..blank_line(inside, 0).unwrap_or(inside.len()))?;
    let closes = |(end, _): &(usize, &str)| {
        let behind = inside.get(end + 1..).unwrap_or_default();
        !is_escaped(inside, *end) && ends(behind.trim_start_matches([' ', '\t', '\r']))
    };
    let (end, _) = inside.match_indices(close).find(closes)?;
    let goes_nowhere = matches!(address.trim_start_matches('<').trim_end_matches('>'), "" | "#");
    Some((goes_nowhere, Span::new(start, start + end)))
}

/// A text without the spaces before it, of which one may be a line break.
fn past_space(text: &str) -> &str {
    let rest = text.trim_start_matches([' ', '\t', '\r']);
    rest.strip_prefix('\n').map_or(rest, |rest| rest.trim_start_matches([' ', '\t', '\r']))
}
