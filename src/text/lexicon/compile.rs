//! From lexicons as written to one made ready for lookup: layers are laid over each other, and what is wrong with them is said.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::calendar::{self, Calendar};
use super::compiled::{
    Cues, Endings, Exact, Lexicon, LexiconProblem, Numbers, Qualifier, Roles, Unit, Units, exact, role,
};
use super::phrase::{Gate, Phrases};
use super::written::{WrittenChange, WrittenLexicon, WrittenModality, WrittenQualifiers, WrittenUnit};
use crate::diagnostic::closest;
use crate::text::word::{folded, hash, tokens};

/// Lays the layers over each other, first to last: what all languages share, the language, a policy's additions.
pub(crate) fn compile(language: &str, layers: &[&WrittenLexicon]) -> Result<Lexicon, Vec<LexiconProblem>> {
    let mut problems = Vec::new();
    let mut defined = HashMap::default();
    let units = compile_units(language, layers, &mut defined, &mut problems);
    let rates = compile_rates(language, layers, &defined, &mut problems);
    let numbers = compile_numbers(language, layers, &mut problems);
    let calendar = calendar::compile(language, layers, &mut problems);
    let decimal = layers.iter().filter_map(|layer| layer.decimal).next_back();
    if let Some(sign) = decimal.filter(|sign| !matches!(sign, '.' | ',')) {
        problems.push(problem(language, "decimal", format!("found `{sign}`, expected `.` or `,`")));
    }
    let cues = compile_cues(layers, rates);
    without_effect(language, layers, &cues, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut stop_words = set(layers, |l| &l.stop_words);
    stop_words
        .extend(list(layers, |l| &l.case_endings).into_iter().map(|ending| fold(ending.trim_start_matches('\''))));
    let centuries =
        layers.iter().filter_map(|layer| layer.units.as_ref()).flatten().filter(|unit| unit.unit == "century");
    let centuries: Vec<&str> = centuries.flat_map(|unit| &unit.names).map(String::as_str).collect();
    let mut lexicon = Lexicon {
        language: language.into(),
        roles: compile_roles(&numbers, (&calendar, &centuries), &cues, &stop_words),
        gate: Gate::new(),
        decimal,
        knows_denials: false,
        nouns_capitalised: layers.iter().filter_map(|layer| layer.nouns_capitalised).next_back().unwrap_or(false),
        stop_words,
        abbreviations: set(layers, |l| &l.abbreviations),
        endings: Endings::new(list(layers, |l| &l.endings).into_iter().map(|(ending, to)| (fold(ending), fold(to)))),
        numbers,
        calendar,
        units,
        cues,
        unspaced: layers.iter().filter_map(|layer| layer.unspaced).next_back().unwrap_or(false),
        postpositions: layers.iter().filter_map(|layer| layer.postpositions).next_back().unwrap_or(false),
        case_endings: set(layers, |l| &l.case_endings),
        opposites: HashMap::default(),
        particles: sides(list(layers, |l| &l.particles), fold),
        opposite_phrases: Phrases::new(false),
    };
    lexicon.opposites = compile_opposites(layers, &lexicon);
    let telling: Vec<Box<str>> =
        lexicon.stop_words.iter().filter(|word| !lexicon.opposites(word).is_empty()).cloned().collect();
    telling.into_iter().for_each(|word| *lexicon.roles.entry(word).or_default() |= role::TELLING_STOP);
    lexicon.particles.keys().for_each(|word| *lexicon.roles.entry(word.clone()).or_default() |= role::PARTICLE);
    lexicon.roles.keys().for_each(|word| lexicon.gate.open(word));
    if lexicon.unspaced {
        let words = list(layers, |l| &l.opposites).into_iter().flatten().flatten();
        words.for_each(|word| lexicon.opposite_phrases.add(word, ()));
    }
    lexicon.cues.change_words = layers
        .iter()
        .filter_map(|layer| layer.change.as_ref())
        .flat_map(|change| &change.words)
        .map(|word| lexicon.stem(&fold(word)).as_ref().into())
        .collect();
    Ok(lexicon)
}

fn compile_opposites(layers: &[&WrittenLexicon], lexicon: &Lexicon) -> HashMap<u64, Vec<(u16, u16)>> {
    sides(list(layers, |l| &l.opposites), |word| hash(&lexicon.stem(&fold(word))))
}

/// For each word, by what `key` makes of it, the groups that it belongs to, with its side in each.
fn sides<K: Eq + std::hash::Hash>(
    groups: Vec<&Vec<Vec<String>>>,
    key: impl Fn(&str) -> K,
) -> HashMap<K, Vec<(u16, u16)>> {
    let mut opposites: HashMap<K, Vec<(u16, u16)>> = HashMap::default();
    for (group, sides) in (0_u16..).zip(groups) {
        for (side, words) in (0_u16..).zip(sides) {
            for word in words {
                let groups = opposites.entry(key(word)).or_default();
                if !groups.contains(&(group, side)) {
                    groups.push((group, side));
                }
            }
        }
    }
    opposites
}

fn compile_roles(
    numbers: &Numbers,
    (calendar, centuries): (&Calendar, &[&str]),
    cues: &Cues,
    stop_words: &HashSet<Box<str>>,
) -> HashMap<Box<str>, Roles> {
    let mut roles: HashMap<Box<str>, Roles> = HashMap::default();
    let mut mark = |word: &str, role: Roles| *roles.entry(fold(word)).or_default() |= role;
    calendar.months.keys().for_each(|word| mark(word, role::MONTH));
    centuries.iter().for_each(|word| mark(word, role::DATE));
    calendar.firsts().for_each(|word| mark(word, role::DATE));
    let words = numbers.words.keys().chain(numbers.ordinals.keys()).chain(numbers.fractions.keys());
    words.for_each(|word| mark(word, role::NUMBER));
    numbers.pairs.iter().for_each(|word| mark(word, role::NUMBER));
    cues.rates.keys().for_each(|word| mark(word, role::RATE));
    cues.references.iter().for_each(|word| mark(word, role::REFERENCE));
    cues.standards.iter().for_each(|word| mark(word, role::STANDARD));
    stop_words.iter().for_each(|word| mark(word, role::STOP));
    cues.clause_words.iter().for_each(|word| mark(word, role::CLAUSE));
    let lists = [&cues.no_cues, &cues.hedges, &cues.negations, &cues.reservations];
    let firsts = lists.into_iter().flat_map(Phrases::firsts).chain(cues.qualifiers.firsts());
    firsts.chain(cues.modality.iter().flat_map(Phrases::firsts)).for_each(|word| mark(word, role::CUE));
    cues.retractions.firsts().for_each(|word| mark(word, role::RETRACTION));
    numbers.scales.keys().for_each(|word| mark(word, role::SCALE));
    roles
}

/// The words that say how often, each with the unit it counts by.
fn compile_rates(
    language: &str,
    layers: &[&WrittenLexicon],
    units: &HashMap<&str, Arc<Unit>>,
    problems: &mut Vec<LexiconProblem>,
) -> HashMap<Box<str>, Arc<Unit>> {
    let mut rates = HashMap::default();
    for (word, unit) in map(layers, |l| &l.rate_words) {
        match units.get(unit.as_str()) {
            Some(known) => drop(rates.insert(fold(word), Arc::clone(known))),
            None => problems.push(problem(
                language,
                &format!("rate_words.{word}"),
                format!("no unit `{unit}` is defined; name a unit of time such as `month`"),
            )),
        }
    }
    rates
}

fn compile_cues(layers: &[&WrittenLexicon], rates: HashMap<Box<str>, Arc<Unit>>) -> Cues {
    let phrases = |of: fn(&WrittenLexicon) -> &Option<Vec<String>>| {
        let mut phrases = Phrases::new(false);
        list(layers, of).into_iter().for_each(|phrase| phrases.add(phrase, ()));
        phrases
    };
    let change = |of: fn(&WrittenChange) -> &Vec<String>| {
        layers.iter().filter_map(|layer| layer.change.as_ref()).flat_map(of).map(|word| fold(word)).collect()
    };
    Cues {
        per: set(layers, |l| &l.per_words),
        rates,
        change_words: HashSet::default(),
        change_by: change(|change| &change.by),
        change_to: change(|change| &change.to),
        or_words: set(layers, |l| &l.or_words),
        agents: set(layers, |l| &l.agent_words),
        qualifiers: compile_qualifiers(layers),
        hedges: phrases(|l| &l.hedges),
        negations: phrases(|l| &l.negations),
        reservations: phrases(|l| &l.reservations),
        back_references: phrases(|l| &l.back_references),
        retractions: phrases(|l| &l.retractions),
        no_cues: phrases(|l| &l.no_cues),
        cue_pairs: list(layers, |l| &l.cue_pairs).into_iter().map(|(a, b)| (fold(a), fold(b))).collect(),
        negative_concord: layers.iter().filter_map(|layer| layer.negative_concord).next_back().unwrap_or(false),
        exclusions: phrases(|l| &l.exclusions),
        negative_prefixes: list(layers, |l| &l.negative_prefixes).into_iter().map(|prefix| fold(prefix)).collect(),
        clause_words: set(layers, |l| &l.clause_words),
        clause_endings: list(layers, |l| &l.clause_endings).into_iter().map(|ending| fold(ending)).collect(),
        modality: compile_modality(layers),
        minus: set(layers, |l| &l.minus_words),
        range_joiners: set(layers, |l| &l.range_joiners),
        range_pairs: list(layers, |l| &l.range_pairs).into_iter().map(|(a, b)| (fold(a), fold(b))).collect(),
        references: set(layers, |l| &l.reference_words),
        standards: list(layers, |l| &l.standards).into_iter().map(|word| word.as_str().into()).collect(),
        year_words: set(layers, |l| &l.year_words),
        refusals: phrases(|l| &l.refusals),
        greetings: phrases(|l| &l.greetings),
        transitions: phrases(|l| &l.transitions),
        offers: phrases(|l| &l.offers),
        opinions: phrases(|l| &l.opinions),
    }
}

/// Words that are said of the words of denial and are none.
fn without_effect(language: &str, layers: &[&WrittenLexicon], cues: &Cues, problems: &mut Vec<LexiconProblem>) {
    // Whoever takes the place of the shipped words of denial need not repeat what hangs on them.
    if layers.iter().any(|layer| layer.replace && layer.negations.is_some()) {
        return;
    }
    let denies = |phrase: &str| {
        let tokens = tokens(phrase);
        cues.negations.starting_at(phrase, &tokens, 0).is_some_and(|found| found.next == tokens.len())
    };
    let mut expect = |key: &str, word: &str| {
        if !denies(word) {
            let what = format!("`{word}` is not among the `negations`, so that this has no effect");
            problems.push(problem(language, &format!("{key}.{word}"), what));
        }
    };
    list(layers, |l| &l.exclusions).into_iter().for_each(|word| expect("exclusions", word));
    list(layers, |l| &l.cue_pairs).into_iter().for_each(|(first, _)| expect("cue_pairs", first));
}

fn compile_qualifiers(layers: &[&WrittenLexicon]) -> Phrases<Qualifier> {
    let from = layers.iter().rposition(|l| l.replace && l.qualifiers.is_some()).unwrap_or(0);
    let mut phrases = Phrases::new(false);
    for written in layers.iter().skip(from).filter_map(|l| l.qualifiers.as_ref()) {
        let WrittenQualifiers { at_least, at_most, more_than, less_than, exactly } = written;
        let kinds = [
            (at_least, Qualifier::AtLeast),
            (at_most, Qualifier::AtMost),
            (more_than, Qualifier::MoreThan),
            (less_than, Qualifier::LessThan),
            (exactly, Qualifier::Exactly),
        ];
        for (list, meaning) in kinds {
            list.iter().for_each(|phrase| phrases.add(phrase, meaning));
        }
    }
    phrases
}

fn compile_modality(layers: &[&WrittenLexicon]) -> [Phrases<u8>; 5] {
    let from = layers.iter().rposition(|l| l.replace && l.modality.is_some()).unwrap_or(0);
    let mut scales = [(); 5].map(|()| Phrases::new(false));
    let [duty, amount, frequency, certainty, exclusive] = &mut scales;
    for written in layers.iter().skip(from).filter_map(|l| l.modality.as_ref()) {
        let WrittenModality { may, should, must, some, most, all, sometimes, usually, always, .. } = written;
        let WrittenModality { possibly, probably, certainly, only, .. } = written;
        let add = |scale: &mut Phrases<u8>, steps: [&Vec<String>; 3]| {
            for (step, phrases) in (1..).zip(steps) {
                phrases.iter().for_each(|phrase| scale.add(phrase, step));
            }
        };
        add(duty, [may, should, must]);
        add(amount, [some, most, all]);
        add(frequency, [sometimes, usually, always]);
        add(certainty, [possibly, probably, certainly]);
        only.iter().for_each(|phrase| exclusive.add(phrase, 3));
    }
    scales
}

fn compile_numbers(language: &str, layers: &[&WrittenLexicon], problems: &mut Vec<LexiconProblem>) -> Numbers {
    let words: HashMap<Box<str>, u32> =
        map(layers, |l| &l.number_words).into_iter().map(|(word, value)| (fold(word), *value)).collect();
    let joiners = set(layers, |l| &l.number_joiners);
    let compounds = layers.iter().filter_map(|l| l.number_compounds).next_back().unwrap_or(false);
    let mut atoms: Vec<(Box<str>, Option<u32>)> = Vec::new();
    if compounds {
        atoms.extend(words.iter().map(|(word, value)| (word.clone(), Some(*value))));
        atoms.extend(joiners.iter().map(|word| (word.clone(), None)));
        atoms.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    }
    let mut fractions = HashMap::default();
    for (word, written) in map(layers, |l| &l.fraction_words) {
        match exact(written) {
            Some(value) => drop(fractions.insert(fold(word), value)),
            None => problems.push(problem(language, &format!("fraction_words.{word}"), not_a_number(written))),
        }
    }
    let mut powers =
        |key: &str, of: fn(&WrittenLexicon) -> &Option<std::collections::BTreeMap<String, u32>>, exact: bool| {
            let mut scales = HashMap::default();
            for (word, power) in map(layers, of) {
                if *power > 24 {
                    problems.push(problem(
                        language,
                        &format!("{key}.{word}"),
                        format!("found {power}, expected a power of ten up to 24"),
                    ));
                }
                scales.insert(if exact { word.as_str().into() } else { fold(word) }, *power);
            }
            scales
        };
    let pairs = words
        .keys()
        .chain(fractions.keys())
        .filter_map(|word| word.split_once(' '))
        .map(|(first, _)| first.into())
        .collect();
    Numbers {
        pairs,
        scales: powers("scale_words", |l| &l.scale_words, false),
        scale_symbols: powers("scale_symbols", |l| &l.scale_symbols, true),
        words,
        weak: set(layers, |l| &l.weak_number_words),
        joiners,
        atoms,
        ordinals: map(layers, |l| &l.ordinal_words).into_iter().map(|(word, value)| (fold(word), *value)).collect(),
        ordinal_endings: set(layers, |l| &l.ordinal_endings),
        fractions,
        part_words: set(layers, |l| &l.part_words),
        share_words: {
            let mut phrases = Phrases::new(false);
            list(layers, |l| &l.share_words).into_iter().for_each(|phrase| phrases.add(phrase, ()));
            phrases
        },
        decimal_words: set(layers, |l| &l.decimal_words),
        counters: set(layers, |l| &l.counters),
    }
}

fn compile_units<'l>(
    language: &str,
    layers: &[&'l WrittenLexicon],
    defined: &mut HashMap<&'l str, Arc<Unit>>,
    problems: &mut Vec<LexiconProblem>,
) -> Units {
    let written = list(layers, |l| &l.units);
    for unit in &written {
        let Some(dimension) = &unit.dimension else { continue };
        let mut number = |key: &str, written: Option<&String>| {
            let value = written.and_then(|text| exact(text));
            if let (Some(text), None) = (written, value) {
                problems.push(problem(language, &format!("units.{}.{key}", unit.unit), not_a_number(text)));
            }
            value
        };
        let (factor, offset) = (number("factor", unit.factor.as_ref()), number("offset", unit.offset.as_ref()));
        if factor.is_some_and(|f| f <= Exact::from_integer(0)) {
            problems.push(problem(
                language,
                &format!("units.{}.factor", unit.unit),
                "found zero or less, expected more than zero".into(),
            ));
        }
        let compiled = Unit {
            id: unit.unit.as_str().into(),
            dimension: dimension.as_str().into(),
            factor,
            offset: offset.unwrap_or_else(|| Exact::from_integer(0)),
            accepts: unit.accepts.iter().map(|id| id.as_str().into()).collect(),
            may_be: unit.may_be.iter().map(|id| id.as_str().into()).collect(),
            before: unit.before,
        };
        defined.insert(&unit.unit, Arc::new(compiled));
    }
    for unit in defined.values() {
        for id in unit.accepts.iter().filter(|id| !defined.contains_key(id.as_ref())) {
            let what = format!("`{}` accepts `{id}`, and no unit `{id}` is defined", unit.id);
            let help = closest(id, defined.keys().copied()).map(|known| format!("did you mean `{known}`?"));
            problems
                .push(LexiconProblem { help, ..problem(language, &format!("units.{}.accepts.{id}", unit.id), what) });
        }
    }
    let feet = defined.get("foot").zip(defined.get("inch")).map(|(foot, inch)| [Arc::clone(foot), Arc::clone(inch)]);
    let mut units = Units { names: Phrases::new(false), symbols: Phrases::new(true), feet };
    // A name of its own, added later, counts for more than one with an ending.
    for WrittenUnit { unit, names, symbols, .. } in &written {
        let Some(known) = defined.get(unit.as_str()) else { continue };
        names
            .iter()
            .flat_map(|name| with_endings(layers, name))
            .for_each(|name| units.names.add(&name, Arc::clone(known)));
        symbols
            .iter()
            .flat_map(|sign| with_endings(layers, sign))
            .for_each(|sign| units.symbols.add(&sign, Arc::clone(known)));
    }
    for WrittenUnit { unit, names, symbols, .. } in written {
        let Some(known) = defined.get(unit.as_str()) else {
            let what = format!(
                "no unit `{unit}` is defined; give it a `dimension` and a `factor`, or use the id of a known unit"
            );
            let help = closest(unit, defined.keys().copied()).map(|known| format!("did you mean `{known}`?"));
            problems.push(LexiconProblem { help, ..problem(language, &format!("units.{unit}"), what) });
            continue;
        };
        names.iter().for_each(|name| units.names.add(name, Arc::clone(known)));
        symbols.iter().for_each(|sign| units.symbols.add(sign, Arc::clone(known)));
    }
    units
}

pub(super) fn problem(language: &str, key: &str, what: String) -> LexiconProblem {
    LexiconProblem { language: language.into(), key: key.into(), what, help: None }
}

fn not_a_number(written: &str) -> String {
    format!("found `{written}`, expected a decimal or a fraction such as `0.3048` or `5/9`")
}

pub(super) fn fold(word: &str) -> Box<str> {
    folded(word).into()
}

/// A word with each ending that may be written right behind it.
pub(super) fn with_endings(layers: &[&WrittenLexicon], word: &str) -> Vec<String> {
    list(layers, |l| &l.case_endings).into_iter().map(|ending| format!("{word}{ending}")).collect()
}

/// The lists of all layers in one, from the last layer that replaces this list on.
fn list<'l, T>(layers: &[&'l WrittenLexicon], of: impl Fn(&'l WrittenLexicon) -> &'l Option<Vec<T>>) -> Vec<&'l T> {
    let from = layers.iter().rposition(|layer| layer.replace && of(layer).is_some()).unwrap_or(0);
    layers.iter().skip(from).filter_map(|layer| of(layer).as_ref()).flatten().collect()
}

pub(super) fn map<'l, T>(
    layers: &[&'l WrittenLexicon],
    of: impl Fn(&'l WrittenLexicon) -> &'l Option<std::collections::BTreeMap<String, T>>,
) -> Vec<(&'l String, &'l T)> {
    let from = layers.iter().rposition(|layer| layer.replace && of(layer).is_some()).unwrap_or(0);
    layers.iter().skip(from).filter_map(|layer| of(layer).as_ref()).flatten().collect()
}

fn set<'l>(
    layers: &[&'l WrittenLexicon],
    of: impl Fn(&'l WrittenLexicon) -> &'l Option<Vec<String>>,
) -> HashSet<Box<str>> {
    list(layers, of).into_iter().map(|word| fold(word)).collect()
}
