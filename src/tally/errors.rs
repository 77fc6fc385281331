//! What failed the cases: the rules of a case's error findings, and what became of the claims that they are on. Which of them a gate
//! counts is not known here, so that other gates can be asked about the same tally.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::RuleTable;
use super::measure::{counts_against, is_verifiable, label_of};
use crate::dataset::Label;
use crate::record::{CaseRecord, ClaimRecord};

/// Where an error finding stands, as metrics see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// On the case, or on a citation of no claim.
    Case,
    /// On a claim that needs a citation and has none.
    Uncited,
    /// On another claim without a label.
    Unlabelled,
    /// On a claim with this label.
    Labelled(Label),
}

impl Standing {
    fn of(claim: &ClaimRecord<'_>) -> Self {
        match label_of(claim) {
            Some(label) => Standing::Labelled(label),
            None if is_verifiable(claim) => Standing::Uncited,
            None => Standing::Unlabelled,
        }
    }
}

/// Errors of one case: index of the rule, and where the finding stands. Sorted, each once.
pub type CaseErrors = Vec<(u16, Standing)>;

/// How many cases failed by each set of errors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Errors(pub(super) BTreeMap<CaseErrors, u64>);

impl Errors {
    pub(super) fn add(&mut self, case: &CaseRecord<'_>, claims: &[ClaimRecord<'_>], table: &RuleTable) {
        let mut errors = CaseErrors::new();
        let on_case = case.findings.iter().map(|finding| (finding, Standing::Case));
        let on_claims =
            claims.iter().flat_map(|claim| claim.findings.iter().map(|finding| (finding, Standing::of(claim))));
        for (finding, standing) in on_case.chain(on_claims).filter(|(finding, _)| counts_against(finding)) {
            let rule = table.rule(&finding.rule).and_then(|(index, _)| u16::try_from(index).ok());
            errors.extend(rule.map(|rule| (rule, standing)));
        }
        if !errors.is_empty() {
            errors.sort_unstable();
            errors.dedup();
            self.count(errors, 1);
        }
    }

    pub(super) fn count(&mut self, errors: CaseErrors, cases: u64) {
        let sum = self.0.entry(errors).or_default();
        *sum = sum.saturating_add(cases);
    }

    pub(super) fn merge(&mut self, other: &Errors) {
        other.0.iter().for_each(|(errors, cases)| self.count(errors.clone(), *cases));
    }

    /// Each set of errors, with the number of cases that it failed.
    pub fn iter(&self) -> impl Iterator<Item = (&CaseErrors, u64)> {
        self.0.iter().map(|(errors, cases)| (errors, *cases))
    }
}
