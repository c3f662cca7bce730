// SPDX-License-Identifier: Apache-2.0
// Small models for pages that the examples do not show.

/** A block that falls on a floor, to be changed by its parts. */
export function block({ title = "A block", units = "", end = 1e-3, solver = "", cases = "", every = 2 } = {}) {
  return `stickslip: 1
title: ${JSON.stringify(title)}
${units}
parameters: {label: 0}
materials: {steel: {young: 210e9, poisson: 0.3, density: 7800}}
bodies:
  block: {mesh: {rectangle: {size: [0.2, 0.1], cells: [8, 4], origin: [0, 1e-5]}}, material: steel, plane: strain, velocity: [1, -2]}
obstacles: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}
contacts: [{between: [block.bottom, floor], friction: 0.3}]
steps: [{name: fall, dynamics: {scheme: theta-euler, theta: 0.55, step: 1e-5, end: ${end}}${solver}}]
${cases}
output: {fields: {every: ${every}}, history: [{name: force, of: block.bottom, what: contact_force.normal}]}
`;
}

/** A box on a floor and a ball under it: three dimensions. */
export const solid = `stickslip: 1
title: A box in space
materials: {rubber: {young: 1e7, poisson: 0.3, density: 1000}}
bodies:
  box: {mesh: {box: {size: [0.2, 0.1, 0.1], cells: [8, 4, 4], origin: [0, 0, 1e-4]}}, material: rubber, velocity: [1, 0, -2]}
obstacles:
  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
contacts: [{between: [box.bottom, floor], friction: 0.3}]
steps: [{name: fall, dynamics: {scheme: modified-theta, theta: 0.55, step: 5e-5, end: 5e-3}}]
output: {fields: {every: 5}, history: [{name: force, of: box.bottom, what: contact_force.normal}]}
`;

/** 20301 nodes in 100 frames. */
export const large = `stickslip: 1
title: Twenty thousand nodes
materials: {rubber: {young: 1e7, poisson: 0.3, density: 1000}}
bodies:
  plate: {mesh: {rectangle: {size: [0.2, 0.1], cells: [200, 100]}}, material: rubber, plane: strain, velocity: [2, -4]}
obstacles: {ramp: {plane: {point: [0.2, -2e-4], normal: [-0.2, 1]}}}
contacts: [{between: [plate.bottom, ramp], friction: 0.2}]
steps: [{name: fall, dynamics: {scheme: modified-theta, theta: 0.55, step: 1e-5, end: 0.99e-3}}]
output: {fields: {every: 1}, history: [{name: force, of: plate.bottom, what: contact_force.normal}]}
`;

/** A square that slides steadily, for some values of friction: two of its modes meet at 0.6735. */
export const sliding = `stickslip: 1
title: A square that slides steadily
parameters: {mu: 0.9}
materials: {auxetic: {young: 3, poisson: -0.5, density: 4}}
bodies: {square: {mesh: {rectangle: {size: [1, 1], cells: [1, 1]}}, plane: stress, material: auxetic}}
obstacles: {plate: {plane: {point: [0, 0], normal: [0, 1]}, displacement: ["-max(t - 1, 0)", 0]}}
supports:
  - {on: square.top, displacement: [0, "-0.01*min(t, 1)"]}
  - {on: square.bottom-right, displacement: [free, 0]}
contacts: [{between: [square.bottom-left, plate], friction: mu}]
steps:
  - {name: press, quasistatic: {end: 1, increments: 1}}
  - {name: slide, steady-sliding: {end: 2, vary: {mu: {from: 0, to: 1.2, by: 0.1}}}}
  - {name: map, stability: {of: slide, mass: lumped}}
output: {fields: {every: 1}, history: [{name: force, of: square.bottom-left, what: contact_force.normal}]}
`;
