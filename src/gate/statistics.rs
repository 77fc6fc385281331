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

    /// The sample of 1 − the ratio, which has the same spread.
    #[must_use]
    pub fn complement(self) -> Self {
        Self { k: self.n - self.k, ..self }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::Contribution;

    fn counts(cases: &[(u64, u64)]) -> Counts {
        let mut counts = Counts::default();
        for &(k, n) in cases {
            counts.add(Contribution { k, n, ..Contribution::default() });
        }
        counts
    }

    fn sample(cases: &[(u64, u64)]) -> Sample {
        Sample::of(&counts(cases), Average::Micro).expect("there are counts")
    }

    fn repeat(case: (u64, u64), times: usize) -> Vec<(u64, u64)> {
        vec![case; times]
    }

    /// The design effect, with one-sided 0.95 and bounds that leave it open or not.
    #[test]
    fn design_effects_are_those_of_the_definition() {
        let clustered = [repeat((4, 4), 9), vec![(0, 4)]].concat();
        for (cases, expected) in [
            // p̂ = 4/9: Σ(k−p̂n)² = (1/9)² + (5/3)² + (16/9)² = 482/81; · 3/2 = 241/27; over 9·(4/9)(5/9) = 20/9.
            (vec![(1, 2), (3, 3), (0, 4)], 241.0 / 60.0),
            // p̂ = 0.9: nine cases of 0.4² and one of 3.6² = 14.4; · 10/9 = 16; over 40·0.9·0.1 = 3.6.
            (clustered, 40.0 / 9.0),
            // One claim per case: m/(m−1).
            ([repeat((1, 1), 18), repeat((0, 1), 2)].concat(), 20.0 / 19.0),
            // Cases more alike than chance would have them: never under 1.
            (repeat((1, 2), 10), 1.0),
            // All or nothing, or one case alone: n/m.
            (repeat((4, 4), 13), 4.0),
            (repeat((0, 3), 5), 3.0),
            (vec![(2, 5)], 5.0),
            (vec![(1, 1)], 1.0),
        ] {
            let effect = sample(&cases).design_effect;
            assert!((effect - expected).abs() < 1e-12, "{cases:?}: {effect}, expected {expected}");
        }
    }

    #[test]
    fn the_least_sample_that_shows_a_bound_is_the_one_of_the_table() {
        let z = normal_quantile(0.95);
        for (bound, least) in [(0.95, 52), (0.99, 268)] {
            assert!(sample(&repeat((1, 1), least)).shows(bound, z));
            assert!(!sample(&repeat((1, 1), least - 1)).shows(bound, z));
        }
    }

    #[test]
    fn the_interval_holds_exactly_the_bounds_that_are_not_ruled_out() {
        let z = normal_quantile(0.95);
        // 45 of 50 independent: Wilson's one-sided 95 % limits, 0.808462 and 0.950471.
        let plain = Sample { k: 45.0, n: 50.0, design_effect: 1.0 };
        let (low, high) = plain.interval(z);
        assert!((low - 0.808_462_485_848_429).abs() < 1e-9 && (high - 0.950_470_965_522_555).abs() < 1e-9);
        for sample in [plain, sample(&[(1, 2), (3, 3), (0, 4)]), sample(&repeat((2, 2), 9)), sample(&[(0, 7), (1, 2)])]
        {
            let (low, high) = sample.interval(z);
            assert!(0.0 <= low && low <= sample.k / sample.n && sample.k / sample.n <= high && high <= 1.0);
            for (inside, outside) in [(low + 1e-9, low - 1e-9), (high - 1e-9, high + 1e-9)] {
                assert!(!sample.shows(inside, z) || !(0.0..1.0).contains(&inside));
                assert!(sample.shows(outside, z) || !(0.0..=1.0).contains(&outside));
            }
        }
    }

    #[test]
    fn macro_samples_are_cases() {
        // r = 1/2, 1, 0: Σr = 3/2, Σr² = 5/4, p̂ = 1/2: 3/2·(5/4 − 3/4)/(3/4) = 1.
        let mean = Sample::of(&counts(&[(1, 2), (3, 3), (0, 4)]), Average::Macro).expect("there are counts");
        assert!((mean.k - 1.5).abs() < 1e-12 && (mean.n - 3.0).abs() < 1e-12);
        assert!((mean.design_effect - 1.0).abs() < 1e-12);
        // All or nothing per case: m/(m−1) as of one claim per case.
        let all = Sample::of(&counts(&[(2, 2), (0, 2), (0, 5)]), Average::Macro).expect("there are counts");
        assert!((all.design_effect - 1.5).abs() < 1e-12);
    }

    #[test]
    fn there_is_no_sample_of_nothing_or_of_counts_over_one() {
        assert_eq!(Sample::of(&Counts::default(), Average::Micro), None);
        assert_eq!(Sample::of(&counts(&[(3, 2)]), Average::Micro), None);
        assert_eq!(Sample::of(&counts(&[(0, 0)]), Average::Macro), None);
    }
}
