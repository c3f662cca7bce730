// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const { aligned, unionOf } = await load("join.ts");
const list = (...times) => Float64Array.from(times);

test("equal times are taken as they are", () => {
  const times = list(0, 1, 1, 2);
  assert.equal(unionOf([times, list(0, 1, 1, 2), times]), times);
  const values = [1, 2, 3, 4];
  assert.equal(aligned(times, values, times), values);
  assert.equal(unionOf([]).length, 0);
});

test("times of several tables stand on one axis, each value at its own", () => {
  const [a, b, c] = [list(0, 2, 4), list(1, 2, 3), list()];
  const all = unionOf([a, b, c]);
  assert.deepEqual([...all], [0, 1, 2, 3, 4]);
  assert.deepEqual(aligned(a, [10, 12, 14], all), [10, undefined, 12, undefined, 14]);
  assert.deepEqual(aligned(b, [21, null, 23], all), [undefined, 21, null, 23, undefined]);
});

test("a jump, two rows of one time, stays a jump beside other times", () => {
  const [jump, other] = [list(0, 1, 1, 2), list(0, 0.5, 1, 2)];
  const all = unionOf([jump, other]);
  assert.deepEqual([...all], [0, 0.5, 1, 1, 2]);
  assert.deepEqual(aligned(jump, [0, 5, -5, 0], all), [0, undefined, 5, -5, 0]);
  assert.deepEqual(aligned(other, [1, 2, 3, 4], all), [1, 2, 3, undefined, 4]);
});

test("a thousand tables of their own times are joined in no time", () => {
  const lists = Array.from({ length: 1000 }, (_, k) => list(...Array.from({ length: 20 }, (_, i) => i + k / 1000)));
  const all = unionOf(lists);
  assert.equal(all.length, 20000);
  assert.ok(all.every((t, i) => i === 0 || t > all[i - 1]));
});
