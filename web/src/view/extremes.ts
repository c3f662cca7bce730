// SPDX-License-Identifier: Apache-2.0
// The picture in words and numbers: largest values of a frame and where they are, and contact forces on the bodies.

import { formatNumber, formatQuantity } from "../format";
import type { Field } from "../report";
import type { Scene } from "./scene";

const axes = ["x", "y", "z"];

/** Rows: what, how much, where. */
export async function extremesOf(scene: Scene): Promise<string[][]> {
  const { animation } = scene.frames;
  const frame = scene.frame;
  const rows: string[][] = [];
  for (const field of animation.fields) {
    if (field.name === "status" || field.name === "gap") continue;
    const row = await largest(scene, field, frame);
    if (row) rows.push(row);
  }
  return [...rows, ...contactForces(scene)];
}

async function largest(scene: Scene, field: Field, frame: number): Promise<string[] | null> {
  const values = new Float32Array(scene.values.length);
  (await scene.frames.field(field)).readComponent(frame, -1, values);
  let at = -1;
  for (let n = 0; n < values.length; n++)
    if (!Number.isNaN(values[n]) && (at < 0 || Math.abs(values[n]) > Math.abs(values[at]))) at = n;
  if (at < 0) return null;
  const { animation, labels } = scene.frames;
  const body = animation.bodies[scene.mesh.body[at]]?.name ?? "";
  return [`largest ${field.label || field.name}`, formatQuantity(values[at], field.unit), `${body} node ${labels[at]}`];
}

/** What contact exerts on each body in all. */
export function contactForces(scene: Scene): string[][] {
  const { animation } = scene.frames;
  const { forces } = scene;
  if (!forces) return [];
  return animation.bodies.map((body) => {
    const sum = new Array<number>(forces.components).fill(0);
    for (let n = body.firstNode; n < body.firstNode + body.nodes; n++)
      scene.forceOf(n).forEach((f, k) => (sum[k] += f));
    const parts = sum.map((f, k) => `${axes[k]} ${formatNumber(f)}`).join(", ");
    return [`total contact force on ${body.name}`, formatQuantity(Math.hypot(...sum), forces.field.unit), parts];
  });
}
