//! Case ids that stand twice, over a dataset of any size, in at most 48 bytes per case.
//!
//! A place holds a 128-bit hash of the id and where the case stands: 24 bytes. The places are spread over shards that
//! grow one at a time by half, filled to at most 80 %: never more than 24 / 0.8 · 1.5 = 45 bytes per case once there
//! are many, and no moment in which the whole table is held twice.

use sha2::{Digest as _, Sha256};

const SHARDS: usize = 256;

/// First size of a shard, in places.
const FIRST: usize = 8;

/// Bits of a position that hold the line; the others hold the file.
const LINE_BITS: u32 = 40;

/// The first 128 bits of the SHA-256 of an id: two ids of one dataset never share it, whoever chose them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdHash {
    high: u64,
    low: u64,
}

impl IdHash {
    /// The hash of an id.
    #[must_use]
    pub fn of(id: &str) -> Self {
        let digest: [u8; 32] = Sha256::digest(id.as_bytes()).into();
        let part = |from: usize| digest.iter().skip(from).take(8).fold(0, |word, byte| (word << 8) | u64::from(*byte));
        Self { high: part(0), low: part(8) }
    }
}

#[derive(Debug, Clone, Copy)]
struct Place {
    hash: IdHash,
    /// File and line plus one, so that 0 is a free place.
    position: u64,
}

const FREE: Place = Place { hash: IdHash { high: 0, low: 0 }, position: 0 };

#[derive(Debug, Default)]
struct Shard {
    places: Vec<Place>,
    used: usize,
}

/// The case ids seen so far, each with the place of its first case.
#[derive(Debug)]
pub struct SeenIds {
    shards: Vec<Shard>,
}

impl Default for SeenIds {
    fn default() -> Self {
        Self { shards: (0..SHARDS).map(|_| Shard::default()).collect() }
    }
}

impl SeenIds {
    /// Notes a case id with its file (index) and line; gives file and line of the case that has it already.
    ///
    /// Files up to 16 million and lines up to a million million are told apart.
    pub fn insert(&mut self, id: &str, file: u32, line: u64) -> Option<(u32, u64)> {
        self.insert_hash(IdHash::of(id), file, line)
    }

    /// As [`SeenIds::insert`], with a hash that was computed elsewhere.
    pub fn insert_hash(&mut self, hash: IdHash, file: u32, line: u64) -> Option<(u32, u64)> {
        let most = (1_u64 << LINE_BITS) - 1;
        let position = (u64::from(file) << LINE_BITS) | (line + 1).min(most);
        let shard = self.shards.get_mut(hash.high as usize % SHARDS)?;
        let taken = shard.insert(Place { hash, position })?;
        let file = u32::try_from(taken >> LINE_BITS).unwrap_or(u32::MAX);
        Some((file, (taken & most) - 1))
    }

    /// Bytes held, for measuring.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.shards.iter().map(|shard| shard.places.capacity() * size_of::<Place>()).sum()
    }
}

impl Shard {
    fn insert(&mut self, place: Place) -> Option<u64> {
        if (self.used + 1) * 5 > self.places.len() * 4 {
            self.grow();
        }
        let taken = Self::put(&mut self.places, place);
        self.used += usize::from(taken.is_none());
        taken
    }

    fn grow(&mut self) {
        let size = (self.places.len() + self.places.len() / 2).max(FIRST);
        let mut places = Vec::new();
        places.reserve_exact(size);
        places.resize(size, FREE);
        for place in self.places.iter().filter(|place| place.position != 0) {
            Self::put(&mut places, *place);
        }
        self.places = places;
    }

    /// Puts a place at the first free one from its own on; gives the position of one with the same hash.
    fn put(places: &mut [Place], place: Place) -> Option<u64> {
        let start = place.hash.low as usize % places.len().max(1);
        let (before, after) = places.split_at_mut_checked(start)?;
        for here in after.iter_mut().chain(before) {
            if here.position == 0 {
                *here = place;
                return None;
            }
            if here.hash == place.hash {
                return Some(here.position);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_place_is_given_and_letter_case_counts() {
        let mut seen = SeenIds::default();
        assert_eq!(seen.insert("refund-1", 0, 1), None);
        assert_eq!(seen.insert("Refund-1", 0, 2), None);
        assert_eq!(seen.insert("refund-1", 3, 9), Some((0, 1)));
        assert_eq!(seen.insert("refund-1", 4, 1), Some((0, 1)));
        assert_eq!(seen.insert("other", 16_777_215, 1 << 30), None);
        assert_eq!(seen.insert("other", 0, 0), Some((16_777_215, 1 << 30)));
    }

    #[test]
    fn many_ids_stay_under_48_bytes_each() {
        let mut seen = SeenIds::default();
        let mut worst = 0.0_f64;
        for number in 0..60_000_u32 {
            assert_eq!(seen.insert(&format!("case{number}"), 0, u64::from(number)), None);
            if number > 20_000 {
                worst = worst.max(seen.bytes() as f64 / f64::from(number + 1));
            }
        }
        assert!(worst <= 48.0, "{worst} bytes per case");
        assert_eq!(seen.insert("case123", 1, 1), Some((0, 123)));
    }
}
