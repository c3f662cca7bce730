// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";
import { Packer } from "./pack.mjs";

const { createBlocks } = await load("data.ts");
const { Oscillation, loadShape, phases, reachOf } = await load("view/oscillation.ts");

// One node goes round a circle, another along a line.
const shape = {
  real: Float32Array.from([1, 0, 0.5, 0]),
  imaginary: Float32Array.from([0, 1, 0.5, 0]),
  displacement: Float32Array.from([10, 20, 30, 40]),
};

test("a mode goes round its state", () => {
  const motion = new Oscillation(2, 2, shape);
  const out = new Float32Array(4);
  motion.amplitude = 2;
  const at = (frame) => (motion.read(frame, out), Array.from(out, (x) => Math.round(1e5 * x) / 1e5));
  assert.deepEqual(at(0), [12, 20, 31, 40]);
  assert.deepEqual(at(phases / 4), [10, 18, 29, 40]); // Re(i A) = -Im A
  assert.deepEqual(at((3 * phases) / 4), [10, 22, 31, 40]); // Im A
  assert.equal(motion.value(0, 1, 0), 31);
});

test("the reach of a node is the longer half axis of its ellipse", () => {
  assert.ok(Math.abs(reachOf(shape, 2, 0) - 1) < 1e-6);
  assert.ok(Math.abs(reachOf(shape, 2, 1) - Math.SQRT1_2) < 1e-6);
});

test("a shape is unpacked into its parts", async () => {
  const packer = new Packer();
  const stored = { status: 1, mode: 3, nodes: 2, motion: packer.quantise("int16", [1, 0, 0.5, 0, 0, 1, 0.5, 0]), displacement: packer.quantise("int16", [10, 20, 30, 40]) };
  const found = await loadShape(createBlocks((number) => packer.texts[number]), stored);
  for (const part of ["real", "imaginary", "displacement"]) shape[part].forEach((x, i) => assert.ok(Math.abs(found[part][i] - x) < 1e-3, `${part} ${i}`));
});
