// SPDX-License-Identifier: Apache-2.0
// Rigid bodies on pages that are open already: they are where the results say, with their contacts and the ledger.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { open, troubles } from "./browser.mjs";
import * as on from "./controls.mjs";
import { difference, drawn } from "./image.mjs";

/** Histories of positions that the page must show, too: of which body, which component. */
const followed = {
  pillar: [["left", "half[0,0]", 0], ["right", "half[1,0]", 0]],
  "spheres-in-a-box": [["top", "ball[0,0,3]", 2]],
  "crank-slider": [["place", "piston", 0], ["height", "piston", 1]],
};

export async function testRigid(t, browser, view, results, example) {
  const { name } = example;
  if (!Object.hasOwn(followed, name)) return;
  await t.test(`${name}: bodies and contacts are those of the results`, () => follows(view, results, example));
  await t.test(`${name}: dissipation and works are those of the ledger`, () => ledger(view, results, example));
  await t.test(`${name}: contacts, chains and joints can be switched`, () => switches(view));
  if (name !== "crank-slider") await t.test(`${name}: without WebGL`, () => withoutWebgl(browser, results, example));
}

// A table of the results by the names of its columns.
function table(results, out, name) {
  const [head, ...lines] = readFileSync(join(results.folder, out, "history", `${name}.csv`), "utf8").trim().split("\n");
  const names = head.split(",").map((text) => text.replace(/ \[.*/, ""));
  return lines.map((line) => Object.fromEntries(line.split(",").map((x, k) => [names[k], Number(x)])));
}

const at = (rows, time) => rows.reduce((best, row) => (Math.abs(row.t - time) < Math.abs(best.t - time) ? row : best));

function frames(results, out) {
  const text = readFileSync(join(results.folder, out, "contacts.pvd"), "utf8");
  return [...text.matchAll(/timestep="([^"]+)".*?file="([^"]+)"/g)].map(([, time, file]) => ({ time: Number(time), file }));
}

const shownContacts = (page) =>
  page.evaluate(() => document.querySelector("#panel-player").dataset.contacts.split(" ").map(Number));

async function follows(view, results, example) {
  const { page } = view;
  const all = frames(results, example.out);
  await page.locator("#panel-player summary", { hasText: "This frame in numbers" }).click();
  for (const share of [0, 0.4, 1]) {
    const { time, file } = all[Math.round(share * (all.length - 1))];
    await on.setTime(page, time);
    await contactsAgree(page, results, example, time, file);
    await positionsAgree(page, results, example, time);
  }
  assert.deepEqual(await troubles(view), []);
}

// As many as the file has, and as the book of contacts says.
async function contactsAgree(page, results, { out }, time, file) {
  const text = readFileSync(join(results.folder, out, file), "utf8");
  const [apart, sticking, slipping] = await shownContacts(page);
  assert.equal(apart + sticking + slipping, Number(/NumberOfPoints="(\d+)"/.exec(text)[1]), `contacts at ${time}`);
  if (time === 0) return;
  const book = at(table(results, out, "contact"), time);
  assert.deepEqual([sticking, slipping], [book.sticking, book.slipping], `contacts at ${time}`);
}

async function positionsAgree(page, results, { name, out }, time) {
  const words = await on.timeText(page);
  await page.waitForFunction((wanted) => document.querySelector(".player-spoken").textContent === wanted, await page.textContent(".player-frame"));
  for (const [history, body, component] of followed[name]) {
    const expected = at(table(results, out, history), time)[history];
    const shown = await page.evaluate((wanted) => {
      const rows = [...document.querySelectorAll("#panel-player .bodies-now tbody tr")];
      return rows.find((row) => row.firstElementChild.textContent === wanted).children[1].textContent;
    }, body);
    const number = Number(/\(([^)]*)\)/.exec(shown)[1].split(", ")[component].replace("\u2212", "-"));
    const span = Math.max(...table(results, out, history).map((row) => Math.abs(row[history])));
    assert.ok(Math.abs(number - expected) <= 2e-3 * span, `${history} at ${words} is ${expected}, but ${body} is shown at ${shown}`);
  }
}

// The legends of the curves at the end, as numbers.
async function legendOf(page, heading) {
  const figure = page.locator("#panel-energy figure", { has: page.locator("figcaption", { hasText: new RegExp(`^${heading} \\[`) }) });
  return figure.evaluate((e) => [...e.querySelectorAll(".legend button")].map((button) => button.textContent));
}

async function ledger(view, results, example) {
  const { page } = view;
  await page.keyboard.press("End");
  await on.settle(page);
  const last = table(results, example.out, "energy").at(-1);
  const wanted = [
    ["dissipated", { "by impact": "impact", "by friction": "friction", structural: "structural", frictional: "frictional" }],
    ["work", { gravity: "external", "of obstacles": "obstacles", "of joints": "joints" }],
  ];
  for (const [heading, terms] of wanted) {
    const legend = await legendOf(page, heading);
    for (const [word, column] of Object.entries(terms)) {
      const text = legend.find((entry) => entry.includes(word));
      if (!last[column]) continue;
      assert.ok(text, `${heading}: no ${word} in ${legend.join(" | ")}`);
      const number = Number(/(-?[\d.]+(?:e-?\d+)?) N m$/.exec(text.replace("\u2212", "-"))[1]);
      assert.ok(Math.abs(number - last[column]) <= 6e-4 * Math.abs(last[column]), `${text}, but the ledger says ${last[column]}`);
    }
  }
}

async function switches(view) {
  const { page } = view;
  const player = page.locator("#panel-player");
  const loaded = await page.evaluate(() => document.querySelector("#panel-player").dataset.contacts !== "0 0 0");
  let before = await on.pictureOf(on.picture(page));
  const changes = async (label) => {
    await player.getByLabel(label, { exact: true }).click();
    await on.settle(page);
    const after = await on.pictureOf(on.picture(page));
    assert.ok(difference(before, after) > 1e-5, `${label} changes nothing`);
    before = after;
  };
  if (loaded) for (const label of ["Contacts", "Force chains"]) await changes(label);
  else await changes("Joints");
  if (await player.getByLabel("See through").count()) await changes("See through");
  assert.equal(await player.getByLabel(/larger/).count(), 0, "rigid bodies would lose their shape");
  await pointing(page);
  assert.deepEqual(await troubles(view), []);
}

// Somewhere in the picture there is a body.
async function pointing(page) {
  const box = await on.picture(page).boundingBox();
  for (let k = 0; k < 40; k++) {
    await page.mouse.move(box.x + box.width * (0.5 + 0.35 * Math.sin(k)), box.y + box.height * (0.35 + (0.55 * k) / 40));
    if (/: position \(.*velocity \(.*turned by/.test(await page.textContent(".player-probe"))) return;
  }
  assert.fail("no body is told");
}

async function withoutWebgl(browser, results, example) {
  const view = await open(browser, example.file, { width: 390, height: 844, hash: "#canvas", dark: true });
  const { page } = view;
  assert.equal(await on.renderer(page), "canvas");
  await on.setTime(page, 0);
  const before = await on.pictureOf(on.picture(page));
  const { time, file } = frames(results, example.out).at(-1);
  await on.setTime(page, time);
  await contactsAgree(page, results, example, time, file);
  const after = await on.pictureOf(on.picture(page));
  assert.ok(drawn(after).colours >= 4, "nothing is drawn");
  assert.ok(difference(before, after) > 1e-3, "nothing moves");
  assert.deepEqual(await troubles(view), []);
  await view.close();
}
