//! From what stands where to a grade.

use super::pattern::Joint;
use super::place::{Exhausted, Placed, Search};
use super::units::{Kind, Unit, sign};
use super::weight;
use super::{Change, ChangeKind, Effort, Grade, Quoting, Sought, near, reworded};
use crate::text::analysis::Analysis;
use crate::text::outcome::Weight;
use crate::text::span::Span;
use crate::text::word::{content_hash, folded};

/// One quotation held against one passage.
pub(super) struct Finder<'f> {
    pub(super) sought: &'f Sought<'f>,
    pub(super) search: Search<'f>,
    pub(super) passage: (&'f str, &'f Analysis),
    pub(super) quoting: &'f Quoting,
}

/// Units of quotation or passage: the first, and one past the last.
type Range = (usize, usize);

impl Finder<'_> {
    pub(super) fn grade(&self, effort: &mut Effort) -> Result<Grade, Exhausted> {
        if let Some(grade) = self.word_for_word(effort)? {
            return Ok(grade);
        }
        let pattern = self.search.pattern;
        if !pattern.is_plain()
            && let Some((placed, mut changes)) = self.search.placements(effort, |placed| self.objections(placed))?
        {
            for (part, (start, _)) in pattern.parts.iter().zip(&placed) {
                changes.extend(self.signs(*part, *start));
            }
            return Ok(self.of_placed(&placed, changes));
        }
        if let Some(grade) = self.near(effort)? {
            return Ok(grade);
        }
        if !effort.spend(self.passage.1.sentences(self.passage.0).len()) {
            return Err(Exhausted);
        }
        Ok(reworded::stretch(self).map_or(Grade::NotFound, Grade::Reworded))
    }

    /// All words as they stand between the marks, brackets and ellipses taken for the passage's own.
    fn word_for_word(&self, effort: &mut Effort) -> Result<Option<Grade>, Exhausted> {
        const MOST: usize = 16;
        let pattern = self.search.pattern;
        let all = (0, pattern.units.len());
        let mut best: Option<(Range, Vec<Change>)> = None;
        for run in self.search.occurrences(all, MOST, effort).ok_or(Exhausted)? {
            let changes = self.signs(all, run.0);
            if best.as_ref().is_none_or(|(_, known)| changes.len() < known.len()) {
                best = Some((run, changes));
            }
        }
        let Some((run, changes)) = best else { return Ok(None) };
        let span = self.theirs(run);
        if !changes.is_empty() {
            return Ok(pattern.is_plain().then_some(Grade::NearMiss { span, changes }));
        }
        let exact = span.of(self.passage.0) == self.ours(all).of(self.sought.text);
        Ok(Some(if exact { Grade::Exact(span) } else { Grade::Typographic(span) }))
    }

    fn of_placed(&self, placed: &Placed, changes: Vec<Change>) -> Grade {
        let pattern = self.search.pattern;
        let whole = (placed.first().map_or(0, |run| run.0), placed.last().map_or(0, |run| run.1));
        let span = self.theirs(whole);
        if !changes.is_empty() {
            return Grade::NearMiss { span, changes };
        }
        if pattern.joints.iter().any(|joint| matches!(joint, Joint::Insert(..))) {
            Grade::Inserted(span)
        } else {
            Grade::Elided(span)
        }
    }

    /// The closest stretch, or the closest of each part.
    fn near(&self, effort: &mut Effort) -> Result<Option<Grade>, Exhausted> {
        let pattern = self.search.pattern;
        let mut changes = Vec::new();
        let mut stretch: Option<Span> = None;
        let mut runs: Vec<Range> = Vec::new();
        for part in &pattern.parts {
            if let Some(run) = self.search.occurrences(*part, 1, effort).ok_or(Exhausted)?.first() {
                runs.push(*run);
                continue;
            }
            let near = near::closest(&self.search, *part, effort)?.filter(|near| self.shares_content(*part, near));
            let Some(near) = near else { return Ok(None) };
            stretch = stretch.or(Some(self.theirs(near.stretch)));
            for edit in &near.edits {
                let weight = self.weight(edit.ours, edit.theirs);
                changes.push(self.change(ChangeKind::Words, edit.ours, edit.theirs, weight));
            }
            runs.push(near.stretch);
        }
        if changes.is_empty() && pattern.parts.len() > 1 {
            let in_order = runs.is_sorted();
            let weight = if in_order { Weight::Triage } else { Weight::Final };
            let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return Ok(None) };
            let far = if in_order { (first.1, last.0.max(first.1)) } else { *last };
            let all = (0, pattern.units.len());
            changes.push(self.change(ChangeKind::Apart, all, far, weight));
            stretch = Some(self.theirs(*first));
        }
        let Some(span) = stretch.or(runs.first().map(|run| self.theirs(*run))) else { return Ok(None) };
        Ok(Some(if changes.is_empty() { Grade::Typographic(span) } else { Grade::NearMiss { span, changes } }))
    }

    /// Whether at least half of the words with content are the passage's.
    fn shares_content(&self, (from, to): Range, near: &near::Near) -> bool {
        let lexicon = self.passage.1.lexicon();
        let has_content = |at: &usize| match self.search.pattern.units.get(*at).map(|unit| unit.kind) {
            Some(Kind::Word) => content_hash(self.search.pattern.written(*at), lexicon).is_some(),
            Some(_) => true,
            None => false,
        };
        let changed = |at: &usize| near.edits.iter().any(|edit| (edit.ours.0..edit.ours.1).contains(at));
        let (all, kept) =
            (from..to).filter(has_content).fold((0, 0), |(all, kept), at| (all + 1, kept + usize::from(!changed(&at))));
        2 * kept >= all
    }

    fn weight(&self, ours: Range, theirs: Range) -> Weight {
        weight::of_change(&self.our_words(ours), &self.their_words(theirs), self.passage.1.lexicon())
    }

    fn our_words(&self, (from, to): Range) -> Vec<(&str, Kind)> {
        let pattern = self.search.pattern;
        (from..to).filter_map(|at| Some((pattern.written(at), pattern.units.get(at)?.kind))).collect()
    }

    fn their_words(&self, (from, to): Range) -> Vec<(&str, Kind)> {
        (from..to).filter_map(|at| Some((self.search.written(at), self.search.unit(at)?.kind))).collect()
    }

    fn change(&self, kind: ChangeKind, ours: Range, theirs: Range, weight: Weight) -> Change {
        Change { kind, quoted: self.ours(ours), stands: self.theirs(theirs), weight }
    }

    /// Where units of the quotation stand in the text that quotes.
    fn ours(&self, range: Range) -> Span {
        self.in_quotation(covered(&self.search.pattern.units, range))
    }

    /// Where a stretch of the folded quotation stands in the text that quotes.
    fn in_quotation(&self, span: Span) -> Span {
        let inner = self.sought.inner;
        let span = self.search.pattern.folded.to_original(inner.of(self.sought.text), span);
        Span::new(inner.start + span.start, inner.start + span.end)
    }

    fn theirs(&self, range: Range) -> Span {
        self.in_passage(covered(self.search.units.all(), range))
    }

    fn in_passage(&self, span: Span) -> Span {
        let (text, analysis) = self.passage;
        analysis.folded(text).to_original(text, span)
    }

    /// Where punctuation, or the case of letters, differs in a run of units that are the same words.
    fn signs(&self, (from, to): Range, start: usize) -> Vec<Change> {
        let pattern = self.search.pattern;
        let is_edge = |at: usize| {
            at == from || pattern.parts.iter().any(|(first, _)| *first == at) || pattern.is_edge_of_insert(at)
        };
        let (mut ours, mut theirs, mut changes) = (from, start, Vec::new());
        while let (true, Some(mine), Some(other)) = (ours < to, pattern.units.get(ours), self.search.unit(theirs)) {
            if !is_edge(ours) && (mine.before ^ other.before) & sign::READ != 0 {
                changes.push(self.change(
                    ChangeKind::Punctuation,
                    (ours - 1, ours + 1),
                    (theirs - 1, theirs + 1),
                    Weight::Triage,
                ));
            }
            let (a, b) = if self.search.is_alike(ours, theirs) {
                (1, 1)
            } else {
                self.search.divided(ours, theirs, to).unwrap_or((1, 1))
            };
            let counts = !self.quoting.fold_case && (a, b) == (1, 1) && pattern.patch_at(ours).is_none();
            if counts && differs_in_case(pattern.written(ours), self.search.written(theirs), is_edge(ours)) {
                changes.push(self.change(ChangeKind::Case, (ours, ours + a), (theirs, theirs + b), Weight::Final));
            }
            (ours, theirs) = (ours + a, theirs + b);
        }
        changes
    }

    /// What is wrong with the ellipses and brackets of a quotation whose parts stand where `placed` says.
    fn objections(&self, placed: &Placed) -> Vec<Change> {
        let pattern = self.search.pattern;
        let mut changes = Vec::new();
        for (at, joint) in pattern.joints.iter().enumerate() {
            let behind = at.checked_sub(1).and_then(|before| placed.get(before)).map(|run| run.1);
            let ahead = placed.get(at).map(|run| run.0);
            let left_out = match (behind, ahead) {
                (Some(from), Some(to)) => (from, to),
                (None, Some(to)) => (self.sentence_neighbour(to), to),
                (Some(from), None) => (from, from),
                (None, None) => continue,
            };
            let is_inner = behind.is_some() && ahead.is_some();
            match joint {
                Joint::None => {}
                Joint::Gap(span) => self.elision(*span, left_out, is_inner, &mut changes),
                Joint::Insert(span, gap) => {
                    if *gap {
                        self.elision(*span, left_out, is_inner, &mut changes);
                    }
                    self.bracket(*span, left_out, is_inner && !gap, &mut changes);
                }
            }
        }
        changes
    }

    /// The unit before `to` where it stands in the same sentence, else `to` itself.
    fn sentence_neighbour(&self, to: usize) -> usize {
        let begins = self
            .search
            .unit(to)
            .is_none_or(|unit| unit.before & (sign::STOP | sign::QUESTION | sign::COLON | sign::COMMA) != 0);
        if begins { to } else { to.saturating_sub(1) }
    }

    fn elision(&self, ellipsis: Span, left_out: Range, is_inner: bool, changes: &mut Vec<Change>) {
        if left_out.0 == left_out.1 {
            return;
        }
        let quoted = self.in_quotation(ellipsis);
        let lexicon = self.passage.1.lexicon();
        let stretch = self.between(left_out);
        let is_number =
            |at: Option<usize>| at.and_then(|at| self.search.unit(at)).is_some_and(|unit| unit.kind == Kind::Number);
        let numbers = [is_number(left_out.0.checked_sub(1)), is_number(Some(left_out.1))];
        let note = |kind, stands, weight| Change { kind, quoted, stands, weight };
        for (meaning, span, weight) in weight::dropped(stretch.of(self.search.text), numbers, lexicon) {
            let stands = self.in_passage(Span::new(stretch.start + span.start, stretch.start + span.end));
            match (is_inner, meaning) {
                (true, _) => changes.push(note(ChangeKind::Ellipsis, stands, weight)),
                // At the ends all that is left out is what a quotation without an ellipsis leaves out too.
                (false, weight::Meaning::Negation) => changes.push(note(ChangeKind::Ellipsis, stands, Weight::Triage)),
                (false, _) => {}
            }
        }
        if !is_inner {
            return;
        }
        let (text, analysis) = self.passage;
        let whole = self.theirs(left_out);
        let sentence = |at: usize| analysis.sentences(text).partition_point(|sentence| sentence.span.end <= at);
        if sentence(whole.end) > sentence(whole.start) + Quoting::MOST_SENTENCES {
            changes.push(note(ChangeKind::Apart, whole, Weight::Triage));
        }
        for (from, to) in &self.search.pattern.parts {
            let written = self.search.pattern.written(*from);
            if to - from == 1 && written.parse::<f64>().is_err() && content_hash(written, lexicon).is_none() {
                changes
                    .push(Change { quoted: self.ours((*from, *to)), ..note(ChangeKind::Tiny, whole, Weight::Triage) });
            }
        }
    }

    fn bracket(&self, brackets: Span, replaced: Range, is_inner: bool, changes: &mut Vec<Change>) {
        let pattern = self.search.pattern;
        let inside = pattern
            .inserts
            .iter()
            .find(|(from, _)| pattern.units.get(*from).is_some_and(|unit| brackets.contains(unit.span())));
        let inserted = inside.map_or_else(Vec::new, |range| self.our_words(*range));
        let stood = self.their_words(replaced);
        let lexicon = self.passage.1.lexicon();
        let (put_in, took_out) = (weight::telling(&inserted, lexicon), weight::telling(&stood, lexicon));
        // Before the first words a number may say what the quotation is about; only a denial that is covered up counts there.
        let weight = match (put_in, took_out) {
            (None, None) => return,
            (put_in, took_out) if is_inner => put_in.into_iter().chain(took_out).min().unwrap_or(Weight::Triage),
            (put_in, _) => {
                let denies = weight::cues(self.between(replaced).of(self.search.text), lexicon)
                    .iter()
                    .any(|(meaning, _)| *meaning == weight::Meaning::Negation);
                match put_in {
                    Some(weight) => weight,
                    None if denies => Weight::Final,
                    None => return,
                }
            }
        };
        let stands =
            if is_inner || put_in.is_none() { self.theirs(replaced) } else { self.theirs((replaced.1, replaced.1)) };
        changes.push(Change { kind: ChangeKind::Bracket, quoted: self.in_quotation(brackets), stands, weight });
    }

    /// What stands between the units around a range, with the signs at its ends.
    fn between(&self, (from, to): Range) -> Span {
        let start = from.checked_sub(1).and_then(|at| self.search.unit(at)).map_or(0, |unit| unit.span().end);
        let end = self.search.unit(to).map_or(self.search.text.len(), |unit| unit.span().start);
        Span::new(start, end.max(start))
    }
}

/// The stretch of a folded text that a range of its units covers; empty, right before the unit behind it, where the range is.
fn covered(units: &[Unit], (from, to): Range) -> Span {
    let at = |at: usize| units.get(at).map(Unit::span);
    match (from < to, at(from), to.checked_sub(1).and_then(at)) {
        (true, Some(first), Some(last)) => first.join(last),
        (_, Some(next), _) => Span::new(next.start, next.start),
        (_, None, Some(last)) => Span::new(last.end, last.end),
        _ => Span::default(),
    }
}

fn differs_in_case(ours: &str, theirs: &str, first_may: bool) -> bool {
    if ours == theirs {
        return false;
    }
    let rest = |word: &str| word.chars().skip(usize::from(first_may)).collect::<String>();
    rest(ours) != rest(theirs) && folded(ours) == folded(theirs)
}
