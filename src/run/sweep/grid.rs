//! The thresholds of a sweep: exact decimals, evenly spaced.

use crate::diagnostic::{Problem, code, quoted};
use crate::rules::{self, policy::Bound};

/// Most thresholds of one sweep.
pub const MOST: u128 = 1_000;

/// Thresholds from one value to another, both as exact decimals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// The thresholds, ascending.
    pub thresholds: Vec<Bound>,
    /// Digits after the point that they are written with.
    pub scale: u32,
}

impl Grid {
    /// The thresholds `from`, `from + step`, … up to `to` at most. `largest` is what none may exceed: 1 where the threshold is a
    /// ratio.
    ///
    /// # Errors
    /// A [`Problem`] for a text that is no number from 0, a step of 0, a range that is upside down, one beyond `largest`, and one of more
    /// than [`MOST`] thresholds.
    pub fn new(from: &str, to: &str, step: &str, largest: Option<u64>) -> Result<Self, Problem> {
        let (first, last, by) = (read("--from", from)?, read("--to", to)?, read("--step", step)?);
        let scale = first.scale.max(last.scale).max(by.scale);
        let widen = |bound: &Bound| u128::from(bound.mantissa) * 10u128.pow(scale - bound.scale);
        let (start, end, step) = (widen(&first), widen(&last), widen(&by));
        if step == 0 {
            return Err(usage("`--step` is 0").help("give the distance between two thresholds, such as 0.01"));
        }
        if start > end {
            return Err(usage(format!("`--from` {from} is more than `--to` {to}")).help("give the smaller value first"));
        }
        if let Some(largest) = largest
            && end > u128::from(largest) * 10u128.pow(scale)
        {
            return Err(Problem::new(code::BAD_RATIO, "`--to` is more than the threshold can be")
                .found(quoted(to), format!("a ratio between 0 and {largest}"))
                .help("thresholds are ratios: 0.95, not 95"));
        }
        let count = (end - start) / step + 1;
        if count > MOST {
            return Err(usage(format!(
                "`--from` {from} `--to` {to} `--step` {step_text} are {count} thresholds",
                step_text = by.text
            ))
            .found(count, format!("at most {MOST}"))
            .help("take a larger step or a narrower range"));
        }
        let thresholds = (0..count).map(|index| bound(start + index * step, scale)).collect::<Option<Vec<_>>>();
        let thresholds =
            thresholds.ok_or_else(|| usage("the thresholds have too many digits to be compared exactly"))?;
        Ok(Self { thresholds, scale })
    }

    /// The same with these values among the thresholds, those of them that lie between the first and the last.
    #[must_use]
    pub fn with(mut self, values: &[Bound]) -> Self {
        for value in values {
            let place = self.thresholds.partition_point(|threshold| cmp(threshold, value).is_lt());
            let is_inside = place > 0 && place < self.thresholds.len();
            if is_inside && !self.thresholds.get(place).is_some_and(|threshold| cmp(threshold, value).is_eq()) {
                self.thresholds.insert(place, value.clone());
            }
        }
        self.scale = self.thresholds.iter().map(|threshold| threshold.scale).max().unwrap_or(0).max(self.scale);
        self
    }
}

/// Compares two bounds exactly.
#[must_use]
pub fn cmp(a: &Bound, b: &Bound) -> std::cmp::Ordering {
    let scaled =
        |bound: &Bound, other: &Bound| u128::from(bound.mantissa) * 10u128.pow(other.scale.saturating_sub(bound.scale));
    scaled(a, b).cmp(&scaled(b, a))
}

/// A bound with this many digits after the point.
#[must_use]
pub fn padded(bound: &Bound, scale: u32) -> String {
    decimal(u128::from(bound.mantissa) * 10u128.pow(scale.saturating_sub(bound.scale)), scale.max(bound.scale))
}

fn decimal(mantissa: u128, scale: u32) -> String {
    let scale = scale as usize;
    let mut text = format!("{mantissa:0>width$}", width = scale + 1);
    if scale > 0 {
        text.insert(text.len() - scale, '.');
    }
    text
}

fn bound(mantissa: u128, scale: u32) -> Option<Bound> {
    let mut mantissa = mantissa;
    let mut kept = scale;
    while kept > 0 && mantissa.is_multiple_of(10) {
        mantissa /= 10;
        kept -= 1;
    }
    Some(Bound { text: decimal(mantissa, kept), mantissa: u64::try_from(mantissa).ok()?, scale: kept })
}

fn read(flag: &str, text: &str) -> Result<Bound, Problem> {
    rules::bound(text).ok_or_else(|| {
        let expected = "a number from 0 with at most 18 digits after the point";
        usage(format!("`{flag}` is no threshold")).found(quoted(text), expected)
    })
}

fn usage(message: impl Into<String>) -> Problem {
    Problem::new(code::BAD_BOUND, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(from: &str, to: &str, step: &str) -> Vec<String> {
        let grid = Grid::new(from, to, step, Some(1)).expect("a grid");
        grid.thresholds.into_iter().map(|bound| bound.text).collect()
    }

    #[test]
    fn thresholds_are_exact_decimals() {
        // In doubles, 0.1 + 0.1 + 0.1 is not 0.3.
        assert_eq!(texts("0", "0.3", "0.1"), ["0", "0.1", "0.2", "0.3"]);
        assert_eq!(texts("0.90", "1", "0.05"), ["0.9", "0.95", "1"]);
        assert_eq!(texts("0.5", "0.5", "0.1"), ["0.5"]);
        // The last one is never passed.
        assert_eq!(texts("0", "0.5", "0.2"), ["0", "0.2", "0.4"]);
        assert_eq!(texts("1e-2", "3e-2", "1e-2"), ["0.01", "0.02", "0.03"]);
        assert_eq!(texts("0", "0.999", "0.001").len(), 1_000);
    }

    #[test]
    fn what_is_no_range_is_refused() {
        let refused = |from, to, step| Grid::new(from, to, step, Some(1)).expect_err("no grid").to_string();
        assert_eq!(refused("0", "1", "0"), "`--step` is 0");
        assert_eq!(refused("0.6", "0.5", "0.1"), "`--from` 0.6 is more than `--to` 0.5");
        assert_eq!(
            refused("0", "1", "0.001"),
            "`--from` 0 `--to` 1 `--step` 0.001 are 1001 thresholds: found 1001, expected at most 1000"
        );
        for text in ["NaN", "inf", "-0.1", "-0", "", "0,5", "1e999", "0x1", "٣", "0.0000000000000000001"] {
            let expected = format!(
                "`--from` is no threshold: found \"{text}\", expected a number from 0 with at most 18 digits after the point"
            );
            assert_eq!(refused(text, "1", "0.1"), expected);
        }
        assert_eq!(
            refused("0", "95", "1"),
            "`--to` is more than the threshold can be: found \"95\", expected a ratio between 0 and 1"
        );
        assert!(Grid::new("0", "95", "1", None).is_ok());
        assert_eq!(
            refused("0.000000000000000001", "1000000000000000000", "1000000000000000000"),
            "`--to` is more than the threshold can be: found \"1000000000000000000\", expected a ratio between 0 and 1"
        );
        let too_fine = Grid::new("0.000000000000000001", "99", "90", None).expect_err("no grid").to_string();
        assert_eq!(too_fine, "the thresholds have too many digits to be compared exactly");
    }

    #[test]
    fn values_of_the_policy_join_where_they_lie_inside() {
        let bound = |text| rules::bound(text).expect("a bound");
        let grid = Grid::new("0.1", "0.3", "0.1", Some(1)).expect("a grid");
        let grid = grid.with(&[bound("0.25"), bound("0.20"), bound("0.05"), bound("0.3"), bound("0.4")]);
        let texts: Vec<_> = grid.thresholds.iter().map(|threshold| padded(threshold, grid.scale)).collect();
        assert_eq!(texts, ["0.10", "0.20", "0.25", "0.30"]);
    }
}
