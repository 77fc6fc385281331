//! Typed values out of a tree, with structured problems.

use std::fmt::Display;

use serde::de::value::U32Deserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};

use super::values::{A_DECIMAL, DECIMAL, LOCATED};
use super::{DecimalText, Entry, Node, Number, Value};
use crate::diagnostic::{Problem, Span, code, did_you_mean, one_of, quoted};

/// See [`super::decode`].
pub(super) fn from_node<T: DeserializeOwned>(node: &Node) -> Result<T, Problem> {
    T::deserialize(Decoder(node)).map_err(|failure| *failure.0)
}

/// A problem on its way out of a decoder. The place is set by the innermost decoder that it passes.
#[derive(Debug)]
struct Failure(Box<Problem>);

impl Failure {
    fn new(problem: Problem) -> Self {
        Self(Box::new(problem))
    }

    fn at_default(self, span: Span) -> Self {
        Self(Box::new(self.0.at_default(span)))
    }

    fn wrong_type(node: &Node, expected: &str) -> Self {
        let message = match node.value {
            Value::Null => "a value is missing".to_owned(),
            _ => format!("expected {expected}"),
        };
        let problem = Problem::new(code::WRONG_TYPE, message).at(node.span).found(node.describe(), expected);
        Self::new(problem.help_if(help_for_type(node, expected)))
    }
}

fn help_for_type(node: &Node, expected: &str) -> Option<String> {
    let number = expected.contains("number");
    match &node.value {
        Value::Null => Some("give the key a value or delete it".to_owned()),
        Value::Number(number) if expected == "text" => {
            Some(format!("write it in quotation marks: \"{}\"", number.text))
        }
        Value::Bool(value) if expected == "text" => Some(format!("write it in quotation marks: \"{value}\"")),
        Value::List(_) | Value::Map(_) if expected == "text" => {
            Some("text that begins with `[` or `{` needs quotation marks".to_owned())
        }
        Value::Text(text) if number && text.trim().parse::<f64>().is_ok() => {
            Some(format!("write it without quotation marks: {}", text.trim()))
        }
        Value::Text(text) if number && text.ends_with('%') => {
            let share = DecimalText::percent(text)?;
            Some(match expected.contains("whole number") {
                true => format!(
                    "this is a count, not a share: write a whole number, such as {}",
                    text.trim_end_matches(['%', ' '])
                ),
                false => format!("write the percentage as a ratio: {share}"),
            })
        }
        Value::Text(text) if number && text.contains(',') => {
            let point = text.replacen(',', ".", 1);
            let is_number = DecimalText::new(&point).or_else(|| DecimalText::percent(&point)).is_some();
            is_number.then(|| format!("write a decimal point: {point}"))
        }
        Value::Text(text) if expected == "`true` or `false`" => match text.to_lowercase().as_str() {
            "yes" | "on" | "y" => Some("did you mean `true`?".to_owned()),
            "no" | "off" | "n" => Some("did you mean `false`?".to_owned()),
            _ => None,
        },
        Value::Text(_) | Value::Number(_) if expected == "a list" => {
            Some("write it between square brackets, even if it is the only one".to_owned())
        }
        _ => None,
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(formatter)
    }
}

impl std::error::Error for Failure {}

impl de::Error for Failure {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(Problem::new(code::WRONG_VALUE, message.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = readable(&expected.to_string());
        Self::new(Problem::new(code::WRONG_TYPE, format!("expected {expected}")).found(unexpected(found), expected))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = readable(&expected.to_string());
        let message = format!("this must be {expected}");
        Self::new(Problem::new(code::WRONG_VALUE, message).found(unexpected(found), expected))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        let expected = readable(&expected.to_string());
        Self::new(
            Problem::new(code::WRONG_VALUE, format!("this must be {expected}"))
                .found(format!("{length} values"), expected),
        )
    }

    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> Self {
        Self::new(unknown(code::UNKNOWN_NAME, "unknown name", found, expected))
    }

    fn unknown_field(found: &str, expected: &'static [&'static str]) -> Self {
        Self::new(unknown(code::UNKNOWN_KEY, "unknown key", found, expected))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(
            Problem::new(code::MISSING_KEY, format!("key `{field}` is missing"))
                .label(format!("this needs a key `{field}`")),
        )
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(
            Problem::new(code::DUPLICATE_KEY, format!("key `{field}` is given twice, under two of its names"))
                .help("remove one of the two"),
        )
    }
}

fn unknown(code: crate::diagnostic::Code, what: &str, found: &str, expected: &[&str]) -> Problem {
    let label = match expected {
        [] => "nothing is allowed here".to_owned(),
        words if words.len() <= 6 => format!("expected {}", one_of(words)),
        _ => "not known here".to_owned(),
    };
    let suggestion = did_you_mean(found, expected.iter().copied());
    // A help line that only repeats the label says nothing.
    let help = suggestion.filter(|text| expected.len() > 6 || text.starts_with("did you mean"));
    Problem::new(code, format!("{what} {}", quoted(found))).label(label).help_if(help)
}

/// Serde's own words for what is expected, in the words of a person.
fn readable(expected: &str) -> String {
    match expected {
        "a string" | "a borrowed string" => "text".to_owned(),
        "a boolean" => "`true` or `false`".to_owned(),
        "a sequence" => "a list".to_owned(),
        "f64" | "f32" => "a number".to_owned(),
        "i64" | "i32" | "i16" | "i8" | "isize" | "i128" => "a whole number".to_owned(),
        "u8" => "a whole number from 0 to 255".to_owned(),
        "u16" => "a whole number from 0 to 65535".to_owned(),
        "u32" => "a whole number from 0 to 4294967295".to_owned(),
        "u64" | "usize" | "u128" => "a whole number from 0".to_owned(),
        "a nonzero u8" | "a nonzero u16" | "a nonzero u32" | "a nonzero u64" | "a nonzero usize" => {
            "a whole number from 1".to_owned()
        }
        other if other.starts_with("struct ") || other.starts_with("variant ") => "a map".to_owned(),
        other => other.to_owned(),
    }
}

fn unexpected(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => format!("`{value}`"),
        Unexpected::Unsigned(value) => format!("the number {value}"),
        Unexpected::Signed(value) => format!("the number {value}"),
        Unexpected::Float(value) => format!("the number {value}"),
        Unexpected::Str(text) => format!("the text {}", quoted(text)),
        Unexpected::Unit | Unexpected::Option => "nothing".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a map".to_owned(),
        other => other.to_string(),
    }
}

/// Serde's view of a node.
#[derive(Clone, Copy)]
struct Decoder<'a>(&'a Node);

impl Decoder<'_> {
    fn placed<T>(self, result: Result<T, Failure>) -> Result<T, Failure> {
        result.map_err(|failure| failure.at_default(self.0.span))
    }

    fn number(&self, expected: &str) -> Result<&Number, Failure> {
        match &self.0.value {
            Value::Number(number) if number.float.is_finite() => Ok(number),
            Value::Number(number) => Err(Failure::new(
                Problem::new(
                    code::NOT_FINITE,
                    format!("{} is not a number that can be compared", quoted(&number.text)),
                )
                .at(self.0.span)
                .found(&number.text, expected),
            )),
            _ => Err(Failure::wrong_type(self.0, expected)),
        }
    }

    fn whole<'de, V: Visitor<'de>>(self, expected: &str, visitor: V) -> Result<V::Value, Failure> {
        let expected = readable(expected);
        let Some(whole) = self.number(&expected)?.whole else {
            return Err(Failure::wrong_type(self.0, &expected));
        };
        let result = match (u64::try_from(whole), i64::try_from(whole)) {
            (Ok(value), _) => visitor.visit_u64(value),
            (_, Ok(value)) => visitor.visit_i64(value),
            _ => visitor.visit_i128(whole),
        };
        self.placed(result)
    }

    fn list<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.0.value {
            Value::List(items) => {
                let mut access = Items(items.iter());
                let result = visitor.visit_seq(&mut access);
                let left = access.0.len();
                let result = result.and_then(|value| match left {
                    0 => Ok(value),
                    _ => Err(de::Error::invalid_length(items.len(), &"a shorter list")),
                });
                self.placed(result)
            }
            _ => Err(Failure::wrong_type(self.0, "a list")),
        }
    }

    fn map<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.0.value {
            Value::Map(entries) => self.placed(visitor.visit_map(Entries { entries: entries.iter(), value: None })),
            _ => Err(Failure::wrong_type(self.0, "a map")),
        }
    }
}

macro_rules! whole_numbers {
    ($($method:ident $name:literal)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            self.whole($name, visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for Decoder<'_> {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.0.value {
            Value::Null => self.placed(visitor.visit_unit()),
            Value::Bool(value) => self.placed(visitor.visit_bool(*value)),
            Value::Number(number) if number.whole.is_some() => self.whole("i64", visitor),
            Value::Number(_) => self.deserialize_f64(visitor),
            Value::Text(text) => self.placed(visitor.visit_str(text)),
            Value::List(_) => self.list(visitor),
            Value::Map(_) => self.map(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match self.0.value {
            Value::Bool(value) => self.placed(visitor.visit_bool(value)),
            _ => Err(Failure::wrong_type(self.0, "`true` or `false`")),
        }
    }

    whole_numbers! {
        deserialize_i8 "i8" deserialize_i16 "i16" deserialize_i32 "i32" deserialize_i64 "i64" deserialize_i128 "i128"
        deserialize_u8 "u8" deserialize_u16 "u16" deserialize_u32 "u32" deserialize_u64 "u64" deserialize_u128 "u128"
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let float = self.number("a number")?.float;
        self.placed(visitor.visit_f64(float))
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_str(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match &self.0.value {
            Value::Text(text) => self.placed(visitor.visit_str(text)),
            _ => Err(Failure::wrong_type(self.0, "text")),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_str(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_str(visitor)
    }

    /// A key that is there has a value: `min:` alone is an error, not an absent `min`.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.placed(visitor.visit_some(self))
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match self.0.value {
            Value::Null => self.placed(visitor.visit_unit()),
            _ => Err(Failure::wrong_type(self.0, "nothing")),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Failure> {
        let result = match name {
            LOCATED => visitor.visit_seq(PlaceThenValue { value: self, span: self.0.span, step: 0 }),
            DECIMAL => match &self.0.value {
                Value::Text(text) if text.ends_with('%') => visitor.visit_str(text),
                _ => visitor.visit_str(&self.number(A_DECIMAL)?.text),
            },
            _ => visitor.visit_newtype_struct(self),
        };
        self.placed(result)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.list(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Failure> {
        self.list(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.list(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.map(visitor)
    }

    /// Unknown keys are refused here, whatever the type itself would do with them.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        if let Value::Map(entries) = &self.0.value
            && let Some(entry) = entries.iter().find(|entry| !fields.contains(&entry.key.as_str()))
        {
            let failure: Failure = de::Error::unknown_field(&entry.key, fields);
            return Err(failure.at_default(entry.key_span));
        }
        self.map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let result = match &self.0.value {
            Value::Text(word) => visitor.visit_enum(Variant { word, span: self.0.span, content: None }),
            Value::Map(entries) => match entries.as_slice() {
                [entry] => {
                    visitor.visit_enum(Variant { word: &entry.key, span: entry.key_span, content: Some(&entry.value) })
                }
                [] => Err(Failure::wrong_type(self.0, &format!("one of {}", one_of(variants)))),
                [_, second, ..] => Err(Failure::new(
                    Problem::new(code::WRONG_VALUE, format!("{} keys where exactly one is allowed", entries.len()))
                        .at(second.key_span)
                        .label("the second key"),
                )),
            },
            _ => Err(Failure::wrong_type(self.0, &format!("one of {}", one_of(variants)))),
        };
        self.placed(result)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_unit()
    }
}

struct Items<'a>(std::slice::Iter<'a, Node>);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Failure;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Failure> {
        self.0.next().map(|node| seed.deserialize(Decoder(node))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

struct Entries<'a> {
    entries: std::slice::Iter<'a, Entry>,
    value: Option<&'a Entry>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Failure;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Failure> {
        let Some(entry) = self.entries.next() else { return Ok(None) };
        self.value = Some(entry);
        let key = Key { word: &entry.key, span: entry.key_span };
        seed.deserialize(key).map(Some).map_err(|failure| failure.at_default(entry.key_span))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Failure> {
        match self.value.take() {
            Some(entry) => seed.deserialize(Decoder(&entry.value)),
            None => Err(de::Error::custom("a value without a key")),
        }
    }
}

/// A key: text, or what newtypes around text make of it.
#[derive(Clone, Copy)]
struct Key<'a> {
    word: &'a str,
    span: Span,
}

impl<'de> Deserializer<'de> for Key<'_> {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_str(self.word)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Failure> {
        match name {
            LOCATED => visitor.visit_seq(PlaceThenValue { value: self, span: self.span, step: 0 }),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        visitor.visit_enum(self.word.into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Variant<'a> {
    word: &'a str,
    span: Span,
    content: Option<&'a Node>,
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = Failure;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Failure> {
        let value = seed
            .deserialize(Key { word: self.word, span: self.span })
            .map_err(|failure| failure.at_default(self.span))?;
        Ok((value, self))
    }
}

impl Variant<'_> {
    /// Runs `read` on the content; a bare word has the content of an empty map: all options at their defaults.
    fn with_content<T>(self, read: impl FnOnce(Decoder<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        if let Some(content) = self.content {
            return read(Decoder(content));
        }
        let empty = Node { span: self.span, value: Value::Map(Vec::new()) };
        read(Decoder(&empty)).map_err(|failure| {
            let help = match failure.0.code {
                code::MISSING_KEY => format!("write its options: {{ {}: {{ … }} }}", self.word),
                _ => format!("give it a value: {{ {}: … }}", self.word),
            };
            let problem = Problem::new(code::MISSING_KEY, format!("`{}` cannot stand alone", self.word))
                .at(self.span)
                .label(match failure.0.code {
                    code::MISSING_KEY => failure.0.message.to_string(),
                    _ => "it needs a value".to_owned(),
                });
            Failure::new(problem.help(help))
        })
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Failure;

    fn unit_variant(self) -> Result<(), Failure> {
        match self.content {
            None => Ok(()),
            Some(content) => Err(Failure::new(
                Problem::new(code::WRONG_TYPE, format!("`{}` takes no options", self.word))
                    .at(content.span)
                    .found(content.describe(), format!("the bare word `{}`", self.word)),
            )),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Failure> {
        self.with_content(|decoder| seed.deserialize(decoder))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Failure> {
        self.with_content(|decoder| decoder.list(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Failure> {
        self.with_content(|decoder| decoder.deserialize_struct("", fields, visitor))
    }
}

/// How [`super::Located`] is handed over: the three numbers of its place, then the value.
struct PlaceThenValue<D> {
    value: D,
    span: Span,
    step: u8,
}

impl<'de, D: Deserializer<'de, Error = Failure> + Copy> SeqAccess<'de> for PlaceThenValue<D> {
    type Error = Failure;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Failure> {
        let number = match self.step {
            0 => self.span.source,
            1 => self.span.start,
            2 => self.span.end,
            3 => {
                self.step += 1;
                return seed.deserialize(self.value).map(Some);
            }
            _ => return Ok(None),
        };
        self.step += 1;
        let number: U32Deserializer<Failure> = number.into_deserializer();
        seed.deserialize(number).map(Some)
    }
}
