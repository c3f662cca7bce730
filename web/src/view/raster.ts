// SPDX-License-Identifier: Apache-2.0
// Fills triangles and draws lines into memory, with depth: for browsers without WebGL, and much faster than paths.

import { type ColourTable, type Rgb, entryOf } from "./colours";

/** Light falls from the upper right, towards the eye a little. */
const lightFrom = [0.32, 0.51, 0.8];

export interface Paint {
  table: ColourTable;
  /** Of what has no value. */
  neutral: Rgb;
  valued: boolean;
  shaded: boolean;
}

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

type Visit = (at: number, near: number, sb: number, sc: number) => void;

const packed = (r: number, g: number, b: number): number => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

export class Raster {
  readonly image: ImageData;
  private readonly pixels: Uint32Array;
  private readonly depth: Float32Array;
  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.depth = new Float32Array(width * height);
  }

  clear(): void {
    this.pixels.fill(0);
    this.depth.fill(-Infinity);
  }

  /**
   * Triangles of vertices that have right, down and nearness in pixels (points) and a place in the colour table
   * (negative: no value). Shaded by their slope if asked for.
   */
  triangles(corners: Uint32Array, points: Float32Array, places: Float32Array, paint: Paint): void {
    const { pixels, depth } = this;
    const { table, neutral, valued, shaded } = paint;
    for (let t = 0; t < corners.length; t += 3) {
      const [a, b, c] = [corners[t], corners[t + 1], corners[t + 2]];
      const [pa, pb, pc] = [places[a], places[b], places[c]];
      const known = valued && pa >= 0 && pb >= 0 && pc >= 0;
      const light = shaded ? slopeLight(points, 3 * a, 3 * b, 3 * c) : 1;
      const plain = packed(neutral[0] * light, neutral[1] * light, neutral[2] * light);
      this.cover(points, 3 * a, 3 * b, 3 * c, (at, near, sb, sc) => {
        if (near < depth[at]) return;
        depth[at] = near;
        const k = 4 * entryOf(Math.max(0, pa + sb * (pb - pa) + sc * (pc - pa)));
        pixels[at] = known ? packed(table[k] * light, table[k + 1] * light, table[k + 2] * light) : plain;
      });
    }
  }

  /** Translucent triangles, three points each, over what is not nearer. */
  veil(points: Float32Array, corners: number, colour: Rgb, strength: number): void {
    for (let t = 0; t + 2 < corners; t += 3)
      this.cover(points, 3 * t, 3 * t + 3, 3 * t + 6, (at, near) => {
        if (near >= this.depth[at]) this.blend(at, colour, strength);
      });
  }

  /** Lines by pairs of vertices, over what is not nearer. */
  lines(ends: ArrayLike<number>, points: Float32Array, colour: Rgb, strength: number): void {
    for (let i = 0; i < ends.length; i += 2) this.line(points, 3 * ends[i], 3 * ends[i + 1], () => colour, strength);
  }

  /** Visits the pixels of a triangle with their nearness and the shares of its second and third corner. */
  private cover(p: Float32Array, a: number, b: number, c: number, visit: Visit): void {
    const [ax, ay, bx, by, cx, cy] = [p[a], p[a + 1], p[b] - p[a], p[b + 1] - p[a + 1], p[c] - p[a], p[c + 1] - p[a + 1]];
    const area = bx * cy - by * cx;
    if (!(Math.abs(area) > 1e-9)) return;
    const left = Math.max(0, Math.floor(ax + Math.min(0, bx, cx)));
    const right = Math.min(this.width - 1, Math.ceil(ax + Math.max(0, bx, cx)));
    const top = Math.max(0, Math.floor(ay + Math.min(0, by, cy)));
    const bottom = Math.min(this.height - 1, Math.ceil(ay + Math.max(0, by, cy)));
    const [near, nearB, nearC] = [p[a + 2], p[b + 2] - p[a + 2], p[c + 2] - p[a + 2]];
    // Neighbours both fill the pixels of their common side, so that there is no seam.
    const edge = -1e-6;
    for (let y = top; y <= bottom; y++) {
      const dy = y + 0.5 - ay;
      for (let x = left; x <= right; x++) {
        const dx = x + 0.5 - ax;
        const sb = (dx * cy - dy * cx) / area;
        const sc = (dy * bx - dx * by) / area;
        if (sb >= edge && sc >= edge && sb + sc <= 1 - edge)
          visit(y * this.width + x, near + sb * nearB + sc * nearC, sb, sc);
      }
    }
  }

  /** Edges of elements: light on dark, dark on light. */
  edges(ends: Uint32Array, points: Float32Array, strength: number): void {
    const { data } = this.image;
    const grey = (at: number): number => 0.3 * data[4 * at] + 0.59 * data[4 * at + 1] + 0.11 * data[4 * at + 2];
    const ink = (at: number): Rgb => (grey(at) > 102 ? black : white);
    for (let i = 0; i < ends.length; i += 2) this.line(points, 3 * ends[i], 3 * ends[i + 1], ink, strength);
  }

  private line(points: Float32Array, a: number, b: number, ink: (at: number) => Rgb, strength: number): void {
    const [dx, dy, dz] = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]];
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy))));
    if (!(steps < 1e5)) return;
    for (let k = 0; k <= steps; k++) {
      const x = Math.floor(points[a] + (dx * k) / steps);
      const y = Math.floor(points[a + 1] + (dy * k) / steps);
      if (x < 0 || y < 0 || x >= this.width || y >= this.height) continue;
      const at = y * this.width + x;
      if (points[a + 2] + (dz * k) / steps + 1.5 >= this.depth[at]) this.blend(at, ink(at), strength);
    }
  }

  private blend(at: number, colour: Rgb, strength: number): void {
    const { data } = this.image;
    const below = (1 - strength) * (data[4 * at + 3] / 255);
    const sum = strength + below;
    for (let k = 0; k < 3; k++) data[4 * at + k] = (below * data[4 * at + k] + strength * colour[k]) / sum;
    data[4 * at + 3] = 255 * sum;
  }
}

/** How bright a facet is, whichever side of it one sees. */
function slopeLight(p: Float32Array, a: number, b: number, c: number): number {
  const [ux, uy, uz] = [p[b] - p[a], p[a + 1] - p[b + 1], p[b + 2] - p[a + 2]];
  const [vx, vy, vz] = [p[c] - p[a], p[a + 1] - p[c + 1], p[c + 2] - p[a + 2]];
  const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.hypot(n[0], n[1], n[2]) || 1;
  const towards = n[2] < 0 ? -1 : 1;
  const straight = (towards * (n[0] * lightFrom[0] + n[1] * lightFrom[1] + n[2] * lightFrom[2])) / length;
  return 0.62 + 0.38 * Math.max(0, straight);
}
