//! `source-version`: the cited version is the version that was retrieved.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Check, CitationCheck, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Citation, Packet};
use crate::diagnostic::Problem;
use crate::text::Lexicons;

/// The version that a citation names is the version of the unit in the packet.
///
/// The right document in the wrong version looks right to every reader. A citation that says "as of 2025-01-10" and
/// rests on a passage of 2026-08-20 proves nothing about either. Versions compare exactly, but for space around them.
///
/// Subject: a citation that resolves. Fails with `version-mismatch`. Not applicable where the citation or the unit names
/// no `source_version` (`on_missing: fail` demands both).
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
    const CODES: &'static [(&'static str, &'static str)] =
        &[("version-mismatch", "the cited version is not the version that was retrieved")];
    const VARIABLES: &'static [&'static str] = &["cited_version", "retrieved_version"];
    type Options = Options;

    fn compile(_: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Citation(Box::new(SourceVersion)))
    }
}

impl CitationCheck for SourceVersion {
    fn judge(&self, packet: &Packet<'_>, citation: &Citation<'_>) -> Judgement {
        let Some(unit) = packet.unit(citation) else { return Judgement::irrelevant() };
        let Some(cited) = citation.given.and_then(|given| given.source_version.as_deref()) else {
            return Judgement::missing("claims.citations.source_version");
        };
        let Some(retrieved) = unit.source_version.as_deref() else {
            return Judgement::missing("sources.source_version");
        };
        if cited.trim() == retrieved.trim() {
            return Judgement::pass();
        }
        let message = format!("version “{cited}” of “{}” is cited, but version “{retrieved}” was retrieved", unit.id);
        let finding =
            Finding::new("version-mismatch", message).with("cited_version", cited).with("retrieved_version", retrieved);
        Judgement::of(vec![finding.at(Place::of_citation(packet, citation))])
    }
}
