//! Rule files as they are written: one type for each section, straight from the text. What these types accept is the
//! shape; what the values may be is checked in [`super::compile`]. The JSON Schema for editors is generated from them.

mod gates;
mod markers;
mod settings;

use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};

use crate::check::{Defect, Severity};
use crate::yaml::Located;

pub use gates::{Gate, GateSlice, Membership, OnMismatch, ReactionWord, Reactions, SliceRef};
pub use markers::{
    AttachWord, CaseWord, ClaimPattern, Claims, FromWord, Marker, NeedsCitation, ResolveWord, SplitWord,
};
pub use settings::{
    Ask, Baseline, Drill, FailOn, Judge, JudgeHttp, Limits, Mutation, Redact, RedactPattern, Report, Review,
};

/// One rule: what is checked, where, and what a failure means.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Rule")]
pub struct Rule {
    /// Name of the rule, unique in the policy; findings, reports and the metric `rule.<id>` use it. Name it for the defect.
    pub id: Located<String>,
    /// What the rule is for, in your own words; shown in reports.
    #[serde(default)]
    pub description: Option<String>,
    /// The kind of check: a bare word for a kind with its defaults, or a map with the kind as its only key.
    #[schemars(schema_with = "crate::rules::schema::check")]
    #[serde(rename = "check")]
    pub _check: IgnoredAny,
    /// What a finding means: `error` fails the case, `warning` and `note` are only reported. Default: the kind's own.
    #[serde(default)]
    pub severity: Option<Severity>,
    /// `enforce` (default), or `observe`: reported and counted; gates nothing, labels nothing, fails no case.
    #[serde(default)]
    pub mode: Option<ModeWord>,
    /// Where the rule applies; every condition must hold. Default: everywhere.
    #[serde(default)]
    pub when: Option<Located<When>>,
    /// What happens where the data that the check needs is absent. Default: `not_applicable`.
    #[serde(default)]
    pub on_missing: Option<Located<OnMissingWord>>,
    /// Support checks: how the passages that a claim cites are put together. Default: `union`.
    #[serde(default)]
    pub combine: Option<Located<CombineWord>>,
    /// Support checks: what a finding says about the claim. Default: the kind's own.
    #[serde(default)]
    pub implies: Option<Located<Defect>>,
    /// Support checks: whether a finding decides the label (`true`) or is only a suspicion (`false`). Default: the kind's own.
    #[serde(default, rename = "final")]
    pub is_final: Option<Located<bool>>,
    /// Support checks: a pass of this rule establishes that the claim is supported.
    #[serde(default)]
    pub establishes: Option<Located<EstablishesWord>>,
    /// The sentence that a finding shows, a minijinja template. Default: the kind's own.
    #[serde(default)]
    pub message: Option<Located<String>>,
    /// The rule's own bound, on the share of its judged subjects that fail: `{ max: 0 }`. It is a gate with the rule's id and has every
    /// key of one but `id`, `metric`, `min` and `max_drop`.
    #[schemars(schema_with = "crate::rules::schema::own_gate")]
    #[serde(default, rename = "gate")]
    pub _gate: Option<IgnoredAny>,
    /// Small cases that prove the rule; `lint` runs them.
    #[serde(default)]
    pub examples: Option<Examples>,
}

/// Whether a rule's findings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModeWord {
    /// Findings count.
    Enforce,
    /// Findings are reported and counted only.
    Observe,
}

/// What absent data leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnMissingWord {
    /// The rule has nothing to say.
    NotApplicable,
    /// The rule could not be evaluated.
    Broken,
    /// The rule fails.
    Fail,
}

/// How cited passages are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CombineWord {
    /// Read together.
    Union,
    /// One that passes suffices.
    Any,
    /// Each must pass.
    All,
}

/// What a pass establishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EstablishesWord {
    /// The claim is supported.
    Supported,
}

/// Conditions; every one that is given must hold.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct When {
    /// The claim's text matches this regular expression.
    pub claim: Option<Located<String>>,
    /// The answer matches this regular expression.
    pub answer: Option<Located<String>>,
    /// The question matches this regular expression.
    pub query: Option<Located<String>>,
    /// The subject lies in these values of declared slices, such as `{ intent: refund }`; a list of values means any of them.
    pub slice: Option<SliceRef>,
    /// The case's language is one of these, such as `de`.
    pub language: Option<Located<Words>>,
    /// The claim's `type` is one of these.
    #[serde(rename = "type")]
    pub claim_type: Option<Located<Words>>,
    /// The type (`source_type`) of the cited source is one of these.
    pub source: Option<Located<Words>>,
    /// These conditions do not all hold.
    pub not: Option<Box<Located<When>>>,
}

/// Examples of a rule.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Examples {
    /// Examples on which the rule must pass.
    #[serde(default)]
    pub pass: Vec<Located<Example>>,
    /// Examples on which the rule must fail.
    #[serde(default)]
    pub fail: Vec<Located<Example>>,
}

/// One small case: a claim with the passages it cites, or an answer with a packet.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Example {
    /// The claim; it cites every passage of `evidence`.
    pub claim: Option<String>,
    /// The cited passage, or a list of them, with the ids `1`, `2`, … unless `ids` names them.
    pub evidence: Option<Located<Words>>,
    /// The ids of the passages, in order.
    pub ids: Option<Located<Words>>,
    /// The ids that the claim cites. Default: all passages.
    pub cites: Option<Words>,
    /// The whole answer with its markers. Default: the claim.
    pub answer: Option<String>,
    /// The question.
    pub query: Option<String>,
    /// The language of the case.
    pub language: Option<String>,
    /// Other fields of the case, such as `max_document_id` or `allowed_scopes`.
    pub fields: Option<BTreeMap<String, serde_json::Value>>,
}

/// A dimension along which results are counted apart.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Slice")]
pub struct Slice {
    /// Name of the dimension, unique in the policy.
    pub id: Located<String>,
    /// What it is for, in your own words.
    #[serde(default)]
    pub description: Option<String>,
    /// The field that gives the value: of the case (`language`, `meta.intent`), of the claim (`claim.type`), of the cited
    /// source (`source.type`), or counted (`answer.words`, `answer.citations`, `answer.claims`).
    #[serde(default)]
    pub field: Option<Located<String>>,
    /// Ascending edges that cut a number into ranges, lower edge included: `[50, 150]` gives `<50`, `50-150` and `>=150`.
    #[serde(default)]
    pub bins: Option<Located<Vec<Located<f64>>>>,
    /// A regular expression that picks the value out of `field`: its group `value`, else its first group, else all of it.
    #[serde(default)]
    pub pattern: Option<Located<String>>,
    /// A condition in place of a field: the value is `yes` where it holds, else `no`.
    #[serde(default)]
    pub when: Option<Located<When>>,
    /// Other dimensions, in place of a field: their values together.
    #[serde(default)]
    pub by: Option<Located<Vec<Located<String>>>>,
    /// The value of what lacks the field. Default: it is in no value of this dimension.
    #[serde(default)]
    pub missing: Option<Located<String>>,
    /// The most distinct values before the run stops with an error. Default: 200.
    #[serde(default)]
    pub max_values: Option<Located<u32>>,
}

/// One word or a list of words. Whole numbers and booleans are taken as the words they are written with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words(pub Vec<Located<Word>>);

/// A text, or a whole number or boolean read as text.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Word(pub String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordVisitor;

        impl Visitor<'_> for WordVisitor {
            type Value = Word;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("text")
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Word, E> {
                Ok(Word(value.to_owned()))
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Word, E> {
                Ok(Word(value.to_string()))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Word, E> {
                Ok(Word(value.to_string()))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Word, E> {
                Ok(Word(value.to_string()))
            }
        }

        deserializer.deserialize_any(WordVisitor)
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordsVisitor;

        impl<'de> Visitor<'de> for WordsVisitor {
            type Value = Words;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("text or a list of texts")
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Words, E> {
                Ok(Words(vec![Located::nowhere(Word(value.to_owned()))]))
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Words, E> {
                self.visit_str(&value.to_string())
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Words, E> {
                self.visit_str(&value.to_string())
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Words, E> {
                self.visit_str(&value.to_string())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Words, A::Error> {
                let mut words = Vec::new();
                while let Some(word) = access.next_element()? {
                    words.push(word);
                }
                Ok(Words(words))
            }
        }

        deserializer.deserialize_any(WordsVisitor)
    }
}

impl JsonSchema for Words {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Words".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "integer", "boolean", "array"],
            "items": { "type": ["string", "integer", "boolean"] },
        })
    }
}
