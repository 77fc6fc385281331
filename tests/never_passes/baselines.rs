//! Baselines that bind, inputs without end, and decisions and runs that were tampered with.
