//! Altered and fabricated quotations. Each is held to be altered by the benchmark itself: the words that result do not stand
//! in the cited passage one behind the other.

use crate::corpus::{bare, occurrences};
use crate::quotes::{Family, Made, Make, Work};
use crate::random::Random;

const fn family(name: &'static str, wanted: usize, make: Make) -> Family {
    Family { name, wanted, make, holds: words_are_altered }
}

/// For families that see to it themselves.
const fn checked(name: &'static str, wanted: usize, make: Make) -> Family {
    Family { name, wanted, make, holds: |_, _| true }
}

pub const FAMILIES: &[Family] = &[
    family("a word replaced by another of the passage", 60, word_replaced),
    family("a word dropped", 60, word_dropped),
    family("a word added", 50, word_added),
    family("two neighbours swapped", 40, neighbours_swapped),
    family("two distant words swapped", 30, words_swapped),
    family("a negation added", 50, negation_added),
    family("a negation removed", 50, negation_removed),
    family("a hedge removed", 40, hedge_removed),
    family("a word turned into its opposite", 50, opposite),
    family("a number changed", 50, number_changed),
    checked("a sign or separator of a number changed", 30, number_sign_changed),
    family("singular and plural", 30, plural),
    family("letters changed inside a word", 40, letters_changed),
    family("a name replaced", 30, name_replaced),
    family("halves of two sentences joined", 40, halves_joined),
    family("a clause left out unmarked", 40, clause_left_out),
    family("clauses swapped", 30, clauses_swapped),
    family("made of words of another passage", 40, fabricated),
    family("a short quotation with one word replaced", 40, short_replaced),
    family("a long quotation with one word changed", 40, long_changed),
    family("one of two quotations altered", 40, one_of_two),
    family("a word replaced, the passage in other dress", 50, dressed),
    family("an emphasised negation removed", 30, emphasised_negation),
    family("true, but of another passage than the cited one", 50, other_passage),
];

fn words_are_altered(work: &Work<'_>, made: &Made) -> bool {
    let passage = made.passage.as_deref().unwrap_or(work.content);
    bare(&made.quote).len() >= 3 && occurrences(&made.quote, passage) == 0
}

/// A copy of the words of a stretch.
pub fn words(work: &Work<'_>, (from, to): (usize, usize)) -> Vec<String> {
    work.sentence.words[from..to].to_vec()
}

/// The word without the signs around it.
pub fn core(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The word with another one inside its signs.
pub fn with_core(word: &str, new: &str) -> String {
    match core(word) {
        "" => new.to_owned(),
        old => word.replacen(old, new, 1),
    }
}

fn inner(random: &mut Random, words: &[String]) -> Option<usize> {
    (words.len() >= 4).then(|| random.between(1, words.len() - 2))
}

fn word_replaced(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let stretch = work.stretch(random, 5, 18);
    replaced(work, random, stretch)
}

fn short_replaced(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let stretch = work.stretch(random, 4, 4);
    if work.cues.language == "ja" {
        return None;
    }
    replaced(work, random, stretch)
}

fn replaced(work: &Work<'_>, random: &mut Random, stretch: (usize, usize)) -> Option<Made> {
    let mut words = words(work, stretch);
    let at = inner(random, &words)?;
    let pool: Vec<&String> =
        work.corpus.sentences.iter().filter(|s| s.passage == work.sentence.passage).flat_map(|s| &s.words).collect();
    let new = core(random.pick(&pool).as_str()).to_owned();
    if new.is_empty() || core(&words[at]).is_empty() {
        return None;
    }
    words[at] = with_core(&words[at], &new);
    Some(work.join(&words).into())
}

fn word_dropped(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let mut words = words(work, work.stretch(random, 5, 16));
    let at = inner(random, &words)?;
    words.remove(at);
    Some(work.join(&words).into())
}

fn word_added(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let mut words = words(work, work.stretch(random, 4, 14));
    let at = inner(random, &words)?;
    words.insert(at, (*random.pick(work.cues.added)).to_owned());
    Some(work.join(&words).into())
}

fn neighbours_swapped(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let mut words = words(work, work.stretch(random, 5, 14));
    let at = inner(random, &words)?;
    words.swap(at, at + 1);
    Some(work.join(&words).into())
}

fn words_swapped(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let mut words = words(work, work.stretch(random, 7, 16));
    let (a, b) = (inner(random, &words)?, inner(random, &words)?);
    words.swap(a, b);
    (a.abs_diff(b) > 1).then(|| work.join(&words).into())
}

/// The places of the words that fit, and one of them.
pub fn place(work: &Work<'_>, random: &mut Random, fits: impl Fn(&str) -> bool) -> Option<usize> {
    let places: Vec<usize> = (0..work.sentence.words.len()).filter(|at| fits(&work.sentence.words[*at])).collect();
    random.any(&places).copied()
}

/// One of the words of `pairs` in the sentence exchanged for its partner. A pair may be of several words.
fn exchanged(work: &Work<'_>, random: &mut Random, pairs: &[(&str, &str)]) -> Option<Made> {
    let (from, to) = random.pick(pairs);
    if work.cues.language == "ja" {
        let text = &work.sentence.text;
        return text.contains(from).then(|| text.replacen(from, to, 1).into());
    }
    let parts: Vec<&str> = from.split(' ').collect();
    let words = &work.sentence.words;
    let at = (0..words.len()).find(|at| {
        parts
            .iter()
            .enumerate()
            .all(|(i, part)| words.get(at + i).is_some_and(|word| core(word).replace('’', "'") == *part))
    })?;
    let (begin, end) = work.around(random, at, 3);
    let end = end.max(at + parts.len());
    let mut changed = words[begin..at].to_vec();
    let last = &words[at + parts.len() - 1];
    if !to.is_empty() {
        changed.push(if parts.len() == 1 { with_core(last, to) } else { (*to).to_owned() });
    }
    changed.extend_from_slice(&words[at + parts.len()..end]);
    Some(work.join(&changed).into())
}

fn negation_added(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    exchanged(work, random, work.cues.denials)
}

fn negation_removed(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    exchanged(work, random, work.cues.affirmations)
}

fn opposite(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    exchanged(work, random, work.cues.opposites)
}

fn hedge_removed(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let at = place(work, random, |word| work.cues.is(work.cues.hedges, word))?;
    let (from, to) = work.around(random, at, 3);
    let mut words = words(work, (from, to));
    words.remove(at - from);
    Some(work.join(&words).into())
}

fn digits_of(word: &str) -> Option<(usize, usize)> {
    let start = word.find(|c: char| c.is_ascii_digit())?;
    let end = word[start..].find(|c: char| !c.is_ascii_digit()).map_or(word.len(), |end| start + end);
    Some((start, end))
}

/// A word with a number, with the number changed.
pub fn renumbered(word: &str, random: &mut Random) -> Option<String> {
    let (start, end) = digits_of(word)?;
    let old: usize = word[start..end].parse().ok()?;
    let new = *random.pick(&[old + 1, old * 2, old * 10, old + 10, old.saturating_sub(1), old / 2]);
    (new != old).then(|| format!("{}{new}{}", &word[..start], &word[end..]))
}

fn number_changed(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let at = place(work, random, |word| digits_of(word).is_some())?;
    let (from, to) = work.around(random, at, 3);
    let mut words = words(work, (from, to));
    words[at - from] = renumbered(&words[at - from], random)?;
    Some(work.join(&words).into())
}

/// Only a sign next to the digits changes: 99.9 and 999, €59 and $59, 40% and 40.
fn number_sign_changed(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let changes = [("€", "$"), ("$", "€"), ("%", "‰"), (".", ""), (",", "."), ("°C", "°F"), ("€", "£"), (",", "")];
    let (old, new) = *random.pick(&changes);
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let at = place(work, random, |word| match word.split_once(old) {
        None => false,
        Some((before, behind)) if matches!(old, "." | ",") => {
            is_digit(before.chars().next_back()) && is_digit(behind.chars().next())
        }
        Some(_) => digits_of(word).is_some() || !word.contains(char::is_alphanumeric) || old == "°C",
    })?;
    let (from, to) = work.around(random, at, 3);
    let mut words = words(work, (from, to));
    words[at - from] = words[at - from].replacen(old, new, 1);
    let quote = work.join(&words);
    let flat = work.content.split_whitespace().collect::<Vec<_>>().join(" ");
    (!flat.contains(&quote)).then(|| quote.into())
}

fn plural(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    if !matches!(work.cues.language, "en" | "fr" | "es" | "pt") {
        return None;
    }
    let at = place(work, random, |word| core(word).chars().count() > 4 && core(word).chars().all(char::is_lowercase))?;
    let (from, to) = work.around(random, at, 3);
    let mut words = words(work, (from, to));
    let word = core(&words[at - from]).to_owned();
    let new = word.strip_suffix('s').map_or_else(|| format!("{word}s"), str::to_owned);
    words[at - from] = with_core(&words[at - from], &new);
    Some(work.join(&words).into())
}

fn letters_changed(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let at = place(work, random, |word| core(word).chars().count() > 4 && core(word).chars().all(char::is_alphabetic))?;
    let (from, to) = work.around(random, at, 4);
    let mut words = words(work, (from, to));
    let mut letters: Vec<char> = core(&words[at - from]).chars().collect();
    let place = random.between(1, letters.len() - 2);
    match random.below(3) {
        0 => letters.swap(place, place + 1),
        1 => drop(letters.remove(place)),
        _ => letters[place] = *random.pick(&['a', 'e', 'o', 'n', 'r', 't']),
    }
    let new: String = letters.into_iter().collect();
    words[at - from] = with_core(&words[at - from], &new);
    Some(work.join(&words).into())
}

fn name_replaced(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    if work.cues.language == "de" {
        return None;
    }
    let is_name = |word: &str| core(word).chars().next().is_some_and(char::is_uppercase);
    let places: Vec<usize> = (1..work.sentence.words.len()).filter(|at| is_name(&work.sentence.words[*at])).collect();
    let at = *random.any(&places)?;
    let pool: Vec<&String> = work
        .corpus
        .elsewhere(work.sentence)
        .into_iter()
        .flat_map(|s| s.words.iter().skip(1))
        .filter(|word| is_name(word))
        .collect();
    let (from, to) = work.around(random, at, 3);
    let mut words = words(work, (from, to));
    words[at - from] = with_core(&words[at - from], core(random.any(&pool)?));
    Some(work.join(&words).into())
}

fn halves_joined(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let beside = work.corpus.beside(work.sentence);
    let other = random.any(&beside)?;
    let (a, b) = (work.sentence.words.len() / 2, other.words.len() / 2);
    let quote =
        format!("{}{}{}", work.sentence.stretch(0, a), work.sentence.space, other.stretch(b, other.words.len()));
    Some(quote.into())
}

/// Three words or more are left out without a sign.
fn clause_left_out(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let words = &work.sentence.words;
    if words.len() < 10 {
        return None;
    }
    let a = random.between(3, words.len() - 6);
    let b = random.between(a + 3, words.len() - 3);
    let quote = [&words[..a], &words[b..]].concat();
    Some(work.join(&quote).into())
}

fn clauses_swapped(work: &Work<'_>, _: &mut Random) -> Option<Made> {
    let text = work.sentence.text.trim_end_matches(['.', '。']);
    let sign = if work.cues.language == "ja" { '、' } else { ',' };
    let (first, second) = text.split_once(sign)?;
    let joint = if work.cues.language == "ja" { "、" } else { ", " };
    (first.split(' ').count() >= 2 || work.cues.language == "ja")
        .then(|| format!("{}{joint}{}", second.trim(), first.trim()).into())
}

/// Words of another passage in a new order, with some of the cited one.
fn fabricated(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let elsewhere = work.corpus.elsewhere(work.sentence);
    let other = random.any(&elsewhere)?;
    let (mut a, mut b) = (0, 0);
    let mut words: Vec<String> = Vec::new();
    while words.len() < 12 && a + 2 <= work.sentence.words.len() && b + 2 <= other.words.len() {
        words.extend_from_slice(&work.sentence.words[a..a + 2]);
        words.extend_from_slice(&other.words[b..b + 2]);
        a += random.between(2, 4);
        b += random.between(2, 4);
    }
    (words.len() >= 4).then(|| work.join(&words).into())
}

/// Two or three sentences in a row, with one word of the middle changed.
fn long_changed(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let text = work.content.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = text.find(&work.sentence.text)?;
    let mut words: Vec<String> = text[start..].split(' ').take(random.between(40, 70)).map(str::to_owned).collect();
    let marks = ['"', '“', '”', '«', '»', '‘', '[', '…'];
    if words.len() < 25 || words.iter().any(|word| word.contains(marks)) {
        return None;
    }
    let at = random.between(8, words.len() - 8);
    let pool = &work.sentence.words;
    words[at] = with_core(&words[at], core(random.pick(pool).as_str()));
    Some(work.join(&words).into())
}

fn other_passage(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let elsewhere = work.corpus.elsewhere(work.sentence);
    let other = random.any(&elsewhere)?;
    let content = work.corpus.passage(other).clone();
    let from = random.below(other.words.len() / 2);
    let quote = other.stretch(from, other.words.len());
    Some(Made { beside: vec![content], ..Made::from(quote) })
}

/// A true quotation of another passage that the claim cites too vouches for nothing.
fn one_of_two(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let made = match random.below(3) {
        0 => word_replaced(work, random),
        1 => word_dropped(work, random),
        _ => negation_added(work, random),
    }?;
    let elsewhere = work.corpus.elsewhere(work.sentence);
    let other = random.any(&elsewhere)?;
    let passage = work.corpus.passage(other).clone();
    let is_there = occurrences(&made.quote, &passage.content) > 0;
    (!is_there).then(|| Made { second: Some((other.text.clone(), passage)), ..made })
}

/// Line breaks, hyphenation, emphasis and soft hyphens excuse no other word.
fn dressed(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let made = match random.below(3) {
        0 => word_replaced(work, random),
        1 => word_dropped(work, random),
        _ => number_changed(work, random),
    }?;
    let passage = crate::quotes_faithful::in_other_dress(work, random);
    (work.cues.language != "ja").then_some(Made { passage: Some(passage), ..made })
}

/// "are **not** refundable" is not "are refundable".
fn emphasised_negation(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let at = place(work, random, |word| work.cues.is(work.cues.negations, word))?;
    let (from, to) = work.around(random, at, 3);
    let mut kept = words(work, (from, to));
    let negation = kept.remove(at - from);
    let signs = random.pick(&["**", "*", "_", "`", "__"]);
    let term = core(&negation);
    let emphasised = negation.replacen(term, &format!("{signs}{term}{signs}"), 1);
    let words = &work.sentence.words;
    let sentence = [&words[..at], &[emphasised], &words[at + 1..]].concat();
    let flat = work.content.split_whitespace().collect::<Vec<_>>().join(" ");
    let passage = flat.replacen(&work.sentence.text, &work.join(&sentence), 1);
    let spaced = work.cues.language != "ja" && at > from && at + 1 < to && occurrences(&work.join(&kept), &flat) == 0;
    spaced.then(|| Made::on(work.join(&kept), passage))
}
