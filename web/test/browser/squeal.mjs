// SPDX-License-Identifier: Apache-2.0
// The page of a squeal study: a sliding block flutters, with signals, portraits, statistics and a sound that are made up.

import assert from "node:assert/strict";
import { cpSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { addSqueal, squeal } from "../squeal.mjs";
import { open, troubles } from "./browser.mjs";
import * as on from "./controls.mjs";
import { looksRight, printed } from "./examples.mjs";
import { difference } from "./image.mjs";
import { sliding } from "./models.mjs";

const [begin, end] = [1.065, 1.089];

/** All of it on one page; `example` is that of block-flutter. */
export async function testSqueal(t, browser, results, example) {
  const file = await t.always("squeal: has a page", () => pageOf(results, example));
  if (!file) return;
  const view = await open(browser, file);
  await t.test("squeal: tells its steps in order", () => tellsStory(view));
  await t.test("squeal: names peaks and what was predicted", () => namesPeaks(view));
  await t.test("squeal: portraits of a window of time", () => drawsPortraits(view));
  await t.test("squeal: time in stick, slip and apart", () => drawsBars(view));
  await t.test("squeal: is heard, and the cursor moves", () => plays(view, join(results.folder, "squeal.out")));
  await t.test("squeal: by the keyboard alone", () => byKeyboard(view));
  await t.test("squeal: printed", () => printed(view));
  await t.test("squeal: wide, dark and narrow", () => allSizes(view));
  await view.close();
}

/** A map of steady sliding says where it flutters, and its states lead there. */
export function testSliding(t, browser, results) {
  return t.test("sliding: a map of states that are found directly", async () => {
    await results.must("run", results.write("sliding.yaml", sliding), "-o", "sliding.out", "--quiet");
    const view = await open(browser, await results.page("sliding.out"));
    const { page } = view;
    const panel = page.locator("#panel-stability");
    assert.match(await panel.locator(".sweep-verdict").textContent(), /map: Flutters from mu = 0\.6735 at 0\.2475 Hz; growth up to 0\.229\d 1\/s/);
    assert.match(await page.textContent(".story"), /Slides steadily.*Are states of slide stable\? Growth begins at mu = 0\.6735 at 0\.2475 Hz/);
    const states = panel.locator(".chart-mark");
    assert.equal(await states.count(), 13);
    await panel.locator('[data-mark="9"]').focus();
    await page.keyboard.press("Enter");
    await on.settle(page);
    assert.match(await panel.locator('[data-mark="9"]').getAttribute("aria-label"), /mu = 0\.9: growth 0\.1527 1\/s at 0\.2501 Hz/);
    assert.ok(Math.abs((await on.time(page)) - (1 + 10 / 13)) < 1e-6, `a state leads to t = ${await on.time(page)}`);
    assert.equal(await panel.locator(".chart-dot").count(), 2);
    assert.deepEqual(await troubles(view), []);
    await view.close();
  });
}

async function pageOf(results, { out }) {
  const folder = join(results.folder, "squeal.out");
  cpSync(realpathSync(join(results.folder, out, "cases", "2e-5")), folder, { recursive: true });
  addSqueal(folder, { step: "free", begin, end });
  return results.page("squeal.out", "--force");
}

async function tellsStory(view) {
  const { page } = view;
  const panels = await page.evaluate(() => [...document.querySelectorAll("section.panel")].map((e) => e.id.replace("panel-", "")));
  const wanted = ["study", "player", "path", "stability", "signals", "portraits", "contacts", "sound"];
  assert.deepEqual(panels.filter((id) => wanted.includes(id)), wanted);
  const titles = await page.locator(".story a").allTextContents();
  assert.deepEqual(titles, ["press", "drag", "judge", "free", "squeal", "Phase portraits", "Contact", "Sound"]);
  assert.match(await page.textContent(".story"), /mode 5 at 696\.53 Hz, growth 634\.7 1\/s.*predicted 634\.7 1\/s at 696\.53 Hz, measured 63\d/);
  await page.locator(".story a", { hasText: "free" }).click();
  await on.settle(page);
  assert.ok(Math.abs((await on.time(page)) - begin) < 1e-9, "a step leads to where it begins");
  await page.locator(".story a", { hasText: "Sound" }).focus();
  await page.keyboard.press("Enter");
  await on.settle(page);
  const top = await page.evaluate(() => document.querySelector("#panel-sound").getBoundingClientRect().top);
  assert.ok(top < 700, `the panel is at ${top}`);
  assert.deepEqual(await troubles(view), []);
}

async function namesPeaks(view) {
  const { page } = view;
  const panel = page.locator("#panel-signals");
  const marks = panel.locator(".chart-mark");
  assert.equal(await marks.count(), 3);
  assert.match(await panel.locator('[data-mark="0"]').getAttribute("aria-label"), /Peak 1: 690 Hz, amplitude 0\.4 mm\/s: 0\.94 % below mode 5 \(696\.53 Hz\)/);
  await panel.locator('[data-mark="1"]').focus();
  await page.keyboard.press("Enter");
  assert.match(await panel.textContent(), /Peak 2 of 3: 1380 Hz.*2 times the highest peak/);
  assert.match(await panel.locator(".chart-place title").first().textContent(), /mode 5 is predicted at 696\.53 Hz/);
  assert.match(await panel.textContent(), /limit cycle: periodic, dominant frequency 690 Hz, period 0\.0014493 s/);
  const chart = panel.locator(".chart").first();
  let before = await on.pictureOf(chart);
  for (const [what, act] of [
    ["decibels", () => panel.getByLabel("Decibels").uncheck()],
    ["all frequencies", () => panel.locator("select").selectOption({ label: "all frequencies" })],
  ]) {
    await act();
    await on.settle(page);
    const after = await on.pictureOf(chart);
    assert.ok(difference(before, after) > 1e-4, `${what} changes nothing`);
    before = after;
  }
  assert.match(await chart.textContent(), /amplitude \[mm\/s\]/);
  await panel.getByLabel("Decibels").check();
}

async function drawsPortraits(view) {
  const { page } = view;
  const panel = page.locator("#panel-portraits");
  assert.equal(await panel.locator(".chart").count(), 2);
  const told = panel.locator("output");
  assert.match(await told.textContent(), /t = 1\.0794\d* to 1\.0890\d* s/);
  const chart = panel.locator(".chart").first();
  const cycle = await on.pictureOf(chart);
  await panel.getByRole("button", { name: "All" }).click();
  assert.match(await told.textContent(), /t = 1\.0650\d* to/);
  assert.ok(difference(cycle, await on.pictureOf(chart)) > 1e-3, "the whole motion looks like its end");
  await panel.getByLabel("Window from").fill("1.088");
  assert.match(await told.textContent(), /t = 1\.0880\d* to 1\.0890/);
  await panel.getByLabel("Window to").fill("1.07");
  const [from, to] = [...(await told.textContent()).matchAll(/1\.\d+/g)].map(Number);
  assert.ok(from < to && to <= 1.0701, `one end pushes the other: ${from}, ${to}`);
  await panel.getByRole("button", { name: "What it becomes" }).click();
  await on.setTime(page, 1.0);
  assert.equal(await panel.locator(".chart-dot").count(), 0);
  await on.setTime(page, 1.085);
  const place = () => panel.locator(".chart-dot").first().getAttribute("cx");
  const at = await place();
  await on.setTime(page, 1.0853);
  assert.notEqual(await place(), at, "the dot does not move with the clock");
  assert.deepEqual(await troubles(view), []);
}

async function drawsBars({ page }) {
  const panel = page.locator("#panel-contacts");
  const titles = await panel.locator("svg title").allTextContents();
  assert.equal(titles.length, squeal.nodes);
  assert.match(titles[8], /block\.9: sticks 24 %, slips 44 %, is apart 32 % of the time/);
  const heights = await panel.locator("svg g").last().locator("rect").evaluateAll((all) => all.map((rect) => Number(rect.getAttribute("height"))));
  const sum = heights.reduce((a, b) => a + b);
  assert.ok(Math.abs(heights[2] / sum - 0.32) < 1e-6, `${heights}`);
  await panel.getByText("contact nodes in numbers").click();
  assert.equal(await panel.locator("tbody tr").count(), squeal.nodes);
  assert.match(await panel.textContent(), /9 contact nodes, in the mean .* 4 of them lift off, with 70 impacts/);
}

async function plays(view, folder) {
  const { page } = view;
  const panel = page.locator("#panel-sound");
  const wave = panel.locator(".wave");
  await page.waitForFunction(() => document.querySelector("audio").readyState > 0, null, { timeout: 20000 });
  assert.ok(Math.abs((await page.evaluate(() => document.querySelector("audio").duration)) - squeal.seconds) < 1e-3);
  const still = await on.pictureOf(wave);
  await page.evaluate(() => document.querySelector("audio").play());
  await page.waitForFunction(() => Number(document.querySelector(".wave").getAttribute("aria-valuenow")) > 0.1, null, { timeout: 20000 });
  await page.evaluate(() => document.querySelector("audio").pause());
  assert.ok(difference(still, await on.pictureOf(wave)) > 1e-4, "the cursor does not move");
  const box = await wave.boundingBox();
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  const place = () => page.evaluate(() => document.querySelector("audio").currentTime);
  assert.ok(Math.abs((await place()) - 0.5 * squeal.seconds) < 0.02, "a click in the middle leads there");
  const clock = await on.time(page);
  await wave.press("ArrowRight");
  assert.ok((await place()) > 0.51 * squeal.seconds, "the keys do not lead on");
  assert.equal(await on.time(page), clock, "the keys of the sound move the clock");
  const [saved] = await Promise.all([page.waitForEvent("download"), panel.getByRole("button", { name: /Download/ }).click()]);
  assert.equal(saved.suggestedFilename(), "squeal.wav");
  assert.deepEqual(readFileSync(await saved.path()), readFileSync(join(folder, "squeal.wav")), "not the same sound");
  assert.deepEqual(await troubles(view), []);
}

// From the wave on, through what stands behind it; the player itself is the browser's.
async function byKeyboard({ page }) {
  await page.locator(".wave").focus();
  const names = [];
  for (let k = 0; k < 3; k++) {
    await page.keyboard.press("Tab");
    names.push(await page.evaluate(() => (document.activeElement.closest("label") ?? document.activeElement).textContent));
  }
  assert.match(names.join(" | "), /^Speed.* \| Repeat \| Download/);
  const from = page.getByLabel("Window from");
  const before = await from.inputValue();
  await from.press("ArrowLeft");
  assert.notEqual(await from.inputValue(), before);
}

async function allSizes(view) {
  const { page } = view;
  await on.setTime(page, 1.08);
  await looksRight(view);
  await page.emulateMedia({ colorScheme: "dark" });
  await on.settle(page);
  await looksRight(view);
  await page.setViewportSize({ width: 390, height: 844 });
  await on.settle(page);
  await looksRight(view);
}
