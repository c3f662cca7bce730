// SPDX-License-Identifier: Apache-2.0
// Pages of several runs: folders side by side, and studies of many cases.

import assert from "node:assert/strict";
import { join } from "node:path";
import { open, troubles } from "./browser.mjs";
import * as on from "./controls.mjs";
import { overflow } from "./layout.mjs";
import { block } from "./models.mjs";
import { shownVerdict } from "./verdict.mjs";

export async function testSeveral(t, browser, results, made) {
  await Promise.all(["oblique-plate", "wall"].map((name) => made.get(name)));
  await t.test("two folders on one page", () => comparison(browser, results));
  await t.test("thirteen cases: curves of all of them when asked for", () => manyCases(browser, results));
}

// So many curves are not drawn before somebody wants to see them.
async function manyCases(browser, results) {
  const labels = Array.from({ length: 13 }, (_, k) => k);
  const model = results.write("cases.yaml", block({ end: 1e-4, cases: `cases: {vary: {label: [${labels}]}}` }));
  await results.must("run", model, "-o", "cases.out", "--quiet");
  const view = await open(browser, await results.page("cases.out"));
  const { page } = view;
  const all = page.getByLabel("All runs");
  const curves = () => page.locator("#panel-histories figure").first().locator(".legend button").count();
  assert.deepEqual([await all.isChecked(), await curves()], [false, 1]);
  await all.check();
  await page.waitForFunction(() => document.querySelectorAll("#panel-histories .legend-box").length > 0);
  assert.equal(await curves(), 13);
  assert.deepEqual(await troubles(view), []);
  await view.close();
}

async function comparison(browser, results) {
  await results.must("report", "oblique-plate.out", "wall.out", "-o", "both.html");
  const view = await open(browser, join(results.folder, "both.html"), { width: 390, height: 844 });
  const { page } = view;
  assert.equal((await shownVerdict(page)).headline, "Contact solves certified");
  for (const name of ["wall.out", "oblique-plate.out"]) await on.chooseRun(page, name);
  assert.deepEqual(await overflow(page), []);
  assert.deepEqual(await troubles(view), []);
  await view.close();
}
