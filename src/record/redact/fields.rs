//! The values that stand at a field path in a case.

use std::borrow::Cow;

use crate::citation::Packet;
use crate::dataset::Json;
use crate::dataset::case::{Case, GivenClaim, Text, Unit};

/// Adds the values at a path, under its canonical name, walking into lists. Truth values are none.
pub(super) fn values<'a>(packet: &'a Packet<'a>, path: &str, into: &mut Vec<Cow<'a, str>>) {
    let case: &'a Case<'a> = packet.case;
    let (first, rest) = path.split_once('.').map_or((path, ""), |(first, rest)| (first, rest));
    match (first, rest) {
        ("case_id", "") => into.push(borrowed(&case.case_id)),
        ("query", "") => into.extend(case.query.as_ref().map(borrowed)),
        ("answer", "") => into.extend(case.answer.as_ref().map(borrowed)),
        ("language", "") => into.extend(case.language.as_ref().map(borrowed)),
        ("retrieved_ids", "") => into.extend(case.retrieved_ids.iter().flatten().map(borrowed)),
        ("relevant_ids", "") => into.extend(case.relevant_ids.iter().flatten().map(borrowed)),
        ("allowed_scopes", "") => into.extend(case.allowed_scopes.iter().flatten().map(borrowed)),
        ("claim", _) => {
            case.claims.iter().flatten().for_each(|given| claim(given, rest, into));
            if matches!(rest, "" | "text") {
                into.extend(packet.claims.iter().map(|claim| Cow::Borrowed(claim.text.as_ref())));
            }
            if matches!(rest, "" | "claim_id") {
                into.extend(packet.claims.iter().map(|claim| Cow::Borrowed(claim.claim_id.as_ref())));
            }
        }
        ("source", _) => case.units.iter().for_each(|one| unit(one, rest, into)),
        _ => walk(&case.fields, path, into),
    }
}

fn claim<'a>(given: &'a GivenClaim<'a>, path: &str, into: &mut Vec<Cow<'a, str>>) {
    let is = |name: &str| path.is_empty() || path == name || (path == "citations" && name.starts_with("citations."));
    if is("type") {
        into.extend(given.claim_type.as_ref().map(borrowed));
    }
    if is("required_terms") {
        into.extend(given.required_terms.iter().map(borrowed));
    }
    for citation in given.citations.iter().flatten() {
        if is("citation_ids") || is("evidence_ids") || is("citations.id") {
            into.push(borrowed(&citation.id));
        }
        if is("citations.source_version") {
            into.extend(citation.source_version.as_ref().map(borrowed));
        }
        if is("citations.quote") {
            into.extend(citation.quote.as_ref().map(borrowed));
        }
    }
    walk(&given.fields, path, into);
}

fn unit<'a>(unit: &'a Unit<'a>, path: &str, into: &mut Vec<Cow<'a, str>>) {
    let named: [(&str, Option<&'a Text<'a>>); 9] = [
        ("id", Some(&unit.id)),
        ("source_id", unit.source_id.as_ref()),
        ("source_version", unit.source_version.as_ref()),
        ("source_type", unit.source_type.as_ref()),
        ("title", unit.title.as_ref()),
        ("canonical_uri", unit.canonical_uri.as_ref()),
        ("scope_id", unit.scope_id.as_ref()),
        ("content", unit.content.as_ref()),
        ("content_sha256", unit.content_sha256.as_ref()),
    ];
    for (name, value) in named {
        if path.is_empty() || path == name {
            into.extend(value.map(borrowed));
        }
    }
    if let Some(locator) = &unit.locator {
        match path.split_once('.') {
            _ if path.is_empty() || path == "locator" => leaves(locator, into),
            Some(("locator", rest)) => walk(locator, rest, into),
            _ => {}
        }
    }
    walk(&unit.fields, path, into);
}

fn borrowed<'a>(text: &'a Text<'a>) -> Cow<'a, str> {
    Cow::Borrowed(text.as_ref())
}

fn walk<'a>(value: &'a Json<'a>, path: &str, into: &mut Vec<Cow<'a, str>>) {
    if path.is_empty() {
        return leaves(value, into);
    }
    match value {
        Json::List(elements) => elements.iter().for_each(|element| walk(element, path, into)),
        Json::Object(_) => {
            let (name, rest) = path.split_once('.').unwrap_or((path, ""));
            if let Some(value) = value.get(name) {
                walk(value, rest, into);
            }
        }
        _ => {}
    }
}

/// Every text and number in a value.
pub(super) fn leaves<'a>(value: &'a Json<'a>, into: &mut Vec<Cow<'a, str>>) {
    match value {
        Json::Null | Json::Bool(_) => {}
        Json::Number(number) => into.push(Cow::Owned(number.to_string())),
        Json::Text(text) => into.push(Cow::Borrowed(text.as_ref())),
        Json::List(elements) => elements.iter().for_each(|element| leaves(element, into)),
        Json::Object(entries) => entries.iter().for_each(|(_, value)| leaves(value, into)),
    }
}
