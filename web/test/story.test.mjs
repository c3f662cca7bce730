// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";
import { Packer } from "./pack.mjs";
import { table } from "./sample.mjs";

const { createBlocks } = await load("data.ts");
const { familyOf, stateAt } = await load("families.ts");
const { storyOf } = await load("story.ts");
const { growingPieces, instabilitiesOf, instabilityWords, withEvents } = await load("modes.ts");

const step = (name, kind, more = {}) => ({ name, kind, of: "", end: null, ...more });
const facts = (panels) => ({ parameters: new Map([["map", "mu"]]), panels: new Set(panels), frequencyUnit: "Hz", valueUnits: new Map(), contacts: new Map() });

const run = {
  steps: [
    step("press", "quasistatic", { end: 1 }), step("slide", "steady-sliding", { end: 2 }), step("map", "stability", { of: "slide" }),
    step("flutter", "dynamics", { end: 2.5, of: "map" }),
  ],
  stability: [{ step: "map" }],
  signals: { all: [{ name: "squeal", sound: { file: "squeal.wav", kept: 44100, rate: 44100 } }], portraits: [], contacts: [] },
  summary: {
    units: { time: "s" },
    signals: { squeal: { motion: "periodic" } },
    numbers: {
      "map.values": 13, "map.onset": 0.337260, "map.onset_frequency": 1282.62, "map.largest_growth": 486.9, "map.largest_growth_value": 0.6,
      "flutter.predicted_growth": 486.953, "flutter.predicted_frequency": 1333.451, "flutter.growth": 480, "flutter.frequency": 1333.3, "flutter.linear_until": 2.01,
    },
  },
};

test("a study is told in the order of its steps, then what it sounds like", () => {
  const chapters = storyOf(run, facts(["player", "stability", "signals", "sound"]));
  assert.deepEqual(chapters.map(({ title, panel }) => [title, panel]), [
    ["press", "player"], ["slide", "player"], ["map", "stability"], ["flutter", "stability"], ["squeal", "signals"], ["Sound", "sound"],
  ]);
  assert.deepEqual(chapters.map(({ begin }) => begin), [0, 1, NaN, 2, NaN, NaN]);
  assert.match(chapters[2].words, /^Are states of slide stable\? Growth begins at mu = 0\.3373 at 1283 Hz\. Growth is largest at mu = 0\.6: 486\.9 1\/s\.$/);
  assert.match(chapters[3].words, /predicted 487 1\/s at 1333\.5 Hz, measured 480 1\/s at 1333\.3 Hz; at t = 2\.01 s/);
  assert.match(chapters[4].words, /limit cycle/);
  assert.equal(chapters[5].words, "squeal.wav, 1 s.");
});

test("what the scheme damps is no error, and a stable state is said to be one", () => {
  const numbers = { "flutter.predicted_growth": 487, "flutter.predicted_frequency": 1333.5, "flutter.scheme_growth": 414, "flutter.growth": 414, "flutter.frequency": 1331.6 };
  const told = (more) => storyOf({ ...run, summary: { ...run.summary, numbers: { ...numbers, ...more } } }, facts(["stability"])).find(({ title }) => title === "flutter").words;
  assert.match(told({}), /A small disturbance grows: predicted 487 1\/s at 1333\.5 Hz \(with what the scheme damps 414 1\/s\), measured 414 1\/s/);
  assert.doesNotMatch(told({ "flutter.scheme_growth": 486 }), /damps/);
  assert.match(told({ "flutter.predicted_growth": 0 }), /A small disturbance does not grow/);
});

test("what has no panel has no chapter", () => {
  assert.deepEqual(storyOf(run, facts(["player", "stability"])).map(({ title }) => title), ["press", "slide", "map", "flutter"]);
  const bare = { steps: [step("map", "stability")], signals: { all: [] }, summary: null };
  assert.equal(storyOf(bare, facts(["stability"]))[0].words, "Are states stable?");
});

// Two branches that meet at 0.5 and go on as a pair.
const branch = (number, values, growth, frequency) => ({ number, growth: values.map((x, k) => [x, growth[k]]), frequency: values.map((x, k) => [x, frequency[k]]) });
const values = [0, 0.4, 0.6, 0.8];
const pair = [branch(1, values, [0, 0, 20, 30], [100, 110, 121, 122]), branch(2, values.slice(0, 2), [0, 0], [140, 130])];
const meet = { value: 0.5, frequency: 120, kind: 1, change: 1, growthChange: 1, branch: 1, partner: 2 };
const words = { frequency: "Hz", growth: "1/s" };

test("a map says from where on it flutters, at which frequency", () => {
  const found = instabilitiesOf(withEvents(pair, [meet]), [meet]);
  assert.deepEqual(found, [{ from: 0.5, to: NaN, frequency: 120, growth: 30, diverges: false }]);
  assert.equal(instabilityWords(found[0], "mu", words), "Flutters from mu = 0.5 at 120 Hz; growth up to 30 1/s.");
});

test("growth may end, be there from the start, or be divergence", () => {
  const [ends] = instabilitiesOf([branch(1, values, [5, 5, 0, 0], [10, 11, 12, 13])], []);
  assert.equal(instabilityWords(ends, "mu", words), "Flutters up to mu = 0.6 at 10 Hz; growth up to 5 1/s.");
  const [always] = instabilitiesOf([branch(1, values, [5, 5, 5, 7], [10, 11, 12, 13])], []);
  assert.equal(instabilityWords(always, "mu", words), "Flutters at all values at 10 Hz; growth up to 7 1/s.");
  const [diverges] = instabilitiesOf([branch(1, values, [0, 3, 4, 0], [10, 0, 0, 12])], []);
  assert.equal(instabilityWords({ ...diverges, diverges: true }, "mu", words), "Diverges from mu = 0 to 0.8; growth up to 4 1/s.");
  assert.deepEqual(instabilitiesOf([branch(1, values, [0, 1e-12, 0, 0], [10, 11, 12, 13])], []), [], "rounding is no growth");
});

test("pieces that grow begin and end where growth is zero", () => {
  const [piece, ...others] = growingPieces(branch(1, values, [0, 5, 6, 0], [10, 11, 12, 13]), 0);
  assert.deepEqual([piece.growth.map(([x]) => x), piece.frequency.length, others.length], [[0, 0.4, 0.6, 0.8], 4, 0]);
});

test("states of steady sliding have their times, values of a sweep have none", async () => {
  const packer = new Packer();
  const heads = "value,t [s],end [s],growth [1/s],growth_frequency [1/s]".split(",");
  const rows = (times) => times.map((t, k) => [0.1 * k, t, t, 5 * k, 100 + k]);
  const blocks = createBlocks((number) => packer.texts[number]);
  const family = await familyOf(blocks, { statuses: table(packer, "map", heads, rows([1, 1.5, 2])) });
  assert.deepEqual([[...family.growth], [...family.frequency]], [[0, 5, 10], [100, 101, 102]]);
  assert.deepEqual([0.9, 1, 1.6, 2 + 1e-12, 2.1].map((time) => stateAt(family, time)), [-1, 0, 1, 2, -1]);
  assert.equal(await familyOf(blocks, { statuses: table(packer, "map", heads, rows([2, 2, 2])) }), null);
  assert.equal(await familyOf(blocks, { statuses: table(packer, "map", ["t [s]", "end [s]"], [[1, 2], [2, 3]]) }), null);
});
