//! Message templates.

use minijinja::{Environment, ErrorKind, UndefinedBehavior, context};

use crate::check::KindEntry;
use crate::diagnostic::{Problem, Problems, code, did_you_mean, one_of, quoted};
use crate::rules::policy::MessageTemplate;
use crate::yaml::Located;

/// Names that every message may use.
const ALWAYS: [&str; 6] = ["message", "case_id", "claim_id", "claim", "id", "code"];

/// Steps after which a template is stopped.
const FUEL: u64 = 50_000;

/// Checks a message template: its syntax, the names it uses and the filters it calls.
pub(super) fn template(
    written: &Located<String>,
    kind: &'static KindEntry,
    problems: &mut Problems,
) -> Option<MessageTemplate> {
    let problem = |label: String| {
        Problem::new(code::BAD_TEMPLATE, "the message cannot be rendered").at(written.span).label(label)
    };
    if written.trim().is_empty() {
        problems.push(
            problem("an empty message says nothing".to_owned()).help("delete it to get the message of the check"),
        );
        return None;
    }
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Chainable);
    environment.set_fuel(Some(FUEL));
    let template = match environment.template_from_str(written) {
        Ok(template) => template,
        Err(error) => {
            let reason = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
            problems
                .push(problem(reason).help("a value stands between `{{` and `}}`, a command between `{%` and `%}`"));
            return None;
        }
    };
    let names: Vec<&str> = ALWAYS.iter().chain(kind.variables).copied().collect();
    let globals: Vec<&str> = environment.globals().map(|(name, _)| name).collect();
    let mut unknown: Vec<String> = template
        .undeclared_variables(false)
        .into_iter()
        .filter(|name| !names.contains(&name.as_str()) && !globals.contains(&name.as_str()))
        .collect();
    unknown.sort();
    if let Some(name) = unknown.first() {
        let help = did_you_mean(name, names.iter().copied()).unwrap_or_else(|| format!("it can be {}", one_of(&names)));
        problems.push(problem(format!("`{}` has no value {}", kind.name, quoted(name))).help(help));
        return None;
    }
    // A filter that does not exist shows only when it is called.
    if let Err(error) = template.render(context! {})
        && matches!(
            error.kind(),
            ErrorKind::UnknownFilter
                | ErrorKind::UnknownTest
                | ErrorKind::UnknownFunction
                | ErrorKind::TemplateNotFound
                | ErrorKind::OutOfFuel
        )
    {
        let reason = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
        problems.push(problem(reason));
        return None;
    }
    Some(MessageTemplate(written.value.clone()))
}
