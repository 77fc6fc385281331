//! Quotations that mark what they leave out or put in, and still say something else.

use crate::corpus::{Sentence, bare, occurrences};
use crate::quotes::{Family, Made, Make, Work};
use crate::quotes_altered::{core, place, renumbered, with_core, words};
use crate::random::Random;

const ELLIPSES: [&str; 7] = [" … ", " ... ", " [...] ", " […] ", "… ", " (…) ", " . . . "];

/// Each sees to it itself that what it makes is altered.
const fn family(name: &'static str, wanted: usize, make: Make) -> Family {
    Family { name, wanted, make, holds: |_, _| true }
}

pub const FAMILIES: &[Family] = &[
    family("an ellipsis drops a negation", 60, ellipsis_negation),
    family("an ellipsis drops a hedge", 60, ellipsis_hedge),
    family("an ellipsis drops an exception or condition", 40, ellipsis_exception),
    family("an ellipsis over far parts", 30, ellipsis_far),
    family("an ellipsis with its parts out of order", 40, ellipsis_order),
    family("an ellipsis with a changed part", 40, ellipsis_changed),
    family("an ellipsis joins two passages", 30, ellipsis_two_passages),
    family("an ellipsis drops a negation behind a bracket", 30, ellipsis_and_bracket),
    family("a bracket puts in a negation", 40, bracket_negation),
    family("a bracket changes a number", 30, bracket_number),
    family("a bracket takes the place of a negation", 30, bracket_denial),
    family("a bracket takes the place of a hedge", 30, bracket_hedge),
    family("brackets around changed words", 30, bracket_changed),
];

/// The quotation before and behind what the ellipsis stands for. Both parts stand in the passage once, so that nothing else
/// can be meant.
fn elided(work: &Work<'_>, random: &mut Random, before: &str, behind: &str) -> Option<Made> {
    let long_enough = |part: &str| bare(part).len() >= 2;
    let once = |part: &str| occurrences(part, work.content) == 1;
    if !long_enough(before) || !long_enough(behind) || !once(before) || !once(behind) {
        return None;
    }
    let ellipsis = random.pick(&ELLIPSES);
    let before = before.trim_end_matches([',', ';', ' ']);
    Some(format!("{before}{ellipsis}{behind}").into())
}

fn ellipsis_over(work: &Work<'_>, random: &mut Random, cues: &[&str]) -> Option<Made> {
    let at = place(work, random, |word| work.cues.is(cues, word))?;
    let words = work.sentence.words.len();
    let from = at.saturating_sub(random.below(5)).max(2);
    let to = (at + 1 + random.below(5)).min(words.saturating_sub(2));
    if from > at || to <= at || to >= words {
        return None;
    }
    let begin = from.saturating_sub(random.between(3, 9));
    let end = (to + random.between(3, 9)).min(words);
    let (before, behind) = (work.sentence.stretch(begin, from), work.sentence.stretch(to, end));
    elided(work, random, &before, &behind)
}

fn ellipsis_negation(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    ellipsis_over(work, random, work.cues.negations)
}

fn ellipsis_hedge(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    // "however often" hedges nothing.
    if work.sentence.text.contains("however often") {
        return None;
    }
    ellipsis_over(work, random, work.cues.hedges)
}

fn ellipsis_exception(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    ellipsis_over(work, random, work.cues.exceptions)
}

/// Parts of one text that are further apart than anybody takes for one statement.
fn ellipsis_far(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    const FAR: usize = 1_500;
    let elsewhere = work.corpus.elsewhere(work.sentence);
    let mut passage = work.sentence.text.clone();
    let mut last = work.sentence;
    while passage.len() < work.sentence.text.len() + FAR {
        last = random.any(&elsewhere)?;
        if passage.contains(&last.text) {
            return None;
        }
        passage.push_str(work.sentence.space);
        passage.push_str(&last.text);
    }
    let middle = &passage[work.sentence.text.len()..passage.len() - last.text.len()];
    let (a, b) = (work.sentence.words.len() / 2, last.words.len() / 2);
    let (before, behind) =
        (work.sentence.stretch(0, a.max(3)), last.stretch(b.min(last.words.len() - 3), last.words.len()));
    let once = occurrences(&before, &passage) == 1 && occurrences(&behind, &passage) == 1;
    let quote = format!("{before}{}{behind}", random.pick(&ELLIPSES));
    (middle.len() > FAR / 2 && once).then(|| Made::on(quote, passage))
}

fn ellipsis_order(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let words = work.sentence.words.len();
    if words < 8 {
        return None;
    }
    let middle = words / 2;
    let behind = work.sentence.stretch(0, random.between(3, middle));
    let before = work.sentence.stretch(middle + 1, words);
    elided(work, random, before.trim_end_matches('.'), &behind)
}

fn ellipsis_changed(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let words = &work.sentence.words;
    if words.len() < 10 {
        return None;
    }
    let cut = random.between(4, words.len() - 5);
    let mut behind = words[cut + 1..].to_vec();
    let before = work.sentence.stretch(0, cut);
    let at = random.between(1, behind.len() - 2);
    let beside = work.corpus.elsewhere(work.sentence);
    let new = core(&a_word(&beside, random)?).to_owned();
    if new.is_empty() || core(&behind[at]).is_empty() {
        return None;
    }
    behind[at] = with_core(&behind[at], &new);
    let behind = work.join(&behind);
    let quote = format!("{before}{}{behind}", random.pick(&ELLIPSES));
    (occurrences(&behind, work.content) == 0).then(|| quote.into())
}

fn a_word(sentences: &[&Sentence], random: &mut Random) -> Option<String> {
    let sentence = random.any(sentences)?;
    random.any(&sentence.words).cloned()
}

fn ellipsis_two_passages(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let elsewhere = work.corpus.elsewhere(work.sentence);
    let other = random.any(&elsewhere)?;
    let cut = (work.sentence.words.len() / 2).max(3);
    let before = work.sentence.stretch(0, cut);
    let behind = other.stretch(other.words.len() / 2, other.words.len());
    let quote = format!("{before}{}{behind}", random.pick(&ELLIPSES));
    let made = Made { beside: vec![work.corpus.passage(other).clone()], ..Made::from(quote) };
    (bare(&behind).len() >= 3 && occurrences(&behind, work.content) == 0).then_some(made)
}

/// "Refunds are [not] paid".
fn bracket_negation(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let (auxiliary, denied) = random.pick(work.cues.denials);
    let at = place(work, random, |word| word == *auxiliary)?;
    let added = denied.strip_prefix(*auxiliary)?.strip_prefix(' ')?;
    let (from, to) = work.around(random, at, 3);
    let mut words = words(work, (from, to));
    words.insert(at - from + 1, format!("[{added}]"));
    Some(work.join(&words).into())
}

/// "within [60] days" where the passage says 30.
fn bracket_number(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let at = place(work, random, |word| word.chars().all(|c| c.is_ascii_digit()))?;
    let (from, to) = work.around(random, at, 3);
    let mut words = words(work, (from, to));
    let new = renumbered(&words[at - from], random)?;
    words[at - from] = format!("[{new}]");
    Some(work.join(&words).into())
}

/// "are [always] refunded" where the passage says "are not refunded".
fn bracket_denial(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    bracket_for(work, random, work.cues.negations)
}

/// "are [always] refunded" where the passage says "are usually refunded".
fn bracket_hedge(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    bracket_for(work, random, work.cues.hedges)
}

fn bracket_for(work: &Work<'_>, random: &mut Random, cues: &[&str]) -> Option<Made> {
    let at = place(work, random, |word| work.cues.is(cues, word))?;
    let (from, to) = work.around(random, at, 3);
    let mut words = words(work, (from, to));
    words[at - from] = format!("[{}]", work.cues.added[0]);
    (at > from && at + 1 < to).then(|| work.join(&words).into())
}

/// A capital in brackets does not excuse another word.
fn bracket_changed(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let (from, to) = work.stretch(random, 6, 14);
    let mut words = words(work, (from, to));
    let first = words[0].chars().next().filter(|c| c.is_alphabetic())?;
    words[0] = words[0].replacen(first, &format!("[{}]", first.to_uppercase()), 1);
    let at = random.between(2, words.len() - 2);
    let elsewhere = work.corpus.elsewhere(work.sentence);
    let new = core(&a_word(&elsewhere, random)?).to_owned();
    if new.is_empty() || core(&words[at]).is_empty() {
        return None;
    }
    words[at] = with_core(&words[at], &new);
    let rest = work.join(&words[1..]);
    (occurrences(&rest, work.content) == 0).then(|| work.join(&words).into())
}

/// "[M]onthly subscriptions are […] refundable".
fn ellipsis_and_bracket(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let made = ellipsis_negation(work, random)?;
    let first = made.quote.chars().next().filter(|c| c.is_lowercase())?;
    let rest = &made.quote[first.len_utf8()..];
    Some(format!("[{}]{rest}", first.to_uppercase()).into())
}
