// SPDX-License-Identifier: Apache-2.0
// The node under the pointer, and what is known of it in this frame.

import { formatKnown } from "../format";
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
    if (!scene.shown[scene.mesh.body[n]] || scene.frames.poses?.soft[n] === -1) continue;
    scene.anchor(n, at);
    const [x, y, near] = camera.project(at);
    const away = Math.hypot(x - place[0], y - place[1]);
    if (away > reach) continue;
    const rank = scene.dimension === 3 ? away * camera.pixel - near : away;
    if (rank < best) [found, best] = [n, rank];
  }
  return found;
}

/** A force that is smaller than what the page can tell is told as such, if there are forces in this frame at all. */
function forceText(scene: Scene, node: number): string | null {
  const { forces, frame } = scene;
  if (!forces) return null;
  const force = scene.forceOf(node);
  const some = (forces.extremes(frame)?.high ?? 0) > 0;
  const hidden = some && forces.resolution > 0 && scene.frames.animation.contactNodes.includes(node);
  if (!hidden && force.every((x) => x === 0)) return null;
  return `contact force ${formatKnown(force, forces.resolution, forces.field.unit)}`;
}

/** One line for people, with no more digits than the page knows. */
export function describe(scene: Scene, node: number): string {
  const { animation, labels } = scene.frames;
  const body = animation.bodies[scene.mesh.body[node]]?.name ?? "";
  const { displacement } = scene;
  const parts = [`displacement ${formatKnown(scene.displacementOf(node), displacement.resolution, displacement.field.unit)}`];
  const { field, label } = scene.choice;
  if (field && field.name === "status") parts.push(statusWords[scene.values[node]] ?? "no contact");
  else if (field) parts.push(`${label} ${formatKnown([scene.values[node]], scene.resolution, field.unit)}`);
  const force = forceText(scene, node);
  if (force) parts.push(force);
  return `${body} node ${labels[node]}: ${parts.join(", ")}`;
}
