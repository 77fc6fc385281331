use super::*;
use crate::check::Stage;

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
        let up = if name.contains('/') { "../" } else { "" };
        let modeline = format!("# yaml-language-server: $schema={up}policy.schema.json\n");
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
    let one = policy("rules:\n  - id: a\n    check: resolves\ngates:\n  - { id: g, metric: defect_rate, max: 0.05 }\n");
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
    // A title is neither: no run has to be evaluated again for it, and no gate is another one.
    let titled = policy(
        "rules:\n  - id: a\n    check: resolves\ngates:\n  - { id: g, metric: defect_rate, max: 0.05 }\n\
         report: { title: Release }\n",
    );
    assert_eq!(one.evaluation_digest, titled.evaluation_digest);
    assert_eq!(one.gates_digest, titled.gates_digest);
    assert_ne!(one.digest, titled.digest);
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

#[test]
fn every_setting_is_read() {
    let settings = r#"
baseline: { against: [release, main], on_mismatch: warn, fail_on: new, max_changed_questions: 0.1 }
judge:
  id: j
  http: { url: "https://judge.example/v1/chat", model: m-1, key_env: JUDGE_KEY, seed: 7, temperature: 0.5 }
  ask: all
  partial: true
  timeout_seconds: 30
  retries: 1
  concurrency: 8
review: { confidence_below: 0.70, sample_passes: 0.02, max_unreviewed: 20, decisions: d.jsonl }
redact: { patterns: [{ id: email }, { id: ticket, pattern: 'T-\d+' }], fields: [meta.owner], hash_key_env: HASH_KEY }
limits: { line_bytes: 1048576, json_depth: 64, claims_per_case: 200, citations_per_claim: 20, findings_per_rule: 50 }
owners: { retrieval: search team }
report: { title: Release, templates: t, markdown_characters: 30000, links: { runbook: "https://docs.example/runbook" } }
drill: { mutations: [digit-changed, id-swapped], max_escaped: 0.1 }
claims: { from: case, attach: paragraph, split: marker, language: pt-BR }
"#;
    let policy = policy(&format!("{RULES}{settings}"));
    let idle: Vec<&str> = policy.idle.iter().filter_map(|sentence| sentence.split('`').nth(1)).collect();
    assert_eq!(idle, ["judge", "drill", "review: confidence_below"]);
    let settings::Settings { baseline, judge, review, redact, report, drill } = policy.settings;
    assert_eq!(
        (baseline.against.len(), baseline.on_mismatch, baseline.fail_on),
        (2, settings::OnMismatch::Warn, settings::FailOn::New)
    );
    assert_eq!((baseline.max_changed_questions.mantissa, baseline.max_changed_questions.scale), (1, 1));
    let judge = judge.unwrap();
    assert_eq!((judge.id.as_str(), judge.ask, judge.partial), ("j", settings::Ask::All, true));
    assert_eq!((judge.timeout_seconds, judge.retries, judge.concurrency), (30, 1, 8));
    let source = settings::JudgeSource::Http {
        url: "https://judge.example/v1/chat".to_owned(),
        model: "m-1".to_owned(),
        key_env: Some("JUDGE_KEY".to_owned()),
        seed: Some(7),
        temperature: 0.5,
    };
    assert_eq!(judge.source, source);
    assert_eq!(review.confidence_below.unwrap().text, "0.70");
    assert_eq!((review.max_unreviewed, review.decisions.as_deref()), (Some(20), Some("d.jsonl")));
    assert_eq!(
        redact.patterns.iter().map(|(id, own)| (id.as_str(), own.is_some())).collect::<Vec<_>>(),
        [("email", false), ("ticket", true)]
    );
    assert_eq!((redact.fields[0].0.as_str(), redact.hash_key_env.as_deref()), ("meta.owner", Some("HASH_KEY")));
    assert_eq!(report.links, [("runbook".to_owned(), "https://docs.example/runbook".to_owned())]);
    assert_eq!((report.title.as_deref(), report.markdown_characters), (Some("Release"), 30_000));
    assert_eq!(drill.mutations, [settings::Mutation::DigitChanged, settings::Mutation::IdSwapped]);
    let limits = policy::Limits {
        line_bytes: 1 << 20,
        json_depth: 64,
        claims_per_case: 200,
        citations_per_claim: 20,
        findings_per_rule: 50,
    };
    assert_eq!(policy.limits, limits);
    assert_eq!(policy.owners[&Stage::Retrieval], "search team");
    assert_eq!((policy.default_language.as_str(), policy.claims.split), ("pt", crate::citation::Split::Marker));
}

#[test]
fn a_rule_is_read_with_all_of_its_keys() {
    let policy = policy(
        "slices: [{ id: intent, field: meta.intent }]\nrules:\n  - id: retention-names-its-days\n    description: why\n    \
         when: { claim: '(?i)\\bkept', slice: { intent: [retention, 7] }, language: [DE-at, en], type: legal, source: policy, \
         not: { query: x } }\n    check: { terms: { all: [\"90 days\"] } }\n    severity: warning\n    mode: observe\n    \
         on_missing: broken\n    combine: any\n    implies: partial\n    final: false\n    establishes: supported\n    \
         message: '{{ missing | join(\", \") }} of {{ claim_id }}'\n    examples:\n      pass: [{ claim: Kept., evidence: [90 days, x], \
         ids: [a, 2], cites: a, answer: 'Kept [a].', language: de, fields: { max_document_id: 5 } }]\n",
    );
    let rule = &policy.rules[0];
    assert_eq!((rule.place.as_str(), rule.kind.name, rule.description.as_deref()), ("a.yaml:4", "terms", Some("why")));
    assert_eq!(
        (rule.severity, rule.mode, rule.on_missing),
        (crate::check::Severity::Warning, policy::Mode::Observe, policy::OnMissing::Broken)
    );
    assert_eq!(
        (rule.combine, rule.implies, rule.is_final),
        (policy::Combine::Any, Some(crate::check::Defect::Partial), Some(false))
    );
    assert!(rule.establishes_support && rule.message.is_some());
    let when = &rule.when;
    assert_eq!(when.slices, [(0, vec!["retention".to_owned(), "7".to_owned()])]);
    assert_eq!(
        (when.language.as_slice(), when.claim_type.as_slice()),
        (&["de".to_owned(), "en".to_owned()][..], &["legal".to_owned()][..])
    );
    assert_eq!(when.source_type, ["policy"]);
    assert!(when.claim.as_ref().unwrap().is_match("Logs are KEPT.") && when.not.as_ref().unwrap().query.is_some());
    let case = serde_json::json!({
        "max_document_id": 5, "case_id": "retention-names-its-days-pass-1", "answer": "Kept [a].", "language": "de",
        "claims": [{ "text": "Kept.", "citation_ids": ["a"] }],
        "sources": [{ "evidence_id": "a", "content": "90 days" }, { "evidence_id": "2", "content": "x" }],
    });
    assert!(policy.examples[0].pass);
    assert_eq!(policy.examples[0].case, case);
}
