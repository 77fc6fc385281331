//! Bounds on ratios, as the options of checks name them: read exactly as written and compared exactly.

use std::fmt;

use num_traits::ToPrimitive as _;

use crate::diagnostic::{Problem, code};
use crate::yaml::{DecimalText, Located};

/// A bound on a ratio: a decimal between 0 and 1, with at most 18 decimal places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatioBound {
    text: String,
    numerator: u64,
    denominator: u64,
}

impl RatioBound {
    /// Validates the option `key`.
    ///
    /// # Errors
    /// A number below 0, above 1, or with more decimal places than can be compared exactly.
    pub fn new(key: &str, written: &Located<DecimalText>) -> Result<Self, Problem> {
        let value = written.ratio();
        match (value.numer().to_u64(), value.denom().to_u64()) {
            (Some(numerator), Some(denominator)) if numerator <= denominator => {
                Ok(Self { text: written.to_string(), numerator, denominator })
            }
            _ => {
                let float = written.to_f64();
                let help = (float > 1.0 && float <= 100.0).then(|| format!("did you mean {}?", float / 100.0));
                Err(Problem::new(code::BAD_RATIO, format!("`{key}` is not a ratio"))
                    .at(written.span)
                    .found(&written.value, "a ratio between 0 and 1")
                    .help_if(help))
            }
        }
    }

    /// Validates the option `key`, where it is given.
    ///
    /// # Errors
    /// As [`RatioBound::new`]; the problem goes to `problems`.
    pub fn optional(key: &str, written: Option<&Located<DecimalText>>, problems: &mut Vec<Problem>) -> Option<Self> {
        match Self::new(key, written?) {
            Ok(bound) => Some(bound),
            Err(problem) => {
                problems.push(problem);
                None
            }
        }
    }

    /// A bound that is a kind's own default, as `numerator` / `denominator`.
    pub(super) fn of(text: &str, numerator: u64, denominator: u64) -> Self {
        Self { text: text.to_owned(), numerator, denominator }
    }

    /// The bound as an exact ratio.
    pub(super) const fn parts(&self) -> (u64, u64) {
        (self.numerator, self.denominator)
    }

    /// Whether `numerator` / `denominator` lies at the bound or above it; the denominator is not 0.
    #[must_use]
    pub fn is_reached_by(&self, numerator: u64, denominator: u64) -> bool {
        u128::from(numerator) * u128::from(self.denominator) >= u128::from(self.numerator) * u128::from(denominator)
    }
}

impl PartialOrd for RatioBound {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        let (left, right) = (u128::from(self.numerator), u128::from(other.numerator));
        (left * u128::from(other.denominator)).partial_cmp(&(right * u128::from(self.denominator)))
    }
}

impl fmt::Display for RatioBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(text: &str) -> Result<RatioBound, Problem> {
        RatioBound::new("min", &Located::nowhere(DecimalText::new(text).expect("a decimal")))
    }

    #[test]
    fn a_bound_is_reached_exactly() {
        let bound = bound("0.7").expect("a ratio");
        assert!(bound.is_reached_by(7, 10));
        assert!(bound.is_reached_by(70_000_000_000_000_001, 100_000_000_000_000_000));
        assert!(!bound.is_reached_by(69_999_999_999_999_999, 100_000_000_000_000_000));
    }

    #[test]
    fn what_looks_like_a_percentage_is_refused_with_the_ratio_it_may_mean() {
        let problem = bound("95").expect_err("no ratio");
        assert_eq!(problem.help.as_deref(), Some("did you mean 0.95?"));
        assert_eq!(problem.label.as_deref(), Some("found 95, expected a ratio between 0 and 1"));
        assert_eq!(bound("-0.1").expect_err("no ratio").help, None);
        assert!(bound("0.00000000000000000000000001").is_err());
    }
}
