//! Names in prose: capitalised words that no sentence start accounts for.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::analysis::Analysis;
use super::lexicon::Lexicon;
use super::span::Span;
use super::word::{ContentWords, Token, TokenKind, content_hash, folded};

/// A name in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// From its first to its last word.
    pub span: Span,
    /// Its words that carry meaning.
    words: Vec<Span>,
}

/// The names of a text, in order: runs of words with a capital in the middle of a sentence. None in languages that give all nouns a
/// capital, or where the language is not known.
///
/// A single word at the beginning of a sentence, behind a colon or behind a quotation mark may owe its capital to its place, and
/// abbreviations in capitals can be spelt out: neither is a name here, and neither is anything inside a quotation or a title between
/// quotation marks. Months and number words are read as dates and numbers.
pub fn names(text: &str, analysis: &Analysis) -> Vec<Name> {
    let (tokens, lexicon, quoted) = (analysis.tokens(text), analysis.lexicon(), analysis.quotations(text));
    if lexicon.nouns_capitalised || lexicon.language() == "und" {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let end = run_end(text, tokens, at);
        if end == at {
            at += 1;
            continue;
        }
        let run = tokens.get(at..end).unwrap_or_default();
        let words: Vec<Span> =
            run.iter().map(|token| token.span).filter(|span| is_telling(span.of(text), lexicon)).collect();
        // The first word of a sentence has its capital anyway: it takes another one to make a name of it.
        let owed =
            begins(text, tokens, at) && words.iter().all(|word| run.first().is_some_and(|one| one.span == *word));
        if let (false, [first, ..], Some(last)) = (owed, words.as_slice(), words.last()) {
            let span = first.join(*last);
            if !quoted.iter().any(|quotation| quotation.span.overlaps(span)) {
                found.push(Name { span, words });
            }
        }
        at = end;
    }
    found
}

/// Past the last of the capitalised words from `at` on that only a space, a hyphen or small words of titles part; `at` where none begins.
fn run_end(text: &str, tokens: &[Token], at: usize) -> usize {
    const SMALL: [&str; 12] = ["of", "the", "de", "del", "do", "da", "du", "di", "la", "van", "von", "der"];
    const MOST_SMALL: usize = 2;
    let written = |index: usize| tokens.get(index).map_or("", |token| token.span.of(text));
    let is_capital = |index: usize| {
        tokens.get(index).is_some_and(|token| token.kind == TokenKind::Word)
            && written(index).starts_with(char::is_uppercase)
    };
    if !is_capital(at) {
        return at;
    }
    let mut end = at + 1;
    loop {
        let mut next = end + 1;
        for _ in 0..MOST_SMALL {
            if written(next - 1) == " " && SMALL.contains(&written(next)) {
                next += 2;
            }
        }
        if !matches!(written(next - 1), " " | "-" | "‑") || !is_capital(next) {
            return end;
        }
        end = next + 1;
    }
}

/// Whether the word at `at` stands where sentences begin: at the start, on a new line, or behind a sign other than a comma or a dash.
fn begins(text: &str, tokens: &[Token], at: usize) -> bool {
    let mut before = tokens.get(..at).unwrap_or_default().iter().rev();
    match before.next() {
        None => true,
        Some(space) if space.kind == TokenKind::Space => {
            space.span.of(text).contains('\n') || before.next().is_none_or(|token| is_sign(text, token))
        }
        Some(token) => is_sign(text, token),
    }
}

fn is_sign(text: &str, token: &Token) -> bool {
    token.kind == TokenKind::Mark && !matches!(token.span.of(text), "," | "-" | "&" | "/")
}

/// Whether a capitalised word carries a name: no abbreviation in capitals, no stop word, month or number.
fn is_telling(word: &str, lexicon: &Lexicon) -> bool {
    const SHORTEST: usize = 3;
    let lower = folded(word);
    let known = lexicon.is_stop_word(&lower)
        || lexicon.calendar.months.contains_key(lower.as_ref())
        || lexicon.numbers.words.contains_key(lower.as_ref())
        || lexicon.numbers.ordinals.contains_key(lower.as_ref());
    // "PCs" is an abbreviation too.
    let singular = word.strip_suffix('s').unwrap_or(word);
    !known && word.chars().count() >= SHORTEST && singular.chars().any(char::is_lowercase)
}

impl Name {
    /// Whether one of the words of this name, read in `text`, is among `words`.
    pub fn is_among(&self, text: &str, words: &ContentWords, lexicon: &Lexicon) -> bool {
        let stems = self.words.iter().filter_map(|word| content_hash(word.of(text), lexicon));
        stems.into_iter().any(|stem| words.contains(stem))
    }

    /// Whether a passage has a word of this name, read in `text`, in another form ("Spain", "Spanish"), or its initials ("World Meteorological
    /// Organization", "WMO").
    pub fn is_alluded_to(&self, text: &str, vocabulary: &Vocabulary) -> bool {
        let initials: String = self.words.iter().filter_map(|word| word.of(text).chars().next()).collect();
        let abbreviated = self.words.len() > 1 && vocabulary.capitals.iter().any(|word| word.contains(&initials));
        abbreviated
            || self.words.iter().any(|word| vocabulary.words.iter().any(|have| akin(&bare(word.of(text)), have)))
    }
}

/// The words of a passage, as names are looked for in it.
#[derive(Debug, Default)]
pub struct Vocabulary {
    words: HashSet<String>,
    capitals: HashSet<String>,
}

impl Vocabulary {
    /// The words of `text`.
    pub fn read(text: &str, tokens: &[Token]) -> Self {
        let mut vocabulary = Self::default();
        for word in tokens.iter().filter(|token| token.kind == TokenKind::Word).map(|token| token.span.of(text)) {
            if word.chars().all(char::is_uppercase) {
                vocabulary.capitals.insert(word.to_owned());
            }
            vocabulary.words.insert(bare(word));
        }
        vocabulary
    }
}

/// A word in lower case without its accents and without what follows an apostrophe.
fn bare(word: &str) -> String {
    let lower = folded(word);
    let head = lower.split('\'').next().unwrap_or_default();
    head.nfd().filter(|c| !is_combining_mark(*c)).collect()
}

/// Whether two words share so long a beginning that one may be made from the other.
fn akin(a: &str, b: &str) -> bool {
    const SHORTEST: usize = 3;
    const LONGEST_ENDING: usize = 2;
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let shorter = a.chars().count().min(b.chars().count());
    shared >= SHORTEST && shorter >= SHORTEST && shared + LONGEST_ENDING.min(shorter / 2) >= shorter
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lexicons;

    fn analysis(language: &str) -> Analysis {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        Analysis::new(Some(language), &lexicons)
    }

    fn read(language: &str, text: &str) -> Vec<String> {
        names(text, &analysis(language)).iter().map(|name| name.span.of(text).to_owned()).collect()
    }

    #[test]
    fn capitals_inside_a_sentence_make_a_name() {
        assert_eq!(
            read("en", "The depot in Lower Marling serves Aldby and Upper-Thorpe."),
            ["Lower Marling", "Aldby", "Upper-Thorpe"]
        );
        assert_eq!(read("en", "Northgate Ferries sails to Aldby."), ["Northgate Ferries", "Aldby"]);
        assert_eq!(read("fr", "Le dépôt de Valmont dessert la ville."), ["Valmont"]);
    }

    #[test]
    fn places_in_a_sentence_and_other_capitals_make_none() {
        assert_eq!(read("en", "Exports run nightly. Backups: Encrypted. \"Always\" on."), Vec::<String>::new());
        assert_eq!(
            read("en", "On May 5 the API of NATO had Two PCs, and I saw “Songs of Aldby”.\nBackups ran."),
            Vec::<String>::new()
        );
        assert_eq!(read("de", "Die Firma hat ein Lager in Aldby."), Vec::<String>::new());
    }

    #[test]
    fn one_word_in_any_form_or_the_initials_suffice() {
        let found = |claim: &str, passage: &str| {
            let (a, b) = (analysis("en"), analysis("en"));
            let vocabulary = Vocabulary::read(passage, b.tokens(passage));
            let has = |name: &Name| {
                name.is_among(claim, b.content_words(passage), b.lexicon()) || name.is_alluded_to(claim, &vocabulary)
            };
            names(claim, &a).iter().all(has)
        };
        assert!(found("It sails to Lower Marling.", "The ferry reaches Marling at noon."));
        assert!(found("It is sold in Spain.", "The Spanish market sells it."));
        assert!(found("It joined the World Meteorological Organization.", "The WMO took it in."));
        assert!(found("Its base is in Málaga's port.", "It lies in the port of Malaga."));
        assert!(!found("It sails to Aldby.", "The ferry reaches Marling at noon."));
        assert!(!found("It is sold in Austria.", "The Swiss market sells it."));
    }
}
