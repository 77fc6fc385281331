//! Drops of a few cases, worked out by hand, and held against a count of every flip.

use super::*;

pub(super) fn decimal(text: &str) -> Bound {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let mantissa = format!("{whole}{part}").parse().expect("a decimal");
    Bound { text: text.to_owned(), mantissa, scale: u32::try_from(part.len()).expect("short") }
}

fn histogram(pairs: &[(Pair, u64)]) -> Histogram {
    let mut histogram = Histogram::new();
    for &(pair, cases) in pairs {
        *histogram.entry(pair).or_default() += cases;
    }
    histogram
}

fn micro(pairs: &Histogram) -> Comparison<'_> {
    Comparison { pairs, average: Average::Micro, direction: Direction::Higher }
}

fn of_macro(pairs: &Histogram) -> Comparison<'_> {
    Comparison { average: Average::Macro, ..micro(pairs) }
}

fn rises(pairs: &Histogram) -> Comparison<'_> {
    Comparison { direction: Direction::Lower, ..micro(pairs) }
}

fn tested(comparison: &Comparison<'_>) -> Tested {
    comparison.test(&decimal("0.95")).expect("there are denominators")
}

fn exact(numerator: i64, denominator: i64) -> Exact {
    Ratio::new(numerator.into(), denominator.into())
}

fn close(value: f64, expected: f64, within: f64) {
    assert!((value - expected).abs() <= within, "{value}, expected {expected}");
}

#[test]
fn a_drop_is_exact_and_the_bound_inclusive() {
    // 19 of 20 → 18 of 20: 0.95 − 0.9 = 0.05, in doubles 0.04999999999999993.
    let pairs = histogram(&[([1, 1, 1, 1], 18), ([1, 1, 0, 1], 1), ([0, 1, 0, 1], 1)]);
    let change = micro(&pairs).change().expect("denominators");
    assert_eq!((&change.baseline, &change.now, &change.drop), (&exact(19, 20), &exact(9, 10), &exact(1, 20)));
    assert!(!change.exceeds(&decimal("0.05"), false));
    assert!(change.exceeds(&decimal("0.0499999999999999999"), false));
    // Relative: 0.05 of 0.95 is 0.0475.
    assert_eq!(change.allowed(&decimal("0.05"), true), exact(19, 400));
    assert!(change.exceeds(&decimal("0.05"), true));
    assert!(!change.exceeds(&decimal("0.06"), true));
    // The same counts as a rate of which less is better fell, and did not rise.
    assert_eq!(rises(&pairs).change().expect("denominators").drop, exact(-1, 20));
}

#[test]
fn a_side_without_denominator_has_no_value() {
    for pairs in [histogram(&[]), histogram(&[([1, 2, 0, 0], 3)]), histogram(&[([0, 0, 1, 2], 3)])] {
        for comparison in [micro(&pairs), of_macro(&pairs), rises(&pairs)] {
            assert_eq!(comparison.change(), None);
            assert_eq!(comparison.test(&decimal("0.95")), None);
        }
    }
}

#[test]
fn a_macro_drop_is_of_means_over_cases() {
    // 1/2, 3/3 and none → 0/2, 2/3 and 1/1: means 3/4 and 5/9.
    let pairs = histogram(&[([1, 2, 0, 2], 1), ([3, 3, 2, 3], 1), ([0, 0, 1, 1], 1)]);
    let change = of_macro(&pairs).change().expect("denominators");
    assert_eq!((&change.baseline, &change.now, &change.drop), (&exact(3, 4), &exact(5, 9), &exact(7, 36)));
}

#[test]
fn one_claim_per_case_is_the_exact_test_of_mcnemar() {
    // 7 lost, 1 gained: of 8 fair coins at least 7, (8 + 1)/256. The 92 that did not change say nothing.
    let pairs = histogram(&[([1, 1, 0, 1], 7), ([0, 1, 1, 1], 1), ([1, 1, 1, 1], 90), ([0, 1, 0, 1], 2)]);
    let result = tested(&micro(&pairs));
    assert_eq!((result.p, result.least_p, result.method), (9.0 / 256.0, 1.0 / 256.0, Method::Exact));
    assert_eq!((result.cases, result.changed, result.any_lost), (100, 8, true));
    // The other way round: at least 1 of 8, 255/256.
    assert_eq!(tested(&rises(&pairs)).p, 255.0 / 256.0);
    // 5 of 5 lost is the first that is significant at 5 %; 4 of 4 could not be.
    let few = |lost| histogram(&[([1, 1, 0, 1], lost), ([1, 1, 1, 1], 20)]);
    assert_eq!(tested(&micro(&few(5))).p, 1.0 / 32.0);
    assert!(!tested(&micro(&few(5))).is_powerless() && tested(&micro(&few(4))).is_powerless());
}

#[test]
fn cases_flip_whole() {
    // e = 2, 1, −1; of ±2 ±1 ±1 three of eight are at least 2.
    let pairs = histogram(&[([4, 4, 2, 4], 1), ([4, 4, 3, 4], 1), ([1, 4, 2, 4], 1)]);
    assert_eq!(tested(&micro(&pairs)).p, 3.0 / 8.0);
    // Macro: e = 1/2, 1/3, −1/5 over 30: 15, 10, −6, T = 19. Only 31 and 19 are at least 19.
    let pairs = histogram(&[([2, 2, 1, 2], 1), ([2, 3, 1, 3], 1), ([4, 5, 5, 5], 1)]);
    assert_eq!((tested(&of_macro(&pairs)).p, tested(&of_macro(&pairs)).method), (2.0 / 8.0, Method::Exact));
}

#[test]
fn nothing_changed_is_no_drop() {
    let result = tested(&micro(&histogram(&[([3, 4, 3, 4], 50)])));
    assert_eq!((result.p, result.least_p, result.changed, result.any_lost), (1.0, 1.0, 0, false));
}

#[test]
fn the_variance_is_that_of_the_definition() {
    // p = 3/4, p′ = 1/2: residuals (1−3/2)/4 − (0−1)/4 = 1/8 and (2−3/2)/4 − (2−1)/4 = −1/8; V = 2·2/64.
    let pairs = histogram(&[([1, 2, 0, 2], 1), ([2, 2, 2, 2], 1)]);
    let result = tested(&micro(&pairs));
    close(result.standard_error.expect("two cases"), 0.25, 1e-15);
    // t(0.95, 1) = 6.3138 of the tables.
    close(result.reach.expect("two cases"), 6.3138 * 0.25, 1e-4);
    close(result.upper_limit().expect("two cases"), 0.25 + 6.3138 * 0.25, 1e-4);
}
