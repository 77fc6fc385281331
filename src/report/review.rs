//! What waits for a reviewer, and what became of the decisions there are, in words.

use schemars::JsonSchema;
use serde::Serialize;

use super::ratio::grouped;
use super::visible::short;
use crate::run::RunJson;
use crate::run::manifest::LapseEntry;
use crate::run::review::Lapse;
use crate::tally::OpenReason;

/// Most decisions that decided nothing that a report lists.
const MOST_LAPSES: usize = 50;

/// What waits for a reviewer, and what became of the decisions there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReviewView {
    /// The whole in one sentence without a full stop; empty where nothing waits and there are no decisions.
    pub sentence: String,
    /// Claims that wait.
    pub open: u64,
    /// Why they wait.
    pub reasons: Vec<ReasonLine>,
    /// Claims whose label is a reviewer's.
    pub decided: String,
    /// Decisions that decided nothing, in the order of their file.
    pub lapses: Vec<LapseLine>,
    /// How many of them are not listed.
    pub lapses_left_out: u64,
}

/// A reason to wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReasonLine {
    /// The word in `review.jsonl`.
    #[schemars(schema_with = "super::schema::open_reason")]
    pub reason: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// How many claims.
    pub count: String,
}

/// A decision that decided nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LapseLine {
    /// `decisions.jsonl:3`.
    pub place: String,
    /// Id of the case.
    pub case_id: String,
    /// Id that the claim had.
    pub claim_id: String,
    /// The label that it gave.
    #[schemars(schema_with = "super::schema::label")]
    pub label: &'static str,
    /// Why it decided nothing.
    pub why: &'static str,
}

const fn meaning(reason: OpenReason) -> &'static str {
    match reason {
        OpenReason::Suspected => "no rule could decide, and one suspects a defect",
        OpenReason::LabelChanged => "the label is another one than the baseline's",
        OpenReason::LowConfidence => "the judge is less sure than the policy asks for",
        OpenReason::Sampled => "passed, and drawn to be looked at all the same",
        OpenReason::Lapsed => "a decision on it holds no longer",
    }
}

/// Why a decision decided nothing, for a list of it and for a count.
const fn why(lapse: Lapse) -> (&'static str, &'static str) {
    match lapse {
        Lapse::ClaimChanged => ("no claim of the case has the text that was decided on", "claim changed"),
        Lapse::EvidenceChanged => ("the claim cites other evidence than was decided on", "evidence changed"),
        Lapse::ClaimUnlabelled => ("the claim needs no citation any more", "claim without a label"),
        Lapse::CaseGone => ("the case is not in this run", "case not in this run"),
        Lapse::Expired => ("its last day is over", "expired"),
    }
}

pub(super) fn of(run: &RunJson) -> ReviewView {
    let review = &run.review;
    let file = run.inputs.decisions.as_ref().map_or("decisions", |file| file.path.as_str());
    let reason = |(reason, count): (&OpenReason, &u64)| ReasonLine {
        reason: reason.as_str(),
        meaning: meaning(*reason),
        count: grouped(*count),
    };
    let lapse = |entry: &LapseEntry| LapseLine {
        place: format!("{}:{}", short(file, 200), entry.line),
        case_id: short(&entry.case_id, 120),
        claim_id: short(&entry.claim_id, 120),
        label: entry.label.as_str(),
        why: why(entry.why).0,
    };
    let lapses: Vec<LapseLine> = review.lapses.iter().take(MOST_LAPSES).map(lapse).collect();
    let all = review.lapsed.saturating_add(review.expired);
    ReviewView {
        sentence: sentence(run),
        open: review.open,
        reasons: review.reasons.iter().map(reason).collect(),
        decided: grouped(review.decided),
        lapses_left_out: all.saturating_sub(lapses.len() as u64),
        lapses,
    }
}

fn sentence(run: &RunJson) -> String {
    let review = &run.review;
    let mut parts = Vec::new();
    if review.open > 0 {
        let reasons = review.reasons.iter().map(|(reason, count)| format!("{} {}", grouped(*count), reason.as_str()));
        let waits = if review.open == 1 { "claim waits" } else { "claims wait" };
        let reasons = reasons.collect::<Vec<_>>().join(", ");
        parts.push(format!("{} {waits} for a decision in review.jsonl ({reasons})", grouped(review.open)));
    }
    match review.decided {
        0 => {}
        1 => parts.push("1 label is a reviewer's".to_owned()),
        decided => parts.push(format!("{} labels are a reviewer's", grouped(decided))),
    }
    if review.lapsed > 0 {
        let counts = review.why.iter().filter(|(lapse, _)| **lapse != Lapse::Expired);
        let counts: Vec<String> =
            counts.map(|(lapse, count)| format!("{} {}", grouped(*count), why(*lapse).1)).collect();
        parts.push(format!("{} lapsed ({})", decisions(review.lapsed), counts.join(", ")));
    }
    if review.expired > 0 {
        parts.push(format!("{} expired", decisions(review.expired)));
    }
    parts.join("; ")
}

fn decisions(count: u64) -> String {
    if count == 1 { "1 decision".to_owned() } else { format!("{} decisions", grouped(count)) }
}
