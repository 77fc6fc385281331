//! Two texts, cut at the first NUL: quantities, dates, identifiers and quotations of the one held against the other.
#![no_main]

use std::sync::OnceLock;

use citeward::text::quantity::{self, Comparison};
use citeward::text::stance::Stance;
use citeward::text::{Analysis, Lexicons, Span, date, quotation};
use libfuzzer_sys::fuzz_target;

static LEXICONS: OnceLock<Lexicons> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let lexicons = LEXICONS.get_or_init(|| Lexicons::shipped().expect("the shipped lexicons"));
    let text = String::from_utf8_lossy(bytes);
    let (claim, passage) = text.split_once('\0').unwrap_or((&text, &text));
    for language in ["en", "de", "fr", "ja"] {
        let (a, b) = (Analysis::new(Some(language), lexicons), Analysis::new(Some(language), lexicons));
        let _ = quantity::compare((claim, &a), (passage, &b), &Comparison::default());
        let _ = date::compare((claim, &a), (passage, &b));
        let _ = (a.identifiers(claim).len(), b.sentences(passage).len(), b.content_words(passage).len());
        let _ = (a.holes(claim).len(), b.holes(passage).len());
        let whole = |text: &str| [Span::new(0, text.len())];
        let (ours, theirs) = (Stance::read(claim, &a, &whole(claim)), Stance::read(passage, &b, &whole(passage)));
        let _ = ours.differs_from(&theirs);
        for found in a.quotations(claim) {
            let _ = quotation::find((claim, &a), found.inner, (passage, &b), &quotation::Quoting::default());
        }
    }
});
