// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { load } from "./load.mjs";

const { formatBytes, formatKnown, formatNumber, formatQuantity, formatSeconds, formatTime, withUnit } = await load("format.ts");
const { axisName, axisNumbers, axisPower, powersOf } = await load("axes.ts");
const { numberName } = await load("names.ts");

test("numbers have few digits and powers of ten only where they need them", () => {
  const seen = [0, 3, 1234567, 0.5, 133904.41147, 1e-8, -2.1466e-16, 0.0012346, 6.02214e23].map((v) => formatNumber(v));
  assert.deepEqual(seen, ["0", "3", "1234567", "0.5", "1.339e5", "1e-8", "-2.147e-16", "0.001235", "6.022e23"]);
});

test("no more digits than are known", () => {
  assert.equal(formatKnown([1234.6], 0.5, "N"), "1235 N");
  assert.equal(formatKnown([1234.6], 15.26, "N"), "1230 \u00b1 20 N");
  assert.equal(formatKnown([123.4, -7], 15.26, "N"), "(120, -10) \u00b1 20 N");
  assert.equal(formatKnown([3], 15.26, "N"), "0 \u00b1 20 N");
  assert.equal(formatKnown([0.00123456], 1.1e-9, "m"), "0.001235 m");
  assert.equal(formatKnown([1.23456e-7], 1e-8, ""), "1.2e-7 \u00b1 1e-8");
  assert.equal(formatKnown([1 / 3], 0, "m"), "0.3333 m");
  assert.equal(formatKnown([NaN], 1, "m"), "\u2013");
});

test("what is no number is said so", () => {
  assert.deepEqual([null, undefined, NaN].map((v) => formatNumber(v)), ["\u2013", "\u2013", "\u2013"]);
  assert.equal(formatNumber(-Infinity), "-\u221e");
  assert.equal(formatQuantity(NaN, "N"), "\u2013");
  assert.equal(formatQuantity(2, "N"), "2 N");
});

test("a time has the same number of digits through the whole run", () => {
  const span = 2.0034e-4;
  assert.deepEqual([0, 2.003e-5, 2.0034e-4].map((t) => formatTime(t, span)), ["0.00e-6", "20.03e-6", "200.34e-6"]);
  assert.deepEqual([0, 0.5, 12].map((t) => formatTime(t, 12)), ["0.000", "0.500", "12.000"]);
  assert.equal(formatTime(3, 0), "3");
});

test("sizes and times of work have their units", () => {
  assert.deepEqual([0, 984, 5836870].map(formatBytes), ["0 bytes", "984 bytes", "5.84 MB"]);
  assert.deepEqual([0, 278e-6, 0.0123, 1.35, 260].map(formatSeconds), ["0 s", "278 \u00b5s", "12.3 ms", "1.35 s", "4 min 20 s"]);
  assert.equal(withUnit("force", ""), "force");
});

test("an axis writes its power of ten once", () => {
  assert.equal(axisPower(0, 2e-4), -6);
  assert.equal(axisPower(-4.7e5, 1), 3);
  assert.deepEqual([axisPower(0, 5), axisPower(0, 0), axisPower(0, 1)], [0, 0, 0]);
  assert.equal(axisName("t", "s", -6), "t [10\u207b\u2076 s]");
  assert.equal(axisName("iterations", "", 0), "iterations");
  assert.deepEqual(axisNumbers([0, 25e-6, 50e-6], 25e-6, -6), ["0", "25", "50"]);
  assert.deepEqual(axisNumbers([-0.25, 0, 0.25], 0.25, 0), ["-0.25", "0", "0.25"]);
});

test("every number of the documentation has a name", () => {
  const text = readFileSync(new URL("../../docs/reference/results.md", import.meta.url), "utf8");
  const rows = text.slice(text.indexOf("| number | meaning |\n|---|---|\n| `energy.initial`")).split("\n").filter((line) => line.startsWith("| `"));
  const keys = rows.flatMap((line) => [...line.split(" | ")[0].matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, key]) => key));
  assert.ok(keys.length > 30, `${keys.length} keys`);
  const inWords = (key) => key.replace(/[._]/g, " ").replace(/^./, (first) => first.toUpperCase());
  assert.deepEqual(keys.filter((key) => numberName(key) === inWords(key)), []);
});

test("a key that is not known is shown in words", () => {
  assert.equal(numberName("contact.new_thing"), "Contact new thing");
  assert.equal(numberName("constructor"), "Constructor");
});

test("a logarithmic axis names powers of ten only, each once", () => {
  assert.deepEqual(powersOf([1e-16, 2e-16, 5e-16, 1e-15, null, 10]), ["10\u207b\u00b9\u2076", "", "", "10\u207b\u00b9\u2075", "", "10\u00b9"]);
});
