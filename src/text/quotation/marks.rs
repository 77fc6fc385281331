//! Which stretches of a text stand between quotation marks.

use super::Quotation;
use crate::text::span::Span;
use crate::text::word::{TokenKind, is_apostrophe, is_unspaced, tokens};

/// Opening marks and the marks that close them.
const PAIRS: [(char, &[char]); 17] = [
    ('״', &['״']),
    ('“', &['”', '“', '"']),
    ('„', &['“', '”', '"']),
    ('‟', &['”']),
    ('”', &['”']),
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
    ('〝', &['〞', '〟']),
    ('\'', &['\'']),
];

/// Words that an apostrophe begins.
const CLIPPED: [&str; 12] = ["tis", "twas", "em", "til", "till", "n", "cause", "bout", "round", "cos", "s", "t"];

/// The quotations of `text` of at least `min_words` words, outermost only, in order: what stands between quotation marks of any usual kind, and
/// block quotes (lines that begin with `>`) without marks of their own.
///
/// A mark that never closes in its paragraph opens nothing, but for one whose two sides look different: it may close up to three paragraphs on, or be
/// taken up again at the beginning of the next one. Code between backticks holds no quotation; an apostrophe, or the sign for feet, inches,
/// minutes and seconds, is no mark. Linear in the length of the text.
pub fn quotations(text: &str, min_words: usize) -> Vec<Quotation> {
    // Most plain texts have none of the signs.
    let bytes = text.as_bytes();
    if text.is_ascii()
        && memchr::memchr3(b'"', b'\'', b'>', bytes).is_none()
        && memchr::memchr2(b'&', b'`', bytes).is_none()
    {
        return Vec::new();
    }
    let named = with_named_marks(text);
    let text = named.as_deref().unwrap_or(text);
    let mut found = Reader { text, paragraphs: paragraphs(text), found: Vec::new() }.read();
    found.retain(|quotation| quotation.words >= min_words && !quotation.inner.is_empty());
    block_quotes(text, min_words, &mut found);
    found
}

/// The text with `"` and spaces, byte for byte, in place of the names that HTML has for quotation marks; `None` where it has none.
fn with_named_marks(text: &str) -> Option<String> {
    const NAMES: [&str; 8] = ["&quot;", "&#34;", "&#x22;", "&ldquo;", "&rdquo;", "&bdquo;", "&laquo;", "&raquo;"];
    if memchr::memchr(b'&', text.as_bytes()).is_none() || !NAMES.iter().any(|name| text.contains(name)) {
        return None;
    }
    let mut marked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, behind) = rest.split_at(at);
        marked.push_str(before);
        let Some(name) = NAMES.iter().find(|name| behind.starts_with(**name)) else {
            marked.push('&');
            rest = behind.get(1..).unwrap_or_default();
            continue;
        };
        let opens = !marked.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '!' | '?'));
        let spaces = name.len() - 1;
        marked.extend(std::iter::repeat_n(' ', if opens { spaces } else { 0 }));
        marked.push('"');
        marked.extend(std::iter::repeat_n(' ', if opens { 0 } else { spaces }));
        rest = behind.get(name.len()..).unwrap_or_default();
    }
    marked.push_str(rest);
    Some(marked)
}

/// Where the paragraphs of a text end: behind each run of blank lines.
fn paragraphs(text: &str) -> Vec<usize> {
    let (mut ends, mut at, mut blank) = (Vec::new(), 0, false);
    for line in text.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        if blank && !is_blank {
            ends.push(at);
        }
        blank = is_blank;
        at += line.len();
    }
    ends.push(text.len());
    ends
}

/// Whether what stands between backticks is a sentence rather than code.
fn is_prose(text: &str) -> bool {
    const WORDS: usize = 4;
    let is_word = |word: &str| word.trim_matches([',', '.', ';', ':', '!', '?']).chars().all(char::is_alphabetic);
    text.split_whitespace().count() >= WORDS && text.split_whitespace().all(is_word)
}

struct Reader<'t> {
    text: &'t str,
    paragraphs: Vec<usize>,
    found: Vec<Quotation>,
}

impl Reader<'_> {
    fn char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..).and_then(|rest| rest.chars().next())
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text.get(..at).and_then(|text| text.chars().next_back())
    }

    fn read(mut self) -> Vec<Quotation> {
        let (mut at, mut paragraph) = (0, 0);
        // Marks that were looked for in vain from some point of a paragraph on are not looked for again in it.
        let mut missing: Vec<char> = Vec::new();
        while let Some(c) = self.char_at(at) {
            while self.paragraphs.get(paragraph).is_some_and(|end| *end <= at) {
                paragraph += 1;
                missing.clear();
            }
            let inner = at + c.len_utf8();
            if c == '`' && !missing.contains(&c) {
                at = self.past_backticks(at, self.end(paragraph)).unwrap_or_else(|| {
                    missing.push(c);
                    inner
                });
                continue;
            }
            let pair = PAIRS.iter().find(|(open, _)| *open == c && !missing.contains(open));
            let Some((open, closing)) = pair.filter(|_| self.opens(at, inner, c)) else {
                at = inner;
                continue;
            };
            let close = self.close(inner, self.end(paragraph), *open, closing);
            let Some(end) = close.or_else(|| self.close_further(inner, paragraph, *open, closing)) else {
                missing.push(*open);
                at = inner;
                continue;
            };
            let mark = self.char_at(end).filter(|c| closing.contains(c)).map_or(0, char::len_utf8);
            self.add(Span::new(at, end + mark), Span::new(inner, end), c == '\'');
            at = (end + mark).max(inner);
        }
        self.found
    }

    fn end(&self, paragraph: usize) -> usize {
        self.paragraphs.get(paragraph).copied().unwrap_or(self.text.len())
    }

    fn add(&mut self, span: Span, between: Span, loose: bool) {
        let written = between.of(self.text);
        let lead = written.len() - written.trim_start().len();
        let inner = Span::new(between.start + lead, between.start + lead + written.trim().len());
        self.found.push(Quotation { span, inner, words: word_count(written), loose });
    }

    /// Past code between backticks, or past a quotation written ``so''.
    fn past_backticks(&mut self, at: usize, limit: usize) -> Option<usize> {
        let rest = self.text.get(at..limit)?;
        let fence = rest.len() - rest.trim_start_matches('`').len();
        let inside = rest.get(fence..)?;
        if fence == 2
            && let Some(end) = inside.find("''").filter(|end| !inside.get(..*end).is_some_and(|t| t.contains('`')))
        {
            let between = Span::new(at + fence, at + fence + end);
            self.add(Span::new(at, between.end + 2), between, false);
            return Some(between.end + 2);
        }
        if fence > 2 {
            // A fence of code may go over paragraphs.
            let rest = self.text.get(at + fence..)?;
            return Some(rest.find("```").map_or(self.text.len(), |end| at + fence + end + 3));
        }
        let end = inside.find(rest.get(..fence)?)?;
        let between = Span::new(at + fence, at + fence + end);
        if fence == 2 && is_prose(between.of(self.text)) {
            self.add(Span::new(at, between.end + 2), between, false);
        }
        Some(at + fence + end + fence)
    }

    /// Whether the mark stands where a quotation can open: not inside or right behind a word, nor behind a digit (5' 10").
    fn opens(&self, at: usize, inner: usize, mark: char) -> bool {
        let (before, after) = (self.before(at), self.char_at(inner));
        let behind_word = before.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c));
        if mark == '\'' {
            let free = before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '—' | '–' | ':'));
            let rest = self.text.get(inner..).unwrap_or_default();
            let word = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
            return free && !word.is_empty() && !CLIPPED.contains(&word.to_lowercase().as_str());
        }
        // Where guillemets point inwards, the space before them is sometimes lost.
        let inwards = matches!(mark, '»' | '›') && after.is_some_and(char::is_alphanumeric);
        if behind_word && !inwards && !matches!(mark, '„' | '‟' | '«' | '‹' | '「' | '『' | '〝') {
            return false;
        }
        after.is_some_and(|c| !c.is_whitespace() || matches!(mark, '«' | '‹'))
    }

    /// Where the mark stands that closes what opened before `from`.
    fn close(&self, from: usize, to: usize, open: char, closing: &[char]) -> Option<usize> {
        let mut depth = 0_usize;
        let mut doubtful = None;
        let mut before = open;
        for (at, c) in self.text.get(from..to)?.char_indices() {
            let at = from + at;
            let after = self.char_at(at + c.len_utf8());
            let next_word = after.is_some_and(char::is_alphanumeric);
            let mark = before;
            before = c;
            if c == open && (!closing.contains(&c) || (c == '“' && next_word && !mark.is_alphanumeric())) {
                depth += 1;
                // Behind a possessive another quotation begins: it was the end.
                if matches!(open, '‘') && doubtful.is_some() {
                    return doubtful;
                }
                continue;
            }
            if !closing.contains(&c) || at == from {
                continue;
            }
            // צה״ל: a sign inside of a word.
            if c == '״' && next_word {
                continue;
            }
            if is_apostrophe(c) {
                if next_word || (c == '\'' && mark.is_whitespace()) {
                    continue;
                }
                // "the users’ right": perhaps a possessive, if another mark closes later.
                if depth == 0 && matches!(mark, 's' | 'x' | 'z') && self.goes_on(at + c.len_utf8()) {
                    doubtful = doubtful.or(Some(at));
                    continue;
                }
            }
            if matches!(c, '"') && mark.is_ascii_digit() && self.goes_on(at + 1) && self.closes_later(at + 1, to) {
                continue;
            }
            if depth == 0 {
                return Some(at);
            }
            depth -= 1;
        }
        doubtful
    }

    /// Whether a word in lower case comes next.
    fn goes_on(&self, at: usize) -> bool {
        let mut rest = self.text.get(at..).unwrap_or_default().chars();
        rest.next() == Some(' ') && rest.next().is_some_and(char::is_lowercase)
    }

    /// Whether the next straight mark stands where one closes.
    fn closes_later(&self, at: usize, to: usize) -> bool {
        let Some(next) = self.text.get(at..to).and_then(|rest| rest.find('"')) else { return false };
        let after = self.char_at(at + next + 1);
        self.before(at + next).is_some_and(|c| !c.is_whitespace() && c != '(')
            && after.is_none_or(|c| !c.is_alphanumeric())
    }

    /// The end of a quotation of several paragraphs: that of its first one where the next takes the mark up again, else the closing mark up
    /// to three paragraphs on.
    fn close_further(&self, from: usize, paragraph: usize, open: char, closing: &[char]) -> Option<usize> {
        const MOST_PARAGRAPHS: usize = 3;
        if closing.contains(&open) && open != '“' || matches!(open, '‘' | '‚' | '\'') {
            return None;
        }
        let end = self.end(paragraph);
        let next = self.text.get(end..)?.trim_start_matches(['>', ' ', '\t']);
        let taken_up = next.strip_prefix(open).is_some();
        let own = self.text.get(from..end)?;
        if taken_up {
            return Some(from + own.trim_end().len());
        }
        let limit = self.end(paragraph + MOST_PARAGRAPHS);
        let found = self.close(from, limit, open, closing)?;
        let between = self.text.get(end..found)?;
        (!between.contains(open)).then_some(found)
    }
}

/// Lines that begin with `>`, where they are long and no quotation mark of their own says what is quoted.
fn block_quotes(text: &str, min_words: usize, found: &mut Vec<Quotation>) {
    const LEAST_WORDS: usize = 8;
    if !text.contains('>') {
        return;
    }
    let mut blocks: Vec<Span> = Vec::new();
    let (mut at, mut open) = (0, false);
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start_matches([' ', '\t']);
        let quoted = trimmed.starts_with('>') && line.len() - trimmed.len() <= 3;
        let span = Span::new(at, at + line.trim_end().len());
        at += line.len();
        match blocks.last_mut().filter(|_| open) {
            Some(last) if quoted => last.end = span.end,
            _ if quoted => blocks.push(span),
            _ => {}
        }
        open = quoted;
    }
    let own = std::mem::take(found);
    let mut others = own.into_iter().peekable();
    for block in blocks {
        while let Some(other) = others.next_if(|other| other.span.start < block.start) {
            found.push(other);
        }
        let written = block.of(text);
        let lead = written.len() - written.trim_start_matches([' ', '\t', '>']).len();
        let words = word_count(written);
        // "> **Note:** …" is a notice.
        let is_notice = written.trim_start_matches([' ', '>']).starts_with(['*', '_', '[', '-', '#', '|']);
        let covered = others.peek().is_some_and(|other| other.span.overlaps(block))
            || found.last().is_some_and(|other| other.span.overlaps(block));
        if words >= LEAST_WORDS.max(min_words) && !covered && !is_notice {
            found.push(Quotation { span: block, inner: Span::new(block.start + lead, block.end), words, loose: true });
        }
    }
    found.extend(others);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> Vec<&str> {
        quotations(text, 2).into_iter().map(|q| q.inner.of(text)).collect()
    }

    #[test]
    fn marks_of_many_languages() {
        assert_eq!(quoted("He said “two words” and \"three more words\"."), ["two words", "three more words"]);
        assert_eq!(
            quoted(
                "«deux mots», « trois mots ici », „zwei Wörter“, ‚zwei Wörter‘, »zwei Wörter«, „twee woorden”, ”två ord”"
            ),
            ["deux mots", "trois mots ici", "zwei Wörter", "zwei Wörter", "zwei Wörter", "twee woorden", "två ord"]
        );
        assert_eq!(
            quoted("「返品条件です」と言う。『返品の条件』も“返品の条件”も。"),
            ["返品条件です", "返品の条件", "返品の条件"]
        );
        assert_eq!(quoted("as ``two words'' and `code \"not quoted\" here` say"), ["two words"]);
        assert_eq!(quoted("es heißt»zwei Wörter«, « deux mots » et"), ["zwei Wörter", "deux mots"]);
    }

    #[test]
    fn apostrophes_feet_and_inches_are_no_marks() {
        assert_eq!(quoted("the users' rights and the dogs' food, it's 'n' all, 5' 10\" tall"), Vec::<&str>::new());
        assert_eq!(quoted("‘it’s the users’ right’ they said"), ["it’s the users’ right"]);
        assert_eq!(quoted("‘the new terms’ and the ‘old ones’"), ["the new terms", "old ones"]);
        assert_eq!(quoted("'it's the users' right' they said, 'tis so"), ["it's the users' right"]);
        assert_eq!(
            quoted("\"the 12\" disc is sold\" and \"in 1990\" or \"in 2000\""),
            ["the 12\" disc is sold", "in 1990", "in 2000"]
        );
    }

    #[test]
    fn quotations_nest_and_end_with_their_paragraph() {
        assert_eq!(quoted("“he said “two words” to me” twice"), ["he said “two words” to me"]);
        assert_eq!(quoted("„er sagte ‚zwei Wörter‘ dazu“"), ["er sagte ‚zwei Wörter‘ dazu"]);
        assert_eq!(quoted("an open \"mark here\n\nand \"another one\" there"), ["another one"]);
        assert_eq!(quoted("“one more line\n\n“and the last one” so"), ["one more line", "and the last one"]);
        assert_eq!(quoted("“one more line\n\nand the last” so"), ["one more line\n\nand the last"]);
    }

    #[test]
    fn long_block_quotes_are_loose_quotations() {
        let text =
            "It says:\n> all refunds are paid within\n> thirty days of purchase\n\nand \"two words\" more\n> short one";
        let found = quotations(text, 2);
        assert_eq!(found.iter().map(|q| (q.words, q.loose)).collect::<Vec<_>>(), [(9, true), (2, false)]);
        assert!(quotations("> **Note:** this is not a quotation at all, you see", 2).is_empty());
    }

    #[test]
    fn open_marks_take_linear_time() {
        for mark in ["“", "'a ", "\"a\n\n", "« ", "`", "``", "12\" a", "‘as’ a", "> a\n\n"] {
            let _ = quotations(&mark.repeat(20_000), 2);
        }
    }
}
