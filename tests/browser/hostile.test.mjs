// Every field that any format shows holds what an attacker could wish for: nothing runs, nothing is fetched, everything parses.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { parse } from "csv-parse/sync";
import { XMLValidator } from "fast-xml-parser";
import markdown from "markdown-it";
import { browser, citeward, lines, open, scratch } from "./browser.mjs";

/** What is put into every field, one case for each. What runs sets `window.hit` or opens a dialog. */
const payloads = {
  script: "<script>window.hit=1</script>",
  "script that ends another": "</script></style></title></textarea><script>window.hit=2</script>",
  handler: `"><img src=x onerror="window.hit=3">`,
  "single-quoted handler": "'><svg onload='window.hit=4'>",
  unquoted: "x onmouseover=window.hit=5 autofocus onfocus=window.hit=5 y",
  "script address": "javascript:window.hit=6//",
  "script address with white space": " java\tscript:window.hit=7",
  "data address": "data:text/html,<script>window.hit=8</script>",
  "Markdown link": "[click](javascript:window.hit=9) ![x](https://tracker.example/a.png) <https://tracker.example>",
  "Markdown blocks": "\n# head\n\n> quote\n\n- list\n\n```\ncode\n```\n| a | b |\n|---|---|\n<details open>",
  "template": "{{ 7*7 }}{% raw %}{# x #}${{ secrets.KEY }}${7*7}",
  "character references": "&#x3c;script>window.hit=10&#x3c;/script> &lt;b&gt; &amp;amp;",
  "ends of sections": "]]> --> *\/ <!-- <![CDATA[ ?> <?php",
  mentions: "@team #12 GH-12 owner/repo#12 www.tracker.example https://tracker.example/a",
  directions: "\u202ereversed\u202c \u2066isolate\u2069 \u200e\u200f",
  invisible: "zero\u200bwidth \ufeffmark \u2060joiner \u{e0041}tag",
  terminal: "\u001b[31mred\u001b[0m \u001b]8;;https://tracker.example\u0007link\u001b]8;;\u0007 \u009b2J",
  controls: "nul\u0000 tab\u000b feed\u000c bell\u0007 delete\u007f next\u0085 last\uffff",
  "line separators": "one\u2028two\u2029three\rfour\r\nfive\nsix",
  "workflow commands": "\n::error title=planted::planted\n::stop-commands::planted\n%0A::warning::planted",
  "formula": "=cmd|' /C calc'!A0",
  "plus formula": "+1+cmd|' /C calc'!A0",
  "full-width formula": "＝1+1",
  "formula behind white space": "\t=HYPERLINK(\"https://tracker.example\")",
  "ticks and pipes": "`a``b``` | c | \\| d ~~~ $$x$$",
  quotes: `"quoted","cells";'single'`,
  astral: "👩‍👩‍👧 \u{10abcd} \u{1f9fe}",
};
const every = Object.values(payloads).join(" ");
/** The same without what a YAML file may not hold. */
const written = [...every].filter((c) => c === " " || !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufeff\uffff]/u.test(c)).join("");

/** What no output shows as it is: it steers a terminal, turns the direction, hides, or is no character. */
const steering = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff\ufffe\uffff\u{e0041}]/u;

/** A case whose every field holds the text: a claim that its source contradicts, one whose source nobody has, one that nothing cites. */
function hostile(name, text, at) {
  const unit = (id, content) => ({
    evidence_id: id, source_id: `source ${text}`, source_version: `2 ${text}`, source_type: `type ${text}`,
    locator: { [`section ${text}`]: text, paragraph: 4 }, title: `title ${text}`, canonical_uri: text.trim() || "x", scope_id: "ours", content,
  });
  const closed = { ...unit(`closed ${text}`, `Withheld ${text} 44 days.`), scope_id: `theirs ${text}` };
  return {
    case_id: `case ${at} ${text}`, query: `Why ${text}?`, answer: `It takes 45 days ${text} [S1]. Nobody knows ${text} [S9].`,
    language: "en", meta: { intent: `intent ${text}` }, allowed_scopes: ["ours"],
    claims: [
      { claim_id: `c1 ${text}`, text: `It takes 45 days ${text}.`, type: `type ${text}`, citations: [{ id: `S1 ${text}`, source_version: `1 ${text}` }] },
      { claim_id: `c2 ${text}`, text: `Nobody knows 12 things ${text}.`, citation_ids: [`unknown ${text}`] },
      { claim_id: `c3 ${text}`, text: `It costs 10 euros ${text}.`, citation_ids: [] },
      { claim_id: `c4 ${text}`, text: `It takes 44 days ${text}.`, citation_ids: [closed.evidence_id] },
    ],
    sources: [unit(`S1 ${text}`, `It takes 30 days ${text}.`), unit(`S2 ${text}`, `It takes 45 days ${text}, elsewhere.`), closed],
    expected: { [`c1 ${text}`]: "supported" },
  };
}

const policy = {
  version: 1,
  claims: { from: "case" },
  markers: [{ id: "any", description: written, pattern: "\\[(?<ref>S[0-9]+)\\]" }],
  rules: [
    { id: "unknown-source", description: written, check: "resolves", message: `{{ message }} ${written.replaceAll("{", "(")} of {{ case_id }} {{ claim_id }} {{ claim }} {{ id }}` },
    { id: "uncited-claim", check: "cited" },
    { id: "other-scope", check: "scope" },
    { id: "stale-version", check: "source-version" },
    { id: "number-not-in-evidence", check: "numbers" },
    { id: "facts-found", check: "facts-found", establishes: "supported" },
  ],
  slices: [{ id: "intent", field: "meta.intent" }, { id: "type", field: "claim.type" }, { id: "source_type", field: "source.type" }],
  gates: [{ id: "defects", description: written, metric: "defect_rate", max: 0, by: ["intent"] }, { id: "all-defects", metric: "defect_rate", max: 0 }],
  owners: Object.fromEntries(["data", "retrieval", "citation", "generation", "rendering", "judge"].map((stage) => [stage, `team ${written}`])),
};

/** A file name that is as hostile as the disk allows. */
const fileName = `a "><img src=x onerror=window.hit=20> [x](javascript:window.hit=21) @team #12 | \`b\` {{ 7*7 }} \u202e\u001b[31m =1+1 &lt;.jsonl`;

let chrome, folder, run, printed;

before(async () => {
  chrome = await browser();
  folder = scratch();
  mkdirSync(join(folder, "rules"));
  writeFileSync(join(folder, "rules", "policy.yaml"), JSON.stringify(policy));
  const cases = Object.entries(payloads).map(([name, text], at) => hostile(name, text, at));
  writeFileSync(join(folder, fileName), cases.map((one) => JSON.stringify(one)).join("\n"));
  const check = (out, ...more) => citeward(["check", `./${fileName}`, "--out", out, ...more], { cwd: folder, expect: [1] });
  check("first");
  citeward(["bless", "first"], { cwd: folder });
  // Reviewers' decisions on a claim of every case, with hostile reviewers and reasons, and one on a case that is not there.
  const decided = lines(join(folder, "first/records.jsonl")).filter((record) => record.claim_id.startsWith("c1")).map((record, at) => ({
    case_id: record.case_id, claim_id: record.claim_id, claim_sha256: record.claim_sha256, evidence_sha256: record.evidence_sha256,
    label: at % 2 ? "supported" : "contradicted", reviewer: `reviewer ${Object.values(payloads)[at]}`, reason: `because ${Object.values(payloads)[at]}`, date: "2026-05-04",
  }));
  decided.push({ ...decided[0], case_id: `gone ${every}`, claim_id: `c1 ${every}` });
  writeFileSync(join(folder, "decisions.jsonl"), decided.map((one) => JSON.stringify(one)).join("\n"));
  const baseline = join("baselines", readdirSync(join(folder, "baselines"))[0]);
  // An earlier run in a folder whose name is as hostile, and a register that knows of every source.
  cpSync(join(folder, "first"), join(folder, "history", `1 ${fileName}`), { recursive: true });
  const register = Object.values(payloads).map((text, at) => ({ id: `S1 ${text}`, version: `3 ${text}`, scope: `theirs ${text}`, status: ["current", "superseded", "deleted", "restricted"][at % 4] }));
  writeFileSync(join(folder, "sources.jsonl"), register.map((one) => JSON.stringify(one)).join("\n"));
  const more = ["--baseline", baseline, "--today", "2026-06-01", "--history", "history", "--sources", "sources.jsonl"];
  printed = { text: check("run", ...more), github: check("run-github", ...more, "--format", "github"), json: check("run-json", ...more, "--format", "json") };
  run = join(folder, "run");
});
after(() => chrome?.close());

/** What stands in a page that is not text: elements, attributes and addresses. */
const made = (page) => page.evaluate(() => {
  const elements = [...document.querySelectorAll("*")];
  const attributes = elements.flatMap((at) => [...at.attributes].map((own) => [at.tagName.toLowerCase(), own.name, own.value]));
  return {
    tags: [...new Set(elements.map((at) => at.tagName.toLowerCase()))].sort(),
    counts: Object.fromEntries(["script", "style", "link", "meta", "img", "iframe", "object", "embed", "base", "form"].map((tag) => [tag, document.getElementsByTagName(tag).length])),
    names: [...new Set(attributes.map(([, name]) => name))].sort(),
    addresses: [...new Set(attributes.filter(([, name]) => /^(href|src|action|formaction|xlink:href|srcset|poster|background)$/.test(name)).map(([tag, name, value]) => `${tag} ${name} ${value.startsWith("#") ? "#" : value}`))].sort(),
    anchors: attributes.filter(([, name]) => name === "id").map(([, , value]) => value),
    // The page itself joins a pair's number to its text with a word joiner.
    text: document.documentElement.textContent.replace(/([\u2460-\u2473\u3251-\u32bf])\u2060/g, "$1") + attributes.map(([, , value]) => value).join(" "),
    hit: window.hit ?? null,
  };
});

const quiet = { console: [], errors: [], requests: [], dialogs: [] };

/** Addresses that the data gives as a source and that may be links: whole, absolute, http or https. */
const isLink = (uri) => /^https?:\/\/[^\s<>"]+$/.test(uri);

test("no markup of the page comes from data, and nothing runs, with the page's policy and without", async () => {
  const bare = join(folder, "bare.html");
  const html = readFileSync(join(run, "report.html"), "utf8");
  assert.ok(!steering.test(html.replaceAll("\u200f", "").replaceAll("\u200e", "")), `the file holds ${steering.exec(html)?.[0].codePointAt(0).toString(16)}`);
  const without = html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "");
  assert.notEqual(without, html);
  writeFileSync(bare, without);
  // The clean report of the same policy is what the page makes by itself.
  const harmless = Object.keys(payloads).map((name, at) => hostile(name, `plain ${at}`, at));
  const plain = harmless.map((one) => JSON.stringify({ ...one, sources: one.sources.map((unit) => ({ ...unit, canonical_uri: "https://kb.example/a" })) }));
  writeFileSync(join(folder, "clean.jsonl"), [plain[0].replace("45 days", "46 days"), ...plain.slice(1)].join("\n"));
  mkdirSync(join(folder, "clean-history"));
  citeward(["check", "clean.jsonl", "--out", "clean-history/first", "--baseline", "none", "--quiet"], { cwd: folder, expect: [1] });
  writeFileSync(join(folder, "clean.jsonl"), plain.join("\n"));
  citeward(["check", "clean.jsonl", "--out", "clean", "--baseline", "none", "--history", "clean-history", "--quiet"], { cwd: folder, expect: [1] });
  const clean = await open(chrome, join(folder, "clean/report.html"));
  assert.ok(await clean.page.locator("#trend figure").first().isVisible());
  const expected = await made(clean.page);
  await clean.close();

  for (const file of [join(run, "report.html"), bare]) {
    const { page, heard, close } = await open(chrome, file);
    const found = await made(page);
    // Reviews and flips are not in the clean run; they bring no element that other tables do not have.
    assert.deepEqual(found.tags.filter((tag) => !expected.tags.includes(tag)), []);
    assert.deepEqual(found.names.filter((name) => !expected.names.includes(name)), []);
    assert.deepEqual(found.names.filter((name) => /^on|^style$|^srcdoc$|^formaction$/.test(name)), []);
    assert.deepEqual({ ...found.counts, meta: 0 }, { ...expected.counts, meta: 0 });
    assert.deepEqual(found.addresses.filter((own) => !expected.addresses.includes(own) && !isLink(own.split(" ").slice(2).join(" "))), []);
    assert.ok(found.anchors.every((id) => /^[A-Za-z0-9_.~-]+$/.test(id)), `${found.anchors}`);
    assert.equal(new Set(found.anchors).size, found.anchors.length, "every anchor is there once");
    assert.ok(!steering.test(found.text), `the page shows ${steering.exec(found.text)?.[0].codePointAt(0).toString(16)}`);
    assert.equal(found.hit, null);
    assert.deepEqual(heard, quiet);
    await close();
  }
});

test("using the page with hostile data runs nothing either, and what was written can be read", async () => {
  const { page, heard, url, close } = await open(chrome, join(run, "report.html"));
  const ids = await page.$$eval("#findings article", (articles) => articles.map((article) => article.id));
  assert.ok(ids.length > Object.keys(payloads).length);
  for (const id of ids.filter((_, at) => at % 7 === 0)) {
    await page.goto(`${url}#${id}`);
    assert.ok(await page.locator(`[id="${id}"]`).isVisible());
  }
  const all = await page.locator("#findings").evaluate((section) => section.textContent);
  for (const [name, text] of Object.entries(payloads)) {
    const seen = text.split(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uffff]/u).filter((part) => part.trim()).map((part) => part.replace(/ +/g, " ").trim());
    const missing = seen.filter((part) => !all.replace(/\s+/g, " ").includes(part));
    assert.deepEqual(missing, [], `${name} is shown as it was written`);
  }
  for (const field of ["rule", "slice", "stage", "label"]) {
    for (const value of await page.$$eval(`#f-${field} option`, (options) => options.map((option) => option.value))) await page.locator(`#f-${field}`).selectOption(value);
    await page.locator(`#f-${field}`).selectOption("");
  }
  for (const link of (await page.locator("a.to").all()).slice(0, 12)) if (await link.isVisible()) await link.click();
  await page.locator("#findings form [type=reset]").click();
  for (const text of [payloads.script, payloads.handler, payloads.unquoted]) {
    await page.locator("#f-q").fill(text);
    await page.goto(`${url}?q=${encodeURIComponent(text)}&rule=${encodeURIComponent(text)}&slice=${encodeURIComponent(text)}#${encodeURIComponent(text)}`);
    await page.goto(`${url}?__proto__=1&constructor=1&label=%E0%A4%A#%E0%A4%A`);
  }
  // Every link inside the page leads to the page; every other is an address of the web.
  const links = await page.$$eval("a", (all) => all.map((a) => [a.protocol, a.getAttribute("href"), a.rel]));
  for (const [protocol, href, rel] of links) assert.ok(href.startsWith("#") || /^https?:$/.test(protocol) && /noopener/.test(rel) && /noreferrer/.test(rel), href);
  assert.equal(await page.evaluate(() => window.hit ?? null), null);
  assert.deepEqual(heard, quiet);
  await close();
});

test("the Markdown report is text for every renderer", async () => {
  const report = readFileSync(join(run, "report.md"), "utf8");
  assert.ok(Buffer.byteLength(report) <= 60_000);
  assert.ok(!steering.test(report.replaceAll("&#8203;", "")));
  // A renderer that allows HTML and makes links of everything that looks like one.
  const html = markdown({ html: true, linkify: true }).render(report);
  const file = join(folder, "markdown.html");
  writeFileSync(file, `<!doctype html><meta charset="utf-8"><body>${html}`);
  const { page, heard, close } = await open(chrome, file);
  const found = await made(page);
  assert.equal(found.hit, null);
  assert.deepEqual(heard, quiet);
  assert.deepEqual(found.names.filter((name) => !["charset", "class", "open", "style", "href", "start"].includes(name)), []);
  assert.deepEqual(found.tags.filter((tag) => /^(img|script|svg|iframe|form|input|object|base|textarea|title)$/.test(tag)), []);
  assert.deepEqual(found.addresses.filter((own) => !/^a href (report\.html|#)/.test(own)), []);
  const styles = await page.$$eval("[style]", (all) => all.map((at) => `${at.tagName} ${at.getAttribute("style")}`).filter((own) => !/^T[HD] text-align:(left|right|center)$/.test(own)));
  assert.deepEqual(styles, []);
  // Outside of code nothing is a mention or a reference that a forge would act on.
  const prose = await page.evaluate(() => { document.querySelectorAll("code").forEach((code) => code.remove()); return document.body.textContent; });
  assert.ok(prose.length > 1_000);
  assert.doesNotMatch(prose, /@team|#12\b|GH-12|:\/\/tracker|www\.tracker/);
  // Every row of a table has as many cells as its head.
  const uneven = await page.$$eval("table", (tables) => tables.flatMap((table) => [...table.rows].filter((row) => row.cells.length !== table.rows[0].cells.length).map((row) => row.textContent)));
  assert.deepEqual(uneven, []);
  await close();
});

test("what is printed steers no terminal and no workflow", () => {
  for (const [format, { stdout, stderr }] of Object.entries(printed)) {
    const said = stdout + stderr;
    assert.ok(said.length > 100);
    if (format === "json") JSON.parse(stdout);
    else assert.ok(!steering.test(said), `${format} prints ${steering.exec(said)?.[0].codePointAt(0).toString(16)}`);
    assert.ok(!said.includes("\u001b"));
  }
  const commands = printed.github.stdout.split("\n").filter((line) => line.startsWith("::"));
  assert.ok(commands.length > 3);
  for (const command of commands) {
    assert.match(command, /^::(error|warning|notice) /);
    assert.doesNotMatch(command, /^::\w+ [^:]*title=planted/);
  }
  const [record] = lines(join(run, "records.jsonl")).filter((record) => record.findings.length);
  const explained = citeward(["explain", "run", record.case_id], { cwd: folder });
  assert.ok(!steering.test(explained.stdout + explained.stderr));
});

test("every file of the run folder is read back by a strict reader of its format", async () => {
  const names = readdirSync(run);
  for (const name of ["run.json", "cases.jsonl", "records.jsonl", "outline.jsonl", "review.jsonl", "report.html", "report.md", "SHA256SUMS"]) assert.ok(names.includes(name), name);
  for (const name of names.filter((name) => name.endsWith(".jsonl"))) lines(join(run, name));
  for (const name of names.filter((name) => /\.(json|sarif)$/.test(name))) JSON.parse(readFileSync(join(run, name), "utf8"));
  for (const name of names.filter((name) => name.endsWith(".xml"))) {
    const xml = readFileSync(join(run, name), "utf8");
    assert.equal(XMLValidator.validate(xml), true, name);
    assert.ok(!steering.test(xml.replaceAll("\u200f", "").replaceAll("\u200e", "")), name);
    const { page, close } = await open(chrome, join(folder, "bare.html"));
    assert.equal(await page.evaluate((xml) => new DOMParser().parseFromString(xml, "application/xml").querySelector("parsererror")?.textContent ?? "", xml), "");
    await close();
  }
  for (const name of names.filter((name) => name.endsWith(".csv"))) {
    const rows = parse(readFileSync(join(run, name)), { bom: true, relax_column_count: false });
    assert.ok(rows.length > Object.keys(payloads).length);
    const steers = rows.flat().filter((cell) => /^\s*[=+\-@＝＋－＠]/.test(cell) && !/^-?[\d.]+$/.test(cell) || steering.test(cell));
    assert.deepEqual(steers, []);
  }
  citeward(["verify", "run"], { cwd: folder, expect: [0] });
});

test("texts of a million characters in every field are cut in what people read, and counted", async () => {
  const long = "<img src=x onerror=window.hit=30>" + "x".repeat(1 << 20);
  const base = () => ({ case_id: "x", query: "Why?", answer: "It takes 45 days [S1].", claims: [{ claim_id: "c1", text: "It takes 45 days.", citation_ids: ["S1"] }], sources: [{ evidence_id: "S1", source_id: "s", source_version: "1", title: "t", canonical_uri: "https://kb.example/a", locator: { section: "s" }, content: "It takes 30 days." }], meta: { intent: "i" } });
  const fields = {
    case_id: (one) => { one.case_id = long; }, query: (one) => { one.query = long; }, answer: (one) => { one.answer += long; }, claim_id: (one) => { one.claims[0].claim_id = long; },
    claim: (one) => { one.claims[0].text += long; }, cited: (one) => { one.claims[0].citation_ids = [long]; }, evidence_id: (one) => { one.sources[0].evidence_id = long; },
    source_id: (one) => { one.sources[0].source_id = long; }, version: (one) => { one.sources[0].source_version = long; }, title: (one) => { one.sources[0].title = long; },
    uri: (one) => { one.sources[0].canonical_uri += long; }, locator: (one) => { one.sources[0].locator.section = long; }, content: (one) => { one.sources[0].content += long; },
    slice: (one) => { one.meta.intent = long; },
  };
  const cases = Object.entries(fields).map(([name, change]) => { const one = { ...base(), case_id: name }; change(one); return JSON.stringify(one); });
  writeFileSync(join(folder, "long.jsonl"), cases.join("\n"));
  citeward(["check", "long.jsonl", "--out", "long", "--baseline", "none", "--quiet"], { cwd: folder, expect: [1] });
  const manifest = JSON.parse(readFileSync(join(folder, "long/run.json"), "utf8"));
  assert.equal(manifest.counts.cases, cases.length);
  assert.ok(statSync(join(folder, "long/report.html")).size < 5_000_000);
  assert.ok(statSync(join(folder, "long/report.md")).size <= 60_000);
  const { page, heard, close } = await open(chrome, join(folder, "long/report.html"));
  const found = await made(page);
  assert.equal(found.counts.script, 1);
  assert.equal(found.counts.img, 0);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, "a long word moves nothing sideways");
  assert.deepEqual(heard, quiet);
  await close();
});

test("a lone surrogate is refused with its place, or skipped and counted", () => {
  writeFileSync(join(folder, "lone.jsonl"), `${JSON.stringify({ case_id: "whole", answer: "It takes 45 days." })}\n{"case_id":"half \\ud800","answer":"\\ud800 [S1]"}\n`);
  const refused = citeward(["check", "lone.jsonl", "--out", "lone"], { cwd: folder, expect: [2] });
  assert.match(refused.stderr, /lone\.jsonl:2/);
  assert.ok(!existsSync(join(folder, "lone")));
  citeward(["check", "lone.jsonl", "--out", "lone", "--bad-lines", "skip", "--quiet"], { cwd: folder, expect: [0, 1] });
  const manifest = JSON.parse(readFileSync(join(folder, "lone/run.json"), "utf8"));
  assert.equal(manifest.datasets[0].skipped_lines, 1);
});
