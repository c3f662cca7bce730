// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";
import { bars } from "./animations.mjs";
import { Packer } from "./pack.mjs";
import { syntheticRun } from "./sample.mjs";

const { Clock } = await load("clock.ts");
const { createBlocks } = await load("data.ts");
const { stepFrom } = await load("transport.ts");
const { timesOf } = await load("page.ts");

test("a clock stays within its run and tells of moves only", () => {
  const clock = new Clock(1, 3);
  const seen = [];
  const end = clock.follow((time) => seen.push(time));
  [2, 2, 9, NaN, 0].forEach((time) => clock.set(time));
  end();
  clock.set(2);
  assert.deepEqual(seen, [2, 3, 1]);
});

test("steps lead from frame to frame and end at the ends", () => {
  const times = [0, 1, 2];
  assert.deepEqual([0, 0.5, 1, 2].map((t) => stepFrom(times, t, 1)), [1, 1, 2, 2]);
  assert.deepEqual([0, 0.5, 1, 2].map((t) => stepFrom(times, t, -1)), [0, 0, 0, 1]);
  assert.equal(stepFrom([1, 2], 0.5, 1), 1);
  assert.equal(stepFrom([], 7, 1), 7);
});

test("a run lasts as long as its tables and frames, and steps along its frames", async () => {
  const packer = new Packer();
  const run = syntheticRun(packer, "", bars, { end: 0.02, frames: 11 });
  const blocks = createBlocks((number) => packer.texts[number]);
  const moving = await timesOf(run, blocks);
  assert.deepEqual([moving.first, moving.last, moving.steps.length], [0, 0.02, 11]);
  const still = await timesOf({ ...run, animation: null }, blocks);
  assert.deepEqual([still.first, still.last, still.steps.length], [0, 0.02, 301]);
  const nothing = await timesOf({ ...run, animation: null, tables: [] }, blocks);
  assert.deepEqual(nothing, { steps: [], first: 0, last: 0 });
});
