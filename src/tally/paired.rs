//! Two runs case by case: for each metric in each slice, how many paired cases had which counts before and now, and how
//! many cases were removed, added or asked something else (SPEC 7). Like a tally it is a commutative monoid of integers:
//! pairs counted apart and merged in any order give the same bytes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::MeterCell;
use super::measure::{Measure, Measured};
use super::table::{RuleTable, position};
use crate::record::outline::{CaseOutline, ClaimOutline, RuleIndex};
use crate::record::{CaseRecord, SliceValues};
use crate::rules::metric::{FALSE_REFUSAL_RATE, Level, Metric};

/// How many paired cases have the counts `[k, n, k′, n′]`; unprimed: the baseline.
pub type Histogram = BTreeMap<[u64; 4], u64>;

/// What is compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wanted {
    /// The metric, as the table of the present run numbers it.
    pub metric: Metric,
    /// Position of the slice dimension; `None`: everything.
    pub dimension: Option<usize>,
    /// Whether the baseline decides who lies in a slice: the case, the claim by its id, else by its text, the citation by
    /// claim and unit id. What it does not know lies where it lies now.
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

    /// The paired cases that had a denominator in the baseline, and those of them that have none any more.
    #[must_use]
    pub fn emptied(&self) -> (u64, u64) {
        let counted = self.pairs.iter().filter(|([_, n, ..], _)| *n > 0);
        counted.fold((0, 0), |(all, emptied), ([.., n_now], cases)| {
            (all.saturating_add(*cases), if *n_now == 0 { emptied.saturating_add(*cases) } else { emptied })
        })
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
    meter: MeterCell,
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
    /// Whether both tables have the same rules and dimensions, so that equal outlines count the same.
    pub are_alike: bool,
}

/// Counts of one case for one of the wanted: by value of the dimension, (k, n).
type Counted = BTreeMap<String, (u64, u64)>;

/// What a case of the baseline and one of the run have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pairing {
    /// The same question in both.
    Paired,
    /// The same question, and whether it can be answered was edited: another one to whatever judges refusals.
    OtherAnswerable,
    /// Another question under the same id.
    Changed,
    /// Only one of the two has the case.
    Alone,
}

impl PairedTally {
    /// A comparison of nothing yet.
    #[must_use]
    pub fn new(mut wanted: Vec<Wanted>) -> Self {
        wanted.sort();
        wanted.dedup();
        Self { slices: vec![BTreeMap::new(); wanted.len()], wanted, meter: MeterCell::default() }
    }

    /// Counts one case id: its case in the baseline, in the run, or in both.
    pub fn add(&mut self, baseline: Option<&CaseOutline<'_>>, now: Option<&CaseOutline<'_>>, sides: &Sides<'_>) {
        let of_baseline = baseline.map(|case| self.of_baseline(case, sides));
        let (before, after) = match (baseline.zip(now), of_baseline) {
            // Most cases of a run come out as before, and count the same.
            (Some((before, now)), Some(counts)) if self.counts_alike(before, now, sides) => {
                return self.put(&counts, &counts, Pairing::Paired);
            }
            (_, counts) => (counts, now.map(|case| self.of_now(baseline, case, sides))),
        };
        let pairing = match (baseline, now) {
            (Some(before), Some(now)) if before.question == now.question => {
                if before.answerable == now.answerable {
                    Pairing::Paired
                } else {
                    Pairing::OtherAnswerable
                }
            }
            (Some(_), Some(_)) => Pairing::Changed,
            _ => Pairing::Alone,
        };
        self.put(&before.unwrap_or_default(), &after.unwrap_or_default(), pairing);
    }

    /// Whether both cases count the same for all that is wanted. Where the baseline decides who lies in a slice, twins are
    /// looked for by id, and that is not asked here.
    fn counts_alike(&self, before: &CaseOutline<'_>, now: &CaseOutline<'_>, sides: &Sides<'_>) -> bool {
        sides.are_alike && !self.wanted.iter().any(|wanted| wanted.membership_of_baseline) && before.same_facts(now)
    }

    /// What the baseline's case counts for each of the wanted.
    fn of_baseline(&mut self, case: &CaseOutline<'_>, sides: &Sides<'_>) -> Vec<Counted> {
        let Self { wanted, meter, .. } = self;
        let metric = |wanted: &Wanted| sides.metric_of_baseline(&wanted.metric);
        counted(case, (sides.baseline_index, sides.baseline), meter, wanted, metric)
    }

    /// What the run's case counts for each of the wanted, those with the baseline's memberships among them.
    fn of_now(&mut self, before: Option<&CaseOutline<'_>>, case: &CaseOutline<'_>, sides: &Sides<'_>) -> Vec<Counted> {
        let paired = before.filter(|before| before.question == case.question);
        let moved = paired.and_then(|before| self.moved(before, case, sides));
        let Self { wanted, meter, .. } = self;
        let by = (sides.now_index, sides.now);
        let Some(moved) = moved else { return counted(case, by, meter, wanted, |wanted| Some(wanted.metric.clone())) };
        let of = |of_baseline: bool| {
            move |wanted: &Wanted| (wanted.membership_of_baseline == of_baseline).then(|| wanted.metric.clone())
        };
        let mut counts = counted(case, by, meter, wanted, of(false));
        let others = counted(&moved, by, meter, wanted, of(true));
        counts.iter_mut().zip(others).for_each(|(own, other)| own.extend(other));
        counts
    }

    /// Adds what one case id counts in the baseline and in the run.
    fn put(&mut self, before: &[Counted], after: &[Counted], pairing: Pairing) {
        let none = Counted::new();
        for (index, (wanted, slices)) in self.wanted.iter().zip(&mut self.slices).enumerate() {
            let (before, after) = (before.get(index).unwrap_or(&none), after.get(index).unwrap_or(&none));
            let pairing = match pairing {
                Pairing::OtherAnswerable if wanted.metric == FALSE_REFUSAL_RATE => Pairing::Changed,
                Pairing::OtherAnswerable => Pairing::Paired,
                pairing => pairing,
            };
            for (value, &(k, n)) in before {
                let slice = slice_of(slices, value);
                slice.baseline_cases += 1;
                match (pairing, after.get(value)) {
                    (Pairing::Paired, Some(&(k_now, n_now))) => slice.pair([k, n, k_now, n_now]),
                    (Pairing::Paired, None) if wanted.membership_of_baseline => slice.pair([k, n, 0, 0]),
                    (Pairing::Paired, None) | (Pairing::Alone, _) => slice.removed += 1,
                    (Pairing::Changed | Pairing::OtherAnswerable, _) => slice.changed += 1,
                }
            }
            if pairing == Pairing::Changed {
                continue;
            }
            for value in after.keys().filter(|value| !before.contains_key(*value)) {
                slice_of(slices, value).added += 1;
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
                        if let Some(twin) = twin(before, claim) {
                            set(&mut claim.slices, id, twin.slices.get(id));
                        }
                    }
                }
                Level::Citation => {
                    for claim in &mut moved.claims {
                        let Some(twin) = twin(before, claim) else { continue };
                        for citation in &mut claim.citations {
                            if let Some(twin) = twin.citations.iter().find(|other| other.id == citation.id) {
                                set(&mut citation.slices, id, twin.slices.get(id));
                            }
                        }
                    }
                    for citation in &mut moved.citations {
                        if let Some(twin) = before.citations.iter().find(|other| other.id == citation.id) {
                            set(&mut citation.slices, id, twin.slices.get(id));
                        }
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
            Metric::Rule(_) | Metric::FailRate(_) => self.baseline.metric_named(&self.now.metric_name(metric)),
        }
    }
}

/// The baseline's claim with the same id, else with the same text. A claim that it has neither of lies where it lies: a new
/// id is no way out of a slice.
fn twin<'b>(before: &'b CaseOutline<'_>, claim: &ClaimOutline<'_>) -> Option<&'b ClaimOutline<'b>> {
    let by_id = before.claims.iter().find(|twin| twin.claim_id == claim.claim_id);
    by_id.or_else(|| before.claims.iter().find(|twin| twin.text == claim.text))
}

fn set(slices: &mut SliceValues<'static>, id: &str, value: Option<&Cow<'_, str>>) {
    match value {
        Some(value) => slices.insert(Cow::Owned(id.to_owned()), Cow::Owned(value.to_string())),
        None => slices.remove(id),
    };
}

/// The slice of this value, made where it is new.
fn slice_of<'s>(slices: &'s mut BTreeMap<String, Paired>, value: &str) -> &'s mut Paired {
    slices.entry(value.to_owned()).or_default()
}

/// What one case counts for each of the wanted; `metric` gives the metric as the table numbers it, or nothing where it is
/// not to be counted.
fn counted(
    outline: &CaseOutline<'_>,
    (index, table): (&RuleIndex, &RuleTable),
    meter: &mut MeterCell,
    wanted: &[Wanted],
    metric: impl Fn(&Wanted) -> Option<Metric>,
) -> Vec<Counted> {
    let (case, claims) = outline.to_records(index);
    let measured = meter.0.measure(&case, &claims, table);
    let count = |wanted: &Wanted| metric(wanted).map(|metric| of_wanted(&measured, &case, wanted, &metric, table));
    wanted.iter().map(|wanted| count(wanted).unwrap_or_default()).collect()
}

fn of_wanted(
    measured: &Measured<'_, '_>,
    case: &CaseRecord<'_>,
    wanted: &Wanted,
    metric: &Metric,
    table: &RuleTable,
) -> Counted {
    let at = position(metric);
    let of = |measure: &Measure| {
        let (k, n) = measure.metrics.get(at).map_or((0, 0), |counts| (counts.k, counts.n));
        (if matches!(metric, Metric::FailRate(_)) { n.saturating_sub(k) } else { k }, n)
    };
    let whole = || of(measured.whole);
    let Some(index) = wanted.dimension else { return Counted::from([(String::new(), whole())]) };
    let Some(dimension) = table.dimensions.get(index) else { return Counted::new() };
    if dimension.level == Level::Case {
        let value = case.slices.get(dimension.id.as_str());
        return value.map(|value| (value.to_string(), whole())).into_iter().collect();
    }
    let parts = measured.parts.iter().filter(|((own, _), _)| *own == index);
    parts.map(|((_, value), measure)| ((*value).to_owned(), of(measure))).collect()
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
        let sides = Sides { baseline: &table, now: &table, baseline_index: &index, now_index: &index, are_alike: true };
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
    fn a_claim_under_a_new_id_does_not_leave_its_slice() {
        use Label::{Contradicted, Supported};
        let before = asked("a", "q", "en", vec![cited("c1", Supported, "yes"), cited("c2", Supported, "yes")]);
        let mut other = cited("other", Contradicted, "yes");
        other.claim_sha256 = format!("sha256:{}", "7".repeat(64)).into();
        let now = asked("a", "q", "en", vec![cited("c1", Supported, "yes"), other]);
        let paired = compared(&[(Some(&before), Some(&now))]);
        assert_eq!(slice(&paired, Some(1), true, "yes").pairs, Histogram::from([([2, 2, 1, 2], 1)]));
    }

    #[test]
    fn a_case_that_counts_nothing_any_more_is_seen() {
        let before = asked("a", "q", "en", vec![cited("c1", Label::Supported, "no")]);
        let now = asked("a", "q", "en", Vec::new());
        let paired = compared(&[(Some(&before), Some(&now)), (Some(&before), Some(&before))]);
        assert_eq!(slice(&paired, None, false, "").emptied(), (2, 1));
    }

    #[test]
    fn cases_that_state_the_same_facts_are_counted_like_all_others() {
        let table = table();
        let index = table.index();
        let fixtures = crate::tally::fixture::four_cases();
        let outlines: Vec<CaseOutline<'static>> =
            fixtures.iter().map(|f| CaseOutline::of(&f.case, &f.claims, &index).into_owned()).collect();
        let wanted: Vec<Wanted> = table
            .metrics()
            .flat_map(|metric| {
                let of = move |dimension| Wanted { metric: metric.clone(), dimension, membership_of_baseline: false };
                [None, Some(0), Some(1), Some(2)].into_iter().map(of)
            })
            .collect();
        let count = |are_alike: bool| {
            let sides = Sides { baseline: &table, now: &table, baseline_index: &index, now_index: &index, are_alike };
            let mut paired = PairedTally::new(wanted.clone());
            for before in &outlines {
                for now in &outlines {
                    paired.add(Some(before), Some(now), &sides);
                }
            }
            paired
        };
        assert_eq!(count(true), count(false));
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
