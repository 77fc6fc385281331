//! The JSON Schema of the view, from its types: what a template may rely on. `docs/report-view.schema.json` is its
//! committed text, and a key that stands in it once stays.

use std::sync::OnceLock;

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::View;
use super::row::FindingRow;
use crate::check::Stage;
use crate::dataset::Label;
use crate::tally::OpenReason;

/// The JSON Schema of the view as JSON text (draft 2020-12), with a line break at its end.
#[must_use]
pub fn schema() -> String {
    // A value of JSON can always be written.
    serde_json::to_string_pretty(value()).unwrap_or_default() + "\n"
}

/// The JSON Schema of the view.
pub(super) fn value() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(generated)
}

fn generated() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(Closed);
    let mut generator = settings.into_generator();
    // No key of the view leads to rows: they go to the formats for machines one by one.
    generator.subschema_for::<FindingRow>();
    let mut schema = generator.into_root_schema_for::<View>().to_value();
    if let Some(root) = schema.as_object_mut() {
        let about =
            "What every report of a run is made of, and what a template is given. docs/report-view.md explains it.";
        first(root, [("$schema", None), ("title", Some("citeward report view")), ("description", Some(about))]);
        for (name, definition) in root.get_mut("$defs").and_then(Value::as_object_mut).into_iter().flatten() {
            if let Some(definition) = definition.as_object_mut() {
                first(definition, [("title", Some(&words_of(name))), ("description", None)]);
            }
        }
    }
    schema
}

/// Puts keys first, in this order; those with a value get that value.
fn first<const N: usize>(object: &mut Map<String, Value>, keys: [(&str, Option<&str>); N]) {
    let mut sorted = Map::new();
    for (key, value) in keys {
        let value = value.map(|text| json!(text)).or_else(|| object.get(key).cloned());
        sorted.extend(value.map(|value| (key.to_owned(), value)));
        object.shift_remove(key);
    }
    sorted.append(object);
    *object = sorted;
}

/// Every object has the keys that are named and no others; the sizes of machine integers are nobody's business.
#[derive(Clone)]
struct Closed;

impl Transform for Closed {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(object) = schema.as_object_mut() {
            object.shift_remove("format");
            if let Some(Value::String(about)) = object.get_mut("description") {
                // Links of the code's own manual.
                *about = about.replace("[`", "`").replace("`]", "`");
            }
            if object.contains_key("properties") {
                object.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
        }
        transform_subschemas(self, schema);
    }
}

/// `GateRow` as `gate row`.
fn words_of(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
    }
    words
}

fn one_of(words: &[&str]) -> Schema {
    json_schema!({ "type": "string", "enum": words })
}

fn one_of_or_none(words: &[&str]) -> Schema {
    one_of(&[words, &[""]].concat())
}

const SEVERITIES: [&str; 4] = ["error", "warning", "note", "observed"];
const FINDINGS: [&str; 6] = ["error", "warning", "note", "observed", "known", "overturned"];
const ITEMS: [&str; 5] = ["uncited", "refusal", "reference", "not verifiable", "case"];
const GATES: [&str; 5] = ["fail", "no_data", "inconclusive", "warn", "pass"];

fn labels() -> Vec<&'static str> {
    Label::ALL.iter().map(|label| label.as_str()).collect()
}

// The closed words of the view, one function per kind of word, for `schemars(schema_with = …)`.

pub(super) fn view(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "const": super::view::SCHEMA })
}

pub(super) fn run_verdict(_: &mut SchemaGenerator) -> Schema {
    one_of(&["pass", "fail", "not_judged"])
}

pub(super) fn run_verdict_word(_: &mut SchemaGenerator) -> Schema {
    one_of(&["PASS", "FAIL", "NOT JUDGED"])
}

pub(super) fn about(_: &mut SchemaGenerator) -> Schema {
    one_of(&["measured", "decided", "open", "change", "not_claimed"])
}

pub(super) fn gate_verdict(_: &mut SchemaGenerator) -> Schema {
    one_of(&GATES)
}

pub(super) fn gate_verdict_or_none(_: &mut SchemaGenerator) -> Schema {
    one_of_or_none(&GATES)
}

pub(super) fn rule_severity(_: &mut SchemaGenerator) -> Schema {
    one_of(&SEVERITIES)
}

pub(super) fn finding_severity(_: &mut SchemaGenerator) -> Schema {
    one_of(&FINDINGS)
}

pub(super) fn finding_severity_or_none(_: &mut SchemaGenerator) -> Schema {
    one_of_or_none(&FINDINGS)
}

pub(super) fn label(_: &mut SchemaGenerator) -> Schema {
    one_of(&labels())
}

pub(super) fn label_or_none(_: &mut SchemaGenerator) -> Schema {
    one_of_or_none(&labels())
}

pub(super) fn labels_list(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": label(generator) })
}

pub(super) fn item_label(_: &mut SchemaGenerator) -> Schema {
    one_of(&[&labels()[..], &ITEMS].concat())
}

pub(super) fn item_label_or_none(_: &mut SchemaGenerator) -> Schema {
    one_of_or_none(&[&labels()[..], &ITEMS].concat())
}

pub(super) fn item_labels(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": item_label(generator) })
}

pub(super) fn stage_or_none(_: &mut SchemaGenerator) -> Schema {
    one_of_or_none(&Stage::ALL.map(Stage::as_str))
}

pub(super) fn stages(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": one_of(&Stage::ALL.map(Stage::as_str)) })
}

pub(super) fn family(_: &mut SchemaGenerator) -> Schema {
    one_of(&["integrity", "coverage", "support"])
}

pub(super) fn subject(_: &mut SchemaGenerator) -> Schema {
    one_of(&["case", "claim", "citation"])
}

pub(super) fn outcome(_: &mut SchemaGenerator) -> Schema {
    one_of(&["pass", "fail", "broken"])
}

pub(super) fn citation_state(_: &mut SchemaGenerator) -> Schema {
    one_of(&["resolved", "unresolved", "withheld"])
}

pub(super) fn mark(_: &mut SchemaGenerator) -> Schema {
    one_of_or_none(&["match", "conflict", "flag"])
}

pub(super) fn direction(_: &mut SchemaGenerator) -> Schema {
    one_of(&["worse", "better", "other"])
}

pub(super) fn trend_verdict_or_none(_: &mut SchemaGenerator) -> Schema {
    one_of_or_none(&["pass", "warn", "fail", "open"])
}

pub(super) fn stretch(_: &mut SchemaGenerator) -> Schema {
    one_of(&["pass", "open", "fail"])
}

pub(super) fn better(_: &mut SchemaGenerator) -> Schema {
    one_of(&["higher", "lower", "neither"])
}

pub(super) fn change_or_none(_: &mut SchemaGenerator) -> Schema {
    one_of_or_none(&["better", "worse"])
}

pub(super) fn open_reason(_: &mut SchemaGenerator) -> Schema {
    one_of(&OpenReason::ALL.map(OpenReason::as_str))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_committed_schema_is_the_generated_one() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/report-view.schema.json");
        if std::env::var_os("CITEWARD_BLESS").is_some() {
            std::fs::write(&path, schema()).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == schema(), "run the tests with CITEWARD_BLESS=1 and commit docs/report-view.schema.json");
    }

    /// Every key of a schema with its type, and every closed word of it: `gates[].verdict: string`, `gates[].verdict = fail`.
    fn keys(schema: &Value, root: &Value, path: &str, found: &mut std::collections::BTreeSet<String>) {
        let target = schema["$ref"].as_str().and_then(|name| root.pointer(name.strip_prefix('#')?));
        if let Some(target) = target {
            return keys(target, root, path, found);
        }
        for one in schema["anyOf"].as_array().into_iter().flatten().filter(|one| one["type"] != "null") {
            keys(one, root, path, found);
        }
        for word in schema["enum"].as_array().into_iter().flatten() {
            found.insert(format!("{path} = {}", word.as_str().unwrap_or_default()));
        }
        for (key, value) in schema["properties"].as_object().into_iter().flatten() {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let kind = match &value["type"] {
                Value::String(kind) => kind.clone(),
                Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|"),
                _ if value.get("anyOf").is_some() => "object|null".to_owned(),
                _ => "object".to_owned(),
            };
            found.insert(format!("{path}: {kind}"));
            keys(value, root, &path, found);
        }
        if schema.get("items").is_some() {
            keys(&schema["items"], root, &format!("{path}[]"), found);
        }
    }

    /// What version 1 of the view has promised: a line that stands in the file once never goes, and a key of the view that
    /// does not stand there yet has to be entered, so that it is promised too.
    #[test]
    fn what_version_1_promised_is_still_there() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report-view-1.keys");
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        let promised: std::collections::BTreeSet<String> = written.lines().map(str::to_owned).collect();
        let mut now = std::collections::BTreeSet::new();
        keys(value(), value(), "", &mut now);
        let gone: Vec<&String> = promised.difference(&now).collect();
        assert!(gone.is_empty(), "a template may use what is gone or has another type now: {gone:#?}");
        if std::env::var_os("CITEWARD_BLESS").is_some() {
            let all: Vec<&str> = now.iter().map(String::as_str).collect();
            std::fs::write(&path, all.join("\n") + "\n").unwrap();
            return;
        }
        let new: Vec<&String> = now.difference(&promised).collect();
        assert!(new.is_empty(), "run the tests with CITEWARD_BLESS=1 and commit tests/report-view-1.keys: {new:#?}");
    }
}
