//! One sentence as words with content, in clauses, and what is said of them: denials, reservations, steps on scales, bounds.

use crate::text::analysis::Analysis;
use crate::text::lexicon::{Lexicon, Phrases, Qualifier, Roles, Scale, role};
use crate::text::span::Span;
use crate::text::word::{Token, TokenKind, content_hash, folded, hash, is_apostrophe, with_folded};

/// A sentence, read.
#[derive(Debug, Default)]
pub struct Reading {
    pub(super) words: Vec<Word>,
    pub(super) said: Vec<Said>,
    /// Stems of the words, sorted.
    pub(super) stems: Vec<u64>,
    /// Stems of the words without their negative prefixes, sorted.
    pub(super) bare: Vec<u64>,
    pub(super) asks: bool,
}

/// A word that tells one statement from another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    pub(super) stem: u64,
    /// The stem without a negative prefix.
    pub(super) bare: Option<u64>,
    pub(super) span: Span,
    pub(super) clause: u32,
    /// It has an opposite.
    pub(super) telling: bool,
}

/// A word that says how others are meant.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said {
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// Index of the next of the sentence's words.
    pub(super) next: usize,
    pub(super) clause: u32,
    /// Its own words, hashed: what two sentences must have in common.
    pub(super) word: u64,
    /// It stands in no quotation and in no name.
    pub(super) sure: bool,
    /// It denies beside another word of denial in its clause.
    pub(super) alone: bool,
}

/// What a word says of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// It denies.
    Denial,
    /// It limits or takes back; whether a scale measures that.
    Reservation(bool),
    /// It stands on a step of a scale.
    Step(Scale, u8),
    /// It bounds a number.
    Bound(Qualifier),
}

impl Reading {
    /// Reads the sentence at `span`; `None` for what is too long to be a sentence.
    pub(in crate::text) fn new(text: &str, analysis: &Analysis, span: Span) -> Option<Self> {
        if span.len() > LONGEST {
            return None;
        }
        let tokens = analysis.tokens(text);
        let from = tokens.partition_point(|token| token.span.start < span.start);
        let to = tokens.partition_point(|token| token.span.start < span.end);
        let lexicon = analysis.lexicon();
        let mut reader = Reader {
            text,
            analysis,
            tokens: tokens.get(..to).unwrap_or_default(),
            roles: analysis.roles(text),
            lexicon,
            reading: Self::default(),
            clause: 0,
            begun: false,
        };
        let mut at = from;
        while at < to {
            at = reader.read(at).max(at + 1);
        }
        reader.join_pairs();
        let mut reading = reader.reading;
        reading.asks = super::is_question(span.of(text));
        reading.stems = reading.words.iter().map(|word| word.stem).collect();
        reading.bare = reading.words.iter().filter_map(|word| word.bare).collect();
        reading.stems.sort_unstable();
        reading.bare.sort_unstable();
        Some(reading)
    }
}

struct Reader<'t> {
    text: &'t str,
    analysis: &'t Analysis,
    tokens: &'t [Token],
    roles: &'t [Roles],
    lexicon: &'t Lexicon,
    reading: Reading,
    clause: u32,
    /// Whether a word was seen.
    begun: bool,
}

impl Reader<'_> {
    /// Reads what begins at token `at`; gives the index of the token to go on with.
    fn read(&mut self, at: usize) -> usize {
        let Some(token) = self.tokens.get(at).copied() else { return at + 1 };
        match token.kind {
            TokenKind::Ideograph if self.lexicon.unspaced => return self.read_character(at, token.span),
            TokenKind::Space | TokenKind::Ideograph => return at + 1,
            TokenKind::Mark if self.cuts(at) => {
                self.clause += 1;
                return at + 1;
            }
            TokenKind::Digits => {
                self.push_word(token.span, hash(&folded(token.span.of(self.text))), None, false);
                return at + 1;
            }
            TokenKind::Mark | TokenKind::Word => {}
        }
        let roles = self.roles.get(at).copied().unwrap_or(0);
        if token.kind == TokenKind::Word && roles & role::CLAUSE != 0 {
            self.clause += 1;
        }
        let next = if roles & role::CUE != 0 {
            self.read_cue(at)
        } else {
            if self.is_elided(token.span) {
                self.push(Kind::Denial, token.span);
            }
            None
        };
        if next.is_none() && token.kind == TokenKind::Word {
            self.read_word(at, token.span);
        }
        self.begun |= token.kind == TokenKind::Word;
        next.unwrap_or(at + 1)
    }

    /// Reads a phrase, a word in katakana, or one character with a meaning of its own; hiragana only inflect and join.
    fn read_character(&mut self, at: usize, span: Span) -> usize {
        // What denies nothing is a word like others.
        if let Some(found) = self.lexicon.cues.no_cues.starting_at(self.text, self.tokens, at) {
            self.push_word(found.span, hash(&folded(found.span.of(self.text))), None, false);
            return found.next;
        }
        if let Some(next) = self.read_cue(at) {
            return next;
        }
        if let Some(found) = self.lexicon.opposite_phrases.starting_at(self.text, self.tokens, at) {
            self.push_word(found.span, hash(&folded(found.span.of(self.text))), None, true);
            return found.next;
        }
        let is = |at: usize, of: fn(char) -> bool| {
            let token = self.tokens.get(at).filter(|token| token.kind == TokenKind::Ideograph);
            token.is_some_and(|token| token.span.of(self.text).chars().all(of))
        };
        if is(at, is_hiragana) || self.lexicon.is_stop_word(span.of(self.text)) {
            return at + 1;
        }
        let mut next = at + 1;
        while is(next - 1, is_katakana) && is(next, is_katakana) {
            next += 1;
        }
        let word = self.tokens.get(next - 1).map_or(span, |last| span.join(last.span));
        self.push_word(word, hash(&folded(word.of(self.text))), None, false);
        next
    }

    /// Whether the mark ends a clause.
    fn cuts(&self, at: usize) -> bool {
        let mark = self.tokens.get(at).map_or("", |token| token.span.of(self.text));
        let is_digits = |at: Option<usize>| {
            at.and_then(|at| self.tokens.get(at)).is_some_and(|token| token.kind == TokenKind::Digits)
        };
        matches!(mark, "," | ";" | ":" | "(" | ")" | "–" | "—" | "，" | "；" | "、")
            && !(is_digits(at.checked_sub(1)) && is_digits(Some(at + 1)))
    }

    /// Reads a phrase that says how others are meant. Gives the token behind it where its words say nothing else.
    fn read_cue(&mut self, at: usize) -> Option<usize> {
        let (text, tokens, cues) = (self.text, self.tokens, &self.lexicon.cues);
        if let Some(found) = cues.no_cues.starting_at(text, tokens, at) {
            return Some(found.next);
        }
        if let Some(found) = cues.qualifiers.starting_at(text, tokens, at)
            && (found.next > at + 1 || self.number_at(found.next))
        {
            self.push(Kind::Bound(found.meaning), found.span);
            if found.next > at + 1 {
                return Some(found.next);
            }
        }
        if let Some(found) = cues.hedges.starting_at(text, tokens, at).filter(|found| self.number_at(found.next)) {
            return Some(found.next);
        }
        // なければならない demands, and its ない denies nothing.
        let denied = cues.negations.starting_at(text, tokens, at).filter(|denial| {
            let longer = |phrases: &Phrases<u8>| {
                phrases.starting_at(text, tokens, at).is_some_and(|step| step.next > denial.next)
            };
            !(self.lexicon.unspaced && cues.modality.iter().any(longer))
        });
        if let Some(found) = denied.filter(|found| self.analysis.denies_a_bound(text, found.span)) {
            return Some(found.next);
        }
        if let Some(found) = denied {
            self.push(Kind::Denial, found.span);
            let alone = !cues.negative_concord || cues.exclusions.starting_at(text, tokens, at).is_some();
            self.reading.said.last_mut().into_iter().for_each(|said| said.alone = alone);
            return Some(found.next);
        }
        let span = tokens.get(at)?.span;
        if self.is_elided(span) {
            self.push(Kind::Denial, span);
            return None;
        }
        if overlapping(self.analysis.dates(text), span, |date| date.span) {
            return None;
        }
        let mut next = None;
        for (scale, phrases) in Scale::ALL.into_iter().zip(&cues.modality) {
            let found = phrases.starting_at(text, tokens, at);
            // "some 500 users" is a rough number.
            if let Some(found) = found.filter(|found| scale != Scale::Amount || !self.number_at(found.next)) {
                self.push(Kind::Step(scale, found.meaning), found.span);
                next = next.max(Some(found.next));
            }
        }
        // "Unavailable" is read as a denial of "available".
        let reserved = cues.reservations.starting_at(text, tokens, at);
        if let Some(found) = reserved.filter(|found| self.without_prefix(&folded(found.span.of(text))).is_none()) {
            self.push(Kind::Reservation(next.is_some()), found.span);
        }
        next
    }

    fn is_elided(&self, span: Span) -> bool {
        let word = span.of(self.text);
        word.contains(is_apostrophe) && self.lexicon.denies_elided(&folded(word))
    }

    /// Whether a number begins behind the spaces at `at`.
    fn number_at(&self, at: usize) -> bool {
        let mut rest = self.tokens.iter().skip(at).filter(|token| token.kind != TokenKind::Space);
        rest.next().is_some_and(|token| match token.kind {
            TokenKind::Digits => true,
            TokenKind::Word => self.lexicon.numbers.words.contains_key(folded(token.span.of(self.text)).as_ref()),
            _ => matches!(token.span.of(self.text), "$" | "€" | "£" | "¥" | "+" | "-" | "−"),
        })
    }

    fn read_word(&mut self, at: usize, span: Span) {
        let (stem, opposites) = self.analysis.telling(self.text, at);
        let Some(stem) = stem else { return };
        let bare = with_folded(span.of(self.text), |word| self.without_prefix(word));
        self.push_word(span, stem, bare, !opposites.is_empty());
    }

    /// The stem of a word without its negative prefix.
    fn without_prefix(&self, word: &str) -> Option<u64> {
        const REST: usize = 4;
        self.lexicon.cues.negative_prefixes.iter().find_map(|prefix| {
            let rest = word.strip_prefix(prefix.as_ref()).filter(|rest| rest.chars().count() >= REST)?;
            content_hash(rest, self.lexicon)
        })
    }

    fn push_word(&mut self, span: Span, stem: u64, bare: Option<u64>, telling: bool) {
        self.reading.words.push(Word { stem, bare, span, clause: self.clause, telling });
        self.begun = true;
    }

    fn push(&mut self, kind: Kind, span: Span) {
        let word = span.of(self.text);
        let capital = word.chars().next().is_some_and(char::is_uppercase) && word.chars().any(char::is_lowercase);
        let quoted = overlapping(self.analysis.quotations(self.text), span, |quotation| quotation.span);
        let sure = !(quoted || capital && self.begun);
        let word = hash(&folded(word));
        self.reading.said.push(Said {
            kind,
            span,
            next: self.reading.words.len(),
            clause: self.clause,
            word,
            sure,
            alone: false,
        });
    }

    /// Words of denial that belong together: "neither … nor" denies once, "ne … que" nothing for sure.
    fn join_pairs(&mut self) {
        let first_part = |span: Span| folded(span.of(self.text)).split('\'').next().unwrap_or_default().to_owned();
        let mut dropped = Vec::new();
        for (first, second) in &self.lexicon.cues.cue_pairs {
            for at in 0..self.reading.said.len() {
                let Some(said) = self.reading.said.get(at).copied().filter(|said| said.kind == Kind::Denial) else {
                    continue;
                };
                if dropped.last() == Some(&said.span) || first_part(said.span) != **first {
                    continue;
                }
                let denials = || self.reading.said.iter().skip(at + 1).filter(|other| other.kind == Kind::Denial);
                if let Some(other) = denials().take(1).find(|other| first_part(other.span) == **second) {
                    dropped.push(other.span);
                    continue;
                }
                let from = self.tokens.partition_point(|token| token.span.start < said.span.end);
                let to = denials().next().map_or(usize::MAX, |other| other.span.start);
                let behind = self.tokens.iter().skip(from).take(PAIR).take_while(|token| token.span.start < to);
                let closes = behind
                    .filter(|token| token.kind == TokenKind::Word)
                    .any(|token| first_part(token.span) == **second);
                // "ne pense pas que": another word denies before the second comes.
                if closes && let Some(said) = self.reading.said.get_mut(at) {
                    said.sure = false;
                }
            }
        }
        dropped.sort_unstable();
        self.reading.said.retain(|said| said.kind != Kind::Denial || dropped.binary_search(&said.span).is_err());
    }
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309f}')
}

fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30a1}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9f}')
}

/// Bytes of a sentence that is read; what is longer is no prose.
const LONGEST: usize = 2000;

/// Tokens between the two words of a pair, at most.
const PAIR: usize = 24;

/// Whether one of these, which stand in order, overlaps `span`.
fn overlapping<T>(these: &[T], span: Span, place: impl Fn(&T) -> Span) -> bool {
    let at = these.partition_point(|one| place(one).end <= span.start);
    these.get(at).is_some_and(|one| place(one).overlaps(span))
}
