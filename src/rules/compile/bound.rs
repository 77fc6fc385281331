//! Exact bounds.

use crate::diagnostic::{Problem, Problems, code};
use crate::rules::policy::Bound;
use crate::yaml::{DecimalText, Located};

/// The digits after the point that a bound may have.
const FINEST: u32 = 18;

/// A bound that needs no check: `mantissa` · 10^−`scale`.
pub(super) fn fixed(text: &str, mantissa: u64, scale: u32) -> Bound {
    Bound { text: text.to_owned(), mantissa, scale }
}

/// A ratio between 0 and 1, both included.
pub(super) fn ratio(name: &str, written: &Located<DecimalText>, problems: &mut Problems) -> Option<Bound> {
    let value = written.to_f64();
    if !(0.0..=1.0).contains(&value) {
        let problem = Problem::new(code::BAD_RATIO, format!("`{name}` is a ratio between 0 and 1")).at(written.span);
        let problem = problem.found(written.as_str(), "a ratio between 0 and 1");
        problems.push(match percent(written.as_str()) {
            Some(share) if value > 1.0 && value <= 100.0 && !written.is_percent() => {
                problem.help(format!("did you mean {share}?"))
            }
            _ => problem,
        });
        return None;
    }
    exact(name, written, problems)
}

/// A count per subject, from 0.
pub(super) fn count(name: &str, written: &Located<DecimalText>, problems: &mut Problems) -> Option<Bound> {
    if written.is_percent() {
        let problem = Problem::new(code::BAD_BOUND, format!("`{name}` is a count here, and this is a share"));
        let problem = problem.at(written.span).found("a percentage", "a number from 0, such as 1.5");
        problems.push(problem.help(format!("write the number itself; as a ratio this is {}", written.as_str())));
        return None;
    }
    exact(name, written, problems)
}

fn exact(name: &str, written: &Located<DecimalText>, problems: &mut Problems) -> Option<Bound> {
    let problem = |message: String| Problem::new(code::BAD_BOUND, message).at(written.span);
    if written.to_f64() < 0.0 {
        problems.push(problem(format!("`{name}` is less than 0")).found(written.as_str(), "a number from 0"));
        return None;
    }
    let parsed = parts(written.as_str());
    if parsed.is_none() {
        let problem = problem(format!("`{name}` has too many digits to be compared exactly"));
        problems.push(problem.found(written.as_str(), format!("at most {FINEST} digits")));
    }
    let (mantissa, scale) = parsed?;
    Some(Bound { text: written.as_str().to_owned(), mantissa, scale })
}

/// A number from 0 that stands on its own, outside of any rule file; `None` for anything else, and where it has too many digits
/// to be compared exactly.
pub(in crate::rules) fn read(text: &str) -> Option<Bound> {
    DecimalText::new(text).filter(|_| !text.starts_with('-'))?;
    let (mantissa, scale) = parts(text)?;
    Some(Bound { text: text.to_owned(), mantissa, scale })
}

/// Mantissa and scale of a decimal text that is not negative, without zeros at its end behind the point.
fn parts(text: &str) -> Option<(u64, u32)> {
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let number = number.trim_start_matches(['+', '-']);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{fraction}");
    let mut mantissa: u128 = digits.parse().ok()?;
    let mut scale = i64::try_from(fraction.len()).ok()? - exponent;
    while scale > 0 && mantissa.is_multiple_of(10) {
        mantissa /= 10;
        scale -= 1;
    }
    while scale < 0 {
        mantissa = mantissa.checked_mul(10)?;
        scale += 1;
    }
    let scale = u32::try_from(scale).ok().filter(|scale| *scale <= FINEST)?;
    Some((u64::try_from(mantissa).ok()?, scale))
}

/// A percentage as a ratio, by moving the point: 95 is 0.95, 99.5 is 0.995.
fn percent(text: &str) -> Option<String> {
    let (mantissa, scale) = parts(text)?;
    let digits = mantissa.to_string();
    let scale = scale as usize + 2;
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = padded.split_at(padded.len() - scale);
    let fraction = fraction.trim_end_matches('0');
    Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
}

/// What is left of 1, as a decimal.
pub(super) fn complement(bound: &Bound) -> Option<String> {
    let one = 10u64.checked_pow(bound.scale)?;
    let left = one.checked_sub(bound.mantissa)?;
    if bound.scale == 0 {
        return Some(left.to_string());
    }
    let width = bound.scale as usize;
    Some(if left == one { "1".to_owned() } else { format!("0.{left:0>width$}") })
}

/// Whether `a` is greater than `b`, exactly.
pub(super) fn exceeds(a: &Bound, b: &Bound) -> bool {
    let scaled =
        |bound: &Bound, other: &Bound| u128::from(bound.mantissa) * 10u128.pow(other.scale.saturating_sub(bound.scale));
    scaled(a, b) > scaled(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_exact() {
        assert_eq!(parts("0.050"), Some((5, 2)));
        assert_eq!(parts("1e-2"), Some((1, 2)));
        assert_eq!(parts("1.0"), Some((1, 0)));
        assert_eq!(parts("2E1"), Some((20, 0)));
        assert_eq!(parts("0"), Some((0, 0)));
        assert_eq!(parts("0.0000000000000000001"), None);
        assert_eq!(parts("0.123456789012345678"), Some((123_456_789_012_345_678, 18)));
        assert_eq!(percent("95").as_deref(), Some("0.95"));
        assert_eq!(percent("99.5").as_deref(), Some("0.995"));
        assert_eq!(percent("100").as_deref(), Some("1"));
        assert_eq!(percent("5").as_deref(), Some("0.05"));
        assert_eq!(complement(&fixed("0.95", 95, 2)).as_deref(), Some("0.05"));
        assert_eq!(complement(&fixed("1", 1, 0)).as_deref(), Some("0"));
        assert_eq!(complement(&fixed("0.9", 9, 1)).as_deref(), Some("0.1"));
        assert!(exceeds(&fixed("0.1", 1, 1), &fixed("0.09", 9, 2)));
        assert!(!exceeds(&fixed("0.1", 1, 1), &fixed("0.10", 10, 2)));
    }
}
