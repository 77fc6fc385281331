//! Figures in sentences of the corpus, where names, versions and dates stand beside them.

use crate::corpus::{Corpus, Passage, Sentence};
use crate::item::Item;
use crate::numbers::digit_runs;
use crate::random::Random;
use crate::tongues::ALL;

/// What one family makes of a sentence.
type Make = fn(&Sentence, &Passage, &mut Random) -> Option<String>;

/// Altered sentences.
pub const ALTERED: &[(&str, usize, Make)] = &[
    ("a digit changed in a sentence of the texts", 120, digit_changed),
    ("another unit in a sentence of the texts", 90, unit_changed),
    ("another bound in a sentence of the texts", 60, bound_changed),
    ("two figures of a sentence of the texts change places", 30, figures_swapped),
    ("another rate in a sentence of the texts", 60, rate_changed),
    ("working days for days in a sentence of the texts", 20, working_days),
    ("another currency in a sentence of the texts", 30, currency_changed),
];

/// Sentences that say the same.
pub const FAITHFUL: &[(&str, usize, Make)] = &[
    ("a sentence of the texts as it stands", 250, as_it_stands),
    ("a sentence of the texts with its figures in words", 80, in_words),
    ("a sentence of the texts with other spaces", 80, other_spaces),
];

/// All items of the families.
pub fn items(corpus: &Corpus, families: &[(&'static str, usize, Make)]) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for (family, wanted, make) in families {
        let mut order: Vec<(u64, &Sentence)> = corpus
            .sentences
            .iter()
            .filter(|s| s.text.contains(|c: char| c.is_ascii_digit()))
            .map(|s| (Random::of(&[family, &s.text]).next(), s))
            .collect();
        order.sort_by(|a, b| (a.0, &a.1.text).cmp(&(b.0, &b.1.text)));
        let mut made: Vec<Item> = Vec::new();
        for round in ["1", "2", "3"] {
            for (_, sentence) in &order {
                let passage = corpus.passage(sentence);
                let mut random = Random::of(&[family, round, &sentence.text]);
                let Some(claim) = make(sentence, passage, &mut random) else { continue };
                if made.len() == *wanted || made.iter().any(|known| known.claim == claim) {
                    continue;
                }
                let item = Item {
                    family,
                    language: passage.language.clone(),
                    claim,
                    cited: vec![passage.clone()],
                    others: Vec::new(),
                };
                made.push(item.with_company(corpus, &mut random));
            }
        }
        items.append(&mut made);
    }
    items
}

/// Per language names of units, with what they must not be taken for.
const UNITS: &[(&str, &[(&str, &str)])] = &[
    (
        "en",
        &[
            ("days", "months"),
            ("hours", "minutes"),
            ("minutes", "hours"),
            ("seconds", "minutes"),
            ("months", "weeks"),
            ("day", "week"),
            ("weeks", "months"),
            ("metres", "kilometres"),
        ],
    ),
    (
        "de",
        &[
            ("Tage", "Monate"),
            ("Tagen", "Monaten"),
            ("Stunden", "Minuten"),
            ("Minuten", "Stunden"),
            ("Sekunden", "Minuten"),
            ("Meter", "Kilometer"),
        ],
    ),
    (
        "fr",
        &[
            ("jours", "mois"),
            ("heures", "minutes"),
            ("minutes", "heures"),
            ("secondes", "minutes"),
            ("Mo", "Go"),
            ("mètres", "kilomètres"),
        ],
    ),
    (
        "es",
        &[
            ("días", "meses"),
            ("horas", "minutos"),
            ("minutos", "horas"),
            ("segundos", "minutos"),
            ("metros", "kilómetros"),
        ],
    ),
    ("it", &[("giorni", "mesi"), ("ore", "minuti"), ("secondi", "minuti"), ("metri", "chilometri")]),
    ("pt", &[("dias", "meses"), ("horas", "minutos"), ("segundos", "minutos"), ("metros", "quilómetros")]),
    ("nl", &[("dagen", "maanden"), ("uur", "minuten"), ("seconden", "minuten"), ("meter", "kilometer")]),
    ("", &[("MB", "GB"), ("GB", "TB"), ("%", "‰"), ("°C", "°F")]),
];

/// What the name of a unit may be changed to.
fn other_units(name: &str, language: &str) -> Vec<&'static str> {
    let known = UNITS.iter().filter(|(of, _)| of.is_empty() || *of == language).flat_map(|(_, units)| units.iter());
    known.filter(|(unit, _)| *unit == name).map(|(_, other)| *other).collect()
}

const BOUNDS: &[(&str, &str)] = &[
    ("up to", "at least"),
    ("at most", "at least"),
    ("at least", "at most"),
    ("no later than", "no earlier than"),
    ("more than", "less than"),
    ("a minimum of", "a maximum of"),
    ("bis zu", "mindestens"),
    ("höchstens", "mindestens"),
    ("mindestens", "höchstens"),
    ("spätestens", "frühestens"),
    ("au maximum", "au minimum"),
    ("jusqu’à", "au moins"),
    ("au moins", "au plus"),
    ("au minimum", "au maximum"),
    ("al menos", "como máximo"),
    ("hasta", "al menos"),
    ("como máximo", "como mínimo"),
    ("más de", "menos de"),
    ("plus de", "moins de"),
    ("più di", "meno di"),
    ("mais de", "menos de"),
    ("langer dan", "korter dan"),
];

/// Marks of a year, a version or a name: what other checks look at.
const NOT_FIGURES: [&str; 18] = [
    "20", "19", "SAML", "TLS", "AES", "API", "BD-", "v1", "v2", "1er", "http", "ISO", "UTF", "rules/", "[0", "::",
    "SPEC", "RFC",
];

/// Where plain figures stand: digits with nothing on them but signs of money, percent and grouping.
fn figures(sentence: &Sentence) -> Vec<usize> {
    let is_figure = |word: &str| {
        let word = word.trim_end_matches(['.', ',', ';', ':', ')']);
        word.contains(|c: char| c.is_ascii_digit())
            && word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '€' | '$' | '£'))
            && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '€' | '$' | '£' | '%' | '.' | ','))
            && !word.ends_with(['.', ','])
    };
    (0..sentence.words.len()).filter(|at| is_figure(&sentence.words[*at])).collect()
}

/// Only sentences whose figures are what they look like.
fn is_plain(sentence: &Sentence) -> bool {
    sentence.space == " " && !NOT_FIGURES.iter().any(|sign| sentence.text.contains(sign))
}

/// Whether a unit, percent or currency stands at the figure, so that it is one.
fn is_measured(sentence: &Sentence, language: &str, at: usize) -> bool {
    let bare = |word: &str| word.trim_end_matches(['.', ',', ';', ')']).to_owned();
    let word = &sentence.words[at];
    let next = sentence.words.get(at + 1).map(|word| bare(word)).unwrap_or_default();
    word.contains(['€', '$', '%']) || next == "€" || !other_units(&next, language).is_empty()
}

fn digit_changed(sentence: &Sentence, passage: &Passage, random: &mut Random) -> Option<String> {
    if !is_plain(sentence) {
        return None;
    }
    let at = *random.any(&figures(sentence))?;
    let word = &sentence.words[at];
    let places: Vec<usize> = word.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
    let place = *random.any(&places)?;
    let digit = char::from(b'1' + u8::try_from(random.below(9)).ok()?);
    let new = format!("{}{digit}{}", &word[..place], &word[place + 1..]);
    let known = digit_runs(&passage.content);
    let is_new = digit_runs(&new) != digit_runs(word) && !digit_runs(&new).iter().all(|run| known.contains(run));
    let mut words = sentence.words.clone();
    words[at] = new;
    is_new.then(|| words.join(" "))
}

fn unit_changed(sentence: &Sentence, passage: &Passage, random: &mut Random) -> Option<String> {
    let at = *random.any(&figures(sentence))?;
    let next = sentence.words.get(at + 1)?;
    let name = next.trim_end_matches(['.', ',', ';', ')']);
    let new = *random.any(&other_units(name, &passage.language))?;
    let stands = passage.content.contains(&format!("{} {new}", sentence.words[at]));
    let mut words = sentence.words.clone();
    words[at + 1] = next.replacen(name, new, 1);
    (is_plain(sentence) && !stands).then(|| words.join(" "))
}

fn bound_changed(sentence: &Sentence, _: &Passage, random: &mut Random) -> Option<String> {
    let found: Vec<_> = BOUNDS
        .iter()
        .filter(|(bound, _)| {
            let behind = sentence.text.split_once(&format!(" {bound} ")).map(|(_, behind)| behind);
            behind.is_some_and(|behind| behind.starts_with(|c: char| c.is_ascii_digit()))
        })
        .collect();
    let (old, new) = random.any(&found)?;
    is_plain(sentence).then(|| sentence.text.replacen(&format!(" {old} "), &format!(" {new} "), 1))
}

/// What a figure is counted by.
const RATES: &[(&str, &str)] = &[
    ("per month", "per year"),
    ("per month", "per week"),
    ("per minute", "per hour"),
    ("per minute", "per second"),
    ("per second", "per minute"),
    ("pro Agent und Monat", "pro Agent und Jahr"),
    ("pro Block und Monat", "pro Block und Jahr"),
    ("pro Minute", "pro Stunde"),
    ("pro Minute", "pro Sekunde"),
    ("par mois", "par an"),
    ("par mois", "par jour"),
    ("par minute", "par heure"),
    ("par minute", "par seconde"),
    ("al mes", "al año"),
    ("al mes", "al día"),
];

fn rate_changed(sentence: &Sentence, passage: &Passage, random: &mut Random) -> Option<String> {
    replaced(sentence, passage, random, RATES)
}

const WORKING_DAYS: &[(&str, &str)] = &[
    ("business days", "days"),
    ("business hours", "hours"),
    ("business days", "calendar days"),
    ("Werktagen", "Tagen"),
    ("Werktagen", "Kalendertagen"),
    ("jours ouvrés", "jours"),
    ("jours ouvrés", "mois"),
    ("días hábiles", "días"),
    ("días hábiles", "meses"),
];

fn working_days(sentence: &Sentence, passage: &Passage, random: &mut Random) -> Option<String> {
    let pairs: Vec<_> = WORKING_DAYS
        .iter()
        .filter(|(old, _)| {
            let before = sentence.text.split_once(old).map(|(before, _)| before.trim_end());
            before.is_some_and(|before| before.ends_with(|c: char| c.is_ascii_digit()))
        })
        .copied()
        .collect();
    replaced(sentence, passage, random, &pairs)
}

/// One phrase for another. What comes out stands nowhere in the passage.
fn replaced(sentence: &Sentence, passage: &Passage, random: &mut Random, pairs: &[(&str, &str)]) -> Option<String> {
    let found: Vec<_> = pairs.iter().filter(|(old, _)| sentence.text.contains(old)).collect();
    let (old, new) = random.any(&found)?;
    let has_figure = !figures(sentence).is_empty();
    let is_new = old.contains(new) || !passage.content.contains(new);
    (has_figure && is_new).then(|| sentence.text.replacen(old, new, 1))
}

fn figures_swapped(sentence: &Sentence, passage: &Passage, random: &mut Random) -> Option<String> {
    let figures: Vec<usize> =
        figures(sentence).into_iter().filter(|at| is_measured(sentence, &passage.language, *at)).collect();
    let (a, b) = (*figures.first()?, *figures.get(1)?);
    let unit = |at: usize| sentence.words.get(at + 1).map(|word| word.trim_end_matches(['.', ',', ';']));
    let _ = random;
    let digits = |at: usize| digit_runs(&sentence.words[at]).concat();
    let (x, y) = (digits(a), digits(b));
    if x == y || unit(a) == unit(b) || !is_plain(sentence) {
        return None;
    }
    let mut words = sentence.words.clone();
    words[a] = words[a].replacen(&x, &y, 1);
    words[b] = words[b].replacen(&y, &x, 1);
    (words != sentence.words).then(|| words.join(" "))
}

fn currency_changed(sentence: &Sentence, _: &Passage, random: &mut Random) -> Option<String> {
    let other = random.word(&["£", "¥", "CHF "]);
    let sign = if sentence.text.contains('€') { "€" } else { "$" };
    sentence.text.contains(sign).then(|| sentence.text.replace(sign, other).replace("  ", " ").replace("CHF .", "CHF."))
}

fn as_it_stands(sentence: &Sentence, passage: &Passage, _: &mut Random) -> Option<String> {
    let is_measured = |at: &usize| is_measured(sentence, &passage.language, *at);
    figures(sentence).iter().any(is_measured).then(|| sentence.text.clone())
}

fn in_words(sentence: &Sentence, passage: &Passage, random: &mut Random) -> Option<String> {
    let tongue = ALL.iter().find(|tongue| tongue.language == passage.language)?;
    let figures: Vec<usize> =
        figures(sentence).into_iter().filter(|at| is_measured(sentence, &passage.language, *at)).collect();
    let at = *random.any(&figures)?;
    let n: u32 = sentence.words[at].parse().ok().filter(|n| (2..1_000).contains(n) && n % 10 != 1)?;
    // Hundreds agree with the noun in two of the languages; hours and weeks are feminine there.
    if matches!(tongue.language, "es" | "pt") && n >= 200 {
        return None;
    }
    let mut words = sentence.words.clone();
    words[at] = (tongue.words)(n);
    is_plain(sentence).then(|| words.join(" "))
}

fn other_spaces(sentence: &Sentence, passage: &Passage, random: &mut Random) -> Option<String> {
    let figures: Vec<usize> =
        figures(sentence).into_iter().filter(|at| is_measured(sentence, &passage.language, *at)).collect();
    let at = *random.any(&figures)?;
    let space = random.word(&["\u{a0}", "\u{202f}", "\u{2009}", "  "]);
    let (before, behind) = (sentence.words[..=at].join(" "), sentence.words.get(at + 1..)?.join(" "));
    (!behind.is_empty() && sentence.space == " ").then(|| format!("{before}{space}{behind}"))
}
