//! How often the verdicts are wrong, on made-up runs whose truth is known. Seeds are fixed, so that the shares are too.

use super::random::Generator;
use super::tests::decimal;
use super::*;
use crate::rules::confidence::normal_quantile;

/// A made-up system: in each case of each run, whether retrieval went well decides some claims at once.
#[derive(Clone, Copy)]
struct System {
    /// Share of claims that are supported.
    supported: f64,
    /// Correlation of two claims of one answer.
    correlation: f64,
    /// Claims of an answer, from and to.
    claims: (u64, u64),
}

const PRODUCT: System = System { supported: 0.85, correlation: 0.2, claims: (8, 8) };

struct Chance(Generator);

impl Chance {
    fn happens(&mut self, probability: f64) -> bool {
        ((self.0.next() >> 11) as f64) / 2f64.powi(53) < probability
    }

    /// One answer: each claim takes the outcome of the whole answer with probability √ρ and else its own, so that any two of
    /// its claims are correlated by ρ.
    fn answer(&mut self, system: System) -> (u64, u64) {
        let (least, most) = system.claims;
        let n = least + self.0.next() % (most - least + 1);
        let whole = self.happens(system.supported);
        let follows = system.correlation.sqrt();
        let k = (0..n).filter(|_| if self.happens(follows) { whole } else { self.happens(system.supported) }).count();
        (k as u64, n)
    }

    fn pairs(&mut self, baseline: System, now: System, cases: usize) -> Histogram {
        let mut pairs = Histogram::new();
        for _ in 0..cases {
            let ((k, n), (later_k, later_n)) = (self.answer(baseline), self.answer(now));
            *pairs.entry([k, n, later_k, later_n]).or_default() += 1;
        }
        pairs
    }
}

fn compare(pairs: &Histogram, average: Average) -> (Change, Tested) {
    let comparison = Comparison { pairs, average, direction: Direction::Higher };
    (comparison.change().expect("denominators"), comparison.test(&decimal("0.95")).expect("denominators"))
}

/// The share of this many rounds in which `is_so`.
fn share(rounds: u32, seed: u64, mut is_so: impl FnMut(&mut Chance) -> bool) -> f64 {
    let mut chance = Chance(Generator::new(seed));
    f64::from((0..rounds).map(|_| u32::from(is_so(&mut chance))).sum::<u32>()) / f64::from(rounds)
}

fn worse_by(drop: f64) -> System {
    System { supported: PRODUCT.supported - drop, ..PRODUCT }
}

/// The textbook test of two proportions, as if claims were independent.
fn naive_is_significant(pairs: &Histogram) -> bool {
    let sum = |index: usize| pairs.iter().map(|(pair, &cases)| (pair[index] * cases) as f64).sum::<f64>();
    let (k, n, later_k, later_n) = (sum(0), sum(1), sum(2), sum(3));
    let p = (k + later_k) / (n + later_n);
    let error = (p * (1.0 - p) * (1.0 / n + 1.0 / later_n)).sqrt();
    (k / n - later_k / later_n) / error >= normal_quantile(0.95)
}

#[test]
fn noise_is_not_taken_for_a_drop() {
    let (mut naive, rounds) = (0u32, 3000);
    let alarms = share(rounds, 1, |chance| {
        let pairs = chance.pairs(PRODUCT, PRODUCT, 60);
        naive += u32::from(naive_is_significant(&pairs));
        compare(&pairs, Average::Micro).1.p <= 0.05
    });
    let naive = f64::from(naive) / f64::from(rounds);
    println!("false alarms at 5 %: {alarms}, of the test over claims {naive}");
    assert!((0.03..=0.065).contains(&alarms), "{alarms}");
    assert!(naive > 0.10, "{naive}");
}

#[test]
fn noise_is_not_taken_for_a_drop_where_answers_differ_in_length() {
    let system = System { claims: (2, 4), ..PRODUCT };
    // 5 % give or take three standard errors of so many rounds.
    for (average, seed, rounds, range) in
        [(Average::Micro, 2, 400, 0.017..=0.083), (Average::Macro, 3, 1500, 0.03..=0.067)]
    {
        let alarms = share(rounds, seed, |chance| compare(&chance.pairs(system, system, 60), average).1.p <= 0.05);
        println!("false alarms at 5 %, {average}, answers of 2 to 4 claims: {alarms}");
        assert!(range.contains(&alarms), "{average}: {alarms}");
    }
}

#[test]
fn a_true_drop_is_found_and_the_smallest_detectable_one_four_times_in_five() {
    let mut detectable = 0.0;
    let rounds = 400;
    let _ = share(rounds, 4, |chance| {
        detectable += compare(&chance.pairs(PRODUCT, worse_by(0.1), 60), Average::Micro).1.smallest_detectable;
        true
    });
    detectable /= f64::from(rounds);
    let found = |drop, seed| {
        share(rounds, seed, |chance| compare(&chance.pairs(PRODUCT, worse_by(drop), 60), Average::Micro).1.p <= 0.05)
    };
    let (large, smallest) = (found(0.15, 5), found(detectable, 6));
    println!("a drop of 0.15 is found: {large}; the smallest detectable one, {detectable}: {smallest}");
    assert!(large > 0.9, "{large}");
    assert!((0.72..=0.88).contains(&smallest), "{smallest}");
}

#[test]
fn a_gate_on_many_slices_fails_no_more_often_by_chance_than_on_one() {
    let (mut plain, rounds) = (0u32, 1000);
    let alarms = share(rounds, 7, |chance| {
        let slices: Vec<(f64, f64)> = (0..6)
            .map(|_| compare(&chance.pairs(PRODUCT, PRODUCT, 30), Average::Micro).1)
            .map(|tested| (tested.p, tested.least_p))
            .collect();
        plain += u32::from(slices.iter().any(|(p, _)| *p <= 0.05));
        holm(&slices, 0.05).iter().any(|p| *p <= 0.05)
    });
    let plain = f64::from(plain) / f64::from(rounds);
    println!("any of six slices fails by chance: {alarms}, without the adjustment {plain}");
    assert!(alarms <= 0.065, "{alarms}");
    assert!(plain > 0.15, "{plain}");
}

#[test]
fn a_drop_as_large_as_the_bound_is_rarely_shown_to_keep_it() {
    let bound = decimal("0.05");
    for (average, seed) in [(Average::Micro, 8), (Average::Macro, 9)] {
        let wrong = share(2000, seed, |chance| {
            let (change, tested) = compare(&chance.pairs(PRODUCT, worse_by(0.05), 60), average);
            judge(&change, &bound, false, &tested, tested.p) == Shown::Keeps
        });
        println!("keeps wrongly at 5 %, {average}: {wrong}");
        assert!(wrong <= 0.065, "{average}: {wrong}");
    }
    // And with enough cases no drop at all is shown to keep it.
    let right = share(100, 10, |chance| {
        let (change, tested) = compare(&chance.pairs(PRODUCT, PRODUCT, 600), Average::Micro);
        judge(&change, &bound, false, &tested, tested.p) == Shown::Keeps
    });
    println!("keeps rightly, 600 cases: {right}");
    assert!(right > 0.9, "{right}");
}
