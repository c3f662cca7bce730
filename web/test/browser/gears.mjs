// SPDX-License-Identifier: Apache-2.0
// Pages of gears and mechanisms: the mesh cycle, the map of a study, what a mechanism does along its trajectory.

import assert from "node:assert/strict";
import { open, troubles } from "./browser.mjs";
import * as on from "./controls.mjs";

/** gear-pair: charts follow the clock, a position that is pressed leads it. */
export async function testGearPair(t, browser, example) {
  await t.test("gear-pair: the mesh cycle", async () => {
    const view = await open(browser, example.file);
    const { page } = view;
    const panel = page.locator("#panel-gears");
    assert.match(await panel.locator(".signal-words").textContent(), /^20 to 20 teeth, transmission error .* in on the mean, .* contact ratio 1\.22, under load/);
    const titles = await panel.locator("figcaption").allTextContents();
    for (const title of ["Transmission error", "Share of the load", "Input torque", "Stiffness by face width", "Harmonics of the transmission error"])
      assert.ok(titles.includes(title), `${title} is not among ${titles}`);
    await panel.locator('[data-mark="25"]').first().focus();
    await page.keyboard.press("Enter");
    await on.settle(page);
    assert.ok(Math.abs((await on.time(page)) - 0.5) < 1e-6, `the pitch point is at t = ${await on.time(page)}`);
    assert.equal(await panel.locator(".chart-dot").count(), 6);
    assert.equal(await page.locator("#panel-energy").count(), 0, "energies that are all zero have no panel");
    const lines = panel.locator("figure", { hasText: "Transmission error" }).first().locator(".chart-line");
    const box = panel.locator('input[type="checkbox"]');
    await box.setChecked(false);
    const alone = await lines.count();
    await box.setChecked(true);
    assert.equal(await lines.count(), alone + 3, "other cases are drawn");
    assert.deepEqual(await troubles(view), []);
    await view.close();
  });
}

/** tip-relief: a cell of the map for each case, which leads to it. */
export async function testTipRelief(t, browser, example) {
  await t.test("tip-relief: a map of torque and relief", async () => {
    const view = await open(browser, example.file);
    const { page } = view;
    const cells = page.locator("#panel-gear-map .heat-cell");
    assert.equal(await cells.count(), 9);
    const named = await cells.evaluateAll((all) => all.map((cell) => cell.getAttribute("aria-label")));
    assert.match(named[8], /^relief 0\.015, torque 600: .* mm; shows this case$|^torque 600, relief 0\.015: .* mm; shows this case$/);
    await cells.nth(8).click();
    await page.waitForFunction(() => document.documentElement.dataset.ready === "true" && document.querySelector(".run-verdict")?.textContent.includes("600-0.015"));
    assert.equal(await page.locator('#panel-gear-map .heat-cell[aria-pressed="true"]').count(), 1);
    await page.locator("#panel-gear-map select").selectOption({ label: "efficiency" });
    assert.match(await page.locator("#panel-gear-map figcaption").textContent(), /^efficiency/);
    assert.deepEqual(await troubles(view), []);
    await view.close();
  });
}

/** cam-follower: curves of contact and frames. */
export async function testCam(t, browser, example) {
  await t.test("cam-follower: along its trajectory", async () => {
    const view = await open(browser, example.file);
    const titles = await view.page.locator("#panel-mechanism figcaption").allTextContents();
    assert.deepEqual(titles.slice(0, 2), ["Normal force [N]", "Friction [N]"]);
    assert.ok(!titles.some((title) => title.startsWith("Free rotation")), "what stays zero has no plot");
    assert.deepEqual(await troubles(view), []);
    await view.close();
  });
}
