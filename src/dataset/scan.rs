//! Reading every case of some files on one thread, for commands that need no evaluation.

use super::case::Case;
use super::duplicates::SeenIds;
use super::lines::{Chunks, Input};
use super::read::{self, Line, Options};
use crate::diagnostic::{Problem, Problems, code, quoted};

/// Reads every case in order and hands it to `each` with its place and its line's bytes. Notes every problem of every
/// line, ids that stand twice, and that there is no case at all; gives the number of cases.
pub fn scan(
    inputs: &[Input],
    options: &Options,
    problems: &mut Problems,
    mut each: impl FnMut(&Case<'_>, Line<'_>, &[u8]),
) -> u64 {
    let mut seen = SeenIds::default();
    let mut cases = 0;
    for chunk in Chunks::new(inputs.to_vec(), options.limits.line_bytes) {
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        for row in chunk.lines() {
            let read = row.map_err(|problem| vec![problem]).and_then(|(line, bytes)| {
                let case = read::line(bytes, line, options)?;
                Ok((case, line, bytes))
            });
            match read {
                Ok((case, line, bytes)) => match seen.insert(&case.case_id, line.file_index, line.number) {
                    Some(first) => problems.push(duplicate_case(&case.case_id, line, first, inputs)),
                    None => {
                        cases += 1;
                        each(&case, line, bytes);
                    }
                },
                Err(found) => found.into_iter().for_each(|problem| problems.push(problem)),
            }
        }
    }
    if cases == 0 && problems.is_empty() {
        problems.push(no_cases(&inputs.first().map_or_else(String::new, |input| input.name.to_string())));
    }
    cases
}

/// A case id that another case has already; `first` is that case's file (index among `inputs`) and line.
#[must_use]
pub fn duplicate_case(case_id: &str, line: Line<'_>, first: (u32, u64), inputs: &[Input]) -> Problem {
    let file = inputs.get(first.0 as usize).map_or("<unknown>", |input| &input.name);
    let problem = Problem::new(code::DUPLICATE_CASE, "two cases have the same id");
    let found = format!("{}, the id of {file}:{} too", quoted(case_id), first.1);
    line.place(problem.found(found, "an id of its own").help("a case is named by its id alone: rename one of the two"))
}

/// Files that hold no case at all.
#[must_use]
pub fn no_cases(name: &str) -> Problem {
    Problem::new(code::NO_CASES, "there is not one case")
        .found("blank lines only", "one JSON object per line")
        .help("check whether the step that writes this file has run")
        .in_file(name)
}
