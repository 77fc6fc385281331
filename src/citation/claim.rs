//! Claims: where they come from, and what sort of statement each is (SPEC 5.2).

use std::ops::Range;

use regex::Regex;

use super::ClaimClass;
use super::fact::Facts;
use crate::dataset::Unit;
use crate::text::lexicon::{Lexicon, Lexicons, Phrases};
use crate::text::word::{Token, TokenKind, tokens};

/// Where the claims of a case come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClaimSource {
    /// From the case alone; a case without `claims` has none.
    Case,
    /// Split from the answer, whatever the case declares.
    Answer,
    /// From the case where it declares `claims`, else split from the answer.
    #[default]
    Auto,
}

/// Which sentences a marker belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Attach {
    /// The sentence that it stands in or right after.
    #[default]
    Sentence,
    /// The same, and at a paragraph's end every sentence of the paragraph since the previous marker.
    Paragraph,
}

/// Where an answer is cut into claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Split {
    /// At the ends of sentences.
    #[default]
    Sentence,
    /// At the ends of sentences and after markers inside of them.
    Marker,
}

/// A pattern over the text of claims or lines, for some languages or all.
#[derive(Debug, Clone)]
pub struct ClaimPattern {
    /// What it matches.
    pub pattern: Regex,
    /// Primary language subtags in lower case that it holds for; empty: every language.
    pub languages: Vec<String>,
}

impl ClaimPattern {
    fn matches(&self, text: &str, language: &str) -> bool {
        (self.languages.is_empty() || self.languages.iter().any(|own| own == language)) && self.pattern.is_match(text)
    }
}

/// Whether one of the patterns matches.
pub(super) fn any(patterns: &[ClaimPattern], text: &str, language: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(text, language))
}

/// The compiled `claims` of a policy.
#[derive(Debug, Clone)]
pub struct ClaimPolicy {
    /// Where claims come from.
    pub from: ClaimSource,
    /// Which sentences a marker belongs to.
    pub attach: Attach,
    /// Where the answer is cut.
    pub split: Split,
    /// A claim that one of these matches needs a citation.
    pub always: Vec<ClaimPattern>,
    /// A claim that one of these matches, and none of `always`, needs none.
    pub never: Vec<ClaimPattern>,
    /// Whether a claim that neither list speaks of needs a citation.
    pub default_verifiable: bool,
    /// A sentence that one of these matches says that there is no answer.
    pub refusals: Vec<ClaimPattern>,
    /// A line that one of these matches, markers included, opens a list of sources.
    pub reference_lists: Vec<ClaimPattern>,
    /// A line that one of these matches, markers included, names a source wherever it stands.
    pub reference_entries: Vec<ClaimPattern>,
    /// Primary language subtag of cases that name no language.
    pub language: String,
}

impl Default for ClaimPolicy {
    fn default() -> Self {
        Self {
            from: ClaimSource::default(),
            attach: Attach::default(),
            split: Split::default(),
            always: Vec::new(),
            never: Vec::new(),
            default_verifiable: true,
            refusals: Vec::new(),
            reference_lists: Vec::new(),
            reference_entries: Vec::new(),
            language: "en".to_owned(),
        }
    }
}

/// The language of a case and its words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words<'l> {
    /// Primary subtag in lower case.
    pub(super) language: &'l str,
    /// Its lexicon, or the one that serves in its place.
    pub(super) lexicon: &'l Lexicon,
    /// Those of all languages.
    pub(super) lexicons: &'l Lexicons,
}

/// What sort of statement a text is, by the policy's patterns and the words of its language. A statement that cites is
/// never set aside for how it begins: it claims support, so it is checked.
pub(super) fn class(text: &str, cites: bool, policy: &ClaimPolicy, words: Words<'_>) -> ClaimClass {
    let any = |patterns: &[ClaimPattern]| any(patterns, text, words.language);
    if refusal(text, policy, words).is_some() {
        return ClaimClass::Refusal;
    }
    if any(&policy.always) {
        return ClaimClass::Verifiable;
    }
    if any(&policy.never) || (!cites && is_talk(text, words.lexicon)) || !policy.default_verifiable {
        return ClaimClass::NotVerifiable;
    }
    ClaimClass::Verifiable
}

/// What sort of statement a text that cites is, if it is of `class` by its form: one that states a fact is verifiable whatever its form.
/// `units` are those that it cites, `query` is the user's question.
pub(super) fn class_with_facts(
    text: &str,
    class: ClaimClass,
    (units, query): (&[&Unit<'_>], Option<&str>),
    policy: &ClaimPolicy,
    words: Words<'_>,
) -> ClaimClass {
    let facts = Facts::of(text, words);
    let states_a_fact = match class {
        ClaimClass::Verifiable => true,
        ClaimClass::NotVerifiable => facts.any(),
        ClaimClass::Refusal => {
            facts.any() && facts.beside_a_refusal(refusal(text, policy, words).unwrap_or(0), query, words)
        }
        ClaimClass::ReferenceEntry => facts.any() && facts.beside_a_source(units),
    };
    if states_a_fact { ClaimClass::Verifiable } else { class }
}

/// Where a text says that there is no answer, where it does.
fn refusal(text: &str, policy: &ClaimPolicy, words: Words<'_>) -> Option<usize> {
    let mut patterns = policy.refusals.iter().filter(|pattern| pattern.matches(text, words.language));
    match patterns.next() {
        Some(first) => first.pattern.find(text).map(|found| found.start()),
        None => begins_with_a_refusal(text, words.lexicon),
    }
}

/// Where a refusal ("I could not find …") begins that opens the text or follows its first comma ("Sorry, but I …").
fn begins_with_a_refusal(text: &str, lexicon: &Lexicon) -> Option<usize> {
    const LEAD_IN: usize = 12;
    let tokens = tokens(text);
    let phrases = &lexicon.cues.refusals;
    let comma = tokens.iter().take(LEAD_IN).position(|token| matches!(token.span.of(text), "," | "，" | "、" | ":"));
    let starts = std::iter::once(0).chain(comma.into_iter().flat_map(|at| at + 1..=at + 4));
    starts.into_iter().find_map(|at| {
        // A single word such as "unfortunately" begins many a statement of fact; it takes a phrase to refuse.
        let found = phrases.starting_at(text, &tokens, at).filter(|found| words_in(&tokens, at..found.next) > 1)?;
        Some(found.span.start)
    })
}

/// Whether a text is talk: a question, an offer, a labelled opinion, or a greeting or transition with next to nothing
/// behind it.
fn is_talk(text: &str, lexicon: &Lexicon) -> bool {
    const FEW: usize = 3;
    if text.trim_end_matches(['"', '”', '»', ')', '*', ' ']).ends_with(['?', '？', '؟']) {
        return true;
    }
    let tokens = tokens(text);
    let begins = |phrases: &Phrases<()>| phrases.starting_at(text, &tokens, 0);
    if begins(&lexicon.cues.offers).is_some() || begins(&lexicon.cues.opinions).is_some() {
        return true;
    }
    let leads_over = text.trim_end().ends_with([':', '：']);
    let greets = begins(&lexicon.cues.greetings);
    let transits = begins(&lexicon.cues.transitions);
    let rest = |next: usize| words_in(&tokens, next..tokens.len());
    greets.is_some_and(|found| rest(found.next) <= FEW)
        || transits.is_some_and(|found| leads_over || rest(found.next) <= FEW)
}

fn words_in(tokens: &[Token], range: Range<usize>) -> usize {
    let shown = |token: &&Token| !matches!(token.kind, TokenKind::Mark | TokenKind::Space);
    tokens.get(range).unwrap_or_default().iter().filter(shown).count()
}
