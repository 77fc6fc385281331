// What templates are given is what its schema says, for runs of every kind; and report.md is read by a Markdown reader.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import MarkdownIt from "markdown-it";
import { browser, citeward, open, root, scratch } from "./browser.mjs";

const folder = scratch();
const hostile = "<script>alert(1)</script>\"><img src=x onerror=alert(1)> | **b** [x](javascript:alert(1)) @team #12 GH-12 " +
  "https://evil.example www.evil.example `x` {{ 7*7 }} \u202e \u001b[31m # head";
const runs = {};
let chrome;

function run(name, args, options) {
  runs[name] = join(folder, name);
  citeward(["check", ...args, "--out", runs[name]], options);
}

before(async () => {
  chrome = await browser();
  run("fail", ["helpdesk-bad-release"], { expect: [1] });
  run("pass", ["helpdesk-good-release"], { expect: [0] });
  run("hash-only", ["helpdesk-bad-release", "--evidence", "hash-only"], { expect: [1] });
  run("figures", ["figures"]);
  const quiet = join(folder, "quiet.jsonl");
  writeFileSync(quiet, JSON.stringify({ case_id: "a", answer: "Nothing to cite here.", claims: [] }) + "\n");
  run("nothing", [quiet]);
  const nasty = join(folder, "nasty.jsonl");
  const unit = { evidence_id: "e1", title: hostile, canonical_uri: "javascript:alert(1)", source_version: hostile, scope_id: hostile,
    locator: { [hostile]: hostile }, content: "Logs are kept for 30 days. " + hostile };
  writeFileSync(nasty, JSON.stringify({ case_id: hostile, query: hostile, language: hostile, meta: { intent: hostile },
    answer: `Logs are kept for 90 days [e1]. ${hostile} [zz]`, sources: [unit],
    claims: [{ claim_id: hostile, text: "Logs are kept for 90 days. " + hostile, citation_ids: ["e1", hostile] }] }) + "\n");
  run("hostile", [nasty], { expect: [1] });
});
after(() => chrome?.close());

test("the view of every run is what the schema says, key by key", () => {
  const schema = JSON.parse(citeward(["schema", "report-view"]).stdout);
  assert.deepEqual(schema, JSON.parse(readFileSync(join(root, "docs/report-view.schema.json"), "utf8")));
  const validate = new Ajv({ strict: true, strictTypes: false, allErrors: true, allowUnionTypes: true }).compile(schema);
  const views = Object.fromEntries(Object.entries(runs).map(([name, path]) =>
    [name, JSON.parse(citeward(["report", path, "--format", "json"]).stdout)]));
  for (const [name, view] of Object.entries(views)) {
    assert.ok(validate(view), `${name}: ${JSON.stringify(validate.errors?.slice(0, 5), null, 1)}`);
  }
  assert.equal(views.fail.verdict.kind, "fail");
  assert.equal(views.pass.verdict.kind, "pass");
  // The schema can refuse: a key more, a word that is none, a key less.
  const broken = (change) => { const view = structuredClone(views.fail); change(view); return validate(view); };
  assert.equal(broken((view) => { view.gates[0].later = 1; }), false);
  assert.equal(broken((view) => { view.gates[0].verdict = "failed"; }), false);
  assert.equal(broken((view) => { delete view.verdict.sentence; }), false);
});

/** The Markdown as GitHub's dialect has it: HTML is let through, so that what came from data would show. */
const rendered = (text) => new MarkdownIt({ html: true, linkify: true }).render(text);

test("report.md is Markdown in which nothing comes from data but text", async () => {
  for (const [name, path] of Object.entries(runs)) {
    const text = readFileSync(join(path, "report.md"), "utf8");
    assert.ok([...text].length <= 60000, name);
    const file = join(folder, `${name}.html`);
    writeFileSync(file, `<!doctype html><meta charset="utf-8"><title>${name}</title><body style="font:16px sans-serif;max-width:1000px">` +
      rendered(text));
    const { page, heard, close } = await open(chrome, file);
    assert.deepEqual(heard, { console: [], errors: [], requests: [], dialogs: [] }, name);
    const found = await page.evaluate(() => ({
      live: document.querySelectorAll("script, img, iframe, a, [onerror], h1").length,
      // Every row of a table has as many cells as its head.
      ragged: [...document.querySelectorAll("table")].filter((table) =>
        [...table.rows].some((row) => row.cells.length !== table.rows[0].cells.length)).length,
      unread: [...document.querySelectorAll("p")].filter((p) => /^\|.*\|/m.test(p.textContent)).length,
      heads: [...document.querySelectorAll("h2, h3")].map((head) => head.textContent),
    }));
    assert.deepEqual([found.live, found.ragged, found.unread], [0, 0, 0], `${name} ${JSON.stringify(found)}`);
    assert.ok(found.heads[0].match(/PASS|FAIL|NOT JUDGED/), name);
    if (name === "fail") {
      assert.ok(found.heads.includes("Failing claims"), JSON.stringify(found.heads));
      assert.match(text, /stage: /);
      assert.match(text, /sha256:[0-9a-f]{12}/);
      if (process.env.CITEWARD_SHOTS) await page.screenshot({ path: join(process.env.CITEWARD_SHOTS, "md.png"), fullPage: true });
    }
    await close();
  }
});

test("a run is rendered again to the same bytes", () => {
  const again = join(folder, "again");
  citeward(["report", runs.fail, "--out", again]);
  for (const name of ["report.html", "report.md"]) {
    assert.equal(readFileSync(join(again, name), "utf8"), readFileSync(join(runs.fail, name), "utf8"), name);
  }
});

test("the example templates render", () => {
  for (const [name, first] of [["release-note.txt", /^FAIL/], ["sign-off.html", /^<!doctype html>/]]) {
    const { stdout } = citeward(["report", runs.fail, "--template", join(root, "docs/examples/templates", name)]);
    assert.match(stdout, first);
    assert.ok(!stdout.includes("<script"), name);
  }
});
