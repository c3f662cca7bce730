// SPDX-License-Identifier: Apache-2.0
// Hands and eyes on a report page: the only place that knows where its controls are.

import { settle } from "./browser.mjs";
import { readPng } from "./image.mjs";

export { settle };

export const panelIds = ["study", "player", "histories", "energy", "path", "stability", "signals", "portraits", "contacts", "sound", "status", "statistics", "checks", "messages", "model"];

/** The clock's time. */
export function time(page) {
  return page.evaluate(() => Number(document.documentElement.dataset.time));
}

/** The frame that the player shows; the first is 1. */
export function frame(page) {
  return page.evaluate(() => Number(document.querySelector("#panel-player").dataset.frame));
}

/** Waits until the player shows a frame behind this one. */
export function frameAfter(page, number) {
  return page.waitForFunction((k) => Number(document.querySelector("#panel-player").dataset.frame) > k, number, { timeout: 20000 });
}

export function renderer(page) {
  return page.evaluate(() => document.querySelector("#panel-player").dataset.renderer);
}

/** The moment that the page shows: by its clock, in the player, by the lines of the histories, in words. */
export function moment(page) {
  return page.evaluate(() => ({
    now: Number(document.documentElement.dataset.time),
    shown: Number(document.querySelector("#panel-player").dataset.frame),
    lines: [...document.querySelectorAll("#panel-histories [data-time]")].map((e) => Number(e.dataset.time)),
    words: document.querySelector(".transport output").textContent,
  }));
}

export function timeText(page) {
  return page.textContent(".transport output");
}

export async function setTime(page, value) {
  await page.evaluate((at) => {
    const range = document.querySelector(".transport input[type=range]");
    range.value = String(at);
    range.dispatchEvent(new Event("input", { bubbles: true }));
  }, value);
  await settle(page);
}

export function play(page) {
  return page.locator(".transport .play", { hasText: "Play" }).click();
}

/** Stops it, unless it has come to its end by itself: asked and done in one turn of the page. */
export function pause(page) {
  return page.evaluate(() => {
    const button = document.querySelector(".transport .play");
    if (button.textContent.includes("Pause")) button.click();
  });
}

/** By its button, or from the list where there are many runs. */
export async function chooseRun(page, name) {
  const named = new RegExp(`\\s${name.replace(/[^\w]/g, "\\$&")}$`);
  await page.evaluate(() => delete document.documentElement.dataset.ready);
  const list = page.locator(".runs select");
  if (await list.count()) {
    const names = await list.locator("option").allTextContents();
    await list.selectOption({ index: names.findIndex((text) => named.test(text)) });
  } else {
    await page.locator(".runs button", { hasText: named }).click();
  }
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
}

/** What the page calls a field of the result files. */
export function fieldLabel(page, name) {
  if (name === "none") return name; // bodies in plain colours
  return page.evaluate((wanted) => {
    const { runs } = JSON.parse(document.querySelector("#report").textContent);
    return runs.find((run) => run.animation)?.animation.fields.find((field) => field.name === wanted)?.label;
  }, name);
}

/** Colours the player by a field. */
export async function chooseField(page, name) {
  const label = await fieldLabel(page, name);
  if (!label) throw new Error(`there is no field ${name}`);
  await page.locator("#panel-player label", { hasText: /^Colour/ }).locator("select").selectOption({ label });
  await settle(page);
}

/** The picture and the key to its colours and lengths. */
export function pictureAndKey(page) {
  return [page.locator("#panel-player .player-picture"), page.locator("#panel-player .player-under")];
}

/** For a picture of the picture. */
export function hideWordsAroundPicture(page) {
  return page.evaluate(() => {
    for (const words of document.querySelectorAll("#panel-player > p")) words.style.visibility = "hidden";
  });
}

/** What the player draws. */
export function picture(page) {
  return page.locator("#panel-player canvas").first();
}

export async function pictureOf(locator) {
  return readPng(await locator.screenshot());
}

/** The first plot of the histories, where it can be clicked. */
export function plot(page) {
  return page.locator("#panel-histories .u-over").first();
}

/** The plot of a history, with its heading and legend. */
export function plotNamed(page, name) {
  const words = name.replace(/_/g, " ");
  return page.locator("#panel-histories figure", { has: page.locator(`.plot[aria-label^="${words}"]`) }).first();
}

export function statusMap(page) {
  return page.locator("#panel-status canvas.status-map");
}
