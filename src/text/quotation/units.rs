//! A text cut into what a quotation is compared by: words, numbers and signs that carry meaning.

use crate::text::normal::{Folded, is_dash};
use crate::text::span::Span;
use crate::text::word::{Token, TokenKind, folded, hash, tokens, with_folded};

/// What a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters.
    Word,
    /// Digits with the separators between them.
    Number,
    /// A sign that carries meaning: %, €, °, a minus before digits.
    Sign,
    /// One character of a script written without spaces.
    Character,
}

/// Signs in front of a unit; bits of a set.
pub(super) mod sign {
    /// A comma.
    pub(crate) const COMMA: u8 = 1;
    /// A full stop or exclamation mark.
    pub(crate) const STOP: u8 = 2;
    /// A question mark.
    pub(crate) const QUESTION: u8 = 4;
    /// A colon or semicolon.
    pub(crate) const COLON: u8 = 8;
    /// A round bracket; square ones are markup or the quoter's.
    pub(crate) const BRACKET: u8 = 16;
    /// A hyphen or dash.
    pub(crate) const DASH: u8 = 32;
    /// Space.
    pub(crate) const SPACE: u8 = 64;
    /// The signs that are read, beyond typography.
    pub(crate) const READ: u8 = COMMA | STOP | QUESTION | COLON | BRACKET;
}

/// A word, number or sign of a folded text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    pub(super) hash: u64,
    start: u32,
    end: u32,
    pub(super) kind: Kind,
    /// What stands between the unit before and this one.
    pub(super) before: u8,
}

impl Unit {
    /// One unit of a whole word that brackets had cut; `first` is the first of its pieces.
    pub(super) fn joined(first: &Self, word: Span, hash: u64) -> Self {
        let at = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { hash, start: at(word.start), end: at(word.end), kind: Kind::Word, before: first.before }
    }

    /// Where it stands in the folded text.
    pub(super) fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }

    /// How many half words it counts: a character of a script without spaces is one, all else two.
    pub(super) const fn halves(&self) -> usize {
        match self.kind {
            Kind::Character => 1,
            Kind::Word | Kind::Number => 2,
            Kind::Sign => 0,
        }
    }
}

/// The units of a text, and where each of them stands.
#[derive(Debug)]
pub struct Units {
    units: Box<[Unit]>,
    /// Indexes of the units, sorted by hash, then by place.
    order: Box<[u32]>,
}

impl Units {
    /// The units of a folded text with their index. Linear in its length but for sorting.
    pub fn read(folded: &Folded) -> Self {
        let units = units(folded.text(), |_| true);
        let mut order: Vec<u32> = (0..u32::try_from(units.len()).unwrap_or(0)).collect();
        let key = |at: &u32| (units.get(*at as usize).map_or(0, |unit| unit.hash), *at);
        order.sort_unstable_by_key(key);
        Self { units: units.into_boxed_slice(), order: order.into_boxed_slice() }
    }

    pub(super) fn all(&self) -> &[Unit] {
        &self.units
    }

    /// Where the unit with this hash stands, ascending.
    pub(super) fn places(&self, hash: u64) -> &[u32] {
        let hash_at = |at: &u32| self.units.get(*at as usize).map_or(0, |unit| unit.hash);
        let from = self.order.partition_point(|at| hash_at(at) < hash);
        let rest = self.order.get(from..).unwrap_or_default();
        rest.get(..rest.partition_point(|at| hash_at(at) == hash)).unwrap_or_default()
    }
}

/// The units of a folded text; those that `keep` refuses are left out.
pub(super) fn units(text: &str, keep: impl Fn(Span) -> bool) -> Vec<Unit> {
    let tokens = tokens(text);
    let mut found = Vec::with_capacity(tokens.len() / 2);
    let (mut at, mut before) = (0, 0);
    while let Some(token) = tokens.get(at) {
        if !keep(token.span) {
            at += 1;
            before |= sign::SPACE;
            continue;
        }
        let skipped = reference_end(text, &tokens, at).or_else(|| address_end(text, &tokens, at));
        if let Some(next) = skipped.or_else(|| command_end(text, &tokens, at)) {
            at = next;
            continue;
        }
        let kind = match token.kind {
            TokenKind::Space => {
                before |= sign::SPACE;
                at += 1;
                continue;
            }
            TokenKind::Word => Kind::Word,
            // "\\alpha" is a sign, whatever its name.
            TokenKind::Mark if is_command(text, &tokens, at) => Kind::Word,
            TokenKind::Digits => Kind::Number,
            TokenKind::Ideograph => Kind::Character,
            TokenKind::Mark if counts(text, &tokens, at) => Kind::Sign,
            TokenKind::Mark => {
                before |= written(text, &tokens, at).chars().map(sign_of).fold(0, |all, sign| all | sign);
                at += 1;
                continue;
            }
        };
        let end = match kind {
            Kind::Number => number_end(text, &tokens, at),
            Kind::Word if token.kind == TokenKind::Mark => at + 2,
            Kind::Word => word_end(text, &tokens, at),
            Kind::Sign | Kind::Character => at + 1,
        };
        let span = tokens.get(end - 1).map_or(token.span, |last| token.span.join(last.span));
        let is_marked = kind == Kind::Word && end > at + 1;
        let hash = if is_marked {
            hash(&folded(span.of(text)).replace(EMPHASIS, ""))
        } else {
            with_folded(span.of(text), hash)
        };
        if let (Ok(start), Ok(stop)) = (u32::try_from(span.start), u32::try_from(span.end)) {
            found.push(Unit { hash, start, end: stop, kind, before });
        }
        (at, before) = (end, 0);
    }
    found
}

fn written<'t>(text: &'t str, tokens: &[Token], at: usize) -> &'t str {
    tokens.get(at).map_or("", |token| token.span.of(text))
}

fn is_kind(tokens: &[Token], at: usize, kind: TokenKind) -> bool {
    tokens.get(at).is_some_and(|token| token.kind == kind)
}

/// Past a reference mark that hangs on the word before it, such as `[12]` in an encyclopedia.
fn reference_end(text: &str, tokens: &[Token], at: usize) -> Option<usize> {
    let hangs = at > 0 && !is_kind(tokens, at - 1, TokenKind::Space);
    let short = tokens.get(at + 1).is_some_and(|token| token.kind == TokenKind::Digits && token.span.len() <= 3);
    let closed = written(text, tokens, at) == "[" && written(text, tokens, at + 2) == "]";
    (hangs && short && closed).then_some(at + 3)
}

/// Past the address of a Markdown link, `](https://a.example/b)`, whose text stands before it.
fn address_end(text: &str, tokens: &[Token], at: usize) -> Option<usize> {
    const MOST_TOKENS: usize = 100;
    if written(text, tokens, at) != "]" || written(text, tokens, at + 1) != "(" {
        return None;
    }
    let inside = tokens.iter().skip(at + 2).take(MOST_TOKENS);
    let length = inside.take_while(|token| !matches!(token.span.of(text), ")" | "(")).count();
    (written(text, tokens, at + 2 + length) == ")").then_some(at + length + 3)
}

fn is_command(text: &str, tokens: &[Token], at: usize) -> bool {
    written(text, tokens, at) == "\\" && is_kind(tokens, at + 1, TokenKind::Word)
}

/// Past what a command of LaTeX adds to the words: all of `\\cite{lee20}`, of `\\emph{word}` what stands before the word, and the sign around a
/// formula.
fn command_end(text: &str, tokens: &[Token], at: usize) -> Option<usize> {
    const MOST_TOKENS: usize = 30;
    const POINTING: [&str; 10] =
        ["cite", "citep", "citet", "parencite", "textcite", "ref", "eqref", "cref", "label", "footnotemark"];
    const DRESSING: [&str; 11] =
        ["emph", "text", "textbf", "textit", "textrm", "texttt", "textsc", "underline", "mathrm", "mathbf", "mathit"];
    match written(text, tokens, at) {
        "$" => (!is_kind(tokens, at + 1, TokenKind::Digits)).then_some(at + 1),
        _ if is_command(text, tokens, at) => {
            let (name, opens) = (written(text, tokens, at + 1), written(text, tokens, at + 2) == "{");
            if opens && DRESSING.contains(&name) {
                return Some(at + 3);
            }
            let inside = tokens.iter().skip(at + 3).take(MOST_TOKENS);
            let length = inside.take_while(|token| token.span.of(text) != "}").count();
            let closed = opens && written(text, tokens, at + 3 + length) == "}";
            (closed && POINTING.contains(&name)).then_some(at + 4 + length)
        }
        _ => None,
    }
}

/// Marks of Markdown that may stand inside a word: `re*fund*s`.
const EMPHASIS: [char; 2] = ['*', '`'];

/// Past the word at `at` and all that nothing but marks of emphasis joins to it.
fn word_end(text: &str, tokens: &[Token], at: usize) -> usize {
    let mut end = at + 1;
    loop {
        let marks = tokens
            .iter()
            .skip(end)
            .take_while(|token| token.span.of(text).chars().all(|c| EMPHASIS.contains(&c)))
            .count();
        if marks == 0 || marks > 3 || !is_kind(tokens, end + marks, TokenKind::Word) {
            return end;
        }
        end += marks + 1;
    }
}

/// Past the digits from `at` on and all that separators join to them.
fn number_end(text: &str, tokens: &[Token], at: usize) -> usize {
    let mut end = at + 1;
    while matches!(written(text, tokens, end), "." | "," | "'" | "’" | ":" | "/" | "\u{2044}")
        && is_kind(tokens, end + 1, TokenKind::Digits)
    {
        end += 2;
    }
    end
}

/// Whether a mark carries meaning where it stands.
fn counts(text: &str, tokens: &[Token], at: usize) -> bool {
    let mark = written(text, tokens, at);
    let next_digits = is_kind(tokens, at + 1, TokenKind::Digits)
        || (is_kind(tokens, at + 1, TokenKind::Space) && is_kind(tokens, at + 2, TokenKind::Digits));
    let behind_word = at > 0 && is_kind(tokens, at - 1, TokenKind::Word);
    match mark {
        "%" | "‰" | "$" | "€" | "£" | "¥" | "₹" | "₽" | "₩" | "¢" | "°" | "§" | "±" | "×" | "≈" | "≤" | "≥" | "≠"
        | "&" => true,
        "#" | "+" => next_digits || behind_word,
        "<" | ">" | "=" => next_digits,
        "~" => is_kind(tokens, at + 1, TokenKind::Digits) && written(text, tokens, at.wrapping_sub(1)) != "~",
        // COVID-19: joined to letters it is a hyphen.
        _ if mark.chars().all(is_dash) => next_digits && !behind_word,
        _ => false,
    }
}

fn sign_of(c: char) -> u8 {
    match c {
        ',' | '、' | '，' => sign::COMMA,
        '.' | '。' | '!' | '！' | '．' | '｡' => sign::STOP,
        '?' | '？' | '؟' => sign::QUESTION,
        ':' | ';' | '：' | '；' => sign::COLON,
        '(' | ')' => sign::BRACKET,
        _ if is_dash(c) => sign::DASH,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::normal::Case;

    fn cut(text: &str) -> Vec<String> {
        let folded = Folded::new(text, Case::Keep);
        units(folded.text(), |_| true).iter().map(|unit| unit.span().of(folded.text()).to_owned()).collect()
    }

    #[test]
    fn typography_gives_no_units_and_signs_of_numbers_do() {
        assert_eq!(cut("**Fees**: “1,500.50 €” – don’t _pay_"), ["Fees", "1,500.50", "€", "don't", "pay"]);
        assert_eq!(
            cut("from 10–20 or 10 - 20 to -5 %"),
            ["from", "10", "-", "20", "or", "10", "-", "20", "to", "-", "5", "%"]
        );
        assert_eq!(cut("COVID-19, C++ and A/B"), ["COVID", "19", "C", "+", "and", "A", "B"]);
        assert_eq!(cut("paid.[12] Then [3] more"), ["paid", "Then", "3", "more"]);
        assert_eq!(cut("返品、30日"), ["返", "品", "30", "日"]);
        assert_eq!(cut("see [the *new* terms](https://a.example/b?c=1) here"), ["see", "the", "new", "terms", "here"]);
        assert_eq!(cut("re*fund*s 2 * 3"), ["re*fund*s", "2", "3"]);
    }

    #[test]
    fn an_index_finds_every_place() {
        let units = Units::read(&Folded::new("Pay now, or PAY later", Case::Keep));
        assert_eq!(units.places(with_folded("pay", hash)), [0, 3]);
        assert!(units.places(with_folded("never", hash)).is_empty());
    }
}
