use super::*;
use crate::dataset::label::Label;
use crate::dataset::verify::verify;
use std::fs;
use std::path::PathBuf;

const ONE: &str =
    "{\"case_id\":\"a\",\"query\":\"q\",\"answer\":\"x\",\"claims\":[{\"text\":\"t\",\"expected\":\"nei\"}]}\n";
const TWO: &str =
    "{\"case_id\":\"b\",\"answer\":\"y\",\"sources\":[{\"id\":\"s\",\"version\":1,\"content\":\"z\"}]}\n\n";

fn version(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("help").join("1.0.0");
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
    (temporary, folder)
}

fn frozen(folder: &Path) -> Manifest {
    freeze(folder, About::default(), &Options::default()).unwrap_or_else(|problems| panic!("{}", problems.render()))
}

fn checked(folder: &Path) -> String {
    let mut problems = Problems::new();
    let dataset = Dataset::open(folder, &mut problems).unwrap();
    check_frozen(&dataset, &mut problems);
    problems.render()
}

#[test]
fn a_frozen_version_has_sizes_counts_and_both_digests_and_is_read_back() {
    let (_temporary, folder) = version(&[("b.jsonl", TWO), ("a.jsonl", ONE)]);
    let about =
        About { description: Some("two: cases # here".into()), licence: Some("1.0".into()), ..About::default() };
    let manifest = freeze(&folder, about, &Options::default()).unwrap();
    assert_eq!((manifest.name.as_str(), manifest.version.as_str()), ("help", "1.0.0"));
    assert_eq!(manifest.purpose, Purpose::Regression);
    let files: Vec<_> = manifest.files.iter().map(|file| (file.path.as_str(), file.cases, file.bytes)).collect();
    assert_eq!(files, [("a.jsonl", 1, ONE.len() as u64), ("b.jsonl", 1, TWO.len() as u64)]);
    assert_eq!(manifest.files[0].sha256, digest::raw(ONE.as_bytes()));
    // By hand from the definition: the digests of the two lines, one behind the other.
    let lines = [digest::raw(ONE.trim_end().as_bytes()).0, digest::raw(TWO.trim_end().as_bytes()).0].concat();
    assert_eq!(manifest.digests.map(|digests| digests.content), Some(digest::raw(&lines)));
    let mut questions =
        [digest::raw(br#"["a","q",null,{"c1":"insufficient"},null]"#).0, digest::raw(br#"["b",null,null,{},null]"#).0];
    questions.sort_unstable();
    assert_eq!(manifest.digests.map(|digests| digests.questions), Some(digest::raw(&questions.concat())));
    let mut problems = Problems::new();
    assert_eq!(Manifest::of(&folder, &mut problems), Some(manifest.clone()));
    assert!(problems.is_empty(), "{}", problems.render());
    assert_eq!(checked(&folder), "");
    // Freezing again what has not changed changes nothing, and keeps what was said.
    assert_eq!(frozen(&folder), manifest);
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "no temporary file is left: {left:?}");
}

#[test]
fn a_changed_missing_or_added_file_is_named_with_both_hashes_and_not_frozen_again() {
    let (_temporary, folder) = version(&[("a.jsonl", ONE), ("b.jsonl", TWO)]);
    frozen(&folder);
    let changed = ONE.replace("\"x\"", "\"X\"");
    fs::write(folder.join("a.jsonl"), &changed).unwrap();
    fs::remove_file(folder.join("b.jsonl")).unwrap();
    fs::write(folder.join("c.jsonl"), TWO).unwrap();
    let said = checked(&folder);
    for expected in [
        digest::raw(ONE.as_bytes()).to_string(),
        digest::raw(changed.as_bytes()).to_string(),
        "a.jsonl: error[changed-dataset]".to_owned(),
        "b.jsonl: error[changed-dataset]: a file of the frozen dataset is missing".to_owned(),
        "c.jsonl: error[changed-dataset]: the file was added".to_owned(),
    ] {
        assert!(said.contains(&expected), "{expected}\n{said}");
    }
    let before = fs::read(folder.join("dataset.yaml")).unwrap();
    let refused = freeze(&folder, About::default(), &Options::default()).unwrap_err();
    assert_eq!(refused.len(), 3);
    assert_eq!(fs::read(folder.join("dataset.yaml")).unwrap(), before);
}

#[test]
fn a_change_of_line_ends_is_recognised() {
    let (_temporary, folder) = version(&[("a.jsonl", ONE)]);
    frozen(&folder);
    fs::write(folder.join("a.jsonl"), ONE.replace('\n', "\r\n")).unwrap();
    assert!(checked(&folder).contains("only its line ends differ"));
    let (_temporary, folder) = version(&[("a.jsonl", &ONE.replace('\n', "\r\n"))]);
    frozen(&folder);
    fs::write(folder.join("a.jsonl"), ONE).unwrap();
    assert!(checked(&folder).contains("only its line ends differ"));
}

#[test]
fn bad_data_and_folders_that_are_no_version_are_not_frozen() {
    let (_temporary, folder) = version(&[("a.jsonl", ONE), ("b.jsonl", "{\n[]\n"), ("c.jsonl", ONE)]);
    let said = freeze(&folder, About::default(), &Options::default()).unwrap_err().render();
    for expected in [
        "b.jsonl:1: error[malformed-json]",
        "b.jsonl:2: error[wrong-type]",
        "c.jsonl:1: error[duplicate-case]",
        "a.jsonl:1 too",
    ] {
        assert!(said.contains(expected), "{expected}\n{said}");
    }
    assert!(!folder.join("dataset.yaml").exists());
    let temporary = tempfile::tempdir().unwrap();
    fs::write(temporary.path().join("a.jsonl"), ONE).unwrap();
    let said = freeze(temporary.path(), About::default(), &Options::default()).unwrap_err().render();
    assert!(said.contains("the folder is no version"), "{said}");
}

#[test]
fn a_description_without_digests_is_kept_and_may_be_frozen() {
    let yaml = "name: help\nversion: 1.0.0\npurpose: challenge\nlicence: CC0-1.0\n";
    let (_temporary, folder) = version(&[("a.jsonl", ONE), ("dataset.yaml", yaml)]);
    assert_eq!(checked(&folder), "");
    let manifest = frozen(&folder);
    assert_eq!((manifest.purpose, manifest.licence.as_deref()), (Purpose::Challenge, Some("CC0-1.0")));
    assert!(manifest.is_frozen());
}

#[test]
fn questions_without_answers_can_be_frozen() {
    let (_temporary, folder) = version(&[("a.jsonl", "{\"case_id\":\"a\",\"query\":\"q\"}\n")]);
    assert_eq!(frozen(&folder).files[0].cases, 1);
}

#[test]
fn verifying_says_what_the_cases_exercise_and_where_a_passage_has_two_texts() {
    let other = TWO.replace("\"b\"", "\"c\"").replace("\"z\"", "\"zz\"");
    let (_temporary, folder) = version(&[("a.jsonl", ONE), ("b.jsonl", &format!("{TWO}{other}"))]);
    frozen(&folder);
    let mut problems = Problems::new();
    let dataset = Dataset::open(&folder, &mut problems).unwrap();
    let summary = verify(&dataset, &Options::default()).unwrap();
    assert_eq!((summary.cases, summary.claims, summary.units), (3, 1, 2));
    assert_eq!(summary.labels.get(&Label::Insufficient), Some(&1));
    assert_eq!(summary.labels.get(&Label::Supported), Some(&0));
    assert_eq!(summary.fields.get("sources[].source_version"), Some(&2));
    assert_eq!(summary.fields.get("claims[].citations[].quote"), Some(&0));
    assert_eq!(summary.drift.len(), 1);
    assert_eq!((summary.drift[0].first, summary.drift[0].other), ((1, 1), (1, 3)));
}

#[test]
fn a_manifest_whose_digest_was_edited_is_found_out() {
    let (_temporary, folder) = version(&[("a.jsonl", ONE)]);
    let manifest = frozen(&folder);
    let path = folder.join("dataset.yaml");
    let questions = manifest.digests.unwrap().questions.to_string();
    let text = fs::read_to_string(&path).unwrap().replace(&questions, &format!("sha256:{}", "0".repeat(64)));
    fs::write(&path, text).unwrap();
    let mut problems = Problems::new();
    let dataset = Dataset::open(&folder, &mut problems).unwrap();
    let said = verify(&dataset, &Options::default()).unwrap_err().render();
    assert!(said.contains("the questions digest is not what dataset.yaml says"), "{said}");
}
