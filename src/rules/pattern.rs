//! Regular expressions of rule files: compiled, with messages that point into the pattern.

use regex::Regex;

use crate::diagnostic::{Problem, Problems, Span, code};
use crate::text::expression::{self, Broken};
use crate::yaml::Located;

/// Compiles a pattern. `what` names it for messages, such as "`claim`".
pub(super) fn regex(written: &Located<String>, what: &str, problems: &mut Problems) -> Option<Regex> {
    if written.is_empty() {
        let problem = Problem::new(code::EMPTY, format!("{what} is an empty regular expression"));
        problems.push(
            problem.at(written.span).label("it would match everywhere").help("write a pattern or delete the key"),
        );
        return None;
    }
    if let Some(character) = written.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        problems.push(control_character(written, what, character, problems));
        return None;
    }
    // In a block the line break at its end is part of the pattern, unless white space counts for nothing there (`x`).
    let ignores_space = written.strip_prefix("(?").is_some_and(|rest| {
        rest.split(|c: char| !c.is_ascii_alphabetic()).next().is_some_and(|flags| flags.contains('x'))
    });
    if written.ends_with('\n') && !ignores_space {
        let problem = Problem::new(code::BAD_REGEX, format!("{what} ends in a line break")).at(written.span);
        let problem = problem.label("it would match only before a line break");
        problems.push(problem.help("write the pattern on one line, or begin the block with `|-`"));
        return None;
    }
    match expression::compile(written, false) {
        Ok(regex) => Some(regex),
        Err(broken) => {
            problems.push(problem_of(written, what, broken, problems));
            None
        }
    }
}

/// Texts that have next to nothing in common: a pattern that matches all of them picks nothing out.
const UNALIKE: [&str; 3] = [
    "the cabin had a big black bed and a faded red bag in a dim cage beside a lake that made him laugh",
    "My hymn runs slow, so try sunny, stormy, wordy words on our young, strong, grumpy punks now (soon: \"ho!\")",
    "7 Engineers wrote 12 pages on quiz questions; xenon, zinc, jazz, vexed foxes [3] and waltzes in 1999.",
];

/// Reports a pattern that matches whatever a text says. `meaning` says what would become of every claim.
pub(super) fn picks_out(regex: &Regex, span: Span, meaning: &str, problems: &mut Problems) {
    if UNALIKE.iter().all(|text| regex.is_match(text)) {
        problems.push(everything(span, meaning));
    }
}

/// Reports a pattern whose matches leave nothing of a text over.
pub(super) fn leaves_something(regex: &Regex, span: Span, meaning: &str, problems: &mut Problems) {
    let solid = |text: &str| text.bytes().filter(|byte| !byte.is_ascii_whitespace()).count();
    let covered = |text: &&str| regex.find_iter(text).map(|found| solid(found.as_str())).sum::<usize>() == solid(text);
    if UNALIKE.iter().all(covered) {
        problems.push(everything(span, meaning));
    }
}

fn everything(span: Span, meaning: &str) -> Problem {
    let problem = Problem::new(code::BAD_REGEX, "the pattern matches every text").at(span);
    problem.label(meaning).help("name what is meant, or delete the entry")
}

fn problem_of(written: &Located<String>, what: &str, broken: Broken, problems: &Problems) -> Problem {
    let span = broken.characters.and_then(|(start, end)| inside(written, start, end, problems));
    Problem::new(code::BAD_REGEX, format!("{what} is not a valid regular expression"))
        .at(span.unwrap_or(written.span))
        .label(broken.reason)
        .help_if(broken.help.map(str::to_owned))
}

/// An escape of double quotation marks that is another one in a regular expression: `"\b"` is a backspace.
fn control_character(written: &Located<String>, what: &str, character: char, problems: &Problems) -> Problem {
    let problem = Problem::new(code::BAD_REGEX, format!("{what} holds a control character")).at(written.span);
    let problem = problem.label(format!("the character U+{:04X}, which no text has", u32::from(character)));
    let raw = problems
        .source(written.span.source)
        .and_then(|source| source.text.get(written.span.start as usize..written.span.end as usize));
    problem.help(match raw.and_then(|raw| raw.strip_prefix('"')?.strip_suffix('"')) {
        Some(inner) => format!(
            "write it in single quotation marks, in which a backslash stays one: '{}'",
            inner.replace('\'', "''")
        ),
        None => "write the pattern without it".to_owned(),
    })
}

/// The place of characters `start..end` of the pattern in the file, where it is written there character by character:
/// plain, or in quotation marks without an escape.
fn inside(written: &Located<String>, start: usize, end: usize, problems: &Problems) -> Option<Span> {
    let source = problems.source(written.span.source)?;
    let raw = source.text.get(written.span.start as usize..written.span.end as usize)?;
    let skipped = raw.find(written.value.as_str())?;
    let byte = |column: usize| written.char_indices().map(|(byte, _)| byte).nth(column).unwrap_or(written.len());
    Some(written.span.part(skipped + byte(start), skipped + byte(end)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Place;
    use crate::yaml;

    fn problem_of(text: &str) -> (String, String) {
        let mut problems = Problems::new();
        let source = problems.add_source("f", text);
        let node = yaml::parse(source, text, &mut problems).unwrap();
        let written: Located<String> = yaml::decode(&node.get("p").unwrap().value).unwrap();
        assert!(regex(&written, "`p`", &mut problems).is_none());
        let shown = problems.shown();
        let Place::Span(span) = shown[0].place else { panic!() };
        (text[span.start as usize..span.end as usize].to_owned(), shown[0].label.as_deref().unwrap().to_owned())
    }

    #[test]
    fn the_place_is_inside_of_the_pattern() {
        assert_eq!(problem_of("p: 'é(\\d+'\n"), ("(".into(), "unclosed group".into()));
        assert_eq!(problem_of("p: a[b\n"), ("[".into(), "unclosed character class".into()));
        let (place, label) = problem_of("p: 'a(?=b)'\n");
        assert_eq!(place, "(?=");
        assert!(label.starts_with("look-around"), "{label}");
        assert_eq!(problem_of("p: \"\\\\d(\"\n"), ("(".into(), "unclosed group".into()));
        // An escape moves the columns: the whole pattern is shown.
        assert_eq!(problem_of("p: \"\\x28\"\n"), ("\"\\x28\"".into(), "unclosed group".into()));
        assert_eq!(problem_of("p: ''\n").0, "''");
        assert_eq!(problem_of("p: '\\w{100000}'\n").1, "it is too large once compiled");
    }
}
