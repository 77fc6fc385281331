//! `scope`: the reader may see what is cited.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Code, Fault, Stage, Check, CitationCheck, Defect, Family, Finding, Judgement, Kind, Place};
use crate::citation::{Citation, Packet};
use crate::dataset::register::Status;
use crate::diagnostic::{Problem, code};
use crate::text::Lexicons;
use crate::yaml::Located;

/// Every cited unit belongs to a scope that the reader may see.
///
/// A citation can resolve, be current and be quoted word for word, and still be a leak: the passage belongs to another
/// tenant. Allowed are the case's `allowed_scopes` and, beside them, the rule's own `allowed`, for scopes that everyone
/// may see. Where either is declared, a unit without a scope fails: what belongs to nobody in particular is not known
/// to be allowed. `allowed_scopes: []` allows nothing. Scopes compare exactly.
///
/// With a source register (`check --sources FILE`) the scope that is registered must be allowed too, and a source that is
/// registered as `restricted` may not be shown at all.
///
/// Options: `allowed`, a list of scopes that every reader may see.
///
/// Subject: a citation that resolves. Fails with `scope-not-allowed`, `scope-missing` or `source-restricted`; all imply
/// `unreadable`, and reports withhold the excerpt. Not applicable where neither the case nor the rule declares scopes and
/// the register restricts nothing.
///
/// ```yaml
/// - id: other-tenant
///   check: { scope: { allowed: [public] } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Scopes that every reader may see, beside the `allowed_scopes` of the case.
    pub allowed: Option<Located<Vec<String>>>,
}

/// The kind.
pub struct Scope {
    allowed: Vec<String>,
}

impl Kind for Scope {
    const NAME: &'static str = "scope";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [Code] = &[
        Code::new("scope-not-allowed", "the cited unit belongs to a scope that the reader may not see", Fault::at(Stage::Retrieval, "retrieval returned a unit that this reader may not see")),
        Code::new("scope-missing", "scopes are declared, but the cited unit has none", Fault::at(Stage::Data, "the unit does not say which scope it belongs to")),
        Code::new("source-restricted", "the register says that the source may not be shown", Fault::at(Stage::Retrieval, "retrieval returned a source that may not be shown")),
    ];
    const VARIABLES: &'static [&'static str] = &["scope", "allowed"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        let allowed = match options.allowed {
            Some(allowed) if allowed.is_empty() => {
                return Err(vec![
                    Problem::new(code::EMPTY, "`allowed` is empty")
                        .at(allowed.span)
                        .label("expected at least one scope")
                        .help("leave the key out where only the case's `allowed_scopes` count"),
                ]);
            }
            Some(allowed) => allowed.value,
            None => Vec::new(),
        };
        Ok(Check::Citation(Box::new(Scope { allowed })))
    }
}

impl CitationCheck for Scope {
    fn judge(&self, packet: &Packet<'_>, citation: &Citation<'_>) -> Judgement {
        let Some(unit) = packet.unit(citation) else { return Judgement::irrelevant() };
        let entry = packet.registered(unit).and_then(|entry| entry.version(unit.source_version.as_deref()));
        if entry.is_some_and(|source| source.status == Status::Restricted) {
            let message = format!("the source register says that “{}” is restricted", unit.id);
            let finding = Finding::new("source-restricted", message)
                .implying(Defect::Unreadable)
                .with("scope", unit.scope_id.as_deref())
                .with("allowed", Vec::<&str>::new());
            return Judgement::of(vec![finding.at(Place::of_citation(packet, citation))]);
        }
        let declared = packet.case.allowed_scopes.as_deref();
        if declared.is_none() && self.allowed.is_empty() {
            return Judgement::missing("allowed_scopes");
        }
        let allowed: Vec<&str> = declared
            .unwrap_or_default()
            .iter()
            .map(AsRef::as_ref)
            .chain(self.allowed.iter().map(String::as_str))
            .collect();
        let of_register = entry.and_then(|source| source.scope.as_deref());
        let forbidden = of_register.filter(|scope| !allowed.contains(scope));
        let scope = forbidden.or(unit.scope_id.as_deref()).or(of_register);
        if scope.is_some_and(|scope| allowed.contains(&scope)) {
            return Judgement::pass();
        }
        let may_see = match allowed.as_slice() {
            [] => "the reader may see no scope at all".to_owned(),
            scopes => format!(
                "the reader may see only {}",
                scopes.iter().map(|s| format!("“{s}”")).collect::<Vec<_>>().join(", ")
            ),
        };
        let (code, message) = match scope {
            Some(scope) => ("scope-not-allowed", format!("“{}” belongs to scope “{scope}”; {may_see}", unit.id)),
            None => ("scope-missing", format!("“{}” belongs to no scope; {may_see}", unit.id)),
        };
        let finding = Finding::new(code, message)
            .implying(Defect::Unreadable)
            .with("scope", scope.map_or(Value::Null, Value::from))
            .with("allowed", allowed);
        Judgement::of(vec![finding.at(Place::of_citation(packet, citation))])
    }
}
