//! From what is written to what is evaluated: every value is checked, every name resolved, every pattern compiled.

mod bound;
mod claims;
mod condition;
mod example;
mod gate;
mod markers;
mod message;
mod own_gate;
mod rule;
mod settings;
mod slice;
mod target;
mod words;

use std::collections::HashMap;
use std::sync::Arc;

pub(super) use bound::read as bound;

use super::digest;
use super::policy::{Dimension, Gate, Mode, Policy, Rule};
use super::section::Sections;
use crate::check::Severity;
use crate::diagnostic::{Problem, Problems, Span, code, quoted};
use crate::text::Lexicons;
use crate::yaml::Located;

/// Compiles all sections. Gives a policy only where nothing at all is wrong.
pub(super) fn policy(files: Vec<String>, sections: &Sections, problems: &mut Problems) -> Option<Policy> {
    let lexicons = words::lexicons(sections, problems);
    let markers = markers::markers(sections, problems);
    let claims = claims::claims(sections, problems);
    let mut dimensions = slice::dimensions(sections, problems);
    // With broken lexicons the rules are still checked, on the shipped ones.
    let stand_in = lexicons.clone().or_else(|| Lexicons::shipped().ok())?;
    let (rules, examples) = rule::rules(sections, &dimensions, &stand_in, problems);
    let gates = gate::gates(sections, &mut dimensions, &rules, problems);
    let limits = settings::limits(sections, problems);
    let owners = settings::owners(sections, problems);
    let settings = settings::settings(sections, problems);
    let mut idle = settings::idle(sections, problems);
    idle.extend(toothless(&rules, &gates));
    if rules.is_empty() && problems.is_empty() {
        let problem = Problem::new(code::EMPTY, "the policy has no rule");
        let problem = match sections.first {
            Some(start) => problem.at(start).label("no file has a section `rules`"),
            None => problem,
        };
        problems.push(problem.help("add a rule, such as `rules: [{ id: unknown-source, check: resolves }]`"));
    }
    if !problems.is_empty() {
        return None;
    }
    let mut policy = Policy {
        files,
        digest: digest::whole(sections),
        evaluation_digest: digest::evaluation(sections),
        gates_digest: digest::gates(sections),
        markers,
        default_language: claims.language.clone(),
        claims,
        lexicons: Arc::new(lexicons?),
        rules,
        slices: dimensions.list,
        gates,
        limits,
        owners,
        examples,
        settings,
        idle,
    };
    // Under a key the values are written once it is there.
    if policy.settings.redact.hash_key_env.is_none() {
        policy.write_slices();
    }
    Some(policy)
}

/// A sentence on a policy that no release can fail, whatever it holds.
fn toothless(rules: &[Rule], gates: &[Gate]) -> Vec<String> {
    let mut sentences = Vec::new();
    if !gates.is_empty() && gates.iter().all(|gate| gate.severity != Severity::Error) {
        let place = gates.first().map(|gate| gate.place.as_str()).unwrap_or_default();
        sentences.push(format!("No gate can fail the run: every gate is of severity `warning` or `note` ({place})."));
    }
    if !rules.is_empty() && rules.iter().all(|rule| rule.mode == Mode::Observe) {
        let place = rules.first().map(|rule| rule.place.as_str()).unwrap_or_default();
        sentences.push(format!("No rule counts: every rule has `mode: observe` ({place})."));
    }
    sentences
}

/// The declared dimensions, by position and by id.
#[derive(Default)]
pub(super) struct Dimensions {
    pub(super) list: Vec<Dimension>,
    by_id: HashMap<String, usize>,
    /// Which dimensions an answer decides, by position.
    of_answer: Vec<bool>,
}

/// The ids of one section: notes where each stands and reports what is wrong with one.
pub(super) struct Ids {
    what: &'static str,
    seen: HashMap<String, Span>,
}

impl Ids {
    pub(super) fn of(what: &'static str) -> Self {
        Self { what, seen: HashMap::new() }
    }

    /// Whether something has this id.
    pub(super) fn has(&self, id: &str) -> bool {
        self.seen.contains_key(id)
    }

    /// Whether the id is sound and new.
    pub(super) fn add(&mut self, id: &Located<String>, problems: &mut Problems) -> bool {
        const LONGEST: usize = 80;
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let sound = id.starts_with(|c: char| c.is_ascii_alphanumeric()) && id.chars().all(allowed);
        if !sound || id.len() > LONGEST {
            let problem = Problem::new(code::BAD_ID, format!("{} cannot be an id", quoted(id))).at(id.span);
            problems.push(
                problem
                    .label("an id is letters a-z and A-Z, digits, `-`, `_` and `.`, and begins with a letter or digit")
                    .help_if(repaired(id).map(|id| format!("did you mean `{id}`?"))),
            );
            return false;
        }
        match self.seen.get(&id.value) {
            Some(first) => {
                problems.push(
                    Problem::new(code::DUPLICATE_ID, format!("two {} have the id `{}`", self.what, id.value))
                        .at(id.span)
                        .label("the second one")
                        .and(*first, "the first one")
                        .help("rename or remove one of the two"),
                );
                false
            }
            None => {
                self.seen.insert(id.value.clone(), id.span);
                true
            }
        }
    }
}

/// An id made of a text that is none, where that leaves anything.
fn repaired(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty()).collect();
    let id = parts.join("-");
    (!id.is_empty() && id.len() <= 40).then_some(id)
}

/// Where something stands as `file:line`.
pub(super) fn place(span: Span, problems: &Problems) -> String {
    let location = problems.location(&Problem::new(code::SYNTAX, "").at(span));
    location.rsplit_once(':').map_or(location.clone(), |(place, _)| place.to_owned())
}
