//! Quotations in a text, and how well a passage bears them out.

mod grade;
mod marks;
mod near;
mod pattern;
mod place;
mod reworded;
mod units;
mod weight;

use self::grade::Finder;
pub use self::marks::quotations;
use self::pattern::Pattern;
use self::place::Search;
pub use self::units::Units;
use super::analysis::Analysis;
use super::outcome::Weight;
use super::span::Span;

/// A quotation in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quotation {
    /// With its quotation marks.
    pub span: Span,
    /// Between them, without spaces at the ends.
    pub inner: Span,
    /// How many words it has; characters of scripts without spaces count two to a word.
    pub words: usize,
    /// Whether its marks may be something else: apostrophes, or `>` at the beginning of lines.
    pub loose: bool,
}

impl Quotation {
    /// From five words up a quotation decides, where its marks leave no doubt.
    pub fn is_final(&self) -> bool {
        self.words >= 5 && !self.loose
    }
}

/// How well a passage bears out a quotation, best first. Spans are of the passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grade {
    /// Character by character.
    Exact(Span),
    /// But for quotation marks, dashes, spaces, ligatures, soft hyphens, hyphens at line ends, emphasis, and the case of the first letter (of all, where
    /// allowed).
    Typographic(Span),
    /// With words left out, marked by an ellipsis; what is left stands in order, and nothing that changes its sense was left out.
    Elided(Span),
    /// With words of the quoter's own in square brackets, or letters changed in them.
    Inserted(Span),
    /// Nearly so: the changes are those of the fewest words.
    NearMiss {
        /// The stretch that comes closest.
        span: Span,
        /// What differs, in the order of the quotation. Never empty.
        changes: Vec<Change>,
    },
    /// Its words that carry meaning stand together in this stretch, in another wording.
    Reworded(Span),
    /// Not there.
    NotFound,
    /// The search was given up: the passage is too long, or the claim quotes too much.
    Unsearched,
}

/// What differs between a quotation and its passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// What kind of change it is.
    pub kind: ChangeKind,
    /// In the text that quotes; empty where the passage has something more.
    pub quoted: Span,
    /// In the passage; empty where the quotation has something more.
    pub stands: Span,
    /// Final where the change certainly says something else, or is certainly none of the passage's words.
    pub weight: Weight,
}

/// Kinds of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// Words are replaced, left out or put in.
    Words,
    /// Only the punctuation differs.
    Punctuation,
    /// Upper and lower case differ, and count.
    Case,
    /// An ellipsis leaves out words that change what is said.
    Ellipsis,
    /// The parts around an ellipsis stand too far apart, or in another order.
    Apart,
    /// A part before or behind an ellipsis is too short to be told from any other place.
    Tiny,
    /// Square brackets put in, or stand for, words that change what is said.
    Bracket,
}

/// What counts as a quotation and as found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quoting {
    /// Shorter ones are words held up with tongs, titles and names: no quotations.
    pub min_words: usize,
    /// Upper and lower case are alike.
    pub fold_case: bool,
    /// The most words that an ellipsis may stand for.
    pub longest_gap: usize,
}

impl Quoting {
    /// The most sentences that may end in what an ellipsis stands for.
    pub const MOST_SENTENCES: usize = 3;
}

impl Default for Quoting {
    /// From three words up, case told apart, gaps of up to 60 words.
    fn default() -> Self {
        Self { min_words: 3, fold_case: false, longest_gap: 60 }
    }
}

/// How much may still be spent on searching, in steps of a few nanoseconds: hostile texts cannot take more than that. What could not be searched is
/// [`Grade::Unsearched`].
#[derive(Debug, Clone)]
pub struct Effort(usize);

impl Default for Effort {
    fn default() -> Self {
        Self(30_000_000)
    }
}

impl Effort {
    /// Takes so many steps; whether there were enough.
    fn spend(&mut self, steps: usize) -> bool {
        let enough = self.0 >= steps;
        self.0 = self.0.saturating_sub(steps);
        enough
    }
}

/// A quotation made ready to be looked for.
pub struct Sought<'t> {
    text: &'t str,
    analysis: &'t Analysis,
    inner: Span,
    pattern: Pattern,
}

impl std::fmt::Debug for Sought<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sought({:?})", self.inner)
    }
}

impl<'t> Sought<'t> {
    /// The words at `inner` of a text. What is masked in it (citation markers) is no part of the quotation.
    pub fn new((text, analysis): (&'t str, &'t Analysis), inner: Span) -> Self {
        let written = inner.of(text);
        // The sign that carries a block quote on to the next line.
        let carries = |span: Span| {
            span.of(written) == ">"
                && written.get(..span.start).is_some_and(|t| t.trim_end_matches([' ', '\t']).ends_with('\n'))
        };
        let masked = analysis.masked();
        let pattern = Pattern::read(written, |span| {
            let place = Span::new(inner.start + span.start, inner.start + span.end);
            let after = masked.partition_point(|mask| mask.start < place.end);
            let is_masked = after.checked_sub(1).and_then(|at| masked.get(at)).is_some_and(|mask| mask.overlaps(place));
            !is_masked && !carries(span)
        });
        Self { text, analysis, inner, pattern }
    }

    /// How well `passage` bears it out. Takes a time that grows with the words of the quotation and the places where its rarest word stands, and what it takes
    /// is taken off `effort`; the passage itself is read once (see [`Analysis`]).
    pub fn find(&self, passage: (&str, &Analysis), quoting: &Quoting, effort: &mut Effort) -> Grade {
        let (text, analysis) = passage;
        if self.pattern.units.is_empty() {
            return Grade::NotFound;
        }
        let folded = analysis.folded(text);
        let search = Search { pattern: &self.pattern, units: analysis.quotable(text), text: folded.text(), quoting };
        Finder { sought: self, search, passage, quoting }.grade(effort).unwrap_or(Grade::Unsearched)
    }
}

/// How well `passage` bears out a quotation, the words between the marks.
pub fn find(quotation: (&str, &Analysis), inner: Span, passage: (&str, &Analysis), quoting: &Quoting) -> Grade {
    Sought::new(quotation, inner).find(passage, quoting, &mut Effort::default())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::lexicon::Lexicons;

    fn lexicons() -> Lexicons {
        Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"))
    }

    fn graded(language: &str, quotation: &str, passage: &str) -> Grade {
        let analysis = |text: &str| (Analysis::new(Some(language), &lexicons()), text.len());
        let ((ours, length), (theirs, _)) = (analysis(quotation), analysis(passage));
        find((quotation, &ours), Span::new(0, length), (passage, &theirs), &Quoting::default())
    }

    fn grade(quotation: &str, passage: &str) -> Grade {
        graded("en", quotation, passage)
    }

    /// The changes as (quoted, stands).
    fn changes<'t>(quotation: &'t str, passage: &'t str) -> Vec<(&'t str, &'t str, Weight)> {
        match grade(quotation, passage) {
            Grade::NearMiss { changes, .. } => {
                changes.into_iter().map(|c| (c.quoted.of(quotation), c.stands.of(passage), c.weight)).collect()
            }
            other => panic!("{quotation}: {other:?}"),
        }
    }

    const PASSAGE: &str = "All orders ship within two working days, and returns are not free after the first month.";

    #[test]
    fn grades_that_hold() {
        assert_eq!(grade("ship within two working days.", PASSAGE), Grade::Exact(Span::new(11, 39)));
        assert_eq!(grade("don’t ship  ‘today’", "They don't ship 'today'."), Grade::Typographic(Span::new(5, 22)));
        assert_eq!(grade("All orders … two working days", PASSAGE), Grade::Elided(Span::new(0, 39)));
        assert_eq!(grade("[they] ship within two working days", PASSAGE), Grade::Inserted(Span::new(11, 39)));
        assert_eq!(grade("No refunds are ever given", PASSAGE), Grade::NotFound);
    }

    #[test]
    fn the_fewest_changes_with_their_places_on_both_sides() {
        let one =
            |quotation, quoted, stands, weight| assert_eq!(changes(quotation, PASSAGE), [(quoted, stands, weight)]);
        one("All orders ship within three working days", "three", "two", Weight::Final);
        one("returns are free after the first month", "", "not", Weight::Final);
        one("returns are not always free after the first month", "always", "", Weight::Final);
        one("returns were not free after the first month", "were", "are", Weight::Triage);
        one("returns are … free after the first month", "…", "not", Weight::Final);
        one("returns are [now] free after", "[now]", "not", Weight::Final);
        one("hip within two", "hip", "ship", Weight::Final);
    }

    #[test]
    fn a_hyphen_or_a_line_break_divides_no_word_anew() {
        let passage = "A well-known e-mail long-\nterm anti\u{ad}virus ser-\nvice.";
        assert!(matches!(grade("well-known e-mail long-term antivirus service", passage), Grade::Typographic(_)));
        assert!(matches!(grade("a wellknown email longterm", passage), Grade::Typographic(_)));
        assert!(matches!(grade("notable feature", "no table feature"), Grade::NotFound | Grade::NearMiss { .. }));
    }

    #[test]
    fn what_is_searched_is_bounded_and_said() {
        let passage = "a b ".repeat(50_000);
        let quotation = "a b ".repeat(40) + "a a b";
        let (ours, theirs) = (Analysis::new(Some("en"), &lexicons()), Analysis::new(Some("en"), &lexicons()));
        let mut effort = Effort(10_000);
        let sought = Sought::new((&quotation, &ours), Span::new(0, quotation.len()));
        assert_eq!(sought.find((&passage, &theirs), &Quoting::default(), &mut effort), Grade::Unsearched);
    }

    proptest! {
        #[test]
        fn nothing_panics_and_spans_fit(text in "\\PC{0,50}|[ab“”\"'‘’«». \n\\[\\]…]{0,60}", passage in "\\PC{0,50}|[ab“”' .\u{ad}-]{0,60}") {
            let (ours, theirs) = (Analysis::new(Some("en"), &lexicons()), Analysis::new(Some("en"), &lexicons()));
            let inners = quotations(&text, 0).into_iter().map(|quotation| {
                assert!(text.get(quotation.span.range()).is_some() && text.get(quotation.inner.range()).is_some());
                quotation.inner
            });
            for inner in inners.chain([Span::new(0, text.len())]) {
                let found = find((&text, &ours), inner, (&passage, &theirs), &Quoting { fold_case: true, ..Quoting::default() });
                if let Grade::NearMiss { changes, .. } = &found {
                    prop_assert!(!changes.is_empty());
                    for change in changes {
                        prop_assert!(text.get(change.quoted.range()).is_some() && passage.get(change.stands.range()).is_some());
                        prop_assert!(inner.contains(change.quoted));
                    }
                }
                if let Grade::Exact(span) | Grade::Typographic(span) | Grade::Elided(span) | Grade::Inserted(span) | Grade::NearMiss { span, .. } = found {
                    prop_assert!(passage.get(span.range()).is_some_and(|s| !s.is_empty()));
                }
            }
        }
    }
}
