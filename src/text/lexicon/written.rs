//! A lexicon as it is written in YAML: in `rules/lexicons/*.yaml`, and under `lexicons:` in a policy.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

/// A file of lexicons: the same shape as the `lexicons:` section of a policy, with its version.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LexiconFile {
    /// Version of the format: 1.
    pub version: u32,
    /// Per language: primary subtag of BCP 47 (`de`), or `any` for what all languages share.
    pub lexicons: BTreeMap<String, WrittenLexicon>,
}

/// The words of one language that checks rely on. Every key may be left out; lists given in a policy are added to the shipped
/// ones, or take their place with `override: true`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WrittenLexicon {
    /// The lists given here replace the shipped lists of this language instead of being added to them.
    #[serde(rename = "override")]
    pub replace: bool,
    /// The sign before decimals, `.` or `,`; decides how `1.234` is read.
    pub decimal: Option<char>,
    /// All nouns begin with a capital, so that a capital says nothing about a name.
    pub nouns_capitalised: Option<bool>,
    /// The language puts no spaces between words: its phrases are looked for as runs of characters, and a sentence bears out a claim only
    /// where it says the same from its beginning to its end.
    pub unspaced: Option<bool>,
    /// Words without content of their own, left out of word overlap.
    pub stop_words: Option<Vec<String>>,
    /// Words whose full stop ends no sentence, written without it: `etc`, `e.g`.
    pub abbreviations: Option<Vec<String>>,
    /// Endings taken off before words are compared, as `[ending, replacement]`; the first that fits is used.
    pub endings: Option<Vec<(String, String)>>,
    /// Number words and their values.
    pub number_words: Option<BTreeMap<String, u32>>,
    /// Number words that often mean no number (`one`, `a`): read as a number only before a scale word, a unit or inside a longer number.
    pub weak_number_words: Option<Vec<String>>,
    /// Words that may stand inside a number: `and` in "one hundred and five".
    pub number_joiners: Option<Vec<String>>,
    /// Numbers are written as one word (`zweiundzwanzig`).
    pub number_compounds: Option<bool>,
    /// Words after a number that multiply it, as powers of ten: `million: 6`.
    pub scale_words: Option<BTreeMap<String, u32>>,
    /// Signs right behind a number that multiply it, as powers of ten, upper and lower case told apart: `k: 3`.
    pub scale_symbols: Option<BTreeMap<String, u32>>,
    /// Ordinal words and their values: `first: 1`.
    pub ordinal_words: Option<BTreeMap<String, u32>>,
    /// Endings that make digits an ordinal: `th`.
    pub ordinal_endings: Option<Vec<String>>,
    /// Words for fractions and their values: `half: 1/2`.
    pub fraction_words: Option<BTreeMap<String, String>>,
    /// Words behind a fraction that make it a part of something: `of` in "half of the users".
    pub part_words: Option<Vec<String>>,
    /// Words between a part and its whole: `out of` in "8 out of 10".
    pub share_words: Option<Vec<String>>,
    /// Words for the decimal sign between number words: `point`.
    pub decimal_words: Option<Vec<String>>,
    /// Characters that count things right behind a number, in scripts without spaces: `人`.
    pub counters: Option<Vec<String>>,
    /// Month names and their short forms: `january: 1`.
    pub months: Option<BTreeMap<String, u32>>,
    /// Weekday names, 1 (Monday) to 7: `monday: 1`.
    pub weekdays: Option<BTreeMap<String, u32>>,
    /// Seasons, 1 (spring) to 4 (winter): `fall: 3`.
    pub seasons: Option<BTreeMap<String, u32>>,
    /// Words for decades that stand alone: `nineties: 90`.
    pub decade_words: Option<BTreeMap<String, u32>>,
    /// Time zones, in minutes ahead of UTC: `cet: 60`.
    pub time_zones: Option<BTreeMap<String, i32>>,
    /// Words inside and around dates.
    pub date_words: Option<WrittenDateWords>,
    /// Units of measure, currencies and percent words.
    pub units: Option<Vec<WrittenUnit>>,
    /// What bounds a number or a date stands behind it: `30일 이상`, "at least 30 days".
    pub postpositions: Option<bool>,
    /// How the last word of a clause ends: `이고` in "9,900원이고 프로는 …".
    pub clause_endings: Option<Vec<String>>,
    /// What may be written right behind the name of a unit or a month: particles, and case endings with their apostrophe (`'a`).
    pub case_endings: Option<Vec<String>>,
    /// Words between a quantity and the unit it is counted by: `per`, `a`.
    pub per_words: Option<Vec<String>>,
    /// Words that say how often, with the unit that they count by: `monthly: month`.
    pub rate_words: Option<BTreeMap<String, String>>,
    /// Words that tell by how much something changed from what it changed to.
    pub change: Option<WrittenChange>,
    /// Words between alternatives: `or` in "30 or 90 days".
    pub or_words: Option<Vec<String>>,
    /// Words before who did what a passive verb says: "bought by".
    pub agent_words: Option<Vec<String>>,
    /// Words that bound a number.
    pub qualifiers: Option<WrittenQualifiers>,
    /// Words that make a number approximate: `about`.
    pub hedges: Option<Vec<String>>,
    /// Words that deny: `not`, `never`.
    pub negations: Option<Vec<String>>,
    /// Words that limit or take back what a sentence says: `might`, `formerly`, `only`.
    pub reservations: Option<Vec<String>>,
    /// Beginnings of a sentence that speaks of the one beside it: `this`, `the following`.
    pub back_references: Option<Vec<String>>,
    /// Marks under which nothing is stated as it is: "draft", "do not use", "superseded", "exercise", "imagine".
    pub retractions: Option<Vec<String>>,
    /// Phrases that hold a word of denial or amount and mean neither: `not only`, `after all`.
    pub no_cues: Option<Vec<String>>,
    /// A word of denial and a word behind it that belong together. Where both deny they deny once: `[neither, nor]`; else they deny
    /// nothing for sure: `[ne, que]`.
    pub cue_pairs: Option<Vec<(String, String)>>,
    /// Several words of denial in one clause deny it once: `no … nunca`.
    pub negative_concord: Option<bool>,
    /// Those of the words of denial that deny on their own beside another, whatever `negative_concord` says: `sin`.
    pub exclusions: Option<Vec<String>>,
    /// Beginnings of words that deny the rest: `un` in "unavailable". They count only where the other text has the rest.
    pub negative_prefixes: Option<Vec<String>>,
    /// Words that begin another clause, to which a word of denial before them does not reach: `which`, `and`, `because`.
    pub clause_words: Option<Vec<String>>,
    /// Words that say how far a statement goes.
    pub modality: Option<WrittenModality>,
    /// Groups of words that exclude each other: `[[rise, grow], [fall, shrink]]`. Compared without their endings.
    pub opposites: Option<Vec<Vec<Vec<String>>>>,
    /// The same of small words, compared only where they stand between the same two words: `[[on], [off]]`.
    pub particles: Option<Vec<Vec<Vec<String>>>>,
    /// Words for the minus sign.
    pub minus_words: Option<Vec<String>>,
    /// Words between the two ends of a range: `to` in "3 to 5".
    pub range_joiners: Option<Vec<String>>,
    /// Word pairs around a range: `[between, and]`.
    pub range_pairs: Option<Vec<(String, String)>>,
    /// Words whose number names a place or a thing and is no quantity: `section`, `figure`, `version`.
    pub reference_words: Option<Vec<String>>,
    /// Issuers of standards, upper and lower case told apart: `ISO`, `RFC`.
    pub standards: Option<Vec<String>>,
    /// Words before a bare number of four digits that make it a year: `in`, `since`.
    pub year_words: Option<Vec<String>>,
    /// Beginnings of a refusal to answer: `I could not find`.
    pub refusals: Option<Vec<String>>,
    /// Greetings and pleasantries.
    pub greetings: Option<Vec<String>>,
    /// Words that only lead over: `in summary`.
    pub transitions: Option<Vec<String>>,
    /// Offers of further help: `let me know`.
    pub offers: Option<Vec<String>>,
    /// Labels of an opinion: `in my opinion`.
    pub opinions: Option<Vec<String>>,
}

/// Words that bound a number, by what they say about it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WrittenQualifiers {
    /// ≥: "at least".
    pub at_least: Vec<String>,
    /// ≤: "at most", "up to".
    pub at_most: Vec<String>,
    /// >: "more than".
    pub more_than: Vec<String>,
    /// <: "less than".
    pub less_than: Vec<String>,
    /// =: "exactly".
    pub exactly: Vec<String>,
}

/// Words that say how far a statement goes, by scale and step. A word may stand in several lists, at most one of a scale.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WrittenModality {
    /// Duty: it is allowed ("may", "is allowed to").
    pub may: Vec<String>,
    /// Duty: it is advised ("should").
    pub should: Vec<String>,
    /// Duty: it is demanded ("must").
    pub must: Vec<String>,
    /// Amount: a part ("some", "several").
    pub some: Vec<String>,
    /// Amount: nearly all ("most").
    pub most: Vec<String>,
    /// Amount: all ("all", "every").
    pub all: Vec<String>,
    /// Frequency: now and then ("sometimes").
    pub sometimes: Vec<String>,
    /// Frequency: as a rule ("usually").
    pub usually: Vec<String>,
    /// Frequency: without exception ("always").
    pub always: Vec<String>,
    /// Certainty: it may be so ("might", "perhaps").
    pub possibly: Vec<String>,
    /// Certainty: it is likely ("probably").
    pub probably: Vec<String>,
    /// Certainty: it is sure ("certainly"); no more than a plain statement says.
    pub certainly: Vec<String>,
    /// Nothing else ("only").
    pub only: Vec<String>,
}

/// Words that tell "rose by 5" from "rose to 5".
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WrittenChange {
    /// Words for a change: `rose`, `increase`. Compared without their endings.
    pub words: Vec<String>,
    /// What stands before the amount of a change: `by`.
    pub by: Vec<String>,
    /// What stands before the new level: `to`.
    pub to: Vec<String>,
}

/// Words inside and around dates, by what they say.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WrittenDateWords {
    /// Behind an ordinal, a quarter: `quarter` in "third quarter of 2025".
    pub quarter: Vec<String>,
    /// Behind an ordinal, a half: `half` in "first half of 2025".
    pub half: Vec<String>,
    /// Before a year that it makes a business year: `fiscal year`.
    pub fiscal_year: Vec<String>,
    /// Before the number of a decade: `années` in "années 90".
    pub decade: Vec<String>,
    /// Before the common era: `BC`.
    pub before_era: Vec<String>,
    /// In the common era: `AD`.
    pub in_era: Vec<String>,
    /// The first part of what follows: `early`, `beginning of`.
    pub early: Vec<String>,
    /// The middle of what follows: `mid`.
    pub middle: Vec<String>,
    /// The last part of what follows: `late`, `end of`.
    pub late: Vec<String>,
    /// From the date on: `since`.
    pub from: Vec<String>,
    /// Up to the date: `until`.
    pub until: Vec<String>,
    /// Earlier than the date: `before`.
    pub before: Vec<String>,
    /// Later than the date: `after`.
    pub after: Vec<String>,
    /// The date begins a life: `born`.
    pub born: Vec<String>,
    /// The date ends a life: `died`.
    pub died: Vec<String>,
    /// Dates that depend on when they were written: `yesterday`.
    pub relative: Vec<String>,
    /// Behind a time of day: `o'clock`.
    pub clock: Vec<String>,
    /// Before a time of day: `at`.
    pub at: Vec<String>,
    /// Behind a time of day before noon: `am`.
    pub morning: Vec<String>,
    /// Behind a time of day after noon: `pm`.
    pub afternoon: Vec<String>,
}

/// A unit and the ways to write it.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WrittenUnit {
    /// Its id, such as `minute`, `kibibyte` or a currency code. A language only adds names to an id that `any` defines.
    pub unit: String,
    /// What it measures: values of one dimension are compared with each other.
    pub dimension: Option<String>,
    /// How many base units of the dimension one unit is, as a decimal or a fraction: `60`, `0.3048`, `5/9`. Left out: the unit cannot
    /// be converted (currencies).
    pub factor: Option<String>,
    /// Added to the value before it is multiplied by the factor (Fahrenheit: 459.67).
    pub offset: Option<String>,
    /// Words for it, upper and lower case alike.
    pub names: Vec<String>,
    /// Signs for it, upper and lower case told apart.
    pub symbols: Vec<String>,
    /// Units that this looser one may stand for: `dollar` accepts `USD`.
    pub accepts: Vec<String>,
    /// Units that this one could mean, so that it is left open whether it does: `dollar` may be `CAD`.
    pub may_be: Vec<String>,
    /// The sign or code may stand before the number: `$5`.
    pub before: bool,
}
