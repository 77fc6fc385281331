//! Rules.

use super::{Dimensions, Ids, condition, example, message, place};
use crate::check::{self, Check, Family, KINDS, KindEntry};
use crate::diagnostic::{Problem, Problems, Span, code, did_you_mean, quoted};
use crate::rules::metric::Level;
use crate::rules::policy::{Combine, Example, MessageTemplate, Mode, OnMissing, Rule, When};
use crate::rules::section::Sections;
use crate::rules::written::{self, CombineWord, ModeWord, OnMissingWord};
use crate::text::Lexicons;
use crate::yaml::{self, Choice, Located, Node};

/// Compiles the section `rules`. A rule with a problem is left out.
pub(super) fn rules(
    sections: &Sections,
    dimensions: &Dimensions,
    lexicons: &Lexicons,
    problems: &mut Problems,
) -> (Vec<Rule>, Vec<Example>) {
    let mut ids = Ids::of("rules");
    let mut rules = Vec::new();
    let mut examples = Vec::new();
    let mut annotated = Vec::new();
    for node in sections.nodes("rules") {
        // The check is compiled whatever is wrong with the rest, and the other way round.
        let (kind, check) = compile_check(node, lexicons, problems);
        let written: written::Rule = match yaml::decode(node) {
            Ok(written) => written,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        let sound = ids.add(&written.id, problems);
        let level = check.as_ref().map_or(Level::Citation, level_of);
        let when = written.when.as_ref();
        let when =
            when.map_or_else(When::default, |when| condition::condition(when, level, Some(dimensions), problems));
        let message = kind.and_then(|kind| message::template(written.message.as_ref()?, kind, problems));
        if let (Some(kind), Some(check), true) = (kind, check, sound) {
            only_for_support(&written, kind, &check, problems);
            annotated.extend(annotated_rules(&check));
            let index = rules.len();
            rules.push(rule(&written, kind, check, when, message, problems));
            example::examples(&written, index, rules.last(), problems, &mut examples);
        }
    }
    known_rules(&annotated, &ids, &rules, problems);
    (rules, examples)
}

/// The ids of rules that a rule says it annotates.
fn annotated_rules(check: &Check) -> Vec<Located<String>> {
    match check {
        Check::Annotation(check) => check.of().to_vec(),
        _ => Vec::new(),
    }
}

/// Reports ids of rules that are not there, and of rules in whose findings there is nothing to annotate.
fn known_rules(annotated: &[Located<String>], ids: &Ids, rules: &[Rule], problems: &mut Problems) {
    for id in annotated {
        if !ids.has(id) {
            let problem = Problem::new(code::UNKNOWN_NAME, format!("no rule has the id {}", quoted(id)));
            let support = rules.iter().filter(|rule| matches!(rule.check, Check::Support(_)));
            let help = did_you_mean(id, support.map(|rule| rule.id.as_str()));
            problems.push(problem.at(id.span).label("not in this policy").help_if(help));
        } else if let Some(rule) =
            rules.iter().find(|rule| rule.id == id.value && !matches!(rule.check, Check::Support(_)))
        {
            let problem = Problem::new(code::NO_EFFECT, format!("`{}` has no findings on facts", rule.id));
            let label = format!("`{}` does not read the cited passages", rule.kind.name);
            problems.push(problem.at(id.span).label(label).help("delete it"));
        }
    }
}

fn compile_check(
    node: &Node,
    lexicons: &Lexicons,
    problems: &mut Problems,
) -> (Option<&'static KindEntry>, Option<Check>) {
    // Without a `check` the decoder reports the missing key.
    let Some(entry) = node.get("check") else { return (None, None) };
    let choice = match yaml::choice(&entry.value, "a kind of check") {
        Ok(choice) => choice,
        Err(problem) => {
            problems.push(problem);
            return (None, None);
        }
    };
    let Some(kind) = check::kind(choice.word) else {
        problems.push(unknown_kind(choice));
        return (None, None);
    };
    match choice.with_options(|options| (kind.compile)(options, lexicons)) {
        Ok(check) => (Some(kind), Some(check)),
        Err(found) => {
            let fallback = choice.options.map_or(choice.span, |options| options.span);
            for problem in found {
                problems.push(problem.at_default(fallback));
            }
            (Some(kind), None)
        }
    }
}

fn unknown_kind(choice: Choice<'_>) -> Problem {
    let problem = Problem::new(code::UNKNOWN_NAME, format!("{} is not a kind of check", quoted(choice.word)));
    let problem = problem.at(choice.span).label("no check has this name");
    match did_you_mean(choice.word, KINDS.iter().map(|kind| kind.name)) {
        Some(help) if help.starts_with("did you mean") => problem.help(help),
        _ if choice.word == "kind" => problem.help("the kind itself is the key: `check: { id-range: { … } }`"),
        _ => problem.help("`citeward rules` lists all kinds"),
    }
}

fn rule(
    written: &written::Rule,
    kind: &'static KindEntry,
    check: Check,
    when: When,
    message: Option<MessageTemplate>,
    problems: &Problems,
) -> Rule {
    Rule {
        id: written.id.value.clone(),
        description: written.description.clone(),
        place: place(written.id.span, problems),
        kind,
        check,
        severity: written.severity.unwrap_or(kind.severity),
        mode: match written.mode {
            Some(ModeWord::Observe) => Mode::Observe,
            Some(ModeWord::Enforce) | None => Mode::Enforce,
        },
        when,
        on_missing: match written.on_missing.as_ref().map(|word| word.value) {
            Some(OnMissingWord::Broken) => OnMissing::Broken,
            Some(OnMissingWord::Fail) => OnMissing::Fail,
            Some(OnMissingWord::NotApplicable) | None => OnMissing::NotApplicable,
        },
        combine: match written.combine.as_ref().map(|word| word.value) {
            Some(CombineWord::Any) => Combine::Any,
            Some(CombineWord::All) => Combine::All,
            Some(CombineWord::Union) | None => Combine::Union,
        },
        implies: written.implies.as_ref().map(|defect| defect.value),
        is_final: written.is_final.as_ref().map(|is_final| is_final.value),
        establishes_support: written.establishes.is_some(),
        message,
    }
}

/// At which level a check judges.
pub(super) fn level_of(check: &Check) -> Level {
    match check {
        Check::Case(_) => Level::Case,
        Check::Claim(_) | Check::Support(_) | Check::Annotation(_) | Check::Label(_) => Level::Claim,
        Check::Citation(_) => Level::Citation,
    }
}

/// Reports settings that only rules on the support of a claim may have.
fn only_for_support(written: &written::Rule, kind: &KindEntry, check: &Check, problems: &mut Problems) {
    let labels = kind.family == Family::Support && matches!(check, Check::Support(_) | Check::Claim(_));
    let reads = matches!(check, Check::Support(_));
    let combines = matches!(check, Check::Support(check) if !check.compares_passages());
    let given: [(&str, Option<Span>, bool); 4] = [
        ("implies", written.implies.as_ref().map(|implies| implies.span), labels),
        ("final", written.is_final.as_ref().map(|is_final| is_final.span), labels),
        ("establishes", written.establishes.as_ref().map(|establishes| establishes.span), reads),
        ("combine", written.combine.as_ref().map(|combine| combine.span), combines),
    ];
    for (name, span, allowed) in given {
        if let Some(span) = span
            && !allowed
        {
            let why = match kind.family {
                Family::Integrity => "is about the citation, not about what it supports",
                Family::Coverage => "is about whether there is a citation, not about what it supports",
                Family::Support if reads => "always reads the cited passages together",
                Family::Support if matches!(check, Check::Annotation(_)) => "only says more of what other rules found",
                Family::Support => "does not read the cited passages",
            };
            let problem = Problem::new(code::NO_EFFECT, format!("`{name}` has no effect on `{}`", kind.name)).at(span);
            problems.push(problem.label(format!("`{}` {why}", kind.name)).help("delete it"));
        }
    }
}
