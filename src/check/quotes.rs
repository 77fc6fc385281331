//! `quotes`: what the claim quotes stands word for word in the evidence it cites.

mod said;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Code, Fault, Stage, Check, ClaimText, Defect, Family, Finding, Judgement, Kind, Match, Passage, Place, SupportCheck, facts};
use crate::diagnostic::{Problem, code};
use crate::text::lexicon::Lexicon;
use crate::text::normal::{Case, Folded};
use crate::text::outcome::Weight;
use crate::text::quotation::{self, Change, Effort, Grade, Quotation, Quoting, Sought};
use crate::text::word::{TokenKind, folded, tokens};
use crate::text::{Lexicons, Span};
use crate::yaml::Located;

/// What the claim puts between quotation marks stands word for word in the evidence it cites.
///
/// A quotation is a promise that these are the source's words, so it must stand in one of the units that the claim cites; it is never put together from
/// two. How well it stands there is one of six grades. These four hold:
/// - exact: character by character;
/// - typographic: but for quotation marks, dashes, spaces, ligatures, accents composed otherwise, soft hyphens and hyphens at line ends, line breaks, Markdown
///   emphasis, signs that HTML names (`&rsquo;`), reference marks such as `[12]`, the signs at its two ends, and the case of its first letter;
/// - elided: with words left out and marked (`…`, `...`, `[…]`, `(…)`, `. . .`), the parts in order, at most `max_gap` words and three ends of
///   sentences in between, and nothing among what was left out that changes what is said: no word that denies, hedges or limits (the lexicons'
///   `negations`, `hedges`, `reservations` and `modality`), and no bound ("up to") of a number that stays;
/// - inserted: with the quoter's own words in square brackets, `[the company]`, `[sic]`, `[T]he`, `refund[s]`, in place of three words at most,
///   where neither the words put in nor those replaced deny, hedge, limit or count.
///
/// Two do not hold: the near miss, for which the finding names the fewest words that differ, and what is not found.
///
/// What is certain and what is a suspicion: a near miss is final where a word with content, a number, a sign such as % or €, or a word that
/// denies, hedges, limits or bounds was changed, dropped or added, where the parts stand in another order, and where an ellipsis or a bracket
/// hides such a word right beside what is quoted. Where only the form of words differs (tense, number, spelling, an article, a pronoun: reported
/// speech), only the punctuation, or the word left out stands in another clause, it is triage. A quotation that is not found is final, but triage where one
/// sentence of the evidence says the same in other words or another order, and where the evidence is in another language (a translation). All is
/// triage below five words, and where the marks may be something else (`'`, or `>` at the beginning of lines).
///
/// No quotations are: what is shorter than `min_words`; the title of a cited unit; what is written as a title ("The Laws of Thought"; an
/// altered one is a suspicion); the user's own words; code between backticks; what stands behind an apostrophe or between signs for feet and inches.
/// Quotation marks of all usual kinds are read (“…”, „…“, «…», »…«, ‘…’, ‚…‘, 「…」, 『…』, "…", ``…''), over paragraphs too, and block quotes of eight
/// words or more.
///
/// Options: `min_words` (default 3); `fold_case` (default `false`): upper and lower case are alike; `max_gap` (default 60): the most
/// words that one ellipsis may stand for.
///
/// Subject: a claim with the passages it cites. Each quotation that does not hold gives one finding: `quote-altered`, with the
/// words that come closest and the changes, or `quote-not-found`, which is triage and says so where the texts are too long to look everywhere. Both imply
/// `partial` where another quotation of the claim holds, else `insufficient`. The score is quotations that hold /
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
    /// Most words that one ellipsis may stand for.
    pub max_gap: Option<usize>,
}

/// The kind.
pub struct Quotes {
    quoting: Quoting,
}

impl Kind for Quotes {
    const NAME: &'static str = "quotes";
    const FAMILY: Family = Family::Support;
    const CODES: &'static [Code] = &[
        Code::new("quote-altered", "the evidence says nearly what is quoted, in other words", Fault::Lacking { nowhere: Some(Stage::Generation), and: " word for word, and the cited passage says it in other words" }),
        Code::new("quote-not-found", "the evidence does not say what is quoted", Fault::Lacking { nowhere: Some(Stage::Generation), and: ", so that the answer quotes what it was not given" }),
    ];
    const VARIABLES: &'static [&'static str] = &["claimed", "evidence", "changes"];
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
    /// The passage that it fared best in.
    pub(super) passage: usize,
    /// Whether it may be something else than a quotation, so that only a suspicion hangs on it.
    is_doubtful: bool,
}

impl Quoted {
    /// Where the passage has it, if it holds.
    pub(super) fn holds(&self) -> Option<Span> {
        match self.grade {
            Grade::Exact(span) | Grade::Typographic(span) | Grade::Elided(span) | Grade::Inserted(span) => Some(span),
            Grade::NearMiss { .. } | Grade::Reworded(_) | Grade::NotFound | Grade::Unsearched => None,
        }
    }

    /// Whether it certainly does not hold.
    fn is_certain(&self) -> bool {
        let changed = match &self.grade {
            Grade::NearMiss { changes, .. } => changes.iter().any(|change| change.weight == Weight::Final),
            Grade::NotFound => true,
            _ => false,
        };
        changed && self.quotation.is_final() && !self.is_doubtful
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
        for quoted in &quoted {
            matches.extend(quoted.matches());
            if quoted.holds().is_none() {
                let passage = passages.get(quoted.passage).map_or("", |passage| passage.text);
                let finding = said::finding(&claim.claim.text, passage, quoted).implying(implied);
                findings.push(if quoted.is_certain() { finding } else { finding.triage() });
            }
        }
        Judgement::of(findings).with_matches(matches).with_score(holding as u64, quoted.len() as u64)
    }
}

impl Quoted {
    /// What stands beside what, for the report: the whole quotation where it holds, else the words that differ.
    fn matches(&self) -> Vec<Match> {
        let found = |claim: Option<Span>, span: Span, conflicting| Match {
            claim: claim.map(Span::range),
            passage: self.passage,
            span: span.range(),
            conflicting,
        };
        match &self.grade {
            Grade::NearMiss { span, changes } => {
                let pair = |change: &Change| match (change.quoted.is_empty(), change.stands.is_empty()) {
                    (true, _) => found(None, change.stands, true),
                    (_, true) => found(Some(change.quoted), *span, true),
                    _ => found(Some(change.quoted), change.stands, true),
                };
                changes.iter().map(pair).collect()
            }
            Grade::Reworded(span) => vec![found(Some(self.quotation.span), *span, true)],
            _ => self.holds().map(|span| found(Some(self.quotation.span), span, false)).into_iter().collect(),
        }
    }
}

/// The quotations of the claim, held against passages; titles and the user's own words are left out.
pub(super) fn held(claim: ClaimText<'_>, passages: &[Passage<'_>], quoting: &Quoting) -> Vec<Quoted> {
    const LONGEST_QUERY: usize = 8_192;
    let text = claim.claim.text.as_ref();
    let quotations = quotation::quotations(text, quoting.min_words);
    if quotations.is_empty() {
        return Vec::new();
    }
    let plain = |text: &str| Folded::new(text, Case::Fold).text().trim().to_owned();
    let own_words = claim.query.map(|query| plain(query.get(..query.floor_char_boundary(LONGEST_QUERY)).unwrap_or(query)));
    let titles: Vec<String> = passages.iter().filter_map(|passage| passage.unit.title.as_deref()).map(plain).collect();
    let is_other = |quotation: &Quotation| {
        let words = plain(quotation.inner.of(text));
        let words = words.trim_end_matches(['.', ',', ';', ':', '!', '?']);
        titles.iter().any(|title| title.as_str() == words) || own_words.as_ref().is_some_and(|query| query.contains(words))
    };
    let mut effort = Effort::default();
    let each = |quotation: Quotation| {
        if is_other(&quotation) {
            return None;
        }
        let title = is_title(quotation.inner.of(text), claim.analysis.lexicon());
        let mut quoted = best(claim, quotation, passages, quoting, &mut effort);
        // Other works than the evidence have titles, and longer and shorter forms of them: only one with a word replaced raises a suspicion.
        let is_altered = || match &quoted.grade {
            Grade::NearMiss { changes, .. } => {
                matches!(changes.as_slice(), [change] if !change.quoted.is_empty() && !change.stands.is_empty())
            }
            _ => false,
        };
        if title && !is_altered() {
            return None;
        }
        // A formula may be read aloud in other signs.
        let is_formula = |span: &Span| {
            let stands = passages.get(quoted.passage).and_then(|passage| passage.text.get(span.range()));
            stands.is_some_and(|stands| stands.contains('\\'))
        };
        let is_set = matches!(&quoted.grade, Grade::NearMiss { span, .. } | Grade::Reworded(span) if is_formula(span));
        quoted.is_doubtful = title || is_set || (quoted.grade == Grade::NotFound && is_translated(claim, quotation.inner, passages));
        Some(quoted)
    };
    quotations.into_iter().filter_map(each).collect()
}

/// Whether a text is written as the title of a work, the first word and every word that carries meaning with a capital but not all in capitals, or as
/// the name of a case in court.
fn is_title(text: &str, lexicon: &Lexicon) -> bool {
    const MOST_CAPITALS: usize = 4;
    const LONGEST_SMALL: usize = 3;
    let is_cut = text.contains(['…', '[']) || text.contains("...");
    if is_cut || tokens(text).iter().any(|token| token.kind == TokenKind::Ideograph) {
        return false;
    }
    let is_capital = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    let words: Vec<&str> =
        tokens(text).iter().filter(|token| token.kind == TokenKind::Word).map(|token| token.span.of(text)).collect();
    // "v." and "vs" stand between names.
    // Where all nouns have capitals, a sentence shows in its small words: only articles and the like stand in a title.
    let small = |word: &str| match word.chars().count() {
        0..=2 => true,
        length => (length <= LONGEST_SMALL || !lexicon.nouns_capitalised) && lexicon.is_stop_word(&folded(word)),
    };
    let meaning: Vec<&&str> = words.iter().filter(|word| !small(word)).collect();
    let shouted = words.len() > MOST_CAPITALS && !words.iter().any(|word| word.chars().any(char::is_lowercase));
    let against = |pair: &[&str]| matches!(pair, ["v" | "vs" | "versus", against] if is_capital(against));
    let is_case = words.first().is_some_and(is_capital) && words.windows(2).any(against);
    is_case || !shouted && words.first().is_some_and(is_capital) && meaning.len() > 1 && meaning.into_iter().all(is_capital)
}

/// Whether the quotation is in one language and all passages are in others.
fn is_translated(claim: ClaimText<'_>, inner: Span, passages: &[Passage<'_>]) -> bool {
    let Some(ours) = language(inner.of(&claim.claim.text), 2, claim.lexicons) else { return false };
    let other = |passage: &Passage<'_>| language(passage.text, 5, claim.lexicons).is_some_and(|theirs| theirs != ours);
    passages.iter().all(other)
}

/// The language whose small words a text has most of: at least `least` of them among the first few hundred words, and half as many again as
/// any other language.
fn language<'l>(text: &str, least: usize, lexicons: &'l Lexicons) -> Option<&'l str> {
    const LONGEST: usize = 2_000;
    let start = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text);
    let words: Vec<_> =
        tokens(start).iter().filter(|token| token.kind == TokenKind::Word).map(|token| folded(token.span.of(start))).collect();
    let count = |language: &'l str| {
        let lexicon = lexicons.for_language(Some(language));
        (words.iter().filter(|word| lexicon.is_stop_word(word)).count(), language)
    };
    let mut counts: Vec<(usize, &str)> = lexicons.languages().map(count).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    match counts.as_slice() {
        [(most, language), (next, _), ..] if *most >= least && 2 * most > 3 * next => Some(language),
        _ => None,
    }
}

/// How the quotation fares in the passage that bears it out best. One that was not searched to its end may have it.
fn best(claim: ClaimText<'_>, quotation: Quotation, passages: &[Passage<'_>], quoting: &Quoting, effort: &mut Effort) -> Quoted {
    let sought = Sought::new((&claim.claim.text, claim.analysis), quotation.inner);
    let mut best = Quoted { quotation, grade: Grade::NotFound, passage: 0, is_doubtful: false };
    for (passage, exposed) in passages.iter().enumerate() {
        let grade = sought.find((exposed.text, exposed.analysis), quoting, effort);
        if rank(&grade) < rank(&best.grade) {
            best = Quoted { grade, passage, ..best };
        }
    }
    best
}

/// Best first; among near misses those that may say the same, then those with the fewest changes.
fn rank(grade: &Grade) -> (u8, bool, usize) {
    let rank = match grade {
        Grade::Exact(_) => 0,
        Grade::Typographic(_) => 1,
        Grade::Elided(_) => 2,
        Grade::Inserted(_) => 3,
        Grade::Unsearched => 4,
        Grade::NearMiss { changes, .. } => {
            return (5, changes.iter().any(|change| change.weight == Weight::Final), changes.len());
        }
        Grade::Reworded(_) => 6,
        Grade::NotFound => 7,
    };
    (rank, false, 0)
}
