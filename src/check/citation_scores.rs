//! `citation-scores`: precision and recall of the citations of a case. The scores themselves are counted here for every
//! case, rule or not; [`Scoring`] says how.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bound::RatioBound;
use super::threshold::OfCase;
use super::{Code, Fault, Stage, CaseCheck, Check, Family, Finding, Judgement, Kind, Outcome, Threshold, id};
use crate::citation::Packet;
use crate::diagnostic::{Problem, code};
use crate::text::Lexicons;
use crate::text::normal::folded_id;
use crate::yaml::{DecimalText, Located};

/// Precision and recall of the citations of an answer are high enough.
///
/// Is what the answer cites what retrieval returned (precision), and is what is relevant cited (recall)?
///
/// - **precision** = unique cited ids that are in `retrieved_ids` / unique cited ids
/// - **recall** = relevant retrieved ids that are cited / relevant retrieved ids
/// - **f1** = the harmonic mean of the two
/// - **weighted recall** = recall in which each id counts with its weight
///
/// An id counts once, however often and in whatever case it is cited: `[doc_1] [DOC_1]` is one. An answer without citations
/// has no precision, and a case without `relevant_ids` has no recall; nothing is ever divided by zero. Scores compare exactly
/// with their bounds, which are inclusive.
///
/// Options: `min_precision`, `min_recall`, `min_f1`, `min_weighted_recall`, at least one of them; `relevant`, where the relevant
/// ids come from: `given` (the case's `relevant_ids`; default) or `retrieved` (everything that was retrieved is
/// relevant); `weights`: `relevance` (of the units; default) or `rank` (1 / rank in `retrieved_ids`, in millionths).
///
/// Subject: a case. Fails with `precision-low`, `recall-low`, `f1-low` or `weighted-recall-low`. Bounds on a score that has no data
/// say nothing; not applicable where that is so for all of them.
///
/// ```yaml
/// - id: cites-what-was-retrieved
///   check: { citation-scores: { min_precision: 0.9, min_recall: 0.5 } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Lowest precision that passes.
    pub min_precision: Option<Located<DecimalText>>,
    /// Lowest recall that passes.
    pub min_recall: Option<Located<DecimalText>>,
    /// Lowest F1 that passes.
    pub min_f1: Option<Located<DecimalText>>,
    /// Lowest weighted recall that passes.
    pub min_weighted_recall: Option<Located<DecimalText>>,
    /// Where the relevant ids come from.
    #[serde(default)]
    pub relevant: Relevant,
    /// What weighted recall weighs by.
    #[serde(default)]
    pub weights: Weights,
}

/// Where the relevant ids of a case come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Relevant {
    /// The case's `relevant_ids`.
    #[default]
    Given,
    /// Everything that was retrieved is relevant.
    Retrieved,
}

/// What weighted recall weighs by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Weights {
    /// The units' `relevance`; no data where a relevant retrieved id has none.
    #[default]
    Relevance,
    /// 1 / rank, in millionths, rounded to the nearest.
    Rank,
}

/// Citation scores of a case as exact ratios (numerator, denominator); a denominator of 0 means that there is nothing to
/// divide by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scores {
    /// Unique cited ids that were retrieved / unique cited ids.
    pub citation_precision: (u64, u64),
    /// Relevant retrieved ids that were cited / relevant retrieved ids.
    pub citation_recall: (u64, u64),
    /// The same, weighted (by `relevance` in millionths, or 1/rank).
    pub weighted_recall: (u64, u64),
}

impl Scores {
    /// Whether no score has a denominator.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.citation_precision.1 == 0 && self.citation_recall.1 == 0 && self.weighted_recall.1 == 0
    }

    /// The harmonic mean of precision and recall as an exact ratio: 2·a·c / (a·d + c·b) for a/b and c/d. `None` where one of
    /// them has no data; 0 where both are 0.
    #[must_use]
    pub fn f1(&self) -> Option<(u64, u64)> {
        let ((a, b), (c, d)) = (self.citation_precision, self.citation_recall);
        if b == 0 || d == 0 {
            return None;
        }
        match a.saturating_mul(d).saturating_add(c.saturating_mul(b)) {
            0 => Some((0, 1)),
            denominator => Some((a.saturating_mul(c).saturating_mul(2), denominator)),
        }
    }
}

/// How the citation scores of a case are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scoring {
    /// Where the relevant ids come from.
    pub relevant: Relevant,
    /// What weighted recall weighs by.
    pub weights: Weights,
}

/// The ids of a case that the scores are about, folded, each once.
struct Ids<'p> {
    /// In order of first citation.
    cited: Vec<Cow<'p, str>>,
    /// In order of rank.
    retrieved: Vec<Cow<'p, str>>,
    /// Those of `retrieved` that are relevant, with their rank from 1; `None`: not known.
    relevant: Option<Vec<(u64, Cow<'p, str>)>>,
}

impl Scoring {
    /// The scoring that a policy's checks ask for: that of the first `citation-scores` among them, else the default.
    pub fn of<'c>(checks: impl IntoIterator<Item = &'c Check>) -> Self {
        let asked = checks.into_iter().find_map(|check| match check {
            Check::Case(check) => check.scoring(),
            _ => None,
        });
        asked.unwrap_or_default()
    }

    /// Counts the scores of a case.
    #[must_use]
    pub fn of_case(&self, packet: &Packet<'_>) -> Scores {
        self.scores(packet, &self.ids(packet))
    }

    fn ids<'p>(&self, packet: &'p Packet<'_>) -> Ids<'p> {
        let retrieved = unique(packet.retrieved_ids());
        let relevant = match self.relevant {
            Relevant::Retrieved => Some(ranked(&retrieved).collect()),
            Relevant::Given => packet.case.relevant_ids.as_ref().map(|ids| {
                let ids: HashSet<Cow<'_, str>> = ids.iter().map(|id| folded_id(id)).collect();
                ranked(&retrieved).filter(|(_, id)| ids.contains(id)).collect()
            }),
        };
        Ids { cited: unique(packet.citations.iter().map(|citation| citation.id.as_ref())), retrieved, relevant }
    }

    fn scores(&self, packet: &Packet<'_>, ids: &Ids<'_>) -> Scores {
        let retrieved: HashSet<&str> = ids.retrieved.iter().map(AsRef::as_ref).collect();
        let cited: HashSet<&str> = ids.cited.iter().map(AsRef::as_ref).collect();
        let found = ids.cited.iter().filter(|id| retrieved.contains(id.as_ref())).count() as u64;
        let mut scores = Scores { citation_precision: (found, ids.cited.len() as u64), ..Scores::default() };
        if let Some(relevant) = &ids.relevant {
            let found = relevant.iter().filter(|(_, id)| cited.contains(id.as_ref())).count() as u64;
            scores.citation_recall = (found, relevant.len() as u64);
            scores.weighted_recall = self.weighted(packet, relevant, &cited).unwrap_or_default();
        }
        scores
    }

    fn weighted(
        &self,
        packet: &Packet<'_>,
        relevant: &[(u64, Cow<'_, str>)],
        cited: &HashSet<&str>,
    ) -> Option<(u64, u64)> {
        const MILLION: u64 = 1_000_000;
        let relevance: HashMap<Cow<'_, str>, Option<u64>> = match self.weights {
            Weights::Relevance => packet.case.units.iter().map(|unit| (folded_id(&unit.id), unit.relevance)).collect(),
            Weights::Rank => HashMap::new(),
        };
        let (mut found, mut all) = (0u64, 0u64);
        for (rank, id) in relevant {
            let weight = match self.weights {
                Weights::Rank => (MILLION + rank / 2) / rank,
                Weights::Relevance => relevance.get(id).copied().flatten()?,
            };
            all = all.saturating_add(weight);
            if cited.contains(id.as_ref()) {
                found = found.saturating_add(weight);
            }
        }
        Some((found, all))
    }
}

fn unique<'p>(ids: impl Iterator<Item = &'p str>) -> Vec<Cow<'p, str>> {
    const FEW: usize = 16;
    let mut found: Vec<Cow<'p, str>> = Vec::new();
    let mut many = HashSet::new();
    for id in ids.map(folded_id) {
        if found.len() == FEW && many.is_empty() {
            many.extend(found.iter().cloned());
        }
        let is_new = if found.len() < FEW { !found.contains(&id) } else { many.insert(id.clone()) };
        if is_new {
            found.push(id);
        }
    }
    found
}

/// Ids with their rank, from 1.
fn ranked<'p>(ids: &[Cow<'p, str>]) -> impl Iterator<Item = (u64, Cow<'p, str>)> {
    (1..).zip(ids.iter().cloned())
}

/// The kind.
pub struct CitationScores {
    scoring: Scoring,
    min_precision: Option<RatioBound>,
    min_recall: Option<RatioBound>,
    min_f1: Option<RatioBound>,
    min_weighted_recall: Option<RatioBound>,
}

impl Kind for CitationScores {
    const NAME: &'static str = "citation-scores";
    const FAMILY: Family = Family::Coverage;
    const CODES: &'static [Code] = &[
        Code::new("precision-low", "the answer cites too much that retrieval did not return", Fault::at(Stage::Citation, "the answer cites what retrieval did not return")),
        Code::new("recall-low", "the answer leaves out too much of what is relevant", Fault::at(Stage::Citation, "the answer leaves out what was retrieved for it")),
        Code::new("f1-low", "precision and recall together are too low", Fault::at(Stage::Citation, "the answer does not cite what was retrieved for it")),
        Code::new("weighted-recall-low", "the answer leaves out too much of what matters most", Fault::at(Stage::Citation, "the answer leaves out what was retrieved for it")),
    ];
    const VARIABLES: &'static [&'static str] = &["numerator", "denominator", "min", "ids"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut bound = |key, written: &Option<_>| RatioBound::optional(key, written.as_ref(), &mut problems);
        let check = CitationScores {
            scoring: Scoring { relevant: options.relevant, weights: options.weights },
            min_precision: bound("min_precision", &options.min_precision),
            min_recall: bound("min_recall", &options.min_recall),
            min_f1: bound("min_f1", &options.min_f1),
            min_weighted_recall: bound("min_weighted_recall", &options.min_weighted_recall),
        };
        let bounds = [&options.min_precision, &options.min_recall, &options.min_f1, &options.min_weighted_recall];
        if bounds.iter().all(|bound| bound.is_none()) {
            problems.push(
                Problem::new(code::MISSING_KEY, "`citation-scores` without a bound").label(
                    "expected at least one of `min_precision`, `min_recall`, `min_f1` and `min_weighted_recall`",
                ),
            );
        }
        if problems.is_empty() { Ok(Check::Case(Box::new(check))) } else { Err(problems) }
    }
}

impl CaseCheck for CitationScores {
    fn judge(&self, packet: &Packet<'_>) -> Judgement {
        let ids = self.scoring.ids(packet);
        let scores = self.scoring.scores(packet, &ids);
        let mut judged = None;
        let mut findings = Vec::new();
        let mut hold = |min: &Option<RatioBound>,
                        code,
                        name: &str,
                        score: Option<(u64, u64)>,
                        fault: &dyn Fn() -> Vec<String>| {
            let (Some(min), Some((numerator, denominator))) = (min, score.filter(|(_, all)| *all > 0)) else { return };
            judged.get_or_insert((numerator, denominator));
            if !min.is_reached_by(numerator, denominator) {
                let ids = fault();
                let named = id::listed(ids.iter().map(String::as_str));
                let verb = if code == "precision-low" { "not retrieved" } else { "not cited" };
                let detail = if ids.is_empty() {
                    String::new()
                } else {
                    format!(": {named} {} {verb}", if ids.len() == 1 { "was" } else { "were" })
                };
                let finding = Finding::new(code, format!("{name} is {numerator}/{denominator}, below {min}{detail}"));
                let finding = finding.with("numerator", numerator).with("denominator", denominator);
                findings.push(finding.with("min", min.to_string()).with("ids", ids));
            }
        };
        let not_retrieved = || ids.not_retrieved();
        let not_cited = || ids.not_cited();
        hold(
            &self.min_precision,
            "precision-low",
            "citation precision",
            Some(scores.citation_precision),
            &not_retrieved,
        );
        hold(&self.min_recall, "recall-low", "citation recall", Some(scores.citation_recall), &not_cited);
        hold(&self.min_f1, "f1-low", "citation F1", scores.f1(), &Vec::new);
        let weighted = Some(scores.weighted_recall);
        hold(&self.min_weighted_recall, "weighted-recall-low", "weighted citation recall", weighted, &not_cited);
        match judged {
            Some((numerator, denominator)) => Judgement::of(findings).with_score(numerator, denominator),
            None if ids.cited.is_empty() && self.min_precision.is_some() => Judgement::irrelevant(),
            None if ids.relevant.is_none() => Judgement::missing("relevant_ids"),
            None => Judgement::irrelevant(),
        }
    }

    fn scoring(&self) -> Option<Scoring> {
        Some(self.scoring)
    }

    fn thresholds(&self) -> Vec<Threshold> {
        let of: [(_, _, _, &Option<RatioBound>, OfCase); 4] = [
            ("min_precision", "citation precision", "precision-low", &self.min_precision, |s| Some(s.citation_precision)),
            ("min_recall", "citation recall", "recall-low", &self.min_recall, |s| Some(s.citation_recall)),
            ("min_f1", "citation F1", "f1-low", &self.min_f1, Scores::f1),
            ("min_weighted_recall", "weighted citation recall", "weighted-recall-low", &self.min_weighted_recall, |s| {
                Some(s.weighted_recall)
            }),
        ];
        let threshold = |(option, measures, code, value, of_case): (_, _, _, &Option<RatioBound>, _)| Threshold {
            option,
            measures,
            value: value.as_ref().map(ToString::to_string),
            least: None,
            most: None,
            of_case: Some(of_case),
            decides: Outcome::Fail,
            otherwise: Outcome::Pass,
            code,
        };
        of.into_iter().map(threshold).collect()
    }
}

impl Ids<'_> {
    fn not_retrieved(&self) -> Vec<String> {
        let retrieved: HashSet<&str> = self.retrieved.iter().map(AsRef::as_ref).collect();
        self.cited.iter().filter(|id| !retrieved.contains(id.as_ref())).map(|id| id.to_string()).collect()
    }

    fn not_cited(&self) -> Vec<String> {
        let cited: HashSet<&str> = self.cited.iter().map(AsRef::as_ref).collect();
        let relevant = self.relevant.iter().flatten();
        relevant.filter(|(_, id)| !cited.contains(id.as_ref())).map(|(_, id)| id.to_string()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f1_is_exact_and_has_no_data_where_a_part_has_none() {
        let scores =
            |precision, recall| Scores { citation_precision: precision, citation_recall: recall, ..Scores::default() };
        // P = 1/2, R = 2/3: F1 = 2·(1/2)(2/3) / (1/2 + 2/3) = (2/3) / (7/6) = 4/7.
        assert_eq!(scores((1, 2), (2, 3)).f1(), Some((4, 7)));
        assert_eq!(scores((0, 2), (0, 3)).f1(), Some((0, 1)));
        assert_eq!(scores((0, 0), (0, 3)).f1(), None);
        assert_eq!(scores((1, 1), (0, 0)).f1(), None);
    }
}
