// SPDX-License-Identifier: Apache-2.0
// The mesh as it is drawn: corners of triangles, lines, and of which node each of them is.

import type { Animation, Body } from "../report";
import { type RigidLook, type RigidShape, areAlike, lookOf } from "./rigid_mesh";

/** What the drawn mesh is made from; Frames has it. */
export interface MeshSource {
  animation: Animation;
  positions: ArrayLike<number>;
  triangles: Uint32Array;
  edges: Uint32Array;
}

/** How many shapes of rigid bodies are remembered to know others alike. */
const remembered = 8;

/** Of a body, which of the drawn triangles, lines and rims are its own. */
interface Share {
  triangles: Uint32Array;
  edges: Uint32Array;
  outline: Uint32Array;
}

/**
 * Vertices are the nodes; in one dimension each node has two, the lower and the upper side of a ribbon, so that a bar
 * can be seen.
 */
export class DrawMesh {
  readonly vertices: number;
  /** Node of each vertex. */
  readonly node: Uint32Array;
  /** Body of each vertex. */
  readonly body: Uint32Array;
  /** At rest, three numbers each. */
  readonly rest: Float32Array;
  /** Largest extent of the rest shape. */
  readonly size: number;
  /** Mean length of the edges of elements at rest. */
  readonly edgeLength: number;
  /** At rest, three numbers of each vertex: of smooth rigid bodies; null if there is none. Zero: shaded by the slope. */
  readonly normals: Float32Array | null;
  private readonly shares: Share[];
  private readonly looks: { shape: RigidShape; look: RigidLook }[] = [];

  constructor(readonly source: MeshSource) {
    const { animation } = source;
    const sides = animation.dimension === 1 ? 2 : 1;
    this.vertices = sides * animation.nodes;
    this.node = Uint32Array.from({ length: this.vertices }, (_, v) => v % animation.nodes);
    this.body = new Uint32Array(this.vertices);
    animation.bodies.forEach((body, k) => {
      for (let side = 0; side < sides; side++) {
        const first = side * animation.nodes + body.firstNode;
        this.body.fill(k, first, first + body.nodes);
      }
    });
    this.rest = new Float32Array(3 * this.vertices);
    this.place();
    this.size = extent(this.rest) || 1;
    const smooth = animation.dimension === 3 && animation.bodies.some((body) => body.rigid !== undefined);
    this.normals = smooth ? new Float32Array(3 * this.vertices) : null;
    this.shares = animation.bodies.map((body) => (body.rigid === undefined ? this.share(body) : this.shareRigid(body)));
    this.edgeLength = meanLength(joined(this.shares.map((part) => part.edges)), this.rest);
  }

  /** Triangles, edges and outlines of the bodies that are shown. */
  select(shown: boolean[]): Share {
    const parts = this.shares.filter((_, k) => shown[k]);
    return {
      triangles: joined(parts.map((part) => part.triangles)),
      edges: joined(parts.map((part) => part.edges)),
      outline: joined(parts.map((part) => part.outline)),
    };
  }

  private place(): void {
    const { animation, positions } = this.source;
    const { dimension, nodes } = animation;
    for (let n = 0; n < nodes; n++)
      for (let k = 0; k < dimension; k++) this.rest[3 * n + k] = positions[n * dimension + k];
    if (dimension === 1) this.placeRibbons();
  }

  // Bars get a height, and lanes of their own where they would cover each other.
  private placeRibbons(): void {
    const { animation, positions } = this.source;
    const { nodes } = animation;
    const lanes = lanesOf(animation.bodies, positions);
    const height = 0.06 * (extent(this.rest) || 1);
    animation.bodies.forEach((body, k) => {
      const middle = -1.5 * height * lanes[k];
      for (let n = body.firstNode; n < body.firstNode + body.nodes; n++) {
        const upper = n + nodes;
        this.rest[3 * n + 1] = middle - height / 2;
        this.rest[3 * upper] = this.rest[3 * n];
        this.rest[3 * upper + 1] = middle + height / 2;
      }
    });
  }

  private share(body: Body): Share {
    const { triangles, edges, animation } = this.source;
    const lines = edges.slice(2 * body.firstEdge, 2 * (body.firstEdge + body.edges));
    if (animation.dimension === 1) return ribbon(lines, animation.nodes);
    const own = triangles.slice(3 * body.firstTriangle, 3 * (body.firstTriangle + body.triangles));
    const rim = outlineOf(own, this.rest);
    // A smooth closed surface has no rim: its mesh stands for it.
    return { triangles: own, edges: lines, outline: rim.length ? rim : lines };
  }

  // Elements of a rigid body mean nothing: it has rims, and marks that turn with it.
  private shareRigid(body: Body): Share {
    const { triangles, edges, animation } = this.source;
    const { firstNode, nodes, firstTriangle, firstEdge } = body;
    const own = triangles.slice(3 * firstTriangle, 3 * (firstTriangle + body.triangles));
    const look = this.lookOf({
      dimension: animation.dimension,
      triangles: within(triangles, 3 * firstTriangle, 3 * (firstTriangle + body.triangles), firstNode),
      edges: within(edges, 2 * firstEdge, 2 * (firstEdge + body.edges), firstNode),
      places: this.placesOf(firstNode, nodes),
    });
    this.normals?.set(look.normals, 3 * firstNode);
    return { triangles: own, edges: new Uint32Array(0), outline: look.outline.map((n) => n + firstNode) };
  }

  private lookOf(shape: RigidShape): RigidLook {
    const known = this.looks.find((other) => areAlike(other.shape, shape));
    if (known) return known.look;
    const look = lookOf(shape);
    this.looks.unshift({ shape, look });
    this.looks.length = Math.min(this.looks.length, remembered);
    return look;
  }

  // From their middle, which is the mass centre of what is round.
  private placesOf(first: number, nodes: number): Float32Array {
    const own = this.rest.slice(3 * first, 3 * (first + nodes));
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    own.forEach((x, i) => {
      low[i % 3] = Math.min(low[i % 3], x);
      high[i % 3] = Math.max(high[i % 3], x);
    });
    return own.map((x, i) => x - (low[i % 3] + high[i % 3]) / 2);
  }
}

/** Some of a list, counted from a node. */
const within = (all: Uint32Array, from: number, to: number, node: number): Uint32Array => all.slice(from, to).map((n) => n - node);

function joined(parts: Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Largest side of the box around points of three numbers each. */
export function extent(points: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < 3; k++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = k; i < points.length; i += 3) {
      low = Math.min(low, points[i]);
      high = Math.max(high, points[i]);
    }
    if (high - low > most) most = high - low;
  }
  return most;
}

function meanLength(edges: Uint32Array, points: Float32Array): number {
  let sum = 0;
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [3 * edges[e], 3 * edges[e + 1]];
    sum += Math.hypot(points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]);
  }
  return edges.length > 0 ? (2 * sum) / edges.length : 0;
}

/** Lanes for bars: the first one in which a bar covers no other by more than a hair. */
export function lanesOf(bodies: Body[], positions: ArrayLike<number>): number[] {
  const taken: { lane: number; low: number; high: number }[] = [];
  for (const body of bodies) {
    let low = Infinity;
    let high = -Infinity;
    for (let n = body.firstNode; n < body.firstNode + body.nodes; n++) {
      low = Math.min(low, positions[n]);
      high = Math.max(high, positions[n]);
    }
    const free = (lane: number): boolean =>
      taken.every((other) => {
        const overlap = Math.min(high, other.high) - Math.max(low, other.low);
        return other.lane !== lane || overlap <= 0.01 * Math.min(high - low, other.high - other.low);
      });
    let lane = 0;
    while (!free(lane)) lane++;
    taken.push({ lane, low, high });
  }
  return taken.map((bar) => bar.lane);
}

/** The elements of a bar as a ribbon: two triangles each; cross lines at the nodes; a rim around it. */
function ribbon(elements: Uint32Array, nodes: number): Share {
  const triangles: number[] = [];
  const edges: number[] = [];
  const outline: number[] = [];
  const meetings = new Map<number, number>();
  for (let e = 0; e < elements.length; e += 2) {
    const [a, b] = [elements[e], elements[e + 1]];
    triangles.push(a, b, b + nodes, a, b + nodes, a + nodes);
    outline.push(a, b, a + nodes, b + nodes);
    for (const n of [a, b]) meetings.set(n, (meetings.get(n) ?? 0) + 1);
  }
  for (const [n, count] of meetings) {
    edges.push(n, n + nodes);
    if (count === 1) outline.push(n, n + nodes);
  }
  return { triangles: Uint32Array.from(triangles), edges: Uint32Array.from(edges), outline: Uint32Array.from(outline) };
}

/** Sides of triangles that belong to one triangle only, or where the surface turns by more than 30 degrees. */
export function outlineOf(triangles: Uint32Array, points: Float32Array): Uint32Array {
  const vertices = points.length / 3;
  const seen = new Map<number, number>();
  const rims = new Map<number, [number, number]>();
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const a = triangles[t + k];
      const b = triangles[t + ((k + 1) % 3)];
      const key = Math.min(a, b) * vertices + Math.max(a, b);
      const other = seen.get(key);
      if (other === undefined) rims.set(key, [a, b]);
      else if (Math.abs(cosine(triangles, points, other, t)) > Math.cos(Math.PI / 6)) rims.delete(key);
      seen.set(key, t);
    }
  return Uint32Array.from([...rims.values()].flat());
}

function cosine(triangles: Uint32Array, points: Float32Array, s: number, t: number): number {
  const [m, n] = [normalOf(triangles, points, s), normalOf(triangles, points, t)];
  const lengths = Math.hypot(...m) * Math.hypot(...n);
  return lengths > 0 ? (m[0] * n[0] + m[1] * n[1] + m[2] * n[2]) / lengths : 1;
}

function normalOf(triangles: Uint32Array, points: Float32Array, t: number): number[] {
  const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
  const side = (p: number, k: number): number => points[p + k] - points[a + k];
  return [
    side(b, 1) * side(c, 2) - side(b, 2) * side(c, 1),
    side(b, 2) * side(c, 0) - side(b, 0) * side(c, 2),
    side(b, 0) * side(c, 1) - side(b, 1) * side(c, 0),
  ];
}
