//! What stands around a date and says how it is meant: "early", "third quarter of", "since", a range, a birth.

use super::period::BETWEEN;
use super::range::is_joined;
use super::{Bound, Date, Era, Part, Stage};
use crate::text::Span;
use crate::text::cursor::Cursor;
use crate::text::lexicon::{DateWord, role};
use crate::text::word::{Token, TokenKind, folded};

/// Reads the surroundings of all dates, which are in order.
pub(super) fn read(cursor: &mut Cursor<'_>, mut found: Vec<Date>) -> Vec<Date> {
    for right in 1..found.len() {
        let Some(([.., first], [last, ..])) = found.split_at_mut_checked(right) else { continue };
        if is_range(cursor, first, last) {
            first.bound = Some(Bound::From);
            (last.bound, last.closes) = (Some(Bound::Until), true);
        }
    }
    without_schedules(cursor, &mut found);
    let mut read_to = 0;
    for date in &mut found {
        let from = token_at(cursor, date.span.start);
        let end = token_at(cursor, date.span.end);
        if !date.relative && date.time.is_none() {
            before(cursor, date, from, read_to);
            lone_dash(cursor, date, from, end);
            life(cursor, date, from, read_to);
            if cursor.lexicon.postpositions && date.bound.is_none() {
                date.bound = behind(cursor, end);
            }
        }
        read_to = end;
    }
    found
}

/// "to pray on Sunday and to vote on Tuesday": several weekdays in one breath come back every week.
fn without_schedules(cursor: &Cursor<'_>, found: &mut Vec<Date>) {
    const ONE_BREATH: usize = 160;
    let is_weekday = |date: &Date| {
        date.relative && cursor.lexicon.calendar.weekdays.contains_key(folded(date.span.of(cursor.text)).as_ref())
    };
    let weekdays: Vec<usize> = found.iter().filter(|date| is_weekday(date)).map(|date| date.span.start).collect();
    let is_near = |start: usize| {
        let at = weekdays.partition_point(|other| *other < start);
        let near = |other: Option<&usize>| other.is_some_and(|other| other.abs_diff(start) <= ONE_BREATH);
        near(weekdays.get(at + 1)) || near(at.checked_sub(1).and_then(|before| weekdays.get(before)))
    };
    found.retain(|date| !is_weekday(date) || !is_near(date.span.start));
}

fn is_range(cursor: &Cursor<'_>, first: &Date, last: &Date) -> bool {
    let alike = first.time.is_some() == last.time.is_some() && !first.relative && !last.relative;
    alike && is_joined(cursor, first, last) && !is_only_listed(cursor, first, last)
}

/// "in 1990 and 1995": two dates, no range; "between 1990 and 1995" is one.
fn is_only_listed(cursor: &Cursor<'_>, first: &Date, last: &Date) -> bool {
    let cues = &cursor.lexicon.cues;
    let gap = cursor.text.get(first.span.end..last.span.start).unwrap_or_default();
    let joiner = folded(gap.split_whitespace().next().unwrap_or_default()).into_owned();
    let mut pairs = cues.range_pairs.iter().filter(|(_, second)| second.as_ref() == joiner).peekable();
    if pairs.peek().is_none() || cues.range_joiners.contains(joiner.as_str()) {
        return false;
    }
    let before = cursor.before(token_at(cursor, first.span.start)).map(|i| cursor.word(i)).unwrap_or_default();
    !pairs.any(|(opening, _)| opening.as_ref() == before)
}

/// The first token that begins at or behind a byte.
fn token_at(cursor: &Cursor<'_>, byte: usize) -> usize {
    cursor.tokens.partition_point(|token| token.span.start < byte)
}

/// The words before a date, from right to left; none of them before token `least`.
fn before(cursor: &mut Cursor<'_>, date: &mut Date, from: usize, least: usize) {
    const MOST_WORDS: usize = 6;
    let mut end = from;
    for _ in 0..MOST_WORDS {
        let Some(last) = cursor.before(end).filter(|last| *last >= least) else { return };
        let phrase = cursor.lexicon.calendar.words.ending_at(cursor.text, cursor.tokens, last + 1);
        // "last quarter of 2025": here it is no quarter of the writer's.
        let phrase = match phrase {
            Some(found) if found.meaning == DateWord::Relative => {
                cursor.lexicon.calendar.words.starting_at(cursor.text, cursor.tokens, last)
            }
            Some(found) if found.meaning == DateWord::At => None,
            found => found,
        };
        let Some(phrase) = phrase else {
            let skipped = cursor.is(last, TokenKind::Word) && BETWEEN.contains(&cursor.word(last).as_ref())
                || cursor.is_mark(last, &['-', '‐', '‑']) && cursor.joined(last) && cursor.joined(last + 1);
            if !skipped {
                return;
            }
            end = last;
            continue;
        };
        let mut start = token_at(cursor, phrase.span.start);
        if start < least {
            return;
        }
        match phrase.meaning {
            DateWord::Fiscal if date.is_bare_year() || date.part.is_some() => date.fiscal = true,
            DateWord::Quarter | DateWord::Half if date.month.is_none() && date.part.is_none() => {
                let Some((part, first)) = ordinal_before(cursor, start, phrase.meaning) else { return };
                (date.part, start) = (Some(part), first);
                cursor.take(first, last + 1);
            }
            DateWord::Early if date.stage.is_none() => date.stage = Some(Stage::Early),
            DateWord::Middle if date.stage.is_none() => date.stage = Some(Stage::Middle),
            DateWord::Late if date.stage.is_none() => date.stage = Some(Stage::Late),
            meaning => {
                let bound = bound(meaning);
                // "between 1990 and 1995": the range says more than the word before it.
                date.bound = date.bound.or(bound);
                return;
            }
        }
        date.span.start = cursor.span(start).start;
        end = start;
    }
}

/// What the words behind a date make of it, where they stand there: `3월 5일까지`, `5 Mart 2026'dan önce`. `end` is the token behind it.
fn behind(cursor: &Cursor<'_>, end: usize) -> Option<Bound> {
    let words = &cursor.lexicon.calendar.words;
    let word_of = |span: Span| {
        let token = [Token { span, kind: TokenKind::Word }];
        words.starting_at(cursor.text, &token, 0).and_then(|found| bound(found.meaning))
    };
    // A particle that is written with the sign for a day.
    let last = cursor.span(end.checked_sub(1)?);
    let sign = last.of(cursor.text).chars().next().map_or(0, char::len_utf8);
    let particle = Some(Span::new(last.start + sign, last.end)).filter(|span| !span.is_empty());
    let at_word = |at: usize| super::word_at(cursor, at).and_then(|(word, _)| bound(word));
    particle.and_then(word_of).or_else(|| at_word(end)).or_else(|| at_word(cursor.past_case_ending(end)))
}

fn bound(word: DateWord) -> Option<Bound> {
    match word {
        DateWord::From | DateWord::Born => Some(Bound::From),
        DateWord::Until | DateWord::Died => Some(Bound::Until),
        DateWord::Before => Some(Bound::Before),
        DateWord::After => Some(Bound::After),
        _ => None,
    }
}

/// The ordinal before "quarter" or "half" at token `at`: `third`, `3rd`, `3.`; with its first token.
fn ordinal_before(cursor: &Cursor<'_>, at: usize, unit: DateWord) -> Option<(Part, usize)> {
    let last = cursor.before(at)?;
    let ordinals = &cursor.lexicon.numbers.ordinals;
    let (number, first) = match cursor.kind(last)? {
        TokenKind::Digits if !cursor.joined(last) => (cursor.small(last)?, last),
        TokenKind::Word if cursor.joined(last) && cursor.is(last - 1, TokenKind::Digits) => {
            let ending = cursor.lexicon.numbers.ordinal_endings.contains(cursor.word(last).as_ref());
            (cursor.small(last - 1).filter(|_| ending)?, last - 1)
        }
        // 3-м
        TokenKind::Word if last > 1 && cursor.past_ordinal_ending(last - 1) == Some(last + 1) => {
            (cursor.small(last - 2)?, last - 2)
        }
        TokenKind::Word => {
            let word = cursor.word(last);
            let last_one = matches!(
                word.as_ref(),
                "last" | "final" | "letzten" | "letztes" | "dernier" | "último" | "ultimo" | "laatste"
            );
            let number = ordinals.get(word.as_ref()).copied();
            (number.or(last_one.then_some(if unit == DateWord::Half { 2 } else { 4 }))?, last)
        }
        TokenKind::Mark if cursor.is_mark(last, &['.', 'º', 'ª', '°']) && cursor.joined(last) => {
            (cursor.small(last - 1)?, last - 1)
        }
        _ => return None,
    };
    let part = match unit {
        DateWord::Half => super::part(number, 2).map(Part::Half),
        _ => super::part(number, 4).map(Part::Quarter),
    };
    Some((part?, first))
}

/// `(; – 23 December 1942)` has lost its beginning, `(1950–)` has no end yet.
fn lone_dash(cursor: &Cursor<'_>, date: &mut Date, from: usize, end: usize) {
    const DASHES: [char; 5] = ['-', '–', '—', '‐', '−'];
    if date.bound.is_some() {
        return;
    }
    let dash_before = cursor.before(from).filter(|i| cursor.is_mark(*i, &DASHES));
    let opened = dash_before.and_then(|i| cursor.before(i)).is_some_and(|i| cursor.is_mark(i, &['(', ';', ',', '[']));
    let next = cursor.past_space(end);
    if opened {
        date.bound = Some(Bound::Until);
    } else if cursor.is_mark(next, &DASHES) && cursor.is_mark(cursor.past_space(next + 1), &[')', ']']) {
        date.bound = Some(Bound::From);
    }
}

/// "was born in Lisbon in 1912": the word for a birth or a death in the same clause; none before token `least`.
fn life(cursor: &Cursor<'_>, date: &mut Date, from: usize, least: usize) {
    const MOST_TOKENS: usize = 16;
    if date.bound.is_some() || date.era != Era::Year {
        return;
    }
    for at in (least.max(from.saturating_sub(MOST_TOKENS))..from).rev() {
        if cursor.is_mark(at, &['.', ';', ':', '(', ')', '[', ']', '!', '?']) {
            return;
        }
        if cursor.may_begin(at, role::DATE)
            && let Some((word @ (DateWord::Born | DateWord::Died), _)) = super::word_at(cursor, at)
        {
            date.bound = bound(word);
            return;
        }
    }
}
