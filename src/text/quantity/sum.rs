//! The value of numbers in words as they grow, and compounds taken apart.

use num_traits::CheckedMul;

use super::number::Number;
use crate::text::cursor::Cursor;
use crate::text::lexicon::Exact;

/// The value of a number word, compounds taken apart where the language writes them as one word.
pub(super) fn value_of(cursor: &Cursor<'_>, word: &str) -> Option<u32> {
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

/// `zweieinhalb`, `tweeënhalf`: a compound that ends in a half.
pub(super) fn and_a_half(cursor: &Cursor<'_>, word: &str) -> Option<Number> {
    let numbers = &cursor.lexicon.numbers;
    if numbers.atoms.is_empty() {
        return None;
    }
    let half = Exact::new(1, 2);
    numbers.fractions.iter().filter(|(_, value)| **value == half).find_map(|(ending, _)| {
        let bare = word.strip_suffix(ending.as_ref())?;
        let bare = numbers.joiners.iter().find_map(|joiner| bare.strip_suffix(joiner.as_ref())).unwrap_or(bare);
        let number = Number::whole(value_of(cursor, bare)?);
        Some(Number { step: half, ..number.plus(half)? })
    })
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
pub(super) struct Sum {
    total: i128,
    /// What was read since the last scale word.
    pub(super) current: i128,
    pub(super) scaled: bool,
    any: bool,
    /// The factor of the last scale word.
    last: i128,
}

impl Sum {
    /// Adds a word's value; `false` where it cannot go on from what is there ("five six").
    pub(super) fn add(&mut self, value: u32) -> Option<bool> {
        let value = i128::from(value);
        if value == 1000 {
            return self.scale(3);
        }
        let fits = match value {
            100 => {
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
                } else if value >= 10 || self.current % 100 == 0 {
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
    pub(super) fn add_any(&mut self, value: u32) -> Option<bool> {
        let last = self.current % 100;
        if (20..100).contains(&value) && (1..10).contains(&last) {
            self.current += i128::from(value);
            return Some(true);
        }
        self.add(value)
    }

    /// Multiplies what was read since the last scale word; `false` where that one was smaller.
    pub(super) fn scale(&mut self, power: u32) -> Option<bool> {
        let factor = 10_i128.checked_pow(power)?;
        let more = self.current.max(i128::from(self.current == 0)).checked_mul(factor)?;
        if self.total > 0 && (self.current == 0 || self.total < factor) {
            return Some(false);
        }
        (self.total, self.current, self.last) = (self.total.checked_add(more)?, 0, factor);
        (self.scaled, self.any) = (true, true);
        Some(true)
    }

    /// The number and a half more: of one, or of the scale word that ends it ("two million and a half").
    pub(super) fn and_a(&self, part: Exact) -> Option<Number> {
        let scale = if self.scaled && self.current == 0 { self.last } else { 1 };
        let number = self.number()?.plus(part.checked_mul(&Exact::from_integer(scale))?)?;
        Some(Number { step: Exact::new(scale, 10.max(*part.denom())), ..number })
    }

    pub(super) fn number(&self) -> Option<Number> {
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
