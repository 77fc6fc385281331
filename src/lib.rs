//! The deterministic release gate for cited answers of retrieval-augmented generation (RAG) products.

pub mod check;
pub mod citation;
pub mod cli;
pub mod dataset;
pub mod diagnostic;
pub mod gate;
pub mod record;
pub mod report;
pub mod rules;
pub mod run;
pub mod tally;
pub mod text;
pub mod yaml;
