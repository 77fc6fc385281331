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
mod folder;
pub mod metric;
mod pattern;
pub mod policy;
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

fn from_sources(sources: &[u32], mut problems: Problems) -> Result<Policy, Problems> {
    let mut sections = Sections::default();
    for source in sources {
        sections.add_file(*source, &mut problems);
    }
    let names = sources.iter().filter_map(|source| problems.source(*source)).map(|source| source.name.clone());
    let files = names.collect();
    match compile::policy(files, &sections, &mut problems) {
        Some(policy) => Ok(policy),
        None => Err(problems),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A policy out of one file, with `version: 1` before it.
    fn policy(text: &str) -> Policy {
        compile(vec![("a.yaml".to_owned(), format!("version: 1\n{text}"))]).unwrap_or_else(|p| panic!("{}", p.render()))
    }

    const RULES: &str = "rules: [{ id: unknown-source, check: resolves }]\n";

    #[test]
    fn the_built_in_policy_is_every_file_of_the_rules_folder_and_compiles() {
        let shipped = built_in().unwrap_or_else(|problems| panic!("{}", problems.render()));
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
        let loaded = load(&folder).unwrap_or_else(|problems| panic!("{}", problems.render()));
        assert_eq!(loaded.files.len(), BUILT_IN.len());
        assert_eq!(shipped.digest, loaded.digest);
    }

    #[test]
    fn the_page_on_rule_files_has_every_section_metric_and_code() {
        let page = include_str!("../../docs/rule-files.md");
        for name in section::LISTS.iter().chain(&section::MAPS) {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
        for metric in metric::BUILT_IN {
            assert!(page.contains(&format!("| `{}` |", metric.name)), "{}", metric.name);
        }
        for (code, meaning) in crate::diagnostic::CATALOGUE {
            assert!(page.contains(&format!("| `{code}` | {meaning} |")), "{code}");
        }
    }

    #[test]
    fn every_shipped_file_names_its_schema_for_editors() {
        for (name, text) in BUILT_IN {
            let up = if name.contains('/') { "../../" } else { "../" };
            let modeline = format!("# yaml-language-server: $schema={up}schema/policy.schema.json\n");
            assert!(text.starts_with(&modeline), "{name}");
        }
    }

    #[test]
    fn without_gates_every_case_must_pass() {
        let policy = policy(RULES);
        assert_eq!(policy.gates.len(), 1);
        assert_eq!(policy.gates[0].metric, metric::CASE_PASS_RATE);
        assert_eq!(policy.gates[0].targets[0].min.as_ref().map(|min| min.mantissa), Some(1));
    }

    #[test]
    fn digests_see_what_is_said_and_not_how() {
        let one =
            policy("rules:\n  - id: a\n    check: resolves\ngates:\n  - { id: g, metric: defect_rate, max: 0.05 }\n");
        let same = compile(vec![
            ("z.yml".to_owned(), "version: 1\ngates: [{metric: 'defect_rate', id: g, max: 0.05}] # talk\n".to_owned()),
            ("a.yml".to_owned(), "version: 1\nrules: [{check: resolves, \"id\": a}]\n".to_owned()),
        ])
        .unwrap();
        assert_eq!(one.digest, same.digest);
        let gate =
            policy("rules:\n  - id: a\n    check: resolves\ngates:\n  - { id: g, metric: defect_rate, max: 0.06 }\n");
        assert_eq!(one.evaluation_digest, gate.evaluation_digest);
        assert_ne!(one.gates_digest, gate.gates_digest);
        assert_ne!(one.digest, gate.digest);
        let rule =
            policy("rules:\n  - id: b\n    check: resolves\ngates:\n  - { id: g, metric: defect_rate, max: 0.05 }\n");
        assert_ne!(one.evaluation_digest, rule.evaluation_digest);
        assert_eq!(one.gates_digest, rule.gates_digest);
    }

    #[test]
    fn a_gate_spreads_over_its_slices() {
        let policy = policy(&format!(
            "{RULES}slices:\n  - {{ id: language, field: language }}\n  - {{ id: numeric, when: {{ claim: '\\d' }} }}\n\
             \x20 - {{ id: long, field: answer.words, bins: [50, 150] }}\n\
             gates:\n  - id: defects\n    metric: defect_rate\n    max: 0.05\n    min_samples: 30\n    slices:\n\
             \x20     - {{ slice: {{ language: de }}, max: 0.08 }}\n      - {{ slice: numeric, min_samples: 50 }}\n\
             \x20     - {{ slice: {{ language: de, long: '<50' }} }}\n\
             \x20 - {{ id: each, metric: claim_coverage, by: [language, long], min: 0.95, confidence: 0.95 }}\n"
        ));
        let targets: Vec<_> = policy.gates[0]
            .targets
            .iter()
            .map(|target| (target.slices.clone(), target.max.as_ref().unwrap().text.clone(), target.min_samples))
            .collect();
        use policy::TargetSlices::{EachOf, One, Overall};
        assert_eq!(
            targets,
            [
                (Overall, "0.05".to_owned(), 30),
                (One(0, "de".to_owned()), "0.08".to_owned(), 30),
                (One(1, "yes".to_owned()), "0.05".to_owned(), 50),
                (One(3, "de × <50".to_owned()), "0.05".to_owned(), 30),
            ]
        );
        // The crossing is declared by itself, once.
        assert_eq!(policy.slices[3].id, "language × long");
        assert_eq!(policy.slices.len(), 4);
        let each = &policy.gates[1].targets[0];
        assert_eq!(each.slices, EachOf(3));
        // Without `min_samples` it is the least number that could ever pass: z(0.95)²·0.95/0.05 = 51.4.
        assert_eq!(each.min_samples, 52);
        assert_eq!(policy.slices[1].level, Level::Claim);
        assert_eq!(policy.slices[2].level, Level::Case);
    }

    #[test]
    fn bin_values_are_named_by_their_edges() {
        assert_eq!(policy::bin_values(&[50.0, 150.0, 400.5]), ["<50", "50-150", "150-400.5", ">=400.5"]);
    }
}
