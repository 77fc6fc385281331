//! Any bytes as a line of a dataset, judged by the built-in policy when it is a case: markers, claims, every check.
#![no_main]

use std::sync::OnceLock;

use citeward::citation::Packet;
use citeward::dataset::{Line, Options, read};
use citeward::record::cache::Cache;
use citeward::record::evaluate::{EvidenceMode, Evaluator};
use citeward::rules::{self, Policy};
use libfuzzer_sys::fuzz_target;

static POLICY: OnceLock<Policy> = OnceLock::new();

fuzz_target!(|bytes: &[u8]| {
    let policy = POLICY.get_or_init(|| rules::built_in().expect("the built-in policy"));
    let line = Line { file: "fuzz.jsonl", file_index: 0, number: 1 };
    let Ok(case) = read::line(bytes, line, &Options::default()) else { return };
    let packet = Packet::build(&case, &policy.markers, &policy.claims, &policy.lexicons);
    for marker in &packet.markers {
        let answer = case.answer.as_deref().unwrap_or_default();
        assert_eq!(&answer[marker.span.clone()], marker.raw);
    }
    let evaluator = Evaluator::new(policy, EvidenceMode::Excerpts);
    let _ = evaluator.evaluate(&packet, "fuzz.jsonl", String::new(), &mut Cache::default());
});
