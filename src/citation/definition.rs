//! What an answer itself says that its numbers stand for: `[^1]: doc_2`, `[2] https://kb.example/exports`, `2. Export Guide`.

use std::collections::HashMap;

use super::grammar::{Grammar, Resolve};
use super::identity::{ascii_digits, folded};
use super::statement::Statement;
use super::{Marker, Resolution};
use crate::dataset::Unit;

/// Most entries of a list of sources that are read.
const MOST_ENTRIES: usize = 200;

/// Points the markers of a number at the unit that the answer's own list of sources names for it.
///
/// A reader follows the list, so the list decides over the position. An entry decides where it names exactly one unit of the
/// packet, by address, id or title, and no other entry of the same number names another; numbers that count from 0 by their grammar
/// are left alone. An id of the packet stays that id; where the address behind it is another unit's, the two differ, and it is taken
/// for neither.
pub(super) fn redirect(
    answer: &str,
    markers: &mut [Marker<'_>],
    statements: &[Statement<'_>],
    units: &[Unit<'_>],
    grammars: &[Grammar],
) {
    let entries = statements.iter().filter(|statement| statement.is_entry);
    let mut named: HashMap<String, Option<u32>> = HashMap::new();
    let mut elsewhere: HashMap<u32, u32> = HashMap::new();
    for entry in entries.take(MOST_ENTRIES) {
        if let Some(unit) = own_id(entry, markers, units)
            && let Some(link) = named_by(&entry.text, units, &WAYS[..1]).filter(|link| *link != unit)
        {
            elsewhere.insert(unit, link);
        }
        let Some(number) = number(answer, entry, markers) else { continue };
        let Some(unit) = names(&entry.text, units) else { continue };
        named.entry(number).and_modify(|known| *known = known.filter(|known| *known == unit)).or_insert(Some(unit));
    }
    if named.is_empty() && elsewhere.is_empty() {
        return;
    }
    for marker in markers {
        for reference in &mut marker.references {
            if let Resolution::Unit(written) = reference.resolution
                && let Some(link) = elsewhere.get(&written)
                && is_its_id(&reference.written, written, units)
            {
                reference.resolution = Resolution::Differs { written, link: *link };
            }
        }
        let Some(grammar) = grammars.get(usize::from(marker.grammar)) else { continue };
        if grammar.resolve != (Resolve::Position { first: 1 }) {
            continue;
        }
        for reference in &mut marker.references {
            let Some(digits) = ascii_digits(reference.written.trim()) else { continue };
            let is_id = |unit: &Unit<'_>| {
                unit.id == digits || folded(&unit.id) == folded(&format!("{}{digits}", grammar.prefix))
            };
            if let Some(Some(unit)) = named.get(digits.as_ref())
                && !units.iter().any(is_id)
                // A link that leads to another unit than the list names stays a difference.
                && !matches!(reference.resolution, Resolution::Differs { link, .. } if link != *unit)
            {
                reference.resolution = Resolution::Unit(*unit);
            }
        }
    }
}

/// The number of an entry: its marker's, or the numeral before it in its line.
fn number(answer: &str, entry: &Statement<'_>, markers: &[Marker<'_>]) -> Option<String> {
    let markers_here = entry.markers.iter().filter_map(|&index| markers.get(index as usize));
    let mut own = markers_here.filter(|marker| !marker.references.is_empty());
    let digits = match (own.next(), own.next()) {
        (Some(marker), None) => match marker.references.as_slice() {
            [one] => ascii_digits(one.written.trim())?.into_owned(),
            _ => return None,
        },
        (None, _) => {
            let before = answer.get(..entry.span.start)?;
            let line = before.get(before.rfind('\n').map_or(0, |at| at + 1)..)?;
            let numeral = line.trim().trim_end_matches(['.', ')', ':']);
            ascii_digits(numeral)?.into_owned()
        }
        (Some(_), Some(_)) => return None,
    };
    let plain = digits.trim_start_matches('0');
    Some(if plain.is_empty() { "0" } else { plain }.to_owned())
}

/// The unit whose id is the one reference of an entry.
fn own_id(entry: &Statement<'_>, markers: &[Marker<'_>], units: &[Unit<'_>]) -> Option<u32> {
    let [marker] = entry.markers.as_slice() else { return None };
    let [reference] = markers.get(*marker as usize)?.references.as_slice() else { return None };
    let Resolution::Unit(unit) = reference.resolution else { return None };
    is_its_id(&reference.written, unit, units).then_some(unit)
}

fn is_its_id(written: &str, unit: u32, units: &[Unit<'_>]) -> bool {
    units.get(unit as usize).is_some_and(|unit| folded(unit.id.trim()) == folded(written.trim()))
}

/// How a unit is called.
type Name = fn(&Unit<'_>) -> Option<String>;

/// The ways to name a unit, the surest first, and whether one such name may be the beginning of another.
const WAYS: [(Name, bool); 3] = [(address, true), (id, false), (title, false)];

/// The one unit that a text names, by the surest way in which it names any.
fn names(text: &str, units: &[Unit<'_>]) -> Option<u32> {
    named_by(text, units, &WAYS)
}

fn named_by(text: &str, units: &[Unit<'_>], ways: &[(Name, bool)]) -> Option<u32> {
    let text = folded(text);
    for &(way, nested) in ways {
        let mut found: Vec<(usize, u32)> = (0u32..)
            .zip(units)
            .filter_map(|(index, unit)| way(unit).filter(|name| stands_in(&text, name)).map(|name| (name.len(), index)))
            .collect();
        // Of two addresses of which one goes on where the other ends, the longer one is meant.
        found.sort_unstable_by_key(|(length, _)| std::cmp::Reverse(*length));
        match found.as_slice() {
            [] => {}
            [(_, one)] => return Some(*one),
            [(first, one), (second, _), ..] => return (nested && first > second).then_some(*one),
        }
    }
    None
}

fn address(unit: &Unit<'_>) -> Option<String> {
    let address = folded(unit.canonical_uri.as_deref()?.trim()).into_owned();
    let bare = address.split_once("//").map_or(address.as_str(), |(_, rest)| rest);
    Some(bare.trim_start_matches("www.").trim_end_matches('/').to_owned())
}

fn id(unit: &Unit<'_>) -> Option<String> {
    let id = folded(unit.id.trim());
    id.chars().any(char::is_alphabetic).then(|| id.into_owned())
}

fn title(unit: &Unit<'_>) -> Option<String> {
    // One short word ("Guide") is in many a title.
    const LEAST: usize = 8;
    let title = folded(unit.title.as_deref()?.trim()).into_owned();
    (title.chars().count() >= LEAST || title.split_whitespace().count() > 1).then_some(title)
}

/// Whether a name stands in a text as a whole.
fn stands_in(text: &str, name: &str) -> bool {
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '-'));
    !name.is_empty()
        && text.match_indices(name).any(|(at, found)| {
            let before = text.get(..at).and_then(|text| text.chars().next_back());
            let mut after = text.get(at + found.len()..).unwrap_or_default().chars();
            let next = after.next();
            // A path or a file name that goes on is another one.
            let goes_on =
                matches!(next, Some('/' | '.' | '?' | '=')) && after.next().is_some_and(char::is_alphanumeric);
            edge(before) && edge(next) && !goes_on
        })
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    fn units() -> Vec<Unit<'static>> {
        let mut units = super::super::identity::tests::units(&["doc_1", "doc_2", "doc_3"]);
        for (unit, (title, address)) in units.iter_mut().zip([
            ("Retention Policy", "https://kb.example/policies"),
            ("Export Guide", "https://kb.example/policies/exports"),
            ("Guide", "https://kb.example/guide/"),
        ]) {
            unit.title = Some(Cow::Borrowed(title));
            unit.canonical_uri = Some(Cow::Borrowed(address));
        }
        units
    }

    #[test]
    fn an_address_an_id_or_a_title_names_a_unit() {
        let units = units();
        assert_eq!(names("DOC_2", &units), Some(1));
        assert_eq!(names("Retention policy, section 4", &units), Some(0));
        assert_eq!(names("http://www.kb.example/policies/exports", &units), Some(1), "the longer address");
        assert_eq!(names("https://kb.example/policies/", &units), Some(0));
        assert_eq!(names("Guide, see https://kb.example/guide", &units), Some(2));
    }

    #[test]
    fn two_names_or_a_part_of_one_name_nothing() {
        let units = units();
        assert_eq!(names("Guide", &units), None, "one short word");
        assert_eq!(names("Retention Policy and Export Guide", &units), None);
        assert_eq!(names("doc_1 and doc_2", &units), None);
        assert_eq!(names("doc_12", &units), None);
        assert_eq!(names("https://kb.example/policiesx", &units), None);
        assert_eq!(names("https://kb.example/other", &units), None);
    }
}
