//! Cuts an answer into statements and finds which markers belong to each (SPEC 5.2).

use std::borrow::Cow;
use std::ops::Range;

use super::claim::{Attach, ClaimPolicy, Split, Words, any, class, class_with_facts};
use super::code_spans;
use super::plain::{has_words, only_markers, without_markers};
use super::{ClaimClass, Marker};
use crate::dataset::Unit;
use crate::text::Span;
use crate::text::quotation::quotations;
use crate::text::sentence::{BlockKind, Sentence, sentences_keeping};

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
    /// Whether it stands in a list of sources or has the form of an entry.
    pub(super) is_entry: bool,
}

/// Cuts an answer into statements, in order. Headings and table heads are statements only where a marker belongs to
/// them; code is none. What is stated in an unusual form counts by its form here: see [`judge_what_cites`].
pub(super) fn statements<'c>(
    answer: &'c str,
    markers: &[Marker<'c>],
    policy: &ClaimPolicy,
    words: Words<'_>,
) -> Vec<Statement<'c>> {
    let masks: Vec<Span> = markers.iter().map(|marker| Span::from(marker.span.clone())).collect();
    let found = sentences_keeping(answer, words.lexicon, &masks, &kept(answer));
    let attached = attach(answer, &found, markers, policy.attach);
    let entries = reference_entries(answer, &found, policy, words.language);
    let mut out: Vec<Statement<'c>> = Vec::new();
    let mut untitled: Option<(usize, Range<usize>)> = None;
    for (index, (sentence, attached)) in found.iter().zip(attached).enumerate() {
        if sentence.kind == BlockKind::Code {
            continue;
        }
        let is_title = sentence.kind == BlockKind::Heading || is_table_head(answer, &found, index);
        let entry = entries.get(index).copied().unwrap_or(Entry::None);
        let is_entry = entry != Entry::None;
        if is_title && attached.is_empty() && !is_entry {
            untitled = Some((out.len(), sentence.span.range()));
            continue;
        }
        let parts = match is_entry {
            true => lines(answer, sentence, &attached, markers),
            false => parts(answer, sentence, &attached, markers, policy.split),
        };
        for (span, markers_here) in parts {
            let text = without_markers(answer, &span, markers);
            let follows = out.last().is_some_and(|last| same_line(answer, &last.span, &span));
            let names_the_source = || is_label(&text, policy, words) || points_elsewhere(answer, &span, &text, markers);
            // A heading whose marker stands alone in the line below.
            if let Some((_, title)) =
                untitled.take_if(|(at, _)| !has_words(&text) && !markers_here.is_empty() && *at == out.len())
            {
                let text = without_markers(answer, &title, markers);
                let class = ClaimClass::NotVerifiable;
                out.push(Statement { span: title, text, markers: markers_here, class, is_entry: false });
                continue;
            }
            if (!has_words(&text) && !is_entry) || (!markers_here.is_empty() && follows && names_the_source()) {
                if let Some(last) = out.last_mut() {
                    let known = last.markers.last().copied();
                    last.markers
                        .extend(markers_here.into_iter().filter(|&marker| known.is_none_or(|known| marker > known)));
                }
                continue;
            }
            // "Logs are kept for 30 days.\n\nSource: [1]": it cites for the paragraph above.
            if is_entry && !markers_here.is_empty() && is_label(&text, policy, words) {
                cite_above(answer, &mut out, &markers_here);
            }
            if entry == Entry::InLine
                && let Some(last) = out.last_mut().filter(|last| last.class != ClaimClass::ReferenceEntry)
            {
                last.markers.extend(&markers_here);
            }
            let class = match (is_entry, is_title) {
                (true, _) => ClaimClass::ReferenceEntry,
                (false, true) => ClaimClass::NotVerifiable,
                (false, false) => class(&text, !markers_here.is_empty(), policy, words),
            };
            out.push(Statement { span, text, markers: markers_here, class, is_entry });
        }
    }
    out
}

/// Gives markers to the statements of the last paragraph, where none of them cites by itself.
fn cite_above(answer: &str, statements: &mut [Statement<'_>], markers: &[u32]) {
    let mut from = statements.len();
    while let Some(statement) = from.checked_sub(1).and_then(|at| statements.get(at)) {
        let below = statements.get(from).map_or(statement.span.end, |below| below.span.start);
        if answer.get(statement.span.end..below).is_some_and(|gap| gap.contains("\n\n")) {
            break;
        }
        if statement.is_entry || !statement.markers.is_empty() {
            return;
        }
        from -= 1;
    }
    statements.iter_mut().skip(from).for_each(|statement| statement.markers.extend(markers));
}

/// Judges what cites by what it states: a question, heading, refusal or line of sources with a marker of its own and a fact is a statement like
/// any other. A marker that was spread over a block belongs to sentences before its own.
pub(super) fn judge_what_cites(
    statements: &mut [Statement<'_>],
    markers: &[Marker<'_>],
    (units, query): (&[Unit<'_>], Option<&str>),
    policy: &ClaimPolicy,
    words: Words<'_>,
) {
    let mut reach = usize::MAX;
    for statement in statements.iter_mut().rev() {
        let own = || statement.markers.iter().filter_map(|&number| markers.get(number as usize));
        if statement.class != ClaimClass::Verifiable && own().any(|marker| marker.span.start < reach) {
            let cited = own().flat_map(|marker| &marker.references);
            let cited = cited.filter_map(|reference| units.get(reference.resolution.unit()?)).collect::<Vec<_>>();
            statement.class = class_with_facts(&statement.text, statement.class, (&cited, query), policy, words);
        }
        reach = statement.span.start;
    }
}

/// Whether a text is nothing but the label of a source, such as "Reference:".
fn is_label(text: &str, policy: &ClaimPolicy, words: Words<'_>) -> bool {
    const FEW: usize = 2;
    text.split_whitespace().count() <= FEW && any(&policy.reference_lists, text, words.language)
}

/// Whether a sentence is nothing but a pointer in brackets, such as "(see [2])" or "[Contexts: [1],".
fn points_elsewhere(answer: &str, span: &Range<usize>, text: &str, markers: &[Marker<'_>]) -> bool {
    const FEW: usize = 2;
    let leads = markers.binary_search_by_key(&span.start, |marker| marker.span.start).is_ok();
    !leads
        && answer.get(span.clone()).is_some_and(|written| written.starts_with(['(', '[', '（']))
        && text.split_whitespace().count() <= FEW
        && !text.chars().any(|c| c.is_numeric() || matches!(c, '"' | '“' | '«'))
}

/// Whether a stretch goes on in the line in which another ends.
fn same_line(answer: &str, before: &Range<usize>, after: &Range<usize>) -> bool {
    answer.get(before.end..after.start).is_some_and(|between| !between.contains('\n'))
}

/// Stretches inside of which no sentence ends: code in a line, and quotations up to their closing signs.
fn kept(answer: &str) -> Vec<Span> {
    // A longer quotation is a passage of its own, and its marks may well have been paired by mistake.
    const LONGEST: usize = 1000;
    // A fenced block is a block of its own.
    let code = code_spans(answer).into_iter().map(Span::from);
    let quoted =
        quotations(answer, 2).into_iter().filter(|quotation| quotation.span.len() <= LONGEST).map(|quotation| {
            let inner = quotation.inner.of(answer);
            let bare = inner.trim_end_matches(['.', '!', '?', '…', '。', '！', '？', '।', '؟', '۔']);
            let end = if bare.len() < inner.len() { quotation.inner.start + bare.len() } else { quotation.span.end };
            Span::new(quotation.span.start, end)
        });
    code.chain(quoted).collect()
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

/// Which sentences are entries of a list of sources, and whether they stand in the line of a statement before.
fn reference_entries(answer: &str, sentences: &[Sentence], policy: &ClaimPolicy, language: &str) -> Vec<Entry> {
    let mut entries = Vec::with_capacity(sentences.len());
    let (mut in_list, mut is_entry, mut in_line) = (false, false, false);
    let mut before = None;
    for sentence in sentences {
        let gap = answer.get(before.unwrap_or_default()..sentence.span.start).unwrap_or_default();
        let line_start = gap.rfind('\n').map(|at| sentence.span.start - gap.len() + at + 1);
        let opens = |text: &str| any(&policy.reference_lists, text, language);
        // Sentences of one line are judged together, by the line.
        if let Some(start) = line_start.or(before.is_none().then_some(0)) {
            let line = answer.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default().trim();
            let goes_on = in_list && sentence.kind != BlockKind::Heading && begins_like_an_entry(line);
            in_list = opens(line) || goes_on;
            is_entry = in_list || any(&policy.reference_entries, line, language);
            in_line = false;
        }
        before = Some(sentence.span.end);
        // "… 30 days. Source: Retention Policy [1]. It is free.", or a list of works to the end of the line: "Reference: [2] …"
        let written = answer.get(sentence.span.range()).unwrap_or_default();
        let names = !is_entry && !in_line && opens(written);
        in_line |= names && written.split_once([':', '：']).is_some_and(|(_, rest)| is_marked_work(rest));
        entries.push(match is_entry || in_line {
            true => Entry::OfList,
            false if names => Entry::InLine,
            false => Entry::None,
        });
    }
    entries
}

/// Whether a text is a work with its marker before it: "[2] A. Weir, Export Guide".
fn is_marked_work(text: &str) -> bool {
    let marker = text.trim_start().strip_prefix(['[', '【']);
    marker.and_then(|rest| rest.split_once([']', '】'])).is_some_and(|(_, work)| has_words(work))
}

/// How a sentence names sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    /// It does not.
    None,
    /// It is an entry of a list.
    OfList,
    /// It follows a statement in the same line, whose source it names.
    InLine,
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
