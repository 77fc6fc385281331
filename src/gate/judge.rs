//! One gate on its slices.

use std::collections::BTreeSet;

use num_bigint::BigUint;

use super::statistics::{self, Sample, Shown};
use super::{Against, Bounds, Cause, Compared, Effect, GateResult, Verdict, compare, reason};
use crate::check::Severity;
use crate::rules::confidence::{Side, normal_quantile};
use crate::rules::metric::{self, Average, Metric};
use crate::rules::policy::{Bound, Gate, Target, TargetSlices};
use crate::tally::{Counts, DimensionEntry, Listed, RuleTable, SliceKey, SliceTally, Tally, Value};

/// Stands for every value of a dimension where none occurred.
const ANY: &str = "*";

/// What was found of one part of a gate, before the gate's severity is looked at.
#[derive(Clone)]
struct Part {
    verdict: Verdict,
    effect: Effect,
    cause: Cause,
    reason: String,
}

/// A gate on one slice, with everything that judging it takes.
pub(super) struct Subject<'g> {
    pub gate: &'g Gate,
    pub target: &'g Target,
    pub slice: &'g SliceKey,
    /// Whether the metric is a ratio between 0 and 1.
    pub is_ratio: bool,
}

/// Judges a gate on each of its slices.
pub(super) fn gate(gate: &Gate, tally: &Tally, table: &RuleTable, against: &[Against<'_>]) -> Vec<GateResult> {
    let is_ratio = gate.metric.entry().is_none_or(|entry| entry.is_ratio);
    let keys: Vec<(&Target, SliceKey)> = gate
        .targets
        .iter()
        .flat_map(|target| slices(gate, target, tally, table, against).into_iter().map(move |slice| (target, slice)))
        .collect();
    let subjects: Vec<Subject<'_>> =
        keys.iter().map(|(target, slice)| Subject { gate, target, slice, is_ratio }).collect();
    let mut compared: Vec<Vec<Compared>> = subjects.iter().map(|_| Vec::new()).collect();
    for against in against {
        let of_baseline = compare::gate(&subjects, against);
        compared.iter_mut().zip(of_baseline).for_each(|(all, one)| all.extend(one));
    }
    subjects.iter().zip(compared).map(|(subject, compared)| subject.result(tally, against, compared)).collect()
}

/// The slices that a target stands for: those that occur, and those of a baseline that are gone.
fn slices(gate: &Gate, target: &Target, tally: &Tally, table: &RuleTable, against: &[Against<'_>]) -> Vec<SliceKey> {
    let key = |dimension: &DimensionEntry, value: &str| SliceKey::Value {
        dimension: dimension.id.clone(),
        value: value.to_owned(),
    };
    match &target.slices {
        TargetSlices::Overall => vec![SliceKey::Overall],
        TargetSlices::One(index, value) => {
            table.dimensions.get(*index).map(|dimension| key(dimension, value)).into_iter().collect()
        }
        TargetSlices::EachOf(index) => {
            let Some(dimension) = table.dimensions.get(*index) else { return Vec::new() };
            let named: BTreeSet<&str> = gate.targets.iter().filter_map(|other| named_value(other, *index)).collect();
            let values = tally.values(dimension);
            let occurs = |value: &str| values.iter().any(|(known, _)| *known == value);
            let gone = against.iter().flat_map(|against| compare::values_of_baseline(against, gate, *index));
            let gone: BTreeSet<&str> = gone.filter(|value| !occurs(value)).collect();
            if values.is_empty() && gone.is_empty() {
                return vec![key(dimension, ANY)];
            }
            let all = values.iter().map(|(value, _)| *value).chain(gone);
            all.filter(|value| !named.contains(value)).map(|value| key(dimension, value)).collect()
        }
    }
}

/// The value of this dimension that the target names on its own.
fn named_value(target: &Target, dimension: usize) -> Option<&str> {
    match &target.slices {
        TargetSlices::One(index, value) if *index == dimension => Some(value),
        _ => None,
    }
}

impl Subject<'_> {
    fn result(&self, tally: &Tally, against: &[Against<'_>], comparisons: Vec<Compared>) -> GateResult {
        let slice = tally.slice(self.slice);
        let (gate, target) = (self.gate, self.target);
        let lost = tally.skipped_lines().saturating_add(tally.missing_answers());
        let counts = slice.and_then(|slice| slice.counts(&gate.metric));
        let part = self.part(slice, counts, lost, (against, &comparisons));
        let (verdict, effect) = weigh(part.verdict, part.effect, gate.severity);
        let sample = slice.zip(counts).and_then(|(_, counts)| self.sample(counts));
        let z = target.confidence.as_ref().map(|confidence| normal_quantile(confidence.to_f64()));
        GateResult {
            gate: gate.id.clone(),
            place: gate.place.clone(),
            metric: gate.metric_name.clone(),
            average: gate.average,
            slice: self.slice.clone(),
            severity: gate.severity,
            verdict,
            effect,
            cause: part.cause,
            reason: part.reason,
            listed: slice.map_or_else(Default::default, |slice| {
                let listed = slice.listed(&gate.metric, gate.average);
                Listed { value: listed.value.filter(|_| !self.is_undecided(slice)), ..listed }
            }),
            cases: counts.map_or(0, |counts| counts.cases),
            broken: counts.map_or(0, |counts| counts.broken).saturating_add(lost),
            bounds: Bounds::of(target),
            min_samples: target.min_samples,
            confidence: target.confidence.as_ref().map(|confidence| confidence.text.clone()),
            interval: sample.zip(z).map(|(sample, z)| sample.interval(z)),
            range: slice.filter(|_| gate.average == Average::Micro).and_then(|slice| slice.range(&gate.metric)),
            comparisons,
        }
    }

    /// What statistics see; `None` where no test is defined: a count per claim, and the micro f1, which is no ratio of
    /// sums over cases.
    fn sample(&self, counts: &Counts) -> Option<Sample> {
        let is_micro_f1 = self.gate.metric == metric::CITATION_F1 && self.gate.average == Average::Micro;
        let sample = if is_micro_f1 || !self.is_ratio { None } else { Sample::of(counts, self.gate.average) };
        if matches!(self.gate.metric, Metric::FailRate(_)) { sample.map(Sample::complement) } else { sample }
    }

    fn part(
        &self,
        slice: Option<&SliceTally>,
        counts: Option<&Counts>,
        lost: u64,
        (against, comparisons): (&[Against<'_>], &[Compared]),
    ) -> Part {
        let on = &self.gate.on;
        if let Some(part) = self.broken(counts, lost) {
            return part;
        }
        let open = |verdict, reaction, cause, reason| Part { verdict, effect: Effect::from(reaction), cause, reason };
        let Some((slice, counts)) = slice.zip(counts) else {
            return self
                .gone(against)
                .unwrap_or_else(|| open(Verdict::NoData, on.no_data, Cause::NoData, reason::no_slice(self)));
        };
        let value = slice.value(&self.gate.metric, self.gate.average);
        let relative = self.relative(comparisons, value.as_ref());
        let Some(value) = value else {
            let absent = open(Verdict::NoData, on.no_data, Cause::NoData, reason::no_data(self));
            return relative.map_or(absent.clone(), |relative| both(absent, relative));
        };
        let has_absolute = self.target.min.is_some() || self.target.max.is_some();
        if value.samples < self.target.min_samples {
            let reason = reason::too_few(self, &value);
            let few = open(Verdict::Inconclusive, on.too_few, Cause::TooFew, reason);
            return relative.map_or(few.clone(), |relative| both(few, relative));
        }
        let absolute = if has_absolute { self.absolute(&value, counts) } else { None };
        let part = match (absolute, relative) {
            (Some(absolute), Some(relative)) => both(absolute, relative),
            (Some(part), None) | (None, Some(part)) => part,
            (None, None) => open(Verdict::NoData, on.no_data, Cause::NoData, reason::no_bound(self)),
        };
        if self.is_undecided(slice) {
            // No result, and never a better one than the value would have had.
            let effect = part.effect.max(on.no_data.into());
            return Part {
                effect,
                ..open(Verdict::NoData, on.no_data, Cause::NoData, reason::undecided(self, &value))
            };
        }
        part
    }

    /// Whether the gate holds labels, and nobody decided one in the slice.
    fn is_undecided(&self, slice: &SliceTally) -> bool {
        self.gate.metric.rests_on_labels() && slice.decided() == 0
    }

    /// The slice never occurred now, and did in a baseline.
    fn gone(&self, against: &[Against<'_>]) -> Option<Part> {
        let dimension = self.target.slices.dimension()?;
        let found = against.iter().find_map(|against| {
            let paired = compare::paired(against.paired, self.gate, self.slice, dimension.into())?;
            (paired.baseline_cases > 0).then_some((against.name, paired.baseline_cases))
        });
        let (name, cases) = found?;
        Some(Part {
            verdict: Verdict::NoData,
            effect: self.gate.on.missing_slice.into(),
            cause: Cause::MissingSlice,
            reason: reason::missing_slice(self, name, cases),
        })
    }

    /// The gate against all baselines: the worst decides, and all are said. Without a comparison, where the gate asks for
    /// one, there was no baseline at all.
    fn relative(&self, comparisons: &[Compared], value: Option<&Value>) -> Option<Part> {
        if self.target.max_drop.is_none() && self.target.max_rise.is_none() {
            return None;
        }
        let part = |compared: &Compared| Part {
            verdict: compared.verdict,
            effect: compared.effect,
            cause: compared.cause,
            reason: compared.reason.clone(),
        };
        let absent = || Part {
            verdict: Verdict::NoData,
            effect: self.gate.on.missing_baseline.into(),
            cause: Cause::MissingBaseline,
            reason: reason::no_baseline(self, value),
        };
        let mut sorted: Vec<&Compared> = comparisons.iter().collect();
        sorted.sort_by_key(|compared| std::cmp::Reverse(compared.effect));
        Some(sorted.into_iter().map(part).reduce(both).unwrap_or_else(absent))
    }

    /// Whether more evaluations broke than the gate allows. A skipped line or a missing answer could have lain in any
    /// slice and held any subject, so each counts as one broken subject of every gate.
    fn broken(&self, counts: Option<&Counts>, lost: u64) -> Option<Part> {
        let (n, broken, outside) = counts.map_or((0, 0, 0), |counts| (counts.n, counts.broken, counts.broken_outside));
        let broken = broken.saturating_add(lost);
        let share = Value::ratio(broken, n.saturating_add(outside).saturating_add(lost))?;
        let bound = &self.gate.max_broken;
        (share.compare_decimal(&BigUint::from(bound.mantissa), bound.scale).is_gt()).then(|| Part {
            verdict: Verdict::Fail,
            effect: Effect::Fail,
            cause: Cause::Broken,
            reason: reason::broken(self, broken, &share, lost),
        })
    }

    /// The value against `min` and `max`; `None` where the target has neither.
    fn absolute(&self, value: &Value, counts: &Counts) -> Option<Part> {
        let target = self.target;
        let bounds = [(Side::Min, &target.min), (Side::Max, &target.max)];
        let bounds: Vec<(Side, &Bound)> =
            bounds.into_iter().filter_map(|(side, bound)| Some((side, bound.as_ref()?))).collect();
        let sample = self.sample(counts);
        let shown = bounds.iter().map(|(side, bound)| self.against(value, sample.as_ref(), *side, bound));
        let worst = shown.max()?;
        let (verdict, effect, cause) = match worst {
            Shown::Keeps => (Verdict::Pass, Effect::Pass, Cause::Bound),
            Shown::Open => (Verdict::Inconclusive, self.gate.on.inconclusive.into(), Cause::Inconclusive),
            Shown::Breaks => (Verdict::Fail, Effect::Fail, Cause::Bound),
        };
        Some(Part { verdict, effect, cause, reason: reason::bound(self, value, sample.as_ref(), worst) })
    }

    /// The exact value against one bound; with a confidence, only what the sample shows counts.
    fn against(&self, value: &Value, sample: Option<&Sample>, side: Side, bound: &Bound) -> Shown {
        let order = value.compare(bound);
        let keeps = match side {
            Side::Min => order.is_ge(),
            Side::Max => order.is_le(),
        };
        match (&self.target.confidence, sample) {
            (None, _) => statistics::exactly(keeps),
            (Some(_), None) => Shown::Open,
            (Some(confidence), Some(sample)) => statistics::judge(sample, bound.to_f64(), keeps, confidence.to_f64()),
        }
    }
}

/// Two parts of a gate, such as an absolute and a relative bound: the worse one decides, and the other is said too.
fn both(first: Part, second: Part) -> Part {
    let reason = format!("{}; {}", first.reason, second.reason);
    // A part that may pass unjudged leaves the other to decide.
    let decides = if second.effect > first.effect { second } else { first };
    Part { reason, ..decides }
}

/// What a gate's severity makes of its verdict: a warning never fails a run, and a note never even warns.
fn weigh(verdict: Verdict, effect: Effect, severity: Severity) -> (Verdict, Effect) {
    let most = match severity {
        Severity::Error => Effect::Fail,
        Severity::Warning => Effect::Warn,
        Severity::Note => Effect::Pass,
    };
    let verdict = if verdict == Verdict::Fail && most != Effect::Fail { Verdict::Warn } else { verdict };
    (verdict, effect.min(most))
}
