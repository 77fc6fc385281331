//! Regular expressions in the options of checks.

use regex::Regex;

use crate::diagnostic::{Problem, code};
use crate::text::expression;
use crate::yaml::Located;

/// Compiles the expression of the option `key`; `ignore_case` unless the expression itself says `(?-i)`.
///
/// # Errors
/// An expression that is empty, cannot be read, or is too large once compiled.
pub(super) fn compiled(key: &str, written: &Located<String>, ignore_case: bool) -> Result<Regex, Problem> {
    if written.is_empty() {
        return Err(Problem::new(code::EMPTY, format!("`{key}` is an empty regular expression"))
            .at(written.span)
            .label("it would match everywhere"));
    }
    expression::compile(written, ignore_case).map_err(|broken| {
        Problem::new(code::BAD_REGEX, format!("`{key}` is not a valid regular expression"))
            .at(written.span)
            .label(broken.reason)
            .help_if(broken.help.map(str::to_owned))
    })
}
