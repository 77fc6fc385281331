// The report of the failing release that is shipped, in a real browser: what its readers do with it.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { anchor, browser, citeward, lines, open, root, scratch, serve, subjects } from "./browser.mjs";
import { pages } from "./paper.mjs";

let chrome, run, report, manifest, known;

before(async () => {
  chrome = await browser();
  run = join(scratch(), "run");
  citeward(["check", "helpdesk-bad-release", "--out", run], { expect: [1] });
  report = join(run, "report.html");
  manifest = JSON.parse(readFileSync(join(run, "run.json"), "utf8"));
  known = subjects(run);
});
after(() => chrome?.close());

const quiet = { console: [], errors: [], requests: [], dialogs: [] };

/** Anchors of the claims in the list that can be seen, in order. */
const listed = (page) => page.$$eval("#findings li a[href^='#c-']", (links) => links.filter((a) => a.checkVisibility() && !a.closest("article")).map((a) => a.hash.slice(1)));

/** Waits until the list shows what is expected, in any order, and says so when it never does. */
async function lists(page, expected) {
  const wanted = [...expected].sort();
  let now;
  for (let tries = 0; tries < 60; tries += 1) {
    now = (await listed(page)).sort();
    if (now.join() === wanted.join()) return;
    await page.waitForTimeout(25);
  }
  assert.deepEqual(now, wanted);
}

/** Waits until the number of matches is announced. */
async function announces(page, count) {
  const said = new RegExp(`\\b${count}\\b`);
  let now;
  for (let tries = 0; tries < 60 && !said.test(now); tries += 1) {
    now = await page.locator("#findings [role=status]").innerText();
    await page.waitForTimeout(25);
  }
  assert.match(now, said);
}

/** The anchor of the claim that is open. */
const opened = (page) => page.$$eval("#findings article", (articles) => articles.filter((a) => a.checkVisibility()).map((a) => a.id).join());

/** Those of `anchors` whose claim or case is so. */
const those = (anchors, is) => anchors.filter((id) => is(known.get(id)));

const label = (record) => record.label ?? (record.claim_id ? "uncited" : "case");

test("the verdict, its reason and its counts are those of the run", async () => {
  const { page, heard, close } = await open(chrome, report);
  assert.match(await page.title(), /^FAIL · citeward: helpdesk-bad-release/);
  assert.equal((await page.locator("h1").innerText()).trim(), "FAIL");
  const band = await page.locator("header").innerText();
  const failing = manifest.gates.filter((gate) => gate.effect === "fail");
  assert.ok(band.includes(`${failing.length} of ${manifest.gates.length} gates fail`), band);
  assert.ok(band.replace(/\s+/g, " ").includes(failing[0].reason.replace(/\s+/g, " ")), band);
  assert.ok(band.includes(`${manifest.datasets[0].name} ${manifest.datasets[0].version}`), band);
  assert.ok(await page.locator(".band").evaluate((band) => band.getBoundingClientRect().top === 0), "the verdict comes first");

  const decided = (await page.locator("#decided").innerText()).replace(/\s+/g, " ");
  for (const [name, count] of Object.entries(manifest.labels).filter(([, count]) => count)) {
    assert.match(decided, new RegExp(`${name} ${count} [\\d.]+ %`));
  }
  const total = Object.values(manifest.labels).reduce((sum, count) => sum + count, 0);
  const widths = await page.$$eval("#decided svg[role=img] rect", (parts) => parts.map((part) => Number(part.getAttribute("width"))));
  assert.ok(Math.abs(widths.reduce((sum, width) => sum + width, 0) - 1000) <= 1 && widths.length <= total, `${widths}`);
  assert.deepEqual(heard, quiet);
  await close();
});

test("every gate stands in the table with its verdict, its fraction and its place, failing ones first", async () => {
  const { page, close } = await open(chrome, report);
  const rows = await page.$$eval("#gates tbody tr", (rows) => rows.map((row) => row.textContent.replace(/\s+/g, " ").replace(/ = /g, "=")));
  assert.equal(rows.length, manifest.gates.length);
  for (const gate of manifest.gates) {
    const slice = Object.entries(gate.slice).map(([id, value]) => `${id}=${value}`).join(" × ") || "overall";
    const row = rows.find((row) => row.includes(gate.gate) && row.includes(slice) && row.includes(`${gate.numerator}/${gate.denominator}`));
    assert.ok(row, `${gate.gate} ${slice}`);
    assert.ok(row.includes(gate.verdict), `${row} is ${gate.verdict}`);
  }
  const fails = rows.map((row) => manifest.gates.some((gate) => gate.effect === "fail" && row.includes(gate.reason.replace(/\s+/g, " "))));
  assert.ok(fails.lastIndexOf(true) === fails.filter(Boolean).length - 1 && fails[0], "what fails comes first");
  await close();
});

test("findings can be filtered by rule, label, slice, stage and text, one by one and together, and the count is announced", async () => {
  const { page, heard, close } = await open(chrome, report);
  const all = await listed(page);
  const withFindings = [...known].filter(([, record]) => record.findings.length).map(([id]) => id);
  assert.deepEqual(withFindings.filter((id) => !all.includes(id)), [], "every claim and case with a finding is shown");
  const choose = async (field, value, is) => {
    await page.locator(`#f-${field}`).selectOption(value);
    const expected = those(all, is);
    assert.ok(expected.length > 0 && expected.length < all.length, `${field} ${value} tells something apart: ${expected.length} of ${all.length}`);
    await lists(page, expected);
    await announces(page, expected.length);
    assert.ok(expected.includes(await opened(page)), "the claim that is open is one that matches");
    await page.locator(`#f-${field}`).selectOption("");
  };
  for (const rule of ["number-not-in-evidence", "cites-the-wrong-passages"]) {
    await choose("rule", rule, (record) => record.findings.some((finding) => finding.rule === rule));
  }
  for (const name of ["contradicted", "supported", "uncited", "case"]) await choose("label", name, (record) => label(record) === name);
  await choose("slice", "language = de", (record) => record.slices.language === "de");
  for (const stage of ["retrieval", "rendering"]) await choose("stage", stage, (record) => record.findings.some((finding) => finding.stage === stage));
  await lists(page, all);

  // Several together.
  await page.locator("#f-rule").selectOption("number-not-in-evidence");
  await page.locator("#f-slice").selectOption("language = en");
  await page.locator("#f-stage").selectOption("generation");
  const three = those(all, (record) => record.slices.language === "en" && record.findings.some((f) => f.rule === "number-not-in-evidence") && record.findings.some((f) => f.stage === "generation"));
  assert.ok(three.length > 0);
  await lists(page, three);
  await page.locator("#f-label").selectOption("unreadable");
  await lists(page, []);
  await announces(page, 0);
  assert.ok(await page.locator("#findings .nothing").isVisible(), "an empty list says that it is empty");
  await page.locator("#findings form [type=reset]").click();
  await lists(page, all);

  // Text: every word, in any case, wherever it stands in claim, evidence or finding.
  await page.locator("#f-q").fill("attachment STORAGE");
  await page.waitForFunction((most) => [...document.querySelectorAll("#findings li a[href^='#c-']")].filter((a) => a.checkVisibility()).length < most, all.length);
  const found = await listed(page);
  assert.deepEqual(those(all, (record) => /attachment storage/i.test(record.claim ?? "")).filter((id) => !found.includes(id)), []);
  for (const id of found) {
    const text = (await page.locator(`[id="${id}"]`).evaluate((article) => article.textContent)).toLowerCase();
    assert.ok(text.includes("attachment") && text.includes("storage"), id);
  }
  await page.locator("#f-q").fill("no-text-of-the-report-has-this");
  await lists(page, []);
  assert.deepEqual(heard, quiet);
  await close();
});

test("the address carries what is filtered and open, on the disk and below a path of a static host", async () => {
  const host = await serve(run, "/team/reports/");
  const { page, heard, close } = await open(chrome, report);
  for (const base of [page.url(), host.url + "report.html"]) {
    await page.goto(base);
    await page.locator("#f-rule").selectOption("number-not-in-evidence");
    await page.locator("#f-slice").selectOption("language = en");
    await page.locator("#f-q").fill("plan & costs");
    await page.locator("#f-q").fill("plan");
    const expected = await listed(page);
    assert.ok(expected.length > 1, `${expected}`);
    await page.locator(`#findings li a[href="#${expected[1]}"]`).click();
    await page.waitForFunction((id) => location.hash === `#${id}`, expected[1]);
    const shared = new URL(page.url());
    assert.equal(shared.href.split(/[?#]/)[0], base);
    assert.deepEqual(Object.fromEntries(shared.searchParams), { q: "plan", rule: "number-not-in-evidence", slice: "language = en" });

    const other = await page.context().newPage();
    await other.goto(shared.href);
    await lists(other, expected);
    assert.equal(await opened(other), expected[1]);
    assert.equal(await other.locator("#f-q").inputValue(), "plan");
    assert.equal(await other.locator("#f-slice").inputValue(), "language = en");
    assert.ok(await other.locator(`[id="${expected[1]}"]`).evaluate((article) => { const box = article.getBoundingClientRect(); return box.top < innerHeight && box.bottom > 0; }), "the claim is in sight");
    await other.close();
  }
  assert.deepEqual(host.asked.map((url) => url.split("?")[0]), ["/team/reports/report.html", "/team/reports/report.html"], "nothing but the page is asked for");
  assert.deepEqual({ ...heard, requests: heard.requests.filter((url) => !url.startsWith(host.url + "report.html")) }, quiet);
  host.close();
  await close();
});

test("a link to a claim that the filter hides shows it all the same", async () => {
  const { page, url, close } = await open(chrome, report);
  const all = await listed(page);
  const [hidden] = those(all, (record) => label(record) === "unresolved");
  await page.goto(`${url}?label=contradicted#${hidden}`);
  await page.waitForFunction((id) => document.getElementById(id).checkVisibility(), hidden);
  assert.ok((await listed(page)).includes(hidden));
  assert.ok(!new URL(page.url()).searchParams.has("label"), "the address no longer says what is not so");
  // What is no filter of this report hides nothing without saying so.
  await page.goto(`${url}?rule=no-such-rule&stage=nowhere`);
  const shown = await listed(page);
  await announces(page, shown.length);
  const said = await page.locator("#findings [role=status]").innerText();
  for (const unknown of ["no-such-rule", "nowhere"]) assert.ok(said.includes(unknown), said);
  await close();
});

test("a slice of the heat map and a group of failures lead to the findings they count", async () => {
  const { page, close } = await open(chrome, report);
  const all = await listed(page);
  await page.locator("#slices tbody th a", { hasText: /^de$/ }).click();
  await lists(page, those(all, (record) => record.slices.language === "de"));
  assert.equal(await page.locator("#f-slice").inputValue(), "language = de");
  await page.waitForFunction(() => { const top = document.getElementById("findings").getBoundingClientRect().top; return top > -40 && top < innerHeight / 2; });

  await page.locator("#clusters li a", { hasText: /^uncited-claim$/ }).first().click();
  const shown = await listed(page);
  assert.ok(shown.length > 0 && shown.every((id) => known.get(id).findings.some((finding) => finding.rule === "uncited-claim")), `${shown}`);

  // From a group to its example: a claim that has such a finding, though the filter of before would hide it.
  const group = page.locator("#clusters li", { hasText: "not-retrieved" }).first();
  await group.locator("a[href^='#c-']").first().click();
  const example = await opened(page);
  assert.ok(known.get(example).findings.some((finding) => finding.rule === "not-retrieved"), example);
  await close();
});

test("a failing gate leads to the findings behind it", async () => {
  const { page, close } = await open(chrome, report);
  const all = await listed(page);
  const row = page.locator("#gates tbody tr", { hasText: "language=de" }).first();
  await row.locator("a[href^='#findings']").first().click();
  const shown = await listed(page);
  assert.ok(shown.length > 0 && shown.length < all.length && shown.every((id) => known.get(id).slices.language === "de"), `${shown}`);
  await close();
});

/** The shipped claims whose passage says something else, with the record of each. */
const conflicting = () => [...known].filter(([, record]) => record.claim_id && record.citations.some((citation) => citation.matches.some((match) => match.conflicting && match.claim)));

test("a finding leads to its evidence: what conflicts is joined by number, and hash, version and place are those of the record", async () => {
  const { page, close } = await open(chrome, report);
  assert.ok(conflicting().length >= 5);
  for (const [id, record] of conflicting()) {
    await page.locator(`#findings li a[href="#${id}"]`).click();
    const article = page.locator(`[id="${id}"]`);
    assert.equal(await opened(page), id);
    const marks = await article.evaluate((article) => [...article.querySelectorAll(".side mark")].map((mark) => {
      const number = mark.querySelector(".no")?.textContent.replace("\u2060", "") ?? "";
      const text = [...mark.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join("");
      return { number, text, conflicts: mark.classList.contains("conflict"), seen: mark.checkVisibility() && mark.getClientRects().length > 0 };
    }));
    const bytes = (text, [start, end]) => Buffer.from(text).subarray(start, end).toString();
    for (const citation of record.citations) {
      for (const match of citation.matches.filter((match) => match.conflicting && match.claim && match.content)) {
        const claim = bytes(record.claim, match.claim);
        const content = bytes(citation.excerpt.text, match.content.map((at) => at - citation.excerpt.start));
        const left = marks.filter((mark) => mark.number && claim.startsWith(mark.text));
        const right = marks.filter((mark) => mark.number && content.startsWith(mark.text));
        assert.ok(left.some((one) => right.some((other) => one !== other && one.number === other.number && other.conflicts && one.seen && other.seen)), `${id}: “${claim}” against “${content}” in ${JSON.stringify(marks)}`);
      }
    }
    await article.evaluate((article) => article.querySelectorAll("details").forEach((details) => { details.open = true; }));
    const text = (await article.innerText()).replace(/\s+/g, " ");
    for (const citation of record.citations.filter((citation) => citation.resolved && citation.excerpt)) {
      for (const part of [citation.excerpt_sha256, citation.source_version, citation.raw, ...Object.values(citation.locator ?? {}).map(String)]) {
        assert.ok(part === null || text.includes(part), `${id} shows ${part}`);
      }
    }
    for (const finding of record.findings) {
      assert.ok(text.includes(finding.rule) && text.includes(finding.code), `${id} shows ${finding.rule}`);
      if (finding.stage) assert.ok(text.includes(finding.stage), `${id} shows the stage ${finding.stage}`);
    }
  }
  await close();
});

test("the claim's sentence is lit in the answer, and every marker stands there", async () => {
  const { page, close } = await open(chrome, report);
  const cases = new Map(lines(join(run, "cases.jsonl")).map((record) => [record.case_id, record]));
  for (const [id, record] of conflicting()) {
    const [answer, lit, markers] = await page.locator(`[id="${id}"] .answer`).evaluate((answer) => {
      const plain = (node) => { const copy = node.cloneNode(true); copy.querySelectorAll(".sr, .no").forEach((part) => part.remove()); return copy.textContent; };
      return [plain(answer), [...answer.querySelectorAll(".lit")].map(plain).join(""), [...answer.querySelectorAll(".mk")].map(plain)];
    });
    const whole = cases.get(record.case_id);
    assert.equal(answer, whole.answer, id);
    assert.deepEqual(markers, whole.markers.map((marker) => marker.raw), id);
    if (record.span) {
      const sentence = Buffer.from(whole.answer).subarray(...record.span).toString();
      assert.ok(lit && (lit.includes(sentence) || sentence.includes(lit)), `${id}: ${lit}`);
    }
  }
  await close();
});

const channel = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number).map((value) => value / 255).map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const luminance = (colour) => { const [r, g, b] = channel(colour); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const colours = (page) => page.evaluate(() => { const style = getComputedStyle(document.body); return [style.backgroundColor, style.color]; });
const isDark = async (page) => { const [ground, ink] = (await colours(page)).map(luminance); assert.ok(Math.abs(ground - ink) > 0.5, "text stands out"); return ground < ink; };

test("the theme follows the system until a reader chooses, and the choice stays", async () => {
  for (const scheme of ["light", "dark"]) {
    const { page, heard, close } = await open(chrome, report, { colorScheme: scheme });
    assert.equal(await isDark(page), scheme === "dark");
    const other = scheme === "dark" ? "light" : "dark";
    const button = page.locator("button.theme").first();
    for (let clicks = 0; clicks < 3 && await isDark(page) === (scheme === "dark"); clicks += 1) await button.click();
    assert.equal(await isDark(page), other === "dark", "the button leads to the other theme");
    assert.match((await button.innerText()).toLowerCase(), new RegExp(other));
    await page.reload();
    assert.equal(await isDark(page), other === "dark", "the choice is kept");
    await page.emulateMedia({ colorScheme: other });
    for (let clicks = 0; clicks < 3 && !(await button.innerText()).toLowerCase().includes("auto"); clicks += 1) await button.click();
    assert.equal(await isDark(page), other === "dark");
    await page.emulateMedia({ colorScheme: scheme });
    assert.equal(await isDark(page), scheme === "dark", "auto follows the system at once");
    assert.deepEqual(heard, quiet);
    await close();
  }
});

/** What has the focus: its tag, its anchor or id, whether it is in sight, and whether its focus can be seen. */
const focus = (page) => page.evaluate(() => {
  const at = document.activeElement, box = at.getBoundingClientRect(), style = getComputedStyle(at);
  const inSight = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth && at.checkVisibility();
  const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 || style.boxShadow !== "none";
  return { tag: at.tagName, id: at.id, hash: at.hash?.slice(1) ?? "", name: at.textContent.trim().slice(0, 60), inSight, ring };
});

test("the keyboard alone leads from the verdict to the evidence and back", async () => {
  const { page, heard, close } = await open(chrome, report, { reducedMotion: "reduce" });
  const press = async (key) => {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const now = await focus(page);
    assert.notEqual(now.tag, "BODY", `the focus is lost after ${key}`);
    assert.ok(now.inSight, `${JSON.stringify(now)} is not in sight after ${key}`);
    assert.ok(now.ring, `the focus on ${JSON.stringify(now)} cannot be seen after ${key}`);
    return now;
  };
  const first = await press("Tab");
  assert.equal(first.tag, "A");
  assert.match(first.hash, /^(gates|decided|main|findings)$/, "the first stop skips to the content");
  const seen = new Set([first.name]);
  for (let stops = 0; stops < 25; stops += 1) seen.add((await press("Tab")).name);
  assert.ok(seen.size >= 15, `Tab goes on: ${[...seen]}`);

  assert.equal((await press("/")).id, "f-q");
  await page.keyboard.type("attachment");
  await page.waitForFunction(() => document.activeElement.value === "attachment");
  const found = await listed(page);
  assert.ok(found.length > 1 && found.length < known.size);
  assert.notEqual((await press("Escape")).id, "f-q");
  const start = found.indexOf((await focus(page)).hash);
  const one = await press("j");
  assert.ok(start >= 0 && one.hash === found[start + 1], `${JSON.stringify(one)} is the next after ${start} of ${found}`);
  assert.equal((await press("j")).hash, found[start + 2] ?? one.hash);
  assert.equal((await press("k")).hash, found[start + 2] ? one.hash : found[start]);
  if (!found[start + 2]) await press("j");
  assert.equal((await focus(page)).hash, one.hash);
  const article = await press("Enter");
  assert.equal(article.tag, "ARTICLE");
  assert.equal(article.id, one.hash);
  assert.equal((await press("Escape")).hash, one.hash, "back to where it came from");
  for (let steps = 0; steps < found.length + 2; steps += 1) assert.ok(found.includes((await press("j")).hash), "j stays among what matches");
  for (let steps = 0; steps < found.length + 2; steps += 1) await press("k");
  assert.equal((await focus(page)).hash, found[0]);

  // Letters that are typed are letters, and those with a modifier are the browser's.
  await press("/");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("jk/");
  assert.equal(await page.locator("#f-q").inputValue(), "jk/");
  assert.deepEqual(heard, quiet);
  await close();
});

test("Tab goes through the whole page and out of it", async () => {
  const { page, close } = await open(chrome, report);
  const stops = await page.evaluate(() => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")].filter((at) => at.checkVisibility({ visibilityProperty: true }) && !at.disabled && !at.closest("details:not([open]) > :not(summary)")).length);
  const order = [];
  for (let at = 0; at <= stops + 5; at += 1) {
    await page.keyboard.press("Tab");
    const now = await page.evaluate(() => { window.stops ??= new Map(); const at = document.activeElement; if (!window.stops.has(at)) window.stops.set(at, window.stops.size); return at === document.body ? -1 : window.stops.get(at); });
    if (now === -1 || order.includes(now)) break;
    order.push(now);
  }
  // A browser may stop at a box that scrolls by itself, beside what the page names.
  assert.ok(order.length >= stops, `${order.length} of ${stops} stops are reached`);
  await close();
});

test("without scripts everything can be read and every link inside the page leads somewhere", async () => {
  const { page, heard, close } = await open(chrome, report, { javaScriptEnabled: false });
  const state = await page.evaluate(() => ({
    articles: [...document.querySelectorAll("article")].map((at) => [at.id, at.checkVisibility() && at.getBoundingClientRect().height > 50]),
    forms: [...document.querySelectorAll("form, button")].filter((at) => at.checkVisibility()).length,
    broken: [...document.querySelectorAll("a[href^='#']")].map((a) => a.getAttribute("href").slice(1)).filter((id) => !document.getElementById(id)),
    twice: [...document.querySelectorAll("[id]")].map((at) => at.id).filter((id, at, all) => all.indexOf(id) !== at),
    wide: document.documentElement.scrollWidth > innerWidth,
  }));
  assert.ok(state.articles.length >= 50 && state.articles.every(([, seen]) => seen), JSON.stringify(state.articles.filter(([, seen]) => !seen)));
  assert.deepEqual({ ...state, articles: [] }, { articles: [], forms: 0, broken: [], twice: [], wide: false });
  const id = state.articles[20][0];
  await page.locator(`#findings li a[href="#${id}"]`).click();
  assert.equal(new URL(page.url()).hash, `#${id}`);
  assert.ok(Math.abs(await page.evaluate((id) => document.getElementById(id).getBoundingClientRect().top, id)) < 200);
  assert.deepEqual(heard, quiet);
  await close();
});

test("on paper the first page decides and nothing is cut off", async () => {
  const { page, close } = await open(chrome, report, { colorScheme: "dark" });
  const printed = pages(await page.pdf({ format: "A4", printBackground: true }));
  const first = printed[0];
  const bare = (text) => text.replace(/\s+/g, "").replace(/ﬁ/g, "fi").replace(/ﬂ/g, "fl").replace(/ﬃ/g, "ffi").replace(/ﬀ/g, "ff");
  const failing = manifest.gates.filter((gate) => gate.effect === "fail");
  const decision = await page.$$eval("header dd", (lines) => lines.map((line) => line.textContent));
  assert.ok(decision.length >= 3, `${decision}`);
  const verdict = `${failing.length} of ${manifest.gates.length} gates fail`;
  for (const part of ["FAIL", verdict, "Decision", "Name", "Date", ...decision, failing[0].reason]) assert.ok(bare(first).includes(bare(part)), `page one has “${part}”`);
  // Where more gates fail than fit, the list goes on behind the lines to sign.
  for (const { reason } of failing) assert.ok(bare(first + printed[1]).includes(bare(reason)), `the first two pages have “${reason}”`);
  assert.ok(printed.length < 30, `${printed.length} pages`);
  assert.ok(!(await page.locator(".sign").isVisible()), "there is nothing to sign on a screen");
  // Nothing is wider than the paper: 210 mm less the margins.
  for (let clicks = 0; clicks < 3 && !(await page.locator("html[data-theme=dark]").count()); clicks += 1) await page.locator("button.theme").first().click();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.setViewportSize({ width: 688, height: 1000 });
  const cut = await page.evaluate(() => [...document.querySelectorAll("body *")].filter((at) => at.checkVisibility() && !at.closest(".sr, svg")).filter((at) => {
    const box = at.getBoundingClientRect(), style = getComputedStyle(at);
    const clips = style.overflowX !== "visible" && style.textOverflow !== "ellipsis" && at.scrollWidth > at.clientWidth + 1;
    return box.width > 1 && box.right > 689 || clips;
  }).map((at) => `${at.tagName}.${at.className} ${at.textContent.trim().slice(0, 40)}`));
  assert.deepEqual(cut.slice(0, 5), []);
  assert.ok(!(await isDark(page)), "paper is white");
  await close();
});

test("a phone shows everything without moving sideways", async () => {
  const { page, heard, close } = await open(chrome, report, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(await sideways(), 0);
  for (const details of await page.locator("details:not([open]) > summary").all()) if (await details.isVisible()) await details.click();
  assert.equal(await sideways(), 0);
  const small = await page.evaluate(() => [...document.querySelectorAll("body *")].filter((at) => at.checkVisibility() && !at.closest("svg") && [...at.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) && parseFloat(getComputedStyle(at).fontSize) < 14.5).map((at) => `${at.tagName}.${at.className}`));
  assert.deepEqual([...new Set(small)], [], "no text is smaller than 15 px");
  // Reading a claim, and back to the list.
  const [id] = await listed(page);
  await page.locator(`#findings li a[href="#${id}"]`).tap();
  assert.equal(await opened(page), id);
  assert.equal(await sideways(), 0);
  await page.locator("#findings button.back").tap();
  assert.ok((await listed(page)).includes(id));
  assert.deepEqual(heard, quiet);
  await close();
});

test("nothing moves where a reader asks for less motion", async () => {
  const moving = (page) => page.evaluate(() => [...document.querySelectorAll("*")].filter((at) => { const style = getComputedStyle(at); return style.transitionDuration.split(", ").some((time) => parseFloat(time) > 0.15) || style.animationName !== "none" || style.scrollBehavior === "smooth"; }).length);
  const any = (page) => page.evaluate(() => [...document.querySelectorAll("*")].filter((at) => getComputedStyle(at).transitionDuration.split(", ").some((time) => parseFloat(time) > 0)).length);
  const { page, close } = await open(chrome, report);
  assert.equal(await moving(page), 0, "no more than a fade of 150 ms");
  await page.emulateMedia({ reducedMotion: "reduce" });
  assert.equal(await any(page), 0);
  await close();
});

test("the page's own policy stops what the page does not bring", async () => {
  // A copy with what an attacker could wish to have got into it.
  const folder = scratch();
  const file = join(folder, "report.html");
  const host = await serve(folder);
  const planted = `<script>window.hit = "script"</script><img src="data:image/png;base64,AAAA" onerror="window.hit = 'handler'"><script src="${host.url}a.js"></script><img src="${host.url}a.png"><link rel="stylesheet" href="${host.url}a.css"><iframe src="${host.url}a.html"></iframe><style>main{display:none}</style><form action="${host.url}a" id="planted"><button>go</button></form>`;
  writeFileSync(file, readFileSync(report, "utf8").replace("</main>", () => `</main>${planted}`));
  const { page, close } = await open(chrome, file);
  assert.equal(await page.evaluate(() => window.hit ?? null), null);
  assert.ok(await page.locator("main").isVisible());
  await page.locator("#planted button").click({ noWaitAfter: true });
  await page.waitForTimeout(100);
  assert.deepEqual(host.asked, []);
  assert.ok(page.url().startsWith("file:"));
  assert.ok(await page.locator("#f-q").isVisible(), "the page's own script runs");
  const policy = await page.locator("meta[http-equiv='Content-Security-Policy']").getAttribute("content");
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  host.close();
  await close();
});

/** A run of a small release that got worse, held against the release before it, in a folder of its own. */
function worse() {
  const folder = scratch();
  const given = join(root, "tests/cmd/diff-baseline.in");
  const check = (answers, out, ...more) => citeward(["check", join(given, "cases.jsonl"), "--answers", join(given, answers), "--rules", join(given, "rules"), "--out", out, "--quiet", ...more], { cwd: folder });
  check("before.jsonl", "before");
  citeward(["bless", "before"], { cwd: folder });
  check("after.jsonl", "after", "--baseline", join(folder, "baselines/cases.json"));
  return join(folder, "after");
}

test("against a baseline the page tells what is new and what flipped", async () => {
  const after = worse();
  const { page, heard, close } = await open(chrome, join(after, "report.html"));
  // Three cases got worse, each by its one claim; what stayed as it was is no flip.
  const flips = await page.$$eval("#flips tbody tr code", (ids) => ids.map((id) => id.textContent));
  assert.deepEqual(flips.sort(), ["export-de", "export-de#c1", "refund-de", "refund-de#c1", "seats-en", "seats-en#c1"]);
  const records = subjects(after);
  const all = await listed(page);
  const isNew = await page.locator("#f-new").isVisible();
  assert.ok(isNew, "there is a filter for what is new");
  await page.locator("#f-new").check();
  const broke = ["refund-de", "export-de", "seats-en"];
  await lists(page, all.filter((id) => broke.includes(records.get(id).case_id)));
  assert.equal(new URL(page.url()).searchParams.get("new"), "1");
  await page.reload();
  assert.ok(await page.locator("#f-new").isChecked());
  await lists(page, all.filter((id) => broke.includes(records.get(id).case_id)));
  assert.deepEqual(heard, quiet);
  await close();
});

test("without a baseline nothing is said to be new", async () => {
  const { page, close } = await open(chrome, report);
  assert.equal(await page.locator("#flips").count(), 0);
  assert.ok(!(await page.locator("#f-new").isVisible()));
  await close();
});
