// A run with more than ten thousand findings: the page stays small, says what it leaves out, and goes on to answer at once.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browser, citeward, lines, open, scratch } from "./browser.mjs";

const CASES = 3_600;

const policy = {
  version: 1,
  claims: { from: "case" },
  rules: [
    { id: "unknown-source", check: "resolves" },
    { id: "uncited-claim", check: "cited" },
    { id: "number-not-in-evidence", check: "numbers" },
    { id: "rare-fault", check: "source-version" },
  ],
  slices: [{ id: "intent", field: "meta.intent" }],
  gates: [{ id: "defects", metric: "defect_rate", max: 0, by: ["intent"] }],
};

/** A case with three wrong claims; every tenth has an answer and a passage of some hundred words. */
function wrong(at) {
  const filler = `Part ${at} of the handbook explains how requests are written, who reads them, and what happens when nobody does. `.repeat(at % 10 ? 1 : 12);
  return {
    case_id: `case-${at}`, query: `How long does request ${at} take?`, language: "en", meta: { intent: `intent ${at % 12}` },
    answer: `${filler}Request ${at} takes 45 days [S1]. Form ${at} has 12 pages [S9]. Fee ${at} is 10 euros.`,
    claims: [
      { text: `Request ${at} takes 45 days.`, citations: [{ id: "S1", ...(at === 3_001 ? { source_version: "1" } : {}) }] },
      { text: `Form ${at} has 12 pages.`, citation_ids: ["S9"] },
      { text: `Fee ${at} is 10 euros.`, citation_ids: [] },
    ],
    sources: [{ evidence_id: "S1", source_id: `kb-${at}`, source_version: "2", title: `Handbook, part ${at}`, content: `${filler}Request ${at} takes 30 days.` }],
  };
}

let chrome, run, report, manifest, total;

before(async () => {
  chrome = await browser();
  const folder = scratch();
  mkdirSync(join(folder, "rules"));
  writeFileSync(join(folder, "rules", "policy.yaml"), JSON.stringify(policy));
  writeFileSync(join(folder, "cases.jsonl"), Array.from({ length: CASES }, (_, at) => JSON.stringify(wrong(at))).join("\n"));
  citeward(["check", "cases.jsonl", "--out", "run", "--quiet"], { cwd: folder, expect: [1] });
  run = join(folder, "run");
  report = join(run, "report.html");
  manifest = JSON.parse(readFileSync(join(run, "run.json"), "utf8"));
  total = Object.values(manifest.findings).reduce((sum, count) => sum + count, 0);
});
after(() => chrome?.close());

const quiet = { console: [], errors: [], requests: [], dialogs: [] };
const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

test("the page is under five million bytes, and what it leaves out is said and adds up", async () => {
  assert.ok(total >= 10_000, `${total} findings`);
  assert.ok(statSync(report).size < 5_000_000, `${statSync(report).size} bytes`);
  assert.ok(statSync(join(run, "report.md")).size <= 60_000);
  const { page, heard, close } = await open(chrome, report);
  const records = new Map(lines(join(run, "records.jsonl")).map((record) => [`c-${record.case_id}.${record.claim_id}`, record]));
  const shown = await page.$$eval("#findings article", (articles) => articles.map((article) => article.id));
  assert.ok(shown.length >= 100, `${shown.length} claims are shown`);
  const findings = shown.reduce((sum, id) => sum + records.get(id).findings.length, 0);
  const lede = (await page.locator("#findings .lede").first().innerText()).replace(/\s+/g, " ");
  for (const count of [findings, total]) assert.ok(lede.includes(grouped(count)), `${grouped(count)} stands in: ${lede}`);
  const numbers = [...lede.matchAll(/\d[\d,]*/g)].map(([number]) => Number(number.replaceAll(",", "")));
  assert.ok(numbers.includes(total - findings) || numbers.some((one, at) => numbers.slice(at + 1).some((sum, next) => numbers.slice(at, at + next + 2).reduce((a, b) => a + b, 0) === total - findings)), `what is left out, ${total - findings}, is said: ${lede}`);
  assert.match(lede, /findings\.csv/);
  // Every rule is there, however rare: the one finding among ten thousand too.
  assert.equal(manifest.findings["rare-fault"], 1);
  assert.ok(shown.some((id) => records.get(id).findings.some((finding) => finding.rule === "rare-fault")), "no rule is hidden by another");
  // Groups count all findings, those that are left out too.
  assert.equal(manifest.findings["unknown-source"], CASES);
  const groups = (await page.locator("#clusters li", { hasText: "unknown-source" }).first().innerText()).replace(/\s+/g, " ");
  assert.match(groups, new RegExp(`\\b(${CASES}|${grouped(CASES)})\\b`));
  // A link to what is left out says so.
  const gone = [...records.keys()].find((id) => !shown.includes(id));
  await page.goto(`${page.url().split(/[?#]/)[0]}#${gone}`);
  await page.waitForFunction(() => /findings\.csv/.test(document.querySelector("#findings [role=status]").textContent));
  assert.deepEqual(heard, quiet);
  await close();
});

test("filtering touches only what changes, and a key press costs a fraction of opening the page", async () => {
  const { page, close } = await open(chrome, report);
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const spent = async () => Object.fromEntries((await client.send("Performance.getMetrics")).metrics.map(({ name, value }) => [name, value]));
  const settled = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 200)))));
  await settled();
  const opening = await spent();
  const rows = await page.locator("#findings article").count();
  await page.locator("#f-q").focus();
  let before = await spent();
  const typed = "request 1";
  for (const key of typed) { await page.keyboard.press(key === " " ? "Space" : key); await settled(); }
  let after = await spent();
  const perKey = (name) => (after[name] - before[name]) / typed.length;
  // Layout is asked for a few times per key, not once per row: a row that is measured between two changes forces one each.
  assert.ok(perKey("LayoutCount") < 12, `${perKey("LayoutCount")} layouts per key with ${rows} rows`);
  assert.ok(perKey("RecalcStyleCount") < 20, `${perKey("RecalcStyleCount")} style passes per key`);
  // Held against opening the same page on the same machine, whatever it is doing beside.
  const work = (at) => at.ScriptDuration + at.LayoutDuration + at.RecalcStyleDuration;
  assert.ok((work(after) - work(before)) / typed.length < Math.max(work(opening), 0.5), `${(work(after) - work(before)) / typed.length} s per key, ${work(opening)} s to open`);

  // Where most rows come or go it is no more.
  for (const rule of ["rare-fault", "uncited-claim", ""]) {
    before = await spent();
    await page.locator("#f-rule").selectOption(rule);
    await settled();
    after = await spent();
    assert.ok(after.LayoutCount - before.LayoutCount < 25, `${after.LayoutCount - before.LayoutCount} layouts to filter ${rows} rows`);
  }
  // Typing what changes nothing changes no row, neither one that is shown nor one that is hidden.
  await page.locator("#f-rule").selectOption("uncited-claim");
  await page.locator("#f-q").fill("request");
  await settled();
  const touched = await page.evaluate(async () => {
    let changes = 0;
    const watch = new MutationObserver((all) => { changes += all.length; });
    watch.observe(document.querySelector("#findings ol"), { subtree: true, attributes: true, childList: true });
    const field = document.getElementById("f-q");
    field.value = "request ";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 200))));
    return changes;
  });
  assert.ok(touched <= 2, `${touched} changes in the list for a filter that matches the same`);

  // Moving down the list is the same work for every step.
  await page.keyboard.press("Escape");
  before = await spent();
  for (let steps = 0; steps < 20; steps += 1) await page.keyboard.press("j");
  await settled();
  after = await spent();
  assert.ok((after.LayoutCount - before.LayoutCount) / 20 < 12, `${(after.LayoutCount - before.LayoutCount) / 20} layouts per step`);
  await close();
});

test("what is far down and folded away is not laid out at opening", async () => {
  const { page, close } = await open(chrome, report);
  const count = await page.evaluate(() => ({ articles: document.querySelectorAll("#findings article").length, laid: [...document.querySelectorAll("#findings article")].filter((at) => at.getClientRects().length).length }));
  assert.equal(count.laid, 1, `one claim of ${count.articles} is open`);
  await close();
});
