//! Ids that are the same everywhere, and what people type: DOIs, ISBNs, hashes, bank accounts, telephone numbers, flags and paths.

use super::address::unspaced_end;
use super::{Hit, IdentifierKind};
use crate::text::cursor::Cursor;
use crate::text::word::{TokenKind, digit_value, folded};

/// `10.1000/xyz123`, with or without `doi:` before it, or `arXiv:2301.01234`.
pub(super) fn document(cursor: &Cursor<'_>, at: usize) -> Hit {
    let word = cursor.is(at, TokenKind::Word);
    let labelled = word && cursor.is_mark(at + 1, &[':']) && matches!(cursor.word(at).as_ref(), "doi" | "arxiv");
    let number = if labelled { cursor.past_space(at + 2) } else { at };
    if (word && !labelled)
        || (!labelled && cursor.joined(at) && !cursor.is_mark(at - 1, &['(', '[', '<', ':', '"', '“']))
    {
        return None;
    }
    if !cursor.is_mark(number + 1, &['.']) || !cursor.joined(number + 1) || !cursor.joined(number + 2) {
        return None;
    }
    let digits = cursor.digit_count(number + 2);
    if labelled && cursor.word(at) == "arxiv" {
        let to = number + 3;
        // The "v" of a revision is a word of its own.
        let revised = cursor.joined(to)
            && cursor.word(to) == "v"
            && cursor.joined(to + 1)
            && cursor.is(to + 1, TokenKind::Digits);
        let is_id = cursor.digit_count(number) == 4 && matches!(digits, 4 | 5);
        return is_id.then_some((at, if revised { to + 2 } else { to }, IdentifierKind::Id));
    }
    let is_doi = cursor.raw(number) == "10"
        && (4..=9).contains(&digits)
        && cursor.is_mark(number + 3, &['/'])
        && cursor.joined(number + 3)
        && cursor.joined(number + 4);
    is_doi.then(|| (at, unspaced_end(cursor, number), IdentifierKind::Id))
}

/// `+49 30 1234567`: a plus sign and groups of digits that are no number with thousands separators.
pub(super) fn telephone(cursor: &Cursor<'_>, at: usize) -> Hit {
    const MOST_TOKENS: usize = 16;
    if !cursor.is_mark(at, &['+', '＋']) || !cursor.joined(at + 1) || !(1..=3).contains(&cursor.digit_count(at + 1)) {
        return None;
    }
    let (mut to, mut groups, mut next) = (at + 2, vec![cursor.digit_count(at + 1)], at + 2);
    while next < at + MOST_TOKENS {
        if cursor.is(next, TokenKind::Digits) {
            groups.push(cursor.digit_count(next));
            to = next + 1;
        } else if !(cursor.raw(next) == " " || cursor.is_mark(next, &['-', '‑', '(', ')', '/'])) {
            break;
        }
        next += 1;
    }
    let total: usize = groups.iter().sum();
    let thousands = groups.iter().skip(1).all(|digits| *digits == 3);
    let parted = !thousands || cursor.is_mark(at + 2, &['-', '(', '/']);
    (parted && groups.len() > 1 && (8..=15).contains(&total)).then_some((at, to, IdentifierKind::Code))
}

/// An international bank account number whose check digits are right (ISO 13616: modulo 97).
pub(super) fn account(cursor: &Cursor<'_>, at: usize) -> Hit {
    const LENGTHS: std::ops::RangeInclusive<usize> = 15..=34;
    let country = cursor.raw(at);
    if country.len() != 2
        || !country.bytes().all(|b| b.is_ascii_uppercase())
        || !cursor.joined(at + 1)
        || cursor.digit_count(at + 1) < 2
    {
        return None;
    }
    let (mut text, mut next, mut found) = (String::new(), at, None);
    while next < cursor.len() && text.len() <= *LENGTHS.end() {
        let part = matches!(cursor.kind(next), Some(TokenKind::Word | TokenKind::Digits));
        if part {
            text.push_str(cursor.raw(next));
        } else if !matches!(cursor.raw(next), " " | "\u{a0}") {
            break;
        }
        next += 1;
        let goes_on = cursor.joined(next) && matches!(cursor.kind(next), Some(TokenKind::Word | TokenKind::Digits));
        if part && LENGTHS.contains(&text.len()) && !goes_on && is_account(&text) {
            found = Some((at, next, IdentifierKind::Id));
        }
    }
    found
}

fn is_account(text: &str) -> bool {
    let Some((head, rest)) = text.split_at_checked(4) else { return false };
    let digit = |c: char| c.to_digit(36).filter(|_| c.is_ascii_digit() || c.is_ascii_uppercase());
    let remainder = rest.chars().chain(head.chars()).try_fold(0_u32, |sum, c| {
        let value = digit(c)?;
        Some(if value > 9 { (sum * 100 + value) % 97 } else { (sum * 10 + value) % 97 })
    });
    remainder == Some(1)
}

/// `--dry-run`, `--max-items=5`: two hyphens with a space, a bracket or a code mark before them.
pub(super) fn flag(cursor: &Cursor<'_>, at: usize) -> Hit {
    let open = at == 0 || !cursor.joined(at) || cursor.is_mark(at - 1, &['`', '(', '[', '"', '\'', '“', '‘', '/']);
    if !open || cursor.raw(at) != "-" || cursor.raw(at + 1) != "-" || !cursor.joined(at + 1) || !cursor.joined(at + 2) {
        return None;
    }
    let part = |i: usize| {
        cursor.joined(i)
            && matches!(cursor.kind(i), Some(TokenKind::Word | TokenKind::Digits))
            && cursor.raw(i).is_ascii()
    };
    let mut to = at + 2;
    if !part(to) || !cursor.raw(to).bytes().all(|b| b.is_ascii_lowercase()) {
        return None;
    }
    to += 1;
    loop {
        if part(to) {
            to += 1;
        } else if cursor.is_mark(to, &['-', '_', '=', '.']) && cursor.joined(to) && part(to + 1) {
            to += 2;
        } else {
            break;
        }
    }
    // "the plan --which was good-- is": two hyphens for a dash.
    let is_word_alone = to == at + 3 && !is_in_code(cursor, at) && !is_called_a_flag(cursor, at, to);
    (!is_word_alone).then_some((at, to, IdentifierKind::Flag))
}

/// Whether an odd number of code marks stands before `at` in its line, as far as one looks back.
pub(super) fn is_in_code(cursor: &Cursor<'_>, at: usize) -> bool {
    const FARTHEST: usize = 80;
    let before = (at.saturating_sub(FARTHEST)..at).rev().take_while(|i| !cursor.raw(*i).contains('\n'));
    before.filter(|i| cursor.raw(*i) == "`").count() % 2 == 1
}

/// Whether the word before or behind says what it is: "the flag --force", "--force option".
fn is_called_a_flag(cursor: &Cursor<'_>, at: usize, to: usize) -> bool {
    const WORDS: [&str; 12] = [
        "flag",
        "flags",
        "option",
        "options",
        "switch",
        "argument",
        "parameter",
        "schalter",
        "drapeau",
        "opción",
        "opção",
        "opzione",
    ];
    let named = |i: usize| WORDS.contains(&cursor.word(i).as_ref());
    named(cursor.past_space(to)) || cursor.before(at).is_some_and(named)
}

/// `/etc/hosts`, `~/.ssh/config`, `./run`, `C:\logs\a.txt`: where a file or a page of an interface is.
pub(super) fn path(cursor: &Cursor<'_>, at: usize) -> Hit {
    let open = at == 0 || !cursor.joined(at) || cursor.is_mark(at - 1, &['`', '(', '[', '"', '\'', '“', '‘', '「']);
    if !open || !cursor.joined(at + 1) {
        return None;
    }
    let is_word = |i: usize| cursor.joined(i) && matches!(cursor.kind(i), Some(TokenKind::Word | TokenKind::Digits));
    let absolute = cursor.is_mark(at, &['/']) && is_word(at + 1) && cursor.raw(at + 1).is_ascii();
    let home = cursor.is_mark(at, &['~', '.']) && cursor.is_mark(at + 1, &['/']) && cursor.joined(at + 2);
    let drive = cursor.is(at, TokenKind::Word)
        && cursor.raw(at).len() == 1
        && cursor.is_mark(at + 1, &[':'])
        && cursor.is_mark(at + 2, &['\\'])
        && cursor.joined(at + 2);
    if !(absolute || home || drive) {
        return None;
    }
    let is_number = |i: usize| cursor.is(i, TokenKind::Digits);
    // "9 EUR /user/month" is a rate; "in /etc/hosts" is no inch.
    let behind_a_number = absolute
        && cursor
            .before(at)
            .is_some_and(|i| is_number(i) || cursor.measures(i) && cursor.before(i).is_some_and(is_number));
    let to = unspaced_end(cursor, at);
    let steps = (at..to).filter(|i| cursor.is_mark(*i, &['/', '\\'])).count();
    let has_ending = (at + 1..to).any(|i| cursor.is_mark(i, &['.']) && i + 1 < to);
    (!behind_a_number && (steps > 1 || has_ending || home)).then_some((at, to, IdentifierKind::Path))
}

/// Whether a run of letters, digits and hyphens is a UUID or the hash of something, and which.
pub(super) fn digest(run: &str) -> Option<&'static str> {
    let is_hex = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit());
    let groups: Vec<usize> = run.split('-').take(6).map(|group| if is_hex(group) { group.len() } else { 0 }).collect();
    if groups == [8, 4, 4, 4, 12] {
        return Some("uuid");
    }
    let mixed = run.bytes().any(|b| b.is_ascii_digit()) && run.bytes().any(|b| b.is_ascii_alphabetic());
    (is_hex(run) && mixed && matches!(run.len(), 32 | 40 | 56 | 64 | 96 | 128)).then_some("hash")
}

/// The digits of an ISBN that name the book: ten digits are the last of thirteen, and the check digit says nothing more.
pub(crate) fn book(number: &str) -> String {
    let digits: String = number
        .chars()
        .filter_map(|c| digit_value(c).map(|digit| char::from(b'0' + digit)).or((c == 'x').then_some('x')))
        .collect();
    match digits.len() {
        13 => digits.strip_prefix("978").and_then(|rest| rest.get(..9)).unwrap_or(&digits).to_owned(),
        10 => digits.get(..9).unwrap_or(&digits).to_owned(),
        _ => digits,
    }
}

/// The scheme of an id and its compared form.
pub(super) fn canonical(written: &str) -> (String, String) {
    let plain: String = folded(written).split_whitespace().collect();
    if let Some(kind) = digest(&plain) {
        return (kind.to_owned(), plain);
    }
    if let Some(id) = plain.strip_prefix("arxiv:") {
        // Revisions are one paper.
        return ("arxiv".to_owned(), format!("arxiv:{}", id.split('v').next().unwrap_or(id)));
    }
    let bare = plain.strip_prefix("doi:").unwrap_or(&plain);
    if bare.starts_with("10.") {
        return ("doi".to_owned(), format!("doi:{bare}"));
    }
    ("account".to_owned(), plain)
}

/// The digits of a telephone number, a time or another code, without what parts them.
pub(super) fn digits_of(written: &str) -> String {
    written.chars().filter_map(digit_value).map(|digit| char::from(b'0' + digit)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_and_books() {
        assert!(is_account("GB82WEST12345698765432"));
        assert!(!is_account("GB83WEST12345698765432"));
        assert_eq!(book("978-3-16-148410-0"), "316148410");
        assert_eq!(book("3-16-148410-x"), "316148410");
    }

    #[test]
    fn digests() {
        assert_eq!(digest("550e8400-e29b-41d4-a716-446655440000"), Some("uuid"));
        assert_eq!(digest("d41d8cd98f00b204e9800998ecf8427e"), Some("hash"));
        assert_eq!(digest("deadbeef"), None);
    }
}
