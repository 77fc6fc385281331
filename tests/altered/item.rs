//! One generated case, and what the shipped rules say of it.

use citeward::check::{Certainty, Outcome};
use citeward::citation::Packet;
use citeward::dataset::label::Label;
use citeward::dataset::{Line, Options, read};
use citeward::record::cache::Cache;
use citeward::record::evaluate::{Evaluator, EvidenceMode};
use citeward::rules::Policy;
use serde_json::{Value, json};

use crate::corpus::{Corpus, Passage};
use crate::random::Random;

/// A generated claim with the passages it is judged by.
#[derive(Debug, Clone)]
pub struct Item {
    /// What was done to it.
    pub family: &'static str,
    pub language: String,
    /// The claim; what matters stands in it.
    pub claim: String,
    /// The passages that the claim cites, one unit each.
    pub cited: Vec<Passage>,
    /// Passages of the packet that the claim does not cite.
    pub others: Vec<Passage>,
}

/// What the rules of one kind made of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// A finding that decides.
    Final,
    /// A suspicion.
    Triage,
    /// The rule passed.
    Passed,
    /// The rule found nothing to judge.
    Unread,
}

/// An item with its fate and what the finding said.
#[derive(Debug, Clone)]
pub struct Judged {
    pub item: Item,
    pub fate: Fate,
    pub said: String,
}

impl Item {
    /// The item with three to five other passages of its language in the packet.
    pub fn with_company(mut self, corpus: &Corpus, random: &mut Random) -> Self {
        let is_cited = |p: &Passage| self.cited.iter().any(|cited| cited.content == p.content);
        let company = |p: &&Passage| p.language == self.language && !is_cited(p);
        let all: Vec<&Passage> = corpus.passages.iter().filter(company).filter(|p| p.content.len() < 1_500).collect();
        let wanted = random.between(3, 5);
        for _ in 0..wanted {
            if let Some(passage) = random.any(&all)
                && !self.others.iter().any(|other| other.content == passage.content)
            {
                self.others.push((*passage).clone());
            }
        }
        self
    }

    /// The case as a line of a dataset: the cited units stand behind the first of the others.
    fn line(&self) -> String {
        let before = 1.min(self.others.len());
        let passages = self.others[..before].iter().chain(&self.cited).chain(&self.others[before..]);
        let unit = |(n, passage): (usize, &Passage)| {
            let id = format!("doc_{n}");
            match &passage.title {
                Some(title) => json!({"evidence_id": id, "title": title, "content": passage.content}),
                None => json!({"evidence_id": id, "content": passage.content}),
            }
        };
        let units: Vec<Value> = (1..).zip(passages).map(unit).collect();
        let ids: Vec<String> = (0..self.cited.len()).map(|n| format!("doc_{}", n + before + 1)).collect();
        let markers: String = ids.iter().map(|id| format!(" [{id}]")).collect();
        json!({
            "case_id": self.family,
            "answer": format!("{}{markers}", self.claim),
            "language": self.language,
            "claims": [{"text": self.claim, "citation_ids": ids}],
            "sources": units,
        })
        .to_string()
    }
}

/// What counts of a claim: the findings of the rules of one kind, or its label.
#[derive(Debug, Clone, Copy)]
pub enum Counts<'k> {
    Findings(&'k str),
    Label,
}

/// Judges all items by the shipped rules, as `citeward check` would.
pub fn judge(items: Vec<Item>, counts: Counts<'_>) -> Vec<Judged> {
    let policy = citeward::rules::built_in().unwrap_or_else(|problems| panic!("{}", problems.render()));
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let share = items.len().div_ceil(workers).max(1);
    let policy = &policy;
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            items.chunks(share).map(|chunk| scope.spawn(move || chunk_of(chunk, counts, policy))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a worker")).collect()
    })
}

fn chunk_of(items: &[Item], counts: Counts<'_>, policy: &Policy) -> Vec<Judged> {
    let is_counted = |kind: &str| matches!(counts, Counts::Findings(counted) if counted == kind);
    let rules: Vec<&str> =
        policy.rules.iter().filter(|rule| is_counted(rule.kind.name)).map(|rule| rule.id.as_str()).collect();
    assert!(matches!(counts, Counts::Label) || !rules.is_empty(), "no shipped rule checks {counts:?}");
    let evaluator = Evaluator::new(policy, EvidenceMode::Excerpts);
    let mut cache = Cache::default();
    items
        .iter()
        .map(|item| {
            let line = item.line();
            let place = Line { file: "made", file_index: 0, number: 1 };
            let case =
                read::line(line.as_bytes(), place, &Options::default()).unwrap_or_else(|p| panic!("{p:?}: {line}"));
            let packet = Packet::build(&case, &policy.markers, &policy.claims, &policy.lexicons);
            let records = evaluator.evaluate(&packet, "made", String::new(), &mut cache);
            let claim = records.claims.first().expect("one claim");
            assert!(claim.covered && claim.citations.iter().all(|c| c.resolved), "no sound citation: {line}");
            let of_kind = |rule: &str| rules.contains(&rule);
            let findings: Vec<_> = claim.findings.iter().filter(|finding| of_kind(&finding.rule)).collect();
            let passed = claim.outcomes.iter().any(|o| of_kind(&o.rule) && o.outcome == Outcome::Pass);
            if let Counts::Label = counts {
                let fate = match claim.label {
                    Some(Label::Supported) => Fate::Passed,
                    Some(Label::Undecided) | None if claim.suspected.is_some() => Fate::Triage,
                    Some(Label::Undecided) | None => Fate::Unread,
                    Some(_) => Fate::Final,
                };
                let said = claim.findings.iter().map(|finding| &*finding.message).collect::<Vec<_>>().join("; ");
                return Judged { item: item.clone(), fate, said };
            }
            let fate = if findings.iter().any(|finding| finding.certainty == Certainty::Final) {
                Fate::Final
            } else if !findings.is_empty() {
                Fate::Triage
            } else if passed {
                Fate::Passed
            } else {
                Fate::Unread
            };
            let said = findings.iter().map(|finding| &*finding.message).collect::<Vec<_>>().join("; ");
            Judged { item: item.clone(), fate, said }
        })
        .collect()
}
