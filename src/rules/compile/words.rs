//! Lexicons: the shipped word lists with what a policy adds.

use std::collections::BTreeMap;

use crate::diagnostic::{Problem, Problems, Span, code, harmless};
use crate::rules::section::Sections;
use crate::text::Lexicons;
use crate::text::lexicon::{ANY, LexiconProblem, WrittenLexicon, copy_of};
use crate::yaml::{self, Entry, Node, Value};

/// Compiles the section `lexicons` on top of the shipped word lists. `None` where something is wrong with it.
pub(super) fn lexicons(sections: &Sections, problems: &mut Problems) -> Option<Lexicons> {
    let before = problems.len();
    let node = sections.node("lexicons");
    let mut written = BTreeMap::new();
    // What all languages share decides what the others may say: without it nothing more can be said of them.
    let mut shared_reads = true;
    if let Some(Node { value: Value::Map(entries), .. }) = node {
        for entry in entries {
            wrong_language(entry).into_iter().for_each(|problem| problems.push(problem));
            // A copy of the shipped file, as `init` writes it out, adds nothing.
            let file = problems.source(entry.key_span.source);
            if file.and_then(|file| copy_of(&file.text)).is_some_and(|language| language == entry.key) {
                continue;
            }
            match yaml::decode::<WrittenLexicon>(&entry.value) {
                Ok(lexicon) => drop(written.insert(entry.key.clone(), lexicon)),
                Err(problem) => {
                    shared_reads &= entry.key != ANY;
                    problems.push(problem);
                }
            }
        }
    }
    if !shared_reads {
        return None;
    }
    match Lexicons::new(&written) {
        Ok(lexicons) => (problems.len() == before).then_some(lexicons),
        Err(faults) => {
            for fault in faults {
                problems.push(problem(node, &fault));
            }
            None
        }
    }
}

/// A language that no case would ever be in.
fn wrong_language(entry: &Entry) -> Option<Problem> {
    let is_subtag = |tag: &str| (2..=3).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_lowercase());
    let tag = entry.key.as_str();
    if tag == ANY || is_subtag(tag) {
        return None;
    }
    let lower = tag.to_lowercase();
    let primary = lower.split(['-', '_']).next().unwrap_or_default();
    let shipped = Lexicons::shipped().ok();
    let known =
        |short: &&str| shipped.as_ref().is_some_and(|lexicons| lexicons.languages().any(|known| known == *short));
    let meant = Some(primary).filter(|primary| is_subtag(primary)).or_else(|| primary.get(..2).filter(known));
    let problem = Problem::new(code::WRONG_VALUE, format!("lexicon `{}`: no case is in this language", harmless(tag)));
    let problem =
        problem.label(format!("expected `{ANY}`, or the first part of a language tag in small letters, such as `de`"));
    Some(problem.at(entry.key_span).help_if(meant.map(|meant| format!("did you mean `{meant}`?"))))
}

fn problem(node: Option<&Node>, fault: &LexiconProblem) -> Problem {
    // What is wrong with `any` comes back under the first language.
    let found =
        node.and_then(|node| [fault.language.as_str(), ANY].into_iter().find_map(|name| place(node, name, fault)));
    let language = found.map_or(fault.language.as_str(), |(language, _)| language);
    let problem = Problem::new(code::WRONG_VALUE, format!("lexicon `{language}`: `{}` is wrong", fault.key));
    let problem = problem.label(&*fault.what).help_if(fault.help.clone());
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
