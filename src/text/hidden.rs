//! Text that a reader does not see: HTML comments, elements that a style hides or a line strikes out, prose in attributes,
//! Markdown comments and the titles of links.
//!
//! Nothing here decides what the words mean. The spans are of the text as it stands, so that whoever leaves them out still counts bytes
//! of the original.

mod colour;
mod layout;
mod markdown;
mod tag;

use std::ops::Range;

pub use self::layout::laid_out;
use self::tag::{Kind, Shape, Tag};
use super::Span;
use super::code::code_spans;

/// A stretch that a reader does not see, with the markup that hides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hidden {
    /// Where it stands.
    pub span: Span,
    /// Why nobody reads it.
    pub how: How,
}

/// Why a stretch is not part of what a reader takes from a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// It is not shown at all: a comment, a hidden element, text in the colour of its ground.
    Unshown,
    /// It is struck out: shown as what no longer holds.
    Struck,
    /// It is the title of a link or prose in an attribute.
    Aside,
}

/// What kind of text it is: where its markup leaves open whether a reader sees something, an answer does not show it and a passage does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// An answer: nothing may stand in for what its readers see.
    Answer,
    /// A passage, which was cut from a page with scripts and style sheets of its own: an element that opens by a click or on a wide screen is
    /// shown.
    Passage,
}

/// The stretches of `text` that a reader does not see, in order, never overlapping. Code shows its markup, so nothing is hidden in it.
/// Linear in the length of the text, and next to free for a text without `<`, `~`, `{` and links.
#[must_use]
pub fn hidden(text: &str, page: Page) -> Vec<Hidden> {
    let (tags, struck) = (text.contains('<'), text.contains('~'));
    let (definitions, links) = (text.contains("]:"), text.contains("]("));
    let marks = text.contains('{');
    if !(tags || struck || definitions || links || marks) {
        return Vec::new();
    }
    let code = code_spans(text);
    let mut found = Vec::new();
    if tags {
        elements(text, page, &code, &mut found);
    }
    if struck {
        markdown::struck(text, &code, &mut found);
    }
    if definitions {
        markdown::definitions(text, &code, &mut found);
    }
    if links {
        markdown::titles(text, &code, &mut found);
    }
    if marks {
        markdown::marks(text, &code, &mut found);
    }
    apart(found)
}

/// An answer with spaces in place of what a reader does not see, byte for byte; `None` where all of it is shown.
#[must_use]
pub fn shown(text: &str) -> Option<String> {
    let hidden = hidden(text, Page::Answer);
    (!hidden.is_empty()).then(|| blanked(text, hidden.iter()))
}

/// The text with spaces in place of some stretches, which are in order, byte for byte.
#[must_use]
pub fn blanked<'h>(text: &str, hidden: impl Iterator<Item = &'h Hidden>) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    for Hidden { span, .. } in hidden {
        shown.push_str(text.get(at..span.start).unwrap_or_default());
        shown.extend(std::iter::repeat_n(' ', span.len()));
        at = span.end;
    }
    shown.push_str(text.get(at..).unwrap_or_default());
    shown
}

/// Whether a text has a letter or a digit of any script that a reader sees.
#[must_use]
pub fn is_readable(text: &str) -> bool {
    !is_blank(shown(text).as_deref().unwrap_or(text))
}

/// Whether nothing is left of a text for a reader once its markup is gone: no letter and no digit. `shown` is without what is hidden.
#[must_use]
pub fn is_blank(shown: &str) -> bool {
    let mut reader = tag::Reader::new(shown, Page::Answer);
    let mut at = 0;
    for line in shown.split_inclusive('\n') {
        let begin = line.trim_start();
        // The line of a fence names a language at most.
        let is_fence = begin.strip_prefix("```").is_some_and(|rest| !rest.contains('`')) || begin.starts_with("~~~");
        if !is_fence && says_something(shown, at..at + line.len(), &mut reader) {
            return false;
        }
        at += line.len();
    }
    true
}

/// Whether a stretch has a letter or digit outside of tags and character references.
fn says_something(text: &str, line: Range<usize>, reader: &mut tag::Reader<'_>) -> bool {
    const LONGEST_REFERENCE: usize = 12;
    let (mut at, end) = (line.start, line.end);
    while let Some(c) = text.get(at..end).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        let skipped = match c {
            '<' => match reader.read(at) {
                Some(tag) if tag.alternative().is_some_and(|text| text.contains(is_written)) => return true,
                tag => tag.map(|tag| tag.end - at),
            },
            '&' => {
                let name = rest
                    .bytes()
                    .skip(1)
                    .take(LONGEST_REFERENCE)
                    .take_while(|b| b.is_ascii_alphanumeric() || *b == b'#');
                let length = 1 + name.count();
                rest.get(length..)
                    .filter(|rest| rest.starts_with(';') && stands_for_space(text, at + 1, at + length))
                    .map(|_| length + 1)
            }
            _ => None,
        };
        match skipped {
            Some(length) => at += length.max(1),
            None if is_written(c) => return true,
            None => at += c.len_utf8(),
        }
    }
    false
}

/// Letters and digits, those of braille too; not the letters that are drawn as nothing.
fn is_written(c: char) -> bool {
    c.is_alphanumeric() && !super::disguise::is_ignorable(c) || matches!(c, '\u{2801}'..='\u{28ff}')
}

/// Whether the character reference of this name shows nothing.
fn stands_for_space(text: &str, start: usize, end: usize) -> bool {
    const SPACES: [&str; 14] = [
        "nbsp", "ensp", "emsp", "thinsp", "shy", "zwnj", "zwj", "lrm", "rlm", "Tab", "NewLine", "hairsp", "numsp",
        "puncsp",
    ];
    let name = text.get(start..end).unwrap_or_default();
    if SPACES.contains(&name) {
        return true;
    }
    let number = name.strip_prefix('#').and_then(|number| match number.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok(),
        None => number.parse().ok(),
    });
    number.and_then(char::from_u32).is_some_and(|c| !c.is_alphanumeric() || super::disguise::is_ignorable(c))
}

/// Puts stretches in order and joins those that overlap, each under the first way in which it is hidden.
fn apart(mut found: Vec<Hidden>) -> Vec<Hidden> {
    found.retain(|hidden| !hidden.span.is_empty());
    found.sort_unstable_by_key(|hidden| (hidden.span.start, std::cmp::Reverse(hidden.span.end), hidden.how));
    let mut all: Vec<Hidden> = Vec::with_capacity(found.len());
    for next in found {
        match all.last_mut().filter(|last| last.span.end > next.span.start) {
            Some(last) => {
                last.span.end = last.span.end.max(next.span.end);
                last.how = last.how.min(next.how);
            }
            None => all.push(next),
        }
    }
    all
}

/// The code span or fence that byte `at` stands in: where it ends. `next` is the first that ends behind the last asked for.
fn code_around(code: &[Range<usize>], next: &mut usize, at: usize) -> Option<usize> {
    while code.get(*next).is_some_and(|span| span.end <= at) {
        *next += 1;
    }
    code.get(*next).filter(|span| span.start <= at).map(|span| span.end)
}

/// Whether a backslash takes the meaning from the sign at `at`.
fn is_escaped(text: &str, at: usize) -> bool {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// An element that is open.
struct Open<'t> {
    name: &'t str,
    /// How text is shown around it.
    outside: Shape,
    /// Whether Markdown closes it with the paragraph that it stands in.
    is_inline: bool,
}

/// Elements that may be open inside of one another.
const DEEPEST: usize = 100;

/// Walks over the tags and notes where the style at hand hides what stands there.
struct Walk<'t, 'f> {
    page: Page,
    found: &'f mut Vec<Hidden>,
    open: Vec<Open<'t>>,
    /// Elements deeper than that, which are taken to be shown as the one around them.
    too_deep: usize,
    shape: Shape,
    /// Where the stretch that is hidden now begins.
    since: Option<(usize, How)>,
}

impl<'t> Walk<'t, '_> {
    /// Text is shown like this from a tag on, which begins at `at` and ends at `end`. A tag belongs to what it hides.
    fn turn(&mut self, shape: Shape, at: usize, end: usize) {
        self.shape = shape;
        let now = shape.hides();
        if self.since.map(|(_, how)| how) == now {
            return;
        }
        if let Some((start, how)) = self.since.take() {
            let span = Span::new(start, if now.is_none() { end } else { at });
            self.found.push(Hidden { span, how });
        }
        self.since = now.map(|how| (at, how));
    }

    fn opens(&mut self, tag: &Tag<'t>) {
        if let Some(closed) = self.open.last().map(|open| open.name).filter(|open| tag.ends(open)) {
            self.closes(closed, tag.start, tag.start);
        }
        let shape = self.shape.within(tag, self.page);
        if tag.is_void() || (tag.closes_itself() && shape.hides() == self.shape.hides()) {
            return;
        }
        if self.open.len() >= DEEPEST {
            let is_plain = |pair: &[Open<'_>]| matches!(pair, [outer, inner] if outer.outside == inner.outside);
            match self.open.windows(2).position(is_plain) {
                Some(plain) => {
                    self.open.remove(plain);
                }
                None => {
                    self.too_deep += 1;
                    return;
                }
            }
        }
        self.open.push(Open { name: tag.name, outside: self.shape, is_inline: tag.is_inline() });
        self.turn(shape, tag.start, tag.end);
    }

    fn closes(&mut self, name: &str, at: usize, end: usize) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let Some(index) = self.open.iter().rposition(|open| open.name.eq_ignore_ascii_case(name)) else { return };
        if let Some(outside) = self.open.get(index).map(|open| open.outside) {
            self.open.truncate(index);
            self.turn(outside, at, end);
        }
    }

    /// Whether what is hidden at the end is hidden by an element that Markdown closes with its paragraph.
    fn is_hidden_inline(&self) -> bool {
        self.open.iter().rfind(|open| open.outside.hides().is_none()).is_some_and(|open| open.is_inline)
    }
}

/// What comments, elements and attributes hide.
fn elements(text: &str, page: Page, code: &[Range<usize>], found: &mut Vec<Hidden>) {
    // An element that nothing closes reaches to the end of its paragraph, and the rest is looked at anew; so often at most.
    const MOST_UNCLOSED: usize = 16;
    let mut reader = tag::Reader::new(text, page);
    let mut from = 0;
    for _ in 0..MOST_UNCLOSED {
        let shape = Shape::default();
        let mut walk = Walk { page, found: &mut *found, open: Vec::new(), too_deep: 0, shape, since: None };
        tags(text, code, from, &mut reader, &mut walk);
        let is_inline = walk.is_hidden_inline();
        let Some((start, how)) = walk.since.take() else { return };
        let end = if is_inline { blank_line(text, start) } else { None };
        found.push(Hidden { span: Span::new(start, end.unwrap_or(text.len())), how });
        match end {
            Some(end) => from = end,
            None => return,
        }
    }
}

/// Hands the tags and comments from byte `at` on to a walk.
fn tags<'t>(
    text: &'t str,
    code: &[Range<usize>],
    mut at: usize,
    reader: &mut tag::Reader<'t>,
    walk: &mut Walk<'t, '_>,
) {
    let mut in_code = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('<')).map(|found| at + found) {
        at = next + 1;
        if let Some(end) = code_around(code, &mut in_code, next) {
            at = end;
            continue;
        }
        if is_escaped(text, next) {
            continue;
        }
        let Some(tag) = reader.read(next) else { continue };
        at = tag.end;
        match tag.kind {
            Kind::Comment => walk.found.push(Hidden { span: Span::new(tag.start, tag.end), how: How::Unshown }),
            Kind::Closing => walk.closes(tag.name, tag.start, tag.end),
            Kind::Opening => {
                walk.found.extend(tag.asides().map(|span| Hidden { span, how: How::Aside }));
                walk.opens(&tag);
            }
        }
    }
}

/// The blank line that ends the paragraph in which byte `from` stands; `None` where it is the last one.
fn blank_line(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let is_blank = |at: &usize| {
        let behind = rest.get(at + 1..).unwrap_or_default();
        behind.trim_start_matches([' ', '\t', '\r', '>']).starts_with('\n')
    };
    memchr::memchr_iter(b'\n', rest.as_bytes()).find(is_blank).map(|at| from + at)
}

#[cfg(test)]
mod tests;
