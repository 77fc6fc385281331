//! The deterministic release gate for cited answers of retrieval-augmented generation (RAG) products.

pub mod citation;
pub mod dataset;
