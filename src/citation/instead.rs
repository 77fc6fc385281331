//! How an answer cites, and how it would cite another unit: what a note on a wrong marker shows.

use super::identity::folded;
use super::{Citation, Claim, Marker, Packet};

/// Markers or ids of a claim that are named; the rest are counted.
const MOST_NAMED: usize = 3;

impl Packet<'_> {
    /// What a claim cites, as the answer writes it, else by the ids of the units: `[1]`, `[1], [3] and 2 more`.
    #[must_use]
    pub fn cited_as(&self, claim: &Claim<'_>) -> String {
        let mut names: Vec<String> = Vec::new();
        for citation in self.citations_of(claim) {
            let name = self.first_marker(citation).map_or_else(|| format!("“{}”", citation.id), |m| m.raw.to_owned());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let more = names.len().saturating_sub(MOST_NAMED);
        names.truncate(MOST_NAMED);
        if more > 0 {
            return format!("{} and {more} more", names.join(", "));
        }
        match names.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
            None => "nothing".to_owned(),
        }
    }

    /// The marker that would cite the unit with this index in the answer of a claim: one that stands there, else one of the answer's own
    /// (the claim's first) with its reference changed. `None` where the answer shows no way to write it for sure.
    #[must_use]
    pub fn marker_for(&self, claim: &Claim<'_>, unit: usize) -> Option<String> {
        let alone = |marker: &&Marker<'_>| marker.references.len() == 1;
        // Where an answer counts from 0 and from 1, no position says for sure what it means.
        let is_sure = |written: &str| {
            let id = self.case.units.get(unit).map(|unit| folded(unit.id.trim()));
            !self.ambiguous_index || id.is_some_and(|id| id == folded(written.trim()))
        };
        let is_it = |marker: &&Marker<'_>| {
            let mut references = marker.references.iter();
            references.all(|of| of.resolution.unit() == Some(unit) && is_sure(&of.written))
        };
        if let Some(there) = self.markers.iter().filter(alone).find(is_it) {
            return Some(there.raw.to_owned());
        }
        let own = self.citations_of(claim).filter_map(|citation| self.first_marker(citation));
        own.chain(&self.markers).filter(alone).find_map(|marker| self.changed(marker, unit))
    }

    fn first_marker(&self, citation: &Citation<'_>) -> Option<&Marker<'_>> {
        citation.markers.first().and_then(|&index| self.markers.get(index as usize))
    }

    /// The marker with another unit's id or position in place of its own.
    fn changed(&self, marker: &Marker<'_>, unit: usize) -> Option<String> {
        let reference = marker.references.first()?;
        let (from, written) = (reference.resolution.unit()?, reference.written.trim());
        // An address or a title inside the marker would go on pointing at the old unit.
        let (before, after) = marker.raw.split_once(written)?;
        let is_plain = |part: &str| part.chars().count() <= 12 && !part.contains(written) && !part.contains('/');
        if written.is_empty() || !is_plain(before) || !is_plain(after) {
            return None;
        }
        let units = &self.case.units;
        let (old, new) = (units.get(from)?.id.as_ref(), units.get(unit)?.id.as_ref());
        let name = if folded(written) == folded(old) {
            new.to_owned()
        } else {
            // A position, counted from wherever this answer counts; a number that is an id would mean another unit.
            let position: usize = written.parse().ok()?;
            let position = position.checked_add(unit)?.checked_sub(from)?.to_string();
            if self.ambiguous_index {
                return None;
            }
            let is_id = units.iter().any(|unit| folded(unit.id.trim()) == position);
            if is_id {
                return None;
            }
            position
        };
        Some(format!("{before}{name}{after}"))
    }
}
