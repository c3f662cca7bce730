// SPDX-License-Identifier: Apache-2.0
// Obstacles as lines and translucent faces. In the plane the solid side is hatched; the hatching belongs to the
// obstacle, so that one sees a belt move.

import type { Obstacle } from "../report";
import type { Box, Vector } from "./camera";
import { rangeOf } from "./choices";

/** What is seen now: nothing outside of it has to be drawn, and a hatch is so many pixels long. */
export interface Window {
  centre: Vector;
  reach: number;
  pixel: number;
  /** Middle and size of the model, for obstacles without an end. */
  middle: Vector;
  size: number;
}

/** Lines by pairs and faces by threes of points, three numbers each. */
export interface Shape {
  lines: number[];
  faces: number[];
}

const spacing = 9;
const add = (a: ArrayLike<number>, b: ArrayLike<number>, share = 1): Vector => [
  a[0] + share * b[0],
  a[1] + share * b[1],
  a[2] + share * b[2],
];
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const inSpace = (a: ArrayLike<number>): Vector => [a[0] ?? 0, a[1] ?? 0, a[2] ?? 0];

function unit(a: Vector): Vector {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}

/** A line from a to b, hatched on its right. */
function hatched(shape: Shape, a: Vector, b: Vector, window: Window, anchor = a): void {
  const along = unit(add(b, a, -1));
  const right: Vector = [along[1], -along[0], 0];
  shape.lines.push(...a, ...b);
  const step = spacing * window.pixel;
  const [first, last] = [dot(add(a, anchor, -1), along), dot(add(b, anchor, -1), along)];
  if ((last - first) / step > 2000) return;
  for (let k = Math.ceil(first / step); k * step <= last; k++) {
    const root = add(anchor, along, k * step);
    const tip = add(add(root, right, step), along, -0.6 * step);
    shape.lines.push(...root, ...tip);
  }
}

/** The part of a line through a point that can be seen. */
function visible(point: Vector, along: Vector, window: Window): [Vector, Vector] {
  const middle = dot(add(window.centre, point, -1), along);
  return [add(point, along, middle - window.reach), add(point, along, middle + window.reach)];
}

/** Only what of a segment can be seen, so that a long one costs no more hatches than the window has room for. */
function clipped(a: Vector, b: Vector, window: Window): [Vector, Vector] | null {
  const along = unit(add(b, a, -1));
  const length = dot(add(b, a, -1), along);
  const middle = dot(add(window.centre, a, -1), along);
  const [low, high] = [Math.max(0, middle - window.reach), Math.min(length, middle + window.reach)];
  return low < high ? [add(a, along, low), add(a, along, high)] : null;
}

function line(point: Vector, normal: Vector, window: Window, others: (Half | null)[]): Shape {
  const shape: Shape = { lines: [], faces: [] };
  const along: Vector = [normal[1], -normal[0], 0];
  const seen = cut(visible(point, along, window), others, window.size);
  const [a, b] = dot(add(seen[1], seen[0], -1), along) >= 0 ? seen : [seen[1], seen[0]];
  hatched(shape, a, b, window, point);
  return shape;
}

/** In one dimension a plane is a wall across the bar. */
function wall(point: Vector, normal: Vector, window: Window): Shape {
  const shape: Shape = { lines: [], faces: [] };
  const half = 0.09 * window.size;
  const ends: [Vector, Vector] = [add(point, [0, -half, 0]), add(point, [0, half, 0])];
  if (normal[0] < 0) ends.reverse();
  hatched(shape, ends[1], ends[0], window, point);
  return shape;
}

function polyline(points: number[], shift: Vector, window: Window): Shape {
  const shape: Shape = { lines: [], faces: [] };
  for (let k = 0; k + 3 < points.length; k += 2) {
    const a = add([points[k], points[k + 1], 0], shift);
    const b = add([points[k + 2], points[k + 3], 0], shift);
    const seen = clipped(a, b, window);
    if (seen) hatched(shape, seen[0], seen[1], window, a);
  }
  return shape;
}

/** Hatched on the side of the solid, evenly along the arc. */
function circle(centre: Vector, radius: number, inside: boolean, window: Window): Shape {
  const shape: Shape = { lines: [], faces: [] };
  const at = (angle: number, r: number): Vector => add(centre, [r * Math.cos(angle), r * Math.sin(angle), 0]);
  const arcs = 128;
  for (let k = 0; k < arcs; k++)
    shape.lines.push(...at((2 * Math.PI * k) / arcs, radius), ...at((2 * Math.PI * (k + 1)) / arcs, radius));
  const step = spacing * window.pixel;
  const hatches = Math.floor((2 * Math.PI * radius) / step);
  if (hatches > 2000) return shape;
  for (let k = 0; k < hatches; k++) {
    const angle = (2 * Math.PI * k) / hatches;
    const depth = Math.min(step, 0.5 * radius);
    shape.lines.push(...at(angle, radius), ...at(angle - (0.6 * depth) / radius, inside ? radius + depth : radius - depth));
  }
  return shape;
}

/** Two directions across a third one. */
function frameOf(normal: Vector): [Vector, Vector] {
  const other: Vector = Math.abs(normal[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const s = unit(cross(other, normal));
  return [s, cross(normal, s)];
}

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** A square with a grid below the model; the grid belongs to the plane. */
function plane(point: Vector, normal: Vector, window: Window, others: (Half | null)[]): Shape {
  const shape: Shape = { lines: [], faces: [] };
  const [s, t] = frameOf(normal);
  const foot = add(window.middle, normal, -dot(add(window.middle, point, -1), normal));
  const half = 0.75 * window.size;
  const corner = (a: number, b: number): Vector => add(add(foot, s, a * half), t, b * half);
  const rim = cut([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)], others, window.size);
  rim.forEach((a, k) => {
    shape.lines.push(...a, ...rim[(k + 1) % rim.length]);
    if (k > 1) shape.faces.push(...rim[0], ...rim[k - 1], ...a);
  });
  const step = half / 5;
  for (const [across, along] of [[s, t], [t, s]]) {
    const from = dot(add(foot, point, -1), across);
    for (let k = Math.ceil((from - half) / step); k * step <= from + half; k++) {
      const middle = add(foot, across, k * step - from);
      const ends = within(rim, middle, along);
      if (ends) shape.lines.push(...ends[0], ...ends[1]);
    }
  }
  return shape;
}

/** Where a line of a plane enters a convex polygon of it, and leaves it. */
function within(rim: Vector[], point: Vector, along: Vector): [Vector, Vector] | null {
  let [low, high] = [Infinity, -Infinity];
  rim.forEach((a, k) => {
    const b = rim[(k + 1) % rim.length];
    const side = add(b, a, -1);
    // point + x along = a + y side, in the plane of both
    const [gap, det] = [add(a, point, -1), dot(side, side) - dot(side, along) ** 2];
    if (det < 1e-12 * dot(side, side)) return;
    const y = (dot(gap, along) * dot(side, along) - dot(gap, side)) / det;
    if (y < -1e-9 || y > 1 + 1e-9) return;
    const x = dot(gap, along) + y * dot(side, along);
    [low, high] = [Math.min(low, x), Math.max(high, x)];
  });
  return low < high ? [add(point, along, low), add(point, along, high)] : null;
}

function face(shape: Shape, a: Vector, b: Vector, c: Vector, d: Vector): void {
  shape.faces.push(...a, ...b, ...c, ...a, ...c, ...d);
}

/** A surface over two parameters from 0 to 1, with some of its lines. */
function surface(across: number, along: number, every: number, at: (u: number, v: number) => Vector): Shape {
  const shape: Shape = { lines: [], faces: [] };
  for (let i = 0; i < across; i++)
    for (let j = 0; j < along; j++) {
      const [u, v, du, dv] = [i / across, j / along, 1 / across, 1 / along];
      const [a, b, c, d] = [at(u, v), at(u + du, v), at(u + du, v + dv), at(u, v + dv)];
      face(shape, a, b, c, d);
      if (i % every === 0) shape.lines.push(...a, ...d);
      if (j % every === 0) shape.lines.push(...a, ...b);
      if (j === along - 1) shape.lines.push(...d, ...c);
    }
  return shape;
}

function sphere(centre: Vector, radius: number): Shape {
  return surface(32, 16, 4, (u, v) => {
    const [a, b] = [2 * Math.PI * u, Math.PI * v];
    return add(centre, [Math.sin(b) * Math.cos(a), Math.sin(b) * Math.sin(a), Math.cos(b)], radius);
  });
}

function cylinder(point: Vector, axis: Vector, radius: number, window: Window): Shape {
  const [s, t] = frameOf(axis);
  const foot = add(point, axis, dot(add(window.middle, point, -1), axis));
  return surface(32, 4, 4, (u, v) => {
    const rim = add(add(foot, s, radius * Math.cos(2 * Math.PI * u)), t, radius * Math.sin(2 * Math.PI * u));
    return add(rim, axis, (1.5 * v - 0.75) * window.size);
  });
}

/** A plane with the solid behind it. */
export interface Half {
  point: Vector;
  normal: Vector;
}

/** The half space of a plane that has moved; null for other obstacles. */
export function planeOf(obstacle: Obstacle, shift: number[]): Half | null {
  if (obstacle.kind !== "plane") return null;
  return { point: add(inSpace(obstacle.point), inSpace(shift)), normal: unit(inSpace(obstacle.normal)) };
}

const height = (half: Half, x: Vector): number => dot(add(x, half.point, -1), half.normal);
const between = (a: Vector, b: Vector, share: number): Vector => add(a, add(b, a, -1), share);

/** What of a convex polygon (or a line: two corners) is in front of a plane. */
function inFront(corners: Vector[], half: Half): Vector[] {
  const out: Vector[] = [];
  corners.forEach((a, k) => {
    const b = corners[(k + 1) % corners.length];
    const [ha, hb] = [height(half, a), height(half, b)];
    if (ha >= 0) out.push(a);
    if (ha < 0 !== hb < 0 && (corners.length > 2 || k === 0)) out.push(between(a, b, ha / (ha - hb)));
  });
  return out;
}

/** Planes end where they meet: one that would be hidden as a whole is for bodies of its own, and is left as it is. */
function cut(corners: Vector[], others: (Half | null)[], size: number): Vector[] {
  let left = corners;
  for (const half of others) {
    if (!half) continue;
    const slack = { ...half, point: add(half.point, half.normal, -1e-9 * size) };
    const next = inFront(left, slack);
    if (next.length >= 2) left = next;
  }
  return left;
}

/** What is to be drawn of an obstacle that has moved by `shift`, beside other planes. */
export function obstacleShape(obstacle: Obstacle, dimension: number, shift: number[], window: Window, others: (Half | null)[] = []): Shape {
  const moved = inSpace(shift);
  const point = add(inSpace(obstacle.point), moved);
  const normal = unit(inSpace(obstacle.normal));
  const { kind, radius, inside } = obstacle;
  if (kind === "polyline") return polyline(obstacle.points, moved, window);
  if (kind === "cylinder") return cylinder(point, normal, radius, window);
  if (kind === "circle") return dimension === 3 ? sphere(point, radius) : circle(point, radius, inside, window);
  if (dimension === 1) return wall(point, normal, window);
  return dimension === 2 ? line(point, normal, window, others) : plane(point, normal, window, others);
}

/** The box of an obstacle that should be in the first view; null for one without an end, or one that is all around. */
export function obstacleBox(obstacle: Obstacle, dimension: number, shift: number[], size: number): Box | null {
  const moved = inSpace(shift);
  const point = add(inSpace(obstacle.point), moved);
  if (obstacle.kind === "plane") return dimension === 1 ? { low: point, high: point } : null;
  if (obstacle.kind === "cylinder" || obstacle.radius > 2 * size) return null;
  if (obstacle.kind === "circle") {
    const corner: Vector = [obstacle.radius, obstacle.radius, dimension === 3 ? obstacle.radius : 0];
    return { low: add(point, corner, -1), high: add(point, corner) };
  }
  const [x, y] = [0, 1].map((k) => rangeOf(obstacle.points.filter((_, i) => i % 2 === k)));
  if (!x || !y || x.high - x.low > 4 * size || y.high - y.low > 4 * size) return null;
  return { low: add([x.low, y.low, 0], moved), high: add([x.high, y.high, 0], moved) };
}
