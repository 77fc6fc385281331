//! Tallies: the mergeable counts of every metric in every slice (SPEC 3, 7). A tally is an element of a commutative
//! monoid: any partition of a dataset, tallied apart and merged in any order, gives the same bytes.
//!
//! A tally reads records and nothing to the left of them, and holds integers only.

mod count;
pub mod errors;
#[cfg(test)]
pub(crate) mod fixture;
mod format;
mod listing;
mod measure;
pub mod paired;
mod review;
mod table;
#[cfg(test)]
mod tests;
mod value;

use std::collections::BTreeMap;

use crate::dataset::Label;
use crate::record::{CaseRecord, ClaimRecord};
use crate::rules::metric::{BUILT_IN, Level, Metric};

pub(crate) use count::shorten;
pub use count::{Contribution, Counts, RatioSums, Ratios};
pub use format::{FormatError, SCHEMA};
pub use listing::{Listed, MetricEntry, RuleCounts};
pub use measure::CaseVerdict;
pub use review::{OpenReason, ReviewCounts};
pub use table::{DimensionEntry, RuleEntry, RuleTable, rate_of};
pub use value::Value;

use errors::Errors;
use measure::{Measure, Meter, label_of};

/// Who decided a label where nobody did.
const NOBODY: &str = "nobody";

/// Why a tally cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TallyError {
    /// A dimension has more values than it may have.
    #[error(
        "slice dimension `{dimension}` has more than {limit} distinct values; cut it into `bins`, narrow it by a \
         `pattern`, or raise its `max_values`"
    )]
    TooManyValues {
        /// The dimension.
        dimension: String,
        /// Its limit.
        limit: usize,
    },
    /// Two tallies count for different rules or dimensions.
    #[error("tallies of different rules or slice dimensions cannot be merged")]
    DifferentTables,
}

/// The counts of every metric in every slice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Rule ids, in policy order.
    rules: Vec<String>,
    dimensions: Vec<Dimension>,
    overall: SliceTally,
    skipped_lines: u64,
    missing_answers: u64,
    review: ReviewCounts,
    errors: Errors,
    meter: MeterCell,
}

/// The values of one dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Dimension {
    id: String,
    max_values: usize,
    values: BTreeMap<String, SliceTally>,
}

/// Buffers of the worker; no part of what was counted.
#[derive(Debug, Default)]
struct MeterCell(Meter);

impl Clone for MeterCell {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for MeterCell {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for MeterCell {}

/// How the outcomes of a rule spread.
pub type OutcomeCounts = [u64; 4];

/// The counts of one slice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SliceTally {
    /// Cases that lie in the slice, or have a claim or citation in it.
    pub cases: u64,
    /// Claims in the slice; 0 for slices of citations.
    pub claims: u64,
    /// Cited verifiable claims in the slice that could not be checked because a cited unit has no content.
    pub unread: u64,
    /// Citations in the slice, those of its claims included.
    pub citations: u64,
    /// Labels of the cited verifiable claims, by who decided (`rule:<id>`, `integrity`, `judge`, `review`, `nobody`),
    /// in the order of [`Label::ALL`].
    labels: BTreeMap<String, [u64; 7]>,
    metrics: Vec<Counts>,
    outcomes: Vec<OutcomeCounts>,
    findings: Vec<u64>,
    /// By rule: findings that reviewers confirmed and overturned.
    reviewed: Vec<[u64; 2]>,
}

impl SliceTally {
    fn empty(rules: usize) -> Self {
        Self {
            metrics: vec![Counts::default(); BUILT_IN.len() + rules],
            outcomes: vec![OutcomeCounts::default(); rules],
            findings: vec![0; rules],
            reviewed: vec![[0; 2]; rules],
            ..Self::default()
        }
    }

    fn add(&mut self, measure: &Measure, claims: &[ClaimRecord<'_>]) {
        self.cases = self.cases.saturating_add(1);
        self.claims = self.claims.saturating_add(measure.claims);
        self.unread = self.unread.saturating_add(measure.unread);
        self.citations = self.citations.saturating_add(measure.citations);
        for (counts, contribution) in self.metrics.iter_mut().zip(&measure.metrics) {
            if *contribution != Contribution::default() {
                counts.add(*contribution);
            }
        }
        self.outcomes.iter_mut().zip(&measure.outcomes).for_each(|(sums, counts)| add_each(sums, counts));
        add_each(&mut self.findings, &measure.findings);
        self.reviewed.iter_mut().zip(&measure.reviewed).for_each(|(sums, counts)| add_each(sums, counts));
        for claim in measure.labels.iter().filter_map(|&index| claims.get(index)) {
            if let Some(label) = label_of(claim) {
                self.label(label, claim.decided_by.as_deref().unwrap_or(NOBODY), 1);
            }
        }
    }

    fn label(&mut self, label: Label, decided_by: &str, count: u64) {
        let counts = match self.labels.get_mut(decided_by) {
            Some(counts) => counts,
            None => self.labels.entry(decided_by.to_owned()).or_default(),
        };
        let index = Label::ALL.iter().position(|known| *known == label);
        if let Some(sum) = index.and_then(|index| counts.get_mut(index)) {
            *sum += count;
        }
    }

    fn merge(&mut self, other: &SliceTally) {
        self.cases = self.cases.saturating_add(other.cases);
        self.claims = self.claims.saturating_add(other.claims);
        self.unread = self.unread.saturating_add(other.unread);
        self.citations = self.citations.saturating_add(other.citations);
        self.metrics.iter_mut().zip(&other.metrics).for_each(|(sum, counts)| sum.merge(counts));
        self.outcomes.iter_mut().zip(&other.outcomes).for_each(|(sums, counts)| add_each(sums, counts));
        add_each(&mut self.findings, &other.findings);
        self.reviewed.iter_mut().zip(&other.reviewed).for_each(|(sums, counts)| add_each(sums, counts));
        for (decided_by, counts) in &other.labels {
            add_each(self.labels.entry(decided_by.clone()).or_default(), counts);
        }
    }

    /// The counts of a metric; those of a metric that has none here are empty.
    #[must_use]
    pub fn counts(&self, metric: &Metric) -> Option<&Counts> {
        self.metrics.get(table::position(metric))
    }

    /// How many cited verifiable claims have each label that occurs, in the order of [`Label::ALL`].
    pub fn labels(&self) -> impl Iterator<Item = (Label, u64)> + '_ {
        let sum = |index: usize| self.labels.values().filter_map(|counts| counts.get(index)).sum();
        Label::ALL.iter().enumerate().map(move |(index, label)| (*label, sum(index))).filter(|(_, count)| *count > 0)
    }

    /// The same, by who decided.
    pub fn labels_by_decider(&self) -> impl Iterator<Item = (&str, Label, u64)> + '_ {
        self.labels.iter().flat_map(|(decided_by, counts)| {
            let labels = Label::ALL.iter().zip(counts).filter(|(_, count)| **count > 0);
            labels.map(move |(label, count)| (decided_by.as_str(), *label, *count))
        })
    }
}

/// Adds counts to sums, place by place. Sums read from a file may be anything, and stop at the end of their range.
fn add_each(sums: &mut [u64], counts: &[u64]) {
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.saturating_add(*count));
}

/// Which subset of the dataset.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SliceKey {
    /// Everything.
    Overall,
    /// One value of a declared dimension.
    Value {
        /// The dimension.
        dimension: String,
        /// The value.
        value: String,
    },
}

impl Tally {
    /// A tally of nothing.
    #[must_use]
    pub fn new(table: &RuleTable) -> Self {
        let dimension = |entry: &DimensionEntry| Dimension {
            id: entry.id.clone(),
            max_values: entry.max_values,
            values: BTreeMap::new(),
        };
        Self {
            rules: table.rules.iter().map(|rule| rule.id.clone()).collect(),
            dimensions: table.dimensions.iter().map(dimension).collect(),
            overall: SliceTally::empty(table.rules.len()),
            skipped_lines: 0,
            missing_answers: 0,
            review: ReviewCounts::default(),
            errors: Errors::default(),
            meter: MeterCell::default(),
        }
    }

    /// Counts one case with its claims. `table` is the one that the tally was made with.
    ///
    /// # Errors
    /// A dimension has more values than it may have; the tally is then of no use any more.
    pub fn add(
        &mut self,
        case: &CaseRecord<'_>,
        claims: &[ClaimRecord<'_>],
        table: &RuleTable,
    ) -> Result<(), TallyError> {
        let Self { rules, dimensions, overall, errors, meter, .. } = self;
        errors.add(case, claims, table);
        let measured = meter.0.measure(case, claims, table);
        overall.add(measured.whole, claims);
        let of_case = measure::keys_at(&case.slices, Level::Case, table).map(|key| (key, measured.whole));
        for ((index, value), measure) in of_case.chain(measured.parts.iter().copied()) {
            if let Some(dimension) = dimensions.get_mut(index) {
                dimension.slice(value, rules.len())?.add(measure, claims);
            }
        }
        Ok(())
    }

    /// Counts lines of data that were skipped because they were bad. Each is broken, for every gate.
    pub fn add_skipped_lines(&mut self, lines: u64) {
        self.skipped_lines = self.skipped_lines.saturating_add(lines);
    }

    /// Counts cases that got no answer and were let through. Each is broken, for every gate.
    pub fn add_missing_answers(&mut self, cases: u64) {
        self.missing_answers = self.missing_answers.saturating_add(cases);
    }

    /// Counts what waits for a reviewer.
    pub fn add_review(&mut self, counts: &ReviewCounts) {
        self.review.merge(counts);
    }

    /// Adds what was tallied elsewhere. Commutative and associative.
    ///
    /// # Errors
    /// The two count for different rules or dimensions, or a dimension has more values than it may have; the tally is
    /// then of no use any more.
    pub fn merge(&mut self, other: &Tally) -> Result<(), TallyError> {
        let ids = |tally: &Tally| tally.dimensions.iter().map(|dimension| dimension.id.clone()).collect::<Vec<_>>();
        if self.rules != other.rules || ids(self) != ids(other) {
            return Err(TallyError::DifferentTables);
        }
        self.skipped_lines = self.skipped_lines.saturating_add(other.skipped_lines);
        self.missing_answers = self.missing_answers.saturating_add(other.missing_answers);
        self.review.merge(&other.review);
        self.errors.merge(&other.errors);
        self.overall.merge(&other.overall);
        for (ours, theirs) in self.dimensions.iter_mut().zip(&other.dimensions) {
            for (value, slice) in &theirs.values {
                ours.slice(value, self.rules.len())?.merge(slice);
            }
        }
        Ok(())
    }

    /// Cases counted.
    #[must_use]
    pub const fn cases(&self) -> u64 {
        self.overall.cases
    }

    /// Lines of data that were skipped.
    #[must_use]
    pub const fn skipped_lines(&self) -> u64 {
        self.skipped_lines
    }

    /// Cases that got no answer.
    #[must_use]
    pub const fn missing_answers(&self) -> u64 {
        self.missing_answers
    }

    /// What waits for a reviewer.
    #[must_use]
    pub const fn review(&self) -> &ReviewCounts {
        &self.review
    }

    /// What failed the cases.
    #[must_use]
    pub const fn errors(&self) -> &Errors {
        &self.errors
    }

    /// The counts of everything.
    #[must_use]
    pub const fn overall(&self) -> &SliceTally {
        &self.overall
    }

    /// The counts of one slice; `None` where the value never occurred.
    #[must_use]
    pub fn slice(&self, key: &SliceKey) -> Option<&SliceTally> {
        match key {
            SliceKey::Overall => Some(&self.overall),
            SliceKey::Value { dimension, value } => {
                self.dimensions.iter().find(|known| known.id == *dimension)?.values.get(value)
            }
        }
    }

    /// The values of a dimension that occurred, with their counts: bins in their order, then the alphabet's.
    #[must_use]
    pub fn values<'t>(&'t self, dimension: &DimensionEntry) -> Vec<(&'t str, &'t SliceTally)> {
        let known = self.dimensions.iter().find(|known| known.id == dimension.id);
        let mut values: Vec<_> =
            known.into_iter().flat_map(|known| &known.values).map(|(value, slice)| (value.as_str(), slice)).collect();
        let place = |value: &str| dimension.order.iter().position(|known| known == value).unwrap_or(usize::MAX);
        values.sort_by_key(|(value, _)| place(value));
        values
    }
}

impl Dimension {
    /// The slice of this value, made where it is new.
    fn slice(&mut self, value: &str, rules: usize) -> Result<&mut SliceTally, TallyError> {
        let too_many = |id: &str, limit: usize| TallyError::TooManyValues { dimension: id.to_owned(), limit };
        if !self.values.contains_key(value) {
            if self.values.len() >= self.max_values {
                return Err(too_many(&self.id, self.max_values));
            }
            self.values.insert(value.to_owned(), SliceTally::empty(rules));
        }
        self.values.get_mut(value).ok_or_else(|| too_many(&self.id, self.max_values))
    }
}
