//! The outlines of many cases, found by id: those of a run folder or of a baseline. The text is held once, and a case is
//! decoded when it is asked for.

use std::fs;
use std::path::Path;

use foldhash::HashMap;
use foldhash::HashMapExt as _;

use super::OUTLINE;
use super::outline::{self, Head, cross};
use crate::diagnostic::{Problem, code, quoted};
use crate::record::outline::{CaseOutline, RuleIndex};
use crate::tally::{DimensionEntry, RuleTable, Tally, TallyError};

/// Outlines by case id.
#[derive(Debug)]
pub struct Store {
    /// Where they come from, as shown.
    pub name: String,
    /// By whom and by what the cases were judged.
    pub head: Head,
    text: Vec<u8>,
    /// Where each case stands in the text, in input order.
    places: Vec<(usize, usize)>,
    by_id: HashMap<String, usize>,
    holds_known: bool,
}

impl Store {
    /// The outlines of the run in `folder`.
    ///
    /// # Errors
    /// A [`Problem`] where the file cannot be read, is of another version, or holds anything but outlines.
    pub fn of_run(folder: &Path) -> Result<Self, Problem> {
        Self::of_file(&folder.join(OUTLINE))
    }

    /// The outlines in a file.
    ///
    /// # Errors
    /// As [`Store::of_run`].
    pub fn of_file(path: &Path) -> Result<Self, Problem> {
        let name = path.display().to_string();
        let text = fs::read(path).map_err(|error| outline::unreadable(path, &error))?;
        let end = memchr::memchr(b'\n', &text).map_or(text.len(), |end| end + 1);
        let head = outline::head(text.get(..end).unwrap_or_default()).map_err(|p| p.on_line(name.clone(), 1))?;
        let mut places = Vec::new();
        let mut start = end;
        while start < text.len() {
            let rest = text.get(start..).unwrap_or_default();
            let end = memchr::memchr(b'\n', rest).map_or(text.len(), |end| start + end);
            places.push((start, end));
            start = end + 1;
        }
        Self::new(name, head, text, places)
    }

    /// The outlines that stand at these places (start and end, in bytes) of a text.
    ///
    /// # Errors
    /// A [`Problem`] where one of them is no outline, or two have the same case id.
    pub fn new(name: String, head: Head, text: Vec<u8>, places: Vec<(usize, usize)>) -> Result<Self, Problem> {
        let mut by_id = HashMap::with_capacity(places.len());
        for (index, &(start, end)) in places.iter().enumerate() {
            let line = text.get(start..end).unwrap_or_default();
            let outline: CaseOutline<'_> = serde_json::from_slice(line)
                .map_err(|error| outline::malformed(&error).on_line(name.clone(), line_number(&text, start)))?;
            if let Some(problem) = foreign(&outline, &head) {
                return Err(problem.on_line(name.clone(), line_number(&text, start)));
            }
            let case_id = outline.case_id.into_owned();
            if let Some(before) = by_id.insert(case_id.clone(), index) {
                let first = places.get(before).map_or(0, |&(start, _)| line_number(&text, start));
                let message = format!("the case id {} stands twice", quoted(&case_id));
                return Err(Problem::new(code::DUPLICATE_CASE, message)
                    .on_line(name.clone(), line_number(&text, start))
                    .label(format!("the first case with this id is on line {first}"))
                    .help("each case has an id of its own"));
            }
        }
        Ok(Self { name, head, text, places, by_id, holds_known: false })
    }

    /// From now on gives cases with every finding held against them; see [`CaseOutline::hold_known_findings`].
    pub fn hold_known_findings(&mut self) {
        self.holds_known = true;
    }

    /// Cases that it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The case with this id.
    #[must_use]
    pub fn get(&self, case_id: &str) -> Option<CaseOutline<'_>> {
        self.at(*self.by_id.get(case_id)?)
    }

    /// Where the case with this id stands, in input order from 0.
    #[must_use]
    pub fn position(&self, case_id: &str) -> Option<usize> {
        self.by_id.get(case_id).copied()
    }

    /// The cases, in input order.
    pub fn cases(&self) -> impl Iterator<Item = CaseOutline<'_>> {
        (0..self.places.len()).filter_map(|index| self.at(index))
    }

    /// The bytes of the cases as they stand in the file, in input order.
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.places.iter().map(|&(start, end)| self.text.get(start..end).unwrap_or_default())
    }

    /// The case that stands at this place.
    #[must_use]
    pub fn at(&self, index: usize) -> Option<CaseOutline<'_>> {
        let &(start, end) = self.places.get(index)?;
        // It was decoded once when the store was made.
        let mut case: CaseOutline<'_> = serde_json::from_slice(self.text.get(start..end)?).ok()?;
        if self.holds_known {
            case.hold_known_findings();
        }
        Some(case)
    }

    /// The rules that judged these cases, with the slice dimensions `dimensions` (those of a policy that counts them).
    #[must_use]
    pub fn table(&self, dimensions: &[DimensionEntry]) -> RuleTable {
        RuleTable::new(self.head.rules.clone(), dimensions.to_vec())
    }

    /// Counts all cases by a table that [`Store::table`] gave.
    ///
    /// # Errors
    /// A dimension has more values than it may have.
    pub fn tally(&self, table: &RuleTable) -> Result<Tally, TallyError> {
        let index = table.index();
        let mut tally = Tally::new(table);
        for mut case in self.cases() {
            cross(&mut case, &table.dimensions);
            outline::count(&mut tally, &case, &index, table)?;
        }
        Ok(tally)
    }

    /// The rules by position.
    #[must_use]
    pub fn index(&self) -> RuleIndex {
        RuleIndex::new(self.head.rules.iter().map(|rule| rule.id.clone()).collect())
    }
}

/// What is wrong with an outline of more outcomes than there are rules.
fn foreign(outline: &CaseOutline<'_>, head: &Head) -> Option<Problem> {
    let claims = outline.claims.iter();
    let of_claims = claims.clone().map(|claim| &claim.outcomes);
    let of_citations =
        claims.flat_map(|claim| &claim.citations).chain(&outline.citations).map(|citation| &citation.outcomes);
    let longest = std::iter::once(&outline.outcomes).chain(of_claims).chain(of_citations).map(|text| text.len()).max();
    let longest = longest.filter(|longest| *longest > head.rules.len())?;
    Some(
        Problem::new(code::BROKEN_RUN, "more outcomes than there are rules")
            .found(longest, format!("at most {}", head.rules.len()))
            .help("the file was changed by hand; see `citeward verify`"),
    )
}

/// The physical line that a byte lies on, from 1.
fn line_number(text: &[u8], at: usize) -> u64 {
    let before = text.get(..at).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() as u64 + 1
}
