//! What makes a text look other than it reads: signs that nobody sees, look-alike letters, markup inside of words.
//!
//! A check that finds words must not vouch for a text whose words are not the ones that people see.

use unicode_normalization::char::is_combining_mark;

use super::normal::is_dash;
use super::word::digit_value;

/// Whether the text may show other words or numbers than its characters spell: direction overrides, invisible characters and
/// markup inside of words and numbers, letters of two scripts in one word, struck-out or commented-out text, a minus that could
/// be a dash, numbers in circles. Linear in the length of the text.
pub fn is_disguised(text: &str) -> bool {
    const STRUCK: [&str; 9] = ["<!--", "~~", "&#", "&shy;", "&zw", "<del", "<s>", "<strike", "<sup"];
    (text.contains(['<', '~', '&']) && STRUCK.iter().any(|sign| text.contains(sign)))
        || has_markup_in_a_word(text)
        || (!text.is_ascii()
            && (has_hidden_signs(text)
                || mixes_scripts(text)
                || has_open_minus(text)
                || text.contains(is_drawn_number)))
}

/// Numbers drawn in a circle, in brackets or with a full stop: `㉛`, `⑴`, `🄂`. No check reads a value in them.
fn is_drawn_number(c: char) -> bool {
    matches!(c, '\u{2460}'..='\u{249b}' | '\u{24ea}'..='\u{24ff}' | '\u{2776}'..='\u{2793}' | '\u{3220}'..='\u{3229}'
        | '\u{3248}'..='\u{324f}' | '\u{3251}'..='\u{325f}' | '\u{3280}'..='\u{3289}' | '\u{32b1}'..='\u{32bf}'
        | '\u{1f100}'..='\u{1f10c}')
}

/// Direction overrides anywhere; invisible characters between two letters or digits; marks set over digits.
fn has_hidden_signs(text: &str) -> bool {
    let mut last = ' ';
    let mut hidden = None;
    for c in text.chars() {
        if matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') {
            return true;
        }
        if is_ignorable(c) {
            hidden = Some(c);
            continue;
        }
        let digits = is_digit(last) || is_digit(c);
        if let Some(sign) = hidden.take()
            && last.is_alphanumeric()
            && c.is_alphanumeric()
        {
            // A soft hyphen only breaks words; joiners belong to some scripts.
            let harmless = sign == '\u{ad}' || (matches!(sign, '\u{200c}' | '\u{200d}') && !last.is_ascii());
            if digits || !harmless {
                return true;
            }
        }
        if is_combining_mark(c) && is_digit(last) {
            return true;
        }
        last = c;
    }
    false
}

fn is_digit(c: char) -> bool {
    digit_value(c).is_some()
}

/// Characters that show nothing (Unicode: default ignorable).
pub(crate) fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Latin letters beside Cyrillic or Greek ones in one word. The signs of micro and ohm stand before and behind Latin letters rightly.
fn mixes_scripts(text: &str) -> bool {
    let (mut latin, mut other) = (false, false);
    for c in text.chars() {
        if !c.is_alphabetic() {
            (latin, other) = (false, false);
            continue;
        }
        latin |= matches!(c, 'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{24f}');
        other |= matches!(c, '\u{370}'..='\u{52f}') && !matches!(c, 'μ' | 'Ω');
        if latin && other {
            return true;
        }
    }
    false
}

/// A long dash joined to a number alone: `—5.5` may be a minus.
fn has_open_minus(text: &str) -> bool {
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        let long = is_dash(c) && matches!(c, '\u{2014}' | '\u{2015}' | '\u{fe58}');
        if long && before.is_whitespace() && chars.peek().copied().is_some_and(is_digit) {
            return true;
        }
        before = c;
    }
    false
}

/// Tags, asterisks and the like between two letters or digits: `no</b>t`, `**9**0`.
fn has_markup_in_a_word(text: &str) -> bool {
    const LONGEST_TAG: usize = 80;
    if !text.contains(['<', '*']) {
        return false;
    }
    let mut in_word = false;
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let mut next = at;
        loop {
            let rest = text.get(next..).unwrap_or_default();
            let window = rest.bytes().take(LONGEST_TAG);
            next += match rest.chars().next() {
                Some('*') => 1,
                Some('<') => match window.clone().position(|b| b == b'>').filter(|end| *end > 1) {
                    Some(end) => end + 1,
                    None => break,
                },
                _ => break,
            };
        }
        if next > at {
            let goes_on = text.get(next..).and_then(|rest| rest.chars().next()).is_some_and(char::is_alphanumeric);
            if in_word && goes_on {
                return true;
            }
            (in_word, at) = (false, next);
            continue;
        }
        in_word = c.is_alphanumeric();
        at += c.len_utf8();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reads_otherwise_than_it_looks() {
        for text in [
            "kept for 1\u{200b}90 days",
            "kept for ㉛ days",
            "kept for 9\u{ad}0 days",
            "kept for \u{202e}09\u{202c} days",
            "does n\u{200b}ot keep",
            "does nоt keep",
            "kept for 9\u{336}0\u{336} days",
            "kept for ~~90~~ 30 days",
            "kept <!-- 90 --> 30 days",
            "does <b>no</b>t keep",
            "kept **9**0 days",
            "9&#48; days",
            "at night —5.5 °C",
            "1\u{e0030}90 days",
        ] {
            assert!(is_disguised(text), "{text:?}");
        }
    }

    #[test]
    fn plain_text_of_many_kinds() {
        for text in [
            "Audit logs are kept for **90 days** <b>on every plan</b>.",
            "re\u{ad}tained",
            "5 μm at 3 kΩ, α-tocopherol",
            "می\u{200c}خواهم",
            "a < b and c > d",
            "10 – 20, −5 °C — always",
            "R&D, AT&T, 👩\u{200d}🔬",
            "Журнал хранится 90 дней",
        ] {
            assert!(!is_disguised(text), "{text:?}");
        }
    }

    #[test]
    fn long_runs_take_linear_time() {
        for unit in ["<", "*", "<a", "*<", "a*", "<>"] {
            let _ = is_disguised(&unit.repeat(200_000));
        }
    }
}
