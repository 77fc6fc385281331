//! What each paired case lost, in whole numbers.
//!
//! eᵢ = (kᵢ − k′ᵢ) − p̄(nᵢ − n′ᵢ) with p̄ = (K+K′)/(N+N′): what the case lost beyond what the change of its denominator makes at the
//! common value. Their sum is 0 where both values are equal, and positive where the value dropped. Where every nᵢ = n′ᵢ it is
//! plainly the claims that the case lost. Lower-is-better metrics have the signs turned.
//!
//! All eᵢ are multiplied by one number that makes them whole, so that two outcomes that are equally bad compare as equal.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use super::Comparison;
use crate::rules::metric::{Average, Direction};
use crate::tally::shorten;

/// Widest common denominator of per-case ratios that is used as it is; beyond it (weights only) ratios are rounded to multiples
/// of 2^−96.
const WIDEST: u128 = 1 << 96;

/// Most bits of Σ|eᵢ|: sums of them fit 128 bits.
const BITS: u64 = 120;

/// Cases that lost or gained equally much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Group {
    /// |eᵢ|, scaled; not 0.
    pub size: u128,
    /// How many of them lost.
    pub lost: u64,
    /// How many lost or gained.
    pub cases: u64,
}

/// What the cases lost and gained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Losses {
    /// By size, ascending; cases with e = 0 left out.
    pub groups: Vec<Group>,
    /// Whether every nᵢ = n′ᵢ.
    pub same_denominators: bool,
    /// By how much a size may be off, where numbers too wide for exact sums were rounded; else 0.
    pub error: u128,
    /// Whether any case got worse, see [`Tested::any_lost`](super::Tested::any_lost).
    pub any_worse: bool,
}

impl Losses {
    /// Cases with e ≠ 0.
    pub(super) fn changed(&self) -> u64 {
        self.groups.iter().fold(0, |sum, group| sum.saturating_add(group.cases))
    }
}

/// One entry of a histogram with k := k/n·scale and n := 1 for macro averages.
struct Row {
    k: [BigInt; 2],
    n: [u64; 2],
    cases: u64,
}

/// What each case of the comparison lost.
pub(super) fn losses(comparison: &Comparison<'_>) -> Losses {
    let (rows, is_rounded) = rows(comparison);
    let same_denominators = rows.iter().all(|row| row.n[0] == row.n[1]);
    let total = |of: &dyn Fn(&Row) -> BigInt| rows.iter().map(|row| of(row) * row.cases).sum::<BigInt>();
    let k = total(&|row| &row.k[0] + &row.k[1]);
    let n = total(&|row| BigInt::from(row.n[0]) + row.n[1]);
    let mut sizes: BTreeMap<BigInt, (u64, u64)> = BTreeMap::new();
    let mut any_worse = comparison.pairs.iter().any(|(pair, &cases)| cases > 0 && is_worse(pair, comparison.direction));
    for row in &rows {
        let lost = &row.k[0] - &row.k[1];
        let lost = if same_denominators { lost } else { lost * &n - &k * (BigInt::from(row.n[0]) - row.n[1]) };
        let lost = if comparison.direction == Direction::Lower { -lost } else { lost };
        if lost == BigInt::ZERO || row.cases == 0 {
            continue;
        }
        any_worse |= lost.is_positive();
        let (worse, cases) = sizes.entry(lost.abs()).or_default();
        *cases = cases.saturating_add(row.cases);
        if lost.is_positive() {
            *worse = worse.saturating_add(row.cases);
        }
    }
    // A rounded ratio is off by less than 1, so that e is off by less than 2, or 2(N+N′) + (N+N′) where it is scaled by N+N′.
    let error = match (is_rounded, same_denominators) {
        (false, _) => BigInt::ZERO,
        (true, true) => BigInt::from(2u8),
        (true, false) => &n * 3u8,
    };
    let (groups, error) = narrowed(sizes, &error);
    Losses { groups, same_denominators, error, any_worse }
}

/// Sizes as 128-bit numbers whose sum fits too, and by how much they may be off: low bits are dropped where they do not fit.
fn narrowed(sizes: BTreeMap<BigInt, (u64, u64)>, error: &BigInt) -> (Vec<Group>, u128) {
    let total: BigInt = sizes.iter().map(|(size, (_, cases))| size * cases).sum();
    let shift = total.bits().saturating_sub(BITS);
    let narrow = |size: &BigInt| (size >> shift).to_u128().unwrap_or(u128::MAX >> 8);
    let error = if shift == 0 { narrow(error) } else { narrow(error).saturating_add(2) };
    let mut groups: Vec<Group> = Vec::with_capacity(sizes.len());
    for (size, (lost, cases)) in sizes {
        // What was too small beside the largest to be seen is kept as the smallest that is.
        let size = narrow(&size).max(1);
        match groups.last_mut() {
            Some(group) if group.size == size => {
                group.lost = group.lost.saturating_add(lost);
                group.cases = group.cases.saturating_add(cases);
            }
            _ => groups.push(Group { size, lost, cases }),
        }
    }
    (groups, error)
}

/// The entries of the histogram as the average sees them, and whether ratios were rounded.
fn rows(comparison: &Comparison<'_>) -> (Vec<Row>, bool) {
    let pairs = comparison.pairs.iter();
    if comparison.average == Average::Micro {
        let rows = pairs
            .map(|(&[k, n, l, o], &cases)| Row { k: [BigInt::from(k), BigInt::from(l)], n: [n, o], cases })
            .collect();
        return (rows, false);
    }
    let ratios: Vec<_> = pairs
        .map(|(&[k, n, l, o], &cases)| ([(k, n), (l, o)].map(|(k, n)| lowest_terms(k, n)), [n, o], cases))
        .collect();
    let denominators = ratios.iter().flat_map(|(sides, _, _)| sides.map(|(_, n)| u128::from(n)));
    let scale = denominators
        .fold(1u128, |scale, n| if scale > WIDEST { scale } else { (scale / gcd(scale, n)).saturating_mul(n) });
    let is_rounded = scale > WIDEST;
    let scale = BigInt::from(if is_rounded { WIDEST } else { scale });
    let rows = ratios.into_iter().map(|(sides, n, cases)| Row {
        k: sides.map(|(k, n)| BigInt::from(k) * &scale / n),
        n: n.map(|n| u64::from(n > 0)),
        cases,
    });
    (rows.collect(), is_rounded)
}

/// k/n as the macro average of a tally has it; 0/1 where n is 0.
pub(super) fn lowest_terms(k: u64, n: u64) -> (u64, u64) {
    if n == 0 { (0, 1) } else { shorten(k, n) }
}

/// Whether a case's own ratio is worse now, or there is none any more.
fn is_worse(&[k, n, l, o]: &[u64; 4], direction: Direction) -> bool {
    let [before, now] = [(k, o), (l, n)].map(|(k, n)| u128::from(k) * u128::from(n));
    match (n, o, direction) {
        (0, _, _) => false,
        (_, 0, _) => true,
        (_, _, Direction::Lower) => now > before,
        (_, _, Direction::Higher | Direction::Neither) => now < before,
    }
}

/// Greatest common divisor; that of 0 and n is n.
pub(super) const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
