//! Slices of one case under a policy that declares every sort of dimension.

use std::collections::BTreeMap;

use super::*;
use crate::dataset::read::{self, Line, Options};
use crate::rules::{self, Policy};

const POLICY: &str = r#"
version: 1
markers:
  - id: bracketed
    pattern: '\[(?<ref>[A-Za-z0-9]+)\]'
rules:
  - id: unknown-source
    check: resolves
slices:
  - { id: language, field: language, missing: unknown }
  - { id: intent, field: meta.intent }
  - { id: tags, field: meta.tags, missing: none }
  - { id: tries, field: meta.tries }
  - { id: route, field: meta.route, missing: none }
  - { id: words, field: answer.words, bins: [3, 6, 20] }
  - { id: citations, field: answer.citations }
  - { id: answerable, field: answerable, missing: unsaid }
  - { id: temperature, field: meta.temperature, bins: [0, 0.5], missing: unset }
  - { id: model, field: meta.model, pattern: '^(?<value>[a-z]+)-\d', missing: other }
  - { id: type, field: claim.type, missing: untyped }
  - { id: weight, field: claim.weight, bins: [1, 2] }
  - { id: numeric, when: { claim: '\d' } }
  - { id: polite, when: { answer: 'please', not: { language: [de] } } }
  - { id: german_numeric, by: [language, numeric] }
  - { id: intent_type, by: [intent, type] }
  - { id: family, field: source.type, missing: unknown }
  - { id: tenant, field: source.scope_id }
  - { id: page, field: source.locator.page }
  - { id: board, field: source.owner.team }
gates:
  - { id: any, metric: case_pass_rate, min: 0.5 }
"#;

const CASE: &str = r#"{"case_id":"k1","query":"How long?","answer":"Thirty days [d1]. In 2 weeks, please [d2]. [zz]",
    "language":"de-AT","meta":{"intent":"refund","tags":["b","a","b"],"tries":3,"route":null,"temperature":0.5,"model":"alpha-7"},
    "claims":[{"claim_id":"c1","text":"Thirty days.","citation_ids":["d1"],"type":"duration","weight":1.5},
              {"claim_id":"c2","text":"In 2 weeks.","citation_ids":["d2"],"weight":"2"}],
    "sources":[{"id":"d1","source_type":"policy","scope_id":"acme","content":"x","locator":{"page":4},"owner":{"team":"legal"}},
               {"id":"d2","content":"y"}]}"#;

fn policy() -> Policy {
    rules::compile(vec![("rules/test.yaml".to_owned(), POLICY.to_owned())]).unwrap_or_else(|problems| {
        panic!("the policy is refused: {problems:?}");
    })
}

/// Runs `test` on the packet that a case makes under the policy.
fn with<T>(json: &str, test: impl FnOnce(&Slicer<'_>, &Policy, &Packet<'_>) -> T) -> T {
    let policy = policy();
    let bytes = json.replace('\n', " ");
    let line = Line { file: "cases.jsonl", file_index: 0, number: 1 };
    let case = read::line(bytes.as_bytes(), line, &Options::default()).expect("the case is sound");
    let packet = Packet::build(&case, &policy.markers, &policy.claims, &policy.lexicons);
    test(&Slicer::new(&policy.slices), &policy, &packet)
}

fn plain(values: &SliceValues<'_>) -> BTreeMap<String, String> {
    values.iter().map(|(id, value)| (id.to_string(), value.to_string())).collect()
}

fn expected(values: &[(&str, &str)]) -> BTreeMap<String, String> {
    values.iter().map(|(id, value)| ((*id).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn a_case_lies_in_the_values_of_its_fields() {
    with(CASE, |slicer, _, packet| {
        let values = plain(&slicer.of_case(packet));
        let case = expected(&[
            ("language", "de"),
            ("intent", "refund"),
            // A list is one value: its distinct elements in order.
            ("tags", "a, b"),
            ("tries", "3"),
            // null is missing.
            ("route", "none"),
            // "Thirty days", "In 2 weeks please": six words without the markers; bins are [lo, hi).
            ("words", "6-20"),
            // d1 of c1, d2 of c2, and the stray zz.
            ("citations", "3"),
            ("answerable", "unsaid"),
            ("temperature", ">=0.5"),
            ("model", "alpha"),
            // Holds on the answer, but not in German.
            ("polite", "no"),
        ]);
        assert_eq!(values, case);
    });
}

#[test]
fn a_claim_lies_in_its_own_values_and_those_of_its_case() {
    with(CASE, |slicer, _, packet| {
        let of_case = slicer.of_case(packet);
        let claim = |index: usize| plain(&slicer.of_claim(packet, &packet.claims[index], &of_case));
        let own = |index: usize, values: &[(&str, &str)]| {
            let mut all = plain(&of_case);
            all.extend(expected(values));
            assert_eq!(claim(index), all);
        };
        own(
            0,
            &[
                ("type", "duration"),
                ("weight", "1-2"),
                ("numeric", "no"),
                ("german_numeric", "de × no"),
                ("intent_type", "refund × duration"),
            ],
        );
        own(
            1,
            &[
                ("type", "untyped"),
                // A number in quotation marks is a number.
                ("weight", ">=2"),
                ("numeric", "yes"),
                ("german_numeric", "de × yes"),
                ("intent_type", "refund × untyped"),
            ],
        );
    });
}

#[test]
fn a_citation_lies_in_the_values_of_its_unit() {
    with(CASE, |slicer, _, packet| {
        let of_case = slicer.of_case(packet);
        let citation = |index: usize| plain(&slicer.of_citation(packet, &packet.citations[index], &of_case));
        let d1 = [("family", "policy"), ("tenant", "acme"), ("page", "4"), ("board", "legal")];
        assert_eq!(citation(0), expected(&d1));
        // No scope and no `missing`: in no value. No type: in `missing`. The unknown id has no unit at all.
        assert_eq!(citation(1), expected(&[("family", "unknown")]));
        assert_eq!(citation(2), expected(&[("family", "unknown")]));
    });
}

#[test]
fn what_is_absent_falls_in_missing_or_nowhere() {
    with(r#"{"case_id":"k2","answer":"Fine, thanks.","claims":[]}"#, |slicer, _, packet| {
        let values = plain(&slicer.of_case(packet));
        let case = expected(&[
            // The policy may assume a language; the slice only knows what the data says.
            ("language", "unknown"),
            ("tags", "none"),
            ("route", "none"),
            ("words", "<3"),
            ("citations", "0"),
            ("answerable", "unsaid"),
            ("temperature", "unset"),
            ("model", "other"),
            ("polite", "no"),
        ]);
        assert_eq!(values, case);
    });
    let odd = r#"{"case_id":"k3","answer":"","language":"en","claims":[],
        "meta":{"intent":{"a":1},"tags":[],"tries":"","temperature":"warm","model":"X"}}"#;
    with(odd, |slicer, _, packet| {
        let values = plain(&slicer.of_case(packet));
        assert_eq!(values.get("intent"), None, "an object is no value");
        assert_eq!(values.get("tries"), None, "an empty text is no value");
        assert_eq!(values["tags"], "none");
        assert_eq!(values["temperature"], "unset", "no number lies in no bin");
        assert_eq!(values["model"], "other");
        assert_eq!(values["words"], "<3");
    });
}

#[test]
fn a_value_that_is_too_long_stands_under_its_digest() {
    let with_intent = |intent: &str| CASE.replace(r#""intent":"refund""#, &format!(r#""intent":"{intent}""#));
    let value = |intent: &str| {
        with(&with_intent(intent), |slicer, _, packet| plain(&slicer.of_case(packet)).get("intent").cloned())
    };
    assert_eq!(value(&"a".repeat(500)), Some("a".repeat(500)));
    // SHA-256 of 501 times the letter.
    assert_eq!(value(&"a".repeat(501)).as_deref(), Some("(501 bytes, sha256:1b2c4bb5b20e)"));
}

#[test]
fn bins_are_closed_below_and_open_above() {
    for (number, bin) in [("-1", "<0"), ("0", "0-0.5"), ("0.4999", "0-0.5"), ("0.5", ">=0.5"), ("1e300", ">=0.5")] {
        let case = format!(r#"{{"case_id":"k","answer":"a","claims":[],"meta":{{"temperature":{number}}}}}"#);
        with(&case, |slicer, _, packet| {
            assert_eq!(slicer.of_case(packet)["temperature"], bin, "{number}");
        });
    }
}

/// Whether a condition holds for the case, for its two claims, and for its three citations.
fn holds(when: When) -> [bool; 6] {
    with(CASE, |slicer, _, packet| {
        let claims = packet.claims.iter().map(|claim| Subject::claim(packet, claim));
        let citations = packet.citations.iter().map(|citation| Subject::citation(packet, citation));
        let subjects: Vec<_> = std::iter::once(Subject::case(packet)).chain(claims).chain(citations).collect();
        let mut held = [false; 6];
        assert_eq!(subjects.len(), held.len());
        for (held, subject) in held.iter_mut().zip(subjects) {
            *held = slicer.holds(&when, subject, None);
        }
        held
    })
}

fn pattern(text: &str) -> Option<regex::Regex> {
    Some(regex::Regex::new(text).expect("a pattern"))
}

fn index(id: &str) -> usize {
    policy().slices.iter().position(|dimension| dimension.id == id).expect("declared")
}

fn in_slice(id: &str, values: &[&str]) -> When {
    When { slices: vec![(index(id), values.iter().map(ToString::to_string).collect())], ..When::default() }
}

#[test]
fn conditions_hold_where_every_part_does() {
    let (yes, no) = (true, false);
    assert_eq!(holds(When::default()), [yes; 6]);
    // On the claim: not for the case, nor for the stray citation.
    assert_eq!(holds(When { claim: pattern("2"), ..When::default() }), [no, no, yes, no, yes, no]);
    assert_eq!(holds(When { claim_type: vec!["duration".to_owned()], ..When::default() }), [no, yes, no, yes, no, no]);
    assert_eq!(holds(When { answer: pattern("please"), ..When::default() }), [yes; 6]);
    assert_eq!(holds(When { query: pattern("short"), ..When::default() }), [no; 6]);
    assert_eq!(holds(When { language: vec!["de".to_owned()], ..When::default() }), [yes; 6]);
    assert_eq!(holds(When { language: vec!["en".to_owned()], ..When::default() }), [no; 6]);
    // Sources: of any unit that the case or claim cites, or of the citation's own.
    assert_eq!(holds(When { source_type: vec!["policy".to_owned()], ..When::default() }), [yes, yes, no, yes, no, no]);
    let not_two = When { not: Some(Box::new(When { claim: pattern("2"), ..When::default() })), ..When::default() };
    assert_eq!(holds(not_two), [yes, yes, no, yes, no, yes]);
    let both = When { claim: pattern("days"), answer: pattern("never"), ..When::default() };
    assert_eq!(holds(both), [no; 6]);
}

#[test]
fn conditions_on_slices_look_at_the_level_of_the_dimension() {
    let (yes, no) = (true, false);
    assert_eq!(holds(in_slice("intent", &["refund", "other"])), [yes; 6]);
    assert_eq!(holds(in_slice("intent", &["other"])), [no; 6]);
    assert_eq!(holds(in_slice("type", &["duration"])), [no, yes, no, yes, no, no]);
    assert_eq!(holds(in_slice("numeric", &["yes"])), [no, no, yes, no, yes, no]);
    assert_eq!(holds(in_slice("family", &["policy"])), [yes, yes, no, yes, no, no]);
}

#[test]
fn dimensions_that_rest_on_each_other_end() {
    let circle = |other: usize| Dimension {
        id: other.to_string(),
        level: Level::Case,
        source: DimensionSource::Cross(vec![other]),
        missing: None,
        max_values: 5,
    };
    let dimensions = [circle(1), circle(0)];
    with(CASE, |_, _, packet| {
        assert!(Slicer::new(&dimensions).of_case(packet).is_empty());
    });
}
