//! Finds the addresses and document ids of a text, however they are wrapped.

use std::borrow::Cow;
use std::collections::BTreeSet;

use regex::Regex;

use super::{EMAIL, ID, URL};
use crate::text::identifier::IdentifierKind;
use crate::text::identifier::address::Address;
use crate::text::identifier::code::book;
use crate::text::word::{is_apostrophe, is_unspaced};
use crate::text::{Analysis, Lexicons, Span};

/// Ids of documents that are the same everywhere.
pub(super) const KNOWN: [&str; 5] = [
    r#"\b10\.\d{4,9}/[^\s"“”<>\])}]*[^\s"“”<>\])}.,;:]"#,
    r"\barxiv:\s*\d{4}\.\d{4,5}(?:v\d+)?\b",
    r"\bISBN(?:-1[03])?:?\s*[\d-]{9,16}[\dX]\b",
    r"\bPMID:?\s*\d+\b",
    r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b",
];

/// Addresses however they are wrapped: with a scheme, relative to it (`//host`), with `www.`, or made to run when clicked. Wider
/// than what reads as an address in prose, because a renderer does not read prose: it takes backslashes for slashes and does without
/// them behind `https:`. No edge of a word is asked for before it: in Japanese there is none.
pub(super) const ADDRESS: &str = concat!(
    r#"(?:[a-z][a-z0-9+.-]*:)?[/\\]{2,}(?:[\p{L}\p{N}%]|\[[0-9a-f:.]+\])[^\s<>"“”«»`\[\]|^{}]*"#,
    r#"|https?:[/\\]*[\p{L}\p{N}%][^\s<>"“”«»`\[\]|^{}]*"#,
    r#"|www\.[\p{L}\p{N}][^\s<>"“”«»`\[\]|^{}]*"#,
    r#"|\b(?:(?:javascript|vbscript):|data:[a-z]+/)[^\s<>"`\])]+"#,
);

/// What is looked for in what was supplied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Foreign {
    pub(super) code: &'static str,
    /// The form in which it is compared.
    pub(super) canonical: String,
    /// Host of a web address, in lower case.
    pub(super) host: String,
    /// As it is shown to a person.
    pub(super) written: String,
    /// Where it stands; `None` where it shows only once the text is rendered.
    pub(super) span: Option<Span>,
}

/// Reads texts for addresses and ids.
pub(super) struct Reader {
    pub(super) lexicons: Lexicons,
    pub(super) addresses: Regex,
    /// The known ids, in the order of [`KNOWN`], then those of the policy.
    pub(super) ids: Vec<Regex>,
}

/// What was supplied.
#[derive(Debug, Default)]
pub(super) struct Supplied {
    canonical: BTreeSet<String>,
    lower: BTreeSet<String>,
    hosts: BTreeSet<String>,
}

impl Reader {
    /// The addresses and ids of a text as it is written and as it is rendered, each once, in order.
    pub(super) fn read(&self, text: &str, language: &str) -> Vec<Foreign> {
        let mut found = self.read_plain(text, language);
        if let Cow::Owned(rendered) = rendered(text) {
            found.extend(self.read_plain(&rendered, language).into_iter().map(|foreign| Foreign { span: None, ..foreign }));
        }
        let mut seen = BTreeSet::new();
        found.retain(|foreign| seen.insert((foreign.code, foreign.canonical.clone())));
        found
    }

    fn read_plain(&self, text: &str, language: &str) -> Vec<Foreign> {
        let mut found: Vec<Foreign> =
            self.addresses.find_iter(text).filter_map(|address| wrapped(text, address.range().into())).collect();
        let taken: Vec<Span> = found.iter().filter_map(|foreign| foreign.span).collect();
        let is_free = |span: Span| {
            let after = taken.partition_point(|other| other.start < span.end);
            !after.checked_sub(1).and_then(|at| taken.get(at)).is_some_and(|other| other.overlaps(span))
        };
        // Reading a text is dear, and most hold nothing that could be a host or an e-mail address.
        if may_hold_an_address(text) {
            let analysis = Analysis::new(Some(language), &self.lexicons);
            for known in analysis.identifiers(text).iter().filter(|known| is_free(known.span)) {
                let (code, host) = match known.kind {
                    IdentifierKind::Url => (URL, known.family.as_ref()),
                    IdentifierKind::Email => (EMAIL, ""),
                    _ => continue,
                };
                found.push(Foreign {
                    code,
                    canonical: known.canonical.to_string(),
                    host: host.to_owned(),
                    written: known.span.of(text).to_owned(),
                    span: Some(known.span),
                });
            }
        }
        // A DOI inside its address is the address.
        for (number, pattern) in self.ids.iter().enumerate() {
            let ids = pattern.find_iter(text).filter(|id| is_free(id.range().into()));
            found.extend(ids.map(|id| Foreign {
                code: ID,
                canonical: canonical_id(number, id.as_str()),
                host: String::new(),
                written: id.as_str().to_owned(),
                span: Some(id.range().into()),
            }));
        }
        found.sort_by_key(|foreign| foreign.span);
        found
    }
}

impl Supplied {
    /// Adds what a text supplies; reads it only where it may hold one of `wanted`.
    pub(super) fn add(&mut self, text: &str, wanted: &[Foreign], reader: &Reader, language: &str) {
        let lower = text.to_lowercase();
        let coded = !lower.is_ascii() || lower.contains(['%', '&', '\\']) || lower.contains("xn--");
        let may_hold = |foreign: &Foreign| {
            // Ids compare without the space inside them.
            let linked = foreign.code == URL && (lower.contains("//") || lower.contains("www."));
            coded || linked || foreign.code == ID || lower.contains(foreign.host.as_str()) && lower.contains(['.', ':'])
        };
        if !wanted.iter().any(|foreign| !self.has(foreign) && may_hold(foreign)) {
            return;
        }
        for foreign in reader.read(text, language) {
            if !foreign.host.is_empty() {
                // The bare host of a supplied address may be named alone.
                self.canonical.insert(foreign.host.clone());
                self.hosts.insert(foreign.host);
            }
            self.lower.insert(foreign.canonical.to_lowercase());
            self.canonical.insert(foreign.canonical);
        }
    }

    pub(super) fn has(&self, foreign: &Foreign) -> bool {
        self.canonical.contains(&foreign.canonical)
    }

    /// Whether it was supplied but for upper and lower case, which many servers make no difference between.
    pub(super) fn has_in_other_case(&self, foreign: &Foreign) -> bool {
        foreign.code == URL && self.lower.contains(&foreign.canonical.to_lowercase())
    }

    /// The supplied host that a host can be taken for: the same but for look-alike letters, or but for one letter.
    pub(super) fn looks_like(&self, host: &str) -> Option<&str> {
        const MOST_HOSTS: usize = 50;
        const LONGEST_HOST: usize = 100;
        if host.is_empty() || host.len() > LONGEST_HOST || self.hosts.contains(host) {
            return None;
        }
        let plain: String = host.chars().map(look_alike).collect();
        let hosts = self.hosts.iter().filter(|other| other.len() <= LONGEST_HOST).take(MOST_HOSTS);
        let mut alike = hosts.filter(|other| {
            plain == **other || host.starts_with(other.as_str()) || strsim::damerau_levenshtein(&plain, other) == 1
        });
        alike.next().map(String::as_str)
    }
}

/// The Latin letter that a Cyrillic or Greek one is taken for.
const fn look_alike(c: char) -> char {
    match c {
        'а' | 'α' => 'a',
        'с' => 'c',
        'ԁ' => 'd',
        'е' => 'e',
        'һ' => 'h',
        'і' | 'ι' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' => 'l',
        'п' => 'n',
        'о' | 'ο' => 'o',
        'р' | 'ρ' => 'p',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' => 'u',
        'ν' => 'v',
        'х' | 'χ' => 'x',
        'у' => 'y',
        _ => c,
    }
}

/// An address that the pattern found, without the punctuation around it; `None` for two slashes in prose or code.
fn wrapped(text: &str, found: Span) -> Option<Foreign> {
    let span = Span::new(found.start, found.start + without_closing_marks(in_prose(found.of(text))).len());
    let written = span.of(text);
    let address = Address::read(written);
    let before = text.get(..span.start).and_then(|text| text.chars().next_back());
    if written.starts_with(['w', 'W']) && before.is_some_and(|c| c.is_ascii_alphanumeric()) {
        return None;
    }
    if written.starts_with(['/', '\\']) {
        let linked = before.is_some_and(|c| matches!(c, '(' | '"' | '\'' | '=' | '<'));
        let open = before.is_none_or(|c| !c.is_alphanumeric() && c != ':');
        if !(linked || (open && address.host.contains('.'))) {
            return None;
        }
    }
    let written = written.to_owned();
    Some(Foreign { code: URL, canonical: address.canonical, host: address.host, written, span: Some(span) })
}

/// An address without the prose that follows it without a space, as in Japanese. What could be a part of its host stays.
fn in_prose(address: &str) -> &str {
    let Some(at) = address.find(|c| is_unspaced(c) || matches!(c, '。' | '、' | '，' | '）' | '」')) else { return address };
    let (head, rest) = address.split_at(at);
    let behind_host = head.split_once("//").is_some_and(|(_, rest)| rest.contains('/'));
    let harmless = !rest.contains(['.', '@', ':', '．', '｡', '/', '\\']);
    let ends_a_host = head.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '/');
    if harmless && (behind_host || ends_a_host) { head } else { address }
}

/// An address without the punctuation of the sentence or link around it.
fn without_closing_marks(address: &str) -> &str {
    let opened = address.matches('(').count();
    let mut closed = address.matches(')').count();
    let mut rest = address;
    loop {
        let trimmed = rest.trim_end_matches(|c| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '*' | '_' | '\\') || is_apostrophe(c));
        let unopened = trimmed.ends_with(')') && closed > opened;
        closed -= usize::from(unopened);
        let next = if unopened { trimmed.get(..trimmed.len() - 1).unwrap_or_default() } else { trimmed };
        if next.len() == rest.len() {
            return rest;
        }
        rest = next;
    }
}

fn canonical_id(number: usize, written: &str) -> String {
    let plain: String = written.to_lowercase().split_whitespace().collect();
    let digits = || plain.trim_start_matches(|c: char| !c.is_ascii_digit()).to_owned();
    match number {
        0 => format!("doi:{plain}"),
        1 => format!("arxiv:{}", digits().split('v').next().unwrap_or_default()),
        2 => format!("isbn:{}", book(plain.trim_start_matches("isbn-13").trim_start_matches("isbn-10"))),
        3 => format!("pmid:{}", digits()),
        _ => plain,
    }
}

/// The text as Markdown and HTML show it: character references and backslashes before punctuation read out, where there are any.
fn rendered(text: &str) -> Cow<'_, str> {
    const LONGEST: usize = 10;
    if !text.contains(['&', '\\']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['&', '\\']) {
        out.push_str(rest.get(..at).unwrap_or_default());
        let tail = rest.get(at..).unwrap_or_default();
        let (shown, used) = if tail.starts_with('\\') {
            match tail.chars().nth(1).filter(char::is_ascii_punctuation) {
                Some(sign) => (Some(sign), 2),
                None => (Some('\\'), 1),
            }
        } else {
            let end = tail.bytes().take(LONGEST).position(|byte| byte == b';');
            let named = end.and_then(|end| Some((character(tail.get(1..end)?)?, end + 1)));
            named.map_or((Some('&'), 1), |(shown, used)| (Some(shown), used))
        };
        out.extend(shown);
        rest = tail.get(used..).unwrap_or_default();
    }
    out.push_str(rest);
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

/// The character that a reference such as `#47`, `#x2F` or `sol` stands for.
fn character(name: &str) -> Option<char> {
    let code = match name.strip_prefix('#') {
        Some(digits) => match digits.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => digits.parse().ok()?,
        },
        None => match name {
            "amp" => 38,
            "colon" => 58,
            "sol" => 47,
            "bsol" => 92,
            "period" => 46,
            "commat" => 64,
            "lpar" => 40,
            "rpar" => 41,
            "quot" => 34,
            "lt" => 60,
            "gt" => 62,
            "Tab" | "NewLine" => 32,
            _ => return None,
        },
    };
    char::from_u32(code)
}

/// Whether an address may stand in a text: an at sign, or a full stop that does not end a sentence or part a number. Saves
/// reading most texts.
fn may_hold_an_address(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_letter = |at: Option<&u8>| at.is_some_and(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    let joins = |at: usize| {
        let (before, after) = (at.checked_sub(1).and_then(|at| bytes.get(at)), bytes.get(at + 1));
        after.is_some_and(|after| !after.is_ascii_whitespace()) && (is_letter(before) || is_letter(after))
    };
    let mut stops = memchr::memchr_iter(b'.', bytes).peekable();
    bytes.contains(&b'@')
        || text.contains('＠')
        || (stops.peek().is_some() && bytes.contains(&b'/'))
        || stops.any(joins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_renderer_shows() {
        assert_eq!(rendered(r"https&#58;&#x2f;/evil&period;example \[x\]"), "https://evil.example [x]");
        assert_eq!(rendered("R&D; a \\ b"), "R&D; a \\ b");
    }

    #[test]
    fn prose_behind_an_address() {
        assert_eq!(in_prose("https://kb.example/refundsを参照"), "https://kb.example/refunds");
        assert_eq!(in_prose("https://kb.exampleを参照"), "https://kb.example");
        assert_eq!(in_prose("https://kb.exampleを.evil.example"), "https://kb.exampleを.evil.example");
        assert_eq!(without_closing_marks("https://kb.example/a_(b))."), "https://kb.example/a_(b)");
    }

    #[test]
    fn ids_in_several_forms_are_one() {
        assert_eq!(canonical_id(1, "arXiv: 2301.01234v2"), "arxiv:2301.01234");
        assert_eq!(canonical_id(2, "ISBN-13: 978-3-16-148410-0"), canonical_id(2, "ISBN 3-16-148410-X"));
        assert_eq!(canonical_id(0, "10.1000/XYZ"), "doi:10.1000/xyz");
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        for unit in ["a@b.example ", "https://", "&#", "\\", "//", "((", "10.1000/", "www."] {
            let text = unit.repeat(100_000);
            let _ = (rendered(&text), without_closing_marks(&text), may_hold_an_address(&text), in_prose(&text));
        }
    }
}
