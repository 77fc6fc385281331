// The report of the failing release that is shipped, in a real browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { browser, citeward, open, scratch } from "./browser.mjs";

let chrome, report;

before(async () => {
  chrome = await browser();
  const out = join(scratch(), "run");
  citeward(["check", "helpdesk-bad-release", "--out", out], { expect: [1] });
  report = join(out, "report.html");
});
after(() => chrome?.close());

test("the page asks for nothing and says nothing", async () => {
  const { page, heard, close } = await open(chrome, report);
  assert.match(await page.title(), /^FAIL · citeward: helpdesk-bad-release/);
  assert.deepEqual(heard, { console: [], errors: [], requests: [], dialogs: [] });
  await close();
});
