//! `overlap`: how many of the claim's content words the cited evidence has.

use schemars::JsonSchema;
use serde::Deserialize;

use super::bound::RatioBound;
use super::{Code, Fault, Check, ClaimText, Defect, Family, Finding, Judgement, Kind, Outcome, Passage, SupportCheck, Threshold};
use crate::diagnostic::{Problem, code};
use crate::text::Lexicons;
use crate::text::word::ContentWords;
use crate::yaml::{DecimalText, Located};

/// The share of the claim's content words that the cited evidence has too.
///
/// A claim that shares hardly a word with the passage it cites is probably about something else. That is all this can know: a
/// paraphrase shares few words and may be right, a contradiction shares nearly all and is wrong. So a low share is a
/// suspicion that sends the claim to review, never an alarm, and a high share establishes nothing by itself.
///
/// Words count without stop words and without their endings, by the lists of the case's language; scripts without
/// spaces count by pairs of characters. The titles of the cited units count as evidence.
///
/// Options: `low` (default 0.2): below it the rule fails; `high` (default 0.5): at it or above the rule passes. In between it has
/// nothing to say (not applicable). The share is recorded as the rule's score in every case.
///
/// Subject: a claim with the passages it cites. Fails with `overlap-low`: triage, suspects `insufficient`. Not applicable to claims
/// without a content word.
///
/// ```yaml
/// - id: about-something-else
///   check: { overlap: { low: 0.15, high: 0.6 } }
///   severity: warning
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Below this share the rule fails.
    pub low: Option<Located<DecimalText>>,
    /// At this share or above the rule passes.
    pub high: Option<Located<DecimalText>>,
}

/// The kind.
pub struct Overlap {
    low: RatioBound,
    high: RatioBound,
}

impl Kind for Overlap {
    const NAME: &'static str = "overlap";
    const FAMILY: Family = Family::Support;
    const CODES: &'static [Code] =
        &[Code::new("overlap-low", "the claim shares hardly a word with the evidence it cites", Fault::open("whether the claim or the citation is wrong cannot be told from the words that they share"))];
    const VARIABLES: &'static [&'static str] = &["shared", "words", "low"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        let mut problems = Vec::new();
        let low = RatioBound::optional("low", options.low.as_ref(), &mut problems);
        let high = RatioBound::optional("high", options.high.as_ref(), &mut problems);
        if !problems.is_empty() {
            return Err(problems);
        }
        let (low, high) = (low.unwrap_or_else(default_low), high.unwrap_or_else(default_high));
        if low > high {
            let problem =
                Problem::new(code::CONTRADICTION, "`low` is above `high`").label(format!("{low} is more than {high}"));
            return Err(vec![match options.low.or(options.high) {
                Some(written) => problem.at(written.span),
                None => problem,
            }]);
        }
        Ok(Check::Support(Box::new(Overlap { low, high })))
    }
}

/// Share below which a claim is probably about something else.
pub(super) fn default_low() -> RatioBound {
    RatioBound::of("0.2", 1, 5)
}

/// Share from which on a claim is about what its evidence is about.
pub(super) fn default_high() -> RatioBound {
    RatioBound::of("0.5", 1, 2)
}

impl SupportCheck for Overlap {
    fn thresholds(&self) -> Vec<Threshold> {
        let (low, high) = (self.low.to_string(), self.high.to_string());
        let threshold = |option, decides, value| Threshold {
            option,
            measures: "share of the claim's content words",
            value: Some(value),
            least: None,
            most: None,
            of_case: None,
            decides,
            otherwise: Outcome::NotApplicable,
            code: "overlap-low",
        };
        let (least, most) = (Some(("low", low.clone())), Some(("high", high.clone())));
        vec![
            Threshold { most, ..threshold("low", Outcome::Fail, low) },
            Threshold { least, ..threshold("high", Outcome::Pass, high) },
        ]
    }

    fn judge(&self, claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Judgement {
        let (shared, words) = share(claim, passages);
        if words == 0 {
            return Judgement::irrelevant();
        }
        if self.high.is_reached_by(shared, words) {
            return Judgement::pass().with_score(shared, words);
        }
        if self.low.is_reached_by(shared, words) {
            return Judgement::irrelevant().with_score(shared, words);
        }
        let message = format!(
            "the evidence has {shared} of the {words} content words of the claim, less than {} of them",
            self.low
        );
        let finding = Finding::new("overlap-low", message).triage().implying(Defect::Insufficient);
        let finding = finding.with("shared", shared).with("words", words).with("low", self.low.to_string());
        Judgement::of(vec![finding]).with_score(shared, words)
    }
}

/// Content words of the claim that the passages or their titles have, and content words of the claim.
pub(super) fn share(claim: ClaimText<'_>, passages: &[Passage<'_>]) -> (u64, u64) {
    let words = claim.analysis.content_words(&claim.claim.text);
    let mut evidence: Option<ContentWords> = None;
    let mut add =
        |more: &ContentWords| evidence = Some(evidence.take().map_or_else(|| more.clone(), |all| all.union(more)));
    for passage in passages {
        add(passage.analysis.content_words(passage.text));
        if let Some(title) = passage.unit.title.as_deref() {
            add(&ContentWords::read(title, passage.analysis.lexicon()));
        }
    }
    (evidence.map_or(0, |evidence| words.shared_with(&evidence)) as u64, words.len() as u64)
}
