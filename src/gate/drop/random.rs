//! Random sign flips, the same ones on every machine.

use super::cases::Group;

/// Random flips where not all are counted; with the outcome itself they make 20,000.
pub const FLIPS: u32 = 19_999;

/// Seed of the random flips.
pub const SEED: u64 = 20_000;

/// Most words of random bits that groups of many cases may take for one flip.
const WORDS: u64 = 1 << 16;
/// Most tables for cases that are alone with their size or nearly so.
const TABLES: usize = 1 << 14;
/// Up to so many cases of one size are looked up one by one.
const FEW: u64 = 16;

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
pub(super) fn drawn(groups: &[Group], lost: u128) -> Option<u32> {
    let (few, many): (Vec<&Group>, Vec<&Group>) = groups.iter().partition(|group| group.cases <= FEW);
    let words = many.iter().fold(0u64, |sum, group| sum.saturating_add(group.cases.div_ceil(64)));
    let single = few.iter().fold(0u64, |sum, group| sum.saturating_add(group.cases));
    if words > WORDS || usize::try_from(single).ok()?.div_ceil(8) > TABLES {
        return None;
    }
    // Eight cases at a time, the sum of every choice of them ready.
    let single: Vec<u128> = few.iter().flat_map(|group| (0..group.cases).map(|_| group.size)).collect();
    let tables: Vec<[u128; 256]> = single.chunks(8).map(table).collect();
    let mut generator = Generator::new(SEED);
    let mut hits = 0;
    for _ in 0..FLIPS {
        let mut sum = 0u128;
        for tables in tables.chunks(8) {
            let mut bits = generator.next();
            for table in tables {
                sum += table[(bits & 0xff) as usize];
                bits >>= 8;
            }
        }
        for group in &many {
            sum += group.size * u128::from(heads(&mut generator, group.cases));
        }
        hits += u32::from(sum >= lost);
    }
    Some(hits)
}

/// The sum of every subset of at most eight sizes, by the bits of its index.
fn table(sizes: &[u128]) -> [u128; 256] {
    let mut sums = [0u128; 256];
    for index in 1..sums.len() {
        let without = index & (index - 1);
        let size = sizes.get(index.trailing_zeros() as usize).copied().unwrap_or(0);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        // The first numbers from seed 1234567 of the reference implementation.
        let mut generator = Generator::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| generator.next()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn a_table_holds_every_choice() {
        let table = table(&[3, 5, 11]);
        assert_eq!(table[..8], [0, 3, 5, 8, 11, 14, 16, 19]);
        // Bits beyond the last case choose nothing.
        assert_eq!(table[0b1111_0101], 14);
    }

    #[test]
    fn draws_follow_the_binomial() {
        let mut generator = Generator::new(7);
        for n in [1u64, 2, 63, 64, 65, 130] {
            let draws: Vec<u64> = (0..4000).map(|_| heads(&mut generator, n)).collect();
            assert!(draws.iter().all(|&draw| draw <= n));
            let mean = draws.iter().sum::<u64>() as f64 / 4000.0;
            let middle = n as f64 / 2.0;
            let variance = draws.iter().map(|&draw| (draw as f64 - middle).powi(2)).sum::<f64>() / 4000.0;
            // Within four standard errors of n/2 and n/4.
            assert!((mean - middle).abs() < 4.0 * (n as f64 / 4.0 / 4000.0).sqrt(), "{n}: {mean}");
            assert!((variance / (n as f64 / 4.0) - 1.0).abs() < 4.0 * (2.0f64 / 4000.0).sqrt(), "{n}: {variance}");
        }
    }
}
