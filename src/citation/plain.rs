//! The text of an answer as it reads without its markers.

use std::borrow::Cow;
use std::ops::Range;

use super::Marker;

/// The text of `span` without markers, closing `</cite>` tags and bold type, with tidy spacing.
pub(super) fn without_markers<'c>(answer: &'c str, span: &Range<usize>, markers: &[Marker<'_>]) -> Cow<'c, str> {
    let whole = answer.get(span.clone()).unwrap_or_default();
    let from = markers.partition_point(|marker| marker.span.end <= span.start);
    let inside = markers.get(from..).unwrap_or_default().iter().take_while(|marker| marker.span.start < span.end);
    let mut pieces = String::with_capacity(whole.len());
    let mut at = span.start;
    let mut removed = false;
    for marker in inside {
        let piece = answer.get(at..marker.span.start.max(at)).unwrap_or_default();
        // What parts two markers goes with them.
        if !removed || !piece.chars().all(|c| c.is_whitespace() || matches!(c, ',' | ';' | '&' | '、' | '，')) {
            pieces.push_str(piece);
        }
        at = marker.span.end.max(at);
        removed = true;
        match answer.get(at..span.end).and_then(|rest| rest.chars().next()) {
            // "30 days [1]; then": the sign behind the marker joins the word before it.
            Some(sign) if closes(sign) => {
                pieces.truncate(pieces.trim_end().len());
                at += if sign == '.' && pieces.ends_with('.') { 1 } else { 0 };
            }
            // A marker between two words leaves a space, so that they stay two.
            _ => pieces.push(' '),
        }
    }
    pieces.push_str(answer.get(at..span.end.max(at)).unwrap_or_default());
    let tidy = tidy(&pieces, removed);
    if tidy == whole { Cow::Borrowed(whole) } else { Cow::Owned(tidy) }
}

/// Signs that stand right behind a word.
const fn closes(sign: char) -> bool {
    matches!(sign, ',' | '.' | ';' | ':' | '!' | '?' | ')' | ']' | '…')
        || matches!(sign, '。' | '、' | '，' | '；' | '：' | '！' | '？' | '）' | '؟' | '۔' | '।' | '»' | '”')
}

/// One space between words, no bold type, no signs of quotation and line breaks of HTML; where markers were `removed`, no
/// space before closing punctuation, no empty brackets, and no punctuation at the beginning.
fn tidy(text: &str, removed: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for word in plain(text).split_whitespace() {
        let mut signs = word.chars();
        let first = signs.next().unwrap_or(' ');
        // ".hack", ".5": a word of its own.
        let closes = closes(first) && !(first == '.' && signs.next().is_some_and(char::is_alphanumeric));
        let stands_alone = matches!(word, ":" | ";" | "!" | "?" | "»");
        let joins = removed && (out.ends_with(['(', '[']) || (closes && !stands_alone));
        if !out.is_empty() && !joins {
            out.push(' ');
        }
        out.push_str(word);
    }
    if !removed {
        return out;
    }
    let bare = if out.bytes().any(|byte| matches!(byte, b'(' | b'[' | b'<')) {
        const EMPTY: [&str; 5] = ["()", "[]", "<sup></sup>", "<sup> </sup>", "<sub></sub>"];
        EMPTY.into_iter().fold(out, |text, empty| text.replace(&format!(" {empty}"), "").replace(empty, ""))
    } else {
        out
    };
    bare.trim_start_matches([',', ';', '.', ':', ' ', ')', ']']).trim_end().to_owned()
}

/// Without what only marks text up.
fn plain(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    let marks = [("</cite>", ""), ("**", ""), ("<br>", " "), ("<br/>", " "), ("<br />", " "), ("\n>", "\n")];
    for (mark, instead) in marks {
        if text.contains(mark) {
            text = Cow::Owned(text.replace(mark, instead));
        }
    }
    text
}

/// Whether a stretch holds nothing but markers, spaces and punctuation.
pub(super) fn only_markers(answer: &str, span: Range<usize>, markers: &[Marker<'_>]) -> bool {
    span.start >= span.end || !has_words(&without_markers(answer, &span, markers))
}

/// Whether a text says anything.
pub(super) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
