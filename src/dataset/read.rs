//! From a line to a [`Case`]: one decode, then one walk that moves the texts of the tree into the case and collects
//! every problem of the line on the way.
//!
//! A problem names its field as a path (`claims[2].citation_ids[0]`), what was found and what was expected. Values
//! are quoted only where they are short; the row never is.

mod claims;
mod expected;
mod fields;
mod names;
mod overlay;
mod units;

use std::sync::OnceLock;

use super::case::{Case, Origin, Text, Unit};
use super::json::{Decoded, Json};
use super::limits::Limits;
use super::lines::Chunks;
use super::slip::{Meant, Object};
use crate::diagnostic::{Problem, Problems, code};
pub(super) use fields::short_key;
use fields::{At, Reader, Slots};
use overlay::LaidOver;

/// Problems described per line; the rest of the line's problems is counted in one more.
const PER_LINE: usize = 100;

/// How a dataset is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Sizes beyond which a line is refused.
    pub limits: Limits,
    /// Whether evidence ids that differ in letter case only are the same id, as they are to markers by default
    /// (SPEC 5.1, `case: fold`). Two such units in one case are then a duplicate.
    pub fold_ids: bool,
    /// Whether a case must have an answer or claims. Not where answers come from a file of their own, or where a
    /// dataset of questions is frozen.
    pub need_answer: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { limits: Limits::default(), fold_ids: true, need_answer: true }
    }
}

/// Where a line stands, for messages and for the case's [`Origin`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'p> {
    /// The file as it is shown.
    pub file: &'p str,
    /// Index of the file among the dataset's files.
    pub file_index: u32,
    /// Physical line, counted from 1.
    pub number: u64,
}

impl Line<'_> {
    /// The problem, placed on this line.
    #[must_use]
    pub fn place(&self, problem: Problem) -> Problem {
        problem.on_line(self.file, self.number)
    }
}

/// Reads one line, which must not be blank.
///
/// # Errors
/// Every problem of the line, at most 100 described and the rest counted in one more.
pub fn line<'a>(bytes: &'a [u8], line: Line<'_>, options: &Options) -> Result<Case<'a>, Vec<Problem>> {
    let Decoded { tree, duplicates } =
        Json::decode(bytes, options.limits.json_depth).map_err(|problem| vec![line.place(problem)])?;
    let duplicates = duplicates.into_iter().map(|problem| line.place(problem)).collect();
    interpret(tree, line, None, duplicates, options)
}

/// Walks over the rows of a file that holds no cases: each that is sound JSON goes to `each`, with the problems so far; what
/// is wrong with the others is noted.
pub(super) fn rows(
    chunks: Chunks,
    options: &Options,
    problems: &mut Problems,
    mut each: impl FnMut(&Json<'_>, Line<'_>, &mut Problems),
) {
    for chunk in chunks {
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        for row in chunk.lines() {
            let decoded = row
                .map_err(|problem| vec![problem])
                .and_then(|(line, bytes)| decode(bytes, line, options).map(|(tree, found)| (tree, found, line)));
            match decoded {
                Ok((tree, found, line)) if found.is_empty() => each(&tree, line, problems),
                Ok((_, found, _)) | Err(found) => found.into_iter().for_each(|problem| problems.push(problem)),
            }
        }
    }
}

/// Decodes a line; gives its value and its duplicate keys, or what is wrong.
pub(super) fn decode<'a>(
    bytes: &'a [u8],
    line: Line<'_>,
    options: &Options,
) -> Result<(Json<'a>, Vec<Problem>), Vec<Problem>> {
    let Decoded { tree, duplicates } =
        Json::decode(bytes, options.limits.json_depth).map_err(|problem| vec![line.place(problem)])?;
    Ok((tree, duplicates.into_iter().map(|problem| line.place(problem)).collect()))
}

/// Reads a case out of a tree. `row`, of an answers file, is laid over it; what it brings is placed on its own line.
/// `problems` are those that are known already.
pub(super) fn interpret<'a>(
    tree: Json<'a>,
    line: Line<'_>,
    row: Option<(Json<'a>, Line<'_>)>,
    problems: Vec<Problem>,
    options: &Options,
) -> Result<Case<'a>, Vec<Problem>> {
    let mut reader = Reader::new(options, problems);
    let case = reader.case(tree, line, row);
    match case {
        Some(case) if reader.problems.is_empty() => Ok(case),
        _ => Err(reader.into_problems(line)),
    }
}

/// The id of a case or of a row of an answers file, where it can be read.
pub(super) fn case_id<'a>(tree: &Json<'a>, line: Line<'_>, options: &Options) -> Result<Text<'a>, Vec<Problem>> {
    let mut reader = Reader::new(options, Vec::new());
    if !matches!(tree, Json::Object(_)) {
        reader.not_a_case(tree, &At::Root(line));
        return Err(reader.problems);
    }
    let id = ["case_id", "id"].iter().find_map(|key| tree.get(key)).filter(|id| **id != Json::Null);
    let entries = id.map(|id| ("case_id".into(), id.clone())).into_iter().collect();
    let mut slots: Slots<'a, { Field::COUNT }> = reader.sort(entries, &At::Root(line), Field::slot);
    let id = reader.required(&mut slots, Field::CaseId as usize, "case_id", &At::Root(line), Reader::id);
    id.ok_or(reader.problems)
}

/// The fields of a case, by their own names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Field {
    CaseId,
    Query,
    Answer,
    Language,
    Answerable,
    Claims,
    Sources,
    RetrievedIds,
    RelevantIds,
    AllowedScopes,
    Expected,
}

impl Field {
    pub(super) const COUNT: usize = 11;

    /// The field that a key names, by any of its accepted names (SPEC 4.1).
    pub(super) fn named(key: &str) -> Option<Field> {
        Some(match key {
            "case_id" | "id" => Field::CaseId,
            "query" | "question" => Field::Query,
            "answer" | "response" => Field::Answer,
            "language" => Field::Language,
            "answerable" => Field::Answerable,
            "claims" => Field::Claims,
            "sources" | "contexts" | "documents" | "evidence" => Field::Sources,
            "retrieved_ids" => Field::RetrievedIds,
            "relevant_ids" => Field::RelevantIds,
            "allowed_scopes" => Field::AllowedScopes,
            "expected" | "human_label" => Field::Expected,
            _ => return None,
        })
    }

    fn slot(key: &str) -> Option<usize> {
        Field::named(key).map(|field| field as usize)
    }
}

impl Reader<'_> {
    /// `None` where an id or the object itself is missing; the caller looks at the problems in any case.
    fn case<'a>(&mut self, tree: Json<'a>, line: Line<'_>, row: Option<(Json<'a>, Line<'_>)>) -> Option<Case<'a>> {
        let root = At::Root(line);
        let over = At::Root(row.as_ref().map_or(line, |(_, line)| *line));
        let laid_over = row.is_some();
        let entries = self.object(tree, &root)?;
        let mut slots: Slots<'a, { Field::COUNT }> = self.sort(entries, &root, Field::slot);
        let LaidOver { labelled, replaced_units, added_units } = match row {
            Some((row, _)) => self.lay_over(&mut slots, row, &over)?,
            None => LaidOver::default(),
        };
        self.note_slips(Object::Case, &slots, &root, Field::slot);
        let case_id = self.required(&mut slots, Field::CaseId as usize, "case_id", &root, Self::id);
        let query = self.optional(&mut slots, Field::Query as usize, &root, Self::text);
        let answer_given = slots.has(Field::Answer as usize);
        let answer_text = self.optional(&mut slots, Field::Answer as usize, &over, Self::text);
        let language = self.optional(&mut slots, Field::Language as usize, &root, Self::filled_text);
        let answerable = self.optional(&mut slots, Field::Answerable as usize, &root, Self::flag);
        let units: Vec<Unit<'a>> =
            self.optional(&mut slots, Field::Sources as usize, &over, Self::units).unwrap_or_default();
        let mut labels = Vec::new();
        let claims_given = slots.has(Field::Claims as usize);
        let claims = self.optional(&mut slots, Field::Claims as usize, &over, |reader, value, at| {
            reader.claims(value, at, &mut labels)
        });
        if laid_over && !labels.is_empty() {
            self.labels_in_answers(&over);
        }
        if self.options.need_answer && !answer_given && !claims_given {
            self.missing_answer(&slots, &over);
        }
        let retrieved_ids = self.optional(&mut slots, Field::RetrievedIds as usize, &over, Self::ids);
        let relevant_ids = self.optional(&mut slots, Field::RelevantIds as usize, &root, Self::ids);
        let allowed_scopes = self.optional(&mut slots, Field::AllowedScopes as usize, &root, Self::ids);
        // Where the claims themselves could not be read, nothing can be said of the labels that name them.
        let known = if claims_given && claims.is_none() { None } else { Some(claims.as_deref()) };
        let expected = self.optional(&mut slots, Field::Expected as usize, &root, |reader, value, at| {
            reader.expected(value, at, known, labels.clone(), laid_over)
        });
        Some(Case {
            origin: Origin { file: line.file_index, line: line.number },
            case_id: case_id?,
            query,
            answer: answer_text,
            language,
            answerable,
            claims,
            units,
            retrieved_ids,
            relevant_ids,
            allowed_scopes,
            expected: expected.unwrap_or(labels),
            labelled,
            replaced_units,
            added_units,
            fields: Json::Object(slots.rest),
            slips: std::mem::take(&mut self.slips),
            from_candidate: laid_over,
            shown: OnceLock::new(),
        })
    }

    fn object<'a>(&mut self, tree: Json<'a>, at: &At<'_>) -> Option<Vec<(Text<'a>, Json<'a>)>> {
        if let Json::Object(entries) = tree {
            return Some(entries);
        }
        self.not_a_case(&tree, at);
        None
    }

    fn not_a_case(&mut self, tree: &Json<'_>, at: &At<'_>) {
        let problem = Problem::new(code::WRONG_TYPE, "the line is not a case").found(tree.kind(), "an object");
        let help = match tree {
            Json::List(_) => "write one case per line, without a list around them",
            _ => "each line is one case: a JSON object",
        };
        self.push(at, problem.help(help));
    }

    fn missing_answer(&mut self, slots: &Slots<'_, { Field::COUNT }>, at: &At<'_>) {
        let is_meant = |key: &&str| names::meant(Object::Case, key) == Some(Meant::Field("answer"));
        let meant = slots.rest.iter().map(|(key, _)| key.as_ref()).find(is_meant);
        let help = match meant {
            Some(key) => format!("if `{key}` holds the answer, name it `answer`"),
            None => "add `answer`, or `claims` where the claims stand alone".to_owned(),
        };
        let problem = Problem::new(code::MISSING_KEY, "the case has nothing to check")
            .found("neither `answer` nor `claims`", "one of them")
            .help(help);
        self.push(at, problem);
    }
}

#[cfg(test)]
mod tests;
