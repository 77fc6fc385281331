//! How far the true drop may lie from the one that was seen.
//!
//! V = m/(m−1)·Σ\[(kᵢ − p·nᵢ)/N − (k′ᵢ − p′·n′ᵢ)/N′\]² over the m paired cases is the linearised variance of the difference of two ratios
//! whose cases are paired clusters (W. G. Cochran, "Sampling Techniques", 3rd ed. 1977, § 6.3; with the factor m/(m−1) the cluster-robust
//! estimator HC1/CR1: K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986), referred to Student's t with m−1 degrees of freedom.

use distrs::StudentsT;

use super::Comparison;
use super::cases::lowest_terms;
use crate::rules::metric::Average;

/// How often a drop of the smallest detectable size is to be shown: four times in five, as is usual (J. Cohen, "Statistical Power
/// Analysis for the Behavioral Sciences", 1988).
const POWER: f64 = 0.8;

/// What the paired cases say of the drop's size.
pub(super) struct Spread {
    /// m.
    pub cases: u64,
    /// √V.
    pub standard_error: Option<f64>,
    /// See [`Tested::reach`](super::Tested::reach).
    pub reach: Option<f64>,
    /// See [`Tested::smallest_detectable`](super::Tested::smallest_detectable).
    pub smallest_detectable: f64,
}

/// One entry of the histogram as the average sees it.
struct Row {
    k: f64,
    n: f64,
    later_k: f64,
    later_n: f64,
    cases: f64,
}

/// The spread over cases, for tests at level `alpha`; `None` where a denominator is 0.
pub(super) fn of(comparison: &Comparison<'_>, alpha: f64) -> Option<Spread> {
    let measured = || comparison.pairs.iter().filter(|(pair, _)| pair[1] > 0 || pair[3] > 0);
    let rows: Vec<Row> = measured().map(|(pair, &cases)| row(pair, cases, comparison.average)).collect();
    let sum = |of: &dyn Fn(&Row) -> f64| rows.iter().map(|row| row.cases * of(row)).sum::<f64>();
    let (n, later_n) = (sum(&|row| row.n), sum(&|row| row.later_n));
    if n <= 0.0 || later_n <= 0.0 {
        return None;
    }
    let (p, later_p) = (sum(&|row| row.k) / n, sum(&|row| row.later_k) / later_n);
    let squares = sum(&|row| {
        let residual = (row.k - p * row.n) / n - (row.later_k - later_p * row.later_n) / later_n;
        residual * residual
    });
    let cases = measured().fold(0u64, |sum, (_, &cases)| sum.saturating_add(cases));
    let m = double(cases);
    let standard_error = (cases > 1).then(|| (m / (m - 1.0) * squares).sqrt());
    // With no case worse out of m, a share of cases up to this one may still get worse unseen: (1−x)^m = α.
    let unseen = -(alpha.ln() / m).exp_m1();
    let quantile = |p: f64| StudentsT::ppf(p, m - 1.0);
    let reach = standard_error.map(|error| (quantile(1.0 - alpha) * error).max(unseen));
    let seen = standard_error.map_or(1.0, |error| (quantile(1.0 - alpha) + quantile(POWER)) * error);
    let least = least_change(comparison, alpha, n);
    Some(Spread { cases, standard_error, reach, smallest_detectable: seen.max(unseen).max(least).min(1.0) })
}

/// The drop that the least number of worse cases makes which could be significant, each with one subject less: g cases with
/// 2^−g ≤ α, so g = ⌈log₂(1/α)⌉. Micro: g/N; macro: g/m · the mean of 1/nᵢ.
fn least_change(comparison: &Comparison<'_>, alpha: f64, n: f64) -> f64 {
    let worse = (-alpha.log2() - 1e-9).ceil().max(1.0);
    let one = match comparison.average {
        Average::Micro => 1.0 / n,
        Average::Macro => {
            let measured = comparison.pairs.iter().filter(|(pair, _)| pair[1] > 0);
            measured.map(|(pair, &cases)| double(cases) / double(pair[1])).sum::<f64>() / (n * n)
        }
    };
    worse * one
}

fn row(&[k, n, later_k, later_n]: &[u64; 4], cases: u64, average: Average) -> Row {
    let cases = double(cases);
    let ratio = |k, n| {
        let (k, n) = lowest_terms(k, n);
        double(k) / double(n)
    };
    match average {
        Average::Micro => Row { k: double(k), n: double(n), later_k: double(later_k), later_n: double(later_n), cases },
        Average::Macro => Row {
            k: ratio(k, n),
            n: f64::from(u8::from(n > 0)),
            later_k: ratio(later_k, later_n),
            later_n: f64::from(u8::from(later_n > 0)),
            cases,
        },
    }
}

#[allow(clippy::cast_precision_loss, reason = "statistics: beyond 2^53 the nearest double does")]
fn double(count: u64) -> f64 {
    count as f64
}
