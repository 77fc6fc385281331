//! The source register (SPEC 4.3): what the corpus holds now. A file of JSON lines, one for each version of a source:
//!
//! ```json
//! {"id":"policy_18","version":"2026-08-20","content_sha256":"…","scope":"public","status":"current",
//!  "valid_from":"2026-08-20","valid_to":null,"authority":2}
//! ```
//!
//! `id` is an evidence id or a source id; `status` is `current` (default), `superseded`, `deleted` or `restricted`. Of an id
//! at most one version is current. A citation is looked up by its unit's evidence id, else by its source id.

use std::collections::HashMap;

use super::answers::copied;
use super::case::Unit;
use super::freeze::hash;
use super::json::Json;
use super::lines::{Chunks, Input};
use super::read::{self, Line, Options};
use crate::diagnostic::{Problem, Problems, code, did_you_mean, quoted};
use crate::text::Digest;
use crate::text::normal::folded_id;

/// What became of a version of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It is the one that holds.
    Current,
    /// A newer version holds.
    Superseded,
    /// The source is gone.
    Deleted,
    /// It may not be shown.
    Restricted,
}

impl Status {
    const WORDS: [(&'static str, Status); 4] = [
        ("current", Status::Current),
        ("superseded", Status::Superseded),
        ("deleted", Status::Deleted),
        ("restricted", Status::Restricted),
    ];
}

/// One version of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The version; `None` where the corpus does not version it.
    pub version: Option<String>,
    /// SHA-256 of its content's exact bytes.
    pub content: Option<Digest>,
    /// The scope it belongs to.
    pub scope: Option<String>,
    /// What became of it.
    pub status: Status,
    /// First day on which it holds, `YYYY-MM-DD`.
    pub valid_from: Option<String>,
    /// Last day on which it holds, `YYYY-MM-DD`.
    pub valid_to: Option<String>,
    /// Rank among sources that disagree; the higher counts.
    pub authority: Option<u64>,
}

/// The sources that the corpus holds, by id.
#[derive(Debug)]
pub struct Register {
    digest: Digest,
    sources: HashMap<String, Vec<Source>>,
}

/// What the register says of a unit.
#[derive(Debug, Clone, Copy)]
pub struct Registered<'r> {
    versions: &'r [Source],
    /// Whether the evidence id itself is registered, so that its content hash is that of the passage.
    pub is_passage: bool,
}

impl Register {
    /// Reads a register.
    ///
    /// # Errors
    /// Every line that is no source, a version that stands twice, an id with two current versions, a file without lines,
    /// and a file that cannot be read.
    pub fn read(input: &Input, options: &Options) -> Result<Register, Problems> {
        // It is read twice, which a pipe cannot be.
        let copy = copied(input).map_err(Problems::from)?;
        let input = &copy.as_ref().map_or_else(|| input.clone(), |copy| input.at(copy.path()));
        let mut problems = Problems::new();
        let mut sources: HashMap<String, Vec<Source>> = HashMap::new();
        let chunks = Chunks::new(vec![input.clone()], options.limits.line_bytes);
        read::rows(chunks, options, &mut problems, |tree, line, problems| {
            let found = Row { line, problems: &mut *problems }.source(tree);
            if let Some((id, source)) = found {
                add(&mut sources, &id, source, line, problems);
            }
        });
        if sources.is_empty() && problems.is_empty() {
            let problem = Problem::new(code::EMPTY, "the source register has no sources").in_file(&*input.name);
            problems.push(problem.help("leave --sources out where there is no register"));
        }
        let hashed = hash(input).map_err(|problem| problems.push(problem));
        match hashed {
            Ok((_, digest)) if problems.is_empty() => Ok(Register { digest, sources }),
            _ => Err(problems),
        }
    }

    /// SHA-256 of the file's bytes.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// What is registered of a unit: under its evidence id, else under its source id.
    #[must_use]
    pub fn of(&self, unit: &Unit<'_>) -> Option<Registered<'_>> {
        let find = |id: &str| self.sources.get(folded_id(id).as_ref()).map(Vec::as_slice);
        let passage = find(&unit.id).map(|versions| Registered { versions, is_passage: true });
        passage.or_else(|| {
            let versions = unit.source_id.as_deref().and_then(find)?;
            Some(Registered { versions, is_passage: false })
        })
    }
}

impl<'r> Registered<'r> {
    /// The entry of a version; of a unit that names none, the only entry there is.
    #[must_use]
    pub fn version(&self, version: Option<&str>) -> Option<&'r Source> {
        match (version, self.versions) {
            (Some(version), versions) => {
                versions.iter().find(|source| source.version.as_deref().is_some_and(|own| own.trim() == version.trim()))
            }
            (None, [only]) => Some(only),
            (None, _) => None,
        }
    }

    /// The version that holds now.
    #[must_use]
    pub fn current(&self) -> Option<&'r Source> {
        self.versions.iter().find(|source| source.status == Status::Current)
    }
}

fn add(sources: &mut HashMap<String, Vec<Source>>, id: &str, source: Source, line: Line<'_>, problems: &mut Problems) {
    let versions = sources.entry(folded_id(id).into_owned()).or_default();
    if versions.iter().any(|other| other.version == source.version) {
        let version = source.version.as_deref().map_or_else(|| "no version".to_owned(), quoted);
        let problem = Problem::new(code::DUPLICATE_ID, format!("{} stands twice with {version}", quoted(id)));
        problems.push(line.place(problem.help("keep one line for each version of a source")));
    } else if source.status == Status::Current && versions.iter().any(|other| other.status == Status::Current) {
        let problem = Problem::new(code::CONTRADICTION, format!("{} has two current versions", quoted(id)));
        problems.push(line.place(problem.help("give the older one the status `superseded`")));
    } else {
        versions.push(source);
    }
}

/// Reads one line of a register.
struct Row<'r> {
    line: Line<'r>,
    problems: &'r mut Problems,
}

/// Fields of a line, with the other names that are taken.
const FIELDS: [(&str, &[&str]); 8] = [
    ("id", &["id", "source_id", "evidence_id"]),
    ("version", &["version", "source_version"]),
    ("content_sha256", &["content_sha256", "content_hash"]),
    ("scope", &["scope", "scope_id", "tenant"]),
    ("status", &["status"]),
    ("valid_from", &["valid_from"]),
    ("valid_to", &["valid_to"]),
    ("authority", &["authority", "authority_rank"]),
];

impl Row<'_> {
    fn push(&mut self, problem: Problem) {
        self.problems.push(self.line.place(problem));
    }

    fn source(&mut self, tree: &Json<'_>) -> Option<(String, Source)> {
        let Json::Object(entries) = tree else {
            self.push(
                Problem::new(code::WRONG_TYPE, "the line is no source").found(tree.kind(), "an object with `id`"),
            );
            return None;
        };
        let before = self.problems.len();
        for (key, _) in entries {
            if !FIELDS.iter().any(|(_, names)| names.contains(&key.as_ref())) {
                let known = FIELDS.iter().flat_map(|(_, names)| names.iter().copied());
                let help = did_you_mean(key, known);
                self.push(Problem::new(code::UNKNOWN_KEY, format!("unknown field {}", quoted(key))).help_if(help));
            }
        }
        let id = self.text(tree, 0);
        if id.is_none() && self.problems.len() == before {
            self.push(Problem::new(code::MISSING_KEY, "the source has no `id`"));
        }
        let source = Source {
            version: self.text(tree, 1),
            content: self.digest(tree),
            scope: self.text(tree, 3),
            status: self.status(tree),
            valid_from: self.day(tree, 5),
            valid_to: self.day(tree, 6),
            authority: self.rank(tree),
        };
        if self.problems.len() == before { id.map(|id| (id, source)) } else { None }
    }

    /// The value of a field under whichever of its names; `null` is absent.
    fn value<'t>(&mut self, tree: &'t Json<'_>, field: usize) -> Option<&'t Json<'t>> {
        let (name, names) = FIELDS.get(field)?;
        let mut found = names.iter().filter_map(|name| tree.get(name)).filter(|value| **value != Json::Null);
        let first = found.next();
        if found.next().is_some() {
            self.push(Problem::new(code::DUPLICATE_NAME, format!("`{name}` stands under two of its names")));
        }
        first
    }

    fn text(&mut self, tree: &Json<'_>, field: usize) -> Option<String> {
        match self.value(tree, field)? {
            Json::Text(text) if !text.trim().is_empty() => Some(text.to_string()),
            Json::Number(number) if number.is_u64() || number.is_i64() => Some(number.to_string()),
            other => {
                let name = FIELDS.get(field).map_or("", |(name, _)| name);
                let found = if other.as_text().is_some() { "an empty text" } else { other.kind() };
                self.push(
                    Problem::new(code::WRONG_TYPE, format!("`{name}` has the wrong type")).found(found, "a text"),
                );
                None
            }
        }
    }

    fn digest(&mut self, tree: &Json<'_>) -> Option<Digest> {
        let text = self.text(tree, 2)?;
        let digest = text.parse().ok();
        if digest.is_none() {
            let problem = Problem::new(code::WRONG_VALUE, "`content_sha256` is no SHA-256 digest");
            self.push(problem.found(quoted(&text), "64 hexadecimal digits"));
        }
        digest
    }

    fn status(&mut self, tree: &Json<'_>) -> Status {
        let Some(text) = self.text(tree, 4) else { return Status::Current };
        let known = Status::WORDS.iter().find(|(word, _)| *word == text);
        if known.is_none() {
            let words = Status::WORDS.map(|(word, _)| word);
            let problem = Problem::new(code::UNKNOWN_NAME, format!("{} is no status", quoted(&text)));
            self.push(problem.label(format!("expected {}", words.join(", "))).help_if(did_you_mean(&text, words)));
        }
        known.map_or(Status::Current, |(_, status)| *status)
    }

    fn day(&mut self, tree: &Json<'_>, field: usize) -> Option<String> {
        let text = self.text(tree, field)?;
        let shape = |byte: (usize, u8)| if matches!(byte.0, 4 | 7) { byte.1 == b'-' } else { byte.1.is_ascii_digit() };
        if text.len() == 10 && text.bytes().enumerate().all(shape) {
            return Some(text);
        }
        let name = FIELDS.get(field).map_or("", |(name, _)| name);
        self.push(Problem::new(code::WRONG_VALUE, format!("`{name}` is no day")).found(quoted(&text), "YYYY-MM-DD"));
        None
    }

    fn rank(&mut self, tree: &Json<'_>) -> Option<u64> {
        let value = self.value(tree, 7)?;
        let rank = match value {
            Json::Number(number) => number.as_u64(),
            _ => None,
        };
        if rank.is_none() {
            let problem = Problem::new(code::WRONG_TYPE, "`authority` has the wrong type");
            self.push(problem.found(value.kind(), "a whole number from 0"));
        }
        rank
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn read(text: &str) -> Result<Register, String> {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(text.as_bytes()).expect("written");
        Register::read(&Input::file(file.path()), &Options::default()).map_err(|problems| problems.render())
    }

    #[test]
    fn versions_of_a_source_are_told_apart() {
        let register = read(
            "{\"id\":\"Policy_18\",\"version\":\"1\",\"status\":\"superseded\"}\n{\"source_id\":\"policy_18\",\"version\":2}\n",
        )
        .expect("a register");
        let unit = Unit { source_id: Some("policy_18".into()), ..unit("ev_1") };
        let found = register.of(&unit).expect("registered");
        assert!(!found.is_passage);
        assert_eq!(found.version(Some(" 1 ")).map(|source| source.status), Some(Status::Superseded));
        assert_eq!(found.current().and_then(|source| source.version.as_deref()), Some("2"));
        assert!(found.version(Some("3")).is_none() && found.version(None).is_none());
        assert!(register.of(&self::unit("ev_1")).is_none());
    }

    #[test]
    fn every_problem_is_said_with_its_line() {
        let problems = read(concat!(
            "{\"id\":\"a\",\"version\":\"1\"}\n",
            "{\"id\":\"a\",\"version\":\"1\"}\n",
            "{\"id\":\"A\",\"version\":\"2\"}\n",
            "{\"version\":\"2\"}\n",
            "{\"id\":\"b\",\"status\":\"curent\"}\n",
            "{\"id\":\"c\",\"verion\":\"1\"}\n",
            "{\"id\":\"d\",\"valid_from\":\"20.8.2026\",\"content_sha256\":\"12\"}\n",
            "[]\n",
        ))
        .expect_err("problems");
        for said in [
            ":2: error[duplicate-id]",
            ":3: error[contradiction]",
            ":4: error[missing-key]",
            ":5: error[unknown-name]",
            "did you mean `current`",
            ":6: error[unknown-key]",
            ":7: error[wrong-value]",
            ":8: error[wrong-type]",
        ] {
            assert!(problems.contains(said), "{said}: {problems}");
        }
        assert!(read("\n\n").expect_err("empty").contains("error[empty]"));
    }

    fn unit(id: &'static str) -> Unit<'static> {
        Unit::named(id.into())
    }
}
