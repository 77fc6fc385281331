//! A folder in which the program runs once, and what came of it.

use std::fs;
use std::path::Path;

use serde_json::Value;

#[path = "../cli/program.rs"]
mod program;

/// A temporary folder with the files of one attempt.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder that holds these files: (path, text).
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder"));
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes one more file, with the folders above it.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    /// Runs the program here and holds its exit code against `code`; gives what it printed on both streams.
    pub fn run(&self, code: i32, words: &[&str]) -> String {
        program::exits(code, self.path(), words)
    }

    /// The lines of a JSON Lines file of the run in `citeward-out`.
    pub fn lines(&self, file: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path().join("citeward-out").join(file)).expect("a file of the run");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// `run.json` of the run in `citeward-out`.
    pub fn manifest(&self) -> Value {
        let text = fs::read_to_string(self.path().join("citeward-out/run.json")).expect("a manifest");
        serde_json::from_str(&text).expect("JSON")
    }
}
