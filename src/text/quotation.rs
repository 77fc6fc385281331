//! Quotations in a text, and how well a passage bears them out.

use super::analysis::Analysis;
use super::lexicon::Lexicon;
use super::normal::Folded;
use super::span::Span;
use super::word::{TokenKind, is_apostrophe, tokens};

/// A quotation in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quotation {
    /// With its quotation marks.
    pub span: Span,
    /// Between them, without spaces at the ends.
    pub inner: Span,
    /// How many words it has; characters of scripts without spaces count two to a word.
    pub words: usize,
}

/// How well a passage bears out a quotation, best first. Spans are of the passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grade {
    /// Character by character.
    Exact(Span),
    /// But for quotation marks, dashes, spaces, ligatures, soft hyphens and hyphens at line ends (and case, where allowed).
    Typographic(Span),
    /// With words left out, marked by an ellipsis; what is left stands in order, and no negation or hedge was left out.
    Elided(Span),
    /// With words of the quoter's own in square brackets, or letters changed in them.
    Inserted(Span),
    /// Nearly so: `words` of its words differ there.
    NearMiss {
        /// The stretch that comes closest.
        span: Span,
        /// How many words were changed, left out or put in.
        words: usize,
    },
    /// Not there.
    NotFound,
}

/// What counts as a quotation and as found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quoting {
    /// Shorter ones are words held up with tongs, titles and names: no quotations.
    pub min_words: usize,
    /// Upper and lower case are alike.
    pub fold_case: bool,
    /// The most bytes an ellipsis may stand for.
    pub longest_gap: usize,
}

impl Default for Quoting {
    /// From three words up, case told apart, gaps of up to 400 bytes.
    fn default() -> Self {
        Self { min_words: 3, fold_case: false, longest_gap: 400 }
    }
}

impl Quotation {
    /// From five words up a quotation decides.
    pub fn is_final(&self) -> bool {
        self.words >= 5
    }
}

/// Opening marks and the marks that close them.
const PAIRS: [(char, &[char]); 13] = [
    ('“', &['”', '“', '"']),
    ('„', &['“', '”', '"']),
    ('‟', &['”']),
    ('«', &['»']),
    ('»', &['«']),
    ('‹', &['›']),
    ('›', &['‹']),
    ('‘', &['’']),
    ('‚', &['‘', '’']),
    ('「', &['」']),
    ('『', &['』']),
    ('"', &['"', '”']),
    ('＂', &['＂']),
];

/// The quotations of `text` of at least `min_words` words, outermost only. A mark that never closes in its paragraph opens nothing. Linear in
/// the length of the text.
pub fn quotations(text: &str, min_words: usize) -> Vec<Quotation> {
    let mut found = Vec::new();
    let mut from = 0;
    // Paragraph by paragraph: a quotation that is never closed cannot swallow the rest of the text.
    for paragraph in text.split_inclusive("\n\n") {
        in_paragraph(text, from, from + paragraph.len(), min_words, &mut found);
        from += paragraph.len();
    }
    found
}

fn in_paragraph(text: &str, from: usize, to: usize, min_words: usize, found: &mut Vec<Quotation>) {
    // Closing marks that were looked for in vain from some point on are not looked for again.
    let mut missing: Vec<char> = Vec::new();
    let mut at = from;
    while let Some(c) = text.get(at..to).and_then(|rest| rest.chars().next()) {
        let inner = at + c.len_utf8();
        let pair = PAIRS.iter().find(|(open, _)| *open == c && !missing.contains(open));
        let Some((open, closing)) = pair.filter(|_| opens(text, at, inner, c)) else {
            at = inner;
            continue;
        };
        let Some(end) = close(text, inner, to, *open, closing) else {
            missing.push(*open);
            at = inner;
            continue;
        };
        let written = text.get(inner..end).unwrap_or_default();
        let mark = text.get(end..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let lead = written.len() - written.trim_start().len();
        let quotation = Quotation {
            span: Span::new(at, end + mark),
            inner: Span::new(inner + lead, inner + lead + written.trim().len()),
            words: word_count(written),
        };
        at = end + mark;
        if quotation.words >= min_words && !quotation.inner.is_empty() {
            found.push(quotation);
        }
    }
}

/// Whether the mark stands where a quotation can open: not inside or right behind a word, nor behind a digit (5' 10").
fn opens(text: &str, at: usize, inner: usize, mark: char) -> bool {
    let before = text.get(..at).and_then(|t| t.chars().next_back());
    let after = text.get(inner..).and_then(|t| t.chars().next());
    let straight = matches!(mark, '"' | '＂');
    let single = is_apostrophe(mark) || matches!(mark, '‘' | '‚');
    let behind_word = before.is_some_and(|c| c.is_alphanumeric());
    if (straight || single || matches!(mark, '»' | '›' | '“')) && behind_word {
        return false;
    }
    after.is_some_and(|c| !c.is_whitespace() || matches!(mark, '«' | '‹'))
}

fn close(text: &str, from: usize, to: usize, open: char, closing: &[char]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut chars = text.get(from..to)?.char_indices().peekable();
    let mut before = open;
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, c)| *c);
        // An apostrophe inside a word closes nothing.
        let apostrophe = is_apostrophe(c) && next.is_some_and(char::is_alphanumeric) && before.is_alphanumeric();
        if c == open && !closing.contains(&c) {
            depth += 1;
        } else if closing.contains(&c) && !apostrophe {
            if depth == 0 {
                return Some(from + at);
            }
            depth -= 1;
        }
        before = c;
    }
    None
}

fn word_count(text: &str) -> usize {
    let (mut words, mut characters) = (0, 0_usize);
    for token in tokens(text) {
        match token.kind {
            TokenKind::Word | TokenKind::Digits => words += 1,
            TokenKind::Ideograph => characters += 1,
            TokenKind::Mark | TokenKind::Space => {}
        }
    }
    words + characters.div_ceil(2)
}

/// How well `passage` bears out `quotation` (the words between the marks). Linear in the passage, but for the search of a near miss, which is
/// bounded by the quotation's length times the passage's words around its rarest word.
pub fn find(quotation: &str, passage: (&str, &Analysis), quoting: &Quoting) -> Grade {
    let (text, analysis) = passage;
    // The quoter's own full stop or comma may stand inside the marks.
    let quotation = quotation.trim();
    let bare = quotation.trim_end_matches(['.', ',', ';', '!', '?', ':', '。', '、']);
    if bare.is_empty() {
        return Grade::NotFound;
    }
    for wanted in [quotation, bare] {
        if let Some(start) = whole_words(text, wanted) {
            return Grade::Exact(Span::new(start, start + wanted.len()));
        }
    }
    let folded = if quoting.fold_case { analysis.folded_case(text) } else { analysis.folded(text) };
    let case = if quoting.fold_case { super::normal::Case::Fold } else { super::normal::Case::Keep };
    let wanted = Folded::new(bare, case);
    let to_passage = |span: Span| folded.to_original(text, span);
    if let Some(start) = whole_words(folded.text(), wanted.text().trim()) {
        return Grade::Typographic(to_passage(Span::new(start, start + wanted.text().trim().len())));
    }
    let pieces = Pieces::of(wanted.text());
    if let Some(span) = pieces.find(folded.text(), quoting.longest_gap, analysis.lexicon()) {
        let span = to_passage(span);
        return if pieces.bracketed { Grade::Inserted(span) } else { Grade::Elided(span) };
    }
    near_miss(wanted.text(), folded.text())
        .map_or(Grade::NotFound, |(span, words)| Grade::NearMiss { span: to_passage(span), words })
}

/// Where `wanted` stands in `text` without cutting a word at either end.
fn whole_words(text: &str, wanted: &str) -> Option<usize> {
    let first = wanted.chars().next()?;
    let last = wanted.chars().next_back()?;
    let cuts = |a: Option<char>, b: Option<char>| {
        let joins = |c: char| c.is_alphanumeric() && !super::word::is_unspaced(c);
        a.is_some_and(joins) && b.is_some_and(joins)
    };
    // A repeated beginning could make the search quadratic: a bound keeps it linear.
    text.match_indices(wanted).take(64).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).and_then(|t| t.chars().next_back());
        let after = text.get(at + wanted.len()..).and_then(|t| t.chars().next());
        !cuts(before, Some(first)) && !cuts(Some(last), after)
    })
}

/// A quotation cut at its ellipses and square brackets.
struct Pieces<'q> {
    pieces: Vec<&'q str>,
    bracketed: bool,
}

impl<'q> Pieces<'q> {
    fn of(quotation: &'q str) -> Self {
        const MOST_PIECES: usize = 24;
        let mut pieces = Vec::new();
        let mut bracketed = false;
        let mut rest = quotation;
        while let Some(at) = [rest.find("..."), rest.find(". . ."), rest.find('[')].into_iter().flatten().min() {
            if pieces.len() == MOST_PIECES {
                break;
            }
            pieces.push(rest.get(..at).unwrap_or_default());
            let cut = rest.get(at..).unwrap_or_default();
            let length = if cut.starts_with('[') {
                let end = cut.find(']').map_or(cut.len(), |end| end + 1);
                let inside = cut.get(1..end.saturating_sub(1)).unwrap_or_default();
                bracketed |= inside.chars().any(char::is_alphanumeric);
                end
            } else {
                cut.find(|c| c != '.' && c != ' ').unwrap_or(cut.len())
            };
            rest = cut.get(length..).unwrap_or_default();
        }
        pieces.push(rest);
        let pieces = pieces
            .into_iter()
            .map(|p| p.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '.')))
            .filter(|p| !p.is_empty())
            .collect();
        Self { pieces, bracketed }
    }

    /// All pieces in order, each at most `longest_gap` behind the one before, no negation or hedge in between.
    fn find(&self, text: &str, longest_gap: usize, lexicon: &Lexicon) -> Option<Span> {
        const MOST_STARTS: usize = 16;
        let (first, rest) = self.pieces.split_first()?;
        if rest.is_empty() && !self.bracketed {
            return None;
        }
        let long_enough = self.pieces.iter().map(|piece| word_count(piece)).sum::<usize>() >= 2;
        if !long_enough {
            return None;
        }
        text.match_indices(first).take(MOST_STARTS).find_map(|(start, _)| {
            let mut end = start + first.len();
            for piece in rest {
                let limit = text.floor_char_boundary(text.len().min(end + longest_gap + piece.len()));
                let at = end + text.get(end..limit)?.find(piece)?;
                if drops_meaning(text.get(end..at)?, lexicon) {
                    return None;
                }
                end = at + piece.len();
            }
            Some(Span::new(start, end))
        })
    }
}

/// Whether a gap holds a negation or a hedge, so that leaving it out changes what is said.
fn drops_meaning(gap: &str, lexicon: &Lexicon) -> bool {
    let tokens = tokens(gap);
    !lexicon.cues.negations.all(gap, &tokens).is_empty() || !lexicon.cues.hedges.all(gap, &tokens).is_empty()
}

/// The stretch of `text` whose words come closest to the quotation's, where at most a fifth of them differ.
fn near_miss(quotation: &str, text: &str) -> Option<(Span, usize)> {
    const MOST_PLACES: usize = 64;
    const LONGEST: usize = 120;
    let words = |t: &str| -> Vec<Span> {
        tokens(t)
            .into_iter()
            .filter(|t| matches!(t.kind, TokenKind::Word | TokenKind::Digits | TokenKind::Ideograph))
            .map(|t| t.span)
            .collect()
    };
    let (wanted, have) = (words(quotation), words(text));
    let allowed = wanted.len() / 5;
    if wanted.len() > LONGEST || allowed == 0 {
        return None;
    }
    let word = |text: &str, span: &Span| super::word::hash(&super::word::folded(span.of(text)));
    let sought: Vec<u64> = wanted.iter().map(|span| word(quotation, span)).collect();
    let there: Vec<u64> = have.iter().map(|span| word(text, span)).collect();
    // Places where two neighbouring words of the quotation stand together; at most `allowed` words differ, so one of them must.
    let mut places: Vec<usize> = Vec::new();
    let pairs: std::collections::HashMap<(u64, u64), usize> =
        sought.windows(2).enumerate().rev().filter_map(|(i, w)| Some(((*w.first()?, *w.get(1)?), i))).collect();
    for (at, pair) in there.windows(2).enumerate() {
        if let (Some(first), Some(second)) = (pair.first(), pair.get(1))
            && let Some(offset) = pairs.get(&(*first, *second))
        {
            let start = at.saturating_sub(*offset);
            if places.last() != Some(&start) {
                places.push(start);
            }
        }
        if places.len() == MOST_PLACES {
            break;
        }
    }
    let mut best: Option<(usize, usize, usize)> = None;
    for start in places {
        let from = start.saturating_sub(allowed);
        let window = there.get(from..there.len().min(start + sought.len() + allowed))?;
        let (distance, begin, end) = closest(&sought, window);
        if distance <= allowed && best.is_none_or(|(least, _, _)| distance < least) {
            best = Some((distance, from + begin, from + end));
        }
    }
    let (distance, begin, end) = best.filter(|(_, begin, end)| begin < end)?;
    Some((have.get(begin)?.join(*have.get(end - 1)?), distance))
}

/// The part of `window` with the least edit distance (in words) to `sought`: distance, begin, end.
fn closest(sought: &[u64], window: &[u64]) -> (usize, usize, usize) {
    // Free to begin and end anywhere in the window: row by row, each cell with the place its path began.
    let mut row: Vec<(usize, usize)> = (0..=window.len()).map(|j| (0, j)).collect();
    for (i, want) in sought.iter().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        next.push((i + 1, 0));
        for ((above, have), left_above) in row.iter().skip(1).zip(window).zip(&row) {
            let same = (left_above.0 + usize::from(want != have), left_above.1);
            let dropped = (above.0 + 1, above.1);
            let added = next.last().map_or((usize::MAX, 0), |(d, b): &(usize, usize)| (d + 1, *b));
            next.push(same.min(dropped).min(added));
        }
        row = next;
    }
    let (end, (distance, begin)) =
        row.into_iter().enumerate().min_by_key(|(_, (d, _))| *d).unwrap_or((0, (usize::MAX, 0)));
    (distance, begin, end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::lexicon::Lexicons;

    fn quoted(text: &str) -> Vec<&str> {
        quotations(text, 2).into_iter().map(|q| q.inner.of(text)).collect()
    }

    #[test]
    fn marks_of_many_languages_and_no_apostrophe() {
        assert_eq!(quoted("He said “two words” and \"three more words\"."), ["two words", "three more words"]);
        assert_eq!(
            quoted("«deux mots», « trois mots ici », „zwei Wörter“, ‚zwei Wörter‘, »zwei Wörter«"),
            ["deux mots", "trois mots ici", "zwei Wörter", "zwei Wörter", "zwei Wörter"]
        );
        assert_eq!(quoted("「返品条件です」と言う"), ["返品条件です"]);
        assert_eq!(quoted("the users' rights and the dogs' food, it's 'n' all, 5' 10\" tall"), Vec::<&str>::new());
        assert_eq!(quoted("‘it’s the users’ right’ they said"), ["it’s the users"]);
        assert_eq!(quoted("an open \"mark here\n\nand \"another one\" there"), ["another one"]);
    }

    fn grade(quotation: &str, passage: &str) -> Grade {
        let lexicons = Lexicons::shipped().unwrap_or_else(|problems| panic!("{problems:?}"));
        find(quotation, (passage, &Analysis::new(Some("en"), &lexicons)), &Quoting::default())
    }

    #[test]
    fn grades() {
        let passage = "All orders ship within two working days, and returns are not free after the first month.";
        assert_eq!(grade("ship within two working days.", passage), Grade::Exact(Span::new(11, 39)));
        assert_eq!(grade("don’t ship  ‘today’", "They don't ship 'today'."), Grade::Typographic(Span::new(5, 23)));
        assert_eq!(grade("All orders … two working days", passage), Grade::Elided(Span::new(0, 39)));
        assert_eq!(grade("returns are … free", passage), Grade::NotFound);
        assert_eq!(grade("[they] ship within two working days", passage), Grade::Inserted(Span::new(11, 39)));
        assert_eq!(
            grade("All orders ship within three working days", passage),
            Grade::NearMiss { span: Span::new(0, 39), words: 1 }
        );
        assert_eq!(grade("No refunds are ever given", passage), Grade::NotFound);
        assert_eq!(grade("hip within two", passage), Grade::NotFound);
    }

    proptest! {
        #[test]
        fn nothing_panics_and_spans_fit(text in "\\PC{0,50}|[ab“”\"'‘’«». \n\\[\\]…]{0,60}", passage in "\\PC{0,50}|[ab“”' .\u{ad}]{0,60}") {
            let lexicons = Lexicons::shipped().map_err(|e| TestCaseError::fail(format!("{e:?}")))?;
            let analysis = Analysis::new(Some("en"), &lexicons);
            for quotation in quotations(&text, 0) {
                prop_assert!(text.get(quotation.span.range()).is_some() && text.get(quotation.inner.range()).is_some());
                let found = find(quotation.inner.of(&text), (&passage, &analysis), &Quoting { fold_case: true, ..Quoting::default() });
                if let Grade::Exact(span) | Grade::Typographic(span) | Grade::Elided(span) | Grade::Inserted(span) | Grade::NearMiss { span, .. } = found {
                    prop_assert!(passage.get(span.range()).is_some_and(|s| !s.is_empty()));
                }
            }
        }
    }
}
