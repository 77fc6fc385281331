//! The claims that a case declares, and what they cite.

use std::borrow::Cow;
use std::ops::Range;

use super::super::case::{GivenCitation, GivenClaim, Text};
use super::super::json::Json;
use super::super::label::Label;
use super::super::slip::Object;
use super::fields::{At, Reader, Slots, same_id, shown};
use crate::diagnostic::{Problem, code, quoted};
use crate::text::hidden::is_readable;

#[derive(Clone, Copy)]
#[repr(usize)]
enum Field {
    ClaimId,
    Text,
    CitationIds,
    Citations,
    IsVerifiable,
    Type,
    RequiredTerms,
    Expected,
}

const COUNT: usize = 8;

fn slot(key: &str) -> Option<usize> {
    let field = match key {
        "claim_id" | "id" => Field::ClaimId,
        "text" => Field::Text,
        "citation_ids" | "evidence_ids" => Field::CitationIds,
        "citations" => Field::Citations,
        "is_verifiable" => Field::IsVerifiable,
        "type" => Field::Type,
        "required_terms" => Field::RequiredTerms,
        "expected" | "human_label" => Field::Expected,
        _ => return None,
    };
    Some(field as usize)
}

#[derive(Clone, Copy)]
#[repr(usize)]
enum CitationField {
    Id,
    SourceVersion,
    Quote,
    Start,
    End,
}

const CITATION_COUNT: usize = 5;

fn citation_slot(key: &str) -> Option<usize> {
    let field = match key {
        "id" | "evidence_id" => CitationField::Id,
        "source_version" | "version" => CitationField::SourceVersion,
        "quote" => CitationField::Quote,
        "start" => CitationField::Start,
        "end" => CitationField::End,
        _ => return None,
    };
    Some(field as usize)
}

impl Reader<'_> {
    /// The claims of a case, their ids unique; labels that stand inside a claim go to `labels`.
    pub(super) fn claims<'a>(
        &mut self,
        value: Json<'a>,
        at: &At<'_>,
        labels: &mut Vec<(Text<'a>, Label)>,
    ) -> Option<Vec<GivenClaim<'a>>> {
        let items = self.list(value, at, "a list of claims")?;
        let most = self.options.limits.claims_per_case;
        if items.len() > most {
            self.too_many(at, items.len(), most, "claims", "claims_per_case");
            return None;
        }
        let mut number = 0_usize;
        let claims = self.all(items, at, |reader, item, at| {
            number += 1;
            reader.claim(item, at, number, labels)
        })?;
        let ids = claims.iter().map(|claim| claim.claim_id.as_ref()).enumerate();
        self.unique_ids(ids, at, "claim id", false);
        Some(claims)
    }

    fn claim<'a>(
        &mut self,
        value: Json<'a>,
        at: &At<'_>,
        number: usize,
        labels: &mut Vec<(Text<'a>, Label)>,
    ) -> Option<GivenClaim<'a>> {
        let Json::Object(entries) = value else {
            let problem = Problem::new(code::WRONG_TYPE, format!("{} has the wrong type", at.named()))
                .found(value.kind(), "an object")
                .help("write each claim as an object with `text`");
            self.push(at, problem);
            return None;
        };
        let mut slots: Slots<'a, COUNT> = self.sort(entries, at, slot);
        self.note_slips(Object::Claim, &slots, at, slot);
        let id_given = slots.has(Field::ClaimId as usize);
        let claim_id = self.optional(&mut slots, Field::ClaimId as usize, at, Self::id);
        let text = self.required(&mut slots, Field::Text as usize, "text", at, Self::statement);
        let ids = self.optional(&mut slots, Field::CitationIds as usize, at, Self::citation_ids);
        let citations = self.optional(&mut slots, Field::Citations as usize, at, |reader, value, at| {
            reader.citations(value, at, ids.as_deref())
        });
        let is_verifiable = self.optional(&mut slots, Field::IsVerifiable as usize, at, Self::flag);
        let claim_type = self.optional(&mut slots, Field::Type as usize, at, Self::text);
        let required_terms = self.optional(&mut slots, Field::RequiredTerms as usize, at, Self::texts);
        let label = self.optional(&mut slots, Field::Expected as usize, at, Self::label);
        let claim_id = if id_given { claim_id? } else { Cow::Owned(format!("c{number}")) };
        labels.extend(label.map(|label| (claim_id.clone(), label)));
        Some(GivenClaim {
            claim_id,
            text: text?,
            citations: merged(ids, citations, self.options.fold_ids),
            is_verifiable,
            claim_type,
            required_terms: required_terms.unwrap_or_default(),
            fields: Json::Object(slots.rest),
        })
    }

    /// Text with a letter or a digit.
    fn statement<'a>(&mut self, value: Json<'a>, at: &At<'_>) -> Option<Text<'a>> {
        let text = self.filled_text(value, at)?;
        if is_readable(&text) {
            return Some(text);
        }
        let found = format!("{}, without a letter or a digit", quoted(&text));
        let help = "leave out what is no statement: a claim is a sentence that can be checked";
        self.wrong_value(at, code::EMPTY, &found, "a statement", Some(help));
        None
    }

    fn citation_ids<'a>(&mut self, value: Json<'a>, at: &At<'_>) -> Option<Vec<Text<'a>>> {
        let items = self.list(value, at, "a list of ids")?;
        let most = self.options.limits.citations_per_claim;
        if items.len() > most {
            self.too_many(at, items.len(), most, "citations", "citations_per_claim");
            return None;
        }
        self.all(items, at, Self::id)
    }

    /// Citations as objects. Where the short form stands beside them, they add details to its ids and bring none.
    fn citations<'a>(
        &mut self,
        value: Json<'a>,
        at: &At<'_>,
        short_form: Option<&[Text<'a>]>,
    ) -> Option<Vec<GivenCitation<'a>>> {
        let items = self.list(value, at, "a list of citations")?;
        let most = self.options.limits.citations_per_claim;
        if items.len() > most {
            self.too_many(at, items.len(), most, "citations", "citations_per_claim");
            return None;
        }
        let fold = self.options.fold_ids;
        self.all(items, at, |reader, item, at| {
            let citation = reader.citation(item, at)?;
            if short_form.is_some_and(|ids| !ids.iter().any(|id| same_id(id, &citation.id, fold))) {
                let problem = Problem::new(code::CONTRADICTION, format!("{} is not in the claim's short form", at.named()))
                    .found(quoted(&citation.id), "an id that `citation_ids` names too")
                    .help("`citations` adds details to the ids of `citation_ids`: add the id there, or keep only one of the two lists");
                reader.push(at, problem);
            }
            Some(citation)
        })
    }

    fn citation<'a>(&mut self, value: Json<'a>, at: &At<'_>) -> Option<GivenCitation<'a>> {
        let Json::Object(entries) = value else {
            let problem = Problem::new(code::WRONG_TYPE, format!("{} has the wrong type", at.named()))
                .found(value.kind(), "an object with `id`")
                .help("a list of plain ids is named `citation_ids`");
            self.push(at, problem);
            return None;
        };
        let mut slots: Slots<'a, CITATION_COUNT> = self.sort(entries, at, citation_slot);
        self.note_slips(Object::Citation, &slots, at, citation_slot);
        let id = self.required(&mut slots, CitationField::Id as usize, "id", at, Self::id);
        let source_version = self.optional(&mut slots, CitationField::SourceVersion as usize, at, Self::id);
        let quote = self.optional(&mut slots, CitationField::Quote as usize, at, Self::filled_text);
        let given = [CitationField::Start, CitationField::End].map(|end| slots.has(end as usize));
        let start = self.optional(&mut slots, CitationField::Start as usize, at, Self::offset);
        let end = self.optional(&mut slots, CitationField::End as usize, at, Self::offset);
        let span = match (start, end) {
            (Some(start), Some(end)) => self.span(start..end, at),
            _ if given[0] != given[1] => {
                let (found, missing) = if given[0] { ("`start` alone", "`end`") } else { ("`end` alone", "`start`") };
                let problem = Problem::new(code::BAD_SPAN, format!("{} has half a span", at.named()));
                self.push(at, problem.found(found, format!("{missing} too")));
                None
            }
            _ => None,
        };
        Some(GivenCitation { id: id?, source_version, quote, span })
    }

    fn offset(&mut self, value: Json<'_>, at: &At<'_>) -> Option<usize> {
        let Json::Number(number) = &value else {
            self.wrong_type(at, value.kind(), "a byte offset");
            return None;
        };
        let offset = number.as_u64().and_then(|offset| usize::try_from(offset).ok());
        if offset.is_none() {
            self.wrong_value(at, code::BAD_SPAN, &shown(&value), "a byte offset: an integer from 0", None);
        }
        offset
    }

    /// A span that is not empty. Whether it lies inside the unit's content is what the candidate said, not how the data
    /// is written: the check `locator` finds the ones that do not.
    fn span(&mut self, span: Range<usize>, at: &At<'_>) -> Option<Range<usize>> {
        if span.start < span.end {
            return Some(span);
        }
        let problem = Problem::new(code::BAD_SPAN, format!("{} has a span that does not fit", at.named()))
            .found(format!("{} to {}", span.start, span.end), "`end` after `start`")
            .help("offsets are bytes of the content in UTF-8, the end exclusive");
        self.push(at, problem);
        None
    }

    fn too_many(&mut self, at: &At<'_>, found: usize, most: usize, what: &str, limit: &str) {
        let problem = Problem::new(code::TOO_LARGE, format!("{} has too many {what}", at.named()))
            .found(found, format!("at most {most}"))
            .help(format!("raise `{limit}` under `limits` if this is meant"));
        self.push(at, problem);
    }
}

/// The citations of a claim: those with details stand where the short form first names their id.
fn merged<'a>(
    ids: Option<Vec<Text<'a>>>,
    detailed: Option<Vec<GivenCitation<'a>>>,
    fold: bool,
) -> Option<Vec<GivenCitation<'a>>> {
    let Some(ids) = ids else { return detailed };
    let mut detailed: Vec<Option<GivenCitation<'a>>> = detailed.unwrap_or_default().into_iter().map(Some).collect();
    let mut citations = Vec::with_capacity(ids.len().max(detailed.len()));
    for id in ids {
        let before = citations.len();
        let matching = detailed.iter_mut().filter(|one| one.as_ref().is_some_and(|one| same_id(&one.id, &id, fold)));
        citations.extend(matching.filter_map(Option::take));
        let known = citations.iter().any(|one: &GivenCitation<'a>| same_id(&one.id, &id, fold));
        if citations.len() == before && !known {
            citations.push(GivenCitation { id, source_version: None, quote: None, span: None });
        }
    }
    Some(citations)
}
