//! Policies that were weakened in silence.
