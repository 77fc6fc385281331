//! Verifying an archived run: every file is there, unchanged, nothing else is, and the manifest says what the records add up to.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use super::folder::RunFolder;
use super::recheck::{Rechecked, recheck};
use super::writer::hex;
use super::{CASES, OUTLINE, RECORDS, REPORT_HTML, REPORT_MD, REVIEW, RUN_JSON, RunJson, SUMS, review};
use crate::diagnostic::{Problem, Problems, code, quoted};
use crate::record::{CASE_SCHEMA, CLAIM_SCHEMA};

/// Files that every run has.
const ALWAYS: [&str; 7] = [CASES, RECORDS, OUTLINE, REVIEW, RUN_JSON, REPORT_HTML, REPORT_MD];

/// Verifies the run in `folder`: its files are those of `SHA256SUMS`, with the digests there; the manifest, the cases
/// and the records are of formats that this version reads, and the manifest says what they add up to. Gives the manifest, and
/// what was counted again.
///
/// # Errors
/// Every [`Problem`] found, each with the file that it is about.
pub fn verify(folder: &Path) -> Result<(RunJson, Rechecked), Problems> {
    let mut problems = Problems::new();
    let shown = |name: &str| folder.join(name).display().to_string();
    // A pipe would be waited for.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| !entry.path().is_file()) {
        let name = entry.file_name().to_string_lossy().into_owned();
        problems.push(Problem::new(code::BROKEN_RUN, "not a file that the run wrote").in_file(shown(&name)));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    match fs::read(folder.join(SUMS)) {
        Err(error) => problems.push(unreadable(&shown(SUMS), &error)),
        Ok(sums) => verify_sums(folder, &String::from_utf8_lossy(&sums), &mut problems),
    }
    let manifest = fs::read(folder.join(RUN_JSON))
        .map_err(|error| unreadable(&shown(RUN_JSON), &error))
        .and_then(|bytes| RunJson::from_bytes(&bytes, &shown(RUN_JSON)));
    match manifest {
        Err(problem) => problems.push(problem),
        Ok(manifest) => {
            let lines = [
                (CASES, CASE_SCHEMA, manifest.counts.cases),
                (RECORDS, CLAIM_SCHEMA, manifest.counts.claims),
                (REVIEW, review::SCHEMA, manifest.review.open),
            ];
            for (name, schema, expected) in lines {
                if let Err(problem) = verify_lines(folder, name, schema, expected) {
                    problems.push(problem);
                }
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let folder = RunFolder::open(folder)?;
    let rechecked = recheck(&folder)?;
    Ok((folder.manifest, rechecked))
}

/// The (digest, name) pairs of a `SHA256SUMS` text; `Err` holds the number of a line that is none.
pub(super) fn listed(sums: &str) -> impl Iterator<Item = Result<(&str, &str), u64>> {
    sums.lines().zip(1..).map(|(line, number)| {
        let (digest, name) = line.split_once("  ").or_else(|| line.split_once(" *")).ok_or(number)?;
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_plain = !name.is_empty() && !name.contains(['/', '\\', '\0']) && name != "." && name != "..";
        if is_digest && is_plain { Ok((digest, name)) } else { Err(number) }
    })
}

fn verify_sums(folder: &Path, sums: &str, problems: &mut Problems) {
    let shown = |name: &str| folder.join(name).display().to_string();
    let mut expected: BTreeMap<&str, &str> = BTreeMap::new();
    for entry in listed(sums) {
        match entry {
            Ok((digest, name)) if expected.insert(name, digest).is_none() => {}
            Ok((_, name)) => problems
                .push(Problem::new(code::BROKEN_RUN, format!("{} is listed twice", quoted(name))).in_file(shown(SUMS))),
            Err(line) => problems.push(
                Problem::new(code::BROKEN_RUN, "a line that is not a digest and a file name")
                    .on_line(shown(SUMS), line),
            ),
        }
    }
    for name in ALWAYS.iter().filter(|name| !expected.contains_key(**name)) {
        problems.push(Problem::new(code::BROKEN_RUN, format!("`{name}` is not listed")).in_file(shown(SUMS)));
    }
    for (name, digest) in &expected {
        match digest_of(&folder.join(name)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                problems.push(Problem::new(code::BROKEN_RUN, "the file is missing").in_file(shown(name)));
            }
            Err(error) => problems.push(unreadable(&shown(name), &error)),
            Ok(found) if found.eq_ignore_ascii_case(digest) => {}
            Ok(found) => problems.push(
                Problem::new(code::BROKEN_RUN, "the file was changed after the run")
                    .in_file(shown(name))
                    .found(format!("sha256:{found}"), format!("sha256:{digest}")),
            ),
        }
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != SUMS && !expected.contains_key(name.as_str()) {
            problems.push(Problem::new(code::BROKEN_RUN, "a file that the run did not write").in_file(shown(&name)));
        }
    }
}

/// Verifies one file of the run in `folder`.
///
/// # Errors
/// A [`Problem`] where it is not listed in `SHA256SUMS`, cannot be read, or has another digest there.
pub fn unchanged(folder: &Path, name: &str) -> Result<(), Problem> {
    let shown = |name: &str| folder.join(name).display().to_string();
    let sums = fs::read(folder.join(SUMS)).map_err(|error| unreadable(&shown(SUMS), &error))?;
    let sums = String::from_utf8_lossy(&sums).into_owned();
    let listed = listed(&sums).filter_map(Result::ok).find(|(_, own)| *own == name).map(|(digest, _)| digest);
    let Some(expected) = listed else {
        let problem = Problem::new(code::BROKEN_RUN, format!("{} is not listed", quoted(name)));
        return Err(problem.in_file(shown(SUMS)).help("see `citeward verify`"));
    };
    let found = digest_of(&folder.join(name)).map_err(|error| unreadable(&shown(name), &error))?;
    if found.eq_ignore_ascii_case(expected) {
        return Ok(());
    }
    Err(Problem::new(code::BROKEN_RUN, "the file was changed after the run")
        .in_file(shown(name))
        .found(format!("sha256:{found}"), format!("sha256:{expected}"))
        .help("a run is never edited; evaluate again"))
}

fn digest_of(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(hex(&hash.finalize()));
        }
        hash.update(buffer.get(..read).unwrap_or_default());
    }
}

/// Verifies that every line of a file is JSON of this schema, and their number.
fn verify_lines(folder: &Path, name: &str, schema: &str, expected: u64) -> Result<(), Problem> {
    #[derive(Deserialize)]
    struct Versioned<'a> {
        #[serde(borrow)]
        schema: std::borrow::Cow<'a, str>,
    }
    let shown = folder.join(name).display().to_string();
    let file = File::open(folder.join(name)).map_err(|error| unreadable(&shown, &error))?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let (mut line, mut number) = (Vec::new(), 0_u64);
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(|error| unreadable(&shown, &error))? == 0 {
            break;
        }
        number += 1;
        let found: Versioned<'_> = serde_json::from_slice(&line).map_err(|error| {
            Problem::new(code::MALFORMED_JSON, format!("not a line of a run: {error}")).on_line(&*shown, number)
        })?;
        if found.schema != schema {
            return Err(Problem::new(code::VERSION, "a line of another format version")
                .on_line(&*shown, number)
                .found(quoted(&found.schema), format!("\"{schema}\"")));
        }
    }
    if number == expected {
        return Ok(());
    }
    Err(Problem::new(code::BROKEN_RUN, "the number of lines is not what the manifest says")
        .in_file(shown)
        .found(number, expected))
}

pub(super) fn unreadable(shown: &str, error: &std::io::Error) -> Problem {
    Problem::new(code::UNREADABLE, format!("cannot be read: {error}"))
        .in_file(shown)
        .help("give the folder that `citeward check --out` wrote")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::report::fixture;
    use crate::run::{RunFolder, RunWriter, Selection};

    /// A run of one case with one claim, as `citeward check` writes it.
    fn written(root: &Path) -> PathBuf {
        let out = root.join("out");
        let case = fixture::case("a", "How long?", "Backups are kept for 90 days [S1].", "en", 1).to_string();
        let claim = fixture::claim("a", "Backups are kept for 90 days.", "insufficient", "rule:x", "Encrypted.", &[])
            .to_string();
        let mut run = fixture::empty_run();
        (run.counts.cases, run.counts.claims) = (1, 1);
        let mut writer = RunWriter::prepare(&out).expect("writable");
        writer.write(CASES, format!("{case}\n").as_bytes()).expect("written");
        writer.write(RECORDS, format!("{claim}\n").as_bytes()).expect("written");
        writer.write(RUN_JSON, &run.to_bytes().expect("JSON")).expect("written");
        writer.commit().expect("moved");
        out
    }

    /// A run as the program writes it, of one case whose claim is right and one whose claim is wrong.
    fn evaluated(root: &Path) -> PathBuf {
        let (data, out) = (root.join("cases.jsonl"), root.join("out"));
        let case = |id: &str, days: u32| {
            format!(
                "{{\"case_id\":\"{id}\",\"answer\":\"Logs are kept for {days} days [u1].\",\"sources\":[{{\"id\":\"u1\",\"content\":\"Logs are kept for 30 days.\"}}]}}\n"
            )
        };
        fs::write(&data, case("a", 30) + &case("b", 90)).expect("written");
        let (mut no_out, mut no_err) = (Vec::new(), Vec::new());
        let mut io = crate::cli::Io { out: &mut no_out, err: &mut no_err, colour: false, progress: false };
        let words =
            ["citeward".into(), "check".into(), data.into_os_string(), "--out".into(), out.clone().into_os_string()];
        assert_eq!(crate::cli::run(words, &mut io), crate::cli::Exit::Failed);
        out
    }

    /// Makes the sums again, as somebody would who hides an edit.
    fn make_sums_again(out: &Path) {
        let sums = fs::read_to_string(out.join(SUMS)).expect("read");
        let names = listed(&sums).filter_map(Result::ok).map(|(_, name)| name);
        let line = |name: &str| format!("{}  {name}\n", digest_of(&out.join(name)).expect("read"));
        fs::write(out.join(SUMS), names.map(line).collect::<String>()).expect("written");
    }

    /// What is wrong with the run after a replacement in one of its files, with the sums made again.
    fn hidden(file: &'static str, from: &'static str, to: &'static str) -> String {
        problems(|out| {
            let before = fs::read_to_string(out.join(file)).expect("read");
            let after = before.replacen(from, to, 1);
            assert_ne!(before, after, "{from}");
            fs::write(out.join(file), after).expect("written");
            make_sums_again(out);
        })
    }

    #[test]
    fn a_manifest_that_says_otherwise_than_its_records_is_refused_though_the_sums_hold() {
        let shown = hidden(RUN_JSON, "\"verdict\": \"fail\"", "\"verdict\": \"pass\"");
        assert!(shown.contains("run.json: error[broken-run]: `verdict`: not what the gates come to"), "{shown}");
        assert!(shown.contains("found pass, expected fail"), "{shown}");
        let shown = hidden(RUN_JSON, "\"contradicted\": 1", "\"supported\": 1");
        assert!(shown.contains("`labels`: not what the records add up to"), "{shown}");
        let shown = hidden(RUN_JSON, "\"failing_cases\": 1", "\"failing_cases\": 0");
        assert!(shown.contains("`counts`: not what the records add up to"), "{shown}");
        // An outline that was changed along with nothing else.
        let shown = hidden(OUTLINE, "\"label\":\"contradicted\"", "\"label\":\"supported\"");
        assert!(shown.contains("outline.jsonl:3: error[broken-run]: the outline of case"), "{shown}");
        let shown = hidden(RECORDS, "\"label\":\"contradicted\"", "\"label\":\"supported\"");
        assert!(shown.contains("the outline of case \"b\" is not what its records say"), "{shown}");
    }

    #[test]
    fn a_gate_is_judged_again_by_the_bounds_that_the_manifest_names() {
        let shown = problems(|out| {
            let text = fs::read_to_string(out.join(RUN_JSON)).expect("read");
            let mut run: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let gates = run["gates"].as_array_mut().expect("gates");
            for gate in gates.iter_mut().filter(|gate| gate["effect"] == "fail") {
                gate["verdict"] = "pass".into();
                gate["effect"] = "pass".into();
            }
            run["verdict"] = "pass".into();
            fs::write(out.join(RUN_JSON), run.to_string()).expect("written");
            make_sums_again(out);
        });
        assert!(shown.contains(": not what its bounds come to"), "{shown}");
        assert!(shown.contains("found pass, which means pass, expected fail, which means fail"), "{shown}");
    }

    #[test]
    fn sums_that_leave_out_a_file_of_every_run_are_refused() {
        let shown = problems(|out| {
            fs::remove_file(out.join(OUTLINE)).expect("removed");
            let sums = fs::read_to_string(out.join(SUMS)).expect("read");
            let kept: String =
                sums.lines().filter(|line| !line.ends_with(OUTLINE)).map(|line| format!("{line}\n")).collect();
            fs::write(out.join(SUMS), kept).expect("written");
        });
        assert!(shown.contains("SHA256SUMS: error[broken-run]: `outline.jsonl` is not listed"), "{shown}");
    }

    /// What is wrong with the run, after `change`.
    fn problems(change: impl Fn(&Path)) -> String {
        let root = tempfile::tempdir().expect("a folder");
        let out = evaluated(root.path());
        change(&out);
        let shown = verify(&out).expect_err("not as it was").render();
        shown.replace(&format!("{}/", out.display()), "")
    }

    #[test]
    fn a_run_as_it_was_written_is_verified() {
        let root = tempfile::tempdir().expect("a folder");
        let (run, again) = verify(&evaluated(root.path())).unwrap_or_else(|problems| panic!("{}", problems.render()));
        assert_eq!((run.counts.cases, again.compare.len()), (2, 0));
        assert_eq!((again.gates, again.metrics), (run.gates.len(), run.metrics.len()));
    }

    #[test]
    fn missing_changed_and_foreign_files_are_named() {
        let shown = problems(|out| fs::remove_file(out.join(RECORDS)).expect("removed"));
        assert!(shown.contains("records.jsonl: error[broken-run]: the file is missing"), "{shown}");
        let shown = problems(|out| {
            let text = fs::read_to_string(out.join(CASES)).expect("read").replace("90 days", "91 days");
            fs::write(out.join(CASES), text).expect("written");
        });
        assert!(
            shown.starts_with("cases.jsonl: error[broken-run]: the file was changed after the run\n  found sha256:"),
            "{shown}"
        );
        let shown = problems(|out| fs::write(out.join("extra.txt"), "x").expect("written"));
        assert!(shown.contains("extra.txt: error[broken-run]: a file that the run did not write"), "{shown}");
        let shown = problems(|out| fs::remove_file(out.join(SUMS)).expect("removed"));
        assert!(shown.contains("SHA256SUMS: error[unreadable]"), "{shown}");
    }

    #[test]
    fn sums_that_are_none_are_named_by_line_and_never_lead_outside() {
        let zeros = "0".repeat(64);
        let shown = problems(|out| {
            let sums = fs::read_to_string(out.join(SUMS)).expect("read");
            fs::write(out.join(SUMS), format!("{sums}{zeros}  ../secret\nnonsense\n")).expect("written");
        });
        assert!(
            shown.contains("SHA256SUMS:11: error[broken-run]") && shown.contains("SHA256SUMS:12: error[broken-run]"),
            "{shown}"
        );
    }

    #[test]
    fn lines_are_counted_and_their_schema_is_read() {
        let rewrite = |name: &'static str, text: &'static str| {
            problems(move |out| {
                let before = fs::read_to_string(out.join(name)).expect("read");
                fs::write(out.join(name), format!("{before}{text}")).expect("written");
            })
        };
        let shown = rewrite(CASES, "{\"schema\":\"citeward/case/1\"}\n");
        assert!(shown.contains("found 3, expected 2"), "{shown}");
        let shown = rewrite(RECORDS, "{\"schema\":\"citeward/record/9\"}\n");
        assert!(shown.contains("records.jsonl:3: error[version]"), "{shown}");
        let shown = rewrite(RECORDS, "{\n");
        assert!(shown.contains("records.jsonl:3: error[malformed-json]"), "{shown}");
    }

    #[test]
    fn another_format_version_is_refused_by_name() {
        let shown = problems(|out| fs::write(out.join(RUN_JSON), "{\"schema\":\"citeward/run/2\"}").expect("written"));
        assert!(shown.contains("found \"citeward/run/2\", expected \"citeward/run/1\""), "{shown}");
    }

    #[test]
    fn what_a_report_shows_is_the_same_when_the_folder_is_read_again() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = RunFolder::open(&written(root.path())).expect("a run");
        let case = fixture::case("a", "How long?", "Backups are kept for 90 days [S1].", "en", 1);
        let claim = fixture::claim("a", "Backups are kept for 90 days.", "insufficient", "rule:x", "Encrypted.", &[]);
        let mut selection = Selection::new(100);
        fixture::offer(&mut selection, &case, &[claim]);
        assert_eq!(folder.selection().expect("read"), selection);
        let lines = folder.case_lines("a").expect("read").expect("a case");
        assert_eq!(lines.records.len(), 1);
        assert_eq!(folder.case_ids().expect("read"), ["a"]);
        assert_eq!(folder.case_lines("b").expect("read"), None);
    }
}
