//! Rule files: as written, validated, compiled.
//!
//! ```text
//! folder ─▶ texts ─▶ trees ─▶ sections ─▶ as written ─▶ Policy
//! ```
//!
//! [`load`] reads a folder, [`built_in`] the policy that ships with this program, [`compile`] texts from anywhere. Each
//! gives a whole [`Policy`], after which nothing can fail for a reason of configuration, or all that is wrong.

mod compile;
pub mod confidence;
mod digest;
pub mod edits;
mod folder;
pub mod metric;
mod pattern;
pub mod policy;
pub mod redaction;
mod schema;
mod section;
pub mod settings;
pub mod written;

use std::path::Path;

use crate::diagnostic::Problems;
use section::Sections;

pub use folder::BUILT_IN;
pub use metric::{Average, Level, Metric};
pub use policy::Policy;
pub use schema::schema;

/// Reads and compiles the policy in a folder: all `.yaml` and `.yml` files below it, in sorted order, merged by section.
///
/// # Errors
///
/// Everything that is wrong with any of the files.
pub fn load(folder: &Path) -> Result<Policy, Problems> {
    let mut problems = Problems::new();
    let sources = folder::read(folder, &mut problems);
    from_sources(&sources, problems)
}

/// Compiles the policy that ships with this program. Its list of files is empty.
///
/// # Errors
///
/// Only where the shipped files themselves are at fault, which a test rules out.
pub fn built_in() -> Result<Policy, Problems> {
    let files = BUILT_IN.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let policy = compile(files.collect())?;
    Ok(Policy { files: Vec::new(), ..policy })
}

/// Compiles a policy out of named texts, in this order.
///
/// # Errors
///
/// Everything that is wrong with any of the texts.
pub fn compile(files: Vec<(String, String)>) -> Result<Policy, Problems> {
    let mut problems = Problems::new();
    let sources: Vec<u32> = files.into_iter().map(|(name, text)| problems.add_source(name, text)).collect();
    from_sources(&sources, problems)
}

/// As [`load`], with what is written beside what it compiles to.
///
/// # Errors
///
/// As [`load`].
pub fn load_written(folder: &Path) -> Result<(Policy, edits::Written), Problems> {
    let mut problems = Problems::new();
    let sources = folder::read(folder, &mut problems);
    both(&sources, problems)
}

/// As [`built_in`], with what is written beside what it compiles to.
///
/// # Errors
///
/// As [`built_in`].
pub fn built_in_written() -> Result<(Policy, edits::Written), Problems> {
    let files = BUILT_IN.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let (policy, written) = compile_written(files.collect())?;
    Ok((Policy { files: Vec::new(), ..policy }, written))
}

/// As [`compile`], with what is written beside what it compiles to.
///
/// # Errors
///
/// As [`compile`].
pub fn compile_written(files: Vec<(String, String)>) -> Result<(Policy, edits::Written), Problems> {
    let mut problems = Problems::new();
    let sources: Vec<u32> = files.into_iter().map(|(name, text)| problems.add_source(name, text)).collect();
    both(&sources, problems)
}

/// An exact bound out of a decimal text, such as a flag gives: a number from 0 with at most 18 digits after the point. `None` for anything else.
#[must_use]
pub fn bound(text: &str) -> Option<policy::Bound> {
    compile::bound(text)
}

fn from_sources(sources: &[u32], problems: Problems) -> Result<Policy, Problems> {
    compiled(sources, problems).map(|(policy, ..)| policy)
}

fn both(sources: &[u32], problems: Problems) -> Result<(Policy, edits::Written), Problems> {
    let (policy, sections, problems) = compiled(sources, problems)?;
    let written = edits::Written::of(&sections, &problems);
    Ok((policy, written))
}

fn compiled(sources: &[u32], mut problems: Problems) -> Result<(Policy, Sections, Problems), Problems> {
    let mut sections = Sections::default();
    for source in sources {
        sections.add_file(*source, &mut problems);
    }
    let names = sources.iter().filter_map(|source| problems.source(*source)).map(|source| source.name.clone());
    let files = names.collect();
    match compile::policy(files, &sections, &mut problems) {
        Some(policy) => Ok((policy, sections, problems)),
        None => Err(problems),
    }
}

#[cfg(test)]
mod tests;
