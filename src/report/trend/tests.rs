//! The trend of runs made by hand.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::*;
use crate::gate::Verdict;
use crate::report::fixture::{self, gate, max, metric, min, slice};
use crate::report::{Templates, View, render_html, render_md};
use crate::run::history::Earlier;
use crate::run::manifest::{BoundEntry, DatasetStamp};
use crate::run::selection::Selection;

/// A run whose only gate holds correctness to `bound`: `k` of `n` claims are supported, `d` of them defective.
fn run((k, d, n): (u64, u64, u64), bound: BoundEntry, verdict: Verdict) -> RunJson {
    let all = BTreeMap::new;
    RunJson {
        verdict: if verdict == Verdict::Pass { RunVerdict::Pass } else { RunVerdict::Fail },
        datasets: vec![DatasetStamp {
            name: "helpdesk".into(),
            version: Some("1.0.0".into()),
            purpose: None,
            frozen: true,
            content_digest: "sha256:11".into(),
            questions_digest: "sha256:22".into(),
            cases: n,
            skipped_lines: 0,
        }],
        metrics: vec![
            metric("citation_correctness", all(), k, n),
            metric("defect_rate", all(), d, n),
            metric("defect_rate", slice("language", "de"), d, n),
        ],
        gates: vec![gate("correct", "citation_correctness", all(), verdict, (k, n), bound)],
        labels: [(Label::Supported, k), (Label::Contradicted, d)].into(),
        ..fixture::empty_run()
    }
}

fn write(root: &Path, name: &str, run: &RunJson) {
    fs::create_dir_all(root.join(name)).expect("made");
    let bytes = run.to_bytes().expect("JSON");
    fs::write(root.join(name).join("run.json"), &bytes).expect("written");
    let sums = format!("{}  run.json\n", digest::raw(&bytes).to_string().trim_start_matches("sha256:"));
    fs::write(root.join(name).join("SHA256SUMS"), sums).expect("written");
}

/// The trend of the last of these runs over the others.
fn trend(runs: &[RunJson]) -> Trend {
    let root = tempfile::tempdir().expect("a folder");
    let (current, past) = runs.split_last().expect("a run");
    for (run, build) in past.iter().zip(1..) {
        write(root.path(), &format!("build-{build}"), run);
    }
    of(current, &Earlier::find(root.path(), Path::new("none")).expect("a folder")).0
}

fn series<'t>(trend: &'t Trend, metric: &str) -> &'t TrendSeries {
    trend.series.iter().find(|series| series.metric == metric && series.slice == "overall").expect("drawn")
}

fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

#[test]
fn values_bounds_and_change_are_those_of_the_runs() {
    let trend = trend(&[
        run((80, 20, 100), min("0.85"), Verdict::Fail),
        run((90, 10, 100), min("0.85"), Verdict::Pass),
        run((88, 12, 100), min("0.9"), Verdict::Fail),
    ]);
    assert_eq!(
        trend.runs.iter().map(|run| (run.name.as_str(), run.verdict)).collect::<Vec<_>>(),
        [("build-1", "fail"), ("build-2", "pass"), ("this run", "fail")]
    );
    let correct = series(&trend, "citation_correctness");
    assert_eq!(correct.points.iter().map(|point| plain(&point.value)).collect::<Vec<_>>(), ["80 %", "90 %", "88 %"]);
    assert_eq!(correct.points.iter().map(|point| point.verdict).collect::<Vec<_>>(), ["fail", "pass", "fail"]);
    assert_eq!(plain(&correct.change), "▼ 2 points worse than build-2");
    assert_eq!((correct.change_is, plain(&correct.bound)), ("worse", "at least 90 %".to_owned()));
    // The axis goes from 70 % to 100 %: 80 % stands at a third, 90 % at two thirds, 88 % at three fifths.
    assert_eq!(
        (plain(&correct.from), plain(&correct.middle), plain(&correct.to)),
        ("70 %".into(), "85 %".into(), "100 %".into())
    );
    assert_eq!(correct.points.iter().map(|point| point.y).collect::<Vec<_>>(), [Some(333), Some(667), Some(600)]);
    // The columns are 0 to 333, to 666, to 1000.
    assert_eq!(correct.lines, ["166,667 499,333 833,400"]);
    assert_eq!(correct.edges, [TrendEdge { x1: 0, x2: 666, y: 500 }, TrendEdge { x1: 666, x2: 1000, y: 667 }]);
    assert_eq!(correct.areas[1], TrendArea { x: 666, width: 334, y: 0, height: 333 });
    // Fewer defects are better; no gate holds them.
    let defects = series(&trend, "defect_rate");
    assert_eq!((plain(&defects.change), defects.verdict), ("▲ 2 points worse than build-2".to_owned(), ""));
    assert!(defects.edges.is_empty() && defects.is_headline);
}

#[test]
fn nothing_measured_is_a_gap_and_never_zero() {
    let mut nothing = run((0, 0, 0), min("0.9"), Verdict::NoData);
    nothing.labels.clear();
    let trend = trend(&[
        run((90, 10, 100), min("0.9"), Verdict::Pass),
        nothing,
        run((95, 5, 100), min("0.9"), Verdict::Pass),
        run((94, 6, 100), min("0.9"), Verdict::Pass),
    ]);
    let correct = series(&trend, "citation_correctness");
    assert_eq!((correct.points[1].y, correct.points[1].value.as_str()), (None, ""));
    // The line goes on behind the gap only.
    assert_eq!(correct.lines.len(), 1);
    assert!(correct.lines[0].starts_with("625,"), "{:?}", correct.lines);
    assert_eq!((trend.runs[1].verdict, trend.runs[1].labels_title.as_str()), ("not_judged", "no cited claim"));
    // Claim coverage was never measured at all.
    let coverage = series(&trend, "claim_coverage");
    assert!(coverage.points.iter().all(|point| point.y.is_none()) && coverage.value == "no data");
}

#[test]
fn a_value_stays_on_its_side_of_the_bound_then_and_now() {
    let trend = trend(&[
        run((94_997, 0, 100_000), min("0.9"), Verdict::Pass),
        run((89_997, 0, 100_000), min("0.9"), Verdict::Fail),
        run((97_000, 0, 100_000), min("0.95"), Verdict::Pass),
    ]);
    let values: Vec<String> =
        series(&trend, "citation_correctness").points.iter().map(|point| plain(&point.value)).collect();
    // 95.0 % would pass the bound of today, 90.0 % the bound of its own run.
    assert_eq!(values, ["94.997 %", "89.997 %", "97 %"]);
}

#[test]
fn other_questions_rules_and_engines_break_the_line() {
    let plain_run = || run((90, 10, 100), max("1"), Verdict::Pass);
    let mut questions = plain_run();
    questions.datasets[0].version = Some("1.1.0".into());
    questions.datasets[0].questions_digest = "sha256:33".into();
    let mut rules = questions.clone();
    rules.policy.evaluation_digest = "sha256:44".into();
    rules.policy.digest = "sha256:abcdef0123456789".into();
    let mut engine = rules.clone();
    engine.engine.version = "0.2.0".into();
    let mut gates_only = engine.clone();
    gates_only.policy.digest = "sha256:0123456789abcdef".into();
    gates_only.metrics[0] = metric("citation_correctness", BTreeMap::new(), 91, 100);
    let trend = trend(&[plain_run(), questions, rules, engine, gates_only]);
    assert_eq!(
        trend.runs.iter().map(|run| run.changed.as_str()).collect::<Vec<_>>(),
        [
            "",
            "other questions: helpdesk 1.0.0 → helpdesk 1.1.0",
            "other rules: policy 6f1c0f2f5d3b → abcdef012345",
            "another version of citeward: 0.1.0 → 0.2.0",
            "",
        ]
    );
    assert_eq!(trend.runs.iter().map(|run| run.mark.as_str()).collect::<Vec<_>>(), ["", "1", "2", "3", ""]);
    assert_eq!(trend.runs.iter().map(|run| run.comparable).collect::<Vec<_>>(), [false, true, true, true, true]);
    let correct = series(&trend, "citation_correctness");
    assert_eq!(correct.lines.len(), 1, "only the last two runs are one line");
    assert_eq!(plain(&correct.change), "▲ 1 point better than build-4");
}

#[test]
fn a_change_across_a_break_is_neither_better_nor_worse() {
    let mut current = run((95, 5, 100), min("0.9"), Verdict::Pass);
    current.policy.evaluation_digest = "sha256:44".into();
    let trend = trend(&[run((90, 10, 100), min("0.9"), Verdict::Pass), current]);
    let correct = series(&trend, "citation_correctness");
    assert_eq!(plain(&correct.change), "▲ 5 points from build-1, which is another measurement");
    assert_eq!(correct.change_is, "");
}

#[test]
fn failing_gates_come_first_and_failing_slices_are_drawn_last() {
    let mut current = run((90, 10, 100), min("0.85"), Verdict::Pass);
    let all = BTreeMap::new;
    current.gates.push(gate("stale", "stale_citation_rate", all(), Verdict::Fail, (3, 50), max("0")));
    current.gates.push(gate("d", "defect_rate", slice("language", "de"), Verdict::Fail, (10, 100), max("0.08")));
    current.gates.push(gate("d", "defect_rate", slice("language", "en"), Verdict::Pass, (0, 100), max("0.08")));
    let trend = trend(&[current]);
    let drawn: Vec<_> = trend.series.iter().map(|series| (series.metric.as_str(), series.slice.as_str())).collect();
    assert_eq!(
        drawn,
        [
            ("stale_citation_rate", "overall"),
            ("citation_correctness", "overall"),
            ("claim_coverage", "overall"),
            ("defect_rate", "overall"),
            ("defect_rate", "language = de"),
        ]
    );
    assert_eq!(trend.series_left_out, 0);
}

#[test]
fn at_most_twelve_series_are_drawn_and_failing_slices_keep_their_place() {
    let mut current = run((90, 10, 100), min("0.85"), Verdict::Pass);
    for index in 0..20 {
        let name = format!("rule.r{index}");
        current.gates.push(gate("r", &name, BTreeMap::new(), Verdict::Pass, (1, 2), min("0.1")));
        current.gates.push(gate("d", "defect_rate", slice("team", &name), Verdict::Fail, (10, 100), max("0")));
    }
    let trend = trend(&[current]);
    let slices = trend.series.iter().filter(|series| series.slice != "overall").count();
    // 3 headline metrics, 20 rules and 20 slices.
    assert_eq!((trend.series.len(), slices, trend.series_left_out), (12, 4, 31));
}

#[test]
fn many_points_are_marked_where_the_verdict_changes() {
    let mut runs = vec![run((90, 10, 100), min("0.85"), Verdict::Pass); 50];
    runs[20] = run((80, 20, 100), min("0.85"), Verdict::Fail);
    // Or the newest one would be a copy of the run that is reported.
    runs[49] = run((91, 9, 100), min("0.85"), Verdict::Pass);
    let trend = trend(&runs);
    let marked: Vec<usize> = series(&trend, "citation_correctness")
        .points
        .iter()
        .enumerate()
        .filter_map(|(index, point)| point.is_marked.then_some(index))
        .collect();
    assert_eq!((trend.is_dense, marked), (true, vec![0, 20, 21, 49]));
}

#[test]
fn the_reports_hold_the_trend_and_say_what_went_in() {
    let root = tempfile::tempdir().expect("a folder");
    write(root.path(), "build-<script>alert(1)</script>\u{202e}", &run((80, 20, 100), min("0.85"), Verdict::Fail));
    write(root.path(), "b|r`o*ken", &run((81, 19, 100), min("0.85"), Verdict::Fail));
    fs::write(root.path().join("b|r`o*ken/run.json"), "{").expect("written");
    let current = run((90, 10, 100), min("0.85"), Verdict::Pass);
    let earlier = Earlier::find(root.path(), Path::new("none")).expect("a folder");
    let view = View::build(&current, &Selection::new(10)).expect("a view").with_history(&current, &earlier);
    let html = render_html(&view, &Templates::default()).expect("rendered");
    let md = render_md(&view, &Templates::default()).expect("rendered");
    assert!(html.contains("<section id=\"trend\"") && !html.contains("<script>alert"));
    assert!(html.contains("build-&lt;script&gt;alert(1)&lt;") && html.contains("⟦U+202E⟧"));
    assert!(html.contains("run.json was changed after the run"));
    assert!(md.contains("### Trend") && !md.contains("<script>"), "{md}");
    let stamps: Vec<_> = view.provenance.iter().filter(|stamp| stamp.name.starts_with("history")).collect();
    assert!(stamps[0].value.ends_with(": 1 earlier run, 1 left out"), "{}", stamps[0].value);
    assert!(stamps[1].is_code && stamps[1].value.starts_with("sha256:"));
    assert!(view.reproduce.contains(" --history "));
    // Without a history there is not a word of it.
    let without = View::build(&current, &Selection::new(10)).expect("a view");
    assert!(!render_html(&without, &Templates::default()).expect("rendered").contains("id=\"trend\""));
    assert!(!render_md(&without, &Templates::default()).expect("rendered").contains("### Trend"));
}
