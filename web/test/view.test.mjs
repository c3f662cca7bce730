// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import test from "node:test";
import { load } from "./load.mjs";

globalThis.ImageData ??= class {
  constructor(width, height) {
    Object.assign(this, { width, height, data: new Uint8ClampedArray(4 * width * height) });
  }
};

const { Camera } = await load("view/camera.ts");
const { lanesOf, outlineOf } = await load("view/mesh.ts");
const { obstacleShape, obstacleBox } = await load("view/obstacles.ts");
const { niceRange } = await load("view/choices.ts");
const { roundBelow, ticksOf } = await load("view/number.ts");
const { legendTicks } = await load("view/legend.ts");
const { Raster } = await load("view/raster.ts");
const { columnEdges, orderRows } = await load("view/rows.ts");
const near = (a, b, error = 1e-9) => assert.ok(Math.abs(a - b) <= error, `${a} is not ${b}`);

test("a zoom keeps the point under the pointer, a drag moves with it", () => {
  const camera = new Camera(2);
  camera.resize(400, 300);
  camera.fit({ low: [0, 0, 0], high: [4, 1, 0] });
  const point = [1, 0.25, 0];
  const [x, y] = camera.project(point);
  camera.zoom(3, x, y);
  near(camera.project(point)[0], x);
  near(camera.project(point)[1], y);
  camera.pan(7, -5);
  near(camera.project(point)[0], x + 7);
  near(camera.project(point)[1], y - 5);
});

test("what is fitted is in the picture from every side", () => {
  const camera = new Camera(3);
  camera.resize(390, 240);
  for (const [azimuth, elevation] of [[-60, 25], [0, 0], [-90, 0], [-90, 90], [130, -40]]) {
    camera.look(azimuth, elevation);
    camera.fit({ low: [-1, 0, 2], high: [3, 1, 2.5] });
    for (const corner of [[-1, 0, 2], [3, 1, 2.5], [3, 0, 2], [-1, 1, 2.5]]) {
      const [x, y] = camera.project(corner);
      assert.ok(x > 0 && x < 390 && y > 0 && y < 240);
    }
  }
});

test("from above x points right and y up; from the front z points up", () => {
  const camera = new Camera(3);
  camera.look(-90, 90);
  near(camera.right[0], 1);
  near(camera.up[1], 1);
  camera.look(-90, 0);
  near(camera.right[0], 1);
  near(camera.up[2], 1);
});

test("bars that cover each other get lanes, those that meet end to end do not", () => {
  const body = (firstNode) => ({ name: "", firstNode, nodes: 2, firstTriangle: 0, triangles: 0, firstEdge: 0, edges: 1 });
  assert.deepEqual(lanesOf([body(0), body(2), body(4)], [0, 1, 1, 2, 0.5, 1.5]), [0, 0, 1]);
});

test("the outline of a square is its four sides, that of a roof has its ridge too", () => {
  const square = Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
  const corners = Uint32Array.from([0, 1, 2, 0, 2, 3]);
  assert.equal(outlineOf(corners, square).length, 8);
  const roof = square.slice();
  roof[11] = 1;
  assert.equal(outlineOf(corners, roof).length, 10);
});

const window = { centre: [0, 0, 0], reach: 2, pixel: 0.01, middle: [0, 0, 0], size: 1 };
const obstacle = (more) => ({ name: "o", kind: "plane", point: [0, 0], normal: [0, 1], radius: 0, inside: false, points: [], ...more });

test("hatches are on the side of the solid", () => {
  const ys = (shape) => shape.lines.filter((_, i) => i % 3 === 1);
  const floor = obstacleShape(obstacle({}), 2, [0, 0], window);
  assert.ok(ys(floor).every((y) => y <= 1e-12) && ys(floor).some((y) => y < -0.01));
  const path = obstacleShape(obstacle({ kind: "polyline", points: [-1, 0, 1, 0] }), 2, [0, 0], window);
  assert.ok(ys(path).every((y) => y <= 1e-12) && ys(path).some((y) => y < -0.01));
  const radii = (shape) => shape.lines.flatMap((x, i) => (i % 3 === 0 ? [Math.hypot(x, shape.lines[i + 1])] : []));
  const disk = obstacle({ kind: "circle", radius: 1 });
  assert.ok(Math.max(...radii(obstacleShape(disk, 2, [0, 0], window))) < 1 + 1e-9);
  assert.ok(Math.min(...radii(obstacleShape({ ...disk, inside: true }, 2, [0, 0], window))) > 1 - 1e-9);
  const xs = (shape) => shape.lines.filter((_, i) => i % 3 === 0);
  assert.ok(Math.max(...xs(obstacleShape(obstacle({ normal: [1], point: [0] }), 1, [0], window))) <= 1e-12);
  assert.ok(Math.min(...xs(obstacleShape(obstacle({ normal: [-1], point: [0] }), 1, [0], window))) >= -1e-12);
});

test("a long obstacle costs no more than the picture has room for", () => {
  const far = obstacleShape(obstacle({ kind: "polyline", points: [-1e9, 0, 1e9, 0] }), 2, [0, 0], window);
  assert.ok(far.lines.length < 6 * 300);
  assert.equal(obstacleBox(obstacle({ kind: "polyline", points: [-1e9, 0, 1e9, 0] }), 2, [0, 0], 1), null);
});

test("the box of a polyline of very many points is found", () => {
  const points = Array.from({ length: 400000 }, (_, i) => (i % 2 ? Math.sin(i) : i / 4e5));
  const { low, high } = obstacleBox(obstacle({ kind: "polyline", points }), 2, [1, 0], 1);
  near(low[0], 1);
  near(high[0], 2, 1e-5);
  near(high[1], 1, 1e-6);
});

test("faces of a sphere and a cylinder are on them, moved", () => {
  for (const kind of ["circle", "cylinder"]) {
    const shape = obstacleShape(obstacle({ kind, point: [1, 0, 0], normal: [0, 0, 1], radius: 2 }), 3, [1, 0, 0], window);
    assert.ok(shape.faces.length > 0);
    for (let i = 0; i < shape.faces.length; i += 3) {
      const [x, y, z] = shape.faces.slice(i, i + 3);
      near(kind === "circle" ? Math.hypot(x - 2, y, z) : Math.hypot(x - 2, y), 2);
    }
  }
});

test("ranges are never empty, and begin at zero where values do nearly", () => {
  for (const range of [null, { low: 0, high: 0 }, { low: 5, high: 5 }, { low: -2, high: -2 }]) {
    const { low, high } = niceRange(range, "sequential");
    assert.ok(high > low);
  }
  assert.deepEqual(niceRange({ low: 1, high: 10 }, "sequential"), { low: 0, high: 10 });
  assert.deepEqual(niceRange({ low: 9, high: 10 }, "sequential"), { low: 9, high: 10 });
  assert.deepEqual(niceRange({ low: -1, high: 3 }, "diverging"), { low: -3, high: 3 });
});

test("round numbers", () => {
  assert.deepEqual([1, 1.9, 2, 4.9, 7, 0.03, 1e-7].map(roundBelow).map((x) => Number(x.toPrecision(6))), [1, 1, 2, 2, 5, 0.02, 1e-7]);
  assert.deepEqual(ticksOf(0, 1.9, 4).map((x) => Number(x.toFixed(6))), [0, 0.5, 1, 1.5]);
  for (const [low, high] of [[0, 6], [-3e-7, 2e-7], [1e6, 1.02e6]]) {
    const ticks = ticksOf(low, high, 5);
    assert.ok(ticks.length >= 2 && ticks.length <= 7);
    assert.ok(ticks.every((t) => t >= low - 1e-9 && t <= high + 1e-9 * Math.abs(high)));
  }
});

const table = new Uint8Array(1024).map((_, i) => (i % 4 === 0 ? i / 4 : i % 4 === 3 ? 255 : 0));
const paint = { table, neutral: [9, 9, 9], valued: true, shaded: false };
const pixel = (raster, x, y) => Array.from(raster.image.data.subarray(4 * (y * raster.width + x), 4 * (y * raster.width + x) + 4));

test("a legend names both ends and what is round between them", () => {
  assert.deepEqual(legendTicks(0, 3519, 0).map(([, text]) => text), ["0", "1000", "2000", "3000", "3520"]);
  assert.deepEqual(legendTicks(-2e6, 2e6, 6).map(([, text]) => text), ["-2", "-1", "0", "1", "2"]);
});

test("without WebGL a square is filled without seams, by blended values", () => {
  const raster = new Raster(20, 10);
  raster.clear();
  const points = Float32Array.from([0, 0, 0, 20, 0, 0, 20, 10, 0, 0, 10, 0]);
  raster.triangles(Uint32Array.from([0, 1, 2, 0, 2, 3]), points, Float32Array.from([0, 1, 1, 0]), paint);
  for (let y = 0; y < 10; y++)
    for (let x = 0; x < 20; x++) {
      const [red, , , alpha] = pixel(raster, x, y);
      assert.equal(alpha, 255);
      near(red, (256 * (x + 0.5)) / 20, 1.01);
    }
});

test("without WebGL the nearer one is seen, whichever comes first; what has no value is neutral", () => {
  const points = Float32Array.from([0, 0, 1, 9, 0, 1, 0, 9, 1, 0, 0, 2, 9, 0, 2, 0, 9, 2]);
  for (const corners of [[0, 1, 2, 3, 4, 5], [3, 4, 5, 0, 1, 2]]) {
    const raster = new Raster(9, 9);
    raster.clear();
    raster.triangles(Uint32Array.from(corners), points, Float32Array.from([0.2, 0.2, 0.2, -1000, -1000, -1000]), paint);
    assert.deepEqual(pixel(raster, 2, 2), [9, 9, 9, 255]);
    raster.lines([0, 1], points.map((x, i) => (i % 3 === 2 ? x - 9 : x)), [255, 0, 0], 1);
    assert.deepEqual(pixel(raster, 2, 0), [9, 9, 9, 255]);
  }
});

test("rows of the status map: body by body, along x in the plane, else by number", () => {
  const bodies = [{ firstNode: 0, nodes: 3 }, { firstNode: 3, nodes: 3 }];
  const animation = { dimension: 2, bodies, contactNodes: [0, 1, 2, 3, 4, 5] };
  assert.deepEqual(orderRows(animation, [2, 0, 1, 0, 0, 0, 5, 0, 4, 0, 4, -1], [0, 1, 2, 0, 1, 2]), [2, 1, 0, 5, 4, 3]);
  assert.deepEqual(orderRows({ ...animation, dimension: 3 }, [], [7, 1, 2, 9, 8, 0]), [1, 2, 0, 5, 4, 3]);
});

test("columns of the status map begin and end with the run, each around its frame", () => {
  assert.deepEqual(columnEdges([0, 1, 3], 3.5), [0, 0.5, 2, 3.5]);
  assert.deepEqual(columnEdges([0, 1, 3], 3), [0, 0.5, 2, 3]);
  assert.deepEqual(columnEdges([2], 2), [2, 3]);
});
