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
    // What is wrong with `any` comes back under the first language.
    let found =
        node.and_then(|node| [fault.language.as_str(), ANY].into_iter().find_map(|name| place(node, name, fault)));
    let language = found.map_or(fault.language.as_str(), |(language, _)| language);
    let problem = Problem::new(code::WRONG_VALUE, format!("lexicon `{language}`: `{}` is wrong", fault.key));
    let problem = problem.label(&*fault.what);
    match found {
        Some((_, span)) => problem.at(span),
        None => problem,
    }
}

/// The innermost place in this language that the fault's key leads to. `None` where the language says nothing of it.
fn place<'a>(node: &Node, language: &'a str, fault: &LexiconProblem) -> Option<(&'a str, Span)> {
    let mut parts = fault.key.split('.');
    let first = node.get(language)?.value.get(parts.next()?)?;
    let mut found = (first.key_span, &first.value);
    for part in parts {
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
    Some((language, found.0))
}
