// Starting the browser and the program under test, for every file of tests here.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** The root of the repository. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The program under test; `tests/browser.rs` says which. */
const program = process.env.CITEWARD_BIN ?? join(root, "target/debug/citeward");

/** Runs citeward in `cwd` and gives exit code and outputs; a code that is not expected is an error. */
export function citeward(args, { cwd = root, expect = [0, 1], env = {} } = {}) {
  const inherited = { ...process.env, ...env };
  for (const name of ["CI", "GITHUB_ACTIONS", "NO_COLOR"]) delete inherited[name];
  const ran = spawnSync(program, args, { cwd, env: inherited, encoding: "utf8", maxBuffer: 1 << 28 });
  if (ran.error) throw ran.error;
  if (!expect.includes(ran.status)) throw new Error(`citeward ${args.join(" ")} ended with ${ran.status}:\n${ran.stderr}`);
  return ran;
}

/** A folder that is gone when the tests of this process are over. */
export function scratch() {
  const folder = mkdtempSync(join(tmpdir(), "citeward-browser-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function found() {
  if (process.env.CITEWARD_CHROMIUM) return process.env.CITEWARD_CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch { /* the next name */ }
  }
  return chromium.executablePath();
}

/** Starts Chromium. */
export function browser() {
  return chromium.launch({ executablePath: found(), args: ["--no-sandbox", "--disable-dev-shm-usage"] });
}

/** Opens a file of the disk in a page of its own and notes everything that it says or asks for beside itself. */
export async function open(chrome, file, options = {}) {
  const { hash = "", ...context } = options;
  const own = await chrome.newContext(context);
  own.setDefaultTimeout(15_000);
  const page = await own.newPage();
  const heard = { console: [], errors: [], requests: [], dialogs: [] };
  page.on("console", (message) => heard.console.push(message.text()));
  page.on("pageerror", (error) => heard.errors.push(String(error)));
  page.on("dialog", (dialog) => { heard.dialogs.push(dialog.message()); dialog.dismiss(); });
  const url = pathToFileURL(file).href;
  page.on("request", (request) => { if (!request.url().startsWith(url)) heard.requests.push(request.url()); });
  await page.goto(url + hash);
  return { page, heard, url, close: () => own.close() };
}

/** Every line of a JSON Lines file. */
export function lines(file) {
  return readFileSync(file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** The anchor in the page of a claim, or of a case without a claim id, whose ids are letters, digits and hyphens. */
export function anchor({ case_id, claim_id }) {
  return claim_id ? `c-${case_id}.${claim_id}` : `c-${case_id}`;
}

/** What a report may show, by its anchor: each claim, and each case that has findings of its own. */
export function subjects(run) {
  const cases = lines(join(run, "cases.jsonl")).filter((record) => record.findings.length);
  return new Map([...cases, ...lines(join(run, "records.jsonl"))].map((record) => [anchor(record), record]));
}

/** Serves a folder on this machine below `path`, as a static host does, and notes what is asked for. */
export async function serve(folder, path = "/") {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    const { pathname } = new URL(request.url, "http://127.0.0.1");
    try {
      const body = readFileSync(join(folder, pathname.slice(path.length)));
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  // A test that fails before it closes the host must not keep the process alive.
  server.unref();
  return { url: `http://127.0.0.1:${server.address().port}${path}`, asked, close: () => server.close() };
}
