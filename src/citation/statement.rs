//! Cuts an answer into statements and finds which markers belong to each (SPEC 5.2).

use std::borrow::Cow;
use std::ops::Range;

use super::claim::{Attach, ClaimPolicy, Split, Words, any, class};
use super::code::code_spans;
use super::{ClaimClass, Marker};
use crate::text::Span;
use crate::text::sentence::{BlockKind, Sentence, sentences};

/// One statement of the answer, with the markers that belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement<'c> {
    /// Byte span in the answer, markers after the full stop left out.
    pub(super) span: Range<usize>,
    /// Its text without markers.
    pub(super) text: Cow<'c, str>,
    /// Indexes of its markers.
    pub(super) markers: Vec<u32>,
    /// What sort of statement it is.
    pub(super) class: ClaimClass,
}

/// Cuts an answer into statements, in order. Headings and table heads are statements only where a marker belongs to
/// them; code is none.
pub(super) fn statements<'c>(
    answer: &'c str,
    markers: &[Marker<'c>],
    policy: &ClaimPolicy,
    words: Words<'_>,
) -> Vec<Statement<'c>> {
    let code = code_spans(answer);
    let masks = masks(markers, &code);
    let found = sentences(answer, words.lexicon, &masks);
    let attached = attach(answer, &found, markers, policy.attach);
    let entries = reference_entries(answer, &found, policy, words.language);
    let mut out: Vec<Statement<'c>> = Vec::new();
    for (index, (sentence, attached)) in found.iter().zip(attached).enumerate() {
        if sentence.kind == BlockKind::Code {
            continue;
        }
        let is_title = sentence.kind == BlockKind::Heading || is_table_head(answer, &found, index);
        let is_entry = entries.get(index).copied().unwrap_or_default();
        if is_title && attached.is_empty() && !is_entry {
            continue;
        }
        let parts = match is_entry {
            true => lines(answer, sentence, &attached, markers),
            false => parts(answer, sentence, &attached, markers, policy.split),
        };
        for (span, markers_here) in parts {
            let text = without_markers(answer, &span, markers);
            let names_the_source = || {
                is_label(&text, policy, words) && out.last().is_some_and(|last| same_line(answer, &last.span, &span))
            };
            if (!has_words(&text) && !is_entry) || (!markers_here.is_empty() && names_the_source()) {
                if let Some(last) = out.last_mut() {
                    let known = last.markers.last().copied();
                    last.markers
                        .extend(markers_here.into_iter().filter(|&marker| known.is_none_or(|known| marker > known)));
                }
                continue;
            }
            let class = match (is_entry, is_title) {
                (true, _) => ClaimClass::ReferenceEntry,
                (false, true) => ClaimClass::NotVerifiable,
                (false, false) => class(&text, !markers_here.is_empty(), policy, words),
            };
            out.push(Statement { span, text, markers: markers_here, class });
        }
    }
    out
}

/// Whether a text is nothing but the label of a source, such as "Reference:".
fn is_label(text: &str, policy: &ClaimPolicy, words: Words<'_>) -> bool {
    const FEW: usize = 2;
    text.split_whitespace().count() <= FEW && any(&policy.reference_lists, text, words.language)
}

/// Whether a stretch goes on in the line in which another ends.
fn same_line(answer: &str, before: &Range<usize>, after: &Range<usize>) -> bool {
    answer.get(before.end..after.start).is_some_and(|between| !between.contains('\n'))
}

/// What the sentence splitter must read over: markers and code spans.
fn masks(markers: &[Marker<'_>], code: &[Range<usize>]) -> Vec<Span> {
    // A fenced block is a block of its own; only code inside a line is masked.
    let inline = code.iter().cloned().map(Span::from);
    let mut masks: Vec<Span> = markers.iter().map(|marker| Span::from(marker.span.clone())).chain(inline).collect();
    masks.sort_unstable();
    masks
}

/// The markers of each sentence.
fn attach(answer: &str, sentences: &[Sentence], markers: &[Marker<'_>], how: Attach) -> Vec<Vec<u32>> {
    let mut attached: Vec<Vec<u32>> = vec![Vec::new(); sentences.len()];
    for (number, marker) in (0u32..).zip(markers) {
        let after = sentences.partition_point(|sentence| sentence.span.start <= marker.span.start);
        if let Some(own) = after.checked_sub(1).and_then(|index| attached.get_mut(index)) {
            own.push(number);
        } else if let Some(first) = attached.first_mut() {
            first.push(number);
        }
    }
    if how == Attach::Paragraph {
        spread(answer, sentences, markers, &mut attached);
    }
    attached
}

/// Gives the markers at a paragraph's end to every sentence of the paragraph since the previous marker.
fn spread(answer: &str, sentences: &[Sentence], markers: &[Marker<'_>], attached: &mut [Vec<u32>]) {
    for last in 0..sentences.len() {
        let (Some(sentence), Some(own)) = (sentences.get(last), attached.get(last).cloned()) else { continue };
        if sentences.get(last + 1).is_some_and(|next| next.block == sentence.block) {
            continue;
        }
        let at_end = at_the_end(answer, sentence.span.end, &own, markers);
        for earlier in (0..last).rev() {
            let same_block = sentences.get(earlier).is_some_and(|earlier| earlier.block == sentence.block);
            match attached.get_mut(earlier) {
                Some(uncited) if same_block && uncited.is_empty() => uncited.clone_from(&at_end),
                _ => break,
            }
        }
    }
}

/// Those of a sentence's markers behind which it has no word any more.
fn at_the_end(answer: &str, mut end: usize, own: &[u32], markers: &[Marker<'_>]) -> Vec<u32> {
    let mut found = Vec::new();
    for &number in own.iter().rev() {
        let Some(marker) = markers.get(number as usize) else { break };
        if answer.get(marker.span.end..end).is_some_and(has_words) {
            break;
        }
        found.push(number);
        end = end.min(marker.span.start);
    }
    found.reverse();
    found
}

/// Whether a stretch holds nothing but markers, spaces and punctuation.
fn only_markers(answer: &str, span: Range<usize>, markers: &[Marker<'_>]) -> bool {
    span.start >= span.end || !has_words(&without_markers(answer, &span, markers))
}

/// Which sentences are entries of a list of sources.
fn reference_entries(answer: &str, sentences: &[Sentence], policy: &ClaimPolicy, language: &str) -> Vec<bool> {
    let mut entries = Vec::with_capacity(sentences.len());
    let (mut in_list, mut is_entry) = (false, false);
    let mut before = None;
    for sentence in sentences {
        let gap = answer.get(before.unwrap_or_default()..sentence.span.start).unwrap_or_default();
        let line_start = gap.rfind('\n').map(|at| sentence.span.start - gap.len() + at + 1);
        // Sentences of one line are judged together, by the line.
        if let Some(start) = line_start.or(before.is_none().then_some(0)) {
            let line = answer.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default().trim();
            let opens = any(&policy.reference_lists, line, language);
            let goes_on = in_list && sentence.kind != BlockKind::Heading && begins_like_an_entry(line);
            in_list = opens || goes_on;
            is_entry = in_list || any(&policy.reference_entries, line, language);
        }
        before = Some(sentence.span.end);
        entries.push(is_entry);
    }
    entries
}

/// Whether a line under "Sources:" still belongs to the list: a bullet, a numeral, a bracket or an address.
fn begins_like_an_entry(line: &str) -> bool {
    line.starts_with(['-', '*', '+', '•', '[', '【', '(', '<', '|', '^', '–'])
        || line.starts_with("http")
        || line.starts_with(|c: char| super::identity::ascii_digits(c.encode_utf8(&mut [0; 4])).is_some())
}

/// Whether a row of a table is its head: a drawn line stands between it and the next row.
fn is_table_head(answer: &str, sentences: &[Sentence], index: usize) -> bool {
    let Some(row) = sentences.get(index).filter(|row| row.kind == BlockKind::TableRow) else { return false };
    let next = sentences.get(index + 1).map_or(answer.len(), |next| next.span.start);
    answer.get(row.span.end..next).is_some_and(|between| between.contains("--"))
}

/// The lines of a list of sources, each with its markers: they are entries of their own though no full stop parts them.
fn lines(answer: &str, sentence: &Sentence, attached: &[u32], markers: &[Marker<'_>]) -> Vec<(Range<usize>, Vec<u32>)> {
    let mut lines: Vec<(Range<usize>, Vec<u32>)> = Vec::new();
    let mut start = sentence.span.start;
    for line in answer.get(sentence.span.range()).unwrap_or_default().split_inclusive('\n') {
        let shown = line.trim_end();
        let indent = shown.len() - shown.trim_start().len();
        if indent < shown.len() {
            lines.push((start + indent..start + shown.len(), Vec::new()));
        }
        start += line.len();
    }
    for &number in attached {
        let Some(marker) = markers.get(number as usize) else { continue };
        let after = lines.partition_point(|(line, _)| line.start <= marker.span.start).max(1);
        if let Some((_, own)) = lines.get_mut(after - 1) {
            own.push(number);
        }
    }
    lines
}

/// The parts of a sentence, each with its markers: the sentence as a whole, or cut after its markers.
fn parts(
    answer: &str,
    sentence: &Sentence,
    attached: &[u32],
    markers: &[Marker<'_>],
    split: Split,
) -> Vec<(Range<usize>, Vec<u32>)> {
    let whole = vec![(sentence.span.range(), attached.to_vec())];
    if split == Split::Sentence {
        return whole;
    }
    let mut parts: Vec<(Range<usize>, Vec<u32>)> = Vec::new();
    let mut start = sentence.span.start;
    let mut here: Vec<u32> = Vec::new();
    for &number in attached {
        let Some(marker) = markers.get(number as usize) else { continue };
        let inside = marker.span.start >= sentence.span.start && marker.span.end <= sentence.span.end;
        let follows = here.last().and_then(|&last| markers.get(last as usize)).map(|last| last.span.end);
        if let Some(end) = follows
            && inside
            && !only_markers(answer, end..marker.span.start, markers)
            && !only_markers(answer, start..end, markers)
        {
            parts.push((start..end, std::mem::take(&mut here)));
            start = past_separators(answer, end);
        }
        here.push(number);
    }
    let last = here.last().and_then(|&last| markers.get(last as usize)).map_or(start, |marker| marker.span.end);
    if last < sentence.span.end
        && last > start
        && !only_markers(answer, last..sentence.span.end, markers)
        && !only_markers(answer, start..last, markers)
    {
        parts.push((start..last, std::mem::take(&mut here)));
        start = past_separators(answer, last);
    }
    if parts.is_empty() {
        return whole;
    }
    parts.push((start..sentence.span.end, here));
    parts
}

/// Past the spaces and commas at `at`.
fn past_separators(answer: &str, at: usize) -> usize {
    let rest = answer.get(at..).unwrap_or_default();
    at + (rest.len() - rest.trim_start_matches([',', ';', ':', ' ', '、', '，']).len())
}

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
            // A marker between two words leaves a space, so that they stay two.
            pieces.push(' ');
        }
        at = marker.span.end.max(at);
        removed = true;
    }
    pieces.push_str(answer.get(at..span.end.max(at)).unwrap_or_default());
    let tidy = tidy(&pieces, removed);
    if tidy == whole { Cow::Borrowed(whole) } else { Cow::Owned(tidy) }
}

/// One space between words and no bold type; where markers were `removed`, no space before closing punctuation, no empty
/// brackets, and no punctuation at the beginning.
fn tidy(text: &str, removed: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let is_marked_up = text.bytes().any(|byte| matches!(byte, b'<' | b'*'));
    let plain =
        if is_marked_up { Cow::Owned(text.replace("</cite>", "").replace("**", "")) } else { Cow::Borrowed(text) };
    for word in plain.split_whitespace() {
        let closes =
            word.starts_with([',', '.', ';', ':', '!', '?', ')', ']', '。', '、', '，', '！', '？', '؟', '»', '”']);
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
    let bare = if out.bytes().any(|byte| matches!(byte, b'(' | b'[')) {
        out.replace(" ()", "").replace(" []", "").replace("()", "").replace("[]", "")
    } else {
        out
    };
    bare.trim_start_matches([',', ';', '.', ':', ' ', ')', ']']).trim_end().to_owned()
}

fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
