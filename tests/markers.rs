//! Holds the shipped marker grammars against cases that were worked out by hand (`tests/checks/markers.yaml`).

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use citeward::citation::{Grammar, IdCase, MarkerSet, Resolution, Resolve};
use citeward::dataset::{Json, Unit};
use citeward::yaml;
use proptest::prelude::*;
use regex::Regex;
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

#[derive(Deserialize)]
struct Rules {
    #[serde(rename = "version")]
    _version: u32,
    markers: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    pattern: Option<String>,
    exclude: Option<String>,
    suspicious: Option<String>,
    each: Option<String>,
    resolve: Option<String>,
    first: Option<u32>,
    prefix: Option<String>,
    #[serde(default)]
    known_only: bool,
}

fn read<T: serde::de::DeserializeOwned>(path: &str) -> T {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    yaml::read(path, &text).unwrap_or_else(|problems| panic!("{path}: {:?}", problems.shown()))
}

fn regex(text: &str) -> Regex {
    Regex::new(text).unwrap_or_else(|error| panic!("{error}"))
}

fn shipped() -> MarkerSet {
    let rules: Rules = read("rules/00-markers.yaml");
    let (mut grammars, mut exclude, mut suspicious) = (Vec::new(), Vec::new(), Vec::new());
    for entry in rules.markers {
        exclude.extend(entry.exclude.as_deref().map(regex));
        suspicious.extend(entry.suspicious.as_deref().map(regex));
        let Some(pattern) = entry.pattern else { continue };
        let grammar = Grammar::new(&entry.id, regex(&pattern)).unwrap_or_else(|error| panic!("{}: {error}", entry.id));
        let resolve = match entry.resolve.as_deref() {
            Some("position") => Resolve::Position { first: entry.first.unwrap_or(1) },
            None | Some("id") => Resolve::Id,
            Some(other) => panic!("{other}"),
        };
        grammars.push(Grammar {
            each: entry.each.as_deref().map(regex),
            resolve,
            case: IdCase::Fold,
            prefix: entry.prefix.unwrap_or_default(),
            known_only: entry.known_only,
            ..grammar
        });
    }
    MarkerSet::new(grammars, exclude, suspicious)
}

fn unit(id: &str) -> Unit<'static> {
    Unit {
        id: Cow::Owned(id.to_owned()),
        source_id: None,
        source_version: None,
        source_type: None,
        locator: None,
        title: None,
        canonical_uri: None,
        scope_id: None,
        relevance: None,
        content: None,
        content_sha256: None,
        fields: Json::Object(Vec::new()),
    }
}

fn differs<T: PartialEq + Debug>(name: &str, what: &str, found: &T, expected: &T) -> Option<String> {
    (found != expected).then(|| format!("{name}: {what}\n   found    {found:?}\n   expected {expected:?}"))
}

#[test]
fn the_shipped_grammars_read_every_case_as_worked_out_by_hand() {
    let set = shipped();
    let table: Table = read("tests/checks/markers.yaml");
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
const HOSTILE: &[&str] = &[
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
fn hostile_answers_of_a_megabyte_are_read_in_linear_time() {
    let set = shipped();
    let units: Vec<Unit<'_>> = (0..20).map(|number| unit(&format!("doc_{number}"))).collect();
    let time = |part: &str, bytes: usize, ending: &str| {
        let answer = part.repeat(bytes / part.len()) + ending;
        let started = Instant::now();
        let parsed = set.parse(&answer, &units);
        assert!(parsed.markers.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
        started.elapsed()
    };
    for part in HOSTILE {
        for ending in ["", "]", ")"] {
            // Four times the length takes four times as long, not sixteen times; the sum is for the clock's grain.
            let (short, long) = (time(part, 20_000, ending), time(part, 80_000, ending));
            let most = short * 10 + Duration::from_millis(200);
            assert!(long < most, "{part:?} … {ending:?}: {short:?} for 20 kB, {long:?} for 80 kB");
        }
    }
}

proptest! {
    #[test]
    fn any_answer_gives_ordered_markers_that_cut_to_their_raw_text(
        parts in prop::collection::vec(prop_oneof![
            prop::sample::select(HOSTILE.to_vec()).prop_map(str::to_owned),
            r"[\[\]()【】<>{}`$#^,;:–0-9a-z. \n-]{0,6}",
            r"\PC{0,3}",
        ], 0..30)
    ) {
        let answer = parts.concat();
        let parsed = shipped_once().parse(&answer, &[unit("doc_1"), unit("2"), unit("a")]);
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

fn shipped_once() -> &'static MarkerSet {
    static SET: OnceLock<MarkerSet> = OnceLock::new();
    SET.get_or_init(shipped)
}
