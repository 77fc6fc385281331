//! Datasets: cases, their reading from JSON Lines, and frozen versions.

pub mod answers;
pub mod case;
pub mod day;
pub mod decisions;
pub mod duplicates;
pub mod fingerprint;
pub mod folder;
pub mod freeze;
pub mod json;
pub mod label;
pub mod limits;
pub mod lines;
mod malformed;
pub mod manifest;
pub mod read;
pub mod register;
pub mod scan;
pub mod slip;
pub mod verify;
pub mod version;

pub use case::{Case, GivenCitation, GivenClaim, Origin, Text, Unit};
pub use day::Day;
pub use decisions::Decisions;
pub use json::Json;
pub use label::Label;
pub use limits::Limits;
pub use read::{Line, Options};
pub use register::Register;
