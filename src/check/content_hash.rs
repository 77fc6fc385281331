//! `content-hash`: the passage is the one that was hashed, and one address never means two texts.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, Check, CitationCheck, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Citation, Packet};
use crate::dataset::Unit;
use crate::diagnostic::Problem;
use crate::text::normal::same_id;
use crate::text::{Digest, Lexicons, digest};

/// The content of a cited unit is what was hashed, and its address stands for no other text.
///
/// The declared hash is that of the content, and no other unit of the packet has the same address and another text.
///
/// An excerpt that changed after it was hashed is no evidence of what the model read. Two texts under one source,
/// version and locator mean that the version label lies. `content_sha256` is SHA-256 over the exact bytes; where only line
/// endings or the composition of letters differ, the message says so. Chunks of one document are told apart by their
/// `locator`: units of one source and version without one are never compared with each other.
///
/// With a source register (`check --sources FILE`) that has the evidence id, the content must be the one registered for
/// its version; source ids are not compared, since a passage is not its whole document.
///
/// Subject: a citation that resolves. Fails with `content-hash-mismatch` or `content-drift`. Not applicable where the
/// unit has no content, or no declared hash, no registered one and no other unit to compare with.
///
/// ```yaml
/// - id: changed-content
///   check: content-hash
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {}

/// The kind.
pub struct ContentHash;

impl Kind for ContentHash {
    const NAME: &'static str = "content-hash";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [Code] = &[
        Code::new("content-hash-mismatch", "the content is not what its declared hash was taken over", Fault::at(Stage::Data, "the text changed after its hash was taken")),
        Code::new("content-drift", "one address (id or source, version and locator) stands for two texts", Fault::at(Stage::Data, "the corpus has two texts under one address")),
    ];
    const VARIABLES: &'static [&'static str] = &["declared", "actual", "other"];
    type Options = Options;

    fn compile(_: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Citation(Box::new(ContentHash)))
    }
}

impl CitationCheck for ContentHash {
    fn judge(&self, packet: &Packet<'_>, citation: &Citation<'_>) -> Judgement {
        let Some(unit) = packet.unit(citation) else { return Judgement::irrelevant() };
        let Some(content) = unit.content.as_deref() else { return Judgement::missing("sources.content") };
        let declared = unit.content_sha256.as_deref();
        let mut twins =
            packet.case.units.iter().filter(|other| !std::ptr::eq(*other, unit) && is_same_address(unit, other));
        let first = twins.next();
        let registered = registered(packet, unit);
        if declared.is_none() && first.is_none() && registered.is_none() {
            return Judgement::missing("sources.content_sha256");
        }
        let drift = first.into_iter().chain(twins).find_map(|other| drift(unit, content, other));
        let changed = registered.and_then(|registered| changed(unit, content, registered));
        let mismatch = declared.and_then(|declared| mismatch(unit, content, declared));
        let place = Place::of_citation(packet, citation);
        Judgement::of(mismatch.into_iter().chain(drift).chain(changed).map(|finding| finding.at(place.clone())).collect())
    }
}

/// The content hash that the register has for this passage in its version.
fn registered(packet: &Packet<'_>, unit: &Unit<'_>) -> Option<Digest> {
    let entry = packet.registered(unit).filter(|entry| entry.is_passage)?;
    entry.version(unit.source_version.as_deref())?.content
}

fn changed(unit: &Unit<'_>, content: &str, registered: Digest) -> Option<Finding> {
    let actual = digest::raw(content.as_bytes());
    if actual == registered {
        return None;
    }
    let message =
        format!("the content of “{}” has the hash {actual}, the source register has {registered} for it", unit.id);
    let finding = Finding::new("content-drift", message).with("declared", registered.to_string());
    Some(finding.with("actual", actual.to_string()).with("other", ""))
}

/// Whether two units of a packet claim to be the same passage of the same version of the same source.
fn is_same_address(unit: &Unit<'_>, other: &Unit<'_>) -> bool {
    let same_source = match (&unit.source_id, &other.source_id) {
        (Some(source), Some(other_source)) => same_id(source, other_source),
        _ => false,
    };
    same_source
        && unit.source_version.is_some()
        && unit.source_version == other.source_version
        && unit.locator.is_some()
        && unit.locator == other.locator
}

fn drift(unit: &Unit<'_>, content: &str, other: &Unit<'_>) -> Option<Finding> {
    let text = other.content.as_deref()?;
    if digest::normalised(content) == digest::normalised(text) {
        return None;
    }
    let version = unit.source_version.as_deref().unwrap_or_default();
    let source = unit.source_id.as_deref().unwrap_or_default();
    let message = format!(
        "“{}” and “{}” are the same passage of “{source}” in version “{version}”, but their texts differ",
        unit.id, other.id
    );
    Some(
        Finding::new("content-drift", message).with("other", other.id.as_ref()).with("declared", "").with("actual", ""),
    )
}

fn mismatch(unit: &Unit<'_>, content: &str, declared: &str) -> Option<Finding> {
    let expected: Option<Digest> = declared.parse().ok();
    let actual = digest::raw(content.as_bytes());
    if expected == Some(actual) {
        return None;
    }
    let hint = if expected == Some(digest::text(content)) {
        "; only line endings or the composition of letters differ"
    } else {
        ""
    };
    let message = format!("the content of “{}” has the hash {actual}, declared is {declared}{hint}", unit.id);
    let finding = Finding::new("content-hash-mismatch", message);
    Some(finding.with("declared", declared).with("actual", actual.to_string()).with("other", ""))
}
