//! Ids of a packet: finding the unit that a reference names, by id or by position.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::grammar::{Grammar, IdCase, Resolve};
use super::{Reference, Resolution};
use crate::dataset::Unit;
use crate::text::identifier::address::Address;
use crate::text::word::digit_value;

/// Text as ids are compared where case does not matter: in lower case.
pub(super) fn folded(id: &str) -> Cow<'_, str> {
    if id.chars().any(|c| c.is_uppercase()) {
        Cow::Owned(id.chars().flat_map(char::to_lowercase).collect())
    } else {
        Cow::Borrowed(id)
    }
}

/// The digits of `text` in ASCII, where it holds nothing but decimal digits (those of any script, superscripts and
/// subscripts too); `None` otherwise.
pub(super) fn ascii_digits(text: &str) -> Option<Cow<'_, str>> {
    if text.is_empty() {
        return None;
    }
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return Some(Cow::Borrowed(text));
    }
    text.chars().map(digit).collect::<Option<String>>().map(Cow::Owned)
}

/// The ASCII digit that `c` stands for.
fn digit(c: char) -> Option<char> {
    let from = |zero: u32| char::from_digit((c as u32).wrapping_sub(zero), 10);
    match c {
        '0'..='9' => Some(c),
        '¹' => Some('1'),
        '²' => Some('2'),
        '³' => Some('3'),
        '⁰' | '⁴'..='⁹' => from(0x2070),
        '₀'..='₉' => from(0x2080),
        // Five alphabets of mathematical digits, one behind the other.
        '\u{1d7ce}'..='\u{1d7ff}' => char::from_digit((c as u32 - 0x1d7ce) % 10, 10),
        _ => digit_value(c).and_then(|value| char::from_digit(value.into(), 10)),
    }
}

/// The ids of a packet, ready for look-up, and which positions were used so far.
#[derive(Debug)]
pub(super) struct Identities<'u> {
    units: &'u [Unit<'u>],
    /// Folded ids with their index, in order of id, then index.
    by_id: Vec<(Cow<'u, str>, u32)>,
    /// How many of the ids are numbers.
    numbers: Numbers,
    /// The address of each unit as addresses are compared; read where a link is held against them.
    addresses: OnceCell<Vec<String>>,
    /// For numbers that count from 0 and from 1: whether 0 and whether the packet's length were used as positions.
    used: [(bool, bool); 2],
}

/// Which ids of a packet are numbers, so that a number may be an id where it looks like a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// None: a number is a position.
    None,
    /// Some, all of them past the last position: a number is a position unless the answer cites by these ids.
    SomeLarge,
    /// Some, and one could be a position: what another number means cannot be told.
    SomeSmall,
    /// All, and one could be a position.
    AllSmall,
    /// All, all of them past the last position.
    AllLarge,
}

impl Numbers {
    fn of(units: &[Unit<'_>]) -> Self {
        let count = units.len() as u64;
        let numbers = || units.iter().filter_map(|unit| unit.id.trim().parse::<u64>().ok());
        let is_small = numbers().any(|number| number <= count);
        match (numbers().count(), is_small) {
            (0, _) => Numbers::None,
            (some, true) if some < units.len() => Numbers::SomeSmall,
            (some, false) if some < units.len() => Numbers::SomeLarge,
            (_, true) => Numbers::AllSmall,
            (_, false) => Numbers::AllLarge,
        }
    }
}

impl<'u> Identities<'u> {
    /// Those of `units`.
    pub(super) fn new(units: &'u [Unit<'u>]) -> Self {
        let mut by_id: Vec<_> = (0u32..).zip(units).map(|(index, unit)| (folded(&unit.id), index)).collect();
        by_id.sort();
        Self { units, by_id, numbers: Numbers::of(units), addresses: OnceCell::new(), used: [(false, false); 2] }
    }

    /// The unit with this id. Under [`IdCase::Fold`] an exact match still comes before a folded one.
    pub(super) fn find(&self, id: &str, case: IdCase) -> Option<u32> {
        let key = folded(id);
        let from = self.by_id.partition_point(|(other, _)| *other < key);
        let mut same = self.by_id.get(from..)?.iter().take_while(|(other, _)| *other == key).map(|&(_, index)| index);
        let first = same.clone().next()?;
        let exact = same.find(|&index| self.units.get(index as usize).is_some_and(|unit| unit.id == id));
        exact.or((case == IdCase::Fold).then_some(first))
    }

    /// Whether `reference` names a unit by id or alias.
    pub(super) fn is_id(&self, grammar: &Grammar, reference: &str) -> bool {
        self.by_name(grammar, reference).is_some()
    }

    /// What a reference resolves to. A reference that is an id of the packet is that id; only else, and only under
    /// [`Resolve::Position`], a number is a position, and where ids of the packet are numbers too it may be none.
    pub(super) fn resolve(&mut self, grammar: &Grammar, reference: &str) -> Resolution {
        if let Some(index) = self.by_name(grammar, reference) {
            return Resolution::Unit(index);
        }
        let Resolve::Position { first } = grammar.resolve else { return Resolution::Unknown };
        let Some(digits) = ascii_digits(grammar.trimmed(reference)) else { return Resolution::Unknown };
        if self.numbers == Numbers::AllLarge {
            return Resolution::Unknown;
        }
        let Ok(position) = digits.parse::<u64>() else { return Resolution::OutOfRange };
        let count = self.units.len() as u64;
        let Some(index) = position.checked_sub(u64::from(first)).filter(|&index| index < count) else {
            self.note_position(first, position);
            return Resolution::OutOfRange;
        };
        if matches!(self.numbers, Numbers::AllSmall | Numbers::SomeSmall) {
            return Resolution::Unknown;
        }
        self.note_position(first, position);
        u32::try_from(index).map_or(Resolution::OutOfRange, Resolution::Unit)
    }

    /// Whether both 0 and the packet's length were used as positions by grammars that count from `first`, so that they may
    /// well count from the other.
    pub(super) fn ambiguous_index(&self, first: u32) -> bool {
        self.used.get(first as usize).is_some_and(|&(zero, length)| zero && length)
    }

    /// Whether some ids are numbers, and one of them is among what was cited: numbers are ids then.
    pub(super) fn cites_numbers<'r>(&self, mut references: impl Iterator<Item = &'r Reference<'r>>) -> bool {
        self.numbers == Numbers::SomeLarge
            && references.any(|reference| {
                let unit = reference.resolution.unit().and_then(|index| self.units.get(index));
                ascii_digits(reference.written.trim()).is_some_and(|digits| unit.is_some_and(|unit| unit.id == digits))
            })
    }

    /// Holds the link of a marker against what its references name. Where it leads to a unit and none of the references names
    /// that one, they differ, and no reference is taken for a unit. A link that leads to no unit of the packet says nothing here.
    pub(super) fn hold_against_link(&self, link: &str, references: &mut [Reference<'_>]) {
        let Some((first, rest)) = self.behind(link).split_first().map(|(first, rest)| (*first, rest.to_vec())) else {
            return;
        };
        let named = |of: &Reference<'_>| of.resolution.unit().and_then(|index| u32::try_from(index).ok());
        if references.iter().filter_map(named).any(|unit| unit == first || rest.contains(&unit)) {
            return;
        }
        for reference in references {
            if let Some(written) = named(reference) {
                reference.resolution = Resolution::Differs { written, link: first };
            }
        }
    }

    /// Indexes of the units that a link leads to: those of its address, and one whose id it is.
    pub(super) fn behind(&self, link: &str) -> Vec<u32> {
        let read = |address: &str| Address::read(address.trim()).canonical;
        let (address, id) = (read(link), folded(link.trim_start_matches(['#', '.', '/'])));
        let addresses = self.addresses.get_or_init(|| {
            self.units.iter().map(|unit| unit.canonical_uri.as_deref().map(read).unwrap_or_default()).collect()
        });
        let is_it = |(unit, own): &(&Unit<'_>, &String)| {
            (!own.is_empty() && **own == address) || (id.contains(char::is_alphabetic) && folded(unit.id.trim()) == id)
        };
        (0u32..).zip(self.units.iter().zip(addresses)).filter(|(_, pair)| is_it(pair)).map(|(index, _)| index).collect()
    }

    fn note_position(&mut self, first: u32, position: u64) {
        if !self.units.is_empty()
            && self.numbers != Numbers::AllSmall
            && let Some((zero, length)) = self.used.get_mut(first as usize)
        {
            *zero |= position == 0;
            *length |= position == self.units.len() as u64;
        }
    }

    fn by_name(&self, grammar: &Grammar, reference: &str) -> Option<u32> {
        let name = grammar.trimmed(reference);
        if let Some(id) = grammar.alias(name) {
            return self.find(id, IdCase::Fold);
        }
        let digits = ascii_digits(name);
        let plain = digits.as_deref().unwrap_or(name);
        let with_prefix = || (!grammar.prefix.is_empty()).then(|| format!("{}{plain}", grammar.prefix));
        self.find(name, grammar.case)
            .or_else(|| (plain != name).then(|| self.find(plain, grammar.case)).flatten())
            .or_else(|| with_prefix().and_then(|id| self.find(&id, grammar.case)))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use regex::Regex;

    use super::*;

    /// Units with these ids and no content.
    pub(in crate::citation) fn units(ids: &[&str]) -> Vec<Unit<'static>> {
        ids.iter().map(|id| Unit::named(Cow::Owned((*id).to_owned()))).collect()
    }

    fn position(first: u32) -> Grammar {
        let pattern = Regex::new(r"\[(?<ref>[^\]]+)\]").expect("a valid pattern");
        Grammar { resolve: Resolve::Position { first }, ..Grammar::new("g", pattern).expect("a grammar") }
    }

    #[test]
    fn ids_fold_and_an_exact_match_comes_first() {
        let units = units(&["DOC_1", "doc_1", "doc_2"]);
        let ids = Identities::new(&units);
        assert_eq!(ids.find("doc_1", IdCase::Fold), Some(1));
        assert_eq!(ids.find("Doc_1", IdCase::Fold), Some(0));
        assert_eq!(ids.find("Doc_1", IdCase::Exact), None);
        assert_eq!(ids.find("DOC_2", IdCase::Fold), Some(2));
    }

    #[test]
    fn a_number_is_an_id_first_and_a_position_only_else() {
        let units = units(&["a", "b", "7"]);
        let mut ids = Identities::new(&units);
        assert_eq!(ids.resolve(&position(1), "7"), Resolution::Unit(2));
        assert_eq!(ids.resolve(&position(1), "2"), Resolution::Unit(1));
        assert_eq!(ids.resolve(&position(0), "0"), Resolution::Unit(0));
        assert_eq!(ids.resolve(&position(1), "0"), Resolution::OutOfRange);
        assert_eq!(ids.resolve(&position(1), "4"), Resolution::OutOfRange);
        assert_eq!(ids.resolve(&position(1), "99999999999999999999999"), Resolution::OutOfRange);
        assert_eq!(ids.resolve(&position(1), "x"), Resolution::Unknown);
    }

    #[test]
    fn numbers_are_no_positions_where_the_ids_are_numbers_themselves() {
        let from_zero = units(&["0", "1", "2"]);
        let mut ids = Identities::new(&from_zero);
        assert_eq!(ids.resolve(&position(1), "2"), Resolution::Unit(2));
        assert_eq!(ids.resolve(&position(1), "3"), Resolution::Unknown, "position 3 would be the unit with id 2");
        assert_eq!(ids.resolve(&position(1), "4"), Resolution::OutOfRange);
        let large = units(&["4711", "9982"]);
        assert_eq!(Identities::new(&large).resolve(&position(1), "2"), Resolution::Unknown);
        assert_eq!(Identities::new(&large).resolve(&position(1), "9"), Resolution::Unknown);
        let mixed = units(&["a", "1", "c"]);
        let mut ids = Identities::new(&mixed);
        assert_eq!(ids.resolve(&position(1), "1"), Resolution::Unit(1));
        assert_eq!(
            ids.resolve(&position(1), "2"),
            Resolution::Unknown,
            "an id that was made up, or the unit with the id 1"
        );
        assert_eq!(ids.resolve(&position(1), "4"), Resolution::OutOfRange);
    }

    #[test]
    fn zero_and_the_length_together_are_ambiguous() {
        let units = units(&["a", "b"]);
        let mut ids = Identities::new(&units);
        ids.resolve(&position(1), "2");
        ids.resolve(&position(0), "0");
        assert!(!ids.ambiguous_index(1), "each of the two grammars counts as it says");
        ids.resolve(&position(1), "0");
        assert!(ids.ambiguous_index(1) && !ids.ambiguous_index(0));
    }

    #[test]
    fn digits_of_other_scripts_and_prefixes() {
        assert_eq!(ascii_digits("¹²").as_deref(), Some("12"));
        assert_eq!(ascii_digits("０４").as_deref(), Some("04"));
        assert_eq!(ascii_digits("১๒၃௪𝟗").as_deref(), Some("12349"));
        assert_eq!(ascii_digits("1a"), None);
        let units = units(&["doc_2", "doc_1"]);
        let mut ids = Identities::new(&units);
        let grammar = Grammar { prefix: "doc_".to_owned(), ..position(1) };
        assert_eq!(ids.resolve(&grammar, "1"), Resolution::Unit(1), "doc_1, not the first unit");
        assert_eq!(ids.resolve(&grammar, " ¹ "), Resolution::Unit(1));
    }
}
