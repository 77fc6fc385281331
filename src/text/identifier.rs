//! Identifiers: addresses, versions, standards, codes, and names with digits in them. None of them is a quantity.

pub mod address;
pub(crate) mod code;
pub mod compare;
mod likeness;
mod punycode;
mod run;
mod standard;

use super::cursor::Cursor;
use super::outcome::Weight;
use super::span::Span;
use super::word::{TokenKind, folded};

use self::address::Address;
pub use self::likeness::Likeness;

/// What kind of identifier it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IdentifierKind {
    /// A web address, with or without its scheme.
    Url,
    /// An e-mail address.
    Email,
    /// A version: `1.2.3`, `v2`, `version 3.1`, `Python 3.11`.
    Version,
    /// A standard or a law: `ISO 27001`, `RFC 2119`, `CVE-2024-1234`, `45 CFR 164`.
    Standard,
    /// An id that is the same everywhere: a DOI, an arXiv number, a UUID, the hash of a file, a bank account.
    Id,
    /// Where a file or a page of an interface is: `/etc/hosts`, `/v1/orders`, `C:\logs`.
    Path,
    /// A flag of a command: `--dry-run`.
    Flag,
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
    /// What two of them share that may say different things about one matter: the host, the issuer, the product, the name without its digits.
    pub family: Box<str>,
}

impl Identifier {
    /// Addresses, versions, standards, ids, paths and flags decide; names, references and codes only raise a suspicion.
    pub const fn weight(&self) -> Weight {
        match self.kind {
            IdentifierKind::Url
            | IdentifierKind::Email
            | IdentifierKind::Version
            | IdentifierKind::Standard
            | IdentifierKind::Id
            | IdentifierKind::Path
            | IdentifierKind::Flag => Weight::Final,
            IdentifierKind::Reference | IdentifierKind::Name | IdentifierKind::Code => Weight::Triage,
        }
    }

    fn new(cursor: &Cursor<'_>, (from, to): (usize, usize), kind: IdentifierKind) -> Self {
        let mut span = cursor.stretch(from, to);
        if cursor.is(from, TokenKind::Word) && !matches!(kind, IdentifierKind::Url | IdentifierKind::Email) {
            span.start += cursor.raw(from).len() - standard::without_article(cursor.raw(from)).len();
        }
        let written = span.of(cursor.text);
        let (kind, family, canonical) = read_as(kind, written);
        Self { span, kind, canonical: canonical.into(), family: family.into() }
    }
}

/// Reads the identifiers at the cursor's tokens and takes them.
pub(crate) fn read(cursor: &mut Cursor<'_>) -> Vec<Identifier> {
    let mut found = Vec::new();
    let mut at = cursor.next_start(0);
    while at < cursor.len() {
        let hit = match cursor.kind(at) {
            Some(TokenKind::Word) => address::email(cursor, at)
                .or_else(|| code::document(cursor, at))
                .or_else(|| address::url(cursor, at))
                .or_else(|| code::account(cursor, at))
                .or_else(|| code::path(cursor, at))
                .or_else(|| standard::standard(cursor, at))
                .or_else(|| standard::reference(cursor, at))
                .or_else(|| run::named(cursor, at)),
            Some(TokenKind::Digits) => {
                address::email(cursor, at).or_else(|| code::document(cursor, at)).or_else(|| standard::law(cursor, at))
            }
            Some(TokenKind::Mark) => code::flag(cursor, at)
                .or_else(|| code::path(cursor, at))
                .or_else(|| code::telephone(cursor, at))
                .or_else(|| standard::reference(cursor, at)),
            _ => None,
        };
        let hit = hit.or_else(|| if run::runs_on(cursor, at) { None } else { run::joined_run(cursor, at) });
        match hit {
            Some((from, to, kind)) if !(from..to).any(|i| cursor.is_taken(i)) => {
                found.push(Identifier::new(cursor, (from, to), kind));
                cursor.take(from, to);
                at = to.max(at + 1);
                if kind == IdentifierKind::Version {
                    at = listed(cursor, at, &mut found);
                }
            }
            _ => at += 1,
        }
        at = cursor.next_start(at);
    }
    found
}

/// "TLS 1.2 and 1.3", "Python 3.9, 3.10 or 3.11": further versions of the product before token `at`; gives the token behind them.
fn listed(cursor: &mut Cursor<'_>, at: usize, found: &mut Vec<Identifier>) -> usize {
    let mut at = at;
    while let Some(family) = found.last().map(|last| last.family.clone()).filter(|family| !family.is_empty()) {
        let Some((from, to)) = run::next_version(cursor, at) else { break };
        found.push(Identifier { family, ..Identifier::new(cursor, (from, to), IdentifierKind::Version) });
        cursor.take(from, to);
        at = to;
    }
    at
}

type Hit = Option<(usize, usize, IdentifierKind)>;

/// The kind in the end, the family and the compared form: no case, no spaces, one kind of dash.
fn read_as(kind: IdentifierKind, written: &str) -> (IdentifierKind, String, String) {
    let plain = || -> String {
        let signs = folded(written);
        let shown = signs.chars().filter(|c| !c.is_whitespace());
        shown.map(|c| if super::normal::is_dash(c) { '-' } else { c }).collect()
    };
    let (family, canonical) = match kind {
        IdentifierKind::Url => {
            let Address { canonical, host } = Address::read(written);
            let resolves = matches!(host.as_str(), "doi" | "arxiv" | "pmid");
            return (if resolves { IdentifierKind::Id } else { kind }, host, canonical);
        }
        IdentifierKind::Email => {
            let canonical = address::canonical_email(written);
            (canonical.split_once('@').map_or_else(String::new, |(_, host)| host.to_owned()), canonical)
        }
        IdentifierKind::Version => {
            let plain = plain();
            let digits = plain.find(|c: char| c.is_numeric()).unwrap_or(0);
            let (product, number) = plain.split_at(digits);
            let product = product.trim_end_matches(['.', ':']);
            let product = if standard::place(product) == "version" { "" } else { product };
            (product.to_owned(), number.to_owned())
        }
        IdentifierKind::Standard => standard::canonical(written),
        IdentifierKind::Reference => standard::canonical_place(written),
        IdentifierKind::Id => code::canonical(written),
        IdentifierKind::Path | IdentifierKind::Flag => (String::new(), written.trim_end_matches('/').to_owned()),
        IdentifierKind::Name => {
            let plain = plain();
            (plain.chars().filter(|c| c.is_alphabetic()).collect(), plain.replace(['-', '.'], ""))
        }
        IdentifierKind::Code => match plain() {
            plain if plain.starts_with(['+', '＋']) => ("telephone".to_owned(), code::digits_of(&plain)),
            plain => {
                let sign = plain.chars().find(|c| !c.is_numeric()).map_or_else(String::new, String::from);
                (sign, plain)
            }
        },
    };
    (kind, family, canonical)
}

#[cfg(test)]
mod tests {
    use super::IdentifierKind::{Code, Email, Flag, Id, Name, Path, Reference, Standard, Url, Version};
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
        assert_reads("Selon l'article 5 et l’ISO 9001", &[("article 5", Reference), ("ISO 9001", Standard)]);
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
    fn addresses_among_other_signs() {
        assert_reads(
            "See [https://kb.example/a](https://kb.example/b).",
            &[("https://kb.example/a", Url), ("https://kb.example/b", Url)],
        );
        assert_reads(
            "<https://kb.example/a_(b)>, `kb.example/c`",
            &[("https://kb.example/a_(b)", Url), ("kb.example/c", Url)],
        );
        assert_reads("詳細はhttps://kb.example/aを参照。", &[("https://kb.example/a", Url)]);
        assert_reads("user2+tag@shop.example", &[("user2+tag@shop.example", Email)]);
    }

    #[test]
    fn ids_that_are_the_same_everywhere() {
        assert_reads(
            "doi:10.1000/xyz123, https://doi.org/10.1000/a.b and arXiv:2301.01234v2",
            &[("doi:10.1000/xyz123", Id), ("https://doi.org/10.1000/a.b", Id), ("arXiv:2301.01234v2", Id)],
        );
        assert_reads(
            "Pay to GB82 WEST 1234 5698 7654 32 for 550e8400-e29b-41d4-a716-446655440000 now.",
            &[("GB82 WEST 1234 5698 7654 32", Id), ("550e8400-e29b-41d4-a716-446655440000", Id)],
        );
        assert_reads("Call +49 30 1234567 today.", &[("+49 30 1234567", Code)]);
        assert_reads("It grew by +10 000 000 in all.", &[]);
    }

    #[test]
    fn what_people_type() {
        assert_reads(
            "Run `tool --dry-run` on /etc/app/conf.d or C:\\logs\\a.txt.",
            &[("--dry-run", Flag), ("/etc/app/conf.d", Path), ("C:\\logs\\a.txt", Path)],
        );
        assert_reads("The plan --which was good-- costs 9 EUR /user/month and/or more.", &[]);
    }

    #[test]
    fn standards_and_laws_of_several_forms() {
        assert_reads(
            "RFC9110, NIST SP 800-53, IEEE Std 1003.1, SOC 2 Type II and 45 C.F.R. § 164.312",
            &[
                ("RFC9110", Standard),
                ("NIST SP 800-53", Standard),
                ("IEEE Std 1003.1", Standard),
                ("SOC 2 Type II", Standard),
                ("45 C.F.R. § 164.312", Standard),
            ],
        );
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
