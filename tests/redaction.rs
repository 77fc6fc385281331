//! A canary: every field of every case holds a secret of its own, and none of them leaves, in no file of a run and in nothing that
//! any command prints, whatever way a policy names them.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use citeward::citation::Packet;
use citeward::dataset::{Line, Options, read};
use citeward::record::cache::Cache;
use citeward::record::evaluate::{Evaluator, EvidenceMode};
use citeward::record::{CaseRecord, ClaimRecord};
use citeward::rules::{self, Policy};
use proptest::prelude::*;
use serde_json::{Value, json};

const KEY: &str = "a key of more than sixteen bytes";

/// The secrets of one dataset.
#[derive(Default)]
struct Secrets(RefCell<Vec<String>>);

impl Secrets {
    /// A new one: `zq`, where it stands, a number, `kx`.
    fn make(&self, place: &str) -> String {
        let mut all = self.0.borrow_mut();
        let secret = format!("zq{place}{}kx", 100 + all.len());
        all.push(secret.clone());
        secret
    }

    /// One that every format has to escape.
    fn odd(&self) -> String {
        let mut all = self.0.borrow_mut();
        let secret = format!("zq\"<é&'>{}kx", 100 + all.len());
        all.push(secret.clone());
        secret
    }

    /// One that the shipped patterns find.
    fn shipped(&self, kind: usize) -> String {
        let mut all = self.0.borrow_mut();
        let number = 100 + all.len();
        let secret = match kind % 5 {
            0 => format!("guest{number}@hotel.example"),
            1 => format!("+49 30 5550{number}"),
            2 => format!("AKIAQQQQWWWWEEEE{number}A"),
            3 => format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIi{number}In0.dBjftJeZ4CVP{number}"),
            _ => "DE89 3704 0044 0532 0130 00".to_owned(),
        };
        all.push(secret.clone());
        secret
    }
}

/// A case whose every field holds secrets; `n` makes its id.
fn case(secrets: &Secrets, n: usize) -> Value {
    let s = |place: &str| secrets.make(place);
    let (id, unit, other, gone) = (s("case"), s("unit"), s("other"), s("gone"));
    let (odd, mail, scope) = (secrets.odd(), secrets.shipped(n), s("scope"));
    let (answer, quote, long) = (s("answer"), s("quote"), s("long"));
    let content = format!(
        "The {} plan retains audit logs for 30 days. Write to {mail} or {odd} about “the {quote} retention of the archive \
         store”. A {} tier keeps them for at most 12 weeks.",
        s("content"),
        s("tier")
    );
    let claim = |claim: &str, cited: Value| {
        json!({"claim_id":s("claim"),"text":claim,"citations":cited,"type":s("type"),"required_terms":[s("term"),"all plans"],
               "note":{"deep":[s("claimfield")]}})
    };
    json!({
        "case_id": id, "query": format!("What does {} say, {mail}?", s("query")), "language": "en", "answerable": true,
        "answer": format!(
            "The {answer} plan retains audit logs for 90 days [{unit}]. It keeps “the {quote} store of {long} archive tapes for good” \
             and {odd} [{gone}]. Ask {mail}, see https://{}.example/x [{other}] and [doc_{n}]. A broken [doc {} marker.",
            s("host"), s("broken")
        ),
        "claims": [
            claim(
                &format!("The {answer} plan of {mail} retains audit logs for 90 days and 7 hours."),
                json!([{"id":unit,"source_version":s("citedversion"),"quote":format!("no such {} quote stands there", s("given"))}]),
            ),
            claim(&format!("“The {quote} store of {long} archive tapes for good” is {odd} since 2024-05-0{}.", n % 9 + 1), json!([{"id":gone}])),
            claim(&format!("A {} tier keeps 12 weeks of v1.2.{n}, not {mail}.", s("claimtext")), json!([{"id":other},{"id":unit}])),
        ],
        "sources": [
            {"evidence_id":unit,"source_id":s("source"),"source_version":s("version"),"source_type":s("family"),
             "locator":{"section":s("section"), "page":[{"x":s("page")}], s("key"):1},"title":format!("Title {} {odd}", s("title")),
             "canonical_uri":format!("https://kb.example/{}?to={}", s("uri"), mail.replace('@', "%40")),"scope_id":scope,
             "content":content,"more":{"deep":s("unitfield")}},
            {"evidence_id":other,"source_id":s("source"),"source_version":s("version"),"locator":s("place"),"title":s("title"),
             "scope_id":s("closed"),"content":format!("Another {} text, {}.", s("content"), "very long ".repeat(30))},
            {"evidence_id":s("twin"),"content":content,"content_sha256":"0".repeat(64),"scope_id":scope},
        ],
        "retrieved_ids":[unit,s("retrieved")],"relevant_ids":[unit,s("relevant")],"max_document_id":3,
        "allowed_scopes":[scope,s("allowed")],
        "meta":{"owner":s("owner"),"intent":s("intent"),"model":s("model"),"prompt_version":secrets.shipped(n + 1)},
        "free":[{"text":s("free")}],
    })
}

/// A case whose claims are taken from its answer.
fn derived(secrets: &Secrets) -> Value {
    let s = |place: &str| secrets.make(place);
    let unit = s("unit");
    json!({
        "case_id": s("case"), "query": s("query"),
        "answer": format!("A {} costs 12 EUR [{unit}]. Mr {} of {} signs for 5 GB [{}].", s("answer"), s("name"), s("firm"), s("gone")),
        "sources":[{"id":unit,"version":s("version"),"title":s("title"),"text":format!("A {} costs 13 EUR. {}", s("content"), s("content"))}],
        "meta":{"owner":s("owner")},
    })
}

struct Bench {
    folder: tempfile::TempDir,
    secrets: Secrets,
    /// All forms of so many secrets.
    automaton: RefCell<Option<(usize, AhoCorasick, Vec<String>)>>,
}

const PATTERNS: &str = r#"patterns: [{ id: canary, pattern: 'zq["<é&''>]*[a-z]*\d+kx' }, { id: email }, { id: phone }, { id: key }, { id: token }, { id: iban }]"#;

/// All fields of SPEC 4.1.
const FIELDS: &str =
    "fields: [case_id, query, answer, claims, sources, retrieved_ids, relevant_ids, allowed_scopes, meta, free]";

impl Bench {
    fn new(redact: &str) -> Self {
        let bench = Self {
            folder: tempfile::tempdir().expect("a folder"),
            secrets: Secrets::default(),
            automaton: RefCell::default(),
        };
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        copy(&root.join("rules"), &bench.path("rules"));
        let owner = bench.secrets.make("owner");
        bench.policy("rules", redact, &owner, "0.5");
        copy(&bench.path("rules"), &bench.path("stricter"));
        bench.policy("stricter", redact, &owner, "0.01");
        copy(&bench.path("stricter"), &bench.path("other"));
        bench.write(
            "other/95-more.yaml",
            "version: 1\nrules:\n  - { id: more, check: numbers, implies: contradicted, final: true }\n",
        );
        let mut cases: Vec<Value> = (0..5).map(|n| case(&bench.secrets, n)).collect();
        cases.push(derived(&bench.secrets));
        cases[0]["meta"]["owner"] = json!(owner);
        bench.write("cases.jsonl", &lines(&cases));
        // The next release: other answers, of which one more is wrong.
        for case in &mut cases {
            let answer =
                case["answer"].as_str().expect("an answer").replace("90 days", "91 days").replace("12 EUR", "13 EUR");
            case["answer"] = json!(answer);
        }
        bench.write("next.jsonl", &lines(&cases));
        let unit = cases[0]["sources"][0]["evidence_id"].clone();
        bench.write(
            "register.jsonl",
            &lines(&[json!({"id":unit,"version":bench.secrets.make("registered"),"scope":bench.secrets.make("scope"),"status":"current"})]),
        );
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("written");
    }

    fn policy(&self, rules: &str, redact: &str, owner: &str, least: &str) {
        let text = format!(
            "version: 1\nslices:\n  - {{ id: owner, field: meta.owner }}\n  - {{ id: pair, by: [owner, intent] }}\n  - {{ id: family, field: source.type }}\n\
             \x20 - {{ id: piece, field: answer, pattern: 'The (\\S+) plan' }}\n\
             gates:\n  - {{ id: of-owner, metric: supported_and_cited, min: {least}, slices: [{{ slice: {{ owner: {owner} }} }}] }}\n\
             \x20 - {{ id: by-owner, metric: case_pass_rate, min: {least}, by: owner }}\n\
             redact: {{ {redact} }}\n"
        );
        fs::write(self.path(rules).join("90-redact.yaml"), text).expect("written");
    }

    /// Runs the program; what it printed.
    fn run(&self, arguments: &[&str]) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_citeward"));
        command.env_clear().env("CANARY_KEY", KEY);
        let output = command.current_dir(self.folder.path()).args(arguments).output().expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap_or(-1), text(&output.stdout) + &text(&output.stderr))
    }

    /// Runs it, asserts its exit code, and that it printed no secret.
    fn silent(&self, code: i32, arguments: &[&str]) -> String {
        let (found, printed) = self.run(arguments);
        assert_eq!(found, code, "{arguments:?}: {printed}");
        self.none_in(&printed, &format!("{arguments:?}"));
        printed
    }

    /// Asserts that no secret stands in a text, in whatever form.
    fn none_in(&self, text: &str, place: &str) {
        let secrets = self.secrets.0.borrow();
        let mut automaton = self.automaton.borrow_mut();
        if automaton.as_ref().is_none_or(|(count, ..)| *count != secrets.len()) {
            let forms: Vec<String> = secrets.iter().flat_map(|secret| forms(secret)).collect();
            let built = AhoCorasick::new(&forms).expect("an automaton");
            *automaton = Some((secrets.len(), built, forms));
        }
        let Some((_, automaton, forms)) = automaton.as_ref() else { return };
        if let Some(found) = automaton.find(text) {
            let (at, form) = (found.start(), &forms[found.pattern().as_usize()]);
            let from = (0..=at.saturating_sub(160)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            panic!("{place} holds {form}: …{}…", &text[from..found.end()]);
        }
    }

    /// Asserts it of every file below a folder or of a file.
    fn none_below(&self, path: &Path) {
        let mut open = vec![path.to_owned()];
        let mut files = 0;
        while let Some(path) = open.pop() {
            self.none_in(&path.file_name().expect("a name").to_string_lossy(), "a name");
            if path.is_dir() {
                open.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
            } else {
                files += 1;
                self.none_in(&String::from_utf8_lossy(&fs::read(&path).expect("a file")), &path.display().to_string());
            }
        }
        assert!(files > 0);
    }
}

fn lines(values: &[Value]) -> String {
    values.iter().map(|value| value.to_string() + "\n").collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("copied");
        }
    }
}

/// A secret as formats may write it.
fn forms(secret: &str) -> Vec<String> {
    let html = |quote: &str| {
        let text = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        text.replace('"', "&quot;").replace('\'', quote)
    };
    let json = serde_json::to_string(secret).expect("JSON");
    let percent: String = secret
        .bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    let mut forms = vec![
        secret.to_owned(),
        json.trim_matches('"').to_owned(),
        html("&#x27;"),
        html("&#39;"),
        html("&apos;"),
        percent.to_lowercase(),
        percent,
        hex,
        secret.to_uppercase(),
    ];
    // At each place in a group of three bytes, without the digits that the neighbours have a part in.
    forms.extend((0..3).map(|shift| base64(&[&vec![b' '; shift], secret.as_bytes()].concat(), shift)));
    forms
}

fn base64(bytes: &[u8], shift: usize) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let whole = bytes.len() / 3 * 3;
    let digits: String = bytes[..whole]
        .chunks(3)
        .flat_map(|group| {
            let bits = u32::from(group[0]) << 16 | u32::from(group[1]) << 8 | u32::from(group[2]);
            [18, 12, 6, 0].map(|at| char::from(DIGITS[(bits >> at & 63) as usize]))
        })
        .collect();
    digits[if shift == 0 { 0 } else { 4 }..].to_owned()
}

/// Everything that can be done with a dataset, under one way of naming what is secret.
fn nothing_leaves(redact: &str) -> Bench {
    let bench = Bench::new(redact);
    let common = ["--sources", "register.jsonl"];
    let check = |data: &str, out: &str, more: &[&str]| {
        let arguments: Vec<&str> = ["check", data, "--out", out].iter().chain(&common).chain(more).copied().collect();
        bench.silent(1, &arguments)
    };
    check("cases.jsonl", "old", &[]);
    bench.none_below(&bench.path("old"));
    let codes: usize = findings(&bench.path("old")).len();
    assert!(codes >= 12, "{:?}", findings(&bench.path("old")));
    for format in ["text", "json", "github"] {
        check("next.jsonl", "new", &["--format", format]);
        bench.none_below(&bench.path("new"));
    }
    bench.silent(0, &["bless", "old", "--reason", "a canary"]);
    bench.none_below(&bench.path("baselines"));
    fs::rename(bench.path("baselines/cases.jsonl.json"), bench.path("b.json"))
        .or_else(|_| fs::rename(bench.path("baselines/cases.json"), bench.path("b.json")))
        .expect("a baseline");
    check("next.jsonl", "held", &["--baseline", "b.json"]);
    bench.none_below(&bench.path("held"));
    for command in [
        vec!["report", "held", "--out", "again"],
        vec!["explain", "held"],
        vec!["explain", "held", "--format", "json"],
        vec!["verify", "held"],
        vec!["dataset", "verify", "cases.jsonl"],
    ] {
        bench.silent(0, &command);
    }
    bench.none_below(&bench.path("again"));
    for case in ids(&bench.path("held")) {
        for format in ["text", "json"] {
            bench.silent(0, &["explain", "held", &case, "--format", format]);
        }
    }
    for format in ["text", "json", "markdown"] {
        bench.silent(1, &["diff", "old", "new", "--format", format]);
        bench.silent(1, &["impact", "cases.jsonl", "--from", "rules", "--to", "other", "--format", format]);
    }
    for format in ["text", "json", "github"] {
        bench.silent(1, &["regate", "held", "--rules", "stricter", "--baseline", "none", "--format", format]);
    }
    for format in ["text", "json", "csv", "svg"] {
        let gate =
            ["sweep", "held", "--gate", "of-owner", "--from", "0", "--to", "1", "--step", "0.5", "--format", format];
        bench.silent(0, &gate);
        let rule = [
            "sweep",
            "held",
            "--rule",
            "cites-the-wrong-passages",
            "--option",
            "min_recall",
            "--from",
            "0",
            "--to",
            "1",
            "--step",
            "0.5",
            "--format",
            format,
        ];
        bench.silent(0, &rule);
    }
    bench.silent(0, &["lint", "--against", "cases.jsonl"]);
    // Lines that are no cases, and a candidate's answers.
    let secret = |place: &str| bench.secrets.make(place);
    let bad = [
        format!("{{\"case_id\":\"{}\",\"answer\":7,\"{}\":\"{}\"", secret("case"), secret("key"), secret("broken")),
        json!({"case_id":secret("case"),"answer":{"x":secret("answer")}}).to_string(),
        json!({"case_id":secret("case"),"answer":"x","answerable":secret("answerable"),"expected":{secret("claim"):secret("label")}}).to_string(),
        json!({"case_id":secret("case"),"answer":"x","sources":[{"id":secret("unit"),"relevance":secret("relevance"),"content_sha256":secret("hash")}]})
            .to_string(),
        format!("{{\"case_id\":\"{0}\",\"answer\":\"x\",\"answer\":\"{1}\"}}", secret("case"), secret("twice")),
    ];
    let mut text = fs::read_to_string(bench.path("cases.jsonl")).expect("cases");
    text.push_str(&bad.join("\n"));
    bench.write("bad.jsonl", &text);
    bench.silent(2, &["check", "bad.jsonl", "--out", "never"]);
    bench.silent(1, &["check", "bad.jsonl", "--out", "skipped", "--bad-lines", "skip"]);
    bench.none_below(&bench.path("skipped"));
    let first = text.lines().next().expect("a case").to_owned();
    bench.write("twice.jsonl", &format!("{first}\n{first}\n"));
    bench.silent(2, &["check", "twice.jsonl", "--out", "never"]);
    let known: Value = serde_json::from_str(&first).expect("a case");
    let answers = [
        json!({"case_id":known["case_id"],"answer":secret("given")}),
        json!({"case_id":secret("unknown"),"answer":"x"}),
    ];
    bench.write("answers.jsonl", &lines(&answers));
    bench.silent(2, &["check", "cases.jsonl", "--answers", "answers.jsonl", "--out", "never"]);
    bench.write("answers.jsonl", &lines(&answers[..1]));
    bench.silent(
        1,
        &["check", "cases.jsonl", "--answers", "answers.jsonl", "--allow-missing-answers", "--out", "answered"],
    );
    bench.none_below(&bench.path("answered"));
    bench
}

/// The codes of all findings of a run.
fn findings(run: &Path) -> std::collections::BTreeSet<String> {
    let mut codes = std::collections::BTreeSet::new();
    for file in ["cases.jsonl", "records.jsonl"] {
        for line in fs::read_to_string(run.join(file)).expect("records").lines() {
            let record: Value = serde_json::from_str(line).expect("a record");
            let found = record["findings"].as_array().expect("findings").iter();
            codes.extend(found.filter_map(|finding| finding["code"].as_str().map(str::to_owned)));
        }
    }
    codes
}

fn ids(run: &Path) -> Vec<String> {
    let text = fs::read_to_string(run.join("cases.jsonl")).expect("cases");
    let id = |line: &str| serde_json::from_str::<Value>(line).ok()?["case_id"].as_str().map(str::to_owned);
    text.lines().filter_map(id).collect()
}

#[test]
fn no_secret_leaves_that_a_pattern_finds() {
    nothing_leaves(PATTERNS);
}

#[test]
fn no_secret_leaves_that_a_field_holds() {
    nothing_leaves(&format!("{FIELDS}, hash_key_env: CANARY_KEY"));
}

#[test]
fn what_was_blessed_and_decided_holds_in_the_next_run() {
    for redact in [
        PATTERNS.to_owned(),
        format!("{PATTERNS}, hash_key_env: CANARY_KEY"),
        "fields: [meta.owner, case_id], hash_key_env: CANARY_KEY".to_owned(),
    ] {
        let bench = Bench::new(&redact);
        bench.run(&["check", "cases.jsonl", "--out", "one"]);
        let (code, printed) = bench.run(&["bless", "one", "--reason", "first"]);
        assert!(code == 0 || code == 1, "{printed}");
        let (_, printed) = bench.run(&["check", "cases.jsonl", "--out", "two"]);
        let run: Value =
            serde_json::from_slice(&fs::read(bench.path("two/run.json")).expect("a manifest")).expect("JSON");
        assert_eq!(run["inputs"]["baselines"].as_array().map(Vec::len), Some(1), "{printed}");
        for flips in run["flips"].as_array().into_iter().flatten() {
            assert_eq!(flips["flips"]["cases"], json!([]), "{flips}");
            assert_eq!(flips["flips"]["claims"], json!([]), "{flips}");
            assert!(flips["flips"]["compared"].as_u64().is_none_or(|cases| cases == 6), "{flips}");
        }
        // A line of the review queue, completed, decides.
        let records = fs::read_to_string(bench.path("two/records.jsonl")).expect("records");
        let claim = records
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("a record"))
            .find(|claim| claim["label"] == "contradicted" || claim["label"] == "insufficient")
            .expect("a defect");
        assert_eq!(
            claim["claim_sha256"].as_str().is_some_and(|hash| hash.starts_with("hmac")),
            redact.contains("CANARY")
        );
        let decision = json!({
            "case_id":claim["case_id"],"claim_id":claim["claim_id"],"claim_sha256":claim["claim_sha256"],
            "evidence_sha256":claim["evidence_sha256"],"label":"supported",
            "reviewer":bench.secrets.make("reviewer"),"reason":format!("So says {}.", bench.secrets.make("reason")),
            "date":"2026-01-02",
        });
        bench.write("decisions.jsonl", &format!("{decision}\n"));
        let (_, printed) = bench.run(&["check", "cases.jsonl", "--out", "three", "--baseline", "none"]);
        if redact.contains("canary") {
            bench.none_in(&printed, "what is printed");
            bench.none_below(&bench.path("three"));
        }
        let run: Value =
            serde_json::from_slice(&fs::read(bench.path("three/run.json")).expect("a manifest")).expect("JSON");
        assert_eq!(run["review"]["decided"], json!(1), "{}", run["review"]);
        assert_eq!(run["review"]["lapsed"], json!(0), "{}", run["review"]);
        // The gate on a slice that is named by what was taken out judges the case that lies in it.
        let gates = run["gates"].as_array().expect("gates");
        let gate =
            gates.iter().find(|gate| gate["gate"] == "of-owner" && gate["slice"] != json!({})).expect("the gate");
        assert_eq!(gate["denominator"], json!(3), "{gate}");
        let slice = gate["slice"]["owner"].as_str().expect("a slice");
        assert!(slice.starts_with("[redacted:") && slice.len() > "[redacted:canary:]".len(), "{slice}");
    }
}

#[test]
fn a_data_file_may_have_a_secret_for_its_name() {
    let bench = Bench::new(PATTERNS);
    let name = format!("{}.jsonl", bench.secrets.make("file"));
    fs::copy(bench.path("cases.jsonl"), bench.path(&name)).expect("copied");
    let (code, printed) = bench.run(&["check", &name, "--out", "one"]);
    assert_eq!(code, 1, "{printed}");
    bench.none_in(&printed, "what is printed");
    bench.none_below(&bench.path("one"));
}

#[test]
fn a_key_that_is_missing_or_another_one_is_said() {
    let bench = Bench::new(&format!("{PATTERNS}, hash_key_env: NO_SUCH_KEY"));
    let (code, printed) = bench.run(&["check", "cases.jsonl", "--out", "one"]);
    assert_eq!(code, 2);
    assert!(printed.contains("the environment variable \"NO_SUCH_KEY\" has no key for hashes"), "{printed}");
    assert!(!bench.path("one").exists());
}

/// The records of one case under a policy.
fn evaluated<T>(policy: &Policy, line: &str, look: impl FnOnce(&CaseRecord<'_>, &[ClaimRecord<'_>]) -> T) -> T {
    let place = Line { file: "x.jsonl", file_index: 0, number: 1 };
    let case = read::line(line.as_bytes(), place, &Options::default()).expect("a case");
    let packet = Packet::build(&case, &policy.markers, &policy.claims, &policy.lexicons);
    let evaluator = Evaluator::new(policy, EvidenceMode::Excerpts);
    let records = evaluator.evaluate(&packet, "x.jsonl", String::new(), &mut Cache::default());
    look(&records.case, &records.claims)
}

fn policy(redact: &str) -> Policy {
    let folder = tempfile::tempdir().expect("a folder");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("rules"), folder.path());
    fs::write(folder.path().join("90-redact.yaml"), format!("version: 1\n{redact}")).expect("written");
    rules::load(folder.path()).unwrap_or_else(|problems| panic!("{}", problems.render()))
}

/// A piece of a text, and a span of it that must fit.
fn cut(text: &str, (start, end): (usize, usize)) -> &str {
    text.get(start..end).unwrap_or_else(|| panic!("{start}..{end} does not fit into {text:?}"))
}

/// What marks a place in the texts of a case: the written pieces, and those of the same case as it is.
type Pieces = Vec<String>;

fn pieces(case: &CaseRecord<'_>, claims: &[ClaimRecord<'_>]) -> Pieces {
    let mut pieces = Vec::new();
    let answer = case.answer.as_deref().unwrap_or_default();
    pieces.extend(case.markers.iter().map(|marker| cut(answer, marker.span).to_owned()));
    for claim in claims {
        pieces.extend(claim.span.map(|span| cut(answer, span).to_owned()));
        pieces
            .extend(claim.findings.iter().filter_map(|f| f.claim_span).map(|span| cut(&claim.claim, span).to_owned()));
        pieces.extend(claim.findings.iter().filter_map(|f| f.answer_span).map(|span| cut(answer, span).to_owned()));
        for citation in &claim.citations {
            for found in &citation.matches {
                pieces.extend(found.claim.map(|span| cut(&claim.claim, span).to_owned()));
                if let Some(excerpt) = &citation.excerpt
                    && let Some(text) = excerpt.text.as_deref()
                {
                    pieces.push(found.in_excerpt(excerpt).map(|span| cut(text, span).to_owned()).expect("inside"));
                }
            }
        }
    }
    pieces
}

/// One that takes nothing out, and those with a pattern each.
static POLICIES: LazyLock<Vec<Policy>> = LazyLock::new(|| {
    let redact = [r"T-\d+", r"0 \w+", r"\d", "plan keeps", "s l"]
        .map(|pattern| format!("redact: {{ patterns: [{{ id: own, pattern: '{pattern}' }}, {{ id: email }}] }}\n"));
    std::iter::once(String::new()).chain(redact).map(|redact| policy(&redact)).collect()
});

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_taken_out_every_span_marks_what_it_marked(
        words in proptest::collection::vec("(90 days|T-[0-9]{1,3}|the plan|ü T-7ü|keeps logs|5 GB|desk@example\\.com|not before 2024)", 2..9),
        other in proptest::collection::vec("(30 days|T-[0-9]{1,3}|the plan|keeps logs|5 GB|desk@example\\.com|“T-4 a”)", 2..9),
        own in 0_usize..5,
    ) {
        let (plain, own) = (&POLICIES[0], &POLICIES[own + 1]);
        let line = json!({
            "case_id": "a", "answer": format!("{} [S1].", words.join(" ")),
            "sources": [{"id": "S1", "content": format!("{}. {}.", other.join(" "), words.join(" "))}],
        })
        .to_string();
        let written = evaluated(own, &line, pieces);
        let before = evaluated(plain, &line, pieces);
        prop_assert_eq!(written.len(), before.len());
        for (written, before) in written.iter().zip(&before) {
            prop_assert!(written == before || written.contains("[redacted:"), "{written:?} and {before:?}");
            let ends = |text: &str| text.rsplit(']').next().unwrap_or_default().to_owned();
            prop_assert!(before.ends_with(&ends(written)), "{written:?} and {before:?}");
        }
    }
}

/// The answer and the claims of a case with this answer, as they are written.
fn written(redact: &str, answer: &str) -> Vec<String> {
    let line = json!({"case_id":"a","answer":answer,"sources":[{"id":"ev_1","text":"Nothing of it."}]}).to_string();
    evaluated(&policy(redact), &line, |case, claims| {
        let answer = case.answer.as_deref().unwrap_or_default().to_owned();
        std::iter::once(answer).chain(claims.iter().map(|claim| claim.claim.to_string())).collect()
    })
}

#[test]
fn a_marker_in_the_middle_hides_no_secret() {
    let redact = "redact: { patterns: [{ id: key }] }\n";
    let texts = written(redact, "The key is ghp_abcdefghij[ev_1]klmnopqrst0123 for all of them [ev_1].");
    assert_eq!(texts[0], "The key is [redacted:key] for all of them [ev_1].");
    assert!(texts.iter().all(|text| !text.contains("abcdefghij") && !text.contains("klmnop")), "{texts:?}");
}

#[test]
fn a_secret_that_is_cut_by_the_end_of_a_claim_goes_from_both() {
    let redact = "redact: { patterns: [{ id: codename, pattern: 'Harbour Seven\\. Lantern \\w+' }] }\n";
    let texts = written(redact, "The plan has the name Harbour Seven. Lantern Quartz keeps 90 days of logs [ev_1].");
    assert_eq!(texts[0], "The plan has the name [redacted:codename] keeps 90 days of logs [ev_1].");
    assert!(texts.len() > 2, "two claims: {texts:?}");
    for secret in ["Harbour", "Seven", "Lantern", "Quartz"] {
        assert!(texts.iter().all(|text| !text.contains(secret)), "{secret}: {texts:?}");
    }
}
