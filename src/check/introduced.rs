//! `introduced`: the answer brings in no address, id or reference of its own.

mod entry;
mod foreign;

use schemars::JsonSchema;
use serde::Deserialize;

use self::entry::{Entries, Library};
use self::foreign::{ADDRESS, Foreign, KNOWN, Reader, Supplied};
use super::{Code, Fault, Stage, CaseCheck, Check, Family, Finding, Judgement, Kind, Place, expression};
use crate::citation::Packet;
use crate::diagnostic::{Problem, code};
use crate::text::{Lexicons, Span};
use crate::yaml::Located;

/// The answer brings in no address, document id or source of its own.
///
/// It holds no web or e-mail address, document id or reference entry that neither the packet nor the question supplied.
///
/// An address that stands in no source was made up, or put there to lead the reader or the reader's data somewhere else. The same
/// goes for a DOI, an ISBN or a line of the answer's own list of sources. What supplies them: the content, title, address and
/// ids of every unit of the packet (cited or not), and the user's question.
///
/// Addresses compare without scheme, `www.`, fragment, final slash, needless percent signs and the case of the host, in letters or in
/// Punycode; a DOI and its address are one. The bare host of a supplied address may be named alone. A user name before the host, another
/// port, path or query, a look-alike letter and a hidden character all make another address; what only a renderer shows (`&#47;`, `\/`)
/// is read as it shows. Addresses inside citation markers and links count too.
///
/// Reference entries are the lines under a heading such as "Sources:", link definitions, and any line or sentence in the form of one
/// ("Author, A., & Author, B. (2012). …", `[Online]. Available: …`, "Retrieved from …"). An entry is supplied where one unit has what
/// identifies it: title, address or id in full, or nearly all of its words. So is an author with a year in running text
/// ("(Author et al., 2020)") where one unit has both, unless a marker grammar takes it for a citation.
///
/// Options: `patterns`, a list of regular expressions for ids of your own (`'\bT-\d+\b'`); they compare without case. DOI, ISBN, arXiv,
/// PubMed and UUID are known.
///
/// Subject: a case. Fails with `introduced-url`, `introduced-email`, `introduced-id` or `introduced-reference`, once for each thing
/// brought in. Triage are an address that differs from a supplied one in upper and lower case alone, a listed line without year, title or
/// address, the name of a numbered passage where no passage has a name, and a single name with a year in brackets. Not applicable to answers without any of these.
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

const URL: &str = "introduced-url";
const EMAIL: &str = "introduced-email";
const ID: &str = "introduced-id";
const REFERENCE: &str = "introduced-reference";

/// The kind.
pub struct Introduced {
    reader: Reader,
    entries: Entries,
}

impl Kind for Introduced {
    const NAME: &'static str = "introduced";
    const FAMILY: Family = Family::Integrity;
    const CODES: &'static [Code] = &[
        Code::new(URL, "the answer has a web address that nothing supplied", Fault::at(Stage::Generation, "the answer has what nothing supplied")),
        Code::new(EMAIL, "the answer has an e-mail address that nothing supplied", Fault::at(Stage::Generation, "the answer has what nothing supplied")),
        Code::new(ID, "the answer has a document id that nothing supplied", Fault::at(Stage::Generation, "the answer has what nothing supplied")),
        Code::new(REFERENCE, "the answer lists a source that the packet does not have", Fault::at(Stage::Generation, "the answer has what nothing supplied")),
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
        let addresses = expression::compiled("address", &Located::nowhere(ADDRESS.to_owned()), true);
        let entries = Entries::new();
        match (addresses, entries) {
            (Ok(addresses), Ok(entries)) if problems.is_empty() => {
                let reader = Reader { lexicons: lexicons.clone(), addresses, ids };
                Ok(Check::Case(Box::new(Introduced { reader, entries })))
            }
            (addresses, entries) => {
                problems.extend(addresses.err());
                problems.extend(entries.err().map(|error| Problem::new(code::BAD_REGEX, error.to_string())));
                Err(problems)
            }
        }
    }
}

impl CaseCheck for Introduced {
    fn judge(&self, packet: &Packet<'_>) -> Judgement {
        let Some(answer) = packet.case.answer.as_deref() else { return Judgement::missing("answer") };
        let entries = self.entries.read(packet, packet.case.shown_answer().unwrap_or(answer));
        let brought = self.reader.read(answer, &packet.language);
        if brought.is_empty() && entries.is_empty() {
            return Judgement::irrelevant();
        }
        let mut findings: Vec<(Option<Span>, Finding)> = Vec::new();
        if !brought.is_empty() {
            let supplied = self.supplied(packet, &brought);
            let foreign = brought.iter().filter(|foreign| !supplied.has(foreign));
            findings.extend(foreign.map(|foreign| (foreign.span, address_finding(foreign, &supplied))));
        }
        if !entries.is_empty() {
            let library = Library::new(packet);
            let lexicon = packet.analysis.lexicon();
            let most = library.affordable();
            for (at, entry) in entries.into_iter().enumerate() {
                if at < most && library.has(&entry, lexicon) {
                    continue;
                }
                let message = match at < most {
                    true => format!("the answer names “{}” as a source, but the packet has no such source", entry.text),
                    false => format!("the answer names “{}” and too many other sources to look for all of them", entry.text),
                };
                let finding = Finding::new(REFERENCE, message).with("found", entry.text);
                // Passages without names cannot be held against the name that an entry gives one of them.
                let is_unknown = !library.has_names && numbers_a_unit(packet, entry.span);
                let is_final = entry.certain && at < most && !is_unknown;
                findings.push((Some(entry.span), if is_final { finding } else { finding.triage() }));
            }
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
    /// What of `wanted` the packet or the question supplies.
    fn supplied(&self, packet: &Packet<'_>, wanted: &[Foreign]) -> Supplied {
        let units = packet.case.units.iter().flat_map(|unit| {
            let ids = [Some(unit.id.as_ref()), unit.source_id.as_deref()];
            ids.into_iter()
                .chain([unit.title.as_deref(), unit.canonical_uri.as_deref(), unit.content.as_deref()])
                .flatten()
        });
        let mut supplied = Supplied::default();
        for text in packet.case.query.as_deref().into_iter().chain(units) {
            supplied.add(text, wanted, &self.reader, &packet.language);
        }
        supplied
    }
}

/// Whether a marker in an entry resolves to a unit.
fn numbers_a_unit(packet: &Packet<'_>, entry: Span) -> bool {
    let inside = packet.markers.iter().filter(|marker| Span::from(marker.span.clone()).overlaps(entry));
    inside.flat_map(|marker| &marker.references).any(|reference| reference.resolution.unit().is_some())
}

fn address_finding(foreign: &Foreign, supplied: &Supplied) -> Finding {
    let found = foreign.written.as_str();
    if supplied.has_in_other_case(foreign) {
        let message = format!("the answer says “{found}”, which was supplied in other upper and lower case only");
        return Finding::new(foreign.code, message).with("found", found).triage();
    }
    let alike = match supplied.looks_like(&foreign.host) {
        Some(host) => format!("; its host looks like “{host}”, and is another"),
        None => String::new(),
    };
    let message = format!("the answer says “{found}”, which neither the packet nor the question supplied{alike}");
    Finding::new(foreign.code, message).with("found", found)
}
