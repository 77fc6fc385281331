//! Takes out of the records of a case what must not leave (SPEC 5.7), before anything is derived from them or written.
//!
//! Every text of the data is looked through once. What the patterns find in any of them, and the values of the fields that the policy names,
//! go wherever they stand in the records of the case; spans move along. Messages and reasons are made by checks, which shorten and fold what they
//! quote: where one still holds a word of what a pattern found, or breaks off inside of it, it says only what its code means.
//! Hashes are of the texts as they were, under the policy's key where it names one.

mod fields;
mod said;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::evaluate::Records;
use super::{
    CaseRecord, CitationRecord, ClaimRecord, ElsewhereRecord, ExcerptRecord, FindingRecord, MatchRecord, OutcomeRecord,
    SliceValues, Text,
};
use crate::citation::{Citation, Packet};
use crate::dataset::Json;
use crate::rules::Policy;
use crate::rules::redaction::canonical;
use crate::rules::settings::Redact;
use crate::text::Digest;
use crate::text::redact::{Form, Hit, ID_DIGITS, LONG_ID_DIGITS, Redactor, Rewritten, Values};
use said::Said;

/// What is taken out of the records of every case of a run.
#[derive(Debug)]
pub(super) struct Redaction<'p> {
    policy: &'p Policy,
    settings: &'p Redact,
    redactor: &'p Redactor,
    /// The fields under their canonical names.
    fields: Vec<String>,
    hidden: Hidden,
    /// Of each name, whether a case had anything for it.
    seen: Vec<AtomicBool>,
}

/// Which long texts are taken out whole, each with the index of its name. Other outputs quote them piece by piece.
#[derive(Debug, Clone, Copy, Default)]
struct Hidden {
    query: Option<usize>,
    answer: Option<usize>,
    claim: Option<usize>,
    content: Option<usize>,
}

/// What is taken out of the records of one case.
pub(super) struct OfCase<'r, 'a> {
    run: &'r Redaction<'r>,
    packet: &'a Packet<'a>,
    /// Values of fields and what patterns found, to be taken out of running text.
    values: Option<Values>,
    /// Values of fields alone: of ids only what does not depend on the rest of the case goes, and these.
    of_fields: Option<Values>,
    said: Said,
    /// What goes of the answer.
    of_answer: Vec<Hit>,
    /// The answer as it is written, which every claim needs.
    answer: OnceCell<Rewritten<'a>>,
    /// What goes of the content of each unit of the packet, however many claims cite it.
    of_contents: Vec<OnceCell<Vec<Hit>>>,
    /// Whether any text of the case holds anything.
    is_touched: bool,
}

impl<'p> Redaction<'p> {
    /// What a policy takes out; `None` where that is nothing.
    pub fn of(policy: &'p Policy) -> Option<Self> {
        let settings = &policy.settings.redact;
        if settings.redactor.is_empty() {
            return None;
        }
        let fields: Vec<String> = settings.fields.iter().map(|field| canonical(&field.0).into_owned()).collect();
        // A claim that the data gives is no piece of an answer that is hidden, unless it stands there.
        let of_claims = fields.iter().position(|field| field == "claim" || field == "claim.text");
        let hidden = Hidden {
            query: settings.name_of("query"),
            answer: settings.name_of("answer"),
            claim: of_claims.map(|field| settings.redactor.field(field)),
            content: settings.name_of("source.content"),
        };
        let seen = settings.redactor.names().iter().map(|_| AtomicBool::new(false)).collect();
        Some(Self { policy, settings, redactor: &settings.redactor, fields, hidden, seen })
    }

    /// What it is in one case.
    pub fn of_case<'a>(&self, packet: &'a Packet<'a>) -> OfCase<'_, 'a> {
        OfCase::new(self, packet)
    }

    /// Names of the patterns and fields for which no case had anything so far, patterns first.
    pub fn idle(&self) -> impl Iterator<Item = &str> {
        let names = self.redactor.names().iter().zip(&self.seen);
        names.filter(|(_, seen)| !seen.load(Ordering::Relaxed)).map(|(name, _)| name.as_str())
    }

    fn see(&self, name: usize) {
        if let Some(seen) = self.seen.get(name) {
            seen.store(true, Ordering::Relaxed);
        }
    }

    /// A hash as records have it.
    pub fn digest(&self, plain: Digest) -> Digest {
        self.redactor.hashing.digest(plain)
    }

    fn hash(&self, hash: &mut Text<'_>) {
        if let Some(written) = self.redactor.hashing.written(hash) {
            *hash = Cow::Owned(written);
        }
    }

    fn fingerprint(&self, fingerprint: &mut Text<'_>) {
        if self.redactor.hashing.is_keyed() {
            *fingerprint = Cow::Owned(self.redactor.hashing.digits(fingerprint, fingerprint.len().min(64)));
        }
    }

    /// What the code of a rule's finding means, in place of a message that must not be shown.
    fn meaning(&self, rule: &str, code: &str) -> &'static str {
        let rule = self.policy.rules.iter().find(|own| own.id == rule);
        let meaning = rule.and_then(|rule| rule.kind.codes.iter().find(|own| own.name == code));
        meaning.map_or("what was found is taken out by the policy", |code| code.meaning)
    }
}

impl<'r, 'a> OfCase<'r, 'a> {
    fn new(run: &'r Redaction<'r>, packet: &'a Packet<'a>) -> Self {
        let mut of_fields: Vec<(usize, Cow<'a, str>)> = Vec::new();
        for (index, field) in run.fields.iter().enumerate() {
            let mut values = Vec::new();
            fields::values(packet, field, &mut values);
            if !values.is_empty() {
                run.see(run.redactor.field(index));
            }
            of_fields.extend(values.into_iter().map(|value| (run.redactor.field(index), value)));
        }
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        for text in texts(packet) {
            for hit in run.redactor.hits(&text) {
                run.see(hit.name);
                if let Some(taken) = text.get(hit.start..hit.end) {
                    let name = found.entry(taken.to_owned()).or_insert(hit.name);
                    *name = (*name).min(hit.name);
                }
            }
        }
        // What markers split stands in its pieces wherever the answer is quoted.
        for (name, piece) in unmarked(packet).iter().flat_map(|unmarked| unmarked.split(packet, run.redactor)) {
            found.entry(piece).or_insert(name);
        }
        let is_touched = !found.is_empty() || !of_fields.is_empty();
        let both = || {
            let found = found.iter().map(|(text, name)| (*name, text.as_str()));
            found.chain(of_fields.iter().map(|(name, value)| (*name, value.as_ref())))
        };
        let values = if is_touched { Values::new(both()) } else { None };
        let of_answer = match packet.case.answer.as_deref() {
            Some(answer) if is_touched => {
                let unmarked = unmarked(packet);
                let split = unmarked.iter().flat_map(|unmarked| unmarked.hits(run.redactor, values.as_ref()));
                run.redactor.hits_and(answer, values.as_ref(), split.collect())
            }
            _ => Vec::new(),
        };
        Self {
            run,
            packet,
            values,
            of_answer,
            answer: OnceCell::new(),
            of_contents: vec![OnceCell::new(); packet.case.units.len()],
            of_fields: Values::new(of_fields.iter().map(|(name, value)| (*name, value.as_ref()))),
            said: Said::new(found.iter().map(|(text, name)| (*name, text.as_str())), both()),
            is_touched,
        }
    }

    /// The id of the case as it is written.
    pub fn case_id(&self) -> Text<'a> {
        let mut id = Cow::Borrowed(self.packet.case.case_id.as_ref());
        self.id("case_id", &mut id);
        id
    }

    /// Takes it out of the records of the case.
    pub fn apply(&self, records: &mut Records<'a>) {
        let packet = self.packet;
        self.case(&mut records.case, packet.citations.iter().filter(|own| own.claim.is_none()));
        for (record, claim) in records.claims.iter_mut().zip(&packet.claims) {
            self.claim(record, packet.citations_of(claim), claim.given.is_none());
        }
    }

    /// Running text: what patterns find in it and all that was found in the case; `others` go, too.
    fn rewritten<'t>(&self, text: &'t str, whole: Option<usize>, others: Vec<Hit>) -> Rewritten<'t> {
        let redactor = self.run.redactor;
        let hits = match whole {
            Some(name) if !text.is_empty() => vec![Hit { start: 0, end: text.len(), name }],
            _ if !self.is_touched => Vec::new(),
            _ => redactor.hits_and(text, self.values.as_ref(), others),
        };
        Rewritten::new(redactor, text, hits, Form::Running)
    }

    /// The answer, as it is written.
    fn answer(&self) -> &Rewritten<'a> {
        self.answer.get_or_init(|| {
            let source = self.packet.case.answer.as_deref().unwrap_or_default();
            let hits = match self.run.hidden.answer {
                Some(name) if !source.is_empty() => vec![Hit { start: 0, end: source.len(), name }],
                _ => self.of_answer.clone(),
            };
            Rewritten::new(self.run.redactor, source, hits, Form::Running)
        })
    }

    /// What goes of the content of a unit, by its place in the packet.
    fn of_content(&self, unit: Option<usize>) -> &[Hit] {
        let Some((index, known)) = unit.and_then(|index| Some((index, self.of_contents.get(index)?))) else {
            return &[];
        };
        known.get_or_init(|| {
            let content = self.packet.case.units.get(index).and_then(|unit| unit.content.as_deref());
            self.run.redactor.hits_and(content.unwrap_or_default(), self.values.as_ref(), Vec::new())
        })
    }

    /// What goes of a claim that is this piece of the answer, where the piece cuts through what goes of the answer.
    fn cut(&self, (start, end): (usize, usize), claim: &str) -> Vec<Hit> {
        let source = self.packet.case.answer.as_deref().unwrap_or_default();
        let part = |from: usize, to: usize| source.get(from..to).unwrap_or_default().trim();
        let mut cut = Vec::new();
        for &Hit { start: first, end: last, name } in &self.of_answer {
            if first < start && start < last {
                let tail = part(start, last.min(end));
                let gone = if claim.starts_with(tail) { tail.len() } else { claim.len() };
                cut.push(Hit { start: 0, end: gone, name });
            }
            if first < end && end < last {
                let head = part(first.max(start), end);
                let gone = if claim.ends_with(head) { head.len() } else { claim.len() };
                cut.push(Hit { start: claim.len() - gone, end: claim.len(), name });
            }
        }
        cut.retain(|hit| hit.start < hit.end);
        cut
    }

    /// Running text that no text of the data is: what is said of it.
    fn running(&self, text: &mut Text<'_>) {
        let redactor = self.run.redactor;
        let hits = redactor.hits_and(text, self.values.as_ref(), Vec::new());
        if !hits.is_empty() {
            *text = Cow::Owned(Rewritten::new(redactor, text, hits, Form::Running).written());
        }
    }

    /// The value of a field, as running text.
    fn field(&self, path: &str, text: &mut Option<Text<'_>>) {
        if let Some(text) = text {
            match self.run.settings.name_of(path) {
                Some(name) => *text = Cow::Owned(self.run.redactor.stand_in(name, text, Form::Running)),
                None => self.running(text),
            }
        }
    }

    /// The value of a field that must stay apart from others.
    fn id(&self, path: &str, text: &mut Text<'_>) {
        let form = Form::Id(if path == "case_id" { LONG_ID_DIGITS } else { ID_DIGITS });
        let redactor = self.run.redactor;
        match self.run.settings.name_of(path) {
            Some(name) if !redactor.is_stand_in(text) => *text = Cow::Owned(redactor.stand_in(name, text, form)),
            _ => {
                let hits = redactor.hits_and(text, self.of_fields.as_ref(), Vec::new());
                if !hits.is_empty() {
                    *text = Cow::Owned(Rewritten::new(redactor, text, hits, form).written());
                }
            }
        }
    }

    fn optional_id(&self, path: &str, text: &mut Option<Text<'_>>) {
        if let Some(text) = text {
            self.id(path, text);
        }
    }

    fn slices(&self, slices: &mut SliceValues<'_>) {
        for (dimension, value) in slices.iter_mut() {
            let policy = self.run.policy;
            let Some(index) = policy.slices.iter().position(|own| own.id == *dimension) else { continue };
            let written = policy.written_slice(index, value);
            if *written != **value {
                *value = Cow::Owned(written.into_owned());
            } else if policy.slices.get(index).is_some_and(|own| own.is_of_data(value))
                && let Some(hit) = self.run.redactor.hits_and(value, self.of_fields.as_ref(), Vec::new()).first()
            {
                *value = Cow::Owned(self.run.redactor.stand_in(hit.name, value, Form::Id(ID_DIGITS)));
            }
        }
    }

    fn case<'c>(&self, record: &mut CaseRecord<'a>, citations: impl Iterator<Item = &'c Citation<'a>>)
    where
        'a: 'c,
    {
        let run = self.run;
        let answer = self.answer();
        self.id("case_id", &mut record.case_id);
        record.file = Cow::Owned(run.redactor.id(&record.file).into_owned());
        run.hash(&mut record.question);
        if run.hidden.query.is_some() || self.is_touched {
            self.field("query", &mut record.query);
        }
        if answer.is_changed() {
            record.answer = record.answer.as_ref().map(|_| Cow::Owned(answer.written()));
        }
        self.id("language", &mut record.language);
        for (marker, parsed) in record.markers.iter_mut().zip(&self.packet.markers) {
            marker.span = answer.span(marker.span);
            self.raw(&mut marker.raw);
            for (id, reference) in marker.references.iter_mut().zip(&parsed.references) {
                self.reference(id, reference.resolution.unit().is_some());
            }
        }
        for (unit, known) in record.packet.iter_mut().zip(&self.packet.case.units) {
            debug_assert_eq!(unit.id, known.id);
            self.id("source.id", &mut unit.id);
            self.optional_id("source.source_id", &mut unit.source_id);
            self.optional_id("source.source_version", &mut unit.source_version);
            self.optional_id("source.scope_id", &mut unit.scope_id);
            self.field("source.title", &mut unit.title);
            self.field("source.canonical_uri", &mut unit.canonical_uri);
            unit.raw.iter_mut().chain(&mut unit.text).for_each(|hash| run.hash(hash));
        }
        for (own, citation) in record.citations.iter_mut().zip(citations) {
            self.citation(own, citation, None, answer);
        }
        self.outcomes(&mut record.outcomes);
        self.findings(&mut record.findings, None, answer);
        self.slices(&mut record.slices);
    }

    fn claim<'c>(
        &self,
        record: &mut ClaimRecord<'a>,
        citations: impl Iterator<Item = &'c Citation<'a>>,
        is_derived: bool,
    ) where
        'a: 'c,
    {
        let run = self.run;
        let source = self.packet.case.answer.as_deref().unwrap_or_default();
        let answer = self.answer();
        // What stands in a hidden answer word for word is a piece of it.
        let is_piece = || run.hidden.answer.filter(|_| is_derived || source.contains(record.claim.trim()));
        let whole = run.hidden.claim.or_else(is_piece);
        let text = record.claim.clone();
        let cut = record.span.filter(|_| is_derived).map(|span| self.cut(span, &text)).unwrap_or_default();
        let claim = self.rewritten(&text, whole, cut);
        self.id("case_id", &mut record.case_id);
        self.id("claim.claim_id", &mut record.claim_id);
        if claim.is_changed() {
            record.claim = Cow::Owned(claim.written());
        }
        record.span = record.span.map(|span| answer.span(span));
        run.hash(&mut record.claim_sha256);
        record.evidence_sha256.iter_mut().for_each(|hash| run.hash(hash));
        record.reason.iter_mut().for_each(|reason| self.running(reason));
        record.review.iter_mut().for_each(|review| self.running(&mut review.reviewer));
        for (own, citation) in record.citations.iter_mut().zip(citations) {
            self.citation(own, citation, Some(&claim), answer);
        }
        self.outcomes(&mut record.outcomes);
        self.findings(&mut record.findings, Some(&claim), answer);
        self.slices(&mut record.slices);
    }

    /// The text of a marker: a piece of the answer.
    fn raw(&self, raw: &mut Text<'_>) {
        match self.run.hidden.answer {
            Some(name) => *raw = Cow::Owned(self.run.redactor.stand_in(name, raw, Form::Running)),
            None => self.running(raw),
        }
    }

    /// An id that something refers to; one that is in no packet is a piece of the answer, or of what a claim cites.
    fn reference(&self, id: &mut Text<'_>, is_resolved: bool) {
        match self.run.hidden.answer.filter(|_| !is_resolved) {
            Some(name) => *id = Cow::Owned(self.run.redactor.stand_in(name, id, Form::Id(ID_DIGITS))),
            None => self.id("source.id", id),
        }
    }

    fn citation(
        &self,
        record: &mut CitationRecord<'a>,
        citation: &Citation<'a>,
        claim: Option<&Rewritten<'_>>,
        answer: &Rewritten<'_>,
    ) {
        let unit = citation.resolution.unit().and_then(|index| self.packet.case.units.get(index));
        self.reference(&mut record.id, record.resolved);
        record.raw.iter_mut().for_each(|raw| self.raw(raw));
        record.span = record.span.map(|span| answer.span(span));
        let of_id = if unit.is_some_and(|unit| unit.source_id.is_none()) { "source.id" } else { "source.source_id" };
        self.optional_id(of_id, &mut record.source_id);
        self.optional_id("source.source_version", &mut record.source_version);
        if let Some(locator) = &mut record.locator {
            match self.run.settings.name_of("source.locator") {
                Some(name) => *locator = Value::String(self.run.redactor.stand_in(name, "", Form::Running)),
                None => self.json("source.locator", locator, 0),
            }
        }
        if let Some(claim) = claim {
            record.matches.iter_mut().for_each(|found| found.claim = found.claim.map(|span| claim.span(span)));
        }
        if let Some(excerpt) = &mut record.excerpt
            && self.excerpt(excerpt, citation.resolution.unit(), &mut record.matches)
        {
            record.withheld = true;
        }
        record.excerpt_sha256.iter_mut().for_each(|hash| self.run.hash(hash));
        self.outcomes(&mut record.outcomes);
        self.slices(&mut record.slices);
    }

    /// An excerpt of the content of a unit, by its place in the packet, with the spans in it; whether it is withheld.
    fn excerpt(&self, excerpt: &mut ExcerptRecord<'a>, unit: Option<usize>, matches: &mut [MatchRecord]) -> bool {
        if self.run.hidden.content.is_some() {
            excerpt.text = None;
            return true;
        }
        let (start, end) = (excerpt.start, excerpt.end);
        let Some(text) = excerpt.text.as_deref().filter(|_| self.is_touched) else { return false };
        // A pattern may match beyond the excerpt: it is tried on all of the content, and the part inside goes.
        let inside = self.of_content(unit).iter().filter(|hit| hit.start < end && start < hit.end).map(|hit| Hit {
            start: hit.start.max(start) - start,
            end: hit.end.min(end) - start,
            name: hit.name,
        });
        let rewritten = self.rewritten(text, None, inside.collect());
        if rewritten.is_changed() {
            for found in matches {
                let own = found.content.0.checked_sub(start).zip(found.content.1.checked_sub(start));
                found.shown = own.map(|span| rewritten.span(span));
            }
            excerpt.text = Some(Cow::Owned(rewritten.written()));
        }
        false
    }

    fn outcomes(&self, outcomes: &mut [OutcomeRecord<'_>]) {
        for because in outcomes.iter_mut().filter_map(|outcome| outcome.because.as_mut()) {
            self.reason(because);
        }
    }

    /// A reason that may quote data.
    fn reason(&self, reason: &mut Text<'_>) {
        let said =
            if self.is_hidden() { None } else { self.said.text(self.run.redactor, self.values.as_ref(), reason) };
        match said {
            Some(said) if said == *reason => {}
            Some(said) => *reason = Cow::Owned(said),
            None if reason.contains(['“', '"', '\'', '`', '[']) => {
                *reason = Cow::Borrowed("the reason quotes what the policy takes out");
            }
            None => {}
        }
    }

    /// Whether messages must not quote the texts that they are about.
    fn is_hidden(&self) -> bool {
        let Hidden { query, answer, claim, content } = self.run.hidden;
        query.or(answer).or(claim).or(content).is_some()
    }

    fn findings(&self, findings: &mut [FindingRecord<'a>], claim: Option<&Rewritten<'_>>, answer: &Rewritten<'_>) {
        for finding in findings {
            let said = match self.is_hidden() {
                true => None,
                false => self.said.text(self.run.redactor, self.values.as_ref(), &finding.message),
            };
            finding.message = match said {
                Some(said) => Cow::Owned(said),
                None => Cow::Borrowed(self.run.meaning(&finding.rule, &finding.code)),
            };
            self.reason(&mut finding.stage_reason);
            if let Some(id) = &mut finding.citation {
                let is_resolved = self.packet.case.units.iter().any(|unit| unit.id == *id);
                self.reference(id, is_resolved);
            }
            finding.answer_span = finding.answer_span.map(|span| answer.span(span));
            if let Some(claim) = claim {
                finding.claim_span = finding.claim_span.map(|span| claim.span(span));
            }
            self.run.fingerprint(&mut finding.fingerprint);
            finding.annotates.iter_mut().for_each(|fingerprint| self.run.fingerprint(fingerprint));
            finding.elsewhere.iter_mut().for_each(|elsewhere| self.elsewhere(elsewhere));
        }
    }

    fn elsewhere(&self, elsewhere: &mut ElsewhereRecord<'a>) {
        let unit = self.packet.case.units.iter().position(|unit| unit.id == elsewhere.id);
        if let Some(excerpt) = &mut elsewhere.excerpt {
            self.excerpt(excerpt, unit, &mut []);
        }
        elsewhere.excerpt_sha256.iter_mut().for_each(|hash| self.run.hash(hash));
        elsewhere.marker.iter_mut().for_each(|marker| self.raw(marker));
        self.id("source.id", &mut elsewhere.id);
    }

    /// A locator: its texts, its numbers and its keys.
    fn json(&self, path: &str, value: &mut Value, depth: u8) {
        if depth == u8::MAX {
            *value = Value::Null;
            return;
        }
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => {
                let mut text = Cow::Owned(number.to_string());
                self.id(path, &mut text);
                if text != number.to_string() {
                    *value = Value::String(text.into_owned());
                }
            }
            Value::String(text) => {
                let mut written = Cow::Borrowed(text.as_str());
                self.id(path, &mut written);
                let written = written.into_owned();
                *text = written;
            }
            Value::Array(elements) => elements.iter_mut().for_each(|element| self.json(path, element, depth + 1)),
            Value::Object(entries) => {
                for (key, mut value) in std::mem::take(entries) {
                    self.json(&format!("{path}.{key}"), &mut value, depth + 1);
                    let mut key = Cow::Owned(key);
                    self.id("", &mut key);
                    entries.insert(key.into_owned(), value);
                }
            }
        }
    }
}

/// Every text of a case that its records may quote.
fn texts<'a>(packet: &'a Packet<'a>) -> BTreeSet<Cow<'a, str>> {
    let case = packet.case;
    let mut texts: Vec<Cow<'a, str>> = Vec::new();
    for path in
        ["case_id", "query", "answer", "language", "retrieved_ids", "relevant_ids", "allowed_scopes", "claim", "source"]
    {
        fields::values(packet, path, &mut texts);
    }
    fields::leaves(&case.fields, &mut texts);
    for given in case.claims.iter().flatten() {
        fields::leaves(&given.fields, &mut texts);
    }
    for unit in &case.units {
        fields::leaves(&unit.fields, &mut texts);
        unit.locator.iter().for_each(|locator: &Json<'_>| fields::leaves(locator, &mut texts));
    }
    texts.extend(packet.citations.iter().map(|citation| Cow::Borrowed(citation.id.as_ref())));
    texts.extend(unmarked(packet).map(|unmarked| Cow::Owned(unmarked.text)));
    texts.into_iter().collect()
}

/// An answer without its markers, which may stand in the middle of what goes.
struct Unmarked {
    text: String,
    /// Where each piece begins, in the text and in the answer.
    pieces: Vec<(usize, usize)>,
}

/// The answer of a case without its markers; `None` where it has none.
fn unmarked(packet: &Packet<'_>) -> Option<Unmarked> {
    let answer = packet.case.answer.as_deref().filter(|_| !packet.markers.is_empty())?;
    let mut unmarked = Unmarked { text: String::with_capacity(answer.len()), pieces: Vec::new() };
    let mut at = 0;
    for span in
        packet.markers.iter().map(|marker| marker.span.clone()).chain(std::iter::once(answer.len()..answer.len()))
    {
        if let Some(piece) = answer.get(at..span.start) {
            unmarked.pieces.push((unmarked.text.len(), at));
            unmarked.text.push_str(piece);
        }
        at = at.max(span.end);
    }
    Some(unmarked)
}

impl Unmarked {
    /// What goes of the answer, markers in it and all.
    fn hits(&self, redactor: &Redactor, values: Option<&Values>) -> Vec<Hit> {
        let origin = |at: usize| {
            let piece = self.pieces.partition_point(|(start, _)| *start <= at).checked_sub(1)?;
            self.pieces.get(piece).map(|(start, origin)| origin + at - start)
        };
        let hits = redactor.hits_and(&self.text, values, Vec::new()).into_iter();
        hits.filter_map(|hit| Some(Hit { start: origin(hit.start)?, end: origin(hit.end.checked_sub(1)?)? + 1, ..hit }))
            .collect()
    }

    /// The pieces of what markers split, each under its name.
    fn split(&self, packet: &Packet<'_>, redactor: &Redactor) -> Vec<(usize, String)> {
        let answer = packet.case.answer.as_deref().unwrap_or_default();
        let mut split = Vec::new();
        for hit in self.hits(redactor, None) {
            let markers = packet.markers.iter().map(|marker| &marker.span);
            let inside = markers.filter(|span| hit.start < span.start && span.end < hit.end);
            let (mut starts, mut ends) = (vec![hit.start], Vec::new());
            for span in inside {
                ends.push(span.start);
                starts.push(span.end);
            }
            ends.push(hit.end);
            if starts.len() > 1 {
                let pieces = starts.into_iter().zip(ends).filter_map(|(start, end)| answer.get(start..end));
                split.extend(pieces.map(|piece| (hit.name, piece.trim().to_owned())));
            }
        }
        split
    }
}
