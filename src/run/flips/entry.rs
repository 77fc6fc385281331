//! What a comparison says: flips, claims and cases of one side, drift, and the counts of all of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Why;
use crate::dataset::Label;
use crate::tally::CaseVerdict;

/// Which way something flipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Towards a defect, a failing case, a missing citation, or a refusal of what can be answered.
    Worse,
    /// The other way.
    Better,
    /// Neither: between two defects of the same weight, or between what cannot be compared.
    Other,
}

/// What a claim came out as.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimState {
    /// The label; `null` for a claim that has none, because it is not cited or not verifiable.
    pub label: Option<Label>,
    /// Who decided it: `rule:<id>`, `integrity`, `judge`, `review`; `null` where nobody did.
    pub decided_by: Option<String>,
    /// Its class, unless it is verifiable.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub class: Option<String>,
}

/// What a case came out as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseState {
    /// Whether it passes.
    pub verdict: CaseVerdict,
    /// Whether its answer is a refusal.
    pub refused: bool,
}

/// A claim whose label is another one now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimFlip {
    /// Its case.
    pub case_id: String,
    /// Its id, in the later run.
    pub claim_id: String,
    /// Its id in the earlier run, where that is another one: the two have the same text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub claim_id_before: Option<String>,
    /// Which way.
    pub direction: Direction,
    /// What it was.
    pub before: ClaimState,
    /// What it is.
    pub after: ClaimState,
    /// Slices of the claim in the later run, those of its case included.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub slices: BTreeMap<String, String>,
    /// Why, in words.
    pub reason: String,
    /// Why, fact by fact.
    pub why: Why,
}

/// A case that passes and did not, or the other way around, or whose answer became a refusal or ceased to be one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseFlip {
    /// Its id.
    pub case_id: String,
    /// Which way.
    pub direction: Direction,
    /// What it was.
    pub before: CaseState,
    /// What it is.
    pub after: CaseState,
    /// Why, in words.
    pub reason: String,
    /// Why, fact by fact.
    pub why: Why,
}

/// A claim that only one of the runs has, of a case that both have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoneClaim {
    /// Its case.
    pub case_id: String,
    /// Its id.
    pub claim_id: String,
    /// What it came out as.
    pub state: ClaimState,
}

/// A unit with the same id, document and version as before, and other content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drift {
    /// The case whose packet holds it.
    pub case_id: String,
    /// Its id.
    pub id: String,
    /// Its document.
    pub document: Option<String>,
    /// The version, which stayed the same.
    pub version: Option<String>,
    /// How many claims of the later run cite it.
    pub claims: u64,
}

/// How many flipped which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moves {
    /// For the worse.
    pub worse: u64,
    /// For the better.
    pub better: u64,
    /// Neither.
    pub other: u64,
}

impl Moves {
    /// All of them.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.worse.saturating_add(self.better).saturating_add(self.other)
    }

    /// How many flipped this way.
    #[must_use]
    pub const fn of(self, direction: Direction) -> u64 {
        match direction {
            Direction::Worse => self.worse,
            Direction::Better => self.better,
            Direction::Other => self.other,
        }
    }

    /// Counts one, and says how many there are now.
    pub(super) const fn count(&mut self, direction: Direction) -> u64 {
        let sum = match direction {
            Direction::Worse => &mut self.worse,
            Direction::Better => &mut self.better,
            Direction::Other => &mut self.other,
        };
        *sum += 1;
        *sum
    }
}

/// Findings of one rule that only one of the runs has, in cases that both have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingMoves {
    /// Only the later run has them.
    pub new: u64,
    /// Only the earlier run has them.
    pub gone: u64,
}

/// Everything counted, however much of it is listed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlipCounts {
    /// Cases of the earlier run.
    pub cases_before: u64,
    /// Cases of the later run.
    pub cases_after: u64,
    /// Cases with the same question in both.
    pub paired_cases: u64,
    /// Cases that only the earlier run has.
    pub removed_cases: u64,
    /// Cases that only the later run has.
    pub added_cases: u64,
    /// Cases of both whose question is another one; nothing else of them is compared but the evidence's content.
    pub changed_questions: u64,
    /// Claims that both runs have, of paired cases.
    pub paired_claims: u64,
    /// Claims that only the later run has, of paired cases.
    pub new_claims: u64,
    /// Claims that only the earlier run has, of paired cases.
    pub gone_claims: u64,
    /// Paired cases that flipped.
    pub cases: Moves,
    /// Paired claims that flipped.
    pub claims: Moves,
    /// Paired claims with the same label that somebody else decided.
    pub decided_otherwise: u64,
    /// Units that drifted.
    pub drifted_units: u64,
    /// Claims of the later run that cite one of them.
    pub claims_on_drifted_units: u64,
    /// Findings that came and went, by rule; rules without one are left out.
    pub findings: BTreeMap<String, FindingMoves>,
    /// Paired cases of which nothing above tells, and that are not the same all the same: outcomes that change no label, slices,
    /// citations, scores.
    pub changed_otherwise: u64,
}

/// What flipped. Every list is in the input order of the later run, what only the earlier one has in that one's.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flips {
    /// Everything counted.
    pub counts: FlipCounts,
    /// Cases that flipped; with a cap, at most so many for each direction.
    pub cases: Vec<CaseFlip>,
    /// Claims that flipped; with a cap, at most so many for each direction.
    pub claims: Vec<ClaimFlip>,
    /// Claims that only the later run has.
    pub new_claims: Vec<LoneClaim>,
    /// Claims that only the earlier run has.
    pub gone_claims: Vec<LoneClaim>,
    /// Ids of cases that only the earlier run has.
    pub removed_cases: Vec<String>,
    /// Ids of cases that only the later run has.
    pub added_cases: Vec<String>,
    /// Ids of cases whose question is another one.
    pub changed_questions: Vec<String>,
    /// Units whose content changed under the same version.
    pub drift: Vec<Drift>,
}

impl Flips {
    /// Whether the two runs say the same of every case.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let FlipCounts {
            cases_before: _,
            cases_after: _,
            paired_cases: _,
            removed_cases,
            added_cases,
            changed_questions,
            paired_claims: _,
            new_claims,
            gone_claims,
            cases,
            claims,
            decided_otherwise,
            drifted_units,
            claims_on_drifted_units: _,
            findings,
            changed_otherwise,
        } = &self.counts;
        let counts = [removed_cases, added_cases, changed_questions, new_claims, gone_claims, decided_otherwise];
        counts.into_iter().chain([drifted_units, changed_otherwise]).all(|count| *count == 0)
            && cases.total() == 0
            && claims.total() == 0
            && findings.is_empty()
    }
}
