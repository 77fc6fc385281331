//! A JSON value that borrows its text, keeps the order of keys and has no duplicate key.
//!
//! A line is decoded once. Text without escapes is borrowed from the line; a key that stands twice in one object is
//! reported with its path, at any depth, and the first value stays.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Number;

use super::limits::DEEPEST;
use super::malformed;
use super::read::short_key;
use crate::diagnostic::{Problem, code, quoted};

/// Objects up to this many keys are searched for a duplicate one by one, larger ones through a set.
const FEW_KEYS: usize = 16;

/// Duplicate keys described per line; more are not looked at.
const DUPLICATES_SHOWN: usize = 100;

/// A JSON value. Objects keep file order; a duplicate key never gets this far.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A finite number.
    Number(Number),
    /// Text.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<Json<'a>>),
    /// An object.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

/// What one line holds, and which keys stood in it twice.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The value; of a duplicate key the first value.
    pub tree: Json<'a>,
    /// One problem per duplicate key (the first 100), without a place.
    pub duplicates: Vec<Problem>,
}

impl<'a> Json<'a> {
    /// Decodes one JSON value that fills `bytes`, nested at most `depth` deep (capped at [`DEEPEST`]).
    ///
    /// # Errors
    /// What is wrong (bytes that are no UTF-8, malformed JSON, a number that is not finite, too deep nesting), without
    /// a place and without the row's text: the column is counted from 1 in characters, a byte offset from 0.
    pub fn decode(bytes: &'a [u8], depth: usize) -> Result<Decoded<'a>, Problem> {
        let text = std::str::from_utf8(bytes).map_err(|error| malformed::not_utf8(bytes, error))?;
        let mut state = State { duplicates: Vec::new(), too_deep: false };
        let mut decoder = serde_json::Deserializer::from_str(text);
        // The own count below is exact and can be configured; serde_json's is neither.
        decoder.disable_recursion_limit();
        let depth = depth.min(DEEPEST);
        let tree = Value { state: &mut state, room: depth }.deserialize(&mut decoder);
        match tree.and_then(|tree| decoder.end().map(|()| tree)) {
            Ok(tree) => Ok(Decoded { tree, duplicates: state.duplicates.iter().map(Duplicate::problem).collect() }),
            Err(error) if state.too_deep => Err(malformed::too_deep(text, &error, depth)),
            Err(error) => Err(malformed::malformed(text, &error)),
        }
    }

    /// The value of `key`, where this is an object that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        match self {
            Json::Object(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Follows a dotted path such as `meta.intent`.
    #[must_use]
    pub fn path(&self, path: &str) -> Option<&Json<'a>> {
        path.split('.').try_fold(self, |value, key| value.get(key))
    }

    /// The text, where this is text.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The kind of value as messages name it, with its article: `a number`, `an object`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(true) => "true",
            Json::Bool(false) => "false",
            Json::Number(_) => "a number",
            Json::Text(_) => "text",
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
        }
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Number(value) => value.serialize(serializer),
            Json::Text(value) => serializer.serialize_str(value),
            Json::List(values) => serializer.collect_seq(values),
            Json::Object(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// What the decoding of one line has noticed so far.
struct State {
    duplicates: Vec<Duplicate>,
    too_deep: bool,
}

/// A key that stood twice, with the steps that lead to it, innermost first: they are added on the way out, so that a
/// line without duplicates pays nothing for them.
struct Duplicate {
    key: String,
    steps: Vec<Step>,
}

enum Step {
    Key(String),
    Index(usize),
}

impl Duplicate {
    fn problem(&self) -> Problem {
        let mut path = String::new();
        for step in self.steps.iter().rev() {
            match step {
                Step::Key(key) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(short_key(key));
                }
                Step::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        let place = if path.is_empty() { "the case".to_owned() } else { format!("`{path}`") };
        Problem::new(code::DUPLICATE_KEY, format!("the key {} stands twice in {place}", quoted(&self.key)))
            .found("two values", "one value per key")
            .help("keep one of the two")
    }
}

impl State {
    /// Adds a step to every duplicate that was found since there were `before` of them.
    fn step_out(&mut self, before: usize, step: impl Fn() -> Step) {
        for duplicate in self.duplicates.iter_mut().skip(before) {
            duplicate.steps.push(step());
        }
    }
}

/// Decodes one value; `room` lists or objects may still be opened.
struct Value<'s> {
    state: &'s mut State,
    room: usize,
}

impl Value<'_> {
    fn enter<E: serde::de::Error>(&mut self) -> Result<usize, E> {
        self.room.checked_sub(1).ok_or_else(|| {
            self.state.too_deep = true;
            E::custom("too deep")
        })
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = Json<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json<'de>, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json<'de>, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Json<'de>, E> {
        Number::from_f64(value).map(Json::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Json<'de>, A::Error> {
        let room = self.enter()?;
        let mut list = Vec::new();
        loop {
            let before = self.state.duplicates.len();
            let Some(item) = items.next_element_seed(Value { state: &mut *self.state, room })? else { break };
            if self.state.duplicates.len() > before {
                self.state.step_out(before, || Step::Index(list.len()));
            }
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Json<'de>, A::Error> {
        let room = self.enter()?;
        let mut object: Vec<(Cow<'de, str>, Json<'de>)> = Vec::new();
        let mut many: HashSet<Cow<'de, str>> = HashSet::new();
        while let Some(key) = entries.next_key_seed(Key)? {
            let before = self.state.duplicates.len();
            let value = entries.next_value_seed(Value { state: &mut *self.state, room })?;
            if self.state.duplicates.len() > before {
                self.state.step_out(before, || Step::Key(key.to_string()));
            }
            if object.len() == FEW_KEYS {
                many.extend(object.iter().map(|(name, _)| name.clone()));
            }
            let twice = if object.len() < FEW_KEYS {
                object.iter().any(|(name, _)| *name == key)
            } else {
                !many.insert(key.clone())
            };
            if !twice {
                object.push((key, value));
            } else if self.state.duplicates.len() < DUPLICATES_SHOWN {
                self.state.duplicates.push(Duplicate { key: key.into_owned(), steps: Vec::new() });
            }
        }
        Ok(Json::Object(object))
    }
}

/// Decodes the key of an object.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(value.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode(line: &str) -> Result<Decoded<'_>, Problem> {
        Json::decode(line.as_bytes(), 128)
    }

    fn duplicates(line: &str) -> Vec<String> {
        decode(line)
            .map(|decoded| decoded.duplicates.iter().map(|p| p.message.to_string()).collect())
            .unwrap_or_default()
    }

    #[test]
    fn text_without_escapes_is_borrowed_and_keys_keep_their_order() {
        let line = r#"{"b":"plain","a":"tab\t","é":[1,-2,2.5,null,true]}"#;
        let tree = decode(line).unwrap().tree;
        let Json::Object(entries) = &tree else { panic!("an object") };
        assert_eq!(entries.iter().map(|(key, _)| key.as_ref()).collect::<Vec<_>>(), ["b", "a", "é"]);
        assert!(matches!(tree.get("b"), Some(Json::Text(Cow::Borrowed("plain")))));
        assert!(matches!(tree.get("a"), Some(Json::Text(Cow::Owned(text))) if text == "tab\t"));
        assert_eq!(serde_json::to_string(&tree).unwrap(), line);
    }

    #[test]
    fn every_duplicate_key_is_named_with_its_path() {
        assert_eq!(duplicates(r#"{"a":1,"a":2}"#), [r#"the key "a" stands twice in the case"#]);
        assert_eq!(
            duplicates(r#"{"x":[0,{"y":{"k":1,"k":2}}],"x":3}"#),
            [r#"the key "k" stands twice in `x[1].y`"#, r#"the key "x" stands twice in the case"#]
        );
        // An escape does not hide a duplicate.
        assert_eq!(duplicates(r#"{"a":1,"\u0061":2}"#).len(), 1);
    }

    #[test]
    fn duplicates_are_found_in_large_objects_too() {
        let mut entries: Vec<String> = (0..40).map(|index| format!(r#""k{index}":0"#)).collect();
        for repeated in ["k0", "k15", "k16", "k39"] {
            entries.push(format!(r#""{repeated}":1"#));
        }
        let line = format!("{{{}}}", entries.join(","));
        assert_eq!(duplicates(&line).len(), 4);
        let Ok(Decoded { tree: Json::Object(kept), .. }) = decode(&line) else { panic!("an object") };
        assert_eq!(kept.len(), 40);
    }

    #[test]
    fn nesting_is_counted_exactly_and_the_deepest_fits_a_thread() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(decode(&nested(128)).is_ok());
        assert_eq!(decode(&nested(129)).unwrap_err().code, code::TOO_DEEP);
        let worker = std::thread::spawn(move || {
            let (fits, deeper) = (nested(DEEPEST), nested(DEEPEST + 1));
            (Json::decode(fits.as_bytes(), usize::MAX).is_ok(), Json::decode(deeper.as_bytes(), usize::MAX).is_ok())
        });
        assert_eq!(worker.join().unwrap(), (true, false));
    }

    #[test]
    fn a_path_leads_through_objects() {
        let tree = decode(r#"{"meta":{"intent":"refund"}}"#).unwrap().tree;
        assert_eq!(tree.path("meta.intent").and_then(Json::as_text), Some("refund"));
        assert_eq!(tree.path("meta.intent.deeper"), None);
    }

    fn any_json() -> impl Strategy<Value = Json<'static>> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::Bool),
            any::<u64>().prop_map(|n| Json::Number(n.into())),
            (i64::MIN..0).prop_map(|n| Json::Number(n.into())),
            any::<f64>().prop_filter_map("finite", |n| Number::from_f64(n).map(Json::Number)),
            any::<String>().prop_map(|text| Json::Text(text.into())),
        ];
        leaf.prop_recursive(5, 60, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Json::List),
                prop::collection::btree_map(any::<String>(), inner, 0..20)
                    .prop_map(|map| Json::Object(map.into_iter().map(|(key, value)| (key.into(), value)).collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(tree in any_json()) {
            let line = serde_json::to_vec(&tree).unwrap();
            let decoded = Json::decode(&line, 128).unwrap();
            prop_assert!(decoded.duplicates.is_empty());
            prop_assert_eq!(decoded.tree, tree);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Json::decode(&bytes, 8);
        }

        #[test]
        fn no_broken_json_makes_it_panic(tree in any_json(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
            let mut line = serde_json::to_vec(&tree).unwrap();
            let at = at.index(line.len());
            line[at] = byte;
            let _ = Json::decode(&line, 8);
        }
    }
}
