//! Words put in the place of others: the claim and its excerpt run alike but for them.

use foldhash::{HashMap, HashSet};

use super::{Context, Excerpt};
use crate::check::{ClaimText, Passage};
use crate::text::lexicon::role;
use crate::text::word::{TokenKind, folded, hash, with_folded};
use crate::text::{Analysis, Span};

/// Words that are looked at, of the claim and of the excerpt; what is longer is no statement.
const MOST_WORDS: usize = 400;

/// The beginning and the end of a sentence, as a neighbour.
const EDGE: u64 = 0;

/// A word with content, a fact or a number, in the order of the text; words without content of their own are left out.
struct Item<'t> {
    written: &'t str,
    key: u64,
    /// Found in both, or a number.
    is_fact: bool,
    /// A word with content of its own.
    has_content: bool,
    /// The words without content up to the next item.
    followed_by: u64,
    /// Those of them that exclude others ("on", "off"): group and side, and the word.
    particles: Vec<Particle<'t>>,
    /// A word that names who did it follows: "bought by".
    has_agent: bool,
    sentence: usize,
}

impl<'t> Item<'t> {
    fn all(text: &'t str, analysis: &Analysis, sentences: &[Span], facts: &[Span]) -> Vec<Self> {
        let mut items: Vec<Self> = Vec::new();
        let (tokens, hashes, roles) = (analysis.tokens(text), analysis.hashes(text), analysis.roles(text));
        let inside = sentences.iter().enumerate().flat_map(|(sentence, span)| {
            let from = tokens.partition_point(|token| token.span.start < span.start);
            let own = tokens.iter().enumerate().skip(from).take_while(|(_, token)| token.span.end <= span.end);
            own.map(move |(at, token)| (sentence, at, token))
        });
        let shown = inside.filter(|(.., token)| matches!(token.kind, TokenKind::Word | TokenKind::Digits));
        for (sentence, at, token) in shown.take(4 * MOST_WORDS) {
            let role = roles.get(at).copied().unwrap_or_default();
            let is_particle = role & role::PARTICLE != 0;
            let content = hashes.get(at).copied().flatten();
            let written = token.span.of(text);
            let fact = facts.iter().position(|fact| fact.overlaps(token.span));
            let key = match (fact, token.kind) {
                (Some(fact), _) => Some(fact_key(fact)),
                (None, TokenKind::Digits) => Some(hash(&folded(written))),
                // A small word belongs to the item before it.
                (None, _) if is_particle => None,
                // Words such as "before" turn a statement round, though they have no content of their own.
                (None, _) => content.or_else(|| {
                    let turns = role & role::TELLING_STOP != 0;
                    turns.then(|| hash(&analysis.lexicon().stem(&folded(written))))
                }),
            };
            let Some(key) = key else {
                if let Some(last) = items.last_mut() {
                    with_folded(written, |folded| {
                        last.followed_by = last.followed_by.rotate_left(1) ^ hash(folded);
                        last.has_agent |= analysis.lexicon().cues.agents.contains(folded);
                        let known = if is_particle { analysis.lexicon().particle(folded) } else { &[] };
                        last.particles.extend(known.iter().map(|side| (*side, written)));
                    });
                }
                continue;
            };
            // A fact of several words is one thing.
            if fact.is_some() && items.last().is_some_and(|last| last.key == key) {
                continue;
            }
            items.push(Self {
                written,
                key,
                is_fact: fact.is_some() || token.kind == TokenKind::Digits,
                has_content: content.is_some(),
                followed_by: 0,
                particles: Vec::new(),
                has_agent: false,
                sentence,
            });
            if items.len() == MOST_WORDS {
                break;
            }
        }
        items
    }
}

/// The key of a fact by its place among those that were found.
fn fact_key(fact: usize) -> u64 {
    hash(&format!("fact {fact}"))
}

/// A small word that excludes others, with the group and side of each of them.
type Particle<'t> = ((u16, u16), &'t str);

/// A word of the one, and one of the other that it excludes, where the other has none of its side.
fn excluded<'a, 't>(ours: &'a [Particle<'t>], theirs: &'a [Particle<'t>]) -> Option<(&'a Particle<'t>, &'a Particle<'t>)> {
    ours.iter().find_map(|own @ ((group, _), _)| {
        let shares = theirs.iter().any(|(side, _)| ours.iter().any(|(own, _)| own == side && side.0 == *group));
        let other = theirs.iter().find(|((other, _), _)| other == group);
        other.filter(|_| !shares).map(|other| (own, other))
    })
}

/// The small words right before and behind an item, in its sentence.
fn around_fact<'t>(items: &[Item<'t>], at: usize) -> Vec<Particle<'t>> {
    let sentence = items.get(at).map(|item| item.sentence);
    let before = at.checked_sub(1).and_then(|before| items.get(before)).filter(|item| Some(item.sentence) == sentence);
    before.into_iter().chain(items.get(at)).flat_map(|item| item.particles.iter().copied()).collect()
}

/// The claim and the excerpt, as they run.
pub(super) struct Course<'t> {
    claimed: Vec<Item<'t>>,
    said: Vec<Item<'t>>,
    /// Keys of the quantities and dates.
    measures: Vec<u64>,
}

impl<'t> Course<'t> {
    pub(super) fn new(claim: ClaimText<'t>, passage: &Passage<'t>, excerpt: &Excerpt, context: &Context) -> Self {
        let text = claim.claim.text.as_ref();
        let ours: Vec<Span> = claim.analysis.sentences(text).iter().map(|sentence| sentence.span).collect();
        let (claimed, found): (Vec<Span>, Vec<Span>) =
            excerpt.found.iter().map(|(span, found)| (*span, found.unwrap_or_default())).unzip();
        let [quantities, dates, _] = excerpt.kinds;
        Self {
            measures: (0..quantities + dates).map(fact_key).collect(),
            claimed: Item::all(text, claim.analysis, &ours, &claimed),
            said: Item::all(passage.text, passage.analysis, &context.sentences, &found),
        }
    }

    /// Whether the excerpt has the words and facts of the claim, all of them, one behind the other.
    pub(super) fn is_verbatim(&self) -> bool {
        let Some((last, claimed)) = self.claimed.split_last() else { return false };
        self.said.windows(self.claimed.len()).any(|window| {
            let Some((end, window)) = window.split_last() else { return false };
            // The small words between count: "for batteries" is not "while batteries".
            let same = |(ours, theirs): (&Item<'_>, &Item<'_>)| (ours.key, ours.followed_by) == (theirs.key, theirs.followed_by);
            last.key == end.key && claimed.iter().zip(window).all(same)
        })
    }

    /// "On wet roads" beside "on dry roads", "bought online" beside "bought at the door": between the same two words the claim has one
    /// that the excerpt does not have, and the excerpt others: they may be synonyms or opposites, words alone do not tell.
    pub(super) fn other_word(&self, context: &Context) -> Option<String> {
        const LONGEST: usize = 2;
        let ours: HashSet<u64> = self.claimed.iter().map(|item| item.key).collect();
        let mut places: HashMap<(u64, u64), &str> = HashMap::default();
        for (first, last) in runs(&self.said, |item| item.has_content && !item.is_fact && !ours.contains(&item.key)) {
            if last - first < LONGEST {
                let written = self.said.get(first).map_or("", |item| item.written);
                places.entry(around(&self.said, first, last)).or_insert(written);
            }
        }
        runs(&self.claimed, |item| item.has_content && !item.is_fact && !context.words.contains(item.key)).into_iter().find_map(|(first, last)| {
            let around = around(&self.claimed, first, last);
            let word = self.claimed.get(first).filter(|_| first == last && around != (EDGE, EDGE))?.written;
            // "The corporation" for "Atlantic Records" takes up a name.
            let is_name = |word: &str| word.starts_with(char::is_uppercase);
            let other = places.get(&around).filter(|other| is_name(word) || !is_name(other) || around.0 == EDGE)?;
            Some(format!("the claim says “{word}” where the passage says “{other}”"))
        })
    }

    /// "Switch the heater off" beside "switch the heater on", "within 30 days" beside "30 days later": between the same two words, or around the same
    /// fact, stands a small word that excludes the claim's.
    pub(super) fn other_particle(&self) -> Option<String> {
        let next = |items: &[Item<'_>], at: usize| items.get(at + 1).map_or(EDGE, |item| item.key);
        let said = self.said.iter().enumerate().filter(|(_, item)| !item.particles.is_empty());
        let places: HashMap<(u64, u64), &Item<'t>> =
            said.map(|(at, item)| ((item.key, next(&self.said, at)), item)).collect();
        let told = |ours: &[Particle<'_>], theirs: &[Particle<'_>]| {
            let ((_, word), (_, other)) = excluded(ours, theirs)?;
            Some(format!("the claim says “{word}” where the passage says “{other}”"))
        };
        let between = self.claimed.iter().enumerate().find_map(|(at, item)| {
            told(&item.particles, &places.get(&(item.key, next(&self.claimed, at)))?.particles)
        });
        between.or_else(|| {
            let mut measures = self.claimed.iter().enumerate().filter(|(_, item)| self.measures.contains(&item.key));
            measures.find_map(|(at, item)| {
                let there = self.said.iter().position(|said| said.key == item.key)?;
                told(&around_fact(&self.claimed, at), &around_fact(&self.said, there))
            })
        })
    }

    /// "The firm bought Acme" on "the firm was bought by Acme": who did it to whom.
    pub(super) fn other_agent(&self) -> Option<String> {
        if !self.claimed.iter().chain(&self.said).any(|item| item.has_agent) {
            return None;
        }
        let pairs = |items: &'_ [Item<'t>]| -> HashMap<(u64, u64), (bool, &'t str)> {
            let pair = |(item, next): (&Item<'t>, &Item<'t>)| ((item.key, next.key), (item.has_agent, item.written));
            items.iter().zip(items.iter().skip(1)).filter(|(item, _)| !item.is_fact).map(pair).collect()
        };
        let said = pairs(&self.said);
        let mut claimed = pairs(&self.claimed).into_iter().collect::<Vec<_>>();
        claimed.sort_unstable();
        claimed.into_iter().find_map(|(pair, (ours, word))| {
            let (theirs, _) = said.get(&pair)?;
            (ours != *theirs).then(|| format!("who did it to whom: “{word}” stands before another word in the passage"))
        })
    }

    /// "The seller pays the buyer" on "the buyer pays the seller": two words, and one between them, the other way round.
    pub(super) fn turned_round(&self) -> Option<String> {
        const NEAR: usize = 2;
        let beside = |items: &[Item<'t>], at: usize, ahead: bool| -> Vec<(u64, &'t str)> {
            let sentence = items.get(at).map(|item| item.sentence);
            let word = |item: &&Item<'t>| !item.is_fact && Some(item.sentence) == sentence;
            let shown = |item: &Item<'t>| (item.key, item.written);
            if ahead {
                items.iter().skip(at + 1).filter(word).take(NEAR).map(shown).collect()
            } else {
                items.get(..at).unwrap_or_default().iter().rev().filter(word).take(NEAR).map(shown).collect()
            }
        };
        let mut places: HashMap<u64, usize> = HashMap::default();
        for (at, item) in self.said.iter().enumerate() {
            places.entry(item.key).or_insert(at);
        }
        self.claimed.iter().enumerate().find_map(|(at, item)| {
            let there = *places.get(&item.key)?;
            // "Acquired by Acme" is the passive of "Acme acquired".
            self.said.get(there).filter(|said| said.followed_by == item.followed_by)?;
            let (before, after) = (beside(&self.claimed, at, false), beside(&self.claimed, at, true));
            let (said_before, said_after) = (beside(&self.said, there, false), beside(&self.said, there, true));
            let has = |words: &[(u64, &str)], key: u64| words.iter().any(|(other, _)| *other == key);
            let only = |word: &&(u64, &str), here: &[(u64, &str)], there: &[(u64, &str)]| {
                word.0 != item.key && has(there, word.0) && !has(here, word.0)
            };
            let first = before.iter().find(|word| only(word, &said_before, &said_after))?;
            let second = after.iter().find(|word| only(word, &said_after, &said_before))?;
            Some(format!("the passage has “{}” and “{}” the other way round", first.1, second.1))
        })
    }
}

/// The longest runs of items of one sentence that are such: first and last.
fn runs(items: &[Item<'_>], such: impl Fn(&Item<'_>) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, item) in items.iter().enumerate().filter(|(_, item)| such(item)) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == at && items.get(*last).is_some_and(|last| last.sentence == item.sentence) => {
                *last = at;
            }
            _ => runs.push((at, at)),
        }
    }
    runs
}

/// What stands before and behind a run of items, in its sentence.
fn around(items: &[Item<'_>], first: usize, last: usize) -> (u64, u64) {
    let sentence = items.get(first).map(|item| item.sentence);
    let key = |at: Option<usize>| {
        let item = at.and_then(|at| items.get(at)).filter(|item| Some(item.sentence) == sentence);
        item.map_or(EDGE, |item| item.key)
    };
    (key(first.checked_sub(1)), key(Some(last + 1)))
}
