//! The blocks of a text, by its lines: paragraphs, headings, list items, table rows, code.

mod item;

use item::{bullet, numeral, past_space};

use super::code::{end_of_fence, holds_prose};
use super::lexicon::Lexicon;
use super::span::Span;
use super::word::is_unspaced;

/// What kind of block a sentence stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// A paragraph.
    Prose,
    /// A Markdown heading or a line in bold type that heads what follows: one sentence.
    Heading,
    /// A list item, without its bullet or numeral.
    ListItem,
    /// A row of a table: one sentence.
    TableRow,
    /// A fenced code block: one sentence.
    Code,
}

/// A block, or a part of one that a deliberate line break ends. Trimmed and never empty.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// Without bullet, numeral, hashes and quotation signs before it.
    pub(super) span: Span,
    pub(super) kind: BlockKind,
    /// From 0; parts of one block share it.
    pub(super) number: u32,
}

/// Cuts a text into blocks.
pub(super) fn blocks(text: &str, lexicon: &Lexicon) -> Vec<Block> {
    let mut reader = Reader {
        text,
        lexicon,
        blocks: Vec::new(),
        open: false,
        fence: None,
        alone: None,
        in_table: false,
        last: None,
        lines: 0,
        widest: (0, 0),
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        reader.line(Line::new(line, at, reader.in_code()));
        at += line.len();
    }
    reader.blocks
}

/// One line.
#[derive(Clone, Copy)]
struct Line<'t> {
    /// Without white space and, outside of code, signs of quotation around it.
    content: &'t str,
    /// Where the line begins, and where its content does.
    start: usize,
    begin: usize,
}

impl<'t> Line<'t> {
    fn new(line: &'t str, start: usize, in_code: bool) -> Self {
        let quoted = line.trim_start().trim_start_matches("> ").trim_start_matches('>');
        let outside = if in_code { line } else { quoted };
        let content = outside.trim();
        Self { content, start, begin: start + (line.len() - outside.trim_start().len()) }
    }

    fn span(&self) -> Span {
        Span::new(self.begin, self.begin + self.content.len())
    }
}

/// A fence that is open.
#[derive(Clone, Copy)]
struct Fence {
    mark: &'static str,
    /// Whether what it holds is read as text.
    is_prose: bool,
}

/// Reads a text line by line.
struct Reader<'t> {
    text: &'t str,
    lexicon: &'t Lexicon,
    blocks: Vec<Block>,
    /// Whether the next line may continue the last block.
    open: bool,
    fence: Option<Fence>,
    /// Whether the text says nothing outside of its fences, once that was asked.
    alone: Option<bool>,
    /// Whether the last line is a row of a table.
    in_table: bool,
    /// The last line, while a paragraph or list item is open.
    last: Option<Span>,
    /// How many lines of prose the paragraph has so far.
    lines: u32,
    /// The longest line of the paragraph, in characters, and where the paragraph ends.
    widest: (usize, usize),
}

impl<'t> Reader<'t> {
    fn push(&mut self, span: Span, kind: BlockKind) {
        let number = self.blocks.last().map_or(0, |last| last.number + 1);
        self.blocks.push(Block { span, kind, number });
    }

    fn line(&mut self, line: Line<'t>) {
        if line.content.is_empty() {
            self.open &= self.in_code();
            (self.in_table, self.last) = (false, None);
            return;
        }
        if self.code(line) {
            return;
        }
        if self.underlines(line) || self.table(line) {
            return;
        }
        let (kind, skip) = line_kind(line.content, self.lexicon);
        let span = line.span();
        match kind {
            Some(kind) => {
                let drawn = skip >= line.content.len();
                if !drawn {
                    self.push(Span::new(span.start + skip, span.end), kind);
                }
                self.open = kind == BlockKind::ListItem && !drawn;
                self.last = self.open.then_some(span);
            }
            None if is_bold(line.content) && is_title(line.content) => {
                self.push(span, BlockKind::Heading);
                (self.open, self.last) = (false, None);
            }
            None => self.prose(line),
        }
    }

    fn in_code(&self) -> bool {
        self.fence.is_some_and(|fence| !fence.is_prose)
    }

    /// Whether the line is code, or the mark of a fence.
    fn code(&mut self, line: Line<'_>) -> bool {
        let mark = ["```", "~~~"].into_iter().find(|mark| {
            let info = line.content.strip_prefix(mark);
            info.is_some_and(|info| *mark == "~~~" || !info.trim_start_matches('`').contains('`'))
        });
        match (self.fence, mark) {
            (None, None) => return false,
            (Some(fence), mark) if fence.is_prose => {
                if mark != Some(fence.mark) {
                    return false;
                }
                (self.fence, self.open, self.last) = (None, false, None);
                return true;
            }
            (None, Some(mark)) => {
                let behind = line.begin + line.content.len();
                let inside = self
                    .text
                    .get(behind..)
                    .and_then(|rest| rest.find('\n'))
                    .map_or(self.text.len(), |end| behind + end + 1);
                let end = end_of_fence(self.text, inside, |line| line.trim_start().starts_with(mark));
                let is_prose = holds_prose(self.text, inside..end, &mut self.alone);
                self.fence = Some(Fence { mark, is_prose });
                (self.open, self.last) = (!is_prose, None);
                if !is_prose {
                    self.push(line.span(), BlockKind::Code);
                }
                return true;
            }
            (Some(_), _) => {}
        }
        match self.blocks.last_mut().filter(|_| self.open) {
            Some(block) => block.span.end = line.span().end,
            None => self.push(line.span(), BlockKind::Code),
        }
        (self.open, self.last) = (true, None);
        if mark.is_some() && mark == self.fence.map(|fence| fence.mark) {
            (self.fence, self.open) = (None, false);
        }
        true
    }

    /// Whether the line underlines a title: one line of prose that reads as one.
    fn underlines(&mut self, line: Line<'_>) -> bool {
        let rule = line.content;
        if rule.len() < 3 || !(rule.bytes().all(|b| b == b'=') || rule.bytes().all(|b| b == b'-')) {
            return false;
        }
        let above = self.last.filter(|_| self.open && self.lines == 1);
        let Some(block) = self.blocks.last_mut().filter(|block| block.kind == BlockKind::Prose) else { return false };
        if above != Some(block.span) || !is_title(block.span.of(self.text)) {
            return false;
        }
        block.kind = BlockKind::Heading;
        (self.open, self.last) = (false, None);
        true
    }

    /// Whether the line belongs to a table without signs at its ends: what parts the head from the rows, or a row below.
    fn table(&mut self, line: Line<'_>) -> bool {
        let content = line.content;
        if content.starts_with('|') || !content.contains('|') {
            self.in_table &= content.starts_with('|');
            return false;
        }
        if self.in_table {
            self.push(line.span(), BlockKind::TableRow);
            return true;
        }
        if self.begins_a_table(line) {
            self.push(line.span(), BlockKind::TableRow);
            (self.open, self.last, self.in_table) = (false, None, true);
            return true;
        }
        let parts = content.contains("--") && content.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
        let Some(head) = self.last.filter(|head| parts && self.open && head.of(self.text).contains('|')) else {
            return false;
        };
        let Some(block) = self.blocks.last_mut() else { return false };
        if block.span == head {
            block.kind = BlockKind::TableRow;
        } else {
            block.span.end = self.text.get(..head.start).map_or(head.start, |before| before.trim_end().len());
            self.push(head, BlockKind::TableRow);
        }
        (self.open, self.last, self.in_table) = (false, None, true);
        true
    }

    /// Whether the two lines below have as many bars as this one: rows without a line that parts them from their head.
    fn begins_a_table(&self, line: Line<'_>) -> bool {
        const ROWS: usize = 2;
        let bars = |line: &str| line.trim().bytes().filter(|byte| *byte == b'|').count();
        let below = self.text.get(line.begin + line.content.len()..).unwrap_or_default();
        let is_row = |below: &&str| bars(below) == bars(line.content) && !below.contains("--");
        !line.content.contains("--") && below.lines().skip(1).take(ROWS).filter(is_row).count() == ROWS
    }

    /// A line of prose: it continues the block, begins a part of it, or begins a block.
    fn prose(&mut self, line: Line<'_>) {
        let span = line.span();
        let before = self.last.filter(|_| self.open);
        match (before, self.blocks.last().copied()) {
            (Some(before), Some(block)) if self.breaks(before, line) => self.blocks.push(Block { span, ..block }),
            (_, Some(_)) if self.open => {
                if let Some(block) = self.blocks.last_mut() {
                    block.span.end = span.end;
                }
            }
            _ => {
                self.push(span, BlockKind::Prose);
                self.lines = 0;
            }
        }
        self.lines += 1;
        self.open = !line.content.ends_with(':');
        self.last = Some(span);
    }

    /// Whether the writer broke the line on purpose: the line begins like a sentence, and the line above had room for its
    /// first word. Lines that an editor wrapped have none.
    fn breaks(&mut self, above: Span, line: Line<'_>) -> bool {
        // Texts are wrapped at some 70 to 120 characters; shorter lines end where their writer ended them.
        const LEAST_WIDTH: usize = 50;
        const MOST_WIDTH: usize = 120;
        if !begins_like_a_sentence(line.content) {
            return false;
        }
        if self.widest.1 <= line.start {
            let from = self.text.get(above.start..).unwrap_or_default();
            let paragraph = from.split_inclusive('\n').take_while(|line| !line.trim().is_empty());
            let (widest, length) = paragraph
                .fold((0, 0), |(widest, length), line| (line.trim().chars().count().max(widest), length + line.len()));
            self.widest = (widest, above.start + length);
        }
        let width = self.widest.0;
        let first = line.content.split_whitespace().next().map_or(0, |word| word.chars().count());
        width > MOST_WIDTH || above.of(self.text).chars().count() + 1 + first <= width.max(LEAST_WIDTH)
    }
}

/// Whether a line begins as a sentence does: with an upper-case letter or one of a script without case, marks and
/// bracketed signs before it aside.
fn begins_like_a_sentence(line: &str) -> bool {
    let mut rest = line;
    loop {
        rest = rest.trim_start_matches(|c: char| {
            c.is_whitespace() || matches!(c, '"' | '“' | '„' | '«' | '»' | '‘' | '\'' | '(' | '*' | '_' | '¿' | '¡')
        });
        // A marker such as `[2]`: what stands behind it decides.
        let Some(inside) = rest.strip_prefix(['[', '【']) else { break };
        const LONGEST: usize = 48;
        let close = inside.char_indices().take_while(|(at, _)| *at < LONGEST).find(|(_, c)| matches!(c, ']' | '】'));
        let Some((at, c)) = close else { return false };
        rest = inside.get(at + c.len_utf8()..).unwrap_or_default();
    }
    rest.chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase())
}

/// What a line is apart from prose, and how many bytes its bullet, numeral or hashes take; all of it for a line that only draws.
fn line_kind(line: &str, lexicon: &Lexicon) -> (Option<BlockKind>, usize) {
    let hashes = line.bytes().take_while(|b| *b == b'#').count();
    if (1..=6).contains(&hashes)
        && let Some(skip) = past_space(line, hashes)
    {
        return (Some(BlockKind::Heading), skip);
    }
    if line.starts_with('|') || (line.as_bytes().contains(&b'|') && line.matches(" | ").count() >= 2) {
        let drawn = line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '+' | '='));
        return (Some(BlockKind::TableRow), if drawn { line.len() } else { 0 });
    }
    if line.len() >= 3 && is_drawn(line) {
        return (Some(BlockKind::Prose), line.len());
    }
    match bullet(line).or_else(|| numeral(line, lexicon)) {
        Some(skip) => (Some(BlockKind::ListItem), skip),
        None => (None, 0),
    }
}

/// Whether a line is a rule: one of `-`, `*`, `_` and `=`, again and again, with or without spaces between.
fn is_drawn(line: &str) -> bool {
    let mut signs = line.bytes().filter(|byte| *byte != b' ');
    signs.next().is_some_and(|first| matches!(first, b'-' | b'*' | b'_' | b'=') && signs.all(|sign| sign == first))
}

/// Whether the whole line is in bold type.
fn is_bold(line: &str) -> bool {
    ["**", "__"].into_iter().any(|mark| {
        let inner = line.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
        inner.is_some_and(|inner| !inner.is_empty() && !inner.contains(mark))
    })
}

/// Whether a line reads as a title: a few words without figures and without the sign that ends a sentence.
fn is_title(line: &str) -> bool {
    const MOST_WORDS: usize = 8;
    const MOST_SIGNS: usize = 16;
    let bare = line.trim_matches(['*', '_', ' ']);
    let unspaced = bare.chars().filter(|c| is_unspaced(*c)).count();
    bare.split_whitespace().count() <= MOST_WORDS
        && unspaced <= MOST_SIGNS
        && !bare.chars().any(char::is_numeric)
        && !bare.ends_with(['.', '!', '?', ':', ',', ';', '…', '。', '！', '？', '：', '।', '۔', '؟', ']', '】'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lexicon::Lexicons;

    fn cut(language: &str, text: &str) -> Vec<(BlockKind, u32, String)> {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        let found = blocks(text, lexicons.for_language(Some(language)));
        found.into_iter().map(|block| (block.kind, block.number, block.span.of(text).to_owned())).collect()
    }

    fn texts(language: &str, text: &str) -> Vec<String> {
        cut(language, text).into_iter().map(|(_, _, text)| text).collect()
    }

    #[test]
    fn bullets_and_numerals_of_many_kinds() {
        let text = "- a\n* b\n1. c\n2) d\n(3) e\nb) f\n(c) g\niv. h\n1.2. i\n✅ j\n1️⃣ k\n・l\n一、m\n（1）n\n① o\n→ p";
        let found = cut("en", text);
        let letters: Vec<&str> = found.iter().map(|(_, _, text)| text.as_str()).collect();
        assert_eq!(letters, ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"]);
        assert!(found.iter().all(|(kind, ..)| *kind == BlockKind::ListItem));
    }

    #[test]
    fn what_is_no_numeral_stays_in_its_line() {
        assert_eq!(texts("en", "A. Weir came."), ["A. Weir came."]);
        assert_eq!(texts("en", "1.5 metres are enough."), ["1.5 metres are enough."]);
        assert_eq!(texts("de", "1. Mai ist Feiertag."), ["1. Mai ist Feiertag."]);
        assert_eq!(texts("de", "1. Maier zahlt."), ["Maier zahlt."]);
        assert_eq!(texts("en", "2024. A good year."), ["2024. A good year."]);
    }

    #[test]
    fn a_line_is_ended_on_purpose_where_the_next_word_had_room() {
        assert_eq!(texts("en", "Logs stay\nExports go"), ["Logs stay", "Exports go"]);
        assert_eq!(cut("en", "Logs stay\nExports go").iter().map(|(_, n, _)| *n).collect::<Vec<_>>(), [0, 0]);
        assert_eq!(texts("en", "Logs stay\nfor 30 days").len(), 1, "it goes on in lower case");
        let wrapped = "The fee that was agreed upon with all customers of the first group in\nMarch is due.";
        assert_eq!(texts("en", wrapped).len(), 1, "“March” had no room");
    }

    #[test]
    fn titles_and_tables() {
        use BlockKind::{Heading, Prose, TableRow};
        let kinds = |text| cut("en", text).into_iter().map(|(kind, ..)| kind).collect::<Vec<_>>();
        assert_eq!(kinds("**Limits**\nNone."), [Heading, Prose]);
        assert_eq!(kinds("**Logs stay 30 days**\nNone."), [Prose, Prose], "a figure states something");
        assert_eq!(kinds("Limits\n======\nNone."), [Heading, Prose]);
        assert_eq!(kinds("Logs stay.\n---\nNone."), [Prose, Prose], "a rule below a sentence");
        assert_eq!(kinds("Intro:\nA | b\n--- | ---\n1 | 2\nEnd."), [Prose, TableRow, TableRow, Prose]);
        assert_eq!(kinds("A | b is a sum type."), [Prose]);
    }
}
