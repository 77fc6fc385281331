//! Gates as written.

use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use super::Words;
use crate::check::Severity;
use crate::rules::metric::Average;
use crate::yaml::{DecimalText, Located};

/// One gate: a metric, where it is looked at, and the bounds it must keep.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Name of the gate, unique in the policy.
    pub id: Located<String>,
    /// What it is for, in your own words; shown in reports.
    #[serde(default)]
    pub description: Option<String>,
    /// What is measured: a metric of the catalogue, or `rule.<id>` for the pass rate of a rule.
    #[schemars(schema_with = "crate::rules::schema::metric")]
    pub metric: Located<String>,
    /// `micro` (default): all subjects together; `macro`: the mean over cases.
    #[serde(default)]
    pub average: Option<Located<Average>>,
    /// Every value of these dimensions is judged on its own, in place of the whole dataset.
    #[serde(default)]
    pub by: Option<Located<Words>>,
    /// Single slices that are judged too, each with bounds of its own where it names them.
    #[serde(default)]
    pub slices: Option<Located<Vec<Located<GateSlice>>>>,
    /// The lowest value that passes.
    #[serde(default)]
    pub min: Option<Located<DecimalText>>,
    /// The highest value that passes.
    #[serde(default)]
    pub max: Option<Located<DecimalText>>,
    /// The largest drop against the baseline, for metrics of which more is better.
    #[serde(default)]
    pub max_drop: Option<Located<DecimalText>>,
    /// The largest rise against the baseline, for metrics of which less is better.
    #[serde(default)]
    pub max_rise: Option<Located<DecimalText>>,
    /// Drop and rise are shares of the baseline's value.
    #[serde(default)]
    pub relative: Option<Located<bool>>,
    /// The least number of subjects (macro: cases) with which the gate judges. Default: 1, or with `confidence` and an
    /// absolute bound the least number that could ever pass.
    #[serde(default)]
    pub min_samples: Option<Located<u64>>,
    /// One-sided confidence, such as 0.95: the gate decides only what the numbers allow to decide.
    #[serde(default)]
    pub confidence: Option<Located<DecimalText>>,
    /// What a failure means: `error` (default) fails the run, `warning` and `note` are only reported.
    #[serde(default)]
    pub severity: Option<Severity>,
    /// What special cases lead to.
    #[serde(default)]
    pub on: Option<Reactions>,
    /// The highest share of subjects that could not be evaluated. Default: 0, for judge metrics 0.01.
    #[serde(default)]
    pub max_broken: Option<Located<DecimalText>>,
    /// `baseline`: the subjects of a slice are those of the baseline; needed for a drop on a slice that the answer decides.
    #[serde(default)]
    pub membership: Option<Located<Membership>>,
}

/// One slice of a gate, with what is different there.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GateSlice {
    /// Which slice: `{ language: de }`, or the bare name of a slice that is declared with `when`.
    pub slice: SliceRef,
    /// The lowest value that passes here.
    #[serde(default)]
    pub min: Option<Located<DecimalText>>,
    /// The highest value that passes here.
    #[serde(default)]
    pub max: Option<Located<DecimalText>>,
    /// The largest drop here.
    #[serde(default)]
    pub max_drop: Option<Located<DecimalText>>,
    /// The largest rise here.
    #[serde(default)]
    pub max_rise: Option<Located<DecimalText>>,
    /// The least number of subjects here.
    #[serde(default)]
    pub min_samples: Option<Located<u64>>,
    /// The confidence here.
    #[serde(default)]
    pub confidence: Option<Located<DecimalText>>,
}

/// Whose subjects a slice holds in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Membership {
    /// Each run's own.
    Own,
    /// Those of the baseline.
    Baseline,
}

/// What special cases of a gate lead to.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Reactions {
    /// Nothing was measured. Default: `fail`.
    pub no_data: Option<ReactionWord>,
    /// Fewer subjects than `min_samples`. Default: `fail`.
    pub too_few: Option<ReactionWord>,
    /// The numbers do not decide. Default: `fail`, of a drop or rise `warn`.
    pub inconclusive: Option<ReactionWord>,
    /// There is no baseline. Default: `fail`.
    pub missing_baseline: Option<ReactionWord>,
    /// A slice of the baseline is gone. Default: `fail`.
    pub missing_slice: Option<ReactionWord>,
    /// Cases of the baseline are gone. Default: `fail`.
    pub removed_cases: Option<ReactionWord>,
}

/// What a special case leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReactionWord {
    /// The gate fails.
    Fail,
    /// The gate warns.
    Warn,
    /// The gate passes.
    Pass,
}

/// What a mismatch between a run and its baseline leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnMismatch {
    /// The comparison is refused and its gates fail.
    Fail,
    /// The comparison is made and the mismatch is said.
    Warn,
}

/// Slices by dimension: `{ language: de }`, `{ language: [de, fr] }`, or the bare name of a slice declared with `when`.
#[derive(Debug)]
pub enum SliceRef {
    /// A bare name.
    Name(Located<String>),
    /// Dimensions with their values, in file order.
    Values(Vec<(Located<String>, Located<Words>)>),
}

impl<'de> Deserialize<'de> for SliceRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let located = Located::<Shape>::deserialize(deserializer)?;
        Ok(match located.value {
            Shape::Name(name) => SliceRef::Name(Located { value: name, span: located.span }),
            Shape::Values(values) => SliceRef::Values(values),
        })
    }
}

enum Shape {
    Name(String),
    Values(Vec<(Located<String>, Located<Words>)>),
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ShapeVisitor;

        impl<'de> Visitor<'de> for ShapeVisitor {
            type Value = Shape;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter
                    .write_str("a map such as `{ language: de }`, or the name of a slice that is declared with `when`")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Shape, E> {
                Ok(Shape::Name(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Shape, A::Error> {
                let mut values = Vec::new();
                while let Some(key) = access.next_key()? {
                    values.push((key, access.next_value()?));
                }
                if values.is_empty() {
                    return Err(A::Error::custom("a slice needs a dimension and a value, such as `{ language: de }`"));
                }
                Ok(Shape::Values(values))
            }
        }

        deserializer.deserialize_any(ShapeVisitor)
    }
}

impl JsonSchema for SliceRef {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SliceRef".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let values = generator.subschema_for::<BTreeMap<String, Words>>();
        json_schema!({ "anyOf": [{ "type": "string" }, values] })
    }
}
