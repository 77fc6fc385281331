//! Web and e-mail addresses: where they stand, and the form in which two of them are compared.

use unicode_normalization::UnicodeNormalization;

use super::punycode;
use super::{Hit, IdentifierKind};
use crate::text::cursor::Cursor;
use crate::text::disguise::is_ignorable;
use crate::text::word::{TokenKind, folded};

/// A web address as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Without what makes no difference to where it leads.
    pub canonical: String,
    /// Its host, in lower case; empty where it has none (`javascript:`). `doi`, `arxiv` and `pmid` for addresses that only resolve such an id.
    pub host: String,
}

impl Address {
    /// Reads an address. What leads to the same place reads the same: letter case, a full stop behind and the alphabet or Punycode of the
    /// host, `http` or `https` or no scheme, `www.`, default ports, percent-encoding of what needs none, a final slash, and a fragment
    /// that only points into the page. The case of a path and everything in a query do count, and so does a user name before the host,
    /// which readers take for the host.
    #[must_use]
    pub fn read(written: &str) -> Self {
        let plain: String =
            written.chars().filter(|c| !is_ignorable(*c)).map(|c| if c == '\\' { '/' } else { c }).collect();
        let (scheme, rest) = scheme(&plain);
        if matches!(scheme.as_str(), "javascript" | "vbscript" | "data") {
            return Self { canonical: plain.to_lowercase(), host: String::new() };
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
        let host = canonical_host(host);
        let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let path = unescaped(path);
        if let (None, Some(id)) = (user, resolved_id(&host, &path)) {
            return Self { canonical: format!("{}:{}", id.0, id.1), host: id.0.to_owned() };
        }
        let mut canonical = match scheme.as_str() {
            "" | "http" | "https" => String::new(),
            other => format!("{other}:"),
        };
        if let Some(user) = user {
            canonical.push_str(user);
            canonical.push('@');
        }
        canonical.push_str(&host);
        canonical.push_str(path.trim_end_matches('/'));
        // Assistants put their own name behind the addresses that a search gave them; such a constant tells nobody anything.
        let own_name = |part: &&str| matches!(*part, "utm_source=openai" | "utm_source=chatgpt.com");
        let query = query.split('&').filter(|part| !own_name(part)).collect::<Vec<_>>().join("&");
        if !query.is_empty() {
            canonical.push('?');
            canonical.push_str(&unescaped(&query));
        }
        // `#/orders` is a page of its own in programs that run in the browser.
        if fragment.starts_with(['/', '!']) {
            canonical.push('#');
            canonical.push_str(&unescaped(fragment));
        }
        Self { canonical, host }
    }
}

/// The scheme in lower case, and what follows it and its slashes.
fn scheme(address: &str) -> (String, &str) {
    let is_scheme = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    };
    match address.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => {
            let lower = scheme.to_ascii_lowercase();
            let runs = matches!(lower.as_str(), "javascript" | "vbscript" | "data" | "http" | "https");
            if runs || rest.starts_with("//") {
                (lower, rest.trim_start_matches('/'))
            } else {
                (String::new(), address)
            }
        }
        _ => (String::new(), address.trim_start_matches('/')),
    }
}

fn canonical_host(host: &str) -> String {
    let decoded = unescaped(host);
    let lower = folded(&decoded).replace(['。', '．', '｡'], ".");
    let bare = lower.strip_suffix(":443").or_else(|| lower.strip_suffix(":80")).unwrap_or(&lower);
    let bare = bare.trim_end_matches('.');
    let bare = bare.strip_prefix("www.").unwrap_or(bare);
    if !bare.contains("xn--") {
        return bare.to_owned();
    }
    let label = |label: &str| label.strip_prefix("xn--").and_then(punycode::decode).unwrap_or_else(|| label.to_owned());
    bare.split('.').map(label).collect::<Vec<_>>().join(".")
}

/// The document id that an address of a resolver stands for.
fn resolved_id(host: &str, path: &str) -> Option<(&'static str, String)> {
    let path = path.strip_prefix('/')?.trim_end_matches('/');
    match host {
        "doi.org" | "dx.doi.org" if path.starts_with("10.") => Some(("doi", path.to_lowercase())),
        "arxiv.org" => {
            let id = path.strip_prefix("abs/").or_else(|| path.strip_prefix("pdf/"))?;
            let id = id.trim_end_matches(".pdf");
            // Revisions are one paper.
            Some(("arxiv", id.rsplit_once('v').map_or(id, |(id, _)| id).to_lowercase()))
        }
        "pubmed.ncbi.nlm.nih.gov" if path.bytes().all(|b| b.is_ascii_digit()) => Some(("pmid", path.to_owned())),
        _ => None,
    }
}

/// A part of an address with every character that needs no percent sign written as itself.
fn unescaped(part: &str) -> String {
    if !part.contains('%') {
        return part.nfc().collect();
    }
    let bytes = part.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let coded = (*byte == b'%').then(|| bytes.get(at + 1..at + 3)).flatten();
        let value =
            coded.and_then(|hex| std::str::from_utf8(hex).ok()).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match value {
            Some(value) if value.is_ascii_alphanumeric() || b"-._~".contains(&value) || value >= 0x80 => {
                out.push(value)
            }
            Some(value) => out.extend_from_slice(format!("%{value:02X}").as_bytes()),
            None => out.push(*byte),
        }
        at += if value.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).nfc().collect()
}

/// An e-mail address as it is compared; letter case makes no difference to any mail server in use.
pub(super) fn canonical_email(written: &str) -> String {
    match written.split_once('@') {
        Some((local, host)) => format!("{}@{}", folded(local), canonical_host(host)),
        None => folded(written).into_owned(),
    }
}

/// An e-mail address without what stands behind a plus sign: most servers deliver it to the same box, but not all.
pub(super) fn without_tag(email: &str) -> String {
    match email.split_once('@') {
        Some((local, host)) => format!("{}@{host}", local.split('+').next().unwrap_or(local)),
        None => email.to_owned(),
    }
}

/// The end of what has no space in it from `at` on, without closing punctuation.
pub(super) fn unspaced_end(cursor: &Cursor<'_>, at: usize) -> usize {
    let mut to = at + 1;
    while to < cursor.len()
        && cursor.joined(to)
        && !cursor.is_mark(to, &['<', '>', '"', '“', '”', '«', '»', '、', '。', '，', '）', '」', '`', '|'])
        && !(cursor.is_mark(to, &[']']) && cursor.is_mark(to + 1, &['(']))
        && !cursor.is(to, TokenKind::Ideograph)
    {
        to += 1;
    }
    let opened = (at..to).filter(|i| cursor.is_mark(*i, &['('])).count();
    let mut closed = (at..to).filter(|i| cursor.is_mark(*i, &[')'])).count();
    while to > at + 1 {
        let closes = cursor.is_mark(to - 1, &[')']) && closed > opened;
        if !closes && !cursor.is_mark(to - 1, &['.', ',', ';', ':', '!', '?', '\'', '’', ']', '}', '*', '_', '…']) {
            break;
        }
        closed -= usize::from(closes);
        to -= 1;
    }
    to
}

/// Endings of hosts that prose does not end a sentence with: "kb.example", "shop.de". Two letters that are words of some language
/// ("in", "no", "so") and endings of files ("sh", "rs", "md") are no sign of an address.
const DOMAINS: [&str; 64] = [
    "com", "org", "net", "edu", "gov", "mil", "io", "dev", "app", "info", "biz", "example", "test", "xyz", "online",
    "site", "shop", "store", "cloud", "tech", "link", "click", "blog", "page", "wiki", "news", "agency", "top", "de",
    "fr", "es", "it", "nl", "pt", "br", "uk", "eu", "ch", "at", "jp", "ai", "co", "cn", "ru", "ua", "pl", "cz", "dk",
    "fi", "se", "hu", "gr", "ie", "ca", "au", "nz", "us", "kr", "tw", "hk", "sg", "mx", "za", "tv",
];

pub(super) fn url(cursor: &Cursor<'_>, at: usize) -> Hit {
    if !cursor.joined(at + 1)
        || cursor.is_taken(at)
        || (cursor.joined(at)
            && !cursor.is(at - 1, TokenKind::Ideograph)
            && !cursor.is_mark(
                at - 1,
                &['(', '[', '<', '"', '\'', '“', '«', '/', '=', ',', ':', '（', '「', '*', '_', '`', '|', '>'],
            ))
    {
        return None;
    }
    let word = cursor.word(at);
    let scheme = matches!(word.as_ref(), "http" | "https" | "ftp" | "ftps" | "sftp" | "ssh" | "git" | "s3");
    let with_scheme = scheme
        && cursor.is_mark(at + 1, &[':'])
        && cursor.is_mark(at + 2, &['/', '\\'])
        && cursor.is_mark(at + 3, &['/', '\\']);
    let www = word == "www" && cursor.is_mark(at + 1, &['.']) && cursor.joined(at + 2);
    if with_scheme || www {
        return Some((at, unspaced_end(cursor, at), IdentifierKind::Url));
    }
    // A host without a scheme: words joined by full stops, the last one a top-level domain.
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

/// An e-mail address from its first token on.
pub(super) fn email(cursor: &Cursor<'_>, at: usize) -> Hit {
    let part = |i: usize| {
        matches!(cursor.kind(i), Some(TokenKind::Word | TokenKind::Digits))
            || cursor.is_mark(i, &['.', '_', '-', '+', '%'])
    };
    // Only where a stretch of such parts begins, so that no stretch is walked twice.
    if cursor.is(at, TokenKind::Mark) || (cursor.joined(at) && part(at - 1)) {
        return None;
    }
    let mut sign = at + 1;
    while part(sign) && cursor.joined(sign) {
        sign += 1;
    }
    if !cursor.is_mark(sign, &['@', '＠']) || !cursor.joined(sign) || !cursor.joined(sign + 1) {
        return None;
    }
    let mut to = sign + 1;
    while part(to) && cursor.joined(to) {
        to += 1;
    }
    while to > sign + 1 && cursor.is(to - 1, TokenKind::Mark) {
        to -= 1;
    }
    let dotted = (sign + 1..to).any(|i| cursor.is_mark(i, &['.']));
    dotted.then_some((at, to, IdentifierKind::Email))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(written: &str) -> String {
        Address::read(written).canonical
    }

    #[test]
    fn what_leads_to_the_same_place_reads_the_same() {
        for written in [
            "https://kb.example/refunds",
            "HTTP://WWW.KB.example:443/refunds/",
            "kb.example./refunds#cash",
            "//kb.example/%72efunds",
            "https:\\\\kb.example\\refunds",
            "https://ｋｂ。example/refunds?utm_source=openai",
            "kb.ex\u{ad}ample/refunds",
        ] {
            assert_eq!(canonical(written), "kb.example/refunds", "{written}");
        }
        assert_eq!(canonical("https://xn--mnchen-3ya.example/Stra%c3%9Fe"), "münchen.example/Straße");
        assert_eq!(canonical("https://doi.org/10.1000/XYZ"), "doi:10.1000/xyz");
        assert_eq!(canonical("https://arxiv.org/pdf/2301.01234.pdf"), "arxiv:2301.01234");
    }

    #[test]
    fn what_leads_elsewhere_does_not() {
        for written in [
            "https://kb.example@evil.example/refunds",
            "https://kb.example/Refunds",
            "https://kb.example/refunds?to=1",
            "https://kb.example/refunds#/cash",
            "https://kb.example:8443/refunds",
            "ftp://kb.example/refunds",
            "https://kb.еxample/refunds",
            "https://kb.example/%2Frefunds",
            "https://kb.example.evil.example/refunds",
        ] {
            assert_ne!(canonical(written), "kb.example/refunds", "{written}");
        }
        assert_eq!(Address::read("https://kb.example@evil.example/x").host, "evil.example");
        assert_eq!(canonical("javascript:alert(1)"), "javascript:alert(1)");
    }
}
