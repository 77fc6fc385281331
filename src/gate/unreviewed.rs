//! How many claims may wait for a reviewer (`review: max_unreviewed`): a gate that the policy declares in another section.

use super::{Bounds, Cause, Decision, Effect, GateResult, Verdict};
use crate::check::Severity;
use crate::rules::metric::Average;
use crate::rules::settings::{Review, UNREVIEWED_GATE};
use crate::tally::{Listed, SliceKey};

/// Id of the gate.
pub const GATE: &str = UNREVIEWED_GATE;
/// Its metric: a plain count, so that its denominator is 1.
pub const METRIC: &str = "unreviewed";

impl Decision {
    /// Holds the number of claims that wait for a reviewer against what the policy allows, where it says so. This measures nothing
    /// of the data: a run in which no gate had a value still fails.
    pub fn hold_unreviewed(&mut self, review: &Review, open: u64) {
        let Some(most) = review.max_unreviewed else { return };
        let keeps = open <= most;
        let wait = match open {
            0 => "no claim waits for a decision".to_owned(),
            1 => "1 claim waits for a decision".to_owned(),
            open => format!("{open} claims wait for a decision"),
        };
        let allowed = if most == 0 { "none may".to_owned() } else { format!("at most {most} may") };
        let queue = match (keeps, open) {
            (true, _) => "",
            (false, 1) => "; review.jsonl has it",
            (false, _) => "; review.jsonl lists them",
        };
        #[allow(clippy::cast_precision_loss, reason = "shown only; the count itself is compared")]
        let value = Some(open as f64);
        self.results.push(GateResult {
            gate: GATE.to_owned(),
            place: review.place.clone(),
            metric: METRIC.to_owned(),
            average: Average::Micro,
            slice: SliceKey::Overall,
            severity: Severity::Error,
            verdict: if keeps { Verdict::Pass } else { Verdict::Fail },
            effect: if keeps { Effect::Pass } else { Effect::Fail },
            cause: Cause::Bound,
            reason: format!("{wait}, {allowed}{queue}"),
            listed: Listed { numerator: Some(open), denominator: 1, value },
            cases: 0,
            broken: 0,
            bounds: Bounds { max: Some(most.to_string()), ..Bounds::default() },
            min_samples: 0,
            confidence: None,
            interval: None,
            range: None,
            comparisons: Vec::new(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(most: Option<u64>, open: u64) -> Decision {
        let mut decision = Decision { results: Vec::new(), measured: true };
        let review = Review { max_unreviewed: most, place: "rules/review.yaml:2".into(), ..Review::default() };
        decision.hold_unreviewed(&review, open);
        decision
    }

    #[test]
    fn more_open_claims_than_allowed_fail_the_run() {
        let failing = held(Some(5), 12);
        assert!(!failing.passes());
        assert_eq!(failing.results[0].reason, "12 claims wait for a decision, at most 5 may; review.jsonl lists them");
        assert_eq!(failing.results[0].place, "rules/review.yaml:2");
        assert!(held(Some(12), 12).passes() && held(Some(0), 0).passes() && !held(Some(0), 1).passes());
    }

    #[test]
    fn without_a_bound_there_is_no_gate_and_an_empty_queue_measures_nothing() {
        assert!(held(None, 1_000).results.is_empty());
        let mut nothing = Decision { results: Vec::new(), measured: false };
        nothing.hold_unreviewed(&Review { max_unreviewed: Some(5), ..Review::default() }, 0);
        assert!(!nothing.passes());
    }
}
