//! Rendering the view with templates: strict about names, bounded in work, escaping what comes from data.

use std::path::Path;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, ValueKind};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value, context};
use sha2::{Digest as _, Sha256};

use super::sample::{self, Amount};
use super::template::{Template, Templates};
use super::view::View;
use super::visible::visible;
use super::{answer, csv, markdown, names, ratio};
use crate::diagnostic::{Problem, Problems, Span, code, quoted};

/// Fewest bytes that a Markdown report may take, whatever its characters: what the text columns of databases hold.
pub const MD_BYTES: usize = 65_535;
/// More than any list of a view holds.
const EVERY: usize = 1_000_000_000;
/// Steps of work that one rendering may take: some ten thousand times what a report needs for one finding.
const FUEL: u64 = 100_000_000;
/// The same for a made-up run, which holds little.
const FUEL_TO_TRY: u64 = 5_000_000;
/// Where to look when a template is wrong.
const NAMES: &str = "the names that a template may use are in docs/report-view.md";
/// Name of the auto-escape for Markdown.
const MARKDOWN: &str = "markdown";
/// Name of the auto-escape for cells of a table.
const CSV: &str = "csv";

/// How much of the view a template should place; the rest it should count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub(super) struct Show {
    gates: usize,
    slices: usize,
    clusters: usize,
    items: usize,
    flips: usize,
}

impl Show {
    /// The names of its numbers.
    pub(super) const KEYS: [&str; 5] = ["gates", "slices", "clusters", "items", "flips"];
}

const ALL: Show = Show { gates: EVERY, slices: EVERY, clusters: EVERY, items: EVERY, flips: EVERY };

/// What a Markdown report shows, from as much as anybody reads in a comment to the least.
const STEPS: [Show; 7] = [
    Show { gates: 30, slices: 10, clusters: 15, items: 10, flips: 25 },
    Show { gates: 30, slices: 8, clusters: 10, items: 7, flips: 15 },
    Show { gates: 20, slices: 5, clusters: 8, items: 5, flips: 8 },
    Show { gates: 15, slices: 3, clusters: 5, items: 3, flips: 5 },
    Show { gates: 10, slices: 0, clusters: 3, items: 1, flips: 3 },
    Show { gates: 5, slices: 0, clusters: 0, items: 0, flips: 0 },
    Show { gates: 1, slices: 0, clusters: 0, items: 0, flips: 0 },
];

/// Renders the HTML report.
///
/// # Errors
/// One problem at its place in the template, with the name that is undefined where that is why.
pub fn render_html(view: &View, templates: &Templates) -> Result<String, Problems> {
    render_file(view, &templates.html, templates.markdown_characters)
}

/// Renders the Markdown report, at most as long as the policy says; says what was left out.
///
/// # Errors
/// As [`render_html`].
pub fn render_md(view: &View, templates: &Templates) -> Result<String, Problems> {
    render_file(view, &templates.md, templates.markdown_characters)
}

/// Renders any template. One that ends in `.md` gives at most so many `characters`, and no more bytes than the greater of
/// that number and [`MD_BYTES`]: it is rendered with fewer and fewer items until it fits.
///
/// # Errors
/// As [`render_html`].
pub fn render_file(view: &View, template: &Template, characters: usize) -> Result<String, Problems> {
    render_value(&Value::from(Serde(view)), template, characters, &environment(template)?, NAMES)
}

/// Looks up every name of a template in the schema of the view, those in branches that a run does not take too.
///
/// # Errors
/// What is wrong with it, each at its place.
pub fn look_up(template: &Template) -> Result<(), Problems> {
    names::check(template, &environment(template)?)
}

/// Finds out before the work whether a template can be rendered: it is parsed, every name in it is looked up in the
/// schema of the view, and it is rendered for two made-up runs, one full and one empty.
///
/// # Errors
/// What is wrong with it, each at its place.
pub fn try_out(template: &Template) -> Result<(), Problems> {
    look_up(template)?;
    let mut environment = environment(template)?;
    environment.set_fuel(Some(FUEL_TO_TRY));
    for (amount, help) in [
        (Amount::Full, "found with a made-up run; the names that a template may use are in docs/report-view.md"),
        (Amount::Empty, "found with a made-up run that has nothing in it: any list or text may be empty"),
    ] {
        render_value(&Value::from(Serde(sample::view(amount))), template, usize::MAX, &environment, help)?;
    }
    Ok(())
}

fn render_value(
    view: &Value,
    template: &Template,
    characters: usize,
    environment: &Environment<'_>,
    help: &str,
) -> Result<String, Problems> {
    if !is_markdown(&escape_of(&template.name)) {
        return render(environment, template, view, ALL, help);
    }
    let mut text = String::new();
    for show in STEPS {
        text = render(environment, template, view, show, help)?;
        if fits(&text, characters) {
            return Ok(text);
        }
    }
    Ok(cut(&text, characters))
}

fn fits(text: &str, characters: usize) -> bool {
    text.len() <= characters.max(MD_BYTES) && (text.len() <= characters || text.chars().count() <= characters)
}

/// The last resort for a template that does not heed how much it should show: whole paragraphs, with what they open
/// closed again.
fn cut(text: &str, characters: usize) -> String {
    const REST: &str = "*The rest was left out: the report is too long for a comment.*\n";
    /// What closing may add.
    const CLOSING: usize = 60;
    let room = characters.saturating_sub(REST.len() + CLOSING);
    let by_characters = text.char_indices().nth(room).map_or(text.len(), |(at, _)| at);
    let most = by_characters.min(characters.max(MD_BYTES).saturating_sub(REST.len() + CLOSING));
    let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let kept = text.get(..end).unwrap_or_default();
    let kept = kept.rfind("\n\n").and_then(|at| kept.get(..at)).unwrap_or_default();
    let mut out = kept.trim_end().to_owned();
    if out.lines().filter(|line| line.trim_start().starts_with("```")).count() % 2 == 1 {
        out.push_str("\n```");
    }
    let opened = out.matches("<details>").count().saturating_sub(out.matches("</details>").count());
    if opened > 0 {
        out.push_str("\n\n</details>");
    }
    out.push_str(if out.is_empty() { "" } else { "\n\n" });
    out + REST
}

fn render(
    environment: &Environment<'_>,
    template: &Template,
    view: &Value,
    show: Show,
    help: &str,
) -> Result<String, Problems> {
    let loaded = environment.get_template(&template.name).map_err(|error| problem(&error, template, help))?;
    let text = loaded
        .render(context! { show => Value::from(Serde(show)), ..view.clone() })
        .map_err(|error| problem(&error, template, help))?;
    Ok(if text.ends_with('\n') { text } else { text + "\n" })
}

fn environment(template: &Template) -> Result<Environment<'_>, Problems> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_recursion_limit(100);
    environment.set_debug(true);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.map_err(|error| problem(&error, template, NAMES))?);
    environment.set_auto_escape_callback(escape_of);
    environment.set_formatter(write_escaped);
    environment.add_filter("md", |state: &State<'_, '_>, text: &str| marked_up(state, markdown::escaped(text)));
    environment.add_filter("link", link);
    environment.add_filter("code", |state: &State<'_, '_>, text: &str| marked_up(state, markdown::code(text)));
    environment.add_filter("grouped", ratio::grouped);
    environment.add_filter("json", json);
    environment.add_filter("csp_hash", csp_hash);
    environment.add_template(&template.name, &template.text).map_err(|error| problem(&error, template, NAMES))?;
    Ok(environment)
}

fn escape_of(name: &str) -> AutoEscape {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "html" | "htm" | "xhtml" | "xml" | "svg" => AutoEscape::Html,
        "md" | "markdown" => AutoEscape::Custom(MARKDOWN.into()),
        "csv" => AutoEscape::Custom(CSV.into()),
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
        AutoEscape::Custom(name) if name == CSV => {
            let mut cell = String::new();
            csv::cell(&text, &mut cell);
            out.write_str(&cell)?;
        }
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

/// A text in Markdown: to be written as it is, but where the template's own kind asks for other escaping.
fn marked_up(state: &State<'_, '_>, text: String) -> Value {
    match state.auto_escape() {
        AutoEscape::Html => Value::from(text),
        AutoEscape::Custom(name) if name == CSV => Value::from(text),
        _ => Value::from_safe_string(text),
    }
}

/// A text as a link to an address, in the form of the template; the text alone where the address is none of the web.
fn link(state: &State<'_, '_>, text: &str, address: &str) -> Value {
    let address = answer::link(address);
    let form = state.auto_escape();
    let linked = match (&form, address.is_empty()) {
        (AutoEscape::Html, false) => {
            format!("<a href=\"{}\" rel=\"noopener noreferrer nofollow\">{}</a>", html(&address), html(&visible(text)))
        }
        (AutoEscape::Html, true) => html(&visible(text)),
        (form, false) if is_markdown(form) => format!("[{}](<{address}>)", markdown::escaped(text)),
        (form, true) if is_markdown(form) => markdown::escaped(text),
        // Escaped like any other text where that is done.
        (_, false) => return Value::from(format!("{text}: {address}")),
        (_, true) => return Value::from(text),
    };
    Value::from_safe_string(linked)
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

/// What is wrong with a template, at its place.
fn problem(error: &Error, template: &Template, help: &str) -> Problems {
    let range = error.range().filter(|range| template.text.get(range.clone()).is_some());
    let piece = range.clone().and_then(|range| template.text.get(range)).unwrap_or_default();
    let message = match error.kind() {
        ErrorKind::UndefinedError => format!("{} is undefined", quoted(piece)),
        ErrorKind::OutOfFuel => "the template takes too long".to_owned(),
        kind => match error.detail() {
            Some(detail) => format!("{kind}: {detail}"),
            None => kind.to_string(),
        },
    };
    let mut problems = Problems::new();
    let problem = Problem::new(code::BAD_TEMPLATE, message);
    let problem = match (range, error.line()) {
        (Some(range), _) => {
            let source = problems.add_source(&*template.name, &*template.text);
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            problem.at(Span { source, start: offset(range.start), end: offset(range.end) })
        }
        (None, Some(line)) => problem.on_line(&*template.name, line as u64),
        (None, None) => problem.in_file(&*template.name),
    };
    problems.push(problem.help(help));
    problems
}
