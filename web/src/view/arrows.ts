// SPDX-License-Identifier: Apache-2.0
// Arrows for contact forces: flat, as thick as so many pixels, turned towards the eye.

import type { Camera } from "./camera";

const cornersOfArrow = 9;

/** Triangles that grow as needed and are kept, so that playing allocates nothing. */
export class ArrowList {
  /** Corners, three numbers each; the first `corners` count. */
  points = new Float32Array(3 * cornersOfArrow * 64);
  corners = 0;

  clear(): void {
    this.corners = 0;
  }

  /** An arrow from a point along a vector, its edges moved out by `halo` pixels. */
  add(from: ArrayLike<number>, at: number, vector: ArrayLike<number>, camera: Camera, halo: number): void {
    const length = Math.hypot(vector[0], vector[1], vector[2]);
    if (!(length > 1.5 * camera.pixel)) return;
    const along = [vector[0] / length, vector[1] / length, vector[2] / length];
    const side = across(along, camera.back, camera.right);
    const rim = halo * camera.pixel;
    const head = Math.min(9 * camera.pixel, 0.6 * length);
    const place = (way: number, off: number): void => this.push(from, at, along, way, side, off);
    const shaft = 0.9 * camera.pixel + rim;
    const wide = 0.45 * head + 1.2 * rim;
    this.reserve();
    // Two triangles of the shaft, one of the head.
    place(-rim, -shaft), place(length - head, -shaft), place(length - head, shaft);
    place(-rim, -shaft), place(length - head, shaft), place(-rim, shaft);
    place(length - head - rim, -wide), place(length + 1.6 * rim, 0), place(length - head - rim, wide);
  }

  /** A bar between two points, so wide to both sides. */
  bar(from: ArrayLike<number>, to: ArrayLike<number>, half: number, camera: Camera): void {
    const way = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
    const length = Math.hypot(way[0], way[1], way[2]);
    if (!(length > 0)) return;
    const along = way.map((x) => x / length);
    const side = across(along, camera.back, camera.right);
    this.reserve();
    for (const [share, off] of [[0, -1], [1, -1], [1, 1], [0, -1], [1, 1], [0, 1]])
      this.push(from, 0, along, share * length, side, off * half);
  }

  private push(from: ArrayLike<number>, at: number, along: number[], way: number, side: number[], off: number): void {
    for (let k = 0; k < 3; k++) this.points[3 * this.corners + k] = from[at + k] + way * along[k] + off * side[k];
    this.corners++;
  }

  private reserve(): void {
    if (3 * (this.corners + cornersOfArrow) <= this.points.length) return;
    const larger = new Float32Array(2 * this.points.length);
    larger.set(this.points);
    this.points = larger;
  }
}

/** A unit vector across both; one that is given where they are parallel. */
function across(a: number[], b: ArrayLike<number>, otherwise: ArrayLike<number>): number[] {
  const c = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const length = Math.hypot(c[0], c[1], c[2]);
  return length > 1e-6 ? c.map((x) => x / length) : [otherwise[0], otherwise[1], otherwise[2]];
}
