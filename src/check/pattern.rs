//! `pattern`: a text must, or must not, match a regular expression.

use std::fmt;

use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};

use super::{Code, Fault, Stage, Told, 
    CaseCheck, Check, ClaimCheck, ClaimText, Family, Finding, Judgement, Kind, Match, Passage, Place, SupportCheck,
    expression,
};
use crate::citation::{Claim, Packet};
use crate::diagnostic::{Problem, code};
use crate::text::Lexicons;
use crate::yaml::Located;

/// The answer, the claim or the cited evidence matches, or does not match, a regular expression.
///
/// The simplest rule there is: words that no answer may use, a disclaimer that every answer of one kind must carry, a phrase
/// that marks a passage as a draft.
///
/// Options: `on`: `answer`, `claim` or `evidence`; `must` and `must_not`: one expression or a list of them, at least one in all.
/// Every `must` has to match and no `must_not` may. On evidence, a `must` is met where any cited passage matches, and a
/// `must_not` is broken where any does. Expressions run in linear time, are case-sensitive unless they begin with `(?i)`, and
/// see the text as it is in the data.
///
/// Subject: a case (`on: answer`), a claim (`on: claim`), or a claim with the passages it cites (`on: evidence`). Fails
/// with `pattern-missing` or `pattern-forbidden`. Implies nothing for the label unless the rule says `implies`.
///
/// ```yaml
/// - id: promises-a-result
///   check: { pattern: { on: answer, must_not: '(?i)\bguaranteed? to work\b' } }
/// - id: rests-on-a-draft
///   check: { pattern: { on: evidence, must_not: '^DRAFT' } }
///   implies: insufficient
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// What is matched.
    pub on: On,
    /// Expressions that must match.
    pub must: Option<Located<Patterns>>,
    /// Expressions that must not match.
    pub must_not: Option<Located<Patterns>>,
}

/// What is matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum On {
    /// The answer, with its markers.
    Answer,
    /// The claim's text.
    Claim,
    /// The passages that the claim cites.
    Evidence,
}

/// One expression or a list of them.
#[derive(Debug, Clone)]
pub struct Patterns(Vec<Located<String>>);

impl JsonSchema for Patterns {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Patterns".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let one = serde_json::json!({ "type": "string", "format": "regex", "minLength": 1 });
        schemars::json_schema!({ "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }] })
    }
}

impl<'de> Deserialize<'de> for Patterns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PatternsVisitor)
    }
}

struct PatternsVisitor;

impl<'de> Visitor<'de> for PatternsVisitor {
    type Value = Patterns;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a regular expression or a list of them")
    }

    fn visit_str<E>(self, text: &str) -> Result<Patterns, E> {
        Ok(Patterns(vec![Located::nowhere(text.to_owned())]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Patterns, A::Error> {
        let mut patterns = Vec::new();
        while let Some(pattern) = items.next_element()? {
            patterns.push(pattern);
        }
        Ok(Patterns(patterns))
    }
}

/// The kind.
pub struct Pattern {
    on: On,
    must: Vec<Regex>,
    must_not: Vec<Regex>,
}

impl Kind for Pattern {
    const NAME: &'static str = "pattern";
    const FAMILY: Family = Family::Support;
    const CODES: &'static [Code] = &[
        Code::new("pattern-missing", "a text does not match what it must", Fault::Text { written: Told::at(Stage::Generation, "the answer does not say what it must"), read: Told::open("whether another unit has what the rule asks for is not looked into") }),
        Code::new("pattern-forbidden", "a text matches what it must not", Fault::Text { written: Told::at(Stage::Generation, "the answer says what it must not"), read: Told::at(Stage::Retrieval, "retrieval returned a passage that no claim may rest on") }),
    ];
    const VARIABLES: &'static [&'static str] = &["pattern", "found"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        let mut problems = Vec::new();
        let must = all_compiled("must", options.must, &mut problems);
        let must_not = all_compiled("must_not", options.must_not, &mut problems);
        if must.is_empty() && must_not.is_empty() && problems.is_empty() {
            problems.push(
                Problem::new(code::MISSING_KEY, "`pattern` without a pattern")
                    .label("found neither `must` nor `must_not`, expected at least one of them"),
            );
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let pattern = Box::new(Pattern { on: options.on, must, must_not });
        Ok(match options.on {
            On::Answer => Check::Case(pattern),
            On::Claim => Check::Claim(pattern),
            On::Evidence => Check::Support(pattern),
        })
    }
}

fn all_compiled(key: &str, written: Option<Located<Patterns>>, problems: &mut Vec<Problem>) -> Vec<Regex> {
    let Some(Located { value: Patterns(patterns), span }) = written else { return Vec::new() };
    if patterns.is_empty() {
        problems.push(
            Problem::new(code::EMPTY, format!("`{key}` is empty"))
                .at(span)
                .label("expected at least one regular expression"),
        );
    }
    let mut expressions = Vec::new();
    for mut pattern in patterns {
        // A pattern that stands alone has the place of its key's value.
        if pattern.span == crate::diagnostic::Span::default() {
            pattern.span = span;
        }
        match expression::compiled(key, &pattern, false) {
            Ok(expression) => expressions.push(expression),
            Err(problem) => problems.push(problem),
        }
    }
    expressions
}

impl Pattern {
    fn name(&self) -> &'static str {
        match self.on {
            On::Answer => "the answer",
            On::Claim => "the claim",
            On::Evidence => "the cited evidence",
        }
    }

    /// Judges the texts together: what must match may be in any, what must not match may be in none. `place` says where a
    /// byte span of a text stands.
    fn judge_texts(&self, texts: &[&str], place: impl Fn(std::ops::Range<usize>) -> Place) -> Judgement {
        let mut findings = Vec::new();
        let mut matches = Vec::new();
        let mut note = |passage, span, conflicting| matches.push(Match { claim: None, passage, span, conflicting });
        let first =
            |pattern: &Regex| texts.iter().enumerate().find_map(|(index, text)| Some((index, pattern.find(text)?)));
        for pattern in &self.must {
            match first(pattern) {
                Some((index, found)) => note(index, found.range(), false),
                None => {
                    let message = format!("{} does not match `{pattern}`", self.name());
                    let finding = Finding::new("pattern-missing", message).with("pattern", pattern.as_str());
                    findings.push(finding.with("found", ""));
                }
            }
        }
        for pattern in &self.must_not {
            if let Some((index, found)) = first(pattern) {
                note(index, found.range(), true);
                let message =
                    format!("{} says “{}”, which matches the forbidden `{pattern}`", self.name(), found.as_str());
                let finding = Finding::new("pattern-forbidden", message).at(place(found.range()));
                findings.push(finding.with("pattern", pattern.as_str()).with("found", found.as_str()));
            }
        }
        Judgement::of(findings).with_matches(matches)
    }
}

impl CaseCheck for Pattern {
    fn judge(&self, packet: &Packet<'_>) -> Judgement {
        match packet.case.answer.as_deref() {
            Some(answer) => self.judge_texts(&[answer], Place::Answer).with_matches(Vec::new()),
            None => Judgement::missing("answer"),
        }
    }
}

impl ClaimCheck for Pattern {
    fn judge(&self, _: &Packet<'_>, claim: &Claim<'_>, _: ClaimText<'_>) -> Judgement {
        self.judge_texts(&[&claim.text], Place::Claim).with_matches(Vec::new())
    }
}

impl SupportCheck for Pattern {
    fn judge(&self, _: ClaimText<'_>, passages: &[Passage<'_>]) -> Judgement {
        let texts: Vec<&str> = passages.iter().map(|passage| passage.text).collect();
        self.judge_texts(&texts, |_| Place::Subject)
    }
}
