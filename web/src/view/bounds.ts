// SPDX-License-Identifier: Apache-2.0
// Boxes that a view should show.

import type { Box, Vector } from "./camera";
import type { FieldFrames } from "./frames";
import type { DrawMesh } from "./mesh";

/** The box around all vertices in all frames. */
export function boxOfMotion(mesh: DrawMesh, displacement: FieldFrames, frames: number, magnification: number): Box {
  const box: Box = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
  const { rest, node, vertices } = mesh;
  const { components } = displacement;
  const room = new Float32Array(displacement.nodes * components);
  for (let frame = 0; frame < frames; frame++) {
    displacement.read(frame, room);
    for (let v = 0; v < vertices; v++)
      for (let k = 0; k < 3; k++) {
        const x = rest[3 * v + k] + (k < components ? magnification * room[components * node[v] + k] : 0);
        if (x < box.low[k]) box.low[k] = x;
        if (x > box.high[k]) box.high[k] = x;
      }
  }
  return box;
}

/** Makes a box hold another one, too. */
export function widen(box: Box, other: Box | null): void {
  for (let k = 0; other && k < 3; k++) {
    box.low[k] = Math.min(box.low[k], other.low[k]);
    box.high[k] = Math.max(box.high[k], other.high[k]);
  }
}

/** Middle of points of three numbers each. */
export function centreOf(points: Float32Array): Vector {
  const sum: Vector = [0, 0, 0];
  for (let i = 0; i < points.length; i++) sum[i % 3] += points[i];
  return sum.map((x) => (3 * x) / points.length) as Vector;
}

/** How far points are from a place along an axis, at most. */
export function farthest(points: Float32Array, place: Vector): number {
  let most = 0;
  for (let i = 0; i < points.length; i++) most = Math.max(most, Math.abs(points[i] - place[i % 3]));
  return most;
}

/** Twice as large as a body of this size; a bar needs little height. */
export function boxAround(centre: Vector, size: number, dimension: number): Box {
  const reach: Vector = [size, dimension > 1 ? size : 0.1 * size, dimension > 2 ? size : 0];
  return { low: centre.map((x, k) => x - reach[k]) as Vector, high: centre.map((x, k) => x + reach[k]) as Vector };
}
