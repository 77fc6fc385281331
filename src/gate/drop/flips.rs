//! The sign-flip test: how often chance alone would make a drop as large as the one seen.
//!
//! Were baseline and now the same system, it would be chance which of a case's two results is which, and each eᵢ as likely
//! −eᵢ. Of all 2^m ways to choose the signs, p is the share whose sum is at least T = Σeᵢ (R. A. Fisher, "The Design of Experiments",
//! 1935, § 21; E. J. G. Pitman, 1937). A case flips whole, so that its claims need not be independent. With one claim per case it is
//! McNemar's test in its exact form (Q. McNemar, Psychometrika 12, 1947): lost cases against a binomial of all changed ones.
//!
//! With P the sum of what was lost and B the cases of a size |e| that chance has lose, Σ sᵢeᵢ ≥ T iff Σ |e|·B ≥ P, and each B is
//! binomial with ½ on its own: cases that changed equally much are one draw.

use super::Method;
use super::cases::{Group, Losses, gcd};

/// Random flips where not all are counted; with the outcome itself they make 20,000.
pub const FLIPS: u32 = 19_999;

/// Seed of the random flips.
pub const SEED: u64 = 20_000;

/// Most multiplications that counting all flips may take.
const WORK: usize = 1 << 25;
/// Most different sums that are kept while doing so.
const SUMS: usize = 1 << 22;
/// Most different sums that are kept one by one where they lie far apart.
const SCATTERED: usize = 1 << 16;
/// Most draws and table look-ups that one random flip may take.
const DRAWS: usize = 1 << 16;
/// Probabilities at the ends of a distribution under this one are left out, and added to p.
const NEGLIGIBLE: f64 = 1e-30;

/// p, the least that it could have been, and how it was come by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tail {
    pub p: f64,
    pub least: f64,
    pub method: Method,
}

/// The one-sided p of the losses.
pub(super) fn tail(losses: &Losses) -> Tail {
    let changed = losses.changed();
    let least = 0.5f64.powi(i32::try_from(changed).unwrap_or(i32::MAX));
    let groups = &losses.groups;
    let lost = groups.iter().fold(0u128, |sum, group| sum.saturating_add(group.size.saturating_mul(group.lost.into())));
    let is_whole = losses.error == 0;
    if losses.same_denominators
        && is_whole
        && let Some(p) = counted(groups, lost)
    {
        return Tail { p: p.clamp(least, 1.0), least, method: Method::Exact };
    }
    // Sums that rounding cannot tell from P count as P: p is never understated.
    let target = lost.saturating_sub(losses.error.saturating_mul(changed.into()));
    match drawn(groups, target) {
        Some(hits) => {
            let share = |hits: u32| f64::from(hits + 1) / f64::from(FLIPS + 1);
            let least = least.max(share(0));
            Tail { p: share(hits).max(least), least, method: Method::Flips { flips: FLIPS, seed: SEED } }
        }
        None => Tail { p: limit(groups).max(least), least, method: Method::Limit },
    }
}

/// p by counting all flips; `None` where that takes too long.
fn counted(groups: &[Group], lost: u128) -> Option<f64> {
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

/// P(Σ size·B ≥ lost), group by group over all sums in a row; `None` where there are too many of them.
fn dense(groups: &[(usize, u64)], lost: usize) -> Option<f64> {
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
    let mut sums = vec![(0u128, 1.0f64)];
    for &(size, cases) in groups {
        let draws = binomial(cases)?;
        if sums.len().checked_mul(draws.probabilities.len())? > SCATTERED {
            return None;
        }
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

/// SplitMix64 (G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
pub(super) struct Generator(u64);

impl Generator {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// How many random flips lose at least `lost`; `None` where drawing them takes too long.
///
/// p = (1 + hits)/(1 + flips) counts the outcome itself as one of the flips, without which p could be 0 and the test would fail too
/// often (B. Phipson and G. K. Smyth, Stat. Appl. Genet. Mol. Biol. 9, 2010).
fn drawn(groups: &[Group], lost: u128) -> Option<u32> {
    let (single, many): (Vec<&Group>, Vec<&Group>) = groups.iter().partition(|group| group.cases == 1);
    // Eight cases at a time, the sum of every choice of them ready.
    let tables: Vec<[u128; 256]> = single.chunks(8).map(table).collect();
    let words = many.iter().fold(0u64, |sum, group| sum.saturating_add(group.cases.div_ceil(64)));
    if usize::try_from(words).ok()?.checked_add(tables.len())? > DRAWS {
        return None;
    }
    let mut generator = Generator::new(SEED);
    let mut hits = 0;
    for _ in 0..FLIPS {
        let mut sum = 0u128;
        for tables in tables.chunks(8) {
            let bits = generator.next().to_le_bytes();
            sum += tables.iter().zip(bits).filter_map(|(table, byte)| table.get(usize::from(byte))).sum::<u128>();
        }
        for group in &many {
            sum += group.size * u128::from(heads(&mut generator, group.cases));
        }
        hits += u32::from(sum >= lost);
    }
    Some(hits)
}

/// The sum of every subset of at most eight sizes, by the bits of its index.
fn table(groups: &[&Group]) -> [u128; 256] {
    let mut sums = [0u128; 256];
    for index in 1..sums.len() {
        let without = index & (index - 1);
        let size = groups.get(index.trailing_zeros() as usize).map_or(0, |group| group.size);
        sums[index] = sums[without] + size;
    }
    sums
}

/// A draw from the binomial distribution with n draws at ½: the ones among n random bits.
fn heads(generator: &mut Generator, n: u64) -> u64 {
    let whole: u64 = (0..n / 64).map(|_| u64::from(generator.next().count_ones())).sum();
    let left = n % 64;
    if left == 0 { whole } else { whole + u64::from((generator.next() >> (64 - left)).count_ones()) }
}

/// An upper limit of p that needs no drawing: P(Σ sᵢeᵢ ≥ T) ≤ exp(−T²/(2Σeᵢ²)) for T > 0 (W. Hoeffding, JASA 58, 1963).
fn limit(groups: &[Group]) -> f64 {
    let sum = |of: &dyn Fn(f64, f64, f64) -> f64| -> f64 {
        groups.iter().map(|group| of(wide(group.size), double(group.lost), double(group.cases))).sum()
    };
    let total = sum(&|size, lost, cases| size * (2.0 * lost - cases));
    let squares = sum(&|size, _, cases| size * size * cases);
    if total <= 0.0 { 1.0 } else { (-total * total / (2.0 * squares)).exp() }
}

#[allow(clippy::cast_precision_loss, reason = "statistics: beyond 2^53 the nearest double does")]
fn double(count: u64) -> f64 {
    count as f64
}

#[allow(clippy::cast_precision_loss, reason = "statistics: beyond 2^53 the nearest double does")]
fn wide(size: u128) -> f64 {
    size as f64
}
