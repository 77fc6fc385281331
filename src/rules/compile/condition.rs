//! Conditions: where a rule applies, or what a slice divides by.

use super::Dimensions;
use super::slice::{empty_list, slice_span};
use crate::diagnostic::{Problem, Problems, Span, code, one_of};
use crate::rules::metric::Level;
use crate::rules::pattern::regex;
use crate::rules::policy::{self, Dimension, DimensionSource};
use crate::rules::written::{self, SliceRef, Words};
use crate::yaml::Located;

/// Compiles a condition for subjects at `level`; `dimensions` is `None` where slices may not be named.
pub(super) fn condition(
    when: &Located<written::When>,
    level: Level,
    dimensions: Option<&Dimensions>,
    problems: &mut Problems,
) -> policy::When {
    let mut compiled = policy::When::default();
    let given = [
        when.claim.is_some() || when.answer.is_some() || when.query.is_some(),
        when.slice.is_some() || when.language.is_some(),
        when.claim_type.is_some() || when.source.is_some() || when.not.is_some(),
    ];
    if !given.contains(&true) {
        let problem = Problem::new(code::EMPTY, "the condition is empty").at(when.span);
        problems.push(problem.label("it would hold everywhere").help("fill it or delete `when`"));
    }
    fits("claim", when.claim.as_ref().map(|claim| claim.span), Level::Claim, level, problems);
    fits("type", when.claim_type.as_ref().map(|words| words.span), Level::Claim, level, problems);
    fits("source", when.source.as_ref().map(|words| words.span), Level::Claim, level, problems);
    compiled.claim = when.claim.as_ref().and_then(|claim| regex(claim, "`claim`", problems));
    compiled.answer = when.answer.as_ref().and_then(|answer| regex(answer, "`answer`", problems));
    compiled.query = when.query.as_ref().and_then(|query| regex(query, "`query`", problems));
    compiled.claim_type = words(when.claim_type.as_ref(), problems);
    compiled.source_type = words(when.source.as_ref(), problems);
    compiled.language = words(when.language.as_ref(), problems).iter().map(|tag| primary(tag)).collect();
    match (&when.slice, dimensions) {
        (Some(slice), Some(dimensions)) => {
            compiled.slices = dimensions.values(slice, problems).unwrap_or_default();
            for (index, _) in &compiled.slices {
                if let Some(dimension) = dimensions.list.get(*index)
                    && dimension.level > level
                {
                    let problem = Problem::new(
                        code::WRONG_SUBJECT,
                        format!(
                            "slice `{}` is of {}, and here {} are judged",
                            dimension.id,
                            plural(dimension.level),
                            plural(level)
                        ),
                    );
                    problems.push(problem.at(slice_span(slice)).label("it has no value here"));
                }
            }
        }
        (Some(slice), None) => {
            let problem = Problem::new(code::WRONG_SUBJECT, "a slice cannot be declared through other slices");
            problems
                .push(problem.at(slice_span(slice)).label("not allowed here").help("cross slices with `by: [ … ]`"));
        }
        (None, _) => {}
    }
    if let Some(not) = &when.not {
        compiled.not = Some(Box::new(condition(not, level, dimensions, problems)));
        contradiction(when, not, problems);
    }
    if let Some(dimensions) = dimensions {
        disjoint(when, &compiled, dimensions, problems);
    }
    compiled
}

fn fits(name: &str, span: Option<Span>, needs: Level, level: Level, problems: &mut Problems) {
    if let Some(span) = span
        && needs > level
    {
        let problem =
            Problem::new(code::WRONG_SUBJECT, format!("`{name}` has no meaning where whole cases are judged"));
        problems.push(problem.at(span).label(format!("a case has no single {}", plural(needs).trim_end_matches('s'))));
    }
}

pub(super) fn plural(level: Level) -> &'static str {
    match level {
        Level::Case => "cases",
        Level::Claim => "claims",
        Level::Citation => "citations",
    }
}

fn words(words: Option<&Located<Words>>, problems: &mut Problems) -> Vec<String> {
    let Some(words) = words else { return Vec::new() };
    if words.value.0.is_empty() {
        problems.push(empty_list(words.span));
    }
    words.value.0.iter().map(|word| word.0.clone()).collect()
}

/// The primary subtag of a language tag, in lower case.
pub(super) fn primary(tag: &str) -> String {
    tag.split(['-', '_']).next().unwrap_or_default().to_lowercase()
}

/// Reports a `not` that denies what the condition itself demands.
fn contradiction(when: &written::When, not: &Located<written::When>, problems: &mut Problems) {
    let same = |a: &Option<Located<String>>, b: &Option<Located<String>>| match (a, b) {
        (_, None) => true,
        (Some(a), Some(b)) => a.value == b.value,
        (None, Some(_)) => false,
    };
    let same_words = |a: &Option<Located<Words>>, b: &Option<Located<Words>>| match (a, b) {
        (_, None) => true,
        (Some(a), Some(b)) => texts(a).iter().all(|word| texts(b).contains(word)),
        (None, Some(_)) => false,
    };
    let same_slice = match (&when.slice, &not.slice) {
        (_, None) => true,
        (Some(SliceRef::Name(a)), Some(SliceRef::Name(b))) => a.value == b.value,
        (Some(SliceRef::Values(a)), Some(SliceRef::Values(b))) => b.iter().all(|(id, words)| {
            a.iter().any(|(other, wanted)| {
                other.value == id.value && texts(wanted).iter().all(|w| texts(words).contains(w))
            })
        }),
        _ => false,
    };
    let never = same(&when.claim, &not.claim)
        && same(&when.answer, &not.answer)
        && same(&when.query, &not.query)
        && same_words(&when.language, &not.language)
        && same_words(&when.claim_type, &not.claim_type)
        && same_words(&when.source, &not.source)
        && same_slice
        && not.not.is_none();
    if never {
        let problem = Problem::new(code::CONTRADICTION, "the condition can never hold").at(not.span);
        problems
            .push(problem.label("this excludes all that the other conditions demand").help("remove one of the two"));
    }
}

fn texts(words: &Located<Words>) -> Vec<&str> {
    words.value.0.iter().map(|word| word.value.0.as_str()).collect()
}

/// Reports a slice and another condition that speak of one field and have no value in common.
fn disjoint(when: &written::When, compiled: &policy::When, dimensions: &Dimensions, problems: &mut Problems) {
    let pairs = [
        ("language", "language", &compiled.language, when.language.as_ref()),
        ("claim.type", "type", &compiled.claim_type, when.claim_type.as_ref()),
        ("source.type", "source", &compiled.source_type, when.source.as_ref()),
    ];
    for (index, values) in &compiled.slices {
        let Some(Dimension { source: DimensionSource::Field(path), id, .. }) = dimensions.list.get(*index) else {
            continue;
        };
        for (field, key, wanted, written) in &pairs {
            let plain = |value: &String| if *key == "language" { primary(value) } else { value.clone() };
            let common = values.iter().map(plain).any(|value| wanted.contains(&value));
            if let Some(written) = written
                && path.0 == *field
                && !common
            {
                let problem = Problem::new(code::CONTRADICTION, "the condition can never hold").at(written.span);
                problems.push(problem.label(format!("slice `{id}` demands {} of the same field", one_of(values))));
            }
        }
    }
}

pub(super) fn level_of(when: &policy::When, dimensions: &Dimensions) -> Level {
    let own = if when.claim.is_some() || !when.claim_type.is_empty() { Level::Claim } else { Level::Case };
    let source = if when.source_type.is_empty() { Level::Case } else { Level::Citation };
    let slices = when.slices.iter().filter_map(|(index, _)| dimensions.list.get(*index)).map(|slice| slice.level);
    let not = when.not.as_ref().map(|not| level_of(not, dimensions));
    slices.chain(not).chain([own, source]).max().unwrap_or(Level::Case)
}

pub(super) fn is_of_answer(when: &policy::When, dimensions: &Dimensions) -> bool {
    when.claim.is_some()
        || when.answer.is_some()
        || !when.claim_type.is_empty()
        || !when.source_type.is_empty()
        || when.slices.iter().any(|(index, _)| dimensions.is_of_answer(*index))
        || when.not.as_ref().is_some_and(|not| is_of_answer(not, dimensions))
}
