//! List and range syntax of a marker: `1, 2`, `1; 2`, `1-3`, `1–3`, `156-9`, `doc_1, doc_2`, `S1-S3`.

use std::borrow::Cow;

use super::identity::ascii_digits;

/// Most references that one marker may hold.
pub const MAX_REFERENCES: usize = 1000;

/// Longest item of a list, in bytes, that is still tried as a range.
const MAX_RANGE_TEXT: usize = 200;

/// A list as spelled out.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct List<'a> {
    /// The references in order; those of a range are its numbers.
    pub(super) references: Vec<Cow<'a, str>>,
    /// Why a part of the list cannot be read; that part gives no reference.
    pub(super) malformed: Option<&'static str>,
}

impl List<'_> {
    fn blame(&mut self, why: &'static str) {
        self.malformed.get_or_insert(why);
    }
}

/// Spells out a list. An item that `is_id` knows is that id, whatever it looks like; at most `budget` references come
/// of ranges. `trimmed` takes away what stands around an item and around the ends of a range.
pub(super) fn spell_out<'a>(
    text: &'a str,
    budget: &mut usize,
    is_id: impl Fn(&str) -> bool,
    trimmed: impl Fn(&'a str) -> &'a str,
) -> List<'a> {
    let mut list = List::default();
    if is_id(text.trim()) {
        list.references.push(Cow::Borrowed(text.trim()));
        return list;
    }
    for item in items(text).map(&trimmed).filter(|item| !item.is_empty()) {
        if list.references.len() >= MAX_REFERENCES {
            list.blame("a list of more than 1000 references");
            break;
        }
        let range = if is_id(item) { Ok(None) } else { range(item, &trimmed) };
        match range {
            Ok(None) => list.references.push(Cow::Borrowed(item)),
            Ok(Some(range)) => spell_out_range(&range, budget, &mut list),
            Err(why) => list.blame(why),
        }
    }
    if list.references.is_empty() {
        list.blame("a marker without a reference");
    }
    list
}

fn spell_out_range(range: &Span<'_>, budget: &mut usize, list: &mut List<'_>) {
    let count = usize::try_from(range.last - range.first).ok().and_then(|distance| distance.checked_add(1));
    let room = MAX_REFERENCES.saturating_sub(list.references.len());
    match count.filter(|&count| count <= room && count <= *budget) {
        Some(count) => {
            *budget -= count;
            let numbers = range.first..=range.last;
            list.references.extend(numbers.map(|number| Cow::Owned(format!("{}{number}", range.prefix))));
        }
        None => list.blame("a range of more than 1000 references"),
    }
}

/// The items of a list: cut at `,`, `;`, `&`, their full-width forms, the private-use separator of chat exports and
/// the word “and”; never empty, without white space at the ends.
fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', '&', '，', '；', '、', '˒', '\u{e202}']).flat_map(without_and).filter(|item| !item.is_empty())
}

fn without_and(item: &str) -> impl Iterator<Item = &str> {
    const AND: [&str; 6] = ["and", "und", "et", "y", "e", "en"];
    let mut rest = Some(item.trim());
    std::iter::from_fn(move || {
        let text = rest?;
        let cut = text.match_indices(char::is_whitespace).find_map(|(at, _)| {
            let after = text.get(at..)?.trim_start();
            let word = after.split(char::is_whitespace).next()?;
            let is_and = AND.iter().any(|and| word.eq_ignore_ascii_case(and)) && after.len() > word.len();
            is_and.then(|| (text.get(..at), after.get(word.len()..)))
        });
        match cut {
            Some((before, after)) => {
                rest = after.map(str::trim);
                before.map(str::trim)
            }
            None => {
                rest = None;
                let leading = AND.iter().find_map(|and| text.strip_prefix(and)?.strip_prefix(char::is_whitespace));
                Some(leading.map_or(text, str::trim))
            }
        }
    })
}

/// A range of numbers with the text before each.
struct Span<'a> {
    prefix: &'a str,
    first: u64,
    last: u64,
}

const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '‐' | '‑' | '–' | '—' | '−' | '⁻' | '~' | '～' | '〜')
}

/// Reads an item as a range: `Ok(None)` where it is none, `Err` where it is one that makes no sense.
fn range<'a>(item: &'a str, trimmed: impl Fn(&'a str) -> &'a str) -> Result<Option<Span<'a>>, &'static str> {
    const TOO_LONG: &str = "a range of more than 1000 references";
    if item.len() > MAX_RANGE_TEXT {
        return Ok(None);
    }
    let parts = item.split(is_dash).map(&trimmed).collect::<Vec<_>>();
    if parts.len() > 2 && parts.iter().all(|part| ascii_digits(part).is_some()) {
        return Err("a range with more than two ends");
    }
    for (at, dash) in item.match_indices(is_dash) {
        let (left, right) = (item.get(..at).unwrap_or_default(), item.get(at + dash.len()..).unwrap_or_default());
        let (left, right) = (numbered(trimmed(left)), numbered(trimmed(right)));
        let (Some((prefix, left)), Some((other, right))) = (left, right) else { continue };
        if prefix != other {
            continue;
        }
        let right = if prefix.is_empty() { unabbreviated(&left, &right) } else { right };
        let first: u64 = left.parse().map_err(|_| TOO_LONG)?;
        let last: u64 = right.parse().map_err(|_| TOO_LONG)?;
        return if first > last { Err("a descending range") } else { Ok(Some(Span { prefix, first, last })) };
    }
    Ok(None)
}

/// Text that ends in digits: what stands before them, and the digits in ASCII.
fn numbered(text: &str) -> Option<(&str, Cow<'_, str>)> {
    let before = text.trim_end_matches(|c: char| ascii_digits(c.encode_utf8(&mut [0; 4])).is_some());
    let digits = ascii_digits(text.get(before.len()..)?)?;
    Some((before, digits))
}

/// The right end of a range in full: in `156-9` it is 159.
fn unabbreviated<'a>(left: &str, right: &Cow<'a, str>) -> Cow<'a, str> {
    match left.len().checked_sub(right.len()) {
        Some(kept) if kept > 0 => Cow::Owned(format!("{}{right}", left.get(..kept).unwrap_or_default())),
        _ => right.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<String>, Option<&'static str>) {
        let list = spell_out(text, &mut 10_000, |id| id == "7-9" || id == "doc_1-2", str::trim);
        (list.references.into_iter().map(Cow::into_owned).collect(), list.malformed)
    }

    fn good(text: &str) -> Vec<String> {
        let (references, malformed) = read(text);
        assert_eq!(malformed, None, "{text}");
        references
    }

    #[test]
    fn lists() {
        assert_eq!(good("1,2"), ["1", "2"]);
        assert_eq!(good("1; 2 ,3"), ["1", "2", "3"]);
        assert_eq!(good("doc_1, doc_2"), ["doc_1", "doc_2"]);
        assert_eq!(good("3 and 4"), ["3", "4"]);
        assert_eq!(good("1, 3, and 4"), ["1", "3", "4"]);
        assert_eq!(good("1 und 3 und 4"), ["1", "3", "4"]);
        assert_eq!(good("1、2"), ["1", "2"]);
        assert_eq!(good("1,,2,"), ["1", "2"]);
    }

    #[test]
    fn ranges() {
        assert_eq!(good("1-3"), ["1", "2", "3"]);
        assert_eq!(good("1 – 3"), ["1", "2", "3"]);
        assert_eq!(good("1,4-5"), ["1", "4", "5"]);
        assert_eq!(good("156-9"), ["156", "157", "158", "159"]);
        assert_eq!(good("12-4"), ["12", "13", "14"], "12-4 is short for 12-14");
        assert_eq!(good("S1-S3"), ["S1", "S2", "S3"]);
        assert_eq!(good("¹⁻³"), ["1", "2", "3"]);
        assert_eq!(good("4-4"), ["4"]);
    }

    #[test]
    fn what_is_trimmed_goes_from_each_item_and_from_the_ends_of_ranges() {
        let bare = |text: &'static str| -> Vec<String> {
            let trimmed = |item: &'static str| item.trim_matches(['[', ']', ' ']);
            spell_out(text, &mut 100, |_| false, trimmed).references.into_iter().map(Cow::into_owned).collect()
        };
        assert_eq!(bare("[1]–[3]"), ["1", "2", "3"]);
        assert_eq!(bare("[1], [3] - [4]"), ["1", "3", "4"]);
    }

    #[test]
    fn an_id_is_never_taken_for_a_range() {
        assert_eq!(good("7-9"), ["7-9"]);
        assert_eq!(good("7-9, 3"), ["7-9", "3"]);
        assert_eq!(good("doc_1-2"), ["doc_1-2"]);
        assert_eq!(good("report-2024"), ["report-2024"]);
        assert_eq!(good("a1-b3"), ["a1-b3"]);
    }

    #[test]
    fn what_makes_no_sense_is_malformed_and_gives_no_reference() {
        assert_eq!(read("5-3"), (vec![], Some("a descending range")));
        assert_eq!(read("1, 5-3"), (vec!["1".to_owned()], Some("a descending range")));
        assert_eq!(read("1-2-3"), (vec![], Some("a range with more than two ends")));
        assert_eq!(read("1-1001"), (vec![], Some("a range of more than 1000 references")));
        assert_eq!(read("1-1000").0.len(), 1000);
        assert_eq!(read("1-99999999999999999999").1, Some("a range of more than 1000 references"));
        assert_eq!(read(" , "), (vec![], Some("a marker without a reference")));
        assert_eq!(read(&"1,".repeat(5000)).0.len(), 1000);
    }
}
