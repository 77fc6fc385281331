//! Phone numbers: groups of digits in one of the forms in which people write them. Dates, versions, prices, ids, book
//! numbers and digests are made of digits too, so that a number counts only where its form says so: a country code, a trunk
//! zero, an area code in brackets, the three groups of North America, or a word such as `tel` before it.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Digits that the numbers of E.164 have at most.
const MOST_DIGITS: usize = 15;
/// Groups of one number that are looked at.
const MOST_GROUPS: usize = 9;
/// Bytes between two groups at most: `) - `.
const LONGEST_JOINT: usize = 4;

/// A word that announces a number, at the end of what stands before it.
static CUE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)(?:^|[^\p{L}\p{N}])(?:tel|telefon\p{L}*|telephone|téléphone|teléfono|phone|fone|fon|mobile?|mobil\p{L}*|handy|cell|",
        r"fax|whatsapp|sms|hotline|call|dial|ring|电话|電話)(?:[ .]?(?:no|nr|number|nummer|us|me))?[ .:=/“\x22'(]{0,4}\+?\(?$",
    ))
    .ok()
});

#[derive(Debug, Clone, Copy)]
struct Group {
    start: usize,
    end: usize,
}

impl Group {
    const fn len(&self) -> usize {
        self.end - self.start
    }
}

/// Where phone numbers stand.
pub(super) fn find(text: &str, into: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(offset) = bytes[at..].iter().position(u8::is_ascii_digit) {
        let groups = run(bytes, at + offset);
        let Some(last) = groups.last() else { return };
        if groups.iter().map(Group::len).sum::<usize>() >= 7 {
            numbers(text, &groups, into);
        }
        at = last.end;
    }
}

/// Groups of digits from here on with nothing between them that does not belong into a phone number.
fn run(bytes: &[u8], start: usize) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut at = start;
    loop {
        let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        groups.push(Group { start: at, end: at + length });
        let end = at + length;
        let joint = bytes[end..].iter().take(LONGEST_JOINT + 1).take_while(|byte| b" .-/()".contains(byte)).count();
        let follows = bytes.get(end + joint).is_some_and(u8::is_ascii_digit);
        if joint == 0 || joint > LONGEST_JOINT || !follows {
            return groups;
        }
        at = end + joint;
    }
}

fn numbers(text: &str, groups: &[Group], into: &mut Vec<Range<usize>>) {
    let mut first = 0;
    while first < groups.len() {
        match number(text, &groups[first..groups.len().min(first + MOST_GROUPS)]) {
            Some((count, start)) => {
                into.push(start..groups[first + count - 1].end);
                first += count;
            }
            None => first += 1,
        }
    }
}

/// The number that begins with the first of these groups: how many of them it takes, and where it starts with its sign or bracket.
fn number(text: &str, groups: &[Group]) -> Option<(usize, usize)> {
    let first = groups.first()?;
    let digits = text.get(first.start..first.end)?;
    let before = &text[..first.start];
    let opened = before.ends_with('(');
    let unopened = before.strip_suffix('(').unwrap_or(before);
    let signed = unopened.ends_with('+');
    let unsigned = unopened.strip_suffix('+').unwrap_or(unopened);
    let start = unsigned.strip_suffix('(').filter(|_| signed && !opened).unwrap_or(unsigned).len();
    if !may_begin(&text[..start]) {
        return None;
    }
    let has_cue = || {
        let mut from = start.saturating_sub(40);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        CUE.as_ref().is_some_and(|cue| cue.is_match(&text[from..first.start]))
    };
    let joint = |index: usize| {
        let (left, right) = (groups.get(index)?, groups.get(index + 1)?);
        text.get(left.end..right.start)
    };
    let lengths: Vec<usize> = groups.iter().map(Group::len).collect();
    // The most groups within a number of digits; the last has two digits at least, as no book number's has.
    let upto = |least: usize, most: usize| {
        let mut total = 0;
        let mut best = None;
        for (index, length) in lengths.iter().enumerate() {
            total += length;
            if total > most {
                break;
            }
            if total >= least && (*length >= 2 || index == 0) && may_end(text, groups[index].end) {
                best = Some(index + 1);
            }
        }
        best
    };
    let taken = if signed && !digits.starts_with('0') {
        upto(8, MOST_DIGITS)
    } else if digits.len() > 3 && digits.starts_with("00") && !digits.starts_with("000") || digits == "00" {
        upto(11, MOST_DIGITS + 2)
    } else if is_date(text, groups) {
        None
    } else if opened && joint(0).is_some_and(|joint| joint.starts_with(')')) && (2..=5).contains(&digits.len()) {
        let is_year = digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
        if is_year { None } else { upto(8, 12) }
    } else if digits.starts_with('0')
        && (2..=6).contains(&digits.len())
        && groups.len() > 1
        && !digits.starts_with("00")
    {
        upto(9, 12)
    } else if digits.starts_with('0') && (10..=12).contains(&digits.len()) && !is_book(before) {
        upto(10, 12).map(|_| 1)
    } else {
        grouped(text, &lengths, groups, digits)
    };
    let taken = taken.or_else(|| if has_cue() && !is_date(text, groups) { upto(6, MOST_DIGITS) } else { None });
    // A bracket that opens before the number and does not close inside of it is none of its.
    let brackets =
        |count| text.get(start..first.start).is_some_and(|s| s.starts_with('(')) && !closes(text, groups, count);
    taken.map(|count| (count, start + usize::from(brackets(count))))
}

/// Whether a bracket is closed inside of the number.
fn closes(text: &str, groups: &[Group], count: usize) -> bool {
    let last = groups.get(count - 1).map_or(0, |group| group.end);
    groups.first().and_then(|first| text.get(first.start..last)).is_some_and(|number| number.contains(')'))
}

/// The forms that only their grouping tells: `212-555-0123`, `1 212 555 0123`, `138-1234-5678`, `98765 43210`.
fn grouped(text: &str, lengths: &[usize], groups: &[Group], digits: &str) -> Option<usize> {
    let narrow = |from: usize, to: usize| {
        (from..to).all(|index| {
            groups.get(index).zip(groups.get(index + 1)).is_some_and(|(left, right)| right.start - left.end <= 2)
        })
    };
    let starts = |index: usize, with: &[u8]| {
        groups.get(index).and_then(|group| text.as_bytes().get(group.start)).is_some_and(|byte| with.contains(byte))
    };
    let area = b"23456789";
    let taken = match lengths {
        [1, 3, 3, 4, ..] if digits == "1" && starts(1, area) && starts(2, area) && narrow(0, 3) => 4,
        [3, 3, 4, ..] if starts(0, area) && narrow(0, 2) => 3,
        [3, 4, 4, ..] if starts(0, b"1") && !digits.starts_with("10") && narrow(0, 2) => 3,
        [5, 5, ..] if starts(0, b"6789") && narrow(0, 1) => 2,
        _ => return None,
    };
    may_end(text, groups.get(taken - 1)?.end).then_some(taken)
}

/// Whether a number may begin behind this text: not inside of a word, an id, a path, a version or an amount.
fn may_begin(before: &str) -> bool {
    let mut signs = before.chars().rev();
    match signs.next() {
        None => true,
        Some(c) if c.is_alphanumeric() => false,
        Some('_' | '#' | '@' | '&' | '$' | '€' | '£' | '¥' | '+' | '\\' | '~' | '^' | '*') => false,
        // `A-030…`, `1.030…`, `/030…`, but `- 030…` and `Tel.030…`.
        Some('-' | '/' | ',' | ':' | '(') => {
            !signs.next().is_some_and(char::is_alphanumeric) || before.ends_with([':', '('])
        }
        Some('.') => !signs.next().is_some_and(|c| c.is_ascii_digit()),
        Some(_) => true,
    }
}

/// Whether a number may end here: not inside of a word or an id, nor before a unit that belongs to an amount.
fn may_end(text: &str, end: usize) -> bool {
    let mut signs = text[end..].chars();
    match signs.next() {
        None => true,
        Some(c) if c.is_alphanumeric() => false,
        Some('_' | '%' | '€' | '$' | '£' | '@' | '‰') => false,
        Some(',' | ':') => !signs.next().is_some_and(|c| c.is_ascii_digit()),
        Some(_) => true,
    }
}

/// Whether the first groups are a date with a year of four digits: `01.02.2026`, `1/2/2026`, `2026-02-01`.
fn is_date(text: &str, groups: &[Group]) -> bool {
    let [a, b, c, ..] = groups else { return false };
    let (Some(left), Some(right)) = (text.get(a.end..b.start), text.get(b.end..c.start)) else { return false };
    let value = |group: &Group| text.get(group.start..group.end).and_then(|digits| digits.parse::<u32>().ok());
    let (Some(first), Some(second), Some(third)) = (value(a), value(b), value(c)) else { return false };
    let is_year = |group: &Group, value: u32| group.len() == 4 && (1800..2200).contains(&value);
    let is_day = |group: &Group, value: u32| group.len() <= 2 && (1..=31).contains(&value);
    let ordered = (is_day(a, first) && is_day(b, second) && is_year(c, third))
        || (is_year(a, first) && is_day(b, second) && is_day(c, third));
    ordered && left == right && ["-", ".", "/"].contains(&left)
}

/// Whether what follows is announced as the number of a book.
fn is_book(before: &str) -> bool {
    let before = before.trim_end_matches([' ', ':', '-']);
    let before = before.strip_suffix("10").or_else(|| before.strip_suffix("13")).unwrap_or(before);
    before.trim_end_matches(['-', ' ']).to_ascii_uppercase().ends_with("ISBN")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        find(text, &mut spans);
        spans.into_iter().map(|span| &text[span]).collect()
    }

    #[test]
    fn numbers_in_the_forms_that_people_write() {
        for (text, expected) in [
            ("call +49 30 1234567 today", "+49 30 1234567"),
            ("+49 (0)30 123 45 67.", "+49 (0)30 123 45 67"),
            ("(+1) 212 555 0123", "(+1) 212 555 0123"),
            ("+12125550123", "+12125550123"),
            ("+44 20 7946 0958,", "+44 20 7946 0958"),
            ("+33-1-23-45-67-89", "+33-1-23-45-67-89"),
            ("0049 151 23456789", "0049 151 23456789"),
            ("030 1234567", "030 1234567"),
            ("030/123 45 67", "030/123 45 67"),
            ("(030) 123 45 67", "(030) 123 45 67"),
            ("0151-23456789", "0151-23456789"),
            ("01 23 45 67 89", "01 23 45 67 89"),
            ("01.23.45.67.89", "01.23.45.67.89"),
            ("07700 900123", "07700 900123"),
            ("07700900123", "07700900123"),
            ("212-555-0123", "212-555-0123"),
            ("212.555.0123", "212.555.0123"),
            ("(212) 555-0123", "(212) 555-0123"),
            ("1-800-555-0199", "1-800-555-0199"),
            ("138-1234-5678", "138-1234-5678"),
            ("98765 43210", "98765 43210"),
            ("(11) 91234-5678", "(11) 91234-5678"),
            ("Tel.: 1234567", "1234567"),
            ("phone=17345678901", "17345678901"),
            ("in 2020 0151 23456789", "0151 23456789"),
            ("tel:+4930123456", "+4930123456"),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
    }

    #[test]
    fn what_is_made_of_digits_and_no_number() {
        for text in [
            "01.02.2024",
            "01.02.2024 10:30",
            "on 01/02/2024 1234567",
            "2024-10-02 and 2024-10-02T10:30:00Z",
            "from 2019-2020 to 2023-2024",
            "version 10.0.19041.1234",
            "v1.22.333.4444",
            "1,234,567.89 and 1.234.567,89 and 1 234 567,89",
            "$ 1,000,000.00, 0.99 €, 0,123456789 %",
            "doc_12, doc_0123456789, DOC-0123-456789, #0301234567",
            "978-3-16-148410-0",
            "ISBN 978-0-306-40615-7",
            "ISBN 0-306-40615-2",
            "ISBN: 0306406152",
            "9780306406157",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "sha256:0123456789012345678901234567890123456789012345678901234567890123",
            "1700000000 and 1700000000000",
            "192.168.10.1, 10.20.30.40:8080",
            "+5.3 %, +10,000,000 and 3-1",
            "§ 12 (2019) 12 345-350",
            "100 requests per 60 seconds, 24/7, 2/3",
            "12 34 56",
            "lines 100-200, 300-400",
            "10.1000/182.0123",
            "RFC 4231, ISO 27001, 99.9",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_long_row_of_digits_takes_no_longer_per_digit() {
        let text = "12 ".repeat(200_000);
        assert!(found(&text).is_empty());
        assert!(found(&"0".repeat(1_000_000)).is_empty());
    }
}
