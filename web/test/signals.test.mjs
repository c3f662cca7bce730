// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";
import { Packer } from "./pack.mjs";
import { table } from "./sample.mjs";

const { createBlocks } = await load("data.ts");
const { decibels, envelope, motionWords, multipleOf, nearest, peakWords, peaksOf, predictedFor, windowOf } = await load("signals.ts");
const { colourOfTime, piecesOf, portraitsOf } = await load("portrait.ts");
const { contactWords, sharesOf } = await load("shares.ts");
const { wavOf, waveform } = await load("wav.ts");

const units = { frequency: "Hz", value: "mm/s" };
const mode = (number, frequency, grows = true) => ({ mode: number, frequency, growth: grows ? 5 : 0, grows });

test("an envelope keeps least and largest of each stretch, in order", () => {
  const points = Array.from({ length: 1000 }, (_, k) => [k, k === 507 ? 9 : k === 503 ? -9 : k % 2]);
  const kept = envelope(points, [0, 999], 10);
  assert.ok(kept.length <= 20);
  assert.deepEqual(kept.filter(([, y]) => Math.abs(y) > 1), [[503, -9], [507, 9]]);
  assert.ok(kept.every(([x], k) => k === 0 || x > kept[k - 1][0]));
  assert.deepEqual(envelope(points, [500, 504], 10).map(([x]) => x), [500, 501, 502, 503, 504]);
});

test("decibels are those below the largest, and end somewhere", () => {
  assert.deepEqual(decibels([[1, 10], [2, 1], [3, 0], [4, 1e-9]], 10), [[1, 0], [2, -20], [3, -100], [4, -100]]);
});

test("peaks are those of the summary, or the lines that rise above their neighbours", () => {
  const points = [[0, 0], [1, 5], [2, 1], [3, 2], [4, 1], [5, 1.0001], [6, 0.5], [7, 9]];
  assert.deepEqual(peaksOf({}, points), [{ frequency: 1, amplitude: 5 }, { frequency: 3, amplitude: 2 }, { frequency: 5, amplitude: 1.0001 }]);
  assert.deepEqual(peaksOf({ peaks: [{ frequency: 2.5, amplitude: 6 }, { frequency: null, amplitude: 1 }] }, points), [{ frequency: 2.5, amplitude: 6 }]);
});

test("what a summary should not say is no peak", () => {
  for (const peaks of ["x", 3, {}, [null, 7, "y", { frequency: "1", amplitude: 2 }]]) assert.deepEqual(peaksOf({ peaks }, []), []);
});

test("a peak is told by what it is a multiple of, or by the mode that is near", () => {
  assert.deepEqual([multipleOf(2003, 1000), multipleOf(1500, 1000), multipleOf(1000, 1000), multipleOf(5, 0)], [2, 0, 0, 0]);
  assert.equal(nearest(1000, [mode(1, 900), mode(2, 1040), mode(3, 1030, false)]).mode, 2, "one that grows is meant sooner");
  assert.equal(nearest(1000, [mode(1, 900)]), null);
  assert.equal(nearest(1239, [mode(2, 1333)]).mode, 2);
  assert.equal(nearest(1239, [mode(2, 1333, false)]), null);
  const peaks = [{ frequency: 990, amplitude: 4 }, { frequency: 1980, amplitude: 1 }];
  assert.equal(peakWords(peaks[0], peaks, [mode(5, 1000)], units), "990 Hz, amplitude 4 mm/s: 1 % below mode 5 (1000 Hz)");
  assert.equal(peakWords(peaks[1], peaks, [mode(5, 1000)], units), "1980 Hz, amplitude 1 mm/s: 2 times the highest peak");
  assert.equal(peakWords(peaks[0], peaks, [], units), "990 Hz, amplitude 4 mm/s");
});

test("a motion is told in a sentence", () => {
  const numbers = { "tip.dominant_frequency": 1251.34, "tip.period": null, "tip.rms": 2, "tip.saturated_from": 0.1, "tip.saturated_to": 0.2 };
  const run = { summary: { units: { time: "s" }, numbers, signals: { tip: { motion: "modulated" } } } };
  assert.equal(motionWords(run, "tip", units), "Modulated or irregular: it does not return to itself, dominant frequency 1251.3 Hz, r.m.s. 2 mm/s.");
  run.summary.numbers["tip.dominant_amplitude"] = 1.5;
  run.summary.numbers["tip.amplitude"] = 4;
  assert.match(motionWords(run, "tip", units), /1251\.3 Hz, amplitude at that frequency 1\.5 mm\/s, half of peak to peak 4 mm\/s, r\.m\.s\. 2/);
  assert.equal(motionWords({ summary: null }, "tip", units), "");
  assert.deepEqual(windowOf(run, "tip"), [0.1, 0.2]);
  assert.equal(windowOf(run, "other"), null);
});

test("predicted are the mode that was disturbed, then the others of the state", async () => {
  const packer = new Packer();
  const predicted = table(packer, "predicted", ["mode", "growth [1/s]", "frequency [1/s]"], [[2, 30, 100]]);
  const spectrum = table(packer, "spectrum", "t [s],status,mode,Lambda.real,Lambda.imaginary,growth [1/s],frequency [1/s],kind".split(","), [
    [0, 1, 1, 1, 0, 0, 7, 1], [1, 2, 1, 1, 0, 0, 50, 1], [1, 2, 2, 1, -1, 30, 100, 2], [1, 2, 3, 1, 1, 30, 100, 2], [1, 2, 4, -1, 0, 3, 0, 3],
  ]);
  const context = {
    blocks: createBlocks((number) => packer.texts[number]),
    run: { steps: [{ name: "flutter", kind: "dynamics", of: "judge" }], stability: [{ step: "judge", statuses: null, spectrum, verdicts: "" }, { step: "flutter", predicted, spectrum: null }] },
  };
  assert.deepEqual(await predictedFor(context, "flutter"), [
    { mode: 2, growth: 30, frequency: 100, grows: true },
    { mode: 1, growth: 0, frequency: 50, grows: false },
  ]);
  assert.deepEqual(await predictedFor(context, "press"), []);
  // disturbed by what a map has found, which has no spectrum: that of the same path is taken
  context.run.steps = [{ name: "map", kind: "stability", of: "slide" }, { name: "judge", kind: "stability", of: "slide" }, { name: "flutter", kind: "dynamics", of: "map" }];
  assert.equal((await predictedFor(context, "flutter")).length, 2);
});

test("portraits are pairs of displacement and velocity, by node", () => {
  const columns = ["t", "displacement.x.12", "velocity.x.12", "displacement.y.12", "velocity.y.12", "displacement.x.7", "velocity.y.9"].map((name) => ({ name, unit: "" }));
  assert.deepEqual(portraitsOf({ columns }), [
    { node: "12", motions: [{ direction: "x", displacement: 1, velocity: 2 }, { direction: "y", displacement: 3, velocity: 4 }] },
  ]);
  const [mean] = portraitsOf({ columns: ["t", "displacement.y", "velocity.y"].map((name) => ({ name, unit: "" })) });
  assert.equal(mean.node, "");
});

test("pieces of a portrait hang together and cover the window", () => {
  const times = Float64Array.from({ length: 101 }, (_, k) => k);
  const pieces = piecesOf(times, times, times, [20, 60], 7);
  assert.equal(pieces.length, 7);
  assert.deepEqual([pieces[0].points[0], pieces[6].points.at(-1)], [[20, 20], [60, 60]]);
  pieces.slice(1).forEach((piece, k) => assert.deepEqual(piece.points[0], pieces[k].points.at(-1)));
  assert.deepEqual([pieces[0].share, pieces[6].share], [0, 1]);
  assert.deepEqual(piecesOf(times, times, times, [20.1, 20.2], 7), []);
  const colours = { stick: "#000000", flutter: "#ff0000" };
  assert.deepEqual([0, 1].map((share) => colourOfTime(share)(colours)), ["rgb(0, 0, 0)", "rgb(255, 0, 0)"]);
});

test("contact nodes come along the surface with their parts of the time", () => {
  const packer = new Packer();
  const made = table(packer, "flutter", "t [s],pair,body,node,x [m],stick,slip,apart,impacts".split(","), [[0, 0, 0, 7, 2, 0.5, 0.25, 0.25, 3], [0, 0, 0, 9, 1, 0, 1, 0, 0]]);
  const columns = [[0, 0], [0, 0], [0, 0], [7, 9], [2, 1], [0.5, 0], [0.25, 1], [0.25, 0], [3, 0]];
  const nodes = sharesOf(made, columns, ["lip"]);
  assert.deepEqual(nodes.map(({ label }) => label), ["lip.9", "lip.7"]);
  assert.ok(Number.isNaN(nodes[0].force), "a column that is not there has no numbers");
  assert.equal(contactWords(nodes), "2 contact nodes, in the mean 25 % of the time in stick, 63 % in slip, 13 % apart; 1 of them lift off, with 3 impacts in all.");
  assert.match(contactWords([nodes[0]]), /^one contact node.*none ever lifts off/);
});

test("a sound becomes a file that says what it is", () => {
  const file = wavOf(Int16Array.from([1, -2, 32767]), 44100);
  const view = new DataView(file.buffer);
  const text = (at, count) => String.fromCharCode(...file.slice(at, at + count));
  assert.deepEqual([text(0, 4), text(8, 8), text(36, 4)], ["RIFF", "WAVEfmt ", "data"]);
  assert.deepEqual([view.getUint32(4, true), view.getUint32(24, true), view.getUint32(40, true)], [42, 44100, 6]);
  assert.deepEqual([0, 1, 2].map((k) => view.getInt16(44 + 2 * k, true)), [1, -2, 32767]);
});

test("a wave keeps the peaks of each column", () => {
  assert.deepEqual(waveform(Int16Array.from([0, 16384, -16384, 0, 0, 8192]), 2), [[-0.5, 0.5], [0, 0.25]]);
  assert.equal(waveform(Int16Array.from([1]), 4).length, 4, "more columns than samples");
});
