//! Numbers in brackets that no grammar read: which of them look like citations, and how they are written in plain signs.

use std::borrow::Cow;
use std::ops::Range;

use super::Marker;
use super::identity::ascii_digits;
use crate::text::disguise::is_ignorable;

/// Longest text between two brackets, in bytes.
const LONGEST: usize = 120;

/// Text in brackets, or a raised number.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Group<'t> {
    /// Byte span in the text, brackets included.
    pub(super) span: Range<usize>,
    /// The group as it is written with plain brackets, digits and commas, and without hidden characters.
    pub(super) plain: Cow<'t, str>,
    /// From where on to look for the next group, if this one is none to the reader.
    pub(super) next: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `[…]` and brackets that look like them.
    Square,
    /// `(…)`
    Round,
    /// `{…}`
    Curly,
    /// `<…>`, `⟨…⟩`
    Angle,
    /// `⁹⁹`
    Raised,
}

impl Kind {
    const fn opened_by(sign: char) -> Option<Self> {
        match sign {
            '[' => Some(Kind::Square),
            '(' => Some(Kind::Round),
            '{' => Some(Kind::Curly),
            '<' => Some(Kind::Angle),
            _ => None,
        }
    }

    const fn closed_by(sign: char) -> Option<Self> {
        match sign {
            ']' => Some(Kind::Square),
            ')' => Some(Kind::Round),
            '}' => Some(Kind::Curly),
            '>' => Some(Kind::Angle),
            _ => None,
        }
    }
}

/// The plain sign that `c` is a form of; other characters stay.
fn plain_sign(c: char) -> char {
    match c {
        '［' | '〔' | '〖' | '〘' | '〚' | '【' | '⟦' | '⟬' | '❲' | '⦋' | '⁅' | '｢' | '⁽' | '﹝' => {
            '['
        }
        '］' | '〕' | '〗' | '〙' | '〛' | '】' | '⟧' | '⟭' | '❳' | '⦌' | '⁆' | '｣' | '⁾' | '﹞' => {
            ']'
        }
        '⟨' | '〈' | '\u{2329}' | '❬' | '❰' => '<',
        '⟩' | '〉' | '\u{232a}' | '❭' | '❱' => '>',
        '、' | '،' | '﹑' | '､' | '・' | '·' | '•' => ',',
        '؛' => ';',
        '−' | '‐' | '‑' | '～' | '〜' => '-',
        '\u{3000}' => ' ',
        '！'..='｝' => u32::from(c).checked_sub(0xfee0).and_then(char::from_u32).unwrap_or(c),
        _ => c,
    }
}

/// Characters that show nothing, and those that turn the direction of writing.
fn is_hidden(c: char) -> bool {
    is_ignorable(c) || matches!(c, '\u{202a}'..='\u{202e}')
}

/// A group in plain signs; borrowed where it is.
fn plain(raw: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c != '\\' && (c.is_ascii() || (plain_sign(c) == c && !is_hidden(c)));
    if raw.chars().all(is_plain) {
        return Cow::Borrowed(raw);
    }
    // "⁽⁹⁹⁾": the digits are raised with their brackets.
    let is_raised = raw.starts_with('⁽');
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars().filter(|c| !is_hidden(*c)).peekable();
    while let Some(c) = chars.next() {
        // "\[99\]": Markdown shows the sign behind the backslash.
        if c == '\\' && chars.peek().is_some_and(|next| next.is_ascii_punctuation()) {
            continue;
        }
        match is_raised.then(|| ascii_digits(c.encode_utf8(&mut [0; 4])).map(Cow::into_owned)).flatten() {
            Some(digit) => out.push_str(&digit),
            None => out.push(plain_sign(c)),
        }
    }
    Cow::Owned(out)
}

/// The first group that begins in `within`. Linear, but for the [`LONGEST`] bytes that each bracket is followed for.
pub(super) fn next_group<'t>(text: &'t str, within: Range<usize>) -> Option<Group<'t>> {
    let bytes = text.as_bytes();
    let mut at = within.start;
    while at < within.end {
        // Brackets of ASCII, and the first bytes of all others and of raised digits.
        let may_begin = matches!(bytes.get(at), Some(b'[' | b'(' | b'{' | b'<' | 0xc2 | 0xe2 | 0xe3 | 0xef));
        let here = if may_begin { text.get(at..within.end) } else { None };
        if let Some(here) = here
            && let Some(c) = here.chars().next()
        {
            let found = match Kind::opened_by(plain_sign(c)) {
                Some(kind) => bracketed(text, at, here, kind, within.start),
                None if is_raised(c) => Some(raised(text, at, here)),
                None => None,
            };
            if found.is_some() {
                return found;
            }
        }
        at += 1;
    }
    None
}

fn bracketed<'t>(text: &'t str, at: usize, here: &'t str, kind: Kind, from: usize) -> Option<Group<'t>> {
    let is_escaped = at > from && text.as_bytes().get(at - 1) == Some(&b'\\');
    if is_escaped && kind != Kind::Square {
        return None;
    }
    let mut depth = 0usize;
    for (offset, c) in here.char_indices().take_while(|(offset, c)| *offset < LONGEST && *c != '\n') {
        let sign = plain_sign(c);
        depth += usize::from(Kind::opened_by(sign) == Some(kind));
        if Kind::closed_by(sign) == Some(kind) {
            depth -= 1;
            if depth == 0 {
                let start = if is_escaped { at - 1 } else { at };
                let span = start..at + offset + c.len_utf8();
                let next = at + here.chars().next().map_or(1, char::len_utf8);
                return Some(Group { plain: plain(text.get(span.clone())?), span, next, kind });
            }
        }
    }
    None
}

fn raised<'t>(text: &'t str, at: usize, here: &str) -> Group<'t> {
    let goes_on = |c: char| is_raised(c) || matches!(c, '˒' | '⁻');
    let length = here.find(|c| !goes_on(c)).unwrap_or(here.len());
    let span = at..at + length;
    Group { plain: Cow::Borrowed(text.get(span.clone()).unwrap_or_default()), next: span.end, span, kind: Kind::Raised }
}

const fn is_raised(c: char) -> bool {
    matches!(c, '⁰' | '¹' | '²' | '³' | '⁴'..='⁹')
}

/// The markers that were read, for telling what else in the answer cites.
pub(super) struct Read<'m, 'c> {
    /// The markers, in order.
    markers: &'m [Marker<'c>],
    /// Whether one of them is a number in round brackets.
    round: bool,
}

impl<'m, 'c> Read<'m, 'c> {
    pub(super) fn new(markers: &'m [Marker<'c>]) -> Self {
        let is_round = |raw: &str| raw.strip_prefix('(').and_then(|raw| raw.strip_suffix(')')).is_some_and(is_number);
        Self { markers, round: markers.iter().any(|marker| is_round(marker.raw)) }
    }

    /// How far before `at` the last marker ends.
    fn distance(&self, at: usize) -> Option<usize> {
        let before = self.markers.partition_point(|marker| marker.span.start < at).checked_sub(1)?;
        at.checked_sub(self.markers.get(before)?.span.end)
    }
}

impl Group<'_> {
    /// Whether it is written in other than plain signs.
    pub(super) fn is_unusual(&self) -> bool {
        matches!(self.plain, Cow::Owned(_))
    }

    /// Whether the group, which no grammar read, looks like a citation: a number and no more in square brackets, where no year,
    /// time, index or formula is meant; in other brackets only where a citation would stand.
    pub(super) fn looks_like_a_citation(&self, text: &str, read: &Read<'_, '_>) -> bool {
        let mut inner = self.plain.chars();
        inner.next();
        inner.next_back();
        let inner = inner.as_str();
        let distance = read.distance(self.span.start);
        // "[1][passage 9]": what goes on where a marker ends.
        let is_glued = distance == Some(0);
        let is_near =
            is_glued || (distance == Some(1) && text.get(..self.span.start).is_some_and(|text| text.ends_with(' ')));
        let is_apart = || is_near || (self.follows_a_statement(text) && self.ends_a_statement(text));
        match self.kind {
            Kind::Square => {
                (is_loose_list(inner) && is_apart())
                    || ((is_number(inner) || is_number_with_more(inner)) && !self.is_index(text))
                    || (is_glued && (has_number(inner) || is_name(inner)))
                    || (is_near && is_number_with_a_label(inner))
                    || (self.is_unusual()
                        && is_id(inner)
                        && !text.get(self.span.start..).unwrap_or_default().starts_with('【'))
            }
            Kind::Round => is_number(inner) && (read.round || is_glued || (is_near && self.ends_a_statement(text))),
            Kind::Curly | Kind::Angle => {
                is_number(inner.trim_end_matches('/'))
                    && (is_glued || (self.follows_a_statement(text) && self.ends_a_statement(text)))
            }
            Kind::Raised => !matches!(&*self.plain, "²" | "³") && self.follows_a_statement(text),
        }
    }

    /// "items[0] = 5", "rows[2].name"
    fn is_index(&self, text: &str) -> bool {
        let word = text
            .get(..self.span.start)
            .is_some_and(|before| before.ends_with(|c: char| c.is_ascii_alphabetic() || c == '_'));
        let after = text.get(self.span.end..).unwrap_or_default();
        let member = after.strip_prefix('.').is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
        word && (member || (after.trim_start().starts_with('=')))
    }

    /// Whether a word or the end of a sentence stands before the group, not a sign of a formula.
    fn follows_a_statement(&self, text: &str) -> bool {
        let before = text.get(..self.span.start).unwrap_or_default();
        let word = before.trim_end_matches([' ', '\u{a0}']);
        let Some(last) = word.chars().next_back() else { return false };
        if matches!(
            last,
            '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '"' | '”' | '»' | '%' | '。' | '，' | '！' | '？'
        ) {
            return true;
        }
        if word.len() < before.len() && self.kind != Kind::Raised {
            return last.is_alphanumeric();
        }
        let letters = word.chars().rev().take_while(|c| c.is_alphabetic()).count();
        let whole: usize = word.chars().rev().take(letters).map(char::len_utf8).sum();
        letters >= 3
            && word.len() == before.len()
            && !word.get(..word.len() - whole).is_some_and(|rest| rest.ends_with(['\\', '_']))
    }

    /// Whether nothing, a closing sign or another bracket follows the group.
    fn ends_a_statement(&self, text: &str) -> bool {
        let after = text.get(self.span.end..).unwrap_or_default().trim_start_matches([' ', '\t']).chars().next();
        after.is_none_or(|c| ".,;:!?)]…\n\r[{<(".contains(plain_sign(c)) || matches!(c, '。' | '”' | '"'))
    }
}

/// Signs that stand around a number in a marker.
const AROUND: [char; 18] = ['^', '*', '#', '@', '№', '†', '‡', '\'', '"', '`', '_', '[', ']', '(', ')', '{', '}', ' '];

/// Whether a text is a number of up to four digits that is no year, or a list or range of such.
fn is_number(inner: &str) -> bool {
    let bare = inner.trim_matches(|c: char| c.is_whitespace() || AROUND.contains(&c));
    numbers(bare).is_some_and(|rest| rest.trim_start_matches('.').is_empty())
}

/// "1 9", "1..9", "1/9", "1 to 9", "+9": numbers that are parted by what no list has, or one with a sign. Where no citation would
/// stand, it is a matrix, a share or a score.
pub fn is_loose_list(inner: &str) -> bool {
    let parting = |text: &str| -> Option<usize> {
        let inside = text.trim_start();
        let spaces = text.len() - inside.len();
        let sign = ["...", "..", "…", "/", "→", "+"].into_iter().find(|sign| inside.starts_with(sign));
        let word = inside.find(|c: char| !c.is_alphabetic()).unwrap_or(inside.len());
        let length = sign.map_or(word, str::len);
        let is_apart = spaces > 0 || sign.is_some();
        let behind = inside.get(length..)?;
        let rest = behind.trim_start();
        // "1 to 9", not "1to9" or "1 kilometres"
        let is_word = sign.is_some() || length == 0 || (length <= LONGEST_WORD && rest.len() < behind.len());
        (is_apart && is_word && rest.starts_with(|c: char| c.is_ascii_digit())).then(|| text.len() - rest.len())
    };
    const LONGEST_WORD: usize = 12;
    let signed = inner.trim().strip_prefix('+');
    let mut rest = signed.unwrap_or(inner.trim());
    let mut count = 0;
    while let Some(behind) = numbers(rest) {
        count += 1;
        if behind.trim().is_empty() {
            return count > 1 || signed.is_some();
        }
        let Some(length) = parting(behind) else { return false };
        rest = behind.get(length..).unwrap_or_default();
    }
    false
}

/// "99†source", "99: Export Guide", "99|2", "99:2": a number with more behind a sign. A time is none.
fn is_number_with_more(inner: &str) -> bool {
    let bare = inner.trim_start_matches(|c: char| c.is_whitespace() || AROUND.contains(&c));
    let Some(rest) = numbers(bare) else { return false };
    let is_time = |rest: &str| {
        let digits = |c: char| c.is_ascii_digit();
        rest.strip_prefix(':').is_some_and(|rest| rest.len() - rest.trim_start_matches(digits).len() == 2)
    };
    rest.trim_start().starts_with(['†', '‡', '|', ':', '#', '^']) && !is_time(rest)
}

/// "passage 9", "Search result: 9": one or two words and a number.
fn is_number_with_a_label(inner: &str) -> bool {
    let number = inner.trim_start_matches(|c: char| c.is_alphabetic() || " .:：#_='’-".contains(c));
    let label = inner.get(..inner.len() - number.len()).unwrap_or_default();
    !label.is_empty() && label.split_whitespace().count() <= 2 && is_number(number)
}

/// "doc_9": letters and digits of ASCII, a letter first.
fn is_id(inner: &str) -> bool {
    let inner = inner.trim();
    inner.starts_with(|c: char| c.is_ascii_alphabetic())
        && inner.bytes().any(|byte| byte.is_ascii_digit())
        && inner.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:#/-".contains(&byte))
}

/// "wiki", "^pricing": one word, as an id is.
fn is_name(inner: &str) -> bool {
    const LONGEST: usize = 40;
    let name = inner.trim().trim_start_matches('^');
    (2..=LONGEST).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:/-".contains(&byte))
}

fn has_number(inner: &str) -> bool {
    let mut digits = [0; 4];
    !is_year(inner.trim()) && inner.chars().any(|c| ascii_digits(c.encode_utf8(&mut digits)).is_some())
}

fn is_year(digits: &str) -> bool {
    digits.len() == 4 && digits.parse().is_ok_and(|year: u32| (1500..=2100).contains(&year))
}

/// What follows the list of numbers that a text begins with; `None` where it begins with none, or with a year.
fn numbers(text: &str) -> Option<&str> {
    const MOST_DIGITS: usize = 4;
    let mut rest = text;
    let mut behind = None;
    loop {
        let end = rest.find(|c: char| ascii_digits(c.encode_utf8(&mut [0; 4])).is_none()).unwrap_or(rest.len());
        let Some(digits) = ascii_digits(rest.get(..end)?) else { return behind };
        if digits.len() > MOST_DIGITS || is_year(&digits) {
            return None;
        }
        rest = rest.get(end..)?;
        // "2a": a part of a source.
        let part = rest.strip_prefix(['a', 'b', 'c']).filter(|rest| !rest.starts_with(char::is_alphanumeric));
        rest = part.unwrap_or(rest);
        behind = Some(rest);
        let separated = rest.trim_start().strip_prefix([',', ';', '&', '|', '-', '–', '—', '~']);
        let Some(next) = separated.map(str::trim_start) else { return behind };
        rest = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_no_list_has_cite_where_a_citation_would_stand() {
        for text in ["[1 9]", "[1..9]", "[1…9]", "[1 to 9]", "[1/9]", "[9/2]", "[1 or 9]", "[+9]", "[(9)]", "[1 bis 9]"]
        {
            assert_eq!(unread(&format!("It stays 30 days {text}.")), [text], "{text}");
        }
        for text in ["A = [1 2; 3 4]", "A = [1 2]", "Step [1/9] of", "the matrix [1 0 1] is", "[1 km]", "[9 of ten]."] {
            assert_eq!(unread(text), Vec::<&str>::new(), "{text}");
        }
        assert_eq!(unread("It stays {{9}}. Exports too <9/>."), ["{{9}}", "<9/>"]);
    }

    fn unread(text: &str) -> Vec<&str> {
        let (mut found, mut at) = (Vec::new(), 0);
        while let Some(group) = next_group(text, at..text.len()) {
            let is_it = group.looks_like_a_citation(text, &Read::new(&[]));
            at = if is_it { group.span.end } else { group.next };
            found.extend(is_it.then(|| &text[group.span]));
        }
        found
    }

    #[test]
    fn a_number_in_square_brackets_is_a_citation() {
        for text in [
            "[99]",
            "[1, 99]",
            "[#99]",
            "[99†source]",
            "[99:2]",
            "[99: Export Guide]",
            "[2a]",
            "[[9]]",
            "[٩٩]",
            "[^9^]",
        ] {
            assert_eq!(unread(&format!("It stays {text}.")), [text], "{text}");
        }
        for text in [
            "［99］",
            "〔99〕",
            "〖99〗",
            "⟦99⟧",
            "❲99❳",
            "｢99｣",
            "⁅99⁆",
            "⁽⁹⁹⁾",
            r"\[99\]",
            "[9\u{200b}9]",
            "［doc_9］",
        ] {
            assert_eq!(unread(&format!("It stays {text}.")), [text], "{text}");
        }
    }

    #[test]
    fn years_times_insertions_and_formulas_are_none() {
        for text in [
            "[2019]",
            "[1999-2004]",
            "[2026-03-01]",
            "[10:15]",
            "[00:12:45]",
            "[ 2:06:38 ]",
            "[9:30 am]",
            "[0.5, 1.5]",
            "[30 days]",
            "[about 30]",
            "[-5]",
            "[10%]",
            "[sic]",
            "〔2019〕",
            "［図3］",
            "（注1）",
            "(12)",
            "{0} is",
            "[5 stars]",
            "x_{1}.",
            r"\frac{1}{2}.",
            "S = {1}.",
            "a <b> c",
            "10⁶",
            "m²",
            "[12 kg]",
            "[Windows 11]",
            "「10」",
            "１０",
            "1️⃣",
        ] {
            assert_eq!(unread(&format!("It stays {text}")), Vec::<&str>::new(), "{text}");
        }
        assert_eq!(unread("items[0] = 5, rows[1].name"), Vec::<&str>::new());
    }

    #[test]
    fn other_brackets_cite_where_a_citation_would_stand() {
        assert_eq!(unread("It stays 30 days {99}."), ["{99}"]);
        assert_eq!(unread("It stays 30 days ⟨99⟩, exports too <7>."), ["⟨99⟩", "<7>"]);
        assert_eq!(unread("It stays 30 days.⁹⁹ Exports too⁷."), ["⁹⁹", "⁷"]);
    }
}
