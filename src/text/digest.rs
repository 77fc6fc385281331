//! SHA-256 digests of texts: over the exact bytes, and over a named normalisation.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The name of the normalisation that text digests are taken over: Unicode NFC, then CRLF becomes LF.
///
/// A lone CR is kept: it is no line ending that an editor or a transfer would change behind one's back.
pub const TEXT_NORMALISATION: &str = "citeward-text-1";

const PREFIX: &str = "sha256:";

/// A SHA-256 digest. Written `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

/// The two digests of one text (SPEC 4.2), so that line endings cannot look like drift and real drift cannot hide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Digests {
    /// Over the exact bytes.
    pub raw: Digest,
    /// Over the text as [`TEXT_NORMALISATION`] leaves it.
    pub text: Digest,
}

/// The digest of exactly these bytes.
pub fn raw(bytes: &[u8]) -> Digest {
    Digest(Sha256::digest(bytes).into())
}

/// The digest of `text` after [`TEXT_NORMALISATION`].
pub fn text(text: &str) -> Digest {
    raw(normalised(text).as_bytes())
}

/// Both digests of `text`; hashes once where normalisation changes nothing, which is the usual case.
pub fn both(text: &str) -> Digests {
    let exact = raw(text.as_bytes());
    let normal = match normalised(text) {
        Cow::Borrowed(_) => exact,
        Cow::Owned(changed) => raw(changed.as_bytes()),
    };
    Digests { raw: exact, text: normal }
}

/// `text` after [`TEXT_NORMALISATION`]; borrowed where there is nothing to change.
pub fn normalised(text: &str) -> Cow<'_, str> {
    let composed = if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        let composed: String = text.nfc().collect();
        if composed == text { Cow::Borrowed(text) } else { Cow::Owned(composed) }
    };
    if composed.contains("\r\n") { Cow::Owned(composed.replace("\r\n", "\n")) } else { composed }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PREFIX)?;
        self.0.iter().try_for_each(|byte| f.write_str(hexadecimal(*byte)))
    }
}

/// The two lower-case hexadecimal digits of a byte.
#[must_use]
pub fn hexadecimal(byte: u8) -> &'static str {
    const ALL: &str = concat!(
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f",
        "303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f",
        "606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f",
        "909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf",
        "c0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeef",
        "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
    );
    let at = usize::from(byte) * 2;
    ALL.get(at..at + 2).unwrap_or_default()
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no SHA-256 digest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a SHA-256 digest: expected 64 hexadecimal digits, with or without `sha256:` before them")]
pub struct DigestError;

impl FromStr for Digest {
    type Err = DigestError;

    /// Reads 64 hexadecimal digits of either case, with or without the `sha256:` prefix.
    fn from_str(written: &str) -> Result<Self, DigestError> {
        let hex = written.strip_prefix(PREFIX).unwrap_or(written).as_bytes();
        if hex.len() != 64 {
            return Err(DigestError);
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(hex.chunks_exact(2)) {
            let digit = |at: usize| pair.get(at).and_then(|b| char::from(*b).to_digit(16)).ok_or(DigestError);
            let value = digit(0)? * 16 + digit(1)?;
            *byte = u8::try_from(value).map_err(|_| DigestError)?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = Cow::<'de, str>::deserialize(deserializer)?;
        written.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-2, appendix B.1.
    const ABC: &str = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn the_published_example_comes_out() {
        assert_eq!(raw(b"abc").to_string(), ABC);
        assert_eq!(ABC.parse(), Ok(raw(b"abc")));
        assert_eq!(serde_json::to_value(raw(b"abc")).ok(), Some(serde_json::json!(ABC)));
    }

    #[test]
    fn line_endings_and_composition_change_only_the_raw_digest() {
        let (unix, windows) = (both("caf\u{e9}\nok"), both("cafe\u{301}\r\nok"));
        assert_ne!(unix.raw, windows.raw);
        assert_eq!(unix.text, windows.text);
        assert_eq!(unix.raw, unix.text);
    }

    #[test]
    fn a_lone_carriage_return_and_compatibility_letters_stay() {
        assert!(matches!(normalised("a\rb"), Cow::Borrowed("a\rb")));
        assert_ne!(text("ﬁ"), text("fi"));
    }

    #[test]
    fn every_byte_has_its_two_digits() {
        for byte in 0..=u8::MAX {
            assert_eq!(hexadecimal(byte), format!("{byte:02x}"));
        }
    }

    #[test]
    fn what_is_no_digest_is_refused() {
        assert_eq!("sha256:12".parse::<Digest>(), Err(DigestError));
        assert_eq!(["g"; 64].concat().parse::<Digest>(), Err(DigestError));
        assert_eq!(["ä"; 32].concat().parse::<Digest>(), Err(DigestError));
    }
}
