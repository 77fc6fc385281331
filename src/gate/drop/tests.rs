//! Drops of a few cases, worked out by hand, and held against a count of every flip.

use proptest::prelude::*;

use super::*;

type Pair = [u64; 4];

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

#[test]
fn cases_that_changed_their_denominator_are_compared_at_the_common_value() {
    // K + K′ = 10 of N + N′ = 13. [2,2,1,3]: (2−1) + 10/13 = 23/13; [3,4,4,4]: −1. In thirteenths 23 and −13.
    let pairs = histogram(&[([2, 2, 1, 3], 1), ([3, 4, 4, 4], 1)]);
    let losses = cases::losses(&micro(&pairs));
    let sizes: Vec<_> = losses.groups.iter().map(|group| (group.size, group.lost, group.cases)).collect();
    assert_eq!((sizes, losses.same_denominators, losses.error), (vec![(13, 0, 1), (23, 1, 1)], false, 0));
    // 23 − 13 or more: two of four flips, drawn at random.
    let result = tested(&micro(&pairs));
    assert_eq!(result.method, Method::Flips { flips: 19_999, seed: SEED });
    close(result.p, 0.5, 0.015);
    // Macro: 1 → 1/3 and 3/4 → 1; every case has a denominator on both sides, so e = 2/3 and −1/4, exactly.
    let result = tested(&of_macro(&pairs));
    assert_eq!((result.p, result.method), (0.5, Method::Exact));
}

#[test]
fn a_case_is_worse_by_what_it_lost_or_by_its_own_ratio() {
    let any = |comparison: fn(&Histogram) -> Comparison<'_>, pairs: &[(Pair, u64)]| {
        tested(&comparison(&histogram(pairs))).any_lost
    };
    let rest = ([9, 10, 9, 10], 5);
    assert!(!any(micro, &[rest, ([2, 4, 3, 4], 1)]));
    assert!(any(micro, &[rest, ([2, 4, 1, 4], 1)]));
    assert!(any(rises, &[rest, ([2, 4, 3, 4], 1)]));
    assert!(!any(rises, &[rest, ([2, 4, 1, 4], 1)]));
    // Half as many good claims of twice as good a share: the value falls by it all the same.
    assert!(any(micro, &[rest, ([4, 4, 2, 2], 1)]));
    // Better in the count, worse in its own ratio.
    assert!(any(micro, &[rest, ([1, 1, 9, 10], 1)]));
    // Nothing left of it that could be measured, even where everything is supported.
    assert!(any(micro, &[([3, 3, 3, 3], 5), ([2, 2, 0, 0], 1)]));
    assert!(!any(micro, &[([3, 3, 3, 3], 5), ([0, 0, 2, 2], 1)]));
}

#[test]
fn what_cannot_be_seen_bounds_the_reach() {
    // Nothing changed in 100 cases: 1 − 0.05^(1/100) = 0.02951.
    let result = tested(&micro(&histogram(&[([4, 4, 4, 4], 100)])));
    assert_eq!((result.standard_error, result.drop), (Some(0.0), 0.0));
    close(result.reach.expect("many cases"), 0.029_513, 1e-6);
    close(result.smallest_detectable, 0.029_513, 1e-6);
    // One case says nothing of others.
    let result = tested(&micro(&histogram(&[([3, 4, 2, 4], 1)])));
    assert_eq!((result.standard_error, result.reach, result.smallest_detectable), (None, None, 1.0));
}

#[test]
fn the_smallest_detectable_drop_is_that_of_the_definition() {
    // V: p = 1, p′ = 0.95, residuals of 20 cases: 19 × −(1−0.95)/20 → 0.0025, one × 0.95/20 = 0.0475; with 20/19:
    // 20/19·(19·0.0025² + 0.0475²) = 0.0025, √V = 0.05. t(0.95, 19) = 1.7291, t(0.8, 19) = 0.8610 of the tables.
    let result = tested(&micro(&histogram(&[([1, 1, 1, 1], 19), ([1, 1, 0, 1], 1)])));
    close(result.standard_error.expect("cases"), 0.05, 1e-15);
    close(result.reach.expect("cases"), 0.139_108, 1e-6); // 1 − 0.05^(1/20) is more than 0.0865.
    // Five cases are the least that can be significant: 5/20.
    close(result.smallest_detectable, 0.25, 1e-12);
    // 100 such cases: √V = 0.1/√99·… = √(100/99·(95·0.0005² + 5·0.0095²)) = 0.021904; (1.6604 + 0.8453)·√V = 0.05489.
    let result = tested(&micro(&histogram(&[([1, 1, 1, 1], 95), ([1, 1, 0, 1], 5)])));
    close(result.smallest_detectable, 0.054_886, 1e-5);
    // Macro: five claims of cases with four: 5/10 · 1/4.
    let result = tested(&of_macro(&histogram(&[([4, 4, 4, 4], 1000)])));
    close(result.smallest_detectable, (5.0 / 4000.0f64).max(-(0.05f64.ln() / 1000.0).exp_m1()), 1e-12);
}

#[test]
fn holm_steps_down_over_the_slices_that_could_be_significant() {
    let all = |ps: &[f64]| ps.iter().map(|&p| (p, 0.001)).collect::<Vec<_>>();
    // 0.01·4, 0.02·3, 0.03·2 → 0.06 again, 0.5.
    let adjusted = holm(&all(&[0.5, 0.01, 0.03, 0.02]), 0.05);
    for (value, expected) in adjusted.iter().zip([0.5, 0.04, 0.06, 0.06]) {
        close(*value, expected, 1e-15);
    }
    // The second could not have been significant at all: it keeps its p and the others count three.
    let adjusted = holm(&[(0.5, 0.001), (0.0625, 0.0625), (0.012, 0.001), (0.02, 0.03125)], 0.05);
    for (value, expected) in adjusted.iter().zip([0.5, 0.0625, 0.036, 0.04]) {
        close(*value, expected, 1e-15);
    }
    assert_eq!(holm(&all(&[0.9, 0.8]), 0.05), [1.0, 1.0]);
    assert_eq!(holm(&[], 0.05), Vec::<f64>::new());
}

#[test]
fn verdicts_are_those_of_the_definition() {
    let verdict = |pairs: &[(Pair, u64)], bound: &str| {
        let pairs = histogram(pairs);
        let (change, tested) = (micro(&pairs).change().expect("denominators"), tested(&micro(&pairs)));
        judge(&change, &decimal(bound), false, &tested, tested.p)
    };
    let lost = |lost| [([1, 1, 1, 1], 100 - lost), ([1, 1, 0, 1], lost)];
    // 5 of 100 lost: p = 1/32, the drop is 0.05.
    assert_eq!(verdict(&lost(5), "0.04"), Shown::Breaks);
    assert_eq!(verdict(&lost(5), "0.05"), Shown::Open);
    // 4 of 100: p = 1/16 shows nothing, and 0.04 + 0.0327 is over 0.05, within 0.08.
    assert_eq!(verdict(&lost(4), "0.03"), Shown::Open);
    assert_eq!(verdict(&lost(4), "0.05"), Shown::Open);
    assert_eq!(verdict(&lost(4), "0.08"), Shown::Keeps);
    // Nobody lost: no number of cases is too small, and no bound too narrow.
    assert_eq!(verdict(&lost(0), "0"), Shown::Keeps);
    assert_eq!(verdict(&[([0, 1, 1, 1], 1), ([2, 3, 2, 3], 1)], "0"), Shown::Keeps);
    // Nobody lost claims but the shares moved (one case with a denominator it did not have): not by default.
    assert_eq!(verdict(&[([3, 3, 3, 3], 2), ([0, 0, 0, 9], 1)], "0.1"), Shown::Open);
}

#[test]
fn a_level_is_the_decimal_that_is_written() {
    for (confidence, expected) in [("0.9", 0.1), ("0.95", 0.05), ("0.99", 0.01), ("0.999", 0.001)] {
        assert_eq!(alpha(&decimal(confidence)), expected);
    }
}

#[test]
fn quantiles_of_t_agree_with_tables() {
    // One-sided 0.8, 0.95 and 0.99, of the usual tables.
    for (freedom, expected) in [
        (1.0, [1.376, 6.314, 31.821]),
        (2.0, [1.061, 2.920, 6.965]),
        (3.0, [0.978, 2.353, 4.541]),
        (5.0, [0.920, 2.015, 3.365]),
        (10.0, [0.879, 1.812, 2.764]),
        (30.0, [0.854, 1.697, 2.457]),
        (120.0, [0.845, 1.658, 2.358]),
    ] {
        for (p, value) in [0.8, 0.95, 0.99].into_iter().zip(expected) {
            close(distrs::StudentsT::ppf(p, freedom), value, 6e-4);
        }
    }
    // Of many cases the normal distribution's.
    close(distrs::StudentsT::ppf(0.95, 1e15), 1.644_853_627, 1e-8);
}

/// p as the share of all sign patterns, from the definition: e as a double of small fractions.
fn by_hand(cases: &[Pair], average: Average) -> (f64, f64) {
    let seen = |&[k, n, l, o]: &Pair| {
        let [k, n, l, o] = [k, n, l, o].map(|count| count as f64);
        let ratio = |k: f64, n: f64| if n > 0.0 { (k / n, 1.0) } else { (0.0, 0.0) };
        match average {
            Average::Micro => ((k, n), (l, o)),
            Average::Macro => (ratio(k, n), ratio(l, o)),
        }
    };
    let cases: Vec<_> = cases.iter().map(seen).collect();
    let k: f64 = cases.iter().map(|((k, _), (l, _))| k + l).sum();
    let n: f64 = cases.iter().map(|((_, n), (_, o))| n + o).sum();
    let losses: Vec<f64> = cases.iter().map(|((k_, n_), (l, o))| (k_ - l) - k / n * (n_ - o)).collect();
    let total: f64 = losses.iter().sum();
    let hits = (0..1u32 << losses.len()).filter(|signs| {
        let sum: f64 = losses.iter().enumerate().map(|(i, e)| if signs >> i & 1 == 1 { -e } else { *e }).sum();
        sum >= total - 1e-9
    });
    (hits.count() as f64 / f64::from(1u32 << losses.len()), total)
}

fn paired(same: bool) -> impl Strategy<Value = Vec<Pair>> {
    let pair = (0u64..=6, 0u64..=6, 0u64..=6, 0u64..=6).prop_map(move |(k, n, l, o)| {
        let o = if same { n } else { o };
        [k.min(n), n, l.min(o), o]
    });
    proptest::collection::vec(pair, 1..=12)
}

fn averages() -> impl Strategy<Value = Average> {
    prop_oneof![Just(Average::Micro), Just(Average::Macro)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_exact_p_is_the_share_of_all_sign_patterns(cases in paired(true), average in averages()) {
        let pairs = histogram(&cases.iter().map(|pair| (*pair, 1)).collect::<Vec<_>>());
        let comparison = Comparison { average, ..micro(&pairs) };
        if let Some(result) = comparison.test(&decimal("0.95")) {
            prop_assert_eq!(result.method, Method::Exact);
            let (p, _) = by_hand(&cases, average);
            prop_assert!((result.p - p).abs() < 1e-12, "{} and {}", result.p, p);
            prop_assert!(result.p >= result.least_p);
        }
    }

    #[test]
    fn random_flips_come_close_to_all_sign_patterns(cases in paired(false), average in averages()) {
        let pairs = histogram(&cases.iter().map(|pair| (*pair, 1)).collect::<Vec<_>>());
        let comparison = Comparison { average, ..micro(&pairs) };
        if let (Some(result), Some(change)) = (comparison.test(&decimal("0.95")), comparison.change()) {
            let (p, total) = by_hand(&cases, average);
            // Five standard errors of 20,000 draws.
            prop_assert!((result.p - p).abs() < 5.0 * (0.25f64 / 20_000.0).sqrt(), "{} and {}", result.p, p);
            // The sum of what was lost and the drop have one sign.
            prop_assert!((total > 1e-9) == (change.drop > exact(0, 1)) || total.abs() < 1e-9);
        }
    }

    #[test]
    fn any_partition_merged_gives_the_same(cases in paired(false), cuts in proptest::collection::vec(0usize..4, 12)) {
        let whole = histogram(&cases.iter().map(|pair| (*pair, 1)).collect::<Vec<_>>());
        let mut parts = vec![Histogram::new(); 4];
        for (pair, part) in cases.iter().zip(cuts) {
            *parts[part].entry(*pair).or_default() += 1;
        }
        let mut merged = Histogram::new();
        for (pair, cases) in parts.into_iter().rev().flatten() {
            *merged.entry(pair).or_default() += cases;
        }
        for comparison in [micro, of_macro, rises] {
            let (one, other) = (comparison(&whole), comparison(&merged));
            prop_assert_eq!(one.change(), other.change());
            prop_assert_eq!(format!("{:?}", one.test(&decimal("0.95"))), format!("{:?}", other.test(&decimal("0.95"))));
        }
    }

    #[test]
    fn no_counts_are_too_large(counts in proptest::collection::vec(any::<(u64, u64, u64, u64, u64)>(), 1..6)) {
        let pairs: Vec<_> = counts.iter().map(|&(k, n, l, o, cases)| ([k, n, l, o], cases)).collect();
        let pairs = Histogram::from_iter(pairs);
        for comparison in [micro, of_macro, rises] {
            if let Some(result) = comparison(&pairs).test(&decimal("0.95")) {
                prop_assert!((0.0..=1.0).contains(&result.p) && (0.0..=1.0).contains(&result.smallest_detectable));
                prop_assert!(result.drop.is_finite() && result.reach.is_none_or(f64::is_finite));
            }
        }
    }
}

#[test]
fn many_cases_are_counted_exactly() {
    // 100,000 cases of which 21,500 changed, by one to four claims.
    let pairs = histogram(&[
        ([8, 8, 8, 8], 78_500),
        ([8, 8, 7, 8], 6_100),
        ([7, 8, 8, 8], 5_900),
        ([8, 8, 6, 8], 3_050),
        ([6, 8, 8, 8], 2_950),
        ([8, 8, 4, 8], 1_760),
        ([4, 8, 8, 8], 1_740),
    ]);
    let result = tested(&micro(&pairs));
    assert_eq!((result.method, result.changed), (Method::Exact, 21_500));
    // Σe = 200 + 200 + 80 = 480, Σe² = 12,000 + 4·6,000 + 16·3,500 = 92,000: z = 479.5/√92000 = 1.5809 → 0.0570.
    close(result.p, 0.0570, 2e-4);
}
