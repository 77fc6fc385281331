//! YAML as a tree with places: the only file that names the YAML decoder.
//!
//! A file is parsed once, into [`Node`]s that know where they stand. [`decode`] then turns any node into a typed
//! value, so that each entry of a file can be decoded on its own and one run finds the problems of all of them.

mod decode;
mod emit;
mod values;

use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};
use serde_yaml::{Error, Spanned};

use crate::diagnostic::{Problem, Problems, Span, code, harmless, quoted};

pub use emit::emit;
pub use values::{DecimalText, Located};

/// The nesting of lists and maps that is read, in levels: each costs stack, 35 kB of it in a debug build.
const DEEPEST: usize = 24;
/// The number of values in one file, what its aliases expand to included.
const MOST_NODES: usize = 1_000_000;
/// The number of values that aliases may add to one file.
const MOST_ALIASED: usize = 20_000;

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it stands; for a block map, its first key.
    pub span: Span,
    /// What it is.
    pub value: Value,
}

/// What a [`Node`] is.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `~`, `null` or nothing at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without quotation marks.
    Number(Number),
    /// Text, with its quotation marks and escapes resolved.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A map, in the order of the file, without repeated keys.
    Map(Vec<Entry>),
}

/// A number and how it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// The characters of the file, such as `0.050`.
    pub text: String,
    /// The whole number, where it is one and is small enough.
    pub whole: Option<i128>,
    /// The nearest floating point number; may be NaN or infinite.
    pub float: f64,
}

/// One key of a map with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// The value of a key, where this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }

    /// What this is, for a message: "the number 95", "a list", "nothing".
    pub fn describe(&self) -> String {
        match &self.value {
            Value::Null => "nothing".to_owned(),
            Value::Bool(value) => format!("`{value}`"),
            Value::Number(number) => format!("the number {}", harmless(&number.text)),
            Value::Text(text) => format!("the text {}", quoted(text)),
            Value::List(items) if items.is_empty() => "an empty list".to_owned(),
            Value::List(_) => "a list".to_owned(),
            Value::Map(entries) if entries.is_empty() => "an empty map".to_owned(),
            Value::Map(_) => "a map".to_owned(),
        }
    }
}

/// Parses one document. `source` is the index of `text` in `problems`. Syntax errors, several documents, too much
/// nesting and alias bombs give one problem and no tree; repeated keys and keys that are not text are reported one by
/// one and left out of the tree.
pub fn parse(source: u32, text: &str, problems: &mut Problems) -> Option<Node> {
    let (skipped, body) = match text.strip_prefix('\u{feff}') {
        Some(body) => ('\u{feff}'.len_utf8(), body),
        None => (0, text),
    };
    let options = serde_yaml::options! {
        strict_booleans: true,
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        merge_keys: MergeKeyPolicy::Error,
        reject_unsupported_tags: true,
        with_snippet: false,
        budget: serde_yaml::budget! {
            max_depth: DEEPEST,
            flow_nesting_limit: DEEPEST,
            max_nodes: MOST_NODES,
            max_events: 4 * MOST_NODES,
        },
        alias_limits: serde_yaml::alias_limits! {
            max_total_replayed_events: MOST_ALIASED,
        },
    };
    match serde_yaml::from_str_with_options::<Spanned<Raw>>(body, options) {
        Ok(raw) => Some(Builder { source, skipped, body, problems }.node(raw)),
        Err(error) => {
            problems.push(problem_of(&error, source, skipped, body));
            None
        }
    }
}

/// Decodes a node as a `T`. The problem names the innermost place at which the node is not a `T`.
///
/// # Errors
///
/// One problem: an unknown or missing key, an unknown word, a value of the wrong type or outside of its range.
pub fn decode<T: DeserializeOwned>(node: &Node) -> Result<T, Problem> {
    decode::from_node(node)
}

/// A choice that is written as a bare word, or as the single key of a map that holds its options.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'a> {
    /// The word.
    pub word: &'a str,
    /// Where the word stands.
    pub span: Span,
    /// The options, where there are any.
    pub options: Option<&'a Node>,
}

/// Reads a choice; `what` names the thing that is chosen, such as "a kind of check".
///
/// # Errors
///
/// Where the node is neither a word nor a map with one key.
pub fn choice<'a>(node: &'a Node, what: &str) -> Result<Choice<'a>, Problem> {
    match &node.value {
        Value::Text(word) => Ok(Choice { word, span: node.span, options: None }),
        Value::Map(entries) => match entries.as_slice() {
            [entry] => Ok(Choice { word: &entry.key, span: entry.key_span, options: Some(&entry.value) }),
            [] => Err(Problem::new(code::EMPTY, format!("expected {what}")).at(node.span).found("an empty map", what)),
            [_, second, ..] => {
                Err(Problem::new(code::WRONG_VALUE, format!("{} keys where {what} is the only one", entries.len()))
                    .at(second.key_span)
                    .label("the second key")
                    .help("one rule has one check; its options stand one level deeper: `kind: { option: value }`"))
            }
        },
        _ => Err(Problem::new(code::WRONG_TYPE, format!("expected {what}")).at(node.span).found(node.describe(), what)),
    }
}

impl Choice<'_> {
    /// Decodes the options with `read`; a bare word stands for no options, which is an empty map.
    ///
    /// # Errors
    ///
    /// Those of `read`; where a bare word does not suffice, one problem that says so.
    pub fn with_options<T>(self, read: impl FnOnce(&Node) -> Result<T, Vec<Problem>>) -> Result<T, Vec<Problem>> {
        if let Some(options) = self.options {
            return read(options);
        }
        let empty = Node { span: self.span, value: Value::Map(Vec::new()) };
        read(&empty).map_err(|problems| {
            let missing = |problem: Problem| match problem.code {
                code::MISSING_KEY => Problem::new(code::MISSING_KEY, format!("`{}` cannot stand alone", self.word))
                    .at(self.span)
                    .label(&*problem.message)
                    .help(format!("write its options: {{ {}: {{ … }} }}", self.word)),
                _ => problem.at_default(self.span),
            };
            problems.into_iter().map(missing).collect()
        })
    }
}

/// Reads a whole file as a `T`; `name` is the file's name for messages.
///
/// # Errors
///
/// Everything that is wrong with its syntax, or else the first place at which it is not a `T`.
pub fn read<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, Problems> {
    let mut problems = Problems::new();
    let source = problems.add_source(name, text);
    let Some(node) = parse(source, text, &mut problems) else {
        return Err(problems);
    };
    match decode(&node) {
        Ok(value) if problems.is_empty() => Ok(value),
        Ok(_) => Err(problems),
        Err(problem) => {
            problems.push(problem);
            Err(problems)
        }
    }
}

/// A value as the decoder gives it.
enum Raw {
    Null,
    Bool(bool),
    Whole(i128),
    Float(f64),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<Raw>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        Raw::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Whole(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Whole(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Raw, E> {
        Ok(Raw::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = access.next_key()? {
            entries.push((key, access.next_value()?));
        }
        Ok(Raw::Map(entries))
    }

    fn visit_bytes<E: serde::de::Error>(self, _: &[u8]) -> Result<Raw, E> {
        Err(E::custom("binary values are not supported"))
    }
}

/// Turns what the decoder gives into nodes.
struct Builder<'a> {
    source: u32,
    /// The bytes of a byte order mark before `body`.
    skipped: usize,
    body: &'a str,
    problems: &'a mut Problems,
}

impl Builder<'_> {
    /// The bytes of the text at which a value is defined (for an alias: at its anchor).
    fn bytes(&self, raw: &Spanned<Raw>) -> (usize, usize) {
        let span = raw.defined.span();
        let as_usize = |offset: Option<u64>| offset.and_then(|offset| usize::try_from(offset).ok());
        let start = as_usize(span.byte_offset()).unwrap_or(0).min(self.body.len());
        let end = start.saturating_add(as_usize(span.byte_len()).unwrap_or(0)).min(self.body.len());
        (start, end)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        span_of(self.source, start + self.skipped, end + self.skipped)
    }

    fn node(&mut self, raw: Spanned<Raw>) -> Node {
        let (start, end) = self.bytes(&raw);
        // A block collection has no token of its own: its first character stands for it.
        let end = match raw.value {
            Raw::List(_) | Raw::Map(_) => end.max(start + 1).min(self.body.len()),
            Raw::Text(_) => start + self.body.get(start..end).map_or(0, |text| text.trim_end().len()),
            _ => end,
        };
        let mut span = self.span(start, end);
        let value = match raw.value {
            Raw::Null => Value::Null,
            Raw::Bool(value) => Value::Bool(value),
            Raw::Text(text) => Value::Text(text),
            Raw::Whole(whole) => self.number(start, end, Some(whole), whole as f64),
            Raw::Float(float) => self.number(start, end, None, float),
            Raw::List(items) => Value::List(items.into_iter().map(|item| self.node(item)).collect()),
            Raw::Map(entries) => {
                let flow = self.body.as_bytes().get(start) == Some(&b'{');
                let entries = self.entries(entries);
                if let (false, Some(first)) = (flow, entries.first()) {
                    span = first.key_span;
                }
                Value::Map(entries)
            }
        };
        Node { span, value }
    }

    fn number(&self, start: usize, end: usize, whole: Option<i128>, float: f64) -> Value {
        let written = self.body.get(start..end).unwrap_or_default().trim();
        let text = match (written, whole) {
            ("", Some(whole)) => whole.to_string(),
            ("", None) => float.to_string(),
            (written, _) => written.to_owned(),
        };
        Value::Number(Number { text, whole, float })
    }

    fn entries(&mut self, raw: Vec<(Spanned<Raw>, Spanned<Raw>)>) -> Vec<Entry> {
        let mut seen: HashMap<String, Span> = HashMap::new();
        let mut entries = Vec::with_capacity(raw.len());
        for (key, value) in raw {
            let key = self.node(key);
            let mut value = self.node(value);
            // A value that is not written has no place of its own.
            if value.span.start == value.span.end {
                value.span = key.span;
            }
            let Value::Text(name) = key.value else {
                let problem = Problem::new(code::WRONG_TYPE, "a key that is not text")
                    .at(key.span)
                    .found(key.describe(), "text")
                    .help("write the key in quotation marks");
                self.problems.push(problem);
                continue;
            };
            if let Some(first) = seen.get(&name) {
                let problem =
                    Problem::new(code::DUPLICATE_KEY, format!("key {} stands twice in one map", quoted(&name)))
                        .at(key.span)
                        .label("the second time")
                        .and(*first, "the first time")
                        .help("remove one of the two");
                self.problems.push(problem);
                continue;
            }
            seen.insert(name.clone(), key.span);
            entries.push(Entry { key: name, key_span: key.span, value });
        }
        entries
    }
}

fn span_of(source: u32, start: usize, end: usize) -> Span {
    let small = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span { source, start: small(start), end: small(end) }
}

/// An error of the decoder as a problem of ours.
fn problem_of(error: &Error, source: u32, skipped: usize, body: &str) -> Problem {
    let cause = root(error);
    let location = error.location().or_else(|| cause.location());
    let (start, end) = location.map_or((0, 0), |location| {
        // Only the count of characters is always there.
        let at = usize::try_from(location.span().offset()).unwrap_or(usize::MAX);
        let mut boundaries = body.char_indices().map(|(byte, _)| byte).skip(at);
        let start = boundaries.next().unwrap_or(body.len());
        (start, boundaries.next().unwrap_or(body.len()))
    });
    let span = span_of(source, start + skipped, end + skipped);
    let problem = match cause {
        Error::MultipleDocuments { .. } => {
            Problem::new(code::MULTIPLE_DOCUMENTS, "the file holds more than one document")
                .label("the second document begins here")
                .help("remove the `---` and what follows, or move it to a file of its own")
        }
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayCounterOverflow { .. } => Problem::new(
            code::TOO_LARGE,
            "the file, or what its aliases expand to, is too large or nested too deeply",
        )
        .label("the limit is passed here")
        .help(format!(
            "at most {MOST_NODES} values, {MOST_ALIASED} of them through aliases, and {DEEPEST} levels of nesting"
        )),
        Error::MergeKeyNotAllowed { .. } => Problem::new(code::SYNTAX, "merge keys (`<<`) are not supported")
            .label("found here")
            .help("write the keys out"),
        Error::UnknownAnchor { .. } => Problem::new(code::SYNTAX, "an alias without an anchor")
            .label("nothing of this name is declared before")
            .help("a text that begins with `*` needs quotation marks"),
        other => syntax_problem(other),
    };
    problem.at(span)
}

fn too_large() -> Problem {
    Problem::new(code::TOO_LARGE, "the file, or what its aliases expand to, is too large or nested too deeply")
        .label("the limit is passed here")
        .help(format!(
            "at most {MOST_NODES} values, {MOST_ALIASED} of them through aliases, and {DEEPEST} levels of nesting"
        ))
}

fn syntax_problem(error: &Error) -> Problem {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    let text = text.split("error: ").last().unwrap_or_default();
    if text.contains("recursion limit") {
        return too_large();
    }
    let problem = Problem::new(code::SYNTAX, format!("not valid YAML: {}", text.replace('`', "'")));
    let help = if text.contains("tab") {
        Some("indent with spaces, never with tabs")
    } else if text.contains("unexpected character") && text.contains("\\u{") {
        Some("remove this character, which cannot be seen")
    } else if text.contains("unexpected character") {
        Some("text that begins with a special character needs quotation marks")
    } else if text.contains("block collection") || text.contains("block mapping") {
        Some("the keys of one entry stand below each other, in one column")
    } else if text.contains("unclosed quote") {
        Some("close the quotation marks; inside of \"…\" write \\\" and inside of '…' write ''")
    } else if text.contains("tag") {
        Some("remove the tag; a text that begins with `!` needs quotation marks")
    } else {
        None
    };
    problem.label("reading stopped here").help_if(help.map(str::to_owned))
}

fn root(error: &Error) -> &Error {
    match error {
        Error::AliasError { error, .. } | Error::WithSnippet { error, .. } => root(error),
        other => other,
    }
}

#[cfg(test)]
mod tests;
