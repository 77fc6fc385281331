//! Markers and claims as written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::Words;
use crate::yaml::Located;

/// One entry of the markers: what cites (`pattern`), what is never looked at (`exclude`), or what only looks like a
/// citation (`suspicious`). Exactly one of the three.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Marker {
    /// Name of the entry, unique among the markers.
    pub id: Located<String>,
    /// What it is for, in your own words.
    #[serde(default)]
    pub description: Option<String>,
    /// A regular expression for a marker, with the named group `ref` (one reference) or `refs` (a list, such as `1, 3-5`).
    #[serde(default)]
    pub pattern: Option<Located<String>>,
    /// A regular expression for text in which no marker is looked for.
    #[serde(default)]
    pub exclude: Option<Located<String>>,
    /// A regular expression for what looks like a citation and is none: the finding `malformed-marker`.
    #[serde(default)]
    pub suspicious: Option<Located<String>>,
    /// A regular expression that picks the references out of `refs`, for lists without separators.
    #[serde(default)]
    pub each: Option<Located<String>>,
    /// How a reference finds its unit. Default: `id`. A reference that is an id of the packet is that id in any case.
    #[serde(default)]
    pub resolve: Option<Located<ResolveWord>>,
    /// With `resolve: position`: the number of the first unit, 0 or 1. Default: 1.
    #[serde(default)]
    pub first: Option<Located<u32>>,
    /// With `resolve: alias`: the id that each name stands for.
    #[serde(default)]
    pub aliases: Option<Located<BTreeMap<String, String>>>,
    /// Whether upper and lower case make different ids. Default: `fold`, they do not.
    #[serde(default)]
    pub case: Option<Located<CaseWord>>,
    /// Characters cut from both ends of a reference.
    #[serde(default)]
    pub trim: Option<Located<String>>,
    /// Text put before a reference that is no id as it stands.
    #[serde(default)]
    pub prefix: Option<Located<String>>,
    /// The text is a marker only where each of its references is an id of the packet. Default: no.
    #[serde(default)]
    pub known_only: Option<Located<bool>>,
}

/// How a reference finds its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResolveWord {
    /// It is an id.
    Id,
    /// It is a position in the packet.
    Position,
    /// It is another name of an id.
    Alias,
}

/// How ids are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CaseWord {
    /// Upper and lower case are the same.
    Fold,
    /// Upper and lower case differ.
    Exact,
}

/// Where claims come from and which of them need a citation.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Claims {
    /// `auto` (default): the case's own claims, else split from the answer; `case` or `answer`: only that.
    pub from: Option<FromWord>,
    /// Which sentences a marker belongs to. Default: `sentence`, the one that it stands in or right behind; `paragraph`:
    /// a marker at a paragraph's end belongs to every sentence since the previous marker.
    pub attach: Option<AttachWord>,
    /// Where an answer is cut into claims. Default: `sentence`; `marker`: also at markers inside a sentence.
    pub split: Option<SplitWord>,
    /// The language of cases that name none. Default: `en`.
    pub language: Option<Located<String>>,
    /// Which claims need a citation; `is_verifiable` in the data decides before this.
    pub needs_citation: Option<NeedsCitation>,
    /// Sentences that say that there is no answer, beside those of the lexicons; they need no citation and are counted.
    pub refusals: Vec<Located<ClaimPattern>>,
    /// Lines, markers included, that open a list of sources inside an answer.
    pub reference_lists: Vec<Located<ClaimPattern>>,
    /// Lines, markers included, that name a source wherever they stand.
    pub reference_entries: Vec<Located<ClaimPattern>>,
}

/// Where claims come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FromWord {
    /// The case's own claims, else the answer.
    Auto,
    /// The case's own claims only.
    Case,
    /// The answer only.
    Answer,
}

/// Which sentences a marker belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttachWord {
    /// The sentence it stands in or right behind.
    Sentence,
    /// At a paragraph's end: every sentence since the previous marker.
    Paragraph,
}

/// Where an answer is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SplitWord {
    /// Between sentences.
    Sentence,
    /// Between sentences, and behind markers inside of one.
    Marker,
}

/// Which claims need a citation: the first of `always`, `never` and `default` that speaks.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NeedsCitation {
    /// Claims that match one of these always need one.
    pub always: Vec<Located<ClaimPattern>>,
    /// Claims that match one of these never need one.
    pub never: Vec<Located<ClaimPattern>>,
    /// Whether all other claims need one. Default: yes.
    pub default: Option<bool>,
}

/// A pattern over claims or lines.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimPattern {
    /// Name of the pattern.
    pub id: Located<String>,
    /// A regular expression over the text.
    pub pattern: Located<String>,
    /// Only in these languages, such as `de`. Default: in all.
    #[serde(default)]
    pub language: Option<Located<Words>>,
}
