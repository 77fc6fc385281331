//! The confidence bound of a gate (SPEC 7): a one-sided score test of the ratio against its bound, widened by the design
//! effect of cases that hold several subjects, because the claims of one answer are not independent.
//!
//! E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), for the score
//! bound; the design effect is that of the ratio estimator over clusters (L. Kish, "Survey Sampling", 1965, ch. 6).

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::ToPrimitive;

use crate::rules::confidence::{Side, normal_quantile};
use crate::rules::metric::Average;
use crate::tally::Counts;

/// A ratio k/n with its spread over cases, as the test sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Numerator; macro: the sum of the per-case ratios.
    pub k: f64,
    /// Denominator, not 0; macro: the cases.
    pub n: f64,
    /// Design effect: by how much fewer independent subjects would say as much. At least 1.
    pub design_effect: f64,
}

impl Sample {
    /// The sample of a metric whose per-subject values lie between 0 and 1; `None` where there is none, or where the
    /// counts are of no such metric (k > n).
    #[must_use]
    pub fn of(counts: &Counts, average: Average) -> Option<Self> {
        if counts.n == 0 || counts.cases == 0 || counts.k > counts.n {
            return None;
        }
        Some(match average {
            Average::Micro => Self {
                k: counts.k.to_f64()?,
                n: counts.n.to_f64()?,
                design_effect: micro_design_effect(counts)?.max(1.0),
            },
            Average::Macro => {
                let k = fraction(counts.ratios.sum())?;
                let n = counts.cases.to_f64()?;
                Self { k, n, design_effect: macro_design_effect(k, n, fraction(counts.ratios.sum_of_squares())?) }
            }
        })
    }

    /// Whether the sample shows, at one-sided quantile `z`, that the ratio lies on its side of `bound`:
    /// X ≥ Y with X = (k−nb)² and Y = z²·deff·n·b(1−b).
    #[must_use]
    pub fn shows(&self, bound: f64, z: f64) -> bool {
        let distance = self.k - self.n * bound;
        distance * distance >= z * z * self.design_effect * self.n * bound * (1.0 - bound)
    }

    /// The bounds that the sample does not rule out at quantile `z`: every b with X < Y, and so the one-sided lower and
    /// upper limits at that confidence. Between 0 and 1.
    #[must_use]
    pub fn interval(&self, z: f64) -> (f64, f64) {
        let n = self.n / self.design_effect;
        let p = self.k / self.n;
        let square = z * z;
        let middle = p + square / (2.0 * n);
        let reach = z * (p * (1.0 - p) / n + square / (4.0 * n * n)).max(0.0).sqrt();
        let limit = |numerator: f64| (numerator / (1.0 + square / n)).clamp(0.0, 1.0);
        // With all or nothing in the numerator that end of the interval is exact.
        let low = if self.k <= 0.0 { 0.0 } else { limit(middle - reach) };
        let high = if self.k >= self.n { 1.0 } else { limit(middle + reach) };
        (low, high)
    }
}

/// What the test says of a bound, from best to worst. Whether the value keeps the bound is not this module's to say: that is compared
/// exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shown {
    /// Shown to keep the bound.
    Keeps,
    /// Neither.
    Open,
    /// Shown to break it.
    Breaks,
}

/// Without statistics the exact value shows it.
pub(super) const fn exactly(keeps: bool) -> Shown {
    if keeps { Shown::Keeps } else { Shown::Breaks }
}

/// Holds a sample against a bound: `keeps` says whether the exact value keeps it.
#[must_use]
pub fn judge(sample: &Sample, bound: f64, keeps: bool, confidence: f64) -> Shown {
    match (sample.shows(bound, normal_quantile(confidence)), keeps) {
        (false, _) => Shown::Open,
        (true, true) => Shown::Keeps,
        (true, false) => Shown::Breaks,
    }
}

/// The limit of the sample that a bound on this side is held against.
#[must_use]
pub fn limit(sample: &Sample, side: Side, confidence: f64) -> f64 {
    let (low, high) = sample.interval(normal_quantile(confidence));
    match side {
        Side::Min => low,
        Side::Max => high,
    }
}

/// [m/(m−1)·Σ(kᵢ−p̂nᵢ)²]/[n·p̂(1−p̂)], with p̂ = K/N. In whole numbers up to the last step:
/// m·(N²Σk² − 2KNΣkn + K²Σn²) / ((m−1)·N·K·(N−K)). Where p̂ is 0 or 1, or there is one case alone, the spread over cases
/// is not seen and every case counts as one subject: n/m.
fn micro_design_effect(counts: &Counts) -> Option<f64> {
    let (k, n, m) = (BigInt::from(counts.k), BigInt::from(counts.n), BigInt::from(counts.cases));
    let (numerator, denominator) = if counts.k == 0 || counts.k == counts.n || counts.cases < 2 {
        (n, m)
    } else {
        let spread = &n * &n * counts.kk - &k * &n * counts.kn * 2 + &k * &k * counts.nn;
        (&m * spread, (&m - 1) * &n * &k * (&n - &k))
    };
    Ratio::new(numerator, denominator).to_f64()
}

/// The same of per-case ratios rᵢ, each of which is one subject: kᵢ = rᵢ, nᵢ = 1. `k` is Σr, `m` the cases, `squares` Σr².
fn macro_design_effect(k: f64, m: f64, squares: f64) -> f64 {
    let p = k / m;
    let variance = m * p * (1.0 - p);
    if variance <= 0.0 || m < 2.0 {
        return 1.0;
    }
    (m / (m - 1.0) * (squares - m * p * p) / variance).max(1.0)
}

fn fraction((numerator, denominator): (num_bigint::BigUint, num_bigint::BigUint)) -> Option<f64> {
    Ratio::new(BigInt::from(numerator), BigInt::from(denominator)).to_f64()
}
