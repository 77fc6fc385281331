//! Errors that no gate counts.
