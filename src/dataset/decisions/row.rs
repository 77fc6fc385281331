//! One line of a file of decisions.

use super::{Decision, LABELS};
use crate::dataset::day::Day;
use crate::dataset::json::Json;
use crate::dataset::label::Label;
use crate::dataset::read::Line;
use crate::diagnostic::{Problem, Problems, code, did_you_mean, one_of, quoted};
use crate::text::Digest;
use crate::text::redact::KEYED;

/// The fields of a decision, in the order in which the review queue writes them.
const FIELDS: [&str; 9] =
    ["case_id", "claim_id", "claim_sha256", "evidence_sha256", "label", "reviewer", "reason", "date", "expires"];

/// The decision that a line states; `None` where something is wrong with it, which is then among the problems.
/// `last` is the last day that it may be dated.
pub(super) fn decision(tree: &Json<'_>, line: Line<'_>, last: Day, problems: &mut Problems) -> Option<Decision> {
    let Json::Object(entries) = tree else {
        let problem = Problem::new(code::WRONG_TYPE, "the line is no decision");
        problems.push(line.place(problem.found(tree.kind(), "an object with `case_id`, `claim_sha256`, `label` …")));
        return None;
    };
    let mut row = Row { tree, line, problems, lacks: false };
    let before = row.problems.len();
    for (key, _) in entries {
        if !FIELDS.contains(&key.as_ref()) {
            let problem = Problem::new(code::UNKNOWN_KEY, format!("unknown field {}", quoted(key)));
            row.push(problem.help_if(did_you_mean(key, FIELDS)));
        }
    }
    let (case_id, claim_id) = (row.text("case_id"), row.text("claim_id"));
    let (claim, evidence) = (row.digest("claim_sha256"), row.digest("evidence_sha256"));
    let label = row.label();
    let (reviewer, reason) = (row.words("reviewer"), row.words("reason"));
    let date = row.required("date").and_then(|value| row.day("date", value));
    let expires = row.optional("expires").and_then(|value| row.day("expires", value));
    if let Some(date) = date.filter(|date| *date > last) {
        let problem = Problem::new(code::WRONG_VALUE, "the decision is dated in the future");
        let problem = problem.found(format!("`date` {date}"), format!("{last} (today) or earlier"));
        row.push(problem.help("`date` is the day on which it was made; `expires` is the last day on which it holds"));
    }
    if let Some((date, expires)) = date.zip(expires).filter(|(date, expires)| expires < date) {
        let problem = Problem::new(code::CONTRADICTION, "the decision expires before it was made");
        let problem = problem.found(format!("expires {expires}"), format!("{date} (its date) or later"));
        row.push(problem.help("`expires` is the last day on which the decision holds"));
    }
    let is_keyed = claim.is_some_and(|(_, is_keyed)| is_keyed);
    if evidence.is_some_and(|(_, other)| other != is_keyed) {
        let problem =
            Problem::new(code::CONTRADICTION, "one hash of the decision was made under a key, the other was not");
        row.push(problem.help("take both from one line of `review.jsonl`"));
    }
    if row.problems.len() > before {
        return None;
    }
    Some(Decision {
        case_id: case_id?,
        claim_id: claim_id?,
        claim: claim?.0,
        evidence: evidence?.0,
        label: label?,
        reviewer: reviewer?,
        reason: reason?,
        date: date?,
        expires,
        line: line.number,
        is_keyed,
    })
}

/// A line that is being read.
struct Row<'r> {
    tree: &'r Json<'r>,
    line: Line<'r>,
    problems: &'r mut Problems,
    /// Whether a field was found missing: what to do about it is said once.
    lacks: bool,
}

impl<'r> Row<'r> {
    fn push(&mut self, problem: Problem) {
        self.problems.push(self.line.place(problem));
    }

    /// The value of a field; `null` is absent.
    fn optional(&self, name: &str) -> Option<&'r Json<'r>> {
        self.tree.get(name).filter(|value| **value != Json::Null)
    }

    fn required(&mut self, name: &str) -> Option<&'r Json<'r>> {
        let value = self.optional(name);
        if value.is_none() {
            let help = "`review.jsonl` of a run has a `decision` for each open claim that only has to be completed";
            let problem = Problem::new(code::MISSING_KEY, format!("the decision has no `{name}`"));
            self.push(if self.lacks { problem } else { problem.help(help) });
            self.lacks = true;
        }
        value
    }

    fn text(&mut self, name: &str) -> Option<String> {
        let value = self.required(name)?;
        self.filled(name, value).map(str::to_owned)
    }

    /// The text of a field in which a person says something: white space, signs that nobody sees and strokes say nothing.
    fn words(&mut self, name: &str) -> Option<String> {
        let text = self.text(name)?;
        if text.chars().any(is_readable) {
            return Some(text);
        }
        let problem = Problem::new(code::EMPTY, format!("`{name}` has no letter and no digit"));
        self.push(problem.found(quoted(&text), "a text that can be read").help("a reviewer completes the line"));
        None
    }

    /// The text of a field, which must say something.
    fn filled(&mut self, name: &str, value: &'r Json<'r>) -> Option<&'r str> {
        match value.as_text() {
            Some(text) if !text.trim().is_empty() => Some(text),
            Some(_) => {
                let problem = Problem::new(code::EMPTY, format!("`{name}` is empty"));
                self.push(problem.found("an empty text", expected(name)).help("a reviewer completes the line"));
                None
            }
            None => {
                let problem = Problem::new(code::WRONG_TYPE, format!("`{name}` has the wrong type"));
                self.push(problem.found(value.kind(), "a text"));
                None
            }
        }
    }

    /// A digest, and whether it was made under a key.
    fn digest(&mut self, name: &str) -> Option<(Digest, bool)> {
        let value = self.required(name)?;
        let text = self.filled(name, value)?;
        let keyed = text.strip_prefix(KEYED);
        let digest = keyed.unwrap_or(text).parse().ok().map(|digest| (digest, keyed.is_some()));
        if digest.is_none() {
            let problem = Problem::new(code::WRONG_VALUE, format!("`{name}` is no SHA-256 digest"));
            self.push(problem.found(quoted(text), "`sha256:` and 64 hexadecimal digits"));
        }
        digest
    }

    fn label(&mut self) -> Option<Label> {
        let value = self.required("label")?;
        let text = self.filled("label", value)?;
        let label = LABELS.into_iter().find(|label| label.as_str() == text);
        if label.is_none() {
            let words = LABELS.map(Label::as_str);
            let problem = Problem::new(code::UNKNOWN_LABEL, format!("{} is no label of a decision", quoted(text)));
            let meant = did_you_mean(text, words).filter(|help| help.starts_with("did you mean"));
            self.push(problem.label(format!("expected {}", one_of(&words))).help_if(meant));
        }
        label
    }

    fn day(&mut self, name: &str, value: &'r Json<'r>) -> Option<Day> {
        let text = self.filled(name, value)?;
        let day = text.parse().ok();
        if day.is_none() {
            let problem = Problem::new(code::WRONG_VALUE, format!("`{name}` is no day of the calendar"));
            self.push(problem.found(quoted(text), "YYYY-MM-DD"));
        }
        day
    }
}

/// Whether a character is a letter or a digit that is seen; Hangul fillers are letters that nobody sees.
fn is_readable(c: char) -> bool {
    c.is_alphanumeric() && !matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}')
}

fn expected(name: &str) -> String {
    match name {
        "label" => one_of(&LABELS.map(Label::as_str)),
        "date" | "expires" => "YYYY-MM-DD".to_owned(),
        _ => "a text".to_owned(),
    }
}
