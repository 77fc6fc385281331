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

const SHIPPED: [(&str, &str); 18] = [
    ("any", include_str!("../../../rules/lexicons/any.yaml")),
    ("ar", include_str!("../../../rules/lexicons/ar.yaml")),
    ("cs", include_str!("../../../rules/lexicons/cs.yaml")),
    ("de", include_str!("../../../rules/lexicons/de.yaml")),
    ("en", include_str!("../../../rules/lexicons/en.yaml")),
    ("es", include_str!("../../../rules/lexicons/es.yaml")),
    ("fr", include_str!("../../../rules/lexicons/fr.yaml")),
    ("hi", include_str!("../../../rules/lexicons/hi.yaml")),
    ("it", include_str!("../../../rules/lexicons/it.yaml")),
    ("ja", include_str!("../../../rules/lexicons/ja.yaml")),
    ("ko", include_str!("../../../rules/lexicons/ko.yaml")),
    ("nl", include_str!("../../../rules/lexicons/nl.yaml")),
    ("pl", include_str!("../../../rules/lexicons/pl.yaml")),
    ("pt", include_str!("../../../rules/lexicons/pt.yaml")),
    ("ru", include_str!("../../../rules/lexicons/ru.yaml")),
    ("sv", include_str!("../../../rules/lexicons/sv.yaml")),
    ("tr", include_str!("../../../rules/lexicons/tr.yaml")),
    ("zh", include_str!("../../../rules/lexicons/zh.yaml")),
];

/// The shipped files, each read once in a process, where it is asked for.
static READ: [OnceLock<Result<WrittenLexicon, LexiconProblem>>; SHIPPED.len()] =
    [const { OnceLock::new() }; SHIPPED.len()];

/// The lexicons of all languages. Cheap to clone; that of a language is made when a text in it is met.
#[derive(Debug, Clone)]
pub struct Lexicons {
    by_language: Arc<BTreeMap<String, OnceLock<Arc<Lexicon>>>>,
    /// The fallback language without a decimal sign of its own: for texts in a language that is unknown.
    undetermined: Arc<Lexicon>,
}

impl Lexicons {
    /// The shipped lexicons with a policy's `lexicons:` laid over them (an empty map for none).
    ///
    /// # Errors
    /// Every fault of the added lexicons, all at once; each names language and key.
    pub fn new(additions: &BTreeMap<String, WrittenLexicon>) -> Result<Self, Vec<LexiconProblem>> {
        let mut problems = Vec::new();
        let shared = additions.contains_key(ANY);
        let mut languages: BTreeSet<&str> = SHIPPED.iter().map(|(language, _)| *language).collect();
        languages.extend(additions.keys().map(String::as_str));
        languages.remove(ANY);
        let mut by_language = BTreeMap::new();
        for language in languages {
            let made = OnceLock::new();
            if shared || additions.contains_key(language) {
                match compile_layers(language, language, additions) {
                    Ok(lexicon) => drop(made.set(Arc::new(lexicon))),
                    Err(found) => problems.extend(found),
                }
            }
            by_language.insert(language.to_owned(), made);
        }
        match compile_layers("und", FALLBACK, additions) {
            Ok(mut lexicon) if problems.is_empty() => {
                lexicon.decimal = None;
                return Ok(Self { by_language: Arc::new(by_language), undetermined: Arc::new(lexicon) });
            }
            Ok(_) => {}
            Err(found) => problems.extend(found),
        }
        problems.sort_by(|a, b| (&a.key, &a.what).cmp(&(&b.key, &b.what)));
        // A fault under `any` shows in every language: say it once.
        problems.dedup_by(|a, b| a.key == b.key && a.what == b.what);
        Err(problems)
    }

    /// The shipped lexicons alone.
    ///
    /// # Errors
    /// Only where the shipped files themselves are at fault, which a test rules out.
    pub fn shipped() -> Result<Self, Vec<LexiconProblem>> {
        static COMPILED: OnceLock<Result<Lexicons, Vec<LexiconProblem>>> = OnceLock::new();
        COMPILED.get_or_init(|| Self::new(&BTreeMap::new())).clone()
    }

    /// The lexicon for a BCP 47 tag (`de-AT` → `de`). Without a tag, or with one that no lexicon speaks, the fallback language
    /// serves, and readings of numbers that hang on the locale stay open.
    pub fn for_language(&self, tag: Option<&str>) -> &Arc<Lexicon> {
        let primary = tag.and_then(|tag| tag.trim().split(['-', '_']).next()).map(str::to_ascii_lowercase);
        let Some((language, made)) = primary.and_then(|primary| self.by_language.get_key_value(&primary)) else {
            return &self.undetermined;
        };
        // What a policy adds was made with the policy. A test makes each of the shipped ones.
        let make = || compile_layers(language, language, &BTreeMap::new()).map(Arc::new);
        made.get_or_init(|| make().unwrap_or_else(|_| Arc::clone(&self.undetermined)))
    }

    /// The languages there are lexicons for, sorted.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.by_language.keys().map(String::as_str)
    }
}

/// The lexicon called `language`, from the shipped words of all languages and of `key` with what a policy adds to both.
fn compile_layers(
    language: &str,
    key: &str,
    additions: &BTreeMap<String, WrittenLexicon>,
) -> Result<Lexicon, Vec<LexiconProblem>> {
    let read = |language| shipped(language).map_err(|problem| vec![problem]);
    let (shared, base) = (read(ANY)?, read(key)?);
    let layers = [shared, base, additions.get(ANY), additions.get(key)];
    let layers: Vec<&WrittenLexicon> = layers.into_iter().flatten().collect();
    let own = [base, additions.get(key)].into_iter().flatten();
    let denies = own.filter_map(|layer| layer.negations.as_ref()).any(|words| !words.is_empty());
    let mut lexicon = compile::compile(language, &layers)?;
    lexicon.knows_denials = denies && language == key;
    Ok(lexicon)
}

/// The shipped file of a language, as it is written.
fn shipped(language: &str) -> Result<Option<&'static WrittenLexicon>, LexiconProblem> {
    let found = SHIPPED.iter().zip(&READ).find(|((name, _), _)| *name == language);
    let Some(((name, text), read)) = found else { return Ok(None) };
    let read = read.get_or_init(|| match crate::yaml::read::<LexiconFile>(name, text) {
        Ok(mut file) => Ok(file.lexicons.remove(*name).unwrap_or_default()),
        Err(found) => {
            Err(LexiconProblem { language: ANY.into(), key: (*name).into(), what: found.render(), help: None })
        }
    });
    read.as_ref().map(Some).map_err(Clone::clone)
}

/// The language of which a file is the shipped one, as `init` writes it out.
pub(crate) fn copy_of(text: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(_, shipped)| *shipped == text).map(|(language, _)| *language)
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
            ["ar", "cs", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "sv", "tr", "zh"]
        );
        for (language, _) in SHIPPED.iter().filter(|(language, _)| *language != ANY) {
            let made = compile_layers(language, language, &BTreeMap::new());
            made.unwrap_or_else(|problems| panic!("{problems:?}"));
        }
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
