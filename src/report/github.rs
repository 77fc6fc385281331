//! Workflow commands for GitHub Actions: one annotation per failing gate and per finding that is certain (errors as warnings, warnings as
//! notices), capped.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::answer::Item;
use super::view::{View, besides};
use super::visible::one_line;
use crate::diagnostic::Problems;

/// GitHub shows ten annotations of a kind per step.
pub const MOST: usize = 10;
/// Findings of severity `warning` that are shown; the run's own notices need the rest.
const MOST_NOTICES: usize = 5;

/// The annotations of a run, one a line; then one line that says what is left out, where anything is.
#[must_use]
pub fn render(view: &View) -> String {
    let mut out = String::new();
    let title = format!("citeward: {}", view.verdict.word);
    command(&mut out, "notice", ("", 0), &title, &numbers(view));
    if !view.verdict.uncounted.is_empty() {
        command(&mut out, "warning", ("", 0), "errors that no gate counts", &view.verdict.uncounted);
    }
    let mut errors = 0;
    for gate in view.gates.iter().filter(|gate| gate.fails_run || gate.warns) {
        let (file, line) = place(&gate.place);
        let title = format!("gate {}: {}", gate.gate, gate.word);
        if gate.fails_run {
            errors += 1;
        }
        if !gate.fails_run || errors <= MOST {
            command(&mut out, if gate.fails_run { "error" } else { "warning" }, (&file, line), &title, &gate.reason);
        }
    }
    for warning in &view.warnings {
        command(&mut out, "notice", ("", 0), "citeward", warning);
    }
    let mut left_out = errors.saturating_sub(MOST);
    let worse = worse(view);
    for (severity, kind, most) in [("error", "warning", MOST), ("warning", "notice", MOST_NOTICES)] {
        let found = findings(view, severity);
        left_out += found.len().saturating_sub(most);
        for (item, at) in newest_first(&found, &worse, most) {
            let (file, line) = place(&item.place);
            let (mut title, message) = finding(item, at);
            if worse.contains(&subject(item)) {
                title.push_str(", worse than in the baseline");
            }
            command(&mut out, kind, (&file, line), &title, &message);
        }
    }
    if left_out > 0 {
        command(&mut out, "notice", ("", 0), "citeward", &format!("{left_out} more are in the report"));
    }
    out
}

/// The gates, the decided claims and the findings, counted.
fn numbers(view: &View) -> String {
    let (counts, decided, findings) = (&view.gate_counts, &view.decided, &view.findings);
    let gates = match counts.failing {
        0 => format!("{} of {} gates pass{}", counts.passing, counts.total, besides(counts)),
        failing => format!("{failing} of {} gates fail{}", counts.total, besides(counts)),
    };
    let nothing = if decided.nothing.is_empty() { String::new() } else { format!("{}; ", decided.nothing) };
    format!(
        "{gates}; {nothing}cited claims: {} decided, {} undecided; findings: {}; {}",
        decided.decided, decided.undecided, findings.by_severity, findings.failed_cases
    )
}

/// The annotation of a gate that fails or warns, at its place in the policy.
#[must_use]
pub fn of_gate(fails: bool, at: &str, title: &str, reason: &str) -> String {
    let mut out = String::new();
    let (file, line) = place(at);
    command(&mut out, if fails { "error" } else { "warning" }, (&file, line), title, reason);
    out
}

/// The findings of a severity that are certain, each with its place in its item.
fn findings<'v>(view: &'v View, severity: &str) -> Vec<(&'v Item, usize)> {
    let mut found = Vec::new();
    for item in &view.items {
        let own = item.findings.iter().enumerate();
        let own = own.filter(|(_, finding)| finding.severity == severity && !finding.is_triage);
        found.extend(own.map(|(at, _)| (item, at)));
    }
    found
}

/// Case and claim of an item.
fn subject(item: &Item) -> (&str, &str) {
    (&item.case_id, &item.claim_id)
}

/// The cases and claims that came out worse than in a baseline.
fn worse(view: &View) -> BTreeSet<(&str, &str)> {
    let rows = view.flips.iter().flat_map(|group| &group.rows).filter(|row| row.direction == "worse");
    rows.map(|row| (row.case_id.as_str(), row.claim_id.as_str())).collect()
}

/// At most `most` findings, in their order. What came out worse than in the baseline goes before old defects, so that these
/// do not hide it; then one of each rule and code before the second of any, so that ten annotations show ten defects and
/// not ten times the commonest.
fn newest_first<'v>(
    found: &[(&'v Item, usize)],
    worse: &BTreeSet<(&str, &str)>,
    most: usize,
) -> Vec<(&'v Item, usize)> {
    let mut seen = BTreeSet::new();
    let mut places: Vec<(bool, bool, usize)> = found
        .iter()
        .enumerate()
        .map(|(place, (item, at))| {
            let is_old = !worse.contains(&subject(item));
            let kind = item.findings.get(*at).map(|finding| (&finding.rule, &finding.code));
            (is_old, !seen.insert((is_old, kind)), place)
        })
        .collect();
    places.sort_unstable();
    places.truncate(most);
    places.sort_unstable_by_key(|(is_old, _, place)| (*is_old, *place));
    places.into_iter().filter_map(|(_, _, place)| found.get(place).copied()).collect()
}

/// Title and message of a finding, with the notes on it.
fn finding(item: &Item, at: usize) -> (String, String) {
    let mut findings = item.findings.iter().skip(at);
    let Some(finding) = findings.next() else { return Default::default() };
    let claim = if item.claim_id.is_empty() { String::new() } else { format!("#{}", item.claim_id) };
    let notes = findings.take_while(|next| next.is_annotation);
    let message = notes.fold(finding.message.clone(), |all, note| format!("{all}; {}", note.message));
    (format!("{}: {}{claim}", finding.rule, item.case_id), message)
}

/// The annotations of problems, one a line.
#[must_use]
pub fn problems(problems: &Problems) -> String {
    let mut out = String::new();
    for problem in problems.shown() {
        let location = problems.location(problem);
        // `file:line:column`, `file:line` or `file`.
        let (before, last) = place(&location);
        let (file, line) = match place(&before) {
            (file, line) if line > 0 && last > 0 => (file, line),
            _ => (before, last),
        };
        let help = problem.help.as_deref().map(|help| format!("; {help}")).unwrap_or_default();
        command(&mut out, "error", (&file, line), problem.code.as_str(), &format!("{problem}{help}"));
    }
    out
}

/// `file:line`; without a line, 0.
fn place(place: &str) -> (String, u64) {
    match place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
        Some((file, line)) => (file.to_owned(), line),
        None => (place.to_owned(), 0),
    }
}

fn command(out: &mut String, kind: &str, (file, line): (&str, u64), title: &str, message: &str) {
    let mut properties = Vec::new();
    if !file.is_empty() {
        properties.push(format!("file={}", property(file)));
        if line > 0 {
            properties.push(format!("line={line}"));
        }
    }
    properties.push(format!("title={}", property(title)));
    let _ = writeln!(out, "::{kind} {}::{}", properties.join(","), data(message));
}

/// Escapes the message of a workflow command, as `@actions/core` does.
fn data(text: &str) -> String {
    one_line(text).replace('\u{a0}', " ").replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_cannot_be_left() {
        let mut out = String::new();
        command(&mut out, "error", ("a,b:c.jsonl", 3), "x::y", "50 %\n::stop-commands::z\x1b[31m");
        assert_eq!(out, "::error file=a%2Cb%3Ac.jsonl,line=3,title=x%3A%3Ay::50 %25 ::stop-commands::z␛[31m\n");
    }

    #[test]
    fn problems_are_annotations_at_their_line() {
        let mut found = Problems::new();
        let text = "version: 1\nruls: []\n";
        let source = found.add_source("rules/a.yaml", text);
        let span = crate::diagnostic::Span { source, start: 11, end: 15 };
        let problem = crate::diagnostic::Problem::new(crate::diagnostic::code::UNKNOWN_KEY, "unknown key \"ruls\"");
        found.push(problem.at(span).help("did you mean `rules`?"));
        let expected =
            "::error file=rules/a.yaml,line=2,title=unknown-key::unknown key \"ruls\"; did you mean `rules`?\n";
        assert_eq!(problems(&found), expected);
    }

    #[test]
    fn a_place_is_cut_at_its_last_colon() {
        assert_eq!(place("C:/a.jsonl:7"), ("C:/a.jsonl".to_owned(), 7));
        assert_eq!(place("policy"), ("policy".to_owned(), 0));
    }
}
