//! What stands between two sentences: closing signs, spaces, and the markers of one of them.

use super::{Splitter, is_closer};

impl Splitter<'_> {
    /// Past what closes a sentence behind its full stop: quotation marks, brackets, tags.
    pub(super) fn past_closers(&self, mut at: usize) -> usize {
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
    pub(super) fn past_tag(&self, at: usize, accept: impl Fn(&str) -> bool) -> usize {
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
    pub(super) fn past_space(&self, mut at: usize) -> usize {
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
    pub(super) fn next_sentence(&self, end: usize) -> usize {
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
    pub(super) fn past_markers(&self, at: usize) -> usize {
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
}
