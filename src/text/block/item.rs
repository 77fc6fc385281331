//! How list items begin: bullets and numerals.

use crate::text::lexicon::Lexicon;
use crate::text::word::folded;

/// Past the white space at `prefix`; `None` where there is none and the line does not end there.
pub(super) fn past_space(line: &str, prefix: usize) -> Option<usize> {
    let rest = line.get(prefix..)?;
    let trimmed = rest.trim_start();
    (trimmed.len() < rest.len() || rest.is_empty()).then(|| line.len() - trimmed.len())
}

/// Past the bullet that a line begins with.
pub(super) fn bullet(line: &str) -> Option<usize> {
    let first = line.chars().next()?;
    // Japanese and Chinese write no space behind theirs.
    if matches!(first, '・' | '●' | '○' | '■' | '□' | '◆' | '▪' | '►' | '▶') {
        return Some(line.len() - line.get(first.len_utf8()..)?.trim_start().len());
    }
    let plain = matches!(first, '-' | '*' | '+' | '•' | '‣' | '◦' | '–' | '—' | '·' | '→' | '➔');
    let pictured = |c: char| matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f300}'..='\u{1faff}');
    let signs = match first {
        _ if plain => first.len_utf8(),
        _ if pictured(first) => {
            line.find(|c: char| !pictured(c) && !matches!(c, '\u{fe0f}' | '\u{200d}')).unwrap_or(line.len())
        }
        _ => return None,
    };
    past_space(line, signs)
}

/// Past the numeral that a line begins with: `1.`, `1)`, `(1)`, `2.3.`, `a)`, `(b)`, `iv.`, `1️⃣`, `一、`, `（1）`.
pub(super) fn numeral(line: &str, lexicon: &Lexicon) -> Option<usize> {
    let open = line.chars().next().filter(|c| matches!(c, '(' | '（')).map_or(0, char::len_utf8);
    let rest = line.get(open..)?;
    let counts = |c: char| c.is_ascii_digit() || matches!(c, '０'..='９' | '①'..='⑳');
    let digits = rest.find(|c: char| !counts(c)).unwrap_or(rest.len());
    let levels = rest.find(|c: char| !counts(c) && c != '.').unwrap_or(rest.len());
    let ideographs =
        rest.find(|c: char| !matches!(c, '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十'));
    let written = rest.get(..levels).unwrap_or_default().trim_end_matches('.');
    let length = if (1..=3).contains(&rest.get(..digits).map_or(0, |digits| digits.chars().count())) {
        let several = written.len() > digits && written.len() <= 8 && !written.contains("..");
        if several { written.len() } else { digits }
    } else if let Some(length) = ideographs.filter(|length| (1..=9).contains(length)) {
        length
    } else {
        letters(rest, open > 0)
    };
    let behind = rest.get(length..)?;
    if length == 0 {
        return None;
    }
    let sign = behind.chars().next()?;
    let end = open + length + sign.len_utf8();
    let closes = if open > 0 { matches!(sign, ')' | '）') } else { matches!(sign, '.' | ')') };
    if matches!(sign, '、' | '．' | '）') && (open == 0) != (sign == '）') {
        return Some(line.len() - line.get(end..)?.trim_start().len());
    }
    if behind.starts_with("\u{fe0f}\u{20e3}") {
        return past_space(line, open + length + "\u{fe0f}\u{20e3}".len());
    }
    if rest.starts_with(|c| matches!(c, '①'..='⑳')) {
        return Some(line.len() - behind.trim_start().len());
    }
    let skip = past_space(line, end).filter(|_| closes)?;
    // "1. Januar ist Feiertag" begins with a date.
    let next = line.get(skip..)?.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let is_date =
        sign == '.' && lexicon.language() != "en" && lexicon.calendar.months.contains_key(folded(next).as_ref());
    (!is_date).then_some(skip)
}

/// How long a letter or Roman numeral before a sign is: `a)`, `(A)`, `iv.`; a capital with a full stop is an initial.
fn letters(rest: &str, in_brackets: bool) -> usize {
    let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let word = rest.get(..length).unwrap_or_default();
    let behind = rest.as_bytes().get(length);
    let roman = length <= 4 && word.bytes().all(|b| matches!(b, b'i' | b'v' | b'x'));
    let single = length == 1 && (in_brackets || behind == Some(&b')'));
    if single || (length > 0 && roman) { length } else { 0 }
}
