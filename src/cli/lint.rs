//! `citeward lint`: are the rule files right, do their examples come out as they say, and what in them matches nothing?

use std::collections::BTreeMap;

use super::args::{BadLines, DataArgs, Format, Lint};
use super::inputs::{self, Data};
use super::{Exit, Io, Stop, json};
use crate::diagnostic::{Problem, Problems, counted, harmless};
use crate::gate::counting::Counting;
use crate::gate::{self, Cause, Verdict};
use crate::record::CaseRecord;
use crate::record::evaluate::{Evaluator, EvidenceMode};
use crate::record::example;
use crate::report::github;
use crate::rules::Policy;
use crate::run::evaluate::{Evaluation, Sink, Stated, evaluate};
use crate::run::unmatched;
use crate::tally::RuleTable;

/// Share of the claims, as one in so many, above which a rule fires suspiciously often.
const TOO_OFTEN: u64 = 5;

/// Runs the command: invalid rules are what it is there to find.
pub(super) fn run(args: &Lint, io: &mut Io<'_>) -> Result<Exit, Stop> {
    let policy = match inputs::policy(&args.rules) {
        Ok(policy) => policy,
        Err(problems) if args.rules.rules.as_deref().is_some_and(|folder| !folder.is_dir()) => {
            return Err(problems.into());
        }
        Err(problems) => return found(args, &problems, io),
    };
    let problems = example::run_all(&policy);
    if !problems.is_empty() {
        return found(args, &problems, io);
    }
    if args.format == Format::Json {
        writeln!(io.out, "[]")?;
    } else if !args.quiet {
        let files = match policy.files.len() {
            0 => "the built-in policy".to_owned(),
            count => counted(count as u64, "rule file"),
        };
        writeln!(
            io.out,
            "{files}: {}, {}, {}, {}; {}",
            counted(policy.rules.len() as u64, "rule"),
            counted(policy.markers.grammars().len() as u64, "marker grammar"),
            counted(policy.slices.len() as u64, "slice"),
            counted(policy.gates.len() as u64, "gate"),
            match policy.examples.len() {
                0 => "no examples".to_owned(),
                1 => "1 example comes out as it says".to_owned(),
                count => format!("{count} examples come out as they say"),
            }
        )?;
    }
    for sentence in policy.idle.iter().chain(&policy.markers.idle()) {
        writeln!(io.err, "warning: {}", harmless(sentence))?;
    }
    for rule in Counting::of(&policy).uncounted_rules() {
        let why = format!("no gate counts every error of rule `{}`; add `gate: {{ max: 0 }}` to it", rule.id);
        if args.format == Format::Github {
            io.out.write_all(github::of_gate(false, &rule.place, "errors that no gate counts", &why).as_bytes())?;
        }
        writeln!(io.err, "warning: {}: {why}", harmless(&rule.place))?;
    }
    if !args.against.is_empty() {
        let policy = inputs::ready(policy)?;
        against(args, &policy, io).map_err(|stop| stop.redacted(&policy))?;
    }
    Ok(Exit::Done)
}

/// Prints problems in the form that was asked for.
fn found(args: &Lint, problems: &Problems, io: &mut Io<'_>) -> Result<Exit, Stop> {
    match args.format {
        Format::Text => {}
        Format::Github => io.out.write_all(github::problems(problems).as_bytes())?,
        Format::Json => {
            let entry = |problem: &&Problem| {
                serde_json::json!({
                    "place": problems.location(problem),
                    "code": problem.code.as_str(),
                    "message": problem.message,
                    "found": problem.label,
                    "help": problem.help,
                })
            };
            let list: Vec<serde_json::Value> = problems.shown().iter().map(entry).collect();
            let text = serde_json::to_string_pretty(&list).unwrap_or_else(|_| "[]".to_owned());
            writeln!(io.out, "{}", json::harmless(text.as_bytes()))?;
        }
    }
    io.err.write_all(problems.render().as_bytes())?;
    Ok(Exit::Failed)
}

/// Says what of the policy matches nothing in a dataset, and what fires too often.
fn against(args: &Lint, policy: &Policy, io: &mut Io<'_>) -> Result<(), Stop> {
    let data_args = DataArgs {
        datasets: args.against.clone(),
        answers: None,
        sources: None,
        allow_missing_answers: false,
        bad_lines: BadLines::Stop,
        jobs: None,
    };
    let data = Data::open(&data_args, policy)?;
    let evaluator = Evaluator::new(policy, EvidenceMode::HashOnly);
    let mut markers = Markers::default();
    let evaluation = evaluate(&evaluator, data.chunks(), &data.files, &data.settings(&data_args), &mut markers)?;
    let mut remarks = remarks(policy, &evaluation, &markers.found);
    let redact = &policy.settings.redact;
    remarks.extend(evaluator.idle_redactions().into_iter().map(|name| {
        let is_field = redact.fields.iter().any(|field| field.0 == name);
        let says = if is_field { "no case has the field" } else { "no text matches the pattern" };
        format!("{}: redact: {says} {name}", redact.place)
    }));
    for remark in &remarks {
        writeln!(io.out, "{}", harmless(remark))?;
    }
    if remarks.is_empty() && !args.quiet {
        writeln!(io.out, "every rule, marker grammar, slice and gate matches something there")?;
    }
    Ok(())
}

fn remarks(policy: &Policy, evaluation: &Evaluation, markers: &BTreeMap<String, u64>) -> Vec<String> {
    let tally = &evaluation.tally;
    let table = RuleTable::of(policy);
    let counts = tally.rule_counts();
    let claims = tally.overall().claims;
    let mut remarks = Vec::new();
    for rule in &policy.rules {
        let counts = counts.get(&rule.id).copied().unwrap_or_default();
        if counts.pass + counts.fail + counts.broken == 0 {
            remarks.push(format!("{}: rule {} decides nothing there: it never applies", rule.place, rule.id));
        } else if counts.fail * TOO_OFTEN > claims {
            let often = if counts.fail == 1 { "once".to_owned() } else { format!("{} times", counts.fail) };
            let claims = counted(claims, "claim");
            remarks.push(format!("{}: rule {} fires {often} on {claims}, more than a fifth", rule.place, rule.id));
        }
    }
    if policy.markers.grammars().is_empty() {
        remarks.push("no marker grammar is declared: what answers cite in their text is not read".to_owned());
    }
    let grammars = policy.markers.grammars().iter().map(|grammar| grammar.id.as_str());
    let idle: Vec<&str> = grammars.filter(|id| !markers.contains_key(*id)).collect();
    if !idle.is_empty() {
        remarks.push(format!("marker grammars that match nothing there: {}", idle.join(", ")));
    }
    for dimension in &table.dimensions {
        if tally.values(dimension).is_empty() {
            remarks.push(format!("slice {} has no value there", dimension.id));
        }
    }
    remarks.extend(unmatched::warnings(policy, tally, &table, &[]));
    for result in gate::judge(&policy.gates, tally, &table, &[]).results {
        // Here nothing is held against a baseline: that there is none says nothing of the data.
        if result.verdict == Verdict::NoData && result.cause != Cause::MissingBaseline {
            remarks.push(format!("{}: gate {}: {}", result.place, result.gate, result.reason));
        }
    }
    remarks
}

/// Counts the markers that each grammar found.
#[derive(Debug, Default)]
struct Markers {
    found: BTreeMap<String, u64>,
}

impl Sink for Markers {
    fn take(&mut self, lines: &Stated<'_>) -> Result<(), Problem> {
        for line in lines.cases.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let Ok(case) = serde_json::from_slice::<CaseRecord<'_>>(line) else { continue };
            for marker in case.markers {
                *self.found.entry(marker.marker.into_owned()).or_default() += 1;
            }
        }
        Ok(())
    }

    fn progress(&mut self, _: u64) {}
}
