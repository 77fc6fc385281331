//! Folding away what typography does to a text, with a way back to the original bytes.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

use super::span::Span;
use super::word::folded;

/// A text without its typography: plain quotes and dashes, single spaces, no ligatures (NFKC), no soft hyphens and other invisible
/// characters, words put together again that a line break had hyphenated, HTML's names of such signs (`&nbsp;`, `&rsquo;`, `&#8217;`) read. Case is
/// kept unless asked otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded {
    text: String,
    /// Where the distance to the original changes: (offset here, offset there), ascending. Between two of them both move in step.
    steps: Vec<(u32, u32)>,
    /// Length of the original.
    original: usize,
}

/// What to do with upper and lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// Leave it.
    Keep,
    /// Make all of it lower case.
    Fold,
}

impl Folded {
    /// Folds `text`. Linear in its length.
    pub fn new(text: &str, case: Case) -> Self {
        let mut folded = Self { text: String::with_capacity(text.len()), steps: Vec::new(), original: text.len() };
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if c == '&'
                && let Some((sign, length)) = entity(text.get(at..).unwrap_or_default())
            {
                while chars.next_if(|(next, _)| *next < at + length).is_some() {}
                folded.push_sign(at, sign);
                continue;
            }
            if c == '\u{ad}'
                && let Some(next) = hyphenated_to(text, at, c)
            {
                while chars.next_if(|(at, _)| *at < next).is_some() {}
                continue;
            }
            if is_invisible(c) {
                continue;
            }
            if c.is_whitespace() {
                if !folded.text.ends_with(' ') {
                    folded.push(at, ' ');
                }
                continue;
            }
            if is_dash(c) {
                match hyphenated_to(text, at, c) {
                    Some(next) => while chars.next_if(|(at, _)| *at < next).is_some() {},
                    None => folded.push(at, '-'),
                }
                continue;
            }
            // "Notes : a reader": the space before a sign that closes is typography.
            if matches!(c, ',' | ';' | ':' | '!' | '?') && folded.text.ends_with(' ') {
                folded.text.pop();
            }
            if c.is_ascii() {
                folded.push(at, if case == Case::Fold { c.to_ascii_lowercase() } else { plain(c) });
                if chars.peek().is_none_or(|(_, next)| next.is_ascii()) {
                    continue;
                }
                folded.text.pop();
            }
            // A character with the combining marks behind it is composed as a whole.
            let mut end = at + c.len_utf8();
            while let Some((mark_at, mark)) = chars.next_if(|(_, next)| canonical_combining_class(*next) != 0) {
                end = mark_at + mark.len_utf8();
            }
            let cluster = text.get(at..end).unwrap_or_default();
            if let Some(quote) = Some(plain(c)).filter(|quote| *quote != c) {
                folded.push(at, quote);
            } else {
                for composed in cluster.nfkc() {
                    match case {
                        Case::Keep => folded.push(at, plain(composed)),
                        Case::Fold => composed.to_lowercase().for_each(|lower| folded.push(at, plain(lower))),
                    }
                }
            }
        }
        folded
    }

    /// A sign that HTML names, read as any other.
    fn push_sign(&mut self, original: usize, sign: char) {
        match sign {
            _ if is_invisible(sign) => {}
            _ if sign.is_whitespace() => {
                if !self.text.ends_with(' ') {
                    self.push(original, ' ');
                }
            }
            _ if is_dash(sign) => self.push(original, '-'),
            '…' => (0..3).for_each(|_| self.push(original, '.')),
            _ => self.push(original, plain(sign)),
        }
    }

    fn push(&mut self, original: usize, c: char) {
        let c = if c.is_whitespace() { ' ' } else { c };
        let here = self.text.len();
        let in_step =
            self.steps.last().is_some_and(|(h, o)| original.checked_sub(*o as usize) == here.checked_sub(*h as usize));
        if !in_step && let (Ok(here), Ok(original)) = (u32::try_from(here), u32::try_from(original)) {
            self.steps.push((here, original));
        }
        self.text.push(c);
    }

    /// The folded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The stretch of the original (`original`, the text this was made of) that `span` of the folded text came from.
    pub fn to_original(&self, original: &str, span: Span) -> Span {
        let start = original.floor_char_boundary(self.back(span.start));
        // The end is where the last character ends that lies inside: invisible characters behind it stay outside.
        let last = self.text.get(span.start..span.end).and_then(|inside| inside.char_indices().next_back());
        let end = match last {
            Some((at, _)) => {
                let from = self.back(span.start + at);
                from + cluster_length(original, from)
            }
            None => start,
        };
        Span::new(start.min(self.original), end.max(start).min(self.original))
    }

    /// Where the character came from that begins at `here`.
    fn back(&self, here: usize) -> usize {
        let after = self.steps.partition_point(|(step, _)| *step as usize <= here);
        after
            .checked_sub(1)
            .and_then(|at| self.steps.get(at))
            .map_or(0, |(step, original)| *original as usize + (here - *step as usize))
    }
}

fn cluster_length(text: &str, at: usize) -> usize {
    let Some(rest) = text.get(at..) else { return 0 };
    let mut chars = rest.char_indices();
    let Some((_, first)) = chars.next() else { return 0 };
    if first.is_whitespace() {
        return first.len_utf8();
    }
    if let Some((_, length)) = entity(rest).filter(|_| first == '&') {
        return length;
    }
    let marks = chars.take_while(|(_, c)| canonical_combining_class(*c) != 0).last();
    marks.map_or(first.len_utf8(), |(at, c)| at + c.len_utf8())
}

/// Where the word goes on, if `dash` at `at` only hyphenates a word at the end of its line.
fn hyphenated_to(text: &str, at: usize, dash: char) -> Option<usize> {
    if !matches!(dash, '-' | '\u{2010}' | '\u{ad}') {
        return None;
    }
    let rest = text.get(at + dash.len_utf8()..)?;
    let next = rest.trim_start_matches([' ', '\t', '\r', '\n']);
    let gap = rest.get(..rest.len() - next.len())?;
    let before = text.get(..at)?.chars().next_back()?;
    let goes_on = gap.contains('\n') && before.is_alphabetic() && next.chars().next()?.is_lowercase();
    goes_on.then(|| at + dash.len_utf8() + gap.len())
}

/// The sign of typography that HTML names at the beginning of `text`, with the length of its name.
fn entity(text: &str) -> Option<(char, usize)> {
    const NAMES: [(&str, char); 29] = [
        ("amp", '&'),
        ("quot", '"'),
        ("apos", '\''),
        ("nbsp", '\u{a0}'),
        ("ensp", ' '),
        ("emsp", ' '),
        ("thinsp", ' '),
        ("shy", '\u{ad}'),
        ("lsquo", '‘'),
        ("rsquo", '’'),
        ("sbquo", '‚'),
        ("ldquo", '“'),
        ("rdquo", '”'),
        ("bdquo", '„'),
        ("laquo", '«'),
        ("raquo", '»'),
        ("lsaquo", '‹'),
        ("rsaquo", '›'),
        ("ndash", '–'),
        ("mdash", '—'),
        ("minus", '−'),
        ("hellip", '…'),
        ("lt", '<'),
        ("gt", '>'),
        ("euro", '€'),
        ("pound", '£'),
        ("yen", '¥'),
        ("sect", '§'),
        ("deg", '°'),
    ];
    const LONGEST: usize = 10;
    let name = text.strip_prefix('&')?;
    let end = name.bytes().take(LONGEST).position(|byte| byte == b';')?;
    let name = name.get(..end)?;
    let sign = match name.strip_prefix('#') {
        Some(code) => {
            let code = match code.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => code.parse().ok()?,
            };
            // Letters and digits that are spelt so are disguised, not set.
            char::from_u32(code).filter(|c| !c.is_alphanumeric() && !c.is_control())?
        }
        None => NAMES.iter().find(|(known, _)| *known == name).map(|(_, sign)| *sign)?,
    };
    Some((sign, end + 2))
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{fe00}'..='\u{fe0f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Whether `c` is written as a dash, hyphen or minus.
pub fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

fn plain(c: char) -> char {
    match c {
        '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '＂' | '〝' | '〞' | '〟' | '「' | '」' | '『' | '』' | '″' => {
            '"'
        }
        '‘' | '’' | '‚' | '‛' | 'ʼ' | '＇' | '`' | '´' | '′' => '\'',
        _ => c,
    }
}

/// An id as ids are compared: NFKC, lower case, no space around it.
pub fn folded_id(id: &str) -> Cow<'_, str> {
    folded(id.trim())
}

/// Whether two ids are the same, upper and lower case alike.
pub fn same_id(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() { a.trim().eq_ignore_ascii_case(b.trim()) } else { folded_id(a) == folded_id(b) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(original: &str, needle: &str) -> Option<String> {
        let folded = Folded::new(original, Case::Fold);
        let start = folded.text().find(needle)?;
        Some(folded.to_original(original, Span::new(start, start + needle.len())).of(original).to_owned())
    }

    #[test]
    fn typography_folds_and_matches_point_at_the_original() {
        assert_eq!(found("He said: “don’t — ever”", "\"don't - ever\"").as_deref(), Some("“don’t — ever”"));
        assert_eq!(found("an eﬃcient way", "efficient").as_deref(), Some("eﬃcient"));
        assert_eq!(found("an eﬃcient way", "way").as_deref(), Some("way"));
        assert_eq!(
            found("sup\u{ad}port of\n\n  cafe\u{301}s", "support of cafés").as_deref(),
            Some("sup\u{ad}port of\n\n  cafe\u{301}s")
        );
        assert_eq!(found("Notes :\n a reader !", "notes: a reader!").as_deref(), Some("Notes :\n a reader !"));
        assert_eq!(found("Ｆｕｌｌ width", "full w").as_deref(), Some("Ｆｕｌｌ w"));
        assert_eq!(found("e\u{301}tat", "état").as_deref(), Some("e\u{301}tat"));
    }

    #[test]
    fn html_names_are_read_and_matches_cover_them() {
        assert_eq!(
            found("they don&rsquo;t&nbsp;pay &#8220;us&#x201d;", "don't pay \"us\"").as_deref(),
            Some("don&rsquo;t&nbsp;pay &#8220;us&#x201d;")
        );
        assert_eq!(
            found("R&D at AT&T &amp; more &unknown;", "r&d at at&t & more").as_deref(),
            Some("R&D at AT&T &amp; more")
        );
        assert_eq!(Folded::new("9&#48; days", Case::Keep).text(), "9&#48; days");
        assert_eq!(Folded::new("re\u{ad}\n  fund", Case::Keep).text(), "refund");
    }

    #[test]
    fn only_a_hyphen_at_the_end_of_a_line_joins() {
        assert_eq!(Folded::new("infor-\n  mation and well-\nKnown", Case::Keep).text(), "information and well- Known");
        assert_eq!(Folded::new("3-\n4", Case::Keep).text(), "3- 4");
    }

    #[test]
    fn ids_compare_without_case() {
        assert!(same_id("DOC_1", " doc_1"));
        assert!(same_id("Größe", "GRÖßE"));
        assert!(!same_id("doc_1", "doc_11"));
    }

    proptest! {
        #[test]
        fn every_span_goes_back_to_boundaries(text in "\\PC{0,40}|[a-zé ﬃ\u{301}\u{ad}\n-]{0,40}") {
            let folded = Folded::new(&text, Case::Fold);
            let at: Vec<usize> = folded.text().char_indices().map(|(i, _)| i).chain([folded.text().len()]).collect();
            for (i, start) in at.iter().enumerate() {
                for end in at.iter().skip(i + 1) {
                    let span = folded.to_original(&text, Span::new(*start, *end));
                    prop_assert!(text.get(span.range()).is_some_and(|s| !s.is_empty()), "{:?}", span);
                }
            }
        }
    }
}
