//! Numbers in words: "twenty-five", "half an hour", "zweieinhalb", "three point five".

use foldhash::HashMap;
use num_traits::CheckedMul;

use super::number::{Number, Written, fraction};
use super::sum::{Sum, and_a_half, value_of};
use crate::text::cursor::Cursor;
use crate::text::lexicon::{Exact, role};
use crate::text::word::TokenKind;

/// Words that stand before a noun and say nothing of its number.
pub(super) const ARTICLES: [&str; 19] = [
    "a", "an", "the", "der", "die", "das", "den", "dem", "la", "le", "les", "el", "il", "lo", "o", "de", "het", "un",
    "une",
];

/// Number words: "twenty-five", "one hundred and five thousand", "zweiundzwanzig", "quatre-vingt-dix", "two and a half".
pub(super) fn words(cursor: &Cursor<'_>, at: usize) -> Option<Written> {
    if let Some(written) = fraction_alone(cursor, at) {
        return Some(written);
    }
    let numbers = &cursor.lexicon.numbers;
    let mut sum = Sum::default();
    let (mut next, mut read) = (at, 0);
    let mut is_weak = false;
    let mut ordinal = false;
    loop {
        let mut here = if read == 0 { next } else { past_gap(cursor, next) };
        let word = cursor.word(here);
        if read > 0 && numbers.joiners.contains(word.as_ref()) {
            let after = past_gap(cursor, here + 1);
            if let Some((part, next)) = half(cursor, after) {
                return Some(Written { words: true, scaled: sum.scaled, ..Written::new(sum.and_a(part)?, next) });
            }
            here = after;
        }
        if !cursor.is(here, TokenKind::Word) || cursor.is_taken(here) {
            break;
        }
        let word = cursor.word(here);
        if let Some(power) = numbers.scales.get(word.as_ref()).filter(|_| read > 0) {
            if !sum.scale(*power)? {
                break;
            }
        } else if let Some((value, next)) = pair(cursor, here, word.as_ref(), &numbers.words) {
            if !sum.add(value)? {
                break;
            }
            here = next;
        } else if let Some(value) = value_of(cursor, word.as_ref()) {
            if !sum.add(value)? {
                break;
            }
            is_weak |= read == 0 && numbers.weak.contains(word.as_ref());
        } else if let Some(value) = joined(cursor, word.as_ref()).filter(|_| read > 0) {
            if !sum.add_any(value)? {
                break;
            }
        } else if let Some(number) = and_a_half(cursor, word.as_ref()).filter(|_| read == 0) {
            return Some(Written { words: true, ..Written::new(number, here + 1) });
        } else if let Some(value) = numbers.ordinals.get(word.as_ref()).filter(|v| **v >= 3 || read > 0) {
            // "twenty-third", "third"
            if !sum.add(*value)? {
                break;
            }
            (ordinal, next) = (true, here + 1);
            read += 1;
            break;
        } else {
            break;
        }
        read += 1;
        next = here + 1;
    }
    if read == 0 {
        return None;
    }
    is_weak &= read == 1;
    let number = sum.number()?;
    if !ordinal && !sum.scaled {
        let few = read == 1 && sum.current > 0 && sum.current < 10;
        let parts = if few { parts(cursor, number, next, is_weak) } else { None };
        if let Some(written) = parts.or_else(|| decimals(cursor, number, next)) {
            return Some(written);
        }
    }
    if is_weak && !weak_counts(cursor, at, next) {
        return None;
    }
    Some(Written { words: true, scaled: sum.scaled, ordinal, weak: is_weak, ..Written::new(number, next) })
}

/// A number that is written as two words, خمسة عشر for 15, with its last token.
fn pair<T: Copy>(cursor: &Cursor<'_>, at: usize, word: &str, values: &HashMap<Box<str>, T>) -> Option<(T, usize)> {
    let numbers = &cursor.lexicon.numbers;
    let last = at + 2;
    if !numbers.pairs.contains(word) || !cursor.is(at + 1, TokenKind::Space) || !cursor.is(last, TokenKind::Word) {
        return None;
    }
    values.get(format!("{word} {}", cursor.word(last)).as_str()).map(|value| (*value, last))
}

/// The value of a number word behind the joiner that is written with it: وعشرون, "and twenty".
fn joined(cursor: &Cursor<'_>, word: &str) -> Option<u32> {
    let numbers = &cursor.lexicon.numbers;
    if word.is_ascii() {
        return None;
    }
    let bare = numbers.joiners.iter().find_map(|joiner| word.strip_prefix(joiner.as_ref()))?;
    numbers.words.get(bare).copied()
}

/// "two thirds", "one-third", "a quarter of the users": how many parts of which size.
fn parts(cursor: &Cursor<'_>, number: Number, next: usize, is_weak: bool) -> Option<Written> {
    let numbers = &cursor.lexicon.numbers;
    let at = past_gap(cursor, next);
    let hyphen = cursor.is(next, TokenKind::Mark);
    let part = numbers.fractions.get(cursor.word(at).as_ref())?;
    let link = cursor.past_space(at + 1);
    let of = numbers.part_words.contains(cursor.word(link).as_ref());
    // "a quarter of a million"
    let article = cursor.past_space(link + 1);
    let scale =
        if numbers.weak.contains(cursor.word(article).as_ref()) { cursor.past_space(article + 1) } else { article };
    if of && numbers.scales.contains_key(cursor.word(scale).as_ref()) {
        return Some(Written { words: true, ..fraction(number.value.checked_mul(part)?, scale) });
    }
    // "a third", "two third parties": of something, or an ordinal.
    let is_ordinal = is_weak || numbers.ordinals.contains_key(cursor.word(at).as_ref());
    if is_ordinal && !of && !(is_weak && hyphen) {
        return None;
    }
    let whole = u32::try_from(*part.denom()).ok().filter(|_| of && *part.numer() == 1).map(Number::whole);
    if whole.is_some() {
        return Some(Written { words: true, whole, ..Written::new(number, at + 1) });
    }
    Some(Written { words: true, ..fraction(number.value.checked_mul(part)?, at + 1) })
}

/// "half an hour", "half of the users", "anderthalb Stunden": a fraction without a number before it.
fn fraction_alone(cursor: &Cursor<'_>, at: usize) -> Option<Written> {
    let numbers = &cursor.lexicon.numbers;
    let word = cursor.word(at);
    if let Some((value, last)) = pair(cursor, at, word.as_ref(), &numbers.fractions) {
        return Some(Written { words: true, ..fraction(value, last + 1) });
    }
    let value = *numbers.fractions.get(word.as_ref())?;
    let written = Written { words: true, contextual: true, ..fraction(value, at + 1) };
    if value > Exact::from_integer(1) {
        return Some(written);
    }
    let gap = past_gap(cursor, at + 1);
    if numbers.ordinals.contains_key(word.as_ref()) {
        return None;
    }
    let article = numbers.weak.contains(cursor.word(gap).as_ref());
    let thing = if article { cursor.past_space(gap + 1) } else { gap };
    if cursor.is(thing, TokenKind::Word) && thing > at + 1 {
        if article && numbers.words.get(cursor.word(thing).as_ref()) == Some(&12) {
            let dozen = value.checked_mul(&Exact::from_integer(12))?;
            return Some(Written { words: true, contextual: true, ..fraction(dozen, thing + 1) });
        }
        let scale = numbers.scales.contains_key(cursor.word(thing).as_ref());
        if scale || cursor.lexicon.units.names.starting_at(cursor.text, cursor.tokens, thing).is_some() {
            return Some(Written { next: thing, ..written });
        }
    }
    let is_of = cursor.is(at + 1, TokenKind::Space) && numbers.part_words.contains(cursor.word(gap).as_ref());
    if !(is_of && stands_free(cursor, at) || is_bounded(cursor, at)) {
        return None;
    }
    let whole = Number::whole(u32::try_from(*value.denom()).ok()?);
    let part = Number::whole(u32::try_from(*value.numer()).ok()?);
    Some(Written { words: true, contextual: true, whole: Some(whole), ..Written::new(part, at + 1) })
}

/// Whether a fraction is no part of a name for a part: "the first half of", "the northern half of".
fn stands_free(cursor: &Cursor<'_>, at: usize) -> bool {
    let is_article = |at: usize| ARTICLES.contains(&cursor.word(at).as_ref());
    let Some(before) = cursor.before(at).filter(|before| cursor.is(*before, TokenKind::Word)) else { return true };
    let word = cursor.word(before);
    is_article(before)
        || !cursor.lexicon.numbers.ordinals.contains_key(word.as_ref())
            && !cursor.before(before).is_some_and(is_article)
}

/// "more than half", "reduced by half": what stands before it takes it for a number.
fn is_bounded(cursor: &Cursor<'_>, at: usize) -> bool {
    let article = cursor.before(at).filter(|before| ARTICLES.contains(&cursor.word(*before).as_ref()));
    let from = article.unwrap_or(at);
    let cues = &cursor.lexicon.cues;
    let by = cursor.before(from).is_some_and(|before| cues.change_by.contains(cursor.word(before).as_ref()));
    let changes = || {
        let words = (0..from).rev().filter(|i| cursor.is(*i, TokenKind::Word)).skip(1).take(2);
        words.into_iter().any(|i| cues.change_words.contains(cursor.lexicon.stem(cursor.word(i).as_ref()).as_ref()))
    };
    (by && changes()) || cues.qualifiers.ending_at(cursor.text, cursor.tokens, from).is_some()
}

/// "three point five", "null Komma acht".
fn decimals(cursor: &Cursor<'_>, number: Number, next: usize) -> Option<Written> {
    let numbers = &cursor.lexicon.numbers;
    let mut at = cursor.past_space(next);
    if !numbers.decimal_words.contains(cursor.word(at).as_ref()) {
        return None;
    }
    let digit = |at: usize| numbers.words.get(cursor.word(at).as_ref()).copied().filter(|value| *value < 10);
    let (mut value, mut scale, mut end) = (0_i128, 1_i128, None);
    while let Some(found) = digit(cursor.past_space(at + 1)).filter(|_| scale < 1_000_000_000) {
        at = cursor.past_space(at + 1);
        (value, scale, end) = (value * 10 + i128::from(found), scale * 10, Some(at + 1));
    }
    let places = scale.ilog10();
    let more = Number { step: Exact::new(1, scale), ..number.plus(Exact::new(value, scale))? };
    Some(Written { words: true, ..Written::new(Number { digits: number.digits + places, ..more }, end?) })
}

/// Whether "one" or "a" is a number here: before a unit, unless it is also a word for "per", and in "one in five".
fn weak_counts(cursor: &Cursor<'_>, at: usize, next: usize) -> bool {
    let spaced = past_gap(cursor, next);
    let units = &cursor.lexicon.units.names;
    let unit = || units.starting_at(cursor.text, cursor.tokens, spaced).filter(|_| cursor.is(spaced, TokenKind::Word));
    if cursor.lexicon.cues.per.contains(cursor.word(at).as_ref()) {
        // "an hour and a half"
        return unit().is_some_and(|unit| half_behind(cursor, unit.next).is_some());
    }
    let share = || cursor.lexicon.numbers.share_words.starting_at(cursor.text, cursor.tokens, spaced);
    let is_number = |at: usize| cursor.is(at, TokenKind::Digits) || cursor.may_begin(at, role::NUMBER);
    unit().is_some() || share().is_some_and(|found| is_number(cursor.past_space(found.next)))
}

/// "and a half" behind a unit: "an hour and a half", "une heure et demie".
pub(super) fn half_behind(cursor: &Cursor<'_>, at: usize) -> Option<(Exact, usize)> {
    let numbers = &cursor.lexicon.numbers;
    let joiner = cursor.past_space(at);
    if joiner == at || !numbers.joiners.contains(cursor.word(joiner).as_ref()) {
        return None;
    }
    let (part, next) = half(cursor, cursor.past_space(joiner + 1))?;
    let word = cursor.word(cursor.past_space(next));
    let is_other =
        numbers.part_words.contains(word.as_ref()) || numbers.ordinals.contains_key(cursor.word(next - 1).as_ref());
    (part < Exact::from_integer(1) && !is_other).then_some((part, next))
}

pub(super) fn past_gap(cursor: &Cursor<'_>, at: usize) -> usize {
    if cursor.is_mark(at, &['-', '‐', '‑']) && cursor.joined(at) && cursor.joined(at + 1) {
        at + 1
    } else {
        cursor.past_space(at)
    }
}

/// "a half", "half" behind "two and".
fn half(cursor: &Cursor<'_>, at: usize) -> Option<(Exact, usize)> {
    let numbers = &cursor.lexicon.numbers;
    let article = numbers.weak.contains(cursor.word(at).as_ref());
    let word = if article { cursor.past_space(at + 1) } else { at };
    let value = numbers.fractions.get(cursor.word(word).as_ref())?;
    Some((*value, word + 1))
}
