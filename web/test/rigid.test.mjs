// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";
import { Packer } from "./pack.mjs";
import { heap, wheels } from "./rigid_animations.mjs";

const { createBlocks } = await load("data.ts");
const { Frames } = await load("view/frames.ts");
const { Scene } = await load("view/scene.ts");
const { Camera } = await load("view/camera.ts");
const { choicesOf, firstChoice } = await load("view/choices.ts");
const { bodyAt, contactAt, describeBody, describeContact } = await load("view/body_probe.ts");
const { groupsOf } = await load("view/controls.ts");
const { obstacleShape, planeOf } = await load("view/obstacles.ts");

const colours = {
  background: "#ffffff", text: "#000000", faint: "#666666", grid: "#dddddd", curves: ["#0072b2", "#d55e00"],
  reference: "#777777", stick: "#0072b2", slip: "#e69f00", apart: "#e3e6ea",
};
const theme = { dark: false, colours, follow: () => () => {} };
const near = (a, b, error = 1e-5) => assert.ok(Math.abs(a - b) <= error, `${a} is not ${b}`);

async function sceneOf(make, options) {
  const packer = new Packer();
  const animation = make(packer, options);
  const frames = await Frames.load(animation, createBlocks((k) => packer.texts[k]));
  const scene = await Scene.load(frames, theme);
  const camera = new Camera(animation.dimension);
  camera.resize(600, 400);
  camera.fit(scene.bounds());
  return { animation, frames, scene, camera };
}

test("nodes of rigid bodies go where displacement and rotation lead them", async () => {
  const { scene } = await sceneOf(wheels);
  scene.setFrame(4);
  near(scene.positions[0], 0.5), near(scene.positions[1], -0.5);
  // the first node of the rim of the wheel, by a quarter of a turn
  const rim = 3 * (4 + 3 + 1);
  near(scene.mesh.rest[rim], 2.5), near(scene.positions[rim], 2), near(scene.positions[rim + 1], 0.5);
  // what is deformable stays
  near(scene.positions[12], 4), near(scene.positions[13], 0);
});

test("velocities of nodes are those of the motion; other fields are not known there", async () => {
  const { animation, scene } = await sceneOf(wheels);
  scene.setFrame(4);
  const choose = (label) => scene.setChoice(choicesOf(animation).find((choice) => choice.label === label));
  await choose("velocity");
  near(scene.values[0], 1);
  near(scene.values[8], Math.PI / 4);
  await choose("velocity x");
  near(scene.values[8], -Math.PI / 4);
  await choose("von Mises stress");
  assert.ok(Number.isNaN(scene.values[0]));
  assert.equal(scene.values[4], 0);
});

test("rotations in space turn nodes and normals; a ball is smooth, a cube is not", async () => {
  const { scene } = await sceneOf(heap);
  const normal = (n) => Array.from(scene.normals.subarray(3 * n, 3 * n + 3));
  const equator = 1 + 3 * 16;
  near(scene.positions[3 * equator], 0.5);
  near(normal(equator)[0], 1, 1e-3);
  scene.setFrame(4);
  near(scene.positions[3 * equator], 1), near(scene.positions[3 * equator + 1], -0.5);
  near(normal(equator)[1], -1, 1e-3);
  for (let n = 114; n < 122; n++) assert.deepEqual(normal(n), [0, 0, 0]);
});

test("a wheel has spokes, a ball has circles around it, a cube has its twelve edges", async () => {
  const { scene } = await sceneOf(wheels);
  assert.equal(scene.outline.length, 2 * (4 + 3 + 16 + 4));
  const { scene: space } = await sceneOf(heap);
  space.setShown(0, false);
  assert.equal(space.outline.length, 2 * 12);
  space.setShown(0, true), space.setShown(1, false);
  assert.equal(space.outline.length, 2 * (16 + 2 * 16));
});

test("contacts are drawn where they are, by status, each force on both bodies", async () => {
  const { scene, camera } = await sceneOf(wheels);
  scene.placeArrows(camera);
  assert.deepEqual(scene.touching.marks.map((list) => list.count), [0, 0, 0]);
  scene.setFrame(4);
  scene.placeArrows(camera);
  assert.deepEqual(scene.touching.marks.map((list) => list.count), [1, 1, 1]);
  near(scene.touching.marks[2].points[0], 1.5);
  // forces against the ground have one arrow of three triangles each
  assert.equal(scene.arrows.corners, 2 * 9);
  scene.showForces = false;
  scene.touching.showChains = true;
  scene.placeArrows(camera);
  assert.equal(scene.arrows.corners, 0);
  assert.equal(scene.touching.chains.corners, 2 * 6);
  scene.setShown(0, false);
  scene.placeArrows(camera);
  assert.deepEqual(scene.touching.marks.map((list) => list.count), [0, 0, 0]);
});

test("an impact does not make all other forces invisible", async () => {
  const contact = (force) => ({ place: [0, 0], force: [0, force], tangential: 0, status: 1, first: 0, second: 3 });
  const contactsOf = (t) => [contact(t === 0.5 ? 1e6 : 10)];
  const { scene, camera } = await sceneOf(wheels, { contactsOf });
  assert.equal(scene.touching.usual, 10);
  scene.setFrame(2);
  scene.placeArrows(camera);
  const high = Math.max(...Array.from(scene.arrows.points.subarray(0, 27)).filter((_, i) => i % 3 === 1));
  assert.ok(high / camera.pixel < 100, `${high / camera.pixel} pixels`);
});

test("one can point at bodies and contacts", async () => {
  const { scene, camera } = await sceneOf(wheels);
  scene.setFrame(4);
  const at = (point) => camera.project(point).slice(0, 2);
  assert.equal(bodyAt(scene, camera, at([1, 0.1, 0])), 0);
  assert.equal(bodyAt(scene, camera, at([4.1, 0.1, 0])), -1, "a deformable body has nodes");
  assert.equal(bodyAt(scene, camera, at([1, 3, 0])), -1);
  const text = describeBody(scene, 0);
  assert.match(text, /^square: position \(1, 0\) m, velocity \(1, 0\) m\/s, turned by 0\u00b0, turning 0 1\/s; pressed by/);
  assert.match(text, /ground 5 N slipping, ground 3 N sticking/);
  const found = contactAt(scene, camera, at([1.5, -0.5, 0]));
  assert.equal(describeContact(scene, found), "contact of square and ground: slipping, normal force 3 N, friction 4 N");
  assert.equal(contactAt(scene, camera, at([1, 3, 0])), null);
});

test("in space one points at what is in front", async () => {
  const { scene, camera } = await sceneOf(heap);
  camera.look(0, 0);
  camera.fit(scene.bounds());
  // seen along x the cube covers the ball
  assert.equal(bodyAt(scene, camera, camera.project([0, 0, 0]).slice(0, 2)), 1);
});

test("joints go with their bodies", async () => {
  const { scene, camera } = await sceneOf(wheels);
  const middle = () => {
    const lines = scene.jointLines(camera);
    return [0, 1].map((k) => lines.filter((_, i) => i % 3 === k).reduce((sum, x) => sum + x, 0) / (lines.length / 3));
  };
  near(middle()[0], 2.5, 1e-3);
  scene.setFrame(4);
  near(middle()[0], 2, 1e-3), near(middle()[1], 0.5, 1e-3);
  scene.showJoints = false;
  assert.deepEqual(scene.jointLines(camera), []);
});

test("rigid bodies are told apart at first; many of one name are one switch", async () => {
  const { animation } = await sceneOf(heap);
  assert.equal(choicesOf(animation)[firstChoice(choicesOf(animation), true)].label, "none");
  const bodies = [{ name: "base" }, ...Array.from({ length: 20 }, (_, k) => ({ name: `stone[${k}]` }))];
  assert.deepEqual(groupsOf(bodies).map(({ name, members }) => [name, members.length]), [["base", 1], ["stone", 20]]);
  assert.equal(groupsOf(bodies.slice(0, 5)).length, 5);
  const numbered = Array.from({ length: 30 }, (_, k) => ({ name: `${k % 2 ? "wall-" : "arch_"}${k}`, material: "stone", rigid: k }));
  assert.deepEqual(groupsOf(numbered).map(({ name, members }) => [name, members.length]), [["arch", 15], ["wall", 15]]);
  const letters = Array.from({ length: 26 }, (_, k) => ({ name: `${String.fromCharCode(97 + k)}`, material: k < 20 ? "brick" : "steel", rigid: k }));
  assert.deepEqual(groupsOf(letters).map(({ name, members }) => [name, members.length]), [["brick", 20], ["steel", 6]]);
  const kinds = letters.map(({ name }, k) => (k < 10 ? { name, rigid: k } : { name }));
  assert.deepEqual(groupsOf(kinds).map(({ name, members }) => [name, members.length]), [["rigid bodies", 10], ["deformable bodies", 16]]);
});

test("planes end where they meet, but none is hidden as a whole", () => {
  const plane = (point, normal) => ({ name: "", kind: "plane", point, normal, radius: 0, inside: false, points: [] });
  const window = { centre: [0, 0, 0], reach: 10, pixel: 0.01, middle: [0, 0, 0], size: 4 };
  const zero = [0, 0, 0];
  const floor = plane([0, 0, -1], [0, 0, 1]);
  const west = planeOf(plane([-1, 0, 0], [1, 0, 0]), zero);
  const shape = obstacleShape(floor, 3, zero, window, [west]);
  const xs = shape.lines.filter((_, i) => i % 3 === 0);
  near(Math.min(...xs), -1, 1e-6), near(Math.max(...xs), 3, 1e-6);
  assert.ok(shape.faces.every((x, i) => i % 3 !== 2 || x === -1));
  const above = planeOf(plane([0, 0, 1], [0, 0, 1]), zero);
  assert.deepEqual(obstacleShape(floor, 3, zero, window, [above]), obstacleShape(floor, 3, zero, window));
  const line = obstacleShape(plane([0, 0], [0, 1]), 2, [0, 0], window, [planeOf(plane([2, 0], [-1, 0]), [0, 0])]);
  near(Math.max(line.lines[0], line.lines[3]), 2, 1e-6);
});
