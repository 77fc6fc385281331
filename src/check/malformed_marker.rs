//! `malformed-marker`: what looks like a citation can be read as one.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, CaseCheck, Check, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Packet, UNREAD, is_loose_list};
use crate::diagnostic::Problem;
use crate::text::Lexicons;

/// Everything in the answer that looks like a citation can be read as one.
///
/// A bracket that was cut off, a range that runs backwards or `[Source]` without a number cites nothing, yet the reader
/// takes it for a source. An answer that counts its passages from 0 in one place and from 1 in another points at the
/// wrong passage in one of them, and nothing tells which.
///
/// What a marker looks like, and what only looks like one (`suspicious`), is the policy's to say (`markers:`). A number in brackets
/// that no pattern reads (`［99］`, `[99†source]`, `{99}` behind a sentence) looks like one under every policy; years, times, indices,
/// formulas and exponents apart. The message shows the line of YAML that would read it.
///
/// Subject: a case. Fails with `malformed-marker` for each marker that cannot be read and each stretch that looks like one and
/// matches none, and with `ambiguous-index` where both 0 and the number of passages are used as positions. Such a stretch is no part
/// of any claim. At most 100 of them are told for one answer. Not applicable to answers in which nothing looks like a
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
        if packet.case.answer.is_none() {
            return Judgement::missing("answer");
        }
        if packet.markers.is_empty() {
            return Judgement::irrelevant();
        }
        let malformed = packet.markers.iter().filter_map(|marker| Some((marker, marker.malformed?)));
        let mut findings: Vec<Finding> = malformed
            .take(MOST)
            .map(|(marker, reason)| {
                let written = shortened(marker.raw);
                let mut message = format!("“{written}” looks like a citation and cannot be read as one: {reason}");
                if let Some(entry) = (reason == UNREAD).then(|| entry_for(marker.raw)).flatten() {
                    message.push_str("; if it is one, this line under `markers:` reads it: ");
                    message.push_str(&entry);
                }
                finding("malformed-marker", message, &written, reason).at(Place::Answer(marker.span.clone()))
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

/// The entry of a policy that reads markers like this one, with a number in the place of its number. `None` for one without a
/// number, or that was cut off.
fn entry_for(raw: &str) -> Option<String> {
    const LONGEST: usize = 40;
    const LIST: &str = r"\d+(?:\s*[-–—,;、，]\s*\d+)*";
    const RAISED: &str = "[⁰¹²³⁴-⁹]+";
    let is_digit = |c: char| c.is_numeric();
    let is_closed = raw.starts_with(char::is_alphanumeric) == raw.ends_with(char::is_alphanumeric);
    if raw.chars().count() > LONGEST || !is_closed || !raw.contains(is_digit) {
        return None;
    }
    // In "turn0search9" the last number counts the sources, in "[9:2]" the first.
    let last = raw.rfind(is_digit).filter(|_| raw.contains("turn"));
    let at = last.or_else(|| raw.find(is_digit))?;
    let start = raw.get(..at)?.trim_end_matches(is_digit).len();
    let rest = raw.get(start..)?;
    let around = |text: &str| -> String {
        let mut pattern = String::new();
        for part in text.split_inclusive(is_digit) {
            let plain = part.trim_end_matches(is_digit);
            pattern.push_str(&regex::escape(plain));
            if plain.len() < part.len() && !pattern.ends_with(r"\d+") {
                pattern.push_str(r"\d+");
            }
        }
        pattern.replace('\'', "''")
    };
    // "[1 to 9]": each number is a reference.
    let whole = raw.strip_prefix('[').and_then(|raw| raw.strip_suffix(']'));
    if let Some(list) = whole.filter(|list| is_loose_list(list)) {
        let refs = around(list);
        return Some(format!(r"- {{ id: own-marker, pattern: '\[(?<refs>{refs})\]', each: '\d+', resolve: position }}"));
    }
    let end = start + rest.find(|c: char| !is_digit(c) && !" ,;-–—、，".contains(c)).unwrap_or(rest.len());
    let number = raw.get(start..end)?.trim_end_matches(|c: char| !is_digit(c));
    let list = if number.starts_with(['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']) { RAISED } else { LIST };
    let (before, after) = (around(raw.get(..start)?), around(raw.get(start + number.len()..)?));
    Some(format!("- {{ id: own-marker, pattern: '{before}(?<refs>{list}){after}', resolve: position }}"))
}

/// A marker's text for a sentence: at most 60 characters of it.
fn shortened(marker: &str) -> String {
    const SHOWN: usize = 60;
    match marker.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", marker.get(..end).unwrap_or_default()),
        None => marker.to_owned(),
    }
}
