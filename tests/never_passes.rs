//! Ways to pass a release that was not read, or whose errors nothing counts: each is closed, and each has a test here.
//! `docs/what-never-passes.md` lists them with the names of these tests.

#[path = "never_passes/folder.rs"]
mod folder;

#[path = "never_passes/baselines.rs"]
mod baselines;
#[path = "never_passes/markers.rs"]
mod markers;
#[path = "never_passes/policies.rs"]
mod policies;
#[path = "never_passes/statements.rs"]
mod statements;
#[path = "never_passes/uncounted.rs"]
mod uncounted;
#[path = "never_passes/unread.rs"]
mod unread;
