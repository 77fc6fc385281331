//! Holding the identifiers of a claim against a passage.

use super::{Identifier, IdentifierKind, Likeness};
use crate::text::analysis::Analysis;
use crate::text::outcome::Outcome;
use crate::text::quantity::align::Alignment;
use crate::text::quantity::compare::affordable;
use crate::text::span::Span;
use crate::text::word::{Token, TokenKind, folded, tokens};

/// Holds each identifier of `claim` against `passage`. The outcomes are in the order of [`Analysis::identifiers`].
///
/// `Conflicting` is said only where exactly one other member of the same family (another version of the product, another path on the
/// host) stands in the one sentence of the passage that speaks about the same thing.
pub fn compare(claim: (&str, &Analysis), passage: (&str, &Analysis)) -> Vec<Outcome> {
    let wanted = claim.1.identifiers(claim.0);
    if wanted.is_empty() {
        return Vec::new();
    }
    let most = affordable(passage);
    let mut aligned = Aligned::new(claim, passage);
    let each = |(at, identifier): (usize, &Identifier)| match at < most {
        true => one(identifier, claim.0, passage, &mut aligned),
        false => Outcome::Ambiguous(Span::default()),
    };
    wanted.iter().enumerate().map(each).collect()
}

/// The sentences of a passage that speak about the same thing as those of a claim; found where they are asked for.
pub(crate) struct Aligned<'t> {
    claim: (&'t str, &'t Analysis),
    passage: (&'t str, &'t Analysis),
    alignment: Option<Alignment>,
}

impl<'t> Aligned<'t> {
    pub(crate) fn new(claim: (&'t str, &'t Analysis), passage: (&'t str, &'t Analysis)) -> Self {
        Self { claim, passage, alignment: None }
    }

    /// The one of `others` that stands in the sentence aligned with what the claim says at `span`; none where several do, or where it is
    /// only a bound ("3.9 or later") or only mentioned to be denied or replaced.
    pub(crate) fn only(&mut self, span: Span, others: impl Iterator<Item = Span>) -> Option<Span> {
        self.only_unbounded(span, others, false)
    }

    fn only_unbounded(&mut self, span: Span, others: impl Iterator<Item = Span>, counted: bool) -> Option<Span> {
        let mut others = others.peekable();
        others.peek()?;
        let (claim, passage) = (self.claim, self.passage);
        let alignment = self.alignment.get_or_insert_with(|| Alignment::new(claim, passage));
        let sentence = alignment.sentence_for(span)?;
        let mut inside = others.filter(|other| sentence.contains(*other));
        match (inside.next(), inside.next()) {
            (Some(only), None) if !is_bound(passage, only, counted) => Some(only),
            _ => None,
        }
    }
}

fn one(wanted: &Identifier, claim: &str, passage: (&str, &Analysis), aligned: &mut Aligned<'_>) -> Outcome {
    let (text, analysis) = passage;
    let evidence = analysis.identifiers(text);
    let mut open = None;
    let mut others: Vec<Span> = Vec::new();
    for have in evidence {
        match wanted.likeness(have) {
            Likeness::Same => return Outcome::Matched(have.span),
            Likeness::Open => open = open.or(Some(have.span)),
            Likeness::Other => others.push(have.span),
            Likeness::Unlike => {}
        }
    }
    // A source that names itself by its version says so bare.
    if wanted.kind == IdentifierKind::Version && folded(text).trim_start_matches('v') == wanted.canonical.as_ref() {
        return Outcome::Matched(Span::new(0, text.len()));
    }
    if let Some(span) = written(wanted, claim, passage).or_else(|| word_of_name(wanted, claim, passage, &others)) {
        return Outcome::Matched(span);
    }
    if let Some(span) = open {
        return Outcome::Ambiguous(span);
    }
    let counted = wanted.kind == IdentifierKind::Version;
    aligned.only_unbounded(wanted.span, others.into_iter(), counted).map_or(Outcome::Absent, Outcome::Conflicting)
}

/// Where the passage has the same text up to typography, however it was read: "CO₂" for "CO2", a path without its code marks.
fn written(wanted: &Identifier, claim: &str, (passage, analysis): (&str, &Analysis)) -> Option<Span> {
    if matches!(
        wanted.kind,
        IdentifierKind::Url | IdentifierKind::Email | IdentifierKind::Version | IdentifierKind::Reference
    ) {
        return None;
    }
    let needle = folded(wanted.span.of(claim));
    let pattern = regex::Regex::new(&format!("(?i){}", regex::escape(&needle))).ok()?;
    let sensitive = matches!(wanted.kind, IdentifierKind::Path | IdentifierKind::Flag);
    let folded = analysis.folded(passage);
    let whole = |found: &regex::Match<'_>| {
        // A longer word, number, path or flag is another one.
        let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '\\');
        let before = folded.text().get(..found.start()).and_then(|text| text.chars().next_back());
        let mut after = folded.text().get(found.end()..).unwrap_or_default().chars();
        let stop = after.next();
        let behind_stop = matches!(stop, Some('.' | ',' | ':')) && after.next().is_some_and(char::is_alphanumeric);
        !before.is_some_and(goes_on) && !stop.is_some_and(goes_on) && !behind_stop
    };
    let spans = pattern.find_iter(folded.text()).filter(whole);
    let mut spans = spans.map(|found| folded.to_original(passage, found.range().into()));
    spans.find(|span| !sensitive || span.of(passage).contains(wanted.span.of(claim).trim_end_matches('/')))
}

/// Where the passage has a word of a name with digits, outside of names that differ from it in their digits. What is a code rather than
/// a name, such as `SKU-4711`, has no such word.
fn word_of_name(
    wanted: &Identifier,
    claim: &str,
    (passage, analysis): (&str, &Analysis),
    others: &[Span],
) -> Option<Span> {
    const CODE_DIGITS: usize = 3;
    if wanted.kind != IdentifierKind::Name {
        return None;
    }
    let written = wanted.span.of(claim);
    let parts = tokens(written);
    let is_code = !written.contains(char::is_whitespace)
        && parts.iter().any(|part| part.kind == TokenKind::Digits && part.span.len() >= CODE_DIGITS);
    if is_code {
        return None;
    }
    let words: Vec<_> = parts
        .into_iter()
        .filter(|token| token.kind == TokenKind::Word && token.span.of(written).chars().nth(1).is_some())
        .map(|token| folded(token.span.of(written)))
        .collect();
    let is_named = |token: &&Token| {
        token.kind == TokenKind::Word
            && words.contains(&folded(token.span.of(passage)))
            && !others.iter().any(|other| other.contains(token.span))
    };
    analysis.tokens(passage).iter().find(is_named).map(|token| token.span)
}

/// Whether what stands at `span` is the end of a range or named in passing: "3.9 or later", "from 3.9 on", "formerly v2", "not v2".
/// `counted` is what goes up, such as a version: "under 3.9" bounds it.
fn is_bound((text, analysis): (&str, &Analysis), span: Span, counted: bool) -> bool {
    const AND: [&str; 11] = ["or", "and", "oder", "und", "ou", "et", "o", "y", "e", "of", "en"];
    const BEYOND: [&str; 42] = [
        "later",
        "newer",
        "above",
        "higher",
        "up",
        "upwards",
        "onwards",
        "onward",
        "earlier",
        "older",
        "below",
        "lower",
        "greater",
        "höher",
        "neuer",
        "später",
        "älter",
        "aufwärts",
        "supérieur",
        "supérieure",
        "ultérieure",
        "plus",
        "superior",
        "superiores",
        "posterior",
        "posteriores",
        "anterior",
        "successiva",
        "successive",
        "superiore",
        "hoger",
        "nieuwer",
        "later",
        "on",
        "beyond",
        "et",
        "mais",
        "più",
        "lager",
        "ouder",
        "recent",
        "récente",
    ];
    const BEFORE: [&str; 40] = [
        "since",
        "from",
        "until",
        "before",
        "after",
        "than",
        "replaces",
        "replaced",
        "replacing",
        "supersedes",
        "superseded",
        "formerly",
        "previously",
        "not",
        "unlike",
        "instead",
        "obsoletes",
        "ab",
        "seit",
        "bis",
        "statt",
        "nicht",
        "ersetzt",
        "depuis",
        "jusqu'à",
        "dès",
        "remplace",
        "pas",
        "desde",
        "hasta",
        "reemplaza",
        "sustituye",
        "até",
        "substitui",
        "dal",
        "dalla",
        "fino",
        "sostituisce",
        "vanaf",
        "sinds",
    ];
    const SIGNS: [&str; 7] = ["+", "≥", "≤", ">", "<", "=", "~"];
    let (tokens, lexicon) = (analysis.tokens(text), analysis.lexicon());
    let from = tokens.partition_point(|token| token.span.start < span.start);
    let to = tokens.partition_point(|token| token.span.start < span.end);
    let shown = |token: &&Token| token.kind != TokenKind::Space;
    let mut after = tokens.get(to..).unwrap_or_default().iter().filter(shown).map(|token| folded(token.span.of(text)));
    let mut before =
        tokens.get(..from).unwrap_or_default().iter().rev().filter(shown).map(|token| folded(token.span.of(text)));
    let (next, second) = (after.next().unwrap_or_default(), after.next().unwrap_or_default());
    let last = before.next().unwrap_or_default();
    let earlier = before.next().unwrap_or_default();
    let follows = tokens.get(to).is_some_and(|token| token.kind == TokenKind::Space);
    SIGNS.contains(&next.as_ref())
        || BEYOND.contains(&next.as_ref())
        || (AND.contains(&next.as_ref()) && BEYOND.contains(&second.as_ref()))
        || SIGNS.contains(&last.as_ref())
        || BEFORE.contains(&last.as_ref())
        || (BEFORE.contains(&earlier.as_ref()) && last.chars().count() <= 7)
        || (counted && lexicon.cues.qualifiers.ending_at(text, tokens, from).is_some())
        || (counted && lexicon.cues.qualifiers.starting_at(text, tokens, to + usize::from(follows)).is_some())
}
