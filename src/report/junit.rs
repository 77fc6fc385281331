//! `junit.xml`: gates and failing cases as tests, for the test reports of GitLab, Jenkins and GitHub actions.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use super::gate;
use super::machine::{Format, Gather};
use super::ratio;
use super::row::{Background, FindingRow, fails_case, row};
use super::view::View;
use super::visible::{one_line, short};
use super::xml;
use crate::check::Outcome;
use crate::gate::{Cause, Effect, Verdict};
use crate::run::manifest::{DatasetStamp, GateEntry, RunJson, RunVerdict};
use crate::run::{CaseWriter, FINDINGS_CSV, JUNIT_XML, OneCase};

/// Most cases that are listed.
pub const MOST_CASES: usize = 5_000;
/// Most bytes that the listed cases take.
pub const MOST_BYTES: usize = 16 << 20;
/// Most findings of one case that are spelled out.
const MOST_FINDINGS: usize = 20;
/// Most characters of a message, a claim or an excerpt.
const LONGEST: usize = 500;
/// Nobody measures time here; some readers want the attribute all the same.
const NO_TIME: &str = " time=\"0\"";
/// Begins a case that workers wrote; no text in the file holds it.
const CASE: char = '\x1e';
/// Stands between the parts of one: kind and dataset, attributes, message, body.
const PART: char = '\x1f';

/// The format.
#[derive(Debug)]
pub struct Junit {
    background: Background,
    /// Whether as many cases are listed as may be: further ones are only counted.
    is_full: AtomicBool,
}

/// What kept a case from passing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// An error finding that counts.
    Failed,
    /// No such finding, and a rule that counts could not be evaluated.
    Broken,
}

impl Junit {
    /// The format for one run.
    #[must_use]
    pub const fn new(background: Background) -> Self {
        Self { background, is_full: AtomicBool::new(false) }
    }

    fn broken<'c>(&self, one: &OneCase<'c, '_>) -> Vec<(&'c str, &'c str)> {
        let counts = |rule: &str| self.background.rules.get(rule).is_none_or(|facts| !facts.observed);
        let of_claims = one.claims.iter().flat_map(|claim| &claim.outcomes);
        let of_strays = one.case.citations.iter().flat_map(|citation| &citation.outcomes);
        let all = one.case.outcomes.iter().chain(of_claims).chain(of_strays);
        let broken = all.filter(|outcome| outcome.outcome == Outcome::Broken && counts(&outcome.rule));
        broken.map(|outcome| (&*outcome.rule, outcome.because.as_deref().unwrap_or_default())).collect()
    }

    /// The findings of a case that fail it, as rows.
    fn failures(&self, one: &OneCase<'_, '_>) -> (Vec<FindingRow>, usize) {
        let of_case = one.case.findings.iter().map(|finding| (None, finding));
        let of_claims =
            one.claims.iter().flat_map(|claim| claim.findings.iter().map(move |finding| (Some(claim), finding)));
        let all: Vec<_> = of_case.chain(of_claims).filter(|(_, finding)| fails_case(finding)).collect();
        let rows = all.iter().take(MOST_FINDINGS).map(|(claim, finding)| row(&self.background, one, *claim, finding));
        (rows.collect(), all.len().saturating_sub(MOST_FINDINGS))
    }
}

impl CaseWriter for Junit {
    fn case(&self, case: &OneCase<'_, '_>, into: &mut Vec<u8>) {
        let of_claims = case.claims.iter().flat_map(|claim| &claim.findings);
        let fails = case.case.findings.iter().chain(of_claims).any(fails_case);
        let broken = if fails { Vec::new() } else { self.broken(case) };
        let fault = match (fails, broken.is_empty()) {
            (true, _) => Fault::Failed,
            (false, false) => Fault::Broken,
            (false, true) => return,
        };
        let mut text = format!("{CASE}{}{}", if fault == Fault::Failed { 'f' } else { 'b' }, case.dataset);
        if !self.is_full.load(Ordering::Relaxed) {
            text.push(PART);
            xml::attribute("name", &short(&case.case.case_id, 300), &mut text);
            place(&case.case.file, case.case.line, &mut text);
            let (message, body) = match fault {
                Fault::Failed => self.failed(case),
                Fault::Broken => could_not(&broken),
            };
            text.push(PART);
            xml::attribute("message", &message, &mut text);
            text.push(PART);
            xml::text(&body, &mut text);
        }
        into.extend_from_slice(text.as_bytes());
    }
}

impl Junit {
    /// Message and body of a case that fails.
    fn failed(&self, one: &OneCase<'_, '_>) -> (String, String) {
        let (rows, left_out) = self.failures(one);
        let message = rows.first().map(|row| format!("{}: {}", row.rule, short(&row.message, LONGEST)));
        let mut body = String::new();
        rows.iter().for_each(|row| finding(row, &mut body));
        if left_out > 0 {
            let _ = writeln!(body, "and {left_out} more: {FINDINGS_CSV} has all");
        }
        (message.unwrap_or_default(), body)
    }
}

fn could_not(broken: &[(&str, &str)]) -> (String, String) {
    let why = |(rule, because): &(&str, &str)| match *because {
        "" => format!("rule {} could not be evaluated", one_line(rule)),
        because => format!("rule {} could not be evaluated: {}", one_line(rule), short(because, LONGEST)),
    };
    let lines: Vec<String> = broken.iter().take(MOST_FINDINGS).map(why).collect();
    (lines.first().cloned().unwrap_or_default(), lines.join("\n") + "\n")
}

/// A finding with its evidence, a few lines for a person.
fn finding(row: &FindingRow, out: &mut String) {
    let _ = writeln!(out, "{} {} ({}): {}", row.severity, row.rule, row.code, short(&row.message, LONGEST));
    if !row.claim_id.is_empty() {
        let _ = writeln!(out, "  claim {}, {}: {}", short(&row.claim_id, 120), row.label, short(&row.claim, LONGEST));
    }
    if !row.citation.is_empty() {
        let named = [
            ("marker", &row.marker),
            ("document", &row.source_id),
            ("version", &row.source_version),
            ("title", &row.title),
            ("at", &row.locator),
        ];
        let named = named.iter().filter(|(_, text)| !text.is_empty());
        let named: String = named.map(|(name, text)| format!(", {name} {}", short(text, 120))).collect();
        let _ = writeln!(out, "  cites {} ({}){named}", short(&row.citation, 120), row.evidence);
    }
    if !row.excerpt.is_empty() {
        let _ = writeln!(out, "  excerpt: “{}”", short(&row.excerpt, LONGEST));
    }
    if let (Some(start), Some(end)) = (row.excerpt_start, row.excerpt_end) {
        let _ = writeln!(out, "  excerpt bytes {start}–{end}, {}", row.excerpt_sha256);
    }
    if !row.stage.is_empty() {
        let owner = if row.owner.is_empty() { String::new() } else { format!(", owned by {}", short(&row.owner, 120)) };
        let _ = writeln!(out, "  at fault: {}{owner}", row.stage);
    }
    let _ = writeln!(out, "  fingerprint {}, report.html#{}", row.fingerprint, row.anchor);
}

/// Attributes for a place in a file; nothing for what is no file.
fn place(file: &str, line: u64, out: &mut String) {
    if !file.is_empty() && !file.starts_with('<') {
        xml::attribute("file", file, out);
        if line > 0 {
            let _ = write!(out, " line=\"{line}\"");
        }
    }
}

impl Format for Junit {
    fn file(&self) -> &'static str {
        JUNIT_XML
    }

    fn gather(&self) -> Box<dyn Gather + '_> {
        Box::new(Cases { format: self, listed: Vec::new(), bytes: 0, of_datasets: Vec::new() })
    }
}

/// A case that is listed: dataset, fault, and the escaped parts.
struct Listed {
    dataset: usize,
    fault: Fault,
    attributes: String,
    message: String,
    body: String,
}

/// Cases of one dataset that did not pass.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    failed: u64,
    broken: u64,
    listed: u64,
}

/// What is kept until the run is judged.
struct Cases<'j> {
    format: &'j Junit,
    listed: Vec<Listed>,
    bytes: usize,
    of_datasets: Vec<Counts>,
}

impl Cases<'_> {
    fn case(&mut self, written: &str) {
        let mut parts = written.split(PART);
        let head = parts.next().unwrap_or_default();
        let fault = if head.starts_with('f') { Fault::Failed } else { Fault::Broken };
        let Ok(dataset) = head.get(1..).unwrap_or_default().parse::<usize>() else { return };
        if self.of_datasets.len() <= dataset {
            self.of_datasets.resize(dataset + 1, Counts::default());
        }
        let is_full = self.is_full();
        let Some(counts) = self.of_datasets.get_mut(dataset) else { return };
        match fault {
            Fault::Failed => counts.failed += 1,
            Fault::Broken => counts.broken += 1,
        }
        let mut part = || parts.next().map(str::to_owned);
        if let (false, Some(attributes), Some(message), Some(body)) = (is_full, part(), part(), part()) {
            counts.listed += 1;
            self.bytes += written.len();
            self.listed.push(Listed { dataset, fault, attributes, message, body });
        }
        if self.is_full() {
            self.format.is_full.store(true, Ordering::Relaxed);
        }
    }

    fn is_full(&self) -> bool {
        self.listed.len() >= MOST_CASES || self.bytes >= MOST_BYTES
    }
}

impl Gather for Cases<'_> {
    fn begin(&mut self, _: &mut Vec<u8>) {}

    fn take(&mut self, written: &[u8], _: &mut Vec<u8>) {
        // It was written as text.
        let written = std::str::from_utf8(written).unwrap_or_default();
        written.split(CASE).filter(|case| !case.is_empty()).for_each(|case| self.case(case));
    }

    fn end(&mut self, run: &RunJson, view: &View, into: &mut Vec<u8>) {
        let mut suites = vec![gates(run, view)];
        for (index, dataset) in run.datasets.iter().enumerate() {
            let counts = self.of_datasets.get(index).copied().unwrap_or_default();
            let listed = self.listed.iter().filter(|case| case.dataset == index);
            suites.push(dataset_suite(&self.format.background.dataset(index), dataset, counts, run.verdict, listed));
        }
        let mut total = Totals::default();
        suites.iter().for_each(|suite| total.add(suite.totals));
        let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
        xml::attribute("name", &view.title, &mut out);
        total.attributes(&mut out);
        out.push_str(">\n");
        suites.iter().for_each(|suite| suite.write(&mut out));
        out.push_str("</testsuites>\n");
        into.extend_from_slice(out.as_bytes());
    }
}

/// How the tests of a suite came out.
#[derive(Debug, Clone, Copy, Default)]
struct Totals {
    tests: u64,
    failures: u64,
    errors: u64,
    skipped: u64,
}

impl Totals {
    fn add(&mut self, other: Totals) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
    }

    fn attributes(&self, out: &mut String) {
        let Totals { tests, failures, errors, skipped } = self;
        let _ = write!(
            out,
            " tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"{NO_TIME}"
        );
    }
}

struct Suite {
    name: String,
    totals: Totals,
    properties: Vec<(&'static str, String)>,
    /// Whole elements.
    tests: String,
    /// What is to be said of the suite as a whole; may be empty.
    said: String,
}

impl Suite {
    fn write(&self, out: &mut String) {
        out.push_str("  <testsuite");
        xml::attribute("name", &self.name, out);
        self.totals.attributes(out);
        out.push_str(">\n    <properties>\n");
        for (name, value) in &self.properties {
            out.push_str("      <property");
            xml::attribute("name", name, out);
            xml::attribute("value", value, out);
            out.push_str("/>\n");
        }
        out.push_str("    </properties>\n");
        out.push_str(&self.tests);
        if !self.said.is_empty() {
            out.push_str("    <system-out>");
            xml::text(&self.said, out);
            out.push_str("</system-out>\n");
        }
        out.push_str("  </testsuite>\n");
    }
}

/// One test for each gate and slice, in the order of the policy.
fn gates(run: &RunJson, view: &View) -> Suite {
    let mut totals = Totals::default();
    let mut tests = String::new();
    for entry in &run.gates {
        totals.tests += 1;
        gate_test(entry, gate::file_place(&entry.place, run), &mut totals, &mut tests);
    }
    let properties = vec![
        ("verdict", view.verdict.word.to_owned()),
        ("sentence", view.verdict.sentence.clone()),
        ("policy", run.policy.digest.clone()),
        ("engine", view.verdict.engine.clone()),
    ];
    Suite { name: "gates".to_owned(), totals, properties, tests, said: view.warnings.join("\n") }
}

fn gate_test(entry: &GateEntry, at: Option<(&str, u64)>, totals: &mut Totals, out: &mut String) {
    let row = gate::row(entry);
    out.push_str("    <testcase classname=\"citeward.gates\"");
    let name = if entry.slice.is_empty() { row.gate.clone() } else { format!("{} [{}]", row.gate, row.slice) };
    xml::attribute("name", &name, out);
    if let Some((file, line)) = at {
        place(file, line, out);
    }
    out.push_str(NO_TIME);
    let is_unjudged = matches!(entry.cause, Cause::NoData | Cause::TooFew) && entry.verdict != Verdict::Pass;
    match entry.effect {
        Effect::Fail => {
            totals.failures += 1;
            out.push_str(">\n      <failure type=\"gate\"");
            xml::attribute("message", &row.reason, out);
            out.push('>');
            let mut body =
                format!("{}: {}\nmetric {}, {}, value {}", row.word, row.reason, row.metric, row.slice, row.value);
            for (name, text) in [("of", &row.fraction), ("bound", &row.bound), ("change", &row.delta)] {
                if !text.is_empty() {
                    body.push_str(&format!(", {name} {text}"));
                }
            }
            xml::text(&body, out);
            out.push_str("</failure>\n    </testcase>\n");
        }
        Effect::Pass if is_unjudged => {
            totals.skipped += 1;
            out.push_str(">\n      <skipped");
            xml::attribute("message", &format!("not judged: {}", row.reason), out);
            out.push_str("/>\n    </testcase>\n");
        }
        Effect::Warn | Effect::Pass => {
            out.push_str(">\n      <system-out>");
            xml::text(&format!("{}: {}", row.word, row.reason), out);
            out.push_str("</system-out>\n    </testcase>\n");
        }
    }
}

/// The failing cases of a dataset. Where the run passes, its gates allow them: they are skipped, and the build stays green.
fn dataset_suite<'l>(
    (name, version): &(String, String),
    dataset: &DatasetStamp,
    counts: Counts,
    verdict: RunVerdict,
    listed: impl Iterator<Item = &'l Listed>,
) -> Suite {
    let mut totals = Totals::default();
    let mut tests = String::new();
    // Jenkins makes packages of what stands before a point.
    let class = format!("citeward.{}", name.replace('.', "_"));
    for case in listed {
        totals.tests += 1;
        out_case(case, &class, verdict, &mut totals, &mut tests);
    }
    let at_fault = counts.failed + counts.broken;
    let left_out = at_fault - counts.listed.min(at_fault);
    let passing = dataset.cases.saturating_sub(at_fault);
    let mut properties = vec![
        ("dataset", name.clone()),
        ("version", if version.is_empty() { "none".to_owned() } else { version.clone() }),
        ("content-digest", dataset.content_digest.clone()),
        ("cases", dataset.cases.to_string()),
        ("failing-cases", counts.failed.to_string()),
        ("broken-cases", counts.broken.to_string()),
        ("passing-cases", passing.to_string()),
        ("skipped-lines", dataset.skipped_lines.to_string()),
    ];
    let mut said = String::new();
    if left_out > 0 {
        properties.push(("cases-left-out", left_out.to_string()));
        said = format!(
            "{} of {} cases at fault are left out here; {FINDINGS_CSV} has the findings of all.",
            ratio::grouped(left_out),
            ratio::grouped(at_fault)
        );
    }
    let name = if version.is_empty() { name.clone() } else { format!("{name} {version}") };
    Suite { name, totals, properties, tests, said }
}

fn out_case(case: &Listed, class: &str, verdict: RunVerdict, totals: &mut Totals, out: &mut String) {
    out.push_str("    <testcase");
    xml::attribute("classname", class, out);
    out.extend([case.attributes.as_str(), NO_TIME, ">\n"]);
    let message = case.message.strip_prefix(" message=\"").unwrap_or_default();
    match (verdict, case.fault) {
        (RunVerdict::Pass, _) => {
            totals.skipped += 1;
            out.extend(["      <skipped message=\"the gates allow it: ", message, "/>\n"]);
            out.extend(["      <system-out>", &case.body, "</system-out>\n"]);
        }
        (RunVerdict::Fail, Fault::Failed) => {
            totals.failures += 1;
            out.extend(["      <failure type=\"finding\"", &case.message, ">", &case.body, "</failure>\n"]);
        }
        (RunVerdict::Fail, Fault::Broken) => {
            totals.errors += 1;
            out.extend(["      <error type=\"broken\"", &case.message, ">", &case.body, "</error>\n"]);
        }
    }
    out.push_str("    </testcase>\n");
}
