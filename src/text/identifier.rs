//! Identifiers: addresses, versions, standards, codes, and names with digits in them. None of them is a quantity.

use super::cursor::Cursor;
use super::lexicon::role;
use super::outcome::Weight;
use super::span::Span;
use super::word::{TokenKind, folded};

/// What kind of identifier it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IdentifierKind {
    /// A web address, with or without its scheme.
    Url,
    /// An e-mail address.
    Email,
    /// A version: `1.2.3`, `v2`, `version 3.1`, `Python 3.11`.
    Version,
    /// A standard: `ISO 27001`, `RFC 2119`.
    Standard,
    /// A place in a document or a series: `Section 3.1`, `§ 4`, `season 2`.
    Reference,
    /// A word or name with digits in it: `COVID-19`, `CO2`, `B-52`, `iPhone 6`.
    Name,
    /// Digits that count nothing: a telephone number, a ratio, an address of a computer.
    Code,
}

/// An identifier in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identifier {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: IdentifierKind,
    /// The form in which two of them are compared.
    pub canonical: Box<str>,
}

impl Identifier {
    /// Addresses, versions and standards decide; names, references and codes only raise a suspicion.
    pub fn weight(&self) -> Weight {
        match self.kind {
            IdentifierKind::Url | IdentifierKind::Email | IdentifierKind::Version | IdentifierKind::Standard => {
                Weight::Final
            }
            IdentifierKind::Reference | IdentifierKind::Name | IdentifierKind::Code => Weight::Triage,
        }
    }
}

/// Reads the identifiers at the cursor's tokens and takes them.
pub(crate) fn read(cursor: &mut Cursor<'_>) -> Vec<Identifier> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < cursor.len() {
        let hit = match cursor.kind(at) {
            Some(TokenKind::Word) => url(cursor, at)
                .or_else(|| standard(cursor, at))
                .or_else(|| reference(cursor, at))
                .or_else(|| named(cursor, at)),
            Some(TokenKind::Mark) => email(cursor, at).or_else(|| reference(cursor, at)),
            _ => None,
        };
        let hit = hit.or_else(|| if runs_on(cursor, at) { None } else { joined_run(cursor, at) });
        match hit {
            Some((from, to, kind)) if !(from..to).any(|i| cursor.is_taken(i)) => {
                let span = cursor.stretch(from, to);
                cursor.take(from, to);
                found.push(Identifier { span, kind, canonical: canonical(kind, span.of(cursor.text)) });
                at = to.max(at + 1);
            }
            _ => at += 1,
        }
    }
    found
}

type Hit = Option<(usize, usize, IdentifierKind)>;

/// The compared form: no case, no spaces, one kind of dash; an address without scheme, `www.` and final slash.
fn canonical(kind: IdentifierKind, written: &str) -> Box<str> {
    let plain: String = folded(written)
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| if super::normal::is_dash(c) { '-' } else { c })
        .collect();
    match kind {
        IdentifierKind::Url => {
            let bare = plain.split_once("://").map_or(plain.as_str(), |(_, rest)| rest);
            bare.strip_prefix("www.").unwrap_or(bare).trim_end_matches('/').into()
        }
        IdentifierKind::Version => {
            let digits = plain.find(|c: char| c.is_numeric()).unwrap_or(0);
            plain.get(digits..).unwrap_or(&plain).into()
        }
        IdentifierKind::Standard => plain.replace(['-', '/'], "").into(),
        IdentifierKind::Name => plain.replace(['-', '.'], "").into(),
        _ => plain.into(),
    }
}

/// The end of what has no space in it from `at` on, without closing punctuation.
fn unspaced_end(cursor: &Cursor<'_>, at: usize) -> usize {
    let mut to = at + 1;
    while to < cursor.len()
        && cursor.joined(to)
        && !cursor.is_mark(to, &['<', '>', '"', '“', '”', '«', '»', '、', '。'])
        && !cursor.is(to, TokenKind::Ideograph)
    {
        to += 1;
    }
    let opened = (at..to).any(|i| cursor.is_mark(i, &['(']));
    while to > at + 1
        && (cursor.is_mark(to - 1, &['.', ',', ';', ':', '!', '?', '\'', '’', ']', '}', '*', '_'])
            || (!opened && cursor.is_mark(to - 1, &[')'])))
    {
        to -= 1;
    }
    to
}

fn url(cursor: &Cursor<'_>, at: usize) -> Hit {
    if !cursor.joined(at + 1)
        || cursor.is_taken(at)
        || (cursor.joined(at) && !cursor.is_mark(at - 1, &['(', '[', '<', '"', '\'', '“', '«', '/', '=', ',', ':']))
    {
        return None;
    }
    let word = cursor.word(at);
    let scheme = matches!(word.as_ref(), "http" | "https" | "ftp" | "ftps" | "sftp" | "ssh" | "git" | "s3");
    let with_scheme =
        scheme && cursor.is_mark(at + 1, &[':']) && cursor.is_mark(at + 2, &['/']) && cursor.is_mark(at + 3, &['/']);
    let www = word == "www" && cursor.is_mark(at + 1, &['.']) && cursor.joined(at + 2);
    if with_scheme || www {
        return Some((at, unspaced_end(cursor, at), IdentifierKind::Url));
    }
    // A host without a scheme: words joined by full stops, the last one a top-level domain that prose does not end sentences with.
    const DOMAINS: [&str; 24] = [
        "com", "org", "net", "edu", "gov", "io", "dev", "app", "info", "example", "de", "fr", "es", "it", "nl", "pt",
        "br", "uk", "eu", "ch", "at", "jp", "ai", "test",
    ];
    let mut last = at;
    loop {
        // A label may hold digits and hyphens.
        while cursor.joined(last + 1)
            && (matches!(cursor.kind(last + 1), Some(TokenKind::Word | TokenKind::Digits))
                || cursor.is_mark(last + 1, &['-']))
        {
            last += 1;
        }
        if cursor.is_mark(last + 1, &['.'])
            && cursor.joined(last + 1)
            && cursor.joined(last + 2)
            && matches!(cursor.kind(last + 2), Some(TokenKind::Word | TokenKind::Digits))
        {
            last += 2;
        } else {
            break;
        }
    }
    let host = last > at + 1 && cursor.is_mark(last - 1, &['.']) && DOMAINS.contains(&cursor.raw(last));
    (host && !cursor.is_mark(last + 1, &['@'])).then(|| (at, unspaced_end(cursor, at), IdentifierKind::Url))
}

fn email(cursor: &Cursor<'_>, at: usize) -> Hit {
    if cursor.raw(at) != "@" || !cursor.joined(at) || !cursor.joined(at + 1) {
        return None;
    }
    let part = |i: usize| {
        matches!(cursor.kind(i), Some(TokenKind::Word | TokenKind::Digits))
            || cursor.is_mark(i, &['.', '_', '-', '+', '%'])
    };
    let mut from = at;
    while from > 0 && part(from - 1) && cursor.joined(from) {
        from -= 1;
    }
    let mut to = at + 1;
    while part(to) && cursor.joined(to) {
        to += 1;
    }
    while to > at + 1 && cursor.is(to - 1, TokenKind::Mark) {
        to -= 1;
    }
    let dotted = (at + 1..to).any(|i| cursor.is_mark(i, &['.']));
    (from < at && dotted).then_some((from, to, IdentifierKind::Email))
}

/// `ISO 27001`, `ISO/IEC 27001:2022`, `RFC-2119`.
fn standard(cursor: &Cursor<'_>, at: usize) -> Hit {
    let issuers = &cursor.lexicon.cues.standards;
    if !cursor.may_begin(at, role::STANDARD) || cursor.is_taken(at) || !issuers.contains(cursor.raw(at)) {
        return None;
    }
    let mut next = at + 1;
    let most = at + 9;
    while next < most
        && (cursor.is_mark(next, &['/', '-']) || cursor.is(next, TokenKind::Space))
        && issuers.contains(cursor.raw(next + 1))
    {
        next += 2;
    }
    if cursor.is_mark(next, &['-', ':', '/']) || cursor.is(next, TokenKind::Space) {
        next += 1;
    }
    if !cursor.is(next, TokenKind::Digits) {
        return None;
    }
    Some((at, number_chain(cursor, next, &['-', ':', '.', '/']), IdentifierKind::Standard))
}

/// Past the digits at `at` and what is joined to them by one of `marks` and more digits or letters.
fn number_chain(cursor: &Cursor<'_>, at: usize, marks: &[char]) -> usize {
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
            && cursor.digit_count(next + 1) > 0
            && cursor.is_mark(next + 2, &[')'])
        {
            next += 3;
        } else {
            return next;
        }
    }
}

/// `Section 3.1`, `§ 4`, `No. 5`, `version 2.0`.
fn reference(cursor: &Cursor<'_>, at: usize) -> Hit {
    if !cursor.may_begin(at, role::REFERENCE) {
        return None;
    }
    let word = cursor.word(at);
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
    let version =
        matches!(word.as_ref(), "version" | "release" | "v" | "ver" | "versión" | "versão" | "versione" | "versie");
    Some((at, to, if version { IdentifierKind::Version } else { IdentifierKind::Reference }))
}

/// Whether a word of its own meaning in lower case follows: "4 people".
fn followed_by_thing(cursor: &Cursor<'_>, at: usize) -> bool {
    let at = cursor.past_space(at);
    cursor.is(at, TokenKind::Word) && !cursor.is_capitalised(at) && !cursor.lexicon.is_stop_word(&cursor.word(at))
}

/// A name with a bare number behind it: `iPhone 6`, `Apollo 11`, `Python 3.11`.
fn named(cursor: &Cursor<'_>, at: usize) -> Hit {
    let next = at + 1;
    let number = next + 1;
    if cursor.is_taken(at)
        || !cursor.is(next, TokenKind::Space)
        || !cursor.is(number, TokenKind::Digits)
        || cursor.raw(next).contains('\n')
    {
        return None;
    }
    let written = cursor.raw(at);
    let inner_capital = written.chars().skip(1).any(char::is_uppercase) && written.chars().any(char::is_lowercase);
    if !(inner_capital || cursor.is_capitalised(at) && !cursor.lexicon.nouns_capitalised) || cursor.is_taken(number) {
        return None;
    }
    let word = cursor.word(at);
    let lexicon = cursor.lexicon;
    let known = lexicon.is_stop_word(&word)
        || lexicon.calendar.months.contains_key(word.as_ref())
        || lexicon.numbers.words.contains_key(word.as_ref())
        || lexicon.numbers.scales.contains_key(word.as_ref())
        || lexicon.cues.year_words.contains(word.as_ref())
        || lexicon.units.symbols.starting_at(cursor.text, cursor.tokens, at).is_some()
        || lexicon.cues.qualifiers.ending_at(cursor.text, cursor.tokens, number).is_some()
        || lexicon.cues.hedges.ending_at(cursor.text, cursor.tokens, number).is_some();
    let to = number_chain(cursor, number, &['.']);
    let decimals = to > number + 1;
    let digits = cursor.digit_count(number);
    let separated =
        cursor.is_mark(to, &[',', '\'', '-', '–', '/', ':', '.', '%']) && cursor.joined(to) && cursor.joined(to + 1);
    let year = !decimals && cursor.small(number).is_some_and(|n| (1000..2200).contains(&n) && digits == 4);
    // "Monday 28 April": a date.
    let dated = lexicon.calendar.months.contains_key(cursor.word(cursor.past_space(to)).as_ref());
    if known
        || dated
        || separated
        || year
        || digits > 4
        || cursor.measures(to)
        || (decimals && cursor.is(number + 1, TokenKind::Word))
    {
        return None;
    }
    let begins = cursor.before(at).is_none_or(|i| cursor.is_mark(i, &['.', '!', '?', ':', '"', '“', '*', '-', '•']));
    if !inner_capital && begins && followed_by_thing(cursor, to) {
        return None;
    }
    // "Alphabet earned 3, not 4": a list of numbers is none of names; a plural behind the number is counted by it.
    if !inner_capital
        && followed_by_thing(cursor, to)
        && cursor.word(cursor.past_space(to)).ends_with('s')
        && !written.chars().all(char::is_uppercase)
    {
        return None;
    }
    Some((at, to, if decimals { IdentifierKind::Version } else { IdentifierKind::Name }))
}

/// Signs that join letters and digits to one run.
const RUN_MARKS: [char; 12] = ['-', '‐', '‑', '–', '_', '/', '.', ':', ',', '\'', '’', '+'];

/// Whether token `at` continues a run that began before it.
fn runs_on(cursor: &Cursor<'_>, at: usize) -> bool {
    cursor.joined(at)
        && (matches!(cursor.kind(at - 1), Some(TokenKind::Word | TokenKind::Digits))
            || (cursor.is_mark(at - 1, &RUN_MARKS)
                && at > 1
                && cursor.joined(at - 1)
                && !cursor.is(at - 2, TokenKind::Mark)))
}

/// Letters and digits joined without a space, and digits joined by signs in a way that no number is.
fn joined_run(cursor: &Cursor<'_>, at: usize) -> Hit {
    let part = |i: usize| matches!(cursor.kind(i), Some(TokenKind::Word | TokenKind::Digits));
    if !part(at) {
        return None;
    }
    let mut to = at + 1;
    loop {
        if part(to) && cursor.joined(to) {
            to += 1;
        } else if (cursor.is_mark(to, &RUN_MARKS) && cursor.joined(to)) && part(to + 1) && cursor.joined(to + 1) {
            to += 2;
        } else {
            break;
        }
    }
    // A comma or a slash between letters and digits joins nothing: "2005,the", "and/or".
    let to = (at..to)
        .find(|i| {
            cursor.is_mark(*i, &[',', '/']) && (cursor.is(i - 1, TokenKind::Word) || cursor.is(i + 1, TokenKind::Word))
        })
        .unwrap_or(to);
    if !(at..to).any(|i| cursor.is(i, TokenKind::Digits)) {
        return None;
    }
    let words: Vec<usize> = (at..to).filter(|i| cursor.is(*i, TokenKind::Word)).collect();
    if words.is_empty() { bare_run(cursor, at, to) } else { lettered_run(cursor, at, to, &words) }
}

fn bare_run(cursor: &Cursor<'_>, at: usize, to: usize) -> Hit {
    let count = |marks: &[char]| (at..to).filter(|i| cursor.is_mark(*i, marks)).count();
    let groups: Vec<usize> = (at..to).step_by(2).map(|i| cursor.digit_count(i)).collect();
    let thousands = groups.iter().skip(1).all(|n| *n == 3) && groups.first().is_some_and(|n| *n <= 3);
    let date = matches!(groups.as_slice(), [4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2, 2 | 4]);
    let one_kind = |n: usize| n + 1 == groups.len();
    if count(&['.']) >= 2 && one_kind(count(&['.'])) && !thousands {
        let dotted_date = groups.len() == 3 && groups.last() == Some(&4) && groups.iter().take(2).all(|n| *n <= 2);
        return (!dotted_date).then_some((at, to, IdentifierKind::Version));
    }
    // 3:1 is a result; a time of day has two digits behind its colon.
    if matches!(groups.as_slice(), [1 | 2, 1]) && count(&[':']) == 1 {
        return None;
    }
    let dashes = count(&['-', '‐', '‑', '–']);
    if (dashes >= 2 && one_kind(dashes) && !date) || count(&[':']) >= 1 || (count(&['/']) >= 2 && !date) {
        return Some((at, to, IdentifierKind::Code));
    }
    None
}

fn lettered_run(cursor: &Cursor<'_>, at: usize, to: usize, words: &[usize]) -> Hit {
    let lexicon = cursor.lexicon;
    let first_word = words.first().copied()?;
    // 25-Aug-2016
    if words.iter().any(|i| lexicon.calendar.months.contains_key(cursor.word(*i).as_ref())) {
        return None;
    }
    if first_word > at {
        // Digits first: a quantity where a unit, a scale sign, an ordinal ending or an ordinary word follows.
        let number_end = first_word - usize::from(!cursor.is(first_word - 1, TokenKind::Digits));
        let bare = (at..number_end)
            .all(|i| cursor.is(i, TokenKind::Digits) || cursor.is_mark(i, &['.', ',', '\'', '’', '-', '–', '/']));
        let word = cursor.raw(first_word);
        let hyphened = number_end < first_word;
        let last = first_word + 1 == to;
        let unit =
            lexicon.units.symbols.starting_at(cursor.text, cursor.tokens, first_word).is_some_and(|f| f.next <= to)
                || lexicon.units.names.starting_at(cursor.text, cursor.tokens, first_word).is_some();
        let ending = lexicon.numbers.scale_symbols.contains_key(word)
            || lexicon.numbers.scales.contains_key(folded(word).as_ref())
            || lexicon.numbers.ordinal_endings.contains(folded(word).as_ref())
            || matches!(word, "s" | "m" | "x");
        let ordinary = hyphened && word.chars().count() >= 3 && word.chars().all(char::is_lowercase);
        let exponent = matches!(word, "e" | "E") && cursor.is(to - 1, TokenKind::Digits);
        if bare
            && (unit
                || (ending && (last || hyphened || cursor.is_mark(first_word + 1, &['-', '/', '.', ','])))
                || ordinary
                || exponent)
        {
            return None;
        }
    } else {
        let number = (at..to).find(|i| cursor.is(*i, TokenKind::Digits))?;
        let currency = lexicon
            .units
            .symbols
            .starting_at(cursor.text, cursor.tokens, at)
            .is_some_and(|f| f.meaning.before && f.next == number);
        let year = cursor.digit_count(number) == 4
            && cursor.is_mark(number - 1, &['-', '–', '.'])
            && !cursor.raw(at).chars().any(char::is_uppercase);
        // "ended.2" or "word.1990": a full stop without a space behind it joins nothing; "mid-1990s" is a date.
        let stop = number == first_word + 2 && cursor.is_mark(first_word + 1, &['.', ':', ',', '\'', '’', '/', '+']);
        if currency || year || stop {
            return None;
        }
        let word = cursor.raw(at);
        if matches!(word, "v" | "V") && cursor.joined(number) && number == at + 1 {
            return Some((at, to, IdentifierKind::Version));
        }
    }
    Some((at, to, IdentifierKind::Name))
}

#[cfg(test)]
mod tests {
    use super::IdentifierKind::{Code, Email, Name, Reference, Standard, Url, Version};
    use super::*;
    use crate::text::Analysis;
    use crate::text::lexicon::Lexicons;

    fn read(text: &str) -> Vec<(String, IdentifierKind)> {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        let analysis = Analysis::new(Some("en"), &lexicons);
        analysis.identifiers(text).iter().map(|i| (i.span.of(text).to_owned(), i.kind)).collect()
    }

    #[track_caller]
    fn assert_reads(text: &str, expected: &[(&str, IdentifierKind)]) {
        let expected: Vec<(String, IdentifierKind)> = expected.iter().map(|(s, k)| ((*s).to_owned(), *k)).collect();
        assert_eq!(read(text), expected, "{text}");
    }

    #[test]
    fn addresses() {
        assert_reads(
            "See https://a.example/x?y=1 (or www.b.example).",
            &[("https://a.example/x?y=1", Url), ("www.b.example", Url)],
        );
        assert_reads(
            "Write to help-desk@kb.example, or docs.kb.example/7.",
            &[("help-desk@kb.example", Email), ("docs.kb.example/7", Url)],
        );
    }

    #[test]
    fn versions_standards_and_references() {
        assert_reads(
            "Use v1.2.3 or 4.5.6 under ISO/IEC 27001:2022 and RFC 2119.",
            &[("v1.2.3", Version), ("4.5.6", Version), ("ISO/IEC 27001:2022", Standard), ("RFC 2119", Standard)],
        );
        assert_reads(
            "Section 3.1 and § 4 on pages 3, 4 of No. 5",
            &[("Section 3.1", Reference), ("§ 4", Reference), ("pages 3, 4", Reference), ("No. 5", Reference)],
        );
        assert_reads("Python 3.11 is version 5", &[("Python 3.11", Version), ("version 5", Version)]);
    }

    #[test]
    fn names_with_digits() {
        assert_reads(
            "COVID-19, CO2, B-52, an iPhone 6 and Apollo 11.",
            &[("COVID-19", Name), ("CO2", Name), ("B-52", Name), ("iPhone 6", Name), ("Apollo 11", Name)],
        );
        assert_reads("Call 555-0100-22, the ratio is 10:30.", &[("555-0100-22", Code), ("10:30", Code)]);
    }

    #[test]
    fn quantities_are_none() {
        assert_reads(
            "Over 300 people paid USD100 or 5km in a 30-day, 1.234.567 or 1,234.5 way in 1990s mid-2020; 10k, 3rd.",
            &[],
        );
        assert_reads("Around 20 of them. Nearly 5 users. It ended.2 Then", &[]);
    }
}
