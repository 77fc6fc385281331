use super::*;
use std::fs;

/// A folder `datasets` with these files below it.
fn root(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
    let temporary = tempfile::tempdir().unwrap();
    let root = temporary.path().join("datasets");
    fs::create_dir(&root).unwrap();
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    (temporary, root)
}

fn names(arguments: &[&str], root: &Path) -> Result<Vec<String>, String> {
    let mut problems = Problems::new();
    let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    let found = resolve(&arguments, root, &mut problems);
    let shown = |one: &Dataset| format!("{}@{}", one.name, one.version.as_deref().unwrap_or("none"));
    if problems.is_empty() { Ok(found.iter().map(shown).collect()) } else { Err(problems.render()) }
}

const ROW: &str = "{\"case_id\":\"a\",\"answer\":\"b\"}\n";

#[test]
fn a_name_means_its_highest_version_and_no_argument_means_all_but_calibration() {
    let (_temporary, root) = root(&[
        ("help/1.9.0/a.jsonl", ROW),
        ("help/1.10.0/b.jsonl", ROW),
        ("help/1.10.0/a.jsonl", ROW),
        ("help/2.0.0-rc.1/a.jsonl", ROW),
        ("help/answers/new.jsonl", ROW),
        ("fit/1.0.0/a.jsonl", ROW),
        ("fit/1.0.0/dataset.yaml", "name: fit\nversion: 1.0.0\npurpose: calibration\n"),
        ("README.md", "text"),
        (".hidden/1.0.0/a.jsonl", ROW),
    ]);
    assert_eq!(names(&[], &root), Ok(vec!["help@2.0.0-rc.1".to_owned()]));
    assert_eq!(names(&["help@1.10.0", "fit"], &root), Ok(vec!["help@1.10.0".to_owned(), "fit@1.0.0".to_owned()]));
    let path = |path: &str| root.join(path).to_str().unwrap().to_owned();
    assert_eq!(names(&[&path("help/1.9.0"), &path("help")], &root).unwrap(), ["help@1.9.0", "help@2.0.0-rc.1"]);
    assert_eq!(names(&[&path("")], &root), names(&[], &root));
    let file = path("help/1.9.0/a.jsonl");
    assert_eq!(
        names(&[&file, &file, "-"], &root).unwrap(),
        [format!("{}@none", shown(Path::new(&file))), "<stdin>@none".to_owned()]
    );
    assert_eq!(names(&[&path("help/answers")], &root).unwrap(), ["answers@none"]);
    let mut problems = Problems::new();
    let files: Vec<String> = resolve(&["help@1.10.0".to_owned()], &root, &mut problems)[0]
        .inputs
        .iter()
        .map(|one| one.name.rsplit('/').next().unwrap().to_owned())
        .collect();
    assert_eq!(files, ["a.jsonl", "b.jsonl"]);
}

#[test]
fn what_does_not_exist_is_said_with_what_does() {
    let (_temporary, root) = root(&[("help/1.0.0/a.jsonl", ROW), ("empty/1.0.0/notes.txt", "")]);
    let said = |argument: &str| names(&[argument], &root).unwrap_err();
    assert!(said("halp").contains("did you mean `help`?"));
    assert!(said("help@2").contains("it has 1.0.0"));
    assert!(said("help@").contains("error[not-found]"));
    assert!(said("../help").contains("error[not-found]"));
    assert!(said("missing.jsonl").contains("error[not-found]"));
    assert!(said("empty").contains("error[no-cases]"));
    let nothing = root.join("nothing");
    assert!(names(&[], &nothing).unwrap_err().contains("error[not-found]"));
    fs::create_dir(&nothing).unwrap();
    assert!(names(&[], &nothing).unwrap_err().contains("error[no-cases]"));
}

#[test]
fn a_manifest_that_does_not_fit_its_folder_is_refused() {
    let (_temporary, root) = root(&[
        ("help/1.0.0/a.jsonl", ROW),
        ("help/1.0.0/dataset.yaml", "name: other\nversion: 1.0.0\npurpose: smoke\n"),
        ("typo/1.0.0/a.jsonl", ROW),
        ("typo/1.0.0/dataset.yaml", "name: typo\nversion: 1.0.0\npurpose: smok\nlicense: MIT\n"),
        ("half/1.0.0/a.jsonl", ROW),
        (
            "half/1.0.0/dataset.yaml",
            "name: half\nversion: 1.0.0\npurpose: smoke\nfiles: [{path: ../a.jsonl, cases: 1, bytes: 1, sha256: ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad}]\n",
        ),
        ("same/1.0/a.jsonl", ROW),
        ("same/1.0.0/a.jsonl", ROW),
    ]);
    assert!(names(&["help"], &root).unwrap_err().contains("not those of the folders"));
    assert!(names(&["typo"], &root).unwrap_err().contains("dataset.yaml:"));
    let half = names(&["half"], &root).unwrap_err();
    assert!(half.contains("frozen by half") && half.contains("lies elsewhere"), "{half}");
    assert!(names(&["same"], &root).unwrap_err().contains("`1.0` and `1.0.0`"));
}
