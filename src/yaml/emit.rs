//! Writing small YAML files.

use std::fmt::Write as _;

use serde_json::Value;

/// A value as a YAML document in block style, keys in their order. Texts are quoted wherever a reader could take them
/// for something else, so that reading gives back the same value.
pub fn emit(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Object(map) if !map.is_empty() => emit_map(map, 0, &mut out),
        Value::Array(items) if !items.is_empty() => emit_list(items, 0, &mut out),
        other => {
            out.push_str(&scalar(other));
            out.push('\n');
        }
    }
    out
}

fn emit_map(map: &serde_json::Map<String, Value>, indent: usize, out: &mut String) {
    for (index, (key, value)) in map.iter().enumerate() {
        if index > 0 {
            let _ = write!(out, "{:indent$}", "");
        }
        out.push_str(&text(key));
        out.push(':');
        emit_value(value, indent, out);
    }
}

fn emit_list(items: &[Value], indent: usize, out: &mut String) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            let _ = write!(out, "{:indent$}", "");
        }
        out.push('-');
        match item {
            Value::Object(map) if !map.is_empty() => {
                out.push(' ');
                emit_map(map, indent + 2, out);
            }
            Value::Array(inner) if !inner.is_empty() => {
                out.push(' ');
                emit_list(inner, indent + 2, out);
            }
            other => {
                let _ = writeln!(out, " {}", scalar(other));
            }
        }
    }
}

/// The value behind `key:`, with the line break that ends it.
fn emit_value(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let indent = indent + 2;
            let _ = write!(out, "\n{:indent$}", "");
            emit_map(map, indent, out);
        }
        Value::Array(items) if !items.is_empty() => {
            let indent = indent + 2;
            let _ = write!(out, "\n{:indent$}", "");
            emit_list(items, indent, out);
        }
        other => {
            let _ = writeln!(out, " {}", scalar(other));
        }
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(value) => text(value),
        other => other.to_string(),
    }
}

fn text(value: &str) -> String {
    let plain = value.starts_with(|c: char| c.is_ascii_alphabetic())
        && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
        && !matches!(
            value.to_ascii_lowercase().as_str(),
            "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n" | "nan" | "inf"
        );
    if plain {
        return value.to_owned();
    }
    // A JSON string is a YAML string, once the characters that only YAML treats as line breaks are escaped too.
    let mut out = String::new();
    for c in Value::String(value.to_owned()).to_string().chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out
}
