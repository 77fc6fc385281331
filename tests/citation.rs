//! Holds the shipped marker grammars and claim patterns against cases that were worked out by hand
//! (`tests/citation/markers.yaml`, `tests/citation/claims.yaml`).

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::OnceLock;

use citeward::citation::{Attach, Claim, ClaimClass, ClaimPolicy, ClaimSource, Packet, Resolution, Split};
use citeward::dataset::{self, Unit};
use citeward::rules::{self, Policy};
use citeward::yaml;
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    cases: Vec<Expected>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    name: String,
    answer: String,
    ids: Vec<String>,
    #[serde(default)]
    markers: Vec<ExpectedMarker>,
    #[serde(default)]
    suspicious: Vec<String>,
    #[serde(default)]
    ambiguous_index: bool,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct ExpectedMarker {
    raw: String,
    grammar: String,
    references: Vec<String>,
    malformed: Option<String>,
}

fn read<T: serde::de::DeserializeOwned>(path: &str) -> T {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    yaml::read(path, &text).unwrap_or_else(|problems| panic!("{path}: {:?}", problems.shown()))
}

/// The built-in policy: the shipped rule files as they are compiled.
fn policy() -> &'static Policy {
    static POLICY: OnceLock<Policy> = OnceLock::new();
    POLICY.get_or_init(|| rules::built_in().unwrap_or_else(|problems| panic!("{}", problems.render())))
}

fn unit(id: &str) -> Unit<'static> {
    Unit::named(Cow::Owned(id.to_owned()))
}

fn differs<T: PartialEq + Debug>(name: &str, what: &str, found: &T, expected: &T) -> Option<String> {
    (found != expected).then(|| format!("{name}: {what}\n   found    {found:?}\n   expected {expected:?}"))
}

#[test]
fn the_shipped_grammars_read_every_case_as_worked_out_by_hand() {
    let set = &policy().markers;
    let table: Table = read("tests/citation/markers.yaml");
    assert!(table.cases.len() >= 40, "{} cases", table.cases.len());
    let mut wrong = Vec::new();
    for case in table.cases {
        let units: Vec<Unit<'_>> = case.ids.iter().map(|id| unit(id)).collect();
        let parsed = set.parse(&case.answer, &units);
        let markers: Vec<ExpectedMarker> = parsed
            .markers
            .iter()
            .map(|marker| ExpectedMarker {
                raw: case.answer[marker.span.clone()].to_owned(),
                grammar: set.grammars()[usize::from(marker.grammar)].id.clone(),
                references: marker
                    .references
                    .iter()
                    .map(|reference| {
                        let resolved = match reference.resolution {
                            Resolution::Unit(index) => case.ids[index as usize].as_str(),
                            Resolution::Unknown => "unknown",
                            Resolution::OutOfRange => "out of range",
                            Resolution::Differs { .. } => "differs from its link",
                        };
                        format!("{} -> {resolved}", reference.written)
                    })
                    .collect(),
                malformed: marker.malformed.map(str::to_owned),
            })
            .collect();
        let suspicious: Vec<String> = parsed.suspicious.iter().map(|s| case.answer[s.clone()].to_owned()).collect();
        wrong.extend(differs(&case.name, "markers", &markers, &case.markers));
        wrong.extend(differs(&case.name, "suspicious", &suspicious, &case.suspicious));
        wrong.extend(differs(&case.name, "ambiguous index", &parsed.ambiguous_index, &case.ambiguous_index));
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Parts of which an attacker builds a megabyte: openings that never close, closings far away, code, long lists.
static HOSTILE: &[&str] = &[
    "[",
    "[[",
    "[1",
    "[1](",
    "[1](a",
    "[a[",
    "[a1;",
    "[1,",
    "【1†",
    "(A",
    "(Abc, ",
    "`a` [",
    "``` ",
    "<cite ",
    "<code>",
    "\\[",
    "![a](",
    "\u{e200}cite",
    "citeturn0search0",
    "##0$",
    "¹",
    "[1]",
    "[^",
    "a[0]",
    "[x](y)",
    "[Source: ",
    "[doc ",
    "\\cite{",
    "∈[",
    "x²",
];

#[test]
fn hostile_answers_are_read_in_order_to_the_end() {
    let set = &policy().markers;
    let units: Vec<Unit<'_>> = (0..20).map(|number| unit(&format!("doc_{number}"))).collect();
    for part in HOSTILE {
        for ending in ["", "]", ")"] {
            // One pass is long over before the test ends; a pass for each bracket would not be.
            let answer = part.repeat(80_000 / part.len()) + ending;
            let parsed = set.parse(&answer, &units);
            assert!(parsed.markers.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
            assert!(parsed.markers.iter().all(|marker| answer.get(marker.span.clone()) == Some(marker.raw)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_answer_gives_ordered_markers_that_cut_to_their_raw_text(
        parts in prop::collection::vec(prop_oneof![
            prop::sample::select(HOSTILE.to_vec()).prop_map(str::to_owned),
            r"[\[\]()【】<>{}`$#^,;:–0-9a-z. \n-]{0,6}",
            r"\PC{0,3}",
        ], 0..30)
    ) {
        let answer = parts.concat();
        let parsed = policy().markers.parse(&answer, &[unit("doc_1"), unit("2"), unit("a")]);
        let mut end = 0;
        for marker in &parsed.markers {
            prop_assert_eq!(answer.get(marker.span.clone()), Some(marker.raw));
            prop_assert!(marker.span.start >= end && marker.span.end > marker.span.start);
            end = marker.span.end;
        }
        for span in &parsed.suspicious {
            prop_assert!(answer.get(span.clone()).is_some());
            prop_assert!(parsed.markers.iter().all(|m| m.span.end <= span.start || span.end <= m.span.start));
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimTable {
    cases: Vec<ClaimCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimCase {
    name: String,
    answer: String,
    language: Option<String>,
    ids: Vec<String>,
    given: Option<serde_json::Value>,
    attach: Option<String>,
    split: Option<String>,
    from: Option<String>,
    claims: Vec<ExpectedClaim>,
    #[serde(default)]
    no_claim: Vec<String>,
    #[serde(default)]
    refused: bool,
}

#[derive(Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct ExpectedClaim {
    text: Option<String>,
    at: Option<String>,
    #[serde(default = "verifiable")]
    class: String,
    cites: Vec<String>,
    markers: Option<usize>,
}

fn verifiable() -> String {
    "verifiable".to_owned()
}

fn set_words(policy: &mut ClaimPolicy, from: Option<&str>, attach: Option<&str>, split: Option<&str>) {
    for word in [from, attach, split].into_iter().flatten() {
        match word {
            "auto" => policy.from = ClaimSource::Auto,
            "case" => policy.from = ClaimSource::Case,
            "answer" => policy.from = ClaimSource::Answer,
            "paragraph" => policy.attach = Attach::Paragraph,
            "marker" => policy.split = Split::Marker,
            "sentence" => {}
            other => panic!("{other}"),
        }
    }
}

/// The case as a line of a dataset.
fn line_of(case: &ClaimCase) -> String {
    let sources: Vec<_> = case.ids.iter().map(|id| serde_json::json!({ "evidence_id": id, "content": "…" })).collect();
    let mut line = serde_json::json!({ "case_id": "t", "answer": case.answer, "sources": sources });
    for (key, value) in [("language", case.language.clone().map(Into::into)), ("claims", case.given.clone())] {
        if let Some(value) = value {
            line[key] = value;
        }
    }
    line.to_string()
}

fn cited_id(citation: &citeward::citation::Citation<'_>) -> String {
    let mark = if citation.resolution.unit().is_some() { "" } else { "!" };
    format!("{mark}{}", citation.id)
}

fn found_claim(packet: &Packet<'_>, claim: &Claim<'_>, expected: Option<&ExpectedClaim>) -> ExpectedClaim {
    let class = match claim.class {
        ClaimClass::Verifiable => "verifiable",
        ClaimClass::NotVerifiable => "not verifiable",
        ClaimClass::Refusal => "refusal",
        ClaimClass::ReferenceEntry => "reference entry",
    };
    let answer = packet.case.answer.as_deref().unwrap_or_default();
    let wants_markers = expected.is_some_and(|expected| expected.markers.is_some());
    ExpectedClaim {
        text: claim.given.is_none().then(|| claim.text.clone().into_owned()),
        at: claim.given.and(claim.span.clone()).map(|span| answer[span].to_owned()),
        class: class.to_owned(),
        cites: packet.citations_of(claim).map(cited_id).collect(),
        markers: wants_markers.then(|| packet.citations_of(claim).map(|citation| citation.markers.len()).sum()),
    }
}

#[test]
fn claims_and_their_citations_come_out_as_worked_out_by_hand() {
    let table: ClaimTable = read("tests/citation/claims.yaml");
    let mut wrong = Vec::new();
    for expected in table.cases {
        let mut claims = policy().claims.clone();
        set_words(&mut claims, expected.from.as_deref(), expected.attach.as_deref(), expected.split.as_deref());
        let line = line_of(&expected);
        let at = dataset::Line { file: "table", file_index: 0, number: 1 };
        let case = dataset::read::line(line.as_bytes(), at, &dataset::Options::default())
            .unwrap_or_else(|problems| panic!("{}: {problems:?}", expected.name));
        let packet = Packet::build(&case, &policy().markers, &claims, &policy().lexicons);
        let claims: Vec<ExpectedClaim> = packet
            .claims
            .iter()
            .enumerate()
            .map(|(index, claim)| found_claim(&packet, claim, expected.claims.get(index)))
            .collect();
        let no_claim: Vec<String> = packet.citations.iter().filter(|c| c.claim.is_none()).map(cited_id).collect();
        wrong.extend(differs(&expected.name, "claims", &claims, &expected.claims));
        wrong.extend(differs(&expected.name, "no claim", &no_claim, &expected.no_claim));
        wrong.extend(differs(&expected.name, "refused", &packet.refused, &expected.refused));
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_answer_and_claims_give_a_consistent_packet(
        parts in prop::collection::vec(prop_oneof![
            prop::sample::select(HOSTILE.to_vec()).prop_map(str::to_owned),
            prop::sample::select(vec![
                "Logs stay 30 days. ", "Sources:\n", "\n\n", "\n- ", "| a | b |\n|---|---|\n", "## T\n", "Hello! ", "[doc_1]", "[2]", "```\n",
            ]).prop_map(str::to_owned),
            r"\PC{0,4}",
        ], 0..25),
        claim in prop_oneof![Just(String::new()), Just("Logs stay 30 days.".to_owned()), r"\PC{0,20}"],
        ids in prop::collection::vec(prop::sample::select(vec!["doc_1", "2", "x", "DOC_1"]), 0..3),
        given in any::<bool>(), paragraph in any::<bool>(), cut in any::<bool>(),
    ) {
        let answer = parts.concat();
        let mut line = serde_json::json!({
            "case_id": "t", "answer": answer, "sources": [{ "evidence_id": "doc_1", "content": "…" }, { "evidence_id": "2" }],
        });
        if given && !claim.trim().is_empty() {
            line["claims"] = serde_json::json!([{ "text": claim, "citation_ids": ids }, { "text": "Logs stay 30 days." }]);
        }
        let line = line.to_string();
        let at = dataset::Line { file: "t", file_index: 0, number: 1 };
        // Repeated ids and the like are the reader's to refuse.
        let Ok(case) = dataset::read::line(line.as_bytes(), at, &dataset::Options::default()) else { return Ok(()) };
        let mut claims = policy().claims.clone();
        if paragraph { claims.attach = Attach::Paragraph }
        if cut { claims.split = Split::Marker }
        let packet = Packet::build(&case, &policy().markers, &claims, &policy().lexicons);
        let mut pairs = std::collections::BTreeSet::new();
        for (index, citation) in packet.citations.iter().enumerate() {
            prop_assert!(pairs.insert((citation.claim, citation.id.to_lowercase())), "{:?} stands twice", citation.id);
            prop_assert!(citation.markers.iter().all(|&marker| (marker as usize) < packet.markers.len()));
            if let Some(claim) = citation.claim {
                prop_assert!(packet.claims[claim as usize].citations.contains(&u32::try_from(index).unwrap()));
            }
        }
        let cited: std::collections::BTreeSet<u32> = packet.citations.iter().flat_map(|c| c.markers.iter().copied()).collect();
        for (index, marker) in (0u32..).zip(&packet.markers) {
            prop_assert!(marker.references.is_empty() || cited.contains(&index), "{:?} is in no citation", marker.raw);
        }
        for claim in &packet.claims {
            prop_assert!(claim.span.as_ref().is_none_or(|span| packet.case.answer.as_deref().unwrap().get(span.clone()).is_some()));
        }
    }
}

#[test]
fn hostile_answers_become_packets_in_time() {
    for part in HOSTILE.iter().chain(&[
        "a. ",
        "[1]. ",
        "x [1] ",
        "- [1]\n",
        "Sources:\n",
        "| a |\n",
        "[^1]: x\n",
        "\n\n",
        "“a” ",
    ]) {
        let answer = part.repeat(30_000 / part.len());
        let claims: Vec<_> = (0..20)
            .map(|n| serde_json::json!({ "text": format!("Plan {n} has {n} seats a."), "citation_ids": ["doc_1"] }))
            .collect();
        for claims in [None, Some(claims)] {
            let mut line = serde_json::json!({ "case_id": "t", "answer": answer, "sources": [{ "evidence_id": "doc_1", "content": "…" }] });
            if let Some(claims) = claims {
                line["claims"] = claims.into();
            }
            let line = line.to_string();
            let at = dataset::Line { file: "t", file_index: 0, number: 1 };
            let case = dataset::read::line(line.as_bytes(), at, &dataset::Options::default()).expect("a case");
            let mut settings = policy().claims.clone();
            settings.attach = Attach::Paragraph;
            settings.split = Split::Marker;
            let packet = Packet::build(&case, &policy().markers, &settings, &policy().lexicons);
            assert!(packet.markers.len() <= answer.len());
        }
    }
}

/// What the first claim of an answer cites, and the marker for the third unit of three.
fn cited_instead(answer: &str, ids: [&str; 3]) -> String {
    let units = ids.map(|id| serde_json::json!({"evidence_id": id, "content": "Text."}));
    let line = serde_json::json!({"case_id": "a", "answer": answer, "sources": units}).to_string();
    let at = dataset::Line { file: "a", file_index: 0, number: 1 };
    let case = dataset::read::line(line.as_bytes(), at, &dataset::Options::default()).expect("a case");
    let policy = policy();
    let packet = Packet::build(&case, &policy.markers, &policy.claims, &policy.lexicons);
    let claim = packet.claims.first().expect("a claim");
    format!("{} → {}", packet.cited_as(claim), packet.marker_for(claim, 2).unwrap_or_default())
}

#[test]
fn another_unit_is_cited_the_way_the_answer_cites() {
    for (answer, expected) in [
        ("Logs stay 90 days [1].", "[1] → [3]"),
        ("Logs stay 90 days [ev_1].", "[ev_1] → [ev_3]"),
        ("Logs stay 90 days [Source: 2].", "[Source: 2] → [Source: 3]"),
        ("Logs stay 90 days 【1†source】.", "【1†source】 → 【3†source】"),
        ("Logs stay 90 days [1][2].", "[1] and [2] → [3]"),
        // One that stands in the answer is taken as it stands there.
        ("Logs stay 90 days [ev_1]. Backups stay [3].", "[ev_1] → [3]"),
        // Nobody knows what a marker for two units looks like for one.
        ("Logs stay 90 days [1, 2].", "[1, 2] → "),
        // The address would go on pointing at the first unit.
        ("Logs stay 90 days [[1]](https://kb.example/1).", "[[1]](https://kb.example/1) → "),
        // It counts from 0 and from 1: nobody knows which.
        ("Logs stay 90 days [1]. Backups stay [0]. Exports stay [3].", "[1] → "),
        ("Logs stay 90 days [ev_1][ev_2][1][2].", "[ev_1] and [ev_2] → [ev_3]"),
        ("Logs stay 90 days [ev_9].", "[ev_9] → "),
    ] {
        assert_eq!(cited_instead(answer, ["ev_1", "ev_2", "ev_3"]), expected, "{answer}");
    }
    assert_eq!(cited_instead("Logs stay 90 days [2].", ["2", "4", "3"]), "[2] → [3]", "ids that are numbers");
    assert_eq!(cited_instead("Logs stay 90 days [4].", ["4", "1", "7"]), "[4] → [7]", "ids that are numbers");
}
