//! Terms as they are written and as they are compiled.

use std::borrow::Cow;
use std::fmt;

use regex::Regex;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::phrase::{Phrase, Reading};
use crate::check::expression;
use crate::diagnostic::{Problem, Span as Place, code};
use crate::text::Span;
use crate::yaml::Located;

/// A term as written: a plain text, a regular expression or a list of synonyms.
#[derive(Debug, Clone, PartialEq)]
pub enum WrittenTerm {
    /// Whole words; between two `/`: a regular expression.
    Plain(String),
    /// A regular expression.
    Regex(Located<String>),
    /// Synonyms.
    AnyOf(Vec<Located<WrittenTerm>>),
}

impl<'de> Deserialize<'de> for WrittenTerm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TermVisitor)
    }
}

struct TermVisitor;

impl<'de> Visitor<'de> for TermVisitor {
    type Value = WrittenTerm;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a term: text, `/expression/`, `{ regex: … }`, or a list of synonyms")
    }

    fn visit_str<E>(self, text: &str) -> Result<WrittenTerm, E> {
        let inside = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        Ok(match inside {
            Some(expression) => WrittenTerm::Regex(Located::nowhere(expression.to_owned())),
            None => WrittenTerm::Plain(text.to_owned()),
        })
    }

    /// A number is a term like any other: `all: [90]`.
    fn visit_u64<E>(self, number: u64) -> Result<WrittenTerm, E> {
        Ok(WrittenTerm::Plain(number.to_string()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<WrittenTerm, A::Error> {
        let mut terms = Vec::new();
        while let Some(term) = items.next_element()? {
            terms.push(term);
        }
        Ok(WrittenTerm::AnyOf(terms))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WrittenTerm, A::Error> {
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Expression {
            regex: Located<String>,
        }
        Expression::deserialize(MapAccessDeserializer::new(map)).map(|expression| WrittenTerm::Regex(expression.regex))
    }
}

impl JsonSchema for WrittenTerm {
    fn schema_name() -> Cow<'static, str> {
        "Term".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let term = generator.subschema_for::<WrittenTerm>();
        json_schema!({
            "description": "A term: text (between two slashes: a regular expression), `{ regex: … }`, or a list of synonyms.",
            "anyOf": [
                { "type": "string", "minLength": 1 },
                { "type": "integer", "minimum": 0 },
                { "type": "array", "items": term, "minItems": 1 },
                {
                    "type": "object", "required": ["regex"], "additionalProperties": false,
                    "properties": { "regex": { "type": "string", "format": "regex", "minLength": 1 } }
                }
            ]
        })
    }
}

/// A compiled term: any of its forms will do.
pub(super) struct Term {
    forms: Vec<Form>,
}

enum Form {
    Plain(String),
    Regex(Regex),
}

impl Term {
    /// A plain term.
    pub(super) fn plain(text: &str) -> Self {
        Self { forms: vec![Form::Plain(text.to_owned())] }
    }

    /// The term in a message; synonyms joined by "or".
    pub(super) fn name(&self) -> String {
        let names: Vec<&str> = self
            .forms
            .iter()
            .map(|form| match form {
                Form::Plain(text) => text.as_str(),
                Form::Regex(expression) => expression.as_str(),
            })
            .collect();
        names.join(" or ")
    }

    /// Where a passage has the term.
    pub(super) fn find(&self, reading: &Reading<'_>) -> Option<Span> {
        self.forms.iter().find_map(|form| match form {
            Form::Plain(text) => reading.find(&Phrase::new(text, reading.lexicon())),
            Form::Regex(expression) => reading.find_expression(expression),
        })
    }
}

/// Compiles the list under `key`, where it is given.
pub(super) fn compiled(
    key: &str,
    written: Option<Located<Vec<Located<WrittenTerm>>>>,
    problems: &mut Vec<Problem>,
) -> Vec<Term> {
    let Some(written) = written else { return Vec::new() };
    if written.is_empty() {
        problems.push(
            Problem::new(code::EMPTY, format!("`{key}` is empty")).at(written.span).label("expected at least one term"),
        );
    }
    let mut terms = Vec::new();
    for Located { value, span } in written.value {
        let mut forms = Vec::new();
        add(value, span, &mut forms, problems);
        terms.push(Term { forms });
    }
    terms
}

/// Adds the forms of a term; lists inside lists are one set of synonyms.
fn add(term: WrittenTerm, span: Place, forms: &mut Vec<Form>, problems: &mut Vec<Problem>) {
    match term {
        WrittenTerm::Plain(text) if Phrase::is_empty(&text) => {
            let problem = Problem::new(code::EMPTY, "a term without a word");
            problems.push(problem.at(span).label("expected at least one letter, digit or sign"));
        }
        WrittenTerm::Plain(text) => forms.push(Form::Plain(text)),
        WrittenTerm::Regex(mut expression) => {
            if expression.span == Place::default() {
                expression.span = span;
            }
            match expression::compiled("regex", &expression, true) {
                Ok(compiled) => forms.push(Form::Regex(compiled)),
                Err(problem) => problems.push(problem),
            }
        }
        WrittenTerm::AnyOf(terms) if terms.is_empty() => {
            problems.push(
                Problem::new(code::EMPTY, "a list of synonyms that is empty")
                    .at(span)
                    .label("expected at least one term"),
            );
        }
        WrittenTerm::AnyOf(terms) => {
            for Located { value, span } in terms {
                add(value, span, forms, problems);
            }
        }
    }
}
