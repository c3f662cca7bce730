// SPDX-License-Identifier: Apache-2.0
// Made-up motions of rigid bodies: a square, a deformable triangle and a wheel in the plane; a ball and a cube in space.

const pairs = (triangles) => {
  const found = new Map();
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
      found.set(`${Math.min(a, b)} ${Math.max(a, b)}`, [a, b]);
    }
  return [...found.values()].flat();
};

/** A fan of triangles about node 0. */
function disk(radius, corners) {
  const places = [0, 0];
  const triangles = [];
  for (let k = 0; k < corners; k++) {
    const angle = (2 * Math.PI * k) / corners;
    places.push(radius * Math.cos(angle), radius * Math.sin(angle));
    triangles.push(0, 1 + k, 1 + ((k + 1) % corners));
  }
  return { places, triangles };
}

const square = { places: [-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5], triangles: [0, 1, 2, 0, 2, 3] };
const triangle = { places: [4, 0, 5, 0, 4, 1], triangles: [0, 1, 2] };

/** Rings between two poles. */
function ball(radius, rings, around) {
  const places = [0, 0, -radius];
  const triangles = [];
  const at = (i, j) => 1 + i * around + (j % around);
  for (let i = 0; i < rings; i++)
    for (let j = 0; j < around; j++) {
      const [a, b] = [(Math.PI * (i + 1)) / (rings + 1) - Math.PI / 2, (2 * Math.PI * j) / around];
      places.push(radius * Math.cos(a) * Math.cos(b), radius * Math.cos(a) * Math.sin(b), radius * Math.sin(a));
      if (i > 0) triangles.push(at(i - 1, j), at(i - 1, j + 1), at(i, j + 1), at(i - 1, j), at(i, j + 1), at(i, j));
      else triangles.push(0, at(0, j + 1), at(0, j));
    }
  const top = places.length / 3;
  places.push(0, 0, radius);
  for (let j = 0; j < around; j++) triangles.push(at(rings - 1, j), at(rings - 1, j + 1), top);
  return { places, triangles };
}

const cube = {
  places: [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [(k & 1) - 0.5, ((k >> 1) & 1) - 0.5, (k >> 2) - 0.5]),
  triangles: [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5],
};

function bodiesOf(parts) {
  let [node, tri, edge] = [0, 0, 0];
  return parts.map(({ name, shape, rigid }, k) => {
    const nodes = shape.places.length / parts.dimension;
    const edges = pairs(shape.triangles).length / 2;
    const body = { name: name ?? `body ${k}`, firstNode: node, nodes, firstTriangle: tri, triangles: shape.triangles.length / 3, firstEdge: edge, edges };
    [node, tri, edge] = [node + nodes, tri + body.triangles, edge + edges];
    return rigid === undefined ? body : { ...body, rigid };
  });
}

function still(packer, name, label, unit, components, softNodes, frames) {
  const zeros = (count) => packer.add("float64", new Array(count).fill(0));
  const data = packer.add("int16", new Array(frames * softNodes * components).fill(0), { scale: 1, offset: 0 });
  return { name, label, unit, components, least: 0, most: 1, frameLeast: zeros(frames), frameMost: zeros(frames), resolution: 0, data };
}

/** Parts move by motion(rigid, time): displacement, rotation, velocity and angular velocity; contactsOf(time) lists contacts. */
export function rigidAnimation(packer, { dimension, parts, centres, motion, contactsOf, obstacles = [], joints = [], frames = 5, end = 1 }) {
  parts.dimension = dimension;
  const times = Array.from({ length: frames }, (_, k) => (k * end) / (frames - 1));
  const bodies = bodiesOf(parts);
  const soft = bodies.filter((body) => body.rigid === undefined).reduce((sum, body) => sum + body.nodes, 0);
  const nodes = bodies.reduce((sum, body) => sum + body.nodes, 0);
  const block = (what) => packer.add("float32", times.flatMap((t) => centres.flatMap((_, r) => motion(r, t)[what])));
  const contacts = times.map(contactsOf);
  const all = contacts.flat();
  return {
    dimension, frames, allFrames: frames, times: packer.add("float64", times), nodes,
    labels: packer.add("uint32", bodies.flatMap((body) => Array.from({ length: body.nodes }, (_, k) => k))),
    positions: packer.add("float32", parts.flatMap(({ shape }) => shape.places)),
    triangles: packer.add("uint32", parts.flatMap(({ shape }) => shape.triangles)),
    edges: packer.add("uint32", parts.flatMap(({ shape }) => pairs(shape.triangles))),
    bodies, obstacles,
    fields: [
      still(packer, "displacement", "displacement", "m", dimension, soft, frames),
      still(packer, "velocity", "velocity", "m/s", dimension, soft, frames),
      ...(soft ? [still(packer, "von_mises", "von Mises stress", "N/m^2", 1, soft, frames)] : []),
    ],
    forces: null, totalForce: null,
    rigid: {
      centres: packer.add("float64", centres.flat()),
      displacement: block("displacement"), rotation: block("rotation"), velocity: block("velocity"), angularVelocity: block("rate"),
      displacementResolution: 0, rotationResolution: 0, velocityResolution: 0, angularVelocityResolution: 0, rateUnit: "1/s",
    },
    contacts: {
      unit: "N",
      counts: packer.add("uint32", contacts.map((list) => list.length)),
      places: packer.add("float32", all.flatMap(({ place }) => place)),
      forces: packer.add("float32", all.flatMap(({ force }) => force)),
      tangential: packer.add("float32", all.map(({ tangential }) => tangential)),
      status: packer.add("uint8", all.map(({ status }) => status)),
      first: packer.add("uint32", all.map(({ first }) => first)),
      second: packer.add("uint32", all.map(({ second }) => second)),
    },
    joints, contactNodes: [],
  };
}

const ground = (dimension) => ({
  name: "ground", kind: "plane", point: [0, -0.5, 0].slice(0, dimension), normal: [0, 1, 0].slice(0, dimension), radius: 0, inside: false, points: [],
});

/** A square that slides and a wheel that turns, a deformable triangle between them in the list. */
export const wheels = (packer, options = {}) =>
  rigidAnimation(packer, {
    dimension: 2,
    parts: [{ name: "square", shape: square, rigid: 0 }, { name: "flag", shape: triangle }, { name: "wheel", shape: disk(0.5, 16), rigid: 1 }],
    centres: [[0, 0], [2, 0]],
    motion: (r, t) =>
      r === 0
        ? { displacement: [t, 0], rotation: [0], velocity: [1, 0], rate: [0] }
        : { displacement: [0, 0], rotation: [(Math.PI / 2) * t], velocity: [0, 0], rate: [Math.PI / 2] },
    contactsOf: (t) =>
      t === 0
        ? []
        : [
            { place: [t - 0.5, -0.5], force: [0, 3], tangential: 0, status: 1, first: 0, second: 3 },
            { place: [t + 0.5, -0.5], force: [-4, 3], tangential: 4, status: 2, first: 0, second: 3 },
            { place: [t + 0.5, 0], force: [0, 0], tangential: 0, status: 0, first: 0, second: 2 },
          ],
    obstacles: [ground(2)],
    joints: [{ name: "axle", kind: "pin", first: 2, second: -1, point: [2.5, 0], other: [], axis: [] }],
    ...options,
  });

/** A ball that rolls and a cube at rest. */
export const heap = (packer, options = {}) =>
  rigidAnimation(packer, {
    dimension: 3,
    parts: [{ name: "ball", shape: ball(0.5, 7, 16), rigid: 0 }, { name: "cube", shape: cube, rigid: 1 }],
    centres: [[0, 0, 0], [2, 0, 0]],
    motion: (r, t) =>
      r === 0
        ? { displacement: [t, 0, 0], rotation: [0, 0, (-Math.PI / 2) * t], velocity: [1, 0, 0], rate: [0, 0, -2] }
        : { displacement: [0, 0, 0], rotation: [0, 0, 0], velocity: [0, 0, 0], rate: [0, 0, 0] },
    contactsOf: (t) => [{ place: [t, -0.5, 0], force: [0, 5, 0], tangential: 0, status: 1, first: 0, second: 2 }],
    obstacles: [ground(3)],
    ...options,
  });
