// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { bars, box, plate } from "./animations.mjs";
import { load } from "./load.mjs";
import { Packer } from "./pack.mjs";

const { createBlocks } = await load("data.ts");
const { Frames } = await load("view/frames.ts");
const { Scene } = await load("view/scene.ts");
const { Camera } = await load("view/camera.ts");
const { choicesOf, firstChoice } = await load("view/choices.ts");
const { contactForces, extremesOf } = await load("view/extremes.ts");
const { describe, nodeAt } = await load("view/probe.ts");

const colours = {
  background: "#ffffff", text: "#000000", faint: "#666666", grid: "#dddddd", curves: ["#0072b2", "#d55e00"],
  reference: "#777777", stick: "#0072b2", slip: "#e69f00", apart: "#e3e6ea",
};
const theme = { dark: false, colours, follow: () => () => {} };

async function sceneOf(make, options) {
  const packer = new Packer();
  const animation = make(packer, options);
  const frames = await Frames.load(animation, createBlocks((k) => packer.texts[k]));
  return { animation, frames, scene: await Scene.load(frames, theme) };
}
const chosen = (animation, label) => choicesOf(animation).find((choice) => choice.label === label);
const near = (a, b, error) => assert.ok(Math.abs(a - b) <= error, `${a} is not ${b}`);

test("the frame of a time is the last one that is not after it", async () => {
  const { frames } = await sceneOf(plate, { frames: 11, end: 1 });
  assert.deepEqual([-1, 0, 0.05, 0.1, 0.7499, 1, 9].map((t) => frames.at(t)), [0, 0, 0, 1, 7, 10, 10]);
});

test("every frame is at the computed places, times the magnification", async () => {
  const { scene } = await sceneOf(plate, { frames: 5, end: 1 });
  for (const [frame, times] of [[0, 1], [4, 1], [2, 10]]) {
    scene.setFrame(frame);
    scene.setMagnification(times);
    const u = scene.displacementOf(30);
    for (let k = 0; k < 2; k++) near(scene.positions[90 + k], scene.mesh.rest[90 + k] + times * u[k], 1e-5);
  }
});

test("a bar is a ribbon as high at all nodes, and moves along itself only", async () => {
  const { scene } = await sceneOf(bars);
  assert.equal(scene.mesh.vertices, 84);
  assert.equal(scene.triangles.length, 3 * 2 * 40);
  scene.setFrame(20);
  const high = scene.positions[3 * 42 + 1] - scene.positions[1];
  assert.ok(high > 0);
  for (let n = 0; n < 42; n++) {
    near(scene.positions[3 * (n + 42) + 1] - scene.positions[3 * n + 1], high, 1e-6);
    assert.equal(scene.positions[3 * (n + 42)], scene.positions[3 * n]);
  }
});

test("the range of a component is that of all frames, symmetric if it has both signs", async () => {
  const { animation, scene } = await sceneOf(plate, { frames: 7 });
  await scene.setChoice(chosen(animation, "velocity x"));
  assert.equal(scene.scale, "sequential");
  near(scene.range.high, 60, 0.1);
  await scene.setChoice(chosen(animation, "displacement y"));
  assert.equal(scene.scale, "diverging");
  assert.equal(scene.range.low, -scene.range.high);
  const before = scene.range.high;
  scene.setFrame(0);
  assert.equal(scene.range.high, before);
  scene.setRangeOfFrame(true);
  assert.ok(scene.range.high < before);
});

test("a node without a force has none, though forces are quantised", async () => {
  const { scene } = await sceneOf(box, { frames: 5 });
  scene.setFrame(4);
  const high = Array.from({ length: scene.values.length }, (_, n) => n).filter((n) => scene.mesh.rest[3 * n + 2] > 0.5);
  assert.ok(high.every((n) => scene.forceOf(n).every((f) => f === 0)));
  assert.match((await contactForces(scene, scene.frame))[0][2], /^x -[1-9].*, y 0, z [1-9]/);
});

test("a value of none has no colour, and does not disturb the range", async () => {
  const { animation, scene } = await sceneOf(plate, { frames: 7 });
  await scene.setChoice(chosen(animation, "gap"));
  assert.ok(Number.isFinite(scene.range.low) && scene.range.high > scene.range.low);
  assert.ok(scene.coordinates[0] >= 0);
  assert.ok(scene.coordinates[scene.mesh.vertices - 1] < 0);
});

test("in the plane what belongs to contact nodes is shown by dots, in space on the surface", async () => {
  const flat = await sceneOf(plate, { frames: 3 });
  await flat.scene.setChoice(chosen(flat.animation, "contact pressure"));
  assert.equal(flat.scene.dots.length, flat.animation.contactNodes.length);
  assert.equal(flat.scene.surfaceHasValues, false);
  const space = await sceneOf(box, { frames: 3 });
  await space.scene.setChoice(chosen(space.animation, "contact pressure"));
  assert.equal(space.scene.dots.length, 0);
  await space.scene.setChoice(chosen(space.animation, "contact status"));
  assert.equal(space.scene.dots.length, space.animation.contactNodes.length);
});

test("a hidden body takes its triangles, arrows and dots with it", async () => {
  const { animation, scene } = await sceneOf(bars);
  await scene.setChoice(chosen(animation, "contact status"));
  scene.setFrame(20);
  const camera = new Camera(1);
  camera.resize(600, 200);
  camera.fit(scene.bounds());
  scene.placeArrows(camera);
  const all = [scene.triangles.length, scene.arrows.corners, scene.dots.length];
  scene.setShown(0, false);
  scene.placeArrows(camera);
  assert.deepEqual([scene.triangles.length, scene.arrows.corners, scene.dots.length], all.map((n) => n / 2));
});

test("arrows are as long as their forces, and lost where there are none", async () => {
  const { scene } = await sceneOf(plate);
  const camera = new Camera(2);
  camera.resize(800, 480);
  camera.fit(scene.bounds());
  scene.placeArrows(camera);
  assert.equal(scene.arrows.corners, 0);
  scene.setFrame(40);
  scene.placeArrows(camera);
  const loaded = Array.from({ length: scene.values.length }, (_, n) => n).filter((n) => Math.hypot(...scene.forceOf(n)) > 1);
  assert.equal(scene.arrows.corners, 9 * loaded.length);
  const force = scene.forceOf(loaded[0]);
  // The tip is the middle corner of the head.
  const tip = scene.arrows.points.subarray(3 * 7, 3 * 8);
  for (let k = 0; k < 2; k++) {
    const from = scene.positions[3 * loaded[0] + k];
    near((tip[k] - from) / camera.pixel, scene.forcePixels(camera) * force[k], 0.05);
  }
});

test("the view holds all frames, and tiny displacements are made visible", async () => {
  const { scene } = await sceneOf(plate);
  const { low, high } = scene.bounds();
  for (const frame of [0, 30, 60]) {
    scene.setFrame(frame);
    for (let i = 0; i < scene.positions.length; i++)
      assert.ok(scene.positions[i] >= low[i % 3] - 1e-5 && scene.positions[i] <= high[i % 3] + 1e-5);
  }
  assert.equal(scene.automaticMagnification(), 1);
  const { scene: stiff } = await sceneOf(bars);
  const most = stiff.automaticMagnification() * stiff.frames.animation.fields[0].most;
  near(most, 0.05 * stiff.mesh.size, 1e-6);
});

test("edges of elements fade where they are too close, and come back when one looks closer", async () => {
  const { scene } = await sceneOf(plate, { nx: 100, ny: 50, frames: 2 });
  const camera = new Camera(2);
  camera.resize(400, 200);
  camera.fit(scene.bounds());
  assert.equal(scene.edgeStrength(camera), 0);
  camera.zoom(10);
  assert.equal(scene.edgeStrength(camera), 0.25);
  scene.showEdges = false;
  assert.equal(scene.edgeStrength(camera), 0);
});

test("bodies that travel far are looked at from near", async () => {
  const { scene } = await sceneOf(plate);
  assert.equal(scene.travels, false);
  scene.setMagnification(100);
  assert.equal(scene.travels, true);
  scene.setFrame(60);
  const { low, high } = scene.closeBounds();
  for (let i = 0; i < 3; i++) assert.ok(scene.centre()[i] >= low[i] && scene.centre()[i] <= high[i]);
  near(high[0] - low[0], 2 * scene.mesh.size, 1e-3);
});

test("bodies that burst are seen whole", async () => {
  const { scene } = await sceneOf(plate);
  assert.equal(scene.spread(), scene.mesh.size);
  scene.setMagnification(1e4);
  scene.setFrame(60);
  for (const i of [0, 1, 3]) scene.positions[i] += 1e3 * scene.mesh.size;
  const { low, high } = scene.closeBounds();
  scene.positions.forEach((x, i) => assert.ok(x >= low[i % 3] - 1e-3 * scene.spread() && x <= high[i % 3] + 1e-3 * scene.spread()));
});

test("an obstacle moves by its motion", async () => {
  const { animation, frames, scene } = await sceneOf(plate, { frames: 11, end: 1 });
  const roller = animation.obstacles.findIndex((o) => o.name === "roller");
  near(frames.shift(roller, 10)[0], -0.2, 1e-12);
  const camera = new Camera(2);
  camera.resize(800, 400);
  camera.fit(scene.bounds());
  const before = scene.obstacleShapes(camera);
  assert.equal(scene.obstacleShapes(camera), before);
  scene.setFrame(10);
  const after = scene.obstacleShapes(camera);
  // The rightmost point at mid-height belongs to the roller.
  const rightmost = ({ lines }) => Math.max(...lines.filter((_, i) => i % 3 === 0 && lines[i + 1] > 0.3));
  near(rightmost(before), 3.5, 0.01);
  near(rightmost(after), 3.3, 0.01);
});

test("the node under a place is found, and told with body, number and values", async () => {
  const { animation, scene } = await sceneOf(bars);
  await scene.setChoice(choicesOf(animation)[firstChoice(choicesOf(animation))]);
  scene.setFrame(20);
  const camera = new Camera(1);
  camera.resize(800, 200);
  camera.fit(scene.bounds());
  const at = [0, 0, 0];
  scene.anchor(25, at);
  const [x, y] = camera.project(at);
  assert.equal(nodeAt(scene, camera, [x + 2, y - 1]), 25);
  assert.equal(nodeAt(scene, camera, [x, y + 60]), -1);
  assert.match(describe(scene, 25), /^right node 4: displacement .* m, von Mises stress .* N\/m\^2$/);
  assert.match(describe(scene, 21), /^right node 0: .*, contact force .* N$/);
});

test("extremes name the place; contact forces add up by body", async () => {
  const { scene } = await sceneOf(bars);
  scene.setFrame(20);
  const rows = await extremesOf(scene);
  const stress = rows.find(([what]) => what === "largest von Mises stress");
  assert.match(stress[2], /^(left|right) node (0|20), one of 2 nearly alike$/);
  const [onLeft, onRight] = await contactForces(scene, 20);
  assert.match(onLeft[2], /^x -130000/);
  assert.match(onRight[2], /^x 130000/);
});

// One node takes 1e6 N in the first frame, forty nodes take 10 N each in the second.
const blow = (n, t) => (t === 0 ? (n === 0 ? 1e6 : 0) : n < 40 ? 10 : 0);
const afterBlow = { frames: 2, end: 1, nx: 49, motion: { force: (n, t) => [0, blow(n, t)], pressure: blow } };

test("largest values and sums of a frame are those of the results, whatever happened in other frames", async () => {
  const { scene } = await sceneOf(plate, afterBlow);
  scene.setFrame(1);
  const rows = await extremesOf(scene);
  const row = (what) => rows.find(([name]) => name === what);
  assert.deepEqual(row("total contact force on plate").slice(1), ["400 N", "x 0, y 400"]);
  // all nodes are alike for what the page knows
  assert.deepEqual(row("largest contact pressure").slice(1), ["10 N/m^2", ""]);
});

test("a node is told with no more digits than the page knows", async () => {
  const { animation, scene } = await sceneOf(plate, afterBlow);
  await scene.setChoice(chosen(animation, "contact pressure"));
  scene.setFrame(1);
  assert.match(describe(scene, 5), /contact pressure \d+ \u00b1 8 N\/m\^2, contact force \(0, \d+\) \u00b1 8 N$/);
  scene.setFrame(0);
  assert.match(describe(scene, 0), /contact pressure 1000000 N\/m\^2, contact force \(0, 1000000\) N$/);
});

test("the range of a frame is that of the results", async () => {
  const { animation, scene } = await sceneOf(plate, afterBlow);
  await scene.setChoice(chosen(animation, "contact pressure"));
  scene.setRangeOfFrame(true);
  scene.setFrame(1);
  assert.deepEqual(scene.range, { low: 0, high: 10 });
});
