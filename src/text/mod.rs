//! Language, numbers and spans: what can be known of a text without knowing what it is for.
//!
//! Everything here takes a text and a [`lexicon::Lexicon`] and gives spans (byte offsets, end exclusive) into that text. [`Analysis`]
//! computes each part once, on demand, and can be shared by threads.

pub mod analysis;
mod block;
mod clause;
pub mod code;
mod cursor;
pub mod date;
pub mod digest;
pub mod disguise;
pub mod expression;
pub mod hidden;
pub mod hole;
pub mod identifier;
pub mod lexicon;
pub mod name;
pub mod normal;
pub mod outcome;
pub mod quantity;
pub mod quotation;
pub mod redact;
pub mod sentence;
pub mod span;
pub mod stance;
pub mod table;
pub mod word;

pub use analysis::Analysis;
pub use digest::{Digest, Digests};
pub use lexicon::Lexicons;
pub use span::Span;
