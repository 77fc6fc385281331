//! Sentences, block by block.

mod between;
mod ending;

use super::block::{Block, blocks};
use super::lexicon::Lexicon;
use super::span::Span;

pub use super::block::BlockKind;

/// One sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence {
    /// From its first character to its closing sign, closing quotes and brackets included; no space around it. Markers that
    /// stand before it and belong to it (`[1] Logs stay.`) are part of it.
    pub span: Span,
    /// From its end to the beginning of the next one: spaces, markers that stand after the full stop, a numeral of the next.
    pub trailing: Span,
    /// The kind of its block.
    pub kind: BlockKind,
    /// The number of its block in the text, from 0: sentences of one paragraph share it.
    pub block: u32,
}

/// The sentences of `text`. `markers` are stretches that belong to no sentence and end none: citation markers (sorted, apart).
pub fn sentences(text: &str, lexicon: &Lexicon, markers: &[Span]) -> Vec<Sentence> {
    sentences_keeping(text, lexicon, markers, &[])
}

/// The same, with stretches that are `kept` whole: no sentence ends inside of them, such as code or a quotation.
pub fn sentences_keeping(text: &str, lexicon: &Lexicon, markers: &[Span], kept: &[Span]) -> Vec<Sentence> {
    let stretches = stretches(markers, kept);
    let blocks = blocks(text, lexicon);
    let mut found = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let limit = blocks.get(index + 1).map_or(text.len(), |next| next.span.start);
        let emit = |span, trailing| found.push(Sentence { span, trailing, kind: block.kind, block: block.number });
        Splitter::new(text, lexicon, &stretches, block).cut(block, limit, emit);
    }
    found
}

/// A stretch that is read over, and whether it is a marker.
type Stretch = (Span, bool);

/// Markers and what is kept whole in one list, in order and apart: of two that overlap the one that begins first stays.
fn stretches(markers: &[Span], kept: &[Span]) -> Vec<Stretch> {
    let markers = markers.iter().map(|span| (*span, true));
    let mut all: Vec<Stretch> = markers.chain(kept.iter().map(|span| (*span, false))).collect();
    all.sort_unstable_by_key(|(span, is_marker)| (span.start, std::cmp::Reverse(span.end), *is_marker));
    let mut end = 0;
    all.retain(|(span, _)| {
        let apart = span.start >= end && !span.is_empty();
        end = if apart { span.end } else { end };
        apart
    });
    all
}

struct Splitter<'t> {
    text: &'t str,
    lexicon: &'t Lexicon,
    stretches: &'t [Stretch],
    /// End of the block.
    end: usize,
    /// Whether the markers of the block stand before their sentences: "[1] Logs stay. [2] Exports stay."
    leads: bool,
}

impl<'t> Splitter<'t> {
    fn new(text: &'t str, lexicon: &'t Lexicon, stretches: &'t [Stretch], block: &Block) -> Self {
        let mut splitter = Self { text, lexicon, stretches, end: block.span.end, leads: false };
        let behind = splitter.past_markers(block.span.start);
        let begins = splitter.char_at(behind).is_some_and(|c| c.is_alphanumeric() && !c.is_lowercase());
        splitter.leads = behind > block.span.start && begins && !splitter.ends_in_a_marker(block);
        splitter
    }

    /// Whether a marker is the last of the block.
    fn ends_in_a_marker(&self, block: &Block) -> bool {
        let text = block.span.of(self.text);
        let bare = text.trim_end_matches(|c: char| is_terminator(c) || is_closer(c) || c.is_whitespace());
        self.is_behind_a_marker(block.span.start + bare.len()) || self.is_behind_a_marker(block.span.end)
    }

    fn is_behind_a_marker(&self, at: usize) -> bool {
        let before = self.stretches.partition_point(|(span, _)| span.end < at);
        let masked = self.stretches.get(before).is_some_and(|(span, is_marker)| span.end == at && *is_marker);
        masked || self.text.get(..at).is_some_and(|before| before.ends_with([']', '】']))
    }

    /// Cuts the block; what trails its last sentence reaches to `limit`.
    fn cut(&self, block: &Block, limit: usize, mut emit: impl FnMut(Span, Span)) {
        let mut start = block.span.start;
        if !matches!(block.kind, BlockKind::Prose | BlockKind::ListItem) {
            emit(block.span, Span::new(block.span.end, limit));
            return;
        }
        let mut at = start;
        // The last numeral of an enumeration inside the block: "1. Open it. 2. Save it."
        let mut numeral = 0;
        while let Some(c) = self.char_at(at) {
            if let Some((stretch, is_marker)) = self.stretch_at(at) {
                at = stretch.end;
                if let Some(next) = self.unpunctuated_end(stretch).filter(|_| is_marker && stretch.start > start) {
                    emit(Span::new(start, at), Span::new(at, next));
                    (start, at) = (next, next);
                }
                continue;
            }
            let next = at + c.len_utf8();
            if !is_terminator(c) {
                at = self.past_plain(next);
                continue;
            }
            let stop = self.past(next, is_terminator);
            if c == '.' && stop == next && self.is_numeral(start, at, &mut numeral) {
                at = self.past(stop, char::is_whitespace);
                start = if self.text.get(start..at).is_some_and(|text| text.contains(':')) { start } else { at };
                continue;
            }
            let end = self.past_closers(stop);
            if end < self.end && !self.ends_here(start, at, stop, end, c) {
                at = stop;
                continue;
            }
            let following = self.next_sentence(end);
            let trailing_end = if following >= self.end { limit } else { following };
            emit(Span::new(start, end), Span::new(end, trailing_end));
            (start, at) = (following, following);
        }
        if start < self.end {
            emit(Span::new(start, self.end), Span::new(self.end, limit));
        }
    }

    /// Where the next sentence begins behind a marker, in scripts that end sentences with a space and nothing else (Thai, Lao).
    fn unpunctuated_end(&self, marker: Span) -> Option<usize> {
        let is_of_them = |c: char| matches!(c, '\u{e00}'..='\u{eff}');
        let next = self.past_space(marker.end);
        let follows = next > marker.end && self.char_at(next).is_some_and(is_of_them);
        let before = self.text.get(..marker.start)?.trim_end();
        (follows && before.ends_with(is_of_them)).then_some(next)
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..self.end)?.chars().next()
    }

    /// Past the plain characters from `at` on that end no sentence and stand outside of all stretches.
    fn past_plain(&self, at: usize) -> usize {
        let next = self.stretches.get(self.stretches.partition_point(|(span, _)| span.end <= at));
        let end = next.map_or(self.end, |(span, _)| span.start.clamp(at, self.end.max(at)));
        let plain = |byte: &u8| byte.is_ascii() && !matches!(byte, b'.' | b'!' | b'?');
        let rest = self.text.as_bytes().get(at..end).unwrap_or_default();
        at + rest.iter().position(|byte| !plain(byte)).unwrap_or(rest.len())
    }

    fn stretch_at(&self, at: usize) -> Option<Stretch> {
        let after = self.stretches.partition_point(|(span, _)| span.start <= at);
        after.checked_sub(1).and_then(|i| self.stretches.get(i)).copied().filter(|(span, _)| at < span.end)
    }

    fn past(&self, mut at: usize, accept: impl Fn(char) -> bool) -> usize {
        while let Some(c) = self.char_at(at).filter(|c| accept(*c) && self.stretch_at(at).is_none()) {
            at += c.len_utf8();
        }
        at
    }
}

/// Signs that end a sentence whatever follows.
fn is_full_width(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '।' | '॥' | '۔' | '؟' | '።' | '។' | '။' | '։')
}

fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '‽' | '．') || is_full_width(c)
}

fn is_closer(c: char) -> bool {
    matches!(c, '"' | '\'' | '”' | '’' | '»' | '›' | ')' | '」' | '』' | '）' | '》' | '〉' | '*' | '_')
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
            ["返品は30日以内です。", "手数料は無料。", "「はい。」と言った！"]
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
