// The formats for machines, read by strict readers of their kind: SARIF against its published schema, JUnit as XML, CSV back into rows.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";
import { parse } from "csv-parse/sync";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { browser, citeward, root, scratch } from "./browser.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const schema = join(here, "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats(ajv);
const isSarif = ajv.compile(JSON.parse(readFileSync(schema, "utf8")));
const folder = scratch();
const MOST = { error: 20000, warning: 3500, note: 1000, none: 1000 };

/** Text that tries to leave its place in every format. */
const HOSTILE = [
  "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "javascript:alert(1)", "\u202ertl\u2066", "\u001b[31mred\u001b]8;;x\u0007",
  "=cmd|' /C calc'!A0", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "\"=1", "{{ 7*7 }}", "]]>", "-->", "\u0000\u000b\u0008", "\u2028\u2029\u0085\u009b",
  "\ufffe\uffff\ufdd0", "[text](https://evil.example)", "a,b;c\"d'e", "line\nbreak\r\nand\rmore", "&#x3c;script&lt;", "%00{0}", "`| a |`", "@team #12", "C:\\x\\y",
];

function read(run) {
  const text = (name) => readFileSync(join(run, name), "utf8");
  const lines = (name) => text(name).split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const manifest = JSON.parse(text("run.json"));
  return { run, manifest, text, cases: lines("cases.jsonl"), records: lines("records.jsonl") };
}

function findings({ cases, records }) {
  const of = new Map(cases.map((one) => [one.case_id, []]));
  for (const record of records) of.get(record.case_id).push(record);
  return cases.flatMap((one) => [
    ...one.findings.map((finding) => ({ one, claim: null, finding })),
    ...of.get(one.case_id).flatMap((claim) => claim.findings.map((finding) => ({ one, claim, finding }))),
  ]);
}

const fails = ({ finding }) => finding.severity === "error" && !finding.observed && !finding.overturned && !finding.known;

/** Reads findings.csv and holds it against the records. */
function csv(data) {
  const text = data.text("findings.csv");
  assert.ok(text.startsWith("\ufeffcase_id,claim_id,"), "a spreadsheet is told that it is UTF-8");
  assert.ok(text.endsWith("\r\n"));
  assert.ok(!/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(text), "no control character");
  const rows = parse(text, { bom: true, columns: true });
  const expected = findings(data);
  assert.equal(rows.length, expected.length, "one row per finding");
  rows.forEach((row, index) => {
    const { one, claim, finding } = expected[index];
    assert.equal(row.fingerprint, finding.fingerprint);
    assert.equal(row.rule, finding.rule);
    assert.equal(row.code, finding.code);
    assert.equal(row.severity, finding.observed ? "observed" : finding.severity);
    assert.equal(row.certainty, finding.certainty);
    assert.equal(row.line, String(one.line));
    assert.equal(row.label, claim === null ? "case" : (claim.label ?? row.label));
    assert.equal(row.stage, finding.stage ?? "");
    if (claim && finding.citation) {
      const cited = claim.citations.find((citation) => citation.id === finding.citation);
      assert.equal(row.excerpt_sha256, cited?.excerpt_sha256 ?? "");
      assert.equal(row.excerpt_start, cited?.excerpt ? String(cited.excerpt.start) : "");
    }
    for (const [name, cell] of Object.entries(row)) {
      assert.ok(cell.length <= 32767, `${name} is too long for a spreadsheet`);
      const bare = cell.replace(/^[\s"'`\u2018-\u201f]+/, "");
      const formula = /^[=+\-@\t\r＝＋－＠]/.test(bare) && !/^[-+]?\d+(\.\d+)?$/.test(cell);
      assert.ok(!formula || cell.startsWith("'"), `${name} may be calculated: ${JSON.stringify(cell.slice(0, 40))}`);
    }
  });
  const counts = {};
  for (const row of rows) counts[row.rule] = (counts[row.rule] ?? 0) + 1;
  assert.deepEqual(counts, data.manifest.findings);
  return rows;
}

/** Reads results.sarif, validates it, and holds it against records and gates. */
function sarif(data) {
  const log = JSON.parse(data.text("results.sarif"));
  assert.ok(isSarif(log), JSON.stringify(isSarif.errors?.slice(0, 5), null, 1));
  assert.equal(log.runs.length, 1);
  const [run] = log.runs;
  const { rules } = run.tool.driver;
  assert.ok(run.results.length <= 25000);
  const gates = run.results.filter((result) => result.ruleId.startsWith("gate/"));
  const results = run.results.filter((result) => !result.ruleId.startsWith("gate/"));
  const expected = findings(data);
  const level = ({ finding }) => (finding.observed ? "none" : finding.severity);
  const kept = [];
  const seen = { error: 0, warning: 0, note: 0 };
  for (const one of expected) {
    const cap = level(one) === "none" ? "note" : level(one);
    seen[cap] += 1;
    if (seen[cap] <= MOST[cap]) kept.push(one);
  }
  assert.equal(results.length, kept.length);
  results.forEach((result, index) => {
    const { one, claim, finding } = kept[index];
    assert.equal(result.ruleId, finding.rule);
    assert.equal(rules[result.ruleIndex].id, finding.rule);
    assert.equal(result.level, level(kept[index]));
    assert.equal(result.kind, finding.observed ? "informational" : "fail");
    assert.equal(result.partialFingerprints["citewardFingerprint/v1"], finding.fingerprint);
    assert.equal(result.suppressions !== undefined, Boolean(finding.overturned || finding.known));
    const [location] = result.locations;
    if (one.file.startsWith("<")) assert.equal(location.physicalLocation, undefined);
    else {
      const { uri, uriBaseId } = location.physicalLocation.artifactLocation;
      assert.match(uri, /^(file:\/\/\/)?[A-Za-z0-9\-._~/%]+$/);
      const path = decodeURIComponent(uri.replace(/^file:\/\//, ""));
      assert.equal(path, one.file.replace(/^(\.\/)+/, ""));
      assert.equal(uriBaseId, path.startsWith("/") ? undefined : "%SRCROOT%");
      assert.equal(location.physicalLocation.region.startLine, one.line);
    }
    assert.equal(result.properties.label, claim === null ? "case" : (claim.label ?? result.properties.label));
    assert.ok(!/\]\(/.test(result.message.text), "no link in a message");
  });
  const loud = data.manifest.gates.filter((gate) => gate.effect !== "pass");
  assert.equal(gates.length, loud.length);
  for (const gate of gates) {
    assert.equal(rules[gate.ruleIndex].id, gate.ruleId);
    assert.ok(gate.locations[0].physicalLocation || data.cases[0].file.startsWith("<"), "a gate has a place where there is any file");
  }
  for (const rule of rules) {
    assert.ok(rule.shortDescription.text.length > 0 && rule.shortDescription.text.length <= 1024);
    assert.ok(rule.fullDescription.text.length <= 1024);
    assert.ok(rule.help.text.length > 0 && rule.help.markdown.length > 0);
  }
  assert.equal(run.invocations[0].executionSuccessful, true);
  assert.equal(run.invocations[0].exitCode, data.manifest.verdict === "pass" ? 0 : 1);
  assert.equal(run.versionControlProvenance, undefined);
  return { run, results, gates, kept };
}

/** Reads junit.xml strictly and holds its counts against what it lists and against the run. */
function junit(data) {
  const text = data.text("junit.xml");
  assert.equal(XMLValidator.validate(text), true);
  assert.ok(!/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(text), "only characters of XML 1.0");
  assert.ok(!text.includes("<![CDATA[") && !text.includes("<!DOCTYPE"));
  const array = ["testsuite", "testcase", "property", "failure", "error", "skipped"];
  const reader = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "", parseAttributeValue: false, parseTagValue: false, isArray: (name, path, isLeaf, isAttribute) => !isAttribute && array.includes(name) });
  const { testsuites } = reader.parse(text);
  const sums = { tests: 0, failures: 0, errors: 0, skipped: 0 };
  const suites = testsuites.testsuite;
  const names = new Set();
  for (const suite of suites) {
    const tests = suite.testcase ?? [];
    const has = (key) => tests.filter((one) => one[key] !== undefined).length;
    const counts = { tests: tests.length, failures: has("failure"), errors: has("error"), skipped: has("skipped") };
    for (const [key, count] of Object.entries(counts)) {
      assert.equal(suite[key], String(count), `${suite.name}: ${key}`);
      sums[key] += count;
    }
    for (const one of tests) {
      assert.ok(one.name && one.classname && one.time === "0");
      names.add(JSON.stringify([one.classname, one.name]));
    }
  }
  for (const [key, sum] of Object.entries(sums)) assert.equal(testsuites[key], String(sum), key);
  assert.equal(names.size, sums.tests, "every test has a name of its own");
  const [gates, ...datasets] = suites;
  assert.equal(gates.name, "gates");
  assert.equal(gates.testcase.length, data.manifest.gates.length);
  assert.equal(gates.failures, String(data.manifest.gates.filter((gate) => gate.effect === "fail").length));
  assert.equal(datasets.length, data.manifest.datasets.length);
  const property = (suite, name) => suite.properties.property.find((one) => one.name === name)?.value;
  const failing = new Set(findings(data).filter(fails).map(({ one }) => one.case_id));
  assert.equal(failing.size, data.manifest.counts.failing_cases);
  const total = (name) => datasets.reduce((sum, suite) => sum + Number(property(suite, name) ?? 0), 0);
  assert.equal(total("failing-cases"), failing.size);
  assert.equal(total("cases"), data.manifest.counts.cases);
  assert.equal(total("passing-cases") + total("failing-cases") + total("broken-cases"), data.manifest.counts.cases);
  assert.equal(datasets.reduce((sum, suite) => sum + Number(suite.tests), 0) + total("cases-left-out"), total("failing-cases") + total("broken-cases"));
  if (data.manifest.verdict === "pass") assert.equal(sums.failures + sums.errors, 0, "a passing run turns no build red");
  return { testsuites, gates, datasets, property };
}

function all(run) {
  const data = read(run);
  const verified = citeward(["verify", run], { expect: [0] });
  assert.match(verified.stdout, /every file has its sum/);
  return { data, csv: csv(data), sarif: sarif(data), junit: junit(data) };
}

function check(name, args, options = {}) {
  const out = join(folder, name);
  citeward(["check", ...args, "--out", out, "--quiet"], options);
  return out;
}

let chrome;
before(async () => { chrome = await browser(); });
after(() => chrome.close());

/** What Chromium's XML reader makes of a JUnit file: how many tests, and whether it found an error. */
async function inBrowser(text) {
  const page = await chrome.newPage();
  const found = await page.evaluate((xml) => {
    const parsed = new DOMParser().parseFromString(xml, "application/xml");
    return { error: parsed.querySelector("parsererror")?.textContent ?? "", tests: parsed.querySelectorAll("testcase").length };
  }, text);
  await page.close();
  return found;
}

test("the shipped datasets, several at once, by the rules of a folder", async () => {
  const run = check("shipped", []);
  const { data, csv: rows, sarif: log, junit: tests } = all(run);
  assert.equal(data.manifest.datasets.length, 4);
  assert.deepEqual([...new Set(rows.map((row) => row.dataset))].sort(), ["atlas", "figures", "helpdesk-bad-release"]);
  const wrong = rows.find((row) => row.case_id === "pricing-de-03" && row.code === "number-conflicting");
  assert.equal(wrong.excerpt, "Ein Arbeitsbereich im Tarif Team enthält 100 GB Speicherplatz für Anhänge.");
  assert.equal(wrong.stage, "generation");
  assert.equal(wrong.dataset_version, "1.0.0");
  assert.match(wrong.slices, /(^|; )language=de(;|$)/);
  const result = log.results.find((one) => one.properties.anchor === wrong.anchor && one.properties.code === wrong.code);
  assert.match(result.message.text, /^The claim says “100 MB”, the cited evidence says “100 GB”\./);
  assert.equal(log.gates[0].locations[0].physicalLocation.artifactLocation.uri, "rules/60-gates.yaml");
  const bad = tests.datasets.find((suite) => suite.name === "helpdesk-bad-release 1.0.0");
  const failing = bad.testcase.find((one) => one.name === "pricing-de-03");
  assert.equal(failing.classname, "citeward.helpdesk-bad-release");
  assert.equal(failing.file, "datasets/helpdesk-bad-release/1.0.0/cases.jsonl");
  assert.equal(failing.line, "38");
  const seen = await inBrowser(data.text("junit.xml"));
  assert.deepEqual([seen.error, seen.tests], ["", Number(tests.testsuites.tests)]);
  // Links of the table lead into the page.
  const page = data.text("report.html");
  assert.ok(rows.filter((row) => row.state === "counts" && row.severity === "error").every((row) => page.includes(`id="${row.anchor}"`)));
});

test("a passing run whose gates allow failing cases leaves a build green", () => {
  const work = join(folder, "allowed");
  mkdirSync(join(work, "rules"), { recursive: true });
  cpSync(join(root, "datasets/figures/1.0.0/cases.jsonl"), join(work, "cases.jsonl"));
  for (const name of ["00-markers.yaml", "10-claims.yaml", "20-integrity.yaml", "30-coverage.yaml", "40-support.yaml", "50-slices.yaml"]) {
    cpSync(join(root, "rules", name), join(work, "rules", name));
  }
  cpSync(join(root, "rules/lexicons"), join(work, "rules/lexicons"), { recursive: true });
  writeFileSync(join(work, "rules/gates.yaml"), "version: 1\ngates:\n  - { id: most, metric: case_pass_rate, min: 0.1 }\n  - { id: seen, metric: stale_citation_rate, max: 0, on: { no_data: pass } }\n");
  citeward(["check", "cases.jsonl", "--quiet"], { cwd: work, expect: [0] });
  const { data, junit: tests, sarif: log } = all(join(work, "citeward-out"));
  assert.equal(data.manifest.verdict, "pass");
  assert.ok(data.manifest.counts.failing_cases > 0);
  assert.equal(tests.testsuites.failures, "0");
  assert.equal(tests.datasets[0].skipped, tests.datasets[0].tests);
  assert.match(tests.datasets[0].testcase[0].skipped[0].message, /^the gates allow it: /);
  // The two gates of the policy, before those of its rules.
  assert.deepEqual(tests.gates.testcase.slice(0, 2).map((one) => one.skipped !== undefined), [false, true]);
  assert.deepEqual(log.gates, []);
});

test("a passing run without a finding, by the built-in policy, from a file and from standard input", () => {
  const work = join(folder, "built-in");
  mkdirSync(work);
  const line = readFileSync(join(root, "datasets/atlas/1.0.0/cases.jsonl"), "utf8").split("\n")[0];
  writeFileSync(join(work, "one.jsonl"), `${line}\n`);
  citeward(["check", "one.jsonl", "--quiet"], { cwd: work });
  const fromFile = all(join(work, "citeward-out"));
  assert.equal(fromFile.csv.length, 0);
  assert.deepEqual(fromFile.sarif.results, []);
  // A gate of the built-in policy has no file: what fails is shown at the data.
  for (const gate of fromFile.sarif.gates) assert.equal(gate.locations[0].physicalLocation.artifactLocation.uri, "one.jsonl");
  const bad = readFileSync(join(root, "datasets/helpdesk-bad-release/1.0.0/cases.jsonl"));
  const program = process.env.CITEWARD_BIN ?? join(root, "target/debug/citeward");
  const ran = spawnSync(program, ["check", "-", "--out", "piped", "--quiet"], { cwd: work, input: bad });
  assert.equal(ran.status, 1, String(ran.stderr));
  const piped = all(join(work, "piped"));
  assert.ok(piped.csv.length > 50 && piped.csv.every((row) => row.file === "<stdin>"));
  assert.ok(piped.sarif.run.results.every((result) => result.locations[0].physicalLocation === undefined));
  assert.ok(piped.junit.datasets[0].testcase.every((one) => one.file === undefined));
});

test("findings that the baseline has are told from new ones", () => {
  const work = join(folder, "known");
  mkdirSync(work);
  cpSync(join(root, "rules"), join(work, "rules"), { recursive: true });
  writeFileSync(join(work, "rules/90-baseline.yaml"), "version: 1\nbaseline: { fail_on: new }\n");
  const lines = readFileSync(join(root, "datasets/helpdesk-bad-release/1.0.0/cases.jsonl"), "utf8").split("\n").filter(Boolean);
  writeFileSync(join(work, "cases.jsonl"), lines.slice(0, 60).join("\n"));
  citeward(["check", "cases.jsonl", "--quiet"], { cwd: work });
  citeward(["bless", "citeward-out", "--reason", "a start"], { cwd: work, expect: [0] });
  const baseline = JSON.parse(JSON.stringify(spawnSync("find", ["baselines", "-name", "*.json"], { cwd: work, encoding: "utf8" }).stdout.trim()));
  writeFileSync(join(work, "cases.jsonl"), lines.join("\n"));
  citeward(["check", "cases.jsonl", "--quiet", "--baseline", baseline], { cwd: work });
  const { sarif: log, csv: rows } = all(join(work, "citeward-out"));
  const states = new Set(log.results.map((result) => result.baselineState));
  assert.deepEqual([...states].sort(), ["new", "unchanged"]);
  rows.forEach((row) => assert.equal(row.new, row.state === "known" ? "no" : "yes"));
  assert.ok(log.results.every((result) => (result.baselineState === "unchanged") === (result.suppressions !== undefined)));
});

/** A case in which every text is one of the hostile ones. */
function hostile(index) {
  const text = (offset) => HOSTILE[(index + offset) % HOSTILE.length];
  const id = `${text(0)} id ${index}`;
  return {
    case_id: id, query: text(1), answer: `${text(2)} says 15 days and 99.5% of it [${text(3)}] [ev ${index}]. ${text(4)} 40 GB [S9].`, language: "en",
    claims: [
      { claim_id: text(5), text: `${text(6)} It takes 15 days, at 99.5%.`, citation_ids: [`ev ${index}`], required_terms: [text(8)], type: text(10) },
      { claim_id: `second ${index}`, text: `${text(9)} holds 40 GB.`, citation_ids: [text(7), "S9"] },
    ],
    sources: [{
      evidence_id: `ev ${index}`, source_id: text(11), source_version: text(12), title: text(13), canonical_uri: text(14), scope_id: text(15),
      locator: { [text(16)]: text(17) }, content: `${text(18)} It takes 14 days, at 98.5%. ${text(19)}`,
    }],
    allowed_scopes: [text(15)], meta: { intent: text(20), model: text(21), prompt_version: text(22) },
  };
}

test("hostile text in every field leaves no format broken", async () => {
  const work = join(folder, "hostile");
  mkdirSync(work);
  const lines = HOSTILE.map((_, index) => JSON.stringify(hostile(index)));
  // Half a surrogate pair, as JSON can write it, and texts of a megabyte.
  const long = hostile(3);
  long.case_id = "long";
  long.claims[0].text = `${"=x\u202e ".repeat(150000)} takes 15 days.`;
  long.sources[0].title = "]]>".repeat(350000);
  long.sources[0].content = `It takes 14 days. ${"<b>".repeat(350000)}`;
  lines.push(JSON.stringify(long));
  const file = "a b#c?d%e'f&g\"h\u202e.jsonl";
  writeFileSync(join(work, file), lines.join("\n") + "\n");
  cpSync(join(root, "rules"), join(work, "rules"), { recursive: true });
  citeward(["check", file, "--quiet"], { cwd: work, expect: [1] });
  const run = join(work, "citeward-out");
  const { data, csv: rows, sarif: log, junit: tests } = all(run);
  assert.equal(data.manifest.counts.cases, HOSTILE.length + 1);
  assert.ok(rows.length > HOSTILE.length, "there is something to show");
  assert.equal(log.results[0].locations[0].physicalLocation.artifactLocation.uri, encodeURIComponent(file).replace(/['()*!]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`));
  const seen = await inBrowser(data.text("junit.xml"));
  assert.deepEqual([seen.error, seen.tests], ["", Number(tests.testsuites.tests)]);
  for (const name of ["findings.csv", "results.sarif", "junit.xml"]) {
    const bytes = data.text(name);
    assert.ok(!/[\u0000\u000b\u001b\u202e\u2066\ufffe\uffff]/.test(bytes), `${name} holds a character that hides or steers`);
  }
  // Half a surrogate pair is no text: the line is refused or mended, and nothing that was written is broken.
  const half = lines[0].replace("id 0", "id half \\ud800");
  writeFileSync(join(work, "half.jsonl"), `${half}\n${lines[1]}\n`);
  citeward(["check", "half.jsonl", "--quiet", "--bad-lines", "skip", "--out", "half"], { cwd: work });
  all(join(work, "half"));
});

test("where only hashes may leave, no format holds a passage", () => {
  const run = check("hashes", ["helpdesk-bad-release", "--evidence", "hash-only"]);
  const { csv: rows, data } = all(run);
  assert.ok(rows.every((row) => row.excerpt === ""));
  assert.ok(rows.some((row) => row.excerpt_sha256 !== ""));
  for (const name of ["findings.csv", "results.sarif", "junit.xml"]) {
    assert.ok(!data.text(name).includes("enthält 100 GB Speicherplatz"), name);
  }
});

test("what is left out of a large file is counted and said", () => {
  const work = join(folder, "many");
  mkdirSync(work);
  const lines = [];
  for (let index = 0; index < 5200; index += 1) {
    const claims = [{ text: "Nothing.", citation_ids: ["a", "b", "c", "d"] }];
    lines.push(JSON.stringify({ case_id: `case-${index}`, answer: "Nothing.", claims, sources: [] }));
  }
  writeFileSync(join(work, "many.jsonl"), lines.join("\n"));
  mkdirSync(join(work, "rules"));
  writeFileSync(join(work, "rules/p.yaml"), "version: 1\nrules:\n  - { id: unknown-source, check: resolves }\n");
  citeward(["check", "many.jsonl", "--quiet"], { cwd: work, expect: [1] });
  const { csv: rows, sarif: log, junit: tests } = all(join(work, "citeward-out"));
  assert.equal(rows.length, 20800);
  assert.equal(log.results.length, 20000);
  const said = log.run.invocations[0].toolExecutionNotifications.map((one) => one.message.text).join("\n");
  assert.match(said, /800 of 20,800 errors are left out here/);
  assert.equal(tests.datasets[0].tests, "5000");
  assert.equal(tests.property(tests.datasets[0], "cases-left-out"), "200");
  assert.match(tests.datasets[0]["system-out"], /200 of 5,?200 cases at fault are left out/);
});

test("each format by itself is what check wrote", () => {
  const run = existsSync(join(folder, "shipped")) ? join(folder, "shipped") : check("shipped", []);
  for (const [format, name] of [["csv", "findings.csv"], ["sarif", "results.sarif"], ["junit", "junit.xml"]]) {
    assert.equal(citeward(["report", run, "--format", format], { expect: [0] }).stdout, readFileSync(join(run, name), "utf8"), name);
  }
});
