// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";
import { Packer } from "./pack.mjs";
import { table } from "./sample.mjs";

const { Clock } = await load("clock.ts");
const { createBlocks } = await load("data.ts");
const { Chosen, chosenOf, judged, loadPath, unitOf, wordsOf } = await load("paths.ts");
const { branchesOf, frequencyShown, orderModes, parameterOf, predictedAmplitude, sweepWords, withEvents, withoutPairs } = await load("modes.ts");
const { regionsOf, verdictWord } = await load("verdicts.ts");
const { inRows, rangeWithAir, withRoom } = await load("labels.ts");

const headings = "t [s],end [s],sticking,slipping,apart,tangential_force [N],tangential_force_end [N],stiffness [N/m],least_real [1/s^2],first_flutter_mode,growth [1/s],verdict".split(",");

/** Three statuses, the last two of which begin at the same time. */
function pathOf(packer, more = {}) {
  const statuses = table(packer, "judge", headings, [
    [1, 2, 3, 0, 0, 0, -1, 5, 9, 0, 0, 1],
    [2, 2, 2, 1, 0, -1, -1, -1, 8, 3, 2, 3],
    [2, 4, 1, 1, 1, -1, -2, -2, NaN, 3, 1, 3],
  ]);
  const spectrum = table(packer, "spectrum", "t [s],status,mode,Lambda.real,Lambda.imaginary,growth [1/s],frequency [1/s],kind,residual".split(","), [
    [1, 1, 1, 4, 0, 0, 1, 1, 0],
    [2, 3, 1, 4, -1, 2, 3, 2, 0],
    [2, 3, 2, 4, 1, 2, 3, 2, 0],
  ]);
  const verdicts = "status 1, t = 1 to 2: no growth. All is well.\nstatus 3, t = 2 to 4: flutter. It\nsqueals";
  return { step: "judge", statuses, spectrum, sweep: null, coalescence: null, growth: null, predicted: null, verdicts, shapes: [], allShapes: 0, ...more };
}

const blocksOf = (packer) => createBlocks((number) => packer.texts[number]);

async function loaded(more) {
  const packer = new Packer();
  const stability = pathOf(packer, more);
  return { path: await loadPath(blocksOf(packer), stability), packer, stability };
}

test("statuses, modes and words of a path come by their numbers", async () => {
  const { path, stability } = await loaded();
  assert.deepEqual(path.statuses.map((s) => [s.number, s.begin, s.end, s.sticking, s.forceEnd, s.verdict]), [[1, 1, 2, 3, -1, 1], [2, 2, 2, 2, -1, 3], [3, 2, 4, 1, -2, 3]]);
  assert.ok(Number.isNaN(path.statuses[2].leastReal));
  assert.ok(Number.isNaN(path.statuses[0].flutterFrequency), "a column that is not there has no numbers");
  assert.deepEqual([path.modes.get(1).length, path.modes.get(2), path.modes.get(3).length], [1, undefined, 2]);
  assert.deepEqual([...path.words], [[1, "no growth. All is well."], [3, "flutter. It"]]);
  assert.equal(unitOf(stability.statuses, "stiffness"), "N/m");
});

test("where rows were left out statuses keep their numbers", async () => {
  const packer = new Packer();
  const stability = pathOf(packer);
  stability.statuses.numbers = packer.add("uint32", [0, 4, 9]);
  const path = await loadPath(blocksOf(packer), stability);
  assert.deepEqual(path.statuses.map((s) => s.number), [1, 5, 10]);
});

test("the status follows the clock, and one of the same moment can be chosen", async () => {
  const { path } = await loaded();
  const clock = new Clock(0, 4);
  const chosen = new Chosen([path], clock);
  let heard = 0;
  chosen.follow(() => heard++);
  assert.equal(chosen.index, 0);
  clock.set(3);
  assert.deepEqual([chosen.index, heard], [2, 1]);
  chosen.choose(1);
  assert.deepEqual([chosen.index, chosen.status.number, clock.time], [1, 2, 2]);
  chosen.choose(99);
  assert.equal(chosen.index, 2);
  clock.set(0);
  assert.equal(chosen.index, 0);
});

test("of several paths the longest is shown first, all panels share the choice", async () => {
  const packer = new Packer();
  const short = { ...pathOf(packer), step: "short", statuses: table(packer, "short", headings, [[0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1]]) };
  const context = { run: { stability: [short, pathOf(packer), { ...short, statuses: null }] }, clock: new Clock(0, 4), blocks: blocksOf(packer) };
  const chosen = await chosenOf(context);
  assert.equal(chosen, await chosenOf(context));
  assert.deepEqual([chosen.paths.length, chosen.path.stability.step], [2, "judge"]);
  context.clock.set(3);
  chosen.choosePath(chosen.paths[0]);
  assert.deepEqual([chosen.path.stability.step, chosen.status.number], ["short", 1]);
});

test("words of a line that is not ours are left out", () => {
  assert.deepEqual([...wordsOf("nonsense\nstatus x, t = 1 to 2: y\n")], []);
});

test("neighbours of the same verdict are one region, no growth is none", () => {
  const state = (begin, end, verdict) => ({ begin, end, verdict });
  assert.deepEqual(regionsOf([state(0, 1, 1), state(1, 2, 3), state(2, 3, 3), state(3, 4, 0), state(5, 6, 0), state(6, 7, 17)]), [
    { from: 1, to: 3, verdict: 3 },
    { from: 3, to: 4, verdict: 0 },
    { from: 5, to: 6, verdict: 0 },
  ]);
  assert.deepEqual([verdictWord(3), verdictWord(9)], ["flutter", "unknown"]);
});

const mode = (number, frequency, growth = 0, imaginary = 0) => ({ number, real: frequency ** 2, imaginary, growth, frequency, kind: growth > 0 ? 2 : 1 });

test("a complex pair is one mode", () => {
  assert.deepEqual(withoutPairs([mode(1, 2), mode(2, 3, 1, -4), mode(3, 3, 1, 4), mode(4, 5)]).map((m) => m.number), [1, 2, 4]);
});

test("modes that matter come first", () => {
  const modes = [mode(1, 1), mode(2, 2, 1), mode(3, 3, 5), mode(4, 4)];
  assert.deepEqual(orderModes(modes, modes[3], (m) => m.number === 2).map((m) => m.number), [4, 2, 3, 1]);
});

test("the lowest modes are shown, and one that is chosen beyond them", () => {
  const modes = Array.from({ length: 30 }, (_, k) => mode(k + 1, 10 * (k + 1)));
  assert.equal(frequencyShown(modes, [], false), 200);
  assert.equal(frequencyShown(modes, [modes[24]], false), 250);
  assert.equal(frequencyShown(modes, [], true), 300);
  assert.equal(frequencyShown([], [], true), 1);
});

test("a sweep falls into branches along its parameter", async () => {
  const packer = new Packer();
  const rows = [[0.2, 1, 1, 10, 0], [0.1, 1, 1, 9, 0], [0.1, 2, 2, 12, 0], [0.2, 2, 2, 11, 1]];
  const sweep = table(packer, "sweep", ["mu", "branch", "mode", "frequency [1/s]", "growth [1/s]"], rows);
  const branches = await branchesOf(blocksOf(packer), sweep);
  assert.deepEqual(branches.map((b) => [b.number, b.frequency, b.growth]), [
    [1, [[0.1, 9], [0.2, 10]], [[0.1, 0], [0.2, 0]]],
    [2, [[0.1, 12], [0.2, 11]], [[0.1, 0], [0.2, 1]]],
  ]);
});

test("the parameter of a sweep has its name from its column or from the words", () => {
  const sweep = (name) => ({ columns: [{ name, unit: "" }] });
  assert.equal(parameterOf({ sweep: sweep("mu"), verdicts: "" }), "mu");
  assert.equal(parameterOf({ sweep: sweep("value"), verdicts: "friction = 0.1: Contacts: ...\n" }), "friction");
  assert.equal(parameterOf({ sweep: sweep("value"), verdicts: "" }), "value");
});

test("growth begins on the lines where modes meet, not at the value before", () => {
  const branch = (number) => ({ number, frequency: [[0.6, number], [0.7, 5]], growth: [[0.6, 0], [0.7, 1]] });
  const event = { value: 0.67, frequency: 4, kind: 1, change: 1, branch: 1, partner: 2, growthChange: 1 };
  const contacts = { value: 0.65, frequency: NaN, kind: 4, change: 0, branch: 0, partner: 0, growthChange: 0 };
  const [first, second, third] = withEvents([branch(1), branch(2), branch(3)], [contacts, event]);
  for (const one of [first, second]) assert.deepEqual([one.frequency[1], one.growth], [[0.67, 4], [[0.6, 0], [0.67, 0], [0.7, 1]]]);
  assert.deepEqual(third, branch(3));
});

test("what happens in a sweep is said in words", () => {
  assert.equal(sweepWords({ kind: 1, change: 1 }, "0.67"), "modes meet at 0.67");
  assert.equal(sweepWords({ kind: 1, change: -1 }, "0.9"), "modes part at 0.9");
  assert.equal(sweepWords({ kind: 42, change: 0 }, "1"), "change at 1");
});

test("a step that varies a parameter is no path", async () => {
  const packer = new Packer();
  const values = table(packer, "sweep", ["value", ...headings], [[0.1, 1, 2, 3, 0, 0, 0, -1, 5, 9, 0, 0, 1]]);
  const context = { run: { stability: [{ ...pathOf(packer), statuses: values }] } };
  assert.deepEqual(judged(context), []);
});

test("a predicted amplitude starts where there is one", () => {
  const found = predictedAmplitude(Float64Array.from([0, 1, 2]), Float64Array.from([0, 3, 9]), Math.log(2));
  assert.ok(Number.isNaN(found[0]));
  assert.deepEqual([found[1], Math.round(1e9 * found[2]) / 1e9], [3, 6]);
});

test("texts on a chart never stand on each other or outside of it", () => {
  const box = (left, top) => ({ left, top, right: left + 10, bottom: top + 10 });
  const within = { left: 0, top: 0, right: 100, bottom: 100 };
  assert.deepEqual(withRoom([box(0, 0), box(5, 5), box(10, 0), box(95, 0), box(0, -1), box(0, 50)], within), [true, false, true, false, false, true]);
});

test("ranges have air and are never empty", () => {
  for (const values of [[], [0], [5], [-3, -3], [NaN, 2], [1, 2], [0.1, 2]]) {
    const [low, high] = rangeWithAir(values);
    assert.ok(low < high, `${values}: ${low} to ${high}`);
    for (const value of values) if (value === value) assert.ok(low <= value && value <= high);
  }
  assert.ok(rangeWithAir([0.1, 2])[0] <= 0, "zero is near");
  const constant = rangeWithAir([133333.33333333334, 133333.3333333333]);
  assert.ok(constant[0] < 70000 && constant[1] > 190000, "rounding is not drawn");
});

test("texts of many places are thinned out, and no line crosses one", () => {
  const within = { left: 0, top: 0, right: 400, bottom: 27 };
  const texts = Array.from({ length: 90 }, (_, k) => ({ x: 20 + 4 * k, half: k < 9 ? 5 : 9 }));
  const rooms = inRows(texts, within, 13);
  const there = rooms.filter((room) => room !== null);
  assert.ok(there.length > 12 && there.length < 45, String(there.length));
  there.forEach((a, i) => {
    there.slice(i + 1).forEach((b) => assert.ok(a.top !== b.top || b.left >= a.right + 3 || a.left >= b.right + 3));
    texts.forEach(({ x }, k) => assert.ok(rooms[k] === null || rooms[k].top !== 0 || a.top === 0 || x < a.left || x > a.right));
  });
  assert.deepEqual(inRows([{ x: 50, half: 5 }, { x: 58, half: 5 }, { x: 66, half: 5 }], within, 13).map((room) => room?.top), [0, 14, 0]);
});
