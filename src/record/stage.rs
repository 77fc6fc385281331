//! The stage at fault of each finding (SPEC 8.5), and of a claim with several.
//!
//! What a finding's code says decides ([`Fault`]). Only a fact that the cited evidence lacks asks for more: whether another unit has it.
//! Where a rule that annotates has looked already, its notes say so; for what is left the same search is done here, within the same limits.
//! Units that the reader may not see are left out of it, so that a stage says nothing of them.

use std::borrow::Cow;

use super::annotate::{Annotated, FailedRule, Scene};
use super::outcome::{About, DATA_MISSING, Ruled};
use super::{ClaimRecord, FindingRecord, Text};
use crate::check::misattributed::{LONGEST_CLAIM, MOST_FINDINGS, Misattributed};
use crate::check::{Certainty, Check, Fault, Severity, Stage, Told};
use crate::dataset::Label;
use crate::rules::policy::Rule;

/// Characters of a fact that a reason repeats.
const LONGEST_FACT: usize = 60;

/// What is said of a fact that nobody has looked for in the rest of the packet.
const NOT_LOOKED_FOR: &str = "whether another unit has what is missing was not looked into";

/// What the code of a finding says of the stage at fault.
fn declared(rule: &Rule, code: &str) -> Option<Fault> {
    rule.kind.codes.iter().find(|known| known.name == code).map(|known| known.fault)
}

/// The stage at fault as far as code and subject tell it, and why.
pub(super) fn of_code(rule: &Rule, code: &str, about: About<'_>) -> Told {
    match declared(rule, code) {
        Some(Fault::Always(told)) => told,
        Some(Fault::Cited { resolved, unresolved }) => {
            if about.resolved {
                resolved
            } else {
                unresolved
            }
        }
        Some(Fault::Text { written, read }) => {
            if matches!(rule.check, Check::Support(_)) {
                read
            } else {
                written
            }
        }
        Some(Fault::Lacking { .. }) => Told::open(NOT_LOOKED_FOR),
        None if code == DATA_MISSING => Told::at(Stage::Data, "the data lacks what the rule needs"),
        None => Told::open("this version does not know the code"),
    }
}

/// A fact that the cited evidence lacks: a finding by its rule's index among those that failed, and its own.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Lacked {
    rule: usize,
    finding: usize,
}

/// Settles the stage of the findings on facts that the cited evidence lacks, as many of each rule as are looked into. `annotated` is what the rules that annotate have found out.
pub(super) fn settle<'a>(
    scene: &Scene<'_, 'a>,
    failed: &[FailedRule<'_>],
    annotated: &[Annotated<'_>],
    rulings: &mut [Ruled<'a>],
) {
    let mut open: Vec<Lacked> = Vec::new();
    for (rule, own) in failed.iter().enumerate() {
        let lacks = |at: &usize| own.findings.get(*at).is_some_and(|finding| !own.check.lacking(finding).is_empty());
        open.extend((0..own.findings.len().min(MOST_FINDINGS)).filter(lacks).map(|finding| Lacked { rule, finding }));
    }
    if open.is_empty() {
        return;
    }
    let mut is_whole = true;
    for notes in annotated {
        is_whole &= notes.is_whole();
        found(scene, failed, notes, &mut open, rulings);
    }
    let searched = |rule: usize| annotated.iter().any(|notes| notes.of().contains(&rule));
    if open.iter().any(|lacked| !searched(lacked.rule)) {
        let left = |rule: &usize| !searched(*rule) && open.iter().any(|lacked| lacked.rule == *rule);
        let of: Vec<usize> = (0..failed.len()).filter(left).collect();
        let notes = scene.search(&Misattributed::default(), of, failed);
        is_whole &= notes.is_whole();
        found(scene, failed, &notes, &mut open, rulings);
    }
    if !open.is_empty() {
        let of: Vec<usize> = (0..failed.len()).filter(|rule| open.iter().any(|lacked| lacked.rule == *rule)).collect();
        if let Some(notes) = scene.search_around(&Misattributed::default(), of, failed) {
            is_whole &= notes.is_whole();
            found(scene, failed, &notes, &mut open, rulings);
        }
    }
    let is_whole = is_whole && scene.text.claim.text.len() <= LONGEST_CLAIM;
    for lacked in open {
        let Some(own) = failed.get(lacked.rule) else { continue };
        let told = if is_whole {
            nowhere(own, lacked.finding)
        } else {
            (None, Cow::Borrowed("the claim or its packet is too large to look for what is missing in all of it"))
        };
        state(own, lacked.finding, told, rulings);
    }
}

/// Takes what `notes` have found out of `open`, and states it: the citation is at fault.
fn found(
    scene: &Scene<'_, '_>,
    failed: &[FailedRule<'_>],
    notes: &Annotated<'_>,
    open: &mut Vec<Lacked>,
    rulings: &mut [Ruled<'_>],
) {
    for (rule, finding, unit, marker) in notes.places() {
        let lacked = Lacked { rule, finding };
        let Some(own) = failed.get(rule).filter(|_| open.contains(&lacked)) else { continue };
        open.retain(|other| *other != lacked);
        let id = scene.packet.case.units.get(unit).map_or("", |unit| unit.id.as_ref());
        let unit_shown = match marker {
            Some(marker) if marker.contains(id) => marker.to_owned(),
            Some(marker) => format!("{marker}, “{id}”,"),
            None => format!("“{id}”"),
        };
        let (fact, stands) = fact(own, finding);
        let which = if scene.cites(unit) {
            "outside of the part that the claim cites"
        } else {
            "which the claim does not cite"
        };
        let comma = if unit_shown.ends_with(',') || scene.cites(unit) { " " } else { ", " };
        let because = format!("{fact} {stands} in {unit_shown}{comma}{which}");
        state(own, finding, (Some(Stage::Citation), Cow::Owned(because)), rulings);
    }
}

/// The stage at fault where no other unit has the fact.
fn nowhere(own: &FailedRule<'_>, finding: usize) -> (Option<Stage>, Text<'static>) {
    let code = own.findings.get(finding).map_or("", |finding| finding.code);
    let Some(Fault::Lacking { nowhere, and }) = declared(own.rule, code) else {
        return (None, Cow::Borrowed(NOT_LOOKED_FOR));
    };
    let (fact, _) = fact(own, finding);
    (nowhere, Cow::Owned(format!("no unit that the reader may see has {fact}{and}")))
}

/// What a finding lacks, in quotation marks and cut to a length for a sentence, and the verb for it.
fn fact(own: &FailedRule<'_>, finding: usize) -> (String, &'static str) {
    let facts = own.findings.get(finding).map(|finding| own.check.lacking(finding)).unwrap_or_default();
    let shown: Vec<String> = facts
        .iter()
        .take(3)
        .map(|fact| {
            let fact = fact.trim().trim_matches(['“', '”', '"']);
            match fact.char_indices().nth(LONGEST_FACT) {
                Some((end, _)) => format!("“{}…”", fact.get(..end).unwrap_or_default()),
                None => format!("“{fact}”"),
            }
        })
        .collect();
    let rest = facts.len().saturating_sub(shown.len());
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let shown = match shown.split_last() {
        Some((last, before)) if rest == 0 && !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => shown.join(", "),
    };
    (shown + &more, if facts.len() == 1 { "stands" } else { "stand" })
}

fn state(
    own: &FailedRule<'_>,
    finding: usize,
    (stage, because): (Option<Stage>, Text<'static>),
    rulings: &mut [Ruled<'_>],
) {
    let record = rulings.get_mut(own.ruling).and_then(|ruled| ruled.findings.get_mut(finding));
    if let Some(record) = record {
        record.stage = stage;
        record.stage_reason = because;
    }
}

impl ClaimRecord<'_> {
    /// The finding whose stage is that of the claim: the one that decided its label, else the first of the worst that counts. Notes count for
    /// nothing here, nor do rules that only observe; a claim that a reviewer decided has only the findings that stand.
    #[must_use]
    pub fn fault(&self) -> Option<&FindingRecord<'_>> {
        let counts = |finding: &&FindingRecord<'_>| {
            !finding.observed && !finding.overturned && finding.severity > Severity::Note
        };
        let decided = || {
            let by = self.decided_by.as_deref()?;
            let is_final = |finding: &&FindingRecord<'_>| finding.certainty == Certainty::Final;
            let of_label = |finding: &&FindingRecord<'_>| finding.implies.map(|defect| defect.label()) == self.label;
            match (by.strip_prefix("rule:"), self.label) {
                (Some(rule), Some(label)) if label != Label::Supported => {
                    self.findings.iter().filter(is_final).filter(of_label).find(|finding| finding.rule == rule)
                }
                // Who called the claim a defect confirmed what had been found.
                (None, Some(_)) if by == "review" => self.findings.iter().find(|finding| finding.confirmed),
                (None, Some(Label::Unresolved)) => {
                    let unresolved = ["unknown-id", "position-out-of-range"];
                    self.findings.iter().find(|finding| unresolved.contains(&finding.code.as_ref()))
                }
                _ => None,
            }
        };
        decided().or_else(|| {
            let worst = self.findings.iter().filter(counts).map(|finding| finding.severity).max()?;
            self.findings.iter().filter(counts).find(|finding| finding.severity == worst)
        })
    }
}
