//! Running the program as a person or a pipeline does.

use std::path::Path;
use std::process::{Command, Output};

/// What a person's shell may hold that changes what programs print.
pub const SCRUBBED: [&str; 9] = [
    "CI",
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "FORCE_COLOR",
    "TERM",
    "COLUMNS",
    "GITHUB_ACTIONS",
    "RUST_BACKTRACE",
];

/// Runs the program in a folder, with a clean environment and nothing on standard input.
pub fn citeward(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_citeward"));
    for name in SCRUBBED {
        command.env_remove(name);
    }
    command.current_dir(folder).args(arguments).output().expect("the program starts")
}

/// Runs it and asserts its exit code; gives what it printed, standard output first.
pub fn exits(code: i32, folder: &Path, arguments: &[&str]) -> String {
    let output = citeward(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let printed = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {printed}");
    printed
}
