// SPDX-License-Identifier: Apache-2.0
// Keys of summary.json in plain English (docs/reference/results.md); keys that are not here are shown as they are.

import { words } from "./format";

const numbers: Record<string, string> = {
  "energy.initial": "Energy at the start",
  "energy.final": "Energy at the end",
  "energy.ratio": "Energy at the end / at the start",
  "energy.closure": "Largest gap in the energy ledger of a step, relative",
  "energy.gain": "Largest growth of energy beyond all work in a step, relative",
  "energy.balance": "Gap of the energy balance of all steps together, relative",
  "energy.algorithmic_gain": "Energy added by the time integration, relative",
  "energy.correction": "Work of correcting penetration",
  "friction.gain": "Largest energy that friction gave in a step, relative",
  "friction.gains": "Steps in which friction gave energy",
  "momentum.error": "Largest error of momentum in a step, relative",
  "momentum.scale": "Largest sum of momenta, which its error is relative to",
  "angular.error": "Largest error of angular momentum in a step, relative",
  "angular.scale": "Largest sum of angular momenta, which its error is relative to",
  "jump.error": "Largest gap in the dissipation of impacts of a step, relative",
  "equilibrium.error": "Largest residual of the equations of motion, relative",
  "certificate.error": "Worst error of a contact solve",
  "certificate.error_scale_free": "Worst error of a contact solve, free of scale",
  "certificate.contact_error": "Worst error of a contact in its own scale",
  "certificate.guarded_error": "Worst error in the measures with wider bounds",
  "certificate.accepted": "Contact solves above the tolerance that were accepted",
  "certificate.exact_error_scale_free": "Worst error against the exact cone, free of scale",
  "certificate.consistency": "Largest difference between bodies and contact problem, relative",
  "contact.solves": "Contact problems solved",
  "contact.iterations": "Iterations in all",
  "contact.most_candidates": "Most contacts in one step",
  "contact.most_active": "Most contacts with a force in one step",
  "contact.most_sticking": "Most strips that stuck at one position",
  "contact.held": "Steps in which gaps were corrected only in part",
  "contact.held_depth": "Deepest gap that was left so",
  "contact.depth": "Largest depth that a contact was first seen with",
  "contact.penetration": "Deepest penetration in the last time step",
  "contact.sunk": "Largest growth of a depth",
  "contact.swept": "Steps with hits on the path of a body",
  "contact.inelastic": "Steps in which restitution was not applied",
  "contact.passed": "Steps in which bodies pass through each other",
  "contact.stopped": "Steps in which bodies are stopped by long chains of hits",
  "contact.buried": "Nodes found inside of the other body",
  "contact.several": "Steps whose contact problem has several solutions",
  "contact.several_most": "Most solutions that one had",
  "rotation.largest": "Largest rotation of a deformable body [rad]",
  "rotation.per_step": "Largest rotation of a rigid body in a time step [rad]",
  "volume.largest": "Largest change of volume of an element, relative",
  "increments.cut": "Increments that were halved",
  "increments.jumps": "Jumps of the path",
  "increments.chatter": "Increments in which friction alternated",
  "increments.passes": "Contact problems solved again because normals turned or frames moved",
  "increments.gap_error": "Largest gap of a contact with a force, relative",
  "events.count": "Changes of status that were followed",
  "newton.iterations": "Linear problems of Newton's method",
  "newton.most": "Most of them in one step",
  "newton.residual": "Largest force out of balance at the end of a step, relative",
  "newton.damped": "Iterations with a shortened step",
  "newton.indefinite": "Tangents that were not positive definite",
  "newton.augmentations": "Times that pressures became multipliers",
};

const phases: Record<string, string> = {
  matrix: "Step matrix",
  free: "Free motion",
  detect: "Contact detection",
  condense: "Condensation to contacts",
  solve: "Contact solver",
  verify: "Independent verifier",
  apply: "Motion with contact forces",
  ledger: "Energy and momentum ledger",
};

const sizes: Record<string, string> = {
  dimension: "Dimension of space",
  bodies: "Bodies",
  nodes: "Nodes",
  elements: "Elements",
  degrees_of_freedom: "Degrees of freedom",
  prescribed: "Prescribed degrees of freedom",
  modes: "Modes",
  factor_bytes: "Factored matrix",
  memory_bytes: "Memory at most",
  contact_bytes: "Memory per contact",
};

const steps: Record<string, string> = {
  name: "Last step of the model",
  scheme: "Time scheme",
  theta: "Theta",
  time_step: "Time step",
  steps: "Steps done",
  steps_planned: "Steps planned",
  time: "Time reached",
  solver: "Contact solver",
};

const sentence = (key: string): string => {
  const text = words(key).replaceAll(".", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};
const lookUp = (list: Record<string, string>) => (key: string): string =>
  Object.hasOwn(list, key) ? list[key]! : sentence(key);

export const numberName = lookUp(numbers);
export const phaseName = lookUp(phases);
export const sizeName = lookUp(sizes);
export const stepName = lookUp(steps);
