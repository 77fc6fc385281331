//! The verdict for a terminal: what failed and why in about ten lines, and where the report is.

use std::fmt::Write as _;

use super::cluster::{ClusterRow, StageLine};
use super::flip::FlipRow;
use super::gate::GateRow;
use super::view::{View, besides};
use super::visible::{one_line, short};

/// Most failing gates that are shown.
const FAILING: usize = 8;
/// Most gates that only warn that are shown.
const WARNING: usize = 3;
/// Most kinds of findings that are named.
const KINDS: usize = 3;
/// Longest reason of a flip, in characters.
const LONGEST: usize = 180;
/// Most flipped claims that are named.
const FLIPS: usize = 10;
/// Most warnings of the run that are shown.
const WARNINGS: usize = 5;

/// The text of a run. `report` is where the report is, `colour` whether terminal colours may be used.
#[must_use]
pub fn render(view: &View, report: &str, colour: bool) -> String {
    let mut out = String::new();
    let paint = |text: &str, code: &str| if colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() };
    let verdict = paint(view.verdict.word, if view.verdict.kind == "pass" { "1;32" } else { "1;31" });
    let counts = &view.gate_counts;
    let summary = match counts.failing {
        0 => format!("{} of {} gates pass{}", counts.passing, counts.total, besides(counts)),
        failing => format!("{failing} of {} gates fail{}", counts.total, besides(counts)),
    };
    let uncounted = plain(&view.verdict.uncounted);
    let uncounted = if uncounted.is_empty() { uncounted } else { format!("; {uncounted}") };
    let _ = writeln!(out, "{verdict}  {}: {summary}{uncounted}", plain(&view.verdict.dataset));
    rows(&mut out, view.gates.iter().filter(|gate| gate.fails_run), &paint("✗", "31"), FAILING);
    rows(&mut out, view.gates.iter().filter(|gate| gate.warns), &paint("!", "33"), WARNING);
    rows(&mut out, view.gates.iter().filter(|gate| gate.is_missed()), "·", WARNING);
    flips(&mut out, view);
    decided(&mut out, view);
    let _ = writeln!(out, "  findings: {}; {}", plain(&view.findings.by_severity), plain(&view.findings.failed_cases));
    if let Some(largest) = view.clusters.first().filter(|_| counts.failing > 0) {
        let kind = |cluster: &ClusterRow| format!("{} ({})", plain(&cluster.rule), plain(&cluster.code));
        let _ = if largest.count == "1" {
            // No kind stands out: the first few are named.
            let kinds: Vec<String> = view.clusters.iter().take(KINDS).map(kind).collect();
            let more = if view.clusters.len() > KINDS { ", …" } else { "" };
            writeln!(out, "    {}{more}", kinds.join(", "))
        } else {
            let stage = if largest.stage.is_empty() { String::new() } else { format!(" at {}", largest.stage) };
            writeln!(out, "    above all {} {} times{stage}", kind(largest), largest.count)
        };
    }
    let stages: Vec<String> = view.stages.iter().map(stage).collect();
    if counts.failing > 0 && !stages.is_empty() {
        let _ = writeln!(out, "  errors by stage at fault: {}", stages.join(", "));
    }
    if !view.review.sentence.is_empty() {
        let _ = writeln!(out, "  review: {}", plain(&view.review.sentence));
    }
    for warning in view.warnings.iter().take(WARNINGS) {
        let _ = writeln!(out, "  {} {}", paint("!", "33"), plain(warning));
    }
    if view.warnings.len() > WARNINGS {
        let _ = writeln!(out, "  {} more warnings are in the report", view.warnings.len() - WARNINGS);
    }
    let _ = writeln!(out, "report: {}", plain(report));
    out
}

/// How many of the cited claims were decided, and as what.
fn decided(out: &mut String, view: &View) {
    let decided = &view.decided;
    if !decided.nothing.is_empty() {
        let _ = writeln!(out, "  {}", decided.nothing);
    }
    if decided.labels.is_empty() {
        return;
    }
    let labels = decided.labels.iter().filter(|line| line.label != "undecided");
    let labels: Vec<String> = labels.map(|line| format!("{} {}", line.count, line.label)).collect();
    let labels = if labels.is_empty() { String::new() } else { format!(" ({})", labels.join(", ")) };
    let _ = writeln!(
        out,
        "  {}: {} decided{labels}, {} undecided",
        several(&decided.total, "cited claim"),
        decided.decided,
        decided.undecided
    );
}

/// `12 retrieval (search team)`.
fn stage(line: &StageLine) -> String {
    match (line.stage, line.owner.as_str()) {
        ("", _) => format!("{} not told", line.count),
        (stage, "") => format!("{} {stage}", line.count),
        (stage, owner) => format!("{} {stage} ({})", line.count, plain(owner)),
    }
}

/// What flipped against the baseline: counted, and where it fails a gate the claims that did it.
fn flips(out: &mut String, view: &View) {
    for group in view.flips.iter().filter(|group| !group.rows.is_empty() || group.left_out > 0) {
        let _ = writeln!(out, "  against {}: {}", plain(&group.baseline), plain(&group.summary));
        let guilty: Vec<&FlipRow> =
            group.rows.iter().filter(|row| row.direction == "worse" && row.in_failing_slice).collect();
        for row in guilty.iter().take(FLIPS) {
            let place = plain(&format!("{}#{}", row.case_id, row.claim_id));
            let _ =
                writeln!(out, "    {place}  {} → {}: {}", row.before, row.after, plain(&short(&row.reason, LONGEST)));
        }
        if guilty.len() > FLIPS {
            let _ = writeln!(out, "    and {} more (citeward diff, or run.json)", guilty.len() - FLIPS);
        }
    }
}

fn rows<'v>(out: &mut String, gates: impl Iterator<Item = &'v GateRow>, sign: &str, most: usize) {
    let gates: Vec<&GateRow> = gates.collect();
    for gate in gates.iter().take(most) {
        let _ = writeln!(out, "  {sign} {}: {}", plain(&gate.gate), plain(&gate.reason));
    }
    if gates.len() > most {
        let _ = writeln!(out, "  {sign} and {} more", gates.len() - most);
    }
}

/// "1 claim", "2 claims".
fn several(count: &str, what: &str) -> String {
    format!("{count} {what}{}", if count == "1" { "" } else { "s" })
}

/// Text that a terminal shows and does not obey, with ordinary spaces.
fn plain(text: &str) -> String {
    one_line(text).replace('\u{a0}', " ")
}
