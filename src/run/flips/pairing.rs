//! Which claim of a later run is which of the earlier one.

use std::collections::{BTreeMap, VecDeque};

use crate::record::outline::ClaimOutline;

/// The claims of a case in two runs, put together.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Pairing {
    /// By claim of the later run: its twin in the earlier one.
    pub twins: Vec<Option<usize>>,
    /// Claims of the earlier run without one, in order.
    pub gone: Vec<usize>,
}

/// What two claims must share to be one.
type Key<'o> = (Option<&'o str>, Option<&'o str>);

/// Claims with the same id and text belong together; of those left, claims with the same text, in order; of those left, claims
/// with the same id, whose text is then another one.
pub(super) fn pair_claims(before: &[ClaimOutline<'_>], after: &[ClaimOutline<'_>]) -> Pairing {
    let keys: [for<'o> fn(&'o ClaimOutline<'_>) -> Key<'o>; 3] = [
        |claim| (Some(&claim.claim_id), Some(&claim.text)),
        |claim| (None, Some(&claim.text)),
        |claim| (Some(&claim.claim_id), None),
    ];
    let mut twins: Vec<Option<usize>> = vec![None; after.len()];
    let mut free = vec![true; before.len()];
    for key in keys {
        let mut left: BTreeMap<Key<'_>, VecDeque<usize>> = BTreeMap::new();
        for (at, claim) in before.iter().enumerate().filter(|(at, _)| free.get(*at) == Some(&true)) {
            left.entry(key(claim)).or_default().push_back(at);
        }
        for (claim, twin) in after.iter().zip(&mut twins).filter(|(_, twin)| twin.is_none()) {
            *twin = left.get_mut(&key(claim)).and_then(VecDeque::pop_front);
            if let Some(taken) = twin.and_then(|at| free.get_mut(at)) {
                *taken = false;
            }
        }
    }
    let gone = free.iter().enumerate().filter_map(|(at, free)| free.then_some(at)).collect();
    Pairing { twins, gone }
}
