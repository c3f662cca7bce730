// SPDX-License-Identifier: Apache-2.0
// What can be done on a page beside playing it: by the keyboard and with the controls of the player.

import assert from "node:assert/strict";
import { open, troubles } from "./browser.mjs";
import * as on from "./controls.mjs";
import { difference } from "./image.mjs";
import { keyboardTrouble } from "./layout.mjs";

/** Tests of one example each. */
export const useTests = [
  { name: "two-bars", test: (t, browser, { file }) => t.test("two-bars: by the keyboard alone", () => byKeyboard(browser, file)) },
  { name: "oblique-plate", test: (t, browser, { file }) => t.test("oblique-plate: the controls of the player", () => playerControls(browser, file)) },
  { name: "oblique-plate", test: (t, browser, { file }) => t.test("oblique-plate: a click in the map of statuses moves the time", () => statusMap(browser, file)) },
];

async function byKeyboard(browser, file) {
  const view = await open(browser, file);
  const { page } = view;
  assert.deepEqual(await keyboardTrouble(page), []);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Home");
  await page.keyboard.press("Space");
  await on.frameAfter(page, 2);
  await page.keyboard.press("Space");
  const stopped = await on.time(page);
  await page.waitForTimeout(60);
  assert.equal(await on.time(page), stopped);
  await choosesByKeyboard(page);
  assert.deepEqual(await troubles(view), []);
  await view.close();
}

// Another run, and the other colours.
async function choosesByKeyboard(page) {
  const second = page.locator(".runs button").nth(1);
  await second.focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
  assert.equal(await second.getAttribute("aria-pressed"), "true");
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await background();
  await page.getByRole("button", { name: /dark/i }).focus();
  await page.keyboard.press("Enter");
  await on.settle(page);
  assert.notEqual(await background(), before, "the colours do not change");
}

async function playerControls(browser, file) {
  const view = await open(browser, file);
  const { page } = view;
  await on.setTime(page, 1e-3);
  let before = await on.pictureOf(on.picture(page));
  const changes = async (what, act) => {
    await act();
    await on.settle(page);
    const after = await on.pictureOf(on.picture(page));
    assert.ok(difference(before, after) > 1e-4, `${what} changes nothing`);
    before = after;
  };
  const player = page.locator("#panel-player");
  await changes("another field", () => on.chooseField(page, "velocity"));
  await changes("contact status", () => on.chooseField(page, "status"));
  await changes("von Mises", () => on.chooseField(page, "von_mises"));
  await changes("the mesh", () => player.getByLabel("Mesh").click());
  await changes("contact forces", () => player.getByLabel("Contact forces").click());
  await changes("the shape at rest", () => player.getByLabel("Shape at rest").click());
  await changes("larger displacements", () => player.getByLabel(/larger/).fill("0.5"));
  await changes("zoom", () => player.getByRole("button", { name: "Zoom in" }).click());
  await changes("reset", () => player.getByRole("button", { name: "Reset view" }).click());
  const legend = await player.locator(".player-under").textContent();
  assert.match(legend, /\[.*N\/m/, `the legend has no unit: ${legend}`);
  await player.getByText("This frame in numbers").click();
  await page.waitForFunction(() => document.querySelectorAll("#panel-player table tbody tr").length > 0);
  assert.deepEqual(await troubles(view), []);
  await view.close();
}

async function statusMap(browser, file) {
  const view = await open(browser, file);
  const { page } = view;
  const map = on.statusMap(page);
  await map.scrollIntoViewIfNeeded();
  const box = await map.boundingBox();
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.4 * box.height);
  const now = await on.time(page);
  assert.ok(now > 1e-3 && now < 2e-3, `a click in the middle leads to ${now}`);
  assert.match(await page.textContent("#panel-status"), /slip/);
  assert.ok((await page.pdf()).length > 20000, "an empty print");
  assert.deepEqual(await troubles(view), []);
  await view.close();
}
