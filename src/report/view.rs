//! The one value that every report is made of: frozen, versioned, documented in `docs/report-view.md`. Everything in it
//! is formatted and harmless; a template only loops and places.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::answer::{self, Item};
use super::cluster::{self, ClusterRow, Examples, StageLine, finding_word};
use super::decision::{self, DecisionLine};
use super::flip::{self, FlipGroup};
use super::gate::{self, GateRow};
use super::heat::{self, Dimension};
use super::label::{self, Decided};
use super::ratio;
use super::review::{self, ReviewView};
use super::room;
use super::sweep::{self, PlotView};
use super::trend::{self, Trend};
use super::visible::{one_line, short};
use super::worst::{self, WorstSlice};
use crate::check::{Family, Severity, Subject};
use crate::diagnostic::{Problem, code};
use crate::gate::measures_data;
use crate::record::{CaseRecord, ClaimRecord};
use crate::run::flips::Direction;
use crate::run::history::Earlier;
use crate::run::manifest::{ClusterEntry, DatasetStamp, EvidenceMode, FileStamp, LinkEntry, RunJson, RunVerdict};
use crate::run::selection::{Kept, Selection};
use crate::run::sweep::written::Written;

/// Most links at the top of a report.
const MOST_LINKS: usize = 20;

/// Schema of the view.
pub const SCHEMA: &str = "citeward/report-view/1";

/// What a template is given.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct View {
    /// Name and version of this format.
    #[schemars(schema_with = "super::schema::view")]
    pub schema: &'static str,
    /// Title of the page.
    pub title: String,
    /// Links at the top, as the policy gives them.
    pub links: Vec<Link>,
    /// The verdict.
    pub verdict: Verdict,
    /// The decision in one paragraph, piece by piece.
    pub decision: Vec<DecisionLine>,
    /// What a reader must know before trusting the run, one sentence each.
    pub warnings: Vec<String>,
    /// What was decided, and by whom.
    pub decided: Decided,
    /// What waits for a reviewer, and what became of reviewers' decisions.
    pub review: ReviewView,
    /// The gates, those that fail the run first.
    pub gates: Vec<GateRow>,
    /// How the gates came out.
    pub gate_counts: GateCounts,
    /// The slices.
    pub slices: Vec<Dimension>,
    /// The slices that come out worst, those whose gate fails first; each once, by the metric by which it is worst.
    pub worst_slices: Vec<WorstSlice>,
    /// Below this denominator a cell without a gate is drawn as too small.
    pub few: u64,
    /// Error findings by the stage at fault.
    pub stages: Vec<StageLine>,
    /// Failures that belong together.
    pub clusters: Vec<ClusterRow>,
    /// What flipped against each baseline.
    pub flips: Vec<FlipGroup>,
    /// The claims and cases that are shown, those that fail first.
    pub items: Vec<Item>,
    /// How many findings there are and how many are shown.
    pub findings: FindingCounts,
    /// What the filter offers.
    pub filters: Filters,
    /// The trend over earlier runs; none where no history was given.
    pub trend: Option<Trend>,
    /// Plots that were put beside the run.
    pub plots: Vec<PlotView>,
    /// Every rule of the policy.
    pub rules: Vec<RuleLine>,
    /// Where everything came from.
    pub provenance: Vec<Stamp>,
    /// The command that makes this run again from the same inputs.
    pub reproduce: String,
}

/// A link that the policy puts at the top of every report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Link {
    /// What it says.
    pub text: String,
    /// Where it leads, `http` or `https`; empty where it is no such address.
    pub href: String,
}

/// The verdict of the run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Verdict {
    /// `pass`, `fail` or `not_judged`.
    #[schemars(schema_with = "super::schema::run_verdict")]
    pub kind: &'static str,
    /// `PASS`, `FAIL` or `NOT JUDGED`.
    #[schemars(schema_with = "super::schema::run_verdict_word")]
    pub word: &'static str,
    /// Why, in one sentence with a full stop; another says how many cases failed by errors that no gate counts, where any did.
    pub sentence: String,
    /// `2 of 7 cases failed by errors that no gate counts (broken-marker in 2)`; empty where none did.
    pub uncounted: String,
    /// Dataset and version.
    pub dataset: String,
    /// Policy, as a person names it.
    pub policy: String,
    /// citeward and its version.
    pub engine: String,
}

/// How the gates came out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GateCounts {
    /// All.
    pub total: usize,
    /// Those that fail the run.
    pub failing: usize,
    /// Those that are said loudly without failing the run.
    pub warning: usize,
    /// Those that could not judge, which the policy lets pass in silence.
    pub unjudged: usize,
    /// Those of them that had no data at all, which the policy says is optional.
    pub without_data: usize,
    /// Those that missed their bound, and whose severity lets that pass in silence.
    pub missed: usize,
    /// Those that pass.
    pub passing: usize,
}

/// How many findings there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FindingCounts {
    /// All.
    pub total: String,
    /// `6 errors, 1 warning, 2 notes, 3 observed`: what only observes, is known or was overturned stands behind those that count.
    pub by_severity: String,
    /// `4 of 12 cases failed, 0 uncounted`.
    pub failed_cases: String,
    /// On the claims and cases that are shown.
    pub shown: String,
    /// Not shown.
    pub left_out: u64,
    /// The same for people; empty where none is left out.
    pub left_out_text: String,
}

/// What the filter offers: only what occurs among the items that are shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Filters {
    /// Rules.
    pub rules: Vec<String>,
    /// Labels.
    #[schemars(schema_with = "super::schema::item_labels")]
    pub labels: Vec<&'static str>,
    /// `language = de`.
    pub slices: Vec<String>,
    /// Stages at fault.
    #[schemars(schema_with = "super::schema::stages")]
    pub stages: Vec<&'static str>,
    /// Whether any came out worse than in the baseline.
    pub has_new: bool,
}

/// A rule of the policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RuleLine {
    /// Its id.
    pub id: String,
    /// Its kind of check.
    pub check: String,
    /// First line of the kind's manual page.
    pub manual: String,
    /// What it is about: `integrity`, `coverage` or `support`.
    #[schemars(schema_with = "super::schema::family")]
    pub family: &'static str,
    /// What a subject is: `case`, `claim` or `citation`.
    #[schemars(schema_with = "super::schema::subject")]
    pub subject: &'static str,
    /// `error`, `warning`, `note` or `observed`.
    #[schemars(schema_with = "super::schema::rule_severity")]
    pub severity: &'static str,
    /// Subjects on which it holds.
    pub pass: String,
    /// Subjects on which it does not.
    pub fail: String,
    /// Subjects on which it has nothing to say.
    pub not_applicable: String,
    /// Subjects on which it could not be evaluated.
    pub broken: String,
    /// Findings that reviewers confirmed.
    pub confirmed: String,
    /// Findings that reviewers overturned.
    pub overturned: String,
    /// Whether it judged nothing at all.
    pub is_idle: bool,
    /// `file:line`.
    pub place: String,
}

/// A line of provenance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Stamp {
    /// What it is.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Whether the value is a digest or another text for machines.
    pub is_code: bool,
}

impl View {
    /// Builds the view of a run.
    ///
    /// # Errors
    /// A [`Problem`] where a line of the selection is not a case or a record of this format.
    pub fn build(run: &RunJson, selection: &Selection) -> Result<Self, Problem> {
        let items = items(run, selection)?;
        let filters = filters(&items);
        let examples = examples(&items);
        let gates = gate::rows(run, &filters);
        let gate_counts = gate_counts(&gates);
        Ok(Self {
            schema: SCHEMA,
            verdict: verdict(run, &gates, &gate_counts),
            title: title(run),
            links: links(run),
            decision: decision::decision(run, &datasets(run), &policy(run)),
            warnings: warnings(run),
            decided: label::decided(run),
            review: review::of(run),
            gate_counts,
            worst_slices: worst::slices(run, &gates),
            gates,
            slices: heat::dimensions(run),
            few: heat::FEW,
            stages: cluster::stages(run, selection),
            clusters: cluster::rows(run, selection, &examples),
            flips: flip::groups(run),
            findings: finding_counts(run, selection, &items),
            filters,
            items,
            trend: None,
            plots: Vec::new(),
            rules: rules(run),
            provenance: provenance(run),
            reproduce: reproduce(run),
        })
    }

    /// The same with the plot of a sweep.
    #[must_use]
    pub fn with_sweep(mut self, run: &RunJson, sweep: &Written) -> Self {
        self.plots.push(sweep::plot(sweep, run));
        self
    }

    /// The same with the trend over earlier runs.
    #[must_use]
    pub fn with_history(mut self, run: &RunJson, earlier: &Earlier) -> Self {
        let (trend, stamps) = trend::of(run, earlier);
        self.provenance.extend(stamps);
        self.reproduce.push_str(&format!(" --history {}", shell_word(&earlier.folder)));
        self.trend = Some(trend);
        self
    }
}

impl View {
    /// The view as a JSON document, with a line break at its end.
    ///
    /// # Errors
    /// None in practice: every value of a view can be written.
    pub fn to_json(&self) -> Result<Vec<u8>, Problem> {
        let mut bytes = serde_json::to_vec_pretty(self)
            .map_err(|error| Problem::new(code::NOT_FINITE, format!("the view cannot be written: {error}")))?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

fn items(run: &RunJson, selection: &Selection) -> Result<Vec<Item>, Problem> {
    let mut items = Vec::new();
    let mut anchors: BTreeMap<String, usize> = BTreeMap::new();
    for kept in &selection.kept {
        items_of(kept, &mut items)?;
    }
    let worse = Worse::of(run, selection);
    for item in &mut items {
        item.is_new = !matches!(item.severity, "" | "known" | "overturned") && worse.holds(item);
        for finding in &mut item.findings {
            let owner = run.owners.iter().find(|(stage, _)| stage.as_str() == finding.stage);
            finding.owner = owner.map(|(_, team)| short(team, 80)).unwrap_or_default();
        }
    }
    items.sort_by_key(rank);
    // Only in a folder that was edited by hand does a claim stand twice.
    for item in &mut items {
        let anchor = item.anchor.clone();
        let times = anchors.entry(anchor.clone()).or_default();
        *times += 1;
        item.anchor = if *times == 1 { anchor } else { format!("{anchor}~{times}") };
    }
    Ok(room::within(items, room::MOST_BYTES, rank))
}

fn items_of(kept: &Kept, items: &mut Vec<Item>) -> Result<(), Problem> {
    let malformed = |error: serde_json::Error| {
        Problem::new(code::MALFORMED_JSON, format!("not a line of this run: {error}")).help("see `citeward verify`")
    };
    let case: CaseRecord<'_> = serde_json::from_slice(&kept.case).map_err(malformed)?;
    if kept.case_has_finding {
        items.push(answer::of_case(&case));
    }
    for (_, line) in &kept.claims {
        let claim: ClaimRecord<'_> = serde_json::from_slice(line).map_err(malformed)?;
        items.push(answer::of_claim(&case, &claim));
    }
    Ok(())
}

/// What fails comes first, then what warns, then what is open; within each what is new against the baseline, then the order of
/// the data.
fn rank(item: &Item) -> (u8, bool) {
    let rank = match (item.severity, item.label) {
        ("error", _) => 0,
        ("warning", _) => 1,
        ("note", _) => 2,
        ("observed" | "overturned" | "known", _) => 3,
        (_, "undecided") => 4,
        _ => 5,
    };
    (rank, !item.is_new)
}

/// Claims and cases that came out worse than in the baseline, or that it does not have.
struct Worse {
    /// Case and claim, as the report shows them; the claim is empty where the case itself is worse.
    subjects: BTreeSet<(String, String)>,
    /// Cases that the baseline does not have.
    cases: BTreeSet<String>,
    /// Whether findings of the baseline are marked as known: then every other one is new.
    marks_known: bool,
}

impl Worse {
    fn of(run: &RunJson, selection: &Selection) -> Worse {
        let all = || run.flips.iter().map(|flips| &flips.flips);
        let claims = all().flat_map(|flips| &flips.claims).filter(|flip| flip.direction == Direction::Worse);
        let cases = all().flat_map(|flips| &flips.cases).filter(|flip| flip.direction == Direction::Worse);
        let lone = all().flat_map(|flips| &flips.new_claims);
        let subjects = claims
            .map(|flip| (one_line(&flip.case_id), one_line(&flip.claim_id)))
            .chain(lone.map(|claim| (one_line(&claim.case_id), one_line(&claim.claim_id))))
            .chain(cases.map(|flip| (one_line(&flip.case_id), String::new())));
        Worse {
            subjects: subjects.collect(),
            cases: all().flat_map(|flips| &flips.added_cases).map(|id| one_line(id)).collect(),
            marks_known: selection.clusters.keys().any(|key| key.known),
        }
    }

    fn holds(&self, item: &Item) -> bool {
        self.marks_known
            || self.cases.contains(&item.case_id)
            || self.subjects.contains(&(item.case_id.clone(), item.claim_id.clone()))
    }
}

/// Anchor and message of the first finding of every rule and code.
fn examples(items: &[Item]) -> Examples {
    let mut examples = BTreeMap::new();
    for item in items {
        for finding in &item.findings {
            examples
                .entry((finding.rule.clone(), finding.code.clone(), finding.stage, finding.severity))
                .or_insert_with(|| (item.anchor.clone(), short(&finding.message, 240)));
        }
    }
    examples
}

fn gate_counts(gates: &[GateRow]) -> GateCounts {
    let failing = gates.iter().filter(|gate| gate.fails_run).count();
    let warning = gates.iter().filter(|gate| gate.warns).count();
    let passing = gates.iter().filter(|gate| gate.verdict == "pass").count();
    let silent =
        |verdict: &str| gates.iter().filter(|gate| !gate.fails_run && !gate.warns && gate.verdict == verdict).count();
    let (missed, without_data) = (gates.iter().filter(|gate| gate.is_missed()).count(), silent("no_data"));
    let unjudged = gates.len().saturating_sub(failing + warning + passing + missed);
    GateCounts { total: gates.len(), failing, warning, unjudged, without_data, missed, passing }
}

/// What is to be said beside the gates that pass and fail: `, 2 warn, 1 missed its bound, 3 had too little to judge, 8 had no data (optional)`.
pub(super) fn besides(counts: &GateCounts) -> String {
    let mut text = String::new();
    if counts.warning > 0 {
        text.push_str(&format!(", {} warn", counts.warning));
    }
    if counts.missed > 0 {
        let bound = if counts.missed == 1 { "its bound" } else { "their bounds" };
        text.push_str(&format!(", {} missed {bound}", counts.missed));
    }
    let too_little = counts.unjudged.saturating_sub(counts.without_data);
    if too_little > 0 {
        text.push_str(&format!(", {too_little} had too little to judge"));
    }
    if counts.without_data > 0 {
        text.push_str(&format!(", {} had no data (optional)", counts.without_data));
    }
    text
}

fn verdict(run: &RunJson, gates: &[GateRow], counts: &GateCounts) -> Verdict {
    let mut gates_on_data = run.gates.iter().filter(|gate| measures_data(&gate.metric)).peekable();
    let is_nothing =
        gates_on_data.peek().is_some() && gates_on_data.all(|gate| gate.verdict == crate::gate::Verdict::NoData);
    let (kind, word) = match run.verdict {
        RunVerdict::Pass => ("pass", "PASS"),
        RunVerdict::Fail if is_nothing => ("not_judged", "NOT JUDGED"),
        RunVerdict::Fail => ("fail", "FAIL"),
    };
    let gates_word = |count: usize| if count == 1 { "gate" } else { "gates" };
    let reasons: Vec<&str> = gates.iter().filter(|gate| gate.fails_run).map(|gate| gate.reason.as_str()).collect();
    let sentence = match (kind, reasons.as_slice()) {
        ("pass", _) if counts.passing < counts.total => {
            format!("{} of {} {} pass{}.", counts.passing, counts.total, gates_word(counts.total), besides(counts))
        }
        ("pass", _) if counts.total == 1 => "The only gate passes.".to_owned(),
        ("pass", _) => format!("All {} gates pass.", counts.total),
        ("not_judged", _) => "No gate had anything to measure. That counts as a failure.".to_owned(),
        (_, []) => "The run failed.".to_owned(),
        (_, [first, rest @ ..]) => {
            let verb = if reasons.len() == 1 { "fails" } else { "fail" };
            let more = match rest.len() {
                0 => String::new(),
                1 => " One more is below.".to_owned(),
                more => format!(" {more} more are below."),
            };
            format!("{} of {} {} {verb}: {first}.{more}", reasons.len(), counts.total, gates_word(counts.total))
        }
    };
    let uncounted = one_line(&run.uncounted.in_words(run.counts.cases));
    let sentence = if uncounted.is_empty() { sentence } else { format!("{sentence} {uncounted}.") };
    Verdict {
        kind,
        word,
        sentence,
        uncounted,
        dataset: datasets(run),
        policy: policy(run),
        engine: format!("citeward {}", one_line(&run.engine.version)),
    }
}

fn title(run: &RunJson) -> String {
    match &run.report.title {
        Some(title) => short(title, 200),
        None => format!("citeward: {}", datasets(run)),
    }
}

fn links(run: &RunJson) -> Vec<Link> {
    let link = |entry: &LinkEntry| Link { text: short(&entry.text, 120), href: answer::link(&entry.url) };
    run.report.links.iter().take(MOST_LINKS).map(link).collect()
}

fn datasets(run: &RunJson) -> String {
    let names: Vec<String> = run.datasets.iter().map(dataset_name).collect();
    match names.as_slice() {
        [] => "no dataset".to_owned(),
        [first, second, third, rest @ ..] if !rest.is_empty() => {
            format!("{first}, {second}, {third} and {} more", rest.len())
        }
        names => names.join(", "),
    }
}

fn dataset_name(dataset: &DatasetStamp) -> String {
    match &dataset.version {
        Some(version) => format!("{} {}", short(&dataset.name, 80), short(version, 40)),
        None => format!("{} (unversioned)", short(&dataset.name, 80)),
    }
}

fn policy(run: &RunJson) -> String {
    let digest: String = run.policy.digest.trim_start_matches("sha256:").chars().take(12).collect();
    let digest = one_line(&digest);
    match run.policy.files.len() {
        0 => format!("built in ({digest})"),
        1 => format!("1 file ({digest})"),
        files => format!("{files} files ({digest})"),
    }
}

fn warnings(run: &RunJson) -> Vec<String> {
    let mut warnings: Vec<String> = run.warnings.iter().map(|warning| short(warning, 500)).collect();
    for (limit, times) in &run.limits.hit {
        warnings.push(format!("The limit {} was reached {}.", one_line(limit), times_word(*times)));
    }
    warnings
}

fn lines(count: u64) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{} lines", ratio::grouped(count)) }
}

fn times_word(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{} times", ratio::grouped(count)) }
}

/// `6 errors, 1 warning, 2 notes`, of the findings that count; `3 observed`, `1 known`, `1 overturned` behind them, where there are any.
fn by_severity(run: &RunJson) -> String {
    let counts = |cluster: &&ClusterEntry| !(cluster.observed || cluster.overturned || cluster.known);
    let of = |severity, word: &str| {
        let clusters = run.clusters.iter().filter(counts).filter(|cluster| cluster.severity == severity);
        let count = clusters.map(|cluster| cluster.count).fold(0, u64::saturating_add);
        format!("{} {word}{}", ratio::grouped(count), if count == 1 { "" } else { "s" })
    };
    let mut told = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")]
        .map(|(severity, word)| of(severity, word))
        .to_vec();
    for word in ["observed", "known", "overturned"] {
        let is_meant = |c: &&ClusterEntry| finding_word(c.severity, c.observed, c.overturned, c.known) == word;
        let count = run.clusters.iter().filter(is_meant).map(|c| c.count).fold(0, u64::saturating_add);
        if count > 0 {
            told.push(format!("{} {word}", ratio::grouped(count)));
        }
    }
    told.join(", ")
}

/// `4 of 12 cases failed, 0 uncounted`: by errors that no gate counts.
fn failed_cases(run: &RunJson) -> String {
    let cases = |count: u64| format!("{} {}", ratio::grouped(count), if count == 1 { "case" } else { "cases" });
    let (failed, uncounted) = (run.counts.failing_cases, run.uncounted.cases);
    if failed == 0 {
        return "no case failed".to_owned();
    }
    let (failed, uncounted) = (ratio::grouped(failed), ratio::grouped(uncounted));
    format!("{failed} of {} failed, {uncounted} uncounted", cases(run.counts.cases))
}

fn finding_counts(run: &RunJson, selection: &Selection, items: &[Item]) -> FindingCounts {
    let total: u64 = selection.clusters.values().map(|cluster| cluster.count).sum();
    let shown = items.iter().map(|item| item.findings.len() as u64).sum();
    let left_out = total.saturating_sub(shown);
    FindingCounts {
        total: ratio::grouped(total),
        by_severity: by_severity(run),
        failed_cases: failed_cases(run),
        shown: ratio::grouped(shown),
        left_out,
        left_out_text: if left_out == 0 { String::new() } else { ratio::grouped(left_out) },
    }
}

fn filters(items: &[Item]) -> Filters {
    let rules: BTreeSet<String> =
        items.iter().flat_map(|item| item.findings.iter().map(|finding| finding.rule.clone())).collect();
    let labels: BTreeSet<&'static str> = items.iter().map(|item| item.label).collect();
    let slices: BTreeSet<String> = items.iter().flat_map(|item| item.slices.iter().cloned()).collect();
    let stages: BTreeSet<&'static str> = items.iter().flat_map(|item| item.stages.iter().copied()).collect();
    Filters {
        rules: rules.into_iter().collect(),
        labels: labels.into_iter().collect(),
        slices: slices.into_iter().collect(),
        stages: stages.into_iter().collect(),
        has_new: items.iter().any(|item| item.is_new),
    }
}

fn rules(run: &RunJson) -> Vec<RuleLine> {
    run.rules
        .iter()
        .map(|(id, rule)| RuleLine {
            id: one_line(id),
            check: one_line(&rule.check),
            manual: one_line(&rule.manual),
            family: match rule.family {
                Family::Integrity => "integrity",
                Family::Coverage => "coverage",
                Family::Support => "support",
            },
            subject: match rule.subject {
                Subject::Case => "case",
                Subject::Claim => "claim",
                Subject::Citation => "citation",
            },
            severity: cluster::severity_word(rule.severity, rule.observed),
            pass: ratio::grouped(rule.pass),
            fail: ratio::grouped(rule.fail),
            not_applicable: ratio::grouped(rule.not_applicable),
            broken: ratio::grouped(rule.broken),
            confirmed: ratio::grouped(rule.confirmed),
            overturned: ratio::grouped(rule.overturned),
            is_idle: rule.pass + rule.fail + rule.broken == 0,
            place: one_line(&rule.place),
        })
        .collect()
}

fn provenance(run: &RunJson) -> Vec<Stamp> {
    let mut stamps = Vec::new();
    let mut add = |name: &str, value: &str, is_code: bool| {
        stamps.push(Stamp { name: name.to_owned(), value: short(value, 1_000), is_code });
    };
    add("engine", &format!("citeward {}", run.engine.version), false);
    let files = if run.policy.files.is_empty() { "built in".to_owned() } else { run.policy.files.join(", ") };
    add("policy files", &files, false);
    add("policy", &run.policy.digest, true);
    add("policy, evaluating part", &run.policy.evaluation_digest, true);
    add("policy, gates", &run.policy.gates_digest, true);
    for dataset in &run.datasets {
        let name = dataset_name(dataset);
        let frozen = if dataset.frozen { "frozen" } else { "not frozen" };
        let purpose = dataset.purpose.as_deref().map(|purpose| format!(", {purpose}")).unwrap_or_default();
        let cases =
            if dataset.cases == 1 { "1 case".to_owned() } else { format!("{} cases", ratio::grouped(dataset.cases)) };
        add(
            "dataset",
            &format!("{name} ({frozen}{purpose}): {cases}, {} skipped", lines(dataset.skipped_lines)),
            false,
        );
        add("dataset content", &dataset.content_digest, true);
        add("dataset questions", &dataset.questions_digest, true);
    }
    let inputs = &run.inputs;
    let files: [(&str, &Option<FileStamp>); 3] =
        [("answers", &inputs.answers), ("source register", &inputs.sources), ("decisions", &inputs.decisions)];
    for (name, file) in files {
        match file {
            Some(file) => {
                add(name, &file.path, false);
                add(&format!("{name}, bytes"), &file.sha256, true);
            }
            None => add(name, "none", false),
        }
    }
    if inputs.baselines.is_empty() {
        add("baseline", "none", false);
    }
    for baseline in &inputs.baselines {
        let called = if baseline.name.is_empty() { String::new() } else { format!(" {}", baseline.name) };
        add(&format!("baseline{called}"), &baseline.file.path, false);
        add(&format!("baseline{called}, bytes"), &baseline.file.sha256, true);
    }
    if let Some(today) = &inputs.today {
        add("decisions, looked at on", today, false);
    }
    let evidence = match inputs.evidence {
        EvidenceMode::Full => "excerpts are written out",
        EvidenceMode::HashOnly => "only hashes are written out",
    };
    add("evidence", evidence, false);
    for template in &run.report.rendered_by {
        add("template", &template.path, false);
        add("template, bytes", &template.sha256, true);
    }
    add("run format", &run.schema, true);
    stamps
}

/// The command that makes the run again; paths as the user gave them.
fn reproduce(run: &RunJson) -> String {
    let mut words = vec!["citeward".to_owned(), "check".to_owned()];
    for dataset in &run.datasets {
        words.push(match &dataset.version {
            Some(version) => shell_word(&format!("datasets/{}/{version}", dataset.name)),
            None => shell_word(&dataset.name),
        });
    }
    let folder = run.policy.files.first().and_then(|file| file.rsplit_once('/')).map(|(folder, _)| folder);
    if let Some(folder) = folder.filter(|folder| *folder != "rules") {
        words.extend(["--rules".to_owned(), shell_word(folder)]);
    }
    let inputs = &run.inputs;
    for (flag, file) in
        [("--answers", &inputs.answers), ("--sources", &inputs.sources), ("--decisions", &inputs.decisions)]
    {
        if let Some(file) = file {
            words.extend([flag.to_owned(), shell_word(&file.path)]);
        }
    }
    // Those with a name are named by the policy.
    for baseline in inputs.baselines.iter().filter(|baseline| baseline.name.is_empty()) {
        words.extend(["--baseline".to_owned(), shell_word(&baseline.file.path)]);
    }
    if let Some(today) = &inputs.today {
        words.extend(["--today".to_owned(), shell_word(today)]);
    }
    if inputs.evidence == EvidenceMode::HashOnly {
        words.push("--evidence hash-only".to_owned());
    }
    words.join(" ")
}

/// A text as one word of a shell's command line.
fn shell_word(text: &str) -> String {
    let text = one_line(text);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
