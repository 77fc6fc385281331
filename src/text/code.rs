//! Code in Markdown: fenced blocks and code spans, where nothing cites.

use std::collections::HashMap;
use std::ops::Range;

/// Byte spans of the fenced blocks and code spans of `text`, in order, never overlapping. Fences and spans are those
/// of CommonMark; a fence that is never closed reaches to the end, a backtick that is never closed is text.
#[must_use]
pub fn code_spans(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut fence: Option<(usize, &str)> = None;
    let mut block = 0..0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        match fence {
            Some((start, opened)) => {
                if closes(line, opened) {
                    found.push(start..end);
                    fence = None;
                }
                block = end..end;
            }
            None => match opening(line) {
                Some(ticks) => {
                    inline(text, block.clone(), &mut found);
                    fence = Some((at, ticks));
                }
                None if line.trim().is_empty() => {
                    inline(text, block.clone(), &mut found);
                    block = end..end;
                }
                None => block.end = end,
            },
        }
        at = end;
    }
    match fence {
        Some((start, _)) => found.push(start..text.len()),
        None => inline(text, block, &mut found),
    }
    found
}

/// The fence that a line opens.
fn opening(line: &str) -> Option<&str> {
    let inner = line.trim_start_matches(' ');
    let mark = inner.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let info = inner.trim_start_matches(mark);
    let length = inner.len() - info.len();
    let is_fence = line.len() - inner.len() <= 3 && length >= 3 && !(mark == '`' && info.contains('`'));
    is_fence.then(|| inner.get(..length)).flatten()
}

/// Whether a line closes the fence `opened`.
fn closes(line: &str, opened: &str) -> bool {
    let inner = line.trim();
    let indent = line.len() - line.trim_start_matches(' ').len();
    let mark = opened.chars().next().unwrap_or('`');
    indent <= 3 && inner.len() >= opened.len() && inner.chars().all(|c| c == mark)
}

/// Code spans of one block of text: a run of backticks up to the next run of the same length. Linear: the next run of
/// each length is looked up, not searched.
fn inline(text: &str, block: Range<usize>, found: &mut Vec<Range<usize>>) {
    let runs = backticks(text, block);
    let mut later: HashMap<usize, usize> = HashMap::new();
    let mut partner = vec![None; runs.len()];
    for (index, run) in runs.iter().enumerate().rev() {
        if let Some(partner) = partner.get_mut(index) {
            *partner = later.insert(run.len(), index);
        }
    }
    let mut index = 0;
    while let Some(run) = runs.get(index) {
        match partner.get(index).copied().flatten() {
            Some(close) => {
                found.push(run.start..runs.get(close).map_or(run.end, |run| run.end));
                index = close + 1;
            }
            None => index += 1,
        }
    }
}

fn backticks(text: &str, block: Range<usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let bytes = text.as_bytes().get(block.clone()).unwrap_or_default();
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'`') {
        let at = block.start + at;
        match runs.last_mut() {
            Some(run) if run.end == at => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Vec<&str> {
        code_spans(text).into_iter().map(|span| &text[span]).collect()
    }

    #[test]
    fn spans_close_at_a_run_of_the_same_length() {
        assert_eq!(code("use `a[0]` or ``b`[1]`` here"), ["`a[0]`", "``b`[1]``"]);
        assert_eq!(code("a lone ` is text [1]"), Vec::<&str>::new());
        assert_eq!(code("a lone `` then `x`"), ["`x`"]);
        assert_eq!(code("not `across\n\nparagraphs` [1]"), Vec::<&str>::new());
        assert_eq!(code("over `a\nline` yes"), ["`a\nline`"]);
    }

    #[test]
    fn fences_close_at_a_fence_as_long_or_reach_to_the_end() {
        assert_eq!(code("a\n```py\nx[0]\n```\nb `c`"), ["```py\nx[0]\n```\n", "`c`"]);
        assert_eq!(code("~~~\n```\n[1]\n~~~~\n[2]"), ["~~~\n```\n[1]\n~~~~\n"]);
        assert_eq!(code("````\n```\n````"), ["````\n```\n````"]);
        assert_eq!(code("text\n```\n[1]"), ["```\n[1]"]);
        assert_eq!(code("    ``` is text [1]"), Vec::<&str>::new());
        assert_eq!(code("``` `x` ```"), ["``` `x` ```"], "a backtick in the line: a code span, no fence");
    }

    #[test]
    fn a_million_runs_of_backticks_take_no_time() {
        let text: String = (1..1400).map(|length| "`".repeat(length) + " ").collect();
        assert_eq!(code_spans(&text), Vec::<Range<usize>>::new());
    }
}
