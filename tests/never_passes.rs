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

/// The page names tests that exist.
#[test]
fn each_row_of_the_page_names_a_test() {
    let sources = concat!(
        include_str!("never_passes/baselines.rs"),
        include_str!("never_passes/markers.rs"),
        include_str!("never_passes/policies.rs"),
        include_str!("never_passes/statements.rs"),
        include_str!("never_passes/uncounted.rs"),
        include_str!("never_passes/unread.rs"),
    );
    let page = include_str!("../docs/what-never-passes.md");
    let rows = page.lines().filter_map(|line| line.strip_suffix("` |")?.rsplit_once('`'));
    let names: Vec<&str> = rows.map(|(_, name)| name).collect();
    assert!(names.len() > 50, "{names:?}");
    for name in names {
        assert!(sources.contains(&format!("fn {name}()")), "no test is called {name}");
    }
}
