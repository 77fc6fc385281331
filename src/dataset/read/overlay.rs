//! Laying a candidate's answer over a case: before anything is interpreted, so that one reading validates the whole.

use std::borrow::Cow;

use super::super::case::{Labelled, LabelledClaim, Text};
use super::super::json::Json;
use super::super::slip::Object;
use super::Field;
use super::fields::{At, Reader, Slots};
use super::units::hold_to;
use crate::diagnostic::{Problem, code};

/// What the answer that was laid over a case took the place of.
#[derive(Default)]
pub(super) struct LaidOver<'a> {
    /// What the labels of the case were given for.
    pub(super) labelled: Option<Labelled<'a>>,
    /// Units that say something else of themselves than the case's own of the same id.
    pub(super) replaced_units: usize,
    /// Units that the case's own packet does not have.
    pub(super) added_units: usize,
}

impl Reader<'_> {
    /// Lays the row's `answer`, `claims`, `sources` and `retrieved_ids` over the case's.
    ///
    /// Answer and claims go together: claims of an older answer say nothing of a new one. So do packet and
    /// `retrieved_ids`, where the row brings a packet. Labels that people gave stay, those inside the old claims too.
    /// Everything else of the row is left aside: a candidate cannot change the question.
    pub(super) fn lay_over<'a>(
        &mut self,
        slots: &mut Slots<'a, { Field::COUNT }>,
        row: Json<'a>,
        at: &At<'_>,
    ) -> Option<LaidOver<'a>> {
        let entries = self.object(row, at)?;
        let mut brought: Slots<'a, { Field::COUNT }> = self.sort(entries, at, Field::slot);
        self.note_slips(Object::Case, &brought, at, Field::slot);
        let own = keep_labels(slots);
        let has_labels = slots.has(Field::Expected as usize);
        let labelled = has_labels.then(|| Labelled {
            has_answer: slots.has(Field::Answer as usize),
            same_answer: slots.value(Field::Answer as usize) == brought.value(Field::Answer as usize),
            claims: own,
        });
        let packet = brought.has(Field::Sources as usize);
        let sources = Field::Sources as usize;
        let mut new = brought.take(sources);
        let (replaced_units, added_units) = match (slots.value(sources), &mut new) {
            (Some(Json::List(old)), Some((_, Json::List(new)))) => hold_to(old, new),
            _ => (0, 0),
        };
        brought.put(sources, new);
        for (field, replaced) in [
            (Field::Answer, true),
            (Field::Claims, true),
            (Field::Sources, packet),
            (Field::RetrievedIds, packet || brought.has(Field::RetrievedIds as usize)),
        ] {
            if replaced {
                slots.put(field as usize, brought.take(field as usize));
            }
        }
        Some(LaidOver { labelled, replaced_units, added_units })
    }

    /// Notes labels inside the claims of an answers file.
    pub(super) fn labels_in_answers(&mut self, at: &At<'_>) {
        let problem = Problem::new(code::WRONG_VALUE, "the answer labels its own claims")
            .found("`expected` inside a claim", "labels in the dataset only")
            .help("remove `expected` and `human_label` from the answers file");
        self.push(at, problem);
    }
}

/// Moves labels from inside the case's claims, and one word for its only claim, into `expected` by claim id; gives what the
/// labels were given for.
fn keep_labels<'a>(slots: &mut Slots<'a, { Field::COUNT }>) -> Option<Vec<LabelledClaim<'a>>> {
    let Some((_, Json::List(claims))) = slots.take(Field::Claims as usize) else { return None };
    let mut labels = Vec::new();
    let mut own = Vec::new();
    for (claim, number) in claims.into_iter().zip(1_usize..) {
        let Json::Object(entries) = claim else { continue };
        let (mut id, mut label) = (None, None);
        let (mut text, mut citation_ids, mut citations) = (Text::default(), None, None);
        for (key, value) in entries {
            match (key.as_ref(), value) {
                ("claim_id" | "id", value) => id = as_id(value),
                ("expected" | "human_label", value) => label = Some(value),
                ("text", Json::Text(statement)) => text = statement,
                ("citation_ids" | "evidence_ids", Json::List(ids)) => {
                    citation_ids = Some(ids.into_iter().filter_map(as_id).collect());
                }
                ("citations", Json::List(all)) => citations = Some(all.into_iter().filter_map(cited_id).collect()),
                _ => {}
            }
        }
        let id = id.unwrap_or_else(|| Cow::Owned(format!("c{number}")));
        labels.extend(label.map(|label| (id.clone(), label)));
        own.push(LabelledClaim { claim_id: id, text, citation_ids: citation_ids.or(citations) });
    }
    let (key, given) = slots.take(Field::Expected as usize).unwrap_or(("expected".into(), Json::Null));
    let merged = match given {
        Json::Object(mut entries) => {
            labels.retain(|(id, _)| !entries.iter().any(|(other, _)| other == id));
            entries.append(&mut labels);
            Json::Object(entries)
        }
        Json::Text(word) if labels.is_empty() && own.len() == 1 => {
            Json::Object(own.iter().map(|claim| (claim.claim_id.clone(), Json::Text(word.clone()))).collect())
        }
        Json::Null if !labels.is_empty() => Json::Object(labels),
        other => other,
    };
    slots.put(Field::Expected as usize, Some((key, merged)));
    Some(own)
}

/// The id of what a citation cites.
fn cited_id(citation: Json<'_>) -> Option<Text<'_>> {
    let Json::Object(entries) = citation else { return None };
    entries.into_iter().find(|(key, _)| matches!(key.as_ref(), "id" | "evidence_id")).and_then(|(_, id)| as_id(id))
}

fn as_id(value: Json<'_>) -> Option<Text<'_>> {
    match value {
        Json::Text(text) => Some(text),
        Json::Number(number) => Some(Cow::Owned(number.to_string())),
        _ => None,
    }
}
