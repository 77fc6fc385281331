//! Names and words with digits in them, and digits joined by signs in a way that no number is: `COVID-19`, `iPhone 6`, `1.2.3`, `10:30`.

use super::standard::{followed_by_thing, law, number_chain};
use super::{Hit, IdentifierKind, code};
use crate::text::cursor::Cursor;
use crate::text::word::{TokenKind, folded};

/// A name with a bare number behind it: `iPhone 6`, `Apollo 11`, `Python 3.11`.
pub(super) fn named(cursor: &Cursor<'_>, at: usize) -> Hit {
    let next = at + 1;
    let number = next + 1;
    if cursor.is_taken(at)
        || !cursor.is(next, TokenKind::Space)
        || !cursor.is(number, TokenKind::Digits)
        || cursor.raw(next).contains('\n')
    {
        return None;
    }
    let written = cursor.raw(at);
    let inner_capital = written.chars().skip(1).any(char::is_uppercase) && written.chars().any(char::is_lowercase);
    if !(inner_capital || cursor.is_capitalised(at) && !cursor.lexicon.nouns_capitalised)
        || cursor.is_taken(number)
        || law(cursor, number).is_some()
    {
        return None;
    }
    let word = cursor.word(at);
    let lexicon = cursor.lexicon;
    let known = lexicon.is_stop_word(&word)
        || lexicon.calendar.months.contains_key(word.as_ref())
        || lexicon.numbers.words.contains_key(word.as_ref())
        || lexicon.numbers.scales.contains_key(word.as_ref())
        || lexicon.cues.year_words.contains(word.as_ref())
        || lexicon.units.symbols.starting_at(cursor.text, cursor.tokens, at).is_some()
        || lexicon.cues.qualifiers.ending_at(cursor.text, cursor.tokens, number).is_some()
        || lexicon.cues.hedges.ending_at(cursor.text, cursor.tokens, number).is_some();
    let to = number_chain(cursor, number, &['.']);
    let decimals = to > number + 1;
    let digits = cursor.digit_count(number);
    let separated =
        cursor.is_mark(to, &[',', '\'', '-', '–', '/', ':', '.', '%']) && cursor.joined(to) && cursor.joined(to + 1);
    // "Monday 28 April", "Terms 20.08.2026": a date.
    let widths: Vec<usize> = (number..to).step_by(2).map(|i| cursor.digit_count(i)).collect();
    let dated = lexicon.calendar.months.contains_key(cursor.word(cursor.past_space(to)).as_ref())
        || matches!(widths.as_slice(), [1 | 2, 1 | 2, 4]);
    // "Выручка 12 500 рублей"
    let grouped = lexicon.decimal() == Some(',')
        && !decimals
        && cursor.is(to, TokenKind::Space)
        && cursor.digit_count(to + 1) == 3;
    let year = !decimals && cursor.small(number).is_some_and(|n| (1000..2200).contains(&n) && digits == 4);
    if known
        || dated
        || grouped
        || separated
        || year
        || digits > 4
        || cursor.measures(to)
        || (decimals && cursor.is(number + 1, TokenKind::Word))
    {
        return None;
    }
    let begins = cursor.before(at).is_none_or(|i| cursor.is_mark(i, &['.', '!', '?', ':', '"', '“', '*', '-', '•']));
    if !inner_capital && begins && followed_by_thing(cursor, to) {
        return None;
    }
    // "Alphabet earned 3, not 4": a list of numbers is none of names; a plural behind the number is counted by it.
    if !inner_capital
        && followed_by_thing(cursor, to)
        && cursor.word(cursor.past_space(to)).ends_with('s')
        && !written.chars().all(char::is_uppercase)
    {
        return None;
    }
    Some((at, to, if decimals { IdentifierKind::Version } else { IdentifierKind::Name }))
}

/// A number with decimals that a comma or a word such as "and" joins to the version before token `at`, and that nothing measures or counts.
pub(super) fn next_version(cursor: &Cursor<'_>, at: usize) -> Option<(usize, usize)> {
    let cues = &cursor.lexicon.cues;
    let joins = |at: usize| {
        let word = cursor.word(at);
        cues.or_words.contains(word.as_ref())
            || cues.range_pairs.iter().any(|(_, second)| second.as_ref() == word.as_ref())
    };
    let comma = at + usize::from(cursor.is_mark(at, &[',', '/', '&']));
    let word = cursor.past_space(comma);
    let number = if cursor.is(word, TokenKind::Word) && joins(word) { cursor.past_space(word + 1) } else { word };
    if number == cursor.past_space(at) || !cursor.is(number, TokenKind::Digits) || cursor.is_taken(number) {
        return None;
    }
    let to = number_chain(cursor, number, &['.']);
    let plain = to > number + 1 && (number..to).all(|i| cursor.is(i, TokenKind::Digits) || cursor.is_mark(i, &['.']));
    let counted = cursor.measures(to)
        || cursor.is_mark(to, &['%', '‰'])
        || cursor.lexicon.numbers.scales.contains_key(cursor.word(cursor.past_space(to)).as_ref())
        || followed_by_thing(cursor, to);
    (plain && !counted).then_some((number, to))
}

/// Signs that join letters and digits to one run.
const RUN_MARKS: [char; 12] = ['-', '‐', '‑', '–', '_', '/', '.', ':', ',', '\'', '’', '+'];

/// Whether token `at` continues a run that began before it.
pub(super) fn runs_on(cursor: &Cursor<'_>, at: usize) -> bool {
    cursor.joined(at)
        && (matches!(cursor.kind(at - 1), Some(TokenKind::Word | TokenKind::Digits))
            || (cursor.is_mark(at - 1, &RUN_MARKS)
                && at > 1
                && cursor.joined(at - 1)
                && !cursor.is(at - 2, TokenKind::Mark)))
}

/// Letters and digits joined without a space, and digits joined by signs in a way that no number is.
pub(super) fn joined_run(cursor: &Cursor<'_>, at: usize) -> Hit {
    let part = |i: usize| matches!(cursor.kind(i), Some(TokenKind::Word | TokenKind::Digits));
    if !part(at) {
        return None;
    }
    let mut to = at + 1;
    loop {
        if part(to) && cursor.joined(to) {
            to += 1;
        } else if (cursor.is_mark(to, &RUN_MARKS) && cursor.joined(to)) && part(to + 1) && cursor.joined(to + 1) {
            to += 2;
        } else {
            break;
        }
    }
    // A comma or a slash between letters and digits joins nothing: "2005,the", "and/or".
    let to = (at..to)
        .find(|i| {
            cursor.is_mark(*i, &[',', '/']) && (cursor.is(i - 1, TokenKind::Word) || cursor.is(i + 1, TokenKind::Word))
        })
        .unwrap_or(to);
    // "8 GB: 5 GB": a colon behind the unit of another number.
    let unit_of = |i: usize| {
        let number = cursor.before(i).filter(|number| cursor.is(*number, TokenKind::Digits));
        number.is_some() && cursor.lexicon.units.symbols.starting_at(cursor.text, cursor.tokens, i).is_some()
    };
    if !(at..to).any(|i| cursor.is(i, TokenKind::Digits))
        || (cursor.is(at, TokenKind::Word) && cursor.is_mark(at + 1, &[':']) && unit_of(at))
    {
        return None;
    }
    if code::digest(cursor.stretch(at, to).of(cursor.text)).is_some() {
        return Some((at, to, IdentifierKind::Id));
    }
    let words: Vec<usize> = (at..to).filter(|i| cursor.is(*i, TokenKind::Word)).collect();
    if words.is_empty() { bare_run(cursor, at, to) } else { lettered_run(cursor, at, to, &words) }
}

fn bare_run(cursor: &Cursor<'_>, at: usize, to: usize) -> Hit {
    let count = |marks: &[char]| (at..to).filter(|i| cursor.is_mark(*i, marks)).count();
    let groups: Vec<usize> = (at..to).step_by(2).map(|i| cursor.digit_count(i)).collect();
    let thousands = groups.iter().skip(1).all(|n| *n == 3) && groups.first().is_some_and(|n| *n <= 3);
    let date = matches!(groups.as_slice(), [4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2, 2 | 4]);
    let one_kind = |n: usize| n + 1 == groups.len();
    if count(&['.']) >= 2 && one_kind(count(&['.'])) && !thousands {
        let dotted_date = groups.len() == 3 && groups.last() == Some(&4) && groups.iter().take(2).all(|n| *n <= 2);
        return (!dotted_date).then_some((at, to, IdentifierKind::Version));
    }
    // 3:1 is a result; a time of day has two digits behind its colon.
    if matches!(groups.as_slice(), [1 | 2, 1]) && count(&[':']) == 1 {
        return None;
    }
    let dashes = count(&['-', '‐', '‑', '–']);
    if (dashes >= 2 && one_kind(dashes) && !date) || count(&[':']) >= 1 || (count(&['/']) >= 2 && !date) {
        return Some((at, to, IdentifierKind::Code));
    }
    None
}

fn lettered_run(cursor: &Cursor<'_>, at: usize, to: usize, words: &[usize]) -> Hit {
    let lexicon = cursor.lexicon;
    let first_word = words.first().copied()?;
    // 25-Aug-2016
    if words.iter().any(|i| lexicon.calendar.months.contains_key(cursor.word(*i).as_ref())) {
        return None;
    }
    if first_word > at {
        // Digits first: a quantity where a unit, a scale sign, an ordinal ending or an ordinary word follows.
        let number_end = first_word - usize::from(!cursor.is(first_word - 1, TokenKind::Digits));
        let bare = (at..number_end)
            .all(|i| cursor.is(i, TokenKind::Digits) || cursor.is_mark(i, &['.', ',', '\'', '’', '-', '–', '/']));
        let word = cursor.raw(first_word);
        let hyphened = number_end < first_word;
        let last = first_word + 1 == to;
        let unit =
            lexicon.units.symbols.starting_at(cursor.text, cursor.tokens, first_word).is_some_and(|f| f.next <= to)
                || lexicon.units.names.starting_at(cursor.text, cursor.tokens, first_word).is_some();
        let ending = lexicon.numbers.scale_symbols.contains_key(word)
            || lexicon.numbers.scales.contains_key(folded(word).as_ref())
            || lexicon.numbers.ordinal_endings.contains(folded(word).as_ref())
            || matches!(word, "s" | "m" | "x");
        let ordinary = hyphened && word.chars().count() >= 3 && word.chars().all(char::is_lowercase);
        let apostrophe = if cursor.is_mark(first_word - 1, &['\'', '’']) { "'" } else { "" };
        let declined = lexicon.case_endings.contains(format!("{apostrophe}{}", folded(word)).as_str());
        // 3월 5일에
        let dated = word.starts_with(['년', '월', '일', '시', '분']) && !hyphened;
        let exponent = matches!(word, "e" | "E") && cursor.is(to - 1, TokenKind::Digits);
        if bare
            && (unit
                || (ending && (last || hyphened || cursor.is_mark(first_word + 1, &['-', '/', '.', ','])))
                || ordinary
                || declined
                || dated
                || exponent)
        {
            return None;
        }
    } else {
        let number = (at..to).find(|i| cursor.is(*i, TokenKind::Digits))?;
        let currency = lexicon
            .units
            .symbols
            .starting_at(cursor.text, cursor.tokens, at)
            .is_some_and(|f| f.meaning.before && f.next == number);
        let year = cursor.digit_count(number) == 4
            && cursor.is_mark(number - 1, &['-', '–', '.'])
            && !cursor.raw(at).chars().any(char::is_uppercase);
        // "ended.2" or "word.1990": a full stop without a space behind it joins nothing; "mid-1990s" is a date.
        let stop = number == first_word + 2 && cursor.is_mark(first_word + 1, &['.', ':', ',', '\'', '’', '/', '+']);
        // و5, "and 5"
        let joins = number == at + 1 && words.len() == 1 && lexicon.numbers.joiners.contains(cursor.word(at).as_ref());
        if currency || year || stop || joins && !cursor.raw(at).is_ascii() {
            return None;
        }
        let word = cursor.raw(at);
        if matches!(word, "v" | "V") && cursor.joined(number) && number == at + 1 {
            return Some((at, to, IdentifierKind::Version));
        }
    }
    Some((at, to, IdentifierKind::Name))
}
