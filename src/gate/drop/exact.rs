//! The share of all sign flips that lose as much as the outcome did, by dynamic programming over the sizes of losses: the distribution
//! of the sum of the sizes so far, convolved with the binomial of the next one.

use super::cases::{Group, gcd};

/// Most multiplications that counting all flips may take.
const WORK: usize = 1 << 24;
/// Most different sums that are kept while doing so.
const SUMS: usize = 1 << 22;
/// Most different sums that are kept one by one where they lie far apart.
const SCATTERED: u64 = 1 << 16;
/// Probabilities at the ends of a distribution under this one are left out, and added to p.
const NEGLIGIBLE: f64 = 1e-30;

/// p by counting all flips; `None` where that takes too long.
pub(super) fn counted(groups: &[Group], lost: u128) -> Option<f64> {
    let unit = groups.iter().fold(0, |unit, group| gcd(unit, group.size)).max(1);
    let groups: Vec<(usize, u64)> =
        groups.iter().map(|group| (usize::try_from(group.size / unit).unwrap_or(usize::MAX), group.cases)).collect();
    let lost = usize::try_from(lost / unit).ok()?;
    dense(&groups, lost).or_else(|| scattered(&groups, lost))
}

/// Probabilities of consecutive whole numbers.
struct Distribution {
    /// The number that the first probability is of.
    low: usize,
    probabilities: Vec<f64>,
    /// What was left out at the ends, at most.
    rest: f64,
}

impl Distribution {
    /// Leaves out negligible ends.
    fn trimmed(mut self) -> Self {
        let is_kept = |probability: &f64| *probability >= NEGLIGIBLE;
        let first = self.probabilities.iter().position(is_kept).unwrap_or(0);
        let end = self.probabilities.iter().rposition(is_kept).map_or(self.probabilities.len(), |last| last + 1);
        self.rest += self.probabilities.drain(end..).sum::<f64>();
        self.rest += self.probabilities.drain(..first).sum::<f64>();
        self.low += first;
        self
    }
}

/// Up to this many draws every binomial coefficient is a whole number that a double holds.
const EXACT_DRAWS: u64 = 56;

/// The binomial distribution with n draws at ½; `None` where it is too wide.
fn binomial(n: u64) -> Option<Distribution> {
    if n <= EXACT_DRAWS {
        let mut coefficient = 1u64;
        let coefficients = (0..=n).map(|j| {
            let here = coefficient;
            // C(n, j+1) = C(n, j)·(n−j)/(j+1), which leaves no remainder.
            coefficient = u64::try_from(u128::from(here) * u128::from(n - j) / u128::from(j + 1)).unwrap_or(0);
            double(here)
        });
        let all = double(1 << n);
        let probabilities = coefficients.map(|coefficient| coefficient / all).collect();
        return Some(Distribution { low: 0, probabilities, rest: 0.0 });
    }
    // From the middle up, in units of the middle, until it is negligible.
    let half = n / 2;
    let mut upper = vec![1.0f64];
    let mut rest = 0.0;
    for j in half..n {
        let ratio = double(n - j) / double(j + 1);
        let next = upper.last().map_or(0.0, |weight| weight * ratio);
        if next < NEGLIGIBLE {
            // From here on each is smaller than the one before by this ratio at least; and so it is at the other end.
            rest = 2.0 * next / (1.0 - ratio);
            break;
        }
        if upper.len() > SUMS {
            return None;
        }
        upper.push(next);
    }
    // P(j) = P(n−j): of an odd n the middle has a twin above it.
    let mirrored = if n.is_multiple_of(2) { 1 } else { 2 };
    let mut probabilities: Vec<f64> = upper.iter().skip(mirrored).rev().copied().collect();
    let low = usize::try_from(half).ok()?.checked_sub(probabilities.len())?;
    probabilities.append(&mut upper);
    let total: f64 = probabilities.iter().sum();
    probabilities.iter_mut().for_each(|weight| *weight /= total);
    Some(Distribution { low, probabilities, rest: rest / total })
}

/// Standard deviations from the first to the last probability of a binomial, or a sum of them, that is not negligible:
/// exp(−x²/2) = 10⁻³⁰ at x = 11.8.
const WIDTH: f64 = 24.0;

/// Whether [`dense`] would take too long, told beforehand from how wide the sums become.
fn is_long(groups: &[(usize, u64)]) -> bool {
    let (mut range, mut variance, mut work) = (0.0f64, 0.0f64, 0.0f64);
    for &(size, cases) in groups {
        let (size, cases) = (double(size as u64), double(cases));
        let draws = cases.min(WIDTH / 2.0 * cases.sqrt());
        work += (range.min(WIDTH * variance.sqrt()) + 1.0) * (draws + 1.0);
        range += size * cases;
        variance += size * size * cases / 4.0;
    }
    work > double(WORK as u64) || range.min(WIDTH * variance.sqrt()) > double(SUMS as u64)
}

/// P(Σ size·B ≥ lost), group by group over all sums in a row; `None` where there are too many of them.
fn dense(groups: &[(usize, u64)], lost: usize) -> Option<f64> {
    if is_long(groups) {
        return None;
    }
    let mut sums = Distribution { low: 0, probabilities: vec![1.0], rest: 0.0 };
    let mut work = 0usize;
    for &(size, cases) in groups {
        let draws = binomial(cases)?;
        let length =
            draws.probabilities.len().checked_sub(1)?.checked_mul(size)?.checked_add(sums.probabilities.len())?;
        work = sums.probabilities.len().checked_mul(draws.probabilities.len())?.checked_add(work)?;
        if length > SUMS || work > WORK {
            return None;
        }
        let mut next = vec![0.0; length];
        for (j, draw) in draws.probabilities.iter().enumerate() {
            let shifted = next.iter_mut().skip(j * size);
            shifted.zip(&sums.probabilities).for_each(|(sum, probability)| *sum += probability * draw);
        }
        let low = draws.low.checked_mul(size)?.checked_add(sums.low)?;
        sums = Distribution { low, probabilities: next, rest: sums.rest + draws.rest }.trimmed();
    }
    let below = lost.saturating_sub(sums.low);
    Some(sums.probabilities.iter().skip(below).sum::<f64>() + sums.rest)
}

/// The same for few sums that lie far apart.
fn scattered(groups: &[(usize, u64)], lost: usize) -> Option<f64> {
    let most = groups.iter().fold(1u64, |product, (_, cases)| product.saturating_mul(cases.saturating_add(1)));
    if most > SCATTERED {
        return None;
    }
    let mut sums = vec![(0u128, 1.0f64)];
    for &(size, cases) in groups {
        let draws = binomial(cases)?;
        let draws: Vec<_> = (draws.low as u128..).zip(draws.probabilities).collect();
        let pairs = sums.iter().flat_map(|&(sum, probability)| {
            draws.iter().map(move |&(drawn, draw)| (sum + drawn * size as u128, probability * draw))
        });
        let mut next: Vec<_> = pairs.collect();
        next.sort_by_key(|&(sum, _)| sum);
        next.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += next.1;
            }
            is_same
        });
        sums = next;
    }
    Some(sums.iter().filter(|(sum, _)| *sum >= lost as u128).map(|(_, probability)| probability).sum())
}

#[allow(clippy::cast_precision_loss, reason = "statistics: beyond 2^53 the nearest double does")]
fn double(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        assert!((value / expected - 1.0).abs() < 1e-10, "{value}, expected {expected}");
    }

    #[test]
    fn binomials_are_those_of_the_triangle() {
        for n in [1u64, 2, 5, 56, 57, 58, 101, 120] {
            let drawn = binomial(n).expect("narrow");
            let mut coefficient = 1u128;
            for j in 0..=n {
                let expected = coefficient as f64 / 2f64.powi(n as i32);
                match (j as usize).checked_sub(drawn.low).and_then(|index| drawn.probabilities.get(index)) {
                    Some(probability) => close(*probability, expected),
                    None => assert!(n > 100 && expected < NEGLIGIBLE && expected < drawn.rest),
                }
                coefficient = coefficient * u128::from(n - j) / u128::from(j + 1);
            }
        }
    }

    #[test]
    fn wide_binomials_keep_what_matters() {
        let drawn = binomial(1_000_001).expect("narrow enough");
        close(drawn.probabilities.iter().sum(), 1.0);
        assert!(drawn.rest < 1e-25 && drawn.probabilities.len() < 20_000);
        // Twins in the middle of an odd n: 500,000 and 500,001, each about √(2/(πn)).
        let middle = 500_000 - drawn.low;
        assert_eq!(drawn.probabilities[middle], drawn.probabilities[middle + 1]);
        assert!((drawn.probabilities[middle] / (2.0 / (std::f64::consts::PI * 1_000_001.0)).sqrt() - 1.0).abs() < 1e-6);
        // P(B ≥ n/2 + 3.09·√n/2) = 0.001 of the normal table.
        let tail = dense(&[(1, 1_000_001)], 501_546).expect("narrow enough");
        assert!((tail - 0.001).abs() < 5e-6, "{tail}");
        assert!(binomial(u64::MAX).is_none());
    }

    #[test]
    fn sums_in_a_row_and_sums_far_apart_agree() {
        for groups in [vec![(1, 3), (2, 2), (7, 1)], vec![(3, 60)], vec![(1, 1), (1000, 2), (1001, 1)], vec![]] {
            let most: usize = groups.iter().map(|&(size, cases)| size * cases as usize).sum();
            for lost in (0..=most).step_by(most / 40 + 1) {
                let (row, apart) = (dense(&groups, lost).expect("few"), scattered(&groups, lost).expect("few"));
                assert!((row - apart).abs() < 1e-14, "{groups:?}, {lost}: {row} and {apart}");
            }
        }
        // 2^40 apart: no row holds that.
        let groups = [(1, 1), (1 << 40, 2)];
        assert_eq!((dense(&groups, 1 << 41), scattered(&groups, 1 << 41)), (None, Some(0.25)));
    }

    #[test]
    fn work_is_bounded() {
        let groups: Vec<(usize, u64)> = (1..=300).map(|size| (size * 1_000_003, 5)).collect();
        assert_eq!((dense(&groups, 1), scattered(&groups, 1)), (None, None));
        assert_eq!(dense(&[(usize::MAX, 3), (1, 2)], 1), None);
    }
}
