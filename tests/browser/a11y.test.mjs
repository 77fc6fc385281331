// The accessibility checker axe finds nothing to object to, in any state of the report.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browser, citeward, open, root, scratch } from "./browser.mjs";

const { source } = createRequire(import.meta.url)("axe-core");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let chrome, folder;
const made = new Map();

before(async () => {
  chrome = await browser();
  folder = scratch();
});
after(() => chrome?.close());

/** The report of a run, made when it is first asked for. */
function report(name) {
  if (!made.has(name)) made.set(name, join(runs[name](join(folder, name)), "report.html"));
  return made.get(name);
}

const given = (name, file) => join(root, "tests/cmd", name, file);

const runs = {
  failing: (out) => check(out, "helpdesk-bad-release"),
  passing: (out) => check(out, "helpdesk-good-release"),
  "hash-only": (out) => check(out, "helpdesk-bad-release", "--evidence", "hash-only"),
  baseline: (out) => {
    const common = (answers) => [given("diff-baseline.in", "cases.jsonl"), "--answers", given("diff-baseline.in", answers), "--rules", given("diff-baseline.in", "rules")];
    check(`${out}-before`, ...common("before.jsonl"));
    citeward(["bless", `${out}-before`, "--baselines", `${out}-baselines`]);
    return check(out, ...common("after.jsonl"), "--baseline", join(`${out}-baselines`, "cases.json"));
  },
  trend: (out) => {
    mkdirSync(`${out}-history`);
    for (const [at, answers] of ["before.jsonl", "after.jsonl"].entries()) {
      check(`${out}-history/${at}`, given("diff-baseline.in", "cases.jsonl"), "--answers", given("diff-baseline.in", answers), "--rules", given("diff-baseline.in", "rules"));
    }
    return check(out, given("diff-baseline.in", "cases.jsonl"), "--answers", given("diff-baseline.in", "before.jsonl"), "--rules", given("diff-baseline.in", "rules"), "--history", `${out}-history`);
  },
  reviewed: (out) => check(out, given("review-decisions.in", "changed.jsonl"), "--rules", given("review-decisions.in", "rules"), "--decisions", given("review-decisions.in", "decisions.jsonl"), "--today", "2026-06-01"),
  // Lines that are skipped, and a claim that is not cited: the fewest things a page can hold.
  "bad lines": (out) => {
    const data = `${out}.jsonl`;
    copyFileSync(given("diff-baseline.in", "cases.jsonl"), data);
    const cases = readFileSync(data, "utf8").split("\n").slice(0, 2).map((line) => JSON.stringify({ ...JSON.parse(line), answer: "Nobody knows." }));
    writeFileSync(data, [...cases, "{no json", ""].join("\n"));
    return check(out, data, "--bad-lines", "skip", "--rules", given("diff-baseline.in", "rules"));
  },
};

function check(out, ...args) {
  citeward(["check", ...args, "--out", out, "--quiet"]);
  return out;
}

/** What axe objects to, in words that lead to it. */
async function objections(page) {
  await page.evaluate(source);
  const found = await page.evaluate((rules) => window.axe.run(document, { runOnly: rules, resultTypes: ["violations"] }), rules);
  assert.ok(found.passes.length > 15, "axe looked at the page");
  return found.violations.map((rule) => `${rule.id}: ${rule.help} (${rule.nodes.length} times, first ${rule.nodes[0].target.join(" ")} ${rule.nodes[0].failureSummary})`);
}

/** Opens the report of a run, does something with it, and asks axe. */
async function holds(name, options = {}, act = async () => {}) {
  const { page, close } = await open(chrome, report(name), options);
  await act(page);
  assert.deepEqual(await objections(page), []);
  await close();
}

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const everything = (page) => page.evaluate(() => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
/** Opens the first claim in which something conflicts. */
const conflict = async (page) => {
  const id = await page.$$eval("#findings article", (articles) => articles.find((article) => article.querySelector("mark.conflict")).id);
  await page.locator(`#findings li a[href="#${id}"]`).click();
  assert.ok(await page.locator(`[id="${id}"]`).isVisible());
};

test("a failing run, light, with all that can be opened open", () => holds("failing", { colorScheme: "light" }, everything));
test("a failing run, dark", () => holds("failing", { colorScheme: "dark" }, everything));
test("a failing run on a phone", () => holds("failing", phone));
test("a claim is open", () => holds("failing", {}, conflict));
test("a claim is open, dark, on a phone", () => holds("failing", { ...phone, colorScheme: "dark" }, conflict));
test("without scripts all claims are open", async () => {
  // axe needs scripts itself: the page's own is taken out.
  const bare = join(folder, "bare.html");
  writeFileSync(bare, readFileSync(report("failing"), "utf8").replace(/<script>[\s\S]*?<\/script>/, ""));
  const { page, close } = await open(chrome, bare);
  assert.ok(await page.locator("article").last().isVisible());
  assert.deepEqual(await objections(page), []);
  await close();
});
test("the findings are filtered", () => holds("failing", {}, async (page) => {
  await page.locator("#f-rule").selectOption("number-not-in-evidence");
  await page.waitForURL(/rule=/);
}));
test("nothing matches the filter", () => holds("failing", {}, async (page) => {
  await page.locator("#f-q").fill("no-text-of-the-report-has-this");
  await page.waitForURL(/q=/);
}));
test("a passing run", () => holds("passing", {}, everything));
test("a run against a baseline", () => holds("baseline", { colorScheme: "dark" }, everything));
test("a run after earlier ones", () => holds("trend", {}, async (page) => {
  assert.ok(await page.locator("#trend svg").first().isVisible());
  await everything(page);
}));
test("a run after earlier ones, dark, on a phone", () => holds("trend", { ...phone, colorScheme: "dark" }));
test("a run with reviewers' decisions", () => holds("reviewed", {}, everything));
test("a run without texts of the evidence", () => holds("hash-only", {}, conflict));
test("a run that judged little and skipped lines", () => holds("bad lines", {}, everything));

test("headings go down one level at a time, and every landmark has a name of its own", async () => {
  const { page, close } = await open(chrome, report("failing"), { javaScriptEnabled: false });
  const levels = await page.$$eval("h1, h2, h3, h4, h5, h6", (headings) => headings.map((heading) => Number(heading.tagName[1])));
  assert.equal(levels[0], 1);
  levels.forEach((level, at) => assert.ok(at === 0 || level <= levels[at - 1] + 1 && level > 1, `heading ${at} of level ${level}`));
  const names = await page.$$eval("main > section, nav, article", (parts) => parts.map((part) => {
    const by = part.getAttribute("aria-labelledby");
    return part.getAttribute("aria-label") ?? (by && document.getElementById(by)?.textContent.trim());
  }));
  assert.ok(names.length > 10 && names.every(Boolean), JSON.stringify(names));
  assert.equal(await page.locator("main").count(), 1);
  await close();
});

test("what is tapped is large enough, and colours are not all that tells", async () => {
  const { page, close } = await open(chrome, report("failing"), phone);
  const small = await page.$$eval("button, input, select, summary, #findings li a, nav a", (targets) => targets.filter((at) => at.checkVisibility()).filter((at) => { const box = at.getBoundingClientRect(); return box.height < 24 || box.width < 24; }).map((at) => `${at.tagName} ${at.textContent.trim().slice(0, 30)} ${at.getBoundingClientRect().height}`));
  assert.deepEqual(small, []);
  // Verdicts, severities and labels are words; without colours they still are.
  const words = await page.$$eval("#gates tbody tr td:first-child", (cells) => cells.map((cell) => cell.textContent.trim()));
  assert.ok(words.length > 0 && words.every((word) => /^(pass|warn|fail|inconclusive|no data)/.test(word)), JSON.stringify(words));
  await close();
  const forced = await open(chrome, report("failing"), { forcedColors: "active" });
  await conflict(forced.page);
  const [box] = await forced.page.$$eval("article mark.conflict", (marks) => marks.filter((mark) => mark.checkVisibility()).map((mark) => getComputedStyle(mark).borderTopWidth));
  assert.ok(parseFloat(box) >= 1, "what conflicts is boxed, not only coloured");
  await forced.close();
});
