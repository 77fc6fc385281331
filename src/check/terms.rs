//! `terms`: the cited evidence holds the words that the claim must rest on.

mod phrase;
mod written;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use self::phrase::Reading;
use self::written::Term;
pub use self::written::WrittenTerm;
use super::{Code, Fault, Stage, Check, ClaimText, Defect, Family, Finding, Judgement, Kind, Match, Passage, SupportCheck, id};
use crate::diagnostic::{Problem, code};
use crate::text::Lexicons;
use crate::yaml::Located;

/// The cited evidence holds the terms that a claim must rest on, or holds none that it must not rest on.
///
/// Some statements can only rest on certain words: a retention period on a passage that names it, "all plans" on a passage that
/// says so. Required terms are the plainest support rule there is, and the one a policy owner can read aloud.
///
/// A term is
/// - a plain text: whole words, next to each other, whatever the space or hyphen between them. Case, typography (NFKC) and the
///   way a number is written do not matter: "30 days" is found in "THIRTY‑days". Nothing else is equal: "plan" is not "plans".
/// - a regular expression: `/\bGDPR\b/` or `{ regex: '\bGDPR\b' }`, case-insensitive unless it says `(?-i)`, matched on the
///   passage without its typography;
/// - a list of terms: synonyms, any of which will do.
///
/// Options, at least one: `all`: every one is in some cited passage; `any`: at least one is; `at_least: { count, of }`: at least
/// `count` are; `none`: no cited passage has any; `from_claim: true`: every one of the claim's own `required_terms` (plain texts) is.
///
/// Subject: a claim with the passages it cites. Fails with `term-missing` (once, with all that is `missing`) or
/// `term-forbidden`; both are final and imply `insufficient`. With `from_claim` alone, not applicable to claims that name no terms.
///
/// ```yaml
/// - id: retention-names-its-days
///   when: { claim: '(?i)\bretain' }
///   check: { terms: { all: ["90 days", [customers, clients]] } }
///   message: 'A retention claim must rest on a passage that says {{ missing | join(", ") }}.'
/// ```
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Options {
    /// Every one of these is in the evidence.
    pub all: Option<Located<Vec<Located<WrittenTerm>>>>,
    /// At least one of these is in the evidence.
    pub any: Option<Located<Vec<Located<WrittenTerm>>>>,
    /// None of these is in the evidence.
    pub none: Option<Located<Vec<Located<WrittenTerm>>>>,
    /// At least so many of these are in the evidence.
    pub at_least: Option<Located<AtLeast>>,
    /// Every one of the claim's own `required_terms` is in the evidence.
    #[serde(default)]
    pub from_claim: bool,
}

/// So many of these terms.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AtLeast {
    /// How many.
    #[schemars(with = "std::num::NonZeroUsize")]
    pub count: usize,
    /// Of which terms.
    pub of: Located<Vec<Located<WrittenTerm>>>,
}

/// The kind.
pub struct Terms {
    all: Vec<Term>,
    any: Vec<Term>,
    none: Vec<Term>,
    at_least: Option<(usize, Vec<Term>)>,
    from_claim: bool,
}

impl Kind for Terms {
    const NAME: &'static str = "terms";
    const FAMILY: Family = Family::Support;
    const CODES: &'static [Code] = &[
        Code::new("term-missing", "the evidence lacks terms that the claim must rest on", Fault::Lacking { nowhere: Some(Stage::Retrieval), and: "" }),
        Code::new("term-forbidden", "the evidence holds a term that the claim must not rest on", Fault::at(Stage::Retrieval, "retrieval returned a passage that no claim may rest on")),
    ];
    const VARIABLES: &'static [&'static str] = &["missing", "found"];
    type Options = Options;

    fn compile(options: Options, _: &Lexicons) -> Result<Check, Vec<Problem>> {
        let mut problems = Vec::new();
        let nothing = options.all.is_none() && options.any.is_none() && options.none.is_none();
        if nothing && options.at_least.is_none() && !options.from_claim {
            problems.push(
                Problem::new(code::MISSING_KEY, "`terms` without terms")
                    .label("expected at least one of `all`, `any`, `none`, `at_least` and `from_claim: true`"),
            );
        }
        let mut compiled = |key, written| written::compiled(key, written, &mut problems);
        let terms = Terms {
            all: compiled("all", options.all),
            any: compiled("any", options.any),
            none: compiled("none", options.none),
            at_least: options
                .at_least
                .clone()
                .map(|at_least| (at_least.count, compiled("of", Some(at_least.value.of)))),
            from_claim: options.from_claim,
        };
        if let (Some((count, of)), Some(written)) = (&terms.at_least, &options.at_least)
            && (*count == 0 || *count > of.len())
            && problems.is_empty()
        {
            problems.push(
                Problem::new(code::WRONG_VALUE, "`at_least` that is always or never met")
                    .at(written.span)
                    .label(format!("`count` is {count}, expected 1 to {}, the number of terms in `of`", of.len())),
            );
        }
        for both in terms.none.iter().filter(|term| terms.all.iter().any(|other| other.name() == term.name())) {
            problems.push(
                Problem::new(code::CONTRADICTION, format!("the term {} is required and forbidden", both.name()))
                    .label("it stands under `all` and under `none`"),
            );
        }
        if problems.is_empty() { Ok(Check::Support(Box::new(terms))) } else { Err(problems) }
    }
}

/// Terms looked up in the passages of one claim.
struct Search<'p> {
    readings: Vec<Reading<'p>>,
    matches: Vec<Match>,
    /// Terms that were required.
    required: u64,
    /// Those of them that were found.
    met: u64,
    missing: Vec<String>,
}

impl Search<'_> {
    /// Looks for a term; a match is noted.
    fn find(&mut self, term: &Term, forbidden: bool) -> bool {
        let found =
            self.readings.iter().enumerate().find_map(|(passage, reading)| Some((passage, term.find(reading)?)));
        if let Some((passage, span)) = found {
            self.matches.push(Match { claim: None, passage, span: span.range(), conflicting: forbidden });
            return true;
        }
        false
    }

    /// Demands `count` of `terms`.
    fn demand(&mut self, terms: &[Term], count: usize) {
        let missing: Vec<String> = terms.iter().filter(|term| !self.find(term, false)).map(Term::name).collect();
        let found = terms.len() - missing.len();
        self.required += count as u64;
        self.met += found.min(count) as u64;
        if found < count {
            self.missing.extend(missing);
        }
    }
}

impl SupportCheck for Terms {
    fn lacking(&self, finding: &Finding) -> Vec<String> {
        let missing = finding.value("missing").and_then(Value::as_array);
        missing.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    fn judge(&self, claim: ClaimText<'_>, passages: &[Passage<'_>]) -> Judgement {
        let given = claim.claim.given.map(|given| given.required_terms.as_slice()).unwrap_or_default();
        let own: Vec<Term> =
            if self.from_claim { given.iter().map(|term| Term::plain(term)).collect() } else { Vec::new() };
        let only_own = self.all.is_empty() && self.any.is_empty() && self.none.is_empty() && self.at_least.is_none();
        if only_own && own.is_empty() {
            return Judgement::missing("claims.required_terms");
        }
        let readings = passages.iter().map(|passage| Reading::new(passage.text, passage.analysis)).collect();
        let mut search = Search { readings, matches: Vec::new(), required: 0, met: 0, missing: Vec::new() };
        search.demand(&self.all, self.all.len());
        search.demand(&own, own.len());
        search.demand(&self.any, usize::from(!self.any.is_empty()));
        if let Some((count, of)) = &self.at_least {
            search.demand(of, *count);
        }
        let mut findings = Vec::new();
        if !search.missing.is_empty() {
            let names = id::listed(search.missing.iter().map(String::as_str));
            let finding = Finding::new("term-missing", format!("the cited evidence does not say {names}"));
            let finding = finding.with("missing", search.missing.clone()).with("found", "");
            findings.push(finding.implying(Defect::Insufficient));
        }
        for term in &self.none {
            if search.find(term, true) {
                let message = format!("the cited evidence says “{}”, on which this claim must not rest", term.name());
                let finding = Finding::new("term-forbidden", message).implying(Defect::Insufficient);
                findings.push(finding.with("missing", Vec::<String>::new()).with("found", term.name()));
            }
        }
        let judgement = Judgement::of(findings).with_matches(search.matches);
        match search.required {
            0 => judgement,
            required => judgement.with_score(search.met, required),
        }
    }
}
