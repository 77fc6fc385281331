//! Text of inputs made harmless, and suggestions.

use annotate_snippets::normalize_untrusted_str;

/// One line of text from an input, with control characters, terminal escapes and direction marks made visible.
pub fn harmless(text: &str) -> String {
    normalize_untrusted_str(&text.replace(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'], "␤"))
        .chars()
        .map(seen)
        .collect()
}

/// The character, or U+FFFD, of the same width, where it steers a terminal or hides.
pub(super) fn seen(c: char) -> char {
    if c.is_control() || is_hidden(c) { '\u{fffd}' } else { c }
}

/// Direction overrides and isolates, line and paragraph separators, zero-width characters that carry no meaning of a
/// script, and tag characters, with which instructions are smuggled into prompts.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{200b}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

/// A number with what it counts: `1 case`, `2 cases`.
#[must_use]
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Text of an input between quotation marks, cut where it is long, for use in a message.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("\"{}…\"", harmless(&text[..cut])),
        None => format!("\"{}\"", harmless(text)),
    }
}

/// The candidate that is most like `found`, if one is like it enough to be what was meant.
pub fn closest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['_', ' '], "-");
    let wanted = plain(found);
    // Very long input is never a misspelling, and the comparison is quadratic.
    if wanted.is_empty() || wanted.len() > 100 {
        return None;
    }
    candidates
        .into_iter()
        .map(|candidate| {
            let other = plain(candidate);
            let (wanted, other) = differing(&wanted, &other);
            let longest = wanted.chars().count().max(other.chars().count());
            (strsim::damerau_levenshtein(wanted, other), longest, candidate)
        })
        .filter(|(distance, longest, _)| *distance == 0 || *distance <= MOST_SLIPS && *distance * 3 <= *longest)
        .min_by_key(|(distance, _, candidate)| (*distance, *candidate))
        .map(|(_, _, candidate)| candidate)
}

/// Slips of the pen in one name, at most: what differs by more is another word.
const MOST_SLIPS: usize = 3;

/// What is left of two names in lower case without the words that both begin or end with: `_rate` makes nothing alike.
fn differing<'t>(mut one: &'t str, mut other: &'t str) -> (&'t str, &'t str) {
    while let (Some((first, rest)), Some((same, left))) = (one.split_once('-'), other.split_once('-'))
        && first == same
    {
        (one, other) = (rest, left);
    }
    while let (Some((rest, last)), Some((left, same))) = (one.rsplit_once('-'), other.rsplit_once('-'))
        && last == same
    {
        (one, other) = (rest, left);
    }
    (one, other)
}

/// A line of help: "did you mean …?" where a candidate is close, else the list of all candidates (up to twenty).
pub fn did_you_mean<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    match closest(found, candidates.iter().copied()) {
        Some(candidate) => Some(format!("did you mean `{candidate}`?")),
        None if candidates.is_empty() || candidates.len() > 20 => None,
        None => Some(format!("it can be {}", one_of(&candidates))),
    }
}

/// Words as a list for a sentence: "`a`, `b` or `c`".
pub fn one_of<S: AsRef<str>>(words: &[S]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_ref())).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}
