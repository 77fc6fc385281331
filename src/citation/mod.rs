//! Citations: markers found in an answer, claims (given or split from the answer), and the (claim, evidence id)
//! pairs that come of both. A [`Packet`] is a case made ready for the checks.

mod align;
mod claim;
mod definition;
mod fact;
mod grammar;
mod identity;
mod instead;
mod labelled;
mod marker;
mod packet;
mod plain;
mod reference;
mod shadow;
mod signs;
mod statement;
mod unread;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

pub use crate::text::code::code_spans;
pub use claim::{Attach, ClaimPattern, ClaimPolicy, ClaimSource, Split};
pub use grammar::{Grammar, GrammarError, IdCase, Resolve};
pub use marker::{MAX_RANGE_REFERENCES, MarkerSet, Parsed, UNREAD};
pub use reference::MAX_REFERENCES;
pub use shadow::EntryPlaces;
pub use unread::is_loose_list;

use crate::dataset::register::Registered;
use crate::dataset::{Case, GivenCitation, GivenClaim, Register, Text, Unit};
use crate::text::Analysis;

/// A marker found in an answer: text that cites, such as `[doc_3]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker<'c> {
    /// Byte span in the answer, end exclusive. Cutting it from the answer gives `raw`.
    pub span: Range<usize>,
    /// The marker's text.
    pub raw: &'c str,
    /// Index of the grammar that matched, in the policy's `markers`; past its end where none did and the text only looks like a
    /// citation.
    pub grammar: u16,
    /// What it refers to, in order, lists and ranges spelled out.
    pub references: Vec<Reference<'c>>,
    /// Why the marker cannot be read as it stands, such as a descending range, or [`UNREAD`].
    pub malformed: Option<&'static str>,
}

/// One reference of a marker, as written and as resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference<'c> {
    /// The reference as written (`3`, `doc_3`); for a number inside a range, that number.
    pub written: Cow<'c, str>,
    /// What it resolves to.
    pub resolution: Resolution,
}

/// What a reference resolves to in the case's packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// The unit with this index in the packet.
    Unit(u32),
    /// No unit has this id.
    Unknown,
    /// A position before the first or past the last unit, or too large to count.
    OutOfRange,
    /// The number or id names one unit, and the link of the marker leads to another; by index in the packet. It is taken for neither.
    Differs {
        /// The unit that the number or id names.
        written: u32,
        /// The unit that the link leads to.
        link: u32,
    },
}

impl Resolution {
    /// Index of the unit, where there is one.
    #[must_use]
    pub const fn unit(self) -> Option<usize> {
        match self {
            Resolution::Unit(index) => Some(index as usize),
            Resolution::Unknown | Resolution::OutOfRange | Resolution::Differs { .. } => None,
        }
    }
}

/// What sort of statement a claim is; decides whether it needs a citation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimClass {
    /// A statement that can be checked.
    Verifiable,
    /// A greeting, transition, question, offer or labelled opinion: needs no citation.
    NotVerifiable,
    /// The answer says that it cannot answer: needs no citation, is counted.
    Refusal,
    /// A bibliography line inside the answer.
    ReferenceEntry,
}

impl ClaimClass {
    /// The word used in records and as a slice value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ClaimClass::Verifiable => "verifiable",
            ClaimClass::NotVerifiable => "not_verifiable",
            ClaimClass::Refusal => "refusal",
            ClaimClass::ReferenceEntry => "reference_entry",
        }
    }
}

/// One claim, given by the case or split from its answer.
#[derive(Debug, Clone)]
pub struct Claim<'c> {
    /// Unique in the case.
    pub claim_id: Text<'c>,
    /// The statement, without markers.
    pub text: Cow<'c, str>,
    /// The declared claim, where the case has claims of its own.
    pub given: Option<&'c GivenClaim<'c>>,
    /// Byte span of its sentence in the answer, where one was found.
    pub span: Option<Range<usize>>,
    /// Indexes of the markers that stand in that sentence or right after it (before it, where the answer's markers lead), in
    /// [`Packet::markers`]; under `attach: paragraph` also those at the paragraph's end.
    pub markers: Vec<u32>,
    /// What sort of statement it is.
    pub class: ClaimClass,
    /// Indexes of its citations in [`Packet::citations`].
    pub citations: Vec<u32>,
}

impl Claim<'_> {
    /// Whether the claim needs a citation.
    #[must_use]
    pub fn is_verifiable(&self) -> bool {
        self.class == ClaimClass::Verifiable
    }
}

/// What part of a unit's content a citation exposes to the support checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exposed {
    /// This byte span of the content: the whole content, or the cited span or quote.
    Span(Range<usize>),
    /// The unit has no content.
    NoContent,
    /// The citation names a quote that the content does not hold.
    QuoteNotFound,
    /// The citation names a span that the content does not have.
    SpanOutside,
    /// The citation resolves to no unit.
    Nothing,
}

/// One (claim, evidence id) pair; each pair stands once, however often it was cited.
#[derive(Debug, Clone)]
pub struct Citation<'c> {
    /// Index of the claim in [`Packet::claims`]; `None`: the marker belongs to no claim.
    pub claim: Option<u32>,
    /// The resolved unit's id, else the reference as written.
    pub id: Text<'c>,
    /// What it resolves to.
    pub resolution: Resolution,
    /// Indexes of the markers that made it, in [`Packet::markers`]; empty where only the data cites.
    pub markers: Vec<u32>,
    /// The declared citation, where the claim has one.
    pub given: Option<&'c GivenCitation<'c>>,
    /// What support checks may read of the unit.
    pub exposed: Exposed,
}

/// A case made ready for the checks: markers parsed and resolved, claims with their citations.
#[derive(Debug, Clone)]
pub struct Packet<'c> {
    /// The case itself.
    pub case: &'c Case<'c>,
    /// Primary language subtag in lower case, such as `de`; the policy's default where the case names none.
    pub language: Cow<'c, str>,
    /// Whether no lexicon speaks the language of the answer, so that little but digits is read.
    pub unread_language: bool,
    /// Markers of the answer, in order, never overlapping; with them what looks like one and is not read.
    pub markers: Vec<Marker<'c>>,
    /// Whether one case uses both 0 and the packet's length as positions, so that either counting may be meant.
    pub ambiguous_index: bool,
    /// The claims, in order.
    pub claims: Vec<Claim<'c>>,
    /// Every citation: first those of the claims in order, then those that belong to no claim.
    pub citations: Vec<Citation<'c>>,
    /// Whether the answer as a whole is a refusal ("I could not find …"), or says nothing at all.
    pub refused: bool,
    /// Whether the answer has no letter and no digit for a reader: nothing but markers, markup and what is not shown.
    pub says_nothing: bool,
    /// Byte spans in the answer of the lines that name sources, such as a list under "Sources:".
    pub reference_entries: Vec<Range<usize>>,
    /// Byte spans in the answer of its statements that need a citation, whatever claims the case declares, and whether each cites.
    pub statements: Vec<(Range<usize>, bool)>,
    /// What the corpus holds now, where that is known.
    pub register: Option<&'c Register>,
    /// What is known of the answer, its markers masked; computed where it is asked for.
    pub analysis: Arc<Analysis>,
}

impl<'c> Packet<'c> {
    /// The unit that a citation resolves to.
    #[must_use]
    pub fn unit(&self, citation: &Citation<'c>) -> Option<&'c Unit<'c>> {
        citation.resolution.unit().and_then(|index| self.case.units.get(index))
    }

    /// The same packet with the register of sources that its citations are held against.
    #[must_use]
    pub fn with_register(mut self, register: Option<&'c Register>) -> Self {
        self.register = register;
        self
    }

    /// What the register says of a unit; `None` without a register, or where the unit is not in it.
    #[must_use]
    pub fn registered(&self, unit: &Unit<'_>) -> Option<Registered<'c>> {
        self.register.and_then(|register| register.of(unit))
    }

    /// How many units the packet has, in words: "1 unit", "5 units".
    #[must_use]
    pub fn size(&self) -> String {
        match self.case.units.len() {
            1 => "1 unit".to_owned(),
            units => format!("{units} units"),
        }
    }

    /// The citations of a claim, in order.
    pub fn citations_of<'p>(&'p self, claim: &'p Claim<'c>) -> impl Iterator<Item = &'p Citation<'c>> {
        claim.citations.iter().filter_map(|&index| self.citations.get(index as usize))
    }

    /// Ids that retrieval returned: the declared ones, else those of the packet.
    pub fn retrieved_ids(&self) -> impl Iterator<Item = &str> {
        let declared = self.case.retrieved_ids.as_deref();
        let packet = if declared.is_some() { &[][..] } else { self.case.units.as_slice() };
        declared.unwrap_or_default().iter().map(AsRef::as_ref).chain(packet.iter().map(|unit| unit.id.as_ref()))
    }

    /// The answer without its markers and with tidy spacing.
    #[must_use]
    pub fn answer_text(&self) -> Cow<'c, str> {
        let answer = self.case.shown_answer().unwrap_or_default();
        plain::without_markers(answer, &(0..answer.len()), &self.markers)
    }

    /// Byte span in the answer of the first marker of a citation, where a marker made it.
    #[must_use]
    pub fn marker_span(&self, citation: &Citation<'c>) -> Option<Range<usize>> {
        citation.markers.first().and_then(|&index| self.markers.get(index as usize)).map(|marker| marker.span.clone())
    }
}
