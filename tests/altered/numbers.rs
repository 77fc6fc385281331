//! Quantities: what all generated ones share.

use crate::corpus::{Corpus, Passage};
use crate::item::Item;
use crate::random::Random;
use crate::tongues::{ALL, Kind, Tongue};

/// A quantity as the passage has it and as the claim has it.
pub struct Phrase {
    pub kind: Kind,
    pub evidence: String,
    pub claim: String,
    /// A second quantity that the passage has, with what the claim says of it, if anything.
    pub second: Option<(Kind, String, Option<String>)>,
    /// Whether the passage is full of other figures.
    pub is_crowded: bool,
}

impl Phrase {
    pub fn new(kind: Kind, evidence: impl Into<String>, claim: impl Into<String>) -> Option<Self> {
        let (evidence, claim) = (evidence.into(), claim.into());
        (evidence != claim).then_some(Self { kind, evidence, claim, second: None, is_crowded: false })
    }
}

/// What one family does.
pub type Make = fn(&Tongue, &mut Random) -> Option<Phrase>;

/// A family: its name, how many it is to give in each language, the languages where not all, how it makes one.
pub struct Family {
    pub name: &'static str,
    pub wanted: usize,
    pub languages: &'static [&'static str],
    pub make: Make,
}

/// A number with so many decimal places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    pub digits: u64,
    pub places: u32,
}

impl Number {
    pub const fn whole(digits: u64) -> Self {
        Self { digits, places: 0 }
    }

    /// As the language writes it, with `group` between groups of three digits.
    pub fn with_group(self, tongue: &Tongue, group: &str) -> String {
        let scale = 10_u64.pow(self.places);
        let mut whole = (self.digits / scale).to_string();
        // Between groups there is nothing in four digits where a space stands in more.
        let mut at = whole.len();
        while at > 3 {
            at -= 3;
            whole.insert_str(at, group);
        }
        match self.places {
            0 => whole,
            places => {
                let fraction = format!("{:0width$}", self.digits % scale, width = places as usize);
                format!("{whole}{}{fraction}", tongue.decimal)
            }
        }
    }

    /// As the language usually writes it.
    pub fn usual(self, tongue: &Tongue) -> String {
        self.with_group(tongue, tongue.groups[0])
    }
}

/// All items of the families.
pub fn items(corpus: &Corpus, families: &[Family], is_altered: bool) -> Vec<Item> {
    let mut items = Vec::new();
    for family in families {
        for tongue in ALL.iter().filter(|t| family.languages.is_empty() || family.languages.contains(&t.language)) {
            let mut made: Vec<Item> = Vec::new();
            for attempt in 0..family.wanted * 40 {
                if made.len() == family.wanted {
                    break;
                }
                let mut random = Random::of(&[family.name, tongue.language, &attempt.to_string()]);
                let Some(phrase) = (family.make)(tongue, &mut random) else { continue };
                let Some(item) = framed(family.name, tongue, &phrase, is_altered, &mut random) else { continue };
                if !made.iter().any(|known| known.claim == item.claim) {
                    made.push(item.with_company(corpus, &mut random));
                }
            }
            items.append(&mut made);
        }
    }
    items
}

/// The runs of digits in a text.
pub fn digit_runs(text: &str) -> Vec<String> {
    let runs = text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    runs.map(str::to_owned).collect()
}

fn framed(
    family: &'static str,
    tongue: &Tongue,
    phrase: &Phrase,
    is_altered: bool,
    random: &mut Random,
) -> Option<Item> {
    let frame_of = |kind: Kind, random: &mut Random| {
        let frames: Vec<_> = tongue.frames.iter().filter(|(known, _, _)| *known == kind).collect();
        random.any(&frames).map(|(_, passage, claim)| (*passage, *claim))
    };
    let (passage, claim) = frame_of(phrase.kind, random)?;
    let mut said = vec![passage];
    let mut sentences = vec![filled(passage, &phrase.evidence)];
    let mut claim = filled(claim, &phrase.claim);
    if let Some((kind, evidence, claimed)) = &phrase.second {
        let (passage, other) = frame_of(*kind, random)?;
        said.push(passage);
        sentences.insert(random.below(2), filled(passage, evidence));
        if let Some(claimed) = claimed {
            let other = filled(other, claimed);
            claim = if random.once_in(2) { format!("{claim} {other}") } else { format!("{other} {claim}") };
        }
    }
    let others = if phrase.is_crowded { 14 } else { random.between(1, 3) };
    for _ in 0..others {
        let (kind, frame, _) = random.pick(tongue.frames);
        let (frame, sentence) = match random.once_in(3) {
            true => {
                let filler = *random.pick(tongue.fillers);
                (filler, filler.to_owned())
            }
            false => (*frame, filled(frame, &ordinary(tongue, *kind, random))),
        };
        let is_new = !said.contains(&frame);
        // A value that stands elsewhere in the passage would not be false, only misplaced.
        let clash = is_altered && {
            let used = digit_runs(&format!("{} {}", phrase.claim, phrase.evidence));
            digit_runs(&sentence).iter().any(|run| used.contains(run))
        };
        if is_new && !clash {
            said.push(frame);
            sentences.insert(random.between(0, sentences.len()), sentence);
        }
    }
    let passage = Passage { language: tongue.language.to_owned(), title: None, content: sentences.join(" ") };
    Some(Item { family, language: tongue.language.to_owned(), claim, cited: vec![passage], others: Vec::new() })
}

/// The frame with the quantity in it, with a capital at the beginning.
fn filled(frame: &str, quantity: &str) -> String {
    let text = frame.replace("{}", quantity);
    let first = text.chars().next().map_or(0, char::len_utf8);
    format!("{}{}", text[..first].to_uppercase(), &text[first..])
}

/// A plain quantity of a kind, for the other sentences of a passage.
pub fn ordinary(tongue: &Tongue, kind: Kind, random: &mut Random) -> String {
    let whole = |low, high, random: &mut Random| Number::whole(random.between(low, high) as u64).usual(tongue);
    match kind {
        Kind::Duration => {
            let unit = random.word(&["second", "minute", "day", "month", "hour", "week"]);
            format!("{} {}", whole(2, 95, random), tongue.unit(unit, false))
        }
        Kind::Size => format!("{} {}", whole(2, 950, random), random.word(&["MB", "GB", "TB"])),
        Kind::Money => money(tongue, &whole(12, 9_500, random), "EUR"),
        Kind::Percent => {
            let share = Number { digits: random.between(11, 979) as u64, places: 1 };
            tongue.percent[0].replace("{}", &share.usual(tongue))
        }
        Kind::Change => tongue.points[0].replace("{}", &whole(2, 9, random)),
        Kind::Count => whole(120, 98_000, random),
        Kind::Rate => rate(tongue, &whole(15, 900, random), "minute", 0),
        Kind::Temperature => format!("{} °C", whole(2, 35, random)),
        Kind::Length => format!("{} {}", whole(120, 950, random), tongue.unit("metre", false)),
        Kind::Mass => format!("{} {}", whole(120, 950, random), tongue.unit("kilogram", false)),
    }
}

/// An amount of money with the sign where the language puts it.
pub fn money(tongue: &Tongue, amount: &str, currency: &str) -> String {
    let sign = match currency {
        "EUR" => "€",
        "USD" => "$",
        "GBP" => "£",
        other => other,
    };
    match (tongue.language, sign.chars().count()) {
        ("en", 1) => format!("{sign}{amount}"),
        ("en", _) => format!("{sign} {amount}"),
        ("nl", 1) => format!("{sign} {amount}"),
        _ => format!("{amount} {sign}"),
    }
}

/// So many requests per unit of time.
pub fn rate(tongue: &Tongue, amount: &str, unit: &str, way: usize) -> String {
    let counted = format!("{amount} {}", tongue.requests);
    let said = tongue.per[way % tongue.per.len()].replace("{n}", &counted).replace("{u}", tongue.unit(unit, true));
    said.replace(" al ora", " all’ora").replace(" a hour", " an hour")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_as_languages_write_them() {
        let of = |language: &str| ALL.iter().find(|tongue| tongue.language == language).expect("a language");
        assert_eq!(Number { digits: 123_456_705, places: 2 }.usual(of("en")), "1,234,567.05");
        assert_eq!(Number { digits: 12_345, places: 1 }.usual(of("de")), "1.234,5");
        assert_eq!(Number::whole(950).usual(of("fr")), "950");
        assert_eq!(Number::whole(1_000_000).with_group(of("nl"), " "), "1 000 000");
        assert_eq!(rate(of("it"), "20", "hour", 0), "20 richieste all’ora");
        assert_eq!(money(of("en"), "20", "EUR"), "€20");
    }
}
