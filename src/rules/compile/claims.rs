//! Claims.

use super::{Ids, condition::primary};
use crate::citation::{self, Attach, ClaimPolicy, ClaimSource, Split};
use crate::diagnostic::{Problem, Problems, Span, code, quoted};
use crate::rules::pattern::{picks_out, regex};
use crate::rules::section::Sections;
use crate::rules::written::{AttachWord, ClaimPattern, Claims, FromWord, SplitWord};
use crate::yaml::Located;

/// The language of cases that name none, where the policy names none either.
const LANGUAGE: &str = "en";

/// What a pattern of source lines that matches everything means.
const NO_CLAIM: &str = "every line would be a source, and none a claim";

/// Compiles the section `claims`.
pub(super) fn claims(sections: &Sections, problems: &mut Problems) -> ClaimPolicy {
    let written: Claims = sections.map("claims", problems);
    let mut ids = Ids::of("patterns of claims");
    let needs = written.needs_citation.unwrap_or_default();
    ClaimPolicy {
        from: match written.from {
            Some(FromWord::Case) => ClaimSource::Case,
            Some(FromWord::Answer) => ClaimSource::Answer,
            Some(FromWord::Auto) | None => ClaimSource::Auto,
        },
        attach: match written.attach {
            Some(AttachWord::Paragraph) => Attach::Paragraph,
            Some(AttachWord::Sentence) | None => Attach::Sentence,
        },
        split: match written.split {
            Some(SplitWord::Marker) => Split::Marker,
            Some(SplitWord::Sentence) | None => Split::Sentence,
        },
        always: patterns(&needs.always, None, &mut ids, problems),
        never: patterns(&needs.never, Some("no claim would need a citation"), &mut ids, problems),
        default_verifiable: needs.default.unwrap_or(true),
        refusals: patterns(&written.refusals, Some("every claim would be a refusal"), &mut ids, problems),
        reference_lists: patterns(&written.reference_lists, Some(NO_CLAIM), &mut ids, problems),
        reference_entries: patterns(&written.reference_entries, Some(NO_CLAIM), &mut ids, problems),
        language: written.language.as_ref().map_or_else(|| LANGUAGE.to_owned(), |tag| language(tag, problems)),
    }
}

/// Compiles patterns; `everywhere` is what it means where one of them matches every text, and that is an error.
fn patterns(
    written: &[Located<ClaimPattern>],
    everywhere: Option<&str>,
    ids: &mut Ids,
    problems: &mut Problems,
) -> Vec<citation::ClaimPattern> {
    let mut compiled = Vec::new();
    for entry in written {
        ids.add(&entry.id, problems);
        let mut languages = Vec::new();
        if let Some(words) = &entry.language {
            for word in &words.value.0 {
                let span = if word.span == Span::default() { words.span } else { word.span };
                languages.push(language(&Located { value: word.value.0.clone(), span }, problems));
            }
            if languages.is_empty() {
                let problem = Problem::new(code::EMPTY, "`language` is empty").at(words.span);
                problems.push(problem.found("an empty list", "at least one language"));
            }
        }
        let pattern = regex(&entry.pattern, "`pattern`", problems);
        if let (Some(pattern), Some(meaning)) = (&pattern, everywhere) {
            picks_out(pattern, entry.pattern.span, meaning, problems);
        }
        compiled.extend(pattern.map(|pattern| citation::ClaimPattern { pattern, languages }));
    }
    compiled
}

/// The primary subtag of a language tag.
fn language(tag: &Located<String>, problems: &mut Problems) -> String {
    let primary = primary(tag);
    let sound = (2..=8).contains(&primary.len()) && primary.chars().all(|c| c.is_ascii_lowercase());
    if !sound {
        let problem = Problem::new(code::WRONG_VALUE, format!("{} is not a language tag", quoted(tag))).at(tag.span);
        problems.push(problem.label("expected a tag such as `en` or `pt-BR`"));
    }
    primary
}
