//! Two runs case by case: for each metric in each slice, how many paired cases had which counts before and now, and how
//! many cases were removed, added or asked something else (SPEC 7). Like a tally it is a commutative monoid of integers:
//! pairs counted apart and merged in any order give the same bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::measure::{Measured, Meter};
use super::table::{RuleTable, position};
use crate::record::outline::{CaseOutline, RuleIndex};
use crate::record::{CaseRecord, SliceValues};
use crate::rules::metric::{Level, Metric};

/// How many paired cases have the counts `[k, n, k′, n′]`; unprimed: the baseline.
pub type Histogram = BTreeMap<[u64; 4], u64>;

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wanted {
    /// The metric, as the table of the present run numbers it.
    pub metric: Metric,
    /// Position of the slice dimension; `None`: everything.
    pub dimension: Option<usize>,
    /// Whether the baseline decides who lies in a slice: the case, the claim by its id, the citation by the ids of claim
    /// and unit.
    pub membership_of_baseline: bool,
}

/// One slice of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paired {
    /// The cases that lie in the slice in both runs with the same question and a denominator in one of them.
    #[serde(with = "histogram")]
    pub pairs: Histogram,
    /// Cases of the baseline that lie in the slice.
    pub baseline_cases: u64,
    /// Those of them that are not in the run, or not in this slice any more.
    pub removed: u64,
    /// Those of them whose question is another one now.
    pub changed: u64,
    /// Cases of the run that the baseline does not have, or not in this slice.
    pub added: u64,
}

/// A histogram as a list: maps of JSON have texts for keys.
mod histogram {
    use super::Histogram;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(pairs: &Histogram, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(pairs)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Histogram, D::Error> {
        Ok(Vec::<([u64; 4], u64)>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl Paired {
    fn merge(&mut self, other: &Paired) {
        for (counts, cases) in &other.pairs {
            let sum = self.pairs.entry(*counts).or_default();
            *sum = sum.saturating_add(*cases);
        }
        self.baseline_cases = self.baseline_cases.saturating_add(other.baseline_cases);
        self.removed = self.removed.saturating_add(other.removed);
        self.changed = self.changed.saturating_add(other.changed);
        self.added = self.added.saturating_add(other.added);
    }

    /// Whether no case of the run lies in the slice, and some of the baseline do.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.baseline_cases > 0 && self.baseline_cases == self.removed && self.added == 0
    }
}

/// The comparison of a run with a baseline in every slice that gates look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairedTally {
    wanted: Vec<Wanted>,
    /// For each of `wanted`, by value of the dimension; `""` for everything.
    slices: Vec<BTreeMap<String, Paired>>,
}

/// The rules by which each side was judged.
#[derive(Debug)]
pub struct Sides<'t> {
    /// The baseline's rules, with the dimensions of the present run.
    pub baseline: &'t RuleTable,
    /// The present run's.
    pub now: &'t RuleTable,
    /// Index of the baseline's rules.
    pub baseline_index: &'t RuleIndex,
    /// Index of the present run's rules.
    pub now_index: &'t RuleIndex,
}

/// Counts of one case for one of the wanted: by value of the dimension, (k, n).
type Counted<'o> = BTreeMap<Cow<'o, str>, (u64, u64)>;

impl PairedTally {
    /// A comparison of nothing yet.
    #[must_use]
    pub fn new(mut wanted: Vec<Wanted>) -> Self {
        wanted.sort();
        wanted.dedup();
        Self { slices: vec![BTreeMap::new(); wanted.len()], wanted }
    }

    /// Counts one case id: its case in the baseline, in the run, or in both.
    pub fn add(&mut self, baseline: Option<&CaseOutline<'_>>, now: Option<&CaseOutline<'_>>, sides: &Sides<'_>) {
        let of_baseline = baseline.map(|case| {
            counted(
                case,
                sides.baseline_index,
                sides.baseline,
                &|index| {
                    self.wanted.get(index).and_then(|wanted| Some((wanted, sides.metric_of_baseline(&wanted.metric)?)))
                },
                self.wanted.len(),
            )
        });
        let is_paired = baseline.zip(now).is_some_and(|(before, now)| before.question == now.question);
        let moved = baseline.zip(now).filter(|_| is_paired).and_then(|(before, now)| self.moved(before, now, sides));
        let of_now = now.map(|case| {
            let pick = |own: bool| {
                let wanted = &self.wanted;
                move |index: usize| {
                    let wanted = wanted.get(index)?;
                    (wanted.membership_of_baseline != own).then(|| (wanted, wanted.metric.clone()))
                }
            };
            let length = self.wanted.len();
            let mut counts = counted(case, sides.now_index, sides.now, &pick(true), length);
            let moved = moved.as_ref().unwrap_or(case);
            if self.wanted.iter().any(|wanted| wanted.membership_of_baseline) {
                let others = counted(moved, sides.now_index, sides.now, &pick(false), length);
                counts.iter_mut().zip(others).for_each(|(own, other)| own.extend(owned(other)));
            }
            counts.into_iter().map(owned).collect::<Vec<_>>()
        });
        for (index, (wanted, slices)) in self.wanted.iter().zip(&mut self.slices).enumerate() {
            let none = Counted::new();
            let before = of_baseline.as_ref().and_then(|counts| counts.get(index)).unwrap_or(&none);
            let after = of_now.as_ref().and_then(|counts| counts.get(index)).unwrap_or(&none);
            let was_there = baseline.is_some();
            for (value, &(k, n)) in before {
                let slice = slices.entry(value.clone().into_owned()).or_default();
                slice.baseline_cases += 1;
                match (after.get(value.as_ref()), is_paired) {
                    (Some(&(k_now, n_now)), true) => slice.pair([k, n, k_now, n_now]),
                    (None, true) if wanted.membership_of_baseline => slice.pair([k, n, 0, 0]),
                    (None, true) => slice.removed += 1,
                    (_, false) if now.is_some() => slice.changed += 1,
                    (_, false) => slice.removed += 1,
                }
            }
            let has_changed = was_there && now.is_some() && !is_paired;
            for value in after.keys().filter(|value| !before.contains_key(value.as_ref())) {
                if !has_changed {
                    slices.entry(value.clone().into_owned()).or_default().added += 1;
                }
            }
        }
    }

    /// The present case with the memberships of the baseline's, where something wanted asks for them.
    fn moved(
        &self,
        before: &CaseOutline<'_>,
        now: &CaseOutline<'_>,
        sides: &Sides<'_>,
    ) -> Option<CaseOutline<'static>> {
        let dimensions = self.wanted.iter().filter(|wanted| wanted.membership_of_baseline);
        let dimensions: Vec<_> = dimensions.filter_map(|wanted| sides.now.dimensions.get(wanted.dimension?)).collect();
        if dimensions.is_empty() {
            return None;
        }
        let mut moved = now.clone().into_owned();
        for dimension in dimensions {
            let id = dimension.id.as_str();
            match dimension.level {
                Level::Case => set(&mut moved.slices, id, before.slices.get(id)),
                Level::Claim => {
                    for claim in &mut moved.claims {
                        let twin = before.claims.iter().find(|twin| twin.claim_id == claim.claim_id);
                        set(&mut claim.slices, id, twin.and_then(|twin| twin.slices.get(id)));
                    }
                }
                Level::Citation => {
                    for claim in &mut moved.claims {
                        let twin = before.claims.iter().find(|twin| twin.claim_id == claim.claim_id);
                        for citation in &mut claim.citations {
                            let twin =
                                twin.and_then(|twin| twin.citations.iter().find(|other| other.id == citation.id));
                            set(&mut citation.slices, id, twin.and_then(|twin| twin.slices.get(id)));
                        }
                    }
                    for citation in &mut moved.citations {
                        let twin = before.citations.iter().find(|other| other.id == citation.id);
                        set(&mut citation.slices, id, twin.and_then(|twin| twin.slices.get(id)));
                    }
                }
            }
        }
        Some(moved)
    }

    /// Adds what was paired elsewhere. Commutative and associative. Both must want the same; what the other wants beside
    /// that is left out.
    pub fn merge(&mut self, other: &PairedTally) {
        for (wanted, slices) in self.wanted.iter().zip(&mut self.slices) {
            let Some(theirs) = other.wanted.iter().position(|other| other == wanted) else { continue };
            for (value, paired) in other.slices.get(theirs).into_iter().flatten() {
                slices.entry(value.clone()).or_default().merge(paired);
            }
        }
    }

    /// The slices of what was wanted, by value (`""` for everything); nothing where it was not.
    #[must_use]
    pub fn slices(&self, wanted: &Wanted) -> Option<&BTreeMap<String, Paired>> {
        let index = self.wanted.iter().position(|known| known == wanted)?;
        self.slices.get(index)
    }
}

impl Paired {
    fn pair(&mut self, counts: [u64; 4]) {
        let [_, n, _, n_now] = counts;
        if n > 0 || n_now > 0 {
            *self.pairs.entry(counts).or_default() += 1;
        }
    }
}

impl Sides<'_> {
    /// The metric as the baseline's table numbers it; `None` for a rule that it does not have.
    fn metric_of_baseline(&self, metric: &Metric) -> Option<Metric> {
        match metric {
            Metric::BuiltIn(_) => Some(metric.clone()),
            Metric::Rule(index) => {
                let id = &self.now.rules.get(usize::from(*index))?.id;
                let (index, _) = self.baseline.rule(id)?;
                u16::try_from(index).ok().map(Metric::Rule)
            }
        }
    }
}

fn set(slices: &mut SliceValues<'static>, id: &str, value: Option<&Cow<'_, str>>) {
    match value {
        Some(value) => slices.insert(Cow::Owned(id.to_owned()), Cow::Owned(value.to_string())),
        None => slices.remove(id),
    };
}

fn owned(counts: Counted<'_>) -> Counted<'static> {
    counts.into_iter().map(|(value, counts)| (Cow::Owned(value.into_owned()), counts)).collect()
}

/// What one case counts for each of the wanted; `pick` gives what is wanted at an index and the metric as `table` numbers
/// it, or nothing where it is not to be counted.
fn counted<'w>(
    outline: &CaseOutline<'_>,
    index: &RuleIndex,
    table: &RuleTable,
    pick: &dyn Fn(usize) -> Option<(&'w Wanted, Metric)>,
    length: usize,
) -> Vec<Counted<'static>> {
    let (case, claims) = outline.to_records(index);
    let mut meter = Meter::default();
    let measured = meter.measure(&case, &claims, table);
    let count = |at| pick(at).map(|(wanted, metric)| of_wanted(&measured, &case, wanted, &metric, table));
    (0..length).map(|at| count(at).unwrap_or_default()).collect()
}

fn of_wanted(
    measured: &Measured<'_, '_>,
    case: &CaseRecord<'_>,
    wanted: &Wanted,
    metric: &Metric,
    table: &RuleTable,
) -> Counted<'static> {
    let at = position(metric);
    let whole = || measured.whole.metrics.get(at).map_or((0, 0), |counts| (counts.k, counts.n));
    let Some(index) = wanted.dimension else { return Counted::from([(Cow::Borrowed(""), whole())]) };
    let Some(dimension) = table.dimensions.get(index) else { return Counted::new() };
    if dimension.level == Level::Case {
        let value = case.slices.get(dimension.id.as_str());
        return value.map(|value| (Cow::Owned(value.to_string()), whole())).into_iter().collect();
    }
    let parts = measured.parts.iter().filter(|((own, _), _)| *own == index);
    parts
        .map(|((_, value), measure)| {
            let counts = measure.metrics.get(at).map_or((0, 0), |counts| (counts.k, counts.n));
            (Cow::Owned((*value).to_owned()), counts)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Outcome;
    use crate::dataset::Label;
    use crate::record::ClaimRecord;
    use crate::rules::metric;
    use crate::tally::fixture::{Fixture, case, citation, claim, table};

    fn cited(id: &'static str, label: Label, numeric: &'static str) -> ClaimRecord<'static> {
        let d1 = citation("d1", true, "policy", &[("unknown", Outcome::Pass)]);
        let mut claim = claim(Some(label), Some("rule:numbers"), vec![d1], &[]);
        claim.claim_id = id.into();
        claim.slices.insert("numeric".into(), numeric.into());
        claim
    }

    fn asked(
        id: &'static str,
        question: &'static str,
        language: &'static str,
        claims: Vec<ClaimRecord<'static>>,
    ) -> Fixture {
        let mut fixture = case(language, claims);
        fixture.case.case_id = id.into();
        fixture.case.question = question.into();
        fixture
    }

    const DIMENSIONS: [Option<usize>; 3] = [None, Some(0), Some(1)];

    fn wanted() -> Vec<Wanted> {
        let of = |dimension, membership_of_baseline| Wanted {
            metric: metric::CITATION_CORRECTNESS,
            dimension,
            membership_of_baseline,
        };
        DIMENSIONS.into_iter().flat_map(|dimension| [of(dimension, false), of(dimension, true)]).collect()
    }

    fn compared(pairs: &[(Option<&Fixture>, Option<&Fixture>)]) -> PairedTally {
        let table = table();
        let index = table.index();
        let sides = Sides { baseline: &table, now: &table, baseline_index: &index, now_index: &index };
        let mut paired = PairedTally::new(wanted());
        let outline = |fixture: &Fixture| CaseOutline::of(&fixture.case, &fixture.claims, &index).into_owned();
        for (before, now) in pairs {
            paired.add(before.map(outline).as_ref(), now.map(outline).as_ref(), &sides);
        }
        paired
    }

    fn slice<'p>(paired: &'p PairedTally, dimension: Option<usize>, of_baseline: bool, value: &str) -> &'p Paired {
        let wanted = Wanted { metric: metric::CITATION_CORRECTNESS, dimension, membership_of_baseline: of_baseline };
        paired.slices(&wanted).and_then(|slices| slices.get(value)).expect("there is such a slice")
    }

    fn cases() -> [[Fixture; 2]; 3] {
        use Label::{Contradicted, Supported};
        [
            // Was right on both, now wrong on the second, whose text lost its number.
            [
                asked("a", "q", "en", vec![cited("c1", Supported, "yes"), cited("c2", Supported, "yes")]),
                asked("a", "q", "en", vec![cited("c1", Supported, "yes"), cited("c2", Contradicted, "no")]),
            ],
            // Moved from German to English.
            [
                asked("b", "q", "de", vec![cited("c1", Supported, "no")]),
                asked("b", "q", "en", vec![cited("c1", Supported, "no")]),
            ],
            // Asks something else.
            [
                asked("c", "q", "de", vec![cited("c1", Supported, "no")]),
                asked("c", "r", "de", vec![cited("c1", Supported, "no")]),
            ],
        ]
    }

    #[test]
    fn cases_are_paired_where_the_question_is_the_same() {
        let [a, b, c] = cases();
        let gone = asked("d", "q", "fr", vec![cited("c1", Label::Supported, "no")]);
        let new = asked("e", "q", "it", vec![cited("c1", Label::Supported, "no")]);
        let paired = compared(&[
            (Some(&a[0]), Some(&a[1])),
            (Some(&b[0]), Some(&b[1])),
            (Some(&c[0]), Some(&c[1])),
            (Some(&gone), None),
            (None, Some(&new)),
        ]);
        let all = slice(&paired, None, false, "");
        assert_eq!(all.pairs, Histogram::from([([2, 2, 1, 2], 1), ([1, 1, 1, 1], 1)]));
        assert_eq!((all.baseline_cases, all.removed, all.changed, all.added), (4, 1, 1, 1));
        // German: one left the slice, one asks something else now.
        let german = slice(&paired, Some(0), false, "de");
        assert_eq!((german.baseline_cases, german.removed, german.changed, german.added), (2, 1, 1, 0));
        assert!(german.pairs.is_empty() && !german.is_gone());
        // Where the baseline decides, it is still German.
        assert_eq!(slice(&paired, Some(0), true, "de").pairs, Histogram::from([([1, 1, 1, 1], 1)]));
        let english = slice(&paired, Some(0), false, "en");
        assert_eq!((english.pairs.clone(), english.added), (Histogram::from([([2, 2, 1, 2], 1)]), 1));
        assert!(slice(&paired, Some(0), false, "fr").is_gone());
        let italian = slice(&paired, Some(0), false, "it");
        assert_eq!((italian.baseline_cases, italian.added), (0, 1));
    }

    #[test]
    fn claims_stay_in_the_slice_of_the_baseline_where_the_gate_says_so() {
        let [a, ..] = cases();
        let paired = compared(&[(Some(&a[0]), Some(&a[1]))]);
        assert_eq!(slice(&paired, Some(1), false, "yes").pairs, Histogram::from([([2, 2, 1, 1], 1)]));
        assert_eq!(slice(&paired, Some(1), true, "yes").pairs, Histogram::from([([2, 2, 1, 2], 1)]));
    }

    #[test]
    fn pairs_counted_apart_and_merged_are_the_same() {
        let [a, b, c] = cases();
        let all =
            [(Some(&a[0]), Some(&a[1])), (Some(&b[0]), Some(&b[1])), (Some(&c[0]), Some(&c[1])), (Some(&a[1]), None)];
        let whole = compared(&all);
        for cut in 0..=all.len() {
            let (left, right) = all.split_at(cut);
            let mut merged = compared(right);
            merged.merge(&compared(left));
            assert_eq!(merged, whole);
            assert_eq!(serde_json::to_string(&merged.slices).ok(), serde_json::to_string(&whole.slices).ok());
        }
    }
}
