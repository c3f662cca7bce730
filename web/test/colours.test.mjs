// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

const colours = await load("view/colours.ts");
const { colourTable, coordinate, entryOf, luminance, missing, parseColour, steppedCoordinate, tableColour } = colours;
const theme = {
  background: "#ffffff", text: "#000", faint: "#666", grid: "#ddd", curves: ["#0072b2", "#d55e00"],
  reference: "#777", stick: "#0072b2", slip: "rgb(230, 159, 0)", apart: "#e3e6ea",
};
const all = (table) => Array.from({ length: 256 }, (_, k) => tableColour(table, k));

// How a colour looks to people without red or green cones, by its opponent signals: lightness and blue-yellow stay.
const reduced = ([r, g, b]) => [luminance([r, g, b]), b / 255 - (r + g) / 510];

test("the sequential map grows lighter from end to end, in grey as well", () => {
  const light = all(colourTable("sequential", theme, 1)).map(luminance);
  for (let k = 1; k < 256; k++) assert.ok(light[k] >= light[k - 1], `entry ${k}`);
  assert.ok(light[255] - light[0] > 0.6);
});

test("the diverging map is lightest in the middle, and its ends are equally dark", () => {
  const light = all(colourTable("diverging", theme, 1)).map(luminance);
  for (let k = 1; k < 128; k++) assert.ok(light[k] >= light[k - 1] - 1e-6, `entry ${k}`);
  for (let k = 129; k < 256; k++) assert.ok(light[k] <= light[k - 1] + 1e-6, `entry ${k}`);
  assert.ok(Math.abs(light[0] - light[255]) < 0.05);
  assert.ok(light[127] > 0.8);
});

test("negative and positive are told apart without red and green", () => {
  const table = colourTable("diverging", theme, 1);
  const [, blue] = reduced(tableColour(table, 20));
  const [, orange] = reduced(tableColour(table, 235));
  assert.ok(blue - orange > 0.4);
});

test("each status has its own entry", () => {
  const table = colourTable("status", theme, 1);
  assert.deepEqual([0, 1, 2].map((k) => tableColour(table, entryOf(steppedCoordinate(k)))),
    [[227, 230, 234], [0, 114, 178], [230, 159, 0]]);
});

test("each body has its own entry, and there may be more of them than colours", () => {
  const table = colourTable("bodies", theme, 5);
  assert.notDeepEqual(tableColour(table, 0), tableColour(table, 1));
  assert.deepEqual(tableColour(table, 0), tableColour(table, 2));
});

test("values are placed within the range and cut at its ends; no number has no place", () => {
  assert.equal(coordinate(5, 0, 10), 0.5);
  assert.equal(coordinate(-3, 0, 10), 0);
  assert.equal(coordinate(30, 0, 10), 1);
  assert.equal(coordinate(NaN, 0, 10), missing);
  assert.equal(entryOf(1), 255);
  assert.equal(entryOf(0), 0);
});

test("colours are read in all the ways that the theme writes them", () => {
  assert.deepEqual(parseColour("#0a0"), [0, 170, 0]);
  assert.deepEqual(parseColour("#0072b2"), [0, 114, 178]);
  assert.deepEqual(parseColour("rgb(1, 2, 3)"), [1, 2, 3]);
  assert.deepEqual(parseColour("rgba(1 2 3 / 0.5)"), [1, 2, 3]);
});
