//! A metric held against a baseline (SPEC 7): how much it dropped, exactly, and what the paired cases show of it.
//!
//! Everything is worked out from a histogram of (k, n, k′, n′) over the cases that both sides hold with the same question,
//! unprimed = baseline. Histograms of parts of a dataset add up, so that any partition gives the same result. A case is what is
//! independent, never a claim: the claims of one answer rise and fall together.
//!
//! Two questions are asked, and they are different ones. *Did anything get worse at all?* is a test of "baseline and now are
//! exchangeable within each case" by sign flips of whole cases ([`Tested::p`]). *How large could the drop be?* is a
//! confidence limit ([`Tested::reach`]). A gate fails only where the drop is over the bound and the first question is answered
//! with yes, and passes only where the second one is answered with "no larger than the bound".

mod cases;
mod exact;
mod flips;
mod random;
#[cfg(test)]
mod simulation;
mod spread;
#[cfg(test)]
mod tests;

use std::fmt;

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::ToPrimitive;

pub use random::{FLIPS, SEED};

use super::statistics::Shown;
use crate::rules::metric::{Average, Direction};
use crate::rules::policy::Bound;
use crate::tally::Ratios;
use crate::tally::paired::Histogram;

/// An exact value.
pub type Exact = Ratio<BigInt>;

/// Comparisons of floating-point probabilities count a difference in the last digits as none, so that p = 0.05 is not missed
/// at a level of 0.05.
const ROUNDING: f64 = 1.0 + 1e-12;

/// The paired cases of one metric in one slice.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'h> {
    /// How many cases have each counts [k, n, k′, n′], unprimed = baseline.
    pub pairs: &'h Histogram,
    /// How they are put together. Macro: a case counts by its ratio, k := k/n and n := 1 where n > 0, else 0.
    pub average: Average,
    /// Which way is better. Where neither is, as where higher is.
    pub direction: Direction,
}

impl Comparison<'_> {
    /// The values on both sides over the paired cases; `None` where a denominator is 0.
    #[must_use]
    pub fn change(&self) -> Option<Change> {
        let baseline = self.value(|[k, n, _, _]| (k, n))?;
        let now = self.value(|[_, _, k, n]| (k, n))?;
        Some(Change::between(baseline, now, self.direction))
    }

    fn value(&self, side: impl Fn([u64; 4]) -> (u64, u64)) -> Option<Exact> {
        let cases = self.pairs.iter().map(|(&pair, &count)| (side(pair), count));
        let (numerator, denominator) = match self.average {
            Average::Micro => cases.fold((BigInt::ZERO, BigInt::ZERO), |(numerator, denominator), ((k, n), count)| {
                (numerator + BigInt::from(k) * count, denominator + BigInt::from(n) * count)
            }),
            Average::Macro => {
                let mut ratios = Ratios::default();
                let mut measured = BigInt::ZERO;
                for ((k, n), count) in cases.filter(|&((_, n), _)| n > 0) {
                    ratios.add_many(k, n, count);
                    measured += count;
                }
                let (sum, denominator) = ratios.sum();
                (BigInt::from(sum), BigInt::from(denominator) * measured)
            }
        };
        (denominator != BigInt::ZERO).then(|| Ratio::new(numerator, denominator))
    }
}

/// The value of a metric in the baseline and now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// In the baseline.
    pub baseline: Exact,
    /// Now.
    pub now: Exact,
    /// By how much it got worse: a drop of a higher-is-better metric, a rise of a lower-is-better one. Negative where it got
    /// better.
    pub drop: Exact,
}

impl Change {
    /// The change between two values, for metrics that are no ratio of sums over cases, such as the micro f1.
    #[must_use]
    pub fn between(baseline: Exact, now: Exact, direction: Direction) -> Self {
        let drop = match direction {
            Direction::Higher | Direction::Neither => &baseline - &now,
            Direction::Lower => &now - &baseline,
        };
        Self { baseline, now, drop }
    }

    /// The drop that a bound allows: the bound itself, or with `relative` that share of the baseline's value.
    #[must_use]
    pub fn allowed(&self, bound: &Bound, relative: bool) -> Exact {
        let bound = Ratio::new(BigInt::from(bound.mantissa), BigInt::from(10u8).pow(bound.scale));
        if relative { bound * &self.baseline } else { bound }
    }

    /// Whether the drop is more than the bound allows, compared exactly. A drop that is as large as the bound does not exceed
    /// it.
    #[must_use]
    pub fn exceeds(&self, bound: &Bound, relative: bool) -> bool {
        self.drop > self.allowed(bound, relative)
    }
}

/// How a p was come by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// All sign flips, exactly.
    Exact,
    /// This many random flips, drawn from this seed: the same ones on every machine.
    Flips {
        /// Number of flips.
        flips: u32,
        /// Seed of the generator.
        seed: u64,
    },
    /// There are more cases than flips are worth drawing for: an upper limit of p (Hoeffding's inequality).
    Limit,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Exact => f.write_str("all sign flips, exactly"),
            Method::Flips { flips, seed } => write!(f, "{flips} sign flips, seed {seed}"),
            Method::Limit => f.write_str("an upper limit (Hoeffding)"),
        }
    }
}

/// What the paired cases show, at one confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tested {
    /// 1 − c: how often at most a gate may fail where nothing got worse.
    pub alpha: f64,
    /// One-sided: how often a drop at least this large would come about if it were chance alone which of a case's two results is
    /// the baseline's. Between 0 and 1.
    pub p: f64,
    /// The least p that any outcome could have had with these changes: 2^−changed, and not less than the flips can show.
    /// Where it is over [`alpha`](Self::alpha), no drop could have been shown.
    pub least_p: f64,
    /// How p was come by.
    pub method: Method,
    /// m: paired cases that have a denominator on either side.
    pub cases: u64,
    /// Cases that changed: eᵢ ≠ 0. Only these say something of p.
    pub changed: u64,
    /// Whether any paired case got worse: it pulls the value down (eᵢ > 0), its own ratio is worse, or it had a denominator and
    /// has none any more.
    pub any_lost: bool,
    /// The drop (positive = worse), as the nearest double.
    pub drop: f64,
    /// √V: standard error of the drop over cases; `None` with one case alone.
    pub standard_error: Option<f64>,
    /// By how much the true drop may be larger than the one seen, at this confidence: max(t·√V, 1 − (1−c)^(1/m)). `None` with one
    /// case alone, which says nothing of others.
    pub reach: Option<f64>,
    /// The least true drop that data like these would show four times in five. Between 0 and 1.
    pub smallest_detectable: f64,
}

impl Comparison<'_> {
    /// Tests the drop at a one-sided confidence; `None` where a denominator is 0.
    #[must_use]
    pub fn test(&self, confidence: &Bound) -> Option<Tested> {
        let change = self.change()?;
        let alpha = alpha(confidence);
        let losses = cases::losses(self);
        let tail = flips::tail(&losses);
        let spread = spread::of(self, alpha)?;
        Some(Tested {
            alpha,
            p: tail.p,
            least_p: tail.least,
            method: tail.method,
            cases: spread.cases,
            changed: losses.changed(),
            any_lost: losses.any_worse,
            drop: to_f64(&change.drop),
            standard_error: spread.standard_error,
            reach: spread.reach,
            smallest_detectable: spread.smallest_detectable,
        })
    }
}

impl Tested {
    /// The largest true drop that the cases do not rule out; `None` with one case alone.
    #[must_use]
    pub fn upper_limit(&self) -> Option<f64> {
        self.reach.map(|reach| self.drop + reach)
    }

    /// Whether so few cases changed that no outcome could have been shown to be a drop.
    #[must_use]
    pub fn is_powerless(&self) -> bool {
        self.least_p > self.alpha * ROUNDING
    }
}

/// 1 − c, the nearest double to the exact difference: 0.05 of 0.95, not 0.050000000000000044.
fn alpha(confidence: &Bound) -> f64 {
    let one = 10u128.saturating_pow(confidence.scale);
    let rest = Ratio::new(BigInt::from(one) - confidence.mantissa, BigInt::from(one));
    to_f64(&rest).clamp(0.0, 1.0)
}

/// The nearest double. Finite.
fn to_f64(value: &Exact) -> f64 {
    value.to_f64().filter(|value| value.is_finite()).unwrap_or(f64::MAX)
}

/// Adjusts the p of the slices of one gate for their number, so that a gate on twenty slices fails no more often by chance than a
/// gate on one (S. Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6, 1979): with the p ascending,
/// the j-th of s becomes max over i ≤ j of (s−i+1)·pᵢ, at most 1.
///
/// Each slice is given as (p, least p). Slices whose least p is over `alpha` could not have been significant whatever happened,
/// are not counted among the s and keep their own p (R. E. Tarone, "A modified Bonferroni method for discrete data",
/// Biometrics 46, 1990): the least p depends on how many cases changed and not on which way. Same order as `slices`.
#[must_use]
pub fn holm(slices: &[(f64, f64)], alpha: f64) -> Vec<f64> {
    let mut adjusted: Vec<f64> = slices.iter().map(|&(p, _)| p).collect();
    let mut able: Vec<(f64, usize)> = slices
        .iter()
        .enumerate()
        .filter(|(_, (_, least))| *least <= alpha * ROUNDING)
        .map(|(index, &(p, _))| (p, index))
        .collect();
    able.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut largest = 0.0f64;
    for (rank, &(p, index)) in able.iter().enumerate() {
        largest = largest.max((p * count(able.len() - rank)).min(1.0));
        if let Some(slot) = adjusted.get_mut(index) {
            *slot = largest;
        }
    }
    adjusted
}

/// What the cases show of a bound on the drop: `adjusted` is the [`holm`] p of this slice among those of its gate.
///
/// [`Breaks`](Shown::Breaks) iff the drop exceeds the bound exactly and `adjusted` ≤ 1 − c. [`Keeps`](Shown::Keeps) iff the drop does
/// not exceed the bound and no paired case got worse, or drop + reach is within the bound. Else [`Open`](Shown::Open).
/// Without a confidence there is nothing to show: the drop fails iff it [exceeds](Change::exceeds) the bound.
#[must_use]
pub fn judge(change: &Change, bound: &Bound, relative: bool, tested: &Tested, adjusted: f64) -> Shown {
    let exceeds = change.exceeds(bound, relative);
    if exceeds && adjusted <= tested.alpha * ROUNDING {
        return Shown::Breaks;
    }
    let allowed = to_f64(&change.allowed(bound, relative));
    let within = tested.upper_limit().is_some_and(|limit| limit <= allowed);
    if !exceeds && (!tested.any_lost || within) { Shown::Keeps } else { Shown::Open }
}

#[allow(clippy::cast_precision_loss, reason = "counts of slices and cases; beyond 2^53 the nearest double does")]
fn count(count: usize) -> f64 {
    count as f64
}
