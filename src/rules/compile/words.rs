//! Lexicons: the shipped word lists with what a policy adds.

use std::collections::BTreeMap;

use crate::diagnostic::{Problem, Problems, Span, code};
use crate::rules::section::Sections;
use crate::text::Lexicons;
use crate::text::lexicon::{ANY, LexiconProblem, WrittenLexicon};
use crate::yaml::{self, Node, Value};

/// Compiles the section `lexicons` on top of the shipped word lists. `None` where something is wrong with it.
pub(super) fn lexicons(sections: &Sections, problems: &mut Problems) -> Option<Lexicons> {
    let before = problems.len();
    let node = sections.node("lexicons");
    let mut written = BTreeMap::new();
    if let Some(Node { value: Value::Map(entries), .. }) = node {
        for entry in entries {
            match yaml::decode::<WrittenLexicon>(&entry.value) {
                Ok(lexicon) => {
                    written.insert(entry.key.clone(), lexicon);
                }
                Err(problem) => problems.push(problem),
            }
        }
    }
    if problems.len() > before {
        return None;
    }
    match Lexicons::new(&written) {
        Ok(lexicons) => Some(lexicons),
        Err(faults) => {
            for fault in faults {
                problems.push(problem(node, &fault));
            }
            None
        }
    }
}

fn problem(node: Option<&Node>, fault: &LexiconProblem) -> Problem {
    let problem =
        Problem::new(code::WRONG_VALUE, format!("lexicon `{}`: `{}`", fault.language, fault.key)).label(&*fault.what);
    match node.and_then(|node| place(node, fault)) {
        Some(span) => problem.at(span),
        None => problem,
    }
}

/// The innermost place of the policy that the fault's key leads to; a fault of a language may come from `any`.
fn place(node: &Node, fault: &LexiconProblem) -> Option<Span> {
    let language = node.get(&fault.language).or_else(|| node.get(ANY))?;
    let mut found = (language.key_span, &language.value);
    for part in fault.key.split('.') {
        let next = match &found.1.value {
            Value::List(items) => {
                let names = |item: &&Node| match &item.value {
                    Value::Text(text) => text == part,
                    _ => item.get("unit").is_some_and(|unit| unit.value.value == Value::Text(part.to_owned())),
                };
                items.iter().find(names).map(|item| (item.span, item))
            }
            _ => found.1.get(part).map(|entry| (entry.value.span, &entry.value)),
        };
        match next {
            Some(next) => found = next,
            None => break,
        }
    }
    Some(found.0)
}
