//! An option of a rule under other values: the scores that a run recorded, held against each of them.

use std::fs::File;
use std::io::{BufRead as _, BufReader};

use serde::Deserialize;

use super::score::Score;
use super::{Grid, SweptRun, grid};
use crate::check::{Outcome, Subject as Level, Threshold};
use crate::dataset::Label;
use crate::diagnostic::{Problem, code, did_you_mean, quoted};
use crate::record::Text;
use crate::record::outline::{CaseOutline, letter_outcome};
use crate::rules::policy::{Bound, Combine, Rule};
use crate::rules::{self, Policy};
use crate::run::RECORDS;

/// What is swept: a rule of the policy and one of its options.
#[derive(Debug)]
pub struct Subject<'p> {
    /// The rule.
    pub rule: &'p Rule,
    /// The option.
    pub threshold: Threshold,
    /// Its value in the policy.
    pub chosen: Bound,
}

impl<'p> Subject<'p> {
    /// Finds the rule with this id and the option of it.
    ///
    /// # Errors
    /// A [`Problem`] where there is no such rule, the option is no threshold on a score that records keep, or the rule does not set it.
    pub fn find(policy: &'p Policy, id: &str, option: &str) -> Result<Self, Problem> {
        let Some(rule) = policy.rules.iter().find(|rule| rule.id == id) else {
            let ids = policy.rules.iter().map(|rule| rule.id.as_str());
            let problem = Problem::new(code::UNKNOWN_RULE, format!("no rule has the id {}", quoted(id)));
            return Err(problem.help_if(did_you_mean(id, ids).or_else(|| Some(swept_in(policy)))));
        };
        let here = |problem: Problem| problem.in_file(rule.place.clone());
        let thresholds = rule.check.thresholds();
        let Some(threshold) = thresholds.iter().find(|threshold| threshold.option == option).cloned() else {
            let what = format!("`{option}` of the rule `{id}` is no threshold on a score that its records keep");
            let names: Vec<&str> = thresholds.iter().map(|threshold| threshold.option).collect();
            let help = match names.as_slice() {
                [] => format!("`{}` has none; {}", rule.kind.name, swept_in(policy)),
                _ => did_you_mean(option, names.iter().copied())
                    .filter(|help| help.starts_with("did you mean"))
                    .unwrap_or_else(|| format!("those of `{}` are {}", rule.kind.name, names.join(", "))),
            };
            return Err(here(Problem::new(code::UNKNOWN_NAME, what).help(help)));
        };
        if rule.combine != Combine::Union {
            let problem =
                Problem::new(code::NO_EFFECT, format!("the rule `{id}` judges each passage alone (`combine`)"));
            return Err(here(
                problem.help("its records keep no one score of a claim; sweep it under `combine: union`"),
            ));
        }
        let Some(chosen) = threshold.value.as_deref().and_then(rules::bound) else {
            let problem = Problem::new(code::MISSING_KEY, format!("the rule `{id}` sets no `{option}`"));
            return Err(here(problem.help(format!("write `{option}: 0` into it, evaluate, and sweep then"))));
        };
        same_scoring(policy, rule).map_err(here)?;
        Ok(Self { rule, threshold, chosen })
    }

    /// Refuses thresholds that the rule's other options rule out.
    ///
    /// # Errors
    /// A [`Problem`] that names the option.
    pub fn refuse_beyond(&self, grid: &Grid) -> Result<(), Problem> {
        let option = self.threshold.option;
        let beyond = |flag: &str, than: &str, (other, value): &(&'static str, String)| {
            Problem::new(code::CONTRADICTION, format!("`{flag}` is {than} `{other}`, which is {value}"))
                .in_file(self.rule.place.clone())
                .help(format!("`{option}` of `{}` is never {than} `{other}`", self.rule.kind.name))
        };
        let Threshold { least, most, .. } = &self.threshold;
        let exceeds = |bound: Option<&Bound>, value: &str, order| {
            bound.zip(rules::bound(value)).is_some_and(|(bound, value)| grid::cmp(bound, &value) == order)
        };
        if let Some(least) = least
            && exceeds(grid.thresholds.first(), &least.1, std::cmp::Ordering::Less)
        {
            return Err(beyond("--from", "less than", least));
        }
        match most {
            Some(most) if exceeds(grid.thresholds.last(), &most.1, std::cmp::Ordering::Greater) => {
                Err(beyond("--to", "more than", most))
            }
            _ => Ok(()),
        }
    }
}

/// Which options of which rules of the policy can be swept.
fn swept_in(policy: &Policy) -> String {
    let of_rule = |rule: &Rule| {
        let set = rule.check.thresholds().into_iter().filter(|threshold| threshold.value.is_some());
        let options: Vec<&str> = set.map(|threshold| threshold.option).collect();
        (!options.is_empty()).then(|| format!("`{}` ({})", rule.id, options.join(", ")))
    };
    let rules: Vec<String> = policy.rules.iter().filter_map(of_rule).collect();
    match rules.as_slice() {
        [] => "no rule of this policy has an option that can be swept".to_owned(),
        _ => format!("what can be swept in this policy: {}", rules.join(", ")),
    }
}

/// The scores of a case are counted once, as the first rule on them says; those of a rule that counts otherwise are not kept.
fn same_scoring(policy: &Policy, rule: &Rule) -> Result<(), Problem> {
    let scoring = |rule: &Rule| match &rule.check {
        crate::check::Check::Case(check) => check.scoring(),
        _ => None,
    };
    let (Some(own), Some(first)) = (scoring(rule), policy.rules.iter().find(|rule| scoring(rule).is_some())) else {
        return Ok(());
    };
    if scoring(first) == Some(own) {
        return Ok(());
    }
    Err(Problem::new(code::NO_EFFECT, format!("records keep no scores as the rule `{}` counts them", rule.id))
        .help(format!("they keep those of `{}`, the first rule on citation scores, at {}", first.id, first.place)))
}

/// How a rule comes out at one threshold, over its subjects in one run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Point {
    /// Subjects on which it passes.
    pub pass: u64,
    /// Subjects on which it fails.
    pub fail: u64,
    /// Subjects on which it then has nothing to say.
    pub not_applicable: u64,
    /// How often it is right, over the subjects that people labelled.
    pub confusion: Confusion,
}

/// What the rule says against what people said. It says something where the option decides: that there is a defect where it fails, or
/// (an option that decides what passes) that there is support.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Confusion {
    /// It says so, and people do.
    pub tp: u64,
    /// It says so, and people do not.
    pub fp: u64,
    /// It does not, nor do people.
    pub tn: u64,
    /// It does not, and people do.
    pub fn_: u64,
}

impl Confusion {
    /// Labelled subjects.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.tp + self.fp + self.tn + self.fn_
    }

    /// Those on which it is right.
    #[must_use]
    pub const fn right(&self) -> u64 {
        self.tp + self.tn
    }

    fn add(&mut self, says: bool, is: bool) {
        let count = match (says, is) {
            (true, true) => &mut self.tp,
            (true, false) => &mut self.fp,
            (false, false) => &mut self.tn,
            (false, true) => &mut self.fn_,
        };
        *count += 1;
    }
}

impl Point {
    fn add(&mut self, outcome: Outcome, decides: Outcome, expected: Option<Label>) {
        match outcome {
            Outcome::Pass => self.pass += 1,
            Outcome::Fail => self.fail += 1,
            Outcome::NotApplicable => self.not_applicable += 1,
            Outcome::Broken => return,
        }
        if let Some(expected) = expected {
            let is = if decides == Outcome::Fail { expected.is_defect() } else { expected == Label::Supported };
            self.confusion.add(outcome == decides, is);
        }
    }

    /// Adds the counts of another run.
    pub const fn merge(&mut self, other: &Point) {
        self.pass += other.pass;
        self.fail += other.fail;
        self.not_applicable += other.not_applicable;
        self.confusion.tp += other.confusion.tp;
        self.confusion.fp += other.confusion.fp;
        self.confusion.tn += other.confusion.tn;
        self.confusion.fn_ += other.confusion.fn_;
    }
}

/// A rule of one run over the thresholds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// The run.
    pub run: String,
    /// Subjects that could not be evaluated.
    pub broken: u64,
    /// By threshold.
    pub points: Vec<Point>,
}

/// An option of a rule over its thresholds.
#[derive(Debug, Clone)]
pub struct RuleSweep {
    /// Id of the rule.
    pub rule: String,
    /// `file:line` of the rule.
    pub place: String,
    /// Its kind.
    pub kind: String,
    /// What its subjects are.
    pub subjects: Level,
    /// The option.
    pub threshold: Threshold,
    /// Its value in the policy.
    pub chosen: Bound,
    /// The thresholds, ascending, that of the policy among them.
    pub grid: Grid,
    /// Each run.
    pub series: Vec<Series>,
    /// What a reader must know.
    pub notes: Vec<String>,
}

impl RuleSweep {
    /// All runs together, by threshold.
    #[must_use]
    pub fn total(&self) -> Vec<Point> {
        let mut total = vec![Point::default(); self.grid.thresholds.len()];
        for series in &self.series {
            total.iter_mut().zip(&series.points).for_each(|(sum, point)| sum.merge(point));
        }
        total
    }
}

/// Holds what every run recorded of the rule against every threshold.
///
/// # Errors
/// A [`Problem`] where a run was judged without the rule, or its records cannot be read.
pub fn sweep(policy: &Policy, subject: &Subject<'_>, grid: Grid, runs: &[SweptRun]) -> Result<RuleSweep, Problem> {
    let grid = grid.with(std::slice::from_ref(&subject.chosen));
    let series = runs.iter().map(|run| of_run(subject, &grid, run)).collect::<Result<Vec<_>, _>>()?;
    Ok(RuleSweep {
        rule: subject.rule.id.clone(),
        place: subject.rule.place.clone(),
        kind: subject.rule.kind.name.to_owned(),
        subjects: subject.rule.check.subject(),
        threshold: subject.threshold.clone(),
        chosen: subject.chosen.clone(),
        grid,
        series,
        notes: notes(policy, runs),
    })
}

fn notes(policy: &Policy, runs: &[SweptRun]) -> Vec<String> {
    let mut notes = vec![
        "Labels and all other rules stay as they were in the run: what another value does to labels, cases and gates, `citeward impact` shows."
            .to_owned(),
    ];
    let others = super::judged_otherwise(runs, policy);
    if !others.is_empty() {
        notes.push(format!(
            "{}: judged by other rules than these; where the rule applies, its other options and its scores are as they were then.",
            others.join(", ")
        ));
    }
    notes
}

fn of_run(subject: &Subject<'_>, grid: &Grid, run: &SweptRun) -> Result<Series, Problem> {
    let known =
        run.store.head.rules.iter().position(|rule| rule.id == subject.rule.id && rule.kind == subject.rule.kind.name);
    let Some(index) = known else {
        let problem = Problem::new(
            code::UNKNOWN_RULE,
            format!("the run was judged without a rule `{}` of kind `{}`", subject.rule.id, subject.rule.kind.name),
        );
        return Err(problem.in_file(run.name.clone()).help("evaluate again with these rules"));
    };
    let points = vec![Point::default(); grid.thresholds.len()];
    let mut series = Series { run: run.name.clone(), broken: 0, points };
    match subject.threshold.of_case {
        Some(score) => {
            for case in run.store.cases() {
                let (numerator, denominator) = score(&case.scores).unwrap_or_default();
                let score = Score::of_counts(numerator, denominator);
                if let Some(outcome) = letter_outcome(&case.outcomes, index) {
                    let besides =
                        case.findings.iter().any(|f| f.rule == subject.rule.id && f.code != subject.threshold.code);
                    series.count(subject, grid, outcome, besides, score, expected_of_case(&case));
                }
            }
        }
        None => of_claims(subject, grid, run, &mut series)?,
    }
    Ok(series)
}

/// What people say of a case: a defect where one of its claims has one, support where all that they labelled have it.
fn expected_of_case(case: &CaseOutline<'_>) -> Option<Label> {
    let labels = || case.claims.iter().filter_map(|claim| claim.expected);
    labels()
        .find(|label| label.is_defect())
        .or_else(|| labels().find(|label| *label != Label::Supported))
        .or_else(|| labels().next())
}

impl Series {
    fn count(
        &mut self,
        subject: &Subject<'_>,
        grid: &Grid,
        recorded: Outcome,
        besides: bool,
        score: Option<Score>,
        expected: Option<Label>,
    ) {
        let threshold = &subject.threshold;
        if recorded == Outcome::Broken {
            self.broken += 1;
            return;
        }
        // A subject that the rule had nothing to say of, and measured nothing on, is none.
        if recorded == Outcome::NotApplicable && (score.is_none() || threshold.of_case.is_some()) {
            return;
        }
        for (point, value) in self.points.iter_mut().zip(&grid.thresholds) {
            let reached = score.map(|score| score.reaches(value));
            point.add(threshold.outcome(recorded, besides, reached), threshold.decides, expected);
        }
    }
}

/// What of a line of `records.jsonl` a sweep reads.
#[derive(Deserialize)]
struct Line<'a> {
    expected: Option<Label>,
    #[serde(borrow)]
    outcomes: Vec<OutcomeLine<'a>>,
    #[serde(borrow)]
    findings: Vec<FindingLine<'a>>,
}

#[derive(Deserialize)]
struct OutcomeLine<'a> {
    #[serde(borrow)]
    rule: Text<'a>,
    outcome: Outcome,
    score: Option<f64>,
}

#[derive(Deserialize)]
struct FindingLine<'a> {
    #[serde(borrow)]
    rule: Text<'a>,
    #[serde(borrow)]
    code: Text<'a>,
}

fn of_claims(subject: &Subject<'_>, grid: &Grid, run: &SweptRun, series: &mut Series) -> Result<(), Problem> {
    let path = run.folder.join(RECORDS);
    let shown = path.display().to_string();
    let unreadable = |error: &std::io::Error| {
        Problem::new(code::UNREADABLE, format!("the records cannot be read: {error}"))
            .in_file(shown.clone())
            .help("see `citeward verify`")
    };
    let file = File::open(&path).map_err(|error| unreadable(&error))?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(|error| unreadable(&error))? == 0 {
            break;
        }
        let broken = |why: String| {
            Problem::new(code::BROKEN_RUN, why).on_line(shown.clone(), number).help("see `citeward verify`")
        };
        let line: Line<'_> =
            serde_json::from_slice(&bytes).map_err(|error| broken(format!("not a line of this run: {error}")))?;
        let Some(outcome) = line.outcomes.iter().find(|outcome| outcome.rule == subject.rule.id) else { continue };
        let score = match outcome.score {
            None => None,
            Some(score) => Some(Score::of_double(score).ok_or_else(|| broken(format!("{score} is no score")))?),
        };
        let besides =
            line.findings.iter().any(|found| found.rule == subject.rule.id && found.code != subject.threshold.code);
        series.count(subject, grid, outcome.outcome, besides, score, line.expected);
    }
    Ok(())
}
