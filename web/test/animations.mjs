// SPDX-License-Identifier: Apache-2.0
// Made-up motions in one, two and three dimensions, to try the page without a run.

/** All frames of a field, by a function that gives the components of a node at a time. */
function sampled(shape, components, value) {
  const out = new Float64Array(shape.times.length * shape.nodes * components);
  let k = 0;
  for (const t of shape.times)
    for (let n = 0; n < shape.nodes; n++) for (const v of value(n, t)) out[k++] = v;
  return out;
}

function rangeOf(values, components) {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < values.length; i += components) {
    let v = values[i];
    if (components > 1) v = Math.hypot(...values.subarray(i, i + components));
    if (v < least) least = v;
    if (v > most) most = v;
  }
  return least <= most ? { least, most } : { least: 0, most: 0 };
}

function field(packer, shape, name, label, unit, components, value) {
  const values = sampled(shape, components, value);
  const width = shape.nodes * components;
  const data =
    name === "status"
      ? packer.add("int8", values, { scale: 1, offset: 0, width })
      : packer.quantise("int16", values, width);
  const resolution = name === "status" ? 0 : data.scale / 2;
  const each = shape.times.map((_, k) => rangeOf(values.subarray(k * width, (k + 1) * width), components));
  const frameLeast = packer.add("float64", each.map((range) => range.least));
  const frameMost = packer.add("float64", each.map((range) => range.most));
  return { name, label, unit, components, ...rangeOf(values, components), frameLeast, frameMost, resolution, data };
}

const evenly = (count, end) => Array.from({ length: count }, (_, k) => (k * end) / (count - 1));

// What contact exerts on each body, frame by frame.
function totals({ times, bodies, dimension, motion }) {
  return times.flatMap((t) =>
    bodies.flatMap(({ firstNode, nodes }) => {
      const sum = new Array(dimension).fill(0);
      for (let n = firstNode; n < firstNode + nodes; n++) motion.force(n, t).forEach((f, k) => (sum[k] += f));
      return sum;
    }),
  );
}

function pack(packer, shape) {
  const { dimension, times, nodes, motion } = shape;
  const fields = [
    field(packer, shape, "displacement", "displacement", "m", dimension, motion.displacement),
    field(packer, shape, "velocity", "velocity", "m/s", dimension, motion.velocity),
    field(packer, shape, "von_mises", "von Mises stress", "N/m^2", 1, (n, t) => [motion.stress(n, t)]),
    field(packer, shape, "contact_pressure", "contact pressure", "N/m^2", 1, (n, t) => [motion.pressure(n, t)]),
    field(packer, shape, "status", "contact status", "", 1, (n, t) => [motion.status(n, t)]),
    field(packer, shape, "gap", "gap", "m", 1, (n, t) => [motion.gap(n, t)]),
  ];
  return {
    dimension,
    frames: times.length,
    allFrames: times.length,
    times: packer.add("float64", times),
    nodes,
    labels: packer.add("uint32", shape.labels ?? evenly(nodes, nodes - 1)),
    positions: packer.add("float32", shape.positions),
    triangles: packer.add("uint32", shape.triangles),
    edges: packer.add("uint32", shape.edges),
    bodies: shape.bodies,
    obstacles: shape.obstacles(packer),
    fields,
    forces: field(packer, shape, "contact_force", "contact force", "N", dimension, motion.force),
    totalForce: packer.add("float64", totals(shape)),
    rigid: null,
    contacts: null,
    joints: [],
    contactNodes: shape.contactNodes,
  };
}

/** Two bars of 20 elements that meet after a quarter of the time and part at three quarters. */
export function bars(packer, { frames = 41, end = 2e-4 } = {}) {
  const length = 0.254;
  const positions = [];
  const edges = [];
  for (let body = 0; body < 2; body++)
    for (let i = 0; i <= 20; i++) {
      positions.push(body * (length + 0.0005) + (i * length) / 20);
      if (i) edges.push(i - 1, i);
    }
  const touching = (t) => t > end / 4 && t < (3 * end) / 4;
  const way = (t) => Math.min(t, end / 4) - Math.max(0, t - (3 * end) / 4);
  const side = (n) => (n < 21 ? 1 : -1);
  const atFace = (n) => n === 20 || n === 21;
  const body = (name, k) => ({
    name, firstNode: 21 * k, nodes: 21, firstTriangle: 0, triangles: 0, firstEdge: 20 * k, edges: 20,
  });
  return pack(packer, {
    dimension: 1, times: evenly(frames, end), nodes: 42, positions, triangles: [], edges,
    labels: Array.from({ length: 42 }, (_, n) => n % 21),
    bodies: [body("left", 0), body("right", 1)], obstacles: () => [], contactNodes: [20, 21],
    motion: {
      displacement: (n, t) => [side(n) * 5 * way(t)],
      velocity: (n, t) => [touching(t) ? 0 : side(n) * (t < end / 2 ? 5 : -5)],
      stress: (n, t) => (touching(t) ? 2e8 * (n < 21 ? n / 20 : (41 - n) / 20) : 0),
      pressure: (n, t) => (atFace(n) && touching(t) ? 2e8 : 0),
      status: (n, t) => (atFace(n) && touching(t) ? 1 : 0),
      gap: (n, t) => (atFace(n) ? 0.0005 - 10 * way(t) : NaN),
      force: (n, t) => [atFace(n) && touching(t) ? -side(n) * 1.3e5 : 0],
    },
  });
}

// How a block falls, slides on the ground and waves: shared by the plate and the box.
function sliding(end, height, up, positionOf, dimension) {
  const low = (t) => Math.max(0, height * (1 - (4 * t) / end));
  const touching = (n, t) => positionOf(n)[up] < 1e-9 && low(t) === 0 && Math.sin(9 * positionOf(n)[0] - (20 * t) / end) > -0.6;
  const slips = (n, t) => Math.cos(5 * positionOf(n)[0] - (9 * t) / end) > 0;
  const direction = (across, along) => {
    const v = new Array(dimension).fill(0);
    v[0] = across;
    v[up] = along;
    return v;
  };
  const wave = (n, t) => 0.01 * positionOf(n)[up] * Math.sin(6 * positionOf(n)[0] - (25 * t) / end);
  return {
    displacement: (n, t) => direction((0.6 * t) / end + wave(n, t), low(t) - height + 0.5 * wave(n, t)),
    velocity: (n, t) => direction(0.6 / end, low(t) > 0 ? (-4 * height) / end : 0),
    stress: (n, t) => (low(t) > 0 ? 0 : 1e6 * (1 + Math.sin(7 * positionOf(n)[0] + 5 * positionOf(n)[up] - (15 * t) / end))),
    pressure: (n, t) => (touching(n, t) ? 2e6 * (1 + 0.5 * Math.sin(3 * n)) : 0),
    status: (n, t) => (touching(n, t) ? (slips(n, t) ? 2 : 1) : 0),
    gap: (n, t) => (positionOf(n)[up] < 1e-9 ? low(t) : NaN),
    force: (n, t) => (touching(n, t) ? direction(slips(n, t) ? -30 : -10, 100) : direction(0, 0)),
  };
}

/** A plate of nx by ny cells that falls on the ground and slides towards a round obstacle; `motion` replaces parts of its own. */
export function plate(packer, { nx = 24, ny = 10, frames = 61, end = 0.01, motion = {} } = {}) {
  const at = (i, j) => j * (nx + 1) + i;
  const positions = [];
  const triangles = [];
  const edges = [];
  const height = 0.2;
  for (let j = 0; j <= ny; j++) for (let i = 0; i <= nx; i++) positions.push((2 * i) / nx, (0.8 * j) / ny + height);
  for (let j = 0; j < ny; j++)
    for (let i = 0; i < nx; i++)
      triangles.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
  for (let j = 0; j <= ny; j++) for (let i = 0; i < nx; i++) edges.push(at(i, j), at(i + 1, j));
  for (let j = 0; j < ny; j++) for (let i = 0; i <= nx; i++) edges.push(at(i, j), at(i, j + 1));
  const nodes = (nx + 1) * (ny + 1);
  const place = (n) => [positions[2 * n], positions[2 * n + 1] - height];
  const times = evenly(frames, end);
  return pack(packer, {
    dimension: 2, times, nodes, positions, triangles, edges,
    bodies: [{ name: "plate", firstNode: 0, nodes, firstTriangle: 0, triangles: triangles.length / 3, firstEdge: 0, edges: edges.length / 2 }],
    obstacles: (p) => [
      { name: "ground", kind: "plane", point: [0, 0], normal: [0, 1], radius: 0, inside: false, points: [] },
      { name: "roller", kind: "circle", point: [3.2, 0.4], normal: [], radius: 0.3, inside: false, points: [],
        motion: p.add("float64", times.flatMap((t) => [(-0.2 * t) / end, 0])) },
      { name: "ramp", kind: "polyline", point: [], normal: [], radius: 0, inside: false, points: [-1.2, 0.7, -0.6, 0.3, -0.4, 0] },
    ],
    contactNodes: Array.from({ length: nx + 1 }, (_, i) => i),
    motion: { ...sliding(end, height, 1, place, 2), ...motion },
  });
}

// The six sides of a box of n cells each way; nodes are shared between sides.
function boxSkin(n) {
  const number = new Map();
  const positions = [];
  const node = (i, j, k) => {
    const key = (i * (n + 1) + j) * (n + 1) + k;
    if (!number.has(key)) {
      number.set(key, positions.length / 3);
      positions.push(i / n, j / n, k / n + 0.2);
    }
    return number.get(key);
  };
  const triangles = [];
  const pairs = new Set();
  const side = (place) => {
    for (let a = 0; a < n; a++)
      for (let b = 0; b < n; b++) {
        const q = [place(a, b), place(a + 1, b), place(a + 1, b + 1), place(a, b + 1)].map((p) => node(...p));
        triangles.push(q[0], q[1], q[2], q[0], q[2], q[3]);
        q.forEach((m, i) => pairs.add([m, q[(i + 1) % 4]].sort((x, y) => x - y).join(" ")));
      }
  };
  side((a, b) => [b, a, 0]);
  side((a, b) => [a, b, n]);
  side((a, b) => [a, 0, b]);
  side((a, b) => [b, n, a]);
  side((a, b) => [0, b, a]);
  side((a, b) => [n, a, b]);
  return { positions, triangles, edges: [...pairs].flatMap((pair) => pair.split(" ").map(Number)) };
}

/** The skin of a cube that falls on a plane beside a ball and a pipe. */
export function box(packer, { n = 8, frames = 41, end = 0.01 } = {}) {
  const { positions, triangles, edges } = boxSkin(n);
  const nodes = positions.length / 3;
  const place = (m) => [positions[3 * m], positions[3 * m + 1], positions[3 * m + 2] - 0.2];
  const all = Array.from({ length: nodes }, (_, m) => m);
  return pack(packer, {
    dimension: 3, times: evenly(frames, end), nodes, positions, triangles, edges,
    bodies: [{ name: "cube", firstNode: 0, nodes, firstTriangle: 0, triangles: triangles.length / 3, firstEdge: 0, edges: edges.length / 2 }],
    obstacles: () => [
      { name: "ground", kind: "plane", point: [0, 0, 0], normal: [0, 0, 1], radius: 0, inside: false, points: [] },
      { name: "ball", kind: "circle", point: [2.2, 0.5, 0.3], normal: [], radius: 0.3, inside: false, points: [] },
      { name: "pipe", kind: "cylinder", point: [0.5, 2.0, 0.25], normal: [1, 0, 0], radius: 0.25, inside: false, points: [] },
    ],
    contactNodes: all.filter((m) => place(m)[2] < 1e-9),
    motion: sliding(end, 0.2, 2, place, 3),
  });
}
