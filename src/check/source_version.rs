//! `source-version`: the cited version is the version that was retrieved, and the one that holds now.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, Check, CitationCheck, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Citation, Packet};
use crate::dataset::Unit;
use crate::dataset::register::Status;
use crate::diagnostic::Problem;
use crate::text::Lexicons;

/// The version that a citation names is the version of the unit in the packet, and the one that holds now.
///
/// The right document in the wrong version looks right to every reader. A citation that says "as of 2025-01-10" and
/// rests on a passage of 2026-08-20 proves nothing about either. Versions compare exactly, but for space around them.
///
/// With a source register (`check --sources FILE`) the version that was retrieved is held against the corpus too: it must
/// be there, and it must be the current one. "It was retrieved", "it exists" and "it is current" are different facts and
/// get different findings.
///
/// Subject: a citation that resolves. Fails with `version-mismatch`; with a register also with `version-superseded`,
/// `source-deleted` and `source-unregistered`. Not applicable where there is nothing to compare: no register, and the
/// citation or the unit names no `source_version` (`on_missing: fail` demands both).
///
/// ```yaml
/// - id: stale-version
///   check: source-version
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {}

/// The kind.
pub struct SourceVersion;

impl Kind for SourceVersion {
    const NAME: &'static str = "source-version";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [Code] = &[
        Code::new("version-mismatch", "the cited version is not the version that was retrieved", Fault::at(Stage::Citation, "the citation names another version than the unit that it points at")),
        Code::new("version-superseded", "the register has a newer version than the one that was retrieved", Fault::at(Stage::Retrieval, "retrieval returned a version that is no longer current")),
        Code::new("source-deleted", "the register says that the source is gone", Fault::at(Stage::Retrieval, "retrieval returned a source that is gone")),
        Code::new("source-unregistered", "the register does not have the source in this version", Fault::at(Stage::Data, "the index and the register disagree on what the corpus holds")),
    ];
    const VARIABLES: &'static [&'static str] = &["cited_version", "retrieved_version", "current_version"];
    type Options = Options;

    fn compile(_: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Citation(Box::new(SourceVersion)))
    }
}

impl CitationCheck for SourceVersion {
    fn judge(&self, packet: &Packet<'_>, citation: &Citation<'_>) -> Judgement {
        let Some(unit) = packet.unit(citation) else { return Judgement::irrelevant() };
        let cited = citation.given.and_then(|given| given.source_version.as_deref());
        let retrieved = unit.source_version.as_deref();
        let mismatch = match (cited, retrieved) {
            (Some(cited), Some(retrieved)) if cited.trim() != retrieved.trim() => {
                let what = format!("version “{cited}” of “{}” is cited, but version “{retrieved}” was retrieved", unit.id);
                Some(finding("version-mismatch", what, citation, unit, None))
            }
            _ => None,
        };
        let registered = packet.register.and_then(|_| registered(packet, citation, unit));
        if packet.register.is_none() && cited.is_none() {
            return Judgement::missing("claims.citations.source_version");
        }
        if packet.register.is_none() && retrieved.is_none() {
            return Judgement::missing("sources.source_version");
        }
        let place = Place::of_citation(packet, citation);
        Judgement::of(mismatch.into_iter().chain(registered).map(|finding| finding.at(place.clone())).collect())
    }
}

/// What the register has against the version that was retrieved.
fn registered(packet: &Packet<'_>, citation: &Citation<'_>, unit: &Unit<'_>) -> Option<Finding> {
    let version = unit.source_version.as_deref();
    let named = version.map_or_else(|| format!("“{}”", unit.id), |version| format!("version “{version}” of “{}”", unit.id));
    let entry = packet.registered(unit);
    let current = entry.and_then(|entry| entry.current()).and_then(|source| source.version.as_deref());
    let holds = current.map(|current| format!("; version “{current}” holds now")).unwrap_or_default();
    let found = |code, what: String| Some(finding(code, what, citation, unit, current));
    let Some(source) = entry.and_then(|entry| entry.version(version)) else {
        return found("source-unregistered", format!("the source register does not have {named}{holds}"));
    };
    match source.status {
        Status::Superseded => found("version-superseded", format!("{named} is superseded{holds}")),
        Status::Deleted => found("source-deleted", format!("{named} was deleted from the corpus{holds}")),
        // Whether a restricted source may be read is what `scope` says.
        Status::Current | Status::Restricted => None,
    }
}

fn finding(
    code: &'static str,
    message: String,
    citation: &Citation<'_>,
    unit: &Unit<'_>,
    current: Option<&str>,
) -> Finding {
    let cited = citation.given.and_then(|given| given.source_version.as_deref());
    Finding::new(code, message)
        .with("cited_version", cited)
        .with("retrieved_version", unit.source_version.as_deref())
        .with("current_version", current)
}
