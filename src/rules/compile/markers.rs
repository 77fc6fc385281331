//! Markers.

use regex::Regex;

use super::{Ids, place};
use crate::citation::{EntryPlaces, Grammar, GrammarError, IdCase, MarkerSet, Resolve};
use crate::diagnostic::{Problem, Problems, Span, code};
use crate::rules::pattern::{leaves_something, regex};
use crate::rules::section::Sections;
use crate::rules::written::{CaseWord, Marker, ResolveWord};
use crate::yaml::Located;

/// Compiles the section `markers`.
pub(super) fn markers(sections: &Sections, problems: &mut Problems) -> MarkerSet {
    let mut ids = Ids::of("markers");
    let mut grammars = Vec::new();
    let mut exclude = Vec::new();
    let mut suspicious = Vec::new();
    let mut places = EntryPlaces::default();
    for (node, written) in sections.entries::<Marker>("markers", problems) {
        ids.add(&written.id, problems);
        match role(&written, node.span, problems) {
            Some(Role::Marker(pattern)) => {
                if let Some(grammar) = grammar(&written, pattern, problems) {
                    grammars.push(grammar);
                    places.grammars.push(format!("`{}` ({})", written.id.value, place(written.id.span, problems)));
                }
            }
            Some(Role::Exclude(pattern)) => {
                if let Some(compiled) = other(&written, pattern, "`exclude`", problems) {
                    leaves_something(&compiled, pattern.span, "no marker would be looked for anywhere", problems);
                    exclude.push(compiled);
                    places.exclude.push(format!("`{}` ({})", written.id.value, place(written.id.span, problems)));
                }
            }
            Some(Role::Suspicious(pattern)) => suspicious.extend(other(&written, pattern, "`suspicious`", problems)),
            None => {}
        }
    }
    MarkerSet::new(grammars, exclude, suspicious).written_at(places)
}

enum Role<'a> {
    Marker(&'a Located<String>),
    Exclude(&'a Located<String>),
    Suspicious(&'a Located<String>),
}

fn role<'a>(written: &'a Marker, entry: Span, problems: &mut Problems) -> Option<Role<'a>> {
    let given: Vec<(Role<'_>, &str, Span)> = [
        written.pattern.as_ref().map(|pattern| (Role::Marker(pattern), "pattern", pattern.span)),
        written.exclude.as_ref().map(|pattern| (Role::Exclude(pattern), "exclude", pattern.span)),
        written.suspicious.as_ref().map(|pattern| (Role::Suspicious(pattern), "suspicious", pattern.span)),
    ]
    .into_iter()
    .flatten()
    .collect();
    if let [(_, first, _), (_, second, span), ..] = given.as_slice() {
        let problem =
            Problem::new(code::CONTRADICTION, format!("`{first}` and `{second}` exclude each other")).at(*span);
        problems.push(problem.label(format!("`{first}` is given too")).help("make two entries of it"));
        return None;
    }
    let only = given.into_iter().next();
    if only.is_none() {
        let problem = Problem::new(code::MISSING_KEY, "the entry has no pattern").at(entry);
        problems.push(problem.label("one of `pattern`, `exclude` and `suspicious` is needed"));
    }
    only.map(|(role, _, _)| role)
}

/// A pattern for what is no marker; settings of a marker have no effect on it.
fn other(written: &Marker, pattern: &Located<String>, what: &str, problems: &mut Problems) -> Option<Regex> {
    let settings = [
        ("each", written.each.as_ref().map(|each| each.span)),
        ("resolve", written.resolve.as_ref().map(|resolve| resolve.span)),
        ("first", written.first.as_ref().map(|first| first.span)),
        ("aliases", written.aliases.as_ref().map(|aliases| aliases.span)),
        ("case", written.case.as_ref().map(|case| case.span)),
        ("trim", written.trim.as_ref().map(|trim| trim.span)),
        ("prefix", written.prefix.as_ref().map(|prefix| prefix.span)),
        ("known_only", written.known_only.as_ref().map(|known| known.span)),
    ];
    for (name, span) in settings {
        if let Some(span) = span {
            no_effect(format!("`{name}` has no effect beside {what}"), span, problems);
        }
    }
    let compiled = regex(pattern, what, problems)?;
    not_everywhere(&compiled, pattern.span, problems).then_some(compiled)
}

fn not_everywhere(compiled: &Regex, span: Span, problems: &mut Problems) -> bool {
    let everywhere = compiled.is_match("");
    if everywhere {
        let problem = Problem::new(code::BAD_REGEX, "the pattern matches the empty text").at(span);
        problems.push(problem.label("it would match everywhere").help("demand at least one character"));
    }
    !everywhere
}

fn no_effect(message: String, span: Span, problems: &mut Problems) {
    problems.push(Problem::new(code::NO_EFFECT, message).at(span).label("it would be ignored").help("delete it"));
}

fn grammar(written: &Marker, pattern: &Located<String>, problems: &mut Problems) -> Option<Grammar> {
    let resolve = resolve(written, problems);
    let each = written.each.as_ref().and_then(|each| regex(each, "`each`", problems));
    let compiled = regex(pattern, "`pattern`", problems)?;
    let mut grammar = match Grammar::new(written.id.value.clone(), compiled) {
        Ok(grammar) => grammar,
        Err(error) => {
            problems.push(refused(error, pattern.span));
            return None;
        }
    };
    if let Some(each) = &written.each
        && !grammar.pattern.capture_names().flatten().any(|name| name == "refs")
    {
        no_effect("`each` has no effect without the group `refs`".to_owned(), each.span, problems);
    }
    grammar.each = each;
    grammar.resolve = resolve?;
    grammar.case = match written.case.as_ref().map(|case| case.value) {
        Some(CaseWord::Exact) => IdCase::Exact,
        Some(CaseWord::Fold) | None => IdCase::Fold,
    };
    grammar.trim = written.trim.as_ref().map(|trim| trim.value.clone()).unwrap_or_default();
    grammar.prefix = written.prefix.as_ref().map(|prefix| prefix.value.clone()).unwrap_or_default();
    grammar.known_only = written.known_only.as_ref().is_some_and(|known| known.value);
    Some(grammar)
}

fn refused(error: GrammarError, span: Span) -> Problem {
    match error {
        GrammarError::NoReference => {
            Problem::new(code::MISSING_GROUP, "the pattern does not say which part is the reference")
                .at(span)
                .label("expected a named group `ref` or `refs`")
                .help("write `(?<ref>…)` around one id, or `(?<refs>…)` around a list")
        }
        GrammarError::BothReferences => {
            Problem::new(code::CONTRADICTION, "the pattern has both groups, `ref` and `refs`")
                .at(span)
                .label("expected one of the two")
                .help("use `refs` alone: a list may have one reference")
        }
        GrammarError::MatchesNothing => Problem::new(code::BAD_REGEX, "the pattern matches the empty text")
            .at(span)
            .label("it would find a marker everywhere")
            .help("demand at least one character"),
    }
}

fn resolve(written: &Marker, problems: &mut Problems) -> Option<Resolve> {
    let word = written.resolve.as_ref().map_or(ResolveWord::Id, |resolve| resolve.value);
    if let Some(first) = &written.first
        && word != ResolveWord::Position
    {
        no_effect("`first` has no effect without `resolve: position`".to_owned(), first.span, problems);
    }
    if let Some(aliases) = &written.aliases
        && word != ResolveWord::Alias
    {
        no_effect("`aliases` has no effect without `resolve: alias`".to_owned(), aliases.span, problems);
    }
    match word {
        ResolveWord::Id => Some(Resolve::Id),
        ResolveWord::Position => {
            let first = written.first.as_ref().map_or(1, |first| first.value);
            if let Some(written) = &written.first
                && first > 1
            {
                let problem = Problem::new(code::WRONG_VALUE, "positions are counted from 0 or 1").at(written.span);
                problems.push(problem.found(first, "0 or 1"));
                return None;
            }
            Some(Resolve::Position { first })
        }
        ResolveWord::Alias => match &written.aliases {
            Some(aliases) if !aliases.is_empty() => Some(Resolve::Alias(aliases.value.clone())),
            given => {
                let span = given.as_ref().map_or_else(
                    || written.resolve.as_ref().map_or(written.id.span, |resolve| resolve.span),
                    |aliases| aliases.span,
                );
                let problem = Problem::new(code::MISSING_KEY, "`resolve: alias` needs names").at(span);
                problems.push(problem.label("no name is given").help("add `aliases: { name: id }`"));
                None
            }
        },
    }
}
