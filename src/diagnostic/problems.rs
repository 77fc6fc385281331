//! Collecting problems and showing them.

use std::cmp::Ordering;
use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::words::seen;
use super::{Place, Problem, Source, Span, harmless};

/// How many problems are shown; the rest is counted.
pub const SHOWN: usize = 100;

/// The problems kept while collecting: more than are shown, so that the pruning stays cheap.
const KEPT: usize = 8 * SHOWN;

/// A line longer than this many bytes is cut around the caret before it is rendered.
const LONG_LINE: usize = 2_000;

/// Problems with the texts they point into.
#[derive(Debug, Clone, Default)]
pub struct Problems {
    sources: Vec<Source>,
    list: Vec<Problem>,
    dropped: usize,
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        let mut problems = Self::new();
        problems.push(problem);
        problems
    }
}

impl Problems {
    /// No problems yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a text that spans may point into and gives its index.
    pub fn add_source(&mut self, name: impl Into<String>, text: impl Into<String>) -> u32 {
        self.sources.push(Source::new(name, text));
        u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX)
    }

    /// Adds the problems of another list, which point into none of its texts.
    pub fn append(&mut self, other: Self) {
        self.dropped += other.dropped;
        other.list.into_iter().for_each(|problem| self.push(problem));
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

    /// Changes each problem that is kept.
    pub fn change(&mut self, change: impl FnMut(&mut Problem)) {
        self.list.iter_mut().for_each(change);
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
                let line = LineOf::new(source, span);
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
        let line = LineOf::new(source, span);
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
            // The renderer leaves C1 controls and invisible characters of the source as they are.
            let _ = writeln!(out, "{}", row.trim_end().chars().map(seen).collect::<String>());
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
    fn new(source: &'a Source, span: Span) -> Self {
        let text = source.text.as_str();
        let start = floor_boundary(text, span.start as usize);
        let end = floor_boundary(text, span.end as usize).max(start);
        let (line, line_start) = source.line_at(start);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line_end = line_start + text[line_start..line_end].trim_end_matches('\r').len();
        let number = line + 1;
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
