//! `facts-found`: every fact of the claim stands in one excerpt that speaks about the same thing.

mod doubts;
mod exchange;
mod keyed;
mod unspaced;

use exchange::Course;
use schemars::JsonSchema;
use serde::Deserialize;

use super::bound::RatioBound;
use super::conflict::order::{self, Order};
use super::{
    Check, ClaimText, Code, Defect, Family, Fault, Finding, Judgement, Kind, Match, Passage, Severity, SupportCheck, conflict, dates, identifiers,
    numbers, overlap, quotes,
};
use crate::diagnostic::Problem;
use crate::text::outcome::Outcome;
use crate::text::quantity::Comparison;
use crate::text::quotation::Quoting;
use crate::text::word::ContentWords;
use crate::text::{Lexicons, Span};
use crate::yaml::{DecimalText, Located};

/// Every fact of the claim stands in one excerpt that speaks about the same thing.
///
/// The claim carries at least one quantity, date, identifier or quotation, all of them are found in one cited passage, and the
/// sentences they stand in share enough words with the claim.
///
/// The only rule by which words alone can establish support, and a narrow one: what can be proved of the claim is proved, in one
/// place, about the same thing. It understands no sentence: so it does not vouch where
///
/// - the passage gives the value to another: a cell under another row or column, another year, group or thing ("students pay 12, seniors pay 8"), the
///   value that something fell *from*, or where the claim does not tell which of two values is meant (`fact-of-another`);
/// - claim and excerpt differ in a word that denies, limits or turns round ("not", "might", "before" and "after", "on" and "off" between the same
///   words), or run alike but for a word ("on wet roads", "on dry roads");
/// - the excerpt lacks a name, a thing counted or two words of the claim in a row, or has fewer words of its own than the claim;
/// - facts of one kind, or two words around the same others, come in another order ("the seller pays the buyer");
/// - the passage takes it back or marks it ("This is no longer so.", "DRAFT", "imagine"), or counts in thousands where the claim does not;
/// - another cited unit says otherwise (`conflict`), signs that nobody sees or markup inside of words
///   make a text look other than it reads, or no lexicon knows the language.
///
/// In a script without spaces between words, such as those of Japanese and Chinese, one whole sentence has to say what the claim says, in the same characters, but for how a fact is written,
/// a polite ending, and a transition before it. It belongs under `establishes: supported`; a claim that it does not
/// reach is not wrong but open, so it is a note.
///
/// Options: `high` (default 0.5): the least share of the claim's content words that the excerpt must have. The excerpt is the sentences
/// that the facts stand in, and the unit's title. `prefer`: as in `conflict`; where it settles a disagreement of cited units in the claim's favour, that
/// is no doubt.
///
/// Subject: a claim with the passages it cites. Severity `note` unless the rule says otherwise. Fails with `facts-not-together` where
/// no passage has all of the facts, `facts-out-of-context` where the excerpt shares too few words beside the facts themselves, or
/// `facts-in-doubt` and `fact-of-another` where one of the above speaks against it (`doubt` says which). All are triage. `fact-of-another`, and a doubt that
/// shows in the words, imply `contradicted`, so that the claim is suspected and people look at it first; the rest imply nothing. The score is the share of words of the best excerpt. Not applicable to claims without a fact.
///
/// ```yaml
/// - id: facts-found
///   check: facts-found
///   establishes: supported
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Least share of the claim's content words that the excerpt must have.
    pub high: Option<Located<DecimalText>>,
    /// What settles a disagreement of cited units, as in `conflict`: `authority`, `recency`, or both. Default: nothing.
    #[schemars(with = "Option<Vec<Order>>")]
    pub prefer: Option<Located<Vec<Located<String>>>>,
}

/// The kind.
pub struct FactsFound {
    high: RatioBound,
    prefer: Vec<Order>,
}

impl Kind for FactsFound {
    const NAME: &'static str = "facts-found";
    const FAMILY: Family = Family::Support;
    const SEVERITY: Severity = Severity::Note;
    const CODES: &'static [Code] = &[
        Code::new("facts-not-together", "no one passage has all of the claim's facts", Fault::open("the rules on facts say which facts are missing, and where they stand")),
        Code::new("facts-out-of-context", "the sentences that have the claim's facts speak of something else", Fault::open("whether the claim or the citation is wrong cannot be told from its facts")),
        Code::new("fact-of-another", "the passage says the claim's value of something else: another column, year, group or thing", Fault::open("whether the claim or the citation is wrong cannot be told from its facts")),
        Code::new("facts-in-doubt", "the sentences that have the claim's facts may say something else with them", Fault::open("whether the claim is wrong at all cannot be told from its facts")),
    ];
    const VARIABLES: &'static [&'static str] = &["facts", "found", "doubt"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        let mut problems = Vec::new();
        let high = RatioBound::optional("high", options.high.as_ref(), &mut problems);
        let prefer = order::compiled(options.prefer, &mut problems);
        if problems.is_empty() {
            Ok(Check::Support(Box::new(FactsFound { high: high.unwrap_or_else(overlap::default_high), prefer })))
        } else {
            Err(problems)
        }
    }
}

/// The facts of a claim in one passage.
struct Excerpt {
    facts: usize,
    /// Place in the claim and, where it is known, in the passage.
    found: Vec<(Span, Option<Span>)>,
    /// How many of `found`, from its beginning, are quantities, how many dates, how many identifiers; quotations follow.
    kinds: [usize; 3],
}

/// A passage that has all of the facts.
struct Candidate {
    passage: usize,
    excerpt: Excerpt,
    shared: u64,
    /// What the value is about instead.
    strayed: Option<String>,
    doubt: Option<Doubt>,
}

/// A reason not to vouch for a claim whose facts were found.
struct Doubt {
    /// As the end of a sentence.
    said: String,
    /// Whether the claim is likely to be wrong, so that people look at it first.
    suspects: bool,
}

impl SupportCheck for FactsFound {
    fn judge(&self, claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Judgement {
        let words = claim.analysis.content_words(&claim.claim.text);
        let (mut facts, mut most) = (0, 0);
        let mut candidates: Vec<Candidate> = Vec::new();
        for (passage, exposed) in passages.iter().enumerate() {
            let excerpt = excerpt(claim, exposed);
            facts = excerpt.facts;
            most = most.max(excerpt.found.len());
            if facts == 0 {
                return Judgement::irrelevant();
            }
            if excerpt.found.len() < facts {
                continue;
            }
            let context = Context::new(&excerpt, exposed);
            let shared = (doubts::shared_words(claim, &excerpt, &context.words) as u64).min(words.len() as u64);
            let course = Course::new(claim, exposed, &excerpt, &context);
            let strayed = keyed::to_another(claim, exposed, &excerpt, &context, &course);
            let doubt = match strayed {
                None => doubts::first(claim, exposed, &excerpt, &context, &course),
                Some(_) => None,
            };
            candidates.push(Candidate { passage, excerpt, shared, strayed, doubt });
        }
        let values = |finding: Finding, doubt: &str| {
            finding.triage().with("facts", facts).with("found", most).with("doubt", doubt)
        };
        // A passage about the same thing that may say otherwise is not outvoted by one that agrees.
        let total = words.len() as u64;
        let reaches = |shared: u64| total == 0 || self.high.is_reached_by(shared, total);
        // Where another passage has the value with the right words, that one counts.
        if candidates.iter().all(|candidate| candidate.strayed.is_some())
            && let Some(Candidate { strayed: Some(said), shared, .. }) = candidates.first()
        {
            let finding = Finding::new("fact-of-another", format!("the claim's facts are there, but {said}"));
            let finding = values(finding.implying(Defect::Contradicted), said);
            return Judgement::of(vec![finding]).with_score(*shared, total);
        }
        candidates.retain(|candidate| candidate.strayed.is_none());
        let doubtful = candidates.iter().find_map(|candidate| {
            candidate.doubt.as_ref().filter(|_| reaches(candidate.shared)).zip(Some(candidate.shared))
        });
        if let Some((Doubt { said, suspects }, shared)) = doubtful {
            let finding = Finding::new("facts-in-doubt", format!("the claim's facts are there, but {said}"));
            let finding = if *suspects { finding.implying(Defect::Contradicted) } else { finding };
            return Judgement::of(vec![values(finding, said)]).with_score(shared, total);
        }
        let best = candidates.into_iter().reduce(|best, next| if next.shared > best.shared { next } else { best });
        let Some(Candidate { passage, excerpt, shared, .. }) = best else {
            let message = match most {
                0 => "no cited passage has any of the claim's facts".to_owned(),
                _ => format!("no one cited passage has all of the claim's facts: the best has {most} of {facts}"),
            };
            return Judgement::of(vec![values(Finding::new("facts-not-together", message), "")]);
        };
        if !reaches(shared) {
            let message = format!(
                "the sentences that have the claim's facts have {shared} of its {total} content words, less than {} of them",
                self.high
            );
            let finding = values(Finding::new("facts-out-of-context", message), "");
            return Judgement::of(vec![finding]).with_score(shared, total);
        }
        if let Some(other) = conflict::unsettled(claim, passages, &self.prefer).and_then(|pair| {
            let (index, span) = pair.disagrees;
            let passage = passages.get(index)?;
            Some(format!("“{}” says “{}”", passage.unit.id, span.of(passage.text)))
        }) {
            let message = format!("the claim's facts are there, but {other}");
            return Judgement::of(vec![values(Finding::new("facts-in-doubt", message), &other)]).with_score(shared, total);
        }
        let place = |(claim, span): &(Span, Option<Span>)| {
            span.map(|span| Match { claim: Some(claim.range()), passage, span: span.range(), conflicting: false })
        };
        let judgement = Judgement::pass().with_matches(excerpt.found.iter().filter_map(place).collect());
        if total > 0 { judgement.with_score(shared, total) } else { judgement }
    }
}

/// Looks for the claim's facts in one passage and its metadata.
fn excerpt(claim: ClaimText<'_>, passage: &Passage<'_>) -> Excerpt {
    let one = std::slice::from_ref(passage);
    let facts = [
        numbers::held(claim, one, &Comparison::default()),
        dates::held(claim, one),
        identifiers::held(claim, one, &[]),
    ];
    let quoted = quotes::held(claim, one, &Quoting::default());
    let all = quoted.len() + facts.iter().map(Vec::len).sum::<usize>();
    let mut excerpt = Excerpt { facts: all, found: Vec::new(), kinds: [0; 3] };
    for (kind, facts) in excerpt.kinds.iter_mut().zip(&facts) {
        for fact in facts.iter().filter(|fact| fact.is_found()) {
            let span = match fact.outcome {
                Outcome::Matched(span) => Some(span),
                _ => None,
            };
            excerpt.found.push((fact.span, span));
            *kind += 1;
        }
    }
    excerpt.found.extend(quoted.iter().filter_map(|quoted| Some((quoted.quotation.span, Some(quoted.holds()?)))));
    excerpt
}

/// What an excerpt says: the sentences that the facts stand in, and the unit's title.
struct Context {
    /// The sentences, in the passage.
    sentences: Vec<Span>,
    /// The content words of the sentences and the title, and those that head a row or column with a fact.
    words: ContentWords,
    /// The content words of the title.
    title: ContentWords,
}

impl Context {
    fn new(excerpt: &Excerpt, passage: &Passage<'_>) -> Self {
        let title = passage.unit.title.as_deref().unwrap_or_default();
        let title = ContentWords::read(title, passage.analysis.lexicon());
        let mut words = title.clone();
        let mut sentences = Vec::new();
        let all = passage.analysis.sentences(passage.text);
        // The heads of a table say what a cell is about, and state nothing by themselves.
        let tables = passage.analysis.tables(passage.text);
        let heads = tables.iter().filter(|table| excerpt.found.iter().any(|(_, span)| span.is_some_and(|span| {
            table.cell(span).is_some_and(|(row, column)| row > 0 && column > 0)
        })));
        let heads: Vec<Span> = heads.filter_map(|table| table.rows.first()?.first().copied()).collect();
        for (sentence, own) in all.iter().zip(passage.analysis.sentence_words(passage.text)) {
            if heads.iter().any(|head| sentence.span.overlaps(*head)) {
                continue;
            }
            if excerpt.found.iter().any(|(_, span)| span.is_some_and(|span| span.overlaps(sentence.span))) {
                words = words.union(own);
                sentences.push(sentence.span);
            }
        }
        for table in passage.analysis.tables(passage.text) {
            let found = excerpt.found.iter().filter_map(|(_, span)| *span).filter(|span| table.span.contains(*span));
            for (row, column) in found.filter_map(|span| table.cell(span)) {
                let heads = table.column_head(row, column).into_iter().chain(table.shared());
                words = heads.fold(words, |words, head| {
                    words.union(&ContentWords::read(head.of(passage.text), passage.analysis.lexicon()))
                });
            }
        }
        Self { sentences, words, title }
    }

    /// Whether a word stands in the title.
    fn is_titled(&self, word: u64) -> bool {
        self.title.contains(word)
    }
}
