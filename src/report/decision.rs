//! The decision in one paragraph: what was measured, who decided how much, what stayed open, what change could have been seen,
//! and what is not claimed. Plain words and exact numbers, for whoever signs the release.

use schemars::JsonSchema;
use serde::Serialize;

use super::gate::{metric_words, slice_words};
use super::ratio::{fraction, grouped, percent, percent_of, wilson};
use super::visible::short;
use crate::dataset::Label;
use crate::gate::Verdict;
use crate::rules::metric::Average;
use crate::run::RunJson;
use crate::run::manifest::{ComparisonEntry, GateEntry, MetricEntry};

/// Metrics that stand for the whole run, the most telling first.
const HEADLINES: [&str; 3] = ["citation_correctness", "claim_coverage", "case_pass_rate"];

/// One or a few sentences of the paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DecisionLine {
    /// What they are about: `measured`, `decided`, `open`, `change` or `not_claimed`, in this order.
    #[schemars(schema_with = "super::schema::about")]
    pub about: &'static str,
    /// The sentences, each with its full stop.
    pub text: String,
}

/// The paragraph of a run; `datasets` and `policy` as the verdict names them.
pub(super) fn decision(run: &RunJson, datasets: &str, policy: &str) -> Vec<DecisionLine> {
    let line = |about, text| DecisionLine { about, text };
    vec![
        line("measured", measured(run, datasets, policy)),
        line("decided", decided(run)),
        line("open", open(run)),
        line("change", change(run)),
        line(
            "not_claimed",
            "It is not claimed that the cited passages are true, that no better ones exist, or that questions outside this data would \
             come out the same."
                .to_owned(),
        ),
    ]
}

/// `1 case`, `12,000 cases`.
fn several(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{} {what}s", grouped(count)) }
}

fn measured(run: &RunJson, datasets: &str, policy: &str) -> String {
    let counts = &run.counts;
    let were = if counts.cases == 1 { "was" } else { "were" };
    format!(
        "{} of {datasets} with {} {were} measured: {} can be checked, {} of these have a citation, and there are {} in all. {} judged \
         them; the policy is {policy}.",
        several(counts.cases, "case"),
        several(counts.claims, "claim"),
        grouped(counts.verifiable_claims),
        grouped(counts.cited_claims),
        several(counts.citations, "citation"),
        several(run.gates.len() as u64, "gate"),
    )
}

/// Number of cited claims that somebody of a kind decided.
fn decided_by(run: &RunJson, is_who: impl Fn(&str) -> bool) -> u64 {
    run.by_decider.iter().filter(|entry| is_who(&entry.decided_by)).map(|entry| entry.count).sum()
}

fn decided(run: &RunJson) -> String {
    let total: u64 = run.labels.values().sum();
    if total == 0 {
        return "No claim is cited, so there was nothing to decide.".to_owned();
    }
    let by = |who: &'static str| grouped(decided_by(run, move |decided_by| decided_by == who));
    format!(
        "Of {}, rules decided {}, checks of the citations themselves {}, reviewers {}, a judge {}, and nobody {}.",
        several(total, "cited claim"),
        grouped(decided_by(run, |who| who.starts_with("rule:"))),
        by("integrity"),
        by("review"),
        by("judge"),
        by("nobody"),
    )
}

fn open(run: &RunJson) -> String {
    let counts = &run.counts;
    let total: u64 = run.labels.values().sum();
    let label = |label: Label| run.labels.get(&label).copied().unwrap_or(0);
    let undecided = label(Label::Undecided);
    let mut said = Vec::new();
    let shares = |part: u64| percent(part, total, &[]).unwrap_or_default();
    if undecided > 0 {
        said.push(format!(
            "{} of {} cited claims ({}) could not be decided. They count as not supported, though as no defect: {} are supported, and \
             {} would be if all of those were.",
            grouped(undecided),
            grouped(total),
            shares(undecided),
            shares(label(Label::Supported)),
            shares(label(Label::Supported).saturating_add(undecided)),
        ));
    } else if total > 0 {
        said.push("No cited claim was left undecided.".to_owned());
    }
    let skipped: u64 = run.datasets.iter().map(|dataset| dataset.skipped_lines).sum();
    let gates = |verdict: Verdict| run.gates.iter().filter(|gate| gate.verdict == verdict).count() as u64;
    for (count, what, rest) in [
        (counts.verifiable_claims.saturating_sub(counts.cited_claims), "claim", "without a citation carry no label"),
        (counts.broken_cases, "case", "could not be evaluated"),
        (skipped, "line", "of the data could not be read"),
        (gates(Verdict::NoData), "gate", "had nothing to measure"),
        (gates(Verdict::Inconclusive), "gate", "had too little data to be sure either way"),
        (gates(Verdict::Warn), "gate", "missed the bound without failing the run"),
    ] {
        if count > 0 {
            let rest = if count == 1 { rest.replace("carry", "carries") } else { rest.to_owned() };
            said.push(format!("{} {rest}.", several(count, what)));
        }
    }
    let uncounted = run.uncounted.in_words(run.counts.cases);
    if !uncounted.is_empty() {
        said.push(format!("{uncounted}."));
    }
    if said.is_empty() { "Nothing was left open.".to_owned() } else { said.join(" ") }
}

/// What change for the worse this run could have seen.
fn change(run: &RunJson) -> String {
    if run.inputs.baselines.is_empty() {
        return format!("There was no baseline, so no drop could have been seen, however large.{}", headline(run));
    }
    let against = against(run);
    let mut seen: Vec<(f64, &GateEntry, &ComparisonEntry)> = run
        .gates
        .iter()
        .flat_map(|gate| gate.comparisons.iter().map(move |compared| (gate, compared)))
        .filter_map(|(gate, compared)| Some((compared.smallest_detectable?, gate, compared)))
        .filter(|(points, ..)| points.is_finite())
        .collect();
    seen.sort_by(|a, b| a.0.total_cmp(&b.0));
    let in_words = |(share, gate, _): &(f64, &GateEntry, &ComparisonEntry)| {
        let slice =
            if gate.slice.is_empty() { "overall".to_owned() } else { format!("in {}", slice_words(&gate.slice)) };
        (points(*share), format!("{} {}", metric_words(&gate.metric, gate.average), short(&slice, 160)))
    };
    match (seen.first().map(in_words), seen.last().map(in_words)) {
        (Some((least, where_least)), Some((most, where_most))) if where_least != where_most => format!(
            "{against} The smallest change for the worse that would have been seen four times in five is {least} ({where_least}); \
             the least sensitive comparison needs {most} ({where_most})."
        ),
        (Some((least, place)), _) => format!(
            "{against} The smallest change for the worse that would have been seen four times in five is {least} ({place})."
        ),
        _ if run.gates.iter().any(|gate| !gate.comparisons.is_empty()) => format!(
            "{against} No gate that compares asks for a confidence: a change beyond its bound fails whether or not it could be chance, \
             and no smallest change is stated."
        ),
        _ => format!("{against} No gate compares with it, so no drop could fail this run."),
    }
}

/// `2.4 points`.
fn points(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    if text == "1.0" { "1 point".to_owned() } else { format!("{} points", text.trim_end_matches(".0")) }
}

/// What the run was held against, and how much of it could be compared.
fn against(run: &RunJson) -> String {
    let mut names: Vec<&str> = run.inputs.baselines.iter().map(|baseline| baseline.name.as_str()).collect();
    names.dedup();
    let names: Vec<String> = names.iter().filter(|name| !name.is_empty()).map(|name| short(name, 80)).collect();
    let what = match names.as_slice() {
        [] => "the baseline".to_owned(),
        [one] => format!("the baseline {one}"),
        several => format!("the baselines {}", several.join(", ")),
    };
    let first = run.flips.first().map(|flips| flips.baseline.as_str());
    let of_first = || run.flips.iter().filter(|flips| Some(flips.baseline.as_str()) == first);
    let paired: u64 = of_first().map(|flips| flips.flips.counts.paired_cases).sum();
    let before: u64 = of_first().map(|flips| flips.flips.counts.cases_before).sum();
    match before {
        0 => format!("The run was held against {what}."),
        before => format!(
            "The run was held against {what}; {} of its {} could be compared.",
            grouped(paired),
            several(before, "case")
        ),
    }
}

/// How narrow the interval of the headline metric is.
fn headline(run: &RunJson) -> String {
    let entry = |name: &&str| -> Option<&MetricEntry> {
        run.metrics.iter().find(|entry| {
            entry.metric == **name && entry.average == Average::Micro && entry.slice.is_empty() && entry.value.is_some()
        })
    };
    let Some(entry) = HEADLINES.iter().find_map(entry) else { return String::new() };
    let Some((k, n)) = entry.numerator.count().zip(entry.denominator.count()) else { return String::new() };
    let Some((low, high)) = wilson(k, n) else { return String::new() };
    let shown = |share: f64| percent_of(share, &[]).unwrap_or_default();
    let mut name = metric_words(&entry.metric, entry.average);
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    format!(
        " {name} is {} ({}); its 95\u{a0}% interval runs from {} to {}, and is wider where claims of one case go wrong \
         together.",
        percent(k, n, &[]).unwrap_or_default(),
        fraction(k, n),
        shown(low),
        shown(high),
    )
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use crate::gate::{Cause, Effect};
    use crate::run::manifest::{BaselineFlips, BaselineStamp, FileStamp};

    fn said(run: &RunJson, about: &str) -> String {
        let lines = decision(run, "helpdesk 1.2.0", "2 files (6f1c0f2f5d3b)");
        let order: Vec<&str> = lines.iter().map(|line| line.about).collect();
        assert_eq!(order, ["measured", "decided", "open", "change", "not_claimed"]);
        let line = lines.iter().find(|line| line.about == about).expect("a line");
        line.text.replace('\u{a0}', " ")
    }

    #[test]
    fn the_paragraph_says_what_was_measured_and_who_decided() {
        let run = fixture::run();
        assert_eq!(
            said(&run, "measured"),
            "38 cases of helpdesk 1.2.0 with 126 claims were measured: 117 can be checked, 108 of these have a citation, and there are \
             131 citations in all. 7 gates judged them; the policy is 2 files (6f1c0f2f5d3b)."
        );
        // 57 supported, 4 contradicted and 3 insufficient by rules; 3 by integrity; 6 by review; 35 open.
        assert_eq!(
            said(&run, "decided"),
            "Of 108 cited claims, rules decided 64, checks of the citations themselves 3, reviewers 6, a judge 0, and nobody 35."
        );
        // 35/108 = 32.4 %, 63/108 = 58.3 %, 98/108 = 90.7 %.
        assert_eq!(
            said(&run, "open"),
            "35 of 108 cited claims (32.4 %) could not be decided. They count as not supported, though as no defect: 58.3 % are \
             supported, and 90.7 % would be if all of those were. 9 claims without a citation carry no label. 2 lines of the data could \
             not be read. 1 gate had nothing to measure. 1 gate missed the bound without failing the run."
        );
    }

    #[test]
    fn without_a_baseline_no_drop_could_be_seen() {
        // Wilson at 95 % of 63 of 108: 48.9 % to 67.2 %.
        assert_eq!(
            said(&fixture::run(), "change"),
            "There was no baseline, so no drop could have been seen, however large. Citation correctness is 58.3 % (63/108); its \
             95 % interval runs from 48.9 % to 67.2 %, and is wider where claims of one case go wrong together."
        );
    }

    fn compared(smallest_detectable: Option<f64>) -> ComparisonEntry {
        ComparisonEntry {
            baseline: "release".into(),
            verdict: Verdict::Pass,
            effect: Effect::Pass,
            cause: Cause::Bound,
            reason: String::new(),
            before: Some(0.9),
            now: Some(0.9),
            drop: Some(0.0),
            counts: None,
            paired_cases: 38,
            removed: 0,
            added: 0,
            changed: 0,
            p: None,
            adjusted_p: None,
            method: None,
            smallest_detectable,
        }
    }

    #[test]
    fn with_a_baseline_the_smallest_change_is_named_with_its_place() {
        let mut run = fixture::run();
        let digest = String::new;
        run.inputs.baselines = vec![BaselineStamp {
            name: "release".into(),
            dataset: "helpdesk".into(),
            version: None,
            file: FileStamp { path: "baselines/release.json".into(), sha256: digest() },
            questions_digest: digest(),
            content_digest: digest(),
            evaluation_digest: digest(),
            engine: "0.1.0".into(),
        }];
        let held = "The run was held against the baseline release; 36 of its 38 cases could be compared.";
        let mut flips = crate::run::flips::Flips::default();
        (flips.counts.paired_cases, flips.counts.cases_before) = (36, 38);
        run.flips = vec![BaselineFlips { baseline: "release".into(), dataset: "helpdesk".into(), flips }];
        assert_eq!(said(&run, "change"), format!("{held} No gate compares with it, so no drop could fail this run."));
        run.gates[1].comparisons = vec![compared(None)];
        assert!(said(&run, "change").contains("No gate that compares asks for a confidence"), "said");
        run.gates[1].comparisons = vec![compared(Some(0.0241))];
        assert_eq!(
            said(&run, "change"),
            format!(
                "{held} The smallest change for the worse that would have been seen four times in five is 2.4 points (claim coverage overall)."
            )
        );
        run.gates[3].comparisons = vec![compared(Some(0.13))];
        assert_eq!(
            said(&run, "change"),
            format!(
                "{held} The smallest change for the worse that would have been seen four times in five is 2.4 points (claim coverage overall); the least sensitive comparison needs 13 points (defect rate in language = de)."
            )
        );
    }

    #[test]
    fn nothing_measured_is_said_plainly() {
        let run = fixture::empty_run();
        assert_eq!(said(&run, "decided"), "No claim is cited, so there was nothing to decide.");
        assert_eq!(said(&run, "open"), "Nothing was left open.");
        assert_eq!(said(&run, "change"), "There was no baseline, so no drop could have been seen, however large.");
    }
}
