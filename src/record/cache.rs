//! A bounded cache of what is known of texts, so that a passage is analysed once however many claims and cases cite
//! it.

use std::sync::Arc;

use foldhash::HashMap;

use crate::text::{Analysis, Digests};

/// Bytes of text after which a generation is retired. Two generations live at a time.
const GENERATION_BYTES: usize = 2 << 20;

/// What is known of a distinct text in one language.
#[derive(Debug, Clone)]
pub struct Known {
    /// Digests of the whole text.
    pub digests: Digests,
    /// Sentences, words, quantities …, each computed when it is first asked for.
    pub analysis: Arc<Analysis>,
}

/// A two-generation cache by raw digest, one table per language. Not shared: each worker has its own, so that no lock
/// is taken and no result depends on another thread.
#[derive(Debug, Default)]
pub struct Cache {
    tables: HashMap<Box<str>, Table>,
}

#[derive(Debug, Default)]
struct Table {
    young: HashMap<[u8; 32], Known>,
    old: HashMap<[u8; 32], Known>,
    young_bytes: usize,
}

impl Cache {
    /// What is known of the text of `len` bytes with these digests; `analyse` is called where nothing is.
    pub fn get(&mut self, language: &str, digests: Digests, len: usize, analyse: impl FnOnce() -> Analysis) -> Known {
        if !self.tables.contains_key(language) {
            self.tables.insert(language.into(), Table::default());
        }
        let Some(table) = self.tables.get_mut(language) else {
            return Known { digests, analysis: Arc::new(analyse()) };
        };
        table.get(digests, len, analyse)
    }
}

impl Table {
    fn get(&mut self, digests: Digests, len: usize, analyse: impl FnOnce() -> Analysis) -> Known {
        if let Some(known) = self.young.get(&digests.raw.0) {
            return known.clone();
        }
        let known = self.old.remove(&digests.raw.0).unwrap_or_else(|| Known { digests, analysis: Arc::new(analyse()) });
        if self.young_bytes > GENERATION_BYTES {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += len;
        self.young.insert(digests.raw.0, known.clone());
        known
    }
}
