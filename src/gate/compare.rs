//! One gate against one baseline, on each of its slices.

#[cfg(test)]
mod tests;

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::ToPrimitive;

use super::drop::{self, Change, Comparison, Exact, Tested};
use super::judge::Subject;
use super::statistics::Shown;
use super::{Against, Cause, Compared, Effect, Verdict, reason};
use crate::rules::metric::{self, Average, Direction, Metric};
use crate::rules::policy::{Bound, Gate, Reaction};
use crate::tally::SliceKey;
use crate::tally::paired::{Paired, PairedTally, Wanted};

/// What a policy's gates look at in a comparison: every slice of every gate, so that a slice that is gone is seen even by
/// a gate that only bounds the value itself.
#[must_use]
pub fn wanted(gates: &[Gate]) -> Vec<Wanted> {
    let of_gate = |gate: &Gate| {
        let parts = if is_micro_f1(gate) {
            vec![metric::CITATION_PRECISION, metric::CITATION_RECALL]
        } else {
            vec![gate.metric.clone()]
        };
        let dimensions: Vec<Option<usize>> = gate.targets.iter().map(|target| target.slices.dimension()).collect();
        let of_baseline = gate.membership_of_baseline;
        parts.into_iter().flat_map(move |metric| {
            let of = move |dimension| Wanted { metric: metric.clone(), dimension, membership_of_baseline: of_baseline };
            dimensions.clone().into_iter().map(of)
        })
    };
    gates.iter().flat_map(of_gate).collect()
}

/// Whether the gate's value is no ratio of sums over cases.
pub(super) fn is_micro_f1(gate: &Gate) -> bool {
    gate.metric == metric::CITATION_F1 && gate.average == Average::Micro
}

/// The values of a dimension in which the baseline has cases for a gate.
pub(super) fn values_of_baseline<'p>(against: &Against<'p>, gate: &Gate, dimension: usize) -> Vec<&'p str> {
    let metric = if is_micro_f1(gate) { metric::CITATION_PRECISION } else { gate.metric.clone() };
    let wanted = Wanted { metric, dimension: Some(dimension), membership_of_baseline: gate.membership_of_baseline };
    let slices = against.paired.slices(&wanted).into_iter().flatten();
    slices.filter(|(_, paired)| paired.baseline_cases > 0).map(|(value, _)| value.as_str()).collect()
}

/// The slice of a gate's metric in a comparison; of a micro f1 that of precision.
pub(super) fn paired<'p>(
    paired: &'p PairedTally,
    gate: &Gate,
    slice: &SliceKey,
    dimension: Option<usize>,
) -> Option<&'p Paired> {
    let metric = if is_micro_f1(gate) { metric::CITATION_PRECISION } else { gate.metric.clone() };
    of(paired, gate, metric, slice, dimension)
}

fn of<'p>(
    paired: &'p PairedTally,
    gate: &Gate,
    metric: Metric,
    slice: &SliceKey,
    dimension: Option<usize>,
) -> Option<&'p Paired> {
    let value = match slice {
        SliceKey::Overall => "",
        SliceKey::Value { value, .. } => value,
    };
    let wanted = Wanted { metric, dimension, membership_of_baseline: gate.membership_of_baseline };
    paired.slices(&wanted)?.get(value)
}

/// What the paired cases say of one slice, before the slices of the gate are looked at together.
struct Measured<'p> {
    paired: Option<&'p Paired>,
    change: Option<Change>,
    tested: Option<Tested>,
}

/// Holds a gate against one baseline on each of its slices, in their order; `None` for those without a bound on a drop or
/// rise.
pub(super) fn gate(subjects: &[Subject<'_>], against: &Against<'_>) -> Vec<Option<Compared>> {
    let measured: Vec<Measured<'_>> = subjects.iter().map(|subject| measure(subject, against)).collect();
    let tests = measured.iter().filter_map(|slice| slice.tested.as_ref());
    // Slices may differ in confidence: each is asked by its own whether it could have shown anything.
    let able: Vec<(f64, f64)> =
        tests.clone().map(|tested| (tested.p, if tested.is_powerless() { 1.0 } else { 0.0 })).collect();
    let tested_slices = able.iter().filter(|(_, least)| *least < 1.0).count();
    let mut adjusted = drop::holm(&able, 0.5).into_iter();
    let judged = subjects.iter().zip(&measured).map(|(subject, slice)| {
        let adjusted = slice.tested.as_ref().and_then(|_| adjusted.next());
        let (bound, direction) = bound(subject)?;
        Some(Scene { subject, against, slice, bound, direction, adjusted, tested_slices }.compared())
    });
    judged.collect()
}

/// The bound of a slice on a change for the worse.
fn bound<'s>(subject: &Subject<'s>) -> Option<(&'s Bound, Direction)> {
    let target = subject.target;
    let drop = target.max_drop.as_ref().map(|bound| (bound, Direction::Higher));
    drop.or_else(|| target.max_rise.as_ref().map(|bound| (bound, Direction::Lower)))
}

fn measure<'p>(subject: &Subject<'_>, against: &Against<'p>) -> Measured<'p> {
    let none = Measured { paired: None, change: None, tested: None };
    let Some((_, direction)) = bound(subject) else { return none };
    let dimension = subject.target.slices.dimension();
    let Some(paired) = paired(against.paired, subject.gate, subject.slice, dimension) else { return none };
    if is_micro_f1(subject.gate) {
        let change = micro_f1(subject, against, dimension, direction);
        return Measured { paired: Some(paired), change, tested: None };
    }
    let comparison = Comparison { pairs: &paired.pairs, average: subject.gate.average, direction };
    let tested = subject.target.confidence.as_ref().and_then(|confidence| comparison.test(confidence));
    Measured { paired: Some(paired), change: comparison.change(), tested }
}

/// The micro f1 of both sides over the paired cases, 2ac/(ad+cb) of precision a/b and recall c/d.
fn micro_f1(
    subject: &Subject<'_>,
    against: &Against<'_>,
    dimension: Option<usize>,
    direction: Direction,
) -> Option<Change> {
    let sums = |metric: Metric| {
        let slice = of(against.paired, subject.gate, metric, subject.slice, dimension)?;
        let mut sums = [BigInt::ZERO, BigInt::ZERO, BigInt::ZERO, BigInt::ZERO];
        for (counts, &cases) in &slice.pairs {
            sums.iter_mut().zip(counts).for_each(|(sum, &count)| *sum += BigInt::from(count) * cases);
        }
        Some(sums)
    };
    let [a, b, a_now, b_now] = sums(metric::CITATION_PRECISION)?;
    let [c, d, c_now, d_now] = sums(metric::CITATION_RECALL)?;
    let f1 = |a: BigInt, b: BigInt, c: BigInt, d: BigInt| -> Option<Exact> {
        let zero = BigInt::ZERO;
        if b == zero || d == zero {
            return None;
        }
        let denominator = &a * &d + &c * &b;
        Some(if denominator == zero { Ratio::from_integer(zero) } else { Ratio::new(a * c * 2, denominator) })
    };
    Some(Change::between(f1(a, b, c, d)?, f1(a_now, b_now, c_now, d_now)?, direction))
}

/// A slice with everything that its comparison takes.
pub(super) struct Scene<'s, 'p> {
    pub subject: &'s Subject<'s>,
    pub against: &'s Against<'p>,
    slice: &'s Measured<'p>,
    pub bound: &'s Bound,
    pub direction: Direction,
    /// p, adjusted for the number of slices.
    pub adjusted: Option<f64>,
    /// Slices of the gate that could have shown something.
    pub tested_slices: usize,
}

/// One thing that a comparison says.
struct Said {
    verdict: Verdict,
    effect: Effect,
    cause: Cause,
    reason: String,
}

impl Scene<'_, '_> {
    fn compared(&self) -> Compared {
        let said = self.said();
        // The worst decides; of equals the first. What is behind the others is said too.
        let worst = said.iter().enumerate().max_by(|(i, a), (j, b)| a.effect.cmp(&b.effect).then(j.cmp(i)));
        let (verdict, effect, cause) = worst.map_or((Verdict::NoData, Effect::Fail, Cause::NoData), |(_, said)| {
            (said.verdict, said.effect, said.cause)
        });
        let reasons: Vec<String> = said.into_iter().map(|said| said.reason).collect();
        let paired = self.slice.paired;
        let double = |value: &Exact| value.to_f64().filter(|value| value.is_finite());
        let change = self.slice.change.as_ref();
        let tested = self.slice.tested.as_ref();
        Compared {
            baseline: self.against.name.to_owned(),
            verdict,
            effect,
            cause,
            reason: reasons.join("; "),
            before: change.and_then(|change| double(&change.baseline)),
            now: change.and_then(|change| double(&change.now)),
            drop: change.and_then(|change| double(&change.drop)),
            counts: self.counts(),
            paired_cases: paired
                .map_or(0, |paired| paired.pairs.values().fold(0, |sum: u64, cases| sum.saturating_add(*cases))),
            removed: paired.map_or(0, |paired| paired.removed),
            added: paired.map_or(0, |paired| paired.added),
            changed: paired.map_or(0, |paired| paired.changed),
            p: tested.map(|tested| tested.p),
            adjusted_p: self.adjusted,
            method: tested.map(|tested| tested.method),
            smallest_detectable: tested.map(|tested| tested.smallest_detectable),
        }
    }

    /// Sums over the paired cases, [K, N, K′, N′]; of a micro average alone, and of a micro f1 not.
    fn counts(&self) -> Option<[u64; 4]> {
        let has_sums = self.subject.gate.average == Average::Micro && !is_micro_f1(self.subject.gate);
        let paired = self.slice.paired.filter(|_| has_sums)?;
        let mut sums = [0u64; 4];
        for (counts, &cases) in &paired.pairs {
            let add = |(sum, &count): (&mut u64, &u64)| *sum = sum.saturating_add(count.saturating_mul(cases));
            sums.iter_mut().zip(counts).for_each(add);
        }
        Some(sums)
    }

    fn said(&self) -> Vec<Said> {
        let on = &self.subject.gate.on;
        let mut said = Vec::new();
        let say = |verdict, effect: Effect, cause, reason| Said { verdict, effect, cause, reason };
        if let Some(why) = &self.against.missing {
            said.push(self.missing(why));
            if self.slice.paired.is_none_or(|paired| paired.baseline_cases == 0) {
                return said;
            }
        }
        if let Some(why) = &self.against.refused {
            let reason = reason::refused(self.subject, self.against.name, why);
            said.push(say(Verdict::NoData, Effect::Fail, Cause::Mismatch, reason));
            return said;
        }
        let dimension = self.subject.target.slices.dimension();
        if dimension.is_some_and(|dimension| self.against.unknown_dimensions.contains(&dimension)) {
            said.push(self.missing("the baseline does not know this slice; bless a run that was made with it"));
            return said;
        }
        let Some(paired) = self.slice.paired.filter(|paired| paired.baseline_cases > 0) else {
            let effect = Effect::from(on.missing_baseline).min(Effect::Warn);
            let reason = reason::new_slice(self.subject, self.against.name);
            said.push(say(Verdict::NoData, effect, Cause::NewSlice, reason));
            return said;
        };
        if paired.is_gone() {
            let reason = reason::missing_slice(self.subject, self.against.name, paired.baseline_cases);
            said.push(say(Verdict::NoData, on.missing_slice.into(), Cause::MissingSlice, reason));
            return said;
        }
        if paired.removed > 0 && on.removed_cases != Reaction::Pass {
            let reason = reason::removed(self.subject, paired);
            said.push(say(Verdict::Fail, on.removed_cases.into(), Cause::RemovedCases, reason));
        }
        if exceeds(paired.changed, paired.baseline_cases, self.against.max_changed) {
            let reason = reason::changed_questions(self.subject, paired, self.against.max_changed);
            said.push(say(Verdict::Fail, Effect::Fail, Cause::ChangedQuestions, reason));
        }
        said.push(self.dropped());
        let (counted, emptied) = paired.emptied();
        if self.slice.change.is_some() && exceeds(emptied, counted, self.against.max_changed) {
            // What is refused or not cited any more has no value that could drop. Of coverage, labels and scores it is as good
            // as removed; a rule or check may well have nothing to say of another answer.
            let reason = reason::emptied(counted, emptied);
            said.push(if self.subject.gate.metric.entry().is_some_and(|entry| entry.always_listed) {
                say(Verdict::Fail, on.removed_cases.into(), Cause::EmptiedCases, reason)
            } else {
                say(Verdict::Inconclusive, on.inconclusive_drop.into(), Cause::EmptiedCases, reason)
            });
        }
        said
    }

    fn missing(&self, why: &str) -> Said {
        let reason = reason::missing_baseline(self.subject, self.bound, self.direction, why);
        let effect = self.subject.gate.on.missing_baseline.into();
        Said { verdict: Verdict::NoData, effect, cause: Cause::MissingBaseline, reason }
    }

    fn dropped(&self) -> Said {
        let Some(change) = &self.slice.change else {
            let effect = Effect::from(self.subject.gate.on.no_data);
            let reason = reason::nothing_paired(self.subject, self.against.name);
            return Said { verdict: Verdict::NoData, effect, cause: Cause::NoData, reason };
        };
        let relative = self.subject.target.relative;
        let shown = match (&self.subject.target.confidence, &self.slice.tested, self.adjusted) {
            (None, ..) => super::statistics::exactly(!change.exceeds(self.bound, relative)),
            (Some(_), Some(tested), Some(adjusted)) => drop::judge(change, self.bound, relative, tested, adjusted),
            (Some(_), ..) => Shown::Open,
        };
        let (verdict, effect, cause) = match shown {
            Shown::Keeps => (Verdict::Pass, Effect::Pass, Cause::Bound),
            Shown::Open => (Verdict::Inconclusive, self.subject.gate.on.inconclusive_drop.into(), Cause::Inconclusive),
            Shown::Breaks => (Verdict::Fail, Effect::Fail, Cause::Bound),
        };
        let reason = reason::dropped(self, change, self.slice.tested.as_ref(), shown, self.counts());
        Said { verdict, effect, cause, reason }
    }
}

/// Whether part/whole is more than the bound, exactly.
pub(super) fn exceeds(part: u64, whole: u64, bound: &Bound) -> bool {
    let ten = BigInt::from(10u8).pow(bound.scale);
    BigInt::from(part) * ten > BigInt::from(whole) * bound.mantissa
}
