//! Slices: the value of each declared dimension for a case, a claim or a citation (SPEC 5.5), and whether a rule's
//! `when` holds.
//!
//! A subject lies in at most one value of a dimension, so that the values of a dimension never count anything twice.
//! A list is one value, made of its distinct elements in order (`billing, refunds`); who wants to know of each element
//! declares a `pattern` or a `when`. A value that is absent, `null`, empty or an object is missing: the subject falls in
//! the dimension's `missing`, or in none of its values.

use std::borrow::Cow;
use std::collections::BTreeSet;

use unicode_segmentation::UnicodeSegmentation;

use super::{SliceValues, Text};
use crate::citation::{Citation, Claim, Packet};
use crate::dataset::{Json, Unit};
use crate::rules::metric::Level;
use crate::rules::policy::{CROSS, Dimension, DimensionSource, FieldPath, WHEN_VALUES, When, bin_values};
use crate::text::digest;

/// Longest value of a field that is kept, in bytes: a value stands beside every metric and in every report.
const LONGEST_VALUE: usize = 500;

#[cfg(test)]
mod tests;

/// Joins the elements of a list.
const LIST: &str = ", ";
/// How deep dimensions may rest on dimensions. Reading the policy refuses circles; this bounds what is computed if one
/// came by another way.
const DEEPEST: u8 = 8;

/// What a value or condition is asked of: a case, one of its claims, or one citation (of a claim, or of none).
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The case.
    pub packet: &'a Packet<'a>,
    /// The claim, where the subject is one or a citation of one.
    pub claim: Option<&'a Claim<'a>>,
    /// The citation, where the subject is one.
    pub citation: Option<&'a Citation<'a>>,
}

impl<'a> Subject<'a> {
    /// A case.
    #[must_use]
    pub const fn case(packet: &'a Packet<'a>) -> Self {
        Self { packet, claim: None, citation: None }
    }

    /// A claim of a case.
    #[must_use]
    pub const fn claim(packet: &'a Packet<'a>, claim: &'a Claim<'a>) -> Self {
        Self { packet, claim: Some(claim), citation: None }
    }

    /// A citation of a case, with its claim where it has one.
    #[must_use]
    pub fn citation(packet: &'a Packet<'a>, citation: &'a Citation<'a>) -> Self {
        let claim = citation.claim.and_then(|index| packet.claims.get(index as usize));
        Self { packet, claim, citation: Some(citation) }
    }

    /// The citations that a condition on sources looks at: the citation itself, those of the claim, or all.
    fn citations(self) -> impl Iterator<Item = &'a Citation<'a>> {
        let of_claim = self.claim.filter(|_| self.citation.is_none());
        let all = self.citation.is_none() && self.claim.is_none();
        let of_claim = of_claim.into_iter().flat_map(move |claim| self.packet.citations_of(claim));
        let of_case = self.packet.citations.iter().filter(move |_| all);
        self.citation.into_iter().chain(of_claim).chain(of_case)
    }
}

/// The slice dimensions of a policy, made ready: field paths taken apart, bins named.
#[derive(Debug)]
pub struct Slicer<'p> {
    dimensions: Vec<Compiled<'p>>,
}

#[derive(Debug)]
struct Compiled<'p> {
    dimension: &'p Dimension,
    field: Option<Field<'p>>,
    bins: Vec<String>,
}

/// A field path taken apart.
#[derive(Debug, Clone, Copy)]
enum Field<'p> {
    Case(&'p str),
    AnswerWords,
    AnswerCitations,
    AnswerClaims,
    Claim(&'p str),
    Source(&'p str),
}

impl<'p> Field<'p> {
    fn of(path: &'p FieldPath) -> Self {
        match path.0.as_str() {
            "answer.words" => Field::AnswerWords,
            "answer.citations" => Field::AnswerCitations,
            "answer.claims" => Field::AnswerClaims,
            path => match path.split_once('.') {
                Some(("claim", rest)) => Field::Claim(rest),
                Some(("source", rest)) => Field::Source(rest),
                _ => Field::Case(path),
            },
        }
    }

    /// The value in the data; `None` where it is missing.
    fn value<'a>(self, subject: Subject<'a>) -> Option<Cow<'a, str>> {
        let packet = subject.packet;
        let value = match self {
            Field::AnswerWords => Cow::Owned(answer_words(packet)?.to_string()),
            Field::AnswerCitations => Cow::Owned(packet.citations.len().to_string()),
            Field::AnswerClaims => Cow::Owned(packet.claims.len().to_string()),
            Field::Case(path) => case_field(packet, path)?,
            Field::Claim(path) => claim_field(subject.claim?, path)?,
            Field::Source(path) => source_field(packet.unit(subject.citation?)?, path)?,
        };
        (!value.is_empty()).then_some(value)
    }
}

/// Words of the answer without its markers, by Unicode's word boundaries (UAX 29); an ideograph is a word.
fn answer_words(packet: &Packet<'_>) -> Option<usize> {
    let answer = packet.case.answer.as_deref()?;
    let mut words = 0;
    let mut from = 0;
    for marker in &packet.markers {
        words += answer.get(from..marker.span.start).map_or(0, |text| text.unicode_words().count());
        from = marker.span.end;
    }
    Some(words + answer.get(from..).map_or(0, |text| text.unicode_words().count()))
}

fn text<'a>(value: Option<&'a Text<'_>>) -> Option<Cow<'a, str>> {
    value.map(|text| Cow::Borrowed(text.as_ref()))
}

const fn truth(value: bool) -> Cow<'static, str> {
    Cow::Borrowed(if value { "true" } else { "false" })
}

fn case_field<'a>(packet: &'a Packet<'a>, path: &str) -> Option<Cow<'a, str>> {
    let case = packet.case;
    match path {
        "case_id" => Some(Cow::Borrowed(case.case_id.as_ref())),
        "query" => text(case.query.as_ref()),
        "answer" => text(case.answer.as_ref()),
        // The case's own language alone: a case that names none falls in `missing`, whatever the policy assumes.
        "language" => case.language.as_ref().map(|_| Cow::Borrowed(packet.language.as_ref())),
        "answerable" => case.answerable.map(truth),
        "refused" => Some(truth(packet.refused)),
        path => case.fields.path(path).and_then(json_value),
    }
}

fn claim_field<'a>(claim: &'a Claim<'a>, path: &str) -> Option<Cow<'a, str>> {
    let given = claim.given;
    match path {
        "claim_id" => Some(Cow::Borrowed(claim.claim_id.as_ref())),
        "text" => Some(Cow::Borrowed(claim.text.as_ref())),
        "type" => text(given.and_then(|given| given.claim_type.as_ref())),
        "is_verifiable" => Some(truth(claim.is_verifiable())),
        "class" => Some(Cow::Borrowed(claim.class.as_str())),
        path => given.and_then(|given| given.fields.path(path)).and_then(json_value),
    }
}

/// The name of a class of claims, as in records.
fn source_field<'a>(unit: &'a Unit<'a>, path: &str) -> Option<Cow<'a, str>> {
    match path {
        "id" | "evidence_id" => Some(Cow::Borrowed(unit.id.as_ref())),
        "type" | "source_type" => text(unit.source_type.as_ref()),
        "source_id" => text(unit.source_id.as_ref()),
        "source_version" | "version" => text(unit.source_version.as_ref()),
        "scope_id" => text(unit.scope_id.as_ref()),
        "title" => text(unit.title.as_ref()),
        "canonical_uri" => text(unit.canonical_uri.as_ref()),
        "locator" => unit.locator.as_ref().and_then(json_value),
        path => match path.strip_prefix("locator.") {
            Some(rest) => unit.locator.as_ref().and_then(|locator| locator.path(rest)).and_then(json_value),
            None => unit.fields.path(path).and_then(json_value),
        },
    }
}

/// A JSON value as the name of a slice; `None` where it has none (`null`, an object, an empty list).
fn json_value<'a>(value: &'a Json<'_>) -> Option<Cow<'a, str>> {
    match value {
        Json::Null | Json::Object(_) => None,
        Json::Bool(value) => Some(truth(*value)),
        Json::Number(number) => Some(Cow::Owned(number.to_string())),
        Json::Text(text) => Some(Cow::Borrowed(text.as_ref())),
        Json::List(elements) => {
            let elements: BTreeSet<_> = elements.iter().filter_map(json_value).collect();
            let elements: Vec<_> = elements.iter().map(AsRef::as_ref).collect();
            (!elements.is_empty()).then(|| Cow::Owned(elements.join(LIST)))
        }
    }
}

impl<'p> Slicer<'p> {
    /// Makes the dimensions of a policy ready.
    #[must_use]
    pub fn new(dimensions: &'p [Dimension]) -> Self {
        let compile = |dimension: &'p Dimension| {
            let (field, bins) = match &dimension.source {
                DimensionSource::Field(path) | DimensionSource::Pattern(path, _) => (Some(path), Vec::new()),
                DimensionSource::Bins(path, edges) => (Some(path), bin_values(edges)),
                DimensionSource::When(_) | DimensionSource::Cross(_) => (None, Vec::new()),
            };
            Compiled { dimension, field: field.map(Field::of), bins }
        };
        Self { dimensions: dimensions.iter().map(compile).collect() }
    }

    /// Values of the case's dimensions.
    #[must_use]
    pub fn of_case<'a>(&'a self, packet: &'a Packet<'a>) -> SliceValues<'a> {
        self.at(Level::Case, Subject::case(packet), None).collect()
    }

    /// Values of the claim's dimensions, those of its case included, which are `of_case`.
    #[must_use]
    pub fn of_claim<'a>(
        &'a self,
        packet: &'a Packet<'a>,
        claim: &'a Claim<'a>,
        of_case: &SliceValues<'a>,
    ) -> SliceValues<'a> {
        let own = self.at(Level::Claim, Subject::claim(packet, claim), Some(of_case));
        of_case.iter().map(|(id, value)| (id.clone(), value.clone())).chain(own).collect()
    }

    /// Values of the dimensions at the citation's own level alone. `known` are the values of its claim, or of its case.
    #[must_use]
    pub fn of_citation<'a>(
        &'a self,
        packet: &'a Packet<'a>,
        citation: &'a Citation<'a>,
        known: &SliceValues<'a>,
    ) -> SliceValues<'a> {
        self.at(Level::Citation, Subject::citation(packet, citation), Some(known)).collect()
    }

    fn at<'a>(
        &'a self,
        level: Level,
        subject: Subject<'a>,
        known: Option<&SliceValues<'a>>,
    ) -> impl Iterator<Item = (Text<'a>, Text<'a>)> {
        let dimensions = self.dimensions.iter().enumerate().filter(move |(_, own)| own.dimension.level == level);
        dimensions.filter_map(move |(index, own)| {
            let value = self.value(index, subject, known, DEEPEST)?;
            Some((Cow::Borrowed(own.dimension.id.as_str()), value))
        })
    }

    /// Whether every part of the condition holds for the subject. A condition on the claim does not hold for a case, or
    /// for a citation that belongs to no claim; one on sources holds for a claim or case where any unit that it cites
    /// fits. `known` are values that were worked out already, of the subject or of what it belongs to.
    #[must_use]
    pub fn holds<'a>(&'a self, when: &When, subject: Subject<'a>, known: Option<&SliceValues<'a>>) -> bool {
        self.holds_at(when, subject, known, DEEPEST)
    }

    fn holds_at<'a>(&'a self, when: &When, subject: Subject<'a>, known: Option<&SliceValues<'a>>, depth: u8) -> bool {
        self.text_holds(when, subject)
            && when.slices.iter().all(|(index, wanted)| self.lies_in(*index, wanted, subject, known, depth))
            && when.not.as_ref().is_none_or(|not| !self.holds_at(not, subject, known, depth))
    }

    /// Whether every part of the condition that speaks of no slice holds for the subject.
    #[must_use]
    pub fn holds_apart_from_slices<'a>(&'a self, when: &When, subject: Subject<'a>) -> bool {
        let excluded = |not: &When| not.slices.is_empty() && self.holds_apart_from_slices(not, subject);
        self.text_holds(when, subject) && when.not.as_ref().is_none_or(|not| !excluded(not))
    }

    fn text_holds<'a>(&'a self, when: &When, subject: Subject<'a>) -> bool {
        let case = subject.packet.case;
        let matches = |pattern: &Option<regex::Regex>, text: Option<&str>| {
            pattern.as_ref().is_none_or(|pattern| text.is_some_and(|text| pattern.is_match(text)))
        };
        let claim_type = || subject.claim.and_then(|claim| claim.given).and_then(|given| given.claim_type.as_deref());
        let is_type = |wanted: &[String]| claim_type().is_some_and(|own| wanted.iter().any(|one| one == own));
        let cites_type = |wanted: &[String]| {
            let mut types =
                subject.citations().filter_map(|citation| subject.packet.unit(citation)?.source_type.as_deref());
            types.any(|own| wanted.iter().any(|one| one == own))
        };
        matches(&when.claim, subject.claim.map(|claim| claim.text.as_ref()))
            && matches(&when.answer, case.answer.as_deref())
            && matches(&when.query, case.query.as_deref())
            && (when.claim_type.is_empty() || is_type(&when.claim_type))
            && (when.source_type.is_empty() || cites_type(&when.source_type))
            && (when.language.is_empty() || when.language.iter().any(|one| *one == subject.packet.language))
    }

    fn lies_in<'a>(
        &'a self,
        index: usize,
        wanted: &[String],
        subject: Subject<'a>,
        known: Option<&SliceValues<'a>>,
        depth: u8,
    ) -> bool {
        let fits = |value: Option<Text<'a>>| value.is_some_and(|value| wanted.iter().any(|one| *one == value));
        let is_of_citations = self.dimensions.get(index).is_some_and(|own| own.dimension.level == Level::Citation);
        if is_of_citations && subject.citation.is_none() {
            return subject.citations().any(|citation| {
                fits(self.value(index, Subject { citation: Some(citation), ..subject }, known, depth))
            });
        }
        fits(self.value(index, subject, known, depth))
    }

    /// The subject's value of a dimension.
    fn value<'a>(
        &'a self,
        index: usize,
        subject: Subject<'a>,
        known: Option<&SliceValues<'a>>,
        depth: u8,
    ) -> Option<Text<'a>> {
        let Compiled { dimension, field, bins } = self.dimensions.get(index)?;
        if let Some(value) = known.and_then(|known| known.get(dimension.id.as_str())) {
            return Some(value.clone());
        }
        let depth = depth.checked_sub(1)?;
        let of_field = |subject| field.and_then(|field| field.value(subject));
        let value = match &dimension.source {
            DimensionSource::Field(_) => of_field(subject).map(bounded),
            DimensionSource::Bins(_, edges) => of_field(subject).and_then(|text| bin(&text, edges, bins)),
            DimensionSource::Pattern(_, pattern) => {
                of_field(subject).and_then(|text| captured(pattern, text)).map(bounded)
            }
            DimensionSource::When(when) => {
                let holds = self.holds_at(when, subject, known, depth);
                let [yes, no] = WHEN_VALUES;
                Some(Cow::Borrowed(if holds { yes } else { no }))
            }
            DimensionSource::Cross(parts) => {
                let values = parts.iter().map(|part| self.value(*part, subject, known, depth));
                let values: Option<Vec<_>> = values.collect();
                values.map(|values| Cow::Owned(values.join(CROSS)))
            }
        };
        value.or_else(|| dimension.missing.as_deref().map(Cow::Borrowed))
    }
}

/// A value as it is; in place of one that is too long, its length and the beginning of its digest. No part of its text
/// stays: a text is cut only after it was redacted, and slices are worked out before.
fn bounded(value: Text<'_>) -> Text<'_> {
    if value.len() <= LONGEST_VALUE {
        return value;
    }
    let digest = digest::raw(value.as_bytes()).to_string();
    Cow::Owned(format!("({} bytes, {})", value.len(), digest.get(..19).unwrap_or(&digest)))
}

/// The name of the bin that a number lies in; `None` for what is no number.
fn bin<'a>(text: &str, edges: &[f64], names: &'a [String]) -> Option<Text<'a>> {
    let number: f64 = text.trim().parse().ok().filter(|number: &f64| number.is_finite())?;
    let index = edges.iter().take_while(|edge| **edge <= number).count();
    names.get(index).map(|name| Cow::Borrowed(name.as_str()))
}

/// What a pattern takes from a text: its group `value`, else its first group, else the whole match.
fn captured<'a>(pattern: &regex::Regex, text: Cow<'a, str>) -> Option<Text<'a>> {
    let range = {
        let captures = pattern.captures(&text)?;
        let found = captures.name("value").or_else(|| captures.get(1)).or_else(|| captures.get(0))?;
        found.range()
    };
    match text {
        Cow::Borrowed(text) => text.get(range).filter(|value| !value.is_empty()).map(Cow::Borrowed),
        Cow::Owned(text) => text.get(range).filter(|value| !value.is_empty()).map(|value| Cow::Owned(value.to_owned())),
    }
}
