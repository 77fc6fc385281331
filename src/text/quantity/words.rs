//! Numbers in words, compounds taken apart.

use num_traits::CheckedMul;

use super::number::{Number, Written, fraction};
use crate::text::cursor::Cursor;
use crate::text::lexicon::Exact;
use crate::text::word::TokenKind;

/// Number words: "twenty-five", "one hundred and five thousand", "zweiundzwanzig", "quatre-vingt-dix", "two and a half".
pub(super) fn words(cursor: &Cursor<'_>, at: usize) -> Option<Written> {
    let numbers = &cursor.lexicon.numbers;
    let mut sum = Sum::default();
    let mut next = at;
    let mut first_weak = false;
    let mut read = 0;
    let mut ordinal = false;
    loop {
        let mut here = if read == 0 { next } else { past_gap(cursor, next) };
        let word = cursor.word(here);
        if read > 0 && numbers.joiners.contains(word.as_ref()) {
            let after = past_gap(cursor, here + 1);
            if let Some(half) = half(cursor, after) {
                let number = sum.number()?.plus(half.0)?;
                let number = Number { step: Exact::new(1, *half.0.denom()), ..number };
                return Some(Written {
                    number,
                    other: None,
                    next: half.1,
                    words: true,
                    scaled: sum.scaled,
                    ordinal: false,
                });
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
        } else if let Some(value) = value_of(cursor, word.as_ref()) {
            if !sum.add(value)? {
                break;
            }
            first_weak |= read == 0 && numbers.weak.contains(word.as_ref());
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
    if read == 0 || (first_weak && read == 1 && !weak_counts(cursor, at, next)) {
        return None;
    }
    let number = sum.number()?;
    // "two thirds"
    if let Some(part) = numbers
        .fractions
        .get(cursor.word(past_gap(cursor, next)).as_ref())
        .filter(|_| !ordinal && read == 1 && sum.current > 0 && sum.current < 10)
    {
        let value = number.value.checked_mul(part)?;
        return Some(Written { words: true, ..fraction(value, past_gap(cursor, next) + 1) });
    }
    Some(Written { number, other: None, next, words: true, scaled: sum.scaled, ordinal })
}

/// Whether "one" or "a" is a number here: before a unit, unless it is also a word for "per".
fn weak_counts(cursor: &Cursor<'_>, at: usize, next: usize) -> bool {
    if cursor.lexicon.cues.per.contains(cursor.word(at).as_ref()) {
        return false;
    }
    let spaced = cursor.past_space(next);
    cursor.is(spaced, TokenKind::Word)
        && cursor.lexicon.units.names.starting_at(cursor.text, cursor.tokens, spaced).is_some()
}

fn past_gap(cursor: &Cursor<'_>, at: usize) -> usize {
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

/// The value of a number word, compounds taken apart where the language writes them as one word.
fn value_of(cursor: &Cursor<'_>, word: &str) -> Option<u32> {
    let numbers = &cursor.lexicon.numbers;
    if let Some(value) = numbers.words.get(word) {
        return Some(*value);
    }
    if numbers.atoms.is_empty()
        || word.len() > 80
        || !numbers.atoms.iter().any(|(atom, value)| value.is_some() && word.starts_with(atom.as_ref()))
    {
        return None;
    }
    compound(&numbers.atoms, word, &mut Sum::default(), 0)
}

/// Takes a compound apart from the left, the longest atom first, going back where that leads nowhere.
fn compound(atoms: &[(Box<str>, Option<u32>)], rest: &str, sum: &mut Sum, depth: usize) -> Option<u32> {
    const MOST_ATOMS: usize = 9;
    if rest.is_empty() {
        return sum.number().and_then(|n| u32::try_from(n.value.to_integer()).ok());
    }
    if depth == MOST_ATOMS {
        return None;
    }
    atoms
        .iter()
        .filter(|(atom, value)| rest.starts_with(atom.as_ref()) && (value.is_some() || depth > 0))
        .take(2)
        .find_map(|(atom, value)| {
            let mut next = sum.clone();
            let fits = match value {
                Some(1000) => next.scale(3)?,
                // Units stand before tens: fünf-und-zwanzig.
                Some(value) => next.add_any(*value)?,
                None => true,
            };
            let rest = rest.get(atom.len()..)?;
            if fits { compound(atoms, rest, &mut next, depth + 1) } else { None }
        })
}

/// A number in words as it grows.
#[derive(Debug, Clone, Default)]
struct Sum {
    total: i128,
    current: i128,
    scaled: bool,
    any: bool,
}

impl Sum {
    /// Adds a word's value; `false` where it cannot go on from what is there ("five six").
    fn add(&mut self, value: u32) -> Option<bool> {
        let value = i128::from(value);
        let fits = match value {
            100 | 1000 => {
                let times = self.current.max(1);
                let fits = times < value;
                if fits {
                    self.current = times * value;
                }
                fits
            }
            // quatre-vingt, two dozen
            20 if self.current % 100 == 4 => {
                self.current += 76;
                true
            }
            12 if (1..10).contains(&self.current) => {
                self.current *= 12;
                true
            }
            _ => {
                let place = if value >= 100 {
                    1000
                } else if value >= 20 || self.current % 100 == 0 {
                    100
                } else {
                    10
                };
                // soixante-dix, quatre-vingt-onze
                let twenty_based = (10..20).contains(&value) && matches!(self.current % 100, 60 | 80);
                let fits =
                    !self.any || (self.current % place == 0 && (self.current > 0 || self.scaled)) || twenty_based;
                if fits {
                    self.current += value;
                }
                fits
            }
        };
        self.any |= fits;
        Some(fits)
    }

    /// Adds a part of a compound, where units stand before tens.
    fn add_any(&mut self, value: u32) -> Option<bool> {
        let last = self.current % 100;
        if (20..100).contains(&value) && (1..10).contains(&last) {
            self.current += i128::from(value);
            return Some(true);
        }
        self.add(value)
    }

    /// Multiplies what was read since the last scale word; `false` where that one was smaller.
    fn scale(&mut self, power: u32) -> Option<bool> {
        let factor = 10_i128.checked_pow(power)?;
        let more = self.current.max(i128::from(self.current == 0)).checked_mul(factor)?;
        if self.total > 0 && (self.current == 0 || self.total < factor) {
            return Some(false);
        }
        (self.total, self.current) = (self.total.checked_add(more)?, 0);
        (self.scaled, self.any) = (true, true);
        Some(true)
    }

    fn number(&self) -> Option<Number> {
        let value = self.total.checked_add(self.current)?;
        let digits = value.checked_ilog10().unwrap_or(0) + 1;
        // Round words are round numbers: "ninety million" is precise to the million.
        let mut step = 1;
        if self.scaled && self.current == 0 {
            while value != 0 && value % (step * 10) == 0 && step < 10_i128.pow(15) {
                step *= 10;
            }
        }
        Some(Number {
            value: Exact::from_integer(value),
            step: Exact::from_integer(step),
            digits: if self.scaled { 3 } else { digits },
        })
    }
}
