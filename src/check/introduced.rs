//! `introduced`: the answer brings in no address, id or reference of its own.

use std::collections::BTreeSet;

use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{CaseCheck, Check, Family, Finding, Judgement, Kind, Place, expression};
use crate::citation::{ClaimClass, Packet};
use crate::diagnostic::{Problem, code};
use crate::text::identifier::IdentifierKind;
use crate::text::normal::{Case, Folded};
use crate::text::{Analysis, Lexicons, Span};
use crate::yaml::Located;

/// The answer brings in no address, document id or source of its own.
///
/// It holds no web or e-mail address, document id or reference entry that neither the packet nor the question supplied.
///
/// An address that stands in no source was made up, or put there to lead the reader or the reader's data somewhere else. The same
/// goes for a DOI, an ISBN or a line of the answer's own list of sources. What supplies them: the content, title, address and
/// ids of every unit of the packet (cited or not), and the user's question. Addresses compare without case, scheme, `www.`, fragment and
/// final slash; the bare host of a supplied address may be named alone. Addresses inside citation markers and links count too.
///
/// Options: `patterns`, a list of regular expressions for ids of your own (`'\bT-\d+\b'`); they compare without case. DOI, ISBN, arXiv,
/// PubMed and UUID are known.
///
/// Subject: a case. Fails with `introduced-url`, `introduced-email`, `introduced-id` or `introduced-reference`, once for each thing
/// brought in. A reference entry must hold the title, address or id of a unit. Not applicable to answers without any of these.
///
/// ```yaml
/// - id: address-from-nowhere
///   check: { introduced: { patterns: ['\bKB-\d{4}\b'] } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Regular expressions for further ids.
    pub patterns: Option<Located<Vec<Located<String>>>>,
}

/// Ids of documents that are the same everywhere.
const KNOWN: [&str; 5] = [
    r#"\b10\.\d{4,9}/[^\s"<>\])}]*[^\s"<>\])}.,;:]"#,
    r"\barxiv:\s*\d{4}\.\d{4,5}\b",
    r"\bISBN(?:-1[03])?:?\s*[\d-]{9,16}[\dX]\b",
    r"\bPMID:?\s*\d+\b",
    r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b",
];

/// Addresses however they are wrapped: with a scheme, relative to it (`//host`), with `www.`, or made to run when clicked. Wider
/// than what reads as an address in prose, because a renderer does not read prose.
const ADDRESS: &str = concat!(
    r#"(?:\b[a-z][a-z0-9+.-]*:)?//[a-z0-9][^\s<>"“”«»`\[\]|\\^{}]*"#,
    r#"|\bwww\.[a-z0-9][^\s<>"“”«»`\[\]|\\^{}]*"#,
    r#"|\b(?:(?:javascript|vbscript):|data:[a-z]+/)[^\s<>"`\])]+"#,
);

/// The kind.
pub struct Introduced {
    lexicons: Lexicons,
    addresses: Regex,
    ids: Vec<Regex>,
}

impl Kind for Introduced {
    const NAME: &'static str = "introduced";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [(&'static str, &'static str)] = &[
        ("introduced-url", "the answer has a web address that nothing supplied"),
        ("introduced-email", "the answer has an e-mail address that nothing supplied"),
        ("introduced-id", "the answer has a document id that nothing supplied"),
        ("introduced-reference", "the answer lists a source that the packet does not have"),
    ];
    const VARIABLES: &'static [&'static str] = &["found"];
    type Options = Options;

    fn compile(options: Options, lexicons: &Lexicons) -> Result<Check, Vec<Problem>> {
        let mut problems = Vec::new();
        let own = match &options.patterns {
            Some(written) if written.is_empty() => {
                let problem = Problem::new(code::EMPTY, "`patterns` is empty").at(written.span);
                problems.push(problem.label("expected at least one regular expression"));
                &[][..]
            }
            Some(written) => written.value.as_slice(),
            None => &[],
        };
        let known: Vec<Located<String>> = KNOWN.iter().map(|known| Located::nowhere((*known).to_owned())).collect();
        let mut ids = Vec::new();
        for pattern in known.iter().chain(own) {
            match expression::compiled("patterns", pattern, true) {
                Ok(pattern) => ids.push(pattern),
                Err(problem) => problems.push(problem),
            }
        }
        match expression::compiled("address", &Located::nowhere(ADDRESS.to_owned()), true) {
            Ok(addresses) if problems.is_empty() => {
                Ok(Check::Case(Box::new(Introduced { lexicons: lexicons.clone(), addresses, ids })))
            }
            Ok(_) => Err(problems),
            Err(problem) => Err(vec![problem]),
        }
    }
}

/// What is looked for in what was supplied.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Foreign {
    code: &'static str,
    /// The form in which it is compared.
    canonical: String,
}

impl CaseCheck for Introduced {
    fn judge(&self, packet: &Packet<'_>) -> Judgement {
        let Some(answer) = packet.case.answer.as_deref() else { return Judgement::missing("answer") };
        let entries = entries(packet);
        let brought = self.brought(answer, &packet.language);
        if brought.is_empty() && entries.is_empty() {
            return Judgement::irrelevant();
        }
        let mut findings = Vec::new();
        if !brought.is_empty() {
            let supplied = self.supplied(packet, &brought);
            for (span, foreign) in brought.iter().filter(|(_, foreign)| !supplied.contains(foreign)) {
                let found = span.of(answer);
                let message = format!("the answer says “{found}”, which neither the packet nor the question supplied");
                findings.push((Some(*span), Finding::new(foreign.code, message).with("found", found)));
            }
        }
        for (span, entry) in entries.into_iter().filter(|(_, entry)| !names_a_unit(packet, entry)) {
            let message = format!("the answer lists “{}” as a source, but the packet has no such source", entry);
            findings.push((span, Finding::new("introduced-reference", message).with("found", entry)));
        }
        findings.sort_by_key(|(span, _)| *span);
        let placed = |(span, finding): (Option<Span>, Finding)| match span {
            Some(span) => finding.at(Place::Answer(span.range())),
            None => finding,
        };
        Judgement::of(findings.into_iter().map(placed).collect())
    }
}

impl Introduced {
    /// The addresses and ids of a text, each once, in order.
    fn brought(&self, text: &str, language: &str) -> Vec<(Span, Foreign)> {
        let mut found: Vec<(Span, Foreign)> = Vec::new();
        for address in self.addresses.find_iter(text) {
            let span = Span::new(address.start(), address.start() + without_closing_marks(address.as_str()).len());
            found.push((span, Foreign { code: "introduced-url", canonical: canonical_address(span.of(text)) }));
        }
        // Reading a text is dear, and most hold nothing that could be a host or an e-mail address.
        if may_hold_an_address(text) {
            let analysis = Analysis::new(Some(language), &self.lexicons);
            for known in analysis.identifiers(text) {
                let code = match known.kind {
                    IdentifierKind::Url => "introduced-url",
                    IdentifierKind::Email => "introduced-email",
                    _ => continue,
                };
                if !found.iter().any(|(span, _)| span.overlaps(known.span)) {
                    found.push((known.span, Foreign { code, canonical: canonical_address(known.span.of(text)) }));
                }
            }
        }
        // A DOI inside its address is the address.
        let ids = self
            .ids
            .iter()
            .flat_map(|pattern| pattern.find_iter(text))
            .filter(|id| !found.iter().any(|(span, _)| span.overlaps(id.range().into())));
        let ids: Vec<(Span, Foreign)> = ids
            .map(|id| {
                let canonical = id.as_str().to_lowercase().split_whitespace().collect();
                (id.range().into(), Foreign { code: "introduced-id", canonical })
            })
            .collect();
        found.extend(ids);
        found.sort_by_key(|(span, _)| *span);
        let mut seen = BTreeSet::new();
        found.retain(|(_, foreign)| seen.insert(foreign.clone()));
        found
    }

    /// Those of `wanted` that the packet or the question supplies.
    fn supplied(&self, packet: &Packet<'_>, wanted: &[(Span, Foreign)]) -> BTreeSet<Foreign> {
        let units = packet.case.units.iter().flat_map(|unit| {
            let ids = [Some(unit.id.as_ref()), unit.source_id.as_deref()];
            ids.into_iter()
                .chain([unit.title.as_deref(), unit.canonical_uri.as_deref(), unit.content.as_deref()])
                .flatten()
        });
        let mut supplied = BTreeSet::new();
        for text in packet.case.query.as_deref().into_iter().chain(units) {
            let folded: String = text.to_lowercase();
            let may_hold = |foreign: &Foreign| {
                // Ids compare without the space inside them.
                foreign.code == "introduced-id" || folded.contains(foreign.canonical.as_str())
            };
            if !wanted.iter().any(|(_, foreign)| !supplied.contains(foreign) && may_hold(foreign)) {
                continue;
            }
            for (_, foreign) in self.brought(text, &packet.language) {
                if foreign.code == "introduced-url"
                    && let Some((host, _)) = foreign.canonical.split_once('/')
                {
                    supplied.insert(Foreign { code: foreign.code, canonical: host.to_owned() });
                }
                supplied.insert(foreign);
            }
        }
        supplied
    }
}

/// The lines of the answer's list of sources, without the line that opens it ("Sources:").
fn entries<'p>(packet: &'p Packet<'_>) -> Vec<(Option<Span>, &'p str)> {
    let mut entries = Vec::new();
    let mut in_list = false;
    for claim in &packet.claims {
        let is_entry = claim.class == ClaimClass::ReferenceEntry;
        let text = claim.text.trim();
        let opens = !in_list && (text.ends_with(':') || text.split_whitespace().count() <= 3);
        if is_entry && !opens && !text.is_empty() {
            entries.push((claim.span.clone().map(Span::from), text));
        }
        in_list = is_entry;
    }
    entries
}

/// Whether an address may stand in a text: an at sign, or a full stop that does not end a sentence or part a number. Saves
/// reading most texts.
fn may_hold_an_address(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_letter = |at: Option<&u8>| at.is_some_and(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    let joins = |at: usize| {
        let (before, after) = (at.checked_sub(1).and_then(|at| bytes.get(at)), bytes.get(at + 1));
        after.is_some_and(|after| !after.is_ascii_whitespace()) && (is_letter(before) || is_letter(after))
    };
    let mut stops = memchr::memchr_iter(b'.', bytes).peekable();
    bytes.contains(&b'@') || (stops.peek().is_some() && bytes.contains(&b'/')) || stops.any(joins)
}

/// An address without the punctuation of the sentence or link around it.
fn without_closing_marks(address: &str) -> &str {
    let mut rest = address;
    loop {
        let trimmed = rest.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '’', '*', '_']);
        let unopened = trimmed.ends_with(')') && trimmed.matches(')').count() > trimmed.matches('(').count();
        let next = if unopened { trimmed.get(..trimmed.len() - 1).unwrap_or_default() } else { trimmed };
        if next.len() == rest.len() {
            return rest;
        }
        rest = next;
    }
}

/// An address as it is compared: in lower case, without scheme, `www.`, fragment and final slash.
fn canonical_address(address: &str) -> String {
    let lower = address.to_lowercase();
    let bare = lower.split_once("//").map_or(lower.as_str(), |(_, rest)| rest);
    let bare = bare.strip_prefix("www.").unwrap_or(bare);
    bare.split('#').next().unwrap_or_default().trim_end_matches('/').to_owned()
}

/// Whether an entry of the answer's list of sources names a unit of the packet, by title, address or id.
fn names_a_unit(packet: &Packet<'_>, entry: &str) -> bool {
    let folded = |text: &str| Folded::new(text, Case::Fold).text().trim().to_owned();
    let entry = folded(entry);
    let holds = |name: &str| {
        let name = folded(name);
        let name = name.trim_end_matches('/');
        let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
        !name.is_empty()
            && entry.match_indices(name).any(|(at, found)| {
                let before = entry.get(..at).and_then(|text| text.chars().next_back());
                let after = entry.get(at + found.len()..).and_then(|text| text.chars().next());
                edge(before) && edge(after)
            })
    };
    packet.case.units.iter().any(|unit| {
        let names =
            [unit.title.as_deref(), unit.canonical_uri.as_deref(), unit.source_id.as_deref(), Some(unit.id.as_ref())];
        // A bare number is the number of the entry, not the name of a source.
        names.into_iter().flatten().filter(|name| name.chars().any(char::is_alphabetic)).any(holds)
    })
}
