//! Whether two outlines of a case differ in what no flip tells.

use super::pairing::Pairing;
use super::{Side, Sides, letter};
use crate::record::SliceValues;
use crate::record::outline::{CaseOutline, CitationOutline, ClaimOutline};

/// Whether two outlines tell different facts, where rules and slices of both runs are looked at. Messages are no facts: a
/// baseline has none.
pub(super) fn differs_otherwise(
    sides: &Sides,
    before: &CaseOutline<'_>,
    after: &CaseOutline<'_>,
    pairing: &Pairing,
) -> bool {
    let letters = |was: &str, is: &str| {
        let shared = sides.rules.iter().filter_map(|(was, is)| was.zip(*is));
        shared.into_iter().any(|(at, now)| letter(was, at) != letter(is, now))
    };
    let shared_slice = |id: &str| {
        let has = |side: &Side| side.table.dimensions.iter().any(|dimension| dimension.id == id);
        has(&sides.before) && has(&sides.after)
    };
    let slices = |was: &SliceValues<'_>, is: &SliceValues<'_>| {
        let kept = |values: &SliceValues<'_>| {
            let kept = values.iter().filter(|(id, _)| shared_slice(id));
            kept.map(|(id, value)| (id.to_string(), value.to_string())).collect::<Vec<_>>()
        };
        kept(was) != kept(is)
    };
    let citations = |was: &[CitationOutline<'_>], is: &[CitationOutline<'_>]| {
        was.len() != is.len()
            || was.iter().zip(is).any(|(was, is)| {
                was.id != is.id
                    || was.resolved != is.resolved
                    || letters(&was.outcomes, &is.outcomes)
                    || slices(&was.slices, &is.slices)
            })
    };
    let claim = |was: &ClaimOutline<'_>, is: &ClaimOutline<'_>| {
        was.text != is.text
            || was.suspected != is.suspected
            || was.expected != is.expected
            || letters(&was.outcomes, &is.outcomes)
            || slices(&was.slices, &is.slices)
            || citations(&was.citations, &is.citations)
    };
    let twins = after.claims.iter().zip(&pairing.twins);
    let mut twins = twins.filter_map(|(claim, twin)| before.claims.get((*twin)?).map(|twin| (twin, claim)));
    before.answerable != after.answerable
        || before.scores != after.scores
        || before.units != after.units
        || letters(&before.outcomes, &after.outcomes)
        || slices(&before.slices, &after.slices)
        || citations(&before.citations, &after.citations)
        || twins.any(|(was, is)| claim(was, is))
}
