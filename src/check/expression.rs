//! Regular expressions in the options of checks.

use regex::{Regex, RegexBuilder};

use crate::diagnostic::{Problem, code};
use crate::yaml::Located;

/// The compiled size that one expression may have, in bytes.
const LARGEST: usize = 4 << 20;

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
    RegexBuilder::new(written).case_insensitive(ignore_case).size_limit(LARGEST).build().map_err(|error| {
        let reason = match &error {
            regex::Error::Syntax(text) => {
                text.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or("it cannot be read").to_owned()
            }
            regex::Error::CompiledTooBig(_) => "it is too large once compiled".to_owned(),
            other => other.to_string(),
        };
        let linear = reason.contains("look-around") || reason.contains("backreference");
        let help = linear.then(|| "patterns must run in linear time, without looking around or back".to_owned());
        Problem::new(code::BAD_REGEX, format!("`{key}` is not a valid regular expression"))
            .at(written.span)
            .label(reason)
            .help_if(help)
    })
}
