//! Runs the examples that rules carry: a rule proves itself where it is written.

use super::cache::Cache;
use super::evaluate::{Evaluator, EvidenceMode, Records};
use crate::check::{Check, Outcome};
use crate::citation::Packet;
use crate::dataset::{Line, Options, read};
use crate::diagnostic::{Problem, Problems, code};
use crate::rules::Policy;
use crate::rules::policy::Example;

/// Runs every example of the policy and gives those that do not come out as they say, each at its own place.
#[must_use]
pub fn run_all(policy: &Policy) -> Problems {
    let mut problems = Problems::new();
    for example in &policy.examples {
        if let Err(problem) = run(policy, example) {
            problems.push(problem);
        }
    }
    problems
}

/// Runs one example. Only its own rule is evaluated, as if the example lay in the slices that the rule asks for; all
/// rules are where the rule judges the label that the others lead to, or annotates what they find.
fn run(policy: &Policy, example: &Example) -> Result<(), Problem> {
    let (file, line) = example.place.rsplit_once(':').unwrap_or((&example.place, "1"));
    let line = Line { file, file_index: 0, number: line.parse().unwrap_or(1) };
    let Some(rule) = policy.rules.get(example.rule) else { return Ok(()) };
    let text = example.case.to_string();
    let case = read::line(text.as_bytes(), line, &Options::default()).map_err(|problems| {
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        line.place(Problem::new(
            code::BAD_EXAMPLE,
            format!("the example of `{}` is no case: {}", rule.id, said.join("; ")),
        ))
    })?;
    let packet = Packet::build(&case, &policy.markers, &policy.claims, &policy.lexicons);
    let evaluator = match rule.check {
        Check::Label(_) | Check::Annotation(_) => Evaluator::new(policy, EvidenceMode::HashOnly).without_redaction(),
        _ => Evaluator::for_rule(policy, example.rule),
    };
    let records = evaluator.evaluate(&packet, file, String::new(), &mut Cache::default());
    let outcome = outcome_of(&records, &rule.id);
    let wanted = if example.pass { Outcome::Pass } else { Outcome::Fail };
    if outcome == wanted {
        return Ok(());
    }
    let said: Vec<&str> = records
        .claims
        .iter()
        .flat_map(|claim| &claim.findings)
        .chain(&records.case.findings)
        .map(|f| &*f.message)
        .collect();
    let help = if said.is_empty() {
        "make the example one that the rule decides, or mend the rule".to_owned()
    } else {
        format!("the rule says: {}", said.join("; "))
    };
    let problem =
        Problem::new(code::EXAMPLE_FAILED, format!("an example of `{}` does not come out as it says", rule.id))
            .found(word(outcome), word(wanted))
            .help(help);
    Err(line.place(problem))
}

/// The worst outcome of the rule anywhere in the records; not applicable where it decided nothing.
fn outcome_of(records: &Records<'_>, rule: &str) -> Outcome {
    let of_case = records.case.outcomes.iter().chain(records.case.citations.iter().flat_map(|c| &c.outcomes));
    let of_claims = records.claims.iter().flat_map(|claim| &claim.outcomes);
    let outcomes: Vec<Outcome> = of_case.chain(of_claims).filter(|o| o.rule == rule).map(|o| o.outcome).collect();
    [Outcome::Fail, Outcome::Broken, Outcome::Pass]
        .into_iter()
        .find(|outcome| outcomes.contains(outcome))
        .unwrap_or(Outcome::NotApplicable)
}

const fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "pass",
        Outcome::Fail => "fail",
        Outcome::NotApplicable => "not applicable",
        Outcome::Broken => "broken",
    }
}
