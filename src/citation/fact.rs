//! Whether a sentence that cites states a fact, so that it is judged whatever its form (SPEC 5.3).

use super::claim::Words;
use super::identity::folded;
use crate::dataset::Unit;
use crate::text::outcome::{Outcome, Weight};
use crate::text::quantity::{self, Comparison, Form, Quantity};
use crate::text::{Analysis, Span, date};

/// The facts of a text.
pub(super) struct Facts<'t> {
    text: &'t str,
    analysis: Analysis,
}

impl<'t> Facts<'t> {
    pub(super) fn of(text: &'t str, words: Words<'_>) -> Self {
        Self { text, analysis: Analysis::new(Some(words.language), words.lexicons) }
    }

    /// Figures that are more than "one of them" or "the first".
    fn quantities(&self) -> impl Iterator<Item = &Quantity> {
        let quantities = self.analysis.quantities(self.text).iter();
        let is_figure = |quantity: &Quantity| quantity.span.of(self.text).contains(|c: char| c.is_numeric());
        quantities.filter(move |quantity| {
            quantity.weight() == Weight::Final || (quantity.form != Form::Ordinal && is_figure(quantity))
        })
    }

    fn dates(&self) -> impl Iterator<Item = Span> {
        self.analysis.dates(self.text).iter().filter(|date| date.weight() == Weight::Final).map(|date| date.span)
    }

    fn identifiers(&self) -> impl Iterator<Item = Span> {
        let identifiers = self.analysis.identifiers(self.text).iter();
        identifiers.filter(|identifier| identifier.weight() == Weight::Final).map(|identifier| identifier.span)
    }

    fn quotations(&self) -> impl Iterator<Item = Span> {
        self.analysis
            .quotations(self.text)
            .iter()
            .filter(|quotation| quotation.is_final())
            .map(|quotation| quotation.span)
    }

    /// Whether there is any.
    pub(super) fn any(&self) -> bool {
        self.quantities().next().is_some()
            || self.dates().chain(self.identifiers()).chain(self.quotations()).next().is_some()
    }

    /// Whether a refusal, said at byte `at`, says more than that there is no answer: a fact behind its clause, or a measure. The facts of the
    /// question do not count: "The documents do not mention a price for 30 users."
    pub(super) fn beside_a_refusal(&self, at: usize, query: Option<&str>, words: Words<'_>) -> bool {
        let asked = Facts::of(query.unwrap_or_default(), words);
        let compare = |own: &Outcome| matches!(own, Outcome::Matched(_));
        let texts = ((self.text, &self.analysis), (asked.text, &asked.analysis));
        let quantities = quantity::compare::compare(texts.0, texts.1, &Comparison::default());
        let known = self.analysis.quantities(self.text).iter().zip(quantities).filter(|(_, outcome)| compare(outcome));
        let known_dates = self.analysis.dates(self.text).iter().zip(date::compare_retold(texts.0, texts.1));
        let asked_spans: Vec<Span> = known
            .map(|(quantity, _)| quantity.span)
            .chain(known_dates.filter(|(_, outcome)| compare(outcome)).map(|(date, _)| date.span))
            .collect();
        let is_asked = |span: Span| {
            asked_spans.contains(&span) || folded(asked.text).contains(folded(span.of(self.text)).as_ref())
        };
        let clause =
            self.text.get(at..).and_then(|rest| rest.find(ENDS_A_CLAUSE)).map_or(self.text.len(), |end| at + end);
        let behind = |span: Span| span.start >= clause && !is_asked(span);
        let measured = |quantity: &Quantity| is_measured(quantity) && !is_asked(quantity.span);
        self.quantities().any(|quantity| behind(quantity.span) || measured(quantity))
            || self.dates().chain(self.identifiers()).chain(self.quotations()).any(behind)
    }

    /// Whether a line of a list of sources says more than which source it is. Years, versions, pages, addresses and whatever the `units` that
    /// it names have in title, version or address say no more.
    pub(super) fn beside_a_source(&self, units: &[&Unit<'_>]) -> bool {
        let names = |unit: &&Unit<'_>, fact: &str| {
            let metadata = [&unit.title, &unit.source_version, &unit.canonical_uri, &unit.source_id, &unit.source_type];
            metadata.into_iter().flatten().any(|known| folded(known).contains(fact))
        };
        let is_known = |span: Span| {
            let fact = folded(span.of(self.text));
            units.iter().any(|unit| names(unit, fact.as_ref()))
        };
        let tells = |span: Span| self.segment(span).is_a_statement() && !is_known(span);
        let quoted = |span: Span| {
            let quoted = span.of(self.text);
            let closes = quoted.trim_end_matches(['"', '”', '“', '»', '’', '\'']).ends_with(['.', '。', '!']);
            closes && Segment::of(quoted).lower >= FEW && !is_known(span)
        };
        self.quantities().any(|quantity| match is_measured(quantity) {
            true => !(is_known(quantity.span) || is_a_size(quantity) && self.segment(quantity.span).is_alone()),
            false => tells(quantity.span),
        }) || self.dates().any(tells)
            || self.quotations().any(quoted)
    }

    /// What stands around a fact, between the signs that part the pieces of an entry.
    fn segment(&self, span: Span) -> Segment {
        let (before, behind) =
            (self.text.get(..span.start).unwrap_or_default(), self.text.get(span.end..).unwrap_or_default());
        let parts = |text: &str, at: usize, sign: &str| {
            PARTS.contains(&sign.chars().next().unwrap_or(' '))
                || (sign == "."
                    && text.get(at + 1..).is_none_or(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace)))
        };
        let signs = |c: char| PARTS.contains(&c) || c == '.';
        let start = before.rmatch_indices(signs).find(|(at, sign)| parts(self.text, *at, sign));
        let end = behind.match_indices(signs).find(|(at, sign)| parts(behind, *at, sign));
        let from = start.map_or(0, |(at, sign)| at + sign.len());
        let to = end.map_or(behind.len(), |(at, _)| at);
        let around = [before.get(from..), behind.get(..to)].map(Option::unwrap_or_default);
        let [left, right] = around.map(Segment::of);
        Segment { lower: left.lower + right.lower, other: left.other + right.other }
    }
}

/// Words in lower case that make a title unlikely.
const FEW: usize = 3;

/// Signs that part the pieces of a bibliographic entry.
const PARTS: [char; 12] = [',', ';', ':', '(', ')', '|', '—', '–', '，', '、', '：', '（'];

/// Signs that may end the clause of a refusal.
const ENDS_A_CLAUSE: [char; 10] = [',', ';', ':', '—', '–', '，', '、', '；', '：', '('];

/// The words around a fact.
struct Segment {
    /// Those that begin with a small letter.
    lower: usize,
    /// Those that begin with a capital.
    other: usize,
}

impl Segment {
    fn of(text: &str) -> Self {
        let firsts = || text.split_whitespace().filter_map(|word| word.chars().find(|c| c.is_alphabetic()));
        let lower = firsts().filter(|first| first.is_lowercase()).count();
        Self { lower, other: firsts().count() - lower }
    }

    /// Whether the fact stands in a sentence: "The law took effect in 2009", and not "Annual Report 2009".
    const fn is_a_statement(&self) -> bool {
        self.lower >= FEW && self.other > 0
    }

    /// Whether the fact stands alone between two signs.
    const fn is_alone(&self) -> bool {
        self.lower + self.other == 0
    }
}

/// Whether a quantity may be the size of a file: "Export Guide (PDF, 2 MB)".
fn is_a_size(quantity: &Quantity) -> bool {
    quantity.per.is_none() && quantity.unit.as_ref().is_some_and(|unit| unit.dimension.as_ref() == "data")
}

/// Whether a quantity has a unit, a currency, a percent sign or a scale word.
fn is_measured(quantity: &Quantity) -> bool {
    quantity.weight() == Weight::Final && (quantity.unit.is_some() || quantity.per.is_some() || quantity.scaled)
}
