//! Rule examples: small cases that a rule must pass or fail.

use serde_json::{Map, Value, json};

use super::place;
use crate::check::Check;
use crate::diagnostic::{Problem, Problems, code, did_you_mean, quoted};
use crate::rules::policy::{self, Rule};
use crate::rules::written::{self, Example, Words};
use crate::yaml::Located;

/// Fields of a case that an example says in its own way.
const TAKEN: [&str; 7] = ["case_id", "answer", "query", "language", "claims", "sources", "retrieved_ids"];

/// Reads the examples of a rule into cases.
pub(super) fn examples(
    written: &written::Rule,
    index: usize,
    rule: Option<&Rule>,
    problems: &mut Problems,
    out: &mut Vec<policy::Example>,
) {
    let (Some(examples), Some(rule)) = (&written.examples, rule) else { return };
    if examples.pass.is_empty() && examples.fail.is_empty() {
        let problem = Problem::new(code::EMPTY, format!("the examples of `{}` are empty", rule.id)).at(written.id.span);
        problems.push(problem.label("neither `pass` nor `fail` has an entry").help("add one or delete `examples`"));
    }
    for (pass, list) in [(true, &examples.pass), (false, &examples.fail)] {
        for (number, example) in list.iter().enumerate() {
            let name = format!("{}-{}-{}", rule.id, if pass { "pass" } else { "fail" }, number + 1);
            if let Some(case) = case(&name, example, rule, problems) {
                out.push(policy::Example { rule: index, pass, place: place(example.span, problems), case });
            }
        }
    }
}

fn case(name: &str, example: &Located<Example>, rule: &Rule, problems: &mut Problems) -> Option<Value> {
    let problem = |message: &str| Problem::new(code::BAD_EXAMPLE, message.to_owned()).at(example.span);
    if example.claim.is_none() && example.answer.is_none() {
        problems.push(
            problem("the example has neither a claim nor an answer").label("one of `claim` and `answer` is needed"),
        );
        return None;
    }
    if matches!(rule.check, Check::Support(_) | Check::Annotation(_))
        && (example.claim.is_none() || example.evidence.is_none())
    {
        let kind = rule.kind.name;
        let problem = problem("the example has no evidence to hold the claim against");
        problems.push(problem.label(format!("`{kind}` needs `claim` and `evidence`")));
        return None;
    }
    let passages = words(example.evidence.as_ref());
    let given = words(example.ids.as_ref());
    if let Some(ids) = &example.ids
        && given.len() != passages.len()
    {
        let problem = Problem::new(code::BAD_EXAMPLE, "every passage needs exactly one id").at(ids.span);
        problems.push(problem.found(format!("{} ids", given.len()), format!("{}", passages.len())));
        return None;
    }
    let ids: Vec<String> =
        if given.is_empty() { (1..=passages.len()).map(|number| number.to_string()).collect() } else { given };
    let mut case = Map::new();
    if let Some(fields) = &example.fields {
        for (field, value) in fields {
            if TAKEN.contains(&field.as_str()) {
                let problem = problem(&format!("{} does not stand under `fields`", quoted(field)));
                problems.push(problem.label("an example has a key of its own for it").help_if(own_key(field)));
                return None;
            }
            case.insert(field.clone(), value.clone());
        }
    }
    case.insert("case_id".to_owned(), json!(name));
    case.insert("answer".to_owned(), json!(example.answer.as_ref().or(example.claim.as_ref())));
    for (field, text) in [("query", &example.query), ("language", &example.language)] {
        if let Some(text) = text {
            case.insert(field.to_owned(), json!(text));
        }
    }
    if let Some(claim) = &example.claim {
        let cites: Vec<String> = match &example.cites {
            Some(cites) => cites.0.iter().map(|id| id.value.0.clone()).collect(),
            None => ids.clone(),
        };
        case.insert("claims".to_owned(), json!([{ "text": claim, "citation_ids": cites }]));
    }
    let sources: Vec<Value> =
        ids.iter().zip(&passages).map(|(id, content)| json!({ "evidence_id": id, "content": content })).collect();
    // Evidence as maps, for fields beyond the content, goes in through `fields` of its own.
    case.insert("sources".to_owned(), json!(sources));
    Some(Value::Object(case))
}

fn own_key(field: &str) -> Option<String> {
    match field {
        "claims" => Some("use `claim`".to_owned()),
        "sources" => Some("use `evidence` and `ids`".to_owned()),
        other => did_you_mean(other, ["answer", "query", "language", "ids"]),
    }
}

fn words(words: Option<&Located<Words>>) -> Vec<String> {
    words.map(|words| words.value.0.iter().map(|word| word.value.0.clone()).collect()).unwrap_or_default()
}
