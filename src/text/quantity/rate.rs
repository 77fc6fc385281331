//! What a quantity is counted by: "per minute", "/h", "a day", "monthly".

use std::sync::Arc;

use crate::text::cursor::Cursor;
use crate::text::lexicon::{Unit, role};
use crate::text::word::TokenKind;

/// The unit it is counted by: `/month`, "per minute", "requests per minute", "a year".
pub(super) fn per_behind(cursor: &Cursor<'_>, end: usize, may_count: bool) -> Option<(Arc<Unit>, usize)> {
    let mut at = cursor.past_space(end);
    for words in 0..=2 {
        if is_per(cursor, at) {
            return rate_unit(cursor, at).or_else(|| second_rate_unit(cursor, at));
        }
        if !may_count || words == 2 || !cursor.is(at, TokenKind::Word) {
            return None;
        }
        at = cursor.past_space(at + 1);
    }
    None
}

fn is_per(cursor: &Cursor<'_>, at: usize) -> bool {
    cursor.lexicon.cues.per.contains(cursor.word(at).as_ref())
}

/// The unit right behind a word such as "per" at `at`.
fn rate_unit(cursor: &Cursor<'_>, at: usize) -> Option<(Arc<Unit>, usize)> {
    let units = &cursor.lexicon.units;
    let unit_at = cursor.past_space(at + 1);
    let named = units.names.starting_at(cursor.text, cursor.tokens, unit_at);
    let symbol = || units.symbols.starting_at(cursor.text, cursor.tokens, unit_at);
    let may_be_symbol = cursor.raw(at) == "/" || cursor.word(at) == "per";
    let found = named.or_else(|| symbol().filter(|_| may_be_symbol))?;
    let weak = cursor.lexicon.numbers.weak.contains(cursor.word(at).as_ref());
    let fits = is_time(&found.meaning) || !weak && found.meaning.factor.is_some();
    fits.then_some((found.meaning, found.next))
}

pub(super) fn is_time(unit: &Unit) -> bool {
    matches!(unit.dimension.as_ref(), "time" | "calendar")
}

/// The time in "per agent per month", "pro Nutzer und Monat", "par agent et par mois": behind what else it is counted
/// by, which has no unit. `at` is the first "per".
fn second_rate_unit(cursor: &Cursor<'_>, at: usize) -> Option<(Arc<Unit>, usize)> {
    let noun = cursor.past_space(at + 1);
    if !cursor.is(noun, TokenKind::Word) {
        return None;
    }
    let next = cursor.past_space(noun + 1);
    let is_joint = cursor.raw(next).len() <= 4 && cursor.lexicon.is_stop_word(cursor.word(next).as_ref());
    let found = if is_per(cursor, next) {
        rate_unit(cursor, next)
    } else if is_joint {
        let behind = cursor.past_space(next + 1);
        // "und Monat" or "et par mois": with or without a second "per".
        if is_per(cursor, behind) { rate_unit(cursor, behind) } else { rate_unit(cursor, next) }
    } else {
        None
    };
    found.filter(|(unit, _)| is_time(unit))
}

/// What a word nearby counts it by: "the monthly fee is $10". The nearest in the same sentence, a few words around.
pub(super) fn rate_nearby(cursor: &Cursor<'_>, from: usize, end: usize) -> Option<Arc<Unit>> {
    const BEFORE: usize = 24;
    const BEHIND: usize = 6;
    let ends = |at: usize| cursor.is_mark(at, &['.', '!', '?', ';', '。', '।', '؟']) && !cursor.joined(at + 1);
    let behind = (end..end.saturating_add(BEHIND)).take_while(|at| *at < cursor.len() && !ends(*at));
    let before = (from.saturating_sub(BEFORE)..from).rev().take_while(|at| !ends(*at));
    let at = behind.chain(before).find(|at| cursor.may_begin(*at, role::RATE) && cursor.is(*at, TokenKind::Word))?;
    cursor.lexicon.cues.rates.get(cursor.word(at).as_ref()).cloned()
}
