//! Whether the cases of the baselines are in the run and ask what they asked: a gate that every run has that is held against a
//! baseline, whatever gates the policy declares. Without it a failing case could be deleted and nothing would fail.

use super::compare::exceeds;
use super::{Bounds, Cause, Decision, Effect, GateResult, Verdict, display};
use crate::check::Severity;
use crate::diagnostic::{counted, harmless};
use crate::rules::metric::Average;
use crate::rules::policy::Reaction;
use crate::rules::settings::{BASELINE_GATE, Baseline};
use crate::tally::paired::Paired;
use crate::tally::{Listed, SliceKey};

/// Id of the gate.
pub const GATE: &str = BASELINE_GATE;
/// Its metric: cases of the baseline that are in the run / cases of the baseline.
pub const METRIC: &str = "baseline_cases";

/// A baseline with how its cases pair with those of the run.
#[derive(Debug, Clone, Copy)]
pub struct Kept<'k> {
    /// What the baseline is called; empty: the one without a name.
    pub name: &'k str,
    /// Its cases.
    pub paired: &'k Paired,
    /// By what else than the run it was judged, one sentence each.
    pub mismatches: &'k [String],
    /// `file:line` of a file of it.
    pub place: &'k str,
}

/// What one baseline says.
struct Said {
    effect: Effect,
    cause: Cause,
    reason: String,
}

impl Decision {
    /// Holds the cases of each baseline against the run. This measures nothing of the data: a run in which no gate had a value still
    /// fails.
    pub fn hold_baseline_cases(&mut self, settings: &Baseline, baselines: &[Kept<'_>]) {
        let said: Vec<Said> = baselines.iter().map(|kept| kept.said(settings)).collect();
        // The worst decides, of equals the first; what is wrong with the others is said too.
        let worst = said.iter().enumerate().max_by(|(i, a), (j, b)| a.effect.cmp(&b.effect).then(j.cmp(i)));
        let Some((index, decides)) = worst else { return };
        let Some(kept) = baselines.get(index) else { return };
        let reasons: Vec<&str> = said.iter().map(|said| said.reason.as_str()).collect();
        let (all, there) = (kept.paired.baseline_cases, kept.paired.baseline_cases.saturating_sub(kept.paired.removed));
        #[allow(clippy::cast_precision_loss, reason = "shown only; the counts themselves are compared")]
        let value = (all > 0).then(|| there as f64 / all as f64);
        self.results.push(GateResult {
            gate: GATE.to_owned(),
            place: if settings.place.is_empty() { kept.place.to_owned() } else { settings.place.clone() },
            metric: METRIC.to_owned(),
            average: Average::Micro,
            slice: SliceKey::Overall,
            severity: Severity::Error,
            verdict: match decides.effect {
                Effect::Pass => Verdict::Pass,
                Effect::Warn => Verdict::Warn,
                Effect::Fail => Verdict::Fail,
            },
            effect: decides.effect,
            cause: decides.cause,
            reason: reasons.join("; "),
            listed: Listed { numerator: Some(there), denominator: all, value },
            cases: all,
            broken: 0,
            bounds: Bounds { min: Some("1".to_owned()), ..Bounds::default() },
            min_samples: 0,
            confidence: None,
            interval: None,
            range: None,
            comparisons: Vec::new(),
        });
    }
}

impl Kept<'_> {
    fn said(&self, settings: &Baseline) -> Said {
        let Paired { baseline_cases, removed, changed, .. } = *self.paired;
        let of =
            if self.name.is_empty() { "the baseline".to_owned() } else { format!("baseline {}", harmless(self.name)) };
        let cases = counted(baseline_cases, "case");
        let mut said = Said {
            effect: Effect::Pass,
            cause: Cause::Bound,
            reason: format!("{cases} of {of}, and the run has all of them"),
        };
        if removed > 0 {
            let verb = if removed == 1 { "is" } else { "are" };
            said.reason = format!("{removed} of {cases} of {of} {verb} not in the run");
            said.effect = settings.removed_cases.into();
            said.cause = Cause::RemovedCases;
            if settings.removed_cases != Reaction::Fail {
                said.reason.push_str(", which `baseline: removed_cases` allows");
            }
        }
        if exceeds(changed, baseline_cases, &settings.max_changed_questions) {
            let verb = if changed == 1 { "asks" } else { "ask" };
            let most = display::bound(&settings.max_changed_questions, true);
            let changed = format!("{changed} of {cases} of {of} {verb} something else now, more than {most} of them");
            if removed > 0 {
                said.reason = format!("{}; {changed}", said.reason);
            } else {
                (said.reason, said.cause) = (changed, Cause::ChangedQuestions);
            }
            said.effect = Effect::Fail;
        }
        if said.effect == Effect::Fail && !self.mismatches.is_empty() {
            said.reason = format!("{} ({})", said.reason, self.mismatches.join("; "));
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    fn settings(baseline: &str) -> Baseline {
        let folder = tempfile::tempdir().expect("a folder");
        let text = format!("version: 1\nrules: [{{ id: numbers, check: numbers }}]\nbaseline: {baseline}\n");
        std::fs::write(folder.path().join("policy.yaml"), text).expect("written");
        rules::load(folder.path()).expect("a policy").settings.baseline
    }

    fn held(baseline: &str, counts: &[(u64, u64, u64)]) -> Decision {
        let paired = |&(baseline_cases, removed, changed): &(u64, u64, u64)| Paired {
            baseline_cases,
            removed,
            changed,
            ..Paired::default()
        };
        let paired: Vec<Paired> = counts.iter().map(paired).collect();
        let names = ["", "main"];
        let kept: Vec<Kept<'_>> = names
            .into_iter()
            .zip(&paired)
            .map(|(name, paired)| Kept { name, paired, mismatches: &[], place: "baselines/d.json:1" })
            .collect();
        let mut decision = Decision { results: Vec::new(), measured: true };
        decision.hold_baseline_cases(&settings(baseline), &kept);
        decision
    }

    fn outcome(decision: &Decision) -> (Effect, Cause, &str) {
        let result = &decision.results[0];
        (result.effect, result.cause, &result.reason)
    }

    #[test]
    fn a_case_that_is_gone_fails_unless_the_policy_says_otherwise() {
        let gone = "20 of 40 cases of the baseline are not in the run";
        assert_eq!(
            outcome(&held("{ max_changed_questions: 0.05 }", &[(40, 20, 0)])),
            (Effect::Fail, Cause::RemovedCases, gone)
        );
        let allowed = format!("{gone}, which `baseline: removed_cases` allows");
        for (word, effect) in [("warn", Effect::Warn), ("pass", Effect::Pass)] {
            let decision = held(&format!("{{ removed_cases: {word} }}"), &[(40, 20, 0)]);
            assert_eq!(outcome(&decision), (effect, Cause::RemovedCases, allowed.as_str()));
            assert!(decision.passes());
        }
        let whole = "40 cases of the baseline, and the run has all of them";
        assert_eq!(
            outcome(&held("{ max_changed_questions: 0.05 }", &[(40, 0, 2)])),
            (Effect::Pass, Cause::Bound, whole)
        );
    }

    #[test]
    fn questions_that_changed_fail_over_the_bound_also_where_cases_may_go() {
        // 2 of 40 are 5 %, 3 are more.
        let decision = held("{ removed_cases: pass }", &[(40, 0, 3)]);
        let (effect, cause, reason) = outcome(&decision);
        assert_eq!((effect, cause), (Effect::Fail, Cause::ChangedQuestions));
        assert_eq!(reason, "3 of 40 cases of the baseline ask something else now, more than 5 % of them");
        assert!(held("{ max_changed_questions: 0.1 }", &[(40, 0, 3)]).passes());
    }

    #[test]
    fn of_several_baselines_the_worst_decides_and_without_one_there_is_no_gate() {
        let decision = held("{ max_changed_questions: 0.05 }", &[(10, 0, 0), (8, 1, 0)]);
        let reason =
            "10 cases of the baseline, and the run has all of them; 1 of 8 cases of baseline main is not in the run";
        assert_eq!(outcome(&decision), (Effect::Fail, Cause::RemovedCases, reason));
        assert_eq!(decision.results[0].listed.numerator, Some(7));
        assert!(held("{ max_changed_questions: 0.05 }", &[]).results.is_empty());
    }
}
