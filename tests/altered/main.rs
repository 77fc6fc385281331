//! Two benchmarks that this repository makes of its own texts: quotations and numbers that were altered, which must be
//! caught, and faithful ones in other dress, which must pass.
//!
//! Every item is a case of its own, judged by the shipped rules as `citeward check` would: the claim cites a passage of a
//! packet with several others. What counts are the findings of `quotes` (or `numbers`) on the claim. The generator has a fixed seed.
//!
//! `CITEWARD_FIGURES=<folder> cargo test --test altered` writes the tables for `docs/accuracy.md`;
//! `CITEWARD_OFFENDERS=<n>` prints up to n items of each family that came out wrong, with `-- --nocapture`.

mod corpus;
mod cues;
mod item;
mod numbers;
mod numbers_altered;
mod numbers_faithful;
mod quotes;
mod quotes_altered;
mod quotes_faithful;
mod random;
mod report;
mod tongues;

use std::path::Path;

use corpus::Corpus;
use item::Item;
use report::{Report, Verdict};

fn judged(verdict: Verdict, kind: &str, name: &str, items: Vec<Item>) -> Report {
    let report = Report { verdict, judged: item::judge(items, kind) };
    if let Some(folder) = std::env::var_os("CITEWARD_FIGURES") {
        std::fs::write(Path::new(&folder).join(format!("{name}.md")), report.table()).expect("figures are written");
    }
    if let Some(most) = std::env::var("CITEWARD_OFFENDERS").ok().and_then(|most| most.parse().ok()) {
        println!("{name}\n{}{:?}", report.offenders(most), report.total());
    }
    report
}

/// Per mille of the altered quotations that must be caught, finally or for triage. A ratchet: it only ever rises.
/// The aim is all of them.
const QUOTATIONS_CAUGHT: usize = 915;
/// Per mille of the faithful quotations that may be rejected or not be read as quotations. A ratchet: it only ever falls.
/// The aim is 10.
const QUOTATIONS_REJECTED: usize = 195;

#[test]
fn altered_quotations_are_caught() {
    let corpus = Corpus::read();
    let items = quotes::items(&corpus, quotes_altered::FAMILIES);
    let report = judged(Verdict::Altered, "quotes", "quotes-altered", items);
    let total = report.total();
    assert!(total.total() >= 1_000, "{total:?}");
    let caught = total.found() * 1_000 / total.total();
    assert!(caught >= QUOTATIONS_CAUGHT, "{caught} per mille are caught\n{}", report.offenders(4));
}

#[test]
fn faithful_quotations_pass() {
    let corpus = Corpus::read();
    let items = quotes::items(&corpus, quotes_faithful::FAMILIES);
    let report = judged(Verdict::Faithful, "quotes", "quotes-faithful", items);
    let total = report.total();
    assert!(total.total() >= 3_000, "{total:?}");
    let rejected = (total.found() + total.unread) * 1_000 / total.total();
    assert!(rejected <= QUOTATIONS_REJECTED, "{rejected} per mille are rejected\n{}", report.offenders(4));
}

/// As for quotations. The aim is 990.
const NUMBERS_CAUGHT: usize = 985;

#[test]
fn altered_numbers_are_caught() {
    let corpus = Corpus::read();
    let items = numbers::items(&corpus, numbers_altered::FAMILIES, true);
    let report = judged(Verdict::Altered, "numbers", "numbers-altered", items);
    let total = report.total();
    assert!(total.total() >= 1_000, "{total:?}");
    let caught = total.found() * 1_000 / total.total();
    assert!(caught >= NUMBERS_CAUGHT, "{caught} per mille are caught\n{}", report.offenders(4));
}

/// As for quotations. The aim is 10.
const NUMBERS_REJECTED: usize = 40;

#[test]
fn faithful_numbers_pass() {
    let corpus = Corpus::read();
    let items = numbers::items(&corpus, numbers_faithful::FAMILIES, false);
    let report = judged(Verdict::Faithful, "numbers", "numbers-faithful", items);
    let total = report.total();
    assert!(total.total() >= 3_000, "{total:?}");
    let rejected = (total.found() + total.unread) * 1_000 / total.total();
    assert!(rejected <= NUMBERS_REJECTED, "{rejected} per mille are rejected\n{}", report.offenders(4));
}
