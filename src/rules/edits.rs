//! What differs between two policies as they are written: entries that are new, gone or changed, value by value, each with its place.

use std::collections::BTreeMap;

use serde::Serialize;

use super::compile;
use super::section::{LISTS, MAPS, Sections};
use crate::diagnostic::Problems;
use crate::yaml::{Node, Value};

/// A policy as it is written: every entry with its values.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// By section and id (of a map section: by key), in reading order.
    entries: Vec<WrittenEntry>,
}

#[derive(Debug, Clone)]
struct WrittenEntry {
    section: &'static str,
    id: String,
    place: String,
    /// Text and place of every value, by its path in the entry.
    values: BTreeMap<String, WrittenValue>,
}

/// A value as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WrittenValue {
    /// Its text.
    pub text: String,
    /// `file:line`.
    pub place: String,
}

/// How an entry differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EditKind {
    /// Only the new policy has it.
    Added,
    /// Only the old policy has it.
    Removed,
    /// Both have it, with other values.
    Changed,
    /// Both have the same ones in another order.
    Reordered,
}

/// One entry that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Edit {
    /// The section, such as `gates`.
    pub section: &'static str,
    /// Id of the entry, or key of the section; empty where the whole section is meant.
    pub id: String,
    /// How it differs.
    pub kind: EditKind,
    /// `file:line` in the old policy.
    pub before: Option<String>,
    /// `file:line` in the new policy.
    pub after: Option<String>,
    /// Values that differ, of an entry that both have.
    pub values: Vec<ValueEdit>,
}

/// One value that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ValueEdit {
    /// Its path in the entry, such as `check.overlap.low`.
    pub path: String,
    /// As the old policy has it.
    pub before: Option<WrittenValue>,
    /// As the new policy has it.
    pub after: Option<WrittenValue>,
}

impl Written {
    pub(super) fn of(sections: &Sections, problems: &Problems) -> Self {
        let mut entries = Vec::new();
        for section in LISTS {
            for (index, node) in sections.nodes(section).iter().enumerate() {
                let id =
                    node.get("id").and_then(|entry| text_of(&entry.value)).unwrap_or_else(|| format!("{}", index + 1));
                entries.push(WrittenEntry::of(section, id, node, problems));
            }
        }
        for section in MAPS {
            let Some(Node { value: Value::Map(keys), .. }) = sections.node(section) else { continue };
            entries
                .extend(keys.iter().map(|entry| WrittenEntry::of(section, entry.key.clone(), &entry.value, problems)));
        }
        Self { entries }
    }

    /// What `after` has otherwise, section by section: its own entries in reading order, then those that are gone.
    #[must_use]
    pub fn edits(&self, after: &Self) -> Vec<Edit> {
        let mut edits = Vec::new();
        for section in LISTS.into_iter().chain(MAPS) {
            let of = |written: &Self| -> Vec<WrittenEntry> {
                written.entries.iter().filter(|entry| entry.section == section).cloned().collect()
            };
            let (old, new) = (of(self), of(after));
            let before = edits.len();
            for entry in &new {
                edits.extend(match old.iter().find(|other| other.id == entry.id) {
                    Some(other) => other.changed(entry),
                    None => Some(entry.alone(EditKind::Added)),
                });
            }
            let gone = old.iter().filter(|entry| new.iter().all(|other| other.id != entry.id));
            edits.extend(gone.map(|entry| entry.alone(EditKind::Removed)));
            let order = |entries: &[WrittenEntry]| entries.iter().map(|entry| entry.id.clone()).collect::<Vec<_>>();
            // Rules and markers are tried in order; of two in other order nothing else may differ.
            if edits.len() == before && LISTS.contains(&section) && order(&old) != order(&new) {
                edits.push(Edit {
                    section,
                    id: String::new(),
                    kind: EditKind::Reordered,
                    before: old.first().map(|entry| entry.place.clone()),
                    after: new.first().map(|entry| entry.place.clone()),
                    values: Vec::new(),
                });
            }
        }
        edits
    }
}

impl WrittenEntry {
    fn of(section: &'static str, id: String, node: &Node, problems: &Problems) -> Self {
        let mut values = BTreeMap::new();
        flatten(node, "", problems, &mut values);
        Self { section, id, place: compile::place(node.span, problems), values }
    }

    fn alone(&self, kind: EditKind) -> Edit {
        let place = Some(self.place.clone());
        let (before, after) = if kind == EditKind::Removed { (place, None) } else { (None, place) };
        Edit { section: self.section, id: self.id.clone(), kind, before, after, values: Vec::new() }
    }

    fn changed(&self, after: &Self) -> Option<Edit> {
        let paths: std::collections::BTreeSet<&String> = self.values.keys().chain(after.values.keys()).collect();
        let differs = |path: &&String| {
            let text = |entry: &Self| entry.values.get(*path).map(|value| value.text.clone());
            text(self) != text(after)
        };
        let edit = |path: &String| ValueEdit {
            path: path.clone(),
            before: self.values.get(path).cloned(),
            after: after.values.get(path).cloned(),
        };
        let values: Vec<ValueEdit> = paths.into_iter().filter(differs).map(edit).collect();
        (!values.is_empty()).then(|| Edit {
            section: self.section,
            id: self.id.clone(),
            kind: EditKind::Changed,
            before: Some(self.place.clone()),
            after: Some(after.place.clone()),
            values,
        })
    }
}

/// Every value below a node by its path. A list of plain values is one value; entries of other lists go by what they name.
fn flatten(node: &Node, path: &str, problems: &Problems, values: &mut BTreeMap<String, WrittenValue>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match &node.value {
        Value::Map(entries) if !entries.is_empty() => {
            for entry in entries {
                flatten(&entry.value, &below(&entry.key), problems, values);
            }
        }
        Value::List(items) if items.iter().any(|item| matches!(item.value, Value::Map(_))) => {
            for (index, item) in items.iter().enumerate() {
                let name = item.get("slice").or_else(|| item.get("id")).map(|entry| plain(&entry.value));
                let name = name.unwrap_or_else(|| (index + 1).to_string());
                flatten(item, &format!("{path}[{name}]"), problems, values);
            }
        }
        _ => {
            let value = WrittenValue { text: plain(node), place: compile::place(node.span, problems) };
            values.insert(if path.is_empty() { "value".to_owned() } else { path.to_owned() }, value);
        }
    }
}

fn text_of(node: &Node) -> Option<String> {
    match &node.value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}

/// A value on one line, as YAML writes it in short.
fn plain(node: &Node) -> String {
    match &node.value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.text.clone(),
        Value::Text(text) => text.clone(),
        Value::List(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(", ")),
        Value::Map(entries) => {
            let pairs: Vec<String> =
                entries.iter().map(|entry| format!("{}={}", entry.key, plain(&entry.value))).collect();
            pairs.join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    fn edits(before: &str, after: &str) -> Vec<Edit> {
        let written = |name: &str, text: &str| {
            let text = format!("version: 1\nrules:\n  - id: a\n    check: resolves\n{text}");
            rules::compile_written(vec![(name.to_owned(), text)]).expect("a policy").1
        };
        written("old.yaml", before).edits(&written("new.yaml", after))
    }

    #[test]
    fn a_changed_value_has_both_texts_and_both_places() {
        let gate = |max: &str| format!("gates:\n  - id: g\n    metric: defect_rate\n    max: {max}\n");
        let found = edits(&gate("0.5"), &format!("\n{}", gate("0.3")));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].section, found[0].id.as_str(), found[0].kind), ("gates", "g", EditKind::Changed));
        let value = |text: &str, place: &str| Some(WrittenValue { text: text.to_owned(), place: place.to_owned() });
        let expected =
            ValueEdit { path: "max".to_owned(), before: value("0.5", "old.yaml:8"), after: value("0.3", "new.yaml:9") };
        assert_eq!(found[0].values, [expected]);
    }

    #[test]
    fn bounds_of_single_slices_go_by_their_slice() {
        let gate = |max: &str| {
            format!(
                "slices:\n  - {{ id: language, field: language }}\ngates:\n  - id: g\n    metric: defect_rate\n    max: 0.5\n    \
                 slices:\n      - {{ slice: {{ language: de }}, max: {max} }}\n"
            )
        };
        let found = edits(&gate("0.2"), &gate("0.1"));
        assert_eq!(found[0].values[0].path, "slices[language=de].max");
    }

    #[test]
    fn entries_are_new_gone_or_the_same_however_they_are_laid_out() {
        let kinds =
            |before, after| edits(before, after).into_iter().map(|edit| (edit.id, edit.kind)).collect::<Vec<_>>();
        let one = "gates:\n  - { id: g, metric: defect_rate, max: 0.5 }\n";
        let two = "gates:\n  - { id: h, metric: claim_coverage, min: 0.5 }\n";
        assert_eq!(kinds(one, two), [("h".to_owned(), EditKind::Added), ("g".to_owned(), EditKind::Removed)]);
        let laid_out = "# a comment\ngates:\n  - metric: defect_rate\n    id: g\n    max: 0.5\n";
        assert_eq!(kinds(one, laid_out), []);
        let limits = |cases: &str| format!("limits: {{ claims_per_case: {cases} }}\n");
        assert_eq!(kinds(&limits("10"), &limits("20")), [("claims_per_case".to_owned(), EditKind::Changed)]);
    }
}
