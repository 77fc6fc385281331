//! Statements that stand outside of every rate, and text that no reader sees.
