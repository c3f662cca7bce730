// SPDX-License-Identifier: Apache-2.0
// Pages that need more: many nodes, three dimensions, browsers without WebGL.

import assert from "node:assert/strict";
import { launch, open, troubles } from "./browser.mjs";
import * as on from "./controls.mjs";
import { drawsWithoutWebgl } from "./examples.mjs";
import { difference, drawn } from "./image.mjs";

const limit = 20e6;

/** Twenty thousand nodes in a hundred frames: small enough, and how long a frame takes. */
export async function testLarge(t, browser, results, run) {
  await t.test("20301 nodes in 100 frames", async () => {
    const done = await run;
    assert.equal(done.code, 0, done.output);
    const file = await results.page("large.out");
    const size = results.size(file);
    assert.ok(size < limit, `${size} bytes`);
    const start = Date.now();
    const view = await open(browser, file);
    const { page } = view;
    const opened = Date.now() - start;
    const kept = await page.evaluate(() => JSON.parse(document.querySelector("#report").textContent).runs[0].animation.frames);
    assert.ok(kept >= 50, `${kept} frames`);
    await on.setTime(page, 0);
    await on.play(page);
    await on.frameAfter(page, 20);
    await on.pause(page);
    const frameTime = await page.evaluate(() => document.querySelector("#panel-player").dataset.frameTime);
    const { colours, share } = drawn(await on.pictureOf(on.picture(page)));
    assert.ok(colours >= 4 && share > 0.05);
    assert.deepEqual(await troubles(view), []);
    await view.close();
    t.say(`${(size / 1e6).toFixed(1)} MB, ${kept} frames, opened in ${opened} ms, ${frameTime} ms per frame (drawn by software)`);
  });
}

/** Three dimensions: the view can be turned, with and without WebGL. */
export async function testSolid(t, browser, results, model) {
  await t.test("three dimensions", async () => {
    await results.must("run", results.write("solid.yaml", model), "-o", "solid.out", "--quiet");
    const file = await results.page("solid.out");
    for (const hash of ["", "#canvas"]) {
      const view = await open(browser, file, { hash });
      const { page } = view;
      assert.equal(await on.renderer(page), hash ? "canvas" : "webgl");
      await turns(page);
      assert.deepEqual(await troubles(view), []);
      await view.close();
    }
  });
}

async function turns(page) {
  const canvas = on.picture(page);
  const before = await on.pictureOf(canvas);
  const { colours, share } = drawn(before);
  assert.ok(colours >= 4 && share > 0.02, `the player is empty: ${colours} colours on ${(100 * share).toFixed(1)} % of it`);
  const box = await canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2 + 30, { steps: 4 });
  await page.mouse.up();
  await on.settle(page);
  assert.ok(difference(before, await on.pictureOf(canvas)) > 0.02, "the view does not turn");
}

/** A browser that has no WebGL. */
export async function testNoWebgl(t, example) {
  await t.test(`${example.name}: in a browser that has no WebGL`, async () => {
    const browser = await launch({ webgl: false });
    try {
      const view = await open(browser, example.file, { width: 1000, height: 800 });
      assert.equal(await on.renderer(view.page), "canvas");
      await drawsWithoutWebgl(view);
    } finally {
      await browser.close();
    }
  });
}
