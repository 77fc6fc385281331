//! The templates of the reports: the shipped ones, and those that a project puts in their place.

use std::fs;
use std::path::Path;

use super::render;
use crate::diagnostic::{Problem, Problems, code};
use crate::run::manifest::{FileStamp, ReportStamp};
use crate::run::{REPORT_HTML, REPORT_MD};
use crate::text::digest;

/// Where the templates of a project are, unless the policy says otherwise.
pub const FOLDER: &str = "templates";
/// The shipped templates.
const HTML: &str = include_str!("../../templates/report.html");
const MD: &str = include_str!("../../templates/report.md");

/// A template with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// Its path as displayed; its ending decides how data is escaped.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// The templates of the two reports of a run, and how long the Markdown may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Templates {
    /// Of `report.html`.
    pub html: Template,
    /// Of `report.md`.
    pub md: Template,
    /// The largest Markdown report, in characters.
    pub markdown_characters: usize,
}

impl Default for Templates {
    fn default() -> Self {
        let shipped = |name: &str, text: &str| Template { name: name.to_owned(), text: text.to_owned() };
        Self {
            html: shipped("templates/report.html", HTML),
            md: shipped("templates/report.md", MD),
            markdown_characters: characters(&ReportStamp::default()),
        }
    }
}

fn characters(report: &ReportStamp) -> usize {
    usize::try_from(report.markdown_characters).unwrap_or(usize::MAX)
}

impl Templates {
    /// The templates for a run: `report.html` and `report.md` of the folder that its policy names, else of
    /// [`FOLDER`]; the shipped ones where a file is absent. `place` is where the policy names the folder.
    ///
    /// # Errors
    /// A [`Problem`] where the folder that the policy names is not there or holds neither, a file cannot be read or is no
    /// template, or a template asks for what no view has.
    pub fn of(report: &ReportStamp, place: &str) -> Result<Self, Problems> {
        let mut templates = Self { markdown_characters: characters(report), ..Self::default() };
        let folder = Path::new(report.templates.as_deref().unwrap_or(FOLDER));
        let mut is_empty = true;
        for (name, template) in [(REPORT_HTML, &mut templates.html), (REPORT_MD, &mut templates.md)] {
            let path = folder.join(name);
            if path.exists() {
                is_empty = false;
                *template = Template::read(&path)?;
                if ![HTML, MD].contains(&template.text.as_str()) {
                    render::try_out(template)?;
                }
            }
        }
        match &report.templates {
            Some(named) if is_empty => Err(no_templates(named, place).into()),
            _ => Ok(templates),
        }
    }

    /// The templates that are not the shipped ones, with the digests of their bytes.
    #[must_use]
    pub fn own(&self) -> Vec<FileStamp> {
        let stamp = |template: &Template| FileStamp {
            path: template.name.clone(),
            sha256: digest::raw(template.text.as_bytes()).to_string(),
        };
        let own = [(&self.html, HTML), (&self.md, MD)].into_iter().filter(|(template, text)| template.text != *text);
        own.map(|(template, _)| stamp(template)).collect()
    }
}

fn no_templates(folder: &str, place: &str) -> Problem {
    let why = match Path::new(folder).is_dir() {
        true => "the folder that the policy names for templates holds neither report.html nor report.md",
        false => "the folder that the policy names for templates is not here",
    };
    let said = if place.is_empty() { "of the policy of this run".to_owned() } else { format!("at {place}") };
    Problem::new(code::NOT_FOUND, why).in_file(folder).help(format!(
        "run from where `report: templates` {said} leads there, or delete that key for the shipped templates"
    ))
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
