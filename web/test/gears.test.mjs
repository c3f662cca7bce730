// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";
import { Packer } from "./pack.mjs";
import { table } from "./sample.mjs";

const { createBlocks } = await load("data.ts");
const { cycleWords, cyclesOf, harmonicsOf, keepsBooks, loadCycle, mapOf, timeUnitOf } = await load("gears.ts");
const { variedOf, variedWords } = await load("varied.ts");

const headings = "t [s],step,roll_angle [rad],transmission_error [mm],load.-1 [N],load.0 [N],share.-1,share.0".split(",");
const cycleTable = (packer, rows) => ({ ...table(packer, "pair", headings, rows), kind: "cycle" });
const run = (parameters, numbers, gears = {}) => ({ parameters, summary: { numbers, gears }, cycles: [] });

test("a cycle is that of the last step, over degrees", async () => {
  const packer = new Packer();
  const made = cycleTable(packer, [[0, 1, 0, 9, 0, 9, 0, 1], [1, 2, -Math.PI / 2, 3, 2, 8, 0.2, 0.8], [1.5, 2, Math.PI, 4, 5, 5, 0.5, 0.5]]);
  const blocks = createBlocks((k) => packer.texts[k]);
  const cycle = await loadCycle(blocks, made);
  assert.deepEqual([...cycle.times], [1, 1.5]);
  assert.deepEqual([...cycle.roll], [-90, 180]);
  assert.deepEqual([...cycle.column("transmission_error").values], [3, 4]);
  assert.equal(cycle.column("transmission_error").unit, "mm");
  assert.equal(cycle.column("stiffness"), null);
  assert.deepEqual(cycle.shares.map(({ label, values }) => [label, ...values]), [["pair -1", 0.2, 0.5], ["pair 0", 0.8, 0.5]]);
});

test("tables that are missing or empty are none", () => {
  const packer = new Packer();
  assert.deepEqual(cyclesOf({}, "cycle"), []);
  assert.deepEqual(cyclesOf({ cycles: [null, cycleTable(packer, [])] }, "cycle"), []);
  const mechanism = { ...cycleTable(packer, [[0, 1, 0, 0, 0, 0, 0, 0]]), kind: "mechanism" };
  assert.deepEqual(cyclesOf({ cycles: [mechanism] }, "cycle"), []);
  assert.deepEqual(cyclesOf({ cycles: [mechanism] }, "mechanism"), [mechanism]);
});

test("energies of positions along a trajectory are not drawn: they are all zero", () => {
  const applies = (...kinds) => keepsBooks({ steps: kinds.map((kind) => ({ kind })) });
  assert.equal(applies("trajectory"), false);
  assert.equal(applies("trajectory", "trajectory"), false);
  assert.equal(applies("dynamics"), true);
  assert.equal(applies("quasistatic", "trajectory"), true);
  assert.equal(applies(), true, "steps that can't be read may be any");
});

test("harmonics end where there is none", () => {
  const of = (harmonics) => harmonicsOf(run({}, {}, { pair: { harmonics } }), "pair");
  assert.deepEqual(of([3, 2, null, 1]), [3, 2]);
  assert.deepEqual(of([null, 1]), []);
  assert.deepEqual(of("x"), []);
  assert.deepEqual(harmonicsOf({ summary: null }, "pair"), []);
});

test("a cycle is told in a sentence", () => {
  const numbers = { "pair.transmission_error_mean": 5e-4, "pair.transmission_error_peak_to_peak": 2e-4, "pair.contact_ratio": 1.22, "pair.efficiency": null };
  assert.equal(
    cycleWords(run({}, numbers, { pair: { teeth: [20, 30] } }), "pair", "in"),
    "20 to 30 teeth, transmission error 5e-4 in on the mean, 2e-4 in from peak to peak, contact ratio 1.22.",
  );
  assert.equal(cycleWords(run({}, { "pair.contact_ratio": 1.22, "pair.contact_ratio_loaded": 0, "pair.efficiency": null, "pair.hertz": 0 }), "pair", "in"), "Contact ratio 1.22, no load.");
  const strength = { "pair.hertz": 955.6, "pair.root_stress_1": 169.9, "pair.root_stress_2": 160.5 };
  assert.equal(
    cycleWords(run({}, strength), "pair", "mm", "MPa"),
    "Largest pressure by Hertz 955.6 MPa, largest tension at the roots of the input 169.9 MPa, of the output 160.5 MPa.",
  );
  assert.equal(cycleWords({ summary: null }, "pair", "in"), "");
});

const key = "transmission_error_peak_to_peak";
const study = (cases) => ({ runs: cases.map(([parameters, value]) => run(parameters, { [`pair.${key}`]: value })) });

test("what cases vary are parameters with several values, most of them first", () => {
  const { runs } = study([[{ a: 1, b: 1, c: 7 }, 1], [{ a: 2, b: 1, c: 7 }, 2], [{ a: 3, b: 2, c: 7 }, 3]]);
  assert.deepEqual(variedOf(runs), [{ name: "a", values: [1, 2, 3] }, { name: "b", values: [1, 2] }]);
  assert.deepEqual(variedOf([{}, {}]), []);
  assert.equal(variedWords(runs, runs[0]), `a = ${runs[0].parameters.a}, b = ${runs[0].parameters.b}`);
  assert.equal(variedWords([{}, {}], {}), "");
});

test("a map has a cell for each case, others are held as in the run that is seen", () => {
  const cases = [];
  for (const mu of [0, 0.3]) for (const torque of [100, 500, 1000]) for (const relief of [0, 1, 2]) cases.push([{ mu, torque, relief }, torque + relief + mu]);
  const report = study(cases);
  const map = mapOf(report, report.runs[17], "pair", key);
  assert.deepEqual([map.x.name, map.y.name, map.held], ["torque", "relief", "mu = 0.3"]);
  assert.equal(map.cells.length, 9);
  assert.deepEqual(map.cells[8], { run: 17, x: 1000, y: 2, value: 1002.3 });
});

test("one parameter alone makes a line; cases without the number are left out; the same everywhere makes no map", () => {
  const report = study([[{ torque: 1 }, 5], [{ torque: 2 }, null], [{ torque: 3 }, 7]]);
  const map = mapOf(report, report.runs[0], "pair", key);
  assert.equal(map.y, null);
  assert.deepEqual(map.cells.map(({ x, value }) => [x, value]), [[1, 5], [3, 7]]);
  const same = study([[{ torque: 1 }, 5], [{ torque: 1 }, 6]]);
  assert.equal(mapOf(same, same.runs[0], "pair", key), null);
});

test("where gears roll and nothing else, t counts tooth cycles", () => {
  const cycle = (kind) => ({ kind, kept: 3 });
  const unit = (steps, ...cycles) => timeUnitOf({ steps: steps.map((kind) => ({ kind })), cycles, summary: { units: { time: "s" } } });
  assert.equal(unit(["trajectory"], cycle("cycle")), "cycles");
  assert.equal(unit(["trajectory"], cycle("cycle"), cycle("mechanism")), "s");
  assert.equal(unit(["trajectory", "dynamics"], cycle("cycle")), "s");
  assert.equal(unit(["dynamics"]), "s");
});
