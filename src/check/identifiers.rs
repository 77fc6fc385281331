//! `identifiers`: every address, version, standard, code and name with digits of the claim is in the evidence it cites.

use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;

use super::facts::{self, Fact, Words};
use super::{Check, ClaimText, Defect, Family, Finding, Judgement, Kind, Passage, Place, SupportCheck, expression};
use crate::diagnostic::{Problem, code};
use crate::text::identifier::{Identifier, IdentifierKind};
use crate::text::name::{self, Vocabulary};
use crate::text::quantity::compare::affordable;
use crate::text::outcome::{Outcome, Weight};
use crate::text::word::{TokenKind, folded, tokens};
use crate::text::{Analysis, Lexicons, Span};
use crate::yaml::Located;

/// Every address, version, standard, code and name with digits of the claim is in the cited evidence.
///
/// Such as web and e-mail addresses, ISO 27001, Python 3.11, COVID-19 and B-52.
///
/// A claim about version 3.2 does not rest on a passage about version 2.9, and an address that stands in no source is one that
/// nobody vouches for. Identifiers compare without case, spaces and dashes, addresses without their scheme. Titles, addresses and
/// versions of the cited units count as evidence; of a name, one word suffices.
///
/// Names without digits are looked for too: a claim about one town does not rest on a passage about another. Words with a capital inside a
/// sentence are names, in languages that do not give one to every noun. Another form of the word ("Spain", "Spanish") or its initials
/// will do, and so will a title or the user's own question.
///
/// Options: `patterns`, a list of regular expressions for identifiers of your own (`'T-\d+'`); they compare without case. `names`
/// (default `true`): whether names without digits are looked for.
///
/// Subject: a claim with the passages it cites. Each identifier that is not found gives one `identifier-absent`, which implies
/// `partial` where another identifier of the claim was found, else `insufficient`. Addresses, versions, standards and your own
/// patterns decide; references, codes and names are triage. A name without digits that is not found gives a `name-absent`, always triage.
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
    Words { conflicting: "identifier-absent", absent: "identifier-absent", ambiguous: "identifier-absent" };

impl Kind for Identifiers {
    const NAME: &'static str = "identifiers";
    const FAMILY: Family = Family::Support;
    const CODES: &'static [(&'static str, &'static str)] = &[
        (WORDS.absent, "the evidence does not have the identifier"),
        (NAME_ABSENT, "the evidence does not have a word of the name"),
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
        let facts = held(claim, passages, &self.patterns);
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

/// The names of the claim of which neither the passages nor their titles nor the question have a word.
fn missing_names(claim: ClaimText<'_>, passages: &[Passage<'_>], facts: &[Fact]) -> Vec<Span> {
    let text = claim.claim.text.as_ref();
    let lexicon = claim.analysis.lexicon();
    let mut names = name::names(text, claim.analysis);
    names.retain(|name| !facts.iter().any(|fact| fact.span.overlaps(name.span)));
    for passage in passages {
        names.retain(|name| !name.is_among(text, passage.analysis.content_words(passage.text), lexicon));
    }
    let around = passages.iter().flat_map(|passage| {
        let unit = passage.unit;
        [unit.title.as_deref(), unit.canonical_uri.as_deref(), unit.source_id.as_deref()].into_iter().flatten()
    });
    let texts = passages.iter().map(|passage| passage.text).chain(around).chain(claim.query);
    for other in texts {
        if names.is_empty() {
            break;
        }
        let vocabulary = Vocabulary::read(other, &tokens(other));
        names.retain(|name| !name.is_alluded_to(text, &vocabulary));
    }
    names.into_iter().map(|name| name.span).collect()
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

/// What is looked for.
enum Wanted<'p> {
    /// An identifier that the text layer reads.
    Known(&'p Identifier),
    /// What a pattern of the policy matched.
    Declared(&'p str),
}

/// The identifiers of the claim, held against passages and what is known of their units.
pub(super) fn held(claim: ClaimText<'_>, passages: &[Passage<'_>], patterns: &[Regex]) -> Vec<Fact> {
    let text = claim.claim.text.as_ref();
    let declared: Vec<Span> =
        patterns.iter().flat_map(|pattern| pattern.find_iter(text).map(|found| found.range().into())).collect();
    let known =
        claim.analysis.identifiers(text).iter().filter(|known| !declared.iter().any(|d| d.overlaps(known.span)));
    let mut wanted: Vec<(Span, Weight, Wanted<'_>)> =
        known.map(|identifier| (identifier.span, identifier.weight(), Wanted::Known(identifier))).collect();
    wanted.extend(declared.iter().map(|span| (*span, Weight::Final, Wanted::Declared(span.of(text)))));
    wanted.sort_by_key(|(span, ..)| *span);
    wanted.dedup_by(|next, first| next.0.overlaps(first.0));
    let in_text = |evidence: &str, analysis: &Analysis| -> Vec<Outcome> {
        let find = |wanted: &Wanted<'_>| match wanted {
            Wanted::Known(identifier) => find_known(identifier, text, evidence, analysis),
            Wanted::Declared(written) => find_declared(written, evidence),
        };
        let most = affordable((evidence, analysis));
        let each = |(at, (.., wanted)): (usize, &(Span, Weight, Wanted<'_>))| match at < most {
            true => find(wanted).map_or(Outcome::Absent, Outcome::Matched),
            false => Outcome::Ambiguous(Span::default()),
        };
        wanted.iter().enumerate().map(each).collect()
    };
    let spans = wanted.iter().map(|(span, weight, _)| (*span, *weight));
    let mut facts = facts::held(spans, passages, |passage| in_text(passage.text, passage.analysis));
    let metadata = passages.iter().flat_map(|passage| {
        let unit = passage.unit;
        [unit.title.as_deref(), unit.canonical_uri.as_deref(), unit.source_version.as_deref()].into_iter().flatten()
    });
    facts::look_in_metadata(&mut facts, metadata, |metadata| {
        in_text(metadata, &Analysis::new(Some(claim.language), claim.lexicons))
    });
    facts
}

/// Where the evidence has the identifier: as one of its own, or, for what is no address, as its words.
fn find_known(wanted: &Identifier, claim: &str, evidence: &str, analysis: &Analysis) -> Option<Span> {
    let same = |other: &&Identifier| {
        let alike = other.kind == wanted.kind || !is_address(other.kind) && !is_address(wanted.kind);
        alike && other.canonical == wanted.canonical
    };
    if let Some(found) = analysis.identifiers(evidence).iter().find(same) {
        return Some(found.span);
    }
    // A version alone is as good as one with a name before it, and a source that names itself by its version says so bare.
    if wanted.kind == IdentifierKind::Version && folded(evidence).trim_start_matches('v') == wanted.canonical.as_ref() {
        return Some(Span::new(0, evidence.len()));
    }
    if wanted.kind != IdentifierKind::Name {
        return None;
    }
    let written = wanted.span.of(claim);
    let words: Vec<_> = tokens(written)
        .into_iter()
        .filter(|token| token.kind == TokenKind::Word && token.span.of(written).chars().nth(1).is_some())
        .map(|token| folded(token.span.of(written)))
        .collect();
    let is_named = |token: &&crate::text::word::Token| {
        token.kind == TokenKind::Word && words.contains(&folded(token.span.of(evidence)))
    };
    analysis.tokens(evidence).iter().find(is_named).map(|token| token.span)
}

const fn is_address(kind: IdentifierKind) -> bool {
    matches!(kind, IdentifierKind::Url | IdentifierKind::Email)
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
