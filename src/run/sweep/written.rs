//! A sweep as it was written by `citeward sweep --format json`, read again for a report. Documented in `docs/run-format.md`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde::Deserialize;

use super::SCHEMA;
use super::document::Made;
use crate::diagnostic::{Problem, code, quoted};
use crate::gate::Verdict;
use crate::rules::{self, policy::Bound};

/// Largest file that is read, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// A sweep that was written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Written {
    /// The threshold.
    pub of: Of,
    /// The runs, as they were named.
    pub runs: Vec<String>,
    /// What it was made of.
    pub made_of: Made,
    /// By threshold, ascending, everything together.
    points: Vec<PointEntry>,
    /// Every run (and of a gate every slice) on its own.
    pub series: Vec<SeriesEntry>,
    /// What a reader must know, one sentence each.
    pub notes: Vec<String>,
    /// The thresholds of `points`, read exactly.
    #[serde(skip)]
    pub thresholds: Vec<Bound>,
}

/// Which threshold: of a gate, or of a rule's option.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Of {
    /// Id of the gate.
    pub gate: Option<String>,
    /// The metric that it holds.
    pub metric: Option<String>,
    /// `min`, `max`, `max_drop` or `max_rise`.
    pub bound: Option<String>,
    /// Id of the rule.
    pub rule: Option<String>,
    /// Its option.
    pub option: Option<String>,
    /// What the option is a threshold on.
    pub measures: Option<String>,
    /// The value of the option in the policy.
    pub chosen: Option<String>,
    /// Which outcome the option decides.
    pub decides: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
struct PointEntry {
    threshold: String,
}

/// One run (of a gate: on one slice).
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct SeriesEntry {
    /// The run.
    pub run: String,
    /// Of a gate: value by slice dimension.
    #[serde(default)]
    pub slice: BTreeMap<String, String>,
    /// Of a gate: the bound as the policy has it here.
    pub chosen: Option<String>,
    /// Of a gate: the metric's value.
    pub value: Option<f64>,
    /// Of a gate: what is counted.
    pub numerator: Option<u64>,
    /// Of a gate: out of how many.
    pub denominator: Option<u64>,
    /// Of a gate: how it comes out, by threshold.
    #[serde(default)]
    pub verdicts: Vec<Verdict>,
    /// Of a rule: its counts, by threshold.
    #[serde(default)]
    pub points: Vec<Counts>,
}

/// A rule at one threshold.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Counts {
    /// Subjects on which it passes.
    pub pass: u64,
    /// Subjects on which it fails.
    pub fail: u64,
    /// How often it is right, where people labelled.
    pub labelled: Option<Right>,
}

/// A rule against the labels that people gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Right {
    /// It says so, and people do.
    pub tp: u64,
    /// It says so, and people do not.
    pub fp: u64,
    /// It does not, nor do people.
    pub tn: u64,
    /// It does not, and people do.
    #[serde(rename = "fn")]
    pub fn_: u64,
}

/// Reads the sweep in a file.
///
/// # Errors
/// A [`Problem`] at its line where it cannot be read, is no sweep of this format version, or does not agree with itself.
pub fn read(path: &Path) -> Result<Written, Problem> {
    let shown = path.display().to_string();
    let mut bytes = Vec::new();
    let taken = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    taken.map_err(|error| {
        let kind = if error.kind() == std::io::ErrorKind::NotFound { code::NOT_FOUND } else { code::UNREADABLE };
        Problem::new(kind, format!("the sweep cannot be read: {error}")).in_file(shown.clone()).help(HELP)
    })?;
    if bytes.len() as u64 > MOST_BYTES {
        let problem = Problem::new(code::TOO_LARGE, format!("the file is larger than {} MiB", MOST_BYTES >> 20));
        return Err(problem.in_file(shown).help(HELP));
    }
    parse(&bytes, &shown)
}

const HELP: &str = "give what `citeward sweep … --format json` prints";

fn parse(bytes: &[u8], shown: &str) -> Result<Written, Problem> {
    #[derive(Deserialize)]
    struct Versioned {
        schema: String,
    }
    let malformed = |error: serde_json::Error| {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let said = error.to_string();
        let said = said.strip_suffix(&place).unwrap_or(&said);
        Problem::new(code::MALFORMED_JSON, format!("not a sweep: {said} (column {})", error.column()))
            .on_line(shown, error.line().max(1) as u64)
            .help(HELP)
    };
    let broken = |why: String| Problem::new(code::WRONG_VALUE, why).in_file(shown).help(HELP);
    let versioned: Versioned = serde_json::from_slice(bytes).map_err(malformed)?;
    if versioned.schema != SCHEMA {
        return Err(Problem::new(code::VERSION, "not a sweep of this format version")
            .in_file(shown)
            .found(quoted(&versioned.schema), format!("\"{SCHEMA}\""))
            .help(HELP));
    }
    let mut written: Written = serde_json::from_slice(bytes).map_err(malformed)?;
    for point in &written.points {
        let threshold = rules::bound(&point.threshold);
        let threshold = threshold.ok_or_else(|| broken(format!("{} is no threshold", quoted(&point.threshold))))?;
        if written.thresholds.last().is_some_and(|last| super::grid::cmp(last, &threshold).is_ge()) {
            return Err(broken(format!("the threshold {} stands behind a larger one", quoted(&point.threshold))));
        }
        written.thresholds.push(threshold);
    }
    let is_of_gate = match (&written.of.gate, &written.of.rule) {
        (Some(_), None) => true,
        (None, Some(_)) => false,
        _ => return Err(broken("`of` names neither one gate nor one rule".to_owned())),
    };
    let count = written.thresholds.len();
    let found = |series: &SeriesEntry| if is_of_gate { series.verdicts.len() } else { series.points.len() };
    if count == 0 {
        return Err(broken("`points` is empty".to_owned()));
    }
    if let Some(series) = written.series.iter().find(|series| found(series) != count) {
        return Err(broken(format!(
            "the series of {} has {} thresholds, and `points` has {count}",
            quoted(&series.run),
            found(series)
        )));
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GATE: &str = r#"{"schema":"citeward/sweep/1","of":{"gate":"g","metric":"defect_rate","average":"micro","bound":"max","place":"p:1"},
        "runs":["a"],"made_of":{"manifests":["sha256:00"],"evaluation_digest":"sha256:11","gates_digest":"sha256:22"},
        "points":[{"threshold":"0.1","chosen":true,"pass":0,"of":1,"verdicts":{}},{"threshold":"0.2","chosen":false,"pass":1,"of":1,"verdicts":{}}],
        "series":[{"run":"a","slice":{},"chosen":"0.1","value":0.15,"numerator":3,"denominator":20,"verdicts":["fail","pass"]}],"notes":[]}"#;

    fn refused(text: &str) -> String {
        let mut problems = crate::diagnostic::Problems::new();
        problems.push(parse(text.as_bytes(), "sweep.json").expect_err("refused"));
        problems.render()
    }

    #[test]
    fn a_sweep_is_read_with_exact_thresholds() {
        let written = parse(GATE.as_bytes(), "sweep.json").expect("a sweep");
        assert_eq!(written.thresholds.iter().map(|bound| bound.text.as_str()).collect::<Vec<_>>(), ["0.1", "0.2"]);
        assert_eq!(written.series[0].verdicts, [Verdict::Fail, Verdict::Pass]);
    }

    #[test]
    fn what_is_no_sweep_is_refused_at_its_place() {
        assert!(
            refused("{\n\"schema\": 1}").starts_with("sweep.json:2: error[malformed-json]: not a sweep: invalid type")
        );
        assert!(refused("").starts_with("sweep.json:1: error[malformed-json]: not a sweep: EOF"));
        assert!(
            refused("{\"schema\":\"citeward/run/1\"}")
                .contains("found \"citeward/run/1\", expected \"citeward/sweep/1\"")
        );
        assert!(refused(&GATE.replace("\"0.2\"", "\"0.1\"")).contains("stands behind a larger one"));
        assert!(refused(&GATE.replace("\"0.2\"", "\"NaN\"")).contains("\"NaN\" is no threshold"));
        assert!(
            refused(&GATE.replace("[\"fail\",\"pass\"]", "[\"fail\"]"))
                .contains("has 1 thresholds, and `points` has 2")
        );
        assert!(refused(&GATE.replace("\"gate\":\"g\"", "\"x\":\"g\"")).contains("neither one gate nor one rule"));
    }
}
