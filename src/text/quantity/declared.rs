//! A scale that a table or passage declares for its bare numbers: "($ in millions)", "Angaben in Mio. €", "('000)".

use super::super::lexicon::{Lexicon, Roles, role};
use super::super::span::Span;
use super::super::word::{Token, TokenKind, with_folded};

/// The scale that a text declares for the numbers that have none, as a power of ten with the word that says so. It stands in brackets, in one
/// of `heads` (the captions and heads of tables), behind a sign of money ("€m"), or in "amounts in thousands of dollars".
pub(crate) fn declared_scale(
    text: &str,
    (tokens, roles): (&[Token], &[Roles]),
    heads: &[Span],
    lexicon: &Lexicon,
) -> Option<(Span, u32)> {
    let shown = |at: &usize| tokens.get(*at).is_some_and(|token| token.kind != TokenKind::Space);
    (0..tokens.len()).find_map(|at| {
        let token = tokens.get(at)?;
        let word = token.span.of(text);
        if !matches!(token.kind, TokenKind::Word | TokenKind::Digits) {
            return None;
        }
        let before = (0..at).rev().find(shown).and_then(|at| tokens.get(at));
        let joined = before.filter(|before| before.span.end == token.span.start).map(|before| before.span.of(text));
        let power = match token.kind {
            TokenKind::Word if word.len() > 3 && roles.get(at).is_none_or(|roles| roles & role::SCALE == 0) => {
                return None;
            }
            TokenKind::Word => {
                with_folded(word, |word| lexicon.numbers.scales.get(word).copied().or(short(word, joined)))?
            }
            TokenKind::Digits if word == "000" && joined.is_none_or(|sign| !sign.ends_with([',', '.'])) => 3,
            _ => return None,
        };
        let in_head =
            || heads.iter().any(|head| head.contains(token.span) && !has_digits_before(text, *head, token.span));
        let is_money =
            joined.is_some_and(|sign| matches!(sign, "€" | "$" | "£" | "¥")) && token.kind == TokenKind::Word;
        let declares = in_head()
            || is_money
            || bracket(text, token.span).is_some_and(|bracket| !has_digits_before(text, bracket, token.span))
            || token.kind == TokenKind::Word && of_all(text, tokens, at, lexicon);
        declares.then_some((token.span, power))
    })
}

/// "m", "bn" and "k" behind a sign or code of money.
fn short(word: &str, joined: Option<&str>) -> Option<u32> {
    joined.filter(|sign| matches!(*sign, "€" | "$" | "£" | "¥"))?;
    match word {
        "k" | "tsd" => Some(3),
        "m" | "mn" | "mm" | "mio" => Some(6),
        "bn" | "b" | "mrd" => Some(9),
        _ => None,
    }
}

/// "5 million" and "(5 million)" are numbers.
fn has_digits_before(text: &str, within: Span, span: Span) -> bool {
    text.get(within.start..span.start).is_none_or(|before| before.contains(|c: char| c.is_numeric()))
}

/// What stands between the brackets around a stretch, up to it.
fn bracket(text: &str, span: Span) -> Option<Span> {
    const FAR: usize = 60;
    let start = text.get(..span.start)?.rfind(['(', '['])?;
    let before =
        text.get(start + 1..span.start).filter(|before| before.len() <= FAR && !before.contains([')', ']', '\n']));
    let closed = text.get(span.end..)?.chars().take(FAR).take_while(|c| *c != '\n').any(|c| matches!(c, ')' | ']'));
    before.filter(|_| closed).map(|_| Span::new(start + 1, span.end))
}

/// "All amounts in thousands of dollars." – behind "in", before the end of a line or sentence or a unit, in a sentence without figures so far.
fn of_all(text: &str, tokens: &[Token], at: usize, lexicon: &Lexicon) -> bool {
    const SHORT: usize = 4;
    let shown: Vec<(usize, &Token)> =
        tokens.iter().enumerate().filter(|(_, token)| token.kind != TokenKind::Space).collect();
    let Ok(place) = shown.binary_search_by_key(&at, |(at, _)| *at) else { return false };
    let word = |place: usize| shown.get(place).map_or("", |(_, token)| token.span.of(text));
    let is_in = place.checked_sub(1).is_some_and(|before| matches!(&*word(before).to_lowercase(), "in" | "en" | "em"));
    if !is_in {
        return false;
    }
    let behind =
        if matches!(&*word(place + 1).to_lowercase(), "of" | "de" | "d" | "di" | ".") { place + 2 } else { place + 1 };
    let token = shown.get(behind).map(|(at, _)| *at);
    let words =
        shown.get(..place).unwrap_or_default().iter().rev().take_while(|(_, token)| token.span.of(text) != ".").count();
    let ends = matches!(word(place + 1), "" | ":" | ")") || word(place + 1) == "." && words <= SHORT;
    let is_unit = || token.is_some_and(|at| lexicon.units.names.starting_at(text, tokens, at).is_some());
    let line = shown.get(place).and_then(|(_, token)| text.get(..token.span.start)).unwrap_or_default();
    let sentence = line.rsplit(['\n', '.', ';']).next().unwrap_or_default();
    (ends || is_unit()) && !sentence.contains(|c: char| c.is_numeric())
}

#[cfg(test)]
mod tests {
    use crate::text::{Analysis, Lexicons};

    fn declared(text: &str) -> Option<u32> {
        let lexicons = Lexicons::shipped().expect("the shipped lexicons");
        Analysis::new(Some("en"), &lexicons).declared_scale(text).map(|(_, power)| power)
    }

    #[test]
    fn captions_heads_and_brackets_declare_a_scale() {
        for text in [
            "(in thousands) Revenue $1,234.5",
            "Revenue (USD thousands): 4,510",
            "All amounts in thousands of dollars. Total: $4,510",
            "Net sales ('000): 830",
            "Amounts in thousands. Total assets $4,510.",
            "Net sales ($000): 830",
            "Sales in €k: €12",
            "| In thousands | 2020 |\n|---|---|\n| Sales | 9 |",
        ] {
            assert_eq!(declared(text), Some(3), "{text}");
        }
        assert_eq!(declared("Sales in €m: €12"), Some(6));
        assert_eq!(declared("| ($ in millions) | 2022 |\n|---|---|\n| Total assets | $4,510 |"), Some(6));
    }

    #[test]
    fn numbers_and_prose_declare_none() {
        for text in [
            "It cost $5 million.",
            "It cost much (5 million).",
            "It was seen in thousands of homes in 2020.",
            "The people of the town came in thousands. It was 1999.",
            "It has 12,000 seats.",
            "They came by the thousands.",
            "It grew by €5m.",
        ] {
            assert_eq!(declared(text), None, "{text}");
        }
    }
}
