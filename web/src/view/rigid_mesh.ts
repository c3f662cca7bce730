// SPDX-License-Identifier: Apache-2.0
// How a rigid body is drawn: its rims, marks that show how it has turned, and normals where it is smooth.

/** One body: its own triangles and edges, and places from its mass centre, three numbers of each node. */
export interface RigidShape {
  dimension: number;
  triangles: Uint32Array;
  edges: Uint32Array;
  places: Float32Array;
}

export interface RigidLook {
  /** Pairs of nodes. */
  outline: Uint32Array;
  /** Three numbers of each node; zero where the surface has an edge. */
  normals: Float32Array;
}

const length = (p: ArrayLike<number>, i: number): number => Math.hypot(p[i], p[i + 1], p[i + 2]);

function sizeOf(places: Float32Array): number {
  let most = 0;
  for (let i = 0; i < places.length; i += 3) most = Math.max(most, length(places, i));
  return most;
}

/** Alike but for their size: most bodies of a model are. */
export function areAlike(a: RigidShape, b: RigidShape): boolean {
  if (a.triangles.length !== b.triangles.length || a.places.length !== b.places.length) return false;
  if (!a.triangles.every((node, k) => node === b.triangles[k])) return false;
  const [one, other] = [sizeOf(a.places), sizeOf(b.places)];
  return a.places.every((x, k) => Math.abs(x / one - b.places[k] / other) < 1e-4);
}

/** Unit normals of triangles, three numbers each. */
function facetNormals({ triangles, places }: RigidShape): Float32Array {
  const out = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const side = (p: number, k: number): number => places[p + k] - places[a + k];
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3];
      out[t + k] = side(b, i) * side(c, j) - side(b, j) * side(c, i);
    }
    const size = length(out, t) || 1;
    for (let k = 0; k < 3; k++) out[t + k] /= size;
  }
  return out;
}

/** Mean normals of nodes around which no triangle is steeper than this against the mean. */
const smooth = Math.cos((35 * Math.PI) / 180);

function smoothNormals(shape: RigidShape, facets: Float32Array): Float32Array {
  const { triangles, places } = shape;
  const out = new Float32Array(places.length);
  for (let i = 0; i < triangles.length; i++)
    for (let k = 0; k < 3; k++) out[3 * triangles[i] + k] += facets[i - (i % 3) + k];
  for (let i = 0; i < out.length; i += 3) {
    const size = length(out, i) || 1;
    for (let k = 0; k < 3; k++) out[i + k] /= size;
  }
  const sharp = new Set<number>();
  for (let i = 0; i < triangles.length; i++) {
    const [n, f] = [3 * triangles[i], i - (i % 3)];
    if (out[n] * facets[f] + out[n + 1] * facets[f + 1] + out[n + 2] * facets[f + 2] < smooth) sharp.add(n);
  }
  for (const n of sharp) out.fill(0, n, n + 3);
  return out;
}

/** Sides of triangles, each with the triangles it belongs to. */
function sidesOf({ triangles, places }: RigidShape): [number, number, number[]][] {
  const nodes = places.length / 3;
  const found = new Map<number, [number, number, number[]]>();
  for (let i = 0; i < triangles.length; i++) {
    const a = triangles[i];
    const b = triangles[i % 3 === 2 ? i - 2 : i + 1];
    const key = Math.min(a, b) * nodes + Math.max(a, b);
    const side = found.get(key);
    if (side) side[2].push(i - (i % 3));
    else found.set(key, [a, b, [i - (i % 3)]]);
  }
  return [...found.values()];
}

/** A round body in the plane is a fan of triangles: some of its spokes. */
function spokes(sides: [number, number, number[]][]): number[] {
  const inner = sides.filter(([, , of]) => of.length > 1);
  if (inner.length < 12) return [];
  const every = Math.floor(inner.length / 4);
  return inner.filter((_, k) => k % every === 0 && k < 4 * every).flatMap(([a, b]) => [a, b]);
}

/** A ball has no rim: edges that lie in planes through its mass centre are circles around it. */
function circles({ edges, places }: RigidShape): number[] {
  const near = 1e-4 * sizeOf(places);
  const inPlane = (a: number, b: number): boolean =>
    [0, 1, 2].some((k) => Math.abs(places[3 * a + k]) < near && Math.abs(places[3 * b + k]) < near);
  const found: number[] = [];
  for (let e = 0; e < edges.length; e += 2) if (inPlane(edges[e], edges[e + 1])) found.push(edges[e], edges[e + 1]);
  return found;
}

export function lookOf(shape: RigidShape): RigidLook {
  const facets = facetNormals(shape);
  const sides = sidesOf(shape);
  const bent = ([, , [s, t]]: [number, number, number[]]): boolean =>
    t === undefined || facets[s] * facets[t] + facets[s + 1] * facets[t + 1] + facets[s + 2] * facets[t + 2] < smooth;
  const rim = sides.filter(bent).flatMap(([a, b]) => [a, b]);
  const marks = shape.dimension === 2 ? spokes(sides) : rim.length > 0 ? [] : circles(shape);
  const normals = shape.dimension === 3 ? smoothNormals(shape, facets) : new Float32Array(shape.places.length);
  return { outline: Uint32Array.from([...rim, ...marks]), normals };
}
