//! What is wrong with an input, where it stands, and what to do about it.
//!
//! Every reader of this crate (rule files, lexicons, datasets) collects [`Problem`]s and goes on, so that one run
//! shows everything that is wrong. A [`Problem`] has a [`Code`] from one catalogue, a place, what was found, what
//! was expected, and at most one line of help. [`Problems::render`] turns them into text for a person.

use std::cmp::Ordering;
use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};

/// How many problems are shown; the rest is counted.
pub const SHOWN: usize = 100;

/// The problems kept while collecting: more than are shown, so that the pruning stays cheap.
const KEPT: usize = 8 * SHOWN;

/// A line longer than this many bytes is cut around the caret before it is rendered.
const LONG_LINE: usize = 2_000;

/// The name of one kind of problem, such as `unknown-key`. Only [`code`] can make one, so the catalogue is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(&'static str);

impl Code {
    /// The code as it is written between the brackets of `error[…]`.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.0)
    }
}

macro_rules! codes {
    ($($name:ident $text:literal $meaning:literal)*) => {
        /// Every code a problem can carry. To add one, add one line to the list in `src/diagnostic.rs`.
        pub mod code {
            use super::Code;
            $(#[doc = $meaning] pub const $name: Code = Code($text);)*
        }
        /// All codes with their meaning, in the order in which they are declared.
        pub const CATALOGUE: &[(Code, &str)] = &[$((Code($text), $meaning)),*];
    };
}

codes! {
    SYNTAX "syntax" "The file is not YAML or JSON that can be read."
    TOO_LARGE "too-large" "The file, a line, or what its aliases expand to is over the limit."
    MULTIPLE_DOCUMENTS "multiple-documents" "A file holds more than one YAML document."
    NOT_UTF8 "not-utf8" "The file is not UTF-8 text."
    UNREADABLE "unreadable" "A file or folder cannot be read."
    DUPLICATE_KEY "duplicate-key" "One map has the same key twice."
    UNKNOWN_KEY "unknown-key" "A key that does not exist at this place."
    MISSING_KEY "missing-key" "A key that is needed is not there."
    UNKNOWN_NAME "unknown-name" "A word that is not one of the words allowed here."
    WRONG_TYPE "wrong-type" "A value of the wrong type, such as text where a number belongs."
    WRONG_VALUE "wrong-value" "A value of the right type that is not allowed here."
    NOT_FINITE "not-finite" "NaN or an infinite number."
    VERSION "version" "The format version is missing or not one that this program reads."
    EMPTY "empty" "A list, a text, a file or a folder that must hold something is empty."
    DUPLICATE_ID "duplicate-id" "Two entries have the same id."
    BAD_ID "bad-id" "An id that has characters which ids may not have."
    BAD_RATIO "bad-ratio" "A ratio that is not between 0 and 1."
    BAD_REGEX "bad-regex" "A regular expression that cannot be compiled."
    BAD_PATH "bad-path" "A field path that addresses nothing."
    MISSING_GROUP "missing-group" "A marker pattern without the named group that holds the reference."
    UNKNOWN_RULE "unknown-rule" "A reference to a rule that is not declared."
    UNKNOWN_METRIC "unknown-metric" "A reference to a metric that does not exist."
    UNKNOWN_SLICE "unknown-slice" "A reference to a slice that is not declared."
    SLICE_VALUE "slice-value" "A slice with a value that it cannot have, or without one that it needs."
    WRONG_SUBJECT "wrong-subject" "A condition or slice that has no meaning for what it is applied to."
    CONTRADICTION "contradiction" "Settings that contradict each other."
    BAD_BOUND "bad-bound" "Bounds that no value, or every value, would meet."
    WRONG_DIRECTION "wrong-direction" "A drop of a metric that should be low, or a rise of one that should be high."
    TOO_FEW_SAMPLES "too-few-samples" "A sample size with which the gate could never pass."
    BAD_TEMPLATE "bad-template" "A message template that cannot be rendered."
    NO_EFFECT "no-effect" "A setting that can have no effect where it stands."
    BAD_EXAMPLE "bad-example" "A rule example that cannot be run."
    EXAMPLE_FAILED "example-failed" "A rule example that does not come out as it says."
    MALFORMED_JSON "malformed-json" "A line that is not JSON."
    DUPLICATE_CASE "duplicate-case" "Two cases have the same id."
    DUPLICATE_NAME "duplicate-name" "One field under two of its names."
    CHANGED_DATASET "changed-dataset" "A frozen dataset whose bytes differ from what was frozen."
    NO_CASES "no-cases" "A dataset without cases."
    OUTPUT "output" "A folder or file that cannot be written to, or must not be."
    BROKEN_RUN "broken-run" "A run folder that is not as it was written."
    BAD_SPAN "bad-span" "A span that is half given, empty, outside of its content, or cuts a character."
    MISSING_ANSWER "missing-answer" "A case for which the answers file has no answer."
    NOT_FOUND "not-found" "A file, folder, dataset or version that does not exist."
    TOO_DEEP "too-deep" "Lists or objects inside one another, more than the limit."
    UNKNOWN_CASE "unknown-case" "An answer for a case that the dataset does not have."
    UNKNOWN_CLAIM "unknown-claim" "A label for a claim that the case does not have."
    UNKNOWN_LABEL "unknown-label" "A word that is no label."
}

/// A text that problems point into.
#[derive(Debug, Clone)]
pub struct Source {
    /// The path as it is shown.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// A piece of a [`Source`], in bytes, end exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The index of the source in [`Problems`].
    pub source: u32,
    /// The first byte.
    pub start: u32,
    /// The byte behind the last one.
    pub end: u32,
}

impl Span {
    /// The part of this span from `start` to `end`, in bytes counted from its beginning.
    #[must_use]
    pub fn part(self, start: usize, end: usize) -> Self {
        let clamp = |offset: usize| self.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX)).min(self.end);
        Self { source: self.source, start: clamp(start), end: clamp(end) }
    }
}

/// Where a problem is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Not known (yet).
    Unknown,
    /// A piece of a text that is at hand.
    Span(Span),
    /// A whole file.
    File(Box<str>),
    /// A physical line of a file, counted from 1.
    Line(Box<str>, u64),
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Which kind of problem.
    pub code: Code,
    /// What is wrong: a lower-case fragment without a full stop.
    pub message: Box<str>,
    /// What stands beside the caret: what was found and what was expected.
    pub label: Option<Box<str>>,
    /// Where it is.
    pub place: Place,
    /// What to do: one line.
    pub help: Option<Box<str>>,
    /// Other places that matter, each with a few words.
    pub also: Vec<(Span, String)>,
}

impl Problem {
    /// A problem without a place.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into().into_boxed_str(),
            label: None,
            place: Place::Unknown,
            help: None,
            also: Vec::new(),
        }
    }

    /// Sets the place to a piece of a source.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.place = Place::Span(span);
        self
    }

    /// Sets the place to a piece of a source, unless there is a place already.
    #[must_use]
    pub fn at_default(self, span: Span) -> Self {
        match self.place {
            Place::Unknown => self.at(span),
            _ => self,
        }
    }

    /// Sets the place to a whole file.
    #[must_use]
    pub fn in_file(mut self, name: impl Into<String>) -> Self {
        self.place = Place::File(name.into().into_boxed_str());
        self
    }

    /// Sets the place to a physical line of a file, counted from 1.
    #[must_use]
    pub fn on_line(mut self, name: impl Into<String>, line: u64) -> Self {
        self.place = Place::Line(name.into().into_boxed_str(), line);
        self
    }

    /// Sets the text beside the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into().into_boxed_str());
        self
    }

    /// Sets the text beside the caret to what was found and what was expected.
    #[must_use]
    pub fn found(self, found: impl std::fmt::Display, expected: impl std::fmt::Display) -> Self {
        self.label(format!("found {found}, expected {expected}"))
    }

    /// Sets the line of help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into().into_boxed_str());
        self
    }

    /// Sets the line of help, where there is one.
    #[must_use]
    pub fn help_if(self, help: Option<String>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// Adds another place that matters.
    #[must_use]
    pub fn and(mut self, span: Span, label: impl Into<String>) -> Self {
        self.also.push((span, label.into()));
        self
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.label {
            Some(label) => write!(formatter, ": {label}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {}

/// Problems with the texts they point into.
#[derive(Debug, Clone, Default)]
pub struct Problems {
    sources: Vec<Source>,
    list: Vec<Problem>,
    dropped: usize,
}

impl Problems {
    /// No problems yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a text that spans may point into and gives its index.
    pub fn add_source(&mut self, name: impl Into<String>, text: impl Into<String>) -> u32 {
        self.sources.push(Source { name: name.into(), text: text.into() });
        u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX)
    }

    /// The text with this index, as [`Self::add_source`] gave it.
    pub fn source(&self, index: u32) -> Option<&Source> {
        self.sources.get(index as usize)
    }

    /// Adds a problem.
    pub fn push(&mut self, problem: Problem) {
        self.list.push(problem);
        if self.list.len() > KEPT {
            self.prune();
        }
    }

    /// Takes over all problems of another collection, with the texts they point into.
    pub fn absorb(&mut self, other: Self) {
        let shift = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
        self.sources.extend(other.sources);
        self.dropped += other.dropped;
        for mut problem in other.list {
            if let Place::Span(span) = &mut problem.place {
                span.source = span.source.saturating_add(shift);
            }
            for (span, _) in &mut problem.also {
                span.source = span.source.saturating_add(shift);
            }
            self.push(problem);
        }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many problems there are, those that are counted only included.
    pub fn len(&self) -> usize {
        self.list.len() + self.dropped
    }

    /// The problems that will be shown, in the order of their places.
    pub fn shown(&self) -> Vec<&Problem> {
        let mut shown: Vec<&Problem> = self.list.iter().collect();
        shown.sort_by(|a, b| self.order(a, b));
        shown.truncate(SHOWN);
        shown
    }

    /// Where a problem is: `file:line:col`, `file:line` or `file`. Lines and columns are counted from 1, columns in
    /// characters.
    pub fn location(&self, problem: &Problem) -> String {
        match &problem.place {
            Place::Unknown => String::new(),
            Place::File(name) => harmless(name),
            Place::Line(name, line) => format!("{}:{line}", harmless(name)),
            Place::Span(span) => self.span_location(*span),
        }
    }

    /// All problems as plain text, [`SHOWN`] at most, with a last line that counts the rest. Ends in a line break
    /// unless there are none. Control characters and terminal escapes of the input are made visible, never passed on.
    pub fn render(&self) -> String {
        let shown = self.shown();
        let mut out = String::new();
        for (index, problem) in shown.iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            self.render_one(problem, &mut out);
        }
        if self.len() > shown.len() {
            let _ = writeln!(out, "\nand {} more problems", self.len() - shown.len());
        }
        out
    }

    fn prune(&mut self) {
        let mut list = std::mem::take(&mut self.list);
        list.sort_by(|a, b| self.order(a, b));
        self.dropped += list.len() - SHOWN;
        list.truncate(SHOWN);
        self.list = list;
    }

    /// A total order: by file name, position, code and message.
    fn order(&self, a: &Problem, b: &Problem) -> Ordering {
        let key = |problem: &Problem| match &problem.place {
            Place::Unknown => (String::new(), 0, 0),
            Place::File(name) => (name.to_string(), 0, 0),
            Place::Line(name, line) => (name.to_string(), *line, 0),
            Place::Span(span) => match self.source(span.source) {
                Some(source) => (source.name.clone(), 0, u64::from(span.start)),
                None => (String::new(), 0, u64::from(span.start)),
            },
        };
        key(a)
            .cmp(&key(b))
            .then_with(|| a.code.cmp(&b.code))
            .then_with(|| a.message.cmp(&b.message))
            .then_with(|| a.label.cmp(&b.label))
    }

    fn span_location(&self, span: Span) -> String {
        match self.source(span.source) {
            Some(source) => {
                let line = LineOf::new(&source.text, span);
                format!("{}:{}:{}", harmless(&source.name), line.number, line.column)
            }
            None => String::new(),
        }
    }

    fn render_one(&self, problem: &Problem, out: &mut String) {
        let location = self.location(problem);
        if !location.is_empty() {
            let _ = write!(out, "{location}: ");
        }
        let _ = writeln!(out, "error[{}]: {}", problem.code, harmless(&problem.message));
        match &problem.place {
            Place::Span(span) => self.render_snippet(*span, problem.label.as_deref(), true, out),
            _ => {
                if let Some(label) = &problem.label {
                    let _ = writeln!(out, "  {}", harmless(label));
                }
            }
        }
        for (span, label) in &problem.also {
            let _ = writeln!(out, "  see {}: {}", self.span_location(*span), harmless(label));
            self.render_snippet(*span, None, false, out);
        }
        if let Some(help) = &problem.help {
            let _ = writeln!(out, "  help: {}", harmless(help));
        }
    }

    fn render_snippet(&self, span: Span, label: Option<&str>, primary: bool, out: &mut String) {
        let Some(source) = self.source(span.source) else { return };
        let line = LineOf::new(&source.text, span);
        let kind = if primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        // A place without a width is shown as one column, behind the end of the line too.
        let (text, end) = match line.text.get(line.start..).and_then(|rest| rest.chars().next()) {
            Some(next) => (line.text.to_owned(), line.end.max(line.start + next.len_utf8())),
            None => (format!("{} ", line.text), line.start + 1),
        };
        let snippet = Snippet::source(text)
            .line_start(line.number)
            .annotation(kind.span(line.start..end).label(label.map(harmless)));
        let group = Group::with_level(Level::ERROR).element(snippet);
        let text = Renderer::plain().term_width(140).render(&[group]);
        for row in text.lines() {
            let _ = writeln!(out, "{}", row.trim_end());
        }
    }
}

/// The line on which a span begins, cut around it where it is very long.
struct LineOf<'a> {
    text: &'a str,
    /// Counted from 1.
    number: usize,
    /// Counted from 1, in characters.
    column: usize,
    /// The span inside of `text`, in bytes.
    start: usize,
    end: usize,
}

impl<'a> LineOf<'a> {
    fn new(text: &'a str, span: Span) -> Self {
        let start = floor_boundary(text, span.start as usize);
        let end = floor_boundary(text, span.end as usize).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line_end = line_start + text[line_start..line_end].trim_end_matches('\r').len();
        let number = text[..line_start].bytes().filter(|byte| *byte == b'\n').count() + 1;
        // A byte order mark is no column of the first line.
        let line_start = if text[line_start..].starts_with('\u{feff}') && line_start == 0 {
            '\u{feff}'.len_utf8().min(start.max(line_start))
        } else {
            line_start
        };
        let start = start.clamp(line_start, line_end);
        let end = end.clamp(start, line_end);
        let column = text[line_start..start].chars().count() + 1;
        let (from, to) = if line_end - line_start > LONG_LINE {
            (
                floor_boundary(text, start.saturating_sub(LONG_LINE / 4)).max(line_start),
                floor_boundary(text, start + LONG_LINE / 2).min(line_end),
            )
        } else {
            (line_start, line_end)
        };
        Self { text: &text[from..to], number, column, start: start - from, end: end.min(to) - from }
    }
}

/// The last character boundary of `text` at or before `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// One line of text from an input, with control characters, terminal escapes and direction marks made visible.
pub fn harmless(text: &str) -> String {
    normalize_untrusted_str(&text.replace(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'], "␤"))
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

/// Text of an input between quotation marks, cut where it is long, for use in a message.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("\"{}…\"", harmless(&text[..cut])),
        None => format!("\"{}\"", harmless(text)),
    }
}

/// The candidate that is most like `found`, if one is like it enough to be what was meant.
pub fn closest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['_', ' '], "-");
    let wanted = plain(found);
    // Very long input is never a misspelling, and the comparison is quadratic.
    if wanted.is_empty() || wanted.len() > 100 {
        return None;
    }
    candidates
        .into_iter()
        .map(|candidate| {
            let other = plain(candidate);
            let longest = wanted.chars().count().max(other.chars().count());
            let distance = strsim::damerau_levenshtein(&wanted, &other);
            (distance, longest, candidate)
        })
        .filter(|(distance, longest, _)| *distance == 0 || *distance * 3 <= *longest)
        .min_by_key(|(distance, _, candidate)| (*distance, *candidate))
        .map(|(_, _, candidate)| candidate)
}

/// A line of help: "did you mean …?" where a candidate is close, else the list of all candidates (up to twenty).
pub fn did_you_mean<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    match closest(found, candidates.iter().copied()) {
        Some(candidate) => Some(format!("did you mean `{candidate}`?")),
        None if candidates.is_empty() || candidates.len() > 20 => None,
        None => Some(format!("it can be {}", one_of(&candidates))),
    }
}

/// Words as a list for a sentence: "`a`, `b` or `c`".
pub fn one_of<S: AsRef<str>>(words: &[S]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_ref())).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: u32, end: u32) -> Span {
        Span { source: 0, start, end }
    }

    fn rendered(text: &str, problem: Problem) -> String {
        let mut problems = Problems::new();
        problems.add_source("rules/a.yaml", text);
        problems.push(problem);
        problems.render()
    }

    #[test]
    fn a_problem_begins_with_its_place_and_points_at_the_token() {
        let problem = Problem::new(code::BAD_RATIO, "`min` is not a ratio")
            .at(span(16, 18))
            .found("95", "a ratio between 0 and 1")
            .help("did you mean 0.95?");
        assert_eq!(
            rendered("gates:\n  - min: 95\n", problem),
            "rules/a.yaml:2:10: error[bad-ratio]: `min` is not a ratio\n\
             \x20 |\n\
             2 |   - min: 95\n\
             \x20 |          ^^ found 95, expected a ratio between 0 and 1\n\
             \x20 help: did you mean 0.95?\n"
        );
    }

    #[test]
    fn wide_characters_and_tabs_keep_the_caret_under_the_token() {
        let text = "\t文書: x\n";
        let problem = Problem::new(code::WRONG_VALUE, "no").at(span(9, 10)).label("here");
        let shown = rendered(text, problem);
        assert!(shown.starts_with("rules/a.yaml:1:6: error[wrong-value]: no\n"), "{shown}");
        assert!(shown.contains("1 |     文書: x\n"), "{shown}");
        // Four columns for the tab, four for the two wide characters, two for ": ".
        assert!(shown.contains("\n  |           ^ here\n"), "{shown}");
    }

    #[test]
    fn escapes_of_the_input_never_reach_the_terminal() {
        let text = "a: \u{1b}[31mred\u{202e}\u{9b}x\n";
        let problem = Problem::new(code::WRONG_VALUE, format!("bad {}", quoted("\u{1b}[2J\nx")))
            .at(span(3, 4))
            .label("\u{1b}]0;title\u{7}");
        let shown = rendered(text, problem);
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}') && !shown.contains('\u{7}'), "{shown:?}");
        assert!(shown.contains("bad \"␛[2J␤x\""), "{shown}");
    }

    #[test]
    fn a_long_line_is_cut_around_the_caret() {
        let text = format!("{}HERE{}", "x".repeat(100_000), "y".repeat(100_000));
        let shown = rendered(&text, Problem::new(code::SYNTAX, "no").at(span(100_000, 100_004)).label("this"));
        assert!(shown.starts_with("rules/a.yaml:1:100001: "), "{}", &shown[..80]);
        assert!(shown.contains("HERE") && shown.contains("^^^^ this"), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() < 200), "{shown}");
    }

    #[test]
    fn spans_outside_of_the_text_are_harmless() {
        let shown = rendered("é", Problem::new(code::SYNTAX, "no").at(span(1, 4_000_000_000)));
        assert!(shown.starts_with("rules/a.yaml:1:1: error[syntax]: no\n"), "{shown}");
        let shown = rendered("", Problem::new(code::SYNTAX, "no").at(span(0, 0)).label("here"));
        assert_eq!(shown, "rules/a.yaml:1:1: error[syntax]: no\n  |\n1 |\n  | ^ here\n");
        let shown = rendered("a\n", Problem::new(code::SYNTAX, "no").at(span(0, 0)).label("here"));
        assert_eq!(shown, "rules/a.yaml:1:1: error[syntax]: no\n  |\n1 | a\n  | ^ here\n");
    }

    #[test]
    fn problems_are_sorted_by_file_and_place_and_capped() {
        let mut problems = Problems::new();
        problems.add_source("a", "x\ny\n");
        for line in (1..=5_000).rev() {
            problems.push(Problem::new(code::MALFORMED_JSON, "not JSON").on_line("b", line));
        }
        problems.push(Problem::new(code::SYNTAX, "second").at(span(2, 3)));
        problems.push(Problem::new(code::SYNTAX, "first").at(span(0, 1)));
        assert_eq!(problems.len(), 5_002);
        let shown = problems.shown();
        assert_eq!(shown.len(), SHOWN);
        assert_eq!(&*shown[0].message, "first");
        assert_eq!(&*shown[1].message, "second");
        assert_eq!(shown[2].place, Place::Line("b".into(), 1));
        assert_eq!(shown[99].place, Place::Line("b".into(), 98));
        assert!(problems.render().ends_with("\nand 4902 more problems\n"));
    }

    #[test]
    fn suggestions_are_close_or_absent() {
        assert_eq!(closest("severty", ["severity", "slices"]), Some("severity"));
        assert_eq!(closest("id_range", ["id-range", "resolves"]), Some("id-range"));
        assert_eq!(closest("banana", ["severity", "slices"]), None);
        assert_eq!(did_you_mean("banana", ["a-b", "c-d"]).as_deref(), Some("it can be `a-b` or `c-d`"));
    }

    #[test]
    fn the_catalogue_of_codes_is_complete_and_unique() {
        let mut codes: Vec<&str> = CATALOGUE.iter().map(|(code, _)| code.as_str()).collect();
        let expected = include_str!("diagnostic_codes.txt");
        assert_eq!(codes.join("\n") + "\n", expected, "list the new code in src/diagnostic_codes.txt");
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), CATALOGUE.len());
        assert!(CATALOGUE.iter().all(|(_, meaning)| meaning.ends_with('.')));
    }
}
