//! Reviewers' decisions (SPEC 8.3): a file of JSON lines that a team commits, one decision on one claim each:
//!
//! ```json
//! {"case_id":"refund-042","claim_id":"c1","claim_sha256":"sha256:…","evidence_sha256":"sha256:…","label":"supported",
//!  "reviewer":"policy desk","reason":"The passage says so in its second sentence.","date":"2026-08-20","expires":"2027-02-20"}
//! ```
//!
//! A decision is bound to the case's id and to the hashes of the claim and of the evidence that it cites; `claim_id` is for
//! people. It holds until one of them changes, or until the day after `expires`. A later line replaces an earlier one on the
//! same claim and evidence where its date is later. The file is read as strictly as any data: what is not understood is
//! a problem, never a decision that is left out.

mod row;
#[cfg(test)]
mod tests;

use foldhash::HashMap;

use super::answers::copied;
use super::day::{Day, Today};
use super::freeze::hash;
use super::label::Label;
use super::lines::{Chunks, Input, Source};
use super::read::{self, Line, Options};
use crate::diagnostic::{Problem, Problems, code, quoted};
use crate::text::redact::Redactor;
use crate::text::{Digest, digest};

/// The labels that a reviewer can give. The others are facts about ids and scopes, or say that nobody decided.
pub const LABELS: [Label; 4] = [Label::Supported, Label::Partial, Label::Contradicted, Label::Insufficient];

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Id of the case.
    pub case_id: String,
    /// Id that the claim had when it was decided on; for people.
    pub claim_id: String,
    /// SHA-256 of the claim's exact text.
    pub claim: Digest,
    /// Hash of the evidence that the claim cites.
    pub evidence: Digest,
    /// The label, one of [`LABELS`].
    pub label: Label,
    /// Who decided.
    pub reviewer: String,
    /// Why.
    pub reason: String,
    /// The day on which it was made.
    pub date: Day,
    /// The last day on which it holds; `None`: while claim and evidence stay the same.
    pub expires: Option<Day>,
    /// Its physical line in the file, from 1.
    pub line: u64,
    /// Whether its two hashes were made under a key.
    pub is_keyed: bool,
}

/// The decisions of a file that no later line replaced.
#[derive(Debug)]
pub struct Decisions {
    name: String,
    digest: Digest,
    entries: Vec<Decision>,
    by_case: HashMap<String, Vec<usize>>,
    today: Today,
}

/// What a day that was set by hand does to decisions that expire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetByHand {
    /// The day.
    pub day: Day,
    /// Decisions that have expired by the system's date, and hold again.
    pub revived: u64,
    /// Decisions that hold by the system's date, and have expired.
    pub ended: u64,
}

/// The case, claim and evidence that a decision is about.
type Key = (String, Digest, Digest);

impl Decisions {
    /// Reads a file of decisions. A file without lines has no decisions.
    ///
    /// # Errors
    /// Every line that is no decision or is dated later than `today`, decisions on the same claim and evidence that disagree without the later line having the later
    /// date, and a file that cannot be read.
    pub fn read(input: &Input, options: &Options, today: Today) -> Result<Self, Problems> {
        let mut problems = Problems::new();
        let mut entries: Vec<Option<Decision>> = Vec::new();
        let mut known: HashMap<Key, usize> = HashMap::default();
        // It is read twice, which a pipe cannot be.
        let copy = if has_no_bytes(input) { None } else { copied(input).map_err(Problems::from)? };
        let input = &copy.as_ref().map_or_else(|| input.clone(), |copy| input.at(copy.path()));
        let chunks = if has_no_bytes(input) {
            Chunks::new(Vec::new(), options.limits.line_bytes)
        } else {
            Chunks::new(vec![input.clone()], options.limits.line_bytes)
        };
        read::rows(chunks, options, &mut problems, |tree, line, problems| {
            if let Some(decision) = row::decision(tree, line, today.last(), problems) {
                add(&mut entries, &mut known, decision, line, problems);
            }
        });
        let digest = match has_no_bytes(input) {
            true => digest::raw(b""),
            false if problems.is_empty() => match hash(input) {
                Ok((_, digest)) => digest,
                Err(problem) => return Err(problem.into()),
            },
            false => return Err(problems),
        };
        let entries: Vec<Decision> = entries.into_iter().flatten().collect();
        let by_case = by_case(&entries);
        Ok(Self { name: input.name.to_string(), digest, entries, by_case, today })
    }

    /// The same decisions with ids and hashes as the records of a run have them under a policy that takes texts out: `case_id` writes the
    /// id of a case. A hash that was made without a key is taken for what it is under the key there is.
    #[must_use]
    pub fn written(self, redactor: &Redactor, case_id: impl Fn(&str) -> String) -> Self {
        if redactor.is_empty() {
            return self;
        }
        let written = |decision: Decision| {
            let hash = |digest| if decision.is_keyed { digest } else { redactor.hashing.digest(digest) };
            Decision {
                case_id: case_id(&decision.case_id),
                claim_id: redactor.id(&decision.claim_id).into_owned(),
                claim: hash(decision.claim),
                evidence: hash(decision.evidence),
                is_keyed: redactor.hashing.is_keyed(),
                reviewer: redactor.text(&decision.reviewer).into_owned(),
                reason: redactor.text(&decision.reason).into_owned(),
                ..decision
            }
        };
        let entries: Vec<Decision> = self.entries.into_iter().map(written).collect();
        let name = redactor.id(&self.name).into_owned();
        Self { name, by_case: by_case(&entries), entries, ..self }
    }

    /// The file as it is shown.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256 of the file's bytes.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// The day that expiry was held against; `None` where nothing expires.
    #[must_use]
    pub fn today(&self) -> Option<Day> {
        self.entries.iter().any(|decision| decision.expires.is_some()).then(|| self.today.day())
    }

    /// What a day that was set by hand does to the decisions; `None` where the day is the system's.
    #[must_use]
    pub fn set_by_hand(&self) -> Option<SetByHand> {
        let day = self.today.by_hand?;
        let count = |from: Day, to: Day| {
            let ends = self.entries.iter().filter_map(|decision| decision.expires);
            ends.filter(|expires| from <= *expires && *expires < to).count() as u64
        };
        let system = self.today.system;
        Some(SetByHand { day, revived: count(day, system), ended: count(system, day) })
    }

    /// The decisions, in the order of the file.
    #[must_use]
    pub fn entries(&self) -> &[Decision] {
        &self.entries
    }

    /// The decisions on claims of a case, each with its index in [`Decisions::entries`].
    pub fn of_case(&self, case_id: &str) -> impl Iterator<Item = (usize, &Decision)> {
        let indexes = self.by_case.get(case_id).map(Vec::as_slice).unwrap_or_default();
        indexes.iter().filter_map(|&index| Some((index, self.entries.get(index)?)))
    }

    /// Whether a decision has expired.
    #[must_use]
    pub fn has_expired(&self, decision: &Decision) -> bool {
        decision.expires.is_some_and(|expires| self.today.day() > expires)
    }

    /// The decision that holds for a claim of a case with this evidence; none of those that have expired.
    #[must_use]
    pub fn find(&self, case_id: &str, claim: Digest, evidence: Digest) -> Option<&Decision> {
        let mut of_case = self.of_case(case_id).map(|(_, decision)| decision);
        of_case.find(|decision| decision.claim == claim && decision.evidence == evidence && !self.has_expired(decision))
    }
}

fn by_case(entries: &[Decision]) -> HashMap<String, Vec<usize>> {
    let mut by_case: HashMap<String, Vec<usize>> = HashMap::default();
    for (index, decision) in entries.iter().enumerate() {
        by_case.entry(decision.case_id.clone()).or_default().push(index);
    }
    by_case
}

/// Whether the input is a file without a single byte: where nothing was decided yet.
fn has_no_bytes(input: &Input) -> bool {
    match &input.source {
        Source::File(path) => std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0),
        Source::Stdin => false,
    }
}

/// Adds a decision, in place of an earlier one that it replaces; decisions that say the same are one.
fn add(
    entries: &mut Vec<Option<Decision>>,
    known: &mut HashMap<Key, usize>,
    decision: Decision,
    line: Line<'_>,
    problems: &mut Problems,
) {
    let key = (decision.case_id.clone(), decision.claim, decision.evidence);
    let index = known.get(&key).copied();
    let earlier = index.and_then(|index| entries.get_mut(index)).and_then(|slot| slot.as_mut().map(|own| own.clone()));
    if let Some(earlier) = earlier {
        let agree = earlier.label == decision.label && earlier.expires == decision.expires;
        if decision.date <= earlier.date {
            if !agree {
                problems.push(line.place(contradiction(&earlier, &decision, line)));
            }
            return;
        }
        if let Some(slot) = index.and_then(|index| entries.get_mut(index)) {
            *slot = None;
        }
    }
    known.insert(key, entries.len());
    entries.push(Some(decision));
}

fn contradiction(earlier: &Decision, later: &Decision, line: Line<'_>) -> Problem {
    let said = |decision: &Decision| match decision.expires {
        Some(expires) => format!("`{}` until {expires} (of {})", decision.label, decision.date),
        None => format!("`{}` (of {})", decision.label, decision.date),
    };
    let what =
        format!("two decisions disagree on claim {} of case {}", quoted(&later.claim_id), quoted(&later.case_id));
    let expected = format!("what {}:{} says, {}, or a later date", line.file, earlier.line, said(earlier));
    Problem::new(code::CONTRADICTION, what).found(said(later), expected).help(
        "a line replaces an earlier one where its date is later: keep one of the two, in the order of their dates",
    )
}
