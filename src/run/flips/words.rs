//! Why something flipped, in words.

use super::why::{Cited, CountsAs, EvidenceChange, EvidenceWhat, REVIEW, RuleChange, Why};
use super::{CaseState, ClaimState};
use crate::check::Outcome;
use crate::diagnostic::counted;
use crate::tally::CaseVerdict;

/// Most rules that a reason in words names.
const RULES_SHOWN: usize = 3;
/// Most ids that a reason in words names.
const IDS_SHOWN: usize = 3;

/// Who decided where the judge did.
const JUDGE: &str = "judge";

type Decided<'s> = (&'s ClaimState, &'s ClaimState);

impl Why {
    /// Why a claim flipped, in one line.
    pub(super) fn of_claim_in_words(&self, was: &ClaimState, is: &ClaimState) -> String {
        let mut parts = Vec::new();
        parts.extend(by_whom((was, is)));
        if self.text_changed {
            parts.push("the claim's text changed".to_owned());
        }
        if was.class != is.class {
            let class = is.class.as_deref().unwrap_or("verifiable");
            parts.push(format!("it is taken for {class} now"));
        }
        self.put_rest(&mut parts, "claim and citations are");
        parts.join("; ")
    }

    /// Why a case flipped, in one line.
    pub(super) fn of_case_in_words(&self, (was, is): (CaseState, CaseState)) -> String {
        let mut parts = Vec::new();
        match (was.refused, is.refused) {
            (false, true) => parts.push("the answer is a refusal now".to_owned()),
            (true, false) => parts.push("the answer is no refusal any more".to_owned()),
            _ => {}
        }
        if is.verdict == CaseVerdict::Unjudged && was.verdict != is.verdict {
            parts.push("no rule judges it any more".to_owned());
        }
        if self.text_changed {
            parts.push("its claims changed".to_owned());
        }
        self.put_rest(&mut parts, "claims and citations are");
        parts.join("; ")
    }

    fn put_rest(&self, parts: &mut Vec<String>, same: &str) {
        parts.extend(self.cited.in_words());
        parts.extend(self.evidence.iter().take(IDS_SHOWN).map(EvidenceChange::in_words));
        if self.evidence.len() > IDS_SHOWN {
            parts.push(format!("{} changed", counted((self.evidence.len() - IDS_SHOWN) as u64, "more cited unit")));
        }
        parts.extend(self.rules.iter().take(RULES_SHOWN).map(RuleChange::in_words));
        if self.rules.len() > RULES_SHOWN {
            let more = self.rules.len() - RULES_SHOWN;
            parts.push(format!("{} came out otherwise", counted(more as u64, "more rule")));
        }
        if !self.evaluation.is_empty() {
            let what: Vec<&str> = self.evaluation.iter().map(|change| change.as_str()).collect();
            parts.push(format!("{same} as before, but the {} changed", what.join(" and the ")));
        }
        if self.elsewhere {
            parts.push(format!("{same} as before: the answer's wording, other data or an unversioned passage changed"));
        }
    }
}

/// Where a reviewer or a judge decided on one of the sides.
fn by_whom((was, is): Decided<'_>) -> Option<String> {
    let words = match (was.decided_by.as_deref(), is.decided_by.as_deref()) {
        (Some(REVIEW), Some(REVIEW)) => "a reviewer decided otherwise",
        (_, Some(REVIEW)) => "a reviewer decided",
        (Some(REVIEW), _) => "a reviewer's decision does not hold any more",
        (Some(JUDGE), Some(JUDGE)) => "the judge decided otherwise",
        (_, Some(JUDGE)) => "the judge decided",
        (Some(JUDGE), _) => "the judge had decided before",
        _ => return None,
    };
    Some(words.to_owned())
}

impl CountsAs {
    const fn in_words(self) -> &'static str {
        match self {
            CountsAs::Error => "and counts as an error now",
            CountsAs::Warning => "and counts as a warning now",
            CountsAs::Note => "and counts as a note now",
            CountsAs::Observed => "and is only observed now",
            CountsAs::Overturned => "but a reviewer overturned it",
            CountsAs::Known => "but only new findings count now",
        }
    }
}

impl Cited {
    /// "it cites a instead of b", or nothing where the same is cited.
    fn in_words(&self) -> Option<String> {
        let list = |ids: &[String]| {
            let shown: Vec<&str> = ids.iter().take(IDS_SHOWN).map(String::as_str).collect();
            let more = ids.len() - shown.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{}{more}", shown.join(", "))
        };
        Some(match (self.added.as_slice(), self.removed.as_slice()) {
            ([], []) => return None,
            (added, []) => format!("it now also cites {}", list(added)),
            ([], removed) => format!("it no longer cites {}", list(removed)),
            (added, removed) => format!("it cites {} instead of {}", list(added), list(removed)),
        })
    }
}

impl EvidenceChange {
    fn in_words(&self) -> String {
        let Self { id, what, version_before, version } = self;
        let named =
            |version: &Option<String>| version.as_ref().map_or("no version".to_owned(), |v| format!("version {v}"));
        match what {
            EvidenceWhat::Gone => format!("{id} is not in the packet any more"),
            EvidenceWhat::New => format!("{id} is in the packet now"),
            EvidenceWhat::Document => format!("{id} is of another document now"),
            EvidenceWhat::Version => format!("{id} has {} now, {} before", named(version), named(version_before)),
            EvidenceWhat::Content => match version {
                Some(version) => format!("the content of {id} changed under the same version {version}"),
                None => format!("the content of {id} changed"),
            },
        }
    }
}

impl RuleChange {
    fn in_words(&self) -> String {
        let Self { rule, claim_id, before, after, code_before, code, message, counts_as } = self;
        let found = match (code, message) {
            (Some(code), Some(message)) => format!(" ({code}): {}", message.trim_end_matches('.')),
            (Some(code), None) => format!(" ({code})"),
            _ => String::new(),
        };
        let on = claim_id.as_ref().map_or_else(String::new, |claim_id| format!(" on {claim_id}"));
        let counts = counts_as.map_or_else(String::new, |counts_as| format!(", {}", counts_as.in_words()));
        match (before, after) {
            (Some(Outcome::Fail), Some(Outcome::Fail)) if code.is_some() && code == code_before => {
                format!("{rule}{on} fails as before{counts}{found}")
            }
            (Some(Outcome::Fail), Some(Outcome::Fail)) if code.is_some() => {
                format!("{rule}{on} finds something else now{counts}{found}")
            }
            (Some(Outcome::Fail), Some(Outcome::Fail)) => format!("{rule}{on} fails as before{counts}"),
            (_, Some(Outcome::Fail)) => format!("{rule} fails now{on}{found}"),
            (_, Some(Outcome::Broken)) => format!("{rule} could not be evaluated{on}"),
            (Some(Outcome::Fail), Some(Outcome::Pass)) => format!("{rule} does not fail{on} any more"),
            (_, Some(Outcome::Pass)) => format!("{rule} passes now{on}"),
            (Some(_), Some(Outcome::NotApplicable)) => format!("{rule} does not apply{on} any more"),
            (None, Some(Outcome::NotApplicable)) => format!("{rule} is new and does not apply{on}"),
            (_, None) => format!("{rule} does not judge it{on} any more"),
        }
    }
}
