//! Writing a run folder: into a temporary sibling, then moved into place in one step. Whatever goes wrong before that
//! step leaves the previous run as it was.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::{RUN_JSON, SUMS, manifest, verify};
use crate::diagnostic::{Problem, code};

/// Infix of the names of temporary siblings.
const TEMPORARY: &str = ".citeward-tmp-";
/// File inside a temporary sibling whose lock says that its run is still going on.
const LOCK: &str = ".lock";
/// Bytes that are collected before they are written.
const BUFFER: usize = 1 << 18;

/// A run folder that is being written. Dropping it without [`RunWriter::commit`] removes what was written.
#[derive(Debug)]
pub struct RunWriter {
    shown: String,
    destination: PathBuf,
    temporary: TempDir,
    lock: File,
    digests: BTreeMap<String, String>,
}

/// A file of the run folder that is written piece by piece and hashed on the way.
#[derive(Debug)]
pub struct Stream {
    name: String,
    shown: String,
    file: BufWriter<File>,
    hash: Sha256,
}

impl RunWriter {
    /// Tries the output path and makes the temporary sibling, before any work is done.
    ///
    /// # Errors
    /// A [`Problem`] where `out` is a file, a folder that holds something else than a run, the working folder, or
    /// where nothing can be written beside it.
    pub fn prepare(out: &Path) -> Result<Self, Problem> {
        let shown = out.display().to_string();
        let destination = destination(out, &shown)?;
        let (parent, name) = parent_and_name(&destination, &shown)?;
        if !parent.is_dir() {
            return Err(refused(&shown, "the folder that it belongs in does not exist")
                .help(format!("make it first: mkdir -p {}", shell_word(&parent.display().to_string()))));
        }
        refuse_foreign(&destination, &shown)?;
        let prefix = format!(".{name}{TEMPORARY}");
        remove_abandoned(parent, &prefix);
        let unwritable = |error: io::Error| unwritable(&shown, &error);
        let temporary = tempfile::Builder::new().prefix(&prefix).tempdir_in(parent).map_err(unwritable)?;
        let lock = File::create(temporary.path().join(LOCK)).map_err(unwritable)?;
        // Where locks are not to be had, an abandoned folder only stays.
        let _ = lock.try_lock();
        Ok(Self { shown, destination, temporary, lock, digests: BTreeMap::new() })
    }

    /// The folder's path as the user gave it.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Begins a file that is written piece by piece. `name` is a plain file name.
    ///
    /// # Errors
    /// A [`Problem`] where the file cannot be made.
    pub fn stream(&self, name: &str) -> Result<Stream, Problem> {
        let file = File::create(self.temporary.path().join(name)).map_err(|error| unwritable(&self.shown, &error))?;
        Ok(Stream {
            name: name.to_owned(),
            shown: self.shown.clone(),
            file: BufWriter::with_capacity(BUFFER, file),
            hash: Sha256::new(),
        })
    }

    /// Where a file of the run stands until the folder is moved into place.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.temporary.path().join(name)
    }

    /// Ends a file that was written piece by piece.
    ///
    /// # Errors
    /// A [`Problem`] where the rest of it cannot be written.
    pub fn end(&mut self, mut stream: Stream) -> Result<(), Problem> {
        stream.file.flush().map_err(|error| unwritable(&self.shown, &error))?;
        self.digests.insert(stream.name, hex(&stream.hash.finalize()));
        Ok(())
    }

    /// Writes a whole file. `name` is a plain file name.
    ///
    /// # Errors
    /// A [`Problem`] where it cannot be written.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        let mut stream = self.stream(name)?;
        stream.write(bytes)?;
        self.end(stream)
    }

    /// Writes `SHA256SUMS` and moves the folder into place; the previous run is removed only after that.
    ///
    /// # Errors
    /// A [`Problem`] where that is not possible; the previous run is then still in place.
    pub fn commit(mut self) -> Result<(), Problem> {
        let sums: String = self.digests.iter().map(|(name, digest)| format!("{digest}  {name}\n")).collect();
        self.write(SUMS, sums.as_bytes())?;
        let Self { shown, destination, temporary, lock, .. } = self;
        drop(lock);
        let failed = |error: io::Error| unwritable(&shown, &error);
        fs::remove_file(temporary.path().join(LOCK)).map_err(failed)?;
        open_to_others(temporary.path()).map_err(failed)?;
        // Somebody may have put files there since the run began.
        refuse_foreign(&destination, &shown)?;
        let written = temporary.keep();
        let moved = put_in_place(&written, &destination);
        if moved.is_err() && written.exists() {
            let _ = fs::remove_dir_all(&written);
        }
        moved.map_err(failed)
    }
}

impl Stream {
    /// Writes the next piece.
    ///
    /// # Errors
    /// A [`Problem`] where it cannot be written, such as on a full disk.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        self.hash.update(bytes);
        self.file.write_all(bytes).map_err(|error| unwritable(&self.shown, &error))
    }
}

/// Lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The path that the run will have; where it exists, links resolved, so that a link stays a link.
fn destination(out: &Path, shown: &str) -> Result<PathBuf, Problem> {
    match fs::symlink_metadata(out) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(out.to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            Err(refused(shown, "a part of its path is a file").help("name another place with --out"))
        }
        Err(error) => Err(unwritable(shown, &error)),
        Ok(_) => {
            let resolved = fs::canonicalize(out)
                .map_err(|error| refused(shown, format!("it is a link that leads nowhere: {error}")))?;
            if !resolved.is_dir() {
                return Err(refused(shown, "it is a file, and a run is a folder")
                    .help("name another folder with --out, or move the file away"));
            }
            let here = std::env::current_dir().and_then(fs::canonicalize);
            if here.is_ok_and(|here| here.starts_with(&resolved)) {
                return Err(refused(shown, "it holds the working folder, and a run replaces its folder whole")
                    .help("give the run a folder of its own, such as --out citeward-out"));
            }
            Ok(resolved)
        }
    }
}

fn parent_and_name<'p>(destination: &'p Path, shown: &str) -> Result<(&'p Path, String), Problem> {
    let name = destination.file_name().map(|name| name.to_string_lossy().into_owned());
    match (destination.parent(), name) {
        (Some(parent), Some(name)) if parent.as_os_str().is_empty() => Ok((Path::new("."), name)),
        (Some(parent), Some(name)) => Ok((parent, name)),
        _ => Err(refused(shown, "it has no name of its own").help("name a folder, such as --out citeward-out")),
    }
}

/// Refuses a folder that holds anything which no run of citeward wrote.
fn refuse_foreign(destination: &Path, shown: &str) -> Result<(), Problem> {
    let entries = match fs::read_dir(destination) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unwritable(shown, &error)),
        Ok(entries) => entries,
    };
    let names: io::Result<BTreeSet<String>> =
        entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect();
    let names = names.map_err(|error| unwritable(shown, &error))?;
    if names.is_empty() {
        return Ok(());
    }
    let help = "name another folder with --out, or move those files away";
    if !is_run(destination) {
        return Err(refused(shown, "it is not empty, and no citeward run is in it").help(help));
    }
    let own: BTreeSet<String> = fs::read_to_string(destination.join(SUMS))
        .map(|sums| verify::listed(&sums).filter_map(Result::ok).map(|(_, name)| name.to_owned()).collect())
        .unwrap_or_default();
    let foreign: Vec<&String> =
        names.iter().filter(|name| *name != SUMS && *name != RUN_JSON && !own.contains(*name)).collect();
    match foreign.as_slice() {
        [] => Ok(()),
        [first, rest @ ..] => {
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            let first = crate::diagnostic::quoted(first);
            Err(refused(shown, format!("the run there also holds {first}{more}, which no run wrote")).help(help))
        }
    }
}

/// Whether a folder holds the manifest of a run, of whatever format version.
fn is_run(folder: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(folder.join(RUN_JSON)).and_then(|file| file.take(200).read_to_end(&mut start));
    let family = manifest::SCHEMA.trim_end_matches(|c: char| c.is_ascii_digit());
    read.is_ok() && String::from_utf8_lossy(&start).contains(family)
}

/// Removes temporary siblings of runs that were killed: nobody holds their lock any more.
fn remove_abandoned(parent: &Path, prefix: &str) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            let is_abandoned = File::open(entry.path().join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok());
            if is_abandoned {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// Gives the folder the permissions of an ordinary one; a temporary one is closed to other users.
#[cfg(unix)]
fn open_to_others(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let probe = folder.join(".probe");
    fs::create_dir(&probe)?;
    let ordinary = fs::metadata(&probe)?.permissions().mode();
    fs::remove_dir(&probe)?;
    fs::set_permissions(folder, fs::Permissions::from_mode(ordinary))
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "the same signature on every system")]
fn open_to_others(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Moves `written` to `destination`. Where there is a previous run, the two change places in one step, and the
/// previous one is removed under the temporary name.
fn put_in_place(written: &Path, destination: &Path) -> io::Result<()> {
    if !destination.exists() {
        return fs::rename(written, destination);
    }
    exchange(written, destination)?;
    fs::remove_dir_all(written)
}

#[cfg(target_os = "linux")]
fn exchange(written: &Path, destination: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, written, CWD, destination, RenameFlags::EXCHANGE) {
        // File systems that cannot exchange say so in one of these ways.
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => exchange_in_steps(written, destination),
        result => Ok(result?),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(written: &Path, destination: &Path) -> io::Result<()> {
    exchange_in_steps(written, destination)
}

/// Exchange by three renames; when the second fails, the first is undone.
fn exchange_in_steps(written: &Path, destination: &Path) -> io::Result<()> {
    let mut aside = destination.as_os_str().to_owned();
    aside.push(".citeward-previous");
    let aside = PathBuf::from(aside);
    fs::rename(destination, &aside)?;
    if let Err(error) = fs::rename(written, destination) {
        fs::rename(&aside, destination)?;
        return Err(error);
    }
    fs::rename(&aside, written)
}

fn refused(shown: &str, why: impl std::fmt::Display) -> Problem {
    Problem::new(code::OUTPUT, format!("the run cannot be written: {why}")).in_file(shown)
}

fn unwritable(shown: &str, error: &io::Error) -> Problem {
    let help = match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "the run is written beside its place and then moved there: make the folder above it writable, or name another with --out"
        }
        io::ErrorKind::StorageFull => "make room, or name another place with --out",
        io::ErrorKind::ResourceBusy | io::ErrorKind::CrossesDevices => {
            "the folder is a mount point, which cannot be replaced: name a folder inside it with --out"
        }
        _ => "name another place with --out",
    };
    refused(shown, error).help(help)
}

/// A path as a word that a shell reads as it stands.
fn shell_word(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(out: &Path) -> String {
        RunWriter::prepare(out).expect_err("refused").to_string()
    }

    fn write_run(out: &Path, text: &str) {
        let mut folder = RunWriter::prepare(out).expect("writable");
        let mut stream = folder.stream("cases.jsonl").expect("a stream");
        stream.write(text.as_bytes()).expect("written");
        folder.end(stream).expect("ended");
        folder.write(RUN_JSON, b"{\n  \"schema\": \"citeward/run/1\"\n}\n").expect("written");
        folder.commit().expect("moved");
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("a folder")
            .map(|e| e.expect("an entry").file_name().into_string().expect("text"))
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_run_appears_whole_with_sums_in_the_format_of_sha256sum() {
        let root = tempfile::tempdir().expect("a folder");
        let out = root.path().join("out");
        write_run(&out, "abc");
        assert_eq!(names(root.path()), ["out"]);
        assert_eq!(names(&out), ["SHA256SUMS", "cases.jsonl", "run.json"]);
        let sums = fs::read_to_string(out.join(SUMS)).expect("sums");
        // SHA-256 of "abc", from FIPS 180-2.
        assert!(
            sums.starts_with("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  cases.jsonl\n"),
            "{sums}"
        );
    }

    #[test]
    fn a_later_run_replaces_an_earlier_one() {
        let root = tempfile::tempdir().expect("a folder");
        let out = root.path().join("out");
        write_run(&out, "first");
        write_run(&out, "second");
        assert_eq!(fs::read_to_string(out.join("cases.jsonl")).expect("cases"), "second");
        assert_eq!(names(root.path()), ["out"]);
    }

    #[test]
    fn a_run_that_breaks_off_leaves_the_previous_one_whole() {
        let root = tempfile::tempdir().expect("a folder");
        let out = root.path().join("out");
        write_run(&out, "first");
        let mut folder = RunWriter::prepare(&out).expect("writable");
        folder.write("cases.jsonl", b"second").expect("written");
        drop(folder);
        assert_eq!(fs::read_to_string(out.join("cases.jsonl")).expect("cases"), "first");
        assert_eq!(names(root.path()), ["out"]);
    }

    #[test]
    fn what_a_killed_run_left_is_removed_by_the_next_but_not_what_a_living_one_writes() {
        let root = tempfile::tempdir().expect("a folder");
        let out = root.path().join("out");
        let abandoned = root.path().join(format!(".out{TEMPORARY}dead"));
        fs::create_dir(&abandoned).expect("made");
        fs::write(abandoned.join(LOCK), "").expect("written");
        let living = RunWriter::prepare(&out).expect("writable");
        let other = RunWriter::prepare(&out).expect("writable");
        assert!(!abandoned.exists());
        assert!(living.temporary.path().exists() && other.temporary.path().exists());
    }

    #[test]
    fn places_that_cannot_be_a_run_are_refused_before_the_work() {
        let root = tempfile::tempdir().expect("a folder");
        let file = root.path().join("file");
        fs::write(&file, "mine").expect("written");
        assert!(message(&file).contains("it is a file"), "{}", message(&file));
        assert!(message(&file.join("out")).contains("a part of its path is a file"), "{}", message(&file.join("out")));
        assert!(message(&root.path().join("no/out")).contains("does not exist"));
        assert!(message(root.path()).contains("not empty, and no citeward run"), "{}", message(root.path()));
        assert_eq!(fs::read_to_string(&file).expect("still there"), "mine");
    }

    #[test]
    fn files_that_no_run_wrote_are_never_deleted() {
        let root = tempfile::tempdir().expect("a folder");
        let out = root.path().join("out");
        write_run(&out, "first");
        fs::write(out.join("notes.txt"), "mine").expect("written");
        assert!(message(&out).contains("\"notes.txt\""), "{}", message(&out));
        fs::remove_file(out.join("notes.txt")).expect("removed");
        let folder = RunWriter::prepare(&out).expect("writable again");
        fs::write(out.join("late.txt"), "mine").expect("written");
        assert!(folder.commit().expect_err("refused").to_string().contains("\"late.txt\""));
        assert_eq!(names(&out), ["SHA256SUMS", "cases.jsonl", "late.txt", "run.json"]);
        assert_eq!(names(root.path()), ["out"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let root = tempfile::tempdir().expect("a folder");
        let real = root.path().join("real");
        fs::create_dir(&real).expect("made");
        let link = root.path().join("link");
        std::os::unix::fs::symlink(&real, &link).expect("linked");
        write_run(&link, "text");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(names(&real), ["SHA256SUMS", "cases.jsonl", "run.json"]);
    }

    #[test]
    fn stepwise_exchange_swaps_two_folders() {
        let root = tempfile::tempdir().expect("a folder");
        let (a, b) = (root.path().join("a"), root.path().join("b"));
        fs::create_dir(&a).expect("made");
        fs::create_dir(&b).expect("made");
        fs::write(a.join("new"), "").expect("written");
        exchange_in_steps(&a, &b).expect("exchanged");
        assert!(b.join("new").exists() && names(&a).is_empty());
        assert_eq!(names(root.path()), ["a", "b"]);
    }
}
