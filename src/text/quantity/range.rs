//! Two values that belong together: ranges, scores, and parts of a whole.

use super::number::{self, Number, Written};
use super::read::{money_scale, unit_behind};
use super::{Form, Quantity};
use crate::text::cursor::Cursor;
use crate::text::lexicon::Exact;
use crate::text::normal::is_dash;
use crate::text::word::TokenKind;

/// The second value of a range or a score; gives the token behind it.
pub(super) fn second_value(cursor: &Cursor<'_>, at: usize, end: usize, quantity: &mut Quantity) -> Option<usize> {
    let spaced = cursor.past_space(end);
    let cues = &cursor.lexicon.cues;
    let before = cursor.before(at).map(|i| cursor.word(i)).unwrap_or_default();
    let dash = cursor.raw(spaced).chars().next().is_some_and(|c| is_dash(c) || matches!(c, '〜' | '～'))
        && cursor.is(spaced, TokenKind::Mark);
    // 3:1
    let colon = cursor.is_mark(spaced, &[':']) && quantity.unit.is_none();
    let tight = (dash || colon) && spaced == end && cursor.joined(spaced) && cursor.joined(spaced + 1);
    let loose = dash && spaced > end && cursor.is(spaced + 1, TokenKind::Space);
    let joiner = cursor.word(spaced);
    let pair = cues.range_pairs.iter().any(|(first, second)| before == first.as_ref() && joiner == second.as_ref());
    let worded = cues.range_joiners.contains(joiner.as_ref());
    if !(tight || loose || pair || worded) {
        return None;
    }
    let second_at = if tight { spaced + 1 } else { cursor.past_space(spaced + 1) };
    let currency =
        cursor.lexicon.units.symbols.starting_at(cursor.text, cursor.tokens, second_at).filter(|f| f.meaning.before);
    let second_at = currency.as_ref().map_or(second_at, |f| cursor.past_space(f.next));
    if cursor.is_taken(second_at) || (cursor.is(second_at, TokenKind::Word) && !worded && !pair) {
        return None;
    }
    let second = number::read(cursor, second_at).filter(|w| !w.ordinal)?;
    let second = money_scale(cursor, second, currency.is_some() || quantity.dimension() == Some("currency"));
    let unit = unit_behind(cursor, second.next);
    let bare = quantity.unit.is_none() && unit.is_none() && !quantity.scaled && !second.scaled;
    if (loose || colon) && !bare {
        return None;
    }
    // "3.5% to 12%": the same unit again, and more of it. "5 days to 3 hours" are two.
    if worded
        && !pair
        && let Some(first) = &quantity.unit
    {
        let again = unit.as_ref().map(|(unit, _)| unit).or(currency.as_ref().map(|found| &found.meaning));
        if again.is_none_or(|again| again.id != first.id) || second.number.value <= quantity.number.value {
            return None;
        }
    }
    // "2–3 million": the scale governs both.
    if second.scaled && !quantity.scaled && second.number.value > quantity.number.value {
        let ratio = second.number.step;
        let times = largest_power(ratio);
        quantity.number =
            quantity.number.scaled(times).filter(|n| n.value < second.number.value).unwrap_or(quantity.number);
        quantity.scaled = true;
    }
    let (next, unit) = match unit {
        Some((unit, next)) => (next, Some(unit)),
        None => (second.next, currency.map(|f| f.meaning)),
    };
    quantity.unit = quantity.unit.take().or(unit);
    let ascending = quantity.number.value < second.number.value;
    quantity.form = if !colon && (ascending || !bare) { Form::Range } else { Form::Score };
    quantity.upper = Some(second.number);
    Some(next)
}

/// The greatest n with 10ⁿ ≤ `value`, rounded down to a multiple of three.
fn largest_power(value: Exact) -> u32 {
    value.to_integer().checked_ilog10().map_or(0, |n| n - n % 3)
}

/// The whole of "8 out of 10" and "one in five", and the token behind it: two whole numbers with nothing else to them, the
/// smaller first.
pub(super) fn whole_behind(cursor: &Cursor<'_>, part: &Written) -> Option<(Number, usize)> {
    let at = cursor.past_space(part.next);
    if at == part.next || part.scaled || part.ordinal || !cursor.is(at, TokenKind::Word) {
        return None;
    }
    let joiner = cursor.lexicon.numbers.share_words.starting_at(cursor.text, cursor.tokens, at)?;
    let second = cursor.past_space(joiner.next);
    if cursor.is_taken(second) {
        return None;
    }
    let whole =
        number::read(cursor, second).filter(|whole| !whole.ordinal && whole.whole.is_none() && !whole.contextual)?;
    let fits = part.number.value < whole.number.value
        && part.number.value.is_integer()
        && part.number.value > Exact::from_integer(0)
        && unit_behind(cursor, whole.next).is_none();
    fits.then_some((whole.number, whole.next))
}
