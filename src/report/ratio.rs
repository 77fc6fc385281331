//! Ratios as people read them. A displayed value never stands on another side of a bound than the value itself.

use std::cmp::Ordering;

/// No-break space, so that a number and its sign stay on one line.
const SPACE: char = '\u{a0}';
/// Most digits after the point that are tried.
const MOST_DIGITS: u32 = 12;

/// An exact decimal: mantissa · 10^−scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    mantissa: u128,
    scale: u32,
}

impl Decimal {
    /// Reads a plain decimal such as `0.08`, as bounds are written; `None` for anything else or over 18 digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Decimal> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits: String = [whole, fraction].concat();
        let is_plain = !digits.is_empty() && digits.len() <= 18 && digits.bytes().all(|byte| byte.is_ascii_digit());
        let scale = u32::try_from(fraction.len()).ok()?;
        if is_plain { digits.parse().ok().map(|mantissa| Decimal { mantissa, scale }) } else { None }
    }

    /// Position on an axis of `0.0` to `1.0`.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "only for drawing")]
        let mantissa = self.mantissa as f64;
        mantissa / 10_f64.powi(i32::try_from(self.scale).unwrap_or(0))
    }

    /// Order of `numerator / denominator` and this decimal.
    fn order_of(self, numerator: u128, denominator: u128) -> Ordering {
        let left = numerator.checked_mul(10_u128.pow(self.scale.min(18)));
        let right = self.mantissa.checked_mul(denominator);
        match (left, right) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => Ordering::Equal,
        }
    }
}

/// `numerator / denominator` as a percentage with one digit after the point (none where it is exact without), and with
/// more where fewer would put it on
/// the other side of 0, of 1 or of one of the bounds. `None` over nothing.
#[must_use]
pub fn percent(numerator: u64, denominator: u64, bounds: &[Decimal]) -> Option<String> {
    displayed(numerator, denominator, 2, 1, bounds, true).map(|text| format!("{text}{SPACE}%"))
}

/// `numerator / denominator` as a plain number with two digits after the point, and with more where needed.
#[must_use]
pub fn count(numerator: u64, denominator: u64, bounds: &[Decimal]) -> Option<String> {
    displayed(numerator, denominator, 0, 2, bounds, false)
}

/// A ratio that is only known as a double (a macro average), as [`percent`].
#[must_use]
pub fn percent_of(value: f64, bounds: &[Decimal]) -> Option<String> {
    const PARTS: u64 = 1_000_000_000_000;
    if !value.is_finite() || value < 0.0 {
        return None;
    }
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the range of u64 parts"
    )]
    let parts = (value.min(1e6) * PARTS as f64).round() as u64;
    percent(parts, PARTS, bounds)
}

/// A bound as written, as a percentage: `0.08` becomes `8 %`.
#[must_use]
pub fn bound_percent(text: &str) -> String {
    match Decimal::parse(text) {
        None => text.to_owned(),
        Some(Decimal { mantissa, scale }) if scale <= 2 => {
            format!("{}{SPACE}%", mantissa * 10_u128.pow(2 - scale))
        }
        Some(Decimal { mantissa, scale }) => {
            format!("{}{SPACE}%", trimmed(point(mantissa, scale - 2)))
        }
    }
}

/// A number with commas between groups of three digits, from 10,000 on.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut grouped = String::with_capacity(digits.len() + 6);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `6/28`.
#[must_use]
pub fn fraction(numerator: u64, denominator: u64) -> String {
    format!("{}/{}", grouped(numerator), grouped(denominator))
}

/// Wilson's score interval of a proportion at 95 % (E. B. Wilson 1927), subjects taken as independent.
#[must_use]
pub fn wilson(numerator: u64, denominator: u64) -> Option<(f64, f64)> {
    const Z: f64 = 1.959_963_984_540_054;
    if denominator == 0 || numerator > denominator {
        return None;
    }
    #[allow(clippy::cast_precision_loss, reason = "only for drawing")]
    let (k, n) = (numerator as f64, denominator as f64);
    let (p, z2) = (k / n, Z * Z);
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    Some(((centre - half).max(0.0), (centre + half).min(1.0)))
}

fn displayed(
    numerator: u64,
    denominator: u64,
    shift: u32,
    fewest: u32,
    bounds: &[Decimal],
    is_ratio: bool,
) -> Option<String> {
    if denominator == 0 {
        return None;
    }
    let (k, n) = (u128::from(numerator), u128::from(denominator));
    if is_ratio && (k == 0 || k == n) {
        return Some((k / n * 100).to_string());
    }
    let ends = [Decimal { mantissa: 0, scale: 0 }, Decimal { mantissa: 1, scale: 0 }];
    let ends = if is_ratio { ends.as_slice() } else { &[] };
    for digits in fewest..=MOST_DIGITS {
        let rounded = rounded(k, n, shift + digits);
        let whole = 10_u128.pow(shift + digits);
        let is_faithful = |bound: &Decimal| bound.order_of(k, n) == bound.order_of(rounded, whole);
        if bounds.iter().chain(ends).all(is_faithful) || digits == MOST_DIGITS {
            let is_exact = rounded.checked_mul(n) == k.checked_mul(whole);
            return Some(if is_exact { trimmed(point(rounded, digits)) } else { point(rounded, digits) });
        }
    }
    None
}

/// `k / n · 10^digits`, rounded half up.
fn rounded(k: u128, n: u128, digits: u32) -> u128 {
    let scaled = k.saturating_mul(10_u128.pow(digits));
    scaled / n + u128::from(scaled % n * 2 >= n)
}

/// The same without zeros after the point that say nothing.
fn trimmed(mut text: String) -> String {
    if text.contains('.') {
        text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
    }
    text
}

/// A mantissa with the point set before its last `scale` digits.
fn point(mantissa: u128, scale: u32) -> String {
    let width = scale as usize;
    let digits = format!("{mantissa:0>width$}", width = width + 1);
    let (whole, fraction) = digits.split_at(digits.len() - width);
    if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(text: &str) -> [Decimal; 1] {
        [Decimal::parse(text).expect("a decimal")]
    }

    fn plain(text: Option<String>) -> String {
        text.expect("a value").replace(SPACE, " ")
    }

    #[test]
    fn percentages_have_one_digit_unless_they_are_exact_without() {
        assert_eq!(plain(percent(6, 28, &[])), "21.4 %");
        assert_eq!(plain(percent(1, 10, &[])), "10 %");
        assert_eq!(plain(percent(1, 1_001, &[])), "0.1 %");
        assert_eq!(plain(percent(2, 2_003, &[])), "0.1 %");
        assert_eq!(plain(percent(1, 3, &[])), "33.3 %");
        assert_eq!(plain(percent(0, 3, &[])), "0 %");
        assert_eq!(plain(percent(3, 3, &[])), "100 %");
        assert_eq!(percent(0, 0, &[]), None);
    }

    #[test]
    fn nothing_rounds_to_all_or_none() {
        assert_eq!(plain(percent(9_999, 10_000, &[])), "99.99 %");
        assert_eq!(plain(percent(1, 100_000, &[])), "0.001 %");
    }

    #[test]
    fn a_value_stays_on_its_side_of_a_bound() {
        // 949/1000 with a floor of 0.95 must not read 95.0 %; 94.9 % is enough.
        assert_eq!(plain(percent(949, 1_000, &bound("0.95"))), "94.9 %");
        // 94,997/100,000 would read 95.0 %.
        assert_eq!(plain(percent(94_997, 100_000, &bound("0.95"))), "94.997 %");
        // A value on the bound reads as the bound.
        assert_eq!(plain(percent(833, 10_000, &bound("0.0833"))), "8.33 %");
        // 1/12 = 8.333… % over a ceiling of 0.0833 must not read 8.33 %.
        assert_eq!(plain(percent(1, 12, &bound("0.0833"))), "8.333 %");
        assert_eq!(plain(percent_of(0.949_97, &bound("0.95"))), "94.997 %");
    }

    #[test]
    fn bounds_read_as_written() {
        assert_eq!(bound_percent("0.08").replace(SPACE, " "), "8 %");
        assert_eq!(bound_percent("0").replace(SPACE, " "), "0 %");
        assert_eq!(bound_percent("1").replace(SPACE, " "), "100 %");
        assert_eq!(bound_percent("0.995").replace(SPACE, " "), "99.5 %");
        assert_eq!(bound_percent("0.950").replace(SPACE, " "), "95 %");
        assert_eq!(bound_percent("0.0005").replace(SPACE, " "), "0.05 %");
    }

    #[test]
    fn counts_are_plain_numbers() {
        assert_eq!(count(134, 100, &[]).as_deref(), Some("1.34"));
        assert_eq!(count(2, 3, &[]).as_deref(), Some("0.67"));
        assert_eq!(grouped(9_999), "9999");
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(fraction(6, 28), "6/28");
    }

    #[test]
    fn wilson_agrees_with_a_published_value() {
        // R. G. Newcombe 1998, table I: 81/263 gives 0.2553 to 0.3662.
        let (low, high) = wilson(81, 263).expect("an interval");
        assert!((low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5, "{low} {high}");
        assert_eq!(wilson(0, 0), None);
    }
}
