//! Finding markers in an answer: one pass, every grammar tried at each position, the longest match wins.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use regex::{Captures, Regex};

use super::code_spans;
use super::grammar::{Grammar, Resolve};
use super::identity::{Identities, ascii_digits};
use super::reference::{List, MAX_REFERENCES, spell_out};
use super::shadow::EntryPlaces;
use super::signs::Signs;
use super::unread::{Group, Read, next_group};
use super::{Marker, Reference, Resolution};
use crate::dataset::Unit;

/// Most references that the ranges of one answer may come to; what is beyond is malformed. Keeps a hostile answer full
/// of `[1-1000]` from filling the memory.
pub const MAX_RANGE_REFERENCES: usize = 20_000;

/// Why text that looks like a citation is malformed where it matches no pattern.
pub const UNREAD: &str = "it matches no marker of the policy";

/// The compiled `markers` of a policy: grammars, what is never a marker, and what looks like a marker gone wrong.
#[derive(Debug, Clone)]
pub struct MarkerSet {
    grammars: Vec<Grammar>,
    exclude: Vec<Regex>,
    suspicious: Vec<Regex>,
    /// What each of them cannot do without.
    needs: Needs,
    places: EntryPlaces,
}

/// By list and index, the signs that a pattern needs.
#[derive(Debug, Clone)]
struct Needs {
    grammars: Vec<Signs>,
    exclude: Vec<Signs>,
    suspicious: Vec<Signs>,
}

/// What was found in an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parsed<'c> {
    /// The markers, in order, never overlapping.
    pub markers: Vec<Marker<'c>>,
    /// Byte spans that look like a citation and match no marker, in order, never overlapping.
    pub suspicious: Vec<Range<usize>>,
    /// Whether both 0 and the packet's length were used as positions, so that either counting may be meant. No position is
    /// taken for a unit then.
    pub ambiguous_index: bool,
}

impl<'c> Parsed<'c> {
    /// The markers, and with them what looks like one as markers that refer to nothing, in order: what is not read is told and is
    /// no part of any claim.
    pub(super) fn with_unread(self, answer: &'c str) -> Vec<Marker<'c>> {
        let mut markers = self.markers;
        if self.suspicious.is_empty() {
            return markers;
        }
        let unread = |span: Range<usize>| {
            let raw = answer.get(span.clone())?;
            Some(Marker { span, raw, grammar: u16::MAX, references: Vec::new(), malformed: Some(UNREAD) })
        };
        markers.extend(self.suspicious.into_iter().filter_map(unread));
        markers.sort_by_key(|marker| marker.span.start);
        markers
    }
}

impl MarkerSet {
    /// Grammars in file order, patterns of what is no marker, and patterns of what looks like one gone wrong.
    ///
    /// Code spans and fenced blocks never hold a marker, whatever `exclude` says. An exclude pattern with a named group
    /// `ref` or `refs` excludes only where that text is no id of the packet: `[the guide](https://…)` is a link, but
    /// `[doc_1](https://…)` cites the unit `doc_1`.
    #[must_use]
    pub fn new(grammars: Vec<Grammar>, exclude: Vec<Regex>, suspicious: Vec<Regex>) -> Self {
        let needs = Needs {
            grammars: grammars.iter().map(|grammar| Signs::needed_by(&grammar.pattern)).collect(),
            exclude: exclude.iter().map(Signs::needed_by).collect(),
            suspicious: suspicious.iter().map(Signs::needed_by).collect(),
        };
        Self { grammars, exclude, suspicious, needs, places: EntryPlaces::default() }
    }

    /// The same set, knowing where its entries are written.
    #[must_use]
    pub fn written_at(self, places: EntryPlaces) -> Self {
        Self { places, ..self }
    }

    pub(super) fn places(&self) -> &EntryPlaces {
        &self.places
    }

    /// The grammars, in file order; a [`Marker::grammar`] is an index into them.
    #[must_use]
    pub fn grammars(&self) -> &[Grammar] {
        &self.grammars
    }

    /// The exclude patterns, in file order.
    pub(super) fn excluded(&self) -> &[Regex] {
        &self.exclude
    }

    /// The markers of an answer, resolved against the units of its packet.
    #[must_use]
    pub fn parse<'c>(&self, answer: &'c str, units: &[Unit<'_>]) -> Parsed<'c> {
        let mut scan = Scan {
            set: self,
            answer,
            signs: Signs::of(answer),
            ids: Identities::new(units),
            budget: MAX_RANGE_REFERENCES,
        };
        let excluded = scan.excluded();
        let mut markers = Vec::new();
        for gap in gaps(answer.len(), &excluded) {
            scan.markers(&gap, &mut markers);
        }
        let spans = |markers: &[Marker<'_>]| -> Vec<Range<usize>> {
            excluded.iter().cloned().chain(markers.iter().map(|marker| marker.span.clone())).collect()
        };
        let mut unread = Vec::new();
        if scan.signs.has_any() {
            let mut unusual = Vec::new();
            let read = Read::new(&markers);
            for gap in gaps(answer.len(), &merged(spans(&markers))) {
                scan.groups(&gap, &read, &mut unusual, &mut unread);
            }
            if !unusual.is_empty() {
                markers.append(&mut unusual);
                markers.sort_by_key(|marker| marker.span.start);
            }
        }
        let taken = merged(spans(&markers).into_iter().chain(unread.iter().cloned()).collect());
        unread.append(&mut scan.suspicious(&taken));
        let ambiguous_index = scan.leave_open_what_is_ambiguous(&mut markers);
        Parsed { markers, suspicious: merged(unread), ambiguous_index }
    }
}

/// Whether a code span is nothing but a number, with square brackets right around it.
fn is_number_in_brackets(text: &str, span: &Range<usize>) -> bool {
    let inside = text.get(span.clone()).unwrap_or_default().trim_matches(['`', ' ']);
    ascii_digits(inside).is_some()
        && text.get(..span.start).is_some_and(|before| before.ends_with('['))
        && text.get(span.end..).is_some_and(|behind| behind.starts_with(']'))
}

/// One pass over one answer.
struct Scan<'s, 'c, 'u> {
    set: &'s MarkerSet,
    answer: &'c str,
    signs: Signs,
    ids: Identities<'u>,
    budget: usize,
}

impl<'c> Scan<'_, 'c, '_> {
    /// Those of `patterns` that a text with these signs may match.
    fn possible<'p>(
        &self,
        signs: Signs,
        patterns: &'p [Regex],
        needs: &'p [Signs],
    ) -> impl Iterator<Item = &'p Regex> + use<'p> {
        patterns.iter().zip(needs).filter(move |(_, needed)| needed.are_in(signs)).map(|(pattern, _)| pattern)
    }

    /// Where no marker can stand, in order, never overlapping.
    fn excluded(&self) -> Vec<Range<usize>> {
        let mut spans = code_spans(self.answer);
        // "[`9`]" cites in another type.
        spans.retain(|span| !is_number_in_brackets(self.answer, span));
        for pattern in self.possible(self.signs, &self.set.exclude, &self.set.needs.exclude) {
            self.excluded_by(pattern, self.answer, &mut spans);
        }
        merged(spans)
    }

    /// Adds what an exclude pattern takes out of a text.
    fn excluded_by(&self, pattern: &Regex, text: &str, spans: &mut Vec<Range<usize>>) {
        let unless_known = pattern.capture_names().flatten().any(|name| name == "ref" || name == "refs");
        if unless_known {
            let unknown = pattern.captures_iter(text).filter(|found| !self.names_a_unit(found));
            spans.extend(unknown.filter_map(|found| found.get(0)).map(|found| found.range()));
        } else {
            spans.extend(pattern.find_iter(text).map(|found| found.range()));
        }
    }

    /// Whether the `ref` or `refs` of an exclude pattern's match is an id of the packet.
    fn names_a_unit(&self, found: &Captures<'_>) -> bool {
        let text = found.name("ref").or_else(|| found.name("refs")).map_or("", |group| group.as_str());
        let known = |text: &str| self.set.grammars.iter().any(|grammar| self.ids.is_id(grammar, text));
        known(text) || {
            let list = spell_out(text, &mut 0, known, str::trim);
            list.malformed.is_none() && list.references.iter().all(|reference| known(reference))
        }
    }

    /// Adds the markers of one stretch between excluded spans. Each grammar keeps the place of its next match, so that
    /// it reads the stretch once.
    fn markers(&mut self, gap: &Range<usize>, out: &mut Vec<Marker<'c>>) {
        let Some(text) = self.answer.get(..gap.end) else { return };
        let set = self.set;
        let mut at = gap.start;
        let first = |(grammar, needed): (&Grammar, &Signs)| match needed.are_in(self.signs) {
            true => find(&grammar.pattern, text, at),
            false => None,
        };
        let mut next: Vec<_> = set.grammars.iter().zip(&set.needs.grammars).map(first).collect();
        loop {
            for (grammar, found) in set.grammars.iter().zip(&mut next) {
                if found.as_ref().is_some_and(|found| found.start < at) {
                    *found = find(&grammar.pattern, text, at);
                }
            }
            let candidates = next.iter().enumerate().filter_map(|(index, found)| Some((index, found.clone()?)));
            let best = candidates.min_by_key(|(index, found)| (found.start, Reverse(found.end), *index));
            let Some((index, span)) = best else { break };
            let Some(grammar) = set.grammars.get(index) else { break };
            if let Some(marker) = self.read(index, grammar, text, span.clone()) {
                at = span.end;
                out.push(marker);
            } else if let Some(slot) = next.get_mut(index) {
                *slot = find(&grammar.pattern, text, after(text, span.start));
            }
        }
    }

    /// The marker at `span`; `None` where the grammar wants ids of the packet and finds others.
    fn read<'t>(&mut self, index: usize, grammar: &Grammar, text: &'t str, span: Range<usize>) -> Option<Marker<'t>> {
        let found = grammar.pattern.captures_at(text, span.start)?;
        let list = match (found.name("ref"), found.name("refs")) {
            (Some(one), _) => single(grammar.trimmed(one.as_str())),
            (None, Some(many)) => self.list(grammar, grammar.trimmed(many.as_str())),
            (None, None) => single(""),
        };
        if grammar.known_only && !list.references.iter().all(|reference| self.ids.is_id(grammar, reference)) {
            return None;
        }
        let resolve = |written: Cow<'t, str>| -> Reference<'t> {
            let resolution: Resolution = self.ids.resolve(grammar, &written);
            Reference { written, resolution }
        };
        let mut references: Vec<_> = list.references.into_iter().map(resolve).collect();
        if let Some(link) = found.name("link") {
            self.ids.hold_against_link(link.as_str(), &mut references);
        }
        Some(Marker {
            raw: text.get(span.clone())?,
            span,
            grammar: u16::try_from(index).unwrap_or(u16::MAX),
            references,
            malformed: list.malformed,
        })
    }

    /// Reads the bracket groups of one stretch that no grammar read as they stand: those in unusual signs as markers where a grammar
    /// reads them in plain ones, what else looks like a citation into `unread`.
    fn groups(
        &mut self,
        gap: &Range<usize>,
        read: &Read<'_, '_>,
        markers: &mut Vec<Marker<'c>>,
        unread: &mut Vec<Range<usize>>,
    ) {
        let mut at = gap.start;
        while let Some(group) = next_group(self.answer, at..gap.end) {
            at = group.next;
            if group.is_unusual() && self.is_excluded(&group) {
                continue;
            }
            let marker = if group.is_unusual() { self.read_plain(&group) } else { None };
            if let Some(marker) = marker {
                at = group.span.end;
                markers.push(marker);
            } else if group.looks_like_a_citation(self.answer, read) || self.is_suspicious(&group) {
                at = group.span.end;
                unread.push(group.span);
            }
        }
    }

    /// Whether a group would be no marker if it was written in plain signs.
    fn is_excluded(&self, group: &Group<'_>) -> bool {
        let mut spans = Vec::new();
        for pattern in self.possible(Signs::of(&group.plain), &self.set.exclude, &self.set.needs.exclude) {
            self.excluded_by(pattern, &group.plain, &mut spans);
        }
        spans.contains(&(0..group.plain.len()))
    }

    /// The marker that a group in unusual signs is when it is written in plain ones: one whose references are units or positions.
    fn read_plain(&mut self, group: &Group<'_>) -> Option<Marker<'c>> {
        let (set, plain) = (self.set, group.plain.as_ref());
        let signs = Signs::of(plain);
        let whole = 0..plain.len();
        let possible = set.grammars.iter().zip(&set.needs.grammars).enumerate();
        for (index, (grammar, needed)) in possible {
            if !needed.are_in(signs) || find(&grammar.pattern, plain, 0) != Some(whole.clone()) {
                continue;
            }
            let Some(marker) = self.read(index, grammar, plain, whole.clone()) else { continue };
            if marker
                .references
                .iter()
                .any(|of| of.resolution == Resolution::Unknown && ascii_digits(&of.written).is_none())
            {
                continue;
            }
            let owned = |of: Reference<'_>| Reference { written: Cow::Owned(of.written.into_owned()), ..of };
            return Some(Marker {
                raw: self.answer.get(group.span.clone())?,
                span: group.span.clone(),
                grammar: marker.grammar,
                references: marker.references.into_iter().map(owned).collect(),
                malformed: marker.malformed,
            });
        }
        None
    }

    /// Whether a group in unusual signs looks like a citation to the policy when it is written in plain ones.
    fn is_suspicious(&self, group: &Group<'_>) -> bool {
        if !group.is_unusual() {
            return false;
        }
        let plain = group.plain.as_ref();
        let mut patterns = self.possible(Signs::of(plain), &self.set.suspicious, &self.set.needs.suspicious);
        patterns.any(|pattern| find(pattern, plain, 0) == Some(0..plain.len()))
    }

    fn list<'t>(&mut self, grammar: &Grammar, text: &'t str) -> List<'t> {
        match &grammar.each {
            Some(each) => {
                let found = each.find_iter(text).map(|found| grammar.trimmed(found.as_str()));
                let references: Vec<_> =
                    found.filter(|found| !found.is_empty()).take(MAX_REFERENCES).map(Cow::Borrowed).collect();
                let malformed = references.is_empty().then_some(NO_REFERENCE);
                List { references, malformed }
            }
            None => {
                let (ids, budget) = (&self.ids, &mut self.budget);
                spell_out(text, budget, |id| ids.is_id(grammar, id), |item| grammar.trimmed(item))
            }
        }
    }

    /// Where positions may count from 0 or from 1, or numbers are ids, none of them is taken for a unit. Whether the first is so.
    fn leave_open_what_is_ambiguous(&self, markers: &mut [Marker<'_>]) -> bool {
        let ambiguous = [self.ids.ambiguous_index(0), self.ids.ambiguous_index(1)];
        let are_ids = self.ids.cites_numbers(markers.iter().flat_map(|marker| &marker.references));
        if ambiguous == [false; 2] && !are_ids {
            return false;
        }
        for marker in markers {
            let Some(grammar) = self.set.grammars.get(usize::from(marker.grammar)) else { continue };
            let Resolve::Position { first } = grammar.resolve else { continue };
            if !are_ids && ambiguous.get(first as usize) != Some(&true) {
                continue;
            }
            for reference in &mut marker.references {
                if reference.resolution.unit().is_some() && !self.ids.is_id(grammar, &reference.written) {
                    reference.resolution = Resolution::Unknown;
                }
            }
        }
        ambiguous != [false; 2]
    }

    /// What looks like a marker outside of `taken`.
    fn suspicious(&self, taken: &[Range<usize>]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for gap in gaps(self.answer.len(), taken) {
            let Some(text) = self.answer.get(..gap.end) else { continue };
            for pattern in self.possible(self.signs, &self.set.suspicious, &self.set.needs.suspicious) {
                let mut at = gap.start;
                while let Some(span) = find(pattern, text, at) {
                    at = span.end;
                    found.push(span);
                }
            }
        }
        merged(found)
    }
}

const NO_REFERENCE: &str = "a marker without a reference";

fn single(text: &str) -> List<'_> {
    if text.is_empty() {
        return List { references: Vec::new(), malformed: Some(NO_REFERENCE) };
    }
    List { references: vec![Cow::Borrowed(text)], malformed: None }
}

/// The next match from byte `at` that is not empty.
fn find(pattern: &Regex, text: &str, mut at: usize) -> Option<Range<usize>> {
    while at <= text.len() {
        let found = pattern.find_at(text, at)?;
        if !found.is_empty() {
            return Some(found.range());
        }
        at = after(text, found.start());
    }
    None
}

/// The byte after the character that starts at `at`.
fn after(text: &str, at: usize) -> usize {
    let width = text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
    at + width
}

/// Spans in order, those that touch or overlap made one.
fn merged(mut spans: Vec<Range<usize>>) -> Vec<Range<usize>> {
    spans.retain(|span| !span.is_empty());
    spans.sort_by_key(|span| (span.start, span.end));
    let mut out: Vec<Range<usize>> = Vec::with_capacity(spans.len());
    for span in spans {
        match out.last_mut() {
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => out.push(span),
        }
    }
    out
}

/// The stretches of a text of `length` bytes that no span of `taken` covers.
fn gaps(length: usize, taken: &[Range<usize>]) -> impl Iterator<Item = Range<usize>> {
    let starts = std::iter::once(0).chain(taken.iter().map(|span| span.end));
    let ends = taken.iter().map(|span| span.start).chain(std::iter::once(length));
    starts.zip(ends).map(|(start, end)| start..end).filter(|gap| !gap.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::identity::tests::units;
    use super::*;

    fn regex(pattern: &str) -> Regex {
        Regex::new(pattern).expect("a valid pattern")
    }

    fn grammar(id: &str, pattern: &str) -> Grammar {
        Grammar::new(id, regex(pattern)).expect("a grammar")
    }

    fn set() -> MarkerSet {
        let position = Resolve::Position { first: 1 };
        let numbered =
            Grammar { resolve: position.clone(), ..grammar("numbered", r"\[(?<refs>\d+(?:\s*[-–,;]\s*\d+)*)\]") };
        let linked = Grammar { resolve: position, ..grammar("linked", r"\[(?<ref>[\w.:-]{1,40})\]\([^()\s]{0,200}\)") };
        let id = r"[A-Za-z][\w.:-]*\d[\w.:-]*";
        let named = grammar("named", &format!(r"\[(?<refs>{id}(?:\s*[,;]\s*{id})*)\]"));
        let word = Grammar { known_only: true, ..grammar("word", r"\[(?<ref>[A-Za-z]{2,40})\]") };
        let link = regex(r"\[(?<ref>[^\[\]]*[^\[\]\d][^\[\]]*)\]\([^()]*\)");
        MarkerSet::new(vec![numbered, linked, named, word], vec![link], vec![regex(r"\[(?:doc|\?)[^\]\s]*\s?\d*")])
    }

    fn raws<'c>(parsed: &Parsed<'c>) -> Vec<&'c str> {
        parsed.markers.iter().map(|marker| marker.raw).collect()
    }

    #[test]
    fn lists_ids_and_links() {
        let units = units(&["doc_1", "doc_2", "handbook"]);
        let answer = "A [1, 2]. B [DOC_2; doc_1]. C [handbook] [sic]. D [doc_1](https://x) [guide](https://y) [3](z).";
        let parsed = set().parse(answer, &units);
        assert_eq!(raws(&parsed), ["[1, 2]", "[DOC_2; doc_1]", "[handbook]", "[doc_1](https://x)", "[3](z)"]);
        let resolved: Vec<Vec<_>> =
            parsed.markers.iter().map(|m| m.references.iter().map(|r| r.resolution.unit()).collect()).collect();
        assert_eq!(
            resolved,
            [vec![Some(0), Some(1)], vec![Some(1), Some(0)], vec![Some(2)], vec![Some(0)], vec![Some(2)]]
        );
        assert_eq!(parsed.suspicious, Vec::<Range<usize>>::new());
    }

    #[test]
    fn code_is_never_cited_and_suspicious_text_is_told() {
        let answer = "Call `items[0]` [1] as in [doc 3 or [?].\n```\nx = y[2]\n```\n";
        let parsed = set().parse(answer, &units(&["a"]));
        assert_eq!(raws(&parsed), ["[1]"]);
        let suspicious: Vec<_> = parsed.suspicious.iter().map(|span| &answer[span.clone()]).collect();
        assert_eq!(suspicious, ["[doc 3", "[?"]);
    }

    #[test]
    fn the_longest_match_wins_then_file_order() {
        let short = grammar("short", r"\[(?<ref>\d)\]");
        let long = grammar("long", r"\[(?<ref>\d)\]\(u\)");
        let twin = grammar("twin", r"\[(?<ref>[0-9])\]");
        let set = MarkerSet::new(vec![short, long, twin], Vec::new(), Vec::new());
        let parsed = set.parse("[1](u)[2]", &[]);
        assert_eq!(parsed.markers.iter().map(|m| (m.raw, m.grammar)).collect::<Vec<_>>(), [("[1](u)", 1), ("[2]", 0)]);
    }

    #[test]
    fn a_range_bomb_is_bounded() {
        let answer = "[1-1000]".repeat(5_000);
        let parsed = set().parse(&answer, &units(&["a"]));
        let references: usize = parsed.markers.iter().map(|marker| marker.references.len()).sum();
        assert_eq!(references, MAX_RANGE_REFERENCES);
        assert_eq!(parsed.markers.iter().filter(|marker| marker.malformed.is_some()).count(), 4_980);
    }

    #[test]
    fn hostile_answers_are_read_in_one_pass() {
        let units = units(&["a"]);
        for part in ["[", "[1", "[1](", "[a[", "`a` [", "](", "[1]", "[doc ", "``` ", "[1,", "[a1;"] {
            let answer = part.repeat(200_000 / part.len());
            let parsed = set().parse(&answer, &units);
            assert!(parsed.markers.len() <= answer.len());
        }
    }

    proptest! {
        #[test]
        fn a_span_cut_from_the_answer_is_the_raw_text(answer in r"(\[|\]|\(|\)|[0-9]|[,;–-]|doc_|`|\n| |é|[a-z]|¹|\PC){0,80}") {
            let parsed = set().parse(&answer, &units(&["doc_1", "2", "x"]));
            let mut end = 0;
            for marker in &parsed.markers {
                prop_assert_eq!(answer.get(marker.span.clone()), Some(marker.raw));
                prop_assert!(marker.span.start >= end && !marker.span.is_empty());
                end = marker.span.end;
            }
            for span in &parsed.suspicious {
                prop_assert!(answer.get(span.clone()).is_some());
            }
        }
    }
}
