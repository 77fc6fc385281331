//! `duplicate-evidence`: no two units of a packet hold the same text.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, CaseCheck, Check, Family, Finding, Judgement, Kind, Severity, id};
use crate::citation::Packet;
use crate::diagnostic::Problem;
use crate::text::{Lexicons, digest};

/// No two units of the packet hold the same text.
///
/// The same passage under two ids looks like two sources that agree. It also makes citation precision and recall mean
/// less than they say, because either id is as good as the other. Texts compare after `citeward-text-1` (letters composed, CRLF
/// as LF) and without space at their ends.
///
/// Subject: a case. Severity `warning` unless the rule says otherwise. Fails with `duplicate-evidence`, once for each text.
/// Not applicable to packets with fewer than two units that have content.
///
/// ```yaml
/// - id: same-passage-twice
///   check: duplicate-evidence
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {}

/// The kind.
pub struct DuplicateEvidence;

impl Kind for DuplicateEvidence {
    const NAME: &'static str = "duplicate-evidence";
    const FAMILY: Family = Family::Integrity;
    const SEVERITY: Severity = Severity::Warning;
    const CODES: &'static [Code] =
        &[Code::new("duplicate-evidence", "two ids of the packet stand for one text", Fault::at(Stage::Retrieval, "retrieval returned one text twice"))];
    const VARIABLES: &'static [&'static str] = &["ids"];
    type Options = Options;

    fn compile(_: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Case(Box::new(DuplicateEvidence)))
    }
}

impl CaseCheck for DuplicateEvidence {
    fn judge(&self, packet: &Packet<'_>) -> Judgement {
        let mut groups: Vec<Vec<&str>> = Vec::new();
        let mut group_of = HashMap::new();
        for unit in &packet.case.units {
            let Some(content) = unit.content.as_deref().filter(|content| !content.trim().is_empty()) else { continue };
            let group = *group_of.entry(digest::normalised(content.trim())).or_insert(groups.len());
            match groups.get_mut(group) {
                Some(ids) => ids.push(&unit.id),
                None => groups.push(vec![&unit.id]),
            }
        }
        if groups.iter().map(Vec::len).sum::<usize>() < 2 {
            return Judgement::irrelevant();
        }
        let findings = groups.into_iter().filter(|ids| ids.len() > 1).map(|ids| {
            let names = id::listed(ids.iter().copied());
            Finding::new("duplicate-evidence", format!("{names} hold the same text")).with("ids", ids)
        });
        Judgement::of(findings.collect())
    }
}
