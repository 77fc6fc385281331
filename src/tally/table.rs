//! What a tally must know of the policy: its rules and its slice dimensions.

use foldhash::HashMap;
use serde::{Deserialize, Serialize};

use crate::check::{Check, Family, Severity, Subject};
use crate::record::outline::RuleIndex;
use crate::rules::metric::{self, BUILT_IN, FAIL_RATE, Level, Metric, RULE};
use crate::rules::policy::{Dimension, DimensionSource, Mode, Policy, Rule, WHEN_VALUES, bin_values};

/// A rule as tallies see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleEntry {
    /// Its id.
    pub id: String,
    /// Name of its kind.
    pub kind: String,
    /// What it is about.
    pub family: Family,
    /// What it is evaluated on.
    pub subject: Subject,
    /// Whether its findings count for anything but `rule.<id>`.
    pub enforced: bool,
    /// How bad its findings are.
    pub severity: Severity,
}

impl RuleEntry {
    fn of(rule: &Rule) -> Self {
        Self {
            id: rule.id.clone(),
            kind: rule.kind.name.to_owned(),
            family: rule.family(),
            subject: Check::subject(&rule.check),
            enforced: rule.mode == Mode::Enforce,
            severity: rule.severity,
        }
    }
}

/// A slice dimension as tallies see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DimensionEntry {
    /// Its id.
    pub id: String,
    /// At which level its values stand.
    pub level: Level,
    /// Most distinct values before the tally refuses to go on.
    pub max_values: usize,
    /// Values in the order in which a person expects them, where that is not the order of the alphabet: bins, `yes`
    /// before `no`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub order: Vec<String>,
    /// Ids of the dimensions that this one crosses; their values joined are its own.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub parts: Vec<String>,
}

impl DimensionEntry {
    fn of(dimension: &Dimension, all: &[Dimension]) -> Self {
        let parts = match &dimension.source {
            DimensionSource::Cross(parts) => {
                parts.iter().filter_map(|part| all.get(*part)).map(|part| part.id.clone()).collect()
            }
            _ => Vec::new(),
        };
        let order = match &dimension.source {
            DimensionSource::Bins(_, edges) => bin_values(edges),
            DimensionSource::When(_) => WHEN_VALUES.map(str::to_owned).to_vec(),
            _ => Vec::new(),
        };
        Self { id: dimension.id.clone(), level: dimension.level, max_values: dimension.max_values, order, parts }
    }
}

/// The rules and slice dimensions of a policy, with what tallying looks up in them.
#[derive(Debug, Clone)]
pub struct RuleTable {
    /// The rules, in policy order.
    pub rules: Vec<RuleEntry>,
    /// The dimensions, in policy order.
    pub dimensions: Vec<DimensionEntry>,
    by_id: HashMap<String, usize>,
    /// By rule, the rate that outcomes of its kind feed.
    rates: Vec<Option<Metric>>,
}

/// The rate that the outcomes of a kind of citation or claim check feed (SPEC 7); `None` for kinds that feed none of their own.
#[must_use]
pub fn rate_of(kind: &str) -> Option<Metric> {
    Some(match kind {
        "resolves" => metric::UNKNOWN_CITATION_RATE,
        "id-range" => metric::OUT_OF_RANGE_RATE,
        "scope" => metric::UNAUTHORIZED_CITATION_RATE,
        "source-version" => metric::STALE_CITATION_RATE,
        "locator" => metric::LOCATOR_RESOLUTION_RATE,
        "placement" => metric::PLACEMENT_RATE,
        _ => return None,
    })
}

impl RuleTable {
    /// The table of a compiled policy.
    #[must_use]
    pub fn of(policy: &Policy) -> Self {
        Self::new(
            policy.rules.iter().map(RuleEntry::of).collect(),
            policy.slices.iter().map(|dimension| DimensionEntry::of(dimension, &policy.slices)).collect(),
        )
    }

    /// A table of these rules and dimensions.
    #[must_use]
    pub fn new(rules: Vec<RuleEntry>, dimensions: Vec<DimensionEntry>) -> Self {
        let by_id = rules.iter().enumerate().map(|(index, rule)| (rule.id.clone(), index)).collect();
        let rates = rules.iter().map(|rule| rate_of(&rule.kind).filter(|_| rule.enforced)).collect();
        Self { rules, dimensions, by_id, rates }
    }

    /// The rules by position, for outlines.
    #[must_use]
    pub fn index(&self) -> RuleIndex {
        RuleIndex::new(self.rules.iter().map(|rule| rule.id.clone()).collect())
    }

    /// Index and entry of the rule with this id.
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<(usize, &RuleEntry)> {
        let index = *self.by_id.get(id)?;
        self.rules.get(index).map(|rule| (index, rule))
    }

    /// The rate that outcomes of this rule feed, beside its own `rule.<id>`; `None` for a rule that only observes.
    pub(super) fn rate(&self, rule: usize) -> Option<&Metric> {
        self.rates.get(rule).and_then(Option::as_ref)
    }

    /// What a metric counts over: that of the catalogue, or the subject of the rule of `rule.<id>`.
    #[must_use]
    pub fn level(&self, metric: &Metric) -> Level {
        match metric {
            Metric::BuiltIn(index) => BUILT_IN.get(usize::from(*index)).map_or(Level::Case, |entry| entry.level),
            Metric::Rule(index) | Metric::FailRate(index) => {
                match self.rules.get(usize::from(*index)).map(|rule| rule.subject) {
                    Some(Subject::Citation) => Level::Citation,
                    Some(Subject::Claim) => Level::Claim,
                    Some(Subject::Case) | None => Level::Case,
                }
            }
        }
    }

    /// The metric's name in files: `defect_rate`, `rule.<id>`, `fail_rate.<id>`.
    #[must_use]
    pub fn metric_name(&self, metric: &Metric) -> String {
        match metric {
            Metric::BuiltIn(_) => metric.entry().map_or("", |entry| entry.name).to_owned(),
            Metric::Rule(index) => format!("{RULE}{}", self.rule_id(*index)),
            Metric::FailRate(index) => format!("{FAIL_RATE}{}", self.rule_id(*index)),
        }
    }

    /// The metric with this name in files; `None` for a rule or a metric that there is not.
    #[must_use]
    pub fn metric_named(&self, name: &str) -> Option<Metric> {
        let of_rule = |id: &str| self.rule(id).and_then(|(index, _)| u16::try_from(index).ok());
        if let Some(id) = name.strip_prefix(RULE) {
            of_rule(id).map(Metric::Rule)
        } else if let Some(id) = name.strip_prefix(FAIL_RATE) {
            of_rule(id).map(Metric::FailRate)
        } else {
            Metric::named(name)
        }
    }

    fn rule_id(&self, index: u16) -> &str {
        self.rules.get(usize::from(index)).map_or("", |rule| rule.id.as_str())
    }

    /// Every metric that is counted on its own: the catalogue, then the pass rate of each rule.
    pub fn metrics(&self) -> impl Iterator<Item = Metric> + use<> {
        let bound = |length: usize| u16::try_from(length).unwrap_or(u16::MAX);
        (0..bound(BUILT_IN.len())).map(Metric::BuiltIn).chain((0..bound(self.rules.len())).map(Metric::Rule))
    }
}

/// Position of a metric among the counts of a slice.
pub(super) fn position(metric: &Metric) -> usize {
    match metric {
        Metric::BuiltIn(index) => usize::from(*index),
        Metric::Rule(index) | Metric::FailRate(index) => BUILT_IN.len() + usize::from(*index),
    }
}
