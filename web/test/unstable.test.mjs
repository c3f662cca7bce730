// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";
import { Packer } from "./pack.mjs";

const { byGrowth, dampingRatio, unstableValues } = await load("unstable.ts");
const { createBlocks } = await load("data.ts");
const blocksOf = (packer) => createBlocks((number) => packer.texts[number]);
const near = (a, b) => assert.ok(Math.abs(a - b) <= 1e-12 * Math.abs(b), `${a} is not ${b}`);

test("the damping ratio is -2 Re / |Im|", () => {
  const lambda = { re: 3, im: 2 * Math.PI * 50 };
  near(dampingRatio({ growth: lambda.re, frequency: 50 }), (-2 * lambda.re) / lambda.im);
  near(dampingRatio({ growth: -4, frequency: 2 }), 2 / Math.PI);
  assert.ok(Number.isNaN(dampingRatio({ growth: 1, frequency: 0 })));
});

test("what grows comes strongest first, the rest is left out", () => {
  const modes = [{ number: 1, growth: 2, kind: 2 }, { number: 2, growth: 0, kind: 1 }, { number: 3, growth: 5, kind: 3 }, { number: 4, growth: 0, kind: 0 }];
  assert.deepEqual(byGrowth(modes).map(({ number }) => number), [3, 1]);
});

const tableOf = (packer, names, rows) => ({
  name: "x", kind: "sweep", columns: names.map((name) => ({ name, unit: "" })), rows: rows.length, kept: rows.length, exact: -1,
  data: packer.add("float64", names.flatMap((_, k) => rows.map((row) => row[k]))),
});

test("a sweep has its unstable modes by value, one of each pair", async () => {
  const packer = new Packer();
  const statuses = tableOf(packer, ["value", "growth"], [[0.1, 0], [0.5, 4]]);
  const sweep = tableOf(
    packer,
    ["value", "branch", "mode", "Lambda.real", "Lambda.imaginary", "growth", "frequency", "kind"],
    [[0.1, 1, 1, 9, 0, 0, 3, 1], [0.3, 1, 1, 9, -1, 1, 3, 2], [0.5, 2, 1, 9, -1, 2, 3, 2], [0.5, 1, 2, 9, 1, 2, 3, 2], [0.5, 3, 3, 16, -2, 4, 4, 2], [0.5, 4, 4, 16, 2, 4, 4, 2]],
  );
  const found = await unstableValues({ blocks: blocksOf(packer) }, { statuses, sweep });
  assert.deepEqual(found.map(({ number, value, modes }) => [number, value, modes.map((mode) => [mode.number, mode.branch])]), [[2, 0.5, [[3, 3], [1, 2]]]]);
});
