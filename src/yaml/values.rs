//! Values that know more than what they say: where they stand, or how they are written.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use num_bigint::BigInt;
use num_rational::BigRational;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

use crate::diagnostic::Span;

/// The names by which the tree decoder knows these types.
pub(super) const LOCATED: &str = "$citeward::Located";
pub(super) const A_DECIMAL: &str = "a decimal number";
pub(super) const DECIMAL: &str = "$citeward::DecimalText";

/// A value and the place at which it stands. In a schema it is its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its place; all zero when it was not read from a file.
    pub span: Span,
}

impl<T> Located<T> {
    /// A value that stands nowhere.
    pub fn nowhere(value: T) -> Self {
        Self { value, span: Span::default() }
    }
}

impl<T> Deref for Located<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(LOCATED, LocatedVisitor(PhantomData))
    }
}

struct LocatedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for LocatedVisitor<T> {
    type Value = Located<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Located<T>, D::Error> {
        T::deserialize(deserializer).map(Located::nowhere)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Located<T>, A::Error> {
        let mut number = || -> Result<u32, A::Error> {
            access.next_element()?.ok_or_else(|| A::Error::custom("a place has three numbers"))
        };
        let span = Span { source: number()?, start: number()?, end: number()? };
        let value = access.next_element()?.ok_or_else(|| A::Error::custom("a place without a value"))?;
        Ok(Located { value, span })
    }
}

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A decimal number with the digits as they are written, so that it can be compared exactly: `0.050` stays `0.050`.
/// At most 40 characters, with an exponent between -30 and 30. In a file a percentage may stand for it: `5%` is 0.05.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecimalText {
    text: String,
    value: BigRational,
    is_percent: bool,
}

impl DecimalText {
    /// Reads `[+-]digits[.digits][e[+-]digits]`. `None` for everything else, NaN and hexadecimal numbers included.
    pub fn new(text: &str) -> Option<Self> {
        const LONGEST: usize = 40;
        const LARGEST_EXPONENT: i32 = 30;
        if text.len() > LONGEST {
            return None;
        }
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (negative, digits) = match mantissa.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if exponent.abs() > LARGEST_EXPONENT || whole.is_empty() && fraction.is_empty() {
            return None;
        }
        if !all_digits(whole) || !all_digits(fraction) {
            return None;
        }
        let number: BigInt = format!("{whole}{fraction}").parse().ok()?;
        let number = if negative { -number } else { number };
        let shift = exponent - i32::try_from(fraction.len()).ok()?;
        let power = BigInt::from(10).pow(shift.unsigned_abs());
        let value = if shift < 0 { BigRational::new(number, power) } else { BigRational::from_integer(number * power) };
        Some(Self { text: text.to_owned(), value, is_percent: false })
    }

    /// Reads a percentage, `5%` or `0.5 %`, as the ratio that it is. `None` for everything else.
    pub fn percent(text: &str) -> Option<Self> {
        let number = text.strip_suffix('%')?.trim_end();
        if number.contains(['e', 'E']) {
            return None;
        }
        let (sign, digits) = match number.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", number.strip_prefix('+').unwrap_or(number)),
        };
        // The point moves by two places.
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let moved = format!("{whole:0>3}");
        let (whole, tenths) = moved.split_at_checked(moved.len() - 2)?;
        let whole = whole.trim_start_matches('0');
        let fraction = format!("{tenths}{fraction}");
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        let ratio = format!("{sign}{}{point}{fraction}", if whole.is_empty() { "0" } else { whole });
        // The digits are checked as they are written.
        Self::new(number)?;
        Some(Self { is_percent: true, ..Self::new(&ratio)? })
    }

    /// Whether it is written as a percentage.
    pub fn is_percent(&self) -> bool {
        self.is_percent
    }

    /// The digits as they are written; of a percentage those of the ratio.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The exact value.
    pub fn ratio(&self) -> &BigRational {
        &self.value
    }

    /// The nearest floating point number; for display and statistics, never for a comparison with a bound.
    pub fn to_f64(&self) -> f64 {
        self.text.parse().unwrap_or(f64::NAN)
    }
}

impl fmt::Display for DecimalText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for DecimalText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(DECIMAL, DecimalVisitor)
    }
}

struct DecimalVisitor;

impl<'de> Visitor<'de> for DecimalVisitor {
    type Value = DecimalText;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(A_DECIMAL)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<DecimalText, D::Error> {
        deserializer.deserialize_any(self)
    }

    /// The tree decoder hands over the digits of the file.
    fn visit_str<E: Error>(self, text: &str) -> Result<DecimalText, E> {
        let read = if text.ends_with('%') { DecimalText::percent(text) } else { DecimalText::new(text) };
        read.ok_or_else(|| {
            E::custom("not a plain decimal number of at most 40 characters, nor a percentage such as 5%")
        })
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<DecimalText, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<DecimalText, E> {
        self.visit_str(&value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<DecimalText, E> {
        self.visit_str(&value.to_string())
    }
}

impl JsonSchema for DecimalText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "DecimalText".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string"], "pattern": r"^\d*\.?\d+ *%$" })
    }
}
