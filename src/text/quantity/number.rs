//! Numbers as they are written: what a number is made of, and the signs and scale words behind it.

use num_traits::{CheckedAdd, CheckedMul};

use super::digits::{digits, leading_decimal, vulgar, with_fraction};
use super::ideographs;
use super::words::words;
use crate::text::cursor::Cursor;
use crate::text::lexicon::{Exact, role};
use crate::text::word::{TokenKind, digit_value, is_hangul, is_unspaced};

/// An exact number with the precision it was written with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number {
    /// The value, scale words applied.
    pub value: Exact,
    /// What a one in the last written digit is worth: 0.01 for `99.99`, 1 for `100`, 100000 for `1.5 million`.
    pub step: Exact,
    /// How many digits are written from the first that is not zero.
    pub digits: u32,
}

/// A number that was read, and where reading goes on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Written {
    pub(super) number: Number,
    /// The other reading that the signs allow: `1.234` as one thousand two hundred and thirty-four.
    pub(super) other: Option<Number>,
    /// The first token behind it.
    pub(super) next: usize,
    /// Written in words.
    pub(super) words: bool,
    /// A scale word or sign is part of it.
    pub(super) scaled: bool,
    /// It is an ordinal.
    pub(super) ordinal: bool,
    /// What it is a part of: 10 in "8 out of 10", 2 in "half of".
    pub(super) whole: Option<Number>,
    /// Only what stands around it makes it a number: "half" before "an hour".
    pub(super) contextual: bool,
    /// A word that often means no number: "one".
    pub(super) weak: bool,
}

impl Written {
    /// A number that ends before token `next`, in digits and with nothing else to it.
    pub(super) const fn new(number: Number, next: usize) -> Self {
        Self {
            number,
            other: None,
            next,
            words: false,
            scaled: false,
            ordinal: false,
            whole: None,
            contextual: false,
            weak: false,
        }
    }
}

impl Number {
    pub(super) fn whole(value: u32) -> Self {
        Self {
            value: Exact::from_integer(value.into()),
            step: Exact::from_integer(1),
            digits: value.checked_ilog10().unwrap_or(0) + 1,
        }
    }

    /// The number times ten to the `power`.
    pub(super) fn scaled(self, power: u32) -> Option<Self> {
        let factor = Exact::from_integer(10_i128.checked_pow(power)?);
        Some(Self {
            value: self.value.checked_mul(&factor)?,
            step: self.step.checked_mul(&factor)?,
            digits: self.digits,
        })
    }

    pub(super) fn plus(self, more: Exact) -> Option<Self> {
        Some(Self { value: self.value.checked_add(&more)?, ..self })
    }

    /// From the digits before and after the decimal sign.
    pub(super) fn from_digits(whole: &str, decimals: &str) -> Option<Self> {
        let scale = 10_i128.checked_pow(u32::try_from(decimals.chars().count()).ok()?)?;
        let mut value = 0_i128;
        let mut digits = 0;
        for c in whole.chars().chain(decimals.chars()) {
            value = value.checked_mul(10)?.checked_add(i128::from(digit_value(c)?))?;
            digits += u32::from(value != 0);
        }
        Some(Self { value: Exact::new(value, scale), step: Exact::new(1, scale), digits })
    }
}

/// Reads the number that begins at token `at`, scale words included.
pub(super) fn read(cursor: &Cursor<'_>, at: usize) -> Option<Written> {
    let written = match cursor.kind(at)? {
        TokenKind::Digits => digits(cursor, at),
        TokenKind::Mark => {
            vulgar(cursor.raw(at)).map(|value| fraction(value, at + 1)).or_else(|| leading_decimal(cursor, at))
        }
        TokenKind::Word if !cursor.may_begin(at, role::NUMBER) => None,
        TokenKind::Word => {
            let written = words(cursor, at).and_then(|written| scale(cursor, written))?;
            return Some(repeated(cursor, written));
        }
        TokenKind::Ideograph => return ideographs::read(cursor, at),
        TokenKind::Space => None,
    }?;
    let written = with_fraction(cursor, at, written)?;
    let written = exponent(cursor, at, written)?;
    if let Some(next) = ordinal_end(cursor, written.next) {
        return Some(Written { next, ordinal: true, ..written });
    }
    scale(cursor, written)
}

/// "thirty (30) days": the digits say the words again.
fn repeated(cursor: &Cursor<'_>, written: Written) -> Written {
    let open = cursor.past_space(written.next);
    if !cursor.is_mark(open, &['(']) || !cursor.joined(open + 1) || written.whole.is_some() {
        return written;
    }
    match digits(cursor, open + 1) {
        Some(again) if again.number.value == written.number.value && cursor.is_mark(again.next, &[')']) => {
            Written { next: again.next + 1, weak: false, contextual: false, ..written }
        }
        _ => written,
    }
}

pub(super) fn fraction(value: Exact, next: usize) -> Written {
    Written::new(Number { value, step: Exact::new(1, *value.denom()), digits: 1 }, next)
}

/// `× 10^8`, `×10⁸`, `10^6`, `1e9`.
fn exponent(cursor: &Cursor<'_>, at: usize, written: Written) -> Option<Written> {
    let next = written.next;
    if matches!(cursor.raw(next), "e" | "E") && cursor.joined(next) {
        let negative = cursor.is_mark(next + 1, &['-', '−']) && cursor.joined(next + 1);
        let number = next + 1 + usize::from(negative || cursor.is_mark(next + 1, &['+']));
        if cursor.joined(number)
            && let Some(power) = cursor.small(number)
        {
            return raised(written, number + 1, power, negative);
        }
    }
    // The power of ten itself, or a factor before it.
    let times = cursor.past_space(next);
    let is_command = cursor.is_mark(times, &['\\']) && matches!(cursor.raw(times + 1), "times" | "cdot");
    let base = if is_command {
        cursor.past_space(times + 2)
    } else if cursor.is_mark(times, &['×', '·', '*']) || cursor.raw(times) == "x" {
        cursor.past_space(times + 1)
    } else {
        at
    };
    if cursor.raw(base) != "10" || (base == at && next != at + 1) {
        return Some(written);
    }
    let start = if base == at { Written { number: Number::whole(1), ..written } } else { written };
    if cursor.is_mark(base + 1, &['^']) {
        // 10^{3}
        let braces = usize::from(cursor.is_mark(base + 2, &['{']));
        let negative = cursor.is_mark(base + 2 + braces, &['-', '−']);
        let number = base + 2 + braces + usize::from(negative);
        return match cursor.small(number) {
            Some(power) => raised(start, number + 1 + braces, power, negative),
            None => Some(written),
        };
    }
    let (mut power, mut to, mut negative) = (None::<u32>, base + 1, false);
    while cursor.joined(to) && cursor.is(to, TokenKind::Mark) {
        match superscript(cursor.raw(to)) {
            Some(digit) => power = power.unwrap_or(0).checked_mul(10)?.checked_add(digit),
            None if cursor.raw(to) == "⁻" && power.is_none() => negative = true,
            None => break,
        }
        to += 1;
    }
    match power {
        Some(power) => raised(start, to, power, negative),
        None => Some(written),
    }
}

fn raised(written: Written, next: usize, power: u32, negative: bool) -> Option<Written> {
    let number = if negative {
        let divisor = Exact::from_integer(10_i128.checked_pow(power)?);
        let by = |value: Exact| value.checked_mul(&divisor.recip());
        Number { value: by(written.number.value)?, step: by(written.number.step)?, digits: written.number.digits }
    } else {
        written.number.scaled(power)?
    };
    Some(Written { number, other: None, next, scaled: true, ..written })
}

fn superscript(sign: &str) -> Option<u32> {
    "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|c| sign.starts_with(c)).and_then(|at| u32::try_from(at).ok())
}

fn ordinal_end(cursor: &Cursor<'_>, at: usize) -> Option<usize> {
    if !cursor.joined(at) || cursor.is_mark(at, &['%', '/']) {
        return None;
    }
    cursor.past_ordinal_ending(at)
}

/// Scale words and signs behind the number.
pub(super) fn scale(cursor: &Cursor<'_>, mut written: Written) -> Option<Written> {
    let numbers = &cursor.lexicon.numbers;
    let spaced = cursor.past_space(written.next);
    let joined = spaced == written.next && cursor.joined(spaced);
    let sign = cursor.raw(spaced);
    if let Some(power) = numbers.scale_symbols.get(sign).filter(|_| joined || sign == "M" || sign.chars().count() > 1) {
        // B is a byte unless money is meant; whoever reads the unit decides.
        let byte =
            sign == "B" && cursor.lexicon.units.symbols.starting_at(cursor.text, cursor.tokens, spaced).is_some();
        if !byte {
            return apply(written, *power, spaced + 1);
        }
    }
    let hyphen = cursor.is_mark(spaced, &['-', '‑']) && joined;
    let mut at = if hyphen { spaced + 1 } else { spaced };
    while let Some(power) = numbers.scales.get(cursor.word(at).as_ref()) {
        let east_asian = cursor.is(at, TokenKind::Ideograph);
        written = apply(written, *power, at + 1)?;
        // 3万5000
        if east_asian
            && cursor.is(at + 1, TokenKind::Digits)
            && let Some(rest) = digits(cursor, at + 1).and_then(|rest| scale(cursor, rest))
        {
            let number = Number { step: Exact::from_integer(1), ..written.number.plus(rest.number.value)? };
            return Some(Written { number, next: rest.next, ..written });
        }
        at = cursor.past_space(at + 1);
    }
    Some(lesser_scale(cursor, written).unwrap_or(written))
}

/// "2 million 500 thousand", 3만 5천: what a smaller scale adds.
fn lesser_scale(cursor: &Cursor<'_>, written: Written) -> Option<Written> {
    let at = cursor.past_space(written.next);
    if !written.scaled || !written.number.value.is_integer() || !cursor.is(at, TokenKind::Digits) {
        return None;
    }
    let rest = digits(cursor, at).and_then(|rest| scale(cursor, rest))?;
    // 4만 9,000: in East Asia what follows needs no scale of its own.
    let last = cursor.raw(written.next - 1).chars().next();
    let east_asian = last.is_some_and(|c| is_hangul(c) || is_unspaced(c));
    let sure = rest.other.is_none() || cursor.lexicon.decimal().is_some();
    let fits = (rest.scaled || east_asian) && sure && rest.number.value < written.number.step;
    let number = Number { step: rest.number.step, ..written.number.plus(rest.number.value)? };
    fits.then_some(Written { number, next: rest.next, ..written })
}

fn apply(written: Written, power: u32, next: usize) -> Option<Written> {
    let other = written.other.and_then(|number| number.scaled(power));
    Some(Written { number: written.number.scaled(power)?, other, next, scaled: true, ..written })
}
