//! Sentences, block by block.

use super::block::{Block, blocks};
use super::lexicon::Lexicon;
use super::span::Span;
use super::word::{folded, is_apostrophe, is_unspaced};

pub use super::block::BlockKind;

/// One sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence {
    /// From its first character to its closing sign, closing quotes and brackets included; no space around it. Markers that
    /// stand before it and belong to it ("[1] Logs stay.") are part of it.
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

    /// Past what closes a sentence behind its full stop: quotation marks, brackets, tags.
    fn past_closers(&self, mut at: usize) -> usize {
        loop {
            let from = at;
            at = self.past(at, is_closer);
            // German closes with the marks that others open with; where a word follows at once they open: 。“完成”
            if let Some(mark) = self.char_at(at).filter(|c| matches!(c, '“' | '«' | '‹')) {
                let behind = at + mark.len_utf8();
                at = if self.char_at(behind).is_some_and(char::is_alphanumeric) { at } else { behind };
            }
            // French puts a space before it.
            let spaced = self.past(at, char::is_whitespace);
            let behind = spaced + '»'.len_utf8();
            let is_apart = spaced > at && !self.char_at(behind).is_some_and(char::is_alphanumeric);
            at = if is_apart && self.char_at(spaced) == Some('»') { behind } else { at };
            at = self.past_tag(at, |tag| tag.starts_with('/'));
            if at == from {
                return at;
            }
        }
    }

    /// Past the tag at `at`, such as `</b>`, where `accept` takes what stands between its signs.
    fn past_tag(&self, at: usize, accept: impl Fn(&str) -> bool) -> usize {
        const LONGEST: usize = 16;
        let inner = self
            .text
            .get(at..self.end)
            .and_then(|rest| rest.strip_prefix('<'))
            .filter(|_| self.stretch_at(at).is_none());
        let tag = inner.and_then(|inner| {
            let length = inner.bytes().take(LONGEST).position(|b| b == b'>')?;
            inner.get(..length)
        });
        match tag
            .filter(|tag| accept(tag) && tag.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b' ')))
        {
            Some(tag) => at + tag.len() + 2,
            None => at,
        }
    }

    /// Past white space, line breaks of HTML included.
    fn past_space(&self, mut at: usize) -> usize {
        loop {
            let from = at;
            at = self
                .past_tag(self.past(at, char::is_whitespace), |tag| matches!(tag, "br" | "br/" | "br /" | "p" | "/p"));
            if at == from {
                return at;
            }
        }
    }

    /// Where the sentence behind a full stop begins: past spaces and the markers that belong to the sentence before.
    fn next_sentence(&self, end: usize) -> usize {
        let following = self.past_markers(end);
        let spaced = self.past_space(end);
        if spaced == end || spaced == following {
            return following;
        }
        // "[2] says so", "[2]: so": the marker is the subject of what follows.
        let mut next = self.text.get(following..self.end).unwrap_or_default().chars();
        let first = next.next();
        let is_subject = first == Some(':')
            || (first.is_some_and(char::is_lowercase) && next.next().is_none_or(|c| !c.is_uppercase()));
        let leads = self.leads && first.is_some_and(char::is_alphanumeric);
        if is_subject || leads { spaced } else { following }
    }

    /// Past spaces, markers, what looks like a marker behind a full stop, and what parts them.
    fn past_markers(&self, at: usize) -> usize {
        let mut at = self.past_space(at);
        let mut found = false;
        loop {
            let separated = if found { self.past_separator(at) } else { at };
            let opened = self.past_tag(separated, |tag| tag == "sup");
            let Some(end) = self.marker_end(opened) else { break };
            found = true;
            at = self.past_space(self.past_tag(end, |tag| tag == "/sup"));
        }
        // "… 30 days. [1]. Exports …": the second full stop closes the marker.
        let stop = self.past(at, |c| c == '.' || c == '。');
        if found && stop > at && (stop >= self.end || self.past_space(stop) > stop) {
            self.past_space(stop)
        } else {
            at
        }
    }

    fn past_separator(&self, at: usize) -> usize {
        let comma = self.past(at, |c| matches!(c, ',' | ';' | '&' | '、' | '，'));
        self.past(comma, char::is_whitespace)
    }

    fn marker_end(&self, at: usize) -> Option<usize> {
        match self.stretch_at(at) {
            Some((span, true)) => Some(span.end.min(self.end)),
            Some((_, false)) => None,
            None => {
                let raised = self.past(at, |c| matches!(c, '¹' | '²' | '³' | '⁰' | '⁴'..='⁹'));
                self.bracket_at(at).or((raised > at).then_some(raised))
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
        if is_full_width(c) {
            // 「はい。」と言った: the quotation is a part of the sentence.
            let goes_on = |c| matches!(c, 'と' | 'が' | 'は' | 'を' | 'の' | 'に' | 'で' | 'も' | 'や' | 'な' | 'っ');
            return end == stop || !self.char_at(end).is_some_and(goes_on);
        }
        let following = self.past_markers(end);
        let Some(next) = self.char_at(following) else { return true };
        let single = matches!(c, '.' | '．') && stop == at + c.len_utf8();
        // A full stop right behind a marker is no abbreviation's.
        let bare = self.text.get(start..at).map_or(at, |before| start + before.trim_end().len());
        let closes_a_marker = single && self.is_behind_a_marker(bare);
        if following == end {
            let runs_on =
                single && end == stop && (closes_a_marker && next.is_uppercase() || self.runs_on(at, following));
            return is_unspaced(next) || runs_on;
        }
        if closes_a_marker {
            return true;
        }
        let spaced = self.past_space(end);
        if next.is_lowercase() && spaced == following {
            return false;
        }
        if !single {
            return true;
        }
        let before = self.text.get(start..at).unwrap_or_default();
        !self.abbreviates(before, following)
    }

    /// A full stop that the next sentence follows without a space: "the end.Then it". `lower.Upper` inside of a longer name
    /// (`java.util.List`, `System.Text`) is none.
    fn runs_on(&self, at: usize, next: usize) -> bool {
        const LONGEST: usize = 64;
        let from = self.text.floor_char_boundary(at.saturating_sub(LONGEST));
        let before = self.text.get(from..at).unwrap_or_default();
        let word = before.rsplit(|c: char| c.is_whitespace() || opens(c)).next().unwrap_or_default();
        let rest = self.text.get(next..self.end).unwrap_or_default();
        let follower = rest.split(|c: char| !c.is_alphabetic() && !is_apostrophe(c)).next().unwrap_or_default();
        let behind = rest.get(follower.len()..).and_then(|rest| rest.chars().next());
        let lower = word.chars().rev().take(2).filter(|c| c.is_lowercase()).count() == 2;
        let plain = word.chars().all(|c| c.is_lowercase() || c == '-' || is_apostrophe(c));
        lower
            && follower.starts_with(char::is_uppercase)
            && behind.is_some_and(|c| c.is_whitespace() || matches!(c, ',' | ':' | ';'))
            && (plain || (!word.contains('.') && self.lexicon.is_stop_word(&folded(follower))))
    }

    /// Whether the full stop at `at` closes the next numeral of an enumeration: alone in its sentence or behind a colon.
    fn is_numeral(&self, start: usize, at: usize, last: &mut u32) -> bool {
        const MOST_DIGITS: usize = 2;
        let before = self.text.get(start..at).unwrap_or_default();
        let digits = before.bytes().rev().take(MOST_DIGITS + 1).take_while(u8::is_ascii_digit).count();
        let word = before.get(before.len() - digits..).unwrap_or_default();
        let Some(number) = word.parse::<u32>().ok().filter(|_| digits <= MOST_DIGITS) else { return false };
        let lead = before.get(..before.len() - word.len()).unwrap_or_default().trim_end();
        let is_next = number == 1 || number == *last + 1;
        let begins = lead.is_empty() || (number == 1 && lead.ends_with([':', '：']));
        let followed = self.text.get(at + 1..self.end).is_some_and(|rest| {
            rest.starts_with(char::is_whitespace)
                && rest.trim_start().starts_with(|c: char| c.is_alphabetic() || c == '*')
        });
        let is_numeral = is_next && begins && followed && !self.is_month_day(at + 1);
        *last = if is_numeral { number } else { *last };
        is_numeral
    }

    /// Whether a month follows, in a language that writes the day with a full stop.
    fn is_month_day(&self, at: usize) -> bool {
        let rest = self.text.get(at..self.end).unwrap_or_default().trim_start();
        let next = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        self.lexicon.language() != "en" && self.lexicon.calendar.months.contains_key(folded(next).as_ref())
    }

    /// Whether the full stop behind `before`, the sentence so far, belongs to its last word, seen from the word at `following`.
    fn abbreviates(&self, before: &str, following: usize) -> bool {
        let word = before.rsplit(|c: char| c.is_whitespace() || opens(c)).next().unwrap_or_default();
        let rest = self.text.get(following..self.end).unwrap_or_default();
        let next: &str = rest.split(|c: char| !c.is_alphanumeric() && !is_apostrophe(c)).next().unwrap_or_default();
        let next_folded = folded(next);
        let dotted = rest.get(next.len()..).is_some_and(|rest| rest.starts_with('.'));
        let known = |word: &str| self.lexicon.abbreviations.contains(word);
        let is_initial = dotted && (next.chars().count() == 1 || known(&next_folded));
        let begins_sentence = !is_initial
            && next.chars().next().is_some_and(char::is_uppercase)
            && self.lexicon.is_stop_word(&next_folded);
        let digits = word.chars().filter(char::is_ascii_digit).count();
        if digits > 0 {
            // "am 3. Oktober", "im 19. Jahrhundert": an ordinal where the language writes one so.
            let all = digits == word.chars().count();
            let ordinal = self.lexicon.decimal() == Some(',') && digits <= 2 && !begins_sentence;
            return all && (self.is_month_day(following) || ordinal);
        }
        if begins_sentence {
            return false;
        }
        let word_folded = folded(word);
        // "No. Exports stay." answers; "No. 5" counts.
        if word.len() == before.len() && word.chars().count() > 1 && self.lexicon.is_stop_word(&word_folded) {
            return known(&word_folded) && rest.starts_with(|c: char| c.is_numeric() || c == '#');
        }
        let mut letters = word.chars();
        let initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
        initial
            || known(&word_folded)
            || dotted_initials(word)
            || (dotted && known(&format!("{word_folded}.{next_folded}")))
            || self.is_spaced_abbreviation(before, &word_folded)
    }

    /// "u. a.", "p. ej.", "EE. UU.": written with spaces, by its last part.
    fn is_spaced_abbreviation(&self, before: &str, last: &str) -> bool {
        const LONGEST_PART: usize = 4;
        let head = before.get(..before.len().saturating_sub(last.len())).unwrap_or_default().trim_end();
        let first = head.rsplit(|c: char| c.is_whitespace() || opens(c)).next().unwrap_or_default();
        let is_short = first.len() <= LONGEST_PART && first.ends_with('.');
        is_short && self.lexicon.abbreviations.contains(format!("{}{last}", folded(first)).as_str())
    }
}

/// `U.S`, `J.R.R`: single letters with full stops between.
fn dotted_initials(word: &str) -> bool {
    word.contains('.') && word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic))
}

/// Signs that a word can follow without a space.
fn opens(c: char) -> bool {
    matches!(c, '(' | '[' | '"' | '“' | '„' | '«' | '/' | '\u{2014}' | '*' | '_') || is_apostrophe(c)
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
