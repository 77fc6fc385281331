//! `misattributed`: a fact that the cited evidence lacks stands in a unit that the claim does not cite.

use std::collections::BTreeSet;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, 
    Alternatives, Annotation, AnnotationCheck, Check, ClaimText, Defect, Failed, Family, Finding, Judgement, Kind,
    Outcome, Passage, Place, Severity, Uncited, id,
};
use crate::dataset::register::Status;
use crate::diagnostic::{Problem, code};
use crate::text::word::ContentWords;
use crate::text::{Lexicons, Span};
use crate::yaml::Located;

/// Says of a fact that the cited evidence lacks where else in the packet it stands: the marker is wrong, not the answer.
///
/// "The cited evidence does not say 90 days" sends somebody to search all of the packet. Most often the fact stands two units further on,
/// and the model wrote the wrong number between the brackets. This kind looks there, names the unit, and says how the answer would cite it.
///
/// It annotates findings of other rules and never stands alone. Each finding on a fact (by `numbers`, `dates`, `quotes`, `identifiers`,
/// `terms`) is looked into: its own rule's check is applied to every unit of the packet that the claim does not cite, each alone. A unit has
/// the fact where that check no longer misses it, and where the sentence it stands in speaks about the same thing: at least a fifth of the
/// claim's other content words. Of several units the one is named that has most of what is missing, then the one nearest to the claim. Units outside of
/// the reader's scopes are not looked into and never named.
///
/// No check reads evidence that the claim does not cite in order to judge the claim. This kind does not either: a note can neither
/// establish support nor take a finding away, and a fact of another unit supports nothing until the claim cites it.
///
/// Options: `of`: ids of the rules whose findings it annotates (default: all that look for facts). `absent`: `keep` (default) leaves the
/// findings as they are; with `triage` one that says that a fact is absent, not that the evidence says something else, becomes a suspicion,
/// for teams that count a wrong marker as no defect of the answer. Rules that say `final: true` keep their findings.
///
/// Subject: a claim with findings. Severity `note` unless the rule says otherwise. Fails with `misattributed`, once for each finding that it
/// annotates (`fact`, `unit`, `title`, `marker`, `cited`, `rule`); it implies nothing. Passes where no unit has what is missing. Not
/// applicable to claims that lack no fact. At most 100 units are looked into, and no claim of more than
/// 20,000 bytes. The claims of a case share out equally 100 million bytes of text to look into; a unit longer than what is left of a claim's
/// share is passed over.
///
/// ```yaml
/// - id: fact-in-another-unit
///   check: { misattributed: { of: [number-not-in-evidence, date-not-in-evidence] } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Ids of the rules whose findings are annotated. Default: all rules that look for facts.
    pub of: Option<Located<Vec<Located<String>>>>,
    /// What becomes of a finding that says that a fact is absent. Default: `keep`.
    pub absent: Option<Absent>,
}

/// What becomes of a finding whose fact stands in another unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Absent {
    /// It stays as it is.
    #[default]
    Keep,
    /// It becomes a suspicion.
    Triage,
}

/// The kind. By default it annotates every rule that looks for facts, and weakens nothing.
#[derive(Default)]
pub struct Misattributed {
    of: Vec<Located<String>>,
    absent: Absent,
}

/// Units that are looked into: no packet that a person reads has more, and a hostile one with thousands must not take for ever.
pub(crate) const MOST_UNITS: usize = 100;
/// Bytes of units that are looked into for all claims of a case together: hundreds of claims may each lack a fact in megabytes of packet.
pub(crate) const MOST_BYTES: usize = 100_000_000;
/// Bytes of a claim that is looked into: one with thousands of facts is no claim that a wrong marker explains.
pub(crate) const LONGEST_CLAIM: usize = 20_000;
/// Findings of one rule that are annotated.
pub(crate) const MOST_FINDINGS: usize = 100;
/// One in so many of the claim's other content words must stand around the fact.
const LEAST_SHARE: usize = 5;
/// So many content words of its own make a fact that nothing else has to vouch for: a quotation.
const TELLING_WORDS: usize = 4;

impl Kind for Misattributed {
    const NAME: &'static str = "misattributed";
    const FAMILY: Family = Family::Support;
    const SEVERITY: Severity = Severity::Note;
    const CODES: &'static [Code] =
        &[Code::new("misattributed", "the fact that the cited evidence lacks stands in a unit that the claim does not cite", Fault::at(Stage::Citation, "the claim does not cite the unit that has the fact"))];
    const VARIABLES: &'static [&'static str] = &["fact", "unit", "title", "marker", "cited", "rule"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        if let Some(of) = options.of.as_ref().filter(|of| of.is_empty()) {
            let problem = Problem::new(code::EMPTY, "`of` is empty").at(of.span);
            let problem = problem.label("expected at least one id of a rule");
            return Err(vec![problem.help("leave the key out to annotate every rule that looks for facts")]);
        }
        let of = options.of.map(|of| of.value).unwrap_or_default();
        Ok(Check::Annotation(Box::new(Misattributed { of, absent: options.absent.unwrap_or_default() })))
    }
}

/// A unit that has the fact of a finding.
struct Holder {
    rule: usize,
    finding: usize,
    unit: usize,
    span: Option<Range<usize>>,
    /// Content words of the claim that stand around it.
    shared: usize,
}

impl AnnotationCheck for Misattributed {
    fn of(&self) -> &[Located<String>] {
        &self.of
    }

    fn annotate(&self, claim: ClaimText<'_>, failed: &[Failed<'_>], instead: &Alternatives<'_, '_>) -> Vec<Annotation> {
        if claim.claim.text.len() > LONGEST_CLAIM {
            return Vec::new();
        }
        let lacked: Vec<Vec<Lacked>> = failed.iter().map(|own| own.lacked(claim)).collect();
        if lacked.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let mut holders: Vec<Holder> = Vec::new();
        for (unit, uncited) in instead.uncited.iter().enumerate().take(MOST_UNITS) {
            let title = uncited.title_words();
            for (rule, (own, lacked)) in failed.iter().zip(&lacked).enumerate() {
                // What the unit says nothing about at all needs no looking into.
                if !lacked.iter().any(|lacked| lacked.may_stand_in(&title, &uncited.passage)) {
                    continue;
                }
                holders.extend(own.found_in(claim, lacked, (uncited, &title)).into_iter().map(|(finding, span, shared)| Holder {
                    rule,
                    finding,
                    unit,
                    span,
                    shared,
                }));
            }
        }
        let mut had: Vec<usize> = vec![0; instead.uncited.len()];
        for holder in &holders {
            if let Some(count) = had.get_mut(holder.unit) {
                *count += 1;
            }
        }
        // The unit that explains most comes first: one wrong marker is likelier than two.
        holders.sort_by_key(|holder| {
            let had = had.get(holder.unit).copied().unwrap_or(0);
            (holder.rule, holder.finding, std::cmp::Reverse((had, holder.shared)), holder.unit)
        });
        holders.dedup_by_key(|holder| (holder.rule, holder.finding));
        holders.into_iter().filter_map(|holder| self.annotation(holder, failed, instead)).collect()
    }
}

impl Misattributed {
    fn annotation(&self, holder: Holder, failed: &[Failed<'_>], instead: &Alternatives<'_, '_>) -> Option<Annotation> {
        let Holder { rule, finding: at, unit, span, .. } = holder;
        let own = failed.get(rule)?;
        let finding = own.findings.get(at)?;
        let uncited = instead.uncited.get(unit)?;
        let facts = own.check.lacking(finding);
        let fact = id::listed(facts.iter().map(String::as_str));
        let stands = if facts.len() == 1 { "stands" } else { "stand" };
        let note = Finding::new(
            "misattributed",
            format!("the claim cites {}, but {fact} {stands} in {}", instead.cited, shown(uncited, instead.passages)),
        )
        .at(finding.place.clone())
        .with("fact", facts.join(", "))
        .with("unit", uncited.passage.unit.id.as_ref())
        .with("title", uncited.passage.unit.title.as_deref().unwrap_or_default())
        .with("marker", uncited.marker.as_deref().unwrap_or_default())
        .with("cited", instead.cited.as_str())
        .with("rule", own.rule);
        let says_otherwise = finding.implies == Some(Defect::Contradicted);
        let weakens = self.absent == Absent::Triage && !says_otherwise;
        Some(Annotation { note, rule, finding: at, unit, span, weakens })
    }
}

/// What the cited evidence lacks by one finding.
struct Lacked {
    /// Index of the finding.
    finding: usize,
    /// Where the fact stands in the claim.
    fact: Option<Span>,
    /// The facts, each with its place.
    facts: Vec<(Option<(usize, usize)>, String)>,
    /// The claim's other content words.
    others: ContentWords,
    /// Whether the fact has words enough to vouch for itself.
    tells: bool,
}

impl Lacked {
    /// Whether so many of the claim's other content words are enough to speak about the same thing.
    fn is_related(&self, shared: usize) -> bool {
        self.others.is_empty() || self.tells || (shared > 0 && shared * LEAST_SHARE >= self.others.len())
    }

    /// Whether a unit with these words in its title may have it in its context: all of the unit counted, more cannot be shared.
    fn may_stand_in(&self, title: &ContentWords, passage: &Passage<'_>) -> bool {
        self.is_related(0) || {
            let words = passage.analysis.content_words(passage.text);
            self.is_related(self.others.shared_with(title) + self.others.shared_with(words))
        }
    }
}

impl Uncited<'_> {
    fn title_words(&self) -> ContentWords {
        ContentWords::read(self.passage.unit.title.as_deref().unwrap_or_default(), self.passage.analysis.lexicon())
    }
}

impl Failed<'_> {
    /// What a finding lacks: each fact with its place in the claim.
    fn facts_of(&self, finding: &Finding) -> Vec<(Option<(usize, usize)>, String)> {
        let place = match &finding.place {
            Place::Claim(span) | Place::Answer(span) => Some((span.start, span.end)),
            Place::Subject => None,
        };
        self.check.lacking(finding).into_iter().map(|fact| (place, fact)).collect()
    }

    /// What the cited evidence lacks by its findings.
    fn lacked(&self, claim: ClaimText<'_>) -> Vec<Lacked> {
        let text = claim.claim.text.as_ref();
        let findings = self.findings.iter().enumerate().take(MOST_FINDINGS);
        let lacked = findings.filter_map(|(finding, found)| {
            let facts = self.facts_of(found);
            let fact = facts.first()?.0.map(|(start, end)| Span::new(start, end));
            let inside = |token: Span| fact.is_some_and(|fact| fact.overlaps(token));
            let others = claim.analysis.words_where(text, |token| !inside(token));
            let tells = claim.analysis.words_where(text, inside).len() >= TELLING_WORDS;
            Some(Lacked { finding, fact, facts, others, tells })
        });
        lacked.collect()
    }

    /// The findings whose facts a unit has: their index, where it has them, and how many content words of the claim stand around.
    fn found_in(
        &self,
        claim: ClaimText<'_>,
        lacked: &[Lacked],
        (uncited, title): (&Uncited<'_>, &ContentWords),
    ) -> Vec<(usize, Option<Range<usize>>, usize)> {
        let judgement = self.check.judge(claim, std::slice::from_ref(&uncited.passage));
        if matches!(judgement.outcome, Outcome::NotApplicable | Outcome::Broken) {
            return Vec::new();
        }
        let still: BTreeSet<_> = judgement.findings.iter().flat_map(|finding| self.facts_of(finding)).collect();
        let had = lacked.iter().filter(|lacked| !lacked.facts.iter().any(|fact| still.contains(fact)));
        had.filter_map(|lacked| {
            let (place, shared) = in_context(lacked, (&uncited.passage, title), &judgement)?;
            Some((lacked.finding, place, shared))
        })
        .collect()
    }
}

/// Where a passage has a fact of the claim, and how many of the claim's other content words stand around it; `None` where it speaks about
/// something else.
fn in_context(
    lacked: &Lacked,
    (passage, title): (&Passage<'_>, &ContentWords),
    judgement: &Judgement,
) -> Option<(Option<Range<usize>>, usize)> {
    let of_fact = |found: &&super::Match| {
        let in_claim = || found.claim.as_ref().map(|claim| Span::new(claim.start, claim.end));
        !found.conflicting && (lacked.fact.is_none() || in_claim() == lacked.fact)
    };
    let places: Vec<Span> =
        judgement.matches.iter().filter(of_fact).map(|found| Span::new(found.span.start, found.span.end)).collect();
    let around = if places.is_empty() {
        // Its title or version has it: what the passage is about counts as a whole.
        title.union(passage.analysis.content_words(passage.text))
    } else {
        let sentences = passage.analysis.sentences(passage.text);
        let words = sentences.iter().zip(passage.analysis.sentence_words(passage.text));
        let beside = words.filter(|(sentence, _)| places.iter().any(|place| place.overlaps(sentence.span)));
        beside.fold(title.clone(), |around, (_, words)| around.union(words))
    };
    let shared = lacked.others.shared_with(&around);
    let place = places.first().map(|place| passage.offset + place.start..passage.offset + place.end);
    lacked.is_related(shared).then_some((place, shared))
}

/// A unit as a person is pointed to it: `[2], “policy-7” (Retention policy, version 2026-08-20)`.
fn shown(uncited: &Uncited<'_>, cited: &[Passage<'_>]) -> String {
    const LONGEST_TITLE: usize = 80;
    let unit = uncited.passage.unit;
    let mut name = match &uncited.marker {
        Some(marker) if marker.contains(unit.id.as_ref()) => marker.clone(),
        Some(marker) => format!("{marker}, “{}”", unit.id),
        None => format!("“{}”", unit.id),
    };
    let mut known: Vec<String> = Vec::new();
    if let Some(title) = unit.title.as_deref().map(str::trim).filter(|title| !title.is_empty()) {
        let end = title.char_indices().nth(LONGEST_TITLE).map_or(title.len(), |(end, _)| end);
        let cut = if end < title.len() { "…" } else { "" };
        known.push(format!("{}{cut}", title.get(..end).unwrap_or(title)));
    }
    // Another version of what is cited: the marker may be right and the version wrong.
    let is_same_source = |passage: &Passage<'_>| unit.source_id.is_some() && passage.unit.source_id == unit.source_id;
    if let Some(version) = unit.source_version.as_deref().filter(|_| cited.iter().any(is_same_source)) {
        known.push(format!("version {version}"));
    }
    match uncited.passage.entry.map(|entry| entry.status) {
        Some(Status::Superseded) => known.push("superseded".to_owned()),
        Some(Status::Deleted) => known.push("deleted since".to_owned()),
        Some(Status::Current | Status::Restricted) | None => {}
    }
    if !known.is_empty() {
        name += &format!(" ({})", known.join(", "));
    }
    name
}
