// SPDX-License-Identifier: Apache-2.0
// The node under the pointer, and what is known of it in this frame.

import { formatNumber, formatQuantity } from "../format";
import type { Camera, Vector } from "./camera";
import { statusWords } from "./legend";
import type { Scene } from "./scene";

const reach = 20;

/** The nearest node within reach of a place on the picture; in space the one in front. -1 if there is none. */
export function nodeAt(scene: Scene, camera: Camera, place: [number, number]): number {
  const at: Vector = [0, 0, 0];
  let found = -1;
  let best = Infinity;
  for (let n = 0; n < scene.values.length; n++) {
    if (!scene.shown[scene.mesh.body[n]]) continue;
    scene.anchor(n, at);
    const [x, y, near] = camera.project(at);
    const away = Math.hypot(x - place[0], y - place[1]);
    if (away > reach) continue;
    const rank = scene.dimension === 3 ? away * camera.pixel - near : away;
    if (rank < best) [found, best] = [n, rank];
  }
  return found;
}

const vectorText = (v: ArrayLike<number>): string => {
  const texts = Array.from(v, (x) => formatNumber(x));
  return texts.length === 1 ? texts[0] : `(${texts.join(", ")})`;
};

/** One line for people. */
export function describe(scene: Scene, node: number): string {
  const { animation, labels } = scene.frames;
  const body = animation.bodies[scene.mesh.body[node]]?.name ?? "";
  const parts = [`displacement ${vectorText(scene.displacementOf(node))} ${animation.fields[0].unit}`.trim()];
  const { field, label } = scene.choice;
  if (field && field.name === "status") parts.push(statusWords[scene.values[node]] ?? "no contact");
  else if (field) parts.push(`${label} ${formatQuantity(scene.values[node], field.unit)}`);
  const force = scene.forceOf(node);
  if (force.some((x) => x !== 0)) parts.push(`contact force ${vectorText(force)} ${scene.forces?.field.unit ?? ""}`.trim());
  return `${body} node ${labels[node]}: ${parts.join(", ")}`;
}
