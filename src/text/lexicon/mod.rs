//! Lexicons: the words of a language that checks rely on, shipped as YAML and open to a policy.

mod calendar;
mod compile;
mod compiled;
mod phrase;
mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

pub(crate) use calendar::DateWord;
pub use compiled::{Cue, Exact, Lexicon, LexiconProblem, Qualifier, Scale, Unit};
pub(crate) use compiled::{Roles, role};
pub use phrase::{Found, Phrases};
pub use written::{
    LexiconFile, WrittenChange, WrittenDateWords, WrittenLexicon, WrittenModality, WrittenQualifiers, WrittenUnit,
};

/// The key of what all languages share.
pub const ANY: &str = "any";
/// The language whose lexicon serves where the text's own language has none.
pub const FALLBACK: &str = "en";

const SHIPPED: [(&str, &str); 12] = [
    ("rules/lexicons/any.yaml", include_str!("../../../rules/lexicons/any.yaml")),
    ("rules/lexicons/de.yaml", include_str!("../../../rules/lexicons/de.yaml")),
    ("rules/lexicons/en.yaml", include_str!("../../../rules/lexicons/en.yaml")),
    ("rules/lexicons/es.yaml", include_str!("../../../rules/lexicons/es.yaml")),
    ("rules/lexicons/fr.yaml", include_str!("../../../rules/lexicons/fr.yaml")),
    ("rules/lexicons/it.yaml", include_str!("../../../rules/lexicons/it.yaml")),
    ("rules/lexicons/ja.yaml", include_str!("../../../rules/lexicons/ja.yaml")),
    ("rules/lexicons/nl.yaml", include_str!("../../../rules/lexicons/nl.yaml")),
    ("rules/lexicons/pt.yaml", include_str!("../../../rules/lexicons/pt.yaml")),
    ("rules/lexicons/sv.yaml", include_str!("../../../rules/lexicons/sv.yaml")),
    ("rules/lexicons/tr.yaml", include_str!("../../../rules/lexicons/tr.yaml")),
    ("rules/lexicons/zh.yaml", include_str!("../../../rules/lexicons/zh.yaml")),
];

/// The shipped files are read once in a process.
static SHIPPED_READ: OnceLock<Result<BTreeMap<String, WrittenLexicon>, Vec<LexiconProblem>>> = OnceLock::new();

/// The lexicons of all languages. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Lexicons {
    by_language: Arc<BTreeMap<String, Arc<Lexicon>>>,
    /// The fallback language without a decimal sign of its own: for texts in a language that is unknown.
    undetermined: Arc<Lexicon>,
}

impl Lexicons {
    /// The shipped lexicons with a policy's `lexicons:` laid over them (an empty map for none).
    ///
    /// # Errors
    /// Every fault of the added lexicons, all at once; each names language and key.
    pub fn new(additions: &BTreeMap<String, WrittenLexicon>) -> Result<Self, Vec<LexiconProblem>> {
        let shipped = SHIPPED_READ.get_or_init(shipped).as_ref().map_err(Clone::clone)?;
        let mut languages: BTreeSet<&String> = shipped.keys().chain(additions.keys()).collect();
        let any = ANY.to_owned();
        languages.remove(&any);
        let (mut by_language, mut problems) = (BTreeMap::new(), Vec::new());
        let mut compile = |language: &str, key: &str| {
            let layers: Vec<&WrittenLexicon> =
                [shipped.get(ANY), shipped.get(key), additions.get(ANY), additions.get(key)]
                    .into_iter()
                    .flatten()
                    .collect();
            let own = [shipped.get(key), additions.get(key)].into_iter().flatten();
            let denies = own.filter_map(|layer| layer.negations.as_ref()).any(|words| !words.is_empty());
            let mut lexicon = compile::compile(language, &layers).map_err(|found| problems.extend(found)).ok()?;
            lexicon.knows_denials = denies && language == key;
            Some(lexicon)
        };
        for language in languages {
            if let Some(lexicon) = compile(language, language) {
                by_language.insert(language.clone(), Arc::new(lexicon));
            }
        }
        let undetermined = compile("und", FALLBACK);
        match undetermined {
            Some(mut lexicon) if problems.is_empty() => {
                lexicon.decimal = None;
                Ok(Self { by_language: Arc::new(by_language), undetermined: Arc::new(lexicon) })
            }
            _ => {
                problems.sort_by(|a, b| (&a.key, &a.what).cmp(&(&b.key, &b.what)));
                // A fault under `any` shows in every language: say it once.
                problems.dedup_by(|a, b| a.key == b.key && a.what == b.what);
                Err(problems)
            }
        }
    }

    /// The shipped lexicons alone; compiled once in a process.
    ///
    /// # Errors
    /// Only where the shipped files themselves are at fault, which a test rules out.
    pub fn shipped() -> Result<Self, Vec<LexiconProblem>> {
        static SHIPPED: OnceLock<Result<Lexicons, Vec<LexiconProblem>>> = OnceLock::new();
        SHIPPED.get_or_init(|| Self::new(&BTreeMap::new())).clone()
    }

    /// The lexicon for a BCP 47 tag (`de-AT` → `de`). Without a tag, or with one that no lexicon speaks, the fallback language
    /// serves, and readings of numbers that hang on the locale stay open.
    pub fn for_language(&self, tag: Option<&str>) -> &Arc<Lexicon> {
        let primary = tag.and_then(|tag| tag.trim().split(['-', '_']).next()).map(str::to_ascii_lowercase);
        primary.and_then(|primary| self.by_language.get(&primary)).unwrap_or(&self.undetermined)
    }

    /// The languages there are lexicons for, sorted.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.by_language.keys().map(String::as_str)
    }
}

/// The shipped files as written, by language.
fn shipped() -> Result<BTreeMap<String, WrittenLexicon>, Vec<LexiconProblem>> {
    let (mut all, mut problems) = (BTreeMap::new(), Vec::new());
    for (name, text) in SHIPPED {
        match crate::yaml::read::<LexiconFile>(name, text) {
            Ok(file) => all.extend(file.lexicons),
            Err(found) => problems.push(LexiconProblem {
                language: ANY.into(),
                key: name.into(),
                what: found.render(),
                help: None,
            }),
        }
    }
    if problems.is_empty() { Ok(all) } else { Err(problems) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicons() -> Lexicons {
        Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"))
    }

    #[test]
    fn the_shipped_files_read_and_a_tag_finds_its_language() {
        let lexicons = lexicons();
        assert_eq!(
            lexicons.languages().collect::<Vec<_>>(),
            ["de", "en", "es", "fr", "it", "ja", "nl", "pt", "sv", "tr", "zh"]
        );
        assert_eq!(lexicons.for_language(Some("de-AT")).language(), "de");
        assert_eq!(lexicons.for_language(Some("PT_br")).language(), "pt");
        assert_eq!(lexicons.for_language(Some("de")).decimal(), Some(','));
        let unknown = lexicons.for_language(Some("xx"));
        assert_eq!((unknown.language(), unknown.decimal()), ("und", None));
        assert!(unknown.is_stop_word("the"));
    }

    #[test]
    fn a_policy_adds_to_a_list_or_takes_its_place() {
        let written = |hedges: &str, replace: bool| {
            let entry = WrittenLexicon { replace, stop_words: Some(vec![hedges.into()]), ..WrittenLexicon::default() };
            Lexicons::new(&BTreeMap::from([("en".to_owned(), entry)])).unwrap_or_else(|problems| panic!("{problems:?}"))
        };
        let added = written("Moreover", false);
        assert!(
            added.for_language(Some("en")).is_stop_word("moreover")
                && added.for_language(Some("en")).is_stop_word("the")
        );
        let replaced = written("moreover", true);
        assert!(
            replaced.for_language(Some("en")).is_stop_word("moreover")
                && !replaced.for_language(Some("en")).is_stop_word("the")
        );
    }

    #[test]
    fn a_language_that_cannot_deny_is_known_for_it() {
        let da = |negations: Option<Vec<String>>| {
            let entry = WrittenLexicon {
                months: Some(BTreeMap::from([("maj".to_owned(), 5)])),
                negations,
                ..WrittenLexicon::default()
            };
            let added = Lexicons::new(&BTreeMap::from([("da".to_owned(), entry)]))
                .unwrap_or_else(|problems| panic!("{problems:?}"));
            added.for_language(Some("da-DK")).knows_denials()
        };
        assert!(!da(None));
        assert!(da(Some(vec!["ikke".to_owned()])));
        assert!(lexicons().for_language(Some("nl")).knows_denials());
        assert!(!lexicons().for_language(Some("fi")).knows_denials());
    }

    #[test]
    fn every_fault_is_named_once() {
        let furlong = WrittenUnit {
            unit: "furlong".into(),
            dimension: Some("length".into()),
            factor: Some("long".into()),
            ..WrittenUnit::default()
        };
        let league = WrittenUnit { unit: "league".into(), names: vec!["league".into()], ..WrittenUnit::default() };
        let entry = WrittenLexicon { units: Some(vec![furlong, league]), ..WrittenLexicon::default() };
        let problems = Lexicons::new(&BTreeMap::from([(ANY.to_owned(), entry)])).err().unwrap_or_default();
        assert_eq!(
            problems.iter().map(|p| p.key.as_str()).collect::<Vec<_>>(),
            ["units.furlong.factor", "units.league"]
        );
    }

    #[test]
    fn endings_come_off() {
        let lexicons = lexicons();
        let en = lexicons.for_language(Some("en"));
        for (a, b) in [
            ("policies", "policy"),
            ("stored", "stores"),
            ("storing", "store"),
            ("stopped", "stops"),
            ("requests", "request"),
            ("logs", "log"),
        ] {
            assert_eq!(en.stem(a), en.stem(b), "{a} {b}");
        }
        assert_ne!(en.stem("bus"), en.stem("bu"));
    }
}
