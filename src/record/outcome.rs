//! From a check's judgement to a rule's outcome: what is missing, how bad a finding is, what it says to a person.

use std::borrow::Cow;

use minijinja::{Environment, UndefinedBehavior};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::evaluate::EvidenceMode;
use super::{FindingRecord, OutcomeRecord, Text, stage};
use crate::check::{Absence, Certainty, Check, Defect, Family, Finding, Judgement, Outcome, Place, Severity};
use crate::rules::Policy;
use crate::rules::policy::{Mode, OnMissing, Rule};
use crate::text::digest::hexadecimal;

/// Code of the finding where a rule says `on_missing: fail`.
pub const DATA_MISSING: &str = "data-missing";

/// Why a support rule broke on a claim: a unit that it cites has nothing to read.
pub const NO_CONTENT: &str = "the cited unit has no content";

/// Work that one message template may do before it is stopped.
const MESSAGE_FUEL: u64 = 50_000;

/// Findings of one rule on one subject that are recorded, beside the heaviest of the rest.
const MOST_FINDINGS: usize = 200;

/// A rule's outcome on one subject.
#[derive(Debug, Clone)]
pub struct Ruled<'a> {
    /// The rule.
    pub rule: &'a Rule,
    /// How it came out, `on_missing` taken into account.
    pub outcome: Outcome,
    /// The measured score.
    pub score: Option<(u64, u64)>,
    /// Why it has nothing to say or could not be evaluated, where that is known.
    pub because: Option<Text<'a>>,
    /// What is wrong, in words.
    pub findings: Vec<FindingRecord<'a>>,
}

impl<'a> Ruled<'a> {
    /// The strongest implication of its findings at one certainty.
    #[must_use]
    pub fn implied(&self, certainty: Certainty) -> Option<Defect> {
        let of_certainty = self.findings.iter().filter(|finding| finding.certainty == certainty);
        of_certainty.filter_map(|finding| finding.implies).max()
    }

    /// The outcome as it stands in a record.
    #[must_use]
    pub fn record(&self) -> OutcomeRecord<'a> {
        OutcomeRecord { because: self.because.clone(), ..outcome_record(self.rule, self.outcome, self.score) }
    }

    /// Whether it is a failure that counts against the integrity of a citation.
    #[must_use]
    pub fn breaks_integrity(&self) -> bool {
        self.rule.family() == Family::Integrity
            && self.rule.mode == Mode::Enforce
            && self.rule.severity > Severity::Note
            && self.outcome == Outcome::Fail
    }
}

fn outcome_record<'a>(rule: &'a Rule, outcome: Outcome, score: Option<(u64, u64)>) -> OutcomeRecord<'a> {
    #[allow(clippy::cast_precision_loss, reason = "shown only; tallies use the exact ratio")]
    let score = score.filter(|&(_, d)| d > 0).map(|(n, d)| n as f64 / d as f64);
    OutcomeRecord { rule: Cow::Borrowed(&rule.id), outcome, score, because: None }
}

/// The outcome of a support rule on one pair alone, `on_missing` taken into account; `None` where it does not apply. What
/// it found is said of the claim, not of the pair.
#[must_use]
pub fn on_pair<'a>(rule: &'a Rule, judgement: &Judgement) -> Option<OutcomeRecord<'a>> {
    let is_missing = matches!(judgement.absence, Some(Absence::Missing(_)));
    let (outcome, score) = match rule.on_missing {
        OnMissing::Broken if is_missing => (Outcome::Broken, None),
        OnMissing::Fail if is_missing => (Outcome::Fail, None),
        _ => (judgement.outcome, judgement.score),
    };
    (outcome != Outcome::NotApplicable).then(|| outcome_record(rule, outcome, score))
}

/// What a finding is about, for its message and its fingerprint.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// Id of the case.
    pub case_id: &'a str,
    /// Id of the claim, where there is one.
    pub claim_id: &'a str,
    /// Text of the claim, where there is one.
    pub claim: &'a str,
    /// Id of the citation, where there is one.
    pub citation: Option<&'a str>,
    /// Whether that citation resolves to a unit of the packet.
    pub resolved: bool,
}

/// The messages of a policy's rules, compiled.
#[derive(Debug)]
pub struct Messages {
    templates: Environment<'static>,
    evidence: EvidenceMode,
}

impl Messages {
    /// Compiles the messages; `evidence` is what of passages they may quote. A template was already checked when the rules were read; one that is refused here all
    /// the same leaves its rule with the message of its kind.
    #[must_use]
    pub fn new(policy: &Policy, evidence: EvidenceMode) -> Self {
        let mut templates = Environment::new();
        templates.set_undefined_behavior(UndefinedBehavior::Strict);
        templates.set_fuel(Some(MESSAGE_FUEL));
        for rule in &policy.rules {
            if let Some(message) = &rule.message {
                let _ = templates.add_template_owned(rule.id.clone(), message.0.clone());
            }
        }
        Self { templates, evidence }
    }

    /// What a finding says to a person. Where passages must not leave, a check that reads them says only what its code
    /// means: its own words, and a rule's, may quote them.
    fn of(&self, rule: &Rule, about: About<'_>, finding: &Finding) -> String {
        let quotes = rule.family() == Family::Support && !matches!(rule.check, Check::Label(_) | Check::Annotation(_));
        if quotes && self.evidence == EvidenceMode::HashOnly {
            if let Some(unquoted) = &finding.unquoted {
                return unquoted.clone();
            }
            let meaning = rule.kind.codes.iter().find(|code| code.name == finding.code);
            if let Some(code) = meaning {
                return code.meaning.to_owned();
            }
        }
        self.render(rule, about, finding).unwrap_or_else(|| finding.message.clone())
    }

    fn render(&self, rule: &Rule, about: About<'_>, finding: &Finding) -> Option<String> {
        rule.message.as_ref()?;
        let template = self.templates.get_template(&rule.id).ok()?;
        let mut context = Map::new();
        let mut put = |name: &str, value: Value| context.insert(name.to_owned(), value);
        put("message", Value::from(finding.message.as_str()));
        put("code", Value::from(finding.code));
        put("case_id", Value::from(about.case_id));
        put("claim_id", Value::from(about.claim_id));
        put("claim", Value::from(about.claim));
        put("id", Value::from(about.citation.unwrap_or_default()));
        for (name, value) in &finding.values {
            put(name, value.clone());
        }
        template.render(minijinja::Value::from(minijinja::value::Serde(&context))).ok()
    }
}

/// Turns what a check said of a subject into the rule's outcome there.
#[must_use]
pub fn ruled<'a>(rule: &'a Rule, judgement: Judgement, about: About<'a>, messages: &Messages) -> Ruled<'a> {
    let because = because(&judgement);
    let judgement = with_missing_data(rule, judgement);
    let findings = bounded(judgement.findings).map(|finding| recorded(rule, finding, about, messages)).collect();
    Ruled { rule, outcome: judgement.outcome, score: judgement.score, because, findings }
}

/// Why a check has nothing to say of its subject or broke; nothing where the subject just holds nothing that it looks at.
fn because(judgement: &Judgement) -> Option<Text<'static>> {
    match (&judgement.absence, &judgement.reason) {
        (_, Some(reason)) => Some(Cow::Owned(reason.clone())),
        (Some(Absence::Missing(field)), None) => Some(Cow::Owned(format!("the data has no `{field}`"))),
        (Some(Absence::Excluded), None) => Some(Cow::Borrowed("its `when` does not hold")),
        (Some(Absence::Irrelevant) | None, None) => None,
    }
}

/// The first findings, and of those behind them the one that weighs heaviest: a hostile claim of a megabyte has as many facts, and
/// each finding is hashed and rendered with the claim's text.
fn bounded(mut findings: Vec<Finding>) -> impl Iterator<Item = Finding> {
    let rest = findings.split_off(findings.len().min(MOST_FINDINGS));
    let weight = |finding: &Finding| (finding.certainty == Certainty::Final, finding.implies);
    let heaviest = rest.into_iter().reduce(|most, next| if weight(&next) > weight(&most) { next } else { most });
    findings.into_iter().chain(heaviest)
}

/// Applies the rule's `on_missing` where the check could not look for want of data.
fn with_missing_data(rule: &Rule, judgement: Judgement) -> Judgement {
    let Some(Absence::Missing(field)) = &judgement.absence else { return judgement };
    match rule.on_missing {
        OnMissing::NotApplicable => judgement,
        OnMissing::Broken => Judgement::broken(),
        OnMissing::Fail => Judgement::of(vec![Finding {
            code: DATA_MISSING,
            certainty: Certainty::Final,
            implies: None,
            message: format!("the data has no `{field}`, which this rule needs"),
            unquoted: None,
            place: Place::Subject,
            values: Vec::new(),
        }]),
    }
}

fn recorded<'a>(rule: &'a Rule, finding: Finding, about: About<'a>, messages: &Messages) -> FindingRecord<'a> {
    let certainty = match rule.is_final {
        Some(true) => Certainty::Final,
        Some(false) => Certainty::Triage,
        None => finding.certainty,
    };
    let severity = if certainty == Certainty::Final { rule.severity } else { rule.severity.min(Severity::Warning) };
    let labels = !matches!(rule.check, Check::Label(_)) && finding.code != DATA_MISSING;
    let implies = if labels { rule.implies.or(finding.implies) } else { None };
    let message = messages.of(rule, about, &finding);
    let fingerprint = fingerprint(rule, finding.code, about, &finding.message);
    let (answer_span, claim_span) = match finding.place {
        Place::Subject => (None, None),
        Place::Answer(span) => (Some((span.start, span.end)), None),
        Place::Claim(span) => (None, Some((span.start, span.end))),
    };
    let told = stage::of_code(rule, finding.code, about);
    FindingRecord {
        rule: Cow::Borrowed(&rule.id),
        code: Text::Borrowed(finding.code),
        severity,
        certainty,
        observed: rule.mode == Mode::Observe,
        implies,
        message: Cow::Owned(message),
        citation: about.citation.map(Cow::Borrowed),
        answer_span,
        claim_span,
        fingerprint: Cow::Owned(fingerprint),
        known: false,
        overturned: false,
        confirmed: false,
        stage: told.stage,
        stage_reason: Cow::Borrowed(told.because),
        annotates: None,
        elsewhere: None,
    }
}

/// Sixteen hexadecimal digits that stay the same from run to run while rule, code, case, claim text, cited id and what
/// was found do; a change of wording of the rule's own message leaves it alone.
fn fingerprint(rule: &Rule, code: &str, about: About<'_>, found: &str) -> String {
    let mut hasher = Sha256::new();
    for part in [rule.id.as_str(), code, about.case_id, about.claim, about.citation.unwrap_or_default(), found] {
        hasher.update(part.len().to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().iter().take(8).map(|byte| hexadecimal(*byte)).collect()
}
