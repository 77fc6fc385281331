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
                let whole = entries.last().and_then(|entry: &Entry| match &entry.value.value {
                    Value::Number(number) if number.whole.is_some() => Some(number.text.as_str()),
                    _ => None,
                });
                let help = match (&key.value, whole, &value.value) {
                    (Value::Number(digits), Some(whole), Value::Null) => {
                        format!("a decimal comma makes two entries of it: write {whole}.{}", digits.text)
                    }
                    (Value::List(_) | Value::Map(_), ..) => {
                        "text that begins with `[` or `{` needs quotation marks".to_owned()
                    }
                    _ => "write the key in quotation marks".to_owned(),
                };
                let problem = Problem::new(code::WRONG_TYPE, "a key that is not text")
                    .at(key.span)
                    .found(key.describe(), "text")
                    .help(help);
                self.problems.push(problem);
                continue;
            };
            self.idle_anchor(key.span, value.span);
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

impl Builder<'_> {
    /// Reports an anchor between a key and its value that no alias refers to: a text that was meant to begin with `&`.
    fn idle_anchor(&mut self, key: Span, value: Span) {
        let (from, to) = (key.end as usize, value.start as usize);
        let (Some(from), Some(to)) = (from.checked_sub(self.skipped), to.checked_sub(self.skipped)) else { return };
        let Some(between) = self.body.get(from..to) else { return };
        let Some(at) = between.find(" &") else { return };
        // What stands behind a `#` is a comment.
        if between.get(..at).is_some_and(|before| before.contains('#')) {
            return;
        }
        let rest = between.get(at + 2..).unwrap_or_default();
        let name = rest.split(char::is_whitespace).next().unwrap_or_default();
        if self.body.contains(&format!("*{name}")) {
            return;
        }
        let line = Line::at(self.body, from + at + 1);
        let written = line.value(line.at).unwrap_or_default();
        let problem = Problem::new(code::NO_EFFECT, "an anchor that no alias refers to")
            .at(self.span(from + at + 1, from + at + 2 + name.len()))
            .label("this is no part of the text")
            .help(format!("text that begins with `&` needs quotation marks: {}", in_quotes(written)));
        self.problems.push(problem);
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
    let (start, end) = match cause.to_string().contains("tab") {
        true => tab_after(body, start).map_or((start, end), |tab| (tab, tab + 1)),
        false => (start, end),
    };
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
            .help(match Line::at(body, start).value(Line::at(body, start).at) {
                Some(written) => format!("a text that begins with `*` needs quotation marks: {}", in_quotes(written)),
                None => "a text that begins with `*` needs quotation marks".to_owned(),
            }),
        other => syntax_problem(other, body, start),
    };
    problem.at(span)
}

/// The first tab in an indentation, from the line of a place on.
fn tab_after(body: &str, at: usize) -> Option<usize> {
    let start = body.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let mut offset = start;
    for line in body.get(start..)?.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(tab) = line.get(..indent).and_then(|indent| indent.find('\t')) {
            return Some(offset + tab);
        }
        offset += line.len();
    }
    None
}

fn too_large() -> Problem {
    Problem::new(code::TOO_LARGE, "the file, or what its aliases expand to, is too large or nested too deeply")
        .label("the limit is passed here")
        .help(format!(
            "at most {MOST_NODES} values, {MOST_ALIASED} of them through aliases, and {DEEPEST} levels of nesting"
        ))
}

fn syntax_problem(error: &Error, body: &str, at: usize) -> Problem {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    let text = text.split("error: ").last().unwrap_or_default();
    if text.contains("recursion limit") {
        return too_large();
    }
    let problem = Problem::new(code::SYNTAX, format!("not valid YAML: {}", text.replace('`', "'")));
    problem.label("reading stopped here").help_if(help_for_syntax(text, &Line::at(body, at)))
}

/// What to do about an error of syntax, with the right form of the text that it is about where that can be told.
fn help_for_syntax(text: &str, line: &Line<'_>) -> Option<String> {
    let says = |part: &str| text.contains(part);
    let needs_marks = |start: Option<usize>| {
        let written = start.and_then(|start| line.value(start));
        let first = written.and_then(|written| written.chars().next());
        match (first, written) {
            (Some(first), Some(written)) => {
                format!("text that begins with `{first}` needs quotation marks: {}", in_quotes(written))
            }
            _ => "text that begins with a special character needs quotation marks".to_owned(),
        }
    };
    Some(if says("tab") {
        "indent with spaces, never with tabs".to_owned()
    } else if says("unknown escape") {
        let quoted = line.text.get(line.at + 1..).and_then(|rest| rest.rsplit_once('"'));
        let form = quoted.map_or_else(String::new, |(inner, _)| format!(": {}", in_quotes(inner)));
        format!("between single quotation marks a backslash stays a backslash{form}")
    } else if says("mapping values are not allowed") {
        let start = line.text.find(": ").filter(|colon| *colon < line.at).map(|colon| colon + 2);
        match start.and_then(|start| line.value(start)) {
            Some(written) => format!("text with a colon in it needs quotation marks: {}", in_quotes(written)),
            None => "the keys of one entry stand below each other, in one column".to_owned(),
        }
    } else if says("unexpected character") && says("\\u{") {
        "remove this character, which cannot be seen".to_owned()
    } else if says("tag") {
        let start = line.text.find(": !").map(|colon| colon + 2);
        match start.and_then(|start| line.value(start)) {
            Some(written) => {
                format!("remove the tag; a text that begins with `!` needs quotation marks: {}", in_quotes(written))
            }
            None => "remove the tag; a text that begins with `!` needs quotation marks".to_owned(),
        }
    } else if says("unexpected character")
        || says("block scalar")
        || says("mapping keys are not allowed")
        || says("block sequence entries are not allowed")
    {
        needs_marks(Some(line.at))
    } else if says("trailing content after") {
        "inside of '…' write '' for one '".to_owned()
    } else if says("unclosed quote") {
        "close the quotation marks; inside of \"…\" write \\\" and inside of '…' write ''".to_owned()
    } else if let (true, Some(start)) = (says("did not find expected"), line.opened()) {
        needs_marks(Some(start))
    } else if says("block collection") || says("block mapping") {
        "the keys of one entry stand below each other, in one column".to_owned()
    } else {
        return None;
    })
}

/// The line at which reading stopped.
struct Line<'a> {
    text: &'a str,
    /// Where in it, in bytes.
    at: usize,
}

impl<'a> Line<'a> {
    fn at(body: &'a str, at: usize) -> Self {
        let start = body.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        let text = body.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
        Self { text, at: at.saturating_sub(start) }
    }

    /// The value that begins at a byte: to the end of the line, or of the braces that it stands in.
    fn value(&self, start: usize) -> Option<&'a str> {
        let mut rest = self.text.get(start..)?.trim_end();
        for (open, close) in [('{', '}'), ('[', ']'), ('{', '}')] {
            while rest.ends_with(close) && rest.matches(close).count() > rest.matches(open).count() {
                rest = rest.strip_suffix(close).unwrap_or(rest).trim_end();
            }
        }
        (!rest.is_empty()).then_some(rest)
    }

    /// Where the value begins that opens with a bracket or brace before the place, and was meant as text.
    fn opened(&self) -> Option<usize> {
        let before = self.text.get(..self.at)?;
        [": [", ": {"].iter().filter_map(|opening| before.rfind(opening)).max().map(|colon| colon + 2)
    }
}

/// A text as it is written between single quotation marks.
fn in_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn root(error: &Error) -> &Error {
    match error {
        Error::AliasError { error, .. } | Error::WithSnippet { error, .. } => root(error),
        other => other,
    }
}

#[cfg(test)]
mod tests;
