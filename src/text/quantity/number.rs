//! Numbers as they are written: digits with separators, fractions, exponents, and words.

use num_traits::{CheckedAdd, CheckedMul};

use crate::text::cursor::Cursor;
use crate::text::lexicon::{Exact, role};
use crate::text::word::{TokenKind, digit_value};

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
    fn from_digits(whole: &str, decimals: &str) -> Option<Self> {
        let scale = 10_i128.checked_pow(u32::try_from(decimals.len()).ok()?)?;
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
        TokenKind::Mark => vulgar(cursor.raw(at)).map(|value| fraction(value, at + 1)),
        TokenKind::Word if !cursor.may_begin(at, role::NUMBER) => None,
        TokenKind::Word => return words(cursor, at).and_then(|written| scale(cursor, written)),
        _ => None,
    }?;
    let written = with_fraction(cursor, at, written)?;
    let written = exponent(cursor, at, written)?;
    if let Some(next) = ordinal_end(cursor, written.next) {
        return Some(Written { next, ordinal: true, ..written });
    }
    scale(cursor, written)
}

fn fraction(value: Exact, next: usize) -> Written {
    let number = Number { value, step: Exact::new(1, *value.denom()), digits: 1 };
    Written { number, other: None, next, words: false, scaled: false, ordinal: false }
}

/// The value of ½ and its like.
fn vulgar(sign: &str) -> Option<Exact> {
    let (numerator, denominator) = match sign {
        "½" => (1, 2),
        "⅓" => (1, 3),
        "⅔" => (2, 3),
        "¼" => (1, 4),
        "¾" => (3, 4),
        "⅕" => (1, 5),
        "⅖" => (2, 5),
        "⅗" => (3, 5),
        "⅘" => (4, 5),
        "⅙" => (1, 6),
        "⅚" => (5, 6),
        "⅛" => (1, 8),
        "⅜" => (3, 8),
        "⅝" => (5, 8),
        "⅞" => (7, 8),
        _ => return None,
    };
    Some(Exact::new(numerator, denominator))
}

/// Digits with their separators, in the reading of the language, and the other one where the signs allow it.
fn digits(cursor: &Cursor<'_>, at: usize) -> Option<Written> {
    const MOST_GROUPS: usize = 13;
    // The rest of a run that was no number ("1,2,3") is none either.
    let continues = at >= 2 && cursor.joined(at) && cursor.joined(at - 1) && cursor.is(at - 2, TokenKind::Digits);
    if continues && cursor.is_mark(at - 1, &['.', ',', '\'', '’', '٫', '٬', '·']) {
        return None;
    }
    // 5_100: part of a name, or of a number that another language groups so.
    let underscored = |mark: usize, digits: usize| {
        cursor.is_mark(mark, &['_']) && cursor.is(digits, TokenKind::Digits) && cursor.joined(at.max(mark))
    };
    if (at >= 2 && underscored(at - 1, at - 2)) || underscored(at + 1, at + 2) {
        return None;
    }
    let decimal = cursor.lexicon.decimal();
    let mut groups = vec![cursor.raw(at)];
    let mut signs: Vec<char> = Vec::new();
    let mut next = at + 1;
    while cursor.is(next + 1, TokenKind::Digits) && groups.len() <= MOST_GROUPS {
        let sign = cursor.raw(next).chars().next().unwrap_or_default();
        let three = cursor.digit_count(next + 1) == 3;
        let short = groups.len() > 1 || groups.first().is_some_and(|g| g.chars().count() <= 3);
        let joins = match sign {
            '.' | ',' | '٫' | '٬' | '·' => cursor.joined(next) && cursor.joined(next + 1),
            '\'' | '’' => cursor.joined(next) && three && short,
            '\u{a0}' | '\u{202f}' | '\u{2009}' => three && short && cursor.span(next).len() == sign.len_utf8(),
            // A plain space groups only where the language does not group with a comma.
            ' ' => three && short && decimal == Some(',') && cursor.span(next).len() == 1,
            _ => false,
        };
        if !joins {
            break;
        }
        signs.push(match sign {
            '’' => '\'',
            '\u{a0}' | '\u{202f}' | '\u{2009}' => ' ',
            '·' => '.',
            sign => sign,
        });
        groups.push(cursor.raw(next + 1));
        next += 2;
    }
    let (number, other) = interpret(&groups, &signs, decimal)?;
    // 18.0153(3): the uncertainty of the last digit.
    let uncertain =
        cursor.is_mark(next, &['(']) && cursor.joined(next) && (1..=2).contains(&cursor.digit_count(next + 1));
    if uncertain && number.step < Exact::from_integer(1) && cursor.is_mark(next + 2, &[')']) {
        next += 3;
    }
    Some(Written { number, other, next, words: false, scaled: false, ordinal: false })
}

fn interpret(groups: &[&str], signs: &[char], decimal: Option<char>) -> Option<(Number, Option<Number>)> {
    let grouped = |groups: &[&str]| {
        let lengths: Vec<usize> = groups.iter().map(|g| g.chars().count()).collect();
        let (first, rest) = lengths.split_first()?;
        let (last, middle) = rest.split_last()?;
        let threes = *first <= 3 && *last == 3 && middle.iter().all(|n| *n == 3);
        // 12,34,567
        let indian = *first <= 2 && *last == 3 && middle.iter().all(|n| *n == 2) && !middle.is_empty();
        let zero = groups.first().is_some_and(|g| g.starts_with('0'));
        ((threes || indian) && !zero).then(|| groups.concat())
    };
    let whole = |digits: &str| Number::from_digits(digits, "");
    match (groups, signs) {
        ([one], []) => {
            let padded = one.len() > 1 && one.starts_with('0');
            if padded { None } else { Some((whole(one)?, None)) }
        }
        ([a, b], [sign]) => {
            let as_decimal = Number::from_digits(a, b);
            let as_grouped = grouped(groups).and_then(|digits| whole(&digits));
            let padded = a.len() > 1 && a.starts_with('0');
            match sign {
                '\'' | ' ' | '٬' => Some((as_grouped?, None)),
                '٫' => Some((as_decimal?, None)),
                _ if padded => None,
                sign => match as_grouped {
                    None => Some((as_decimal?, None)),
                    // Where the locale is not known, a full stop is more often a decimal point and a comma a grouping.
                    Some(thousands) if *sign == decimal.unwrap_or('.') => Some((as_decimal?, Some(thousands))),
                    Some(thousands) => Some((thousands, as_decimal)),
                },
            }
        }
        (groups, [first, rest @ ..]) => {
            let (last_sign, middle) = rest.split_last()?;
            let (last, before) = groups.split_last()?;
            if last_sign == first && middle.iter().all(|s| s == first) {
                return Some((whole(&grouped(groups)?)?, None));
            }
            let grouping =
                middle.iter().all(|s| s == first) && last_sign != first && matches!(last_sign, '.' | ',' | '٫');
            let digits = grouped(before).filter(|_| grouping)?;
            Some((Number::from_digits(&digits, last)?, None))
        }
        _ => None,
    }
}

/// `3/4`, `1 1/2`, `2½`, `2 ½`.
fn with_fraction(cursor: &Cursor<'_>, at: usize, written: Written) -> Option<Written> {
    let next = written.next;
    let spaced = cursor.past_space(next);
    if let Some(value) = vulgar(cursor.raw(spaced)) {
        let number = Number { step: Exact::new(1, *value.denom()), ..written.number.plus(value)? };
        return Some(Written { number, next: spaced + 1, ..written });
    }
    let ratio = |at: usize| {
        let slash = cursor.is_mark(at + 1, &['/', '⁄']) && cursor.joined(at + 1) && cursor.joined(at + 2);
        let ends = !(cursor.joined(at + 3)
            && cursor.is_mark(at + 3, &['/', '-', ',', '.'])
            && cursor.joined(at + 4)
            && cursor.is(at + 4, TokenKind::Digits));
        let (a, b) = (cursor.small(at)?, cursor.small(at + 2)?);
        (slash && ends && a < b && matches!(b, 2..=10 | 12 | 16 | 20 | 32 | 64 | 100))
            .then(|| Exact::new(a.into(), b.into()))
    };
    if next == at + 1
        && let Some(value) = ratio(at)
    {
        return Some(fraction(value, at + 3));
    }
    if cursor.is(next, TokenKind::Space)
        && let Some(value) = ratio(spaced)
    {
        return Some(Written { number: written.number.plus(value)?, next: spaced + 3, ..written });
    }
    Some(written)
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
    let base = if cursor.is_mark(times, &['×', '·', '*']) || cursor.raw(times) == "x" {
        cursor.past_space(times + 1)
    } else {
        at
    };
    if cursor.raw(base) != "10" || (base == at && next != at + 1) {
        return Some(written);
    }
    let start = if base == at { Written { number: Number::whole(1), ..written } } else { written };
    if cursor.is_mark(base + 1, &['^']) {
        let negative = cursor.is_mark(base + 2, &['-', '−']);
        let number = base + 2 + usize::from(negative);
        return match cursor.small(number) {
            Some(power) => raised(start, number + 1, power, negative),
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
    cursor.lexicon.numbers.ordinal_endings.contains(cursor.word(at).as_ref()).then_some(at + 1)
}

/// Scale words and signs behind the number.
fn scale(cursor: &Cursor<'_>, mut written: Written) -> Option<Written> {
    let numbers = &cursor.lexicon.numbers;
    let spaced = cursor.past_space(written.next);
    let joined = spaced == written.next && cursor.joined(spaced);
    let sign = cursor.raw(spaced);
    if let Some(power) = numbers.scale_symbols.get(sign).filter(|_| joined || sign.chars().count() > 1) {
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
            && let Some(rest) = digits(cursor, at + 1)
        {
            let number = Number { step: Exact::from_integer(1), ..written.number.plus(rest.number.value)? };
            return Some(Written { number, next: rest.next, ..written });
        }
        at = cursor.past_space(at + 1);
    }
    Some(written)
}

fn apply(written: Written, power: u32, next: usize) -> Option<Written> {
    let other = written.other.and_then(|number| number.scaled(power));
    Some(Written { number: written.number.scaled(power)?, other, next, scaled: true, ..written })
}

/// Number words: "twenty-five", "one hundred and five thousand", "zweiundzwanzig", "quatre-vingt-dix", "two and a half".
fn words(cursor: &Cursor<'_>, at: usize) -> Option<Written> {
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
