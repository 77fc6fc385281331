//! `malformed-marker`: what looks like a citation can be read as one.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, CaseCheck, Check, Family, Finding, Judgement, Kind, Place};
use crate::citation::Packet;
use crate::diagnostic::Problem;
use crate::text::Lexicons;

/// Everything in the answer that looks like a citation can be read as one.
///
/// A bracket that was cut off, a range that runs backwards or `[Source]` without a number cites nothing, yet the reader
/// takes it for a source. An answer that counts its passages from 0 in one place and from 1 in another points at the
/// wrong passage in one of them, and nothing tells which.
///
/// What a marker looks like, and what only looks like one (`suspicious`), is the policy's to say (`markers:`).
///
/// Subject: a case. Fails with `malformed-marker` for each marker that cannot be read and each stretch that matches a
/// `suspicious` pattern and no marker, and with `ambiguous-index` where both 0 and the number of passages are used as
/// positions. At most 100 of them are told for one answer. Not applicable to answers in which nothing looks like a
/// citation.
///
/// ```yaml
/// - id: broken-marker
///   check: malformed-marker
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {}

/// The kind.
pub struct MalformedMarker;

impl Kind for MalformedMarker {
    const NAME: &'static str = "malformed-marker";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [Code] = &[
        Code::new("malformed-marker", "text looks like a citation and cannot be read as one", Fault::at(Stage::Generation, "the answer writes what is no marker")),
        Code::new("ambiguous-index", "positions may count from 0 or from 1", Fault::at(Stage::Generation, "the answer does not count its sources one way")),
    ];
    const VARIABLES: &'static [&'static str] = &["marker", "reason"];
    type Options = Options;

    fn compile(_: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Case(Box::new(MalformedMarker)))
    }
}

/// Most findings for one answer.
const MOST: usize = 100;

impl CaseCheck for MalformedMarker {
    fn judge(&self, packet: &Packet<'_>) -> Judgement {
        let Some(answer) = packet.case.shown_answer() else { return Judgement::missing("answer") };
        if packet.markers.is_empty() && packet.suspicious.is_empty() {
            return Judgement::irrelevant();
        }
        let malformed = packet.markers.iter().filter_map(|marker| Some((marker.span.clone(), marker.malformed?)));
        let suspicious = packet.suspicious.iter().map(|span| (span.clone(), "it matches no marker of the policy"));
        let mut found: Vec<(Range<usize>, &str)> = malformed.chain(suspicious).collect();
        found.sort_by_key(|(span, _)| (span.start, span.end));
        let mut findings: Vec<Finding> = found
            .into_iter()
            .take(MOST)
            .map(|(span, reason)| {
                let marker = shortened(answer.get(span.clone()).unwrap_or_default());
                let message = format!("“{marker}” looks like a citation and cannot be read as one: {reason}");
                finding("malformed-marker", message, &marker, reason).at(Place::Answer(span))
            })
            .collect();
        if packet.ambiguous_index {
            let units = packet.case.units.len();
            let held = packet.size();
            let reason = format!("both 0 and {units} are cited as positions, and the packet has {held}");
            let message = format!("{reason}: they may count from 0 or from 1");
            findings.push(finding("ambiguous-index", message, "", &reason));
        }
        Judgement::of(findings)
    }
}

fn finding(code: &'static str, message: String, marker: &str, reason: &str) -> Finding {
    Finding::new(code, message).with("marker", marker).with("reason", reason)
}

/// A marker's text for a sentence: at most 60 characters of it.
fn shortened(marker: &str) -> String {
    const SHOWN: usize = 60;
    match marker.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", marker.get(..end).unwrap_or_default()),
        None => marker.to_owned(),
    }
}
