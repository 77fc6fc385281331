//! What is wrong with an input, where it stands, and what to do about it.
//!
//! Every reader of this crate (rule files, lexicons, datasets) collects [`Problem`]s and goes on, so that one run
//! shows everything that is wrong. A [`Problem`] has a [`Code`] from one catalogue, a place, what was found, what
//! was expected, and at most one line of help. [`Problems::render`] turns them into text for a person.

mod problems;
mod words;

pub use problems::{Problems, SHOWN};
pub use words::{closest, counted, did_you_mean, harmless, is_hidden, one_of, quoted};

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
    UNREAD_FILE "unread-file" "A file whose name or content says that it belongs to what is read, and that is not read."
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
    WRONG_DIRECTION "wrong-direction" "A bound on the side on which the metric is good: a `min` or a drop of one that should be low, a `max` or a rise of one that should be high."
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
    REASON_NEEDED "reason-needed" "A baseline would become worse, and nobody says why."
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
    /// The byte at which each line begins.
    lines: Vec<usize>,
}

impl Source {
    /// A text with the name that it is shown under.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        Self { name: name.into(), text, lines }
    }

    /// The line that a byte is on, counted from 0, and the byte at which it begins.
    fn line_at(&self, byte: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= byte).saturating_sub(1);
        (line, self.lines.get(line).copied().unwrap_or(0))
    }
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

#[cfg(test)]
mod tests;
