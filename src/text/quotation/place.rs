//! Where the parts of a quotation stand in a passage, word for word and in order.

use super::pattern::{Joint, Pattern};
use super::units::{Kind, Unit, Units, sign};
use super::{Effort, Quoting};
use crate::text::word::{folded, hash};

/// Most words of the passage that one bracket may stand for.
pub(super) const MOST_REPLACED: usize = 3;

/// Where the parts stand: per part the first unit of the passage and one past the last.
pub(super) type Placed = Vec<(usize, usize)>;

/// A quotation beside a passage.
#[derive(Clone, Copy)]
pub(super) struct Search<'s> {
    pub(super) pattern: &'s Pattern,
    pub(super) units: &'s Units,
    /// The folded passage.
    pub(super) text: &'s str,
    pub(super) quoting: &'s Quoting,
}

impl<'s> Search<'s> {
    pub(super) fn unit(&self, at: usize) -> Option<&'s Unit> {
        self.units.all().get(at)
    }

    /// The unit of the passage as it is written, folded.
    pub(super) fn written(&self, at: usize) -> &'s str {
        self.unit(at).map_or("", |unit| unit.span().of(self.text))
    }

    /// Whether the two units are the same word.
    pub(super) fn is_alike(&self, ours: usize, theirs: usize) -> bool {
        self.unit(theirs).is_some_and(|unit| self.pattern.fits(ours, unit.hash, self.written(theirs)))
    }

    /// Every place where units `from..to` of the quotation stand, at most `most`. `None` where the search was given up.
    pub(super) fn occurrences(&self, (from, to): (usize, usize), most: usize, effort: &mut Effort) -> Option<Placed> {
        let mut found = Placed::new();
        let count = |at: usize| {
            let hash = self.pattern.units.get(at).map_or(0, |unit| unit.hash);
            (self.units.places(hash).len(), at)
        };
        let plain = (from..to).filter(|at| self.pattern.patch_at(*at).is_none());
        let counts: Vec<(usize, usize)> = plain.map(count).collect();
        if !effort.spend(counts.len() + 1) {
            return None;
        }
        let Some((_, anchor)) = counts.iter().filter(|(count, _)| *count > 0).min().copied() else {
            return Some(found);
        };
        // A word that is nowhere can only stand there cut at a hyphen, or in one with its neighbour.
        let cut = counts.iter().any(|(count, at)| *count == 0 || self.has_dash(*at));
        if counts.iter().any(|(count, at)| *count == 0 && !self.may_be_cut(*at)) {
            return Some(found);
        }
        let hash = self.pattern.units.get(anchor).map_or(0, |unit| unit.hash);
        for place in self.units.places(hash) {
            if !effort.spend(1) {
                return None;
            }
            let start = (*place as usize).checked_sub(anchor - from);
            let shifts =
                [start, start.filter(|_| cut).map(|at| at + 1), start.filter(|_| cut).and_then(|at| at.checked_sub(1))];
            let run =
                shifts.into_iter().flatten().find_map(|start| Some((start, self.run((from, to), start, effort)?)));
            found.extend(run);
            if found.len() == most {
                break;
            }
        }
        Some(found)
    }

    fn has_dash(&self, ours: usize) -> bool {
        let dash = |at: usize| self.pattern.units.get(at).is_some_and(|unit| unit.before & sign::DASH != 0);
        dash(ours) || dash(ours + 1)
    }

    /// Whether the passage may have this word in another division: with its neighbour behind a hyphen, or cut by a hyphen.
    fn may_be_cut(&self, ours: usize) -> bool {
        let joined = |a: usize, b: usize| {
            let both = format!("{}{}", self.pattern.written(a), self.pattern.written(b));
            !self.units.places(hash(&folded(&both))).is_empty()
        };
        let is_word = self.pattern.units.get(ours).is_some_and(|unit| unit.kind == Kind::Word);
        is_word
            && (joined(ours, ours + 1)
                || (ours > 0 && joined(ours - 1, ours))
                || self.pattern.written(ours).chars().count() > 4)
    }

    /// Where units `from..to` of the quotation end that begin at `start`, if they stand there word for word.
    pub(super) fn run(&self, (from, to): (usize, usize), start: usize, effort: &mut Effort) -> Option<usize> {
        let (mut ours, mut theirs) = (from, start);
        while ours < to {
            if self.is_alike(ours, theirs) {
                (ours, theirs) = (ours + 1, theirs + 1);
            } else {
                let (a, b) = self.divided(ours, theirs, to)?;
                (ours, theirs) = (ours + a, theirs + b);
            }
        }
        effort.spend(ours - from);
        Some(theirs)
    }

    /// A word that one side writes in one and the other with a hyphen: how many units that is on both sides.
    pub(super) fn divided(&self, ours: usize, theirs: usize, to: usize) -> Option<(usize, usize)> {
        let mine = |at: usize| folded(self.pattern.written(at));
        let other = |at: usize| folded(self.written(at));
        let is_joint =
            |unit: Option<&Unit>| unit.is_some_and(|unit| unit.kind == Kind::Word && unit.before & sign::DASH != 0);
        if ours + 1 < to
            && is_joint(self.pattern.units.get(ours + 1))
            && format!("{}{}", mine(ours), mine(ours + 1)) == other(theirs)
        {
            return Some((2, 1));
        }
        let cut = is_joint(self.unit(theirs + 1)) && format!("{}{}", other(theirs), other(theirs + 1)) == mine(ours);
        cut.then_some((1, 2))
    }

    /// All parts in order, each as near behind the one before as its joint allows. The first of the placements that `objects` to
    /// nothing, else the first of all with the objections.
    pub(super) fn placements<T>(
        &self,
        effort: &mut Effort,
        mut objections: impl FnMut(&Placed) -> Vec<T>,
    ) -> Result<Option<(Placed, Vec<T>)>, Exhausted> {
        const MOST_STARTS: usize = 64;
        let mut doubtful = None;
        let Some(first) = self.pattern.parts.first() else { return Ok(None) };
        for start in self.occurrences(*first, MOST_STARTS, effort).ok_or(Exhausted)? {
            let mut placed = vec![start];
            if !self.place_rest(&mut placed, effort)? {
                continue;
            }
            let objections = objections(&placed);
            if objections.is_empty() {
                return Ok(Some((placed, objections)));
            }
            doubtful = doubtful.or(Some((placed, objections)));
        }
        Ok(doubtful)
    }

    fn place_rest(&self, placed: &mut Placed, effort: &mut Effort) -> Result<bool, Exhausted> {
        let at = placed.len();
        let Some(part) = self.pattern.parts.get(at) else { return Ok(true) };
        let after = placed.last().map_or(0, |(_, end)| *end);
        let most = match self.pattern.joints.get(at) {
            Some(Joint::Gap(_) | Joint::Insert(_, true)) => self.quoting.longest_gap,
            _ => MOST_REPLACED,
        };
        let mut halves = 0;
        for start in after.. {
            if !effort.spend(1) {
                return Err(Exhausted);
            }
            if let Some(end) = self.run(*part, start, effort) {
                placed.push((start, end));
                if self.place_rest(placed, effort)? {
                    return Ok(true);
                }
                placed.pop();
            }
            let Some(unit) = self.unit(start) else { break };
            halves += unit.halves();
            if halves > 2 * most {
                break;
            }
        }
        Ok(false)
    }
}

/// The search was given up: see [`Effort`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Exhausted;
