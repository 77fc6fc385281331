//! The bounds of a gate on one of its targets.

use super::bound::{complement, count, exceeds, fixed, ratio, read as bound};
use super::gate::{Builder, Written, has_bound};
use crate::diagnostic::{Problem, Span, code};
use crate::rules::confidence::{Side, least_samples};
use crate::rules::metric::{Average, CITATION_F1, Direction};
use crate::rules::policy::{Bound, Target, TargetSlices};
use crate::yaml::{DecimalText, Located};

impl Builder<'_> {
    pub(super) fn target(&mut self, slices: TargetSlices, written: Written<'_>, entry: Span) -> Option<Target> {
        if !has_bound(written) {
            let problem = Problem::new(code::BAD_BOUND, "the gate has no bound").at(entry);
            self.problems.push(problem.label("one of `min`, `max`, `max_drop` and `max_rise` is needed"));
            return None;
        }
        let min = self.absolute("min", written.min);
        let max = self.absolute("max", written.max);
        let max_drop = self.change("max_drop", written.max_drop, Direction::Higher);
        let max_rise = self.change("max_rise", written.max_rise, Direction::Lower);
        if let (Some(low), Some(high), Some(place)) = (&min, &max, written.max)
            && exceeds(low, high)
        {
            let problem = Problem::new(code::CONTRADICTION, "no value is between `min` and `max`").at(place.span);
            self.problems.push(problem.found(&high.text, format!("at least {}", low.text)).help("swap the two"));
        }
        self.without_effect(&min, &max, written);
        let confidence = self.confidence(written);
        let min_samples = self.min_samples(written, min.as_ref(), max.as_ref(), confidence.as_ref());
        let relative = self.written.relative.as_ref();
        if let Some(relative) = relative
            && written.max_drop.is_none()
            && written.max_rise.is_none()
        {
            let problem = Problem::new(code::NO_EFFECT, "`relative` has no effect without `max_drop` or `max_rise`");
            self.problems
                .push(problem.at(relative.span).label("nothing is compared with a baseline").help("delete it"));
        }
        let relative = relative.is_some_and(|relative| relative.value);
        Some(Target { slices, min, max, max_drop, max_rise, relative, min_samples, confidence })
    }

    /// Reports an absolute bound on the side on which the metric is good: no release that became worse could miss it.
    pub(super) fn check_sides(&mut self, written: Written<'_>) {
        let (name, right, better, wrong, other) = match self.measured.direction {
            Direction::Higher => ("max", "min", "higher is better", written.max, written.min),
            Direction::Lower => ("min", "max", "lower is better", written.min, written.max),
            Direction::Neither => return,
        };
        let Some(wrong) = wrong else { return };
        let metric = &self.written.metric.value;
        let problem = Problem::new(code::WRONG_DIRECTION, format!("`{name}` does not protect `{metric}`"));
        let problem = problem.at(wrong.span).label(format!("of `{metric}`, {better}"));
        if other.is_some() {
            self.problems.push(problem.help(format!("delete it: `{right}` is given too, and protects")));
            return;
        }
        // Whoever takes a metric for its opposite means what is left of 1.
        let near_bad = (wrong.to_f64() > 0.5) == (self.measured.direction == Direction::Lower);
        let meant =
            bound(wrong.as_str()).and_then(|bound| if near_bad { complement(&bound) } else { Some(bound.text) });
        let meant = meant.unwrap_or_else(|| "…".to_owned());
        self.problems
            .push(problem.help(format!("write `{right}: {meant}`: the bound that a worse release would miss")));
    }

    fn absolute(&mut self, name: &str, written: Option<&Located<DecimalText>>) -> Option<Bound> {
        let written = written?;
        let good_side = match self.measured.direction {
            Direction::Higher => "max",
            Direction::Lower => "min",
            Direction::Neither => "",
        };
        // Said already.
        if name == good_side {
            return None;
        }
        if self.measured.is_ratio { ratio(name, written, self.problems) } else { count(name, written, self.problems) }
    }

    fn change(&mut self, name: &str, written: Option<&Located<DecimalText>>, fits: Direction) -> Option<Bound> {
        let written = written?;
        if self.measured.direction != fits {
            let metric = &self.written.metric.value;
            let (better, help) = match self.measured.direction {
                Direction::Higher => ("higher is better", Some("did you mean `max_drop`?")),
                Direction::Lower => ("lower is better", Some("did you mean `max_rise`?")),
                Direction::Neither => ("neither way is better", Some("bound it with `min` and `max`")),
            };
            let problem =
                Problem::new(code::WRONG_DIRECTION, format!("`{name}` does not fit `{metric}`")).at(written.span);
            let problem = problem.label(format!("of `{metric}`, {better}"));
            self.problems.push(problem.help_if(help.map(str::to_owned)));
            return None;
        }
        let bound = ratio(name, written, self.problems)?;
        let relative = self.written.relative.as_ref().is_some_and(|relative| relative.value);
        if !exceeds(&fixed("1", 1, 0), &bound) && (fits == Direction::Higher || !relative) {
            let problem = Problem::new(code::BAD_BOUND, format!("`{name}: {}` is met by every change", bound.text));
            let problem = problem.at(written.span).label("this bound can never fail");
            self.problems.push(problem.help("use a bound that a release could miss, such as 0.01"));
        }
        Some(bound)
    }

    /// Bounds that every value meets.
    fn without_effect(&mut self, min: &Option<Bound>, max: &Option<Bound>, written: Written<'_>) {
        let zero = min.as_ref().is_some_and(|bound| bound.mantissa == 0);
        let one = self.measured.is_ratio && max.as_ref().is_some_and(|bound| !exceeds(&fixed("1", 1, 0), bound));
        let given = [(zero, "min: 0", written.min), (one, "max: 1", written.max)];
        for (useless, name, place) in given {
            if let (true, Some(place)) = (useless, place) {
                let problem = Problem::new(code::BAD_BOUND, format!("`{name}` is met by every value")).at(place.span);
                let problem = problem.label("this bound can never fail");
                self.problems
                    .push(problem.help("a gate that only demands data: use a bound it could miss, or delete it"));
            }
        }
    }

    /// The highest share of subjects that could not be evaluated.
    pub(super) fn max_broken(&mut self, written: &Located<DecimalText>) -> Option<Bound> {
        let bound = ratio("max_broken", written, self.problems)?;
        if !exceeds(&fixed("1", 1, 0), &bound) {
            let problem = Problem::new(code::BAD_BOUND, "`max_broken: 1` is met by every share").at(written.span);
            let problem = problem.label("nothing would have to be evaluated");
            self.problems.push(problem.help("use a share that a run could miss, such as 0.01"));
        }
        Some(bound)
    }

    fn confidence(&mut self, written: Written<'_>) -> Option<Bound> {
        let place = written.confidence?;
        let bound = ratio("confidence", place, self.problems)?;
        let value = bound.to_f64();
        if value <= 0.5 || value >= 1.0 {
            let problem =
                Problem::new(code::BAD_RATIO, "`confidence` must be more than 0.5 and less than 1").at(place.span);
            self.problems.push(problem.found(&bound.text, "a value such as 0.95"));
            return None;
        }
        self.has_test(place.span);
        Some(bound)
    }

    /// Whether a test is defined: not for a count per claim, and not for the micro f1, which is no ratio of sums over
    /// cases. A gate that asks for one there could never decide anything.
    fn has_test(&mut self, place: Span) {
        let metric = self.written.metric.value.as_str();
        let average = self.written.average.as_ref().map_or(Average::Micro, |average| average.value);
        let help = if !self.measured.is_ratio {
            "delete `confidence`"
        } else if self.measured.metric == CITATION_F1 && average == Average::Micro {
            "write `average: macro`, or delete `confidence`"
        } else {
            return;
        };
        let message = format!("no confidence is defined for `{metric}`");
        let problem = Problem::new(code::NO_EFFECT, message).at(place);
        self.problems.push(problem.label("the gate could never decide anything").help(help));
    }

    /// The least number of subjects, and whether the gate could ever pass with it.
    fn min_samples(
        &mut self,
        written: Written<'_>,
        min: Option<&Bound>,
        max: Option<&Bound>,
        confidence: Option<&Bound>,
    ) -> u64 {
        if let Some(place) = written.min_samples
            && place.value == 0
        {
            let problem = Problem::new(code::BAD_BOUND, "`min_samples` must be at least 1").at(place.span);
            self.problems.push(
                problem
                    .found("0", "a whole number from 1")
                    .help("what nothing leads to stands under `on: { no_data: … }`"),
            );
        }
        let mut needed = 1;
        if let (Some(confidence), true) = (confidence, self.measured.is_ratio) {
            for (side, name, bound, place) in
                [(Side::Min, "min", min, written.min), (Side::Max, "max", max, written.max)]
            {
                let (Some(bound), Some(place)) = (bound, place) else { continue };
                match least_samples(side, bound, confidence.to_f64()) {
                    Some(least) => needed = needed.max(least),
                    None => {
                        let message = format!("`{name}: {}` cannot be shown with confidence", bound.text);
                        let problem = Problem::new(code::BAD_BOUND, message).at(place.span);
                        let problem = problem.label("no number of samples would suffice");
                        self.problems.push(problem.help("delete `confidence`, or leave the bound some room"));
                    }
                }
            }
        }
        match written.min_samples {
            None => needed,
            Some(place) => {
                if place.value < needed && place.value > 0 {
                    let problem = Problem::new(code::TOO_FEW_SAMPLES, "with so few samples the gate could never pass");
                    let problem = problem.at(place.span).found(place.value, format!("at least {needed}"));
                    self.problems.push(problem.help(format!("write `min_samples: {needed}` or more, or delete it")));
                }
                place.value
            }
        }
    }
}
