//! A lexicon made ready for lookup.

use std::borrow::Cow;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use num_rational::Ratio;

use super::calendar::Calendar;
use super::phrase::{Gate, Phrases};
use crate::text::word::{hash, is_hangul, with_folded};

/// An exact value: numerator and denominator in lowest terms.
pub type Exact = Ratio<i128>;

/// A unit of measure, a currency, or a kind of percentage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its id: `minute`, `kibibyte`, `USD`, `percent`.
    pub id: Box<str>,
    /// What it measures.
    pub dimension: Box<str>,
    /// Base units in one unit; `None` where nothing converts.
    pub factor: Option<Exact>,
    /// Added to the value before it is multiplied.
    pub offset: Exact,
    /// Ids of the units that this looser one may stand for.
    pub accepts: Box<[Box<str>]>,
    /// Ids of the units that it could mean, so that it is left open whether it does.
    pub may_be: Box<[Box<str>]>,
    /// May stand before the number.
    pub before: bool,
}

/// What a qualifier says about the number it stands with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Qualifier {
    /// ≥
    AtLeast,
    /// ≤
    AtMost,
    /// >
    MoreThan,
    /// <
    LessThan,
    /// =
    Exactly,
}

/// What words of modality are measured on; each scale has steps 1 to 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scale {
    /// "may", "should", "must"
    Duty,
    /// "some", "most", "all"
    Amount,
    /// "sometimes", "usually", "always"
    Frequency,
    /// "possibly", "probably", "certainly"
    Certainty,
    /// "only", on step 3
    Exclusive,
}

impl Scale {
    /// All of them.
    pub const ALL: [Scale; 5] = [Scale::Duty, Scale::Amount, Scale::Frequency, Scale::Certainty, Scale::Exclusive];
}

/// Kinds of phrases that say how a sentence is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cue {
    /// "about"
    Hedge,
    /// "not", "never"
    Negation,
    /// "might", "formerly"
    Reservation,
    /// "This", "the following"
    BackReference,
    /// "Draft", "superseded", "imagine"
    Retraction,
    /// "I could not find"
    Refusal,
    /// "Hello"
    Greeting,
    /// "In summary"
    Transition,
    /// "Let me know"
    Offer,
    /// "In my opinion"
    Opinion,
}

/// A fault in a lexicon as written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("lexicon `{language}`, key `{key}`: {what}")]
pub struct LexiconProblem {
    /// The language it is under.
    pub language: String,
    /// The key it is under, with the entry: `units.furlong.factor`.
    pub key: String,
    /// What was found and what was expected.
    pub what: String,
    /// A guess at what was meant.
    pub help: Option<String>,
}

/// The words of one language together with those that all languages share.
#[derive(Debug, Clone)]
pub struct Lexicon {
    pub(super) language: Box<str>,
    pub(crate) decimal: Option<char>,
    pub(crate) nouns_capitalised: bool,
    /// The language puts no spaces between words.
    pub(crate) unspaced: bool,
    /// What bounds a number or a date stands behind it.
    pub(crate) postpositions: bool,
    /// What may be written right behind a name or a number, folded.
    pub(crate) case_endings: HashSet<Box<str>>,
    /// Whether the language has words of denial of its own.
    pub(super) knows_denials: bool,
    pub(crate) stop_words: HashSet<Box<str>>,
    pub(crate) abbreviations: HashSet<Box<str>>,
    pub(super) endings: Endings,
    pub(crate) numbers: Numbers,
    pub(crate) calendar: Calendar,
    pub(crate) units: Units,
    pub(crate) cues: Cues,
    /// The same of small words, by the word.
    pub(super) particles: HashMap<Box<str>, Vec<(u16, u16)>>,
    /// Per stem, hashed, the groups of opposites that it belongs to, with its side in each.
    pub(super) opposites: HashMap<u64, Vec<(u16, u16)>>,
    /// The same words as phrases, in a language without spaces.
    pub(crate) opposite_phrases: Phrases<()>,
    /// What a folded word may begin, so that most words of a text cost one lookup.
    pub(super) roles: HashMap<Box<str>, Roles>,
    /// Lets the words of `roles` pass.
    pub(super) gate: Gate<256>,
}

/// A set of [`role`]s.
pub(crate) type Roles = u16;

/// What a word may begin; bits of a set.
pub(crate) mod role {
    use super::Roles;

    /// A month.
    pub(crate) const MONTH: Roles = 1;
    /// A number in words.
    pub(crate) const NUMBER: Roles = 2;
    /// A reference such as "section".
    pub(crate) const REFERENCE: Roles = 4;
    /// An issuer of standards.
    pub(crate) const STANDARD: Roles = 8;
    /// Nothing: it is without content of its own.
    pub(crate) const STOP: Roles = 16;
    /// How often: "monthly".
    pub(crate) const RATE: Roles = 32;
    /// A date other than by a month: a weekday, a season, "yesterday".
    pub(crate) const DATE: Roles = 64;
    /// A phrase that says how a sentence is meant: a denial, a bound, a step on a scale.
    pub(crate) const CUE: Roles = 128;
    /// A clause.
    pub(crate) const CLAUSE: Roles = 256;
    /// Nothing, for want of content of its own, but it has an opposite: "before".
    pub(crate) const TELLING_STOP: Roles = 512;
    /// A mark under which nothing is stated: "draft".
    pub(crate) const RETRACTION: Roles = 1024;
    /// A small word that excludes others: "on".
    pub(crate) const PARTICLE: Roles = 2048;
    /// A scale: "millions".
    pub(crate) const SCALE: Roles = 4096;
    /// Roles that say nothing of what the word is made of.
    pub(super) const BESIDE: Roles = STOP | CUE | CLAUSE | TELLING_STOP | RETRACTION | PARTICLE | SCALE;
}

/// Number words and signs.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    pub(crate) words: HashMap<Box<str>, u32>,
    /// The first words of the numbers that are written as two.
    pub(crate) pairs: HashSet<Box<str>>,
    pub(crate) weak: HashSet<Box<str>>,
    pub(crate) joiners: HashSet<Box<str>>,
    /// Atoms of compounds, longest first; empty where numbers are not written as one word.
    pub(crate) atoms: Vec<(Box<str>, Option<u32>)>,
    pub(crate) scales: HashMap<Box<str>, u32>,
    pub(crate) scale_symbols: HashMap<Box<str>, u32>,
    pub(crate) ordinals: HashMap<Box<str>, u32>,
    pub(crate) ordinal_endings: HashSet<Box<str>>,
    pub(crate) fractions: HashMap<Box<str>, Exact>,
    pub(crate) part_words: HashSet<Box<str>>,
    pub(crate) share_words: Phrases<()>,
    pub(crate) decimal_words: HashSet<Box<str>>,
    pub(crate) counters: HashSet<Box<str>>,
}

/// Units by name (folded) and by sign (exact).
#[derive(Debug, Clone)]
pub(crate) struct Units {
    pub(crate) names: Phrases<Arc<Unit>>,
    pub(crate) symbols: Phrases<Arc<Unit>>,
    /// Foot and inch, which plain quotation marks may stand for.
    pub(crate) feet: Option<[Arc<Unit>; 2]>,
}

/// Words that say how a number or a sentence is meant.
#[derive(Debug, Clone)]
pub(crate) struct Cues {
    pub(crate) per: HashSet<Box<str>>,
    /// Words that say how often, with the unit they count by.
    pub(crate) rates: HashMap<Box<str>, Arc<Unit>>,
    /// Stems of words for a change, and what stands before its amount and before the new level.
    pub(crate) change_words: HashSet<Box<str>>,
    pub(crate) change_by: HashSet<Box<str>>,
    pub(crate) change_to: HashSet<Box<str>>,
    pub(crate) or_words: HashSet<Box<str>>,
    /// Words before who did what a passive verb says.
    pub(crate) agents: HashSet<Box<str>>,
    pub(crate) qualifiers: Phrases<Qualifier>,
    pub(crate) hedges: Phrases<()>,
    pub(crate) negations: Phrases<()>,
    pub(crate) reservations: Phrases<()>,
    pub(crate) back_references: Phrases<()>,
    pub(crate) retractions: Phrases<()>,
    pub(crate) no_cues: Phrases<()>,
    pub(crate) cue_pairs: Vec<(Box<str>, Box<str>)>,
    pub(crate) negative_concord: bool,
    pub(crate) exclusions: Phrases<()>,
    pub(crate) negative_prefixes: Vec<Box<str>>,
    pub(crate) clause_words: HashSet<Box<str>>,
    /// How the last word of a clause ends, in a language that parts clauses so.
    pub(crate) clause_endings: Vec<Box<str>>,
    /// Per scale the phrases with their steps, in the order of [`Scale::ALL`].
    pub(crate) modality: [Phrases<u8>; 5],
    pub(crate) minus: HashSet<Box<str>>,
    pub(crate) range_joiners: HashSet<Box<str>>,
    pub(crate) range_pairs: Vec<(Box<str>, Box<str>)>,
    pub(crate) references: HashSet<Box<str>>,
    pub(crate) standards: HashSet<Box<str>>,
    pub(crate) year_words: HashSet<Box<str>>,
    pub(crate) refusals: Phrases<()>,
    pub(crate) greetings: Phrases<()>,
    pub(crate) transitions: Phrases<()>,
    pub(crate) offers: Phrases<()>,
    pub(crate) opinions: Phrases<()>,
}

impl Lexicon {
    /// The primary subtag of the language.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// Whether it has words of denial of its language: without them nobody can tell what a sentence in it says.
    pub fn knows_denials(&self) -> bool {
        self.knows_denials
    }

    /// The sign before decimals, where the language is known.
    pub fn decimal(&self) -> Option<char> {
        self.decimal
    }

    /// What a folded word may begin (see [`role`]).
    fn roles(&self, folded: &str) -> Roles {
        let found = self.roles.get(folded).copied().unwrap_or(0);
        let known = found & !role::BESIDE;
        // Compounds of number words are not listed one by one.
        let compound = known == 0
            && self.numbers.atoms.iter().any(|(atom, value)| value.is_some() && folded.starts_with(atom.as_ref()));
        if compound { found | role::NUMBER } else { found }
    }

    /// The same for a word as written.
    pub(crate) fn roles_of_word(&self, word: &str) -> Roles {
        if self.numbers.atoms.is_empty() && !self.gate.may_pass(word) && word.is_ascii() {
            return 0;
        }
        with_folded(word, |word| self.roles(word))
    }

    /// What a plain sign such as # or > may begin.
    pub(crate) fn roles_of_sign(&self, sign: &str) -> Roles {
        self.roles.get(sign).copied().unwrap_or(0) & (role::REFERENCE | role::CUE)
    }

    /// The phrases of one kind.
    pub fn cue(&self, cue: Cue) -> &Phrases<()> {
        match cue {
            Cue::Hedge => &self.cues.hedges,
            Cue::Negation => &self.cues.negations,
            Cue::Reservation => &self.cues.reservations,
            Cue::BackReference => &self.cues.back_references,
            Cue::Retraction => &self.cues.retractions,
            Cue::Refusal => &self.cues.refusals,
            Cue::Greeting => &self.cues.greetings,
            Cue::Transition => &self.cues.transitions,
            Cue::Offer => &self.cues.offers,
            Cue::Opinion => &self.cues.opinions,
        }
    }

    /// Whether a word, as it is written, begins another clause.
    pub fn begins_clause(&self, word: &str) -> bool {
        self.cues.clause_words.contains(super::super::word::folded(word).as_ref())
    }

    /// The groups of opposites that a folded word belongs to, with its side in each.
    pub(crate) fn opposites(&self, folded: &str) -> &[(u16, u16)] {
        self.opposites_of(hash(&self.stem(folded)))
    }

    /// The groups of small words that a folded word belongs to, with its side in each: "on", "off".
    pub(crate) fn particle(&self, folded: &str) -> &[(u16, u16)] {
        self.particles.get(folded).map_or(&[], Vec::as_slice)
    }

    /// The same for the hash of a stem.
    pub(crate) fn opposites_of(&self, stem: u64) -> &[(u16, u16)] {
        self.opposites.get(&stem).map_or(&[], Vec::as_slice)
    }

    /// Whether a folded word begins with a word of denial of one letter and an apostrophe: "n'est".
    pub fn denies_elided(&self, folded: &str) -> bool {
        folded.split_once('\'').is_some_and(|(before, after)| {
            !after.is_empty() && before.chars().count() == 1 && self.cues.negations.has_word(before)
        })
    }

    /// Whether a folded word is without content of its own.
    pub fn is_stop_word(&self, folded: &str) -> bool {
        self.stop_words.contains(folded)
    }

    /// The ending that a folded text has, with what takes its place; the first that fits.
    pub(crate) fn ending(&self, folded: &str) -> Option<(&str, &str)> {
        let found = self.endings.of(folded).iter().find(|(ending, _)| folded.ends_with(ending.as_ref()));
        found.map(|(ending, to)| (ending.as_ref(), to.as_ref()))
    }

    /// A folded word without its ending. Only good for comparing: "storing" and "stored" both give "stor".
    pub fn stem<'w>(&self, folded: &'w str) -> Cow<'w, str> {
        const LEAST: usize = 3;
        let mut stem = Cow::Borrowed(folded);
        for (ending, replacement) in self.endings.of(folded) {
            let Some(bare) = folded.strip_suffix(ending.as_ref()) else { continue };
            // A syllable of Korean is one character.
            let least = if bare.ends_with(is_hangul) { 2 } else { LEAST };
            if !has_more_than(bare, least - 1) {
                continue;
            }
            stem =
                if replacement.is_empty() { Cow::Borrowed(bare) } else { Cow::Owned(format!("{bare}{replacement}")) };
            break;
        }
        // Either side of a comparison may keep a silent e or a doubled consonant; neither carries meaning.
        if stem.ends_with('e') && has_more_than(&stem, LEAST) {
            stem = shortened(stem);
        }
        let mut last = stem.chars().rev();
        if let (Some(a), Some(b)) = (last.next(), last.next())
            && a == b
            && has_more_than(&stem, LEAST)
        {
            stem = shortened(stem);
        }
        stem
    }
}

/// Whether a text has more than `count` characters.
fn has_more_than(text: &str, count: usize) -> bool {
    text.chars().nth(count).is_some()
}

/// An ending, and what takes its place.
pub(super) type Ending = (Box<str>, Box<str>);

/// Endings with what takes their place, in the order in which they are tried; by their last byte, so that a word is held
/// against the few that it can have.
#[derive(Debug, Clone)]
pub(super) struct Endings(Box<[Vec<Ending>]>);

impl Endings {
    pub(super) fn new(endings: impl Iterator<Item = Ending>) -> Self {
        let mut by_last = vec![Vec::new(); 256];
        for (ending, to) in endings {
            if let Some(list) = ending.bytes().next_back().and_then(|last| by_last.get_mut(usize::from(last))) {
                list.push((ending, to));
            }
        }
        Self(by_last.into_boxed_slice())
    }

    /// The endings that `word` may have.
    fn of(&self, word: &str) -> &[Ending] {
        word.bytes().next_back().and_then(|last| self.0.get(usize::from(last))).map_or(&[], Vec::as_slice)
    }
}

fn shortened(stem: Cow<'_, str>) -> Cow<'_, str> {
    match stem {
        Cow::Borrowed(text) => {
            Cow::Borrowed(text.char_indices().next_back().map_or(text, |(at, _)| text.get(..at).unwrap_or(text)))
        }
        Cow::Owned(mut text) => {
            text.pop();
            Cow::Owned(text)
        }
    }
}

/// Reads `12`, `0.3048` or `5/9` exactly.
pub(crate) fn exact(written: &str) -> Option<Exact> {
    if let Some((numerator, denominator)) = written.split_once('/') {
        let denominator: i128 = denominator.trim().parse().ok()?;
        let numerator: i128 = numerator.trim().parse().ok()?;
        return (denominator != 0).then(|| Exact::new(numerator, denominator));
    }
    let (whole, decimals) = written.split_once('.').unwrap_or((written, ""));
    let scale = 10_i128.checked_pow(u32::try_from(decimals.len()).ok()?)?;
    let digits: i128 = format!("{whole}{decimals}").parse().ok()?;
    Some(Exact::new(digits, scale))
}
