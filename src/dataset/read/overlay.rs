//! Laying a candidate's answer over a case: before anything is interpreted, so that one reading validates the whole.

use std::borrow::Cow;

use super::super::json::Json;
use super::Field;
use super::fields::{At, Reader, Slots};
use crate::diagnostic::{Problem, code};

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
    ) -> Option<()> {
        let entries = self.object(row, at)?;
        let mut brought: Slots<'a, { Field::COUNT }> = self.sort(entries, at, Field::slot);
        keep_labels(slots);
        let packet = brought.has(Field::Sources as usize);
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
        Some(())
    }

    /// Notes labels inside the claims of an answers file.
    pub(super) fn labels_in_answers(&mut self, at: &At<'_>) {
        let problem = Problem::new(code::WRONG_VALUE, "the answer labels its own claims")
            .found("`expected` inside a claim", "labels in the dataset only")
            .help("remove `expected` and `human_label` from the answers file");
        self.push(at, problem);
    }
}

/// Moves labels from inside the case's claims, and one word for its only claim, into `expected` by claim id.
fn keep_labels(slots: &mut Slots<'_, { Field::COUNT }>) {
    let Some((_, Json::List(claims))) = slots.take(Field::Claims as usize) else { return };
    let mut labels = Vec::new();
    let mut ids = Vec::new();
    for (claim, number) in claims.into_iter().zip(1_usize..) {
        let Json::Object(entries) = claim else { continue };
        let mut id = None;
        let mut label = None;
        for (key, value) in entries {
            match (key.as_ref(), value) {
                ("claim_id" | "id", Json::Text(text)) => id = Some(text),
                ("claim_id" | "id", Json::Number(number)) => id = Some(Cow::Owned(number.to_string())),
                ("expected" | "human_label", value) => label = Some(value),
                _ => {}
            }
        }
        let id = id.unwrap_or_else(|| Cow::Owned(format!("c{number}")));
        labels.extend(label.map(|label| (id.clone(), label)));
        ids.push(id);
    }
    let (key, given) = slots.take(Field::Expected as usize).unwrap_or(("expected".into(), Json::Null));
    let merged = match given {
        Json::Object(mut entries) => {
            labels.retain(|(id, _)| !entries.iter().any(|(other, _)| other == id));
            entries.append(&mut labels);
            Json::Object(entries)
        }
        Json::Text(word) if labels.is_empty() && ids.len() == 1 => {
            Json::Object(ids.into_iter().map(|id| (id, Json::Text(word.clone()))).collect())
        }
        Json::Null if !labels.is_empty() => Json::Object(labels),
        other => other,
    };
    slots.put(Field::Expected as usize, Some((key, merged)));
}
