// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { stack } = await load("stack.ts");
const part = (label, ...values) => ({ label, values: Float64Array.from(values) });

test("positive parts stand on each other and the top is their sum", () => {
  const layers = stack([part("a", 1, 2), part("b", 3, 4)]);
  assert.deepEqual(layers.map((layer) => [layer.label, layer.on, ...layer.top]), [["a", -1, 1, 2], ["b", 0, 4, 6]]);
});

test("terms that are zero are left out", () => {
  const layers = stack([part("a", 1, 2), part("zero", 0, 0), part("b", 1, 1)]);
  assert.deepEqual(layers.map((layer) => [layer.label, layer.on]), [["a", -1], ["b", 0]]);
});

test("what is negative hangs below zero and is named so", () => {
  const layers = stack([part("a", 1, 1), part("b", 2, -3), part("c", -1, -1)]);
  const seen = layers.map((layer) => [layer.label, layer.on, ...layer.top]);
  assert.deepEqual(seen, [
    ["a", -1, 1, 1],
    ["b", 0, 3, 1],
    ["b, negative", -1, 0, -3],
    ["c, negative", 2, -1, -4],
  ]);
});

test("both stacks together are the sum of all terms", () => {
  const parts = [part("a", 1, -2, 3), part("b", -4, 5, 0.5), part("c", 6, -7, 1)];
  const layers = stack(parts);
  const top = layers.filter((layer) => !layer.label.endsWith("negative")).at(-1).top;
  const bottom = layers.at(-1).top;
  for (const i of [0, 1, 2])
    assert.equal(top[i] + bottom[i], parts.reduce((sum, { values }) => sum + values[i], 0));
});
