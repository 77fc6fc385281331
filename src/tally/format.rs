//! The tally as a file: named, ordered, integers only; what a baseline keeps and what another machine can merge.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::errors::{CaseErrors, Errors, Standing};
use super::{Counts, Dimension, MeterCell, RatioSums, ReviewCounts, SliceTally, Tally};
use crate::rules::metric::BUILT_IN;

/// Schema of a tally.
pub const SCHEMA: &str = "citeward/tally/1";

/// Why a file is no tally.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The schema is another one.
    #[error("the schema is `{0}`, expected `citeward/tally/1`")]
    Schema(String),
    /// A metric is not in the catalogue and not `rule.<id>` of a rule of this tally.
    #[error("the metric `{0}` is unknown")]
    UnknownMetric(String),
    /// A rule is not among the rules of this tally.
    #[error("the rule `{0}` is not in the tally's list of rules")]
    UnknownRule(String),
    /// A number is not a whole number in range.
    #[error("`{0}` is no whole number from 0 to 2¹²⁸−1")]
    Number(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: String,
    skipped_lines: u64,
    missing_answers: u64,
    #[serde(skip_serializing_if = "ReviewCounts::is_empty", default)]
    review: ReviewCounts,
    /// Rule and standing of the errors that failed cases together, with the number of these cases.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    errors: Vec<(Vec<(String, Standing)>, u64)>,
    rules: Vec<String>,
    overall: SliceFile,
    dimensions: Vec<DimensionFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DimensionFile {
    id: String,
    max_values: usize,
    values: BTreeMap<String, SliceFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SliceFile {
    cases: u64,
    claims: u64,
    /// Cited verifiable claims of which a cited unit has no content.
    #[serde(skip_serializing_if = "is_zero", default)]
    unread: u64,
    citations: u64,
    labels: BTreeMap<String, [u64; 7]>,
    outcomes: BTreeMap<String, [u64; 4]>,
    findings: BTreeMap<String, u64>,
    /// By rule: findings that reviewers confirmed and overturned.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    reviewed: BTreeMap<String, [u64; 2]>,
    metrics: BTreeMap<String, CountsFile>,
}

/// Sums of squares and of ratios can pass 64 bits and stand as text.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CountsFile {
    k: u64,
    n: u64,
    cases: u64,
    kk: String,
    kn: String,
    nn: String,
    #[serde(skip_serializing_if = "is_zero", default)]
    broken: u64,
    #[serde(skip_serializing_if = "is_zero", default)]
    broken_outside: u64,
    /// By denominator: Σk and Σk² of the cases with that denominator.
    ratios: BTreeMap<u64, (String, String)>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn wide(text: &str) -> Result<u128, FormatError> {
    text.parse().map_err(|_| FormatError::Number(text.to_owned()))
}

impl From<&Counts> for CountsFile {
    fn from(counts: &Counts) -> Self {
        let ratios = counts.ratios.iter().map(|(n, sums)| (n, (sums.k.to_string(), sums.kk.to_string())));
        Self {
            k: counts.k,
            n: counts.n,
            cases: counts.cases,
            kk: counts.kk.to_string(),
            kn: counts.kn.to_string(),
            nn: counts.nn.to_string(),
            broken: counts.broken,
            broken_outside: counts.broken_outside,
            ratios: ratios.collect(),
        }
    }
}

impl CountsFile {
    fn read(self) -> Result<Counts, FormatError> {
        let mut counts = Counts {
            k: self.k,
            n: self.n,
            cases: self.cases,
            kk: wide(&self.kk)?,
            kn: wide(&self.kn)?,
            nn: wide(&self.nn)?,
            broken: self.broken,
            broken_outside: self.broken_outside,
            ..Counts::default()
        };
        for (n, (k, kk)) in &self.ratios {
            counts.ratios.add_sums(*n, RatioSums { k: wide(k)?, kk: wide(kk)? });
        }
        Ok(counts)
    }
}

/// Names of the metrics by position: the catalogue's, then `rule.<id>`.
fn metric_names(rules: &[String]) -> impl Iterator<Item = String> + '_ {
    let built_in = BUILT_IN.iter().map(|entry| entry.name.to_owned());
    built_in.chain(rules.iter().map(|rule| format!("rule.{rule}")))
}

impl SliceFile {
    fn of(slice: &SliceTally, rules: &[String]) -> Self {
        let metrics = metric_names(rules).zip(&slice.metrics).filter(|(_, counts)| !counts.is_empty());
        let outcomes = rules.iter().cloned().zip(slice.outcomes.iter().copied());
        let findings = rules.iter().cloned().zip(slice.findings.iter().copied());
        let reviewed = rules.iter().cloned().zip(slice.reviewed.iter().copied());
        Self {
            cases: slice.cases,
            claims: slice.claims,
            unread: slice.unread,
            citations: slice.citations,
            labels: slice.labels.clone(),
            outcomes: outcomes.filter(|(_, counts)| counts.iter().any(|count| *count > 0)).collect(),
            findings: findings.filter(|(_, count)| *count > 0).collect(),
            reviewed: reviewed.filter(|(_, counts)| *counts != [0; 2]).collect(),
            metrics: metrics.map(|(name, counts)| (name, counts.into())).collect(),
        }
    }

    fn read(self, rules: &[String]) -> Result<SliceTally, FormatError> {
        let mut slice = SliceTally::empty(rules.len());
        (slice.cases, slice.claims, slice.citations) = (self.cases, self.claims, self.citations);
        slice.unread = self.unread;
        slice.labels = self.labels;
        let place = |rule: &str| rules.iter().position(|known| known == rule);
        for (rule, counts) in self.outcomes {
            let outcomes = place(&rule).and_then(|index| slice.outcomes.get_mut(index));
            *outcomes.ok_or(FormatError::UnknownRule(rule))? = counts;
        }
        for (rule, count) in self.findings {
            let findings = place(&rule).and_then(|index| slice.findings.get_mut(index));
            *findings.ok_or(FormatError::UnknownRule(rule))? = count;
        }
        for (rule, counts) in self.reviewed {
            let reviewed = place(&rule).and_then(|index| slice.reviewed.get_mut(index));
            *reviewed.ok_or(FormatError::UnknownRule(rule))? = counts;
        }
        let positions: BTreeMap<String, usize> = metric_names(rules).zip(0..).collect();
        for (name, counts) in self.metrics {
            let metric = positions.get(&name).and_then(|index| slice.metrics.get_mut(*index));
            *metric.ok_or(FormatError::UnknownMetric(name))? = counts.read()?;
        }
        Ok(slice)
    }
}

impl Serialize for Tally {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let dimension = |dimension: &Dimension| DimensionFile {
            id: dimension.id.clone(),
            max_values: dimension.max_values,
            values: dimension
                .values
                .iter()
                .map(|(value, slice)| (value.clone(), SliceFile::of(slice, &self.rules)))
                .collect(),
        };
        let file = File {
            schema: SCHEMA.to_owned(),
            skipped_lines: self.skipped_lines,
            missing_answers: self.missing_answers,
            review: self.review,
            errors: self.written_errors(),
            rules: self.rules.clone(),
            overall: SliceFile::of(&self.overall, &self.rules),
            dimensions: self.dimensions.iter().map(dimension).collect(),
        };
        file.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Tally {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Tally::read(File::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl Tally {
    fn written_errors(&self) -> Vec<(Vec<(String, Standing)>, u64)> {
        let id = |rule: u16| self.rules.get(usize::from(rule)).cloned().unwrap_or_default();
        let written = |errors: &CaseErrors| errors.iter().map(|(rule, standing)| (id(*rule), *standing)).collect();
        self.errors.iter().map(|(errors, cases)| (written(errors), cases)).collect()
    }

    fn read(file: File) -> Result<Self, FormatError> {
        if file.schema != SCHEMA {
            return Err(FormatError::Schema(file.schema));
        }
        let mut dimensions = Vec::new();
        for DimensionFile { id, max_values, values } in file.dimensions {
            let values = values.into_iter().map(|(value, slice)| Ok((value, slice.read(&file.rules)?)));
            dimensions.push(Dimension { id, max_values, values: values.collect::<Result<_, _>>()? });
        }
        let mut errors = Errors::default();
        for (set, cases) in file.errors {
            let index = |rule: &String| file.rules.iter().position(|known| known == rule);
            let read = set.into_iter().map(|(rule, standing)| {
                let index = index(&rule).and_then(|index| u16::try_from(index).ok());
                Ok((index.ok_or(FormatError::UnknownRule(rule))?, standing))
            });
            errors.count(read.collect::<Result<CaseErrors, FormatError>>()?, cases);
        }
        Ok(Self {
            errors,
            overall: file.overall.read(&file.rules)?,
            rules: file.rules,
            dimensions,
            skipped_lines: file.skipped_lines,
            missing_answers: file.missing_answers,
            review: file.review,
            meter: MeterCell::default(),
        })
    }
}
