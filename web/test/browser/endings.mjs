// SPDX-License-Identifier: Apache-2.0
// Pages of runs that did not end well: they say so at the top, and show what there is.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { open, troubles } from "./browser.mjs";
import * as on from "./controls.mjs";
import { faint, overflow } from "./layout.mjs";
import { block } from "./models.mjs";
import { shownVerdict } from "./verdict.mjs";

const unsolved = ", solver: {name: gauss-seidel, iterations: 1, tolerance: 1e-14}";

export async function testEndings(t, browser, results) {
  const model = (name, options) => results.write(`${name}.yaml`, block({ title: `A run that is ${name}`, ...options }));
  await t.test("a run that failed", async () => {
    const { code } = await results.call("run", model("failed", { solver: unsolved }), "-o", "failed.out", "--quiet");
    assert.equal(code, 6);
    await says(browser, await results.page("failed.out"), "Failed", "bad", /not solved/);
  });
  await t.test("a run that was interrupted", async () => {
    const { code } = await results.stopped(model("interrupted", { end: 100 }), "interrupted.out", "SIGINT");
    assert.equal(code, 130);
    await says(browser, await results.page("interrupted.out"), "Interrupted", "warning", /resume/);
  });
  await t.test("a run that was killed", async () => {
    const { signal } = await results.stopped(model("killed", { end: 100 }), "killed.out", "SIGKILL");
    assert.equal(signal, "SIGKILL");
    await says(browser, await results.page("killed.out"), "Not finished", "warning", /./);
  });
  await t.test("a folder whose summary is gone", async () => {
    rmSync(join(results.folder, "failed.out", "summary.json"));
    await says(browser, await results.page("failed.out"), "No results", "bad", /./);
  });
}

// The verdict can be seen without scrolling, even without the page's program.
async function says(browser, file, headline, level, detail) {
  const view = await open(browser, file, { width: 390, height: 844 });
  const { page } = view;
  const shown = await shownVerdict(page);
  assert.deepEqual([shown.headline, shown.level], [headline, level]);
  assert.match(shown.detail, detail);
  const box = await page.locator("#verdict .headline").boundingBox();
  assert.ok(box.y >= 0 && box.y + box.height < 844, "the verdict is not at the top");
  assert.deepEqual(await overflow(page), []);
  assert.deepEqual(await faint(page), []);
  if (headline !== "No results") assert.ok((await on.time(page)) >= 0);
  assert.deepEqual(await troubles(view), []);
  await view.close();
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
  const bare = await context.newPage();
  await bare.goto(page.url());
  assert.equal((await bare.textContent("#verdict .headline")).trim(), headline);
  await context.close();
}
