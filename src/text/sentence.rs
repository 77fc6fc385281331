//! Sentences and the blocks they stand in: paragraphs, headings, list items, table rows, code.

use super::lexicon::Lexicon;
use super::span::Span;
use super::word::{folded, is_unspaced};

/// What kind of block a sentence stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// A paragraph.
    Prose,
    /// A Markdown heading: one sentence.
    Heading,
    /// A list item, without its bullet or numeral.
    ListItem,
    /// A row of a table: one sentence.
    TableRow,
    /// A fenced code block: one sentence.
    Code,
}

/// One sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence {
    /// From its first character to its closing sign, closing quotes and brackets included; no space around it.
    pub span: Span,
    /// From its end to the beginning of the next one: spaces, and markers that stand after the full stop.
    pub trailing: Span,
    /// The kind of its block.
    pub kind: BlockKind,
    /// The number of its block in the text, from 0: sentences of one paragraph share it.
    pub block: u32,
}

#[derive(Debug, Clone, Copy)]
struct Block {
    span: Span,
    kind: BlockKind,
}

/// The sentences of `text`. `masked` are stretches that belong to no sentence and end none, such as citation markers (sorted, apart).
pub fn sentences(text: &str, lexicon: &Lexicon, masked: &[Span]) -> Vec<Sentence> {
    let mut found = Vec::new();
    let blocks = blocks(text);
    for (number, block) in (0_u32..).zip(&blocks) {
        let limit = blocks.get(number as usize + 1).map_or(text.len(), |next| next.span.start);
        let splitter = Splitter { text, lexicon, masked, end: block.span.end };
        match block.kind {
            BlockKind::Prose | BlockKind::ListItem => splitter.split(block.span.start, limit, |span, trailing| {
                found.push(Sentence { span, trailing, kind: block.kind, block: number });
            }),
            kind => found.push(Sentence {
                span: block.span,
                trailing: Span::new(block.span.end, limit),
                kind,
                block: number,
            }),
        }
    }
    found
}

/// Cuts a text into blocks by its lines. Blocks are trimmed and never empty.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    // Whether the next line may continue the last block.
    let mut open = false;
    let mut fence: Option<&str> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let quoted = line.trim_start().trim_start_matches("> ").trim_start_matches('>');
        let content = if fence.is_some() { line.trim() } else { quoted.trim() };
        if content.is_empty() {
            open &= fence.is_some();
            continue;
        }
        let outside = if fence.is_some() { line } else { quoted };
        let begin = start + (line.len() - outside.trim_start().len());
        let span = Span::new(begin, begin + content.len());
        let mark = if content.starts_with("```") { Some("```") } else { content.starts_with("~~~").then_some("~~~") };
        if fence.is_some() {
            match blocks.last_mut().filter(|_| open) {
                Some(block) => block.span.end = span.end,
                None => blocks.push(Block { span, kind: BlockKind::Code }),
            }
            open = true;
            if mark == fence {
                (fence, open) = (None, false);
            }
            continue;
        }
        if mark.is_some() {
            (fence, open) = (mark, true);
            blocks.push(Block { span, kind: BlockKind::Code });
            continue;
        }
        let (kind, skip) = line_kind(content);
        match kind {
            Some(kind) => {
                if skip < content.len() {
                    blocks.push(Block { span: Span::new(span.start + skip, span.end), kind });
                }
                open = kind == BlockKind::ListItem && skip < content.len();
            }
            None => {
                match blocks.last_mut().filter(|_| open) {
                    Some(block) => block.span.end = span.end,
                    None => blocks.push(Block { span, kind: BlockKind::Prose }),
                }
                open = !content.ends_with(':');
            }
        }
    }
    blocks
}

/// What a line is apart from prose, and how many bytes its bullet, numeral or hashes take; all of it for a line that only draws.
fn line_kind(line: &str) -> (Option<BlockKind>, usize) {
    let after = |prefix: usize| {
        let rest = line.get(prefix..).unwrap_or_default();
        let trimmed = rest.trim_start();
        (trimmed.len() < rest.len() || rest.is_empty()).then(|| line.len() - trimmed.len())
    };
    let hashes = line.bytes().take_while(|b| *b == b'#').count();
    if (1..=6).contains(&hashes)
        && let Some(skip) = after(hashes)
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
    for bullet in ["-", "*", "+", "•", "‣", "◦", "–", "·"] {
        if line.starts_with(bullet)
            && let Some(skip) = after(bullet.len())
        {
            return (Some(BlockKind::ListItem), skip);
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let numeral = if (1..=3).contains(&digits) {
        digits
    } else {
        let mut bytes = line.bytes();
        usize::from(bytes.next().is_some_and(|b| b.is_ascii_lowercase()) && bytes.next() == Some(b')'))
    };
    if numeral > 0
        && line.as_bytes().get(numeral).is_some_and(|b| matches!(b, b'.' | b')'))
        && let Some(skip) = after(numeral + 1)
    {
        return (Some(BlockKind::ListItem), skip);
    }
    (None, 0)
}

/// Whether a line is a rule: one of `-`, `*`, `_` and `=`, again and again, with or without spaces between.
fn is_drawn(line: &str) -> bool {
    let mut signs = line.bytes().filter(|byte| *byte != b' ');
    signs.next().is_some_and(|first| matches!(first, b'-' | b'*' | b'_' | b'=') && signs.all(|sign| sign == first))
}

struct Splitter<'t> {
    text: &'t str,
    lexicon: &'t Lexicon,
    masked: &'t [Span],
    /// End of the block.
    end: usize,
}

impl<'t> Splitter<'t> {
    /// Cuts the block that begins at `start`; what trails its last sentence reaches to `limit`.
    fn split(&self, mut start: usize, limit: usize, mut emit: impl FnMut(Span, Span)) {
        let mut at = start;
        while let Some(c) = self.char_at(at) {
            if let Some(mask) = self.mask_at(at) {
                at = mask.end;
                continue;
            }
            let next = at + c.len_utf8();
            if !is_terminator(c) {
                at = self.past_plain(next);
                continue;
            }
            let stop = self.past(next, is_terminator);
            let end = self.past(stop, is_closer);
            if end < self.end && !self.ends_here(start, at, stop, end, c) {
                at = stop;
                continue;
            }
            let following = self.past_markers(end);
            let trailing_end = if following >= self.end { limit } else { following };
            emit(Span::new(start, end), Span::new(end, trailing_end));
            (start, at) = (following, following);
        }
        if start < self.end {
            emit(Span::new(start, self.end), Span::new(self.end, limit));
        }
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..self.end)?.chars().next()
    }

    /// Past the plain characters from `at` on that end no sentence and stand outside of all masks.
    fn past_plain(&self, at: usize) -> usize {
        let mask = self.masked.get(self.masked.partition_point(|mask| mask.end <= at));
        let end = mask.map_or(self.end, |mask| mask.start.clamp(at, self.end.max(at)));
        let plain = |byte: &u8| byte.is_ascii() && !matches!(byte, b'.' | b'!' | b'?');
        let rest = self.text.as_bytes().get(at..end).unwrap_or_default();
        at + rest.iter().position(|byte| !plain(byte)).unwrap_or(rest.len())
    }

    fn mask_at(&self, at: usize) -> Option<Span> {
        let after = self.masked.partition_point(|mask| mask.start <= at);
        after.checked_sub(1).and_then(|i| self.masked.get(i)).copied().filter(|mask| at < mask.end)
    }

    fn past(&self, mut at: usize, accept: impl Fn(char) -> bool) -> usize {
        while let Some(c) = self.char_at(at).filter(|c| accept(*c) && self.mask_at(at).is_none()) {
            at += c.len_utf8();
        }
        at
    }

    /// Past spaces, masked stretches, and what looks like a marker behind a full stop.
    fn past_markers(&self, mut at: usize) -> usize {
        loop {
            let from = at;
            at = self.past(at, char::is_whitespace);
            if let Some(mask) = self.mask_at(at) {
                at = mask.end.min(self.end);
            } else if let Some(end) = self.bracket_at(at) {
                at = end;
            } else {
                at = self.past(at, |c| matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹'));
            }
            if at == from {
                return at;
            }
        }
    }

    /// The end of a short bracket such as `[1]`, `[^2]`, `[doc 3]`, `【1†source】` or `[1](url)`.
    fn bracket_at(&self, at: usize) -> Option<usize> {
        const LONGEST: usize = 48;
        let close = match self.char_at(at)? {
            '[' => ']',
            '【' => '】',
            _ => return None,
        };
        let rest = self.text.get(at..self.end)?;
        let length = rest
            .char_indices()
            .take_while(|(i, _)| *i < LONGEST)
            .find(|(_, c)| *c == close)
            .map(|(i, c)| i + c.len_utf8())?;
        let inside = rest.get(..length)?;
        // Several words are a marker only where all behind the first are numbers: `[doc 3]`, `[Source: 4, 5]`.
        let number =
            |word: &str| word.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ';' | '-' | '–' | ']' | '】'));
        if !inside.split_whitespace().skip(1).all(number) {
            return None;
        }
        let mut end = at + length;
        while self.char_at(end) == Some(close) {
            end += close.len_utf8();
        }
        if self.char_at(end) == Some('(') {
            const LONGEST_LINK: usize = 2048;
            let limit = self.text.floor_char_boundary(self.end.min(end + LONGEST_LINK));
            let link = self.text.get(end..limit)?;
            end += link
                .find(')')
                .filter(|i| !link.get(..*i).is_some_and(|l| l.contains(char::is_whitespace)))
                .map_or(0, |i| i + 1);
        }
        Some(end)
    }

    /// Whether the sentence that began at `start` ends with the terminator `c` at `at` (all of them up to `stop`, closers up to `end`).
    fn ends_here(&self, start: usize, at: usize, stop: usize, end: usize, c: char) -> bool {
        if matches!(c, '。' | '！' | '？' | '｡' | '।' | '۔' | '؟' | '።') {
            return true;
        }
        let following = self.past_markers(end);
        let gap = following > end;
        let Some(next) = self.char_at(following) else { return true };
        if !gap {
            return is_unspaced(next) || (c == '.' && end == at + 1 && self.runs_on(at, following));
        }
        let single = c == '.' && stop == at + 1;
        if next.is_lowercase() && !self.marker_between(end, following) {
            return false;
        }
        if !single {
            return true;
        }
        let before = self.text.get(start..at).unwrap_or_default();
        let last = before
            .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '„' | '«' | '/' | '\u{2014}'))
            .next()
            .unwrap_or_default();
        !self.abbreviates(last, following)
    }

    /// A full stop that the next sentence follows without a space: "the end.Then it".
    fn runs_on(&self, at: usize, next: usize) -> bool {
        let mut before = self.text.get(..at).unwrap_or_default().chars().rev();
        let mut after = self.text.get(next..self.end).unwrap_or_default().chars();
        before.next().is_some_and(char::is_lowercase)
            && before.next().is_some_and(char::is_lowercase)
            && before.next().is_some_and(|c| c.is_alphabetic() || c.is_whitespace())
            && after.next().is_some_and(char::is_uppercase)
            && after.find(|c| !c.is_alphabetic()).is_some_and(char::is_whitespace)
    }

    fn marker_between(&self, from: usize, to: usize) -> bool {
        !self.text.get(from..to).unwrap_or_default().trim().is_empty()
    }

    /// Whether the full stop behind `word` belongs to it, seen from the word at `following`.
    fn abbreviates(&self, word: &str, following: usize) -> bool {
        let rest = self.text.get(following..self.end).unwrap_or_default();
        let next: &str =
            rest.split(|c: char| !c.is_alphanumeric() && !super::word::is_apostrophe(c)).next().unwrap_or_default();
        let next_folded = folded(next);
        let is_initial = next.chars().count() == 1 && rest.get(next.len()..).is_some_and(|r| r.starts_with('.'));
        let begins_sentence = !is_initial
            && next.chars().next().is_some_and(char::is_uppercase)
            && self.lexicon.is_stop_word(&next_folded);
        let digits = word.chars().filter(char::is_ascii_digit).count();
        if digits > 0 {
            // "am 3. Oktober", "im 19. Jahrhundert": an ordinal where the language writes one so.
            let all = digits == word.chars().count();
            let ordinal = self.lexicon.decimal() == Some(',') && digits <= 2 && !begins_sentence;
            return all
                && (self.lexicon.months.contains_key(next_folded.as_ref()) && self.lexicon.language() != "en"
                    || ordinal);
        }
        if begins_sentence {
            return false;
        }
        let mut letters = word.chars();
        let initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
        initial || self.lexicon.abbreviations.contains(folded(word).as_ref()) || dotted_initials(word)
    }
}

/// `U.S`, `J.R.R`: single letters with full stops between.
fn dotted_initials(word: &str) -> bool {
    word.contains('.') && word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic))
}

fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '｡' | '।' | '۔' | '؟' | '።' | '‽')
}

fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | '»' | '›' | '“' | ')' | '」' | '』' | '）' | '》' | '〉' | '*' | '_')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::lexicon::Lexicons;

    fn split(language: &str, text: &str) -> Vec<String> {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        sentences(text, lexicons.for_language(Some(language)), &[])
            .into_iter()
            .map(|s| s.span.of(text).to_owned())
            .collect()
    }

    #[test]
    fn abbreviations_decimals_and_initials_end_no_sentence() {
        assert_eq!(
            split("en", "Dr. A. Weir paid $3.50, e.g. in cash. It rained."),
            ["Dr. A. Weir paid $3.50, e.g. in cash.", "It rained."]
        );
        assert_eq!(split("en", "It opened at 9 p.m. The doors closed."), ["It opened at 9 p.m.", "The doors closed."]);
        assert_eq!(
            split("en", "The U.S. Senate met. Why?! Nobody knew."),
            ["The U.S. Senate met.", "Why?!", "Nobody knew."]
        );
        assert_eq!(
            split("de", "Am 3. Oktober galt z. B. Regel 4. Die Frist begann."),
            ["Am 3. Oktober galt z. B. Regel 4.", "Die Frist begann."]
        );
    }

    #[test]
    fn closing_quotes_belong_to_the_sentence_and_markers_do_not() {
        let text = "He said “No.” [1][2] Then he left.[^3] It ended. [4]";
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        let found = sentences(text, lexicons.for_language(Some("en")), &[]);
        let parts: Vec<(&str, &str)> = found.iter().map(|s| (s.span.of(text), s.trailing.of(text).trim())).collect();
        assert_eq!(parts, [("He said “No.”", "[1][2]"), ("Then he left.", "[^3]"), ("It ended.", "[4]")]);
    }

    #[test]
    fn blocks_stand_alone() {
        let text = "# Limits\nTwo rules\napply here:\n- First one. Really.\n2. Second one\n   goes on\n\n| a | b |\n|---|---|\n| 1 | 2 |\n```\nx. Y\n```\nEnd.";
        assert_eq!(
            split("en", text),
            [
                "Limits",
                "Two rules\napply here:",
                "First one.",
                "Really.",
                "Second one\n   goes on",
                "| a | b |",
                "| 1 | 2 |",
                "```\nx. Y\n```",
                "End."
            ]
        );
    }

    #[test]
    fn scripts_without_spaces() {
        assert_eq!(
            split("ja", "返品は30日以内です。手数料は無料。「はい。」と言った！"),
            ["返品は30日以内です。", "手数料は無料。", "「はい。」", "と言った！"]
        );
    }

    #[test]
    fn a_masked_marker_neither_ends_nor_joins_a_sentence() {
        let text = "It costs 5 [Guide p. 3. A] euros. <c>A. B</c> Next one.";
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        let masks = [Span::new(11, 26), Span::new(34, 45)];
        let found = sentences(text, lexicons.for_language(Some("en")), &masks);
        assert_eq!(
            found.iter().map(|s| s.span.of(text)).collect::<Vec<_>>(),
            ["It costs 5 [Guide p. 3. A] euros.", "Next one."]
        );
    }

    proptest! {
        #[test]
        fn spans_are_in_order_and_on_boundaries(text in "\\PC{0,60}|[A-Za-z0-9.!?。 \n\"“”|#*-]{0,60}") {
            let lexicons = Lexicons::shipped().map_err(|e| TestCaseError::fail(format!("{e:?}")))?;
            let mut end = 0;
            for sentence in sentences(&text, lexicons.for_language(None), &[]) {
                prop_assert!(sentence.span.start >= end);
                prop_assert!(text.get(sentence.span.range()).is_some_and(|s| !s.is_empty()));
                prop_assert!(text.get(sentence.trailing.range()).is_some());
                end = sentence.trailing.end;
            }
        }
    }
}
