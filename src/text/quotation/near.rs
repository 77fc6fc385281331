//! The stretch of a passage that comes closest to a quotation, and the fewest words that differ.

use std::collections::BTreeMap;

use super::Effort;
use super::place::{Exhausted, Search};

/// Words that stand for each other; an empty range on one side means that they are put in or left out. Units of quotation and passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) ours: (usize, usize),
    pub(super) theirs: (usize, usize),
}

/// The closest stretch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Near {
    /// Units of the passage.
    pub(super) stretch: (usize, usize),
    pub(super) edits: Vec<Edit>,
    /// How many words differ.
    pub(super) distance: usize,
}

/// How many words of so many may differ: two in five, at least one, at most twenty.
const fn allowed(words: usize) -> usize {
    let most = words * 2 / 5;
    if most > 20 {
        20
    } else if most == 0 {
        1
    } else {
        most
    }
}

/// The stretch of the passage that comes closest to units `from..to` of the quotation, where no more than two in five differ. Candidates are the
/// diagonals that most words agree on.
pub(super) fn closest(
    search: &Search<'_>,
    (from, to): (usize, usize),
    effort: &mut Effort,
) -> Result<Option<Near>, Exhausted> {
    const MOST_CANDIDATES: usize = 6;
    let length = to - from;
    if length < 3 {
        return Ok(None);
    }
    let slack = allowed(length);
    let width = slack + 1;
    let mut votes = votes(search, (from, to), width, effort)?;
    votes.sort_unstable_by_key(|(bucket, count)| (std::cmp::Reverse(*count), *bucket));
    let mut best: Option<Near> = None;
    for (bucket, _) in votes.into_iter().take(MOST_CANDIDATES) {
        let band = Band { low: bucket * isize_of(width) - isize_of(slack), width: width + 2 * slack };
        if !effort.spend(length * band.width) {
            return Err(Exhausted);
        }
        let near = band.align(search, (from, to)).filter(|near| near.distance <= slack);
        if let Some(near) = near.filter(|near| best.as_ref().is_none_or(|best| near.distance < best.distance)) {
            best = Some(near);
        }
    }
    Ok(best)
}

fn isize_of(count: usize) -> isize {
    isize::try_from(count).unwrap_or(isize::MAX / 4)
}

/// How many words of the quotation agree on a place, by place (in steps of `width`).
fn votes(
    search: &Search<'_>,
    (from, to): (usize, usize),
    width: usize,
    effort: &mut Effort,
) -> Result<Vec<(isize, usize)>, Exhausted> {
    // A word that stands in too many places tells little; where all do, the first places must serve.
    const MOST_PLACES: usize = 64;
    let places = |at: usize| search.pattern.units.get(at).map_or(&[][..], |unit| search.units.places(unit.hash));
    let telling = (from..to).any(|at| (1..=MOST_PLACES).contains(&places(at).len()));
    let mut votes: BTreeMap<isize, usize> = BTreeMap::new();
    for at in from..to {
        let places = places(at);
        if telling && places.len() > MOST_PLACES {
            continue;
        }
        if !effort.spend(1 + places.len().min(MOST_PLACES)) {
            return Err(Exhausted);
        }
        for place in places.iter().take(MOST_PLACES) {
            let diagonal = isize_of(*place as usize) - isize_of(at - from);
            *votes.entry(diagonal.div_euclid(isize_of(width))).or_default() += 1;
        }
    }
    Ok(votes.into_iter().collect())
}

/// Diagonals that an alignment may run on: `low..low + width`, as places of the passage that stand beside the first word of the quotation.
struct Band {
    low: isize,
    width: usize,
}

/// How a cell was reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Start,
    /// Both go on, alike or not.
    Both,
    /// The quotation has a word more.
    Ours,
    /// The passage has a word more.
    Theirs,
}

impl Band {
    /// The alignment with the fewest words that differ; begins and ends anywhere in the passage.
    fn align(&self, search: &Search<'_>, (from, to): (usize, usize)) -> Option<Near> {
        const FAR: usize = usize::MAX / 2;
        let length = to - from;
        let there = isize_of(search.units.all().len());
        // The place in the passage behind which cell (row, d) stands.
        let place = |row: usize, d: usize| {
            let at = self.low + isize_of(row) + isize_of(d);
            (0..=there).contains(&at).then_some(at.unsigned_abs())
        };
        let mut row: Vec<usize> = (0..self.width).map(|d| if place(0, d).is_some() { 0 } else { FAR }).collect();
        let mut steps = vec![Step::Start; (length + 1) * self.width];
        for ours in 0..length {
            let mut next = vec![FAR; self.width];
            for d in 0..self.width {
                let Some(at) = place(ours + 1, d) else { continue };
                let alike = at.checked_sub(1).is_some_and(|before| search.is_alike(from + ours, before));
                let both = if at > 0 { row.get(d).copied().unwrap_or(FAR) + usize::from(!alike) } else { FAR };
                let ours_only = row.get(d + 1).copied().unwrap_or(FAR).saturating_add(1);
                let theirs_only = d.checked_sub(1).and_then(|d| next.get(d)).copied().unwrap_or(FAR).saturating_add(1);
                let choices = [(both, Step::Both), (theirs_only, Step::Theirs), (ours_only, Step::Ours)];
                let Some((cost, step)) = choices.into_iter().min_by_key(|(cost, _)| *cost) else { continue };
                if let (Some(cell), Some(how)) = (next.get_mut(d), steps.get_mut((ours + 1) * self.width + d)) {
                    (*cell, *how) = (cost.min(FAR), step);
                }
            }
            row = next;
        }
        let (d, distance) =
            row.into_iter().enumerate().min_by_key(|(_, cost)| *cost).filter(|(_, cost)| *cost < FAR)?;
        let mut near = Near { stretch: (0, place(length, d)?), edits: Vec::new(), distance };
        self.trace(search, (from, to), d, &steps, &mut near, place)?;
        Some(near).filter(|near| near.stretch.0 < near.stretch.1)
    }

    fn trace(
        &self,
        search: &Search<'_>,
        (from, to): (usize, usize),
        mut d: usize,
        steps: &[Step],
        near: &mut Near,
        place: impl Fn(usize, usize) -> Option<usize>,
    ) -> Option<()> {
        let mut row = to - from;
        loop {
            let at = place(row, d)?;
            let ours = from + row;
            let edit = match steps.get(row * self.width + d)? {
                Step::Start => {
                    near.stretch.0 = at;
                    break;
                }
                Step::Both => {
                    row -= 1;
                    if search.is_alike(ours - 1, at - 1) {
                        continue;
                    }
                    Edit { ours: (ours - 1, ours), theirs: (at - 1, at) }
                }
                Step::Ours => {
                    (row, d) = (row - 1, d + 1);
                    Edit { ours: (ours - 1, ours), theirs: (at, at) }
                }
                Step::Theirs => {
                    d -= 1;
                    Edit { ours: (ours, ours), theirs: (at - 1, at) }
                }
            };
            // Neighbours are one change.
            match near.edits.last_mut().filter(|last| last.ours.0 == edit.ours.1 && last.theirs.0 == edit.theirs.1) {
                Some(last) => (last.ours.0, last.theirs.0) = (edit.ours.0, edit.theirs.0),
                None => near.edits.push(edit),
            }
        }
        near.edits.reverse();
        Some(())
    }
}
