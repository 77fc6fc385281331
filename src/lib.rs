//! The deterministic release gate for cited answers of retrieval-augmented generation (RAG) products.
//!
//! Data flows one way, and a module imports only what lies to its left:
//!
//! ```text
//! diagnostic → file → yaml → text → dataset → citation → check → rules → record → tally → gate → run → report → cli
//! ```
//!
//! A line of a dataset becomes a case, a case with its markers and claims a packet, a packet under a policy records,
//! records counts in a tally, and a tally under the policy's gates a decision:
//!
//! ```
//! use citeward::citation::Packet;
//! use citeward::dataset::{Label, Line, Options, read};
//! use citeward::record::cache::Cache;
//! use citeward::record::evaluate::{EvidenceMode, Evaluator};
//! use citeward::tally::{RuleTable, Tally};
//! use citeward::{gate, rules};
//!
//! let line = br#"{"case_id":"atlas-2","answer":"Atlas guarantees 99.99% uptime [S1].",
//!   "sources":[{"id":"S1","content":"The monthly uptime target is 99.9%."}]}"#;
//! let place = Line { file: "cases.jsonl", file_index: 0, number: 1 };
//!
//! let policy = rules::built_in().expect("the shipped rules are right");
//! let case = read::line(line, place, &Options::default()).expect("a case");
//! let packet = Packet::build(&case, &policy.markers, &policy.claims, &policy.lexicons);
//! let evaluator = Evaluator::new(&policy, EvidenceMode::Excerpts);
//! let records = evaluator.evaluate(&packet, "cases.jsonl", String::new(), &mut Cache::default());
//! assert_eq!(records.claims[0].label, Some(Label::Contradicted));
//!
//! let table = RuleTable::of(&policy);
//! let mut tally = Tally::new(&table);
//! tally.add(&records.case, &records.claims, &table).expect("few slices");
//! assert!(!gate::judge(&policy.gates, &tally, &table, &[]).passes());
//! ```
//!
//! [`run::evaluate`] does the same for whole datasets, streaming and on all cores; [`cli`] is what the program does.

pub mod check;
pub mod citation;
pub mod cli;
pub mod dataset;
pub mod diagnostic;
pub mod file;
pub mod gate;
pub mod record;
pub mod report;
pub mod rules;
pub mod run;
pub mod tally;
pub mod text;
pub mod yaml;
