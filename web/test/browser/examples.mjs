// SPDX-License-Identifier: Apache-2.0
// The pages of all examples, used as people use them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { open, troubles } from "./browser.mjs";
import * as on from "./controls.mjs";
import { drawnTexts } from "./drawn_texts.mjs";
import { difference, drawn } from "./image.mjs";
import { coveredPanels, faint, overflow, overlaps, unnamed } from "./layout.mjs";
import { testPaths } from "./paths.mjs";
import { testRigid } from "./rigid.mjs";
import { shownVerdict, verdictOf } from "./verdict.mjs";

/** What holds for one page in dark colours, on paper and without WebGL holds for all: two examples stand for them. */
const thorough = ["two-bars", "oblique-plate"];

/** To play, step and click is the same on all pages of a kind: one, two and three dimensions, cases, paths, rigid bodies, both kinds. */
const used = [...thorough, "elastic-blocks", "block-on-plane", "pillar", "spheres-in-a-box", "block-on-rubber"];

/** One page of each kind: its own tests, one or many cases, gears, cams, increments, stability, sound, meshes in two and three dimensions. */
const opened = [
  ...used, "arch", "block-damping", "block-meshes", "cam-follower", "crank-slider", "dominoes", "gear-pair", "geneva-drive", "hertz-line",
  "internal-gear", "modal-beam", "mode-coupling", "painleve-rod", "seal-1", "seal-simple", "squeak", "taylor-bar", "tip-relief", "wall-study",
];

/** STICKSLIP_TEST_FULL=1 opens the pages of all other examples, too (./run nightly). */
const full = Boolean(process.env.STICKSLIP_TEST_FULL);

/** All that is wanted of the page of one example. To open it takes the longest: tests share one view of it. */
export async function testExample(t, browser, results, example) {
  const { name } = example;
  if (!full && !opened.includes(name)) return;
  const cases = casesOf(results, example);
  const view = await open(browser, example.file);
  await t.test(`${name}: wide`, () => wide(view, results, example, cases));
  if (used.includes(name)) await t.test(`${name}: moves, and all panels show the same moment`, () => moves(view, results, example, cases));
  await testPaths(t, view, results, example);
  await testRigid(t, browser, view, results, example);
  if (thorough.includes(name)) await testThoroughly(t, browser, results, example, view, cases);
  await t.test(`${name}: narrow`, () => narrow(view));
  await view.close();
}

async function testThoroughly(t, browser, results, example, view, cases) {
  const { name } = example;
  if (cases.length) await t.test(`${name}: every run can be chosen`, () => everyRun(view, results, example, cases));
  await t.test(`${name}: dark`, () => dark(view));
  await t.test(`${name}: printed`, () => printed(view));
  await t.test(`${name}: opened narrow and dark`, () => openedNarrow(browser, example));
  await t.test(`${name}: drawn without WebGL`, () => withoutWebgl(browser, example));
}

// In the order of the file: an object would have whole numbers first.
function casesOf(results, example) {
  const names = Object.keys(results.summary(example.out).cases ?? {});
  const text = readFileSync(join(results.folder, example.out, "summary.json"), "utf8");
  const from = text.indexOf('"cases"');
  const place = (name) => text.indexOf(`${JSON.stringify(name)}:`, from);
  return names.sort((a, b) => place(a) - place(b));
}

function summariesOf(results, example, cases) {
  return cases.length ? cases.map((name) => results.summary(example.out, "cases", name)) : [results.summary(example.out)];
}

async function wide(view, results, example, cases) {
  const { page } = view;
  const summaries = summariesOf(results, example, cases);
  const shown = await shownVerdict(page);
  const { headline, level } = verdictOf(summaries, results.summary(example.out));
  assert.deepEqual([shown.headline, shown.level, shown.title], [headline, level, summaries[0].title]);
  assert.deepEqual(await missingPanels(page, ["player", "histories", "statistics", "checks", "model"]), []);
  await numbersAreThere(page, summaries[0].numbers);
  const [shownTime, lastTime] = await page.evaluate(() => [Number(document.documentElement.dataset.time), Number(document.querySelector(".scrub").max)]);
  assert.equal(shownTime, lastTime, "a page opens at the last state");
  await on.setTime(page, 0.4 * summaries[0].step.time);
  await looksRight(view);
}

// Every number of the summary is in one of two tables: those that are zero or none in one that opens.
async function numbersAreThere(page, numbers) {
  const names = (place) => page.locator(`#panel-statistics ${place} .numbers span[title]`).evaluateAll((all) => all.map((e) => e.title));
  const empty = Object.keys(numbers).filter((key) => numbers[key] === 0 || numbers[key] === null);
  const folded = await names("details");
  assert.deepEqual(folded, empty);
  assert.deepEqual((await names("")).filter((key) => !folded.includes(key)), Object.keys(numbers).filter((key) => !empty.includes(key)));
}

async function dark(view) {
  await view.page.emulateMedia({ colorScheme: "dark" });
  await on.settle(view.page);
  await looksRight(view);
}

// A window that becomes as narrow as a telephone.
async function narrow(view) {
  await view.page.setViewportSize({ width: 390, height: 844 });
  await on.settle(view.page);
  await looksRight(view);
}

async function openedNarrow(browser, example) {
  const view = await open(browser, example.file, { width: 390, height: 844, dark: true });
  await looksRight(view);
  await view.close();
}

/** Everything that holds for any page in any size and colour. */
export async function looksRight(view) {
  const { page } = view;
  assert.deepEqual(await overflow(page), [], "wider than the window");
  assert.deepEqual(await overlaps(page), [], "one over the other");
  assert.deepEqual(await coveredPanels(page), [], "one panel over another");
  assert.deepEqual(await unnamed(page), []);
  assert.deepEqual(await faint(page), [], "too little contrast");
  await plotsAreLabelled(page);
  const { colours, share } = drawn(await on.pictureOf(on.picture(page)));
  assert.ok(colours >= 4 && share > 0.01, `the player is empty: ${colours} colours on ${(100 * share).toFixed(1)} % of it`);
  assert.deepEqual(await troubles(view), []);
}

// Texts of axes stand free, whole and with a unit.
async function plotsAreLabelled(page) {
  const plots = await drawnTexts(page);
  assert.ok(plots.filter(({ axes }) => axes).length >= 2, "no plots");
  for (const { axes, texts, pairs, cut } of plots) {
    assert.deepEqual(pairs, [], "texts of a plot overlap");
    assert.deepEqual(cut, [], "texts of a plot are cut");
    if (axes) assert.ok(texts.some((text) => /\[[^\]]+\]/.test(text)), `no axis with a unit: ${texts.join(" | ")}`);
  }
}

function missingPanels(page, ids) {
  return page.evaluate((all) => all.filter((id) => !document.querySelector(`#panel-${id}`)?.checkVisibility()), ids);
}

// Times of the frames, from the files that the page was made of.
function frameTimes(results, example, name) {
  const folder = name ? join(example.out, "cases", name) : example.out;
  const text = readFileSync(join(results.folder, folder, "fields.pvd"), "utf8");
  return [...text.matchAll(/timestep="([^"]+)"/g)].map((match) => Number(match[1]));
}

async function moves(view, results, example, cases) {
  const { page } = view;
  const times = frameTimes(results, example, cases[0]);
  await plays(page, times);
  await steps(page, times);
  await clicks(page, times);
  assert.deepEqual(await troubles(view), []);
}

// The time to play from: a run of few frames takes seconds from one to the next.
function shortlyBefore(times, share) {
  const next = Math.max(1, times.findIndex((at) => at > share * times.at(-1)));
  return times[next] - Math.min(0.5 * (times[next] - times[next - 1]), 0.01 * times.at(-1));
}

async function plays(page, times) {
  await on.setTime(page, shortlyBefore(times, 0.3));
  const [before, frame, still] = [await on.time(page), await on.frame(page), await on.pictureOf(on.picture(page))];
  await on.play(page);
  await on.frameAfter(page, Math.min(frame, times.length - 1));
  await on.pause(page);
  assert.ok((await on.time(page)) > before);
  assert.ok(difference(still, await on.pictureOf(on.picture(page))) > 1e-4, "the picture does not change");
  const stopped = await on.time(page);
  await page.waitForTimeout(60);
  assert.equal(await on.time(page), stopped, "pause does not stop it");
}

async function steps(page, times) {
  await page.keyboard.press("Home");
  await agree(page, times, 0);
  const far = Math.min(3, times.length - 1);
  for (let i = 0; i < far; i++) await page.keyboard.press("ArrowRight");
  await agree(page, times, far);
  await page.keyboard.press("ArrowLeft");
  await agree(page, times, far - 1);
  await page.keyboard.press("End");
  await agree(page, times, times.length - 1);
}

// The clock, the words, the player and the lines of all histories.
async function agree(page, times, frame) {
  await on.settle(page);
  const { now, shown, lines, words } = await on.moment(page);
  assert.ok(Math.abs(now - times[frame]) <= 1e-9 * times.at(-1), `t = ${now}, but frame ${frame} is at ${times[frame]}`);
  assert.equal(shown, frame + 1);
  assert.ok(lines.length > 0 && lines.every((at) => at === now), `lines at ${lines}, clock at ${now}`);
  const written = Number(/-?[\d.]+(e[-+]?\d+)?/.exec(words.replace("\u2212", "-"))[0]);
  assert.ok(Math.abs(written - now) <= 0.01 * times.at(-1), `the words say ${words}, the clock ${now}`);
}

async function clicks(page, times) {
  const box = await on.plot(page).boundingBox();
  const line = await on.pictureOf(on.plot(page));
  await page.mouse.click(box.x + 0.6 * box.width, box.y + 0.5 * box.height);
  await page.mouse.move(5, 5);
  await on.settle(page);
  const now = await on.time(page);
  assert.ok(now > 0.5 * times.at(-1) && now < 0.7 * times.at(-1), `a click at 60 % leads to ${now} of ${times.at(-1)}`);
  assert.equal(await on.frame(page), times.filter((at) => at <= now * (1 + 1e-12)).length);
  assert.ok(difference(line, await on.pictureOf(on.plot(page))) > 0, "no line moves in the history");
}

async function withoutWebgl(browser, example) {
  const view = await open(browser, example.file, { width: 1000, height: 800, hash: "#canvas" });
  assert.equal(await on.renderer(view.page), "canvas");
  await drawsWithoutWebgl(view);
  await view.close();
}

/** Also used where the browser has no WebGL at all. */
export async function drawsWithoutWebgl(view) {
  const { page } = view;
  const before = await on.pictureOf(on.picture(page));
  const { colours, share } = drawn(before);
  assert.ok(colours >= 4 && share > 0.01, `the player is empty: ${colours} colours on ${(100 * share).toFixed(1)} % of it`);
  await page.keyboard.press("Home");
  await on.settle(page);
  assert.ok(difference(before, await on.pictureOf(on.picture(page))) > 1e-4, "the picture does not change");
  assert.match(await page.textContent("#panel-player"), /without WebGL/i);
  assert.deepEqual(await troubles(view), []);
}

/** All panels, no controls, black on white, also from a dark page. */
export async function printed(view) {
  const { page } = view;
  await page.emulateMedia({ colorScheme: "dark" });
  const there = await page.evaluate(() => [...document.querySelectorAll("section.panel")].map((e) => e.id.replace("panel-", "")));
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await on.settle(page);
  assert.deepEqual(await missingPanels(page, there), []);
  const { controls, paper } = await page.evaluate(() => ({
    // the legend of a plot is made of buttons
    controls: [...document.querySelectorAll("button:not(.legend *), input, select")].filter((e) => e.checkVisibility()).map((e) => e.outerHTML.slice(0, 60)),
    paper: getComputedStyle(document.body).backgroundColor,
  }));
  assert.deepEqual(controls, [], "controls in print");
  assert.match(paper, /255, 255, 255|rgba\(0, 0, 0, 0\)/, "not white");
  assert.deepEqual(await faint(page), [], "too little contrast in print");
  assert.deepEqual(await troubles(view), []);
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await on.settle(page);
}

async function everyRun(view, results, example, cases) {
  const { page } = view;
  for (const name of cases) {
    await on.chooseRun(page, name);
    await on.settle(page);
    const { headline } = verdictOf([results.summary(example.out, "cases", name)]);
    const words = await page.textContent(".run-verdict");
    assert.ok(words.includes(name) && words.includes(headline), `${name}: ${words}`);
    await page.keyboard.press("End");
    await agree(page, frameTimes(results, example, name), frameTimes(results, example, name).length - 1);
  }
  assert.deepEqual(await troubles(view), []);
}
