//! What flipped against the baseline, as a report shows it: what got worse first, and of that what lies in a slice that
//! fails for it.

use schemars::JsonSchema;
use serde::Serialize;

use super::ratio;
use super::visible::{one_line, short};
use crate::dataset::Label;
use crate::gate::Effect;
use crate::run::flips::{CaseFlip, ClaimFlip, ClaimState, Direction, FlipCounts};
use crate::run::manifest::{BaselineFlips, GateEntry, RunJson};
use crate::tally::CaseVerdict;

/// Most flips that a report shows of one baseline.
const MOST: usize = 100;
/// Longest reason, in characters.
const LONGEST: usize = 400;

/// What flipped against one baseline.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FlipGroup {
    /// The baseline and the dataset, as a person names them.
    pub baseline: String,
    /// What was counted, in one sentence with a full stop.
    pub summary: String,
    /// The flips, those for the worse first.
    pub rows: Vec<FlipRow>,
    /// How many flips are not shown.
    pub left_out: u64,
}

/// A claim or case that came out otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FlipRow {
    /// Id of the case.
    pub case_id: String,
    /// Id of the claim; empty for a case.
    pub claim_id: String,
    /// `worse`, `better` or `other`.
    #[schemars(schema_with = "super::schema::direction")]
    pub direction: &'static str,
    /// What it was.
    pub before: String,
    /// What it is.
    pub after: String,
    /// Why, in one line.
    pub reason: String,
    /// Whether it lies in a slice of a gate that fails for a drop or rise.
    pub in_failing_slice: bool,
}

/// The groups of a run; none without a baseline.
pub(super) fn groups(run: &RunJson) -> Vec<FlipGroup> {
    let failing: Vec<&GateEntry> = run
        .gates
        .iter()
        .filter(|gate| gate.comparisons.iter().any(|compared| compared.effect == Effect::Fail))
        .collect();
    run.flips.iter().map(|flips| group(flips, &failing)).collect()
}

fn group(of: &BaselineFlips, failing: &[&GateEntry]) -> FlipGroup {
    let claims = of.flips.claims.iter().map(|flip| of_claim(flip, failing));
    let cases = of.flips.cases.iter().map(of_case);
    let mut rows: Vec<FlipRow> = claims.chain(cases).collect();
    // Stable: within a rank the order of the data stays.
    rows.sort_by_key(|row| (rank(row.direction), !row.in_failing_slice));
    let total = of.flips.counts.claims.total().saturating_add(of.flips.counts.cases.total());
    rows.truncate(MOST);
    let name = if of.baseline.is_empty() { String::new() } else { format!("{} of ", one_line(&of.baseline)) };
    FlipGroup {
        baseline: format!("{name}{}", one_line(&of.dataset)),
        summary: summary(&of.flips.counts),
        left_out: total.saturating_sub(rows.len() as u64),
        rows,
    }
}

fn rank(direction: &str) -> u8 {
    match direction {
        "worse" => 0,
        "other" => 1,
        _ => 2,
    }
}

const fn word(direction: Direction) -> &'static str {
    match direction {
        Direction::Worse => "worse",
        Direction::Better => "better",
        Direction::Other => "other",
    }
}

fn of_claim(flip: &ClaimFlip, failing: &[&GateEntry]) -> FlipRow {
    let lies_in =
        |gate: &&GateEntry| gate.slice.iter().all(|(dimension, value)| flip.slices.get(dimension) == Some(value));
    FlipRow {
        case_id: one_line(&flip.case_id),
        claim_id: one_line(&flip.claim_id),
        direction: word(flip.direction),
        before: of_state(&flip.before),
        after: of_state(&flip.after),
        reason: short(&one_line(&flip.reason), LONGEST),
        in_failing_slice: failing.iter().any(lies_in),
    }
}

fn of_state(state: &ClaimState) -> String {
    match (state.label.map(Label::as_str), &state.class) {
        (Some(label), _) => label.to_owned(),
        (None, Some(class)) => one_line(class).replace('_', " "),
        (None, None) => "uncited".to_owned(),
    }
}

fn of_case(flip: &CaseFlip) -> FlipRow {
    let verdict = |verdict: CaseVerdict, refused: bool| {
        let word = match verdict {
            CaseVerdict::Pass => "passes",
            CaseVerdict::Fail => "fails",
            CaseVerdict::Broken => "broken",
            CaseVerdict::Unjudged => "not judged",
        };
        if refused { format!("{word}, refused") } else { word.to_owned() }
    };
    FlipRow {
        case_id: one_line(&flip.case_id),
        claim_id: String::new(),
        direction: word(flip.direction),
        before: verdict(flip.before.verdict, flip.before.refused),
        after: verdict(flip.after.verdict, flip.after.refused),
        reason: short(&one_line(&flip.reason), LONGEST),
        in_failing_slice: false,
    }
}

/// `9 claims got worse, 2 better; 3 cases fail that passed; …`.
fn summary(counts: &FlipCounts) -> String {
    let several = |count: u64, what: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{} {what}{plural}", ratio::grouped(count))
    };
    let mut parts = Vec::new();
    for (moves, what) in [(counts.claims, "claim"), (counts.cases, "case")] {
        if moves.total() > 0 {
            let other =
                if moves.other > 0 { format!(", {} otherwise", ratio::grouped(moves.other)) } else { String::new() };
            let better = ratio::grouped(moves.better);
            parts.push(format!("{} came out worse, {better} better{other}", several(moves.worse, what)));
        }
    }
    for (count, what, rest) in [
        (counts.removed_cases, "case", "of the baseline gone"),
        (counts.added_cases, "case", "new"),
        (counts.changed_questions, "case", "with another question"),
        (counts.gone_claims, "claim", "gone"),
        (counts.new_claims, "claim", "new"),
        (counts.drifted_units, "passage", "with other content under the same version"),
    ] {
        if count > 0 {
            parts.push(format!("{} {rest}", several(count, what)));
        }
    }
    let among = format!("{} compared", several(counts.paired_cases, "case"));
    if parts.is_empty() { format!("Nothing flipped; {among}.") } else { format!("{}; {among}.", parts.join("; ")) }
}
