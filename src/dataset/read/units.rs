//! The evidence packet of a case.

use std::borrow::Cow;
use std::collections::HashMap;

use super::super::case::{Text, Unit};
use super::super::json::Json;
use super::super::slip::{Meant, Object};
use super::fields::{At, Reader, Slots, short_key, shown};
use super::names;
use crate::diagnostic::{Problem, code, harmless};
use crate::text::disguise::is_ignorable;

/// Relevance up to this is held exactly in millionths.
const MOST_RELEVANT: f64 = 1e12;

/// What other tools name the id of a passage.
const OTHER_IDS: [&str; 8] = ["doc_id", "document_id", "chunk_id", "node_id", "passage_id", "docid", "_id", "uid"];

#[derive(Clone, Copy)]
#[repr(usize)]
enum Field {
    EvidenceId,
    Id,
    SourceId,
    SourceVersion,
    SourceType,
    Locator,
    Title,
    Uri,
    Scope,
    Relevance,
    Content,
    Hash,
}

const COUNT: usize = 12;

fn slot(key: &str) -> Option<usize> {
    let field = match key {
        "evidence_id" => Field::EvidenceId,
        "id" => Field::Id,
        "source_id" => Field::SourceId,
        "source_version" | "version" => Field::SourceVersion,
        "source_type" => Field::SourceType,
        "locator" => Field::Locator,
        "title" => Field::Title,
        "canonical_uri" | "url" | "uri" => Field::Uri,
        "scope_id" | "tenant" => Field::Scope,
        "relevance" => Field::Relevance,
        "content" | "passage" | "text" => Field::Content,
        "content_sha256" => Field::Hash,
        _ => return None,
    };
    Some(field as usize)
}

type Entry<'a> = (Text<'a>, Json<'a>);

/// A field of a unit, where it is there and is not null.
fn value<'u, 'a>(unit: &'u [Entry<'a>], field: Field) -> Option<&'u Entry<'a>> {
    unit.iter().find(|(key, value)| slot(key) == Some(field as usize) && *value != Json::Null)
}

/// An id as people read it: without letter case and signs that nobody sees.
fn plain_id(unit: &[Entry<'_>], field: Field) -> Option<String> {
    let written = match &value(unit, field)?.1 {
        Json::Text(id) => Cow::Borrowed(id.as_ref()),
        Json::Number(id) => Cow::Owned(id.to_string()),
        _ => return None,
    };
    Some(written.chars().filter(|c| !is_ignorable(*c)).flat_map(char::to_lowercase).collect())
}

/// Holds the units of a candidate's packet to the case's own of the same id: who may see one is not the candidate's to say, nor is the hash of
/// its text. Gives how many say something else of themselves, and how many the case does not have; where it has none, no other is missed.
pub(super) fn hold_to<'a>(own: &[Json<'a>], brought: &mut [Json<'a>]) -> (usize, usize) {
    const TOLD: [Field; 5] = [Field::Content, Field::Title, Field::Uri, Field::SourceVersion, Field::Scope];
    let id = |unit: &[Entry<'_>]| plain_id(unit, Field::EvidenceId).or_else(|| plain_id(unit, Field::Id));
    let known: HashMap<String, &[Entry<'a>]> = own
        .iter()
        .filter_map(|unit| match unit {
            Json::Object(unit) => Some((id(unit)?, unit.as_slice())),
            _ => None,
        })
        .collect();
    let (mut replaced, mut added) = (0, 0);
    for unit in brought {
        let Json::Object(unit) = unit else { continue };
        let find = |id: Option<String>| known.get(&id?);
        let Some(own) = find(id(unit)).or_else(|| find(plain_id(unit, Field::SourceId))) else {
            added += usize::from(!known.is_empty());
            continue;
        };
        let differs = |field: &Field| {
            let pair = value(own, *field).zip(value(unit, *field));
            pair.is_some_and(|((_, own), (_, brought))| own != brought)
        };
        replaced += usize::from(TOLD.iter().any(differs));
        if let Some(scope) = value(own, Field::Scope) {
            unit.retain(|(key, _)| slot(key) != Some(Field::Scope as usize));
            unit.push(scope.clone());
        }
        if let Some(hash) = value(own, Field::Hash).filter(|_| value(unit, Field::Hash).is_none()) {
            unit.retain(|(key, _)| slot(key) != Some(Field::Hash as usize));
            unit.push(hash.clone());
        }
    }
    (replaced, added)
}

impl Reader<'_> {
    /// The evidence units of a packet, their ids unique.
    pub(super) fn units<'a>(&mut self, value: Json<'a>, at: &At<'_>) -> Option<Vec<Unit<'a>>> {
        let Json::List(items) = value else {
            let form = r#"write it as a list: [{"evidence_id": "1", "content": "…"}], or ["…"] where the passages have no ids"#;
            let problem = Problem::new(code::WRONG_TYPE, format!("{} has the wrong type", at.named()));
            self.push(at, problem.found(value.kind(), "a list of evidence units").help(form));
            return None;
        };
        if matches!(items.first(), Some(Json::Text(_))) {
            let mut number = 0_usize;
            return self.all(items, at, |reader, item, at| {
                number += 1;
                reader.passage(item, number, at)
            });
        }
        let units = self.all(items, at, Self::unit)?;
        self.unique_ids(
            units.iter().map(|unit| unit.id.as_ref()).enumerate(),
            at,
            "evidence id",
            self.options.fold_ids,
        );
        Some(units)
    }

    /// A unit that is given as plain text, among others of the kind.
    fn passage<'a>(&mut self, value: Json<'a>, number: usize, at: &At<'_>) -> Option<Unit<'a>> {
        let Json::Text(content) = value else {
            let problem = Problem::new(code::WRONG_TYPE, format!("{} has the wrong type", at.named()))
                .found(value.kind(), "text, as the first of the list is")
                .help("write every passage as plain text, or every one as an object with `evidence_id` and `content`");
            self.push(at, problem);
            return None;
        };
        let id = Cow::Owned(number.to_string());
        Some(Unit { content: Some(content), is_positional: true, ..Unit::named(id) })
    }

    fn unit<'a>(&mut self, value: Json<'a>, at: &At<'_>) -> Option<Unit<'a>> {
        let Json::Object(entries) = value else {
            let problem = Problem::new(code::WRONG_TYPE, format!("{} has the wrong type", at.named()))
                .found(value.kind(), "an object")
                .help("write each evidence unit as an object with `evidence_id` and `content`");
            self.push(at, problem);
            return None;
        };
        let mut slots: Slots<'a, COUNT> = self.sort(entries, at, slot);
        self.note_slips(Object::Unit, &slots, at, slot);
        if !slots.has(Field::Content as usize) {
            self.note_nested_content(&slots, at);
        }
        let (id, source_id) = self.unit_ids(&mut slots, at);
        let source_version = self.optional(&mut slots, Field::SourceVersion as usize, at, Self::id);
        let source_type = self.optional(&mut slots, Field::SourceType as usize, at, Self::text);
        let locator = self.optional(&mut slots, Field::Locator as usize, at, Self::locator);
        let title = self.optional(&mut slots, Field::Title as usize, at, Self::text);
        let canonical_uri = self.optional(&mut slots, Field::Uri as usize, at, Self::text);
        let scope_id = self.optional(&mut slots, Field::Scope as usize, at, Self::id);
        let relevance = self.optional(&mut slots, Field::Relevance as usize, at, Self::relevance);
        let content = self.optional(&mut slots, Field::Content as usize, at, Self::text);
        let content_sha256 = self.optional(&mut slots, Field::Hash as usize, at, Self::sha256);
        Some(Unit {
            id: id?,
            source_id,
            source_version,
            source_type,
            locator,
            title,
            canonical_uri,
            scope_id,
            relevance,
            content,
            content_sha256,
            is_positional: false,
            fields: Json::Object(slots.rest),
        })
    }

    /// Notes the text of a unit that stands one level too deep, such as `metadata.text`.
    fn note_nested_content(&mut self, slots: &Slots<'_, COUNT>, at: &At<'_>) {
        let is_content = |field: &str| {
            slot(field) == Some(Field::Content as usize)
                || names::meant(Object::Unit, field) == Some(Meant::Field("content"))
        };
        for (outer, value) in &slots.rest {
            let Json::Object(entries) = value else { continue };
            let text = entries.iter().find(|(inner, value)| is_content(inner) && value.as_text().is_some());
            if let Some((inner, _)) = text {
                let line = at.line();
                let field = format!("{}.{inner}", short_key(outer));
                self.slips.note(Object::Unit, &harmless(&field), Meant::Field("content"), (line.file, line.number));
            }
        }
    }

    /// The id that is cited (`evidence_id`, else `id`, else `source_id`) and the document's id.
    fn unit_ids<'a>(&mut self, slots: &mut Slots<'a, COUNT>, at: &At<'_>) -> (Option<Text<'a>>, Option<Text<'a>>) {
        if let (Some(first), Some(second)) = (slots.key(Field::EvidenceId as usize), slots.key(Field::Id as usize)) {
            let problem = Problem::new(code::DUPLICATE_NAME, format!("{} has two ids", at.named()))
                .found(format!("`{first}` and `{second}`"), "one of them")
                .help("keep `evidence_id` for the id that is cited; name the document's id `source_id`");
            self.push(at, problem);
        }
        let named = [Field::EvidenceId, Field::Id, Field::SourceId].map(|field| slots.has(field as usize));
        let evidence_id = self.optional(slots, Field::EvidenceId as usize, at, Self::id);
        let id = self.optional(slots, Field::Id as usize, at, Self::id);
        let source_id = self.optional(slots, Field::SourceId as usize, at, Self::id);
        match named {
            [true, ..] => (evidence_id, source_id),
            [_, true, _] => (id, source_id),
            [_, _, true] => (source_id.clone(), source_id),
            _ => {
                let is_meant = |key: &&str| OTHER_IDS.contains(key);
                let meant = slots.rest.iter().map(|(key, _)| key.as_ref()).find(is_meant);
                let problem = Problem::new(code::MISSING_KEY, format!("{} has no id", at.named()))
                    .found("nothing", "`evidence_id`, `id` or `source_id`")
                    .help_if(meant.map(|key| format!("if `{key}` is the id that is cited, name it `evidence_id`")));
                self.push(at, problem);
                (None, None)
            }
        }
    }

    fn locator<'a>(&mut self, value: Json<'a>, at: &At<'_>) -> Option<Json<'a>> {
        match value {
            Json::Object(_) | Json::Text(_) | Json::Number(_) => Some(value),
            other => {
                self.wrong_type(at, other.kind(), "an object, text or a number");
                None
            }
        }
    }

    /// Graded relevance in millionths, rounded to the nearest.
    fn relevance(&mut self, value: Json<'_>, at: &At<'_>) -> Option<u64> {
        let Json::Number(number) = &value else {
            self.wrong_type(at, value.kind(), "a number");
            return None;
        };
        let whole = number.as_u64().and_then(|whole| whole.checked_mul(1_000_000));
        let measured = number.as_f64().filter(|measured| (0.0..=MOST_RELEVANT).contains(measured));
        match (measured, whole) {
            (None, _) => {
                self.wrong_value(at, code::WRONG_VALUE, &shown(&value), "a number from 0 to 1e12", None);
                None
            }
            (Some(_), Some(millionths)) => Some(millionths),
            // In range by the filter above: at most 1e18, which 64 bits hold.
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            (Some(measured), None) => Some((measured * 1e6).round() as u64),
        }
    }

    /// A SHA-256 as 64 hexadecimal digits in lower case, with or without `sha256:` before them.
    fn sha256<'a>(&mut self, value: Json<'a>, at: &At<'_>) -> Option<Text<'a>> {
        let text = self.text(value, at)?;
        let digits = match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.strip_prefix("sha256:").unwrap_or(text)),
            Cow::Owned(text) => match text.strip_prefix("sha256:") {
                Some(digits) => Cow::Owned(digits.to_owned()),
                None => Cow::Owned(text),
            },
        };
        if digits.len() != 64 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let found = match digits.chars().count() {
                64 => "a character that is no hexadecimal digit".to_owned(),
                long if long > 64 => format!("{long} characters"),
                _ => shown(&Json::Text(digits)),
            };
            let help = "it is the SHA-256 of the content's exact bytes";
            self.wrong_value(at, code::WRONG_VALUE, &found, "64 hexadecimal digits", Some(help));
            return None;
        }
        if digits.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Some(Cow::Owned(digits.to_ascii_lowercase()));
        }
        Some(digits)
    }
}
