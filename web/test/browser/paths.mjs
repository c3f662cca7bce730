// SPDX-License-Identifier: Apache-2.0
// Panels of paths and of stability, on pages that are open already.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { troubles } from "./browser.mjs";
import * as on from "./controls.mjs";
import { difference, drawn } from "./image.mjs";

/** Tests of one example each; all others must not have the panel of stability unless they have such a step. */
const tests = { "block-on-plane": blockOnPlane, "mode-coupling": modeCoupling, "seal-simple": sealSimple };

export async function testPaths(t, view, results, example) {
  const { name } = example;
  await t.test(`${name}: stability is shown where there is any`, () => shownWhereThere(view));
  if (Object.hasOwn(tests, name)) await t.test(`${name}: its path and its modes`, () => tests[name](view, results, example));
}

async function shownWhereThere({ page }) {
  const { steps, panel, failed } = await page.evaluate(() => ({
    steps: JSON.parse(document.querySelector("#report").textContent).runs[0].stability.length,
    panel: Boolean(document.querySelector("#panel-stability")),
    failed: [...document.querySelectorAll(".failed")].map((e) => e.textContent),
  }));
  assert.equal(panel, steps > 0);
  assert.deepEqual(failed, []);
}

const rows = (page) => page.locator("#panel-path tbody tr");
const selected = (page) => page.locator("#panel-path tr[aria-selected=true]");
const marks = (page) => page.locator("#panel-stability figure", { hasText: "Spectrum of status" }).locator(".chart-mark");
const shape = (page) => page.locator("#panel-stability figure.shape:not(.sweep-modes *)");
const unstable = (page) => page.locator("#panel-stability > .unstable-modes tbody tr");
const numberOf = async (page) => Number(await selected(page).locator("td").first().textContent());

function table(results, ...path) {
  const [head, ...lines] = readFileSync(join(results.folder, ...path), "utf8").trim().split("\n");
  const names = head.split(",").map((name) => name.replace(/ \[.*/, ""));
  return lines.map((line) => Object.fromEntries(line.split(",").map((x, k) => [names[k], Number(x)])));
}

async function blockOnPlane(view, results, { out }) {
  const { page } = view;
  const statuses = table(results, out, "history", "table.csv");
  assert.equal(await rows(page).count(), statuses.length);
  await rowsLeadThere(page, statuses);
  await clicksLeadThere(page, statuses);
  await unstablePartsAreMarked(page);
  await modesMove(page);
  await otherSteps(page, statuses.length);
  assert.deepEqual(await troubles(view), []);
}

// A click on a row, then keys.
async function rowsLeadThere(page, statuses) {
  await rows(page).nth(1).click();
  assert.equal(await on.time(page), statuses[1].t);
  assert.equal(await numberOf(page), 2);
  const cells = await selected(page).locator("td").allTextContents();
  assert.deepEqual([cells[2], cells[3], cells[4], cells[7], cells[10].trim()], ["20", "1", "0", "57", "flutter"]);
  assert.match(await page.textContent("#panel-path .path-words"), /Status 2 of \d+.*flutter.*block\.\d+ slips/);
  assert.match(await page.textContent("#panel-stability"), /Spectrum of status 2/);
  // the strongest first; the first that flutters is among them
  assert.equal(await shape(page).getAttribute("data-shape"), "2:146");
  const growths = (await unstable(page).locator("td:nth-child(3)").allTextContents()).map(Number);
  assert.ok(growths.length > 1 && growths.every((growth, k) => k === 0 || growth <= growths[k - 1]), `not sorted by growth: ${growths}`);
  // shapes are written of the twelve strongest and of the first that flutters
  const shaped = await unstable(page).evaluateAll((all) => all.map((row) => [row.firstChild.textContent, row.lastChild.textContent === "\u2713"]));
  assert.deepEqual(shaped.slice(0, 2).map(([mode]) => mode), ["146", "566"]);
  for (const [k, [mode, has]] of shaped.entries()) assert.equal(has, k < 12 || mode === "57", `shape of unstable mode ${mode}, the ${k + 1}. strongest`);
  await unstable(page).filter({ has: page.locator("td:first-child", { hasText: /^57$/ }) }).click();
  await on.settle(page);
  assert.equal(await shape(page).getAttribute("data-shape"), "2:57");
  await selected(page).focus();
  await page.keyboard.press("ArrowDown");
  await on.settle(page);
  assert.deepEqual([await numberOf(page), await on.time(page)], [3, statuses[2].t]);
  assert.match(await shape(page).textContent(), /Only modes that grow have shapes/);
  await page.keyboard.press("End");
  assert.equal(await numberOf(page), statuses.length);
}

async function clicksLeadThere(page, statuses) {
  const plot = page.locator("#panel-path .u-over").first();
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.click(box.x + 0.25 * box.width, box.y + 0.5 * box.height);
  await page.mouse.move(5, 5);
  await on.settle(page);
  const now = await on.time(page);
  const there = statuses.findIndex(({ t, end }) => t <= now && now < end);
  assert.ok(there > 2, `a click leads to t = ${now}`);
  assert.equal(await numberOf(page), there + 1);
}

// Colours of flutter behind the force, none in the plot of contacts.
async function unstablePartsAreMarked(page) {
  const shares = await page.evaluate(() =>
    [...document.querySelectorAll("#panel-path .uplot canvas")].map((canvas) => {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] > 150 && data[i] - data[i + 2] > 100 && data[i + 1] < 170) count++;
      return count / (data.length / 4);
    }),
  );
  assert.ok(shares[0] > 0.01, `unstable parts are not marked: ${shares}`);
  assert.match(await page.textContent("#panel-path .legend-marks"), /flutter/);
}

async function modesMove(page) {
  await rows(page).nth(6).click();
  await on.settle(page);
  await unstable(page).filter({ has: page.locator("td:first-child", { hasText: /^3$/ }) }).click();
  await on.settle(page);
  const playing = shape(page).getByRole("button", { name: /Pause/ });
  if (await playing.count()) await playing.click();
  const few = await marks(page).count();
  const mode = marks(page).and(page.locator('[aria-pressed="true"]'));
  assert.match(await mode.getAttribute("aria-label"), /Mode 3 flutters: frequency 780\.74 Hz, growth 242\.1.*damping ratio -0\.0987/);
  await playsMode(page, mode);
  await page.getByLabel(/All \d+ modes/).check();
  await on.settle(page);
  assert.ok((await marks(page).count()) > few, "no more marks");
  await page.getByLabel(/All \d+ modes/).uncheck();
}

// By Enter on a mark of the spectrum; then it stops again.
async function playsMode(page, mode) {
  const canvas = shape(page).locator("canvas").first();
  await canvas.scrollIntoViewIfNeeded();
  const still = await on.pictureOf(canvas);
  const { colours, share } = drawn(still);
  assert.ok(colours >= 4 && share > 0.05, `no shape: ${colours} colours on ${(100 * share).toFixed(1)} %`);
  const amplitude = shape(page).getByLabel(/Amplitude/);
  await amplitude.fill("15");
  await on.settle(page);
  assert.ok(difference(still, await on.pictureOf(canvas)) > 1e-4, "the amplitude changes nothing");
  await mode.press("Enter");
  const phase = await pauseInMotion(page);
  await amplitude.fill("6");
  await on.settle(page);
  assert.ok(difference(still, await on.pictureOf(canvas)) > 1e-4, "the mode does not move");
  assert.equal(await shape(page).getAttribute("data-phase"), phase, "pause does not stop it");
}

// Half a period away from where it began, or so: with a full period it would look as at first.
async function pauseInMotion(page) {
  const label = shape(page).locator("canvas").first();
  for (;;) {
    await page.waitForFunction(() => Number(document.querySelector("#panel-stability figure.shape:not(.sweep-modes *)").dataset.phase) > 5, null, { timeout: 20000 });
    await shape(page).getByRole("button", { name: /Pause/ }).click();
    const [, at, of] = (await label.getAttribute("aria-label")).match(/phase (\d+) of (\d+)/).map(Number);
    if (at > of / 6 && at < (5 * of) / 6) return String(at);
    await shape(page).getByRole("button", { name: /Play/ }).click();
  }
}

async function otherSteps(page, count) {
  const steps = page.locator("#panel-path select");
  await steps.selectOption({ label: "stuck (1)" });
  await on.settle(page);
  assert.equal(await rows(page).count(), 1);
  assert.match(await page.textContent("#panel-stability"), /Spectrum of status 1/);
  await steps.selectOption({ label: `table (${count})` });
  await on.settle(page);
  assert.equal(await rows(page).count(), count);
}

// Modes meet between two cases: first nothing grows, then one flutters.
async function modeCoupling(view) {
  const { page } = view;
  assert.match(await page.textContent("#panel-path .path-words"), /no growth/i);
  assert.equal(await marks(page).count(), 2);
  assert.equal(await shape(page).getAttribute("data-shape"), null);
  await on.chooseRun(page, "0.9");
  await on.settle(page);
  assert.match(await page.textContent("#panel-path .path-words"), /flutter/);
  assert.equal(await marks(page).count(), 1, "a pair is one mark");
  assert.equal(await shape(page).getAttribute("data-shape"), "1:1");
  await playsMode(page, marks(page).first());
  const sweeps = await page.evaluate(() => JSON.parse(document.querySelector("#report").textContent).runs[3].stability.filter((step) => step.sweep).length);
  const charts = page.locator("#panel-stability figure", { hasText: " over mu" });
  assert.equal(await charts.count(), 2 * sweeps);
  const sweepShapes = page.locator("#panel-stability .sweep-modes figure.shape");
  assert.equal(await sweepShapes.count(), sweeps);
  if (sweeps > 0) assert.equal(await sweepShapes.first().getAttribute("data-shape"), "13:1");
  if (sweeps > 0) assert.match(await page.textContent("#panel-stability .sweep-events"), /modes meet at 0\.67347/);
  assert.deepEqual(await troubles(view), []);
}

// From pressing to sound: each part of the study has its panel and says what it found.
async function sealSimple(view) {
  const { page } = view;
  const panel = page.locator("#panel-stability");
  assert.match(await panel.locator(".sweep-verdict").textContent(), /Flutters from mu = 0\.3373 at 1283 Hz/);
  const titles = await page.locator(".story a").allTextContents();
  assert.deepEqual(titles.filter((title) => ["press", "slide", "map", "modes", "flutter", "squeal", "Sound"].includes(title)), ["press", "slide", "map", "modes", "flutter", "squeal", "Sound"]);
  const mode = marks(page).and(page.locator('[aria-pressed="true"]'));
  assert.match(await mode.getAttribute("aria-label"), /Mode 2 flutters: frequency 1333\.5 Hz, growth 487/);
  assert.equal(await shape(page).getAttribute("data-shape"), "1:2");
  assert.match(await page.textContent("#panel-signals"), /dominant frequency 12\d\d/);
  assert.equal(await page.locator("#panel-portraits .chart").count(), 2);
  assert.match(await page.textContent("#panel-contacts"), /contact nodes, in the mean .* lift off/);
  await page.waitForFunction(() => Math.abs(document.querySelector("#panel-sound audio").duration - 2) < 0.1, null, { timeout: 20000 });
  assert.deepEqual(await troubles(view), []);
}
