//! The hashes that leave: as they are, or under a key (HMAC-SHA-256), so that nobody can find a short secret by hashing
//! guesses.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::text::digest::{self, Digest, hexadecimal};

/// Bytes that a key must have at least.
pub const SHORTEST_KEY: usize = 16;
/// Before the digits of a hash under a key.
pub const KEYED: &str = "hmac-sha256:";
/// What is hashed under a key so that runs under different keys can be told apart.
const CHECK: &[u8] = b"citeward-key-check-1";
/// Hexadecimal digits of that.
const CHECK_DIGITS: usize = 8;

/// A key, which is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(Vec<u8>);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Key {
    /// The key with these bytes; `None` where they are too few ([`SHORTEST_KEY`]).
    #[must_use]
    pub fn new(bytes: &[u8]) -> Option<Self> {
        (bytes.len() >= SHORTEST_KEY).then(|| Self(bytes.to_vec()))
    }

    fn mac(&self, bytes: &[u8]) -> Digest {
        // A key of any length is allowed.
        Hmac::<Sha256>::new_from_slice(&self.0)
            .map_or(Digest([0; 32]), |mac| Digest(mac.chain_update(bytes).finalize().into_bytes().into()))
    }
}

/// How hashes leave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Hashing {
    /// As they are.
    #[default]
    Plain,
    /// HMAC-SHA-256 of the 32 bytes of the hash.
    Keyed(Key),
    /// Under a key that nobody gave: only zeros leave.
    WithoutKey,
}

impl Hashing {
    /// The hash in place of a plain one.
    #[must_use]
    pub fn digest(&self, plain: Digest) -> Digest {
        match self {
            Hashing::Plain => plain,
            Hashing::Keyed(key) => key.mac(&plain.0),
            Hashing::WithoutKey => Digest([0; 32]),
        }
    }

    /// A hash as it is written, in place of a written plain one. What is no plain hash stays as it is.
    #[must_use]
    pub fn written(&self, plain: &str) -> Option<String> {
        if *self == Hashing::Plain || plain.starts_with(KEYED) {
            return None;
        }
        let plain: Digest = plain.parse().ok()?;
        Some(format!("{KEYED}{}", digits(self.digest(plain), 64)))
    }

    /// The first hexadecimal digits of the hash of a text.
    #[must_use]
    pub fn digits(&self, text: &str, count: usize) -> String {
        digits(self.digest(digest::raw(text.as_bytes())), count)
    }

    /// Whether hashes leave under a key.
    #[must_use]
    pub fn is_keyed(&self) -> bool {
        *self != Hashing::Plain
    }

    /// A short value that is the same for the same key; `None` without one.
    #[must_use]
    pub fn key_check(&self) -> Option<String> {
        match self {
            Hashing::Keyed(key) => Some(digits(key.mac(CHECK), CHECK_DIGITS)),
            Hashing::Plain | Hashing::WithoutKey => None,
        }
    }
}

fn digits(digest: Digest, count: usize) -> String {
    let mut digits: String = digest.0.iter().map(|byte| hexadecimal(*byte)).collect();
    digits.truncate(count);
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_example_of_hmac_comes_out() {
        // RFC 4231, test case 1.
        let key = Key::new(&[0x0b; 20]).expect("long enough");
        assert_eq!(
            digits(key.mac(b"Hi There"), 64),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        );
    }

    #[test]
    fn a_key_changes_every_hash_and_is_never_shown() {
        let key = Key::new(b"0123456789abcdef").expect("long enough");
        assert_eq!(format!("{key:?}"), "Key(…)");
        assert_eq!(Key::new(b"0123456789abcde"), None);
        let keyed = Hashing::Keyed(key);
        let plain = digest::raw(b"x").to_string();
        let written = keyed.written(&plain).expect("written");
        assert!(written.starts_with("hmac-sha256:") && written.len() == 12 + 64, "{written}");
        assert_eq!(keyed.written(&written), None, "no hash of a hash");
        assert_eq!(Hashing::Plain.written(&plain), None);
        assert_eq!(Hashing::Plain.digits("abc", 8), "ba7816bf");
        assert_ne!(keyed.digits("abc", 8), "ba7816bf");
        assert_eq!(Hashing::WithoutKey.digits("abc", 8), "00000000");
        assert_eq!(keyed.key_check().map(|check| check.len()), Some(8));
    }
}
