//! `dates`: every date of the claim is in the evidence it cites.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Deserialize;

use super::facts::{self, Fact, Words};
use super::{Code, Fault, Stage, Check, ClaimText, Family, Finding, Judgement, Kind, Passage, SupportCheck};
use crate::dataset::Json;
use crate::diagnostic::Problem;
use crate::text::date::Date;
use crate::text::outcome::{Outcome, Weight};
use crate::text::{Analysis, Lexicons, date};

/// Every date of the claim is in the cited evidence, in any common way of writing it.
///
/// Read are days, months and years in words and digits ("3 May 2024", "2024-05-03", "03.05.2024", "2024年5月3日", "2024-W18-5"), quarters,
/// halves and seasons ("Q3 2025", "im ersten Halbjahr 2024", "l'été 2024"), decades, centuries and eras ("los años noventa", "XIXe siècle",
/// "44 v. Chr."), business years, ranges, and times of day. The words are those of the lexicons.
///
/// A claim may say less than its evidence ("in 2026" on "on 20 August 2026", "the 1990s" on "1995"), never more. The title of a cited
/// unit, its version and its other fields count as evidence: they often hold the only date there is. What a date bounds must agree:
/// "until 2020" does not rest on "from 2020", nor a birth on a death; "early 2020" does not rest on "2020". "Before 2020" on "in 2018"
/// and 2015 on "from 2010 to 2020" follow, but are not said. A business year is not the calendar year; 3/4/2020 may be March or April. All of these are open.
///
/// Subject: a claim with the passages it cites. Each date that is not found gives one finding:
/// - `date-conflicting`, implies `contradicted`: the sentence about the same thing has one other date, as fine as this one;
/// - `date-absent`, implies `partial` where another date of the claim was found, else `insufficient`;
/// - `date-ambiguous`, always triage, suspects `insufficient`: its parts stand apart or as something else than a date, it follows but is
///   not said, or it depends on when it was written ("yesterday", "on Tuesday").
///
/// Dates with their year decide, from days to centuries. Triage is what has no year (a month, a day, a time of day), what may be part of a
/// name ("Windows 2000", “1984”), and what leaves its century open ("'98", "the nineties"). Numbers with a unit or of counted things,
/// versions, codes and references are no dates. The score is dates found / dates. Not applicable to claims without a date.
///
/// ```yaml
/// - id: date-not-in-evidence
///   check: dates
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {}

/// The kind.
pub struct Dates;

const WORDS: Words = Words { conflicting: "date-conflicting", absent: "date-absent", ambiguous: "date-ambiguous" };

impl Kind for Dates {
    const NAME: &'static str = "dates";
    const FAMILY: Family = Family::Support;
    const CODES: &'static [Code] = &[
        Code::new(WORDS.conflicting, "the evidence has another date for the same thing", Fault::Lacking { nowhere: Some(Stage::Generation), and: ", and the cited passage says something else" }),
        Code::new(WORDS.absent, "the evidence does not have the date", Fault::Lacking { nowhere: Some(Stage::Retrieval), and: "" }),
        Code::new(WORDS.ambiguous, "whether the evidence has the date cannot be decided", Fault::Lacking { nowhere: None, and: " for certain, and whether the cited passage does cannot be decided" }),
    ];
    const VARIABLES: &'static [&'static str] = facts::VARIABLES;
    type Options = Options;

    fn compile(_: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Support(Box::new(Dates)))
    }
}

impl SupportCheck for Dates {
    fn lacking(&self, finding: &Finding) -> Vec<String> {
        facts::claimed(finding)
    }

    fn judge(&self, claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Judgement {
        facts::judged(claim, passages, &held(claim, passages), &WORDS)
    }
}

/// The dates of the claim, held against passages and what is known of their units.
pub(super) fn held(claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Vec<Fact> {
    let text = claim.claim.text.as_ref();
    let dates = claim.analysis.dates(text).iter().map(|date| (date.span, date.weight()));
    let mut facts =
        facts::held(dates, passages, |passage| date::compare((text, claim.analysis), (passage.text, passage.analysis)));
    let metadata = passages.iter().flat_map(|passage| {
        let own = [passage.unit.title.as_deref(), passage.unit.source_version.as_deref()];
        own.into_iter().flatten().map(Cow::Borrowed).chain(texts(&passage.unit.fields))
    });
    let metadata: Vec<Cow<'_, str>> = metadata.collect();
    let metadata = metadata.iter().map(AsRef::as_ref);
    facts::look_in_metadata(&mut facts, metadata, |metadata| {
        let analysis = Analysis::new(Some(claim.language), claim.lexicons);
        date::compare((text, claim.analysis), (metadata, &analysis))
    });
    for (fact, date) in facts.iter_mut().zip(claim.analysis.dates(text)) {
        let same = |asked: &Date| (asked.year, asked.month, asked.day, asked.era) == (date.year, date.month, date.day, date.era);
        let is_asked = || facts::in_question(claim, |query, analysis| analysis.dates(query).iter().any(same));
        // The answer says again what was asked.
        if fact.outcome == Outcome::Absent && fact.weight == Weight::Final && is_asked() {
            fact.weight = Weight::Triage;
        }
    }
    facts
}

/// The texts that an object holds at its own level, and years that it holds as numbers (`year: 1999`).
fn texts<'p>(object: &'p Json<'_>) -> impl Iterator<Item = Cow<'p, str>> {
    let entries = match object {
        Json::Object(entries) => entries.as_slice(),
        _ => &[],
    };
    entries.iter().filter_map(|(key, value)| match value {
        Json::Text(text) => Some(Cow::Borrowed(text.as_ref())),
        Json::Number(number) if key.to_ascii_lowercase().contains("year") => Some(Cow::Owned(number.to_string())),
        _ => None,
    })
}
