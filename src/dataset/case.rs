//! A case as validated: one question, its answer, its claims and its evidence packet. Text is borrowed from the
//! line it was read from wherever the JSON holds it without escapes.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::json::Json;
use super::label::Label;
use super::slip::Slips;
use crate::text::hidden;

/// Text borrowed from the case's line, or owned where JSON escapes had to be resolved.
pub type Text<'a> = Cow<'a, str>;

/// Where a case was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Index of the file among the dataset's files.
    pub file: u32,
    /// Physical line, counted from 1.
    pub line: u64,
}

/// One case (SPEC 4.1), validated: ids are unique within it, spans lie inside their content on character
/// boundaries, numbers are finite.
#[derive(Debug, Clone)]
pub struct Case<'a> {
    /// Where it stands.
    pub origin: Origin,
    /// Unique id in the dataset.
    pub case_id: Text<'a>,
    /// The question.
    pub query: Option<Text<'a>>,
    /// The answer as the user saw it, with its markers.
    pub answer: Option<Text<'a>>,
    /// BCP-47 tag of the answer's language.
    pub language: Option<Text<'a>>,
    /// Whether the packet can answer the question at all.
    pub answerable: Option<bool>,
    /// The case's own claims; `None`: the rules derive them from the answer; `Some([])`: there are none.
    pub claims: Option<Vec<GivenClaim<'a>>>,
    /// The evidence packet.
    pub units: Vec<Unit<'a>>,
    /// Ids that retrieval returned; `None`: those of the packet.
    pub retrieved_ids: Option<Vec<Text<'a>>>,
    /// Ids that are relevant to the question; `None`: not known.
    pub relevant_ids: Option<Vec<Text<'a>>>,
    /// Scopes the reader may see; `None`: not declared.
    pub allowed_scopes: Option<Vec<Text<'a>>>,
    /// Labels that people gave, by claim id, in file order.
    pub expected: Vec<(Text<'a>, Label)>,
    /// What those labels were given for, where a candidate's answers are laid over the case.
    pub labelled: Option<Labelled<'a>>,
    /// Every other field, `meta` and `max_document_id` among them, in file order: a JSON object.
    pub fields: Json<'a>,
    /// Fields of the case and of what it holds that nothing reads and that look meant.
    pub slips: Slips,
    /// Units of a candidate's file that have another text under the id of one of the case's own.
    pub replaced_units: usize,
    /// Units of a candidate's file that the case's own packet does not have.
    pub added_units: usize,
    /// Whether a candidate's file brought answer and claims.
    pub from_candidate: bool,
    /// The answer with spaces in place of what a reader does not see; read by [`Case::shown_answer`].
    pub(super) shown: OnceLock<Option<Box<str>>>,
}

impl Case<'_> {
    /// The answer as a reader sees it: with spaces in place of comments, hidden elements and what is struck out. Spans of it are spans of the
    /// answer.
    #[must_use]
    pub fn shown_answer(&self) -> Option<&str> {
        let answer = self.answer.as_deref()?;
        let shown = self.shown.get_or_init(|| hidden::shown(answer).map(String::into_boxed_str));
        Some(shown.as_deref().unwrap_or(answer))
    }

    /// Whether there is nothing for a reader: no claims without an answer, and no letter or digit in the answer.
    #[must_use]
    pub fn says_nothing(&self) -> bool {
        match self.shown_answer() {
            Some(answer) => hidden::is_blank(answer),
            None => self.claims.as_ref().is_none_or(Vec::is_empty),
        }
    }
}

/// What the labels of a case were given for: the dataset's own claims, which a candidate's answers took the place of.
#[derive(Debug, Clone)]
pub struct Labelled<'a> {
    /// Whether the dataset has an answer of its own.
    pub has_answer: bool,
    /// Whether the candidate's answer is that one.
    pub same_answer: bool,
    /// The claims that the dataset declares, where it declares any.
    pub claims: Option<Vec<LabelledClaim<'a>>>,
}

/// A claim that a dataset declares, as far as its label rests on it.
#[derive(Debug, Clone)]
pub struct LabelledClaim<'a> {
    /// Its id.
    pub claim_id: Text<'a>,
    /// The statement.
    pub text: Text<'a>,
    /// The ids that it cites; `None`: it leaves that to the markers of its answer.
    pub citation_ids: Option<Vec<Text<'a>>>,
}

/// A claim that the case itself declares.
#[derive(Debug, Clone)]
pub struct GivenClaim<'a> {
    /// Unique in the case; `c1`, `c2`, … where the data gave none.
    pub claim_id: Text<'a>,
    /// The statement.
    pub text: Text<'a>,
    /// What it cites; `None`: neither `citations` nor `citation_ids` was given.
    pub citations: Option<Vec<GivenCitation<'a>>>,
    /// Whether the claim can be checked at all, where the data says so.
    pub is_verifiable: Option<bool>,
    /// Kind of claim, such as `numeric`.
    pub claim_type: Option<Text<'a>>,
    /// Terms that the cited evidence must hold.
    pub required_terms: Vec<Text<'a>>,
    /// Every other field, in file order: a JSON object.
    pub fields: Json<'a>,
}

/// A citation that the case itself declares.
#[derive(Debug, Clone)]
pub struct GivenCitation<'a> {
    /// The id as written.
    pub id: Text<'a>,
    /// The version that the answer claims to cite.
    pub source_version: Option<Text<'a>>,
    /// The passage that was cited, verbatim.
    pub quote: Option<Text<'a>>,
    /// Byte span of the passage in the unit's content, end exclusive.
    pub span: Option<std::ops::Range<usize>>,
}

/// One evidence unit of the packet.
#[derive(Debug, Clone)]
pub struct Unit<'a> {
    /// The id that is cited.
    pub id: Text<'a>,
    /// The document it comes from.
    pub source_id: Option<Text<'a>>,
    /// The document's version.
    pub source_version: Option<Text<'a>>,
    /// Family of the source, such as `policy`.
    pub source_type: Option<Text<'a>>,
    /// Where in the document: a JSON object, text or number.
    pub locator: Option<Json<'a>>,
    /// Title of the document.
    pub title: Option<Text<'a>>,
    /// Address of the document.
    pub canonical_uri: Option<Text<'a>>,
    /// Scope (tenant) the unit belongs to.
    pub scope_id: Option<Text<'a>>,
    /// Graded relevance, at least 0, in millionths.
    pub relevance: Option<u64>,
    /// The passage.
    pub content: Option<Text<'a>>,
    /// Declared SHA-256 of the content's exact bytes, as lower-case hex of 64 digits.
    pub content_sha256: Option<Text<'a>>,
    /// Whether it was given as plain text, so that its id is nothing but its position, from 1.
    pub is_positional: bool,
    /// Every other field, in file order: a JSON object.
    pub fields: Json<'a>,
}

impl<'a> Unit<'a> {
    /// A unit of which nothing is known but its id.
    #[must_use]
    pub const fn named(id: Text<'a>) -> Self {
        Self {
            id,
            source_id: None,
            source_version: None,
            source_type: None,
            locator: None,
            title: None,
            canonical_uri: None,
            scope_id: None,
            relevance: None,
            content: None,
            content_sha256: None,
            is_positional: false,
            fields: Json::Object(Vec::new()),
        }
    }
}
