//! Numbers in the characters of Chinese and Japanese: `三十`, `三万五千`, `百分之五`.

use super::number::{Number, Written};
use crate::text::cursor::Cursor;
use crate::text::lexicon::Exact;
use crate::text::word::TokenKind;

/// A number in characters as it grows.
#[derive(Debug, Default)]
struct Characters {
    total: i128,
    section: i128,
    digit: Option<i128>,
    /// How many of them are digits, and how many multiply.
    digits: usize,
    multipliers: usize,
    /// Two digits in a row: `二〇二四`.
    positional: bool,
}

impl Characters {
    /// Takes one more character in; `None` where the value grows too large.
    fn add(&mut self, value: u32, is_scale: bool) -> Option<()> {
        let value = i128::from(value);
        if is_scale {
            let power = 10_i128.checked_pow(u32::try_from(value).ok()?)?;
            let part = self.section.checked_add(self.digit.take().unwrap_or(0))?.max(1);
            (self.total, self.section) = (self.total.checked_add(part.checked_mul(power)?)?, 0);
            self.multipliers += 1;
        } else if value >= 10 {
            self.section = self.section.checked_add(self.digit.take().unwrap_or(1).checked_mul(value)?)?;
            self.multipliers += 1;
        } else {
            // 百零五: a zero only fills a place.
            self.positional |= self.digit.is_some_and(|before| before != 0);
            self.digit = Some(self.digit.unwrap_or(0).checked_mul(10)?.checked_add(value)?);
            self.digits += 1;
        }
        Some(())
    }

    fn value(&self) -> Option<u64> {
        let value = self.total.checked_add(self.section)?.checked_add(self.digit.unwrap_or(0))?;
        u64::try_from(value).ok()
    }
}

/// Reads the number in characters that begins at token `at`.
pub(super) fn read(cursor: &Cursor<'_>, at: usize) -> Option<Written> {
    let (number, next, characters) = run(cursor, at)?;
    if let Some(share) = share(cursor, number, next) {
        return Some(share);
    }
    let measured = cursor.lexicon.units.symbols.starting_at(cursor.text, cursor.tokens, next).is_some();
    let counted = measured || cursor.lexicon.numbers.counters.contains(cursor.raw(next));
    let is_sure = characters.digits > 0 && characters.multipliers > 0 && !characters.positional;
    // 一个 is an article; 十分 means "enough"; 五月四日 is a date, 四日 alone may be one or part of a name.
    let enough = cursor.raw(at) == "十" && next == at + 1 && cursor.raw(next) == "分" && cursor.raw(next + 1) != "間";
    let date = at > 0 && cursor.raw(at - 1) == "月";
    let weak = next == at + 1;
    let one = number.value == Exact::from_integer(1) && weak;
    if enough || date || !(is_sure || counted && (measured || !one)) {
        return None;
    }
    let scaled = number.value >= Exact::from_integer(10_000) && characters.multipliers > 0;
    Some(Written { words: true, scaled, weak, contextual: !is_sure, ..Written::new(number, next) })
}

fn run(cursor: &Cursor<'_>, at: usize) -> Option<(Number, usize, Characters)> {
    const LONGEST: usize = 24;
    let numbers = &cursor.lexicon.numbers;
    let (mut next, mut found) = (at, Characters::default());
    while next < at + LONGEST && cursor.is(next, TokenKind::Ideograph) && (next == at || cursor.joined(next)) {
        let character = cursor.raw(next);
        match (numbers.words.get(character), numbers.scales.get(character)) {
            (Some(value), _) => found.add(*value, false)?,
            (None, Some(power)) if next > at => found.add(*power, true)?,
            _ => break,
        }
        next += 1;
    }
    let value = found.value().filter(|_| next > at)?;
    let digits = value.checked_ilog10().unwrap_or(0) + 1;
    let number = Number { value: Exact::from_integer(value.into()), step: Exact::from_integer(1), digits };
    Some((number, next, found))
}

/// `百分之五`, `三分の一`: so many parts of a whole.
fn share(cursor: &Cursor<'_>, whole: Number, next: usize) -> Option<Written> {
    if cursor.raw(next) != "分" || !matches!(cursor.raw(next + 1), "之" | "の") {
        return None;
    }
    let at = next + 2;
    let (number, next) = match cursor.small(at) {
        Some(value) => (Number::whole(value), at + 1),
        None => run(cursor, at).map(|(number, next, _)| (number, next))?,
    };
    Some(Written { words: true, whole: Some(whole), ..Written::new(number, next) })
}
