//! Names that are nearly right: what a field that nothing reads seems to mean.

use super::super::slip::{Meant, Object};

/// Longest name that is looked at, in bytes.
const LONGEST: usize = 40;
/// Names shorter than this are near to too much.
const SHORTEST: usize = 5;
/// Ordinary words that are near a known name and mean themselves.
const ORDINARY: [&str; 2] = ["location", "relevant"];
/// Stands in the tables for an answer to compare with.
const REFERENCE: &str = "";

/// What an unknown field seems to mean: the field that its name is near to, else the field that other tools name so.
pub(super) fn meant(object: Object, field: &str) -> Option<Meant> {
    if field.len() > LONGEST || !field.is_ascii() {
        return None;
    }
    let (known, others) = match object {
        Object::Case => (CASE_FIELDS, CASE),
        Object::Claim => (CLAIM_FIELDS, CLAIM),
        Object::Citation => (CITATION_FIELDS, CITATION),
        Object::Unit => (UNIT_FIELDS, UNIT),
    };
    if let Ok(row) = others.binary_search_by(|(name, _)| plain(name).cmp(plain(field))) {
        let name = others.get(row)?.1;
        return Some(if name == REFERENCE { Meant::ReferenceAnswer } else { Meant::Field(name) });
    }
    near(known, field).map(Meant::Field)
}

/// The known name that a name is a slip of: the same but for letter case and what parts its words, or one letter away, two
/// where the names are long.
fn near(known: &'static [Known], field: &str) -> Option<&'static str> {
    let (letters, length) = (letters(field), plain(field).count());
    if length < SHORTEST || ORDINARY.contains(&field) {
        return None;
    }
    let close = known.iter().filter_map(|known| {
        let longest = length.max(known.length);
        let most = if longest < 8 { 1 } else { 2 };
        // An edit changes at most two letters of those that occur.
        if longest - length.min(known.length) > most || (letters ^ known.letters).count_ones() as usize > 2 * most {
            return None;
        }
        let (name, field_text): (String, String) = (text(known.name), text(field));
        let distance = strsim::osa_distance(&name, &field_text);
        // `query_id` is no slip of `query`: another word makes another name.
        let is_near = distance <= 1 || (distance <= most && words(known.name) == words(field));
        is_near.then_some((distance, known.name))
    });
    close.min().map(|(_, name)| name)
}

/// A name without what parts its words, in lower case.
fn plain(name: &str) -> impl Iterator<Item = u8> + '_ {
    name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase())
}

fn text(name: &str) -> String {
    plain(name).map(char::from).collect()
}

/// How many words a name has: `retrieved_ids` and `retrievedIds` have two.
fn words(name: &str) -> usize {
    let bytes = name.as_bytes();
    let begins = |pair: &[u8]| match *pair {
        [before, after] => {
            (!before.is_ascii_alphanumeric() && after.is_ascii_alphanumeric())
                || (before.is_ascii_lowercase() && after.is_ascii_uppercase())
        }
        _ => false,
    };
    1 + bytes.windows(2).filter(|pair| begins(pair)).count()
}

/// The letters that occur in a name, one bit each.
const fn letters(name: &str) -> u32 {
    let bytes = name.as_bytes();
    let (mut letters, mut at) = (0, 0);
    while at < bytes.len() {
        let letter = bytes[at].to_ascii_lowercase();
        if letter.is_ascii_lowercase() {
            letters |= 1 << (letter - b'a');
        }
        at += 1;
    }
    letters
}

/// A name that is read, with what tells quickly that another is not near it.
struct Known {
    name: &'static str,
    letters: u32,
    /// Letters and digits.
    length: usize,
}

const fn known(name: &'static str) -> Known {
    let bytes = name.as_bytes();
    let (mut length, mut at) = (0, 0);
    while at < bytes.len() {
        length += bytes[at].is_ascii_alphanumeric() as usize;
        at += 1;
    }
    Known { name, letters: letters(name), length }
}

macro_rules! fields {
    ($($what:ident: $($name:literal)+;)+) => {
        $(static $what: &[Known] = &[$(known($name)),+];)+
    };
}

// Names of fewer than five letters are left out: too much is near them.
fields! {
    CASE_FIELDS: "case_id" "query" "question" "answer" "response" "language" "answerable" "claims" "sources" "contexts" "documents"
        "evidence" "retrieved_ids" "relevant_ids" "allowed_scopes" "expected" "human_label" "max_document_id";
    CLAIM_FIELDS: "claim_id" "citation_ids" "evidence_ids" "citations" "is_verifiable" "required_terms" "expected" "human_label";
    CITATION_FIELDS: "evidence_id" "source_version" "version" "quote" "start";
    UNIT_FIELDS: "evidence_id" "source_id" "source_version" "version" "source_type" "locator" "title" "canonical_uri" "scope_id"
        "tenant" "relevance" "content" "passage" "content_sha256";
}

/// Fields of a case under the names of other tools.
static CASE: &[(&str, &str)] = &[
    ("actual_output", "answer"),
    ("allowed_scope_ids", "allowed_scopes"),
    ("allowed_tenants", "allowed_scopes"),
    ("assertions", "claims"),
    ("assistant_response", "answer"),
    ("atomic_claims", "claims"),
    ("atomic_facts", "claims"),
    ("bot_answer", "answer"),
    ("candidate_answer", "answer"),
    ("chunk", "sources"),
    ("chunks", "sources"),
    ("claim_labels", "expected"),
    ("completion", "answer"),
    ("context", "sources"),
    ("context_documents", "sources"),
    ("ctxs", "sources"),
    ("docs", "sources"),
    ("expect", "expected"),
    ("expected_answer", REFERENCE),
    ("expected_ids", "relevant_ids"),
    ("expected_labels", "expected"),
    ("expected_output", REFERENCE),
    ("expected_response", REFERENCE),
    ("expected_retrieval_context", "relevant_ids"),
    ("final_answer", "answer"),
    ("generated_answer", "answer"),
    ("generated_text", "answer"),
    ("generation", "answer"),
    ("gold_answer", REFERENCE),
    ("gold_doc_ids", "relevant_ids"),
    ("gold_document_ids", "relevant_ids"),
    ("golden_answer", REFERENCE),
    ("gold_ids", "relevant_ids"),
    ("gold_labels", "expected"),
    ("grounding_chunks", "sources"),
    ("ground_truth", REFERENCE),
    ("ground_truths", REFERENCE),
    ("ideal_answer", REFERENCE),
    ("input", "query"),
    ("input_documents", "sources"),
    ("inputs", "query"),
    ("input.value", "query"),
    ("is_answerable", "answerable"),
    ("lang", "language"),
    ("language_code", "language"),
    ("llm_output", "answer"),
    ("locale", "language"),
    ("main_input", "query"),
    ("main_output", "answer"),
    ("max_doc_id", "max_document_id"),
    ("max_document", "max_document_id"),
    ("model_output", "answer"),
    ("nl_question", "query"),
    ("output", "answer"),
    ("outputs", "answer"),
    ("output_text", "answer"),
    ("output.value", "answer"),
    ("passage", "sources"),
    ("passages", "sources"),
    ("permitted_scopes", "allowed_scopes"),
    ("prediction", "answer"),
    ("prompt", "query"),
    ("question_text", "query"),
    ("reference", REFERENCE),
    ("reference_answer", REFERENCE),
    ("reference_context_ids", "relevant_ids"),
    ("reference_contexts", "relevant_ids"),
    ("relevant_doc_ids", "relevant_ids"),
    ("relevant_docs", "relevant_ids"),
    ("relevant_documents", "relevant_ids"),
    ("replies", "answer"),
    ("response_text", "answer"),
    ("result", "answer"),
    ("retrieval_context", "sources"),
    ("retrieval.documents", "sources"),
    ("retrieval_ids", "retrieved_ids"),
    ("retrieved_chunks", "sources"),
    ("retrieved_context_ids", "retrieved_ids"),
    ("retrieved_contexts", "sources"),
    ("retrieved_doc_ids", "retrieved_ids"),
    ("retrieved_docs", "sources"),
    ("retrieved_document_ids", "retrieved_ids"),
    ("retrieved_documents", "sources"),
    ("retrieved_nodes", "sources"),
    ("retrieved_passages", "sources"),
    ("retrieved_references", "sources"),
    ("scopes", "allowed_scopes"),
    ("search_query", "query"),
    ("search_results", "sources"),
    ("source_documents", "sources"),
    ("source_nodes", "sources"),
    ("statements", "claims"),
    ("text", "answer"),
    ("user_input", "query"),
    ("user_query", "query"),
    ("user_question", "query"),
];

/// Fields of a claim under the names of other tools.
static CLAIM: &[(&str, &str)] = &[
    ("checkable", "is_verifiable"),
    ("check_worthy", "is_verifiable"),
    ("chunk_ids", "citation_ids"),
    ("cited_ids", "citation_ids"),
    ("cites", "citation_ids"),
    ("claim_type", "type"),
    ("context_ids", "citation_ids"),
    ("doc_ids", "citation_ids"),
    ("document_ids", "citation_ids"),
    ("evidence", "citation_ids"),
    ("expect", "expected"),
    ("expected_label", "expected"),
    ("gold_label", "expected"),
    ("grounding_chunk_indices", "citation_ids"),
    ("ground_truth", "expected"),
    ("label", "expected"),
    ("must_contain", "required_terms"),
    ("must_include", "required_terms"),
    ("needs_citation", "is_verifiable"),
    ("reference_ids", "citation_ids"),
    ("references", "citation_ids"),
    ("ref_ids", "citation_ids"),
    ("refs", "citation_ids"),
    ("source_ids", "citation_ids"),
    ("sources", "citation_ids"),
    ("supporting_facts", "citation_ids"),
    ("supporting_ids", "citation_ids"),
    ("verifiable", "is_verifiable"),
];

/// Fields of a citation under the names of other tools.
static CITATION: &[(&str, &str)] = &[
    ("cited_text", "quote"),
    ("document_version", "source_version"),
    ("doc_version", "source_version"),
    ("end_char", "end"),
    ("end_char_index", "end"),
    ("end_offset", "end"),
    ("excerpt", "quote"),
    ("passage", "quote"),
    ("quotation", "quote"),
    ("quoted_text", "quote"),
    ("revision", "source_version"),
    ("snippet", "quote"),
    ("span_text", "quote"),
    ("start_char", "start"),
    ("start_char_index", "start"),
    ("start_offset", "start"),
];

/// Fields of an evidence unit under the names of other tools.
static UNIT: &[(&str, &str)] = &[
    ("allowed_scopes", "scope_id"),
    ("body", "content"),
    ("chunk", "content"),
    ("chunk_content", "content"),
    ("chunks", "content"),
    ("chunk_text", "content"),
    ("content_digest", "content_sha256"),
    ("content_hash", "content_sha256"),
    ("content_sha", "content_sha256"),
    ("context", "content"),
    ("doc_id", "source_id"),
    ("doc_title", "title"),
    ("document", "content"),
    ("document_content", "content"),
    ("document_id", "source_id"),
    ("documents", "content"),
    ("document_title", "title"),
    ("document_uri", "canonical_uri"),
    ("document_url", "canonical_uri"),
    ("document_version", "source_version"),
    ("doc_version", "source_version"),
    ("excerpt", "content"),
    ("extract", "content"),
    ("full_text", "content"),
    ("href", "canonical_uri"),
    ("link", "canonical_uri"),
    ("node_text", "content"),
    ("page_content", "content"),
    ("page_text", "content"),
    ("page_title", "title"),
    ("page_url", "canonical_uri"),
    ("passage_text", "content"),
    ("raw_content", "content"),
    ("raw_text", "content"),
    ("revision", "source_version"),
    ("scope", "scope_id"),
    ("scopes", "scope_id"),
    ("segment_text", "content"),
    ("sha256", "content_sha256"),
    ("snippet", "content"),
    ("snippets", "content"),
    ("source_uri", "canonical_uri"),
    ("source_url", "canonical_uri"),
    ("tenant_id", "scope_id"),
    ("text_content", "content"),
    ("txt", "content"),
    ("web_url", "canonical_uri"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn name(object: Object, field: &str) -> Option<&'static str> {
        match meant(object, field)? {
            Meant::Field(name) => Some(name),
            Meant::ReferenceAnswer => Some("a reference answer"),
        }
    }

    #[test]
    fn the_tables_are_in_the_order_in_which_they_are_searched() {
        for table in [CASE, CLAIM, CITATION, UNIT] {
            for pair in table.windows(2) {
                assert!(plain(pair[0].0).lt(plain(pair[1].0)), "{} stands before {}", pair[0].0, pair[1].0);
            }
        }
    }

    #[test]
    fn a_slip_of_a_known_name_is_told_with_the_name() {
        for (field, meant) in [
            ("caseId", "case_id"),
            ("Retrieved-IDs", "retrieved_ids"),
            ("allowed_scope", "allowed_scopes"),
            ("retrieved_id", "retrieved_ids"),
            ("expect", "expected"),
            ("languge", "language"),
            ("max_doc_id", "max_document_id"),
            ("anwser", "answer"),
            ("claim", "claims"),
            ("evidences", "evidence"),
        ] {
            assert_eq!(name(Object::Case, field), Some(meant), "{field}");
        }
        assert_eq!(name(Object::Unit, "contnet"), Some("content"));
        assert_eq!(name(Object::Unit, "scopeId"), Some("scope_id"));
        assert_eq!(name(Object::Claim, "citationIds"), Some("citation_ids"));
        assert_eq!(name(Object::Citation, "qoute"), Some("quote"));
    }

    #[test]
    fn another_tools_name_is_told_with_the_name_here() {
        for (field, meant) in [
            ("user_input", "query"),
            ("actualOutput", "answer"),
            ("retrieved_contexts", "sources"),
            ("retrieval.documents", "sources"),
            ("ground_truth", "a reference answer"),
        ] {
            assert_eq!(name(Object::Case, field), Some(meant), "{field}");
        }
        assert_eq!(name(Object::Unit, "pageContent"), Some("content"));
        assert_eq!(name(Object::Citation, "cited_text"), Some("quote"));
    }

    #[test]
    fn ordinary_fields_of_ones_own_are_left_alone() {
        for object in Object::ALL {
            for field in [
                "id",
                "date",
                "notes",
                "tags",
                "score",
                "rank",
                "metadata",
                "meta",
                "model",
                "created_at",
                "query_id",
                "region",
                "location",
                "relevant",
                "source_file",
                "title_hash",
                "claim_count",
                "author",
                "status",
                "product",
                "session",
                "état",
                "",
                "_",
                "answer_date_of_the_first_review_by_the_team",
            ] {
                assert_eq!(name(object, field), None, "{field} of {object:?}");
            }
        }
    }
}
