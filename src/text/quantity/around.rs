//! What stands around a quantity: bounds and hedges, what it counts, and whether it is a change.

use super::words::ARTICLES;
use super::{Change, Form, Quantity};
use crate::text::Span;
use crate::text::cursor::Cursor;
use crate::text::lexicon::{Qualifier, role};
use crate::text::word::{TokenKind, content_hash};

/// The first two words with content behind the number.
pub(super) fn counted(cursor: &Cursor<'_>, end: usize) -> [Option<u64>; 2] {
    let mut at = cursor.past_space(end);
    if cursor.is_mark(at, &['-', '‐', '‑']) {
        at += 1;
    }
    let mut stems = [None; 2];
    for stem in &mut stems {
        if !cursor.is(at, TokenKind::Word) {
            break;
        }
        *stem = content_hash(cursor.raw(at), cursor.lexicon);
        if stem.is_none() {
            break;
        }
        at = cursor.past_space(at + 1);
    }
    stems
}

/// Past the "of the" in "half of the users".
pub(super) fn past_part_words(cursor: &Cursor<'_>, end: usize) -> usize {
    let mut at = end;
    for _ in 0..2 {
        let word = cursor.past_space(at);
        if !cursor.lexicon.numbers.part_words.contains(cursor.word(word).as_ref()) {
            break;
        }
        at = word + 1;
    }
    at
}

/// Qualifiers and hedges before and behind the quantity; gives the first token of those before it.
pub(super) fn bounds(cursor: &Cursor<'_>, from: usize, end: usize, quantity: &mut Quantity) -> usize {
    let cues = &cursor.lexicon.cues;
    let mut from = from;
    for _ in 0..3 {
        let article = cursor.before(from).filter(|i| match cursor.word(*i).as_ref() {
            "a" | "an" | "the" | "as" => true,
            word => quantity.form == Form::Share && ARTICLES.contains(&word),
        });
        let until = past_preposition(cursor, before_stop(cursor, from));
        let hedge = cues.hedges.ending_at(cursor.text, cursor.tokens, until);
        let qualifier =
            cues.qualifiers.ending_at(cursor.text, cursor.tokens, until).filter(|q| !is_arrow(cursor.text, q.span));
        // "under tredje kvartalet": in the course of it.
        let qualifier = qualifier.filter(|q| quantity.form != Form::Ordinal && !bounds_the_last(cursor, q.span));
        let start = match (&qualifier, &hedge) {
            (Some(q), h) if h.as_ref().is_none_or(|h| h.span.start >= q.span.start) => {
                if quantity.qualifier.is_none() {
                    (quantity.qualifier, quantity.bound) = (Some(q.meaning), Some(q.span));
                }
                q.span.start
            }
            (_, Some(h)) => {
                quantity.hedged = true;
                h.span.start
            }
            _ => match article.filter(|_| quantity.qualifier.is_none()) {
                Some(at) => {
                    from = at;
                    continue;
                }
                None => break,
            },
        };
        match (0..from).rev().take(8).find(|i| cursor.span(*i).start == start) {
            Some(at) => from = at,
            None => break,
        }
    }
    if quantity.qualifier.is_none() {
        (quantity.qualifier, quantity.bound) = qualifier_behind(cursor, end).unzip();
    }
    if let Some(bound) = quantity.bound
        && let Some(turned) = quantity.qualifier.and_then(turned_round)
        && let Some(denied) = denial_before(cursor, bound)
    {
        (quantity.qualifier, quantity.denied) = (Some(turned), Some(denied));
    }
    // 30日ほど, 30天左右: in these languages what makes it rough may stand behind.
    if cursor.lexicon.unspaced && cursor.is(end, TokenKind::Ideograph) {
        quantity.hedged |= cues.hedges.starting_at(cursor.text, cursor.tokens, end).is_some();
    }
    from
}

/// Whether a bound stands behind a number of its own: 8자 **이상** 20자.
fn bounds_the_last(cursor: &Cursor<'_>, bound: Span) -> bool {
    let first = cursor.tokens.partition_point(|token| token.span.start < bound.start);
    let is_digits = |at: usize| cursor.is(at, TokenKind::Digits);
    cursor.lexicon.postpositions
        && cursor.before(first).is_some_and(|last| {
            let unit = || cursor.lexicon.units.names.starting_at(cursor.text, cursor.tokens, last).is_some();
            is_digits(last)
                || last > 0
                    && (cursor.joined(last) && is_digits(last - 1)
                        || unit() && cursor.before(last).is_some_and(is_digits))
        })
}

/// Whether a sign is the head of an arrow: "Menu -> 5 GB", "a => 3".
fn is_arrow(text: &str, sign: Span) -> bool {
    sign.of(text) == ">" && text.get(..sign.start).is_some_and(|before| before.ends_with(['-', '=', '–', '|']))
}

/// What is left of a bound that is denied: not more than 5 is at most 5.
const fn turned_round(qualifier: Qualifier) -> Option<Qualifier> {
    match qualifier {
        Qualifier::MoreThan => Some(Qualifier::AtMost),
        Qualifier::LessThan => Some(Qualifier::AtLeast),
        Qualifier::AtLeast | Qualifier::AtMost | Qualifier::Exactly => None,
    }
}

/// The one word of denial before a bound, in its clause and near it: "may **not** weigh over 20 kg".
fn denial_before(cursor: &Cursor<'_>, bound: Span) -> Option<Span> {
    const FAR: usize = 16;
    let cues = &cursor.lexicon.cues;
    let from = cursor.tokens.partition_point(|token| token.span.start < bound.start);
    if cursor.lexicon.unspaced {
        // 超えてはならない: there the denial follows.
        let behind = cursor.tokens.partition_point(|token| token.span.start < bound.end);
        let inside = (behind..behind + FAR).take_while(|at| cursor.is(*at, TokenKind::Ideograph));
        let denials = inside.filter_map(|at| cues.negations.starting_at(cursor.text, cursor.tokens, at));
        return denials.map(|denial| denial.span).next();
    }
    let mut found = None;
    for at in (from.saturating_sub(FAR)..from).rev() {
        let token = cursor.tokens.get(at)?;
        let word = token.span.of(cursor.text);
        let ends = match token.kind {
            TokenKind::Mark => matches!(word, "." | ";" | ":" | "," | "(" | "|"),
            TokenKind::Digits => true,
            TokenKind::Word => cursor.lexicon.begins_clause(word),
            _ => false,
        };
        if ends {
            break;
        }
        if cues.no_cues.starting_at(cursor.text, cursor.tokens, at).is_some() {
            continue;
        }
        if let Some(denial) =
            cues.negations.starting_at(cursor.text, cursor.tokens, at).filter(|denial| denial.next <= from)
        {
            // Two of them leave open what is meant, unless they belong together ("ne … pas").
            if found.is_some() && !cues.negative_concord && !is_pair(cursor, denial.span, found) {
                return None;
            }
            found = Some(found.map_or(denial.span, |last: Span| last.join(denial.span)));
        }
    }
    found
}

/// Whether two words of denial deny once.
fn is_pair(cursor: &Cursor<'_>, first: Span, second: Option<Span>) -> bool {
    let folded = |span: Span| crate::text::word::folded(span.of(cursor.text)).into_owned();
    let pairs = &cursor.lexicon.cues.cue_pairs;
    second.is_some_and(|second| pairs.iter().any(|(a, b)| **a == *folded(first) && folded(second).starts_with(&**b)))
}

/// The word between a bound and its number in "almeno del 10 %", "at least by 10 %", or `from` itself.
fn past_preposition(cursor: &Cursor<'_>, from: usize) -> usize {
    let (cues, parts) = (&cursor.lexicon.cues, &cursor.lexicon.numbers.part_words);
    let joins = |word: &str| parts.contains(word) || cues.change_by.contains(word) || cues.change_to.contains(word);
    let before = cursor.before(from).filter(|at| joins(cursor.word(*at).as_ref()));
    let bounded = |at: &usize| {
        let is_bound = |from: usize| cues.qualifiers.ending_at(cursor.text, cursor.tokens, from).is_some();
        !is_bound(from) && is_bound(cursor.before(*at).map_or(*at, |last| last + 1))
    };
    before.filter(bounded).unwrap_or(from)
}

/// The full stop of a shortened word before token `from`, as in "ca. 30", or `from` itself.
fn before_stop(cursor: &Cursor<'_>, from: usize) -> usize {
    let stop = cursor.before(from).filter(|at| cursor.is_mark(*at, &['.']) && cursor.joined(*at));
    stop.filter(|at| cursor.lexicon.abbreviations.contains(cursor.word(at - 1).as_ref())).unwrap_or(from)
}

/// "30 days or more", "30 days at most."
fn qualifier_behind(cursor: &Cursor<'_>, end: usize) -> Option<(Qualifier, Span)> {
    let mut at = cursor.past_case_ending(end);
    let comma = cursor.is_mark(at, &[',', '،']) && cursor.is(at + 1, TokenKind::Space);
    if comma {
        at += 2;
    }
    let found = cursor.lexicon.cues.qualifiers.starting_at(cursor.text, cursor.tokens, at)?;
    let joins = cursor.is(at, TokenKind::Ideograph)
        || cursor.lexicon.postpositions && cursor.is(at, TokenKind::Word)
        || matches!(
            cursor.word(at).as_ref(),
            "or" | "and" | "oder" | "und" | "ou" | "et" | "o" | "y" | "e" | "of" | "en" | "minimum" | "maximum"
        );
    // Before a number it would bound that one: "30 days, at least 5 users".
    let next = cursor.past_space(found.next);
    let bounds = matches!(found.meaning, Qualifier::AtLeast | Qualifier::AtMost);
    let ends = next >= cursor.len() || cursor.is_mark(next, &['.', ',', ';', ')', '!', '?', ':', '।', '،']);
    let last = bounds && cursor.is(at, TokenKind::Word) && (ends || !comma && is_complete(cursor, at, found.next));
    let of_the_next = cursor.lexicon.postpositions && cursor.is(next, TokenKind::Digits);
    ((joins && !of_the_next && !comma) || last).then_some((found.meaning, found.span))
}

/// Whether a bound between tokens `at` and `next` needs nothing behind it: "at most on the server", and not "up to the first of May",
/// "at least every week".
fn is_complete(cursor: &Cursor<'_>, at: usize, next: usize) -> bool {
    let (lexicon, behind) = (cursor.lexicon, cursor.past_space(next));
    let last = (at..next).rev().find(|i| cursor.is(*i, TokenKind::Word));
    let cues = &lexicon.cues;
    let governs = last.is_none_or(|last| {
        let word = cursor.word(last);
        let word = word.as_ref();
        cues.change_to.contains(word)
            || cues.change_by.contains(word)
            || cues.range_pairs.iter().any(|(first, second)| [first, second].iter().any(|side| side.as_ref() == word))
            || lexicon.calendar.words.starting_at(cursor.text, cursor.tokens, last).is_some()
    });
    let word = cursor.word(behind);
    !governs
        && cursor.may_begin(behind, role::STOP)
        && !cursor.may_begin(behind, role::NUMBER | role::RATE)
        && !ARTICLES.contains(&word.as_ref())
        && !cues.per.contains(word.as_ref())
}

/// The same where the words stand behind: "10% 인상", "10%로 인상".
fn change_behind(cursor: &Cursor<'_>, end: usize) -> Option<Change> {
    const REACH: usize = 4;
    let cues = &cursor.lexicon.cues;
    let particle = if cursor.joined(end) && cursor.is(end, TokenKind::Word) { end } else { end.checked_sub(1)? };
    let mut words = (particle + 1..).take_while(|at| *at < cursor.len() && !cursor.is_mark(*at, &['.', ',', ';']));
    let mut near = words.by_ref().filter(|at| cursor.is(*at, TokenKind::Word)).take(REACH);
    let changes = |at: usize| cues.change_words.contains(cursor.lexicon.stem(cursor.word(at).as_ref()).as_ref());
    near.any(changes).then(|| {
        let word = cursor.word(particle);
        if cues.change_to.iter().any(|to| word.ends_with(to.as_ref())) { Change::To } else { Change::By }
    })
}

/// Whether the words before it make it the amount of a change or a level that was reached: "rose by 5 %", "rose to 5 %".
/// `from` is its first token, what bounds it included.
pub(super) fn change(cursor: &Cursor<'_>, (from, end): (usize, usize), form: Form) -> Option<Change> {
    const REACH: usize = 6;
    let cues = &cursor.lexicon.cues;
    if cues.change_words.is_empty() {
        return None;
    }
    if cursor.lexicon.postpositions
        && let Some(change) = change_behind(cursor, end)
    {
        return Some(change);
    }
    let before = cursor.before(from).filter(|at| cursor.is(*at, TokenKind::Word))?;
    let changes = |at: usize| cues.change_words.contains(cursor.lexicon.stem(cursor.word(at).as_ref()).as_ref());
    let word = cursor.word(before);
    // "rose from 3 % to 5 %"
    let is_path = form == Form::Range
        && cues.range_pairs.iter().any(|(first, second)| word == first.as_ref() && cues.change_to.contains(second));
    let change = match (cues.change_by.contains(word.as_ref()), cues.change_to.contains(word.as_ref())) {
        _ if is_path => Change::To,
        _ if form != Form::Single && form != Form::Share => return None,
        (true, false) => Change::By,
        (false, true) => Change::To,
        _ => return changes(before).then_some(Change::By),
    };
    let mut words = (0..before)
        .rev()
        .take_while(|at| !cursor.is_mark(*at, &['.', ';', ':', '!', '?']) || cursor.joined(*at + 1))
        .filter(|at| cursor.is(*at, TokenKind::Word))
        .take(REACH);
    words.any(changes).then_some(change)
}
