//! The value of a metric in a slice: an exact fraction, up to the last step.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint};
use num_rational::Ratio;
use num_traits::{ToPrimitive, Zero};

use super::{Counts, SliceTally};
use crate::rules::metric::{self, Average, Metric};
use crate::rules::policy::Bound;

/// An exact value with the size of the sample behind it. Its denominator is never 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    numerator: BigUint,
    denominator: BigUint,
    /// The denominator of the metric: claims, citations, …; of a macro average, the cases; of the micro f1, the smaller
    /// of its two denominators.
    pub samples: u64,
    /// Cases with a denominator.
    pub cases: u64,
}

impl SliceTally {
    /// The value of a metric; `None` where its denominator is 0 (`no_data`).
    #[must_use]
    pub fn value(&self, metric: &Metric, average: Average) -> Option<Value> {
        let counts = self.counts(metric)?;
        match average {
            Average::Macro => Value::of_cases(counts),
            Average::Micro if *metric == metric::CITATION_F1 => {
                Value::f1(self.counts(&metric::CITATION_PRECISION)?, self.counts(&metric::CITATION_RECALL)?)
            }
            Average::Micro => Value::new(counts.k.into(), counts.n.into(), counts.n, counts.cases),
        }
        .map(|value| if matches!(metric, Metric::FailRate(_)) { value.complement() } else { value })
    }

    /// How many of its cited verifiable claims somebody decided.
    #[must_use]
    pub fn decided(&self) -> u64 {
        self.counts(&metric::UNDECIDED_RATE).map_or(0, |counts| counts.n.saturating_sub(counts.k))
    }

    /// How many subjects of the metric were undecided, for the metrics that an undecided claim holds down: with all of
    /// them supported, the value would be (K + this) / N.
    #[must_use]
    pub fn undecided(&self, metric: &Metric) -> Option<u64> {
        let is_held_down = *metric == metric::CITATION_CORRECTNESS || *metric == metric::SUPPORTED_AND_CITED;
        is_held_down.then(|| self.counts(&metric::UNDECIDED_RATE).map_or(0, |counts| counts.k))
    }
}

impl Value {
    fn new(numerator: BigUint, denominator: BigUint, samples: u64, cases: u64) -> Option<Self> {
        (!denominator.is_zero()).then_some(Self { numerator, denominator, samples, cases })
    }

    /// 1 − the value, of a value of at most 1.
    fn complement(self) -> Self {
        let rest = BigInt::from(self.denominator.clone()) - BigInt::from(self.numerator);
        Self { numerator: rest.to_biguint().unwrap_or_default(), ..self }
    }

    /// The mean of kᵢ/nᵢ over the cases with a denominator.
    fn of_cases(counts: &Counts) -> Option<Self> {
        let (sum, denominator) = counts.ratios.sum();
        Value::new(sum, denominator * counts.cases, counts.cases, counts.cases)
    }

    /// 2PR/(P+R) of P = a/b and R = c/d: 2ac / (ad + cb), and 0 where both are 0.
    fn f1(precision: &Counts, recall: &Counts) -> Option<Self> {
        let (a, b, c, d) = (precision.k, precision.n, recall.k, recall.n);
        if b == 0 || d == 0 {
            return None;
        }
        let denominator = BigUint::from(a) * d + BigUint::from(c) * b;
        let denominator = if denominator.is_zero() { BigUint::from(1u8) } else { denominator };
        Value::new(BigUint::from(a) * c * 2u8, denominator, b.min(d), precision.cases.min(recall.cases))
    }

    /// Numerator and denominator in lowest terms, as far as 64 bits hold them; a denominator that they do not hold is
    /// listed as the largest number that they do.
    pub(super) fn lowest_terms(&self) -> (Option<u64>, u64) {
        let ratio = Ratio::new(BigInt::from(self.numerator.clone()), BigInt::from(self.denominator.clone()));
        match (ratio.numer().to_u64(), ratio.denom().to_u64()) {
            (Some(numerator), Some(denominator)) => (Some(numerator), denominator),
            _ => (None, u64::MAX),
        }
    }

    /// Numerator and denominator as they were counted, where 64 bits hold them.
    #[must_use]
    pub fn counts(&self) -> Option<(u64, u64)> {
        self.numerator.to_u64().zip(self.denominator.to_u64())
    }

    /// k/n of counts, for display; `None` where n is 0.
    #[must_use]
    pub fn ratio(k: u64, n: u64) -> Option<Self> {
        Value::new(k.into(), n.into(), n, 0)
    }

    /// Compares with a bound, exactly: numerator · 10^scale against mantissa · denominator.
    #[must_use]
    pub fn compare(&self, bound: &Bound) -> Ordering {
        self.compare_decimal(&BigUint::from(bound.mantissa), bound.scale)
    }

    /// Compares two values, exactly.
    #[must_use]
    pub fn compare_value(&self, other: &Value) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }

    /// Compares with mantissa · 10^−scale, exactly.
    pub(crate) fn compare_decimal(&self, mantissa: &BigUint, scale: u32) -> Ordering {
        let ten = BigUint::from(10u8);
        (&self.numerator * ten.pow(scale)).cmp(&(mantissa * &self.denominator))
    }

    /// The value times 10^digits, rounded half up, and whether nothing was lost by it.
    pub(crate) fn scaled(&self, digits: u32) -> (BigUint, bool) {
        let scaled = &self.numerator * BigUint::from(10u8).pow(digits);
        let is_exact = (&scaled % &self.denominator).is_zero();
        ((scaled * 2u8 + &self.denominator) / (&self.denominator * 2u8), is_exact)
    }

    /// The nearest double; for statistics and for `value` in files, never for a comparison. Finite.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        let ratio = Ratio::new_raw(BigInt::from(self.numerator.clone()), BigInt::from(self.denominator.clone()));
        ratio.to_f64().filter(|value| value.is_finite()).unwrap_or(f64::MAX)
    }
}
