//! Rendering the view with templates: strict about names, bounded in work, escaping what comes from data.

use std::fs;
use std::path::{Path, PathBuf};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value, context};
use sha2::{Digest as _, Sha256};

use super::view::View;
use super::visible::visible;
use super::{markdown, ratio};
use crate::diagnostic::{Problem, code};

/// Largest Markdown report, in bytes; a pull-request comment on GitHub takes 65,536 characters.
pub const MD_BYTES: usize = 60_000;
/// More than any list of a view holds.
const EVERY: usize = 1_000_000_000;
/// Steps of work that one rendering may take: some ten thousand times what a report needs for one finding.
const FUEL: u64 = 100_000_000;
/// The shipped templates.
const HTML: &str = include_str!("../../templates/report.html");
const MD: &str = include_str!("../../templates/report.md");
/// Name of the auto-escape for Markdown.
const MARKDOWN: &str = "markdown";

/// A template with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Its path as displayed; its ending decides how data is escaped.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The templates of the two reports of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Templates {
    /// Of `report.html`.
    pub html: Template,
    /// Of `report.md`.
    pub md: Template,
}

impl Default for Templates {
    fn default() -> Self {
        let shipped = |name: &str, text: &str| Template { name: name.to_owned(), text: text.to_owned() };
        Self { html: shipped("templates/report.html", HTML), md: shipped("templates/report.md", MD) }
    }
}

impl Templates {
    /// The templates of a project: `report.html` and `report.md` in `folder`, the shipped ones where a file is absent.
    ///
    /// # Errors
    /// A [`Problem`] where a file cannot be read or is no template.
    pub fn of_folder(folder: &Path) -> Result<Self, Problem> {
        let mut templates = Self::default();
        for (name, template) in [("report.html", &mut templates.html), ("report.md", &mut templates.md)] {
            let path: PathBuf = folder.join(name);
            if path.exists() {
                *template = Template::read(&path)?;
                environment(template)?;
            }
        }
        Ok(templates)
    }

    /// Paths of the templates that are not the shipped ones.
    pub fn overridden(&self) -> impl Iterator<Item = &str> {
        let shipped = [(&self.html, HTML), (&self.md, MD)];
        shipped
            .into_iter()
            .filter(|(template, text)| template.text != *text)
            .map(|(template, _)| template.name.as_str())
    }
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// A [`Problem`] where it cannot be read or is not UTF-8.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let name = path.display().to_string();
        match fs::read_to_string(path) {
            Ok(text) => Ok(Self { name, text }),
            Err(error) => Err(Problem::new(code::UNREADABLE, format!("the template cannot be read: {error}"))
                .in_file(name)
                .help("give a text file, such as a copy of templates/report.html")),
        }
    }
}

/// How much of the view a template should place; the rest it should count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
struct Show {
    gates: usize,
    slices: usize,
    clusters: usize,
    items: usize,
    flips: usize,
}

/// Renders the HTML report.
///
/// # Errors
/// A [`Problem`] at the template's line, with the name that is undefined where that is why.
pub fn render_html(view: &View, templates: &Templates) -> Result<String, Problem> {
    render_file(view, &templates.html)
}

/// Renders the Markdown report, at most [`MD_BYTES`] long; says what was left out.
///
/// # Errors
/// As [`render_html`].
pub fn render_md(view: &View, templates: &Templates) -> Result<String, Problem> {
    render_file(view, &templates.md)
}

/// Renders any template. One that ends in `.md` gives at most [`MD_BYTES`]: it is rendered with fewer and fewer items
/// until it fits.
///
/// # Errors
/// As [`render_html`].
pub fn render_file(view: &View, template: &Template) -> Result<String, Problem> {
    let environment = environment(template)?;
    let value = Value::from(Serde(view));
    let all = Show { gates: EVERY, slices: EVERY, clusters: EVERY, items: EVERY, flips: EVERY };
    if !is_markdown(&escape_of(&template.name)) {
        return render(&environment, template, &value, all);
    }
    let mut text = String::new();
    for show in [
        Show { gates: 50, slices: 8, clusters: 20, items: 25, flips: 30 },
        Show { gates: 30, slices: 4, clusters: 10, items: 10, flips: 15 },
        Show { gates: 20, slices: 2, clusters: 10, items: 5, flips: 8 },
        Show { gates: 10, slices: 0, clusters: 5, items: 2, flips: 4 },
        Show { gates: 5, slices: 0, clusters: 0, items: 0, flips: 0 },
    ] {
        text = render(&environment, template, &value, show)?;
        if text.len() <= MD_BYTES {
            return Ok(text);
        }
    }
    Ok(cut(text))
}

/// The last resort for a template that does not heed how much it should show.
fn cut(mut text: String) -> String {
    const REST: &str = "\n\n*The rest was left out: the report is too long for a comment.*\n";
    let room = MD_BYTES - REST.len();
    let at = text.as_bytes().iter().take(room).rposition(|byte| *byte == b'\n').unwrap_or(0);
    text.truncate(at);
    text + REST
}

fn render(environment: &Environment<'_>, template: &Template, view: &Value, show: Show) -> Result<String, Problem> {
    let loaded = environment.get_template(&template.name).map_err(|error| problem(&error, template))?;
    let text = loaded
        .render(context! { show => Value::from(Serde(show)), ..view.clone() })
        .map_err(|error| problem(&error, template))?;
    Ok(if text.ends_with('\n') { text } else { text + "\n" })
}

fn environment(template: &Template) -> Result<Environment<'_>, Problem> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(100);
    environment.set_debug(true);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.map_err(|error| problem(&error, template))?);
    environment.set_auto_escape_callback(escape_of);
    environment.set_formatter(write_escaped);
    environment.add_filter("md", |text: &str| Value::from_safe_string(markdown::escaped(text)));
    environment.add_filter("code", |text: &str| Value::from_safe_string(markdown::code(text)));
    environment.add_filter("grouped", ratio::grouped);
    environment.add_filter("json", json);
    environment.add_filter("csp_hash", csp_hash);
    environment.add_template(&template.name, &template.text).map_err(|error| problem(&error, template))?;
    Ok(environment)
}

fn escape_of(name: &str) -> AutoEscape {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "html" | "htm" | "xhtml" | "xml" | "svg" => AutoEscape::Html,
        "md" | "markdown" => AutoEscape::Custom(MARKDOWN.into()),
        _ => AutoEscape::None,
    }
}

fn is_markdown(escape: &AutoEscape) -> bool {
    matches!(escape, AutoEscape::Custom(name) if name == MARKDOWN)
}

/// Writes a value: always harmless, and escaped as the template's kind asks.
fn write_escaped(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let text = match value.as_str() {
        Some(text) if value.is_safe() => return Ok(out.write_str(text)?),
        Some(text) => visible(text),
        None if matches!(value.kind(), ValueKind::None) => return Ok(()),
        None => visible_value(value),
    };
    match state.auto_escape() {
        AutoEscape::Html => out.write_str(&html(&text))?,
        escape if is_markdown(escape) => out.write_str(&markdown::escaped(&text))?,
        _ => out.write_str(&text)?,
    }
    Ok(())
}

fn visible_value(value: &Value) -> std::borrow::Cow<'static, str> {
    std::borrow::Cow::Owned(visible(&value.to_string()).into_owned())
}

fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            c => out.push(c),
        }
    }
    out
}

/// A value as JSON, to be escaped like any other text: fit for an attribute.
fn json(value: Value) -> Result<String, Error> {
    serde_json::to_string(&value).map_err(|error| {
        Error::new(ErrorKind::BadSerialization, "the value cannot be written as JSON").with_source(error)
    })
}

/// `'sha256-…'` for a content security policy: allows exactly this text of a `<style>` or `<script>`.
fn csp_hash(text: &str) -> Value {
    Value::from_safe_string(format!("'sha256-{}'", base64(&Sha256::digest(text.as_bytes()))))
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().enumerate().fold(0_u32, |word, (i, byte)| word | u32::from(*byte) << (16 - 8 * i));
        for i in 0..4 {
            let digit = ALPHABET.get((word >> (18 - 6 * i) & 63) as usize).copied().unwrap_or(b'=');
            out.push(if i <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

/// What is wrong with a template, at its line.
fn problem(error: &Error, template: &Template) -> Problem {
    let piece = error.range().and_then(|range| template.text.get(range)).unwrap_or_default();
    let message = match error.kind() {
        ErrorKind::UndefinedError => format!("{} is undefined", crate::diagnostic::quoted(piece)),
        ErrorKind::OutOfFuel => "the template takes too long".to_owned(),
        kind => match error.detail() {
            Some(detail) => format!("{kind}: {detail}"),
            None => kind.to_string(),
        },
    };
    let problem = Problem::new(code::BAD_TEMPLATE, message);
    let problem = match error.line() {
        Some(line) => problem.on_line(&*template.name, line as u64),
        None => problem.in_file(&*template.name),
    };
    problem.help("the names that a template may use are in docs/report-view.md")
}
