//! The deterministic release gate for cited answers of retrieval-augmented generation (RAG) products.
