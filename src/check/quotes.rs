//! `quotes`: what the claim quotes stands word for word in the evidence it cites.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Check, ClaimText, Defect, Family, Finding, Judgement, Kind, Match, Passage, Place, SupportCheck, facts};
use crate::diagnostic::{Problem, code};
use crate::text::quantity::compare::affordable;
use crate::text::lexicon::Lexicon;
use crate::text::normal::{Case, Folded};
use crate::text::quotation::{self, Grade, Quotation, Quoting};
use crate::text::word::{TokenKind, folded, tokens};
use crate::text::{Lexicons, Span};
use crate::yaml::Located;

/// What the claim puts between quotation marks stands word for word in the evidence it cites.
///
/// A quotation is a promise that these are the source's words. It holds exactly, or but for typography (quotation marks,
/// dashes, spaces, ligatures, hyphens at line ends), or with words left out and marked (… with the parts in order, and no negation
/// or hedge among what was left out), or with the quoter's own words in [square brackets]. Anything else is an altered quotation.
/// Quotation marks of all the usual kinds count; an apostrophe opens nothing. The title of a cited unit, what is written as
/// a title ("The Laws of Thought") and the user's own words are no quotations of the evidence, and neither are fewer than `min_words` words.
///
/// Options: `min_words` (default 3); `fold_case` (default `false`): upper and lower case are alike; `max_gap` (default 400): the most
/// bytes that one ellipsis may stand for.
///
/// Subject: a claim with the passages it cites. Each quotation that does not hold gives one finding: `quote-altered`, with the
/// words that come closest, or `quote-not-found`. Both imply `partial` where another quotation of the claim holds, else
/// `insufficient`. Quotations of five words or more decide, shorter ones are triage. The score is quotations that hold /
/// quotations. Not applicable to claims without one.
///
/// ```yaml
/// - id: misquoted
///   check: { quotes: { min_words: 4, fold_case: true } }
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Fewer words are no quotation.
    #[schemars(with = "Option<std::num::NonZeroUsize>")]
    pub min_words: Option<Located<usize>>,
    /// Whether upper and lower case are alike.
    #[serde(default)]
    pub fold_case: bool,
    /// Most bytes that one ellipsis may stand for.
    pub max_gap: Option<usize>,
}

/// The kind.
pub struct Quotes {
    quoting: Quoting,
}

impl Kind for Quotes {
    const NAME: &'static str = "quotes";
    const FAMILY: Family = Family::Support;
    const CODES: &'static [(&'static str, &'static str)] = &[
        ("quote-altered", "the evidence says nearly what is quoted, in other words"),
        ("quote-not-found", "the evidence does not say what is quoted"),
    ];
    const VARIABLES: &'static [&'static str] = &["claimed", "evidence"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        let default = Quoting::default();
        if let Some(min) = options.min_words.as_ref().filter(|min| min.value == 0) {
            let problem = Problem::new(code::WRONG_VALUE, "`min_words` asks for nothing").at(min.span);
            return Err(vec![problem.found(0, "a whole number from 1")]);
        }
        let quoting = Quoting {
            min_words: options.min_words.map_or(default.min_words, |min| min.value),
            fold_case: options.fold_case,
            longest_gap: options.max_gap.unwrap_or(default.longest_gap),
        };
        Ok(Check::Support(Box::new(Quotes { quoting })))
    }
}

/// A quotation of the claim and how it fared over all passages.
pub(super) struct Quoted {
    /// Where it stands in the claim.
    pub(super) quotation: Quotation,
    /// How it fared.
    pub(super) grade: Grade,
    /// The passage that the grade's span is of.
    pub(super) passage: usize,
}

impl Quoted {
    /// Where the passage bears the quotation out.
    pub(super) const fn holds(&self) -> Option<Span> {
        match self.grade {
            Grade::Exact(span) | Grade::Typographic(span) | Grade::Elided(span) | Grade::Inserted(span) => Some(span),
            Grade::NearMiss { .. } | Grade::NotFound => None,
        }
    }
}

impl SupportCheck for Quotes {
    fn lacking(&self, finding: &Finding) -> Vec<String> {
        facts::claimed(finding)
    }

    fn judge(&self, claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Judgement {
        let quoted = held(claim, passages, &self.quoting);
        if quoted.is_empty() {
            return Judgement::irrelevant();
        }
        let holding = quoted.iter().filter(|quoted| quoted.holds().is_some()).count();
        let implied = if holding > 0 { Defect::Partial } else { Defect::Insufficient };
        let mut findings = Vec::new();
        let mut matches = Vec::new();
        for Quoted { quotation, grade, passage } in &quoted {
            let span_of = |span: Span| passages.get(*passage).map_or("", |passage| span.of(passage.text));
            let mut note = |span: Span, conflicting| {
                matches.push(Match {
                    claim: Some(quotation.span.range()),
                    passage: *passage,
                    span: span.range(),
                    conflicting,
                });
            };
            let claimed = quotation.inner.of(&claim.claim.text);
            let (finding, evidence) = match grade {
                Grade::Exact(span) | Grade::Typographic(span) | Grade::Elided(span) | Grade::Inserted(span) => {
                    note(*span, false);
                    continue;
                }
                Grade::NearMiss { span, words } => {
                    note(*span, true);
                    let differ = if *words == 1 { "one word differs" } else { "words differ" };
                    let message =
                        format!("the claim quotes “{claimed}”, the cited evidence says “{}”: {differ}", span_of(*span));
                    (Finding::new("quote-altered", message), span_of(*span))
                }
                Grade::NotFound => {
                    (Finding::new("quote-not-found", format!("the cited evidence does not say “{claimed}”")), "")
                }
            };
            let finding = finding.implying(implied).at(Place::Claim(quotation.span.range()));
            let finding = finding.with("claimed", claimed).with("evidence", evidence);
            findings.push(if quotation.is_final() { finding } else { finding.triage() });
        }
        Judgement::of(findings).with_matches(matches).with_score(holding as u64, quoted.len() as u64)
    }
}

/// The quotations of the claim, held against passages; titles and the user's own words are left out.
pub(super) fn held(claim: ClaimText<'_>, passages: &[Passage<'_>], quoting: &Quoting) -> Vec<Quoted> {
    let text = claim.claim.text.as_ref();
    let quotations = quotation::quotations(text, quoting.min_words);
    if quotations.is_empty() {
        return Vec::new();
    }
    let plain = |text: &str| Folded::new(text, Case::Fold).text().trim().to_owned();
    let own_words = claim.query.map(plain);
    let titles: Vec<String> = passages.iter().filter_map(|passage| passage.unit.title.as_deref()).map(plain).collect();
    let is_quotation = |quotation: &Quotation| {
        let words = plain(quotation.inner.of(text));
        let words = words.trim_end_matches(['.', ',', ';', ':', '!', '?']);
        !is_title(quotation.inner.of(text), claim.analysis.lexicon())
            && !titles.iter().any(|title| title.as_str() == words)
            && !own_words.as_ref().is_some_and(|query| query.contains(words))
    };
    // Each is looked for in whole passages: a claim that holds thousands of them gets an answer on the first.
    let most = passages.iter().map(|passage| affordable((passage.text, passage.analysis))).min().unwrap_or(0).min(MOST_QUOTATIONS);
    let each = |(at, quotation): (usize, Quotation)| match at < most {
        true => is_quotation(&quotation).then(|| best(quotation, text, passages, quoting)),
        false => Some(Quoted { quotation, grade: Grade::NotFound, passage: 0 }),
    };
    quotations.into_iter().enumerate().filter_map(each).collect()
}

/// Quotations of one claim that are looked for.
const MOST_QUOTATIONS: usize = 500;

/// Whether a text is written as the title of a work: the first word and every word that carries meaning begin with a
/// capital.
fn is_title(text: &str, lexicon: &Lexicon) -> bool {
    let is_capital = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    let words: Vec<&str> =
        tokens(text).iter().filter(|token| token.kind == TokenKind::Word).map(|token| token.span.of(text)).collect();
    // "v." and "vs" stand between names.
    let small = |word: &str| word.chars().count() <= 2 || lexicon.is_stop_word(&folded(word));
    let meaning: Vec<&&str> = words.iter().filter(|word| !small(word)).collect();
    words.first().is_some_and(is_capital) && meaning.len() > 1 && meaning.into_iter().all(is_capital)
}

fn best(quotation: Quotation, text: &str, passages: &[Passage<'_>], quoting: &Quoting) -> Quoted {
    let mut best = Quoted { quotation, grade: Grade::NotFound, passage: 0 };
    for (index, passage) in passages.iter().enumerate() {
        let grade = quotation::find(quotation.inner.of(text), (passage.text, passage.analysis), quoting);
        if rank(&grade) < rank(&best.grade) {
            best = Quoted { quotation, grade, passage: index };
        }
    }
    best
}

/// Best first; among near misses the one with the fewest words that differ.
const fn rank(grade: &Grade) -> (u8, usize) {
    match grade {
        Grade::Exact(_) => (0, 0),
        Grade::Typographic(_) => (1, 0),
        Grade::Elided(_) => (2, 0),
        Grade::Inserted(_) => (3, 0),
        Grade::NearMiss { words, .. } => (4, *words),
        Grade::NotFound => (5, 0),
    }
}
