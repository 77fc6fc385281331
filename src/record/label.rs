//! From outcomes to a label (SPEC 5.4).

use crate::check::{Check, Defect, Family, Outcome, Severity};
use crate::dataset::Label;
use crate::rules::policy::{Mode, Rule};

/// A claim's label, who decided it, and what is suspected where nothing could.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision<'p> {
    /// The label.
    pub label: Label,
    /// Who decided.
    pub decided_by: Decider<'p>,
    /// What the strongest triage finding suspects; only where the label is undecided.
    pub suspected: Option<Label>,
}

/// Who decided a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decider<'p> {
    /// A reviewer.
    Review,
    /// A citation resolves to nothing.
    Integrity,
    /// The rule with this id.
    Rule(&'p str),
    /// Nobody.
    Nobody,
}

/// What one rule on a claim came to, as far as the label is concerned.
#[derive(Debug, Clone, Copy)]
pub struct Verdict<'p> {
    /// The rule.
    pub rule: &'p Rule,
    /// Its outcome on the claim.
    pub outcome: Outcome,
    /// Its strongest final implication.
    pub is_final: Option<Defect>,
    /// Its strongest triage implication.
    pub triage: Option<Defect>,
}

/// State of a claim's citations.
#[derive(Debug, Clone, Copy)]
pub struct Citations<'p> {
    /// Whether any citation resolves to nothing.
    pub any_unresolved: bool,
    /// The rule that withheld every unit, where none may be read.
    pub unreadable: Option<&'p str>,
}

/// Strength of an implication among support rules: contradicted over insufficient over partial.
fn stronger<'p>(best: Option<(Defect, &'p str)>, next: (Defect, &'p str)) -> Option<(Defect, &'p str)> {
    match best {
        Some(best) if best.0 >= next.0 => Some(best),
        _ => Some(next),
    }
}

/// The label of a cited verifiable claim: the first of SPEC 5.4 that applies. `reviewed` is the label of the decision
/// that holds for the claim and its evidence. Judges come in between once they are attached; rules that only observe never count; rules that are notes never find a defect and never
/// block, but may establish support, and where nothing is decided their suspicions count.
#[must_use]
pub fn decide<'p>(reviewed: Option<Label>, citations: Citations<'p>, verdicts: &[Verdict<'p>]) -> Decision<'p> {
    if let Some(label) = reviewed {
        return Decision { label, decided_by: Decider::Review, suspected: None };
    }
    if citations.any_unresolved {
        return Decision { label: Label::Unresolved, decided_by: Decider::Integrity, suspected: None };
    }
    if let Some(rule) = citations.unreadable {
        return Decision { label: Label::Unreadable, decided_by: Decider::Rule(rule), suspected: None };
    }
    let enforced = || verdicts.iter().filter(|v| v.rule.mode == Mode::Enforce);
    let counting = || enforced().filter(|v| v.rule.severity > Severity::Note);
    let found = counting().filter_map(|v| v.is_final.map(|defect| (defect, v.rule.id.as_str())));
    if let Some((defect, rule)) = found.fold(None, stronger) {
        return Decision { label: defect.label(), decided_by: Decider::Rule(rule), suspected: None };
    }
    let blocked = counting().any(|v| blocks(v.rule) && matches!(v.outcome, Outcome::Fail | Outcome::Broken));
    let established = enforced().find(|v| v.rule.establishes_support && v.outcome == Outcome::Pass);
    match established {
        Some(v) if !blocked => {
            Decision { label: Label::Supported, decided_by: Decider::Rule(&v.rule.id), suspected: None }
        }
        _ => Decision {
            label: Label::Undecided,
            decided_by: Decider::Nobody,
            suspected: enforced().filter_map(|v| v.triage).max_by_key(|defect| *defect).map(Defect::label),
        },
    }
}

/// Whether a failure of the rule keeps a claim from being called supported: support rules do, except the one that
/// compares with people's labels, those that only annotate what others found, and those that establish support themselves (their failure establishes nothing, and
/// their passing sibling is not contradicted by it).
fn blocks(rule: &Rule) -> bool {
    let judges = !matches!(rule.check, Check::Label(_) | Check::Annotation(_));
    rule.family() == Family::Support && judges && !rule.establishes_support
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reviewer_decides_before_everything() {
        let sound = Citations { any_unresolved: false, unreadable: None };
        let broken = Citations { any_unresolved: true, unreadable: Some("scope") };
        for citations in [sound, broken] {
            let decision = decide(Some(Label::Partial), citations, &[]);
            let expected = Decision { label: Label::Partial, decided_by: Decider::Review, suspected: None };
            assert_eq!(decision, expected);
        }
        assert_eq!(decide(None, broken, &[]).decided_by, Decider::Integrity);
        assert_eq!(decide(None, sound, &[]).decided_by, Decider::Nobody);
    }
}
