//! `id-range`: the number in a cited id lies in the range of ids that exist.

use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Unexpected, Visitor};
use serde_json::Value;

use super::{Code, Fault, Stage, Told, Check, CitationCheck, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Citation, Packet, Resolution};
use crate::dataset::Json;
use crate::diagnostic::{Problem, code};
use crate::text::Lexicons;
use crate::text::normal::{folded_id, same_id};

use crate::yaml::Located;

/// The number in a cited id lies between `min` and `max`.
///
/// Where ids are numbered, a model that invents sources gives itself away by a number that no document has. The check
/// tells that apart from an id that could exist but is not in the packet (which is `resolves`), so that the rate of
/// plainly impossible ids can be held at zero.
///
/// Options: `prefix`, the text before the number (`doc_`; default: none; case-insensitive); `min` and `max`, both
/// inclusive, each a whole number or a numeric field of the case (`max: { field: max_document_id }`). At least one of
/// the two is needed.
///
/// Subject: a citation. Fails with `id-out-of-range`, also where a position is cited that the packet does not have.
/// A position that the packet has passes. Not applicable to ids of another form than the prefix and a number, and where the
/// case lacks the field.
///
/// ```yaml
/// - id: doc-id-out-of-range
///   check: { id-range: { prefix: doc_, min: 1, max: { field: max_document_id } } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Text before the number, such as `doc_`.
    #[serde(default)]
    pub prefix: String,
    /// Lowest number, inclusive.
    pub min: Option<Located<Limit>>,
    /// Highest number, inclusive.
    pub max: Option<Located<Limit>>,
}

/// An end of the range.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema)]
#[schemars(untagged)]
pub enum Limit {
    /// This number.
    Number(u64),
    /// The number in this field of the case.
    Field {
        /// Path of the field, such as `max_document_id` or `meta.documents`.
        field: String,
    },
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LimitVisitor)
    }
}

struct LimitVisitor;

impl<'de> Visitor<'de> for LimitVisitor {
    type Value = Limit;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 0, or `{ field: … }`")
    }

    fn visit_u64<E>(self, number: u64) -> Result<Limit, E> {
        Ok(Limit::Number(number))
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Limit, E> {
        u64::try_from(number).map(Limit::Number).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Limit, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Reference {
            field: String,
        }
        Reference::deserialize(MapAccessDeserializer::new(map)).map(|reference| Limit::Field { field: reference.field })
    }
}

/// The kind.
pub struct IdRange {
    prefix: String,
    min: Option<Limit>,
    max: Option<Limit>,
}

impl Kind for IdRange {
    const NAME: &'static str = "id-range";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [Code] =
        &[Code::new("id-out-of-range", "the cited number cannot be that of a document", Fault::Cited { resolved: Told::at(Stage::Data, "the packet itself has a unit with this number"), unresolved: Told::at(Stage::Generation, "the answer cites a number that no document can have") })];
    const VARIABLES: &'static [&'static str] = &["min", "max"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        let mut problems = Vec::new();
        if options.min.is_none() && options.max.is_none() {
            problems.push(
                Problem::new(code::MISSING_KEY, "`id-range` without a range")
                    .label("found neither `min` nor `max`, expected at least one of them"),
            );
        }
        for limit in [&options.min, &options.max].into_iter().flatten() {
            if matches!(&limit.value, Limit::Field { field } if field.split('.').any(|key| key.trim().is_empty())) {
                problems.push(
                    Problem::new(code::BAD_PATH, "`field` addresses nothing")
                        .at(limit.span)
                        .label("expected the path of a field of the case, such as `max_document_id`"),
                );
            }
        }
        if let (Some(min), Some(max)) = (&options.min, &options.max)
            && let (Limit::Number(low), Limit::Number(high)) = (&min.value, &max.value)
            && low > high
        {
            problems.push(
                Problem::new(code::CONTRADICTION, "`id-range` with an empty range")
                    .at(max.span)
                    .label(format!("`max` is {high}, but `min` is {low}")),
            );
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let [min, max] = [options.min, options.max].map(|limit| limit.map(|limit| limit.value));
        Ok(Check::Citation(Box::new(IdRange { prefix: folded_id(&options.prefix).into_owned(), min, max })))
    }
}

impl CitationCheck for IdRange {
    fn fields(&self) -> Vec<&str> {
        let limits = [&self.min, &self.max].into_iter().flatten();
        limits
            .filter_map(|limit| match limit {
                Limit::Field { field } => Some(field.as_str()),
                Limit::Number(_) => None,
            })
            .collect()
    }

    fn judge(&self, packet: &Packet<'_>, citation: &Citation<'_>) -> Judgement {
        let units = packet.case.units.len();
        if citation.resolution == Resolution::OutOfRange {
            let held = packet.size();
            let message = format!("position {} is out of range: the packet has {held}", citation.id);
            let finding = Finding::new("id-out-of-range", message).with("min", Value::Null).with("max", units);
            return Judgement::of(vec![finding.at(Place::of_citation(packet, citation))]);
        }
        let id = folded_id(&citation.id);
        let Some(number) = id.strip_prefix(&self.prefix).and_then(digits) else {
            return if is_position(packet, citation) { Judgement::pass() } else { Judgement::irrelevant() };
        };
        let [min, max] = match [&self.min, &self.max].map(|limit| value(limit.as_ref(), packet)) {
            [Ok(min), Ok(max)] => [min, max],
            [Err(judgement), _] | [_, Err(judgement)] => return *judgement,
        };
        // A number too large to be held is that of no document, whatever the range.
        if number.is_some_and(|number| min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)) {
            return Judgement::pass();
        }
        let range = match (min, max) {
            (Some(min), Some(max)) => format!("ids run from {min} to {max}"),
            (Some(min), None) => format!("ids begin at {min}"),
            (None, max) => format!("ids end at {}", max.unwrap_or_default()),
        };
        let message = format!("“{}” is out of range: {range}", citation.id);
        let finding = Finding::new("id-out-of-range", message).with("min", min).with("max", max);
        Judgement::of(vec![finding.at(Place::of_citation(packet, citation))])
    }
}

/// Whether the citation is a position in the packet that the packet has, such as `[2]` among five units: a number that
/// resolves and is no id itself.
fn is_position(packet: &Packet<'_>, citation: &Citation<'_>) -> bool {
    let markers = citation.markers.iter().filter_map(|&index| packet.markers.get(index as usize));
    markers.flat_map(|marker| &marker.references).any(|reference| {
        reference.resolution == citation.resolution
            && reference.resolution.unit().is_some()
            && digits(reference.written.trim()).is_some()
            && !same_id(&reference.written, &citation.id)
    })
}

/// The number that `text` is; inside, `None` where it is too large to be held.
fn digits(text: &str) -> Option<Option<u64>> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())
}

/// The value of an end of the range in this case.
fn value(limit: Option<&Limit>, packet: &Packet<'_>) -> Result<Option<u64>, Box<Judgement>> {
    let field = match limit {
        None => return Ok(None),
        Some(Limit::Number(number)) => return Ok(Some(*number)),
        Some(Limit::Field { field }) => field,
    };
    let number = match packet.case.fields.path(field) {
        None | Some(Json::Null) => return Err(Box::new(Judgement::missing(field.clone()))),
        Some(Json::Number(number)) => number.as_u64(),
        Some(Json::Text(text)) => digits(text).flatten(),
        Some(_) => None,
    };
    number.map(Some).ok_or_else(|| {
        Box::new(Judgement::broken().because(format!("`{field}` of the case is not a whole number from 0")))
    })
}
