//! Options that are thresholds on a score which records keep, so that other values can be tried on a run that is there,
//! without evaluating again.

use super::Outcome;
use super::citation_scores::Scores;

/// Name of an option and its value as written.
pub type OtherOption = (&'static str, String);

/// Picks a score out of those of a case, as numerator and denominator.
pub type OfCase = fn(&Scores) -> Option<(u64, u64)>;

/// An option of a rule that is a threshold on a score which records keep. A kind declares it beside its options (`thresholds` of its
/// check); the option is one only where the score alone decides, other things being equal.
#[derive(Debug, Clone)]
pub struct Threshold {
    /// Name of the option.
    pub option: &'static str,
    /// What is measured, such as `citation recall`.
    pub measures: &'static str,
    /// The option's value as written, or the kind's own default; `None` where the rule does not set it.
    pub value: Option<String>,
    /// Another option, with its value, that this one may not be less than.
    pub least: Option<OtherOption>,
    /// Another option, with its value, that this one may not be more than.
    pub most: Option<OtherOption>,
    /// The score among those of the case, with a denominator of 0 where there is none; `None`: it is the score that the rule's outcome
    /// carries.
    pub of_case: Option<OfCase>,
    /// What the option decides: `Fail` for a score below it, or `Pass` for a score at it or above.
    pub decides: Outcome,
    /// What becomes of a subject that had this outcome by the option alone, where another value of it does not decide so.
    pub otherwise: Outcome,
    /// The finding that a score below the option leads to. Findings of the rule with another code stay whatever its value is.
    pub code: &'static str,
}

impl Threshold {
    /// The outcome under another value of the option: `recorded` as it is now, `fails_besides` whether the rule found anything else there,
    /// `reached` whether the score is at the value or above it; `None` where there is no score.
    #[must_use]
    pub fn outcome(&self, recorded: Outcome, fails_besides: bool, reached: Option<bool>) -> Outcome {
        // A case that the rule does not apply to has its scores all the same.
        let left_out = recorded == Outcome::NotApplicable && self.of_case.is_some();
        if recorded == Outcome::Broken || fails_besides || left_out {
            return recorded;
        }
        let Some(reached) = reached else { return recorded };
        let decides = reached == (self.decides == Outcome::Pass);
        match (decides, recorded == self.decides) {
            (true, _) => self.decides,
            (false, true) => self.otherwise,
            (false, false) => recorded,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threshold(decides: Outcome, otherwise: Outcome) -> Threshold {
        Threshold {
            option: "min",
            measures: "a share",
            value: None,
            least: None,
            most: None,
            of_case: None,
            decides,
            otherwise,
            code: "low",
        }
    }

    #[test]
    fn a_lower_limit_fails_below_and_passes_from_it_on() {
        let min = threshold(Outcome::Fail, Outcome::Pass);
        for recorded in [Outcome::Pass, Outcome::Fail] {
            assert_eq!(min.outcome(recorded, false, Some(true)), Outcome::Pass);
            assert_eq!(min.outcome(recorded, false, Some(false)), Outcome::Fail);
        }
    }

    #[test]
    fn what_something_else_decided_stays() {
        let min = threshold(Outcome::Fail, Outcome::Pass);
        assert_eq!(min.outcome(Outcome::Fail, true, Some(true)), Outcome::Fail);
        assert_eq!(min.outcome(Outcome::Broken, false, Some(true)), Outcome::Broken);
        assert_eq!(min.outcome(Outcome::Pass, false, None), Outcome::Pass);
    }

    #[test]
    fn bands_have_nothing_to_say_in_between() {
        let low = threshold(Outcome::Fail, Outcome::NotApplicable);
        assert_eq!(low.outcome(Outcome::Fail, false, Some(true)), Outcome::NotApplicable);
        assert_eq!(low.outcome(Outcome::NotApplicable, false, Some(false)), Outcome::Fail);
        assert_eq!(low.outcome(Outcome::Pass, false, Some(true)), Outcome::Pass);
        let high = threshold(Outcome::Pass, Outcome::NotApplicable);
        assert_eq!(high.outcome(Outcome::Pass, false, Some(false)), Outcome::NotApplicable);
        assert_eq!(high.outcome(Outcome::NotApplicable, false, Some(true)), Outcome::Pass);
        assert_eq!(high.outcome(Outcome::Fail, false, Some(false)), Outcome::Fail);
    }
}
