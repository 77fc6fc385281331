//! Quotations: what all generated ones share.

use crate::corpus::{Corpus, Passage, Sentence};
use crate::cues::{self, Cues};
use crate::item::Item;
use crate::random::Random;

/// What a family makes of a sentence.
pub struct Made {
    /// Between the quotation marks.
    pub quote: String,
    /// The passage, where it is another than the sentence's own.
    pub passage: Option<String>,
    /// The quotation marks, where it matters which.
    pub marks: Option<(&'static str, &'static str)>,
    /// Passages that must be in the packet without being cited.
    pub beside: Vec<Passage>,
    /// Another quotation of the same claim, true, with its passage, which is cited as well.
    pub second: Option<(String, Passage)>,
}

impl From<String> for Made {
    fn from(quote: String) -> Self {
        Self { quote, passage: None, marks: None, beside: Vec::new(), second: None }
    }
}

impl Made {
    pub fn on(quote: String, passage: String) -> Self {
        Self { passage: Some(passage), ..Self::from(quote) }
    }
}

/// A sentence and all that a family needs to work on it.
pub struct Work<'c> {
    pub corpus: &'c Corpus,
    pub sentence: &'c Sentence,
    pub cues: &'static Cues,
    pub content: &'c str,
}

impl Work<'_> {
    /// Where a stretch of `least` to `most` words may lie in the sentence.
    pub fn stretch(&self, random: &mut Random, least: usize, most: usize) -> (usize, usize) {
        let words = self.sentence.words.len();
        let length = random.between(least.min(words), most.min(words));
        let from = random.between(0, words - length);
        (from, from + length)
    }

    /// The words of a stretch around the word at `at`, with at least `side` words on both sides where there are any.
    pub fn around(&self, random: &mut Random, at: usize, side: usize) -> (usize, usize) {
        let words = self.sentence.words.len();
        let from = at.saturating_sub(random.between(side, side + 8));
        let to = (at + 1 + random.between(side, side + 8)).min(words);
        (from, to)
    }

    pub fn join(&self, words: &[String]) -> String {
        let full: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
        full.join(self.sentence.space)
    }
}

/// What one family does.
pub type Make = fn(&Work<'_>, &mut Random) -> Option<Made>;

/// A family: its name, how many it is to give, how it makes one.
pub struct Family {
    pub name: &'static str,
    pub wanted: usize,
    pub make: Make,
    /// What must hold of what it made, beside being no empty quotation.
    pub holds: fn(&Work<'_>, &Made) -> bool,
}

/// All items of the families.
pub fn items(corpus: &Corpus, families: &[Family]) -> Vec<Item> {
    families.iter().flat_map(|family| of_family(corpus, family)).collect()
}

/// Whose turn it is: half of the items are in English, of which there are most texts.
const TURNS: [&str; 14] = ["en", "de", "en", "fr", "en", "es", "en", "it", "en", "pt", "en", "nl", "en", "ja"];

/// The sentences in an order that each family shuffles for itself, the languages taking turns.
fn order<'c>(corpus: &'c Corpus, family: &str) -> Vec<&'c Sentence> {
    let mut shuffled: Vec<(u64, &Sentence)> =
        corpus.sentences.iter().map(|s| (Random::of(&[family, &s.text]).next(), s)).collect();
    shuffled.sort_by(|a, b| (a.0, &a.1.text).cmp(&(b.0, &b.1.text)));
    let mut queues: Vec<(&str, Vec<&Sentence>)> = Vec::new();
    for (_, sentence) in shuffled.into_iter().rev() {
        let language = corpus.language(sentence);
        match queues.iter_mut().find(|(known, _)| *known == language) {
            Some((_, queue)) => queue.push(sentence),
            None => queues.push((language, vec![sentence])),
        }
    }
    let mut order = Vec::with_capacity(corpus.sentences.len());
    while queues.iter().any(|(_, queue)| !queue.is_empty()) {
        for turn in TURNS {
            let queue = queues.iter_mut().find(|(language, _)| *language == turn);
            order.extend(queue.and_then(|(_, queue)| queue.pop()));
        }
    }
    order
}

fn of_family(corpus: &Corpus, family: &Family) -> Vec<Item> {
    let order = order(corpus, family.name);
    let mut items: Vec<Item> = Vec::new();
    // A second and third time over the same sentences makes other stretches of them.
    for round in ["1", "2", "3", "4", "5", "6"] {
        for sentence in &order {
            if items.len() == family.wanted {
                return items;
            }
            let mut random = Random::of(&[family.name, round, &sentence.text]);
            let language = corpus.language(sentence);
            let content = corpus.passage(sentence).content.as_str();
            let work = Work { corpus, sentence, cues: cues::of(language), content };
            let Some(made) = (family.make)(&work, &mut random) else { continue };
            let quote = made.quote.trim();
            if quote.is_empty() || !(family.holds)(&work, &made) {
                continue;
            }
            let item = framed(&work, family.name, made, &mut random).with_company(corpus, &mut random);
            if !items.iter().any(|known| known.claim == item.claim) {
                items.push(item);
            }
        }
    }
    items
}

/// Marks that neither stand in the quotation nor can be taken for what stands in it.
fn marks(work: &Work<'_>, quote: &str, random: &mut Random) -> (&'static str, &'static str) {
    let stands = |mark: &str| quote.contains(mark.trim());
    let single = |mark: &str| matches!(mark, "‘" | "‚");
    let apostrophes = quote.contains(['’', '\'', '‘']);
    let fits: Vec<_> = work
        .cues
        .marks
        .iter()
        .filter(|(open, close)| !(stands(open) || stands(close) || single(open) && apostrophes))
        .collect();
    random.any(&fits).map_or(("“", "”"), |marks| **marks)
}

fn framed(work: &Work<'_>, family: &'static str, made: Made, random: &mut Random) -> Item {
    let (open, close) = made.marks.unwrap_or_else(|| marks(work, &made.quote, random));
    let quoted = format!("{open}{}{close}", made.quote.trim());
    let frame = *random.pick(work.cues.frames);
    let mut claim = frame.replace("{}", &quoted);
    let own = work.corpus.passage(work.sentence).clone();
    let content = made.passage.unwrap_or_else(|| own.content.clone());
    let mut cited = vec![Passage { content, ..own }];
    if let Some((quote, passage)) = made.second {
        let (open, close) = marks(work, &quote, random);
        let quoted = format!("{open}{}{close}", quote.trim());
        let other = random.pick(work.cues.frames).replace("{}", &quoted);
        let space = work.sentence.space;
        claim = if random.once_in(2) { format!("{claim}{space}{other}") } else { format!("{other}{space}{claim}") };
        cited.push(passage);
    }
    Item { family, language: work.cues.language.to_owned(), claim, cited, others: made.beside }
}
