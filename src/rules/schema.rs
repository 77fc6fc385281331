//! The JSON Schema of a rule file, for completion and checking in editors.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::metric::BUILT_IN;
use super::section::{LISTS, MAPS};
use super::written;
use crate::check::{KINDS, Stage};
use crate::text::lexicon::WrittenLexicon;

/// The schema of `check:`: the bare name of a kind, or one key with the options of that kind.
pub(super) fn check(generator: &mut SchemaGenerator) -> Schema {
    let mut options = Map::new();
    for kind in KINDS {
        options.insert(kind.name.to_owned(), (kind.schema)(generator).to_value());
    }
    let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
    json_schema!({
        "anyOf": [
            { "type": "string", "enum": names },
            {
                "type": "object",
                "properties": options,
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
            },
        ],
    })
}

/// The schema of a metric's name.
pub(super) fn metric(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = BUILT_IN.iter().map(|entry| entry.name).collect();
    json_schema!({
        "description": "What is measured: a metric of the catalogue, or `rule.<id>` for the pass rate of a rule.",
        "anyOf": [{ "type": "string", "enum": names }, { "type": "string", "pattern": "^rule\\..+" }],
    })
}

/// The schema of the gate of a rule: a gate whose id and metric the rule gives.
pub(super) fn own_gate(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = written::Gate::json_schema(generator);
    schema.insert("required".to_owned(), json!([]));
    schema.insert(
        "description".to_owned(),
        json!("The rule's own bound, on the share of its judged subjects that fail."),
    );
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for key in ["id", "metric", "min", "max_drop"] {
            properties.remove(key);
        }
    }
    schema
}

/// The JSON Schema of a rule file as JSON text, with a line break at its end.
#[must_use]
pub fn schema() -> String {
    let mut generator = SchemaSettings::draft07().into_generator();
    let mut properties = Map::new();
    properties.insert(
        "version".to_owned(),
        json!({ "const": 1, "description": "The version of this format; the first key of every file." }),
    );
    for name in LISTS.iter().chain(&MAPS) {
        properties.insert((*name).to_owned(), section(name, &mut generator));
    }
    let definitions = generator.take_definitions(true);
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "citeward rule file",
        "description": "A policy is a folder of these files, merged by section. docs/rule-files.md explains every key.",
        "type": "object",
        "required": ["version"],
        "additionalProperties": false,
        "properties": properties,
        "definitions": definitions,
    });
    // A value of JSON can always be written.
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

fn section(name: &str, generator: &mut SchemaGenerator) -> Value {
    let list =
        |item: Schema, about: &str| json!({ "type": "array", "minItems": 1, "items": item, "description": about });
    match name {
        "markers" => list(of::<written::Marker>(generator), "What cites in an answer, and what never does."),
        "rules" => list(of::<written::Rule>(generator), "What is checked."),
        "slices" => list(of::<written::Slice>(generator), "Dimensions along which results are counted apart."),
        "gates" => list(of::<written::Gate>(generator), "The bounds that a release must keep."),
        "claims" => of::<written::Claims>(generator).to_value(),
        "baseline" => of::<written::Baseline>(generator).to_value(),
        "judge" => of::<written::Judge>(generator).to_value(),
        "review" => of::<written::Review>(generator).to_value(),
        "redact" => of::<written::Redact>(generator).to_value(),
        "limits" => of::<written::Limits>(generator).to_value(),
        "report" => of::<written::Report>(generator).to_value(),
        "drill" => of::<written::Drill>(generator).to_value(),
        "lexicons" => json!({
            "type": "object",
            "description": "Words by language, added to the shipped ones.",
            "additionalProperties": of::<WrittenLexicon>(generator),
        }),
        _ => json!({
            "type": "object",
            "description": "The team that owns each stage.",
            "propertyNames": { "enum": Stage::ALL },
            "additionalProperties": { "type": "string" },
        }),
    }
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_committed_schema_is_the_generated_one() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/policy.schema.json");
        if std::env::var_os("CITEWARD_BLESS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, schema()).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == schema(), "run the tests with CITEWARD_BLESS=1 and commit rules/policy.schema.json");
    }

    #[test]
    fn every_key_of_a_lexicon_is_explained() {
        let schema: Value = serde_json::from_str(&schema()).unwrap();
        let page = include_str!("../../docs/rule-files.md");
        let keys = schema["definitions"]["WrittenLexicon"]["properties"].as_object().expect("the keys");
        assert!(keys.len() > 40, "{}", keys.len());
        let missing: Vec<&String> = keys
            .keys()
            .filter(|key| !page.contains(&format!("`{key}`")) && !page.contains(&format!("{key}: true")))
            .collect();
        assert!(missing.is_empty(), "not in docs/rule-files.md: {missing:?}");
    }

    #[test]
    fn every_section_and_every_kind_is_in_the_schema() {
        let schema: Value = serde_json::from_str(&schema()).unwrap();
        for name in LISTS.iter().chain(&MAPS) {
            assert!(schema["properties"][name].is_object(), "{name}");
        }
        let kinds = &schema["definitions"]["Rule"]["properties"]["check"]["anyOf"][1]["properties"];
        for kind in KINDS {
            assert!(kinds[kind.name].is_object(), "{}", kind.name);
        }
    }
}
