// SPDX-License-Identifier: Apache-2.0
// Pictures of a report: its player at a telling moment, and a telling curve; for light and for dark pages.

import { join } from "node:path";
import { open, troubles } from "../test/browser/browser.mjs";
import * as on from "../test/browser/controls.mjs";

/** White around what is shown, in pixels of the page. */
const margin = 12;

/** [{light, dark, width, height, alt, caption}] of the player and of the plot; paths are those within the site. */
export async function takePictures(browser, file, entry, out) {
  const pictures = [{ kind: "player" }, { kind: "plot" }];
  for (const shade of ["light", "dark"]) {
    const view = await open(browser, file, { width: 1200, height: 700, dark: shade === "dark", scale: 2 });
    await prepare(view.page, entry.pictures);
    const parts = { player: on.pictureAndKey(view.page), plot: [on.plotNamed(view.page, entry.pictures.plot)] };
    for (const picture of pictures) {
      picture[shade] = `${entry.name}/${picture.kind}-${shade}.png`;
      Object.assign(picture, await take(view.page, parts[picture.kind], join(out, picture[shade])));
    }
    const wrong = await troubles(view);
    if (wrong.length) throw new Error(`${entry.name}: ${wrong.join("\n")}`);
    await describe(view.page, pictures, entry);
    await view.close();
  }
  return pictures;
}

// One picture of all these parts.
async function take(page, parts, path) {
  const boxes = [];
  for (const part of parts) boxes.push(await part.evaluate((e) => {
    const { left, top, right, bottom } = e.getBoundingClientRect();
    return { left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY };
  }));
  const least = (side) => Math.floor(Math.min(...boxes.map((box) => box[side])) - margin);
  const most = (side) => Math.ceil(Math.max(...boxes.map((box) => box[side])) + margin);
  const [x, y] = [least("left"), least("top")];
  const [width, height] = [most("right") - x, most("bottom") - y];
  await page.screenshot({ path, clip: { x, y, width, height }, fullPage: true });
  return { width, height };
}

async function prepare(page, { case: name, time, field }) {
  if (name) await on.chooseRun(page, name);
  await on.chooseField(page, field);
  await on.setTime(page, time);
  await on.hideWordsAroundPicture(page);
}

// In the words of the page.
async function describe(page, [player, plot], { pictures }) {
  const run = pictures.case ? `${pictures.case}: ` : "";
  const field = pictures.field === "none" ? "" : `${await on.fieldLabel(page, pictures.field)}, `;
  player.alt = await on.picture(page).getAttribute("aria-label");
  player.caption = `${run}${field}${await on.timeText(page)}`;
  const history = pictures.plot.replace(/_/g, " ");
  plot.alt = `The history ${history} over time`;
  plot.caption = `${history}${run ? ", all cases" : ""}`;
}
