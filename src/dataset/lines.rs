//! Lines of data files, streamed in chunks: one thread reads chunks that end at line ends, any number of threads walk
//! the lines inside them. No line is copied, and a line over the limit is never held.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::read::Line;
use crate::diagnostic::{Problem, code};

/// Bytes that are read at a time.
const CHUNK: usize = 1 << 20;

/// Buffers that grew beyond this (for one very long line) are given back to the system.
const KEPT: usize = 4 * CHUNK;

/// Buffers that wait to be used again, at most.
const SPARE: usize = 64;

/// A line this many times as long as a line may be is taken for one that never ends.
const ENDLESS: u64 = 64;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Where a file's bytes come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file on disk.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

/// One file to read, and its name in messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The file as it is shown, with `/` between folders.
    pub name: Arc<str>,
    /// Where its bytes come from.
    pub source: Source,
}

impl Input {
    /// A file, shown by its path as given.
    #[must_use]
    pub fn file(path: &Path) -> Self {
        Self { name: shown(path).into(), source: Source::File(path.to_owned()) }
    }

    /// Standard input, shown as `<stdin>`.
    #[must_use]
    pub fn stdin() -> Self {
        Self { name: "<stdin>".into(), source: Source::Stdin }
    }

    /// The same file, read from a copy.
    #[must_use]
    pub(super) fn at(&self, copy: &Path) -> Self {
        Self { name: Arc::clone(&self.name), source: Source::File(copy.to_owned()) }
    }

    /// Opens the file for reading.
    ///
    /// # Errors
    /// A file that does not exist, is a folder or a device, has no bytes, or may not be read.
    pub fn open(&self) -> Result<Box<dyn Read + Send>, Problem> {
        let Source::File(path) = &self.source else { return Ok(Box::new(io::stdin())) };
        let metadata = std::fs::metadata(path).map_err(|error| unreadable(&self.name, &error))?;
        if metadata.is_dir() {
            let problem = Problem::new(code::UNREADABLE, "a folder stands where a file belongs");
            let help = "name the file, or a dataset folder `<name>/<version>`";
            return Err(problem.found("a folder", "a JSON Lines file").help(help).in_file(&*self.name));
        }
        if is_device(&metadata) {
            let problem = Problem::new(code::UNREADABLE, "a device stands where a file belongs");
            let help = "name a file; `-` is standard input";
            return Err(problem.found("a device", "a JSON Lines file or a pipe").help(help).in_file(&*self.name));
        }
        if metadata.is_file() && metadata.len() == 0 {
            return Err(no_bytes(&self.name));
        }
        match File::open(path) {
            Ok(file) => Ok(Box::new(file)),
            Err(error) => Err(unreadable(&self.name, &error)),
        }
    }
}

/// Whether it is a device, of which some never end.
#[cfg(unix)]
fn is_device(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    metadata.file_type().is_char_device() || metadata.file_type().is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &std::fs::Metadata) -> bool {
    false
}

/// A path as it is shown on every machine: with `/` between folders.
#[must_use]
pub fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

fn no_bytes(name: &str) -> Problem {
    Problem::new(code::EMPTY, "the file is empty")
        .found("0 bytes", "one JSON object per line")
        .help("check whether the step that writes this file has run")
        .in_file(name)
}

/// A file that cannot be read, with what to do about it.
pub(super) fn unreadable(name: &str, error: &io::Error) -> Problem {
    let (kind, said, help) = match error.kind() {
        io::ErrorKind::NotFound => (code::NOT_FOUND, "there is no such file or folder".to_owned(), "check the path"),
        io::ErrorKind::NotADirectory => {
            (code::UNREADABLE, "a file stands where a folder belongs".to_owned(), "name the folder")
        }
        io::ErrorKind::PermissionDenied => {
            (code::UNREADABLE, "the file may not be read".to_owned(), "check its permissions")
        }
        _ => (code::UNREADABLE, format!("the file cannot be read: {error}"), "check the file and its disk"),
    };
    Problem::new(kind, said).help(help).in_file(name)
}

/// Buffers to be used again.
type Pool = Arc<Mutex<Vec<Vec<u8>>>>;

/// Whole lines of one file.
#[derive(Debug)]
pub struct Chunk {
    /// Index of the file among the inputs.
    pub file: u32,
    /// The file as it is shown.
    pub name: Arc<str>,
    /// Place of this chunk among all chunks of all inputs, from 0 without gaps.
    pub sequence: u64,
    /// Physical line of its first line, counted from 1.
    pub first_line: u64,
    /// Byte offset of its first line in the file.
    pub offset: u64,
    bytes: Vec<u8>,
    limit: usize,
    /// Whether the chunk stands for one line that was skipped because it is over the limit.
    skipped: bool,
    pool: Pool,
}

impl Chunk {
    /// Its lines in order, blank ones left out, each with its place and without its line break; a line over the limit
    /// is a problem.
    pub fn lines(&self) -> impl Iterator<Item = Result<(Line<'_>, &[u8]), Problem>> {
        self.rows().map(|row| row.map(|(line, _, bytes)| (line, bytes)))
    }

    /// As [`Chunk::lines`], with the byte offset of each line in the file.
    pub(super) fn rows(&self) -> impl Iterator<Item = Result<(Line<'_>, u64, &[u8]), Problem>> {
        let skipped = self.skipped.then(|| Err(self.too_long(self.first_line)));
        let mut next = (self.first_line, self.offset);
        let rows = self.bytes.split_inclusive(|byte| *byte == b'\n').filter_map(move |row| {
            let (number, offset) = next;
            next = (number + 1, offset + row.len() as u64);
            let line = row.strip_suffix(b"\n").unwrap_or(row);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.len() > self.limit {
                return Some(Err(self.too_long(number)));
            }
            let place = Line { file: &self.name, file_index: self.file, number };
            (!line.iter().all(u8::is_ascii_whitespace)).then_some(Ok((place, offset, line)))
        });
        skipped.into_iter().chain(rows)
    }

    /// Bytes held.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether it holds no bytes, as a skipped line does.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn too_long(&self, line: u64) -> Problem {
        Problem::new(code::TOO_LARGE, "the line is too long")
            .found(format!("more than {} bytes", self.limit), format!("at most {}", self.limit))
            .help("raise `line_bytes` under `limits` if this is meant")
            .on_line(&*self.name, line)
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        let mut buffer = std::mem::take(&mut self.bytes);
        if buffer.capacity() <= KEPT
            && let Ok(mut pool) = self.pool.lock()
            && pool.len() < SPARE
        {
            buffer.clear();
            pool.push(buffer);
        }
    }
}

/// The chunks of all inputs, in order. An input that cannot be read gives one problem, and the next one follows.
pub struct Chunks {
    inputs: std::vec::IntoIter<Input>,
    opened: u32,
    sequence: u64,
    limit: usize,
    pool: Pool,
    open: Option<Open>,
}

/// A file that is being read.
struct Open {
    file: u32,
    name: Arc<str>,
    reader: Box<dyn Read + Send>,
    /// What was read but not given away: the beginning of a line.
    rest: Vec<u8>,
    line: u64,
    /// Byte offset of the next chunk.
    offset: u64,
    started: bool,
}

impl Chunks {
    /// Reads these inputs; lines longer than `line_bytes` are skipped.
    #[must_use]
    pub fn new(inputs: Vec<Input>, line_bytes: usize) -> Self {
        let (inputs, pool) = (inputs.into_iter(), Pool::default());
        Self { inputs, opened: 0, sequence: 0, limit: line_bytes, pool, open: None }
    }

    fn buffer(&self) -> Vec<u8> {
        self.pool.lock().ok().and_then(|mut pool| pool.pop()).unwrap_or_default()
    }

    /// The next chunk of the open file; `None` at its end.
    fn next_of(&mut self, open: &mut Open) -> io::Result<Option<Chunk>> {
        let mut bytes = self.buffer();
        std::mem::swap(&mut bytes, &mut open.rest);
        loop {
            let before = bytes.len();
            open.reader.by_ref().take(CHUNK as u64).read_to_end(&mut bytes)?;
            let ended = bytes.len() - before < CHUNK;
            if !open.started {
                open.started = true;
                if bytes.starts_with(BOM) {
                    bytes.drain(..BOM.len());
                    open.offset = BOM.len() as u64;
                }
            }
            let from = before.min(bytes.len());
            let cut = bytes.iter().skip(from).rposition(|byte| *byte == b'\n').map(|at| from + at + 1);
            match cut {
                Some(cut) if !ended => {
                    open.rest.clear();
                    open.rest.extend_from_slice(bytes.get(cut..).unwrap_or_default());
                    bytes.truncate(cut);
                }
                // The line break may still follow, and a carriage return before it.
                None if !ended && bytes.len() <= self.limit.saturating_add(2) => continue,
                None if !ended => return self.skip(open, bytes).map(Some),
                _ if bytes.is_empty() => return Ok(None),
                _ => {}
            }
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
            let length = bytes.len() as u64;
            let chunk = self.chunk(open, bytes, false);
            open.line += lines;
            open.offset += length;
            return Ok(Some(chunk));
        }
    }

    /// Leaves out the rest of a line over the limit, whose beginning is in `bytes`. A line that is [`ENDLESS`] times as long does
    /// not end: nothing behind it is read.
    fn skip(&mut self, open: &mut Open, mut bytes: Vec<u8>) -> io::Result<Chunk> {
        let mut length = bytes.len() as u64;
        loop {
            bytes.clear();
            bytes.shrink_to(CHUNK);
            open.reader.by_ref().take(CHUNK as u64).read_to_end(&mut bytes)?;
            let end = bytes.iter().position(|byte| *byte == b'\n');
            if end.is_none() && length > (self.limit as u64).saturating_mul(ENDLESS) {
                return Err(io::Error::new(
                    io::ErrorKind::FileTooLarge,
                    format!("line {} does not end after {length} bytes", open.line),
                ));
            }
            length += end.map_or(bytes.len(), |at| at + 1) as u64;
            if end.is_some() || bytes.len() < CHUNK {
                open.rest.clear();
                open.rest.extend_from_slice(end.and_then(|at| bytes.get(at + 1..)).unwrap_or_default());
                bytes.clear();
                let chunk = self.chunk(open, bytes, true);
                open.line += 1;
                open.offset += length;
                return Ok(chunk);
            }
        }
    }

    fn chunk(&mut self, open: &Open, bytes: Vec<u8>, skipped: bool) -> Chunk {
        let sequence = self.sequence;
        self.sequence += 1;
        let (name, pool, limit) = (Arc::clone(&open.name), Arc::clone(&self.pool), self.limit);
        let (file, first_line, offset) = (open.file, open.line, open.offset);
        Chunk { file, name, sequence, first_line, offset, bytes, limit, skipped, pool }
    }
}

impl Iterator for Chunks {
    type Item = Result<Chunk, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut open = match self.open.take() {
                Some(open) => open,
                None => {
                    let input = self.inputs.next()?;
                    let file = self.opened;
                    self.opened += 1;
                    let reader = match input.open() {
                        Ok(reader) => reader,
                        Err(problem) => return Some(Err(problem)),
                    };
                    Open { file, name: input.name, reader, rest: Vec::new(), line: 1, offset: 0, started: false }
                }
            };
            let fresh = !open.started;
            match self.next_of(&mut open) {
                Ok(Some(chunk)) => {
                    self.open = Some(open);
                    return Some(Ok(chunk));
                }
                Ok(None) if fresh => return Some(Err(no_bytes(&open.name))),
                Ok(None) => {}
                Err(error) => return Some(Err(unreadable(&open.name, &error))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write as _;

    fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    /// Line numbers with the text, or with `None` for a line over the limit.
    fn lines(bytes: &[u8], limit: usize) -> Vec<(u64, Option<Vec<u8>>)> {
        let file = file(bytes);
        let mut found = Vec::new();
        for (sequence, chunk) in Chunks::new(vec![Input::file(file.path())], limit).enumerate() {
            let chunk = chunk.unwrap();
            assert_eq!(chunk.sequence, sequence as u64);
            for line in chunk.rows() {
                found.push(match line {
                    Ok((place, offset, line)) => {
                        assert_eq!(&bytes[offset as usize..][..line.len()], line);
                        (place.number, Some(line.to_vec()))
                    }
                    Err(problem) => match problem.place {
                        crate::diagnostic::Place::Line(_, number) => (number, None),
                        other => panic!("{other:?}"),
                    },
                });
            }
        }
        found
    }

    #[test]
    fn blank_lines_count_and_breaks_and_the_first_mark_are_left_out() {
        let found = lines("\u{feff}a\r\n\n \t\r\nb\u{2028}c\u{85}\u{feff}\nd".as_bytes(), 100);
        let text = |text: &str| Some(text.as_bytes().to_vec());
        assert_eq!(found, [(1, text("a")), (4, text("b\u{2028}c\u{85}\u{feff}")), (5, text("d"))]);
    }

    #[test]
    fn a_line_over_the_limit_is_left_out_and_the_next_ones_are_read() {
        let limit = CHUNK + 10;
        let mut bytes = b"a\n".to_vec();
        bytes.extend(std::iter::repeat_n(b'x', 3 * CHUNK));
        bytes.extend(b"\nb\n");
        bytes.extend(std::iter::repeat_n(b'y', limit));
        bytes.extend(b"\r\nc\n");
        bytes.extend(std::iter::repeat_n(b'z', limit + 1));
        let found: Vec<_> =
            lines(&bytes, limit).into_iter().map(|(at, line)| (at, line.map(|line| line.len()))).collect();
        assert_eq!(found, [(1, Some(1)), (2, None), (3, Some(1)), (4, Some(limit)), (5, Some(1)), (6, None)]);
        assert_eq!(lines(b"abc\nab\n", 2), [(1, None), (2, Some(b"ab".to_vec()))]);
    }

    #[test]
    fn buffers_are_used_again() {
        let row = format!("{}\n", "x".repeat(999));
        let file = file(row.repeat(5_000).as_bytes());
        let mut chunks = Chunks::new(vec![Input::file(file.path())], 1_000);
        let mut rows = 0;
        while let Some(chunk) = chunks.next() {
            rows += chunk.unwrap().lines().count();
            assert!(chunks.pool.lock().unwrap().len() <= 2);
        }
        assert_eq!(rows, 5_000);
    }

    #[test]
    fn what_cannot_be_read_is_a_problem_and_the_next_file_follows() {
        let folder = tempfile::tempdir().unwrap();
        let (empty, good) = (file(b""), file(b"{}\n"));
        let inputs =
            [folder.path(), &folder.path().join("missing"), empty.path(), good.path()].map(Input::file).to_vec();
        let codes: Vec<_> =
            Chunks::new(inputs, 10).map(|chunk| chunk.map(|chunk| chunk.file).map_err(|p| p.code)).collect();
        assert_eq!(codes, [Err(code::UNREADABLE), Err(code::NOT_FOUND), Err(code::EMPTY), Ok(3)]);
    }

    proptest! {
        #[test]
        fn every_line_comes_once_with_its_number(rows in prop::collection::vec("[a-z]{1,9}", 0..50), ended in any::<bool>()) {
            let mut text = rows.join("\n");
            if ended { text.push('\n'); }
            prop_assume!(!text.is_empty());
            let found = lines(text.as_bytes(), 100);
            let expected: Vec<_> = rows.iter().zip(1..).map(|(row, at)| (at, Some(row.clone().into_bytes()))).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
