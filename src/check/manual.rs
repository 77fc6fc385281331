//! The manual of the check kinds, made from the doc comments of their options.

use std::fmt::Write as _;

use schemars::SchemaGenerator;
use serde_json::{Map, Value};

use super::{Code, Family, Fault, KINDS, KindEntry, Severity, Told};

/// Characters of a line of the overview, the name of the kind left out.
const SUMMARY_WIDTH: usize = 80;

/// Name and first sentence of the page of every kind.
#[must_use]
pub fn overview() -> String {
    let width = KINDS.iter().map(|kind| kind.name.len()).max().unwrap_or_default();
    let mut out = String::new();
    for family in [Family::Integrity, Family::Coverage, Family::Support] {
        let _ = writeln!(out, "{}", family_title(family));
        for kind in KINDS.iter().filter(|kind| kind.family == family) {
            let mut column = 0;
            let _ = write!(out, "  {:width$} ", kind.name);
            for word in summary(kind).split_whitespace() {
                column += word.chars().count() + 1;
                if column > SUMMARY_WIDTH {
                    column = word.chars().count() + 1;
                    let _ = write!(out, "\n  {:width$} ", "");
                }
                let _ = write!(out, " {word}");
            }
            out.push('\n');
        }
        out.push('\n');
    }
    out
}

/// The page of one kind, as Markdown.
#[must_use]
pub fn page(kind: &KindEntry) -> String {
    let (schema, definitions) = schema(kind);
    let mut out = format!("# {}\n\n", kind.name);
    let _ = writeln!(
        out,
        "{} · default severity `{}`\n",
        family_title(kind.family),
        match kind.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    );
    let _ = writeln!(out, "{}\n", description(&schema).trim());
    options(&schema, &definitions, &mut out);
    let _ = writeln!(out, "## Findings\n");
    for Code { name, meaning, fault } in kind.codes {
        let _ = writeln!(out, "- `{name}`: {meaning}. {}.", stage(*fault));
    }
    if !kind.variables.is_empty() {
        let names: Vec<String> = kind.variables.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(out, "\nA rule's own `message` may also use: {}", names.join(", "));
    }
    out
}

/// All pages, as one Markdown document.
#[must_use]
pub fn all_pages() -> String {
    let mut out = String::from(
        "# Check kinds\n\nMade from the doc comments in `src/check/`; `citeward rules KIND` prints a page of it.\n",
    );
    for kind in KINDS {
        out.push('\n');
        out.push_str(&page(kind).replace("\n## ", "\n### ").replacen("# ", "## ", 1));
    }
    out
}

/// The first sentence of a kind's page.
#[must_use]
pub fn summary(kind: &KindEntry) -> String {
    let (schema, _) = schema(kind);
    let page = description(&schema);
    let paragraph = page.split("\n\n").next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    paragraph.split(". ").next().unwrap_or_default().trim_end_matches('.').to_owned()
}

/// The stage at fault of a code, in words.
fn stage(fault: Fault) -> String {
    let told = |Told { stage, because }: Told| match stage {
        Some(stage) => format!("`{stage}` ({because})"),
        None => format!("not told ({because})"),
    };
    let stage = match fault {
        Fault::Always(always) => told(always),
        Fault::Cited { resolved, unresolved } => {
            format!("{} where the packet has the unit, else {}", told(resolved), told(unresolved))
        }
        Fault::Lacking { nowhere, .. } => {
            let nowhere = nowhere.map_or_else(|| "not told".to_owned(), |stage| format!("`{stage}`"));
            format!("`citation` where another unit that the reader may see has what is missing, else {nowhere}")
        }
        Fault::Text { written, read } => {
            format!("{} on the answer or a claim, {} on the evidence", told(written), told(read))
        }
    };
    format!("Stage at fault: {stage}")
}

const fn family_title(family: Family) -> &'static str {
    match family {
        Family::Integrity => "Integrity: is the citation what it says it is?",
        Family::Coverage => "Coverage: is what needs a citation cited?",
        Family::Support => "Support: does the cited evidence say what the claim says?",
    }
}

fn schema(kind: &KindEntry) -> (Map<String, Value>, Map<String, Value>) {
    let mut generator = SchemaGenerator::default();
    let reference = (kind.schema)(&mut generator);
    let definitions = generator.take_definitions(true);
    let schema = resolve(reference.as_value(), &definitions).and_then(Value::as_object).cloned().unwrap_or_default();
    (schema, definitions)
}

fn resolve<'v>(schema: &'v Value, definitions: &'v Map<String, Value>) -> Option<&'v Value> {
    match schema.get("$ref").and_then(Value::as_str) {
        Some(reference) => definitions.get(reference.rsplit('/').next().unwrap_or_default()),
        None => Some(schema),
    }
}

fn description(schema: &Map<String, Value>) -> &str {
    schema.get("description").and_then(Value::as_str).unwrap_or_default()
}

fn options(schema: &Map<String, Value>, definitions: &Map<String, Value>, out: &mut String) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object).filter(|p| !p.is_empty()) else {
        let _ = writeln!(out, "No options.\n");
        return;
    };
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let _ = writeln!(out, "## Options\n");
    for (name, property) in properties {
        let _ = write!(out, "- `{name}`");
        if required.contains(&name.as_str()) {
            out.push_str(" (required)");
        }
        if let Some(default) = property.get("default").filter(|value| !value.is_null()) {
            let _ = write!(out, " (default `{default}`)");
        }
        let own = property.get("description").and_then(Value::as_str);
        let of_type = resolve(property, definitions).and_then(|s| s.get("description")).and_then(Value::as_str);
        let text = own.or(of_type).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, ": {text}");
    }
    out.push('\n');
}
