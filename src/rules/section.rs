//! The sections of rule files, merged over all files of a policy.

use std::collections::HashMap;

use serde::de::DeserializeOwned;

use crate::diagnostic::{Problem, Problems, Span, code, did_you_mean, quoted};
use crate::yaml::{self, Entry, Node, Value};

/// The format version that this program reads.
pub const VERSION: i128 = 1;

/// Sections that are lists: the entries of all files, one after the other.
pub const LISTS: [&str; 4] = ["markers", "rules", "slices", "gates"];

/// Sections that are maps: the keys of all files together; no key may stand in two files.
pub const MAPS: [&str; 10] =
    ["claims", "baseline", "judge", "review", "redact", "limits", "lexicons", "owners", "report", "drill"];

/// All sections of a policy as trees, in the order of [`LISTS`] and [`MAPS`].
#[derive(Debug, Default)]
pub(super) struct Sections {
    lists: HashMap<&'static str, Vec<Node>>,
    maps: HashMap<&'static str, Node>,
    /// Where a file begins, for problems about the policy as a whole.
    pub(super) first: Option<Span>,
}

impl Sections {
    /// The entries of a list section, decoded one by one; the first problem of each is reported.
    pub(super) fn entries<T: DeserializeOwned>(&self, name: &str, problems: &mut Problems) -> Vec<(Node, T)> {
        let mut decoded = Vec::new();
        for node in self.nodes(name) {
            match yaml::decode(node) {
                Ok(value) => decoded.push((node.clone(), value)),
                Err(problem) => problems.push(problem),
            }
        }
        decoded
    }

    /// The entries of a list section as trees.
    pub(super) fn nodes(&self, name: &str) -> &[Node] {
        self.lists.get(name).map_or(&[], Vec::as_slice)
    }

    /// A map section as a tree.
    pub(super) fn node(&self, name: &str) -> Option<&Node> {
        self.maps.get(name)
    }

    /// A map section, decoded; its defaults where it is absent or wrong.
    pub(super) fn map<T: DeserializeOwned + Default>(&self, name: &str, problems: &mut Problems) -> T {
        let Some(node) = self.node(name) else { return T::default() };
        yaml::decode(node).unwrap_or_else(|problem| {
            problems.push(problem);
            T::default()
        })
    }

    /// Adds the sections of one file. What is wrong with its version or its syntax ends that file only.
    pub(super) fn add_file(&mut self, source: u32, problems: &mut Problems) {
        let Some(text) = problems.source(source).map(|source| source.text.clone()) else { return };
        let Some(root) = yaml::parse(source, &text, problems) else { return };
        let start = Span { source, start: 0, end: 0 };
        self.first.get_or_insert(start);
        let Value::Map(entries) = &root.value else {
            problems.push(not_a_map(&root, start));
            return;
        };
        if !version(entries, root.span, problems) {
            return;
        }
        for entry in entries {
            self.add_section(entry, problems);
        }
    }

    fn add_section(&mut self, entry: &Entry, problems: &mut Problems) {
        if entry.key == "version" {
            return;
        }
        if let Some(name) = LISTS.iter().find(|name| **name == entry.key) {
            let list = self.lists.entry(name).or_default();
            match &entry.value.value {
                Value::List(items) if items.is_empty() => problems.push(empty(entry, "a list of entries")),
                Value::List(items) => list.extend(items.iter().cloned()),
                _ => problems.push(wrong_type(entry, "a list")),
            }
        } else if let Some(name) = MAPS.iter().find(|name| **name == entry.key) {
            match &entry.value.value {
                // Without braces it had keys, which are reported already.
                Value::Map(items) if items.is_empty() && starts_with(entry, '{', problems) => {
                    problems.push(empty(entry, "a map of settings"));
                }
                Value::Map(items) => self.add_keys(name, items, entry.value.span, problems),
                _ => problems.push(wrong_type(entry, "a map")),
            }
        } else {
            problems.push(unknown_section(entry));
        }
    }

    fn add_keys(&mut self, name: &'static str, items: &[Entry], span: Span, problems: &mut Problems) {
        let help = match name {
            "lexicons" => {
                "put the words of both into one file; what `init` wrote is built in: delete it where you keep it as it is"
            }
            _ => "keep one of the two",
        };
        let section = self.maps.entry(name).or_insert_with(|| Node { span, value: Value::Map(Vec::new()) });
        let Value::Map(known) = &mut section.value else { return };
        for item in items {
            match known.iter().find(|other| other.key == item.key) {
                Some(other) => problems.push(
                    Problem::new(
                        code::DUPLICATE_KEY,
                        format!("key {} of `{name}` stands in two files", quoted(&item.key)),
                    )
                    .at(item.key_span)
                    .label("the second time")
                    .and(other.key_span, "the first time")
                    .help(help),
                ),
                None => known.push(item.clone()),
            }
        }
    }
}

fn not_a_map(root: &Node, start: Span) -> Problem {
    if root.value == Value::Null {
        return Problem::new(code::EMPTY, "the file is empty")
            .at(start)
            .label("expected `version: 1`")
            .help("write the key `version: 1` first, then the sections");
    }
    Problem::new(code::WRONG_TYPE, "a rule file is a map of sections")
        .at(root.span)
        .found(root.describe(), "`version: 1` and sections")
        .help("write the key `version: 1` first, then the sections")
}

/// Whether the file has a version that this program reads. Reports where it has not, or where it does not come first.
fn version(entries: &[Entry], start: Span, problems: &mut Problems) -> bool {
    let help = "write `version: 1` as the first key";
    let Some(entry) = entries.iter().find(|entry| entry.key == "version") else {
        let place = entries.first().map_or(start, |entry| entry.key_span);
        let problem = Problem::new(code::VERSION, "the file does not say its format version");
        problems.push(problem.at(place).label("expected `version: 1` before this").help(help));
        return false;
    };
    let found = entry.value.describe();
    match &entry.value.value {
        Value::Number(number) if number.whole == Some(VERSION) => {}
        Value::Number(_) => {
            let problem = Problem::new(code::VERSION, "this program does not read this format version");
            problems.push(problem.at(entry.value.span).found(found, "1").help("this program reads version 1"));
            return false;
        }
        _ => {
            let problem = Problem::new(code::VERSION, "the format version is not a number");
            problems.push(problem.at(entry.value.span).found(found, "the number 1").help("write `version: 1`"));
            return false;
        }
    }
    if entries.first().is_some_and(|first| first.key != "version") {
        let problem = Problem::new(code::VERSION, "the format version is not the first key");
        problems.push(problem.at(entry.key_span).label("this must come before all sections").help(help));
    }
    true
}

fn starts_with(entry: &Entry, c: char, problems: &Problems) -> bool {
    let span = entry.value.span;
    let text = problems.source(span.source).and_then(|source| source.text.get(span.start as usize..));
    text.is_some_and(|text| text.starts_with(c))
}

fn empty(entry: &Entry, expected: &str) -> Problem {
    Problem::new(code::EMPTY, format!("section `{}` is empty", entry.key))
        .at(entry.value.span)
        .found(entry.value.describe(), expected)
        .help("delete the section or fill it")
}

fn wrong_type(entry: &Entry, expected: &str) -> Problem {
    let help = match entry.value.value {
        Value::Null => "delete the section or fill it".to_owned(),
        Value::Map(_) => format!("begin each entry of `{}` with `- `", entry.key),
        Value::List(_) => format!("write the keys of `{}` without `- ` before them", entry.key),
        _ => format!("section `{}` is {expected}", entry.key),
    };
    Problem::new(code::WRONG_TYPE, format!("section `{}` must be {expected}", entry.key))
        .at(entry.value.span)
        .found(entry.value.describe(), expected)
        .help(help)
}

fn unknown_section(entry: &Entry) -> Problem {
    let problem = Problem::new(code::UNKNOWN_KEY, format!("unknown section {}", quoted(&entry.key)))
        .at(entry.key_span)
        .label("not a section of a rule file");
    let elsewhere = match entry.key.as_str() {
        "fail_on" | "on_mismatch" | "against" => Some("it stands under `baseline:`"),
        "max_broken" => Some("it stands in a gate"),
        "exclude" | "suspicious" => Some("it stands in an entry of `markers:`"),
        _ => None,
    };
    match elsewhere {
        Some(elsewhere) => problem.help(elsewhere),
        None => problem.help_if(did_you_mean(&entry.key, LISTS.into_iter().chain(MAPS).chain(["version"]))),
    }
}
