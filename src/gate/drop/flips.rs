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
use super::cases::{Group, Losses};
use super::exact::counted;
use super::random::{FLIPS, SEED, drawn};

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
