//! What checks say of a case: they shorten, fold and pick words out of what they quote, so that no pattern finds it again.

use std::collections::HashSet;

use crate::text::redact::{Form, Hit, Redactor, Rewritten, Values};

/// Characters of a word, and of a piece at which a message breaks off, that give away what they are taken from.
const TELLING_WORD: usize = 4;
const TELLING_PIECE: usize = 3;
/// Bytes of a text that are looked at before and behind a place where it breaks off.
const WINDOW: usize = 512;
/// Where a text breaks off.
const CUTS: [&str; 2] = ["…", "..."];

/// What was found in a case, to be found again in what is said of it.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Words of what patterns found, in lower case.
    words: HashSet<String>,
    /// All that goes, in lower case, each under its name.
    texts: Vec<(usize, String)>,
}

impl Said {
    pub fn new<'t>(found: impl Iterator<Item = (usize, &'t str)>, all: impl Iterator<Item = (usize, &'t str)>) -> Self {
        let words = found.flat_map(|(_, text)| words(text).map(|(_, word)| word)).collect();
        let mut texts: Vec<(usize, String)> = all.map(|(name, text)| (name, text.trim().to_lowercase())).collect();
        texts.sort_unstable();
        texts.dedup();
        Self { words, texts }
    }

    /// What is said, without what must not leave; `None` where too much of it is left in pieces.
    pub fn text(&self, redactor: &Redactor, values: Option<&Values>, text: &str) -> Option<String> {
        let hits = redactor.hits_and(text, values, self.cut(text));
        let is_left = |from: usize, to: usize| {
            !self.words.is_empty()
                && text.get(from..to).is_some_and(|rest| words(rest).any(|(_, word)| self.words.contains(&word)))
        };
        let mut at = 0;
        for hit in &hits {
            if is_left(at, hit.start) {
                return None;
            }
            at = hit.end;
        }
        if is_left(at, text.len()) {
            return None;
        }
        Some(Rewritten::new(redactor, text, hits, Form::Running).written())
    }

    /// The pieces of what must not leave at which a text breaks off: the beginning of it before `…`, the end of it behind.
    fn cut(&self, text: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        if self.texts.is_empty() {
            return hits;
        }
        for sign in CUTS {
            for (at, _) in text.match_indices(sign) {
                // `[…]` stands between two pieces.
                let behind = at + sign.len();
                let is_bracketed = text[..at].ends_with('[') && text[behind..].starts_with(']');
                let (at, behind) = match is_bracketed {
                    true => (text[..at - 1].trim_end().len(), text.len() - text[behind + 1..].trim_start().len()),
                    false => (at, behind),
                };
                for (name, gone) in &self.texts {
                    hits.extend(ends_in(&text[..at], gone).map(|start| Hit { start, end: at, name: *name }));
                    let begins = begins_with_end(&text[behind..], gone);
                    hits.extend(begins.map(|length| Hit { start: behind, end: behind + length, name: *name }));
                }
            }
        }
        hits
    }
}

/// Where the longest beginning of `gone` starts at which `text` ends.
fn ends_in(text: &str, gone: &str) -> Option<usize> {
    let first = gone.chars().next()?;
    let mut from = text.len().saturating_sub(WINDOW);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let tail = &text[from..];
    let starts = tail.char_indices().filter(|(_, c)| c.to_lowercase().eq(first.to_lowercase()));
    let is_beginning = |rest: &str| {
        let rest = rest.to_lowercase();
        rest.chars().count() >= TELLING_PIECE && gone.starts_with(&rest)
    };
    starts.map(|(at, _)| at).find(|at| is_beginning(&tail[*at..])).map(|at| from + at)
}

/// How long the longest end of `gone` is with which `text` begins.
fn begins_with_end(text: &str, gone: &str) -> Option<usize> {
    let last = gone.chars().next_back()?;
    let mut to = text.len().min(WINDOW);
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    let head = &text[..to];
    let ends = head.char_indices().rev().filter(|(_, c)| c.to_lowercase().eq(last.to_lowercase()));
    let is_end = |start: &str| {
        let start = start.to_lowercase();
        start.chars().count() >= TELLING_PIECE && gone.ends_with(&start)
    };
    ends.map(|(at, c)| at + c.len_utf8()).find(|end| is_end(&head[..*end]))
}

/// The words of a text that tell something, in lower case, with where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut at = 0;
    text.split(|c: char| !c.is_alphanumeric()).filter_map(move |word| {
        let start = at;
        at += word.len() + 1;
        (word.chars().count() >= TELLING_WORD).then(|| (start, word.to_lowercase()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::redact::{Pattern, Shipped};

    fn said(text: &str) -> Option<String> {
        let redactor = Redactor::new(vec![("email".to_owned(), Pattern::Shipped(Shipped::Email))], []);
        let found = || [(0, "front.desk@hotel.example")].into_iter();
        Said::new(found(), found()).text(&redactor, None, text)
    }

    #[test]
    fn what_is_left_whole_is_taken_out() {
        assert_eq!(
            said("asks front.desk@hotel.example for 3 of “them”").as_deref(),
            Some("asks [redacted:email] for 3 of “them”")
        );
        assert_eq!(said("nothing of it").as_deref(), Some("nothing of it"));
    }

    #[test]
    fn what_is_cut_goes_where_it_breaks_off() {
        assert_eq!(said("asks “x front.d…”").as_deref(), Some("asks “x [redacted:email]…”"));
        assert_eq!(said("asks “Fro…”").as_deref(), Some("asks “[redacted:email]…”"));
        assert_eq!(said("asks “x front.d […] y”").as_deref(), Some("asks “x [redacted:email] […] y”"));
        assert_eq!(said("asks “x […] l.example y”").as_deref(), Some("asks “x […] [redacted:email] y”"));
        assert_eq!(said("asks “…l.example y”").as_deref(), Some("asks “…[redacted:email] y”"));
    }

    #[test]
    fn a_word_of_it_silences_the_message() {
        assert_eq!(said("no unit has “hotel”"), None);
        assert_eq!(said("no unit has “FRONT”"), None);
    }
}
