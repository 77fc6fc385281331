//! Answers apart from questions: a candidate's answers, laid over the cases of a dataset by `case_id` (SPEC 4.1).
//!
//! The file is read once to find where each answer stands (32 bytes per answer), and again one row at a time, from
//! any thread, when its case comes by. Rows are never all held in memory.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;

use super::case::Case;
use super::duplicates::IdHash;
use super::json::Json;
use super::lines::{Chunk, Chunks, Input, Source, unreadable};
use super::read::{self, Line, Options};
use crate::diagnostic::{Problem, Problems, code, quoted};
use crate::text::digest::Digest;

/// Where the answer of one case stands.
#[derive(Debug, Clone, Copy)]
struct Entry {
    hash: IdHash,
    offset: u64,
    line: u32,
    length: u32,
}

/// An answers file, indexed.
#[derive(Debug)]
pub struct Answers {
    name: Arc<str>,
    file: PositionedFile,
    /// In order of hash.
    entries: Vec<Entry>,
    /// One bit per entry: whether its case came by.
    used: Vec<AtomicU64>,
    options: Options,
    /// Holds what came through a pipe.
    _copy: Option<NamedTempFile>,
}

/// A case with its answer laid over it.
#[derive(Debug)]
pub enum Laid<'a> {
    /// The case as it is to be evaluated.
    Case(Case<'a>),
    /// The file has no answer for the case: the case without answer and claims, and the problem, for those to whom it
    /// is one.
    Missing(Case<'a>, Problem),
}

impl Answers {
    /// Reads and indexes an answers file. Standard input and pipes are copied to a temporary file first.
    ///
    /// # Errors
    /// Every row that is no JSON object with a `case_id`, every id that stands twice, a file without rows, and a file
    /// that cannot be read.
    pub fn open(input: &Input, options: &Options) -> Result<Answers, Problems> {
        let mut problems = Problems::new();
        match Self::index(input, options, &mut problems) {
            Some(answers) if problems.is_empty() => Ok(answers),
            _ => Err(problems),
        }
    }

    fn index(input: &Input, options: &Options, problems: &mut Problems) -> Option<Answers> {
        let copy = or_note(copied(input), problems)?;
        let path = match (&copy, &input.source) {
            (Some(copy), _) => copy.path(),
            (None, Source::File(path)) => path,
            (None, Source::Stdin) => return None,
        };
        let here = Input { name: Arc::clone(&input.name), source: Source::File(path.to_owned()) };
        let mut entries = Vec::new();
        for chunk in Chunks::new(vec![here], options.limits.line_bytes) {
            let chunk = or_note(chunk, problems)?;
            index_chunk(&chunk, options, &mut entries, problems);
        }
        // By line among equals, so that the first of two answers is the one that stays.
        entries.sort_unstable_by_key(|entry: &Entry| (entry.hash, entry.offset));
        let file = or_note(PositionedFile::open(path).map_err(|error| unreadable(&input.name, &error)), problems)?;
        let used = (0..entries.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let name = Arc::clone(&input.name);
        let answers = Answers { name, file, entries, used, options: *options, _copy: copy };
        answers.note_duplicates(problems);
        if answers.entries.is_empty() && problems.is_empty() {
            let problem = Problem::new(code::EMPTY, "the answers file has no answers");
            problems.push(problem.found("blank lines only", "one JSON object per line").in_file(&*answers.name));
        }
        Some(answers)
    }

    /// SHA-256 of the file's bytes.
    ///
    /// # Errors
    /// Where the file cannot be read any more.
    pub fn digest(&self) -> io::Result<Digest> {
        self.file.digest()
    }

    /// Answers in the file.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none; an opened file has at least one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Reads the case of `bytes`, a line that is not blank, with its answer laid over it. `buffer` holds the answer's
    /// row as long as the case lives.
    ///
    /// # Errors
    /// Every problem of the case and of its answer, each on the line of the file in which it stands.
    pub fn lay_over<'a>(
        &self,
        bytes: &'a [u8],
        line: Line<'_>,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Laid<'a>, Vec<Problem>> {
        let (tree, mut problems) = read::decode(bytes, line, &self.options)?;
        let lenient = Options { need_answer: false, ..self.options };
        let Ok(case_id) = read::case_id(&tree, line, &self.options) else {
            // The reading says the same, and what else is wrong.
            return read::interpret(tree, line, None, problems, &lenient).map(Laid::Case);
        };
        let Some((index, entry)) = self.find(IdHash::of(&case_id)) else {
            let problem = line.place(self.missing(&case_id));
            let bare = (Json::Object(Vec::new()), line);
            let case = read::interpret(tree, line, Some(bare), problems, &lenient)?;
            return Ok(Laid::Missing(case, problem));
        };
        self.mark(index);
        let there = self.place(entry);
        self.file.read(entry.offset, entry.length, buffer).map_err(|error| vec![unreadable(&self.name, &error)])?;
        let (row, more) = read::decode(buffer, there, &self.options)?;
        if read::case_id(&row, there, &self.options)? != case_id {
            let problem = Problem::new(code::UNREADABLE, "the file was changed while it was read");
            return Err(vec![there.place(problem.help("run again once the file is complete"))]);
        }
        problems.extend(more);
        read::interpret(tree, line, Some((row, there)), problems, &self.options).map(Laid::Case)
    }

    /// The problems of answers whose case never came by: to be asked for when all cases were read.
    #[must_use]
    pub fn unused(&self) -> Vec<Problem> {
        let mut buffer = Vec::new();
        let unused = self.entries.iter().enumerate().filter(|(index, _)| !self.is_used(*index));
        let mut unused: Vec<&Entry> = unused.map(|(_, entry)| entry).collect();
        unused.sort_unstable_by_key(|entry| entry.line);
        unused.into_iter().map(|entry| self.unknown(entry, &mut buffer)).collect()
    }

    fn unknown(&self, entry: &Entry, buffer: &mut Vec<u8>) -> Problem {
        let there = self.place(entry);
        let read = self.file.read(entry.offset, entry.length, buffer).is_ok();
        let row = read.then(|| read::decode(buffer, there, &self.options).ok()).flatten();
        let id = row.and_then(|(row, _)| read::case_id(&row, there, &self.options).ok());
        let found = id.map_or_else(|| "an id".to_owned(), |id| quoted(&id));
        let problem = Problem::new(code::UNKNOWN_CASE, "the answer is for a case that the dataset does not have");
        let help = "remove the answer, or check that dataset and answers belong together";
        there.place(problem.found(found, "the `case_id` of one of its cases").help(help))
    }

    fn missing(&self, case_id: &str) -> Problem {
        Problem::new(code::MISSING_ANSWER, format!("{} has no answer for this case", self.name))
            .found(format!("no row with the id {}", quoted(case_id)), "one per case")
            .help("add the answer, or count such cases as broken with --allow-missing-answers")
    }

    /// The problem of a case whose answer has no word.
    #[must_use]
    pub fn empty(&self, case_id: &str) -> Problem {
        Problem::new(code::MISSING_ANSWER, format!("the answer that {} has for this case is empty", self.name))
            .found(
                format!("no letter and no digit in the answer of {}", quoted(case_id)),
                "an answer, or a refusal in words",
            )
            .help("add the answer, or count such cases as broken with --allow-missing-answers")
    }

    fn note_duplicates(&self, problems: &mut Problems) {
        let mut first: Option<&Entry> = None;
        for entry in &self.entries {
            match first {
                Some(first) if first.hash == entry.hash => {
                    let problem = Problem::new(code::DUPLICATE_CASE, "two answers have the same case id");
                    let found = format!("the id of the answer on line {}", first.line);
                    problems.push(self.place(entry).place(problem.found(found, "one answer per case")));
                }
                _ => first = Some(entry),
            }
        }
    }

    fn place(&self, entry: &Entry) -> Line<'_> {
        Line { file: &self.name, file_index: 0, number: u64::from(entry.line) }
    }

    fn find(&self, hash: IdHash) -> Option<(usize, &Entry)> {
        let index = self.entries.partition_point(|entry| entry.hash < hash);
        self.entries.get(index).filter(|entry| entry.hash == hash).map(|entry| (index, entry))
    }

    fn mark(&self, index: usize) {
        if let Some(word) = self.used.get(index / 64) {
            word.fetch_or(1 << (index % 64), Ordering::Relaxed);
        }
    }

    fn is_used(&self, index: usize) -> bool {
        self.used.get(index / 64).is_some_and(|word| word.load(Ordering::Relaxed) & (1 << (index % 64)) != 0)
    }
}

fn or_note<T>(result: Result<T, Problem>, problems: &mut Problems) -> Option<T> {
    result.map_err(|problem| problems.push(problem)).ok()
}

/// Notes where the answers of a chunk stand, and the rows that are none.
fn index_chunk(chunk: &Chunk, options: &Options, entries: &mut Vec<Entry>, problems: &mut Problems) {
    for row in chunk.rows() {
        let row = row.map_err(|problem| vec![problem]).and_then(|(line, offset, bytes)| {
            let (tree, duplicates) = read::decode(bytes, line, options)?;
            if !duplicates.is_empty() {
                return Err(duplicates);
            }
            let id = read::case_id(&tree, line, options)?;
            let too_many = |_| {
                let problem = Problem::new(code::TOO_LARGE, "the answers file is too large");
                vec![line.place(problem.found("more than 4294967295 lines", "fewer"))]
            };
            let (number, length) = (u32::try_from(line.number), u32::try_from(bytes.len()));
            let (line, length) = (number.map_err(too_many)?, length.map_err(too_many)?);
            Ok(Entry { hash: IdHash::of(&id), offset, line, length })
        });
        match row {
            Ok(entry) => entries.push(entry),
            Err(found) => found.into_iter().for_each(|problem| problems.push(problem)),
        }
    }
}

/// What comes through a pipe, copied so that it can be read twice; `None` for a file that can.
fn copied(input: &Input) -> Result<Option<NamedTempFile>, Problem> {
    let mut reader = input.open()?;
    if let Source::File(path) = &input.source
        && std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
    {
        return Ok(None);
    }
    let copy = NamedTempFile::new().and_then(|mut copy| io::copy(&mut reader, &mut copy).map(|_| copy));
    copy.map(Some).map_err(|error| unreadable(&input.name, &error))
}

/// A file that many threads read at places of their own.
#[derive(Debug)]
struct PositionedFile {
    #[cfg(unix)]
    file: File,
    #[cfg(not(unix))]
    file: std::sync::Mutex<File>,
}

impl PositionedFile {
    fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        #[cfg(not(unix))]
        let file = std::sync::Mutex::new(file);
        Ok(Self { file })
    }

    /// SHA-256 of all bytes, read piece by piece.
    fn digest(&self) -> io::Result<Digest> {
        const PIECE: u64 = 1 << 20;
        let mut hasher = Sha256::new();
        let mut buffer = Vec::new();
        let (mut offset, length) = (0, self.length()?);
        while offset < length {
            let piece = PIECE.min(length - offset);
            self.read(offset, u32::try_from(piece).unwrap_or(u32::MAX), &mut buffer)?;
            hasher.update(&buffer);
            offset += piece;
        }
        Ok(Digest(hasher.finalize().into()))
    }

    #[cfg(unix)]
    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    #[cfg(not(unix))]
    fn length(&self) -> io::Result<u64> {
        let file = self.file.lock().map_err(|_| io::Error::other("another reader failed"))?;
        Ok(file.metadata()?.len())
    }

    /// Fills `buffer` with the bytes at `offset`.
    fn read(&self, offset: u64, length: u32, buffer: &mut Vec<u8>) -> io::Result<()> {
        buffer.clear();
        buffer.resize(usize::try_from(length).unwrap_or(usize::MAX), 0);
        self.read_exact_at(offset, buffer)
    }

    #[cfg(unix)]
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }

    #[cfg(not(unix))]
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        use std::io::{Read as _, Seek as _};
        let mut file = self.file.lock().map_err(|_| io::Error::other("another reader failed"))?;
        file.seek(io::SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}

#[cfg(test)]
mod tests;
