//! What a change of wording weighs: whether it certainly says something else, or may be the same in other words.

use std::collections::BTreeSet;

use super::units::Kind;
use crate::text::lexicon::{Lexicon, Qualifier, Scale};
use crate::text::outcome::Weight;
use crate::text::span::Span;
use crate::text::word::{TokenKind, content_hash, folded, tokens};

/// What a word says about how a sentence is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    /// "not", "except"
    Negation,
    /// "about"
    Hedge,
    /// A step of a scale of modality: "may", "most", "usually"
    Step(Scale, u8),
    /// "only", "if"
    Reservation,
    /// "at most"
    Bound(Qualifier),
}

/// The words of a text that deny, limit, hedge or bound.
pub(super) fn cues(text: &str, lexicon: &Lexicon) -> Vec<(Meaning, Span)> {
    let tokens = tokens(text);
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(token) = tokens.get(at) {
        if token.kind == TokenKind::Space {
            at += 1;
            continue;
        }
        let listed = &lexicon.cues;
        let bound = listed.qualifiers.starting_at(text, &tokens, at);
        let phrase = |phrases: &crate::text::lexicon::Phrases<()>, meaning| {
            phrases.starting_at(text, &tokens, at).map(|found| (meaning, found.span, found.next))
        };
        // "not only" denies nothing.
        if let Some(found) = listed.no_cues.starting_at(text, &tokens, at) {
            at = found.next;
            continue;
        }
        let step = || {
            let steps = Scale::ALL.into_iter().zip(&listed.modality);
            let mut found = steps.filter_map(|(scale, phrases)| Some((scale, phrases.starting_at(text, &tokens, at)?)));
            found.next().map(|(scale, found)| (Meaning::Step(scale, found.meaning), found.span, found.next))
        };
        let here = bound
            .map(|found| (Meaning::Bound(found.meaning), found.span, found.next))
            .or_else(|| phrase(&listed.negations, Meaning::Negation))
            .or_else(step)
            .or_else(|| phrase(&listed.reservations, Meaning::Reservation))
            .or_else(|| phrase(&listed.hedges, Meaning::Hedge))
            .or_else(|| {
                folded(token.span.of(text)).ends_with("n't").then_some((Meaning::Negation, token.span, at + 1))
            });
        match here {
            Some((meaning, span, next)) => {
                found.push((meaning, span));
                at = next;
            }
            None => at += 1,
        }
    }
    found
}

/// The words of the passage that an ellipsis leaves out although they change what is said, and how sure that is. `gap` is what was left out; `number`
/// says whether a number stands right before and right behind it.
pub(super) fn dropped(gap: &str, number: [bool; 2], lexicon: &Lexicon) -> Vec<(Meaning, Span, Weight)> {
    let mut found = Vec::new();
    for (meaning, span) in cues(gap, lexicon) {
        let (before, behind) = (gap.get(..span.start).unwrap_or_default(), gap.get(span.end..).unwrap_or_default());
        // In a sentence of its own it speaks of nothing that is left.
        if ends_a_sentence(before) && ends_a_sentence(behind) {
            continue;
        }
        let touches = [is_near(before), is_near(behind)];
        let mut weight = if touches.contains(&true) { Weight::Final } else { Weight::Triage };
        // "all" says no more than a plain statement does; how much it is of what was left out too is left out with it.
        if let Meaning::Step(scale, step) = meaning {
            let says_nothing = step == 3 && matches!(scale, Scale::Amount | Scale::Frequency | Scale::Certainty);
            if says_nothing || (scale == Scale::Amount && weight == Weight::Triage) {
                continue;
            }
        }
        // "refuses", "planned": words with content of their own weigh right beside what is left alone.
        let is_content = |word: &str| content_hash(word, lexicon).is_some();
        if meaning == Meaning::Reservation && is_content(span.of(gap)) {
            if weight == Weight::Triage {
                continue;
            }
            weight = Weight::Triage;
        }
        if matches!(meaning, Meaning::Bound(_)) {
            // A bound belongs to its number: left out with it, or without one beside it, it bounded nothing that is left.
            let words = |text: &str| text.chars().any(char::is_alphanumeric);
            let bounds = (number[0] && !words(before)) || (number[1] && !words(behind));
            // "not before the others": where no number is near, what bounds numbers elsewhere denies.
            let phrase = span.of(gap);
            let denies = !lexicon.cues.negations.all(phrase, &tokens(phrase)).is_empty();
            if !bounds && (!denies || gap.contains(|c: char| c.is_ascii_digit())) {
                continue;
            }
        }
        found.push((meaning, span, weight));
    }
    found
}

/// Whether a sentence ends in the text: a full stop that no small letter or digit follows.
fn ends_a_sentence(text: &str) -> bool {
    text.char_indices().any(|(at, c)| match c {
        '。' | '！' | '？' => true,
        '.' | '!' | '?' => {
            let rest = text.get(at + 1..).unwrap_or_default();
            let next = rest.trim_start_matches([' ', '"', '\'', ')', ']']).chars().next();
            (rest.is_empty() || rest.starts_with([' ', '"', '\'', ')', ']']))
                && !next.is_some_and(|c| c.is_lowercase() || c.is_numeric())
        }
        _ => false,
    })
}

/// Whether at most two words and no sign of a clause are in between.
fn is_near(between: &str) -> bool {
    const MOST_WORDS: usize = 2;
    !between.contains([',', ';', ':', '.', '(', ')', '!', '?', '、', '。'])
        && between.split_whitespace().count() <= MOST_WORDS
}

/// What it weighs that the words `ours` stand for the words `theirs`.
pub(super) fn of_change(ours: &[(&str, Kind)], theirs: &[(&str, Kind)], lexicon: &Lexicon) -> Weight {
    let letters = |side: &[(&str, Kind)]| side.iter().map(|(word, _)| folded(word)).collect::<String>();
    if letters(ours) == letters(theirs) {
        return Weight::Triage;
    }
    if values(ours, lexicon) != values(theirs, lexicon) {
        return Weight::Final;
    }
    let joined = |side: &[(&str, Kind)]| side.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" ");
    let meanings = |side| -> Vec<Meaning> {
        let mut meanings: Vec<Meaning> = cues(side, lexicon).into_iter().map(|(meaning, _)| meaning).collect();
        meanings.sort_unstable();
        meanings
    };
    if meanings(&joined(ours)) != meanings(&joined(theirs)) || are_opposed(ours, theirs, lexicon) {
        return Weight::Final;
    }
    let lacks = |these: &[(&str, Kind)], those: &[(&str, Kind)]| {
        these.iter().any(|(word, kind)| lacks(word, *kind, those, lexicon))
    };
    if lacks(ours, theirs) || lacks(theirs, ours) { Weight::Final } else { Weight::Triage }
}

/// Whether `those` have no form of a word with content.
fn lacks(word: &str, kind: Kind, those: &[(&str, Kind)], lexicon: &Lexicon) -> bool {
    match kind {
        // Number words were compared by value.
        Kind::Word if lexicon.numbers.words.contains_key(folded(word).as_ref()) => false,
        Kind::Word => {
            let Some(stem) = content_hash(word, lexicon) else { return false };
            let spelling = spelling(word);
            !those
                .iter()
                .any(|(other, _)| content_hash(other, lexicon) == Some(stem) || self::spelling(other) == spelling)
        }
        Kind::Character => !those.iter().any(|(other, _)| *other == word),
        Kind::Number | Kind::Sign => false,
    }
}

/// A word without what spelling varies in: accents, doubled letters, -ise and -ize, -our and -or, ß and ss.
fn spelling(word: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    use unicode_normalization::char::is_combining_mark;
    let plain: String = folded(word).nfd().filter(|c| !is_combining_mark(*c)).collect();
    let plain = plain.replace('ß', "ss").replace("our", "or").replace("ae", "e").replace("oe", "e").replace('z', "s");
    let mut letters: Vec<char> = plain.chars().collect();
    letters.dedup();
    letters.into_iter().collect()
}

/// The numbers and signs, sorted; number words by their value.
fn values(side: &[(&str, Kind)], lexicon: &Lexicon) -> Vec<String> {
    let mut values: Vec<String> = side
        .iter()
        .filter_map(|(word, kind)| match kind {
            Kind::Number => Some(ungrouped(word)),
            Kind::Sign => Some((*word).to_owned()),
            Kind::Word | Kind::Character => {
                let word = folded(word);
                let value = lexicon
                    .numbers
                    .words
                    .get(word.as_ref())
                    .filter(|_| !lexicon.numbers.weak.contains(word.as_ref()))?;
                Some(value.to_string())
            }
        })
        .collect();
    values.sort_unstable();
    values
}

/// A number without the separators between groups of three digits, and with a point for its decimal sign.
fn ungrouped(number: &str) -> String {
    let groups: Vec<&str> = number.split(['.', ',', '\'', '’']).collect();
    match groups.as_slice() {
        [first, rest @ ..] if first.len() <= 3 && !rest.is_empty() && rest.iter().all(|group| group.len() == 3) => {
            groups.concat()
        }
        _ => number.replace(',', "."),
    }
}

/// Whether the two sides have words that mean the opposite.
fn are_opposed(ours: &[(&str, Kind)], theirs: &[(&str, Kind)], lexicon: &Lexicon) -> bool {
    let sides = |side: &[(&str, Kind)]| -> BTreeSet<(u16, u16)> {
        side.iter().flat_map(|(word, _)| lexicon.opposites(&folded(word)).iter().copied()).collect()
    };
    let (ours, theirs) = (sides(ours), sides(theirs));
    ours.iter().any(|(group, side)| theirs.iter().any(|(other, opposite)| group == other && side != opposite))
}

/// How much it weighs that words of the quoter's own in brackets, or the words of the passage that they stand for, say how the sentence is
/// meant; `None` where they do not.
pub(super) fn telling(words: &[(&str, Kind)], lexicon: &Lexicon) -> Option<Weight> {
    let joined = words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" ");
    let cues = cues(&joined, lexicon);
    let is_amount = |meaning: &Meaning| matches!(meaning, Meaning::Step(Scale::Amount, _));
    if !values(words, lexicon).is_empty() || cues.iter().any(|(meaning, _)| !is_amount(meaning)) {
        return Some(Weight::Final);
    }
    if !cues.is_empty() {
        return Some(Weight::Triage);
    }
    words.iter().any(|(word, _)| !lexicon.opposites(&folded(word)).is_empty()).then_some(Weight::Triage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lexicons;

    fn weight(language: &str, ours: &str, theirs: &str) -> Weight {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        let read = |text: &'static str| -> Vec<(&str, Kind)> {
            let kind =
                |word: &str| if word.starts_with(|c: char| c.is_ascii_digit()) { Kind::Number } else { Kind::Word };
            text.split_whitespace().map(|word| (word, kind(word))).collect()
        };
        let leak = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
        of_change(&read(leak(ours)), &read(leak(theirs)), lexicons.for_language(Some(language)))
    }

    #[test]
    fn a_changed_content_word_number_or_denial_is_certain() {
        for (language, ours, theirs) in [
            ("en", "sixty", "thirty"),
            ("en", "60", "30"),
            ("en", "99.9", "999"),
            ("en", "", "not"),
            ("en", "must", "may"),
            ("en", "at least", "at most"),
            ("en", "buyer", "seller"),
            ("en", "free", ""),
            ("de", "kein", "ein"),
            ("fr", "", "pas"),
        ] {
            assert_eq!(weight(language, ours, theirs), Weight::Final, "{ours} for {theirs}");
        }
    }

    #[test]
    fn other_forms_of_the_same_words_are_open() {
        for (language, ours, theirs) in [
            ("en", "was", "is"),
            ("en", "the", ""),
            ("en", "ships", "shipped"),
            ("en", "colour", "color"),
            ("en", "organise", "organize"),
            ("en", "1000", "1,000"),
            ("en", "thirty", "30"),
            ("en", "email", "e mail"),
            ("de", "Strasse", "Straße"),
            ("fr", "etat", "état"),
        ] {
            assert_eq!(weight(language, ours, theirs), Weight::Triage, "{ours} for {theirs}");
        }
    }

    #[test]
    fn an_ellipsis_may_drop_a_bound_with_its_number_alone() {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        let lexicon = lexicons.for_language(Some("en"));
        let drops = |gap: &str, number| -> Vec<(String, Weight)> {
            dropped(gap, number, lexicon)
                .into_iter()
                .map(|(_, span, weight)| (span.of(gap).to_owned(), weight))
                .collect()
        };
        assert_eq!(drops(" never ", [false, false]), [("never".to_owned(), Weight::Final)]);
        assert_eq!(drops(", which are never late, ", [false, false]), [("never".to_owned(), Weight::Triage)]);
        assert_eq!(drops(" for up to ", [false, true]), [("up to".to_owned(), Weight::Final)]);
        assert_eq!(drops(" over the river ", [false, false]), []);
        assert_eq!(drops(" of no more than 20 euros ", [false, false]), []);
        assert_eq!(drops(" not before ", [false, false]).len(), 1);
        assert_eq!(drops(" isn’t ", [false, false]), [("isn’t".to_owned(), Weight::Final)]);
    }
}
