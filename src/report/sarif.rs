//! `results.sarif`: findings and failing gates in SARIF 2.1.0, for code scanning.
//!
//! `results` stands before everything else of the run, so that the file is written in one go: a result is a line that a worker
//! wrote. How many of each level are written is capped, since readers refuse more ([`MOST`]).

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value, json};

use super::gate::{self, GateRow};
use super::machine::{Format, Gather};
use super::markdown;
use super::ratio;
use super::row::{Background, FindingRow, rows};
use super::uri;
use super::view::View;
use super::visible::short;
use crate::check::{Family, Severity, kind, manual};
use crate::run::manifest::{RuleEntry, RunJson, RunVerdict};
use crate::run::{CaseWriter, FINDINGS_CSV, OneCase, RESULTS_SARIF};
use crate::text::digest;

/// The schema that the file is valid against.
pub const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Most results of the levels error, warning, and note or none. With [`MOST_GATES`] they are 25,000, the most that GitHub takes.
pub const MOST: [u64; 3] = [20_000, 3_500, 1_000];
/// Most results that are gates.
pub const MOST_GATES: usize = 500;
/// What paths are relative to.
const BASE: &str = "%SRCROOT%";
/// Most characters of a message, of a description, and of a quoted excerpt.
const LONGEST: usize = 1_000;
/// Most characters of the quoted claim or excerpt in a message.
const LONGEST_QUOTE: usize = 400;
/// Letters that lines begin with: results by level, and the name of a data file.
const LEVELS: [u8; 3] = *b"ewn";
const FILE: u8 = b'f';

/// The format.
#[derive(Debug)]
pub struct Sarif {
    background: Background,
    /// Whether a level has as many results in the file as it may: further ones are only counted.
    full: [AtomicBool; 3],
    /// Whether the file already knows the name of a data file.
    knows_file: AtomicBool,
}

impl Sarif {
    /// The format for one run.
    #[must_use]
    pub const fn new(background: Background) -> Self {
        Self {
            background,
            full: [AtomicBool::new(false), AtomicBool::new(false), AtomicBool::new(false)],
            knows_file: AtomicBool::new(false),
        }
    }
}

impl CaseWriter for Sarif {
    fn case(&self, case: &OneCase<'_, '_>, into: &mut Vec<u8>) {
        if !self.knows_file.load(Ordering::Relaxed) {
            into.push(FILE);
            into.extend(json!(case.case.file).to_string().bytes());
            into.push(b'\n');
        }
        rows(&self.background, case, |row| {
            let level = level_index(row.severity);
            into.push(LEVELS[level]);
            if !self.full[level].load(Ordering::Relaxed) {
                into.extend(result(&self.background, row, &case.case.file).to_string().bytes());
            }
            into.push(b'\n');
        });
    }
}

impl Format for Sarif {
    fn file(&self) -> &'static str {
        RESULTS_SARIF
    }

    fn gather(&self) -> Box<dyn Gather + '_> {
        Box::new(Results { format: self, written: 0, counts: [0; 3], file: None })
    }
}

/// The results so far.
struct Results<'s> {
    format: &'s Sarif,
    /// Results in the file.
    written: usize,
    /// Findings of each level, all of them.
    counts: [u64; 3],
    /// The data file of the first case.
    file: Option<String>,
}

impl Results<'_> {
    fn result(&mut self, bytes: &[u8], into: &mut Vec<u8>) {
        into.extend_from_slice(if self.written == 0 { b"\n" } else { b",\n" });
        into.extend_from_slice(bytes);
        self.written += 1;
    }

    fn line(&mut self, line: &[u8], into: &mut Vec<u8>) {
        let Some((first, rest)) = line.split_first() else { return };
        if *first == FILE {
            if self.file.is_none() {
                self.file = serde_json::from_slice(rest).ok();
                self.format.knows_file.store(true, Ordering::Relaxed);
            }
            return;
        }
        let Some(level) = LEVELS.iter().position(|letter| letter == first) else { return };
        self.counts[level] += 1;
        if self.counts[level] <= MOST[level] {
            self.result(rest, into);
        }
        if self.counts[level] >= MOST[level] {
            // Whatever a worker has not looked at yet stands behind this one.
            self.format.full[level].store(true, Ordering::Relaxed);
        }
    }

    /// Sentences on what the file leaves out.
    fn left_out(&self, gates: usize) -> Vec<String> {
        let names = ["errors", "warnings", "notes"];
        let findings = names.iter().zip(self.counts).zip(MOST).filter(|((_, count), most)| count > most);
        let mut said: Vec<String> = findings
            .map(|((name, count), most)| {
                let (left, all) = (ratio::grouped(count - most), ratio::grouped(count));
                format!("{left} of {all} {name} are left out here, since readers of this format refuse larger files; {FINDINGS_CSV} has all.")
            })
            .collect();
        if gates > MOST_GATES {
            said.push(format!("{} gates that fail or warn are left out here; run.json has all.", gates - MOST_GATES));
        }
        said
    }
}

impl Gather for Results<'_> {
    fn begin(&mut self, into: &mut Vec<u8>) {
        into.extend_from_slice(
            format!("{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"results\":[").as_bytes(),
        );
    }

    fn take(&mut self, written: &[u8], into: &mut Vec<u8>) {
        written.split(|byte| *byte == b'\n').for_each(|line| self.line(line, into));
    }

    fn end(&mut self, run: &RunJson, view: &View, into: &mut Vec<u8>) {
        let mut ids: Vec<&str> = Vec::new();
        for gate in &view.gates {
            if !ids.contains(&gate.gate.as_str()) {
                ids.push(&gate.gate);
            }
        }
        let loud: Vec<&GateRow> = view.gates.iter().filter(|gate| gate.fails_run || gate.warns).collect();
        for gate in loud.iter().take(MOST_GATES) {
            let index = ids.iter().position(|id| *id == gate.gate).unwrap_or_default() + run.rules.len();
            // What is built in has no file; readers want a place all the same, and the data is what fails.
            let data = (self.file.as_deref().unwrap_or_default(), 0);
            let result = gate_result(gate, index, gate::file_place(&gate.place, run).unwrap_or(data)).to_string();
            self.result(result.as_bytes(), into);
        }
        let mut rules: Vec<Value> = run.rules.iter().map(|(id, rule)| descriptor(id, rule)).collect();
        let of_id = |id: &&str| -> Vec<&GateRow> { view.gates.iter().filter(|gate| gate.gate == **id).collect() };
        rules.extend(ids.iter().filter_map(|id| gate_descriptor(&of_id(id))));
        let said = view.warnings.iter().cloned().chain(self.left_out(loud.len()));
        let notifications: Vec<Value> =
            said.map(|text| json!({"level": "warning", "message": {"text": plain(&text)}})).collect();
        let rest = rest_of_run(run, view, &rules, &notifications).to_string();
        into.extend_from_slice(b"\n],");
        into.extend_from_slice(rest.strip_prefix('{').unwrap_or_default().as_bytes());
        into.extend_from_slice(b"]}\n");
    }
}

/// What stands behind the results: the tool with its rules, how it ended, and what was judged.
fn rest_of_run(run: &RunJson, view: &View, rules: &[Value], notifications: &[Value]) -> Value {
    let (code, verdict) = match run.verdict {
        RunVerdict::Pass => (0, "every gate passed or warned"),
        RunVerdict::Fail => (1, "a gate failed"),
    };
    let datasets = run.datasets.iter().map(|dataset| {
        let version = dataset.version.as_deref().map(|version| short(version, LONGEST));
        json!({"name": short(&dataset.name, LONGEST), "version": version, "contentDigest": dataset.content_digest})
    });
    let datasets: Vec<Value> = datasets.collect();
    let version = &run.engine.version;
    let mut driver = json!({"name": "citeward", "version": version, "semanticVersion": version, "rules": rules});
    // Only where the package says where it lives.
    if let (Some(driver), address) = (driver.as_object_mut(), env!("CARGO_PKG_REPOSITORY"))
        && !address.is_empty()
    {
        driver.insert("informationUri".to_owned(), json!(address));
    }
    json!({
        "tool": {"driver": driver},
        "originalUriBaseIds": {BASE: {"description": {"text": "The folder that citeward was started in: in CI, the root of the repository."}}},
        "invocations": [{
            "executionSuccessful": true,
            "exitCode": code,
            "exitCodeDescription": verdict,
            "toolExecutionNotifications": notifications,
        }],
        "properties": {
            "verdict": view.verdict.word,
            "sentence": view.verdict.sentence,
            "datasets": datasets,
            "policyDigest": run.policy.digest,
            "run": run.schema,
        },
    })
}

/// Index in [`MOST`] of a row's severity.
fn level_index(severity: &str) -> usize {
    match severity {
        "error" => 0,
        "warning" => 1,
        _ => 2,
    }
}

/// Text of a message: nothing in it is a link (`[text](address)` would be one).
fn plain(text: &str) -> String {
    text.replace("](", "] (")
}

fn location((file, line): (&str, u64), logical: Option<Value>) -> Value {
    let mut location = Map::new();
    if let Some(file) = uri::of_path(file) {
        let mut artifact = json!({"uri": file.uri});
        if file.is_relative {
            artifact["uriBaseId"] = json!(BASE);
        }
        let mut physical = json!({"artifactLocation": artifact});
        if line > 0 {
            physical["region"] = json!({"startLine": line});
        }
        location.insert("physicalLocation".to_owned(), physical);
    }
    location.extend(logical.map(|logical| ("logicalLocations".to_owned(), json!([logical]))));
    Value::Object(location)
}

/// A digest as both tools that follow results and GitHub read it. GitHub would else take the line's own hash, under which two
/// findings of one rule on one case are one alert.
fn fingerprints(fingerprint: &str) -> Value {
    json!({"primaryLocationLineHash": format!("{fingerprint}:1"), "citewardFingerprint/v1": fingerprint})
}

/// `file` is the data file as it is called: an address is made of it, in which nothing can hide.
fn result(background: &Background, row: &FindingRow, file: &str) -> Value {
    let (kind, level) = match row.severity {
        "observed" => ("informational", "none"),
        severity => ("fail", severity),
    };
    let subject = if row.claim_id.is_empty() {
        json!({"name": row.case_id, "fullyQualifiedName": row.case_id, "kind": "object"})
    } else {
        let qualified = format!("{}#{}", row.case_id, row.claim_id);
        json!({"name": row.claim_id, "fullyQualifiedName": qualified, "kind": "object"})
    };
    let mut result = json!({"ruleId": row.rule});
    if let Some(rule) = background.rules.get(&row.rule) {
        result["ruleIndex"] = json!(rule.index);
    }
    result["kind"] = json!(kind);
    result["level"] = json!(level);
    result["message"] = json!({"text": plain(&message(row))});
    result["locations"] = json!([location((file, row.line), Some(subject))]);
    result["partialFingerprints"] = fingerprints(&row.fingerprint);
    if background.tells_new {
        result["baselineState"] = json!(if row.state == "known" { "unchanged" } else { "new" });
    }
    let justification = match row.state {
        "overturned" if row.reason.is_empty() => Some("A reviewer called the claim supported.".to_owned()),
        "overturned" => Some(format!("A reviewer called the claim supported: {}", row.reason)),
        "known" => Some("The baseline has this finding, and the policy holds only new ones against a case.".to_owned()),
        _ => None,
    };
    if let Some(text) = justification {
        result["suppressions"] = json!([{"kind": "external", "status": "accepted", "justification": plain(&text)}]);
    }
    result["properties"] = properties(row);
    result
}

fn properties(row: &FindingRow) -> Value {
    let mut properties = Map::new();
    let texts = [
        ("caseId", row.case_id.as_str()),
        ("claimId", &row.claim_id),
        ("dataset", &row.dataset),
        ("datasetVersion", &row.dataset_version),
        ("code", &row.code),
        ("check", &row.check),
        ("certainty", row.certainty),
        ("state", row.state),
        ("label", row.label),
        ("decidedBy", &row.decided_by),
        ("suspected", row.suspected),
        ("stage", row.stage),
        ("owner", &row.owner),
        ("citation", &row.citation),
        ("marker", &row.marker),
        ("evidence", row.evidence),
        ("sourceId", &row.source_id),
        ("sourceVersion", &row.source_version),
        ("locator", &row.locator),
        ("excerptSha256", &row.excerpt_sha256),
        ("contentSha256", &row.content_sha256),
        ("anchor", &row.anchor),
    ];
    let texts = texts.iter().filter(|(_, text)| !text.is_empty());
    properties.extend(texts.map(|(key, text)| ((*key).to_owned(), json!(text))));
    if !row.slices.is_empty() {
        properties.insert("slices".to_owned(), json!(row.slices));
    }
    Value::Object(properties)
}

/// What was found, the claim, and the excerpt that it was held against.
fn message(row: &FindingRow) -> String {
    let mut text = sentence(&short(&row.message, LONGEST));
    if !row.claim.is_empty() {
        text.push_str(&format!("\nClaim: {}", short(&row.claim, LONGEST_QUOTE)));
    }
    if !row.citation.is_empty() {
        let mut cited = vec![short(&row.citation, 120)];
        cited.extend(
            [&row.title, &row.locator].into_iter().filter(|text| !text.is_empty()).map(|text| short(text, 120)),
        );
        if !row.source_version.is_empty() {
            cited.push(format!("version {}", short(&row.source_version, 120)));
        }
        text.push_str(&format!("\nCited: {}", cited.join(", ")));
        match (row.evidence, row.excerpt.is_empty()) {
            ("unresolved", _) => text.push_str("; nothing in the evidence packet has this id"),
            ("withheld", _) => text.push_str("; the passage is withheld"),
            (_, false) => text.push_str(&format!(": “{}”", short(&row.excerpt, LONGEST_QUOTE))),
            (_, true) => {}
        }
        if !row.excerpt_sha256.is_empty() {
            text.push_str(&format!("\nExcerpt: {}", row.excerpt_sha256));
        }
    }
    text
}

/// With a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    let end = if text.ends_with(['.', '!', '?', '…', '。']) { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}

fn descriptor(id: &str, rule: &RuleEntry) -> Value {
    let page = kind(&rule.check).map_or_else(|| rule.manual.clone(), manual::page);
    let written = format!("Rule {} at {}.", short(id, LONGEST), short(&rule.place, LONGEST));
    let (family, precision) = match rule.family {
        Family::Integrity => ("integrity", "very-high"),
        Family::Coverage => ("coverage", "high"),
        Family::Support => ("support", "medium"),
    };
    let level = match (rule.observed, rule.severity) {
        (true, _) => "none",
        (_, Severity::Error) => "error",
        (_, Severity::Warning) => "warning",
        (_, Severity::Note) => "note",
    };
    let summary = sentence(&short(&rule.manual, LONGEST));
    let mut problem = json!({"check": rule.check, "family": family, "precision": precision, "tags": ["citation", family, rule.check]});
    if !rule.observed {
        // Of the words that GitHub knows.
        problem["problem.severity"] = json!(if level == "note" { "recommendation" } else { level });
    }
    json!({
        "id": short(id, LONGEST),
        "shortDescription": {"text": plain(&summary)},
        "fullDescription": {"text": plain(&summary)},
        "help": {
            "text": plain(&format!("{page}\n{written}\n")),
            "markdown": format!("{page}\n{}\n", markdown::escaped(&written)),
        },
        "defaultConfiguration": {"level": level},
        "properties": problem,
    })
}

fn gate_descriptor(rows: &[&GateRow]) -> Option<Value> {
    let first = rows.first()?;
    let bounds = if first.bound.is_empty() { "not worse than its baseline" } else { &first.bound };
    let summary = format!("Gate {}: {} must be {bounds}.", first.gate, first.metric_words);
    let help = |written: fn(&str) -> String| {
        let lines: Vec<String> = rows.iter().map(|row| format!("- {}: {}", written(&row.slice), row.word)).collect();
        format!(
            "A gate holds a metric of the whole run against a bound of the policy; a gate that fails, fails the release.\n\n\
             This one holds {}, and came out like this:\n\n{}\n\nIt is written at {}.\n",
            written(&first.metric),
            lines.join("\n"),
            written(&first.place)
        )
    };
    Some(json!({
        "id": format!("gate/{}", first.gate),
        "shortDescription": {"text": plain(&summary)},
        "fullDescription": {"text": plain(&summary)},
        "help": {"text": help(plain), "markdown": help(markdown::escaped)},
        "defaultConfiguration": {"level": "error"},
        "properties": {"metric": first.metric, "precision": "very-high", "problem.severity": "error", "tags": ["citation", "gate"]},
    }))
}

fn gate_result(row: &GateRow, index: usize, place: (&str, u64)) -> Value {
    let logical =
        json!({"name": row.gate, "fullyQualifiedName": format!("{} [{}]", row.gate, row.slice), "kind": "object"});
    let key = digest::raw(format!("gate\0{}\0{}", row.gate, row.slice).as_bytes()).to_string();
    let key = key.trim_start_matches("sha256:").get(..16).unwrap_or_default();
    json!({
        "ruleId": format!("gate/{}", row.gate),
        "ruleIndex": index,
        "kind": "fail",
        "level": if row.fails_run { "error" } else { "warning" },
        "message": {"text": plain(&sentence(&row.reason))},
        "locations": [location(place, Some(logical))],
        "partialFingerprints": fingerprints(key),
        "properties": {
            "verdict": row.verdict,
            "metric": row.metric,
            "slice": row.slice,
            "value": row.value,
            "fraction": row.fraction,
            "bound": row.bound,
            "change": row.delta,
        },
    })
}
