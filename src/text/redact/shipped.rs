//! The shipped patterns: e-mail addresses, keys, tokens, account numbers. Phone numbers have a file of their own.
//!
//! Each finder gives spans in ascending order and takes time linear in the length of the text.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::phone;

/// A shipped pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shipped {
    /// E-mail addresses.
    Email,
    /// Phone numbers.
    Phone,
    /// Keys: of cloud and other services by their shape, private keys, and what stands behind `api_key=`, `password:` ….
    Key,
    /// Tokens: JWTs, what stands behind `Bearer` and `token=`, credentials in addresses, and the keys of services by their shape.
    Token,
    /// International bank account numbers, check digits and all.
    Iban,
}

impl Shipped {
    /// The pattern of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "email" => Shipped::Email,
            "phone" => Shipped::Phone,
            "key" => Shipped::Key,
            "token" => Shipped::Token,
            "iban" => Shipped::Iban,
            _ => return None,
        })
    }

    /// Where it matches.
    pub(super) fn find(self, text: &str, into: &mut Vec<Range<usize>>) {
        match self {
            Shipped::Email if memchr::memchr(b'@', text.as_bytes()).is_none() => {}
            Shipped::Email => into.extend(EMAIL.find_iter(text).map(|found| found.range())),
            Shipped::Phone => phone::find(text, into),
            Shipped::Key => {
                into.extend(SERVICE.find_iter(text).map(|found| found.range()));
                into.extend(PRIVATE.find_iter(text).map(|found| found.range()));
                values(&NAMED_KEY, text, is_random, into);
                values(&PASSWORD, text, |_| true, into);
            }
            Shipped::Token => {
                into.extend(SERVICE.find_iter(text).map(|found| found.range()));
                into.extend(JWT.find_iter(text).map(|found| found.range()));
                values(&SCHEME, text, is_random, into);
                values(&NAMED_TOKEN, text, is_random, into);
                values(&IN_ADDRESS, text, |_| true, into);
            }
            Shipped::Iban => iban(text, into),
        }
    }
}

/// A pattern that is known to compile; the tests use every one.
fn regex(pattern: &str) -> Regex {
    #[allow(clippy::expect_used, reason = "a constant of this file, compiled by its tests")]
    Regex::new(pattern).expect("a sound pattern")
}

/// The values that a pattern captures in its group `v`, where they look like one.
fn values(pattern: &Regex, text: &str, looks: impl Fn(&str) -> bool, into: &mut Vec<Range<usize>>) {
    let found = pattern.captures_iter(text).filter_map(|captures| captures.name("v"));
    into.extend(found.filter(|value| looks(value.as_str())).map(|value| value.range()));
}

/// Whether a value is no word of a language: it holds a digit, or letters of both cases inside.
fn is_random(value: &str) -> bool {
    let inner = value.chars().skip(1);
    value.chars().any(|c| c.is_ascii_digit())
        || (inner.clone().any(|c| c.is_ascii_uppercase()) && inner.clone().any(|c| c.is_ascii_lowercase()))
}

static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r#"(?:[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}._%+&'’!#$*/=?^`{|}~-]*|"[^"\s@][^"\r\n@]{0,62}")@\s{0,8}"#,
        r"(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+(?:[xX][nN]--[0-9A-Za-z-]+|\p{L}[\p{L}\p{M}]+)",
        r"|[\p{L}\p{N}_][\p{L}\p{N}._%+-]*@\[[0-9A-Fa-f.:]{7,45}\]",
    ))
});

/// Keys and tokens that tell by their beginning whose they are.
static SERVICE: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        // Amazon; Google; GitHub; GitLab; Slack.
        r"\b(?-u:(?:AKIA|ASIA|AGPA|AIDA|AROA|ABIA|ACCA|ANPA)[A-Z0-9]{16}",
        r"|AIza[0-9A-Za-z_-]{30,}|ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[0-9A-Za-z_-]{20,}",
        r"|gh[pousr]_[0-9A-Za-z]{20,}|github_pat_[0-9A-Za-z_]{20,}|gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[0-9A-Za-z_-]{16,}",
        r"|xox[abceoprs](?:\.xox[bp])?-[0-9A-Za-z-]{10,}|xapp-[0-9A-Za-z-]{10,}|hooks\.slack\.com/services/[0-9A-Za-z/]{20,}",
        // OpenAI, Anthropic and their like; Stripe; npm, PyPI, Hugging Face, SendGrid, Shopify, DigitalOcean, Linear, Databricks.
        r"|sk-[0-9A-Za-z_-]{20,}|(?:sk|rk|pk|whsec)_(?:live_|test_)?[0-9A-Za-z]{16,}",
        r"|npm_[0-9A-Za-z]{20,}|pypi-[0-9A-Za-z_-]{16,}|hf_[0-9A-Za-z]{20,}|SG\.[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{16,}",
        r"|shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}|do[opr]_v1_[0-9a-f]{40,}|lin_api_[0-9A-Za-z]{20,}|dapi[0-9a-f]{32}",
        r"|AccountKey=[0-9A-Za-z+/]{40,}={0,2})",
    ))
});

/// A private key, to its end or to that of the text.
static PRIVATE: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?s:.*?)",
        r"(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\z)",
        r"|\bAGE-SECRET-KEY-1[0-9A-Z]{20,}",
    ))
});

/// What may stand between a name and its value: `key = "…"`, `"key": "…"`, `key: …`, `key=…`, `key => …`.
const BETWEEN: &str = r#"["'`]?\s{0,8}(?::=|=>|[:=])\s{0,8}["'`]?"#;

static NAMED_KEY: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r#"(?i)(?:api|app|access|account|auth|client|consumer|encryption|master|private|secret|shared|signing|storage|subscription|webhook)[ _-]?(?:key|secret)(?:[ _-]?(?:id|value))?{BETWEEN}(?P<v>[^\s"'`,;&<>\[\]]{{8,}})"#
    ))
});

static PASSWORD: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r#"(?i)(?:passw(?:or)?d|passphrase|passwort|kennwort|contraseña|mot[ _]de[ _]passe|\bpwd|\bsecret){BETWEEN}(?P<v>[^\s"'`,;&<>\[\]]{{6,}})"#
    ))
});

static JWT: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\beyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}(?:\.[0-9A-Za-z_-]*)*"));

static SCHEME: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)\b(?:bearer|basic|digest|negotiate|apikey)\s{1,4}(?P<v>[0-9A-Za-z._~+/-]{12,}={0,2})")
});

static NAMED_TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    regex(&format!(
        r#"(?i)(?:token|session[ _-]?id|jsessionid|phpsessid|\bsid|csrf|otp|nonce|\bsig|signature){BETWEEN}(?P<v>[0-9A-Za-z._~+/%-]{{8,}}={{0,2}})"#
    ))
});

/// A name and a password before the host of an address.
static IN_ADDRESS: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\b[A-Za-z][0-9A-Za-z+.-]{1,20}://(?P<v>[^\s/@:?#<>]{0,100}:[^\s/@?#<>]{1,200})@"));

static IBAN_START: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i-u:\b[a-z]{2}[0-9]{2})"));

/// Characters of an account number by country, as the registry of SWIFT lists them.
const IBAN_LENGTHS: &str = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24\
    FI18FK18FO18FR27GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27\
    MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28\
    TL23TN24TR26UA29VA22VG24XK20YE30";

fn iban_length(country: &str) -> Option<usize> {
    let mut known = (0..IBAN_LENGTHS.len()).step_by(4).filter_map(|at| IBAN_LENGTHS.get(at..at + 4));
    known.find(|entry| entry[..2].eq_ignore_ascii_case(country))?[2..].parse().ok()
}

fn iban(text: &str, into: &mut Vec<Range<usize>>) {
    let mut behind = 0;
    for found in IBAN_START.find_iter(text) {
        if found.start() < behind {
            continue;
        }
        if let Some(end) = text.get(found.start()..found.start() + 2).and_then(iban_length).and_then(|length| {
            let end = iban_end(text, found.start(), length)?;
            has_check_digits(&text[found.start()..end]).then_some(end)
        }) {
            behind = end;
            into.push(found.start()..end);
        }
    }
}

/// Where an account number of this many characters ends that begins here; one blank or hyphen may stand between two of them.
fn iban_end(text: &str, start: usize, length: usize) -> Option<usize> {
    let mut left = length;
    let mut was_joint = false;
    for (at, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            b' ' | b'-' if !was_joint => was_joint = true,
            byte if byte.is_ascii_alphanumeric() => {
                was_joint = false;
                left -= 1;
            }
            _ => return None,
        }
        if left == 0 {
            let next = text.as_bytes().get(at + 1);
            return (!next.is_some_and(u8::is_ascii_alphanumeric)).then_some(at + 1);
        }
    }
    None
}

/// ISO 7064, MOD 97-10: with the first four characters behind the others and letters as 10 to 35, the remainder is 1.
fn has_check_digits(number: &str) -> bool {
    let signs: Vec<u8> = number.bytes().filter(u8::is_ascii_alphanumeric).collect();
    let turned = signs.iter().cycle().skip(4).take(signs.len());
    let remainder = turned.fold(0_u32, |remainder, sign| match char::from(*sign).to_digit(36) {
        Some(value @ 10..) => (remainder * 100 + value) % 97,
        Some(value) => (remainder * 10 + value) % 97,
        None => remainder,
    });
    remainder == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(shipped: Shipped, text: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        shipped.find(text, &mut spans);
        spans.sort_by_key(|span| (span.start, span.end));
        spans.dedup();
        spans.into_iter().map(|span| &text[span]).collect()
    }

    fn table(shipped: Shipped, must: &[(&str, &str)], must_not: &[&str]) {
        for (text, expected) in must {
            assert_eq!(found(shipped, text), [*expected], "{text}");
        }
        for text in must_not {
            assert_eq!(found(shipped, text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn e_mail_addresses() {
        table(
            Shipped::Email,
            &[
                ("write to desk@example.com.", "desk@example.com"),
                ("<first.last+tag@mail.example.co.uk>", "first.last+tag@mail.example.co.uk"),
                ("MAILTO:DESK@EXAMPLE.COM", "DESK@EXAMPLE.COM"),
                ("'o'desk@example.com'", "o'desk@example.com"),
                ("büro@müller.example", "büro@müller.example"),
                ("a@xn--mller-kva.xn--p1ai", "a@xn--mller-kva.xn--p1ai"),
                ("\"front desk\"@example.com", "\"front desk\"@example.com"),
                ("root@[192.0.2.1]", "root@[192.0.2.1]"),
                ("(x_1@example.museum)", "x_1@example.museum"),
                ("ask desk@ example.com now", "desk@ example.com"),
                ("ask desk@\r\n  example.com now", "desk@\r\n  example.com"),
            ],
            &[
                "react@18.2.0",
                "@handle",
                "meet @ 10.30",
                "a@b",
                "user@localhost",
                "1@2",
                "x @example.com",
                "[doc_12]",
                "price@ 20.50",
                "meet me@ 5 pm. Then",
                "at the store @ example.com",
            ],
        );
    }

    #[test]
    fn account_numbers() {
        table(
            Shipped::Iban,
            &[
                ("IBAN DE89 3704 0044 0532 0130 00 and more", "DE89 3704 0044 0532 0130 00"),
                ("GB82WEST12345698765432", "GB82WEST12345698765432"),
                ("to nl91abna0417164300.", "nl91abna0417164300"),
                ("FR14-2004-1010-0505-0001-3M02-606", "FR14-2004-1010-0505-0001-3M02-606"),
                ("NO9386011117947;", "NO9386011117947"),
            ],
            &[
                "DE88 3704 0044 0532 0130 00",
                "DE89 3704 0044 0532 0130 0",
                "DE8937040044053201300099",
                "ZZ82WEST12345698765432",
                "ISO 9001, EN50128, DIN 5008",
                "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ],
        );
    }

    #[test]
    fn keys() {
        let github = format!("ghp_{}", "a1B2".repeat(9));
        let openai = format!("sk-proj-{}", "a1B2".repeat(9));
        table(
            Shipped::Key,
            &[
                ("id AKIAIOSFODNN7EXAMPLE here", "AKIAIOSFODNN7EXAMPLE"),
                (&format!("use {github}."), &github),
                (&format!("\"{openai}\""), &openai),
                ("xoxb-123456789012-abcdefABCDEF", "xoxb-123456789012-abcdefABCDEF"),
                ("api_key=9f8a7b6c5d4e3f2a1b0c", "9f8a7b6c5d4e3f2a1b0c"),
                ("\"apiKey\": \"9f8a7b6c5d4e3f2a1b0c\"", "9f8a7b6c5d4e3f2a1b0c"),
                (
                    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                ),
                ("password: hunter22", "hunter22"),
                ("Passwort=geheimes", "geheimes"),
                (
                    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- z",
                    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
                ),
                ("-----BEGIN PRIVATE KEY-----\nMIIEvQ", "-----BEGIN PRIVATE KEY-----\nMIIEvQ"),
            ],
            &[
                "the api key is rotated every 90 days",
                "access key: required",
                "a primary key: customer",
                "-----BEGIN CERTIFICATE-----",
                "sk-learn and risk-based",
                "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "password must have 12 characters",
                "doc_12, policy_18, 2026-08-20, v1.2.3, 978-3-16-148410-0",
            ],
        );
    }

    #[test]
    fn tokens() {
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        table(
            Shipped::Token,
            &[
                (&format!("cookie {jwt};"), jwt),
                ("Authorization: Bearer abcdef1234567890", "abcdef1234567890"),
                ("Authorization: Basic dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNzd29yZA=="),
                ("https://x.example/?access_token=abc123def456&x=1", "abc123def456"),
                ("\"refresh_token\":\"abc123def456\"", "abc123def456"),
                ("https://user:s3cret@host.example/", "user:s3cret"),
            ],
            &[
                "the bearer responsibilities",
                "a token: something",
                "tokenisation of words",
                "https://host.example:8080/path",
                "basic instructions",
                "2026-08-20T10:00:00Z",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ],
        );
    }
}
