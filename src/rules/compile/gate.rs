//! Gates.

use super::bound::{fixed, ratio};
use super::condition::plural;
use super::{Dimensions, Ids, place, rule, slice};
use crate::check::Severity;
use crate::diagnostic::{Problem, Problems, Span, code, did_you_mean, quoted};
use crate::rules::metric::{self, Average, BUILT_IN, Direction, Level, Metric};
use crate::rules::policy::{Gate, Reaction, Reactions, Rule, Target, TargetSlices};
use crate::rules::section::Sections;
use crate::rules::settings::{BASELINE_GATE, UNREVIEWED_GATE};
use crate::rules::written::{self, GateSlice, Membership, ReactionWord};
use crate::yaml::{DecimalText, Located, Value};

/// What the name of a metric on a rule begins with.
const RULE: &str = "rule.";

/// Compiles the section `gates`. Without any, there is one: every case must pass.
pub(super) fn gates(
    sections: &Sections,
    dimensions: &mut Dimensions,
    rules: &[Rule],
    problems: &mut Problems,
) -> Vec<Gate> {
    if sections.nodes("gates").is_empty() {
        return vec![every_case_passes()];
    }
    let mut ids = Ids::of("gates");
    let mut gates = Vec::new();
    for (node, written) in sections.entries::<written::Gate>("gates", problems) {
        ids.add(&written.id, problems);
        if written.id.value == UNREVIEWED_GATE && bounds_reviews(sections) {
            let problem = Problem::new(code::DUPLICATE_ID, format!("two gates have the id `{UNREVIEWED_GATE}`"));
            let problem = problem.at(written.id.span).label("`review: max_unreviewed` is a gate of this id");
            problems.push(problem.help("rename this gate"));
        }
        if written.id.value == BASELINE_GATE {
            let problem = Problem::new(code::DUPLICATE_ID, format!("two gates have the id `{BASELINE_GATE}`"));
            let problem =
                problem.at(written.id.span).label("every run that is held against a baseline has a gate of this id");
            problems.push(problem.help("rename this gate; `baseline: { removed_cases: … }` says what that one does"));
        }
        let Some(measured) = Measured::named(&written.metric, rules, problems) else { continue };
        let mut builder = Builder { measured, written: &written, entry: node.span, dimensions, problems };
        gates.extend(builder.gate());
    }
    gates
}

/// Whether the policy bounds what may wait for a reviewer, which is a gate too.
fn bounds_reviews(sections: &Sections) -> bool {
    match sections.node("review").map(|node| &node.value) {
        Some(Value::Map(entries)) => entries.iter().any(|entry| entry.key == "max_unreviewed"),
        _ => false,
    }
}

fn every_case_passes() -> Gate {
    Gate {
        id: "every-case-passes".to_owned(),
        place: String::new(),
        metric: metric::CASE_PASS_RATE,
        metric_name: "case_pass_rate".to_owned(),
        average: Average::Micro,
        targets: vec![Target {
            slices: TargetSlices::Overall,
            min: Some(fixed("1", 1, 0)),
            max: None,
            max_drop: None,
            max_rise: None,
            relative: false,
            min_samples: 1,
            confidence: None,
        }],
        severity: Severity::Error,
        on: reactions(None),
        max_broken: fixed("0", 0, 0),
        membership_of_baseline: false,
        description: Some("The policy declares no gate: every case must pass.".to_owned()),
    }
}

/// The reaction that a word names, else this one.
pub(super) fn reaction(word: Option<ReactionWord>, default: Reaction) -> Reaction {
    match word {
        Some(ReactionWord::Fail) => Reaction::Fail,
        Some(ReactionWord::Warn) => Reaction::Warn,
        Some(ReactionWord::Pass) => Reaction::Pass,
        None => default,
    }
}

fn reactions(written: Option<&written::Reactions>) -> Reactions {
    let word = reaction;
    Reactions {
        no_data: word(written.and_then(|on| on.no_data), Reaction::Fail),
        too_few: word(written.and_then(|on| on.too_few), Reaction::Fail),
        inconclusive: word(written.and_then(|on| on.inconclusive), Reaction::Fail),
        inconclusive_drop: word(written.and_then(|on| on.inconclusive), Reaction::Warn),
        missing_baseline: word(written.and_then(|on| on.missing_baseline), Reaction::Fail),
        missing_slice: word(written.and_then(|on| on.missing_slice), Reaction::Fail),
        removed_cases: word(written.and_then(|on| on.removed_cases), Reaction::Fail),
    }
}

/// A metric with what a gate must know of it.
pub(super) struct Measured {
    pub(super) metric: Metric,
    pub(super) level: Level,
    pub(super) direction: Direction,
    pub(super) is_ratio: bool,
    pub(super) has_macro: bool,
}

impl Measured {
    fn named(name: &Located<String>, rules: &[Rule], problems: &mut Problems) -> Option<Self> {
        if let Some(id) = name.strip_prefix(RULE) {
            let Some(index) = rules.iter().position(|rule| rule.id == id) else {
                let problem = Problem::new(code::UNKNOWN_RULE, format!("rule {} is not declared", quoted(id)));
                let help = did_you_mean(id, rules.iter().map(|rule| rule.id.as_str()));
                let problem = problem.at(name.span.part(RULE.len(), name.len())).label("no rule has this id");
                problems.push(problem.help(help.unwrap_or_else(|| "declare it under `rules:`".to_owned())));
                return None;
            };
            let level = rules.get(index).map_or(Level::Claim, |rule| rule::level_of(&rule.check));
            let metric = Metric::Rule(u16::try_from(index).ok()?);
            return Some(Self { metric, level, direction: Direction::Higher, is_ratio: true, has_macro: true });
        }
        let Some(metric) = Metric::named(name) else {
            let problem =
                Problem::new(code::UNKNOWN_METRIC, format!("there is no metric {}", quoted(name))).at(name.span);
            let names = || BUILT_IN.iter().map(|entry| entry.name);
            let help = did_you_mean(name, names()).or_else(|| {
                let of_rule = rules.iter().find(|rule| rule.id == name.value)?;
                Some(format!("did you mean `{RULE}{}`?", of_rule.id))
            });
            let help = help.unwrap_or_else(|| {
                format!("the pass rate of a rule is `{RULE}<id>`; docs/rule-files.md lists all others")
            });
            problems.push(problem.label("not in the catalogue of metrics").help(help));
            return None;
        };
        let entry = metric.entry()?;
        Some(Self {
            level: entry.level,
            direction: entry.direction,
            is_ratio: entry.is_ratio,
            has_macro: entry.has_macro,
            metric,
        })
    }
}

/// The bounds of a gate or of one of its slices, as written.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    pub(super) min: Option<&'a Located<DecimalText>>,
    pub(super) max: Option<&'a Located<DecimalText>>,
    pub(super) max_drop: Option<&'a Located<DecimalText>>,
    pub(super) max_rise: Option<&'a Located<DecimalText>>,
    pub(super) min_samples: Option<&'a Located<u64>>,
    pub(super) confidence: Option<&'a Located<DecimalText>>,
}

pub(super) struct Builder<'a> {
    pub(super) measured: Measured,
    pub(super) written: &'a written::Gate,
    pub(super) entry: Span,
    pub(super) dimensions: &'a mut Dimensions,
    pub(super) problems: &'a mut Problems,
}

impl Builder<'_> {
    fn gate(&mut self) -> Option<Gate> {
        let written = self.written;
        self.check_average();
        let base = Written {
            min: written.min.as_ref(),
            max: written.max.as_ref(),
            max_drop: written.max_drop.as_ref(),
            max_rise: written.max_rise.as_ref(),
            min_samples: written.min_samples.as_ref(),
            confidence: written.confidence.as_ref(),
        };
        let slices = written.slices.as_ref();
        if let Some(slices) = slices
            && slices.is_empty()
        {
            let problem = Problem::new(code::EMPTY, "`slices` is empty").at(slices.span);
            self.problems
                .push(problem.found("an empty list", "at least one slice").help("fill the list or delete the key"));
        }
        let mut targets = Vec::new();
        let everywhere = self.everywhere();
        let all_elsewhere = slices.is_some_and(|slices| slices.iter().all(|slice| has_bound(of_slice(slice))));
        if has_bound(base) || !all_elsewhere || slices.is_none_or(|slices| slices.is_empty()) {
            targets.extend(self.target(everywhere, base, self.entry));
        }
        for slice in slices.into_iter().flat_map(|slices| &slices.value) {
            if let Some(over) = self.one(slice) {
                let own = of_slice(slice);
                let merged = Written {
                    min: own.min.or(base.min),
                    max: own.max.or(base.max),
                    max_drop: own.max_drop.or(base.max_drop),
                    max_rise: own.max_rise.or(base.max_rise),
                    min_samples: own.min_samples.or(base.min_samples),
                    confidence: own.confidence.or(base.confidence),
                };
                self.check_slice_of_answer(&over, merged, slice::slice_span(&slice.slice));
                if targets.iter().any(|target: &Target| target.slices == over) {
                    let problem = Problem::new(code::CONTRADICTION, "one slice has two sets of bounds");
                    self.problems
                        .push(problem.at(slice.span).label("named above already").help("remove one of the two"));
                }
                targets.extend(self.target(over, merged, slice.span));
            }
        }
        self.check_membership(&targets);
        Some(Gate {
            id: written.id.value.clone(),
            place: place(written.id.span, self.problems),
            metric: self.measured.metric.clone(),
            metric_name: written.metric.value.clone(),
            average: written.average.as_ref().map_or(Average::Micro, |average| average.value),
            targets,
            severity: written.severity.unwrap_or(Severity::Error),
            on: reactions(written.on.as_ref()),
            max_broken: match &written.max_broken {
                Some(max_broken) => ratio("max_broken", max_broken, self.problems)?,
                None if self.measured.metric == metric::JUDGE_BROKEN_RATE => fixed("0.01", 1, 2),
                None => fixed("0", 0, 0),
            },
            membership_of_baseline: written.membership.as_ref().is_some_and(|m| m.value == Membership::Baseline),
            description: written.description.clone(),
        })
    }

    /// Only a comparison asks who was in a slice before.
    fn check_membership(&mut self, targets: &[Target]) {
        if let Some(membership) = &self.written.membership
            && membership.value == Membership::Baseline
            && !targets.iter().any(|target| target.max_drop.is_some() || target.max_rise.is_some())
        {
            let message = "`membership` has no effect without `max_drop` or `max_rise`";
            let problem = Problem::new(code::NO_EFFECT, message).at(membership.span);
            self.problems.push(problem.label("nothing is compared with a baseline").help("delete it"));
        }
    }

    fn check_average(&mut self) {
        if let Some(average) = &self.written.average
            && average.value == Average::Macro
            && !self.measured.has_macro
        {
            let problem =
                Problem::new(code::NO_EFFECT, format!("`{}` has no macro average", self.written.metric.value));
            self.problems
                .push(problem.at(average.span).label("a mean over cases is not defined for it").help("delete it"));
        }
    }

    /// The slices that the gate's own bounds are for.
    fn everywhere(&mut self) -> TargetSlices {
        let Some(by) = &self.written.by else { return TargetSlices::Overall };
        let mut parts = Vec::new();
        for word in &by.value.0 {
            let span = if word.span == Span::default() { by.span } else { word.span };
            let Some(index) = self.dimensions.find(&word.value.0, span, self.problems) else {
                return TargetSlices::Overall;
            };
            self.check_level(index, span);
            if parts.contains(&index) {
                let problem = Problem::new(code::WRONG_VALUE, "a slice cannot be crossed with itself").at(span);
                self.problems.push(problem.label("named twice").help("remove it"));
                return TargetSlices::Overall;
            }
            parts.push(index);
        }
        if parts.is_empty() {
            let problem = Problem::new(code::EMPTY, "`by` names no slice").at(by.span);
            self.problems
                .push(problem.found("an empty list", "at least one slice").help("fill the list or delete the key"));
        }
        let everywhere = self.dimensions.crossed(parts).map_or(TargetSlices::Overall, TargetSlices::EachOf);
        let base = Written {
            min: None,
            max: None,
            max_drop: self.written.max_drop.as_ref(),
            max_rise: self.written.max_rise.as_ref(),
            min_samples: None,
            confidence: None,
        };
        self.check_slice_of_answer(&everywhere, base, by.span);
        everywhere
    }

    /// The one slice that an entry of `slices` names.
    fn one(&mut self, slice: &GateSlice) -> Option<TargetSlices> {
        let span = slice::slice_span(&slice.slice);
        let values = self.dimensions.values(&slice.slice, self.problems)?;
        let mut parts = Vec::new();
        let mut joined = Vec::new();
        for (index, mut words) in values {
            self.check_level(index, span);
            if words.len() > 1 {
                let problem = Problem::new(code::SLICE_VALUE, "a gate's slice has one value").at(span);
                let found = format!("{} values", words.len());
                self.problems.push(problem.found(found, "one").help("make one entry of `slices` for each value"));
                return None;
            }
            parts.push(index);
            joined.extend(words.pop());
        }
        let index = self.dimensions.crossed(parts)?;
        Some(TargetSlices::One(index, joined.join(crate::rules::policy::CROSS)))
    }

    fn check_level(&mut self, index: usize, span: Span) {
        let Some(dimension) = self.dimensions.list.get(index) else { return };
        if dimension.level > self.measured.level {
            let message = format!("slice `{}` is of {}", dimension.id, plural(dimension.level));
            let label = format!("`{}` counts {}", self.written.metric.value, plural(self.measured.level));
            let help = format!(
                "use a slice of {}, or a metric that counts {}",
                plural(self.measured.level),
                plural(dimension.level)
            );
            self.problems.push(Problem::new(code::WRONG_SUBJECT, message).at(span).label(label).help(help));
        }
    }

    /// A comparison with the baseline needs subjects that do not move from one slice to another with the answer.
    fn check_slice_of_answer(&mut self, slices: &TargetSlices, bounds: Written<'_>, span: Span) {
        let index = match slices {
            TargetSlices::Overall => return,
            TargetSlices::EachOf(index) | TargetSlices::One(index, _) => *index,
        };
        let compares = bounds.max_drop.or(bounds.max_rise).is_some();
        let own = self.written.membership.as_ref().is_none_or(|membership| membership.value == Membership::Own);
        if compares && own && self.dimensions.is_of_answer(index) {
            let problem = Problem::new(code::CONTRADICTION, "the answer itself decides who is in this slice").at(span);
            self.problems.push(
                problem
                    .label("a change between two runs may be a change of members only")
                    .help("add `membership: baseline` to the gate"),
            );
        }
    }
}

pub(super) fn has_bound(written: Written<'_>) -> bool {
    written.min.is_some() || written.max.is_some() || written.max_drop.is_some() || written.max_rise.is_some()
}

fn of_slice(slice: &GateSlice) -> Written<'_> {
    Written {
        min: slice.min.as_ref(),
        max: slice.max.as_ref(),
        max_drop: slice.max_drop.as_ref(),
        max_rise: slice.max_rise.as_ref(),
        min_samples: slice.min_samples.as_ref(),
        confidence: slice.confidence.as_ref(),
    }
}
