//! Which errors the gates of a policy count (SPEC 5). A gate counts a rule where every error that the rule finds moves the gate's
//! metric towards its bound. What counts which rule is said here and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::check::citation_scores::Scoring;
use crate::check::{Check, Family, Severity, Subject};
use crate::dataset::Label;
use crate::diagnostic::{counted, harmless};
use crate::rules::Policy;
use crate::rules::metric::{self, Direction, Level, Metric};
use crate::rules::policy::{DimensionSource, Gate, Mode, OnMissing, Reaction, Rule, Target, TargetSlices};
use crate::tally::errors::Standing;
use crate::tally::{Tally, rate_of};

/// Support checks whose findings all say something of the claim's label.
const LABELLING: [&str; 8] = ["numbers", "dates", "quotes", "identifiers", "terms", "overlap", "negation", "modality"];

/// Error findings that no gate counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncounted {
    /// Cases with at least one.
    pub cases: u64,
    /// The same by rule.
    pub rules: BTreeMap<String, u64>,
}

impl Uncounted {
    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.cases == 0
    }

    /// `2 of 7 cases failed by errors that no gate counts (broken-marker in 2)`; empty where there is none. `cases` is how many the run has.
    #[must_use]
    pub fn in_words(&self, cases: u64) -> String {
        const NAMED: usize = 3;
        if self.is_empty() {
            return String::new();
        }
        let mut rules: Vec<(&String, &u64)> = self.rules.iter().collect();
        rules.sort_by_key(|(_, cases)| std::cmp::Reverse(**cases));
        let more = if rules.len() > NAMED { ", …" } else { "" };
        let named: Vec<String> =
            rules.into_iter().take(NAMED).map(|(rule, cases)| format!("{} in {cases}", harmless(rule))).collect();
        let of = counted(cases, "case");
        format!("{} of {of} failed by errors that no gate counts ({}{more})", self.cases, named.join(", "))
    }
}

/// A set of [`Standing`]s, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Standings(u16);

impl Standings {
    const NONE: Self = Self(0);
    const ALL: Self = Self(0x3ff);

    fn of(standings: impl IntoIterator<Item = Standing>) -> Self {
        standings.into_iter().fold(Self::NONE, |all, standing| {
            let bit = match standing {
                Standing::Labelled(label) => Label::ALL.iter().position(|known| *known == label).unwrap_or(0),
                Standing::Unlabelled => 7,
                Standing::Uncited => 8,
                Standing::Case => 9,
            };
            Self(all.0 | 1 << bit)
        })
    }

    fn labels(are: impl Fn(Label) -> bool) -> Self {
        Self::of(Label::ALL.into_iter().filter(|label| are(*label)).map(Standing::Labelled))
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    const fn holds(self, all: Self) -> bool {
        self.0 & all.0 == all.0
    }
}

/// What the gates of a policy count.
#[derive(Debug)]
pub struct Counting<'p> {
    policy: &'p Policy,
    /// By rule, where a finding of it is counted.
    counted: Vec<Standings>,
}

impl<'p> Counting<'p> {
    /// That of a policy.
    #[must_use]
    pub fn of(policy: &'p Policy) -> Self {
        let metrics: BTreeSet<&Metric> =
            policy.gates.iter().filter(|gate| binds(gate, policy)).map(|gate| &gate.metric).collect();
        let scoring = Scoring::of(policy.rules.iter().map(|rule| &rule.check));
        let scores = metrics.contains(&metric::CITATION_PRECISION) && metrics.contains(&metric::CITATION_RECALL);
        let of_rule = |(index, rule): (usize, &Rule)| {
            let by_metrics = metrics.iter().map(|metric| counted_by(metric, index, rule));
            let by_scores = if scores && is_scored(rule, scoring) { Standings::ALL } else { Standings::NONE };
            by_metrics.fold(by_scores, Standings::and)
        };
        Self { policy, counted: policy.rules.iter().enumerate().map(of_rule).collect() }
    }

    /// The enforced rules of severity error with findings that no gate counts.
    pub fn uncounted_rules(&self) -> impl Iterator<Item = &'p Rule> {
        let fails = |rule: &Rule| rule.severity == Severity::Error && rule.mode == Mode::Enforce;
        let rules = self.policy.rules.iter().zip(&self.counted);
        rules.filter(move |(rule, counted)| fails(rule) && !counted.holds(reaches(rule))).map(|(rule, _)| rule)
    }

    /// The cases of a tally of this policy's rules that have an error which no gate counts.
    #[must_use]
    pub fn uncounted(&self, tally: &Tally) -> Uncounted {
        let mut uncounted = Uncounted::default();
        for (errors, cases) in tally.errors().iter() {
            let is_uncounted = |(rule, standing): &&(u16, Standing)| {
                let counted = self.counted.get(usize::from(*rule)).copied().unwrap_or_default();
                !counted.holds(Standings::of([*standing]))
            };
            let rules: BTreeSet<u16> = errors.iter().filter(is_uncounted).map(|(rule, _)| *rule).collect();
            if !rules.is_empty() {
                uncounted.cases = uncounted.cases.saturating_add(cases);
            }
            for rule in rules.into_iter().filter_map(|rule| self.policy.rules.get(usize::from(rule))) {
                let sum = uncounted.rules.entry(rule.id.clone()).or_default();
                *sum = sum.saturating_add(cases);
            }
        }
        uncounted
    }
}

/// Whether the gate fails the run wherever its metric is beyond an absolute bound on the whole dataset, or on slices that every subject
/// is in. A gate that lets too few or inconclusive subjects pass does not.
fn binds(gate: &Gate, policy: &Policy) -> bool {
    let is_everywhere = |slices: &TargetSlices| match slices {
        TargetSlices::Overall => true,
        TargetSlices::EachOf(index) => policy.slices.get(*index).is_some_and(|dimension| {
            let is_always_set = dimension.missing.is_some() || matches!(dimension.source, DimensionSource::When(_));
            is_always_set && dimension.level <= Level::Claim
        }),
        TargetSlices::One(..) => false,
    };
    let is_bound = |target: &Target| match gate.metric.direction() {
        Direction::Higher => target.min.is_some(),
        Direction::Lower => target.max.is_some(),
        Direction::Neither => false,
    };
    let is_judged = |target: &Target| {
        (target.min_samples <= 1 || gate.on.too_few == Reaction::Fail)
            && (target.confidence.is_none() || gate.on.inconclusive == Reaction::Fail)
    };
    gate.severity == Severity::Error
        && gate.targets.iter().any(|target| is_everywhere(&target.slices))
        && gate.targets.iter().all(|target| is_bound(target) && is_judged(target))
}

/// Where a finding of the rule moves the metric towards its bound.
fn counted_by(metric: &Metric, index: usize, rule: &Rule) -> Standings {
    let kind = rule.kind.name;
    let labels = |are: fn(Label) -> bool, by: bool| if by { Standings::labels(are) } else { Standings::NONE };
    let uncited = if kind == "cited" { Standings::of([Standing::Uncited]) } else { Standings::NONE };
    let is_integrity = rule.family() == Family::Integrity && rule.check.subject() == Subject::Citation;
    match metric {
        Metric::Rule(own) | Metric::FailRate(own) if usize::from(*own) == index => Standings::ALL,
        Metric::Rule(_) | Metric::FailRate(_) => Standings::NONE,
        _ if rule.mode == Mode::Observe => Standings::NONE,
        // A rate over claims does not see the citations of none.
        metric if *metric == metric::PLACEMENT_RATE && rate_of(kind).as_ref() == Some(metric) => {
            Standings::ALL.without(Standings::of([Standing::Case]))
        }
        metric if rate_of(kind).as_ref() == Some(metric) => Standings::ALL,
        metric => match *metric {
            metric::CASE_PASS_RATE => Standings::ALL,
            metric::CITATION_INTEGRITY_RATE if is_integrity => Standings::ALL,
            metric::LABEL_ACCURACY if kind == "expected" => Standings::ALL,
            metric::CLAIM_COVERAGE | metric::RESOLVED_COVERAGE => uncited,
            metric::SUPPORTED_AND_CITED => uncited.and(labels(is_unsupported, blocks(rule))),
            metric::CITATION_CORRECTNESS => labels(is_unsupported, blocks(rule)),
            metric::DEFECT_RATE => labels(Label::is_defect, decides(rule)),
            metric::CONTRADICTION_RATE => labels(|label| label == Label::Contradicted, decides(rule)),
            metric::INSUFFICIENT_RATE => labels(|label| label == Label::Insufficient, decides(rule)),
            metric::PARTIAL_RATE => labels(|label| label == Label::Partial, decides(rule)),
            metric::UNREADABLE_RATE => labels(|label| label == Label::Unreadable, decides(rule)),
            metric::UNRESOLVED_RATE => labels(|label| label == Label::Unresolved, decides(rule)),
            _ => Standings::NONE,
        },
    }
}

const fn is_unsupported(label: Label) -> bool {
    !matches!(label, Label::Supported)
}

/// Whether the citation scores are low wherever the rule fails: it must score as they do.
fn is_scored(rule: &Rule, scoring: Scoring) -> bool {
    matches!(&rule.check, Check::Case(check) if rule.mode == Mode::Enforce && check.scoring() == Some(scoring))
}

/// Whether a failure of the rule keeps a cited claim from being `supported`.
fn blocks(rule: &Rule) -> bool {
    let judges = matches!(rule.check, Check::Support(_) | Check::Claim(_));
    rule.family() == Family::Support && judges && !rule.establishes_support
}

/// Whether every error of the rule makes a cited verifiable claim a defect.
fn decides(rule: &Rule) -> bool {
    let implies = rule.implies.is_some() || LABELLING.contains(&rule.kind.name);
    // That data is missing says nothing of the claim.
    blocks(rule) && implies && rule.on_missing != OnMissing::Fail
}

/// Where findings of the rule may stand. A support rule's finding on a claim that needs no citation is passed over here: it is rare, and
/// a run says where it counted for nothing.
fn reaches(rule: &Rule) -> Standings {
    let all_labels = Standings::labels(|_| true);
    match &rule.check {
        Check::Case(_) => Standings::of([Standing::Case]),
        Check::Citation(_) => Standings::ALL,
        Check::Claim(check) if check.is_coverage() => Standings::of([Standing::Uncited]),
        Check::Label(_) => all_labels,
        _ if decides(rule) => Standings::labels(Label::is_defect),
        Check::Support(_) => all_labels.without(Standings::labels(|label| label == Label::Supported)),
        Check::Claim(_) | Check::Annotation(_) => Standings::ALL.without(Standings::of([Standing::Case])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::KINDS;

    #[test]
    fn every_support_check_is_known_to_say_something_of_labels_or_not() {
        const OTHERS: [&str; 5] = ["facts-found", "pattern", "misattributed", "conflict", "expected"];
        for kind in KINDS.iter().filter(|kind| kind.family == Family::Support) {
            assert!(LABELLING.contains(&kind.name) != OTHERS.contains(&kind.name), "{}", kind.name);
        }
    }

    #[test]
    fn every_standing_is_one_bit() {
        let labels = Label::ALL.into_iter().map(Standing::Labelled);
        let all = labels.chain([Standing::Unlabelled, Standing::Uncited, Standing::Case]);
        assert_eq!(Standings::of(all), Standings::ALL);
    }

    #[test]
    fn the_shipped_policy_counts_each_of_its_errors() {
        let policy = crate::rules::built_in().unwrap_or_else(|problems| panic!("{}", problems.render()));
        let uncounted: Vec<&str> = Counting::of(&policy).uncounted_rules().map(|rule| rule.id.as_str()).collect();
        assert_eq!(uncounted, [""; 0]);
    }

    #[test]
    fn the_rules_are_named_by_how_many_cases_they_failed() {
        let rules = [("a", 1), ("b", 3), ("c", 1), ("d", 2)].map(|(rule, cases)| (rule.to_owned(), cases));
        let uncounted = Uncounted { cases: 4, rules: BTreeMap::from(rules) };
        assert_eq!(
            uncounted.in_words(9),
            "4 of 9 cases failed by errors that no gate counts (b in 3, d in 2, a in 1, …)"
        );
        assert_eq!(Uncounted::default().in_words(9), "");
    }
}
