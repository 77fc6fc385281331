//! Places where a text has lost a figure: "weighs up to , the heaviest of all".
//!
//! Extracts of web pages often come without what a template or a table would have filled in. What stood there is gone, so such a text is no proof
//! that it never said a number.

use super::lexicon::Lexicon;
use super::span::Span;
use super::word::{Token, TokenKind};

/// The places: a word that bounds or hedges a number, a space, and then a mark where the number should stand. A text in which marks
/// commonly follow a space, as in tokenised corpora and some scripts, has none. Linear in the tokens.
pub fn holes(text: &str, tokens: &[Token], lexicon: &Lexicon) -> Vec<Span> {
    let ends_a_phrase = |token: &Token| token.kind == TokenKind::Mark && matches!(token.span.of(text), "." | "," | ")");
    let (mut spaced, mut joined) = (0_usize, 0_usize);
    let mut holes = Vec::new();
    for (at, token) in tokens.iter().enumerate().skip(1) {
        if !ends_a_phrase(token) {
            continue;
        }
        // Of ". . ." and ".5" no mark ends a phrase.
        let goes_on = tokens.get(at + 1).is_some_and(|next| next.kind != TokenKind::Space);
        match tokens.get(at - 1).map(|before| before.kind) {
            Some(TokenKind::Space) if !goes_on => spaced += 1,
            Some(TokenKind::Space) => continue,
            _ => {
                joined += 1;
                continue;
            }
        }
        let bounds = lexicon.cues.qualifiers.ending_at(text, tokens, at).map(|found| found.span);
        if let Some(word) = bounds.or_else(|| lexicon.cues.hedges.ending_at(text, tokens, at).map(|found| found.span)) {
            holes.push(word.join(token.span));
        }
    }
    if spaced > joined {
        holes.clear();
    }
    holes
}

#[cfg(test)]
mod tests {
    use crate::text::{Analysis, Lexicons};

    fn found(language: &str, text: &str) -> Vec<String> {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        let analysis = Analysis::new(Some(language), &lexicons);
        analysis.holes(text).iter().map(|span| span.of(text).to_owned()).collect()
    }

    #[test]
    fn a_bound_without_its_number_is_a_hole() {
        assert_eq!(found("en", "It is long, and weighs up to , the most of all."), ["up to ,"]);
        assert_eq!(found("en", "It grows (adults reach over ) and swims."), ["over )"]);
        assert_eq!(found("de", "Er wiegt, wenn er alt ist, mindestens . Er lebt lange."), ["mindestens ."]);
    }

    #[test]
    fn whole_sentences_have_none() {
        for text in [
            "The game is over. We know what it is about, more or less.",
            "It weighs up to 12 tonnes, or more.",
            "They talked about . . . nothing.",
            "It costs over .5 dollars, they say.",
            // As tokenised corpora write.
            "The game was over , they said , and went home .",
        ] {
            assert!(found("en", text).is_empty(), "{text}");
        }
    }
}
