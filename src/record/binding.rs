//! What a reviewer's decision is bound to (SPEC 8.3): a hash of the claim and a hash of the evidence that it cites. A
//! decision applies while both stay the same, and lapses when either changes.
//!
//! The claim's hash is the SHA-256 of the exact bytes of its text. The evidence's hash is the SHA-256 of the line
//! `citeward-evidence-1` and one line for each distinct citation of the claim, the lines sorted by their bytes, each ended
//! by a line feed. A citation's line is a JSON list without spaces:
//!
//! ```text
//! ["ev_7f2","policy_18","2026-08-20","Customer Refund Policy","https://kb.example/refunds","sha256:…",[0,61]]
//! ```
//!
//! These are the unit's id, document, version, title and address (`null` where the data does not say), the digest of
//! its content's exact bytes (`null` without content), and the span of the content that the citation exposes (`null`
//! where it exposes nothing): everything that a support check may read of a unit. A citation that resolves to nothing has
//! the id as it is written and `null` for all the rest.

use super::cache::Known;
use crate::citation::{Citation, Exposed, Packet};
use crate::text::{Digest, digest};

/// First line of what the evidence's hash is taken over.
pub const SCHEME: &str = "citeward-evidence-1";

/// What is known of a cited unit, as one line.
type Line<'a> = (
    &'a str,
    Option<&'a str>,
    Option<&'a str>,
    Option<&'a str>,
    Option<&'a str>,
    Option<String>,
    Option<(usize, usize)>,
);

/// The hash of the evidence that these citations of one claim cite; `None` where there is none. `units` is what is known
/// of the packet's units.
pub(super) fn evidence<'a>(
    packet: &'a Packet<'a>,
    units: &[Option<Known>],
    citations: impl Iterator<Item = &'a Citation<'a>>,
) -> Option<Digest> {
    let mut lines: Vec<String> = citations.map(|citation| line(packet, units, citation)).collect();
    if lines.is_empty() {
        return None;
    }
    lines.sort_unstable();
    lines.dedup();
    let mut text = String::from(SCHEME);
    text.push('\n');
    for line in lines {
        text.push_str(&line);
        text.push('\n');
    }
    Some(digest::raw(text.as_bytes()))
}

fn line<'a>(packet: &'a Packet<'a>, units: &[Option<Known>], citation: &'a Citation<'a>) -> String {
    let unit = packet.unit(citation);
    let content = citation.resolution.unit().and_then(|index| units.get(index)?.as_ref());
    let exposed = match &citation.exposed {
        Exposed::Span(span) if unit.is_some() => Some((span.start, span.end)),
        _ => None,
    };
    let line: Line<'_> = (
        unit.map_or(&citation.id, |unit| &unit.id),
        unit.and_then(|unit| unit.source_id.as_deref()),
        unit.and_then(|unit| unit.source_version.as_deref()),
        unit.and_then(|unit| unit.title.as_deref()),
        unit.and_then(|unit| unit.canonical_uri.as_deref()),
        content.map(|known| known.digests.raw.to_string()),
        exposed,
    );
    // Texts and whole numbers can always be written as JSON.
    serde_json::to_string(&line).unwrap_or_default()
}
