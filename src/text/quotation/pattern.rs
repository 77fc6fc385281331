//! A quotation cut at its ellipses and square brackets.

use super::units::{Unit, units};
use crate::text::normal::{Case, Folded};
use crate::text::span::Span;
use crate::text::word::{folded, hash, is_unspaced};

/// What stands before, between or behind the parts of a quotation. Spans are of the folded quotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// Nothing: the quotation begins or ends there.
    None,
    /// An ellipsis.
    Gap(Span),
    /// Words of the quoter's own in square brackets; whether an ellipsis stands beside them.
    Insert(Span, bool),
}

/// A word with letters of the quoter's own in square brackets, `refund[s]`, in lower case.
#[derive(Debug, Clone)]
pub(super) struct Patch {
    before: String,
    inside: String,
    after: String,
}

impl Patch {
    /// Whether the word (in lower case) may have stood there: a changed ending, or a letter or two inside. At the beginning of a word only
    /// upper and lower case may be changed, since letters there can deny: "[un]able".
    fn fits(&self, word: &str) -> bool {
        const LONGEST_ENDING: usize = 3;
        let Some(rest) = word.strip_prefix(self.before.as_str()).filter(|_| self.before.chars().count() >= 2) else {
            return false;
        };
        let Some(middle) = rest.strip_suffix(self.after.as_str()) else { return false };
        let short =
            |letters: &str| letters.chars().count() <= LONGEST_ENDING && letters.chars().all(char::is_alphabetic);
        short(middle) && short(&self.inside)
    }
}

/// A quotation made ready for the search: its units, in parts that must each stand word for word.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) folded: Folded,
    pub(super) units: Vec<Unit>,
    /// First unit and one past the last of each part.
    pub(super) parts: Vec<(usize, usize)>,
    /// One before each part, and one behind the last.
    pub(super) joints: Vec<Joint>,
    patches: Vec<(usize, Patch)>,
    /// Stretches of square brackets with units in them, as first unit and one past the last.
    pub(super) inserts: Vec<(usize, usize)>,
}

/// What a stretch of a folded quotation is.
enum Piece {
    Gap(Span),
    Insert(Span),
    /// The whole word and the brackets in it.
    Patch(Span, Span),
    /// `[sic]`
    Note(Span),
}

impl Pattern {
    /// Reads what stands between the quotation marks; stretches that `keep` refuses are no part of it.
    pub(super) fn read(text: &str, keep: impl Fn(Span) -> bool) -> Self {
        let folded = Folded::new(text, Case::Keep);
        let keep = |span: Span| keep(folded.to_original(text, span));
        let pieces = pieces(folded.text(), &keep);
        let mut pattern = Self {
            units: Vec::new(),
            parts: Vec::new(),
            joints: vec![Joint::None],
            patches: Vec::new(),
            inserts: Vec::new(),
            folded: Folded::new("", Case::Keep),
        };
        let is_aside = |span: Span| {
            pieces.iter().any(|piece| matches!(piece, Piece::Note(aside) | Piece::Gap(aside) if aside.contains(span)))
        };
        let all = units(folded.text(), |span| keep(span) && !is_aside(span));
        let mut next = all.iter().peekable();
        let mut from = 0;
        for piece in &pieces {
            let whole = match piece {
                Piece::Gap(span) | Piece::Insert(span) | Piece::Note(span) | Piece::Patch(span, _) => *span,
            };
            while let Some(unit) = next.next_if(|unit| unit.span().end <= whole.start) {
                pattern.units.push(*unit);
            }
            let inside: Vec<Unit> =
                std::iter::from_fn(|| next.next_if(|unit| unit.span().start < whole.end)).copied().collect();
            match piece {
                Piece::Note(_) => {}
                Piece::Gap(span) => from = pattern.close(from, Joint::Gap(*span)),
                Piece::Insert(span) => {
                    from = pattern.close(from, Joint::Insert(*span, false));
                    pattern.units.extend(inside);
                    pattern.inserts.push((from, pattern.units.len()));
                    from = pattern.units.len();
                }
                Piece::Patch(word, brackets) => pattern.patch(folded.text(), *word, *brackets, &inside),
            }
        }
        pattern.units.extend(next);
        pattern.close(from, Joint::None);
        pattern.folded = folded;
        pattern
    }

    /// Ends the part that began at unit `from`; gives where the next one begins.
    fn close(&mut self, from: usize, joint: Joint) -> usize {
        let to = self.units.len();
        if from < to {
            self.parts.push((from, to));
            self.joints.push(joint);
        } else if let Some(last) = self.joints.last_mut() {
            // Two in a row.
            *last = match (*last, joint) {
                (last, Joint::None) => last,
                (Joint::Insert(span, _), Joint::Gap(_)) | (Joint::Gap(_), Joint::Insert(span, _)) => {
                    Joint::Insert(span, true)
                }
                (Joint::Insert(span, gap), Joint::Insert(other, _)) => Joint::Insert(span.join(other), gap),
                (_, joint) => joint,
            };
        }
        to
    }

    fn patch(&mut self, text: &str, word: Span, brackets: Span, inside: &[Unit]) {
        let lower = |span: Span| folded(span.of(text)).into_owned();
        let patch = Patch {
            before: lower(Span::new(word.start, brackets.start)),
            inside: lower(Span::new(brackets.start + 1, brackets.end - 1)),
            after: lower(Span::new(brackets.end, word.end)),
        };
        let Some(first) = inside.first() else { return };
        let joined = format!("{}{}{}", patch.before, patch.inside, patch.after);
        self.patches.push((self.units.len(), patch));
        self.units.push(Unit::joined(first, word, hash(&joined)));
    }

    /// Whether unit `at` is the passage's unit with this hash and text.
    pub(super) fn fits(&self, at: usize, hash: u64, text: &str) -> bool {
        let Some(unit) = self.units.get(at) else { return false };
        unit.hash == hash || self.patch_at(at).is_some_and(|patch| patch.fits(&folded(text)))
    }

    pub(super) fn patch_at(&self, at: usize) -> Option<&Patch> {
        self.patches.iter().find(|(place, _)| *place == at).map(|(_, patch)| patch)
    }

    /// The unit as it is written.
    pub(super) fn written(&self, at: usize) -> &str {
        self.units.get(at).map_or("", |unit| unit.span().of(self.folded.text()))
    }

    /// Whether it is one part, with nothing left out or put in.
    pub(super) fn is_plain(&self) -> bool {
        self.parts.len() == 1 && self.joints.iter().all(|joint| *joint == Joint::None)
    }

    /// Whether words in square brackets begin or end before unit `at`.
    pub(super) fn is_edge_of_insert(&self, at: usize) -> bool {
        self.inserts.iter().any(|(from, to)| *from == at || *to == at)
    }
}

fn pieces(text: &str, keep: &impl Fn(Span) -> bool) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find(['[', '(', '.', '⋯'])) {
        let start = at + next;
        let piece = piece_at(text, start).filter(|_| keep(Span::new(start, start + 1)));
        at = match &piece {
            Some(Piece::Gap(span) | Piece::Insert(span) | Piece::Note(span) | Piece::Patch(span, _)) => span.end,
            None => start + text.get(start..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8),
        };
        found.extend(piece);
    }
    found
}

fn piece_at(text: &str, start: usize) -> Option<Piece> {
    const LONGEST_BRACKET: usize = 120;
    let rest = text.get(start..)?;
    let close = match rest.chars().next()? {
        '[' => ']',
        '(' => ')',
        _ => return ellipsis(rest).map(|length| Piece::Gap(Span::new(start, start + length))),
    };
    let limit = rest.floor_char_boundary(rest.len().min(LONGEST_BRACKET));
    let end = rest.get(..limit)?.find(close)?;
    let inside = rest.get(1..end)?;
    let brackets = Span::new(start, start + end + 1);
    if ellipsis(inside.trim()).is_some_and(|length| length == inside.trim().len()) {
        return Some(Piece::Gap(brackets));
    }
    if inside.trim().trim_end_matches('!').eq_ignore_ascii_case("sic") {
        return Some(Piece::Note(brackets));
    }
    if close == ')' || inside.contains('[') {
        return None;
    }
    let in_word = |c: &char| (c.is_alphabetic() && !is_unspaced(*c)) || *c == '\'';
    let before: usize = text.get(..start)?.chars().rev().take_while(in_word).map(char::len_utf8).sum();
    let after: usize = text.get(brackets.end..)?.chars().take_while(in_word).map(char::len_utf8).sum();
    if before + after > 0 && inside.chars().all(char::is_alphabetic) {
        return Some(Piece::Patch(Span::new(start - before, brackets.end + after), brackets));
    }
    // A reference mark that was copied with the words.
    let hangs = text.get(..start)?.chars().next_back().is_some_and(|c| !c.is_whitespace());
    if hangs && inside.chars().all(|c| c.is_ascii_digit()) {
        return Some(Piece::Note(brackets));
    }
    Some(if inside.contains(char::is_alphanumeric) { Piece::Insert(brackets) } else { Piece::Note(brackets) })
}

/// How long an ellipsis is that the text begins with: two dots or more in a row, or three with spaces between them.
fn ellipsis(text: &str) -> Option<usize> {
    if text.starts_with('⋯') {
        return Some(text.len() - text.trim_start_matches('⋯').len());
    }
    let (mut dots, mut end, mut spaced) = (0, 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '.' => {
                spaced |= at > end;
                dots += 1;
                end = at + 1;
            }
            ' ' if at == end => {}
            _ => break,
        }
    }
    (dots >= 3 || (dots == 2 && !spaced)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> (Vec<String>, Vec<&'static str>) {
        let pattern = Pattern::read(text, |_| true);
        let part =
            |(from, to): &(usize, usize)| (*from..*to).map(|at| pattern.written(at)).collect::<Vec<_>>().join(" ");
        let joint = |joint: &Joint| match joint {
            Joint::None => "",
            Joint::Gap(_) => "…",
            Joint::Insert(..) => "[]",
        };
        (pattern.parts.iter().map(part).collect(), pattern.joints.iter().map(joint).collect())
    }

    #[test]
    fn ellipses_of_every_shape_cut() {
        for gap in ["…", "...", "[…]", "[...]", "(…)", "( ... )", ". . .", ".…", "⋯⋯", ". [...]"] {
            assert_eq!(
                shown(&format!("one two {gap} three four")),
                (vec!["one two".into(), "three four".into()], vec!["", "…", ""]),
                "{gap}"
            );
        }
        assert_eq!(shown("… one two ..."), (vec!["one two".to_owned()], vec!["…", "…"]));
        assert_eq!(shown("one. Two (three) etc."), (vec!["one Two three etc".to_owned()], vec!["", ""]));
    }

    #[test]
    fn brackets_of_every_kind() {
        assert_eq!(
            shown("[The firm] pays [its staff] now"),
            (vec!["pays".to_owned(), "now".to_owned()], vec!["[]", "[]", ""])
        );
        assert_eq!(shown("the teh [sic] word[12] stands"), (vec!["the teh word stands".to_owned()], vec!["", ""]));
        assert_eq!(shown("[T]he refund[s] are"), (vec!["[T]he refund[s] are".to_owned()], vec!["", ""]));
    }

    #[test]
    fn letters_in_brackets_change_an_ending_and_no_beginning() {
        let fits = |quoted: &str, word: &str| Pattern::read(quoted, |_| true).fits(0, hash(word), word);
        assert!(
            fits("refund[s]", "refund")
                && fits("[T]he", "the")
                && fits("includ[es]", "including")
                && fits("wom[a]n", "women")
        );
        assert!(!fits("[un]able", "able") && !fits("care[less]", "careful"));
    }
}
