//! Years that stand alone, and decades written as years.

use super::{Date, Era, Hit, plausible_year};
use crate::text::cursor::Cursor;
use crate::text::word::TokenKind;

/// A bare year, where its surroundings make it one; a decade.
pub(super) fn year(cursor: &Cursor<'_>, at: usize, earlier: &[Date]) -> Hit {
    let year = plausible_year(cursor, at)?;
    let next = at + 1;
    let joined_left = cursor.joined(at)
        && (cursor.is(at - 1, TokenKind::Word) || cursor.is_mark(at - 1, &['.', ',', '\'', '$', '€', '£', '#', '/']));
    // "word.1990": a full stop without its space.
    if joined_left && !(cursor.is_mark(at - 1, &['.', ',', '/']) && (at < 2 || !cursor.is(at - 2, TokenKind::Digits))) {
        return None;
    }
    let apostrophe = usize::from(cursor.is_mark(next, &['\'', '’']) && cursor.joined(next));
    if cursor.raw(next + apostrophe) == "s" && cursor.joined(next + apostrophe) {
        let to = next + apostrophe + 1;
        let date = Date {
            year: Some(year),
            era: if year % 10 == 0 { Era::Decade } else { Era::Year },
            ..Date::new(cursor.stretch(at, to))
        };
        return Some((date, to));
    }
    if cursor.joined(next)
        && (cursor.is(next, TokenKind::Word)
            || (cursor.is_mark(next, &['.', ',', '\''])
                && cursor.joined(next + 1)
                && cursor.is(next + 1, TokenKind::Digits)))
    {
        return None;
    }
    if cursor.measures(next)
        || (cursor.is_mark(next, &['-', '–'])
            && cursor.joined(next)
            && cursor.measures(next + 1)
            && cursor.joined(next + 1))
    {
        return None;
    }
    let date = Date { year: Some(year), ..Date::new(cursor.span(at)) };
    let before = cursor.before(at);
    let before_word = before.map(|i| cursor.word(i)).unwrap_or_default();
    let currency = before.is_some_and(|i| {
        cursor.lexicon.units.symbols.ending_at(cursor.text, cursor.tokens, i + 1).is_some_and(|f| f.meaning.before)
    });
    if currency {
        return None;
    }
    let bracket = before.is_some_and(|i| cursor.is_mark(i, &['(', '–', '-', '/', ';', '[']));
    let range = earlier.last().is_some_and(|d| {
        d.year.is_some() && cursor.text.get(d.span.end..cursor.span(at).start).is_some_and(|gap| gap.len() <= 5)
    });
    let spaced = cursor.past_space(next);
    let counted = cursor.is(spaced, TokenKind::Word)
        && !cursor.is_capitalised(spaced)
        && !cursor.lexicon.is_stop_word(&cursor.word(spaced));
    let recent = (1500..2100).contains(&year);
    let context = cursor.lexicon.cues.year_words.contains(before_word.as_ref())
        || bracket
        || range
        || cursor.is_mark(next, &[')', '–']);
    let is_year = if counted {
        let determined = matches!(before_word.as_ref(), "the" | "its" | "a" | "his" | "her" | "their" | "s")
            || before_word.ends_with("'s");
        let attribute = cursor.lexicon.language() == "en" && !counts_things(cursor, spaced);
        recent && (determined || attribute || (context && !plural(cursor, spaced))) || bracket || range
    } else {
        context || recent || before.is_some_and(|i| cursor.is_capitalised(i))
    };
    is_year.then_some((date, next))
}

fn plural(cursor: &Cursor<'_>, at: usize) -> bool {
    const WITHOUT_S: [&str; 12] = [
        "people",
        "police",
        "personnel",
        "staff",
        "crew",
        "cattle",
        "sheep",
        "fish",
        "deer",
        "aircraft",
        "spacecraft",
        "data",
    ];
    let word = cursor.word(at);
    word.ends_with('s') || word.ends_with("en") || WITHOUT_S.contains(&word.as_ref())
}

/// Whether what follows a number are things that can be counted: "1800 active users", but no "2017 population".
fn counts_things(cursor: &Cursor<'_>, mut at: usize) -> bool {
    const MOST_WORDS: usize = 4;
    for _ in 0..MOST_WORDS {
        if !cursor.is(at, TokenKind::Word) || cursor.lexicon.is_stop_word(&cursor.word(at)) {
            return false;
        }
        if plural(cursor, at) {
            return true;
        }
        at = cursor.past_space(at + 1);
    }
    true
}

/// `44 BC`, `300 v. Chr.`.
pub(super) fn before_era(cursor: &Cursor<'_>, at: usize) -> Hit {
    let number = cursor.small(at).filter(|n| *n > 0 && *n < 10_000)?;
    let next = cursor.past_space(at + 1);
    let word = cursor.raw(next);
    let german = word == "v" && cursor.is_mark(next + 1, &['.']) && cursor.raw(cursor.past_space(next + 2)) == "Chr";
    if !matches!(word, "BC" | "BCE") && !german {
        return None;
    }
    let to = if german { cursor.past_space(next + 2) + 1 } else { next + 1 };
    let date = Date { year: i32::try_from(number).ok().map(|n| -n), ..Date::new(cursor.stretch(at, to)) };
    Some((date, to))
}
