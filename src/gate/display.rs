//! Values as a person reads them, never rounded across what they are held against.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};

use super::drop::Exact;
use crate::rules::policy::Bound;
use crate::tally::Value;

/// Most digits after the point before a display gives up; two values that differ later than that are told apart by
/// their numerators.
const MOST_DIGITS: u32 = 12;

/// A value for a person: a ratio as a percentage, a count per claim as a decimal. It has one digit after the point
/// (a count two), or as many more as it takes for what is shown to lie on the same side of every bound, of 0 and of 1
/// as the value does.
#[must_use]
pub fn value(value: &Value, bounds: &[&Bound], is_ratio: bool) -> String {
    let shift = if is_ratio { 2 } else { 0 };
    let fewest = if is_ratio { 1 } else { 2 };
    for digits in fewest..=MOST_DIGITS {
        let (scaled, is_exact) = value.scaled(digits + shift);
        let is_true = is_exact || holds_sides(value, &scaled, digits + shift, bounds);
        if is_true || digits == MOST_DIGITS {
            return decimal(&scaled, digits, is_exact, is_ratio);
        }
    }
    String::new()
}

/// Two values of one metric and what lies between them, for a person: before, after, and after − before with its sign
/// (`−8 points` of a ratio, `+0.25` of a count). As [`value`], with as many digits as it takes for two values that differ to
/// look different; the difference is that of what is shown.
#[must_use]
pub fn change(before: &Value, after: &Value, is_ratio: bool) -> [String; 3] {
    let shift = if is_ratio { 2 } else { 0 };
    let fewest = if is_ratio { 1 } else { 2 };
    let order = before.compare_value(after);
    let is_true = |digits: u32| {
        let side = |value: &Value| {
            let (scaled, is_exact) = value.scaled(digits + shift);
            let holds = is_exact || holds_sides(value, &scaled, digits + shift, &[]);
            holds.then_some(scaled)
        };
        side(before).zip(side(after)).is_some_and(|(before, after)| before.cmp(&after) == order)
    };
    let digits = (fewest..MOST_DIGITS).find(|digits| is_true(*digits)).unwrap_or(MOST_DIGITS);
    let [(was, was_exact), (is, is_exact)] = [before, after].map(|value| value.scaled(digits + shift));
    let (sign, size) = match order {
        Ordering::Equal => ("", BigUint::from(0u8)),
        Ordering::Less if is > was => ("+", &is - &was),
        Ordering::Greater if was > is => ("\u{2212}", &was - &is),
        Ordering::Less => ("+ less than ", BigUint::from(1u8)),
        Ordering::Greater => ("\u{2212} less than ", BigUint::from(1u8)),
    };
    let size = decimal(&size, digits, true, false);
    let unit = match (is_ratio, size.as_str()) {
        (false, _) => "",
        (true, "1") => " point",
        (true, _) => " points",
    };
    let delta = format!("{sign}{size}{unit}");
    [decimal(&was, digits, was_exact, is_ratio), decimal(&is, digits, is_exact, is_ratio), delta]
}

/// Whether `scaled`·10^−scale lies on the same side of every bound, 0 and 1 as the value.
fn holds_sides(value: &Value, scaled: &BigUint, scale: u32, bounds: &[&Bound]) -> bool {
    let ends = [(BigUint::from(0u8), 0), (BigUint::from(1u8), 0)];
    let bounds = bounds.iter().map(|bound| (BigUint::from(bound.mantissa), bound.scale));
    bounds.chain(ends).all(|(mantissa, bound_scale)| {
        let ten = BigUint::from(10u8);
        let shown = (scaled * ten.pow(bound_scale)).cmp(&(&mantissa * ten.pow(scale)));
        shown == value.compare_decimal(&mantissa, bound_scale)
    })
}

/// A bound for a person, exactly as it is: `0.08` is `8 %`, of a count `1.5` is `1.5`.
#[must_use]
pub fn bound(bound: &Bound, is_ratio: bool) -> String {
    let (mantissa, digits) = match (is_ratio, bound.scale) {
        (false, scale) => (BigUint::from(bound.mantissa), scale),
        (true, scale @ (0 | 1)) => (BigUint::from(bound.mantissa) * BigUint::from(10u8).pow(2 - scale), 0),
        (true, scale) => (BigUint::from(bound.mantissa), scale - 2),
    };
    decimal(&mantissa, digits, true, is_ratio)
}

/// scaled·10^−digits with its unit; zeros at the end are left out where nothing was lost.
fn decimal(scaled: &BigUint, digits: u32, is_exact: bool, is_ratio: bool) -> String {
    let width = digits as usize + 1;
    let mut text = format!("{:0>width$}", scaled.to_string());
    if digits > 0 {
        text.insert(text.len() - digits as usize, '.');
        if is_exact {
            text.truncate(text.trim_end_matches('0').trim_end_matches('.').len());
        }
    }
    if is_ratio {
        text.push_str(" %");
    }
    text
}

/// An exact value from 0 to 1 as a percentage with one digit after the point, or as many more as it takes to tell it from 0
/// and 1.
#[must_use]
pub fn exact(value: &Exact) -> String {
    let ends = [Exact::from_integer(0.into()), Exact::from_integer(1.into())];
    scaled(value, &ends.iter().collect::<Vec<_>>()) + " %"
}

/// A difference of two values in percentage points, told apart from what it is held against and from 0: `9 points`.
#[must_use]
pub fn points(difference: &Exact, against: &Exact) -> String {
    let zero = Exact::from_integer(0.into());
    let shown = scaled(difference, &[against, &zero]);
    let unit = if shown == "1" { "point" } else { "points" };
    format!("{shown} {unit}")
}

/// A p for a person: `0.031`, `< 0.001`.
#[must_use]
pub fn p(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// 100 × the value, with as few digits after the point (one at least, unless it is exact) as keep it on its side of each of
/// `ends`.
fn scaled(value: &Exact, ends: &[&Exact]) -> String {
    let hundred = BigInt::from(100u8);
    for digits in 0..=MOST_DIGITS {
        let ten = BigInt::from(10u8).pow(digits);
        let times = value * &hundred * &ten;
        let rounded = times.round();
        let is_exact = rounded == times;
        let back = &rounded / (&hundred * &ten);
        let holds = digits > 0 && ends.iter().all(|end| back.cmp(end) == value.cmp(end));
        if is_exact || holds || digits == MOST_DIGITS {
            return decimal_text(&rounded.to_integer(), digits);
        }
    }
    String::new()
}

/// number · 10^−digits.
fn decimal_text(number: &BigInt, digits: u32) -> String {
    let (sign, size) = number.clone().into_parts();
    let width = digits as usize + 1;
    let mut text = format!("{:0>width$}", size.to_string());
    if digits > 0 {
        text.insert(text.len() - digits as usize, '.');
    }
    if sign == Sign::Minus { format!("−{text}") } else { text }
}

/// A limit of an interval as a percentage; like [`value`], but the limit is a double to begin with.
#[must_use]
pub fn limit(limit: f64, against: f64) -> String {
    let side = |shown: f64| shown.partial_cmp(&against).unwrap_or(Ordering::Equal);
    let shown = (1..=6usize).map(|digits| format!("{:.digits$}", limit * 100.0));
    let mut last = String::new();
    for text in shown {
        last = text;
        let read = last.parse::<f64>().ok().map(|percent| percent / 100.0);
        if read.is_some_and(|read| side(read) == side(limit)) {
            break;
        }
    }
    last + " %"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound_of(text: &str) -> Bound {
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let mantissa = format!("{whole}{part}").parse().unwrap_or_default();
        Bound { text: text.to_owned(), mantissa, scale: u32::try_from(part.len()).unwrap_or_default() }
    }

    fn shown(k: u64, n: u64, bounds: &[&str], is_ratio: bool) -> String {
        let bounds: Vec<Bound> = bounds.iter().map(|text| bound_of(text)).collect();
        let bounds: Vec<&Bound> = bounds.iter().collect();
        Value::ratio(k, n).map_or_else(String::new, |ratio| value(&ratio, &bounds, is_ratio))
    }

    #[test]
    fn values_are_percentages_with_one_digit() {
        assert_eq!(shown(6, 28, &["0.08"], true), "21.4 %");
        assert_eq!(shown(1, 2, &[], true), "50 %");
        assert_eq!(shown(1, 8, &[], true), "12.5 %");
        assert_eq!(shown(0, 9, &["0"], true), "0 %");
        assert_eq!(shown(9, 9, &["0.5"], true), "100 %");
    }

    #[test]
    fn no_value_is_rounded_across_a_bound() {
        // 949/1000 is 94.9 %, 9499/10000 would round to 95.0 %.
        assert_eq!(shown(9_499, 10_000, &["0.95"], true), "94.99 %");
        assert_eq!(shown(9_501, 10_000, &["0.95"], true), "95.01 %");
        assert_eq!(shown(949_999, 1_000_000, &["0.95"], true), "94.9999 %");
        assert_eq!(shown(1, 3, &["0.333"], true), "33.33 %");
    }

    #[test]
    fn only_all_is_a_hundred_percent_and_only_nothing_is_none() {
        assert_eq!(shown(99_999, 100_000, &[], true), "99.999 %");
        assert_eq!(shown(1, 100_000, &[], true), "0.001 %");
        // 1/30000 = 0.00333… %: two digits would show 0.00.
        assert_eq!(shown(1, 30_000, &[], true), "0.003 %");
    }

    #[test]
    fn counts_are_decimals_and_may_pass_one() {
        assert_eq!(shown(5, 4, &["1.2"], false), "1.25");
        assert_eq!(shown(4, 3, &["2"], false), "1.33");
    }

    fn changed(before: (u64, u64), after: (u64, u64), is_ratio: bool) -> [String; 3] {
        let value = |(k, n)| Value::ratio(k, n).expect("a denominator");
        change(&value(before), &value(after), is_ratio)
    }

    #[test]
    fn a_change_is_never_rounded_away() {
        assert_eq!(changed((45, 50), (41, 50), true), ["90 %", "82 %", "\u{2212}8 points"]);
        // 94.96 % and 94.98 % are both 95.0 % with one digit.
        assert_eq!(changed((9_496, 10_000), (9_498, 10_000), true), ["94.96 %", "94.98 %", "+0.02 points"]);
        assert_eq!(changed((2, 3), (4, 6), true), ["66.7 %", "66.7 %", "0 points"]);
        assert_eq!(changed((99_999, 100_000), (1, 1), true), ["99.999 %", "100 %", "+0.001 points"]);
        assert_eq!(changed((1, 2), (49, 100), true), ["50 %", "49 %", "\u{2212}1 point"]);
        assert_eq!(changed((5, 4), (3, 2), false), ["1.25", "1.5", "+0.25"]);
        // 1/3 − 10⁻¹⁵ or so: no digit that is shown tells them apart.
        let [_, _, delta] = changed((333_333_333_333_333, 1_000_000_000_000_000), (1, 3), true);
        assert_eq!(delta, "+ less than 0.000000000001 points");
    }

    #[test]
    fn bounds_are_shown_exactly() {
        for (text, shown) in [("0.08", "8 %"), ("0.9", "90 %"), ("1", "100 %"), ("0", "0 %"), ("0.995", "99.5 %")] {
            assert_eq!(bound(&bound_of(text), true), shown);
        }
        assert_eq!(bound(&bound_of("1.50"), false), "1.5");
        assert_eq!(bound(&bound_of("0.100"), true), "10 %");
    }

    #[test]
    fn limits_stay_on_their_side() {
        assert_eq!(limit(0.049_97, 0.05), "4.997 %");
        assert_eq!(limit(0.021, 0.05), "2.1 %");
    }
}
