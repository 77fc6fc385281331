use std::collections::BTreeMap;

use serde::Deserialize;

use super::*;

fn problems_of<T: DeserializeOwned>(text: &str) -> String {
    match read::<T>("f.yaml", text) {
        Ok(_) => String::new(),
        Err(problems) => problems.render(),
    }
}

fn tree(text: &str) -> Node {
    let mut problems = Problems::new();
    let source = problems.add_source("f.yaml", text);
    let node = parse(source, text, &mut problems);
    assert!(problems.is_empty(), "{}", problems.render());
    node.unwrap()
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Plain,
    Bounded(Bounds),
    Sized { size: u8 },
}

#[derive(Debug, Deserialize, PartialEq)]
struct Bounds {
    min: DecimalText,
    #[serde(default)]
    severity: Option<String>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Doc {
    kind: Located<Kind>,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    on: Option<bool>,
}

#[test]
fn scalars_keep_their_places_and_digits() {
    let text = "\u{feff}a: 0.050\r\né: 'it''s'\r\ne:\r\nh: 0x10\r\n";
    let node = tree(text);
    let at = |key: &str| {
        let entry = node.get(key).unwrap();
        let span = entry.value.span;
        (&text[span.start as usize..span.end as usize], entry.value.value.clone())
    };
    let (raw, value) = at("a");
    assert_eq!(raw, "0.050");
    assert!(matches!(value, Value::Number(number) if number.text == "0.050" && number.float == 0.05));
    assert_eq!(at("é"), ("'it''s'", Value::Text("it's".into())));
    // A value that is not written stands at its key.
    assert_eq!(at("e"), ("e", Value::Null));
    assert!(matches!(at("h").1, Value::Number(number) if number.whole == Some(16)));
}

#[test]
fn a_bare_word_and_a_single_key_are_the_same_choice() {
    let doc: Doc = read("f", "kind: plain\nnames: [x]\n").unwrap();
    assert_eq!(doc.kind.value, Kind::Plain);
    assert_eq!((doc.kind.span.start, doc.kind.span.end), (6, 11));
    let doc: Doc = read("f", "kind: { bounded: { min: 1e-2 } }\non: true\n").unwrap();
    let Kind::Bounded(bounds) = doc.kind.value else { panic!() };
    assert_eq!(bounds.min.as_str(), "1e-2");
    assert_eq!(bounds.min.ratio(), &BigRational::new(1.into(), 100.into()));
}

use num_rational::BigRational;

#[test]
fn each_problem_names_its_token() {
    let cases = [
        ("kind: plan\n", "f.yaml:1:7: error[unknown-name]: unknown name \"plan\"", "did you mean `plain`?"),
        ("kind: plain\nnmes: []\n", "f.yaml:2:1: error[unknown-key]: unknown key \"nmes\"", "did you mean `names`?"),
        ("names: []\n", "f.yaml:1:1: error[missing-key]: key `kind` is missing", "this needs a key `kind`"),
        ("kind: { bounded: { min: .nan } }\n", "f.yaml:1:25: error[not-finite]", "expected a decimal number"),
        ("kind: { bounded: { min: \"1\" } }\n", "f.yaml:1:25: error[wrong-type]", "without quotation marks: 1"),
        ("kind: { bounded: { min: 0x1 } }\n", "f.yaml:1:25: error[wrong-value]", "plain decimal"),
        ("kind: { bounded: { min: } }\n", "f.yaml:1:20: error[wrong-type]", "give the key a value or delete it"),
        ("kind: bounded\n", "f.yaml:1:7: error[missing-key]: `bounded` cannot stand alone", "key `min` is missing"),
        ("kind: { plain: { x: 1 } }\n", "f.yaml:1:16: error[wrong-type]: `plain` takes no options", "bare word"),
        (
            "kind: { sized: { size: 256 } }\n",
            "f.yaml:1:24: error[wrong-value]",
            "found the number 256, expected a whole number from 0 to 255",
        ),
        ("kind: { sized: { sise: 25 } }\n", "f.yaml:1:18: error[unknown-key]", "did you mean `size`?"),
        (
            "kind: { plain: ~, sized: ~ }\n",
            "f.yaml:1:19: error[wrong-value]: 2 keys where exactly one is allowed",
            "second",
        ),
        ("kind: plain\nnames: [1]\n", "f.yaml:2:9: error[wrong-type]: expected text", "in quotation marks: \"1\""),
        ("kind: plain\nnames: x\n", "f.yaml:2:8: error[wrong-type]: expected a list", "square brackets"),
        ("kind: plain\non: yes\n", "f.yaml:2:5: error[wrong-type]", "did you mean `true`?"),
        ("kind: plain\non:\n", "f.yaml:2:1: error[wrong-type]", "found nothing"),
        ("- x\n", "f.yaml:1:1: error[wrong-type]: expected a map", "found a list, expected a map"),
        ("", "f.yaml:1:1: error[wrong-type]: a value is missing", "found nothing, expected a map"),
        ("kind: plain\n1: x\n", "f.yaml:2:1: error[wrong-type]: a key that is not text", "quotation marks"),
        (
            "kind: plain\nkind: plain\n",
            "f.yaml:2:1: error[duplicate-key]: key \"kind\" stands twice",
            "see f.yaml:1:1: the first time",
        ),
        ("kind: [1\nb: 2", "f.yaml:2:2: error[syntax]: not valid YAML", "reading stopped here"),
        ("a:\n\tb: 1\n", "f.yaml:2:1: error[syntax]: not valid YAML: tabs", "never with tabs"),
        ("a: 1\n---\nb: 1\n", "f.yaml:3:1: error[multiple-documents]", "second document"),
        ("a: @x\n", "f.yaml:1:4: error[syntax]", "needs quotation marks"),
        ("a: !!python/object x\n", "f.yaml:1:", "remove the tag"),
        ("a: *x\n", "f.yaml:1:4: error[syntax]: an alias without an anchor", "begins with `*`"),
        ("a: &x {b: 1}\nc: { <<: *x }\n", "f.yaml:2:6: error[syntax]: merge keys", "write the keys out"),
    ];
    for (text, start, part) in cases {
        let shown = problems_of::<Doc>(text);
        assert!(shown.starts_with(start) && shown.contains(part), "{text:?} gives\n{shown}");
    }
}

#[test]
fn bombs_are_refused() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..9 {
        let previous = level - 1;
        text.push_str(&format!("a{level}: &a{level} [{}]\n", vec![format!("*a{previous}"); 10].join(", ")));
    }
    assert!(problems_of::<Doc>(&text).contains("error[too-large]"));
    let deep = format!("a: {}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(problems_of::<Doc>(&deep).contains("error["));
    let deep: String = (0..5_000).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
    assert!(problems_of::<Doc>(&deep).contains("error[too-large]"));
}

#[test]
fn what_is_emitted_reads_back_the_same() {
    let value = serde_json::json!({
        "name": "a", "yes": "yes", "n": 1, "f": 0.5, "t": true, "z": null, "e": {}, "l": [],
        "files": [{"path": "x y.jsonl", "cases": 3, "deep": {"k": [1, "2", [3, [4]]]}}, "plain", "1", "", " a", "#", "a: b"],
        "odd": "tab\t quote\" back\\ nl\n bell\u{7} ls\u{2028} nel\u{85} bom\u{feff} é 文 🎉", "a: b": {"- x": "~"}
    });
    let text = emit(&value);
    let back: serde_json::Value = decode(&tree(&text)).unwrap();
    assert_eq!(back, value, "{text}");
    assert_eq!(
        emit(&serde_json::json!({"a": [{"b": 1, "c": 2}], "d": {"e": "x y"}})),
        "a:\n  - b: 1\n    c: 2\nd:\n  e: \"x y\"\n"
    );
}

#[test]
fn maps_of_free_keys_and_values_work() {
    let map: BTreeMap<String, Located<Vec<f64>>> = read("f", "a: [1, 2.5]\n\"1\": []\n").unwrap();
    assert_eq!(map["a"].value, vec![1.0, 2.5]);
    assert!(map["1"].is_empty());
}

#[test]
fn decimals_are_exact_and_bounded() {
    assert_eq!(DecimalText::new("0.050").unwrap().ratio(), &BigRational::new(1.into(), 20.into()));
    assert_eq!(DecimalText::new("-.5").unwrap().ratio(), &BigRational::new((-1).into(), 2.into()));
    assert_eq!(DecimalText::new("+2E1").unwrap().ratio(), &BigRational::from_integer(20.into()));
    for bad in ["", ".", "-", "1e31", "1e999999999", "0x1", "1_000", "NaN", ".inf", "1 ", "--1", "1.2.3", "1e", "١"] {
        assert!(DecimalText::new(bad).is_none(), "{bad}");
    }
    assert!(DecimalText::new(&"1".repeat(41)).is_none());
}

#[test]
fn a_percentage_is_the_ratio_that_it_says() {
    let read = |text: &str| DecimalText::percent(text).map(|decimal| decimal.as_str().to_owned());
    for (written, ratio) in [
        ("5%", "0.05"),
        ("5 %", "0.05"),
        ("0.5%", "0.005"),
        ("12.50%", "0.125"),
        ("100%", "1"),
        ("150%", "1.5"),
        ("0%", "0"),
        (".5%", "0.005"),
        ("007%", "0.07"),
        ("-5%", "-0.05"),
    ] {
        assert_eq!(read(written).as_deref(), Some(ratio), "{written}");
    }
    for written in ["%", "5", "5%%", "1e1%", "0,5%", "a%", "5.%.", "--5%"] {
        assert_eq!(read(written), None, "{written}");
    }
}
