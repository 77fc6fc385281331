//! Names in prose: capitalised words that no sentence start accounts for.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::analysis::Analysis;
use super::lexicon::Lexicon;
use super::span::Span;
use super::word::{ContentWords, Token, TokenKind, content_hash, folded, is_apostrophe};

/// A name in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// From its first to its last word.
    pub span: Span,
    /// Its words that carry meaning.
    words: Vec<Span>,
    /// Its words in capitals, such as "US": they make no name, but are as good as a word of it.
    acronyms: Vec<Span>,
}

/// The names of a text, in order: runs of words with a capital in the middle of a sentence. None in languages that give all nouns a
/// capital or have none, or where the language is not known.
///
/// A single word at the beginning of a sentence, behind a colon or behind a quotation mark may owe its capital to its place, and
/// abbreviations in capitals can be spelt out: neither is a name here, and neither is anything inside a quotation or a title between
/// quotation marks. Months and number words are read as dates and numbers.
pub fn names(text: &str, analysis: &Analysis) -> Vec<Name> {
    let (tokens, lexicon, quoted) = (analysis.tokens(text), analysis.lexicon(), analysis.quotations(text));
    if lexicon.nouns_capitalised || lexicon.unspaced || lexicon.language() == "und" {
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
        let words: Vec<Span> = run
            .iter()
            .enumerate()
            .filter(|(at, token)| {
                let word = token.span.of(text);
                // "Duke of Aldby": the title is the name.
                let heads = run.get(at + 2).is_some_and(|next| next.span.of(text).starts_with(char::is_lowercase));
                is_telling(word, lexicon) && (heads || !is_title(word))
            })
            .map(|(_, token)| token.span)
            .collect();
        // The first word of a sentence has its capital anyway: it takes another one to make a name of it.
        let owed =
            begins(text, tokens, at) && words.iter().all(|word| run.first().is_some_and(|one| one.span == *word));
        if let (false, [first, ..], Some(last)) = (owed, words.as_slice(), words.last()) {
            let span = first.join(without_ending(text, *last));
            let demonym = words.len() == 1 && is_demonym(first.of(text)) && is_before_a_thing(text, tokens, end);
            let degree = DEGREES.contains(&run.first().map_or("", |first| first.span.of(text)));
            if !demonym && !degree && !quoted.iter().any(|quotation| quotation.span.overlaps(span)) {
                let acronyms = run.iter().map(|token| token.span).filter(|span| is_acronym(span.of(text))).collect();
                found.push(Name { span, words, acronyms });
            }
        }
        at = end;
    }
    found
}

/// A word without the apostrophe and the ending of a possessive: "Aldby's", "Thomas’".
fn without_ending(text: &str, word: Span) -> Span {
    let written = word.of(text);
    let bare = written.strip_suffix(['s', 'S']).unwrap_or(written).trim_end_matches(is_apostrophe);
    if bare.ends_with(char::is_alphabetic) && bare.len() + 1 < written.len() {
        Span::new(word.start, word.start + bare.len())
    } else {
        word
    }
}

/// Whether a word may say of which country something is. Which country that is, and whether the passage names it, no rule without a list
/// of countries can tell ("Danish", "Denmark").
fn is_demonym(word: &str) -> bool {
    ["ish", "ese", "ian", "ean", "ican", "rman"]
        .iter()
        .any(|ending| word.len() > ending.len() + 1 && word.ends_with(ending))
}

/// Whether a word in lower case with a meaning of its own follows.
fn is_before_a_thing(text: &str, tokens: &[Token], end: usize) -> bool {
    let next = |at: usize| tokens.get(at).map_or("", |token| token.span.of(text));
    next(end) == " " && next(end + 1).starts_with(char::is_lowercase)
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

/// Words that go before names, or stand for people without naming them.
const TITLES: [&str; 63] = [
    "mr",
    "mrs",
    "ms",
    "dr",
    "prof",
    "professor",
    "sir",
    "dame",
    "lord",
    "lady",
    "king",
    "queen",
    "prince",
    "princess",
    "emperor",
    "empress",
    "duke",
    "duchess",
    "countess",
    "baron",
    "pope",
    "saint",
    "bishop",
    "archbishop",
    "president",
    "chairman",
    "chairwoman",
    "chancellor",
    "minister",
    "secretary",
    "senator",
    "governor",
    "mayor",
    "judge",
    "colonel",
    "captain",
    "lieutenant",
    "sergeant",
    "admiral",
    "god",
    "bachelor",
    "doctor",
    "monsieur",
    "madame",
    "mademoiselle",
    "président",
    "présidente",
    "ministre",
    "roi",
    "reine",
    "señor",
    "señora",
    "doña",
    "presidente",
    "rey",
    "reina",
    "ministro",
    "senhor",
    "senhora",
    "signor",
    "signora",
    "meneer",
    "mevrouw",
];

/// What a degree begins with: "Bachelor of Arts" names nobody.
const DEGREES: [&str; 5] = ["Bachelor", "Bachelors", "Master", "Masters", "Doctor"];

/// Whether a word is in capitals throughout, and more than an initial.
fn is_acronym(word: &str) -> bool {
    word.chars().nth(1).is_some() && word.chars().all(char::is_uppercase)
}

fn is_title(word: &str) -> bool {
    TITLES.contains(&folded(word).as_ref())
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

    /// Whether a passage has a word of this name, read in `text`, in another form ("Spain", "Spanish"; "Köln", "Koeln"), its initials
    /// ("World Meteorological Organization", "WMO"), or the initial of its word before the word that follows it here ("Aldbya minor",
    /// "A. minor").
    pub fn is_alluded_to(&self, text: &str, vocabulary: &Vocabulary) -> bool {
        let initials = |words: &mut dyn Iterator<Item = Span>| -> String {
            words.filter_map(|word| word.of(text).chars().next()).collect()
        };
        // A part behind a hyphen may have a letter in the abbreviation, or none.
        let all = initials(&mut self.words.iter().copied());
        let behind_hyphen = |word: &&Span| text.get(..word.start).is_some_and(|before| before.ends_with(['-', '‑']));
        let main = initials(&mut self.words.iter().filter(|word| !behind_hyphen(word)).copied());
        let abbreviated = |letters: &String| match letters.chars().count() {
            0 | 1 => false,
            2 => vocabulary.capitals.iter().any(|word| word.starts_with(letters) || word.ends_with(letters)),
            _ => vocabulary.capitals.iter().any(|word| word.contains(letters.as_str())),
        };
        self.acronyms.iter().any(|word| vocabulary.capitals.contains(word.of(text)))
            || abbreviated(&all)
            || abbreviated(&main)
            || self.is_shortened(text, vocabulary)
            || self
                .words
                .iter()
                .any(|word| spellings(word.of(text)).iter().any(|spelling| vocabulary.has_akin(spelling)))
    }

    /// Whether the passage has this one word as an initial only: "B." before the word that follows the name in `text`.
    fn is_shortened(&self, text: &str, vocabulary: &Vocabulary) -> bool {
        let ([word], Some(after)) = (self.words.as_slice(), text.get(self.span.end..)) else { return false };
        let next: String = after.trim_start().chars().take_while(|c| c.is_alphabetic()).collect();
        let initial = word.of(text).chars().next();
        initial.is_some_and(|initial| vocabulary.shortened.contains(&(initial, bare(&next))))
    }
}

/// The words of a passage, as names are looked for in it.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// Sorted, so that words with the same beginning stand together.
    words: Vec<String>,
    capitals: HashSet<String>,
    /// Initials with a full stop, and the word behind each.
    shortened: HashSet<(char, String)>,
}

impl Vocabulary {
    /// The words of `text`.
    pub fn read(text: &str, tokens: &[Token]) -> Self {
        let mut vocabulary = Self::default();
        let mut words = HashSet::new();
        let written = |at: usize| tokens.get(at).map_or("", |token| token.span.of(text));
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Word) {
            let word = token.span.of(text);
            // "PCs" is an abbreviation too.
            let singular = word.strip_suffix('s').unwrap_or(word);
            if singular.chars().all(char::is_uppercase) {
                vocabulary.capitals.insert(singular.to_owned());
                let initial = word.chars().next().filter(|c| c.len_utf8() == word.len() && written(at + 1) == ".");
                vocabulary.shortened.extend(initial.map(|initial| (initial, bare(written(at + 3)))));
            }
            words.extend(spellings(word));
        }
        vocabulary.words = words.into_iter().collect();
        vocabulary.words.sort_unstable();
        vocabulary
    }

    /// How many words it has.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether it has no word.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether some word of it is in Latin letters, in which the names of a claim are read.
    pub fn has_latin(&self) -> bool {
        self.words.iter().any(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
    }

    /// Whether one of the words may be made from `word`, or the other way round.
    fn has_akin(&self, word: &str) -> bool {
        let head: String = word.chars().take(SHORTEST_SHARED).collect();
        let from = self.words.partition_point(|have| have.as_str() < head.as_str());
        let same_beginning =
            self.words.get(from..).unwrap_or_default().iter().take_while(|have| have.starts_with(&head));
        same_beginning.into_iter().any(|have| akin(word, have))
    }
}

/// A word in lower case without its accents and without what follows an apostrophe.
fn bare(word: &str) -> String {
    let lower = folded(word);
    let head = lower.split('\'').next().unwrap_or_default();
    let plain = |c: char| match c {
        'ø' => 'o',
        'ł' => 'l',
        'đ' | 'ð' => 'd',
        'ı' => 'i',
        _ => c,
    };
    head.nfd().filter(|c| !is_combining_mark(*c)).map(plain).collect()
}

/// The ways in which a word may be spelt in plain letters: "Köln" is "koln" or "koeln".
fn spellings(word: &str) -> Vec<String> {
    let short = bare(word);
    if word.is_ascii() {
        return vec![short];
    }
    let lower = folded(word);
    let mut long = String::new();
    for c in lower.split('\'').next().unwrap_or_default().chars() {
        match c {
            'ä' | 'æ' => long.push_str("ae"),
            'ö' | 'ø' | 'œ' => long.push_str("oe"),
            'ü' => long.push_str("ue"),
            'å' => long.push_str("aa"),
            'ß' => long.push_str("ss"),
            'þ' => long.push_str("th"),
            _ => long.push_str(&bare(c.encode_utf8(&mut [0; 4]))),
        }
    }
    if long == short { vec![short] } else { vec![short, long] }
}

/// Letters that two forms of one word share at least.
const SHORTEST_SHARED: usize = 3;

/// Whether two words share so long a beginning that one may be made from the other.
fn akin(a: &str, b: &str) -> bool {
    const LONGEST_ENDING: usize = 2;
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let shorter = a.chars().count().min(b.chars().count());
    shared >= SHORTEST_SHARED && shared + LONGEST_ENDING.min(shorter / 2) >= shorter
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
        assert_eq!(read("en", "It is Northgate Ferry's pier, run by President Author."), ["Northgate Ferry", "Author"]);
        assert_eq!(read("fr", "Le dépôt de Valmont dessert la ville."), ["Valmont"]);
    }

    #[test]
    fn places_in_a_sentence_and_other_capitals_make_none() {
        assert_eq!(read("en", "Exports run nightly. Backups: Encrypted. \"Always\" on."), Vec::<String>::new());
        assert_eq!(
            read("en", "On May 5 the API of NATO had Two PCs, and I saw “Songs of Aldby”.\nBackups ran."),
            Vec::<String>::new()
        );
        assert_eq!(read("en", "She holds a Bachelor of Arts from there."), Vec::<String>::new());
        assert_eq!(read("en", "It was won by a Spanish crew under the President."), Vec::<String>::new());
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
        assert!(found("It is owned by Jörg Straßner.", "Joerg Strassner owns it."));
        assert!(found("It lies on Bjørnholm.", "The isle of Bjornholm."));
        assert!(found("It grows Aldbya minor.", "A plot of A. minor grows here."));
        assert!(found("It joined the International Union.", "The IUFW took it in."));
        assert!(found("It is a part of the AB Statute.", "The AB has a law for it."));
        assert!(found("It uses Two-Way Ledger Types.", "TLTs are used."));
        assert!(found("Its base is in Málaga's port.", "It lies in the port of Malaga."));
        assert!(!found("It sails to Aldby.", "The ferry reaches Marling at noon."));
        assert!(!found("It is sold in Austria.", "The Swiss market sells it."));
    }
}
