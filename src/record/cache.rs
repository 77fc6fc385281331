//! A bounded cache of what is known of texts, so that a passage is analysed once however many claims and cases cite
//! it.

use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};

use foldhash::HashMap;

use crate::text::hidden::{Hidden, How, Page, blanked, hidden, laid_out};
use crate::text::table::piped;
use crate::text::{Analysis, Digests};

/// Bytes of text after which the generations of all workers together are retired. Two generations live at a time, and what
/// is known of a text takes some twenty times its bytes.
const GENERATION_BYTES: usize = 1 << 20;
/// Bytes of text that a worker's generation has at least: the packets of some dozen cases.
const LEAST_BYTES: usize = 64 << 10;

/// What is known of a distinct text in one language.
#[derive(Debug, Clone)]
pub struct Known {
    /// Digests of the text as it stands.
    pub digests: Digests,
    /// Sentences, words, quantities … of the text as its readers see it, each computed when it is first asked for.
    pub analysis: Arc<Analysis>,
    /// What its readers see, where that is not the text itself.
    pub veiled: Option<Arc<Veiled>>,
    /// Whether it has anything to read.
    pub is_readable: bool,
}

/// A text that its readers see otherwise than it is written.
#[derive(Debug)]
pub struct Veiled {
    /// The text with spaces in place of what is not shown or struck out, lines and bars in place of tags, and bars in its tables.
    pub shown: String,
    /// What is hidden, and how, in order.
    pub hidden: Vec<Hidden>,
    /// What is known of the text as it is written, made where something is looked for in what is hidden.
    pub written: OnceLock<Analysis>,
}

impl Veiled {
    /// What readers see of a text, where that is not the text itself.
    #[must_use]
    pub fn of(text: &str) -> Option<Arc<Self>> {
        let hidden = hidden(text, Page::Passage);
        let mut shown =
            (!hidden.is_empty()).then(|| blanked(text, hidden.iter().filter(|hidden| hidden.how != How::Aside)));
        shown = laid_out(shown.as_deref().unwrap_or(text)).or(shown);
        shown = piped(shown.as_deref().unwrap_or(text)).or(shown);
        Some(Arc::new(Self { shown: shown?, hidden, written: OnceLock::new() }))
    }
}

impl Known {
    /// The text as its readers see it, of the same length. `text` is the text that this is known of.
    #[must_use]
    pub fn shown<'t>(&'t self, text: &'t str) -> &'t str {
        self.veiled.as_ref().map_or(text, |veiled| &veiled.shown)
    }

    /// What is known of the text as it is written; `analyse` makes a new analysis.
    pub fn written(&self, analyse: impl FnOnce() -> Analysis) -> &Analysis {
        self.veiled.as_ref().map_or(&self.analysis, |veiled| veiled.written.get_or_init(analyse))
    }

    /// What is hidden in the text.
    #[must_use]
    pub fn hidden(&self) -> &[Hidden] {
        self.veiled.as_ref().map_or(&[], |veiled| &veiled.hidden)
    }
}

/// A two-generation cache by raw digest, one table per language. Not shared: each worker has its own, so that no lock
/// is taken and no result depends on another thread.
#[derive(Debug)]
pub struct Cache {
    tables: HashMap<Box<str>, Table>,
    /// Bytes of text in the young generation of all tables.
    young_bytes: usize,
    /// Bytes of text after which a generation is retired.
    most_bytes: usize,
}

#[derive(Debug, Default)]
struct Table {
    young: HashMap<[u8; 32], Known>,
    old: HashMap<[u8; 32], Known>,
}

impl Default for Cache {
    fn default() -> Self {
        Self::for_one_of(NonZeroUsize::MIN)
    }
}

impl Cache {
    /// The cache of one of several workers, who share the memory there is: more of them take no more of it.
    #[must_use]
    pub fn for_one_of(workers: NonZeroUsize) -> Self {
        let most_bytes = (GENERATION_BYTES / workers).max(LEAST_BYTES);
        Self { tables: HashMap::default(), young_bytes: 0, most_bytes }
    }

    /// What is known of the text of `len` bytes with these digests; `know` is called where nothing is.
    pub fn get(&mut self, language: &str, digests: Digests, len: usize, know: impl FnOnce() -> Known) -> Known {
        let found = self.tables.get_mut(language).and_then(|table| table.get(digests));
        let known = match found {
            Some((known, true)) => return known,
            Some((known, false)) => known,
            None => know(),
        };
        if self.young_bytes > self.most_bytes {
            self.retire();
        }
        self.young_bytes += len;
        self.tables.entry(language.into()).or_default().young.insert(digests.raw.0, known.clone());
        known
    }

    /// Makes the young generation the old one, in every language; one that nobody asked for since is forgotten.
    fn retire(&mut self) {
        self.tables.retain(|_, table| {
            table.old = std::mem::take(&mut table.young);
            !table.old.is_empty()
        });
        self.young_bytes = 0;
    }
}

impl Table {
    /// What is known, and whether it is in the young generation; taken out of the old one.
    fn get(&mut self, digests: Digests) -> Option<(Known, bool)> {
        let young = self.young.get(&digests.raw.0).map(|known| (known.clone(), true));
        young.or_else(|| self.old.remove(&digests.raw.0).map(|known| (known, false)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Lexicons, digest};

    #[test]
    fn what_is_asked_for_stays_and_the_rest_goes_whatever_the_language() {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        let mut cache = Cache::for_one_of(NonZeroUsize::new(64).expect("not zero"));
        let mut analysed = 0;
        let mut ask = |language: &str, text: &str| {
            let digests = digest::both(text);
            cache.get(language, digests, LEAST_BYTES, || {
                analysed += 1;
                let analysis = Arc::new(Analysis::new(Some(language), &lexicons));
                Known { digests, analysis, veiled: None, is_readable: true }
            });
            (analysed, cache.tables.len())
        };
        assert_eq!(ask("en", "a"), (1, 1));
        assert_eq!(ask("en", "a"), (1, 1));
        // Of another language it is another text. Two of this size fill a generation, so that the third retires it.
        assert_eq!(ask("de", "a"), (2, 2));
        assert_eq!(ask("fr", "b"), (3, 3));
        assert_eq!(ask("en", "a"), (3, 3), "taken from the old generation");
        // The next one retires "de", which nobody asked for since.
        assert_eq!(ask("fr", "c"), (4, 2));
        assert_eq!(ask("de", "a"), (5, 3));
    }
}
