//! Everything known of one text, computed once and on demand.

use std::sync::{Arc, OnceLock};

use super::cursor::{Cursor, roles};
use super::date::{self, Date};
use super::digest::{self, Digests};
use super::hole::holes;
use super::identifier::{self, Identifier};
use super::lexicon::{Lexicon, Lexicons, Roles, role};
use super::normal::{Case, Folded};
use super::quantity::{self, Quantity};
use super::quotation::{Quotation, Units, quotations};
use super::sentence::{Sentence, sentences};
use super::span::Span;
use super::stance::{Reading, retractions_in};
use super::table::{Table, tables};
use super::word::{ContentWords, Token, TokenKind, folded, hash, token_hashes, tokens, with_folded};

/// What is known of one text. It keeps spans and hashes but not the text itself: every method takes the text that the analysis was
/// made for, so that it can be cached by digest and shared by threads. Given another text, results are meaningless but nothing panics.
#[derive(Debug)]
pub struct Analysis {
    lexicon: Arc<Lexicon>,
    masked: Box<[Span]>,
    digests: OnceLock<Digests>,
    tokens: OnceLock<Box<[Token]>>,
    roles: OnceLock<Box<[Roles]>>,
    hashes: OnceLock<Box<[Option<u64>]>>,
    sentences: OnceLock<Box<[Sentence]>>,
    content: OnceLock<(ContentWords, Box<[ContentWords]>)>,
    readings: OnceLock<Readings>,
    facts: OnceLock<Facts>,
    quotations: OnceLock<Box<[Quotation]>>,
    holes: OnceLock<Box<[Span]>>,
    folded: OnceLock<Folded>,
    quotable: OnceLock<Units>,
    tables: OnceLock<Box<[Table]>>,
    scale: OnceLock<Option<(Span, u32)>>,
    retractions: OnceLock<Box<[Span]>>,
}

/// Per sentence how it is meant, each read when it is asked for.
type Readings = Box<[OnceLock<Option<Box<Reading>>>]>;

/// What is read in one pass, because every digit belongs to one of them.
#[derive(Debug, Default)]
struct Facts {
    identifiers: Box<[Identifier]>,
    dates: Box<[Date]>,
    quantities: Box<[Quantity]>,
}

impl Analysis {
    /// An analysis of a text in the language of this BCP 47 tag (see [`Lexicons::for_language`]).
    pub fn new(language: Option<&str>, lexicons: &Lexicons) -> Self {
        Self::with_masked(language, lexicons, Vec::new())
    }

    /// The same, with stretches that are no part of the prose, such as citation markers: no word, number or sentence is read in them.
    pub fn with_masked(language: Option<&str>, lexicons: &Lexicons, mut masked: Vec<Span>) -> Self {
        masked.retain(|span| !span.is_empty());
        masked.sort_unstable();
        Self {
            lexicon: Arc::clone(lexicons.for_language(language)),
            masked: masked.into_boxed_slice(),
            digests: OnceLock::new(),
            tokens: OnceLock::new(),
            roles: OnceLock::new(),
            hashes: OnceLock::new(),
            sentences: OnceLock::new(),
            content: OnceLock::new(),
            readings: OnceLock::new(),
            facts: OnceLock::new(),
            quotations: OnceLock::new(),
            holes: OnceLock::new(),
            folded: OnceLock::new(),
            quotable: OnceLock::new(),
            tables: OnceLock::new(),
            scale: OnceLock::new(),
            retractions: OnceLock::new(),
        }
    }

    /// The lexicon it reads with.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The stretches that are no part of the prose, sorted.
    pub fn masked(&self) -> &[Span] {
        &self.masked
    }

    fn is_masked(&self, span: Span) -> bool {
        let after = self.masked.partition_point(|mask| mask.start < span.end);
        after.checked_sub(1).and_then(|at| self.masked.get(at)).is_some_and(|mask| mask.overlaps(span))
    }

    /// The two digests of the text.
    pub fn digests(&self, text: &str) -> Digests {
        *self.digests.get_or_init(|| digest::both(text))
    }

    /// The tokens of the text; those in masked stretches are left out.
    pub fn tokens(&self, text: &str) -> &[Token] {
        self.tokens.get_or_init(|| {
            let mut tokens = tokens(text);
            if !self.masked.is_empty() {
                tokens.retain(|token| !self.is_masked(token.span));
            }
            tokens.into_boxed_slice()
        })
    }

    /// The sentences of the text.
    pub fn sentences(&self, text: &str) -> &[Sentence] {
        self.sentences.get_or_init(|| sentences(text, &self.lexicon, &self.masked).into_boxed_slice())
    }

    /// The content words of the whole text.
    pub fn content_words(&self, text: &str) -> &ContentWords {
        &self.words(text).0
    }

    /// The content words of each sentence, in the order of [`Analysis::sentences`].
    pub fn sentence_words(&self, text: &str) -> &[ContentWords] {
        &self.words(text).1
    }

    /// The content words of the whole text, and of each sentence.
    fn words(&self, text: &str) -> &(ContentWords, Box<[ContentWords]>) {
        self.content.get_or_init(|| {
            let sentences: Vec<Span> = self.sentences(text).iter().map(|sentence| sentence.span).collect();
            ContentWords::of_parts(text, (self.tokens(text), self.hashes(text)), &sentences)
        })
    }

    /// The content words of those tokens whose span `keep` accepts.
    pub fn words_where(&self, text: &str, keep: impl Fn(Span) -> bool) -> ContentWords {
        ContentWords::from_hashes(text, (self.tokens(text), self.hashes(text)), keep)
    }

    /// What each token may begin.
    pub(crate) fn roles(&self, text: &str) -> &[Roles] {
        self.roles.get_or_init(|| roles(text, self.tokens(text), &self.lexicon))
    }

    /// For each token the hash of its stem or digits; `None` where it has no content.
    pub(crate) fn hashes(&self, text: &str) -> &[Option<u64>] {
        self.hashes.get_or_init(|| token_hashes(text, self.tokens(text), self.roles(text), &self.lexicon))
    }

    /// The hash of the stem of the word at token `at`, where it has content or an opposite; and the groups of opposites that it belongs to,
    /// with its side in each.
    pub(super) fn telling(&self, text: &str, at: usize) -> (Option<u64>, &[(u16, u16)]) {
        let Some(word) = self.tokens(text).get(at).map(|token| token.span.of(text)) else { return (None, &[]) };
        let content = self.hashes(text).get(at).copied().flatten();
        // "l'eau" has the content of "eau" and opposites as a whole.
        let elided = if word.is_ascii() { word.contains('\'') } else { folded(word).contains('\'') };
        let is_telling = self.roles(text).get(at).is_some_and(|roles| roles & role::TELLING_STOP != 0);
        let stem = if elided || is_telling {
            with_folded(word, |word| hash(&self.lexicon.stem(word)))
        } else if let Some(stem) = content {
            stem
        } else {
            return (None, &[]);
        };
        let opposites = self.lexicon.opposites_of(stem);
        (content.or((!opposites.is_empty()).then_some(stem)), opposites)
    }

    /// The sentence with this index as it is read for how it is meant; `None` for what is too long to be one.
    pub fn reading(&self, text: &str, sentence: usize) -> Option<&Reading> {
        let sentences = self.sentences(text);
        let readings = self.readings.get_or_init(|| sentences.iter().map(|_| OnceLock::new()).collect());
        let span = sentences.get(sentence)?.span;
        readings.get(sentence)?.get_or_init(|| Reading::new(text, self, span).map(Box::new)).as_deref()
    }

    fn facts(&self, text: &str) -> &Facts {
        self.facts.get_or_init(|| {
            let mut cursor = Cursor::new(text, self.tokens(text), self.roles(text), &self.lexicon);
            self.take_numerals(text, &mut cursor);
            let first = date::read_first(&mut cursor);
            let identifiers = identifier::read(&mut cursor).into_boxed_slice();
            let dates = date::read(&mut cursor, first).into_boxed_slice();
            let mut quantities = quantity::read(&mut cursor).into_boxed_slice();
            quantity::share_heads(&cursor, self.tables(text), &mut quantities);
            Facts { identifiers, dates, quantities }
        })
    }

    /// Bullets and numerals of lists count nothing: digits outside of all sentences, and a sentence that is a numeral alone.
    fn take_numerals(&self, text: &str, cursor: &mut Cursor<'_>) {
        let sentences = self.sentences(text);
        let mut next = 0;
        for at in 0..cursor.len() {
            if !cursor.is(at, TokenKind::Digits) {
                continue;
            }
            let span = cursor.span(at);
            while sentences.get(next).is_some_and(|sentence| sentence.span.end <= span.start) {
                next += 1;
            }
            let sentence = sentences.get(next).map(|sentence| sentence.span).filter(|sentence| sentence.overlaps(span));
            let numeral = sentence.is_none_or(|sentence| {
                let written = sentence.of(text);
                written.len() <= 4 && written.ends_with('.') && sentence != Span::new(0, text.len())
            });
            if numeral {
                cursor.take(at, at + 1);
            }
        }
    }

    /// The quantities of the text, in order.
    pub fn quantities(&self, text: &str) -> &[Quantity] {
        &self.facts(text).quantities
    }

    /// Whether a stretch is part of a quantity.
    pub(super) fn is_in_quantity(&self, text: &str, span: Span) -> bool {
        let all = self.quantities(text);
        let at = all.partition_point(|quantity| quantity.span.end <= span.start);
        all.get(at).is_some_and(|quantity| quantity.span.overlaps(span))
    }

    /// Whether a word of denial turns a bound of a number round.
    pub(super) fn denies_a_bound(&self, text: &str, span: Span) -> bool {
        // It stands right before the number, or right behind.
        let all = self.quantities(text);
        let at = all.partition_point(|quantity| quantity.span.start < span.start);
        let near = all.get(at.saturating_sub(1)..(at + 1).min(all.len())).unwrap_or_default();
        near.iter().any(|quantity| quantity.denied.is_some_and(|denied| denied.contains(span)))
    }

    /// The dates of the text, in order.
    pub fn dates(&self, text: &str) -> &[Date] {
        &self.facts(text).dates
    }

    /// The identifiers of the text, in order.
    pub fn identifiers(&self, text: &str) -> &[Identifier] {
        &self.facts(text).identifiers
    }

    /// The quotations of the text of at least two words, in order; whoever asks decides from how many words on one counts.
    pub fn quotations(&self, text: &str) -> &[Quotation] {
        self.quotations.get_or_init(|| quotations(text, 2).into_boxed_slice())
    }

    /// The places where the text has lost a figure, in order.
    pub fn holes(&self, text: &str) -> &[Span] {
        self.holes.get_or_init(|| holes(text, self.tokens(text), &self.lexicon).into_boxed_slice())
    }

    /// The text without its typography, case kept.
    pub fn folded(&self, text: &str) -> &Folded {
        self.folded.get_or_init(|| Folded::new(text, Case::Keep))
    }

    /// The words, numbers and signs that quotations are compared by, with an index.
    pub fn quotable(&self, text: &str) -> &Units {
        self.quotable.get_or_init(|| Units::read(self.folded(text)))
    }

    /// The tables of the text, in order.
    pub fn tables(&self, text: &str) -> &[Table] {
        self.tables.get_or_init(|| tables(text).into_boxed_slice())
    }

    /// The scale that the text declares for numbers without one, as a power of ten, and where it does.
    pub fn declared_scale(&self, text: &str) -> Option<(Span, u32)> {
        *self.scale.get_or_init(|| {
            let tables = self.tables(text).iter();
            let heads: Vec<Span> = tables.flat_map(|table| table.shared().chain(table.heads())).collect();
            quantity::declared_scale(text, (self.tokens(text), self.roles(text)), &heads, &self.lexicon)
        })
    }

    /// The marks under which nothing is stated as it is, in order.
    pub fn retractions(&self, text: &str) -> &[Span] {
        self.retractions.get_or_init(|| {
            retractions_in(text, (self.tokens(text), self.roles(text)), &self.lexicon).into_boxed_slice()
        })
    }

    /// The index of the sentence that byte `at` stands in.
    pub fn sentence_at(&self, text: &str, at: usize) -> Option<usize> {
        let sentences = self.sentences(text);
        let after = sentences.partition_point(|sentence| sentence.span.start <= at);
        after.checked_sub(1).filter(|index| sentences.get(*index).is_some_and(|s| at < s.span.end))
    }

    /// The smallest run of whole sentences that covers `span`: the excerpt a check relied on.
    pub fn covering_sentences(&self, text: &str, span: Span) -> Span {
        self.sentences(text)
            .iter()
            .filter(|sentence| sentence.span.overlaps(span))
            .fold(span, |all, sentence| all.join(sentence.span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicons() -> Lexicons {
        Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"))
    }

    #[test]
    fn an_excerpt_is_whole_sentences() {
        let text = "It opened in 1901. It closed in 1950. It is gone.";
        let analysis = Analysis::new(Some("en"), &lexicons());
        assert_eq!(analysis.covering_sentences(text, Span::new(13, 17)).of(text), "It opened in 1901.");
        assert_eq!(
            analysis.covering_sentences(text, Span::new(13, 30)).of(text),
            "It opened in 1901. It closed in 1950."
        );
        assert_eq!(analysis.sentence_at(text, 20), Some(1));
        assert_eq!(analysis.sentence_at(text, 18), None);
    }

    #[test]
    fn a_marker_gives_no_words() {
        let text = "Logs stay 90 days [doc 7].";
        let analysis = Analysis::with_masked(Some("en"), &lexicons(), vec![Span::new(18, 25)]);
        assert_eq!(analysis.content_words(text).len(), 4);
    }
}
