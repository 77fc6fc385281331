//! What a person can do about a finding, by the stage at fault.

use crate::check::Stage;
use crate::record::{ClaimRecord, FindingRecord};

/// What to do next, one sentence. `findings` are those of the same claim or case.
pub(super) fn step(finding: &FindingRecord<'_>, findings: &[FindingRecord<'_>]) -> String {
    let code = finding.code.as_ref();
    let text = match finding.stage {
        Some(Stage::Citation) => return citation(finding, findings),
        Some(Stage::Data) => "mend the entry in the corpus or its metadata, then build the packets again",
        Some(Stage::Retrieval) => match code {
            "version-superseded" | "source-deleted" => "build the index again from the sources that are current",
            "scope-not-allowed" | "source-restricted" => {
                "filter by the reader's scopes before retrieval returns anything"
            }
            "duplicate-evidence" => "keep one of the two in the index, or in the packet",
            "term-forbidden" | "pattern-forbidden" => "keep such passages out of the index, or of the packet",
            _ => "look whether the corpus has it: if it does, retrieval missed it; if not, the answer must not say it",
        },
        Some(Stage::Generation) => match code {
            "unknown-id"
            | "position-out-of-range"
            | "id-out-of-range"
            | "not-retrieved"
            | "introduced-id"
            | "introduced-url"
            | "introduced-email"
            | "introduced-reference" => {
                "the model may only repeat what its packet holds: mend the prompt, or drop such answers before they are shown"
            }
            "malformed-marker" | "ambiguous-index" => "mend how the prompt asks for markers, and count sources one way",
            _ => "hold the claim against the cited passage: the answer must say what the passage says, or nothing",
        },
        Some(Stage::Rendering) => "check the answer after the last step that changes it, and mend that step",
        Some(Stage::Judge) => {
            "read claim and passage: where people are right, mend the rule that decided; where it is, correct `expected`"
        }
        None => "read claim and passage, and decide",
    };
    text.to_owned()
}

/// The unit to cite, where it is known; else what the claim needs.
fn citation(finding: &FindingRecord<'_>, findings: &[FindingRecord<'_>]) -> String {
    let note = |other: &&FindingRecord<'_>| other.annotates.as_deref() == Some(finding.fingerprint.as_ref());
    let elsewhere = finding.elsewhere.as_ref().or_else(|| findings.iter().find(note)?.elsewhere.as_ref());
    match (elsewhere, finding.code.as_ref()) {
        (Some(unit), _) => {
            let marker = unit.marker.as_deref().unwrap_or(&unit.id);
            format!("read {marker}: where it supports the claim, the answer must cite it here")
        }
        (None, "over-cited") => "cite the units that the claim rests on, and no others".to_owned(),
        (None, "uncited" | "too-few-citations") => {
            "cite the unit that the claim rests on; where no unit has it, the answer must not say it".to_owned()
        }
        (None, "version-mismatch" | "quote-not-in-unit") => {
            "mend how citations are made from what was retrieved: they point at something else".to_owned()
        }
        (None, _) if finding.implies.is_some() => {
            "read the passage that has it: where it supports the claim, the answer must cite it here".to_owned()
        }
        (None, _) => "mend how the answer chooses what it cites".to_owned(),
    }
}

/// What a person can do where the rules are not the last word; nothing where a label needs no decision.
pub(super) fn decision(claim: &ClaimRecord<'_>) -> Option<&'static str> {
    use crate::dataset::Label;
    match (claim.label?, claim.decided_by.as_deref()) {
        (Label::Supported, _) | (_, Some("review")) => None,
        (Label::Undecided, _) => {
            Some("a person decides: read claim and passage, and put the label into `decisions.jsonl`")
        }
        (Label::Unresolved | Label::Unreadable, _) => None,
        _ => Some("where the claim is right all the same, a reviewer's line in `decisions.jsonl` says so"),
    }
}
