//! Slices and conditions.

use super::condition::{condition, is_of_answer, level_of};
use super::{Dimensions, Ids};
use crate::diagnostic::{Problem, Problems, Span, code, did_you_mean, one_of, quoted};
use crate::rules::metric::Level;
use crate::rules::pattern::regex;
use crate::rules::policy::{CROSS, Dimension, DimensionSource, FieldPath, MAX_VALUES, WHEN_VALUES, bin_values};
use crate::rules::section::Sections;
use crate::rules::written::{self, SliceRef, Words};
use crate::yaml::Located;

/// What can be counted about an answer.
const ANSWER_COUNTS: [&str; 3] = ["words", "citations", "claims"];

/// The longest field path, in characters.
const LONGEST_PATH: usize = 200;

/// Compiles the section `slices`.
pub(super) fn dimensions(sections: &Sections, problems: &mut Problems) -> Dimensions {
    let mut ids = Ids::of("slices");
    let mut dimensions = Dimensions::default();
    for (node, written) in sections.entries::<written::Slice>("slices", problems) {
        // A dimension with a problem keeps its place, so that what refers to it is not reported too.
        let sound = ids.add(&written.id, problems);
        let source = source(&written, node.span, &dimensions, problems);
        if sound {
            dimensions.add(&written, source, problems);
        }
    }
    dimensions
}

impl Dimensions {
    fn add(&mut self, written: &written::Slice, source: Option<DimensionSource>, problems: &mut Problems) {
        let max_values = match &written.max_values {
            Some(limit) if limit.value == 0 || limit.value > 100_000 => {
                let problem = Problem::new(code::WRONG_VALUE, "`max_values` is out of range").at(limit.span);
                problems.push(problem.found(limit.value, "a whole number from 1 to 100000"));
                MAX_VALUES
            }
            Some(limit) => limit.value as usize,
            None => MAX_VALUES,
        };
        let source = source.unwrap_or_else(|| DimensionSource::Field(FieldPath("meta".to_owned())));
        let (level, of_answer) = self.nature(&source);
        if let (Some(missing), DimensionSource::When(_) | DimensionSource::Cross(_)) = (&written.missing, &source) {
            let problem = Problem::new(code::NO_EFFECT, "`missing` has no effect without `field`").at(missing.span);
            problems.push(problem.label("every subject has a value here").help("delete it"));
        }
        self.push(
            Dimension {
                id: written.id.value.clone(),
                level,
                source,
                missing: written.missing.as_ref().map(|missing| missing.value.clone()),
                max_values,
            },
            of_answer,
        );
    }

    fn push(&mut self, dimension: Dimension, of_answer: bool) -> usize {
        let index = self.list.len();
        self.by_id.insert(dimension.id.clone(), index);
        self.list.push(dimension);
        self.of_answer.push(of_answer);
        index
    }

    /// At which level the values stand, and whether the answer decides them.
    fn nature(&self, source: &DimensionSource) -> (Level, bool) {
        match source {
            DimensionSource::Field(path) | DimensionSource::Bins(path, _) | DimensionSource::Pattern(path, _) => {
                match path.0.split('.').next().unwrap_or_default() {
                    "claim" => (Level::Claim, true),
                    "source" => (Level::Citation, true),
                    "answer" => (Level::Case, true),
                    _ => (Level::Case, false),
                }
            }
            DimensionSource::When(when) => (level_of(when, self), is_of_answer(when, self)),
            DimensionSource::Cross(parts) => {
                let level = parts.iter().filter_map(|part| self.list.get(*part)).map(|part| part.level).max();
                let of_answer = parts.iter().any(|part| self.of_answer.get(*part) == Some(&true));
                (level.unwrap_or(Level::Case), of_answer)
            }
        }
    }

    /// Whether the answer decides the values of a dimension.
    pub(super) fn is_of_answer(&self, index: usize) -> bool {
        self.of_answer.get(index).copied().unwrap_or(false)
    }

    /// The dimension with this id.
    pub(super) fn find(&self, id: &str, span: Span, problems: &mut Problems) -> Option<usize> {
        let found = self.by_id.get(id).copied();
        if found.is_none() {
            let problem = Problem::new(code::UNKNOWN_SLICE, format!("slice {} is not declared", quoted(id))).at(span);
            let ids = || self.list.iter().map(|dimension| dimension.id.as_str()).filter(|id| !id.contains(CROSS));
            let help = did_you_mean(id, ids()).unwrap_or_else(|| "declare it under `slices:`".to_owned());
            problems.push(problem.label("no slice has this id").help(help));
        }
        found
    }

    /// The dimension that crosses these, declared by itself where the policy does not declare it.
    pub(super) fn crossed(&mut self, parts: Vec<usize>) -> Option<usize> {
        if let [only] = parts.as_slice() {
            return Some(*only);
        }
        let same =
            |dimension: &Dimension| matches!(&dimension.source, DimensionSource::Cross(other) if *other == parts);
        if let Some(index) = self.list.iter().position(same) {
            return Some(index);
        }
        let ids: Option<Vec<&str>> =
            parts.iter().map(|part| self.list.get(*part).map(|part| part.id.as_str())).collect();
        let id = ids?.join(CROSS);
        let source = DimensionSource::Cross(parts);
        let (level, of_answer) = self.nature(&source);
        Some(self.push(Dimension { id, level, source, missing: None, max_values: MAX_VALUES }, of_answer))
    }

    /// The values that a reference names, by dimension, in file order.
    pub(super) fn values(&self, slice: &SliceRef, problems: &mut Problems) -> Option<Vec<(usize, Vec<String>)>> {
        let values = match slice {
            SliceRef::Name(name) => {
                let index = self.find(name, name.span, problems)?;
                let dimension = self.list.get(index)?;
                if !matches!(dimension.source, DimensionSource::When(_)) {
                    let problem = Problem::new(code::SLICE_VALUE, format!("slice `{}` needs a value", name.value));
                    problems.push(
                        problem
                            .at(name.span)
                            .label("a bare name is for slices that are declared with `when`")
                            .help(format!("write {{ {}: <value> }}", name.value)),
                    );
                    return None;
                }
                return Some(vec![(index, vec![WHEN_VALUES[0].to_owned()])]);
            }
            SliceRef::Values(values) => values,
        };
        let mut found = Vec::new();
        for (id, words) in values {
            let index = self.find(id, id.span, problems)?;
            found.push((index, self.words(index, words, problems)?));
        }
        Some(found)
    }

    fn words(&self, index: usize, words: &Located<Words>, problems: &mut Problems) -> Option<Vec<String>> {
        let dimension = self.list.get(index)?;
        let mut values = Vec::new();
        for word in words.value.0.iter() {
            let span = if word.span == Span::default() { words.span } else { word.span };
            let value = match (&dimension.source, word.0.as_str()) {
                (DimensionSource::When(_), "true") => WHEN_VALUES[0].to_owned(),
                (DimensionSource::When(_), "false") => WHEN_VALUES[1].to_owned(),
                (_, value) => value.to_owned(),
            };
            let known = match &dimension.source {
                DimensionSource::When(_) => Some(WHEN_VALUES.map(str::to_owned).to_vec()),
                DimensionSource::Bins(_, edges) => Some(bin_values(edges)),
                _ => None,
            };
            let is_missing = dimension.missing.as_ref() == Some(&value);
            if let Some(known) = known
                && !is_missing
                && !known.contains(&value)
            {
                let problem = Problem::new(code::SLICE_VALUE, format!("slice `{}` never has this value", dimension.id));
                problems.push(problem.at(span).found(quoted(&value), one_of(&known)));
                return None;
            }
            if value.is_empty() {
                let problem = Problem::new(code::SLICE_VALUE, "an empty text is no value of a slice").at(span);
                problems.push(problem.found("an empty text", "a value"));
                return None;
            }
            values.push(value);
        }
        if values.is_empty() {
            problems.push(empty_list(words.span));
            return None;
        }
        Some(values)
    }
}

pub(super) fn empty_list(span: Span) -> Problem {
    Problem::new(code::EMPTY, "the list is empty")
        .at(span)
        .found("an empty list", "at least one value")
        .help("fill the list or delete the key")
}

fn source(
    written: &written::Slice,
    entry: Span,
    known: &Dimensions,
    problems: &mut Problems,
) -> Option<DimensionSource> {
    let sources = [
        ("field", written.field.as_ref().map(|field| field.span)),
        ("when", written.when.as_ref().map(|when| when.span)),
        ("by", written.by.as_ref().map(|by| by.span)),
    ];
    let given: Vec<(&str, Span)> = sources.iter().filter_map(|(name, span)| span.map(|span| (*name, span))).collect();
    match given.as_slice() {
        [_] => {}
        [] => {
            let problem = Problem::new(code::MISSING_KEY, "nothing says where the values of this slice come from");
            problems.push(problem.at(entry).label("one of `field`, `when` and `by` is needed"));
            return None;
        }
        [(first, _), (second, span), ..] => {
            let problem = Problem::new(code::CONTRADICTION, format!("`{first}` and `{second}` exclude each other"));
            problems.push(problem.at(*span).label(format!("`{first}` is given too")).help("keep one of the two"));
            return None;
        }
    }
    let shaped =
        [("bins", written.bins.as_ref().map(|b| b.span)), ("pattern", written.pattern.as_ref().map(|p| p.span))];
    let Some(field) = &written.field else {
        for (name, span) in shaped {
            if let Some(span) = span {
                let problem = Problem::new(code::NO_EFFECT, format!("`{name}` has no effect without `field`"));
                problems.push(problem.at(span).label("there is no field to read").help("delete it"));
            }
        }
        return match (&written.when, &written.by) {
            (Some(when), _) => {
                let when = condition(when, Level::Citation, None, problems);
                Some(DimensionSource::When(Box::new(when)))
            }
            (_, Some(by)) => cross(by, known, problems).map(DimensionSource::Cross),
            _ => None,
        };
    };
    if let [(_, Some(_)), (_, Some(span))] = shaped {
        let problem = Problem::new(code::CONTRADICTION, "`bins` and `pattern` exclude each other").at(span);
        problems.push(problem.label("`bins` is given too").help("keep one of the two"));
        return None;
    }
    let path = path(field, problems)?;
    match (&written.bins, &written.pattern) {
        (Some(bins), _) => edges(bins, problems).map(|edges| DimensionSource::Bins(path, edges)),
        (_, Some(pattern)) => regex(pattern, "`pattern`", problems).map(|regex| DimensionSource::Pattern(path, regex)),
        _ => Some(DimensionSource::Field(path)),
    }
}

fn cross(by: &Located<Vec<Located<String>>>, known: &Dimensions, problems: &mut Problems) -> Option<Vec<usize>> {
    let mut parts = Vec::new();
    for id in &by.value {
        let index = known.find(id, id.span, problems)?;
        if parts.contains(&index) {
            let problem = Problem::new(code::WRONG_VALUE, "a slice cannot be crossed with itself").at(id.span);
            problems.push(problem.label("named twice").help("remove it"));
            return None;
        }
        if let Some(Dimension { source: DimensionSource::Cross(_), .. }) = known.list.get(index) {
            let problem = Problem::new(code::WRONG_VALUE, "a crossed slice cannot be crossed again").at(id.span);
            problems.push(problem.label("this one is declared with `by`").help("name the slices that it is made of"));
            return None;
        }
        parts.push(index);
    }
    if parts.len() < 2 {
        let problem = Problem::new(code::EMPTY, "`by` crosses at least two slices").at(by.span);
        problems.push(problem.found(format!("{} slices", parts.len()), "two or more"));
        return None;
    }
    Some(parts)
}

fn edges(bins: &Located<Vec<Located<f64>>>, problems: &mut Problems) -> Option<Vec<f64>> {
    if bins.is_empty() {
        problems.push(empty_list(bins.span));
        return None;
    }
    for pair in bins.windows(2) {
        let [low, high] = pair else { continue };
        if high.value <= low.value {
            let problem = Problem::new(code::CONTRADICTION, "the edges of `bins` do not ascend").at(high.span);
            problems.push(problem.found(format!("{} behind {}", high.value, low.value), "a larger number"));
            return None;
        }
    }
    Some(bins.iter().map(|edge| edge.value).collect())
}

/// A field path: names between dots.
pub(super) fn path(field: &Located<String>, problems: &mut Problems) -> Option<FieldPath> {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let parts: Vec<&str> = field.split('.').collect();
    let sound = parts.iter().all(|part| !part.is_empty() && part.chars().all(allowed));
    let problem = |message: String| Problem::new(code::BAD_PATH, message).at(field.span);
    if !sound || field.chars().count() > LONGEST_PATH {
        let problem = problem(format!("{} is not a field path", quoted(field)));
        problems.push(problem.label("expected names between dots, such as `meta.intent`"));
        return None;
    }
    match parts.as_slice() {
        ["answer", rest @ ..]
            if !matches!(rest, [] | [_]) || rest.iter().any(|count| !ANSWER_COUNTS.contains(count)) =>
        {
            let problem = problem(format!("nothing of an answer is called {}", quoted(&rest.join("."))));
            problems
                .push(problem.found(quoted(field), "`answer`, `answer.words`, `answer.citations` or `answer.claims`"));
            None
        }
        ["claim" | "source"] => {
            let problem = problem(format!("`{}` alone is no field", field.value)).label("a field of it must be named");
            problems.push(problem.help(format!("such as `{}.type`", field.value)));
            None
        }
        _ => Some(FieldPath(field.value.clone())),
    }
}

/// Where a reference to slices stands.
pub(super) fn slice_span(slice: &SliceRef) -> Span {
    match slice {
        SliceRef::Name(name) => name.span,
        SliceRef::Values(values) => values.first().map_or(Span::default(), |(id, _)| id.span),
    }
}
