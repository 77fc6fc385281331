//! Every kind of check on its own table, `tests/checks/<kind>.yaml`, and what every kind must have.
//!
//! A table holds `pass:`, `fail:`, `not_applicable:` and `broken:` lists, and `invalid:` with options that must be refused (`name`,
//! `options`, `says`: a part of the problem). An entry of the others is a small case:
//!
//! | key | meaning |
//! |---|---|
//! | `name` | what the entry shows; unique in the table |
//! | `options` | the options of the check; else those at the top of the table, else none |
//! | `claim` | text of the claim; it cites all evidence, or what `cites` lists |
//! | `evidence` | a text, a list of texts, or a list of units; ids are `e1`, `e2`, … unless given |
//! | `answer`, `query`, `language` | as in a case |
//! | `case`, `given` | more fields of the case, of the claim |
//! | `label` | the label that the other rules led to (`expected` alone) |
//! | `codes` | codes of all findings, in order (`fail` alone; needed there) |
//! | `certainty`, `implies` | of every finding |
//! | `says` | a part of the first message |
//! | `values` | values of the first finding |
//! | `score` | `[numerator, denominator]` |
//! | `found` | texts of the matched spans, in order |
//! | `annotates` | kinds, with their defaults or `{ kind: options }`, whose findings are annotated (`misattributed` alone); the units that the claim does not cite are what it may point at |
//! | `weakens` | of each note, whether its finding becomes a suspicion (`misattributed` alone) |
//! | `missing` | the field that is missing (`not_applicable` alone; absent: nothing is) |

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use citeward::check::{
    Absence, Alternatives, Annotation, AnnotationCheck, Check, ClaimText, Code, Failed, Fault, Finding, Judgement,
    KINDS, KindEntry, Match, Outcome, Passage, Stage, SupportCheck, Uncited, manual,
};
use citeward::citation::{Citation, Claim, ClaimPattern, ClaimPolicy, Exposed, Grammar, MarkerSet, Packet, Resolve};
use citeward::dataset::lines::Input;
use citeward::dataset::{self, Case, Label, Register, Unit};
use citeward::diagnostic::{Problem, Problems};
use citeward::text::hidden::{Hidden, How, Page, blanked, hidden, laid_out};
use citeward::text::table::piped;
use citeward::text::{Analysis, Lexicons};
use citeward::yaml::{self, Node};
use regex::Regex;
use serde_json::{Map, Value, json};

const SECTIONS: [(&str, Outcome); 4] = [
    ("pass", Outcome::Pass),
    ("fail", Outcome::Fail),
    ("not_applicable", Outcome::NotApplicable),
    ("broken", Outcome::Broken),
];

const KEYS: [&str; 24] = [
    "name",
    "options",
    "claim",
    "cites",
    "evidence",
    "answer",
    "query",
    "language",
    "case",
    "given",
    "register",
    "label",
    "codes",
    "certainty",
    "implies",
    "says",
    "values",
    "score",
    "found",
    "missing",
    "annotates",
    "weakens",
    "why",
    "expected",
];

/// A table, read.
struct Table {
    kind: &'static KindEntry,
    node: Node,
}

impl Table {
    fn read(kind: &'static KindEntry) -> Result<Self, String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checks").join(format!("{}.yaml", kind.name));
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut problems = Problems::new();
        let source = problems.add_source(format!("tests/checks/{}.yaml", kind.name), text.as_str());
        match yaml::parse(source, &text, &mut problems) {
            Some(node) if problems.is_empty() => Ok(Self { kind, node }),
            _ => Err(problems.render()),
        }
    }

    fn entries(&self) -> Vec<Entry<'_>> {
        let mut entries = Vec::new();
        for (section, outcome) in SECTIONS {
            let Some(list) = self.node.get(section) else { continue };
            let yaml::Value::List(items) = &list.value.value else {
                panic!("{}: `{section}` is no list", self.kind.name)
            };
            entries.extend(items.iter().map(|node| Entry { table: self, outcome, node }));
        }
        entries
    }
}

/// One entry of a table.
struct Entry<'t> {
    table: &'t Table,
    outcome: Outcome,
    node: &'t Node,
}

impl Entry<'_> {
    fn value(&self, key: &str) -> Option<Value> {
        let entry = self.node.get(key)?;
        Some(yaml::decode(&entry.value).unwrap_or_else(|problem| panic!("{}: {problem}", self.name())))
    }

    fn text(&self, key: &str) -> Option<String> {
        self.value(key).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    }

    fn name(&self) -> String {
        let name = self.node.get("name").and_then(|entry| match &entry.value.value {
            yaml::Value::Text(text) => Some(text.clone()),
            _ => None,
        });
        format!("{}: {}", self.table.kind.name, name.unwrap_or_else(|| "an entry without a name".to_owned()))
    }

    fn check(&self, lexicons: &Lexicons) -> Result<Check, String> {
        let none = Node { span: self.node.span, value: yaml::Value::Map(Vec::new()) };
        let options = self.node.get("options").or_else(|| self.table.node.get("options"));
        let options = options.map_or(&none, |entry| &entry.value);
        let said = |problems: Vec<Problem>| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        (self.table.kind.compile)(options, lexicons).map_err(said)
    }

    /// The checks whose findings are annotated, by kind.
    fn annotated(&self, lexicons: &Lexicons) -> Vec<(&'static str, Check)> {
        let Some(Value::Array(kinds)) = self.value("annotates") else { return Vec::new() };
        let compiled = |kind: &Value| {
            let (name, options) = match kind {
                Value::Object(map) => map.iter().next().map(|(name, options)| (name.clone(), options.to_string())),
                other => other.as_str().map(|name| (name.to_owned(), "{}".to_owned())),
            }
            .expect("a kind of check");
            let mut problems = Problems::new();
            let source = problems.add_source("options".to_owned(), options.as_str());
            let node = yaml::parse(source, &options, &mut problems).expect("options");
            let kind = citeward::check::kind(&name).unwrap_or_else(|| panic!("{}: no kind `{name}`", self.name()));
            let check = (kind.compile)(&node, lexicons).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
            (kind.name, check)
        };
        kinds.iter().map(compiled).collect()
    }

    /// The source register, where the entry has one.
    fn register(&self) -> Option<Register> {
        let Some(Value::Array(rows)) = self.value("register") else { return None };
        let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(file.path(), text).expect("written");
        let register = Register::read(&Input::file(file.path()), &dataset::Options::default());
        Some(register.unwrap_or_else(|problems| panic!("{}: {}", self.name(), problems.render())))
    }

    /// The case as a line of JSON.
    fn line(&self) -> String {
        let mut case = Map::from_iter([("case_id".to_owned(), json!("table"))]);
        for key in ["answer", "query", "language", "expected"] {
            case.extend(self.value(key).map(|value| (key.to_owned(), value)));
        }
        let evidence = match self.value("evidence") {
            Some(Value::Array(items)) => items,
            other => other.into_iter().collect(),
        };
        let units: Vec<Value> = (1..).zip(evidence).map(|(number, unit)| unit_of(number, unit)).collect();
        if let Some(text) = self.value("claim") {
            let all = units.iter().filter_map(|unit| unit.get("evidence_id").cloned()).collect();
            let mut claim = Map::from_iter([("text".to_owned(), text)]);
            let given = self.value("given").and_then(|given| given.as_object().cloned()).unwrap_or_default();
            if !given.contains_key("citations") {
                claim.insert("citation_ids".to_owned(), self.value("cites").unwrap_or(Value::Array(all)));
            }
            claim.extend(given);
            case.insert("claims".to_owned(), json!([claim]));
        }
        if !units.is_empty() {
            case.insert("sources".to_owned(), Value::Array(units));
        }
        if let Some(Value::Object(more)) = self.value("case") {
            case.extend(more);
        }
        if !case.contains_key("claims") && !case.contains_key("answer") {
            case.insert("answer".to_owned(), json!(""));
        }
        Value::Object(case).to_string()
    }

    /// Everything about the entry that does not come out as it says.
    fn run(&self, world: &World) -> Result<Vec<Finding>, String> {
        if let yaml::Value::Map(entries) = &self.node.value
            && let Some(entry) = entries.iter().find(|entry| !KEYS.contains(&entry.key.as_str()))
        {
            return Err(format!("{}: unknown key `{}`", self.name(), entry.key));
        }
        let check = self.check(&world.lexicons).map_err(|problem| format!("{}: {problem}", self.name()))?;
        let line = self.line();
        let at = dataset::Line { file: "table", file_index: 0, number: 1 };
        let case = dataset::read::line(line.as_bytes(), at, &dataset::Options::default()).map_err(|problems| {
            format!("{}: {}", self.name(), problems.iter().map(ToString::to_string).collect::<String>())
        })?;
        let annotated = self.annotated(&world.lexicons);
        let scene = Scene { label: self.text("label"), register: self.register(), annotated };
        let Judged { judgement, found, weakens } = world.judge(&check, &case, &scene);
        match self.differences(&judgement, &found, &weakens) {
            faults if faults.is_empty() => Ok(judgement.findings),
            faults => Err(format!("{}\n    {}", self.name(), faults.join("\n    "))),
        }
    }

    fn differences(&self, judgement: &Judgement, found: &[String], weakens: &[bool]) -> Vec<String> {
        let findings = &judgement.findings;
        let messages: Vec<&str> = findings.iter().map(|finding| finding.message.as_str()).collect();
        let mut faults = Vec::new();
        let mut compare = |what: &str, expected: Option<Value>, actual: Value| {
            if let Some(expected) = expected.filter(|expected| *expected != actual) {
                faults.push(format!("{what}: {actual}, expected {expected}; found {messages:?} {found:?}"));
            }
        };
        compare("outcome", Some(json!(self.outcome)), json!(judgement.outcome));
        let codes = self.value("codes").or_else(|| Some(json!([])));
        compare("codes", codes, findings.iter().map(|finding| finding.code).collect());
        for finding in findings {
            compare("certainty", self.value("certainty"), json!(finding.certainty));
            let implied = finding.implies.map_or(Value::Null, |defect| json!(defect.label()));
            compare("implies", self.value("implies"), implied);
        }
        compare("score", self.value("score"), judgement.score.map_or(Value::Null, |(n, d)| json!([n, d])));
        compare("found", self.value("found"), json!(found));
        compare("weakens", self.value("weakens"), json!(weakens));
        if self.outcome == Outcome::NotApplicable {
            let missing = match &judgement.absence {
                Some(Absence::Missing(field)) => json!(field),
                _ => Value::Null,
            };
            compare("missing", Some(self.value("missing").unwrap_or(Value::Null)), missing);
        }
        let first = findings.first();
        if let (Some(Value::Object(values)), Some(finding)) = (self.value("values"), first) {
            for (name, expected) in values {
                let actual = finding.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
                compare(&name, Some(expected), actual.unwrap_or(json!("no such value")));
            }
        }
        if let Some(part) = self.text("says")
            && !first.is_some_and(|finding| finding.message.contains(&part))
        {
            faults.push(format!("the message does not say “{part}”: {messages:?}"));
        }
        faults
    }
}

/// A unit of a case, from a text or from fields.
fn unit_of(number: usize, unit: Value) -> Value {
    let mut fields = match unit {
        Value::Object(fields) => fields,
        text => Map::from_iter([("content".to_owned(), text)]),
    };
    if !fields.contains_key("id") && !fields.contains_key("evidence_id") {
        fields.insert("evidence_id".to_owned(), json!(format!("e{number}")));
    }
    if let Some(id) = fields.remove("id") {
        fields.insert("evidence_id".to_owned(), id);
    }
    Value::Object(fields)
}

/// What all entries share.
struct World {
    lexicons: Lexicons,
    markers: MarkerSet,
    claims: ClaimPolicy,
}

impl World {
    fn new() -> Self {
        let expression = |text: &str| Regex::new(text).expect("a pattern of the tests");
        let mut numbered =
            Grammar::new("numbered", expression(r"\[(?<refs>\d+(?:\s*[-–,;]\s*\d+)*)\](?:\((?<link>[^()\s]+)\))?"))
                .expect("a grammar");
        numbered.resolve = Resolve::Position { first: 1 };
        let named = Grammar::new("named", expression(r"\[(?<ref>[A-Za-z][A-Za-z_-]*\d[\w.:-]*)\]")).expect("a grammar");
        let suspicious = vec![expression(r"\[(?:doc|Source)\b[^\]]*$"), expression(r"\[\?\]")];
        let sources = ClaimPattern { pattern: expression(r"(?i)^\W*sources\W*$"), languages: Vec::new() };
        Self {
            lexicons: Lexicons::shipped().expect("the shipped lexicons"),
            markers: MarkerSet::new(vec![numbered, named], Vec::new(), suspicious),
            claims: ClaimPolicy { reference_lists: vec![sources], ..ClaimPolicy::default() },
        }
    }

    /// The worst judgement over all subjects of the case, with the texts of its matches.
    fn judge(&self, check: &Check, case: &Case<'_>, scene: &Scene) -> Judged {
        let packet = Packet::build(case, &self.markers, &self.claims, &self.lexicons);
        let packet = packet.with_register(scene.register.as_ref());
        let judged: Vec<Judged> = match check {
            Check::Case(check) => vec![check.judge(&packet).into()],
            Check::Citation(check) => {
                packet.citations.iter().map(|citation| check.judge(&packet, citation).into()).collect()
            }
            Check::Claim(check) => packet
                .claims
                .iter()
                .map(|claim| {
                    let analysis = self.analysis(&packet);
                    check.judge(&packet, claim, self.text(&packet, claim, &analysis)).into()
                })
                .collect(),
            Check::Support(check) => {
                packet.claims.iter().map(|claim| self.judge_support(check.as_ref(), &packet, claim)).collect()
            }
            Check::Annotation(check) => {
                packet.claims.iter().map(|claim| self.annotate(check.as_ref(), &packet, claim, scene)).collect()
            }
            Check::Label(check) => {
                let label = scene.label.as_deref().and_then(Label::from_word).expect("`label` is a label");
                vec![check.judge(label, packet.case.expected.first().map(|(_, label)| *label)).into()]
            }
        };
        let rank = |outcome: Outcome| match outcome {
            Outcome::NotApplicable => 0,
            Outcome::Pass => 1,
            Outcome::Fail => 2,
            Outcome::Broken => 3,
        };
        let mut worst = Judged::from(Judgement::irrelevant());
        for (index, next) in judged.into_iter().enumerate() {
            if index == 0 || rank(next.judgement.outcome) > rank(worst.judgement.outcome) {
                worst = next;
            }
        }
        worst
    }

    fn judge_support<'p>(&self, check: &dyn SupportCheck, packet: &'p Packet<'p>, claim: &'p Claim<'p>) -> Judged {
        let analysis = self.analysis(packet);
        let analyses = self.analyses(packet);
        let passages = cited_passages(packet, claim, &analyses);
        let judgement = check.judge(self.text(packet, claim, &analysis), &passages);
        let text = |found: &Match| passages[found.passage].text[found.span.clone()].to_owned();
        let found = judgement.matches.iter().map(text).collect();
        Judged { found, ..judgement.into() }
    }

    /// Lets a check annotate what other checks find wrong with a claim.
    fn annotate<'p>(
        &self,
        check: &dyn AnnotationCheck,
        packet: &'p Packet<'p>,
        claim: &'p Claim<'p>,
        scene: &Scene,
    ) -> Judged {
        let analysis = self.analysis(packet);
        let analyses = self.analyses(packet);
        let text = self.text(packet, claim, &analysis);
        let passages = cited_passages(packet, claim, &analyses);
        let judged: Vec<(&str, &dyn SupportCheck, Judgement)> = scene
            .annotated
            .iter()
            .map(|(kind, check)| {
                let Check::Support(check) = check else { panic!("{kind} finds no facts") };
                (*kind, check.as_ref(), check.judge(text, &passages))
            })
            .collect();
        let failed: Vec<Failed<'_>> =
            judged.iter().map(|(rule, check, j)| Failed { rule, check: *check, findings: &j.findings }).collect();
        if failed.iter().all(|own| own.findings.iter().all(|finding| own.check.lacking(finding).is_empty())) {
            return Judgement::irrelevant().into();
        }
        let cites = |unit: usize| packet.citations_of(claim).any(|citation| citation.resolution.unit() == Some(unit));
        let units = packet.case.units.iter().zip(&analyses).enumerate().filter(|(index, _)| !cites(*index));
        let uncited: Vec<Uncited<'_>> = units
            .filter_map(|(index, (unit, known))| {
                let entry = packet.registered(unit).and_then(|known| known.version(unit.source_version.as_deref()));
                let passage = Passage {
                    text: &known.shown,
                    analysis: &known.whole,
                    unit,
                    offset: 0,
                    content: &known.shown,
                    whole: &known.whole,
                    hidden: &known.hidden,
                    entry,
                };
                unit.content.as_ref()?;
                Some(Uncited { passage, marker: packet.marker_for(claim, index) })
            })
            .collect();
        let instead = Alternatives { cited: packet.cited_as(claim), passages: &passages, uncited: &uncited };
        let notes = check.annotate(text, &failed, &instead);
        let place = |note: &Annotation| {
            note.span.clone().map_or_else(String::new, |span| uncited[note.unit].passage.text[span].to_owned())
        };
        Judged {
            found: notes.iter().map(place).collect(),
            weakens: notes.iter().map(|note| note.weakens).collect(),
            ..Judgement::of(notes.into_iter().map(|note| note.note).collect()).into()
        }
    }

    /// What is known of each unit of the packet.
    fn analyses(&self, packet: &Packet<'_>) -> Vec<Known> {
        let known = |unit: &Unit<'_>| {
            let content = unit.content.as_deref().unwrap_or_default();
            let hidden = hidden(content, Page::Passage);
            let shown = blanked(content, hidden.iter().filter(|hidden| hidden.how != How::Aside));
            let shown = laid_out(&shown).unwrap_or(shown);
            let shown = piped(&shown).unwrap_or(shown);
            Known { part: self.analysis(packet), whole: self.analysis(packet), shown, hidden }
        };
        packet.case.units.iter().map(known).collect()
    }

    fn analysis(&self, packet: &Packet<'_>) -> Analysis {
        Analysis::new(Some(packet.language.as_ref()), &self.lexicons)
    }

    fn text<'p>(&'p self, packet: &'p Packet<'p>, claim: &'p Claim<'p>, analysis: &'p Analysis) -> ClaimText<'p> {
        let query = packet.case.query.as_deref();
        ClaimText { claim, analysis, query, language: &packet.language, lexicons: &self.lexicons }
    }
}

/// What is known of a unit: of the part that is cited, and of the whole.
struct Known {
    part: Analysis,
    whole: Analysis,
    shown: String,
    hidden: Vec<Hidden>,
}

/// What the citations of a claim expose.
fn cited_passages<'p>(packet: &'p Packet<'p>, claim: &'p Claim<'p>, analyses: &'p [Known]) -> Vec<Passage<'p>> {
    let passage = |citation: &'p Citation<'p>| {
        let Exposed::Span(span) = &citation.exposed else { return None };
        let index = citation.resolution.unit()?;
        let unit = packet.case.units.get(index)?;
        unit.content.as_ref()?;
        let known = analyses.get(index)?;
        let entry = packet.registered(unit).and_then(|known| known.version(unit.source_version.as_deref()));
        let content = known.shown.as_str();
        let (text, analysis, whole) = (content.get(span.clone())?, &known.part, &known.whole);
        Some(Passage { text, analysis, unit, offset: span.start, content, whole, hidden: &known.hidden, entry })
    };
    packet.citations_of(claim).filter_map(passage).collect()
}

/// What an entry says beside its case.
struct Scene {
    label: Option<String>,
    register: Option<Register>,
    annotated: Vec<(&'static str, Check)>,
}

/// A judgement with the texts of its matches.
struct Judged {
    judgement: Judgement,
    found: Vec<String>,
    /// Of each note, whether its finding becomes a suspicion.
    weakens: Vec<bool>,
}

impl From<Judgement> for Judged {
    fn from(judgement: Judgement) -> Self {
        Self { judgement, found: Vec::new(), weakens: Vec::new() }
    }
}

fn tables() -> Vec<Table> {
    let mut faults = Vec::new();
    let tables = KINDS.iter().filter_map(|kind| Table::read(kind).map_err(|fault| faults.push(fault)).ok()).collect();
    assert!(faults.is_empty(), "tables that cannot be read:\n{}", faults.join("\n"));
    tables
}

#[test]
fn every_entry_comes_out_as_its_table_says() {
    let world = World::new();
    let mut faults = Vec::new();
    for table in tables() {
        let mut names = BTreeSet::new();
        for entry in table.entries() {
            if !names.insert(entry.name()) {
                faults.push(format!("{}: the name stands twice", entry.name()));
            }
            faults.extend(entry.run(&world).err());
        }
    }
    assert!(faults.is_empty(), "{} entries do not:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_kind_has_entries_that_pass_fail_and_do_not_apply() {
    for table in tables() {
        let count = |outcome| table.entries().iter().filter(|entry| entry.outcome == outcome).count();
        let name = table.kind.name;
        assert!(count(Outcome::Pass) > 0 && count(Outcome::Fail) > 0, "{name}: no entry passes, or none fails");
        assert!(count(Outcome::NotApplicable) > 0 || NEVER_SILENT.contains(&name), "{name}: when does it not apply?");
    }
}

/// Kinds that apply to every subject.
const NEVER_SILENT: [&str; 2] = ["resolves", "retrieved"];

#[test]
fn every_code_is_declared_and_exercised_and_every_finding_has_the_declared_values() {
    let world = World::new();
    for table in tables() {
        let declared: BTreeSet<&str> = table.kind.codes.iter().map(|code| code.name).collect();
        let variables: BTreeSet<&str> = table.kind.variables.iter().copied().collect();
        let findings: Vec<Finding> =
            table.entries().iter().filter_map(|entry| entry.run(&world).ok()).flatten().collect();
        let found: BTreeSet<&str> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(found, declared, "{}: codes found by its table, codes declared", table.kind.name);
        for finding in &findings {
            let values: BTreeSet<&str> = finding.values.iter().map(|(name, _)| *name).collect();
            assert_eq!(values, variables, "{}: values of “{}”, values declared", table.kind.name, finding.message);
        }
    }
}

#[test]
fn invalid_options_are_refused_with_the_place_and_the_reason() {
    let lexicons = Lexicons::shipped().expect("the shipped lexicons");
    let mut faults = Vec::new();
    for table in tables() {
        let Some(list) = table.node.get("invalid") else { continue };
        let yaml::Value::List(items) = &list.value.value else { panic!("{}: `invalid` is no list", table.kind.name) };
        for node in items {
            let entry = Entry { table: &table, outcome: Outcome::Broken, node };
            let says = entry.text("says").expect("`says`");
            match entry.check(&lexicons) {
                Ok(_) => faults.push(format!("{}: accepted", entry.name())),
                Err(problem) if problem.contains(&says) => {}
                Err(problem) => faults.push(format!("{}: {problem}", entry.name())),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_kind_has_a_page_and_a_schema() {
    let mut codes = BTreeSet::new();
    for kind in KINDS {
        let page = manual::page(kind);
        assert!(page.len() > 400, "{}: hardly a manual page:\n{page}", kind.name);
        assert!(
            page.contains(&format!("check: {}", kind.name)) || page.contains(&format!("{}:", kind.name)),
            "{}: no example",
            kind.name
        );
        for Code { name: code, meaning, fault } in kind.codes {
            assert!(page.contains(code), "{}: the page does not name `{code}`", kind.name);
            assert!(
                !meaning.is_empty() && codes.insert(*code),
                "{}: `{code}` says nothing, or is another kind's too",
                kind.name
            );
            assert!(
                reasons(*fault).iter().all(|why| why.len() > 10 && !why.ends_with('.')),
                "{}: `{code}` does not say why that stage is at fault",
                kind.name
            );
            assert!(
                code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{}: `{code}` is not kebab-case",
                kind.name
            );
        }
        let mut generator = schemars::SchemaGenerator::default();
        let schema = (kind.schema)(&mut generator);
        let definitions = generator.take_definitions(true);
        assert!(schema.get("type").is_some_and(|kind| kind == "object"), "{}: no schema", kind.name);
        assert!(definitions.values().all(Value::is_object), "{}: a definition without a schema", kind.name);
    }
}

/// Why the stage at fault is the one that a code says, or why none can be told.
fn reasons(fault: Fault) -> Vec<&'static str> {
    match fault {
        Fault::Always(told) => vec![told.because],
        Fault::Cited { resolved, unresolved } => vec![resolved.because, unresolved.because],
        Fault::Lacking { nowhere: Some(Stage::Retrieval), .. } => vec![],
        Fault::Lacking { and, .. } => vec![and],
        Fault::Text { written, read } => vec![written.because, read.because],
    }
}

#[test]
fn every_table_is_that_of_a_kind() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checks");
    for file in fs::read_dir(folder).expect("the folder of tables") {
        let name = file.expect("a file").file_name().to_string_lossy().into_owned();
        let kind = name.strip_suffix(".yaml").expect("nothing but tables");
        assert!(KINDS.iter().any(|known| known.name == kind), "{name}: there is no kind `{kind}`");
    }
}
