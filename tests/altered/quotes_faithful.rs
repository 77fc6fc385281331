//! Faithful quotations in all the dress that products, people and converters of documents give them.

use unicode_normalization::UnicodeNormalization;

use crate::corpus::{bare, occurrences, without_markup};
use crate::quotes::{Family, Made, Make, Work};
use crate::random::Random;

const fn family(name: &'static str, wanted: usize, make: Make) -> Family {
    Family { name, wanted, make, holds: words_are_kept }
}

/// For families with an ellipsis or brackets, which see to it themselves.
const fn checked(name: &'static str, wanted: usize, make: Make) -> Family {
    Family { name, wanted, make, holds: |_, _| true }
}

pub const FAMILIES: &[Family] = &[
    family("word for word, a whole sentence", 150, whole),
    family("word for word, a part of a sentence", 200, part),
    family("three or four words", 80, short),
    family("two or more sentences", 100, long),
    family("every pair of quotation marks", 200, every_marks),
    family("straight and curly apostrophes", 80, apostrophes),
    family("dashes of all kinds", 100, dashes),
    family("no-break, thin and double spaces", 120, spaces),
    family("soft hyphens and invisible characters", 100, invisible),
    family("ligatures", 80, ligatures),
    family("composed and decomposed letters", 100, decomposed),
    family("full-width and compatibility characters", 50, compatibility),
    family("line breaks in the passage", 120, line_breaks),
    family("words hyphenated at line ends", 120, hyphenated),
    family("upper and lower case at the beginning", 80, first_letter),
    family("the quoter's punctuation at the end", 120, punctuation),
    family("quotation marks inside the quotation", 120, nested),
    family("emphasis and code in the passage", 120, emphasis),
    family("links in the passage", 60, links),
    family("lists and block quotes in the passage", 60, blocks),
    family("several of these at once", 120, several),
    family("two quotations of two cited passages", 60, two_of_two),
    checked("an ellipsis in the middle", 250, ellipsis_middle),
    checked("an ellipsis over the end of a sentence", 80, ellipsis_sentences),
    checked("an ellipsis at the beginning", 80, ellipsis_start),
    checked("an ellipsis at the end", 80, ellipsis_end),
    checked("two ellipses", 80, ellipsis_two),
    checked("a letter in brackets: [T]he", 120, bracket_letter),
    checked("a pronoun explained in brackets", 100, bracket_pronoun),
    checked("a word put in beside a pronoun", 60, bracket_beside),
    checked("[sic] and notes of the quoter", 80, bracket_note),
    checked("brackets and an ellipsis", 80, bracket_and_ellipsis),
];

fn words_are_kept(work: &Work<'_>, made: &Made) -> bool {
    // The passage may be in a dress in which its words cannot be compared; then the plain one counts.
    let kept = |passage: &str| occurrences(&made.quote, passage) > 0;
    bare(&made.quote).len() >= 3 && (kept(work.content) || made.passage.as_deref().is_some_and(kept))
}

/// A stretch long enough to be read as a quotation.
fn stretch(work: &Work<'_>, random: &mut Random) -> String {
    let (from, to) = if random.once_in(3) { (0, work.sentence.words.len()) } else { work.stretch(random, 5, 18) };
    work.sentence.stretch(from, to).trim_end_matches([',', ';', ':', '、', '(']).to_owned()
}

/// The passage with single spaces, so that a change can be made where the sentence stands.
fn flat(work: &Work<'_>) -> String {
    work.content.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn whole(work: &Work<'_>, _: &mut Random) -> Option<Made> {
    Some(work.sentence.text.clone().into())
}

fn part(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let (from, to) = work.stretch(random, 5, 16);
    Some(work.sentence.stretch(from, to).into())
}

fn short(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let (from, to) = work.stretch(random, 3, 4);
    let quote = work.sentence.stretch(from, to);
    // Words that all begin with a capital are taken for a title, and rightly so.
    let capitals = quote.split(' ').filter(|word| word.chars().next().is_some_and(char::is_uppercase)).count();
    (bare(&quote).len() >= 3 && capitals < 2 && work.cues.language != "ja").then(|| quote.into())
}

/// Two to four sentences as they stand, within a paragraph.
fn long(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let text = paragraph(work)?;
    let start = text.find(&work.sentence.text)?;
    let rest = &text[start..];
    let ends: Vec<usize> =
        rest.char_indices().filter(|(_, c)| matches!(c, '.' | '。')).map(|(at, c)| at + c.len_utf8()).collect();
    let end = *ends.get(random.between(1, 3))?;
    let quote = &rest[..end];
    let marks = ['"', '“', '”', '«', '»', '‘', '[', '…', '„', '「'];
    (!quote.contains(marks)).then(|| quote.into()).map(|quote: String| quote.into())
}

/// The paragraph of the sentence, with single spaces.
fn paragraph(work: &Work<'_>) -> Option<String> {
    let paragraphs = work.content.split("\n\n").map(|p| p.split_whitespace().collect::<Vec<_>>().join(" "));
    paragraphs.into_iter().find(|p| p.contains(&work.sentence.text))
}

fn every_marks(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    const MARKS: [(&str, &str); 14] = [
        ("“", "”"),
        ("\"", "\""),
        ("„", "“"),
        ("„", "”"),
        ("«", "»"),
        ("« ", " »"),
        ("«\u{a0}", "\u{a0}»"),
        ("»", "«"),
        ("‘", "’"),
        ("‚", "‘"),
        ("‹", "›"),
        ("›", "‹"),
        ("”", "”"),
        ("〝", "〞"),
    ];
    let quote = stretch(work, random);
    let all =
        if work.cues.language == "ja" { &[("「", "」"), ("『", "』"), ("“", "”")][..] } else { &MARKS[..13] };
    let marks = *random.pick(all);
    let single = matches!(marks.0, "‘" | "‚" | "‹" | "›");
    if single && quote.contains(['\'', '’']) {
        return None;
    }
    Some(Made { marks: Some(marks), ..Made::from(quote) })
}

fn apostrophes(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let quote = stretch(work, random);
    let both = [("’", "'"), ("'", "’")];
    let (from, to) = both.into_iter().find(|(from, _)| quote.contains(from))?;
    let open_and_close = if random.once_in(3) { ("‘", "’") } else { ("“", "”") };
    Some(Made { marks: Some(open_and_close), ..Made::from(quote.replace(from, to)) })
}

/// A parenthetical comma of the passage becomes a dash, of another kind in the quotation.
fn dashes(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    const DASHES: [&str; 6] = [" – ", " — ", "—", " - ", " ‐ ", " ― "];
    let text = &work.sentence.text;
    if !text.contains(", ") {
        let hyphened = text.chars().zip(text.chars().skip(1)).zip(text.chars().skip(2));
        let inside = hyphened.into_iter().any(|((a, b), c)| a.is_alphabetic() && b == '-' && c.is_alphabetic());
        let other = *random.pick(&["‐", "\u{2011}"]);
        return inside.then(|| text.replace('-', other).into());
    }
    let (a, b) = (*random.pick(&DASHES), *random.pick(&DASHES));
    let passage = flat(work).replacen(text.as_str(), &text.replacen(", ", a, 1), 1);
    Some(Made::on(text.replacen(", ", b, 1), passage))
}

fn spaces(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    const SPACES: [&str; 6] = ["\u{a0}", "\u{202f}", "\u{2009}", "  ", "\t", "\u{3000}"];
    let quote = stretch(work, random);
    let odd = |text: &str, random: &mut Random| -> String {
        let words: Vec<&str> = text.split(' ').collect();
        let mut odd = words[0].to_owned();
        for word in &words[1..] {
            let space = *random.pick(&SPACES);
            odd.push_str(if random.once_in(3) { space } else { " " });
            odd.push_str(word);
        }
        odd
    };
    if work.cues.language == "ja" {
        return None;
    }
    Some(if random.once_in(2) { Made::on(quote, odd(&flat(work), random)) } else { odd(&quote, random).into() })
}

/// The text with a sign in the middle of some of its longer words.
fn sprinkled(text: &str, sign: &str, random: &mut Random) -> String {
    let each = |word: &str| {
        let letters: Vec<char> = word.chars().collect();
        let plain = letters.len() > 5 && letters.iter().take(letters.len() - 1).all(|c| c.is_alphabetic());
        if !plain || random.once_in(2) {
            return word.to_owned();
        }
        let at = random.between(2, letters.len() - 3);
        letters[..at].iter().collect::<String>() + sign + &letters[at..].iter().collect::<String>()
    };
    text.split(' ').map(each).collect::<Vec<_>>().join(" ")
}

fn invisible(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let quote = stretch(work, random);
    let sign = *random.pick(&["\u{ad}", "\u{ad}", "\u{200b}", "\u{2060}", "\u{feff}"]);
    if work.cues.language == "ja" {
        return None;
    }
    Some(if random.once_in(4) {
        sprinkled(&quote, sign, random).into()
    } else {
        Made::on(quote, sprinkled(&flat(work), sign, random))
    })
}

fn ligatures(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let quote = stretch(work, random);
    let tied = |text: &str| {
        [("ffi", "ﬃ"), ("ffl", "ﬄ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ")]
            .into_iter()
            .fold(text.to_owned(), |text, (letters, tie)| text.replace(letters, tie))
    };
    (tied(&quote) != quote)
        .then(|| if random.once_in(4) { tied(&quote).into() } else { Made::on(quote, tied(&flat(work))) })
}

fn decomposed(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let quote = stretch(work, random);
    let apart: String = quote.nfd().collect();
    (apart != quote).then(
        || {
            if random.once_in(2) { apart.into() } else { Made::on(quote, work.content.nfd().collect()) }
        },
    )
}

fn compatibility(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let quote = stretch(work, random);
    let wide: String = quote
        .chars()
        .map(|c| match c {
            '0'..='9' | 'A'..='Z' => char::from_u32(u32::from(c) + 0xfee0).unwrap_or(c),
            _ => c,
        })
        .collect();
    (wide != quote && quote.contains(|c: char| c.is_ascii_digit())).then(|| wide.into())
}

/// The passage broken into lines of some forty to ninety characters.
fn broken(text: &str, random: &mut Random, newline: &str) -> String {
    let width = random.between(40, 90);
    let (mut lines, mut line) = (String::new(), 0);
    for word in text.split(' ') {
        if line > 0 && line + word.chars().count() > width {
            lines.push_str(newline);
            line = 0;
        } else if line > 0 {
            lines.push(' ');
        }
        line += word.chars().count() + 1;
        lines.push_str(word);
    }
    lines
}

fn line_breaks(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let newline = *random.pick(&["\n", "\r\n", " \n", "\n    ", "\u{2028}", "\r"]);
    let quote = stretch(work, random);
    let passage = broken(&flat(work), random, newline);
    (work.cues.language != "ja").then(|| Made::on(quote, passage))
}

/// "encryp-" at the end of a line and "tion" on the next.
fn hyphenated(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let sign = *random.pick(&["-\n", "-\r\n", "\u{ad}\n", "‐\n", "- \n"]);
    let quote = stretch(work, random);
    if work.cues.language == "ja" || quote.contains('-') {
        return None;
    }
    let passage = flat(work);
    let at = passage.find(&quote)?;
    let split = sprinkled(&quote, sign, random);
    (split != quote)
        .then(|| Made::on(quote.clone(), format!("{}{split}{}", &passage[..at], &passage[at + quote.len()..])))
}

fn first_letter(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let quote = stretch(work, random);
    let first = quote.chars().next().filter(|c| c.is_alphabetic())?;
    let other: String =
        if first.is_lowercase() { first.to_uppercase().collect() } else { first.to_lowercase().collect() };
    (other != first.to_string()).then(|| format!("{other}{}", &quote[first.len_utf8()..]).into())
}

fn punctuation(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let quote = stretch(work, random);
    let bare = quote.trim_end_matches(['.', '。', ',']);
    let sign = *random.pick(&[".", ",", "", ";", "!", "?", ":"]);
    Some(format!("{bare}{sign}").into())
}

/// Some words of the passage stand in quotation marks; the quotation turns them into inner ones.
fn nested(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let words = &work.sentence.words;
    let from = random.between(1, words.len() - 3);
    let to = (from + random.between(1, 3)).min(words.len() - 1);
    let term = work.sentence.stretch(from, to);
    let open = work.sentence.stretch(0, from);
    let close = work.sentence.stretch(to, words.len());
    if term.ends_with([',', '.', ';', ':', ')', '、']) || work.sentence.text.contains(['\'', '’']) {
        return None;
    }
    let space = work.sentence.space;
    let dressed = |(left, right): (&str, &str)| format!("{open}{space}{left}{term}{right}{space}{close}");
    // What the passage has as outer marks the quotation has as inner ones, or the other way round.
    let outer = *random.pick(work.cues.marks);
    let inner = *random.pick(work.cues.inner);
    let outside =
        work.cues.marks.iter().find(|(left, _)| left.trim() != inner.0.trim() && *left != "‘" && *left != "‚")?;
    let passage = flat(work).replacen(&work.sentence.text, &dressed(outer), 1);
    Some(Made { marks: Some(*outside), ..Made::on(dressed(inner), passage) })
}

/// Words of the passage in emphasis or code signs, which a quotation leaves out.
fn emphasis(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let signs = *random.pick(&["**", "*", "_", "`", "__", "***"]);
    let words = &work.sentence.words;
    let from = random.between(0, words.len() - 2);
    let to = (from + random.between(1, 3)).min(words.len() - 1);
    let term = work.sentence.stretch(from, to);
    let core = term.trim_end_matches([',', '.', ';', ':', ')', '、']);
    if core.starts_with('(') || core.is_empty() {
        return None;
    }
    let dressed = format!("{signs}{core}{signs}{}", &term[core.len()..]);
    let sentence = work.join(&[&words[..from], &[dressed], &words[to..]].concat());
    let passage = flat(work).replacen(&work.sentence.text, &sentence, 1);
    (work.cues.language != "ja").then(|| Made::on(work.sentence.text.clone(), passage))
}

fn links(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let words = &work.sentence.words;
    let from = random.between(1, words.len() - 3);
    let to = (from + random.between(1, 2)).min(words.len() - 1);
    let term = work.sentence.stretch(from, to);
    if work.cues.language == "ja" || !term.chars().all(|c| c.is_alphanumeric() || c == ' ') {
        return None;
    }
    let target = random.pick(&["https://help.brambledesk.example/en/limits", "limits.md", "/docs/plans#storage"]);
    let linked =
        format!("{} [{term}]({target}) {}", work.sentence.stretch(0, from), work.sentence.stretch(to, words.len()));
    let passage = flat(work).replacen(&work.sentence.text, &linked, 1);
    debug_assert!(without_markup(&passage).contains(&work.sentence.text));
    Some(Made::on(work.sentence.text.clone(), passage))
}

/// The sentence as an item of a list, or as a block quote whose lines begin with a sign.
fn blocks(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    if work.cues.language == "ja" {
        return None;
    }
    let passage = flat(work);
    let quoted = random.once_in(2);
    let text = if quoted {
        format!("> {}", broken(&passage, random, "\n> "))
    } else {
        format!("- {}", broken(&passage.replace(". ", ".\u{0}"), random, "\n  ").replace('\u{0}', "\n- "))
    };
    Some(Made::on(work.sentence.text.clone(), text))
}

/// The passage with soft hyphens, ligatures and line breaks, half of the time decomposed.
pub fn in_other_dress(work: &Work<'_>, random: &mut Random) -> String {
    let sprinkled = sprinkled(&flat(work), "\u{ad}", random).replace("fi", "ﬁ").replace("fl", "ﬂ");
    let passage = broken(&sprinkled, random, "\n");
    if random.once_in(2) { passage.nfd().collect() } else { passage }
}

fn several(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    if work.cues.language == "ja" {
        return None;
    }
    let quote = stretch(work, random);
    let passage = in_other_dress(work, random);
    let quote = quote.replace('\'', "’").replacen(' ', "\u{a0}", 1);
    Some(Made { marks: Some(("“", "”")), ..Made::on(quote, passage) })
}

const ELLIPSES: [&str; 9] = [" … ", "… ", " ... ", "... ", " [...] ", " […] ", " (...) ", " (…) ", " . . . "];

/// Part, gap and part of the sentence, the gap without any word that carries meaning.
fn harmless(work: &Work<'_>, random: &mut Random) -> Option<(String, String)> {
    let words = work.sentence.words.len();
    if words < 8 {
        return None;
    }
    let from = random.between(2, words - 5);
    let to = from + random.between(1, 6.min(words - 3 - from));
    let gap = work.sentence.stretch(from, to);
    // A number is left out only with all that belongs to it, which nobody can tell here.
    if work.cues.weighs(&gap) || gap.contains(|c: char| c.is_ascii_digit() || matches!(c, '(' | ')')) {
        return None;
    }
    let begin = from.saturating_sub(random.between(2, 9));
    let end = (to + random.between(3, 9)).min(words);
    let before = work.sentence.stretch(begin, from).trim_end_matches([',', ';']).to_owned();
    let behind = work.sentence.stretch(to, end);
    let once = occurrences(&before, work.content) == 1 && occurrences(&behind, work.content) == 1;
    let long_enough = bare(&before).len() >= 2 && bare(&behind).len() >= 2;
    (once && long_enough).then_some((before, behind))
}

fn ellipsis_middle(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let (before, behind) = harmless(work, random)?;
    Some(format!("{before}{}{behind}", random.pick(&ELLIPSES)).into())
}

/// A whole sentence is left out between two, or the end of one that ends with it.
fn ellipsis_sentences(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let text = paragraph(work)?;
    let start = text.find(&work.sentence.text)?;
    let (before, rest) = (&text[..start], text[start + work.sentence.text.len()..].trim());
    let beside = work.corpus.beside(work.sentence);
    let last = beside.iter().filter(|s| before.contains(&s.text)).max_by_key(|s| before.find(&s.text))?;
    let next = beside.iter().filter(|s| rest.contains(&s.text)).min_by_key(|s| rest.find(&s.text))?;
    let adjacent = text.contains(&format!("{} {} {}", last.text, work.sentence.text, next.text));
    if !adjacent || work.cues.weighs(&work.sentence.text) || work.sentence.text.len() > 250 {
        return None;
    }
    let from = random.below(last.words.len() - 3);
    let ellipsis = random.pick(&ELLIPSES);
    let (before, behind) = (last.stretch(from, last.words.len()), &next.text);
    let once = occurrences(&before, work.content) == 1 && occurrences(behind, work.content) == 1;
    once.then(|| format!("{before}{ellipsis}{behind}").into())
}

fn ellipsis_start(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let from = random.between(1, work.sentence.words.len() - 4);
    let quote = work.sentence.stretch(from, work.sentence.words.len());
    Some(format!("{}{quote}", random.pick(&ELLIPSES).trim_start()).into())
}

fn ellipsis_end(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let to = random.between(4, work.sentence.words.len() - 1);
    let quote = work.sentence.stretch(0, to);
    let quote = quote.trim_end_matches([',', ';', ':']);
    Some(format!("{quote}{}", random.pick(&ELLIPSES).trim_end()).into())
}

fn ellipsis_two(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let (before, behind) = harmless(work, random)?;
    let ellipsis = *random.pick(&ELLIPSES);
    Some(if random.once_in(2) {
        format!("{}{before}{ellipsis}{behind}", ellipsis.trim_start()).into()
    } else {
        format!("{before}{ellipsis}{}{}", behind.trim_end_matches(['.', ',', ';']), ellipsis.trim_end()).into()
    })
}

/// "[T]he service" for "the service", and the other way round.
fn bracket_letter(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let (from, to) = work.stretch(random, 5, 18);
    let quote = work.sentence.stretch(from, to);
    let first = quote.chars().next().filter(|c| c.is_alphabetic())?;
    let other: String =
        if first.is_lowercase() { first.to_uppercase().collect() } else { first.to_lowercase().collect() };
    (other != first.to_string()).then(|| format!("[{other}]{}", &quote[first.len_utf8()..]).into())
}

/// The place of a pronoun in the sentence, and what a quoter may put there.
fn pronoun(work: &Work<'_>, random: &mut Random) -> Option<(usize, &'static str)> {
    let (pronoun, noun) = *random.any(work.cues.pronouns)?;
    let at = work.sentence.words.iter().position(|word| word.to_lowercase() == pronoun)?;
    Some((at, noun))
}

fn bracket_pronoun(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let (at, noun) = pronoun(work, random)?;
    let (from, to) = work.around(random, at, 4);
    let mut words = work.sentence.words[from..to].to_vec();
    words[at - from] = noun.to_owned();
    (words.len() >= 5).then(|| work.join(&words).into())
}

fn bracket_beside(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let (at, noun) = pronoun(work, random)?;
    let (from, to) = work.around(random, at, 4);
    let mut words = work.sentence.words[from..to].to_vec();
    words.insert(at - from + 1, noun.to_owned());
    (words.len() >= 6).then(|| work.join(&words).into())
}

fn bracket_note(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let (from, to) = work.stretch(random, 6, 16);
    let mut words = work.sentence.words[from..to].to_vec();
    let note = *random.pick(&["[sic]", "[sic]", "[sic!]", "[emphasis added]", "[!]", "[sic]"]);
    let at = if note.starts_with("[e") { words.len() } else { random.between(1, words.len() - 1) };
    words.insert(at, note.to_owned());
    Some(work.join(&words).into())
}

fn bracket_and_ellipsis(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let (before, behind) = harmless(work, random)?;
    let first = before.chars().next().filter(|c| c.is_alphabetic())?;
    let other: String =
        if first.is_lowercase() { first.to_uppercase().collect() } else { first.to_lowercase().collect() };
    let quote = format!("[{other}]{}{}{behind}", &before[first.len_utf8()..], random.pick(&ELLIPSES));
    (other != first.to_string()).then(|| quote.into())
}

fn two_of_two(work: &Work<'_>, random: &mut Random) -> Option<Made> {
    let elsewhere = work.corpus.elsewhere(work.sentence);
    let other = random.any(&elsewhere)?;
    let passage = work.corpus.passage(other).clone();
    let second = Some((other.text.clone(), passage));
    Some(Made { second, ..Made::from(stretch(work, random)) })
}
