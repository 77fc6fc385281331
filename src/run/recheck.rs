//! Counting a run again from its records: outlines, labels, findings, metrics, gates, verdict. A manifest that was edited, with
//! its sums made again, says something else than its records add up to.
//!
//! The policy, the baselines and the data are not in a run folder. So bounds are taken from `run.json`, and what a comparison
//! with a baseline came to is not judged again; [`Rechecked`] names those gates.

use std::collections::BTreeMap;
use std::fmt::Debug;

use super::folder::RunFolder;
use super::manifest::{DeciderCount, GateEntry, MetricEntry, Number, RuleEntry, RunJson, RunVerdict};
use super::outline::{self, Outlines, cross};
use super::{OUTLINE, RUN_JSON, assemble};
use crate::check::Severity;
use crate::diagnostic::{Problem, Problems, code, harmless, quoted};
use crate::gate::{self, Cause, Effect, GateResult, Verdict, baseline_cases, unreviewed};
use crate::record::outline::CaseOutline;
use crate::rules::metric::Metric;
use crate::rules::policy::{Bound, Gate, Reaction, Reactions, Target, TargetSlices};
use crate::tally::{RuleTable, Tally};

/// What was counted again of a run, and held.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rechecked {
    /// Metrics, each in a slice.
    pub metrics: usize,
    /// Gates, each on a slice, that were judged again.
    pub gates: usize,
    /// The gates that were not, because they compare with a baseline.
    pub compare: Vec<String>,
}

/// Counts the run in `folder` again.
///
/// # Errors
/// Whatever `run.json` or `outline.jsonl` say otherwise than the records add up to, and files that cannot be read.
pub(super) fn recheck(folder: &RunFolder) -> Result<Rechecked, Problems> {
    let run = &folder.manifest;
    let mut again = Again { folder, problems: Problems::new(), rechecked: Rechecked::default() };
    let (tally, table, unresolved) = again.count()?;
    again.counts(&tally, unresolved);
    again.tallied(&tally, &table);
    let judged: Vec<Option<Gate>> = run.gates.iter().map(|entry| written(entry, &table)).collect();
    let gates: Vec<Gate> = judged.iter().flatten().cloned().collect();
    again.metrics(assemble::metrics(&gates, &tally, &table));
    for (entry, gate) in run.gates.iter().zip(&judged) {
        let result = gate
            .as_ref()
            .and_then(|gate| gate::judge(std::slice::from_ref(gate), &tally, &table, &[]).results.into_iter().next());
        again.gate(entry, result);
    }
    again.verdict();
    if again.problems.is_empty() { Ok(again.rechecked) } else { Err(again.problems) }
}

struct Again<'f> {
    folder: &'f RunFolder,
    problems: Problems,
    rechecked: Rechecked,
}

impl Again<'_> {
    fn differs(&mut self, what: impl Into<String>, stated: impl std::fmt::Display, counted: impl std::fmt::Display) {
        let name = self.folder.path().join(RUN_JSON).display().to_string();
        let problem = Problem::new(code::BROKEN_RUN, what.into()).found(stated, counted).in_file(name);
        let version = &self.folder.manifest.engine.version;
        let help = (version != env!("CARGO_PKG_VERSION")).then(|| {
            let (version, own) = (harmless(version), env!("CARGO_PKG_VERSION"));
            format!("citeward {version} made the run, and {own} counts it: where the two count differently, verify it by {version}")
        });
        self.problems.push(problem.help_if(help));
    }

    fn same<T: PartialEq + Debug>(&mut self, what: &str, stated: &T, counted: &T) {
        if stated != counted {
            let text = |value: &T| harmless(&format!("{value:?}"));
            self.differs(format!("{what}: not what the records add up to"), text(stated), text(counted));
        }
    }

    /// Counts the records; each outline must say what they say. Gives citations that resolve to nothing, too.
    fn count(&mut self) -> Result<(Tally, RuleTable, u64), Problems> {
        let path = self.folder.path().join(OUTLINE);
        let mut outlines = Outlines::open(&path)?;
        let table = outlines.head.table();
        let index = table.index();
        let (mut tally, mut unresolved, mut line) = (Tally::new(&table), 0_u64, 1_u64);
        let shown = path.display().to_string();
        let other = |line: u64, message: &str| Problem::new(code::BROKEN_RUN, message).on_line(&*shown, line);
        self.folder.each_case(&mut |case, claims| {
            line += 1;
            let Some(stated) = outlines.next_case()? else {
                return Err(other(line, "the outline has fewer cases than the run"));
            };
            let mut counted = CaseOutline::of(case, claims, &index);
            if stated != counted {
                let message = format!("the outline of case {} is not what its records say", quoted(&case.case_id));
                return Err(other(line, &message));
            }
            let of_claims = counted.claims.iter().flat_map(|claim| &claim.citations);
            unresolved +=
                counted.citations.iter().chain(of_claims).filter(|citation| !citation.resolved).count() as u64;
            cross(&mut counted, &table.dimensions);
            outline::count(&mut tally, &counted, &index, &table)
                .map_err(|error| Problem::new(code::TOO_LARGE, error.to_string()))
        })?;
        if outlines.next_case()?.is_some() {
            return Err(other(line + 1, "the outline has more cases than the run").into());
        }
        let run = &self.folder.manifest;
        tally.add_skipped_lines(run.datasets.iter().map(|dataset| dataset.skipped_lines).fold(0, u64::saturating_add));
        tally.add_missing_answers(run.counts.broken_cases);
        Ok((tally, table, unresolved))
    }

    fn counts(&mut self, tally: &Tally, unresolved: u64) {
        let run = &self.folder.manifest;
        self.same("`counts`", &run.counts, &assemble::counts(tally, unresolved));
        let cases = run.datasets.iter().map(|dataset| dataset.cases).fold(0, u64::saturating_add);
        self.same("cases of `datasets`", &cases, &tally.cases());
    }

    fn tallied(&mut self, tally: &Tally, table: &RuleTable) {
        let run = &self.folder.manifest;
        self.same("`labels`", &run.labels, &tally.overall().labels().collect());
        let mut deciders: Vec<DeciderCount> = assemble::by_decider(tally);
        let mut stated = run.by_decider.clone();
        deciders.sort();
        stated.sort();
        self.same("`by_decider`", &stated, &deciders);
        self.same("`findings`", &run.findings, &tally.finding_counts());
        self.same("`slices`", &run.slices, &assemble::slices(tally, table));
        let outcomes = |pass, fail, not_applicable, broken, confirmed, overturned| {
            [pass, fail, not_applicable, broken, confirmed, overturned]
        };
        let of = |rule: &RuleEntry| {
            outcomes(rule.pass, rule.fail, rule.not_applicable, rule.broken, rule.confirmed, rule.overturned)
        };
        let stated: BTreeMap<String, [u64; 6]> = run.rules.iter().map(|(id, rule)| (id.clone(), of(rule))).collect();
        let counted = tally
            .rule_counts()
            .into_iter()
            .map(|(id, c)| (id, outcomes(c.pass, c.fail, c.not_applicable, c.broken, c.confirmed, c.overturned)));
        self.same("`rules`", &stated, &counted.collect());
    }

    fn metrics(&mut self, counted: Vec<MetricEntry>) {
        let key = |entry: &MetricEntry| (entry.metric.clone(), entry.average, entry.slice.clone());
        let name = |entry: &MetricEntry| {
            let slice: String = entry.slice.iter().map(|(id, value)| format!(" {id}={value}")).collect();
            harmless(&format!("metric {}{slice}", entry.metric))
        };
        let run = &self.folder.manifest;
        let mut stated: BTreeMap<_, &MetricEntry> = run.metrics.iter().map(|entry| (key(entry), entry)).collect();
        for entry in &counted {
            match stated.remove(&key(entry)) {
                None => self.differs(format!("{}: not in the run", name(entry)), "none", fraction(entry)),
                Some(own) if !is_same(own, entry) => {
                    let what = format!("{}: not what the records add up to", name(entry));
                    self.differs(what, fraction(own), fraction(entry));
                }
                Some(_) => self.rechecked.metrics += 1,
            }
        }
        for entry in stated.into_values() {
            self.differs(format!("{}: nothing of the records measures it", name(entry)), fraction(entry), "none");
        }
    }

    /// Holds one gate against what judging it again came to; none where it has no metric of the data.
    fn gate(&mut self, entry: &GateEntry, result: Option<GateResult>) {
        let slice: String = entry.slice.iter().map(|(id, value)| format!(" {id}={value}")).collect();
        let name = harmless(&format!("gate {}{slice}", entry.gate));
        let said = |verdict: Verdict, effect: Effect| format!("{verdict:?}, which means {effect:?}").to_lowercase();
        let (stated, bound) = (said(entry.verdict, entry.effect), &entry.bound);
        if !is_sound(entry) {
            self.differs(
                format!("{name}: the verdict and what it means contradict each other"),
                &stated,
                "one that fits",
            );
        }
        let Some(result) = result else {
            if !self.is_without_metric_sound(entry) {
                self.differs(format!("{name}: not what its counts come to"), stated, "the other verdict");
            }
            return;
        };
        let counted = assemble::gate_entry(&result);
        let counts = |entry: &GateEntry| (entry.numerator, entry.denominator, entry.broken);
        if !is_near(entry.value, counted.value)
            || !is_near_number(entry.numerator, counted.numerator)
            || entry.denominator != counted.denominator
            || entry.broken != counted.broken
        {
            let text = |entry: &GateEntry| format!("{:?}", counts(entry));
            self.differs(format!("{name}: not what the records add up to"), text(entry), text(&counted));
        }
        if bound.max_drop.is_some() || bound.max_rise.is_some() {
            self.rechecked.compare.push(format!("{}{slice}", entry.gate));
            return;
        }
        let is_judged = self.folder.manifest.by_decider.iter().any(|count| count.decided_by == "judge");
        let holds = match entry.cause {
            // How many may break is said by the policy alone.
            Cause::Broken => entry.broken > 0 && matches!(entry.verdict, Verdict::Fail | Verdict::Warn),
            Cause::UnreviewedLabels => is_judged && entry.verdict == Verdict::Inconclusive,
            // What a value that is not there leads to is said by the policy alone.
            _ => entry.verdict == result.verdict && (result.cause != Cause::Bound || entry.effect == result.effect),
        };
        if !holds {
            self.differs(format!("{name}: not what its bounds come to"), stated, said(result.verdict, result.effect));
        }
        self.rechecked.gates += 1;
    }

    /// Whether a gate on what is no metric of the data says what its counts come to.
    fn is_without_metric_sound(&mut self, entry: &GateEntry) -> bool {
        self.rechecked.gates += 1;
        match entry.metric.as_str() {
            unreviewed::METRIC => {
                let open = self.folder.manifest.review.open;
                let most = entry.bound.max.as_deref().and_then(|most| most.parse::<u64>().ok());
                let keeps = most.is_some_and(|most| open <= most);
                entry.numerator == Number::Count(open) && keeps == (entry.effect == Effect::Pass)
            }
            baseline_cases::METRIC => {
                let all_there = entry.numerator == entry.denominator;
                match entry.cause {
                    Cause::Bound => all_there && entry.verdict == Verdict::Pass,
                    Cause::ChangedQuestions => entry.verdict == Verdict::Fail,
                    // What removed cases lead to is said by the policy alone.
                    _ => !all_there,
                }
            }
            _ => false,
        }
    }

    fn verdict(&mut self) {
        let run: &RunJson = &self.folder.manifest;
        let on_data = run.gates.iter().filter(|gate| gate::measures_data(&gate.metric));
        let is_measured = on_data.map(|gate| gate.value).any(|value| value.is_some());
        let fails = run.gates.iter().any(|gate| gate.effect == Effect::Fail);
        let counted = if is_measured && !fails { RunVerdict::Pass } else { RunVerdict::Fail };
        if run.verdict != counted {
            let text = |verdict: RunVerdict| if verdict == RunVerdict::Pass { "pass" } else { "fail" };
            let stated = text(run.verdict);
            self.differs("`verdict`: not what the gates come to", stated, text(counted));
        }
    }
}

/// Whether a verdict and what it means for the run can stand together.
fn is_sound(entry: &GateEntry) -> bool {
    let most = match entry.severity {
        Severity::Error => Effect::Fail,
        Severity::Warning => Effect::Warn,
        Severity::Note => Effect::Pass,
    };
    let least = match (entry.verdict, entry.cause) {
        (Verdict::Fail, Cause::Bound | Cause::Broken | Cause::ChangedQuestions) | (_, Cause::Mismatch) => most,
        _ => Effect::Pass,
    };
    let is_pass_quiet = entry.verdict != Verdict::Pass || entry.effect == Effect::Pass;
    least <= entry.effect && entry.effect <= most && is_pass_quiet
}

/// A gate as far as `run.json` tells it; `None` where it is on no metric of the data, or a bound cannot be read.
fn written(entry: &GateEntry, table: &RuleTable) -> Option<Gate> {
    let metric: Metric = table.metric_named(&entry.metric)?;
    let slices = match entry.slice.iter().next() {
        None => TargetSlices::Overall,
        Some((dimension, value)) => {
            let index = table.dimensions.iter().position(|known| known.id == *dimension)?;
            TargetSlices::One(index, value.clone())
        }
    };
    let bound = |text: &Option<String>| text.as_deref().map(decimal).map_or(Some(None), |bound| bound.map(Some));
    let fail = Reaction::Fail;
    Some(Gate {
        id: entry.gate.clone(),
        place: entry.place.clone(),
        metric,
        metric_name: entry.metric.clone(),
        average: entry.average,
        targets: vec![Target {
            slices,
            min: bound(&entry.bound.min)?,
            max: bound(&entry.bound.max)?,
            max_drop: None,
            max_rise: None,
            relative: false,
            min_samples: entry.min_samples,
            confidence: bound(&entry.confidence)?,
        }],
        severity: entry.severity,
        on: Reactions {
            no_data: fail,
            too_few: fail,
            inconclusive: fail,
            inconclusive_drop: Reaction::Warn,
            missing_baseline: fail,
            missing_slice: fail,
            removed_cases: fail,
        },
        max_broken: Bound { text: "1".to_owned(), mantissa: 1, scale: 0 },
        membership_of_baseline: false,
        description: None,
    })
}

/// A bound as it is written in a policy.
fn decimal(text: &str) -> Option<Bound> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let mantissa = format!("{whole}{part}").parse().ok()?;
    Some(Bound { text: text.to_owned(), mantissa, scale: u32::try_from(part.len()).ok()? })
}

fn fraction(entry: &MetricEntry) -> String {
    let number = |number: Number| match number {
        Number::Count(count) => count.to_string(),
        Number::Real(real) => real.to_string(),
    };
    let value = entry.value.map_or_else(|| "no data".to_owned(), |value| value.to_string());
    format!("{value} ({} of {})", number(entry.numerator), number(entry.denominator))
}

fn is_same(stated: &MetricEntry, counted: &MetricEntry) -> bool {
    let low = |entry: &MetricEntry| entry.range.map(|[low, _]| low);
    let high = |entry: &MetricEntry| entry.range.map(|[_, high]| high);
    is_near_number(stated.numerator, counted.numerator)
        && stated.denominator == counted.denominator
        && is_near(stated.value, counted.value)
        && (stated.cases, stated.broken) == (counted.cases, counted.broken)
        && is_near(low(stated), low(counted))
        && is_near(high(stated), high(counted))
}

fn is_near_number(stated: Number, counted: Number) -> bool {
    match (stated, counted) {
        (Number::Real(stated), Number::Real(counted)) => is_near(Some(stated), Some(counted)),
        // A sum of ratios that is whole reads back as a count.
        (Number::Count(_), Number::Real(_)) | (Number::Real(_), Number::Count(_)) => {
            let real = |number| match number {
                #[allow(clippy::cast_precision_loss, reason = "a number that was written as a sum of ratios")]
                Number::Count(count) => count as f64,
                Number::Real(real) => real,
            };
            is_near(Some(real(stated)), Some(real(counted)))
        }
        (Number::Count(_), Number::Count(_)) => stated == counted,
    }
}

/// Whether two numbers are the same but for how JSON writes them.
fn is_near(stated: Option<f64>, counted: Option<f64>) -> bool {
    match (stated, counted) {
        (Some(stated), Some(counted)) => (stated - counted).abs() <= 1e-9 * counted.abs().max(1.0),
        (stated, counted) => stated.is_none() && counted.is_none(),
    }
}
