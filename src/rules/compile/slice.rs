//! Slices and conditions.

use super::{Dimensions, Ids};
use crate::diagnostic::{Problem, Problems, Span, code, did_you_mean, one_of, quoted};
use crate::rules::metric::Level;
use crate::rules::pattern::regex;
use crate::rules::policy::{self, CROSS, Dimension, DimensionSource, FieldPath, MAX_VALUES, WHEN_VALUES, bin_values};
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
            DimensionSource::When(when) => (level_of(when, self), when_of_answer(when, self)),
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

fn empty_list(span: Span) -> Problem {
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

fn plural(level: Level) -> &'static str {
    match level {
        Level::Case => "cases",
        Level::Claim => "claims",
        Level::Citation => "citations",
    }
}

/// Where a reference to slices stands.
pub(super) fn slice_span(slice: &SliceRef) -> Span {
    match slice {
        SliceRef::Name(name) => name.span,
        SliceRef::Values(values) => values.first().map_or(Span::default(), |(id, _)| id.span),
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

fn level_of(when: &policy::When, dimensions: &Dimensions) -> Level {
    let own = if when.claim.is_some() || !when.claim_type.is_empty() { Level::Claim } else { Level::Case };
    let source = if when.source_type.is_empty() { Level::Case } else { Level::Citation };
    let slices = when.slices.iter().filter_map(|(index, _)| dimensions.list.get(*index)).map(|slice| slice.level);
    let not = when.not.as_ref().map(|not| level_of(not, dimensions));
    slices.chain(not).chain([own, source]).max().unwrap_or(Level::Case)
}

fn when_of_answer(when: &policy::When, dimensions: &Dimensions) -> bool {
    when.claim.is_some()
        || when.answer.is_some()
        || !when.claim_type.is_empty()
        || !when.source_type.is_empty()
        || when.slices.iter().any(|(index, _)| dimensions.is_of_answer(*index))
        || when.not.as_ref().is_some_and(|not| when_of_answer(not, dimensions))
}
