//! Scores of records as the exact ratios that they are.

use crate::rules::policy::Bound;

/// An exact ratio between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Score {
    numerator: u64,
    denominator: u64,
}

impl Score {
    /// The ratio of two counts; `None` where the denominator is 0 or less than the numerator.
    #[must_use]
    pub const fn of_counts(numerator: u64, denominator: u64) -> Option<Self> {
        if denominator == 0 || numerator > denominator { None } else { Some(Self { numerator, denominator }) }
    }

    /// The ratio of two counts that a record holds as the nearest double: the fraction with the smallest denominator whose nearest double
    /// it is. Of counts under 67 million (2²⁶) that is the ratio itself, in lowest terms: two such ratios lie further apart than
    /// doubles do, and each is a convergent of the continued fraction of its double (Legendre's theorem).
    /// `None` for what is not between 0 and 1.
    #[must_use]
    pub fn of_double(score: f64) -> Option<Self> {
        if !(0.0..=1.0).contains(&score) {
            return None;
        }
        // Below 2⁻⁶⁰ it is 0 or less than any bound but 0, which has at most 18 digits.
        if score < f64::from_bits((1023 - 60) << 52) {
            let numerator = u64::from(score > 0.0);
            return Some(Self { numerator, denominator: u64::MAX });
        }
        let (mut high, mut low) = as_fraction(score);
        let ((mut p0, mut q0), (mut p1, mut q1)) = ((0u128, 1u128), (1u128, 0u128));
        while low > 0 {
            let whole = high / low;
            ((p0, q0), (p1, q1)) = ((p1, q1), (whole * p1 + p0, whole * q1 + q0));
            (high, low) = (low, high % low);
            let found = u64::try_from(p1).ok()?;
            let of = u64::try_from(q1).ok()?;
            #[allow(clippy::cast_precision_loss, reason = "the nearest double is what is looked for")]
            if found as f64 / of as f64 == score {
                return Some(Self { numerator: found, denominator: of });
            }
        }
        None
    }

    /// Whether it lies at the bound or above it, exactly.
    #[must_use]
    pub fn reaches(self, bound: &Bound) -> bool {
        u128::from(self.numerator) * 10u128.pow(bound.scale)
            >= u128::from(bound.mantissa) * u128::from(self.denominator)
    }
}

/// A double from 2⁻⁶⁰ to 1 as the fraction that it is.
fn as_fraction(value: f64) -> (u128, u128) {
    let bits = value.to_bits();
    let exponent = i32::try_from(bits >> 52 & 0x7ff).unwrap_or_default() - 1075;
    let mantissa = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
    match u32::try_from(-exponent) {
        Ok(shift) => (mantissa, 1u128 << shift.min(127)),
        Err(_) => (mantissa << exponent.unsigned_abs().min(64), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    #[allow(clippy::cast_precision_loss, reason = "as records do")]
    fn doubles_give_back_the_counts_they_came_from() {
        for (k, n) in
            [(0u64, 1u64), (1, 1), (1, 3), (2, 3), (1, 10), (7, 10), (1, 49), (4_095, 4_096), (999_983, 1_000_003)]
        {
            let score = Score::of_double(k as f64 / n as f64).expect("a score");
            if k > 0 {
                assert_eq!((score.numerator, score.denominator), (k, n));
            }
        }
        for n in 1..=200u64 {
            for k in 1..=n {
                let score = Score::of_double(k as f64 / n as f64).expect("a score");
                assert_eq!(score.numerator * n, score.denominator * k, "{k}/{n}");
            }
        }
    }

    #[test]
    fn scores_compare_exactly() {
        let bound = |text| rules::bound(text).expect("a bound");
        // 7/10 as a double lies below 0.7, 1/10 above 0.1, 1/3 has no decimal.
        let score = |score| Score::of_double(score).expect("a score");
        assert!(score(0.7).reaches(&bound("0.7")) && !score(0.7).reaches(&bound("0.700000000000000001")));
        assert!(score(0.1).reaches(&bound("0.1")) && !score(0.1).reaches(&bound("0.100000000000000001")));
        let third = score(1.0 / 3.0);
        assert!(third.reaches(&bound("0.333333333333333333")) && !third.reaches(&bound("0.333333333333333334")));
        assert!(score(0.0).reaches(&bound("0")) && !score(0.0).reaches(&bound("0.000000000000000001")));
        assert!(
            score(f64::MIN_POSITIVE).reaches(&bound("0")) && !score(1e-300).reaches(&bound("0.000000000000000001"))
        );
        assert!(score(1.0).reaches(&bound("1")));
    }

    #[test]
    fn what_is_no_ratio_is_no_score() {
        for value in [-0.1, 1.000_000_1, f64::NAN, f64::INFINITY] {
            assert_eq!(Score::of_double(value), None);
        }
        assert_eq!(Score::of_counts(1, 0), None);
        assert_eq!(Score::of_counts(2, 1), None);
    }
}
