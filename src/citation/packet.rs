//! Builds a [`Packet`]: markers, claims, and the citations that come of both.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::align::align;
use super::claim::{ClaimPolicy, ClaimSource, Words, class, class_with_facts};
use super::definition::redirect;
use super::fact::Facts;
use super::grammar::IdCase;
use super::identity::{Identities, folded};
use super::plain::without_markers;
use super::statement::{Statement, judge_what_cites, statements};
use super::{Citation, Claim, ClaimClass, Exposed, Marker, MarkerSet, Packet, Reference, Resolution};
use crate::dataset::{Case, GivenCitation, GivenClaim, Unit};
use crate::text::Analysis;
use crate::text::hidden::is_blank;
use crate::text::lexicon::Lexicons;
use crate::text::normal::{Case as LetterCase, Folded};

impl<'c> Packet<'c> {
    /// Makes a case ready for the checks: parses its markers, takes or splits its claims, and merges what the claims
    /// declare with the markers into one citation per (claim, evidence id).
    #[must_use]
    pub fn build(case: &'c Case<'c>, set: &MarkerSet, policy: &ClaimPolicy, lexicons: &Lexicons) -> Self {
        let language = language(case, policy);
        let words = Words { language: &language, lexicon: lexicons.for_language(Some(&language)), lexicons };
        let answer = case.shown_answer().unwrap_or_default();
        let parsed = set.parse(answer, &case.units);
        let ambiguous_index = parsed.ambiguous_index;
        let mut markers = parsed.with_unread(answer);
        let mut statements = statements(answer, &markers, policy, words);
        redirect(answer, &mut markers, &statements, &case.units, set.grammars());
        judge_what_cites(&mut statements, &markers, (&case.units, case.query.as_deref()), policy, words);
        let says_nothing = says_nothing(case, answer, &markers, &statements);
        let refused = says_nothing || is_refusal(&statements);
        // A marker with a comment inside of it is cut from the answer as it is.
        let raw = case.answer.as_deref().unwrap_or_default();
        for marker in &mut markers {
            marker.raw = raw.get(marker.span.clone()).unwrap_or(marker.raw);
        }
        let given = match policy.from {
            ClaimSource::Answer => None,
            // A candidate does not say that there is nothing to check in its answer.
            ClaimSource::Auto => case.claims.as_deref().filter(|claims| !(claims.is_empty() && case.from_candidate)),
            ClaimSource::Case => Some(case.claims.as_deref().unwrap_or_default()),
        };
        let entries = statements.iter().filter(|statement| statement.is_entry);
        let reference_entries = entries.map(|entry| entry.span.clone()).collect();
        let needy = statements.iter().filter(|statement| statement.class == ClaimClass::Verifiable);
        let stated = needy.map(|statement| (statement.span.clone(), !statement.markers.is_empty())).collect();
        let mut citations = Citations::new(&case.units, &markers);
        let claims = match given {
            Some(given) => citations.given((given, case), set, answer, &statements, policy, words),
            None => citations.split(statements),
        };
        let (claims, citations) = citations.finish(claims);
        let masked = markers.iter().map(|marker| marker.span.clone().into()).collect();
        let analysis = Arc::new(Analysis::with_masked(Some(&language), lexicons, masked));
        Self {
            case,
            unread_language: !words.lexicon.knows_denials() || case.language.is_none() && is_mostly_foreign(answer),
            language,
            markers,
            ambiguous_index,
            claims,
            citations,
            refused,
            says_nothing,
            reference_entries,
            statements: stated,
            register: None,
            analysis,
        }
    }
}

/// Primary subtag of the case's language in lower case, else the policy's.
fn language<'c>(case: &'c Case<'c>, policy: &ClaimPolicy) -> Cow<'c, str> {
    let primary =
        case.language.as_deref().and_then(|tag| tag.trim().split(['-', '_']).next()).filter(|tag| !tag.is_empty());
    match primary {
        Some(tag) if tag.bytes().any(|b| b.is_ascii_uppercase()) => Cow::Owned(tag.to_ascii_lowercase()),
        Some(tag) => Cow::Borrowed(tag),
        None => Cow::Owned(policy.language.clone()),
    }
}

/// Whether most letters of an answer without a language are none of the Latin script, which the policy's default language is taken to have.
fn is_mostly_foreign(answer: &str) -> bool {
    let is_latin = |c: char| matches!(c, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
    let letters = || answer.chars().filter(|c| c.is_alphabetic());
    !answer.is_ascii() && 2 * letters().filter(|c| !is_latin(*c)).count() > letters().count()
}

/// Whether a reader is told nothing: no claims without an answer, and an answer of markers and markup alone.
fn says_nothing(case: &Case<'_>, answer: &str, markers: &[Marker<'_>], statements: &[Statement<'_>]) -> bool {
    match &case.answer {
        None => case.says_nothing(),
        Some(_) if case.says_nothing() => true,
        Some(_) => {
            statements.iter().all(|statement| is_blank(&statement.text))
                && is_blank(&without_markers(answer, &(0..answer.len()), markers))
        }
    }
}

/// Whether an answer as a whole is a refusal: it says so, and nothing in it cites or states a checkable fact before it
/// does.
fn is_refusal(statements: &[Statement<'_>]) -> bool {
    let cited = statements.iter().any(|s| s.class == ClaimClass::Verifiable && !s.markers.is_empty());
    let stands_first = statements
        .iter()
        .find(|s| s.class != ClaimClass::NotVerifiable)
        .is_some_and(|s| s.class == ClaimClass::Refusal);
    stands_first && !cited
}

/// What a citation cites, for telling whether two are the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Target {
    Unit(u32),
    Written(String),
}

impl Target {
    fn of(resolution: Resolution, written: &str) -> Self {
        match resolution {
            Resolution::Unit(index) => Target::Unit(index),
            _ => Target::Written(folded(written.trim()).into_owned()),
        }
    }
}

/// The citations as they are collected.
struct Citations<'p, 'c> {
    units: &'c [Unit<'c>],
    markers: &'p [Marker<'c>],
    ids: Identities<'c>,
    /// What each reference of a marker resolves to, by how it is written, folded; the first marker's where they differ.
    written: HashMap<String, Resolution>,
    /// For each marker and reference, whether a claim has it.
    placed: Vec<Vec<bool>>,
    found: Vec<Citation<'c>>,
    by_target: HashMap<(Option<u32>, Target), usize>,
}

impl<'p, 'c> Citations<'p, 'c> {
    fn new(units: &'c [Unit<'c>], markers: &'p [Marker<'c>]) -> Self {
        let placed = markers.iter().map(|marker| vec![false; marker.references.len()]).collect();
        let mut written = HashMap::new();
        for reference in markers.iter().flat_map(|marker| &marker.references) {
            written.entry(folded(reference.written.trim()).into_owned()).or_insert(reference.resolution);
        }
        let (ids, by_target) = (Identities::new(units), HashMap::new());
        Self { units, markers, ids, written, placed, found: Vec::new(), by_target }
    }

    /// Claims that the case declares, each with the sentence that states it.
    fn given(
        &mut self,
        (given, case): (&'c [GivenClaim<'c>], &'c Case<'c>),
        set: &MarkerSet,
        answer: &'c str,
        statements: &[Statement<'c>],
        policy: &ClaimPolicy,
        words: Words<'_>,
    ) -> Vec<Claim<'c>> {
        let texts: Vec<Cow<'c, str>> = given.iter().map(|claim| bare(&claim.text, set, self.units)).collect();
        let declared: Vec<HashSet<Target>> = given.iter().map(|claim| self.declared_targets(claim)).collect();
        let marked: Vec<Vec<Target>> = statements.iter().map(|statement| self.targets(&statement.markers)).collect();
        let cites = |claim: usize, statement: usize| {
            let (declared, marked) = (declared.get(claim), marked.get(statement));
            declared.zip(marked).is_some_and(|(declared, marked)| marked.iter().any(|target| declared.contains(target)))
        };
        let aligned = align(&texts, answer, statements, self.markers, words.lexicon, cites);
        let mut claims = Vec::with_capacity(given.len());
        for (((number, claim), text), aligned) in (0u32..).zip(given).zip(texts).zip(aligned) {
            let statement = aligned.and_then(|index| statements.get(index));
            let nearby = statement.map_or(&[][..], |statement| &statement.markers);
            match &claim.citations {
                Some(declared) => self.declared(number, declared, nearby),
                None => self.cite_all(Some(number), nearby),
            }
            let cites = claim.citations.as_ref().map_or(!nearby.is_empty(), |declared| !declared.is_empty());
            claims.push(Claim {
                claim_id: Cow::Borrowed(&claim.claim_id),
                class: match claim.is_verifiable {
                    Some(true) => ClaimClass::Verifiable,
                    // A candidate does not say what of its own answer is looked at.
                    Some(false) if !case.from_candidate || !(cites || Facts::of(&text, words).any()) => {
                        ClaimClass::NotVerifiable
                    }
                    Some(false) => ClaimClass::Verifiable,
                    None => match class(&text, cites, policy, words) {
                        class if cites && class != ClaimClass::Verifiable => {
                            class_with_facts(&text, class, (&[], case.query.as_deref()), policy, words)
                        }
                        class => class,
                    },
                },
                text,
                given: Some(claim),
                span: statement.map(|statement| statement.span.clone()),
                markers: nearby.to_vec(),
                citations: Vec::new(),
            });
        }
        claims
    }

    /// Claims split from the answer.
    fn split(&mut self, statements: Vec<Statement<'c>>) -> Vec<Claim<'c>> {
        let mut claims = Vec::with_capacity(statements.len());
        for (number, statement) in (0u32..).zip(statements) {
            self.cite_all(Some(number), &statement.markers);
            claims.push(Claim {
                claim_id: Cow::Owned(format!("c{}", number + 1)),
                text: statement.text,
                given: None,
                span: Some(statement.span),
                markers: statement.markers,
                class: statement.class,
                citations: Vec::new(),
            });
        }
        claims
    }

    /// What a claim declares, merged with the markers of its sentence that say the same.
    fn declared(&mut self, claim: u32, declared: &'c [GivenCitation<'c>], nearby: &[u32]) {
        for given in declared {
            let resolution = self.declared_resolution(&given.id);
            self.add(Some(claim), &given.id, resolution, None, Some(given));
        }
        for &number in nearby {
            self.each_reference(number, |this, at, reference| {
                let target = Target::of(reference.resolution, &reference.written);
                if this.by_target.contains_key(&(Some(claim), target)) {
                    this.cite(Some(claim), number, at, reference);
                }
            });
        }
    }

    /// What a declared id resolves to: an id of the packet, else what a marker that is written the same resolves to, so
    /// that data which repeats `[2]` as "2" means the same unit as the answer does.
    fn declared_resolution(&self, id: &str) -> Resolution {
        if let Some(index) = self.ids.find(id.trim(), IdCase::Fold) {
            return Resolution::Unit(index);
        }
        self.written.get(folded(id.trim()).as_ref()).copied().unwrap_or(Resolution::Unknown)
    }

    /// What a claim declares.
    fn declared_targets(&self, claim: &GivenClaim<'_>) -> HashSet<Target> {
        let declared = claim.citations.as_deref().unwrap_or_default();
        declared.iter().map(|given| Target::of(self.declared_resolution(&given.id), &given.id)).collect()
    }

    /// What markers cite.
    fn targets(&self, markers: &[u32]) -> Vec<Target> {
        let markers = markers.iter().filter_map(|&number| self.markers.get(number as usize));
        let references = markers.flat_map(|marker| &marker.references);
        references.map(|reference| Target::of(reference.resolution, &reference.written)).collect()
    }

    fn cite_all(&mut self, claim: Option<u32>, markers: &[u32]) {
        for &number in markers {
            self.each_reference(number, |this, at, reference| this.cite(claim, number, at, reference));
        }
    }

    fn each_reference(&mut self, number: u32, mut act: impl FnMut(&mut Self, usize, &'p Reference<'c>)) {
        let markers = self.markers;
        let Some(marker) = markers.get(number as usize) else { return };
        for (at, reference) in marker.references.iter().enumerate() {
            act(self, at, reference);
        }
    }

    /// Adds a marker's reference to a claim, or to no claim.
    fn cite(&mut self, claim: Option<u32>, number: u32, at: usize, reference: &'p Reference<'c>) {
        self.add(claim, &reference.written, reference.resolution, Some(number), None);
        if let Some(placed) = self.placed.get_mut(number as usize).and_then(|marker| marker.get_mut(at)) {
            *placed = true;
        }
    }

    fn add(
        &mut self,
        claim: Option<u32>,
        written: &str,
        resolution: Resolution,
        marker: Option<u32>,
        given: Option<&'c GivenCitation<'c>>,
    ) {
        let key = (claim, Target::of(resolution, written));
        let unit = resolution.unit().and_then(|index| self.units.get(index));
        if let Some(citation) = self.by_target.get(&key).and_then(|&index| self.found.get_mut(index)) {
            if let Some(marker) = marker.filter(|marker| citation.markers.last() != Some(marker)) {
                citation.markers.push(marker);
            }
            if let Some(given) = given {
                citation.exposed = joined(&citation.exposed, exposed(unit, Some(given)), citation.given, given);
                citation.given = citation.given.filter(|first| narrows(first)).or(Some(given));
            }
            return;
        }
        self.by_target.insert(key, self.found.len());
        self.found.push(Citation {
            claim,
            id: unit.map_or_else(|| Cow::Owned(written.trim().to_owned()), |unit| Cow::Borrowed(unit.id.as_ref())),
            resolution,
            markers: marker.into_iter().collect(),
            given,
            exposed: exposed(unit, given),
        });
    }

    /// Gives every marker that stands in no claim's sentence to a claim that declares its id and has no marker for it,
    /// else to no claim; then puts the citations in order.
    fn finish(mut self, mut claims: Vec<Claim<'c>>) -> (Vec<Claim<'c>>, Vec<Citation<'c>>) {
        let mut wanting: HashMap<Target, u32> = HashMap::new();
        for citation in self.found.iter().rev().filter(|citation| citation.markers.is_empty()) {
            if let Some(claim) = citation.claim {
                wanting.insert(Target::of(citation.resolution, &citation.id), claim);
            }
        }
        for number in (0u32..).take(self.markers.len()) {
            self.each_reference(number, |this, at, reference| {
                if this.placed.get(number as usize).and_then(|marker| marker.get(at)) == Some(&true) {
                    return;
                }
                let claim = wanting.get(&Target::of(reference.resolution, &reference.written)).copied();
                this.cite(claim, number, at, reference);
            });
        }
        let mut citations = self.found;
        citations.sort_by_key(|citation| citation.claim.unwrap_or(u32::MAX));
        for (index, citation) in (0u32..).zip(&citations) {
            if let Some(claim) = citation.claim.and_then(|claim| claims.get_mut(claim as usize)) {
                claim.citations.push(index);
            }
        }
        (claims, citations)
    }
}

/// A claim's text without the markers that the data left in it.
fn bare<'c>(text: &'c str, set: &MarkerSet, units: &[Unit<'_>]) -> Cow<'c, str> {
    let markers = set.parse(text, units).with_unread(text);
    if markers.is_empty() { Cow::Borrowed(text) } else { without_markers(text, &(0..text.len()), &markers) }
}

fn narrows(given: &GivenCitation<'_>) -> bool {
    given.quote.is_some() || given.span.is_some()
}

/// What two declared citations of one unit expose together: where both narrow it, the stretch from the first of the two
/// passages to the last; where one does, its passage. A passage that is not there is told before one that is.
fn joined(before: &Exposed, now: Exposed, first: Option<&GivenCitation<'_>>, given: &GivenCitation<'_>) -> Exposed {
    match (first.is_some_and(narrows), narrows(given)) {
        (true, true) => match (before, now) {
            (Exposed::Span(a), Exposed::Span(b)) => Exposed::Span(a.start.min(b.start)..a.end.max(b.end)),
            (Exposed::Span(_), missing) => missing,
            (missing, _) => missing.clone(),
        },
        (false, true) => now,
        (true | false, false) => before.clone(),
    }
}

/// What a citation exposes of the unit it resolves to: the declared span, else where the declared quote stands, else
/// the whole content.
fn exposed(unit: Option<&Unit<'_>>, given: Option<&GivenCitation<'_>>) -> Exposed {
    let Some(unit) = unit else { return Exposed::Nothing };
    let Some(content) = unit.content.as_deref() else { return Exposed::NoContent };
    let quote = given.and_then(|given| given.quote.as_deref());
    match given.and_then(|given| given.span.clone()) {
        Some(span) => match content.get(span.clone()) {
            Some(text) if quote.is_none_or(|quote| quoted(text, quote).is_some()) => Exposed::Span(span),
            Some(_) => Exposed::QuoteNotFound,
            None => Exposed::SpanOutside,
        },
        None => match quote {
            Some(quote) => quoted(content, quote).map_or(Exposed::QuoteNotFound, Exposed::Span),
            None => Exposed::Span(0..content.len()),
        },
    }
}

/// Where a quote stands in a text: exactly, else up to typography. An empty quote stands nowhere.
fn quoted(text: &str, quote: &str) -> Option<Range<usize>> {
    let quote = quote.trim();
    if quote.is_empty() {
        return None;
    }
    if let Some(start) = text.find(quote) {
        return Some(start..start + quote.len());
    }
    let (text_folded, quote) = (Folded::new(text, LetterCase::Keep), Folded::new(quote, LetterCase::Keep));
    let quote = quote.text().trim();
    let start = text_folded.text().find(quote).filter(|_| !quote.is_empty())?;
    Some(text_folded.to_original(text, crate::text::Span::new(start, start + quote.len())).range())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(content: Option<&'static str>) -> Unit<'static> {
        let mut unit = super::super::identity::tests::units(&["a"]).remove(0);
        unit.content = content.map(Cow::Borrowed);
        unit
    }

    fn given(quote: Option<&'static str>, span: Option<Range<usize>>) -> GivenCitation<'static> {
        GivenCitation { id: Cow::Borrowed("a"), source_version: None, quote: quote.map(Cow::Borrowed), span }
    }

    #[test]
    fn a_span_or_a_quote_narrows_what_is_exposed() {
        let unit = unit(Some("Refunds take “30 days”. Exports take 7."));
        let expose = |quote, span| exposed(Some(&unit), Some(&given(quote, span)));
        assert_eq!(exposed(Some(&unit), None), Exposed::Span(0..43));
        assert_eq!(expose(None, Some(0..27)), Exposed::Span(0..27));
        assert_eq!(expose(Some("Exports take 7"), None), Exposed::Span(28..42));
        assert_eq!(expose(Some("take \"30 days\""), None), Exposed::Span(8..26), "up to typography");
        assert_eq!(expose(Some("Exports"), Some(0..27)), Exposed::QuoteNotFound, "not in the cited span");
        assert_eq!(expose(Some("60 days"), None), Exposed::QuoteNotFound);
        assert_eq!(expose(Some(" "), None), Exposed::QuoteNotFound);
        assert_eq!(expose(None, Some(0..99)), Exposed::SpanOutside);
        assert_eq!(exposed(None, None), Exposed::Nothing);
        assert_eq!(exposed(Some(&super::tests::unit(None)), None), Exposed::NoContent);
    }

    #[test]
    fn two_passages_of_one_unit_are_exposed_from_the_first_to_the_last() {
        let (plain, narrow) = (given(None, None), given(Some("x"), None));
        let span = |range: Range<usize>| Exposed::Span(range);
        assert_eq!(joined(&span(0..5), span(9..12), Some(&narrow), &narrow), span(0..12));
        assert_eq!(joined(&span(0..50), span(9..12), Some(&plain), &narrow), span(9..12));
        assert_eq!(joined(&span(9..12), span(0..50), Some(&narrow), &plain), span(9..12));
        assert_eq!(joined(&span(9..12), Exposed::QuoteNotFound, Some(&narrow), &narrow), Exposed::QuoteNotFound);
    }
}
