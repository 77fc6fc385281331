//! Made-up views, by which a template is tried out before there is a run: one with something of everything, one with
//! nothing of anything.

use serde_json::{Map, Value, json};

use super::schema;

/// Deepest that a sample goes: the view is no tree without end.
const DEEPEST: usize = 12;

/// How much a made-up view holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Amount {
    /// Every list has an entry for every closed word in it, every value that may be missing is there.
    Full,
    /// Every list is empty, every value that may be missing is, texts that may be empty are.
    Empty,
}

/// A view of the shape that the schema says.
pub(super) fn view(amount: Amount) -> Value {
    let root = schema::value();
    of(root, root, amount, 0, 0)
}

/// A value as `schema` says; `turn` chooses among closed words and between yes and no.
fn of(schema: &Value, root: &Value, amount: Amount, turn: usize, depth: usize) -> Value {
    if depth > DEEPEST {
        return Value::Null;
    }
    if let Some(target) =
        schema.get("$ref").and_then(Value::as_str).and_then(|name| root.pointer(name.strip_prefix('#')?))
    {
        return of(target, root, amount, turn, depth + 1);
    }
    if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
        let is_null = |one: &&Value| one["type"] == "null";
        return match any.iter().find(|one| !is_null(one)) {
            Some(one) if amount == Amount::Full => of(one, root, amount, turn, depth + 1),
            _ => Value::Null,
        };
    }
    if let Some(value) = schema.get("const") {
        return value.clone();
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        let last = words.len().saturating_sub(1);
        let at = if amount == Amount::Empty { last } else { turn % words.len().max(1) };
        return words.get(at).cloned().unwrap_or_default();
    }
    let is = |name: &str| match &schema["type"] {
        Value::String(own) => own == name,
        Value::Array(several) => several.iter().any(|own| own == name),
        _ => false,
    };
    if amount == Amount::Empty && is("null") {
        return Value::Null;
    }
    let example = schema.get("examples").and_then(Value::as_array).and_then(|all| all.get(turn % all.len().max(1)));
    match () {
        () if is("object") => {
            let keys = schema.get("properties").and_then(Value::as_object);
            let entries = keys.into_iter().flatten();
            let values = entries.map(|(key, schema)| (key.clone(), of(schema, root, amount, turn, depth + 1)));
            Value::Object(values.collect::<Map<_, _>>())
        }
        () if is("array") && amount == Amount::Empty => json!([]),
        () if is("array") => {
            let item = schema.get("items").unwrap_or(&Value::Null);
            // Deep in the view two are enough: what differs there was different further up.
            let most = if depth < 3 { 12 } else { 2 };
            (0..most).map(|at| of(item, root, amount, turn + at, depth + 1)).collect()
        }
        () if is("boolean") => json!(amount == Amount::Full && turn.is_multiple_of(2)),
        () if is("integer") || is("number") => example
            .cloned()
            .filter(|_| amount == Amount::Full)
            .unwrap_or_else(|| json!(usize::from(amount == Amount::Full))),
        () if is("string") => match (amount, example) {
            (Amount::Empty, _) => json!(""),
            (Amount::Full, Some(example)) => example.clone(),
            (Amount::Full, None) => json!("a text"),
        },
        () => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_view_has_an_entry_for_every_word() {
        let view = view(Amount::Full);
        let verdicts: Vec<&str> =
            view["gates"].as_array().expect("gates").iter().filter_map(|gate| gate["verdict"].as_str()).collect();
        for word in ["pass", "warn", "fail", "inconclusive", "no_data"] {
            assert!(verdicts.contains(&word), "{word}");
        }
        assert!(view["gates"][0]["picture"]["value"].is_u64());
        assert!(view["items"][0]["citations"][0]["excerpt"][0]["text"].is_string());
    }

    #[test]
    fn an_empty_view_has_every_key_and_nothing_in_it() {
        let view = view(Amount::Empty);
        assert_eq!(view["gates"], json!([]));
        assert_eq!(view["title"], "");
        assert_eq!(view["gate_counts"]["total"], 0);
    }
}
