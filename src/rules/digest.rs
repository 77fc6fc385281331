//! Digests of a policy: over what it says, not over how it is laid out.
//!
//! The canonical form of a section is its tree without places: maps with their keys sorted, lists in order, texts as
//! JSON strings, numbers with the characters of the file. Comments, indentation, quotation marks, the order of keys and
//! the division into files leave no trace.

use std::fmt::Write as _;

use super::section::{LISTS, MAPS, Sections};
use crate::text::{Digest, digest};
use crate::yaml::{Node, Value};

/// What gates are: these sections and no others.
const GATES: [&str; 3] = ["gates", "baseline", "review"];

/// What has no part in what a record says.
const AFTER_RECORDS: [&str; 6] = ["gates", "baseline", "review", "owners", "report", "drill"];

/// Keys of entries that decide nothing.
const TALK: [&str; 2] = ["examples", "description"];

/// Keys of rules that have no part in what a record says.
const NOT_OF_RECORDS: [&str; 3] = ["examples", "description", "gate"];

/// Digest of all sections.
pub(super) fn whole(sections: &Sections) -> Digest {
    digest::raw(text(sections, |_| true, &[]).as_bytes())
}

/// Digest of what decides records.
pub(super) fn evaluation(sections: &Sections) -> Digest {
    digest::raw(text(sections, |name| !AFTER_RECORDS.contains(&name), &NOT_OF_RECORDS).as_bytes())
}

/// Digest of the gates, those that rules carry among them, and of how they are held against a baseline.
pub(super) fn gates(sections: &Sections) -> Digest {
    let mut text = text(sections, |name| GATES.contains(&name), &TALK);
    for rule in sections.nodes("rules") {
        if let (Some(id), Some(gate)) = (rule.get("id"), rule.get("gate")) {
            text.push_str("rule ");
            write(&id.value, &[], &mut text);
            write(&gate.value, &TALK, &mut text);
            text.push('\n');
        }
    }
    digest::raw(text.as_bytes())
}

/// The canonical form of the sections that are included; `without` are keys of their entries that are left out.
fn text(sections: &Sections, included: impl Fn(&str) -> bool, without: &[&str]) -> String {
    let mut text = String::from("citeward/policy/1\n");
    for name in LISTS.iter().chain(&MAPS).filter(|name| included(name)) {
        let _ = writeln!(text, "{name}");
        for node in sections.nodes(name) {
            write(node, without, &mut text);
            text.push('\n');
        }
        if let Some(node) = sections.node(name) {
            write(node, without, &mut text);
            text.push('\n');
        }
    }
    text
}

/// Writes the canonical form; `without` are keys of this map (not of maps inside of it) that are left out.
fn write(node: &Node, without: &[&str], out: &mut String) {
    match &node.value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => {
            let _ = write!(out, "{value}");
        }
        Value::Number(number) => out.push_str(&number.text),
        Value::Text(text) => out.push_str(&json(text)),
        Value::List(items) => {
            out.push('[');
            for item in items {
                write(item, &[], out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Map(entries) => {
            let mut sorted: Vec<_> = entries.iter().filter(|entry| !without.contains(&entry.key.as_str())).collect();
            sorted.sort_by(|a, b| a.key.cmp(&b.key));
            out.push('{');
            for entry in sorted {
                out.push_str(&json(&entry.key));
                out.push(':');
                write(&entry.value, &[], out);
                out.push(',');
            }
            out.push('}');
        }
    }
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
