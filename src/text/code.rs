//! Code in Markdown: fenced blocks and code spans, where nothing cites. Prose in a fence is read as the text that it is.

use std::collections::HashMap;
use std::ops::Range;

/// Byte spans of the fenced blocks and code spans of `text`, in order, never overlapping. Fences and spans are those
/// of CommonMark; a fence that is never closed reaches to the end, a backtick that is never closed is text. A fence that
/// holds prose is none.
#[must_use]
pub fn code_spans(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut fence: Option<Fence<'_>> = None;
    let mut alone = None;
    let mut block = 0..0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        match fence {
            Some(open) if closes(line, open.mark) => {
                match open.is_prose {
                    true => inline(text, block.clone(), &mut found),
                    false => found.push(open.start..end),
                }
                fence = None;
                block = end..end;
            }
            Some(Fence { is_prose: false, .. }) => block = end..end,
            inside => match opening(line).filter(|_| inside.is_none()) {
                Some(mark) => {
                    inline(text, block.clone(), &mut found);
                    block = end..end;
                    let inside = end..end_of_fence(text, end, |line| closes(line, mark));
                    fence = Some(Fence { start: at, mark, is_prose: holds_prose(text, inside, &mut alone) });
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
        Some(Fence { start, is_prose: false, .. }) => found.push(start..text.len()),
        _ => inline(text, block, &mut found),
    }
    found
}

/// A fence that is open.
#[derive(Clone, Copy)]
struct Fence<'t> {
    start: usize,
    mark: &'t str,
    /// Whether what it holds is read as text.
    is_prose: bool,
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

/// Where the fence ends whose inside begins at `from`: before the line that closes it.
pub(super) fn end_of_fence(text: &str, from: usize, closes: impl Fn(&str) -> bool) -> usize {
    let inside = text.get(from..).unwrap_or_default();
    let mut lines = inside.split_inclusive('\n').scan(from, |at, line| {
        *at += line.len();
        Some((*at - line.len(), line))
    });
    lines.find(|(_, line)| closes(line)).map_or(text.len(), |(at, _)| at)
}

/// Whether the inside of a fence is prose in another type rather than code: a line of it cites as a sentence does, or it has a
/// sentence and the text says nothing outside of its fences, which `alone` keeps.
pub(super) fn holds_prose(text: &str, inside: Range<usize>, alone: &mut Option<bool>) -> bool {
    let lines = || text.get(inside.clone()).unwrap_or_default().lines().map(str::trim);
    lines().any(cites) || (lines().any(is_sentence) && *alone.get_or_insert_with(|| only_fences(text)))
}

/// "The fee is $7 [1].", "Fee: $7 [1]": a bracket with a digit ends the line, apart from what stands before it: words, or another figure.
/// `ports: [80]` and `rows[1]` are code.
fn cites(line: &str) -> bool {
    const WORDS: usize = 3;
    let line = line.trim_end_matches(['.', '!', '?', ',', '|', '*', '_', ' ', '。']);
    let Some(inside) = line.strip_suffix([']', '】']) else { return false };
    let Some((before, reference)) = inside.rsplit_once(['[', '【']) else { return false };
    // "[1][2]"
    let group = |text: &str| Some(text.trim_end().strip_suffix([']', '】'])?.rsplit_once(['[', '【'])?.0.len());
    let mut before = before;
    while let Some(length) = group(before) {
        before = before.get(..length).unwrap_or_default();
    }
    let is_apart = before.ends_with(|c: char| c.is_whitespace() || ".!?\"”。".contains(c));
    let figure = || before.split_whitespace().any(|token| token.contains(|c: char| c.is_ascii_digit()));
    let words = || before.split_whitespace().filter(|token| is_word(token)).count();
    let unspaced = || before.chars().filter(|c| super::word::is_unspaced(*c)).count() > WORDS;
    reference.contains(|c: char| c.is_numeric())
        && (is_apart || unspaced())
        && (figure() || words() >= WORDS || unspaced())
}

/// Four words and more, with the sign at its end that ends a sentence.
fn is_sentence(line: &str) -> bool {
    const WORDS: usize = 4;
    let is_ended = line.ends_with(['.', '!', '?', '。', '！', '？', '।', ':']);
    is_ended
        && (line.split_whitespace().filter(|token| is_word(token)).count() >= WORDS
            || line.chars().filter(|c| super::word::is_unspaced(*c)).count() > WORDS)
}

fn is_word(token: &str) -> bool {
    let bare = token.trim_matches(|c: char| c.is_ascii_punctuation());
    !bare.is_empty() && bare.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
}

/// Whether a text says nothing outside of its fences.
fn only_fences(text: &str) -> bool {
    let mut fence = None;
    text.lines().all(|line| {
        fence = match fence {
            Some(mark) if closes(line, mark) => None,
            Some(mark) => Some(mark),
            None => match opening(line) {
                Some(mark) => Some(mark),
                None => return !line.contains(char::is_alphanumeric),
            },
        };
        true
    })
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
    fn prose_in_a_fence_is_no_code() {
        for text in [
            "```\nThe fee is $7 per month [1].\n```",
            "Here it is:\n```text\nFee: $7 [1][2]\n```",
            "~~~\nExports stay 30 days. [ev_1]\n~~~",
            "```\nThe fee is seven dollars.\n```\n\n```\nIt is due at once every month.\n```",
            "```\n費用は月額七百円です[1]。\n```",
        ] {
            assert_eq!(code(text), Vec::<&str>::new(), "{text}");
        }
        for text in [
            "```\nports: [80]\nx = rows[1]\n```",
            "```\nfor x in [1, 2]:\n    pass\n```",
            "```sql\nSELECT name FROM users WHERE id = 5;\n```",
            "Run this:\n```\n# This prints the fee of the month.\nprint(fee)\n```",
        ] {
            assert_eq!(code(text).len(), 1, "{text}");
        }
        assert_eq!(code("```\nIt is `x[1]` and stays 30 days [1].\n```\n`y`"), ["`x[1]`", "`y`"]);
    }

    #[test]
    fn a_million_runs_of_backticks_take_no_time() {
        let text: String = (1..1400).map(|length| "`".repeat(length) + " ").collect();
        assert_eq!(code_spans(&text), Vec::<Range<usize>>::new());
        let text = "```\na b c d.\n```\n".repeat(50_000) + "a";
        assert_eq!(code_spans(&text).len(), 50_000);
    }
}
