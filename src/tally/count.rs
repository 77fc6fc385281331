//! Counts of one metric in one slice: sums over cases that add up in any order.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::Zero;

/// What one case contributes to a metric in a slice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Contribution {
    /// Numerator.
    pub k: u64,
    /// Denominator.
    pub n: u64,
    /// Subjects on which an evaluation that the metric rests on broke.
    pub broken: u64,
    /// Those of them that are not in the denominator.
    pub broken_outside: u64,
}

/// Counts of one metric in one slice. Addition is commutative and associative, and the empty value is its zero. Sums
/// stop at the end of their range instead of wrapping around.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// K: sum of the numerators kᵢ.
    pub k: u64,
    /// N: sum of the denominators nᵢ.
    pub n: u64,
    /// m: cases with nᵢ > 0.
    pub cases: u64,
    /// Σkᵢ².
    pub kk: u128,
    /// Σkᵢnᵢ.
    pub kn: u128,
    /// Σnᵢ².
    pub nn: u128,
    /// Subjects on which an evaluation that the metric rests on broke.
    pub broken: u64,
    /// Those of them that are not in the denominator.
    pub broken_outside: u64,
    /// The per-case ratios kᵢ/nᵢ, for the macro average.
    pub ratios: Ratios,
}

impl Counts {
    /// Adds what one case contributes.
    pub fn add(&mut self, case: Contribution) {
        let Contribution { k, n, broken, broken_outside } = case;
        self.broken = self.broken.saturating_add(broken);
        self.broken_outside = self.broken_outside.saturating_add(broken_outside);
        if k == 0 && n == 0 {
            return;
        }
        self.k = self.k.saturating_add(k);
        self.n = self.n.saturating_add(n);
        let (wide_k, wide_n) = (u128::from(k), u128::from(n));
        self.kk = self.kk.saturating_add(wide_k * wide_k);
        self.kn = self.kn.saturating_add(wide_k * wide_n);
        self.nn = self.nn.saturating_add(wide_n * wide_n);
        if n > 0 {
            self.cases = self.cases.saturating_add(1);
            self.ratios.add(k, n);
        }
    }

    /// Adds what was counted elsewhere.
    pub fn merge(&mut self, other: &Counts) {
        self.k = self.k.saturating_add(other.k);
        self.n = self.n.saturating_add(other.n);
        self.cases = self.cases.saturating_add(other.cases);
        self.kk = self.kk.saturating_add(other.kk);
        self.kn = self.kn.saturating_add(other.kn);
        self.nn = self.nn.saturating_add(other.nn);
        self.broken = self.broken.saturating_add(other.broken);
        self.broken_outside = self.broken_outside.saturating_add(other.broken_outside);
        self.ratios.merge(&other.ratios);
    }

    /// Whether nothing was counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.k == 0 && self.n == 0 && self.broken == 0
    }
}

/// Denominators up to this one are kept in a plain list: almost every case has fewer claims and citations.
const SHORT: u64 = 64;
/// Largest denominator (in lowest terms) that is kept exactly. Only weights have larger ones.
const EXACT: u64 = 1 << 16;
/// Denominator that ratios with a larger one are rounded to, half up.
const ROUNDED: u64 = 1_000_000_000_000;

/// Sums over the ratios k/n of cases with one denominator n.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RatioSums {
    /// Σk.
    pub k: u128,
    /// Σk².
    pub kk: u128,
}

/// The ratios of cases, summed exactly: by denominator, the sum of the numerators and of their squares. Ratios whose
/// denominator in lowest terms is over 65,536 (weights only) are rounded to trillionths first, each on its own, so that
/// the sums still do not depend on their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ratios {
    /// Denominators 1 to [`SHORT`], by index n − 1. Never ends in a zero.
    short: Vec<RatioSums>,
    long: BTreeMap<u64, RatioSums>,
}

impl Ratios {
    /// Adds k/n; n is not 0.
    fn add(&mut self, k: u64, n: u64) {
        self.add_many(k, n, 1);
    }

    /// Adds k/n of this many cases; n is not 0.
    pub(crate) fn add_many(&mut self, k: u64, n: u64, cases: u64) {
        let (k, n) = if n <= SHORT { (k, n) } else { shorten(k, n) };
        let (k, cases) = (u128::from(k), u128::from(cases));
        self.add_sums(n, RatioSums { k: k * cases, kk: (k * k).saturating_mul(cases) });
    }

    /// Adds the sums of several ratios with denominator n.
    pub(super) fn add_sums(&mut self, n: u64, sums: RatioSums) {
        if sums.k == 0 || n == 0 {
            return;
        }
        let entry = match usize::try_from(n - 1) {
            Ok(index) if n <= SHORT => {
                if self.short.len() <= index {
                    self.short.resize(index + 1, RatioSums::default());
                }
                self.short.get_mut(index)
            }
            _ => Some(self.long.entry(n).or_default()),
        };
        if let Some(entry) = entry {
            entry.k = entry.k.saturating_add(sums.k);
            entry.kk = entry.kk.saturating_add(sums.kk);
        }
    }

    fn merge(&mut self, other: &Ratios) {
        for (n, sums) in other.iter() {
            self.add_sums(n, sums);
        }
    }

    /// Denominators with their sums, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u64, RatioSums)> + '_ {
        let short = (1..).zip(self.short.iter().copied()).filter(|(_, sums)| sums.k > 0);
        short.chain(self.long.iter().map(|(&n, &sums)| (n, sums)))
    }

    /// Σ kᵢ/nᵢ as an exact fraction (numerator, denominator), not in lowest terms; 0/1 where there is none.
    #[must_use]
    pub fn sum(&self) -> (BigUint, BigUint) {
        self.fraction(|n, sums| (BigUint::from(sums.k), BigUint::from(n)))
    }

    /// Σ (kᵢ/nᵢ)² as an exact fraction.
    #[must_use]
    pub fn sum_of_squares(&self) -> (BigUint, BigUint) {
        self.fraction(|n, sums| (BigUint::from(sums.kk), BigUint::from(n) * n))
    }

    /// Sums fractions pairwise, so that the common denominator stays small for as long as it can.
    fn fraction(&self, of: impl Fn(u64, RatioSums) -> (BigUint, BigUint)) -> (BigUint, BigUint) {
        let mut terms: Vec<_> = self.iter().map(|(n, sums)| of(n, sums)).collect();
        while terms.len() > 1 {
            terms = terms
                .chunks(2)
                .map(|pair| match pair {
                    [a, b] => add_fractions(a, b),
                    rest => rest.first().cloned().unwrap_or_default(),
                })
                .collect();
        }
        terms.pop().unwrap_or_else(|| (BigUint::zero(), BigUint::from(1u8)))
    }
}

fn add_fractions((a, b): &(BigUint, BigUint), (c, d): &(BigUint, BigUint)) -> (BigUint, BigUint) {
    let common = greatest_divisor(b.clone(), d.clone());
    let (left, right) = (d / &common, b / &common);
    (a * &left + c * &right, b * left)
}

/// Euclid's algorithm.
fn greatest_divisor(mut a: BigUint, mut b: BigUint) -> BigUint {
    while !b.is_zero() {
        let rest = &a % &b;
        a = std::mem::replace(&mut b, rest);
    }
    a
}

/// k/n in lowest terms, rounded to trillionths where its denominator is then over [`EXACT`].
pub(crate) fn shorten(k: u64, n: u64) -> (u64, u64) {
    let divisor = gcd(k, n).max(1);
    let (k, n) = (k / divisor, n / divisor);
    if n <= EXACT {
        return (k, n);
    }
    let (wide_k, wide_n) = (u128::from(k), u128::from(n));
    let rounded = (wide_k * u128::from(ROUNDED) * 2 + wide_n) / (wide_n * 2);
    (u64::try_from(rounded).unwrap_or(u64::MAX), ROUNDED)
}

/// Greatest common divisor; that of 0 and n is n.
pub(super) const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contribution(k: u64, n: u64) -> Contribution {
        Contribution { k, n, ..Contribution::default() }
    }

    #[test]
    fn sums_are_those_of_the_definition() {
        let mut counts = Counts::default();
        for (k, n) in [(1, 2), (3, 3), (0, 4), (0, 0)] {
            counts.add(contribution(k, n));
        }
        // Σk = 4, Σn = 9, Σk² = 1+9, Σkn = 2+9, Σn² = 4+9+16; the case without a denominator does not count.
        let Counts { k, n, cases, kk, kn, nn, .. } = counts;
        assert_eq!((k, n, cases, kk, kn, nn), (4, 9, 3, 10, 11, 29));
        // 1/2 + 3/3 + 0/4 = 3/2, 1/4 + 1 = 5/4.
        let (numerator, denominator) = counts.ratios.sum();
        assert_eq!(numerator * 2u8, denominator * 3u8);
        let (numerator, denominator) = counts.ratios.sum_of_squares();
        assert_eq!(numerator * 4u8, denominator * 5u8);
    }

    #[test]
    fn ratios_keep_long_denominators_exactly_and_round_longer_ones() {
        assert_eq!(shorten(2, 200), (1, 100));
        assert_eq!(shorten(1, 65_536), (1, 65_536));
        // 1/3000000 = 0.000000333333… → 333,333 trillionths.
        assert_eq!(shorten(1, 3_000_000), (333_333, ROUNDED));
        // 2/3000001 = 6.66666444e-7 → 666,666.44 → 666,666.
        assert_eq!(shorten(2, 3_000_001), (666_666, ROUNDED));
        let mut ratios = Ratios::default();
        ratios.add(1, 100);
        ratios.add(1, 3);
        let (numerator, denominator) = ratios.sum();
        assert_eq!(numerator * 300u32, denominator * 103u32);
    }

    #[test]
    fn extreme_counts_neither_wrap_nor_panic() {
        let mut counts = Counts::default();
        counts.add(contribution(u64::MAX, u64::MAX));
        counts.add(contribution(u64::MAX, 1));
        counts.merge(&counts.clone());
        assert_eq!((counts.k, counts.cases), (u64::MAX, 4));
    }
}
