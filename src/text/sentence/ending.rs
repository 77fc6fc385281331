//! Whether a sign ends the sentence: not behind abbreviations, initials, ordinals and numerals.

use super::{Splitter, is_full_width};
use crate::text::word::{folded, is_apostrophe, is_unspaced};

impl Splitter<'_> {
    /// Whether the sentence that began at `start` ends with the terminator `c` at `at` (all of them up to `stop`, closers up to `end`).
    pub(super) fn ends_here(&self, start: usize, at: usize, stop: usize, end: usize, c: char) -> bool {
        if is_full_width(c) {
            // 「はい。」と言った: the quotation is a part of the sentence.
            let goes_on = |c| matches!(c, 'と' | 'が' | 'は' | 'を' | 'の' | 'に' | 'で' | 'も' | 'や' | 'な' | 'っ');
            return end == stop || !self.char_at(end).is_some_and(goes_on);
        }
        let following = self.past_markers(end);
        let Some(next) = self.char_at(following) else { return true };
        let single = matches!(c, '.' | '．') && stop == at + c.len_utf8();
        // A full stop right behind a marker is no abbreviation's.
        let bare = self.text.get(start..at).map_or(at, |before| start + before.trim_end().len());
        let closes_a_marker = single && self.is_behind_a_marker(bare);
        if following == end {
            let runs_on =
                single && end == stop && (closes_a_marker && next.is_uppercase() || self.runs_on(at, following));
            // Thai has no full stops but those of abbreviations: "พ.ศ."
            let is_thai = ('\u{e00}'..='\u{eff}').contains(&next);
            return is_unspaced(next) && !(single && is_thai) || runs_on;
        }
        if closes_a_marker {
            return true;
        }
        let spaced = self.past_space(end);
        if next.is_lowercase() && spaced == following {
            return false;
        }
        if !single {
            return true;
        }
        let before = self.text.get(start..at).unwrap_or_default();
        !self.abbreviates(before, following)
    }

    /// A full stop that the next sentence follows without a space: "the end.Then it". `lower.Upper` inside of a longer name
    /// (`java.util.List`, `System.Text`) is none.
    fn runs_on(&self, at: usize, next: usize) -> bool {
        const LONGEST: usize = 64;
        let from = self.text.floor_char_boundary(at.saturating_sub(LONGEST));
        let before = self.text.get(from..at).unwrap_or_default();
        let word = before.rsplit(|c: char| c.is_whitespace() || opens(c)).next().unwrap_or_default();
        let rest = self.text.get(next..self.end).unwrap_or_default();
        let follower = rest.split(|c: char| !c.is_alphabetic() && !is_apostrophe(c)).next().unwrap_or_default();
        let behind = rest.get(follower.len()..).and_then(|rest| rest.chars().next());
        let lower = word.chars().rev().take(2).filter(|c| c.is_lowercase()).count() == 2;
        let plain = word.chars().all(|c| c.is_lowercase() || c == '-' || is_apostrophe(c));
        lower
            && follower.starts_with(char::is_uppercase)
            && behind.is_some_and(|c| c.is_whitespace() || matches!(c, ',' | ':' | ';'))
            && (plain || (!word.contains('.') && self.lexicon.is_stop_word(&folded(follower))))
    }

    /// Whether the full stop at `at` closes the next numeral of an enumeration: alone in its sentence or behind a colon.
    pub(super) fn is_numeral(&self, start: usize, at: usize, last: &mut u32) -> bool {
        const MOST_DIGITS: usize = 2;
        let before = self.text.get(start..at).unwrap_or_default();
        let digits = before.bytes().rev().take(MOST_DIGITS + 1).take_while(u8::is_ascii_digit).count();
        let word = before.get(before.len() - digits..).unwrap_or_default();
        let Some(number) = word.parse::<u32>().ok().filter(|_| digits <= MOST_DIGITS) else { return false };
        let lead = before.get(..before.len() - word.len()).unwrap_or_default().trim_end();
        let is_next = number == 1 || number == *last + 1;
        let begins = lead.is_empty() || (number == 1 && lead.ends_with([':', '：']));
        let followed = self.text.get(at + 1..self.end).is_some_and(|rest| {
            rest.starts_with(char::is_whitespace)
                && rest.trim_start().starts_with(|c: char| c.is_alphabetic() || c == '*')
        });
        let is_numeral = is_next && begins && followed && !self.is_month_day(at + 1);
        *last = if is_numeral { number } else { *last };
        is_numeral
    }

    /// Whether a month follows, in a language that writes the day with a full stop.
    pub(super) fn is_month_day(&self, at: usize) -> bool {
        let rest = self.text.get(at..self.end).unwrap_or_default().trim_start();
        let next = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        self.lexicon.language() != "en" && self.lexicon.calendar.months.contains_key(folded(next).as_ref())
    }

    /// Whether the full stop behind `before`, the sentence so far, belongs to its last word, seen from the word at `following`.
    fn abbreviates(&self, before: &str, following: usize) -> bool {
        let word = before.rsplit(|c: char| c.is_whitespace() || opens(c)).next().unwrap_or_default();
        let rest = self.text.get(following..self.end).unwrap_or_default();
        let next: &str = rest.split(|c: char| !c.is_alphanumeric() && !is_apostrophe(c)).next().unwrap_or_default();
        let next_folded = folded(next);
        let dotted = rest.get(next.len()..).is_some_and(|rest| rest.starts_with('.'));
        let known = |word: &str| self.lexicon.abbreviations.contains(word);
        let is_initial = dotted && (next.chars().count() == 1 || known(&next_folded));
        let begins_sentence = !is_initial
            && next.chars().next().is_some_and(char::is_uppercase)
            && self.lexicon.is_stop_word(&next_folded);
        let digits = word.chars().filter(char::is_ascii_digit).count();
        if digits > 0 {
            // "am 3. Oktober", "im 19. Jahrhundert": an ordinal where the language writes one so.
            let all = digits == word.chars().count();
            let ordinal = self.lexicon.decimal() == Some(',') && digits <= 2 && !begins_sentence;
            // 2026. 3. 5.
            let korean = self.lexicon.language() == "ko" && dotted && next.bytes().all(|byte| byte.is_ascii_digit());
            return all && (self.is_month_day(following) || ordinal || korean);
        }
        if begins_sentence {
            return false;
        }
        let word_folded = folded(word);
        // "No. Exports stay." answers; "No. 5" counts.
        if word.len() == before.len() && word.chars().count() > 1 && self.lexicon.is_stop_word(&word_folded) {
            return known(&word_folded) && rest.starts_with(|c: char| c.is_numeric() || c == '#');
        }
        let mut letters = word.chars();
        let initial = letters.next().is_some_and(char::is_uppercase) && letters.next().is_none();
        initial
            || known(&word_folded)
            || dotted_initials(word)
            || (dotted && known(&format!("{word_folded}.{next_folded}")))
            || self.is_spaced_abbreviation(before, &word_folded)
    }

    /// "u. a.", "p. ej.", "EE. UU.": written with spaces, by its last part.
    fn is_spaced_abbreviation(&self, before: &str, last: &str) -> bool {
        const LONGEST_PART: usize = 4;
        let head = before.get(..before.len().saturating_sub(last.len())).unwrap_or_default().trim_end();
        let first = head.rsplit(|c: char| c.is_whitespace() || opens(c)).next().unwrap_or_default();
        let is_short = first.len() <= LONGEST_PART && first.ends_with('.');
        is_short && self.lexicon.abbreviations.contains(format!("{}{last}", folded(first)).as_str())
    }
}

/// `U.S`, `J.R.R`: single letters with full stops between.
fn dotted_initials(word: &str) -> bool {
    word.contains('.') && word.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic))
}

/// Signs that a word can follow without a space.
fn opens(c: char) -> bool {
    matches!(c, '(' | '[' | '"' | '“' | '„' | '«' | '/' | '\u{2014}' | '*' | '_') || is_apostrophe(c)
}
