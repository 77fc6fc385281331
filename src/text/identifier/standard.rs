//! Standards, laws, and places in documents: `ISO/IEC 27001:2022`, `RFC 9110`, `45 CFR 164`, `Section 3.1`, `§ 4`.

use super::{Hit, IdentifierKind};
use crate::text::cursor::Cursor;
use crate::text::lexicon::role;
use crate::text::word::{TokenKind, folded, is_apostrophe};

/// Words between an issuer and its number: `NIST SP 800-53`, `IEEE Std 1003.1`.
const SERIES: [&str; 9] = ["SP", "STD", "Std", "PUB", "TS", "TR", "IR", "No", "BCP"];

/// Issuers whose numbers have parts and editions: `ISO 8601-1:2019`.
const WITH_EDITIONS: [&str; 14] =
    ["iso", "iec", "en", "din", "bs", "ansi", "ieee", "itu", "etsi", "astm", "jis", "gb", "ecma", "vde"];

/// A word without the article that an apostrophe joins to it: "l'ISO", "dell'articolo".
pub(super) fn without_article(word: &str) -> &str {
    const LONGEST: usize = 4;
    let Some((at, sign)) = word.char_indices().find(|(_, c)| is_apostrophe(*c)) else { return word };
    let bare = word.get(at + sign.len_utf8()..).unwrap_or_default();
    if at <= LONGEST && bare.len() > 1 { bare } else { word }
}

/// `ISO 27001`, `ISO/IEC 27001:2022`, `RFC-2119`, `DIN EN ISO 9001`, `SOC 2 Type II`.
pub(super) fn standard(cursor: &Cursor<'_>, at: usize) -> Hit {
    let issuers = &cursor.lexicon.cues.standards;
    let first = without_article(cursor.raw(at));
    let may_begin = cursor.may_begin(at, role::STANDARD) || first.len() < cursor.raw(at).len();
    if !may_begin || cursor.is_taken(at) || !issuers.contains(first) {
        return None;
    }
    let mut next = at + 1;
    let most = at + 9;
    while next < most
        && (cursor.is_mark(next, &['/', '-']) || cursor.is(next, TokenKind::Space))
        && (issuers.contains(cursor.raw(next + 1)) || SERIES.contains(&cursor.raw(next + 1)))
    {
        next += 2;
        next += usize::from(cursor.is_mark(next, &['.']) && cursor.is(next + 1, TokenKind::Space));
    }
    if cursor.is_mark(next, &['-', '‑', ':', '/']) {
        next += 1;
    }
    next = cursor.past_space(next);
    if !cursor.is(next, TokenKind::Digits) {
        return None;
    }
    let to = number_chain(cursor, next, &['-', '‑', '–', ':', '.', '/']);
    let of_type = cursor.is(to, TokenKind::Space)
        && matches!(cursor.raw(at), "SOC")
        && cursor.word(to + 1) == "type"
        && matches!(cursor.word(cursor.past_space(to + 2)).as_ref(), "i" | "ii" | "1" | "2");
    Some((at, if of_type { cursor.past_space(to + 2) + 1 } else { to }, IdentifierKind::Standard))
}

/// `45 CFR 164.312`, `15 U.S.C. § 78`: a title, a code of laws and a place in it.
pub(super) fn law(cursor: &Cursor<'_>, at: usize) -> Hit {
    let code = at + 2;
    if !cursor.is(at, TokenKind::Digits)
        || cursor.digit_count(at) > 3
        || !cursor.is(at + 1, TokenKind::Space)
        || !matches!(cursor.raw(code), "CFR" | "USC" | "U" | "C")
    {
        return None;
    }
    let mut next = code;
    let mut letters = String::new();
    // "C.F.R." and "U.S.C."
    while next < code + 6 && letters.len() < 3 {
        if cursor.is(next, TokenKind::Word) && (next == code || cursor.joined(next)) {
            letters.push_str(cursor.raw(next));
        } else if !cursor.is_mark(next, &['.']) {
            return None;
        }
        next += 1;
    }
    next += usize::from(cursor.is_mark(next, &['.']));
    if !matches!(letters.as_str(), "CFR" | "USC") {
        return None;
    }
    next = cursor.past_space(next);
    if matches!(cursor.word(next).as_ref(), "part" | "parts" | "§" | "§§" | "pt") {
        next += 1 + usize::from(cursor.is_mark(next + 1, &['.', '§']));
        next = cursor.past_space(next);
    }
    let to = number_chain(cursor, next, &['.', '-', '–']);
    cursor.is(next, TokenKind::Digits).then_some((at, to, IdentifierKind::Standard))
}

/// The issuers (or the code of laws) and the number, with `#` before a part and `@` before an edition.
pub(super) fn canonical(written: &str) -> (String, String) {
    let plain: String =
        folded(written).chars().map(|c| if crate::text::normal::is_dash(c) { '-' } else { c }).collect();
    if plain.starts_with(|c: char| c.is_numeric()) {
        let letters: String = plain.chars().filter(|c| matches!(c, 'c' | 'f' | 'r' | 'u' | 's')).take(3).collect();
        let mut numbers = plain
            .split(|c: char| !(c.is_ascii_digit() || c == '.'))
            .filter(|n| n.contains(|c: char| c.is_ascii_digit()));
        let title = numbers.next().unwrap_or_default().trim_matches('.').to_owned();
        return (title + &letters, numbers.next().unwrap_or_default().trim_matches('.').to_owned());
    }
    let digits = plain.find(|c: char| c.is_numeric()).unwrap_or(plain.len());
    let (head, number) = plain.split_at(digits);
    let is_series = |word: &&str| !word.is_empty() && !SERIES.iter().any(|series| series.eq_ignore_ascii_case(word));
    let issuers: Vec<&str> = head.split(|c: char| !c.is_alphanumeric()).filter(is_series).collect();
    let family = issuers.join("/");
    if let Some(kind) = issuers.iter().find(|issuer| matches!(**issuer, "isbn" | "issn")) {
        return ((*kind).to_owned(), super::code::book(number));
    }
    if issuers.contains(&"soc") {
        let (number, kind) = number.split_once("type").unwrap_or((number, ""));
        let kind = match kind.trim() {
            "" => "",
            "i" | "1" => "#1",
            _ => "#2",
        };
        return (family, format!("{}{kind}", number.trim()));
    }
    if !issuers.iter().any(|issuer| WITH_EDITIONS.contains(issuer)) {
        return (family, number.split_whitespace().collect());
    }
    (family, with_edition(number))
}

/// `27001-1:2022` as `27001#1@2022`.
fn with_edition(number: &str) -> String {
    let end = number.find(|c: char| !(c.is_numeric() || c == '.')).unwrap_or(number.len());
    let (base, mut rest) = number.split_at(end);
    let mut canonical = base.to_owned();
    while let Some(sign) = rest.chars().next() {
        let body = rest.trim_start_matches(['-', ':', '/', '(', ')']);
        let end = body.find(['-', ':', '/', '(', ')']).unwrap_or(body.len());
        let (part, next) = body.split_at(end);
        let is_year = part.len() == 4 && (part.starts_with("19") || part.starts_with("20"));
        if !part.is_empty() {
            canonical.push(if is_year && !sign.is_alphanumeric() { '@' } else { '#' });
            canonical.push_str(part);
        }
        rest = next;
    }
    canonical
}

/// Past the digits at `at` and what is joined to them by one of `marks` and more digits or letters.
pub(super) fn number_chain(cursor: &Cursor<'_>, at: usize, marks: &[char]) -> usize {
    let mut next = at + 1;
    loop {
        if cursor.joined(next) && matches!(cursor.kind(next), Some(TokenKind::Word | TokenKind::Digits)) {
            next += 1;
        } else if cursor.is_mark(next, marks)
            && cursor.joined(next)
            && cursor.joined(next + 1)
            && cursor.is(next + 1, TokenKind::Digits)
        {
            next += 2;
        } else if cursor.is_mark(next, &['('])
            && cursor.joined(next)
            && (cursor.digit_count(next + 1) > 0 || is_letter(cursor.raw(next + 1)))
            && cursor.is_mark(next + 2, &[')'])
        {
            next += 3;
        } else {
            return next;
        }
    }
}

/// Whether a subparagraph has this name: `f`, `iv`, `aa`.
fn is_letter(word: &str) -> bool {
    word.len() <= 4
        && (word.len() <= 2 || word.bytes().all(|b| matches!(b, b'i' | b'v' | b'x')))
        && word.bytes().all(|b| b.is_ascii_lowercase())
}

/// Words for one thing, in several languages: the first stands for all of them.
const PLACES: [&[&str]; 10] = [
    &[
        "article",
        "articles",
        "art",
        "arts",
        "artikel",
        "artículo",
        "artículos",
        "artigo",
        "artigos",
        "articolo",
        "articoli",
    ],
    &["section", "sections", "sec", "secs", "§", "§§", "sección", "seção", "sezione", "sectie", "paragraf"],
    &["figure", "figures", "fig", "figs", "abbildung", "abb", "figura"],
    &["table", "tables", "tab", "tabelle", "tableau", "tabla", "tabela", "tabella", "tabel"],
    &["chapter", "chapters", "ch", "chap", "kapitel", "chapitre", "capítulo", "capitolo", "hoofdstuk"],
    &["page", "pages", "p", "pp", "seite", "seiten", "página", "páginas", "pagina"],
    &["number", "numbers", "no", "nos", "nr", "№", "#", "nummer", "numéro", "número", "numero"],
    &["volume", "volumes", "vol", "vols", "band", "volumen"],
    &["annex", "appendix", "anhang", "annexe", "anexo", "allegato", "bijlage"],
    &["version", "release", "v", "ver", "versión", "versão", "versione", "versie"],
];

/// What kind of place a word names; itself where it is none of [`PLACES`].
pub(super) fn place(word: &str) -> &str {
    PLACES.iter().find(|words| words.contains(&word)).and_then(|words| words.first()).copied().unwrap_or(word)
}

/// The kind of place, and its number with what governs it: `Art. 17` as (`article`, `article17`).
pub(super) fn canonical_place(written: &str) -> (String, String) {
    let plain: String =
        folded(written).chars().map(|c| if crate::text::normal::is_dash(c) { '-' } else { c }).collect();
    let digits = plain.find(|c: char| c.is_numeric()).unwrap_or(plain.len());
    let (word, number) = plain.split_at(digits);
    let kind = place(word.trim_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ':'))).to_owned();
    let number: String = number.split_whitespace().collect();
    let canonical = format!("{kind}{number}");
    (kind, canonical)
}

/// `Section 3.1`, `§ 4`, `No. 5`, `version 2.0`.
pub(super) fn reference(cursor: &Cursor<'_>, at: usize) -> Hit {
    let bare = without_article(cursor.raw(at));
    if !cursor.may_begin(at, role::REFERENCE) && bare.len() == cursor.raw(at).len() {
        return None;
    }
    let word = folded(bare);
    if cursor.is_taken(at) || !cursor.lexicon.cues.references.contains(word.as_ref()) {
        return None;
    }
    let mut next = at + 1;
    let dotted = cursor.is_mark(next, &['.']);
    if dotted {
        next += 1;
    }
    // "no 5 people", "v 3": short forms need their full stop, or the digits right behind them.
    let short = cursor.is(at, TokenKind::Word) && cursor.lexicon.abbreviations.contains(word.as_ref());
    if short && !dotted && !cursor.joined(next) {
        return None;
    }
    let most = next + 4;
    while next < most && (cursor.is(next, TokenKind::Space) || cursor.is_mark(next, &['#', '§'])) {
        next += 1;
    }
    if !cursor.is(next, TokenKind::Digits) {
        return None;
    }
    let mut to = number_chain(cursor, next, &['.', '-', '–', '/']);
    if cursor.measures(to) && !cursor.is(at, TokenKind::Mark) {
        return None;
    }
    // "Sections 3 and 4", "pages 3, 4": the same word governs all of them.
    loop {
        let comma = if cursor.is_mark(to, &[',', '&']) { to + 1 } else { to };
        let spaced = cursor.past_space(comma);
        let joiner = cursor.lexicon.cues.range_pairs.iter().any(|(_, second)| cursor.word(spaced) == second.as_ref());
        let number = if joiner { cursor.past_space(spaced + 1) } else { spaced };
        let goes_on = (joiner || comma > to) && cursor.is(number, TokenKind::Digits) && cursor.digit_count(number) <= 3;
        let end = if goes_on { number_chain(cursor, number, &['.', '-', '–', '/']) } else { to };
        if end == to || cursor.measures(end) || followed_by_thing(cursor, end) {
            break;
        }
        to = end;
    }
    let version = place(word.as_ref()) == "version";
    Some((at, to, if version { IdentifierKind::Version } else { IdentifierKind::Reference }))
}

/// Whether a word of its own meaning in lower case follows: "4 people".
pub(super) fn followed_by_thing(cursor: &Cursor<'_>, at: usize) -> bool {
    let at = cursor.past_space(at);
    cursor.is(at, TokenKind::Word) && !cursor.is_capitalised(at) && !cursor.lexicon.is_stop_word(&cursor.word(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(written: &str) -> (String, String) {
        canonical(written)
    }

    #[test]
    fn standards_take_apart() {
        assert_eq!(read("ISO/IEC 27001:2022"), ("iso/iec".to_owned(), "27001@2022".to_owned()));
        assert_eq!(read("DIN EN ISO 8601-1"), ("din/en/iso".to_owned(), "8601#1".to_owned()));
        assert_eq!(read("IEEE 802.11ax"), ("ieee".to_owned(), "802.11#ax".to_owned()));
        assert_eq!(read("NIST SP 800-53"), ("nist".to_owned(), "800-53".to_owned()));
        assert_eq!(read("CVE-2024-1234"), ("cve".to_owned(), "2024-1234".to_owned()));
        assert_eq!(read("SOC 2 Type II"), ("soc".to_owned(), "2#2".to_owned()));
        assert_eq!(read("45 C.F.R. § 164.312"), ("45cfr".to_owned(), "164.312".to_owned()));
        assert_eq!(read("45 CFR Part 164"), ("45cfr".to_owned(), "164".to_owned()));
    }

    #[test]
    fn places_in_several_languages() {
        assert_eq!(canonical_place("Art. 17").1, "article17");
        assert_eq!(canonical_place("Artikel 17").1, "article17");
        assert_eq!(canonical_place("§ 12").1, "section12");
        assert_eq!(canonical_place("Season 2").1, "season2");
    }
}
