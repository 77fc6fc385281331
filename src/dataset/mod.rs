//! Datasets: cases, their reading from JSON Lines, and frozen versions.

pub mod case;
pub mod json;
pub mod label;

pub use case::{Case, GivenCitation, GivenClaim, Origin, Text, Unit};
pub use json::Json;
pub use label::Label;
