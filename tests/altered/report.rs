//! What came of the items: counted per family, shown where it is wrong, written as a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::json;

use crate::item::{Fate, Judged};

/// Whether the items are altered, so that a finding is right, or faithful, so that none is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Altered,
    Faithful,
    /// Wrong claims and true ones, by their label.
    Wrong,
    True,
}

impl Verdict {
    /// Whether this is how the item should have come out.
    pub fn is_met(self, fate: Fate) -> bool {
        match self {
            Self::Altered | Self::Wrong => matches!(fate, Fate::Final | Fate::Triage),
            Self::Faithful | Self::True => fate == Fate::Passed,
        }
    }
}

/// How many items of a family had which fate.
#[derive(Debug, Clone, Copy, Default)]
pub struct Count {
    pub is_final: usize,
    pub triage: usize,
    pub passed: usize,
    pub unread: usize,
}

impl Count {
    pub const fn total(self) -> usize {
        self.is_final + self.triage + self.passed + self.unread
    }

    pub const fn found(self) -> usize {
        self.is_final + self.triage
    }

    fn add(&mut self, fate: Fate) {
        match fate {
            Fate::Final => self.is_final += 1,
            Fate::Triage => self.triage += 1,
            Fate::Passed => self.passed += 1,
            Fate::Unread => self.unread += 1,
        }
    }
}

/// The items of one benchmark half with their fates.
pub struct Report {
    pub verdict: Verdict,
    pub judged: Vec<Judged>,
}

impl Report {
    pub fn total(&self) -> Count {
        let mut count = Count::default();
        self.judged.iter().for_each(|judged| count.add(judged.fate));
        count
    }

    /// Families in the order they were made.
    pub fn families(&self) -> Vec<(&'static str, Count)> {
        let mut order: Vec<&'static str> = Vec::new();
        let mut counts: BTreeMap<&'static str, Count> = BTreeMap::new();
        for judged in &self.judged {
            if !order.contains(&judged.item.family) {
                order.push(judged.item.family);
            }
            counts.entry(judged.item.family).or_default().add(judged.fate);
        }
        order.into_iter().map(|family| (family, counts[family])).collect()
    }

    /// Per family: how many came out right, and the first few that did not, in full.
    pub fn offenders(&self, most: usize) -> String {
        let mut text = String::new();
        for (family, count) in self.families() {
            let wrong: Vec<&Judged> =
                self.judged.iter().filter(|j| j.item.family == family && !self.verdict.is_met(j.fate)).collect();
            let _ = writeln!(text, "{:>5}/{:<5}{family}", count.total() - wrong.len(), count.total());
            for judged in wrong.into_iter().take(most) {
                let _ =
                    writeln!(text, "        {:?} ({}) claim: {}", judged.fate, judged.item.language, judged.item.claim);
                for passage in &judged.item.cited {
                    let _ = writeln!(text, "            cited: {:?}", passage.content);
                }
                if !judged.said.is_empty() {
                    let _ = writeln!(text, "            said: {}", judged.said);
                }
            }
        }
        text
    }

    /// Every item with its fate, one line of JSON each.
    pub fn lines(&self) -> String {
        let line = |judged: &Judged| {
            let cited: Vec<&str> = judged.item.cited.iter().map(|passage| passage.content.as_str()).collect();
            let item = &judged.item;
            let line = json!({
                "family": item.family, "language": item.language, "claim": item.claim, "cited": cited,
                "fate": format!("{:?}", judged.fate), "said": judged.said,
            });
            format!("{line}\n")
        };
        self.judged.iter().map(line).collect()
    }

    /// A table for the documentation.
    pub fn table(&self) -> String {
        let mut text = String::new();
        let head = match self.verdict {
            Verdict::Altered => {
                "| what was altered | made | caught | finally | for triage | missed |\n|---|--:|--:|--:|--:|--:|\n"
            }
            Verdict::Faithful => {
                "| what was kept | made | rejected | finally | for triage | not read |\n|---|--:|--:|--:|--:|--:|\n"
            }
            Verdict::Wrong | Verdict::True => {
                "| what the claim says | made | called supported | a final defect | suspected | open |\n|---|--:|--:|--:|--:|--:|\n"
            }
        };
        text.push_str(head);
        let mut rows = self.families();
        rows.push(("**all**", self.total()));
        for (family, count) in rows {
            let last = match self.verdict {
                Verdict::Altered => count.passed + count.unread,
                Verdict::Faithful | Verdict::Wrong | Verdict::True => count.unread,
            };
            let second = match self.verdict {
                Verdict::Altered | Verdict::Faithful => count.found(),
                Verdict::Wrong | Verdict::True => count.passed,
            };
            let (made, found) = (grouped(count.total()), grouped(second));
            let _ = writeln!(
                text,
                "| {family} | {made} | {found} | {} | {} | {last} |",
                grouped(count.is_final),
                count.triage
            );
        }
        text
    }
}

fn grouped(count: usize) -> String {
    match (count / 1_000, count % 1_000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{thousands},{rest:03}"),
    }
}
