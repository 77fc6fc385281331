//! The templates of the reports: the shipped ones, and those that a project puts in their place.

use std::path::Path;

use super::render;
use crate::diagnostic::{Problem, Problems, code, quoted};
use crate::file;
use crate::run::manifest::{FileStamp, ReportStamp};
use crate::run::{REPORT_HTML, REPORT_MD};
use crate::text::digest;

/// Where the templates of a project are, unless the policy says otherwise.
pub const FOLDER: &str = "templates";
/// The largest template that is read, in bytes.
const LARGEST: u64 = 1 << 20;
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
            // A link that leads nowhere is there too: the shipped template never stands in for one that was meant.
            if path.symlink_metadata().is_ok() {
                is_empty = false;
                if report.templates.is_none() {
                    inside_of_here(folder)?;
                }
                *template = Template::of_folder(&path, folder)?;
                if ![HTML, MD].contains(&template.text.as_str()) {
                    render::try_out(template)?;
                }
            }
        }
        other_case(folder)?;
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

/// Refuses a folder of templates that no policy names and that is a link to elsewhere.
fn inside_of_here(folder: &Path) -> Result<(), Problem> {
    match (folder.canonicalize(), Path::new(".").canonicalize()) {
        (Ok(real), Ok(here)) if !real.starts_with(&here) => {
            let problem = Problem::new(code::UNREADABLE, "a link that leads out of this folder");
            let help = "name the folder in the policy, `report: { templates: … }`, or keep a copy of it here";
            Err(problem.help(help).in_file(file::shown(folder)))
        }
        // Reading the file will say why.
        _ => Ok(()),
    }
}

/// Refuses a template whose name differs from the one that is read in its letter case alone.
fn other_case(folder: &Path) -> Result<(), Problem> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let differs = |name: &String| {
        [REPORT_HTML, REPORT_MD].into_iter().find(|known| name != known && name.eq_ignore_ascii_case(known))
    };
    match names.filter_map(|name| Some((differs(&name)?, name))).min() {
        None => Ok(()),
        Some((known, name)) => {
            let problem = Problem::new(code::UNREAD_FILE, "this looks like a template and would not be read");
            let problem = problem.found(quoted(&name), quoted(known)).help(format!("rename it to {known}"));
            Err(problem.in_file(file::shown(&folder.join(name))))
        }
    }
}

impl Template {
    /// Reads a template that the user named.
    ///
    /// # Errors
    /// A [`Problem`] where it cannot be read, is too large or is not UTF-8.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        Self::of(path, file::read_named(path, LARGEST))
    }

    /// Reads a template of a folder: a regular file that lies in it.
    fn of_folder(path: &Path, folder: &Path) -> Result<Self, Problem> {
        Self::of(path, file::read_inside(path, folder, "the folder of templates", LARGEST))
    }

    fn of(path: &Path, text: Result<String, Problem>) -> Result<Self, Problem> {
        let default = "give a text file, such as a copy of templates/report.html";
        match text {
            Ok(text) => Ok(Self { name: path.display().to_string(), text }),
            Err(problem) if problem.help.is_none() => Err(problem.help(default)),
            Err(problem) => Err(problem),
        }
    }
}
