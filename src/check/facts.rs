//! What `numbers`, `dates` and `identifiers` have in common: each fact of a claim is looked for in the passages, and its
//! outcome becomes a finding.

use serde_json::Value;

use super::{ClaimText, Defect, Finding, Judgement, Match, Passage, Place};
use crate::text::outcome::{Outcome, Weight};
use crate::text::{Analysis, Span};

/// The words of one kind of fact.
pub(super) struct Words {
    /// Code where the evidence says something else.
    pub(super) conflicting: &'static str,
    /// Code where the evidence does not say it.
    pub(super) absent: &'static str,
    /// Code where it cannot be decided.
    pub(super) ambiguous: &'static str,
}

/// Names of the values that a finding on a fact has.
pub(super) const VARIABLES: &[&str] = &["claimed", "evidence"];

/// Whether something is so of the question, as far as one is given and short enough to be one.
pub(super) fn in_question(claim: ClaimText<'_>, is_so: impl FnOnce(&str, &Analysis) -> bool) -> bool {
    const LONGEST: usize = 2_000;
    let query = claim.query.filter(|query| query.len() <= LONGEST);
    query.is_some_and(|query| is_so(query, &Analysis::new(Some(claim.language), claim.lexicons)))
}

/// The fact that a finding is on, as the claim writes it.
pub(super) fn claimed(finding: &Finding) -> Vec<String> {
    let claimed = finding.value("claimed").and_then(Value::as_str);
    claimed.filter(|claimed| !claimed.is_empty()).map(str::to_owned).into_iter().collect()
}

/// A fact of the claim and how it fared over all passages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fact {
    /// Where it stands in the claim.
    pub(super) span: Span,
    /// How far it may decide.
    pub(super) weight: Weight,
    /// How it fared.
    pub(super) outcome: Outcome,
    /// The passage that the outcome's span is of.
    pub(super) passage: usize,
    /// Whether a title or other metadata says it, where the passages do not.
    pub(super) in_metadata: bool,
    /// Whether the passage has lost a figure where the outcome's span is, so that nobody can say that it never said this one.
    pub(super) lost: bool,
}

impl Fact {
    /// Whether some passage, or its metadata, says it.
    pub(super) const fn is_found(&self) -> bool {
        matches!(self.outcome, Outcome::Matched(_)) || self.in_metadata
    }
}

/// Holds facts of a claim against passages. `compare` gives the outcome of each fact in one passage, in the order of
/// `facts`.
pub(super) fn held(
    facts: impl Iterator<Item = (Span, Weight)>,
    passages: &[Passage<'_>],
    compare: impl Fn(&Passage<'_>) -> Vec<Outcome>,
) -> Vec<Fact> {
    let absent =
        |(span, weight)| Fact { span, weight, outcome: Outcome::Absent, passage: 0, in_metadata: false, lost: false };
    let mut held: Vec<Fact> = facts.map(absent).collect();
    if held.is_empty() {
        return held;
    }
    for (passage, exposed) in passages.iter().enumerate() {
        for (fact, outcome) in held.iter_mut().zip(compare(exposed)) {
            let better = fact.outcome.or(outcome);
            if better != fact.outcome {
                (fact.outcome, fact.passage) = (better, passage);
            }
        }
    }
    // Where the evidence says another fact of the claim, it says nothing against this one.
    let found: Vec<(usize, Span)> = held
        .iter()
        .filter_map(|fact| match fact.outcome {
            Outcome::Matched(span) => Some((fact.passage, span)),
            _ => None,
        })
        .collect();
    for fact in &mut held {
        if let Outcome::Conflicting(span) = fact.outcome
            && found.iter().any(|(passage, matched)| *passage == fact.passage && matched.overlaps(span))
        {
            fact.outcome = Outcome::Absent;
        }
    }
    held
}

/// Looks for what the passages do not say in `texts` of theirs: titles and other metadata. A text either says a fact or
/// says nothing of it.
pub(super) fn look_in_metadata<'p>(
    facts: &mut [Fact],
    texts: impl Iterator<Item = &'p str>,
    compare: impl Fn(&str) -> Vec<Outcome>,
) {
    if facts.iter().all(Fact::is_found) {
        return;
    }
    for text in texts {
        for (fact, outcome) in facts.iter_mut().zip(compare(text)) {
            fact.in_metadata |= matches!(outcome, Outcome::Matched(_));
        }
    }
}

/// How a fact of the claim, and a span of a passage (by its index), are shown to a person.
pub(super) struct Shown<'f> {
    pub(super) claim: &'f dyn Fn(Span) -> String,
    pub(super) evidence: &'f dyn Fn(usize, Span) -> String,
}

/// The judgement on facts of a claim, which are shown as they are written.
pub(super) fn judged(claim: ClaimText<'_>, passages: &[Passage<'_>], facts: &[Fact], words: &Words) -> Judgement {
    let shown = Shown {
        claim: &|span| span.of(&claim.claim.text).to_owned(),
        evidence: &|passage, span| passages.get(passage).map_or("", |passage| span.of(passage.text)).to_owned(),
    };
    judged_as(facts, words, &shown)
}

/// The judgement on facts of a claim: conflicting facts contradict; an absent one leaves the claim partly supported where
/// another fact was found, else unsupported.
pub(super) fn judged_as(facts: &[Fact], words: &Words, shown: &Shown<'_>) -> Judgement {
    if facts.is_empty() {
        return Judgement::irrelevant();
    }
    let found = facts.iter().filter(|fact| fact.is_found()).count();
    let missing = if found > 0 { Defect::Partial } else { Defect::Insufficient };
    let mut findings = Vec::new();
    let mut matches = Vec::new();
    for fact in facts {
        if let Some(span) = fact.outcome.span() {
            let conflicting = matches!(fact.outcome, Outcome::Conflicting(_)) && !fact.in_metadata;
            matches.push(Match {
                claim: Some(fact.span.range()),
                passage: fact.passage,
                span: span.range(),
                conflicting,
            });
        }
        if fact.is_found() {
            continue;
        }
        let claimed = (shown.claim)(fact.span);
        let says = |span: Span| (shown.evidence)(fact.passage, span);
        let (finding, evidence) = match fact.outcome {
            Outcome::Conflicting(span) => {
                let message = format!("the claim says “{claimed}”, the cited evidence says “{}”", says(span));
                (Finding::new(words.conflicting, message).implying(Defect::Contradicted), says(span))
            }
            Outcome::Ambiguous(span) => {
                let message = if says(span).is_empty() {
                    format!("the cited passage is too long to look for “{claimed}” in all of it")
                } else if fact.lost {
                    format!(
                        "the cited passage has lost a figure at “{}”: whether it said “{claimed}” cannot be decided",
                        says(span)
                    )
                } else if says(span) == claimed {
                    format!("the cited evidence has “{claimed}”, but whether it means the same there cannot be decided")
                } else {
                    format!("whether “{}” in the cited evidence says “{claimed}” cannot be decided", says(span))
                };
                (Finding::new(words.ambiguous, message).implying(Defect::Insufficient).triage(), says(span))
            }
            Outcome::Absent | Outcome::Matched(_) => (
                Finding::new(words.absent, format!("the cited evidence does not say “{claimed}”")).implying(missing),
                String::new(),
            ),
        };
        let finding = finding.at(Place::Claim(fact.span.range())).with("claimed", claimed).with("evidence", evidence);
        findings.push(if fact.weight == Weight::Triage { finding.triage() } else { finding });
    }
    Judgement::of(findings).with_matches(matches).with_score(found as u64, facts.len() as u64)
}
