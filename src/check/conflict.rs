//! `conflict`: two units that a claim cites disagree on a quantity or date of it.

pub(super) mod order;

use schemars::JsonSchema;
use serde::Deserialize;

use self::order::Order;
use super::facts::Fact;
use super::{Code, Fault, Stage, 
    Check, ClaimText, Defect, Family, Finding, Judgement, Kind, Match, Passage, Place, Severity, SupportCheck, dates,
    numbers,
};
use crate::diagnostic::Problem;
use crate::text::outcome::Outcome;
use crate::text::quantity::Comparison;
use crate::text::quantity::align::Alignment;
use crate::text::stance::Stance;
use crate::text::word::{ContentWords, TokenKind, content_hash};
use crate::text::{Lexicons, Span};
use crate::yaml::Located;

/// No two units that a claim cites disagree on a quantity or date of the claim.
///
/// A claim that cites two passages, one that says 30 days and one that says 14, passes every rule that asks whether the number is in the
/// evidence: it is. But the reader who follows the second marker finds another answer, and whoever owns the documents has two of them to put
/// right. This kind says so, with both values.
///
/// Two units disagree where one has the claim's value and the other has another value for the same thing. It is certain where each of the two has exactly
/// one value of that kind in the sentence that speaks about the claim, the two sentences are meant alike, and nothing that the claim shares with the one
/// is missing in the other. Where the other sentence lacks a word or two it is a suspicion; where it lacks a name, a number, what the
/// claim begins with, or more, the two speak about different things and nothing is said.
///
/// Options: `prefer`: the order that settles a disagreement, one or both of `authority` (the higher `authority` in the source register, else in the unit)
/// and `recency` (the later `valid_from` in the register, else in the unit; else the later version, where versions are days; of one source the
/// current version over a superseded one). The first that tells the two apart decides. Without it nothing is settled: nobody but the owner knows which document counts.
///
/// Subject: a claim that cites at least two passages, all of them together, whatever `combine` would say. Severity `note` unless the rule says otherwise. One finding for each
/// unit that disagrees:
/// - `units-disagree`, implies nothing: no declared order tells which of the two counts;
/// - `disagreement-settled`, always triage, implies nothing: the unit that counts has the claim's value;
/// - `follows-the-overruled`, implies `contradicted`: the unit that counts says otherwise.
///
/// `facts-found` vouches for no claim whose units disagree, unless its own `prefer` settles it. Not applicable to claims with fewer than two passages, or without a quantity or date.
///
/// ```yaml
/// - id: sources-disagree
///   check: { conflict: { prefer: [authority, recency] } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// What settles a disagreement, `authority` and `recency`, the first that tells the units apart. Default: nothing.
    #[schemars(with = "Option<Vec<Order>>")]
    pub prefer: Option<Located<Vec<Located<String>>>>,
}

/// The kind.
pub struct Conflict {
    prefer: Vec<Order>,
}

const OPEN: &str = "units-disagree";
const SETTLED: &str = "disagreement-settled";
const OVERRULED: &str = "follows-the-overruled";

impl Kind for Conflict {
    const NAME: &'static str = "conflict";
    const FAMILY: Family = Family::Support;
    const SEVERITY: Severity = Severity::Note;
    const CODES: &'static [Code] = &[
        Code::new(OPEN, "two cited units disagree on a value of the claim, and nothing says which counts", Fault::at(Stage::Data, "the corpus says two things")),
        Code::new(SETTLED, "two cited units disagree on a value of the claim, and the one that counts agrees with it", Fault::at(Stage::Data, "the corpus says two things")),
        Code::new(OVERRULED, "two cited units disagree on a value of the claim, and the one that counts says otherwise", Fault::at(Stage::Generation, "the claim follows the unit that does not count")),
    ];
    const VARIABLES: &'static [&'static str] = &["claimed", "agrees", "disagrees", "evidence", "prevails"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        let mut problems = Vec::new();
        let prefer = order::compiled(options.prefer, &mut problems);
        if problems.is_empty() { Ok(Check::Support(Box::new(Conflict { prefer }))) } else { Err(problems) }
    }
}

/// Two passages that disagree on a fact of the claim.
#[derive(Debug, Clone, Copy)]
pub(super) struct Disagreement {
    /// The fact, in the claim.
    pub(super) fact: Span,
    /// The passage that says so (its index), and where.
    pub(super) agrees: (usize, Span),
    /// The passage that says otherwise, and where.
    pub(super) disagrees: (usize, Span),
    /// Whether both surely speak about the same thing.
    pub(super) is_certain: bool,
}

impl SupportCheck for Conflict {
    fn judge(&self, claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Judgement {
        let text = claim.claim.text.as_ref();
        let has_fact = !claim.analysis.quantities(text).is_empty() || !claim.analysis.dates(text).is_empty();
        if passages.len() < 2 || !has_fact {
            return Judgement::irrelevant();
        }
        let mut findings = Vec::new();
        let mut matches = Vec::new();
        for pair in disagreements(claim, passages, &self.prefer) {
            let Some((ours, theirs)) = sides(&pair, passages) else { continue };
            findings.push(self.finding(claim, &pair, ours, theirs));
            for ((passage, span), conflicting) in [(pair.agrees, false), (pair.disagrees, true)] {
                matches.push(Match { claim: Some(pair.fact.range()), passage, span: span.range(), conflicting });
            }
        }
        Judgement::of(findings).with_matches(matches)
    }

    fn compares_passages(&self) -> bool {
        true
    }
}

/// The passages of a disagreement: the one that agrees with the claim, then the other.
fn sides<'a, 'p>(pair: &Disagreement, passages: &'a [Passage<'p>]) -> Option<(&'a Passage<'p>, &'a Passage<'p>)> {
    passages.get(pair.agrees.0).zip(passages.get(pair.disagrees.0))
}

impl Conflict {
    fn finding(&self, claim: ClaimText<'_>, pair: &Disagreement, ours: &Passage<'_>, theirs: &Passage<'_>) -> Finding {
        let claimed = pair.fact.of(&claim.claim.text);
        let (own, other) = (pair.agrees.1.of(ours.text), pair.disagrees.1.of(theirs.text));
        let is_one_source = ours.unit.source_id.is_some() && ours.unit.source_id == theirs.unit.source_id;
        let versions = ours.unit.source_version.as_deref().zip(theirs.unit.source_version.as_deref());
        let versions = versions.filter(|(a, b)| is_one_source && a != b);
        let named = |passage: &Passage<'_>, version: Option<&str>| match version {
            Some(version) => format!("“{}” (version {version})", passage.unit.id),
            None => format!("“{}”", passage.unit.id),
        };
        let (ours_named, theirs_named) =
            (named(ours, versions.map(|(a, _)| a)), named(theirs, versions.map(|(_, b)| b)));
        let what = match (versions.is_some(), is_one_source) {
            (true, _) => "two versions of one source",
            (false, true) => "two passages of one source",
            (false, false) => "two cited units",
        };
        let prevailing = order::prevailing(&self.prefer, ours, theirs);
        let (code, end) = match &prevailing {
            None => (OPEN, String::new()),
            Some(found) if found.first => (SETTLED, format!("; “{}” counts ({})", ours.unit.id, found.why)),
            Some(found) => {
                (OVERRULED, format!("; “{}” counts ({}), and the claim says otherwise", theirs.unit.id, found.why))
            }
        };
        let message = format!("{what} disagree: {ours_named} says “{own}”, {theirs_named} says “{other}”{end}");
        let unquoted = format!("{what} disagree on “{claimed}”: {ours_named} says so, {theirs_named} does not{end}");
        let prevails = prevailing.as_ref().map_or("", |found| if found.first { &ours.unit.id } else { &theirs.unit.id });
        let finding = Finding::new(code, message)
            .unquoted(unquoted)
            .at(Place::Claim(pair.fact.range()))
            .with("claimed", claimed)
            .with("agrees", ours.unit.id.as_ref())
            .with("disagrees", theirs.unit.id.as_ref())
            .with("evidence", other)
            .with("prevails", prevails);
        let finding = if code == OVERRULED { finding.implying(Defect::Contradicted) } else { finding };
        if pair.is_certain && code != SETTLED { finding } else { finding.triage() }
    }
}

/// Whether the first passage of a disagreement, the one that agrees with the claim, is the one that counts; `None` where no order tells.
fn is_settled(pair: &Disagreement, passages: &[Passage<'_>], prefer: &[Order]) -> Option<bool> {
    let (ours, theirs) = sides(pair, passages)?;
    Some(order::prevailing(prefer, ours, theirs)?.first)
}

/// A disagreement that no order settles in the claim's favour.
pub(super) fn unsettled(claim: ClaimText<'_>, passages: &[Passage<'_>], prefer: &[Order]) -> Option<Disagreement> {
    let mut pairs = disagreements(claim, passages, prefer).into_iter();
    pairs.find(|pair| is_settled(pair, passages, prefer) != Some(true))
}

/// The disagreements of passages on the quantities and dates of a claim, in the order of the facts: of the pairs on one fact with one unit that disagrees, the one in
/// which the claim stands best.
fn disagreements(claim: ClaimText<'_>, passages: &[Passage<'_>], prefer: &[Order]) -> Vec<Disagreement> {
    let rank = |pair: &Disagreement| match is_settled(pair, passages, prefer) {
        Some(true) => 0,
        None => 1,
        Some(false) => 2,
    };
    let mut chosen: Vec<Disagreement> = Vec::new();
    for pair in all_pairs(claim, passages) {
        let key = |pair: &Disagreement| (pair.fact, pair.disagrees.0);
        match chosen.iter_mut().find(|known| key(known) == key(&pair)) {
            Some(known) => {
                if (rank(&pair), !pair.is_certain) < (rank(known), !known.is_certain) {
                    *known = pair;
                }
            }
            None => chosen.push(pair),
        }
    }
    chosen
}

/// Every pair of passages that disagrees, by fact. A value that is only rounded is no other value.
fn all_pairs(claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Vec<Disagreement> {
    let text = claim.claim.text.as_ref();
    /// Bytes of a claim that is looked into: thousands of facts are no claim.
    const LONGEST_CLAIM: usize = 20_000;
    if passages.len() < 2 || text.len() > LONGEST_CLAIM {
        return Vec::new();
    }
    let lenient = Comparison { rounding: true, ..Comparison::default() };
    let quantities: Vec<Vec<Fact>> =
        passages.iter().map(|passage| numbers::held(claim, std::slice::from_ref(passage), &lenient)).collect();
    let is_alone = |passage: &Passage<'_>, found: Span, sentence: Span| {
        let inside = || passage.analysis.quantities(passage.text).iter().filter(|q| sentence.contains(q.span));
        let Some(own) = inside().find(|quantity| quantity.span == found) else { return false };
        inside().filter(|other| other.dimension() == own.dimension()).nth(1).is_none()
    };
    let mut pairs = pairs(claim, passages, &quantities, is_alone);
    if !claim.analysis.dates(text).is_empty() {
        let dates: Vec<Vec<Fact>> =
            passages.iter().map(|passage| dates::held(claim, std::slice::from_ref(passage))).collect();
        let is_alone = |passage: &Passage<'_>, _: Span, sentence: Span| {
            let dates = passage.analysis.dates(passage.text);
            dates.iter().filter(|date| sentence.contains(date.span)).nth(1).is_none()
        };
        pairs.extend(self::pairs(claim, passages, &dates, is_alone));
    }
    pairs.sort_by_key(|pair| (pair.fact, pair.disagrees.0, pair.agrees.0));
    pairs
}

/// Pairs of one kind of fact. `held` has the outcomes of the facts by passage; `is_alone` whether a value in a passage is the only one of its kind in a sentence.
fn pairs(
    claim: ClaimText<'_>,
    passages: &[Passage<'_>],
    held: &[Vec<Fact>],
    is_alone: impl Fn(&Passage<'_>, Span, Span) -> bool,
) -> Vec<Disagreement> {
    /// Facts of one claim that are looked into.
    const MOST_FACTS: usize = 100;
    let text = claim.claim.text.as_ref();
    let facts = held.first().map_or(0, Vec::len).min(MOST_FACTS);
    let mut found = Vec::new();
    for at in 0..facts {
        let by_passage = || held.iter().enumerate().filter_map(|(passage, facts)| Some((passage, facts.get(at)?)));
        let otherwise = |fact: &Fact| match fact.outcome {
            Outcome::Conflicting(span) if !fact.in_metadata => Some(span),
            _ => None,
        };
        if by_passage().all(|(_, fact)| otherwise(fact).is_none()) {
            continue;
        }
        let sentence_of = |index: usize, fact: &Fact, span: Span| {
            let passage = passages.get(index)?;
            let alignment = Alignment::new((text, claim.analysis), (passage.text, passage.analysis));
            let sentence = alignment.sentence_for(fact.span).filter(|sentence| sentence.contains(span))?;
            Some((index, passage, span, sentence))
        };
        let agreeing: Vec<_> = by_passage()
            .filter_map(|(index, fact)| match fact.outcome {
                Outcome::Matched(span) => sentence_of(index, fact, span),
                _ => None,
            })
            .filter(|(_, passage, span, sentence)| is_alone(passage, *span, *sentence))
            .collect();
        for (index, fact) in by_passage() {
            let Some(other) = otherwise(fact).and_then(|span| sentence_of(index, fact, span)) else { continue };
            let (_, theirs, their_span, their_sentence) = other;
            found.extend(agreeing.iter().filter_map(|(own, ours, span, sentence)| {
                let is_certain = same_thing(claim, fact.span, (ours, *sentence), (theirs, their_sentence))?;
                let (agrees, disagrees) = ((*own, *span), (index, their_span));
                Some(Disagreement { fact: fact.span, agrees, disagrees, is_certain })
            }));
        }
    }
    found
}

/// Whether two sentences speak about the same thing as far as the claim goes: for sure, perhaps (`false`), or not (`None`).
fn same_thing(
    claim: ClaimText<'_>,
    fact: Span,
    ours: (&Passage<'_>, Span),
    theirs: (&Passage<'_>, Span),
) -> Option<bool> {
    let (text, lexicon) = (claim.claim.text.as_ref(), claim.analysis.lexicon());
    let around = |(passage, sentence): (&Passage<'_>, Span)| {
        let title = passage.unit.title.as_deref().unwrap_or_default();
        ContentWords::read(title, passage.analysis.lexicon())
            .union(&ContentWords::read(sentence.of(passage.text), passage.analysis.lexicon()))
    };
    let (own, other) = (around(ours), around(theirs));
    let tokens = claim.analysis.tokens(text);
    let words = ContentWords::from_tokens(text, tokens, lexicon, |token| !fact.overlaps(token));
    let shared = words.shared_with(&own);
    let shared_by_both = shared + words.shared_with(&other) - words.shared_with(&own.union(&other));
    if shared_by_both == 0 || shared_by_both * 3 < shared * 2 {
        return None;
    }
    let lost = |span: Span| {
        let word = span.of(text);
        content_hash(word, lexicon).is_some_and(|stem| own.contains(stem) && !other.contains(stem))
    };
    let begins: Vec<usize> = claim.analysis.sentences(text).iter().map(|sentence| sentence.span.start).collect();
    let mut first = false;
    for token in tokens.iter().filter(|token| !fact.overlaps(token.span)) {
        first |= begins.contains(&token.span.start);
        let telling = match token.kind {
            TokenKind::Digits => true,
            TokenKind::Word => {
                let word = token.span.of(text);
                let leads = first;
                first &= content_hash(word, lexicon).is_none();
                leads || (!lexicon.nouns_capitalised && word.starts_with(char::is_uppercase))
            }
            TokenKind::Ideograph | TokenKind::Mark | TokenKind::Space => false,
        };
        if telling && lost(token.span) {
            return None;
        }
    }
    let stance = |(passage, sentence): (&Passage<'_>, Span)| Stance::read(passage.text, passage.analysis, &[sentence]);
    let alike = stance(ours).differs_from(&stance(theirs)).is_none();
    Some(shared_by_both == shared && alike)
}
