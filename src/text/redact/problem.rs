//! Problems of data say what was found. What they say leaves, too.

use super::Redactor;
use crate::diagnostic::{Place, Problem, Problems};

/// In place of a text between quotation marks.
const WITHHELD: &str = "\"[redacted]\"";

/// Names that fields have by themselves; every other name in a message may be a key that stands in the data.
const FIELDS: &str = " case_id id query question answer response language answerable claims claim_id text claim citations \
    citation_ids evidence_ids source_version version quote start end is_verifiable type required_terms sources contexts documents \
    evidence evidence_id source_id source_type locator title canonical_uri url uri scope_id tenant scope relevance content passage \
    content_sha256 retrieved_ids relevant_ids max_document_id allowed_scopes expected human_label meta status valid_from valid_to \
    authority claim_sha256 evidence_sha256 label reviewer reason date expires ";

impl Redactor {
    /// Takes out of problems of data what must not leave. A text that a message has cut goes whole, since the rest of what the patterns would
    /// find may be what was cut. Where whole fields are taken out, everything that was found goes: of a line that is no case nobody can say
    /// which part of it is which field.
    #[must_use]
    pub fn problems(&self, mut problems: Problems) -> Problems {
        if !self.is_empty() {
            problems.change(|problem| self.problem(problem));
        }
        problems
    }

    /// The same of one problem.
    pub fn problem(&self, problem: &mut Problem) {
        let is_of_data = matches!(problem.place, Place::Line(..) | Place::Unknown);
        let all = self.has_fields() && is_of_data;
        problem.message = self.said(&problem.message, all).into();
        if let Some(label) = &problem.label {
            let label = match label.split_once(", expected ") {
                Some((_, expected)) if all => format!("expected {expected}"),
                _ => self.said(label, all),
            };
            problem.label = Some(label.into());
        }
        if let Some(help) = &problem.help {
            let suggests = all && help.starts_with("did you mean");
            problem.help = (!suggests).then(|| self.said(help, all).into());
        }
        match &mut problem.place {
            Place::File(name) | Place::Line(name, _) => *name = self.id(name).into(),
            Place::Span(_) | Place::Unknown => {}
        }
    }

    fn said(&self, text: &str, all: bool) -> String {
        let quotes = text.find('"').zip(text.rfind('"')).filter(|(first, last)| first < last);
        let text = match quotes {
            Some((first, last)) if all || text.contains('…') => {
                format!("{}{WITHHELD}{}", &text[..first], &text[last + 1..])
            }
            _ => text.to_owned(),
        };
        let text = if all { without_keys(&text) } else { text };
        self.text(&text).into_owned()
    }
}

/// A message without the paths between backticks that hold another name than those that fields have by themselves.
fn without_keys(text: &str) -> String {
    let is_known = |path: &str| {
        let mut names = path.split(['.', '[', ']']).filter(|name| !name.is_empty());
        names.all(|name| name.bytes().all(|b| b.is_ascii_digit()) || FIELDS.contains(&format!(" {name} ")))
    };
    let pieces: Vec<&str> = text.split('`').collect();
    let last = pieces.len().saturating_sub(1);
    let shown =
        pieces.iter().enumerate().map(|(index, piece)| match index % 2 == 1 && index < last && !is_known(piece) {
            true => "[redacted]",
            false => piece,
        });
    shown.collect::<Vec<&str>>().join("`")
}
