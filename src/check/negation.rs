//! `negation`: the claim does not deny what its evidence says, nor say what its evidence denies.

use schemars::JsonSchema;
use serde::Deserialize;

use super::aligned::{self, Difference, Held};
use super::{Code, Fault, Stage, Check, ClaimText, Defect, Family, Finding, Judgement, Kind, Match, Passage, Place, Severity, SupportCheck};
use crate::diagnostic::Problem;
use crate::text::Lexicons;
use crate::text::stance::{Denial, Holder};

/// The claim does not deny what its evidence says, nor say what its evidence denies.
///
/// A dropped "not" leaves every number, date and name of a claim in place, so that no other check sees it. Each sentence of the claim
/// is held against the sentences of the cited passages that say the same in nearly the same words, and the words of denial on both
/// sides are counted: two of them in one statement deny nothing ("not uncommon"), and neither do "not only" or "no later than".
/// Prefixes count where the other side has the bare word ("unavailable" beside "available"). A word of denial in another clause, in
/// a quotation or in a name is not held against anybody, and where the two sentences also differ in a condition, a bound, an opposite
/// ("before" and "after") or a "some", nothing is said: such sentences may well agree.
///
/// Words alone cannot prove a contradiction. So this is a note by default, and at most a suspicion: it never keeps a claim from
/// being supported and never fails a case. The words are the lexicons' `negations`, `no_cues`, `cue_pairs`, `negative_concord`,
/// `negative_prefixes` and `clause_words`. Scripts without spaces between words are read where the lexicon is `unspaced`, as those for
/// Japanese and Chinese are.
///
/// Subject: a claim with the passages it cites. Severity `note` unless the rule says otherwise. Fails with `negation-differs` where the two sentences
/// differ in nothing but the denial: triage, suspects `contradicted`; or with `negation-unmatched` where the sentence that says
/// most of the claim differs in more: triage, suspects nothing. Passes where both deny. The score is the share of the claim's words that
/// the sentence has. Not applicable where no sentence says nearly the same, or neither denies anything.
///
/// ```yaml
/// - id: denied-by-one-side
///   check: negation
/// ```
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {}

/// The kind.
pub struct Negation;

impl Kind for Negation {
    const NAME: &'static str = "negation";
    const FAMILY: Family = Family::Support;
    const SEVERITY: Severity = Severity::Note;
    const CODES: &'static [Code] = &[
        Code::new("negation-differs", "one denies what the other says in the same words", Fault::at(Stage::Generation, "the claim denies what the passage says, or the other way round")),
        Code::new("negation-unmatched", "one has a denial that the sentence which says most of the same has not", Fault::at(Stage::Generation, "the claim denies what the passage says, or the other way round")),
    ];
    const VARIABLES: &'static [&'static str] = &["cue", "denied_by", "sentence"];
    type Options = Options;

    fn compile(_: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        Ok(Check::Support(Box::new(Negation)))
    }
}

impl SupportCheck for Negation {
    fn judge(&self, claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Judgement {
        match aligned::held(claim, passages, |pair, _| pair.denial()) {
            Held::Nothing => Judgement::irrelevant(),
            Held::Alike => Judgement::pass(),
            Held::Differs(difference) => judged(claim, passages, &difference),
        }
    }
}

fn judged(claim: ClaimText<'_>, passages: &[Passage<'_>], difference: &Difference<Denial>) -> Judgement {
    let (text, Denial { by, cue, denied }) = (claim.claim.text.as_ref(), difference.found);
    let evidence = passages.get(difference.passage).map_or("", |passage| passage.text);
    let sentence = aligned::shown(difference.sentence.of(evidence));
    let (denied_by, word, ours, theirs) = match by {
        Holder::Claim => ("claim", cue.of(text), cue, denied),
        Holder::Evidence => ("passage", cue.of(evidence), denied, cue),
    };
    let finding = match (difference.is_exact, by) {
        (true, Holder::Claim) => {
            let message = format!("the claim denies with “{word}” what the passage says: “{sentence}”");
            Finding::new("negation-differs", message).implying(Defect::Contradicted)
        }
        (true, Holder::Evidence) => {
            let message = format!("the passage denies with “{word}” what the claim says: “{sentence}”");
            Finding::new("negation-differs", message).implying(Defect::Contradicted)
        }
        (false, Holder::Claim) => Finding::new(
            "negation-unmatched",
            format!("the claim denies with “{word}”; the sentence that says most of it does not: “{sentence}”"),
        ),
        (false, Holder::Evidence) => Finding::new(
            "negation-unmatched",
            format!("the sentence that says most of the claim denies with “{word}”, the claim does not: “{sentence}”"),
        ),
    };
    let finding = finding.triage().at(Place::Claim(ours.range()));
    let finding = finding.with("cue", word).with("denied_by", denied_by).with("sentence", sentence);
    let (shared, words) = difference.shared;
    let found = Match {
        claim: Some(ours.range()),
        passage: difference.passage,
        span: theirs.range(),
        conflicting: difference.is_exact,
    };
    Judgement::of(vec![finding]).with_matches(vec![found]).with_score(shared as u64, words as u64)
}
