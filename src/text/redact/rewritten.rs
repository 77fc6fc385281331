//! A text with pieces taken out, which knows where everything else went.

use std::borrow::Cow;

use super::{Form, Hit, Redactor};

/// A text with pieces taken out.
#[derive(Debug, Clone)]
pub struct Rewritten<'t> {
    original: &'t str,
    /// What was taken out, ascending and apart.
    hits: Vec<Hit>,
    /// What stands for each.
    stand_ins: Vec<String>,
}

impl<'t> Rewritten<'t> {
    /// `text` with a stand-in for each of these hits, which are ascending and apart.
    #[must_use]
    pub fn new(redactor: &Redactor, text: &'t str, hits: Vec<Hit>, form: Form) -> Self {
        let taken = |hit: &Hit| text.get(hit.start..hit.end).unwrap_or_default();
        let stand_ins = hits.iter().map(|hit| redactor.stand_in(hit.name, taken(hit), form)).collect();
        Self { original: text, hits, stand_ins }
    }

    /// Whether anything was taken out.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        !self.hits.is_empty()
    }

    /// What was taken out.
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// The text as it is written.
    #[must_use]
    pub fn into_text(self) -> Cow<'t, str> {
        if self.hits.is_empty() { Cow::Borrowed(self.original) } else { Cow::Owned(self.written()) }
    }

    /// The text as it is written.
    #[must_use]
    pub fn written(&self) -> String {
        let mut written = String::with_capacity(self.original.len());
        let mut at = 0;
        for (hit, stand_in) in self.hits.iter().zip(&self.stand_ins) {
            written.push_str(self.original.get(at..hit.start).unwrap_or_default());
            written.push_str(stand_in);
            at = hit.end;
        }
        written.push_str(self.original.get(at..).unwrap_or_default());
        written
    }

    /// A span of the original in the text as it is written. One that begins or ends inside of what was taken out widens to
    /// all that stands for it.
    #[must_use]
    pub fn span(&self, (start, end): (usize, usize)) -> (usize, usize) {
        if self.hits.is_empty() {
            return (start, end);
        }
        let (mut from, mut to) = (None, None);
        // Bytes of the original and of what is written before the piece that is looked at.
        let (mut original, mut written) = (0, 0);
        let moved = |at: usize, original: usize, written: usize| written + at.saturating_sub(original);
        for (hit, stand_in) in self.hits.iter().zip(&self.stand_ins) {
            let at = moved(hit.start, original, written);
            if from.is_none() && start < hit.end {
                from = Some(if start < hit.start { moved(start, original, written) } else { at });
            }
            if to.is_none() && end <= hit.end {
                to = Some(if end <= hit.start { moved(end, original, written) } else { at + stand_in.len() });
            }
            (original, written) = (hit.end, at + stand_in.len());
        }
        let from = from.unwrap_or_else(|| moved(start, original, written));
        let to = to.unwrap_or_else(|| moved(end, original, written));
        (from, to.max(from))
    }
}
