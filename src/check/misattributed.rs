//! `misattributed`: a fact that the cited evidence lacks stands in a unit that the claim does not cite.

use std::collections::BTreeSet;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
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
/// 20,000 bytes.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Absent {
    /// It stays as it is.
    Keep,
    /// It becomes a suspicion.
    Triage,
}

/// The kind.
pub struct Misattributed {
    of: Vec<Located<String>>,
    absent: Absent,
}

/// Units that are looked into: no packet that a person reads has more, and a hostile one with thousands must not take for ever.
pub(crate) const MOST_UNITS: usize = 100;
/// Bytes of a claim that is looked into: one with thousands of facts is no claim that a wrong marker explains.
const LONGEST_CLAIM: usize = 20_000;
/// Findings of one rule that are annotated.
const MOST_FINDINGS: usize = 100;
/// One in so many of the claim's other content words must stand around the fact.
const LEAST_SHARE: usize = 5;
/// So many content words of its own make a fact that nothing else has to vouch for: a quotation.
const TELLING_WORDS: usize = 4;

impl Kind for Misattributed {
    const NAME: &'static str = "misattributed";
    const FAMILY: Family = Family::Support;
    const SEVERITY: Severity = Severity::Note;
    const CODES: &'static [(&'static str, &'static str)] =
        &[("misattributed", "the fact that the cited evidence lacks stands in a unit that the claim does not cite")];
    const VARIABLES: &'static [&'static str] = &["fact", "unit", "title", "marker", "cited", "rule"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        if let Some(of) = options.of.as_ref().filter(|of| of.is_empty()) {
            let problem = Problem::new(code::EMPTY, "`of` is empty").at(of.span);
            let problem = problem.label("expected at least one id of a rule");
            return Err(vec![problem.help("leave the key out to annotate every rule that looks for facts")]);
        }
        let of = options.of.map(|of| of.value).unwrap_or_default();
        Ok(Check::Annotation(Box::new(Misattributed { of, absent: options.absent.unwrap_or(Absent::Keep) })))
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
        let mut holders: Vec<Holder> = Vec::new();
        for (rule, own) in failed.iter().enumerate() {
            if own.lacks_nothing() {
                continue;
            }
            for (unit, uncited) in instead.uncited.iter().enumerate().take(MOST_UNITS) {
                holders.extend(own.found_in(claim, uncited).into_iter().map(|(finding, span, shared)| Holder {
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

impl Failed<'_> {
    fn lacks_nothing(&self) -> bool {
        self.findings.iter().take(MOST_FINDINGS).all(|finding| self.check.lacking(finding).is_empty())
    }

    /// The findings whose facts a unit has: their index, where it has them, and how many content words of the claim stand around.
    fn found_in(&self, claim: ClaimText<'_>, uncited: &Uncited<'_>) -> Vec<(usize, Option<Range<usize>>, usize)> {
        let judgement = self.check.judge(claim, std::slice::from_ref(&uncited.passage));
        if matches!(judgement.outcome, Outcome::NotApplicable | Outcome::Broken) {
            return Vec::new();
        }
        let at = |place: &Place| match place {
            Place::Claim(span) | Place::Answer(span) => Some((span.start, span.end)),
            Place::Subject => None,
        };
        let lacks = |finding: &Finding| {
            let place = at(&finding.place);
            self.check.lacking(finding).into_iter().map(move |fact| (place, fact)).collect::<Vec<_>>()
        };
        let still: BTreeSet<_> = judgement.findings.iter().flat_map(lacks).collect();
        let mut found = Vec::new();
        for (index, finding) in self.findings.iter().enumerate().take(MOST_FINDINGS) {
            let facts = lacks(finding);
            if facts.is_empty() || facts.iter().any(|fact| still.contains(fact)) {
                continue;
            }
            let span = at(&finding.place);
            if let Some((place, shared)) = in_context(claim, &uncited.passage, span, &judgement) {
                found.push((index, place, shared));
            }
        }
        found
    }
}

/// Where a passage has the fact that stands at `span` of the claim, and how many of the claim's other content words stand around it; `None` where
/// it speaks about something else.
fn in_context(
    claim: ClaimText<'_>,
    passage: &Passage<'_>,
    span: Option<(usize, usize)>,
    judgement: &Judgement,
) -> Option<(Option<Range<usize>>, usize)> {
    let text = claim.claim.text.as_ref();
    let lexicon = claim.analysis.lexicon();
    let fact = span.map(|(start, end)| Span::new(start, end));
    let of_fact = |found: &&super::Match| {
        !found.conflicting && (fact.is_none() || found.claim.as_ref().map(|c| (c.start, c.end)) == span)
    };
    let places: Vec<Span> =
        judgement.matches.iter().filter(of_fact).map(|found| Span::new(found.span.start, found.span.end)).collect();
    let title = passage.unit.title.as_deref().unwrap_or_default();
    let mut around = ContentWords::read(title, passage.analysis.lexicon());
    if places.is_empty() {
        // Its title or version has it: what the passage is about counts as a whole.
        around = around.union(passage.analysis.content_words(passage.text));
    } else {
        let sentences = passage.analysis.sentences(passage.text);
        for (sentence, words) in sentences.iter().zip(passage.analysis.sentence_words(passage.text)) {
            if places.iter().any(|place| place.overlaps(sentence.span)) {
                around = around.union(words);
            }
        }
    }
    let tokens = claim.analysis.tokens(text);
    let beside = |token: Span| !fact.is_some_and(|fact| fact.overlaps(token));
    let others = ContentWords::from_tokens(text, tokens, lexicon, beside);
    let shared = others.shared_with(&around);
    let inside = |token: Span| fact.is_some_and(|fact| fact.overlaps(token));
    let tells = || ContentWords::from_tokens(text, tokens, lexicon, inside).len() >= TELLING_WORDS;
    let related = others.is_empty() || (shared > 0 && shared * LEAST_SHARE >= others.len()) || tells();
    let place = places.first().map(|place| passage.offset + place.start..passage.offset + place.end);
    related.then_some((place, shared))
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
