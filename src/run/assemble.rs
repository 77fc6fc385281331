//! Puts the manifest of a run together: what was read, what was counted, how the gates came out.

use std::collections::{BTreeMap, BTreeSet};

use super::cluster;
use super::evaluate::{Evaluation, Placed};
use super::manifest::{
    BaselineEntry, BaselineFlips, BaselineStamp, BoundEntry, ComparisonEntry, Counts, DatasetStamp, DeciderCount,
    Engine, FieldNote, FileStamp, GateEntry, Inputs, LapseEntry, LimitsStamp, LinkEntry, MetricEntry, Number,
    PolicyStamp, RedactionStamp, ReportStamp, ReviewStamp, RuleEntry, RunJson, RunVerdict, SCHEMA, SliceEntry,
};
use super::review::{Lapse, Standing};
use super::unmatched;
use crate::check::{Severity, manual};
use crate::dataset::decisions::SetByHand;
use crate::dataset::folder::{Dataset, LeftOut};
use crate::dataset::manifest::Purpose;
use crate::dataset::slip::{Meant, Object, Slips};
use crate::dataset::{self, Decisions, Label};
use crate::diagnostic::harmless;
use crate::gate::counting::Counting;
use crate::gate::{Compared, Decision, GateResult};
use crate::rules::Policy;
use crate::rules::metric::{CASE_PASS_RATE, CLAIM_COVERAGE, Metric, NO_CLAIM_RATE, REFUSAL_RATE, UNREAD_LANGUAGE_RATE};
use crate::rules::policy::{Gate, Mode};
use crate::rules::settings::Report;
use crate::tally::{Listed, RuleTable, Tally};

/// Most decisions that decided nothing that a run lists; the rest is counted.
const MOST_LAPSES: usize = 1_000;
/// Most fields of one kind of object that a warning names.
const NOTES_SAID: usize = 4;
/// Who decided a label that a reviewer gave.
const REVIEWER: &str = "review";

/// What went into a run beside the policy.
#[derive(Debug)]
pub struct RunInputs<'r> {
    /// The datasets, in reading order; the input files of an evaluation are theirs, one after the other.
    pub datasets: &'r [Dataset],
    /// What lies in the folders of datasets and was not evaluated.
    pub left_out: Vec<LeftOut>,
    /// A candidate's answers that were laid over the cases.
    pub answers: Option<FileStamp>,
    /// The source register that citations were held against.
    pub sources: Option<FileStamp>,
    /// Reviewers' decisions.
    pub decisions: Option<&'r Decisions>,
    /// What became of them.
    pub standing: Standing<'r>,
    /// The baselines that gates were held against.
    pub baselines: Vec<BaselineStamp>,
    /// Whether findings that the baseline has were told from new ones.
    pub tells_new: bool,
    /// What flipped against them.
    pub flips: Vec<BaselineFlips>,
    /// What a reader must know of the comparison with them.
    pub comparison_warnings: Vec<String>,
    /// The rules, by index, whose condition held for nothing.
    pub never_applied: Vec<usize>,
    /// Whether passages are in the outputs.
    pub evidence: super::manifest::EvidenceMode,
}

/// The manifest of a run.
#[must_use]
pub fn manifest(
    policy: &Policy,
    inputs: RunInputs<'_>,
    evaluation: &mut Evaluation,
    decision: &Decision,
    table: &RuleTable,
) -> RunJson {
    let datasets = dataset_stamps(inputs.datasets, evaluation);
    let tally = &evaluation.tally;
    let field_notes = field_notes(policy, &evaluation.slips);
    let mut warnings: Vec<String> =
        inputs.decisions.and_then(Decisions::set_by_hand).map(set_by_hand).into_iter().collect();
    warnings.extend(policy.idle.iter().cloned());
    warnings.extend(unmatched::warnings(policy, tally, table, &inputs.never_applied));
    warnings.extend(not_read(policy, evaluation, &field_notes));
    warnings.extend(of_run(policy, inputs.datasets, evaluation, decision));
    warnings.extend(
        inputs
            .left_out
            .iter()
            .map(|left| format!("{} is left out of the run: {}.", harmless(&left.dataset), left.why.in_words())),
    );
    warnings.extend(inputs.comparison_warnings);
    let mut labels = BTreeMap::new();
    for (label, count) in tally.overall().labels() {
        labels.insert(label, count);
    }
    let slices = slices(tally, table);
    RunJson {
        schema: SCHEMA.to_owned(),
        verdict: if decision.passes() { RunVerdict::Pass } else { RunVerdict::Fail },
        engine: Engine { version: env!("CARGO_PKG_VERSION").to_owned() },
        policy: policy_stamp(policy),
        datasets,
        left_out: inputs.left_out,
        inputs: Inputs {
            answers: inputs.answers,
            sources: inputs.sources,
            baselines: inputs.baselines,
            tells_new: inputs.tells_new,
            decisions: inputs.decisions.map(|decisions| FileStamp {
                path: decisions.name().to_owned(),
                sha256: decisions.digest().to_string(),
            }),
            today: inputs.standing.today.map(|today| today.to_string()),
            evidence: inputs.evidence,
        },
        counts: counts(tally, evaluation.unresolved_citations),
        labels,
        by_decider: by_decider(tally),
        metrics: metrics(&policy.gates, tally, table),
        gates: decision.results.iter().map(gate_entry).collect(),
        findings: tally.finding_counts(),
        uncounted: Counting::of(policy).uncounted(tally),
        clusters: cluster::entries(&evaluation.selection, &slices, &policy.owners),
        owners: policy.owners.clone(),
        rules: rules(policy, tally),
        slices,
        review: review(policy, tally, &inputs.standing),
        redaction: redaction(policy),
        limits: LimitsStamp { findings_per_rule: policy.limits.findings_per_rule as u64, hit: BTreeMap::new() },
        report: report_stamp(&policy.settings.report),
        flips: inputs.flips,
        field_notes,
        warnings,
    }
}

fn redaction(policy: &Policy) -> Option<RedactionStamp> {
    let redact = &policy.settings.redact;
    (!redact.redactor.is_empty()).then(|| RedactionStamp {
        patterns: redact.patterns.iter().map(|(name, _)| name.clone()).collect(),
        fields: redact.fields.iter().map(|field| field.0.clone()).collect(),
        keyed: redact.redactor.hashing.is_keyed(),
        key_check: redact.redactor.hashing.key_check(),
    })
}

/// What a run says of its policy.
pub(super) fn policy_stamp(policy: &Policy) -> PolicyStamp {
    PolicyStamp {
        digest: policy.digest.to_string(),
        evaluation_digest: policy.evaluation_digest.to_string(),
        gates_digest: policy.gates_digest.to_string(),
        files: policy.files.clone(),
    }
}

/// What a policy says of the reports; which templates render them is not known to it.
#[must_use]
pub fn report_stamp(report: &Report) -> ReportStamp {
    let link = |(text, url): &(String, String)| LinkEntry { text: text.clone(), url: url.clone() };
    ReportStamp {
        title: report.title.clone(),
        links: report.links.iter().map(link).collect(),
        markdown_characters: report.markdown_characters as u64,
        templates: report.templates.clone(),
        rendered_by: Vec::new(),
    }
}

fn dataset_stamps(datasets: &[Dataset], evaluation: &mut Evaluation) -> Vec<DatasetStamp> {
    let mut counts = std::mem::take(&mut evaluation.datasets).into_iter();
    let stamp = |dataset: &Dataset| {
        let counts = counts.next().unwrap_or_default();
        let digests = counts.fingerprint.finish();
        DatasetStamp {
            name: dataset.name.clone(),
            version: dataset.version.clone(),
            purpose: dataset.purpose().map(|purpose| purpose.as_str().to_owned()),
            frozen: dataset.is_frozen(),
            content_digest: digests.content.to_string(),
            questions_digest: digests.questions.to_string(),
            cases: counts.cases,
            skipped_lines: counts.skipped_lines,
        }
    };
    datasets.iter().map(stamp).collect()
}

/// Labels by who decided.
pub(super) fn by_decider(tally: &Tally) -> Vec<DeciderCount> {
    let count = |(decided_by, label, count): (&str, Label, u64)| DeciderCount {
        label,
        decided_by: decided_by.to_owned(),
        count,
    };
    tally.overall().labels_by_decider().map(count).collect()
}

/// What was counted.
pub(super) fn counts(tally: &Tally, unresolved_citations: u64) -> Counts {
    let overall = tally.overall();
    let of = |metric: &Metric| overall.counts(metric).map_or((0, 0), |counts| (counts.k, counts.n));
    let (passing, judged) = of(&CASE_PASS_RATE);
    let (cited, verifiable) = of(&CLAIM_COVERAGE);
    Counts {
        cases: tally.cases(),
        failing_cases: judged - passing.min(judged),
        refused_cases: of(&REFUSAL_RATE).0,
        cases_without_claims: of(&NO_CLAIM_RATE).0,
        cases_in_unread_languages: of(&UNREAD_LANGUAGE_RATE).0,
        broken_cases: tally.missing_answers(),
        claims: overall.claims,
        verifiable_claims: verifiable,
        cited_claims: cited,
        citations: overall.citations,
        unresolved_citations,
    }
}

/// Every metric in every slice; those that only some gates ask for too.
pub(super) fn metrics(gates: &[Gate], tally: &Tally, table: &RuleTable) -> Vec<MetricEntry> {
    let entry = |entry: crate::tally::MetricEntry| MetricEntry {
        metric: entry.metric,
        average: entry.average,
        slice: entry.slice.to_map(),
        numerator: numerator(&entry.listed),
        denominator: Number::Count(entry.listed.denominator),
        value: entry.listed.value,
        cases: entry.cases,
        broken: entry.broken,
        range: entry.range.map(|(low, high)| [low, high]),
    };
    tally.metric_entries(table, gates).into_iter().map(entry).collect()
}

/// A gate's result as `run.json` lists it.
pub(super) fn gate_entry(result: &GateResult) -> GateEntry {
    // The worst decides, the first of equals.
    let deciding = result.comparisons.iter().rev().max_by_key(|compared| compared.effect);
    GateEntry {
        gate: result.gate.clone(),
        metric: result.metric.clone(),
        average: result.average,
        slice: result.slice.to_map(),
        severity: result.severity,
        verdict: result.verdict,
        effect: result.effect,
        cause: result.cause,
        reason: result.reason.clone(),
        value: result.listed.value,
        numerator: numerator(&result.listed),
        denominator: Number::Count(result.listed.denominator),
        bound: BoundEntry {
            min: result.bounds.min.clone(),
            max: result.bounds.max.clone(),
            max_drop: result.bounds.max_drop.clone(),
            max_rise: result.bounds.max_rise.clone(),
            relative: result.bounds.relative,
        },
        min_samples: result.min_samples,
        broken: result.broken,
        confidence: result.confidence.clone(),
        interval: result.interval,
        baseline: deciding.map(baseline_entry),
        p: deciding.and_then(|compared| compared.adjusted_p),
        comparisons: result.comparisons.iter().map(comparison_entry).collect(),
        place: result.place.clone(),
    }
}

fn baseline_entry(compared: &Compared) -> BaselineEntry {
    let denominator = compared.counts.map_or(compared.paired_cases, |[_, n, ..]| n);
    BaselineEntry { value: compared.before, numerator: compared.counts.map(|[k, ..]| k), denominator }
}

fn comparison_entry(compared: &Compared) -> ComparisonEntry {
    ComparisonEntry {
        baseline: compared.baseline.clone(),
        verdict: compared.verdict,
        effect: compared.effect,
        cause: compared.cause,
        reason: compared.reason.clone(),
        before: compared.before,
        now: compared.now,
        drop: compared.drop,
        counts: compared.counts,
        paired_cases: compared.paired_cases,
        removed: compared.removed,
        added: compared.added,
        changed: compared.changed,
        p: compared.p,
        adjusted_p: compared.adjusted_p,
        method: compared.method.map(|method| method.to_string()),
        smallest_detectable: compared.smallest_detectable,
    }
}

/// The numerator as a count; of a macro average the sum of the cases' ratios.
fn numerator(listed: &Listed) -> Number {
    #[allow(clippy::cast_precision_loss, reason = "shown only; gates compare exactly")]
    let sum = || Number::Real(listed.value.unwrap_or_default() * listed.denominator as f64);
    listed.numerator.map_or_else(sum, Number::Count)
}

fn rules(policy: &Policy, tally: &Tally) -> BTreeMap<String, RuleEntry> {
    let counts = tally.rule_counts();
    let entry = |rule: &crate::rules::policy::Rule| {
        let counts = counts.get(&rule.id).copied().unwrap_or_default();
        let entry = RuleEntry {
            pass: counts.pass,
            fail: counts.fail,
            not_applicable: counts.not_applicable,
            broken: counts.broken,
            confirmed: counts.confirmed,
            overturned: counts.overturned,
            check: rule.kind.name.to_owned(),
            subject: rule.check.subject(),
            family: rule.family(),
            severity: rule.severity,
            observed: rule.mode == Mode::Observe,
            place: rule.place.clone(),
            manual: manual::summary(rule.kind),
        };
        (rule.id.clone(), entry)
    };
    policy.rules.iter().map(entry).collect()
}

fn review(policy: &Policy, tally: &Tally, standing: &Standing<'_>) -> ReviewStamp {
    let mut why = BTreeMap::new();
    for (_, lapse) in &standing.lapsed {
        *why.entry(*lapse).or_default() += 1;
    }
    let all = standing.lapsed.len() as u64;
    let expired = why.get(&Lapse::Expired).copied().unwrap_or(0);
    let by_reviewers = tally.overall().labels_by_decider().filter(|(decided_by, ..)| *decided_by == REVIEWER);
    ReviewStamp {
        open: tally.review().open,
        reasons: tally.review().by_reason().filter(|(_, count)| *count > 0).collect(),
        max_unreviewed: policy.settings.review.max_unreviewed,
        decided: by_reviewers.map(|(.., count)| count).sum(),
        lapsed: all.saturating_sub(expired),
        expired,
        why,
        lapses: standing
            .lapsed
            .iter()
            .take(MOST_LAPSES)
            .map(|(decision, lapse)| lapse_entry(decision, *lapse))
            .collect(),
    }
}

fn lapse_entry(decision: &dataset::decisions::Decision, why: Lapse) -> LapseEntry {
    LapseEntry {
        line: decision.line,
        case_id: decision.case_id.clone(),
        claim_id: decision.claim_id.clone(),
        label: decision.label,
        why,
    }
}

/// Every slice with its size.
pub(super) fn slices(tally: &Tally, table: &RuleTable) -> Vec<SliceEntry> {
    let entry = |(key, slice, _): (crate::tally::SliceKey, &crate::tally::SliceTally, _)| SliceEntry {
        slice: key.to_map(),
        cases: slice.cases,
        claims: slice.claims,
        citations: slice.citations,
    };
    tally.slices(table).into_iter().map(entry).collect()
}

/// `file:line` as a run shows it.
fn place(policy: &Policy, file: &str, line: u64) -> String {
    format!("{}:{line}", policy.settings.redact.redactor.id(file))
}

/// The fields that nothing reads and that look meant. One that the policy addresses is meant as it is.
fn field_notes(policy: &Policy, slips: &Slips) -> Vec<FieldNote> {
    let slips = slips.all.iter().filter(|slip| !policy.addresses(slip.object, &slip.field));
    slips
        .map(|slip| FieldNote {
            object: slip.object,
            field: slip.field.to_string(),
            meant: match slip.meant {
                Meant::Field(name) => Some(name.to_owned()),
                Meant::ReferenceAnswer => None,
            },
            remedy: slip.meant.remedy(),
            count: slip.count,
            first: place(policy, &slip.file, slip.line),
        })
        .collect()
}

/// The same as people read it, a sentence for each kind of object.
fn noted(notes: &[FieldNote], others: u64) -> Vec<String> {
    let sentence = |object: Object| {
        let mut own: Vec<&FieldNote> = notes.iter().filter(|note| note.object == object).collect();
        let more = own.split_off(own.len().min(NOTES_SAID)).len();
        let one = |note: &&FieldNote| {
            format!("`{}` of {}, first at {}: {}", note.field, object.counted(note.count), note.first, note.remedy)
        };
        let mut said: Vec<String> = own.iter().map(one).collect();
        if more > 0 {
            said.push(format!("{more} more are under `field_notes` in run.json"));
        }
        (!said.is_empty()).then(|| format!("Not read: {}.", said.join("; ")))
    };
    let others = match others {
        0 => None,
        1 => Some("Not read: 1 more field with a name that is nearly right.".to_owned()),
        others => Some(format!("Not read: {others} more fields with names that are nearly right.")),
    };
    Object::ALL.into_iter().filter_map(sentence).chain(others).collect()
}

/// What of the data was not read, or does not apply.
fn not_read(policy: &Policy, evaluation: &Evaluation, notes: &[FieldNote]) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(Placed { count: claims, file, line }) = &evaluation.unread {
        let cite = if *claims == 1 { "claim cites a unit" } else { "claims cite units" };
        let first = place(policy, file, *line);
        warnings.push(format!(
            "{claims} {cite} without readable content, first at {first}; a unit's text stands in `content`, and what its markup hides is not read."
        ));
    }
    if let Some(Placed { count: labels, file, line }) = &evaluation.lapsed_labels {
        let (given, applies) = if *labels == 1 { ("label was", "does") } else { ("labels were", "do") };
        let first = place(policy, file, *line);
        warnings.push(format!(
            "{labels} {given} given for another text or other citations than the answers bring, and {applies} not apply, first at {first}."
        ));
    }
    if let Some(Placed { count, file, line }) = &evaluation.replaced_units {
        let units = if *count == 1 { "unit has" } else { "units have" };
        let first = place(policy, file, *line);
        warnings.push(format!(
            "{count} {units} another text, title, address, version or scope in the answers file than under the same id in the dataset, first at {first}; the answers were checked against their own."
        ));
    }
    if let Some(Placed { count, file, line }) = &evaluation.added_units {
        let units = if *count == 1 { "unit stands" } else { "units stand" };
        let first = place(policy, file, *line);
        warnings.push(format!(
            "{count} {units} in the answers file alone, first at {first}; the dataset's own packets do not have them, and what they say is taken as it is."
        ));
    }
    warnings.extend(noted(notes, evaluation.slips.others));
    warnings
}

/// That the day was set by hand, and what that does.
fn set_by_hand(set: SetByHand) -> String {
    let decisions = |count: u64, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 decision {one}")),
        count => Some(format!("{count} decisions {many}")),
    };
    let revived = decisions(
        set.revived,
        "that has expired by the system's date holds again",
        "that have expired by the system's date hold again",
    );
    let ended = decisions(
        set.ended,
        "that holds by the system's date has expired",
        "that hold by the system's date have expired",
    );
    let what = revived.or(ended).unwrap_or_else(|| "no decision changes by it".to_owned());
    format!("The day was set by hand, --today {}: {what}.", set.day)
}

/// What a reader must know before trusting the run.
fn of_run(policy: &Policy, datasets: &[Dataset], evaluation: &Evaluation, decision: &Decision) -> Vec<String> {
    let mut warnings = Vec::new();
    if policy.files.is_empty() {
        warnings.push(
            "The built-in policy was used: no folder of rules was given, and there is no rules/ here.".to_owned(),
        );
    }
    let named = |pick: fn(&Dataset) -> bool| -> BTreeSet<&str> {
        datasets.iter().filter(|dataset| pick(dataset)).map(|dataset| dataset.name.as_str()).collect()
    };
    let mut say = |names: BTreeSet<&str>, what: &str| {
        if !names.is_empty() {
            warnings.push(format!("{}: {what}", names.into_iter().collect::<Vec<_>>().join(", ")));
        }
    };
    say(named(|d| d.version.is_none()), "unversioned data; freeze a dataset to make runs comparable.");
    say(named(|d| d.version.is_some() && !d.is_frozen()), "not frozen; its bytes may change unnoticed.");
    say(named(|d| d.purpose() == Some(Purpose::Calibration)), "a calibration set; gates should not stand on it.");
    if policy.markers.grammars().is_empty() && evaluation.tally.overall().citations == 0 {
        warnings.push("The policy declares no markers: nothing that an answer's text cites was read.".to_owned());
    }
    let skipped = evaluation.tally.skipped_lines();
    if skipped > 0 {
        let lines = if skipped == 1 { "1 bad line was".to_owned() } else { format!("{skipped} bad lines were") };
        warnings.push(format!("{lines} skipped; each counts as broken in every gate."));
    }
    let missing = evaluation.tally.missing_answers();
    if missing > 0 {
        let cases = if missing == 1 { "1 case".to_owned() } else { format!("{missing} cases") };
        warnings.push(format!("{cases} got no answer; each counts as broken in every gate."));
    }
    let known = evaluation.selection.clusters.iter().filter(|(key, _)| key.known && key.severity.0 == Severity::Error);
    let known: u64 = known.map(|(_, cluster)| cluster.count).sum();
    if known > 0 {
        warnings.push(match known {
            1 => "1 error is in the baseline already and fails no case (`baseline: fail_on: new`).".to_owned(),
            known => format!("{known} errors are in the baseline already and fail no case (`baseline: fail_on: new`)."),
        });
    }
    if !decision.measured {
        warnings.push("No gate had anything to measure.".to_owned());
    }
    warnings
}
