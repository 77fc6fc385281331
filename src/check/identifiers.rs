//! `identifiers`: every address, version, standard, code and name with digits of the claim is in the evidence it cites.

use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;

use super::facts::{self, Fact, Words};
use super::{Code, Fault, Stage, Check, ClaimText, Defect, Family, Finding, Judgement, Kind, Passage, Place, SupportCheck, expression};
use crate::diagnostic::{Problem, code};
use crate::text::identifier::IdentifierKind;
use crate::text::identifier::compare::{Aligned, compare};
use crate::text::name::{self, Vocabulary};
use crate::text::outcome::{Outcome, Weight};
use crate::text::quantity::compare::affordable;
use crate::text::word::{folded, tokens};
use crate::text::{Analysis, Lexicons, Span};
use crate::yaml::Located;

/// Every address, version, standard, code and name with digits of the claim is in the cited evidence.
///
/// Such as web and e-mail addresses, ISO 27001, CVE-2024-1234, Python 3.11, a DOI, `/etc/hosts`, `--dry-run`, COVID-19 and B-52.
///
/// A claim about version 3.2 does not rest on a passage about version 2.9, and an address that stands in no source is one that
/// nobody vouches for. What is the same compares as the same: addresses without scheme, `www.`, a final slash, needless percent signs and
/// the fragment, a host in letters or in Punycode; ISO/IEC 27001 and ISO 27001; `Art. 17` and `Article 17`; `doi:10.…` and its address.
/// A claim may be coarser where nothing else can be meant (a host for a page on it, a standard without its edition). Version 1.2 for
/// 1.2.0 and an address with a plus tag are open. Titles, addresses and versions of the cited units count as evidence; of a name, one
/// word suffices.
///
/// Names without digits are looked for too: a claim about one town does not rest on a passage about another. Words with a capital inside a
/// sentence are names, in languages that do not give one to every noun; titles ("President") and words for a people before a noun
/// ("Spanish") are not. Another form of the word, another spelling ("Köln", "Koeln") or its initials will do, and so will a title or
/// the user's own question.
///
/// Options: `patterns`, a list of regular expressions for identifiers of your own (`'T-\d+'`); they compare without case. `names`
/// (default `true`): whether names without digits are looked for.
///
/// Subject: a claim with the passages it cites. Where exactly one other identifier of the same family (another version of the product,
/// another RFC, another path on the host, another match of your pattern) stands in the sentence about the same thing, and not as a bound
/// ("3.9 or later"), that is `identifier-conflicting`, which implies `contradicted`. Else each identifier that is not found gives one
/// `identifier-absent`, which implies `partial` where another identifier of the claim was found, else `insufficient`; one that may be the
/// same gives `identifier-ambiguous`, always triage. Addresses, versions, standards, ids, paths, flags and your own patterns decide;
/// references, codes and names are triage. A name without digits that is not found gives a
/// `name-absent`, always triage.
/// The score is identifiers found / identifiers, without those names. Not applicable to claims without an identifier whose names are found.
///
/// ```yaml
/// - id: identifier-not-in-evidence
///   check: { identifiers: { patterns: ['\bT-\d+\b'] } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Regular expressions for further identifiers.
    pub patterns: Option<Located<Vec<Located<String>>>>,
    /// Whether names without digits are looked for.
    #[serde(default = "yes")]
    pub names: bool,
}

const fn yes() -> bool {
    true
}

/// The kind.
pub struct Identifiers {
    patterns: Vec<Regex>,
    names: bool,
}

const NAME_ABSENT: &str = "name-absent";

const WORDS: Words =
    Words { conflicting: "identifier-conflicting", absent: "identifier-absent", ambiguous: "identifier-ambiguous" };

impl Kind for Identifiers {
    const NAME: &'static str = "identifiers";
    const FAMILY: Family = Family::Support;
    const CODES: &'static [Code] = &[
        Code::new(WORDS.conflicting, "the evidence has another identifier of the same family in its place", Fault::Lacking { nowhere: Some(Stage::Generation), and: ", and the cited passage says something else" }),
        Code::new(WORDS.absent, "the evidence does not have the identifier", Fault::Lacking { nowhere: Some(Stage::Retrieval), and: "" }),
        Code::new(WORDS.ambiguous, "the evidence has an identifier that may be the same, or not", Fault::Lacking { nowhere: None, and: " for certain, and whether the cited passage does cannot be decided" }),
        Code::new(NAME_ABSENT, "the evidence does not have a word of the name", Fault::open("a name is not looked for in the rest of the packet")),
    ];
    const VARIABLES: &'static [&'static str] = facts::VARIABLES;
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut patterns = Vec::new();
        if let Some(written) = options.patterns {
            if written.is_empty() {
                let problem = Problem::new(code::EMPTY, "`patterns` is empty").at(written.span);
                problems.push(problem.label("expected at least one regular expression"));
            }
            for pattern in &written.value {
                match expression::compiled("patterns", pattern, true) {
                    Ok(pattern) => patterns.push(pattern),
                    Err(problem) => problems.push(problem),
                }
            }
        }
        if problems.is_empty() { Ok(Check::Support(Box::new(Identifiers { patterns, names: options.names }))) } else { Err(problems) }
    }
}

impl SupportCheck for Identifiers {
    /// A name alone is no fact: what the whole packet is about is named in most of its units.
    fn lacking(&self, finding: &Finding) -> Vec<String> {
        if finding.code == NAME_ABSENT { Vec::new() } else { facts::claimed(finding) }
    }

    fn judge(&self, claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Judgement {
        let mut facts = held(claim, passages, &self.patterns);
        facts.retain(|fact| fact.is_found() || !needs_no_evidence(claim, fact));
        let judgement = facts::judged(claim, passages, &facts, &WORDS);
        let missing = if self.names { missing_names(claim, passages, &facts) } else { Vec::new() };
        if missing.is_empty() {
            return judgement;
        }
        let mut findings = judgement.findings;
        findings.extend(missing.into_iter().map(|span| name_absent(&claim.claim.text, span)));
        let both = Judgement::of(findings).with_matches(judgement.matches);
        judgement.score.map_or(both.clone(), |(found, of)| both.with_score(found, of))
    }
}

/// Whether a fact that is not found may stand without evidence: a name, a place or a code of the user's own question, which the answer
/// only repeats, and a word for the packet itself ("context 2", "source 3").
fn needs_no_evidence(claim: ClaimText<'_>, fact: &Fact) -> bool {
    const OWN: [&str; 30] = [
        "context", "contexts", "source", "sources", "document", "documents", "passage", "passages", "excerpt", "excerpts", "reference",
        "references", "quote", "citation", "kontext", "quelle", "quellen", "dokument", "dokumente", "contexte", "extrait", "fuente",
        "fuentes", "documento", "documentos", "contexto", "fonte", "fontes", "contesto", "bron",
    ];
    if fact.weight == Weight::Final {
        return false;
    }
    let text = claim.claim.text.as_ref();
    let known = claim.analysis.identifiers(text);
    let at = known.partition_point(|known| known.span < fact.span);
    let Some(known) = known.get(at).filter(|known| known.span == fact.span) else { return false };
    let asked = || claim.query.is_some_and(|query| folded(query).contains(folded(known.span.of(text)).as_ref()));
    known.kind == IdentifierKind::Reference && OWN.contains(&known.family.as_ref()) || asked()
}

/// The names of the claim of which neither the passages nor their titles nor the question have a word. None where no passage is in
/// Latin letters: a name looks different in another alphabet.
fn missing_names(claim: ClaimText<'_>, passages: &[Passage<'_>], facts: &[Fact]) -> Vec<Span> {
    /// Pairs of a name and a word that are compared at most; the texts are not the user's own.
    const MOST_PAIRS: usize = 4_000_000;
    let text = claim.claim.text.as_ref();
    let lexicon = claim.analysis.lexicon();
    let mut names = name::names(text, claim.analysis);
    let is_fact = |span: Span| {
        let after = facts.partition_point(|fact| fact.span.start < span.end);
        after.checked_sub(1).and_then(|at| facts.get(at)).is_some_and(|fact| fact.span.overlaps(span))
    };
    names.retain(|name| !is_fact(name.span));
    for passage in passages {
        names.retain(|name| !name.is_among(text, passage.analysis.content_words(passage.text), lexicon));
    }
    let around = passages.iter().flat_map(|passage| {
        let unit = passage.unit;
        [unit.title.as_deref(), unit.canonical_uri.as_deref(), unit.source_id.as_deref()].into_iter().flatten()
    });
    let mut in_latin = false;
    for (at, other) in passages.iter().map(|passage| passage.text).chain(around).chain(claim.query).enumerate() {
        if names.is_empty() {
            break;
        }
        let vocabulary = Vocabulary::read(other, &tokens(other));
        in_latin |= at < passages.len() && vocabulary.has_latin();
        names.truncate(MOST_PAIRS / vocabulary.len().max(1));
        names.retain(|name| !name.is_alluded_to(text, &vocabulary));
    }
    if in_latin { names.into_iter().map(|name| name.span).collect() } else { Vec::new() }
}

fn name_absent(claim: &str, span: Span) -> Finding {
    let claimed = span.of(claim).to_owned();
    let message = format!("the cited evidence does not name “{claimed}”");
    Finding::new(NAME_ABSENT, message)
        .implying(Defect::Insufficient)
        .triage()
        .at(Place::Claim(span.range()))
        .with("claimed", claimed)
        .with("evidence", String::new())
}

/// The identifiers of the claim, held against passages and what is known of their units.
pub(super) fn held(claim: ClaimText<'_>, passages: &[Passage<'_>], patterns: &[Regex]) -> Vec<Fact> {
    let text = claim.claim.text.as_ref();
    let mut declared: Vec<(Span, &Regex)> = patterns
        .iter()
        .flat_map(|pattern| pattern.find_iter(text).map(move |found| (Span::from(found.range()), pattern)))
        .collect();
    declared.sort_by_key(|(span, _)| *span);
    declared.dedup_by(|next, first| next.0.overlaps(first.0));
    let known = claim.analysis.identifiers(text);
    let is_declared = |span: Span| {
        let after = declared.partition_point(|(declared, _)| declared.start < span.end);
        after.checked_sub(1).and_then(|at| declared.get(at)).is_some_and(|(declared, _)| declared.overlaps(span))
    };
    let in_text = |evidence: &str, analysis: &Analysis| -> Vec<Outcome> {
        let outcomes = compare((text, claim.analysis), (evidence, analysis));
        let own = known.iter().zip(outcomes).filter(|(known, _)| !is_declared(known.span)).map(|(_, outcome)| outcome);
        own.chain(in_declared(claim, (evidence, analysis), &declared)).collect()
    };
    let spans = known.iter().map(|known| (known.span, known.weight())).filter(|(span, _)| !is_declared(*span));
    let spans = spans.chain(declared.iter().map(|(span, _)| (*span, Weight::Final)));
    let mut facts = facts::held(spans, passages, |passage| in_text(passage.text, passage.analysis));
    let metadata = passages.iter().flat_map(|passage| {
        let unit = passage.unit;
        [unit.title.as_deref(), unit.canonical_uri.as_deref(), unit.source_version.as_deref()].into_iter().flatten()
    });
    facts::look_in_metadata(&mut facts, metadata, |metadata| {
        in_text(metadata, &Analysis::new(Some(claim.language), claim.lexicons))
    });
    for (fact, known) in facts.iter_mut().zip(known.iter().filter(|known| !is_declared(known.span))) {
        if known.kind == IdentifierKind::Version && !fact.is_found() {
            find_release(fact, &known.canonical, passages);
        }
    }
    facts.sort_by_key(|fact| fact.span);
    facts
}

/// "Version 4.2" on a list of changes: "4.2 (May 2024): …", "## 4.2". At the beginning of a line the number is the version; elsewhere it may be one.
fn find_release(fact: &mut Fact, version: &str, passages: &[Passage<'_>]) {
    let is_part = |c: char| c.is_alphanumeric() || c == '.' || c == '-';
    for (at, passage) in passages.iter().enumerate() {
        let text = passage.text;
        let places = text.match_indices(version).map(|(start, _)| Span::new(start, start + version.len()));
        let whole = |span: &Span| {
            let before = text.get(..span.start).unwrap_or_default();
            let behind = text.get(span.end..).unwrap_or_default().trim_start_matches('.');
            !before.trim_end_matches(['v', 'V']).ends_with(is_part) && !behind.starts_with(is_part)
        };
        let begins = |span: &Span| {
            let before = text.get(..span.start).unwrap_or_default().trim_end_matches([' ', '#', '*', '-', '[', 'v', 'V']);
            before.is_empty() || before.ends_with('\n')
        };
        let places: Vec<Span> = places.filter(whole).collect();
        let Some(first) = places.first() else { continue };
        let begin = places.iter().find(|span| begins(span));
        (fact.outcome, fact.passage) = (begin.map_or(Outcome::Ambiguous(*first), |begin| Outcome::Matched(*begin)), at);
        return;
    }
}

/// What a policy's own patterns matched in the claim, held against a text: without regard to case, not as a part of a longer word or
/// number; another match of the same pattern says something else.
fn in_declared(claim: ClaimText<'_>, evidence: (&str, &Analysis), declared: &[(Span, &Regex)]) -> Vec<Outcome> {
    let text = claim.claim.text.as_ref();
    let most = affordable(evidence);
    let mut aligned = Aligned::new((text, claim.analysis), evidence);
    let one = |(at, (span, pattern)): (usize, &(Span, &Regex))| {
        if at >= most {
            return Outcome::Ambiguous(Span::default());
        }
        if let Some(found) = find_declared(span.of(text), evidence.0) {
            return Outcome::Matched(found);
        }
        let others = pattern.find_iter(evidence.0).map(|found| found.range().into());
        aligned.only(*span, others).map_or(Outcome::Absent, Outcome::Conflicting)
    };
    declared.iter().enumerate().map(one).collect()
}

/// Where the evidence has the text, without regard to case, not as a part of a longer word or number.
fn find_declared(written: &str, evidence: &str) -> Option<Span> {
    let pattern = format!("(?i){}", regex::escape(written));
    let pattern = Regex::new(&pattern).ok()?;
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let whole = |found: &regex::Match<'_>| {
        let before = evidence.get(..found.start()).and_then(|text| text.chars().next_back());
        let after = evidence.get(found.end()..).and_then(|text| text.chars().next());
        edge(before) && edge(after)
    };
    pattern.find_iter(evidence).find(whole).map(|found| found.range().into())
}
