//! Words: the tokens of a text with their places, and its content words as a set for fast overlap.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::lexicon::{Lexicon, Roles, role};
use super::span::Span;

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters, with apostrophes between letters.
    Word,
    /// Decimal digits of any script.
    Digits,
    /// One character of a script written without spaces (Han, kana, Thai, …).
    Ideograph,
    /// One character of anything else that shows.
    Mark,
    /// Spaces and line breaks.
    Space,
}

/// One token of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Where it stands.
    pub span: Span,
    /// What it is made of.
    pub kind: TokenKind,
}

/// Whether `c` belongs to a script that is written without spaces between words.
pub fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether `c` is a syllable of Korean.
pub const fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}')
}

/// Whether `c` is written as an apostrophe inside words.
pub fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{02bc}' | '\u{ff07}')
}

/// The value of a decimal digit of any script, 0 to 9.
pub fn digit_value(c: char) -> Option<u8> {
    if c.is_ascii() {
        return c.to_digit(10).and_then(|d| u8::try_from(d).ok());
    }
    // First digits of the decimal digit runs of Unicode (general category Nd) that are in living use.
    const ZEROS: [u32; 25] = [
        0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50,
        0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1b50, 0xa620, 0xff10,
    ];
    let code = u32::from(c);
    // Five runs of digits for mathematics, one behind the other.
    if (0x1d7ce..0x1d800).contains(&code) {
        return u8::try_from((code - 0x1d7ce) % 10).ok();
    }
    ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&code)).and_then(|zero| u8::try_from(code - zero).ok())
}

fn kind_of(c: char) -> TokenKind {
    if c.is_ascii_alphabetic() {
        TokenKind::Word
    } else if c.is_ascii_digit() {
        TokenKind::Digits
    } else if c.is_whitespace() || matches!(c, '\u{200b}' | '\u{2060}' | '\u{feff}') {
        TokenKind::Space
    } else if c.is_ascii() {
        TokenKind::Mark
    } else if digit_value(c).is_some() {
        TokenKind::Digits
    } else if is_unspaced(c) {
        TokenKind::Ideograph
    } else if (c.is_alphabetic() && !('\u{24b6}'..='\u{24e9}').contains(&c) && !matches!(c, 'ª' | 'º'))
        || is_combining_mark(c)
        || c == '\u{ad}'
    {
        TokenKind::Word
    } else {
        TokenKind::Mark
    }
}

/// The tokens of `text` in order; together they cover all of it.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(text.len() / 3);
    if text.is_ascii() {
        ascii_tokens(text.as_bytes(), &mut found);
        return found;
    }
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        let kind = kind_of(c);
        let mut end = start + c.len_utf8();
        if matches!(kind, TokenKind::Word | TokenKind::Digits | TokenKind::Space) {
            while let Some((at, next)) = chars.peek().copied() {
                let joins = kind_of(next) == kind
                    || (kind == TokenKind::Word
                        && is_apostrophe(next)
                        && text
                            .get(at + next.len_utf8()..)
                            .and_then(|rest| rest.chars().next())
                            .is_some_and(char::is_alphabetic));
                if !joins {
                    break;
                }
                end = at + next.len_utf8();
                chars.next();
            }
        }
        found.push(Token { span: Span::new(start, end), kind });
    }
    found
}

/// The kinds of the plain characters.
const ASCII_KINDS: [TokenKind; 128] = {
    let mut kinds = [TokenKind::Mark; 128];
    let mut code = 0;
    while code < 128 {
        let byte = code as u8;
        if byte.is_ascii_alphabetic() {
            kinds[code] = TokenKind::Word;
        } else if byte.is_ascii_digit() {
            kinds[code] = TokenKind::Digits;
        } else if matches!(byte, b' ' | b'\t'..=b'\r') {
            kinds[code] = TokenKind::Space;
        }
        code += 1;
    }
    kinds
};

/// The same for a text of plain characters, byte by byte.
fn ascii_tokens(text: &[u8], found: &mut Vec<Token>) {
    let kind_at = |at: usize| text.get(at).and_then(|byte| ASCII_KINDS.get(usize::from(*byte)).copied());
    let mut start = 0;
    while let Some(kind) = kind_at(start) {
        let mut end = start + 1;
        if matches!(kind, TokenKind::Word | TokenKind::Digits | TokenKind::Space) {
            while kind_at(end).is_some_and(|next| {
                next == kind
                    || (kind == TokenKind::Word
                        && text.get(end) == Some(&b'\'')
                        && text.get(end + 1).is_some_and(u8::is_ascii_alphabetic))
            }) {
                end += 1;
            }
        }
        found.push(Token { span: Span::new(start, end), kind });
        start = end;
    }
}

/// A word as it is looked up and compared: NFKC, lower case, typographic apostrophes made plain, soft hyphens and the dots on i gone.
pub fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        if word.bytes().any(|b| b.is_ascii_uppercase()) {
            return Cow::Owned(word.to_ascii_lowercase());
        }
        return Cow::Borrowed(word);
    }
    let lower = |c: char| match c {
        // İ and ı are one letter with i: lower case loses which of them stood there.
        'ı' => 'i',
        c if is_apostrophe(c) => '\'',
        c => c,
    };
    let folded = word.nfkc().flat_map(char::to_lowercase).filter(|c| *c != '\u{ad}').map(lower).nfc();
    Cow::Owned(folded.filter(|c| *c != '\u{307}').collect())
}

/// The content words of a text: no stop words, endings taken off, as a sorted set of hashes.
///
/// Scripts without spaces give pairs of neighbouring characters. Two words fall on one hash with a probability of about 2⁻⁶⁴.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContentWords(Box<[u64]>);

impl ContentWords {
    /// Reads the content words of `text`.
    pub fn read(text: &str, lexicon: &Lexicon) -> Self {
        Self::from_tokens(text, &tokens(text), lexicon, |_| true)
    }

    /// The content words of those of `tokens` whose span `keep` accepts.
    pub fn from_tokens(text: &str, tokens: &[Token], lexicon: &Lexicon, keep: impl Fn(Span) -> bool) -> Self {
        Self::with(text, tokens.iter().map(|token| (token, token_hash(text, token, lexicon))), keep)
    }

    /// The content words of those of `tokens` whose span `keep` accepts; `hashes` are those that [`token_hashes`] gives for them.
    pub(crate) fn from_hashes(
        text: &str,
        (tokens, hashes): (&[Token], &[Option<u64>]),
        keep: impl Fn(Span) -> bool,
    ) -> Self {
        Self::with(text, tokens.iter().zip(hashes.iter().copied()), keep)
    }

    /// The content words of a whole text and of each of its `parts` (in order, apart). `hashes` are those of the tokens.
    pub(crate) fn of_parts(
        text: &str,
        (tokens, hashes): (&[Token], &[Option<u64>]),
        parts: &[Span],
    ) -> (Self, Box<[Self]>) {
        let of = |part: &Span| {
            let from = tokens.partition_point(|token| token.span.start < part.start);
            let to = tokens.partition_point(|token| token.span.start < part.end);
            let own = (tokens.get(from..to).unwrap_or_default(), hashes.get(from..to).unwrap_or_default());
            Self::from_hashes(text, own, |_| true)
        };
        (Self::from_hashes(text, (tokens, hashes), |_| true), parts.iter().map(of).collect())
    }

    /// Tokens with their hashes as a set; the pairs of ideographs are hashed here.
    fn with<'t>(
        text: &str,
        tokens: impl ExactSizeIterator<Item = (&'t Token, Option<u64>)>,
        keep: impl Fn(Span) -> bool,
    ) -> Self {
        let mut hashes = Vec::with_capacity(tokens.len() / 2 + 1);
        let mut before: Option<Span> = None;
        for (token, hash_of) in tokens {
            let ideograph = token.kind == TokenKind::Ideograph;
            if !keep(token.span) {
                before = None;
                continue;
            }
            match token.kind {
                TokenKind::Word | TokenKind::Digits => hashes.extend(hash_of),
                TokenKind::Ideograph => {
                    let from = before.filter(|b| b.end == token.span.start).unwrap_or(token.span);
                    let alone = from == token.span;
                    // A single character counts only where it has no neighbour on either side.
                    if !alone || !next_is_ideograph(text, token.span.end) {
                        hashes.push(hash(from.join(token.span).of(text)));
                    }
                }
                TokenKind::Mark | TokenKind::Space => {}
            }
            before = ideograph.then_some(token.span);
        }
        hashes.sort_unstable();
        hashes.dedup();
        Self(hashes.into_boxed_slice())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many of them `other` has too.
    pub fn shared_with(&self, other: &Self) -> usize {
        let (mut mine, mut theirs, mut shared) = (self.0.iter().peekable(), other.0.iter().peekable(), 0);
        while let (Some(a), Some(b)) = (mine.peek(), theirs.peek()) {
            match a.cmp(b) {
                std::cmp::Ordering::Less => drop(mine.next()),
                std::cmp::Ordering::Greater => drop(theirs.next()),
                std::cmp::Ordering::Equal => {
                    shared += 1;
                    mine.next();
                    theirs.next();
                }
            }
        }
        shared
    }

    /// Both sets in one.
    pub fn union(&self, other: &Self) -> Self {
        let mut all: Vec<u64> = self.0.iter().chain(other.0.iter()).copied().collect();
        all.sort_unstable();
        all.dedup();
        Self(all.into_boxed_slice())
    }

    /// Whether the stem with this hash is among them.
    pub fn contains(&self, stem: u64) -> bool {
        self.0.binary_search(&stem).is_ok()
    }
}

/// For each token the hash of its stem or digits, where it has content. `roles` are those of the tokens.
pub(crate) fn token_hashes(text: &str, tokens: &[Token], roles: &[Roles], lexicon: &Lexicon) -> Box<[Option<u64>]> {
    let hash_of = |(token, roles): (&Token, &Roles)| match token.kind {
        TokenKind::Word if roles & role::STOP != 0 => None,
        TokenKind::Word => with_folded(token.span.of(text), |word| match word {
            "" => None,
            word => stem_hash(word, lexicon),
        }),
        _ => token_hash(text, token, lexicon),
    };
    tokens.iter().zip(roles).map(hash_of).collect()
}

/// The hash of a word's stem or of digits; `None` for a stop word, and for tokens that are no words alone.
fn token_hash(text: &str, token: &Token, lexicon: &Lexicon) -> Option<u64> {
    match token.kind {
        TokenKind::Word => content_hash(token.span.of(text), lexicon),
        TokenKind::Digits => Some(hash(&folded(token.span.of(text)))),
        TokenKind::Ideograph | TokenKind::Mark | TokenKind::Space => None,
    }
}

fn next_is_ideograph(text: &str, at: usize) -> bool {
    text.get(at..).and_then(|rest| rest.chars().next()).is_some_and(is_unspaced)
}

/// The hash of a word's stem; `None` for a stop word.
pub fn content_hash(word: &str, lexicon: &Lexicon) -> Option<u64> {
    with_folded(word, |folded| folded_content_hash(folded, lexicon))
}

/// Hands on a word [`folded`]; takes no memory for short and plain ones, which most are.
pub(crate) fn with_folded<T>(word: &str, then: impl FnOnce(&str) -> T) -> T {
    const SHORT: usize = 32;
    if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return then(word);
    }
    let mut lower = [0; SHORT];
    if let Some(lower) = lower.get_mut(..word.len()).filter(|_| word.is_ascii()) {
        lower.copy_from_slice(word.as_bytes());
        lower.make_ascii_lowercase();
        if let Ok(folded) = std::str::from_utf8(lower) {
            return then(folded);
        }
    }
    then(&folded(word))
}

fn folded_content_hash(folded: &str, lexicon: &Lexicon) -> Option<u64> {
    if folded.is_empty() || lexicon.is_stop_word(folded) { None } else { stem_hash(folded, lexicon) }
}

/// The same for a word that as a whole is no stop word.
fn stem_hash(folded: &str, lexicon: &Lexicon) -> Option<u64> {
    let Some(at) = folded.bytes().position(|byte| byte == b'\'') else { return Some(hash(&lexicon.stem(folded))) };
    // l'eau, d'Orsay, nell'acqua: an article with an apostrophe before the word. company's: an ending after it.
    let (before, after) = (folded.get(..at).unwrap_or_default(), folded.get(at + 1..).unwrap_or_default());
    let bare = if lexicon.is_stop_word(before) || before.chars().count() == 1 { after } else { before };
    if bare.is_empty() || lexicon.is_stop_word(bare) {
        return None;
    }
    Some(hash(&lexicon.stem(bare)))
}

/// A 64-bit hash of a text, the same on every machine: eight bytes at a time, each step a wide product folded in half.
pub fn hash(text: &str) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, bytes: [u8; 8]| {
        let product = u128::from(state ^ u64::from_le_bytes(bytes)) * u128::from(FACTOR);
        #[allow(clippy::cast_possible_truncation, reason = "the two halves of the product")]
        let (low, high) = (product as u64, (product >> 64) as u64);
        low ^ high
    };
    let (eights, rest) = text.as_bytes().as_chunks::<8>();
    let state = eights.iter().fold(0x243f_6a88_85a3_08d3 ^ text.len() as u64, |state, bytes| mix(state, *bytes));
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    // Once more, so that the last bytes reach all of the hash.
    mix(mix(state, last), [0; 8])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::lexicon::Lexicons;

    fn content(language: &str, text: &str) -> ContentWords {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        ContentWords::read(text, lexicons.for_language(Some(language)))
    }

    #[test]
    fn words_digits_and_marks_are_told_apart() {
        let text = "Don't pay 1,5€ – 返品";
        let shown: Vec<(&str, TokenKind)> = tokens(text)
            .into_iter()
            .filter(|t| t.kind != TokenKind::Space)
            .map(|t| (t.span.of(text), t.kind))
            .collect();
        use TokenKind::{Digits, Ideograph, Mark, Word};
        assert_eq!(
            shown,
            [
                ("Don't", Word),
                ("pay", Word),
                ("1", Digits),
                (",", Mark),
                ("5", Digits),
                ("€", Mark),
                ("–", Mark),
                ("返", Ideograph),
                ("品", Ideograph)
            ]
        );
    }

    #[test]
    fn content_words_meet_whatever_their_form() {
        let (claim, passage) = (content("en", "The requests are limited."), content("en", "A limit on each REQUEST"));
        assert_eq!((claim.len(), claim.shared_with(&passage)), (2, 2));
        assert_eq!(content("fr", "l’usage de l'eau").shared_with(&content("fr", "Usage, eau")), 2);
        assert_eq!(content("de", "STRAẞE").shared_with(&content("de", "straße")), 1);
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        assert_eq!(content("ja", "返品条件").len(), 3);
        assert_eq!(content("ja", "返品条件").shared_with(&content("ja", "返品の条件")), 2);
        assert_eq!(content("ja", "x 品 y").len(), 3);
    }

    #[test]
    fn digits_of_any_script_have_a_value() {
        assert_eq!("٣५７7x".chars().map(digit_value).collect::<Vec<_>>(), [Some(3), Some(5), Some(7), Some(7), None]);
    }

    #[test]
    fn plain_text_is_cut_as_any_other() {
        for code in 0..128_u8 {
            assert_eq!(ASCII_KINDS[usize::from(code)], kind_of(char::from(code)), "{code}");
        }
    }

    proptest! {
        #[test]
        fn what_follows_does_not_change_how_plain_text_is_cut(text in "[ -~\n\t]{0,60}") {
            let other = format!("{text} é");
            let (mut plain, mut longer) = (tokens(&text), tokens(&other));
            let end = |token: &Token| token.span.end;
            // The space in between may belong to spaces before it.
            plain.retain(|token| token.kind != TokenKind::Space || end(token) < text.len());
            longer.retain(|token| end(token) <= text.len() && (token.kind != TokenKind::Space || end(token) < text.len()));
            prop_assert_eq!(plain, longer);
        }

        #[test]
        fn tokens_cover_the_text(text in "\\PC{0,60}") {
            let joined: String = tokens(&text).iter().map(|t| t.span.of(&text)).collect();
            prop_assert_eq!(joined, text);
        }
    }
}
