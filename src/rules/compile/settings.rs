//! The sections that are single maps of settings.

use std::collections::BTreeMap;

use regex::Regex;

use super::bound::{fixed, ratio};
use super::{Ids, gate, place, slice};
use crate::check::Stage;
use crate::diagnostic::{Problem, Problems, Span, code, did_you_mean, is_hidden, one_of, quoted};
use crate::rules::pattern::regex;
use crate::rules::policy::{FieldPath, Limits, Reaction};
use crate::rules::section::Sections;
use crate::rules::settings::{
    Ask, Baseline, Drill, FailOn, Judge, JudgeSource, MARKDOWN_CHARACTERS, OnMismatch, REDACTIONS, Redact, Report,
    Review, Settings,
};
use crate::rules::written;
use crate::text::redact::{Hashing, Pattern, Redactor, Shipped};
use crate::yaml::{self, DecimalText, Located, Node, Value};

/// Compiles the section `limits`.
pub(super) fn limits(sections: &Sections, problems: &mut Problems) -> Limits {
    let written: written::Limits = sections.map("limits", problems);
    let standard = Limits::default();
    let mut limit = |name: &str, written: Option<&Located<u64>>, least: u64, most: u64, standard: usize| {
        let value = within(name, written, least, most, problems).unwrap_or(standard as u64);
        usize::try_from(value).unwrap_or(standard)
    };
    Limits {
        line_bytes: limit("line_bytes", written.line_bytes.as_ref(), 1 << 10, 1 << 30, standard.line_bytes),
        json_depth: limit("json_depth", written.json_depth.as_ref(), 4, 512, standard.json_depth),
        claims_per_case: limit(
            "claims_per_case",
            written.claims_per_case.as_ref(),
            1,
            100_000,
            standard.claims_per_case,
        ),
        citations_per_claim: limit(
            "citations_per_claim",
            written.citations_per_claim.as_ref(),
            1,
            10_000,
            standard.citations_per_claim,
        ),
        findings_per_rule: limit(
            "findings_per_rule",
            written.findings_per_rule.as_ref(),
            1,
            1_000_000,
            standard.findings_per_rule,
        ),
    }
}

/// A whole number in a range; a problem where it lies outside.
fn within(name: &str, written: Option<&Located<u64>>, least: u64, most: u64, problems: &mut Problems) -> Option<u64> {
    let written = written?;
    if !(least..=most).contains(&written.value) {
        let problem = Problem::new(code::WRONG_VALUE, format!("`{name}` is out of range")).at(written.span);
        problems.push(problem.found(written.value, format!("a whole number from {least} to {most}")));
        return None;
    }
    Some(written.value)
}

/// Compiles the section `owners`: a team for each stage.
pub(super) fn owners(sections: &Sections, problems: &mut Problems) -> BTreeMap<Stage, String> {
    let mut owners = BTreeMap::new();
    let Some(Node { value: Value::Map(entries), .. }) = sections.node("owners") else { return owners };
    let names = Stage::ALL.map(Stage::as_str);
    for entry in entries {
        let Some(stage) = Stage::ALL.into_iter().find(|stage| stage.as_str() == entry.key) else {
            let problem = Problem::new(code::UNKNOWN_NAME, format!("there is no stage {}", quoted(&entry.key)));
            problems.push(
                problem
                    .at(entry.key_span)
                    .label(format!("expected {}", one_of(&names)))
                    .help_if(did_you_mean(&entry.key, names).filter(|help| help.starts_with("did you mean"))),
            );
            continue;
        };
        match yaml::decode::<Located<String>>(&entry.value) {
            Ok(team) if team.trim().is_empty() => problems.push(empty_text(entry.key.as_str(), team.span)),
            Ok(team) => {
                owners.insert(stage, team.value);
            }
            Err(problem) => problems.push(problem),
        }
    }
    owners
}

fn empty_text(name: &str, span: Span) -> Problem {
    Problem::new(code::EMPTY, format!("`{name}` is empty")).at(span).found("an empty text", "a name")
}

/// The sections that nothing acts on yet, the most dangerous first, and what that means. What begins to act on one
/// deletes its line.
const IDLE: [(&str, &str); 2] =
    [("judge", "no judge is asked, what the rules leave open stays undecided"), ("drill", "there is no drill")];

/// A sentence for each section that is written and that nothing acts on yet.
pub(super) fn idle(sections: &Sections, problems: &Problems) -> Vec<String> {
    let sentence = |(name, meaning): &(&str, &str)| {
        let place = place(sections.node(name)?.span, problems);
        Some(format!("`{name}` has no effect in this version: {meaning} ({place})."))
    };
    let confidence = match sections.node("review").map(|node| &node.value) {
        Some(Value::Map(entries)) => entries.iter().find(|entry| entry.key == "confidence_below"),
        _ => None,
    };
    let unused = confidence.map(|entry| {
        let place = place(entry.key_span, problems);
        format!("`review: confidence_below` has no effect in this version: no judge is asked ({place}).")
    });
    IDLE.iter().filter_map(sentence).chain(unused).collect()
}

/// Compiles the sections on baseline, judge, review, redaction, report and drill.
pub(super) fn settings(sections: &Sections, problems: &mut Problems) -> Settings {
    Settings {
        baseline: baseline(sections, problems),
        judge: judge(sections, problems),
        review: review(sections, problems),
        redact: redact(sections, problems),
        report: report(sections, problems),
        drill: drill(sections, problems),
    }
}

fn optional_ratio(
    name: &str,
    written: Option<&Located<DecimalText>>,
    problems: &mut Problems,
) -> Option<crate::rules::policy::Bound> {
    written.and_then(|written| ratio(name, written, problems))
}

fn baseline(sections: &Sections, problems: &mut Problems) -> Baseline {
    let written: written::Baseline = sections.map("baseline", problems);
    let mut against: Vec<String> = Vec::new();
    if let Some(words) = &written.against {
        let mut ids = Ids::of("baselines");
        for word in &words.value.0 {
            let span = if word.span == Span::default() { words.span } else { word.span };
            if word.value.0.trim().is_empty() {
                problems.push(empty_text("against", span));
            } else {
                ids.add(&Located { value: word.value.0.clone(), span }, problems);
            }
            against.push(word.value.0.clone());
        }
        if against.is_empty() {
            let problem = Problem::new(code::EMPTY, "`against` names no baseline").at(words.span);
            problems.push(problem.found("an empty list", "at least one name").help("fill the list or delete the key"));
        }
    }
    Baseline {
        against,
        on_mismatch: written.on_mismatch.unwrap_or(OnMismatch::Fail),
        fail_on: written.fail_on.unwrap_or(FailOn::All),
        max_changed_questions: optional_ratio(
            "max_changed_questions",
            written.max_changed_questions.as_ref(),
            problems,
        )
        .unwrap_or_else(|| fixed("0.05", 5, 2)),
        removed_cases: gate::reaction(written.removed_cases, Reaction::Fail),
        place: sections.node("baseline").map(|node| place(node.span, problems)).unwrap_or_default(),
    }
}

fn judge(sections: &Sections, problems: &mut Problems) -> Option<Judge> {
    let node = sections.node("judge")?;
    let written: written::Judge = sections.map("judge", problems);
    let source = judge_source(&written, node.span, problems);
    let text = |text: &Option<Located<String>>| text.as_ref().map(|text| text.value.clone());
    let small = |name, written: Option<&Located<u32>>, least, most, standard, problems: &mut Problems| {
        let wide = written.map(|written| Located { value: u64::from(written.value), span: written.span });
        within(name, wide.as_ref(), least, most, problems)
            .and_then(|value| u32::try_from(value).ok())
            .unwrap_or(standard)
    };
    Some(Judge {
        id: text(&written.id).unwrap_or_else(|| "judge".to_owned()),
        ask: written.ask.unwrap_or(Ask::Undecided),
        partial: written.partial.unwrap_or(false),
        calibration: text(&written.calibration),
        prompt: text(&written.prompt),
        timeout_seconds: within("timeout_seconds", written.timeout_seconds.as_ref(), 1, 3600, problems).unwrap_or(60),
        retries: small("retries", written.retries.as_ref(), 0, 10, 2, problems),
        concurrency: small("concurrency", written.concurrency.as_ref(), 1, 256, 4, problems),
        source: source?,
    })
}

fn judge_source(written: &written::Judge, entry: Span, problems: &mut Problems) -> Option<JudgeSource> {
    let given: Vec<(&str, Span)> = [
        ("labels", written.labels.as_ref().map(|labels| labels.span)),
        ("command", written.command.as_ref().map(|command| command.span)),
        ("http", written.http.as_ref().map(|http| http.span)),
    ]
    .into_iter()
    .filter_map(|(name, span)| span.map(|span| (name, span)))
    .collect();
    if let [(first, _), (second, span), ..] = given.as_slice() {
        let problem =
            Problem::new(code::CONTRADICTION, format!("`{first}` and `{second}` exclude each other")).at(*span);
        problems.push(problem.label(format!("`{first}` is given too")).help("a judge has one source of verdicts"));
        return None;
    }
    if let Some(labels) = &written.labels {
        return Some(JudgeSource::Labels(labels.value.clone()));
    }
    if let Some(command) = &written.command {
        if command.first().is_none_or(|program| program.trim().is_empty()) {
            let problem = Problem::new(code::EMPTY, "`command` names no program").at(command.span);
            problems.push(problem.found("an empty list", "a program and its arguments"));
            return None;
        }
        return Some(JudgeSource::Command(command.value.clone()));
    }
    let Some(http) = &written.http else {
        let problem = Problem::new(code::MISSING_KEY, "the judge has no source of verdicts").at(entry);
        problems.push(problem.label("one of `labels`, `command` and `http` is needed"));
        return None;
    };
    if !is_http(&http.url) {
        problems.push(not_http("`url`", &http.url));
        return None;
    }
    let temperature = http.temperature.as_ref().map_or(0.0, |temperature| temperature.value);
    if let Some(written) = &http.temperature
        && !(0.0..=2.0).contains(&temperature)
    {
        let problem = Problem::new(code::WRONG_VALUE, "`temperature` is out of range").at(written.span);
        problems.push(problem.found(temperature, "a number from 0 to 2"));
    }
    Some(JudgeSource::Http {
        url: http.url.value.clone(),
        model: http.model.value.clone(),
        key_env: http.key_env.as_ref().and_then(|name| variable(name, problems)),
        seed: http.seed,
        temperature,
    })
}

fn is_http(url: &str) -> bool {
    let is_plain = |c: char| !c.is_control() && !c.is_whitespace() && !"<>\"'`\\".contains(c) && !is_hidden(c);
    let has_host = |rest: &str| rest.starts_with(|c: char| c.is_alphanumeric() || c == '[');
    ["https://", "http://"].iter().any(|scheme| url.strip_prefix(scheme).is_some_and(has_host))
        && url.chars().all(is_plain)
}

fn not_http(what: &str, url: &Located<String>) -> Problem {
    let problem = Problem::new(code::WRONG_VALUE, format!("{what} is no address of the web")).at(url.span);
    problem.found(quoted(url), "`https://…` or `http://…`")
}

/// The name of an environment variable. What looks like a secret itself is refused without being shown again.
fn variable(name: &Located<String>, problems: &mut Problems) -> Option<String> {
    let sound = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        && name.len() <= 100;
    if !sound {
        let problem = Problem::new(code::WRONG_VALUE, "this is no name of an environment variable").at(name.span);
        problems.push(
            problem
                .label("expected capital letters, digits and `_`")
                .help("secrets stand in the environment; the file names the variable only"),
        );
        return None;
    }
    Some(name.value.clone())
}

fn review(sections: &Sections, problems: &mut Problems) -> Review {
    let written: written::Review = sections.map("review", problems);
    let decisions = written.decisions.and_then(|decisions| match decisions.trim().is_empty() {
        true => {
            problems.push(empty_text("decisions", decisions.span));
            None
        }
        false => Some(decisions.value),
    });
    Review {
        confidence_below: optional_ratio("confidence_below", written.confidence_below.as_ref(), problems),
        sample_passes: optional_ratio("sample_passes", written.sample_passes.as_ref(), problems),
        max_unreviewed: written.max_unreviewed,
        place: sections.node("review").map(|node| place(node.span, problems)).unwrap_or_default(),
        decisions,
    }
}

fn redact(sections: &Sections, problems: &mut Problems) -> Redact {
    let written: written::Redact = sections.map("redact", problems);
    let mut ids = Ids::of("patterns for redaction");
    let mut patterns = Vec::new();
    if let Some(list) = &written.patterns
        && list.is_empty()
    {
        let problem = Problem::new(code::EMPTY, "`patterns` is empty").at(list.span);
        problems.push(problem.found("an empty list", "at least one pattern").help("fill the list or delete the key"));
    }
    for entry in written.patterns.iter().flat_map(|list| &list.value) {
        if !ids.add(&entry.id, problems) {
            continue;
        }
        let own = match &entry.pattern {
            Some(pattern) => match regex(pattern, "`pattern`", problems) {
                Some(own) if own.is_match("") => {
                    let problem = Problem::new(code::BAD_REGEX, "the pattern matches the empty text").at(pattern.span);
                    problems.push(problem.label("it would match everywhere").help("demand at least one character"));
                    continue;
                }
                Some(own) => Some(own),
                None => continue,
            },
            None if REDACTIONS.contains(&entry.id.as_str()) => None,
            None => {
                let message = format!("there is no shipped pattern {}", quoted(&entry.id));
                let problem = Problem::new(code::UNKNOWN_NAME, message).at(entry.id.span);
                let problem = problem.label(format!("expected {}, or a `pattern` of its own", one_of(&REDACTIONS)));
                problems.push(
                    problem
                        .help_if(did_you_mean(&entry.id, REDACTIONS).filter(|help| help.starts_with("did you mean"))),
                );
                continue;
            }
        };
        patterns.push((entry.id.value.clone(), own));
    }
    let fields: Vec<FieldPath> =
        written.fields.iter().flatten().filter_map(|field| slice::path(field, problems)).collect();
    let hash_key_env = written.hash_key_env.as_ref().and_then(|name| variable(name, problems));
    let ready = patterns.iter().filter_map(|(id, own): &(String, Option<Regex>)| {
        let pattern = match own {
            Some(own) => Pattern::Own(own.clone()),
            None => Pattern::Shipped(Shipped::named(id)?),
        };
        Some((id.clone(), pattern))
    });
    let mut redactor = Redactor::new(ready.collect(), fields.iter().map(|field| field.0.clone()));
    if hash_key_env.is_some() {
        redactor.hashing = Hashing::WithoutKey;
    }
    let place = sections.node("redact").map(|node| place(node.span, problems)).unwrap_or_default();
    Redact { patterns, fields, hash_key_env, redactor, place }
}

fn report(sections: &Sections, problems: &mut Problems) -> Report {
    let written: written::Report = sections.map("report", problems);
    let size = within("markdown_characters", written.markdown_characters.as_ref(), 1_000, 1_000_000, problems);
    let mut links: Vec<(String, Located<String>)> = written.links.unwrap_or_default().into_iter().collect();
    links.sort_by_key(|(_, url)| url.span.start);
    for (text, url) in &links {
        if text.trim().is_empty() {
            problems.push(empty_text("the text of a link", url.span));
        }
        if !is_http(&url.value) {
            problems.push(not_http(&format!("the link {}", quoted(text)), url));
        }
    }
    let mut filled = |name: &str, text: Option<Located<String>>| {
        let is_empty = text.as_ref().is_some_and(|text| text.trim().is_empty());
        text.filter(|text| {
            if is_empty {
                problems.push(empty_text(name, text.span));
            }
            !is_empty
        })
    };
    let title = filled("title", written.title);
    let templates = filled("templates", written.templates);
    Report {
        title: title.map(|title| title.value),
        templates_place: templates.as_ref().map(|folder| place(folder.span, problems)).unwrap_or_default(),
        templates: templates.map(|templates| templates.value),
        markdown_characters: size.and_then(|size| usize::try_from(size).ok()).unwrap_or(MARKDOWN_CHARACTERS),
        links: links.into_iter().map(|(text, url)| (text, url.value)).collect(),
    }
}

fn drill(sections: &Sections, problems: &mut Problems) -> Drill {
    let written: written::Drill = sections.map("drill", problems);
    let mut mutations = Vec::new();
    if let Some(list) = &written.mutations {
        if list.is_empty() {
            let problem = Problem::new(code::EMPTY, "`mutations` is empty").at(list.span);
            problems
                .push(problem.found("an empty list", "at least one mutation").help("fill the list or delete the key"));
        }
        for mutation in &list.value {
            if mutations.contains(&mutation.value) {
                let problem = Problem::new(code::DUPLICATE_ID, "one mutation is named twice").at(mutation.span);
                problems.push(problem.label("named before").help("remove one of the two"));
            }
            mutations.push(mutation.value);
        }
    }
    let max_escaped = optional_ratio("max_escaped", written.max_escaped.as_ref(), problems);
    Drill { mutations, max_escaped: max_escaped.unwrap_or_else(|| fixed("0", 0, 0)) }
}
